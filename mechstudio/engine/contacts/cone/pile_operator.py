"""N of a large island in the axes of W, for the accelerated gradient, in two passes over the
contacts per iteration.

Impulses and slips are vectors in W and need no rotation into contact axes: the normal and the two
arms of a contact are enough, and the projection onto the cone splits the vector along the normal.
One pass goes from the last two iterates to the next trial and its wrenches, another one from the
twists to the product, the bound, the residual and the restart test.  The data of a contact for a
pass are in one row, so that memory is read in one stream.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.de_saxce import X_REQUESTED, X_SHIFT, mix_shifts
from mechstudio.engine.contacts.cone.problem import (
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    INWARD,
    MOVERS,
    MU,
    PROBLEM,
    is_inward,
    respond,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NOTHING, NUMBER, alone

# P.fixed: normal, arms, friction (negative where it acts inside a patch), 1 / scale, scale, r in W,
# compliance of normal and tangent
C_ARM_A, C_ARM_B, C_MU, C_INVERSE, C_SCALE, C_R, C_SOFT_N, C_SOFT_T = 3, 6, 9, 10, 11, 12, 15, 16
# P.moving: two iterates, their products, y and its product; then as in de_saxce.py
ONE, OTHER, X_Y, X_N_Y = 0, 3, 12, 15
_TO_N = 6  # from an iterate to its product
FREELY, UNCHANGED = -1, -2


@kernel(options=INLINED)
def cone_point(x, y, z, nx, ny, nz, mu):
    """The nearest impulse of the cone |t| <= mu n about a normal in W."""
    n = x * nx + y * ny + z * nz
    a, b, c = x - n * nx, y - n * ny, z - n * nz
    square = a * a + b * b + c * c
    if n >= 0.0 and square <= mu * mu * n * n:
        return x, y, z
    t = math.sqrt(square)
    if mu * t <= -n:
        return 0.0, 0.0, 0.0
    n = (n + mu * t) / (1.0 + mu * mu)
    k = mu * n / t if t > 0.0 else 0.0
    return n * nx + k * a, n * ny + k * b, n * nz + k * c


@kernel(options=INLINED)
def scatter(C, F, i, twist, a, b, x, y, z):
    """Add the impulse (x, y, z) to the wrenches of its movers."""
    twist[b, 0] += x
    twist[b, 1] += y
    twist[b, 2] += z
    twist[b, 3] += C[i, 7] * z - C[i, 8] * y
    twist[b, 4] += C[i, 8] * x - C[i, 6] * z
    twist[b, 5] += C[i, 6] * y - C[i, 7] * x
    twist[a, 0] -= x
    twist[a, 1] -= y
    twist[a, 2] -= z
    twist[a, 3] -= C[i, 4] * z - C[i, 5] * y
    twist[a, 4] -= C[i, 5] * x - C[i, 3] * z
    twist[a, 5] -= C[i, 3] * y - C[i, 4] * x
    if C[i, C_MU] < 0.0:
        turn = F[i, INWARD] * x + F[i, INWARD + 1] * y + F[i, INWARD + 2] * z
        for c in range(3):
            twist[b, 3 + c] += turn * C[i, c]
            twist[a, 3 + c] -= turn * C[i, c]


@kernel
def clear_twists(P, island):
    """Set the twists of the movers of an island to zero."""
    I, twist = P.islands, P.twist
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        for j in range(6):
            twist[k, j] = 0.0


@alone(EVERY, NOTHING, PROBLEM, INDEX)
def fill_pile(P, island):
    """Fill the data that a solve needs of each contact, with its impulse as the first iterate."""
    F, C, X = P.frame, P.fixed, P.moving
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        g0, g1, g2 = P.gamma[i, 0], P.gamma[i, 1], P.gamma[i, 2]
        r0, r1, r2 = P.r[i, 0], P.r[i, 1], P.r[i, 2]
        for k in range(3):
            C[i, k], C[i, C_ARM_A + k], C[i, C_ARM_B + k] = F[i, k], F[i, 9 + k], F[i, 12 + k]
            C[i, C_R + k] = F[i, k] * r0 + F[i, 3 + k] * r1 + F[i, 6 + k] * r2
            X[i, k] = F[i, k] * g0 + F[i, 3 + k] * g1 + F[i, 6 + k] * g2
        C[i, C_MU], C[i, C_SCALE], C[i, C_INVERSE] = P.cone[i, MU], P.scale[i], 1.0 / P.scale[i]
        if is_inward(F, i):
            C[i, C_MU] = -C[i, C_MU]
        C[i, C_SOFT_N], C[i, C_SOFT_T] = P.soft[i, 0], P.soft[i, 1]
        X[i, X_SHIFT] = 0.0


@alone(EVERY, NOTHING, PROBLEM, INDEX)
def load_pile(P, island):
    """The wrenches of the first iterate, and the resulting twists of the movers."""
    clear_twists(P, island)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        x, y, z = P.moving[i, 0], P.moving[i, 1], P.moving[i, 2]
        scatter(P.fixed, P.frame, i, P.twist, P.side[i, 0], P.side[i, 1], x, y, z)
    for c in range(6):
        P.twist[P.size[MOVERS], c] = 0.0
    respond(P, island)


@alone(EVERY, NOTHING, PROBLEM, INDEX, INDEX, INDEX, NUMBER, NUMBER)
def advance_pile(P, island, now, other, beta, k):
    """First pass: y <- now + beta (now - other), other <- P(y - k (N y + r) / scale), and its
    wrenches on the movers. beta = -1: y is unchanged.
    """
    C, X, twist, side = P.fixed, P.moving, P.twist, P.side
    clear_twists(P, island)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if beta >= 0.0:
            for c in range(3):
                g, p = X[i, now + c], X[i, now + _TO_N + c]
                X[i, X_Y + c] = g + beta * (g - X[i, other + c])
                X[i, X_N_Y + c] = p + beta * (p - X[i, other + _TO_N + c])
        nx, ny, nz, s, h = C[i, 0], C[i, 1], C[i, 2], X[i, X_SHIFT], k * C[i, C_INVERSE]
        x, y, z = cone_point(
            X[i, X_Y] - h * (X[i, X_N_Y] + C[i, C_R] + s * nx),
            X[i, X_Y + 1] - h * (X[i, X_N_Y + 1] + C[i, C_R + 1] + s * ny),
            X[i, X_Y + 2] - h * (X[i, X_N_Y + 2] + C[i, C_R + 2] + s * nz),
            nx,
            ny,
            nz,
            abs(C[i, C_MU]),
        )
        X[i, other], X[i, other + 1], X[i, other + 2] = x, y, z
        scatter(C, P.frame, i, twist, side[i, 0], side[i, 1], x, y, z)
    for c in range(6):
        twist[P.size[MOVERS], c] = 0.0
    respond(P, island)


@alone(EVERY, types.UniTuple(NUMBER, 4), PROBLEM, INDEX, INDEX, INDEX)
def judge_pile(P, island, now, other):
    """Second pass: N other, and with dx = other - y  (dx N dx, |dx|^2 in the metric of the scales,
    (N y + r) (other - now), residual [m/s] of `other`).
    """
    C, F, X, T, side = P.fixed, P.frame, P.moving, P.twist, P.side
    bend = square = forward = worst = 0.0
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        a, b = side[i, 0], side[i, 1]
        x, y, z = X[i, other], X[i, other + 1], X[i, other + 2]
        nx, ny, nz, s, d, inverse = (
            C[i, 0],
            C[i, 1],
            C[i, 2],
            X[i, X_SHIFT],
            C[i, C_SCALE],
            C[i, C_INVERSE],
        )
        soft = (C[i, C_SOFT_N] - C[i, C_SOFT_T]) * (x * nx + y * ny + z * nz)
        u = (
            T[b, 0]
            + T[b, 4] * C[i, 8]
            - T[b, 5] * C[i, 7]
            - (T[a, 0] + T[a, 4] * C[i, 5] - T[a, 5] * C[i, 4])
            + soft * nx
            + C[i, C_SOFT_T] * x
        )
        v = (
            T[b, 1]
            + T[b, 5] * C[i, 6]
            - T[b, 3] * C[i, 8]
            - (T[a, 1] + T[a, 5] * C[i, 3] - T[a, 3] * C[i, 5])
            + soft * ny
            + C[i, C_SOFT_T] * y
        )
        w = (
            T[b, 2]
            + T[b, 3] * C[i, 7]
            - T[b, 4] * C[i, 6]
            - (T[a, 2] + T[a, 3] * C[i, 4] - T[a, 4] * C[i, 3])
            + soft * nz
            + C[i, C_SOFT_T] * z
        )
        if C[i, C_MU] < 0.0:
            turn = nx * (T[b, 3] - T[a, 3]) + ny * (T[b, 4] - T[a, 4]) + nz * (T[b, 5] - T[a, 5])
            u += turn * F[i, INWARD]
            v += turn * F[i, INWARD + 1]
            w += turn * F[i, INWARD + 2]
        X[i, other + _TO_N], X[i, other + _TO_N + 1], X[i, other + _TO_N + 2] = u, v, w
        e, f, g = x - X[i, X_Y], y - X[i, X_Y + 1], z - X[i, X_Y + 2]
        p, q, o = X[i, X_N_Y], X[i, X_N_Y + 1], X[i, X_N_Y + 2]
        bend += e * (u - p) + f * (v - q) + g * (w - o)
        square += d * (e * e + f * f + g * g)
        r0, r1, r2 = C[i, C_R] + s * nx, C[i, C_R + 1] + s * ny, C[i, C_R + 2] + s * nz
        forward += (
            (p + r0) * (x - X[i, now])
            + (q + r1) * (y - X[i, now + 1])
            + (o + r2) * (z - X[i, now + 2])
        )
        e, f, g = cone_point(
            x - inverse * (u + r0),
            y - inverse * (v + r1),
            z - inverse * (w + r2),
            nx,
            ny,
            nz,
            abs(C[i, C_MU]),
        )
        worst = max(worst, d * d * ((e - x) * (e - x) + (f - y) * (f - y) + (g - z) * (g - z)))
    return bend, square, forward, math.sqrt(worst)


@alone(EVERY, NUMBER, PROBLEM, INDEX, INDEX, INDEX)
def shift_pile(P, island, now, turn):
    """Update De Saxce's shifts mu |u_t| from the iterate `now`.  Returns the residual of the law,
    with these shifts [m/s]. turn: FREELY, or as in `mix_shifts` if the cone problem has been
    solved, UNCHANGED to leave them unchanged.
    """
    C, X, worst = P.fixed, P.moving, 0.0
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        u, v, w = (
            X[i, now + _TO_N] + C[i, C_R],
            X[i, now + _TO_N + 1] + C[i, C_R + 1],
            X[i, now + _TO_N + 2] + C[i, C_R + 2],
        )
        n = u * C[i, 0] + v * C[i, 1] + w * C[i, 2]
        s = abs(C[i, C_MU]) * math.sqrt(
            (u - n * C[i, 0]) ** 2 + (v - n * C[i, 1]) ** 2 + (w - n * C[i, 2]) ** 2
        )
        x, y, z, inverse = X[i, now], X[i, now + 1], X[i, now + 2], C[i, C_INVERSE]
        a, b, c = cone_point(
            x - inverse * (u + s * C[i, 0]),
            y - inverse * (v + s * C[i, 1]),
            z - inverse * (w + s * C[i, 2]),
            C[i, 0],
            C[i, 1],
            C[i, 2],
            abs(C[i, C_MU]),
        )
        worst = max(
            worst, C[i, C_SCALE] ** 2 * ((a - x) * (a - x) + (b - y) * (b - y) + (c - z) * (c - z))
        )
        X[i, X_REQUESTED] = s
        if turn == FREELY:
            X[i, X_SHIFT] = s
    if turn >= 0:
        mix_shifts(X, P.islands[island, I_FIRST], P.islands[island, I_LAST], turn)
    return math.sqrt(worst)


@kernel
def shorten_start(P, island, now):
    """Scale the iterate `now` to the minimum of the function along it, if that is less than half of
    it: the impulses before an impact are no good start after it.  Returns whether it was scaled.
    """
    C, X, bend, slope = P.fixed, P.moving, 0.0, 0.0
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(3):
            bend += X[i, now + c] * X[i, now + _TO_N + c]
            slope += X[i, now + c] * C[i, C_R + c]
    part = max(-slope / bend, 0.0) if bend > 0.0 else 1.0
    if part >= 0.5:
        return False
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(3):
            X[i, now + c] *= part
    load_pile(P, island)
    return True


@alone(EVERY, types.UniTuple(NUMBER, 2), PROBLEM, INDEX, NUMBER)
def begin_pile(P, island, L):
    """Make the impulses in gamma, or a part of them, the first iterate, with its product.  L: of
    the last solve, 0 for none.  Returns (residual [m/s], L).
    """
    fill_pile(P, island)
    load_pile(P, island)
    left = judge_pile(P, island, ONE, ONE)[3]
    if shorten_start(P, island, ONE):
        left = judge_pile(P, island, ONE, ONE)[3]
    return left, L if L > 0.0 else 1.0


@kernel
def step_pile(P, island, now, other, beta, L):
    """Both passes: the results of the second one."""
    advance_pile(P, island, now, other, beta, 1.0 / L)
    return judge_pile(P, island, now, other)


@kernel
def end_pile(P, island):
    """Write the best impulses to gamma."""
    F = P.frame
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        x, y, z = P.best[i, 0], P.best[i, 1], P.best[i, 2]
        for k in range(3):
            P.gamma[i, k] = F[i, 3 * k] * x + F[i, 3 * k + 1] * y + F[i, 3 * k + 2] * z
