"""Rows of label and field, and headings that fold."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.field_keys import FieldKeys, is_pressed
from mechstudio.view.widgets.widgets import Elided, Readout, column

Qt = QtCore.Qt
LABEL_WIDTHS = 58, 112


class Form(QtWidgets.QWidget):
    """Two columns: names, and fields that take the rest; `grid` is their layout."""

    def __init__(
        self,
        theme: Theme,
        margins: tuple[int, int, int, int] = (0, 0, 0, 0),
        above: "Form | None" = None,
    ) -> None:
        """above: a form whose fields begin where those of this one do."""
        super().__init__()
        self.grid = QtWidgets.QGridLayout(self)
        self.grid.setContentsMargins(*margins)
        self.grid.setHorizontalSpacing(8)
        self.grid.setVerticalSpacing(6)
        self.grid.setColumnStretch(1, 1)
        self._theme = theme
        self._names: list[Elided] = [] if above is None else above._names
        theme.resized.connect(self._align)

    def add(self, name: str, widget: QtWidgets.QWidget) -> None:
        """One row.  The column of names is as wide as the longest, within limits; a longer one is
        shortened, never the field.
        """
        k = self.grid.rowCount()
        word = Elided(name, "two")
        self._theme.fit(word, height=18 if widget.objectName() == "reading" else 26)
        self._names.append(word)
        self._align()
        self.grid.addWidget(word, k, 0, Qt.AlignmentFlag.AlignTop)
        self.grid.addWidget(widget, k, 1)
        # a field without a name of its own is called like its row
        field = widget.focusProxy()
        if field is not None and not field.accessibleName():
            field.setAccessibleName(name)

    def _align(self) -> None:
        least, most = (self._theme.dp(w) for w in LABEL_WIDTHS)
        width = min(max([least, *(w.sizeHint().width() for w in self._names)]), most)
        for each in self._names:
            each.setFixedWidth(width)

    def wide(self, widget: QtWidgets.QWidget) -> None:
        self.grid.addWidget(widget, self.grid.rowCount(), 0, 1, 2)


class Reading(Readout):
    """A number that cannot be typed: right-aligned, a dash while unknown."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("reading")
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )
        theme.fit(self, height=18)


class Text(QtWidgets.QWidget):
    """A field for a name: Enter or leaving commits, Esc restores."""

    def __init__(self, theme: Theme, read: Callable[[], str], write: Callable[[str], None]) -> None:
        super().__init__()
        self._read, self._write, self._keys = read, write, FieldKeys()
        self.edit = QtWidgets.QLineEdit()
        self.edit.installEventFilter(self)
        self.edit.editingFinished.connect(self._commit)
        self.edit.returnPressed.connect(self._keys.entered)
        frame = QtWidgets.QFrame()
        frame.setObjectName("field")
        theme.fit(frame, height=26)
        line = QtWidgets.QHBoxLayout(frame)
        line.setContentsMargins(8, 0, 8, 0)
        line.addWidget(self.edit)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(frame)
        self.setFocusProxy(self.edit)
        self.refresh()

    def refresh(self) -> None:
        if not self.edit.isModified():
            self.edit.setText(self._read())
            self.edit.setCursorPosition(0)

    def _commit(self) -> None:
        text, modified = self.edit.text().strip(), self.edit.isModified()
        self.edit.setModified(False)
        if modified and text and text != self._read():
            self._write(text)
        self.refresh()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if self._keys.takes(event, self.edit.isModified()):
            return True
        if is_pressed(event, Qt.Key.Key_Escape):
            self.edit.setModified(False)
            self.refresh()
            return True
        return super().eventFilter(watched, event)


class Note(QtWidgets.QPlainTextEdit):
    """A few lines of text; leaving commits, Esc restores.  An empty one may be committed too."""

    def __init__(self, theme: Theme, read: Callable[[], str], write: Callable[[str], None]) -> None:
        super().__init__()
        self._read, self._write, self._keys = read, write, FieldKeys()
        self.setObjectName("field")
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Note"))
        self.setPlaceholderText(tr("What to remember of it"))
        theme.fit(self, height=62)
        self.refresh()

    def refresh(self) -> None:
        if not self.document().isModified() and self.toPlainText() != self._read():
            self.setPlainText(self._read())
            self.document().setModified(False)

    def commit(self) -> None:
        text, modified = self.toPlainText().strip(), self.document().isModified()
        self.document().setModified(False)
        if modified and text != self._read():
            self._write(text)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.commit()

    def event(self, event: QtCore.QEvent) -> bool:
        if self._keys.takes(event, self.document().isModified()):
            return True
        if is_pressed(event, Qt.Key.Key_Escape):
            self.document().setModified(False)
            self.refresh()
            return True
        return super().event(event)


class Section(QtWidgets.QWidget):
    """A heading; a click opens its content, which is made only then."""

    def __init__(
        self, theme: Theme, title: str, build: Callable[[], QtWidgets.QWidget], opened: set[str]
    ) -> None:
        """opened: titles that are open, kept by the caller from one selection to the next."""
        super().__init__()
        self._theme, self._title, self._build, self._opened = theme, title, build, opened
        self.body: QtWidgets.QWidget | None = None
        self._head = QtWidgets.QPushButton(title)
        self._head.setObjectName("fold")
        self._head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.fit(self._head, icon=13)
        self._head.clicked.connect(lambda: self.set_open(not self.is_open))
        self._box = column(self, 4)
        self._box.addWidget(self._head)
        theme.follow(self._paint)
        self.set_open(title in opened)

    @property
    def title(self) -> str:
        return self._title

    @property
    def is_open(self) -> bool:
        return self.body is not None and not self.body.isHidden()

    def set_open(self, open_: bool) -> None:
        if open_ and self.body is None:
            self.body = self._build()
            self._box.addWidget(self.body)
        if self.body is not None:
            self.body.setVisible(open_)
        (self._opened.add if open_ else self._opened.discard)(self._title)
        self._paint()

    def _paint(self) -> None:
        self._head.setIcon(
            QtGui.QIcon(self._theme.pixmap("down" if self.is_open else "right", "text3", 13, 2))
        )
