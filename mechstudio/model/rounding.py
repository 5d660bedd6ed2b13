"""Round numbers: 1, 2 or 5 times a power of ten, and values in steps of them."""

import math
from collections.abc import Callable

from mechstudio.model.units import unit

LEAST = 1e-12  # that a step is taken for, so that there is one for a size of zero too
FRACTIONS = tuple(2.0**-k for k in range(6, -1, -1))  # of an inch, as rules and drills have them
SAME = 1e-9  # share by which a number may miss a round one and still be it


def round_below(value: float) -> float:
    """The largest round number not above a positive value."""
    power = _power(value)
    return power * max(k for k in (1, 2, 5, 10) if k * power <= value * (1 + SAME) or k == 1)


def round_above(value: float) -> float:
    """The least round number not below a positive value."""
    power = _power(value)
    return power * next(k for k in (1, 2, 5, 10, 20) if k * power >= value * (1 - SAME))


def round_near(value: float) -> float:
    """The round number nearest to a positive value by their ratio."""
    power = _power(value)
    return power * min((1, 2, 5, 10), key=lambda k: abs(math.log(value / (k * power))))


def round_in_unit(value: float, units: str) -> float:
    """The round number nearest to a positive length [m] in the unit of a unit system: 1, 2 or 5
    times a power of ten, of an inch also its halves, quarters, … down to a 64th.
    """
    if not units or not value > 0:
        return round_near(value)
    shown = unit("length", units)
    size = value / shown.factor
    if shown.symbol == "in" and FRACTIONS[0] / 2 <= size < 1.4:
        return shown.factor * min(FRACTIONS, key=lambda k: abs(math.log(size / k)))
    return shown.factor * round_near(size)


def step_below(size: float, units: str, dimension: str = "length") -> float:
    """The largest step [SI] not above a size [SI] that is round in the unit of a unit system."""
    return _step(round_below, size, units, dimension)


def step_above(size: float, units: str, dimension: str = "length") -> float:
    """The least step [SI] not below a size [SI] that is round in the unit of a unit system."""
    return _step(round_above, size, units, dimension)


def stepped(value: float, step: float) -> float:
    """The multiple of a step nearest to a value, without the rounding of the product."""
    return float(f"{round(value / step) * step:.12g}")


def _power(value: float) -> float:
    return 10.0 ** math.floor(math.log10(value))


def _step(rounded: Callable[[float], float], size: float, units: str, dimension: str) -> float:
    factor = unit(dimension, units).factor
    return factor * rounded(max(size / factor, LEAST))
