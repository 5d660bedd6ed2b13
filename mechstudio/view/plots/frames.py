"""Frames of panes: splitters and stacks that hold them as the layout of the project says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.layout import ROW, TABS, Part, plots_in, shares
from mechstudio.model.project import PlotLayout
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
HANDLE = 5  # px, of which the middle one is painted
LEAST = 120  # px at the normal text size that a pane in a row has, so that its title can be read
STEP = 16  # px at the normal text size that a key moves a line
MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
Resized = Callable[[tuple[int, ...], Sequence[float]], None]


class _Handle(QtWidgets.QSplitterHandle):
    """Line between two panes.  A double click or Enter makes all parts alike; the arrow keys move
    it.
    """

    def __init__(self, theme: Theme, owner: Splitter) -> None:
        super().__init__(owner.orientation(), owner)
        self._theme, self._owner = theme, owner
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Line between two panes"))

    def event(self, event: QtCore.QEvent) -> bool:
        if (
            event.type() == QtCore.QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and event.key() in MOVES
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() in MOVES:
            across = self.orientation() == Qt.Orientation.Horizontal
            at = self.x() if across else self.y()
            self.moveSplitter(at + MOVES[Qt.Key(event.key())] * self._theme.dp(STEP))
            self._owner.report_shares()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._even()
        else:
            super().keyPressEvent(event)

    def _even(self) -> None:
        self._owner.set_shares((1.0,) * self._owner.count())
        self._owner.report_shares()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._owner.report_shares()

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self._even()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("panel"))
        middle = self.rect().center()
        if self.orientation() == Qt.Orientation.Horizontal:
            line = QtCore.QRect(middle.x(), 0, 1, self.height())
        else:
            line = QtCore.QRect(0, middle.y(), self.width(), 1)
        painter.fillRect(line, self._theme.color("accent" if self.underMouse() else "line"))

    def enterEvent(self, event: QtGui.QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self.update()


def sizes(weights: Sequence[float], room: int, least: int) -> list[int]:
    """Sizes of parts by their shares of a room [px]; a part gets its least size where the others
    can spare it.
    """
    least = min(least, room // max(len(weights), 1))
    spare = sum(max(w * room - least, 0.0) for w in weights)
    left = room - least * len(weights)
    return [least + round(left * max(w * room - least, 0.0) / (spare or 1.0)) for w in weights]


class Splitter(QtWidgets.QSplitter):
    """Row or column of panes that keeps the shares of its parts.  path: of its group in the layout;
    resized(path, sizes): a line was moved.
    """

    def __init__(
        self, theme: Theme, direction: str, path: tuple[int, ...], resized: Resized
    ) -> None:
        self._theme = theme
        across = direction == ROW
        super().__init__(Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical)
        self._path, self._resized = path, resized
        self._shares: tuple[float, ...] = ()
        self.setHandleWidth(HANDLE)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QtWidgets.QSplitterHandle:
        return _Handle(self._theme, self)

    def set_shares(self, weights: Sequence[float]) -> None:
        """Divide the room so."""
        self._shares = tuple(weights)
        self._apply()

    def _apply(self) -> None:
        across = self.orientation() == Qt.Orientation.Horizontal
        room = self.width() if across else self.height()
        if room > 0 and len(self._shares) == self.count():
            least = self._theme.dp(LEAST) if across else 1
            self.setSizes(sizes(self._shares, room, least))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._apply()

    def report_shares(self) -> None:
        """Report the sizes that a line was moved to."""
        sizes = self.sizes()
        whole = sum(sizes) or 1
        new = tuple(s / whole for s in sizes)
        if any(abs(a - b) > 1e-3 for a, b in zip(new, self._shares, strict=True)):
            self._shares = new
            self._resized(self._path, new)


class Tabs(QtWidgets.QStackedWidget):
    """Panes in one place, of which one is in sight."""

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(40, 40)


def framed(
    theme: Theme,
    part: Part,
    widget_of: Callable[[str], QtWidgets.QWidget],
    resized: Resized,
    path: tuple[int, ...] = (),
) -> QtWidgets.QWidget:
    """The widget of a part of the layout.  widget_of(id): that of a pane."""
    if isinstance(part, str):
        return widget_of(part)
    if part.direction == TABS:
        tabs = Tabs()
        for id in plots_in(part):
            tabs.addWidget(widget_of(id))
        return tabs
    splitter = Splitter(theme, part.direction, path, resized)
    for k, inner in enumerate(part.parts):
        splitter.addWidget(framed(theme, inner, widget_of, resized, (*path, k)))
    splitter.set_shares(shares(part))
    return splitter


def shape(part: Part) -> object:
    """The layout without its shares: equal where two layouts have the same frames."""
    return part if isinstance(part, str) else (part.direction, tuple(map(shape, part.parts)))


def share_out(widget: QtWidgets.QWidget, part: Part) -> None:
    """Give the frames of a layout of the same shape its shares."""
    if isinstance(widget, Splitter) and isinstance(part, PlotLayout):
        widget.set_shares(shares(part))
        for k, inner in enumerate(part.parts):
            if (held := widget.widget(k)) is not None:
                share_out(held, inner)
