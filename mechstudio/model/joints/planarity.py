"""Planarity of a mechanism's joints: rotations about parallel axes, slides across them."""

from collections.abc import Iterable

from mechstudio.model.geometry.rotation import Triple, rotate
from mechstudio.model.geometry.work_plane import cross
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES, SLIDE, TURN

PARALLEL = 1e-6  # of unit vectors

_AXES: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def is_planar(mechanism: Mechanism, joints: Iterable[Joint]) -> bool:
    """True if these joints, as drawn, only let bodies move in parallel planes, so that what they
    prevent besides is prevented many times.
    """
    turns: list[Triple] = []
    slides: list[Triple] = []
    for joint in joints:
        q = mechanism.frame_in_world(joint.frame_a)[1]
        for kind, axis in JOINT_TYPES[joint.type].motions:
            if kind not in (TURN, SLIDE):
                return False
            (turns if kind == TURN else slides).append(rotate(q, _AXES[axis]))
    if not turns:
        return False
    normal = turns[0]
    return all(_size(cross(normal, t)) < PARALLEL for t in turns) and all(
        abs(sum(a * b for a, b in zip(normal, s))) < PARALLEL for s in slides
    )


def _size(v: Triple) -> float:
    return sum(c * c for c in v) ** 0.5
