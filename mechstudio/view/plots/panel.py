"""The panel of plots: all panes of the project in their frames, and what is common to them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.plots.choice import choose, dropped, with_curves, with_diagram
from mechstudio.application.plots.layout import (
    COLUMN,
    ROW,
    TABS,
    Part,
    closed,
    layout,
    moved,
    plots_in,
    split,
    with_shares,
)
from mechstudio.application.plots.panes import Pane, panes
from mechstudio.application.plots.traces import Trace
from mechstudio.application.studio import Studio
from mechstudio.curves.operations import OPERATIONS
from mechstudio.model.project import Diagram, PlotLayout, Project
from mechstudio.translation import tr
from mechstudio.view.dialogs.measured_data import choose_data, is_data_file, open_data
from mechstudio.view.idle_tasks import turns
from mechstudio.view.plots.bar import PlotsBar
from mechstudio.view.plots.chooser import Chooser, PaneTicks
from mechstudio.view.plots.diagrams.axis import NOTE, AxisTicks
from mechstudio.view.plots.drop_places import INSIDE, Drop, DropLight
from mechstudio.view.plots.export import Exporter, like
from mechstudio.view.plots.frames import Tabs, framed, shape, share_out
from mechstudio.view.plots.menus.pane_menu import pane_menu
from mechstudio.view.plots.numbers import NumbersStrip
from mechstudio.view.plots.overview import Overview
from mechstudio.view.plots.pane import PlotPane
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.channel_drag import unpacked
from mechstudio.view.widgets.widgets import column, throw_away

Qt = QtCore.Qt
CURSOR_MS = 33
STRIP = 220  # height with room for curves and statistics [px at the normal text size]
LEAST = (150, 84)  # width and height of a pane that can be read [px at the normal text size]


class PlotsPanel(QtWidgets.QWidget):
    """Panes of the project.  panes: by the ids of their plots, in the order of the project.  bar:
    words about all of them, for the head of the panel.
    """

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.panes: dict[str, PlotPane] = {}
        self.chooser: Chooser | None = None
        self._ready = False
        self._shape: object = None
        self._others = False  # the document is another one than that of the panes
        self._frame: QtWidgets.QWidget | None = None
        self.exporter = Exporter(theme, studio, self)
        self.menu: QtWidgets.QMenu | None = None
        self.bar = PlotsBar(
            theme,
            studio,
            self.begin_pane,
            lambda ending: self.exporter.ask(self.all_shown(), like(ending)),
            lambda: self.exporter.copy_table(self.all_shown()),
        )
        self._box = column(self)
        self._holder = QtWidgets.QWidget()
        self._inside = column(self._holder)
        self.numbers = NumbersStrip(theme, studio, self._active_pane)
        self.overview = Overview(theme, studio, lambda: self._active_pane()[1])
        self._box.addWidget(self._holder, 1)
        self._box.addWidget(self.numbers)
        self._box.addWidget(self.overview)
        self._light = DropLight(theme, self)
        self.setAcceptDrops(True)
        # curves and cursor follow at most 30 times a second, however fast news come
        self._late = QtCore.QTimer(self, singleShot=True, interval=CURSOR_MS)
        self._late.timeout.connect(lambda: turns().soon(self._late, self.follow))
        studio.document.changed.connect(lambda old, new: self._change())
        studio.files.opened.connect(self._opened)
        for signal in (
            studio.runs.recorded,
            studio.questions.solver_changed,
            studio.runs.playback.changed,
            studio.runs.kept.changed,
            studio.lecture.predictions.changed,
        ):
            signal.connect(self._soon)
        studio.plots.changed.connect(self._stretched)
        studio.preferences.units_changed.connect(self.rebuild)
        studio.questions.curves.changed.connect(self._measured)
        self.rebuild()
        self._stretched()

    def _opened(self) -> None:
        """Show another document: what was done to the panes of the one before is none of its
        matter.
        """
        self._others = True
        self._change()

    def minimumSizeHint(self) -> QtCore.QSize:
        # however many panes there are, they never push the window
        return QtCore.QSize(120, 60)

    def begin(self) -> None:
        """Draw curves from now on; called once, after the first frame."""
        self._ready = True
        self._make()

    def _change(self) -> None:
        turns().soon(self, self.rebuild)

    def rebuild(self) -> None:
        """Follow the project: which panes there are, where, and with what."""
        turns().drop(self)
        project = self._studio.document.project
        found = {p.id: p for p in panes(project, self._studio.preferences.units)}
        root = self._fitting(layout(project))
        before, self.panes = self.panes, {}
        free = [pane for id, pane in before.items() if id not in found]
        for id, pane in found.items():
            # one that is there already comes many times as quickly as a new one
            shown = before[id] if id in before else free.pop() if free else None
            if shown is None:
                shown = self._made(PlotPane(self._theme, self._studio, pane))
            elif id in before and not self._others:
                shown.show_pane(pane)
            else:
                shown.begin_with(pane)
            self.panes[id] = shown
        for pane in free:
            throw_away(pane)
        self._others = False
        if shape(root) != self._shape:
            self._reframe(root)
        elif self._frame is not None:
            share_out(self._frame, root)
        self._show_tabs(root)
        self._make()
        self._soon()

    def _fitting(self, root: PlotLayout) -> PlotLayout:
        """The layout where its panes have room to be read in, else all of them in one place."""
        wide, high = needed(root)
        dp = self._theme.dp
        room = self._holder.size()
        if room.width() >= dp(wide) and room.height() >= dp(high):
            return root
        return PlotLayout(TABS, tuple(plots_in(root)))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_numbers()
        if shape(self._fitting(layout(self._studio.document.project))) != self._shape:
            self._change()

    def _made(self, pane: PlotPane) -> PlotPane:
        pane.tab_requested.connect(self._turn)
        pane.quantities_requested.connect(lambda: self.open_chooser(pane.pane.id))
        pane.axis_requested.connect(lambda axis: self.open_chooser(pane.pane.id, axis))
        pane.menu_requested.connect(lambda place: self._open_menu(pane.pane.id, place))
        pane.copy_requested.connect(lambda: self.exporter.copy_table([self.shown(pane.pane.id)]))
        pane.head.carried.connect(self._carried)
        pane.head.dropped.connect(lambda place: self._drop(pane.pane.id, place))
        return pane

    def _make(self) -> None:
        """Curves of panes that have none yet, each in a turn of its own."""
        for pane in self.panes.values() if self._ready else ():
            if pane.area is None:
                turns().soon(pane, lambda pane=pane: (pane.make(), self._soon()))

    def _reframe(self, root: Part) -> None:
        """New frames; the panes themselves move over."""
        old, self._shape = self._frame, shape(root)
        self._frame = framed(self._theme, root, lambda id: self.panes[id], self._resized)
        self._inside.addWidget(self._frame)
        for pane in self.panes.values():
            if not isinstance(pane.parentWidget(), Tabs):
                pane.show()
        for stack in (self._frame, *self._frame.findChildren(Tabs)):
            if isinstance(stack, Tabs):
                front = self.panes.get(self._studio.plots.pane)
                stack.setCurrentIndex(max(stack.indexOf(front) if front is not None else 0, 0))
                (stack.currentWidget() or stack).show()
        self._frame.show()
        if old is not None:
            throw_away(old)

    def _show_tabs(self, root: Part) -> None:
        titles = {id: pane.title.text() for id, pane in self.panes.items()}
        grouped = {id: group for group in _tab_groups(root) for id in group}
        for id, pane in self.panes.items():
            pane.show_tabs([(other, titles[other]) for other in grouped.get(id, ())])

    def bring_forward(self, id: str) -> None:
        """Bring a pane of several in one place to sight."""
        stack = self.panes[id].parentWidget()
        if isinstance(stack, Tabs) and stack.currentWidget() is not self.panes[id]:
            stack.setCurrentWidget(self.panes[id])
            self.panes[id].follow()

    def _turn(self, id: str) -> None:
        """Bring a pane forward that was requested."""
        self.bring_forward(id)
        self._studio.plots.activate(id)

    # edits of the layout, each one step to undo

    def commit(self, label: str, project: Project) -> None:
        """Make an edit of the layout."""
        self._studio.document.commit(label, project)

    def _resized(self, path: tuple[int, ...], sizes: Sequence[float]) -> None:
        self.commit(tr("Resize panes"), with_shares(self._studio.document.project, path, sizes))

    def add(self, target: str = "", side: str = "right") -> str:
        """A new empty pane at a side of another one; returns its id."""
        project, id = split(self._studio.document.project, target, side)
        self.commit(tr("New pane"), project)
        turns().finish()
        return id

    def begin_pane(self, target: str = "", side: str = "right") -> None:
        """A new pane at a side of another one, in sight and with the list of quantities beside."""
        id = self.add(target, side)
        # it stands where the list is put beside only once all of it is laid out
        QtCore.QCoreApplication.sendPostedEvents(None, QtCore.QEvent.Type.LayoutRequest)
        self.bring_forward(id)
        self.open_chooser(id)

    def lay_data(self) -> None:
        """Ask for measured data and overlay them on the curves."""
        choose_data(self._theme, self.window(), self._studio)

    def add_diagram(self, diagram: Diagram, keys: Sequence[str]) -> None:
        """A new pane of a diagram of curves at the right end, in sight at once."""
        studio = self._studio
        change, id = with_diagram(studio.document.project, diagram, keys)
        choose(
            studio.document,
            studio.notifications,
            tr(OPERATIONS[diagram.kind].label)
            if diagram.kind in OPERATIONS
            else tr("Energy account"),
            lambda: change,
        )
        turns().finish()
        if id in self.panes:
            self._turn(id)
        if studio.runs.recording is None:
            studio.runs.simulate()

    def close_pane(self, id: str) -> None:
        """Take a pane away."""
        self.commit(
            tr("Close {pane}", pane=self.panes[id].title.text()),
            closed(self._studio.document.project, id),
        )

    def move_pane(self, id: str, target: str, side: str) -> None:
        """Put a pane to a side of another one."""
        self.commit(
            tr("Move {pane}", pane=self.panes[id].title.text()),
            moved(self._studio.document.project, id, target, side),
        )

    def open_chooser(self, id: str, axis: AxisTicks | None = None) -> Chooser:
        """The list of quantities beside a pane, for its curves or for an axis; the same button
        closes it.
        """
        if self.chooser is not None:
            self.chooser.close()
        pane, window = self.panes[id], self.window()
        self._studio.plots.activate(id)
        place = QtCore.QRect(pane.mapTo(window, QtCore.QPoint(0, 0)), pane.size())
        ticks = axis or PaneTicks(self._studio, id)
        note = tr(NOTE) if axis is not None else ""
        self.chooser = Chooser(self._theme, self._studio, ticks, window, place, note)
        self.chooser.closed.connect(lambda: self._chooser_closed(id))
        return self.chooser

    def _open_menu(self, id: str, place: QtCore.QPoint) -> None:
        self._studio.plots.activate(id)
        self.menu = pane_menu(self, self._studio, id)
        self.menu.aboutToHide.connect(self.menu.deleteLater)
        self.menu.popup(place)

    def shown(self, id: str) -> tuple[Pane, list[Trace]]:
        """A pane and its traces, without those of a run that nobody ticked."""
        return self.panes[id].pane, [t for t in self.panes[id].traces() if not t.before]

    def all_shown(self) -> list[tuple[Pane, list[Trace]]]:
        """All panes and their traces, in the order of the layout."""
        ids = tuple(plots_in(layout(self._studio.document.project)))
        if any(id not in self.panes for id in ids):
            self.rebuild()  # an edit of this very moment
        return [self.shown(id) for id in ids]

    def _chooser_closed(self, id: str) -> None:
        """Give the keys back to the pane, where a click has not sent them elsewhere."""
        chooser, self.chooser = self.chooser, None
        held = QtWidgets.QApplication.focusWidget()
        within = chooser is not None and held is not None and chooser.isAncestorOf(held)
        if within and id in self.panes:
            self.panes[id].setFocus()

    # what is carried over the panes

    def _places(self) -> dict[str, QtCore.QRect]:
        """Places of the panes in sight."""
        return {
            id: QtCore.QRect(pane.mapTo(self, QtCore.QPoint(0, 0)), pane.size())
            for id, pane in self.panes.items()
            if pane.isVisible()
        }

    def _carried(self, place: QtCore.QPoint) -> None:
        self._light.show_at(self._places(), self.mapFromGlobal(place))

    def _drop(self, id: str, place: QtCore.QPoint) -> None:
        drop = self._light.show_at(self._places(), self.mapFromGlobal(place))
        self._light.hide()
        if drop is not None and drop.pane != id:
            self.move_pane(id, drop.pane, "tab" if drop.side == INSIDE else drop.side)

    def dragEnterEvent(self, event: QtGui.QDragEnterEvent) -> None:
        self.dragMoveEvent(event)

    def dragMoveEvent(self, event: QtGui.QDragMoveEvent) -> None:
        if not unpacked(event.mimeData()) and not _data_file(event.mimeData()):
            event.ignore()
            return
        if self._light.show_at(self._places(), event.position().toPoint()) is None:
            event.ignore()
        else:
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QtGui.QDragLeaveEvent) -> None:
        self._light.hide()

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        drop = self._light.show_at(self._places(), event.position().toPoint())
        self._light.hide()
        if drop is not None and (path := _data_file(event.mimeData())):
            event.acceptProposedAction()
            open_data(self._theme, self.window(), self._studio, Path(path))
        elif drop is not None and (keys := unpacked(event.mimeData())):
            event.acceptProposedAction()
            self.take(keys, drop)

    def take(self, keys: Sequence[str], drop: Drop) -> None:
        """Show quantities in a pane, or at its edge in one of their own."""
        studio = self._studio
        title = self.panes[drop.pane].title.text()
        choose(
            studio.document,
            studio.notifications,
            tr("Plot into {plot}", plot=title)
            if drop.side == INSIDE
            else tr("Plot beside {plot}", plot=title),
            lambda: (
                with_curves(studio.document.project, drop.pane, keys, True)
                if drop.side == INSIDE
                else dropped(studio.document.project, drop.pane, drop.side, keys)
            ),
        )
        if studio.runs.recording is None:
            studio.runs.simulate()

    # news

    def _active_pane(self) -> tuple[Pane, list[Trace]]:
        """The pane that was used last, or the first one, and its traces."""
        pane = self.panes.get(self._studio.plots.pane) or next(iter(self.panes.values()))
        return pane.pane, pane.traces() if pane.area is None else pane.area.drawn

    def _stretched(self) -> None:
        """Show what belongs to the stretch and the cursors, and follow at once: the pointer pulls
        them.
        """
        self.overview.setVisible(self._studio.plots.stretch is not None)
        self._show_numbers()
        self._soon()

    def _show_numbers(self) -> None:
        """Show the statistics, if the curves that they are of keep a height to be read in."""
        room = self.height() >= self._theme.dp(STRIP)
        self.numbers.setVisible(self._studio.plots.statistics and room)

    def _measured(self) -> None:
        for pane in self.panes.values():
            pane.say_state()
        self._soon()

    def _soon(self) -> None:
        if not self._late.isActive():
            self._late.start()

    def follow(self) -> None:
        """Bring curves and cursors of all panes up to date now."""
        for pane in self.panes.values():
            pane.follow()
        if self.overview.isVisible():
            self.overview.update()
        self.numbers.soon()


def _data_file(mime: QtCore.QMimeData) -> str:
    """Path of a table of measured data that is carried; "" for none."""
    paths = [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]
    return next(filter(is_data_file, paths), "")


def needed(part: Part) -> tuple[int, int]:
    """Width and height that panes need to be read [px at the normal text size]."""
    if isinstance(part, str):
        return LEAST
    wide, high = zip(*(needed(inner) for inner in part.parts), strict=True)
    return (
        sum(wide) if part.direction == ROW else max(wide),
        sum(high) if part.direction == COLUMN else max(high),
    )


def _tab_groups(part: Part) -> list[tuple[str, ...]]:
    if isinstance(part, str):
        return []
    if part.direction == TABS:
        return [tuple(plots_in(part))]
    return [group for inner in part.parts for group in _tab_groups(inner)]
