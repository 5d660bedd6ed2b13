"""Slider that keeps its keys."""

from PySide6 import QtCore, QtGui, QtWidgets

Qt = QtCore.Qt


KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class Slider(QtWidgets.QSlider):
    """A slider that keeps the arrow keys while it has the focus, and says its value in words.
    named: the quantity that it sets.
    """

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.named = ""

    def say(self, value: str) -> None:
        """Report the value with its unit to screen readers."""
        words = f"{self.named} {value}".strip()
        if words != self.accessibleName():
            self.setAccessibleName(words)

    def event(self, event: QtCore.QEvent) -> bool:
        if isinstance(event, QtGui.QKeyEvent) and (
            event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)
