"""Routing of keys while a text field has the focus: to the field or to the window's shortcuts."""

from PySide6 import QtCore, QtGui

Qt = QtCore.Qt


def is_pressed(event: QtCore.QEvent, key: Qt.Key) -> bool:
    """True if an event is the press of a key."""
    pressed = event.type() == QtCore.QEvent.Type.KeyPress
    return pressed and isinstance(event, QtGui.QKeyEvent) and event.key() == key


class FieldKeys:
    """Of one field.  A field with typed text restores itself at Escape and undoes its own typing;
    otherwise these keys are the window's.

    After Enter or Escape the field has done its work: Space plays, until another key or a click
    goes on with the text.
    """

    def __init__(self) -> None:
        self._entered = False  # whether Enter or Escape was the last key

    def entered(self) -> None:
        """Enter has been pressed."""
        self._entered = True

    def takes(self, event: QtCore.QEvent, dirty: bool) -> bool:
        """Give every event of the field here first; returns whether the field must not see it."""
        kind = event.type()
        if kind in (QtCore.QEvent.Type.MouseButtonPress, QtCore.QEvent.Type.FocusIn):
            self._entered = False
        elif kind == QtCore.QEvent.Type.ShortcutOverride:
            assert isinstance(event, QtGui.QKeyEvent)
            if self._entered and event.key() == Qt.Key.Key_Space:
                event.ignore()
                return True
            self._entered = event.key() == Qt.Key.Key_Escape
            return self._override(event, dirty)
        # where nothing can be played, Space does nothing
        return self._entered and is_pressed(event, Qt.Key.Key_Space)

    @staticmethod
    def _override(event: QtGui.QKeyEvent, dirty: bool) -> bool:
        if event.key() == Qt.Key.Key_Escape and dirty:
            event.accept()
            return True
        if not dirty and (
            event.matches(QtGui.QKeySequence.StandardKey.Undo)
            or event.matches(QtGui.QKeySequence.StandardKey.Redo)
        ):
            event.ignore()
            return True
        return False
