"""Runs that are made again while a slider moves: what is shown until they have come so far."""

import msgspec
import numpy as np
import pytest

from mechstudio.application.actions.edits import parameters
from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.model.quantity import ORIGIN
from tests.view.standin import StandinSession


@pytest.fixture
def studio():
    made = Studio(Preferences(kept=False))
    assert made.files.open(str(sample_folder() / "four_bar.mech"))
    session = StandinSession(made.document)
    made.attach(session)
    made.runs.simulate()
    while not session.recording.finished:
        session.recording.grow()
    session.recorded.emit()
    session.run_finished.emit()
    made.runs.playback.seek(2.0)
    yield made
    made.questions.session = None
    made.close()


def without_gravity(project):
    mechanism = msgspec.structs.replace(project.mechanism, gravity=ORIGIN)
    return msgspec.structs.replace(project, mechanism=mechanism)


def drag(studio, text):
    assert parameters.set_parameter(studio, "L1", text, text, "slider 1")


def test_the_cursor_and_its_pose_stay_until_the_run_has_come_so_far(studio):
    before = studio.runs.poses.copy()
    drag(studio, "120 mm")
    recording = studio.questions.session.recording
    assert recording.count == 0 and studio.runs.playback.time == 2.0
    np.testing.assert_array_equal(studio.runs.poses, before)
    while not recording.finished:
        recording.grow()
        studio.questions.session.recorded.emit()
        assert studio.runs.playback.time == 2.0
    assert studio.runs.recording is recording
    np.testing.assert_array_equal(
        studio.runs.poses, recording.sample(2.0)[recording.layout.poses].reshape(-1, 7)
    )


@pytest.mark.parametrize("act", ["undo", "simulate", "stop"])
def test_whatever_comes_between_ends_the_wait(studio, act):
    drag(studio, "120 mm")
    if act == "undo":
        studio.document.undo()
        assert studio.runs.playback.at_design or studio.runs.recording is not None
    elif act == "simulate":
        studio.runs.simulate()
        assert studio.runs.playback.at_design
    else:
        studio.questions.session.recording.finished = True
        studio.questions.session.run_finished.emit()
    # no pose of an earlier drawing is shown any more
    recording = studio.runs.recording
    if recording is None or not recording.count:
        assert studio.runs.poses is None


def test_a_drawing_that_cannot_run_is_reported_and_shown_as_drawn(studio):
    drag(studio, "120 mm")
    studio.questions.session.recording.finished = True
    studio.questions.session.recorded.emit()
    assert studio.runs.poses is None and studio.runs.playback.time == 0.0


def test_the_end_of_a_run_is_shown_as_long_as_the_drawing_is_that_of_the_run(studio):
    messages = lambda: [m.text for m in studio.notifications.messages]
    recording = studio.runs.recording
    recording.finding, recording.reason = object(), "There is a dead point."
    studio.questions.session.run_finished.emit()
    reported = messages()
    assert len(reported) == 1 and reported[0].startswith("There is a dead point.")
    assert studio.document.change("Take gravity away", without_gravity) == ""
    assert messages() == []
    studio.document.undo()
    assert messages() == reported
