"""Scroll area of panels."""

from PySide6 import QtCore, QtGui, QtWidgets

Qt = QtCore.Qt


class Scroll(QtWidgets.QScrollArea):
    """A body that scrolls up and down and never sideways."""

    def __init__(self, content: QtWidgets.QWidget) -> None:
        super().__init__()
        self._content = content
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # the content gets the width there is, whatever it would like
        self._content.setFixedWidth(self.viewport().width())
        super().resizeEvent(event)
