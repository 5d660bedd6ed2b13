"""Pictures of a study between two axes: curve and cloud, histogram, tornado."""

from typing import Any

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.studies import figures
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.quantities import quantity
from mechstudio.translation import localised, tr
from mechstudio.view.plots.ticks import even_ticks
from mechstudio.view.study.pictures.figure import Figure, Range, range_of

Qt = QtCore.Qt
LEFT, RIGHT, TOP, BOTTOM = 54, 16, 22, 38  # px at the normal text size
MOST_DOTS = 5_000
MOST_RANKED = 5000  # rows that a correlation is found of
NEAR = 10  # px from a point at which the pointer is on it


def wider(r: Range, share: float = 0.06) -> Range:
    """A range with some room at its ends."""
    room = share * (r.high - r.low)
    return Range(r.low - room, r.high + room)


class Between(Figure):
    """Room between axes, with their ticks.  `x` and `y` [unit of the axis]."""

    def room(self) -> QtCore.QRectF:
        dp = self.theme.dp
        return QtCore.QRectF(self.rect()).adjusted(dp(LEFT), dp(TOP), -dp(RIGHT), -dp(BOTTOM))

    def axes(self, painter: QtGui.QPainter, x: Range, y: Range, words: tuple[str, str]) -> None:
        """Grid, ticks and names."""
        room, theme, dp = self.room(), self.theme, self.theme.dp
        painter.setFont(self.font_of())
        for value, text in even_ticks(*y, max(2, round(room.height() / dp(40)))):
            at = room.bottom() - room.height() * (value - y.low) / (y.high - y.low)
            painter.setPen(QtGui.QPen(theme.color("plot_grid"), 1))
            painter.drawLine(QtCore.QPointF(room.left(), at), QtCore.QPointF(room.right(), at))
            painter.setPen(theme.color("text2"))
            painter.drawText(
                QtCore.QRectF(0, at - dp(8), room.left() - dp(6), dp(16)),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                text,
            )
        for value, text in even_ticks(*x, max(2, round(room.width() / dp(70)))):
            at = room.left() + room.width() * (value - x.low) / (x.high - x.low)
            painter.setPen(QtGui.QPen(theme.color("plot_grid"), 1))
            painter.drawLine(QtCore.QPointF(at, room.top()), QtCore.QPointF(at, room.bottom()))
            painter.setPen(theme.color("text2"))
            painter.drawText(
                QtCore.QRectF(at - dp(40), room.bottom() + dp(3), dp(80), dp(16)),
                Qt.AlignmentFlag.AlignCenter,
                text,
            )
        painter.setPen(theme.color("text"))
        painter.drawText(
            QtCore.QRectF(room.left(), room.bottom() + dp(19), room.width(), dp(17)),
            Qt.AlignmentFlag.AlignCenter,
            words[0],
        )
        painter.drawText(
            QtCore.QRectF(dp(8), dp(2), self.width() - dp(16), dp(17)),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            painter.fontMetrics().elidedText(
                words[1], Qt.TextElideMode.ElideRight, self.width() - dp(16)
            ),
        )

    def places(self, x: np.ndarray, y: np.ndarray, of: tuple[Range, Range]) -> np.ndarray:
        """Places (n, 2) [px] of points."""
        room = self.room()
        return np.stack(
            (
                room.left() + room.width() * of[0].part(x),
                room.bottom() - room.height() * of[1].part(y),
            ),
            axis=1,
        )


class Cloud(Between):
    """A measure over the first parameter: a curve where that alone varies on a grid, else a point
    for each row.
    """

    across = 0

    def _points(self) -> tuple[np.ndarray, np.ndarray, tuple[Range, Range]]:
        """Rows, their places, and the ranges."""
        shown, table = self.shown, self.shown.table
        measure = shown.measure
        if table is None or measure is None:
            return np.zeros(0, int), np.zeros((0, 2)), (Range(0, 1), Range(0, 1))
        x, y = shown.columns[min(self.across, len(table.parameters) - 1)], shown.columns[measure]
        rows = np.flatnonzero(np.isfinite(y.values) & (table.systems >= 0))
        rows = rows[:: max(1, -(-len(rows) // MOST_DOTS))]
        of = (
            wider(range_of(x.values / x.factor), 0.03),
            wider(range_of(y.values[rows] / y.factor)),
        )
        return rows, self.places(x.values[rows] / x.factor, y.values[rows] / y.factor, of), of

    def row_at(self, place: QtCore.QPointF) -> int | None:
        rows, places, _ = self._points()
        if not len(rows):
            return None
        away = np.hypot(places[:, 0] - place.x(), places[:, 1] - place.y())
        away[~self.shown.kept[rows]] = np.inf
        nearest = int(np.argmin(away))
        return int(rows[nearest]) if away[nearest] < self.theme.dp(NEAR) else None

    def draw(self, painter: QtGui.QPainter) -> None:
        shown, theme, table = self.shown, self.theme, self.shown.table
        measure = shown.measure
        if measure is None or table is None:
            return
        rows, places, of = self._points()
        x = shown.columns[min(self.across, len(table.parameters) - 1)]
        y = shown.columns[measure]
        self.axes(painter, *of, (x.head, y.head))
        hue = self.hue()
        kept, feasible = shown.kept[rows], shown.feasible[rows]
        if y.limit[0]:
            at = self.places(np.array([of[0].low]), np.array([y.limit[1] / y.factor]), of)[0, 1]
            if self.room().top() <= at <= self.room().bottom():
                painter.setPen(QtGui.QPen(theme.color("warn"), 1.2, Qt.PenStyle.DashLine))
                painter.drawLine(
                    QtCore.QPointF(self.room().left(), at), QtCore.QPointF(self.room().right(), at)
                )
        if len(table.parameters) == 1 and len(rows) > 1:
            order = np.argsort(table.varied[rows, 0], kind="stable")
            painter.setPen(QtGui.QPen(hue, 1.7))
            painter.drawPolyline([QtCore.QPointF(*p) for p in places[order].tolist()])
        size = self.theme.dp(6) if len(rows) < 400 else self.theme.dp(3)
        alpha = float(np.clip(40.0 / np.sqrt(max(len(rows), 1)), 0.25, 1.0))
        for mask, color in (
            (~kept, theme.color("text3", 0.2)),
            (kept & ~feasible, theme.color("text3", 0.7 * alpha)),
            (kept & feasible, self.hue(alpha)),
        ):
            pen = QtGui.QPen(color, size)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints([QtCore.QPointF(*p) for p in places[mask].tolist()])
        for row, width in ((shown.hovered, 1.4), (shown.chosen, 2.2)):
            found = np.flatnonzero(rows == row) if row is not None else ()
            for k in found:
                painter.setBrush(theme.color("panel"))
                painter.setPen(QtGui.QPen(theme.color("accent"), width))
                painter.drawEllipse(QtCore.QPointF(*places[k]), self.theme.dp(5), self.theme.dp(5))


class Histogram(Between):
    """Counts of a measure, with its percentiles."""

    def draw(self, painter: QtGui.QPainter) -> None:
        shown, theme, table = self.shown, self.theme, self.shown.table
        measure = shown.measure
        if measure is None or table is None:
            return
        column = shown.columns[measure]
        values = column.values[shown.kept] / column.factor
        counts, edges = figures.bins_of(values)
        if not len(counts):
            return
        x, y = Range(float(edges[0]), float(edges[-1])), Range(0.0, 1.08 * float(counts.max()))
        self.axes(painter, x, y, (column.head, tr("Runs")))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.hue(0.55))
        low = self.places(edges[:-1], np.zeros(len(counts)), (x, y))
        high = self.places(edges[1:], counts.astype(float), (x, y))
        for (left, bottom), (right, top) in zip(low.tolist(), high.tolist()):
            painter.drawRect(QtCore.QRectF(left + 0.5, top, max(right - left - 1, 1), bottom - top))
        marks: list[tuple[float, str, str]] = [
            (value, localised(f"{share:g} %"), "text2")
            for share, value in zip(figures.PERCENTILES, figures.percentiles_of(values))
        ]
        chosen = shown.chosen
        if chosen is not None and np.isfinite(column.values[chosen]):
            marks.append((float(column.values[chosen]) / column.factor, "", "accent"))
        room, dp = self.room(), theme.dp
        for value, words, role in marks:
            at = room.left() + room.width() * (value - x.low) / (x.high - x.low)
            dash = Qt.PenStyle.SolidLine if role == "accent" else Qt.PenStyle.DashLine
            painter.setPen(QtGui.QPen(theme.color(role), 1.4, dash))
            painter.drawLine(QtCore.QPointF(at, room.top()), QtCore.QPointF(at, room.bottom()))
            if words:
                painter.setPen(theme.color("text2"))
                painter.drawText(
                    QtCore.QRectF(at + dp(3), room.top() - dp(1), dp(60), dp(16)),
                    Qt.AlignmentFlag.AlignLeft,
                    words,
                )


class Tornado(Figure):
    """Weight of each parameter: Sobol indices where they were found, else rank correlations."""

    def draw(self, painter: QtGui.QPainter) -> None:
        shown, theme, table, dp = self.shown, self.theme, self.shown.table, self.theme.dp
        measure = shown.measure
        if measure is None or table is None:
            return
        names = list(table.parameters)
        place = measure - len(names)
        if table.indices is not None:
            values, head = table.indices[1][place], tr("Total Sobol index")
        else:
            kept = np.flatnonzero(shown.kept)
            kept = kept[:: max(1, len(kept) // MOST_RANKED)]
            values = figures.rank_correlations(table.varied[kept], table.measured[kept, place])
            head = tr("Rank correlation")
        order = np.argsort(-np.nan_to_num(np.abs(values), nan=-1.0), kind="stable")
        painter.setFont(self.font_of())
        painter.setPen(theme.color("text2"))
        painter.drawText(
            QtCore.QRectF(dp(10), dp(2), self.width() - dp(20), dp(18)),
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
            f"{head}: {shown.columns[measure].name}",
        )
        wide = min(
            max(painter.fontMetrics().horizontalAdvance(n) for n in names) + dp(12),
            self.width() // 3,
        )
        left, right = dp(10) + wide, self.width() - dp(52)
        middle = left if table.indices is not None else (left + right) / 2
        scale = (right - middle) / max(1.0, float(np.nanmax(np.abs(values), initial=0.0)))
        high = min(dp(28), (self.height() - dp(34)) / max(len(names), 1))
        for k, c in enumerate(order.tolist()):
            top = dp(26) + k * high
            value = float(values[c])
            painter.setPen(theme.color("text"))
            painter.drawText(
                QtCore.QRectF(dp(10), top, wide - dp(8), high),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                painter.fontMetrics().elidedText(
                    names[c], Qt.TextElideMode.ElideRight, wide - dp(8)
                ),
            )
            if np.isfinite(value):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(self.hue(0.6, 0 if value >= 0 else 1))
                bar = QtCore.QRectF(middle, top + high * 0.2, scale * value, high * 0.6)
                painter.drawRect(bar.normalized())
            painter.setPen(theme.color("text"))
            words = localised(f"{value:.2f}").replace("-", "−") if np.isfinite(value) else "–"
            painter.drawText(
                QtCore.QRectF(right + dp(6), top, dp(44), high),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                words,
            )
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.drawLine(
            QtCore.QPointF(middle, dp(24)), QtCore.QPointF(middle, dp(28) + high * len(names))
        )


class Family(Between):
    """Courses over the time of the quantity that is measured: of the chosen run, of the drawing,
    and of runs beside the chosen one.
    """

    def __init__(self, *made: Any) -> None:
        super().__init__(*made)
        self.shown.courses_changed.connect(self.update)

    def draw(self, painter: QtGui.QPainter) -> None:
        shown, theme, table = self.shown, self.theme, self.shown.table
        known = quantity(shown.project, shown.channel) if shown.channel else None
        if table is None or known is None:
            return
        rows = shown.family()
        shown.want_courses(rows)
        found = [(row, course) for row in rows if (course := shown.course(row)) is not None]
        if not found:
            painter.setPen(theme.color("text2"))
            painter.setFont(self.font_of(12))
            painter.drawText(
                self.rect(), Qt.AlignmentFlag.AlignCenter, tr("The courses are being found…")
            )
            return
        unit = unit_of(known.dimension, shown.units)
        values = np.concatenate([course.values for _, course in found]) / unit.factor
        ends = [float(course.times[k]) for _, course in found for k in (0, -1)]
        of = (Range(min(ends), max(max(ends), min(ends) + 1e-12)), wider(range_of(values)))
        self.axes(painter, *of, (tr("Time, s"), f"{known.name}, {unit.symbol}".rstrip(", ")))
        chosen, drawn = shown.chosen, shown.as_drawn
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # the chosen one lies above all others
        for row, course in sorted(found, key=lambda each: (each[0] == chosen, each[0] == drawn)):
            pen = QtGui.QPen(self.hue(0.55), 1.2)
            if row == drawn:
                pen = QtGui.QPen(theme.color("text"), 1.5, Qt.PenStyle.DashLine)
            if row == chosen:
                pen = QtGui.QPen(theme.color("accent"), 2.6)
            if row == shown.hovered:
                pen.setWidthF(2.6)
            painter.setPen(pen)
            places = self.places(course.times, course.values / unit.factor, of)
            good = np.isfinite(places).all(axis=1)
            painter.drawPolyline([QtCore.QPointF(*p) for p in places[good].tolist()])
        self._legend(painter, drawn is not None and drawn != chosen)

    def _legend(self, painter: QtGui.QPainter, has_drawn: bool) -> None:
        theme, dp = self.theme, self.theme.dp
        right = self.width() - dp(16)
        painter.setFont(self.font_of())
        rows = [(tr("chosen"), QtGui.QPen(theme.color("accent"), 2.6))]
        if has_drawn:
            dash = QtGui.QPen(theme.color("text"), 1.5, Qt.PenStyle.DashLine)
            rows.insert(0, (tr("as drawn"), dash))
        for words, pen in rows:
            wide = painter.fontMetrics().horizontalAdvance(words)
            painter.setPen(theme.color("text2"))
            painter.drawText(
                QtCore.QRectF(right - wide, dp(2), wide + 2, dp(17)),
                Qt.AlignmentFlag.AlignVCenter,
                words,
            )
            painter.setPen(pen)
            middle = dp(11)
            painter.drawLine(right - wide - dp(30), middle, right - wide - dp(6), middle)
            right -= wide + dp(42)
