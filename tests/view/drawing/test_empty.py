"""The empty window invites: large view, one line in place of plots, ways to begin at the heads."""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.actions.edits import parameters
from mechstudio.application.scene.solids.shapes import detail
from mechstudio.view.docks import docks as bottom_row
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


@pytest.mark.slow
@pytest.mark.parametrize("reduced", [False, True])
def test_the_row_comes_in_a_moment_and_at_once_with_reduced_motion(
    make_window, qtbot, monkeypatch, reduced
):
    # long enough that a busy machine shows something between
    monkeypatch.setattr(bottom_row, "GROW_MS", 800)
    window = make_window(folded=True)
    window.studio.preferences.set(reduced_motion=reduced)
    plots = window.docks.by_key["plots"]
    shares = []
    grown = window.docks.arrange
    window.docks.arrange = lambda key: (grown(key), shares.append(window.docks._opened))
    QTest.mouseClick(window.fold.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: plots.height() > 0.2 * 800)
    qtbot.waitUntil(lambda: shares[-1] == 1.0)
    between = [s for s in shares if 0.0 < s < 1.0]
    assert not between if reduced else shares[0] == 0.0 and between
    assert between == sorted(between)


@pytest.mark.slow
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


@pytest.mark.slow
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


def chosen_slider(window, qtbot, words):
    """Choose an entry of the menu below the plus at the head of the controls."""
    dock, controls = window.docks.by_key["controls"], window.docks.controls
    plus = next(
        b for b in dock.frame.findChildren(QtWidgets.QToolButton) if "slider" in b.toolTip()
    )
    qtbot.waitUntil(plus.isVisible)
    QTest.mouseClick(plus, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(controls.menu.isVisible)
    entry = next(a for a in controls.menu.actions() if a.text() == words)
    place = controls.menu.actionGeometry(entry).center()
    QTest.mouseClick(
        controls.menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )
    qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)


def test_a_slider_is_made_of_a_speed_of_gravity_and_again(make_window, qtbot):
    window = make_window()
    studio, sliders = window.studio, lambda: window.docks.controls.sliders
    m = ms.Builder("Crank")
    crank = m.link("crank", (0, 0, 0), (0.1, 0, 0))
    pin = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.drive("motor", pin, speed="30 rpm")
    studio.files.show(m.project(), None, None)
    assert not sliders()
    chosen_slider(window, qtbot, "Angular velocity of motor")
    (drive,) = studio.document.project.mechanism.drives.values()
    speed = drive.law.parameters["value"]
    assert speed.text == "omega1" and speed.value == pytest.approx(math.pi, rel=1e-15)
    assert studio.document.project.parameters["omega1"].value.text == "30 rpm"
    chosen_slider(window, qtbot, "Gravity Z")
    assert studio.document.project.mechanism.gravity[2].text == "g1"
    assert studio.document.project.mechanism.gravity[2].value == -9.81
    chosen_slider(window, qtbot, "New parameter")
    assert list(sliders()) == ["omega1", "g1", "L1"]
    for _ in range(2):  # each is one step to undo; a new parameter is made, then put there
        window.actions_.trigger("undo")
    assert list(sliders()) == ["omega1", "g1"]
    window.actions_.trigger("undo")
    assert studio.document.project.mechanism.gravity[2].text != "g1"
    # its parameter is left, for a slider that is removed and requested again
    parameters.set_slider(studio, "omega1", False)
    assert not sliders()
    chosen_slider(window, qtbot, "omega1")
    assert list(sliders()) == ["omega1"]


def test_circles_of_small_drawings_are_round_where_they_fill_the_screen():
    # half a pixel from a circle of 900 pixels
    for count, most in ((1, 0.5), (20, 1.5)):
        segments = detail(count).turn
        assert 900 * (1 - np.cos(np.pi / segments)) < most
