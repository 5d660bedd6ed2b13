"""Coordinates of joints as drawn."""

import math

from mechstudio.model.geometry.rotation import conjugate, multiply, rotate
from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


def drawn_coordinate(mechanism: Mechanism, id: str, component: int) -> float:
    """A joint's coordinate [m or rad] at the drawn poses of its bodies, on the turn that its typed
    value chooses; the way along a curve as typed, 0 where there is none.
    """
    joint = mechanism.joints.get(id)
    if joint is None or not 0 <= component < JOINT_TYPES[joint.type].dof:
        return 0.0
    (p, attitude), (r, other) = (
        mechanism.frame_in_world(f) for f in (joint.frame_a, joint.frame_b)
    )
    d = rotate(conjugate(attitude), (r[0] - p[0], r[1] - p[1], r[2] - p[2]))
    typed = joint.values[component].value if component < len(joint.values) else 0.0
    value = readings(joint, d, multiply(conjugate(attitude), other))[component]
    if value is None:
        return typed
    if JOINT_TYPES[joint.type].coordinates[component].dimension == "angle" and component < len(
        joint.values
    ):
        value += 2 * math.pi * round((typed - value) / (2 * math.pi))
    return value
