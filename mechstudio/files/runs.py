"""Runs saved beside a project: in the folder NAME.runs next to NAME.mech, two files each, and a
third one where bodies touch.

0003.npy holds the samples as NumPy writes arrays; 0003.contacts the contacts of every sample;
0003.json what else is known, and the drawing that was run.  The last is written last, so that a run
is there as a whole or not at all.
"""

import contextlib
import io
import os
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mechstudio.files import durable
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.contact import ContactSample
from mechstudio.model.project import Project
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.translation import tr

SUFFIX = ".runs"
FORMAT = 1
LARGEST = 64 << 20  # bytes of the smaller file
BLOCK = 4 << 20  # bytes of samples that are written at once
ENDINGS = ("json", "npy", "contacts")
_LENGTH = struct.Struct("<I")
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(ContactSample).decode


class SavedPart(msgspec.Struct, frozen=True):
    """A part of a run that was changed while it went on: application.runs.recording.RunPart with
    its drawing as the text of a project file.
    """

    begin: float
    drawing: str
    words: str = ""
    came_to: bytes = b""
    warning: str = ""


class SavedRun(msgspec.Struct, frozen=True):
    """Everything of a run but its samples.  drawing: text of a project file.  complete: it reached
    its end; reason: why not.  contacts: of how many samples they are saved.  parts: of a run that
    was changed while it went on, else none.
    """

    number: int
    drawing: str
    note: str = ""
    name: str = ""
    pinned: bool = False
    ticked: bool = False
    complete: bool = True
    reason: str = ""
    statistics: RunStatistics | None = None
    events: tuple[Event, ...] = ()
    format: int = FORMAT
    contacts: int = 0
    parts: tuple[SavedPart, ...] = ()


class RunUnreadable(ValueError):
    """A saved run that cannot be read, and why, in one sentence."""


def folder_of(project_path: str | os.PathLike[str]) -> Path:
    """Folder of the runs of a project file."""
    return Path(project_path).with_suffix(SUFFIX)


def drawing_text(project: Project) -> str:
    """Text of a project as a saved run holds it."""
    return encode(project, None).decode()


def write(
    folder: Path, run: SavedRun, rows: np.ndarray, contacts: Iterable[ContactSample] = ()
) -> None:
    """Write a run with its samples (k, width) and their contacts.  Raises durable.WriteFailed."""
    folder.mkdir(parents=True, exist_ok=True)
    durable.write(folder / f"{run.number:04}.npy", _npy(rows))
    if run.contacts:
        durable.write(folder / f"{run.number:04}.contacts", _records(contacts))
    durable.write(folder / f"{run.number:04}.json", msgspec.json.encode(run))


def _records(contacts: Iterable[ContactSample]) -> Iterator[bytes]:
    """Bytes of a file of contacts, in blocks: each record behind its length."""
    block = bytearray()
    for sample in contacts:
        data = _pack(sample)
        block += _LENGTH.pack(len(data)) + data
        if len(block) >= BLOCK:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def contacts_of(folder: Path, run: SavedRun) -> Iterator[ContactSample]:
    """Contacts of the samples of a run, one after the other from the disk; none where none were
    saved.  Raises RunUnreadable.
    """
    if not run.contacts:
        return
    try:
        with (folder / f"{run.number:04}.contacts").open("rb") as file:
            for _ in range(run.contacts):
                (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
                yield _unpack(file.read(min(length, LARGEST)))
    except (OSError, struct.error, msgspec.MsgspecError) as error:
        raise RunUnreadable(
            tr(
                "The contacts of the saved run {number} cannot be read: {error}.",
                number=run.number,
                error=error,
            )
        ) from error


def _npy(rows: np.ndarray) -> Iterator[bytes]:
    """Bytes of a NumPy file, block by block: the samples may lie on the disk themselves."""
    rows = np.asarray(rows, "<f8")
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": rows.shape}
    )
    yield head.getvalue()
    step = max(1, BLOCK // max(8 * rows.shape[1], 1))
    for k in range(0, len(rows), step):
        yield np.ascontiguousarray(rows[k : k + step]).tobytes()


def remove(folder: Path, number: int) -> None:
    """Remove a run, and the folder with the last one.  Raises OSError."""
    for ending in ENDINGS:
        (folder / f"{number:04}.{ending}").unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        folder.rmdir()


def numbers(folder: Path) -> list[int]:
    """Numbers of the runs in a folder, ascending; none where there is no folder."""
    if not folder.is_dir():
        return []
    return sorted(int(p.stem) for p in folder.glob("[0-9]*.json") if p.stem.isdecimal())


def read(folder: Path, number: int) -> tuple[SavedRun, Project]:
    """A run and the drawing that was run.  Raises RunUnreadable."""
    path = folder / f"{number:04}.json"
    try:
        if path.stat().st_size > LARGEST:
            raise RunUnreadable(
                tr("The saved run {number} is too large to be one of mechstudio.", number=number)
            )
        run = msgspec.json.decode(path.read_bytes(), type=SavedRun)
        if run.format > FORMAT or run.number != number:
            raise RunUnreadable(
                tr("The saved run {number} was written by a newer mechstudio.", number=number)
            )
        return run, decode(run.drawing.encode()).project
    except RunUnreadable:
        raise
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise RunUnreadable(
            tr("The saved run {number} cannot be read: {error}.", number=number, error=error)
        ) from error


def drawing_of(text: str, number: int) -> Project:
    """The drawing of a text from `drawing_text`.  Raises RunUnreadable, with the run's number."""
    try:
        return decode(text.encode()).project
    except ValueError as error:
        raise RunUnreadable(
            tr("The saved run {number} cannot be read: {error}.", number=number, error=error)
        ) from error


def samples(folder: Path, number: int) -> np.ndarray:
    """Samples (k, width) of a run, read from the disk as they are needed.  Raises RunUnreadable."""
    try:
        found: Any = np.load(folder / f"{number:04}.npy", mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise RunUnreadable(
            tr(
                "The samples of the saved run {number} cannot be read: {error}.",
                number=number,
                error=(str(error).splitlines() or [type(error).__name__])[0].rstrip("."),
            )
        ) from error
    if found.dtype != np.float64 or found.ndim != 2:
        raise RunUnreadable(
            tr("The samples of the saved run {number} are no table of numbers.", number=number)
        )
    return found
