"""Folders of the user's system for settings, caches and data, and of the files that ship beside the
code, for all floors.  Asking for one does not create it.
"""

import os
import sys
from pathlib import Path

NAME = "mechstudio"
_PACKAGE = Path(__file__).resolve().parent


def _base(windows: tuple[str, str], mac: str, xdg: tuple[str, str]) -> Path:
    """Base folder of the system for one kind of thing; windows, xdg: the environment variable that
    names it, and its place in the home folder otherwise.

    Relative values are ignored, as the XDG specification wants.
    """
    if sys.platform == "darwin":
        return Path.home() / mac
    variable, otherwise = windows if sys.platform == "win32" else xdg
    value = os.environ.get(variable, "")
    return Path(value) if value and os.path.isabs(value) else Path.home() / otherwise


def config_folder() -> Path:
    """Preferences, recent files, window layout."""
    return (
        _base(("APPDATA", "AppData/Roaming"), "Library/Preferences", ("XDG_CONFIG_HOME", ".config"))
        / NAME
    )


def cache_folder() -> Path:
    """Folder of data that can be made again: compiled kernels, pictures of samples."""
    base = (
        _base(("LOCALAPPDATA", "AppData/Local"), "Library/Caches", ("XDG_CACHE_HOME", ".cache"))
        / NAME
    )
    return base / "cache" if sys.platform == "win32" else base


def data_folder() -> Path:
    """Folder of data that cannot be made again: journals of unsaved work."""
    return (
        _base(
            ("LOCALAPPDATA", "AppData/Local"),
            "Library/Application Support",
            ("XDG_DATA_HOME", ".local/share"),
        )
        / NAME
    )


def resource_folder(name: str) -> Path:
    """A folder of icons, fonts and the like: of the installed package or, in a checkout, beside
    it.
    """
    return _shipped(f"_resources/{name}", f"resources/{name}")


def sample_folder() -> Path:
    """The folder of the sample projects, likewise."""
    return _shipped("_samples", "samples")


def _shipped(installed: str, checkout: str) -> Path:
    places = (_PACKAGE / installed, _PACKAGE.parent / checkout)
    return next((p for p in places if p.is_dir()), places[-1])
