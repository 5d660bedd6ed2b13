"""The manual as a card inside the window: its pages at the left, a search over all of them, and the
way back and forward.
"""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help.pages import FIRST, Topic, pages
from mechstudio.application.help.search import search
from mechstudio.translation import comma, tr
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.help.hits import Hits
from mechstudio.view.help.page import Page
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, Picture, label, row, wrapped

Qt = QtCore.Qt
WIDE, TALL, LIST = (
    1040,
    860,
    236,
)  # of the card, of the page at most, and of the list of pages [px at the normal text size]
AROUND = 110  # px of the card and the window above and below the page
NARROW = 0.34  # share of the card that the list takes at most


class HelpSheet(Sheet):
    """The manual: its pages or the results at the left, one of them open, and the ways back and
    forward.
    """

    def __init__(
        self, theme: Theme, host: QtWidgets.QWidget, topic: Topic | None = None, query: str = ""
    ) -> None:
        """topic: where it opens.  query: that is searched for at once."""
        super().__init__(theme, host, WIDE)
        self._past: list[tuple[Topic, int]] = []  # with the place of the scroll bar
        self._at = -1
        self._names = [name for name, _ in pages()]
        self.back = IconButton(theme, "left", tr("Back (Alt+Left)"), 26, 15, clicked=self.go_back)
        self.forward = IconButton(
            theme, "right", tr("Forward (Alt+Right)"), 26, 15, clicked=self.go_forward
        )
        self.edit = QtWidgets.QLineEdit()
        self.edit.setPlaceholderText(tr("Search the help"))
        self.edit.setAccessibleName(tr("Search the help"))
        self.edit.setClearButtonEnabled(True)
        self.edit.textChanged.connect(self._search)
        field = row(Picture(theme, "search", "text3", 15), self.edit, margins=(8, 2, 8, 2), gap=6)
        field.setObjectName("search")
        field.box.setStretch(1, 1)
        theme.fit(field, height=28)
        self.list = QtWidgets.QListWidget()
        self.list.setAccessibleName(tr("Pages"))
        self.list.addItems([title for _, title in pages()])
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hits = Hits(theme)
        self.hits.opened.connect(self.open_topic)
        self.note = wrapped("", "three")
        self.note.setMargin(6)
        found = row(self.note, self.hits, vertical=True, gap=4)
        found.box.setStretch(1, 1)
        self._lists = QtWidgets.QStackedWidget()
        self._lists.addWidget(self.list)
        self._lists.addWidget(found)
        self.page = Page(theme)
        self.page.setAccessibleName(tr("Page"))
        self.page.followed.connect(self.open_topic)
        self.list.currentRowChanged.connect(lambda k: self.open_topic(Topic(self._names[k])))
        close = IconButton(theme, "close", tr("Close"), 26, 15, clicked=self.close_sheet)
        head = row(self.back, self.forward, label(tr("Help"), "title"), None, close, gap=6)
        self.box.addWidget(head)
        self._left = row(field, self._lists, vertical=True, gap=8)
        self._left.box.setStretch(1, 1)
        both = QtWidgets.QHBoxLayout()
        both.setSpacing(14)
        both.addWidget(self._left)
        both.addWidget(self.page, 1)
        self.box.addLayout(both, 1)
        for widget in (self.edit, self.list, self.hits, self.page):
            widget.installEventFilter(self)
        self.open_topic(topic or Topic(FIRST))
        self.edit.setText(query)

    def open(self) -> None:
        super().open()
        self.edit.setFocus()
        # headings have their places once the page has its width
        self.page.go_to(self.topic.anchor)

    def _place(self) -> None:
        page = getattr(self, "page", None)
        if page is not None:
            dp = self._theme.dp
            page.setMinimumHeight(max(min(dp(TALL), self.height() - dp(AROUND)), 120))
            width = min(dp(WIDE), self.width() - 32)
            self._left.setFixedWidth(min(dp(LIST), round(NARROW * width)))
        super()._place()

    # pages

    @property
    def topic(self) -> Topic:
        """The place that was opened last."""
        return self._past[self._at][0]

    def open_topic(self, topic: Topic) -> None:
        """Show a page, from its beginning or from a heading."""
        if topic.page not in self._names:
            return
        if self._at < 0 or self.topic != topic:
            self._keep_place()
            self._past[self._at + 1 :] = [(topic, 0)]
            self._at += 1
        self._show(topic)
        if topic.anchor:
            self.page.go_to(topic.anchor)

    def _show(self, topic: Topic) -> None:
        if self.page.shown != topic.page or not topic.anchor:
            self.page.show_page(topic.page)
        with QtCore.QSignalBlocker(self.list):
            self.list.setCurrentRow(self._names.index(topic.page))
        self.back.setEnabled(self._at > 0)
        self.forward.setEnabled(self._at < len(self._past) - 1)

    def _keep_place(self) -> None:
        if self._at >= 0:
            place = self.page.verticalScrollBar().value()
            self._past[self._at] = (self.topic, place)

    def _go(self, by: int) -> None:
        if not 0 <= self._at + by < len(self._past):
            return
        self._keep_place()
        self._at += by
        topic, place = self._past[self._at]
        self._show(topic)
        self.page.verticalScrollBar().setValue(place)

    def go_back(self) -> None:
        """Show the page before, where it was left."""
        self._go(-1)

    def go_forward(self) -> None:
        """Show the page again from which Back came."""
        self._go(1)

    # search

    def _search(self, query: str) -> None:
        hits = search(query)
        self._lists.setCurrentIndex(1 if query.strip() else 0)
        self.hits.show_hits(hits)
        missing = hits[0].missing if hits else ()
        self.note.setText(
            tr("No page has “{query}”. Try fewer or other words.", query=query.strip())
            if not hits
            else tr("Nothing has all words; without {words}:", words=comma().join(missing))
            if missing
            else ""
        )
        self.note.setVisible(bool(self.note.text()))

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        # before the lists and the page, which know other uses of the arrows
        if event.type() == QtCore.QEvent.Type.KeyPress and isinstance(event, QtGui.QKeyEvent):
            return self._leads(event) or (watched is self.edit and self._moves(event))
        return super().eventFilter(watched, event)

    def _leads(self, event: QtGui.QKeyEvent) -> bool:
        """Go back, forward or to the search by a key; True if it was one of theirs."""
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if alt and event.key() == Qt.Key.Key_Left:
            self.go_back()
        elif alt and event.key() == Qt.Key.Key_Right:
            self.go_forward()
        elif event.matches(QtGui.QKeySequence.StandardKey.Find):
            self.edit.setFocus()
            self.edit.selectAll()
        else:
            return False
        return True

    def _moves(self, event: QtGui.QKeyEvent) -> bool:
        """Go through the pages or results from the field; True if the key did."""
        moves = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
        shown = self.hits if self.edit.text().strip() else self.list
        if (by := moves.get(Qt.Key(event.key()))) is not None and shown.count():
            shown.setCurrentRow(min(max(shown.currentRow() + by, 0), shown.count() - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if shown is self.hits and self.hits.currentRow() < 0:
                self.hits.setCurrentRow(0)
            self.page.setFocus()
        elif event.key() == Qt.Key.Key_Escape and self.edit.text():
            self.edit.clear()
        else:
            return False
        return True

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if not self._leads(event):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.BackButton:
            self.go_back()
        elif event.button() == Qt.MouseButton.ForwardButton:
            self.go_forward()
        else:
            super().mousePressEvent(event)
