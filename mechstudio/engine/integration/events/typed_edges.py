"""Kinks of typed laws of cams: no list of them is known, so that they are looked for ahead of the
motion, one turn of the cam after the other.

A stretch of the angle is halved until interval arithmetic (kernels/loads/law_bounds.py) proves of
every part that the law is smooth there; what remains is a kink, known to rounding.
"""

import math
from collections.abc import Callable

from mechstudio.engine.integration.law_features import (
    LEVEL,
    OVERLAP,
    joined,
    longest_law,
    watch_tables,
)
from mechstudio.engine.kernels import kernel_table
from mechstudio.engine.kernels import run_tables as r
from mechstudio.engine.kernels.columns import Tables

CELL = 2.0 * math.pi  # that is searched at once [rad]
AHEAD = 4  # of them, at the end of which steps stop to look further
ORDER = 2  # of the derivative that has bounds where a law counts as smooth
LEAST, ULPS = 1e-15, 4.0  # width of a stretch that is a kink, in radians and in units of its place
MOST_LOOKS = 20_000  # at stretches of one cell; kinks that are not found by then are not known

Places = Callable[[float, float], list[float]]


class TypedEdge:
    """The kinks of one typed law over an angle.  at: place of the coordinate in y.  places: those
    between two angles [rad], ascending.  owner: name of the coupling.
    """

    unit = 1.0

    def __init__(self, at: int, places: Places, owner: str = "") -> None:
        self.at, self._places, self.owner = at, places, owner
        self._known: dict[int, list[float]] = {}

    def next(self, angle: float, way: int, land: float) -> float:
        """The next kink from an angle on upwards (way 1) or downwards (-1), those within `land`
        left out; where there is none for a while, the angle from which to look again.
        """
        first = math.floor(angle / CELL)
        for n in range(AHEAD):
            ahead = [p for p in self._of(first + way * n) if way * (p - angle) > land]
            if ahead:
                return min(ahead, key=lambda p: way * p)
        return (first + way * (AHEAD - 1) + (way > 0)) * CELL

    def _of(self, cell: int) -> list[float]:
        if cell not in self._known:
            self._known[cell] = self._places(cell * CELL, (cell + 1) * CELL)
        return self._known[cell]


def typed_edge(at: int, T: Tables, row: int, owner: str) -> TypedEdge | None:
    """The edge of the typed law in a row of T.laws; None where it is smooth at every angle."""
    from mechstudio.engine.kernels.loads.law_bounds import enclose_everywhere

    kernel_table.need(kernel_table.FEATURES)
    watch = watch_tables(longest_law(T), ORDER)
    enclose_everywhere(T, watch, row)
    if watch.found[r.CORNER] == 0.0 and watch.found[r.CURVED] < LEVEL:
        return None
    return TypedEdge(at, lambda low, high: kinks(T, row, low, high), owner)


def kinks(T: Tables, row: int, low: float, high: float) -> list[float]:
    """Kinks of a typed law of one variable between two of its values, ascending."""
    from mechstudio.engine.kernels.loads.law_bounds import enclose_over_time

    watch = watch_tables(longest_law(T), ORDER)
    waiting, tiny, looks = [(low, high)], [], 0
    while waiting and looks < MOST_LOOKS:
        looks += len(waiting)
        halves = []
        for a, b in waiting:
            size = math.ulp(max(abs(a), abs(b)))
            # a kink between two stretches lies within both
            enclose_over_time(T, watch, row, a - OVERLAP * size, b + OVERLAP * size)
            if watch.found[r.CORNER] == 0.0 and watch.found[r.CURVED] < LEVEL:
                continue
            if b - a <= max(ULPS * size, LEAST):
                tiny.append((a, b))
            else:
                middle = 0.5 * (a + b)
                halves += [(a, middle), (middle, b)]
        waiting = halves
    return [0.5 * (a + b) for a, b in joined(tiny)]
