"""The window under real mouse and key events, on a session in closed form: selection, status,
files.
"""

import time

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.files.project_file import load
from mechstudio.view.actions.file import open_path
from mechstudio.view.idle_tasks import turns
from mechstudio.view.panels.model_tree import ID
from tests.view.hands import click, click_in_tree, press, select, type_into

Qt = QtCore.Qt


def test_a_click_in_the_tree_selects_in_inspector_and_viewport(window):
    select(window, "coupler")
    turns().finish()
    assert window.docks.by_key["inspector"].title.text() == "coupler"
    assert window.viewport.look.selected == {"coupler"}
    click_in_tree(window, "A", Qt.KeyboardModifier.ControlModifier)
    assert window.studio.selection.selected == ("coupler", "A")


def test_a_click_in_the_viewport_selects_in_the_tree(window, qtbot):
    view = window.viewport
    center = np.array(
        [[*window.studio.document.project.mechanism.bodies["coupler"].placement.pose[0]]]
    ) + np.array([[0.15, 0.0, 0.09]])
    x, y = view.framing.world_to_pixel(center)[0]
    click(view, QtCore.QPoint(round(x), round(y)))
    assert window.studio.selection.current == "coupler"
    assert [i.data(0, ID) for i in window.docks.tree.selectedItems()] == ["coupler"]
    click(view, QtCore.QPoint(view.width() // 2, view.height() - 6))
    assert window.studio.selection.selected == ()


def test_hovering_in_the_tree_marks_the_body_in_the_viewport(window, qtbot):
    item = next(i for i in window.docks.tree.findItems("rocker", Qt.MatchFlag.MatchRecursive))
    QTest.mouseMove(window.docks.tree.viewport(), window.docks.tree.visualItemRect(item).center())
    qtbot.waitUntil(lambda: window.viewport.look.hovered == "rocker")
    QTest.mouseMove(window.status)
    qtbot.waitUntil(lambda: window.studio.selection.hovered == "")


def test_the_status_line_is_a_dash_while_unknown_and_neutral_about_redundancy(window):
    assert [
        p.text() for p in (window.status.mobility, window.status.hyperstatic, window.status.loops)
    ] == ["Mobility 1", "Hyperstatic 3", "Loops 1"]
    assert not window.status.hyperstatic.property("kind")
    window.studio.questions.session.analysis = None
    window.studio.questions.analysed.emit()
    assert (
        window.status.mobility.text() == "Mobility –"
        and window.status.hyperstatic.text() == "Hyperstatic –"
    )


def test_preparing_is_shown_with_its_progress(window):
    window.studio.questions.session.set_status(
        "preparing", 0.4, "Preparing the solver, first run only, 40 %"
    )
    assert (
        window.status.preparing.text() == "Preparing the solver, first run only, 40 %"
        and window.status.preparing.isVisible()
    )
    # what to do next is said all the same
    assert (
        "L draws a link" in window.status.hint.text() and window.status.preparing.window() is window
    )
    assert window.status.progress.isVisible() and window.status.progress.value() == 40


def test_a_silent_solver_asks_to_wait_or_stop(window):
    session = window.studio.questions.session
    for word, call in (("Wait", "keep_waiting"), ("Stop", "stop_worker")):
        session.set_status("silent", 0.0, "The solver is not answering: wait or stop.")
        banner = window.banners.shown[-1]
        assert banner.text.text() == "The solver is not answering: wait or stop."
        click(next(b for b in banner.findChildren(QtWidgets.QPushButton) if b.text() == word))
        assert session.calls[-1] == call
    session.set_status("ready", 1.0, "")
    assert not window.banners.shown


def test_a_lost_solver_is_reported_and_can_be_dismissed(window):
    window.studio.questions.session.set_status(
        "lost", 0.0, "The solver was lost and is started again; the recording is kept."
    )
    banner = window.banners.shown[-1]
    assert "kept" in banner.text.text()
    click(banner.findChildren(QtWidgets.QToolButton)[0])
    assert not window.banners.shown


def test_a_finding_selects_its_element(window):
    card = window.docks.doctor.findChild(QtWidgets.QFrame, "card")
    click(card)
    assert window.studio.selection.current == "C"


def test_saved_is_said_of_a_save_alone(window, monkeypatch):
    """An element that is deleted and comes back by undo is as in the file; nothing was saved."""
    assert window.status.saved.text() == "As in the file"
    select(window, "crank")
    press(window, Qt.Key.Key_Delete)
    assert window.status.saved.text() == "Not saved"
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.status.saved.text() == "As in the file"
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert window.status.saved.text() == "Saved"
    saved = window.studio.document.saved_at
    monkeypatch.setattr(time, "monotonic", lambda: saved + 125.0)
    select(window, "crank")
    press(window, Qt.Key.Key_Delete)
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.status.saved.text() == "Saved 2 min ago"


def test_saved_and_opened_again_it_is_the_same(window, four_bar, qtbot):
    select(window, "crank")
    type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "width")), "48 mm")
    camera = window.viewport.framing.camera
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert not window.studio.document.is_modified and window.status.saved.text() == "Saved"
    project = window.studio.document.project
    assert load(four_bar).project == project
    window.studio.files.new()
    assert window.studio.files.open(four_bar)
    assert window.studio.document.project == project
    assert window.viewport.framing.camera == camera


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\x00\xff garbage", b'{"mechstudio": 1, "bodies": [{"id": 3}]}', b"[" * 100_000],
)
def test_bad_files_are_reported_in_a_sentence_and_lose_nothing(window, tmp_path, qtbot, data):
    bad = tmp_path / "bad.mech"
    bad.write_bytes(data)
    before = window.studio.document.project
    open_path(window, bad)
    qtbot.waitUntil(lambda: not window.studio.files.opening.is_reading)
    if window.studio.document.project is before:
        banner = window.banners.shown[-1]
        assert (
            banner.message.kind == "error"
            and "bad" in banner.text.text()
            and "Traceback" not in banner.text.text()
        )
    else:
        assert window.banners.shown, "what could not be read is reported"


def test_a_missing_file_is_reported(window, tmp_path, qtbot):
    open_path(window, tmp_path / "gone.mech")
    qtbot.waitUntil(lambda: not window.studio.files.opening.is_reading)
    assert "gone.mech" in window.banners.shown[-1].text.text()


def test_a_drawing_that_is_changed_while_a_file_is_read_stays(window, four_bar, qtbot):
    open_path(window, four_bar)
    assert window.studio.files.opening.is_reading
    change(window)
    kept = window.studio.document.project
    qtbot.waitUntil(lambda: not window.studio.files.opening.is_reading)
    assert window.studio.document.project is kept
    assert "was not opened" in window.banners.shown[-1].text.text()


def change(window):
    select(window, "crank")
    type_into(window.docks.inspector.number(("shapes", 0, "dimensions", "width")), "48 mm")
    assert window.studio.document.is_modified


def choose(window, word):
    button = next(b for b in window.sheet.findChildren(QtWidgets.QPushButton) if b.text() == word)
    click(button)


def test_unsaved_changes_are_offered_to_save_before_another_document(window):
    change(window)
    press(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    choose(window, "Cancel")
    assert window.studio.document.is_modified
    press(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    choose(window, "Don't save")
    assert not window.studio.document.project.mechanism.bodies


def test_closing_asks_and_saves(make_window, four_bar):
    window = make_window(four_bar)
    change(window)
    window.close()
    assert window.isVisible()
    choose(window, "Cancel")
    window.close()
    choose(window, "Save")
    assert not window.isVisible()
    assert (
        load(four_bar).project.mechanism.bodies["crank"].shapes[0].dimensions["width"].text
        == "48 mm"
    )


def test_escape_closes_a_question(window):
    change(window)
    window.close()
    sheet = window.sheet
    press(window, Qt.Key.Key_Escape)
    assert not sheet.isVisible() and window.isVisible() and window.studio.document.is_modified


def test_space_does_not_play_behind_a_sheet(window):
    window.actions_.trigger("preferences")
    press(window, Qt.Key.Key_Space)
    assert not window.studio.runs.playback.playing


def test_save_as_writes_where_the_user_says(window, tmp_path, qtbot):
    press(
        window,
        Qt.Key.Key_S,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    dialog = window.findChild(QtWidgets.QFileDialog)
    target = tmp_path / "copy"
    dialog.selectFile(str(target))
    dialog.accept()
    assert load(tmp_path / "copy.mech").project == window.studio.document.project
    assert window.windowTitle() == "copy.mech[*]"
