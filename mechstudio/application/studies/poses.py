"""The mechanism with the numbers of single runs of a study, closed in a process of its own."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mechstudio.application.document import Document
from mechstudio.application.questions.channel import Channel
from mechstudio.application.signal import Signal
from mechstudio.model.project import Project
from mechstudio.protocol.solver_messages import Failed
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
        self.channel = Channel(tr("study"), folder, command)
        self._of: Project | None = None  # that all below is of
        self._known: dict[Numbers, ClosedRow] = {}
        self._requested: tuple[Numbers, ...] = ()
        self._under_way: tuple[int, Numbers] | None = None
        self._request = 0

    def of(self, numbers: Numbers) -> ClosedRow | None:
        """The drawing as it is now with other numbers; None while it is not known."""
        return self._known.get(numbers) if self._of is self._document.project else None

    def want(self, numbers: Sequence[Numbers]) -> None:
        """Close the drawing with these numbers, the first ones first, and with no others."""
        if self._of is not self._document.project:
            self._of, self._known, self._under_way = self._document.project, {}, None
        self._requested = tuple(numbers)
        self._send_request()

    def _send_request(self) -> None:
        new = next((each for each in self._requested if each not in self._known), None)
        if new is None or self._under_way is not None or self._of is None:
            return
        if sentence := self.channel.start():
            self._take(new, ClosedRow(None, sentence))
            return
        self._request += 1
        self._under_way = (self._request, new)
        names, values = zip(*new, strict=True)
        self.channel.send(CloseRow(self._request, self._of, names, values))

    def _take(self, numbers: Numbers, found: ClosedRow) -> None:
        if len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[numbers] = found
        self.changed.emit()

    def poll(self) -> None:
        """Take in what the process has said."""
        for report in self.channel.reports():
            if self._under_way is None or getattr(report, "id", None) != self._under_way[0]:
                continue
            numbers, self._under_way = self._under_way[1], None
            match report:
                case RowClosed(_, project, sentence):
                    self._take(numbers, ClosedRow(project, sentence))
                case Failed(_, error):
                    self._take(numbers, ClosedRow(None, self.channel.fault(error)))
            self._send_request()
        if cause := self.channel.lost():
            under_way, self._under_way = self._under_way, None
            if under_way is not None:
                self._take(under_way[1], ClosedRow(None, self.channel.loss(cause)))

    def rest(self) -> None:
        """End the process; what is known stays."""
        self.channel.stop()
        self._requested, self._under_way = (), None
