"""Routing of keys while a text field has the focus: to the field or to the window's shortcuts."""

from PySide6 import QtCore, QtGui

Qt = QtCore.Qt

# reasons of a focus that no click into the text has given
BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.OtherFocusReason,
)


def is_pressed(event: QtCore.QEvent, key: Qt.Key) -> bool:
    """True if an event is the press of a key."""
    pressed = event.type() == QtCore.QEvent.Type.KeyPress
    return pressed and isinstance(event, QtGui.QKeyEvent) and event.key() == key


class FieldKeys:
    """Of one field.  A field with typed text restores itself at Escape and undoes its own typing;
    otherwise these keys are the window's.

    Before the first key in a field that got the focus without a click, and after Enter or Escape,
    nothing is being typed: Space plays, until another key or a click goes on with the text.
    """

    def __init__(self) -> None:
        self._at_rest = False  # whether nothing is being typed

    def entered(self) -> None:
        """Enter has been pressed."""
        self._at_rest = True

    def takes(self, event: QtCore.QEvent, dirty: bool) -> bool:
        """Give every event of the field here first; returns whether the field must not see it."""
        kind = event.type()
        if kind == QtCore.QEvent.Type.MouseButtonPress:
            self._at_rest = False
        elif kind == QtCore.QEvent.Type.FocusIn:
            assert isinstance(event, QtGui.QFocusEvent)
            self._at_rest = event.reason() in BY_KEYS
        elif kind == QtCore.QEvent.Type.ShortcutOverride:
            assert isinstance(event, QtGui.QKeyEvent)
            if self._at_rest and event.key() == Qt.Key.Key_Space:
                event.ignore()
                return True
            self._at_rest = event.key() == Qt.Key.Key_Escape
            return self._override(event, dirty)
        # where nothing can be played, Space does nothing
        return self._at_rest and is_pressed(event, Qt.Key.Key_Space)

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
