"""Messages of a run beside its samples are seen in the window: that it hardly gets on, and how far
its numbers can be trusted.
"""

import pytest
from PySide6 import QtWidgets

from mechstudio.model.project import Project, Settings
from mechstudio.model.quantity import Quantity
from tests.engine.structure.test_small_motions import oscillator


def reported(window, key):
    return [m.text for m in window.studio.notifications.messages if m.key == key]


def banners(window):
    return {b.message.key for b in window.banners.shown}


def test_a_motion_below_the_tolerance_is_reported(solved, qtbot):
    studio = solved.studio
    settings = Settings(duration=Quantity(0.01), sample_step=Quantity(1e-4))
    studio.files.show(Project(oscillator(1e-9), settings=settings), None, None)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    studio.runs.simulate()
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=240_000,
    )
    (words,) = reported(solved, "notes")
    assert (
        "The motion lies at the limit of the tolerance" in words
        and "Choose a tolerance of 1e-13" in words
    )
    qtbot.waitUntil(lambda: "notes" in banners(solved))
    # the next run takes it back
    studio.files.show(Project(oscillator(1e-3), settings=settings), None, None)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    studio.runs.simulate()
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=240_000,
    )
    assert not reported(solved, "notes")


def test_a_finding_of_the_doctor_is_not_repeated(solved, qtbot, tmp_path):
    import shutil

    from mechstudio.application.resources import sample_folder

    studio = solved.studio
    assert studio.files.open(
        shutil.copy(sample_folder() / "differential.mech", tmp_path / "differential.mech")
    )
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    assert any("smoothed" in f.message for f in studio.questions.findings)
    studio.runs.simulate()
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished,
        timeout=240_000,
    )
    assert any("smoothed" in note for note in studio.runs.recording.notes) and not reported(
        solved, "notes"
    )


@pytest.fixture
def slow(solved, qtbot):
    """A run whose needle swings a million times a second, reported after a tenth of the time."""
    from tests.engine.integration.test_slow_runs import damped

    studio = solved.studio
    studio.files.show(damped(), None, None)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.questions.session.status.phase == "running", timeout=240_000)
    yield solved
    studio.runs.stop()


def test_a_slow_run_is_reported_and_can_be_stopped(slow, qtbot):
    studio = slow.studio
    # as the worker says after a minute
    studio.questions.session.recording.slow = (
        "The run is slow: 60 s of computing brought it to 0.003 s. Choose Radau IIA."
    )
    qtbot.waitUntil(lambda: "slow" in banners(slow))
    banner = next(b for b in slow.banners.shown if b.message.key == "slow")
    assert banner.message.text.startswith("The run is slow")
    next(b for b in banner.findChildren(QtWidgets.QPushButton) if b.text() == "Stop").click()
    assert studio.runs.recording.finished and not reported(slow, "slow")
    qtbot.waitUntil(lambda: "slow" not in banners(slow))
