"""Neighbours of copies: whether a body that is not copied can hold a joint of a copy."""

import math

from mechstudio.model.edits.patterns.movement import Movement
from mechstudio.model.geometry.rotation import Triple, compose, conjugate, minus, plus, rotate
from mechstudio.model.geometry.work_plane import cross, dot, unit
from mechstudio.model.mechanism import GROUND, Mechanism

NEAR = 0.1  # of a body's longest extent: a joint so far off its shapes is still on it


def reaches(m: Mechanism, body: str, place: Triple) -> bool:
    """True if a body has material at a place [m, W]; the ground and bodies without shapes have it
    everywhere.
    """
    owner = m.body(body)
    if body == GROUND or not owner.shapes:
        return True
    for shape in owner.shapes:
        position, q = compose(owner.placement.pose, shape.placement.pose)
        hull = shape.form.hull()
        extent = max((max(c) - min(c) for c in zip(*hull)), default=0.0)
        if shape.form.holds(rotate(conjugate(q), minus(place, position)), NEAR * extent):
            return True
    return False


def on_axis(movement: Movement, place: Triple) -> Triple | None:
    """The point [m, W] of the axis of a turn that is nearest to a place; None for a shift."""
    position, q = movement.pose
    axis = unit((q[1], q[2], q[3]))
    half = math.hypot(q[1], q[2], q[3])
    if axis is None or half < 1e-12:
        return None
    across = plus(position, axis, -dot(position, axis))
    # of the fixed point: c = (s + n x s cot(angle / 2)) / 2
    turned = cross(axis, across)
    center = tuple(0.5 * (a + b * q[0] / half) for a, b in zip(across, turned))
    x, y, z = center
    return plus((x, y, z), axis, dot(place, axis))
