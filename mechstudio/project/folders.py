"""Where the user's system keeps settings, caches and data; none of these folders is created by asking for it."""

import os
import sys
from pathlib import Path

NAME = "mechstudio"


def _from_environment(variable: str, otherwise: Path) -> Path:
    """The folder that an environment variable names; relative ones are ignored, as the XDG specification wants."""
    value = os.environ.get(variable, "")
    return Path(value) if value and os.path.isabs(value) else otherwise


def config_folder() -> Path:
    """Preferences, recent files, window layout."""
    home = Path.home()
    if sys.platform == "win32":
        return _from_environment("APPDATA", home / "AppData" / "Roaming") / NAME
    if sys.platform == "darwin":
        return home / "Library" / "Preferences" / NAME
    return _from_environment("XDG_CONFIG_HOME", home / ".config") / NAME


def cache_folder() -> Path:
    """What can be made again: compiled kernels, pictures of samples."""
    home = Path.home()
    if sys.platform == "win32":
        return _from_environment("LOCALAPPDATA", home / "AppData" / "Local") / NAME / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / NAME
    return _from_environment("XDG_CACHE_HOME", home / ".cache") / NAME


def data_folder() -> Path:
    """What the user would miss: plugins, journals of unsaved work."""
    home = Path.home()
    if sys.platform == "win32":
        return _from_environment("LOCALAPPDATA", home / "AppData" / "Local") / NAME
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / NAME
    return _from_environment("XDG_DATA_HOME", home / ".local" / "share") / NAME
