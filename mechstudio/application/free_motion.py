"""Poses shown instead of that at the time cursor: a free motion as a small oscillation, or another
pose for a look at it.
"""

import math

import numpy as np

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.marks.figures.figure import Symbol
from mechstudio.application.runs.playback import Playback
from mechstudio.application.signal import Signal
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis, Freedom

SECONDS = 1.5  # that one freedom is shown for: once there, once back beyond, and home
LONGEST_TICK = 0.1  # seconds that a tick counts for where the window stood still
AMPLITUDE = 0.14  # radians, or parts of the mechanism's size


class Wiggle:
    """Freedoms shown one after the other.

    freedoms: those that have twists.  time [s] since the beginning.  poses (n, 7): of the analysis,
    about which they swing.
    """

    def __init__(self, freedoms: tuple[Freedom, ...], poses: np.ndarray) -> None:
        self.freedoms, self._start, self.time = freedoms, poses, 0.0

    @property
    def freedom(self) -> Freedom | None:
        """Freedom shown now; None when all have been shown."""
        k = int(self.time / SECONDS)
        return self.freedoms[k] if k < len(self.freedoms) else None

    @property
    def poses(self) -> np.ndarray:
        """Body poses (n, 7) in W now [m, unit quaternion]."""
        freedom = self.freedom
        if freedom is None:
            return self._start
        return displaced(
            self._start,
            np.array(freedom.twists),
            AMPLITUDE * math.sin(2 * math.pi * (self.time % SECONDS) / SECONDS),
        )


class Look:
    """Other poses (n, 7) while they are shown. words: beside the bodies, "" for none."""

    freedom = Freedom("", "part")
    time = 0.0

    def __init__(self, poses: np.ndarray, words: str = "") -> None:
        self.poses, self.words = poses, words


class FreeMotion:
    """Other poses shown than that at the time cursor: free motions that swing, dead points and
    branches.

    shown: what is shown now, None for nothing.  changed(): it is another, or has moved on.
    """

    def __init__(self, document: Document, playback: Playback, display: Display) -> None:
        self.changed = Signal()
        self.shown: Wiggle | Look | None = None
        self._document, self._playback, self._display = document, playback, display

    @property
    def poses(self) -> np.ndarray | None:
        """Poses (n, 7) of the bodies; None while nothing is shown."""
        return None if self.shown is None else self.shown.poses

    def document_changed(self, old: Project, new: Project) -> None:
        """Show no motion of another drawing."""
        if new.mechanism is not old.mechanism:
            self.shown = None

    def show_freedoms(self, analysis: Analysis | None, *freedoms: Freedom) -> None:
        """Let free motions of an analysis swing one after the other; all of them where none is
        given.
        """
        count = len(self._document.project.mechanism.bodies)
        if analysis is None or len(analysis.poses) != count or self._playback.playing:
            return
        shown = tuple(f for f in (freedoms or analysis.freedoms) if len(f.twists) == count)
        if shown:
            self.shown = Wiggle(shown, np.array(analysis.poses))
            self.changed.emit()

    def show_motion(self, name: str, twists: tuple[tuple[float, ...], ...]) -> None:
        """Let a motion swing about the pose at the time cursor.  twists: per body in file order (w;
        v) in W, as of a Freedom.
        """
        self.shown = None
        poses = self._display.poses
        if poses is None or len(poses) != len(twists) or self._playback.playing:
            return
        self.shown = Wiggle((Freedom(name, "part", twists=twists),), poses)
        self.changed.emit()

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Words of the shown motion, at the mass centre of the last visible body."""
        words = self.shown.words if isinstance(self.shown, Look) else ""
        seen = [b for b in self._document.project.mechanism.bodies.values() if b.visible]
        if not words or not seen:
            return ()
        return (Symbol("", np.array(mass_properties(seen[-1]).center), seen[-1].id, words),)

    def look_at(self, poses: tuple[tuple[float, ...], ...], words: str = "") -> None:
        """Show other poses of the drawing, such as a dead point, with words until `stop`."""
        if (
            len(poses) == len(self._document.project.mechanism.bodies)
            and not self._playback.playing
        ):
            self.shown = Look(np.array(poses), words)
            self.changed.emit()

    def stop(self) -> None:
        """Back to the poses that belong to the time cursor."""
        if self.shown is not None:
            self.shown = None
            self.changed.emit()

    def advance(self, seconds: float) -> None:
        """Let real time pass [s]; a run that plays ends what is shown."""
        if self.shown is None:
            return
        self.shown.time += min(seconds, LONGEST_TICK)
        if self.shown.freedom is None or self._playback.playing:
            self.shown = None
        self.changed.emit()


def displaced(poses: np.ndarray, twists: np.ndarray, amount: float) -> np.ndarray:
    """Poses (n, 7) moved along constant twists (n, 6) = (w; v) in W, v of the origin: each body
    turns about its own screw axis.

    p' = p + (a v + (1 - cos f) / f^2 W a v + (f - sin f) / f^3 W^2 a v) with W = [a w]x and f = |a
    w|.
    """
    turn, shift = amount * twists[:, :3], amount * twists[:, 3:]
    angle = np.linalg.norm(turn, axis=1, keepdims=True)
    safe = np.maximum(angle, 1e-8)
    across = np.cross(turn, shift)
    out = np.empty_like(poses)
    out[:, :3] = (
        poses[:, :3]
        + shift
        + (1 - np.cos(safe)) / safe**2 * across
        + (safe - np.sin(safe)) / safe**3 * np.cross(turn, across)
    )
    half = 0.5 * angle
    d = np.concatenate((np.cos(half), 0.5 * np.sinc(half / np.pi) * turn), axis=1)
    q = poses[:, 3:]
    out[:, 3:4] = d[:, :1] * q[:, :1] - np.sum(d[:, 1:] * q[:, 1:], axis=1, keepdims=True)
    out[:, 4:] = d[:, :1] * q[:, 1:] + q[:, :1] * d[:, 1:] + np.cross(d[:, 1:], q[:, 1:])
    return out
