"""Ctrl+K: finds any action, element, parameter, setting, sample and recent file by its words; shows
its shortcut; recent first.

What cannot be done now stands at the end, with the reason.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.translation import tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.channel_drag import Carrier
from mechstudio.view.widgets.widgets import Picture, row, wrapped

Qt = QtCore.Qt
SHOWN = 9
NEAREST = 5  # entries that are offered where nothing is found
ALIKE = 0.3  # share of letters in common from which they are


class Entry(msgspec.Struct, frozen=True):
    """One entry to find. note: its kind, or its shortcut; words: more text for the search.  why:
    the reason why it cannot be done now.  channels: keys of the quantities plotted of it when it is
    dragged to a pane.  last: it stands behind everything else.
    """

    key: str
    text: str
    note: str
    run: Callable[[], object]
    words: str = ""
    shortcut: bool = False
    why: str = ""
    channels: tuple[str, ...] = ()
    last: bool = False

    @property
    def rank(self) -> int:
        """Place of its kind: what can be done, what cannot be done now, what is read about it."""
        return 2 if self.last else int(bool(self.why))


def score(query: str, entry: Entry) -> float | None:
    """Score of an entry for a query; None if it does not match.

    Every word of the query must begin a word of the entry, or stand inside one, or be its initials,
    or letters of one in their order, or be one slip away from the beginning of one of its text.
    """
    text = entry.text.lower()
    titles = _words(text)
    words = [*titles, *_words(f"{entry.words} {entry.note}")]
    initials = "".join(w[0] for w in titles)
    total = 0.0
    for part in _words(query):
        if part in titles:
            total += 3.5
        elif any(w.startswith(part) for w in titles):
            total += 3
        elif any(w.startswith(part) for w in words):
            total += 2
        elif part in text:
            total += 1
        elif len(part) > 1 and (
            initials.startswith(part) or any(_follows(part, w) for w in titles)
        ):
            total += 0.5
        elif len(part) > 4 and any(
            _one_slip(part, w[: len(part) + k]) for w in titles for k in (-1, 0, 1)
        ):
            total += 0.3
        else:
            return None
    return total - len(text) / 1000


def _words(text: str) -> list[str]:
    """Words in small letters; a hyphen parts them, in what is sought as in what is found."""
    return text.lower().replace("-", " ").split()


def _follows(letters: str, text: str) -> bool:
    """True if the letters occur in a word in their order and the word begins with the first of
    them.
    """
    found = iter(text)
    return text.startswith(letters[0]) and all(c in found for c in letters)


def _one_slip(a: str, b: str) -> bool:
    """True if two words are equal or differ by one wrong, missing or extra letter, or by two
    swapped letters.
    """
    if abs(len(a) - len(b)) > 1 or a == b:
        return a == b
    k = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return (
        a[k + 1 :] == b[k + 1 :]
        or a[k + 1 :] == b[k:]
        or a[k:] == b[k + 1 :]
        or (a[k + 2 :] == b[k + 2 :] and a[k : k + 2] == b[k : k + 2][::-1])
    )


def ranked(query: str, entries: Iterable[Entry], recent: Sequence[str]) -> list[Entry]:
    """The entries that answer, best first, those that cannot be done at the end; for an empty query
    the ones used last, then all.
    """
    entries = list(entries)
    place = {key: k for k, key in enumerate(reversed(recent))}
    if not query.strip():
        return sorted(entries, key=lambda e: (e.rank, place.get(e.key, len(place))))
    scored = [(score(query, e), e) for e in entries]
    return [
        e
        for s, e in sorted(
            ((s, e) for s, e in scored if s is not None),
            key=lambda p: (p[1].rank, -p[0], place.get(p[1].key, len(place))),
        )
    ]


def nearest(query: str, entries: Iterable[Entry], most: int = NEAREST) -> list[Entry]:
    """The entries whose words look most like those of a query that finds nothing."""
    parts = [_pieces(part) for part in _words(query)]
    scored = []
    for entry in entries:
        known = [_pieces(word) for word in _words(entry.text)]
        alike = [max((_alike(a, b) for b in known), default=0.0) for a in parts]
        if alike and sum(alike) / len(alike) >= ALIKE:
            scored.append((sum(alike) / len(alike), entry))
    scored.sort(key=lambda pair: -pair[0])
    return [entry for _, entry in scored[:most]]


def _pieces(word: str) -> frozenset[str]:
    """Pairs of neighbouring letters of a word, its ends among them."""
    ends = f"^{word}$"
    return frozenset(ends[k : k + 2] for k in range(len(ends) - 1))


def _alike(a: frozenset[str], b: frozenset[str]) -> float:
    """Share of the pairs that two words have in common, 0 to 1."""
    return 2 * len(a & b) / (len(a) + len(b))


ENTRY = Qt.ItemDataRole.UserRole


class _Lines(QtWidgets.QStyledItemDelegate):
    """Painter of one result: its words at the left, its kind or key at the right.  Widgets for
    hundreds of them would hold the window.
    """

    def __init__(self, theme: Theme, parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QtGui.QPainter,
        option: QtWidgets.QStyleOptionViewItem,
        index: QtCore.QModelIndex | QtCore.QPersistentModelIndex,
    ) -> None:
        entry, theme, dp = index.data(ENTRY), self._theme, self._theme.dp
        super().paint(painter, option, index)
        if entry is None:
            return
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        font = QtGui.QFont(option.font)
        room = option.rect.adjusted(dp(10), 0, -dp(10), 0)
        note = QtGui.QFont(font)
        note.setPixelSize(dp(11))
        words = entry.why or entry.note
        measure = QtGui.QFontMetrics(note)
        shown = measure.elidedText(words, Qt.TextElideMode.ElideRight, round(0.62 * room.width()))
        wide = measure.horizontalAdvance(shown)
        painter.setFont(note)
        painter.setPen(theme.color("text3"))
        right = QtCore.QRect(room.right() - wide, room.top(), wide + 1, room.height())
        if entry.shortcut and not entry.why:
            right.translate(-dp(4), 0)
            tall = dp(17)
            box = QtCore.QRectF(
                right.left() - dp(5), room.center().y() - tall / 2 + 0.5, wide + 2 * dp(5), tall
            )
            painter.setPen(theme.color("line_strong"))
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(theme.color("text3"))
        painter.drawText(right, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, shown)
        painter.setFont(font)
        painter.setPen(theme.color("text3" if entry.why else "text"))
        left = room.adjusted(0, 0, -wide - dp(16), 0)
        painter.drawText(
            left,
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            QtGui.QFontMetrics(font).elidedText(
                entry.text, Qt.TextElideMode.ElideRight, left.width()
            ),
        )
        painter.restore()


class Palette(Sheet):
    """Type, choose with the arrows, Enter."""

    def __init__(
        self,
        theme: Theme,
        host: QtWidgets.QWidget,
        entries: list[Entry],
        recent: Sequence[str] = (),
        store_impulses: Callable[[str], object] = str,
        otherwise: Callable[[str], Entry] | None = None,
    ) -> None:
        """recent: keys of the entries used last, the latest last.  store_impulses: gets the key of
        what is used now.  otherwise: where a query that finds nothing can be taken to.
        """
        super().__init__(theme, host, 520, top=0.12)
        self._entries, self._found, self._recent, self._remember = (
            entries,
            entries,
            recent,
            store_impulses,
        )
        self._otherwise = otherwise
        self.box.setContentsMargins(8, 8, 8, 8)
        self.box.setSpacing(6)
        self.edit = QtWidgets.QLineEdit()
        self.edit.setPlaceholderText(tr("Action, body, joint, parameter, setting, sample…"))
        self.edit.setAccessibleName(tr("Search"))
        self.edit.textChanged.connect(self._search)
        self.edit.installEventFilter(self)
        line = row(Picture(theme, "search", "text3", 16), self.edit, margins=(10, 4, 10, 4), gap=8)
        theme.fit(line, height=34)
        line.box.setStretch(1, 1)
        self.list = QtWidgets.QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(tr("Results"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_Lines(theme, self.list))
        self.list.itemClicked.connect(lambda item: self._run(self.list.row(item)))
        self.carrier = Carrier(self.list.viewport(), self._carried)
        self.carrier.started.connect(self.hide)  # the panes lie below
        self.carrier.ended.connect(self.close_sheet)
        rule = QtWidgets.QFrame()
        rule.setObjectName("rule")
        rule.setFixedHeight(1)
        self.note = wrapped("", "two")
        self.note.setContentsMargins(12, 4, 12, 2)
        self.note.hide()
        for widget in (line, rule, self.note, self.list):
            self.box.addWidget(widget)
        self._search("")

    def open(self) -> None:
        super().open()
        self.edit.setFocus()

    @property
    def found(self) -> list[Entry]:
        return self._found

    def _search(self, query: str) -> None:
        self._found = ranked(query, self._entries, self._recent)
        self.note.setVisible(not self._found)
        if not self._found:
            self._found = self._nearest(query.strip())
        self.list.clear()
        height = self._theme.dp(28)
        for entry in self._found:
            item = QtWidgets.QListWidgetItem()
            item.setSizeHint(QtCore.QSize(0, height))
            item.setData(ENTRY, entry)
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{entry.text}, {entry.why or entry.note}"
            )
            self.list.addItem(item)
        self.list.setVisible(bool(self._found))
        self.list.setCurrentRow(0)
        self.list.setFixedHeight(height * max(1, min(len(self._found), SHOWN)) + 2)
        if self.isVisible():
            self._place()

    def _nearest(self, query: str) -> list[Entry]:
        """Entries to offer where nothing is found, with a sentence that says so."""
        near = nearest(query, self._entries)
        self.note.setText(
            tr("Nothing here is called “{query}”. The nearest are:", query=query)
            if near
            else tr("Nothing here is called “{query}”.", query=query)
        )
        return [*near, *(() if self._otherwise is None else (self._otherwise(query),))]

    def _carried(self, place: QtCore.QPoint) -> tuple[Sequence[str], str]:
        """Channels and words of the result at a place of the list."""
        item = self.list.itemAt(place)
        entry = None if item is None else item.data(ENTRY)
        return ((), "") if entry is None else (entry.channels, entry.text)

    def _run(self, index: int) -> None:
        if 0 <= index < len(self._found):
            entry = self._found[index]
            if entry.why:
                return
            self._remember(entry.key)
            self.close_sheet()
            entry.run()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if watched is self.edit and event.type() == QtCore.QEvent.Type.KeyPress:
            assert isinstance(event, QtGui.QKeyEvent)
            at, count = self.list.currentRow(), len(self._found)
            moves = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_PageDown: SHOWN - 1,
                Qt.Key.Key_PageUp: 1 - SHOWN,
            }
            if (by := moves.get(Qt.Key(event.key()))) is not None and count:
                self.list.setCurrentRow(min(max(at + by, 0), count - 1))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(at)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_sheet()
                return True
        return super().eventFilter(watched, event)
