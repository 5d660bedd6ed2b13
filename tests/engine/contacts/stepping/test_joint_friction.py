"""Dry friction of joints beside contacts: two balls on slides along x that push each other, without
gravity.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.contacts.runs.contact_run import ContactRunner
from mechstudio.engine.contacts.stepping import joint_friction
from mechstudio.engine.contacts.stepping.joint_friction import effort_of, extrapolated
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import system_for


def pushed(masses, push, levels):
    """A and B touch; `push` acts on A towards B.  levels: of the friction of their slides."""
    m = ms.Builder(gravity=(0, 0, 0))
    for name, x, mass, level in zip("AB", (0.0, 0.2), masses, levels):
        ball = m.body(
            name, (x, 0, 0), mass=mass, center_of_mass=(0, 0, 0), inertia=(0.01 * mass,) * 3
        ).sphere(0.1)
        slide = m.slider(f"slide of {name}", m.ground, ball, at=(x, 0, 0), axis=(1, 0, 0))
        if level:
            m.force("friction_force", f"friction of {name}", joint=slide, force=level, speed=0)
        if name == "A":
            m.force("motor_force", "push", joint=slide, force=push)
    m.floor(-5.0)
    return m.project()


def values(result, name):
    return result.courses(name)[0].values


def settling(result):
    """The notes about frictions and contacts that did not agree."""
    return [note for note in result.statistics["notes"] if "dry friction of joints" in note]


@pytest.mark.parametrize(
    ("masses", "push", "levels"),
    [
        ((1e3, 1.0), 3e3, (0.0, 5e3)),
        ((1e6, 1e-3), 3e6, (0.0, 5e6)),
        ((1e-3, 1e3), 3.0, (1.0, 5.0)),
        ((1.0, 1.0), 3.0, (1.0, 5.0)),
    ],
)
def test_a_friction_holds_whatever_pushes_it(masses, push, levels):
    result = ms.simulate(pushed(masses, push, levels), duration=0.2, sample_step=0.05)
    assert np.abs(values(result, "Position of A: x")).max() < 1e-5
    assert np.abs(values(result, "Velocity of A: x")).max() < 1e-4
    assert values(result, "Acceleration of B: x") == pytest.approx([0.0] * 5, abs=1e-6)
    held = values(result, "Force of friction of B")
    assert np.isnan(held).all(), "no law gives how much it holds"
    assert not settling(result)


@pytest.mark.parametrize(
    ("masses", "push", "levels"),
    [((1e3, 1.0), 3e3, (0.0, 2e3)), ((1.0, 1.0), 7.0, (1.0, 1.0)), ((1.0, 1e3), 30.0, (2.0, 8.0))],
)
def test_both_slide_as_one_where_the_push_is_beyond_their_frictions(masses, push, levels):
    """a = (F - levels) / (both masses) from the first instant on; the contact bears m_B a + the
    friction of B.
    """
    result = ms.simulate(pushed(masses, push, levels), duration=0.2, sample_step=0.05)
    gained = (push - sum(levels)) / sum(masses)
    times = np.array([0.0, 0.05, 0.1, 0.15, 0.2])
    for body in "AB":
        assert values(result, f"Velocity of {body}: x") == pytest.approx(gained * times, abs=3e-6)
        assert values(result, f"Acceleration of {body}: x") == pytest.approx([gained] * 5, abs=2e-3)
    borne = values(result, "Normal force A – B")
    assert borne == pytest.approx([masses[1] * gained + levels[1]] * 5, rel=2e-3)


def test_nothing_moves_up_to_the_sum_of_all_frictions():
    result = ms.simulate(pushed((1.0, 1.0), 3.0, (1.0, 2.001)), duration=0.2, sample_step=0.05)
    assert values(result, "Position of B: x") == pytest.approx([0.2] * 5, abs=1e-6)


def test_frictions_that_do_not_settle_are_noted(monkeypatch):
    monkeypatch.setattr(joint_friction, "TURNS", 1)
    result = ms.simulate(pushed((1e6, 1e-3), 3e6, (0.0, 5e6)), duration=0.01, sample_step=0.01)
    assert settling(result)


def test_a_step_that_is_made_again_is_the_same():
    project = pushed((1.0, 2.0), 5.0, (1.0, 1.0))
    options = RunOptions(duration=0.02, sample_step=0.01)
    system = system_for(project.mechanism, options)
    world = ContactRunner(system, options, [], None, None).world
    world.advance(3)
    saved = world.saved()
    world.advance(2)
    once = world.y.copy()
    world.restore(saved)
    assert not np.array_equal(world.y, once)
    world.advance(2)
    assert np.array_equal(world.y, once)


def test_a_linear_map_has_its_fixed_point_after_as_many_turns_as_it_has_unknowns():
    slope, shift = np.array([[0.9, -0.4], [0.3, 0.8]]), np.array([1.0, -2.0])
    at, inputs, errors = np.zeros(2), [], []
    for _ in range(3):
        inputs, errors = [*inputs, at], [*errors, slope @ at + shift - at]
        at = extrapolated(inputs, errors)
    assert at == pytest.approx(np.linalg.solve(np.eye(2) - slope, shift), rel=1e-12)


@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_a_drive_bears_the_friction_of_its_own_joint(speed):
    """The drive pushes with the level of friction, and gives its work F v t."""
    m = ms.Builder(gravity=(0, 0, 0))
    ball = m.body("A", (0, 0, 0), mass=1, center_of_mass=(0, 0, 0), inertia=(0.01,) * 3)
    slide = m.slider("slide", m.ground, ball.sphere(0.1), at=(0, 0, 0), axis=(1, 0, 0))
    m.force("friction_force", "friction", joint=slide, force=5.0, speed=0)
    m.drive("drive", slide, speed=f"{speed} m/s")
    m.floor(-5.0)
    result = ms.simulate(m.project(), duration=0.1, sample_step=0.05)
    assert values(result, "Force of friction") == pytest.approx([-5.0 * speed] * 3)
    assert values(result, "Force of drive") == pytest.approx([5.0 * speed] * 3)
    worked = values(result, "Work of drives")
    assert worked == pytest.approx([0.0, 0.25, 0.5], abs=1e-9)


def smoothed(rate, level, push=0.0, step="1 ms", **more):
    """A ball of 1 kg on a slide whose friction is smoothed below 1 mm/s, by default."""
    m = ms.Builder(gravity=(0, 0, 0))
    ball = m.body("A", (0, 0, 0), mass=1, center_of_mass=(0, 0, 0), inertia=(0.01,) * 3)
    slide = m.slider("slide", m.ground, ball.sphere(0.1), at=(0, 0, 0), axis=(1, 0, 0), rate=rate)
    m.force("friction_force", "friction", joint=slide, force=level, **more)
    if push:
        m.force("motor_force", "push", joint=slide, force=push)
    m.touch(step=step)
    return m.project()


@pytest.mark.parametrize(("speed", "level"), [(5.0, 6.0), (0.5, 20.0), (0.5, 100.0), (0.5, 1e5)])
def test_smoothed_friction_that_is_stiff_for_the_step_comes_to_rest(speed, level):
    """After v / F [s] and v^2 / (2 F) [m], and at rest to rounding."""
    time = speed / level
    result = ms.simulate(smoothed(speed, level), duration=time + 0.03, sample_step=0.01)
    assert np.abs(values(result, "Velocity of A: x")[-2:]).max() < 1e-12
    # within the step in which it stops, and where it creeps from 1 mm/s to rest
    off = 0.5e-3 * min(1e-3 * level, speed) + 5e-6 / level
    assert values(result, "Position of A: x")[-1] == pytest.approx(0.5 * speed * time, abs=off)
    assert abs(result.statistics["energy_error"]) < 1e-9


def test_what_smoothed_friction_should_hold_creeps_as_its_law_has_it():
    """F v / sqrt(v^2 + speed^2) = push."""
    result = ms.simulate(smoothed(0.0, 5.0, push=3.0), duration=0.1, sample_step=0.05)
    assert values(result, "Velocity of A: x")[1:] == pytest.approx([0.75e-3] * 2, rel=1e-9)
    assert values(result, "Force of friction")[1:] == pytest.approx([-3.0] * 2, rel=1e-9)


def test_gentle_smoothed_friction_stays_explicit():
    """v' = -F v / speed while v is far below that speed."""
    project = smoothed(1e-3, 5.0, speed=1.0)
    result = ms.simulate(project, duration=0.1, sample_step=0.05)
    left = 1e-3 * np.exp(-5.0 * np.array([0.0, 0.05, 0.1]))
    assert values(result, "Velocity of A: x") == pytest.approx(left, rel=1e-4)


def test_efforts_of_frictions_along_one_coordinate():
    levels, speeds = np.array([2.0, 3.0]), np.array([0.0, 0.1])
    assert effort_of(1.5, 0.1, levels, speeds) == 1.5
    for held in (2.5, -4.0, 1e3):
        effort = effort_of(held, 0.1, levels, speeds)
        rate = 0.1 * (abs(held) - abs(effort))
        assert rate > 0.0
        assert effort * held > 0.0
        assert abs(effort) == pytest.approx(2.0 + 3.0 * rate / np.hypot(rate, 0.1), rel=1e-9)
