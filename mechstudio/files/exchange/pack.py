"""Packs: one zip of a project with its pictures and its kept runs, to be handed on.

A pack holds NAME.mech, pictures/ and NAME.runs/, and nothing else comes out of one: what is named
otherwise is left where it is, and no file lands outside the folder that the pack is opened into.
"""

import contextlib
import lzma
import os
import re
import secrets
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mechstudio.files import pictures, runs
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.project_file import LARGEST, SUFFIX, ProjectFileError, encode
from mechstudio.model.naming import quoted
from mechstudio.model.project import Camera, Project
from mechstudio.translation import comma, tr, trn

ENDING = ".zip"
PICTURES = "pictures"
MOST = 10_000  # files of a pack
LARGEST_RUN = 4 << 30  # bytes of a file of samples
SWELLS = 200  # times its own size that a pack may come to, beyond ROOM
ROOM = 256 << 20  # bytes that any pack may come to
BLOCK = 1 << 20
DAMAGED = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
)
_RUN = re.compile(r"\d{4,9}\.(?:" + "|".join(runs.ENDINGS) + ")")
_PLAIN = re.compile(r'[^/\\:*?"<>|\x00-\x1f]{1,120}')


def pack(
    target: str | os.PathLike[str],
    name: str,
    project: Project,
    camera: Camera | None = None,
    kept_runs: str | os.PathLike[str] | None = None,
) -> list[str]:
    """Write a pack, whole or not at all; sentences on what could not come along.

    name: of the project's file in it, without an ending.  project: with absolute paths of pictures.
    kept_runs: folder of its runs.  Raises ExchangeError.
    """
    target, notes = Path(target), list[str]()
    # a name that unpack would not take for a project's is another's
    stem = name if _is_project(f"{name}{SUFFIX}") and name.strip(". ") else "project"
    inside = _pictures_inside(project, notes)
    moved = pictures.with_paths(project, lambda path: inside.get(path, path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as made:
            made.writestr(f"{stem}{SUFFIX}", encode(moved, camera))
            for path, place in inside.items():
                made.write(path, place, zipfile.ZIP_STORED)
            for file in _run_files(kept_runs):
                made.write(file, f"{stem}{runs.SUFFIX}/{file.name}")
        os.replace(temporary, target)
    except (OSError, ValueError, ProjectFileError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ExchangeError(
            tr("{name} cannot be written: {reason}.", name=quoted(target.name), reason=reason)
        ) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    return notes


def _pictures_inside(project: Project, notes: list[str]) -> dict[str, str]:
    """Places in the pack of the pictures that are there, by their paths."""
    inside: dict[str, str] = {}
    for picture in project.pictures.values():
        path = Path(picture.path)
        if not path.is_file():
            notes.append(
                tr("The picture {name} is not there and stays out.", name=quoted(path.name))
            )
        elif str(path) not in inside:
            kept = f"{len(inside) + 1}_{path.name}"
            if not _PLAIN.fullmatch(kept):
                kept = f"{len(inside) + 1}_picture{path.suffix}"
            inside[picture.path] = f"{PICTURES}/{kept}"
    return inside


def _run_files(folder: str | os.PathLike[str] | None) -> list[Path]:
    if folder is None or not Path(folder).is_dir():
        return []
    return sorted(file for file in Path(folder).iterdir() if _RUN.fullmatch(file.name))


def unpack(source: str | os.PathLike[str], into: str | os.PathLike[str]) -> tuple[Path, list[str]]:
    """Open a pack into a new folder of `into`, named as the pack; its project's file there, and
    sentences on what was left out.

    Raises ExchangeError for what is no pack, holds no project or more than one, is damaged, locked,
    or comes to far more than its size; nothing is left of it then.
    """
    source, into = Path(source), Path(into)
    temporary = into / f".{source.stem[:60]}.{secrets.token_hex(4)}.tmp"
    try:
        with zipfile.ZipFile(source) as opened:
            members, notes = _members(opened, source)
            temporary.mkdir()
            free = max(ROOM, SWELLS * source.stat().st_size)
            for member, place in members:
                free = _extract(opened, member, temporary / place, free, source)
        folder = _free_folder(into, source.stem)
        temporary.rename(folder)
    except ExchangeError:
        raise
    except DAMAGED as error:
        raise ExchangeError(
            tr("{name} is no pack, or damaged: {error}.", name=quoted(source.name), error=error)
        ) from None
    except (OSError, RuntimeError, ValueError) as error:
        # zipfile's word for a file that is locked with a password is RuntimeError; zlib's is not
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise ExchangeError(
            tr("{name} cannot be opened: {reason}.", name=quoted(source.name), reason=reason)
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    (project,) = (place for _, place in members if place.suffix == SUFFIX)
    return folder / project, notes


def _members(
    opened: zipfile.ZipFile, source: Path
) -> tuple[list[tuple[zipfile.ZipInfo, Path]], list[str]]:
    """Files that belong to a pack with their places, and sentences on the others."""
    if len(opened.infolist()) > MOST:
        raise ExchangeError(
            tr(
                "{name} holds more than {most} files and is no pack.",
                name=quoted(source.name),
                most=MOST,
            )
        )
    found: dict[Path, zipfile.ZipInfo] = {}
    strange: list[str] = []
    projects = [i.filename for i in opened.infolist() if _is_project(i.filename)]
    if len(projects) != 1:
        raise ExchangeError(
            tr(
                "{name} holds {count} mechanisms; a pack holds one.",
                name=quoted(source.name),
                count=len(projects),
            )
        )
    folder = f"{projects[0].removesuffix(SUFFIX)}{runs.SUFFIX}"
    for info in opened.infolist():
        place = _place(info.filename, folder)
        # a link is a file whose content is another's path
        is_link = info.external_attr >> 28 == 0xA
        if place is not None and not is_link and place not in found:
            found[place] = info
        elif not info.is_dir():
            strange.append(info.filename)
    notes: list[str] = []
    if strange:
        shown = comma().join(quoted(name) for name in strange[:3])
        notes.append(
            trn(
                "{name}: a file does not belong to a pack and stays in it: {shown}.",
                "{name}: {count} files do not belong to a pack and stay in it: {shown}.",
                len(strange),
                name=source.name,
                shown=shown,
            )
        )
    return [(info, place) for place, info in found.items()], notes


def _is_project(name: str) -> bool:
    return name.endswith(SUFFIX) and bool(_PLAIN.fullmatch(name)) and not name.startswith(".")


def _place(name: str, folder: str) -> Path | None:
    """Place of a member under the opened folder; None for what does not belong there."""
    if _is_project(name):
        return Path(name)
    parts = name.split("/")
    if len(parts) != 2 or not _PLAIN.fullmatch(parts[1]) or parts[1].startswith("."):
        return None
    is_picture = parts[0] == PICTURES and pictures.is_picture_file(parts[1])
    is_run = parts[0] == folder and _RUN.fullmatch(parts[1]) is not None
    return Path(*parts) if is_picture or is_run else None


def _extract(
    opened: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path, free: int, source: Path
) -> int:
    """Write a member, counting what really comes out of it; bytes that are free after it."""
    most = LARGEST if place.suffix == SUFFIX else LARGEST_RUN
    if pictures.is_picture_file(place):
        most = pictures.LARGEST
    place.parent.mkdir(exist_ok=True)
    with opened.open(member) as content, place.open("xb") as file:
        for block in _blocks(content):
            free, most = free - len(block), most - len(block)
            if free < 0 or most < 0:
                raise ExchangeError(
                    tr(
                        "{name}: {member} comes to more than such a file may; nothing of it is "
                        "opened.",
                        name=quoted(source.name),
                        member=quoted(member.filename),
                    )
                )
            file.write(block)
    return free


def _blocks(content: IO[bytes]) -> Iterator[bytes]:
    while block := content.read(BLOCK):
        yield block


def _free_folder(into: Path, name: str) -> Path:
    """A folder that is not there yet."""
    stem = name if _PLAIN.fullmatch(name) and name.strip(". ") else "project"
    folder, k = into / stem, 2
    while os.path.lexists(folder):
        folder, k = into / f"{stem} {k}", k + 1
    return folder
