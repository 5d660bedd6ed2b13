"""Rows of loop-closing joints between two nodes a and b (Haug 1989, chapter 9; primitives of
model/types/joints.py).

POINT     C = u.(p_b - p_a), u fixed in a         ANGLE     C = u.w, u fixed in a, w in b
DISTANCE  C = (|p_b - p_a|^2 - L^2) / (2 L)
All others are in kernels/rows/special_rows.py.
The wrench of a row on b is (dC/d omega_b; dC/d v_b) at b's origin, and minus the same wrench acts
on a. gamma is minus the acceleration of C for v' = 0, so that J v' = gamma.
"""

from numba import njit

from mechstudio.engine.kernels.columns import (
    ANGLE,
    AW,
    CD,
    DISTANCE,
    FF,
    GAM,
    INLINE,
    KEPT,
    POINT,
    RA,
    RB,
    RLEN,
    RMETRES,
    ROW_TYPE,
    RP,
    RQ,
    RU,
    SA,
    SB,
    C,
    O,
    R,
    V,
    W,
)
from mechstudio.engine.kernels.kernel_table import EVERY, INDEX, NOTHING, TABLES, VECTOR, alone
from mechstudio.engine.kernels.rows.special_rows import special_value, special_wrench
from mechstudio.engine.kernels.scalar import add3, cross, point, point_acceleration, rotated, set3


@alone(EVERY, NOTHING, VECTOR, TABLES, INDEX, INDEX)
def row_values(y, T, first, last):
    """Value C and rate of rows first to last - 1, from the nodes as `poses` left them; of
    coordinate rows from y, its readings settled.
    """
    N, rows, const, work = T.node, T.rows, T.row_const, T.row
    for r in range(first, last):
        a, b, kind = rows[r, RA], rows[r, RB], rows[r, ROW_TYPE]
        if kind > DISTANCE:
            special_value(y, T, r)
            continue
        ux, uy, uz = rotated(N, a, R, const[r, RU], const[r, RU + 1], const[r, RU + 2])
        bx, by, bz, vx, vy, vz = point(N, b, const[r, RQ], const[r, RQ + 1], const[r, RQ + 2])
        if kind == ANGLE:
            work[r, C] = ux * bx + uy * by + uz * bz
            mx, my, mz = cross(bx, by, bz, ux, uy, uz)
            work[r, CD] = (
                (N[b, W] - N[a, W]) * mx
                + (N[b, W + 1] - N[a, W + 1]) * my
                + (N[b, W + 2] - N[a, W + 2]) * mz
            )
            continue
        rx, ry, rz, sx, sy, sz = point(N, a, const[r, RP], const[r, RP + 1], const[r, RP + 2])
        dx, dy, dz = (
            N[b, O] + bx - N[a, O] - rx,
            N[b, O + 1] + by - N[a, O + 1] - ry,
            N[b, O + 2] + bz - N[a, O + 2] - rz,
        )
        vx, vy, vz = vx - sx, vy - sy, vz - sz
        if kind == POINT:
            # velocity relative to a: without the turning of u itself
            cx, cy, cz = cross(N[a, W], N[a, W + 1], N[a, W + 2], dx, dy, dz)
            work[r, C] = ux * dx + uy * dy + uz * dz
            work[r, CD] = ux * (vx - cx) + uy * (vy - cy) + uz * (vz - cz)
        else:
            length = const[r, RLEN]
            work[r, C] = 0.5 * ((dx * dx + dy * dy + dz * dz) / length - length)
            work[r, CD] = (dx * vx + dy * vy + dz * vz) / length


@njit(**INLINE)
def widest(T, first, last):
    """Largest residual [m] of rows first to last - 1, after `row_values`."""
    worst = 0.0
    for r in range(first, last):
        worst = max(worst, abs(T.row[r, C]) * T.row_const[r, RMETRES])
    return worst


@njit(**INLINE)
def same_point(rows, const, q, r):
    """True if rows q and r are POINT rows at one point of b, seen from one node a."""
    return (
        rows[q, ROW_TYPE] == POINT
        and rows[q, RA] == rows[r, RA]
        and rows[q, RB] == rows[r, RB]
        and const[q, RQ] == const[r, RQ]
        and const[q, RQ + 1] == const[r, RQ + 1]
        and const[q, RQ + 2] == const[r, RQ + 2]
    )


@njit(**INLINE)
def apply_row(F, sa, sb, ax, ay, az, bx, by, bz, ux, uy, uz):
    """Add the wrench of a force u at arm b to slot sb, and its opposite at arm a to slot sa."""
    if sb >= 0:
        mx, my, mz = cross(bx, by, bz, ux, uy, uz)
        add3(F, sb, FF, mx, my, mz)
        add3(F, sb, FF + 3, ux, uy, uz)
    if sa >= 0:
        mx, my, mz = cross(ax, ay, az, ux, uy, uz)
        add3(F, sa, FF, -mx, -my, -mz)
        add3(F, sa, FF + 3, -ux, -uy, -uz)


@njit(**INLINE)
def row_wrenches(y, T):
    """gamma and, in the slots of its nodes, the wrench of every kept row; other slots become
    zero.
    """
    N, rows, const, work, F = T.node, T.rows, T.row_const, T.row, T.wrench
    for s in range(F.shape[0]):
        set3(F, s, FF, 0.0, 0.0, 0.0)
        set3(F, s, FF + 3, 0.0, 0.0, 0.0)
    bx = by = bz = ax = ay = az = gx = gy = gz = 0.0
    for r in range(T.size[KEPT]):
        a, b, sa, sb, kind = rows[r, RA], rows[r, RB], rows[r, SA], rows[r, SB], rows[r, ROW_TYPE]
        if kind > DISTANCE:
            special_wrench(y, T, r)
            continue
        ux, uy, uz = rotated(N, a, R, const[r, RU], const[r, RU + 1], const[r, RU + 2])
        if kind == POINT:
            # the rows of a joint are adjacent and share their point
            if not (r > 0 and same_point(rows, const, r - 1, r)):
                bx, by, bz, vx, vy, vz = point(
                    N, b, const[r, RQ], const[r, RQ + 1], const[r, RQ + 2]
                )
                ex, ey, ez = point_acceleration(N, b, bx, by, bz)
                # arm of b's point from a's origin, and its velocity and acceleration relative to a
                ax, ay, az = (
                    N[b, O] + bx - N[a, O],
                    N[b, O + 1] + by - N[a, O + 1],
                    N[b, O + 2] + bz - N[a, O + 2],
                )
                cx, cy, cz = cross(N[a, W], N[a, W + 1], N[a, W + 2], ax, ay, az)
                vx, vy, vz = vx - N[a, V] - cx, vy - N[a, V + 1] - cy, vz - N[a, V + 2] - cz
                cx, cy, cz = cross(N[a, W], N[a, W + 1], N[a, W + 2], vx, vy, vz)
                fx, fy, fz = point_acceleration(N, a, ax, ay, az)
                gx, gy, gz = ex - fx - 2 * cx, ey - fy - 2 * cy, ez - fz - 2 * cz
            work[r, GAM] = -(ux * gx + uy * gy + uz * gz)
            apply_row(F, sa, sb, ax, ay, az, bx, by, bz, ux, uy, uz)
            continue
        bx, by, bz, vx, vy, vz = point(N, b, const[r, RQ], const[r, RQ + 1], const[r, RQ + 2])
        if kind == ANGLE:
            wx, wy, wz = N[b, W] - N[a, W], N[b, W + 1] - N[a, W + 1], N[b, W + 2] - N[a, W + 2]
            mx, my, mz = cross(bx, by, bz, ux, uy, uz)
            cx, cy, cz = cross(wx, wy, wz, bx, by, bz)
            dx, dy, dz = cross(wx, wy, wz, cx, cy, cz)
            ex, ey, ez = cross(N[a, W], N[a, W + 1], N[a, W + 2], wx, wy, wz)
            gx, gy, gz = (
                N[b, AW] - N[a, AW] - ex,
                N[b, AW + 1] - N[a, AW + 1] - ey,
                N[b, AW + 2] - N[a, AW + 2] - ez,
            )
            work[r, GAM] = -(gx * mx + gy * my + gz * mz + ux * dx + uy * dy + uz * dz)
            if sb >= 0:
                add3(F, sb, FF, mx, my, mz)
            if sa >= 0:
                add3(F, sa, FF, -mx, -my, -mz)
            continue
        ax, ay, az = (
            N[b, O] + bx - N[a, O],
            N[b, O + 1] + by - N[a, O + 1],
            N[b, O + 2] + bz - N[a, O + 2],
        )
        ex, ey, ez = point_acceleration(N, b, bx, by, bz)
        rx, ry, rz, sx, sy, sz = point(N, a, const[r, RP], const[r, RP + 1], const[r, RP + 2])
        fx, fy, fz = point_acceleration(N, a, rx, ry, rz)
        vx, vy, vz = vx - sx, vy - sy, vz - sz
        k = 1.0 / const[r, RLEN]
        ux, uy, uz = k * (ax - rx), k * (ay - ry), k * (az - rz)
        work[r, GAM] = -(
            k * (vx * vx + vy * vy + vz * vz) + ux * (ex - fx) + uy * (ey - fy) + uz * (ez - fz)
        )
        apply_row(F, sa, sb, ax, ay, az, bx, by, bz, ux, uy, uz)
