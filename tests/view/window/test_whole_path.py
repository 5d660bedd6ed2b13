"""The whole path with the real solver: file, engine, worker, shared memory, moving picture, plots,
and back to the file.
"""

import os
import signal

import numpy as np
import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.view.actions.file import open_path
from tests.view.hands import click_in_tree, press, type_into

Qt = QtCore.Qt


@pytest.fixture
def window(solved_four_bar):
    return solved_four_bar


def play_to(window, qtbot, time):
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.studio.runs.playback.time > time, timeout=30_000)


def pins_of(window):
    """Places of the four pins in W, each by the two bodies that it joins: (4, 2, 3) [m]."""
    from mechstudio.application.runs.element_readings import rotation_matrix

    m, poses = window.studio.document.project.mechanism, window.studio.display.poses
    at = {id: (np.array(p[:3]), rotation_matrix(p[3:])) for id, p in zip(m.bodies, poses)} | {
        "ground": (np.zeros(3), np.eye(3))
    }
    return np.array(
        [
            [
                at[f.body][0] + at[f.body][1] @ np.array(m.frame_in_body(f)[0])
                for f in (j.frame_a, j.frame_b)
            ]
            for j in m.joints.values()
        ]
    )


def test_play_edit_undo_scrub_save_and_reopen(window, four_bar, qtbot):
    studio = window.studio
    before = studio.display.poses.copy()
    play_to(window, qtbot, 0.5)
    assert np.abs(studio.display.poses - before).max() > 0.02
    # between two samples the picture is interpolated; on a sample the pins meet
    assert np.ptp(pins_of(window), axis=1).max() < 5e-4
    press(window, Qt.Key.Key_Right)
    assert np.ptp(pins_of(window), axis=1).max() < 1e-9
    qtbot.waitUntil(lambda: studio.runs.playback.complete, timeout=30_000)
    assert studio.runs.recording.statistics.rate > 1
    assert window.time_bar.possible.text().startswith(
        "can do "
    ) and not window.time_bar.possible.text().endswith("–")
    for pill in (window.status.constraint, window.status.energy):
        assert pill.property("kind") == "ok", pill.text()
    assert [
        p.text() for p in (window.status.mobility, window.status.hyperstatic, window.status.loops)
    ] == ["Mobility 1", "Hyperstatic 3", "Loops 1"]

    # a longer coupler: the drawing is assembled again and runs again
    click_in_tree(window, "L2")
    type_into(window.docks.inspector.number(("value",)), "350 mm")
    assert studio.runs.recording is None and studio.runs.playback.at_design
    qtbot.waitUntil(
        lambda: studio.questions.analysis is not None and len(studio.questions.analysis.poses) == 3,
        timeout=30_000,
    )
    assert np.ptp(pins_of(window), axis=1).max() < 1e-9
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert studio.document.project.parameters["L2"].value.text == "330 mm"
    press(
        window,
        Qt.Key.Key_Z,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert studio.document.project.parameters["L2"].value.text == "350 mm"
    window.viewport.setFocus()
    play_to(window, qtbot, 0.2)
    qtbot.waitUntil(lambda: studio.runs.playback.complete, timeout=30_000)

    track = window.time_bar.track
    QTest.mouseClick(
        track,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QtCore.QPoint(round(track.x_of(2.0)), track.height() // 2),
    )
    assert studio.runs.playback.time == pytest.approx(2.0, abs=0.02)
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    project = studio.document.project
    assert load(four_bar).project == project
    studio.files.new()
    assert studio.files.open(four_bar) and studio.document.project == project


@pytest.mark.slow
def test_a_killed_solver_is_reported_within_a_second_and_the_next_run_works(window, qtbot):
    studio = window.studio
    studio.questions.session.cancel()
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.count > 0,
        timeout=30_000,
    )
    os.kill(studio.questions.session.client.pid, signal.SIGKILL)
    # on a machine with nothing else to do
    limit = 1500 if os.getloadavg()[0] < 0.5 * (os.cpu_count() or 1) else 15_000
    qtbot.waitUntil(
        lambda: any("solver" in b.text.text().lower() for b in window.banners.shown), timeout=limit
    )
    assert studio.runs.recording.count > 0
    qtbot.waitUntil(lambda: studio.questions.session.status.phase == "ready", timeout=60_000)
    window.viewport.setFocus()
    window.actions_.trigger("simulate")
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.complete, timeout=30_000
    )


# each way of moving once; that every sample can be run is shown where they are run without a window
FEW = (
    "cam_and_follower",
    "four_bar",
    "gear_train",
    "heavy_top",
    "newtons_cradle",
    "rolling_disc",
    "stewart_platform",
)
REST = sorted({path.stem for path in sample_folder().glob("*.mech")} - {*FEW})


@pytest.mark.parametrize(
    "names", [FEW, pytest.param(REST, marks=pytest.mark.slow)], ids=["few", "rest"]
)
def test_every_sample_plays(solved, qtbot, names):
    window = solved
    for name in names:
        sample = sample_folder() / f"{name}.mech"
        open_path(window, sample)
        qtbot.waitUntil(lambda: not window.studio.files.opening.is_reading)
        window.studio.runs.simulate()
        window.studio.runs.playback.play()
        seen = min(0.1, 0.5 * load(sample).project.settings.duration.value)
        qtbot.waitUntil(
            lambda seen=seen: (
                window.studio.runs.recording is not None
                and window.studio.runs.recording.finished
                and window.studio.runs.playback.time > seen
            ),
            timeout=180_000,
        )
        assert window.studio.runs.recording.complete, window.studio.runs.recording.reason
        assert window.status.constraint.property("kind") == "ok", name
