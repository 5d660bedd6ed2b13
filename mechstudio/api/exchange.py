"""Projects from and for other programs, by the endings of their files."""

import os
import warnings
from pathlib import Path

from mechstudio.files.exchange import formats
from mechstudio.files.exchange.formats import RUN, START
from mechstudio.files.exchange.motion import Motion
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.model.project import Project

__all__ = ["ExchangeError", "convert", "motion_for"]

INSTANT = 1e-6  # [s] of a run that is asked for its start alone


def convert(source: str | os.PathLike[str] | Project, target: str | os.PathLike[str]) -> list[str]:
    """Read a project and write it, each in the format of its ending (.mech, .xml …); what did not
    come along is returned in sentences.

    source: a file, or a project.  Velocities at the start are those of a run.  Raises
    ExchangeError with a sentence where a file cannot be read or written.
    """
    target = Path(target)
    row = formats.format_of(target, writing=True)
    notes: list[str] = []
    if isinstance(source, Project):
        project = source
    else:
        project, notes = formats.read(Path(source))
    motion, reason = motion_for(project, row.motion)
    return [*notes, *([reason] if reason else []), *formats.write(project, target, motion)]


def motion_for(project: Project, wanted: str) -> tuple[Motion | None, str]:
    """Motion that a format holds, START or RUN, and why there is none; None where it holds none."""
    from mechstudio.api.runs import SimulationStopped, simulate
    from mechstudio.engine.errors import EngineError

    if wanted not in (START, RUN):
        return None, ""
    duration = INSTANT if wanted == START else None
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
