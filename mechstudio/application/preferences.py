"""What the program remembers between two starts: theme, recent files, size of the window.  No part of any document."""

import logging
from pathlib import Path

import msgspec

from mechstudio.project import durable, recent
from mechstudio.project.folders import config_folder

from .signal import Signal

_log = logging.getLogger(__name__)


class Stored(msgspec.Struct):
    """The preferences file.  theme: "system", "light" or "dark"; window: width and height [px]; folder: where a file was opened last."""

    theme: str = "system"
    window: tuple[int, int] | None = None
    maximized: bool = False
    labels: bool = True
    glyphs: bool = True
    folder: str = ""


class Preferences:
    """Reads once, writes at each change.  A file that cannot be read or written costs the preferences, never the start.

    changed(): a value is another.
    """

    def __init__(self, kept: bool = True) -> None:
        """kept: False neither reads nor writes any file, for pictures."""
        self.changed, self.kept = Signal(), kept
        self.path = config_folder() / "preferences.json"
        self.stored = self._read() if kept else Stored()

    def _read(self) -> Stored:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Stored)
        except FileNotFoundError:
            return Stored()
        except (OSError, msgspec.DecodeError) as error:
            _log.warning("The preferences in %s are not readable (%s); defaults are used.", self.path, error)
            return Stored()

    def set(self, **values: object) -> None:
        """Change preferences by name, write them and tell."""
        for name, value in values.items():
            setattr(self.stored, name, value)
        if self.kept:
            self._write()
        self.changed.emit()

    def _write(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            durable.write(self.path, msgspec.json.format(msgspec.json.encode(self.stored)))
        except OSError as error:
            _log.warning("The preferences cannot be written to %s (%s).", self.path, error)

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved last, newest first, as far as they still exist."""
        return recent.recent_files()

    def add_recent(self, path: str | Path) -> None:
        """Put a file at the head of the recent ones."""
        if not self.kept:
            return
        try:
            recent.add_recent(path)
        except OSError as error:
            _log.warning("%s", error)
        self.set(folder=str(Path(path).absolute().parent))
