"""Status of the solver, as the status line shows it."""

from typing import Literal

import msgspec

Phase = Literal["preparing", "ready", "analysing", "running", "silent", "lost"]


class WorkerStatus(msgspec.Struct, frozen=True):
    """Status of the solver.

    phase: "preparing" its kernels, "ready", "analysing", "running", "silent" (not answering) or
    "lost" (it ended; another one takes over).  progress: 0 … 1, of preparing or of the run.
    sentence: for the user, may be empty.
    """

    phase: Phase
    progress: float = 0.0
    sentence: str = ""
