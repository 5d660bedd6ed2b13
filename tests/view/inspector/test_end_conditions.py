"""A run ends where the user wants it: the condition is made in the inspector, and the time bar
shows where it came true.
"""

import math

import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.model.project import EndCondition
from mechstudio.view.idle_tasks import turns
from mechstudio.view.widgets.choice import Choice

Qt = QtCore.Qt


def button(inspector, text):
    return next(
        b
        for b in inspector.findChildren(QtWidgets.QPushButton)
        if b.isVisibleTo(inspector) and b.text() == text
    )


def choice(inspector, name):
    return next(c for c in inspector.findChildren(Choice) if c.accessibleName() == name)


def test_a_condition_is_made_runs_and_is_marked(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, inspector = window.studio, window.docks.inspector
    studio.selection.select()
    turns().finish()
    QtTest.QTest.mouseClick(button(inspector, "Add condition"), Qt.MouseButton.LeftButton)
    turns().finish()
    assert (
        studio.document.project.settings.until == (EndCondition("joint/A/0"),)
        and studio.document.undo_label == "Add condition that ends the run"
    )
    start = studio.document.project.mechanism
    number = next(n for n in inspector.numbers if n.field.path == ("until", 0, "value"))
    assert number.field.dimension == "angle"
    number.edit.setFocus()
    number.edit.selectAll()
    QtTest.QTest.keyClicks(number.edit, "300 deg")
    QtTest.QTest.keyClick(number.edit, Qt.Key.Key_Return)
    assert studio.document.project.settings.until[0].value.value == pytest.approx(math.radians(300))
    studio.runs.simulate()
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished, timeout=60_000
    )
    recording = studio.runs.recording
    assert recording.complete and recording.ended_by == studio.document.project.settings.until[0]
    assert abs(recording.values("joint/A/0")[-1]) == pytest.approx(math.radians(300), abs=1e-9)
    assert 0 < recording.end < studio.document.project.settings.duration.value
    track = window.time_bar.track
    assert "A angle passes 300" in track._ended()
    image = track.grab().toImage()
    x = round(track.x_of(recording.end) * image.width() / track.width())
    accent = window.theme.color("accent").name()
    assert image.pixelColor(x, image.height() // 2).name() == accent
    # another quantity of another dimension begins at nothing
    choice(inspector, "Quantity that ends the run").choose("energy/kinetic")
    turns().finish()
    choice(inspector, "How it passes").choose("rising")
    assert studio.document.project.settings.until == (
        EndCondition("energy/kinetic", direction="rising"),
    )
    turns().finish()
    remove = next(
        b
        for b in inspector.findChildren(QtWidgets.QToolButton)
        if b.toolTip() == "Take this condition away"
    )
    QtTest.QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert (
        studio.document.project.settings.until == () and studio.document.project.mechanism is start
    )
