"""Files of pictures: by absolute path while a project is open, by relative path in its file, and
copied beside it where they lie elsewhere.

So a project's folder can be moved or packed as it is, and undo never has to follow a file.
"""

import contextlib
import filecmp
import os
import shutil
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import NamedTuple

import msgspec

from mechstudio.model.findings import Finding
from mechstudio.model.project import Picture, Project
from mechstudio.translation import tr

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".webp", ".svg")
LARGEST = 32 * 2**20  # bytes of a picture's file


class Stowed(NamedTuple):
    """A project as its file holds it.  moved: old path -> new absolute path of the copied files.
    reported: a sentence for each, and for each that could not be.

    made: files that were not there before.
    """

    project: Project
    moved: dict[str, str]
    reported: tuple[str, ...]
    made: tuple[str, ...] = ()


def is_picture_file(path: str | os.PathLike[str]) -> bool:
    """True if a file is named as a picture is."""
    return Path(path).suffix.lower() in SUFFIXES


def with_paths(project: Project, change: Callable[[str], str]) -> Project:
    """The project with every picture's path changed; the same one if none is."""
    pictures = {
        id: p if (path := change(p.path)) == p.path else msgspec.structs.replace(p, path=path)
        for id, p in project.pictures.items()
    }
    return (
        project
        if all(pictures[id] is p for id, p in project.pictures.items())
        else msgspec.structs.replace(project, pictures=pictures)
    )


def found(project: Project, folder: str | os.PathLike[str]) -> tuple[Project, tuple[Finding, ...]]:
    """The project of a file in a folder with absolute paths of its pictures, and what is missing of
    them.
    """
    base = os.path.abspath(folder)
    project = with_paths(
        project,
        lambda path: (
            path if is_absolute(path) else os.path.normpath(os.path.join(base, *path.split("/")))
        ),
    )
    return project, tuple(
        missing(p) for p in project.pictures.values() if not os.path.isfile(p.path)
    )


def missing(picture: Picture) -> Finding:
    """Finding on a picture whose file is not there."""
    folder, name = os.path.split(picture.path)
    if PureWindowsPath(picture.path).drive and os.name != "nt":
        folder, name = str(PureWindowsPath(picture.path).parent), PureWindowsPath(picture.path).name
    return Finding(
        "warning",
        picture.id,
        tr(
            "Picture {picture}: there is no file {name} in {folder}.",
            picture=picture.name,
            name=name,
            folder=folder,
        ),
        tr("Put it back there, or choose it again in the inspector; its place and scale are kept."),
    )


def stow(project: Project, folder: str | os.PathLike[str]) -> Stowed:
    """Copy pictures that lie elsewhere into a folder, under a name that is free there, and make all
    paths relative to it.

    A picture that is missing or cannot be copied, and what is no picture or too large for one,
    keeps its path.  Overwrites nothing.
    """
    base = Path(os.path.abspath(folder))
    moved: dict[str, str] = {}
    reported: list[str] = []
    made: list[str] = []

    def change(path: str) -> str:
        source = Path(moved.get(path, path))
        if not is_absolute(str(source)) or _inside(source, base):
            return _inside(source, base) or path
        try:
            # a file of someone else's may name anything of this computer's as its picture, also
            # private files
            if (
                not source.is_file()
                or not is_picture_file(source)
                or source.stat().st_size > LARGEST
            ):
                return path
            target, copied = _copied(source, base)
        except OSError as error:
            reported.append(
                tr(
                    "The picture {source} could not be copied beside the project ({strerror}); "
                    "the project shows it from where it is.",
                    source=source.name,
                    strerror=error.strerror or error,
                )
            )
            return path
        moved[path] = str(target)
        if copied:
            made.append(str(target))
            reported.append(
                tr("The picture {source} was copied beside the project", source=source.name)
                + (tr(" as {target}.", target=target.name) if target.name != source.name else ".")
            )
        return target.name

    return Stowed(with_paths(project, change), moved, tuple(reported), tuple(made))


def remove_copies(stowed: Stowed) -> None:
    """Remove the copies again: the project that was to show them was not written."""
    for path in stowed.made:
        with contextlib.suppress(OSError):  # a copy too many harms nothing
            os.unlink(path)


def is_absolute(path: str) -> bool:
    """Absolute here or on Windows, where a path of another computer may come from."""
    return os.path.isabs(path) or bool(PureWindowsPath(path).drive)


def _inside(path: Path, base: Path) -> str:
    """The path relative to a folder with forward slashes, empty if it lies elsewhere."""
    try:
        return path.relative_to(base).as_posix()
    except ValueError:
        return ""


def _copied(source: Path, base: Path) -> tuple[Path, bool]:
    """Path of a copy of a file in a folder, and True if it was made now; one of the same content
    that is there already serves.
    """
    k = 1
    while True:
        target = base / (source.name if k == 1 else f"{source.stem}-{k}{source.suffix}")
        if target.is_file() and filecmp.cmp(source, target, shallow=False):
            return target, False
        try:
            place = open(target, "xb")
        except FileExistsError:
            k += 1
            continue
        try:
            with place, open(source, "rb") as file:
                shutil.copyfileobj(file, place)
                place.flush()
                os.fsync(place.fileno())
        except OSError:
            target.unlink(missing_ok=True)  # half a picture would be taken for one
            raise
        return target, True
