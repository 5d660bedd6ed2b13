"""Pictures of a search: the best run so far, and compromises between two goals."""

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.translation import tr
from mechstudio.view.study.pictures.axes import MOST_DOTS, NEAR, Between, wider
from mechstudio.view.study.pictures.figure import Range, range_of

Qt = QtCore.Qt


class _Dots(Between):
    """Runs as points, of which the one under the pointer is described and chosen."""

    def points(self) -> tuple[np.ndarray, np.ndarray, tuple[Range, Range]]:
        """Rows (n,), their places (n, 2) [px], and the ranges of the axes."""
        raise NotImplementedError

    def row_at(self, place: QtCore.QPointF) -> int | None:
        rows, places, _ = self.points()
        if not len(rows):
            return None
        away = np.hypot(places[:, 0] - place.x(), places[:, 1] - place.y())
        nearest = int(np.argmin(away))
        return int(rows[nearest]) if away[nearest] < self.theme.dp(NEAR) else None

    def place_of(self, row: int) -> QtCore.QPointF:
        """Place of a row that is drawn."""
        rows, places, _ = self.points()
        return QtCore.QPointF(*places[int(np.flatnonzero(rows == row)[0])].tolist())

    def dots(self, painter: QtGui.QPainter, rows: np.ndarray, places: np.ndarray) -> None:
        """Points: pale for a run outside the limits, ringed for the chosen one."""
        dp, shown = self.theme.dp, self.shown
        feasible = shown.feasible[rows]
        painter.setPen(Qt.PenStyle.NoPen)
        for kept, alpha in ((False, 0.18), (True, 0.5)):
            painter.setBrush(self.hue(alpha))
            for x, y in places[feasible == kept].tolist():
                painter.drawEllipse(QtCore.QPointF(x, y), dp(2.4), dp(2.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for row, width in ((shown.hovered, 1.4), (shown.chosen, 2.4)):
            at = np.flatnonzero(rows == (-1 if row is None else row))
            if len(at):
                painter.setPen(QtGui.QPen(self.theme.color("accent"), width))
                painter.drawEllipse(QtCore.QPointF(*places[int(at[0])].tolist()), dp(5), dp(5))


class BestSoFar(_Dots):
    """A measure over the runs in their order, and below them the best that keeps all limits."""

    def points(self) -> tuple[np.ndarray, np.ndarray, tuple[Range, Range]]:
        shown, measure = self.shown, self.shown.measure
        if shown.table is None or measure is None:
            return np.zeros(0, int), np.zeros((0, 2)), (Range(0, 1), Range(0, 1))
        column = shown.columns[measure]
        y = column.values / column.factor
        rows = np.flatnonzero(np.isfinite(y))
        rows = rows[:: max(1, -(-len(rows) // MOST_DOTS))]
        across = wider(Range(0.0, max(1.0, float(len(y)))), 0.02)
        of = (across, wider(range_of(y[rows])))
        return rows, self.places(rows + 1.0, y[rows], of), of

    def draw(self, painter: QtGui.QPainter) -> None:
        shown, measure = self.shown, self.shown.measure
        if shown.table is None or measure is None:
            return
        rows, places, of = self.points()
        column = shown.columns[measure]
        self.axes(painter, *of, (tr("run"), column.head))
        self.dots(painter, rows, places)
        place = measure - len(shown.table.parameters)
        if place not in shown.goals:
            return
        cost = shown.costs(place)
        best = np.fmin.accumulate(cost) if len(cost) else cost
        # runs that are better than all before them, and the last one
        leaps = np.flatnonzero(np.isfinite(best) & (np.append(np.nan, best[:-1]) != best))
        if not len(leaps):
            return
        values = column.values[leaps] / column.factor
        x = np.repeat(np.append(leaps + 1.0, len(cost)), 2)[1:-1]
        line = self.places(x, np.repeat(values, 2), of)
        painter.setPen(QtGui.QPen(self.theme.color("accent"), self.theme.dp(2)))
        corners = [QtCore.QPointF(*p) for p in line.tolist()]
        painter.drawPolyline(QtGui.QPolygonF(corners))


class Compromises(_Dots):
    """The second goal over the first: runs that none is better than in both are joined."""

    def points(self) -> tuple[np.ndarray, np.ndarray, tuple[Range, Range]]:
        shown = self.shown
        if shown.table is None or len(shown.goals) < 2:
            return np.zeros(0, int), np.zeros((0, 2)), (Range(0, 1), Range(0, 1))
        first = len(shown.table.parameters)
        x, y = (shown.columns[first + k] for k in shown.goals[:2])
        rows = np.flatnonzero(np.isfinite(x.values) & np.isfinite(y.values))
        # the front is never thinned
        thin = rows[:: max(1, -(-len(rows) // MOST_DOTS))]
        rows = np.union1d(thin, shown.front)
        a, b = x.values[rows] / x.factor, y.values[rows] / y.factor
        front = shown.front if len(shown.front) > 1 else rows
        of = tuple(
            wider(_around(c.values[front] / c.factor, c.values[rows] / c.factor)) for c in (x, y)
        )
        return rows, self.places(a, b, (of[0], of[1])), (of[0], of[1])

    def draw(self, painter: QtGui.QPainter) -> None:
        shown = self.shown
        rows, places, of = self.points()
        if shown.table is None or not len(rows):
            painter.setPen(self.theme.color("text2"))
            hint = tr("Compromises need two measures with a goal.")
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, hint)
            return
        first = len(shown.table.parameters)
        x, y = (shown.columns[first + k] for k in shown.goals[:2])
        self.axes(painter, *of, (x.head, y.head))
        painter.setClipRect(self.room().adjusted(-6, -6, 6, 6))
        self.dots(painter, rows, places)
        at = places[np.searchsorted(rows, shown.front)]
        painter.setPen(QtGui.QPen(self.theme.color("accent"), self.theme.dp(1.6)))
        corners = [QtCore.QPointF(*p) for p in at.tolist()]
        painter.drawPolyline(QtGui.QPolygonF(corners))
        painter.setBrush(self.theme.color("accent"))
        for corner in corners:
            painter.drawEllipse(corner, self.theme.dp(3), self.theme.dp(3))
        painter.setClipping(False)


def _around(front: np.ndarray, every: np.ndarray) -> Range:
    """Range of the front with as much of the other runs as is of its size."""
    inner, outer = range_of(front), range_of(every)
    room = inner.high - inner.low
    return Range(max(outer.low, inner.low - room), min(outer.high, inner.high + room))
