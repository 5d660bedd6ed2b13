"""One contact with friction whose normal and tangential parts are coupled: impulses on the edge of
its cone and their slips, by the formulas in numpy.
"""

import math

import numpy as np
import pytest

from mechstudio.engine.contacts.cone import paradox

MU = 0.4


def contact(seed):
    """Response A (3, 3) [1/kg] and velocity b (3,) without an impulse [m/s], approaching."""
    rng = np.random.default_rng(seed)
    root, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    return root @ root.T + np.eye(3), np.array((-1.0 - abs(b[0]), b[1], b[2]))


@pytest.mark.parametrize("angle", [-2.0, 0.3, 1.4, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_slip_of_an_impulse_on_the_edge(seed, angle):
    """u = b + A p at p = n (1, mu cos, mu sin) with u_n = 0, across and along the direction of
    p.
    """
    A, b = contact(seed)
    across, along, n = paradox.off_line.py_func(tuple(A.ravel()), *b, MU, angle)
    c, s = math.cos(angle), math.sin(angle)
    u = b + A @ (n * np.array((1.0, MU * c, MU * s)))
    assert n > 0.0 and u[0] == pytest.approx(0.0, abs=1e-12)
    assert (across, along) == pytest.approx((c * u[2] - s * u[1], c * u[1] + s * u[2]), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_a_contact_alone_sticks_or_slides_against_its_friction(seed, monkeypatch):
    """Of seed 2 the slow slip lies between two directions that are tried, one of which slides the
    other way.
    """
    sliding = paradox.slide.py_func
    monkeypatch.setitem(sliding.__globals__, "off_line", paradox.off_line.py_func)
    monkeypatch.setitem(sliding.__globals__, "slide", sliding)
    A, b = contact(seed)
    p = np.array(paradox.solve_own.py_func(tuple(A.ravel()), *b, MU))
    u = b + A @ p
    friction = math.hypot(p[1], p[2])
    assert p[0] > 0.0 and u[0] == pytest.approx(0.0, abs=1e-9)
    if friction < MU * p[0] * (1.0 - 1e-9):
        assert u == pytest.approx(np.zeros(3), abs=1e-9)
    else:
        slip = math.hypot(u[1], u[2])
        assert friction == pytest.approx(MU * p[0], rel=1e-9)
        assert p[1:] @ u[1:] == pytest.approx(-friction * slip, rel=1e-9)


def test_a_contact_that_parts_has_no_impulse():
    assert paradox.solve_own.py_func(tuple(np.eye(3).ravel()), 0.1, 1.0, 0.0, MU) == (0.0, 0.0, 0.0)
