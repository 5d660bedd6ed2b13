"""Motion of a closed mechanism along its freedoms: joints stay closed, couplings keep their
constants at the start (THEORY 4).

A step in the joints' freedoms moves the bodies along the spanning forest, and the projection of
HeldManifold (manifold.py) closes what first order left open.  Branches are counted in these
freedoms, those of the loops (screws.LoopEquations).
"""

import itertools

import numpy as np

from mechstudio.engine.constraints.attitude import cross, displaced
from mechstudio.engine.constraints.graph import Graph
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import LoopEquations, body_motions, decompose
from mechstudio.engine.manifold.assembly import generic_way
from mechstudio.engine.manifold.manifold import CLOSED, At, HeldManifold, Prescribed
from mechstudio.model.mechanism import CoordinateOf, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


class Follower:
    """One mechanism on the way.  Poses are (n, 7), coordinates (f,) of all joints, continuous from
    those of the start.

    held: further coordinates that `project` brings to given values.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        rows: JointRows,
        graph: Graph,
        poses: np.ndarray,
        held: tuple[CoordinateOf, ...] = (),
    ):
        self.mechanism, self.rows, self.graph = mechanism, rows, graph
        dofs = [JOINT_TYPES[j.type].dof for j in mechanism.joints.values()]
        ends = np.cumsum([0, *dofs])
        self._columns = [slice(a, b) for a, b in itertools.pairwise(ends)]
        self._manifold = HeldManifold(mechanism, rows, poses, np.flatnonzero(dofs).tolist())
        index = {id: k for k, id in enumerate(mechanism.joints)}
        self._held = [(index[end.joint], end.coordinate) for end in held]
        self.start = self._manifold.start_row

    def read(self, poses: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """Coordinates at poses, following on from others."""
        return joint_coordinates(self.mechanism, poses[None], near=near, rows=self.rows)[0]

    def equations(self, poses: np.ndarray) -> LoopEquations:
        """All equations there."""
        return LoopEquations(self.mechanism, self.rows, self.graph, poses)

    def carried(
        self,
        equations: LoopEquations,
        poses: np.ndarray,
        rates: np.ndarray,
        floating: np.ndarray | None = None,
    ) -> np.ndarray:
        """Poses after a small step `rates` (n,) of the joints' freedoms, to first order; of
        floating groups besides (6 each).
        """
        origin = poses[:, :3].mean(axis=0)
        motions = body_motions(equations, origin, self.rows.size)[1:]
        step = np.zeros(motions.shape[2])
        step[: len(rates)] = rates
        if floating is not None:
            step[len(rates) :] = floating
        twists = motions @ step
        w, v = (
            twists[:, :3],
            twists[:, 3:] * self.rows.size + cross(twists[:, :3], poses[:, :3] - origin),
        )
        _, R = self.rows.bodies(poses)
        return displaced(
            poses, np.concatenate((v, (R[1:].swapaxes(1, 2) @ w[:, :, None])[:, :, 0]), axis=1)
        )

    def project(
        self, poses: np.ndarray, near: np.ndarray, targets: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """The closed poses beside these at which the couplings hold, and the coordinates there;
        None where that does not come about.

        near: coordinates to follow on from.  targets: values of the held coordinates.
        """
        values = {k: near[self._columns[k]] for k in self._manifold.at.values}
        pairs = ((), ()) if targets is None else (self._held, targets)
        prescribed = [Prescribed(*place, float(value)) for place, value in zip(*pairs, strict=True)]
        found = self._manifold.project(At(poses, values), None, prescribed, None, CLOSED)
        if found is None:
            return None
        at = found[0].at
        return at.poses, np.concatenate([np.zeros(0), *at.values.values()])

    def generic(self, poses: np.ndarray, attempt: int) -> np.ndarray:
        """Closed poses a finite, arbitrary way along the freedoms, the couplings held; what cannot
        move comes back.
        """
        rng = np.random.default_rng(20261121 + attempt)

        def direction(at: tuple[np.ndarray, np.ndarray]) -> tuple[LoopEquations, np.ndarray]:
            e = self.equations(at[0])
            _, _, motions = decompose(e.holonomic)
            free = motions @ (motions.T @ rng.standard_normal(e.count))
            return e, free / max(float(np.abs(free).max(initial=0.0)), 1e-300)

        def step(at, along, length: float) -> tuple[np.ndarray, np.ndarray] | None:
            e, free = along
            return self.project(self.carried(e, at[0], length * free), at[1])

        return generic_way((poses, self.start), direction, step)[0]
