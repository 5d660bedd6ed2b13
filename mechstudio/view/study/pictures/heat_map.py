"""Map of a measure over two parameters, its numbers printed in the cells."""

from typing import Any

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.studies.figures import Map, contour, map_of
from mechstudio.translation import tr
from mechstudio.view.plots.ticks import even_ticks
from mechstudio.view.study.pictures.figure import Figure, plain, range_of
from mechstudio.view.widgets.choice import Choice

Qt = QtCore.Qt
GAP, ROUND = 2, 3  # px
LEFT, BOTTOM, TOP, RIGHT = 58, 36, 8, 10  # px at the normal text size
CHOOSERS = 30  # px for the choice of parameters
LEVELS = 7  # lines of equal value, about
LEAST_CELL = 30, 14  # px in which a number is printed


class HeatMap(Figure):
    """Heat map with lines of equal value; that of a limit is marked.  A cell outside the limits has
    a stroke, one without a run is dotted, a failed one has a cross. across, up: the parameters of
    its axes, chosen among more than two.
    """

    def __init__(self, *made: Any) -> None:
        super().__init__(*made)
        self._map: Map | None = None
        shown = self.shown
        self.across, self.up = (
            Choice(
                self.theme,
                name,
                lambda: [(str(k), shown.columns[k].head, "") for k in shown.sides],
                lambda side=side: str(shown.pair[side]) if shown.pair else "",
                lambda key, side=side: shown.span_map(side, int(key)),
            )
            for side, name in ((0, tr("Parameter across")), (1, tr("Parameter up")))
        )
        for choice in (self.across, self.up):
            choice.setParent(self)
            choice.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._place_choosers()

    def reread(self) -> None:
        self._map = None
        self._place_choosers()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_choosers()

    def _place_choosers(self) -> None:
        """Place the choices of parameters at the ends of their axes."""
        room = self._room()
        for choice, right in ((self.across, True), (self.up, False)):
            choice.setVisible(self._chooses)
            choice.refresh()
            choice.resize(min(choice.sizeHint().width(), int(room.width() / 2)), choice.height())
            if right:
                choice.move(
                    int(room.center().x() - choice.width() / 2), self.height() - choice.height() - 4
                )
            else:
                choice.move(self.theme.dp(6), 2)

    @property
    def _chooses(self) -> bool:
        return len(self.shown.sides) > 2

    def map(self) -> Map | None:
        """Cells of the shown measure."""
        shown, table = self.shown, self.shown.table
        if table is None or shown.measure is None:
            return None
        if self._map is None:
            pair = shown.pair
            if pair is None:
                return None
            values = shown.columns[shown.measure].values
            merit = values if shown.wants_greatest(shown.measure) else -values
            # a row within the limits has priority over one outside
            apart = 2.0 * float(np.nanmax(np.abs(merit), initial=1.0))
            kept = np.where(shown.feasible, merit, merit - apart)
            self._map = map_of(table.varied, pair, kept)
        return self._map

    def _room(self) -> QtCore.QRectF:
        dp = self.theme.dp
        more = dp(CHOOSERS) if self._chooses else 0
        return QtCore.QRectF(self.rect()).adjusted(
            dp(LEFT), max(dp(TOP), more), -dp(RIGHT), -dp(BOTTOM) - more / 3
        )

    def _cell(self, room: QtCore.QRectF, cells: Map, i: int, j: int) -> QtCore.QRectF:
        w, h = room.width() / len(cells.x), room.height() / len(cells.y)
        gap = GAP / 2 if min(w, h) > 8 else 0.0
        return QtCore.QRectF(room.left() + i * w, room.bottom() - (j + 1) * h, w, h).adjusted(
            gap, gap, -gap, -gap
        )

    def place_of(self, row: int) -> QtCore.QPointF | None:
        """Middle of the cell of a row; None if another row is in its cell."""
        cells = self.map()
        if cells is None:
            return None
        found = np.argwhere(cells.rows == row)
        if not len(found):
            return None
        j, i = found[0].tolist()
        return self._cell(self._room(), cells, i, j).center()

    def row_at(self, place: QtCore.QPointF) -> int | None:
        cells, room = self.map(), self._room()
        if cells is None or not room.contains(place):
            return None
        i = min(int((place.x() - room.left()) / room.width() * len(cells.x)), len(cells.x) - 1)
        j = min(int((room.bottom() - place.y()) / room.height() * len(cells.y)), len(cells.y) - 1)
        row = int(cells.rows[j, i])
        return row if row >= 0 else None

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        row = self.shown.hovered
        self.setToolTip("" if row is None else self.row_words(row))

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (1, 0),
            Qt.Key.Key_Down: (-1, 0),
        }.get(Qt.Key(event.key()))
        cells, chosen = self.map(), self.shown.chosen
        if step is None or cells is None or chosen is None:
            super().keyPressEvent(event)
            return
        found = np.argwhere(cells.rows == chosen)
        if len(found):
            j = int(np.clip(found[0][0] + step[0], 0, len(cells.y) - 1))
            i = int(np.clip(found[0][1] + step[1], 0, len(cells.x) - 1))
            if cells.rows[j, i] >= 0:
                self.shown.choose(int(cells.rows[j, i]))

    def draw(self, painter: QtGui.QPainter) -> None:
        cells, shown, theme, table = self.map(), self.shown, self.theme, self.shown.table
        if cells is None or table is None or shown.measure is None:
            painter.setPen(theme.color("text2"))
            painter.setFont(self.font_of(12))
            painter.drawText(
                QtCore.QRectF(self.rect()).adjusted(16, 0, -16, 0),
                Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
                tr("A map needs two parameters on a grid, such as 310..350 mm:9."),
            )
            return
        column = shown.columns[shown.measure]
        room, kept, feasible = self._room(), shown.kept, shown.feasible
        limits, span = range_of(column.values), shown.span(shown.measure)
        w, h = room.width() / len(cells.x), room.height() / len(cells.y)
        painter.setFont(self.font_of())
        widest = max(
            (painter.fontMetrics().horizontalAdvance(self.word(column, v, span)) for v in limits),
            default=0,
        )
        numbers = w > max(LEAST_CELL[0], widest + 6) and h > self.theme.dp(LEAST_CELL[1])
        chosen, radius = shown.chosen, ROUND if min(w, h) > 10 else 0
        for (j, i), row in np.ndenumerate(cells.rows):
            cell = self._cell(room, cells, i, j)
            done = row >= 0 and table.systems[row] >= 0
            value = float(column.values[row]) if done else np.nan
            if not done:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QtGui.QPen(theme.color("line_strong"), 1, Qt.PenStyle.DotLine))
                painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
                continue
            painter.setPen(Qt.PenStyle.NoPen)
            failed = not np.isfinite(value)
            part = (value - limits.low) / (limits.high - limits.low)
            shade = theme.color("hover") if failed else self.ramp(part)
            if not kept[row]:
                shade.setAlphaF(0.3)
            painter.setBrush(shade)
            painter.drawRoundedRect(cell, radius, radius)
            if failed or not feasible[row]:
                painter.setPen(QtGui.QPen(theme.color("text2", 0.6), 1))
                painter.drawLine(cell.bottomLeft(), cell.topRight())
            if failed:
                painter.drawLine(cell.topLeft(), cell.bottomRight())
        self._contours(painter, room, cells)
        for (j, i), row in np.ndenumerate(cells.rows) if numbers else ():
            if row >= 0 and np.isfinite(value := float(column.values[row])):
                cell, words = self._cell(room, cells, i, j), self.word(column, value, span)
                painter.setFont(self.font_of(strong=row == chosen))
                if feasible[row] and kept[row]:
                    # a line through a number would make it illegible
                    shade = self.ramp((value - limits.low) / (limits.high - limits.low))
                    around = painter.boundingRect(cell, Qt.AlignmentFlag.AlignCenter, words)
                    painter.fillRect(around.adjusted(-2, 1, 2, -1) & cell, shade)
                painter.setPen(theme.color("text", 1.0 if kept[row] else 0.4))
                painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, words)
        for row, role, width in ((shown.hovered, "text2", 1.4), (chosen, "accent", 2.0)):
            found = np.argwhere(cells.rows == row) if row is not None else []
            for j, i in found[:1]:
                cell = self._cell(room, cells, int(i), int(j))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QtGui.QPen(theme.color("panel"), width + 3))
                painter.drawRoundedRect(cell, radius + 1, radius + 1)
                painter.setPen(QtGui.QPen(theme.color(role), width))
                painter.drawRoundedRect(cell, radius + 1, radius + 1)
        self._sides(painter, room, cells)

    def _contours(self, painter: QtGui.QPainter, room: QtCore.QRectF, cells: Map) -> None:
        """Lines of equal value between the middles of the cells."""
        measure = self.shown.measure
        assert measure is not None, "there is a map"
        column = self.shown.columns[measure]
        values = np.where(cells.rows >= 0, column.values[cells.rows], np.nan)
        if min(values.shape) < 3 or not np.isfinite(values).any():
            return
        w, h = room.width() / len(cells.x), room.height() / len(cells.y)
        limits = range_of(values / column.factor)
        ink = QtGui.QPen(self.theme.color("text", 0.45), 1.0)
        lines = [(level * column.factor, ink) for level, _ in even_ticks(*limits, LEVELS)]
        if column.limit[0]:
            lines.append((column.limit[1], QtGui.QPen(self.theme.color("warn"), 1.8)))
        for level, pen in lines:
            ends = contour(values, level)
            painter.setPen(pen)
            painter.drawLines(
                [
                    QtCore.QLineF(
                        room.left() + (a[0] + 0.5) * w,
                        room.bottom() - (a[1] + 0.5) * h,
                        room.left() + (b[0] + 0.5) * w,
                        room.bottom() - (b[1] + 0.5) * h,
                    )
                    for a, b in ends.tolist()
                ]
            )

    def _sides(self, painter: QtGui.QPainter, room: QtCore.QRectF, cells: Map) -> None:
        """Values along the sides, as many as fit, and their names."""
        dp, columns = self.theme.dp, self.shown.columns
        pair = self.shown.pair
        assert pair is not None, "there is a map"
        x, y = columns[pair[0]], columns[pair[1]]
        painter.setFont(self.font_of())
        painter.setPen(self.theme.color("text2"))
        w, h = room.width() / len(cells.x), room.height() / len(cells.y)
        words = plain(cells.x / x.factor)
        most = max(painter.fontMetrics().horizontalAdvance(word) for word in words) + dp(6)
        every = max(1, int(np.ceil(most / w)))
        for i in range(0, len(words), every):
            at = room.left() + (i + 0.5) * w
            painter.drawText(
                QtCore.QRectF(at - most, room.bottom() + dp(2), 2 * most, dp(16)),
                Qt.AlignmentFlag.AlignCenter,
                words[i],
            )
        words = plain(cells.y / y.factor)
        every = max(1, int(np.ceil(dp(15) / h)))
        for j in range(0, len(cells.y), every):
            at = room.bottom() - (j + 0.5) * h
            painter.drawText(
                QtCore.QRectF(dp(18), at - dp(8), room.left() - dp(24), dp(16)),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                words[j],
            )
        if self._chooses:
            return
        painter.setPen(self.theme.color("text"))
        painter.drawText(
            QtCore.QRectF(room.left(), room.bottom() + dp(17), room.width(), dp(17)),
            Qt.AlignmentFlag.AlignCenter,
            x.head,
        )
        painter.save()
        painter.translate(dp(9), room.center().y())
        painter.rotate(-90)
        painter.drawText(
            QtCore.QRectF(-room.height() / 2, -dp(9), room.height(), dp(18)),
            Qt.AlignmentFlag.AlignCenter,
            y.head,
        )
        painter.restore()
