"""Hands of a person at the window: clicks, keys and typed words."""

from PySide6 import QtCore
from PySide6.QtTest import QTest

from mechstudio.view.panels.model_tree import ID

Qt = QtCore.Qt
LENGTH = ("shapes", 0, "dimensions", "length")


def click(widget, point=None, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, modifier, point or widget.rect().center())


def click_in_tree(window, id, modifier=Qt.KeyboardModifier.NoModifier):
    tree = window.docks.tree
    item = next(
        i
        for i in tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        if i.data(0, ID) == id
    )
    item.parent().setExpanded(True)
    tree.scrollToItem(item)
    click(tree.viewport(), tree.visualItemRect(item).center(), modifier)


def type_into(field, text, key=Qt.Key.Key_Return):
    click(field.edit)
    field.edit.selectAll()
    QTest.keyClicks(field.edit, text)
    if key is not None:
        QTest.keyClick(field.edit, key)


def press(window, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.focusWidget() or window, key, modifier)


def select(window, id):
    click_in_tree(window, id)
    assert window.studio.selection.selected == (id,)


def length_of(window, id="crank"):
    return window.studio.document.project.mechanism.bodies[id].shapes[0].dimensions["length"]
