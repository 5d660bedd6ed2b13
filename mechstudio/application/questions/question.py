"""A question about the open document that is answered on request in a process of its own, so that
no run waits for it.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Literal

from mechstudio.application.document import Document
from mechstudio.application.motion import same_drawing
from mechstudio.application.signal import Signal
from mechstudio.folders import cache_folder
from mechstudio.model.project import Project
from mechstudio.protocol.process import WorkerProcess, derive_command
from mechstudio.protocol.solver_messages import Failed, Report, Request

State = Literal["idle", "searching", "ready", "failed"]


class Inquiry(ABC):
    """Nothing happens but in `poll`, and nothing here waits.  Kinds of questions say what is asked
    (`ask`) and read what comes (`take`).

    state: "idle" (nothing known of the drawing as it is), "searching", "ready", "failed".
    progress: 0 … 1.  result: of the drawing as it is now, else None.  sentence: why there is none.
    changed(): any of these is another.  noun: what it is called in sentences.
    """

    noun = "search"

    def __init__(
        self, document: Document, folder: Path | None = None, command: list[str] | None = None
    ) -> None:
        self.changed = Signal()
        self._document, self._folder, self._command = document, folder, command
        self._process: WorkerProcess | None = None
        self._id = 0
        self.state: State = "idle"
        self.progress, self.sentence = 0.0, ""
        self.result: Any = None
        document.changed.connect(self._document_changed)

    def ask(self, request: Request) -> None:
        """Send a question about the drawing as it is now; one under way ends."""
        if self.state == "searching":
            self._stop()
        if self._process is None:
            try:
                self._process = WorkerProcess(
                    self._command or derive_command(), self._folder or cache_folder() / "log"
                )
            except OSError as error:
                self._set("failed", f"The {self.noun} does not start: {error.strerror or error}.")
                return
        self.result, self.progress = None, 0.0
        self._process.send(request)
        self._set("searching")

    def next_id(self) -> int:
        """The id of the next question."""
        self._id += 1
        return self._id

    @abstractmethod
    def take(self, report: Report) -> None:
        """Read a report of the question under way; calls `advanced`, `answered` or `refused`."""

    def advanced(self, progress: float) -> None:
        """It is so far."""
        if progress != self.progress:
            self.progress = progress
            self.changed.emit()

    def answered(self, result: Any) -> None:
        """The answer is there."""
        self.result, self.progress = result, 1.0
        self._set("ready")

    def refused(self, sentence: str) -> None:
        """There is no answer, and why."""
        self._set("failed", sentence)

    def cancel(self) -> None:
        """End what is under way."""
        if self.state == "searching":
            self._stop()
            self._set("idle")

    def poll(self) -> None:
        """Take in what the process has said."""
        while self._process is not None and (report := self._process.receive()) is not None:
            if getattr(report, "id", None) != self._id or self.state != "searching":
                continue
            if isinstance(report, Failed):
                self.refused(
                    f"The {self.noun} met an error of its own ({report.error}); please "
                    f"report it with {self._process.log_path}."
                )
            else:
                self.take(report)
        if self._process is not None and self._process.has_ended:
            cause = self._process.last_words().rstrip(".") or self._process.cause()
            was_searching = self.state == "searching"
            self._stop()
            if was_searching:
                self.refused(f"The {self.noun} stopped unexpectedly ({cause}).")

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self._stop()

    def outdated(self, old: Project, new: Project) -> bool:
        """True if an answer about one project says nothing about another."""
        return not same_drawing(old, new)

    def _document_changed(self, old: Project, new: Project) -> None:
        if self.state == "idle" or not self.outdated(old, new):
            return
        if self.state == "searching":
            self._stop()
        self.result = None
        self._set("idle")

    def _set(self, state: State, sentence: str = "") -> None:
        self.state, self.sentence = state, sentence
        self.changed.emit()

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()
