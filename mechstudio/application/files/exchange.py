"""Formats of other programs as the window offers them."""

from mechstudio.application.runs.recording import Recording
from mechstudio.files.exchange.formats import FORMATS, PROJECT, ExchangeFormat
from mechstudio.files.exchange.motion import Motion
from mechstudio.model.project import Project

__all__ = ["ExchangeFormat", "content", "written"]


def written() -> dict[str, ExchangeFormat]:
    """Formats that can be written, by their keys; our own comes last."""
    return {key: f for key, f in FORMATS.items() if f.writes is not None} | {PROJECT.key: PROJECT}


def content(
    format: ExchangeFormat, project: Project, recording: Recording | None
) -> tuple[bytes, list[str]]:
    """The file of a project in a format, and what it does not hold.  recording: its run, of which
    some formats take the start or the motion.  Raises ExchangeError.
    """
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
