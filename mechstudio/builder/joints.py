"""Joints of a Builder: where they stand, their stops, and the curve or the lengths that a type
needs.
"""

from collections.abc import Sequence
from typing import NamedTuple

from mechstudio.builder.collector import Collector
from mechstudio.builder.geometry import (
    Number,
    Point,
    crossing,
    frame_with,
    is_pair,
    known_type,
    on_axis,
    tilted,
    unit,
)
from mechstudio.builder.handles import BodyHandle, JointHandle
from mechstudio.model.geometry.rotation import Quaternion, Triple
from mechstudio.model.mechanism import Curve, Joint, Limit
from mechstudio.model.quantity import ZERO, Quantity, values
from mechstudio.model.types.joints import JOINT_TYPES, TWIST, JointType

FRONT: Triple = (
    0.0,
    -1.0,
    0.0,
)  # a pin of the front plane: positive turns are counter-clockwise on screen
UP: Triple = (0.0, 0.0, 1.0)
RATES = {"angle": "angular_velocity", "length": "velocity"}
STIFFNESS = {"angle": "torsional_stiffness", "length": "stiffness"}
DAMPING = {"angle": "torsional_damping", "length": "damping"}
Numbers = Number | Sequence[Number]
Place = Point | tuple[Point, Point]


class Stops(NamedTuple):
    """Stops of one joint coordinate, as typed; see `limit`."""

    lower: Number | None
    upper: Number | None
    restitution: Number
    stiffness: Number | None
    damping: Number
    coordinate: int


def limit(
    lower: Number | None = None,
    upper: Number | None = None,
    *,
    restitution: Number = 0,
    stiffness: Number | None = None,
    damping: Number = 0,
    coordinate: int = 0,
) -> Stops:
    """Stops of a joint coordinate.

    Hard ones rebound with `restitution` times the speed of the impact (0 stays, 1 loses nothing); a
    `stiffness` makes them soft, with `damping`.
    """
    return Stops(lower, upper, restitution, stiffness, damping, coordinate)


Limits = Stops | tuple[Number | None, Number | None] | Sequence[Stops]


class Joints(Collector):
    """Adds joints."""

    def joint(
        self,
        type: str,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        axis: Place | None = None,
        x: Place | None = None,
        rate: Numbers = (),
        value: Numbers = (),
        limits: Limits = (),
        curve: Sequence[Point] = (),
        smooth: bool = True,
        closed: bool = False,
        **lengths: Number,
    ) -> JointHandle:
        """A joint of any type of JOINT_TYPES between a and b; its coordinates are the motion of b
        relative to a.

        at: the point in W where it stands, or a pair (point on a, point on b).  axis: direction of
        the frames' z, or a pair, one for each.  x: of their x, or a pair; without it each frame's x
        follows its own body where the joint lets it turn about z, so that an angle reads as that
        between the two bodies.  Without an axis the frames lie along the axes of their bodies.
        rate, value: initial rates and typed coordinates, one per freedom.  limits: (lower, upper)
        of the first coordinate, or ms.limit(...), or several of these.
        curve: points of a curve in the axes of body a, `smooth` or of straight pieces.  lengths:
        what the type needs: length=, pitch=, radius=.
        """
        kind = known_type(JOINT_TYPES, type, "joint")
        rates, typed = (
            self._row(kind, given, dimensions, name)
            for given, dimensions in (
                (rate, RATES),
                (value, {"angle": "angle", "length": "length"}),
            )
        )
        known_lengths = {p.name: p for p in kind.parameters}
        if set(lengths) != set(known_lengths):
            raise ValueError(
                f"{name}: a {kind.label.lower()} joint takes "
                f"{', '.join(known_lengths) or 'no length'}, not "
                f"{', '.join(lengths) or 'nothing'}."
            )
        points = at if is_pair(at) else (at, at)
        attitudes = self._attitudes(kind, name, a, b, axis, x)
        frame_a, frame_b = (
            self._frame(body, point, q, name) for body, point, q in zip((a, b), points, attitudes)
        )  # type: ignore[arg-type]
        known = {
            k: self.quantity(v, known_lengths[k].dimension, f"{name}, {k}")
            for k, v in lengths.items()
        }
        for k, q in known.items():
            positive = known_lengths[k].least > 0.0
            if q.value == 0.0 or (q.value < 0.0 and positive):
                raise ValueError(
                    f"{name}: the {k} must {'be larger than zero' if positive else 'not be zero'}."
                )
        track = self._curve(kind, name, curve, smooth, closed)
        stops = self._limits(kind, name, limits)
        id = self._id(name, self.mechanism.joints, self.mechanism.joints.values())
        self._put(
            "joints",
            id,
            Joint(id, name, type, frame_a, frame_b, typed, rates, known, limits=stops, curve=track),
        )
        return JointHandle(self, id)

    def pin(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        axis: Point = FRONT,
        x: Place | None = None,
        rate: Numbers = (),
        value: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A revolute joint; without an axis, a pin of the front plane."""
        return self.joint(
            "revolute", name, a, b, at=at, axis=axis, x=x, rate=rate, value=value, limits=limits
        )

    def slider(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        axis: Point,
        rate: Numbers = (),
        value: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A slider (prismatic joint): b slides along the axis on a."""
        return self.joint(
            "prismatic", name, a, b, at=at, axis=axis, rate=rate, value=value, limits=limits
        )

    def cylindrical(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        axis: Point,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """b slides along the axis and turns about it; coordinates (slide, angle)."""
        return self.joint("cylindrical", name, a, b, at=at, axis=axis, rate=rate, limits=limits)

    def screw(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        axis: Point,
        pitch: Number,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A thread: b climbs by `pitch` along the axis per turn about it; a left-hand thread has a
        negative pitch.  Its coordinate is the angle.
        """
        return self.joint(
            "screw", name, a, b, at=at, axis=axis, pitch=pitch, rate=rate, limits=limits
        )

    def ball(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A spherical joint; its coordinates are the angles (psi, theta, phi) of b's axes in
        a's.
        """
        return self.joint("spherical", name, a, b, at=at, rate=rate, limits=limits)

    def universal(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        first: Point,
        second: Point,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A Cardan joint: a cross turns about `first` on a and b about `second` on the cross;
        perpendicular as drawn.  Both angles start at 0.
        """
        z, across = (unit(values(self.point_quantities(d, name)), name) for d in (first, second))  # type: ignore[arg-type]
        if abs(sum(p * q for p, q in zip(z, across))) > 1e-9:
            raise ValueError(f"{name}: the two axes of a universal joint stand at right angles.")
        return self.joint(
            "universal", name, a, b, at=at, axis=z, x=across, rate=rate, limits=limits
        )

    def constant_velocity(
        self, name: str, a: BodyHandle, b: BodyHandle, *, at: Place, axis: Place, rate: Numbers = ()
    ) -> JointHandle:
        """A shaft joint that passes rotation on without ripple; axis: of the shafts, or a pair
        (that of a, that of b).
        """
        return self.joint("constant_velocity", name, a, b, at=at, axis=axis, rate=rate)

    def planar(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        normal: Point = UP,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """b lies on a plane of a: coordinates (x, y, angle)."""
        return self.joint("planar", name, a, b, at=at, axis=normal, rate=rate, limits=limits)

    def rod(
        self, name: str, a: BodyHandle, b: BodyHandle, *, at: tuple[Point, Point], length: Number
    ) -> JointHandle:
        """A massless rod of a length between a point of each body."""
        return self.joint("distance", name, a, b, at=at, length=length)

    def on_line(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        axis: Point,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A point of b stays on a line of a."""
        return self.joint("point_on_line", name, a, b, at=at, axis=axis, rate=rate, limits=limits)

    def on_plane(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        *,
        at: Place,
        normal: Point = UP,
        rate: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """A point of b stays on a plane of a."""
        return self.joint(
            "point_on_plane", name, a, b, at=at, axis=normal, rate=rate, limits=limits
        )

    def on_curve(
        self,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        curve: Sequence[Point],
        *,
        at: Point,
        smooth: bool = True,
        closed: bool = False,
        rate: Numbers = (),
        value: Numbers = (),
        limits: Limits = (),
    ) -> JointHandle:
        """The point `at` of b stays on a curve through points in the axes of body a; its first
        coordinate is the way along it.
        """
        return self.joint(
            "point_on_curve",
            name,
            a,
            b,
            at=(a.world(), at),
            curve=curve,
            smooth=smooth,
            closed=closed,
            rate=rate,
            value=value,
            limits=limits,
        )

    def rolling_disc(
        self,
        name: str,
        floor: BodyHandle,
        disc: BodyHandle,
        *,
        center: Point,
        axis: Point,
        radius: Number,
        at: Point = (0, 0, 0),
        normal: Point = UP,
        rate: Numbers = (),
    ) -> JointHandle:
        """A disc that rolls without slipping on a plane and may lean; at: a point of the plane.

        Coordinates: x and y of the point of contact, heading, lean (90 deg upright), spin.
        """
        return self.joint(
            "rolling_disc",
            name,
            floor,
            disc,
            at=(at, center),
            axis=(normal, axis),
            rate=rate,
            radius=radius,
        )

    def rolling_wheel(
        self,
        name: str,
        floor: BodyHandle,
        wheel: BodyHandle,
        *,
        center: Point,
        axis: Point,
        radius: Number,
        at: Point = (0, 0, 0),
        normal: Point = UP,
        rate: Numbers = (),
    ) -> JointHandle:
        """A wheel that rolls without slipping, held upright; coordinates x, y, heading, spin."""
        return self.joint(
            "rolling_wheel",
            name,
            floor,
            wheel,
            at=(at, center),
            axis=(normal, axis),
            rate=rate,
            radius=radius,
        )

    def knife_edge(
        self,
        name: str,
        floor: BodyHandle,
        blade: BodyHandle,
        *,
        at: Place,
        along: Point,
        normal: Point = UP,
        rate: Numbers = (),
    ) -> JointHandle:
        """A blade on a plane that slides along its edge and turns, but never sideways; coordinates
        x, y, heading.
        """
        return self.joint(
            "knife_edge",
            name,
            floor,
            blade,
            at=at,
            axis=normal,
            x=(crossing(values(self.point_quantities(normal, name))), along),
            rate=rate,
        )  # type: ignore[arg-type]

    def free(self, name: str, a: BodyHandle, b: BodyHandle, *, rate: Numbers = ()) -> JointHandle:
        """No constraint: the six coordinates of b in a, to be driven or read."""
        return self.joint("free", name, a, b, at=(a.world(), b.world()), rate=rate)

    def fix(self, name: str, a: BodyHandle, b: BodyHandle, *, at: Place) -> JointHandle:
        """A fixed joint, in the attitude as drawn."""
        return self.joint("fixed", name, a, b, at=at, axis=UP)

    # parts

    def _row(
        self, kind: JointType, given: Numbers, dimensions: dict[str, str], name: str
    ) -> tuple[Quantity, ...]:
        """One number per freedom, or none."""
        row = (given,) if isinstance(given, (int, float, str)) else tuple(given)
        if row and len(row) != kind.dof:
            raise ValueError(
                f"{name}: a {kind.label.lower()} joint has {kind.dof} coordinates, not {len(row)}."
            )
        return tuple(
            self.quantity(c, dimensions[k.dimension], name) for c, k in zip(row, kind.coordinates)
        )

    def _curve(
        self, kind: JointType, name: str, points: Sequence[Point], smooth: bool, closed: bool
    ) -> Curve | None:
        if not kind.curve:
            if len(points):
                raise ValueError(f"{name}: a {kind.label.lower()} joint takes no curve.")
            return None
        if len(points) < 2:
            raise ValueError(f"{name}: a curve needs at least two points.")
        return Curve(
            tuple(self.point_quantities(p, f"{name}, curve") for p in points), smooth, closed
        )

    def _limits(self, kind: JointType, name: str, given: Limits) -> tuple[Limit, ...]:
        if (
            isinstance(given, str)
            or given
            and not isinstance(given, Stops)
            and not isinstance(given[0], Stops)
            and len(given) != 2
        ):
            raise ValueError(
                f"{name}: limits are (lower, upper), or ms.limit(...), or several of these."
            )
        rows = (
            [given]
            if isinstance(given, Stops)
            else [limit(*given)]
            if given and not isinstance(given[0], Stops)
            else given or ()
        )  # type: ignore[misc]
        out: list[Limit] = []
        for row in rows:
            if not 0 <= row.coordinate < kind.dof or row.coordinate in [
                other.coordinate for other in out
            ]:
                raise ValueError(
                    (
                        f"{name}: a {kind.label.lower()} joint has coordinates 0 to "
                        f"{kind.dof - 1}, and one pair of stops for each."
                    )
                    if kind.dof
                    else (
                        f"{name}: a {kind.label.lower()} joint has no coordinate that stops "
                        "could limit."
                    )
                )
            d = kind.coordinates[row.coordinate].dimension
            lower, upper = (
                None if v is None else self.quantity(v, d, f"{name}, stop")
                for v in (row.lower, row.upper)
            )
            if lower is not None and upper is not None and lower.value >= upper.value:
                raise ValueError(f"{name}: the lower stop must be below the upper one.")
            rebound = self.quantity(row.restitution, "number", f"{name}, restitution")
            if not 0.0 <= rebound.value <= 1.0:
                raise ValueError(f"{name}: a restitution lies between 0 and 1.")
            out.append(
                Limit(
                    row.coordinate,
                    lower,
                    upper,
                    ZERO if row.restitution == 0 else rebound,
                    None
                    if row.stiffness is None
                    else self.quantity(
                        row.stiffness, STIFFNESS[d], f"{name}, stiffness of the stop"
                    ),
                    ZERO
                    if row.damping == 0
                    else self.quantity(row.damping, DAMPING[d], f"{name}, damping of the stop"),
                )
            )
        return tuple(out)

    def _attitudes(
        self,
        kind: JointType,
        name: str,
        a: BodyHandle,
        b: BodyHandle,
        axis: Place | None,
        x: Place | None,
    ) -> tuple[Quaternion, Quaternion]:
        """Attitudes of both frames in W."""
        bodies = [h.body.placement.quaternion for h in (a, b)]
        if axis is None:
            if kind.reads_attitude:
                raise ValueError(f"{name}: a {kind.label.lower()} joint needs an axis.")
            return bodies[0], bodies[1]
        first, last = (
            unit(values(self.point_quantities(d, name)), name)
            for d in (axis if is_pair(axis) else (axis, axis))
        )  # type: ignore[arg-type]
        if kind.axis_of_first_only:
            return on_axis(first, bodies[0]), bodies[1]
        if x is not None:
            across = [
                unit(values(self.point_quantities(d, name)), name)
                for d in (x if is_pair(x) else (x, x))
            ]  # type: ignore[arg-type]
            return frame_with(first, across[0]), frame_with(last, across[1])
        if TWIST in kind.primitives:
            # b's frame is a's, turned the shortest way from one shaft to the other: no twist
            start = on_axis(first, bodies[0])
            return start, tilted(start, first, last)
        second = on_axis(last, bodies[1])
        return (on_axis(first, bodies[0]) if kind.turns_last else second), second
