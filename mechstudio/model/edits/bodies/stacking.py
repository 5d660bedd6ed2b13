"""Layers of links, arms and plates that are pinned in one plane: which of them, and which pins, run
through each other as drawn or over a run, and these moved along the normal so that none do.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.model.edits.links import LAYER
from mechstudio.model.geometry.forms import Flat as FlatForm
from mechstudio.model.geometry.outline import convex_hull
from mechstudio.model.geometry.rotation import Pose, Quaternion, Triple, rotate, transform
from mechstudio.model.geometry.work_plane import cross, dot, parallel, unit
from mechstudio.model.mechanism import Body, Force, Frame, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, Vector, values
from mechstudio.model.types.joints import JOINT_TYPES

replace = msgspec.structs.replace

PIN = 0.41  # radius of a pin, of that of the link's end
SAME = 1e-6  # of the longest link: pins of one plane
TOUCH = 1e-9  # of a length: what only touches does not run through
DEEPEST = 8  # layers to either side of the middle
PASSES = 12  # over all links, until none finds a better layer

Flat = tuple[float, float]
Corners = tuple[Flat, ...]
Motion = Sequence[Mapping[str, Pose]]
Offsets = Mapping[str, float]


class Slat(NamedTuple):
    """A link, arm or plate as it lies in its plane: its corners at each instant, as drawn first,
    the radius of its edge, its thickness, where its middle lies along the normal, and 1.0 where its
    body's y runs along that, else -1.0 [m].
    """

    corners: tuple[Corners, ...]
    radius: float
    thickness: float
    offset: float
    sense: float


class Pin(NamedTuple):
    """A joint of two slats across their plane: its id, their ids, its place at each instant and its
    radius [m].
    """

    joint: str
    links: tuple[str, str]
    at: tuple[Flat, ...]
    radius: float


class Stack(NamedTuple):
    """The slats of one plane and the pins between them.  crossing: pairs that have a part in common
    as seen along the normal, at any instant.  pierced: (joint, slat) where a pin does.
    """

    slats: dict[str, Slat]
    pins: tuple[Pin, ...]
    crossing: frozenset[frozenset[str]] = frozenset()
    pierced: frozenset[tuple[str, str]] = frozenset()

    @property
    def offsets(self) -> dict[str, float]:
        """Places of the slats along the normal as drawn [m]."""
        return {id: slat.offset for id, slat in self.slats.items()}


class Clash(NamedTuple):
    """Two slats that run through each other; joint: whose pin runs through the second one instead,
    "" for none.
    """

    link: str
    other: str
    joint: str = ""


def slat_form(body: Body) -> FlatForm | None:
    """The form of a body that is one link, arm or plate with its body's y as normal, None for any
    other.
    """
    if len(body.shapes) != 1 or any(values(body.shapes[0].placement.orientation)):
        return None
    form = body.shapes[0].form
    return form if isinstance(form, FlatForm) else None


def stacks(m: Mechanism, motion: Motion = ()) -> list[Stack]:
    """The links, arms and plates by the planes of their pins; planes with one are left out.

    motion: poses of the bodies in W at instants of a run, in which they are examined too.
    """
    groups: list[tuple[Triple, float, list[str]]] = []
    forms = {id: form for id, body in m.bodies.items() if (form := slat_form(body))}
    longest = max((_length(form) for form in forms.values()), default=0.0)
    for id in forms:
        body = m.bodies[id]
        normal = _normal(body.placement.quaternion)
        height = dot(normal, body.placement.pose[0])
        for n, h, ids in groups:
            sense = 1.0 if dot(n, normal) > 0 else -1.0
            if parallel(n, normal) and abs(sense * height - h) <= SAME * longest:
                ids.append(id)
                break
        else:
            groups.append((normal, height, [id]))
    return [
        _stack(m, n, {id: forms[id] for id in ids}, _in_plane(motion, n, h, ids, SAME * longest))
        for n, h, ids in groups
        if len(ids) > 1
    ]


def _length(form: FlatForm) -> float:
    return max(math.dist(a, b) for a in form.corners for b in form.corners)


def _normal(q: Quaternion) -> Triple:
    """The direction of a slat's own y in W, along which its layers count."""
    return unit(rotate(q, (0.0, 1.0, 0.0))) or (0.0, 1.0, 0.0)


def _in_plane(
    motion: Motion, normal: Triple, height: float, ids: Sequence[str], near: float
) -> Motion:
    """The instants at which all slats of a plane lie in it."""

    def lies(pose: Pose) -> bool:
        p, q = pose
        return parallel(_normal(q), normal) and abs(dot(normal, p) - height) <= near

    return [poses for poses in motion if all(lies(poses[id]) for id in ids)]


def _stack(m: Mechanism, normal: Triple, forms: Mapping[str, FlatForm], motion: Motion) -> Stack:
    across = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 1.0, 0.0)
    lean = dot(across, normal)
    u = unit(tuple(a - lean * n for a, n in zip(across, normal)))  # type: ignore[arg-type]
    assert u is not None
    v = cross(normal, u)
    drawn = {id: m.bodies[id].placement.pose for id in forms}
    instants = [drawn, *motion]

    def flat(pose: Pose, p: Triple) -> Flat:
        p = transform(pose, p)
        return dot(p, u), dot(p, v)

    slats: dict[str, Slat] = {}
    for id, form in forms.items():
        x, y, z = values(m.bodies[id].shapes[0].placement.position)
        sense = 1.0 if dot(_normal(drawn[id][1]), normal) > 0 else -1.0
        hull = convex_hull(form.corners)
        corners = tuple(
            tuple(flat(poses[id], (x + a, 0.0, z + b)) for a, b in hull) for poses in instants
        )
        slats[id] = Slat(corners, form.radius, form.thickness, sense * y, sense)
    pins: list[Pin] = []
    for joint in m.joints.values():
        a, b = joint.frame_a.body, joint.frame_b.body
        if a in slats and b in slats and a != b and JOINT_TYPES[joint.type].is_pin:
            local = m.frame_in_body(joint.frame_b)[0]
            thin = min(slats[a].radius, slats[b].radius)
            at = tuple(flat(poses[b], local) for poses in instants)
            pins.append(Pin(joint.id, (a, b), at, PIN * thin))
    crossing = frozenset(
        frozenset((a, b)) for a, b in itertools.combinations(slats, 2) if _cross(slats[a], slats[b])
    )
    pierced = frozenset(
        (pin.joint, id)
        for pin in pins
        for id, slat in slats.items()
        if id not in pin.links
        and any(
            _gap(corners, (at,)) < slat.radius + pin.radius
            for corners, at in zip(slat.corners, pin.at, strict=True)
        )
    )
    return Stack(slats, tuple(pins), crossing, pierced)


def clashes(stack: Stack, offsets: Offsets, only: str = "") -> list[Clash]:
    """Clashes with the slats at places along the normal [m].  only: a slat; then
    those that it has a part in.
    """
    out: list[Clash] = []
    pairs = (
        ((only, id) for id in stack.slats if id != only)
        if only
        else itertools.combinations(stack.slats, 2)
    )
    for a, b in pairs:
        if frozenset((a, b)) in stack.crossing and _level(stack, offsets, a, b):
            out.append(Clash(a, b))
    for pin in stack.pins:
        a, b = pin.links
        low, high = sorted((offsets[a], offsets[b]))
        for id in stack.slats if only in ("", a, b) else (only,):
            if (pin.joint, id) not in stack.pierced:
                continue
            slat = stack.slats[id]
            half = slat.thickness / 2 * (1.0 - TOUCH)
            if low < offsets[id] + half and offsets[id] - half < high:
                out.append(Clash(a, id, pin.joint))
    return out


def _level(stack: Stack, offsets: Offsets, a: str, b: str) -> bool:
    """True if two slats share a part of their thickness."""
    half = (stack.slats[a].thickness + stack.slats[b].thickness) / 2
    return abs(offsets[a] - offsets[b]) < half * (1.0 - TOUCH)


def _cross(a: Slat, b: Slat) -> bool:
    """True if two slats seen along the normal have a part in common at any instant."""
    least = (a.radius + b.radius) * (1.0 - TOUCH)
    return any(_gap(p, q) < least for p, q in zip(a.corners, b.corners, strict=True))


def _gap(a: Corners, b: Corners) -> float:
    """Distance of two convex outlines, of a single point or a straight piece too [m]."""
    if _holds(a, b[0]) or _holds(b, a[0]):
        return 0.0
    return min(_between(p, q) for p in _sides(a) for q in _sides(b))


def _sides(corners: Corners) -> list[tuple[Flat, Flat]]:
    turned = (*corners[-1:], *corners[:-1])
    sides = list(zip(turned, corners, strict=True))
    return sides if len(corners) > 2 else sides[:1]


def _side(p: Flat, q: Flat, r: Flat) -> float:
    """Twice the area of a triangle [m^2], positive counter-clockwise."""
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _holds(corners: Corners, p: Flat) -> bool:
    """True for a point inside a convex outline of three corners or more."""
    if len(corners) < 3:
        return False
    turns = [_side(a, b, p) for a, b in _sides(corners)]
    return min(turns) >= 0.0 or max(turns) <= 0.0


def _between(a: tuple[Flat, Flat], b: tuple[Flat, Flat]) -> float:
    """Distance of two straight pieces [m]."""
    if _side(*a, b[0]) * _side(*a, b[1]) < 0 and _side(*b, a[0]) * _side(*b, a[1]) < 0:
        return 0.0
    return min(_away(p, piece) for piece, points in ((a, b), (b, a)) for p in points)


def _away(p: Flat, piece: tuple[Flat, Flat]) -> float:
    (x, y), (c, d) = piece
    u, v = c - x, d - y
    long = u * u + v * v
    share = min(1.0, max(0.0, ((p[0] - x) * u + (p[1] - y) * v) / long)) if long > 0 else 0.0
    return math.hypot(p[0] - x - share * u, p[1] - y - share * v)


def all_clashes(m: Mechanism, motion: Motion = ()) -> list[Clash]:
    """Clashes of all links, arms and plates as drawn, and at instants of a motion."""
    return [clash for stack in stacks(m, motion) for clash in clashes(stack, stack.offsets)]


def layered(stack: Stack) -> dict[str, float]:
    """Places of the links along the normal [m] that take away as many clashes as can be found: each
    link in turn goes to its best layer, one as near to the middle as any.
    """
    layers, best = _layers(stack), stack.offsets
    fewest = len(clashes(stack, best))
    for start in (best, _greedy(stack, layers)):
        now = dict(start)
        for _ in range(PASSES):
            before = dict(now)
            for id in stack.slats:
                own = clashes(stack, now, id)
                if own:
                    now[id] = min(layers, key=lambda at: len(clashes(stack, {**now, id: at}, id)))
            if now == before:
                break
        count = len(clashes(stack, now))
        if count < fewest:
            best, fewest = now, count
    return best


def _greedy(stack: Stack, layers: Sequence[float]) -> dict[str, float]:
    """Every link in drawing order in the first layer in which it clashes least with those before
    it.
    """
    out: dict[str, float] = {}
    for id in stack.slats:
        part = Stack(
            {k: stack.slats[k] for k in (*out, id)},
            tuple(p for p in stack.pins if {*p.links} <= {*out, id}),
            stack.crossing,
            stack.pierced,
        )
        out[id] = min(layers, key=lambda at: len(clashes(part, {**out, id: at}, id)))
    return out


def in_free_layer(project: Project, link: str) -> Project:
    """With one link in the layer in which it clashes least with the others of its plane, where it
    clashes as it is; joints and bodies keep their places.
    """
    m = project.mechanism
    stack = next((s for s in stacks(m) if link in s.slats), None)
    if stack is None or not clashes(stack, stack.offsets, link):
        return project
    layers = _layers(stack)

    def count(at: float) -> int:
        return len(clashes(stack, {**stack.offsets, link: at}, link))

    best, slat = min(layers, key=count), stack.slats[link]
    if count(best) >= count(slat.offset):
        return project
    return replace(project, mechanism=_moved(m, link, slat.sense * (best - slat.offset)))


def _layers(stack: Stack) -> list[float]:
    """Places along the normal [m] from the middle outwards."""
    pitch = LAYER * max(slat.thickness for slat in stack.slats.values())
    reach = min(len(stack.slats), DEEPEST)
    return [pitch * k for k in sorted(range(-reach, reach + 1), key=lambda k: (abs(k), -k))]


def stacked(project: Project, motion: Motion = ()) -> Project:
    """With links, arms and plates moved along the normals of their planes into layers in which they
    clear each other as drawn and in a motion; joints, forces and bodies keep their places in W.
    """
    m = project.mechanism
    for stack in stacks(m, motion):
        if not clashes(stack, stack.offsets):
            continue
        for id, offset in layered(stack).items():
            slat = stack.slats[id]
            if abs(offset - slat.offset) > TOUCH * slat.thickness:
                m = _moved(m, id, slat.sense * (offset - slat.offset))
    return replace(project, mechanism=m)


def _moved(m: Mechanism, link: str, shift: float) -> Mechanism:
    """With a link's shape moved along its body's y [m]; frames at its named points stay where they
    are.
    """
    body = m.bodies[link]
    shape = body.shapes[0]
    named = shape.points()

    def lifted(position: Vector, by: float) -> Vector:
        x, y, z = position
        moved = y.value + by
        return x, Quantity(0.0 if abs(moved) < 1e-15 else moved), z

    def held(frame: Frame | None) -> Frame | None:
        if frame is None or frame.body != link or frame.point not in named:
            return frame
        place = frame.placement
        return replace(frame, placement=replace(place, position=lifted(place.position, -shift)))

    def kept(element: Joint | Force) -> dict[str, Frame | None]:
        return {"frame_a": held(element.frame_a), "frame_b": held(element.frame_b)}

    place = replace(shape.placement, position=lifted(shape.placement.position, shift))
    return replace(
        m,
        bodies={**m.bodies, link: replace(body, shapes=(replace(shape, placement=place),))},
        joints={id: replace(joint, **kept(joint)) for id, joint in m.joints.items()},
        forces={id: replace(force, **kept(force)) for id, force in m.forces.items()},
    )
