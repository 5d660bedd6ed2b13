"""Stored studies: what is varied, what is measured, and how points are chosen, as it was typed."""

from collections.abc import Mapping
from typing import Any

import msgspec

# what is requested of a measure
LEAST, GREATEST, TARGET, SHOW = "least", "greatest", "target", "show"
GOALS = (LEAST, GREATEST, TARGET, SHOW)
# statistics of a quantity over a run, and those that need a level, a time or another quantity
STATISTICS = ("max", "min", "peak", "range", "mean", "rms", "first", "final")
AT, WHEN, ABOVE, BELOW = "at", "when", "time above", "time below"
SIGNS = ("", "<=", ">=")
# what one crosses, as WHEN is typed
DIRECTIONS = {"=": "either", ">": "rising", "<": "falling"}
# ways of drawing samples, and the one that finds Sobol indices
DRAWS = ("latin", "sobol", "random")
SENSITIVITY = "sensitivity"
# searches for the best, the last one for several goals
EVOLUTION, LOCAL, BASINS, PARETO = "evolution", "local", "basins", "pareto"
SEARCHES = (EVOLUTION, LOCAL, BASINS, PARETO)
FIT = "fit"  # of measured data
# kinds of runs: at points that are chosen before, of a search, of a fit
POINTS, BEST = "points", "best"


class VariedParameter(msgspec.Struct, frozen=True):
    """A parameter with its values as they are typed, such as "310..350 mm:9"."""

    parameter: str
    values: str
    extra: Mapping[str, Any] = {}


class MeasuredQuantity(msgspec.Struct, frozen=True):
    """One number of each run.

    statistic: one of STATISTICS, or AT, WHEN, ABOVE, BELOW.  channel: key of the quantity; name:
    that it had last, by which it is called once it is gone.  level: the typed time of AT, or value
    of the others.  of: key of the quantity that passes the level of WHEN, in `direction`.  sign,
    limit: one of SIGNS and the typed number, which a run has to keep.  goal: one of GOALS; target:
    the typed number of TARGET.
    """

    statistic: str
    channel: str
    name: str = ""
    level: str = ""
    of: str = ""
    direction: str = "either"
    sign: str = ""
    limit: str = ""
    goal: str = SHOW
    target: str = ""
    extra: Mapping[str, Any] = {}


class RankCorrelation(msgspec.Struct, frozen=True):
    """Rank correlation of two drawn parameters, between -1 and 1."""

    a: str
    b: str
    value: float
    extra: Mapping[str, Any] = {}


class MeasuredColumn(msgspec.Struct, frozen=True):
    """A column of measured data that a fit is to meet.

    column: its head in the file.  channel: key of its quantity; name: that it had last.
    """

    column: str
    channel: str
    name: str = ""
    extra: Mapping[str, Any] = {}


class StudySetup(msgspec.Struct, frozen=True):
    """A study of the project.

    method: one of DRAWS, SENSITIVITY, or of SEARCHES and FIT, which make at most `runs` between the
    bounds of the variations. samples: at each point of the grid.  duration, sample_step: of its
    runs as they are typed, "" for those of the project, or of the data of a fit.  data: path of the
    file that a fit is to meet, beside the project unless it is whole; clock: head of its column of
    instants; columns: that are compared.  Names that are not there are no error: whoever runs it
    says so.
    """

    id: str
    name: str
    vary: tuple[VariedParameter, ...] = ()
    measures: tuple[MeasuredQuantity, ...] = ()
    correlations: tuple[RankCorrelation, ...] = ()
    method: str = DRAWS[0]
    samples: int = 1
    seed: int = 1
    one_at_a_time: bool = False
    duration: str = ""
    sample_step: str = ""
    note: str = ""
    runs: int = 2000
    data: str = ""
    clock: str = ""
    columns: tuple[MeasuredColumn, ...] = ()
    extra: Mapping[str, Any] = {}

    @property
    def is_search(self) -> bool:
        """True if the best is searched for, and no points are chosen before."""
        return self.method in SEARCHES

    @property
    def is_fit(self) -> bool:
        """True if measured data is to be met."""
        return self.method == FIT

    @property
    def kind(self) -> str:
        """Kind of its runs: POINTS, BEST or FIT."""
        return FIT if self.is_fit else BEST if self.is_search else POINTS

    @property
    def bounds(self) -> list[str]:
        """Texts of the bounds of the variations; of a grid its ends are the bounds."""
        return [f"{v.parameter}={v.values.partition(':')[0]}" for v in self.vary]
