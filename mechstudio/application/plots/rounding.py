"""Zeros of a run that hold only the rounding of its numbers, such as the velocity across the plane
of a planar mechanism.
"""

import math
from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from mechstudio.application.plots.panes import BALANCE
from mechstudio.application.plots.series import Samples, value_now
from mechstudio.curves.course import Course
from mechstudio.curves.quantities import quantity
from mechstudio.model.results.channels import channels
from mechstudio.model.units import DIMENSIONS

# part of the largest number of its dimension in the run below which a number is only rounding; runs
# of planar mechanisms leave up to 1e-15 of it
SHARE = 1e-14
ERRORS = ("Constraint error", "Contacts")  # groups whose rounding is what they tell
RESTS = ("length", "angular_velocity", "velocity", "energy")  # the sizes that others follow from


class _Sizes:
    """Largest magnitudes in a run.  count: samples that were read; columns (width,): of each."""

    def __init__(self, samples: Samples) -> None:
        found = channels(samples.project.mechanism, samples.layout).values()
        # sums and errors are no size of a motion
        kept = [c for c in found if len(c.columns) == 1 and c.group not in ERRORS]
        self._of = [(c.dimension, c.columns[0]) for c in kept if c.key != BALANCE]
        self.count, self.columns = 0, np.zeros(samples.layout.width)

    def read(self, samples: Samples) -> None:
        """Read the samples that came since."""
        if samples.count > self.count:
            rows = samples.rows[self.count : samples.count]
            # without an array as large as the run
            most = np.fmax(np.fmax.reduce(rows, axis=0), -np.fmin.reduce(rows, axis=0))
            self.columns = np.fmax(self.columns, most)
            self.count = samples.count

    def largest(self, dimension: str) -> float:
        """Largest magnitude of a dimension that the samples hold [SI]; 0 without any."""
        return max((float(self.columns[c]) for of, c in self._of if of == dimension), default=0.0)

    def size(self, dimension: str) -> float:
        """Size of the quantities of a dimension [SI], 0 where it is unknown.

        It is at least the one that follows from a length L, a rate w and an energy E of the run, as
        L w of a velocity and E/L of a force.
        """
        length, turning, speed, energy = map(self.largest, RESTS)
        rate = max(turning, speed / length if length > 0 else 0.0)
        l, m, t, _ = DIMENSIONS.get(dimension, (math.nan,) * 4)
        powers = [(energy, m), (length, l - 2 * m), (rate, -t - 2 * m)]
        needed = [(base, power) for base, power in powers if power]
        known = all(base > 0 and math.isfinite(power) for base, power in needed)
        follows = math.prod(base**power for base, power in needed) if known else 0.0
        return max(self.largest(dimension), follows)


_kept: WeakKeyDictionary[Samples, _Sizes] = WeakKeyDictionary()
# of each quantity its values, and what is shown of them
_shown: WeakKeyDictionary[Samples, dict[str, tuple[np.ndarray, np.ndarray]]] = WeakKeyDictionary()


def rounding(samples: Samples, key: str) -> float:
    """Magnitude [SI] up to which a value of a quantity is only rounding beside the largest of its
    kind in the run; 0 of an error, whose rounding counts.
    """
    shown = quantity(samples.project, key)
    if shown is None or shown.group in ERRORS or shown.key.endswith(BALANCE):
        return 0.0
    sizes = _kept.get(samples)
    if sizes is None:
        sizes = _kept[samples] = _Sizes(samples)
    sizes.read(samples)
    return SHARE * sizes.size(shown.dimension)


def value_shown(
    samples: Samples, sample: np.ndarray, key: str, answers: Mapping[str, Course]
) -> float:
    """Value [SI] of a quantity at one sample, as of series.value_now; 0 where it is only
    rounding.
    """
    value = value_now(samples, sample, key, answers)
    return 0.0 if abs(value) <= rounding(samples, key) else value


def without_rounding(samples: Samples, key: str, values: np.ndarray) -> np.ndarray:
    """Values (n,) [SI] of a quantity over a run, the same array while they stay: zeros where all of
    them are only rounding.
    """
    kept = _shown.setdefault(samples, {})
    before = kept.get(key)
    if before is None or not same(before[0], values):
        least = rounding(samples, key)
        rounded = len(values) and least and np.fmax.reduce(np.abs(values)) <= least
        shown = np.where(np.isfinite(values), 0.0, values) if rounded else values
        before = kept[key] = (values, shown)
    return before[1]


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """True for one stretch of memory; the first array is held, so that no other one takes it."""
    return len(a) == len(b) and a.ctypes.data == b.ctypes.data
