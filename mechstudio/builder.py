"""Mechanisms written in Python: a readable way to a frozen Project.

    import mechstudio as ms

    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length="130 mm", angle="120 deg")
    coupler = m.link("coupler", crank.end, length="330 mm", angle="25 deg")
    rocker = m.link("rocker", ("340 mm", 0, 0), length="260 mm", angle="70 deg")
    m.pin("A", m.ground, crank, at=crank.start, rate="10 rad/s")
    m.pin("B", crank, coupler, at=crank.end)
    m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
    m.pin("D", m.ground, rocker, at=rocker.start)
    result = ms.simulate(m.project(), duration=5)

Numbers are SI, or texts with units and parameters such as "300 mm" and "2*L1", which are kept as typed.  Points and
directions are in W (z up; the front plane is xz) unless a description says "in body axes".  A joint whose two points do
not meet as drawn, like C here, is closed by the least movement when the mechanism is assembled.
"""

import math
from collections.abc import Sequence

import msgspec

from .model import expression
from .model.drawing import next_color
from .model.force_types import BODY, FORCE_TYPES
from .model.force_types import JOINT as ON_JOINT
from .model.joint_types import JOINT_TYPES
from .model.mechanism import GROUND, Body, Force, Frame, InitialVelocity, Joint, Mechanism, NamedPoint, Placement, Shape
from .model.project import Lesson, Parameter, Plot, Project, Settings
from .model.quantity import Quantity, Vector, values, vector
from .model.rotation import IDENTITY, Quaternion, Triple, conjugate, from_axes, multiply, rotate, to_angles, transform
from .model.shape_types import SHAPE_TYPES

Number = float | str
Point = Sequence[Number]

FRONT: Triple = (0.0, -1.0, 0.0)     # a pin of the front plane: positive turns are counter-clockwise on screen
STEEL = 7850.0                       # [kg/m^3]
_RATES = {"angle": "angular_velocity", "length": "velocity"}
_RESERVED = {GROUND, "settings", "gravity"}
_replace = msgspec.structs.replace


class BodyHandle:
    """A body of a Builder; its methods add to it and return it, so that calls can be chained."""

    def __init__(self, builder: "Builder", id: str) -> None:
        self._builder = builder
        self.id = id

    @property
    def body(self) -> Body:
        """The body as it stands now."""
        return self._builder.mechanism.body(self.id)

    def world(self, point: str | Point = "") -> Triple:
        """Where a named point, or a point in body axes, stands in W as drawn [m]."""
        body = self.body
        local = body.point(point) if isinstance(point, str) else values(self._builder.point_quantities(point, body.name))
        return transform(body.placement.pose, local)  # type: ignore[arg-type]

    @property
    def start(self) -> Triple:
        """The first end of a link in W, in the plane of its pins [m]."""
        return self.world()

    @property
    def end(self) -> Triple:
        """The second end of a link in W, in the plane of its pins [m]."""
        x, _, z = self.body.point("end")
        return transform(self.body.placement.pose, (x, 0.0, z))

    def add(self, type: str, dimensions: dict[str, Number], *, outline: Sequence[tuple[Number, Number]] = (), at: Point = (0, 0, 0),
            angles: Point = (0, 0, 0), density: Number = STEEL, material: str = "paint") -> "BodyHandle":
        """Add a shape of any type of SHAPE_TYPES at a point and with angles (psi, theta, phi) in body axes."""
        b, name = self._builder, self.body.name
        known = SHAPE_TYPES[type]
        shape = Shape(type, {d.name: b.quantity(dimensions[d.name], "length", f"{name}, {d.label.lower()}") for d in known.dimensions},
                      tuple((b.quantity(x, "length", name), b.quantity(z, "length", name)) for x, z in outline),
                      b.placement(at, angles, name), b.quantity(density, "density", f"{name}, density"), material)
        return self._put(_replace(self.body, shapes=(*self.body.shapes, shape)))

    def bar(self, length: Number, width: Number, thickness: Number, *, at: Point = (0, 0, 0), angles: Point = (0, 0, 0), density: Number = STEEL,
            material: str = "paint") -> "BodyHandle":
        """A link shape: along x from `at`, flat in xz, with round ends."""
        return self.add("link", {"length": length, "width": width, "thickness": thickness}, at=at, angles=angles, density=density, material=material)

    def plate(self, outline: Sequence[tuple[Number, Number]], radius: Number, thickness: Number, *, at: Point = (0, 0, 0), angles: Point = (0, 0, 0),
              density: Number = STEEL, material: str = "paint") -> "BodyHandle":
        """The convex hull of discs about corners (x, z), with a thickness along y."""
        return self.add("plate", {"radius": radius, "thickness": thickness}, outline=outline, at=at, angles=angles, density=density, material=material)

    def box(self, length: Number, depth: Number, height: Number, *, at: Point = (0, 0, 0), angles: Point = (0, 0, 0), density: Number = STEEL,
            material: str = "paint") -> "BodyHandle":
        """A box centred on `at`, its sides along x, y and z."""
        return self.add("box", {"length": length, "depth": depth, "height": height}, at=at, angles=angles, density=density, material=material)

    def cylinder(self, radius: Number, height: Number, *, at: Point = (0, 0, 0), angles: Point = (0, 0, 0), density: Number = STEEL,
                 material: str = "paint") -> "BodyHandle":
        """A cylinder along z centred on `at`."""
        return self.add("cylinder", {"radius": radius, "height": height}, at=at, angles=angles, density=density, material=material)

    def pin(self, radius: Number, length: Number, *, at: Point = (0, 0, 0), density: Number = STEEL, material: str = "steel") -> "BodyHandle":
        """A cylinder along y centred on `at`, as the pins of the front plane are."""
        return self.cylinder(radius, length, at=at, angles=(0, 0, "90 deg"), density=density, material=material)

    def disc(self, radius: Number, thickness: Number, *, at: Point = (0, 0, 0), angles: Point = (0, 0, 0), density: Number = STEEL,
             material: str = "paint") -> "BodyHandle":
        """A disc about z centred on `at`."""
        return self.add("disc", {"radius": radius, "thickness": thickness}, at=at, angles=angles, density=density, material=material)

    def sphere(self, radius: Number, *, at: Point = (0, 0, 0), density: Number = STEEL, material: str = "paint") -> "BodyHandle":
        """A sphere about `at`."""
        return self.add("sphere", {"radius": radius}, at=at, density=density, material=material)

    def point(self, name: str, at: Point) -> "BodyHandle":
        """Name a point given in body axes; joints and springs that are put there follow it."""
        return self._put(_replace(self.body, points=(*self.body.points, NamedPoint(name, self._builder.point_quantities(at, f"point {name}")))))

    def velocity(self, linear: Point = (0, 0, 0), angular: Point = (0, 0, 0)) -> "BodyHandle":
        """Initial velocity of the body-frame origin in W [m/s] and angular velocity in body axes [rad/s]."""
        b, name = self._builder, self.body.name
        row = tuple(tuple(b.quantity(c, d, f"{name}, initial velocity") for c in v) for v, d in ((linear, "velocity"), (angular, "angular_velocity")))
        return self._put(_replace(self.body, initial_velocity=InitialVelocity(*row)))  # type: ignore[arg-type]

    def _put(self, body: Body) -> "BodyHandle":
        m = self._builder.mechanism
        self._builder.mechanism = _replace(m, ground=body) if self.id == GROUND else _replace(m, bodies={**m.bodies, self.id: body})
        return self


class JointHandle:
    """A joint of a Builder, to hang springs and motors on."""

    def __init__(self, builder: "Builder", id: str) -> None:
        self._builder = builder
        self.id = id

    @property
    def joint(self) -> Joint:
        """The joint as it stands now."""
        return self._builder.mechanism.joints[self.id]


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
        except expression.ExpressionError as error:
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
        except expression.ExpressionError as error:
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
            orientation: Point = to_angles(_along((d[0] / drawn, d[1] / drawn, d[2] / drawn)))
            span = Quantity(drawn) if length is None else self.quantity(length, "length", f"{name}, length")
        elif end is None and angle is not None and length is not None:
            orientation = (0, _negative(angle), 0)
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
        kind = JOINT_TYPES[type]
        rows = []
        for given, dimensions in ((rate, _RATES), (value, {"angle": "angle", "length": "length"})):
            row = (given,) if isinstance(given, (int, float, str)) else tuple(given)
            if row and len(row) != kind.dof:
                raise ValueError(f"{name}: a {kind.label.lower()} joint has {kind.dof} coordinates, not {len(row)}.")
            rows.append(tuple(self.quantity(c, dimensions[k.dimension], name) for c, k in zip(row, kind.coordinates)))
        if set(lengths) != set(kind.parameters):
            raise ValueError(f"{name}: a {kind.label.lower()} joint takes {', '.join(kind.parameters) or 'no length'}, not {', '.join(lengths) or 'nothing'}.")
        points = at if _is_pair(at) else (at, at)
        attitudes = self._attitudes(type, name, a, b, axis, x)
        frames = [self._frame(body, point, q, name) for body, point, q in zip((a, b), points, attitudes)]  # type: ignore[arg-type]
        id = self._id(name, self.mechanism.joints, self.mechanism.joints.values())
        joint = Joint(id, name, type, *frames, rows[1], rows[0], {k: self.quantity(v, "length", f"{name}, {k}") for k, v in lengths.items()})
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

    def force(self, type: str, name: str, **given: object) -> str:
        """A force of any type of FORCE_TYPES; returns its id.

        A spring or damper takes a, b and at=(point on a, point on b); one on a joint takes joint= and, for a joint of several
        freedoms, coordinate=; a force or torque takes body=, at=, vector= and axes= "world" (default) or "body".   The
        law's numbers go by their names: stiffness=, free_length=, free_angle=, damping=, torque=, force=.
        """
        kind = FORCE_TYPES[type]
        if kind.attachment == BODY:
            given.update(zip("xyz", given.pop("vector")))  # type: ignore[call-overload]
        parameters = {p.name: self.quantity(given.pop(p.name), p.dimension, f"{name}, {p.label.lower()}") for p in kind.parameters}  # type: ignore[arg-type]
        id = self._id(name, self.mechanism.forces, self.mechanism.forces.values())
        if kind.attachment == ON_JOINT:
            force = Force(id, name, type, parameters, joint=given.pop("joint").id, coordinate=given.pop("coordinate", 0))  # type: ignore[attr-defined, arg-type]
        elif kind.attachment == BODY:
            body = given.pop("body")
            at = given.pop("at", None) or body.world()  # type: ignore[attr-defined]
            force = Force(id, name, type, parameters, frame_b=self._frame(body, at, None, name), axes=given.pop("axes", "world"))  # type: ignore[arg-type]
        else:
            frames = [self._frame(body, point, None, name) for body, point in zip((given.pop("a"), given.pop("b")), given.pop("at"))]  # type: ignore[arg-type, call-overload]
            force = Force(id, name, type, parameters, *frames)
        if given:
            raise ValueError(f"{name}: a {kind.label.lower()} does not take {', '.join(given)}.")
        self.mechanism = _replace(self.mechanism, forces={**self.mechanism.forces, id: force})
        return id

    # parts

    def _id(self, name: str, section: dict, named: Sequence = ()) -> str:  # type: ignore[type-arg]
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
        z = _unit(values(self.point_quantities(axis, name)), name)  # type: ignore[arg-type]
        if type == "point_on_line":
            return _on_axis(z, bodies[0]), bodies[1]
        if x is not None:
            first, last = (_frame_with(z, _unit(values(self.point_quantities(d, name)), name)) for d in (x if _is_pair(x) else (x, x)))  # type: ignore[arg-type]
            return first, last
        turns = type in ("revolute", "cylindrical", "planar")
        second = _on_axis(z, bodies[1])
        return (_on_axis(z, bodies[0]) if turns else second), second

    def _frame(self, handle: BodyHandle, at: Point, attitude: Quaternion | None, what: str) -> Frame:
        """The frame of a body at a point in W with an attitude in W (None: that of the body), on a named point if one is there."""
        body, point = handle.body, self.point_quantities(at, what)
        position, quaternion = body.placement.pose
        back = conjugate(quaternion)
        turn = IDENTITY if attitude is None else multiply(back, attitude)
        orientation: Vector = tuple(map(_readable, to_angles(turn)))  # type: ignore[assignment]
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
                    return Frame(body.id, candidate, Placement(vector(*_tidy(offset)), orientation))
        return Frame(body.id, "", Placement(vector(*_tidy(local)), orientation))


def _tidy(row: Sequence[float]) -> tuple[float, ...]:
    """Rounding errors of zero as zero."""
    return tuple(0.0 if abs(c) < 1e-12 else c for c in row)


def _readable(angle: float) -> Quantity:
    """A computed angle; a multiple of 15 degrees gets its text."""
    degrees = math.degrees(angle)
    whole = 15 * round(degrees / 15)
    if abs(degrees - whole) > 1e-10:
        return Quantity(angle)
    return expression.quantity(f"{whole} deg", "angle", {}) if whole else Quantity(0.0)


def _negative(number: Number) -> Number:
    """The opposite of a number or text."""
    if not isinstance(number, str):
        return -number
    text = number.strip()
    if text[:1] == "-" and text[1:2].isdigit():
        return text[1:]
    return f"-{text}" if text[:1].isdigit() and not set(text) & set("+-") else f"-({text})"


def _is_pair(at: Sequence) -> bool:  # type: ignore[type-arg]
    """Whether `at` is two points instead of one."""
    return len(at) == 2 and not isinstance(at[0], (int, float, str))


def _unit(v: Triple, what: str) -> Triple:
    n = math.hypot(*v)
    if n == 0.0:
        raise ValueError(f"{what}: a direction of length zero points nowhere.")
    return (v[0] / n, v[1] / n, v[2] / n)


def _cross(a: Triple, b: Triple) -> Triple:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _frame_with(z: Triple, x: Triple) -> Quaternion:
    """The attitude with this z, and x as near the given one as can be."""
    d = sum(p * q for p, q in zip(x, z))
    x = _unit((x[0] - d * z[0], x[1] - d * z[1], x[2] - d * z[2]), "x direction")
    return from_axes(x, _cross(z, x), z)


def _on_axis(z: Triple, body: Quaternion) -> Quaternion:
    """The attitude with this z whose x follows the body's own x, or its y where x lies along the axis."""
    axes = [rotate(body, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))]
    return _frame_with(z, axes[0] if abs(sum(p * q for p, q in zip(axes[0], z))) < 0.9 else axes[1])


def _along(x: Triple) -> Quaternion:
    """A link's attitude: x along it, y horizontal and away from the viewer of the front plane."""
    away = (0.0, 1.0, 0.0) if abs(x[1]) < 0.999 else (1.0, 0.0, 0.0)
    y = _unit(_cross(_unit(_cross(x, away), "link"), x), "link")
    return from_axes(x, y, _cross(x, y))
