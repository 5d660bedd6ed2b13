"""Wires everything: the window with its studio and worker, and the pictures that the command line
asks for.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from mechstudio.application.files.exchange import is_foreign
from mechstudio.application.notifications import Message
from mechstudio.application.platform import process_age
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.translation import LANGUAGES, Words, language, tr

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QApplication

    from mechstudio.application.films.film_making import FilmMaking
    from mechstudio.application.lessons.lecture import State
    from mechstudio.cli.pictures.film import FilmRequest
    from mechstudio.cli.pictures.render import RenderRequest
    from mechstudio.view.main_window import MainWindow
    from mechstudio.view.theme import Theme

# set, it makes the window print on standard error how long it took [ms]
TIMING = "MECHSTUDIO_TIMING"
PICTURE_TIME = 1.4  # [s] of the run that a kept picture shows
SOON = 300  # [ms] between checks whether an export has ended
EXPORT_FIRST: Words = (
    "An export is under way: the window speaks the other language as soon as it is done."
)
PICTURE_LIMIT = 600.0  # [s] that the solver may take for it; the first run compiles


def _report_timing(what: str) -> None:
    if os.environ.get(TIMING):
        print(
            (
                f"{what} {1000 * process_age():.0f} ms, of these "
                f"{1000 * time.process_time():.0f} ms at work"
            ),
            file=sys.stderr,
            flush=True,
        )


def make_app() -> QApplication:
    """The one application object."""
    from PySide6.QtWidgets import QApplication

    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(sys.argv[:1])
    app.setApplicationName("mechstudio")
    app.setDesktopFileName("mechstudio")
    return app


def make_window(app: QApplication, studio: Studio, theme: Theme | str = "") -> MainWindow:
    """The window of a studio, not yet shown.  theme: "light" or "dark" instead of the preference,
    or that of the window before.
    """
    from mechstudio.view.main_window import MainWindow
    from mechstudio.view.theme import Theme

    def make_session():
        from mechstudio.application.questions.solver import Session

        return Session(studio.document)

    if isinstance(theme, str):
        stored = studio.preferences.stored
        theme = Theme(app, theme or stored.theme, stored.text_size / 100)
    window = MainWindow(theme, studio, make_session)
    # what is there by then stays: the collector need not go through all of it again, which takes it
    # a tenth of a second each time
    window.ready.connect(gc.freeze)
    return window


def run_window(path: str | None = None, picture: str = "") -> int:
    """Open the window, with a file if one is named, which starts to play; returns the exit status.

    picture: after a moment of playing a picture of the window is kept in that file, and the program
    ends.
    """
    from mechstudio.virtual_screen import has_screen

    if not has_screen() and not os.environ.get("QT_QPA_PLATFORM"):
        # Qt would abort the process here
        print(
            tr(
                "mechstudio: There is no screen here to open the window on; check, simulate, "
                "equations "
                "and render work without one."
            ),
            file=sys.stderr,
        )
        return 2
    from mechstudio.view.garbage_collection import GarbageCollector

    logging.basicConfig(format="mechstudio: %(message)s", level=logging.WARNING)
    app, preferences = make_app(), Preferences()
    GarbageCollector(app)
    _speak(app, preferences)
    studio = Studio(preferences)
    if path is None:
        studio.files.recovery.restore_unnamed()
    elif not is_foreign(path) and studio.files.open(Path(path)):
        studio.runs.play()
    window = make_window(app, studio)
    if path is not None and is_foreign(path):
        # its list of omitted content covers the window
        window.ready.connect(lambda: studio.files.open(Path(path)))
    window.viewport.painter.first_frame.connect(lambda: _report_timing("first frame"))
    window.ready.connect(lambda: _report_timing("ready"))
    stored = studio.preferences.stored
    window.resize(*first_size(app.primaryScreen().availableGeometry(), stored.window))
    (window.showMaximized if stored.maximized else window.show)()
    _report_timing("window shown")
    if path is None and not picture and stored.start_page and not studio.document.is_modified:
        from mechstudio.view.actions.file import start_page

        start_page(window)
    if picture:
        played = wait(app, lambda: studio.runs.playback.time >= PICTURE_TIME, PICTURE_LIMIT)
        _keep(window.grab_picture(), picture)
        window.leave()
        if not played:
            print(
                tr(
                    "mechstudio: the mechanism did not play within {picture_limit:.0f} s; the "
                    "picture shows "
                    "the window as it was then.",
                    picture_limit=PICTURE_LIMIT,
                ),
                file=sys.stderr,
            )
        return 0 if played else 1
    program = Program(app, window)
    with _end_of_signals(lambda: program.window.leave(keep_unsaved=True)):
        return app.exec()


def _speak(app: QApplication, preferences: Preferences) -> str:
    """Show everything in the language of the preferences from now on; returns why that cannot be,
    "" if it is so.
    """
    from mechstudio.view.language import speak, spoken

    code = spoken(preferences.stored.language)
    try:
        speak(app, code)
    except LookupError:
        return tr(
            "The words in {language} are missing from this installation. Install mechstudio "
            "again to have them.",
            language=LANGUAGES.get(code, code),
        )
    return ""


def _exports(window: MainWindow) -> bool:
    """True while a file or a film of a window is being made."""
    sheet = window.exports
    drawn = sheet is not None and sheet.page.state.progress is not None
    return drawn or window.studio.questions.exports.is_working


def _present(window: MainWindow, lecture: State) -> None:
    """Show a window to a class again, with the current step."""
    from mechstudio.view.actions.present import present

    present(window)
    window.studio.lecture.resume(lecture)


class Program:
    """The one window of the program, made again where it shall speak another language."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        from PySide6.QtCore import QTimer

        self._app = app
        self._soon = QTimer(singleShot=True, interval=SOON)
        self._soon.timeout.connect(self.reopen)
        self._take(window)

    def _take(self, window: MainWindow) -> None:
        self.window = window
        window.language_requested.connect(self.reopen)

    def reopen(self) -> None:
        """Show the same document, with its history and runs, in the language of the preferences."""
        from PySide6.QtWidgets import QDialog

        from mechstudio.view.actions.edit import show_preferences
        from mechstudio.view.actions.file import start_page
        from mechstudio.view.actions.help import open_manual
        from mechstudio.view.dialogs.preferences import PreferencesSheet
        from mechstudio.view.help.sheet import HelpSheet
        from mechstudio.view.language import spoken

        before, preferences, spoke = self.window, self.window.studio.preferences, language()
        messages = before.studio.notifications
        if spoken(preferences.stored.language) == spoke:
            messages.withdraw("language")
            return  # it was chosen twice
        if _exports(before):
            messages.say(Message("info", tr(EXPORT_FIRST), "language"))
            self._soon.start()
            return
        if fault := _speak(self._app, preferences):
            messages.say(Message("warning", fault, "language"))
            return
        had_preferences = any(sheet.isVisible() for sheet in before.findChildren(PreferencesSheet))
        read = [sheet.topic for sheet in before.findChildren(HelpSheet) if sheet.isVisible()]
        for dialog in before.findChildren(QDialog):
            dialog.reject()  # one of the window before would lock the new one
        starts = before.start is not None
        lecture = before.studio.lecture.state if before.presents else None
        before.end()
        studio = Studio(preferences.copy())
        studio.take_over(before.studio, spoke)
        window = make_window(self._app, studio, before.theme)
        window.docks.take_over(before.docks)
        window.set_workspace(before.workspace)
        window.setGeometry(before.geometry())
        (window.showMaximized if before.isMaximized() else window.show)()
        self._take(window)
        before.close()
        before.deleteLater()
        if starts:
            start_page(window)
        if lecture is not None:
            window.ready.connect(lambda: _present(window, lecture))
        for topic in read:
            window.ready.connect(lambda: open_manual(window, topic))
        if had_preferences:
            window.ready.connect(lambda: show_preferences(window).language.setFocus())


@contextlib.contextmanager
def _end_of_signals(leave: Callable[[], None]) -> Iterator[None]:
    """Leave in good order when the system or a terminal asks the program to end, so that nothing is
    lost or left behind.
    """
    from PySide6 import QtCore

    reader, writer = socket.socketpair()
    writer.setblocking(False)
    # Python runs no handler while Qt waits, but it writes the signal's number here at once, which
    # wakes Qt
    before = signal.set_wakeup_fd(writer.fileno())
    handlers = {
        each: signal.signal(each, lambda number, frame: None)
        for each in (signal.SIGTERM, signal.SIGINT)
    }
    notifier = QtCore.QSocketNotifier(reader.fileno(), QtCore.QSocketNotifier.Type.Read)
    notifier.activated.connect(leave)
    try:
        yield
    finally:
        notifier.setEnabled(False)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(before)
        reader.close()
        writer.close()


def first_size(free: QRect, stored: tuple[int, int] | None) -> tuple[int, int]:
    """Size of a window that opens: that of the last one, which may have been on a larger screen,
    or a comfortable one.  free: what the screen has room for [px].
    """
    wide, tall = stored or (
        min(1600, round(0.92 * free.width())),
        min(1000, round(0.92 * free.height())),
    )
    return min(wide, free.width()), min(tall, free.height())


def wait(app: QApplication, until: Callable[[], bool], limit: float) -> bool:
    """Let the window live until something is true or the limit [s] is over; returns whether it is
    true.
    """
    end = time.monotonic() + limit
    while not until() and time.monotonic() < end:
        app.processEvents()
        time.sleep(0.005)
    return until()


def draw(request: RenderRequest | FilmRequest) -> None:
    """Draw what a command of the terminal wants.  Raises as the two that do it."""
    from mechstudio.cli.pictures.film import FilmRequest

    if isinstance(request, FilmRequest):
        draw_film(request)
    else:
        draw_picture(request)


def draw_film(request: FilmRequest) -> None:
    """The film that `mechstudio film` wants.  Raises cli.CommandError if this computer cannot draw,
    and as application.films.film_making.FilmMaking.
    """
    from mechstudio.application.films.film import MARKS_LIMIT
    from mechstudio.application.films.film_making import FilmMaking, made
    from mechstudio.application.films.replay import Replay
    from mechstudio.application.scene.display_size import view_size
    from mechstudio.cli.outcome import CommandError
    from mechstudio.model.edits.poses.closed_pose import standing
    from mechstudio.view.films.film_stage import FilmStage, Shot
    from mechstudio.view.films.stage import Scenery
    from mechstudio.view.scene.rendering.gl import GraphicsUnavailable
    from mechstudio.view.theme import Theme

    app = make_app()
    Theme(app, "dark" if request.film.theme == "dark" else "light")
    recording, plan = request.recording, request.plan
    studio = Studio(Preferences(kept=False))
    studio.document.load(request.project, None)
    studio.runs.attach(Replay(recording))
    marks = studio.marks
    marks.pixel = view_size(request.project.mechanism) / max(request.film.size)
    try:
        wait(app, lambda: marks.poll() or marks.are_ready, MARKS_LIMIT)
        rows = recording.rows[0][recording.layout.poses].reshape(-1, 7)
        poses = dict(zip(recording.layout.bodies, rows.tolist(), strict=True))
        project = standing(request.project, poses)
        scenery = Scenery(project, request.cameras, (), request.units, request.panels)
        stage = FilmStage(request.film, Shot(scenery, recording, marks), plan.times)
        try:
            tell = sys.stderr.isatty()
            making = FilmMaking(Path(request.out), request.film, plan, stage.frame)
            made(making, _report_frame if tell else lambda making: None)
        finally:
            stage.close()
    except GraphicsUnavailable as reason:
        raise CommandError(str(reason)) from None
    finally:
        studio.close()


def _report_frame(making: FilmMaking) -> None:
    """Show how far a film is on the terminal's last line."""
    end = "\n" if making.drawn == making.count else ""
    words = tr("Frame {k} of {count}", k=making.drawn, count=making.count)
    print(f"\r\033[K{words}", end=end, file=sys.stderr, flush=True)


def draw_picture(request: RenderRequest) -> None:
    """The picture that `mechstudio render` wants.  Raises OSError if it cannot be written,
    cli.CommandError if this computer cannot draw.
    """
    from mechstudio.cli.outcome import CommandError
    from mechstudio.view.scene.rendering.gl import GraphicsUnavailable

    app = make_app()
    if request.window:
        _keep(_window_picture(app, request), request.out)
        return
    from mechstudio.view.scene.snapshot import render
    from mechstudio.view.theme import Theme

    plain = request.transparent or request.theme == "paper"
    Theme(app, "dark" if request.theme == "dark" else "light")
    try:
        image = (
            plain_picture(request)
            if plain
            else render(
                request.project,
                request.poses,
                request.theme,
                (request.width, request.height),
                request.camera,
            )
        )
    except GraphicsUnavailable as reason:
        raise CommandError(str(reason)) from None
    _keep(image, request.out)


def plain_picture(request: RenderRequest):
    """The picture that `mechstudio render` wants without sky and floor.  Raises as `render`."""
    from mechstudio.application.films.film import Film
    from mechstudio.view.films.still import Still, draw_still

    film = Film(
        format="apng",
        width=request.width,
        height=request.height,
        theme=request.theme,
        transparent=request.transparent,
        cube=True,
    )
    return draw_still(film, Still(request.project, request.poses, request.camera))


def _window_picture(app: QApplication, request: RenderRequest):
    """The whole window with its panels filled, at the instant that is requested."""
    studio = Studio(Preferences(kept=False))
    studio.files.show(request.project, request.path, request.camera)
    window = make_window(app, studio, request.theme)
    window.resize(request.width, request.height)
    window.show()
    try:
        wait(app, lambda: studio.questions.analysis is not None, PICTURE_LIMIT)
        if request.time is not None:
            studio.runs.simulate()
            wait(
                app,
                lambda: studio.runs.playback.complete and studio.runs.playback.has_run,
                PICTURE_LIMIT,
            )
            studio.runs.playback.seek(request.time)
        wait(
            app, lambda: window.docks.is_filled and window.docks.equations.is_settled, PICTURE_LIMIT
        )
        return window.grab_picture()
    finally:
        window.leave()


def _keep(image, path: str) -> None:
    if not image.save(path, "PNG"):
        raise OSError(tr("no picture could be written to {path}", path=path))
