"""The Geneva drive: the angle of a slotted wheel over the angle of the crank whose pin turns it.

The axes are a distance c apart, and the pin runs on a circle of radius a.  It enters a slot along
that slot, so that a = c sin(pi / n) with n slots.  While it is in a slot, the slot points to it.
For the rest of the turn the wheel stands still.
"""

import math
from typing import NamedTuple

from mechstudio.model.formulas.jets import Jet

FEWEST_SLOTS = 3


class Geneva(NamedTuple):
    """Numbers of a Geneva drive.

    begin, end: angles of the crank at which the pin enters a slot and leaves it [rad].  step: turn
    of the wheel per turn of the crank [rad].  sense: 1 for axes that point alike, -1 for opposite
    ones.  ratio: a / c, negative where the slots are inside the wheel.
    """

    begin: float
    end: float
    step: float
    sense: float
    ratio: float


def geneva_numbers(slots: float, middle: float, inner: bool) -> Geneva:
    """Numbers of a drive.  slots: their number, negative for axes of opposite directions.  middle:
    angle of the crank at which the pin is half way through a slot [rad].  inner: whether the slots
    are inside the wheel, which then turns with the crank.  Fewer than three slots, which the check
    of a law refuses, count as three.
    """
    sense, half = math.copysign(1.0, slots), math.pi / max(abs(slots), FEWEST_SLOTS)
    side = -1.0 if inner else 1.0
    engaged = math.pi - side * 2.0 * half
    return Geneva(
        middle - 0.5 * engaged,
        middle + 0.5 * engaged,
        -sense * side * 2.0 * half,
        sense,
        side * math.sin(half),
    )


def geneva_jet(drive: Geneva, angle: float) -> Jet:
    """Angle of the wheel [rad] at an angle of the crank [rad], and its two derivatives; 0 where the
    pin enters the first slot.  At a corner those of the part that begins there.
    """
    turns = math.floor((angle - drive.begin) / (2.0 * math.pi))
    at = angle - 2.0 * math.pi * turns
    if at >= drive.end:
        return drive.step * (turns + 1.0), 0.0, 0.0
    phi, m = at - 0.5 * (drive.begin + drive.end), drive.ratio
    s, c = math.sin(phi), math.cos(phi)
    apart = 1.0 + m * (m - 2.0 * c)
    return (
        drive.step * (turns + 0.5) - drive.sense * math.atan2(m * s, 1.0 - m * c),
        -drive.sense * m * (c - m) / apart,
        drive.sense * m * s * (1.0 - m * m) / (apart * apart),
    )
