"""Events of the worker that a poll of the window returns."""

from pathlib import Path
from typing import TypeAlias

import msgspec
import numpy as np

from mechstudio.model.contact import ContactSample
from mechstudio.model.findings import Finding
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.protocol.solver_messages import DragEnded, Dragged, PoseFound


class AnalysisCame(msgspec.Struct, frozen=True):
    """The answer to an analysis request."""

    id: int
    analysis: Analysis


class ClosedCame(msgspec.Struct, frozen=True):
    """The closed poses of a drawing whose analysis goes on."""

    id: int
    poses: tuple[tuple[float, ...], ...]


class PoseCame(msgspec.Struct, frozen=True):
    """The answer to a pose request."""

    id: int
    found: PoseFound


class AssemblyCame(msgspec.Struct, frozen=True):
    """News of an assembling: the number of steps so far, or its outcome with steps -1 (None if it
    was cancelled).
    """

    id: int
    steps: int
    closing: AssemblyResult | None = None


class SamplesCame(msgspec.Struct, frozen=True):
    """Samples (k, width) of a run, following those before without a gap."""

    id: int
    rows: np.ndarray


class StopImpacts(msgspec.Struct, frozen=True):
    """Joints of a run have struck their stops or bodies each other, after those reported before."""

    id: int
    events: tuple[Event, ...]


class RunSlow(msgspec.Struct, frozen=True):
    """A run hardly gets on.  sentence: what is slow and what helps; empty once it gets on."""

    id: int
    sentence: str


class ContactsCame(msgspec.Struct, frozen=True):
    """The contacts of samples of a run, after those reported before; they may come a little before
    the samples themselves.
    """

    id: int
    samples: tuple[ContactSample, ...]


class RunEnded(msgspec.Struct, frozen=True):
    """No more samples will come.  finding: why it did not reach its end; None if it did or was
    cancelled.
    """

    id: int
    complete: bool
    finding: Finding | None = None
    statistics: RunStatistics | None = None


class RequestFailed(msgspec.Struct, frozen=True):
    """An error of the program in the worker; log: where it stands in full."""

    id: int
    error: str
    log: Path


class Lost(msgspec.Struct, frozen=True):
    """The worker is gone, with all its requests.

    cause: "killed", "memory fault", …  stopped: by the user.  at: id of the request that it
    was working on, 0 for none.
    requests: all that went down with it.   spare: another one is ready at once.
    """

    cause: str
    stopped: bool
    at: int
    requests: tuple[int, ...]
    spare: bool


# of a pull the messages themselves are the news
News: TypeAlias = (
    AnalysisCame
    | ClosedCame
    | PoseCame
    | AssemblyCame
    | Dragged
    | DragEnded
    | SamplesCame
    | StopImpacts
    | RunSlow
    | ContactsCame
    | RunEnded
    | RequestFailed
    | Lost
)
