"""Answers of a fit: parameters as the data determines them, and what is left of the data."""

from typing import NamedTuple


class Estimate(NamedTuple):
    """A parameter that was fitted.  value [SI].  deviation [SI]: standard deviation; NaN where the
    data does not determine it.  low, high [SI]: confidence interval of 95 %.
    """

    name: str
    dimension: str
    value: float
    deviation: float
    low: float
    high: float


class Scatter(NamedTuple):
    """Scatter of a measured quantity about its run.  rms [SI].  points: that were compared."""

    quantity: str
    dimension: str
    rms: float
    points: int
