"""Questions and lists as a card inside the window: no second window, nothing is blocked while it
stands.
"""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets
from shiboken6 import isValid

from mechstudio.view.theme import Theme
from mechstudio.view.widgets.access.tab_round import go_round
from mechstudio.view.widgets.widgets import row, wrapped

Qt = QtCore.Qt


class Sheet(QtWidgets.QWidget):
    """A card over a dimmed window.  Esc or a click beside it closes it; closed: it is gone."""

    closed = QtCore.Signal()

    def __init__(
        self, theme: Theme, host: QtWidgets.QWidget, width: int = 420, top: float | None = None
    ) -> None:
        """top: share of the host's height above the card; in the middle without it."""
        super().__init__(host)
        self._theme, self._host, self._top = theme, host, top
        self._before = QtWidgets.QApplication.focusWidget()
        self.card = QtWidgets.QFrame(self)
        self.card.setObjectName("sheet")
        self._width = width
        # in a small window the card's content scrolls
        content, self._area = QtWidgets.QWidget(), QtWidgets.QScrollArea()
        self._area.setWidget(content)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.box = QtWidgets.QVBoxLayout(content)
        self.box.setContentsMargins(20, 18, 20, 16)
        self.box.setSpacing(10)
        frame = QtWidgets.QVBoxLayout(self.card)
        frame.setContentsMargins(0, 0, 0, 0)
        frame.addWidget(self._area)
        host.installEventFilter(self)
        # once the style sheet has given every word its font, and whenever a word is another, the
        # card takes the height it needs
        content.installEventFilter(self)
        theme.resized.connect(self._place)

    def open(self) -> None:
        """Show over everything."""
        self.setGeometry(self._host.rect())
        self._place()
        self.show()
        self.raise_()
        # the first button or field of the card takes the keys
        first = next(
            (
                w
                for w in self.card.findChildren(QtWidgets.QWidget)
                if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isEnabled()
            ),
            self,
        )
        if not self.isAncestorOf(QtWidgets.QApplication.focusWidget() or self):
            first.setFocus()

    def _place(self) -> None:
        self.box.activate()
        # a choice of words that are longer in another language goes over no edge
        least = self.box.totalMinimumSize().width() + 2
        width = min(max(self._theme.dp(self._width), least), self.width() - 32)
        self.card.setFixedWidth(width)
        hint = (
            max(self.box.totalHeightForWidth(width - 2), self.box.totalMinimumSize().height())
            if self.box.hasHeightForWidth()
            else self.box.totalSizeHint().height()
        )
        free = self.height() - 32 - (0 if self._top is None else round(self._top * self.height()))
        height = min(max(hint + 2, self.card.minimumHeight()), free)
        y = (self.height() - height) // 2 if self._top is None else round(self._top * self.height())
        self.card.setGeometry((self.width() - self.card.width()) // 2, y, self.card.width(), height)

    def close_sheet(self) -> None:
        if self.parentWidget() is None:
            return
        self._host.removeEventFilter(self)
        self.hide()
        self.setParent(None)
        # the previous focus may be gone by now, such as a field of a dialog that chose a file
        if self._before is not None and isValid(self._before):
            self._before.setFocus()
        self.closed.emit()
        self.deleteLater()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.Resize and watched is self.parentWidget():
            self.setGeometry(self._host.rect())
            self._place()
        elif event.type() == QtCore.QEvent.Type.LayoutRequest and watched is self._area.widget():
            self._place()
        return False

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        QtGui.QPainter(self).fillRect(
            self.rect(), QtGui.QColor(8, 10, 14, 70 if self._theme.name == "light" else 120)
        )

    def focusNextPrevChild(self, next: bool) -> bool:
        return go_round(self, next)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_sheet()

    def event(self, event: QtCore.QEvent) -> bool:
        # while it stands, the keys are its own: Space must not start playing behind it
        if event.type() == QtCore.QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_sheet()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            button = self.focusWidget()
            if isinstance(button, QtWidgets.QPushButton):
                button.click()


def question(
    theme: Theme,
    host: QtWidgets.QWidget,
    title: str,
    text: str,
    choices: tuple[tuple[str, str, Callable[[], object] | None], ...],
) -> Sheet:
    """Ask.  choices: (word, look, callback); the first stands rightmost, look "strong", "" or
    "flat".
    """
    sheet = Sheet(theme, host)
    sheet.box.addWidget(wrapped(title, "title"))
    sheet.box.addWidget(wrapped(text, "two"))
    sheet.box.addSpacing(4)
    buttons = []
    for word, look, callback in choices:
        button = QtWidgets.QPushButton(word)
        button.setObjectName(look)
        button.setAccessibleName(word)

        def chosen(_=False, callback=callback) -> None:
            sheet.close_sheet()
            if callback is not None:
                callback()

        button.clicked.connect(chosen)
        buttons.append(button)
    sheet.box.addWidget(row(None, *reversed(buttons), gap=8))
    sheet.open()
    buttons[0].setFocus()
    return sheet
