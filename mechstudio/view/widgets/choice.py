"""A field that offers a few words to choose from."""

from collections.abc import Callable, Iterable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.view.theme import Theme

MARGIN = 5  # before the icon or word [px at the normal text size]
ARROW = 12  # side of the arrow that distinguishes it from a text field, 6 from the right edge


class Choice(QtWidgets.QPushButton):
    """Field with the chosen word; a click opens the others.  Each choice is one call of `chosen`
    with its key.
    """

    def __init__(
        self,
        theme: Theme,
        name: str,
        entries: Callable[[], Iterable[tuple[str, str, str]]],
        now: Callable[[], str],
        chosen: Callable[[str], object],
        short: Callable[[str], str] | None = None,
        group: Callable[[str], str] | None = None,
    ) -> None:
        """entries(): (key, word, icon or "") each, called when it opens.  now(): the key that is
        chosen.  name: for screen readers.

        short(key): the word shown when it is closed, if the list has longer ones. group(key): its
        heading in the list.
        """
        super().__init__()
        self._theme, self._entries, self._now, self._chosen, self._short, self._group = (
            theme,
            entries,
            now,
            chosen,
            short,
            group,
        )
        self.setObjectName("value")
        self.setAccessibleName(name)
        theme.fit(self, height=26)
        menu = QtWidgets.QMenu(self)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)
        self.refresh()

    def choose(self, key: str) -> None:
        """Choose a key as the user would."""
        if key != self._now():
            self._chosen(key)
        self.refresh()

    def keys(self) -> list[str]:
        return [key for key, _, _ in self._entries()]

    def refresh(self) -> None:
        """Show the present choice."""
        found = next((entry for entry in self._entries() if entry[0] == self._now()), None)
        self.setText("–" if not found else self._short(found[0]) if self._short else found[1])
        # a button with a menu leaves no room before its text, so the icon brings it
        dp = self._theme.dp
        wide = dp(MARGIN + 18) if found and found[2] else dp(MARGIN)
        picture = QtGui.QPixmap(2 * wide, 2 * dp(16))
        picture.setDevicePixelRatio(2)
        picture.fill(QtCore.Qt.GlobalColor.transparent)
        if found and found[2]:
            painter = QtGui.QPainter(picture)
            painter.drawPixmap(dp(MARGIN), 0, self._theme.pixmap(found[2], "text2", 16))
            painter.end()
        self.setIcon(QtGui.QIcon(picture))
        self.setIconSize(QtCore.QSize(wide, dp(16)))

    def sizeHint(self) -> QtCore.QSize:
        return super().sizeHint() + QtCore.QSize(self._theme.dp(ARROW + 2), 0)

    def minimumSizeHint(self) -> QtCore.QSize:
        """Room for the word; the arrow goes first."""
        return super().sizeHint()

    def initStyleOption(self, option: QtWidgets.QStyleOptionButton) -> None:
        super().initStyleOption(option)
        # a word without room even beside a hidden arrow ends in dots, not in half a letter
        option.text = self.fontMetrics().elidedText(
            option.text,
            QtCore.Qt.TextElideMode.ElideRight,
            self.width() - self.iconSize().width() - self._theme.dp(8),
        )

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        super().paintEvent(event)
        dp = self._theme.dp
        side, x = dp(ARROW), self.width() - dp(ARROW + 6)
        # a long word in a narrow field has the room
        if self.iconSize().width() + self.fontMetrics().horizontalAdvance(self.text()) + dp(8) <= x:
            QtGui.QPainter(self).drawPixmap(
                x, (self.height() - side) // 2, self._theme.pixmap("down", "text3", ARROW)
            )

    def _fill(self) -> None:
        menu = self.menu()
        menu.clear()
        groups: dict[str, list[tuple[str, str]]] = {}
        for key, word, _ in self._entries():
            groups.setdefault(self._group(key) if self._group else "", []).append((key, word))
        for head, entries in groups.items():
            if head:
                menu.addAction(self._head(head))
            for key, word in entries:
                action = menu.addAction(word.replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(key == self._now())
                action.triggered.connect(lambda _=False, key=key: self.choose(key))

    def _head(self, word: str) -> QtWidgets.QWidgetAction:
        """Head of a group in the list."""
        head = QtWidgets.QLabel(word)
        head.setObjectName("group_head")
        head.setContentsMargins(self._theme.dp(10), self._theme.dp(6), 0, self._theme.dp(2))
        action = QtWidgets.QWidgetAction(self.menu())
        action.setDefaultWidget(head)
        action.setEnabled(False)
        return action
