"""The mechanism with the numbers of single runs of a study, closed in a process of its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mechstudio.application.document import Document
from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.signal import Signal
from mechstudio.model.project import Project
from mechstudio.protocol.study_messages import CloseRow, RowClosed
from mechstudio.translation import tr

KEPT = 256  # drawings that are remembered
Numbers = tuple[tuple[str, float], ...]  # of parameters [SI]


class ClosedRow(NamedTuple):
    """The drawing with other numbers and its bodies where the joints hold; None where they cannot,
    and why.
    """

    project: Project | None
    sentence: str = ""


class StudyPoses:
    """Nothing happens but in `poll`, and nothing here waits: one question at a time is under way,
    and the latest request is sent next.  changed(): another drawing is closed.
    """

    def __init__(self, document: Document, folder: Path | None, command: list[str]) -> None:
        self.changed = Signal()
        self._document = document
        self.channel = Channel[Numbers](tr("study"), folder, command)
        self._of: Project | None = None  # that all below is of
        self._known: dict[Numbers, ClosedRow] = {}
        self._requested: tuple[Numbers, ...] = ()

    def of(self, numbers: Numbers) -> ClosedRow | None:
        """The drawing as it is now with other numbers; None while it is not known."""
        return self._known.get(numbers) if self._of is self._document.project else None

    def want(self, numbers: Sequence[Numbers]) -> None:
        """Close the drawing with these numbers, the first ones first, and with no others."""
        if self._of is not self._document.project:
            self._of, self._known = self._document.project, {}
            self.channel.under_way.clear()
        self._requested = tuple(numbers)
        self._send_request()

    def _send_request(self) -> None:
        new = next((each for each in self._requested if each not in self._known), None)
        project = self._of
        if new is None or self.channel.under_way or project is None:
            return
        if sentence := self.channel.start():
            self._take(new, ClosedRow(None, sentence))
            return
        names, values = zip(*new, strict=True)
        self.channel.send(lambda id: CloseRow(id, project, names, values), new)

    def _take(self, numbers: Numbers, found: ClosedRow) -> None:
        if len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[numbers] = found
        self.changed.emit()

    def poll(self) -> None:
        """Take in what the process has said."""
        for numbers, report in self.channel.reports():
            match report:
                case RowClosed(_, project, sentence):
                    self._take(numbers, ClosedRow(project, sentence))
                case Refused(sentence):
                    self._take(numbers, ClosedRow(None, sentence))
            if self.channel.process is not None:  # else lost: not one process after the other
                self._send_request()

    def rest(self) -> None:
        """End the process; what is known stays."""
        self.channel.stop()
        self._requested = ()
