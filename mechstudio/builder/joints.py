"""Joints as a script writes them: where they stand, their stops, and the curve or the lengths that
a type needs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Required, TypedDict

from mechstudio.builder.draft import Draft
from mechstudio.builder.geometry import (
    Number,
    Point,
    both,
    frame_with,
    known_type,
    on_axis,
    tilted,
    unit,
)
from mechstudio.builder.handles import BodyHandle, FrameHandle
from mechstudio.model.findings import joined
from mechstudio.model.geometry.curve_forms import CURVE_FORMS, DRAWN_FORMS
from mechstudio.model.geometry.rotation import Quaternion, Triple
from mechstudio.model.mechanism import Curve, Frame, Limit
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.types.joints import JOINT_TYPES, TWIST
from mechstudio.translation import tr

# a pin of the front plane: positive turns are counter-clockwise on screen
FRONT: Triple = (0.0, -1.0, 0.0)
UP: Triple = (0.0, 0.0, 1.0)
SAME = {"angle": "angle", "length": "length"}
RATES = {"angle": "angular_velocity", "length": "velocity"}
STIFFNESS = {"angle": "torsional_stiffness", "length": "stiffness"}
DAMPING = {"angle": "torsional_damping", "length": "damping"}
Numbers = Number | Sequence[Number]
Place = Point | tuple[Point, Point]
Side = BodyHandle | FrameHandle


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

        >>> m = ms.Builder("Door")
        >>> door = m.link("door", (0, 0, 0), length="800 mm", angle="0 deg")
        >>> stop = ms.limit("0 deg", "110 deg", restitution=0.3)
        >>> hinge = m.pin("hinge", m.ground, door, at=door.start, limits=[stop])
    """
    return Stops(lower, upper, restitution, stiffness, damping, coordinate)


Limits = Stops | tuple[Number | None, Number | None] | Sequence[Stops]


class AtPoint(TypedDict, total=False):
    """Place of a joint, initial rates and typed coordinates, and its stops, see Builder.joint."""

    at: Required[Place]
    rate: Numbers
    value: Numbers
    limits: Limits


class OnAxis(AtPoint, total=False):
    """The same, with the direction of its axis."""

    axis: Required[Point]


class Rolling(TypedDict, total=False):
    """A round body on a plane: its centre, axis and radius, a point of the plane, its normal."""

    center: Required[Point]
    axis: Required[Point]
    radius: Required[Number]
    at: Point
    normal: Point
    rate: Numbers


class NewJoint:
    """A joint that is being added: what a script says of it, read by its type.  Every method raises
    ValueError with one sentence.
    """

    def __init__(self, draft: Draft, type: str, name: str) -> None:
        self.draft = draft
        self.name = name
        self.kind = known_type(JOINT_TYPES, type, "joint")
        self.words = tr("a {kind} joint", kind=tr(self.kind.label).lower())

    def frames(
        self, a: Side, b: Side, at: Place | None, axis: Place | None, x: Place | None
    ) -> tuple[Frame, Frame]:
        """The frames on both bodies."""
        if isinstance(a, FrameHandle) and isinstance(b, FrameHandle):
            if (at, axis, x) != (None, None, None):
                raise ValueError(
                    tr("{name}: between two frames a joint takes no at, axis or x.", name=self.name)
                )
            return self.draft.frame_of(a, self.name), self.draft.frame_of(b, self.name)
        if at is None or isinstance(a, FrameHandle) or isinstance(b, FrameHandle):
            raise ValueError(
                tr(
                    "{name}: a joint stands between two bodies at= a point, or between two frames.",
                    name=self.name,
                )
            )
        first, last = both(at)
        of_a, of_b = self._attitudes(a, b, axis, x)
        return (
            self.draft.frame(a, first, of_a, self.name),
            self.draft.frame(b, last, of_b, self.name),
        )

    def per_freedom(self, given: Numbers, dimensions: Mapping[str, str]) -> tuple[Quantity, ...]:
        """One number per freedom, or none; dimensions: by that of the coordinate."""
        row = (given,) if isinstance(given, (int, float, str)) else tuple(given)
        if row and len(row) != self.kind.dof:
            raise ValueError(
                tr(
                    "{name}: {words} has {dof} coordinates, not {count}.",
                    name=self.name,
                    words=self.words,
                    dof=self.kind.dof,
                    count=len(row),
                )
            )
        return tuple(
            self.draft.quantity(number, dimensions[c.dimension], self.name)
            for number, c in zip(row, self.kind.coordinates)
        )

    def curve(
        self,
        points: Sequence[Point],
        form: str,
        closed: bool,
        fillet: Number | None,
        roller: Number | None,
    ) -> Curve | None:
        """The curve through points in the axes of body a, None for a type without one."""
        if not self.kind.curve:
            if len(points):
                raise ValueError(
                    tr("{name}: {words} takes no curve.", name=self.name, words=self.words)
                )
            return None
        if len(points) < 2:
            raise ValueError(tr("{name}: a curve needs at least two points.", name=self.name))
        if form not in DRAWN_FORMS:
            raise ValueError(
                tr(
                    "{name}: the form of a curve is one of {known}, not {form}.",
                    name=self.name,
                    known=joined(list(DRAWN_FORMS)),
                    form=form,
                )
            )
        what, always = tr("{name}, curve", name=self.name), CURVE_FORMS[form].closed
        track = tuple(self.draft.point_quantities(p, what) for p in points)
        if fillet is not None and not CURVE_FORMS[form].fillets:
            raise ValueError(
                tr(
                    "{name}: a curve of the form {form} has no fillets; polylines have.",
                    name=self.name,
                    form=form,
                )
            )
        radius, offset = (
            None if number is None else self.draft.quantity(number, "length", what)
            for number in (fillet, roller)
        )
        return Curve(track, form, closed if always is None else always, radius, offset)

    def limits(self, given: Limits) -> tuple[Limit, ...]:
        """Stops of its coordinates."""
        dof, out = self.kind.dof, []
        for row in self._stops(given):
            if not 0 <= row.coordinate < dof or row.coordinate in [o.coordinate for o in out]:
                raise ValueError(
                    tr("{name}: {words} has ", name=self.name, words=self.words)
                    + (
                        tr("coordinates 0 to {dof}, and one pair of stops for each.", dof=dof - 1)
                        if dof
                        else tr("no coordinate that stops could limit.")
                    )
                )
            out.append(self._limit(row, self.kind.coordinates[row.coordinate].dimension))
        return tuple(out)

    def _stops(self, given: Limits) -> list[Stops]:
        if isinstance(given, Stops):
            return [given]
        several = () if isinstance(given, str) or not isinstance(given, Iterable) else given
        rows = [row for row in several if isinstance(row, Stops)]
        pair = [end for end in several if not isinstance(end, Stops)]
        if several is not given or (pair and (rows or len(pair) != 2)):
            raise ValueError(
                tr(
                    "{name}: limits are (lower, upper), or ms.limit(...), or several of these.",
                    name=self.name,
                )
            )
        return [limit(*pair)] if pair else rows

    def _limit(self, row: Stops, dimension: str) -> Limit:
        def read(number: Number, dimension: str, words: str) -> Quantity:
            return self.draft.quantity(number, dimension, f"{self.name}, {words}")

        lower, upper = (
            None if v is None else read(v, dimension, "stop") for v in (row.lower, row.upper)
        )
        if lower is not None and upper is not None and lower.value >= upper.value:
            raise ValueError(
                tr("{name}: the lower stop must be below the upper one.", name=self.name)
            )
        rebound = read(row.restitution, "number", "restitution")
        if not 0.0 <= rebound.value <= 1.0:
            raise ValueError(tr("{name}: a restitution lies between 0 and 1.", name=self.name))
        stiffness, damping = row.stiffness, row.damping
        return Limit(
            row.coordinate,
            lower,
            upper,
            rebound,
            None
            if stiffness is None
            else read(stiffness, STIFFNESS[dimension], tr("stiffness of the stop")),
            read(damping, DAMPING[dimension], tr("damping of the stop")),
        )

    def _attitudes(
        self, a: BodyHandle, b: BodyHandle, axis: Place | None, x: Place | None
    ) -> tuple[Quaternion, Quaternion]:
        """Attitudes of both frames in W."""
        of_a, of_b = (h.body.placement.quaternion for h in (a, b))
        kind = self.kind
        if axis is None:
            if kind.reads_attitude:
                raise ValueError(
                    tr("{name}: {words} needs an axis.", name=self.name, words=self.words)
                )
            return of_a, of_b
        first, last = map(self._direction, both(axis))
        if kind.axis_of_first_only:
            return on_axis(first, of_a), of_b
        if x is not None:
            of_first, of_last = map(self._direction, both(x))
            return frame_with(first, of_first), frame_with(last, of_last)
        if TWIST in kind.primitives:
            # b's frame is a's, turned the shortest way from one shaft to the other: no twist
            start = on_axis(first, of_a)
            return start, tilted(start, first, last)
        second = on_axis(last, of_b)
        return (on_axis(first, of_a) if kind.turns_last else second), second

    def _direction(self, given: Point) -> Triple:
        return unit(values(self.draft.point_quantities(given, self.name)), self.name)
