"""Searches for the least cost between bounds.

Each searches numbers from 0 to 1 and requests many points at once, so that the same points are
computed on any number of processes.
"""

import contextlib
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mechstudio.studies.optimisation.evaluations import BudgetSpent, Evaluations
from mechstudio.translation import Words

NO_PYMOO: Words = (
    "Several goals at once need pymoo, which is not installed: pip install mechstudio[pareto]."
)
STEP = 1e-4  # of differences, as a share of the range of a parameter
NARROW = 1e-3  # width of a population, as a share of the range, at which a local search goes on
FAR = 1e12  # scaled cost of a failed run
PARETO = 40  # points of a generation
SMALL = 1e-9  # change of the cost, as a share, below which a local search ends


class MissingLibrary(RuntimeError):
    """A library that a search needs is not installed."""


class Search(NamedTuple):
    """A way to search.  run: evaluations, start (parameters,) from 0 to 1 and seed
    to True where it came to its end; the evaluations keep the points.  several: for several goals.
    """

    run: Callable[[Evaluations, np.ndarray, int], bool]
    several: bool = False


class Slopes:
    """Cost and limits with their slopes, by central differences that are computed side by side.

    What is measured is read from samples of runs, and its numbers are right to the samples; slopes
    that were derived exactly would be no better, and a run takes 4 ms.
    """

    def __init__(self, evaluations: Evaluations, scale: float, step: float = STEP) -> None:
        """scale: of the cost.  step: of the differences, as a share of the range."""
        self._evaluations, self._scale, self._step = evaluations, scale, step
        self._x: np.ndarray | None = None

    def _at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cost and room to the limits (1 + limits,), with slopes (1 + limits, parameters)."""
        if self._x is None or not np.array_equal(x, self._x):
            n = len(x)
            ahead, behind = np.minimum(x + self._step, 1.0), np.maximum(x - self._step, 0.0)
            points = np.tile(x, (1 + 2 * n, 1))
            points[1 : 1 + n][np.diag_indices(n)] = ahead
            points[1 + n :][np.diag_indices(n)] = behind
            found = self._evaluations.costs(points)
            every = np.column_stack((found.goals[:, 0] / self._scale, -found.violations))
            # beside a failed run the slope is that of the other side
            failed = ~np.isfinite(found.goals[:, 0])
            high, low = every[1 : 1 + n].copy(), every[1 + n :].copy()
            width = ahead - behind
            for k in range(n):
                if failed[1 + k]:
                    high[k], width[k] = every[0], x[k] - behind[k]
                elif failed[1 + n + k]:
                    low[k], width[k] = every[0], ahead[k] - x[k]
            flat = failed[1 : 1 + n] & failed[1 + n :] | (width <= 0.0) | failed[0]
            slopes = np.zeros((every.shape[1], n))
            good = ~flat
            slopes[:, good] = ((high[good] - low[good]) / width[good, None]).T
            values = np.where(np.isfinite(every[0]), every[0], FAR)
            self._x, self._found = x.copy(), (values, slopes)
        return self._found

    def cost(self, x: np.ndarray) -> float:
        return float(self._at(x)[0][0])

    def cost_slopes(self, x: np.ndarray) -> np.ndarray:
        return self._at(x)[1][0]

    def room(self, x: np.ndarray) -> np.ndarray:
        return self._at(x)[0][1:]

    def room_slopes(self, x: np.ndarray) -> np.ndarray:
        return self._at(x)[1][1:]


def _local(evaluations: Evaluations, start: np.ndarray, seed: int) -> bool:
    """Sequential quadratic programming (SLSQP) from the start."""
    from scipy.optimize import minimize

    first = float(evaluations.costs(start[None]).goals[0, 0])
    scale = abs(first) if math.isfinite(first) and first else 1.0
    slopes = Slopes(evaluations, scale)
    limits: list[dict[str, Any]] = []
    if evaluations.limits:
        limits = [{"type": "ineq", "fun": slopes.room, "jac": slopes.room_slopes}]
    found = minimize(
        slopes.cost,
        start,
        method="SLSQP",
        jac=slopes.cost_slopes,
        bounds=[(0.0, 1.0)] * len(start),
        constraints=limits,
        options={"ftol": SMALL, "maxiter": 100},
    )
    # status 8: no further descent, which differences of rounded numbers end with
    return bool(found.success) or found.status == 8


def _evolution(evaluations: Evaluations, start: np.ndarray, seed: int) -> bool:
    """Differential evolution, then a local search from its best."""
    from scipy.optimize import NonlinearConstraint, differential_evolution

    n = len(start)
    limits: Any = ()
    if evaluations.limits:
        broken = lambda x: evaluations.costs(np.atleast_2d(x.T)).violations.T
        limits = NonlinearConstraint(broken, -np.inf, 0.0)
    cost = lambda x: evaluations.costs(np.atleast_2d(x.T)).goals[:, 0]
    narrow = False

    def ends(intermediate_result: Any) -> bool:
        nonlocal narrow
        # where the least cost is zero, the spread of costs beside their mean never falls
        narrow = bool(np.ptp(intermediate_result.population, axis=0).max() < NARROW)
        return narrow

    found = differential_evolution(
        cost,
        [(0.0, 1.0)] * n,
        rng=np.random.default_rng(seed),
        x0=start,
        popsize=max(10, math.ceil(20 / n)),
        init="sobol",
        updating="deferred",
        vectorized=True,
        polish=False,
        constraints=limits,
        tol=1e-4,
        maxiter=10_000,
        callback=ends,
    )
    if np.isfinite(found.fun):
        with contextlib.suppress(BudgetSpent):
            _local(evaluations, np.clip(found.x, 0.0, 1.0), seed)
    return bool(found.success) or narrow


def _simplicial(evaluations: Evaluations, start: np.ndarray, seed: int) -> bool:
    """Simplicial homology (SHGO): finds all basins that its sampling separates."""
    from scipy.optimize import shgo

    first = evaluations.costs(start[None]).goals[0, 0]
    scale = abs(first) if math.isfinite(first) and first else 1.0
    slopes = Slopes(evaluations, scale)
    value = lambda x: min(float(evaluations.costs(x[None]).goals[0, 0]) / scale, FAR)
    limits: list[dict[str, Any]] = []
    if evaluations.limits:
        limits = [{"type": "ineq", "fun": slopes.room, "jac": slopes.room_slopes}]
    found = shgo(
        value,
        [(0.0, 1.0)] * len(start),
        constraints=limits or None,
        n=32 * (1 + len(start)),
        sampling_method="sobol",
        minimizer_kwargs={"method": "SLSQP", "options": {"ftol": SMALL}},
        options={"jac": slopes.cost_slopes},
    )
    return bool(found.success)


def _pareto(evaluations: Evaluations, start: np.ndarray, seed: int) -> bool:
    """NSGA-II: many compromises between several goals."""
    try:
        from pymoo.algorithms.moo.nsga2 import NSGA2  # pyright: ignore[reportMissingImports]
        from pymoo.core.evaluator import Evaluator  # pyright: ignore[reportMissingImports]
        from pymoo.core.problem import Problem  # pyright: ignore[reportMissingImports]
        from pymoo.core.termination import NoTermination  # pyright: ignore
        from pymoo.problems.static import StaticProblem  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingLibrary(NO_PYMOO) from None
    problem = Problem(
        n_var=len(start),
        n_obj=len(evaluations.goals),
        n_ieq_constr=len(evaluations.limits),
        xl=0.0,
        xu=1.0,
    )
    algorithm = NSGA2(pop_size=PARETO)
    algorithm.setup(problem, termination=NoTermination(), seed=seed, verbose=False)
    while True:
        population: Any = algorithm.ask()
        found = evaluations.costs(population.get("X"))
        goals = np.where(np.isfinite(found.goals), found.goals, FAR)
        known = StaticProblem(problem, F=goals, G=found.violations)
        Evaluator().eval(known, population)
        algorithm.tell(infills=population)


METHODS: dict[str, Search] = {
    "evolution": Search(_evolution),
    "local": Search(_local),
    "basins": Search(_simplicial),
    "pareto": Search(_pareto, several=True),
}
