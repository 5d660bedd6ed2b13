"""Panels are put away and come back as they were: all by F11, one by the corner of its head."""

import pytest
from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.view.actions.panels import PANELS
from tests.view.hands import click, press

Qt = QtCore.Qt


def places(window):
    """Places of the panels in sight, and of the view."""
    window.docks.fold_changed.emit()
    QTest.qWait(50)
    shown = {k: d.geometry().getRect() for k, d in window.docks.by_key.items() if d.isVisible()}
    return shown | {"view": window.viewport.geometry().getRect()}


@pytest.mark.parametrize("workspace", ["build", "analyse", "explain"])
def test_all_panels_go_and_come_back_exactly(window, workspace):
    window.set_workspace(workspace)
    # sizes that somebody has pulled
    window.resizeDocks([window.docks.by_key["controls"]], [333], Qt.Orientation.Horizontal)
    before = places(window)
    press(window, Qt.Key.Key_F11)
    assert set(places(window)) == {"view"} and window.viewport.width() == window.width()
    assert window.reminder.isVisible() and "F11" in window.reminder.text()
    assert window.time_bar.isVisible() and window.status.isVisible()
    press(window, Qt.Key.Key_F11)
    assert places(window) == before


def test_panels_that_come_back_to_a_window_of_another_size_are_arranged_again(window):
    press(window, Qt.Key.Key_F11)
    window.resize(1100, 740)
    press(window, Qt.Key.Key_F11)
    after = places(window)
    window.set_workspace("build")
    assert places(window) == after and "model" in after


def test_the_first_run_does_not_bring_panels_back(window):
    press(window, Qt.Key.Key_F11)
    window.docks.open_low()
    window.docks.show_controls(3)
    assert set(places(window)) == {"view"}
    press(window, Qt.Key.Key_F11)
    assert "plots" in places(window)


def test_a_dock_goes_by_its_corner_and_comes_back_by_the_menu(window):
    before = places(window)
    for key in ("model", "doctor", "inspector", "equations"):
        click(window.docks.by_key[key].corner)
        assert set(before) - set(places(window)) == {key}
        # nothing of a workspace gives it back by itself
        window.docks.arrange(window.workspace)
        assert key not in places(window)
        window.actions_.trigger(PANELS[key])
        assert set(places(window)) == set(before)
    assert not window.docks.hidden


def test_a_requested_page_comes_back(window):
    from mechstudio.view.docks.panels import analyses

    click(window.docks.by_key["equations"].corner)
    press(window, Qt.Key.Key_F11)
    window.docks.show_page(analyses)
    assert not window.docks.cleared and "equations" in places(window)


def test_a_double_click_on_an_empty_corner_leaves_the_scene_alone(window):
    view = window.viewport
    middle = QtCore.QPoint(view.width() // 2, view.height() // 2)
    corner = QtCore.QPoint(view.width() - 60, view.height() - 70)
    for place, alone in ((middle, False), (corner, True)):
        click(view, place)
        QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place)
        assert window.docks.cleared is alone
