"""Short features of typed laws: enclosures that hold, pulses and bumps that no step misses, and
sentences where no bound is found.
"""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.integration.law_features import (
    clock_features,
    watch_tables,
    watched_laws,
    windows,
)
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables as r
from mechstudio.engine.kernels.kernel_table import FEATURES, need
from mechstudio.engine.kernels.loads.law_bounds import enclose_over_time
from mechstudio.engine.run import system_for
from mechstudio.model.laws import evaluation
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from tests.engine.integration.test_table_runs import slider
from tests.engine.kernels.loads.test_law_interpreter import tables
from tests.model.laws.test_evaluation import law

ROOT_PI = math.sqrt(math.pi)
TEXTS = [
    "sin(3*t)*exp(-t/2)",
    "cos(t)/(2+t^2)",
    "tan(t/3)+atan(2*t)",
    "asin(t/5)-acos(t/4)",
    "sqrt(1+t)+log(2+t)^3",
    "(1+t)^(t/2)+2^t",
    "hypot(t, 2, 3*t)",
    "atan2(t+1, 2-t)",
    "atan2(t-1, t-3)",
    "min(t^2, 2*t)-max(t, 1)+abs(t-1.5)",
    "-(1+t)^-2+t²-+-3*t",
    "t^3-t^2*(t-1)^2",
    "(t+0.5)^1.5*(t+3)^-0.7",
    "exp(-((t-1)/0.05)^2)",
    "exp(-exp(t))*sin(t^2)",
    "1/(1+((t-1.3)/0.01)^2)",
    "abs(sin(9*t))",
    "(t-1)^5",
    "(t-1)^4*3",
    "log(abs(t-4))",
    "-t",
    "2.5",
    "t-t",
]


def bounds(text, order):
    """(T, watch) of a law of the time."""
    need(FEATURES)
    T = tables(law("expression", text))
    return T, watch_tables(int(T.laws[0, k.L_COUNT]), order)


@pytest.mark.parametrize("text", TEXTS)
def test_enclosures_hold_values_and_slopes(text):
    # c_1 = h f', c_2 = h^2 f'' / 2 with the jets of model/laws/evaluation.py at places within
    rng = np.random.default_rng(3)
    entry = law("expression", text)
    for order in (1, 2):
        T, watch = bounds(text, order)
        for _ in range(60):
            a = rng.uniform(0.0, 3.0)
            h = 10.0 ** rng.uniform(-6.0, 0.3)
            enclose_over_time(T, watch, 0, a, a + h)
            jets = np.array(evaluation.jets(entry, np.linspace(a, a + h, 40)))
            low, high, curved = watch.found[:3]
            slack = 1e-12 * (1.0 + np.abs(jets[:, 0]).max())
            assert low <= jets[:, 0].min() + slack and jets[:, 0].max() - slack <= high
            if not watch.found[r.CORNER]:
                requested = np.abs(jets[:, order]).max() * h**order / order
                assert requested <= curved * (1.0 + 1e-9) + 1e-12


@pytest.mark.parametrize("text", TEXTS)
def test_enclosures_become_narrow(text):
    # of short stretches the bounds are the values themselves, but for corners
    rng = np.random.default_rng(4)
    entry = law("expression", text)
    T, watch = bounds(text, 2)
    for a in rng.uniform(0.0, 3.0, 20):
        h = 1e-7
        enclose_over_time(T, watch, 0, a, a + h)
        f, g, _c = evaluation.jet(entry, a)
        assert watch.found[r.UPPER] - watch.found[r.LOWER] <= 100.0 * h * (1.0 + abs(f) + abs(g))


def test_high_coefficients():
    # the eighth coefficient of sin(w t) is w^8 sin(w t) / 8!, of a polynomial of degree 7 it is
    # exactly 0
    T, watch = bounds("sin(3*t)", 8)
    enclose_over_time(T, watch, 0, 1.0, 1.001)
    assert watch.found[r.CURVED] == pytest.approx(
        abs(math.sin(3.0)) * (3e-3) ** 8 / math.factorial(8), rel=0.05
    )
    T, watch = bounds("t^7-3*t^5*(t-1)", 8)
    enclose_over_time(T, watch, 0, 0.0, 1e6)
    assert watch.found[r.CURVED] == 0.0


# of the time alone


def pulsed(text, **run):
    m, slide = slider()
    m.force("motor_force", "push", joint=slide, force=ms.expression(text))
    return ms.simulate(m.project(), **{"duration": 5.0, "sample_step": 1.0, **run})


def pulse(place, width, size=1000.0):
    """(text, its integral from 0 to 5 s)."""
    exact = size * width * ROOT_PI / 2 * (math.erf((5.0 - place) / width) + math.erf(place / width))
    return f"{size!r} N*exp(-((t-{place!r} s)/({width!r} s))^2)", exact


@pytest.mark.parametrize(
    ("integrator", "bound"),
    [
        ("dop853", 1e-8),
        ("dopri5", 1e-7),
        ("radau", 1e-7),
        ("rk4", 1e-6),
        ("generalized_alpha", 1e-4),
        ("semi_implicit_euler", 2e-3),
    ],
)
@pytest.mark.parametrize("width", [1e-6, 1e-3, 1e-2])
@pytest.mark.thinned(4)
def test_a_pulse_in_the_middle(width, integrator, bound):
    # 1 kg: v = A w sqrt(pi)
    text, exact = pulse(2.5, width)
    result = pulsed(text, integrator=integrator)
    assert result.velocities[-1, 0, 0] == pytest.approx(exact, rel=bound)
    if integrator in ("dop853", "dopri5", "radau"):
        assert not result.statistics["notes"]
    elif width < 1e-2:
        assert result.statistics["notes"][0].startswith(
            "The force of push changes faster than the fixed step of 0.001 s follows"
        )


def test_the_pulse_of_ten_milliseconds_and_a_hundred_newtons():
    text, exact = pulse(2.5, 1e-2, 100.0)
    assert exact == pytest.approx(1.7724538509055159)
    assert pulsed(text).velocities[-1, 0, 0] == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("count", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_pulses_at_random_times_whatever_the_samples(count):
    rng = np.random.default_rng(17)
    for _ in range(count):
        text, exact = pulse(
            float(rng.uniform(0.0, 5.0)),
            float(10.0 ** rng.uniform(-6.0, 0.0)),
            float(10.0 ** rng.uniform(-1.0, 4.0)),
        )
        for sample_step in (1e-3, 1.0):
            assert pulsed(text, sample_step=sample_step).velocities[-1, 0, 0] == pytest.approx(
                exact, rel=1e-6
            )


def test_a_pulse_beside_a_lasting_load():
    # the momentum of both: 10 N 5 s + A w sqrt(pi)
    text, exact = pulse(3.1, 1e-5, 1e4)
    result = pulsed(f"10 N + {text}")
    assert result.velocities[-1, 0, 0] == pytest.approx(50.0 + exact, abs=1e-8)


def test_two_drives_and_a_force_with_pulses_of_their_own():
    m = ms.Builder(gravity=(0, 0, 0))
    a, b = (m.body(name, mass=1.0).box("0.1 m", "0.1 m", "0.1 m") for name in "ab")
    s, t = (
        m.slider(name, m.ground, body, at=(0, 0, 0), axis=(1, 0, 0))
        for name, body in (("s", a), ("t", b))
    )
    m.force("motor_force", "push", joint=s, force=ms.expression("1 kN*exp(-((t-1.7 s)/(20 us))^2)"))
    m.drive("motor", t, speed=ms.expression("2 m/s*exp(-((t-3.3 s)/(0.1 ms))^2)"))
    result = ms.simulate(m.project(), duration=5.0, sample_step=1.0)
    assert result.velocities[-1, 0, 0] == pytest.approx(1000.0 * 2e-5 * ROOT_PI, rel=1e-7)
    assert result.joint_coordinates["t"][-1, 0] == pytest.approx(2.0 * 1e-4 * ROOT_PI, rel=1e-7)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        # corners are ends of steps: integrals of |t - c|, of a triangle and of a clipped ramp are
        # exact
        ("1 N*abs(t-1.2345 s)/(1 s)", (1.2345**2 + (5 - 1.2345) ** 2) / 2),
        ("1 MN*max(0, 1-abs((t-3.21 s)/(1 us)))", 1.0),
        ("1 kN*max(0, 1-abs((t-3.21 s)/(1 ms)))", 1.0),
        ("1 N*min(1, max(0, (t-2 s)/(0.001 us)))", 3.0 - 0.5e-9),
    ],
)
def test_corners_of_typed_laws_are_ends_of_steps(text, exact):
    result = pulsed(text)
    assert result.velocities[-1, 0, 0] == pytest.approx(exact, rel=1e-9)


def test_smooth_laws_put_no_bound_on_the_step():
    m, slide = slider()
    m.force("motor_force", "a", joint=slide, force=ms.expression("3 N*sin(2 rad/s*t)"))
    m.force(
        "motor_force", "b", joint=slide, force=ms.expression("-3 N/m*x-0.1 N/m^3*x^3-1 N*s/m^2*v*x")
    )
    mechanism = m.project().mechanism
    options = RunOptions()
    system = system_for(mechanism, options)
    T = system.fresh_tables()
    assert len(watched_laws(mechanism, T, np.linspace(0.0, 1.0, 3), 8).laws) == 0
    course = windows(clock_features(mechanism, T, 0.0, 5.0, 8), [], 0.0, 5.0)
    assert len(course) == 1 and course[0].longest > 0.3 and not course[0].corner


def test_laws_without_a_bound_are_noted():
    result = pulsed("1 N*sin(30000000 rad/s*t)", duration=0.1)
    assert result.statistics["notes"][0].startswith(
        "No bound was found for how fast the force of push changes between "
    )


# that read the motion


def bumped(text, speed=1.0, duration=5.0, **run):
    m = ms.Builder(gravity=(0, 0, 0))
    block = m.body("block", mass=1.0).box("0.1 m", "0.1 m", "0.1 m")
    slide = m.slider("slide", m.ground, block, at=(0, 0, 0), axis=(1, 0, 0), rate=speed)
    m.force("motor_force", "push", joint=slide, force=ms.expression(text))
    return ms.simulate(m.project(), duration=duration, sample_step=1.0, **run)


def gained(work, speed=1.0):
    """Speed that a kilogram gains by so much work [J], without cancellation."""
    return 2.0 * work / (speed + math.sqrt(speed * speed + 2.0 * work))


@pytest.mark.parametrize(
    ("integrator", "bound"),
    [
        ("dop853", 1e-7),
        ("dopri5", 1e-7),
        ("radau", 1e-6),
        ("rk4", 1e-5),
        ("generalized_alpha", 0.05),
        ("semi_implicit_euler", 0.05),
    ],
)
@pytest.mark.parametrize("width", [1e-5, 1e-3, 0.1])
@pytest.mark.thinned(12)
def test_a_bump_on_the_way(width, integrator, bound):
    # m v^2 / 2 grows by the integral of F dx = A w sqrt(pi)
    result = bumped(f"1 N*exp(-((x-2.345 m)/({width!r} m))^2)", integrator=integrator)
    assert result.velocities[-1, 0, 0] - 1.0 == pytest.approx(
        gained(width * ROOT_PI), rel=bound, abs=2e-13
    )


@pytest.mark.parametrize("count", [6, pytest.param(200, marks=pytest.mark.slow)])
def test_bumps_at_random_places(count):
    rng = np.random.default_rng(18)
    for _ in range(count):
        width, place, size = (
            float(10.0 ** rng.uniform(-6.0, -0.7)),
            float(rng.uniform(1.0, 4.0)),
            float(10.0 ** rng.uniform(0.0, 3.0)),
        )
        work = size * width * ROOT_PI / 2 * (1.0 + math.erf(place / width))
        result = bumped(f"{size!r} N*exp(-((x-{place!r} m)/({width!r} m))^2)")
        assert result.velocities[-1, 0, 0] - 1.0 == pytest.approx(gained(work), rel=1e-6)


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("1 N/m*x*exp(-((x-2.345 m)/(0.1 mm))^2)", 2.345 * 1e-4 * ROOT_PI),
        ("1 N*max(0, 1-abs((x-2.345 m)/(0.1 mm)))", 1e-4),
        ("1 N/(1+((x-2.345 m)/(0.01 mm))^2)", 1e-5 * math.pi),
        ("1 N*exp(-((x-2.345 m)/(0.1 mm))^2)*exp(-t/(1e9 s))", 1e-4 * ROOT_PI),
        ("1 N*exp(-((q_slide-2.345 m)/(0.1 mm))^2)", 1e-4 * ROOT_PI),
    ],
)
def test_bumps_of_many_kinds(text, work):
    result = bumped(text)
    assert result.velocities[-1, 0, 0] - 1.0 == pytest.approx(gained(work), rel=1e-5)


def test_a_bump_in_the_speed():
    # a = -1 m/s^2 from a spring-less brake, and a bump at v = 2 m/s: dt = m dv / F, so that the
    # bump adds (1/(1 + b) - 1) over dv; x by quadrature of v dv / F
    width = 1e-4
    result = bumped(f"-1 N-3 N*exp(-((v-2 m/s)/({width} m/s))^2)", speed=3.0, duration=2.0)
    from scipy.integrate import quad

    late = quad(lambda u: 1.0 - 1.0 / (1.0 + 3.0 * math.exp(-u * u)), -8.0, 8.0)[0] * width
    assert result.velocities[-1, 0, 0] - 1.0 == pytest.approx(-late, rel=1e-5)


def test_a_bump_for_a_point_of_a_body_and_between_two_points():
    m = ms.Builder(gravity=(0, 0, 0))
    ball, other = (
        m.body("ball", mass=1.0).sphere("0.1 m"),
        m.body("other", mass=1.0).sphere("0.1 m"),
    )
    ball.velocity(linear=(1, 0, 0))
    other.velocity(linear=(0, 1, 0))
    m.force(
        "force",
        "gate",
        body=ball,
        vector=(ms.expression("1 N*exp(-((x-2.345 m)/(0.1 mm))^2)"), 0, 0),
    )
    m.force(
        "actuator",
        "rope",
        a=m.ground,
        b=other,
        at=((0, -1, 0), (0, 0, 0)),
        force=ms.expression("1 N*exp(-((x-3.345 m)/(0.1 mm))^2)"),
    )
    result = ms.simulate(m.project(), duration=5.0, sample_step=1.0)
    assert result.velocities[-1, 0, 0] - 1.0 == pytest.approx(gained(1e-4 * ROOT_PI), rel=1e-5)
    assert result.velocities[-1, 1, 1] - 1.0 == pytest.approx(gained(1e-4 * ROOT_PI), rel=1e-5)


# what ends a run


@pytest.mark.parametrize("sample_step", [1e-3, 1.0])
@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
@pytest.mark.parametrize(
    ("motion", "when"),
    [
        (
            ms.table((0, 0), (2.4995, 0), (2.5, 1.0), (2.5005, 0), (5, 0), between="straight"),
            2.4999,
        ),
        (ms.expression("1 m*exp(-((t-2.5 s)/(0.5 ms))^2)"), 2.5 - 5e-4 * math.sqrt(-math.log(0.8))),
    ],
)
def test_a_peak_of_a_millisecond_ends_a_run(motion, when, integrator, sample_step):
    m, slide = slider()
    m.drive("motor", slide, position=motion)
    result = ms.simulate(
        m.project(),
        duration=5.0,
        sample_step=sample_step,
        integrator=integrator,
        until=["slide slide > 0.8 m"],
    )
    assert result.ended_by is not None
    assert result.time[-1] == pytest.approx(when, abs=1e-9) and result.joint_coordinates["slide"][
        -1, 0
    ] == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize("tolerance", [1e-9, 1e-12])
@pytest.mark.parametrize("duration", [1.0, 2.0, 2.5])
def test_a_ramp_that_ends_with_the_run_is_a_parabola_at_every_sample(tolerance, duration):
    # the stages at the end of the last step must not see the level behind the ramp
    project = ms.load("samples/gear_train.mech")
    (drive,) = project.mechanism.drives.values()
    speed = drive.law.parameters["end"].value
    assert drive.law.parameters["duration"].value == 2.0
    found = ms.simulate(project, duration=duration, tolerance=tolerance)
    t = np.minimum(found.time, 2.0)
    angle = found.joint_coordinates["A"][:, 0]
    expected = 0.25 * speed * t**2 + speed * (found.time - t)
    assert len(found) == round(60 * duration) + 1
    np.testing.assert_allclose(angle - angle[0], expected, atol=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATOR_TYPES)
def test_every_method_ends_with_a_ramp(integrator):
    project = ms.load("samples/gear_train.mech")
    found = ms.simulate(project, duration=2.0, integrator=integrator)
    speed = next(iter(project.mechanism.drives.values())).law.parameters["end"].value
    angle = found.joint_coordinates["A"][:, 0]
    tolerance = 5e-3 if integrator in ("semi_implicit_euler", "generalized_alpha") else 1e-8
    assert len(found) == 121
    np.testing.assert_allclose(angle - angle[0], 0.25 * speed * found.time**2, atol=tolerance)
