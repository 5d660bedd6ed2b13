"""The free-body view's part of Studio: opening and leaving it, another body by selection, the poses
it is drawn at.
"""

import numpy as np

from mechstudio.application.free_body import Cut, FreeBodyView
from mechstudio.application.runs.recording import Recording


class CuttingFree:
    """Part of Studio.   cut: the chosen body at the time cursor."""

    free_body: FreeBodyView

    def cut_free(self, body: str = "") -> None:
        """Open the view of a body (by id; that which is selected), or leave it where that one is
        shown already.
        """
        body = body or self.selection.current
        if self.free_body.is_open and (
            body == self.free_body.body or body not in self.document.project.mechanism.bodies
        ):
            self.put_back()
            return
        if body in self.document.project.mechanism.bodies:
            self.leave_assembly()
            self.stop_showing()
            self.bench.rest()
            self.free_body.show(body)
            if self.selection.current != body:
                self.selection.select(body)

    def put_back(self) -> None:
        """Leave the view."""
        self.free_body.leave()

    def follow_selection(self) -> None:
        """Another body that is selected is cut free in place of the one before."""
        current = self.selection.current
        if self.free_body.is_open and current in self.document.project.mechanism.bodies:
            self.free_body.show(current)

    def poll_free_body(self) -> None:
        """Update the free-body view, if it is open; called at each tick."""
        if self.free_body.is_open:
            error = next((f for f in self.findings if f.severity == "error"), None)
            recording: Recording | None = self.recording
            self.free_body.poll(
                recording, "" if error is None else f"{error.said(self.units)} {error.cure}".strip()
            )

    @property
    def cut(self) -> Cut | None:
        """None while the view is closed, while nothing is known, and while other poses than those
        of the time cursor are shown.
        """
        view, m = self.free_body, self.document.project.mechanism
        if (
            not view.is_open
            or self.pulling.poses is not None
            or self.wiggle is not None
            or self.proposal is not None
            or self.bench.tentative is not None
        ):
            return None
        return (
            view.cut(self.playback.time, self.pose_of(view.body)) if view.body in m.bodies else None
        )

    def pose_of(self, body: str) -> np.ndarray:
        """A body's pose (7,) as it is shown: place [m] and quaternion w x y z."""
        m, poses = self.document.project.mechanism, self.poses
        if poses is not None and len(poses) == len(m.bodies):
            return poses[list(m.bodies).index(body)]
        p, q = m.bodies[body].placement.pose
        return np.array((*p, *q), float)
