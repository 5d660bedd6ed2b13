"""A docked panel: a head of 32 px with a title, and a body."""

from PySide6 import QtCore, QtGui, QtWidgets

from ..pieces import label

Qt = QtCore.Qt
HEAD = 32


class Panel(QtWidgets.QDockWidget):
    """A dock whose head is drawn by the style sheet; `head` is its row, to which a panel adds words and buttons."""

    def __init__(self, key: str, title: str) -> None:
        super().__init__(title)
        # the object name is what a saved layout refers to
        self.setObjectName(f"dock_{key}")
        self.setFeatures(QtWidgets.QDockWidget.DockWidgetFeature.DockWidgetMovable)
        frame = QtWidgets.QFrame()
        frame.setObjectName("head")
        frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.head = QtWidgets.QHBoxLayout(frame)
        self.head.setContentsMargins(12, 0, 12, 0)
        self.head.setSpacing(5)
        # a dock asks its title bar for the size hint, not for a fixed height
        self.head.addStrut(HEAD)
        self.title = label(title, "title")
        self.title.setMinimumWidth(0)
        self.head.addWidget(self.title)
        self.note = label("", "small")
        self.head.addWidget(self.note)
        self.setTitleBarWidget(frame)
        holder = QtWidgets.QFrame()
        holder.setObjectName("panel")
        holder.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._box = QtWidgets.QVBoxLayout(holder)
        self._box.setContentsMargins(0, 0, 0, 0)
        self.setWidget(holder)

    def fill(self, body: QtWidgets.QWidget, *extras: QtWidgets.QWidget) -> None:
        """Put the body in; extras stand at the right end of the head, one that expands gets all the room between."""
        if not any(w.sizePolicy().horizontalPolicy() == QtWidgets.QSizePolicy.Policy.Expanding for w in extras):
            self.head.addStretch(1)
        for widget in extras:
            self.head.addWidget(widget)
        self._box.addWidget(body)


class Scroll(QtWidgets.QScrollArea):
    """A body that scrolls up and down and never sideways."""

    def __init__(self, content: QtWidgets.QWidget) -> None:
        super().__init__()
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        # the content gets the width there is, whatever it would like
        self.widget().setFixedWidth(self.viewport().width())
        super().resizeEvent(event)
