"""Projects from and for other programs, by the endings of their files."""

import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mechstudio.builder.scripts.script import LEFT_OUT, script
from mechstudio.files import durable, project_file, runs
from mechstudio.files.exchange import formats
from mechstudio.files.exchange.fmu_binaries import binaries_sentence
from mechstudio.files.exchange.formats import RUN, START
from mechstudio.files.exchange.motion import Motion
from mechstudio.files.exchange.pack import ENDING as PACK
from mechstudio.files.exchange.pack import pack, unpack
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.project_file import ProjectFileError
from mechstudio.model.project import Camera, Project
from mechstudio.model.types.exports import EXPORTS
from mechstudio.translation import tr

__all__ = ["ExchangeError", "convert", "motion_for"]

INSTANT = 1e-6  # [s] of a run whose start alone is needed


class Source(NamedTuple):
    """A project that is to be written.  camera: of its file.  path: of its project file, None for a
    project that has none or comes from another program.
    """

    project: Project
    camera: Camera | None = None
    path: Path | None = None


def convert(source: str | os.PathLike[str] | Project, target: str | os.PathLike[str]) -> list[str]:
    """Read a project and write it, each in the format of its ending (.mech, .xml, .urdf, .glb,
    .fmu …); what did not come along is returned in sentences.

    source: a file, or a project.  Velocities at the start are those of a run.  Endings of equations
    (.tex, .c, .mo …) write those.  Raises ExchangeError with a sentence where a file cannot be read
    or written.

        >>> notes = ms.convert("four_bar.mech", "four_bar.xml")
        >>> notes[0].startswith("Joint C: MJCF has no loops")
        True
    """
    target = Path(target)
    suffix = target.suffix.lower()
    own = OURS.get(suffix)
    if own is None and suffix in EQUATIONS - FOREIGN:
        own = _write_equations
    row = None if own is not None else formats.format_of(target, writing=True)
    with tempfile.TemporaryDirectory(prefix="mechstudio-") as folder:
        found, notes = _read(source, Path(folder))
        if own is not None:
            return [*notes, *own(found, target)]
        assert row is not None
        motion, reason = motion_for(found.project, row.motion)
        written = formats.write(found.project, target, motion)
        return [*notes, *([reason] if reason else []), *written]


def _read(source: str | os.PathLike[str] | Project, folder: Path) -> tuple[Source, list[str]]:
    """A project and what of it did not come along; a pack is laid out in a folder."""
    if isinstance(source, Project):
        return Source(source), []
    path, notes = Path(source), list[str]()
    if path.suffix.lower() == PACK:
        path, notes = unpack(path, folder)
    if path.suffix.lower() != project_file.SUFFIX:
        project, notes = formats.read(path)
        return Source(project), notes
    try:
        loaded = project_file.load(path)
    except ProjectFileError as error:
        raise ExchangeError(str(error)) from None
    messages = [f"{f.message} {f.cure}".strip() for f in loaded.findings]
    return Source(loaded.project, loaded.camera, path), [*notes, *messages]


def _write_project(found: Source, target: Path) -> list[str]:
    try:
        return list(project_file.save(target, found.project, found.camera).reported)
    except (ProjectFileError, OSError) as error:
        raise ExchangeError(str(error)) from None


def _write_pack(found: Source, target: Path) -> list[str]:
    kept = None if found.path is None else runs.folder_of(found.path)
    name = target.stem if found.path is None else found.path.stem
    return pack(target, name, found.project, found.camera, kept)


def _write_script(found: Source, target: Path) -> list[str]:
    try:
        durable.write(target, script(found.project).encode())
    except OSError as error:
        raise ExchangeError(str(error)) from None
    lost = found.project.unread or found.project.extra
    return [tr(LEFT_OUT)] if lost else []


def _write_equations(found: Source, target: Path) -> list[str]:
    """Equations in the format of an ending, or an FMU of them."""
    from mechstudio.api.derivations import DerivationError, export_equations

    try:
        export_equations(found.project, target)
    except (DerivationError, OSError) as error:
        raise ExchangeError(str(error)) from None
    if target.suffix.lower() != FMU:
        return []
    return [binaries_sentence(target.read_bytes())]


FMU = ".fmu"
EQUATIONS = {f.suffix for f in EXPORTS}
FOREIGN = {s for f in formats.FORMATS.values() for s in f.suffixes}
# our own files, by their endings
OURS: dict[str, Callable[[Source, Path], list[str]]] = {
    project_file.SUFFIX: _write_project,
    PACK: _write_pack,
    ".py": _write_script,
}


def motion_for(project: Project, requested: str) -> tuple[Motion | None, str]:
    """Motion that a format holds, START or RUN, and why there is none; None where it holds none."""
    from mechstudio.api.runs import SimulationStopped, simulate
    from mechstudio.engine.errors import EngineError

    if requested not in (START, RUN):
        return None, ""
    duration = INSTANT if requested == START else None
    reason = ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = simulate(project, duration, duration)
    except SimulationStopped as stop:
        result, reason = stop.result, str(stop)
    except EngineError as error:
        return None, str(error)
    if not len(result):
        return None, reason
    return Motion(result.time, result.poses, result.velocities), reason
