"""Placements at new poses: numbers that change are plain ones without the last digits of a sum, and
numbers that stay keep their texts.
"""

import math

import msgspec

from mechstudio.model.edits.links import frame_at
from mechstudio.model.geometry.rotation import Pose, Triple, conjugate, multiply, to_angles
from mechstudio.model.mechanism import Frame, Mechanism, Placement
from mechstudio.model.quantity import Quantity, Vector, values

replace = msgspec.structs.replace

SAME = 2e-15  # of the mechanism's size: a number that differs by rounding only
SAME_ANGLE = 2e-14  # rad


def settled(m: Mechanism, frame: Frame, at: Pose, size: float) -> Frame:
    """A frame of the same body that stands at a pose of W, by a named point if one is there;
    numbers that stay keep their texts.  size: of the mechanism [m].
    """
    new = frame_at(m, frame.body, at[0], at[1], 1e-9 * size)
    pose = (
        values(new.placement.position),
        multiply(conjugate(m.body(frame.body).placement.quaternion), at[1]),
    )
    old = (
        frame.placement
        if new.point == frame.point
        else Placement(orientation=frame.placement.orientation)
    )
    return replace(frame, point=new.point, placement=renumbered(old, pose, size))


def renumbered(old: Placement, pose: Pose, size: float) -> Placement:
    """A placement at a pose; numbers that stay, apart from rounding, keep their texts."""
    # what is only rounding would show a turn about one axis as three
    w, x, y, z = (c if abs(c) > 1e-15 else 0.0 for c in pose[1])
    angles = to_angles((w, x, y, z))
    return Placement(
        kept(old.position, pose[0], SAME * size, size),
        kept(old.orientation, angles, SAME_ANGLE, 1.0),
    )


def kept(old: Vector, new: Triple, tolerance: float, size: float) -> Vector:
    """New components; those that stay within the tolerance keep their texts."""
    return tuple(
        q if abs(q.value - x) <= tolerance else Quantity(tidy(x, size)) for q, x in zip(old, new)
    )  # type: ignore[return-value]


def tidy(x: float, size: float) -> float:
    """Without the last digits of a sum, which are rounding: 0.22 for 0.22000000000000003."""
    return round(x, 15 - math.floor(math.log10(max(size, abs(x))))) + 0.0
