"""Assembling from the window's side: a proposal with a ghost, one undo step, ways to end it, and
the real worker behind it.
"""

import time

import msgspec
import numpy as np
import pytest

from mechstudio.application.actions import edit
from mechstudio.application.questions import assembly
from mechstudio.application.scene import drawn_poses
from mechstudio.engine.constraints.attitude import displaced
from mechstudio.engine.manifold.diagnosis import close_drawing
from mechstudio.engine.structure.mobility import analyse
from mechstudio.model.edits import elements
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.assembly import AssemblyResult, Gap, reported
from tests.application.stand_in_solver import StandInSolver, studio_with
from tests.patience import within
from tests.worker.sessions import REAL, drive, heavier, project

__all__ = ["drive"]


class Knowing(StandInSolver):
    """It also knows what the engine knows of the drawing."""

    drawing = None

    @property
    def analysis(self):
        return analyse(self.drawing.project)


def rough(amount=0.02):
    start = project()
    poses = displaced(
        drawn_poses(start),
        amount * np.random.default_rng(1).standard_normal((3, 6)) * (1, 0, 1, 0, 1, 0),
    )
    return elements.place(start, dict(zip(start.mechanism.bodies, poses, strict=True)), {})


@pytest.fixture
def studio(tmp_path):
    studio = studio_with(Knowing(), rough(), tmp_path)
    studio.questions.session.drawing = studio.document
    yield studio
    studio.close()


def answer(studio):
    studio.questions.assembly.take(
        close_drawing(
            studio.document.project.mechanism, studio.questions.session.of("assemble")[-1][0]
        )
    )


def texts(studio):
    return [m.text for m in studio.notifications.messages]


def test_the_assembled_pose_is_shown_with_the_old_one_as_a_ghost_and_accepted_as_one_step(studio):
    before = studio.document.project
    studio.questions.assembly.assemble()
    assert (
        studio.questions.session.of("assemble") == [((),)]
        and studio.questions.assembly.ghost is None
    )
    answer(studio)
    assert studio.document.project is before
    assert (
        np.array_equal(studio.questions.assembly.ghost, drawn_poses(before))
        and np.abs(studio.display.poses - studio.questions.assembly.ghost).max() > 1e-3
    )
    (message,) = studio.notifications.messages
    assert message.text.startswith("The largest joint gap was ") and [
        b[0] for b in message.buttons
    ] == ["Accept", "Back"]
    shown = studio.display.poses
    studio.questions.assembly.accept()
    assert studio.document.undo_label.startswith(
        "Assemble, "
    ) and studio.document.undo_label.endswith(" mm at most")
    assert (
        np.allclose(drawn_poses(studio.document.project), shown, atol=1e-12)
        and studio.questions.assembly.ghost is None
        and not studio.notifications.messages
    )
    assert studio.questions.analysis.open == "" and studio.questions.analysis.gap < 1e-12
    edit.undo(studio)
    assert studio.document.project is before and studio.document.history[1] == 0


def test_back_leaves_everything_as_it_was(studio):
    before = studio.document.project
    studio.questions.assembly.assemble()
    answer(studio)
    studio.questions.assembly.leave()
    assert (
        studio.document.project is before
        and studio.questions.assembly.ghost is None
        and not studio.notifications.messages
        and len(studio.document.history[0]) == 1
    )
    assert not studio.questions.assembly.can_accept
    studio.questions.assembly.accept()
    assert studio.document.project is before


def test_selected_bodies_stay_only_on_request(studio):
    studio.selection.select("A", "crank")
    studio.questions.assembly.assemble()
    studio.questions.assembly.assemble_kept()
    assert studio.questions.session.of("assemble") == [((),), (("crank",),)]


def test_an_edit_ends_the_proposal(studio):
    studio.questions.assembly.assemble()
    answer(studio)
    studio.document.commit("Make the crank heavier", heavier(studio.document.project, 9.0))
    assert (
        studio.questions.assembly.proposal is None
        and studio.questions.assembly.ghost is None
        and not texts(studio)
    )


def test_failed_assembly_keeps_the_drawing_selects_two_joints_and_shows_a_ghost(
    studio,
):
    m = studio.document.project.mechanism
    frame = m.joints["D"].frame_a
    far = msgspec.structs.replace(
        frame,
        placement=msgspec.structs.replace(
            frame.placement,
            position=tuple(
                msgspec.structs.replace(c, value=v, text="")
                for c, v in zip(frame.placement.position, (5.0, 0.0, 0.0))
            ),
        ),
    )
    joints = {**m.joints, "D": msgspec.structs.replace(m.joints["D"], frame_a=far)}
    studio.document.commit(
        "Move D",
        msgspec.structs.replace(
            studio.document.project, mechanism=msgspec.structs.replace(m, joints=joints)
        ),
    )
    drawn = drawn_poses(studio.document.project)
    studio.questions.assembly.assemble()
    answer(studio)
    assert (
        np.array_equal(studio.display.poses, drawn)
        and np.abs(studio.questions.assembly.ghost - drawn).max() > 0.01
    )
    assert len(studio.selection.selected) == 2 and set(studio.selection.selected) <= set(m.joints)
    (message,) = studio.notifications.messages
    assert (
        message.kind == "warning"
        and "apart at best" in message.text
        and not studio.questions.assembly.can_accept
    )
    studio.questions.assembly.leave()
    assert studio.questions.assembly.ghost is None and not studio.notifications.messages


def test_a_closed_drawing_is_reported_as_closed(studio):
    studio.document.load(project(), None)
    studio.questions.assembly.assemble()
    answer(studio)
    assert (
        texts(studio) == ["The drawing is closed as it is: every joint holds."]
        and studio.questions.assembly.proposal is None
    )


def test_long_assembling_can_be_cancelled(studio, monkeypatch):
    studio.questions.assembly.assemble()
    studio.questions.assembly.go_on(3)
    assert not studio.notifications.messages
    monkeypatch.setattr(assembly, "PATIENCE", 0.0)
    studio.questions.assembly.go_on(40)
    assert texts(studio) == ["Assembling: 40 steps so far."] and studio.notifications.messages[
        0
    ].buttons == (("Cancel", studio.questions.assembly.cancel),)
    studio.questions.assembly.cancel()
    studio.questions.assembly.take(None)
    assert (
        studio.questions.session.of("cancel_assembly") == [()]
        and not studio.notifications.messages
        and studio.questions.assembly.proposal is None
    )


def test_only_a_drawing_that_cannot_be_closed_says_so_once_and_until_it_can(studio):
    studio.questions.assembly.report_open(studio.questions.analysis)
    assert studio.questions.analysis.open and not studio.notifications.messages, (
        "it is shown closed, and nothing is wrong with it"
    )
    far, farther = (
        elements.set_quantity(rough(), "D", ("frame_a", "placement", "position", 0), text)
        for text in ("5 m", "6 m")
    )
    studio.document.load(far, None)
    studio.questions.assembly.report_open(studio.questions.analysis)
    (message,) = studio.notifications.messages
    assert (
        message.kind == "warning"
        and message.text.startswith("The drawing cannot be closed: the pins of ")
        and " mm apart at best" in message.text
    )
    assert message.buttons == (("Show the best try", studio.questions.assembly.assemble),)
    # its numbers are those of the drawing as it is now
    studio.document.load(farther, None)
    studio.questions.assembly.report_open(studio.questions.analysis)
    assert [m.text == message.text for m in studio.notifications.messages] == [False]
    studio.notifications.dismiss(studio.notifications.messages[0])
    studio.questions.assembly.report_open(studio.questions.analysis)
    assert not studio.notifications.messages, "it was read"
    studio.document.load(rough(), None)
    studio.questions.assembly.report_open(studio.questions.analysis)
    studio.document.load(far, None)
    studio.questions.assembly.report_open(studio.questions.analysis)
    assert texts(studio) == [message.text]
    studio.document.load(project(), None)
    studio.questions.assembly.report_open(studio.questions.analysis)
    assert not studio.notifications.messages


def test_an_error_of_the_solver_is_reported(studio):
    studio.questions.assembly.assemble()
    studio.questions.assembly.take(
        AssemblyResult(
            False, finding=Finding("error", "", "The solver was stopped. The drawing is as it was.")
        )
    )
    assert (
        texts(studio) == ["The solver was stopped. The drawing is as it was."]
        and studio.notifications.messages[0].kind == "error"
    )


# the worker


def assembled(d):
    got, goes_on = [], []
    d.session.assembled.connect(got.append)
    d.session.assembling.connect(goes_on.append)
    return got, goes_on


def test_the_worker_answers_goes_on_and_is_cancelled(drive):
    d = drive("assembling 5")
    d.ready()
    got, goes_on = assembled(d)
    d.session.assemble(("crank",))
    d.until(lambda: len(goes_on) > 2)
    start = time.monotonic()
    d.session.cancel_assembly()
    d.document.commit("Edit", msgspec.structs.replace(heavier(d.document.project, 2.0), note=""))
    d.session.assemble(("crank",))
    d.until(lambda: got)
    # the cancelled one made way at once and said nothing
    assert time.monotonic() - start < within(3.0, 5.0) and len(got) == 1
    assert got[0].poses[list(d.document.project.mechanism.bodies).index("crank")][2] == 1.0


@pytest.mark.parametrize(
    ("note", "words"), [("fail", "error of its own"), ("fall", "stopped unexpectedly")]
)
def test_a_worker_that_fails_is_reported(drive, note, words):
    d = drive(note)
    d.ready()
    got, _ = assembled(d)
    d.session.assemble()
    d.until(lambda: got, 30.0)
    assert words in got[0].finding.message


def test_the_real_worker_closes_a_rough_four_bar(drive):
    d = drive("", command=REAL)
    d.document.commit("Sketch", rough())
    got, _ = assembled(d)
    d.session.assemble()
    d.until(lambda: got, 120.0)
    assert got[0].closed and got[0].after < 1e-12 < got[0].moved


def test_an_open_drawing_is_shown_assembled(studio):
    """A slider that changes a length does not tear the mechanism on screen."""
    assert (
        studio.questions.analysis.open
        and np.abs(
            np.array(studio.questions.analysis.poses) - drawn_poses(studio.document.project)
        ).max()
        > 1e-3
    )
    assert np.array_equal(studio.display.poses, np.array(studio.questions.analysis.poses))


def test_residual_gap_is_written_in_the_number_format(studio):
    closing = AssemblyResult(
        True,
        after=6.2e-17,
        moved=0.01,
        farthest=next(iter(studio.document.project.mechanism.bodies)),
        gaps=(Gap(next(iter(studio.document.project.mechanism.joints)), 0.014),),
    )
    assert "closed to 6e−17 m;" in reported(closing, studio.document.project.mechanism, "m-N-rad")


def test_without_joints_there_is_nothing_to_assemble(studio):
    studio.files.show(Project(), None, None)
    studio.questions.assembly.assemble()
    assert studio.questions.session.of("assemble") == [] and texts(studio) == [
        "There is nothing to assemble yet: no joint holds bodies together."
    ]


def test_an_open_drawing_is_pulled_from_where_its_joints_meet(studio):
    """It is taken where it is seen."""
    id, closed = (
        next(iter(studio.document.project.mechanism.bodies)),
        np.array(studio.questions.analysis.poses),
    )
    assert studio.questions.drag.start_drag(id, tuple(map(float, closed[0, :3])))
    ((_, point, poses, _),) = studio.questions.session.of("start_drag")
    assert np.allclose(poses, closed) and point == pytest.approx(tuple(closed[0, :3]))
