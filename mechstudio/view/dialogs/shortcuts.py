"""The overlay of shortcuts: held F1 or ? shows it; what is active or under the pointer comes
first.
"""

import time

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.guidance import Group
from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import label

Qt = QtCore.Qt
HELD = 0.4  # s from which F1 counts as held: letting it go closes the overlay, a tap leaves it open
AT_ONCE = 0.05  # s within which a key is still the one that opened it
# keys that say nothing yet, and Esc, which only closes
QUIET = (
    Qt.Key.Key_Escape,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
)
WIDE = 250  # of a column [px at the normal text size]
KEY_WIDTH = 92


class ShortcutOverlay(Sheet):
    """Closes at the release of F1, at a click anywhere, or at any key, which then does what it does
    without the card.
    """

    def __init__(
        self, theme: Theme, host: QtWidgets.QWidget, here: list[Group], every: list[Group]
    ) -> None:
        columns = max(1, min(4, (host.width() - 64) // theme.dp(WIDE + 20)))
        super().__init__(theme, host, WIDE * columns + 20 * (columns - 1) + 42)
        self._since = time.monotonic()
        self._held = False  # the key repeats: reliable on a busy machine too
        self.setAccessibleName(tr("Shortcuts"))
        if here:
            self._add(here, columns, "accent_title")
            rule = QtWidgets.QFrame()
            rule.setObjectName("rule")
            rule.setFixedHeight(1)
            self.box.addWidget(rule)
        self._add(every, columns, "title")
        self.box.addWidget(
            label(tr("Any key or a click closes · hold F1 to look, let go to go on"), "three")
        )
        app = QtWidgets.QApplication.instance()
        assert app is not None
        app.installEventFilter(self)
        self.closed.connect(lambda: app.removeEventFilter(self))

    def open(self) -> None:
        super().open()
        # counted from when it can be seen
        self._since = time.monotonic()

    def _add(self, groups: list[Group], count: int, look: str) -> None:
        """Groups over columns of about the same height, in their order; a long one goes on in the
        next.
        """
        total = sum(len(rows) + 2 for _, rows in groups)
        most = max(-(-total // count), 5)
        columns: list[list[Group]] = [[]]
        filled = 0
        for title, rows in groups:
            rest, name = list(rows), title
            while rest:
                room = most - filled - 1
                if room < 3 and filled and len(columns) < count:
                    columns.append([])
                    filled, room = 0, most - 1
                take = (
                    len(rest)
                    if len(columns) == count
                    else max(1, min(len(rest), room if len(rest) > room + 2 else len(rest)))
                )
                columns[-1].append((name, rest[:take]))
                filled += take + 2
                rest, name = rest[take:], f"{title} …"
        line = QtWidgets.QHBoxLayout()
        line.setSpacing(20)
        for column in columns:
            grid = QtWidgets.QGridLayout()
            grid.setVerticalSpacing(4)
            grid.setHorizontalSpacing(10)
            grid.setColumnStretch(1, 1)
            at = 0
            for name, rows in column:
                grid.addWidget(label(name, "three" if name.endswith("…") else look), at, 0, 1, 2)
                at += 1
                for key, words in rows:
                    mark = label(key, "key")
                    grid.addWidget(
                        mark, at, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
                    )
                    said = label(words, "two")
                    said.setWordWrap(True)
                    grid.addWidget(said, at, 1)
                    at += 1
                grid.setRowMinimumHeight(at, 6)
                at += 1
            grid.setColumnMinimumWidth(0, self._theme.dp(KEY_WIDTH))
            grid.setRowStretch(at, 1)
            line.addLayout(grid, 1)
        for _ in range(count - len(columns)):
            line.addWidget(QtWidgets.QWidget(), 1)
        self.box.addLayout(line)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        kind = event.type()
        if kind in (
            QtCore.QEvent.Type.KeyRelease,
            QtCore.QEvent.Type.KeyPress,
            QtCore.QEvent.Type.ShortcutOverride,
        ) and isinstance(event, QtGui.QKeyEvent):
            if event.key() == Qt.Key.Key_F1:
                self._held |= event.isAutoRepeat() or time.monotonic() - self._since > HELD
                if (
                    kind == QtCore.QEvent.Type.KeyRelease
                    and not event.isAutoRepeat()
                    and self._held
                ):
                    self.close_sheet()
                elif kind == QtCore.QEvent.Type.ShortcutOverride:
                    event.accept()
                elif (
                    kind == QtCore.QEvent.Type.KeyPress
                    and not event.isAutoRepeat()
                    and time.monotonic() - self._since > AT_ONCE
                ):
                    self.close_sheet()
                return True
            if (
                kind == QtCore.QEvent.Type.KeyPress
                and event.text() == "?"
                and time.monotonic() - self._since > AT_ONCE
            ):
                self.close_sheet()
                return True
            if (
                kind == QtCore.QEvent.Type.ShortcutOverride
                and event.key() not in QUIET
                and event.text() != "?"
            ):
                self.close_sheet()
                # no one has taken it: it goes on as it would without the card
                event.ignore()
                return True
        if (
            kind == QtCore.QEvent.Type.MouseButtonPress
            and isinstance(watched, QtWidgets.QWidget)
            and (watched is self or self.isAncestorOf(watched))
        ):
            self.close_sheet()
            return True
        return super().eventFilter(watched, event)
