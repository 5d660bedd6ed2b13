"""Dry friction in joints: sticking, sliding, breaking away and coming to rest against closed forms,
in smooth runs and in runs with contacts.
"""

import math
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.analyses.record import instant_at
from mechstudio.engine.integration.events.frictions import Frictions
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.run import run, system_for
from mechstudio.model.mechanism import Force
from mechstudio.model.quantity import Quantity

G, TILT = 9.81, math.radians(20.0)
PULL = G * math.sin(TILT)  # 3.355 N on a kilogram
METHODS = ["dop853", "dopri5", "rk4", "radau"]


def slider(rate=0.0, axis=(1, 0, 0), gravity=(0, 0, 0), **limits):
    m = ms.Builder(gravity=gravity)
    block = m.body("block", mass=1.0).box("0.1 m", "0.1 m", "0.1 m")
    return m, m.slider("slide", m.ground, block, at=(0, 0, 0), axis=axis, rate=rate, **limits)


def incline(level, rate=0.0, touching=False):
    m, slide = slider(rate, (math.cos(TILT), 0, -math.sin(TILT)), (0, 0, -G))
    m.force("friction_force", "rub", joint=slide, force=level, speed=0)
    if touching:
        m.floor(-20.0)
        m.touch()
    return m


def ran(m, duration=5.0, sample_step=0.05, **more):
    result = ms.simulate(m.project(), duration=duration, sample_step=sample_step, **more)
    return (
        result,
        result.time,
        result.joint_coordinates["slide"][:, 0] if "slide" in result.joint_coordinates else None,
    )


@pytest.mark.parametrize("integrator", METHODS)
def test_block_held_by_friction_does_not_move(integrator):
    # 4 N hold 3.36 N for ever
    result, _, x = ran(incline(4.0), 10.0, integrator=integrator)
    assert np.abs(x).max() < 1e-12 and np.abs(result.velocities).max() < 1e-12


@pytest.mark.parametrize("integrator", METHODS)
def test_block_beyond_its_friction_slides_as_the_closed_form(integrator):
    # a = g sin 20 deg - F / m; the work of friction is -F x
    result, t, x = ran(incline(3.0), integrator=integrator)
    assert x == pytest.approx(0.5 * (PULL - 3.0) * t**2, abs=1e-9)
    assert (
        result.work == pytest.approx(-3.0 * x, abs=1e-9)
        and result.statistics["energy_error"] < 1e-9
    )


@pytest.mark.parametrize("integrator", METHODS)
def test_block_braked_by_friction_stops_and_stays(integrator):
    # v0^2 / 2 a with a = F / m - g sin 20 deg, at v0 / a; then held
    a = 4.0 - PULL
    result, t, x = ran(incline(4.0, 0.5), integrator=integrator)
    moving = t < 0.5 / a
    assert x[moving] == pytest.approx((0.5 * t - 0.5 * a * t**2)[moving], abs=1e-9)
    assert x[~moving] == pytest.approx(np.full((~moving).sum(), 0.125 / a), abs=1e-9)
    assert np.abs(result.velocities[~moving]).max() < 1e-12


def oscillator(level, start=0.25):
    m, slide = slider()
    m.force("slide_spring", "spring", joint=slide, stiffness=100, free_length=-start)
    m.force("friction_force", "rub", joint=slide, force=level, speed=0)
    return m


@pytest.mark.parametrize(
    ("integrator", "bound"), [("dop853", 1e-9), ("dopri5", 1e-8), ("rk4", 1e-9), ("radau", 1e-8)]
)
@pytest.mark.thinned(2)
def test_an_oscillator_loses_four_f_over_k_in_each_cycle(integrator, bound):
    # m x'' + k x = -F sgn x': turning points x_n = (-1)^n (x_0 - 2 n F / k) at n pi / w, at rest
    # for ever once |x_n| <= F / k (Den Hartog 1931)
    result, t, x = ran(oscillator(1.1), 6.0, math.pi / 10, integrator=integrator)
    turning, n = 0.25, 0
    for xn in x + 0.25:
        assert xn == pytest.approx(turning, abs=bound)
        if abs(turning) > 0.011:
            turning = -math.copysign(abs(turning) - 0.022, turning)
            n += 1
    assert n == 11 and abs(turning) < 0.011 and np.abs(result.velocities[-1]).max() < 1e-12
    # between the turning points: half swings about -F / k and F / k
    _, t, x = ran(oscillator(1.1), 0.6, 0.05, integrator=integrator)
    first = t <= math.pi / 10
    assert x[first] + 0.25 == pytest.approx(0.011 + 0.239 * np.cos(10 * t[first]), abs=bound)
    assert x[~first] + 0.25 == pytest.approx(-0.011 + 0.217 * np.cos(10 * t[~first]), abs=bound)


@pytest.mark.parametrize("integrator", METHODS)
def test_a_spring_that_is_drawn_breaks_it_away(integrator):
    # the spring's end moves at V: rest until k V t = F, then x = V s - V / w sin w s
    m, slide = slider()
    m.force(
        "slide_spring", "spring", joint=slide, stiffness=100, free_length=ms.expression("0.1 m/s*t")
    )
    m.force("friction_force", "rub", joint=slide, force=2.0, speed=0)
    result, t, x = ran(m, 3.0, 0.01, integrator=integrator)
    s = np.maximum(t - 0.2, 0.0)
    assert x == pytest.approx(0.1 * s - 0.01 * np.sin(10 * s), abs=1e-9)
    assert np.abs(result.velocities[t < 0.2]).max() == 0.0


def test_a_level_that_follows_a_law():
    # F = 5 N - t: it slips at 5 - g sin 20 deg, and then x = u^3 / 6
    m, slide = slider(0.0, (math.cos(TILT), 0, -math.sin(TILT)), (0, 0, -G))
    m.force("friction_force", "rub", joint=slide, force=ms.expression("5 N-1 N/s*t"), speed=0)
    _, t, x = ran(m, 4.0)
    assert x == pytest.approx(np.maximum(t - 5.0 + PULL, 0.0) ** 3 / 6.0, abs=1e-10)


def test_sticking_and_sliding_in_turn():
    # 5 N sin 2 t against 3 N: breaks away at sin 2 t = 0.6, v = 2.5 (cos 2 t0 - cos 2 t) - 3 (t -
    # t0) until it is 0 again
    m, slide = slider()
    m.force("motor_force", "push", joint=slide, force=ms.expression("5 N*sin(2 rad/s*t)"))
    m.force("friction_force", "rub", joint=slide, force=3.0, speed=0)
    result, t, _ = ran(m, 3.0, 0.001)
    start = math.asin(0.6) / 2.0
    v = 2.5 * (math.cos(2 * start) - np.cos(2 * t)) - 3.0 * (t - start)
    stop = t[(t > 1.0) & (v < 0.0)][0]
    sliding = (t > start) & (t < stop)
    assert result.velocities[sliding, 0, 0] == pytest.approx(v[sliding], abs=1e-9)
    held = (t < start) | (t > stop + 1e-3) & (t < (math.pi + math.asin(0.6)) / 2.0)
    assert held.sum() > 300 and np.abs(result.velocities[held, 0, 0]).max() < 1e-12


def test_viscous_friction_beside_it():
    # m v' = -F - c v: v = (v0 + F / c) e^(-c t) - F / c, at rest at ln(1 + c v0 / F) / c
    m, slide = slider(1.0)
    m.force("friction_force", "rub", joint=slide, force=2.0, speed=0, damping=3.0)
    result, t, _ = ran(m, 1.0, 0.01)
    stop = math.log(2.5) / 3.0
    v = np.where(t < stop, (1.0 + 2.0 / 3.0) * np.exp(-3.0 * t) - 2.0 / 3.0, 0.0)
    assert result.velocities[:, 0, 0] == pytest.approx(v, abs=1e-9)


def test_two_at_one_instant_and_two_along_one_coordinate():
    # both stop at v0 / (F / m); of two along one coordinate the levels add up
    m = ms.Builder(gravity=(0, 0, 0))
    a, b, c = (m.body(name, mass=1.0).box("0.1 m", "0.1 m", "0.1 m") for name in "abc")
    for name, body, rate in (("s", a, 1.0), ("t", b, -1.0), ("u", c, 1.0)):
        joint = m.slider(name, m.ground, body, at=(0, 0, 0), axis=(1, 0, 0), rate=rate)
        for n, level in enumerate((2.0,) if name != "u" else (1.0, 1.5)):
            m.force("friction_force", f"{name}{n}", joint=joint, force=level, speed=0)
        if name == "u":
            m.force("motor_force", "push", joint=joint, force=2.0)
    result = ms.simulate(m.project(), duration=4.0, sample_step=0.5)
    assert [float(result.joint_coordinates[k][-1, 0]) for k in "stu"] == pytest.approx(
        [0.25, -0.25, 1.0], abs=1e-10
    )
    assert np.abs(result.velocities[-1]).max() < 1e-12


def test_two_blocks_on_each_other_share_what_holds():
    # a chain of two sliders: the first holds both until the push passes its level, the second alone
    # slides before
    m = ms.Builder(gravity=(0, 0, 0))
    a, b = (m.body(name, mass=1.0).box("0.1 m", "0.1 m", "0.1 m") for name in "ab")
    s = m.slider("s", m.ground, a, at=(0, 0, 0), axis=(1, 0, 0))
    t = m.slider("t", a, b, at=(0, 0, 0), axis=(1, 0, 0))
    m.force("friction_force", "below", joint=s, force=5.0, speed=0)
    m.force("friction_force", "above", joint=t, force=3.0, speed=0)
    m.force("force", "push", body=b, vector=(ms.expression("4 N"), 0, 0))
    result = ms.simulate(m.project(), duration=2.0, sample_step=0.5)
    # 4 N > 3 N: the upper one slides with 1 N, the lower one holds 3 N < 5 N
    assert result.joint_coordinates["s"][-1, 0] == pytest.approx(0.0, abs=1e-12)
    assert result.joint_coordinates["t"][-1, 0] == pytest.approx(0.5 * 1.0 * 4.0, abs=1e-9)


def rubbing_all(name, level, speed):
    """A sample with friction in all pins and slides, and without drives."""
    project = ms.load(f"samples/{name}.mech")
    m, forces = project.mechanism, dict(project.mechanism.forces)
    kinds = {"revolute": ("friction_torque", "torque"), "prismatic": ("friction_force", "force")}
    for id, joint in m.joints.items():
        if joint.type in kinds:
            type, number = kinds[joint.type]
            forces[f"rub {id}"] = Force(
                f"rub {id}",
                f"rub {id}",
                type,
                {number: Quantity(level), "speed": Quantity(speed), "damping": Quantity(0.0)},
                joint=id,
            )
    return msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(m, forces=forces, drives={})
    )


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "double_pendulum"])
@pytest.mark.parametrize("level", [1e-3, 3e-2, 5.0])
@pytest.mark.thinned(4)
def test_loops_with_friction_in_every_joint(name, level):
    # the limit of the smoothed law: over 1e-5 rad/s and m/s Radau follows it to a few times that
    sharp = ms.simulate(rubbing_all(name, level, 0.0), duration=1.0, sample_step=0.05)
    smooth = ms.simulate(
        rubbing_all(name, level, 1e-5), duration=1.0, sample_step=0.05, integrator="radau"
    )
    assert np.abs(sharp.poses - smooth.poses).max() < 5e-5
    assert level < 5.0 or np.abs(sharp.velocities[-1]).max() < 1e-12


def test_friction_and_a_stop():
    # it strikes the stop at 0.1 m, rebounds at half its speed and is braked
    m, slide = slider(1.0, limits=ms.limit(upper=0.1, restitution=0.5))
    m.force("friction_force", "rub", joint=slide, force=1.0, speed=0)
    result, _t, x = ran(m, 3.0)
    v = 0.5 * math.sqrt(1.0 - 0.2)
    assert (
        x[-1] == pytest.approx(0.1 - v * v / 2.0, abs=1e-9)
        and len(result.events) == 1
        and np.abs(result.velocities[-1]).max() < 1e-12
    )


def test_friction_force_of_a_sticking_block_balances_its_load():
    # at rest on the incline the friction holds m g sin 20 deg, not its level and not nothing
    mechanism = incline(4.0).project().mechanism
    options = RunOptions(duration=0.5, sample_step=0.25)
    system, states = system_for(mechanism, options), []
    list(run(system, options, None, states))
    now = instant_at(system, np.concatenate(states)[-1])
    assert [e.value if hasattr(e, "value") else e[3] for e in now.efforts] == pytest.approx(
        [-PULL], abs=1e-9
    )
    assert now.residual < 1e-9


# in runs with contacts


def test_with_contacts_it_sticks_slides_and_brakes():
    result, _, x = ran(incline(4.0, touching=True), 2.0)
    assert np.abs(x).max() < 1e-12 and np.abs(result.velocities).max() < 1e-12
    result, t, x = ran(incline(3.0, touching=True), 2.0)
    assert x == pytest.approx(0.5 * (PULL - 3.0) * t**2, abs=1e-6)
    result, t, x = ran(incline(4.0, 0.5, touching=True), 2.0)
    assert (
        x[-1] == pytest.approx(0.125 / (4.0 - PULL), abs=1e-6)
        and np.abs(result.velocities[-1]).max() < 1e-12
    )
    assert result.statistics["energy_error"] < 1e-4


def test_with_contacts_it_holds_what_lies_on_it():
    # a table on a vertical slide, held by 20 N, carries a brick: 14.7 N; with 12 N both sink with
    # (14.7 - 12) / 1.5
    for level, sinks in ((20.0, 0.0), (12.0, (1.5 * G - 12.0) / 1.5)):
        m = ms.Builder()
        table = m.body("table", mass=1.0).box("0.4 m", "0.4 m", "0.1 m")
        slide = m.slider("slide", m.ground, table, at=(0, 0, 0), axis=(0, 0, 1))
        m.force("friction_force", "rub", joint=slide, force=level, speed=0)
        m.body("brick", at=(0, 0, 0.1), mass=0.5).box("0.1 m", "0.1 m", "0.1 m")
        m.touch()
        result, _t, x = ran(m, 1.0)
        assert x[-1] == pytest.approx(-0.5 * sinks, rel=1e-2, abs=2e-5)
        if not sinks:
            assert np.abs(result.velocities[-1, 0]).max() < 1e-4


# the smoothed law


def test_the_smoothed_law_says_that_it_creeps():
    m, slide = slider(0.0, (math.cos(TILT), 0, -math.sin(TILT)), (0, 0, -G))
    m.force("friction_force", "rub", joint=slide, force=4.0, speed=1e-3)
    result, _, x = ran(m, 10.0, integrator="radau")
    assert x[-1] == pytest.approx(10.0 * 1e-3 * PULL / math.sqrt(16.0 - PULL**2), rel=1e-2)
    assert any(
        "The friction of rub is smoothed below 1 mm/s" in note
        for note in result.statistics["notes"]
    )
    assert any(
        "The friction of rub is smoothed" in f.message for f in ms.check(m.project()).findings
    )
    assert not any("smoothed" in f.message for f in ms.check(incline(4.0).project()).findings)


def test_the_one_that_is_held_by_most_beyond_its_level_slips_first():
    """Multipliers of three coordinates, beyond their levels 2, 1 and 8 by 1/2, 3 and 1/8 of them;
    whatever their order, and none where each is at its level.
    """
    levels = 2.0, 1.0, 8.0
    for turn in range(3):
        rows = {(i + turn) % 3: i for i in range(3)}
        requested = SimpleNamespace(
            rows=rows, level=lambda i, T: levels[rows[i]], _slack=lambda i, level: 1e-9
        )
        table = SimpleNamespace(row=np.zeros((3, k.LAM + 1)))
        table.row[:, k.LAM] = 3.0, -4.0, 9.0
        assert Frictions._overloaded(requested, table) == ((1 + turn) % 3, -4.0)
        table.row[:, k.LAM] = 2.0, -1.0, 8.0
        assert Frictions._overloaded(requested, table) is None
