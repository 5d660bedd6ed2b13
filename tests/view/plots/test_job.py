"""An engineer's whole job from an empty window, by real events and the real solver: draw a
four-bar, drive it, run it, see the torque of the drive, read its peak, take table and picture home.
"""

import csv

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.engine.analyses.registry import analyse_as
from mechstudio.model.types.analyses import Options
from mechstudio.view.idle_tasks import turns
from tests.view.hands import click_in_tree, type_into
from tests.view.test_building import draw, run
from tests.view.test_drawing import hand  # noqa: F401

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


def test_from_an_empty_window_to_torque_in_a_report(hand, qtbot, tmp_path):
    window, studio = hand.window, hand.window.studio
    draw(hand, (0.0, 0.0), (0.0, 0.13), (0.3, 0.22), (0.36, 0.0))
    mechanism = studio.document.project.mechanism
    assert len(mechanism.bodies) == 3 and len(mechanism.joints) == 4
    # M drives the first pin, with a number typed in the inspector
    pin = next(id for id, j in mechanism.joints.items() if j.frame_a.body == "ground")
    click_in_tree(window, pin)
    hand.view.setFocus()
    hand.key(Qt.Key.Key_M)
    (drive,) = studio.document.project.mechanism.drives.values()
    type_into(window.docks.inspector.number(("law", "parameters", "value")), "30 rpm")
    recording = run(hand, qtbot)
    studio.runs.playback.pause()
    window.resize(1920, 1080)
    window.set_workspace("analyse")
    turns().finish()
    # the torque into a new pane, by the list of quantities
    panel = window.docks.plots_panel
    QtTest.QTest.mouseClick(panel.bar.add, LEFT)
    turns().finish()
    pane = list(panel.panes.values())[-1]
    QtTest.QTest.mouseClick(pane.plus, LEFT)
    QtTest.QTest.keyClicks(panel.chooser.search, f"torque of {drive.name}")
    QtTest.QTest.keyClick(panel.chooser.search, Qt.Key.Key_Return)
    QtTest.QTest.keyClick(panel.chooser.search, Qt.Key.Key_Escape)
    turns().finish()
    (curve,) = pane.pane.curves
    assert curve.label == f"Torque of {drive.name}" and pane.pane.units == ("N·m", "")
    key = curve.key
    qtbot.waitUntil(lambda: key in studio.questions.curves.answers, timeout=240_000)
    # what is shown is what the engine says
    project = studio.document.project
    step = max(project.settings.sample_step.value, recording.end / 400)
    options = Options(duration=recording.end, sample_step=step)
    table = analyse_as(project, "inverse", options)
    requested = table.rows[
        :,
        table.columns.index(
            next(c for c in table.columns if c.startswith(drive.name) and "power" not in c)
        ),
    ]
    pane.follow()
    (trace,) = [t for t in pane.area.drawn if not t.run]
    assert trace.values == pytest.approx(requested, rel=1e-6, abs=1e-9 * np.abs(requested).max())
    # read a peak: a click on its time brings the cursor there
    studio.plots.touch(pane.pane.id)
    QtTest.QTest.mouseClick(panel.bar.statistics, LEFT)
    qtbot.wait(50)
    panel.numbers.refresh()
    peaks = panel.numbers.peaks
    assert peaks.rowCount() > 0
    place = peaks.visualItemRect(peaks.item(0, 2)).center()
    QtTest.QTest.mouseClick(peaks.viewport(), LEFT, pos=place)
    time = float(peaks.item(0, 2).text().removesuffix(" s"))
    assert studio.runs.playback.time == pytest.approx(time, abs=1e-3)
    # take it home
    exporter, shown = panel.exporter, [panel.shown(pane.pane.id)]
    for name in ("torque.csv", "torque.png"):
        exporter.ask(shown, (f".{name[-3:]}",))
        with qtbot.waitSignal(exporter.finished, timeout=120_000):
            exporter.dialog.fileSelected.emit(str(tmp_path / name))
        exporter.dialog.reject()
        qtbot.wait(20)
    rows = list(csv.reader((tmp_path / "torque.csv").read_text("utf-8").splitlines()))
    assert rows[0] == ["time [s]", f"Torque of {drive.name} [N·m]"]
    numbers = np.array(rows[1:], float)
    assert numbers[:, 1] == pytest.approx(requested, rel=1e-6, abs=1e-9 * np.abs(requested).max())
    assert QtGui.QImage(str(tmp_path / "torque.png")).width() == 1920
    studio.plots.set_statistics(False)
    window.resize(1280, 800)
    window.set_workspace("build")
