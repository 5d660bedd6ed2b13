"""Every kernel that Python calls, compiled (or loaded from the cache) one after the other."""

from collections.abc import Callable, Iterator

import numpy as np
from numba import typeof

from . import columns as k
from .columns import Tables
from .recording import record
from .right_hand_side import jacobian, move, project, reading_jacobian, right_hand_side, settle_readings
from .stepping import Method, Run, advance

_INTEGER_TABLES = {"size", "nodes", "rows", "slots", "near", "order", "forces", "reads", "bodies"}
_VECTORS = {"size", "settings", "coupling", "order"}


def _array(dimensions: int, integer: bool = False) -> np.ndarray:
    return np.zeros((1,) * dimensions, np.int64 if integer else np.float64)


def example_tables() -> Tables:
    """Tables of the right types and of no meaning."""
    return Tables(*(_array(1 if name in _VECTORS else 2, name in _INTEGER_TABLES) for name in Tables._fields))


def _signatures():
    T, y, M, table = example_tables(), _array(1), _array(2), np.zeros((1, k.NODE_WORK))
    method = Method(M, y, y, y, M, _array(1, True))
    run = Run(y, _array(1, True), y, y, M, M, y, y, y, M)
    # (share of the time that a cold compile takes, kernel, arguments)
    return ((0.30, right_hand_side, (y, T, y, True)), (0.12, project, (y, T)), (0.03, settle_readings, (y, T)), (0.04, move, (y, T, y)),
            (0.04, jacobian, (y, T, M)), (0.05, reading_jacobian, (y, T, M)), (0.07, record, (M, T, M, y, M, M, table)),
            (0.35, advance, (run, method, T, 1)))


def entry_points() -> Iterator[tuple[float, Callable[[], object]]]:
    """(fraction of the whole that is done afterwards, function that compiles the next kernel)."""
    done = 0.0
    for share, kernel, arguments in _signatures():
        done += share
        yield min(done, 1.0), lambda kernel=kernel, types=tuple(map(typeof, arguments)): kernel.compile(types)
