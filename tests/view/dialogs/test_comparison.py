"""The drawing compared with another file: sentences, curves and ghosts, in the real window."""

import numpy as np
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.model.edits import elements

LEFT = QtCore.Qt.MouseButton.LeftButton


def requested(window, qtbot, path):
    """The sheet that follows when a file was chosen."""
    window.sheet = None
    window.actions_.trigger("compare_file")
    dialog = window.findChild(QtWidgets.QFileDialog, "compare_file")
    dialog.fileSelected.emit(str(path))
    dialog.close()
    qtbot.waitUntil(lambda: window.sheet is not None and window.sheet.objectName() == "comparison")
    return window.sheet


def words(sheet):
    return [each.text() for each in sheet.card.findChildren(QtWidgets.QLabel)]


def test_both_motions_are_laid_beside_each_other(solved_four_bar, qtbot, tmp_path):
    window = solved_four_bar
    studio = window.studio
    other = elements.set_quantity(studio.document.project, "omega", ("value",), "7 rad/s")
    ms.save(other, tmp_path / "faster.mech")
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.complete)
    own = studio.runs.recording
    studio.runs.playback.pause()
    studio.runs.playback.seek(2.0)
    sheet = requested(window, qtbot, tmp_path / "faster.mech")
    assert "•  Parameter omega: Value 7 rad/s → 6 rad/s." in words(sheet)
    QTest.mouseClick(sheet.motions, LEFT)
    qtbot.waitUntil(lambda: len(studio.runs.kept.runs) == 2)
    assert studio.runs.recording is own and studio.runs.playback.time == 2.0
    (beside,) = studio.runs.beside
    assert beside.ticked and beside.note == "faster.mech"
    truth = ms.simulate(other)
    np.testing.assert_array_equal(beside.recording.rows[:, 0], truth.time)
    np.testing.assert_allclose(
        beside.recording.rows[:, beside.recording.layout.joint("A")],
        truth.joint_coordinates["A"],
        atol=1e-9,
    )
    assert studio.marks.of_type("ghost_run")
    # the same file again: its run is known
    sheet = requested(window, qtbot, tmp_path / "faster.mech")
    QTest.mouseClick(sheet.motions, LEFT)
    assert len(studio.runs.kept.runs) == 2


def test_a_drawing_that_is_the_same_or_cannot_be_run(solved_four_bar, qtbot, tmp_path):
    window = solved_four_bar
    studio = window.studio
    ms.save(studio.document.project, tmp_path / "same.mech")
    sheet = requested(window, qtbot, tmp_path / "same.mech")
    assert "They are the same drawing." in words(sheet) and not sheet.motions.isEnabled()
    sheet.close_sheet()
    m = ms.Builder("Ghost")
    m.pin("A", m.ground, m.body("ghost"), at=(0, 0, 0))
    ms.save(m.project(), tmp_path / "ghost.mech")
    sheet = requested(window, qtbot, tmp_path / "ghost.mech")
    QTest.mouseClick(sheet.motions, LEFT)
    qtbot.waitUntil(
        lambda: any("ghost.mech ended early" in m.text for m in studio.notifications.messages)
    )
    # the drawing itself is run, since it had no run yet
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.complete)
    assert not any(run.note == "ghost.mech" for run in studio.runs.kept.runs)
    (tmp_path / "none.mech").write_text("{")
    window.actions_.trigger("compare_file")
    dialog = window.findChild(QtWidgets.QFileDialog, "compare_file")
    dialog.fileSelected.emit(str(tmp_path / "none.mech"))
    dialog.close()
    qtbot.waitUntil(lambda: any("none.mech" in m.text for m in studio.notifications.messages))
