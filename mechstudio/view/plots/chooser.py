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
from mechstudio.application.plots.series import value_now
from mechstudio.application.studio import Studio
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.quantities import matching, quantities
from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.model.contact import MOST_PAIRS, too_many_pairs
from mechstudio.translation import Words, tr
from mechstudio.view.plots.ticks import reading
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Picture, label, row, wrapped

Qt = QtCore.Qt
KEY = Qt.ItemDataRole.UserRole
GROUP = Qt.ItemDataRole.UserRole + 1
WIDTH, ROW, HIGH = 330, 24, 440  # px at the normal text size
MOST_ROWS = 300  # of a search
RECENT: Words = "Recent"
NAME, UNIT, VALUE = range(3)


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
        theme.fit(field, "setFixedHeight", 28)
        self.tree = QtWidgets.QTreeWidget()
        self.tree.setObjectName("quantities")
        self.tree.setColumnCount(3)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(theme.dp(14))
        self.tree.setUniformRowHeights(True)
        self.tree.setAccessibleName(tr("Quantities"))
        self.tree.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QtWidgets.QHeaderView.ResizeMode.Stretch)
        for k in (UNIT, VALUE):
            header.setSectionResizeMode(k, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
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
        self.tree.itemChanged.connect(self._ticked)
        self.tree.itemExpanded.connect(self._expanded)
        self.tree.itemCollapsed.connect(lambda item: self._opened.discard(item.data(NAME, GROUP)))
        self.tree.itemClicked.connect(self._clicked)
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
        rows = self.tree.topLevelItemCount() + len(self._rows(True))
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
        self._filling = True
        project = self._studio.document.project
        self._shown = set(self._now())
        words, everything = self.search.text(), quantities(project)
        found = matching(project, words)
        groups: dict[str, list[PlotQuantity]] = {}
        if not words:
            recent = [everything[k] for k in self._studio.plots.recent if k in everything]
            if recent:
                groups[RECENT] = recent
            chosen = self._studio.selection.current
            if own := [q for q in everything.values() if chosen and q.element == chosen]:
                groups[own[0].owner or tr("Selected")] = own
        for o in found:
            groups.setdefault(o.group, []).append(o)
        self._groups = groups
        if first:
            self._opened |= {
                name
                for name, those in groups.items()
                if name == RECENT or self._shown & {o.key for o in those}
            } or set(list(groups)[:1])
        self.tree.clear()
        left = MOST_ROWS
        for name, those in groups.items():
            item = QtWidgets.QTreeWidgetItem([tr(name)])
            item.setData(NAME, GROUP, name)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setForeground(NAME, self._theme.color("text2"))
            item.setChildIndicatorPolicy(
                QtWidgets.QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator
            )
            self.tree.addTopLevelItem(item)
            item.setFirstColumnSpanned(False)
            if (bool(words) and left > 0) or name in self._opened:
                self._fill_group(item, those[:left] if words else those)
                left -= len(those)
                item.setExpanded(True)
            self._show_group(item)
        if words and not found:
            none = QtWidgets.QTreeWidgetItem([tr("Nothing is called so")])
            none.setFlags(Qt.ItemFlag.NoItemFlags)
            self.tree.addTopLevelItem(none)
        if too_many_pairs(project.mechanism):
            self.foot.setText(
                tr(
                    "No force of each pair: more than {n} pairs may touch. Let fewer touch, in "
                    "ground's inspector.",
                    n=MOST_PAIRS,
                )
            )
        self._filling = False
        self._show_values()
        if not first:
            self.place(self._beside)

    def _fill_group(self, item: QtWidgets.QTreeWidgetItem, those: list[PlotQuantity]) -> None:
        units = self._studio.preferences.units
        for o in those:
            child = QtWidgets.QTreeWidgetItem([o.name, unit_of(o.dimension, units).symbol, "–"])
            child.setData(NAME, KEY, o.key)
            child.setFlags(
                Qt.ItemFlag.ItemIsEnabled
                | Qt.ItemFlag.ItemIsUserCheckable
                | Qt.ItemFlag.ItemIsSelectable
            )
            on = o.key in self._shown
            child.setCheckState(NAME, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            child.setForeground(UNIT, self._theme.color("text3"))
            child.setTextAlignment(
                VALUE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            )
            item.addChild(child)

    def _show_group(self, item: QtWidgets.QTreeWidgetItem) -> None:
        """Arrow and count of a group."""
        name = item.data(NAME, GROUP)
        those = self._groups[name]
        count = sum(o.key in self._shown for o in those)
        item.setText(VALUE, tr("{n} of {all}", n=count, all=len(those)))
        item.setTextAlignment(VALUE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setForeground(VALUE, self._theme.color("text3"))
        item.setIcon(NAME, self._theme.icon("down" if item.isExpanded() else "right", "text3", 13))

    def _expanded(self, item: QtWidgets.QTreeWidgetItem) -> None:
        name = item.data(NAME, GROUP)
        if name is None or self._filling:
            return
        self._opened.add(name)
        if not item.childCount():
            self._filling = True
            self._fill_group(item, self._groups[name])
            self._filling = False
            self._show_values()
        self._show_group(item)

    def _clicked(self, item: QtWidgets.QTreeWidgetItem, column: int) -> None:
        if item.data(NAME, GROUP) is not None:
            item.setExpanded(not item.isExpanded())
            self._filling = True
            self._show_group(item)
            self._filling = False
            self.place(self._beside)
        elif column != NAME or self._beside_box(item):
            # the whole row ticks, not its box alone
            self._flip(item)

    def _beside_box(self, item: QtWidgets.QTreeWidgetItem) -> bool:
        at = self._pressed
        box = self.tree.style().pixelMetric(QtWidgets.QStyle.PixelMetric.PM_IndicatorWidth)
        return at.x() > self.tree.visualItemRect(item).left() + box + self._theme.dp(6)

    def _flip(self, item: QtWidgets.QTreeWidgetItem) -> None:
        if item.data(NAME, KEY):
            on = item.checkState(NAME) == Qt.CheckState.Checked
            item.setCheckState(NAME, Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)

    def row_of(self, key: str) -> QtWidgets.QTreeWidgetItem:
        """The first row of a quantity.  Raises StopIteration where there is none."""
        found = QtWidgets.QTreeWidgetItemIterator(self.tree)
        while found.value() is not None:
            if found.value().data(NAME, KEY) == key:
                return found.value()
            found += 1
        raise StopIteration(key)

    def help_topic(self) -> Topic:
        """The group of the row that is chosen."""
        item = self.tree.currentItem()
        key = None if item is None else item.data(NAME, KEY)
        found = quantities(self._studio.document.project).get(key) if key else None
        return topics.of_quantity("" if found is None else found.group)

    # ticks

    def _now(self) -> tuple[str, ...]:
        """Keys that are ticked now."""
        return self._ticks.now() or ()

    def _ticked(self, item: QtWidgets.QTreeWidgetItem, column: int) -> None:
        key = item.data(NAME, KEY)
        if self._filling or key is None or column != NAME:
            return
        on = item.checkState(NAME) == Qt.CheckState.Checked
        if on == (key in self._shown):
            return
        self._ticks.tick(key, item.text(NAME), on, self.only.isChecked())
        self._show_ticks()

    def _changed(self, old: object, new: object) -> None:
        if self._ticks.now() is None:
            self.close()
        else:
            self._show_ticks()

    def _show_ticks(self) -> None:
        """Ticks and counts as the pane is now."""
        self._filling, self._shown = True, set(self._now())
        for group in self._groups_shown():
            for child in _children(group):
                on = child.data(NAME, KEY) in self._shown
                child.setCheckState(NAME, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            if group.data(NAME, GROUP) is not None:
                self._show_group(group)
        self._filling = False

    # values at the time cursor

    def _soon(self) -> None:
        if not self._late.isActive():
            self._late.start()

    def _show_values(self) -> None:
        """Values of the rows in sight."""
        units, offered = (
            self._studio.preferences.units,
            {o.key: o for those in self._groups.values() for o in those},
        )
        self._filling = True
        item = self.tree.topLevelItem(0)
        while item is not None:
            key = item.data(NAME, KEY)
            if key in offered:
                value = self._value(key) / unit_of(offered[key].dimension, units).factor
                item.setText(VALUE, reading(value, abs(value)) if math.isfinite(value) else "–")
            item = self.tree.itemBelow(item)
        self._filling = False

    def _value(self, key: str) -> float:
        """Value of a quantity at the time cursor [SI]; NaN where it is unknown."""
        recording, sample = self._studio.runs.recording, self._studio.runs.sample
        if recording is None or sample is None:
            return math.nan
        return value_now(recording, sample, key, self._studio.questions.curves.answers)

    # leaving

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
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
            now = self.tree.currentItem()
            after = (
                self.tree.topLevelItem(0)
                if now is None
                else self.tree.itemBelow(now)
                if key == Qt.Key.Key_Down
                else self.tree.itemAbove(now)
            )
            if after is not None:
                self.tree.setCurrentItem(after)
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            item = self.tree.currentItem()
            if item is None or item.data(NAME, KEY) is None:
                item = next(iter(self._rows()), None)
            if item is not None:
                self._flip(item)
            return True
        return False

    def _rows(self, in_sight: bool = False) -> list[QtWidgets.QTreeWidgetItem]:
        """Quantities that have a row; in_sight: in open groups."""
        return [
            child
            for group in self._groups_shown()
            if group.isExpanded() or not in_sight
            for child in _children(group)
        ]

    def _groups_shown(self) -> list[QtWidgets.QTreeWidgetItem]:
        root = self.tree.invisibleRootItem()
        return [] if root is None else _children(root)

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


def _children(item: QtWidgets.QTreeWidgetItem) -> list[QtWidgets.QTreeWidgetItem]:
    return [child for k in range(item.childCount()) if (child := item.child(k)) is not None]
