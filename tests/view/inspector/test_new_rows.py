"""Rows that no table has, in the tree and the inspector of the window."""

from PySide6 import QtWidgets

from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.view.panels.model_rows import headings
from mechstudio.view.widgets.choice import Choice
from tests.one_row import test_hardening_spring, test_pin_in_slot
from tests.one_row.rows import HARDENING_SPRING, PIN_IN_SLOT


def rows(project):
    return {row.id: row for _, rows in headings(project) for row in rows}


def test_a_joint(window, qtbot, monkeypatch):
    monkeypatch.setitem(JOINT_TYPES, "pin_in_slot", PIN_IN_SLOT)
    studio, project = window.studio, test_pin_in_slot.scotch_yoke()
    assert rows(project)["P"].icon == "joint_pin_in_slot"
    assert not window.theme.icon("joint_pin_in_slot", "text2").isNull()
    studio.document.commit("Scotch yoke", project)
    qtbot.waitUntil(lambda: studio.questions.analysis is not None)
    studio.selection.select("P")
    shown = lambda: [c for c in window.findChildren(Choice) if c.toolTip().startswith("While")]
    qtbot.waitUntil(lambda: len(shown()) == 1)
    (choice,) = shown()
    assert choice.text() == "Pin in slot"
    assert "I pin in slot" in choice.toolTip()
    studio.document.undo()


def test_a_force(window, qtbot, monkeypatch):
    monkeypatch.setitem(FORCE_TYPES, "hardening_spring", HARDENING_SPRING)
    studio, project = window.studio, test_hardening_spring.oscillator()
    assert rows(project)["H"].icon == "tool_spring"
    studio.document.commit("Oscillator", project)
    studio.selection.select("H")
    labels = lambda: {label.text() for label in window.findChildren(QtWidgets.QLabel)}
    qtbot.waitUntil(lambda: {"Stiffness", "Growth", "Free length"} <= labels())
    studio.document.undo()
