"""Searches on functions whose least values are known."""

import math

import numpy as np
import pytest

from mechstudio.studies.measures import Measure
from mechstudio.studies.optimisation.bounds import Bounds
from mechstudio.studies.optimisation.evaluations import BudgetSpent, Evaluations
from mechstudio.studies.optimisation.goals import Goal
from mechstudio.studies.optimisation.search import METHODS, MissingLibrary
from mechstudio.studies.points import Point
from mechstudio.studies.scheduling import Done


def evaluations(functions, limits, low, high, start, budget=6000):
    """The last of the functions are limited by the limits; NaN is a run that failed."""

    def compute(rows):
        points = [Point(tuple(float(f(row)) for f in functions)) for row in rows]
        # in batches out of order, as processes give them
        for places in (np.arange(1, len(rows), 2), np.arange(0, len(rows), 2)):
            yield Done(places, [points[k] for k in places.tolist()], 0.0, "here")

    count = len(functions) - len(limits)
    goals = [Goal("least", Measure("f", "", "number", "max"))] * count
    kept = [Measure("g", "", "number", "max", sign=s, limit=v) for s, v in limits]
    low, high = np.array(low, float), np.array(high, float)
    bounds = Bounds((), low, high, (np.array(start, float) - low) / (high - low))
    return Evaluations(bounds, goals, kept, compute, budget)


def least(found, functions, limits):
    """Row with the least first function among those that keep the limits."""
    holds = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
    tail = functions[len(functions) - len(limits) :]
    kept = [
        row
        for row in found.rows
        if math.isfinite(functions[0](row))
        and all(holds[s](f(row), v) for f, (s, v) in zip(tail, limits))
    ]
    return min(kept, key=functions[0])


def rosenbrock(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


@pytest.mark.parametrize("method", ["evolution", "local", "basins"])
def test_rosenbrock_on_a_disc(method):
    """Least at (0.786415, 0.617698) with 0.0456748 (scipy's and MATLAB's tutorial problem)."""
    functions, limits = [rosenbrock, lambda x: x @ x], [("<=", 1.0)]
    found = evaluations(functions, limits, [-1.5, -1.5], [1.5, 1.5], [-1.0, 0.5])
    assert METHODS[method].run(found, found.bounds.start, 1)
    best = least(found, functions, limits)
    assert best == pytest.approx([0.7864151, 0.6176983], abs=2e-5)
    assert rosenbrock(best) == pytest.approx(0.0456748, rel=1e-5)


def test_a_valley_among_many_is_found():
    """Rastrigin's function: 0 at the origin, some hundred valleys beside it."""

    def rastrigin(x):
        return 20 + float(np.sum(x**2 - 10 * np.cos(2 * np.pi * x)))

    found = evaluations([rastrigin], [], [-5.12, -5.12], [4.0, 5.12], [3.0, 3.0])
    assert METHODS["evolution"].run(found, found.bounds.start, 1)
    assert least(found, [rastrigin], []) == pytest.approx([0, 0], abs=1e-5)


def test_the_lower_of_several_basins_is_found():
    """The camel of six humps: -1.0316285 at (0.0898, -0.7126) and its mirror (Dixon and Szego)."""

    def camel(p):
        x, y = p
        return (4 - 2.1 * x**2 + x**4 / 3) * x**2 + x * y + (4 * y**2 - 4) * y**2

    found = evaluations([camel], [], [-3, -2], [3, 2], [2, 1])
    assert METHODS["basins"].run(found, found.bounds.start, 1)
    assert camel(least(found, [camel], [])) == pytest.approx(-1.0316285, abs=1e-7)


@pytest.mark.parametrize("method", ["evolution", "local", "basins"])
def test_runs_that_fail_are_avoided(method):
    """Nothing is known below a line that crosses the valley beside the least."""
    bowl = lambda x: math.nan if x[0] + x[1] < 0.3 else (x[0] - 0.1) ** 2 + (x[1] - 0.4) ** 2
    found = evaluations([bowl], [], [-1, -1], [1, 1], [0.8, 0.9])
    METHODS[method].run(found, found.bounds.start, 1)
    assert least(found, [bowl], []) == pytest.approx([0.1, 0.4], abs=1e-4)


def test_a_least_at_a_bound_is_exactly_there():
    found = evaluations([lambda x: x[0] + 2 * x[1]], [], [0.1, 0.3], [0.7, 0.9], [0.5, 0.5])
    assert METHODS["local"].run(found, found.bounds.start, 1)
    assert least(found, [lambda x: x[0] + 2 * x[1]], []).tolist() == [0.1, 0.3]


def test_no_more_runs_are_made_than_are_allowed_and_none_twice():
    found = evaluations([rosenbrock], [], [-1.5, -1.5], [1.5, 1.5], [-1.0, 0.5], budget=57)
    with pytest.raises(BudgetSpent):
        METHODS["evolution"].run(found, found.bounds.start, 1)
    assert len(found) <= 57
    x = np.array([[0.2, 0.3], [0.2, 0.3]])
    few = evaluations([rosenbrock], [], [-1, -1], [1, 1], [0, 0])
    few.measured(x)
    few.measured(x)
    assert len(few) == 1


def test_compromises_lie_on_the_known_front():
    """Schaffer's two parabolas: x from 0 to 2, costs x² and (x - 2)²."""
    pytest.importorskip("pymoo")
    functions = [lambda x: x[0] ** 2 + x[1], lambda x: (x[0] - 2) ** 2 + x[1]]
    found = evaluations(functions, [], [-3, 0], [5, 1], [4, 1], budget=2000)
    with pytest.raises(BudgetSpent):
        METHODS["pareto"].run(found, found.bounds.start, 1)
    costs = np.array([[f(row) for f in functions] for row in found.rows])
    front = [c for c in costs if not ((costs < c).all(axis=1)).any()]
    a, b = np.sqrt(np.clip(np.array(front), 0, None)).T
    assert np.abs(a + b - 2).max() < 0.03 and np.ptp(a) > 1.8


def test_without_pymoo_one_sentence_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pymoo.algorithms.moo.nsga2", None)
    functions = [lambda x: x[0], lambda x: -x[0]]
    found = evaluations(functions, [], [0], [1], [0.5])
    with pytest.raises(MissingLibrary, match="pip install"):
        METHODS["pareto"].run(found, found.bounds.start, 1)
