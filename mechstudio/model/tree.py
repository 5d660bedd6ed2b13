"""The spanning tree of a drawing: which joints carry bodies and which close loops.  A pure function
of the mechanism.

The tree grows from ground: a joint on which a motor or a torsion spring acts comes first, so that
the load acts on a coordinate; then that with the fewest coordinates, so that the fewest rows are
left; then that nearest to ground, so that chains are short and a loop closes far from ground; then
that which was drawn first.  Bodies that no joint with motions reaches hang on six free coordinates.
Solver, equations, mobility and sentences read this one tree.
"""

from collections.abc import Collection
from heapq import heappop, heappush

import msgspec

from mechstudio.model.mechanism import GROUND, Mechanism
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
    """branches: one per moving body, nearest to ground first.  closing: joints that close loops or
    only hold by rows, in file order.
    """

    branches: tuple[Branch, ...]
    closing: tuple[str, ...]

    @property
    def joints(self) -> frozenset[str]:
        """The joints that carry bodies."""
        return frozenset(b.joint for b in self.branches if b.joint)


def spanning_tree(
    mechanism: Mechanism, carriers: Collection[str] = (), excluded: Collection[str] = ()
) -> Tree:
    """The tree of a mechanism all of whose joints stand on bodies that exist.

    carriers: joints that shall carry bodies wherever they can, as loaded ones do.  excluded: joints
    that carry none.
    """
    first = {force.joint for force in mechanism.forces.values()} | {*carriers}
    neighbours: dict[str, list[tuple[bool, int, int, str, str, bool]]] = {
        id: [] for id in (GROUND, *mechanism.bodies)
    }
    for order, (id, joint) in enumerate(mechanism.joints.items()):
        a, b = joint.frame_a.body, joint.frame_b.body
        if JOINT_TYPES[joint.type].tree and a != b and id not in excluded:
            rank = (id not in first, JOINT_TYPES[joint.type].dof, order, id)
            neighbours[a].append((*rank, b, False))
            neighbours[b].append((*rank, a, True))
    branches: list[tuple[int, int, int, Branch]] = []
    depth = {GROUND: 0}
    waiting: list[tuple[bool, int, int, int, str, str, str, bool]] = []

    def reach(body: str) -> None:
        for later, dof, order, id, other, back in neighbours[body]:
            if other not in depth:
                heappush(waiting, (later, dof, depth[body], order, id, body, other, back))

    for n, root in enumerate((GROUND, *mechanism.bodies)):
        if root not in depth:
            branches.append((1, 6, n, Branch(root, GROUND)))
            depth[root] = 1
        elif root != GROUND:
            continue
        reach(root)
        while waiting:
            _, dof, _, order, id, parent, body, back = heappop(waiting)
            if body not in depth:
                depth[body] = depth[parent] + 1
                branches.append((depth[body], dof, order, Branch(body, parent, id, back)))
                reach(body)
    carrying = {b.joint for *_, b in branches}
    closing = tuple(id for id in mechanism.joints if id not in carrying)
    return Tree(tuple(b for *_, b in sorted(branches, key=lambda row: row[:3])), closing)


def equation_tree(mechanism: Mechanism) -> Tree:
    """The tree of the equations, whose closing joints the structure names too: a curve carries
    wherever it can, since its arc length is a coordinate.
    """
    return spanning_tree(
        mechanism, [id for id, joint in mechanism.joints.items() if joint.curve is not None]
    )
