"""Sliders that act in the run while it plays, under real mouse events and with the real worker."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets

import mechstudio as ms
from tests.application.runs.test_run_parts import motion, oscillator, piecewise
from tests.view.hands import press

Qt = QtCore.Qt


@pytest.fixture
def window(solved_file, qtbot, tmp_path):
    ms.save(oscillator(), tmp_path / "oscillator.mech")
    made = solved_file(str(tmp_path / "oscillator.mech"))
    press(made, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: made.studio.runs.present is not None)
    return made


def slide_to(slider, value):
    """Move a held slider."""
    slider.setSliderPosition(value)


def held(window, name):
    slider = window.docks.controls.sliders[name]
    slider.setSliderDown(True)
    return slider


@pytest.mark.slow
def test_a_stiffness_acts_at_the_running_time(window, qtbot):
    studio = window.studio
    playback = studio.runs.playback
    first = studio.runs.recording
    playback.pause()
    playback.seek(1.2)
    playback.play()
    slider = held(window, "k")
    slide_to(slider, slider.value() + 20)
    qtbot.waitUntil(
        lambda: studio.runs.recording is not first and studio.runs.recording is not None
    )
    assert playback.playing and playback.time >= 1.15, "the cursor does not go back"
    slider.setSliderDown(False)
    qtbot.waitUntil(lambda: studio.runs.recording.finished, timeout=10_000)
    playback.pause()
    run = studio.runs.recording
    k = studio.document.project.parameters["k"].value.value
    begin = run.parts[-1].begin
    assert len(run.parts) >= 2 and 1.15 <= begin < 3.0
    stiffness = [(p.begin, p.drawing.parameters["k"].value.value) for p in run.parts]
    x, _ = piecewise(run.time, stiffness)
    np.testing.assert_allclose(motion(run)[0], x, atol=1e-8)
    assert stiffness[0][1] == 50.0 and stiffness[-1][1] == k == 70.0
    assert studio.runs.present.note.startswith("k = 70 N/m ")
    # the drawing is where it was drawn, and one step takes the change back
    assert studio.document.project.mechanism.bodies["block"].placement.position[0].value == 0.1
    studio.document.undo()
    assert studio.document.undo_label == ""


@pytest.mark.slow
def test_a_tick_on_the_time_bar_states_the_change(window, qtbot):
    studio, track = window.studio, window.time_bar.track
    playback = studio.runs.playback
    playback.pause()
    playback.seek(2.0)
    before = studio.runs.recording
    slider = window.docks.controls.sliders["k"]
    for value in (60, 70, 80):
        slider.setSliderDown(True)
        slide_to(slider, value)
        slider.setSliderDown(False)
        qtbot.waitUntil(
            lambda: studio.runs.recording is not None and studio.runs.recording.finished
        )
        assert playback.time == pytest.approx(2.0, abs=1e-9), "a paused cursor stays"
    run = studio.runs.recording
    assert [p.begin for p in run.parts] == [0.0, pytest.approx(2.0)]
    assert np.array_equal(run.rows[:120], before.rows[:120])
    place = QtCore.QPoint(round(track.x_of(2.0)), track.height() // 2)
    tip = QtGui.QHelpEvent(QtCore.QEvent.Type.ToolTip, place, track.mapToGlobal(place))
    QtWidgets.QApplication.sendEvent(track, tip)
    assert track.toolTip() == "k = 80 N/m at 2 s"
    elsewhere = QtCore.QPoint(round(track.x_of(3.0)), track.height() // 2)
    tip = QtGui.QHelpEvent(QtCore.QEvent.Type.ToolTip, elsewhere, track.mapToGlobal(elsewhere))
    QtWidgets.QApplication.sendEvent(track, tip)
    assert track.toolTip() == ""
    # Ctrl+R runs the drawing as it is from the start
    press(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: studio.runs.recording is not run and studio.runs.recording.finished)
    assert not studio.runs.recording.is_changed
    x, _ = piecewise(studio.runs.recording.time, [(0.0, 80.0)])
    np.testing.assert_allclose(motion(studio.runs.recording)[0], x, atol=1e-8)
    assert [r.note for r in studio.runs.kept.runs] == [
        "as drawn",
        *(f"k = {value} N/m at 2 s" for value in (60, 70, 80)),
        "from the start",
    ]


def test_a_length_begins_the_run_again(window, qtbot):
    studio = window.studio
    playback = studio.runs.playback
    playback.pause()
    playback.seek(2.0)
    before = studio.runs.recording
    slider = window.docks.controls.sliders["L1"]
    slider.setSliderDown(True)
    slide_to(slider, slider.value() + 10)
    slider.setSliderDown(False)
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording is not before
    )
    qtbot.waitUntil(lambda: studio.runs.recording.finished)
    assert not studio.runs.recording.is_changed and playback.time == 2.0
