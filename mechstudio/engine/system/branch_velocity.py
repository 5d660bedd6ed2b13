"""Velocities at a singular pose that lead onto a branch: of all that the dependent rows allow,
those along which the loops can go on closing.
"""

import numpy as np

from mechstudio.engine.constraints.ranks import solvable
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import jacobian, right_hand_side
from mechstudio.engine.system.state_layout import Places

SOLVED = 1e-12  # of the largest such term, what is left of the condition
TURNS = 30


def onto_a_branch(
    v: np.ndarray, free: np.ndarray, y: np.ndarray, T: Tables, where: Places
) -> np.ndarray:
    """The velocities (nv,) nearest to v, differing by the columns of `free` (nv, m) only, that lead
    onto a branch; v itself where there are none.

    y: closed pose; its velocities are overwritten.  Where rows depend on each other, u^T J = 0,
    accelerations exist only if u^T gamma(v) = 0, which is quadratic in v: each solution is the
    tangent of a branch.  A velocity between two branches would be lost in the first step.
    """
    count = T.size[k.KEPT]
    if count == 0 or free.shape[1] == 0 or not v.any():
        return v
    J = np.zeros((len(T.rows), where.nv))
    jacobian(y.copy(), T, J)
    U, s, _ = np.linalg.svd(J[:count])
    left = U[:, solvable(s) :]
    if left.shape[1] == 0:
        return v

    def condition(z: np.ndarray) -> np.ndarray:
        y[where.nq : where.nq + where.nv] = v + free @ z
        right_hand_side(y, T, np.zeros_like(y), False)
        return left.T @ T.row[:count, k.GAM]

    m, size = free.shape[1], float(np.linalg.norm(v))
    scale = max(np.abs(condition(size * e)).max() for e in (*np.eye(m), np.zeros(m)))
    found = []
    for start in (np.zeros(m), *(sign * size * e for e in np.eye(m) for sign in (1.0, -1.0))):
        z = start
        for _ in range(TURNS):
            r = condition(z)
            if np.abs(r).max() <= SOLVED * scale:
                found.append(z)
                break
            # quadratic, so that central differences are exact
            slope = np.array(
                [
                    (condition(z + size * e) - condition(z - size * e)) / (2 * size)
                    for e in np.eye(m)
                ]
            ).T
            z = z - np.linalg.pinv(slope, rcond=1e-10) @ r
    return v + free @ min(found, key=np.linalg.norm) if found else v
