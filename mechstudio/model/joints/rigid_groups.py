"""Bodies that joints without freedoms fix to each other."""

from collections.abc import Mapping

from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


def rigid_groups(mechanism: Mechanism) -> Mapping[str, frozenset[str]]:
    """The group of each body that is fixed to others, with all of these."""
    found: dict[str, frozenset[str]] = {}
    for joint in mechanism.joints.values():
        if JOINT_TYPES[joint.type].dof == 0:
            ends = joint.frame_a.body, joint.frame_b.body
            group = frozenset(ends).union(*(found.get(id, ()) for id in ends))
            found |= dict.fromkeys(group, group)
    return found


def rigid_group(mechanism: Mechanism, body: str) -> frozenset[str]:
    """A body and all that joints without freedoms hold to it."""
    return rigid_groups(mechanism).get(body, frozenset({body}))
