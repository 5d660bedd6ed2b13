"""The table of an analysis: numbers, units, hatching, and columns that can be pulled out of it."""

import math

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.types.analyses import Measured
from mechstudio.model.units import format_number, unit
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt


class AnalysisTable(QtWidgets.QTableWidget):
    """The numbers in the user's units; what rigid bodies do not determine is hatched.

    dragged(): the selected columns are pulled out of their head.  asked(place): a menu is wanted
    for the selected columns, at a place of the screen.
    """

    dragged = QtCore.Signal()
    asked = QtCore.Signal(QtCore.QPoint)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._shown: tuple | None = None
        self.setObjectName("numbers")
        self.setAccessibleName(tr("Result of the analysis"))
        self.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        head = _Head(self)
        self.setHorizontalHeader(head)
        head.dragged.connect(self.dragged)
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
        """The columns of what is selected."""
        return sorted({index.column() for index in self.selectedIndexes()})

    def _ask(self, column: int, place: QtCore.QPoint) -> None:
        if column >= 0 and column not in self.chosen():
            self.selectColumn(column)
        self.asked.emit(place)

    def show_table(self, table: Measured | None, again: bool = False) -> None:
        """Fill in a table; nothing for None."""
        units = self._studio.preferences.units
        if not again and self._shown == (id(table), units):
            return
        self._shown = (id(table), units)
        self.setVisible(table is not None)
        if table is None:
            self.clear()
            self.setRowCount(0)
            return
        count = len(table.columns)
        values = np.frombuffer(table.rows).reshape(-1, count)
        hatched = np.frombuffer(table.hatched, "u1").reshape(-1, count)
        self.setRowCount(len(values))
        self.setColumnCount(count)
        symbols = [unit(d, units) for d in table.dimensions]
        tall = any(u.symbol for u in symbols)
        self.setHorizontalHeaderLabels(
            [f"{c}\n{u.symbol}" if tall else c for c, u in zip(table.columns, symbols)]
        )
        self.verticalHeader().setVisible(table.labels is not None)
        if table.labels is not None:
            self.setVerticalHeaderLabels(list(table.labels))
        brush = QtGui.QBrush(self._theme.color("line_strong"), Qt.BrushStyle.BDiagPattern)
        largest = {
            d: max(
                (
                    float(np.nanmax(np.abs(values[:, c]), initial=0.0))
                    for c, of in enumerate(table.dimensions)
                    if of == d
                ),
                default=0.0,
            )
            for d in table.dimensions
        }
        for r in range(len(values)):
            for c in range(count):
                x = float(values[r, c])
                x = 0.0 if abs(x) < 1e-13 * largest[table.dimensions[c]] else x
                item = QtWidgets.QTableWidgetItem(
                    "–" if not math.isfinite(x) else format_number(x / symbols[c].factor, 5)
                )
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                if hatched[r, c]:
                    item.setBackground(brush)
                    item.setToolTip(tr("Not determined by rigid bodies; least-squares value"))
                self.setItem(r, c, item)
        self.verticalHeader().setDefaultSectionSize(self._theme.dp(22))
        self.resizeColumnsToContents()

    def text(self) -> str:
        """The table as a spreadsheet takes it: tabs between columns, labels first."""
        head = [
            _words(self.horizontalHeaderItem(c)).replace("\n", " ").strip()
            for c in range(self.columnCount())
        ]
        named = self.verticalHeader().isVisible()
        lines = ["\t".join(([""] if named else []) + head)]
        for r in range(self.rowCount()):
            cells = [_words(self.item(r, c)).replace("−", "-") for c in range(self.columnCount())]
            lines.append("\t".join(([_words(self.verticalHeaderItem(r))] if named else []) + cells))
        return "\n".join(lines) + "\n"


def _words(item: QtWidgets.QTableWidgetItem | None) -> str:
    return "" if item is None else item.text()


class _Head(QtWidgets.QHeaderView):
    """A press selects a column, with Shift up to it; pulling it away is dragging it."""

    dragged = QtCore.Signal()

    def __init__(self, table: AnalysisTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self._pressed: QtCore.QPointF | None = None
        self.setSectionsClickable(True)
        self.setHighlightSections(True)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        column = self.logicalIndexAt(event.position().toPoint())
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
        self._pressed = None
        super().mouseReleaseEvent(event)
