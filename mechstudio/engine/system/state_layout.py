"""Layout of the state: indices of coordinates, velocities and readings."""

from dataclasses import dataclass

import numpy as np

from mechstudio.engine.constraints.coordinates import reading_plan
from mechstudio.engine.system.nodes import Tree
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


@dataclass
class Places:
    """Indices in the state.  coordinates: index in y of each joint coordinate, in sample order.
    reads: (joint, coordinate) -> reading.

    A screw that closes a loop has one reading more than coordinates, its slide.
    """

    nq: int
    nv: int
    coordinates: np.ndarray
    reads: dict[tuple[str, int], int]

    @property
    def readings(self) -> int:
        """Index in y of the first reading."""
        return self.nq + self.nv + 1

    @property
    def time(self) -> int:
        """Index in y of the time [s], its last entry."""
        return self.readings + len(self.reads)

    @property
    def work(self) -> int:
        """Index in y of the work of the loads without potential."""
        return self.nq + self.nv


def places(mechanism: Mechanism, tree: Tree) -> Places:
    """Number coordinates, velocities and readings."""
    starts = np.cumsum([0] + [len(n.start) for n in tree.nodes])
    nq, nv = int(starts[-1]), sum(n.dof for n in tree.nodes)
    reads: dict[tuple[str, int], int] = {}
    index: list[int] = []
    for id, joint in mechanism.joints.items():
        own = {
            c: int(starts[tree.screws[id, c]])
            for c in range(JOINT_TYPES[joint.type].dof)
            if (id, c) in tree.screws
        }
        if len(own) < JOINT_TYPES[joint.type].dof:
            for c in reading_plan(joint.type)[0]:
                if c not in own:
                    reads[id, c] = len(reads)
        index += [
            own[c] if c in own else nq + nv + 1 + reads[id, c]
            for c in range(JOINT_TYPES[joint.type].dof)
        ]
    return Places(nq, nv, np.array(index, np.int64), reads)
