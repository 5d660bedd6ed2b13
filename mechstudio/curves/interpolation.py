"""Local polynomials through samples at uneven times: values between them, derivatives, crossings.
Nothing here passes a gap (NaN) of the samples.
"""

import numpy as np

LONG = 1000  # samples of a stretch above which even times are made use of
EVEN = 1e-9  # part of the step that they may be off


def segments(values: np.ndarray) -> list[slice]:
    """Stretches of samples without a gap."""
    good = np.concatenate(([False], np.isfinite(values), [False]))
    edges = np.flatnonzero(good[1:] != good[:-1])
    return [slice(a, b) for a, b in zip(edges[::2].tolist(), edges[1::2].tolist())]


def _windows(count: int, first: np.ndarray, size: int) -> np.ndarray:
    """Places (n, size) of windows that begin at `first`, moved into 0 … count - 1."""
    return np.clip(first, 0, count - size)[:, None] + np.arange(size)


def derivative(times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Derivative (s,) of values (s,) at their times (s,), by the quartic through five samples each;
    through fewer where a stretch has fewer, NaN where it has one.
    """
    out = np.full(len(values), np.nan)
    for part in segments(values):
        t, y = times[part], values[part]
        size = min(5, len(t))
        if size < 2:
            continue
        step = (t[-1] - t[0]) / (len(t) - 1)
        if len(t) > LONG and np.abs(np.diff(t) - step).max() <= EVEN * step:
            # the same quartic in closed form: a long run needs it between two frames
            inner = (y[:-4] - y[4:] + 8.0 * (y[3:-1] - y[1:-3])) / (12.0 * step)
            ends = [derivative(t[k], y[k]) for k in (slice(5), slice(-5, None))]
            out[part] = np.concatenate((ends[0][:2], inner, ends[1][-2:]))
            continue
        at = _windows(len(t), np.arange(len(t)) - size // 2, size)
        x, z = t[at] - t[:, None], y[at] - y[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            total = np.zeros(len(t))
            for j in range(size):
                weight = np.zeros(len(t))
                for m in range(size):
                    if m == j:
                        continue
                    product = 1.0 / (x[:, j] - x[:, m])
                    for k in range(size):
                        if k not in (j, m):
                            product = product * -x[:, k] / (x[:, j] - x[:, k])
                    weight += product
                total += weight * z[:, j]
        total[~np.isfinite(total)] = np.nan
        out[part] = total
    return out


def between(times: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values (n,) at instants (n,), by the cubic through the four samples around each; NaN outside
    the samples and beside a gap.
    """
    out = np.full(len(at), np.nan)
    for part in segments(values):
        t, y = times[part], values[part]
        inside = (at >= t[0]) & (at <= t[-1])
        if len(t) == 1:
            out[inside] = y[0]
            continue
        size = min(4, len(t))
        first = np.searchsorted(t, at[inside], "right") - size // 2
        window = _windows(len(t), first, size)
        out[inside] = _lagrange(t[window], y[window], at[inside])
    return out


def _lagrange(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Values (n,) at places (n,) of the polynomials through points (n, size)."""
    size = x.shape[1]
    out = np.zeros(len(at))
    with np.errstate(divide="ignore", invalid="ignore"):
        for j in range(size):
            product = y[:, j].copy()
            for k in range(size):
                if k != j:
                    product = product * (at - x[:, k]) / (x[:, j] - x[:, k])
            out += product
    return out


def crossings(
    times: np.ndarray,
    values: np.ndarray,
    level: float = 0.0,
    direction: str = "either",
    period: float = 0.0,
) -> np.ndarray:
    """Instants at which values pass a level, by cubics through four samples.  direction: "rising",
    "falling" or "either".  A sample on the level counts once; what only touches it does not.
    period: between levels that count as one, 0 for a single level.
    """
    if period > 0:
        return _crossings_of_levels(times, values, level, direction, period)
    found = []
    for part in segments(values):
        t, y = times[part], values[part] - level
        side = np.sign(y)
        # a sample on the level belongs to the side before it
        place = np.maximum.accumulate(np.where(side != 0, np.arange(len(y)), 0))
        side = side[place]
        turn = np.flatnonzero(side[1:] * side[:-1] < 0)
        if direction != "either":
            turn = turn[side[turn + 1] == (1 if direction == "rising" else -1)]
        # a crossing lies between two neighbours, or on the first of some samples on the level
        last = place[turn]
        found.append(_passed(t, y, last, sign=side[turn + 1], exact=last != turn))
    return np.concatenate(found) if found else np.zeros(0)


def _crossings_of_levels(
    times: np.ndarray, values: np.ndarray, level: float, direction: str, period: float
) -> np.ndarray:
    """Instants at which values pass a level or one that lies any number of periods from it."""
    found = []
    for part in segments(values):
        t, y = times[part], values[part]
        height = (y - level) / period
        under = np.floor(height)  # number of the level below each sample
        # samples on a level belong to the side before it, the first ones to that after
        begins = np.maximum.accumulate(
            np.where(np.diff(height, prepend=np.nan) != 0, np.arange(len(y)), 0)
        )
        leaves = int(np.argmax(height != height[0]))
        before = np.where(begins > 0, height[begins - 1], height[leaves])
        under -= (height == under) & (before < height)
        step = np.diff(under)
        count = np.abs(step).astype(int)
        k = np.repeat(np.arange(len(step)), count)
        number = np.arange(len(k)) - np.repeat(np.cumsum(count) - count, count)
        sign = np.sign(step)[k]
        passed = np.where(sign > 0, under[k] + 1 + number, under[k] - number)
        if direction != "either":
            kept = sign == (1 if direction == "rising" else -1)
            k, sign, passed = k[kept], sign[kept], passed[kept]
        exact = height[k] == passed
        first = np.where(exact, begins[k] - 1, k)
        found.append(_passed(t, y, first, sign, exact, level + passed * period))
    return np.concatenate(found) if found else np.zeros(0)


def _passed(
    t: np.ndarray,
    y: np.ndarray,
    step: np.ndarray,
    sign: np.ndarray,
    exact: np.ndarray,
    levels: np.ndarray | float = 0.0,
) -> np.ndarray:
    """Instants (n,) at which cubics through samples pass levels (n,), each between sample `step`
    (n,) and the next one; on that where it is exact (n,).  sign (n,): 1 upwards, -1 downwards.
    """
    if not len(step):
        return np.zeros(0)
    low, high = t[step].copy(), t[step + 1].copy()
    low[exact] = high[exact]
    size = min(4, len(t))
    window = _windows(len(t), step + 1 - size // 2, size)
    x, v = t[window], y[window]
    for _ in range(60):
        middle = 0.5 * (low + high)
        above = sign * (_lagrange(x, v, middle) - levels) >= 0
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return high
