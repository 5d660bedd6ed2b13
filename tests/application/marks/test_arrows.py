"""Arrows of marks have the numbers of the engine: velocities and accelerations of points, reactions
as far as rigid bodies determine them, and forces that balance a body.
"""

import msgspec
import numpy as np
import pytest

from mechstudio.api.runs import simulate
from mechstudio.application.document import Document
from mechstudio.application.marks import arrows as of
from mechstudio.application.marks.arrows import Arrows, Instants, Table
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene.display_size import view_size
from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.files.project_file import load
from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.project import Mark
from mechstudio.model.quantity import vector
from mechstudio.model.results.sample import sample_layout
from mechstudio.model.types.analyses import Options

STEP, DURATION = 0.05, 0.5


@pytest.fixture(scope="module")
def project():
    return load(sample_folder() / "four_bar.mech").project


@pytest.fixture(scope="module")
def instants(project):
    result, layout = (
        simulate(project, duration=DURATION, sample_step=STEP),
        sample_layout(project.mechanism),
    )
    rows = np.zeros((len(result.time), layout.width))
    rows[:, 0] = result.time
    rows[:, layout.poses] = result.poses.reshape(len(rows), -1)
    rows[:, layout.velocities] = result.velocities.reshape(len(rows), -1)
    tables = {
        what: of._read(measured(project, what))
        for what in ("kinematics", "reactions", "free_bodies")
    }
    return Instants(project.mechanism, layout, rows, tables)


def measured(project, what, **options):
    return analyse_as(
        project, what, Options(duration=DURATION, sample_step=STEP, **options)
    ).measured()


def courses(instants, type, **place):
    return list(of.KINDS[type].courses(instants, Mark("m1", type, **place)))


def test_velocity_and_acceleration_are_those_of_the_engine_at_the_point(project, instants):
    table = measured(project, "kinematics", frames=("coupler.P",))
    numbers = np.frombuffer(table.rows).reshape(-1, len(table.columns))
    for type, first in (("velocity", 4), ("acceleration", 7)):
        (course,) = courses(instants, type, body="coupler", point="P")
        reported = numbers[:, first : first + 3]
        assert np.abs(course.vector - reported).max() < 1e-7 * np.abs(reported).max(), type
        assert np.abs(course.root - numbers[:, 1:4]).max() < 1e-9


def test_reactions_are_the_determined_part_of_the_engines_in_axes_of_w(project, instants):
    table = measured(project, "reactions", axes="world")
    numbers = np.frombuffer(table.rows).reshape(-1, len(table.columns))
    for k, joint in enumerate(project.mechanism.joints):
        force, moment = courses(instants, "reaction", joint=joint)
        reported = numbers[:, 1 + 6 * k : 4 + 6 * k]
        # the pins are along y: what is across them is determined, what is along them is not
        assert np.abs(force.vector - reported * (1, 0, 1)).max() < 1e-6 * np.abs(reported).max()
        assert np.abs(moment.vector).max() < 1e-9 and moment.couple and moment.loose.any()
        assert force.acts_on == project.mechanism.joints[joint].frame_b.body


def test_forces_on_a_body_balance_with_reactions_and_inertia(project, instants):
    body = project.mechanism.bodies["coupler"]
    mass = mass_properties(body)
    (_, acceleration) = (
        courses(instants, "velocity", body="coupler"),
        courses(instants, "acceleration", body="coupler")[0].vector,
    )
    applied = sum(c.vector for c in courses(instants, "force", body="coupler") if not c.couple)
    weight = np.array([0.0, 0.0, -9.81]) * mass.mass
    assert np.abs(applied - weight).max() < 1e-9 * mass.mass
    sign = {j: 1.0 if project.mechanism.joints[j].frame_b.body == "coupler" else -1.0 for j in "BC"}
    reactions = sum(sign[j] * courses(instants, "reaction", joint=j)[0].vector for j in "BC")
    total = (applied + reactions - mass.mass * acceleration) * (1, 0, 1)
    assert np.abs(total).max() < 1e-6 * np.abs(reactions).max()


def recording_of(project, instants, rows=None):
    recording = Recording(project)
    recording.append(instants.rows if rows is None else rows)
    recording.finish(True)
    return recording


def test_one_scale_a_kind_and_nothing_of_what_is_rounding(project, instants):
    marked = with_marks(
        project, "velocity", [Place("coupler", "P"), Place(joint="B"), Place("ground")]
    )
    arrows, recording = Arrows(Document(marked)), recording_of(project, instants)
    try:
        usual = arrows.usual(recording, marked.marks)
        assert set(usual) == {"velocity"} and usual["velocity"] > 0.1
        shown = arrows.at(recording, instants.rows[3:4], marked.marks)
        assert [a.mark for a in shown] == ["m1", "m2"]  # the ground does not move
    finally:
        arrows.close()


def test_no_run_one_sample_and_numbers_that_are_none(project, instants):
    marked = with_marks(project, "velocity", [Place("coupler", "P")])
    marked = with_marks(marked, "reaction", [Place(joint="B")])
    arrows = Arrows(Document(marked))
    try:
        arrows.poll(None, frozenset({"reaction"}))
        assert not arrows.waiting and not arrows.is_known("reaction")
        one = recording_of(project, instants, instants.rows[:1])
        assert arrows.usual(one, marked.marks)["velocity"] > 0
        bad = instants.rows[:2].copy()
        bad[1, 1:] = np.nan
        assert arrows.at(one, bad[1:], marked.marks) == []
        usual = arrows.usual(recording_of(project, instants, bad), marked.marks)
        assert np.isfinite(usual["velocity"])
    finally:
        arrows.close()


def test_between_instants_numbers_are_interpolated_and_held_at_the_ends():
    table = Table(np.array([0.0, 1.0]), np.array([[0.0, 1.0], [1.0, 3.0]]), np.zeros((2, 2), bool))
    reported, _ = table.at(np.array([-1.0, 0.25, 2.0]), slice(1, 2))
    assert reported[:, 0].tolist() == [1.0, 1.5, 3.0]
    alone = Table(np.array([0.5]), np.array([[2.0]]), np.zeros((1, 1), bool))
    assert alone.at(np.array([0.0, 9.0]), slice(0, 1))[0].tolist() == [[2.0], [2.0]]


def test_arrows_of_another_motion_are_forgotten(project):
    document = Document(project)
    arrows = Arrows(document)
    try:
        arrows._tables["reactions"] = Table(np.zeros(1), np.zeros((1, 25)), np.zeros((1, 25), bool))
        marked = with_marks(project, "reaction", [Place(joint="B")])
        document.commit("Mark", marked)
        assert arrows.is_known("reaction")
        gravity = msgspec.structs.replace(
            project.mechanism, gravity=project.mechanism.gravity[::-1]
        )
        document.commit("Gravity", msgspec.structs.replace(marked, mechanism=gravity))
        assert not arrows.is_known("reaction")
    finally:
        arrows.close()


def test_a_pin_that_stands_still_has_no_arrow_of_rounding(project):
    # in absolute coordinates it moves at 1e-16 m/s
    settings = msgspec.structs.replace(project.settings, formulation="absolute")
    drawn = msgspec.structs.replace(project, settings=settings)
    result, recording = simulate(drawn, duration=DURATION, sample_step=STEP), Recording(drawn)
    recording.append(result.rows)
    recording.finish(True)
    arrows = Arrows(Document(drawn))
    for joint, count in (("A", 0), ("B", 1)):
        marks = (Mark("m1", "velocity", joint=joint),)
        arrows.usual(recording, marks)
        assert len(arrows.at(recording, recording.rows[5:6], marks)) == count
    arrows.close()


@pytest.mark.parametrize(("gravity", "shown"), [((0.0, 0.0, 0.0), 0), ((0.0, 0.0, -9.81), 1)])
def test_reactions_that_are_all_rounding_have_no_arrows(project, instants, gravity, shown):
    # a frame that stands: without weight a solver leaves some 1e-17 N of nothing
    m = msgspec.structs.replace(project.mechanism, gravity=vector(*gravity), drives={})
    drawn = msgspec.structs.replace(project, mechanism=m)
    rows = np.repeat(instants.rows[:1], 5, axis=0)
    rows[:, 0] = np.linspace(0.0, DURATION, 5)
    rows[:, instants.layout.velocities] = 0.0
    marks = (Mark("m1", "reaction", joint="B"),)
    arrows, recording = Arrows(Document(drawn)), recording_of(drawn, instants, rows)
    try:
        numbers = np.full((2, 6 * len(m.joints)), 3e-17)
        numbers[:, 6:9] += [0.0, 0.0, np.abs(gravity).max()]
        table = Table(np.array([0.0, DURATION]), numbers, np.zeros(numbers.shape, bool))
        arrows._tables[of.REACTIONS] = table
        arrows.usual(recording, marks)
        assert len(arrows.at(recording, rows[2:3], marks)) == shown
    finally:
        arrows.close()


def test_a_reaction_is_open_where_more_than_a_share_of_it_is_not_determined(instants):
    m = instants.mechanism
    first = 1 + 6 * list(m.joints).index("B")
    numbers, loose = np.zeros((3, 25)), np.zeros((3, 25), bool)
    numbers[:, first : first + 3] = [(3.0, 4.0, 0.09), (3.0, 4.0, 0.11), (0.0, 0.0, 0.0)]
    numbers[:, first + 3 : first + 6] = [(0.0, 0.0, 2.0), (0.0, 0.0, 2.0), (1.0, 0.0, 0.0)]
    loose[:, [first + 2, first + 5]] = True
    rows = instants.rows[:3]
    table = Table(rows[:, 0], numbers, loose)
    force, moment = courses(
        instants._replace(rows=rows, tables={of.REACTIONS: table}), "reaction", joint="B"
    )
    # 0.09 and 0.11 of 5 N are 1.8 % and 2.2 %
    assert force.loose.tolist() == [False, True, False] and not force.couple
    assert np.linalg.norm(force.vector, axis=1) == pytest.approx([5.0, 5.0, 0.0])
    assert moment.loose.tolist() == [True, True, False] and moment.couple
    assert np.linalg.norm(moment.vector, axis=1) == pytest.approx([0.0, 0.0, 1.0])


def test_a_usual_arrow_is_longer_than_seven_of_ten(project, instants):
    drawn = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, drives={})
    )
    rows = np.repeat(instants.rows[:1], 11, axis=0)
    rows[:, 0] = np.linspace(0.0, DURATION, 11)
    rows[:, instants.layout.velocities] = 0.0
    marks = (Mark("m1", "reaction", joint="B"), Mark("m2", "velocity", joint="B"))
    arrows, recording = Arrows(Document(drawn)), recording_of(drawn, instants, rows)
    try:
        assert arrows.usual(recording, marks) == {}, "nothing moves, and no answer is there"
        first = 1 + 6 * list(drawn.mechanism.joints).index("B")
        numbers = np.zeros((2, 25))
        numbers[1, first] = 10.0
        arrows._tables[of.REACTIONS] = Table(
            np.array([0.0, DURATION]), numbers, np.zeros((2, 25), bool)
        )
        usual = arrows.usual(recording, marks)
        # forces of 1 to 10 N; that of no size does not count
        assert usual["force"] == pytest.approx(7.3)
        mass = sum(mass_properties(b).mass for b in drawn.mechanism.bodies.values())
        size = view_size(drawn.mechanism)
        assert usual["torque"] == pytest.approx(
            mass * (9.81 + 1e-3 * size / DURATION**2) * size, rel=1e-6
        )
        shown = arrows.at(recording, rows[4:5], marks)
        assert [(a.mark, a.dimension, a.couple) for a in shown] == [("m1", "force", False)]
        assert np.linalg.norm(shown[0].vector) == pytest.approx(4.0)
        assert arrows.at(recording, rows[:1], marks) == []
        assert arrows.usual(recording, marks) is usual, "the same marks are not looked at again"
    finally:
        arrows.close()


def test_analyses_are_requested_one_after_the_other_over_the_run(project, instants):
    arrows, requests = Arrows(Document(project)), []
    recording = recording_of(project, instants)
    arrows._asker.request = lambda what, options, drawings: requests.append((what, options))
    types = frozenset({"reaction", "acceleration", "velocity"})
    try:
        arrows.poll(recording, frozenset({"velocity"}))
        assert not requests and arrows.is_known("velocity")
        for _ in range(2):  # one at a time
            arrows.poll(recording, types)
        ((what, options),) = requests
        assert what == arrows.waiting == "kinematics"
        length = recording.length
        step = max(project.settings.sample_step.value, length / 400)
        assert (options.duration, options.sample_step) == (length, pytest.approx(step))
        arrows._under_way = ""
        arrows._refused.add("kinematics")
        arrows.poll(recording, types)
        assert arrows.waiting == "reactions" and len(requests) == 2
        assert arrows.is_refused("acceleration") and not arrows.is_refused("reaction")
        arrows._under_way = ""
        arrows._tables["reactions"] = Table(np.zeros(1), np.zeros((1, 25)), np.zeros((1, 25), bool))
        arrows.poll(recording, types)
        assert len(requests) == 2 and not arrows.waiting and arrows.is_known("reaction")
    finally:
        arrows.close()
