"""Loads on free bodies that slide on a floor: steps are of second order, as they are without
contacts.

A box of mass m slides along x with friction mu m g against its way; every load passes through its
centre of mass, so that it does not turn.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mechstudio as ms

MASS, MU, GRAVITY = 7.85, 0.2, 9.81
STEP = 1e-3


def sliding_box(step, speed=0.0):
    """(builder, box) of a box on a floor, with a speed along x [m/s]."""
    m = ms.Builder()
    box = m.body("box", (0, 0, 0.05), mass=MASS, inertia=(0.0131,) * 3).box(0.1, 0.1, 0.1)
    box.velocity((speed, 0, 0))
    m.floor(friction=MU)
    m.surface(box, friction=MU)
    m.touch(step=step)
    return m, box


def end_of(m, duration):
    """(x [m], speed [m/s]) of the box at the end of a run without notes."""
    result = ms.simulate(m.project(), duration=duration, sample_step=duration)
    assert not result.statistics["notes"]
    return result.position("box")[-1, 0], result.velocities[-1, 0, 0]


def test_a_constant_force_moves_it_by_half_a_t_squared():
    m, box = sliding_box(STEP)
    m.force("force", "push", body=box, at=(0, 0, 0.05), vector=(50.0, 0, 0))
    rate = 50.0 / MASS - MU * GRAVITY
    x, speed = end_of(m, 0.1)
    assert x == pytest.approx(0.5 * rate * 0.1**2, rel=1e-6)
    assert speed == pytest.approx(rate * 0.1, rel=1e-6)


LOADS = {
    "spring": (
        {"stiffness": 50.0, "free_length": 0.4},
        lambda x, v: 50.0 * (0.1 - x),
    ),
    "damper": ({"damping": 10.0}, lambda x, v: -10.0 * v),
}


@pytest.mark.parametrize("kind", LOADS)
def test_springs_and_dampers_pull_to_second_order(kind):
    """Steps of first order are off by half a step of the way that the load makes: 1e-4 m."""
    numbers, force = LOADS[kind]
    found = solve_ivp(
        lambda t, y: [y[1], force(*y) / MASS - MU * GRAVITY], (0, 0.2), [0, 1.0], rtol=1e-12
    )
    m, box = sliding_box(STEP, speed=1.0)
    ends = ((0.5, 0, 0.05), (0, 0, 0.05))
    m.force(kind, kind, a=m.ground, b=box, at=ends, **numbers)
    x, speed = end_of(m, 0.2)
    assert x == pytest.approx(found.y[0, -1], abs=5e-7)
    assert speed == pytest.approx(found.y[1, -1], abs=2e-6)


def test_a_spring_beside_contacts_gains_no_energy():
    """A box without friction swings on a spring at 8 rad/s for 10 periods and comes back."""
    m, box = sliding_box(STEP)
    m.floor(friction=0.0)
    m.surface(box, friction=0.0)
    stiffness = MASS * 8.0**2
    ends = ((0.5, 0, 0.05), (0, 0, 0.05))
    m.force("spring", "spring", a=m.ground, b=box, at=ends, stiffness=stiffness, free_length=0.4)
    period = 2.0 * np.pi / 8.0
    x, speed = end_of(m, 10 * period)
    assert x == pytest.approx(0.0, abs=1e-5) and speed == pytest.approx(0.0, abs=1e-3)
