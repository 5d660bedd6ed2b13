"""The empty window invites: large view, one line in place of plots, ways to begin at the heads."""

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.scene.solids.shapes import detail
from tests.view.scene.test_gauges import click, move

Qt = QtCore.Qt


def test_the_bottom_row_is_a_line_until_the_first_run(make_window, four_bar, qtbot):
    window = make_window(four_bar, (1280, 800), folded=True)
    docks, studio = window.docks, window.studio
    assert docks.is_folded and window.fold.isVisible()
    assert not docks.by_key["plots"].isVisible() and window.viewport.height() > 0.7 * 800
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording is not None)
    qtbot.waitUntil(lambda: not docks.is_folded)
    assert not window.fold.isVisible()
    qtbot.waitUntil(lambda: window.viewport.height() < 0.65 * 800)
    assert docks.by_key["plots"].isVisible()
    # it never closes by itself
    window.set_workspace("explain")
    window.set_workspace("build")
    assert docks.by_key["plots"].isVisible()


def test_the_line_opens_the_row_at_once(make_window, qtbot):
    window = make_window(folded=True)
    QTest.mouseClick(window.fold.button, Qt.MouseButton.LeftButton)
    assert window.docks.by_key["plots"].isVisible() and not window.fold.isVisible()


@pytest.mark.parametrize("text", ["3 m", "2 mm"])
def test_a_first_typed_length_fits_the_picture(make_window, qtbot, text):
    window = make_window(folded=True)
    studio, view = window.studio, window.viewport
    view.look.reduced_motion = True
    view.setFocus()
    window.actions_.trigger("draw_link")
    place = QtCore.QPoint(view.width() // 2, view.height() // 2)
    click(view, place)
    move(view, place + QtCore.QPoint(40, -30))
    QTest.keyClicks(view, text)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert len(studio.document.project.mechanism.bodies) == 1
    QTest.keyClick(view, Qt.Key.Key_Escape)
    size = np.array(view.framing.size)

    def is_seen(view=view, size=size):
        points = view.framing.world_to_pixel(view.shown.scene.points(view.shown.poses))
        low, high = points.min(axis=0), points.max(axis=0)
        inside = (low >= 0).all() and (high <= size).all()
        return inside and ((high - low) / size).max() > 0.06

    qtbot.waitUntil(is_seen)


def test_the_plus_at_the_heads_adds(make_window, four_bar, qtbot):
    window = make_window(four_bar)
    menu = window.docks.additions
    names = {a.objectName() for a in menu.actions() if a.objectName()}
    assert {"draw_link", "spring", "drive", "new_parameter"} <= names
    titles = [a.text() for a in menu.actions() if a.menu() is not None]
    assert titles == ["Body", "Joint", "Coupling"]
    link = next(a for a in menu.actions() if a.objectName() == "draw_link")
    link.trigger()
    assert window.studio.tools.tool.name == "link"
    dock = window.docks.by_key["controls"]
    count = len(window.docks.controls.sliders)
    plus = next(
        b for b in dock.frame.findChildren(QtWidgets.QToolButton) if "slider" in b.toolTip()
    )
    QTest.mouseClick(plus, Qt.MouseButton.LeftButton)
    assert len(window.docks.controls.sliders) == count + 1


def test_circles_of_small_drawings_are_round_where_they_fill_the_screen():
    # half a pixel from a circle of 900 pixels
    for count, most in ((1, 0.5), (20, 1.5)):
        segments = detail(count).turn
        assert 900 * (1 - np.cos(np.pi / segments)) < most
