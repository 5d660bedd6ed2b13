"""Hard stops at poses of rest: poses beyond a stop, and poses that rest against one."""

from collections.abc import Iterable, Sequence

import numpy as np

from mechstudio.engine.dynamics.partition import Partition
from mechstudio.engine.system.stops import Stop
from mechstudio.engine.system.system import System

TOUCHES = 1e-6  # radians or parts of the size up to which a coordinate is at its stop
ON_STOP = 1e-12  # the same at which the search for a stop ends
STEP = 1e-5  # radians or parts of the size, of differences
LONGEST = 0.4  # the same, of one step of the search
ITERATIONS = 60
TURNS_BACK = 1e-9  # slope of a coordinate over the independent one below which it turns back


def past(stop: Stop, y: np.ndarray) -> float:
    """Distance of a state beyond a stop, in radians or parts of the size; negative before it."""
    return stop.side * float(y[stop.at] - stop.bound) / stop.unit


def beyond(stops: Iterable[Stop], y: np.ndarray) -> list[Stop]:
    """Stops beyond which a state lies."""
    return [stop for stop in stops if past(stop, y) > TOUCHES]


def resting_against(system: System, y: np.ndarray, stops: Iterable[Stop]) -> list[Stop]:
    """Stops at which a closed state is and against which what moves it by itself pushes it."""
    at = [stop for stop in stops if past(stop, y) > -TOUCHES]
    if not at:
        return []
    p = Partition(system, y, ())
    i = list(p.independent)
    pushes = p.accelerations(y)
    size = float(np.abs(pushes / p.natural[i]).max(initial=0.0))
    if not size:
        return []
    moved = p.closed(y, STEP * pushes / size, np.zeros(len(i)))
    slow = np.abs(y[p.nq : p.nq + p.nv][i]) <= TOUCHES * p.natural[i]
    return [
        stop for stop in at if slow.all() and past(stop, moved) - past(stop, y) > STEP * TOUCHES
    ]


def slope(system: System, y: np.ndarray, p: Partition, stop: Stop) -> float:
    """Slope of the coordinate of a stop, towards the stop, over the one independent coordinate, in
    radians or parts of the size.
    """
    h = STEP * p.natural[list(p.independent)]
    zero = np.zeros(1)
    ends = [past(stop, p.closed(y, s * h, zero)) for s in (1.0, -1.0)]
    return (ends[0] - ends[1]) / (2.0 * STEP)


def onto(system: System, y: np.ndarray, names: Sequence[str], stop: Stop) -> np.ndarray | None:
    """The state at rest on a stop that is reached from a state of one freedom, None where the
    coordinate turns back before the stop.
    """
    for _ in range(ITERATIONS):
        gap = past(stop, y)
        if abs(gap) <= ON_STOP:
            return y
        p = Partition(system, y, names)
        along = slope(system, y, p, stop)
        if not abs(along) > TURNS_BACK:
            return None
        step = min(max(-gap / along, -LONGEST), LONGEST)
        y = p.closed(y, step * p.natural[list(p.independent)], np.zeros(1))
        if not np.isfinite(y).all():
            return None
    return None
