"""Ctrl+K: finds any action, element, parameter, sample and recent file by its words; shows its shortcut; recent first."""

from collections.abc import Callable, Iterable

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from .i18n import tr
from .pieces import Picture, label, row
from .sheet import Sheet
from .theme import Theme

Qt = QtCore.Qt
SHOWN = 9


class Entry(msgspec.Struct, frozen=True):
    """One thing to find.  note: what it is, or its shortcut; words: more text to find it by."""

    key: str
    text: str
    note: str
    run: Callable[[], object]
    words: str = ""
    shortcut: bool = False


def score(query: str, entry: Entry) -> float | None:
    """How well an entry answers; None if it does not.  Every word of the query must begin a word of the entry, or be inside one, or its letters follow each other in the text."""
    text = entry.text.lower()
    words = f"{text} {entry.words} {entry.note}".lower().replace("-", " ").split()
    total = 0.0
    for part in query.lower().split():
        if any(w.startswith(part) for w in text.split()):
            total += 3
        elif any(w.startswith(part) for w in words):
            total += 2
        elif part in text:
            total += 1
        elif len(part) > 1 and _follows(part, text):
            total += 0.5
        else:
            return None
    return total - len(text) / 1000


def _follows(letters: str, text: str) -> bool:
    found = iter(text)
    return all(c in found for c in letters)


def ranked(query: str, entries: Iterable[Entry], recent: list[str]) -> list[Entry]:
    """The entries that answer, best first; for an empty query the ones used last, then all."""
    entries = list(entries)
    place = {key: k for k, key in enumerate(reversed(recent))}
    if not query.strip():
        return sorted(entries, key=lambda e: place.get(e.key, len(place)))
    scored = [(score(query, e), e) for e in entries]
    return [e for s, e in sorted(((s, e) for s, e in scored if s is not None), key=lambda p: (-p[0], place.get(p[1].key, len(place))))]


class _Line(QtWidgets.QFrame):
    """One result."""

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(10, 0, 8, 0)
        box.addWidget(label(entry.text))
        box.addStretch(1)
        box.addWidget(label(entry.note, "key" if entry.shortcut else "three"), 0, Qt.AlignmentFlag.AlignVCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)


class Palette(Sheet):
    """Type, choose with the arrows, Enter."""

    recent: list[str] = []

    def __init__(self, theme: Theme, host: QtWidgets.QWidget, entries: list[Entry]) -> None:
        super().__init__(theme, host, 520, top=0.12)
        self._entries, self._found = entries, entries
        self.box.setContentsMargins(8, 8, 8, 8)
        self.box.setSpacing(6)
        self.edit = QtWidgets.QLineEdit()
        self.edit.setPlaceholderText(tr("Action, body, joint, sample…"))
        self.edit.setAccessibleName(tr("Search"))
        self.edit.textChanged.connect(self._search)
        self.edit.installEventFilter(self)
        line = row(Picture(theme, "search", "text3", 16), self.edit, margins=(10, 4, 10, 4), gap=8)
        theme.fit(line, "setFixedHeight", 34)
        line.layout().setStretch(1, 1)
        self.list = QtWidgets.QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda item: self._run(self.list.row(item)))
        rule = QtWidgets.QFrame()
        rule.setObjectName("rule")
        rule.setFixedHeight(1)
        for widget in (line, rule, self.list):
            self.box.addWidget(widget)
        self._search("")

    def open(self) -> None:
        super().open()
        self.edit.setFocus()

    @property
    def found(self) -> list[Entry]:
        return self._found

    def _search(self, query: str) -> None:
        self._found = ranked(query, self._entries, Palette.recent)
        self.list.clear()
        height = self._theme.dp(28)
        for entry in self._found:
            item = QtWidgets.QListWidgetItem()
            item.setSizeHint(QtCore.QSize(0, height))
            self.list.addItem(item)
            self.list.setItemWidget(item, _Line(entry))
        if not self._found:
            item = QtWidgets.QListWidgetItem(tr("Nothing is called so"))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.setFixedHeight(height * max(1, min(len(self._found), SHOWN)) + 2)
        if self.isVisible():
            self._place()

    def _run(self, index: int) -> None:
        if 0 <= index < len(self._found):
            entry = self._found[index]
            Palette.recent = [k for k in Palette.recent if k != entry.key] + [entry.key]
            self.close_sheet()
            entry.run()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if watched is self.edit and event.type() == QtCore.QEvent.Type.KeyPress:
            assert isinstance(event, QtGui.QKeyEvent)
            at, count = self.list.currentRow(), len(self._found)
            moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: SHOWN - 1, Qt.Key.Key_PageUp: 1 - SHOWN}
            if event.key() in moves and count:
                self.list.setCurrentRow(min(max(at + moves[event.key()], 0), count - 1))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(at)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_sheet()
                return True
        return super().eventFilter(watched, event)
