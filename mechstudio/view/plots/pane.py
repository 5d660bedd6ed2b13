"""One pane: its head with title, legend and buttons, and its curves; empty until the window has
shown its first frame.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic
from mechstudio.application.plots.accounts import account_of, account_traces
from mechstudio.application.plots.choice import Change, choose, with_curves
from mechstudio.application.plots.comparison import shown_runs
from mechstudio.application.plots.diagrams import Drawing
from mechstudio.application.plots.measurements import (
    DIFFERENCE,
    MEASURED,
    Beside,
    agreement_sentence,
    comparison,
    measured_traces,
    of_pane,
    of_trace,
    trace_keys,
)
from mechstudio.application.plots.panes import Pane
from mechstudio.application.plots.traces import Trace, traces
from mechstudio.application.studio import Studio
from mechstudio.curves.quantities import quantity
from mechstudio.model.project import Measurement
from mechstudio.translation import tr
from mechstudio.view.idle_tasks import turns
from mechstudio.view.plots.diagrams.foot import DiagramFoot
from mechstudio.view.plots.export import diagram_now
from mechstudio.view.plots.legend import Entry, Legend
from mechstudio.view.plots.menus.data_menu import measured_menu
from mechstudio.view.plots.menus.style_menu import style_menu
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.pens import color_of
from mechstudio.view.widgets.widgets import (
    Elided,
    IconButton,
    column,
    label,
    set_property,
    throw_away,
    wrapped,
)

if TYPE_CHECKING:
    from mechstudio.view.plots.curve_area import CurveArea

Qt = QtCore.Qt
PASSING = ("kept/", MEASURED, DIFFERENCE)  # begin keys of traces that come and go
HEAD = 32  # px at the normal text size
NARROW = 200  # px at the normal text size below which the title gets the whole head

PLACED = (
    QtCore.QEvent.Type.Resize,
    QtCore.QEvent.Type.Move,
    QtCore.QEvent.Type.Show,
    QtCore.QEvent.Type.Hide,
)


def _kind(pane: Pane) -> str:
    """Kind of area that a pane needs."""
    return "time" if pane.diagram is None else "bands" if pane.is_account else "diagram"


def _hidden_at_first(pane: Pane) -> set[str]:
    """Keys of the curves that are hidden until the user shows them; one that is alone is shown."""
    return {c.key for c in pane.curves if c.hidden and len(pane.curves) > 1}


class PaneHead(QtWidgets.QFrame):
    """Head of a pane.  carried(place): it is dragged, with the pointer at a place on the screen;
    dropped(place): and dropped there; menu_requested(place): of the right button.
    """

    carried, dropped, menu_requested = (QtCore.Signal(QtCore.QPoint) for _ in range(3))

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panehead")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme.fit(self, height=HEAD)
        self.box = QtWidgets.QHBoxLayout(self)
        self.box.setContentsMargins(12, 0, 6, 0)
        self.box.setSpacing(5)
        self._from: QtCore.QPointF | None = None
        self._carries = False

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._from, self._carries = event.globalPosition(), False
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_requested.emit(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._from is None:
            return
        away = (event.globalPosition() - self._from).manhattanLength()
        if self._carries or away >= QtWidgets.QApplication.startDragDistance():
            self._carries = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.carried.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if self._carries:
            self.dropped.emit(event.globalPosition().toPoint())
        self._from, self._carries = None, False
        self.unsetCursor()


class PlotPane(QtWidgets.QFrame):
    """A pane of the project.  Its legend stands in the head, or between the units at the heads of
    the axes where the values of all curves have no room beside the title.

    tab_requested(id): another pane of its tabs is to be shown.
    axis_requested(AxisTicks): the list of all quantities is to open for an axis.
    """

    tab_requested, menu_requested = QtCore.Signal(str), QtCore.Signal(QtCore.QPoint)
    quantities_requested, copy_requested = QtCore.Signal(), QtCore.Signal()
    axis_requested = QtCore.Signal(object)

    def __init__(self, theme: Theme, studio: Studio, pane: Pane) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self.pane = theme, studio, pane
        self.hidden = _hidden_at_first(pane)
        # ids of measured data whose difference from the run is shown
        self.differences: set[str] = set()
        self.area: CurveArea | None = None
        self.foot: DiagramFoot | None = None
        self.styles: QtWidgets.QMenu | None = None
        self._drawn_as = ""
        self._pointed = ""
        # what was hidden before the clicks that follow each other at once, and when the last came
        self._before, self._toggled = frozenset(self.hidden), 0.0
        self._tabs: tuple[tuple[str, str], ...] = ()
        self.tabs: dict[str, QtWidgets.QPushButton] = {}
        self.head = PaneHead(theme)
        self.title, self.note = Elided("", "title"), label("", "small")
        self.legend, self._gap = Legend(theme), QtWidgets.QWidget()  # its place in the head
        self._gap.installEventFilter(self)
        self.plus = IconButton(
            theme, "plus", tr("Quantities (Insert)"), 24, 16, clicked=self.quantities_requested.emit
        )
        self.more = IconButton(theme, "more", tr("More of this pane"), 24, 16, clicked=self._menu)
        self.others = IconButton(theme, "down", tr("Other panes"), 20, 14, clicked=self._list_tabs)
        self.others.hide()
        for widget in (self.title, self.others, self.note, self._gap, self.plus, self.more):
            self.head.box.addWidget(widget)
        self.head.box.setStretchFactor(self._gap, 1)
        self.line = QtWidgets.QFrame()  # in the accent while keys go here
        self.line.setObjectName("focusline")
        self.line.setFixedHeight(2)
        self.empty = wrapped(
            tr("Nothing is shown here yet. Press Insert, or drop a body or a joint."), "three"
        )
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._holder = QtWidgets.QWidget()
        self._inside = column(self._holder)
        self._inside.addWidget(self.empty)
        self.veil = wrapped(tr("covered"), "veil")
        self.veil.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.veil.hide()
        self._inside.addWidget(self.veil, 1)
        box = column(self)
        for widget in (self.head, self.line):
            box.addWidget(widget)
        box.addWidget(self._holder, 1)
        self.legend.setParent(self.head)
        self.setMinimumSize(40, 40)
        self.head.menu_requested.connect(self.menu_requested)
        self.legend.toggled.connect(self.toggle)
        self.legend.isolated.connect(self.isolate)
        self.legend.pointed.connect(self._point)
        self.legend.styled.connect(self._open_styles)
        studio.selection.changed.connect(self._selection_changed)
        self.destroyed.connect(lambda: studio.selection.changed.disconnect(self._selection_changed))
        theme.follow(self._show_legend)
        self.show_pane(pane)

    def show_pane(self, pane: Pane) -> None:
        """Follow the project; one with the same curves keeps what is hidden."""
        if [c.key for c in pane.curves] != [c.key for c in self.pane.curves]:
            before = {c.key for c in self.pane.curves}
            stay = self.hidden & before & {c.key for c in pane.curves}
            self.hidden = stay | {c.key for c in pane.curves if c.hidden and c.key not in before}
            if len(pane.curves) == 1:
                self.hidden.discard(pane.curves[0].key)  # nothing else is there
        self.pane = pane
        if self.area is not None and self._drawn_as != _kind(pane):
            self._unmake()  # over the time another kind of area draws
            self.make()
        elif self.area is not None:
            self.area.show_pane(pane)
        self._show_foot()
        if self.area is not None:
            self.area.setVisible(bool(pane.curves))
        self.empty.setVisible(not pane.curves)
        self._direct_keys()
        self.title.set_text(tr(pane.title) or tr("Empty pane"))
        self.say_state()
        self._show_legend()

    def begin_with(self, pane: Pane) -> None:
        """Show another pane instead, as if this one had just been made for it."""
        self.pane, self.hidden, self.differences = pane, _hidden_at_first(pane), set()
        self._before = frozenset(self.hidden)
        if self.area is not None:
            self.area.forget_range()
        self.show_pane(pane)

    def make(self) -> None:
        """Import pyqtgraph and draw; called after the first frame."""
        if self.area is not None:
            return
        area = self.area = self._new_area()
        for part in (area, area.viewport()):
            part.setAcceptDrops(False)  # what is dropped is the pane's
        area.used.connect(lambda: self._studio.plots.activate(self.pane.id))
        area.pointed.connect(self._point)
        area.requested.connect(self.quantities_requested)
        area.copied.connect(self.copy_requested)
        area.menu_requested.connect(self.menu_requested)
        area.setVisible(bool(self.pane.curves))
        area.installEventFilter(self)
        self._inside.addWidget(area)
        self._direct_keys()
        self._show_legend()

    def _new_area(self) -> CurveArea:
        """The area that draws what the pane is."""
        self._drawn_as = _kind(self.pane)
        if self.pane.is_account:
            from mechstudio.view.plots.diagrams.bands import BandArea

            return BandArea(self._theme, self._studio, self.pane, self.traces)
        if self.pane.diagram is None:
            from mechstudio.view.plots.area import PlotArea

            return PlotArea(self._theme, self._studio, self.pane, self.traces)
        from mechstudio.view.plots.diagrams.area import DiagramArea

        area = DiagramArea(self._theme, self._studio, self.pane, self.traces, self.drawing)
        area.drew.connect(lambda made: self.foot is not None and self.foot.say(made))
        if self.foot is not None:
            self.foot.say(area.drawing)
        return area

    def _unmake(self) -> None:
        """Take the area away, for one of another kind."""
        if self.area is not None:
            self.setFocusProxy(None)  # pyright: ignore[reportArgumentType]
            self.area.removeEventFilter(self)
            throw_away(self.area)
            self.area = None

    def _show_foot(self) -> None:
        """Show note and settings of a diagram; the pane has them while it is one."""
        laid = bool(of_pane(self.pane, self._studio.document.project))
        if (laid or self.pane.diagram is not None) and self.foot is None:
            self.foot = DiagramFoot(self._theme, self._studio)
            self.foot.axis_requested.connect(self.axis_requested)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.foot)
        if self.foot is not None:
            shown = laid or self.pane.diagram is not None
            self.foot.setVisible(shown and bool(self.pane.curves))
            self.foot.show_pane(self.pane)
            self._say_measured()

    def help_topic(self) -> Topic | None:
        """The group of quantities that the first curve belongs to; None while the pane is empty."""
        for curve in self.pane.curves:
            found = quantity(self._studio.document.project, curve.key)
            return topics.of_quantity("" if found is None else found.group)
        return None

    def drawing(self, traces: Sequence[Trace]) -> Drawing:
        """Contents of the diagram that the pane is, over the stretch in sight."""
        return diagram_now(self._studio, self.pane, traces, wait=False)

    def _direct_keys(self) -> None:
        """A click anywhere on the pane gives its curves the keys; without any it has them itself,
        or they would go on into the field that was edited last.
        """
        curves = self.area if self.pane.curves else None
        # a policy would be handed on to what the keys go to, which Tab would not reach any more
        self.setFocusProxy(None)  # pyright: ignore[reportArgumentType]
        if curves is None:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        else:
            self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self.setFocusProxy(curves)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        set_property(self.line, "on", True)
        self._studio.plots.activate(self.pane.id)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        set_property(self.line, "on", False)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Insert and not event.modifiers():
            self.quantities_requested.emit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        focus = event.type() in (QtCore.QEvent.Type.FocusIn, QtCore.QEvent.Type.FocusOut)
        if focus and watched is self.area:
            set_property(self.line, "on", event.type() == QtCore.QEvent.Type.FocusIn)
        elif event.type() in PLACED:
            self._place_legend()
        return False

    def show_tabs(self, tabs: Sequence[tuple[str, str]]) -> None:
        """Words of the panes in whose place this one stands, itself included; none for a pane that
        stands alone.
        """
        if tuple(tabs) == self._tabs:
            return
        self._tabs = tuple(tabs)
        for button in self.tabs.values():
            button.deleteLater()
        self.tabs = {}
        for k, (id, word) in enumerate(tabs):
            button = QtWidgets.QPushButton(word.replace("&", "&&"))
            button.setObjectName("tab")
            button.setCheckable(True)
            button.setChecked(id == self.pane.id)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, id=id: self._turn(id))
            self.head.box.insertWidget(k, button)
            self.tabs[id] = button
        self._fit_tabs()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        # the menu of a narrow one has the quantities too
        wide = self.width() >= self._theme.dp(NARROW)
        self.plus.setVisible(wide and not self.more.isHidden())  # a class has neither
        self._fit_tabs()
        self._place_legend()

    def _place_legend(self) -> None:
        """Put the legend where it shows more values: in the head, or between the units."""
        area, box, gap, above = self.area, self.head.box, self._gap, QtCore.QRect()
        if area is not None and not area.isHidden():
            above = area.room_above.translated(area.mapTo(self, QtCore.QPoint(0, 0)))
        free = self.width() - box.sizeHint().width()
        outside = free < min(self.legend.needed, above.width())
        parent = self if outside else self.head  # which is dragged where the legend is empty
        if self.legend.parent() is not parent:
            self.legend.setParent(parent)
            self.legend.show()
        self.legend.setGeometry(above if outside else gap.geometry())

    def _fit_tabs(self) -> None:
        """Words of all tabs where there is room, else the title and a list of the others."""
        room = self.width() - self._theme.dp(110)
        crowded = sum(b.sizeHint().width() for b in self.tabs.values()) > room
        for button in self.tabs.values():
            button.setVisible(not crowded)
        self.others.setVisible(crowded)
        self.title.setVisible(crowded or not self.tabs)

    def _list_tabs(self) -> None:
        menu = QtWidgets.QMenu(self)
        for id, word in self._tabs:
            action = menu.addAction(word.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(id == self.pane.id)
            action.triggered.connect(lambda _=False, id=id: self.tab_requested.emit(id))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.others.mapToGlobal(QtCore.QPoint(0, self.others.height())))

    def _turn(self, id: str) -> None:
        self.tabs[self.pane.id].setChecked(True)
        self.tabs[id].setChecked(id == self.pane.id)
        self.tab_requested.emit(id)

    def _menu(self) -> None:
        self.menu_requested.emit(self.more.mapToGlobal(QtCore.QPoint(0, self.more.height())))

    # curves

    def traces(self) -> list[Trace]:
        """Traces that are drawn and stand in the legend."""
        studio, project = self._studio, self._studio.document.project
        kept = shown_runs(studio.runs, project)
        if self.pane.is_account and self.pane.curves:
            return account_traces(
                self.pane,
                studio.runs.recording,
                studio.questions.curves.answers,
                frozenset(self.hidden),
            )
        # a later run, and later data, may have the key of a removed one
        there = {r.key for r in kept} | trace_keys(project)
        self.hidden -= {k for k in self.hidden if k.startswith(PASSING)} - there
        hidden = frozenset(self.hidden)
        return [
            *traces(
                self.pane, studio.runs.recording, studio.questions.curves.answers, kept, hidden
            ),
            *measured_traces(self.pane, project, self._beside, hidden, frozenset(self.differences)),
        ]

    def _beside(self, data: Measurement) -> Beside:
        """Measured data beside the run, and that in words."""
        studio = self._studio
        project, answers = studio.document.project, studio.questions.curves.answers
        found = comparison(data, project, studio.runs.recording, answers)
        return Beside(found, agreement_sentence(data, found, studio.preferences.units))

    def take(self, keys: Sequence[str], change: Callable[[], Change] | None = None) -> None:
        """Show quantities beside what is; simulates where there is no run."""
        studio = self._studio
        choose(
            studio.document,
            studio.notifications,
            tr("Plot into {plot}", plot=tr(self.pane.title or "a pane")),
            change or (lambda: with_curves(studio.document.project, self.pane.id, keys, True)),
        )
        if studio.runs.recording is None:
            studio.runs.simulate()

    def toggle(self, key: str) -> None:
        """Show or hide a curve or a run."""
        self._remember()
        self._toggled = time.monotonic()
        self.hidden ^= {key}
        self._show_now()

    def show_difference(self, id: str, on: bool) -> None:
        """Show the run less measured data as a curve, or not."""
        self.differences = self.differences | {id} if on else self.differences - {id}
        self._show_now()

    def _remember(self) -> None:
        """Keep what is hidden, unless a click before this one belongs to the same double click."""
        apart = time.monotonic() - self._toggled
        if apart > 1e-3 * QtWidgets.QApplication.doubleClickInterval():
            self._before = frozenset(self.hidden)

    def isolate(self, key: str) -> None:
        """Show one curve or run alone; all of them where it was alone before the clicks."""
        self._remember()
        others = {e.key for e in self.legend.entries} - {key}
        was_alone = others <= self._before and key not in self._before
        self.hidden -= others | {key}
        if not was_alone:
            self.hidden |= others
        self._toggled = 0.0
        self._show_now()

    def _open_styles(self, key: str, place: QtCore.QPoint) -> None:
        """Open the menu of the look of a curve; one over several runs has that of each run."""
        data = of_trace(self._studio.document.project, key)
        if data is not None:
            on = data.id in self.differences
            self.styles = measured_menu(self, self._studio, data, on, self.show_difference)
            self.styles.popup(place)
            return
        curve = next((c for c in self.pane.curves if c.key == key), None)
        by_run = curve is not None and any(
            t.key == key and t.word != curve.word for t in self.traces()
        )
        if curve is not None:
            self.styles = style_menu(self, self._theme, self._studio, self.pane, curve, by_run)
            self.styles.popup(place)

    def _show_now(self) -> None:
        if self.area is not None:
            self.area.refresh()
        self._show_legend()

    def _show_legend(self) -> None:
        area = self.area
        drawn = self.traces() if area is None else area.drawn
        now = self._studio.runs.playback.time
        loose = self._studio.questions.curves.loose
        entries = tuple(
            Entry(
                t.key,
                t.word,
                ""
                if area is None or not len(t.time)
                else "–"
                if self._studio.lecture.predictions.hides(self.pane.id, now)
                else area.value_text(t, now, False),
                color_of(self._theme, t.color),
                t.dash,
                t.key in self.hidden,
                loose(t.curve.key),
                "\n".join(
                    filter(
                        None,
                        (
                            t.word or t.name,
                            t.tip,
                            tr("Not determined by rigid bodies; least-squares value")
                            if loose(t.curve.key)
                            else "",
                        ),
                    )
                ),
                points=t.points,
            )
            for t in drawn
            if t.word or not t.run
        )
        if entries != self.legend.entries:
            self.legend.show_entries(entries)
            self._place_legend()

    def _say_account(self) -> None:
        """Say below an account how it was found."""
        recording = self._studio.runs.recording
        if self.foot is not None and self.pane.is_account and recording is not None:
            answers = self._studio.questions.curves.answers
            note = account_of(self.pane, recording, answers).note if recording.count else ""
            self.foot.say(Drawing(note=note))

    def _say_measured(self) -> None:
        """Say below the curves how far measured data are from the run."""
        if self.foot is not None and self.pane.diagram is None:
            laid = of_pane(self.pane, self._studio.document.project)
            self.foot.say(Drawing(note="  ·  ".join(self._beside(data).words for data, _ in laid)))

    def say_state(self) -> None:
        """Say beside the title that some of it is still to be found, or why it is not."""
        found = self._studio.questions.curves
        requested = any(c.measured for c in self.pane.needed)
        self.note.setText(
            tr("being found")
            if requested and found.is_busy
            else tr("not found: {reason}", reason=found.sentence)
            if requested and found.sentence
            else ""
        )

    def follow(self) -> None:
        """Bring curves, cursor and values up to date now."""
        if turns().waits(self) or self.area is None or not self.isVisible():
            return  # what comes shows all that there is
        # a diagram has no part before the time cursor: all of it is covered
        predictions = self._studio.lecture.predictions
        veiled = not self.pane.over_time and self.pane.id in predictions.covered
        if self.veil.isHidden() is veiled:
            self.veil.setVisible(veiled)
            self.area.setVisible(not veiled and bool(self.pane.curves))
        self.area.move_cursor()
        self.area.refresh()
        self._show_legend()
        self._say_account()
        self._say_measured()

    # pointing

    def _point(self, key: str) -> None:
        """Make the element of the curve under the pointer glow in the scene."""
        self._pointed = key
        curve = next((c for c in self.pane.curves if c.key == key), None)
        element = "" if curve is None else curve.element
        joint = self._studio.document.project.mechanism.joints.get(element)
        others = () if joint is None else (joint.frame_b.body,)
        self._studio.selection.hover(element, *others)
        self._selection_changed()

    def _selection_changed(self) -> None:
        """Thicken the curves of the element under the pointer, here or in the scene."""
        if self.area is None:
            return
        lit = set(self._studio.selection.lit)
        joints = self._studio.document.project.mechanism.joints
        carried = lambda id: joints[id].frame_b.body if id in joints else id
        thick = frozenset(
            c.key
            for c in self.pane.curves
            if c.key == self._pointed
            or (not self._pointed and c.element and {c.element, carried(c.element)} & lit)
        )
        if thick != self.area.thick:
            self.area.thick = thick
            self.area.refresh()
