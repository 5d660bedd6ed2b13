"""The docks around the viewport and their arrangement: empty frames at once, their contents after
the first frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from PySide6 import QtCore, QtWidgets

from mechstudio.application.help.pages import Topic
from mechstudio.application.signal import Signal
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.docks.dock import HEAD, Dock
from mechstudio.view.docks.panels import (
    analyses,
    controls,
    equations,
    first,
    inspector,
    lesson,
    parameters,
    plots,
)
from mechstudio.view.docks.registry import BOTTOM, LEFT, RIGHT, Panel, Room, docked, pages
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, Segment

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel
    from mechstudio.view.inspector.inspector import Inspector
    from mechstudio.view.panels.analyses import AnalysesPanel
    from mechstudio.view.panels.controls import Controls
    from mechstudio.view.panels.doctor import Doctor
    from mechstudio.view.panels.lesson import LessonPanel
    from mechstudio.view.panels.model_tree import ModelTree
    from mechstudio.view.panels.parameters import ParameterTable
    from mechstudio.view.panels.runs import RunsPanel
    from mechstudio.view.panels.structure import StructurePanel
    from mechstudio.view.plots.pane import PlotPane
    from mechstudio.view.plots.panel import PlotsPanel
    from mechstudio.view.sizing.panel import SizingPanel
    from mechstudio.view.start.first_card import FirstCard
    from mechstudio.view.widgets.channel_drag import Carrier

Qt = QtCore.Qt
# least width of a window, and widths of the left and the right column in it at the normal text size
# [px]; a window opens with 92 % of a screen, 1177 px of 1280
COLUMNS = ((1500, 250, 300), (1160, 208, 272), (0, 176, 232))
# width beside the inspector at the normal text size [px] below which four panels do not stand in a
# row
CROWDED = 700
# width beside the inspector from which on the equations stand beside the table of parameters
ROOMY = 1300
# share of the window's height that the bottom row takes at least with the table of parameters in it
TABLE = 0.32
# width of the left column with the lesson in it at the normal text size [px], and part of the
# window's that it takes at most
LESSON_WIDTH, LESSON_SHARE = 340, 0.26
# share of the right column that the tasks of the first drawing take at most
FIRST = 0.62
LATE_MS = 2000  # in which a window that was the whole screen gets its size again
GROW_MS = 160  # in which the bottom row comes
BARS = 126  # height of the bars above and below the docks at the normal text size [px]
# least height of the viewport at the normal text size [px]
VIEW = 150
# share of the window's height that the bottom row takes
LOW = {"build": 0.26, "analyse": 0.48, "explain": 0.45}
# the same with the pages beside the scene, and the share that they take of the width of both
LOW_BESIDE, BESIDE = 0.3, 0.44


class Pages(QtWidgets.QStackedWidget):
    """Pages of which the one in sight alone says how much room is needed: a long table behind it
    must not make the panel higher.
    """

    def minimumSizeHint(self) -> QtCore.QSize:
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()


class Kept(NamedTuple):
    """Stored arrangement. made_for: conditions that it holds for, such as the window's size."""

    state: QtCore.QByteArray
    made_for: tuple[object, ...]


def _own_topic(panel: Panel) -> Topic:
    """The topic of a panel whatever it shows."""
    return panel.topic


class Docks:
    """The panels of a window; `fill` makes their contents, until then tree, inspector and the
    others are not there.

    workspace(): name of the present one.  by_key: docks by the keys of their panels; that of the
    pages is named after the first one.  low: docks of the bottom row that are not the table of
    parameters, that of the pages last.  pages: words of the pages; a click turns to one.
    is_folded: the bottom row is one line, since nothing was run yet; fold_changed(): it is another.
    hidden: keys of docks that the user has put away.  cleared: all of them are put away for the
    time being; cleared_changed(): they are, or came back.
    """

    tree: ModelTree
    inspector: Inspector
    controls: Controls
    analyses: AnalysesPanel
    sizing: SizingPanel
    doctor: Doctor
    first: FirstCard
    lesson: LessonPanel
    equations: EquationsPanel
    parameters: ParameterTable
    structure: StructurePanel
    plots_panel: PlotsPanel
    runs: RunsPanel
    pages: Segment
    head_carrier: Carrier
    write_lesson: IconButton

    def __init__(
        self,
        window: QtWidgets.QMainWindow,
        theme: Theme,
        studio: Studio,
        workspace: Callable[[], str],
        set_workspace: Callable[[str], None],
    ) -> None:
        self.theme, self.studio, self._window = theme, studio, window
        self._workspace, self._set_workspace = workspace, set_workspace
        self.is_filled = False
        self.additions: QtWidgets.QMenu | None = None  # of the plus in the head of the model
        self.is_folded, self.fold_changed = True, Signal()
        self.hidden: set[str] = set()
        self.cleared, self.cleared_changed = False, Signal()
        self._kept: Kept | None = None  # arrangement before all were put away
        self._awaited: Kept | None = None  # that comes back with the size that it was made for
        self._waiting = QtCore.QElapsedTimer()
        self._table = False  # the table of parameters is open
        self._lesson = False  # the lesson was requested
        self._first = False  # the first drawing is under way
        self._beside = False  # the pages were put beside the scene
        # a step as the window is now is added, or set; the window gives both
        self.add_step: Callable[[], object] = lambda: None
        self.record_step: Callable[[], object] = lambda: None
        self.open_help: Callable[[Topic], object] = lambda topic: None  # the window gives it too
        self._topics: dict[str, Callable[[], Topic]] = {}  # of pages
        self._sliders = 0  # that there was room for
        self._opened = 1.0  # part of its height that the bottom row has while it comes
        self._was_open = False  # the bottom row does not close by itself again
        self._heads: list[tuple[str, QtWidgets.QWidget]] = []  # of pages
        self._stack = Pages()
        self.by_key = {p.key: self._framed(p.key, p.title, p.place) for p in docked()}
        self._paged = self.by_key[equations.key] = self._framed(equations.key, "", BOTTOM)
        table = self.by_key[parameters.key]
        low = [self.by_key[p.key] for p in docked() if p.place == BOTTOM]
        self.low = [*(dock for dock in low if dock is not table), self._paged]
        for a, b in pairwise([*low, self._paged]):
            window.splitDockWidget(a, b, Qt.Orientation.Horizontal)
        table.hide()
        window.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        window.setCorner(Qt.Corner.BottomLeftCorner, BOTTOM)

    @property
    def plots(self) -> list[PlotPane]:
        """Panes of curves, in the order of the project's plots."""
        return list(self.plots_panel.panes.values())

    def _framed(self, key: str, title: str, area: Qt.DockWidgetArea) -> Dock:
        dock = Dock(
            self.theme,
            key,
            tr(title) if title else "",
            lambda: self.hide(key),
            lambda topic: self.open_help(topic),
        )
        self._window.addDockWidget(area, dock)
        return dock

    def fill(self) -> None:
        """Make what stands in the panels."""
        for panel in docked():
            dock = self.by_key[panel.key]
            content = panel.make(self, dock)
            dock.topic = content.topic or partial(_own_topic, panel)
            # the table of parameters and the first drawing close by buttons of their own
            dock.fill(content.body, *content.extras, corner=panel not in (parameters, first))
        self._fill_pages()
        self.is_filled = True

    def _fill_pages(self) -> None:
        """The dock at the bottom right, which shows one page at a time."""
        for panel in pages():
            content = panel.make(self, self._paged)
            self._stack.addWidget(content.body)
            self._topics[panel.key] = content.topic or partial(_own_topic, panel)
            self._heads += [(panel.key, widget) for widget in content.extras]
        self._paged.fill(self._stack, *(widget for _, widget in self._heads))
        self._paged.title.hide()
        self.pages = Segment(self.theme, tuple((p.key, tr(p.title)) for p in pages()), height=24)
        self._paged.head.insertWidget(0, self.pages)
        self.pages.chosen.connect(self._turn)
        self._turn(equations.key)

    def _turn(self, key: str) -> None:
        self._stack.setCurrentIndex([p.key for p in pages()].index(key))
        # what goes first, then what comes: both at once would need a wider panel, and the row of
        # panels would shift
        for owner, widget in sorted(self._heads, key=lambda head: head[0] == key):
            widget.setVisible(owner == key)
        self.pages.choose(key)
        for page in pages():
            self.pages.button(page.key).setVisible(page.seated or page.key == key)
        self._paged.topic = self._topics[key]

    # ---- ways from one panel to another

    def show_page(self, page: Panel) -> None:
        """Turn to a page, in a workspace that has room for it."""
        self.hidden.discard(equations.key)
        self.bring_back()
        if self._workspace() == "build":
            self._set_workspace("analyse")
        elif self._paged.isHidden():
            self.arrange(self._workspace())
        self._turn(page.key)

    def ask_analysis(self, what: str, axes: str) -> None:
        """Request an analysis of the selection and show it."""
        self.show_page(analyses)
        self.analyses.ask_for(what, axes)

    def open_low(self) -> None:
        """Open the bottom row, with the first run or where it is requested; it stays so."""
        if not self._was_open:
            self._was_open = True
            still = self.studio.preferences.still or not self._window.isVisible()
            self._opened = 1.0 if still else 0.0
            self.arrange(self._workspace())
            # docks that come have no sizes before the window has laid them out
            QtCore.QTimer.singleShot(0, self._window, self._grow)

    @property
    def is_growing(self) -> bool:
        """True while the bottom row comes to its height."""
        return self._opened < 1.0

    def _grow(self) -> None:
        """Let the bottom row that was just opened come to its height."""
        if self._opened >= 1.0:
            self.arrange(self._workspace())
            return
        growth = QtCore.QVariantAnimation(
            self._window, startValue=0.0, endValue=1.0, duration=GROW_MS
        )
        growth.setEasingCurve(QtCore.QEasingCurve.Type.OutCubic)
        growth.valueChanged.connect(self._grown)
        growth.start(QtCore.QAbstractAnimation.DeletionPolicy.DeleteWhenStopped)

    def _grown(self, part: float) -> None:
        self._opened = part
        self.arrange(self._workspace())

    def _fold(self, room: Room) -> None:
        """Fold the bottom row where there is nothing in it yet."""
        self._was_open = self._was_open or room.workspace != "build" or room.table
        if self.is_folded == self._was_open:
            self.is_folded = not self._was_open
            self.fold_changed.emit()
        if self.is_folded:
            for dock in self.low:
                dock.hide()

    def show_controls(self, count: int) -> None:
        """Give the panel room for the sliders that there are."""
        if self.is_filled and count != self._sliders:
            self.arrange(self._workspace())
        self._sliders = count

    @property
    def shows_parameters(self) -> bool:
        """True if the table of parameters is open."""
        return self._table

    def show_parameters(self, shown: bool) -> None:
        """Open or close the table of parameters; it takes the place of the lesser plots."""
        self._table = shown
        if shown:
            self.bring_back()
        self.arrange(self._workspace())
        if shown:
            self.parameters.refresh()

    def take_over(self, other: Docks) -> None:
        """Show and hide the same docks as another window, before they are arranged."""
        self.hidden, self._table, self._lesson = set(other.hidden), other._table, other._lesson
        self._was_open = other._was_open

    @property
    def shows_lesson(self) -> bool:
        """True if the lesson is open."""
        return self._lesson

    def show_lesson(self, shown: bool) -> None:
        """Open or close the lesson."""
        self._lesson = shown
        if shown:
            self.hidden.discard(lesson.key)
            self.bring_back()
        self.arrange(self._workspace())

    @property
    def shows_first(self) -> bool:
        """True while the first drawing is under way."""
        return self._first

    def show_first(self, shown: bool) -> None:
        """Open or close the tasks of the first drawing, beside which stands the inspector alone."""
        self._first = shown
        if shown:
            self.bring_back()
        self.arrange(self._workspace())

    def show_field(self, id: str, path: tuple) -> None:
        """Select an element and go to one of its fields."""
        self.studio.selection.select(id)
        if not self.has_place(inspector.key):
            self.show_again(inspector.key)
        self.inspector.go_to(path)

    # ---- putting away

    def hide(self, key: str) -> None:
        """Put a dock away until it is requested; the others take its room."""
        self.hidden.add(key)
        self.arrange(self._workspace())
        self.cleared_changed.emit()

    def show_again(self, key: str) -> None:
        """Give a dock that was put away its place again, in a workspace that has one for it."""
        self.hidden.discard(key)
        self._lesson = self._lesson or key == lesson.key
        self.bring_back()
        if self.has_place(key):
            self.arrange(self._workspace())
        else:
            places = (w for w in LOW if self._shown(self._room(w))[key])
            self._set_workspace(next(places, self._workspace()))
        self.cleared_changed.emit()

    def has_place(self, key: str) -> bool:
        """True if a dock stands in the present workspace, and was not put away."""
        return self._is_allowed(key) and self._shown(self._room(self._workspace()))[key]

    def clear(self) -> None:
        """Put all docks away for the time being; `bring_back` gives them back as they are now."""
        if not self.cleared:
            self._kept = Kept(self._window.saveState(), self._made_for)
            self.cleared = True
            for dock in self.by_key.values():
                dock.hide()
            self.fold_changed.emit()
            self.cleared_changed.emit()

    def bring_back(self) -> None:
        """Give back what `clear` has put away: exactly so where the window is as it was."""
        if not self.cleared:
            return
        kept, self._kept, self.cleared = self._kept, None, False
        if kept is not None and kept.made_for == self._made_for:
            self._window.restoreState(kept.state)
        else:
            self.arrange(self._workspace())
            self._awaited = kept
            self._waiting.start()
        self.fold_changed.emit()
        self.cleared_changed.emit()

    def resized(self) -> None:
        """The window has another size: one that came back late brings its arrangement along, and
        the tasks of the first drawing get the room that they need.
        """
        if self._first and self.is_filled:
            # in a turn of its own: the window is laid out now
            QtCore.QTimer.singleShot(0, self._window, lambda: self.arrange(self._workspace()))
        kept = self._awaited
        if kept is None:
            return
        if self.cleared or self._waiting.elapsed() > LATE_MS:
            self._awaited = None
        elif kept.made_for == self._made_for:
            self._awaited = None
            # in a turn of its own: the window is laid out now
            QtCore.QTimer.singleShot(0, self._window, lambda: self._window.restoreState(kept.state))

    @property
    def _made_for(self) -> tuple[object, ...]:
        """Circumstances that an arrangement belongs to."""
        size, hidden = self._window.size(), frozenset(self.hidden)
        rest = (self._workspace(), self._was_open, self._table, self.shows_lesson, hidden)
        rest = (*rest, self._sliders, self._first)
        return (size.width(), size.height(), self.theme.scale, *rest)

    def _is_allowed(self, key: str) -> bool:
        """True for a dock that was not put away."""
        return not self.cleared and key not in self.hidden

    # ---- arrangement

    def arrange(self, workspace: str) -> None:
        """The sizes of a workspace at the window's present size."""
        width, height, dp = self._window.width(), self._window.height(), self.theme.dp
        room, right = self._room(workspace), self._width_of_inspector
        left = min(dp(self._columns[0]), round(0.24 * width))
        if room.lesson:
            left = min(max(left, dp(LESSON_WIDTH)), round(LESSON_SHARE * width))
        if room.beside:
            right = round(BESIDE * (width - (left if room.lesson else 0)))
        self._place_pages(room)
        # what goes first, then what comes: both at once could make the window wider
        for key, stays in sorted(self._shown(room).items(), key=lambda each: each[1]):
            self.by_key[key].setVisible(stays and self._is_allowed(key))
        # panes have heads of their own: words about all of them stand where there is room for them
        self.by_key[plots.key].frame.section(workspace != "analyse")
        # in a crowded head the way to the manual is Shift+F1
        self._paged.ask.setVisible(not room.crowded)
        self._fold(room)
        share = LOW_BESIDE if room.beside else LOW[workspace]
        share = max(share, TABLE if room.table else 0.0)
        low = 0 if self.is_folded else min(round(height * share), height - dp(BARS + VIEW))
        low = max(round(low * self._opened), min(low, 1))
        row = [d for d in (self.by_key[parameters.key], *self.low) if not d.isHidden()]
        if not room.beside:
            # what is wider than its row lies over the right column
            metric = QtWidgets.QStyle.PixelMetric.PM_DockWidgetSeparatorExtent
            line = self._window.style().pixelMetric(metric, None, self._window)
            right = min(right, width - sum(d.minimumSizeHint().width() + line for d in row))
        self._arrange_left(left, height - dp(BARS) - (0 if room.beside else low))
        self._arrange_right(room, right, height - dp(BARS))
        if row and not self.is_folded:
            self._resize(row[:1], [low], Qt.Orientation.Vertical)
            self._arrange_low(room, width - right)
        if workspace == "explain" and self.is_filled:
            self._turn(equations.key)
            self.equations.open_first()

    @property
    def _columns(self) -> tuple[int, int]:
        """Widths of the left and the right column, at the normal text size [px]."""
        wide = self._window.width() / self.theme.scale
        return next((left, right) for least, left, right in COLUMNS if wide >= least)

    @property
    def _width_of_inspector(self) -> int:
        return min(self.theme.dp(self._columns[1]), round(0.34 * self._window.width()))

    def _room(self, workspace: str) -> Room:
        """Room that a workspace has at the window's present size."""
        width, scale = self._window.width(), self.theme.scale
        right = self._width_of_inspector
        return Room(
            workspace,
            (width - right) / scale < CROWDED,
            width / scale - right / scale >= ROOMY,
            self.shows_parameters,
            sum(p.slider for p in self.studio.document.project.parameters.values()),
            self.shows_lesson,
            self.shows_first,
        )

    def _shown(self, room: Room) -> dict[str, bool]:
        """True for each dock that has a place, by keys."""
        fits = room.workspace != "analyse" or not room.crowded
        fits = fits and (not room.table or room.roomy or room.beside)
        return {p.key: p.when(room) for p in docked()} | {equations.key: fits}

    def _place_pages(self, room: Room) -> None:
        """Put the dock of the pages at the right of the scene, where the left column is as high as
        the right one, or at the end of the bottom row.
        """
        window, paged = self._window, self._paged
        if room.beside == self._beside:
            return  # it stays where somebody may have dragged it
        self._beside = room.beside
        window.setCorner(Qt.Corner.BottomLeftCorner, LEFT if room.beside else BOTTOM)
        if room.beside:
            window.splitDockWidget(self._column(RIGHT)[0], paged, Qt.Orientation.Vertical)
        else:
            row = [self.by_key[p.key] for p in docked() if p.place == BOTTOM]
            window.splitDockWidget(row[-1], paged, Qt.Orientation.Horizontal)

    def _column(self, place: Qt.DockWidgetArea) -> list[Dock]:
        return [self.by_key[p.key] for p in docked() if p.place == place]

    def _arrange_left(self, width: int, height: int) -> None:
        """Sizes of the left column, by shares."""
        shown = [p for p in docked() if p.place == LEFT and not self.by_key[p.key].isHidden()]
        side = [self.by_key[p.key] for p in shown]
        whole = sum(p.share for p in shown) or 1.0
        heights = [round(height * p.share / whole) for p in shown]
        self._resize(side, [width] * len(side), Qt.Orientation.Horizontal)
        self._resize(side, heights, Qt.Orientation.Vertical)

    def _arrange_right(self, room: Room, width: int, height: int) -> None:
        """Sizes of the right column: sliders as they need it, the rest by shares."""
        column = [p for p in docked() if p.place == RIGHT]
        sliders = min(self.theme.dp(44 + 36 * min(max(room.sliders, 1), 5)), round(0.3 * height))
        fixed = {first.key: 1, controls.key: sliders}
        if room.first and self.is_filled:
            head, most = self.theme.dp(HEAD), round(FIRST * height)
            target = head + self.first.fit(width, most - head)
            fixed = {first.key: min(target, most), controls.key: 1}
        whole = sum(p.share for p in column)
        rest = height - sum(fixed.values())
        heights = [fixed.get(p.key, round(rest * p.share / whole)) for p in column]
        side = self._column(RIGHT)
        if room.beside:
            side, heights = [self._paged, *side], [rest, *heights]
        self._resize(side, [width] * len(side), Qt.Orientation.Horizontal)
        self._resize(side, heights, Qt.Orientation.Vertical)

    def _arrange_low(self, room: Room, width: int) -> None:
        """Widths of the bottom row: the pages and the table by shares, the plots what is left."""
        explains = room.workspace == "explain" and not room.table
        away = self._paged.isHidden() or room.beside
        last = 0.0 if away else 0.6 if explains else 0.5 if room.crowded else 0.34
        shown = [d for d in self.low[:-1] if not d.isHidden()]
        middle = (1.0 - last) * (0.78 if shown else 1.0) if room.table else 0.0
        docks: list[Dock] = [*shown]
        shares = [1.0 - last - middle] * len(shown)
        if room.table:
            docks, shares = [*docks, self.by_key[parameters.key]], [*shares, middle]
        if last:
            docks, shares = [*docks, self._paged], [*shares, last]
        self._resize(docks, [int(width * share) for share in shares], Qt.Orientation.Horizontal)

    def _resize(
        self, docks: Sequence[Dock], sizes: Sequence[int], direction: Qt.Orientation
    ) -> None:
        """Resize those docks that stand in the window; one that is being dragged has no place
        there.
        """
        placed = [(d, size) for d, size in zip(docks, sizes, strict=True) if not d.isFloating()]
        self._window.resizeDocks([d for d, _ in placed], [size for _, size in placed], direction)
