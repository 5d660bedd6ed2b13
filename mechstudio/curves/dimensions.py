"""Dimensions of computed curves: those of the table of units, their rates and integrals over the
time.

A dimension is a name of model.units.DIMENSIONS, or of one with "/time" or "*time" behind it for
which the table has no name: "force/time".
"""

from mechstudio.model.units import DEFAULT_SYSTEM, Unit, spoken, unit
from mechstudio.translation import tr

PER, TIMES = "/time", "*time"
_RATES = {
    "length": "velocity",
    "velocity": "acceleration",
    "angle": "angular_velocity",
    "angular_velocity": "angular_acceleration",
    "energy": "power",
    "momentum": "force",
    "angular_momentum": "torque",
    "number": "frequency",
}
_INTEGRALS = {rate: whole for whole, rate in _RATES.items()}
_POWERS = ("", "", "²", "³", "⁴")


def rate_of(dimension: str) -> str:
    """Dimension of the derivative over the time."""
    if dimension.endswith(TIMES):
        return dimension.removesuffix(TIMES)
    return _RATES.get(dimension, dimension + PER)


def integral_of(dimension: str) -> str:
    """Dimension of the integral over the time."""
    if dimension.endswith(PER):
        return dimension.removesuffix(PER)
    return _INTEGRALS.get(dimension, dimension + TIMES)


def unit_of(dimension: str, units: str = DEFAULT_SYSTEM) -> Unit:
    """The unit in which a unit system shows a dimension, computed ones too; times in seconds.
    Raises KeyError for an unknown one.
    """
    for ending in (PER, TIMES):
        if dimension.endswith(ending):
            inner = unit_of(dimension.removesuffix(ending), units)
            return Unit((_per_second if ending == PER else _seconds)(inner.symbol), inner.factor)
    return unit(dimension, units)


def axis_title(dimension: str) -> str:
    """The dimension in words, as an axis is called: "angular velocity", "rate of force"."""
    if dimension.endswith(PER):
        return tr("rate of {axis_title}", axis_title=axis_title(dimension.removesuffix(PER)))
    if dimension.endswith(TIMES):
        return tr("integral of {axis_title}", axis_title=axis_title(dimension.removesuffix(TIMES)))
    return spoken(dimension)


def _per_second(symbol: str) -> str:
    above, slash, below = symbol.partition("/")
    for power in range(1, len(_POWERS) - 1):
        if below == f"s{_POWERS[power]}":
            return f"{above}/s{_POWERS[power + 1]}"
    if not slash:
        return f"{symbol or '1'}/s"
    return f"{above}/({below}·s)"


def _seconds(symbol: str) -> str:
    above, slash, below = symbol.partition("/")
    if slash and below == "s":
        return above
    if slash and below in ("s²", "s³"):
        return f"{above}/s{_POWERS[_POWERS.index(below[1:]) - 1]}"
    return f"{symbol}·s" if symbol else "s"
