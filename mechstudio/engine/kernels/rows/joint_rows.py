"""Rows of joints at poses of the bodies, for one set of poses at a time, as in assembly: the
primitives of most joints, with the formulas of constraints/rows.py.

Arrays: origins (1 + n, 3) [m] and R (1 + n, 3, 3) of ground and all bodies, P (2, joints, 3) [m]
and axes (2, joints, 3, 3) of the joints' frames on their two sides, all in W.  sides (joints, 2):
body on each side, 0 for ground.  rows (rows, 4): joint, primitive, axis of A, axis of B.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import INLINE, OPTIONS
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel

PLAIN_POINT, PLAIN_ANGLE, PLAIN_DISTANCE = 0, 1, 2


@njit(**INLINE)
def _place_body(b, x, y, z, e0, e1, e2, e3, origins, R):
    """Origin and matrix of a body from its place and a quaternion, which need not be normalised."""
    scale = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    e0, e1, e2, e3 = e0 * scale, e1 * scale, e2 * scale, e3 * scale
    origins[b, 0], origins[b, 1], origins[b, 2] = x, y, z
    R[b, 0, 0] = 1.0 - 2.0 * (e2 * e2 + e3 * e3)
    R[b, 0, 1] = 2.0 * (e1 * e2 - e0 * e3)
    R[b, 0, 2] = 2.0 * (e1 * e3 + e0 * e2)
    R[b, 1, 0] = 2.0 * (e1 * e2 + e0 * e3)
    R[b, 1, 1] = 1.0 - 2.0 * (e1 * e1 + e3 * e3)
    R[b, 1, 2] = 2.0 * (e2 * e3 - e0 * e1)
    R[b, 2, 0] = 2.0 * (e1 * e3 - e0 * e2)
    R[b, 2, 1] = 2.0 * (e2 * e3 + e0 * e1)
    R[b, 2, 2] = 1.0 - 2.0 * (e1 * e1 + e2 * e2)


@kernel(**OPTIONS)
def place_rows(
    poses, ground, sides, at, turn, rows, lengths, size, origins, R, P, axes, C, force, moment
):
    """Fill origins, R, P, axes, and C (rows,), force and moment (rows, 3) of the rows.

    poses (n, 7), ground (7,): place [m] and quaternion.  at (2, joints, 3) [m], turn (2, joints, 3,
    3): the joints' frames in the axes of their bodies.  lengths (rows,): of rods [m].  size [m].
    """
    g = ground
    _place_body(0, g[0], g[1], g[2], g[3], g[4], g[5], g[6], origins, R)
    for b in range(poses.shape[0]):
        x, y, z = poses[b, 0], poses[b, 1], poses[b, 2]
        e0, e1, e2, e3 = poses[b, 3], poses[b, 4], poses[b, 5], poses[b, 6]
        _place_body(b + 1, x, y, z, e0, e1, e2, e3, origins, R)
    for j in range(sides.shape[0]):
        for s in range(2):
            b = sides[j, s]
            for i in range(3):
                P[s, j, i] = (
                    origins[b, i]
                    + R[b, i, 0] * at[s, j, 0]
                    + R[b, i, 1] * at[s, j, 1]
                    + R[b, i, 2] * at[s, j, 2]
                )
                for k in range(3):
                    axes[s, j, i, k] = (
                        R[b, i, 0] * turn[s, j, 0, k]
                        + R[b, i, 1] * turn[s, j, 1, k]
                        + R[b, i, 2] * turn[s, j, 2, k]
                    )
    for r in range(rows.shape[0]):
        j, a, b = rows[r, 0], rows[r, 2], rows[r, 3]
        ax, ay, az = axes[0, j, 0, a], axes[0, j, 1, a], axes[0, j, 2, a]
        dx, dy, dz = P[1, j, 0] - P[0, j, 0], P[1, j, 1] - P[0, j, 1], P[1, j, 2] - P[0, j, 2]
        fx, fy, fz, mx, my, mz = ax, ay, az, 0.0, 0.0, 0.0
        if rows[r, 1] == PLAIN_POINT:
            C[r] = ax * dx + ay * dy + az * dz
        elif rows[r, 1] == PLAIN_ANGLE:
            bx, by, bz = axes[1, j, 0, b], axes[1, j, 1, b], axes[1, j, 2, b]
            C[r] = size * (ax * bx + ay * by + az * bz)
            fx, fy, fz = 0.0, 0.0, 0.0
            mx, my, mz = (
                size * (by * az - bz * ay),
                size * (bz * ax - bx * az),
                size * (bx * ay - by * ax),
            )
        else:
            length = lengths[r]
            C[r] = (dx * dx + dy * dy + dz * dz - length * length) / (2.0 * length)
            fx, fy, fz = dx / length, dy / length, dz / length
        force[r, 0], force[r, 1], force[r, 2] = fx, fy, fz
        moment[r, 0], moment[r, 1], moment[r, 2] = mx, my, mz


@kernel(**OPTIONS)
def row_slopes(origins, R, P_B, force, moment, sides, rows, centres, scale, J):
    """Add the rates of rows at poses to J (rows or more, 6 n), which is zero initially.

    P_B (joints, 3), force, moment (rows, 3): of place_rows.  centres (1 + n, 3) [m], in body axes,
    scale (6 n,): of the motions that are the columns (manifold/metric.py).
    """
    for r in range(rows.shape[0]):
        j = rows[r, 0]
        for s in range(2):
            b = sides[j, s]
            if b == 0:
                continue
            sign = -1.0 if s == 0 else 1.0
            fx, fy, fz = sign * force[r, 0], sign * force[r, 1], sign * force[r, 2]
            dx, dy, dz = (
                P_B[j, 0] - origins[b, 0],
                P_B[j, 1] - origins[b, 1],
                P_B[j, 2] - origins[b, 2],
            )
            mx = dy * fz - dz * fy + sign * moment[r, 0]
            my = dz * fx - dx * fz + sign * moment[r, 1]
            mz = dx * fy - dy * fx + sign * moment[r, 2]
            # both in body axes
            ux = R[b, 0, 0] * fx + R[b, 1, 0] * fy + R[b, 2, 0] * fz
            uy = R[b, 0, 1] * fx + R[b, 1, 1] * fy + R[b, 2, 1] * fz
            uz = R[b, 0, 2] * fx + R[b, 1, 2] * fy + R[b, 2, 2] * fz
            tx = R[b, 0, 0] * mx + R[b, 1, 0] * my + R[b, 2, 0] * mz
            ty = R[b, 0, 1] * mx + R[b, 1, 1] * my + R[b, 2, 1] * mz
            tz = R[b, 0, 2] * mx + R[b, 1, 2] * my + R[b, 2, 2] * mz
            cx, cy, cz = centres[b, 0], centres[b, 1], centres[b, 2]
            first = 6 * (b - 1)
            J[r, first] += fx * scale[first]
            J[r, first + 1] += fy * scale[first + 1]
            J[r, first + 2] += fz * scale[first + 2]
            J[r, first + 3] += (tx + uy * cz - uz * cy) * scale[first + 3]
            J[r, first + 4] += (ty + uz * cx - ux * cz) * scale[first + 4]
            J[r, first + 5] += (tz + ux * cy - uy * cx) * scale[first + 5]
