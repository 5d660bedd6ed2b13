"""Curves of kept runs that an analysis finds, such as reactions and torques."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from mechstudio.application.document import Document
from mechstudio.application.questions.analysed_curves import AnalysedCurves
from mechstudio.application.runs.kept_runs import KeptRun
from mechstudio.application.runs.runs import Runs


class KeptCurves:
    """Nothing happens but in `poll`.  One run is analysed at a time, each in a process of its own,
    since its drawing is another than the present one.
    """

    def __init__(
        self,
        runs: Runs,
        requested: Callable[[], tuple[str, ...]],
        folder: Path | None = None,
        command: list[str] | None = None,
    ) -> None:
        """requested(): keys of the quantities that the plots show."""
        self._runs, self._requested = runs, requested
        self._folder, self._command = folder, command
        self._of: KeptRun | None = None
        self._curves: AnalysedCurves | None = None

    @property
    def is_busy(self) -> bool:
        """True while a run is analysed."""
        return self._curves is not None

    def poll(self) -> None:
        """Receive the answer, and analyse the next run whose curves are shown."""
        if self._of is not None and self._curves is not None:
            self._curves.poll(self._of.recording)
            if self._of not in self._runs.kept.runs:
                self._end()
            elif self._curves.is_settled:
                self._runs.kept.add_series(self._of.recording, self._curves.found)
                self._end()
            return
        requested = self._requested()
        if not requested:
            return
        for run in self._runs.beside:
            missing = tuple(k for k in requested if k not in run.series and k not in run.requested)
            if missing and run.recording.finished:
                run.requested.update(missing)
                self._of = run
                document = Document(replace(run.project, plots=()))
                self._curves = AnalysedCurves(document, self._folder, self._command)
                self._curves.also = missing
                return

    def close(self) -> None:
        """End the process."""
        self._end()

    def _end(self) -> None:
        if self._curves is not None:
            self._curves.close()
        self._of = self._curves = None
