"""Joints as chains of turns, slides and balls that carry one body from another, as formats with a
tree of bodies have them.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Quaternion,
    Triple,
    about,
    compose,
    conjugate,
    from_angles,
    rotate,
)
from mechstudio.model.joints.coordinate_readings import drawn_values
from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.tree import Tree, spanning_tree
from mechstudio.model.types.joints import (
    BALL,
    HELIX,
    JOINT_TYPES,
    SLIDE,
    TURN,
)

HELD = frozenset((TURN, SLIDE, BALL, HELIX))  # motions that are turns, slides and balls
_AXES: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
ORIGIN: Triple = (0.0, 0.0, 0.0)


class Step(NamedTuple):
    """One motion of a chain.

    kind: TURN, SLIDE or BALL.  axis: unit, in the body's axes; point: in them [m], where it acts
    at the drawn pose.  coordinate: of the joint, -1 for the slide of a screw; BALL is the first of
    three.  value: of the coordinate at the drawn pose [rad or m].  attitude: of frame, in the
    body's axes.
    """

    kind: str
    axis: Triple
    point: Triple
    coordinate: int
    value: float
    attitude: Quaternion


def is_chain(type: str) -> bool:
    """True if a joint of a type is a chain of turns, slides and balls and nothing else."""
    kind = JOINT_TYPES[type]
    return (
        kind.tree
        and not kind.rolling
        and not kind.has_track
        and all(motion in HELD for motion, _ in kind.motions)
    )


def inverse(pose: Pose) -> Pose:
    """The pose backwards."""
    q = conjugate(pose[1])
    x, y, z = rotate(q, pose[0])
    return ((-x, -y, -z), q)


def drawn_poses(mechanism: Mechanism, poses: Mapping[str, Pose] | None) -> dict[str, Pose]:
    """Pose of every body and ground in W: those given, else as drawn."""
    out = {id: body.placement.pose for id, body in mechanism.bodies.items()} | dict(poses or {})
    return out | {GROUND: mechanism.ground.placement.pose}


def coordinate_values(
    mechanism: Mechanism, joint: Joint, poses: Mapping[str, Pose]
) -> tuple[float, ...]:
    """Coordinates of a chain at poses of the bodies, with the turns that were typed [rad or m]."""
    return drawn_values(joint, *_apart(mechanism, joint, poses))


def _apart(mechanism: Mechanism, joint: Joint, poses: Mapping[str, Pose]) -> Pose:
    """Pose of frame B in A's axes."""
    a, b = (
        compose(poses[frame.body], mechanism.frame_in_body(frame))
        for frame in (joint.frame_a, joint.frame_b)
    )
    return compose(inverse(a), b)


def chain(
    mechanism: Mechanism, joint: Joint, reversed: bool, poses: Mapping[str, Pose]
) -> list[Step]:
    """Motions that carry a body, in their order from the other one on.  reversed: the body is that
    of frame A.
    """
    values = coordinate_values(mechanism, joint, poses)
    moves: list[tuple[str, Triple, int, float, Pose]] = []
    k = 0
    for motion, axis in JOINT_TYPES[joint.type].motions:
        e = _AXES[axis]
        if motion == BALL:
            moves.append((BALL, e, k, 0.0, (ORIGIN, from_angles(*values[k : k + 3]))))
            k += 3
            continue
        x = values[k]
        if motion in (TURN, HELIX):
            moves.append((TURN, e, k, x, (ORIGIN, about(e, x))))
        if motion in (SLIDE, HELIX):
            # a nut stands where it is drawn, which its thread need not pass at angle zero
            along = _apart(mechanism, joint, poses)[0][axis] if motion == HELIX else x
            moves.append(
                (
                    SLIDE,
                    e,
                    -1 if motion == HELIX else k,
                    along,
                    ((along * e[0], along * e[1], along * e[2]), IDENTITY),
                )
            )
        k += 1
    frame = joint.frame_a if reversed else joint.frame_b
    at = mechanism.frame_in_body(frame)
    # backwards every motion is undone: the same coordinate along the opposite axis
    ordered = moves if not reversed else moves[::-1]
    out: list[Step] = []
    for kind, e, coordinate, value, move in ordered[::-1]:
        sign = -1.0 if reversed else 1.0
        x, y, z = rotate(at[1], e)
        out.append(Step(kind, (sign * x, sign * y, sign * z), at[0], coordinate, value, at[1]))
        at = compose(at, move if reversed else inverse(move))
    return out[::-1]


def carrying_tree(mechanism: Mechanism, excluded: Iterable[str], preferred: Iterable[str]) -> Tree:
    """Spanning tree whose joints are chains.  preferred: carry wherever they can."""
    left = {id for id, joint in mechanism.joints.items() if not is_chain(joint.type)}
    return spanning_tree(mechanism, tuple(preferred), left | set(excluded))
