"""The Python interface: shapes and frames of a result, names, files, and reports of failures."""

import math
import warnings

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.model.project import Camera
from tests.api.builder.test_builder import four_bar


def pendulum(**run):
    """A thin rod of 1 m and 1 kg on a pin along -y, released from the horizontal; its frame turned
    away from W.
    """
    m = ms.Builder("Pendulum")
    rod = m.body(
        "rod",
        (0, 0, 2),
        (0, 0, 0),
        mass=1,
        center_of_mass=(0.5, 0, 0),
        inertia=(1e-6, 1 / 12, 1 / 12),
    ).point("tip", (1, 0, 0))
    m.pin("A", m.ground, rod, at=(0, 0, 2))
    return ms.simulate(m.project(), **run)


def test_shapes_and_meaning_of_a_result():
    """Energy: U = m g z, T = I_A w^2 / 2 with I_A = 1/3, so w^2 = 3 g sin(fall) for a rod released
    horizontally.
    """
    r = pendulum(duration=1.0, sample_step=0.01)
    assert r.time == pytest.approx(np.linspace(0, 1, 101))
    assert r.poses.shape == (101, 1, 7) and r.velocities.shape == (101, 1, 6)
    assert r.joint_coordinates["A"].shape == (101, 1) and r.constraint_error.shape == (101, 2)
    angle, rate = r.joint_coordinates["A"][:, 0], r.velocities[:, 0, 4]
    # positive about -y is counter-clockwise from the front, so the rod falls to negative angles and
    # w is about +y
    assert rate**2 == pytest.approx(3 * 9.81 * np.sin(-angle), abs=1e-6) and np.all(rate[1:40] > 0)
    assert r.kinetic_energy == pytest.approx(rate**2 / 6, abs=1e-9)
    assert r.kinetic_energy + r.potential_energy == pytest.approx(
        np.full(101, r.potential_energy[0]), abs=1e-6
    )
    expected = np.column_stack([np.cos(angle), 0 * angle, 2 + np.sin(angle)])
    assert r.position("rod", (1, 0, 0)) == pytest.approx(expected, abs=1e-9)
    assert r.position("rod", "tip") == pytest.approx(expected, abs=1e-9)
    assert np.linalg.norm(r.poses[:, 0, 3:], axis=1) == pytest.approx(np.ones(101))


def test_velocities_are_those_of_the_frames_origin():
    r = ms.simulate(four_bar().project(), duration=0.2, sample_step=1e-4)
    slope = np.gradient(r.poses[:, 1, :3], r.time, axis=0)[5:-5]
    assert slope == pytest.approx(r.velocities[5:-5, 1, :3], abs=1e-3)
    assert np.abs(slope).max() > 0.5


def test_statistics_are_those_of_the_command_line():
    from mechstudio.cli.simulate import OF_CONTACTS, OF_STOPS, STATISTICS

    s = pendulum(duration=0.5).statistics
    # contacts have more data than the command line prints
    assert {*STATISTICS, *OF_STOPS, "ended_by", *OF_CONTACTS, "notes"} <= set(s)
    assert (
        s["duration"] == 0.5
        and s["samples"] == 31
        and s["energy_error"] < 1e-6
        and s["constraint_error_m"] < 1e-12
    )


def test_settings_of_the_project_count_where_nothing_is_given():
    m = four_bar()
    m.run(duration="250 ms", sample_step="10 ms", integrator="rk4", step="2 ms")
    r = ms.simulate(m.project())
    assert len(r) == 26 and r.statistics["steps"] == 125
    assert len(ms.simulate(m.project(), duration="0.1 s", sample_step=0.05)) == 3


def test_rk4_takes_1_ms_steps_and_no_tolerance():
    assert (
        ms.simulate(
            four_bar().project(), duration=0.2, integrator="rk4", tolerance=1e-3
        ).statistics["steps"]
        == 200
    )


def test_bodies_and_joints_go_by_name_or_id():
    m = four_bar()
    door = m.body("big door", (0, 0, 5), mass=1, inertia=(1, 1, 1))
    m.pin("left hinge", m.ground, door, at=(0, 0, 5))
    r = ms.simulate(m.project(), duration=0.05)
    assert (
        list(r.joint_coordinates) == ["A", "B", "C", "D", "left hinge"]
        and len(r.joint_coordinates) == 5
    )
    assert np.array_equal(r.joint_coordinates["left hinge"], r.joint_coordinates["left_hinge"])
    assert np.array_equal(r.position("big door"), r.position("big_door"))
    with pytest.raises(KeyError, match="no joint E; there are A, B"):
        r.joint_coordinates["E"]
    with pytest.raises(KeyError, match="no body ground; there are crank"):
        r.position("ground")
    with pytest.raises(KeyError, match="no point named middel; it has start, end, middle"):
        r.position("crank", "middel")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"duration": -1}, "duration"),
        ({"duration": "soon"}, "duration"),
        ({"sample_step": 0}, "sample step"),
        ({"integrator": "euler"}, "no integrator euler"),
        ({"tolerance": 5}, "tolerance"),
        ({"step": math.nan}, "step"),
        ({"duration": "3 kg"}, "duration"),
    ],
)
def test_senseless_numbers_are_refused_in_a_sentence(given, words):
    with pytest.raises(ValueError, match=words):
        ms.simulate(four_bar().project(), **given)


def test_a_mechanism_that_cannot_run_names_its_element():
    m = ms.Builder()
    m.pin("A", m.ground, m.body("ghost"), at=(0, 0, 0))
    with pytest.raises(ms.EngineError, match=r"[Gg]host") as caught:
        ms.simulate(m.project())
    assert caught.value.finding.element == "ghost"


def test_saving_keeps_the_point_of_view_of_the_file(tmp_path):
    path, camera = tmp_path / "x.mech", Camera((1.0, 2.0, 3.0), 10.0, 20.0, 4.0)
    project = four_bar().project()
    project_file.save(path, project, camera)
    other = ms.Builder("Other").project()
    ms.save(other, path)
    assert project_file.load(path).camera == camera and ms.load(path) == other
    ms.save(project, path, Camera(distance=9.0))
    assert project_file.load(path).camera == Camera(distance=9.0)


def test_saving_over_something_else_works(tmp_path):
    path = tmp_path / "x.mech"
    path.write_text("no project")
    ms.save(four_bar().project(), path)
    assert ms.load(path) == four_bar().project()


def test_loading_reports_what_it_did_not_understand(tmp_path):
    path = tmp_path / "x.mech"
    ms.save(four_bar().project(), path)
    path.write_text(
        path.read_text().replace('{"id": "A", "type": "revolute"', '{"id": "A", "type": "rolling"')
    )
    with pytest.warns(UserWarning, match="A"):
        ms.load(path)
    ms.save(four_bar().project(), path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ms.load(path)


def test_a_missing_file_is_reported_in_one_sentence(tmp_path):
    with pytest.raises(ms.ProjectFileError, match="no file"):
        ms.load(tmp_path / "none.mech")


def test_the_public_names():
    assert set(ms.__all__) <= set(dir(ms))
    assert all(getattr(ms, name) is not None for name in ms.__all__)
    assert all(getattr(ms, name).__doc__ for name in ms.__all__)
    with pytest.raises(AttributeError, match="mechstudio has no name simulat; it has"):
        _ = ms.simulat


def test_a_joint_is_set_and_the_loop_follows():
    project = four_bar().project()
    there = ms.at(project, "A", "60 deg")
    assert (
        ms.check(there).coordinates[0][0] == pytest.approx(math.pi / 3, abs=1e-12)
        and ms.check(there).gap < 1e-12
    )
    assert ms.at(project, "A", math.pi / 3) == there
    # more than half a turn is kept on the joint
    round_ = ms.at(there, "A", "400 deg")
    assert ms.check(round_).coordinates[0][0] == pytest.approx(math.radians(400))
    assert ms.check(ms.at(round_, "A", 0)).coordinates[0][0] == pytest.approx(0.0, abs=1e-9)


def test_a_joint_that_cannot_be_set_states_how_far_it_goes():
    project = four_bar().project()
    with pytest.raises(ms.NotReached, match="dead point at") as caught:
        ms.at(project, "D", "180 deg")
    assert 0 < abs(caught.value.value) < math.pi
    assert ms.check(caught.value.project).coordinates[3][0] == pytest.approx(
        caught.value.value, abs=1e-6
    )
    with pytest.raises(KeyError, match="no joint E"):
        ms.at(project, "E", 0)
    with pytest.raises(KeyError, match="no coordinate slide; it has angle"):
        ms.at(project, "A", 0, "slide")
    with pytest.raises(ValueError, match=r"mm|length|angle"):
        ms.at(project, "A", "3 mm")


def falling_ball(step=None):
    """A ball that falls 10 cm onto a floor, and its run."""
    m = ms.Builder()
    m.body("ball", (0, 0, 0.2)).sphere(0.1)
    m.floor(restitution=0.5)
    m.touch(step="1 ms")
    return ms.simulate(m.project(), duration=0.2, sample_step=0.05, step=step)


def test_a_typed_step_is_that_of_contacts():
    coarse, fine = falling_ball(), falling_ball(step="0.1 ms")
    assert fine.statistics["steps"] > 5 * coarse.statistics["steps"]
    assert fine.settings.contacts.step.value == pytest.approx(1e-4)


def test_a_run_does_not_begin_before_zero():
    m = ms.Builder()
    m.body("ball", (0, 0, 0.2)).sphere(0.1)
    m.run(start=-0.5)
    assert any("before 0 s" in f.message for f in ms.check(m.project()).findings)
    with pytest.raises(ms.EngineError, match="before 0 s"):
        ms.simulate(m.project(), duration=0.1)
