"""Messages over the top of the viewport: a sentence, its buttons, a cross.  They block nothing, and
those of a success go by themselves.
"""

from PySide6 import QtCore, QtWidgets

from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, Picture, column, throw_away, wrapped

Qt = QtCore.Qt
LEFT = Qt.AlignmentFlag.AlignLeft
# share of a message's width that its buttons take at most beside the sentence
BESIDE = 0.4
PASSING_MS = 8000  # that the report of a success stays
MARKS = {"info": ("info", "text2"), "warning": ("warn", "warn"), "error": ("error", "error")}


class Banner(QtWidgets.QFrame):
    """One message."""

    def __init__(self, theme: Theme, studio: Studio, message: Message) -> None:
        super().__init__()
        self.message = message
        self.setObjectName("banner")
        self.setProperty("kind", message.kind)
        mark = Picture(theme, *MARKS[message.kind], 16, 2)
        mark.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.text = wrapped(message.text)
        self._buttons = QtWidgets.QWidget()
        row = QtWidgets.QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(9)
        for word, run in message.buttons:
            button = QtWidgets.QPushButton(word)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        close = IconButton(
            theme,
            "close",
            tr("Dismiss"),
            24,
            14,
            clicked=lambda: studio.notifications.dismiss(message),
        )
        self._box = box = QtWidgets.QGridLayout(self)
        box.setContentsMargins(12, 7, 6, 7)
        box.setSpacing(9)
        box.setColumnStretch(1, 1)
        box.addWidget(mark, 0, 0)
        box.addWidget(self.text, 0, 1)
        box.addWidget(close, 0, 3)
        self.fit(0)

    def fit(self, width: int) -> None:
        """Let the buttons stand beside the sentence, or below it where they leave it no room."""
        below = self._buttons.sizeHint().width() > BESIDE * width > 0.0
        self._box.removeWidget(self._buttons)
        self._box.addWidget(self._buttons, *((1, 1, LEFT) if below else (0, 2)))
        self._buttons.setVisible(bool(self.message.buttons))


class Banners(QtWidgets.QFrame):
    """A column of messages that its host places; sized: it needs another height."""

    sized = QtCore.Signal()

    def __init__(self, theme: Theme, studio: Studio, host: QtWidgets.QWidget) -> None:
        super().__init__(host)
        self._theme, self._studio = theme, studio
        self._box = column(self, 6)
        self._shown: list[Banner] = []
        self._passing = QtCore.QTimer(self, singleShot=True, interval=PASSING_MS)
        self._passing.timeout.connect(self._pass)
        studio.notifications.changed.connect(self.refresh)
        theme.follow(self.refresh)
        self.refresh()

    @property
    def shown(self) -> list[Banner]:
        return list(self._shown)

    def refresh(self) -> None:
        requested = self._studio.notifications.messages[-3:]
        before = [banner.message for banner in self._shown]
        if any(m.passing and not any(m is b for b in before) for m in requested):
            self._passing.start()
        for banner in self.shown:
            self._box.removeWidget(banner)
            throw_away(banner)
        self._shown = [Banner(self._theme, self._studio, message) for message in requested]
        for banner in self._shown:
            self._box.addWidget(banner)
        self.setVisible(bool(requested))
        self.sized.emit()

    def _pass(self) -> None:
        """Take away what was said long enough; not while somebody points at it or goes through its
        buttons.
        """
        held = QtWidgets.QApplication.focusWidget()
        if self.underMouse() or (held is not None and self.isAncestorOf(held)):
            self._passing.start()
            return
        for message in [m for m in self._studio.notifications.messages if m.passing]:
            self._studio.notifications.forget(message)

    def place(self, area: QtCore.QRect) -> None:
        """Stand at the top of an area, centred, no wider than 640 px at the normal text size."""
        width = min(self._theme.dp(640), area.width())
        self.setFixedWidth(max(width, 1))
        for banner in self.shown:
            banner.fit(width)
        self._box.activate()
        height = sum(
            b.heightForWidth(width) if b.hasHeightForWidth() else b.sizeHint().height()
            for b in self.shown
        ) + 6 * max(0, len(self.shown) - 1)
        self.setGeometry(area.left() + (area.width() - width) // 2, area.top(), width, height)
        self.raise_()
