"""The curves of one pane, drawn by pyqtgraph, with the cursors and the pointer's reading over them;
this module is imported after the first frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace, value_at
from mechstudio.application.studio import Studio
from mechstudio.curves.course import Course
from mechstudio.curves.thinning import thinned
from mechstudio.translation import tr
from mechstudio.view.plots.ticks import (
    Ticks,
    even_ticks,
    power_text,
    power_ticks,
    reach,
    reading,
    with_common_zero,
)
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import FAINT, THICK, THIN, WIDE, color_of, curve_pen

Qt = QtCore.Qt
pg.setConfigOptions(antialias=True)
NEAR, GRIP = 9, 6  # px from a curve, and from a cursor, at which the pointer has it
COLUMN = 2  # px for which the least and the greatest value are drawn
CROWD = 5  # widths of the pane that a curve may be long before it is drawn without dashes
NOTCH = 1.25  # zoom of one notch of the wheel


class PlotArea(pg.PlotWidget):
    """Curves over the time.

    traces(): what is drawn now, with numbers; loose(key): rigid bodies do not determine it.
    touched: the pane is used.  pointed(key): the pointer is at a curve, "" for none.
    wanted, copied: quantities are to be chosen, curves to be copied.  menu_requested(place on the
    screen): by the right button.
    """

    touched = QtCore.Signal()
    pointed = QtCore.Signal(str)
    requested = QtCore.Signal()
    copied = QtCore.Signal()
    menu_requested = QtCore.Signal(QtCore.QPoint)

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
        item.setClipToView(True)
        self._lines: list[pg.PlotDataItem] = []
        self.drawn: list[Trace] = []
        self.thick: frozenset[str] = frozenset()  # keys of curves that are pointed at
        self._ticks: tuple[Ticks, Ticks, Ticks] = ([], [], [])  # left, bottom, right
        self._drawn: tuple[object, ...] = (None,)
        # the right axis is a second scale over the same view: right = _right[0] + _right[1] * left
        self._right = (0.0, 1.0)
        self._by_hand: tuple[float, float] | None = None  # range of the left axis
        self._time = 0.0
        self._grip = ""  # what is being dragged: "time", "a", "b", "pan", "box"
        self._from = QtCore.QPointF()
        self._moved = False
        self._corner = QtCore.QPointF()
        self._hover: tuple[Trace, float, float] | None = None  # trace, time, place on the left axis
        theme.follow(self.dress)
        self.dress()

    def show_pane(self, pane: Pane) -> None:
        """Show another pane; to make another plot for it would take many times as long."""
        if pane.units != self._pane.units or pane.log != self._pane.log:
            self._by_hand = None
        self._pane, self._hover = pane, None
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
        item.getAxis("bottom").setHeight(theme.dp(18))
        item.setContentsMargins(theme.dp(6), theme.dp(18), theme.dp(14), theme.dp(4))
        self._drawn = (None,)
        self.refresh()

    # drawing

    @property
    def _width(self) -> int:
        return max(round(self._box.sceneBoundingRect().width()), 50)

    def refresh(self) -> None:
        """Draw what there is, if it is more than was drawn."""
        self.drawn = self._source()
        begin, end = self._studio.plots.shown
        state = (
            tuple((t.key, t.color, t.dash, len(t.time), id(t.values.base)) for t in self.drawn),
            (begin, end),
            self._width,
            self._by_hand,
            self.thick,
            self._pane,
            # values of the same length may be those of another run
            tuple(float(t.values[-1]) if len(t.values) else 0.0 for t in self.drawn),
        )
        if state == self._drawn:
            self._touch_cursor()
            return
        self._drawn = state
        shown: list[tuple[Trace, np.ndarray, np.ndarray]] = []
        for t in self.drawn:
            points = thinned(Course(t.time, t.values), begin, end, self._width // COLUMN)
            shown.append((t, points.times, points.values))
        inside = [(t, y[(x >= begin) & (x <= end)] if len(x) else y) for t, x, y in shown if len(y)]
        left = reach([y for t, y in inside if not t.curve.second], self._pane.log)
        right = reach([y for t, y in inside if t.curve.second], False)
        if self._pane.two_axes:
            left, right = with_common_zero(left, right)
        slope = (right[1] - right[0]) / (left[1] - left[0])
        self._right = (right[0] - slope * left[0], slope) if self._pane.two_axes else (0.0, 1.0)
        while len(self._lines) < len(shown):
            self._lines.append(self._item.plot([], []))
        for line, (t, x, y) in zip(self._lines, shown):
            placed = self._placed(t, y)
            crowd = self._is_crowd(placed, self._by_hand or left)
            line.setPen(self._pen(t, crowd))
            line.setZValue(-0.5 if t.run else 0.0)
            line.setData(x, placed, antialias=not crowd)
        for line in self._lines[len(shown) :]:
            line.setData([], [])
        self._box.setXRange(begin, end, padding=0.0)
        self._box.setYRange(*(self._by_hand or left), padding=0.0)
        self._lay_ticks(bool(inside))
        self._touch_cursor()
        self.viewport().update()

    def _is_crowd(self, values: np.ndarray, scale: tuple[float, float]) -> bool:
        """True for a curve that runs up and down so often that it fills its pane: dashes and smooth
        edges of it cost seconds, and nobody sees them.
        """
        if len(values) < self._width // 4:
            return False
        high = self._box.sceneBoundingRect().height()
        length = float(np.nansum(np.abs(np.diff(values)))) * high / (scale[1] - scale[0])
        return length > CROWD * self._width

    def _pen(self, trace: Trace, crowd: bool = False) -> QtGui.QPen:
        old, thick = trace.color < 0, trace.curve.key in self.thick
        loose = self._studio.questions.curves.loose(trace.curve.key)
        if crowd:
            pen = QtGui.QPen(QtGui.QColor(color_of(self._theme, trace.color)), 1)
            pen.setCosmetic(True)
            return pen
        return curve_pen(
            self._theme,
            color_of(self._theme, trace.color),
            trace.dash,
            THICK if thick else THIN if old else WIDE,
            FAINT if loose else 1.0,
        )

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
            bottom,
            [((v - offset) / slope, text) for v, text in right] if two and numbers else [],
        )
        room = lambda ticks: max((metrics.horizontalAdvance(t) for _, t in ticks), default=0.0)
        item.getAxis("left").setWidth(max(round(room(left)) + 8, self._theme.dp(30)))
        item.getAxis("right").setWidth(round(room(right)) + 8 if two else 0)

    def _placed(self, trace: Trace, values: np.ndarray) -> np.ndarray:
        """A trace's values on the left axis's scale."""
        return (values - self._right[0]) / self._right[1] if trace.curve.second else values

    def move_cursor(self) -> None:
        """Follow the time cursor."""
        if self._time != self._studio.runs.playback.time:
            self._touch_cursor()
            self._time = self._studio.runs.playback.time
        self._touch_cursor()

    def x_of(self, time: float) -> float:
        """Position of an instant [px]."""
        return self._box.mapViewToScene(QtCore.QPointF(time, 0.0)).x()

    def time_at(self, x: float) -> float:
        """Instant at a position [px]."""
        return self._box.mapSceneToView(QtCore.QPointF(x, 0.0)).x()

    def place(self, time: float, value: float) -> QtCore.QPointF:
        """Position of an instant and a value of the left axis [px]."""
        return self._box.mapViewToScene(QtCore.QPointF(time, value))

    def place_of(self, key: str, time: float) -> QtCore.QPoint:
        """Position of a curve at an instant [px]."""
        trace = next(t for t in self.drawn if t.key == key)
        value = float(self._placed(trace, np.array([value_at(trace, time)]))[0])
        return self.place(time, value).toPoint()

    def _touch_cursor(self) -> None:
        self.viewport().update(QtCore.QRect(round(self.x_of(self._time)) - 8, 0, 16, self.height()))

    def drawBackground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        super().drawBackground(painter, rect)
        theme, frame = self._theme, self._box.sceneBoundingRect()
        left, bottom, right = self._ticks
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._font)
        high, away, flags = painter.fontMetrics().height(), self._theme.dp(5), Qt.AlignmentFlag
        line, zero, ink = (theme.color(r) for r in ("plot_grid", "line_strong", "plot_axis"))
        begin = self._box.viewRange()[0][0]
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
            words = f"{text} s" if k + 1 == len(bottom) else text
            half = painter.fontMetrics().horizontalAdvance(words) / 2 + 1
            x = min(x, self.width() - half)
            painter.setPen(ink)
            room = QtCore.QRectF(x - half, frame.bottom() + away - 1, 2 * half, high)
            painter.drawText(room, flags.AlignCenter, words)

    def drawForeground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        super().drawForeground(painter, rect)
        frame = self._box.sceneBoundingRect()
        self._draw_units(painter, frame)
        if not any(len(t.time) for t in self.drawn):
            return
        plots, theme = self._studio.plots, self._theme
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
        marks = [(name, t) for name, t in (("A", plots.a), ("B", plots.b)) if t is not None]
        if plots.a is not None and plots.b is not None:
            ends = sorted(min(max(self.x_of(t), frame.left()), frame.right()) for _, t in marks)
            swept = theme.color("text", 0.045)
            painter.fillRect(
                QtCore.QRectF(ends[0], frame.top(), ends[1] - ends[0], frame.height()), swept
            )
        now = self.x_of(self._time)
        if frame.left() - 1 <= now <= frame.right() + 1:
            painter.fillRect(
                QtCore.QRectF(round(now - 0.5), frame.top(), 1, frame.height()), theme.color("text")
            )
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        begin, end = plots.shown
        inside = [(name, self.x_of(time)) for name, time in marks if begin <= time <= end]
        for _, x in inside:
            self._draw_mark(painter, frame, x)
        painter.setPen(QtGui.QPen(theme.color("plot"), 1.5))
        size = 4.0 * math.sqrt(theme.scale)
        for t in self.drawn:
            for time in (self._time, *(m for _, m in marks)) if t.color >= 0 else ():
                value = value_at(t, time)
                if begin <= time <= end and math.isfinite(value):
                    y = float(self._placed(t, np.array([value]))[0])
                    spot = self.place(time, y)
                    if frame.adjusted(-2, -2, 2, 2).contains(spot):
                        painter.setBrush(QtGui.QColor(color_of(theme, t.color)))
                        painter.drawEllipse(spot, size, size)
        for name, x in inside:
            self._draw_flag(painter, frame, name, x)
        if self._grip == "box" and self._moved:
            painter.setPen(QtGui.QPen(theme.color("accent"), 1))
            painter.setBrush(theme.color("accent", 0.12))
            painter.drawRect(QtCore.QRectF(self._from, self._corner).normalized())
        elif self._hover is not None and not self._grip:
            self._draw_reading(painter, frame)

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

    def _draw_mark(self, painter: QtGui.QPainter, frame: QtCore.QRectF, x: float) -> None:
        """The dashed line of cursor A or B."""
        pen = QtGui.QPen(self._theme.color("text2"), 1.1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.drawLine(QtCore.QPointF(x, frame.top()), QtCore.QPointF(x, frame.bottom()))

    def _draw_flag(
        self, painter: QtGui.QPainter, frame: QtCore.QRectF, name: str, x: float
    ) -> None:
        """The flag of cursor A or B, over the curves."""
        theme = self._theme
        flag = QtCore.QRectF(x - theme.dp(8), frame.top() - 1, theme.dp(16), theme.dp(15))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text2"))
        painter.drawRoundedRect(flag, 3, 3)
        font = QtGui.QFont(self._font)
        font.setWeight(QtGui.QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("raised"))
        painter.drawText(flag, Qt.AlignmentFlag.AlignCenter, name)

    def _draw_reading(self, painter: QtGui.QPainter, frame: QtCore.QRectF) -> None:
        """Dot, glow and a chip with the value where the pointer is at a curve."""
        assert self._hover is not None
        trace, time, y = self._hover
        theme, spot = self._theme, self.place(time, y)
        color = QtGui.QColor(color_of(theme, trace.color))
        glow = QtGui.QColor(color)
        glow.setAlphaF(0.25)
        painter.setPen(Qt.PenStyle.NoPen)
        for shade, size in ((glow, 9.0), (color, 4.5)):
            painter.setBrush(shade)
            painter.drawEllipse(spot, size * math.sqrt(theme.scale), size * math.sqrt(theme.scale))
        words = self.reading
        font = QtGui.QFont(self._font)
        font.setPixelSize(theme.dp(11))
        painter.setFont(font)
        metrics = QtGui.QFontMetricsF(font)
        wide, high, away = metrics.horizontalAdvance(words) + theme.dp(18), theme.dp(24), 14
        left = spot.x() + away
        if left + wide > self.width() - 2:
            left = max(spot.x() - wide - away, 2.0)
        top = min(max(spot.y() - high - away + 2, 2.0), self.height() - high - 2)
        chip = QtCore.QRectF(left, top, wide, high)
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.setBrush(theme.color("raised"))
        painter.drawRoundedRect(chip, 5, 5)
        painter.setPen(theme.color("text"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)

    @property
    def reading(self) -> str:
        """Name, value and instant of the curve that the pointer is at; "" at none."""
        if self._hover is None:
            return ""
        trace, time, _ = self._hover
        return f"{tr(trace.name)}   {self.value_text(trace, time)}   {time:.3f} s"

    def value_text(self, trace: Trace, time: float, unit: bool = True) -> str:
        """Value of a trace at an instant, with its unit; a dash where it is unknown."""
        value = value_at(trace, time)
        if self._pane.log:
            text = power_text(value)
        else:
            low, high = self._box.viewRange()[1]
            span = (high - low) * (self._right[1] if trace.curve.second else 1.0)
            text = reading(value, span)
        return f"{text} {trace.curve.unit}".strip() if unit else text

    # pointer

    def resizeEvent(self, ev: QtGui.QResizeEvent | None) -> None:
        super().resizeEvent(ev)
        if hasattr(self, "_source"):
            # the view follows its new size a turn later, and then needs other ticks
            QtCore.QTimer.singleShot(0, self, self._resized)

    def _resized(self) -> None:
        self._drawn = (None,)
        self.refresh()

    def _at_mark(self, x: float) -> str:
        """The cursor that the pointer has at a position [px]: "a", "b", "time" or none."""
        plots = self._studio.plots
        places = {"a": plots.a, "b": plots.b, "time": self._time}
        near = {name: abs(self.x_of(time) - x) for name, time in places.items() if time is not None}
        name = min(near, key=lambda n: near[n])
        return name if near[name] <= GRIP else ""

    def mousePressEvent(self, ev: QtGui.QMouseEvent) -> None:
        self.touched.emit()
        if ev.button() == Qt.MouseButton.RightButton:
            self.menu_requested.emit(ev.globalPosition().toPoint())
            return
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
            return
        self._from, self._moved = ev.position(), False
        self._corner = self._from
        if ev.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._grip = "box"
            return
        self._grip = self._at_mark(ev.position().x())
        if not self._grip:
            # a whole run cannot be panned: there the pointer pulls the time
            self._grip = "pan" if self._studio.plots.stretch is not None else "time"
        if self._grip == "time":
            self._seek(ev.position().x())

    def _seek(self, x: float) -> None:
        self._studio.runs.playback.pause()
        self._studio.runs.playback.seek(self.time_at(x))

    def mouseMoveEvent(self, ev: QtGui.QMouseEvent) -> None:
        at = ev.position()
        if not ev.buttons() & Qt.MouseButton.LeftButton:
            self._point(at)
            return
        self._moved = self._moved or (at - self._from).manhattanLength() > 3
        if self._grip == "time":
            self._seek(at.x())
        elif self._grip in ("a", "b"):
            self._studio.plots.set_cursor(self._grip, self.time_at(at.x()))
        elif self._grip == "pan" and self._moved:
            self._pan(at)
        elif self._grip == "box":
            self._corner = at
            self.viewport().update()

    def _pan(self, at: QtCore.QPointF) -> None:
        before = self._box.mapSceneToView(self._corner)
        now = self._box.mapSceneToView(at)
        self._corner = at
        if self._by_hand is not None:
            up = before.y() - now.y()
            self._by_hand = (self._by_hand[0] + up, self._by_hand[1] + up)
        self._studio.plots.set_follow(False)
        self._studio.plots.pan(before.x() - now.x())
        self.refresh()

    def mouseReleaseEvent(self, ev: QtGui.QMouseEvent) -> None:
        grip, self._grip = self._grip, ""
        if ev.button() != Qt.MouseButton.LeftButton:
            ev.ignore()
        elif grip == "box" and self._moved:
            self._zoom_to(QtCore.QRectF(self._from, self._corner).normalized())
        elif grip == "pan" and not self._moved:
            self._seek(ev.position().x())
        self.viewport().update()

    def _zoom_to(self, box: QtCore.QRectF) -> None:
        corners = [self._box.mapSceneToView(p) for p in (box.topLeft(), box.bottomRight())]
        self._by_hand = (corners[1].y(), corners[0].y())
        self._studio.plots.set_follow(False)
        self._studio.plots.show(corners[0].x(), corners[1].x())
        self.refresh()

    def mouseDoubleClickEvent(self, ev: QtGui.QMouseEvent) -> None:
        self.show_all()

    def show_all(self) -> None:
        """Show the whole run and all of every curve."""
        self._by_hand = None
        self._studio.plots.show_whole()
        self.refresh()

    def wheelEvent(self, ev: QtGui.QWheelEvent) -> None:
        self.touched.emit()
        rotated, across = ev.angleDelta().y() / 120, ev.angleDelta().x() / 120
        if across or ev.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            begin, end = self._studio.plots.shown
            self._studio.plots.set_follow(False)
            self._studio.plots.pan(-0.1 * (across or rotated) * (end - begin))
        else:
            self._studio.plots.zoom(NOTCH**rotated, self.time_at(ev.position().x()))
        ev.accept()

    def leaveEvent(self, ev: QtCore.QEvent) -> None:
        super().leaveEvent(ev)
        self._set_hover(None)

    def _point(self, at: QtCore.QPointF) -> None:
        """Find the curve under the pointer."""
        time = self.time_at(at.x())
        best: tuple[Trace, float, float] | None = None
        least = NEAR * math.sqrt(self._theme.scale)
        for t in self.drawn:
            value = value_at(t, time)
            if math.isfinite(value):
                y = float(self._placed(t, np.array([value]))[0])
                away = abs(self.place(time, y).y() - at.y())
                if away < least:
                    best, least = (t, time, y), away
        mark = self._at_mark(at.x())
        shapes = Qt.CursorShape
        self.setCursor(
            shapes.SplitHCursor
            if mark
            else shapes.OpenHandCursor
            if self._studio.plots.stretch is not None
            else shapes.PointingHandCursor
        )
        self._set_hover(best)

    def _set_hover(self, new: tuple[Trace, float, float] | None) -> None:
        before = "" if self._hover is None else self._hover[0].curve.key
        self._hover = new
        self.viewport().update()
        after = "" if new is None else new[0].curve.key
        if before != after:
            self.pointed.emit(after)

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

    def keyPressEvent(self, ev: QtGui.QKeyEvent) -> None:
        act = self._act(ev)
        if act is None:
            ev.ignore()
        else:
            act()

    def _act(self, ev: QtGui.QKeyEvent) -> Callable[[], object] | None:
        keys, plots = Qt.Key, self._studio.plots
        if ev.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self.copied.emit if ev.key() == keys.Key_C else None
        if ev.modifiers() & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return None
        here = self._pointer_time
        return {
            keys.Key_Plus: lambda: plots.zoom(NOTCH**2, here),
            keys.Key_Equal: lambda: plots.zoom(NOTCH**2, here),
            keys.Key_Minus: lambda: plots.zoom(NOTCH**-2, here),
            keys.Key_0: self.show_all,
            keys.Key_A: lambda: plots.set_cursor("a", here),
            keys.Key_B: lambda: plots.set_cursor("b", here),
            keys.Key_Insert: self.requested.emit,
        }.get(keys(ev.key()))

    @property
    def _pointer_time(self) -> float:
        """The instant under the pointer, or of the time cursor where the pointer is elsewhere."""
        at = self.mapFromGlobal(QtGui.QCursor.pos())
        inside = self._box.sceneBoundingRect().contains(QtCore.QPointF(at))
        return self.time_at(at.x()) if inside else self._studio.runs.playback.time

    def focusInEvent(self, ev: QtGui.QFocusEvent) -> None:
        super().focusInEvent(ev)
        self.touched.emit()
