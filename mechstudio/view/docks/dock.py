"""A dock: a head of 32 px at the normal text size with a title, and a body."""

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.help.pages import FIRST, Topic
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, IconButton, label

Qt = QtCore.Qt
HEAD = 32


class Head(QtWidgets.QFrame):
    """The head of a panel.  A dock asks its title bar for the size hint, not for a fixed height."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._folded = theme, False
        self.setObjectName("head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.resized.connect(self.updateGeometry)

    def section(self, folded: bool) -> None:
        """Take no room, for a panel whose parts have heads of their own."""
        if folded != self._folded:
            self._folded = folded
            self.setVisible(not folded)
            self.updateGeometry()

    def sizeHint(self) -> QtCore.QSize:
        if self._folded:
            return QtCore.QSize(0, 0)
        return super().sizeHint().expandedTo(QtCore.QSize(0, self._theme.dp(HEAD)))

    def minimumSizeHint(self) -> QtCore.QSize:
        if self._folded:
            return QtCore.QSize(0, 0)
        return super().minimumSizeHint().expandedTo(QtCore.QSize(0, self._theme.dp(HEAD)))


class Dock(QtWidgets.QDockWidget):
    """A dock whose head is drawn by the style sheet; `head` is its row, to which a panel adds words
    and buttons; `frame` is the whole head.  title, note: words in it.  ask: opens the manual at
    `topic`, that of its present content. corner: hides it.
    """

    def __init__(
        self,
        theme: Theme,
        key: str,
        title: str,
        put_away: Callable[[], object],
        open_help: Callable[[Topic], object],
    ) -> None:
        super().__init__(title)
        self.topic: Callable[[], Topic] = lambda: Topic(FIRST)
        self.ask = IconButton(
            theme,
            "help",
            tr("What is this? (Shift+F1)"),
            24,
            13,
            clicked=lambda: open_help(self.topic()),
        )
        tip = tr("Hide this panel (View > Panels gives it back)")
        self.corner = IconButton(theme, "close", tip, 24, 12, clicked=put_away)
        # the object name is what a saved layout refers to
        self.setObjectName(f"dock_{key}")
        self.setFeatures(QtWidgets.QDockWidget.DockWidgetFeature.DockWidgetMovable)
        self.frame = frame = Head(theme)
        self.head = QtWidgets.QHBoxLayout(frame)
        self.head.setContentsMargins(12, 0, 12, 0)
        self.head.setSpacing(5)
        self.title = Elided(title, "title")
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

    def fill(
        self, body: QtWidgets.QWidget, *extras: QtWidgets.QWidget, corner: bool = True
    ) -> None:
        """Put the body in; extras stand at the right end of the head, one that expands gets all the
        room between.  corner: whether the button that puts the dock away stands at its end.
        """
        if not any(
            w.sizePolicy().horizontalPolicy() == QtWidgets.QSizePolicy.Policy.Expanding
            for w in extras
        ):
            self.head.addStretch(1)
        for widget in extras:
            self.head.addWidget(widget)
        # what closes a panel stands last, whosever it is
        self.head.insertWidget(self.head.count() - (not corner), self.ask)
        if corner:
            self.head.addWidget(self.corner)
        self._box.addWidget(body)

    def help_topic(self) -> Topic:
        """The topic of the dock's present content."""
        return self.topic()
