"""Steps end at the edges of cams, whatever the integrator and the sense of turning: the follower is
where the law says.
"""

import math
import re

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.integration.events.cam_edges import edges
from mechstudio.engine.integration.events.typed_edges import kinks
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import system_for
from mechstudio.model.quantity import Quantity
from tests.engine.integration.test_law_features import bounds
from tests.known_answers.laws import lobe

replace = msgspec.structs.replace
STEEP = (5.0, 1.0, 0.1, 3.0, 2.5)  # lift, begin, rise, dwell, fall
USUAL = (0.02, 0.3, 1.5, 0.7, 1.5)


def cam(law, inertia=0.1, mass=1.0, gravity=(0, 0, 0), **drive):
    """A cam about z and its follower along z; a drive of its angle, or the rate with which it is
    let go.
    """
    m = ms.Builder(gravity=gravity)
    wheel = m.pin(
        "cam",
        m.ground,
        m.body("wheel", mass=1.0, inertia=(inertia,) * 3),
        at=(0, 0, 0),
        axis=(0, 0, 1),
    )
    rod = m.slider(
        "J", m.ground, m.body("rod", mass=mass, inertia=(0.1,) * 3), at=(0, 0, 0.1), axis=(0, 0, 1)
    )
    m.cam("lobe", wheel, rod, law)
    if drive:
        m.drive("motor", wheel, **drive)
    return m.project()


def lobed(numbers):
    lift, begin, rise, dwell, fall = numbers
    return ms.rise_and_return(lift, begin=begin, rise=rise, dwell=dwell, fall=fall)


def place(result):
    return result.joint_coordinates["J"][:, 0]


# x = f(a), a = 2 t; 6.4e-5 m and 14 times the energy before steps ended at edges
@pytest.mark.parametrize(
    ("integrator", "bound"), [("dop853", 1e-9), ("dopri5", 1e-9), ("radau", 1e-9), ("rk4", 1e-9)]
)
@pytest.mark.parametrize("numbers", [STEEP, USUAL])
def test_a_driven_cam_is_where_the_law_says(integrator, bound, numbers):
    result = ms.simulate(cam(lobed(numbers), speed=2.0), duration=4.0, integrator=integrator)
    assert np.abs(place(result) - (lobe(result.time, *numbers) - lobe(0.0, *numbers))).max() < bound
    # of the energy that the samples see, 14 of which were missing
    assert result.statistics["energy_error"] < 2e-3


# the same curve run backwards: f(-2 t)
def test_a_cam_that_turns_back():
    result = ms.simulate(cam(lobed(STEEP), speed=-2.0), duration=4.0)
    assert np.abs(place(result) - (lobe(-result.time, *STEEP) - lobe(0.0, *STEEP))).max() < 1e-9


# a = 1.3 sin(3 t) goes over the edges at 1 and 1.1 rad and back, and turns round at none of them
def test_a_cam_that_swings_over_its_edges():
    result = ms.simulate(
        cam(lobed(STEEP), position=ms.expression("1.3*sin(3 rad/s*t)")), duration=4.0
    )
    a = 1.3 * np.sin(3.0 * result.time)
    assert np.abs(place(result) - (lobe(0.5 * a, *STEEP) - lobe(0.0, *STEEP))).max() < 1e-9


# a = (1 - cos 3 t) / 2 turns round at 1 rad, where the rise begins, and cos(3 t) - 1 at -2 rad
@pytest.mark.parametrize(
    ("text", "angle"),
    [
        ("0.5 rad*(1-cos(3 rad/s*t))", lambda t: 0.5 * (1 - np.cos(3 * t))),
        ("1 rad*cos(3 rad/s*t)-1 rad", lambda t: np.cos(3 * t) - 1),
    ],
)
def test_a_cam_that_turns_round_on_an_edge(text, angle):
    result = ms.simulate(cam(lobed(STEEP), position=ms.expression(text)), duration=4.0)
    assert (
        np.abs(place(result) - (lobe(0.5 * angle(result.time), *STEEP) - lobe(0.0, *STEEP))).max()
        < 1e-9
    )


# let go: J a'^2 / 2 + m (f' a')^2 / 2 stays
def test_a_free_cam_keeps_its_energy():
    project = cam(lobed((0.5, 1.0, 0.4, 1.0, 1.5)))
    joints = project.mechanism.joints
    wheel = next(j for j in joints.values() if j.name == "cam")
    spun = replace(wheel, rates=(Quantity(3.0),))
    project = replace(
        project, mechanism=replace(project.mechanism, joints={**joints, wheel.id: spun})
    )
    result = ms.simulate(project, duration=5.0)
    assert result.statistics["energy_error"] < 1e-7
    f = lobe(0.5 * result.joint_coordinates["cam"][:, 0], 0.5, 1.0, 0.4, 1.0, 1.5)
    assert np.abs(place(result) - f).max() < 1e-9


# straight pieces: the follower's speed jumps at each point
def test_a_table_of_straight_pieces():
    points = [(0.0, 0.0), (1.0, 0.1), (1.5, 0.1), (3.0, -0.2), (20.0, -0.2)]
    result = ms.simulate(cam(ms.table(*points, between="straight"), speed=2.0), duration=4.0)
    a = 2.0 * result.time
    assert np.abs(place(result) - np.interp(a, *np.transpose(points))).max() < 1e-9


def test_no_step_runs_over_an_edge():
    from mechstudio.engine.integration import smooth_run as runs
    from mechstudio.engine.integration.options import options_of
    from mechstudio.engine.kernels import run_tables

    project = cam(lobed(STEEP), speed=2.0)
    options = options_of(project, 2.5)
    system = system_for(project.mechanism, options)
    runner = runs.SmoothRun(system, options, [], None)
    ends, rotated = [], runner._leave_corner
    runner._leave_corner = lambda: (
        ends.append(float(runner.state.y[runner.edges.all[0].at])),
        rotated(),
    )[1]
    for _ in runner.blocks():
        pass
    assert (
        ends == pytest.approx([6.6 - 2.0 * math.pi, 1.0, 1.1, 4.1], abs=1e-9)
        and runner.state.count[run_tables.ACCEPTED] < 400
    )


# typed laws: the momentum J a' + m f' x' stays where f' jumps, or the drive does the work of the
# jerk; inertia 0.01 kg m^2, follower of 20 kg, slopes of 1 cm/rad
RISE = 1e-2
TYPED = {"inertia": 0.01, "mass": 20.0}
M = TYPED["mass"] * RISE**2


def spun(law, rate, **numbers):
    """A cam that is let go with a rate [rad/s]."""
    project = cam(law, **{**TYPED, **numbers})
    joints = project.mechanism.joints
    wheel = next(j for j in joints.values() if j.name == "cam")
    joints = {**joints, wheel.id: replace(wheel, rates=(Quantity(rate),))}
    return replace(project, mechanism=replace(project.mechanism, joints=joints))


def straight(*points):
    return ms.table(*points, between="straight")


# at 5 rad/s a kink at 1 rad is passed on a sample, at 1.0037 rad between two, and both were lost
@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize(
    ("kink", "law"),
    [
        (1.0, ms.expression("1 cm*max(0, {}*a/(1 rad)-1.0)")),
        (1.0037, ms.expression("1 cm*max(0, {}*a/(1 rad)-1.0037)")),
        # ten turns from the start
        (62.0, ms.expression("1 cm*max(0, {}*a/(1 rad)-62)")),
        (1.0, straight((0, 0), (1, 0), (101, 1.0))),
    ],
)
def test_the_work_of_a_kink_is_booked(kink, law, sense):
    if law.text:
        law = ms.expression(law.text.format(sense))
    elif sense < 0:
        law = straight((-101, 1.0), (-1, 0), (0, 0))
    speed = 5.0 * max(1.0, kink / 2.0)
    driven = ms.simulate(cam(law, **TYPED, speed=sense * speed), duration=1.0, sample_step=0.01)
    assert place(driven) == pytest.approx(
        RISE * np.maximum(0.0, speed * driven.time - kink), abs=1e-9
    )
    assert driven.work[-1] == pytest.approx(0.5 * M * speed**2, rel=1e-9)
    free = ms.simulate(spun(law, sense * speed), duration=1.0, sample_step=0.01)
    after = 0.01 * speed / (0.01 + M)
    assert sense * free.velocities[-1, 0, 5] == pytest.approx(after, rel=1e-9)
    assert free.work[-1] == pytest.approx(-0.5 * 0.01 * speed * (speed - after), rel=1e-9)
    for result in (driven, free):
        assert result.statistics["energy_error"] < 1e-9 and not result.statistics["notes"]


def test_a_typed_valley_is_that_of_its_table():
    """f' falls from c to -c: J w - M w before, J w' + M w' after."""
    results = [
        ms.simulate(spun(law, 5.0), duration=1.0, sample_step=0.01)
        for law in (
            ms.expression("1 cm*abs(a/(1 rad)-2)"),
            straight((-10, 0.12), (2, 0.0), (12, 0.1)),
        )
    ]
    for result in results:
        assert result.velocities[-1, 0, 5] == pytest.approx(5.0 * (0.01 - M) / (0.01 + M), rel=1e-9)
        assert result.statistics["energy_error"] < 1e-9
    assert place(results[0]) == pytest.approx(place(results[1]), abs=1e-9)


# drawn on the kink of |sin a|, a cam begins with the side to which it turns
@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("driven", [True, False])
def test_a_cam_that_is_drawn_on_a_kink(sense, driven):
    law = ms.expression("1 cm*abs(sin(a))")
    project = cam(law, **TYPED, speed=5.0 * sense) if driven else spun(law, 5.0 * sense)
    result = ms.simulate(project, duration=1.0, sample_step=0.01)
    assert result.velocities[0, 1, 2] == pytest.approx(5.0 * RISE)
    assert result.kinetic_energy[0] == pytest.approx(0.5 * (0.01 + M) * 25.0)
    assert place(result) == pytest.approx(
        RISE * np.abs(np.sin(result.joint_coordinates["cam"][:, 0])), abs=1e-9
    )
    assert result.statistics["energy_error"] < 1e-8 and not result.statistics["notes"]


@pytest.mark.parametrize(
    ("text", "low", "high", "expected"),
    [
        ("abs(sin(a))", -6.5, 6.5, [-2 * math.pi, -math.pi, 0.0, math.pi, 2 * math.pi]),
        ("max(sin(a), cos(a))", 0.0, 2 * math.pi, [0.25 * math.pi, 1.25 * math.pi]),
        ("max(0, a-1)+min(a, 1.5)", 0.0, 2.0, [1.0, 1.5]),
        ("abs(a-1000.1)", 159 * 2 * math.pi, 160 * 2 * math.pi, [1000.1]),
        ("abs(a)", 0.0, 1.0, [0.0]),
        ("abs(a-1)", 0.0, 1.0, [1.0]),
        ("sqrt(1+a^2)+exp(sin(a))", -9.0, 9.0, []),
    ],
)
def test_kinks_are_found_to_rounding(text, low, high, expected):
    T, _ = bounds(re.sub(r"\ba\b", "t", text), 2)
    assert kinks(T, 0, low, high) == pytest.approx(expected, rel=1e-15, abs=1e-14)


def test_a_law_that_is_smooth_everywhere_has_no_edge():
    for law, known in (("1 cm*sin(a)", 0), ("1 cm*abs(sin(a))", 1)):
        project = cam(ms.expression(law))
        system = system_for(project.mechanism, RunOptions())
        assert len(edges(system)) == known


# a drive of the place puts the cam where the time says: the jerk is beyond the kink in time as well
@pytest.mark.parametrize(
    ("text", "angle"),
    [
        ("2 rad*sin(3 rad/s*t)", lambda t: 2.0 * np.sin(3.0 * t)),
        ("1 rad*(1-cos(3 rad/s*t))", lambda t: 1.0 - np.cos(3.0 * t)),
        ("2 rad*abs(sin(2 rad/s*t))", lambda t: 2.0 * np.abs(np.sin(2.0 * t))),
    ],
)
@pytest.mark.parametrize(
    ("kink", "law"),
    [
        (0.42, ms.expression("1 cm*max(0, a/(1 rad)-0.42)")),
        (0.42, straight((-100, 0), (0.42, 0), (100.42, 1.0))),
        (0.0, ms.expression("1 cm*max(0, a/(1 rad))")),
    ],
)
def test_a_cam_that_is_put_over_its_kink_to_and_fro(kink, law, text, angle):
    if kink == 0.0 and "abs" in text:
        pytest.skip("cam and drive have their kinks at one instant")
    result = ms.simulate(
        cam(law, **TYPED, position=ms.expression(text)), duration=2.0, sample_step=0.01
    )
    assert place(result) == pytest.approx(
        RISE * np.maximum(0.0, angle(result.time) - kink), abs=1e-9
    )
    assert result.statistics["energy_error"] < 1e-7 and not result.statistics["notes"]


@pytest.mark.parametrize("rate", [1.0, -1.0])
def test_a_cam_comes_back_over_the_kink_on_which_it_was_drawn(rate):
    """The weight of the follower drives it down a valley, over the kink at its bottom: J w - M w
    becomes J w' + M w' at each passage.
    """
    project = spun(ms.expression("1 cm*abs(a/(1 rad))"), rate, gravity=(0, 0, -9.81))
    result = ms.simulate(project, duration=0.028, sample_step=1e-3)
    w, inertia, passages = 1.0, 0.01 + M, 0
    t = swing = 2.0 * inertia * w / (TYPED["mass"] * 9.81 * RISE)
    while t < 0.028:
        w, passages = w * (0.01 - M) / inertia, passages + 1
        t += swing * w
    assert passages == 3
    assert result.work[-1] == pytest.approx(0.5 * inertia * (w * w - 1.0), rel=1e-7)
    assert result.statistics["energy_error"] < 1e-7 and not result.statistics["notes"]


def valley(law, inertia=0.01, rate=1.0, falls=False):
    """A cam let go with a rate whose follower of 1 kg stands in the valley of a corner.  falls: a
    ball falls beside it, which makes the steps others.
    """
    m = ms.Builder("Valley")
    cam = m.body("cam", mass=1.0, inertia=(inertia,) * 3).sphere(0.02)
    follower = m.body("follower", (0, 0, 0.3), mass=1.0).box(0.02, 0.02, 0.1)
    a = m.pin("A", m.ground, cam, at=(0, 0, 0), rate=(rate,))
    b = m.slider("B", m.ground, follower, at=follower.world(), axis=(0, 0, 1))
    m.cam("C", a, b, law)
    if falls:
        m.body("ball", (1, 0, 0.1)).sphere(0.05)
    return m.project()


V = {
    "typed": "0.05 m*abs(a/(1 rad))",
    "a table": ms.table((-3, 0.15), (0, 0), (3, 0.15), between="straight"),
}


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize("law", V.values(), ids=V)
def test_a_cam_that_comes_to_rest_in_a_corner_stops_the_run_with_words(law, falls):
    J, pushed = 0.01, 1.0 * 0.05**2  # kg m^2, of the cam and of the follower seen from it
    first = 2.0 * (J + pushed) / (9.81 * 0.05)  # s, until the corner is struck at 1 rad/s
    rest = first / (1.0 - (J - pushed) / (J + pushed))
    with pytest.raises(ms.SimulationStopped, match="comes to rest in a corner of C") as stopped:
        ms.simulate(valley(law, falls=falls), 1.0)
    said = re.search(r"stopped at (\S+) s", str(stopped.value))
    assert said and float(said[1]) == pytest.approx(rest, rel=2e-3)


@pytest.mark.parametrize("law", V.values(), ids=V)
def test_a_cam_that_swings_over_a_corner_for_long_goes_on(law):
    # it is struck 40 times in a second, with 0.99 of the rate from one time to the next
    run = ms.simulate(valley(law, 0.5, 0.01), 1.0, 0.01)
    angle = run.joint_coordinates["A"][:, 0]
    assert run.time[-1] == 1.0 and np.count_nonzero(angle[1:] * angle[:-1] < 0.0) > 30
    assert not run.statistics["notes"]
