"""Elastic surfaces in steps of 1 ms: balls and boxes of 1 kg against the closed forms of a spring
of stiffness k that only pushes.
"""

import math

import numpy as np
import pytest

import mechstudio as ms

G = 9.80665
STIFFNESSES = (1e3, 1e4, 1e5, 1e6)


def drawn(height, stiffness, damping=0.0, *, speed=0.0, gravity=0.0, box=False, push=0.0, **more):
    """A body 0.1 m above its lower side, so far above the floor, that comes down by `speed`."""
    m = ms.Builder(gravity=(0, 0, -gravity))
    body = m.body(
        "b", (0, 0, 0.1 + height), mass=1, center_of_mass=(0, 0, 0), inertia=(0.004,) * 3
    ).velocity((0, 0, -speed))
    _ = body.box(0.2, 0.2, 0.2) if box else body.sphere(0.1)
    m.surface(body, stiffness=stiffness, damping=damping, **more)
    m.floor(0.0)
    if push:
        m.force("force", "push", body=body, at=(0, 0, 0.1 + height), vector=(0, 0, -push))
    return m.project()


def values(result, name):
    return np.array(result.courses(f"{name} of b: z")[0].values)


@pytest.mark.parametrize("stiffness", STIFFNESSES)
def test_a_ball_rebounds_from_a_spring(stiffness):
    """With its speed, after pi sqrt(m / k); the impact has twice its momentum, and no loss but what
    the speed lacks.
    """
    result = ms.simulate(drawn(0.01, stiffness, speed=1.0), duration=0.2, sample_step=0.02)
    after = values(result, "Velocity")[-1]
    assert after == pytest.approx(1.0, abs=5e-3)
    left = 0.2 - (values(result, "Position")[-1] - 0.1) / after
    assert left - 0.01 == pytest.approx(math.pi / math.sqrt(stiffness), rel=0.02)
    (event,) = result.events
    assert event.impulse == pytest.approx(1.0 + after, rel=1e-9)
    assert (event.before, event.after) == pytest.approx((1.0, after), rel=1e-9)
    assert event.loss == pytest.approx(0.5 * (1.0 - after**2), abs=1e-6)
    assert not result.statistics["notes"] and result.statistics["energy_error"] < 1e-12


def test_a_stiffness_beyond_all_steps_rebounds_too():
    result = ms.simulate(drawn(0.01, 1e10, speed=1.0), duration=0.02, sample_step=0.02)
    assert values(result, "Velocity")[-1] == pytest.approx(1.0, abs=5e-3)


@pytest.mark.parametrize(
    ("more", "stiffness"), [({"box": True}, 1e4), ({"box": True}, 1e6), ({"push": 1e-9}, 1e5)]
)
def test_boxes_and_pushed_bodies_rebound_alike(more, stiffness):
    """Four corners are four springs; a body with a load moves by its velocity after the step."""
    result = ms.simulate(drawn(0.01, stiffness, speed=1.0, **more), duration=0.2, sample_step=0.02)
    assert values(result, "Velocity")[-1] == pytest.approx(1.0, abs=0.01)


def test_two_balls_swap_their_speeds():
    m = ms.Builder(gravity=(0, 0, 0))
    for name, x, speed in (("a", 0.0, 1.0), ("b", 0.25, 0.0)):
        ball = m.body(
            name, (x, 0, 0), mass=1, center_of_mass=(0, 0, 0), inertia=(0.004,) * 3
        ).sphere(0.1)
        m.surface(ball.velocity((speed, 0, 0)), stiffness=2e5)
    m.floor(-5.0)
    result = ms.simulate(m.project(), duration=0.3, sample_step=0.1)
    speeds = [result.courses(f"Velocity of {name}: x")[0].values[-1] for name in "ab"]
    assert speeds == pytest.approx([0.0, 1.0], abs=5e-3)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_damping_takes_the_speed_of_a_dashpot_that_only_pushes(stiffness, share):
    """Schwager & Poeschel 2007: e = exp(-D w t), the contact ends at t when its force does."""
    result = ms.simulate(
        drawn(0.01, stiffness, 2.0 * share / math.sqrt(stiffness), speed=1.0),
        duration=0.2,
        sample_step=0.1,
    )
    root = math.sqrt(1.0 - share**2)
    lasts = (math.pi - math.atan2(2.0 * share * root, 1.0 - 2.0 * share**2)) / root
    after = values(result, "Velocity")[-1]
    assert after == pytest.approx(math.exp(-share * lasts), abs=2e-3)
    assert sum(event.loss for event in result.events) == pytest.approx(
        0.5 * (1.0 - after**2), abs=1e-4
    )


@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5])
def test_a_ball_swings_about_its_sink(stiffness):
    """Put down without load it swings by m g / k about that depth, with 2 pi sqrt(m / k)."""
    result = ms.simulate(drawn(0.0, stiffness, gravity=G), duration=1.0, sample_step=1e-3)
    sunk = (0.1 - values(result, "Position")) * stiffness / G
    assert sunk[-200:].max() == pytest.approx(2.0, abs=0.02)
    assert sunk[-200:].min() == pytest.approx(0.0, abs=0.02)
    up = np.flatnonzero((sunk[:-1] < 1.0) & (sunk[1:] >= 1.0))
    crossings = up + (1.0 - sunk[up]) / (sunk[up + 1] - sunk[up])
    period = 1e-3 * (crossings[-1] - crossings[0]) / (len(crossings) - 1)
    assert period == pytest.approx(2.0 * math.pi / math.sqrt(stiffness), rel=0.012)


@pytest.mark.parametrize("stiffness", [1e3, 1e5, 1e6])
def test_a_body_rests_at_its_sink(stiffness):
    project = drawn(0.0, stiffness, 0.03, gravity=G)
    result = ms.simulate(project, duration=2.0, sample_step=1.0)
    sunk = (0.1 - values(result, "Position")[-1]) * stiffness / G
    assert sunk == pytest.approx(1.0, abs=2e-3)


def test_no_gain_is_noted_of_what_springs_and_adhesion_give_back():
    """Central impacts without friction: nothing strikes obliquely."""
    for more in ({}, {"adhesion": 50.0}):
        project = drawn(0.01, 1e5, speed=1.0, friction=0.0, **more)
        assert not ms.simulate(project, duration=0.1, sample_step=0.02).statistics["notes"]
