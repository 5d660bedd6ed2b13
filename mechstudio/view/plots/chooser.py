"""The list of quantities beside a pane: it stays open while they are ticked, until Escape or a
click outside.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic
from mechstudio.application.plots.choice import choose, instead, with_curves
from mechstudio.application.plots.panes import shown_plots
from mechstudio.application.plots.rounding import value_shown
from mechstudio.application.studio import Studio
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.quantities import matching, quantities
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.model.joints.touching import MOST_PAIRS, too_many_pairs
from mechstudio.translation import Words, tr
from mechstudio.view.plots.quantity_list import (
    NAME,
    UNIT,
    VALUE,
    Groups,
    QuantityList,
)
from mechstudio.view.plots.ticks import reading
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Picture, label, row, wrapped

Qt = QtCore.Qt
WIDTH, ROW, HIGH = 430, 24, 440  # px at the normal text size
MOST_ROWS = 300  # of a search
RECENT: Words = "Recent"
WIDEST = "−0.000e−00"  # of the readings


class Ticks(Protocol):
    """Something that quantities are ticked for."""

    def now(self) -> tuple[str, ...] | None:
        """Keys of those that are ticked; None once it is gone."""
        ...

    def tick(self, key: str, name: str, on: bool, only: bool) -> None:
        """Tick a quantity of a name, or no more; only: no other one stays."""
        ...


class PaneTicks:
    """Quantities that a pane shows."""

    def __init__(self, studio: Studio, id: str) -> None:
        self._studio, self._id = studio, id

    def now(self) -> tuple[str, ...] | None:
        plots = shown_plots(self._studio.document.project)
        return next((p.channels for p in plots if p.id == self._id), None)

    def tick(self, key: str, name: str, on: bool, only: bool) -> None:
        studio, project, id = self._studio, self._studio.document.project, self._id
        change: Callable = (
            (lambda: instead(project, id, [key]))
            if on and only
            else (lambda: with_curves(project, id, [key], on))
        )
        if on:
            studio.plots.used(key)
        choose(
            studio.document,
            studio.notifications,
            tr("Plot {name}", name=name) if on else tr("Plot without {name}", name=name),
            change,
        )
        if studio.runs.recording is None and on:
            studio.runs.simulate()


class Chooser(QtWidgets.QFrame):
    """Quantities for one pane, or for something else.  closed: it is gone."""

    closed = QtCore.Signal()

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        ticks: Ticks,
        window: QtWidgets.QWidget,
        beside: QtCore.QRect,
        note: str = "",
    ) -> None:
        """beside: place in the window of its owner.  note: at its foot, where that is no pane."""
        super().__init__(window)
        self.setObjectName("sheet")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._ticks = theme, studio, ticks
        self._filling = False
        self._opened: set[str] = set()
        self._pressed = QtCore.QPointF()  # where the list was pressed last
        self.search = QtWidgets.QLineEdit()
        self.search.setPlaceholderText(tr("Search quantities"))
        self.search.setAccessibleName(tr("Search quantities"))
        field = row(
            Picture(theme, "search", "text3", 15),
            self.search,
            label(tr("Esc"), "key"),
            margins=(9, 0, 7, 0),
            gap=6,
            name="search",
        )
        theme.fit(field, height=28)
        self.rows = QuantityList(theme, self._reading, self)
        self.rows.flipped.connect(self._ticked)
        self.tree = QtWidgets.QTreeView()
        self.tree.setObjectName("quantities")
        self.tree.setModel(self.rows)
        self.rows.is_open = self.tree.isExpanded
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(theme.dp(14))
        self.tree.setUniformRowHeights(True)
        # names of one group begin alike and end with their axes
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setAccessibleName(tr("Quantities"))
        self.tree.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QtWidgets.QHeaderView.ResizeMode.Stretch)
        for k in (UNIT, VALUE):
            # columns as wide as their contents would read every row for every other one
            header.setSectionResizeMode(k, QtWidgets.QHeaderView.ResizeMode.Fixed)
        self.only = QtWidgets.QCheckBox(tr("Keep only what I tick now"))
        self.only.setObjectName("line")
        self.only.setVisible(not note)
        self.foot = wrapped(
            note or tr("The second unit takes the right axis, a third opens a new pane."), "three"
        )
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 8)
        box.setSpacing(6)
        for widget in (field, self.tree, self.only, self.foot):
            box.addWidget(widget)
        self.search.textChanged.connect(lambda _: self.fill())
        self.search.installEventFilter(self)
        self.tree.expanded.connect(self._expanded)
        self.tree.collapsed.connect(self._collapsed)
        self.tree.clicked.connect(self._clicked)
        self._late = QtCore.QTimer(self, singleShot=True, interval=100)
        self._late.timeout.connect(self._show_values)
        studio.runs.playback.changed.connect(self._soon)
        studio.document.changed.connect(self._changed)
        self.fill(first=True)
        self.place(beside)
        app = QtWidgets.QApplication.instance()
        assert app is not None
        app.installEventFilter(self)
        self.show()
        self.raise_()
        self.search.setFocus()

    def place(self, beside: QtCore.QRect) -> None:
        """Stand beside a place of the window, at the side that has the most room."""
        window = self.parentWidget()
        assert window is not None
        dp = self._theme.dp
        wide = min(dp(WIDTH), window.width() - 16)
        self._beside = beside
        opened = (k for k in self._groups_shown() if self.tree.isExpanded(k))
        rows = self.rows.rowCount() + sum(self.rows.rowCount(k) for k in opened)
        self.foot.setFixedWidth(wide - 16)
        rest = self.sizeHint().height() - self.tree.sizeHint().height()
        list_ = max(rows * dp(ROW), 3 * dp(ROW)) + 6
        high = min(rest + list_, dp(HIGH), window.height() - 16)
        right = window.width() - beside.right()
        x = (
            beside.right() + 6
            if right >= wide + 12 or right > beside.left()
            else beside.left() - wide - 6
        )
        x = min(max(x, 8), window.width() - wide - 8)
        y = min(max(beside.top() - dp(60), 8), window.height() - high - 8)
        self.setGeometry(x, y, wide, high)

    # rows

    def fill(self, first: bool = False) -> None:
        """Groups with what the search finds in them; those with ticks are open."""
        project, units = self._studio.document.project, self._studio.preferences.units
        ticked = set(self._now())
        words, everything = self.search.text(), quantities(project)
        found = matching(project, words)
        groups: Groups = {}
        if not words:
            recent = [everything[k] for k in self._studio.plots.recent if k in everything]
            if recent:
                groups[RECENT] = recent
            chosen = self._studio.selection.current
            if own := [q for q in everything.values() if chosen and q.element == chosen]:
                groups[own[0].owner or tr("Selected")] = own
        for o in found:
            groups.setdefault(o.group, []).append(o)
        if first:
            self._opened |= {
                name
                for name, those in groups.items()
                if name == RECENT or ticked & {o.key for o in those}
            } or set(list(groups)[:1])
        self.rows.fill(groups, ticked, units, MOST_ROWS if words else len(everything))
        self._fit_columns()
        left = MOST_ROWS
        self._filling = True
        for k, (name, those) in enumerate(groups.items()):
            if (bool(words) and left > 0) or name in self._opened:
                left -= len(those)
                self.tree.setExpanded(self.rows.group(k), True)
        self._filling = False
        if too_many_pairs(project.mechanism):
            self.foot.setText(
                tr(
                    "No force of each pair: more than {n} pairs may touch. Let fewer touch, in "
                    "ground's inspector.",
                    n=MOST_PAIRS,
                )
            )
        if not first:
            self.place(self._beside)

    def _fit_columns(self) -> None:
        """Room for every unit, every count and every reading; the names have the rest."""
        self.tree.ensurePolished()
        wide = self.tree.fontMetrics().horizontalAdvance
        groups, units = self.rows.groups.values(), self.rows.units
        symbols = {unit_of(d, units).symbol for d in {o.dimension for g in groups for o in g}}
        counts = [tr("{n} of {all}", n=len(g), all=len(g)) for g in groups]
        for column, words in ((UNIT, symbols), (VALUE, (*counts, WIDEST))):
            room = max(map(wide, words), default=0) + self._theme.dp(12)
            self.tree.header().resizeSection(column, room)

    def _expanded(self, group: QtCore.QModelIndex) -> None:
        name = self.rows.name_of(group)
        if name is not None and not self._filling:
            self._opened.add(name)

    def _collapsed(self, group: QtCore.QModelIndex) -> None:
        self._opened.discard(self.rows.name_of(group) or "")

    def _clicked(self, index: QtCore.QModelIndex) -> None:
        if self.rows.name_of(index) is not None:
            group = index.siblingAtColumn(NAME)
            self.tree.setExpanded(group, not self.tree.isExpanded(group))
            self.place(self._beside)
        elif index.column() != NAME or self._beside_box(index):
            # the whole row ticks, not its box alone
            self._flip(index)

    def _beside_box(self, index: QtCore.QModelIndex) -> bool:
        at = self._pressed
        box = self.tree.style().pixelMetric(QtWidgets.QStyle.PixelMetric.PM_IndicatorWidth)
        return at.x() > self.tree.visualRect(index).left() + box + self._theme.dp(6)

    def _flip(self, index: QtCore.QModelIndex) -> None:
        found = self.rows.quantity(index)
        if found is not None:
            self._ticked(found.key, found.name, found.key not in self.rows.ticked)

    def row_of(self, key: str) -> QtCore.QModelIndex:
        """The first row of a quantity.  Raises StopIteration where there is none."""
        return self.rows.place_of(key)

    def help_topic(self) -> Topic:
        """The group of the row that is chosen."""
        found = self.rows.quantity(self.tree.currentIndex())
        return topics.of_quantity("" if found is None else found.group)

    # ticks

    def _now(self) -> tuple[str, ...]:
        """Keys that are ticked now."""
        return self._ticks.now() or ()

    def _ticked(self, key: str, name: str, on: bool) -> None:
        self._ticks.tick(key, name, on, self.only.isChecked())
        self._show_ticks()

    def _changed(self, old: object, new: object) -> None:
        if self._ticks.now() is None:
            self.close()
        else:
            self._show_ticks()

    def _show_ticks(self) -> None:
        """Ticks and counts as the pane is now."""
        self.rows.show_ticks(set(self._now()))

    # values at the time cursor

    def _soon(self) -> None:
        if not self._late.isActive():
            self._late.start()

    def _show_values(self) -> None:
        """Values of the rows in sight, which the view asks for."""
        self.tree.viewport().update()

    def _reading(self, o: PlotQuantity) -> str:
        """Words for the value of a quantity at the time cursor."""
        value = self._value(o.key) / unit_of(o.dimension, self.rows.units).factor
        return reading(value, abs(value)) if math.isfinite(value) else "–"

    def _value(self, key: str) -> float:
        """Value of a quantity at the time cursor [SI]; NaN where it is unknown."""
        recording, sample = self._studio.runs.recording, self._studio.runs.sample
        if recording is None or sample is None:
            return math.nan
        return value_shown(recording, sample, key, self._studio.questions.curves.answers)

    # leaving

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if (
            isinstance(event, QtGui.QKeyEvent)
            and event.type() == QtCore.QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and isinstance(watched, QtWidgets.QWidget)
            and self.isAncestorOf(watched)
        ):
            # wherever the keys are in it, Escape closes it, and does not select nothing
            event.accept()
            return True
        if watched is self.search and isinstance(event, QtGui.QKeyEvent):
            return event.type() == QtCore.QEvent.Type.KeyPress and self._key(event.key())
        if isinstance(event, QtGui.QMouseEvent) and isinstance(watched, QtWidgets.QWidget):
            if event.type() != QtCore.QEvent.Type.MouseButtonPress:
                return False
            if watched is self.tree.viewport():
                self._pressed = event.position()
            elif watched is not self and not self.isAncestorOf(watched):
                self.close()
        return False

    def _key(self, key: int) -> bool:
        """Keys of the search field that move in the list."""
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            now = self.tree.currentIndex()
            after = (
                self.rows.group(0)
                if not now.isValid()
                else self.tree.indexBelow(now)
                if key == Qt.Key.Key_Down
                else self.tree.indexAbove(now)
            )
            if after.isValid():
                self.tree.setCurrentIndex(after)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            now = self.tree.currentIndex()
            first = (self.rows.index(0, NAME, k) for k in self._groups_shown())
            if self.rows.quantity(now) is None:
                now = next((k for k in first if k.isValid()), now)
            self._flip(now)
            return True
        return False

    def _groups_shown(self) -> list[QtCore.QModelIndex]:
        return [self.rows.group(k) for k in range(self.rows.rowCount())]

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        app = QtWidgets.QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
        self._studio.runs.playback.changed.disconnect(self._soon)
        self._studio.document.changed.disconnect(self._changed)
        self._late.stop()
        event.accept()
        self.deleteLater()
        self.closed.emit()
