"""Opening and saving project files."""

import os
import stat
from pathlib import Path

from mechstudio.files import durable, pictures
from mechstudio.files.format.codec import HEADER, Loaded, ProjectFileError, decode, encode
from mechstudio.model.naming import quoted
from mechstudio.model.project import Camera, Project
from mechstudio.translation import tr

LARGEST = 16 * 2**20  # bytes; a mechanism of ten thousand bodies is a tenth of that
SUFFIX = ".mech"
LONGEST_PATH = 300  # characters of one that a sentence shows

__all__ = [
    "HEADER",
    "LARGEST",
    "SUFFIX",
    "Loaded",
    "ProjectFileError",
    "decode",
    "encode",
    "load",
    "save",
]


def load(path: str | os.PathLike[str]) -> Loaded:
    """The project in a file.  Raises ProjectFileError, with one sentence, if it is none or cannot
    be read.
    """
    name = quoted(os.path.basename(os.fspath(path)) or os.fspath(path))
    data = _content(path, name)
    durable.sweep(os.path.dirname(os.path.realpath(os.fspath(path))))
    try:
        loaded = decode(data)
    except ProjectFileError as error:
        previous = _previous(path)
        hint = (
            tr(
                "; the version before the last save is {previous} beside it.",
                previous=previous.name,
            )
            if previous
            else "."
        )
        raise ProjectFileError(f"{name}: {_inside(str(error))}{hint}") from error
    project, findings = pictures.found(loaded.project, _folder(path))
    return Loaded(project, loaded.camera, (*loaded.findings, *findings))


def save(
    path: str | os.PathLike[str], project: Project, camera: Camera | None = None
) -> pictures.Stowed:
    """Write the project so that a crash at any instant leaves the old or the new file; the old one
    is kept as NAME~.

    Returns what stands in the file, and what became of pictures that lay elsewhere.  Raises
    ProjectFileError with one sentence; the file is then as it was.
    """
    encode(project, camera)  # what no file can hold shall not leave copies of its pictures behind
    stowed = pictures.stow(project, _folder(path))
    try:
        durable.write(path, encode(stowed.project, camera), backup=_worth_keeping(path))
    except durable.WriteFailed as error:
        pictures.remove_copies(stowed)
        raise ProjectFileError(str(error)) from error
    except BaseException:
        pictures.remove_copies(stowed)
        raise
    return stowed


def _folder(path: str | os.PathLike[str]) -> str:
    """The folder in which a project's pictures are looked for."""
    return os.path.dirname(os.path.abspath(path))


def _inside(sentence: str) -> str:
    """A sentence of decode behind a file's name."""
    return sentence.removeprefix("The project ").replace("This is not", "this is not").rstrip(".")


def _content(path: str | os.PathLike[str], name: str) -> bytes:
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise ProjectFileError(tr("{name} is a folder, not a project file.", name=name))
        if not stat.S_ISREG(status.st_mode):
            raise ProjectFileError(tr("{name} is a device, not a project file.", name=name))
        if status.st_size > LARGEST:
            raise ProjectFileError(
                tr(
                    "{name} has {st_size:.0f} MB; a project file has at most {largest:.0f} MB.",
                    name=name,
                    st_size=status.st_size / 1e6,
                    largest=LARGEST / 1e6,
                )
            )
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except ProjectFileError:  # a ValueError too: it already says all
        raise
    except FileNotFoundError:
        raise ProjectFileError(
            tr("There is no file {path}.", path=quoted(os.fspath(path), LONGEST_PATH))
        ) from None
    except PermissionError:
        raise ProjectFileError(
            tr("{name} cannot be opened: you may not read it.", name=name)
        ) from None
    except (OSError, ValueError) as error:
        raise ProjectFileError(
            tr(
                "{name} cannot be opened ({getattr}).",
                name=name,
                getattr=getattr(error, "strerror", None) or error,
            )
        ) from None
    if len(data) > LARGEST:
        raise ProjectFileError(
            tr(
                "{name} grows while it is read; a project file has at most {largest:.0f} MB.",
                name=name,
                largest=LARGEST / 1e6,
            )
        )
    if not data.strip():
        previous = _previous(path)
        raise ProjectFileError(
            tr("{name} is empty", name=name)
            + (
                tr(
                    "; the version before the last save is {previous} beside it.",
                    previous=previous.name,
                )
                if previous
                else "."
            )
        )
    return data


def _previous(path: str | os.PathLike[str]) -> Path | None:
    """The backup of a file, if there is one."""
    try:
        backup = durable.backup_path(path)
        return backup if backup.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def _worth_keeping(path: str | os.PathLike[str]) -> bool:
    """True if the present file should become the backup, which it should not if it is damaged and a
    backup exists, which then is the better one.
    """
    if _previous(path) is None:
        return True
    try:
        load(path)
    except ProjectFileError:
        return False
    return True
