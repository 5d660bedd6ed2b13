"""Transport, relative and Coriolis parts of velocity and acceleration, against the closed form of a
slider on a turning bar and against differences of the run itself.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.api.runs import simulate
from mechstudio.application.marks import arrows as of
from mechstudio.application.marks.arrows import Instants
from mechstudio.application.marks.figures.poles import local
from mechstudio.application.marks.places import positions
from mechstudio.application.resources import sample_folder
from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.files.project_file import load
from mechstudio.model.project import Mark
from mechstudio.model.results.sample import sample_layout
from mechstudio.model.types.analyses import Options

TURNING, SLIDING = 3.0, 0.4  # rad/s, m/s


def instants_of(project, duration, step):
    layout = sample_layout(project.mechanism)
    result = simulate(project, duration=duration, sample_step=step)
    rows = np.zeros((len(result.time), layout.width))
    rows[:, 0] = result.time
    rows[:, layout.poses] = result.poses.reshape(len(rows), -1)
    rows[:, layout.velocities] = result.velocities.reshape(len(rows), -1)
    options = Options(duration=duration, sample_step=step)
    table = of._read(analyse_as(project, "kinematics", options).measured())
    return Instants(project.mechanism, layout, rows, {"kinematics": table})


@pytest.fixture(scope="module")
def turning_bar():
    m = ms.Builder("Slider on a turning bar")
    bar = m.link("bar", (0, 0, 0), length="1 m", angle="0 deg")
    block = m.link("block", ("0.2 m", 0, 0), length="50 mm", angle="0 deg")
    pin = m.pin("A", m.ground, bar, at=bar.start)
    slide = m.slider("S", bar, block, at=block.start, axis=(1, 0, 0))
    m.drive("turn", pin, speed=f"{TURNING} rad/s")
    m.drive("push", slide, speed=f"{SLIDING} m/s")
    return instants_of(m.project(), 0.5, 0.05)


def parts(now, type, **place):
    courses = of.KINDS[type].courses(now, Mark("m1", type, **place))
    return {c.words: c.vector for c in courses}, of.KINDS[type]


def test_a_slider_on_a_turning_bar_has_two_omega_v(turning_bar):
    body, block = "bar", "block"
    point = next(iter(turning_bar.mechanism.bodies[block].named_points()))
    found, _ = parts(turning_bar, "acceleration_parts", body=block, point=point, other=body)
    size = lambda v: np.linalg.norm(v, axis=1)
    assert size(found["Coriolis"]) == pytest.approx(2 * TURNING * SLIDING, rel=1e-6)
    assert size(found["relative"]).max() < 1e-6
    t = turning_bar.rows[:, 0]
    at = positions(
        turning_bar.layout,
        turning_bar.rows,
        of._body_point(turning_bar, Mark("m1", "velocity", body=block, point=point)),
    )
    assert size(found["transport"]) == pytest.approx(TURNING**2 * size(at), rel=1e-6)
    velocity, _ = parts(turning_bar, "velocity_parts", body=block, point=point, other=body)
    assert size(velocity["relative"]) == pytest.approx(SLIDING, rel=1e-6)
    assert size(velocity["transport"]) == pytest.approx(TURNING * size(at), rel=1e-6)
    # it is across what slides, to the side to which the bar turns
    along = velocity["relative"] / SLIDING
    assert np.abs((found["Coriolis"] * along).sum(axis=1)).max() < 1e-6
    assert ((found["Coriolis"] * velocity["transport"]).sum(axis=1) > 0).all()
    assert np.ptp(size(at)) == pytest.approx(SLIDING * np.ptp(t), rel=1e-6)


@pytest.fixture(scope="module")
def four_bar():
    return instants_of(load(sample_folder() / "four_bar.mech").project, 0.4, 1e-3)


def test_parts_make_up_the_whole_and_follow_from_differences_of_the_run(four_bar):
    mark = {"body": "coupler", "point": "P", "other": "crank"}
    at = of._body_point(four_bar, Mark("m1", "velocity", body="coupler", point="P"))
    places = positions(four_bar.layout, four_bar.rows, at)
    seen = local(four_bar.layout, four_bar.rows, "crank", places)
    pose = four_bar.rows[:, four_bar.layout.pose("crank")]
    step = float(np.diff(four_bar.rows[:, 0]).mean())
    for type, plain, difference in (
        ("velocity_parts", "velocity", (seen[2:] - seen[:-2]) / (2 * step)),
        ("acceleration_parts", "acceleration", np.diff(seen, 2, axis=0) / step**2),
    ):
        found, _ = parts(four_bar, type, **mark)
        (whole,) = of.KINDS[plain].courses(four_bar, Mark("m1", plain, body="coupler", point="P"))
        assert np.abs(sum(found.values()) - whole.vector).max() < 1e-9 * np.abs(whole.vector).max()
        expected = of.rotate(pose[1:-1, 3:], difference)
        largest = np.abs(found["relative"]).max()
        assert np.abs(found["relative"][1:-1] - expected).max() < 3e-3 * largest, type


def test_seen_from_the_ground_nothing_is_carried(four_bar):
    for type in ("velocity_parts", "acceleration_parts"):
        found, kind = parts(four_bar, type, body="coupler", point="P", other="ground")
        assert np.abs(found["transport"]).max() == 0.0
        assert np.abs(found.get("Coriolis", np.zeros(1))).max() == 0.0
        assert kind.dimension in type
