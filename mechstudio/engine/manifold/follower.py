"""Motion of a closed mechanism along its freedoms: joints stay closed, couplings keep their
constants at the start (THEORY 4).

A step in the joints' freedoms moves the bodies along the spanning forest; Newton steps on the joint
rows close what first order left open, and Newton steps on the couplings' rows among the joints'
freedoms bring these back.  HeldManifold (manifold.py) projects onto joints and couplings at once,
from poses.  The loop here has the freedoms of the loops (screws.LoopEquations) as its unknowns:
branches are counted in them, and corrections can leave some of them alone.
"""

import numpy as np

from mechstudio.engine.constraints.attitude import cross, displaced
from mechstudio.engine.constraints.coordinate_rates import coordinate_index
from mechstudio.engine.constraints.graph import Graph
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.ranks import ZERO
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import LoopEquations, body_motions, decompose
from mechstudio.engine.manifold.assembly import generic_way
from mechstudio.engine.manifold.joint_manifold import CLOSED, JointManifold
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import CoordinateOf, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES

HELD = (
    1e-11  # radians or parts of size to which couplings and prescribed coordinates are brought back
)
CORRECTIONS = 12
CLOSING = 20  # iterations of closing after one step


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
        self._joints = JointManifold(mechanism, rows)
        self._ends = [
            [coordinate_index(mechanism, end) for end in c.ends]
            for c in mechanism.couplings.values()
        ]
        self.held = held
        self._held = [coordinate_index(mechanism, end) for end in held]
        self.start = self.read(poses)
        self._constants = self._sums(self.start)

    def read(self, poses: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """Coordinates at poses, following on from others."""
        return joint_coordinates(self.mechanism, poses[None], near=near, rows=self.rows)[0]

    def equations(self, poses: np.ndarray) -> LoopEquations:
        """All equations there."""
        return LoopEquations(self.mechanism, self.rows, self.graph, poses)

    def _sums(self, x: np.ndarray) -> np.ndarray:
        """sum a_k q_k - f(q_0) of every coupling."""
        out = []
        for coupling, at in zip(self.mechanism.couplings.values(), self._ends, strict=True):
            kind = COUPLING_TYPES[coupling.type]
            factors = kind.factors({name: q.value for name, q in coupling.parameters.items()})
            law = (
                evaluation.jet(coupling.law, float(x[at[0]]))[0]
                if kind.law and coupling.law is not None
                else 0.0
            )
            out.append(float(np.dot(factors, x[at])) - law)
        return np.array(out)

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
        self,
        poses: np.ndarray,
        near: np.ndarray,
        targets: np.ndarray | None = None,
        keep: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """The closed poses beside these at which the couplings hold, and the coordinates there;
        None where that does not come about.

        near: coordinates to follow on from.  targets: values of the held coordinates.  keep (n, k):
        freedoms that the corrections leave alone.
        """
        for _ in range(CORRECTIONS):
            poses, errors = self._joints.project(poses, CLOSING)
            if errors.max(initial=0.0) > CLOSED * self._joints.reach:
                return None
            x = self.read(poses, near)
            if not self._ends and targets is None:
                return poses, x
            e = self.equations(poses)
            residual, matrix = self._residuals(e, x, targets)
            if not (np.isfinite(residual).all() and np.isfinite(matrix).all()):
                return None  # a cam's law has no value or slope there
            if np.abs(residual).max(initial=0.0) <= HELD:
                return poses, x
            if keep is not None:
                matrix, residual = (
                    np.concatenate((matrix, keep.T)),
                    np.append(residual, np.zeros(keep.shape[1])),
                )
            requested = np.concatenate((np.zeros(e.closure), -residual))
            step, *_ = np.linalg.lstsq(
                np.concatenate((e.matrix[: e.closure], matrix)), requested, rcond=ZERO
            )
            length = float(np.abs(step).max(initial=0.0))
            poses, near = self.carried(e, poses, step * min(1.0, 0.5 / max(length, 1e-300))), x
        return None

    def _residuals(self, e, x, targets):
        """Residuals of couplings and held coordinates, dimensionless, and their rows of unit
        length.
        """
        residual, rows = [], []
        for coupling, sum_, constant in zip(
            self.mechanism.couplings.values(), self._sums(x), self._constants, strict=True
        ):
            row, length = e.coupling_row(coupling)
            residual.append((sum_ - constant) / length)
            rows.append(row)
        if targets is not None:
            for end, at, target in zip(self.held, self._held, targets, strict=True):
                row, length = e.scaled_row((end,), (1.0,))
                residual.append((x[at] - target) / length)
                rows.append(row)
        return np.array(residual), np.array(rows).reshape(len(residual), e.count)

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
