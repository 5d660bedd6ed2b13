"""Motions of joints as screws: closure equations of loops, their rank, and the free motions of all bodies (THEORY 3, 4).

A twist is (w; v) with v of a named point; everything here is in W.  So that ranks do not depend on the unit of length,
velocities are divided by the extent of the loops that a joint is in (Davies 1981 for the loop equations).
"""

import numpy as np

from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.mechanism import Mechanism

from .attitude import cross
from .loops import Graph
from .rows import JointRows

SURELY_ZERO, SURELY_NOT = 1e-9, 1e-5    # singular values relative to the largest; between them the widest gap decides
ROUNDING = 1e-12                        # values below it are all the same zero


class LoopEquations:
    """The closure equations of all loops at one pose: matrix (6 L, n), dimensionless.

    columns: slice of each joint's freedoms, n in all.   loops_of: the loops that each joint is in.   motions (joints, 6, 6): the first dof columns are a joint's free twists
    (w; v / extent) of B against A, v at P_B; the others its prevented ones.   extent (joints,) [m].   points (joints, 3): P_B [m].
    Rows of loop k: rates about X, Y, Z, then of the closing joint's P_B along X, Y, Z over the loop's extent.
    """

    def __init__(self, mechanism: Mechanism, rows: JointRows, graph: Graph, poses: np.ndarray):
        self.graph = graph
        self.frames = rows.frames(poses)
        self.points = self.frames[2]
        self.dofs = [JOINT_TYPES[j.type].dof for j in mechanism.joints.values()]
        stops = np.cumsum(self.dofs, dtype=int)
        self.columns = [slice(int(stop) - dof, int(stop)) for stop, dof in zip(stops, self.dofs, strict=True)]
        self.count = sum(self.dofs)
        self.loops_of: list[list[int]] = [[] for _ in self.dofs]
        for k, loop in enumerate(graph.loops):
            for j, _ in loop.members:
                self.loops_of[j].append(k)
        self.loop_extent = np.array([_extent(self.points[[j for j, _ in loop.members]], rows.size) for loop in graph.loops])
        self.extent = np.full(len(self.dofs), np.inf)
        for loop, extent in zip(graph.loops, self.loop_extent, strict=True):
            for j, _ in loop.members:
                self.extent[j] = min(self.extent[j], extent)
        self.extent[np.isinf(self.extent)] = rows.size
        self.motions = _motions(rows, self.frames, self.dofs, self.extent)
        self.matrix = np.zeros((6 * len(graph.loops), self.count))
        for k, loop in enumerate(graph.loops):
            for (j, _), block in zip(loop.members, self.blocks(k, self.motions), strict=True):
                self.matrix[6 * k:6 * k + 6, self.columns[j]] = block[:, :self.dofs[j]]

    def blocks(self, k: int, twists: np.ndarray) -> np.ndarray:
        """The given twists (joints, 6, c), at the joints' own points, as they stand in the rows of loop k: (members, 6, c)."""
        members = np.array(self.graph.loops[k].members)
        return self.row_blocks(k, members[:, 0], members[:, 1], twists[members[:, 0]])

    def row_blocks(self, k: int, joints, signs, twists: np.ndarray) -> np.ndarray:
        """The same for some joints (m,) of loop k that are passed in the directions `signs` (m,), twists (m, 6, c)."""
        w, v = twists[:, :3], twists[:, 3:] * self.extent[joints, None, None]
        arm = self.points[self.graph.loops[k].closing] - self.points[joints]
        v = v + cross(w.swapaxes(1, 2), arm[:, None, :]).swapaxes(1, 2)
        return np.asarray(signs, float)[:, None, None] * np.concatenate((w, v / self.loop_extent[k]), axis=1)


def rank(matrix: np.ndarray) -> int:
    """Rank by the widest gap in the spectrum."""
    return 0 if 0 in matrix.shape else _rank_of(np.linalg.svd(matrix, compute_uv=False))


def _rank_of(values: np.ndarray) -> int:
    """Number of singular values (descending) above the widest gap that lies across the band of doubt."""
    if values[0] < ROUNDING:
        return 0
    relative = np.maximum(values / values[0], ROUNDING)
    steps = np.append(relative, ROUNDING)
    least, most = int(np.sum(relative > SURELY_NOT)), int(np.sum(relative > SURELY_ZERO))
    candidates = np.arange(max(least, 1), most + 1)
    return int(candidates[np.argmax(np.log(steps[candidates - 1]) - np.log(steps[candidates]))])


def decompose(matrix: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """Rank, left-null basis (rows, rows - rank) and null-space basis (columns, columns - rank), both orthonormal."""
    if 0 in matrix.shape:
        return 0, np.eye(matrix.shape[0]), np.eye(matrix.shape[1])
    U, values, Vt = np.linalg.svd(matrix)
    r = _rank_of(values)
    return r, U[:, r:], Vt[r:].T


def body_motions(equations: LoopEquations, origin: np.ndarray, size: float) -> np.ndarray:
    """Twists (nodes, 6, n + 6 floating) of ground and all bodies per joint freedom: (w; v / size), v at `origin` (3,) [m].

    The last columns are the six motions of each component that does not hang on ground.
    """
    graph = equations.graph
    floating = len(graph.roots) - 1
    out = np.zeros((len(graph.component), 6, equations.count + 6 * floating))
    w = equations.motions[:, :3]
    v = equations.motions[:, 3:] * equations.extent[:, None, None] + cross(w.swapaxes(1, 2), (origin - equations.points)[:, None, :]).swapaxes(1, 2)
    twists = np.concatenate((w, v / size), axis=1)
    for k, node in enumerate(graph.roots[1:]):
        start = equations.count + 6 * k
        out[node, :, start:start + 6] = np.eye(6)
    for joint, parent, child, sign in graph.tree:
        out[child] = out[parent]
        out[child][:, equations.columns[joint]] += sign * twists[joint, :, :equations.dofs[joint]]
    return out


def _extent(points, size):
    """Largest distance [m] of a loop's points from their middle, or the mechanism's size where they all coincide."""
    extent = float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
    return extent if extent > 1e-6 * size else size


def _motions(rows: JointRows, frames, dofs, extent) -> np.ndarray:
    """Orthonormal twists (joints, 6, 6), free ones first: the null space of each joint's own rows, A held."""
    j = rows.joint_of_row
    _, force, moment = rows.evaluate(frames)
    local = np.zeros((len(dofs), 6, 6))
    place = np.arange(len(j)) - np.searchsorted(j, j)
    local[j, place] = np.concatenate((moment / extent[j, None], force), axis=1)
    _, _, Vt = np.linalg.svd(local)
    # right singular vectors come by falling singular value: the free twists are the last ones
    return Vt.swapaxes(1, 2)[:, :, ::-1]
