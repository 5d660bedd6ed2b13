"""The benchmark's models against SymPy's KanesMethod, in numbers at random states: mass matrix and
what stands beside it.
"""

import numpy as np
import pytest
import sympy as sp

from mechstudio.model.equations.lecture import METHODS
from mechstudio.symbolic import derive
from tests.benchmarks.derivations import MODELS, _pendulum, drawn, kane

CASES = {
    **{k: v for k, v in MODELS.items() if k != "pendulum_10"},
    "pendulum_4": (_pendulum(4), "link"),
    "pendulum_3": (_pendulum(3), "joint"),
}


def disagreement(name, method, change=lambda M, h: (M, h)):
    links, coordinates = CASES[name]
    d = derive(drawn(links), method, coordinates=coordinates)
    M, forcing, q, u, known = kane(links, coordinates == "link")
    rng = np.random.default_rng(6)
    x, v = rng.uniform(-1, 1, len(q)), rng.uniform(-1, 1, len(q))
    numbers = [*known.values()]
    # Kane's angles of a chain in absolute coordinates count from the first axes, as the links' own
    # do
    f = sp.lambdify([*known, *q, *u], [M, forcing])
    expected_M, expected_force = f(*numbers, *x, *v)
    own = d.function()(x, v)
    M_, h = change(own[0], own[1] + own[2])
    force = d.forces_function()(x, v) - h
    return max(np.abs(M_ - expected_M).max(), np.abs(force - np.ravel(expected_force)).max())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.thinned(5)
def test_kane_gives_the_same(name, method):
    assert disagreement(name, method) < 1e-9


def test_a_flipped_sign_is_seen():
    assert disagreement("pendulum_3", "lagrange", lambda M, h: (M, -h)) > 1e-3
