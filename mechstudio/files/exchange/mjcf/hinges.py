"""Hinges, slides and balls of MJCF bodies as joints of ours: the type that a row of them is, or
bodies without mass between them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mechstudio.files.exchange.chains import inverse
from mechstudio.files.exchange.drawing import Drawing, amounts, frame, placement
from mechstudio.files.exchange.mjcf.source import Source, cross, unit
from mechstudio.files.exchange.xml_text import Node, fault, number, numbers
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Quaternion,
    Triple,
    about,
    compose,
    from_axes,
    multiply,
    rotate,
    transform,
)
from mechstudio.model.mechanism import Body, CoordinateOf, Joint, Limit
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

PARALLEL = 1e-9
X: Triple = (1.0, 0.0, 0.0)
Y: Triple = (0.0, 1.0, 0.0)
Z: Triple = (0.0, 0.0, 1.0)
ORIGIN: Triple = (0.0, 0.0, 0.0)


class Element(NamedTuple):
    """A joint element of a body.

    kind: "hinge", "slide", "ball" or "free".  axis, point: in the body's axes.  ref: value at
    which the body stands as written [rad or m]; value, rates: at the start.  node: with the
    attributes of its class.
    """

    kind: str
    name: str
    axis: Triple
    point: Triple
    ref: float
    node: Node
    value: float = 0.0
    turn: Quaternion = IDENTITY
    rates: tuple[float, ...] = ()

    @property
    def move(self) -> Pose:
        """Movement of the body by the joint, in the body's axes."""
        if self.kind == "slide":
            s = self.value - self.ref
            return ((s * self.axis[0], s * self.axis[1], s * self.axis[2]), IDENTITY)
        q = self.turn if self.kind == "ball" else about(self.axis, self.value - self.ref)
        x, y, z = rotate(q, self.point)
        return ((self.point[0] - x, self.point[1] - y, self.point[2] - z), q)

    def seen_in(self, outer: Pose) -> "Element":
        """The element of a frame of the body.  outer: pose of the frame."""
        return self._replace(axis=rotate(outer[1], self.axis), point=transform(outer, self.point))

    def at_rest(self, source: Source) -> "Element":
        """The element where its spring rests, whether it has one or not."""
        if self.kind not in ("hinge", "slide"):
            return self
        scale = source.angle if self.kind == "hinge" else 1.0
        return self._replace(value=scale * number(self.node, "springref", 0.0))


def element(source: Source, node: Node, childclass: str) -> Element:
    """A joint element as it stands in the file, at its reference value."""
    full = source.full(node, childclass)
    kind = "free" if node.tag == "freejoint" else full.get("type", "hinge")
    if kind not in ("hinge", "slide", "ball", "free"):
        raise fault(node, tr("there is no joint of type {kind}.", kind=kind))
    axis = unit(node, numbers(full, "axis", 3) or [0.0, 0.0, 1.0])
    x, y, z = numbers(full, "pos", 3) or (0.0, 0.0, 0.0)
    scale = source.angle if kind == "hinge" else 1.0
    ref = scale * number(full, "ref", 0.0) if kind in ("hinge", "slide") else 0.0
    return Element(kind, full.get("name"), axis, (x, y, z), ref, full, ref)


class Placed(NamedTuple):
    """Coordinate that a joint element became, and its dimension."""

    at: CoordinateOf
    dimension: str


def _alike(a: Triple, b: Triple) -> bool:
    return sum((x - y) ** 2 for x, y in zip(a, b)) < PARALLEL**2


def _across(a: Triple, b: Triple) -> bool:
    return abs(sum(x * y for x, y in zip(a, b))) < PARALLEL


def on_z(at: Triple, axis: Triple) -> Pose:
    """A frame whose z is an axis: the body's own axes where they fit."""
    for x, y, z in ((X, Y, Z), (Y, Z, X), (Z, X, Y)):
        if _alike(axis, z):
            return (at, from_axes(x, y, z))
    seed = X if abs(axis[0]) < 0.9 else Y
    d = sum(a * b for a, b in zip(seed, axis))
    x = (seed[0] - d * axis[0], seed[1] - d * axis[1], seed[2] - d * axis[2])
    n = sum(c * c for c in x) ** 0.5
    x = (x[0] / n, x[1] / n, x[2] / n)
    return (at, from_axes(x, cross(axis, x), axis))


def _known_type(
    row: Sequence[Element], screws: set[tuple[str, str]]
) -> tuple[str, Pose, list[int]] | None:
    """Type of joint that elements are, its frame on the body, and the element of each motion of the
    type.
    """
    kinds = tuple(e.kind for e in row)
    if kinds == ("hinge",):
        return "revolute", on_z(row[0].point, row[0].axis), [0]
    if kinds == ("slide",):
        return "prismatic", on_z(row[0].point, row[0].axis), [0]
    if kinds == ("ball",):
        return "spherical", (row[0].point, IDENTITY), [0]
    # a run with contacts keeps stops of pins and slides, not those of joints of several freedoms
    if any(numbers(e.node, "range") and e.node.get("limited") != "false" for e in row):
        return None
    if kinds in (("slide", "hinge"), ("hinge", "slide")) and _alike(row[0].axis, row[1].axis):
        turn = kinds.index("hinge")
        base = on_z(row[turn].point, row[turn].axis)
        if (row[1 - turn].name, row[turn].name) in screws:
            return "screw", base, [turn]
        return "cylindrical", base, [1 - turn, turn]
    if kinds == ("hinge", "hinge") and _across(row[0].axis, row[1].axis):
        a, b = row
        if not _alike(a.point, b.point):
            return None
        z = rotate(about(b.axis, b.ref), a.axis)
        return "universal", (a.point, from_axes(b.axis, cross(z, b.axis), z)), [0, 1]
    if kinds[:2] == ("slide", "slide") and _across(row[0].axis, row[1].axis):
        x, y = row[0].axis, row[1].axis
        z = cross(x, y)
        q = from_axes(x, y, z)
        if kinds == ("slide", "slide", "hinge") and _alike(row[2].axis, z):
            return "planar", (row[2].point, multiply(q, about(Z, row[2].ref))), [0, 1, 2]
        if kinds == ("slide", "slide", "ball"):
            return "point_on_plane", (row[2].point, q), [0, 1, 2]
        if kinds == ("slide", "slide", "slide", "ball") and _alike(row[2].axis, z):
            return "free", (row[3].point, q), [0, 1, 2, 3]
    if kinds == ("slide", "ball"):
        return "point_on_line", on_z(row[1].point, row[0].axis), [0, 1]
    return None


def _moves(type: str, row: Sequence[Element], order: list[int]) -> list[Pose]:
    """Movements of a type's motions at the reference values."""
    out: list[Pose] = []
    axes = (X, Y, Z)
    for (motion, axis), k in zip(JOINT_TYPES[type].motions, order):
        e, ref = axes[axis], row[k].ref
        if motion == "slide":
            out.append(((ref * e[0], ref * e[1], ref * e[2]), IDENTITY))
        elif motion == "ball":
            out.append((ORIGIN, IDENTITY))
        else:
            out.append((ORIGIN, about(e, ref)))
    return out


def add_joints(
    drawing: Drawing,
    source: Source,
    parent: str,
    body: str,
    rel: Pose,
    row: list[Element],
    placed: dict[str, Placed],
    screws: dict[tuple[str, str], float],
) -> None:
    """The joint of a body with its parent, or several with bodies without mass between them.

    rel: pose of the body in its parent's axes at the reference values.  placed: filled with where
    each named element went.  screws: lead [m/rad] by names of a slide and a hinge.
    """
    who = drawing.body(body).name
    known = _known_type(row, set(screws))
    if known is not None:
        type, base, order = known
        at = compose(rel, base)
        if type == "screw":
            # the slide's reference stands in the drawn pose; the thread holds from there on
            lead = next(v for k, v in screws.items() if k[1] == row[order[0]].name)
            ref = row[order[0]].ref
            at = compose(at, inverse(((0.0, 0.0, lead * ref), about(Z, ref))))
        else:
            for move in _moves(type, row, order)[::-1]:
                at = compose(at, inverse(move))
        if any(e.kind == "ball" for e in row):
            # a ball is read from where its frames coincide: at the start
            base, at = _ball_frames(row, base, at)
        name = next((e.name for e in row if e.name), f"{who} joint")
        id, name = drawing.id(name, "joint")
        joint = Joint(id, name, type, frame(parent, at), frame(body, base))
        if type == "screw":
            lead = next(v for k, v in screws.items() if k[1] == row[order[0]].name)
            joint = msgspec.structs.replace(
                joint, parameters={"pitch": Quantity(2.0 * 3.141592653589793 * lead)}
            )
        coordinates = [k for k in order if row[k].kind != "ball"]
        values = [row[k].value for k in coordinates]
        rates: list[float] = []
        for k in order:
            rates += (
                _ball_rates(row[k], base) if row[k].kind == "ball" else list(row[k].rates or (0.0,))
            )
        joint = msgspec.structs.replace(
            joint,
            values=amounts(*values) if len(values) == JOINT_TYPES[type].dof else (),
            rates=amounts(*rates) if any(rates) else (),
            limits=tuple(_limits(source, row, coordinates, drawing)),
        )
        drawing.joints[id] = joint
        for c, k in enumerate(coordinates):
            if row[k].name:
                dimension = "length" if row[k].kind == "slide" else "angle"
                placed[row[k].name] = Placed(CoordinateOf(id, c), dimension)
        return
    # one after the other
    before, pose = parent, rel
    world = drawing.body(parent).placement.pose
    for k, e in enumerate(row):
        last = k == len(row) - 1
        here = body
        if not last:
            here, name = drawing.id(f"{who} {k + 1}", "link")
            drawing.put_body(Body(here, name, mass=Quantity(0.0), touches=False, visible=True))
        moved = compose(pose, e.move)
        if not last:
            drawing.change(here, placement=placement(compose(world, moved)))
        add_joints(
            drawing, source, before, here, pose if k == 0 else (ORIGIN, IDENTITY), [e], placed, {}
        )
        before, pose = here, moved
    drawing.leave(tr("Bodies with several joints, which got bodies without mass between them"), who)


def _ball_frames(row: Sequence[Element], base: Pose, at: Pose) -> tuple[Pose, Pose]:
    """Frames of a joint with a ball whose angles are zero at the start."""
    turn = next(e.turn for e in row if e.kind == "ball")
    if turn == IDENTITY:
        return base, at
    # B turned back in the body, so that it stands along A's axes where the ball is turned
    return (base[0], multiply((turn[0], -turn[1], -turn[2], -turn[3]), base[1])), at


def _ball_rates(e: Element, base: Pose) -> list[float]:
    """Rates of psi, theta and phi at zero, of an angular velocity in the body's axes."""
    if not e.rates:
        return [0.0] * 3
    q = base[1]
    x, y, z = rotate((q[0], -q[1], -q[2], -q[3]), (e.rates[0], e.rates[1], e.rates[2]))
    return [z, y, x]


def _limits(
    source: Source, row: Sequence[Element], order: list[int], drawing: Drawing
) -> list[Limit]:
    out: list[Limit] = []
    for c, k in enumerate(order):
        e = row[k]
        ends = numbers(e.node, "range", 2)
        limited = e.node.get("limited", "auto")
        if limited == "true" and not ends:
            raise fault(e.node, tr("it is limited and has no range."))
        if ends and limited == "auto" and not source.autolimits:
            # MuJoCo refuses it too: older versions took it for a joint without stops
            raise fault(e.node, tr("it has a range, and neither limited nor autolimits says more."))
        if not ends or limited == "false":
            continue
        if ends[0] >= ends[1]:
            if limited == "true":
                raise fault(e.node, tr("its range ends before it begins."))
            continue
        scale = source.angle if e.kind == "hinge" else 1.0
        low, high = (Quantity(scale * x) if abs(scale * x) < 1e5 else None for x in ends)
        out.append(Limit(c, low, high))
    return out
