"""Choice of a picture's file, with facts about it before it is shown."""

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets

from mechstudio.application.actions.edits import pictures
from mechstudio.application.actions.edits.pictures import SUFFIXES, picture_problem
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.chooser import ask_source
from mechstudio.view.widgets.image_files import PictureUnreadable, measure


def aspect_of(studio: Studio, path: Path) -> float | None:
    """Height over width of a picture; None, with a message, if it cannot be shown."""
    problem, (width, height) = picture_problem(path), (1, 1)
    try:
        width, height = (1, 1) if problem else measure(str(path))
    except PictureUnreadable as error:
        problem = str(error)
    if not problem and not 1e-3 <= height / width <= 1e3:
        problem = tr(
            "{name} is {width} × {height} pixels: too narrow to draw after.",
            name=path.name,
            width=width,
            height=height,
        )
    if problem:
        pictures.refuse_picture(studio, problem)
        return None
    return height / width


def choose_picture(window: QtWidgets.QWidget, studio: Studio, then: Callable[[Path], None]) -> None:
    """Ask for a picture's file."""
    files = tr("Pictures ({kinds})", kinds=" ".join(f"*{s}" for s in SUFFIXES))
    ask_source(
        window,
        studio.preferences.stored.folder,
        tr("Insert picture"),
        (files, tr("All files (*)")),
        then,
    )


def exchange_picture(window: QtWidgets.QWidget, studio: Studio, id: str) -> None:
    """Ask for another file for a picture."""

    def take(path: Path) -> None:
        aspect = aspect_of(studio, path)
        if aspect is not None and id in studio.document.project.pictures:
            pictures.exchange_picture(studio, id, path, aspect)

    choose_picture(window, studio, take)
