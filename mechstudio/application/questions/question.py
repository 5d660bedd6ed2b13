"""A question about the open document that is answered on request in a process of its own, so that
no run waits for it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, Generic, Literal, ParamSpec, TypeVar

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_drawing
from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.signal import Signal
from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import Working
from mechstudio.protocol.message import Message
from mechstudio.protocol.solver_messages import Request

State = Literal["idle", "searching", "ready", "failed"]
Key = ParamSpec("Key")  # arguments of the question beside the drawing
Answer = TypeVar("Answer")


class Question(Generic[Key, Answer]):
    """Nothing happens but in `poll`, and nothing here waits.

    state: "idle" (nothing known of the drawing as it is), "searching", "ready", "failed".
    progress: 0 … 1.  result: of the drawing as it is now, else None.  sentence: why there is none.
    changed(): any of these is another.
    """

    def __init__(
        self,
        document: Document,
        make: Callable[Concatenate[int, Project, Key], Request],
        read: Callable[[Message], Answer | Refused | None],
        noun: str,
        same: Callable[[Project, Project], bool] = same_drawing,
        folder: Path | None = None,
        command: list[str] | None = None,
    ) -> None:
        """make: the request, of its id, the drawing and the key.  read: the answer in a report,
        None if there is none.  noun: its name in sentences.  same: True if an answer about one
        project holds for another.
        """
        self.changed = Signal()
        self.channel = Channel[None](noun, folder, command)
        self._document, self._make, self._read, self._same = document, make, read, same
        self.state: State = "idle"
        self.progress, self.sentence = 0.0, ""
        self.result: Answer | None = None
        document.changed.connect(self._document_changed)

    def request(self, *key: Key.args, **named: Key.kwargs) -> None:
        """Request an answer for the present drawing; a request under way ends."""
        sentence = self.channel.request(
            lambda id: self._make(id, self._document.project, *key, **named), None
        )
        if sentence:
            self._set("failed", sentence)
            return
        self.result, self.progress = None, 0.0
        self._set("searching")

    def cancel(self) -> None:
        """End what is under way."""
        if self.state == "searching":
            self.channel.stop()
            self._set("idle")

    def poll(self) -> None:
        """Take in what the process has said."""
        for _, report in self.channel.reports():
            self._take(report)

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self.channel.stop()

    def _take(self, report: Message | Refused) -> None:
        if isinstance(report, Working):
            if report.progress != self.progress:
                self.progress = report.progress
                self.changed.emit()
            return
        found = report if isinstance(report, Refused) else self._read(report)
        if isinstance(found, Refused):
            self._set("failed", found.sentence)
        elif found is not None:
            self.result, self.progress = found, 1.0
            self._set("ready")

    def _document_changed(self, old: Project, new: Project) -> None:
        if self.state == "idle" or self._same(old, new):
            return
        if self.state == "searching":
            self.channel.stop()
        self.result = None
        self._set("idle")

    def _set(self, state: State, sentence: str = "") -> None:
        self.state, self.sentence = state, sentence
        self.changed.emit()
