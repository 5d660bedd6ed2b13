"""Choice between the angles of joints and those of links in their plane."""

from mechstudio.model.joints.planarity import is_planar
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.tree import Tree
from mechstudio.model.types.joints import BALL, JOINT_TYPES, LIFT, TURN

JOINT_ANGLES = 3  # hinges in a row up to which an open chain is read in the angles of its joints
LINK_ANGLES = 15  # hinges in a row beyond which no angles have a closed form that is written out


def is_hinge(joint: Joint) -> bool:
    """True for a joint whose only turn is about one axis."""
    motions = [m for m, _ in JOINT_TYPES[joint.type].motions]
    return motions.count(TURN) == 1 and BALL not in motions and LIFT not in motions


def takes_links(mechanism: Mechanism, tree: Tree) -> bool:
    """True if the angles of links make the shorter equations: where loops close, so that their rows
    are vector loops, and along open planar chains of many hinges, whose M has terms of two links
    each instead of all between them.
    """
    if tree.closing:
        return True
    hinges: dict[str, int] = {}
    for b in tree.branches:
        hinge = bool(b.joint) and is_hinge(mechanism.joints[b.joint])
        hinges[b.body] = hinges.get(b.parent, 0) + hinge
    in_a_row = max(hinges.values(), default=0)
    return JOINT_ANGLES < in_a_row <= LINK_ANGLES and is_planar(
        mechanism, mechanism.joints.values()
    )
