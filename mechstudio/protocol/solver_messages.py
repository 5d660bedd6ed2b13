"""Messages between the window and its processes: frozen values, packed by msgpack behind a length
of four bytes.

Here are the messages of the solver and those of both processes; those of the process that derives
are in derivation_messages.py.
"""

import struct
from typing import BinaryIO

import msgspec

from mechstudio.model.contact import ContactSample
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.protocol.derivation_messages import (
    ChapterReady,
    Copied,
    Derive,
    Derived,
    Evaluate,
    Evaluated,
    Export,
    Exported,
    FindInterference,
    FindSteps,
    InterferenceFound,
    Measure,
    MeasureDone,
    PagesSoFar,
    PointsTraced,
    Prove,
    Proved,
    Search,
    Searched,
    Size,
    SizeDone,
    StepsFound,
    Teach,
    TracePoints,
    Typeset,
    TypesetPart,
    Verdict,
    Working,
    Write,
    Written,
)
from mechstudio.protocol.message import Answer, Message
from mechstudio.protocol.study_messages import (
    CloseRow,
    FindCourses,
    FitEnded,
    FitProgressed,
    RowClosed,
    RunStudy,
    SearchRows,
    StudyBegan,
    StudyCourse,
    StudyEnded,
    StudyRows,
)
from mechstudio.protocol.synthesis_messages import (
    LinkageFound,
    Synthesise,
    SynthesisEnded,
)
from mechstudio.translation import tr

LONGEST = 1 << 30  # bytes; a longer message can only be a broken stream
_LENGTH = struct.Struct("<I")

# what the worker is at, reported when it begins, because each may take another time
ANALYSIS, ASSEMBLY, RUN = "analysis", "assembly", "run"


# from the window


class Analyse(Message, frozen=True):
    """Say what is known about a drawing without running it."""

    project: Project


class Simulate(Message, frozen=True):
    """Run a drawing by its settings and write the samples into a ring (sample_ring.py).  fault: see
    worker/faults.py.
    """

    project: Project
    ring: str
    fault: str = ""


class Pose(Message, frozen=True):
    """Close the drawing and move it until a coordinate (its place among the joint's) of a joint
    (id) has a value [rad or m].

    released: id of a coupling that is given up while its other coordinates stay; "" for none.
    """

    project: Project
    joint: str
    coordinate: int
    value: float
    released: str = ""


class Assemble(Message, frozen=True):
    """Close the drawing by the least movement; bodies of the ids in `keep` stay."""

    project: Project
    keep: tuple[str, ...] = ()


class StartDrag(Message, frozen=True):
    """Take hold of a body (id) at a point in W [m] and pull; ends the pull before it.

    poses, coordinates: of all bodies (x, y, z, w, x, y, z) and joints to start from, as a run
    showed them; empty for the drawing's own.
    """

    project: Project
    body: str
    point: tuple[float, float, float]
    poses: tuple[tuple[float, ...], ...] = ()
    coordinates: tuple[float, ...] = ()


class DragTo(Message, frozen=True):
    """Pull towards a target in W [m]; of several the last one counts.  view_direction: unit vector
    along the line of sight, ways along which count little.
    """

    target: tuple[float, float, float]
    view_direction: tuple[float, float, float]


class EndDrag(Message, frozen=True):
    """End a pull: where its last target leads, saying where the bodies are to be placed, or without
    an answer.
    """

    keep: bool = True


class Cancel(Message, frozen=True):
    """End a run or an assembling; also one that waits for its turn."""


# from the worker


class Preparing(msgspec.Struct, frozen=True, tag=True):
    """Kernels are being compiled (cold) or loaded.  progress: 0 … 1."""

    progress: float
    cold: bool


class PreparingContacts(msgspec.Struct, frozen=True, tag=True):
    """The kernels of contacts are being compiled, before the first run that has any.  progress: 0 …
    1, which ends it.
    """

    progress: float


class Ready(msgspec.Struct, frozen=True, tag=True):
    """Kernels are there: runs start at once."""


class Began(Message, frozen=True):
    """The worker turned to a request.  stage: ANALYSIS, ASSEMBLY or RUN."""

    stage: str


class Alive(Message, frozen=True):
    """The run loop came round.  time [s]: simulated so far."""

    time: float


class Slow(Message, frozen=True):
    """A run hardly gets on.  sentence: what is slow and what helps; empty once it gets on."""

    sentence: str


class Impacted(Message, frozen=True):
    """Joints of a run have struck their stops; those reported before are not reported again."""

    events: tuple[Event, ...]


class ContactsReported(Message, frozen=True):
    """The contacts of samples of a run, in their order; those reported before are not reported
    again.
    """

    samples: tuple[ContactSample, ...]


class Analysed(Answer, frozen=True):
    """Analysis of a drawing."""

    analysis: Analysis


class Closed(Message, frozen=True):
    """Body poses of a drawing under analysis with its joints closed, as Analysis.poses; reported
    only if they differ from the design poses.
    """

    poses: tuple[tuple[float, ...], ...]


class PoseFound(Answer, frozen=True):
    """Result of setting a joint coordinate, for model.edits.elements.place.

    poses: of each body that moved (x, y, z, w, x, y, z).  values: to be typed on joints.  value:
    reached [rad or m].
    reason: why that is not the requested one; empty if it is.   finding: why nothing could be
    moved.
    """

    poses: dict[str, tuple[float, ...]] = {}
    values: dict[str, tuple[float, ...]] = {}
    value: float = 0.0
    reason: str = ""
    finding: Finding | None = None


class Assembling(Message, frozen=True):
    """Assembling goes on.  steps: of the search so far."""

    steps: int


class AssemblyFound(Answer, frozen=True):
    """Result of assembling; None if it was cancelled."""

    closing: AssemblyResult | None


class Dragged(Message, frozen=True):
    """State of a drag.

    poses: 7 float64 of each body in file order.  point: place of the dragged point [m, W].
    settled: it goes no further.
    word: why the point does not follow, if there is a reason.
    """

    poses: bytes
    point: tuple[float, float, float]
    settled: bool
    word: str = ""


class DragEnded(Answer, frozen=True):
    """End of a drag: poses and values for model.edits.elements.place, as of PoseFound.  finding:
    why nothing could be dragged.
    """

    poses: dict[str, tuple[float, ...]] = {}
    values: dict[str, tuple[float, ...]] = {}
    finding: Finding | None = None


class Finished(Answer, frozen=True):
    """A run is over.

    samples: how many were written in all.  complete: it reached its end.  finding: why it did not
    begin or had to stop early;
    None for a run that is complete or was cancelled.
    """

    samples: int
    complete: bool
    finding: Finding | None = None
    statistics: RunStatistics | None = None


class Failed(Answer, frozen=True):
    """The worker could not even be wrong about it: an error of the program in a request.  error:
    its last line.
    """

    error: str


Request = (
    Analyse
    | Simulate
    | Pose
    | Assemble
    | StartDrag
    | DragTo
    | EndDrag
    | Cancel
    | Derive
    | Typeset
    | Search
    | TracePoints
    | FindInterference
    | FindSteps
    | Measure
    | Size
    | Export
    | Teach
    | Evaluate
    | Prove
    | Verdict
    | Write
    | RunStudy
    | FindCourses
    | CloseRow
    | Synthesise
)
Report = (
    Preparing
    | PreparingContacts
    | Ready
    | Began
    | Alive
    | Slow
    | Impacted
    | ContactsReported
    | Closed
    | Analysed
    | PoseFound
    | Assembling
    | AssemblyFound
    | Dragged
    | DragEnded
    | Finished
    | Failed
    | Working
    | Derived
    | Copied
    | TypesetPart
    | Searched
    | PointsTraced
    | InterferenceFound
    | StepsFound
    | MeasureDone
    | SizeDone
    | Exported
    | PagesSoFar
    | ChapterReady
    | Evaluated
    | Proved
    | Written
    | StudyBegan
    | StudyRows
    | SearchRows
    | FitProgressed
    | FitEnded
    | StudyEnded
    | StudyCourse
    | RowClosed
    | LinkageFound
    | SynthesisEnded
)

_encoder = msgspec.msgpack.Encoder()
_requests = msgspec.msgpack.Decoder(Request)
_reports = msgspec.msgpack.Decoder(Report)


def pack(message: Request | Report) -> bytes:
    """The message as it goes through a pipe."""
    body = _encoder.encode(message)
    if len(body) > LONGEST:
        raise ValueError(
            tr("The drawing is too large for the solver: it needs more than 1 GB as a message.")
        )
    return _LENGTH.pack(len(body)) + body


def _read(pipe: BinaryIO, count: int) -> bytes:
    """Exactly `count` bytes; fewer only at the end of the stream."""
    parts: list[bytes] = []
    while count:
        part = pipe.read(count)
        if not part:
            break
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _next(pipe: BinaryIO) -> bytes | None:
    head = _read(pipe, _LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > LONGEST:
        raise msgspec.DecodeError(tr("a message of {length} bytes is announced", length=length))
    body = _read(pipe, length)
    return body if len(body) == length else None


def read_request(pipe: BinaryIO) -> Request | None:
    """The next request, waiting for it; None at the end of the stream, a torn message included.
    Raises msgspec.DecodeError.
    """
    body = _next(pipe)
    return None if body is None else _requests.decode(body)


def read_report(pipe: BinaryIO) -> Report | None:
    """The next report, waiting for it; None at the end of the stream, a torn message included.
    Raises msgspec.DecodeError.
    """
    body = _next(pipe)
    return None if body is None else _reports.decode(body)
