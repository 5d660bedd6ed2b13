"""The start page over the window: begin, go on, or open a running copy of a sample."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.files import gallery
from mechstudio.application.files.gallery import Sample
from mechstudio.model.types.lessons import LEVELS, TOPICS
from mechstudio.translation import tr, trn
from mechstudio.view.start.gallery import Gallery
from mechstudio.view.start.recent import recent_files
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.access.tab_round import go_round
from mechstudio.view.widgets.widgets import Picture, Segment, column, label, row, wrapped

Qt = QtCore.Qt
LEFT, SHOWN_RECENT = 252, 6  # px at the normal text size, and files
NARROW = 700  # px at the normal text size, below which the left column is left out


class Doing(NamedTuple):
    """Ways out of the page: an empty drawing, the dialog for a file, a file, a sample.
    recovers(path): the file has unsaved changes from an earlier window.
    """

    begin: Callable[[], object]
    ask: Callable[[], object]
    open: Callable[[Path], object]
    sample: Callable[[Sample], object]
    recovers: Callable[[Path], bool]


class StartPage(QtWidgets.QWidget):
    """Covers the window below its top bar until something is chosen.  closed(): it is gone."""

    closed = QtCore.Signal()

    def __init__(
        self,
        theme: Theme,
        window: QtWidgets.QMainWindow,
        recent: list[Path],
        doing: Doing,
        at_start: bool,
        at_start_changed: Callable[[bool], object],
        reduced_motion: bool,
    ) -> None:
        super().__init__(window)
        self.setObjectName("start")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._window = theme, window
        self._lack = ""  # why there are no samples
        try:
            self._samples = gallery.samples()
        except FileNotFoundError as error:
            self._samples, self._lack = [], str(error)
        self._topic, self._level = "", 0
        self.search = QtWidgets.QLineEdit()
        self.topics: dict[str, QtWidgets.QPushButton] = {}
        # a group of their own: the levels stand beside them in the same line
        self._of_topics = QtWidgets.QButtonGroup(self)
        self.gallery = Gallery(theme, reduced_motion)
        self.gallery.chosen.connect(doing.sample)
        self._nothing = wrapped("", "two")
        self._left = self._make_left(recent, doing, at_start, at_start_changed)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._left)
        box.addWidget(self._make_right(), 1)
        window.installEventFilter(self)
        self._select()
        self._place()
        self.show()
        self.raise_()
        self.search.setFocus()

    def _make_left(
        self,
        recent: list[Path],
        doing: Doing,
        at_start: bool,
        at_start_changed: Callable[[bool], object],
    ) -> QtWidgets.QWidget:
        left = QtWidgets.QWidget()
        left.setObjectName("start_left")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme.fit(left, width=LEFT)
        box = column(left, 6)
        box.setContentsMargins(18, 20, 18, 16)
        box.addWidget(label(tr("Start"), "page_title"))
        self.begin = QtWidgets.QPushButton(
            self._theme.icon("tool_link", "on_accent"), tr("Empty drawing")
        )
        self.begin.setObjectName("strong")
        self._theme.fit(self.begin, height=34)
        self.begin.clicked.connect(lambda _=False: doing.begin())
        box.addSpacing(6)
        box.addWidget(self.begin)
        box.addWidget(wrapped(tr("Press L and click two points: a link that swings."), "small"))
        self.open = QtWidgets.QPushButton(self._theme.icon("open"), tr("Open…"))
        self.open.setObjectName("line")
        self.open.clicked.connect(lambda _=False: doing.ask())
        self._theme.fit(self.open, height=30)
        box.addWidget(self.open)
        self._theme.changed.connect(self._paint_icons)
        box.addSpacing(10)
        box.addWidget(label(tr("Recent"), "title"))
        if recent:
            shown = recent[:SHOWN_RECENT]
            box.addWidget(recent_files(self._theme, shown, doing.open, doing.recovers))
        else:
            box.addWidget(wrapped(tr("What you save stands here, with its picture."), "two"))
        box.addStretch(1)
        self.at_start = QtWidgets.QCheckBox(tr("Show at the start"))
        self.at_start.setObjectName("line")
        self.at_start.setChecked(at_start)
        self.at_start.toggled.connect(at_start_changed)
        box.addWidget(row(self.at_start, None))
        return left

    def _make_right(self) -> QtWidgets.QWidget:
        right = QtWidgets.QWidget()
        box = column(right, 10)
        box.setContentsMargins(24, 18, 20, 12)
        self.search.setPlaceholderText(
            trn(
                "Search {count} sample: name, topic, joint…",
                "Search {count} samples: name, topic, joint…",
                len(self._samples),
            )
        )
        self.search.setAccessibleName(tr("Search the samples"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda text: self._select())
        field = row(
            Picture(self._theme, "search", "text2", 15),
            self.search,
            margins=(9, 0, 6, 0),
            name="search",
        )
        self._theme.fit(field, height=30, width=268)
        box.addWidget(row(label(tr("Samples and lessons"), "page_title"), None, field))
        counts = {t: sum(s.topic == t for s in self._samples) for t in TOPICS}
        chips = [self._chip("", tr("All"), len(self._samples))]
        chips += [self._chip(t, tr(word), counts[t]) for t, word in TOPICS.items() if counts[t]]
        self.levels = Segment(
            self._theme,
            (("0", tr("Any level")), *((str(k), tr(word)) for k, word in LEVELS.items())),
        )
        self.levels.choose("0")
        self.levels.chosen.connect(self._choose_level)
        box.addWidget(Flow(chips, self.levels))
        box.addSpacing(2)
        box.addWidget(self._nothing)
        box.addWidget(self.gallery, 1)
        hint = tr("A click opens a copy that is already running; your files stay as they are.")
        keys = tr("Arrow keys move · Enter opens · I shows the text")
        foot = row(wrapped(hint, "small"), label(keys, "small"))
        foot.box.setStretch(0, 1)
        box.addWidget(foot)
        return right

    def _chip(self, topic: str, word: str, count: int) -> QtWidgets.QPushButton:
        chip = QtWidgets.QPushButton(f"{word}  {count}")
        chip.setObjectName("chipbutton")
        chip.setCheckable(True)
        self._of_topics.addButton(chip)
        chip.setChecked(topic == "")
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme.fit(chip, height=24)
        chip.clicked.connect(lambda _=False: self._choose_topic(topic))
        self.topics[topic] = chip
        return chip

    def _choose_topic(self, topic: str) -> None:
        self._topic = topic
        self._select()

    def _choose_level(self, level: str) -> None:
        self._level = int(level)
        self._select()

    def _select(self) -> None:
        """Show the samples that fit the words, the topic and the level."""
        words = self.search.text()
        found = gallery.chosen(self._samples, words, self._topic, self._level)
        self.gallery.show_samples(found)
        self.gallery.setVisible(bool(found))
        self._nothing.setVisible(not found)
        if not found:
            self._nothing.setText(
                self._lack
                or tr("No sample fits. Choose All and Any level, or search for another word.")
            )

    def _paint_icons(self) -> None:
        self.begin.setIcon(self._theme.icon("tool_link", "on_accent"))
        self.open.setIcon(self._theme.icon("open"))

    def _place(self) -> None:
        menu = self._window.menuWidget()
        top = menu.height() if menu is not None and menu.isVisible() else 0
        self.setGeometry(0, top, self._window.width(), self._window.height() - top)
        self._left.setVisible(self.width() >= self._theme.dp(NARROW))

    def close_page(self) -> None:
        """Go away; the window behind takes the keys."""
        if self.isHidden() and self.parent() is None:
            return
        self._window.removeEventFilter(self)
        self.hide()
        self.setParent(None)
        self.closed.emit()
        self.deleteLater()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() in (QtCore.QEvent.Type.Resize, QtCore.QEvent.Type.LayoutRequest):
            self._place()
        return False

    def event(self, event: QtCore.QEvent) -> bool:
        # letters and Space belong to the search and the cards; Ctrl+O, Ctrl+K and F1 go on acting
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and isinstance(
            event, QtGui.QKeyEvent
        ):
            plain = not event.modifiers() & (
                Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
            )
            if plain and not Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F12:
                event.accept()
                return True
        return super().event(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        return go_round(self, next)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_page()
        elif event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.gallery.setFocus()
        else:
            super().keyPressEvent(event)


def room_of(item: QtWidgets.QWidget) -> QtCore.QSize:
    """Room that a widget wants [px]."""
    return item.sizeHint().expandedTo(item.minimumSize())


class Flow(QtWidgets.QWidget):
    """Chips in as many lines as they need, and what stands at the right end of the first."""

    def __init__(self, chips: list[QtWidgets.QPushButton], last: QtWidgets.QWidget) -> None:
        super().__init__()
        self._chips, self._last = chips, last
        for item in (*chips, last):
            item.setParent(self)
        policy = QtWidgets.QSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _lines(self, width: int, move: bool) -> int:
        """Height that everything takes at a width; move: put it there."""
        last = room_of(self._last)
        gap, line = 6, max(room_of(item).height() for item in (*self._chips, self._last))
        end = width - last.width()
        if move:
            self._last.setGeometry(QtCore.QRect(QtCore.QPoint(end, 0), last))
        x = y = 0
        for chip in self._chips:
            size = room_of(chip)
            room = end - 2 * gap if y == 0 else width
            if x and x + size.width() > room:
                x, y = 0, y + line + gap
            if move:
                chip.setGeometry(x, y + (line - size.height()) // 2, size.width(), size.height())
            x += size.width() + gap
        return y + line

    def heightForWidth(self, width: int) -> int:
        return self._lines(width, False)

    def sizeHint(self) -> QtCore.QSize:
        width = max(self.width(), 300)
        return QtCore.QSize(width, self._lines(width, False))

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(
            self._last.sizeHint().width(), self._lines(max(self.width(), 300), False)
        )

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._lines(self.width(), True)
        self.updateGeometry()
