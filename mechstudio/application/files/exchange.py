"""Formats of other programs as the window offers them."""

from pathlib import Path
from typing import NamedTuple

from mechstudio.application.runs.recording import Recording
from mechstudio.files.exchange.formats import (
    FORMATS,
    PROJECT,
    ExchangeFormat,
    foreign_suffixes,
    laid_beside,
    read,
)
from mechstudio.files.exchange.mesh_writing import SUFFIXES as SURFACES
from mechstudio.files.exchange.mesh_writing import body_mesh
from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.pack import ENDING as PACK
from mechstudio.files.exchange.pack import unpack
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.project_file import Loaded, load
from mechstudio.model.project import Project

__all__ = [
    "PACK",
    "SURFACES",
    "ExchangeError",
    "ExchangeFormat",
    "Opened",
    "body_surface",
    "content",
    "is_foreign",
    "left_out",
    "opened",
    "readable",
    "written",
]


def readable() -> dict[str, ExchangeFormat]:
    """Formats of other programs that can be read, by their keys."""
    return {key: f for key, f in FORMATS.items() if f.reads is not None}


def is_foreign(path: str | Path) -> bool:
    """True if a file's ending is that of a format of other programs that can be read."""
    return Path(path).suffix.lower() in foreign_suffixes()


class Opened(NamedTuple):
    """A file that was read.  path: of the project file that the drawing belongs to; None for a
    model of another program, which has none yet.  notes: what did not come along.
    """

    loaded: Loaded
    path: str | None
    notes: tuple[str, ...] = ()

    @property
    def is_imported(self) -> bool:
        """True for a model of another program."""
        return self.path is None


def opened(path: str | Path) -> Opened:
    """A project file, a pack, which is laid out in a folder beside it, or a model of another
    program.  Raises ProjectFileError, ExchangeError, OSError.
    """
    path = Path(path)
    if path.suffix.lower() == PACK:
        place, notes = unpack(path, path.parent)
        return Opened(load(place), str(place), tuple(notes))
    if is_foreign(path):
        project, notes = read(path)
        return Opened(Loaded(project, None, ()), None, tuple(notes))
    return Opened(load(path), str(path))


def written() -> dict[str, ExchangeFormat]:
    """Formats that can be written, by their keys; our own comes last."""
    return {key: f for key, f in FORMATS.items() if f.writes is not None} | {PROJECT.key: PROJECT}


def content(
    format: ExchangeFormat, project: Project, recording: Recording | None, path: Path
) -> tuple[bytes, list[str]]:
    """The file of a project in a format, and notes on the omitted content.  recording: its run, of
    which some formats take the start or the motion.  path: where it will lie; meshes are written
    beside it at once.  Raises ExchangeError.
    """
    made = _made(format, project, recording)
    return laid_beside(made, path), made.notes


def left_out(format: ExchangeFormat, project: Project, recording: Recording | None) -> list[str]:
    """Notes on what a format will not hold of a project; nothing is written.  Raises
    ExchangeError.
    """
    return _made(format, project, recording).notes


def _made(format: ExchangeFormat, project: Project, recording: Recording | None) -> Written:
    assert format.writes is not None, "others are not offered"
    motion = None
    if recording is not None and recording.count and format.motion:
        rows, layout = recording.rows, recording.layout
        motion = Motion(
            recording.time.copy(),
            rows[:, layout.poses].reshape(len(rows), -1, 7).copy(),
            rows[:, layout.velocities].reshape(len(rows), -1, 6).copy(),
        )
    return format.writes(project, motion)


def body_surface(project: Project, body: str, path: Path) -> bytes:
    """File of a body's surface in its own axes, by the ending.  Raises ExchangeError."""
    return body_mesh(project.mechanism.body(body), path.suffix.lower())
