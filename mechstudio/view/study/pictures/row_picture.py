"""Picture of all rows of a study, painted once into a pixmap."""

from collections.abc import Sequence

import numpy as np
from PySide6 import QtGui

from mechstudio.application.studies.shown_study import Column
from mechstudio.view.study.pictures.figure import Figure, Qt, Range, range_of


class RowPicture(Figure):
    """A figure whose rows are painted once, until rows, ranges or its size change.

    picture: the pixmap, None while it is outdated.  rows: of the table that are painted.  parts
    (rows, columns): their values, 0 to 1 of the ranges of the columns.
    """

    def __init__(self, *made) -> None:
        super().__init__(*made)
        self.picture: QtGui.QPixmap | None = None
        self.rows = np.zeros(0, int)
        self.parts = np.zeros((0, 0))
        self.ranges: list[Range] = []

    @property
    def columns(self) -> Sequence[Column]:
        """Columns that are painted."""
        raise NotImplementedError

    @property
    def most_rows(self) -> int:
        """Number of rows above which every second, third … one is painted."""
        raise NotImplementedError

    def paint(self, painter: QtGui.QPainter) -> None:
        """Paint the rows into the pixmap."""
        raise NotImplementedError

    def reread(self) -> None:
        self.picture = None

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self.picture = None
        super().resizeEvent(event)

    def prepare(self) -> None:
        """Paint the pixmap where it is outdated."""
        table, columns = self.shown.table, self.columns
        if table is None or self.picture is not None or not columns:
            return
        self.ranges = [range_of(c.values) for c in columns]
        done = np.flatnonzero((table.systems >= 0) & np.isfinite(table.measured).any(axis=1))
        self.rows = done[:: max(1, -(-len(done) // self.most_rows))]
        self.parts = np.stack(
            [r.part(c.values[self.rows]) for r, c in zip(self.ranges, columns)], axis=1
        )
        ratio = self.devicePixelRatioF()
        picture = QtGui.QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QtGui.QPainter(picture)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        self.paint(painter)
        painter.end()
        self.picture = picture
