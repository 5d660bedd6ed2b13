"""Courses: values of a quantity over the time, at other times, and thinned for drawing."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from mechstudio.curves.dimensions import unit_of
from mechstudio.model.units import DEFAULT_SYSTEM

POINTS = 4  # of a column of pixels: its first, least, greatest and last value


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


def thinned(found: Course, start: float, end: float, columns: int) -> Course:
    """The course between two instants with at most POINTS values for each of `columns` equal
    stretches of time: what is drawn of it looks the same, and every least and greatest value is
    there, so that no peak is lost.  One sample before and one after the instants lead the line to
    the edges.

    A stretch without any number is NaN; a gap that is shorter than a stretch closes.
    """
    times, values = found.times, found.values
    first = max(int(np.searchsorted(times, start, "left")) - 1, 0)
    last = min(int(np.searchsorted(times, end, "right")) + 1, len(times))
    inside, end = slice(first, last), max(end, start)
    if last - first <= POINTS * max(columns, 1) or end == start:
        return found._replace(times=times[inside], values=values[inside])
    edges = np.linspace(start, end, columns + 1)
    starts = np.unique(np.searchsorted(times[inside], edges[1:-1], "left"))
    starts = np.concatenate(([0], starts[(starts > 0) & (starts < last - first)]))
    stops = np.append(starts[1:], last - first) - 1
    part, t = values[inside], times[inside]
    least, greatest = np.fmin.reduceat(part, starts), np.fmax.reduceat(part, starts)
    # in the order in which the line goes on, so that dashes stay dashes
    down = part[stops] < part[starts]
    least, greatest = np.where(down, greatest, least), np.where(down, least, greatest)
    middle = 0.5 * (t[starts] + t[stops])
    # a stretch that only rises or falls is a straight line, no step
    one = np.where(least == part[starts], t[starts], middle)
    other = np.where(greatest == part[stops], t[stops], middle)
    out_times = np.column_stack((t[starts], one, other, t[stops])).ravel()
    out = np.column_stack((part[starts], least, greatest, part[stops])).ravel()
    return found._replace(times=out_times, values=out)


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
