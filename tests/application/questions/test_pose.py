"""Setting a joint coordinate from the window's side: one undo step, words for everything that goes
wrong, and the real worker behind it.
"""

import math
import time

import msgspec
import pytest

from mechstudio.application.actions import edit
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.protocol.solver_messages import PoseFound
from tests.application.stand_in_solver import StandInSolver, studio_with
from tests.mechanisms import single_joint
from tests.worker.sessions import REAL, drive, heavier, project

__all__ = ["drive"]


@pytest.fixture
def studio(tmp_path):
    studio = studio_with(StandInSolver(), project(), tmp_path)
    yield studio
    studio.close()


def test_a_typed_value_is_read_in_its_unit(studio):
    assert (
        studio.questions.joint_setting.set("A", 0, "60")
        and studio.questions.joint_setting.set("A", 0, "1 rad")
        and studio.questions.joint_setting.set("A", 0, "pi/2 * 1 rad")
    )
    assert [w[:2] for w in studio.questions.session.of("pose")] == [("A", 0)] * 3
    assert [w[2] for w in studio.questions.session.of("pose")] == pytest.approx(
        [math.pi / 3, 1.0, math.pi / 2]
    )


def test_a_text_that_is_no_value_is_reported(studio):
    for text in ("60 mm", "much", ""):
        assert not studio.questions.joint_setting.set("A", 0, text)
        assert (
            studio.notifications.messages[-1].text.startswith(f"A = {text}:")
            and studio.notifications.messages[-1].kind == "warning"
        )
    assert (
        not studio.questions.session.of("pose")
        and not studio.questions.joint_setting.set("nobody", 0, "1")
        and not studio.questions.joint_setting.set("A", 1, "1")
    )
    # it goes when the next one is a value
    studio.questions.joint_setting.set("A", 0, "10")
    assert not studio.notifications.messages


def test_the_answer_is_one_undo_step_with_a_name(studio):
    before = studio.document.project
    studio.questions.joint_setting.take(
        ("A", 0, 1.0, ""),
        PoseFound(1, {"crank": (0.5, 0.0, 0.25, 1.0, 0.0, 0.0, 0.0)}, {"B": (7.0,)}, math.pi / 3),
    )
    assert studio.document.undo_label == "Turn A to 60 deg" and not studio.notifications.messages
    placement = studio.document.project.mechanism.bodies["crank"].placement
    assert [q.value for q in placement.position] == [0.5, 0.0, 0.25] and not any(
        q.text for q in (*placement.position, *placement.orientation)
    )
    assert studio.document.project.mechanism.joints["B"].values == (Quantity(7.0),)
    edit.undo(studio)
    assert studio.document.project is before


def test_a_joint_of_several_coordinates_names_the_one(studio):
    studio.files.show(project(mechanism=single_joint("cylindrical")), None, None)
    assert [c.name for c in JOINT_TYPES["cylindrical"].coordinates] == ["slide", "angle"]
    studio.questions.joint_setting.take(
        ("joint", 0, 0.1, ""), PoseFound(1, {"two": (0.5, 0.0, 0.25, 1.0, 0.0, 0.0, 0.0)}, {}, 0.1)
    )
    assert studio.document.undo_label == "Move slide of joint to 100 mm"


def test_dead_point_of_a_joint_is_committed_and_reported(studio):
    studio.questions.joint_setting.take(
        ("A", 0, 9.0, ""),
        PoseFound(
            1,
            {"crank": (0.5, 0.0, 0.25, 1.0, 0.0, 0.0, 0.0)},
            {},
            math.pi / 6,
            "Pin A cannot turn further: dead point at 30 deg.",
        ),
    )
    assert (
        studio.document.undo_label == "Turn A to 30 deg"
        and "dead point" in studio.notifications.messages[-1].text
    )


def test_immobile_joint_commits_nothing_and_is_reported(studio):
    studio.questions.joint_setting.take(
        ("A", 0, 9.0, ""), PoseFound(1, {}, {}, 0.0, "Pin A cannot turn: the other joints hold it.")
    )
    assert not studio.document.undo_label and "hold it" in studio.notifications.messages[-1].text


def test_numbers_that_stay_keep_their_texts(studio):
    m = studio.document.project.mechanism
    crank = m.bodies["crank"]
    typed = msgspec.structs.replace(
        crank.placement,
        position=(crank.placement.position[0], Quantity(0.0, "0 mm"), crank.placement.position[2]),
    )
    bodies = {**m.bodies, "crank": msgspec.structs.replace(crank, placement=typed)}
    studio.files.show(
        msgspec.structs.replace(
            studio.document.project, mechanism=msgspec.structs.replace(m, bodies=bodies)
        ),
        None,
        None,
    )
    studio.questions.joint_setting.take(
        ("A", 0, 1.0, ""),
        PoseFound(
            1, {"crank": (0.5, 1e-18, 0.25, math.cos(0.5), 1e-17, math.sin(0.5), 0.0)}, {}, 1.0
        ),
    )
    placement = studio.document.project.mechanism.bodies["crank"].placement
    assert placement.position[1] == Quantity(0.0, "0 mm") and placement.position[0] == Quantity(0.5)
    # the rounding in a quaternion does not show as three angles
    assert [q.value for q in placement.orientation] == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    assert placement.orientation[0].value == placement.orientation[2].value == 0.0


# with a worker


def answers(d):
    out = []
    d.session.posed.connect(lambda target, found: out.append((target, found)))
    return out


def test_a_worker_answers(drive):
    d = drive("")
    d.ready()
    got = answers(d)
    d.session.pose("A", 0, 0.5)
    d.until(lambda: got)
    assert (
        got[0][0] == ("A", 0, 0.5, "")
        and got[0][1].value == 0.5
        and got[0][1].poses["crank"][0] == 0.5
        and not got[0][1].reason
    )
    d.session.pose("A", 0, 3.0)
    d.until(lambda: len(got) == 2)
    assert got[1][1].value == 1.0 and got[1][1].reason == "It stops."


def test_last_of_many_requests_counts(drive):
    d = drive("posing 0.2")
    d.ready()
    got = answers(d)
    for k in range(9):
        d.session.pose("A", 0, 0.1 * k)
        d.for_(0.01)
    d.until(lambda: got)
    d.for_(0.5)
    assert [target[2] for target, _ in got] == [0.8]


def test_an_edit_meanwhile_is_not_overwritten(drive):
    d = drive("posing 0.2")
    d.ready()
    got = answers(d)
    d.session.pose("A", 0, 0.5)
    d.for_(0.05)
    d.document.commit("Edit", heavier(d.document.project, 3.0))
    took = d.until(lambda: got)
    # requested again, for the new drawing
    assert took > 0.2 and got[0][0] == ("A", 0, 0.5, "")


def test_a_pose_is_found_while_a_run_goes_on(drive):
    d = drive("pace 0.01", duration=20.0)
    d.ready()
    d.session.simulate()
    d.until(lambda: d.session.recording.count > 3)
    got = answers(d)
    d.session.pose("A", 0, 0.5)
    assert d.until(lambda: got) < 1.0 and d.session.is_running


@pytest.mark.parametrize(
    ("note", "words"),
    [
        ("refuse", "The drawing cannot be closed."),
        ("fail", "error of its own"),
        ("fall", "stopped unexpectedly"),
    ],
)
@pytest.mark.thinned(3)
def test_a_failure_is_reported_and_the_next_request_is_sent(drive, note, words):
    d = drive(note)
    d.ready()
    got = answers(d)
    d.session.pose("A", 0, 0.5)
    d.until(lambda: got)
    assert words in got[0][1].finding.message
    d.document.commit("Mend", heavier(msgspec.structs.replace(d.document.project, note=""), 2.0))
    d.session.pose("A", 0, 0.25)
    d.until(lambda: len(got) == 2, 30.0)
    assert got[1][1].value == 0.25


def test_a_joint_that_is_gone_is_reported(drive):
    d = drive("")
    d.ready()
    got = answers(d)
    d.session.pose("nobody", 0, 0.5)
    d.until(lambda: got)
    assert "no joint nobody" in got[0][1].finding.message


def test_the_real_worker_turns_a_four_bar(drive, tmp_path):
    d = drive("", command=REAL)
    # poses need no kernels
    got = answers(d)
    d.session.pose("D", 0, 2.0)
    start = time.monotonic()
    d.until(lambda: got, 120.0)
    assert time.monotonic() - start < 60.0
    found = got[0][1]
    assert set(found.poses) == {"crank", "coupler", "rocker"} and found.reason.startswith(
        "Pin D cannot turn further: dead point at 50.32 deg"
    )
