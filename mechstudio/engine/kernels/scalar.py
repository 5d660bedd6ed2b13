"""Vectors by their components: the small arithmetic of all kernels."""

from numba import njit

from mechstudio.engine.kernels.columns import AV, AW, INLINE, PF, O, R, V, W


@njit(**INLINE)
def cross(ax, ay, az, bx, by, bz):
    """Cross product a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@njit(**INLINE)
def get3(A, i, k):
    """Three numbers in row i of A from column k on."""
    return A[i, k], A[i, k + 1], A[i, k + 2]


@njit(**INLINE)
def set3(A, i, k, x, y, z):
    """Write three numbers into row i of A from column k on."""
    A[i, k] = x
    A[i, k + 1] = y
    A[i, k + 2] = z


@njit(**INLINE)
def add3(A, i, k, x, y, z):
    """Add three numbers to row i of A from column k on."""
    A[i, k] += x
    A[i, k + 1] += y
    A[i, k + 2] += z


@njit(**INLINE)
def rotated(A, i, k, x, y, z):
    """The vector (x, y, z) turned by the matrix in row i from column k on."""
    return (
        A[i, k] * x + A[i, k + 1] * y + A[i, k + 2] * z,
        A[i, k + 3] * x + A[i, k + 4] * y + A[i, k + 5] * z,
        A[i, k + 6] * x + A[i, k + 7] * y + A[i, k + 8] * z,
    )


@njit(**INLINE)
def rotated_back(A, i, k, x, y, z):
    """The vector turned by the transpose of that matrix."""
    return (
        A[i, k] * x + A[i, k + 3] * y + A[i, k + 6] * z,
        A[i, k + 1] * x + A[i, k + 4] * y + A[i, k + 7] * z,
        A[i, k + 2] * x + A[i, k + 5] * y + A[i, k + 8] * z,
    )


@njit(**INLINE)
def symmetric(a, b, c, d, e, f, x, y, z):
    """Symmetric matrix (xx, xy, xz, yy, yz, zz) times vector."""
    return a * x + b * y + c * z, b * x + d * y + e * z, c * x + e * y + f * z


@njit(**INLINE)
def product(A, i, k, a, b, c, d, e, f):
    """Row i of A from column k on times (a, b, c, d, e, f): as two sums of three, which the
    processor can compute in parallel.
    """
    return (A[i, k] * a + A[i, k + 1] * b + A[i, k + 2] * c) + (
        A[i, k + 3] * d + A[i, k + 4] * e + A[i, k + 5] * f
    )


@njit(**INLINE)
def turn_node(N, p, i, n, w, x, y, z):
    """R_i = R_p Rot(quaternion), in homogeneous form, so that a stage's quaternion need not be of
    unit length.  n: 2 over its square.
    """
    a, b, c = 1 - n * (y * y + z * z), n * (x * y + w * z), n * (x * z - w * y)
    d, e, f = n * (x * y - w * z), 1 - n * (x * x + z * z), n * (y * z + w * x)
    ux, uy, uz = rotated(N, p, R, a, b, c)
    vx, vy, vz = rotated(N, p, R, d, e, f)
    tx, ty, tz = cross(ux, uy, uz, vx, vy, vz)
    N[i, R], N[i, R + 1], N[i, R + 2] = ux, vx, tx
    N[i, R + 3], N[i, R + 4], N[i, R + 5] = uy, vy, ty
    N[i, R + 6], N[i, R + 7], N[i, R + 8] = uz, vz, tz


@njit(**INLINE)
def point(N, i, x, y, z):
    """(arm, velocity) in W of the point (x, y, z) of node i."""
    rx, ry, rz = rotated(N, i, R, x, y, z)
    cx, cy, cz = cross(N[i, W], N[i, W + 1], N[i, W + 2], rx, ry, rz)
    return rx, ry, rz, N[i, V] + cx, N[i, V + 1] + cy, N[i, V + 2] + cz


@njit(**INLINE)
def point_acceleration(N, i, rx, ry, rz):
    """Acceleration for v' = 0 of the point of node i at arm r."""
    wx, wy, wz = get3(N, i, W)
    cx, cy, cz = cross(wx, wy, wz, rx, ry, rz)
    dx, dy, dz = cross(wx, wy, wz, cx, cy, cz)
    fx, fy, fz = cross(N[i, AW], N[i, AW + 1], N[i, AW + 2], rx, ry, rz)
    return N[i, AV] + dx + fx, N[i, AV + 1] + dy + fy, N[i, AV + 2] + dz + fz


@njit(**INLINE)
def between(N, a, ax, ay, az, b, bx, by, bz):
    """From the point at arm a of node a to the point at arm b of node b, in W."""
    return (
        N[b, O] + bx - N[a, O] - ax,
        N[b, O + 1] + by - N[a, O + 1] - ay,
        N[b, O + 2] + bz - N[a, O + 2] - az,
    )


@njit(**INLINE)
def act(N, i, rx, ry, rz, fx, fy, fz):
    """Apply a force at arm r of node i (PF holds minus the applied wrench)."""
    mx, my, mz = cross(rx, ry, rz, fx, fy, fz)
    add3(N, i, PF, -mx, -my, -mz)
    add3(N, i, PF + 3, -fx, -fy, -fz)
