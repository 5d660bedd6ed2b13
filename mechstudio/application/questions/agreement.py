"""The simulator's verdict on the derived equations, requested in a process of its own: the
simulator takes long to load, and nothing waits for it.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from mechstudio.application.document import Document
from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.signal import Signal
from mechstudio.model.equations.lecture import Proof
from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import Proved, Verdict
from mechstudio.translation import tr

KEPT = 16  # verdicts on drawings as they were: undo and redo lead back to them


class Verdicts:
    """proof: the last one, None before the first.  is_working: whether one is under way.
    changed(): either is another.

    Nothing happens but in `ask` and `poll`, and nothing waits.
    """

    def __init__(self, folder: Path | None = None, command: list[str] | None = None) -> None:
        self.changed = Signal()
        self.channel = Channel[None](tr("comparison"), folder, command)
        self._of: tuple[Project, str] | None = None
        self._kept: list[tuple[Project, str, Proof]] = []
        self.proof: Proof | None = None
        self.sentence = ""  # why there is none

    @property
    def is_working(self) -> bool:
        return bool(self.channel.under_way)

    def ask(self, project: Project, coordinates: str) -> None:
        """Compare the equations of a drawing, unless that was done before; stop a comparison of
        another drawing.
        """
        if self._of is not None and _same(self._of, (project, coordinates)):
            return
        self.channel.stop()
        self._of, self.sentence = (project, coordinates), ""
        self.proof = next((proof for *known, proof in self._kept if _same(known, self._of)), None)
        if self.proof is None:
            self.sentence = self.channel.request(lambda id: Verdict(id, project, coordinates), None)
        self.changed.emit()

    def forget(self) -> None:
        """End what is under way: the equations are others."""
        if self._of is not None:
            self.channel.stop()
            self._of, self.proof, self.sentence = None, None, ""
            self.changed.emit()

    def poll(self) -> None:
        """Take in what the process has said."""
        for _, report in self.channel.reports():
            if isinstance(report, Proved):
                (self.proof,) = report.proofs
                assert self._of is not None
                self._kept = [(*self._of, self.proof), *self._kept][:KEPT]
            elif isinstance(report, Refused):
                self.sentence = report.sentence
            self.channel.stop()
            self.changed.emit()

    def close(self) -> None:
        """End the process."""
        self.channel.stop()


def _same(a: Sequence, b: Sequence) -> bool:
    """True if two pairs of a project and coordinates have the same equations."""
    return a[0].mechanism is b[0].mechanism and a[0].parameters is b[0].parameters and a[1] == b[1]


def change_claims(document: Document, text: str, number: int = -1) -> None:
    """Add an equation that the derived ones are compared with, or drop the one of a number."""
    project = document.project
    known = project.lesson.claims
    claims = (*known, text) if number < 0 else known[:number] + known[number + 1 :]
    words = tr("Compare an equation") if number < 0 else tr("Compare an equation no more")
    replace = msgspec.structs.replace
    document.commit(words, replace(project, lesson=replace(project.lesson, claims=claims)))
