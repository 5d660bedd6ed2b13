"""Bushings: an elastic connection of all six directions between a frame A on a and a frame B on b.

Its coordinates x = (theta, d): theta the rotation vector of R = R_A^T R_B, so that R =
exp([theta]x), and d = R_A^T (p_B - p_A), both in
A's axes.  With omega and d' the angular velocity of b and the velocity of p_B, both relative to a
and in A's axes, theta' = J(theta)^-1 omega with the left Jacobian of SO(3) (Sola, Deray & Atchuthan
2018, equation 146):

    J^-1 = 1 - [theta]x / 2 + c [theta]x^2,     c = (1 - (phi / 2) cot(phi / 2)) / phi^2,
        phi = |theta|

and the wrench on b at p_B, in A's axes, is  moment -J^-T y_theta, force -y_d  with  y = K x + D x'.
Its power is therefore -y . x' : x^T K x / 2 is exactly its energy and x'^T D x' the power
dissipated by its damping; a is loaded by the opposite wrench at the same point.  To first order in
theta the moment is -y_theta itself.  Beyond half a turn the rotation vector jumps, outside the
range of a bushing.
"""

import math

from numba import njit

from mechstudio.engine.kernels.columns import (
    CALLED,
    F_A,
    F_B,
    FPA,
    FPAR,
    FPB,
    FPULL,
    FRA,
    FRB,
    FX,
    FXRATE,
    INLINE,
    PF,
    R,
    W,
)
from mechstudio.engine.kernels.compilation.smooth_kernels import kernel
from mechstudio.engine.kernels.kernel_table import BUSHINGS, FLAG, INDEX, NUMBER, TABLES, alone
from mechstudio.engine.kernels.scalar import (
    act,
    add3,
    between,
    cross,
    get3,
    point,
    rotated,
    rotated_back,
    set3,
)

# rad, below which series replace closed forms; their truncation error is below 1e-14
SMALL = 1e-3


@njit(**INLINE)
def frame_axis(N, P, node, s, first, j):
    """Axis j of a frame fixed to a node, in W; first: column of its matrix in P, the
    force_const.
    """
    return rotated(N, node, R, P[s, first + j], P[s, first + 3 + j], P[s, first + 6 + j])


@njit(**INLINE)
def rotation_vector(w, x, y, z):
    """theta of the quaternion (w, x, y, z) of any length and sign."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    n = math.sqrt(x * x + y * y + z * z)
    # atan2(n, w) / n -> 1 / w - n^2 / (3 w^3)
    f = 2.0 * math.atan2(n, w) / n if n > SMALL * w else 2.0 / w * (1.0 - n * n / (3.0 * w * w))
    return f * x, f * y, f * z


@njit(**INLINE)
def matrix_quaternion(a, b, c, d, e, f, g, h, i):
    """A quaternion, not of unit length, of the rotation matrix with rows (a, b, c), (d, e, f), (g,
    h, i); the largest component is taken first.
    """
    trace = a + e + i
    if trace >= max(a, e, i):
        return 1.0 + trace, h - f, c - g, d - b
    if a >= max(e, i):
        return h - f, 1.0 + a - e - i, d + b, c + g
    if e >= i:
        return c - g, d + b, 1.0 - a + e - i, h + f
    return d - b, c + g, h + f, 1.0 - a - e + i


@njit(**INLINE)
def curvature(x, y, z):
    """c of J^-1."""
    p2 = x * x + y * y + z * z
    if p2 < 0.01:
        return 1.0 / 12.0 + p2 * (1.0 / 720.0 + p2 * (1.0 / 30240.0 + p2 / 1209600.0))
    phi = math.sqrt(p2)
    return (1.0 - 0.5 * phi / math.tan(0.5 * phi)) / p2


@njit(**INLINE)
def relative(N, forces, P, s):
    """Write x = (theta, d) of bushing s."""
    a, b = forces[s, F_A], forces[s, F_B]
    ax, ay, az = rotated(N, a, R, P[s, FPA], P[s, FPA + 1], P[s, FPA + 2])
    bx, by, bz = rotated(N, b, R, P[s, FPB], P[s, FPB + 1], P[s, FPB + 2])
    dx, dy, dz = between(N, a, ax, ay, az, b, bx, by, bz)
    a0x, a0y, a0z = frame_axis(N, P, a, s, FRA, 0)
    a1x, a1y, a1z = frame_axis(N, P, a, s, FRA, 1)
    a2x, a2y, a2z = frame_axis(N, P, a, s, FRA, 2)
    b0x, b0y, b0z = frame_axis(N, P, b, s, FRB, 0)
    b1x, b1y, b1z = frame_axis(N, P, b, s, FRB, 1)
    b2x, b2y, b2z = frame_axis(N, P, b, s, FRB, 2)
    w, x, y, z = matrix_quaternion(
        a0x * b0x + a0y * b0y + a0z * b0z,
        a0x * b1x + a0y * b1y + a0z * b1z,
        a0x * b2x + a0y * b2y + a0z * b2z,
        a1x * b0x + a1y * b0y + a1z * b0z,
        a1x * b1x + a1y * b1y + a1z * b1z,
        a1x * b2x + a1y * b2y + a1z * b2z,
        a2x * b0x + a2y * b0y + a2z * b0z,
        a2x * b1x + a2y * b1y + a2z * b1z,
        a2x * b2x + a2y * b2y + a2z * b2z,
    )
    tx, ty, tz = rotation_vector(w, x, y, z)
    set3(P, s, FX, tx, ty, tz)
    set3(
        P,
        s,
        FX + 3,
        a0x * dx + a0y * dy + a0z * dz,
        a1x * dx + a1y * dy + a1z * dz,
        a2x * dx + a2y * dy + a2z * dz,
    )


@njit(**INLINE)
def entry(i, j):
    """Place of entry (i, j) of a symmetric 6 x 6 matrix among its upper triangle, row by row."""
    low, high = min(i, j), max(i, j)
    return 6 * low - low * (low - 1) // 2 + high - low


@kernel(**CALLED)
def bushing(N, forces, P, s, elastic):
    """Apply bushing s of the tables node, forces and force_const.  Returns its power [W]; elastic:
    without that of K, which is in the potential.
    """
    a, b = forces[s, F_A], forces[s, F_B]
    relative(N, forces, P, s)
    ax, ay, az, sx, sy, sz = point(N, a, P[s, FPA], P[s, FPA + 1], P[s, FPA + 2])
    bx, by, bz, vx, vy, vz = point(N, b, P[s, FPB], P[s, FPB + 1], P[s, FPB + 2])
    dx, dy, dz = between(N, a, ax, ay, az, b, bx, by, bz)
    # the velocity of p_B relative to the point of a that it coincides with
    cx, cy, cz = cross(N[a, W], N[a, W + 1], N[a, W + 2], dx, dy, dz)
    vx, vy, vz = vx - sx - cx, vy - sy - cy, vz - sz - cz
    ux, uy, uz = rotated_back(N, a, R, vx, vy, vz)
    ux, uy, uz = rotated_back(P, s, FRA, ux, uy, uz)
    wx, wy, wz = rotated_back(
        N, a, R, N[b, W] - N[a, W], N[b, W + 1] - N[a, W + 1], N[b, W + 2] - N[a, W + 2]
    )
    wx, wy, wz = rotated_back(P, s, FRA, wx, wy, wz)
    tx, ty, tz = get3(P, s, FX)
    c = curvature(tx, ty, tz)
    ex, ey, ez = cross(tx, ty, tz, wx, wy, wz)
    gx, gy, gz = cross(tx, ty, tz, ex, ey, ez)
    set3(P, s, FXRATE, wx - 0.5 * ex + c * gx, wy - 0.5 * ey + c * gy, wz - 0.5 * ez + c * gz)
    set3(P, s, FXRATE + 3, ux, uy, uz)
    power = 0.0
    for i in range(6):
        spring = damping = 0.0
        for j in range(6):
            at = FPAR + entry(i, j)
            spring += P[s, at] * P[s, FX + j]
            damping += P[s, at + 21] * P[s, FXRATE + j]
        P[s, FPULL + i] = spring + damping
        power -= (damping if elastic else spring + damping) * P[s, FXRATE + i]
    mx, my, mz = get3(P, s, FPULL)
    # J^-T = 1 + [theta]x / 2 + c [theta]x^2
    ex, ey, ez = cross(tx, ty, tz, mx, my, mz)
    gx, gy, gz = cross(tx, ty, tz, ex, ey, ez)
    mx, my, mz = rotated(
        P, s, FRA, -mx - 0.5 * ex - c * gx, -my - 0.5 * ey - c * gy, -mz - 0.5 * ez - c * gz
    )
    mx, my, mz = rotated(N, a, R, mx, my, mz)
    fx, fy, fz = rotated(P, s, FRA, -P[s, FPULL + 3], -P[s, FPULL + 4], -P[s, FPULL + 5])
    fx, fy, fz = rotated(N, a, R, fx, fy, fz)
    act(N, b, bx, by, bz, fx, fy, fz)
    add3(N, b, PF, -mx, -my, -mz)
    act(N, a, ax + dx, ay + dy, az + dz, -fx, -fy, -fz)
    add3(N, a, PF, mx, my, mz)
    return power


@kernel(**CALLED)
def bushing_potential(N, forces, P, s):
    """x^T K x / 2 [J]."""
    relative(N, forces, P, s)
    energy = 0.0
    for i in range(6):
        for j in range(6):
            energy += 0.5 * P[s, FPAR + entry(i, j)] * P[s, FX + i] * P[s, FX + j]
    return energy


@alone(BUSHINGS, NUMBER, TABLES, INDEX, FLAG)
def bushing_load(T, s, elastic):
    """`bushing` from all tables."""
    return bushing(T.node, T.forces, T.force_const, s, elastic)


@alone(BUSHINGS, NUMBER, TABLES, INDEX)
def bushing_energy(T, s):
    """`bushing_potential` from all tables."""
    return bushing_potential(T.node, T.forces, T.force_const, s)
