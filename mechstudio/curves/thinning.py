"""Thinning of curves for drawing: four points for each column of pixels, so that no peak is
lost.
"""

import numpy as np

from mechstudio.curves.course import Course

POINTS = 4  # of a column: its first, least, greatest and last value


def thinned(found: Course, start: float, end: float, columns: int) -> Course:
    """The course between two instants with at most POINTS values for each of `columns` equal
    stretches of time: what is drawn of it looks the same, and every least and greatest value is
    there.  One sample before and one after the instants lead the line to the edges.

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
    out_times = np.column_stack((t[starts], middle, middle, t[stops])).ravel()
    out = np.column_stack((part[starts], least, greatest, part[stops])).ravel()
    return found._replace(times=out_times, values=out)
