"""Everything that a click can do is reached by Tab, and what has the keys is seen to have them."""

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.tokens import luminance
from tests.view.access.walk import (
    CARDS,
    CONTROLS,
    luminances,
    path,
    pixels,
    places,
    ratio,
    shown,
    turn,
)

Qt = QtCore.Qt
# widgets of ours that a click acts on and Tab does not reach, with their keys
OTHERWISE = {
    "Track": "Left, Right, Home and End step; [ and ] choose the part",
    "Search": "Ctrl+K",
    "Overview": "the pane's own keys zoom and pan",
    "PaneHead": "panes are arranged by their menus",
    "PlotPane": "its area takes the keys",
    "Polygon": "only points at what the list beside it tells",
    "StepBar": "Page Up and Page Down",
    "KeyHint": "the key that stands on it",
    "End": "the table of parameters has the ends as fields",
    "KeptCard": "its field and button",
    "HelpSheet": "Alt+Left and Alt+Right",
    "Row": "each of its fields",
    "Line": "its tick",
    "Form": "its fields",
}


def handles_clicks(widget):
    """True for a widget whose own class, not Qt's, answers a button of the mouse."""
    names = ("mousePressEvent", "mouseReleaseEvent")
    return any(
        name in vars(kind)
        for kind in type(widget).__mro__
        if kind.__module__.startswith("mechstudio")
        for name in names
    )


def test_clickable_widgets_can_be_reached_by_keys(window):
    unreached = set()
    for place, root in places(window):
        covered = window.sheet is not None and root is not window.sheet and window.sheet.isVisible()
        assert not covered
        for w in shown(root):
            ours = handles_clicks(w) and not isinstance(w, CONTROLS)
            control = isinstance(w, QtWidgets.QAbstractButton | QtWidgets.QLineEdit)
            if not w.isEnabled() or not (ours or control):
                continue
            if isinstance(w, QtWidgets.QAbstractButton) and w.autoExclusive() and not w.isChecked():
                continue  # the arrows lead there from the one that is chosen
            if w.cursor().shape() == Qt.CursorShape.ArrowCursor and ours:
                continue  # it says by its cursor that a click does nothing
            if not w.focusPolicy() & Qt.FocusPolicy.TabFocus and type(w).__name__ not in OTHERWISE:
                unreached.add(f"{place}: {path(w)}")
    assert sorted(unreached) == []


def walked(window, start, most=400):
    """Widgets that Tab goes through from a widget until it comes round."""
    start.setFocus()
    turn(2)
    seen = []
    while len(seen) < most:
        QTest.keyClick(QtWidgets.QApplication.focusWidget(), Qt.Key.Key_Tab)
        now = QtWidgets.QApplication.focusWidget()
        if seen and now is seen[-1] and isinstance(now, QtWidgets.QTextBrowser):
            most += 1  # from link to link
            continue
        if now in seen:
            return seen
        seen.append(now)
    raise AssertionError("Tab does not come round")


def test_tab_goes_through_the_window_and_comes_round(window):
    seen = walked(window, window.viewport)
    assert {window.time_bar.play, window.docks.tree, window.status.energy} <= set(seen)
    reached = {type(w).__name__ for w in seen}
    assert {"IconButton", "Slider", "Viewport"} <= reached and len(seen) > 40


@pytest.mark.thinned(4)
@pytest.mark.parametrize("card", [c for c in CARDS if c not in ("shortcuts", "palette")])
def test_tab_stays_in_a_card(window, card):
    window.actions_.by_id[card].trigger()
    turn()
    sheet = window.sheet
    first = QtWidgets.QApplication.focusWidget()
    assert sheet.isAncestorOf(first)
    seen = walked(window, first)
    assert all(sheet.isAncestorOf(w) for w in seen), [
        path(w) for w in seen if not sheet.isAncestorOf(w)
    ][:3]
    can = {
        w
        for w in shown(sheet)
        if isinstance(w, QtWidgets.QAbstractButton)
        and w.isEnabled()
        and w.focusPolicy() & Qt.FocusPolicy.TabFocus
    }
    # of buttons of which one is chosen the arrows lead to the others
    assert {w for w in can if not w.autoExclusive()} <= set(seen)
    sheet.close_sheet()


@pytest.mark.thinned(2)
@pytest.mark.parametrize("look", ["light", "dark"])
def test_focus_ring_is_visible_around_each_focused_widget(window, look):
    window.theme.set_choice(look)
    turn()
    for w in walked(window, window.viewport)[:60]:
        if w is None or w.visibleRegion().isEmpty():
            continue
        ring = window.ring
        window.ring.lead()
        window.viewport.setFocus()
        window.ring.lead()
        w.setFocus(Qt.FocusReason.TabFocusReason)
        turn(1)
        if QtWidgets.QApplication.focusWidget() is not w or w is window.viewport:
            continue
        assert ring.around is w, path(w)
        room = ring.geometry()
        with_ring = pixels(window.grab(room).toImage())
        ring.hide()
        without = pixels(window.grab(room).toImage())
        changed = np.abs(with_ring - without).sum(-1) > 40
        assert changed.sum() > 1.2 * (room.width() + room.height()), path(w)
        # the line stands out from its surroundings
        accent = luminance(window.theme["accent"])
        beside = np.median(luminances(without)[changed])
        assert ratio(accent, beside) >= 3.0, path(w)
    window.theme.set_choice("light")


def test_a_click_shows_no_ring(window):
    button = window.docks.by_key["model"].corner
    window.ring.lead()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    turn(1)
    assert window.ring.around is button
    QTest.mouseClick(window.viewport, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(5, 300))
    window.docks.tree.setFocus(Qt.FocusReason.MouseFocusReason)
    turn(1)
    assert window.ring.around is None


def test_legend_and_values_are_led_by_keys(window):
    window.set_workspace("analyse")
    turn()
    pane = next(p for p in window.docks.plots if len(p.pane.curves) > 1)
    legend = pane.legend
    legend.setFocus()
    hidden = set(pane.hidden)
    QTest.keyClick(legend, Qt.Key.Key_Right)
    QTest.keyClick(legend, Qt.Key.Key_Return)
    assert pane.hidden ^ hidden == {legend.entries[0].key}
    QTest.keyClick(legend, Qt.Key.Key_Return)
    assert pane.hidden == hidden
    value = window.docks.controls.values["L1"]
    value.setFocus()
    QTest.keyClick(value, Qt.Key.Key_Return)
    assert value.number is not None and value.number.edit.hasFocus()
    QTest.keyClick(value.number.edit, Qt.Key.Key_Escape)
    window.set_workspace("build")
