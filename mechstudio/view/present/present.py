"""The window in front of a class, and exactly as it was afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6 import QtCore, QtWidgets
from shiboken6 import isValid

from mechstudio.application.actions.registry import Action
from mechstudio.application.lessons.lecture import State
from mechstudio.application.runs.recording import Recording
from mechstudio.model.project import Camera, Project, Step
from mechstudio.view.bars.top_bar import file_name
from mechstudio.view.present.column import Column
from mechstudio.view.present.foot import HEIGHT as FOOT
from mechstudio.view.present.foot import Foot, Hint
from mechstudio.view.present.header import HEIGHT as HEADER
from mechstudio.view.present.header import Header
from mechstudio.view.present.notes import Notes
from mechstudio.view.present.overlays import Blank, Frozen, LaserPointer
from mechstudio.view.present.shown_parts import Shown, ShownChoice, of_step, usual
from mechstudio.view.theme import Magnified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mechstudio.view.main_window import MainWindow

FULL = QtCore.Qt.WindowState.WindowFullScreen
LARGER = 1.6  # letters against those of the window
REFERENCE = 1920  # width of a window in which that holds [px]
SMALLEST = (800, 600)  # window at a scale of one, below which lines do not fit [px]
COLUMN, SHARE = 379, 0.35  # width of the card [px at the normal text size], and of the window
MARGIN = 12  # around the card [px at the normal text size]


def scale_of(own: float, width: int, height: int) -> float:
    """Scale of letters in front of a class.  own: of the window.  width, height [px]."""
    target = LARGER * max(own, width / REFERENCE)
    return max(min(target, width / SMALLEST[0], height / SMALLEST[1]), own if width < 800 else 1.0)


def _lay_out(window: QtWidgets.QMainWindow) -> None:
    """Give the parts of the window their places now, not in a turn to come."""
    layout = window.layout()
    if layout is not None:
        layout.activate()


class Before(NamedTuple):
    """State of the window before it was shown to a class."""

    cleared: bool
    floats: tuple[tuple[QtWidgets.QWidget, bool], ...]
    camera: Camera
    wants_fit: bool
    project: Project
    recording: Recording | None
    time: float
    speed: float
    repeat: str
    section: tuple[float, float] | None
    playing: bool
    stretch: tuple[float, float] | None
    follows: bool
    lesson: State
    selected: tuple[str, ...]
    focus: QtWidgets.QWidget | None
    state: QtCore.Qt.WindowState


class Present:
    """Widgets in front of a class, made when it is entered for the first time and hidden when it is
    left.  is_on: the window is in front of a class.  scale: of letters there.
    """

    def __init__(self, window: MainWindow, hints: Sequence[Hint], keys: dict[str, tuple[str, ...]]):
        """hints: keys that the last line names.  keys: of actions, by their ids."""
        self._window, self._hints, self._keys = window, hints, keys
        self._before: Before | None = None
        self.scale = 1.0
        self._chosen: dict[str, Shown] = {}  # by hand, by ids of steps
        self._usual = Shown()
        self._widgets: list[QtWidgets.QWidget] = []
        studio = window.studio
        studio.lecture.stepped.connect(self._stepped)
        studio.document.changed.connect(lambda old, new: self._refresh())
        studio.files.opened.connect(self._opened)
        window.docks.cleared_changed.connect(self._panels_requested)

    @property
    def is_on(self) -> bool:
        return self._before is not None

    # entering and leaving

    def enter(self) -> None:
        """Show the window to a class."""
        window, studio = self._window, self._window.studio
        if self.is_on:
            return
        if self._widgets:
            self.theme.set_scale(self._scale())
        else:
            self.theme = Magnified(window.theme, self._scale())
            self._make()
        studio.tools.take("select")
        playback, framing = studio.runs.playback, window.viewport.framing
        floats = (window.top, window.foot, *window.floats.widgets)
        self._before = Before(
            window.docks.cleared,
            tuple((w, w.isHidden()) for w in floats),
            framing.kept,
            framing.wants_fit,
            studio.document.project,
            studio.runs.recording,
            playback.time,
            playback.speed,
            playback.repeat,
            playback.section,
            playback.playing,
            studio.plots.stretch,
            studio.plots.follow,
            studio.lecture.state,
            studio.selection.selected,
            window.focusWidget(),
            window.windowState(),
        )
        shown = usual(studio, window.docks)  # before its panes are hidden
        self._usual = shown
        self._chosen = {}
        window.docks.clear()
        for widget in floats:
            widget.hide()
        window.reminder.hide()
        studio.selection.select()
        for widget in (self.header, self.foot, self.column):
            widget.show()
        studio.lecture.set_presenting(True)
        window.actions_.rekey(self._keys)
        _lay_out(window)
        self.place()
        self._refresh()
        self.column.equation.begin()
        window.setWindowState(window.windowState() | FULL)
        window.viewport.setFocus()

    def _make(self) -> None:
        window, studio, theme = self._window, self._window.studio, self.theme
        host, trigger = window.host, window.actions_.trigger
        self.header = Header(theme, studio, self._title, self.choose_shown, self.leave, host)
        self.foot = Foot(
            theme,
            studio,
            trigger,
            lambda: self.shown.sliders,
            self._hints,
            self._is_action_on,
            host,
        )
        self.ground = QtWidgets.QFrame(host)  # behind the card
        self.ground.setObjectName("panel")
        self.column = Column(theme, studio, window.docks.equations, self.toggle_cover, host)
        self.choice = ShownChoice(theme, studio, window.docks, lambda: self.shown, host)
        self.choice.changed.connect(self._choose)
        self.frozen = [Frozen(theme, host), Frozen(theme, host)]
        self.pointer = LaserPointer(theme, window)
        self.blank = Blank(window)
        self.blank.clicked.connect(lambda: self.set_blank(False))
        self.notes = Notes(theme, studio, window)
        self.notes.addActions([window.actions_.by_id[id] for id in self._keys])
        self._widgets = [
            self.ground,
            self.header,
            self.foot,
            self.column,
            self.choice,
            *self.frozen,
            self.pointer,
            self.blank,
            self.notes,
        ]
        for widget in self._widgets:
            theme.dress(widget)

    def _title(self) -> str:
        """Title where no step is current."""
        studio = self._window.studio
        return studio.document.project.lesson.title or file_name(studio)

    def leave(self) -> None:
        """Give the window back exactly as it was."""
        before, window = self._before, self._window
        if before is None:
            return
        studio = window.studio
        self.pointer.turn(False)
        self.notes.turn(False)
        self.column.equation.end()
        self._before = None
        window.actions_.rekey(None)
        studio.lecture.set_presenting(False)
        studio.lecture.resume(before.lesson)
        for widget in self._widgets:
            widget.hide()
        self._restore(before)
        for widget, hidden in before.floats:
            widget.setHidden(hidden)
        # the window's manager gives it its size in a while: docks wait for that
        window.setWindowState(before.state)
        if not before.cleared:
            window.docks.bring_back()
        _lay_out(window)
        window.follow_room()
        framing = window.viewport.framing
        framing.kept, framing.wants_fit = before.camera, before.wants_fit
        # a card or a field of the inspector may be gone by now
        if before.focus is not None and isValid(before.focus) and before.focus.isVisible():
            before.focus.setFocus()
        else:
            window.viewport.setFocus()
        window.actions_.refresh()

    def _restore(self, before: Before) -> None:
        """Drawing, run and time cursor as they were; what was changed can be redone."""
        studio = self._window.studio
        studio.runs.playback.pause()
        studio.document.go_back_to(before.project)
        if before.recording is not None:
            studio.runs.show_again(before.recording)
        studio.selection.select(*before.selected)
        playback = studio.runs.playback
        playback.set_speed(before.speed)
        playback.set_repeat(before.repeat)
        if before.section is None:
            playback.whole()
        else:
            playback.set_section(*before.section)
        playback.seek(before.time)
        if before.stretch is None:
            studio.plots.show_whole()
        else:
            studio.plots.show(*before.stretch)
        studio.plots.set_follow(before.follows)
        if before.playing:
            playback.play()

    def _opened(self) -> None:
        """Another document is there: nothing of the one before comes back."""
        if self._before is not None:
            studio = self._window.studio
            self._before = self._before._replace(
                project=studio.document.project,
                recording=studio.runs.recording,
                camera=self._window.viewport.framing.kept,
                time=0.0,
                section=None,
                playing=False,
                stretch=None,
                lesson=studio.lecture.state,
                selected=(),
            )
            self._chosen = {}
            self._usual = usual(studio, self._window.docks)
            self._refresh()

    def _panels_requested(self) -> None:
        """Requested panels have no place in front of a class."""
        if self.is_on and not self._window.docks.cleared:
            self.leave()

    # what is shown

    @property
    def shown(self) -> Shown:
        """Choice of now: by hand, of the step, or as usual."""
        step = self._window.studio.lecture.step
        by_hand = self._chosen.get("" if step is None else step.id)
        if by_hand is not None:
            return by_hand
        return self._usual if step is None else self._of(step)

    def _of(self, step: Step) -> Shown:
        if not (step.sliders or step.plots or step.equation):
            return self._usual._replace(terms=step.terms)
        return of_step(step, self._window.studio, self._window.docks)

    def _choose(self, shown: Shown) -> None:
        step = self._window.studio.lecture.step
        self._chosen["" if step is None else step.id] = shown
        self._refresh()

    def choose_shown(self) -> None:
        """Open or close the card of shown parts."""
        if self.choice.isVisible():
            self.choice.hide()
            return
        header, foot = self.header.geometry(), self.foot.geometry()
        self.choice.open(
            header.right() - self.theme.dp(MARGIN), header.bottom() + 6, foot.top() - 6
        )

    def _refresh(self) -> None:
        if self.is_on:
            self.header.refresh()
            self.foot.controls.refresh()
            self.column.show_chosen(self.shown)
            self.place()

    def _stepped(self) -> None:
        """Show what the current step shows; the window has taken its camera."""
        if self.is_on:
            self.set_frozen(False)
            self._refresh()

    # place

    def _scale(self) -> float:
        window = self._window
        return scale_of(window.theme.scale, window.width(), window.height())

    def place(self) -> None:
        """Give scene, card and lines their places."""
        if not self.is_on:
            return
        self.scale = self._scale()
        self.theme.set_scale(self.scale)
        window, dp = self._window, self.theme.dp
        window.viewport.look.set_text_scale(self.scale)
        room = window.host.rect()
        top, low = dp(HEADER), dp(FOOT)
        self.header.setGeometry(0, 0, room.width(), top)
        self.foot.setGeometry(0, room.height() - low, room.width(), low)
        between = QtCore.QRect(0, top, room.width(), room.height() - top - low)
        wide = 0 if self.column.is_empty else min(dp(COLUMN), round(SHARE * room.width()))
        edge = dp(MARGIN)
        for part in (self.ground, self.column):
            part.setVisible(wide > 0)
        if wide:
            left = room.width() - wide - edge
            self.column.setGeometry(left, top + edge, wide, between.height() - 2 * edge)
            between.setRight(left - edge)
            self.ground.setGeometry(between.right() + 1, top, wide + 2 * edge, between.height())
        window.viewport.setGeometry(between)
        window.banners.place(between.adjusted(edge, edge, -edge, 0))
        self.blank.setGeometry(window.rect())
        over = (*self.frozen, self.choice, self.pointer, self.blank)
        for widget in (self.header, self.foot, self.column, *over):
            widget.raise_()

    # switches

    def _is_action_on(self, action: Action[Any]) -> bool:
        return action.checked is not None and bool(action.checked(self._window))

    @property
    def is_pointing(self) -> bool:
        return self.is_on and self.pointer.is_on

    def set_pointing(self, on: bool) -> None:
        """Switch the laser pointer on or off."""
        self.pointer.turn(on)
        self.foot.refresh()

    @property
    def is_blank(self) -> bool:
        return self.is_on and self.blank.isVisible()

    def set_blank(self, on: bool) -> None:
        """Darken the window or give it back."""
        self.blank.turn(on)
        self.foot.refresh()

    @property
    def is_frozen(self) -> bool:
        return self.is_on and self.frozen[0].isVisible()

    def set_frozen(self, on: bool) -> None:
        """Hold the picture of the scene and of the card, or show what has become of them."""
        if on:
            rooms = (self._window.viewport.geometry(), self.column.geometry())
            self._window.viewport.painter.refine()
            for frozen, room in zip(self.frozen, rooms, strict=True):
                if frozen is self.frozen[0] or self.column.isVisible():
                    frozen.hold(room)
            self._window.studio.runs.playback.pause()
        else:
            for frozen in self.frozen:
                frozen.release()
        self.foot.refresh()

    @property
    def is_covered(self) -> bool:
        return bool(self._window.studio.lecture.predictions.covered)

    def toggle_cover(self) -> None:
        """Cover the plots from the time cursor on, or show them."""
        studio = self._window.studio
        if self.is_covered:
            studio.lecture.predictions.reveal()
        else:
            studio.lecture.predictions.cover(self.shown.plots, studio.runs.playback.time)
        self.foot.refresh()

    @property
    def has_notes(self) -> bool:
        return self.is_on and self.notes.isVisible()

    def set_notes(self, on: bool) -> None:
        """Open or close the notes."""
        self.notes.turn(on)
        self.foot.refresh()

    def escape(self) -> None:
        """Close what is open over the window, one after the other, and leave at last."""
        if self.is_blank:
            self.set_blank(False)
        elif self.choice.isVisible():
            self.choice.hide()
        else:
            self.leave()
