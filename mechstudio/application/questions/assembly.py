"""Assembling a rough drawing: asked of the worker, shown as a proposal with the old pose as a
ghost, accepted as one undo step; part of Studio.
"""

import time

import msgspec
import numpy as np

from mechstudio.application.notifications import Message
from mechstudio.application.part import Part
from mechstudio.application.scene import drawn_poses
from mechstudio.application.signal import Signal
from mechstudio.model.edits import elements
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.assembly import CURE, Closing, told
from mechstudio.model.units import format_value

KEY, OPEN = "assemble", "open"  # of messages
PATIENCE = 1.0  # seconds without an answer after which it is told that something is being done


class Proposal(msgspec.Struct, frozen=True):
    """Result of assembling a mechanism.   poses (n, 7): closed, or the best try."""

    mechanism: Mechanism
    closing: Closing

    @property
    def poses(self) -> np.ndarray:
        return np.array(self.closing.poses)


class Assembling(Part):
    """Assembly commands that close a drawing, as a part of Studio.   proposed(): a proposal stands,
    or no longer stands.
    """

    def start_assembling(self) -> None:
        self.proposed = Signal()
        self.proposal: Proposal | None = None
        self._asked_at = 0.0
        self._told_open = False

    def assemble(self) -> None:
        """Close the drawing with the least movement: asks the worker, whose answer is shown before
        anything changes.
        """
        self._ask_assembly(())

    def assemble_kept(self) -> None:
        """The same with the selected bodies in place."""
        self._ask_assembly(
            tuple(
                id for id in self.selection.selected if id in self.document.project.mechanism.bodies
            )
        )

    def _ask_assembly(self, keep: tuple[str, ...]) -> None:
        if self.session is None:
            self.say(
                Message("info", "The solver is still starting; assemble again in a moment.", KEY)
            )
            return
        if not self.document.project.mechanism.joints:
            self.say(
                Message(
                    "info", "There is nothing to assemble yet: no joint holds bodies together.", KEY
                )
            )
            return
        self.leave_assembly()
        self.bench.rest()
        self.playback.pause()
        self.playback.to_design()
        self._asked_at = time.monotonic()
        self.session.assemble(keep)

    def assembling_goes_on(self, steps: int) -> None:
        """The worker is at it: told with a way to end it as soon as it takes long."""
        if time.monotonic() - self._asked_at > PATIENCE:
            self.say(
                Message(
                    "info",
                    f"Assembling: {steps} steps so far.",
                    KEY,
                    (("Cancel", "cancel_assembly"),),
                )
            )

    def cancel_assembly(self) -> None:
        self.withdraw(KEY)
        self.session.cancel_assembly()

    def take_assembly(self, closing: Closing | None) -> None:
        """Show what the worker has found; None: it was cancelled, or is no answer to the drawing as
        it is.
        """
        self.withdraw(KEY)
        if closing is None:
            return
        mechanism = self.document.project.mechanism
        if closing.finding is not None or (closing.closed and not closing.moved):
            self.say(
                Message(
                    "info" if closing.closed else "error", told(closing, mechanism, self.units), KEY
                )
            )
            return
        self.proposal = Proposal(mechanism, closing)
        self.withdraw(OPEN)
        text = told(closing, mechanism, self.units)
        if closing.closed:
            self.say(
                Message(
                    "info", text, KEY, (("Accept", "accept_assembly"), ("Back", "leave_assembly"))
                )
            )
        else:
            self.selection.select(*(gap.joint for gap in reversed(closing.gaps)))
            self.say(
                Message(
                    "warning",
                    f"{text} {CURE} The ghost is the best try.",
                    KEY,
                    (("Back", "leave_assembly"),),
                )
            )
        self.proposed.emit()

    @property
    def can_accept_assembly(self) -> bool:
        return self.proposal is not None and self.proposal.closing.closed

    def accept_assembly(self) -> None:
        """Make the closed poses the drawing: one step to undo."""
        if not self.can_accept_assembly:
            return
        closing, project = self.proposal.closing, self.document.project  # type: ignore[union-attr]
        moved = format_value(closing.moved, "length", self.units, digits=3)
        self.leave_assembly()
        self.display.accept(f"Assemble, {moved} at most", elements.assembled(project, closing))

    def leave_assembly(self) -> None:
        """Back to the drawing as it is."""
        self.withdraw(KEY)
        if self.proposal is not None:
            self.proposal = None
            self.proposed.emit()

    @property
    def proposed_poses(self) -> np.ndarray | None:
        """Poses to be shown instead of all others (n, 7); None without a proposal."""
        if self.proposal is None:
            return None
        return (
            self.proposal.poses
            if self.proposal.closing.closed
            else drawn_poses(self.document.project)
        )

    @property
    def ghost(self) -> np.ndarray | None:
        """Poses at which bodies are shown once more (n, 7): the drawn ones of a proposal, or the
        best try.
        """
        if self.proposal is None:
            return None
        return (
            drawn_poses(self.document.project)
            if self.proposal.closing.closed
            else self.proposal.poses
        )

    def tell_open(self) -> None:
        """Say once that the drawing cannot be closed, and where it stays open, until it can."""
        analysis = self.analysis
        if analysis is None:
            return
        finding = next((f for f in analysis.findings if f.action == "assemble"), None)
        if finding is None:
            self._told_open = False
            self.withdraw(OPEN)
            return
        message = Message(
            "warning", finding.said(self.units), OPEN, (("Show the best try", "assemble"),)
        )
        told, self._told_open = self._told_open, True
        # one that was read is not said again, and the numbers of one that stands are renewed
        if not told or any(m.key == OPEN and m != message for m in self.messages):
            self.say(message)
