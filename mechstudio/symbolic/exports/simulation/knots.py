"""Laws laid out in knots: values and rates at instants so close that the quintics between them keep
to the law.
"""

from collections.abc import Callable

import numpy as np

from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import ACCELERATION, POSITION, Drive, Law
from mechstudio.symbolic.exports.simulation.course import Course

KNOTS = 200  # intervals of a course at least, and those that corners add
MOST = 10_000  # instants of a course
BEFORE = 1e-6  # of the duration: how long before a corner its left side is taken
_FINE = 8  # steps of the integration of a law between two knots


def instants(law: Law, duration: float) -> np.ndarray:
    """Sample times of a course; at a corner also just before it, since what jumps there has two
    values.
    """
    corners = [t for t in evaluation.breakpoints(law) if 0.0 < t < duration]
    return np.array(
        sorted(
            {
                *np.linspace(0.0, duration, KNOTS + 1),
                *corners,
                *(t - BEFORE * duration for t in corners if t > BEFORE * duration),
            }
        )
    )


def laid_out(
    name: str,
    acceleration: str,
    jets: Callable[[np.ndarray], np.ndarray],
    times: np.ndarray,
    allowed: tuple[float, float, float],
) -> Course:
    """A course whose instants, some at first, are so close that the quintics between them miss
    value, rate and second rate each by a share of its size that is allowed.

    jets: times -> (f, f', f'') (3, times).
    """
    shortest = 4.0 * BEFORE * (times[-1] - times[0])
    while True:
        middles = (times[:-1] + times[1:]) / 2
        both = np.sort(np.concatenate((times, middles)))
        found = jets(both)
        table, between = found[:, ::2], found[:, 1::2]
        size = np.abs(found).max(axis=1)[:, None]
        miss = np.abs(_quintic_middles(np.diff(times), table) - between)
        share = (miss / (np.where(size > 0.0, size, 1.0) * np.array(allowed)[:, None])).max(axis=0)
        rough = (share > 1.0) & (np.diff(times) > shortest)
        worst = float(share[rough].max(initial=0.0))
        # what has no value stays as it is
        if not rough.any() or len(times) + rough.sum() > MOST:
            x, f, g, h = (tuple(map(float, row)) for row in (times, *table))
            return Course(name, acceleration, x, f, g, h, worst)
        times = np.sort(np.concatenate((times, middles[rough])))


def _quintic_middles(h: np.ndarray, table: np.ndarray) -> np.ndarray:
    """f, f', f'' (3, n) half way between knots at distances h, of the quintics through a table."""
    (f0, g0, k0), (f1, g1, k1) = table[:, :-1], table[:, 1:]
    d = f1 - f0
    return np.array(
        [
            (f0 + f1) / 2 + h * (5 / 32) * (g0 - g1) + h * h / 64 * (k0 + k1),
            15 / 8 * d / h - 7 / 16 * (g0 + g1) + h / 32 * (k1 - k0),
            1.5 * (g1 - g0) / h - (k0 + k1) / 4,
        ]
    )


def driven(drive: Drive, knots: np.ndarray, place: float, rate: float) -> np.ndarray:
    """Place, rate and acceleration (3, knots) that a drive prescribes: q(t) = q(0) + f(t) - f(0),
    or the integral of f from q(0), or twice from q(0) and its rate.
    """
    if drive.quantity == POSITION:
        f, g, h = np.array(evaluation.jets(drive.law, knots)).T
        return np.array((place + f - f[0], g, h))
    times = np.append(
        (knots[:-1, None] + np.diff(knots)[:, None] * np.arange(_FINE) / _FINE).ravel(), knots[-1]
    )
    f, g, _ = np.array(evaluation.jets(drive.law, times)).T
    a = g if drive.quantity != ACCELERATION else f
    u = f if drive.quantity != ACCELERATION else rate + _integral(times, f, g)
    return np.array((place + _integral(times, u, a), u, a))[:, ::_FINE]


def _integral(t: np.ndarray, f: np.ndarray, g: np.ndarray) -> np.ndarray:
    """The integral of f from the first t on, from values and slopes (Hermite's rule, fourth
    order).
    """
    h = np.diff(t)
    pieces = h * (f[:-1] + f[1:]) / 2 + h * h * (g[:-1] - g[1:]) / 12
    return np.concatenate(([0.0], np.cumsum(pieces)))
