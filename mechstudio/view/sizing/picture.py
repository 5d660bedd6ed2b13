"""Picture of an answer: curves before, after and of limits over one pair of axes."""

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model.sizing.answer import Line, SizedPicture
from mechstudio.model.units import unit
from mechstudio.view.plots.ticks import even_ticks
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
HIGH, WIDE = 210, 190  # px at the normal text size
ROOM = 0.06  # of a range beyond the curves


class PictureView(QtWidgets.QWidget):
    """A picture; what was before is grey and dashed, limits are dotted."""

    def __init__(self, theme: Theme, picture: SizedPicture, system: str) -> None:
        super().__init__()
        self._theme, self._picture = theme, picture
        self._x, self._y = (unit(d, system) for d in (picture.x_dimension, picture.y_dimension))
        theme.fit(self, height=HIGH, least_width=WIDE)
        self.setAccessibleName(picture.title)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self._head(painter)
        lines = [line for line in self._picture.lines if len(line.x)]
        if lines:
            self._draw(painter, lines)
        painter.end()

    # words

    def _font(self, strong: bool = False) -> QtGui.QFont:
        font = QtGui.QFont(self.font())
        font.setPixelSize(self._theme.dp(11))
        font.setWeight(QtGui.QFont.Weight.DemiBold if strong else QtGui.QFont.Weight.Normal)
        return font

    def _pen(self, line: Line) -> QtGui.QPen:
        dp = self._theme.dp
        color, width, style = {
            "before": (self._theme.color("text3"), dp(1.3), Qt.PenStyle.DashLine),
            "lasting": (self._theme.color("text2"), dp(1.2), Qt.PenStyle.DashDotLine),
            "after": (QtGui.QColor(self._theme["series"][0]), dp(1.7), Qt.PenStyle.SolidLine),
        }.get(line.role, (self._theme.color("text2"), dp(1.2), Qt.PenStyle.DotLine))
        pen = QtGui.QPen(color, max(1.0, float(width)), style)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        return pen

    def _head(self, painter: QtGui.QPainter) -> None:
        """Title, and under it the words of the curves with a stroke of each."""
        dp = self._theme.dp
        painter.setFont(self._font(True))
        painter.setPen(self._theme.color("text"))
        metrics = painter.fontMetrics()
        title = metrics.elidedText(
            self._picture.title, Qt.TextElideMode.ElideRight, self.width() - dp(4)
        )
        painter.drawText(QtCore.QPointF(0, metrics.ascent()), title)
        painter.setFont(self._font())
        x, y = 0.0, metrics.height() + dp(9)
        for line in self._picture.lines:
            painter.setPen(self._pen(line))
            painter.drawLine(QtCore.QPointF(x, y), QtCore.QPointF(x + dp(18), y))
            painter.setPen(self._theme.color("text2"))
            words = painter.fontMetrics()
            painter.drawText(QtCore.QPointF(x + dp(23), y + words.ascent() / 2 - 1), line.label)
            x += dp(23) + words.horizontalAdvance(line.label) + dp(14)

    # curves

    def _draw(self, painter: QtGui.QPainter, lines: list[Line]) -> None:
        dp = self._theme.dp
        curves = [
            (np.array(line.x) / self._x.factor, np.array(line.y) / self._y.factor) for line in lines
        ]
        (x0, x1), (y0, y1) = (
            _range([c[k] for c in curves], 0.0 if k == 0 and not self._picture.equal else ROOM)
            for k in (0, 1)
        )
        painter.setFont(self._font())
        metrics = painter.fontMetrics()
        top, bottom = metrics.height() + dp(24), metrics.height() + dp(6)
        high = max(self.height() - top - bottom, 20)
        rows = even_ticks(y0, y1, max(2, high // dp(34)))
        left = max((metrics.horizontalAdvance(t) for _, t in rows), default=0) + dp(8)
        room = QtCore.QRectF(left, top, max(self.width() - left - dp(10), 20), high)
        if self._picture.equal:
            x0, x1, y0, y1 = _equal(x0, x1, y0, y1, room.width() / room.height())
            rows = even_ticks(y0, y1, max(2, high // dp(34)))
        px = lambda x: room.left() + room.width() * (x - x0) / (x1 - x0)
        py = lambda y: room.bottom() - room.height() * (y - y0) / (y1 - y0)
        grid, word = QtGui.QPen(self._theme.color("line"), 1), self._theme.color("text3")
        for value, text in rows:
            painter.setPen(grid)
            painter.drawLine(
                QtCore.QPointF(room.left(), py(value)), QtCore.QPointF(room.right(), py(value))
            )
            painter.setPen(word)
            painter.drawText(
                QtCore.QRectF(0, py(value) - dp(10), left - dp(6), dp(20)),
                int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter),
                text,
            )
        self._bottom(painter, room, x0, x1, px)
        # the unit of the height, over its numbers
        label = f"{self._picture.y_label} [{self._y.symbol}]" if self._y.symbol else ""
        painter.drawText(
            QtCore.QRectF(room.left(), room.top() - metrics.height() + 2, room.width(), dp(16)),
            int(Qt.AlignmentFlag.AlignRight),
            label or self._picture.y_label,
        )
        painter.setClipRect(room.adjusted(-1, -1, 1, 1))
        for line, (x, y) in zip(lines, curves, strict=True):
            painter.setPen(self._pen(line))
            points = [
                QtCore.QPointF(px(a), py(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)
            ]
            painter.drawPolyline(QtGui.QPolygonF(points))
            if np.ptp(x) <= 1e-9 * (x1 - x0) and np.ptp(y) <= 1e-9 * (y1 - y0):
                painter.setBrush(painter.pen().color())
                painter.drawEllipse(points[0], dp(3), dp(3))
                painter.setBrush(Qt.BrushStyle.NoBrush)

    def _bottom(self, painter: QtGui.QPainter, room: QtCore.QRectF, x0, x1, px) -> None:
        """Numbers along the bottom, with their quantity at the right end."""
        dp, metrics = self._theme.dp, painter.fontMetrics()
        name = self._picture.x_label
        name += f" [{self._x.symbol}]" if self._x.symbol else ""
        painter.setPen(self._theme.color("text3"))
        y = room.bottom() + metrics.ascent() + dp(4)
        wide = metrics.horizontalAdvance(name)
        painter.drawText(QtCore.QPointF(room.right() - wide, y), name)
        for value, text in even_ticks(x0, x1, max(3, int(room.width() // dp(38)))):
            half = metrics.horizontalAdvance(text) / 2
            if px(value) + half < room.right() - wide - dp(8):
                painter.drawText(QtCore.QPointF(px(value) - half, y), text)


def _range(parts: list[np.ndarray], room: float) -> tuple[float, float]:
    """Range of the finite values with some room beyond, never empty."""
    values = np.concatenate(parts)
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-12):
        half = 0.5 * max(abs(low), 1e-9)
        return low - half, high + half
    return low - room * (high - low), high + room * (high - low)


def _equal(
    x0: float, x1: float, y0: float, y1: float, shape: float
) -> tuple[float, float, float, float]:
    """Ranges around the same middles with one scale, for a room whose width is `shape` heights."""
    half = 0.5 * max(x1 - x0, shape * (y1 - y0))
    x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    return x - half, x + half, y - half / shape, y + half / shape
