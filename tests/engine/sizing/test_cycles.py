"""A cycle is one only if the run repeats it, with all loads: known courses of a load on a pin that
turns once per second.
"""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.sizing.course import motion_of
from mechstudio.engine.sizing.registry import size


def turned(torque="", duration=10.0, motion=None, **spring) -> ms.Builder:
    """A disc driven under a load, at 60 rpm or by another motion."""
    m = ms.Builder("disc", gravity=(0, 0, 0))
    disc = m.body("disc", mass=1, inertia=(1e-3, 1e-3, 1e-3))
    pin = m.pin("A", m.ground, disc, at=(0, 0, 0), axis=(0, 0, 1))
    m.drive("drive", pin, **(motion or {"speed": "60 rpm"}))
    if torque:
        m.force("motor_torque", "load", joint=pin, torque=torque)
    if spring:
        m.force("torsion_spring", "spring", joint=pin, **spring)
    m.run(duration=duration, sample_step=0.025)
    return m


@pytest.mark.parametrize(
    ("load", "peak", "rms"),
    [
        ({"torque": "-1 N*m*(t/1 s)"}, 10.0, 10.0 / math.sqrt(3)),
        # integral of (k ω t)² over the run
        ({"stiffness": 0.5, "free_angle": 0}, 10 * math.pi, 10 * math.pi / math.sqrt(3)),
        # 2 N m from the middle on, at once
        ({"torque": "-2 N*m*max(0, min(1, (t - 5 s)/(1e-6 s)))"}, 2.0, math.sqrt(2.0)),
    ],
)
def test_a_load_that_does_not_repeat_with_the_motion_counts_over_the_run(load, peak, rms):
    found = size(turned(**load).project(), "motor", {"drive": "drive"})
    assert found.figure("torque_peak").value == pytest.approx(peak, rel=1e-6)
    assert found.figure("torque_rms").value == pytest.approx(rms, rel=2e-3)
    (note,) = [n for n in found.notes if "over the run of 10 s" in n]
    assert f"({'load' if 'torque' in load else 'spring'})" in note


def test_there_is_no_flywheel_for_a_load_without_a_cycle():
    with pytest.raises(ValueError, match=r"not all loads do \(spring\): there is no cycle"):
        size(turned(stiffness=0.5, free_angle=0).project(), "flywheel")


@pytest.mark.parametrize(
    ("torque", "period"),
    [
        ("", 1.0),
        ("-1 N*m*sin(x)", 1.0),
        ("-1 N*m*sin(x/2)", 2.0),
        # jumps at samples of the cycle, the first of them among these
        ("-1 N*m*max(-1, min(1, 1e9*sin(x)))", 1.0),
        ("-1 N*m*max(-1, min(1, 1e9*sin(2*pi*t/(1 s))))", 1.0),
        # after the end of the run, for which nobody asks
        ("-1 N*m*max(0, (t - 20 s)/(1 s))", 1.0),
    ],
)
def test_a_load_that_repeats_has_its_cycle(torque, period):
    course = motion_of(turned(torque).project())
    assert course.period == pytest.approx(period, rel=1e-12)
    assert course.loads == ()


def test_a_pulse_in_one_turn_of_many_is_no_cycle():
    pulse = "-1 N*m*max(0, 1 - abs(t - 30.5 s)/(0.1 s))"
    course = motion_of(turned(pulse, duration=40.0).project())
    assert course.loads == ("load",)
    assert not course.repeats


def test_a_drive_that_begins_later_is_no_cycle():
    m = turned()
    other = m.body("other", (1, 0, 0), mass=1, inertia=(1, 1, 1))
    slider = m.slider("S", m.ground, other, at=(1, 0, 0), axis=(1, 0, 0))
    m.drive("late", slider, position="0.1 m*max(0, (t - 4 s)/(1 s))")
    course = motion_of(m.project())
    assert not course.repeats
    assert course.loads == ()


@pytest.mark.parametrize(
    ("motion", "fastest"),
    [
        ({"position": ms.sine("1 rad", "2 Hz", phase="90 deg")}, 4 * math.pi),
        ({"position": ms.sine("1 rad", "2 Hz", phase="-90 deg")}, 4 * math.pi),
        ({"speed": ms.sine("4 rad/s", "2 Hz")}, 4.0),
    ],
)
def test_a_motion_that_begins_at_its_turning_point_has_its_cycle(motion, fastest):
    course = motion_of(turned(duration=1.3, motion=motion).project())
    assert course.period == pytest.approx(0.5, rel=1e-12)
    speeds = np.array([now.at.twists[1, 5] for now in course.instants])
    assert course.rms(speeds) == pytest.approx(fastest / math.sqrt(2), rel=1e-6)


def rubbed(**motion) -> ms.Builder:
    """A disc driven to and fro against friction that sticks."""
    m = ms.Builder("disc", gravity=(0, 0, 0))
    disc = m.body("disc", mass=1, inertia=(0.02, 0.02, 0.02))
    pin = m.pin("A", m.ground, disc, at=(0, 0, 0), axis=(0, 0, 1))
    m.drive("drive", pin, **motion)
    m.force("friction_torque", "friction", joint=pin, torque=0.3, speed=0)
    m.run(duration=3)
    return m


def test_a_motor_turns_back_against_friction_that_sticks():
    found = size(rubbed(position=ms.sine("1 rad", "2 Hz")).project(), "motor")
    # T = J α + M way, largest where the motion turns back; inertia and friction do not correlate
    most = 0.02 * (4 * math.pi) ** 2
    assert found.figure("torque_peak").value == pytest.approx(most + 0.3, rel=1e-9)
    assert found.figure("torque_rms").value == pytest.approx(
        math.hypot(most / math.sqrt(2), 0.3), rel=2e-3
    )
    assert found.notes == ()


def test_a_motor_that_dwells_counts_as_about_to_go_on():
    law = ms.table((0, 0), ("1 s", 1), ("2 s", 1), ("3 s", 0), between="straight")
    found = size(rubbed(position=law).project(), "motor")
    assert found.figure("torque_peak").value == pytest.approx(0.3, rel=1e-9)
    assert found.figure("torque_rms").value == pytest.approx(0.3, rel=1e-9)
    assert any("counts as about to go on" in note for note in found.notes)
