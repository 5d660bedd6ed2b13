"""The message after every export: where the file is, with Open and Show in folder."""

from collections.abc import Callable
from pathlib import Path

from mechstudio.application.notifications import Message
from mechstudio.application.platform import open_file, show_in_folder
from mechstudio.translation import Words, tr

OPEN: Words = "Open"
SHOW: Words = "Show in folder"
Say = Callable[[Message], None]


def desktop_request(
    say: Say, ask: Callable[[Path], str], path: Path, key: str
) -> Callable[[], None]:
    """A function that asks the desktop for something, and says why where it cannot."""

    def go() -> None:
        if why := ask(path):
            say(Message("warning", why, key))

    return go


def buttons(say: Say, path: Path, key: str) -> tuple[tuple[str, Callable[[], object]], ...]:
    """Buttons for a file that was written."""
    return (
        (tr(OPEN), desktop_request(say, open_file, path, key)),
        (tr(SHOW), desktop_request(say, show_in_folder, path, key)),
    )


def say_saved(say: Say, path: Path, key: str, notes: str = "") -> None:
    """Tell that a file was written, and where.  notes: sentences on what it does not hold."""
    words = tr("{path} is saved in {parent}.", path=path.name, parent=path.parent)
    kind = "warning" if notes else "info"
    say(Message(kind, f"{words} {notes}".strip(), key, buttons(say, path, key)))
