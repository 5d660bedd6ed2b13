"""A new run appears within half a second, and the one before turns grey."""

import pytest
from PySide6 import QtCore, QtGui

from mechstudio.application.actions.edits import parameters
from tests.view.hands import press

Qt = QtCore.Qt
RUNNING = QtCore.QAbstractAnimation.State.Running


@pytest.fixture
def shown(window, qtbot):
    """A window with a run in the Analyse workspace."""
    window.set_workspace("analyse")
    window.studio.runs.kept.restore(())
    window.studio.preferences.set(reduced_motion=False)
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.present is not None)
    window.studio.runs.playback.pause()
    qtbot.waitUntil(lambda: window.docks.plots[0].area is not None)
    yield window
    window.studio.preferences.set(reduced_motion=False)
    window.studio.runs.kept.restore(())


def again(window, qtbot, text, part_of=""):
    """Run with another length."""
    before = window.studio.runs.recording
    parameters.set_parameter(window.studio, "L1", text, text, part_of)
    runs = window.studio.runs
    qtbot.waitUntil(lambda: runs.recording is not None and runs.recording is not before)
    area = window.docks.plots[0].area
    qtbot.waitUntil(lambda: area._present[0] is runs.recording)
    return area


def pens(area, present):
    return [
        line.opts["pen"].color()
        for line, (trace, _) in zip(area._lines, area._lined)
        if bool(trace.run) is not present
    ]


def test_the_new_run_appears_and_the_old_one_turns_grey(shown, qtbot):
    area = again(shown, qtbot, "140 mm")
    assert area.fade.state() == RUNNING and area.fade.duration() == 500
    area.fade.setCurrentTime(0)
    own = pens(area, True)[0]
    assert own.alphaF() == pytest.approx(0.0)
    # the old one begins with the colour that it had
    assert pens(area, False)[0].name() == own.name()
    area.fade.setCurrentTime(250)
    assert 0.4 < pens(area, True)[0].alphaF() < 0.6
    qtbot.waitUntil(lambda: area.fade.state() != RUNNING)
    grey = QtGui.QColor(shown.theme["text3"])
    assert pens(area, True)[0].alphaF() == pytest.approx(1.0)
    assert pens(area, False)[0].name() == grey.name()


@pytest.mark.slow
def test_a_drag_fades_once(shown, qtbot):
    area = again(shown, qtbot, "140 mm", "slider 7")
    assert area.fade.state() == RUNNING
    area.fade.setCurrentTime(499)
    qtbot.waitUntil(lambda: area.fade.state() != RUNNING)
    area = again(shown, qtbot, "141 mm", "slider 7")
    assert area.fade.state() != RUNNING and pens(area, True)[0].alphaF() == 1.0


def test_reduced_motion_shows_it_at_once(shown, qtbot):
    shown.studio.preferences.set(reduced_motion=True)
    area = again(shown, qtbot, "140 mm")
    assert area.fade.state() != RUNNING and pens(area, True)[0].alphaF() == 1.0
