"""A run that is there already, in the place of a solver: films without a window need no worker."""

from mechstudio.application.runs.recording import Recording
from mechstudio.application.signal import Signal
from mechstudio.model.results.analysis import Analysis


class Replay:
    """A recording alone as runs see a solver (application.runs.runs.Solver)."""

    analysis: Analysis | None = None
    is_running = False

    def __init__(self, recording: Recording) -> None:
        self.recording: Recording | None = recording
        self.recorded, self.run_finished, self.status_changed = Signal(), Signal(), Signal()

    def simulate(self) -> None:
        """Nothing is run again."""

    def cancel(self) -> None:
        """Nothing is under way."""

    def adopt(self, recording: Recording) -> None:
        self.recording = recording

    def go_on(self, recording: Recording) -> None:
        self.recording = recording
