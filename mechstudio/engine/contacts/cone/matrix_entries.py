"""Entries of a contact in the matrix of Newton's methods: blocks of six by six numbers, for the
force and moment on one mover under the twist of another.
"""

from mechstudio.engine.contacts.cone.problem import INWARD
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.vectors import cross


@kernel
def add_curvature(A, at, length, r, s, J, sign):
    """Six by six entries from `at` on, rows of `length`: sign [1, r]^T J [1, s] with J's six
    numbers, arms r and s.
    """
    j0, j1, j2, j3, j4, j5 = J
    rx, ry, rz = r
    sx, sy, sz = s
    for row in range(6):
        if row == 0:
            x, y, z = j0, j1, j2
        elif row == 1:
            x, y, z = j1, j3, j4
        elif row == 2:
            x, y, z = j2, j4, j5
        elif row == 3:
            x, y, z = ry * j2 - rz * j1, ry * j4 - rz * j3, ry * j5 - rz * j4
        elif row == 4:
            x, y, z = rz * j0 - rx * j2, rz * j1 - rx * j4, rz * j2 - rx * j5
        else:
            x, y, z = rx * j1 - ry * j0, rx * j3 - ry * j1, rx * j4 - ry * j2
        x, y, z, here = sign * x, sign * y, sign * z, at + row * length
        A[here] += x
        A[here + 1] += y
        A[here + 2] += z
        A[here + 3] += sy * z - sz * y
        A[here + 4] += sz * x - sx * z
        A[here + 5] += sx * y - sy * x


@kernel
def add_turning(A, at, length, e, by_r, by_s, moment, j, J, sign):
    """Add the moments of a contact to the entries of `add_curvature`: j (a b^T - a' b'^T) with
    a = (e, by_r + moment), a' = (e, by_r), and b likewise with by_s, these being the moments of e
    about the origins of the movers; J's six numbers between the turns.
    """
    for row in range(6):
        if row < 3:
            a, m = e[row], 0.0
        else:
            a, m = by_r[row - 3], moment[row - 3]
        here, both = at + row * length, sign * j * (a + m)
        for column in range(3):
            A[here + column] += sign * j * m * e[column]
            A[here + 3 + column] += both * moment[column] + sign * j * m * by_s[column]
    at += 3 * length + 3
    for row in range(3):
        x, y, z = (
            (J[0], J[1], J[2])
            if row == 0
            else (J[1], J[3], J[4])
            if row == 1
            else (J[2], J[4], J[5])
        )
        A[at + row * length] += sign * x
        A[at + row * length + 1] += sign * y
        A[at + row * length + 2] += sign * z


@kernel
def add_inward(A, at, length, r, s, J, F, i, sign):
    """Add the moment of the force of contact i that acts inside a patch to the entries of
    `add_curvature`: with q = J d and the normal n, d being the moments of unit forces about n,

        sign [0, q n^T; n q^T, n (s x q)^T + (r x q) n^T + (d . q) n n^T].
    """
    dx, dy, dz = F[i, INWARD], F[i, INWARD + 1], F[i, INWARD + 2]
    qx, qy, qz = (
        J[0] * dx + J[1] * dy + J[2] * dz,
        J[1] * dx + J[3] * dy + J[4] * dz,
        J[2] * dx + J[4] * dy + J[5] * dz,
    )
    q = (qx, qy, qz)
    by_r, by_s = cross(r[0], r[1], r[2], qx, qy, qz), cross(s[0], s[1], s[2], qx, qy, qz)
    square = dx * qx + dy * qy + dz * qz
    for row in range(3):
        above, here = at + row * length, at + (row + 3) * length
        n, p, m = F[i, row], q[row], by_r[row]
        for column in range(3):
            e = F[i, column]
            A[above + 3 + column] += sign * p * e
            A[here + column] += sign * n * q[column]
            A[here + 3 + column] += sign * (n * by_s[column] + m * e + square * n * e)


@kernel
def moment_about(F, i, arm, force):
    """Moment of a force at contact i, or inside its patch, about the origin of a mover."""
    a, b, c = force
    turn = F[i, INWARD] * a + F[i, INWARD + 1] * b + F[i, INWARD + 2] * c
    x, y, z = cross(F[i, arm], F[i, arm + 1], F[i, arm + 2], a, b, c)
    return x + turn * F[i, 0], y + turn * F[i, 1], z + turn * F[i, 2]


@kernel
def add_product(A, at, n, one, two, sign):
    """Six by six entries from `at` on, rows of length n: sign one two^T."""
    for row in range(6):
        for column in range(6):
            A[at + row * n + column] += sign * one[row] * two[column]
