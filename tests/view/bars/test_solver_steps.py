"""From one step of the solver to the next by Shift and the arrow keys, with the real worker."""

import numpy as np
import pytest
from PySide6 import QtCore

import mechstudio as ms
from mechstudio.engine.solver_steps import solver_steps
from tests.application.runs.test_run_parts import oscillator
from tests.view.hands import press

Qt = QtCore.Qt
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(solved_file, qtbot, tmp_path):
    ms.save(oscillator(), tmp_path / "oscillator.mech")
    made = solved_file(str(tmp_path / "oscillator.mech"))
    press(made, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: made.studio.runs.present is not None)
    made.studio.runs.playback.pause()
    return made


def go(window, qtbot, key):
    """Press an arrow with Shift and wait for the step."""
    playback = window.studio.runs.playback
    before = playback.time
    press(window, key, SHIFT)
    qtbot.waitUntil(lambda: playback.time != before)
    return playback.time


def test_the_cursor_goes_from_step_to_step(window, qtbot):
    studio = window.studio
    playback, recording = studio.runs.playback, studio.runs.recording
    steps, _ = solver_steps(studio.document.project, 0.0, recording.end)
    playback.seek(2.0)
    after = steps[:, 0] > 2.0
    times = [go(window, qtbot, Qt.Key.Key_Right) for _ in range(4)]
    assert times == list(steps[after][:4, 0])
    # the pose is that of the step, where samples would be joined by a straight line
    block = recording.layout.pose("block")
    exact = 0.1 * np.cos(5 * playback.time)
    assert studio.runs.sample[block][0] == pytest.approx(exact, abs=1e-9)
    assert studio.runs.sample[0] == playback.time
    assert go(window, qtbot, Qt.Key.Key_Left) == times[2]
    assert [go(window, qtbot, Qt.Key.Key_Left) for _ in range(3)][-1] == steps[~after][-1, 0]
    # at both ends there is nothing more
    playback.to_design()
    press(window, Qt.Key.Key_Left, SHIFT)
    qtbot.wait(300)
    assert playback.time == 0.0
    assert go(window, qtbot, Qt.Key.Key_Right) == steps[0, 0]
    playback.to_end()
    assert go(window, qtbot, Qt.Key.Key_Left) < recording.end
    assert go(window, qtbot, Qt.Key.Key_Right) == recording.end


@pytest.mark.slow
def test_solver_steps_continue_across_a_change_of_loads(window, qtbot):
    studio = window.studio
    playback = studio.runs.playback
    playback.seek(2.0)
    slider = window.docks.controls.sliders["k"]
    slider.setSliderDown(True)
    slider.setSliderPosition(80)
    slider.setSliderDown(False)
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.finished)
    recording = studio.runs.recording
    assert recording.is_changed
    parts = [part.drawing for part in recording.parts]
    before, _ = solver_steps(parts[0], 0.0, 2.0)
    before = before[before[:, 0] <= 2.0]  # without the one that the change cut
    after, _ = solver_steps(parts[1], 2.0, recording.end)
    playback.seek(float(before[-2, 0]))
    seen = [go(window, qtbot, Qt.Key.Key_Right) for _ in range(4)]
    expected = [before[-1, 0], 2.0, *after[:, 0]]
    assert seen == sorted({float(t) for t in expected})[: len(seen)]
    # works go on from those before
    at = recording.layout.energy
    step = studio.runs.sample[at]
    assert step[2] == pytest.approx(recording.rows[-1, at][2], abs=1e-9) and step[2] != 0.0
    assert go(window, qtbot, Qt.Key.Key_Left) == seen[-2]
