"""Steps end at the edges of cams, whatever the integrator and the sense of turning: the follower is
where the law says.
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.run import system_for
from mechstudio.model.quantity import Quantity
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
