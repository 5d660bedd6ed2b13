"""Lines of constant width on screen: polylines packed into arrays from which a viewport makes
mitred ribbons.
"""

from typing import NamedTuple

import numpy as np

# Kinds of lines and fills; the theme gives each a colour.  EDGE: of parts; SIGN: for solid ground.
EDGE, INK, VECTOR, SIGN = range(4)


class Stroke(NamedTuple):
    """One polyline.  points: (k, 3) in the axes of its row [m].  width: [px], one number or (k,).
    kind: its colour.

    along: (k,) how many times the length of a stretched row each point lies farther along z; None
    for none.
    """

    points: np.ndarray
    row: int
    kind: int
    width: float | np.ndarray
    along: np.ndarray | None = None


class Fill(NamedTuple):
    """A filled polygon, convex and flat.  points: (k, 3) in the axes of its row [m]."""

    points: np.ndarray
    row: int
    kind: int


class Lines(NamedTuple):
    """All points of all strokes (n, …).  before, after: neighbours along the line; width: [px];
    row, kind, along as in Stroke.

    pieces: (m,) index of the first point of every segment.  along_before, along_after: those of the
    neighbours.
    """

    points: np.ndarray
    before: np.ndarray
    after: np.ndarray
    width: np.ndarray
    row: np.ndarray
    kind: np.ndarray
    pieces: np.ndarray
    along: np.ndarray
    along_before: np.ndarray
    along_after: np.ndarray


class Fills(NamedTuple):
    """Triangles of all filled polygons.  points (n, 3), row (n,), kind (n,), triangles (t, 3)."""

    points: np.ndarray
    row: np.ndarray
    kind: np.ndarray
    triangles: np.ndarray


def pack_lines(strokes: list[Stroke]) -> Lines:
    """The strokes as arrays; a stroke that ends where it begins is joined there."""
    if not strokes:
        none, empty = np.zeros((0, 3), "f4"), np.zeros(0, "f4")
        return Lines(none, none, none, empty, empty, empty, np.zeros(0, "u4"), empty, empty, empty)
    places, rows, kinds, widths, alongs = zip(*strokes)
    counts = np.array([len(p) for p in places])
    ends = np.cumsum(counts)
    starts = ends - counts
    points = np.concatenate(places).astype("f4")
    along = np.zeros(len(points), "f4")
    for k, a in enumerate(alongs):
        if a is not None:
            along[starts[k] : ends[k]] = a
    i = np.arange(len(points))
    before, after = np.maximum(i - 1, 0), np.minimum(i + 1, len(points) - 1)
    first, last = starts, ends - 1
    loop = (
        (points[first] == points[last]).all(axis=1) & (along[first] == along[last]) & (counts > 2)
    )
    before[first], after[last] = np.where(loop, last - 1, first), np.where(loop, first + 1, last)
    each = lambda values: np.repeat(np.array(values, "f4"), counts)
    # nearly all strokes are as wide at one end as at the other
    tapered = [k for k, w in enumerate(widths) if type(w) is np.ndarray]
    width = each([0.0 if type(w) is np.ndarray else w for w in widths])
    for k in tapered:
        width[starts[k] : ends[k]] = widths[k]
    return Lines(
        points,
        points[before],
        points[after],
        width,
        each(rows),
        each(kinds),
        _without(i, last).astype("u4"),
        along,
        along[before],
        along[after],
    )


def _without(i: np.ndarray, last: np.ndarray) -> np.ndarray:
    """All numbers but those of the last points."""
    keep = np.ones(len(i), bool)
    keep[last] = False
    return i[keep]


def pack_fills(fills: list[Fill]) -> Fills:
    """The polygons as triangle fans."""
    points, rows, kinds, triangles, start = [np.zeros((0, 3))], [], [], [np.zeros((0, 3), int)], 0
    for f in fills:
        k = len(f.points)
        points.append(f.points)
        rows += [f.row] * k
        kinds += [f.kind] * k
        triangles.append(
            start + np.column_stack([np.zeros(k - 2, int), np.arange(1, k - 1), np.arange(2, k)])
        )
        start += k
    return Fills(
        np.concatenate(points).astype("f4"),
        np.array(rows, "f4"),
        np.array(kinds, "f4"),
        np.concatenate(triangles).astype("u4"),
    )
