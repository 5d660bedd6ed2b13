"""Forms of curves: circles, arcs, and straight pieces with fillets are exact over their arc length;
splines, and straight pieces with smooth corners, are laid out by engine/constraints/curves.py.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from mechstudio.model.geometry.circle import circle_through
from mechstudio.model.geometry.rotation import Triple, minus, plus, scaled
from mechstudio.model.geometry.work_plane import dot
from mechstudio.translation import Words, tr

COINCIDE = 1e-9  # of the curve's extent: points nearer to each other are the same
BACK = 1e-9  # of the cosine between two sides, from -1 on, that go straight back
NO_POINT: Triple = (0.0, 0.0, 0.0)

Points = Sequence[Triple]


class Piece(msgspec.Struct, frozen=True):
    """Exact piece of a curve over its arc length s from its own start, to `length` [m].

    curvature k [1/m]: 0 of a straight piece, place + s first with a unit vector first; else of an
    arc, place + cos(k s) first + sin(k s) second, with two arms (3,) [m] from its centre.
    """

    length: float
    curvature: float
    place: Triple
    first: Triple
    second: Triple = NO_POINT

    def at(self, s: float) -> Triple:
        """Point at an arc length [m]."""
        if self.curvature == 0.0:
            return plus(self.place, scaled(self.first, s))
        turned = self.curvature * s
        arms = scaled(self.first, math.cos(turned)), scaled(self.second, math.sin(turned))
        return plus(self.place, plus(*arms))

    @property
    def turn(self) -> float:
        """Angle between its two ends' tangents [rad]."""
        return self.curvature * self.length


class CurveForm(msgspec.Struct, frozen=True):
    """One form of curve.

    words: noun of a sentence.  count: points that it has, 0 for any number from two, or three where
    it is closed.  closed: whether it always or never is; None where that is drawn.  pieces: exact
    pieces of (points (n, 3) [m], closed), empty where it has none.  problem: reason of the same
    why it is none, as a sentence without subject, empty if it is one.
    """

    label: Words
    words: Words
    count: int = 0
    closed: bool | None = None
    pieces: Callable[[Points, bool], tuple[Piece, ...]] | None = None
    problem: Callable[[Points, bool], str] | None = None


def _circle(points: Points, closed: bool) -> tuple[Piece, ...]:
    found = circle_through(points)
    if found is None:
        return ()
    centre, a, b = found
    size = math.hypot(*a)
    return (Piece(2.0 * math.pi * size, 1.0 / size, centre, a, b),)


def _circle_problem(points: Points, closed: bool) -> str:
    if circle_through(points) is None:
        return tr("is a circle through three points on a straight line")
    return ""


def sides(points: Points, closed: bool) -> list[Triple]:
    """Vectors from each point to the next, of a closed curve also from the last to the first."""
    ends = [*points, points[0]] if closed else points
    return [minus(b, a) for a, b in pairwise(ends)]


def corners(points: Points, closed: bool) -> list[tuple[int, Triple, Triple]]:
    """(number, unit vector towards it, unit vector from it) of all points between two sides."""
    along = [scaled(d, 1.0 / math.hypot(*d)) for d in sides(points, closed)]
    inner = range(len(points)) if closed else range(1, len(points) - 1)
    return [(k, along[k - 1], along[k % len(along)]) for k in inner]


def _polyline_problem(points: Points, closed: bool) -> str:
    for k, before, after in sorted(corners(points, closed), key=lambda c: (c[0] - 1) % len(points)):
        if dot(before, after) < BACK - 1.0:
            return tr("turns straight back at point {number}", number=k + 1)
    return ""


CURVE_FORMS: dict[str, CurveForm] = {
    "spline": CurveForm("Spline", "spline"),
    "polyline": CurveForm("Polyline", "polyline", problem=_polyline_problem),
    "circle": CurveForm(
        "Circle", "circle", count=3, closed=True, pieces=_circle, problem=_circle_problem
    ),
}


def exact_pieces(form: str, points: Points, closed: bool) -> tuple[Piece, ...]:
    """Exact pieces of a curve through points (n, 3) [m] of which curve_problem has nothing to
    say; none of one that is laid out in pieces of fifth degree.
    """
    pieces = CURVE_FORMS[form].pieces
    return pieces(points, closed) if pieces is not None else ()


def curve_problem(form: str, points: Points, closed: bool) -> str:
    """Reason why points (n, 3) [m] are no curve of a form, as a sentence without subject
    ("has ..."); empty if they are one.
    """
    kind, least = CURVE_FORMS[form], 3 if closed else 2
    if len(points) < least:
        return tr("needs at least {least} points", least=least)
    if not all(math.isfinite(x) for p in points for x in p):
        return tr("has a point that is not a number")
    extent = max(max(x) - min(x) for x in zip(*points, strict=True))
    for k, d in enumerate(sides(points, closed)):
        if math.hypot(*d) <= COINCIDE * extent:
            return tr(
                "has points {number} and {number_2} at the same place",
                number=k + 1,
                number_2=(k + 1) % len(points) + 1,
            )
    if kind.closed and not closed:
        return tr("is a {form} that is not closed", form=tr(kind.words))
    if kind.count and len(points) != kind.count:
        return tr("is a {form}, which three points determine", form=tr(kind.words))
    return kind.problem(points, closed) if kind.problem is not None else ""
