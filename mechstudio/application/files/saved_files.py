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
    """A function that requests a service of the desktop, and reports the reason if that fails."""

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
    """Report a written file and its place, for some seconds.  notes: sentences on its omitted
    content, which stay until they are read.
    """
    words = tr("{path} is saved in {parent}.", path=path.name, parent=path.parent)
    kind = "warning" if notes else "info"
    say(Message(kind, f"{words} {notes}".strip(), key, buttons(say, path, key), not notes))
