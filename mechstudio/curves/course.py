"""Courses: values of a quantity over the time."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from mechstudio.curves.dimensions import unit_of
from mechstudio.model.units import DEFAULT_SYSTEM


class Course(NamedTuple):
    """Values of a quantity.  times (s,) [s], ascending; values (s,) in SI, NaN where unknown.
    loose: rigid bodies do not determine it at some instant.
    """

    times: np.ndarray
    values: np.ndarray
    loose: bool = False

    def between(self, start: float, end: float) -> "Course":
        """The part from one instant to another, both included."""
        first, last = np.searchsorted(self.times, (min(start, end), max(start, end)))
        last += int(last < len(self.times) and self.times[last] <= max(start, end))
        return self._replace(times=self.times[first:last], values=self.values[first:last])


def in_unit(values: np.ndarray, dimension: str, units: str = DEFAULT_SYSTEM) -> np.ndarray:
    """Values [SI] in the unit in which a unit system shows them."""
    return values / unit_of(dimension, units).factor


def resampled(
    found: Course, times: np.ndarray, between: Literal["straight", "smooth"] = "straight"
) -> Course:
    """A course at other times: on straight lines between its samples, or on a cubic spline through
    them, which is wrong at a jump.  NaN before its start, after its end and beside a gap.
    """
    times = np.asarray(times, float)
    if between == "smooth":
        return Course(times, smooth(found)(times), found.loose)
    good = np.isfinite(found.values)
    if good.sum() < 2:
        return Course(times, np.full(len(times), np.nan), found.loose)
    values = np.interp(times, found.times[good], found.values[good], np.nan, np.nan)
    return Course(times, _without_gaps(found, good, times, values), found.loose)


def smooth(found: Course) -> Callable[[np.ndarray], np.ndarray]:
    """The cubic spline through the samples of a course, NaN as of `resampled`."""
    from scipy.interpolate import CubicSpline

    good = np.isfinite(found.values)
    if good.sum() < 2:
        return lambda times: np.full(len(times), np.nan)
    one = np.concatenate(([True], np.diff(found.times[good]) > 0))
    spline = CubicSpline(found.times[good][one], found.values[good][one], extrapolate=False)
    return lambda times: _without_gaps(found, good, times, spline(times))


def _without_gaps(
    found: Course, good: np.ndarray, times: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Values at times, NaN beside a sample without a number.  good: samples with one."""
    if good.all():
        return values
    # what lies between a sample and one without a number is unknown
    after = np.clip(np.searchsorted(found.times, times), 0, len(good) - 1)
    before = np.maximum(after - (found.times[after] != times), 0)
    values[~(good[after] & good[before])] = np.nan
    return values
