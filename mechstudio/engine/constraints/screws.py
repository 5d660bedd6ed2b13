"""Motions of joints as screws: closure equations of loops, their rank, and the free motions of all
bodies (THEORY 3, 4).

A twist is (w; v) with v of a named point; everything here is in W.  So that ranks do not depend on
the unit of length, velocities are divided by the extent of the loops that a joint is in (Davies
1981 for the loop equations).
"""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.coordinate_rates import CoordinateRates, coupling_terms
from mechstudio.engine.constraints.graph import Graph
from mechstudio.engine.constraints.ranks import rank_of
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.mechanism import CoordinateOf, Coupling, Mechanism
from mechstudio.model.types.joints import JOINT_TYPES


class LoopEquations:
    """All equations between the joints' freedoms at one pose: matrix (n_s, n), dimensionless.

    First the closure equations, six per loop: rates about X, Y, Z, then of the closing joint's P_B
    along X, Y, Z over the loop's extent; then one row per coupling; then the rolling rows of the
    joints that have some. closure, coupling, rolling: numbers of these rows.
    columns: slice of each joint's freedoms, n in all.  loops_of: the loops that each joint is in.
    motions (joints, 6, 6): the first dof columns are a joint's free twists (w; v / extent) of B
    against A, v at P_B; the others its prevented ones.  extent (joints,) [m].  points (joints, 3):
    P_B [m].
    rolling_joints: joint index of each rolling row.  rates: how the joints' coordinates follow the
    free twists.
    """

    def __init__(self, mechanism: Mechanism, rows: JointRows, graph: Graph, poses: np.ndarray):
        self._mechanism, self.graph = mechanism, graph
        self.frames = rows.frames(poses)
        self.points = self.frames[2]
        self.dofs = [JOINT_TYPES[j.type].dof for j in mechanism.joints.values()]
        stops = np.cumsum(self.dofs, dtype=int)
        self.columns = [
            slice(int(stop) - dof, int(stop)) for stop, dof in zip(stops, self.dofs, strict=True)
        ]
        self.count = sum(self.dofs)
        self.loops_of: list[list[int]] = [[] for _ in self.dofs]
        for k, loop in enumerate(graph.loops):
            for j, _ in loop.members:
                self.loops_of[j].append(k)
        self.loop_extent = np.array(
            [_extent(self.points[[j for j, _ in loop.members]], rows.size) for loop in graph.loops]
        )
        self.extent = np.full(len(self.dofs), np.inf)
        for loop, extent in zip(graph.loops, self.loop_extent, strict=True):
            for j, _ in loop.members:
                self.extent[j] = min(self.extent[j], extent)
        self.extent[np.isinf(self.extent)] = rows.size
        _, force, moment = rows.evaluate(self.frames)
        self.row_twists = _unit_rows(force, moment, self.extent[rows.joint_of_row])
        self._joint_of_row = rows.joint_of_row
        self.motions = _motions(rows, self.row_twists, len(self.dofs))
        self.rates = CoordinateRates(mechanism, rows, poses, self)
        self._joint = {id: j for j, id in enumerate(mechanism.joints)}
        self.closure, self.coupling = 6 * len(graph.loops), len(mechanism.couplings)
        self.rolling_joints, self.rolling = rows.rolling_joint, rows.rolling_count
        rolling = _unit_rows(*rows.rolling_wrenches(self.frames), self.extent[rows.rolling_joint])
        self.matrix = np.zeros((self.closure + self.coupling + self.rolling, self.count))
        for k, loop in enumerate(graph.loops):
            for (j, _), block in zip(loop.members, self.blocks(k, self.motions), strict=True):
                self.matrix[6 * k : 6 * k + 6, self.columns[j]] = block[:, : self.dofs[j]]
        for k, coupling in enumerate(mechanism.couplings.values()):
            self.matrix[self.closure + k] = self.coupling_row(coupling)[0]
        for k, (j, row) in enumerate(zip(self.rolling_joints, rolling, strict=True)):
            self.matrix[self.closure + self.coupling + k, self.columns[j]] = (
                row @ self.motions[j][:, : self.dofs[j]]
            )

    @property
    def holonomic(self) -> np.ndarray:
        """The rows that hold positions: closure and couplings, without the rolling ones."""
        return self.matrix[: self.closure + self.coupling]

    def rows_of(self, j: int) -> np.ndarray:
        """The rows (r, 6) of one joint over its twist (w; v / extent), each of length 1, in the
        order of its type.
        """
        return self.row_twists[self._joint_of_row == j]

    def coordinate_row(self, ends: Sequence[CoordinateOf], factors: Sequence[float]) -> np.ndarray:
        """The row (n,) of sum factor * coordinate rate, of length 1 (or zero)."""
        return self.scaled_row(ends, factors)[0]

    def scaled_row(
        self, ends: Sequence[CoordinateOf], factors: Sequence[float]
    ) -> tuple[np.ndarray, float]:
        """The same, and the length that it was divided by."""
        out = np.zeros(self.count)
        for end, factor in zip(ends, factors, strict=True):
            j = self._joint[end.joint]
            out[self.columns[j]] += factor * self.rates.of(j)[end.coordinate]
        length = float(np.linalg.norm(out))
        return (out / length, length) if length > 0 else (out, 1.0)

    def coupling_row(self, coupling: Coupling) -> tuple[np.ndarray, float]:
        """The row of a coupling, of length 1, and the length that it was divided by."""
        return self.scaled_row(*coupling_terms(self._mechanism, coupling, self.rates))

    def blocks(self, k: int, twists: np.ndarray) -> np.ndarray:
        """The given twists (joints, 6, c), at the joints' own points, as they stand in the rows of
        loop k: (members, 6, c).
        """
        members = np.array(self.graph.loops[k].members)
        return self.row_blocks(k, members[:, 0], members[:, 1], twists[members[:, 0]])

    def row_blocks(self, k: int, joints, signs, twists: np.ndarray) -> np.ndarray:
        """The same for some joints (m,) of loop k that are passed in the directions `signs` (m,),
        twists (m, 6, c).
        """
        w, v = twists[:, :3], twists[:, 3:] * self.extent[joints, None, None]
        arm = self.points[self.graph.loops[k].closing] - self.points[joints]
        v = v + cross(w.swapaxes(1, 2), arm[:, None, :]).swapaxes(1, 2)
        return np.asarray(signs, float)[:, None, None] * np.concatenate(
            (w, v / self.loop_extent[k]), axis=1
        )


def decompose(matrix: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """Rank, left-null basis (rows, rows - rank) and null-space basis (columns, columns - rank),
    both orthonormal.
    """
    if 0 in matrix.shape:
        return 0, np.eye(matrix.shape[0]), np.eye(matrix.shape[1])
    U, values, Vt = np.linalg.svd(matrix)
    r = rank_of(values)
    return r, U[:, r:], Vt[r:].T


def null_space(matrix: np.ndarray) -> np.ndarray:
    """The null-space basis of `decompose` (columns, columns - rank) alone, which costs less for
    many rows.
    """
    if 0 in matrix.shape:
        return np.eye(matrix.shape[1])
    _, values, Vt = np.linalg.svd(matrix, full_matrices=matrix.shape[0] < matrix.shape[1])
    return Vt[rank_of(values) :].T


def body_motions(equations: LoopEquations, origin: np.ndarray, size: float) -> np.ndarray:
    """Twists (nodes, 6, n + 6 floating) of ground and all bodies per joint freedom: (w; v / size),
    v at `origin` (3,) [m].

    The last columns are the six motions of each component that is not connected to ground.
    """
    graph = equations.graph
    floating = len(graph.roots) - 1
    out = np.zeros((len(graph.component), 6, equations.count + 6 * floating))
    w = equations.motions[:, :3]
    v = equations.motions[:, 3:] * equations.extent[:, None, None] + cross(
        w.swapaxes(1, 2), (origin - equations.points)[:, None, :]
    ).swapaxes(1, 2)
    twists = np.concatenate((w, v / size), axis=1)
    for k, node in enumerate(graph.roots[1:]):
        start = equations.count + 6 * k
        out[node, :, start : start + 6] = np.eye(6)
    for joint, parent, child, sign in graph.tree:
        out[child] = out[parent]
        out[child][:, equations.columns[joint]] += sign * twists[joint, :, : equations.dofs[joint]]
    return out


def _extent(points, size):
    """Largest distance [m] of a loop's points from their middle, or the mechanism's size where they
    all coincide.
    """
    extent = float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
    return extent if extent > 1e-6 * size else size


def _unit_rows(force: np.ndarray, moment: np.ndarray, extent: np.ndarray) -> np.ndarray:
    """Rows (r, 6) over twists (w; v / extent), of length 1, from F and M (r, 3) of F.v + M.w."""
    out = np.concatenate((moment, force * extent[:, None]), axis=1)
    return out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300)


def _motions(rows: JointRows, row_twists: np.ndarray, count: int) -> np.ndarray:
    """Orthonormal twists (joints, 6, 6), free ones first: the null space of each joint's own rows,
    A held.
    """
    j = rows.joint_of_row
    local = np.zeros((count, 6, 6))
    local[j, np.arange(len(j)) - np.searchsorted(j, j)] = row_twists
    _, _, Vt = np.linalg.svd(local)
    # right singular vectors come by falling singular value: the free twists are the last ones
    return Vt.swapaxes(1, 2)[:, :, ::-1]
