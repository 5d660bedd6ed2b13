"""Drives beside contacts: those that prescribe accelerations, and a body that a drive pushes on
after it struck it.

The rate of a prescribed acceleration a(t) is that at the beginning and the integral of a, whatever
touches; a body of mass m that it pushes along bears the normal force m a.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.runs.contact_run import ContactRunner
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import system_for

STEP = 1e-3


def values(result, name):
    return result.courses(name)[0].values


def bodies_in_a_row(law, masses=(1.0, 1.0), gap=0.0, shape="ball"):
    """A, which the drive `law` moves along x, and B before it on a slide; no gravity."""
    m = ms.Builder(gravity=(0, 0, 0))
    for name, x, mass in zip("AB", (0.0, 0.2 + gap), masses):
        body = m.body(
            name, (x, 0, 0), mass=mass, center_of_mass=(0, 0, 0), inertia=(0.01 * mass,) * 3
        )
        body.sphere(0.1) if shape == "ball" else body.box(0.2, 0.2, 0.2)
        slide = m.slider(f"slide of {name}", m.ground, body, at=(x, 0, 0), axis=(1, 0, 0))
        if name == "A":
            m.drive("drive", slide, **law)
    m.touch(step=STEP)
    return m


def one_body(law, floor=True, mass=2.0):
    """A body that the drive `law` moves along x, far above a floor that nothing touches."""
    m = ms.Builder(gravity=(0, 0, 0))
    body = m.body("A", mass=mass).box(0.1, 0.1, 0.1)
    m.drive("drive", m.slider("slide", m.ground, body, at=(0, 0, 0), axis=(1, 0, 0)), **law)
    if floor:
        m.floor(-5.0)
        m.touch(step=STEP)
    return m


@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 1e3), (1e3, 1.0)])
def test_a_prescribed_acceleration_pushes_what_it_touches(masses):
    """v = a t of both, N = m_B a, force of the drive (m_A + m_B) a, work (m_A + m_B) v^2 / 2."""
    project = bodies_in_a_row({"acceleration": "2 m/s^2"}, masses).project()
    result = ms.simulate(project, duration=0.2, sample_step=0.05)
    for body in "AB":
        assert values(result, f"Velocity of {body}: x") == pytest.approx(
            2.0 * result.time, abs=3e-6
        )
    assert values(result, "Position of A: x") == pytest.approx(result.time**2, abs=1e-12)
    borne = [2.0 * masses[1]] * 5
    assert values(result, "Normal force A – B") == pytest.approx(borne, rel=1e-3)
    assert values(result, "Force of drive") == pytest.approx([2.0 * sum(masses)] * 5, rel=1e-3)
    assert result.work[-1] == pytest.approx(0.5 * sum(masses) * 0.4**2, rel=1e-5)
    assert result.statistics["energy_error"] < 1e-9 and not result.statistics["notes"]


def test_an_impact_does_not_change_a_prescribed_rate():
    """The gap of 10 mm closes at t = sqrt(gap * 2 / a) = 0.1 s; the drive keeps a t through it."""
    project = bodies_in_a_row({"acceleration": "2 m/s^2"}, gap=0.01).project()
    result = ms.simulate(project, duration=0.2, sample_step=0.01)
    assert [event.time for event in result.events] == pytest.approx([0.1], abs=2 * STEP)
    assert values(result, "Velocity of A: x") == pytest.approx(2.0 * result.time, abs=1e-12)
    after = result.time > 0.105
    assert values(result, "Velocity of B: x")[after] == pytest.approx(
        2.0 * result.time[after], abs=3e-6
    )
    borne = values(result, "Normal force A – B")[after]
    assert borne == pytest.approx([2.0] * len(borne), rel=1e-3)


def test_a_lift_of_prescribed_acceleration_bears_its_load():
    """N = m (g + a) and force of the drive (m + M) (g + a) for a constant a."""
    m = ms.Builder()
    table = m.body("table", mass=2.0, center_of_mass=(0, 0, 0), inertia=(0.1,) * 3)
    slide = m.slider("slide", m.ground, table.box(0.5, 0.5, 0.02), at=(0, 0, 0), axis=(0, 0, 1))
    box = m.body("box", (0, 0, 0.06), mass=3.0, center_of_mass=(0, 0, 0), inertia=(0.01,) * 3)
    box.box(0.1, 0.1, 0.1)
    m.drive("drive", slide, acceleration="1.5 m/s^2")
    m.touch(step=STEP)
    result = ms.simulate(m.project(), duration=0.2, sample_step=0.05)
    whole = 9.81 + 1.5
    assert values(result, "Normal force table – box") == pytest.approx([3.0 * whole] * 5, rel=1e-3)
    assert values(result, "Force of drive") == pytest.approx([5.0 * whole] * 5, rel=1e-3)
    assert values(result, "Velocity of table: z") == pytest.approx(1.5 * result.time, abs=1e-12)


def test_an_acceleration_over_the_time_is_integrated():
    """a = A sin(w t): v = A (1 - cos w t) / w and x = A (t - sin(w t) / w) / w, the work is
    m v^2 / 2; as without contacts, in no more steps than the run has.
    """
    law = {"acceleration": ms.expression("3 m/s^2*sin(10 rad/s*t)")}
    result = ms.simulate(one_body(law).project(), duration=0.5, sample_step=0.05)
    t = result.time
    speed = 0.3 * (1.0 - np.cos(10.0 * t))
    assert values(result, "Velocity of A: x") == pytest.approx(speed, abs=1e-12)
    assert values(result, "Position of A: x") == pytest.approx(
        0.3 * (t - np.sin(10.0 * t) / 10.0), abs=3e-7
    )
    assert result.work == pytest.approx(speed**2, abs=1e-5)
    assert result.statistics["energy_error"] < 1e-5
    smooth = ms.simulate(one_body(law, floor=False).project(), duration=0.5, sample_step=0.05)
    assert values(result, "Force of drive") == pytest.approx(
        values(smooth, "Force of drive"), abs=1e-9
    )
    options = RunOptions(duration=0.05, sample_step=0.01)
    runner = ContactRunner(system_for(one_body(law).mechanism, options), options, [], None, None)
    list(runner.blocks())
    assert runner.world.S.counts[s.STEPS] == 50


@pytest.mark.parametrize("width", [1e-5, 1e-4, 1e-3])
def test_pulses_of_acceleration_within_a_step(width):
    """v = A w sqrt(pi), wherever in a step the pulse lies."""
    law = ms.expression(f"1000 m/s^2*exp(-((t-0.10037 s)/({width!r} s))^2)")
    result = ms.simulate(one_body({"acceleration": law}).project(), duration=0.2, sample_step=0.1)
    exact = 1000.0 * width * np.sqrt(np.pi)
    assert values(result, "Velocity of A: x")[-1] == pytest.approx(exact, rel=1e-6)
    assert result.work[-1] == pytest.approx(exact**2, rel=1e-6)


def test_an_acceleration_acts_through_gears():
    """Turns of ratio -2: w_1 = a t, w_2 = -a t / 2, and the work is the kinetic energy of both."""
    m = ms.Builder(gravity=(0, 0, 0))
    turns = []
    for name, x in (("first", 0.0), ("second", 1.0)):
        wheel = m.body(name, (x, 0, 0), mass=1, center_of_mass=(0, 0, 0), inertia=(0.5,) * 3)
        wheel.sphere(0.1)
        turns.append(m.pin(f"pin of {name}", m.ground, wheel, at=(x, 0, 0), axis=(0, 0, 1)))
    m.gear("mesh", *turns, ratio=-2)
    m.drive("drive", turns[0], acceleration="8 rad/s^2")
    m.floor(-5.0)
    result = ms.simulate(m.project(), duration=0.2, sample_step=0.05)
    first, second = (values(result, f"Angular velocity of {n}: z") for n in ("first", "second"))
    assert first == pytest.approx(8.0 * result.time, abs=1e-11)
    assert second == pytest.approx(-0.5 * first, abs=1e-11)
    assert result.work[-1] == pytest.approx(0.25 * (first[-1] ** 2 + second[-1] ** 2), rel=1e-9)
    assert result.statistics["energy_error"] < 1e-9


def slider_crank(contacts, gap=0.004):
    """A crank of 0.2 m under a prescribed acceleration, a rod of 0.5 m, a piston and, with
    contacts, a block that it pushes from the inner dead centre on.
    """
    m = ms.Builder(gravity=(0, 0, 0))
    made = dict(mass=1, center_of_mass=(0, 0, 0), inertia=(0.1,) * 3)
    crank, rod = m.body("crank", **made), m.body("rod", (-0.2, 0, 0), **made)
    piston = m.body("piston", (0.3, 0, 0), **made).box(0.1, 0.1, 0.1)
    turn = m.pin("main", m.ground, crank, at=(0, 0, 0), axis=(0, 0, 1))
    m.pin("big end", crank, rod, at=(-0.2, 0, 0), axis=(0, 0, 1))
    m.pin("small end", rod, piston, at=(0.3, 0, 0), axis=(0, 0, 1))
    m.slider("guide", m.ground, piston, at=(0.3, 0, 0), axis=(1, 0, 0))
    m.drive("drive", turn, acceleration="30 rad/s^2")
    if contacts:
        block = m.body("block", (0.4 + gap, 0, 0), **made).box(0.1, 0.1, 0.1)
        m.slider("track", m.ground, block, at=(0.4 + gap, 0, 0), axis=(1, 0, 0))
        m.touch(step=STEP)
    return m


def test_an_acceleration_drives_a_closed_loop_that_pushes():
    """The crank turns at a t whatever the piston pushes; block and piston move as one, and the
    block bears m times their acceleration.
    """
    result, smooth = (
        ms.simulate(slider_crank(contacts).project(), duration=0.2, sample_step=0.01)
        for contacts in (True, False)
    )
    rate = "Angular velocity of crank: z"
    assert values(result, rate) == pytest.approx(30.0 * result.time, abs=1e-10)
    moved = values(smooth, "Velocity of piston: x")
    assert values(result, "Velocity of piston: x") == pytest.approx(moved, abs=1e-3)
    pushed = (result.time > 0.135) & (result.time < 0.195)
    assert values(result, "Velocity of block: x")[pushed] == pytest.approx(moved[pushed], rel=2e-2)
    borne = values(smooth, "Acceleration of piston: x")[pushed]
    assert values(result, "Normal force piston – block")[pushed] == pytest.approx(borne, rel=2e-2)
    assert result.statistics["energy_error"] < 1e-3


@pytest.mark.parametrize("shape", ["ball", "box"])
@pytest.mark.parametrize(
    ("half", "mass", "gap"),
    [(1.0, 1.0, 0.01), (1.0, 1e3, 0.0205), (10.0, 1.0, 0.0101), (100.0, 1e3, 0.05)],
)
def test_a_position_pushes_evenly_behind_an_impact(half, mass, gap, shape):
    """x = a t^2 / 2 of A: behind the impact N = m a in every step."""
    law = {"position": ms.expression(f"{half!r} m/s^2*t^2")}
    struck = np.sqrt(gap / half)
    project = bodies_in_a_row(law, (1.0, mass), gap, shape).project()
    result = ms.simulate(
        project, duration=float(np.ceil(struck * 1e3 + 30) / 1e3), sample_step=STEP
    )
    settled = result.time > struck + 8 * STEP
    borne = values(result, "Normal force A – B")[settled]
    assert len(borne) > 15
    assert borne == pytest.approx([2.0 * half * mass] * len(borne), rel=1e-3)
    apart = values(result, "Velocity of B: x") - values(result, "Velocity of A: x")
    assert np.abs(apart[settled]).max() < 3e-6
