"""Hard stops: impacts, rests and departures against closed forms and against the impulse equations
solved with dense matrices.
"""

import math
import time

import msgspec
import numpy as np
import pytest
from scipy.special import ellipk, ellipkinc

from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.integration import smooth_run as running
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.run import run
from mechstudio.engine.structure.mobility import analyse
from mechstudio.engine.system.system import compile_system
from mechstudio.model.mechanism import GROUND, Drive, Force, Law, Limit, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from tests.engine.problems import body, joint
from tests.mechanisms import four_bar

G = 9.81
BOTH = ("dop853", "rk4")
ADAPTIVE = ("dop853", "dopri5", "radau")


def simulate(system, *args, **options):
    """(samples, events) of a run."""
    events = []
    return np.concatenate(list(run(system, RunOptions(*args, **options), events))), events


def limited(mechanism, id, lower=None, upper=None, restitution=0.0, coordinate=0, rates=None):
    """The mechanism with stops on a joint, and its initial rates."""
    limit = Limit(
        coordinate,
        None if lower is None else Quantity(lower),
        None if upper is None else Quantity(upper),
        Quantity(restitution),
    )
    old = mechanism.joints[id]
    new = msgspec.structs.replace(
        old,
        limits=(*old.limits, limit),
        rates=old.rates if rates is None else tuple(Quantity(r) for r in rates),
    )
    return msgspec.structs.replace(mechanism, joints={**mechanism.joints, id: new})


def block(height=1.0, gravity=G, forces=(), mass=2.0):
    """A block on a vertical slide whose coordinate is its height above the drawn place; it is drawn
    at z = height.
    """
    bodies = {"block": body("block", mass, (0, 0, height), 0.01 * np.eye(3))}
    joints = {"S": joint("S", "prismatic", GROUND, "block", (0, 0, height), (0, 0, 1), bodies)}
    return Mechanism(bodies, joints, {f.id: f for f in forces}, gravity=vector(0, 0, -gravity))


def motor(law, id="F"):
    return Force(id, id, "motor_force", {"force": Quantity(0.0)}, joint="S", laws={"force": law})


def arm(restitution, upper=None, lower=None, rate=None):
    """A rod of 1 m and 1 kg on a pin, drawn level to the right: angle 0, hanging at -90 deg."""
    bodies = {"rod": body("rod", 1.0, (0.5, 0, 0), np.diag([1e-3, 1 / 12, 1 / 12]))}
    m = Mechanism(
        bodies, {"A": joint("A", "revolute", GROUND, "rod", (0, 0, 0), (0, -1, 0), bodies)}
    )
    return limited(m, "A", lower, upper, restitution, rates=None if rate is None else (rate,))


def coordinate(system, samples, id, c=0):
    return samples[:, system.layout.joint(id)][:, c]


def books_close(system, samples, tolerance=1e-8):
    """The balance of energy closes over impacts, and their loss is in it."""
    largest = samples[:, system.layout.energy][:, 0].max()
    return (
        np.abs(samples[:, system.layout.energy][:, 3]).max() < tolerance * largest
        and system.statistics.energy_error < tolerance
    )


@pytest.mark.parametrize("integrator", BOTH)
def test_a_block_bounces_to_rest(integrator):
    # falls h in t0 = sqrt(2 h / g); flights of 2 t0 e^n to heights h e^(2 n); at rest after t0 (1 +
    # e) / (1 - e); all m g h is lost
    e, mass = 0.5, 2.0
    system = compile_system(limited(block(), "S", lower=-1.0, restitution=e))
    samples, events = simulate(system, 3.0, 0.01, integrator)
    t0 = math.sqrt(2 / G)
    times = t0 + 2 * t0 * np.cumsum([0.0, *e ** np.arange(1, 12)])
    assert [ev.time for ev in events[:12]] == pytest.approx(times, abs=1e-10)
    assert [ev.speed for ev in events[:12]] == pytest.approx(G * t0 * e ** np.arange(12), rel=1e-9)
    assert [ev.impulse for ev in events[:12]] == pytest.approx(
        mass * (1 + e) * G * t0 * e ** np.arange(12), rel=1e-9
    )
    x, t = coordinate(system, samples, "S"), samples[:, 0]
    for n in range(1, 4):
        assert x[(t > times[n - 1]) & (t < times[n])].max() == pytest.approx(
            -1 + e ** (2 * n), abs=1e-3
        )
    end = t0 * (1 + e) / (1 - e)
    # the last flights, below the speed of rest, are left out
    assert (
        events[-1].rests
        and not any(ev.rests for ev in events[:-1])
        and 0.0 < end - events[-1].time < 1e-5
    )
    assert x[t > end] == pytest.approx(-1.0, abs=1e-13) and {
        (ev.joint, ev.coordinate, ev.upper) for ev in events
    } == {("S", 0, False)}
    assert books_close(system, samples, 1e-12)
    s = system.statistics
    assert s.impacts == len(events) and s.impact_loss == pytest.approx(mass * G, rel=1e-9)


def test_the_stop_carries_the_weight_of_what_rests_on_it():
    # after the rest the multiplier of the stop's row is m g
    system = compile_system(limited(block(), "S", lower=-1.0))
    runner = running.SmoothRun(system, RunOptions(2.0, 0.1), [])
    list(runner.blocks())
    assert runner.contacts.closed == {0}
    row = runner.contacts.ints[0, 1]
    assert runner.tables.row[row, k.LAM] == pytest.approx(2.0 * G, rel=1e-12)


@pytest.mark.parametrize("integrator", BOTH)
def test_a_rod_falls_on_its_stop_and_rebounds(integrator):
    # theta'' = -w^2 cos theta with w^2 = m g l / 2 / (m l^2 / 3); from the level to -30 deg rate^2
    # = 2 w^2 sin 30; with phi = theta + 90 deg, k = sin(45 deg): t = (K(k^2) - F(asin(sin(phi / 2)
    # / k), k^2)) / w; up again to sin theta = -(1 - e^2) sin 30
    e, stop = 0.6, math.radians(-30)
    system = compile_system(arm(e, lower=stop))
    samples, events = simulate(
        system, 1.0, 1e-3, integrator, tolerance=1e-12, step=2e-4 if integrator == "rk4" else 0.0
    )
    w, m = math.sqrt(1.5 * G), 0.5
    first = (
        ellipk(m) - ellipkinc(math.asin(math.sin((stop + math.pi / 2) / 2) / math.sqrt(m)), m)
    ) / w
    assert events[0].time == pytest.approx(first, abs=1e-10) and events[0].speed == pytest.approx(
        w, rel=1e-10
    )
    assert events[0].impulse == pytest.approx((1 + e) * w / 3, rel=1e-10)
    angle, t = coordinate(system, samples, "A"), samples[:, 0]
    peak = angle[(t > first) & (t < events[1].time)].max()
    assert math.sin(peak) == pytest.approx(-0.5 * (1 - e * e), abs=1e-5)
    assert angle.min() > stop - 1e-9 and books_close(system, samples, 1e-9)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_every_adaptive_method_finds_the_first_impact(integrator):
    # the rod of the test above: the instant of the first impact in closed form
    stop = math.radians(-30)
    system = compile_system(arm(0.6, lower=stop))
    _, events = simulate(system, 0.6, 0.1, integrator, tolerance=1e-10)
    w, m = math.sqrt(1.5 * G), 0.5
    first = (
        ellipk(m) - ellipkinc(math.asin(math.sin((stop + math.pi / 2) / 2) / math.sqrt(m)), m)
    ) / w
    assert events[0].time == pytest.approx(first, abs=1e-8)


def test_both_integrators_bounce_alike():
    runs = [
        simulate(
            compile_system(arm(0.7, lower=-0.4, upper=0.2, rate=2.0)),
            1.5,
            0.01,
            name,
            tolerance=1e-12,
            step=1e-4 if name == "rk4" else 0.0,
        )
        for name in BOTH
    ]
    (a, events_a), (b, events_b) = runs
    assert len(events_a) == len(events_b) > 5
    assert [ev.time for ev in events_a] == pytest.approx([ev.time for ev in events_b], abs=1e-9)
    assert a[:, 1:8] == pytest.approx(b[:, 1:8], abs=1e-8)


@pytest.mark.parametrize("e", [1.0, 0.8])
def test_between_two_stops_without_gravity(e):
    # distance d between the stops, speed v e^n after n impacts: impact n comes d / (v e^n) after
    # the one before
    v, d = 3.0, 0.4
    system = compile_system(
        limited(block(gravity=0.0), "S", lower=-0.1, upper=d - 0.1, restitution=e, rates=(v,))
    )
    samples, events = simulate(system, 2.0, 0.01)
    count = len(events)
    times = (d - 0.1) / v + np.cumsum([0.0, *d / (v * e ** np.arange(1, count))])
    assert count > 6 and [ev.time for ev in events] == pytest.approx(times, rel=1e-11)
    assert [ev.upper for ev in events] == [n % 2 == 0 for n in range(count)]
    assert samples[-1, system.layout.energy][0] == pytest.approx(
        0.5 * 2.0 * v * v * e ** (2 * count), rel=1e-10
    ) and books_close(system, samples, 1e-12)


def double_pendulum():
    bodies = {
        "a": body("a", 1.0, (0.5, 0, 0), np.diag([0.01, 0.09, 0.09])),
        "b": body("b", 2.0, (1.4, 0, 0), np.diag([0.01, 0.14, 0.14])),
    }
    joints = {
        "A": joint("A", "revolute", GROUND, "a", (0, 0, 0), (0, -1, 0), bodies),
        "B": joint("B", "revolute", "a", "b", (1, 0, 0), (0, -1, 0), bodies),
    }
    return Mechanism(bodies, joints)


def dense_mass_matrix(bend):
    """M of the double pendulum in (angle of A, angle of B): the parallel-axis sums, cosine rule for
    the second body.
    """
    L, c, m1, m2, i1, i2 = 1.0, 0.4, 1.0, 2.0, 0.09, 0.14
    far = i2 + m2 * (L * L + c * c + 2 * L * c * math.cos(bend))
    cross = i2 + m2 * (c * c + L * c * math.cos(bend))
    return np.array([[i1 + m1 * 0.25 + far, cross], [cross, i2 + m2 * c * c]])


def rates_around(system, samples, time, ids):
    """Joint rates (before, after) an instant, from the samples' coordinates by cubic differences on
    either side.
    """
    out = []
    for side in (samples[samples[:, 0] < time][-5:], samples[samples[:, 0] > time][:5]):
        out.append(
            [
                np.polyval(
                    np.polyder(np.polyfit(side[:, 0] - time, coordinate(system, side, id), 4)), 0.0
                )
                for id in ids
            ]
        )
    return np.array(out)


def test_impact_of_a_double_pendulum_is_the_dense_solution():
    # M (v+ - v-) = J^T impulse with J v+ = -e J v-, J = (0, 1) for a stop of the second joint
    e, stop = 0.4, -0.5
    system = compile_system(
        limited(double_pendulum(), "B", lower=stop, restitution=e, rates=(0.0,))
    )
    moved = limited(system.mechanism, "A", rates=(1.0,))
    system = compile_system(moved)
    samples, events = simulate(system, 2.0, 1e-4, tolerance=1e-12)
    hit = events[0]
    before, after = rates_around(system, samples, hit.time, "AB")
    inverse = np.linalg.inv(dense_mass_matrix(stop))
    impulse = -(1 + e) * before[1] / inverse[1, 1]
    assert after == pytest.approx(before + inverse[:, 1] * impulse, abs=1e-7)
    assert (
        hit.impulse == pytest.approx(impulse, rel=1e-8)
        and hit.speed == pytest.approx(-before[1], rel=1e-8)
        and impulse > 0.1
    )
    assert books_close(system, samples, 1e-9)


def test_two_stops_struck_at_once_share_the_impact():
    # blocks one upon the other on one slide: both stops are 0.3 m below; v = (x', relative x'): M =
    # [[m1 + m2, m2], [m2, m2]], at the impact the carrier falls with g t and the upper block slides
    # at its own speed u; both rates turn to -e times themselves
    bodies = {
        "low": body("low", 3.0, (0, 0, 0), 0.01 * np.eye(3)),
        "top": body("top", 1.0, (0, 0, 1), 0.01 * np.eye(3)),
    }
    joints = {
        "S": joint("S", "prismatic", GROUND, "low", (0, 0, 0), (0, 0, 1), bodies),
        "R": joint("R", "prismatic", "low", "top", (0, 0, 1), (0, 0, 1), bodies),
    }
    fall, speed = 0.3, 2.0
    t = math.sqrt(2 * fall / G)
    m = limited(
        limited(Mechanism(bodies, joints), "S", lower=-fall, restitution=0.5, rates=(0.0,)),
        "R",
        lower=-speed * t,
        restitution=0.5,
        rates=(-speed,),
    )
    system = compile_system(m)
    samples, events = simulate(system, 0.35, 1e-3)
    assert {ev.joint for ev in events[:2]} == {"S", "R"} and [
        ev.time for ev in events[:2]
    ] == pytest.approx([t, t], abs=1e-12)
    M, change = np.array([[4.0, 1.0], [1.0, 1.0]]), 1.5 * np.array([G * t, speed])
    impulses = dict(zip("SR", M @ change))
    assert {ev.joint: ev.impulse for ev in events[:2]} == pytest.approx(impulses, rel=1e-9)
    before, after = rates_around(system, samples, t, "SR")
    assert before == pytest.approx([-G * t, -speed], abs=1e-8) and after == pytest.approx(
        [0.5 * G * t, 0.5 * speed], abs=1e-8
    )
    assert books_close(system, samples, 1e-12)


@pytest.mark.parametrize("closing", [(), ("A",), ("B",), ("D",)])
def test_the_rocker_of_a_four_bar_strikes_with_its_loop_held(closing):
    # one freedom: every speed changes by the factor -e, so the kinetic energy by e^2; wherever the
    # loop was cut, also at the stop's joint
    e = 0.5
    plain = compile_system(limited(four_bar(), "A", rates=(6.0,)))
    free, _ = simulate(plain, 1.0, 0.01)
    swing = coordinate(plain, free, "D")
    bound = 0.7 * swing.max() + 0.3 * swing[0]
    system = compile_system(
        limited(plain.mechanism, "D", upper=bound, restitution=e), closing=closing
    )
    samples, events = simulate(system, 1.0, 1e-3, tolerance=1e-11)
    assert events and all((ev.joint, ev.upper) == ("D", True) for ev in events)
    hit, t = events[0], samples[:, 0]
    kinetic = samples[:, system.layout.energy][:, 0]
    last = [
        np.polyval(np.polyfit(t[s] - hit.time, kinetic[s], 4), 0.0)
        for s in (np.flatnonzero(t < hit.time)[-6:], np.flatnonzero(t > hit.time)[:6])
    ]
    assert last[1] / last[0] == pytest.approx(e * e, rel=1e-6)
    assert coordinate(system, samples, "D").max() < bound + 1e-9
    assert system.statistics.constraint_error_m < 1e-12 and books_close(system, samples, 1e-9)
    # the same instant however the loop is cut
    reference = simulate(compile_system(system.mechanism), 1.0, 0.01, tolerance=1e-11)[1]
    assert [ev.time for ev in events[:3]] == pytest.approx(
        [ev.time for ev in reference[:3]], abs=1e-9
    )
    assert [ev.impulse for ev in events[:3]] == pytest.approx(
        [ev.impulse for ev in reference[:3]], rel=1e-7
    )


@pytest.mark.parametrize("integrator", BOTH)
def test_a_block_leaves_its_stop_when_the_force_on_it_turns(integrator):
    # F = -F0 cos(w t) presses it on the lower stop until t1 = pi / 2 w; then m x'' = -F0 cos(w t):
    # x = F0 / (m w^2) (cos(w t) + w (t - t1)), as at t1 x = x' = 0
    force, w, mass = 5.0, 4.0, 2.0
    push = motor(
        Law(
            "sine",
            {
                "offset": Quantity(0.0),
                "amplitude": Quantity(-force),
                "frequency": Quantity(w / (2 * math.pi)),
                "phase": Quantity(math.pi / 2),
            },
        )
    )
    system = compile_system(limited(block(gravity=0.0, forces=(push,)), "S", lower=0.0))
    samples, events = simulate(system, 1.0, 0.01, integrator, tolerance=1e-12)
    t, x = samples[:, 0], coordinate(system, samples, "S")
    t1 = math.pi / (2 * w)
    free = force / (mass * w * w) * (np.cos(w * t) + w * (t - t1))
    assert not events and x == pytest.approx(
        np.where(t < t1, 0.0, free), abs=1e-9 if integrator == "dop853" else 1e-7
    )
    assert books_close(system, samples, 1e-8)


def test_a_step_of_the_force_releases_the_block_at_once():
    # a ramp of 1e-9 s from -10 N to 10 N at 0.37 s: x = F / 2 m (t - t1)^2 from then on
    push = motor(
        Law(
            "ramp",
            {
                "start": Quantity(-10.0),
                "end": Quantity(10.0),
                "begin": Quantity(0.37),
                "duration": Quantity(1e-9),
            },
        )
    )
    system = compile_system(limited(block(gravity=0.0, forces=(push,)), "S", lower=0.0))
    samples, _ = simulate(system, 1.0, 0.01)
    t, x = samples[:, 0], coordinate(system, samples, "S")
    assert x == pytest.approx(np.where(t < 0.37, 0.0, 2.5 * (t - 0.37) ** 2), abs=1e-8)


def test_a_push_that_oscillates_fast_is_not_slept_through():
    # leaned against, nothing moves: still each turn of the force is seen, though a step of the
    # whole duration would pass every error test
    push = motor(
        Law(
            "sine",
            {"offset": Quantity(-9.0), "amplitude": Quantity(10.0), "frequency": Quantity(5.0)},
        )
    )
    system = compile_system(limited(block(gravity=0.0, forces=(push,)), "S", lower=0.0))
    _samples, _ = simulate(system, 1.0, 1.0)
    lifted, _ = simulate(system, 1.0, 1e-3)
    assert coordinate(system, lifted, "S").max() > 1e-5 and system.statistics.impacts >= 4


def test_a_start_beyond_a_stop_is_reported_and_comes_back_within():
    # drawn at 0, upper stop at -0.5: it may not go further up, falls, and from then on the stop
    # stands where it is drawn
    system = compile_system(
        limited(block(), "S", lower=-1.0, upper=-0.5, restitution=1.0, rates=(1.0,))
    )
    reported = [f for f in system.findings if f.element == "S"]
    assert (
        len(reported) == 1
        and reported[0].severity == "warning"
        and "0.5 m beyond the upper stop of joint S" in reported[0].message
        and reported[0].cure
    )
    samples, events = simulate(system, 4.0, 1e-3)
    assert (
        events[0].time == 0.0
        and events[0].upper
        and coordinate(system, samples, "S").max() <= 1e-12
    )
    inside = samples[:, 0] > events[1].time
    # after the first time within: up to -0.5 and no further
    assert (
        not events[1].upper
        and events[2].upper
        and coordinate(system, samples[inside], "S").max() < -0.5 + 1e-9
    )
    assert not compile_system(limited(block(), "S", upper=0.5)).findings


def test_a_thousand_bounces_are_quick():
    v = 50.0
    system = compile_system(
        limited(block(gravity=0.0), "S", lower=-0.05, upper=0.05, restitution=1.0, rates=(v,))
    )
    simulate(system, 0.01, 0.01)
    before = time.process_time()
    _, events = simulate(system, 2.0, 0.01)
    assert len(events) == 1000 and events[-1].time == pytest.approx(
        0.001 + 999 * 0.1 / v, rel=1e-10
    )
    assert time.process_time() - before < 4.0


def test_runs_with_stops_repeat_bit_by_bit():
    system = compile_system(arm(0.7, lower=-0.4, upper=0.2, rate=2.0))
    assert simulate(system, 1.0, 0.01)[0].tobytes() == simulate(system, 1.0, 0.01)[0].tobytes()


def test_a_stack_at_rest_carries_all_that_lies_on_it():
    # the lower block rests on its stop, the upper one on a stop on the lower one: m2 g there and
    # (m1 + m2) g below; restitution 0
    bodies = {
        "low": body("low", 3.0, (0, 0, 0), 0.01 * np.eye(3)),
        "top": body("top", 1.0, (0, 0, 1), 0.01 * np.eye(3)),
    }
    joints = {
        "S": joint("S", "prismatic", GROUND, "low", (0, 0, 0), (0, 0, 1), bodies),
        "R": joint("R", "prismatic", "low", "top", (0, 0, 1), (0, 0, 1), bodies),
    }
    system = compile_system(
        limited(limited(Mechanism(bodies, joints), "S", lower=-0.2), "R", lower=0.0)
    )
    runner = running.SmoothRun(system, RunOptions(1.0, 0.1), [])
    list(runner.blocks())
    assert runner.contacts.closed == {0, 1} and runner.contacts.count == 1
    carried = [runner.tables.row[runner.contacts.ints[e, 1], k.LAM] for e in (0, 1)]
    assert carried == pytest.approx([4.0 * G, 1.0 * G], rel=1e-10)


@pytest.mark.parametrize("type", ["universal", "cylindrical", "screw"])
def test_stops_on_every_angle_and_slide_that_a_row_can_hold(type):
    # e = 1 in one coordinate that moves alone: the kinetic energy is kept, and no sample lies
    # beyond; bodies without gravity
    bodies = {"rod": body("rod", 1.0, (0.0, 0, 0), np.diag([0.1, 0.2, 0.3]))}
    m = Mechanism(
        bodies,
        {"J": joint("J", type, GROUND, "rod", (0, 0, 0), (0, 0, 1), bodies)},
        gravity=vector(0, 0, 0),
    )
    if type == "screw":
        m = msgspec.structs.replace(
            m,
            joints={
                "J": msgspec.structs.replace(m.joints["J"], parameters={"pitch": Quantity(0.05)})
            },
        )
    freedoms = 1 if type == "screw" else 2
    m = (
        limited(
            limited(m, "J", lower=-0.3, upper=0.2, restitution=1.0, rates=(2.0, 1.5)[:freedoms]),
            "J",
            upper=0.25,
            restitution=1.0,
            coordinate=1,
        )
        if freedoms == 2
        else limited(m, "J", lower=-0.3, upper=0.2, restitution=1.0, rates=(2.0,))
    )
    for closing in ((), ("J",)):
        system = compile_system(m, closing=closing)
        samples, events = simulate(system, 0.6, 0.002, tolerance=1e-11)
        assert {(ev.coordinate, ev.upper) for ev in events} >= (
            {(0, True), (0, False)} if freedoms == 1 else {(0, True), (1, True)}
        )
        first = coordinate(system, samples, "J")
        assert first.max() < 0.2 + 1e-9 and first.min() > -0.3 - 1e-9
        kinetic = samples[:, system.layout.energy][:, 0]
        assert kinetic == pytest.approx(kinetic[0], rel=1e-8) and books_close(system, samples, 1e-8)


def test_a_drive_against_a_stop_ends_the_run_with_both_named():
    # at 1 m/s the stop at 0.5 m is reached after 0.5 s; neither gives way
    m = limited(block(), "S", upper=0.5, restitution=0.5)
    driven = msgspec.structs.replace(
        m,
        drives={
            "d": Drive(
                "d", "Drive 1", "S", 0, "velocity", Law("constant", {"value": Quantity(1.0)})
            )
        },
    )
    system = compile_system(driven)
    blocks = []
    with pytest.raises(
        RunStopped,
        match=r"stopped at 0\.5 s: a drive or the other joints push against the upper stop of "
        r"joint S",
    ) as stop:
        blocks.extend(block.copy() for block in run(system, RunOptions(1.0, 0.1)))
    assert stop.value.time == pytest.approx(0.5, abs=1e-10) and system.statistics.samples in (5, 6)
    # what was good before it is handed out
    assert np.concatenate(blocks)[:5, 0] == pytest.approx(np.arange(5) * 0.1)


def test_a_hard_stop_on_an_angle_of_a_ball_is_refused_with_a_cure():
    bodies = {"rod": body("rod", 1.0, (0.5, 0, 0), np.diag([0.1, 0.2, 0.3]))}
    m = Mechanism(
        bodies, {"J": joint("J", "spherical", GROUND, "rod", (0, 0, 0), (0, 0, 1), bodies)}
    )
    with pytest.raises(EngineError, match="hard stop on theta, which no stop can hold") as refusal:
        compile_system(limited(m, "J", upper=0.2, coordinate=1))
    assert refusal.value.finding.element == "J" and "stiffness" in refusal.value.finding.cure
    assert (
        refusal.value.finding in analyse(Project(limited(m, "J", upper=0.2, coordinate=1))).findings
    )
    soft = msgspec.structs.replace(
        m.joints["J"], limits=(Limit(1, None, Quantity(0.2), stiffness=Quantity(1e3)),)
    )
    assert (
        len(simulate(compile_system(msgspec.structs.replace(m, joints={"J": soft})), 0.1, 0.1)[0])
        == 2
    )
