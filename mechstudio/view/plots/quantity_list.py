"""Groups of quantities and their rows, with a tick, a unit and a value each, as a view asks for
them: of hundreds of rows only those in sight are made into words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from PySide6 import QtCore

from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
KEY = Qt.ItemDataRole.UserRole
GROUP = Qt.ItemDataRole.UserRole + 1
NAME, UNIT, VALUE = range(3)
NOTHING: Words = "Nothing is called so"
USUAL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
LEAF = USUAL | Qt.ItemFlag.ItemNeverHasChildren
TICKED = LEAF | Qt.ItemFlag.ItemIsUserCheckable
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex
Groups = dict[str, list[PlotQuantity]]


class QuantityList(QtCore.QAbstractItemModel):
    """Groups with their quantities.

    groups: quantities by the name of their group; most: rows that a group shows.  ticked: keys.
    value(quantity): words for its value now.  is_open(index): the view shows the rows of a group.
    flipped(key, name, on): somebody ticked a row, or took its tick away.
    """

    flipped = QtCore.Signal(str, str, bool)

    def __init__(
        self, theme: Theme, value: Callable[[PlotQuantity], str], parent: QtCore.QObject
    ) -> None:
        super().__init__(parent)
        self._theme, self._value = theme, value
        self._names: list[str] = []
        self._rows: list[list[PlotQuantity]] = []
        self.units = ""
        self.groups: Groups = {}
        self.ticked: Collection[str] = ()
        self.is_open: Callable[[QtCore.QModelIndex], bool] = lambda index: False

    def fill(self, groups: Groups, ticked: Collection[str], units: str, most: int) -> None:
        """Show other groups.  units: system of the unit column."""
        self.beginResetModel()
        self.groups, self.ticked, self.units = groups, ticked, units
        self._names = list(groups) or [NOTHING]
        self._rows = [those[:most] for those in groups.values()] or [[]]
        self.endResetModel()

    def show_ticks(self, ticked: Collection[str]) -> None:
        """Show other ticks and counts."""
        self.ticked = ticked
        for k, rows in enumerate(self._rows):
            group = self.group(k)
            self.dataChanged.emit(group, self.index(k, VALUE))
            if rows:
                self.dataChanged.emit(
                    self.index(0, NAME, group), self.index(len(rows) - 1, VALUE, group)
                )

    # places

    def group(self, place: int) -> QtCore.QModelIndex:
        """Place of a group among the groups."""
        return self.index(place, NAME)

    def name_of(self, index: Index) -> str | None:
        """The name of the group that a row is; None for a quantity."""
        known = index.isValid() and not index.internalId() and bool(self.groups)
        return self._names[index.row()] if known else None

    def quantity(self, index: Index) -> PlotQuantity | None:
        """The quantity of a row; None for a group."""
        group = index.internalId() if index.isValid() else 0
        return self._rows[group - 1][index.row()] if group else None

    def place_of(self, key: str) -> QtCore.QModelIndex:
        """The first row of a quantity.  Raises StopIteration where there is none."""
        return next(
            self.index(row, NAME, self.group(k))
            for k, rows in enumerate(self._rows)
            for row, q in enumerate(rows)
            if q.key == key
        )

    # what a view asks for

    def index(self, row: int, column: int, parent: Index = QtCore.QModelIndex()) -> Any:
        if not self.hasIndex(row, column, parent):
            return QtCore.QModelIndex()
        # of a quantity the number of its group from one on, of a group none
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QtCore.QModelIndex()) -> Any:
        group = index.internalId() if index.isValid() else 0
        return self.createIndex(group - 1, NAME, 0) if group else QtCore.QModelIndex()

    def rowCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        if not parent.isValid():
            return len(self._rows)
        return 0 if parent.internalId() or parent.column() else len(self._rows[parent.row()])

    def columnCount(self, parent: Index = QtCore.QModelIndex()) -> int:
        return 3

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and index.internalId():
            return TICKED if index.column() == NAME else LEAF
        return USUAL if self.groups else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        found = self.quantity(index)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() == VALUE else None
        return self._of_group(index, role) if found is None else self._of_row(found, index, role)

    def _of_group(self, index: Index, role: int) -> Any:
        """Arrow, name and count of a group."""
        name, column = self._names[index.row()], index.column()
        if not self.groups:
            return tr(name) if (column, role) == (NAME, Qt.ItemDataRole.DisplayRole) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return tr(name) if column == NAME else self._count(name) if column == VALUE else ""
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._theme.color("text2" if column == NAME else "text3")
        if role == Qt.ItemDataRole.DecorationRole and column == NAME:
            opened = self.is_open(self.group(index.row()))
            return self._theme.icon("down" if opened else "right", "text3", 13)
        return name if role == GROUP else None

    def _count(self, name: str) -> str:
        those = self.groups[name]
        count = sum(q.key in self.ticked for q in those)
        return tr("{n} of {all}", n=count, all=len(those))

    def _of_row(self, q: PlotQuantity, index: Index, role: int) -> Any:
        """Name, unit, value and tick of a quantity."""
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == NAME:
                return q.name
            return unit_of(q.dimension, self.units).symbol if column == UNIT else self._value(q)
        if role == Qt.ItemDataRole.ToolTipRole:
            return q.name
        if role == Qt.ItemDataRole.CheckStateRole and column == NAME:
            return Qt.CheckState.Checked if q.key in self.ticked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ForegroundRole and column == UNIT:
            return self._theme.color("text3")
        return q.key if role == KEY else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        q = self.quantity(index)
        if q is None or role != Qt.ItemDataRole.CheckStateRole:
            return False
        on = Qt.CheckState(value) == Qt.CheckState.Checked
        if on != (q.key in self.ticked):
            self.flipped.emit(q.key, q.name, on)
        return True
