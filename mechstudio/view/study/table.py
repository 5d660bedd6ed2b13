"""The table of a study: numbers from arrays, whatever their count, sorted by a click on a head."""

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.translation import tr
from mechstudio.view.plots.ticks import reading
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
ROW = 22  # px at the normal text size
Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex


class StudyRows(QtCore.QAbstractTableModel):
    """Kept rows in their order: one column more says why a run failed, where any did."""

    def __init__(self, theme: Theme, shown: StudyShown) -> None:
        super().__init__()
        self._theme, self._shown = theme, shown
        self._order = np.zeros(0, int)
        self._feasible = np.zeros(0, bool)
        self._spans: list[float] = []
        self._words = False

    def reread(self) -> None:
        """Rows, ranges or the order are others."""
        shown, table = self._shown, self._shown.table
        self.beginResetModel()
        self._order = shown.order
        self._feasible = shown.feasible
        self._spans = [shown.span(k) / c.factor for k, c in enumerate(shown.columns)]
        self._words = table is not None and bool(table.reasons or table.notes)
        self.endResetModel()

    def row(self, place: int) -> int:
        """Row of the study in a line of the table."""
        return int(self._order[place])

    def place(self, row: int | None) -> int:
        """Line of a row; -1 where it is not there."""
        found = np.flatnonzero(self._order == row) if row is not None else np.zeros(0, int)
        return int(found[0]) if len(found) else -1

    def rowCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._shown.columns) + self._words

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, c = int(self._order[index.row()]), index.column()
        columns, table = self._shown.columns, self._shown.table
        if table is None:
            return None
        if c >= len(columns):
            reason = table.reasons.get(row) or table.notes.get(row, "")
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                return reason
            return self._theme.color("text2") if role == Qt.ItemDataRole.ForegroundRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            column = columns[c]
            return reading(float(column.values[row]) / column.factor, self._spans[c])
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and not self._feasible[row]:
            return self._theme.color("text3")
        if role == Qt.ItemDataRole.ToolTipRole and not self._feasible[row]:
            return table.reasons.get(row) or tr("This run does not keep the limits.")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        columns, sorted_ = self._shown.columns, self._shown.sorted
        if role == Qt.ItemDataRole.DisplayRole:
            if section >= len(columns):
                return tr("Note")
            arrow = (" ↓" if sorted_[1] else " ↑") if sorted_ and sorted_[0] == section else ""
            return columns[section].head + arrow
        if role == Qt.ItemDataRole.ToolTipRole and section < len(columns):
            return columns[section].head
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignRight
                if section < len(columns)
                else Qt.AlignmentFlag.AlignLeft
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class StudyTableView(QtWidgets.QTableView):
    """A click chooses a row."""

    def __init__(self, theme: Theme, shown: StudyShown) -> None:
        super().__init__()
        self._theme, self._shown = theme, shown
        self._showing = False
        self.rows = StudyRows(theme, shown)
        self.setModel(self.rows)
        self.setObjectName("numbers")
        self.setAccessibleName(tr("Runs of the study"))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QtWidgets.QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        labels = self.verticalHeader()
        labels.hide()
        # rows are as high as each other: none of them is measured
        labels.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Fixed)
        labels.setMinimumSectionSize(4)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        head.setMinimumSectionSize(40)
        head.sectionClicked.connect(self._sort)
        head.setSectionsClickable(True)
        self.selectionModel().currentRowChanged.connect(self._moved)
        self.entered.connect(lambda index: shown.hover(self.rows.row(index.row())))
        for signal in (shown.rows_changed, shown.kept_changed):
            signal.connect(self._reread)
        shown.chosen_changed.connect(self._show_chosen)
        theme.follow(self._reread)
        self._reread()

    def _sort(self, section: int) -> None:
        if section < len(self._shown.columns):
            self._shown.sort_by(section)

    def _moved(self, now: QtCore.QModelIndex, before: QtCore.QModelIndex) -> None:
        if not self._showing and now.isValid():
            self._shown.choose(self.rows.row(now.row()))

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._shown.hover(None)
        super().leaveEvent(event)

    def _reread(self) -> None:
        top = self.verticalScrollBar().value()
        self._showing = True
        self.verticalHeader().setDefaultSectionSize(self._theme.dp(ROW))
        self.rows.reread()
        self._showing = False
        self.verticalScrollBar().setValue(top)
        self._widths()
        self._show_chosen()

    def _show_chosen(self) -> None:
        place = self.rows.place(self._shown.chosen)
        self._showing = True
        if place < 0:
            self.clearSelection()
        else:
            self.selectRow(place)
        self._showing = False

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._widths()

    def _widths(self) -> None:
        """Columns share the width where there is enough of it."""
        count = len(self._shown.columns)
        if not count:
            return
        head, dp = self.horizontalHeader(), self._theme.dp
        room = self.viewport().width() - (dp(180) if self.rows.columnCount() > count else 0)
        metrics = head.fontMetrics()
        widths = [
            min(max(metrics.horizontalAdvance(c.head) + dp(30), dp(64)), dp(190))
            for c in self._shown.columns
        ]
        # a name that is cut stands in the tip of its head; half of it is not
        stretch = max(0.62, room / sum(widths))
        for k, width in enumerate(widths):
            head.resizeSection(k, max(int(width * stretch), dp(60)))
        if self.rows.columnCount() > count:
            head.resizeSection(count, dp(180))

    def text(self) -> str:
        """The kept rows as they are shown, for the clipboard."""
        columns = self._shown.columns
        lines = ["\t".join(c.head for c in columns)]
        for row in self._shown.order.tolist():
            lines.append("\t".join(f"{c.values[row] / c.factor:.10g}" for c in columns))
        return "\n".join(lines) + "\n"
