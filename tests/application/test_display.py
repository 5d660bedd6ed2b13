"""Pose shown of a drawing whose typed frames leave it open, and frames that edits of it write: over
samples, without a window.
"""

import math
import time

import msgspec
import numpy as np
import pytest

from mechstudio.application import display
from mechstudio.application.actions import edit, insert
from mechstudio.application.actions.edits import naming
from mechstudio.application.resources import sample_folder
from mechstudio.application.scene import drawn_poses
from mechstudio.engine.manifold.diagnosis import close_drawing
from mechstudio.engine.structure.mobility import analyse
from mechstudio.files.format.codec import encode
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.model.edits.groups import with_group
from mechstudio.model.edits.links import link_ends
from mechstudio.model.edits.poses.closed_pose import settled, standing
from mechstudio.model.edits.poses.motion import move, rotated_about, shifted_by, stretch_to
from mechstudio.model.findings import Finding
from mechstudio.model.quantity import Quantity
from mechstudio.protocol.solver_messages import PoseFound
from tests.application.stand_in_solver import StandInSolver, studio_with

replace = msgspec.structs.replace


class Solver(StandInSolver):
    """Stand-in that answers on request."""

    analysis = None

    def close_drawing(self, studio):
        """The answer for the drawing as it is now."""
        self.analysis = analyse(studio.document.project)
        studio.display.take(studio.document.project, self.analysis.poses)


def begun(project, tmp_path):
    studio = studio_with(Solver(), project, tmp_path)
    studio.questions.session.close_drawing(studio)
    return studio


def sample(name, **numbers):
    project = load(sample_folder() / f"{name}.mech").project
    for parameter, text in numbers.items():
        project = elements.set_quantity(project, parameter, ("value",), text)
    return project


def shown(studio):
    studio.questions.session.close_drawing(studio)
    return dict(zip(studio.document.project.mechanism.bodies, drawn_poses(studio.display.project)))


def typed(project):
    return {
        (id, k): q.text
        for id, b in project.mechanism.bodies.items()
        for k, q in enumerate((*b.placement.position, *b.placement.orientation))
        if q.text
    }


def same(a, b, tolerance=1e-9):
    """Poses by id, where both have them; a quaternion and its negative are one."""
    for id in a.keys() & b.keys():
        assert a[id][:3] == pytest.approx(b[id][:3], abs=tolerance), id
        assert abs(float(a[id][3:] @ b[id][3:])) == pytest.approx(1.0, abs=tolerance), id


# drawings that a slider leaves open, or a frame that is typed
OPEN = {
    "four_bar": lambda: sample("four_bar", L2="348 mm"),
    "slider_crank": lambda: sample("slider_crank", L2="330 mm"),
    "parallelogram": lambda: sample("parallelogram_five_bars", L="200 mm"),
    "pendulum": lambda: sample("double_pendulum", alpha="50 deg"),
    "cradle": lambda: sample("newtons_cradle", L="280 mm"),
    "cam": lambda: moved(sample("cam_and_follower"), 1),
    "gears": lambda: moved(sample("gear_train"), 0),
    "andrews": lambda: moved(sample("andrews_squeezer"), 2),
    "stewart": lambda: moved(sample("stewart_platform"), 3),
    "walking": lambda: moved(sample("walking_linkage"), 5),
}


def moved(project, number):
    """With a body drawn 18 mm, or a part of the mechanism's size, off its joints."""
    id, body = list(project.mechanism.bodies.items())[number]
    x = body.placement.position[0].value + min(0.018, 0.03 * project.mechanism.size())
    place = replace(body.placement, position=(Quantity(x), *body.placement.position[1:]))
    return elements.put_element(project, id, replace(body, placement=place))


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.thinned(3)
def test_every_joint_can_be_deleted_and_no_part_moves(name, tmp_path):
    studio = begun(OPEN[name](), tmp_path)
    project, before = studio.document.project, shown(studio)
    assert studio.questions.analysis.poses and not [
        f for f in studio.questions.findings if f.severity == "error"
    ]
    joints = list(project.mechanism.joints)
    for joint in joints[:: max(1, len(joints) // 5)]:
        studio.selection.select(joint)
        edit.delete(studio)
        same(
            dict(
                zip(studio.document.project.mechanism.bodies, drawn_poses(studio.display.project))
            ),
            before,
        )
        # a typed place that only the joint kept a body from is where it goes, which is said
        if not (held := [m.text for m in studio.notifications.messages if m.key == "frames"]):
            same(shown(studio), before)
        assert bool(held) == (name == "cradle") and all(
            "what is typed is not written over" in text for text in held
        )
        studio.notifications.messages = []
        assert typed(studio.document.project) == typed(project)
        edit.undo(studio)
        assert studio.document.project is project
    same(shown(studio), before, 1e-12)


@pytest.mark.parametrize("name", OPEN)
def test_a_body_is_moved_from_where_it_is_seen(name, tmp_path):
    """Carried with all joints closed: what is shown at the release is what the solver closes it
    to.
    """
    studio = begun(OPEN[name](), tmp_path)
    project, document, before = (
        studio.document.project,
        studio.tools.context.document,
        drawn_poses(studio.display.project),
    )
    size = project.mechanism.size()
    for id in list(project.mechanism.bodies)[:4]:
        after = move(document.project, shifted_by((0.0, 0.0, 0.01 * size)), [id])
        document.commit("Move", after)
        requested = dict(zip(after.mechanism.bodies, drawn_poses(after)))
        assert drawn_poses(studio.display.project) == pytest.approx(
            drawn_poses(after), abs=1e-12
        ), "before the solver has spoken"
        if not [m for m in studio.notifications.messages if m.key == "frames"]:
            same(shown(studio), requested, 1e-8)
        studio.notifications.messages = []
        edit.undo(studio)
        assert studio.document.project is project
        assert drawn_poses(studio.display.project) == pytest.approx(before, abs=1e-12), (
            "the undone drawing is closed at once, as it was seen before"
        )


def test_edits_that_need_no_pose_keep_the_drawn_placements(tmp_path):
    studio = begun(OPEN["four_bar"](), tmp_path)
    placements = {id: b.placement for id, b in studio.document.project.mechanism.bodies.items()}
    studio.selection.select("crank", "rocker")
    edit.hide(studio)
    edit.group(studio)
    naming.rename(studio, "coupler", "bar")
    insert.insert(studio, "drive")
    studio.selection.select("A")
    insert.insert(studio, "drive")
    studio.selection.select("coupler")
    edit.duplicate(studio)
    assert len(studio.document.history[0]) == 6
    m = studio.document.project.mechanism
    assert {id: m.bodies[id].placement for id in placements} == placements


def test_a_group_is_moved_from_where_it_is_seen_and_a_formula_stays(tmp_path):
    """The rocker stands at L4 by a formula, held there by its pin: what turns about that pin leaves
    it alone.
    """
    studio = begun(OPEN["four_bar"](), tmp_path)
    project, _ = with_group(studio.document.project, ("coupler", "rocker"))
    studio.document.commit("Group", project)
    studio.questions.session.close_drawing(studio)
    document, formulas = studio.tools.context.document, typed(project)
    center = document.project.mechanism.bodies["rocker"].placement.pose[0]
    document.commit(
        "Turn", move(document.project, rotated_about(center, (0.0, 1.0, 0.0), 0.05), ["rocker"])
    )
    assert typed(studio.document.project)["rocker", 0] == formulas["rocker", 0] == "L4"
    assert studio.questions.analysis.open


def test_the_pose_of_the_drawing_before_is_not_shown_for_long(tmp_path, monkeypatch):
    studio = begun(OPEN["four_bar"](), tmp_path)
    reported = []
    studio.display.closed_changed.connect(lambda: reported.append(studio.display.poses))
    closed = studio.display.poses
    studio.questions.session.analysis = None
    studio.document.commit(
        "L2", elements.set_quantity(studio.document.project, "L2", ("value",), "352 mm")
    )
    assert np.array_equal(studio.display.poses, closed), "while the solver is at it, what was seen"
    studio.display.poll()
    assert not reported
    # an answer for a drawing that has been edited since is nearer than none
    halfway = analyse(
        elements.set_quantity(studio.document.project, "L2", ("value",), "350 mm")
    ).poses
    studio.display.take(
        elements.set_quantity(studio.document.project, "L2", ("value",), "350 mm"), halfway
    )
    assert np.array_equal(studio.display.poses, np.array(halfway)) and len(reported) == 1
    now = time.monotonic()
    monkeypatch.setattr(display.time, "monotonic", lambda: now + 1.01 * display.STALE)
    studio.display.poll()
    assert studio.display.poses is None and len(reported) == 2, "then the drawing as it is"
    studio.questions.session.close_drawing(studio)
    assert (
        studio.display.poses is not None and studio.display.project is not studio.document.project
    )


def test_another_document_is_not_shown_at_the_poses_of_the_one_before(tmp_path):
    studio = begun(OPEN["four_bar"](), tmp_path)
    other = sample("four_bar")
    studio.questions.session.analysis = None
    studio.files.show(other, None, None)
    assert studio.display.poses is None and studio.display.project is other


def test_a_requested_pose_makes_a_formula_a_number_and_says_so(tmp_path):
    studio = begun(OPEN["pendulum"](), tmp_path)
    q = (math.cos(0.2), 0.0, -math.sin(0.2), 0.0)
    studio.questions.joint_setting.take(
        ("A", 0, 0.4, ""), PoseFound(0, {"upper": (0.0, 0.0, 0.62, *q)}, {}, 0.4)
    )
    (message,) = studio.notifications.messages
    assert message.text == (
        "The formula -(alpha) for Angle about Y of upper became a number, since this was "
        "set by hand."
    ) and message.buttons == (("Undo", studio.document.undo),)
    edit.undo(studio)
    assert (
        typed(studio.document.project)["upper", 4] == "-(alpha)"
        and not studio.notifications.messages
    ), "the message goes with its cause"


def test_a_move_by_hand_that_makes_a_formula_a_number_says_so(tmp_path):
    """By the same sentence as a pose that is requested, on a closed drawing and on one that is
    shown closed.
    """
    for project in (sample("four_bar"), OPEN["four_bar"]()):
        studio = begun(project, tmp_path)
        document = studio.tools.context.document
        along = lambda shift: document.commit(
            "Move", move(document.project, shifted_by(shift), ["rocker"])
        )
        along((0.0, 0.0, 0.01))
        assert (
            typed(studio.document.project)["rocker", 0] == "L4"
            and not studio.notifications.messages
        )
        edit.undo(studio)
        along((0.01, 0.0, 0.0))
        (message,) = studio.notifications.messages
        assert message.text.startswith("The formula L4 for X of ") and message.buttons == (
            ("Undo", studio.document.undo),
        )
        assert "became" in message.text and "since this was set by hand." in message.text
        edit.undo(studio)
        assert studio.document.project is project and not studio.notifications.messages


def test_a_length_that_a_hand_pulls_off_its_formula_is_said(tmp_path):
    studio = begun(sample("four_bar"), tmp_path)
    project = studio.document.project
    assert project.mechanism.bodies["rocker"].shapes[0].dimensions["length"].text == "L3"
    ends = link_ends(project.mechanism.bodies["rocker"])
    point = tuple(a + 0.1 * (a - b) for a, b in zip(ends[1], ends[0]))
    studio.tools.context.document.commit("Stretch", stretch_to(project, "rocker", 1, point))
    assert [
        m.text
        for m in studio.notifications.messages
        if "The formula L3 for Length of rocker" in m.text
    ]


def test_overwritten_formula_is_reported_until_another_edit(tmp_path):
    """A slider that is held writes many times, of which the first finds the formula."""
    studio = begun(OPEN["pendulum"](), tmp_path)
    for angle in (0.4, 0.5, 0.6):
        q = (math.cos(angle / 2), 0.0, -math.sin(angle / 2), 0.0)
        studio.display.place("Turn A", {"upper": (0.0, 0.0, 0.62, *q)}, {}, "slider 1")
        assert [
            "-(alpha) for Angle about Y of upper" in m.text for m in studio.notifications.messages
        ] == [True]
    edit.undo(studio)
    assert (
        typed(studio.document.project)["upper", 4] == "-(alpha)"
        and not studio.notifications.messages
    )


def test_assembling_leaves_what_was_typed(tmp_path):
    project = elements.set_quantity(
        OPEN["four_bar"](), "rocker", ("placement", "position", 0), "358 mm"
    )
    studio = begun(project, tmp_path)
    before = shown(studio)
    studio.questions.assembly.take(close_drawing(project.mechanism))
    studio.questions.assembly.accept()
    assert (
        typed(studio.document.project) == typed(project)
        and "358 mm" in studio.notifications.messages[-1].text
    )
    assert (
        studio.document.project.mechanism.bodies["coupler"].placement.orientation
        != project.mechanism.bodies["coupler"].placement.orientation
    )
    same(shown(studio), before, 1e-9)


def test_a_solver_that_cannot_close_leaves_the_drawing_as_it_is_typed(tmp_path):
    studio = begun(sample("four_bar", L2="60 mm", L3="60 mm"), tmp_path)
    assert studio.display.poses is None and studio.display.project is studio.document.project
    assert next(f.severity for f in studio.questions.findings if isinstance(f, Finding)) == "error"


def test_nothing_is_settled_twice(tmp_path):
    """An edit of a drawing that is closed as drawn is kept as it is, object by object."""
    project = sample("four_bar")
    studio = begun(project, tmp_path)
    assert studio.display.project is project
    assert standing(project, dict(zip(project.mechanism.bodies, analyse(project).poses))) is project
    after = elements.remove(project, "C")
    kept = settled(project, project, after, frozenset({"crank"}))
    assert kept == after and all(
        kept.mechanism.bodies[id] is body for id, body in project.mechanism.bodies.items()
    )
    assert encode(kept) == encode(after)
