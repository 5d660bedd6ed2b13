"""Words and marks stand out from their ground as they are really painted (WCAG 2.1: text 4.5, marks
3.0), in both themes.
"""

import re

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.bars.status_line import Pill
from mechstudio.view.widgets.widgets import throw_away
from tests.view.access.walk import luminances, path, pixels, places, ratio, shown, turn

Qt = QtCore.Qt
TEXT, LARGE, MARK = 4.5, 3.0, 3.0
LARGE_PX = 24  # px from which letters are large, 18.66 where they are bold
# thin strokes are mixed with their ground: the darkest pixel of a letter is no darker than its ink
SMEAR = 0.93


def measured(picture) -> float:
    """Contrast of the ink of a picture, its pixel farthest from the ground, which is most of it."""
    lum = np.round(luminances(pixels(picture)), 4)
    values, counts = np.unique(lum, return_counts=True)
    return float(ratio(values, values[np.argmax(counts)]).max())


def place_of(window, widget) -> QtCore.QRect:
    """Room of a widget in the window, as far as it is seen."""
    seen = widget.visibleRegion().boundingRect()
    return QtCore.QRect(widget.mapTo(window, seen.topLeft()), seen.size())


def of_widget(window, widget) -> float:
    return measured(window.grab(place_of(window, widget)).toImage())


def words_of(widget) -> str:
    if isinstance(widget, QtWidgets.QLabel):
        return widget.text() if widget.pixmap().isNull() else ""
    if isinstance(widget, QtWidgets.QAbstractButton):
        return widget.text()
    if isinstance(widget, QtWidgets.QLineEdit):
        return widget.text() or widget.placeholderText()
    return ""


@pytest.mark.thinned(2)
@pytest.mark.parametrize("look", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_words_stand_out_from_their_ground(window, look):
    window.theme.set_choice(look)
    turn()
    faint, count = set(), 0
    for place, root in places(window):
        # marks of a single stroke are thinner than a pixel
        seen = [w for w in shown(root) if re.search(r"\w", words_of(w)) and w.height() > 8]
        # one picture for all words
        picture = window.grab().toImage()
        assert picture.size() == window.size()
        for w in seen:
            if w.visibleRegion().boundingRect().height() < 0.8 * w.height():
                continue
            count += 1
            large = w.fontInfo().pixelSize() >= LARGE_PX
            found = measured(picture.copy(place_of(window, w)))
            if found < (LARGE if large else TEXT) * SMEAR:
                faint.add(f"{place}: {found:.2f} {words_of(w)!r} {path(w)}")
    window.theme.set_choice("light")
    assert count > 300
    assert sorted(faint) == [], "\n".join(sorted(faint))


@pytest.mark.parametrize("look", ["light", "dark"])
def test_painted_texts_and_icons_have_enough_contrast(window, qtbot, look):
    """Rows of the tree, chosen or not, numbers of axes, curves, the track and icons."""
    window.theme.set_choice(look)
    window.set_workspace("analyse")
    window.docks.open_low()
    window.studio.selection.select("crank")
    turn()
    tree = window.docks.tree
    for item in tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive):
        room = tree.visualItemRect(item)
        if room.height() and tree.viewport().rect().contains(room):
            room.setLeft(room.left() + 2 * window.theme.dp(16))
            room.moveTopLeft(tree.viewport().mapTo(window, room.topLeft()))
            assert measured(window.grab(room).toImage()) >= TEXT * SMEAR, item.text(0)
    pane = window.docks.plots[0]
    qtbot.waitUntil(lambda: pane.area is not None)
    below = QtCore.QRect(30, pane.area.height() - 16, pane.area.width() - 40, 14)
    assert measured(pane.area.grab(below).toImage()) >= TEXT * SMEAR
    track = window.time_bar.track
    assert measured(track.grab().toImage()) >= MARK
    for button in window.strip.findChildren(QtWidgets.QToolButton):
        if button.isVisible() and button.isEnabled() and not button.icon().isNull():
            assert of_widget(window, button) >= MARK, button.accessibleName()
    window.studio.selection.select()
    window.set_workspace("build")
    window.theme.set_choice("light")


def test_a_faint_word_would_be_found(window):
    """The measure itself: ink of a known contrast is found as such."""
    for ink, reported in (("#767676", 4.54), ("#959595", 2.97), ("#000000", 21.0)):
        label = QtWidgets.QLabel("Hyperstatic 3")
        label.setStyleSheet(f"color: {ink}; background: #FFFFFF;")
        label.setFont(QtGui.QFont("Inter", 10))
        assert SMEAR * reported <= measured(label.grab().toImage()) <= reported + 0.05


@pytest.mark.thinned(2)
@pytest.mark.parametrize("look", ["light", "dark"])
def test_an_empty_box_is_seen(window, look):
    window.theme.set_choice(look)
    for kind in (QtWidgets.QCheckBox, QtWidgets.QRadioButton):
        box = kind(window.docks.by_key["inspector"].widget())
        box.setGeometry(4, 4, 20, 20)
        box.show()
        box.raise_()
        turn()
        assert of_widget(window, box) >= MARK, kind.__name__
        throw_away(box)
    window.theme.set_choice("light")


def test_no_pill_speaks_by_its_colour_alone(window):
    for kind in ("ok", "warn", "error"):
        pill = Pill(window.theme, "tip")
        pill.show_text("Energy 3 %", kind)
        assert not pill._mark.isHidden() and pill._mark._is[0] == kind
        pill.show_text("Energy 3 %")
        assert pill._mark.isHidden()
        throw_away(pill)
