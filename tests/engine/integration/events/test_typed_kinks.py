"""Kinks of typed drives at any instant: steps end before them and go on behind them, so that what
hangs on the drive rests till then and the work of the jerk is booked.
"""

import math

import msgspec
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mechstudio as ms
from mechstudio.engine.integration.law_features import clock_features, windows
from mechstudio.engine.system.system import compile_system
from mechstudio.model.laws.evaluation import begins_behind
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from tests.engine.integration.test_table_runs import slider
from tests.model.laws.test_evaluation import law

replace = msgspec.structs.replace

G, J = 9.81, 0.27  # m/s^2; about the pin, of 1 kg at 0.5 m with 0.02 kg m^2
# ends of halvings of three seconds, binary and decimal fractions, a third
KINKS = [2.0007, 1.5, 0.75, 0.375, 2.3, 2.25, 0.503, 0.25, 1 / 3, 2.9]


def hung(**driven):
    """A pendulum that hangs at rest on a cart under a drive."""
    m = ms.Builder(gravity=(0, 0, -G))
    cart = m.body("cart", mass=2.0, inertia=(1, 1, 1))
    bob = m.body("bob", mass=1.0, center_of_mass=(0, 0, -0.5), inertia=(0.02, 0.02, 0.02))
    slide = m.slider("slide", m.ground, cart, at=(0, 0, 0), axis=(1, 0, 0))
    m.pin("pin", cart, bob, at=(0, 0, 0))
    m.drive("motor", slide, **driven)
    return m.project()


def swing(jerks, times):
    """Angle of the pendulum at the times, and the energy [J] at the last of them.  jerks: (time,
    jump of the speed of the cart); their sum gives its speed.
    """
    angle, state, begin = np.zeros(len(times)), np.zeros(2), 0.0
    for n, (t, jump) in enumerate([*jerks, (times[-1], 0.0)]):
        if n and t > begin:
            found = solve_ivp(
                lambda _, y: [y[1], -0.5 * G * math.sin(y[0]) / J],
                (begin, t),
                state,
                rtol=1e-12,
                atol=1e-13,
                dense_output=True,
            )
            inside = (times > begin) & (times <= t)
            angle[inside], state = found.sol(times[inside])[0], found.y[:, -1]
        state[1] -= 0.5 * math.cos(state[0]) * jump / J
        begin = t
    u = sum(jump for _, jump in jerks)
    a, w = state
    return angle, 1.5 * u * u + 0.5 * math.cos(a) * u * w + 0.5 * J * w * w + 0.5 * G * (
        1.0 - math.cos(a)
    )


@pytest.mark.parametrize("kink", KINKS)
def test_all_rests_until_the_drive_starts(kink):
    result = ms.simulate(
        hung(position=f"max(0 m, 1 m/s*(t-{kink!r} s))"), duration=3.0, sample_step=0.01
    )
    angle, energy = swing([(kink, 1.0)], result.time)
    found = result.joint_coordinates["pin"][:, 0]
    assert np.abs(found[result.time < kink - 1e-9]).max() == 0.0
    assert found == pytest.approx(angle, abs=1e-8)
    assert result.work[-1] == pytest.approx(energy, abs=1e-7)
    assert result.statistics["energy_error"] < 1e-8 and not result.statistics["notes"]


@pytest.mark.parametrize(
    "text",
    [
        "max(0 m, 1 m/s*(t-0.5 s))-max(0 m, 1 m/s*(t-1.5 s))",
        "min(1 m, max(0 m, 1 m/s*(t-0.5 s)))",
        "0.5 m*(1+abs(t-0.5 s)/(1 s)-abs(t-1.5 s)/(1 s))",
    ],
)
def test_a_drive_that_starts_and_stops(text):
    result = ms.simulate(hung(position=text), duration=3.0, sample_step=0.01)
    angle, energy = swing([(0.5, 1.0), (1.5, -1.0)], result.time)
    assert result.joint_coordinates["pin"][:, 0] == pytest.approx(angle, abs=1e-8)
    assert result.work[-1] == pytest.approx(energy, abs=1e-7)


@pytest.mark.parametrize("kink", [0.75, 0.25, 1.1])
def test_a_speed_that_jumps(kink):
    text = f"0.5 m/s+0.5 m/s*(t-{kink!r} s)/abs(t-{kink!r} s)"
    result = ms.simulate(hung(speed=text), duration=3.0, sample_step=0.01)
    angle, energy = swing([(kink, 1.0)], result.time)
    assert result.joint_coordinates["pin"][:, 0] == pytest.approx(angle, abs=1e-8)
    assert result.work[-1] == pytest.approx(energy, abs=1e-7)


def driven(text):
    """A block of 1 kg on a slide, its place by a text."""
    m, slide = slider()
    m.drive("motor", slide, position=text)
    return m.project()


# x = v (t - t1) from t1 to t2: the jerks take m v^2 / 2 and give it back
@pytest.mark.parametrize("integrator", INTEGRATOR_TYPES)
def test_every_method_turns_the_corners_of_a_typed_ramp(integrator):
    result = ms.simulate(
        driven("1 m*min(1, max(0, (t-0.25 s)/(0.5 s)))"),
        duration=1.0,
        sample_step=0.1,
        integrator=integrator,
    )
    assert result.joint_coordinates["slide"][:, 0] == pytest.approx(
        np.clip(2.0 * (result.time - 0.25), 0.0, 1.0), abs=1e-12
    )
    assert result.work == pytest.approx([0, 0, 0, 2, 2, 2, 2, 2, 0, 0, 0], abs=1e-9)
    assert result.statistics["energy_error"] < 1e-9


@pytest.mark.parametrize("duration", [1.0, 3.0, 100.0])
def test_a_kink_lies_between_its_ends_wherever_it_is(duration):
    rng = np.random.default_rng(5)
    places = [
        *(round(float(t), 3) for t in rng.uniform(0.01, 0.99, 30) * duration),
        *(float(t) for t in rng.uniform(0.01, 0.99, 10) * duration),
        *(duration * n / 16 for n in range(1, 17)),
    ]
    for place in places:
        system = compile_system(driven(f"max(0 m, 1 m/s*(t-{place!r} s))").mechanism)
        found = clock_features(system.mechanism, system.tables, 0.0, duration, 8)
        (features,) = found.values()
        (before,), (behind,) = features.before, features.corners
        assert before < place <= behind and behind - before < 1e-14 * duration
        (corner,) = (w for w in windows(found, [], 0.0, duration) if w.corner)
        assert corner.last < before and place < corner.end < behind + 1e-14 * duration


def test_a_force_that_begins_with_a_kink():
    m, slide = slider()
    m.force("motor_force", "push", joint=slide, force=ms.expression("1 N*abs(sin(1 rad/s*t))"))
    result = ms.simulate(m.project(), duration=3.0, sample_step=0.1)
    assert result.velocities[:, 0, 0] == pytest.approx(1.0 - np.cos(result.time), abs=1e-9)


@pytest.mark.parametrize("sample_step", [0.75, 0.1, 1e-3])
def test_a_kink_at_the_end_does_not_show(sample_step):
    """The last sample, at which the speed falls from 1 to -1 m/s, has one of them."""
    result = ms.simulate(
        driven("1.5 m-abs(1 m/s*(t-1.5 s))"), duration=1.5, sample_step=sample_step
    )
    assert len(result) == round(1.5 / sample_step) + 1
    assert result.time[-1] == 1.5 and abs(result.velocities[-1, 0, 0]) == pytest.approx(1.0)
    assert result.joint_coordinates["slide"][-1, 0] == pytest.approx(1.5)
    assert result.statistics["energy_error"] < 1e-9


# of both sides of a kink with which a run begins, the one that comes after: |sin| and its sine
@pytest.mark.parametrize("touching", [False, True])
@pytest.mark.parametrize("start", [0.0, 2.0])
def test_a_drive_that_begins_with_a_kink(start, touching):
    motions = []
    for text in ("0.1 m*abs(sin(3 rad/s*(t-{0} s)))", "0.1 m*sin(3 rad/s*(t-{0} s))"):
        m, slide = slider()
        m.drive("motor", slide, position=text.format(start))
        if touching:
            m.floor(-5.0)
            m.touch()
        project = m.project()
        begun = replace(project.mechanism, start=Quantity(start))
        result = ms.simulate(replace(project, mechanism=begun), duration=1.0, sample_step=0.1)
        assert result.statistics["energy_error"] < 1e-5 and not result.statistics["notes"]
        motions.append(result)
    kinked, smooth = motions
    assert kinked.time[0] == start and kinked.velocities[0, 0, 0] == pytest.approx(0.3)
    for name in ("poses", "velocities", "kinetic_energy", "work"):
        assert getattr(kinked, name) == pytest.approx(getattr(smooth, name), abs=1e-9)


@pytest.mark.parametrize(
    ("text", "order", "jumps"),
    [
        ("abs(t)", 1, True),
        ("max(0, t)", 1, True),
        ("min(0, -t)", 1, True),
        ("abs(t)", 0, False),
        ("t*abs(t)", 1, False),
        ("1-cos(t)", 1, False),
        ("t^2", 1, False),
        ("exp(1e6*t)", 1, False),
        ("sin(3*t)+2", 1, False),
        ("sqrt(t)", 1, False),
        ("4", 1, False),
    ],
)
def test_only_a_jump_is_read_from_behind(text, order, jumps):
    begin = begins_behind(law("expression", text), 0.0, order)
    assert (begin > 0.0) == jumps and begin < 1e-12
