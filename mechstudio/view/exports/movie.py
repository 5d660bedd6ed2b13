"""The page of films."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.files.saved_files import desktop_request, say_saved
from mechstudio.application.films.cycle import Cycle, find_cycle, no_cycle
from mechstudio.application.films.film import (
    RANGES,
    RUN,
    SIZES,
    STRETCH,
    THEMES,
    TURN,
    Film,
    FilmRefused,
    Plan,
    guessed_size,
    plan,
    with_choices,
)
from mechstudio.application.films.film_making import CANNOT, FilmMaking
from mechstudio.application.notifications import Message
from mechstudio.application.platform import show_in_folder
from mechstudio.application.plots.export import pictures
from mechstudio.application.runs.recording import Recording
from mechstudio.curves.picture import Panel
from mechstudio.model.project import Camera
from mechstudio.model.types.films import FILM_FORMATS
from mechstudio.translation import Words, comma, localised, tr
from mechstudio.view.exports.movie_preview import Player
from mechstudio.view.exports.page import NumberEdit, Page, State
from mechstudio.view.films.film_stage import FilmStage, Shot
from mechstudio.view.films.stage import Scenery
from mechstudio.view.plots.export import diagram_now
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.rendering.gl import GraphicsUnavailable
from mechstudio.view.scene.rendering.renderer import Renderer
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.widgets import Segment, label, row

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

AS_SHOWN, FITTED, THROUGH = "", "fitted", "through"
WAIT_MS = 4  # between checks whether the encoder takes a frame
POLL_MS = 40
TOLD = 4  # frames of the film between two that are shown while it is made
# name of a choice of Film, its words, and what stands at the right
TICKS: tuple[tuple[str, Words, Words], ...] = (
    ("marks", "Trails and vectors", "as shown now"),
    ("scale", "Scale and legend arrows", ""),
    ("labels", "Names of joints", ""),
    ("clock", "Clock", ""),
    ("cube", "View cube", ""),
)


class MoviePage(Page):
    """Films of the run."""

    @property
    def verb(self) -> str:
        return tr("Save movie")

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.film = window.film or Film(plots=True)
        self._camera = AS_SHOWN
        self._cycle: Cycle | None = None
        self._looked: Recording | None = None  # whose cycle is known
        self._looking: threading.Thread | None = None
        self._fault: Exception | None = None  # of this program, in that thread
        self._making: FilmMaking | None = None
        self._cold: tuple[float, ...] = ()  # the instant for which the stage is to be warmed
        self._stage: FilmStage | None = None
        self._renderer: Renderer | None = None  # of all stages: making one takes a moment
        self._ranged = False  # the range was chosen here
        self._problem = ""
        self._fill()
        # a turn of the window between two frames, without the gap of idle tasks: someone waits
        self._pump = QtCore.QTimer(self, singleShot=True)
        self._pump.timeout.connect(self._step)
        self._poll = QtCore.QTimer(self, interval=POLL_MS)
        self._poll.timeout.connect(self._look)
        self._fill_preview()
        self.hear(window.studio.runs.recorded, self._recorded)
        self.hear(window.studio.document.changed, self._drawing_changed)

    # choices

    def _fill(self) -> None:
        theme, film = self.theme, self.film
        self.head(tr("Movie"))
        formats = tuple((f.id, tr(f.label)) for f in FILM_FORMATS if f.suffix)
        self.format = Segment(theme, (*formats, ("png", "PNG")), "tight", 26)
        self.format.choose(film.format)
        self.format.chosen.connect(lambda key: self.choose(format=key))
        self.line(tr("Format"), self.format)
        self.format_note = label("", "three")
        self.format_note.setWordWrap(True)
        self.format_line = self.line("", self.format_note)
        self.format_line.hide()
        self.range = Segment(theme, tuple((k, tr(w)) for k, w in RANGES), "segment", 26)
        self.range.choose(film.range)
        self.range.chosen.connect(self._choose_range)
        self.line(tr("Range"), self.range)
        self.range_note = label("", "three")
        self.range_note.setWordWrap(True)
        note = row(self.range_note, gap=0, margins=(theme.dp(100), 0, 0, 0))
        self.lines.addWidget(note)
        self.first = NumberEdit(theme, tr("First instant"), film.first, 72, unit="s")
        self.last = NumberEdit(theme, tr("Last instant"), film.last, 72, unit="s")
        self.first.chosen.connect(lambda value: self.choose(first=value))
        self.last.chosen.connect(lambda value: self.choose(last=value))
        self.stretch = self.line("", self.first, label(tr("to"), "three"), self.last)
        self.wide = NumberEdit(theme, tr("Width"), film.width, 54, whole=True)
        self.tall = NumberEdit(theme, tr("Height"), film.height, 54, whole=True)
        self.wide.chosen.connect(lambda value: self.choose(width=int(value)))
        self.tall.chosen.connect(lambda value: self.choose(height=int(value)))
        self.sizes = Choice(
            theme,
            tr("Usual sizes"),
            lambda: [(key, tr(words), "") for key, words, _ in SIZES],
            self._size_now,
            self._choose_size,
        )
        theme.fit(self.sizes, width=108)
        self.line(tr("Size"), self.wide, label("×", "three"), self.tall, self.sizes)
        self.fps = NumberEdit(theme, tr("Frames a second"), film.fps, 72, unit="/ s")
        self.speed = NumberEdit(theme, tr("Speed"), film.speed, 62, unit="×")
        self.fps.chosen.connect(lambda value: self.choose(fps=value))
        self.speed.chosen.connect(lambda value: self.choose(speed=value))
        self.line(tr("Frames"), self.fps, label(tr("speed"), "two"), self.speed)
        self.turns = NumberEdit(theme, tr("Turns"), film.turns, 62, whole=True)
        self.turns.chosen.connect(lambda value: self.choose(turns=int(value)))
        self.turns_line = self.line(
            tr("Turns"), self.turns, label(tr("then again for ever"), "three")
        )
        self.themes = Segment(theme, tuple((k, tr(w)) for k, w in THEMES), "segment", 26)
        self.themes.choose(film.theme)
        self.themes.chosen.connect(lambda key: self.choose(theme=key))
        self.line(tr("Theme"), self.themes)
        self.camera = Choice(
            theme, tr("Camera"), self._cameras, lambda: self._camera, self._choose_camera
        )
        theme.fit(self.camera, width=226)
        self.line(tr("Camera"), self.camera)
        self.rule()
        self.head(tr("In the picture"))
        self.ticks: dict[str, QtWidgets.QCheckBox] = {}
        box, self.plots_note = self.tick(
            tr("Plots under the view"), film.plots, lambda on: self.choose(plots=on)
        )
        self.ticks["plots"] = box
        for name, words, tip in TICKS:
            self.ticks[name], _ = self.tick(
                tr(words),
                getattr(film, name),
                lambda on, name=name: self.choose(**{name: on}),
                tr(tip),
            )
        self.ticks["equation"], self.equation_note = self.tick(
            tr("Equation"), film.equation, lambda on: self.choose(equation=on)
        )
        self.ticks["transparent"], self.clear_note = self.tick(
            tr("Transparent ground"), film.transparent, lambda on: self.choose(transparent=on)
        )
        self.rule()
        self.head(tr("After saving"))
        self._to_folder, _ = self.tick(tr("Show in folder"), False)
        self._to_clipboard, _ = self.tick(tr("Copy to clipboard"), False)
        self.lines.addStretch(1)

    def _fill_preview(self) -> None:
        box = QtWidgets.QVBoxLayout(self.preview)
        box.setContentsMargins(24, 20, 24, 12)
        box.setSpacing(8)
        self.looping = label("", "three")
        box.addWidget(row(label(tr("Preview"), "title"), None, self.looping))
        self.facts = label("", "two")
        self.run_button = QtWidgets.QPushButton(tr("Run the drawing"))
        self.run_button.clicked.connect(lambda: self.studio.runs.simulate())
        self.player = Player(
            self.theme, self._preview_stage, row(self.facts, self.run_button, None)
        )
        self.player.track.chosen.connect(self._dragged)
        box.addWidget(self.player, 1)

    def _choose_range(self, key: str) -> None:
        self._ranged = True
        self.choose(range=key)

    def choose(self, **choices) -> None:
        """Take other choices."""
        self.film = self.window.film = with_choices(self.film, **choices)
        self.refresh()

    def _dragged(self, first: float, last: float) -> None:
        self.range.choose(STRETCH)
        self.first.show_value(float(f"{first:.3f}"))
        self.last.show_value(float(f"{last:.3f}"))
        self.choose(range=STRETCH, first=self.first.value, last=self.last.value)

    def _size_now(self) -> str:
        size = (self.film.width, self.film.height)
        return next((key for key, _, known in SIZES if known == size), "")

    def _choose_size(self, key: str) -> None:
        width, height = next(size for name, _, size in SIZES if name == key)
        self.wide.show_value(width)
        self.tall.show_value(height)
        self.choose(width=width, height=height)

    # the camera

    def _cameras(self) -> list[tuple[str, str, str]]:
        views = self.studio.document.project.views
        through = " → ".join(v.name for v in views)
        return [
            (AS_SHOWN, tr("As in the window"), ""),
            (FITTED, tr("All of the motion"), ""),
            *((v.id, v.name, "") for v in views),
            *([(THROUGH, tr("Through {views}", views=through), "")] if len(views) > 1 else []),
        ]

    def _choose_camera(self, key: str) -> None:
        self._camera = key
        self.refresh()

    def _ways(self) -> tuple[Camera | None, ...]:
        views = self.studio.document.project.views
        if self._camera == THROUGH and views:
            return tuple(v.camera for v in views)
        kept = {v.id: v.camera for v in views}
        if self._camera == AS_SHOWN:
            return (self.window.viewport.framing.kept,)
        return (kept.get(self._camera),)

    # the run

    @property
    def recording(self) -> Recording | None:
        """The finished run of the drawing."""
        found = self.studio.runs.recording
        return found if found is not None and found.finished else None

    @property
    def suffix(self) -> str:
        return self.film.kind.suffix

    @property
    def kinds(self) -> dict[str, str]:
        now = self.film.kind
        formats = (now, *(f for f in FILM_FORMATS if f.suffix and f is not now))
        return {f"{tr(f.kind)} (*{f.suffix})": f.suffix for f in formats}

    def choose_suffix(self, suffix: str) -> None:
        format = next(f.id for f in FILM_FORMATS if f.suffix == suffix)
        self.format.choose(format)
        self.choose(format=format)

    def _recorded(self) -> None:
        if self.preview.isVisible() and self.recording is not self._looked:
            self.refresh()

    def _drawing_changed(self, old: object, new: object) -> None:
        if self._making is not None:
            self.stop()
            words = tr("The drawing was changed while it was filmed: no film was written.")
            self.studio.notifications.say(Message("warning", words, "film"))
        if self.preview.isVisible():
            self.refresh()

    def _look(self) -> None:
        """Take in the cycle that was looked for."""
        if self._looking is not None and not self._looking.is_alive():
            self._looking = None
            self._poll.stop()
            if self._fault is not None:
                fault, self._fault = self._fault, None
                raise fault
            if not self._ranged and self._cycle is None and self.film.range == TURN:
                # the first choice that this run has, unless the turn was requested
                self.range.choose(RUN)
                self.film = with_choices(self.film, range=RUN)
            self.refresh()

    def _find(self, recording: Recording) -> None:
        """Look for the cycle of a run beside the window: a long one takes a moment."""

        def look() -> None:
            try:
                self._cycle = find_cycle(recording)
            except Exception as error:  # raised in the window's thread
                self._cycle, self._fault = None, error
            self._looked = recording

        self._looking = threading.Thread(target=look, name="cycle", daemon=True)
        self._looking.start()
        self._poll.start()

    def plan(self) -> Plan | str:
        """The frames, or why there are none."""
        recording = self.recording
        if recording is None:
            running = self.studio.runs.is_running
            return (
                tr("The run is still under way.")
                if running
                else tr("There is no run to show yet: run the drawing first.")
            )
        if recording is not self._looked:
            if self._looking is None:
                self._find(recording)
            if self.film.range == TURN:
                return tr("Looking for the cycle…")
        if self.film.range == TURN and self._cycle is None:
            return no_cycle(recording)
        try:
            return plan(self.film, recording, self._cycle)
        except FilmRefused as reason:
            return str(reason)

    def refresh(self) -> None:
        """Show what follows from the choices."""
        film, recording = self.film, self.recording
        found = self.plan()
        lacks = film.lacks
        self._problem = lacks or (found if isinstance(found, str) else "")
        self.format_note.setText(lacks)
        self.format_line.setVisible(bool(lacks))
        self.stretch.setVisible(film.range == STRETCH)
        for field, value in ((self.first, film.first), (self.last, film.last)):
            if field.value != value:
                field.show_value(value)
        self.turns_line.setVisible(film.range == TURN)
        self.ticks["transparent"].setEnabled(film.kind.transparent)
        self.clear_note.set_text(
            "" if film.kind.transparent else tr("not in {f}", f=film.kind.label)
        )
        self.plots_note.set_text(self._plot_names())
        self.equation_note.set_text(
            "" if self.shown_equation() is not None else tr("none is shown")
        )
        self.ticks["equation"].setEnabled(self.shown_equation() is not None)
        self.run_button.setVisible(recording is None and not self.studio.runs.is_running)
        self.range_note.setVisible(film.range == TURN or isinstance(found, str))
        self.player.set_ratio(film.size[0] / max(film.size[1], 1))
        self.sizes.refresh()
        self.camera.refresh()
        if recording is not None:
            run, part = (recording.begin, recording.end), (recording.begin, recording.end)
            if film.range == STRETCH:
                part = (film.first, film.last)
            elif isinstance(found, Plan) and found.cycle is not None:
                part = (found.cycle.first, found.cycle.first + found.cycle.period)
            self.player.track.show_part(run, part)
            if film.range == STRETCH and film.last <= film.first:
                self.first.show_value(recording.begin)
                self.last.show_value(recording.end)
                self.choose(first=recording.begin, last=recording.end)
                return
        if isinstance(found, str):
            self.range_note.setText(found)
            self.facts.setText("")
            self.looping.setText("")
        else:
            self._show_plan(found)
        self.player.refresh()
        self.changed.emit()

    def _show_plan(self, found: Plan) -> None:
        film = self.film
        if found.cycle is not None:
            first = found.cycle.first
            self.range_note.setText(
                tr(
                    "{first} to {last} s, loops without a seam",
                    first=localised(f"{first:.3f}"),
                    last=localised(f"{first + found.cycle.period:.3f}"),
                )
            )
        count = len(found.times)
        size = guessed_size(film, count) / 1e6
        facts = [
            tr("{count} frames", count=count),
            tr("about {size} MB", size=localised(f"{size:.1f}")),
            localised(f"{found.length:.2f} s"),
            tr("{fps} frames/s", fps=localised(f"{float(found.fps):.4g}")),
        ]
        if film.size != (film.width, film.height):
            facts.append(tr("{w} × {h}, in pairs", w=film.size[0], h=film.size[1]))
        self.facts.setText("     ".join(facts))
        self.looping.setText(tr("plays as it will loop") if found.cycle else "")

    # pictures

    def _plot_names(self) -> str:
        """Titles of the first panes that have curves."""
        shown = self.window.docks.plots_panel.all_shown()
        drawn = [tr(pane.title) for pane, traces in shown if any(len(t.time) for t in traces)]
        return comma().join(drawn[:3])

    def _panels(self, found: Plan) -> list[Panel]:
        """Panes of the window over the stretch that is filmed."""
        shown = self.window.docks.plots_panel.all_shown()
        last = max(found.times)
        if found.cycle is not None:
            last = found.cycle.first + found.cycle.period
        stretch = (min(found.times), last)
        return pictures(shown, stretch, partial(diagram_now, self.studio))

    def _shot(self, recording: Recording, found: Plan) -> Shot:
        studio, film = self.studio, self.film
        scenery = Scenery(
            studio.display.project,
            self._ways(),
            (),
            studio.preferences.units,
            self._panels(found) if film.plots else (),
            self.shown_equation() if film.equation else None,
            self.window.viewport.shown.scene,
        )
        return Shot(scenery, recording, studio.marks)

    def _staged(self, recording: Recording, found: Plan, size: tuple[int, int] | None) -> FilmStage:
        """A stage of the film.  Raises GraphicsUnavailable."""
        if self._renderer is None:
            self._renderer = Renderer(Look(grid=False))
        shot = self._shot(recording, found)
        return FilmStage(self.film, shot, found.times, size, self._renderer)

    def _preview_stage(
        self, size: tuple[int, int]
    ) -> tuple[FilmStage, tuple[float, ...], float] | str:
        found, recording = self.plan(), self.recording
        if isinstance(found, str) or recording is None:
            return self._problem or tr("There is no run to show yet: run the drawing first.")
        try:
            stage = self._staged(recording, found, size)
        except GraphicsUnavailable as error:
            return str(error)
        return stage, found.times, found.length

    # making

    @property
    def state(self) -> State:
        making = self._making
        if making is None:
            return State(problem=self._problem)
        left = making.time_left
        words = tr("Frame {k} of {count}", k=making.drawn, count=making.count)
        if making.drawn == making.count:
            words = tr("Writing the file…")
        tip = "" if left is None else tr("{s} s left", s=max(1, round(left)))
        return State(making.progress, words, tip)

    def save(self, path: Path) -> None:
        """Begin the film."""
        found, recording = self.plan(), self.recording
        if isinstance(found, str) or recording is None or self._making is not None:
            return
        self.player.rest()
        try:
            self._stage = self._staged(recording, found, None)
            self._making = FilmMaking(path, self.film, found, self._frame)
            self._cold = found.times[:1]
        except (GraphicsUnavailable, *CANNOT) as error:
            self._failed(str(error))
            return
        self._pump.start(1)
        self.changed.emit()

    def _frame(self, time: float, share: float):
        """A frame; now and then it is shown."""
        assert self._stage is not None
        image = self._stage.image(time, share)
        making = self._making
        if making is not None and making.drawn % TOLD == 0:
            self.player.picture.show_image(image)
            self.player.track.show_now(time)
        return self._stage.pixels(image)

    def _step(self) -> None:
        making = self._making
        if making is None:
            return
        try:
            if self._cold and self._stage is not None:
                # in a turn of the window of its own
                self._stage.warm(self._cold[0])
                self._cold = ()
                self._pump.start(1)
                return
            drawn = making.step()
        except GraphicsUnavailable as error:
            making.stop()
            self._end()
            self._failed(str(error))
            return
        if making.done:
            self._end()
            self._finish(making)
            return
        if drawn and making.drawn % TOLD == 0:
            self.changed.emit()
        self._pump.start(1 if drawn else WAIT_MS)

    def _finish(self, making: FilmMaking) -> None:
        if making.problem:
            self._failed(making.problem)
            return
        say_saved(self.studio.notifications.say, making.path, "export")
        self.saved.emit(making.path)
        if self._to_folder.isChecked():
            desktop_request(self.studio.notifications.say, show_in_folder, making.path, "export")()
        if self._to_clipboard.isChecked():
            data = QtCore.QMimeData()
            data.setUrls([QtCore.QUrl.fromLocalFile(f"{making.path}")])
            QtGui.QGuiApplication.clipboard().setMimeData(data)

    def _failed(self, words: str) -> None:
        if self._stage is not None:
            self._stage.close()
            self._stage = None
        self.studio.notifications.say(Message("error", words, "export"))
        self.refresh()
        self.range_note.setVisible(True)
        self.range_note.setText(words)

    def stop(self) -> None:
        """Give the film up; nothing of it stays."""
        if self._making is not None:
            self._making.stop()
            self._end()

    def _end(self) -> None:
        self._making = None
        self._pump.stop()
        if self._stage is not None:
            self._stage.close()
            self._stage = None
        if self.preview.isVisible():
            self.player.start()
        self.changed.emit()

    def show(self) -> None:
        self.refresh()
        self.player.start()

    def hide(self) -> None:
        self.stop()
        self._poll.stop()
        self.player.rest()
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None
