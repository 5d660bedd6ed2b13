"""Instants at which samples of a run stand: multiples of the sample step, the start and the end."""

import math

import numpy as np

from mechstudio.engine.integration.options import RunOptions, step_count
from mechstudio.engine.system.system import System

ON_GRID = 1e-9  # of the sample step, by which a start counts as one of its multiples


def sample_places(system: System, options: RunOptions) -> tuple[int, float, int]:
    """Number n of the first sample at n sample steps, the time of the start [s], and the number
    that the last of these samples does not reach.

    Runs that begin at multiples of the sample step have samples at the same instants, to the last
    bit, as those that begin at zero.
    """
    step, start = options.sample_step, system.mechanism.start.value
    nearest = round(start / step)
    if abs(nearest * step - start) <= ON_GRID * step:
        return nearest, nearest * step, nearest + step_count(options) + 1
    last = math.floor((start + options.duration) / step * (1 + 1e-12) + 1e-9)
    return math.floor(start / step) + 1, start, last + 1


def at_time(y: np.ndarray, time: float) -> np.ndarray:
    """A copy of a state (n,), whose last number is the time, at another time [s]."""
    return np.append(y[:-1], time)
