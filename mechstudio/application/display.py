"""The pose that is shown, and the drawing as it is shown, from which tools edit."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_drawing
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.scene import drawn_poses
from mechstudio.application.signal import Signal
from mechstudio.model.edits import elements
from mechstudio.model.edits.lost_formulas import BY_HAND, formulas_lost, reported
from mechstudio.model.edits.poses.closed_pose import (
    bodies_needed,
    held_elsewhere,
    settled,
    standing,
    with_typed_numbers,
)
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.translation import tr, trn

KEY = "frames"  # of messages
# s for which a pose of the drawing before an edit is shown, while the solver closes the new one
STALE = 0.5
REMEMBERED = 64  # drawings whose closed poses are remembered
Rows = tuple[tuple[float, ...], ...]


class Solver(Protocol):
    """Session with the worker, as far as the display reads it."""

    analysis: Analysis | None
    closed: Signal


class Display:
    """The pose shown.

    What `show_instead` names comes first, then the drawing with its joints closed.
    The solver closes the drawing, each time from the drawn and typed numbers; nothing of that is
    written into it but by an edit that needs it (model/edits/poses/closed_pose.py).  To tools it is
    the document: they find `project` with bodies where they are shown, and `commit` there.
    changed(old, new): as of the document.  closed_changed(): the closed pose is another, or is not
    known any more.
    """

    def __init__(self, document: Document, notifications: Notifications) -> None:
        self.closed_changed = Signal()
        self._document, self._notifications = document, notifications
        self._session: Solver | None = None
        self._instead: tuple[Callable[[], np.ndarray | None], ...] = ()
        self.changed = self._document.changed
        # of the closed pose that was known last: what each body's placement was, and where it stood
        self._last: dict[str, tuple[Placement, tuple[float, ...]]] = {}
        # closed poses of the drawings that were seen last, which an undo comes back to
        self._remembered: dict[int, tuple[Mechanism, Rows]] = {}
        self._outdated_at: float | None = None  # when the drawing was edited first since then
        self._outdated: Any = None  # an analysis that the session still has, of the drawing before
        self._standing: (
            tuple[Project, Any, Project, np.ndarray | None, Mapping[str, Sequence[float]]] | None
        ) = None
        self._document.changed.connect(self._document_changed)

    def attach(self, session: Solver) -> None:
        """Connect the solver."""
        self._session = session
        session.closed.connect(self.take)

    # what is shown

    def show_instead(self, *sources: Callable[[], np.ndarray | None]) -> None:
        """Show poses (n, 7) of these sources in place of the drawing's; the first one that has any
        counts.
        """
        self._instead = sources

    @property
    def poses(self) -> np.ndarray | None:
        """Poses (n, 7) of the bodies in W [m, unit quaternion]; None: as drawn."""
        for source in self._instead:
            poses = source()
            if poses is not None:
                return poses
        return self.closed

    def pose_of(self, body: str) -> np.ndarray:
        """Pose (7,) of a body as it is shown: place [m] and quaternion w x y z."""
        m, poses = self._document.project.mechanism, self.poses
        if poses is not None and len(poses) == len(m.bodies):
            return poses[list(m.bodies).index(body)]
        p, q = m.bodies[body].placement.pose
        return np.array((*p, *q), float)

    @property
    def closed(self) -> np.ndarray | None:
        """Poses (n, 7) of the drawing with its joints closed; None where they cannot be closed, or
        are not known.
        """
        return self._now()[3]

    @property
    def project(self) -> Project:
        """The document's project with its bodies where they are shown at the start; the same object
        where that is as drawn.
        """
        return self._now()[2]

    def _now(
        self,
    ) -> tuple[Project, Any, Project, np.ndarray | None, Mapping[str, Sequence[float]]]:
        """Project and analysis that it is of, the project with bodies where they are shown, their
        poses, and those by id that are known.
        """
        project, analysis = self._document.project, self._analysis
        known = self._standing
        if known is None or known[0] is not project or known[1] is not analysis:
            rows = self._known_poses(project, analysis)
            if known is not None and known[0] is project and known[4] == rows:
                shown, poses = known[2:4]  # the same drawing still, of which only more is known
            else:
                shown = standing(project, rows)
                poses = (
                    np.array(
                        [
                            rows.get(id, row)
                            for id, row in zip(project.mechanism.bodies, drawn_poses(project))
                        ]
                    )
                    if rows
                    else None
                )
            self._standing = known = (project, analysis, shown, poses, rows)
        return known

    @property
    def _analysis(self) -> Any:
        """That of the drawing as it is now; None while it is not known."""
        analysis = self._latest
        return None if analysis is self._outdated else analysis

    @property
    def _latest(self) -> Analysis | None:
        return None if self._session is None else self._session.analysis

    def _known_poses(self, project: Project, analysis: Any) -> Mapping[str, Sequence[float]]:
        bodies = project.mechanism.bodies
        if analysis is not None:
            return dict(zip(bodies, analysis.poses)) if len(analysis.poses) == len(bodies) else {}
        known = self._remembered.get(id(project.mechanism))
        if known is not None:
            return dict(zip(bodies, known[1]))
        # what was typed or moved since the last answer stands where it is drawn
        return {
            id: self._last[id][1]
            for id, body in bodies.items()
            if id in self._last and self._last[id][0] == body.placement
        }

    def take(self, project: Project, poses: Rows) -> None:
        """Closed pose of a drawing, as the solver found it; the drawing may be the one before the
        last edits.
        """
        bodies = project.mechanism.bodies
        self._last = (
            {id: (body.placement, row) for (id, body), row in zip(bodies.items(), poses)}
            if len(poses) == len(bodies)
            else {}
        )
        if len(self._remembered) >= REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
        self._remembered[id(project.mechanism)] = (project.mechanism, poses)
        self._outdated_at = None if project is self._document.project else time.monotonic()
        if self._standing is None or self._standing[4] != self._known_poses(
            self._document.project, self._analysis
        ):
            self._standing = None
            self.closed_changed.emit()

    def poll(self) -> None:
        """A pose of an earlier drawing is not shown for long."""
        if self._outdated_at is not None and time.monotonic() > self._outdated_at + STALE:
            self._outdated_at = None
            if self._last and self._analysis is None:
                self._last, self._standing = {}, None
                self.closed_changed.emit()

    def _document_changed(self, old: Project, new: Project) -> None:
        # what was said of one edit is over with the next, or when it is undone
        self._notifications.withdraw(KEY)
        if not self._document.undo_label and not self._document.redo_label:
            self._last = {}  # another document
        if not same_drawing(old, new):
            # the session is notified of the edit after other readers of poses
            self._outdated = self._latest
            self._outdated_at = self._outdated_at or time.monotonic()

    # edits

    def commit(self, label: str, project: Project, part_of: str = "") -> None:
        """Keep an edit of the drawing as it is shown as one undo step.

        Numbers of the closed pose that it does not need are not written; a formula that it made a
        number is reported.
        """
        begun = self._document.start_of(part_of)
        held = self._keep(label, self._document.project, project, part_of)
        self._report(_lost(begun, self._document.project), held)

    def change(self, label: str, edit: Callable[[Project], Project]) -> str:
        """Do an edit of the drawing as it is shown as one undo step; returns why it cannot be, ""
        if it was done.
        """
        try:
            project = edit(self.project)
        except ExpressionError as error:
            return str(error)
        self.commit(label, project)
        return ""

    def keep(self, label: str, project: Project) -> None:
        """Keep an edit of the document's own project, as one that removes joints."""
        poses = (
            {}
            if self.closed is None
            else dict(zip(self._document.project.mechanism.bodies, self.closed.tolist()))
        )
        held = self._keep(
            label,
            project,
            standing(
                project, {id: pose for id, pose in poses.items() if id in project.mechanism.bodies}
            ),
        )
        self._report("", held)

    def _keep(self, label: str, drawn: Project, after: Project, part_of: str = "") -> str:
        """Commit an edit, and a sentence on bodies that it leaves elsewhere. drawn: bodies as they
        stand where it needs nothing else.
        """
        shown = self.project
        if shown is self._document.project:
            self._document.commit(label, after, part_of)
            return ""
        needed = bodies_needed(shown, after)
        kept = settled(drawn, shown, after, needed)
        # until the solver has closed it, the edit is shown as it was made
        rows = {
            id: (*p, *q)
            for id, (p, q) in (
                (id, body.placement.pose) for id, body in after.mechanism.bodies.items()
            )
        }
        self._last = {id: (body.placement, rows[id]) for id, body in kept.mechanism.bodies.items()}
        self._document.commit(label, kept, part_of)
        return _held(after, kept, needed)

    def place(
        self,
        label: str,
        poses: Mapping[str, Sequence[float]],
        values: Mapping[str, Sequence[float]],
        part_of: str = "",
    ) -> None:
        """Keep poses that somebody requested as one undo step: the bodies' numbers become those;
        that a formula was among them is reported.
        """
        begun = self._document.start_of(part_of)
        self._document.commit(label, elements.place(self._document.project, poses, values), part_of)
        self._report(_lost(begun, self._document.project), "")

    def restart(self, label: str, project: Project) -> None:
        """Keep a drawing that starts elsewhere as one undo step; that a formula was among their
        numbers is reported.
        """
        before = self._document.project
        self._document.commit(label, project)
        self._report(_lost(before, self._document.project), "")

    def accept(self, label: str, project: Project) -> None:
        """Keep closed poses as the drawing; what was typed of them stays."""
        after = with_typed_numbers(self._document.project, project)
        self._document.commit(label, after)
        self._report("", _held(project, after, after.mechanism.bodies.keys()))

    def _report(self, lost: str, held: str) -> None:
        """Say what an edit did to typed texts, if anything: those that it wrote over, and those
        that keep bodies elsewhere.
        """
        if lost or held:
            self._notifications.say(
                Message(
                    "info",
                    f"{lost} {held}".strip(),
                    KEY,
                    ((tr("Undo"), self._document.undo),) if lost else (),
                )
            )


def _lost(begun: Project, now: Project) -> str:
    """A sentence on formulas that became numbers since an edit began; empty if there are none."""
    lost = list(formulas_lost(begun, now))
    return reported(lost, tr(BY_HAND)) if lost else ""


def _held(shown: Project, kept: Project, bodies: Collection[str]) -> str:
    """A sentence on what keeps bodies off the place where they were shown; empty if nothing
    does.
    """
    held = list(held_elsewhere(shown, kept, bodies))
    if not held:
        return ""
    body, q = held[0]
    others = len(held) - 1
    more = (
        "" if not others else trn(", and so does {count} more", ", and so do {count} more", others)
    )
    return tr(
        "{body} keeps the {text} that is typed for its frame{more}; what is typed is not written "
        "over.",
        body=body.name,
        text=q.text,
        more=more,
    )
