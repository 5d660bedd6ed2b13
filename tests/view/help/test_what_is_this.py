"""Every panel, row and symbol knows its place in the manual."""

import pytest
from PySide6 import QtCore, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.help.pages import find
from mechstudio.model.types.analyses import ANALYSES
from mechstudio.view.actions.help import SETTINGS, palette
from mechstudio.view.docks.registry import docked, pages
from mechstudio.view.help.sheet import HelpSheet
from mechstudio.view.help.widget_topic import topic_at

Qt = QtCore.Qt


def requested(window):
    """The place of the manual that is open, which is closed again."""
    assert isinstance(window.sheet, HelpSheet)
    place = str(window.sheet._past[window.sheet._at][0])
    window.sheet.close_sheet()
    return place


@pytest.mark.thinned(2)
@pytest.mark.parametrize("workspace", ["build", "analyse", "explain"])
def test_every_dock_has_its_question_mark(window, workspace):
    window.set_workspace(workspace)
    window.docks.open_low()
    QtWidgets.QApplication.processEvents()
    for key, dock in window.docks.by_key.items():
        if dock.isHidden() or dock.frame.isHidden():
            continue
        assert dock.ask.isVisible(), key
        QTest.mouseClick(dock.ask, Qt.MouseButton.LeftButton)
        assert requested(window) == str(dock.topic()), key
    window.set_workspace("build")


def test_pages_have_their_own_topics(window):
    for page in pages():
        window.docks.show_page(page)
        dock = window.docks.by_key["equations"]
        assert find(dock.topic()) is not None
        assert dock.topic().page == page.topic.page, page.key
    window.docks.analyses.what = "modes" if "modes" in ANALYSES else "linearise"
    window.docks.show_page(next(p for p in pages() if p.key == "analyses"))
    assert str(window.docks.by_key["equations"].topic()) == "analyses#modes"
    window.set_workspace("build")


@pytest.mark.parametrize(
    ("element", "place"), [("A", "elements#revolute"), ("crank", "theory#2-bodies")]
)
def test_the_inspector_answers_for_what_is_selected(window, element, place):
    window.studio.selection.select(element)
    QTest.mouseClick(window.docks.by_key["inspector"].ask, Qt.MouseButton.LeftButton)
    assert requested(window) == place


def test_shift_f1_answers_for_what_has_the_keys(window, monkeypatch):
    monkeypatch.setattr(QtWidgets.QApplication, "widgetAt", lambda *place: None)
    window.docks.pages.chosen.emit("analyses")
    field = window.docks.analyses.motion
    assert str(topic_at(field)).startswith("analyses")
    window.viewport.setFocus()
    window.studio.selection.select("A")
    QTest.keyClick(window.viewport, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert requested(window) == "elements#revolute"


def test_curves_answer_for_their_quantities(window):
    assert {str(pane.help_topic()) for pane in window.docks.plots} >= {
        "quantities#joints",
        "quantities#energy",
    }


def test_every_preference_is_found_by_its_name(window):
    window.actions_.trigger("preferences")
    sheet = window.sheet
    lines = {
        label.text()
        for label in sheet.card.findChildren(QtWidgets.QLabel)
        if label.objectName() == "two" and label.text()[:1].isupper()
    }
    sheet.close_sheet()
    assert lines <= {name for name, *_ in SETTINGS}, "name it in SETTINGS"


def test_the_palette_has_no_dead_end(window):
    window.actions_.trigger(palette)
    finder = window.finder
    QTest.keyClicks(finder.edit, "gearrr pairr")
    assert "gearrr pairr" in finder.note.text() and finder.note.isVisible()
    assert "Gear pair" in [e.text for e in finder.found[:5]]
    assert finder.found[-1].key == "search help"
    finder.edit.setText("xylophone")
    assert finder.found[-1].text == "Search the help for “xylophone”"
    finder.edit.setText("restitutions")
    finder.list.setCurrentRow(len(finder.found) - 1)
    QTest.keyClick(finder.edit, Qt.Key.Key_Return)
    assert isinstance(window.sheet, HelpSheet) and window.sheet.edit.text() == "restitutions"
    window.sheet.close_sheet()


def test_all_docked_panels_are_there(window):
    assert {p.key for p in docked()} <= set(window.docks.by_key)
