"""Loads that leave their range in a run: each says so once, at its first instant."""

import math

import pytest

import mechstudio as ms


def notes(builder, duration=2.0, step=0.01):
    return ms.simulate(builder.project(), duration=duration, sample_step=step).statistics["notes"]


def rubbed(level, **rate):
    """A block of 2 kg that slides under friction of a law."""
    m = ms.Builder(gravity=(0, 0, 0))
    block = m.body("block", mass=2, inertia=(1, 1, 1))
    slider = m.slider("S", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0), **rate)
    m.force("friction_force", "rubbing", joint=slider, force=level, speed=0)
    return m


def test_friction_below_zero_is_noted():
    (note,) = [n for n in notes(rubbed("1 N*cos(3 rad/s*t)", rate=1.0), 1.5) if "rubbing" in n]
    # from a quarter of its period on
    first = math.ceil(math.pi / 6 / 0.01) * 0.01
    assert f"below zero at {first:.4g} s" in note


def test_friction_that_depends_on_its_joint_is_read_there():
    # a drive takes the block beyond 0.5 m at 0.5 s
    m = ms.Builder(gravity=(0, 0, 0))
    block = m.body("block", mass=2, inertia=(1, 1, 1))
    slider = m.slider("S", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0))
    m.drive("drive", slider, position="1 m/s*t*t/(1 s)")
    m.force("friction_force", "place", joint=slider, force="1 N*(1 - x/(0.25 m))")
    m.force("friction_force", "rate", joint=slider, force="1 N*(1 - v/(0.5 m/s))")
    found = notes(m, 1.0)
    assert [n for n in found if "place" in n and "at 0.51 s" in n]
    assert [n for n in found if "rate" in n and "at 0.26 s" in n]


@pytest.mark.parametrize(
    "level",
    [
        "1 N*abs(cos(3 rad/s*t))",
        "max(0 N, 1 N*cos(3 rad/s*t))",
        # the speed falls from 1 m/s to this one without end
        "1 N*(v - 0.8 m/s)/(0.2 m/s)",
    ],
)
def test_friction_that_only_vanishes_is_not_noted(level):
    assert not [n for n in notes(rubbed(level, rate=1.0), 1.5) if "below zero" in n]


def bushed(rate, stiffness=1.0, moving=False):
    """A disc on a pin in a bushing; moving: on a body that turns itself."""
    m = ms.Builder(gravity=(0, 0, 0))
    carrier = m.ground
    if moving:
        carrier = m.body("carrier", mass=1, inertia=(1, 1, 1))
        m.drive("drive", m.pin("C", m.ground, carrier, at=(0, 0, 0), axis=(0, 0, 1)), speed=30.0)
    disc = m.body("disc", mass=1, inertia=(0.1, 0.1, 0.1))
    m.pin("A", carrier, disc, at=(0, 0, 0), axis=(0, 0, 1), rate=rate)
    rest = {f"{k}_{a}_{a}": 0.0 for k in "kd" for a in ("x", "y", "z", "rx", "ry", "rz")}
    m.force(
        "bushing",
        "rubber",
        a=carrier,
        b=disc,
        at=((0, 0, 0), (0, 0, 0)),
        **(rest | {"k_rz_rz": stiffness}),
    )
    return m


@pytest.mark.parametrize("moving", [False, True])
def test_a_bushing_beyond_half_a_turn_is_noted(moving):
    # as long as it is a spring: φ = (v/ω) sin ω t, ω² = 10, passes π at asin(π ω/v)/ω
    w = math.sqrt(10.0)
    time = math.ceil(math.asin(math.pi * w / 20.0) / w / 0.01) * 0.01
    (note,) = [n for n in notes(bushed(20.0, moving=moving), 0.5) if "rubber" in n]
    assert f"beyond half a turn at {time:.4g} s" in note


@pytest.mark.parametrize(("rate", "step"), [(9.0, 0.01), (9.0, 0.6)])
def test_a_bushing_that_swings_less_than_half_a_turn_is_not_noted(rate, step):
    # to 2.85 rad on either side, also where a sample stands on each
    assert not [n for n in notes(bushed(rate), 3.0, step) if "rubber" in n]
