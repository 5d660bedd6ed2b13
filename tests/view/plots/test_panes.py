"""Panes are split, moved, resized, tabbed and closed by real events, each one step to undo."""

import pytest
from PySide6 import QtCore, QtTest, QtWidgets

from mechstudio.application.actions import edit
from mechstudio.application.plots.layout import layout
from mechstudio.view.idle_tasks import turns
from mechstudio.view.plots.frames import Splitter, sizes
from tests.application.plots.test_layout import plain

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(window):
    window.resize(1920, 1080)
    window.set_workspace("analyse")
    turns().finish()
    yield window.docks.plots_panel
    window.resize(1280, 800)
    window.set_workspace("build")


def now(window):
    turns().finish()
    return plain(layout(window.studio.document.project))


def carry(panel, id, target, place):
    """Drag the head of a pane over another one, to a share of its size, and release it."""
    head, pane = panel.panes[id].head, panel.panes[target]
    start = QtCore.QPoint(head.width() // 3, head.height() // 2)
    spot = QtCore.QPoint(round(place[0] * pane.width()), round(place[1] * pane.height()))
    end = head.mapFromGlobal(pane.mapToGlobal(spot))
    QtTest.QTest.mousePress(head, LEFT, pos=start)
    QtTest.QTest.mouseMove(head, start + QtCore.QPoint(20, 0))
    QtTest.QTest.mouseMove(head, end)
    assert panel._light.isVisible() and panel._light.drop.pane == target
    QtTest.QTest.mouseRelease(head, LEFT, pos=end)
    assert not panel._light.isVisible()


@pytest.mark.slow
def test_the_head_of_a_pane_is_dragged_to_a_side_of_another(window, panel):
    before = now(window)
    for place, requested in (
        ((0.5, 0.9), "([plot_1 plot_3] plot_2)"),
        ((0.5, 0.1), "([plot_3 plot_1] plot_2)"),
        ((0.05, 0.5), "(plot_3 plot_1 plot_2)"),
        ((0.95, 0.5), "(plot_1 plot_3 plot_2)"),
        ((0.5, 0.5), "({plot_1 plot_3} plot_2)"),
    ):
        carry(panel, "plot_3", "plot_1", place)
        assert now(window) == requested
        assert window.studio.document.undo_label == "Move Constraint error"
        edit.undo(window.studio)
        assert now(window) == before


def test_a_click_on_a_head_moves_nothing(window, panel):
    before = window.studio.document.project
    QtTest.QTest.mouseClick(panel.panes["plot_2"].head, LEFT, pos=QtCore.QPoint(60, 10))
    assert window.studio.document.project is before and not panel._light.isVisible()


def test_tabs_take_turns(window, panel):
    carry(panel, "plot_3", "plot_1", (0.5, 0.5))
    turns().finish()
    first, third = panel.panes["plot_1"], panel.panes["plot_3"]
    # the one that was carried has the keys and lies on top
    assert [first.isVisible(), third.isVisible()] == [False, True]
    QtTest.QTest.mouseClick(third.tabs["plot_1"], LEFT)
    assert [first.isVisible(), third.isVisible()] == [True, False]
    QtTest.QTest.mouseClick(first.tabs["plot_3"], LEFT)
    assert [first.isVisible(), third.isVisible()] == [False, True]
    assert third.tabs["plot_3"].isChecked() and not third.tabs["plot_1"].isChecked()
    QtTest.QTest.mouseClick(third.tabs["plot_1"], LEFT)
    assert first.isVisible()
    edit.undo(window.studio)
    turns().finish()
    assert first.isVisible() and third.isVisible() and first.tabs == {}


def test_a_line_between_panes_is_dragged(window, panel):
    splitter = panel.findChild(Splitter)
    before = window.studio.document.project
    handle, widths = splitter.handle(1), splitter.sizes()
    middle = handle.rect().center()
    QtTest.QTest.mousePress(handle, LEFT, pos=middle)
    for k in (20, 60, 100):
        QtTest.QTest.mouseMove(handle, middle + QtCore.QPoint(k, 0))
        middle -= QtCore.QPoint(0, 0)
    QtTest.QTest.mouseRelease(handle, LEFT, pos=middle)
    assert window.studio.document.undo_label == "Resize panes"
    assert splitter.sizes()[0] > widths[0] + 50
    shares = layout(window.studio.document.project).shares
    turns().finish()
    assert splitter.sizes()[0] / sum(splitter.sizes()) == pytest.approx(shares[0], abs=0.01)
    edit.undo(window.studio)
    turns().finish()
    assert window.studio.document.project == before
    assert splitter.sizes()[0] == pytest.approx(widths[0], abs=3)
    # a double click makes all alike
    QtTest.QTest.mouseDClick(splitter.handle(1), LEFT)
    assert max(splitter.sizes()) - min(splitter.sizes()) < 4


@pytest.mark.slow
def test_panes_can_be_added_and_closed_without_limit(window, panel):
    for _ in range(7):
        QtTest.QTest.mouseClick(panel.bar.add, LEFT)
    turns().finish()
    assert len(panel.panes) == 10 and window.width() == 1920
    empty = list(panel.panes)[-1]
    assert panel.panes[empty].empty.text().startswith("Nothing is shown here yet")
    for id in list(panel.panes)[1:]:
        panel.close_pane(id)
        turns().finish()
    panel.close_pane("plot_1")
    turns().finish()
    assert len(panel.panes) == 1, "an empty pane is left"
    for _ in range(17):
        edit.undo(window.studio)
    assert now(window) == "(plot_1 plot_2 plot_3)"


@pytest.mark.slow
def test_panes_without_room_share_one_place_as_tabs(window, panel):
    window.resize(1280, 800)
    for _ in range(5):
        panel.add()
    turns().finish()
    assert len([p for p in panel.panes.values() if p.isVisible()]) == 1
    pane = next(p for p in panel.panes.values() if p.isVisible())
    assert pane.others.isVisible() and len(pane.tabs) == 8
    window.resize(1920, 1080)
    for _ in range(5):
        edit.undo(window.studio)
    turns().finish()
    assert len([p for p in panel.panes.values() if p.isVisible()]) == 3


def test_a_click_outside_closes_the_list_and_only_one_is_open(window, panel):
    plus = [panel.panes[id].plus for id in ("plot_1", "plot_2")]
    QtTest.QTest.mouseClick(plus[0], LEFT)
    first = panel.chooser
    QtTest.QTest.mouseClick(plus[1], LEFT)
    assert panel.chooser is not first and not first.isVisible()
    QtTest.QTest.mouseClick(window.docks.tree.viewport(), LEFT, pos=QtCore.QPoint(5, 5))
    assert panel.chooser is None
    # the key of the pane that has the focus
    area = panel.panes["plot_1"].area
    area.setFocus()
    assert panel.panes["plot_1"].line.property("on") is True
    QtTest.QTest.keyClick(area, Qt.Key.Key_Insert)
    assert panel.chooser is not None and panel.chooser.search.hasFocus()
    place, pane = panel.chooser.geometry(), panel.panes["plot_1"]
    assert not place.intersects(
        QtCore.QRect(pane.mapTo(window, QtCore.QPoint(0, 0)), pane.size())
    ), "beside the pane, never over it"
    QtTest.QTest.keyClick(panel.chooser.search, Qt.Key.Key_Escape)
    assert panel.chooser is None and panel.panes["plot_1"].line.property("on") in (False, True)


def test_a_new_pane_takes_the_keys_and_asks_for_quantities(window, panel):
    """Keys go to the pane and its list, never on into the field that was edited before."""
    field = window.docks.inspector.findChild(QtWidgets.QLineEdit)
    field.setFocus()
    typed = field.text()
    QtTest.QTest.mouseClick(panel.bar.add, LEFT)
    id = list(panel.panes)[-1]
    pane, chooser = panel.panes[id], panel.chooser
    assert chooser is not None and chooser.search.hasFocus()
    assert window.studio.plots.pane == id and pane.isVisible() and not pane.pane.curves
    place = QtCore.QRect(pane.mapTo(window, QtCore.QPoint(0, 0)), pane.size())
    assert place.width() > 60 and not chooser.geometry().intersects(place)
    QtTest.QTest.keyClick(chooser.search, Qt.Key.Key_Escape)
    assert panel.chooser is None and pane.hasFocus() and pane.line.property("on") is True
    # a click on what is empty, then its key
    field.setFocus()
    assert pane.line.property("on") is False
    QtTest.QTest.mouseClick(pane.empty, LEFT)
    assert pane.hasFocus()
    QtTest.QTest.keyClick(QtWidgets.QApplication.focusWidget(), Qt.Key.Key_Insert)
    assert panel.chooser is not None and panel.chooser.search.hasFocus()
    QtTest.QTest.keyClick(panel.chooser.search, Qt.Key.Key_Escape)
    assert field.text() == typed
    # the head of a pane with curves gives the keys to them
    QtTest.QTest.mouseClick(panel.panes["plot_1"].head, LEFT, pos=QtCore.QPoint(2, 2))
    area = panel.panes["plot_1"].area
    assert area.hasFocus() and area.focusPolicy() == Qt.FocusPolicy.StrongFocus, "Tab comes here"
    edit.undo(window.studio)


def entry_of(menu, *words):
    """The entry that a path of words leads to, in menus inside the first one."""
    for word in words:
        action = next(a for a in menu.actions() if a.text().split("\t")[0] == word)
        menu = action.menu() or menu
    return action


def test_the_menu_of_a_pane_fits_follows_counts_and_removes(window, panel):
    studio = window.studio
    plots, pane = studio.plots, panel.panes["plot_1"]

    def menu():
        QtTest.QTest.mousePress(pane.head, Qt.MouseButton.RightButton)
        return panel.menu

    def choose(*words):
        opened = menu()
        entry = entry_of(opened, *words)
        assert entry.isEnabled()
        entry.trigger()
        opened.close()
        turns().finish()

    assert not entry_of(menu(), "Show the whole run").isEnabled()
    panel.menu.close()
    plots.show(1.0, 2.0)
    choose("Show the whole run")
    assert plots.stretch is None
    choose("Follow the time cursor")
    assert not plots.follow
    choose("Cursors A B")
    assert plots.a is not None and plots.statistics
    choose("Statistics")
    assert not plots.statistics
    curves = [c.label for c in pane.pane.curves]
    choose("Remove curve", curves[0])
    assert [c.label for c in pane.pane.curves] == curves[1:]
    assert studio.document.undo_label == "Remove curve"
    edit.undo(studio)
    turns().finish()
    assert [c.label for c in pane.pane.curves] == curves


@pytest.mark.parametrize(
    ("weights", "room", "expected"),
    [
        ((0.78, 0.22), 1000, [780, 220]),
        ((0.78, 0.22), 400, [280, 120]),
        ((0.5, 0.1, 0.4), 600, [270, 120, 210]),
        ((0.9, 0.1), 200, [100, 100]),
        ((1.0, 1.0), 500, [250, 250]),
        ((1.0,), 90, [90]),
    ],
)
def test_a_thin_pane_keeps_room_for_its_title(weights, room, expected):
    found = sizes(weights, room, 120)
    assert found == pytest.approx(expected, abs=6) and abs(sum(found) - room) <= 1


def test_the_head_of_a_thin_pane_is_its_title(window, panel):
    pane = panel.panes["plot_1"]
    for width, seen in ((400, True), (150, False), (400, True)):
        pane.resize(width, 200)
        assert pane.plus.isVisibleTo(pane) is seen
    pane.resize(150, 200)
    pane.head.box.activate()
    assert pane.title.width() > 60 and pane.title.text()
