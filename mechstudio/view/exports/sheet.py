"""The export sheet over the window: kinds at the left, choices in the middle, the preview at the
right, and a footer with the file's name and place.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.files.saved_files import desktop_request
from mechstudio.application.platform import open_file, show_in_folder
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.chooser import ask_target
from mechstudio.view.dialogs.sheet import Sheet
from mechstudio.view.exports.page import Page
from mechstudio.view.exports.rows import KINDS
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import Bar, Elided, Picture, label, row, set_property

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

Qt = QtCore.Qt
WIDE, TALL, LIST, CHOICES = 1280, 760, 210, 388  # px at the normal text size
PREVIEW = 420  # px that a preview needs
KEY = "export"


def _rule(upright: bool) -> QtWidgets.QFrame:
    thin = QtWidgets.QFrame()
    thin.setObjectName("rule")
    (thin.setFixedWidth if upright else thin.setFixedHeight)(1)
    return thin


class Ground(QtWidgets.QWidget):
    """A row of widgets on the colour of the sheet."""

    def __init__(self, theme: Theme, *widgets: QtWidgets.QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for widget in widgets:
            box.addWidget(widget)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        QtGui.QPainter(self).fillRect(self.rect(), self._theme.color("raised"))


class KindRow(QtWidgets.QFrame):
    """A kind of export in the list.  chosen(): it was clicked, or Enter was pressed on it."""

    chosen = QtCore.Signal()

    def __init__(self, window: MainWindow, key: str) -> None:
        super().__init__()
        kind, theme = KINDS[key], window.theme
        self.setObjectName("kind")
        # a click too: the ring of the keys is around what is chosen
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr(kind.label))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.fit(self, height=46)
        self._icon, self._name = Picture(theme, kind.icon, "text2", 18), label(tr(kind.label))
        self._name.setObjectName("kindname")
        self._kind = kind
        words = row(self._name, label(tr(kind.note), "three"), vertical=True, gap=0)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 4, 8, 4)
        box.setSpacing(10)
        box.addWidget(self._icon)
        box.addWidget(words, 1)

    def choose(self, on: bool) -> None:
        """Show it as chosen or not."""
        set_property(self, "chosen", on)
        set_property(self._name, "chosen", on)
        self._icon.show_icon(self._kind.icon, "accent_text" if on else "text2")

    def mousePressEvent(self, event) -> None:
        self.chosen.emit()

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


class ExportSheet(Sheet):
    """The sheet.  key, page: of the shown export; pages are made when they are first requested."""

    def __init__(self, window: MainWindow, key: str = "movie") -> None:
        super().__init__(window.theme, window, WIDE)
        self.key = key
        self._window, self._studio = window, window.studio
        self._folder = Path(window.studio.preferences.stored.folder or Path.home())
        if window.studio.document.path is not None:
            self._folder = Path(window.studio.document.path).absolute().parent
        self._names: dict[str, str] = {}  # typed names without their endings, by kind
        self._pages: dict[str, Page] = {}
        self._written: Path | None = None
        self._closing = False
        self.dialog: QtWidgets.QFileDialog | None = None
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(0)
        self.rows = {each: KindRow(window, each) for each in KINDS}
        left = row(
            row(label(tr("Export"), "title"), None, margins=(12, 4, 0, 10)),
            *self.rows.values(),
            None,
            vertical=True,
            margins=(10, 14, 10, 12),
            gap=2,
        )
        self._theme.fit(left, width=LIST)
        self._left, self._line = left, _rule(True)
        self._choices, self._previews = QtWidgets.QStackedWidget(), QtWidgets.QStackedWidget()
        # long words of one page make no other page wider than the sheet
        policy = QtWidgets.QSizePolicy.Policy
        self._previews.setSizePolicy(policy.Ignored, policy.Ignored)
        # where the list has no room it is a menu over the choices
        self.kinds = Choice(
            self._theme,
            tr("Export"),
            lambda: [(each, tr(kind.label), "") for each, kind in KINDS.items()],
            lambda: self.key,
            self.choose,
        )
        self._theme.fit(self.kinds, width=236)
        self._menu = row(label(tr("Export"), "title"), 12, self.kinds, None, margins=(20, 14, 8, 0))
        middle = row(self._menu, self._choices, vertical=True, gap=0)
        middle.box.setStretch(1, 1)
        self._middle = middle
        body = row(left, self._line, middle, _rule(True), self._previews, gap=0)
        body.box.setStretch(4, 1)
        frame = row(body, _rule(False), self._footer(), vertical=True, gap=0)
        frame.box.setStretch(0, 1)
        self._frame = frame
        self._theme.resized.connect(self._measure)
        self._measure()
        self.box.addWidget(frame)
        for each, kind in self.rows.items():
            kind.chosen.connect(lambda each=each: self.choose(each))
        self.closed.connect(self._leave)
        # what was written stands for the drawing as it was
        self._studio.document.changed.connect(self._drawing_changed)
        self.choose(key)

    def open(self) -> None:
        """Show over everything; the keys begin at the kind that is shown."""
        super().open()
        if self.rows[self.key].isVisible():
            self.rows[self.key].setFocus()

    def _measure(self) -> None:
        free = self._host.height() - 34
        self._frame.setMinimumHeight(min(self._theme.dp(TALL), max(free, 400)))
        wide = self._theme.dp(CHOICES)
        if self._pages:
            # letters do not shrink as lengths do: a row of formats may need more at small sizes
            scroll = self._choices.currentWidget()
            assert isinstance(scroll, Scroll)
            needed = self.page.choices.minimumSizeHint().width()
            needed += scroll.verticalScrollBar().sizeHint().width()
            wide = max(wide, min(needed, self._host.width() - PREVIEW))
        self._middle.setFixedWidth(wide)
        room = self._host.width() - self._theme.dp(LIST) - wide
        narrow = room < PREVIEW
        self._left.setVisible(not narrow)
        self._line.setVisible(not narrow)
        self._menu.setVisible(narrow)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.Resize and watched is self.parentWidget():
            self._measure()
        return super().eventFilter(watched, event)

    def _footer(self) -> QtWidgets.QWidget:
        self.name, self.place = Elided("", "value"), Elided("", "three")
        self.change = QtWidgets.QPushButton(tr("Change…"))
        self.change.setObjectName("flat")
        self.change.clicked.connect(self._ask)
        self.words, self.bar, self.left = label("", "two"), Bar(self._theme), label("", "three")
        self._theme.fit(self.bar, width=200)
        self.opener = QtWidgets.QPushButton(tr("Open"))
        self.shower = QtWidgets.QPushButton(tr("Show in folder"))
        self.opener.clicked.connect(lambda: self._to_desktop(open_file))
        self.shower.clicked.connect(lambda: self._to_desktop(show_in_folder))
        self.leaver = QtWidgets.QPushButton(tr("Close"))
        self.leaver.clicked.connect(self._stop_or_close)
        self.saver = QtWidgets.QPushButton(tr("Save"))
        self.saver.setObjectName("strong")
        self._theme.fit(self.saver, height=30)
        self.saver.clicked.connect(self._save)
        # on a ground of its own, so that a step of the bar does not paint the window below again
        progress = Ground(self._theme, self.words, self.bar, self.left)
        foot = row(
            self.name,
            self.place,
            self.change,
            None,
            progress,
            8,
            self.opener,
            self.shower,
            self.leaver,
            self.saver,
            margins=(20, 0, 16, 0),
            gap=8,
        )
        self._theme.fit(foot, height=56)
        return foot

    # pages

    @property
    def page(self) -> Page:
        return self._pages[self.key]

    def choose(self, key: str) -> None:
        """Show a page."""
        if self._pages:
            if key == self.key:
                return
            self.page.hide()
        self.key, self._written = key, None
        if key not in self._pages:
            page = self._pages[key] = KINDS[key].page(self._window)
            page.changed.connect(lambda page=page: self._refresh() if page is self.page else None)
            page.saved.connect(lambda path, page=page: self._saved(page, path))
            scroll = Scroll(page.choices)
            self._choices.addWidget(scroll)
            self._previews.addWidget(page.preview)
        at = list(self._pages).index(key)
        self._choices.setCurrentIndex(at)
        self._previews.setCurrentIndex(at)
        for each, kind in self.rows.items():
            kind.choose(each == key)
        self.kinds.refresh()
        self.page.show()
        self._measure()
        self._refresh()

    # the file

    @property
    def path(self) -> Path:
        """The file that would be written."""
        stem = self._names.get(self.key, self.page.stem)
        return self._folder / f"{stem}{self.page.suffix}"

    def _refresh(self) -> None:
        page, path = self.page, self.path
        state = page.state
        self.name.set_text(path.name)
        replaces = path.exists() and self._written is None
        home = f"{path.parent}".replace(f"{Path.home()}", "~", 1)
        self.place.set_text(
            tr("in {folder}, replaces a file", folder=home)
            if replaces
            else tr("in {folder}", folder=home)
        )
        working = state.progress is not None
        done = self._written is not None and not working
        words = state.words or state.problem
        if done and self._written is not None:
            words = tr("{name} is saved.", name=self._written.name)
        self.words.setText(words if working or done else "")
        self.bar.setVisible(working)
        self.bar.set_value(round(100 * (state.progress or 0.0)))
        self.left.setText(state.left)
        self.left.setVisible(bool(state.left))
        self.opener.setVisible(done)
        self.shower.setVisible(done)
        self.leaver.setText(tr("Stop") if working else tr("Close"))
        self.saver.setText(page.verb)
        if working and self.saver.hasFocus():
            self.leaver.setFocus()
        self.saver.setEnabled(not working and not state.problem)
        self.saver.setToolTip(state.problem)
        self.change.setEnabled(not working)

    def _ask(self) -> None:
        """Ask for the file's name and place."""

        kinds = self.page.kinds

        def take(path: Path) -> None:
            self._folder = path.parent
            now, found = self.page.suffix, (s for s in kinds.values() if path.name.endswith(s))
            suffix = now if now and path.name.endswith(now) else max(found, key=len, default=now)
            if suffix != now:
                self.page.choose_suffix(suffix)
            stem = path.name[: -len(suffix)] if suffix and path.name.endswith(suffix) else path.stem
            self._names[self.key] = stem
            self._written = None
            self._refresh()

        self.dialog = ask_target(
            self,
            f"{self._folder}",
            tr("Export as"),
            kinds,
            self.path.name,
            take,
            "export_as",
        )

    def _save(self) -> None:
        self._written = None
        self.page.save(self.path)
        self._refresh()

    def _saved(self, page: Page, path: Path) -> None:
        if page is self.page and not self._closing:
            self._written = path
            self._refresh()

    def _drawing_changed(self, old: object, new: object) -> None:
        self._written = None
        self._refresh()

    def _to_desktop(self, action) -> None:
        if self._written is not None:
            desktop_request(self._studio.notifications.say, action, self._written, KEY)()

    def _stop_or_close(self) -> None:
        if self.page.state.progress is not None:
            self.page.stop()
            self._refresh()
        else:
            self.close_sheet()

    def close_sheet(self) -> None:
        """Close; what is under way is stopped first, and a second Esc closes."""
        if not self._closing and self.page.state.progress is not None:
            self._stop_or_close()
            return
        super().close_sheet()

    def leave(self) -> None:
        """Give up what is under way and close, as the window closes."""
        self._closing = True
        for page in self._pages.values():
            page.stop()
        super().close_sheet()

    def _leave(self) -> None:
        self._closing = True
        self._studio.document.changed.disconnect(self._drawing_changed)
        for page in self._pages.values():
            page.close()
