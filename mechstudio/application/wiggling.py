"""Free motions, dead points and branches shown in place of the pose at the time cursor, and a
branch taken over; part of Studio.
"""

import numpy as np

from mechstudio.application.free_motion import Look, Wiggle
from mechstudio.application.part import Part
from mechstudio.application.signal import Signal
from mechstudio.model.results.analysis import Freedom
from mechstudio.model.results.branches import Branch, DeadPoint

LONGEST_TICK = 0.1  # seconds that a tick counts for where the window stood still


class Wiggling(Part):
    """Commands that show other poses of the drawing than its own, as a part of Studio.   wiggle:
    the motion or pose shown now.
    """

    wiggled: Signal
    wiggle: Wiggle | Look | None
    poses: np.ndarray | None

    def show_freedoms(self, *freedoms: Freedom) -> None:
        """Let free motions of the present analysis swing one after the other; all of them where
        none is given.
        """
        analysis, count = self.analysis, len(self.document.project.mechanism.bodies)
        if analysis is None or len(analysis.poses) != count or self.playback.playing:
            return
        shown = tuple(f for f in (freedoms or analysis.freedoms) if len(f.twists) == count)
        if shown:
            self.wiggle = Wiggle(shown, np.array(analysis.poses))
            self.wiggled.emit()

    def show_motion(self, name: str, twists: tuple[tuple[float, ...], ...]) -> None:
        """Let a motion swing about the pose at the time cursor.  twists: per body in file order (w;
        v) in W, as of a Freedom.
        """
        self.wiggle = None
        poses = self.poses
        if poses is None or len(poses) != len(twists) or self.playback.playing:
            return
        self.wiggle = Wiggle((Freedom(name, "part", twists=twists),), poses)
        self.wiggled.emit()

    def look_at(self, poses: tuple[tuple[float, ...], ...]) -> None:
        """Show other poses of the drawing, such as a dead point, until `stop_showing`."""
        if len(poses) == len(self.document.project.mechanism.bodies) and not self.playback.playing:
            self.wiggle = Look(np.array(poses))
            self.wiggled.emit()

    def put_together(self, way: Branch | DeadPoint, words: str) -> None:
        """Place the bodies as in a branch or at a dead point that the search has told; one step to
        undo.  words: what the step is called.
        """
        mechanism = self.document.project.mechanism
        if len(way.poses) != len(mechanism.bodies) or len(way.coordinates) != len(mechanism.joints):
            return
        # only a joint that has typed values keeps such
        typed = {
            id: row
            for (id, joint), row in zip(mechanism.joints.items(), way.coordinates, strict=True)
            if joint.values
        }
        self.display.place(words, dict(zip(mechanism.bodies, way.poses, strict=True)), typed)

    def stop_showing(self) -> None:
        """Back to the poses that belong to the time cursor."""
        if self.wiggle is not None:
            self.wiggle = None
            self.wiggled.emit()

    def go_on_wiggling(self, seconds: float) -> None:
        """Let real time pass [s]; a run that plays ends what is shown."""
        if self.wiggle is None:
            return
        self.wiggle.time += min(seconds, LONGEST_TICK)
        if self.wiggle.freedom is None or self.playback.playing:
            self.wiggle = None
        self.wiggled.emit()
