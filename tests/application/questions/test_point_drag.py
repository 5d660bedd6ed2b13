"""Pulling from the window's side: poses as they come, one undo step, words for everything that goes
wrong, and the real worker behind it.
"""

import time

import msgspec
import numpy as np
import pytest

from mechstudio.application.actions import edit
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.files.format.codec import encode
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import GROUND
from mechstudio.protocol.solver_messages import DragEnded, Dragged
from tests.application.stand_in_solver import StandInSolver, studio_with
from tests.worker.sessions import REAL, drive, heavier, project

__all__ = ["drive"]
FRONT = (0.0, 1.0, 0.0)


@pytest.fixture
def studio(tmp_path):
    studio = studio_with(StandInSolver(), project(), tmp_path)
    yield studio
    studio.close()


def at(x):
    poses = np.tile((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), (3, 1))
    poses[0, 0] = x
    return Dragged(1, poses.tobytes(), (x, 0.0, 0.0), False)


PLACED = DragEnded(1, {"crank": (0.3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}, {"A": (7.0,)})


def test_poses_are_shown_as_they_come_and_committed_once(studio):
    drag, drawn = studio.questions.drag, studio.document.project
    reported = []
    drag.changed.connect(lambda: reported.append(drag.state))
    assert (
        drag.start_drag("crank", (0.1, 0.0, 0.0))
        and studio.display.poses is None
        and drag.waiting == "The solver is taking hold"
    )
    drag.aim((0.3, 0.0, 0.0), FRONT)
    for x in (0.1, 0.2, 0.3):
        drag.take(at(x))
        assert studio.display.poses[0, 0] == x and drag.point == (x, 0.0, 0.0) and not drag.waiting
    assert studio.document.project is drawn, "nothing is edited on the way"
    drag.release()
    assert studio.display.poses[0, 0] == 0.3 and len(studio.document.history[0]) == 1
    drag.take(PLACED)
    assert (
        studio.document.history[0][1:] == ["Pull crank"]
        and studio.display.poses is None
        and drag.state == ""
    )
    assert studio.document.project.mechanism.joints["A"].values[0].value == 7.0
    assert (
        [c[0] for c in studio.questions.session.calls] == ["start_drag", "drag_to", "end_drag"]
        and reported[0] == "held"
        and reported[-1] == ""
    )
    edit.undo(studio)
    assert studio.document.project is drawn and encode(drawn) == encode(studio.document.project)


def test_escape_and_everything_else_that_changes_the_drawing_drop_it(studio):
    def held():
        assert studio.questions.drag.start_drag("crank", (0.1, 0.0, 0.0))
        studio.questions.drag.take(at(0.2))
        assert studio.display.poses is not None

    for end in (
        studio.questions.drag.drop,
        lambda: studio.document.commit("Edit", heavier(studio.document.project, 3.0)),
        studio.runs.playback.play,
    ):
        studio.runs.playback.pause()
        held()
        end()
        assert (
            studio.display.poses is None
            and studio.questions.drag.state == ""
            and studio.questions.session.calls[-1] == ("end_drag", False)
        )
        # a late answer changes nothing
        studio.questions.drag.take(at(0.4))
        studio.questions.drag.take(PLACED)
        assert studio.display.poses is None and "Pull crank" not in studio.document.history[0]


def test_refused_drag_gives_the_reason(studio):
    session = studio.questions.session
    studio.questions.drag._session = None
    assert (
        studio.questions.drag.refusal == "The solver is still starting"
        and not studio.questions.drag.start_drag("crank", (0.0, 0.0, 0.0))
    )
    studio.questions.drag.attach(session)
    session.status.phase = "preparing"
    assert (
        studio.questions.drag.start_drag("crank", (0.0, 0.0, 0.0))
        and studio.questions.drag.waiting == "The solver is still starting"
    )
    studio.questions.drag.release()
    assert (
        not studio.questions.drag.start_drag("coupler", (0.0, 0.0, 0.0))
        and "being finished" in studio.questions.drag.refusal
    )
    studio.questions.drag.take(
        DragEnded(
            1,
            finding=Finding(
                "error", "A", "The drawing cannot be closed: A stays open.", "Move a joint."
            ),
        )
    )
    assert (
        studio.notifications.messages[-1].text
        == "The drawing cannot be closed: A stays open. Move a joint."
        and studio.questions.drag.state == ""
    )
    session.status.phase = "ready"


def test_press_drags_the_body_of_the_hit_element_unless_fixed(studio):
    drag = studio.questions.drag
    assert (
        drag.holds("crank", "crank") == "crank"
        and drag.holds(GROUND, GROUND) == ""
        and drag.holds("", "") == ""
    )
    assert drag.holds("A", "") == "crank" and drag.holds("C", "") in ("coupler", "rocker")
    m = studio.document.project.mechanism
    assert drag.joint_point("B") == pytest.approx(m.frame_in_world(m.joints["B"].frame_a)[0])
    assert not drag.is_fixed("crank")
    weld = msgspec.structs.replace(m.joints["A"], type="fixed")
    studio.document.commit(
        "Weld",
        msgspec.structs.replace(
            studio.document.project,
            mechanism=msgspec.structs.replace(m, joints={**m.joints, "A": weld}),
        ),
    )
    assert (
        drag.is_fixed("crank") and not drag.is_fixed("rocker") and drag.holds("B", "") == "coupler"
    )
    studio.document.commit(
        "Loose",
        msgspec.structs.replace(
            studio.document.project, mechanism=msgspec.structs.replace(m, joints={})
        ),
    )
    assert drag.holds("crank", "crank") == "", "a body without joints is not pulled but moved"


def news(d):
    got = []
    d.session.dragged.connect(got.append)
    return got


def test_last_of_several_targets_counts(drive):
    d = drive("")
    d.ready()
    got = news(d)
    d.session.start_drag("crank", (0.0, 0.0, 0.0))
    for x in (0.2, 0.9, 0.5, 2.0):
        d.session.drag_to((x, 0.0, 0.0), FRONT)
    d.until(lambda: got and got[-1].settled and got[-1].point[0] == 1.0)
    assert got[-1].word == "the end" and np.frombuffer(got[-1].poses).reshape(-1, 7)[0, 0] == 1.0
    d.session.drag_to((0.25, 0.0, 0.0), FRONT)
    d.session.end_drag()
    d.until(lambda: isinstance(got[-1], DragEnded))
    # it goes to the last target before it ends
    assert got[-1].poses["crank"][0] == pytest.approx(0.25) and got[-1].values[
        "A"
    ] == pytest.approx((0.25,))
    count = len(got)
    d.session.drag_to((0.9, 0.0, 0.0), FRONT)
    d.for_(0.2)
    assert len(got) == count and d.session.client.is_busy is False


def test_a_pull_is_answered_while_an_analysis_and_a_run_go_on(drive):
    d = drive("pace 0.02; analysis 3")
    d.ready()
    got = news(d)
    d.session.simulate()
    d.document.commit("Rename", heavier(d.document.project, 2.0))
    d.session.start_drag("crank", (0.0, 0.0, 0.0))
    began = time.monotonic()
    d.session.drag_to((0.5, 0.0, 0.0), FRONT)
    d.until(lambda: got and got[-1].settled and got[-1].point[0] == 0.5, 10.0)
    assert time.monotonic() - began < 2.0 and d.session.analysis is None, (
        "the analysis takes three seconds"
    )
    d.session.end_drag(keep=False)


def test_holding_still_is_no_silence(drive):
    d = drive("")
    d.ready()
    got = news(d)
    d.session.start_drag("crank", (0.0, 0.0, 0.0))
    d.until(lambda: got)
    d.for_(1.5)
    assert d.session.status.phase == "ready" and not d.session.client.is_silent
    d.session.end_drag()
    assert not d.session.client.is_silent, "its last word is requested only now"


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("refuse", "The drawing cannot be closed."),
        ("fail", "ZeroDivisionError: planted"),
        ("fall", "back where it was"),
    ],
)
@pytest.mark.thinned(3)
def test_an_impossible_drag_is_reported_and_the_next_one_works(drive, note, words):
    d = drive(note)
    d.ready()
    got = news(d)
    d.session.start_drag("crank", (0.0, 0.0, 0.0))
    d.until(lambda: got, 30.0)
    assert words in got[-1].finding.message
    d.document.commit("Mend", heavier(msgspec.structs.replace(d.document.project, note=""), 2.0))
    d.ready()
    d.session.start_drag("crank", (0.0, 0.0, 0.0))
    d.until(lambda: isinstance(got[-1], Dragged), 30.0)


def test_the_real_worker_pulls_a_four_bar(drive):
    d = drive("", command=REAL)
    mechanism = d.document.project.mechanism
    rows, got = JointRows(mechanism), news(d)
    point = mechanism.frame_in_world(mechanism.joints["B"].frame_a)[0]
    # poses need no kernels
    d.session.start_drag("crank", point)
    d.session.drag_to((-0.1, 0.0, 0.2), FRONT)
    d.until(lambda: got and got[-1].settled and got[-1].point != point, 120.0)
    for found in got:
        assert np.abs(rows.residuals(np.frombuffer(found.poses).reshape(-1, 7))).max() < 1e-11
    assert np.allclose(got[-1].point, 0.2 * np.array((-1.0, 0.0, 2.0)) / 5**0.5, atol=1e-6)
    d.session.end_drag()
    d.until(lambda: isinstance(got[-1], DragEnded), 30.0)
    assert set(got[-1].poses) == {"crank", "coupler", "rocker"} and got[-1].finding is None
