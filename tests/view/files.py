"""Saving under a name, starting again and opening again as a person does it: keys, and a name in
the dialog.
"""

from PySide6 import QtCore, QtTest, QtWidgets

Qt = QtCore.Qt
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def named(window, qtbot, path):
    """Give the file dialog that is open a path."""
    qtbot.waitUntil(
        lambda: any(d.isVisible() for d in window.findChildren(QtWidgets.QFileDialog)),
        timeout=5_000,
    )
    dialog = next(d for d in window.findChildren(QtWidgets.QFileDialog) if d.isVisible())
    dialog.selectFile(str(path))
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible())


def kept(window, qtbot, path):
    """Save the drawing, begin a new one, open the file again; the drawing is the same."""
    studio = window.studio
    drawn = studio.document.project
    assert drawn.mechanism.bodies
    window.viewport.setFocus()
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_S, CTRL | SHIFT)
    named(window, qtbot, path)
    assert path.exists() and not studio.document.is_modified
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_N, CTRL)
    assert not studio.document.project.mechanism.bodies
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_O, CTRL)
    named(window, qtbot, path)
    qtbot.waitUntil(lambda: not studio.files.opening.is_reading)
    assert studio.document.project == drawn
