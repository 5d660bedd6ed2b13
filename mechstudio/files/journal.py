"""Journals: unsaved work on disk, one file per window, in two parts: a line of identification,
then the project's own text.

The journal of a saved project lies beside it (.NAME.journal), or in the data folder where its own
folder cannot be written; that of an unnamed project lies in the data folder.
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path

import msgspec

from mechstudio.files import durable
from mechstudio.files.presence import process_lives
from mechstudio.files.project_file import ProjectFileError, decode, encode
from mechstudio.folders import data_folder
from mechstudio.model.project import Project


class JournalEntry(msgspec.Struct, frozen=True):
    """Unsaved work found on disk.  path: the project file it belongs to, "" for an unnamed one;
    changes: edits since its last save.
    """

    journal: str
    path: str
    changes: int
    label: str
    pid: int
    project: Project


def recovery_folder() -> Path:
    """Folder of journals that cannot lie beside their project."""
    return data_folder() / "recovery"


def journal_paths(path: str | None) -> tuple[Path, ...]:
    """Paths at which the journal of a project file may lie, preferred one first; for an unnamed
    project the path of this process.
    """
    if path is None:
        return (recovery_folder() / f"unnamed-{os.getpid()}.journal",)
    real = Path(os.path.realpath(path))
    name = hashlib.sha256(str(real).encode(errors="surrogateescape")).hexdigest()[:16]
    return (
        real.with_name(f".{real.name}.journal"),
        recovery_folder() / f"{real.stem[:40]}-{name}.journal",
    )


def write_journal(path: str | None, project: Project, changes: int, label: str) -> Path:
    """Put the unsaved project on disk, whole or not at all.  Returns where.  Raises
    durable.WriteFailed if no place can be written.
    """
    head = {
        "mechstudio_journal": 1,
        "pid": os.getpid(),
        "path": "" if path is None else os.path.realpath(path),
        "changes": changes,
        "label": label,
    }
    data = json.dumps(head).encode() + b"\n" + encode(project)
    failure: durable.WriteFailed | None = None
    for place in journal_paths(path):
        try:
            with contextlib.suppress(
                OSError
            ):  # the write below says why, if the folder is not there
                if place.parent == recovery_folder():
                    place.parent.mkdir(parents=True, exist_ok=True)
            durable.write(place, data)
            return place
        except durable.WriteFailed as error:
            failure = error
    assert failure is not None
    raise failure


def read_journal(place: str | os.PathLike[str]) -> JournalEntry | None:
    """The work in a journal; None if it cannot be read, is damaged, or belongs to a living
    window.
    """
    try:
        head_line, _, text = Path(place).read_bytes().partition(b"\n")
        head = json.loads(head_line)
        pid = int(head["pid"])
        if pid != os.getpid() and process_lives(pid):
            return None
        project = decode(text).project
        return JournalEntry(
            str(place), str(head["path"]), int(head["changes"]), str(head["label"]), pid, project
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ProjectFileError):
        return None


def find_journal(path: str) -> JournalEntry | None:
    """Unsaved work of a project file that a dead window left behind."""
    for place in journal_paths(path):
        if place.is_file():
            entry = read_journal(place)
            if entry is not None and entry.pid != os.getpid():
                return entry
    return None


def find_unnamed() -> tuple[JournalEntry, ...]:
    """Unsaved unnamed projects that dead windows left behind, newest first."""
    try:
        places = sorted(
            recovery_folder().glob("unnamed-*.journal"), key=lambda p: -p.stat().st_mtime
        )
    except OSError:
        return ()
    entries = (read_journal(p) for p in places)
    return tuple(e for e in entries if e is not None and e.pid != os.getpid())


def remove_journal(place: str | os.PathLike[str]) -> None:
    """Forget unsaved work; a journal that is gone already is no error."""
    with contextlib.suppress(OSError):
        os.unlink(place)
