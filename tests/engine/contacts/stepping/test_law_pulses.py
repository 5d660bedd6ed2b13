"""Forces in runs with contacts that change within a step: their impulses are exact, their work
closes, and what reads the motion too fast is said.
"""

import math

import numpy as np
import pytest

import mechstudio as ms

ROOT_PI = math.sqrt(math.pi)


def pushed(force, jointed, speed=0.0, duration=5.0, sample_step=1.0):
    """A block of 1 kg far above the floor, on a slider or free."""
    m = ms.Builder(gravity=(0, 0, 0))
    block = m.body("block", mass=1.0).box("0.1 m", "0.1 m", "0.1 m")
    m.floor(-5.0)
    if jointed:
        m.force(
            "motor_force",
            "push",
            joint=m.slider("slide", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0), rate=speed),
            force=force,
        )
    else:
        m.force("force", "push", body=block, vector=(force, 0, 0))
    m.touch()
    return ms.simulate(m.project(), duration=duration, sample_step=sample_step)


@pytest.mark.parametrize("jointed", [True, False])
@pytest.mark.thinned(2)
def test_pulses_of_every_width(jointed):
    # v = A w sqrt(pi) / m, wherever in a step of 1 ms the pulse lies, and the work is m v^2 / 2
    rng = np.random.default_rng(2)
    for width in (1e-6, 1e-5, 1e-4, 1e-3, 1e-2):
        for place in rng.uniform(1.0, 4.0, 4):
            result = pushed(
                ms.expression(f"1 kN*exp(-((t-{float(place)!r} s)/({width!r} s))^2)"), jointed
            )
            exact = 1000.0 * width * ROOT_PI
            assert result.velocities[-1, 0, 0] == pytest.approx(exact, rel=1e-7)
            assert (
                result.work[-1] == pytest.approx(0.5 * exact**2, rel=1e-6)
                and result.statistics["energy_error"] < 1e-9
            )
            assert result.poses[-1, 0, 0] == pytest.approx(exact * (5.0 - place), rel=1e-3)


@pytest.mark.parametrize("jointed", [True, False])
@pytest.mark.parametrize(
    ("between", "impulse"), [("monotone", None), ("straight", 0.5), ("steps", 0.6)]
)
def test_tables_with_points_between_steps(between, impulse, jointed):
    # a triangle of 1 kN and 1 ms; by steps 1 kN holds for 0.6 ms; monotone: two cubics level at
    # both ends, half their boxes
    table = ms.table((0, 0), (2.40037, 0), (2.40077, 1000), (2.40137, 0), (5, 0), between=between)
    exact = 0.5 if impulse is None else impulse
    assert pushed(table, jointed).velocities[-1, 0, 0] == pytest.approx(exact, rel=1e-9)


def test_a_bump_that_passes_within_a_step_is_said():
    # half a millimetre at 1 m/s is half a step: its effect is unreliable, and a sentence says so;
    # one of 100 mm is seen
    short = pushed(ms.expression("1 N*exp(-((x-2.345 m)/(0.1 mm))^2)"), True, speed=1.0)
    assert (
        "the force of push may do between" in short.statistics["notes"][-1]
        and "shorter step with contacts" in short.statistics["notes"][-1]
    )
    wide = pushed(ms.expression("1 N*exp(-((x-2.345 m)/(100 mm))^2)"), True, speed=1.0)
    assert not wide.statistics["notes"]
    assert wide.velocities[-1, 0, 0] == pytest.approx(
        math.sqrt(1.0 + 2.0 * 0.1 * ROOT_PI), rel=1e-6
    )


def test_a_pulse_throws_a_block_off_the_floor():
    # it rests on the floor until 1 N s lifts it: v0 = 1 m/s less the weight of the millisecond in
    # which it acts, height v0^2 / 2 g
    m = ms.Builder()
    block = m.body("block", at=(0, 0, 0.05), mass=1.0).box("0.1 m", "0.1 m", "0.1 m")
    m.floor(0)
    m.force(
        "force",
        "push",
        body=block,
        vector=(0, 0, ms.expression(f"{1e5 / ROOT_PI!r} N*exp(-((t-0.10043 s)/(10 us))^2)")),
    )
    m.touch()
    result = ms.simulate(m.project(), duration=0.25, sample_step=0.002)
    assert np.abs(result.poses[result.time < 0.1, 0, 2] - 0.05).max() < 1e-5
    assert result.poses[:, 0, 2].max() - 0.05 == pytest.approx(1.0 / (2 * 9.81), rel=0.02)
