"""Forms of curves: circles, arcs, and straight pieces with fillets are exact over their arc length;
splines, and straight pieces with smooth corners, are laid out by engine/constraints/curves.py.
"""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from mechstudio.model.geometry.circle import circle_through
from mechstudio.model.geometry.curve_offsets import (
    hollow_problem,
    offset_pieces,
    plane_normal,
    side_problem,
)
from mechstudio.model.geometry.curve_pieces import Piece
from mechstudio.model.geometry.rotation import Triple, minus, plus, scaled
from mechstudio.model.geometry.work_plane import cross, dot
from mechstudio.model.units import format_value
from mechstudio.translation import Words, tr

COINCIDE = 1e-9  # of the curve's extent: points nearer to each other are the same
BACK = 1e-9  # of the cosine between two sides, from -1 on, that go straight back
CORNER = 1e-9  # angle between two sides from which on they make a corner [rad]

Points = Sequence[Triple]


class CurveForm(msgspec.Struct, frozen=True):
    """One form of curve.

    words: noun of a sentence.  count: points that it has, 0 for any number from two, or three where
    it is closed.  closed: whether it always or never is; None where that is drawn.  fillets: True
    where its corners may have a radius.  angle: True where it runs over an angle [rad] in place of
    its arc length, and is made of a joint's lengths.  pieces: exact pieces of (points (n, 3) [m],
    closed, radius [m] or None), empty where it has none.  problem: reason of the same why it is
    none, as a sentence without subject, empty if it is one.
    """

    label: Words
    words: Words
    count: int = 0
    closed: bool | None = None
    fillets: bool = False
    angle: bool = False
    pieces: Callable[[Points, bool, float | None], tuple[Piece, ...]] | None = None
    problem: Callable[[Points, bool, float | None], str] | None = None


def _circle(points: Points, closed: bool, radius: float | None) -> tuple[Piece, ...]:
    found = circle_through(points)
    if found is None:
        return ()
    centre, a, b = found
    size = math.hypot(*a)
    return (Piece(2.0 * math.pi * size, 1.0 / size, centre, a, b),)


def _arc(points: Points, closed: bool, radius: float | None) -> tuple[Piece, ...]:
    """The arc from the first point by way of the second to the third."""
    found = circle_through(points)
    if found is None:
        return ()
    centre, a, b = found
    out = minus(points[2], centre)
    turn = math.atan2(dot(out, b), dot(out, a)) % (2.0 * math.pi)
    size = math.hypot(*a)
    return (Piece(turn * size, 1.0 / size, centre, a, b),)


def _ellipse(points: Points, closed: bool, radius: float | None) -> tuple[Piece, ...]:
    centre, a, b = points
    return (Piece(2.0 * math.pi, 1.0, centre, minus(a, centre), minus(b, centre)),)


def _ellipse_problem(points: Points, closed: bool, radius: float | None) -> str:
    if min(math.hypot(*minus(p, points[0])) for p in points[1:]) <= 0.0:
        return tr("has a semi-axis of no length")
    return ""


def _round_problem(points: Points, closed: bool, radius: float | None) -> str:
    if circle_through(points) is None:
        return tr("goes through three points on a straight line, which no circle does")
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


def _polyline(points: Points, closed: bool, radius: float | None) -> tuple[Piece, ...]:
    """Straight pieces, and a fillet of a radius at each corner between them."""
    count = len(points)
    known = {k: (before, after) for k, before, after in corners(points, closed)}
    if radius is None:
        if any(_tangent(*pair) for pair in known.values()):
            return ()
        radius = 0.0
    cut = [radius * _tangent(*known[k]) if k in known else 0.0 for k in range(count)]
    out: list[Piece] = []
    for k, d in enumerate(sides(points, closed)):
        length, end = math.hypot(*d), (k + 1) % count
        along, straight = scaled(d, 1.0 / length), length - cut[k] - cut[end]
        if straight > COINCIDE * length:
            out.append(Piece(straight, 0.0, plus(points[k], along, cut[k]), along))
        if cut[end]:
            out.append(_fillet(points[end], *known[end], radius))
    return tuple(out)


def _fillet(corner: Triple, before: Triple, after: Triple, radius: float) -> Piece:
    cut = radius * _tangent(before, after)
    bend = minus(after, scaled(before, dot(before, after)))
    inward = scaled(bend, radius / math.hypot(*bend))
    centre = plus(plus(corner, before, -cut), inward)
    length = 2.0 * math.atan(cut / radius) * radius
    return Piece(length, 1.0 / radius, centre, scaled(inward, -1.0), scaled(before, radius))


def _tangent(before: Triple, after: Triple) -> float:
    """Tangent of half the angle between two unit vectors, 0 of none: of a fillet of the radius 1
    the length to each side of its corner.
    """
    across = math.hypot(*cross(before, after))
    return across / (1.0 + dot(before, after)) if across > CORNER else 0.0


def largest_fillet(points: Points, closed: bool) -> tuple[float, int]:
    """Largest radius [m] of the fillets of a polyline, infinite without a corner, and the number
    of the point from which the side goes that allows no larger one.
    """
    tangents = {k: _tangent(*pair) for k, *pair in corners(points, closed)}
    found = [
        (math.hypot(*d) / both, k)
        for k, d in enumerate(sides(points, closed))
        if (both := tangents.get(k, 0.0) + tangents.get((k + 1) % len(points), 0.0))
    ]
    return min(found, default=(math.inf, 0))


def _polyline_problem(points: Points, closed: bool, radius: float | None) -> str:
    for k, before, after in sorted(corners(points, closed), key=lambda c: (c[0] - 1) % len(points)):
        if dot(before, after) < BACK - 1.0:
            return tr("turns straight back at point {number}", number=k + 1)
    if radius is None:
        return ""
    if not radius > 0.0 or not math.isfinite(radius):
        return tr("has fillets without a radius")
    most, k = largest_fillet(points, closed)
    if radius > most * (1.0 + COINCIDE):
        return tr(
            "has fillets too large for the side from point {number} to point {number_2}: a radius "
            "of up to {most} fits",
            number=k + 1,
            number_2=(k + 1) % len(points) + 1,
            most=format_value(_rounded_down(most), "length"),
        )
    return ""


def _rounded_down(x: float) -> float:
    """A number cut to four digits, so that what is reported is never too much."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 3)
    return math.floor(x / unit) * unit


CURVE_FORMS: dict[str, CurveForm] = {
    "spline": CurveForm("Spline", "spline"),
    "polyline": CurveForm(
        "Polyline", "polyline", fillets=True, pieces=_polyline, problem=_polyline_problem
    ),
    "circle": CurveForm(
        "Circle", "circle", count=3, closed=True, pieces=_circle, problem=_round_problem
    ),
    "arc": CurveForm("Arc", "arc", count=3, closed=False, pieces=_arc, problem=_round_problem),
    # centre and the ends of both semi-axes, over the eccentric angle
    "ellipse": CurveForm(
        "Ellipse",
        "ellipse",
        3,
        True,
        angle=True,
        pieces=_ellipse,
        problem=_ellipse_problem,
    ),
}
DRAWN_FORMS = {key: form for key, form in CURVE_FORMS.items() if not form.angle}


def exact_pieces(
    form: str, points: Points, closed: bool, radius: float | None = None, offset: float = 0.0
) -> tuple[Piece, ...]:
    """Exact pieces of a curve through points (n, 3) [m] of which curve_problem has nothing to
    say, radius [m] of its fillets or None; none of one that is laid out in pieces of fifth degree.
    offset [m]: to the outside, where a roller's centre runs.
    """
    pieces = CURVE_FORMS[form].pieces
    exact = pieces(points, closed, radius) if pieces is not None else ()
    normal = plane_normal(points) if offset else None
    return exact if normal is None else offset_pieces(exact, normal, offset)


def curve_problem(
    form: str, points: Points, closed: bool, radius: float | None = None, offset: float = 0.0
) -> str:
    """Reason why points (n, 3) [m] are no curve of a form, as a sentence without subject
    ("has ..."); empty if they are one.  radius [m]: of its fillets, or None.  offset [m]: to the
    outside; of exact pieces alone it is known here whether they have room for it.
    """
    kind, least = CURVE_FORMS[form], 3 if closed else 2
    if len(points) < least:
        return tr("needs at least {least} points", least=least)
    if not all(math.isfinite(x) for p in points for x in p):
        return tr("has a point that is not a number")
    extent = max(max(x) - min(x) for x in zip(*points, strict=True))
    for k, d in enumerate([] if kind.angle else sides(points, closed)):
        if math.hypot(*d) <= COINCIDE * extent:
            return tr(
                "has points {number} and {number_2} at the same place",
                number=k + 1,
                number_2=(k + 1) % len(points) + 1,
            )
    if kind.closed and not closed:
        return tr("is a {form} that is not closed", form=tr(kind.words))
    if closed and kind.closed is False:
        return tr("is a closed {form}, which is always open", form=tr(kind.words))
    if kind.count and len(points) != kind.count:
        return tr("is a {form}, which three points determine", form=tr(kind.words))
    if radius is not None and not kind.fillets:
        return tr(
            "is a {form} with a fillet radius, which only polylines have", form=tr(kind.words)
        )
    if kind.problem is not None and (problem := kind.problem(points, closed, radius)):
        return problem
    return _offset_problem(form, points, closed, radius, offset) if offset else ""


def _offset_problem(
    form: str, points: Points, closed: bool, radius: float | None, offset: float
) -> str:
    if not math.isfinite(offset):
        return tr("has an offset that is not a number")
    if problem := side_problem(points):
        return problem
    if form == "polyline" and radius is None and not exact_pieces(form, points, closed):
        return tr("has corners without fillets, over which no roller rolls smoothly")
    normal = plane_normal(points)
    assert normal is not None
    return hollow_problem(exact_pieces(form, points, closed, radius), normal, offset)
