"""Defects of synthesised linkages: points out of order, on another circuit, or beyond a dead
centre (Balli and Chand, Mechanism and Machine Theory 37 (2002) 1011-1033).
"""

import numpy as np

from mechstudio.synthesis.linkages import Linkage
from mechstudio.translation import Words

FINE = 0.5  # [deg] between the crank angles that are examined
TIGHT = 0.02  # sine between the links of a dyad below which they count as stretched

NONE: Words = (
    "No linkage was found without defects: allow a smaller transmission angle, another type, or "
    "more room."
)
ORDER, CIRCUIT, TURN = "order", "circuit", "turn"


def ordered(angles: np.ndarray, closed: bool = False) -> np.ndarray | None:
    """Crank angles (k,) that ascend or descend from the first through at most one turn, equal to
    those given but for whole turns; None where they come in another order.
    """
    angles = np.asarray(angles, float)
    for way in (1.0, -1.0):
        steps = np.mod(way * np.diff(angles), 2 * np.pi)
        most = 2 * np.pi * (1 - 1e-9)
        if closed:
            steps_back = np.mod(way * (angles[0] - angles[-1]), 2 * np.pi)
            fits = steps.sum() + steps_back <= 2 * np.pi * (1 + 1e-9)
        else:
            fits = steps.sum() <= most
        if fits:
            return np.concatenate(([angles[0]], angles[0] + way * np.cumsum(steps)))
    return None


def defect(linkage: Linkage, turn: bool = False, closed: bool = False) -> str:
    """The first defect of a linkage at its crank angles: ORDER of the points, CIRCUIT where the
    crank cannot go from each to the next, TURN where it cannot turn all the way round and must; ""
    without one.  turn: it must.  closed: the last point leads to the first again.
    """
    angles = ordered(linkage.angles, closed)
    if angles is None:
        return ORDER
    if turn or closed:
        return "" if _least_room(linkage, 0.0, 2 * np.pi) > TIGHT else TURN
    if len(angles) > 1 and _least_room(linkage, angles[0], angles[-1]) <= TIGHT:
        return CIRCUIT
    return "" if linkage.place(angles).room.min() > 0.0 else CIRCUIT


def _least_room(linkage: Linkage, start: float, end: float) -> float:
    count = max(3, int(np.ceil(abs(end - start) / np.radians(FINE))) + 1)
    return float(linkage.place(np.linspace(start, end, count)).room.min())


def transmission(linkage: Linkage, turn: bool = False) -> float:
    """Least sine of the transmission angles between the first point and the last, or over a whole
    turn.
    """
    angles = ordered(linkage.angles)
    if turn or angles is None:
        return _least_room(linkage, 0.0, 2 * np.pi)
    return _least_room(linkage, float(angles[0]), float(angles[-1]))
