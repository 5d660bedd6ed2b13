"""The curves of one pane, drawn by pyqtgraph, with the cursors and the pointer's reading over them;
this module is imported after the first frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6 import QtCore, QtGui

from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace, counted, value_at
from mechstudio.application.studio import Studio
from mechstudio.curves.course import Course, thinned
from mechstudio.translation import localised, tr
from mechstudio.view.lessons.covers import Cover
from mechstudio.view.plots.curve_area import NEAR, NOTCH, CurveArea
from mechstudio.view.plots.ticks import power_text, reach, reading, with_common_zero
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import FAINT, THICK, THIN, WIDE, color_of, curve_pen

Qt = QtCore.Qt
GRIP = 6  # px from a cursor at which the pointer has it
COLUMN = 2  # px for which the least and the greatest value are drawn
RING, DOT = 6.0, 3.5  # marks of measured data [px]
SPACED = 7  # px from mark to mark, below which they are small
FADE_MS = 500  # in which another run appears
# widths of the pane that a curve may be long before it is drawn without dashes, times this power of
# the theme's stroke
CROWD, STROKE_POWER = 5, 5


class PlotArea(CurveArea):
    """Curves over the time."""

    def __init__(
        self, theme: Theme, studio: Studio, pane: Pane, traces: Callable[[], list[Trace]]
    ) -> None:
        super().__init__(theme, studio, pane, traces)
        self._item.setClipToView(True)
        self.cover = Cover(theme, studio, self._axis_of)
        self._by_hand: tuple[float, float] | None = None  # range of the left axis
        self._time = 0.0
        self._hover: tuple[Trace, float, float] | None = None  # trace, time, place on the left axis
        self._lined: list[tuple[Trace, bool]] = []  # what the lines show, and whether it is a crowd
        self._present: tuple[object, str] = (None, "")  # recording and movement that are shown
        self.fade = QtCore.QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=FADE_MS)
        self.fade.valueChanged.connect(self._faded)
        theme.follow(self.dress)
        self.dress()

    def show_pane(self, pane: Pane) -> None:
        """Show another pane, with the range of another unit found again."""
        if pane.units != self._pane.units or pane.log != self._pane.log:
            self._by_hand = None
        self._hover = None
        super().show_pane(pane)

    # drawing

    def refresh(self) -> None:
        """Draw the curves, if there is more than was drawn."""
        self.drawn = self._source()
        self._fade_in()
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
            # measured data move with their clock
            tuple(float(t.time[0]) if len(t.time) else 0.0 for t in self.drawn),
        )
        if state == self._drawn:
            self._repaint_cursor()
            return
        self._drawn = state
        shown = self._points(begin, end)
        inside = [(t, y[(x >= begin) & (x <= end)] if len(x) else y) for t, x, y in shown if len(y)]
        # the run before is cut off where it goes beyond the curves of the present one
        scaled = {t.key for t in counted([t for t, _ in inside])}
        inside = [(t, y) for t, y in inside if t.key in scaled]
        left = reach([y for t, y in inside if not t.curve.second], self._pane.log)
        right = reach([y for t, y in inside if t.curve.second], False)
        if self._pane.two_axes:
            left, right = with_common_zero(left, right)
        slope = (right[1] - right[0]) / (left[1] - left[0])
        self._right = (right[0] - slope * left[0], slope) if self._pane.two_axes else (0.0, 1.0)
        while len(self._lines) < len(shown):
            self._lines.append(self._item.plot([], []))
        self._lined = []
        for line, (t, x, y) in zip(self._lines, shown):
            placed = self._placed(t, y)
            crowd = self._is_crowd(placed, self._by_hand or left)
            self._lined.append((t, crowd))
            if t.points:
                good = np.isfinite(placed)
                line.setZValue(0.5)
                line.setData(x[good], placed[good], antialias=True, **self._marks(t, len(x)))
                continue
            line.setPen(self._pen(t, crowd))
            line.setZValue(-0.5 if t.run else 0.0)
            line.setData(x, placed, antialias=not crowd, symbol=None)
        for line in self._lines[len(shown) :]:
            line.setData([], [])
        self._box.setXRange(begin, end, padding=0.0)
        self._box.setYRange(*(self._by_hand or left), padding=0.0)
        self._lay_ticks(bool(inside))
        self._repaint_cursor()
        self.viewport().update()

    def _fade_in(self) -> None:
        """Let another run appear while the one before turns grey; those of one drag of a slider
        follow each other at once, and a run that goes on with other loads shows the same curve.
        """
        recording, movement = self._studio.runs.recording, self._studio.document.movement
        before, moved = self._present
        if recording is before or recording is None:
            return
        self._present = recording, movement
        if (
            any(t.run for t in self.drawn)
            and not recording.is_changed
            and not (movement and movement == moved)
            and not self._studio.preferences.still
            and self.isVisible()
        ):
            self.fade.start()

    @property
    def _faded_in(self) -> float:
        """Share of its ink that the present run has, 0 to 1."""
        running = self.fade.state() == QtCore.QAbstractAnimation.State.Running
        return float(self.fade.currentValue()) if running else 1.0

    def _faded(self) -> None:
        """Draw the curves with the ink that they have now."""
        for line, (trace, crowd) in zip(self._lines, self._lined):
            if not trace.points:
                line.setPen(self._pen(trace, crowd))

    def _points(self, begin: float, end: float) -> list[tuple[Trace, np.ndarray, np.ndarray]]:
        """Instants and values of the lines that are drawn over a stretch."""
        shown = []
        for t in self.drawn:
            points = thinned(Course(t.time, t.values), begin, end, self._width // COLUMN)
            shown.append((t, points.times, points.values))
        return shown

    def _is_crowd(self, values: np.ndarray, scale: tuple[float, float]) -> bool:
        """True for a curve that runs up and down so often that it fills its pane: dashes and smooth
        edges of it cost seconds, and are invisible.
        """
        if len(values) < self._width // 4:
            return False
        high = self._box.sceneBoundingRect().height()
        length = float(np.nansum(np.abs(np.diff(values)))) * high / (scale[1] - scale[0])
        # thick lines in front of a class are worth their time
        return length > CROWD * self._theme.stroke**STROKE_POWER * self._width

    def _marks(self, trace: Trace, count: int) -> dict[str, object]:
        """Rings of measured data, smaller ones where they are many."""
        scale = math.sqrt(self._theme.scale)
        crowded = count * SPACED > self._width
        return {
            "pen": None,
            "symbol": "o",
            "symbolSize": (DOT if crowded else RING) * scale,
            "symbolPen": pg.mkPen(color_of(self._theme, trace.color), width=scale),
            "symbolBrush": self._theme.color("plot"),
        }

    def _pen(self, trace: Trace, crowd: bool = False) -> QtGui.QPen:
        old, thick = trace.color < 0, trace.curve.key in self.thick
        loose = self._studio.questions.curves.loose(trace.curve.key)
        color, ink = self._ink(trace)
        if crowd:
            shade = QtGui.QColor(color)
            shade.setAlphaF(ink)
            pen = QtGui.QPen(shade, 1)
            pen.setCosmetic(True)
            return pen
        return curve_pen(
            self._theme,
            color,
            trace.dash,
            THICK if thick else THIN if old else trace.curve.width or WIDE,
            ink * (FAINT if loose else 1.0),
        )

    def _ink(self, trace: Trace) -> tuple[str, float]:
        """Colour of a trace, and how much of it there is, 0 to 1, while runs fade."""
        color, share = color_of(self._theme, trace.color), self._faded_in
        if not trace.run:
            return color, share
        if trace.color >= 0 or share >= 1.0:
            return color, 1.0
        # the run before turns from its own colour to grey
        own, grey = QtGui.QColor(color_of(self._theme, trace.curve.color)), QtGui.QColor(color)
        parts = zip(own.getRgbF()[:3], grey.getRgbF()[:3])  # type: ignore[index]
        return QtGui.QColor.fromRgbF(*(a + share * (b - a) for a, b in parts)).name(), 1.0

    def _placed(self, trace: Trace, values: np.ndarray) -> np.ndarray:
        """A trace's values on the left axis's scale."""
        return (values - self._right[0]) / self._right[1] if trace.curve.second else values

    def move_cursor(self) -> None:
        """Bring the line of the time cursor to where it is now."""
        if self._time != self._studio.runs.playback.time:
            self._repaint_cursor()
            self._time = self._studio.runs.playback.time
        self._repaint_cursor()

    def time_at(self, x: float) -> float:
        """Instant at a position [px]."""
        return self._box.mapSceneToView(QtCore.QPointF(x, 0.0)).x()

    def place_of(self, key: str, time: float) -> QtCore.QPoint:
        """Position of a curve at an instant [px]."""
        trace = next(t for t in self.drawn if t.key == key)
        value = float(self._placed(trace, np.array([value_at(trace, time)]))[0])
        return self.place(time, value).toPoint()

    def _repaint_cursor(self) -> None:
        """Paint again the strip of the time cursor."""
        # far outside a small stretch it has no whole number of pixels
        x = min(max(self.x_of(self._time), -16.0), self.width() + 16.0)
        self.viewport().update(QtCore.QRect(round(x) - 8, 0, 16, self.height()))

    def drawForeground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        super().drawForeground(painter, rect)
        frame = self._box.sceneBoundingRect()
        self._draw_units(painter, frame)
        if not any(len(t.time) for t in self.drawn):
            return
        self.cover.paint(painter, frame, self.place, self._pane)
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
        times = [self._time, *(m for _, m in marks)]
        end = min(end, self.cover.begin(self._pane))
        self._draw_dots(painter, frame, [t for t in times if begin <= t <= end])
        for name, x in inside:
            self._draw_flag(painter, frame, name, x)
        if not self._draw_box(painter) and self._hover is not None and not self._grip:
            trace, time, y = self._hover
            ink = color_of(theme, trace.color)
            self._draw_reading(painter, self.place(time, y), ink, self.reading)

    def _draw_dots(self, painter: QtGui.QPainter, frame: QtCore.QRectF, times: list[float]) -> None:
        """Dots where cursors cut the curves."""
        theme = self._theme
        painter.setPen(QtGui.QPen(theme.color("plot"), 1.5))
        size = 4.0 * math.sqrt(theme.scale)
        for t in self.drawn:
            for time in times if t.color >= 0 and not t.points else ():
                value = value_at(t, time)
                if math.isfinite(value):
                    y = float(self._placed(t, np.array([value]))[0])
                    center = self.place(time, y)
                    if frame.adjusted(-2, -2, 2, 2).contains(center):
                        painter.setBrush(QtGui.QColor(color_of(theme, t.color)))
                        painter.drawEllipse(center, size, size)

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

    @property
    def reading(self) -> str:
        """Name, value and instant of the curve that the pointer is at; "" at none."""
        if self._hover is None:
            return ""
        trace, time, _ = self._hover
        return f"{tr(trace.name)}   {self.value_text(trace, time)}   " + localised(f"{time:.3f} s")

    def value_text(self, trace: Trace, time: float, unit: bool = True) -> str:
        """Value of a trace at an instant, in the digits of its axis."""
        value = value_at(trace, time)
        if self._pane.log:
            text = power_text(value)
        else:
            low, high = self._box.viewRange()[1]
            span = (high - low) * (self._right[1] if trace.curve.second else 1.0)
            text = reading(value, span)
        return f"{text} {trace.curve.unit}".strip() if unit else text

    # pointer

    def _at_mark(self, x: float) -> str:
        """The cursor that the pointer has at a position [px]: "a", "b", "time" or none."""
        plots = self._studio.plots
        places = {"a": plots.a, "b": plots.b, "time": self._time}
        near = {name: abs(self.x_of(time) - x) for name, time in places.items() if time is not None}
        name = min(near, key=lambda n: near[n])
        return name if near[name] <= GRIP else ""

    def _take(self, at: QtCore.QPointF) -> str:
        if self._draw_at(at):
            return "sketch"
        # a whole run cannot be panned: there the pointer pulls the time
        whole = self._studio.plots.stretch is None
        taken = self._at_mark(at.x()) or ("time" if whole else "pan")
        if taken == "time":
            self._seek(at.x())
        return taken

    def _axis_of(self, key: str) -> tuple[float, float]:
        """Place of zero and of one unit [SI] of a curve on the left axis."""
        curve = next(c for c in self._pane.curves if c.key == key)
        offset, slope = self._right if curve.second else (0.0, 1.0)
        return -offset / slope, 1.0 / (curve.factor * slope)

    def _draw_at(self, at: QtCore.QPointF) -> bool:
        """Draw on at a position of the covered stretch [px]; False where nothing can be drawn."""
        place = self._box.mapSceneToView(at)
        return self.cover.draw(self._pane, place.x(), place.y())

    def _seek(self, x: float) -> None:
        self._studio.runs.playback.pause()
        self._studio.runs.playback.seek(self.time_at(x))

    def _drag(self, at: QtCore.QPointF) -> None:
        if self._grip == "sketch":
            self._draw_at(at)
        elif self._grip == "time":
            self._seek(at.x())
        elif self._grip in ("a", "b"):
            self._studio.plots.set_cursor(self._grip, self.time_at(at.x()))

    def _pan(self, before: QtCore.QPointF, now: QtCore.QPointF) -> None:
        if self._by_hand is not None:
            up = before.y() - now.y()
            self._by_hand = (self._by_hand[0] + up, self._by_hand[1] + up)
        self._studio.plots.set_follow(False)
        self._studio.plots.pan(before.x() - now.x())
        self.refresh()

    def mouseReleaseEvent(self, ev: QtGui.QMouseEvent) -> None:
        self.cover.lift()
        if self._grip == "pan" and not self._moved and ev.button() == Qt.MouseButton.LeftButton:
            self._seek(ev.position().x())
        super().mouseReleaseEvent(ev)

    def _zoom_to(self, first: QtCore.QPointF, last: QtCore.QPointF) -> None:
        self._by_hand = (first.y(), last.y())
        self._studio.plots.set_follow(False)
        self._studio.plots.show(first.x(), last.x())
        self.refresh()

    def forget_range(self) -> None:
        """Find the range of the left axis again."""
        self._by_hand = None

    def show_all(self) -> None:
        """Show the whole run and all of every curve."""
        self.forget_range()
        self._studio.plots.show_whole()
        self.refresh()

    def wheelEvent(self, ev: QtGui.QWheelEvent) -> None:
        self.used.emit()
        rotated, across = ev.angleDelta().y() / 120, ev.angleDelta().x() / 120
        if across or ev.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            begin, end = self._studio.plots.shown
            self._studio.plots.set_follow(False)
            self._studio.plots.pan(-0.1 * (across or rotated) * (end - begin))
        else:
            self._studio.plots.zoom(NOTCH**rotated, self.time_at(ev.position().x()))
        ev.accept()

    def _found_at(self, at: QtCore.QPointF) -> tuple[Trace, float, float] | None:
        """The curve nearest to a position [px], with the instant and the place on the left axis."""
        time = self.time_at(at.x())
        if time > self.cover.begin(self._pane):
            return None
        best: tuple[Trace, float, float] | None = None
        least = NEAR * math.sqrt(self._theme.scale)
        for t in self.drawn:
            value = value_at(t, time)
            if math.isfinite(value):
                y = float(self._placed(t, np.array([value]))[0])
                away = abs(self.place(time, y).y() - at.y())
                if away < least:
                    best, least = (t, time, y), away
        return best

    def _point(self, at: QtCore.QPointF | None) -> None:
        if at is None:
            self._set_hover(None)
            return
        best = self._found_at(at)
        mark = self._at_mark(at.x())
        shapes = Qt.CursorShape
        self.setCursor(
            shapes.CrossCursor
            if self.cover.draws(self._pane, self.time_at(at.x()))
            else shapes.SplitHCursor
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
