"""The search for linkages in a process of its own."""

from pathlib import Path
from typing import Literal

from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.signal import Signal
from mechstudio.application.synthesis.answers import Answer, best, candidate_of, result_of
from mechstudio.protocol.derivation_messages import Working
from mechstudio.protocol.process import study_command
from mechstudio.protocol.synthesis_messages import (
    LinkageFound,
    Synthesise,
    SynthesisEnded,
    SynthesisTask,
)
from mechstudio.synthesis.defects import NONE
from mechstudio.synthesis.refinement import Candidate
from mechstudio.translation import tr

State = Literal["idle", "working", "stopped", "done", "failed"]


class LinkageSearch:
    """Nothing happens but in `poll`, and nothing here waits.

    task: of the answers; None before the first.  answers: the best ones, the best first.  share:
    that is done.  sentence: why there are none, or not all.  changed(): there is news.
    """

    def __init__(self, folder: Path | None = None, command: list[str] | None = None) -> None:
        self.changed = Signal()
        self.channel = Channel[None](tr("search"), folder, command or study_command())
        self.task: SynthesisTask | None = None
        self.state: State = "idle"
        self.share, self.sentence = 0.0, ""
        self.answers: list[Answer] = []
        self._found: list[Candidate] = []
        self._shown: dict[int, Answer] = {}  # by the identity of candidates that are kept

    def start(self, task: SynthesisTask) -> None:
        """Search; one that is under way ends."""
        self.task, self.share = task, 0.0
        self.answers, self._found, self._shown = [], [], {}
        self.sentence = self.channel.request(lambda id: Synthesise(id, task), None)
        self.state = "failed" if self.sentence else "working"
        self.changed.emit()

    def cancel(self) -> None:
        """Stop at once; what was found stays."""
        if self.state == "working":
            self.channel.stop()
            self.state = "stopped"
            self.sentence = tr("The search was stopped; this is the best so far.")
            self.changed.emit()

    def close(self) -> None:
        """End the process."""
        self.channel.stop()
        if self.state == "working":
            self.state = "stopped"

    def poll(self) -> None:
        """Take in what the process has said."""
        heard = found = False
        for _, report in self.channel.reports():
            heard = True
            match report:
                case LinkageFound():
                    self._found.append(candidate_of(report))
                    found = True
                case Working(_, share):
                    self.share = share
                case SynthesisEnded(_, sentence):
                    self.state, self.share = ("failed" if sentence else "done"), 1.0
                    self.sentence = sentence
                case Refused(sentence):
                    self.state, self.sentence = "failed", sentence
        if found:
            self._rank()
        if self.state != "working":
            # a process that waits for the next search would hold its memory
            self.channel.stop()
            if self.state == "done" and not self.answers:
                self.sentence = tr(NONE)
        if heard:
            self.changed.emit()

    def _rank(self) -> None:
        assert self.task is not None, "something was searched"
        chosen = best(self._found, self.task)
        purpose = self.task.purpose
        self._shown = {id(c): self._shown.get(id(c)) or result_of(c, purpose) for c in chosen}
        self.answers = list(self._shown.values())
