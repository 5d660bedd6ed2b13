"""Questions that are answered once about the open document: analyses of its motion, and its dead
points and assembly branches.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_motion
from mechstudio.application.questions.channel import Refused
from mechstudio.application.questions.question import Question
from mechstudio.model.project import Project
from mechstudio.model.results.analysis_results import Measured
from mechstudio.model.results.branches import Branches, PointCurves
from mechstudio.model.results.interference import Interference
from mechstudio.model.sizing.answer import Sized
from mechstudio.model.types.analyses import Options
from mechstudio.protocol.derivation_messages import (
    FindInterference,
    FindSteps,
    InterferenceFound,
    Measure,
    MeasureDone,
    PointsTraced,
    Search,
    Searched,
    Size,
    SizeDone,
    StepsFound,
    TracePoints,
)
from mechstudio.protocol.message import Message
from mechstudio.translation import tr

# key: one of model.types.analyses.ANALYSES, its options, and Recording.drawings
AnalysisQuestion: TypeAlias = Question[[str, Options, tuple[Project, ...]], Measured]
# key: a joint; "" leaves the choice of the input to the search
BranchQuestion: TypeAlias = Question[[str], Branches]
# key: one of model.sizing.helpers.HELPERS and its fields as typed
SizingQuestion: TypeAlias = Question[[str, Mapping[str, str]], Sized]
# key: points of bodies, each a body's id and a place in its axes [m]
PointQuestion: TypeAlias = Question[
    [tuple[tuple[str, tuple[float, float, float]], ...]], PointCurves
]


# key: the drawing of a part of the run (RunPart), and begin and end of the interval [s]
StepsQuestion: TypeAlias = Question[[Project, float, float], StepsFound]
# key: instants and the poses of the bodies at them, as of FindInterference
InterferenceQuestion: TypeAlias = Question[[bytes, bytes], Interference]


def point_question(document: Document) -> PointQuestion:
    """A question for the curves of points over the whole motion of the drawing as it is."""
    return Question(document, TracePoints, _curves, tr("search of the curve"))


def interference_question(document: Document) -> InterferenceQuestion:
    """A question for what lies in each other over a run of the drawing as it is."""
    return Question(
        document, FindInterference, _overlaps, tr("search for interference"), same_motion
    )


def steps_question(document: Document) -> StepsQuestion:
    """A question for the solver's own steps in a stretch of a run."""
    return Question(document, _find_steps, _steps, tr("search of the steps"), same_motion)


def _find_steps(id: int, project: Project, part: Project, begin: float, end: float) -> FindSteps:
    return FindSteps(id, part, begin, end)


def _steps(report: Message) -> StepsFound | Refused | None:
    if not isinstance(report, StepsFound):
        return None
    return Refused(report.sentence) if report.sentence else report


def analysis_question(
    document: Document, folder: Path | None = None, command: list[str] | None = None
) -> AnalysisQuestion:
    """A question for an analysis of the drawing as it is."""
    return Question(document, Measure, _table, tr("analysis"), same_motion, folder, command)


def sizing_question(document: Document) -> SizingQuestion:
    """A question for what balances or drives the drawing as it is."""
    return Question(document, Size, _answer, tr("search"), same_motion)


def branch_question(document: Document) -> BranchQuestion:
    """A question for the branches of the drawing as it is."""
    return Question(document, Search, _branches, tr("search"))


def _table(report: Message) -> Measured | Refused | None:
    if not isinstance(report, MeasureDone):
        return None
    return Refused(report.sentence) if report.table is None else report.table


def _answer(report: Message) -> Sized | Refused | None:
    if not isinstance(report, SizeDone):
        return None
    return Refused(report.sentence) if report.sized is None else report.sized


def _curves(report: Message) -> PointCurves | None:
    return report.curves if isinstance(report, PointsTraced) else None


def _overlaps(report: Message) -> Interference | None:
    return report.interference if isinstance(report, InterferenceFound) else None


def _branches(report: Message) -> Branches | None:
    return report.branches if isinstance(report, Searched) else None
