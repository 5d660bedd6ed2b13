"""Analyses required for quantities that samples do not hold."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

from mechstudio.curves.gauges.rows import CLEARANCE
from mechstudio.curves.quantity_rows import CLOSURE, POINT, PlotQuantity
from mechstudio.model.project import Project
from mechstudio.model.results import analysed_channels as measured
from mechstudio.model.results.clearance import clearances
from mechstudio.model.types.analyses import Options


class PointQuestion(NamedTuple):
    """Request to the analysis of kinematics for points of bodies.  frames: "body.point", by ids.
    duration, sample_step [s].  As model.results.analysed_channels.Question for what channels need.
    """

    frames: tuple[str, ...]
    duration: float
    sample_step: float

    @property
    def what(self) -> str:
        """The analysis."""
        return "kinematics"

    @property
    def options(self) -> Options:
        """The same as an option of an analysis."""
        return Options(duration=self.duration, sample_step=self.sample_step, frames=self.frames)


class ClosureQuestion(NamedTuple):
    """The same to the analysis of the errors of all joints."""

    duration: float
    sample_step: float

    @property
    def what(self) -> str:
        """The analysis."""
        return "joint_errors"

    @property
    def options(self) -> Options:
        """The same as an option of an analysis."""
        return Options(duration=self.duration, sample_step=self.sample_step)


class ClearanceQuestion(NamedTuple):
    """The same for the least distances of the bodies that gauges are laid on."""

    duration: float
    sample_step: float

    @property
    def what(self) -> str:
        """The analysis."""
        return "clearance"

    @property
    def options(self) -> Options:
        """The same as an option of an analysis."""
        return Options(duration=self.duration, sample_step=self.sample_step)


AnalysisQuestion = measured.Question | PointQuestion | ClosureQuestion | ClearanceQuestion


def needs_analysis(part: str) -> bool:
    """True if no sample holds a part of a quantity."""
    return part.startswith((measured.PREFIX, CLOSURE, CLEARANCE)) or (
        part.startswith(POINT) and part.rpartition("/")[2][:1] == "a"
    )


def questions(
    project: Project, shown: Iterable[PlotQuantity], duration: float, sample_step: float
) -> dict[AnalysisQuestion, tuple[str, ...]]:
    """Requests to analyses for quantities of a run, each with the parts of quantities that it
    answers; none for what the samples hold.
    """
    parts = list(dict.fromkeys(p for q in shown for p in q.parts if needs_analysis(p)))
    out: dict[AnalysisQuestion, tuple[str, ...]] = {}
    out |= measured.questions(project.mechanism, parts, duration, sample_step)
    at = tuple(p for p in parts if p.startswith(POINT))
    if at:
        frames = tuple(dict.fromkeys(frame_of(p) for p in at))
        out[PointQuestion(frames, duration, sample_step)] = at
    if closures := tuple(p for p in parts if p.startswith(CLOSURE)):
        out[ClosureQuestion(duration, sample_step)] = closures
    if gaps := tuple(p for p in parts if p.startswith(CLEARANCE)):
        out[ClearanceQuestion(duration, sample_step)] = gaps
    return out


def frame_of(part: str) -> str:
    """The point of a body of a part, as an option of an analysis."""
    _, body, name, _ = part.split("/")
    return f"{body}.{unquote(name)}"


def column_of(project: Project, part: str) -> str:
    """The name of a part's column in the answer of an analysis."""
    if part.startswith(CLOSURE):
        _, joint, column = part.split("/")
        return f"{project.mechanism.joints[joint].name} {column}"
    if part.startswith(CLEARANCE):
        id = part.removeprefix(CLEARANCE)
        return next((name for name, g in clearances(project).items() if g.id == id), "")
    if part.startswith(POINT):
        return f"{frame_of(part)} {part.rpartition('/')[2]}"
    return measured.known(project.mechanism, (part,))[part].label
