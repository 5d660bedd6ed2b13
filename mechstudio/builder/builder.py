"""The builder itself; the package's description stands in __init__.py."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from mechstudio.model import expression
from mechstudio.model.dimensioned import ExpressionError
from mechstudio.model.drawing import next_color
from mechstudio.model.force_types import BODY, FORCE_TYPES
from mechstudio.model.force_types import JOINT as ON_JOINT
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import GROUND, Body, Force, Frame, Joint, Mechanism, Placement
from mechstudio.model.project import Lesson, Parameter, Plot, Project, Settings
from mechstudio.model.quantity import Quantity, Vector, values, vector
from mechstudio.model.rotation import IDENTITY, Quaternion, Triple, conjugate, multiply, rotate, to_angles

from .geometry import Number, Point, along, frame_with, is_pair, known_type, negative, on_axis, readable, tidy, unit
from .handles import STEEL, BodyHandle, JointHandle

FRONT: Triple = (0.0, -1.0, 0.0)     # a pin of the front plane: positive turns are counter-clockwise on screen
_RATES = {"angle": "angular_velocity", "length": "velocity"}
_RESERVED = {GROUND, "settings", "gravity"}
_replace = msgspec.structs.replace


class Builder:
    """Collects bodies, joints and forces; `project()` returns the frozen Project.

    Every method raises ValueError with one sentence where a number, a name or a combination makes no sense.
    """

    def __init__(self, title: str = "", text: str = "", questions: Sequence[str] = (), gravity: Point = (0, 0, -9.81)) -> None:
        self.parameters: dict[str, Parameter] = {}
        self.settings = Settings()
        self.plots: tuple[Plot, ...] = ()
        self.lesson = Lesson(title, text, tuple(questions))
        self.mechanism = Mechanism(gravity=tuple(self.quantity(c, "acceleration", "gravity") for c in gravity))  # type: ignore[arg-type]

    @property
    def ground(self) -> BodyHandle:
        """The fixed body; its shapes are only drawn."""
        return BodyHandle(self, GROUND)

    def project(self) -> Project:
        """Everything collected so far, as one frozen value."""
        return Project(self.mechanism, dict(self.parameters), self.settings, self.plots, self.lesson)

    # numbers

    def quantity(self, number: Number, dimension: str, what: str) -> Quantity:
        """A number or typed text as a Quantity; `what` names it in the error."""
        if not isinstance(number, str):
            if not math.isfinite(number):
                raise ValueError(f"{what}: {number} is not a finite number.")
            return Quantity(float(number))
        try:
            return expression.quantity(number, dimension, {n: (p.value.value, p.dimension) for n, p in self.parameters.items()})
        except ExpressionError as error:
            raise ValueError(f"{what}: {number}: {error}") from None

    def point_quantities(self, point: Point, what: str) -> Vector:
        """Three lengths."""
        if len(point) != 3:
            raise ValueError(f"{what}: a point has three coordinates, not {len(point)}.")
        return tuple(self.quantity(c, "length", what) for c in point)  # type: ignore[return-value]

    def placement(self, at: Point, angles: Point, what: str) -> Placement:
        """A place: origin and angles (psi, theta, phi) with R = Rz(psi) Ry(theta) Rx(phi)."""
        return Placement(self.point_quantities(at, what), tuple(self.quantity(c, "angle", f"{what}, angle") for c in angles))  # type: ignore[arg-type]

    def parameter(self, name: str, value: Number, dimension: str = "length", *, minimum: Number | None = None, maximum: Number | None = None,
                  slider: bool = False, note: str = "") -> None:
        """Name a number that texts may use from here on."""
        try:
            expression.check_name(name)
        except ExpressionError as error:
            raise ValueError(str(error)) from None
        self._id(name, self.parameters)
        least, most = (None if v is None else self.quantity(v, dimension, f"parameter {name}") for v in (minimum, maximum))
        self.parameters[name] = Parameter(name, self.quantity(value, dimension, f"parameter {name}"), dimension, least, most, slider, note)

    def run(self, *, duration: Number | None = None, sample_step: Number | None = None, integrator: str | None = None, tolerance: Number | None = None,
            step: Number | None = None) -> None:
        """How to run the project where nothing else is asked for."""
        given = {"duration": (duration, "time"), "sample_step": (sample_step, "time"), "tolerance": (tolerance, "number"), "step": (step, "time")}
        changes = {k: self.quantity(v, dimension, k) for k, (v, dimension) in given.items() if v is not None}
        self.settings = _replace(self.settings, **changes, **({} if integrator is None else {"integrator": integrator}))

    def plot(self, title: str, *channels: str, log: bool = False) -> None:
        """A pane with channels such as "joint/A/0" (the ids of model/channels.py)."""
        self.plots = (*self.plots, Plot(f"plot_{len(self.plots) + 1}", title, channels, log))

    # bodies

    def body(self, name: str, at: Point = (0, 0, 0), angles: Point = (0, 0, 0), *, mass: Number | None = None, center_of_mass: Point | None = None,
             inertia: Sequence[Number] | None = None, color: int | None = None, note: str = "") -> BodyHandle:
        """A body whose frame stands at `at` with angles (psi, theta, phi).

        mass, center_of_mass in body axes, inertia (xx, yy, zz) or (xx, yy, zz, xy, xz, yz) about it in body axes with the
        matrix sign of the products: those left out follow from the shapes.   color: index of a series colour.
        """
        if inertia is not None and len(inertia) not in (3, 6):
            raise ValueError(f"{name}: an inertia has 3 or 6 entries, not {len(inertia)}.")
        entries = None if inertia is None else tuple(self.quantity(c, "inertia", f"{name}, inertia") for c in (*inertia, 0, 0, 0)[:6])
        id = self._id(name, self.mechanism.bodies, self.mechanism.bodies.values())
        body = Body(id, name, (), self.placement(at, angles, name), None if mass is None else self.quantity(mass, "mass", f"{name}, mass"),
                    None if center_of_mass is None else self.point_quantities(center_of_mass, f"{name}, centre of mass"), entries,  # type: ignore[arg-type]
                    color=next_color(self.mechanism) if color is None else color, note=note)
        return BodyHandle(self, id)._put(body)

    def link(self, name: str, start: Point, end: Point | None = None, *, length: Number | None = None, angle: Number | None = None,
             width: Number | None = None, thickness: Number | None = None, layer: Number = 0.0, density: Number = STEEL, material: str = "paint",
             color: int | None = None) -> BodyHandle:
        """A bar with round ends from `start` to `end`, or of a `length` at an `angle` in the front plane; its body x runs along it.

        A length beside an end keeps the direction and takes the length.   layer: how far the bar stands behind the
        plane of its pins, along body y, so that links can pass each other.
        """
        at = self.point_quantities(start, f"{name}, start")
        if end is not None and angle is None:
            d = [b - a for a, b in zip(values(at), values(self.point_quantities(end, f"{name}, end")))]
            drawn = math.hypot(*d)
            if drawn == 0.0:
                raise ValueError(f"{name}: start and end are the same point, so the link has no direction.")
            orientation: Point = to_angles(along((d[0] / drawn, d[1] / drawn, d[2] / drawn)))
            span = Quantity(drawn) if length is None else self.quantity(length, "length", f"{name}, length")
        elif end is None and angle is not None and length is not None:
            orientation = (0, negative(angle), 0)
            span = self.quantity(length, "length", f"{name}, length")
        else:
            raise ValueError(f"{name}: a link needs either its end, or its length and its angle in the front plane.")
        wide: Number = 0.12 * span.value if width is None else width
        thick: Number = 0.04 * span.value if thickness is None else thickness
        handle = self.body(name, start, orientation, color=color)
        return handle.bar(span.text or span.value, wide, thick, at=(0, layer, 0), density=density, material=material)

    # joints

    def joint(self, type: str, name: str, a: BodyHandle, b: BodyHandle, *, at: Point | tuple[Point, Point], axis: Point | None = None,
              x: Point | tuple[Point, Point] | None = None, rate: Number | Sequence[Number] = (), value: Number | Sequence[Number] = (), **lengths: Number) -> JointHandle:
        """A joint of any type of JOINT_TYPES between a and b; its coordinates are the motion of b relative to a.

        at: the point in W where it stands, or a pair (point on a, point on b).   axis: direction of the frames' z.   x: of
        their x, or a pair, one for each; without it each frame's x follows its own body where the joint lets it turn about z, so that an angle reads as
        that between the two bodies.   Without an axis the frames lie along the axes of their bodies.   rate, value: initial
        rates and typed coordinates, one per freedom.   lengths: what the type needs, such as length=.
        """
        kind = known_type(JOINT_TYPES, type, "joint")
        rows = []
        for given, dimensions in ((rate, _RATES), (value, {"angle": "angle", "length": "length"})):
            row = (given,) if isinstance(given, (int, float, str)) else tuple(given)
            if row and len(row) != kind.dof:
                raise ValueError(f"{name}: a {kind.label.lower()} joint has {kind.dof} coordinates, not {len(row)}.")
            rows.append(tuple(self.quantity(c, dimensions[k.dimension], name) for c, k in zip(row, kind.coordinates)))
        if set(lengths) != set(kind.parameters):
            raise ValueError(f"{name}: a {kind.label.lower()} joint takes {', '.join(kind.parameters) or 'no length'}, not {', '.join(lengths) or 'nothing'}.")
        points = at if is_pair(at) else (at, at)
        attitudes = self._attitudes(type, name, a, b, axis, x)
        frame_a, frame_b = (self._frame(body, point, q, name) for body, point, q in zip((a, b), points, attitudes))  # type: ignore[arg-type]
        id = self._id(name, self.mechanism.joints, self.mechanism.joints.values())
        joint = Joint(id, name, type, frame_a, frame_b, rows[1], rows[0], {k: self.quantity(v, "length", f"{name}, {k}") for k, v in lengths.items()})
        self.mechanism = _replace(self.mechanism, joints={**self.mechanism.joints, id: joint})
        return JointHandle(self, id)

    def pin(self, name: str, a: BodyHandle, b: BodyHandle, *, at: Point | tuple[Point, Point], axis: Point = FRONT,
            x: Point | tuple[Point, Point] | None = None, rate: Number | Sequence[Number] = (), value: Number | Sequence[Number] = ()) -> JointHandle:
        """A revolute joint; without an axis, a pin of the front plane."""
        return self.joint("revolute", name, a, b, at=at, axis=axis, x=x, rate=rate, value=value)

    def slider(self, name: str, a: BodyHandle, b: BodyHandle, *, at: Point | tuple[Point, Point], axis: Point, rate: Number | Sequence[Number] = ()) -> JointHandle:
        """A prismatic joint: b slides along the axis on a."""
        return self.joint("prismatic", name, a, b, at=at, axis=axis, rate=rate)

    def ball(self, name: str, a: BodyHandle, b: BodyHandle, *, at: Point | tuple[Point, Point], rate: Number | Sequence[Number] = ()) -> JointHandle:
        """A spherical joint; its coordinates are the angles (psi, theta, phi) of b's axes in a's."""
        return self.joint("spherical", name, a, b, at=at, rate=rate)

    def fix(self, name: str, a: BodyHandle, b: BodyHandle, *, at: Point | tuple[Point, Point]) -> JointHandle:
        """A fixed joint, in the attitude as drawn."""
        return self.joint("fixed", name, a, b, at=at, axis=(0, 0, 1))

    # forces

    def force(self, type: str, name: str, **given: Any) -> str:
        """A force of any type of FORCE_TYPES; returns its id.

        A spring or damper takes a, b and at=(point on a, point on b); one on a joint takes joint= and, for a joint of several
        freedoms, coordinate=; a force or torque takes body=, at=, vector= and axes= "world" (default) or "body".   The
        law's numbers go by their names: stiffness=, free_length=, free_angle=, damping=, torque=, force=.
        """
        kind = known_type(FORCE_TYPES, type, "force")

        def take(key: str, *otherwise: Any) -> Any:
            if key not in given and not otherwise:
                raise ValueError(f"{name}: a {kind.label.lower()} needs {key}=.")
            return given.pop(key, *otherwise)

        id = self._id(name, self.mechanism.forces, self.mechanism.forces.values())
        numbers = dict(zip("xyz", take("vector"), strict=True)) if kind.attachment == BODY else {p.name: take(p.name) for p in kind.parameters}
        parameters = {p.name: self.quantity(numbers[p.name], p.dimension, f"{name}, {p.label.lower()}") for p in kind.parameters}
        if kind.attachment == ON_JOINT:
            force = Force(id, name, type, parameters, joint=take("joint").id, coordinate=take("coordinate", 0))
        elif kind.attachment == BODY:
            body, at = take("body"), take("at", None)
            force = Force(id, name, type, parameters, frame_b=self._frame(body, body.world() if at is None else at, None, name), axes=take("axes", "world"))
        else:
            first, second = take("at")
            force = Force(id, name, type, parameters, self._frame(take("a"), first, None, name), self._frame(take("b"), second, None, name))
        if given:
            raise ValueError(f"{name}: a {kind.label.lower()} does not take {', '.join(given)}.")
        self.mechanism = _replace(self.mechanism, forces={**self.mechanism.forces, id: force})
        return id

    # parts

    def _id(self, name: str, section: Mapping[str, Any], named: Collection[Any] = ()) -> str:
        """A free id made of the name; a name can stand only once in its section."""
        if any(e.name == name for e in named) or (name in section and not named):
            raise ValueError(f"The name {name} is given twice.")
        m = self.mechanism
        taken = {*m.bodies, *m.joints, *m.forces, *self.parameters, *_RESERVED}
        stem = "".join(c if c.isalnum() else "_" for c in name) or "element"
        id, k = stem, 2
        while id in taken:
            id, k = f"{stem}_{k}", k + 1
        return id

    def _attitudes(self, type: str, name: str, a: BodyHandle, b: BodyHandle, axis: Point | None,
                   x: Point | tuple[Point, Point] | None) -> tuple[Quaternion, Quaternion]:
        """Attitudes of both frames in W."""
        bodies = [h.body.placement.quaternion for h in (a, b)]
        if axis is None:
            if type not in ("spherical", "distance"):
                raise ValueError(f"{name}: a {JOINT_TYPES[type].label.lower()} joint needs an axis.")
            return bodies[0], bodies[1]
        z = unit(values(self.point_quantities(axis, name)), name)  # type: ignore[arg-type]
        if type == "point_on_line":
            return on_axis(z, bodies[0]), bodies[1]
        if x is not None:
            first, last = (frame_with(z, unit(values(self.point_quantities(d, name)), name)) for d in (x if is_pair(x) else (x, x)))  # type: ignore[arg-type]
            return first, last
        turns = type in ("revolute", "cylindrical", "planar")
        second = on_axis(z, bodies[1])
        return (on_axis(z, bodies[0]) if turns else second), second

    def _frame(self, handle: BodyHandle, at: Point, attitude: Quaternion | None, what: str) -> Frame:
        """The frame of a body at a point in W with an attitude in W (None: that of the body), on a named point if one is there."""
        body, point = handle.body, self.point_quantities(at, what)
        position, quaternion = body.placement.pose
        back = conjugate(quaternion)
        turn = IDENTITY if attitude is None else multiply(back, attitude)
        orientation: Vector = tuple(map(readable, to_angles(turn)))  # type: ignore[assignment]
        if body.id == GROUND:
            return Frame(GROUND, "", Placement(point, orientation))
        local = rotate(back, tuple(p - o for p, o in zip(values(point), position)))  # type: ignore[arg-type]
        near = 1e-9 * max(self.mechanism.size(), 1e-6)
        names = [p.name for p in body.points] + [n for s in body.shapes for n in s.points()]
        # the ends of a link lie in its layer, its pins in the plane y = 0 of the body
        for plane in (False, True):
            for candidate in names if math.dist(local, (0, 0, 0)) > near else ():
                offset = tuple(c - k for c, k in zip(local, body.point(candidate)))
                if math.hypot(offset[0], 0.0 if plane else offset[1], offset[2]) < near:
                    return Frame(body.id, candidate, Placement(vector(*tidy(offset)), orientation))
        return Frame(body.id, "", Placement(vector(*tidy(local)), orientation))
