"""The files that were opened or saved last, newest first, in the user's settings folder."""

import json
import os
from pathlib import Path

from mechstudio.files import durable
from mechstudio.files.format.json_text import is_list
from mechstudio.folders import config_folder
from mechstudio.translation import tr

COUNT = 12


def _list_file() -> Path:
    return config_folder() / "recent.json"


def recent_files() -> list[Path]:
    """Files that still exist, newest first; empty if there is no list or it cannot be read."""
    return [path for path in _remembered() if path.is_file()]


def add_recent(path: str | os.PathLike[str]) -> None:
    """Put a file at the top.  Raises durable.WriteFailed where the settings folder cannot be
    written.
    """
    path = Path(os.path.abspath(os.fspath(path)))
    _store([path, *(p for p in _remembered() if p != path)][:COUNT])


def _remembered() -> list[Path]:
    try:
        entries = json.loads(_list_file().read_bytes())
    except (OSError, ValueError, RecursionError):
        return []  # the list is a convenience: a missing or damaged one starts again
    if not is_list(entries):
        return []
    return [
        Path(e)
        for e in entries[:COUNT]
        if isinstance(e, str) and os.path.isabs(e) and "\0" not in e
    ]


def _store(paths: list[Path]) -> None:
    target = _list_file()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise durable.WriteFailed(
            tr(
                "The list of recent files could not be written in {parent}: {strerror}.",
                parent=target.parent,
                strerror=error.strerror,
            )
        ) from error
    # file names need not be valid text; surrogates stay escaped
    durable.write(target, json.dumps([str(p) for p in paths], indent=1).encode())
