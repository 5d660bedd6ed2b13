"""Scatter matrix: each column of a study over every other one, and how closely they go together."""

from collections.abc import Sequence

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.studies import figures
from mechstudio.application.studies.shown_study import Column
from mechstudio.translation import localised
from mechstudio.view.plots.ticks import minus
from mechstudio.view.study.pictures.row_picture import RowPicture

Qt = QtCore.Qt
MOST_COLUMNS = 7
MOST_DOTS = 30_000  # over all cells
MOST_RANKED = 2_000  # rows that a correlation is found of
SIDE, GAP, INSIDE = 10, 6, 5  # px at the normal text size
NEAR = 7  # px from a point at which the pointer is on it


class ScatterMatrix(RowPicture):
    """Points below the diagonal, rank correlations above it, and a histogram of each column with
    its name on it; what is chosen lies over them.
    """

    @property
    def columns(self) -> Sequence[Column]:
        return self.shown.columns[:MOST_COLUMNS]

    @property
    def most_rows(self) -> int:
        return MOST_DOTS // max(1, self.count * (self.count - 1) // 2)

    @property
    def count(self) -> int:
        return len(self.columns)

    def cell(self, across: int, down: int) -> QtCore.QRectF:
        """Room of a column over another one [px]."""
        dp, n = self.theme.dp, max(self.count, 1)
        w, h = (self.width() - 2 * dp(SIDE)) / n, (self.height() - 2 * dp(SIDE)) / n
        return QtCore.QRectF(dp(SIDE) + across * w, dp(SIDE) + down * h, w - dp(GAP), h - dp(GAP))

    def places(self, across: int, down: int, parts: np.ndarray) -> np.ndarray:
        """Places (n, 2) [px] of rows, parts (n, columns) of the ranges, in a cell."""
        inset = self.theme.dp(INSIDE)
        room = self.cell(across, down).adjusted(inset, inset, -inset, -inset)
        return np.stack(
            (
                room.left() + room.width() * parts[:, across],
                room.bottom() - room.height() * parts[:, down],
            ),
            axis=1,
        )

    def paint(self, painter: QtGui.QPainter) -> None:
        n = self.count
        for down in range(n):
            for across in range(n):
                painter.setPen(QtGui.QPen(self.theme.color("line"), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                if across <= down:
                    painter.drawRoundedRect(self.cell(across, down), 3, 3)
                if across < down:
                    self._dots(painter, across, down)
                elif across == down:
                    self._bars(painter, across)
                else:
                    self._correlation(painter, across, down)

    def _dots(self, painter: QtGui.QPainter, across: int, down: int) -> None:
        kept = self.shown.kept[self.rows]
        places = self.places(across, down, self.parts)
        known = np.isfinite(places).all(axis=1)  # a run may lack a measure
        alpha = float(np.clip(20.0 / np.sqrt(max(len(places), 1)), 0.2, 0.9))
        size = self.theme.dp(4) if len(places) < 400 else self.theme.dp(2)
        for mask, color in ((~kept, self.theme.color("text3", 0.2)), (kept, self.hue(alpha))):
            pen = QtGui.QPen(color, size)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawPoints([QtCore.QPointF(*p) for p in places[mask & known].tolist()])

    def _bars(self, painter: QtGui.QPainter, column: int) -> None:
        room, dp = self.cell(column, column), self.theme.dp
        shown = self.shown
        counts, _ = figures.bins_of(shown.columns[column].values[shown.kept])
        painter.setFont(self.font_of())
        head = painter.fontMetrics().height() + dp(4)
        if len(counts):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.hue(0.35))
            high = max(room.height() - head - dp(INSIDE), 1.0)
            wide = (room.width() - 2 * dp(INSIDE)) / len(counts)
            for k, share in enumerate((counts / counts.max()).tolist()):
                left = room.left() + dp(INSIDE) + k * wide
                painter.drawRect(
                    QtCore.QRectF(
                        left, room.bottom() - share * high, max(wide - 1, 1), share * high
                    )
                )
        painter.setPen(self.theme.color("text"))
        words = painter.fontMetrics().elidedText(
            shown.columns[column].head, Qt.TextElideMode.ElideRight, int(room.width()) - dp(8)
        )
        painter.drawText(
            QtCore.QRectF(room.left(), room.top() + dp(2), room.width(), head),
            Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop,
            words,
        )

    def _correlation(self, painter: QtGui.QPainter, across: int, down: int) -> None:
        kept = np.flatnonzero(self.shown.kept)
        kept = kept[:: max(1, -(-len(kept) // MOST_RANKED))]
        columns = self.shown.columns
        one, other = columns[across].values[kept], columns[down].values[kept]
        value = float(figures.rank_correlations(one[:, None], other)[0])
        known = np.isfinite(value)
        painter.setFont(self.font_of(13, strong=known and abs(value) >= 0.5))
        strength = 0.35 + 0.65 * abs(value) if known else 0.35
        painter.setPen(self.theme.color("text", strength))
        words = minus(localised(f"{value:.2f}")) if known else "–"
        painter.drawText(self.cell(across, down), Qt.AlignmentFlag.AlignCenter, words)

    def row_at(self, place: QtCore.QPointF) -> int | None:
        self.prepare()
        for down in range(self.count):
            for across in range(down):
                if self.cell(across, down).contains(place) and len(self.rows):
                    places = self.places(across, down, self.parts)
                    away = np.hypot(places[:, 0] - place.x(), places[:, 1] - place.y())
                    away[~(self.shown.kept[self.rows] & np.isfinite(away))] = np.inf
                    nearest = int(np.argmin(away))
                    near = away[nearest] <= self.theme.dp(NEAR)
                    return int(self.rows[nearest]) if near else None
        return None

    def draw(self, painter: QtGui.QPainter) -> None:
        self.prepare()
        if self.picture is None:
            return
        painter.drawPixmap(0, 0, self.picture)
        columns, theme = self.columns, self.theme
        for row, width in ((self.shown.hovered, 1.4), (self.shown.chosen, 2.2)):
            if row is None:
                continue
            parts = np.array([[r.part(c.values[row]) for r, c in zip(self.ranges, columns)]])
            if not np.isfinite(parts).all():
                continue
            painter.setBrush(theme.color("panel"))
            painter.setPen(QtGui.QPen(theme.color("accent"), width))
            for down in range(self.count):
                for across in range(down):
                    at = self.places(across, down, parts)[0].tolist()
                    painter.drawEllipse(QtCore.QPointF(*at), theme.dp(4), theme.dp(4))
