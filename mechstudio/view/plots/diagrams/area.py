"""The area of a diagram: phase plot, one quantity over another, spectrum, section; this module is
imported after the first frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6 import QtCore, QtGui

from mechstudio.application.plots.diagrams import (
    DiagramCurve,
    Drawing,
    Peak,
    across_words,
    loud_end,
    point_at,
)
from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace, counted
from mechstudio.application.studio import Studio
from mechstudio.translation import localised, tr
from mechstudio.view.plots.curve_area import NEAR, NOTCH, CurveArea
from mechstudio.view.plots.ticks import power_text, reach, reading
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import THICK, THIN, WIDE, color_of, curve_pen

Qt = QtCore.Qt
DOT = 5.0  # diameter of a point of a section [px]
LOOK_AGAIN = 60  # ms after which it is looked whether a diagram has been found
CROWD = 20_000  # points of a line that are drawn with smooth edges
Range = tuple[tuple[float, float], tuple[float, float]]


class _Hover(NamedTuple):
    curve: DiagramCurve
    x: float
    y: float
    time: float  # NaN where the point has no instant
    peak: Peak | None = None


class DiagramArea(CurveArea):
    """Curves over something else than the time.

    A click at a curve brings the time cursor to the instant of its point; the wheel zooms, a drag
    pans what is zoomed, a drag with Shift zooms into a box.  make(traces): what is drawn of them.
    drew(drawing): it is drawn.
    """

    drew = QtCore.Signal(object)
    bottom = 32

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        pane: Pane,
        traces: Callable[[], list[Trace]],
        make: Callable[[list[Trace]], Drawing],
    ) -> None:
        super().__init__(theme, studio, pane, traces)
        self._make = make
        self.drawing = Drawing()
        self._by_hand: Range | None = None
        self._paths: list[pg.PlotDataItem] = []
        self._whole: Range = ((0.0, 1.0), (0.0, 1.0))
        self._hover: _Hover | None = None
        # points on the screen to be found by the pointer: curve, places in it, (n, 2) in px
        self._near: list[tuple[DiagramCurve, np.ndarray, np.ndarray]] = []
        theme.follow(self.dress)
        self.dress()

    def show_pane(self, pane: Pane) -> None:
        """Show another pane, with the range of another diagram found again."""
        keep = ("kind", "across", "one_turn")
        facts = lambda p: (p.units, p.log, [getattr(p.diagram, name, "") for name in keep])
        if facts(pane) != facts(self._pane):
            self._by_hand = None
        self._hover = None
        super().show_pane(pane)

    @property
    def across(self) -> tuple[str, str]:
        """Name and unit of the horizontal axis."""
        return across_words(self._pane)

    # drawing

    def refresh(self) -> None:
        """Draw the diagram, if it is another than was drawn."""
        self.drawn = self._source()
        made = self._make(self.drawn)
        if made.pending:
            QtCore.QTimer.singleShot(LOOK_AGAIN, self, self.refresh)
            if not made.curves and self.drawing.curves:
                # the old curves stay meanwhile, and the line below gives the reason
                made = self.drawing._replace(note=made.refusal, pending=True)
        self.drawing = made
        # a gap at an end equals itself
        ends = lambda v: (len(v), *np.nan_to_num(v[[0, -1]]).tolist()) if len(v) else (0, 0.0, 0.0)
        state = (
            tuple(
                (c.trace.key, c.trace.color, c.trace.dash, ends(c.x), ends(c.y)) for c in made[0]
            ),
            made.note,
            made.refusal,
            self._studio.plots.shown,
            (self.width(), self.height()),
            self._by_hand,
            self.thick,
            self._pane,
        )
        if state == self._drawn:
            return
        self._drawn = state
        # the run before is cut off where it goes beyond the curves of the present one
        scaled = {t.key for t in counted([c.trace for c in made.curves])}
        self._whole = self._found_range(tuple(c for c in made.curves if c.trace.key in scaled))
        across, up = self._by_hand or self._whole
        self._box.setXRange(*across, padding=0.0)
        self._box.setYRange(*up, padding=0.0)
        while len(self._lines) < len(made.curves):
            self._lines.append(self._item.plot([], [], connect="finite"))
        self._near = []
        paths = [c.path for c in made.curves if len(c.path[0])]
        while len(self._paths) < len(paths):
            self._paths.append(self._item.plot([], [], connect="finite"))
        for k, line in enumerate(self._paths):
            line.setData(*(paths[k] if k < len(paths) else ([], [])))
            line.setPen(QtGui.QPen(self._theme.color("text3", 0.4), 0))
            line.setZValue(-1.0)
        for line, c in zip(self._lines, made.curves):
            self._draw_curve(line, c)
        for line in self._lines[len(made.curves) :]:
            line.setData([], [])
        self._lay_ticks(bool(made.curves))
        self.drew.emit(made)
        self.viewport().update()

    def _found_range(self, curves: tuple[DiagramCurve, ...]) -> Range:
        """Range that shows all of the curves, of a spectrum up to its last loud frequency."""
        log, d = self._pane.log, self._pane.diagram
        across = reach([v for c in curves for v in (c.x, c.path[0])], False)
        if d is not None and d.kind == "spectrum":
            ends = [loud_end(c, log) for c in curves]
            across = (0.0, max(ends, default=1.0))
            up = reach([c.y[c.x <= across[1]] for c in curves], log)
            top = up[1] + (0.0 if log else 0.08 * (up[1] - up[0]))  # room for words of peaks
            return across, (up[0] if log else 0.0, top)
        return across, reach([v for c in curves for v in (c.y, c.path[1])], log)

    def _draw_curve(self, line: pg.PlotDataItem, c: DiagramCurve) -> None:
        """Give a line the points of a curve, without those that fall on the pixel of their
        neighbour.
        """
        t, theme = c.trace, self._theme
        color = color_of(theme, t.color)
        places = self._placed(c.x, c.y)
        shown = np.floor(places)  # a gap differs from everything
        other = np.ones(len(shown), bool)
        other[1:-1] = (shown[1:-1] != shown[:-2]).any(axis=1)
        keep = np.flatnonzero(other) if not c.points else np.arange(len(c.x))
        self._near.append((c, keep, places[keep]))
        old = t.color < 0
        width = THICK if t.curve.key in self.thick else THIN if old else t.curve.width or WIDE
        crowd = len(keep) > CROWD
        line.setZValue(-0.5 if t.run else 0.0)
        line.opts["antialias"] = not crowd
        if c.points:
            line.setData(
                c.x,
                c.y,
                pen=None,
                symbol="o",
                symbolSize=DOT * math.sqrt(theme.scale) * (1.3 if width == THICK else 1.0),
                symbolBrush=QtGui.QColor(color),
                symbolPen=None,
            )
        else:
            pen = curve_pen(theme, color, 0 if crowd else t.dash, 1.0 if crowd else width)
            line.setData(c.x[keep], c.y[keep], pen=pen, symbol=None, connect="finite")

    def _placed(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Positions (n, 2) of points [px]."""
        frame, (across, up) = self._box.sceneBoundingRect(), self._box.viewRange()
        out = np.empty((len(x), 2))
        out[:, 0] = frame.left() + (x - across[0]) / (across[1] - across[0]) * frame.width()
        out[:, 1] = frame.bottom() - (y - up[0]) / (up[1] - up[0]) * frame.height()
        return np.clip(np.nan_to_num(out, nan=np.nan), -1e6, 1e6)

    def move_cursor(self) -> None:
        """Bring the dots to the present instant."""
        self._repaint_cursor()

    def drawForeground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        super().drawForeground(painter, rect)
        theme, frame = self._theme, self._box.sceneBoundingRect()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        if self.drawing.curves:
            self._draw_units(painter, frame)
        elif self.drawing.refusal:
            painter.setFont(self.font())
            painter.setPen(theme.color("text3"))
            room = frame.adjusted(theme.dp(12), 0, -theme.dp(12), 0)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(flags), self.drawing.refusal)
        now = self._studio.runs.playback.time
        size = 4.5 * math.sqrt(theme.scale)
        for c in self.drawing.curves:
            at = point_at(c, now) if c.trace.color >= 0 else None
            if at is None:
                continue
            center = self.place(*at)
            if frame.adjusted(-2, -2, 2, 2).contains(center):
                painter.setPen(QtGui.QPen(theme.color("plot"), 1.5))
                painter.setBrush(QtGui.QColor(color_of(theme, c.trace.color)))
                painter.drawEllipse(center, size, size)
        self._draw_peaks(painter, frame)
        if not self._draw_box(painter) and self._hover is not None and not self._grip:
            ink = color_of(theme, self._hover.curve.trace.color)
            self._draw_reading(painter, self.place(self._hover.x, self._hover.y), ink, self.reading)

    def _draw_peaks(self, painter: QtGui.QPainter, frame: QtCore.QRectF) -> None:
        """Frequencies at the peaks of a spectrum, the highest first, where there is room."""
        theme = self._theme
        painter.setFont(self._font)
        metrics, taken = QtGui.QFontMetricsF(self._font), []
        found = [(c, peak) for c in self.drawing.curves for peak in c.peaks]
        for c, peak in sorted(found, key=lambda each: -each[1].value):
            center = self.place(peak.frequency, peak.value)
            if not frame.adjusted(-1, -1, 1, 1).contains(center):
                continue
            color = QtGui.QColor(color_of(theme, c.trace.color))
            painter.setPen(QtGui.QPen(theme.color("plot"), 1.5))
            painter.setBrush(color)
            painter.drawEllipse(center, 3.5, 3.5)
            words = frequency_text(peak.frequency)
            wide, high = metrics.horizontalAdvance(words) + 6, metrics.height()
            left = min(max(center.x() - wide / 2, frame.left()), frame.right() - wide)
            room = QtCore.QRectF(left, center.y() - high - theme.dp(6), wide, high)
            if any(room.intersects(other) for other in taken):
                continue
            taken.append(room.adjusted(-3, -1, 3, 1))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("plot", 0.8))
            painter.drawRoundedRect(room, 3, 3)
            painter.setPen(theme.color("text"))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    # words

    @property
    def reading(self) -> str:
        """Name, place and instant of the point that the pointer is at; "" at none."""
        h = self._hover
        if h is None:
            return ""
        across, up = self._box.viewRange()
        unit = self.across[1]
        x = frequency_text(h.x) if unit == "Hz" else f"{reading(h.x, across[1] - across[0])} {unit}"
        y = power_text(h.y) if self._pane.log else reading(h.y, up[1] - up[0])
        parts = [tr(h.curve.trace.name), x.strip(), f"{y} {self._pane.units[0]}".strip()]
        if math.isfinite(h.time):
            parts.append(localised(f"{h.time:.3f} s"))
        return "   ".join(parts)

    def value_text(self, trace: Trace, time: float, unit: bool = True) -> str:
        """Value of a curve at an instant, of a spectrum its highest peak, of a section the number
        of its points.
        """
        c = next((c for c in self.drawing.curves if c.trace.key == trace.key), None)
        if c is None:
            return "–"
        if c.points:
            return str(len(c.x))
        if self._pane.diagram is not None and self._pane.diagram.kind == "spectrum":
            top = max(c.peaks, key=lambda peak: peak.value, default=None)
            return "–" if top is None else frequency_text(top.frequency)
        at, (low, high) = point_at(c, time), self._box.viewRange()[1]
        text = "–" if at is None else reading(at[1], high - low)
        return f"{text} {self._pane.units[0]}".strip() if unit else text

    # pointer

    def _take(self, at: QtCore.QPointF) -> str:
        hover = self._found_at(at)
        if hover is not None and math.isfinite(hover.time):
            self._seek(hover)
            return "time"
        return "pan" if self._by_hand is not None else ""

    def _seek(self, hover: _Hover) -> None:
        self._studio.runs.playback.pause()
        self._studio.runs.playback.seek(hover.time)

    def _drag(self, at: QtCore.QPointF) -> None:
        if self._grip == "time":
            # along the curve, from the point that was taken
            hover = self._found_at(at, 4 * NEAR)
            if hover is not None and math.isfinite(hover.time):
                self._seek(hover)

    def _pan(self, before: QtCore.QPointF, now: QtCore.QPointF) -> None:
        self._move_range(before.x() - now.x(), before.y() - now.y())

    def _zoom_to(self, first: QtCore.QPointF, last: QtCore.QPointF) -> None:
        self._by_hand = ((first.x(), last.x()), (first.y(), last.y()))
        self.refresh()

    def _move_range(self, right: float, up: float) -> None:
        (a, b), (c, d) = self._by_hand or self._whole
        self._by_hand = ((a + right, b + right), (c + up, d + up))
        self.refresh()

    def forget_range(self) -> None:
        """Find the ranges of both axes again."""
        self._by_hand = None

    def show_all(self) -> None:
        """Show all of the diagram."""
        self.forget_range()
        self.refresh()

    def zoom(self, factor: float, at: QtCore.QPointF) -> None:
        """Show less, for factors above 1, with what is at a position [px] where it is; a spectrum
        zooms along its frequencies.
        """
        across, up = self._by_hand or self._whole
        here = self._box.mapSceneToView(at)
        new = lambda ends, c: (c + (ends[0] - c) / factor, c + (ends[1] - c) / factor)
        d = self._pane.diagram
        flat = d is not None and d.kind == "spectrum"
        across = new(across, here.x())
        if flat:
            across = max(across[0], 0.0), across[1]
        self._by_hand = (across, up if flat else new(up, here.y()))
        self.refresh()

    def wheelEvent(self, ev: QtGui.QWheelEvent) -> None:
        self.used.emit()
        rotated, sideways = ev.angleDelta().y() / 120, ev.angleDelta().x() / 120
        if sideways or ev.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            (a, b), _ = self._by_hand or self._whole
            self._move_range(-0.1 * (sideways or rotated) * (b - a), 0.0)
        else:
            self.zoom(NOTCH**rotated, ev.position())
        ev.accept()

    def _found_at(self, at: QtCore.QPointF, reach: float = NEAR) -> _Hover | None:
        """The point of a curve nearest to a position [px], within a distance."""
        least = reach * math.sqrt(self._theme.scale)
        best: _Hover | None = None
        for c, keep, places in self._near:
            for peak in c.peaks:
                center = self.place(peak.frequency, peak.value)
                away = math.hypot(center.x() - at.x(), center.y() - at.y())
                if away < least:
                    best, least = _Hover(c, peak.frequency, peak.value, math.nan, peak), away
            if not len(keep):
                continue
            away = np.hypot(places[:, 0] - at.x(), places[:, 1] - at.y())
            away[~np.isfinite(away)] = np.inf
            k = int(np.argmin(away))
            if away[k] < least:
                n, least = int(keep[k]), float(away[k])
                time = float(c.instants[n]) if len(c.instants) else math.nan
                best = _Hover(c, float(c.x[n]), float(c.y[n]), time)
        return best

    def _point(self, at: QtCore.QPointF | None) -> None:
        if at is None:
            self._set_hover(None)
            return
        found, shapes = self._found_at(at), Qt.CursorShape
        self.setCursor(
            shapes.PointingHandCursor
            if found is not None
            else shapes.OpenHandCursor
            if self._by_hand is not None
            else shapes.ArrowCursor
        )
        self._set_hover(found)

    def _set_hover(self, new: _Hover | None) -> None:
        before = "" if self._hover is None else self._hover.curve.trace.curve.key
        self._hover = new
        self.viewport().update()
        after = "" if new is None else new.curve.trace.curve.key
        if before != after:
            self.pointed.emit(after)

    def _act(self, ev: QtGui.QKeyEvent) -> Callable[[], object] | None:
        keys = Qt.Key
        if ev.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return self.copied.emit if ev.key() == keys.Key_C else None
        if ev.modifiers() & (Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier):
            return None
        here = QtCore.QPointF(self.mapFromGlobal(QtGui.QCursor.pos()))
        if not self._box.sceneBoundingRect().contains(here):
            here = self._box.sceneBoundingRect().center()
        return {
            keys.Key_Plus: lambda: self.zoom(NOTCH**2, here),
            keys.Key_Equal: lambda: self.zoom(NOTCH**2, here),
            keys.Key_Minus: lambda: self.zoom(NOTCH**-2, here),
            keys.Key_0: self.show_all,
            keys.Key_Insert: self.requested.emit,
        }.get(keys(ev.key()))


def frequency_text(frequency: float) -> str:
    """A frequency with four digits, "0.4984 Hz"."""
    return f"{reading(frequency, frequency)} Hz"
