"""The equations of the open document: derived in a process of their own, derived again after edits,
typeset part by part on demand.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from mechstudio.application.document import Document
from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.questions.equations.chapters import Chapters
from mechstudio.application.questions.equations.instant import InstantValues
from mechstudio.application.questions.equations.pictures import Pictures
from mechstudio.application.resources import resource
from mechstudio.application.signal import Signal
from mechstudio.model.equations.lecture import CLAIM, UNPROVEN, Proof
from mechstudio.model.equations.terms import Equations
from mechstudio.model.project import Project
from mechstudio.protocol.derivation_messages import (
    ChapterReady,
    ContactsOfInstant,
    Copied,
    Derive,
    Derived,
    Evaluated,
    Heading,
    Prove,
    Proved,
    TypesetPart,
    Working,
    Written,
)
from mechstudio.protocol.message import Message
from mechstudio.protocol.process import derive_command
from mechstudio.protocol.solver_messages import Request
from mechstudio.translation import tr

State = Literal["idle", "deriving", "ready", "stale", "failed"]

REST = 0.15  # seconds without an edit before the equations follow
LONG = 0.5  # seconds after which a derivation that an edit has outdated is ended instead of awaited
PATIENCE = 2.0  # seconds for which the solver's start comes first
METHOD = "lagrange"


# what the panel shows of a chapter
__all__ = ["METHOD", "ChapterReady", "ContactsOfInstant", "Derivations", "Heading"]


class Derivations:
    """Nothing happens but in `poll`, and nothing here waits.

    state: "idle" (nothing derived), "deriving", "ready", "stale" (of an older drawing, or
    cancelled), "failed".  progress: 0 … 1;
    step: what is being done.  sentence: why there are no equations, or that they are old.
    equations: the last ones derived, of
    `project`; latex, latex_parts: the same to copy, which come a moment later.  coordinates:
    "auto", "joint" or "link".  proofs: of the three derivations, () before they are known.
    visible: whether anybody looks; only then anything is derived by itself.
    instant_values: numbers of these equations at any instant.  pictures, chapters: of them.
    changed(): any of these is another.
    """

    def __init__(
        self,
        document: Document,
        is_free: Callable[[], bool] = lambda: True,
        folder: Path | None = None,
        command: list[str] | None = None,
    ) -> None:
        """is_free: whether the solver has started, which comes first."""
        self.changed = Signal()
        self._document, self._is_free = document, is_free
        command = command or [*derive_command(), "--fonts", str(resource("fonts"))]
        self.channel = Channel[None](tr("derivation"), folder, command)
        self.state: State = "idle"
        self.progress, self.step, self.sentence = 0.0, "", ""
        self.method, self.coordinates = METHOD, "auto"
        self.equations: Equations | None = None
        self.latex = ""
        self.latex_parts: dict[str, str] = {}
        self.project: Project | None = None
        self.visible = False
        self._requested_since: float | None = (
            None  # when equations of the present drawing were first requested
        )
        self._edited_at = 0.0
        self._held = (
            False  # cancelled or failed: the next derivation waits for an edit or a request
        )
        self._deriving = 0  # request under way, 0 for none
        self._deriving_of: Project = document.project
        self._deriving_since = 0.0
        self._has_equations = False  # whether the process knows the equations that are shown
        self.proofs: tuple[Proof, ...] = ()
        self._proving = 0  # request under way, 0 for none
        # answers that are compared, by requests
        self._comparing: dict[int, Callable[[Proof], object]] = {}
        self.pictures = Pictures(self._post, self._derive_again)
        self.chapters = Chapters(
            self.pictures, self._post, self._derive_again, self._lays_out, lambda: self._held
        )
        self.instant_values = InstantValues(self._post)
        document.changed.connect(self._document_changed)

    # what is requested

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to derive: the drawing has no bodies."""
        return not self._document.project.mechanism.bodies

    @property
    def is_current(self) -> bool:
        """True if the equations are those of the drawing as it is now."""
        return self.equations is not None and _same(self.project, self._document.project)

    @property
    def is_settled(self) -> bool:
        """True if nothing more will come by itself."""
        return (
            self.is_empty
            or not self.visible
            or (
                not self._deriving
                and (self._held or self.is_current)
                and not self.pictures.pending_count
                and not self.chapters.is_teaching
                and not self._proving
            )
        )

    def request(self, method: str = METHOD, coordinates: str = "") -> None:
        """Derive the drawing as it is now, at once.   coordinates: empty for those of the last
        time.
        """
        self._end_derivation()
        self.method, self.coordinates, self._held = method, coordinates or self.coordinates, False
        self.chapters.pardon()
        if not self.is_empty:
            self._begin()

    def cancel(self) -> None:
        """End a derivation or the layout of a chapter under way; the next edit or request starts
        another.
        """
        if self.chapters.is_teaching and not self._deriving:
            self._stop()
            self._held = True
            self._set("stale", tr("Laying out the steps was cancelled."))
        elif self._deriving:
            self._stop()
            self._held = not self.is_current
            self._set(
                "ready" if self.is_current else "stale" if self.equations is not None else "idle",
                tr("The derivation was cancelled.") if self._held else "",
            )

    def _document_changed(self, old: Project, new: Project) -> None:
        if old.lesson.claims != new.lesson.claims and self.is_current:
            # a picture of a difference stands by the claim's number
            self.pictures.outdate(lambda part: CLAIM in part)
            self._prove()
        if _same(old, new):
            return
        self.chapters.pardon()
        # what was opened will not be edited in the same moment
        self._edited_at, self._held = (
            time.monotonic() if old.mechanism.bodies.keys() & new.mechanism.bodies.keys() else 0.0,
            False,
        )
        if not new.mechanism.bodies:
            self._end_derivation()
            self._forget()
            self._set("idle")
        elif not self._deriving:
            # an undo may lead back to the drawing that these equations belong to
            self._set("idle" if self.equations is None else "ready" if self.is_current else "stale")

    # the process

    def _launch(self) -> bool:
        sentence = self.channel.start()
        if sentence:
            self._fail(sentence)
        return not sentence

    def _stop(self) -> None:
        """End the process, whatever it is doing."""
        self._deriving, self._has_equations = 0, False
        self._forget_pending(tr("its derivation was ended. Wait for the equations and copy again."))
        self.channel.stop()

    def _end_derivation(self) -> None:
        if self._deriving:
            self._stop()

    def _begin(self) -> None:
        if not self._launch():
            return
        project = self._deriving_of = self._document.project
        self._deriving_since = time.monotonic()
        self._has_equations = False
        self._forget_pending()
        self._deriving = self.channel.send(
            lambda id: Derive(id, project, self.method, self.coordinates), None
        )
        self.progress, self.step = 0.0, ""
        self._set("deriving")

    def _set(self, state: State, sentence: str = "") -> None:
        self.state, self.sentence = state, sentence
        self.changed.emit()

    def _fail(self, sentence: str) -> None:
        self._forget()
        self._held = True
        self._set("failed", sentence)

    def _forget(self) -> None:
        self.equations, self.project, self.latex, self.latex_parts = None, None, "", {}
        self._has_equations, self.proofs = False, ()
        self.pictures.forget()
        self._forget_pending()
        self.chapters.forget()
        self.instant_values.forget()

    def _forget_pending(
        self,
        cause: str = "the drawing was changed meanwhile. Copy again once its equations are there.",
    ) -> None:
        self.instant_values.forget_pending()
        self.pictures.forget_pending()
        self._proving = 0
        self.chapters.forget_pending(cause)
        lost, self._comparing = self._comparing, {}
        for call in lost.values():
            call(Proof(CLAIM, "", UNPROVEN, tr("The equations changed meanwhile. Check again.")))

    # news

    def poll(self) -> None:
        """Take in what the process has said; derive again where the drawing has changed and
        somebody looks.
        """
        lost: Refused | None = None
        for _, report in self.channel.reports():
            if isinstance(report, Refused) and report.cause:
                lost = report
            else:
                self._take(report)
        if lost is not None:
            self._lose(lost)
        self.chapters.follow_contacts()
        self._follow()

    def _follow(self) -> None:
        now = time.monotonic()
        if (
            self.channel.process is None
            and self.visible
            and not self.channel.cause  # another one may be lost too
            and self.state != "failed"
            and self._is_free()
        ):
            # before any request: to start takes longer than to derive
            self._launch()
        if (
            not self.visible
            or self._held
            or self.is_empty
            or (self.is_current and not self._deriving)
        ):
            self._requested_since = None
            return
        if self._deriving:
            outdated = not _same(self._deriving_of, self._document.project)
            if outdated and now - self._deriving_since > LONG and now - self._edited_at > REST:
                self._stop()
                self._begin()
            return
        self._requested_since = self._requested_since or now
        started = self.channel.process is not None
        if now - self._edited_at > REST and (
            started or self._is_free() or now - self._requested_since > PATIENCE
        ):
            self._begin()

    def _take(self, report: Message | Refused) -> None:
        match report:
            case Working(id, progress, step):
                requested = id == self._deriving or self.chapters.teaches(id)
                if requested and (progress, step) != (self.progress, self.step):
                    self.progress, self.step = progress, step
                    self.changed.emit()
            case Derived():
                self._derived(report)
            case Copied(_, latex, parts):
                self.latex, self.latex_parts = latex, parts
                self.changed.emit()
            case TypesetPart():
                self.pictures.take(report)
            case ChapterReady() | Written():
                if self.chapters.take(report):
                    self.changed.emit()
            case Evaluated():
                self.instant_values.take(report)
            case Proved(id, proofs):
                if id in self._comparing:
                    self._comparing.pop(id)(proofs[-1])
                elif id == self._proving:
                    self._proving, self.proofs = 0, proofs
                    self.changed.emit()
            case Refused(sentence, error, _, id):
                self._failed(id, sentence, error)

    def _derived(self, report: Derived) -> None:
        self._deriving = 0
        if report.equations is None:
            finding = report.finding
            self._fail(f"{finding.message} {finding.cure}".strip() if finding is not None else "")
            return
        if self.equations is not None:
            self.chapters.outdate()
        self.pictures.show(report.equations)
        self.equations, self.project = report.equations, self._deriving_of
        self.latex, self.latex_parts = "", {}
        self._has_equations, self.progress = True, 1.0
        self.proofs = ()
        self._set("ready" if self.is_current else "stale")
        self.instant_values.begin_again()
        self._prove()

    def _failed(self, id: int, sentence: str, error: str) -> None:
        process = self.channel.process
        log = str(process.log_path) if process is not None else ""
        if id == self._deriving:
            self._deriving = 0
            self._fail(sentence)
        elif id in self._comparing:
            self._comparing.pop(id)(Proof(CLAIM, "", UNPROVEN, sentence))
        elif id == self._proving or self.chapters.layout_failed(id):
            self._proving = 0 if id == self._proving else self._proving
            self._held = True
            self._set("failed", sentence)
        elif self.instant_values.failed(id, sentence) or self.chapters.writing_failed(
            id, error, log
        ):
            return
        elif part := self.pictures.failed(id):
            self._set("failed", sentence)
            self.pictures.ready.emit(part)

    def _lose(self, lost: Refused) -> None:
        was_deriving = bool(self._deriving)
        was_typesetting = bool(self.pictures.pending_count) or self.chapters.is_teaching
        # a chapter that follows the instants, or any that the process ends of, would start one
        # process after the other
        self._held = self.chapters.spoil() or self._held
        self._stop()
        if was_deriving:
            self._fail(lost.sentence)
        elif was_typesetting:
            self._set(
                "failed", tr("The equations could not be typeset ({cause}).", cause=lost.cause)
            )

    def _lays_out(self) -> None:
        """A first layout of a chapter is under way."""
        self.progress, self.step = 0.0, ""
        self.changed.emit()

    def compare(self, text: str, answered: Callable[[Proof], object]) -> bool:
        """Compare an equation with the derived ones.  answered(proof): its result.  False where
        there are no equations yet.
        """
        id = self._post(lambda id: Prove(id, (text,), True))
        if id:
            self._comparing[id] = answered
        return bool(id)

    def _prove(self) -> None:
        self._proving = (
            self._post(lambda id: Prove(id, self._document.project.lesson.claims)) or self._proving
        )

    def _post(self, make: Callable[[int], Request]) -> int:
        """Send a request to the process that derived the equations, made with its id; the id, 0
        where no process knows them.
        """
        if self.channel.process is None or not self._has_equations:
            return 0
        return self.channel.send(make, None)

    def _derive_again(self) -> None:
        """Derive again, after the process that held the equations has ended."""
        if not self._deriving and not self._held and self.is_current:
            self._begin()

    def close(self) -> None:
        """End the process; these derivations cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self.visible = False
        self.chapters.close()
        self._stop()


def _same(a: Project | None, b: Project) -> bool:
    return a is not None and a.mechanism is b.mechanism and a.parameters is b.parameters
