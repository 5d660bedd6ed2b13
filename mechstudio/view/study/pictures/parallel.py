"""Parallel axes: a line for each row, ranges drawn along the axes keep what goes through them."""

import math
from collections.abc import Sequence

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.studies.shown_study import Column
from mechstudio.view.study.pictures.row_picture import RowPicture

Qt = QtCore.Qt
SIDE, TOP, BOTTOM = 58, 36, 22  # px at the normal text size
MOST_LINES = 1500  # that are drawn; of more every second, third … one
NEAR = 7  # px from a line at which the pointer is on it
GRAB = 12  # px beside an axis in which a range is drawn


class ParallelAxes(RowPicture):
    """Lines between the axes, with what is chosen over them."""

    def __init__(self, *made) -> None:
        super().__init__(*made)
        self._dragged: tuple[int, float] | None = None  # axis, and where it began 0 … 1

    @property
    def columns(self) -> Sequence[Column]:
        return self.shown.columns

    @property
    def most_rows(self) -> int:
        return MOST_LINES

    def axis_x(self, axis: int) -> float:
        """Place of an axis across [px]."""
        side = self.theme.dp(SIDE)
        count = max(len(self.shown.columns) - 1, 1)
        return side + (self.width() - 2 * side) * axis / count

    def axis_y(self, part: float) -> float:
        """Place along an axis [px] of a part of its range."""
        top, bottom = self.theme.dp(TOP), self.height() - self.theme.dp(BOTTOM)
        return bottom + (top - bottom) * part

    def paint(self, painter: QtGui.QPainter) -> None:
        kept = self.shown.kept[self.rows]
        xs = [self.axis_x(a) for a in range(len(self.shown.columns))]
        ys = self.axis_y(0.0) + (self.axis_y(1.0) - self.axis_y(0.0)) * self.parts
        # many lines are thin ones
        alpha = float(np.clip(12.0 / np.sqrt(max(len(ys), 1)), 0.10, 0.55))
        hue, grey = self.hue(alpha), self.theme.color("text3", 0.4 * alpha)
        for state, color in ((False, grey), (True, hue)):
            painter.setPen(QtGui.QPen(color, 1.0))
            path = QtGui.QPainterPath()
            for line in ys[kept == state].tolist():
                path.moveTo(xs[0], line[0])
                for x, y in zip(xs[1:], line[1:]):
                    if not math.isfinite(y):
                        break  # a run may lack a measure and have those before it
                    path.lineTo(x, y)
            painter.drawPath(path)

    def row_at(self, place: QtCore.QPointF) -> int | None:
        self.prepare()
        xs = [self.axis_x(a) for a in range(len(self.shown.columns))]
        if not len(self.rows) or not xs[0] <= place.x() <= xs[-1] or len(xs) < 2:
            return None
        k = min(int(np.searchsorted(xs, place.x(), "right")) - 1, len(xs) - 2)
        share = (place.x() - xs[k]) / (xs[k + 1] - xs[k])
        parts = self.parts[:, k] * (1 - share) + self.parts[:, k + 1] * share
        away = np.abs(self.axis_y(0) + (self.axis_y(1) - self.axis_y(0)) * parts - place.y())
        away[~(self.shown.kept[self.rows] & np.isfinite(away))] = np.inf
        nearest = int(np.argmin(away))
        return int(self.rows[nearest]) if away[nearest] <= self.theme.dp(NEAR) else None

    def _axis_at(self, place: QtCore.QPointF) -> int | None:
        for a in range(len(self.shown.columns)):
            if abs(place.x() - self.axis_x(a)) <= self.theme.dp(GRAB):
                return a
        return None

    def _part_at(self, y: float) -> float:
        part = (y - self.axis_y(0.0)) / (self.axis_y(1.0) - self.axis_y(0.0))
        return min(max(part, 0.0), 1.0)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self.prepare()
        axis = self._axis_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and axis is not None and self.ranges:
            self._dragged = (axis, self._part_at(event.position().y()))
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._dragged is None:
            over = self._axis_at(event.position()) is not None
            self.setCursor(Qt.CursorShape.SizeVerCursor if over else Qt.CursorShape.ArrowCursor)
            super().mouseMoveEvent(event)
            return
        axis, began = self._dragged
        now = self._part_at(event.position().y())
        if abs(now - began) * self.height() > 3:
            low, high = sorted((began, now))
            r = self.ranges[axis]
            # a range up to an end leaves nothing out there by rounding
            ends = (
                -np.inf if low <= 0.0 else r.low + low * (r.high - r.low),
                np.inf if high >= 1.0 else r.low + high * (r.high - r.low),
            )
            self.shown.keep_range(axis, ends)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._dragged is not None:
            axis, began = self._dragged
            self._dragged = None
            if abs(self._part_at(event.position().y()) - began) * self.height() <= 3:
                self.shown.keep_range(axis, None)

    def draw(self, painter: QtGui.QPainter) -> None:
        self.prepare()
        theme, dp, shown = self.theme, self.theme.dp, self.shown
        if self.picture is not None:
            painter.drawPixmap(0, 0, self.picture)
        columns = shown.columns
        wide = (self.width() - 2 * dp(SIDE)) / max(len(columns) - 1, 1)
        for a, (column, r) in enumerate(zip(columns, self.ranges)):
            x = self.axis_x(a)
            painter.setPen(QtGui.QPen(theme.color("line_strong"), 1.4))
            painter.drawLine(QtCore.QPointF(x, self.axis_y(0)), QtCore.QPointF(x, self.axis_y(1)))
            painter.setFont(self.font_of())
            half = min(wide / 2 - 2, x - 2, self.width() - x - 2) if len(columns) > 1 else wide
            half = max(half, dp(24))
            span = max(abs(r.low), abs(r.high))
            metrics = painter.fontMetrics()
            for words, top, role in (
                (
                    metrics.elidedText(column.head, Qt.TextElideMode.ElideRight, round(2 * half)),
                    2,
                    "text",
                ),
                (self.word(column, r.high, span), 17, "text2"),
            ):
                painter.setPen(theme.color(role))
                painter.drawText(
                    QtCore.QRectF(x - half, dp(top), 2 * half, dp(16)),
                    Qt.AlignmentFlag.AlignCenter,
                    words,
                )
            painter.drawText(
                QtCore.QRectF(x - half, self.axis_y(0) + dp(3), 2 * half, dp(16)),
                Qt.AlignmentFlag.AlignCenter,
                self.word(column, r.low, span),
            )
            if a in shown.ranges:
                low, high = (float(np.clip(r.part(np.array(v)), 0, 1)) for v in shown.ranges[a])
                box = QtCore.QRectF(
                    x - dp(4), self.axis_y(high), dp(8), self.axis_y(low) - self.axis_y(high)
                )
                painter.setBrush(theme.color("accent_soft", 0.8))
                painter.setPen(QtGui.QPen(theme.color("accent"), 1.2))
                painter.drawRoundedRect(box, 3, 3)
        for row, width in ((shown.hovered, 1.6), (shown.chosen, 2.4)):
            if row is not None:
                self._row(painter, row, width, row == shown.chosen)

    def _row(self, painter: QtGui.QPainter, row: int, width: float, chosen: bool) -> None:
        columns, theme, dp = self.shown.columns, self.theme, self.theme.dp
        points = [
            QtCore.QPointF(self.axis_x(a), self.axis_y(float(r.part(c.values[row]))))
            for a, (c, r) in enumerate(zip(columns, self.ranges))
            if np.isfinite(c.values[row])
        ]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QtGui.QPen(theme.color("accent" if chosen else "text2"), width))
        painter.drawPolyline(QtGui.QPolygonF(points))
        if not chosen or len(points) != len(columns):
            return
        painter.setFont(self.font_of())
        for a, (c, r, at) in enumerate(zip(columns, self.ranges, points)):
            painter.setBrush(theme.color("accent"))
            painter.setPen(QtGui.QPen(theme.color("panel"), 1.4))
            painter.drawEllipse(at, dp(4), dp(4))
            words = self.word(c, float(c.values[row]), max(abs(r.low), abs(r.high)))
            wide = painter.fontMetrics().horizontalAdvance(words) + dp(8)
            left = at.x() + dp(8) if a + 1 < len(columns) else at.x() - dp(8) - wide
            chip = QtCore.QRectF(left, at.y() - dp(9), wide, dp(18))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft"))
            painter.drawRoundedRect(chip, 3, 3)
            painter.setPen(theme.color("accent_text"))
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, words)
