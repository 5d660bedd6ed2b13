"""Independent loop rows of a mechanism: pivoted QR of J, loop cluster by loop cluster, at a generic
pose.

The drawn pose may be special (links in line), so J is evaluated where the mechanism has moved some
distance along its free motions and has been closed again.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import scipy.linalg

from mechstudio.engine.constraints.ranks import rank, rank_of
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import jacobian, move
from mechstudio.engine.system.nodes import Node

# metres per metre at rounding level: rows between parts of one welded piece have only that
NOISE = 1e-12
# damping that separates motions from constrained directions, of the trace of J^T J per column
TANGENT = 1e-10
# mean square of J (dimensionless) below which no row restrains anything, as at a second hinge on
# one axis
NOTHING = 1e-12
CLOSING = 1e-14  # damping while closing
# without the checks of cho_factor and cho_solve, which take longer than small matrices
_potrf, _potrs = scipy.linalg.get_lapack_funcs(("potrf", "potrs"), dtype=np.float64)
AMPLITUDES = (0.2, 0.05, 0.0125)  # distances of the motion, in mechanism sizes or radians


def column_units(nodes: Sequence[Node], size: float) -> np.ndarray:
    """Approximate displacement by one unit of each velocity coordinate [m]: the size for rotations,
    1 for slides.
    """
    parts = {
        k.SCREW: lambda n: [size if n.turn else 1.0],
        k.BALL: lambda n: [size] * 3,
        k.FREE: lambda n: [1.0] * 3 + [size] * 3,
        k.TRACK: lambda n: [size if n.turn else 1.0],
    }
    return np.array([u for n in nodes for u in parts[n.motion](n)])


def scaled_jacobian(y: np.ndarray, T: Tables, units: np.ndarray) -> np.ndarray:
    """J at y in metres per metre, for the rows in the tables' order."""
    J = np.zeros((len(T.rows), T.size[k.NV]))
    jacobian(y.copy(), T, J)
    return J * T.row_const[:, k.RMETRES, None] / units


def generic_pose(y: np.ndarray, T: Tables, units: np.ndarray, lasting: np.ndarray) -> np.ndarray:
    """A closed pose at some distance along the free motions from the closed pose y, deterministic,
    but in no special direction.

    lasting (rows,): whether a row of the tables holds in every pose; the others do not restrict the
    motion from the drawing.
    """
    if not len(units):
        return y  # no motion is possible: there is no other pose
    size, metres = T.settings[k.LENGTH], T.row_const[lasting, k.RMETRES]
    J = scaled_jacobian(y, T, units)[lasting]
    H = J.T @ J
    scale = max(np.trace(H) / len(H), NOTHING)
    target = np.random.default_rng(1).normal(size=len(units))
    tangent = TANGENT * scale * _solve(H, TANGENT * scale, target)
    if np.abs(tangent).max() < 1e-3 * np.abs(target).max():
        return y
    tangent *= size / np.abs(tangent).max()
    for amplitude in AMPLITUDES:
        z = y.copy()
        move(z, T, amplitude * tangent / units)
        for _ in range(12):
            residual = T.row[lasting, k.C] * metres
            if np.abs(residual).max(initial=0.0) < 1e-12 * size:
                return z
            J = scaled_jacobian(z, T, units)[lasting]
            H = J.T @ J
            step = -_solve(H, CLOSING * np.trace(H) / len(H), J.T @ residual)
            if np.abs(step).max() > size:
                break
            move(z, T, step / units)
    return y


def _solve(H: np.ndarray, damping: float, b: np.ndarray) -> np.ndarray:
    """(H + damping I)^-1 b for a symmetric positive semidefinite H."""
    A = H + damping * np.eye(len(H))
    factor, refused = _potrf(A, clean=False)
    if refused:
        raise scipy.linalg.LinAlgError(f"Pivot {refused} is not positive.")
    return _potrs(factor, b)[0]


def clusters(J: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """(rows, columns) of each group of loops that share a motion."""
    entries = J != 0.0
    left = entries.any(axis=1)
    while left.any():
        rows, columns = np.zeros(len(J), bool), np.zeros(J.shape[1], bool)
        new = np.array([np.argmax(left)])
        while len(new):
            rows[new] = True
            reached = np.flatnonzero(entries[new].any(axis=0) & ~columns)
            columns[reached] = True
            new = np.flatnonzero(entries[:, reached].any(axis=1) & ~rows)
        left &= ~rows
        yield np.flatnonzero(rows), np.flatnonzero(columns)


def independent_rows(J: np.ndarray) -> list[int]:
    """Indices of a largest set of independent rows of J, in ascending order; rows of zeros belong
    to none.
    """
    kept: list[int] = []
    for rows, columns in clusters(np.where(np.abs(J) > NOISE, J, 0.0)):
        # scipy's stubs do not know that `pivoting` decides how much is returned
        _, R, pivots = scipy.linalg.qr(  # pyright: ignore[reportAssignmentType]
            J[np.ix_(rows, columns)].T, mode="economic", pivoting=True, check_finite=False
        )
        kept += rows[pivots[: rank_of(np.abs(np.diag(R)))]].tolist()
    return sorted(kept)


def further_rows(J: np.ndarray, kept: list[int], others: Sequence[int]) -> list[int]:
    """`kept` and, in their order, those of the rows `others` that are independent of all before
    them.
    """
    kept = list(kept)
    if not others:
        return kept
    basis = scipy.linalg.orth(J[kept].T) if kept else np.zeros((J.shape[1], 0))
    for r in others:
        row = J[r]
        for _ in range(2):
            row = row - basis @ (basis.T @ row)
        if rank(row[None], float(np.linalg.norm(J[r]))):
            basis = np.column_stack((basis, row / np.linalg.norm(row)))
            kept.append(r)
    return kept
