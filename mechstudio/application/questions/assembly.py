"""Assembly of a rough drawing: requested from the worker, shown as a proposal with the old pose as
a ghost, accepted as one undo step.
"""

import time

import msgspec
import numpy as np

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.solver import Session
from mechstudio.application.runs.playback import Playback
from mechstudio.application.scene import drawn_poses
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.model.edits import elements
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import CURE, AssemblyResult, reported
from mechstudio.model.units import format_value
from mechstudio.translation import tr

KEY, OPEN = "assemble", "open"  # of messages
PATIENCE = 1.0  # seconds without an answer after which it is reported that something is being done


class Proposal(msgspec.Struct, frozen=True):
    """Result of assembling a mechanism.   poses (n, 7): closed, or the best try."""

    mechanism: Mechanism
    closing: AssemblyResult

    @property
    def poses(self) -> np.ndarray:
        return np.array(self.closing.poses)


class Assembly:
    """AssemblyResult of a rough drawing: requested, proposed, accepted or left.

    proposal: what is shown now, None for nothing.  proposed(): a proposal stands, or no longer
    stands.  starting(): one is about to be requested.
    """

    def __init__(
        self,
        document: Document,
        selection: Selection,
        notifications: Notifications,
        preferences: Preferences,
        playback: Playback,
        display: Display,
    ) -> None:
        self.proposed, self.starting = Signal(), Signal()
        self.proposal: Proposal | None = None
        self._document, self._selection, self._notifications = document, selection, notifications
        self._preferences, self._playback, self._display = preferences, playback, display
        self._session: Session | None = None
        self._requested_at = 0.0
        self._reported_open = False

    def attach(self, session: Session) -> None:
        """Connect the solver."""
        self._session = session
        session.assembling.connect(self.go_on)
        session.assembled.connect(self.take)

    def assemble(self) -> None:
        """Close the drawing with the least movement: requested from the worker, whose answer is
        shown before anything changes.
        """
        self._request_assembly(())

    def assemble_kept(self) -> None:
        """The same with the selected bodies in place."""
        self._request_assembly(
            tuple(
                id
                for id in self._selection.selected
                if id in self._document.project.mechanism.bodies
            )
        )

    def _request_assembly(self, keep: tuple[str, ...]) -> None:
        if self._session is None:
            self._notifications.say(
                Message(
                    "info", tr("The solver is still starting; assemble again in a moment."), KEY
                )
            )
            return
        if not self._document.project.mechanism.joints:
            self._notifications.say(
                Message(
                    "info",
                    tr("There is nothing to assemble yet: no joint holds bodies together."),
                    KEY,
                )
            )
            return
        self.leave()
        self.starting.emit()
        self._playback.pause()
        self._playback.to_design()
        self._requested_at = time.monotonic()
        self._session.assemble(keep)

    def go_on(self, steps: int) -> None:
        """The worker is at it: shown with a way to end it as soon as it takes long."""
        if time.monotonic() - self._requested_at > PATIENCE:
            self._notifications.say(
                Message(
                    "info",
                    tr("Assembling: {steps} steps so far.", steps=steps),
                    KEY,
                    ((tr("Cancel"), self.cancel),),
                )
            )

    def cancel(self) -> None:
        """End the assembling under way."""
        self._notifications.withdraw(KEY)
        if self._session is not None:
            self._session.cancel_assembly()

    def take(self, closing: AssemblyResult | None) -> None:
        """Show what the worker has found; None: it was cancelled, or is no answer to the drawing as
        it is.
        """
        self._notifications.withdraw(KEY)
        if closing is None:
            return
        mechanism = self._document.project.mechanism
        if closing.finding is not None or (closing.closed and not closing.moved):
            self._notifications.say(
                Message(
                    "info" if closing.closed else "error",
                    reported(closing, mechanism, self._preferences.units),
                    KEY,
                )
            )
            return
        self.proposal = Proposal(mechanism, closing)
        self._notifications.withdraw(OPEN)
        text = reported(closing, mechanism, self._preferences.units)
        if closing.closed:
            self._notifications.say(
                Message(
                    "info",
                    text,
                    KEY,
                    ((tr("Accept"), self.accept), (tr("Back"), self.leave)),
                )
            )
        else:
            self._selection.select(*(gap.joint for gap in reversed(closing.gaps)))
            self._notifications.say(
                Message(
                    "warning",
                    tr("{text} {cure} The ghost is the best try.", text=text, cure=tr(CURE)),
                    KEY,
                    ((tr("Back"), self.leave),),
                )
            )
        self.proposed.emit()

    def document_changed(self, old: Project, new: Project) -> None:
        """Leave a proposal for another drawing."""
        if new.mechanism is not old.mechanism:
            self.leave()

    @property
    def can_accept(self) -> bool:
        return self.proposal is not None and self.proposal.closing.closed

    def accept(self) -> None:
        """Make the closed poses the drawing: one step to undo."""
        if self.proposal is None or not self.can_accept:
            return
        closing, project = self.proposal.closing, self._document.project
        moved = format_value(closing.moved, "length", self._preferences.units, digits=3)
        self.leave()
        self._display.accept(
            tr("Assemble, {moved} at most", moved=moved), elements.assembled(project, closing)
        )

    def leave(self) -> None:
        """Back to the drawing as it is."""
        self._notifications.withdraw(KEY)
        if self.proposal is not None:
            self.proposal = None
            self.proposed.emit()

    @property
    def poses(self) -> np.ndarray | None:
        """Poses to be shown instead of all others (n, 7); None without a proposal."""
        if self.proposal is None:
            return None
        return (
            self.proposal.poses
            if self.proposal.closing.closed
            else drawn_poses(self._document.project)
        )

    @property
    def ghost(self) -> np.ndarray | None:
        """Poses at which bodies are shown once more (n, 7): the drawn ones of a proposal, or the
        best try.
        """
        if self.proposal is None:
            return None
        return (
            drawn_poses(self._document.project)
            if self.proposal.closing.closed
            else self.proposal.poses
        )

    def report_open(self, analysis: Analysis | None) -> None:
        """Say once that the drawing cannot be closed, and where it stays open, until it can."""
        if analysis is None:
            return
        finding = next((f for f in analysis.findings if f.action == "assemble"), None)
        if finding is None:
            self._reported_open = False
            self._notifications.withdraw(OPEN)
            return
        message = Message(
            "warning",
            finding.said(self._preferences.units),
            OPEN,
            ((tr("Show the best try"), self.assemble),),
        )
        reported, self._reported_open = self._reported_open, True
        # one that was read is not said again, and the numbers of one that stands are renewed
        if not reported or any(
            m.key == OPEN and m != message for m in self._notifications.messages
        ):
            self._notifications.say(message)
