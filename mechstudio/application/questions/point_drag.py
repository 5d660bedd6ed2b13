"""Drag of the mechanism by a point: requested from the worker target by target, shown on arrival,
committed as one undo step at the end.
"""

import numpy as np

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.questions.solver import Session
from mechstudio.application.runs.runs import Runs
from mechstudio.application.signal import Signal
from mechstudio.model.geometry.rotation import Pose, Triple, transform
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.protocol.solver_messages import DragEnded, Dragged
from mechstudio.translation import tr

KEY = "pull"  # of messages
IDLE, HELD, ENDING = "", "held", "ending"


class PointDrag:
    """State of a drag that moves the mechanism by a point.  changed(): any of that is another.

    state: IDLE, HELD (the pointer holds the point) or ENDING (released, the last answer of the
    solver awaited).  poses (n, 7): shown instead of the drawing's, None before the first answer and
    where nothing is dragged.  point: place of the dragged point [m, W].  word: reason why it does
    not follow, where there is one.  settled: it goes no further.
    """

    def __init__(
        self, document: Document, notifications: Notifications, runs: Runs, display: Display
    ) -> None:
        self.changed = Signal()
        self._document, self._notifications = document, notifications
        self._runs, self._display = runs, display
        self._session: Session | None = None
        self._committing = False
        self._clear()
        document.changed.connect(self._document_changed)
        runs.playback.changed.connect(self._time_changed)

    def attach(self, session: Session) -> None:
        """Connect the solver."""
        self._session = session
        session.dragged.connect(self.take)

    def _clear(self) -> None:
        self.state, self.body, self.poses, self.point = IDLE, "", None, None
        self.word, self.settled = "", False

    # what can be dragged

    def holds(self, element: str, body: str) -> str:
        """The body that a press on an element (and on a surface of `body`, "" for none) would pull;
        "" where nothing is dragged.
        """
        m = self._document.project.mechanism
        if element in m.joints:
            joint = m.joints[element]
            ends = [f.body for f in (joint.frame_b, joint.frame_a) if f.body != GROUND]
            return next((b for b in ends if not self.is_fixed(b)), ends[0] if ends else "")
        jointed = body in m.bodies and any(
            body in (j.frame_a.body, j.frame_b.body) for j in m.joints.values()
        )
        return body if element == body and jointed else ""

    def is_fixed(self, body: str) -> bool:
        """True if a body is welded to the ground, directly or through other bodies."""
        welds = [
            {j.frame_a.body, j.frame_b.body}
            for j in self._document.project.mechanism.joints.values()
            if not JOINT_TYPES[j.type].motions
        ]
        still, before = {GROUND}, set()
        while still != before:
            before = set(still)
            for weld in welds:
                if weld & still:
                    still |= weld
        return body in still

    def joint_point(self, id: str) -> Triple:
        """Place of a joint's point as shown now [m, W]."""
        m = self._document.project.mechanism
        frame = m.joints[id].frame_b
        return transform(self._pose(frame.body), m.frame_in_body(frame)[0])

    def _pose(self, body: str) -> Pose:
        """The pose of a body as it is shown."""
        m, poses = self._document.project.mechanism, self._display.poses
        if body == GROUND or poses is None:
            return m.body(body).placement.pose
        x, y, z, *q = map(float, poses[list(m.bodies).index(body)])
        return (x, y, z), (q[0], q[1], q[2], q[3])

    @property
    def refusal(self) -> str:
        """Reason why nothing can be taken hold of now, in words; empty if it can."""
        session = self._session
        if session is None:
            return tr("The solver is still starting")
        if session.status.phase == "lost":
            return session.status.sentence
        return tr("The last pull is still being finished") if self.state == ENDING else ""

    @property
    def waiting(self) -> str:
        """Reason why a drag has no first answer yet; empty if it waits for nothing."""
        if self.state != HELD or self.poses is not None:
            return ""
        return (
            tr("The solver is still starting")
            if self._session is None or self._session.status.phase == "preparing"
            else tr("The solver is taking hold")
        )

    # the pull

    def start_drag(self, body: str, point: Triple) -> bool:
        """Take hold of a body at a point [m, W] as it is shown now; False where that cannot be, see
        `refusal`.
        """
        session = self._session
        if session is None or self.refusal:
            return False
        shown, sample, recording = self._display.poses, self._runs.sample, self._runs.recording
        self._runs.playback.pause()
        coordinates = (
            ()
            if sample is None or recording is None or self._runs.playback.at_design
            else tuple(map(float, sample[recording.layout.coordinates]))
        )
        self._clear()
        self.state, self.body, self.point = HELD, body, point
        self._notifications.withdraw(KEY)
        session.start_drag(
            body,
            point,
            () if shown is None else tuple(tuple(map(float, pose)) for pose in shown),
            coordinates,
        )
        self.changed.emit()
        return True

    def aim(self, target: Triple, view_direction: Triple) -> None:
        """Pull towards a target [m, W], seen along a unit vector."""
        if self.state == HELD and self._session is not None:
            self.settled = False
            self._session.drag_to(target, view_direction)

    def release(self) -> None:
        """Keep the pose that the last target leads to, as one undo step."""
        if self.state == HELD and self._session is not None:
            self.state = ENDING
            self._session.end_drag()
            self.changed.emit()

    def drop(self) -> None:
        """Put everything back."""
        if self.state != IDLE and self._session is not None:
            self._session.end_drag(keep=False)
            self._clear()
            self.changed.emit()

    def take(self, news: Dragged | DragEnded) -> None:
        """Take the solver's answer to a drag: new poses, or the end of the drag."""
        if self.state == IDLE:
            return
        if isinstance(news, Dragged):
            poses = np.frombuffer(news.poses).reshape(-1, 7)
            if len(poses) != len(self._document.project.mechanism.bodies):
                return
            self.poses, self.point, self.settled, self.word = (
                poses,
                news.point,
                news.settled,
                news.word,
            )
        else:
            self._end(news)
        self.changed.emit()

    def _end(self, ended: DragEnded) -> None:
        project, body = self._document.project, self.body
        if ended.finding is not None:
            self._clear()
            self._notifications.say(
                Message("error", f"{ended.finding.message} {ended.finding.cure}".strip(), KEY)
            )
            return
        # the dragged poses are shown until the drawing has them
        self._committing = True
        try:
            self._display.place(
                tr("Pull {body}", body=project.mechanism.bodies[body].name),
                ended.poses,
                ended.values,
            )
        finally:
            self._committing = False
        self._clear()

    def _document_changed(self, old: Project, new: Project) -> None:
        if new.mechanism is not old.mechanism and not self._committing:
            self.drop()

    def _time_changed(self) -> None:
        if self._runs.playback.playing:
            self.drop()
