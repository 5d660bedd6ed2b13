"""Wires everything: the window with its studio and worker, and the pictures that the command line asks for."""

import logging
import os
import sys
from pathlib import Path

from mechstudio.application.platform import process_age
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio

# set, it makes the window tell on standard error how long it took [ms]
TIMING = "MECHSTUDIO_TIMING"


def _tell_timing(what: str) -> None:
    if os.environ.get(TIMING):
        print(f"{what} {1000 * process_age():.0f} ms", file=sys.stderr, flush=True)


def make_window(app, studio: Studio, theme_choice: str = ""):
    """The window of a studio, not yet shown.  theme_choice: "light" or "dark" instead of the preference."""
    from mechstudio.application.session import Session
    from mechstudio.view.main_window import MainWindow
    from mechstudio.view.theme import Theme
    theme = Theme(app, theme_choice or studio.preferences.stored.theme)
    return MainWindow(theme, studio, lambda: Session(studio.document))


def run_window(path: str | None = None) -> int:
    """Open the window, with a file if one is named, which starts to play; returns the exit status."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    from PySide6.QtWidgets import QApplication
    app = QApplication.instance() or QApplication(sys.argv[:1])
    app.setApplicationName("mechstudio")
    app.setApplicationDisplayName("")
    studio = Studio(Preferences())
    if path is not None and studio.open(Path(path)):
        studio.play()
    window = make_window(app, studio)
    window.viewport.first_frame.connect(lambda: _tell_timing("first frame"))
    window.ready.connect(lambda: _tell_timing("ready"))
    stored = studio.preferences.stored
    window.resize(*(stored.window or _comfortable(app)))
    (window.showMaximized if stored.maximized else window.show)()
    _tell_timing("window")
    return app.exec()


def _comfortable(app) -> tuple[int, int]:
    """A first size that fits the screen."""
    free = app.primaryScreen().availableGeometry()
    return min(1600, round(0.92 * free.width())), min(1000, round(0.92 * free.height()))
