"""Measured data beside a run: the shift between both clocks, and what is left between them."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from mechstudio.curves.course import Course, resampled, smooth
from mechstudio.curves.measurements.table import LEAST, DataUnreadable, Matched
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.translation import tr

OVERLAP = 0.5  # of the shorter one, at least, that a shift leaves in both
POINTS, SHIFTS = 400, 2000  # of the coarse search, at most; points of all columns
VALLEYS, GOLDEN, FINE = 12, 40, 2000  # places that are searched closely, steps, points there
LONGEST = 50.0  # times the run that data may last: the search would step over more
NEARLY = 0.05  # share over the least misfit, up to which the smaller shift is taken
CHANCE = 3.0  # standard errors of a misfit that count as chance


class Compared(NamedTuple):
    """Measured values beside a run.  shift [s]: instants of the run are those of the data plus it.
    residual: run less data, over the time of the run, in SI.  rms, largest: of the residual; at
    [s]: of the largest one.
    """

    column: str
    quantity: PlotQuantity
    shift: float
    residual: Course
    rms: float
    largest: float
    at: float


def compared(
    found: Sequence[Matched], of: Callable[[PlotQuantity], Course], shift: float | None = None
) -> list[Compared]:
    """Residuals of measured columns.  of(quantity): its course in the run.  shift [s]: of the
    clocks; None for the one of least squares, common to all columns, each weighed by its spread.

    Raises DataUnreadable where run and data have too few instants in common.
    """
    pairs = [(m, of(m.quantity)) for m in found]
    shift = best_shift([(m.course, run) for m, run in pairs]) if shift is None else shift
    out = []
    for m, run in pairs:
        times = m.course.times + shift
        there = resampled(run, times, "smooth").values
        residual = there - m.course.values
        good = np.isfinite(residual)
        if good.sum() < LEAST:
            raise DataUnreadable(
                tr(
                    "{column} and the run have fewer than {count} instants in common.",
                    column=m.column,
                    count=LEAST,
                )
            )
        worst = int(np.nanargmax(np.abs(residual)))
        out.append(
            Compared(
                m.column,
                m.quantity,
                shift,
                Course(times[good], residual[good]),
                float(np.sqrt(np.mean(residual[good] ** 2))),
                float(abs(residual[worst])),
                float(times[worst]),
            )
        )
    return out


def best_shift(pairs: Sequence[tuple[Course, Course]]) -> float:
    """Shift [s] to add to the instants of data, so that a run is nearest to it in the mean square:
    a search over all shifts that leave enough in common, then by golden section.

    Of shifts that fit about as well, as of a periodic motion, the smallest is taken.  pairs: (data,
    run) each.
    """
    good = [(d, r) for d, r in pairs if np.isfinite(d.values).sum() >= LEAST and len(r.times) > 1]
    if not good:
        raise DataUnreadable(
            tr("The data have fewer than {count} instants with numbers.", count=LEAST)
        )
    first, last = good[0][0].times[0], good[0][0].times[-1]
    begin, end = good[0][1].times[0], good[0][1].times[-1]
    if last - first > LONGEST * (end - begin):
        raise DataUnreadable(
            tr(
                "The data last {count:.0f} times as long as the run, too long to find it in them: "
                "cut them around it.",
                count=(last - first) / (end - begin),
            )
        )
    common = OVERLAP * min(last - first, end - begin)
    low, high = begin + common - last, end - common - first
    step = max(
        (high - low) / SHIFTS,
        min(float(np.median(np.diff(r.times))) for _, r in good),
    )
    tried = np.arange(low, high + step, step)
    coarse = [(*_thinned(d, POINTS // len(good)), r) for d, r in good]
    sizes = np.array([_misfit(coarse, float(s), _straight) for s in tried])
    if not np.isfinite(sizes).any():
        raise DataUnreadable(tr("Run and data have nothing in common at any shift."))
    sizes = np.where(np.isfinite(sizes), sizes, math.inf)
    fine = [(*_thinned(d, FINE // len(good)), smooth(r)) for d, r in good]
    count = sum(int(np.isfinite(values).sum()) for _, values, _ in fine)
    # mean squares of so few rough values differ by chance
    near = 1.0 + max(NEARLY, CHANCE * math.sqrt(2.0 / count))
    best = [
        _golden(
            lambda s: _misfit(fine, s, lambda run, times: run(times)),
            float(tried[k]) - step,
            float(tried[k]) + step,
        )
        for k in _valleys(sizes, near)
    ]
    spread = 1e-9 + near * min(size for _, size in best)
    return min((s for s, size in best if size <= spread), key=abs)


def _valleys(sizes: np.ndarray, near: float) -> list[int]:
    """Places of the deepest valleys; a ripple in the slope of one is no valley of its own.  near:
    ratio of sizes that do not separate places.
    """
    left, right = np.r_[math.inf, sizes[:-1]], np.r_[sizes[1:], math.inf]
    lowest = np.flatnonzero((sizes <= left) & (sizes <= right) & np.isfinite(sizes))
    found: list[int] = []
    for k in lowest[np.argsort(sizes[lowest], kind="stable")].tolist():
        between = [sizes[min(j, k) : max(j, k) + 1].max() for j in found]
        if all(barrier > near * sizes[k] for barrier in between):
            found.append(k)
        if len(found) == VALLEYS:
            break
    return found


def _thinned(data: Course, most: int) -> tuple[np.ndarray, np.ndarray]:
    every = max(1, math.ceil(len(data.times) / max(most, LEAST)))
    return data.times[::every], data.values[::every]


def _straight(run: Course, times: np.ndarray) -> np.ndarray:
    """Values of a run on straight lines; NaN outside and beside a gap."""
    return np.interp(times, run.times, run.values, np.nan, np.nan)


Run = TypeVar("Run")


def _misfit(
    data: Sequence[tuple[np.ndarray, np.ndarray, Run]],
    shift: float,
    at: Callable[[Run, np.ndarray], np.ndarray],
) -> float:
    """Mean square of the differences over the spread of each column; NaN without any.  data:
    instants, values and run of each; at(run, times): values of a run.
    """
    total = count = 0.0
    for times, values, run in data:
        apart = at(run, times + shift) - values
        good = apart[np.isfinite(apart)]
        spread = float(np.nanstd(values)) or 1.0
        total += float(good @ good) / spread**2
        count += len(good)
    return total / count if count else math.nan


def _golden(f: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """Place and size of the least value between two places."""
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    p, q = high - ratio * (high - low), low + ratio * (high - low)
    at_p, at_q = f(p), f(q)
    for _ in range(GOLDEN):
        if at_p < at_q:
            high, q, at_q = q, p, at_p
            p = high - ratio * (high - low)
            at_p = f(p)
        else:
            low, p, at_p = p, q, at_q
            q = low + ratio * (high - low)
            at_q = f(q)
    s = 0.5 * (low + high)
    return s, f(s)
