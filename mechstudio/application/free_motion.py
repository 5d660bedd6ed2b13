"""Poses shown instead of that at the time cursor: a free motion as a small oscillation, or another
pose for a look at it.
"""

import math

import numpy as np

from mechstudio.model.results.analysis import Freedom

SECONDS = 1.5  # that one freedom is shown for: once there, once back beyond, and home
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
    """Other poses (n, 7) as long as they are looked at."""

    freedom = Freedom("", "part")
    time = 0.0

    def __init__(self, poses: np.ndarray) -> None:
        self.poses = poses


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
