"""Statistics of a course between two instants: mean, extremes, RMS, period, and its peaks.

Between samples a course runs on straight lines; mean and RMS are integrals by the trapezoidal rule
over the true times of the samples.  Gaps (NaN) count for nothing.
"""

from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.curves.course import Course
from mechstudio.model.formulas.means import means as rule

# part of the RMS deviation that a course must pass beyond its mean before it can cross it again
BAND = 0.1
REPEATS = 0.8  # autocorrelation from which a course repeats itself
# loss of autocorrelation up to which a shorter period is as good as the best
AS_GOOD = 0.01
MOST_CROSSINGS = 12  # of the mean, in one period and one sense
PROMINENCE = 0.02  # of the whole range, that a peak must stand out by
FLAT = 1e-9  # part of the largest magnitude below which a range is only rounding
SMOOTH = 0.4  # least bend over the largest, of the bends around a peak that is smooth
MOST_COMPARED = 20_000  # instants at which a course is compared with itself later
MOST_TURNS = 20_000  # turning points that are examined; of more, the extremes of as many stretches


class Statistics(msgspec.Struct, frozen=True):
    """Statistics of a course between A and B; None where a number has no meaning.

    start, end: A and B, the earlier first [s].  first, last: values there.  least, greatest: with
    the instants at which they are, peaks refined between samples.  period [s]: of a course that
    repeats itself.  covered: part of the time that has values.
    """

    start: float
    end: float
    first: float | None
    last: float | None
    mean: float | None
    rms: float | None
    least: float | None
    least_at: float | None
    greatest: float | None
    greatest_at: float | None
    period: float | None
    covered: float

    @property
    def duration(self) -> float:
        """Time from A to B [s]."""
        return self.end - self.start

    @property
    def change(self) -> float | None:
        """Value at B less that at A."""
        return None if self.first is None or self.last is None else self.last - self.first

    @property
    def slope(self) -> float | None:
        """Change over duration [per s]."""
        return None if self.change is None or not self.duration else self.change / self.duration

    @property
    def frequency(self) -> float | None:
        """Periods per second [Hz]."""
        return None if self.period is None else 1.0 / self.period


class Extremes(NamedTuple):
    """The least and the greatest value of a course, with the instants at which they are [s]."""

    least: float
    least_at: float
    greatest: float
    greatest_at: float


class Peak(NamedTuple):
    """A peak or trough.  time [s], value: between samples where the course is smooth there.
    upward: a peak, not a trough.  refined: it lies between samples.
    """

    time: float
    value: float
    upward: bool
    refined: bool


def statistics(
    found: Course, start: float, end: float, rates: np.ndarray | None = None
) -> Statistics:
    """Statistics between two instants, in either order.  rates (s,): derivative at the samples
    where a run has recorded it; peaks are then refined by it.
    """
    start, end = min(start, end), max(start, end)
    inside = cut(found, start, end)
    first, last = (_at(found, time) for time in (start, end))
    most = _extremes_of(inside, peaks(found, rates=rates, start=start, end=end))
    if most is None:
        return Statistics(start, end, first, last, None, None, None, None, None, None, None, 0.0)
    mean, rms, covered = rule(inside.times, inside.values)
    return Statistics(
        start,
        end,
        first,
        last,
        mean,
        rms,
        *most,
        period(inside),
        covered / (end - start) if end > start else 1.0,
    )


def extremes(found: Course, rates: np.ndarray | None = None) -> Extremes | None:
    """Those of a whole course, as `statistics` has them; None where no value is known."""
    return _extremes_of(found, peaks(found, rates=rates))


def means(found: Course) -> tuple[float, float] | None:
    """Mean and root of the mean square of a whole course, as `statistics` has them; None where no
    value is known.
    """
    return rule(found.times, found.values)[:2] if np.isfinite(found.values).any() else None


def _extremes_of(course: Course, turns: list[Peak]) -> Extremes | None:
    """The least and the greatest sample, or refined peak that surpasses it."""
    t, y = course.times, course.values
    if not np.isfinite(y).any():
        return None
    low, high = int(np.nanargmin(y)), int(np.nanargmax(y))
    found = [(float(y[low]), float(t[low])), (float(y[high]), float(t[high]))]
    for peak in turns:
        side = int(peak.upward)
        if (peak.value > found[side][0]) == peak.upward and peak.refined:
            found[side] = peak.value, peak.time
    return Extremes(*found[0], *found[1])


def _at(found: Course, time: float) -> float | None:
    """The value at an instant, on a straight line between samples; None where it is unknown."""
    t, y = found.times, found.values
    if not len(t) or not t[0] <= time <= t[-1]:
        return None
    k = int(np.searchsorted(t, time))
    if t[k] == time:
        value = float(y[k])
    else:
        value = float(y[k - 1] + (y[k] - y[k - 1]) * ((time - t[k - 1]) / (t[k] - t[k - 1])))
    return value if np.isfinite(value) else None


def cut(found: Course, start: float, end: float) -> Course:
    """The course from one instant to another with its values at both."""
    inside = found.between(start, end)
    t, y = inside.times, inside.values
    ends = [(time, _at(found, time)) for time in (start, end)]
    if ends[0][1] is not None and (not len(t) or t[0] > start):
        t, y = np.append(start, t), np.append(ends[0][1], y)
    if ends[1][1] is not None and t[-1] < end:
        t, y = np.append(t, end), np.append(y, ends[1][1])
    return Course(t, y, found.loose)


# peaks


def peaks(
    found: Course,
    rates: np.ndarray | None = None,
    start: float = -np.inf,
    end: float = np.inf,
    prominence: float = PROMINENCE,
) -> list[Peak]:
    """Peaks and troughs between two instants in order of time.  prominence: part of the range of
    all values that each stands out by, so that noise below it has none.

    An end of the course or of a gap is no peak, since its continuation is unknown.  A level top
    counts once, in its middle.  A smooth peak is refined: by a cubic through the values and rates
    of two samples where there are rates, else by a quartic through five samples or a parabola
    through three; at a kink or a jump the sample counts.
    """
    t, y = found.times, found.values
    good = np.isfinite(y)
    if good.sum() < 3:
        return []
    low, high = float(y[good].min()), float(y[good].max())
    largest = max(abs(low), abs(high))
    if high - low <= FLAT * largest:
        return []
    out = []
    edges = np.flatnonzero(np.diff(np.concatenate(([False], good, [False])).astype(int)))
    for a, b in zip(edges[::2], edges[1::2]):
        turns = _turns(y[a:b], prominence * (high - low))
        if len(turns):
            out += _refined(t[a:b], y[a:b], None if rates is None else rates[a:b], turns)
    return [peak for peak in out if start <= peak.time <= end]


def _turns(y: np.ndarray, least: float) -> np.ndarray:
    """(first sample, last sample, 1 for a peak or 0) of every turn, level or sharp, of values
    without gaps that stands out by more than `least` at both sides; (turns, 3).
    """
    # samples after which the value changes, and of these changes those after which it turns
    moves = np.flatnonzero(np.diff(y) != 0)
    up = y[moves + 1] > y[moves]
    turning = np.flatnonzero(up[1:] != up[:-1])
    spans = np.column_stack((moves[turning] + 1, moves[turning + 1]))
    if len(spans) > MOST_TURNS:
        spans = spans[_extremes(y[spans[:, 0]], MOST_TURNS // 2)]
    spans = np.vstack((spans, [[len(y) - 1, len(y) - 1]]))
    found: list[tuple[int, int, int]] = []
    # the extreme since the last turn that counts; before the first the way of going is unknown
    low = high = float(y[0])
    at, rising = (0, 0), None
    for (first, last), value in zip(spans.tolist(), y[spans[:, 0]].tolist()):
        if rising is None:
            low, high = min(low, value), max(high, value)
            if high - low > least:
                rising = value == high
                at, low, high = (first, last), value, value
        elif (rising and value >= high) or (not rising and value <= low):
            at, low, high = (first, last), value, value
        elif (high - value if rising else value - low) > least:
            found.append((at[0], at[1], int(rising)))
            rising, at, low, high = not rising, (first, last), value, value
    return np.array(found, int).reshape(-1, 3)


def _extremes(values: np.ndarray, stretches: int) -> np.ndarray:
    """Ascending places of the least and greatest value of as many equal stretches."""
    size = -(-len(values) // stretches)
    padded = np.full(size * (-(-len(values) // size)), values[-1])
    padded[: len(values)] = values
    rows = padded.reshape(-1, size)
    first = size * np.arange(len(rows))
    places = np.concatenate((first + rows.argmin(axis=1), first + rows.argmax(axis=1)))
    return np.unique(np.minimum(places, len(values) - 1))


def _refined(
    t: np.ndarray, y: np.ndarray, rates: np.ndarray | None, turns: np.ndarray
) -> list[Peak]:
    """The peaks of turns (first sample, last sample, upward)."""
    first, last, upward = turns.T
    sign = np.where(upward, 1.0, -1.0)
    times, values = 0.5 * (t[first] + t[last]), y[first].copy()
    refined = np.zeros(len(turns), bool)
    # two samples alike stand at both sides of a smooth peak as well as on a level one
    sharp = last - first <= 1
    ways = [] if rates is None else [lambda k: _by_rates(t, y, rates, k, sign)]
    ways += [lambda k, w=w: _by_values(t, y, k, sign, w) for w in (2, 1)]
    for way in ways:
        if not (sharp & ~refined).any():
            break
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            time, value, good = way(first)
        # what is refined surpasses the samples beside it
        good &= sharp & ~refined & np.isfinite(time) & np.isfinite(value)
        good &= sign * value >= sign * values
        times[good], values[good] = time[good], value[good]
        refined |= good
        # what bends unevenly over five samples has a kink that three do not show
        sharp &= refined | (first < 2) | (first + 2 >= len(t))
        if rates is not None:
            break
    return [
        Peak(*row)
        for row in zip(times.tolist(), values.tolist(), (upward > 0).tolist(), refined.tolist())
    ]


def _by_rates(t, y, rates, k, sign) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, values and success of peaks by the cubic through values and rates of two samples."""
    a = np.clip(np.where(sign * rates[k] > 0, k, k - 1), 0, len(t) - 2)
    h = t[a + 1] - t[a]
    r0, r1, rise = rates[a] * h, rates[a + 1] * h, y[a + 1] - y[a]
    # p(x) = y + r0 x + c x^2 + d x^3, whose derivative vanishes once where its ends differ in sign
    c, d = 3 * rise - 2 * r0 - r1, r0 + r1 - 2 * rise
    root = np.sqrt(np.maximum(c * c - 3 * d * r0, 0.0))
    x = r0 / (-c + sign * root)
    bends = np.diff(rates) / np.diff(t)
    beside = [bends[np.clip(a + n, 0, len(bends) - 1)] for n in (-1, 0, 1)]
    good = (sign * r0 >= 0) & (sign * r1 <= 0) & (x >= 0) & (x <= 1) & _even(beside, sign)
    return t[a] + x * h, y[a] + x * (r0 + x * (c + x * d)), good


def _by_values(t, y, k, sign, reach) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same by the polynomial through the samples that lie as near as `reach`."""
    good = (k >= reach) & (k + reach < len(t))
    at = np.clip(k, reach, len(t) - 1 - reach)[:, None] + np.arange(-reach, reach + 1)
    if len(t) < 2 * reach + 1:
        return t[k], y[k], np.zeros(len(k), bool)
    unit = (t[at[:, -1]] - t[at[:, 0]]) / (2 * reach)
    x, z = (t[at] - t[k][:, None]) / unit[:, None], y[at] - y[k][:, None]
    # of fewer than five samples those bends that there are
    bends = np.diff(np.diff(y) / np.diff(t)) / (t[2:] - t[:-2])
    beside = [bends[np.clip(k - 1 + n, 0, len(bends) - 1)] for n in (-1, 0, 1)]
    good &= _even(beside, sign)
    # samples at one time cannot lie on a polynomial
    good &= np.all(np.diff(x) > 0, axis=1)
    powers = x[:, :, None] ** np.arange(2 * reach, -1, -1)
    powers[~good] = np.eye(2 * reach + 1)
    c = np.linalg.solve(powers, np.where(good[:, None], z, 0.0)[:, :, None])[:, :, 0]
    degree = np.arange(2 * reach, -1, -1)
    one = (c * degree)[:, :-1]
    two = (one * degree[1:])[:, :-1]
    s = np.zeros(len(k))
    for _ in range(8):
        s = np.clip(s - _value(one, s) / _value(two, s), x[:, reach - 1], x[:, reach + 1])
    return t[k] + s * unit, y[k] + _value(c, s), good


def _value(polynomials: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values (k,) of polynomials (k, n), highest power first, at one place each (k,)."""
    value = polynomials[:, 0]
    for j in range(1, polynomials.shape[1]):
        value = value * at + polynomials[:, j]
    return value


def _even(bends: list[np.ndarray], sign: np.ndarray) -> np.ndarray:
    """True where all bends have the sense of the peak and are alike: the course is smooth."""
    down = [-sign * b for b in bends]
    return np.min(down, axis=0) > SMOOTH * np.max(down, axis=0)


# period


def period(found: Course) -> float | None:
    """Period [s] of a course: the mean time after which it crosses its mean alike, if it repeats
    itself then by its autocorrelation, decaying or not; None otherwise, and of less than one
    period.
    """
    good = np.isfinite(found.values)
    t, y = found.times[good], found.values[good]
    if len(t) < 4 or t[-1] <= t[0]:
        return None
    largest = float(np.abs(y).max())
    if not y.max() - y.min() > FLAT * largest:
        return None
    h, z = np.diff(t), y / largest
    z = z - float((h * (z[1:] + z[:-1])).sum() / (2 * h.sum()))
    z /= np.sqrt((h * (z[1:] ** 2 + z[:-1] ** 2)).sum() / (2 * h.sum()))
    repetitions: list[tuple[float, float]] = []
    for sense in (1.0, -1.0):
        at = _crossings_of_band(t, sense * z)
        for k in range(1, min(MOST_CROSSINGS, len(at) - 1) + 1):
            shift = float(np.mean(at[k:] - at[:-k]))
            repetitions.append((_repetition(t, z, shift), shift))
            if repetitions[-1][0] >= 1 - AS_GOOD:
                break
    highest = max((n for n, _ in repetitions), default=0.0)
    if highest < REPEATS:
        return None
    # a multiple of the period repeats as well, and by chance or by noise a little better
    enough = highest - max(AS_GOOD, 1 - highest)
    shifts = [shift for n, shift in repetitions if n >= enough]
    return float(np.mean([shift for shift in shifts if shift < 1.25 * min(shifts)]))


def _crossings_of_band(t: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Instants at which z rises through zero after it was below -BAND, refined between samples."""
    state = np.where(z < -BAND, -1, np.where(z >= 0, 1, 0))
    place = np.flatnonzero(state)
    crossing = place[1:][(state[place[1:]] == 1) & (state[place[:-1]] == -1)]
    crossing = crossing[crossing > 0]
    before, after = z[crossing - 1], z[crossing]
    share = np.where(after > before, -before / np.where(after > before, after - before, 1.0), 1.0)
    return t[crossing - 1] + np.clip(share, 0.0, 1.0) * (t[crossing] - t[crossing - 1])


def _repetition(t: np.ndarray, z: np.ndarray, shift: float) -> float:
    """Autocorrelation of a course with itself a time later: 2 sum a b / sum (a^2 + b^2), 1 where
    it repeats itself.
    """
    count = int(np.searchsorted(t, t[-1] - shift, "right"))
    if count < 3:
        return 0.0
    some = np.unique(np.linspace(0, count - 1, min(count, MOST_COMPARED)).astype(int))
    a, b = z[some], np.interp(t[some] + shift, t, z)
    return float(2 * (a * b).sum() / (a * a + b * b).sum())
