"""Chinese typed by an input method, whose letters come as events and not as keys."""

import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.builder import Builder
from tests.view.hands import LENGTH, click, length_of, press, select

Qt = QtCore.Qt


def compose(field, letters, words):
    """Letters that are being composed, then the words that they become."""
    for text, commit in ((letters, ""), ("", words)):
        event = QtGui.QInputMethodEvent(text, [])
        event.setCommitString(commit)
        QtWidgets.QApplication.sendEvent(field, event)


def test_a_body_is_named_in_chinese(window, qtbot):
    select(window, "crank")
    press(window, Qt.Key.Key_F2)
    editor = None

    def editing():
        nonlocal editor
        editor = QtWidgets.QApplication.focusWidget()
        return isinstance(editor, QtWidgets.QLineEdit)

    qtbot.waitUntil(editing)
    editor.selectAll()
    compose(editor, "qu bing", "曲柄")
    assert editor.text() == "曲柄"
    QTest.keyClick(editor, Qt.Key.Key_Return)
    named = lambda: window.studio.document.project.mechanism.bodies["crank"].name
    qtbot.waitUntil(lambda: named() == "曲柄")


def test_a_formula_names_a_parameter_in_chinese(window):
    m = Builder.of(window.studio.document.project)
    m.parameter("长度", "150 mm")
    window.studio.document.commit("parameter", m.project())
    select(window, "crank")
    edit = window.docks.inspector.number(LENGTH).edit
    click(edit)
    edit.selectAll()
    compose(edit, "chang du", "长度")
    QTest.keyClicks(edit, "/2")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert length_of(window).text == "长度/2"
    assert length_of(window).value == pytest.approx(0.075)
