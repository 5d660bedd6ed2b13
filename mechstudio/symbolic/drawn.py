"""Coordinates of joints as drawn, for the constants of couplings and drives."""

import math

from mechstudio.model.joint_types import HELIX, JOINT_TYPES, QUARTER, ROD, SLIDE, TURN, X, Z
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.rotation import conjugate, matrix, multiply, rotate


def drawn_coordinate(mechanism: Mechanism, id: str, component: int) -> float:
    """A joint's coordinate [m or rad] at the drawn poses of its bodies, on the turn that its typed value chooses; 0 where it cannot be read."""
    joint = mechanism.joints.get(id)
    if joint is None or not 0 <= component < JOINT_TYPES[joint.type].dof:
        return 0.0
    value = _read(mechanism, joint).get(component, 0.0)
    if JOINT_TYPES[joint.type].coordinates[component].dimension == "angle" and component < len(joint.values):
        value += 2 * math.pi * round((joint.values[component].value - value) / (2 * math.pi))
    return value


def _read(mechanism: Mechanism, joint: Joint) -> dict[int, float]:
    (p, attitude), (r, other) = (mechanism.frame_in_world(f) for f in (joint.frame_a, joint.frame_b))
    d = rotate(conjugate(attitude), (r[0] - p[0], r[1] - p[1], r[2] - p[2]))
    R = matrix(multiply(conjugate(attitude), other))
    motions = JOINT_TYPES[joint.type].motions
    moving = [(motion, axis) for motion, axis in motions if motion not in (ROD, QUARTER)]
    turns = tuple(axis for motion, axis in motions if motion in (TURN, HELIX, QUARTER))
    angles: tuple[float, ...] = ()
    if turns == (Z,):
        angles = (math.atan2(R[1][0] - R[0][1], R[0][0] + R[1][1]),)
    elif turns == (Z, X):
        angles = (math.atan2(R[1][0], R[0][0]), math.atan2(R[2][1], R[2][2]))
    elif turns == (Z, X, Z):
        # Rz(heading) Rx(lean) Rz(spin)
        angles = (math.atan2(R[0][2], -R[1][2]), math.atan2(math.hypot(R[0][2], R[1][2]), R[2][2]), math.atan2(R[2][0], R[2][1]))
        angles = angles if QUARTER not in (m for m, _ in motions) else (angles[0], angles[2])
    out: dict[int, float] = {}
    read = iter(angles)
    for k, (motion, axis) in enumerate(moving):
        if motion == SLIDE and ROD not in (m for m, _ in motions):
            out[k] = d[axis]
        elif motion in (TURN, HELIX) and angles:
            out[k] = next(read)
    return out
