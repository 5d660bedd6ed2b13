"""The hint line, the overlay of shortcuts and the palette in the real window, by real keys."""

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest
from shiboken6 import isValid

from mechstudio.application.actions.registry import actions
from mechstudio.view.actions.help import entries, keys_here
from mechstudio.view.dialogs.palette import Entry, ranked, score
from mechstudio.view.dialogs.shortcuts import HELD, ShortcutOverlay
from tests.view.conftest import settle
from tests.view.hands import click, press, select, type_into

Qt = QtCore.Qt
CONTROL = Qt.KeyboardModifier.ControlModifier


def hint(window):
    return window.status.hint.text()


# the hint line


def test_the_hint_says_what_the_next_click_does(window):
    assert (
        hint(window)
        == "Drag a body to move the mechanism · drag empty room to turn the view · L draws a link"
    )
    window.studio.selection.hover("ground")
    assert (
        hint(window) == "The ground stays where it is: drag turns the view · click selects ground"
    )
    window.studio.selection.hover("")
    for id, words in (
        ("crank", "Drag an arrow or arc"),
        ("A", "M drives it"),
        ("L1", "Type its value"),
        ("settings", "Type a number"),
    ):
        window.studio.selection.select(id)
        assert words in hint(window)
    window.studio.selection.select("crank", "coupler")
    assert hint(window).startswith("2 selected")
    window.studio.selection.select()
    press(window, Qt.Key.Key_L)
    assert hint(window).startswith("Click the first point of a link")
    press(window, Qt.Key.Key_Escape)
    assert hint(window).startswith("Drag a body")


def test_over_a_body_the_hint_names_it(window, qapp, qtbot):
    view = window.viewport
    place = window.studio.document.project.mechanism.bodies["coupler"].placement.pose[0]
    x, y = view.framing.world_to_pixel([[place[0] + 0.15, place[1], place[2] + 0.09]])[0]
    QTest.mouseMove(view, QtCore.QPoint(round(x), round(y)))
    # the screen reports the pointer at any time
    qtbot.waitUntil(lambda: window.studio.selection.hovered == "coupler")
    settle(qapp)
    assert (
        hint(window)
        == "Drag to move the mechanism · click selects coupler · J joins what meets here"
    )


# the overlay


def overlay(window):
    sheet = window.sheet
    return (
        sheet
        if isinstance(sheet, ShortcutOverlay) and isValid(sheet) and sheet.isVisible()
        else None
    )


def words(window):
    return [w.text() for w in overlay(window).findChildren(QtWidgets.QLabel)]


def test_the_question_mark_shows_the_keys_and_esc_or_a_click_closes(window, qapp):
    select(window, "crank")
    window.studio.selection.hover("")
    window.viewport.setFocus()
    QTest.keyClicks(window.viewport, "?")
    assert overlay(window) and "With crank" in words(window) and "Ground on or off" in words(window)
    QTest.keyClick(overlay(window), Qt.Key.Key_Escape)
    assert overlay(window) is None
    QTest.keyClicks(window.viewport, "?")
    click(overlay(window).card)
    settle(qapp)
    assert overlay(window) is None


def test_f1_held_shows_the_keys_as_long_as_it_is_held(window, qapp):
    window.viewport.setFocus()
    QTest.keyPress(window.viewport, Qt.Key.Key_F1)
    shown = overlay(window)
    assert shown
    shown._since -= 2 * HELD
    QTest.keyRelease(shown, Qt.Key.Key_F1)
    assert overlay(window) is None
    # a tap leaves it open until the next one
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    shown = overlay(window)
    assert shown
    shown._since -= 2 * HELD
    QTest.keyPress(shown, Qt.Key.Key_F1)
    assert overlay(window) is None
    settle(qapp)


def test_f1_let_go_closes_however_late_the_card_came(window, qapp):
    # a busy machine shows the card when the key has been repeating for a while
    press(window, Qt.Key.Key_L)
    QTest.keyPress(window.viewport, Qt.Key.Key_F1)
    shown = overlay(window)
    repeated = lambda kind: QtGui.QKeyEvent(
        kind, Qt.Key.Key_F1, Qt.KeyboardModifier.NoModifier, "", True
    )
    for kind in (QtCore.QEvent.Type.KeyRelease, QtCore.QEvent.Type.KeyPress):
        qapp.sendEvent(shown, repeated(kind))
    assert overlay(window) is shown
    QTest.keyRelease(shown, Qt.Key.Key_F1)
    assert overlay(window) is None
    assert window.studio.tools.tool.name == "link"
    settle(qapp)


def test_a_key_closes_the_card_and_does_what_it_does(window, qapp):
    window.viewport.setFocus()
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    shown = overlay(window)
    assert shown
    QTest.keyClick(shown, Qt.Key.Key_L)
    assert overlay(window) is None and window.studio.tools.tool.name == "link"
    settle(qapp)


def test_the_tool_in_hand_comes_first_and_stays_in_hand(window):
    press(window, Qt.Key.Key_L)
    QTest.keyClicks(window.viewport, "?")
    said = words(window)
    assert said[0] == "With the link tool" and "pins the open ends to the ground" in said
    QTest.keyClick(overlay(window), Qt.Key.Key_Escape)
    assert window.studio.tools.tool.name == "link" and window.viewport.hasFocus()
    press(window, Qt.Key.Key_Escape)


def test_over_a_number_field_its_keys_come_first(window):
    select(window, "crank")
    reported = keys_here(window, window.docks.inspector.numbers[0].edit)
    assert reported[0][0] == "In a number field" and ("Shift", "ten times as far") in reported[0][1]


# the palette


def palette(window):
    press(window, Qt.Key.Key_K, CONTROL)
    return window.sheet


def found(window, query):
    sheet = window.sheet
    sheet.edit.clear()
    QTest.keyClicks(sheet.edit, query)
    return sheet.found


def test_every_action_is_listed_and_what_cannot_be_done_stands_last_with_the_reason(window):
    window.studio.preferences.set(found=())
    listed = entries(window)
    assert {a.id for a in actions()} - {e.key for e in listed} == {"palette"}
    order = [e.rank for e in ranked("", listed, [])]
    assert order == sorted(order) and any(order)
    window.studio.files.new()
    by_key = {e.key: e for e in entries(window)}
    assert (
        by_key["couple_gear"].why == "There is no joint yet: two are needed."
        and by_key["undo"].why == "There is nothing to undo"
    )
    palette(window)
    assert found(window, "gear pair")[0].key == "couple_gear"
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    assert window.sheet.isVisible() and "couple_gear" not in window.studio.preferences.stored.found
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Escape)


def test_an_objects_entry_selects_and_frames_it(window):
    window.studio.preferences.set(reduced_motion=True)
    window.viewport.framing.fit()
    before = window.viewport.framing.camera
    palette(window)
    assert found(window, "rocker")[0].note == "Body"
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    assert window.studio.selection.selected == ("rocker",)
    after = window.viewport.framing.camera
    assert after.distance < before.distance and after.target != before.target
    window.viewport.framing.fit()
    window.studio.selection.select("A")
    window.viewport.setFocus()
    QTest.keyClick(window.viewport, Qt.Key.Key_Period, Qt.KeyboardModifier.KeypadModifier)
    assert window.viewport.framing.camera.distance < before.distance


def test_parameters_settings_and_samples_are_found(window, qapp):
    palette(window)
    assert found(window, "L1")[0].key == "parameter L1"
    assert found(window, "inch")[0].key in ("setting units", "preferences")
    assert found(window, "slider cr")[0].note == "Sample"
    found(window, "motion prefer")
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    settle(qapp)
    assert window.sheet.motion.isAncestorOf(window.focusWidget())
    window.sheet.close_sheet()


@pytest.mark.parametrize(
    ("query", "text", "answers"),
    [
        ("sc", "Slider crank", True),
        ("crnk", "Slider crank", True),
        ("sildre", "Slider crank", False),
        ("slidre", "Slider crank", True),
        ("xyz", "Slider crank", False),
        ("crank slider", "Slider crank", True),
    ],
)
def test_words_are_found_by_beginnings_initials_letters_and_with_one_slip(query, text, answers):
    assert (score(query, Entry("k", text, "", lambda: None)) is not None) is answers


def test_palette_lists_the_last_used_action_first_after_a_restart(window):
    window.studio.preferences.set(found=())
    palette(window)
    found(window, "labels")
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    palette(window)
    assert window.sheet.found[0].key == "labels"
    assert window.studio.preferences.stored.found == ("labels",)
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Escape)


def test_typing_in_a_field_shows_no_overlay(window):
    select(window, "crank")
    field = window.docks.inspector.numbers[0]
    type_into(field, "1?", key=None)
    assert overlay(window) is None and "?" in field.edit.text()
    QTest.keyClick(field.edit, Qt.Key.Key_Escape)
    assert isinstance(window.actions_.by_id["shortcuts"], QtGui.QAction)


def test_the_tip_of_a_pill_covers_no_pill(window, qtbot):
    status = window.status
    pill = status.mobility
    at = pill.rect().center()
    QtWidgets.QApplication.sendEvent(
        pill, QtGui.QHelpEvent(QtCore.QEvent.Type.ToolTip, at, pill.mapToGlobal(at))
    )
    qtbot.waitUntil(QtWidgets.QToolTip.isVisible)
    tip = next(
        w
        for w in QtWidgets.QApplication.topLevelWidgets()
        if w.inherits("QTipLabel") and w.isVisible()
    )
    try:
        assert "Freedoms of the mechanism" in QtWidgets.QToolTip.text()
        # above the line, and near it
        line = status.mapToGlobal(QtCore.QPoint(0, 0)).y()
        assert line - 40 < tip.geometry().bottom() < pill.mapToGlobal(QtCore.QPoint(0, 0)).y()
        assert tip.width() < 400
    finally:
        QtWidgets.QToolTip.hideText()
