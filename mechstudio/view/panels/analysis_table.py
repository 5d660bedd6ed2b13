"""The table of an analysis: numbers, units, hatching, sorting, and columns that can be pulled out
of it.
"""

import math

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.curves.tables import Column, without_rounding
from mechstudio.model.results.analysed_channels import heading
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.types.analyses import ANALYSES, INSTANTS
from mechstudio.model.units import format_number, unit
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
LABELS = 0.5  # part of the width that the labels of rows may take


class AnalysisTable(QtWidgets.QTableWidget):
    """The numbers in the user's units; what rigid bodies do not determine is hatched.  A click on a
    head sorts by its column, the next one the other way round, a third one no more.  The largest
    number of the quantity of the analysis is marked.

    dragged(): the selected columns are pulled out of their head.  menu_requested(place): a menu is
    to open for the selected columns, at a place of the screen.  instant_chosen(time): an instant
    [s] was clicked.  row_chosen(row), row_taken(row): a row was clicked, or double-clicked, by its
    place in the table before sorting.
    """

    dragged = QtCore.Signal()
    menu_requested = QtCore.Signal(QtCore.QPoint)
    instant_chosen = QtCore.Signal(float)
    row_chosen = QtCore.Signal(int)
    row_taken = QtCore.Signal(int)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: tuple | None = None
        self._table: Measured | None = None
        self._sorted: tuple[int, bool] | None = None  # by which column, and the largest first
        self._order: list[int] = []  # row of the analysis in each row that is shown
        self.setObjectName("numbers")
        self.setAccessibleName(tr("Result of the analysis"))
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setAutoScroll(False)  # a click on a head must not move it away from the pointer
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.verticalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        head = _Head(self)
        self.setHorizontalHeader(head)
        head.dragged.connect(self.dragged)
        head.released.connect(self._sort)
        self.cellClicked.connect(self._clicked)
        self.cellDoubleClicked.connect(lambda r, _: self.row_taken.emit(self._order[r]))
        labels = self.verticalHeader()
        labels.sectionClicked.connect(lambda r: self.row_chosen.emit(self._order[r]))
        labels.sectionDoubleClicked.connect(lambda r: self.row_taken.emit(self._order[r]))
        for part in (self, self.horizontalHeader()):
            part.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda at: self._ask(self.columnAt(at.x()), self.viewport().mapToGlobal(at))
        )
        self.horizontalHeader().customContextMenuRequested.connect(
            lambda at: self._ask(
                self.horizontalHeader().logicalIndexAt(at),
                self.horizontalHeader().viewport().mapToGlobal(at),
            )
        )
        # a method, which goes with the table: the theme outlives it
        theme.changed.connect(self._repaint)

    def _repaint(self) -> None:
        self.show_table(self._studio.questions.analyses.result, True)

    def chosen(self) -> list[int]:
        """The columns of the selection."""
        return sorted({index.column() for index in self.selectedIndexes()})

    def _ask(self, column: int, place: QtCore.QPoint) -> None:
        if column >= 0 and column not in self.chosen():
            self.selectColumn(column)
        self.menu_requested.emit(place)

    def _sort(self, column: int) -> None:
        """Sort by a column: the largest first, then the least first, then no more."""
        if self._table is None or not 0 <= column < len(self._table.columns):
            return
        before = self._sorted
        falling = before is None or before[0] != column
        self._sorted = (column, falling) if falling or (before and before[1]) else None
        chosen = self.chosen()
        self.show_table(self._table, True)
        for c in chosen:
            self.selectColumn(c)

    def _clicked(self, row: int, column: int) -> None:
        table = self._table
        if table is None:
            return
        self.row_chosen.emit(self._order[row])
        if table.columns[column] in INSTANTS:
            time = float(_values(table)[self._order[row], column])
            if math.isfinite(time):
                self.instant_chosen.emit(time)

    def show_table(self, table: Measured | None, again: bool = False) -> None:
        """Fill in a table; nothing for None."""
        units = self._studio.preferences.units
        if not again and self._shown == (id(table), units):
            return
        if table is not self._table:
            self._sorted = None
        self._shown, self._table = (id(table), units), table
        self.setVisible(table is not None)
        if table is None:
            self.clear()
            self.setRowCount(0)
            return
        count = len(table.columns)
        values = _values(table)
        hatched = np.frombuffer(table.hatched, "u1").reshape(-1, count)
        self._order = _order(values, self._sorted)
        self.setRowCount(len(values))
        self.setColumnCount(count)
        symbols = [unit(d, units) for d in table.dimensions]
        tall = any(u.symbol for u in symbols)
        self.setHorizontalHeaderLabels(
            [
                f"{heading(c)}{self._arrow(k)}" + (f"\n{u.symbol}" if tall else "")
                for k, (c, u) in enumerate(zip(table.columns, symbols))
            ]
        )
        self.verticalHeader().setVisible(table.labels is not None)
        if table.labels is not None:
            self.setVerticalHeaderLabels([table.labels[r] for r in self._order])
        brush = QtGui.QBrush(self._theme.color("line_strong"), Qt.BrushStyle.BDiagPattern)
        worst = _worst(table, values, hatched)
        shown = without_rounding(table.what, table.dimensions, values)
        for place, r in enumerate(self._order):
            for c in range(count):
                x = float(shown[r, c])
                item = QtWidgets.QTableWidgetItem(format_number(x / symbols[c].factor, 5))
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if table.columns[c] in INSTANTS and math.isfinite(x):
                    item.setForeground(self._theme.color("accent_text"))
                    item.setToolTip(tr("A click brings the time cursor there"))
                if worst is not None and r == worst[0]:
                    item.setBackground(self._theme.color("warn_soft"))
                if hatched[r, c]:
                    item.setBackground(brush)
                    item.setToolTip(tr("Not determined by rigid bodies; least-squares value"))
                if table.poses:
                    item.setToolTip(tr("A click shows it, a double click places the drawing so"))
                if worst == (r, c):
                    item.setIcon(self._theme.icon("warn", "warn", 12))
                    item.setToolTip(tr("The largest of its kind in this table"))
                self.setItem(place, c, item)
        self.verticalHeader().setDefaultSectionSize(self._theme.dp(22))
        self.resizeColumnsToContents()
        self._limit_labels()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._limit_labels()

    def _limit_labels(self) -> None:
        """Leave numbers their room beside long labels, which are shown in full by a tip."""
        head = self.verticalHeader()
        head.setMaximumWidth(max(self._theme.dp(80), int(LABELS * self.width())))
        for r in range(self.rowCount()):
            if (item := self.verticalHeaderItem(r)) is not None:
                item.setToolTip(item.text())

    def _arrow(self, column: int) -> str:
        """Mark of the column that the rows are sorted by."""
        if self._sorted is None or self._sorted[0] != column:
            return ""
        return " ▾" if self._sorted[1] else " ▴"

    def text(self) -> str:
        """The table as a spreadsheet takes it: tabs between columns, labels first."""
        head = [
            _words(self.horizontalHeaderItem(c)).rstrip("▾▴ ").replace("\n", " ").strip()
            for c in range(self.columnCount())
        ]
        named = self.verticalHeader().isVisible()
        lines = ["\t".join(([""] if named else []) + head)]
        for r in range(self.rowCount()):
            cells = [_words(self.item(r, c)).replace("−", "-") for c in range(self.columnCount())]
            lines.append("\t".join(([_words(self.verticalHeaderItem(r))] if named else []) + cells))
        return "\n".join(lines) + "\n"

    def file_columns(self) -> list[Column]:
        """The table as a file takes it: every digit, in the user's units, in the order shown."""
        table, units = self._table, self._studio.preferences.units
        if table is None:
            return []
        values = _values(table)[self._order]
        labels = table.labels
        named = (
            [Column(tr("of"), "", np.array([labels[r] for r in self._order]))]
            if labels is not None
            else []
        )
        for c, (name, dimension) in enumerate(zip(table.columns, table.dimensions)):
            of = unit(dimension, units)
            named.append(Column(name, of.symbol, values[:, c] / of.factor))
        return named


def _values(table: Measured) -> np.ndarray:
    """The numbers (rows, columns) in SI."""
    return np.frombuffer(table.rows).reshape(-1, len(table.columns))


def _order(values: np.ndarray, by: tuple[int, bool] | None) -> list[int]:
    """Rows in the order of a column; unknown numbers last, equal ones as they were."""
    if by is None:
        return list(range(len(values)))
    column, falling = by
    keys = -values[:, column] if falling else values[:, column]
    return np.argsort(keys, kind="stable").tolist()


def _worst(table: Measured, values: np.ndarray, hatched: np.ndarray) -> tuple[int, int] | None:
    """Row and column of the largest magnitude of the quantity of the analysis."""
    dimension = ANALYSES[table.what].worst
    columns = [c for c, d in enumerate(table.dimensions) if d == dimension]
    sizes = np.where(hatched[:, columns] != 0, np.nan, np.abs(values[:, columns]))
    if len(values) < 2 or not np.isfinite(sizes).any() or not np.nanmax(sizes) > 0.0:
        return None
    row, column = np.unravel_index(int(np.nanargmax(sizes)), sizes.shape)
    return int(row), columns[int(column)]


def _words(item: QtWidgets.QTableWidgetItem | None) -> str:
    return "" if item is None else item.text()


class _Head(QtWidgets.QHeaderView):
    """A press selects a column, with Shift up to it; pulling it away is dragging it.

    released(column): a column was clicked.
    """

    dragged = QtCore.Signal()
    released = QtCore.Signal(int)

    def __init__(self, table: AnalysisTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._pressed: QtCore.QPointF | None = None
        self._column = -1  # that was pressed
        self.setSectionsClickable(True)
        self.setHighlightSections(True)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        column = self._column = self.logicalIndexAt(event.position().toPoint())
        resizes = self.cursor().shape() == Qt.CursorShape.SplitHCursor
        self._pressed = (
            event.position()
            if event.button() == Qt.MouseButton.LeftButton and column >= 0 and not resizes
            else None
        )
        # several that are selected are pulled together
        if self._pressed is None or column not in self._table.chosen() or event.modifiers():
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._pressed is None:
            super().mouseMoveEvent(event)
        elif (
            event.position() - self._pressed
        ).manhattanLength() >= QtWidgets.QApplication.startDragDistance():
            self._pressed = None
            self.dragged.emit()

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        super().mouseReleaseEvent(event)
        if pressed is not None and not event.modifiers():
            self.released.emit(self._column)
