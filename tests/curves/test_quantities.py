"""Quantities of plots: the list, its search, names, and values against those of the engine."""

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.curves import quantities as module
from mechstudio.curves.analysis_questions import questions
from mechstudio.curves.course import Course, in_unit, resampled
from mechstudio.curves.evaluation import Run, Table, answered, course
from mechstudio.curves.quantities import QuantityNotFound, find, matching, quantities, quantity
from mechstudio.curves.quantity_rows import GROUPS
from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.files.project_file import load
from mechstudio.model.results.channels import channels

NAMES = [path.stem for path in sorted(sample_folder().glob("*.mech"))]
STEP = 0.02


def sample(name):
    return load(sample_folder() / f"{name}.mech").project


def finished(project, keys, duration=0.2):
    """Courses of quantities over a run, by key."""
    result = ms.simulate(project, duration=duration, sample_step=STEP)
    shown = [quantity(project, key) for key in keys]
    answers = {}
    for question, parts in questions(project, shown, duration, STEP).items():
        table = analyse_as(project, question.what, question.options)
        answers |= answered(project, table, parts)
    run = Run(project, result.layout, result.rows, answers)
    return result, {q.key: course(q, run) for q in shown}


@pytest.mark.thinned(4)
@pytest.mark.thinned(6)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.thinned(12)
def test_every_name_finds_its_own_quantity(name):
    project = sample(name)
    listed = quantities(project)
    assert quantities(project) is listed, "the list of a drawing is made once"
    assert {q.group for q in listed.values()} <= set(GROUPS)
    order = [GROUPS.index(q.group) for q in listed.values()]
    assert order == sorted(order)
    assert max(Counter(q.name.casefold() for q in listed.values()).values()) == 1
    assert max(Counter(q.word for q in listed.values()).values()) == 1
    assert set(channels(project.mechanism)) <= set(listed)
    for key, q in list(listed.items())[:: max(1, len(listed) // 40)]:
        assert key == q.key and find(project, key) == find(project, q.name) == q
        assert find(project, f"  {q.name.upper()} ") == q
        assert q in matching(project, q.name) and q in matching(project, f"{q.group} {q.owner}")


def test_many_names_are_found_in_one_list(monkeypatch):
    """Quantities of all points of a drawing are made once, however many names are looked up."""
    made, own = Counter(), module.point_rows

    def counted(body, name, alone):
        made[body.id, name] += 1
        return own(body, name, alone)

    monkeypatch.setattr(module, "point_rows", counted)
    project = sample("four_bar")
    for q in list(quantities(project).values())[:5]:
        assert find(project, q.name.upper()) == q
    assert made and set(made.values()) == {1}


def test_whole_words_of_a_name_are_found_first():
    """The "d" of "D angle" is in "angular" and "ground" too."""
    project = sample("four_bar")
    for name in ("A angle", "C angle", "D angle"):
        assert matching(project, name)[0].name == name
    assert len(matching(project, "D angle")) > 1


def test_names_as_users_say_them():
    project = sample("four_bar")
    said = {
        "A angle": "joint/A/0",
        "force in a": "resultant/measured/reactions/joint/A/F",
        "Force in A: x": "measured/reactions/joint/A/Fx",
        "A Fx": "measured/reactions/joint/A/Fx",
        "Force in A x world axes": "measured/reactions/world/A/Fx",
        "Moment in A": "resultant/measured/reactions/joint/A/M",
        "Speed of P": "resultant/point/coupler/P/v",
        "Speed of coupler.P": "resultant/point/coupler/P/v",
        "Acceleration of P": "resultant/point/coupler/P/a",
        "Velocity of coupler": "resultant/body/coupler/v",
        "velocity of coupler, z, body axes": "own/body/coupler/vz",
        "angular velocity of crank: y": "world/body/crank/wy",
        "crank wy": "body/crank/wy",
        "Speed of crank.middle": "resultant/point/crank/middle/v",
        "kinetic ENERGY": "energy/kinetic",
    }
    assert {name: find(project, name).key for name in said} == said
    motor = sample("gear_train")
    assert find(motor, "torque of motor").dimension == "torque"


def test_an_unknown_name_suggests_the_nearest():
    project = sample("four_bar")
    with pytest.raises(QuantityNotFound, match="There is no quantity Torqe in A; the nearest are"):
        find(project, "Torqe in A")
    with pytest.raises(QuantityNotFound) as error:
        find(project, "coupler accel")
    assert error.value.nearest[0] == "Acceleration of coupler: resultant"
    for nothing in ("", "   ", "§$%&", "x" * 500):
        with pytest.raises(QuantityNotFound):
            find(project, nothing)


def test_an_ambiguous_name_asks_for_a_key():
    project = sample("four_bar")
    body = replace(project.mechanism.bodies["rocker"], name="crank")
    bodies = {**project.mechanism.bodies, "rocker": body}
    twice = replace(project, mechanism=replace(project.mechanism, bodies=bodies))
    with pytest.raises(QuantityNotFound, match="2 quantities are called Position of crank: x"):
        find(twice, "Position of crank: x")
    assert find(twice, "body/rocker/x").element == "rocker"


def test_keys_that_the_list_leaves_out_and_keys_of_nothing():
    project = sample("four_bar")
    kept = quantity(project, "measured/relative/crank/coupler/v_rel x")
    assert kept is not None and kept.name.endswith("(seen from crank)")
    assert quantity(project, "point/coupler/corner 3/vx").name == "Velocity of coupler.corner 3: x"
    for key in (
        "",
        "body/none/x",
        "point/none/P/x",
        "point/coupler/none/x",
        "point/coupler",
        "resultant/",
        "resultant/joint/A/",
        "own/body/none/vx",
        "measured/a/b",
    ):
        assert quantity(project, key) is None


def test_motion_of_a_point_is_that_of_the_engine():
    project = sample("four_bar")
    stem = "point/coupler/P/"
    keys = [f"{stem}{p}{a}" for p in ("", "v", "a") for a in "xyz"]
    keys += [f"resultant/{stem}v", f"resultant/{stem}a"]
    result, found = finished(project, keys)
    table = ms.analyse(project, "kinematics", frames=["coupler.P"], duration=0.2, sample_step=STEP)
    for k, key in enumerate(keys[:9]):
        requested = table.rows[:, 1 + k]
        assert np.abs(found[key].values - requested).max() <= 1e-12 * max(
            1, np.abs(requested).max()
        )
    assert np.allclose(
        found[keys[9]].values, np.linalg.norm(table.rows[:, 4:7], axis=1), rtol=1e-12
    )
    assert np.allclose(found[keys[0]].values, result.position("coupler", "P")[:, 0], atol=1e-15)
    assert np.allclose(
        found[keys[10]].values, np.linalg.norm(table.rows[:, 7:10], axis=1), rtol=1e-12
    )


def test_components_in_other_axes_keep_the_length():
    project = sample("heavy_top")
    keys = [f"own/body/top/v{a}" for a in "xyz"] + [f"world/body/top/w{a}" for a in "xyz"]
    keys += ["resultant/body/top/v", "resultant/body/top/w"]
    _, found = finished(project, keys)
    values = [found[key].values for key in keys]
    assert np.allclose(np.linalg.norm(values[:3], axis=0), values[6], rtol=1e-12)
    assert np.allclose(np.linalg.norm(values[3:6], axis=0), values[7], rtol=1e-12)
    table = ms.analyse(project, "kinematics", duration=0.2, sample_step=STEP)
    w = [table.rows[:, table.columns.index(f"top ω{a}")] for a in "xyz"]
    assert np.allclose(values[3:6], w, atol=1e-12 * np.abs(w).max())


def test_reactions_in_all_axes_have_one_length():
    project = sample("slider_crank")
    joint = next(iter(project.mechanism.joints))
    keys = [
        f"measured/reactions/{axes}/{joint}/F{a}"
        for axes in ("joint", "world", "body")
        for a in "xyz"
    ]
    keys += [f"resultant/measured/reactions/joint/{joint}/F"]
    _, found = finished(project, keys)
    whole = found[keys[-1]]
    for k in range(3):
        parts = [found[key].values for key in keys[3 * k : 3 * k + 3]]
        assert np.allclose(np.linalg.norm(parts, axis=0), whole.values, rtol=1e-9)


def test_course_of_a_quantity_outside_the_run_is_none():
    project = sample("four_bar")
    result = ms.simulate(project, duration=0.1, sample_step=STEP)
    run = Run(project, result.layout, result.rows)
    assert course(find(project, "Force in A"), run) is None, "no analysis has answered"
    other = sample("double_pendulum")
    assert course(find(other, "Position of upper: x"), run) is None
    assert course(find(other, "Velocity of upper: x, body axes"), run) is None


def test_values_in_units_and_parts_of_a_run():
    assert in_unit(np.array([1.0]), "length", "mm-N-deg")[0] == 1000.0
    found = Course(np.arange(5.0), np.arange(5.0) ** 2)
    assert list(found.between(3.0, 1.0).values) == [1.0, 4.0, 9.0]
    assert list(found.between(0.5, 2.5).times) == [1.0, 2.0]
    assert list(found.between(7.0, 9.0).times) == []


def test_resampling_says_nothing_of_gaps_and_ends():
    t = np.linspace(0.0, 1.0, 201)
    found = Course(t, np.sin(7 * t))
    at = np.array([-0.1, 0.0, 0.3337, 1.0, 1.1])
    smooth = resampled(found, at, "smooth").values
    assert np.isnan(smooth[[0, 4]]).all() and abs(smooth[2] - np.sin(7 * at[2])) < 1e-8
    straight = resampled(found, at).values
    assert 1e-8 < abs(straight[2] - np.sin(7 * at[2])) < 2e-4 and straight[3] == found.values[-1]
    gap = found.values.copy()
    gap[100] = np.nan
    broken = resampled(Course(t, gap), np.array([0.494, 0.4975, 0.5, 0.503, 0.51, t[99], t[101]]))
    assert list(np.isnan(broken.values)) == [False, True, True, True, False, False, False]
    assert np.isnan(resampled(Course(t[:1], t[:1]), at).values).all()


def test_answers_from_another_process_are_read_alike():
    project = sample("four_bar")
    q = find(project, "Force in A: x")
    ((question, parts),) = questions(project, [q], 0.1, STEP).items()
    table = analyse_as(project, question.what, question.options)
    here, there = (answered(project, t, parts) for t in (table, Table(table.measured())))
    assert np.array_equal(here[q.key].values, there[q.key].values)
    assert here[q.key].loose == there[q.key].loose is False
    assert answered(project, table, []) == {}


def test_error_of_each_joint_is_that_of_its_rows():
    """The largest of all is the recorded gap; a loop that drifts shows where it opens."""
    project = sample("four_bar")
    loose = replace(
        project, settings=replace(project.settings, formulation="absolute", drift="none")
    )
    joints = list(project.mechanism.joints)
    result = ms.simulate(loose, duration=0.2, sample_step=STEP, integrator="rk4", step=0.01)
    gaps = result.courses(*(f"Gap of {joint}" for joint in joints))
    errors = result.courses(*(f"Constraint error of {joint}" for joint in joints))
    largest = np.max([c.values for c in gaps], axis=0)
    assert np.abs(largest - result.joint_gap).max() < 1e-15 and largest[-1] > 1e-9
    norm = np.sqrt(np.sum([c.values**2 for c in errors], axis=0))
    assert np.allclose(norm, result.constraint_error[:, 0], rtol=1e-6, atol=1e-15)
    assert all((e.values >= g.values - 1e-18).all() for e, g in zip(errors, gaps))
