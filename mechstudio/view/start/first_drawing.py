"""The first drawing in the window: a hand on the drawing, and its tasks in a panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6 import QtCore, QtWidgets

from mechstudio.application.lessons import first_drawing
from mechstudio.application.lessons.first_drawing import ENERGY, FIELD, PLAY, TASKS, Now, Stage
from mechstudio.application.tools.eye import on_plane
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.scene.eye import CameraEye
from mechstudio.view.scene.overlays.preview import choices_room
from mechstudio.view.start.hand import Gesture, Hand
from mechstudio.view.widgets.fields.formula_field import FormulaField

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

# crank lengths to suggest, by powers of ten
ROUND = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
# of the suggested four-bar to the right of its first pin and above it, by the crank's length
RIGHT, ABOVE = 2.9, 2.3
BESIDE = (190, 90)  # room of a tool's text at the pointer [px at the normal text size]
SOON_MS = 0


class FirstDrawing(QtCore.QObject):
    """Guide through the first drawing.  is_on: it is under way, or its end is still shown.  now:
    what its tasks have read last.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self.is_on, self.now = window, False, None
        self._over = False  # all tasks were done; it stays so
        self._energy = ""
        self.hand = Hand(window.theme, window)
        self._bound = False
        self._late = QtCore.QTimer(self, singleShot=True, interval=SOON_MS)
        self._late.timeout.connect(self.refresh)

    now: Now | None

    # beginning and ending

    def offer(self) -> None:
        """Begin in an empty window, if the user has not had the question before."""
        window = self._window
        preferences, document = window.studio.preferences, window.studio.document
        idle = window.start is None and not window.presents and window.docks.is_filled
        empty = document.path is None and not document.has_bodies and not document.is_modified
        if preferences.kept and preferences.stored.first_drawing and idle and empty:
            self.begin()

    def begin(self) -> None:
        """Begin, with what is drawn already."""
        window = self._window
        window.studio.preferences.set(first_drawing=False)
        if self.is_on:
            self.leave()
        self._bind()
        self.is_on, self._over, self._energy = True, False, ""
        window.viewport.look.set_invitation(tr(TASKS[0].words))
        if window.workspace != "build":
            window.set_workspace("build")
        self.refresh()
        window.docks.show_first(True)
        self.hand.raise_()
        window.viewport.setFocus()
        self.soon()

    def leave(self) -> None:
        """End, or close what was shown at the end."""
        if not self.is_on:
            return
        self.is_on = False
        self._late.stop()
        self.hand.stop()
        self._window.viewport.look.set_invitation("")
        self._window.docks.show_first(False)
        self._window.viewport.setFocus()

    def skip(self) -> None:
        """End, and say where it can be found again."""
        over = self._over
        self.leave()
        if not over:
            self._window.reminder.say(tr("Help > First drawing brings it back"))

    def _bind(self) -> None:
        if self._bound:
            return
        self._bound = True
        window, studio = self._window, self._window.studio
        studio.document.changed.connect(lambda old, new: self.soon())
        studio.files.opened.connect(self._opened)
        signals = (
            studio.tools.changed,
            studio.tools.used,
            studio.selection.changed,
            studio.runs.recorded,
            studio.runs.playback.changed,
            studio.plots.changed,
            studio.questions.analysed,
            studio.preferences.changed,
            window.docks.cleared_changed,
        )
        for signal in signals:
            signal.connect(self.soon)
        window.viewport.framing.moved.connect(self.soon)
        window.theme.follow(self._resized)
        app = QtWidgets.QApplication.instance()
        if isinstance(app, QtWidgets.QApplication):
            app.focusChanged.connect(lambda old, new: self.soon())
        card = window.docks.first
        card.left.connect(self.skip)
        card.samples.connect(self._show_samples)
        card.grown.connect(lambda: self.is_on and window.docks.show_first(True))

    def _opened(self) -> None:
        """Another document is there: it is none of this one's."""
        if self.is_on:
            self.leave()

    def _show_samples(self) -> None:
        self.leave()
        self._window.actions_.by_id["start_page"].trigger()

    def _resized(self) -> None:
        if self.is_on:
            self._window.docks.show_first(True)
            self.soon()

    # what is shown

    def soon(self) -> None:
        """Look again, once for all news of this turn."""
        if self.is_on and not self._late.isActive():
            self._late.start()

    def refresh(self) -> None:
        """Read the state of the drawing and show the next gesture."""
        window = self._window
        if not self.is_on:
            return
        origin, size = self._suggestion()
        typing = isinstance(window.focusWidget(), QtWidgets.QLineEdit)
        self.now = now = first_drawing.read(window.studio, origin, size, typing)
        done = tuple(task.done(now) for task in TASKS)
        if all(done) and not self._over:
            self._over, self._energy = True, self._energy_sentence()
        card = window.docks.first
        card.show_tasks((True,) * len(done) if self._over else done, now.pin_name, self._energy)
        stage = None if self._over else first_drawing.stage(now)
        away = window.start is not None or window.presents or window.room.guest is not None
        if away or stage is None:
            self.hand.stop()
            return
        self.hand.setGeometry(window.rect())
        still = window.studio.preferences.still
        self.hand.show_gesture(self._gesture(stage, now), still)

    def _energy_sentence(self) -> str:
        """The energy at the time cursor in words."""
        studio = self._window.studio
        recording, time = studio.runs.recording, studio.runs.playback.time
        if recording is None or not recording.count:
            return ""
        k = int(np.argmin(np.abs(recording.rows[:, 0] - time)))
        row = recording.rows[k][recording.layout.energy]
        units = studio.preferences.units
        kinetic, potential = (format_value(float(v), "energy", units, 3) for v in row[:2])
        motor = any(d.enabled for d in studio.document.project.mechanism.drives.values())
        numbers = {
            "time": format_value(time, "time", units, 3),
            "kinetic": kinetic,
            "potential": potential,
        }
        words = (
            tr(
                "Your four-bar turns as far as its links let it. At {time} its kinetic energy is "
                "{kinetic}, its potential energy {potential}.",
                **numbers,
            )
            if recording.finished and not recording.complete
            else tr(
                "Your four-bar turns. At {time} its kinetic energy is {kinetic}, its potential "
                "energy {potential}.",
                **numbers,
            )
        )
        given = tr("What their sum gains, the motor has given.")
        return f"{words} {given}" if motor else words

    def _suggestion(self) -> tuple[Triple, float]:
        """Place and length of a first crank such that the four-bar has room in the view [m]."""
        view, tools = self._window.viewport, self._window.studio.tools
        framing, plane = view.framing, tools.context.plane
        eye = CameraEye(framing.current, framing.size)
        wide, tall = framing.size
        origin = plane.origin
        x, y = framing.world_to_pixel(np.array([origin]))[0]
        if not (0.15 * wide < x < 0.6 * wide and 0.4 * tall < y < 0.85 * tall):
            found = on_plane(eye, 0.35 * wide, 0.62 * tall, plane)
            grid = view.grid
            if found is not None:
                u, v = (grid * round(c / grid) for c in plane.to_plane(found))
                origin = plane.to_world(u, v)
                x, y = framing.world_to_pixel(np.array([origin]))[0]
        room = min((0.94 * wide - x) / RIGHT, (y - 0.1 * tall) / ABOVE)
        most = max(room, 24.0) * framing.pixel
        power = 10.0 ** np.floor(np.log10(most))
        size = max((n * power for n in ROUND if n * power <= most), default=most)
        return origin, float(size)

    def _gesture(self, stage: Stage, now: Now) -> Gesture:
        """Gesture of a stage in the window as it is."""
        window = self._window
        words, key = tr(stage.words, pin=now.pin_name), tr(stage.key) if stage.key else ""
        view = self._in_window(window.viewport)
        start, end = (self._pixel(place(now), view) for place in (stage.start, stage.end))
        link = (start, end) if stage.link and start is not None and end is not None else None
        floats = [room.translated(view.topLeft()) for room in window.viewport.look.covered]
        button = self._button(stage.button) if stage.button else None
        if button is not None:
            room = self._in_window(button)
            inside = view if view.contains(room.center()) else QtCore.QRectF(window.rect())
            return Gesture(room, None, link, words, key, inside, (*floats, self._line(room), room))
        if stage.button:
            return Gesture(None, None, link, words, key, view, tuple(floats))
        at = None if end is None else QtCore.QRectF(end, QtCore.QSizeF(0, 0))
        return Gesture(at, start, link, words, key, view, (*floats, *self._written(view)))

    def _line(self, room: QtCore.QRectF) -> QtCore.QRectF:
        """Room of the line of the inspector that a field stands in, with its label; of another
        widget that widget's own.
        """
        panel = self._in_window(self._window.docks.inspector)
        if not panel.contains(room):
            return room
        return QtCore.QRectF(panel.left(), room.top(), panel.width(), room.height())

    def _written(self, view: QtCore.QRectF) -> list[QtCore.QRectF]:
        """Rooms in the window where the active tool writes beside the pointer."""
        viewport, dp = self._window.viewport, self._window.theme.dp
        cursor, tool = viewport.navigator.cursor, viewport.navigator.tool
        at = view.topLeft() + cursor
        if not view.contains(at):
            return []
        wide, tall = dp(BESIDE[0]), dp(BESIDE[1])
        rooms = [QtCore.QRectF(at.x() - 0.2 * wide, at.y() - 0.5 * tall, 1.2 * wide, tall)]
        if tool is not None:
            framing, scale = viewport.framing, viewport.look.text_scale
            flat = lambda p: QtCore.QPointF(*framing.world_to_pixel(np.array([p]))[0])
            choices = choices_room(tool.preview, flat, cursor, framing.size, scale)
            rooms += [] if choices is None else [choices.translated(view.topLeft())]
        return rooms

    def _pixel(self, place: Triple | None, view: QtCore.QRectF) -> QtCore.QPointF | None:
        """A place of the scene in the window [px]; None where it is out of sight."""
        if place is None:
            return None
        x, y = self._window.viewport.framing.world_to_pixel(np.array([place]))[0]
        at = view.topLeft() + QtCore.QPointF(x, y)
        return at if np.isfinite((x, y)).all() and view.contains(at) else None

    def _in_window(self, widget: QtWidgets.QWidget) -> QtCore.QRectF:
        corner = widget.mapTo(self._window, QtCore.QPoint(0, 0))
        return QtCore.QRectF(QtCore.QRect(corner, widget.size()))

    def _button(self, name: str) -> QtWidgets.QWidget | None:
        """Widget that a name of a button means; None where it is not to be seen."""
        window, found = self._window, None
        if name == FIELD:
            found = window.focusWidget()
            # the field about the line that is typed into
            while found is not None and not isinstance(found, FormulaField):
                found = found.parentWidget()
        elif name == PLAY:
            found = window.time_bar.play
        elif name == ENERGY:
            panel = window.docks.plots_panel
            shows = lambda pane: any(c.key.startswith("energy/") for c in pane.pane.curves)
            id = next((id for id, pane in panel.panes.items() if shows(pane)), "")
            if id and panel.isVisible():
                panel.bring_forward(id)
            found = panel.panes[id] if id else window.status.energy
        else:
            found = window.strip.buttons.get(name)
        return found if found is not None and _is_seen(found) else None


def _is_seen(widget: QtWidgets.QWidget) -> bool:
    """True unless a widget is hidden, or scrolled out of sight."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()
