"""Mean and root mean square of samples over the time: the one rule of plots, studies and analyses.

One of the modules of this floor that use numpy: it goes over all samples of a run.
"""

import numpy as np


def means(times: np.ndarray, values: np.ndarray) -> tuple[float, float, float]:
    """Mean, root of the mean square, and the time [s] that has values, of samples (s,) of which
    some are numbers.

    By the trapezoidal rule, of the squares as well: over whole periods it is far better than the
    squares of straight lines.  A single sample counts by itself.
    """
    good = np.isfinite(values)
    h = np.diff(times) * (good[1:] & good[:-1])
    covered = float(h.sum())
    scale = float(np.abs(values[good]).max()) or 1.0
    z = np.where(good, values, 0.0) / scale
    if covered > 0:
        mean = scale * float((h * (z[1:] + z[:-1])).sum()) / (2 * covered)
        rms = scale * float(np.sqrt((h * (z[1:] ** 2 + z[:-1] ** 2)).sum() / (2 * covered)))
    else:
        mean, rms = scale * float(z[good].mean()), scale * float(np.sqrt((z[good] ** 2).mean()))
    return mean, rms, covered


def weights(places: np.ndarray) -> np.ndarray:
    """Weights (s,) of a mean over ascending places by the trapezoidal rule, which sum up to 1."""
    if len(places) < 2:
        return np.ones(len(places))
    steps = np.diff(places)
    ends = np.concatenate((steps[:1], steps[:-1] + steps[1:], steps[-1:]))
    return ends / ends.sum()


def rms(times: np.ndarray, values: np.ndarray) -> float:
    """Root mean square of samples (s,) over the time; NaN where none is a number."""
    return means(times, values)[1] if np.isfinite(values).any() else float("nan")
