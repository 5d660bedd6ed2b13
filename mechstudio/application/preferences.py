"""Preferences that the program keeps between two starts: theme, text size, units, recent files,
size of the window.  No part of any document.
"""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from mechstudio.application.mouse import AS_PRESET, MOUSE_PRESETS, REVERSED
from mechstudio.application.platform import prefers_stillness
from mechstudio.application.signal import Signal
from mechstudio.files import durable, recent
from mechstudio.folders import config_folder
from mechstudio.model.units import DEFAULT_SYSTEM, SYSTEMS
from mechstudio.translation import LANGUAGES, tr

_log = logging.getLogger(__name__)

FOUND = 24  # uses of the palette that are remembered
THEMES = ("system", "light", "dark")
TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
# what a preference may be; any other value counts as its default
_ALLOWED: dict[str, tuple[object, ...]] = {
    "theme": THEMES,
    "text_size": TEXT_SIZES,
    "units": tuple(SYSTEMS),
    "gizmo_axes": ("world", "body"),
    "gizmo_pivot": ("mass", "origin"),
    "mouse": ("", *MOUSE_PRESETS),
    "wheel": (AS_PRESET, REVERSED),
    "language": ("", *LANGUAGES),
}


class Stored(msgspec.Struct):
    """The preferences file.  theme: of THEMES; text_size: of TEXT_SIZES [%]; units: key of
    units.SYSTEMS; window: width and height [px];
    gizmo_axes: "world" or "body"; gizmo_pivot: "mass" or "origin"; folder: where a file was opened
    last; found: keys of the last actions of the palette, the latest last.  mouse: key of
    MOUSE_PRESETS, "" while none was chosen; wheel: AS_PRESET or REVERSED.  start_page: the start
    page is shown where no file is opened.  language: key of LANGUAGES, "" for that of the system.
    first_drawing: an empty window offers it; once only.  dashes: curves differ by their dashes
    beside their colours.
    """

    theme: str = "system"
    text_size: int = 100
    units: str = DEFAULT_SYSTEM
    reduced_motion: bool = False
    window: tuple[int, int] | None = None
    maximized: bool = False
    labels: bool = True
    glyphs: bool = True
    axes: bool = False
    contact_marks: bool = True
    gizmo_axes: str = "world"
    gizmo_pivot: str = "mass"
    folder: str = ""
    found: tuple[str, ...] = ()
    mouse: str = ""
    wheel: str = AS_PRESET
    start_page: bool = True
    language: str = ""
    first_drawing: bool = True
    dashes: bool = True


_TYPES = {field.name: field.type for field in msgspec.structs.fields(Stored)}


def checked(values: dict[str, object]) -> dict[str, Any]:
    """The values that a preference may have, by name; one that it may not have is its default, an
    unknown name is left out.
    """
    defaults, good = Stored(), {}
    for name in _TYPES.keys() & values.keys():
        try:
            value = msgspec.convert(values[name], _TYPES[name])
        except msgspec.ValidationError:
            value = getattr(defaults, name)
        good[name] = value if value in _ALLOWED.get(name, (value,)) else getattr(defaults, name)
    return good


class Preferences:
    """Reads once, writes at each change.  A file that cannot be read or written costs the
    preferences, never the start.

    changed(): a value is another.   units_changed(): numbers are shown in other units.
    failed(sentence): they could not be written and hold for this window only.
    """

    def __init__(
        self, kept: bool = True, prefers_stillness: Callable[[], bool] = prefers_stillness
    ) -> None:
        """kept: False neither reads nor writes any file, for pictures.  prefers_stillness(): True
        where the system is set to show no animations.
        """
        self.changed, self.units_changed, self.failed = Signal(), Signal(), Signal()
        self.kept = kept
        self._prefers_stillness = prefers_stillness
        self.path = config_folder() / "preferences.json"
        self.stored = self._read() if kept else Stored()

    def copy(self) -> "Preferences":
        """The same preferences, without listeners."""
        other = Preferences(kept=False)
        other.kept, other.stored = self.kept, self.stored
        other._prefers_stillness = self._prefers_stillness
        return other

    @property
    def units(self) -> str:
        """Unit system in which numbers are shown and bare numbers are read: a key of
        units.SYSTEMS.
        """
        return self.stored.units

    @property
    def still(self) -> bool:
        """True if nothing moves by itself: the one answer for all that would, by choice or by the
        settings of the system.  What the user plays moves all the same.
        """
        return self.stored.reduced_motion or self._prefers_stillness()

    def _read(self) -> Stored:
        try:
            known = msgspec.json.decode(self.path.read_bytes(), type=dict[str, object])
            return Stored(**checked(known))
        except FileNotFoundError:
            return Stored()
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            _log.warning(
                tr(
                    "The preferences in {path} are not readable ({error}); defaults are used.",
                    path=self.path,
                    error=error,
                )
            )
            return Stored()

    def set(self, **values: object) -> None:
        """Change preferences by name, write them and emit `changed`."""
        units = self.stored.units
        for name, value in checked(values).items():
            setattr(self.stored, name, value)
        if self.kept:
            self._write()
        self.changed.emit()
        if self.stored.units != units:
            self.units_changed.emit()

    def _write(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            durable.write(self.path, msgspec.json.format(msgspec.json.encode(self.stored)))
        except OSError as error:
            self.failed.emit(
                tr(
                    "The preferences cannot be written to {path} ({error}).",
                    path=self.path,
                    error=error.strerror or error,
                )
            )

    def add_found(self, key: str) -> None:
        """Remember what was done by the palette."""
        self.set(found=(*(k for k in self.stored.found if k != key), key)[-FOUND:])

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
