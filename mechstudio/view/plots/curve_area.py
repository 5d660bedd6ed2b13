"""Parts that panes of curves have in common: colours, grid, ticks, units at the heads of the axes,
and the chip of a reading; this module is imported after the first frame.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable

import pyqtgraph as pg
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace
from mechstudio.application.studio import Studio
from mechstudio.translation import comma, tr
from mechstudio.view.plots.ticks import Ticks, even_ticks, power_ticks
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
pg.setConfigOptions(antialias=True)
HEADS = 18  # height of the units at the heads of the axes [px at the normal text size]
NEAR = 9  # px from a curve at which the pointer has it
NOTCH = 1.25  # zoom of one notch of the wheel


class CurveArea(pg.PlotWidget):
    """Area of a pane, without its curves.

    traces(): what is drawn now, with numbers.  drawn: the same, of the last picture.  thick: keys
    of curves that are pointed at.  used: the pane is used.  pointed(key): the pointer is at a
    curve, "" for none.  requested, copied: quantities are to be chosen, curves to be copied.
    menu_requested(place on the screen): by the right button.
    """

    used = QtCore.Signal()
    pointed = QtCore.Signal(str)
    requested = QtCore.Signal()
    copied = QtCore.Signal()
    menu_requested = QtCore.Signal(QtCore.QPoint)

    accessible_role = QtGui.QAccessible.Role.Chart

    bottom = 18  # height of the numbers below [px at the normal text size]

    def __init__(
        self, theme: Theme, studio: Studio, pane: Pane, traces: Callable[[], list[Trace]]
    ) -> None:
        super().__init__(enableMenu=False)
        self._theme, self._studio, self._pane = theme, studio, pane
        self._source = traces
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        # grid and numbers are painted there, and change with the view
        self.setCacheMode(QtWidgets.QGraphicsView.CacheModeFlag.CacheNone)
        self.setAccessibleName(tr("Curves"))
        item = self.getPlotItem()
        assert item is not None
        self._item: pg.PlotItem = item
        self._box: pg.ViewBox = item.getViewBox()
        item.hideButtons()
        self._box.setMouseEnabled(False, False)
        self._box.disableAutoRange()
        self._lines: list[pg.PlotDataItem] = []
        self.drawn: list[Trace] = []
        self.thick: frozenset[str] = frozenset()
        self._ticks: tuple[Ticks, Ticks, Ticks] = ([], [], [])  # left, bottom, right
        self._drawn: tuple[object, ...] = (None,)
        # the right axis is a second scale over the same view: right = _right[0] + _right[1] * left
        self._right = (0.0, 1.0)
        self._grip = ""  # what is being dragged: "time", "pan", "box", or another of the area's
        # where the button was pressed, and where a drag has come to [px]
        self._from = self._corner = QtCore.QPointF()
        self._moved = False

    # what a kind of area brings

    @abstractmethod
    def refresh(self) -> None:
        """Draw what there is, if it is more than was drawn."""

    @abstractmethod
    def move_cursor(self) -> None:
        """Follow the time cursor."""

    @abstractmethod
    def value_text(self, trace: Trace, time: float, unit: bool = True) -> str:
        """Value of a trace at an instant, with its unit; a dash where it is unknown."""

    @abstractmethod
    def _act(self, ev: QtGui.QKeyEvent) -> Callable[[], object] | None:
        """Function that a key runs here, None for none."""

    @abstractmethod
    def forget_range(self) -> None:
        """Find ranges that were chosen by hand again, when the next pane is shown."""

    @abstractmethod
    def show_all(self) -> None:
        """Show all of every curve."""

    @abstractmethod
    def _take(self, at: QtCore.QPointF) -> str:
        """Name of the thing that a press at a position [px] takes, "" for none."""

    @abstractmethod
    def _drag(self, at: QtCore.QPointF) -> None:
        """Bring what was taken, other than the view and a box, to a position [px]."""

    @abstractmethod
    def _pan(self, before: QtCore.QPointF, now: QtCore.QPointF) -> None:
        """Move the view so that a place on the axes comes from one to the other."""

    @abstractmethod
    def _zoom_to(self, first: QtCore.QPointF, last: QtCore.QPointF) -> None:
        """Show what is between the lower left and the upper right corner of a box [axes]."""

    @abstractmethod
    def _point(self, at: QtCore.QPointF | None) -> None:
        """Find the curve under the pointer [px]; None where the pointer is elsewhere."""

    @property
    def across(self) -> tuple[str, str]:
        """Name and unit of the horizontal axis; the name is empty where it is the time."""
        return "", "s"

    # drawing

    def show_pane(self, pane: Pane) -> None:
        """Show another pane; to make another plot for it would take many times as long."""
        self._pane = pane
        self.dress()

    def dress(self) -> None:
        """Colours and fonts of the theme."""
        theme, item = self._theme, self._item
        self.setBackground(theme["plot"])
        font = QtGui.QFont(self.font())
        font.setPixelSize(theme.dp(10))
        self._font = font
        item.showAxis("right", self._pane.two_axes)
        for side in ("left", "bottom", "right"):
            # the axes keep room only: grid and numbers are painted behind the curves
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen((0, 0, 0, 0)))
            axis.setStyle(showValues=False, tickLength=0)
        item.getAxis("bottom").setHeight(theme.dp(self.bottom))
        item.setContentsMargins(theme.dp(6), theme.dp(HEADS), theme.dp(14), theme.dp(4))
        self._drawn = (None,)
        self.refresh()

    @property
    def _width(self) -> int:
        return max(round(self._box.sceneBoundingRect().width()), 50)

    def x_of(self, value: float) -> float:
        """Position of a value of the horizontal axis, an instant where that is the time [px]."""
        return self._box.mapViewToScene(QtCore.QPointF(value, 0.0)).x()

    def place(self, time: float, value: float) -> QtCore.QPointF:
        """Position of an instant and a value of the left axis [px]."""
        return self._box.mapViewToScene(QtCore.QPointF(time, value))

    def _repaint_cursor(self) -> None:
        """Paint again what stands at the time cursor."""
        self.viewport().update()

    def _lay_ticks(self, numbers: bool) -> None:
        """Ticks of all axes, as many as there is room for; without curves there are none."""
        metrics, frame = QtGui.QFontMetricsF(self._font), self._box.sceneBoundingRect()
        (begin, end), (low, high) = self._box.viewRange()
        most = max(int(frame.height() / (2.4 * metrics.height())), 2)
        left = power_ticks(low, high, most) if self._pane.log else even_ticks(low, high, most)
        offset, slope = self._right
        right = even_ticks(offset + slope * low, offset + slope * high, most)
        wide = metrics.horizontalAdvance("0.000") * 1.7
        bottom = even_ticks(begin, end, max(int(frame.width() / wide), 2))
        two, item = self._pane.two_axes, self._item
        self._ticks = (
            left if numbers else [],
            bottom if numbers or not self.across[0] else [],
            [((v - offset) / slope, text) for v, text in right] if two and numbers else [],
        )
        room = lambda ticks: max((metrics.horizontalAdvance(t) for _, t in ticks), default=0.0)
        item.getAxis("left").setWidth(max(round(room(left)) + 8, self._theme.dp(30)))
        item.getAxis("right").setWidth(round(room(right)) + 8 if two else 0)

    def drawBackground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        super().drawBackground(painter, rect)
        theme, frame = self._theme, self._box.sceneBoundingRect()
        left, bottom, right = self._ticks
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._font)
        high, away, flags = painter.fontMetrics().height(), self._theme.dp(5), Qt.AlignmentFlag
        line, zero, ink = (theme.color(r) for r in ("plot_grid", "line_strong", "plot_axis"))
        begin, (name, unit) = self._box.viewRange()[0][0], self.across
        for value, text in left:
            y = self.place(begin, value).y()
            at = zero if value == 0 and not self._pane.log else line
            painter.fillRect(QtCore.QRectF(frame.left(), round(y), frame.width(), 1), at)
            painter.setPen(ink)
            room = QtCore.QRectF(0, y - high / 2, frame.left() - away, high)
            painter.drawText(room, flags.AlignRight | flags.AlignVCenter, text)
        for value, text in right:
            y = self.place(begin, value).y()
            painter.setPen(ink)
            room = QtCore.QRectF(frame.right() + away, y - high / 2, self.width(), high)
            painter.drawText(room, flags.AlignLeft | flags.AlignVCenter, text)
        for k, (value, text) in enumerate(bottom):
            x = self.x_of(value)
            painter.fillRect(QtCore.QRectF(round(x), frame.top(), 1, frame.height()), line)
            words = f"{text} {unit}".rstrip() if k + 1 == len(bottom) and not name else text
            half = painter.fontMetrics().horizontalAdvance(words) / 2 + 1
            x = min(x, self.width() - half)
            painter.setPen(ink)
            room = QtCore.QRectF(x - half, frame.bottom() + away - 1, 2 * half, high)
            painter.drawText(room, flags.AlignCenter, words)
        if name:
            y = frame.bottom() + away - 1 + high
            room = QtCore.QRectF(frame.left(), y, frame.width(), high + 2)
            words = f"{name}, {unit}" if unit else name
            painter.setPen(theme.color("text2"))
            words = painter.fontMetrics().elidedText(
                words, Qt.TextElideMode.ElideRight, int(room.width())
            )
            painter.drawText(room, flags.AlignCenter, words)

    @property
    def room_above(self) -> QtCore.QRect:
        """Room between the units at the heads of the axes."""
        metrics, edge = QtGui.QFontMetrics(self._font), self._theme.dp(8)
        left, right = (metrics.horizontalAdvance(u) + edge for u in self._pane.units)
        right += edge if self._pane.two_axes else 0
        high = self._theme.dp(HEADS)
        return QtCore.QRect(left, 0, self.width() - left - right, high)

    def _draw_units(self, painter: QtGui.QPainter, frame: QtCore.QRectF) -> None:
        """Units at the heads of their axes."""
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text2"))
        high = self._theme.dp(16)
        top, edge = frame.top() - high - 1, self._theme.dp(8)
        left, right = self._pane.units
        room = QtCore.QRectF(edge, top, self.width() - 2 * edge, high)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, left)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)

    def _draw_reading(
        self, painter: QtGui.QPainter, center: QtCore.QPointF, ink: str, words: str
    ) -> None:
        """Dot, glow and a chip with words where the pointer is at a curve."""
        theme, color = self._theme, QtGui.QColor(ink)
        glow = QtGui.QColor(color)
        glow.setAlphaF(0.25)
        painter.setPen(Qt.PenStyle.NoPen)
        for shade, size in ((glow, 9.0), (color, 4.5)):
            painter.setBrush(shade)
            painter.drawEllipse(
                center, size * math.sqrt(theme.scale), size * math.sqrt(theme.scale)
            )
        font = QtGui.QFont(self._font)
        font.setPixelSize(theme.dp(11))
        painter.setFont(font)
        metrics = QtGui.QFontMetricsF(font)
        wide, high, away = metrics.horizontalAdvance(words) + theme.dp(18), theme.dp(24), 14
        left = center.x() + away
        if left + wide > self.width() - 2:
            left = max(center.x() - wide - away, 2.0)
        top = min(max(center.y() - high - away + 2, 2.0), self.height() - high - 2)
        chip = QtCore.QRectF(left, top, wide, high)
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(chip, 5, 5)
        painter.setPen(theme.color("text"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)

    def _draw_box(self, painter: QtGui.QPainter) -> bool:
        """The box that is being drawn; False if there is none."""
        if self._grip != "box" or not self._moved:
            return False
        painter.setPen(QtGui.QPen(self._theme.color("accent"), 1))
        painter.setBrush(self._theme.color("accent", 0.12))
        painter.drawRect(QtCore.QRectF(self._from, self._corner).normalized())
        return True

    def resizeEvent(self, ev: QtGui.QResizeEvent | None) -> None:
        super().resizeEvent(ev)
        if hasattr(self, "_right"):
            # the view follows its new size a turn later, and then needs other ticks
            QtCore.QTimer.singleShot(0, self, self._resized)

    def _resized(self) -> None:
        self._drawn = (None,)
        self.refresh()

    # pointer

    def mousePressEvent(self, ev: QtGui.QMouseEvent) -> None:
        self.used.emit()
        if ev.button() == Qt.MouseButton.RightButton:
            self.menu_requested.emit(ev.globalPosition().toPoint())
            return
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
            return
        self._from, self._moved = ev.position(), False
        self._corner = self._from
        boxed = ev.modifiers() & Qt.KeyboardModifier.ShiftModifier
        self._grip = "box" if boxed else self._take(ev.position())

    def mouseMoveEvent(self, ev: QtGui.QMouseEvent) -> None:
        at = ev.position()
        if not ev.buttons() & Qt.MouseButton.LeftButton:
            self._point(at)
            return
        self._moved = self._moved or (at - self._from).manhattanLength() > 3
        if self._grip == "box":
            self._corner = at
            self.viewport().update()
        elif self._grip != "pan":
            self._drag(at)
        elif self._moved:
            before, now = (self._box.mapSceneToView(p) for p in (self._corner, at))
            self._corner = at
            self._pan(before, now)

    def mouseReleaseEvent(self, ev: QtGui.QMouseEvent) -> None:
        grip, self._grip = self._grip, ""
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
        elif grip == "box" and self._moved:
            box = QtCore.QRectF(self._from, self._corner).normalized()
            first, last = (self._box.mapSceneToView(p) for p in (box.bottomLeft(), box.topRight()))
            if last.x() > first.x() and last.y() > first.y():
                self._zoom_to(first, last)
        self.viewport().update()

    def mouseDoubleClickEvent(self, ev: QtGui.QMouseEvent) -> None:
        self.show_all()

    def leaveEvent(self, ev: QtCore.QEvent) -> None:
        super().leaveEvent(ev)
        self._point(None)

    def focusInEvent(self, ev: QtGui.QFocusEvent) -> None:
        super().focusInEvent(ev)
        self.used.emit()

    # keys

    def event(self, ev: QtCore.QEvent) -> bool:
        # letters that are tools elsewhere belong to the pane while it has the focus
        if (
            ev.type() == QtCore.QEvent.Type.ShortcutOverride
            and isinstance(ev, QtGui.QKeyEvent)
            and self._act(ev) is not None
        ):
            ev.accept()
            return True
        return super().event(ev)

    def spoken_value(self) -> str:
        """Curves with their values at the time cursor."""
        time = self._studio.runs.playback.time
        return comma().join(f"{t.name} {self.value_text(t, time)}" for t in self.drawn)

    def keyPressEvent(self, ev: QtGui.QKeyEvent) -> None:
        act = self._act(ev)
        if act is None:
            ev.ignore()
        else:
            act()
