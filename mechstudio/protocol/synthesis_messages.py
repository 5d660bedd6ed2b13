"""Messages between the window and the process that searches linkages (worker/study_process.py)."""

import msgspec

from mechstudio.protocol.message import Answer, Message

PATH, FUNCTION, MOTION = "path", "function", "motion"


class SynthesisTask(msgspec.Struct, frozen=True):
    """Requested linkages, as of mechstudio.api.synthesis.

    purpose: PATH, FUNCTION or MOTION.  linkage: key of LINKAGES.  points (k, 2) [m]: x and z of a
    path, or of the poses of a motion; angles (k,) [rad]: of its coupler, or of the crank at the
    points of a path, none where they are free.  inputs [rad], outputs [rad, m]: of a function, base
    [m]: its pivots' distance.  closed, turn, transmission [rad], lengths [m], region [m], seed:
    conditions; the empty ones are none.
    """

    purpose: str = PATH
    linkage: str = "four_bar"
    points: tuple[tuple[float, float], ...] = ()
    angles: tuple[float, ...] = ()
    inputs: tuple[float, ...] = ()
    outputs: tuple[float, ...] = ()
    closed: bool = False
    turn: bool = True
    transmission: float = 0.0
    lengths: tuple[float, ...] = ()
    region: tuple[float, ...] = ()
    base: float = 0.1
    seed: int = 1


class Synthesise(Message, frozen=True):
    """Search linkages for a task."""

    task: SynthesisTask


class LinkageFound(Message, frozen=True):
    """A linkage that answers, as a Candidate of mechstudio.synthesis.  kind: key of LINKAGES."""

    kind: str
    parameters: tuple[float, ...]
    sides: tuple[float, ...]
    angles: tuple[float, ...]
    error: float
    transmission: float
    turns: bool
    worst: float


class SynthesisEnded(Answer, frozen=True):
    """No more linkages come.  sentence: why there is nothing to search, else ""."""

    sentence: str = ""
