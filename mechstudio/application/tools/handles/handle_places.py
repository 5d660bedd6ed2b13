"""Places of handles on the screen, and the handle under the pointer."""

import itertools
import math
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from mechstudio.application.tools.eye import Eye
from mechstudio.application.tools.tool import Handle, Pointer
from mechstudio.model.geometry.rotation import Triple

REACH = 7.0  # pixels from a handle's line within which it takes a press
ON = 3.0  # pixels within which the pointer is on the line itself
DOT_REACH = 9.0  # the same from the middle of a dot or square


class HandlePosition(NamedTuple):
    """A handle and its element."""

    key: Hashable
    handle: Handle


def under(
    handle_positions: Iterable[HandlePosition], pointer: Pointer, scale: float
) -> Hashable | None:
    """The key of the handle under the pointer: a dot or square first, then a line right under it,
    an area, a line nearby; None for none.
    """
    if pointer.eye is None:
        return None
    best: tuple[int, float, Hashable | None] = (9, math.inf, None)
    for key, handle in handle_positions:
        line = flat(pointer.eye, handle.points)
        if line is None:
            continue
        small = handle.kind in ("dot", "square")
        gap = (
            _inside(line, pointer.x, pointer.y)
            if handle.kind == "area"
            else gap_of(line, pointer.x, pointer.y)
        )
        if gap <= (DOT_REACH if small else 3.0 if handle.kind == "area" else REACH) * scale:
            rank = 0 if small else 2 if handle.kind == "area" else 1 if gap <= ON * scale else 3
            best = min(best, (rank, gap, key), key=lambda b: b[:2])
    return best[2]


def flat(eye: Eye, points: Sequence[Triple]) -> list[tuple[float, float]] | None:
    """Pixels of points of W; None where one of them has none."""
    found = [eye.pixel_of(p) for p in points]
    return None if any(p is None for p in found) else found  # type: ignore[return-value]


def gap_of(line: list[tuple[float, float]], x: float, y: float) -> float:
    """Distance [px] of a pixel from a polyline."""
    if len(line) == 1:
        return math.hypot(x - line[0][0], y - line[0][1])
    best = math.inf
    for (a, b), (c, d) in itertools.pairwise(line):
        u, v = c - a, d - b
        long = u * u + v * v
        share = min(1.0, max(0.0, ((x - a) * u + (y - b) * v) / long)) if long > 0 else 0.0
        best = min(best, math.hypot(x - a - share * u, y - b - share * v))
    return best


def _inside(corners: list[tuple[float, float]], x: float, y: float) -> float:
    """0 inside a polygon, else the distance [px] from its edge."""
    odd = False
    for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]):
        if (b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b):
            odd = not odd
    return 0.0 if odd else gap_of([*corners, corners[0]], x, y)
