"""Plots under a film: drawn once, with a cursor and a dot on each curve for every frame."""

from typing import cast

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from mechstudio.curves.picture import Inside, Line, Look, Panel, Theme, colors, insides, svg
from mechstudio.view.widgets.svg import drawn_svg

MOST = 4  # plots that are still read


class PlotStrip:
    """Panels side by side in a picture of a size [px]."""

    def __init__(
        self, panels: list[Panel], size: tuple[int, int], theme: str, text: float, units: float = 1
    ) -> None:
        """units: seconds in a unit of the horizontal axes."""
        shown = panels[:MOST]
        look = Look(float(size[0]), float(size[1]), cast(Theme, theme), text, len(shown))
        self._ink, self._text, self._units = colors(look.theme), text, units
        self._insides = insides(shown, look)
        self._picture = drawn_svg(svg(shown, look), size)

    def paint(self, painter: QPainter, top: float, time: float) -> None:
        """Paint it so far below the upper edge, with the cursor at a time [s]."""
        painter.drawImage(QPointF(0, top), self._picture)
        for inside in self._insides:
            if not inside.drawing.panel.x_title:
                self._paint_cursor(painter, top, inside, time / self._units)

    def _paint_cursor(self, painter: QPainter, top: float, inside: Inside, time: float) -> None:
        panel, (low, high) = inside.drawing.panel, inside.shown
        if not panel.lines or not low <= time <= high:
            return
        _, above, _, below = inside.room
        x = inside.place(panel.lines[0], time, 0.0)[0]
        wide = self._text / 12
        painter.setPen(QPen(QColor(self._ink["text"]), 1.2 * wide))
        painter.drawLine(QPointF(x, top + above), QPointF(x, top + below))
        for line in panel.lines:
            value = _value(line, time)
            if value is None:
                continue
            px, py = inside.place(line, time, value)
            if not above - 1 <= py <= below + 1:
                continue
            series = self._ink["series"]
            painter.setPen(QPen(QColor(self._ink["plot"]), 1.5 * wide))
            painter.setBrush(QColor(series[line.color % len(series)]))
            painter.drawEllipse(QPointF(px, top + py), 4.0 * wide, 4.0 * wide)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def _value(line: Line, time: float) -> float | None:
    """A line's value at a time; None where it has a gap, is made of points, or does not reach."""
    if line.points or not len(line.x) or not line.x[0] <= time <= line.x[-1]:
        return None
    k = int(np.searchsorted(line.x, time))
    if k < len(line.x) and line.x[k] == time:
        found = line.y[k]
    else:
        a, b = line.x[k - 1], line.x[k]
        found = line.y[k - 1] + (line.y[k] - line.y[k - 1]) * (time - a) / (b - a)
    return float(found) if np.isfinite(found) else None
