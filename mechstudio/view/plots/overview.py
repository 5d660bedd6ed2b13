"""The strip of the whole run below the panes, with brackets around the stretch that they show."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.traces import Trace
from mechstudio.application.studio import Studio
from mechstudio.curves.course import Course, thinned
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import color_of, curve_pen

Qt = QtCore.Qt
HIGH, EDGE, GRIP = 38, 10, 8  # px at the normal text size


class Overview(QtWidgets.QWidget):
    """The stretch is dragged as a whole or at its brackets; a click beside it brings it there.
    source(): traces of the pane that was used last.
    """

    def __init__(self, theme: Theme, studio: Studio, source: Callable[[], list[Trace]]) -> None:
        super().__init__()
        self._theme, self._studio, self._source = theme, studio, source
        theme.fit(self, height=HIGH)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Overview of the run"))
        self._grip, self._from, self._stretch = "", 0.0, (0.0, 0.0)
        self._painted: tuple[object, QtGui.QPixmap] = (None, QtGui.QPixmap())
        theme.changed.connect(self.update)

    @property
    def _frame(self) -> QtCore.QRectF:
        edge = self._theme.dp(EDGE)
        return QtCore.QRectF(self.rect()).adjusted(edge, 4, -edge, -4)

    def x_of(self, time: float) -> float:
        """Position of an instant [px]."""
        begin, end = self._studio.plots.whole
        return self._frame.left() + (time - begin) / (end - begin) * self._frame.width()

    def time_at(self, x: float) -> float:
        """Instant at a position [px]."""
        begin, end = self._studio.plots.whole
        return begin + (x - self._frame.left()) / self._frame.width() * (end - begin)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        theme, frame, plots = self._theme, self._frame, self._studio.plots
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.color("panel"))
        begin, end = (self.x_of(t) for t in plots.shown)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent_soft", 0.75))
        painter.drawRoundedRect(
            QtCore.QRectF(begin, frame.top(), end - begin, frame.height()), 4, 4
        )
        trace = next((t for t in self._source() if len(t.time)), None)
        if trace is not None:
            self._curve(painter, trace)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QtGui.QPen(theme.color("accent"), 1.2))
        painter.drawRoundedRect(
            QtCore.QRectF(begin, frame.top(), end - begin, frame.height()), 4, 4
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        for x in (begin, end):
            painter.drawRoundedRect(QtCore.QRectF(x - 2.5, frame.center().y() - 7, 5, 14), 2.5, 2.5)
        now = self.x_of(self._studio.runs.playback.time)
        painter.fillRect(
            QtCore.QRectF(round(now), frame.top(), 1, frame.height()), theme.color("text")
        )

    def _curve(self, painter: QtGui.QPainter, trace: Trace) -> None:
        """The curve of the whole run, which is painted again only where it is another."""
        theme, ends = self._theme, (trace.values[0], trace.values[-1])
        state = (
            (trace.key, trace.color, len(trace.time), *map(float, ends)),
            (self.size().toTuple(), self.devicePixelRatio(), self._studio.plots.whole),
            (theme.name, theme.scale),
        )
        if state != self._painted[0]:
            self._painted = (state, self._picture(trace))
        painter.drawPixmap(0, 0, self._painted[1])

    def _picture(self, trace: Trace) -> QtGui.QPixmap:
        frame, ratio = self._frame, self.devicePixelRatio()
        image = QtGui.QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        points = thinned(
            Course(trace.time, trace.values), *self._studio.plots.whole, int(frame.width() / 2)
        )
        good = np.isfinite(points.values)
        if not good.any():
            return image
        low, high = float(points.values[good].min()), float(points.values[good].max())
        span = max(high - low, 1e-300)
        x = self.x_of(0.0) + points.times[good] * (self.x_of(1.0) - self.x_of(0.0))
        y = frame.bottom() - 4 - (points.values[good] - low) / span * (frame.height() - 8)
        line = QtGui.QPolygonF([QtCore.QPointF(a, b) for a, b in zip(x, y, strict=True)])
        painter = QtGui.QPainter(image)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(curve_pen(self._theme, color_of(self._theme, trace.color), 0, 1.1, 0.8))
        painter.drawPolyline(line)
        painter.end()
        return image

    # pointer

    def _at(self, x: float) -> str:
        begin, end = (self.x_of(t) for t in self._studio.plots.shown)
        if abs(x - begin) <= GRIP:
            return "begin"
        if abs(x - end) <= GRIP:
            return "end"
        return "all" if begin < x < end else ""

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        plots, x = self._studio.plots, event.position().x()
        self._grip, self._from, self._stretch = self._at(x), x, plots.shown
        plots.set_follow(False)
        if not self._grip:
            begin, end = plots.shown
            half, time = (end - begin) / 2, self.time_at(x)
            plots.show(time - half, time + half)
            self._grip, self._stretch = "all", plots.shown

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        plots, x = self._studio.plots, event.position().x()
        if not event.buttons() & Qt.MouseButton.LeftButton:
            shapes = Qt.CursorShape
            self.setCursor(
                {"begin": shapes.SplitHCursor, "end": shapes.SplitHCursor}.get(
                    self._at(x), shapes.OpenHandCursor
                )
            )
            return
        begin, end = self._stretch
        moved = self.time_at(x) - self.time_at(self._from)
        if self._grip == "begin":
            plots.show(min(begin + moved, end - 1e-9), end)
        elif self._grip == "end":
            plots.show(begin, max(end + moved, begin + 1e-9))
        elif self._grip == "all":
            first, last = plots.whole
            moved = min(max(moved, first - begin), last - end)
            plots.show(begin + moved, end + moved)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._grip = ""

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self._studio.plots.show_whole()
