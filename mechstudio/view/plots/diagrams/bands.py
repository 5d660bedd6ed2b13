"""The area of an energy account: stacked bands over the time; this module is imported after the
first frame.
"""

from __future__ import annotations

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.plots.accounts import TOTAL, Bands, bands, outer_edge, values_at
from mechstudio.application.plots.traces import Trace
from mechstudio.translation import tr
from mechstudio.view.plots.area import PlotArea
from mechstudio.view.widgets.pens import color_of

Qt = QtCore.Qt
FILL, LIT = 0.42, 0.62  # opacity of a band, and of one that is pointed at
TRIED = 120  # places of a name
ROOM = 17  # height of a band that has room for its name [px at the normal text size]


class BandArea(PlotArea):
    """Stacked bands: what the mechanism holds more than at the start and what was taken from it up
    from zero, what it holds less and what was given to it down from zero.  Both heaps are equally
    high but for the balance, which is a line of its own.
    """

    _bands: Bands | None = None

    def _points(self, begin: float, end: float) -> list[tuple[Trace, np.ndarray, np.ndarray]]:
        """Outer edges of the bands, and the balance."""
        parts = [t for t in self.drawn if t.key != TOTAL]
        longest = max(self.drawn, key=lambda t: len(t.time), default=None)
        if longest is None or not len(longest.time):
            self._bands = None
            return []
        time = longest.time
        first, last = np.searchsorted(time, (begin, end))
        inside = time[max(first - 1, 0) : last + 2]
        if len(inside) > 2 * self._width:
            inside = np.linspace(inside[0], inside[-1], 2 * self._width)
        self._bands = found = bands(self.drawn, inside)
        out = []
        for t, (low, high) in zip(parts, found.edges, strict=True):
            values = values_at(t, inside)
            edge = outer_edge(values, low, high)
            out.append((t, inside, edge if len(t.time) else edge[:0]))
        total = next((t for t in self.drawn if t.key == TOTAL), None)
        if total is not None and len(total.time):
            out.append((total, inside, values_at(total, inside)))
        return [(t, x[: len(y)], y) for t, x, y in out]

    def drawBackground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        """Bands behind their lines."""
        super().drawBackground(painter, rect)
        if self._bands is None:
            return
        painter.save()
        painter.setClipRect(self._box.sceneBoundingRect())
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        parts = [t for t in self.drawn if t.key != TOTAL]
        times = self._bands.times
        for t, (low, high) in zip(parts, self._bands.edges, strict=True):
            if not len(t.time):
                continue
            color = QtGui.QColor(color_of(self._theme, t.color))
            color.setAlphaF(
                LIT if self._hover is not None and self._hover[0].key == t.key else FILL
            )
            painter.setBrush(color)
            ring = [self.place(x, y) for x, y in zip(times.tolist(), high.tolist())]
            ring += [self.place(x, y) for x, y in zip(times[::-1].tolist(), low[::-1].tolist())]
            painter.drawPolygon(QtGui.QPolygonF(ring))
        self._draw_names(painter, parts)
        painter.restore()

    def _draw_names(self, painter: QtGui.QPainter, parts: list[Trace]) -> None:
        """Name of each band where it is thickest, if it has room for it."""
        assert self._bands is not None
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text"))
        metrics, frame = painter.fontMetrics(), self._box.sceneBoundingRect()
        times = self._bands.times
        for t, (low, high) in zip(parts, self._bands.edges, strict=True):
            if not len(t.time) or not len(times):
                continue
            words = tr(t.word)
            half = metrics.horizontalAdvance(words) / 2 + 6
            away = [self.x_of(float(x)) for x in (times[0], times[-1])]
            across = np.interp(times, (times[0], times[-1]), away)
            fits = (across - half > frame.left()) & (across + half < frame.right())
            # as thick as over all of the word
            reach = max(round(half / max(away[1] - away[0], 1.0) * len(times)), 1)
            thick = np.full(len(times), -np.inf)
            for k in np.flatnonzero(fits)[:: max(1, len(times) // TRIED)].tolist():
                span = slice(max(k - reach, 0), k + reach)
                thick[k] = high[span].min() - low[span].max()
            k = int(np.argmax(thick))
            scale = abs(self.place(0, 1).y() - self.place(0, 0).y())
            if not np.isfinite(thick[k]) or thick[k] * scale < self._theme.dp(ROOM):
                continue
            span = slice(max(k - reach, 0), k + reach)
            middle = self.place(float(times[k]), float(high[span].min() + low[span].max()) / 2)
            room = QtCore.QRectF(middle.x() - half, middle.y() - 10, 2 * half, 20)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    def _draw_dots(self, painter: QtGui.QPainter, frame: QtCore.QRectF, times: list[float]) -> None:
        """No dots: a band is read by its thickness."""

    def _found_at(self, at: QtCore.QPointF) -> tuple[Trace, float, float] | None:
        """The band under a position [px]."""
        time, y = self.time_at(at.x()), self._box.mapSceneToView(at).y()
        parts = [t for t in self.drawn if t.key != TOTAL]
        if not self._box.sceneBoundingRect().contains(at):
            return None
        here = bands(self.drawn, np.array([time]))
        for t, (low, high) in zip(parts, here.edges, strict=True):
            if len(t.time) and low[0] <= y <= high[0] and low[0] < high[0]:
                return t, time, y
        return None
