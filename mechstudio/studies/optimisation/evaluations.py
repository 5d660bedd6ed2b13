"""Evaluations: the points of an optimisation, computed in parallel, each once."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.studies.measures import Measure
from mechstudio.studies.optimisation.bounds import Bounds
from mechstudio.studies.optimisation.goals import Goal
from mechstudio.studies.points import Point
from mechstudio.studies.scheduling import Done

# of each limit, where a run failed: worse than any run that breaks it
FAILED = 1e6
# share of a limit that searches stay away from it, so that the answer keeps it whatever is rounded
MARGIN = 1e-8
ROUNDING = 1e-12  # share of the range within which a number is its bound


class Costs(NamedTuple):
    """Points as a search sees them.  goals (n, goals): the less the better, infinite where a run
    failed.  violations (n, limits): above zero by how much
    a limit is broken, as a share of it.
    """

    goals: np.ndarray
    violations: np.ndarray


class BudgetSpent(Exception):
    """As many runs were made as were allowed."""


class Evaluations:
    """All points that were computed, in the order in which they were requested.

    bounds: between which a search goes from 0 to 1.
    """

    def __init__(
        self,
        bounds: Bounds,
        goals: Sequence[Goal],
        limits: Sequence[Measure],
        compute: Callable[[np.ndarray], Iterable[Done]],
        budget: int,
    ) -> None:
        """compute: rows (n, parameters) [SI] to batches whose places are those of the rows.
        budget: of runs, which may be raised later.
        Measures of a point are those of the goals, then those of the limits; any others follow.
        """
        self.bounds, self.goals, self.limits = bounds, tuple(goals), tuple(limits)
        self._compute, self.budget = compute, budget
        self.rows: list[np.ndarray] = []
        self.batches: list[Done] = []  # with places among `rows`
        self._points: dict[bytes, Point] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def values(self, x: np.ndarray) -> np.ndarray:
        """Parameters (n, parameters) [SI] from numbers between 0 and 1."""
        # a bound is exactly the bound, whatever a search rounds
        low, high = self.bounds.low, self.bounds.high
        return np.where(
            x <= ROUNDING, low, np.where(x >= 1.0 - ROUNDING, high, low + x * (high - low))
        )

    def measured(self, x: np.ndarray) -> np.ndarray:
        """Measures (n, goals + limits) [SI] at x (n, parameters) from 0 to 1; NaN where a run
        failed.  Raises BudgetSpent once as many runs are made as are allowed, and more are
        requested.
        """
        rows = self.values(np.atleast_2d(x))
        keys = [row.tobytes() for row in rows]
        # a point that is requested twice at once is computed once
        first = {key: k for k, key in reversed(list(enumerate(keys)))}
        new = sorted(k for key, k in first.items() if key not in self._points)
        # of a batch that is too large the first are made all the same
        is_spent = len(self.rows) + len(new) > self.budget
        new = new[: self.budget - len(self.rows)]
        if new:
            start = len(self.rows)
            self.rows += [rows[k] for k in new]
            for done in self._compute(rows[new]):
                self.batches.append(done._replace(places=done.places + start))
                for place, point in zip(done.places.tolist(), done.points, strict=True):
                    self._points[keys[new[place]]] = point
        if is_spent:
            raise BudgetSpent
        own = len(self.goals) + len(self.limits)
        found = [self._points[key].values[:own] for key in keys]
        return np.array(found).reshape(len(keys), own)

    def costs(self, x: np.ndarray) -> Costs:
        """Goals and limits at x (n, parameters) from 0 to 1.  Raises BudgetSpent."""
        found = self.measured(x)
        goals = np.stack([g.cost(found[:, k]) for k, g in enumerate(self.goals)], axis=1)
        broken = np.empty((len(found), len(self.limits)))
        for k, limit in enumerate(self.limits):
            value = found[:, len(self.goals) + k]
            excess = value - limit.limit if limit.sign == "<=" else limit.limit - value
            broken[:, k] = excess / (abs(limit.limit) or 1.0) + MARGIN
        failed = np.logical_not(np.isfinite(found).all(axis=1))
        return Costs(
            np.where(failed[:, None], math.inf, goals), np.where(failed[:, None], FAILED, broken)
        )
