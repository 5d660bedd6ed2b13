"""The spanning tree of a drawing: which joints carry bodies and which close loops.  A pure function
of the mechanism.

The tree grows from ground, joint by joint; of equal ones that which was drawn first carries.
Bodies that no joint with motions reaches hang on six free coordinates.

Solver and equations need different trees.  The solver's has the fewest coordinates, and so the
fewest rows, then the shortest chains; it does not look at forces: a state keeps its layout when a
motor is added.  That of the equations lets loads act on coordinates, and has the fewest coordinates
between each body and ground, since each of them multiplies the terms.
"""

from collections.abc import Collection
from heapq import heappop, heappush

import msgspec

from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


class Branch(msgspec.Struct, frozen=True):
    """Branch of the tree that carries one body.

    parent: body nearer to ground.  joint: the joint in between, "" for six free coordinates (then
    the parent is ground).
    reversed: the joint's frame A lies on this body, so its motions are walked backwards.
    """

    body: str
    parent: str
    joint: str = ""
    reversed: bool = False


class Tree(msgspec.Struct, frozen=True):
    """branches: one per moving body, parents first.  closing: joints that close loops or
    only hold by rows, in file order.
    """

    branches: tuple[Branch, ...]
    closing: tuple[str, ...]

    @property
    def joints(self) -> frozenset[str]:
        """The joints that carry bodies."""
        return frozenset(b.joint for b in self.branches if b.joint)


def spanning_tree(
    mechanism: Mechanism,
    tree_joints: Collection[str] = (),
    excluded: Collection[str] = (),
    short: bool = False,
) -> Tree:
    """The tree of a mechanism all of whose joints stand on bodies that exist.

    tree_joints: joints that shall carry bodies wherever they can.  excluded: joints that carry
    none.
    short: count the coordinates of the whole way from ground, not of the joint alone.
    """
    neighbours: dict[str, list[tuple[int, Joint]]] = {id: [] for id in (GROUND, *mechanism.bodies)}
    for order, (id, joint) in enumerate(mechanism.joints.items()):
        a, b = joint.frame_a.body, joint.frame_b.body
        if JOINT_TYPES[joint.type].tree and a != b and id not in excluded:
            neighbours[a].append((order, joint))
            neighbours[b].append((order, joint))
    branches: list[Branch] = []
    # coordinates and joints between a body and ground
    way = {GROUND: (0, 0)}
    waiting: list[tuple[bool, int, int, int, str, bool]] = []

    def reach(body: str) -> None:
        coordinates, depth = way[body]
        for order, joint in neighbours[body]:
            reversed = joint.frame_a.body != body
            if ends(joint, reversed)[1] not in way:
                dof = JOINT_TYPES[joint.type].dof
                cost, level = (coordinates + dof, 0) if short else (dof, depth)
                loaded = joint.id not in tree_joints
                heappush(waiting, (loaded, cost, level, order, joint.id, reversed))

    for root in (GROUND, *mechanism.bodies):
        if root not in way:
            branches.append(Branch(root, GROUND))
            way[root] = (0, 1)
        elif root != GROUND:
            continue
        reach(root)
        while waiting:
            *_, id, reversed = heappop(waiting)
            joint = mechanism.joints[id]
            parent, body = ends(joint, reversed)
            if body not in way:
                coordinates, depth = way[parent]
                way[body] = (coordinates + JOINT_TYPES[joint.type].dof, depth + 1)
                branches.append(Branch(body, parent, id, reversed))
                reach(body)
    carrying = {b.joint for b in branches}
    closing = tuple(id for id in mechanism.joints if id not in carrying)
    return Tree(tuple(branches), closing)


def ends(joint: Joint, reversed: bool) -> tuple[str, str]:
    """Bodies of a joint, the one nearer to ground first."""
    a, b = joint.frame_a.body, joint.frame_b.body
    return (b, a) if reversed else (a, b)


def equation_tree(mechanism: Mechanism) -> Tree:
    """The tree of the equations, whose closing joints the structure names too: joints carry
    wherever they can that a force acts on, or whose coordinate is the arc length of a curve.
    """
    curves = {id for id, joint in mechanism.joints.items() if curve_of(joint) is not None}
    loaded = {force.joint for force in mechanism.forces.values()}
    return spanning_tree(mechanism, curves | loaded, short=True)
