"""Mechanism as drawn: bodies, joints, couplings, drives and forces, all frozen.  Collections are
dicts by id in drawing order and are never changed in place.

Every element carries `extra`: keys that a newer program wrote and this one does not know, kept and
written back.
"""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from mechstudio.model.contact import Contacts, Surface
from mechstudio.model.geometry.forms import Form
from mechstudio.model.geometry.rotation import (
    Pose,
    Quaternion,
    Triple,
    compose,
    from_angles,
    transform,
)
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.quantity import ORIGIN, ZERO, Quantity, Vector, values, vector
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.translation import comma, tr

GROUND = "ground"


class Placement(msgspec.Struct, frozen=True):
    """Position and orientation in outer axes.

    position: origin [m].  orientation: angles psi, theta, phi [rad] with R = Rz(psi) Ry(theta)
    Rx(phi).
    """

    position: Vector = ORIGIN
    orientation: Vector = ORIGIN

    @property
    def quaternion(self) -> Quaternion:
        """Attitude, inner to outer axes."""
        psi, theta, phi = self.orientation
        return from_angles(psi.value, theta.value, phi.value)

    @property
    def pose(self) -> Pose:
        """(position, quaternion)."""
        x, y, z = self.position
        return ((x.value, y.value, z.value), self.quaternion)


class Shape(msgspec.Struct, frozen=True):
    """One solid of a body.

    type: key of SHAPE_TYPES.  dimensions: its lengths by name [m].  outline: corner points (x, z)
    of a plate.
    mesh: surface of a type that has one (model/geometry/mesh.py has the requirements).
    placement: in body axes.  density [kg/m^3]; zero for a shape that is only drawn.  material:
    "paint" (the body's own colour), "steel" or "cast".
    """

    type: str
    dimensions: Mapping[str, Quantity]
    outline: tuple[tuple[Quantity, Quantity], ...] = ()
    placement: Placement = Placement()
    density: Quantity = Quantity(7850.0)
    material: str = "paint"
    extra: Mapping[str, Any] = {}
    mesh: Mesh | None = None

    @property
    def form(self) -> Form:
        """Form that its lengths, its outline or its mesh enclose, in its own axes."""
        lengths = {name: q.value for name, q in self.dimensions.items()}
        outline = tuple((x.value, z.value) for x, z in self.outline)
        return SHAPE_TYPES[self.type].form(lengths, outline, self.mesh)

    def points(self) -> dict[str, Triple]:
        """The points that the shape names, in body axes [m]."""
        pose = self.placement.pose
        return {name: transform(pose, local) for name, local in self.local_points().items()}

    def local_points(self) -> dict[str, Triple]:
        """The points that the shape names, in its own axes [m]."""
        size = {name: q.value for name, q in self.dimensions.items()}
        out: dict[str, Triple] = {
            name: tuple(f * size[d] if d else 0.0 for d, f in factors)
            for name, factors in SHAPE_TYPES[self.type].points
        }  # type: ignore[misc]
        return out | self.form.points()

    def local_point(self, name: str) -> Triple | None:
        """One of them that is a multiple of dimensions; None for any other name."""
        for known, factors in SHAPE_TYPES[self.type].points:
            if known == name:
                x, y, z = (f * self.dimensions[d].value if d else 0.0 for d, f in factors)
                return x, y, z
        return None


class NamedPoint(msgspec.Struct, frozen=True):
    """A point of a body that frames, springs and trails can refer to; position in body axes [m].

    orientation: of a named frame, angles psi, theta, phi [rad] as of a Placement in body axes; None
    for a mere point.  It gives joints that are put there their axes; frames that refer to the point
    keep their own.
    """

    name: str
    position: Vector
    extra: Mapping[str, Any] = {}
    orientation: Vector | None = None


class InitialVelocity(msgspec.Struct, frozen=True):
    """Velocity of the body-frame origin in W [m/s] and angular velocity in body axes [rad/s] at t =
    0.
    """

    linear: Vector = ORIGIN
    angular: Vector = ORIGIN


class Body(msgspec.Struct, frozen=True):
    """A rigid body.

    placement: body frame in W as drawn.  surface: how it rubs and rebounds (model/contact.py);
    touches: whether it touches anything where contacts are on.  mass, center_of_mass, inertia:
    typed, or None for "from the shapes"; a typed mass with inertia None scales the shapes' inertia.
    inertia: matrix entries xx, yy, zz, xy, xz, yz about the centre of mass in body axes [kg m^2]
    (the products with their matrix sign).  color: index into the series colours, -1 cast iron.
    """

    id: str
    name: str
    shapes: tuple[Shape, ...] = ()
    placement: Placement = Placement()
    mass: Quantity | None = None
    center_of_mass: Vector | None = None
    inertia: tuple[Quantity, Quantity, Quantity, Quantity, Quantity, Quantity] | None = None
    initial_velocity: InitialVelocity | None = None
    points: tuple[NamedPoint, ...] = ()
    color: int = 0
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}
    surface: Surface = Surface()
    touches: bool = True

    def named_points(self) -> dict[str, Triple]:
        """All named points in body axes [m]: the body's own, and those of its shapes.

        "top" is that of the first shape that has one; those of the second shape are "top 2" in any
        case, and so on.
        """
        known: dict[str, Triple] = {}
        for k, shape in reversed(tuple(enumerate(self.shapes, 1))):
            points = shape.points()
            known |= {f"{name} {k}": p for name, p in points.items()} if k > 1 else {}
            known |= points
        return known | {p.name: values(p.position) for p in self.points}

    def point(self, name: str) -> Triple:
        """A named point in body axes [m]; "" is the origin.  Raises KeyError with the known
        names.
        """
        if not name:
            return (0.0, 0.0, 0.0)
        # the usual cases first: all points of a body are many
        own = next((p for p in reversed(self.points) if p.name == name), None)
        if own is not None:
            return values(own.position)  # type: ignore[return-value]
        if len(self.shapes) == 1 and (local := self.shapes[0].local_point(name)) is not None:
            return transform(self.shapes[0].placement.pose, local)
        known = self.named_points()
        if name not in known:
            raise KeyError(
                tr(
                    "Body {name} has no point named {name_2}; it has {known}.",
                    name=self.name,
                    name_2=name,
                    known=comma().join(known) or tr("none"),
                )
            )
        return known[name]


class Frame(msgspec.Struct, frozen=True):
    """A frame fixed to a body: at a named point of it, moved by position and turned by orientation
    in body axes.
    """

    body: str
    point: str = ""
    placement: Placement = Placement()
    extra: Mapping[str, Any] = {}


class Law(msgspec.Struct, frozen=True):
    """Law of a number over the time, or over another variable.

    type: key of LAW_TYPES.  parameters: its numbers by name.  points: (variable, value) of a table,
    variable ascending.
    text: of an expression, as typed.  between: of a table, key of TABLE_KINDS; "" in files that do
    not say, which is a spline.
    """

    type: str
    parameters: Mapping[str, Quantity] = {}
    points: tuple[tuple[Quantity, Quantity], ...] = ()
    text: str = ""
    between: str = ""
    extra: Mapping[str, Any] = {}


class Curve(msgspec.Struct, frozen=True):
    """A curve in a joint's frame A.  points: at least two, in A's axes [m].  form: key of
    CURVE_FORMS.  closed: the last point is joined to the first.  radius: of a polyline's fillets,
    None for corners that are rounded a little.  offset: distance of the joint's point from the
    curve to its outside, negative to its inside, as of a roller's centre; None for a point on it.
    """

    points: tuple[Vector, ...]
    form: str = "spline"
    closed: bool = False
    radius: Quantity | None = None
    offset: Quantity | None = None


class Limit(msgspec.Struct, frozen=True):
    """Stops of one joint coordinate.

    lower, upper: where they stand [m or rad], None for none.  restitution: rebound speed over
    impact speed, of a hard stop.
    stiffness: of a soft stop [N/m or N m/rad], None for a hard one.   damping: of a soft stop.
    """

    coordinate: int = 0
    lower: Quantity | None = None
    upper: Quantity | None = None
    restitution: Quantity = ZERO
    stiffness: Quantity | None = None
    damping: Quantity = ZERO
    extra: Mapping[str, Any] = {}


class Joint(msgspec.Struct, frozen=True):
    """A joint between frame_a and frame_b; its coordinates move b relative to a.

    type: key of JOINT_TYPES.  values: typed coordinates, one per freedom or empty; they choose the
    turn that an angle starts on.  rates: initial rates [m/s or rad/s], one per freedom or empty.
    parameters: lengths that the type needs.
    limits: stops, at most one entry per coordinate.  curve: of a point on a curve.  kept: why it
    may prevent motions that others prevent already; empty without a reason given.
    """

    id: str
    name: str
    type: str
    frame_a: Frame
    frame_b: Frame
    values: tuple[Quantity, ...] = ()
    rates: tuple[Quantity, ...] = ()
    parameters: Mapping[str, Quantity] = {}
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}
    limits: tuple[Limit, ...] = ()
    curve: Curve | None = None
    kept: str = ""


class CoordinateOf(msgspec.Struct, frozen=True):
    """One coordinate of a joint: id, and its place in the joint type's coordinates."""

    joint: str
    coordinate: int = 0


class Coupling(msgspec.Struct, frozen=True):
    """A gear, rack, belt, differential or cam between joint coordinates (model/types/couplings.py).

    type: key of COUPLING_TYPES.  ends: in the type's order.  parameters: its numbers by name.  law:
    of a cam's follower over the cam's angle.  What it relates to each other holds from the drawn
    pose on, whatever the coordinates are there.  kept: as of a joint.
    """

    id: str
    name: str
    type: str
    ends: tuple[CoordinateOf, ...]
    parameters: Mapping[str, Quantity] = {}
    law: Law | None = None
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}
    kept: str = ""


POSITION, VELOCITY, ACCELERATION = "position", "velocity", "acceleration"


class Drive(msgspec.Struct, frozen=True):
    """A joint coordinate prescribed as a function of time (rheonomic).

    quantity: what the law prescribes: POSITION, VELOCITY or ACCELERATION.  A position starts from
    the drawn pose: q(t) = q_drawn + f(t) - f(start).  enabled: else it is drawn and saved and does
    nothing.
    """

    id: str
    name: str
    joint: str
    coordinate: int = 0
    quantity: str = VELOCITY
    law: Law = Law("constant")
    enabled: bool = True
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}


class Force(msgspec.Struct, frozen=True):
    """A spring, damper, motor, force or torque.

    type: key of FORCE_TYPES, which says which of frame_a, frame_b, joint and coordinate it uses.
    axes: "world" or "body", for a force or torque vector.   parameters: the law's numbers by name.
    laws: parameter name -> what it follows instead of being constant, of t, of the force's own x
    and v, and of all joint coordinates (model/laws/evaluation.py); `parameters` holds that number
    too, for when the law is removed.
    """

    id: str
    name: str
    type: str
    parameters: Mapping[str, Quantity]
    frame_a: Frame | None = None
    frame_b: Frame | None = None
    joint: str = ""
    coordinate: int = 0
    axes: str = "world"
    visible: bool = True
    note: str = ""
    extra: Mapping[str, Any] = {}
    laws: Mapping[str, Law] = {}


def _reach(body: Body) -> tuple[Triple, Triple, float]:
    """Lowest and highest coordinates of the shapes of a body [m, W], its origin too unless it is
    the ground, and its longest dimension [m].
    """
    known = _reaches.get(id(body))
    if known is not None and known[0] is body:
        return known[1]
    pose = body.placement.pose
    points = [
        transform(pose, p)
        for shape in body.shapes
        for p in (*shape.points().values(), shape.placement.pose[0])
    ]
    points += [pose[0]] if body.id != GROUND else []
    low, high = (tuple(bound(p[k] for p in points) for k in range(3)) for bound in (min, max))
    found = (
        low,
        high,
        max((q.value for s in body.shapes for q in s.dimensions.values()), default=0.0),
    )
    if len(_reaches) > KEPT:
        _reaches.clear()
    _reaches[id(body)] = (body, found)  # type: ignore[assignment]
    return found  # type: ignore[return-value]


_reaches: dict[int, tuple[Body, tuple[Triple, Triple, float]]] = {}
# a redraw needs both thousands of times; frames and bodies are frozen, and most of them are those
# of the drawing before
_frames: dict[int, tuple[Frame, Body, Pose]] = {}
KEPT = 4096


class Mechanism(msgspec.Struct, frozen=True):
    """Everything that was drawn.  ground: the fixed body, whose shapes are only drawn; gravity in W
    [m/s^2].  start: the time at which all is as drawn, and a run begins [s].
    """

    bodies: Mapping[str, Body] = {}
    joints: Mapping[str, Joint] = {}
    forces: Mapping[str, Force] = {}
    ground: Body = Body(GROUND, "ground", color=-1)
    gravity: Vector = vector(0.0, 0.0, -9.81)
    couplings: Mapping[str, Coupling] = {}
    drives: Mapping[str, Drive] = {}
    contacts: Contacts = Contacts()
    start: Quantity = ZERO

    def body(self, id: str) -> Body:
        """A body by id, ground included."""
        return self.ground if id == GROUND else self.bodies[id]

    def frame_in_body(self, frame: Frame) -> Pose:
        """A frame's (origin, quaternion) in the axes of its body."""
        body, known = self.body(frame.body), _frames.get(id(frame))
        if known is not None and known[0] is frame and known[1] is body:
            return known[2]
        x, y, z = body.point(frame.point)
        p, q = frame.placement.pose
        if len(_frames) > KEPT:
            _frames.clear()
        found = ((x + p[0], y + p[1], z + p[2]), q)
        _frames[id(frame)] = (frame, body, found)
        return found

    def frame_in_world(self, frame: Frame) -> Pose:
        """A frame's (origin, quaternion) in W, at the drawn pose of its body."""
        return compose(self.body(frame.body).placement.pose, self.frame_in_body(frame))

    def size(self) -> float:
        """The mechanism's size [m]: the largest extent of its drawn joints, bodies and shapes; 1 if
        there is nothing, or more than numbers can say.
        """
        known = _sizes.get(id(self))
        if known is not None and known[0] is self:
            return known[1]
        extent = self._extent()
        size = extent if 0.0 < extent < math.inf else 1.0
        if len(_sizes) > 16:
            _sizes.clear()
        _sizes[id(self)] = (self, size)
        return size

    @property
    def has_extent(self) -> bool:
        """True if anything is drawn that is not one point; else its size is a guess."""
        return self._extent() > 0.0

    def _extent(self) -> float:
        corners, longest = list[Triple](), 0.0
        for body in (*self.bodies.values(), *((self.ground,) if self.ground.shapes else ())):
            low, high, length = _reach(body)
            corners += [low, high]
            longest = longest if body is self.ground else max(longest, length)
        for joint in self.joints.values():
            corners += [self.frame_in_world(f)[0] for f in (joint.frame_a, joint.frame_b)]
        if not corners:
            return 0.0
        extent = max(max(axis) - min(axis) for axis in zip(*corners))
        return max(extent, longest)


# requested by every field, tool and picture of a drawing
_sizes: dict[int, tuple[Mechanism, float]] = {}
