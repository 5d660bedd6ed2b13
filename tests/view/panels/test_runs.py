"""List of runs in the Analyse workspace, under real mouse and key events."""

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.model.edits import elements
from mechstudio.view.idle_tasks import turns
from mechstudio.view.panels.runs import RUN
from tests.view.hands import press

Qt = QtCore.Qt


@pytest.fixture
def runs(window, qtbot):
    """Two runs: as drawn, and with a longer crank, which is the present one."""
    window.set_workspace("analyse")
    studio = window.studio
    studio.runs.kept.restore(())
    for text in (None, "140 mm"):
        if text is not None:
            studio.document.commit(
                "L1", elements.set_quantity(studio.document.project, "L1", ("value",), text)
            )
        press(window, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: studio.runs.present is not None)
        studio.runs.playback.pause()
    turns().finish()
    yield window
    studio.runs.kept.restore(())


def row(window, k):
    """Rectangle of a row of the list, from the top."""
    return window.docks.runs.list.visualItemRect(window.docks.runs.list.item(k))


def click_tick(window, k):
    listed = window.docks.runs.list
    place = listed._row.tick_of(row(window, k)).center()
    QTest.mouseClick(
        listed.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )


def test_the_newest_run_stands_on_top_and_says_what_was_changed(runs):
    listed = runs.docks.runs.list
    found = [listed.item(k).data(RUN) for k in range(listed.count())]
    assert [(r.title, r.note) for r in found] == [("Run 2", "L1 = 140 mm"), ("Run 1", "as drawn")]
    assert found[0] is runs.studio.runs.present
    word = listed.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert word == "Run 2, L1 = 140 mm, shown"


def test_a_tick_compares_and_states_the_difference(runs):
    panel, pane = runs.docks.runs, runs.docks.plots[0]
    before = panel.list.viewport().grab(row(runs, 1)).toImage()
    # the run before is shown in grey, and its box says so
    word = lambda: panel.list.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "in grey below" in word() and "one more hides it" in panel.list.item(1).toolTip()
    click_tick(runs, 1)
    first = runs.studio.runs.kept.runs[0]
    assert first.ticked
    assert panel.list.viewport().grab(row(runs, 1)).toImage() != before
    turns().finish()
    pane.follow()
    assert [t.run for t in pane.area.drawn] == ["", f"kept/{first.number}"]
    # both runs of the stand-in solver move alike
    assert panel.list._row.shares == {first.number: "+0.0 %"}
    assert panel.list.item(1).toolTip() == "Run 1: as drawn\nPeak of A angle: +0.0 %"
    click_tick(runs, 1)
    assert not first.ticked and panel.list._row.shares == {}
    assert "in grey below" not in word() and runs.studio.runs.beside == []
    assert panel.list.viewport().grab(row(runs, 1)).toImage() != before


def test_keys_tick_rename_go_back_and_forget(runs, qtbot):
    listed, kept = runs.docks.runs.list, runs.studio.runs.kept
    first = kept.runs[0]
    listed.setFocus()
    listed.setCurrentRow(1)
    QTest.keyClick(listed, Qt.Key.Key_Space)
    assert first.ticked and not runs.studio.runs.playback.playing, "Space ticks here"
    QTest.keyClick(listed, Qt.Key.Key_F2)
    editor = listed.findChild(QtWidgets.QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "Textbook")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: first.name == "Textbook")
    assert runs.studio.runs.present is not first, "Enter ended the field and no more"
    listed.setFocus()
    listed.setCurrentRow(1)
    QTest.keyClick(listed, Qt.Key.Key_Return)
    studio = runs.studio
    assert studio.runs.present is first and studio.document.undo_label == "Back to Textbook"
    assert studio.document.project.parameters["L1"].value.text != "140 mm"
    listed.setCurrentRow(0)
    QTest.keyClick(listed, Qt.Key.Key_Delete)
    assert kept.runs == (first,)
    listed.setCurrentRow(0)
    QTest.keyClick(listed, Qt.Key.Key_Delete)
    assert kept.runs == (first,), "the run that is shown stays"


def test_the_chosen_run_says_in_what_it_differs_from_the_drawing(runs):
    panel = runs.docks.runs
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=row(runs, 1).center())
    assert panel.difference.text() == "Run 1 against the drawing now: L1 = 130 mm."
    assert panel.difference.isVisible()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=row(runs, 0).center())
    assert panel.difference.isHidden()


@pytest.mark.slow
def test_a_run_goes_on_from_the_time_cursor(solved_four_bar, qtbot):
    window = solved_four_bar
    studio = window.studio
    press(window, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: studio.runs.present is not None)
    studio.runs.playback.pause()
    whole = studio.runs.recording
    studio.runs.playback.seek(2.503)
    k = round(2.5 * 60)
    press(
        window,
        Qt.Key.Key_R,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: len(studio.runs.kept.runs) == 2)
    studio.runs.playback.pause()
    assert studio.runs.kept.runs[1].note == "Continue Run 1 from 2.5 s"
    again, poses = studio.runs.recording, whole.layout.poses
    # it has the clock of the whole story, in the bar and in the plots too
    assert np.array_equal(again.time[:60], whole.time[k : k + 60])
    playback = studio.runs.playback
    assert playback.begin == whole.time[k] <= playback.time
    assert playback.until == pytest.approx(2.5 + studio.document.project.settings.duration.value)
    assert window.time_bar.total.text() == f"/ {playback.until:g} s"
    assert studio.plots.whole == (0.0, playback.until), "the run before lies below"
    track = window.time_bar.track
    assert track.time_at(track.x_of(3.0)) == pytest.approx(3.0)
    press(window, Qt.Key.Key_Home)
    assert playback.time == playback.begin and playback.at_design
    np.testing.assert_allclose(
        np.abs(again.rows[:60, poses]), np.abs(whole.rows[k : k + 60, poses]), atol=1e-6
    )
    studio.document.undo()
    assert studio.document.undo_label == ""
    # the first run is that of the drawing again, and need not be made again
    press(window, Qt.Key.Key_Space)
    assert studio.runs.recording is whole
    studio.runs.playback.pause()
