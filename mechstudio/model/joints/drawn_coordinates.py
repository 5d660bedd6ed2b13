"""Coordinates of joints as drawn, and what screws hold constant there."""

from mechstudio.model.geometry.rotation import Quaternion, Triple, conjugate, multiply, rotate
from mechstudio.model.joints.coordinate_readings import drawn_values, thread_constant
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES, Z


def drawn_coordinate(mechanism: Mechanism, id: str, component: int) -> float:
    """A joint's coordinate [m or rad] at the drawn poses of its bodies, on the turn that its typed
    value chooses; the way along a curve as typed, 0 where there is none.
    """
    joint = mechanism.joints.get(id)
    if joint is None or not 0 <= component < JOINT_TYPES[joint.type].dof:
        return 0.0
    return drawn_values(joint, *_apart(mechanism, joint))[component]


def drawn_thread_constant(mechanism: Mechanism, joint: Joint) -> float:
    """Constant of a screw's thread as drawn [m]."""
    d, _ = _apart(mechanism, joint)
    return thread_constant(joint, d[Z], drawn_coordinate(mechanism, joint.id, 0))


def _apart(mechanism: Mechanism, joint: Joint) -> tuple[Triple, Quaternion]:
    """Origin [m] and attitude of frame B in A's axes, as drawn."""
    (p, attitude), (r, other) = (
        mechanism.frame_in_world(f) for f in (joint.frame_a, joint.frame_b)
    )
    back = conjugate(attitude)
    return rotate(back, (r[0] - p[0], r[1] - p[1], r[2] - p[2])), multiply(back, other)
