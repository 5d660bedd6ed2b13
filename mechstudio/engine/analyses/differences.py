"""Velocities and accelerations of bodies from their places alone, by central differences: what
formulas of moving frames are held against.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import move

# radians or parts of the size between places: error about STRIDE^4 / 90 of the figure, and rounding
# / STRIDE^2
STRIDE = 5e-3
# five places, of fourth order
_FIRST = np.array((1.0, -8.0, 0.0, 8.0, -1.0)) / 12.0
_SECOND = np.array((-1.0, 16.0, -30.0, 16.0, -1.0)) / 12.0


class Nearby(NamedTuple):
    """Ground and bodies at five instants h apart, the middle one now.  origins (5, 1 + n, 3) [m], R
    (5, 1 + n, 3, 3), in W; h [s].

    rate [1/s]: how fast the mechanism changes, at least 1/s: differences are exact to about 1e-9 of
    the size times rate or rate^2.
    """

    origins: np.ndarray
    R: np.ndarray
    h: float
    rate: float

    def first(self, values: np.ndarray) -> np.ndarray:
        """The rate of something known at the five instants (5, ...)."""
        return np.tensordot(_FIRST, values, 1) / self.h

    def second(self, values: np.ndarray) -> np.ndarray:
        """Its second derivative."""
        return np.tensordot(_SECOND, values, 1) / self.h**2


def nearby(now: Instant) -> Nearby:
    """Places before and after an instant: coordinates go along q + v s + a s^2 / 2, whose first two
    derivatives are those of the motion; of velocities of bodies nothing is used.
    """
    system, T = now.system, now.tables
    nq, nv = system.where.nq, system.where.nv
    v, a = now.state[nq : nq + nv], now.state_rates[nq : nq + nv]
    natural = system.size / system.units
    rate = max(
        float((np.abs(v) / natural).max(initial=0.0)),
        float(np.sqrt((np.abs(a) / natural).max(initial=0.0))),
        1.0,
    )
    h = STRIDE / rate
    origins, R = np.zeros((5, 1 + len(T.bodies), 3)), np.zeros((5, 1 + len(T.bodies), 3, 3))
    origins[:, 0], R[:, 0] = now.at.origins[0], now.at.R[0]
    for n, s in enumerate((-2 * h, -h, 0.0, h, 2 * h)):
        y = now.state.copy()
        move(y, T, v * s + 0.5 * a * s**2)
        for b, node in enumerate(T.bodies[:, k.B_NODE], 1):
            rotated = T.node[node, :9].reshape(3, 3)
            origins[n, b] = (
                T.node[node, k.O : k.O + 3] + rotated @ T.body_const[b - 1, k.BP : k.BP + 3]
            )
            R[n, b] = rotated @ T.body_const[b - 1, :9].reshape(3, 3)
    return Nearby(origins, R, h, rate)


def disagreement(found: np.ndarray, expected: np.ndarray, size: float, rate: float) -> float:
    """Largest difference between two sets of vectors of one kind, over the largest of them.

    Where all are small beside what the mechanism does (size times rate, or rate^2), a thousandth of
    that is what the difference is taken of.
    """
    largest = max(
        float(np.abs(found).max(initial=0.0)),
        float(np.abs(expected).max(initial=0.0)),
        1e-3 * size * rate,
    )
    return float(np.abs(found - expected).max(initial=0.0)) / largest
