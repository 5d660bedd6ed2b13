"""Tables of laws: the polynomials between their points, and how far these swing beyond the points
on either side.

Every kind runs through all points and is level before the first one and after the last.  Of points
at one place the last counts.
"""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mechstudio.translation import Words

MONOTONE, SPLINE, STRAIGHT, STEPS = "monotone", "spline", "straight", "steps"
CRUMB = 1e-12  # share of a table's range by which rounding may leave it

Row = tuple[
    float, tuple[float, ...]
]  # where a piece begins and its coefficients: f = sum c_k (s - begin)^k


class TableKind(NamedTuple):
    """Interpolation of a table between its points.  jumps: True if its value does."""

    label: Words
    jumps: bool = False


TABLE_KINDS: dict[str, TableKind] = {
    # never beyond the two points on either side, with a steady slope
    MONOTONE: TableKind("Monotone"),
    # with a steady curvature, level at both ends; it swings beyond its points
    SPLINE: TableKind("Spline"),
    STRAIGHT: TableKind("Straight pieces"),
    # each value holds up to the next point
    STEPS: TableKind("Steps", jumps=True),
}


class Overshoot(NamedTuple):
    """A stretch of a table, from `begin` to `end`, beyond the points on either side of it.  peak:
    where it is farthest, by `size`.
    """

    begin: float
    end: float
    peak: float
    size: float


def rows(points: Sequence[tuple[float, float]], kind: str) -> tuple[Row, ...]:
    """The pieces of a table, ascending; the first holds from -inf on and the last for ever.
    points: (variable, value) ascending.  kind: key of TABLE_KINDS.
    """
    points = list(dict(points).items())
    if len(points) < 2:
        return ((-math.inf, (points[0][1] if points else 0.0,)),)
    first, last = points[0], points[-1]
    if kind == STEPS:
        return ((-math.inf, (first[1],)), *((s, (f,)) for s, f in points))
    h = [b[0] - a[0] for a, b in itertools.pairwise(points)]
    d = [(b[1] - a[1]) / w for a, b, w in zip(points, points[1:], h)]
    if kind == STRAIGHT:
        inner: list[Row] = [(s, (f, slope)) for (s, f), slope in zip(points, d)]
    else:
        inner: list[Row] = []
        m = _SLOPES[kind](h, d)
        for i, (s, f) in enumerate(points[:-1]):
            a, b = m[i], m[i + 1]
            inner.append(
                (s, (f, a, (3.0 * d[i] - 2.0 * a - b) / h[i], (a + b - 2.0 * d[i]) / (h[i] * h[i])))
            )
    return ((-math.inf, (first[1],)), *inner, (last[0], (last[1],)))


def _spline_slopes(h: list[float], d: list[float]) -> list[float]:
    """m_0 = m_n = 0, h_i m_(i-1) + 2 (h_(i-1) + h_i) m_i + h_(i-1) m_(i+1) = 3 (h_i d_(i-1) +
    h_(i-1) d_i).

    d: slopes of the chords, h: their lengths (de Boor, A Practical Guide to Splines, chapter IV).
    """
    n = len(h)
    slopes, ratio = [0.0] * (n + 1), [0.0] * (n + 1)
    for i in range(1, n):
        pivot = 2.0 * (h[i - 1] + h[i]) - h[i] * ratio[i - 1]
        ratio[i] = h[i - 1] / pivot
        slopes[i] = (3.0 * (h[i] * d[i - 1] + h[i - 1] * d[i]) - h[i] * slopes[i - 1]) / pivot
    for i in range(n - 1, 0, -1):
        slopes[i] -= ratio[i] * slopes[i + 1]
    return slopes


def _monotone_slopes(h: list[float], d: list[float]) -> list[float]:
    """Weighted harmonic means of the chords' slopes, 0 at an extremum (Fritsch & Butland 1984, as
    scipy.interpolate.PchipInterpolator has them).
    """
    n = len(h)
    if n == 1:
        return [d[0], d[0]]
    inner: list[float] = []
    for i in range(1, n):
        before, after = 2.0 * h[i] + h[i - 1], h[i] + 2.0 * h[i - 1]
        inner.append(
            (before + after) / (before / d[i - 1] + after / d[i])
            if _sign(d[i - 1]) * _sign(d[i]) > 0.0
            else 0.0
        )
    return [_end_slope(h[0], h[1], d[0], d[1]), *inner, _end_slope(h[-1], h[-2], d[-1], d[-2])]


def _end_slope(h: float, inner_h: float, d: float, inner_d: float) -> float:
    """The slope at an end by three points, held within what keeps the piece monotone (Moler,
    Numerical Computing with MATLAB, 3.6).
    """
    slope = ((2.0 * h + inner_h) * d - h * inner_d) / (h + inner_h)
    if _sign(slope) != _sign(d):
        return 0.0
    return 3.0 * d if _sign(d) != _sign(inner_d) and abs(slope) > 3.0 * abs(d) else slope


def _sign(x: float) -> float:
    return float((x > 0.0) - (x < 0.0))


_SLOPES: dict[str, Callable[[list[float], list[float]], list[float]]] = {
    SPLINE: _spline_slopes,
    MONOTONE: _monotone_slopes,
}


def overshoots(points: Sequence[tuple[float, float]], kind: str) -> tuple[Overshoot, ...]:
    """Overshoots of a table beyond the two points on either side, ascending."""
    points = list(dict(points).items())
    if kind in (STRAIGHT, STEPS) or len(points) < 2:
        return ()
    crumb = CRUMB * max(abs(f) for _, f in points)
    out: list[Overshoot] = []
    for (begin, c), a, b in zip(rows(points, kind)[1:], points, points[1:]):
        h = b[0] - a[0]

        def over(u: float, side: float, level: float, c: tuple[float, ...] = c) -> float:
            """Height over a level, or depth below it."""
            return side * (c[0] + u * (c[1] + u * (c[2] + u * c[3])) - level)

        turns = [u for u in _zeros(c[1], 2.0 * c[2], 3.0 * c[3]) if 0.0 < u < h]
        for level, side in ((max(a[1], b[1]), 1.0), (min(a[1], b[1]), -1.0)):
            height = functools.partial(over, side=side, level=level)
            peak = max(turns, key=height, default=0.0)
            size = height(peak)
            if size <= crumb:
                continue
            # the cubic leaves the level at one of the two points, or at one and between them
            edges = sorted([0.0, h, *(t for t in turns if t != peak)])
            low = max(u for u in edges if u < peak)
            high = min(u for u in edges if u > peak)
            out.append(
                Overshoot(
                    begin + _edge(height, peak, low),
                    begin + _edge(height, peak, high),
                    begin + peak,
                    size,
                )
            )
    return tuple(sorted(out))


def _zeros(c: float, b: float, a: float) -> list[float]:
    """Real zeros of a u^2 + b u + c."""
    if a == 0.0:
        return [-c / b] if b != 0.0 else []
    inside = b * b - 4.0 * a * c
    if inside < 0.0:
        return []
    q = -0.5 * (b + math.copysign(math.sqrt(inside), b))
    return [q / a, *([c / q] if q != 0.0 else [])]


def _edge(height: Callable[[float], float], inside: float, outside: float) -> float:
    """End of the range of heights above zero between a place within it and one on the way out of
    it.
    """
    if height(outside) > 0.0:
        return outside
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if height(middle) > 0.0 else (inside, middle)
    return outside
