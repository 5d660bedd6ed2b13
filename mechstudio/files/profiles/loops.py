"""Closed loops of curves: an outline and the holes in it.

What is not clear is refused with its place: lines that branch, loops that cross or touch.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.translation import tr, trn

JOINED = 1e-5  # of the longer of two curves: ends that meet
THIN = 1e-9  # of the square of a loop's extent: it encloses no area
CHUNK = 500  # segments that are compared with all others at once

Loop = np.ndarray  # (n, 2), the first point not repeated


class Unclear(Exception):
    """Reason why curves are no outline, in half a sentence, with a place in the file's unit."""


class Outline(NamedTuple):
    """outer: counter-clockwise, holes: clockwise, each (n, 2).  notes: sentences on what was left
    out.
    """

    outer: Loop
    holes: tuple[Loop, ...]
    notes: tuple[str, ...]


def outline_of(curves: Sequence[np.ndarray]) -> Outline:
    """The largest closed loop of curves, each (n, 2), with the holes in it.  Raises Unclear."""
    once, doubles = _without_doubles([c for c in curves if _extent(c) > 0.0])
    whole = [c for c in once if _is_closed(c)]
    chained, loose = _chained([c for c in once if not _is_closed(c)])
    loops = [_clean(c) for c in (*whole, *chained)]
    solid = [loop for loop in loops if abs(area(loop)) > THIN * _extent(loop) ** 2]
    if not solid:
        raise Unclear(tr("it holds no closed outline: its lines do not meet at their ends"))
    solid.sort(key=lambda loop: -abs(area(loop)))
    outer, rest = solid[0], solid[1:]
    inside = [loop for loop in rest if _is_inside(loop[0], outer)]
    holes = [h for h in inside if not any(_is_inside(h[0], o) for o in inside if o is not h)]
    thin = [loop for loop in loops if not any(loop is s for s in solid)]
    # a loop without net area may be two that cross each other
    if (place := crossing([outer, *inside, *thin])) is not None:
        raise Unclear(tr("its outlines cross or touch near {place}", place=_words(place)))
    notes = _notes(len(rest) - len(holes), loose, doubles, len(thin))
    return Outline(_reversed(outer, 1.0), tuple(_reversed(h, -1.0) for h in holes), notes)


def _notes(beside: int, loose: int, doubles: int, thin: int) -> tuple[str, ...]:
    out: list[str] = []
    if beside:
        out.append(
            trn(
                "{count} outline beside the largest one, or in one of its holes, is left out.",
                "{count} outlines beside the largest one, or in one of its holes, are left out.",
                beside,
            )
        )
    if loose:
        out.append(
            trn(
                "{count} line that closes no outline is left out.",
                "{count} lines that close no outline are left out.",
                loose,
            )
        )
    if doubles:
        out.append(
            trn(
                "{count} line that is drawn twice counts once.",
                "{count} lines that are drawn twice count once.",
                doubles,
            )
        )
    if thin:
        out.append(
            trn(
                "{count} outline that encloses nothing is left out.",
                "{count} outlines that enclose nothing are left out.",
                thin,
            )
        )
    return tuple(out)


def area(loop: Loop) -> float:
    """Area of a loop, positive if it runs counter-clockwise."""
    x, y = (loop - loop[0]).T
    return 0.5 * float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())


def _words(place: np.ndarray) -> str:
    return f"({place[0]:.6g}, {place[1]:.6g})"


def _extent(curve: np.ndarray) -> float:
    return float(np.ptp(curve, axis=0).max())


def _is_closed(curve: np.ndarray) -> bool:
    return len(curve) > 3 and math.dist(curve[0], curve[-1]) <= JOINED * _extent(curve)


def _clean(curve: np.ndarray) -> Loop:
    """A closed curve as a loop without points that lie on each other."""
    loop = curve[:-1]
    apart = np.linalg.norm(loop - np.roll(loop, 1, axis=0), axis=1) > JOINED * _extent(curve)
    return loop[apart]


def _reversed(loop: Loop, sign: float) -> Loop:
    return loop if area(loop) * sign > 0 else loop[::-1]


def _is_inside(point: np.ndarray, loop: Loop) -> bool:
    x, y = loop.T
    u, v = np.roll(x, -1), np.roll(y, -1)
    crosses = (y > point[1]) != (v > point[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x + (point[1] - y) / (v - y) * (u - x)
    return bool(np.count_nonzero(crosses & (point[0] < at)) % 2)


def _without_doubles(curves: Sequence[np.ndarray]) -> tuple[list[np.ndarray], int]:
    """Curves without those that are drawn over each other, and the number of these."""
    kept: dict[tuple[int, bytes], np.ndarray] = {}
    for curve in curves:
        step = JOINED * _extent(curve)
        grid = np.round(curve / step).astype(np.int64)
        ways = [grid.tobytes(), grid[::-1].tobytes()]
        if _is_closed(curve):  # it may begin anywhere
            first = int(np.lexsort(grid[:-1].T)[0])
            ring = np.roll(grid[:-1], -first, axis=0)
            ways = [ring.tobytes(), np.roll(ring[::-1], 1, axis=0).tobytes()]
        kept.setdefault((len(curve), min(ways)), curve)
    return list(kept.values()), len(curves) - len(kept)


# chains


def _chained(curves: list[np.ndarray]) -> tuple[list[np.ndarray], int]:
    """Closed curves of open ones that meet at their ends, and the number of those in none.

    Raises Unclear where more than two meet and none of them ends elsewhere.
    """
    left = list(curves)
    while True:  # lines that end in nothing, such as centre lines, are no outline
        meeting = [_meeting(left, k) for k in range(len(left))]
        dangling = {k for k, (start, end) in enumerate(meeting) if not start or not end}
        if not dangling:
            break
        left = [c for k, c in enumerate(left) if k not in dangling]
    loops: list[np.ndarray] = []
    lost = len(curves) - len(left)
    for k, (start, end) in enumerate(meeting):
        for at, found in ((left[k][0], start), (left[k][-1], end)):
            if len(found) > 1:
                raise Unclear(tr("more than two lines meet near {place}", place=_words(at)))
    used: set[int] = set()
    for k in range(len(left)):
        if k in used:
            continue
        chain, at, forward = [left[k]], k, True
        used.add(k)
        while True:
            ((other, other_forward),) = meeting[at][1 if forward else 0]
            if other == k:
                break
            used.add(other)
            chain.append(left[other] if other_forward else left[other][::-1])
            at, forward = other, other_forward
        loops.append(np.concatenate([chain[0], *(c[1:] for c in chain[1:])]))
    return loops, lost


def _meeting(
    curves: list[np.ndarray], k: int
) -> tuple[list[tuple[int, bool]], list[tuple[int, bool]]]:
    """Curves that meet the start and the end of one: (number, whether it begins there)."""
    own = curves[k]
    out: tuple[list[tuple[int, bool]], list[tuple[int, bool]]] = ([], [])
    for side, at in zip(out, (own[0], own[-1])):
        for j, other in enumerate(curves):
            near = JOINED * max(_extent(own), _extent(other))
            for end, begins in ((other[0], True), (other[-1], False)):
                itself = j == k and (end is own[0]) == (at is own[0])
                if not itself and j != k and math.dist(end, at) <= near:
                    side.append((j, begins))
    return out


# crossings


def crossing(loops: Sequence[Loop]) -> np.ndarray | None:
    """A place (2,) where loops cross or touch themselves or each other; None where none does."""
    a = np.concatenate(loops)
    b = np.concatenate([np.roll(loop, -1, axis=0) for loop in loops])
    count = len(a)
    number = np.arange(count)
    after = np.concatenate(
        [start + (np.arange(n) + 1) % n for start, n in _spans([len(x) for x in loops])]
    )
    low, high = np.minimum(a, b), np.maximum(a, b)
    for first in range(0, count, CHUNK):
        rows = number[first : first + CHUNK]
        near = (low[rows, None] <= high[None]).all(axis=2) & (high[rows, None] >= low[None]).all(
            axis=2
        )
        near &= number[None] > rows[:, None]
        near &= (after[rows, None] != number[None]) & (after[None] != rows[:, None])
        i, j = np.nonzero(near)
        i = rows[i]
        hit = (_side(a[i], b[i], a[j]) * _side(a[i], b[i], b[j]) <= 0) & (
            _side(a[j], b[j], a[i]) * _side(a[j], b[j], b[i]) <= 0
        )
        if hit.any():
            k = int(np.argmax(hit))
            return (a[i[k]] + b[i[k]]) / 2
    return None


def _spans(lengths: Sequence[int]) -> list[tuple[int, int]]:
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).tolist()
    return list(zip(starts, lengths))


def _side(a: np.ndarray, b: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Sign of the turn from a over b to p (n, 2)."""
    d, e = b - a, p - a
    return np.sign(d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0])
