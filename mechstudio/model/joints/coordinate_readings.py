"""Readings of a joint's coordinates at a relative pose, for drawing and for first values; the
engine has its own for whole runs.

The relative attitude of B in A's axes is taken apart in the order of the joint's motions
(model/types/joints.py): of R = Rz(a) Ry(b) Rx(c) and the like each angle is read off the entries
that hold it alone.
"""

import math

from mechstudio.model.geometry.rotation import (
    Quaternion,
    Triple,
    about,
    conjugate,
    matrix,
    multiply,
    to_angles,
)
from mechstudio.model.mechanism import Joint
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    X,
    Z,
)

_AXES: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def readings(joint: Joint, d: Triple, q: Quaternion) -> tuple[float | None, ...]:
    """Principal values [m or rad], one per coordinate; None for the way along a curve, which only
    the curve can tell.

    d: origin of B in A's axes [m].   q: attitude of B in A's axes.
    """
    motions = JOINT_TYPES[joint.type].motions
    if any(kind == HALF for kind, _ in motions):
        # R = Rx(a / 2) Ry(b) Rx(a / 2) as a quaternion: (cos(b / 2) cos(a / 2), cos(b / 2) sin(a /
        # 2), sin(b / 2), 0)
        w, x, y, _ = q
        return (
            (2.0 * math.atan2(x, w) if w or x else 0.0, 2.0 * math.atan2(y, math.hypot(w, x)))
            if w >= 0
            else readings(joint, d, (-w, -x, -y, -q[3]))
        )
    if ((TURN, X) in motions and (ROD, 1) in motions) or any(
        kind == QUARTER for kind, _ in motions
    ):
        return _rolling(joint, d, q)
    if motions[:1] == ((LIFT, Z),):
        return _flat_face(d, q)
    out: list[float | None] = []
    rest = q
    if any(kind == ROD for kind, _ in motions):
        azimuth, elevation = math.atan2(d[1], d[0]), math.atan2(-d[2], math.hypot(d[0], d[1]))
        out += [azimuth, elevation]
        rest = multiply(
            conjugate(multiply(about(_AXES[2], azimuth), about(_AXES[1], elevation))), q
        )
        motions = motions[3:]
    turns = [(kind, axis) for kind, axis in motions if kind not in (SLIDE, TRACK)]
    out += [d[axis] if kind == SLIDE else None for kind, axis in motions if kind in (SLIDE, TRACK)]
    return (*out, *_angles(turns, rest))


def drawn_values(joint: Joint, d: Triple, q: Quaternion) -> tuple[float, ...]:
    """Coordinates of a joint [m or rad] that is drawn so: angles on the turn that its typed values
    choose, else in (-180, 180] degrees; the way along a curve as typed, 0 where it is not.
    """
    kind = JOINT_TYPES[joint.type]
    typed = [x.value for x in joint.values] if len(joint.values) == kind.dof else None
    out: list[float] = []
    for k, (value, c) in enumerate(zip(readings(joint, d, q), kind.coordinates, strict=True)):
        if value is None:
            value = 0.0 if typed is None else typed[k]
        elif c.dimension == "angle":
            # one drawn at 180 degrees is read as +180 whatever the last bit says
            near = 1e-9 if typed is None else typed[k]
            value = near + math.remainder(value - near, 2.0 * math.pi)
        out.append(value)
    return tuple(out)


def thread_constant(joint: Joint, slide: float, angle: float) -> float:
    """Constant of a screw's thread [m]: its slide along z of A less pitch / 2 pi times its angle
    [rad].  A screw goes on from where it was drawn, as couplings and drives do.
    """
    return slide - joint.parameters["pitch"].value / (2.0 * math.pi) * angle


def _flat_face(d: Triple, q: Quaternion) -> tuple[float, float, float, float]:
    """Angle, x, z and turn of a flat face: R = Rz(angle) Ry(turn)."""
    R = matrix(q)
    angle = math.atan2(-R[0][1], R[1][1])
    cosine, sine = math.cos(angle), math.sin(angle)
    x, z = (cosine * R[0][k] + sine * R[1][k] for k in (X, Z))
    return angle, cosine * d[0] + sine * d[1], d[2], math.atan2(z, x)


def _angles(turns: list[tuple[str, int]], q: Quaternion) -> list[float]:
    if turns and turns[0][0] == BALL:
        return list(to_angles(q))
    R = matrix(q)
    if turns == [(TURN, Z), (TURN, X)]:
        return [math.atan2(R[1][0], R[0][0]), math.atan2(R[2][1], R[2][2])]
    assert all(kind in (TURN, HELIX) for kind, _ in turns)
    assert len(turns) <= 1
    return [math.remainder(2.0 * math.atan2(q[1 + axis], q[0]), 2.0 * math.pi) for _, axis in turns]


def _rolling(joint: Joint, d: Triple, q: Quaternion) -> tuple[float, ...]:
    """The centre is at (x, y, 0) + Rz(heading) Rx(lean) radius e_y; the axis z of B is (sin heading
    sin lean, -cos heading sin lean, cos lean).
    """
    R, radius = matrix(q), joint.parameters["radius"].value
    heading, lean = math.atan2(R[0][2], -R[1][2]), math.atan2(math.hypot(R[0][2], R[1][2]), R[2][2])
    spin, reach = math.atan2(R[2][0], R[2][1]), radius * math.cos(lean)
    if any(kind == QUARTER for kind, _ in JOINT_TYPES[joint.type].motions):
        return (d[0], d[1], heading, spin)
    return (d[0] + reach * math.sin(heading), d[1] - reach * math.cos(heading), heading, lean, spin)
