"""Outcomes of commands: exit states, sentences for standard error, and files read and written."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from mechstudio.files.project_file import Loaded, ProjectFileError
from mechstudio.files.project_file import load as load_file
from mechstudio.translation import tr
from mechstudio.virtual_screen import NoScreenError, has_screen, virtual_screen

if TYPE_CHECKING:
    from mechstudio.cli.pictures.film import FilmRequest
    from mechstudio.cli.pictures.render import RenderRequest

DONE, AT_FAULT, UNREADABLE = 0, 1, 2
# what draws: mechstudio/main.py hands it in, because this floor knows no Qt
Render = Callable[["RenderRequest | FilmRequest"], object]


class CommandError(Exception):
    """One sentence for standard error, and the exit status."""

    def __init__(self, sentence: str, status: int = UNREADABLE) -> None:
        super().__init__(sentence)
        self.status = status


def load(path: str) -> Loaded:
    """Contents of a project file; whatever could not be read as it stands goes to the error output,
    so that no result stands for more than it is.  Raises CommandError if the file cannot be read.
    """
    try:
        loaded = load_file(path)
    except ProjectFileError as error:
        raise CommandError(str(error)) from None
    for f in loaded.findings:
        if f.severity != "info":
            say(f"{f.message} {f.cure}".rstrip(), DONE)
    return loaded


def status_of(loaded: Loaded) -> int:
    """The exit status of a command that could do its work: at fault if an element of the file had
    to be left out.
    """
    return AT_FAULT if any(f.severity == "error" for f in loaded.findings) else DONE


def written(path: str, action: Callable[[], object]) -> None:
    """Do what writes a file.  Raises CommandError where the system refuses it."""
    try:
        action()
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise CommandError(
            tr(
                "{path} cannot be written ({strerror}).",
                path=path,
                strerror=error.strerror or error,
            )
        ) from None


def say(sentence: str, status: int) -> int:
    """Write a sentence on standard error, and give the status back."""
    print(f"mechstudio: {sentence}", file=sys.stderr)
    return status


def check_place(path: str, option: str = "--csv", what: str = "the table") -> None:
    """Tell before long work that its result could not be written."""
    if not path.strip():
        raise CommandError(
            tr("{option} needs the name of a file for {what}.", option=option, what=what)
        )
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.isdir(path):
        raise CommandError(tr("{path} is a folder, not a file for {what}.", path=path, what=what))
    if not os.path.isdir(folder):
        raise CommandError(
            tr("{path} cannot be written: there is no folder {folder}.", path=path, folder=folder)
        )
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise CommandError(tr("{path} cannot be written: you may not write there.", path=path))


def on_screen(action: Callable[[], object], *size: int) -> None:
    """Do something that needs a screen, on a private virtual one of a size where there is none."""
    if has_screen():
        action()
        return
    before = dict(os.environ)
    try:
        with virtual_screen(*size) as variables:
            os.environ.update(variables)
            action()
    except NoScreenError as error:
        raise CommandError(str(error)) from None
    finally:  # the screen is gone and must not be searched for
        os.environ.clear()
        os.environ.update(before)
