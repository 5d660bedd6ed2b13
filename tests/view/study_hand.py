"""A hand at the study page."""

from PySide6 import QtCore
from PySide6.QtTest import QTest

from tests.view.hands import click, type_into

Qt = QtCore.Qt


def choose(menu, begins):
    """Choose the entry of a menu whose text begins so."""
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text().startswith(begins)).trigger()


def pick(qtbot, button, begins):
    """Open the menu of a button by the mouse, and click the entry that begins so."""
    menu, seen = button.menu(), []

    def take():
        action = next(a for a in menu.actions() if a.text().startswith(begins))
        seen.append(action.text())
        QTest.mouseClick(
            menu,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            menu.actionGeometry(action).center(),
        )

    QtCore.QTimer.singleShot(80, take)
    click(button)
    qtbot.waitUntil(lambda: bool(seen) and not menu.isVisible())
    qtbot.wait(20)


def open_study(window, qtbot):
    """Open the study page by Ctrl+K."""
    QTest.keyClick(window.viewport, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(window.sheet.edit, "study")
    QTest.keyClick(window.sheet.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.shows_study)
    return window.study


def measure(page, qtbot, words):
    """Tick a quantity in the list beside the column."""
    click(page.setup.plus_measure)
    chooser = page.setup.chooser
    QTest.keyClicks(chooser.search, words)
    QTest.keyClick(chooser.search, Qt.Key.Key_Return)
    QTest.keyClick(chooser.search, Qt.Key.Key_Escape)
    qtbot.wait(10)


def vary(page, qtbot, name, low, high, count):
    """Vary a parameter over a range."""
    choose(page.setup.plus_vary.menu(), name)
    for place, text in enumerate((low, high, count)):
        qtbot.wait(5)
        type_into(page.setup.varied[name][place], text)
    qtbot.wait(5)


def bound(page, qtbot, name, low, high):
    """Vary a parameter between bounds."""
    pick(qtbot, page.setup.plus_vary, name)
    for place, typed in enumerate((low, high)):
        type_into(page.setup.varied[name][place], typed)
        qtbot.wait(10)


def search(page, qtbot, target, duration, sample_step):
    """Set up a search from the drawing on: the range of the first measure is to be the target."""
    pick(qtbot, page.setup.measures[0]["statistic"], "range")
    pick(qtbot, page.setup.measures[0]["goal"], "target")
    type_into(page.setup.measures[0]["target"], target)
    qtbot.wait(20)
    click(page.setup.way.button("best"))
    qtbot.wait(20)
    pick(qtbot, page.setup.method, "From the drawing on")
    type_into(page.setup.duration, duration)
    qtbot.wait(20)
    type_into(page.setup.sample_step, sample_step)
    qtbot.wait(20)


def run(window, qtbot):
    """Press Run and wait for the last row."""
    page = window.study
    click(page.progress.run)
    found = window.studio.studies.of(page.shown.id)
    qtbot.waitUntil(lambda: not found.is_working, timeout=120_000)
    qtbot.wait(20)
    assert found.state == "done", found.sentence
    return found.table
