"""Dead points and assembly branches of the open document: searched on request in a process of their own, so that no run waits for it."""

from pathlib import Path
from typing import Literal

from mechstudio.model.branches import Branches
from mechstudio.model.project import Project
from mechstudio.project.folders import cache_folder
from mechstudio.protocol.messages import Failed, Report, Search, Searched, Searching
from mechstudio.protocol.process import WorkerProcess, derive_command

from .document import Document
from .motion import same_drawing
from .signal import Signal

State = Literal["idle", "searching", "ready", "failed"]


class BranchSearch:
    """Nothing happens but in `poll`, and nothing here waits.

    state: "idle" (nothing known of the drawing as it is), "searching", "ready", "failed".   progress: 0 … 1.   result: of the drawing as it is
    now, else None.   sentence: why the search failed.   changed(): any of these is another.
    """

    def __init__(self, document: Document, folder: Path | None = None, command: list[str] | None = None) -> None:
        self.changed = Signal()
        self._document, self._folder, self._command = document, folder, command
        self._process: WorkerProcess | None = None
        self._id = 0
        self.state: State = "idle"
        self.progress, self.sentence = 0.0, ""
        self.result: Branches | None = None
        document.changed.connect(self._document_changed)

    def request(self, joint: str = "", coordinate: int = 0) -> None:
        """Search the drawing as it is now; "" leaves the choice of the input to the search."""
        if self.state == "searching":
            self._stop()
        if self._process is None:
            try:
                self._process = WorkerProcess(self._command or derive_command(), self._folder or cache_folder() / "log")
            except OSError as error:
                self._set("failed", f"The search does not start: {error.strerror or error}.")
                return
        self._id += 1
        self.result, self.progress = None, 0.0
        self._process.send(Search(self._id, self._document.project, joint, coordinate))
        self._set("searching")

    def cancel(self) -> None:
        """End a search under way."""
        if self.state == "searching":
            self._stop()
            self._set("idle")

    def poll(self) -> None:
        """Take in what the process has said."""
        while self._process is not None and (report := self._process.receive()) is not None:
            self._take(report)
        if self._process is not None and self._process.has_ended:
            cause = self._process.last_words().rstrip(".") or self._process.cause()
            was_searching = self.state == "searching"
            self._stop()
            if was_searching:
                self._set("failed", f"The search stopped unexpectedly ({cause}).")

    def close(self) -> None:
        """End the process; this search cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self._stop()

    def _take(self, report: Report) -> None:
        match report:
            case Searching(id, progress):
                if id == self._id and self.state == "searching" and progress != self.progress:
                    self.progress = progress
                    self.changed.emit()
            case Searched(id, branches):
                if id == self._id and self.state == "searching":
                    self.result, self.progress = branches, 1.0
                    self._set("ready")
            case Failed(id, error):
                if id == self._id and self.state == "searching":
                    self._set("failed", f"The search met an error of its own ({error}); please report it with {self._process.log_path}.")  # type: ignore[union-attr]

    def _document_changed(self, old: Project, new: Project) -> None:
        if self.state == "idle" or same_drawing(old, new):
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
