"""Slider that keeps its keys."""

from PySide6 import QtCore, QtGui, QtWidgets

Qt = QtCore.Qt


KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class Slider(QtWidgets.QSlider):
    """A slider that keeps the arrow keys while it has the focus."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QtCore.QEvent) -> bool:
        if isinstance(event, QtGui.QKeyEvent) and (
            event.type() == QtCore.QEvent.Type.ShortcutOverride and event.key() in KEYS
        ):
            event.accept()
            return True
        return super().event(event)
