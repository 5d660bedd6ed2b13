"""The table of points, poses or pairs; the line below the last one takes a new row."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.synthesis.draft import Draft
from mechstudio.application.synthesis.question import Row, cell
from mechstudio.model import units
from mechstudio.model.formulas.decimal_comma import with_points
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.translation import localised, tr
from mechstudio.view.plots.ticks import minus
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
ROW, LINES = 24, 9  # px of a line, and lines that are seen
Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex


class Rows(QtCore.QAbstractTableModel):
    """Cells in mm and deg."""

    refused = QtCore.Signal(str)

    def __init__(self, theme: Theme, draft: Draft) -> None:
        super().__init__()
        self._theme, self._draft = theme, draft
        # of this purpose: another one has a table of its own
        self._purpose, self._columns = draft.now.purpose, draft.now.columns
        self._count = len(self._rows) + 1

    @property
    def _rows(self) -> tuple[Row, ...]:
        return self._draft.now.rows[self._purpose]

    def rowCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        rows, column = self._rows, self._columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return None
        value = rows[index.row()][index.column()] if index.row() < len(rows) else None
        if value is None:
            return ""
        number = value / units.unit(column.dimension).factor
        text = f"{number:.6g}" if role == Qt.ItemDataRole.EditRole else f"{number:.2f}"
        text = text if float(text) else text.lstrip("-")
        return minus(localised(text)) if role == Qt.ItemDataRole.DisplayRole else localised(text)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or str(value) == self.data(index, role):
            return False
        column = self._columns[index.column()]
        try:
            found = cell(with_points(str(value)), column.dimension)
        except ExpressionError as error:
            self.refused.emit(str(error))
            return False
        if index.row() == len(self._rows) and found is None:
            return False
        self._draft.set_cell(index.row(), index.column(), found)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            last = section == len(self._rows)
            return "+" if last else str(section + 1)
        column = self._columns[section]
        return f"{tr(column.label)}, {units.unit(column.dimension).symbol}"

    def again(self) -> None:
        """Rows are others; a cell that is being typed stays open."""
        old, new = self._count, len(self._rows) + 1
        none = QtCore.QModelIndex()
        if new > old:
            self.beginInsertRows(none, old, new - 1)
            self._count = new
            self.endInsertRows()
        elif new < old:
            self.beginRemoveRows(none, new, old - 1)
            self._count = new
            self.endRemoveRows()
        self.dataChanged.emit(self.index(0, 0), self.index(new - 1, self.columnCount() - 1))
        self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, new - 1)


class PointTable(QtWidgets.QTableView):
    """Numbers are typed where they stand; Delete takes a row away."""

    def __init__(self, theme: Theme, draft: Draft) -> None:
        super().__init__()
        self._theme, self._draft = theme, draft
        self.rows = Rows(theme, draft)
        self.setModel(self.rows)
        self.setObjectName("numbers")
        self.setAccessibleName(tr("What the linkage goes through"))
        self.setShowGrid(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        # a row that is marked in the sheet must not take the keys
        triggers = QtWidgets.QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.AnyKeyPressed | triggers.EditKeyPressed)
        self.clicked.connect(self._click)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Stretch)
        head.setHighlightSections(False)
        side = self.verticalHeader()
        side.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Fixed)
        side.setDefaultSectionSize(theme.dp(ROW))
        theme.fit(side, width=30)
        self.rows.refused.connect(self._refuse)

    def _click(self, index: QtCore.QModelIndex) -> None:
        rows = self._draft.now.table
        self._draft.choose(index.row() if index.row() < len(rows) else None)
        self.edit(index)

    def _refuse(self, sentence: str) -> None:
        QtWidgets.QToolTip.showText(QtGui.QCursor.pos(), sentence, self)

    def reread(self) -> None:
        """Rows are others, or another one is marked."""
        self.rows.again()
        lines = min(self.rows.rowCount(), LINES) + 1
        self._theme.fit(self, height=ROW * lines + 4)
        chosen = self._draft.chosen
        if chosen is not None and chosen != self.currentIndex().row():
            index = self.rows.index(chosen, 0)
            model = self.selectionModel()
            model.setCurrentIndex(index, QtCore.QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(index)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        at = self.currentIndex()
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and at.isValid():
            self._draft.delete(at.row())
        else:
            super().keyPressEvent(event)
