"""Offsets of plane curves: the path of the centre of a roller that rolls along a curve.

The outside of a closed curve is away from what it encloses; that of an open one away from what it
encloses with the line between its ends.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from mechstudio.model.geometry.curve_pieces import Piece
from mechstudio.model.geometry.rotation import Triple, minus, plus, scaled
from mechstudio.model.geometry.work_plane import cross, dot
from mechstudio.model.units import format_value
from mechstudio.translation import tr

FLAT = 1e-9  # of the curve's extent squared: area that is none; of its extent: out of its plane
NARROW = 1e-6  # of a radius: an arc that an offset leaves less of has vanished

Points = Sequence[Triple]


def plane_normal(points: Points) -> Triple | None:
    """Unit normal of the area that points (n, 3) [m] enclose, counterclockwise about it (Newell's
    sum); None where they enclose none.
    """
    area, extent = (0.0, 0.0, 0.0), _extent(points)
    for p, q in pairwise(minus(p, points[0]) for p in points):
        area = plus(area, cross(p, q))
    size = math.hypot(*area)
    return scaled(area, 1.0 / size) if size > FLAT * extent * extent else None


def side_problem(points: Points) -> str:
    """Reason why a curve through points (n, 3) [m] has no offset, as a sentence without subject;
    empty if it may have one.
    """
    normal = plane_normal(points)
    if normal is None:
        return tr("encloses no area, so that it has no outside for the roller")
    depths = [dot(normal, minus(p, points[0])) for p in points]
    if max(depths) - min(depths) > FLAT * _extent(points):
        return tr("does not lie in one plane, as that of a roller must")
    return ""


def offset_pieces(pieces: Iterable[Piece], normal: Triple, offset: float) -> tuple[Piece, ...]:
    """Exact pieces at an offset to the outside [m].  normal (3,): of `plane_normal`."""
    return tuple(_offset_piece(piece, normal, offset) for piece in pieces)


def hollow_problem(pieces: Iterable[Piece], normal: Triple, offset: float) -> str:
    """Reason why exact pieces have no offset [m], as `side_problem` returns."""
    radii = [(1.0 / p.curvature, _radius(p, normal, offset)) for p in pieces if p.curvature]
    narrow = [radius for radius, left in radii if left <= NARROW * radius]
    return too_narrow(min(narrow), offset) if narrow else ""


def too_narrow(radius: float, offset: float) -> str:
    """Sentence without subject about a bend of a radius [m] that has no room for a roller [m]."""
    return tr(
        "has a bend with a radius of {radius}, too narrow for a roller of {offset}",
        radius=format_value(radius, "length", digits=4),
        offset=format_value(abs(offset), "length", digits=4),
    )


def _offset_piece(piece: Piece, normal: Triple, offset: float) -> Piece:
    if piece.curvature == 0.0:
        outward = cross(piece.first, normal)
        return Piece(piece.length, 0.0, plus(piece.place, outward, offset), piece.first)
    radius = _radius(piece, normal, offset)
    share = radius * piece.curvature
    arms = scaled(piece.first, share), scaled(piece.second, share)
    return Piece(piece.length * share, 1.0 / radius, piece.place, *arms)


def _radius(piece: Piece, normal: Triple, offset: float) -> float:
    """Radius of an arc at an offset [m], 0 or less where there is no room for it."""
    convex = dot(cross(piece.first, piece.second), normal) > 0.0
    return 1.0 / piece.curvature + (offset if convex else -offset)


def _extent(points: Points) -> float:
    return max(max(x) - min(x) for x in zip(*points, strict=True))
