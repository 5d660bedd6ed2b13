"""The shape of a Geneva drive, to size: slots of the wheel, pin and locking disc of the crank."""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.joints.coupling_axes import base_of, moving_frame
from mechstudio.model.joints.drawn_coordinates import drawn_coordinate
from mechstudio.model.laws.evaluation import GENEVA, geneva_of
from mechstudio.model.mechanism import Coupling, Mechanism

PARALLEL = 1e-6  # least sine of two axes that are not parallel
WIDTH = 0.12  # of a slot, over the radius of the crank
DISC = 0.78  # radius of the locking disc, over that of the crank
MOST_SLOTS = 100  # of a wheel that is drawn
_ARC = 12  # pieces of a round part


class GenevaShape(NamedTuple):
    """slots: their number.  inner: slots inside the wheel.  far: distance of the axes [m].  pin:
    centre of the pin (3,) in the crank's frame [m].  slot: unit vector (3,) along a slot in the
    wheel's frame.
    """

    slots: int
    inner: bool
    far: float
    pin: np.ndarray
    slot: np.ndarray

    @property
    def crank(self) -> float:
        """Radius of the crank [m]."""
        return self.far * math.sin(math.pi / self.slots)


def geneva_shape(m: Mechanism, coupling: Coupling) -> GenevaShape | None:
    """The shape of a Geneva drive as drawn; None where its axes are not parallel or are one,
    or where the slots are too many to be drawn."""
    if coupling.law is None or coupling.law.type not in GENEVA:
        return None
    drive = geneva_of(coupling.law)
    if not abs(drive.step) > 1.999 * math.pi / MOST_SLOTS:
        return None
    joints = [m.joints[end.joint] for end in coupling.ends]
    crank, wheel = (m.frame_in_world(joint.frame_a) for joint in joints)
    base = base_of(m, coupling.ends)
    own = [moving_frame(joint, base) for joint in joints]
    senses = [1.0 if f is joint.frame_b else -1.0 for f, joint in zip(own, joints, strict=True)]
    z, w = (np.array(matrix(q))[:, 2] * s for (_, q), s in zip((crank, wheel), senses, strict=True))
    line = np.array(crank[0]) - np.array(wheel[0])
    line -= (line @ z) * z
    far = float(np.linalg.norm(line))
    if np.linalg.norm(np.cross(z, w)) > PARALLEL or far < PARALLEL * m.size():
        return None
    end = coupling.ends[0]
    gone = (drawn_coordinate(m, end.joint, end.coordinate) - drive.begin) % (2.0 * math.pi)
    engaged, e = drive.end - drive.begin, line / far
    phi = gone - 0.5 * engaged
    turned = lambda a: math.cos(a) * e + math.sin(a) * np.cross(z, e)
    angle = -math.atan2(drive.ratio * math.sin(phi), 1.0 - drive.ratio * math.cos(phi))
    slots = round(2.0 * math.pi / abs(drive.step))
    if gone >= engaged:
        angle = math.pi / slots
    inward = [np.array(matrix(m.frame_in_world(f)[1])).T for f in own]
    return GenevaShape(
        slots,
        drive.ratio < 0.0,
        far,
        inward[0] @ (-drive.ratio * far * turned(phi)),
        inward[1] @ turned(angle),
    )


def wheel_outline(shape: GenevaShape, rim: float = 0.0) -> np.ndarray:
    """A closed outline (k, 2) of the wheel about its axis, a slot along x [m]: an outer one with
    the hollows in which the disc of the crank holds it, an inner one of the space within a rim.

    rim: radius of the space between the slots of an inner wheel [m]; 0 for up to their mouths.
    """
    half, crank = math.pi / shape.slots, shape.crank
    wide, mouth = 0.5 * WIDTH * crank, rim or shape.far * math.cos(half)
    foot = shape.far + crank if shape.inner else shape.far - crank
    side = 1.0 if shape.inner else -1.0
    bend = -0.5 * math.pi + side * np.linspace(0.0, math.pi, _ARC + 1)
    mouth = math.sqrt(max(mouth**2 - wide**2, 0.0))
    bottom = np.column_stack([foot + wide * np.cos(bend), wide * np.sin(bend)])
    slot = np.concatenate([[[mouth, -wide]], bottom, [[mouth, wide]]])
    if shape.inner:
        between = _arc(np.zeros(2), math.hypot(mouth, wide), 0.0, 2.0 * half, wide)[1:-1]
    else:
        disc = DISC * crank
        opening = math.acos(
            min(1.0, (shape.far**2 + disc**2 - mouth**2 - wide**2) / (2.0 * shape.far * disc))
        )
        middle = shape.far * np.array([math.cos(half), math.sin(half)])
        turn = half + math.pi + np.linspace(opening, -opening, 2 * _ARC + 1)
        between = middle + disc * np.column_stack([np.cos(turn), np.sin(turn)])
    parts = []
    for k in range(shape.slots):
        c, s = math.cos(2.0 * half * k), math.sin(2.0 * half * k)
        parts.append(np.concatenate([slot, between]) @ np.array([[c, s], [-s, c]]))
    ring = np.concatenate(parts)
    return np.concatenate([ring, ring[:1]])


def disc_outline(shape: GenevaShape) -> np.ndarray:
    """The round part (k, 2) of the locking disc about the crank's axis, the pin along x [m]; it
    faces an outer wheel while that stands still.
    """
    still = 0.5 * math.pi + math.pi / shape.slots
    turn = math.pi + np.linspace(-still, still, 4 * _ARC + 1)
    return DISC * shape.crank * np.column_stack([np.cos(turn), np.sin(turn)])


def _arc(middle: np.ndarray, radius: float, begin: float, end: float, gap: float) -> np.ndarray:
    """Points (k, 2) of an arc, with a gap [m] left at both ends."""
    left = math.asin(min(1.0, gap / radius))
    turn = np.linspace(begin + left, end - left, 2 * _ARC + 1)
    return middle + radius * np.column_stack([np.cos(turn), np.sin(turn)])
