"""The spanning tree of a drawing: which joints carry bodies and which close loops.  A pure function
of the mechanism.

Every body is reached from ground over the joints whose coordinates are fewest in sum (so no chain
is longer than needed and a loop closes far from ground); between equal ways the joint that was
drawn first wins.  A joint on which a motor or a torsion spring acts carries a body wherever it can,
so that the load acts on a coordinate.  Bodies that no joint with motions reaches hang on six free
coordinates.
"""

import heapq
from collections.abc import Collection

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
    """branches: one per moving body, parents first.  closing: joints that close loops or only hold
    by rows, in file order.
    """

    branches: tuple[Branch, ...]
    closing: tuple[str, ...]

    @property
    def joints(self) -> frozenset[str]:
        """The joints that carry bodies."""
        return frozenset(b.joint for b in self.branches if b.joint)


def spanning_tree(mechanism: Mechanism, carriers: Collection[str] = ()) -> Tree:
    """The tree of a mechanism all of whose joints stand on bodies that exist.  carriers: joints
    that shall carry bodies wherever they can, as loaded ones do.
    """
    neighbours: dict[str, list[tuple[int, str, str, bool]]] = {
        id: [] for id in (GROUND, *mechanism.bodies)
    }
    for order, (id, joint) in enumerate(mechanism.joints.items()):
        a, b = joint.frame_a.body, joint.frame_b.body
        if JOINT_TYPES[joint.type].tree and a != b:
            neighbours[a].append((order, id, b, False))
            neighbours[b].append((order, id, a, True))
    branches: list[Branch] = []
    reached = {GROUND}
    for root in (GROUND, *mechanism.bodies):
        if root == GROUND or root not in reached:
            if root != GROUND:
                branches.append(Branch(root, GROUND))
                reached.add(root)
            branches += _grown(mechanism, neighbours, root, reached, carriers)
    carrying = {b.joint for b in branches}
    return Tree(tuple(branches), tuple(id for id in mechanism.joints if id not in carrying))


def equation_tree(mechanism: Mechanism) -> Tree:
    """The tree of the equations, whose closing joints the structure names too: a curve carries
    wherever it can, since its arc length is a coordinate.
    """
    return spanning_tree(
        mechanism, [id for id, joint in mechanism.joints.items() if joint.curve is not None]
    )


def _grown(
    mechanism: Mechanism, neighbours, root: str, reached: set[str], carriers: Collection[str]
) -> list[Branch]:
    """Branches of everything that can be reached from a root, nearest first; `reached` is
    extended.
    """
    out: list[Branch] = []
    loaded = {f.joint for f in mechanism.forces.values() if f.joint} | set(carriers)
    waiting: list[tuple[bool, int, int, str, str, str, bool]] = []

    def wait(from_body: str, cost: int) -> None:
        for order, id, other, back in neighbours[from_body]:
            if other not in reached:
                heapq.heappush(
                    waiting,
                    (
                        id not in loaded,
                        cost + JOINT_TYPES[mechanism.joints[id].type].dof,
                        order,
                        id,
                        from_body,
                        other,
                        back,
                    ),
                )

    wait(root, 0)
    while waiting:
        _, cost, _, id, parent, body, back = heapq.heappop(waiting)
        if body not in reached:
            reached.add(body)
            out.append(Branch(body, parent, id, back))
            wait(body, cost)
    return out
