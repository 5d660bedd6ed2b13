"""Layers of links that are pinned in one plane: which links and pins run through each other as
drawn, and links moved along the normal so that none do.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.model.edits.links import LAYER, link_ends
from mechstudio.model.geometry.forms import Bar
from mechstudio.model.geometry.rotation import Triple, rotate
from mechstudio.model.geometry.work_plane import dot, parallel, unit
from mechstudio.model.mechanism import Body, Force, Frame, Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, Vector
from mechstudio.model.types.joints import JOINT_TYPES

replace = msgspec.structs.replace

PIN = 0.41  # radius of a pin, of that of the link's end
SAME = 1e-6  # of the longest link: pins of one plane
TOUCH = 1e-9  # of a length: what only touches does not run through
DEEPEST = 8  # layers to either side of the middle
PASSES = 12  # over all links, until none finds a better layer

Flat = tuple[float, float]
Offsets = Mapping[str, float]


class Slat(NamedTuple):
    """A link as it lies in its plane: its ends, half its width, its thickness, where its middle
    lies along the normal, and 1.0 where its body's y runs along that, else -1.0 [m].
    """

    ends: tuple[Flat, Flat]
    radius: float
    thickness: float
    offset: float
    sense: float


class Pin(NamedTuple):
    """A joint of two links across their plane: its id, its links, its place and radius [m]."""

    joint: str
    links: tuple[str, str]
    at: Flat
    radius: float


class Stack(NamedTuple):
    """The links of one plane and the pins between them."""

    slats: dict[str, Slat]
    pins: tuple[Pin, ...]

    @property
    def offsets(self) -> dict[str, float]:
        """Places of the links along the normal as drawn [m]."""
        return {id: slat.offset for id, slat in self.slats.items()}


class Clash(NamedTuple):
    """Two links that run through each other; joint: whose pin runs through the second link instead,
    "" for none.
    """

    link: str
    other: str
    joint: str = ""


def stacks(m: Mechanism) -> list[Stack]:
    """The links by the planes of their pins; planes with one link are left out."""
    groups: list[tuple[Triple, float, list[str]]] = []
    longest = max((math.dist(*e) for b in m.bodies.values() if (e := link_ends(b))), default=0.0)
    for id, body in m.bodies.items():
        if link_ends(body) is None:
            continue
        normal = _normal(body)
        height = dot(normal, body.placement.pose[0])
        for n, h, ids in groups:
            sense = 1.0 if dot(n, normal) > 0 else -1.0
            if parallel(n, normal) and abs(sense * height - h) <= SAME * longest:
                ids.append(id)
                break
        else:
            groups.append((normal, height, [id]))
    return [_stack(m, n, ids) for n, _, ids in groups if len(ids) > 1]


def _normal(body: Body) -> Triple:
    """The direction of a link's own y in W, along which its layers count."""
    return unit(rotate(body.placement.quaternion, (0.0, 1.0, 0.0))) or (0.0, 1.0, 0.0)


def _stack(m: Mechanism, normal: Triple, ids: list[str]) -> Stack:
    across = (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 else (0.0, 1.0, 0.0)
    lean = dot(across, normal)
    u = unit(tuple(a - lean * n for a, n in zip(across, normal)))  # type: ignore[arg-type]
    assert u is not None
    v: Triple = (
        normal[1] * u[2] - normal[2] * u[1],
        normal[2] * u[0] - normal[0] * u[2],
        normal[0] * u[1] - normal[1] * u[0],
    )

    def flat(p: Triple) -> Flat:
        return dot(p, u), dot(p, v)

    slats: dict[str, Slat] = {}
    for id in ids:
        body = m.bodies[id]
        (form, ends) = body.shapes[0].form, link_ends(body)
        assert isinstance(form, Bar)
        assert ends is not None
        sense = 1.0 if dot(_normal(body), normal) > 0 else -1.0
        y = body.shapes[0].placement.position[1].value
        a, b = flat(ends[0]), flat(ends[1])
        slats[id] = Slat((a, b), form.radius, form.thickness, sense * y, sense)
    pins: list[Pin] = []
    for joint in m.joints.values():
        a, b = joint.frame_a.body, joint.frame_b.body
        if a in slats and b in slats and a != b and JOINT_TYPES[joint.type].is_pin:
            place = flat(m.frame_in_world(joint.frame_b)[0])
            thin = min(slats[a].radius, slats[b].radius)
            pins.append(Pin(joint.id, (a, b), place, PIN * thin))
    return Stack(slats, tuple(pins))


def clashes(stack: Stack, offsets: Offsets, only: str = "") -> list[Clash]:
    """Clashes with the links at places along the normal [m].  only: a link; then
    those that it has a part in.
    """
    out: list[Clash] = []
    pairs = (
        ((only, id) for id in stack.slats if id != only)
        if only
        else itertools.combinations(stack.slats, 2)
    )
    for a, b in pairs:
        if _level(stack, offsets, a, b) and _cross(stack.slats[a], stack.slats[b]):
            out.append(Clash(a, b))
    for pin in stack.pins:
        a, b = pin.links
        low, high = sorted((offsets[a], offsets[b]))
        for id in stack.slats if only in ("", a, b) else (only,):
            if id in pin.links:
                continue
            slat = stack.slats[id]
            half = slat.thickness / 2 * (1.0 - TOUCH)
            between = low < offsets[id] + half and offsets[id] - half < high
            if between and _gap(slat.ends, (pin.at, pin.at)) < slat.radius + pin.radius:
                out.append(Clash(a, id, pin.joint))
    return out


def _level(stack: Stack, offsets: Offsets, a: str, b: str) -> bool:
    """True if two links share a part of their thickness."""
    half = (stack.slats[a].thickness + stack.slats[b].thickness) / 2
    return abs(offsets[a] - offsets[b]) < half * (1.0 - TOUCH)


def _cross(a: Slat, b: Slat) -> bool:
    """True if two links seen along the normal have a part in common."""
    return _gap(a.ends, b.ends) < (a.radius + b.radius) * (1.0 - TOUCH)


def _gap(a: tuple[Flat, Flat], b: tuple[Flat, Flat]) -> float:
    """Distance of two straight pieces [m]."""

    def side(p: Flat, q: Flat, r: Flat) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    if side(*a, b[0]) * side(*a, b[1]) < 0 and side(*b, a[0]) * side(*b, a[1]) < 0:
        return 0.0
    return min(_away(p, piece) for piece, points in ((a, b), (b, a)) for p in points)


def _away(p: Flat, piece: tuple[Flat, Flat]) -> float:
    (x, y), (c, d) = piece
    u, v = c - x, d - y
    long = u * u + v * v
    share = min(1.0, max(0.0, ((p[0] - x) * u + (p[1] - y) * v) / long)) if long > 0 else 0.0
    return math.hypot(p[0] - x - share * u, p[1] - y - share * v)


def all_clashes(m: Mechanism) -> list[Clash]:
    """Clashes of all links as drawn."""
    return [clash for stack in stacks(m) for clash in clashes(stack, stack.offsets)]


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


def stacked(project: Project) -> Project:
    """With links moved along the normals of their planes into layers; joints, forces and bodies
    keep their places in W.
    """
    m = project.mechanism
    for stack in stacks(m):
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
