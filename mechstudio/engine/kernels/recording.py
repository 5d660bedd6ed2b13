"""Rows of samples from recorded states: poses, velocities and energies
(model/results/sample.py).
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    B_NODE,
    BP,
    BR,
    INERTIA,
    INLINE,
    MASS,
    MOMENT,
    OPTIONS,
    O,
    R,
    V,
    W,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.kinematics import poses
from mechstudio.engine.kernels.loads.loads import potential_energy
from mechstudio.engine.kernels.scalar import cross, get3, rotated, rotated_back, set3, symmetric


@njit(**INLINE)
def kinetic_energy(T):
    """1/2 m v.v + v.(w x m c) + 1/2 w.I w, summed over the nodes, each about its own origin [J]."""
    const, N = T.node_const, T.node
    energy = 0.0
    for i in range(T.nodes.shape[0] - 1):
        wx, wy, wz = get3(N, i, W)
        vx, vy, vz = get3(N, i, V)
        hx, hy, hz = rotated(N, i, R, const[i, MOMENT], const[i, MOMENT + 1], const[i, MOMENT + 2])
        cx, cy, cz = cross(wx, wy, wz, hx, hy, hz)
        wx, wy, wz = rotated_back(N, i, R, wx, wy, wz)
        jx, jy, jz = symmetric(
            const[i, INERTIA],
            const[i, INERTIA + 1],
            const[i, INERTIA + 2],
            const[i, INERTIA + 3],
            const[i, INERTIA + 4],
            const[i, INERTIA + 5],
            wx,
            wy,
            wz,
        )
        energy += (
            0.5 * const[i, MASS] * (vx * vx + vy * vy + vz * vz)
            + vx * cx
            + vy * cy
            + vz * cz
            + 0.5 * (wx * jx + wy * jy + wz * jz)
        )
    return energy


@njit(**INLINE)
def body_matrix(T, b, M):
    """Write the body's attitude in W, the node's times the body's own, row by row into M[0:9]."""
    i = T.bodies[b, B_NODE]
    for k in range(3):
        M[k], M[3 + k], M[6 + k] = rotated(
            T.node,
            i,
            R,
            T.body_const[b, BR + k],
            T.body_const[b, BR + 3 + k],
            T.body_const[b, BR + 6 + k],
        )


@njit(**INLINE)
def quaternion(M):
    """Unit quaternion of the matrix M[0:9]; the largest component is computed first, so that no
    divisor is small.
    """
    trace = M[0] + M[4] + M[8]
    if trace >= max(M[0], M[4], M[8]):
        w, x, y, z = 1 + trace, M[7] - M[5], M[2] - M[6], M[3] - M[1]
    elif M[0] >= max(M[4], M[8]):
        w, x, y, z = M[7] - M[5], 1 + M[0] - M[4] - M[8], M[3] + M[1], M[2] + M[6]
    elif M[4] >= M[8]:
        w, x, y, z = M[2] - M[6], M[3] + M[1], 1 - M[0] + M[4] - M[8], M[7] + M[5]
    else:
        w, x, y, z = M[3] - M[1], M[2] + M[6], M[7] + M[5], 1 - M[0] - M[4] + M[8]
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * n, x * n, y * n, z * n


@kernel(**OPTIONS)
def record(states, T, last, M, poses_out, velocities_out, energies_out):
    """Fill samples from states (k, n).

    poses_out: (k, 7 bodies) origin in W [m], quaternion w x y z.  velocities_out: (k, 6 bodies) of
    that origin in W [m/s], angular in body axes [rad/s].  energies_out: (k, 2) kinetic and
    potential [J].  last: (bodies, 4) quaternions of the sample before, overwritten.  Of the two
    quaternions of an attitude the one nearer to the last is chosen.  M: (9,) scratch.
    """
    N, const = T.node, T.body_const
    for k in range(states.shape[0]):
        poses(states[k], T)
        for b in range(T.bodies.shape[0]):
            i = T.bodies[b, B_NODE]
            rx, ry, rz = rotated(N, i, R, const[b, BP], const[b, BP + 1], const[b, BP + 2])
            wx, wy, wz = get3(N, i, W)
            cx, cy, cz = cross(wx, wy, wz, rx, ry, rz)
            set3(poses_out, k, 7 * b, N[i, O] + rx, N[i, O + 1] + ry, N[i, O + 2] + rz)
            set3(velocities_out, k, 6 * b, N[i, V] + cx, N[i, V + 1] + cy, N[i, V + 2] + cz)
            body_matrix(T, b, M)
            set3(
                velocities_out,
                k,
                6 * b + 3,
                M[0] * wx + M[3] * wy + M[6] * wz,
                M[1] * wx + M[4] * wy + M[7] * wz,
                M[2] * wx + M[5] * wy + M[8] * wz,
            )
            e0, e1, e2, e3 = quaternion(M)
            if e0 * last[b, 0] + e1 * last[b, 1] + e2 * last[b, 2] + e3 * last[b, 3] < 0.0:
                e0, e1, e2, e3 = -e0, -e1, -e2, -e3
            last[b, 0], last[b, 1], last[b, 2], last[b, 3] = e0, e1, e2, e3
            for c in range(4):
                poses_out[k, 7 * b + 3 + c] = last[b, c]
        energies_out[k, 0] = kinetic_energy(T)
        energies_out[k, 1] = potential_energy(states[k], T)
