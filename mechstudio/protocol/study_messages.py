"""Messages between the window and the process that runs a study (worker/study_process.py).

Their packing is in solver_messages.py.  Arrays are little-endian bytes: float64, places int64.
"""

import msgspec

from mechstudio.model.project import Project
from mechstudio.model.studies.fitting import Estimate, Scatter
from mechstudio.model.studies.setup import StudySetup
from mechstudio.protocol.message import Answer, Message


class RunStudy(Message, frozen=True):
    """Run a study.  path: of its table; digest: that stands in it.  address: of a cluster, "" for
    this machine; workers: processes of it, 0 for one on each core.  data: path of the measured data
    of a fit.
    """

    project: Project
    setup: StudySetup
    path: str
    digest: str
    address: str = ""
    workers: int = 0
    data: str = ""


class FindCourses(Message, frozen=True):
    """Find the courses over the time of all that a study measures, in some of its runs.  varied
    (rows, parameters) [SI]: of these runs.
    """

    project: Project
    setup: StudySetup
    rows: tuple[int, ...]
    varied: bytes


class StudyCourse(Message, frozen=True):
    """Course of a quantity in one run: times [s] and values [SI] (n,)."""

    row: int
    channel: str
    times: bytes
    values: bytes


class CloseRow(Message, frozen=True):
    """Close a drawing with other values of its parameters.  names (n,), values (n,) [SI]."""

    project: Project
    names: tuple[str, ...]
    values: tuple[float, ...]


class RowClosed(Answer, frozen=True):
    """A drawing with other numbers, its bodies where the joints hold; None where they cannot, and
    the sentence that says why.
    """

    project: Project | None
    sentence: str = ""


class StudyBegan(Message, frozen=True):
    """The points are known.  varied (runs, parameters) [SI].  title: lines above the table."""

    runs: int
    varied: bytes
    title: tuple[str, ...]


class StudyRows(Message, frozen=True):
    """Rows that were computed, or were there already.  places (n,); measured (n, measures) [SI].
    reasons, notes: by place.  system: on which they were computed.  rate: runs per second; left
    [s], negative while unknown.
    """

    places: bytes
    measured: bytes
    reasons: dict[int, str] = {}
    notes: dict[int, str] = {}
    system: str = ""
    rate: float = 0.0
    left: float = -1.0


class SearchRows(Message, frozen=True):
    """Rows of a search that were computed, after those that were sent before.  varied (n,
    parameters), measured (n, measures) [SI].  reasons, notes: by place among them.  rate: runs per
    second.
    """

    varied: bytes
    measured: bytes
    reasons: dict[int, str] = {}
    notes: dict[int, str] = {}
    system: str = ""
    rate: float = 0.0


class StudyEnded(Answer, frozen=True):
    """No more rows come.  sentence: why not all of them are there, "" where they are.  indices:
    Sobol indices of first order and in total (2, measures, parameters), if they were requested.
    remarks: sentences on what the numbers are worth.
    """

    sentence: str = ""
    indices: bytes = b""
    remarks: tuple[str, ...] = ()


class FitProgressed(Message, frozen=True):
    """Progress of a fit.  runs: made.  scatter: of the best run, as a share of the data's own."""

    runs: int
    scatter: float


class FittedCurve(msgspec.Struct, frozen=True):
    """A measured quantity beside its run.  times [s], measured, residuals [SI] (points,): of the
    data; run_times [s], run_values [SI] (samples,).
    """

    name: str
    dimension: str
    times: bytes
    measured: bytes
    residuals: bytes
    run_times: bytes
    run_values: bytes


class FitEnded(Answer, frozen=True):
    """Answer of a fit.  correlations (parameters, parameters).  rank: of combinations of the
    parameters that the data determines.  remarks: sentences on its reliability. runs: number of
    runs made.
    """

    estimates: tuple[Estimate, ...]
    correlations: bytes
    scatters: tuple[Scatter, ...]
    rank: int
    remarks: tuple[str, ...]
    runs: int
    curves: tuple[FittedCurve, ...]
