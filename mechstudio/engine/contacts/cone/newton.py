"""The cone problem by Newton's method, for islands on which the accelerated gradient takes too
long: towers that rock on an edge, chains of unlike masses.

What slows a gradient is the ratio of the largest to the least eigenvalue of N, which is some 1e5
for ten boxes on each other.  Here the impulses come by the method of proximal points,

    x <- argmin over the cone of  1/2 x^T N x + x^T r + 1/2 sum_i k_i |x - x_before|^2,
        k_i a small part of N's own diagonal,

each of whose problems is solved in the velocities that contacts give to the movers, w = W D x:
least is then the smooth convex function
1/2 w^T M w + sum_i k_i / 2 |P(z_i)|^2 with z_i = x_before - (u_i(w) + r_i) / k_i, and x = P(z).
Its second derivative M + sum_i D_i P' D_i^T / k_i has six rows per mover and few entries off its
diagonal: it is factored within its envelope (envelope.py).
Newton's steps on such functions end after a few turns (Qi & Sun 1993); a line search makes them
converge from anywhere.
Rows inside patches, friction alone of a bounded length, are sets of their own: of them the function
is k_i (P(z_i) . z_i - |P(z_i)|^2 / 2), which of a cone is that above.
De Saxce's shifts are told anew between the problems.  Not for islands with mechanisms that give
way: their inverse mass has no inverse.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.block_apgd import (
    C_ARM_A,
    C_ARM_B,
    C_MU,
    C_R,
    C_SCALE,
    C_SOFT_N,
    C_SOFT_T,
    FREELY,
    ONLY_ASK,
    OTHER,
    X_N_Y,
    X_Y,
    cone_point,
    fill_pile,
    judge_pile,
    keep_best,
    load_pile,
    shift_pile,
)
from mechstudio.engine.contacts.cone.cone import onto
from mechstudio.engine.contacts.cone.de_saxce import X_SHIFT, compare_turns, turn_shifts
from mechstudio.engine.contacts.cone.envelope import (
    BEGIN,
    HEAD,
    INERTIA,
    LEFT,
    MASS,
    PLACE,
    STEP,
    entry,
    factor_work,
    number_rows,
    solve_matrix,
)
from mechstudio.engine.contacts.cone.problem import I_FIRST, I_LAST, I_MOVER0, I_MOVER1, PROBLEM
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.standing import EVERY, INDEX, NUMBER, alone

NEAR, NEARER, NEAREST = (
    1e-4,
    0.25,
    1e-7,
    # k_i in units of N's diagonal: of the first problem, from one to the next, and the least that
    # rounding allows
)
FARTHER, FARTHEST = (
    8.0,
    1.0,
)  # from a problem that Newton's method did not solve to the next, and the most
PROBLEMS, TURNS = 60, 30  # of the proximal method, and Newton steps in each of them
STEPS, WORK = (
    1500,
    2e8,
    # Newton steps of an island, and multiplications of their factorings, that a step of time may
    # cost
)
PATIENCE = 30  # problems without a better answer after which no other is posed, as a rule
# of the distance from the law that telling the shifts anew has to leave at most; else the next ones
# come by the secant
GAIN = 0.9
# slip of the last Newton step of a problem, in tolerances, and where the shifts come by the secant:
# an error of it is one of the residual over k_i, which the secant would take for an answer
ENDS, ENDS_SHARP = 0.1, 1e-3
# residual of the cone problem, over the distance from the law, below which the shifts are told anew
CLOSE = 0.5
# part of the cone problem's residual that a problem has to leave at most, or the next holds less to
# where it begins
SLOW = 0.3
STALLED = 1e-6  # part of a step, which the line search comes to where rounding ends it


@kernel
def fill_masses(P, island):
    """Mass and inertia of the movers."""
    for k in range(P.islands[island, I_MOVER0], P.islands[island, I_MOVER1]):
        p = P.numbering[k, PLACE]
        if p < 0:
            continue
        A, at = P.newton, HEAD * p
        a, b, c, d, e, f = (
            P.mass[k, 1],
            P.mass[k, 2],
            P.mass[k, 3],
            P.mass[k, 4],
            P.mass[k, 5],
            P.mass[k, 6],
        )
        xx, xy, xz = d * f - e * e, c * e - b * f, b * e - c * d
        det = a * xx + b * xy + c * xz
        A[at + MASS] = 1.0 / P.mass[k, 0]
        A[at + INERTIA], A[at + INERTIA + 1], A[at + INERTIA + 2] = xx / det, xy / det, xz / det
        A[at + INERTIA + 3], A[at + INERTIA + 4], A[at + INERTIA + 5] = (
            (a * f - c * c) / det,
            (b * c - a * e) / det,
            (a * d - b * b) / det,
        )


@kernel(options=INLINED)
def nearness(C, i, near):
    """k of contact i, above its compliance, so that what is left of that is isotropic."""
    return near * C[i, C_SCALE] + max(C[i, C_SOFT_N], C[i, C_SOFT_T])


@kernel(options=INLINED)
def arm_slip(C, T, i, a, b):
    """Relative velocity of the movers at contact i in W."""
    u = (
        T[b, 0]
        + T[b, 4] * C[i, 8]
        - T[b, 5] * C[i, 7]
        - (T[a, 0] + T[a, 4] * C[i, 5] - T[a, 5] * C[i, 4])
    )
    v = (
        T[b, 1]
        + T[b, 5] * C[i, 6]
        - T[b, 3] * C[i, 8]
        - (T[a, 1] + T[a, 5] * C[i, 3] - T[a, 3] * C[i, 5])
    )
    w = (
        T[b, 2]
        + T[b, 3] * C[i, 7]
        - T[b, 4] * C[i, 6]
        - (T[a, 2] + T[a, 3] * C[i, 4] - T[a, 4] * C[i, 3])
    )
    return u, v, w


@kernel
def begin_problem(P, island, near):
    """y <- z of every contact for the velocities in the movers' twists, x_before being the first
    iterate.
    """
    C, X, side = P.fixed, P.moving, P.side
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        u, v, w = arm_slip(C, P.twist, i, side[i, 0], side[i, 1])
        x, y, z, s, k = X[i, 0], X[i, 1], X[i, 2], X[i, X_SHIFT], 1.0 / nearness(C, i, near)
        soft = (C[i, C_SOFT_N] - C[i, C_SOFT_T]) * (x * C[i, 0] + y * C[i, 1] + z * C[i, 2]) + s
        X[i, X_Y] = x - k * (u + C[i, C_R] + soft * C[i, 0] + C[i, C_SOFT_T] * x)
        X[i, X_Y + 1] = y - k * (v + C[i, C_R + 1] + soft * C[i, 1] + C[i, C_SOFT_T] * y)
        X[i, X_Y + 2] = z - k * (w + C[i, C_R + 2] + soft * C[i, 2] + C[i, C_SOFT_T] * z)


@kernel
def value_at(P, island, near, t):
    """sum k (P(q) . q - |P(q)|^2 / 2), q = z + t dz, and its slope over t: of a cone k / 2
    |P(q)|^2.
    """
    C, X, total, slope = P.fixed, P.moving, 0.0, 0.0
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        k = nearness(C, i, near)
        a, b, c = (
            X[i, X_Y] + t * X[i, X_N_Y],
            X[i, X_Y + 1] + t * X[i, X_N_Y + 1],
            X[i, X_Y + 2] + t * X[i, X_N_Y + 2],
        )
        x, y, z = cone_point(a, b, c, C[i, 0], C[i, 1], C[i, 2], C[i, C_MU])
        square = x * x + y * y + z * z
        if C[i, C_MU] < 0.0:
            square = 2.0 * (x * a + y * b + z * c) - square
        total += 0.5 * k * square
        slope += k * (x * X[i, X_N_Y] + y * X[i, X_N_Y + 1] + z * X[i, X_N_Y + 2])
    return total, slope


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
def fill_matrix(P, island, places, near):
    """M + sum D P' D^T / k in its envelope, and sum D P(z) - M w as right sides."""
    I, where, A, C, X, side = P.islands, P.numbering, P.newton, P.fixed, P.moving, P.side
    m0, m1 = I[island, I_MOVER0], I[island, I_MOVER1]
    last = where[places - 1, BEGIN] + 36 * (places - where[places - 1, LEFT])
    for x in range(HEAD * places, last):
        A[x] = 0.0
    for k in range(m0, m1):
        p = where[k, PLACE]
        if p < 0:
            continue
        h, T = HEAD * p, P.twist
        m, xx, xy, xz, yy, yz, zz = A[h], A[h + 1], A[h + 2], A[h + 3], A[h + 4], A[h + 5], A[h + 6]
        at, n = entry(where, p, 0, p, 0), 6 * (p - where[p, LEFT] + 1)
        A[at], A[at + n + 1], A[at + 2 * n + 2] = m, m, m
        A[at + 3 * n + 3], A[at + 3 * n + 4], A[at + 3 * n + 5] = xx, xy, xz
        A[at + 4 * n + 3], A[at + 4 * n + 4], A[at + 4 * n + 5] = xy, yy, yz
        A[at + 5 * n + 3], A[at + 5 * n + 4], A[at + 5 * n + 5] = xz, yz, zz
        for c in range(3):
            A[h + STEP + c] = -m * T[k, c]
        x, y, z = T[k, 3], T[k, 4], T[k, 5]
        A[h + STEP + 3], A[h + STEP + 4], A[h + STEP + 5] = (
            -(xx * x + xy * y + xz * z),
            -(xy * x + yy * y + yz * z),
            -(xz * x + yz * y + zz * z),
        )
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        nx, ny, nz, mu, k = C[i, 0], C[i, 1], C[i, 2], C[i, C_MU], 1.0 / nearness(C, i, near)
        x, y, z = X[i, X_Y], X[i, X_Y + 1], X[i, X_Y + 2]
        n = x * nx + y * ny + z * nz
        a, b, c = x - n * nx, y - n * ny, z - n * nz
        t = math.sqrt(a * a + b * b + c * c)
        if mu < 0.0:
            # across the normal, and where friction is at its most, across it too
            part = onto(t, -mu)
            x, y, z, o = part * a, part * b, part * c, k * part
            over = 1.0 / t if part < 1.0 else 0.0
            a, b, c = a * over, b * over, c * over
            J = (
                o * (1.0 - nx * nx - a * a),
                -o * (nx * ny + a * b),
                -o * (nx * nz + a * c),
                o * (1.0 - ny * ny - b * b),
                -o * (ny * nz + b * c),
                o * (1.0 - nz * nz - c * c),
            )
        elif n >= 0.0 and t <= mu * n:
            J = (k, 0.0, 0.0, k, 0.0, k)
        elif mu * t <= -n:
            continue
        else:
            far, over = (n + mu * t) / (1.0 + mu * mu), 1.0 / t if t > 0.0 else 0.0
            a, b, c = a * over, b * over, c * over
            e, f, g = nx + mu * a, ny + mu * b, nz + mu * c
            x, y, z = far * e, far * f, far * g
            j, o = k / (1.0 + mu * mu), k * far * mu * over
            J = (
                j * e * e + o * (1.0 - nx * nx - a * a),
                j * e * f - o * (nx * ny + a * b),
                j * e * g - o * (nx * nz + a * c),
                j * f * f + o * (1.0 - ny * ny - b * b),
                j * f * g - o * (ny * nz + b * c),
                j * g * g + o * (1.0 - nz * nz - c * c),
            )
        one, two = side[i, 0], side[i, 1]
        p = where[one, PLACE] if m0 <= one < m1 else -1
        q = where[two, PLACE] if m0 <= two < m1 else -1
        r, s = (
            (C[i, C_ARM_A], C[i, C_ARM_A + 1], C[i, C_ARM_A + 2]),
            (C[i, C_ARM_B], C[i, C_ARM_B + 1], C[i, C_ARM_B + 2]),
        )
        for end in range(2):
            place, sign, at = (q, 1.0, C_ARM_B) if end else (p, -1.0, C_ARM_A)
            if place < 0:
                continue
            h = HEAD * place + STEP
            A[h] += sign * x
            A[h + 1] += sign * y
            A[h + 2] += sign * z
            A[h + 3] += sign * (C[i, at + 1] * z - C[i, at + 2] * y)
            A[h + 4] += sign * (C[i, at + 2] * x - C[i, at] * z)
            A[h + 5] += sign * (C[i, at] * y - C[i, at + 1] * x)
        # places and arms of the entries: both ends by themselves, and the two together
        for turn in range(3):
            high, low, one_arm, other = (
                (p, p, r, r)
                if turn == 0
                else (q, q, s, s)
                if turn == 1
                else (p, q, r, s)
                if p > q
                else (q, p, s, r)
            )
            if low >= 0 and high >= 0:
                add_curvature(
                    A,
                    entry(where, high, 0, low, 0),
                    6 * (high - where[high, LEFT] + 1),
                    one_arm,
                    other,
                    J,
                    1.0 if turn < 2 else -1.0,
                )


@kernel
def carry_step(P, island, near):
    """dz of every contact for the step of the velocities.  Returns (largest slip of it [m/s], slope
    and curvature of the kinetic energy along it).
    """
    I, where, A, C, X, T = P.islands, P.numbering, P.newton, P.fixed, P.moving, P.twist
    m0, m1, largest, slope, bend = I[island, I_MOVER0], I[island, I_MOVER1], 0.0, 0.0, 0.0
    for k in range(m0, m1):
        p = where[k, PLACE]
        if p >= 0:
            h = HEAD * p
            d = h + STEP
            for c in range(3):
                slope += A[h] * T[k, c] * A[d + c]
                bend += A[h] * A[d + c] * A[d + c]
            x, y, z = A[d + 3], A[d + 4], A[d + 5]
            e, f, g = (
                A[h + 1] * x + A[h + 2] * y + A[h + 3] * z,
                A[h + 2] * x + A[h + 4] * y + A[h + 5] * z,
                A[h + 3] * x + A[h + 5] * y + A[h + 6] * z,
            )
            slope += e * T[k, 3] + f * T[k, 4] + g * T[k, 5]
            bend += e * x + f * y + g * z
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        u = v = w = 0.0
        for end in range(2):
            k, at, sign = P.side[i, end], C_ARM_B if end else C_ARM_A, 1.0 if end else -1.0
            p = where[k, PLACE] if m0 <= k < m1 else -1
            if p >= 0:
                d = HEAD * p + STEP
                x, y, z, rx, ry, rz = (
                    A[d + 3],
                    A[d + 4],
                    A[d + 5],
                    C[i, at],
                    C[i, at + 1],
                    C[i, at + 2],
                )
                u += sign * (A[d] + y * rz - z * ry)
                v += sign * (A[d + 1] + z * rx - x * rz)
                w += sign * (A[d + 2] + x * ry - y * rx)
        largest = max(largest, u * u + v * v + w * w)
        k = 1.0 / nearness(C, i, near)
        X[i, X_N_Y], X[i, X_N_Y + 1], X[i, X_N_Y + 2] = -k * u, -k * v, -k * w
    return math.sqrt(largest), slope, bend


@kernel
def take_step(P, island, t):
    """Velocities and z after the part t of the step."""
    I, where, X = P.islands, P.numbering, P.moving
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        if where[k, PLACE] >= 0:
            for c in range(6):
                P.twist[k, c] += t * P.newton[HEAD * where[k, PLACE] + STEP + c]
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        for c in range(3):
            X[i, X_Y + c] += t * X[i, X_N_Y + c]


@kernel
def solve_problem(P, island, places, near, ends, most):
    """One problem of the proximal method, from the velocities of its x_before.  The first iterate
    <- x, the second one <- x_before.  Returns (Newton's steps, up to `most`, whether they solved
    it).  ends [m/s]: slip of a step below which it is solved.
    """
    C, X, done, solved = P.fixed, P.moving, 0, False
    begin_problem(P, island, near)
    while done < most:
        done += 1
        fill_matrix(P, island, places, near)
        solve_matrix(P, places)
        largest, slope, bend = carry_step(P, island, near)
        here, down = value_at(P, island, near, 0.0)
        down += slope
        t = 1.0
        for _ in range(30):
            there, _ = value_at(P, island, near, t)
            if there - here + t * slope + 0.5 * t * t * bend <= 1e-4 * t * down + 1e-13 * abs(here):
                break
            t *= 0.5
        take_step(P, island, t)
        # a step that is short because the line search cut it tells nothing
        solved = largest < ends
        if solved or t < STALLED:
            break
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        X[i, OTHER], X[i, OTHER + 1], X[i, OTHER + 2] = X[i, 0], X[i, 1], X[i, 2]
        X[i, 0], X[i, 1], X[i, 2] = cone_point(
            X[i, X_Y], X[i, X_Y + 1], X[i, X_Y + 2], C[i, 0], C[i, 1], C[i, 2], C[i, C_MU]
        )
    return done, solved


@kernel
def take_back(P, island):
    """The first iterate <- x_before of the last problem."""
    X = P.moving
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        X[i, 0], X[i, 1], X[i, 2] = X[i, OTHER], X[i, OTHER + 1], X[i, OTHER + 2]
    load_pile(P, island)
    judge_pile(P, island, 0, 0)


@kernel
def go_to_shifts(P, island, away):
    """De Saxce's shifts go to those that were asked for; `away`, where that leads away from the law
    or to and fro, by the secant through the last two turns.

    A secant finds shifts that repeating leaves, however slowly: bodies that jam answer a shift with
    a larger one, and no part of the way to it, however short, leads back.
    """
    first, last = P.islands[island, I_FIRST], P.islands[island, I_LAST]
    part, _, _ = compare_turns(P.moving, first, last)
    turn_shifts(P.moving, first, last, part if away else 0.0, 0.0)


@alone(EVERY, types.Tuple((INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, INDEX, NUMBER, INDEX)
def solve_newton(P, island, tolerance, passes, best, patience):
    """Impulses of an island of three numbers per contact, from those in P.gamma: (Newton's steps,
    residual of the law [m/s]).

    passes: times that the shifts may be told anew, 0 for none.  best [m/s]: residual above which
    P.gamma is left as it stands.  patience: problems without a better answer after which no other
    is posed.  (0, inf) where the method is not for this island.  Ends without
    an answer below the tolerance where that would take too long: after an impact on a wall of a
    hundred bricks, for one.
    """
    places = number_rows(P, island)
    if places < 0:
        return 0, math.inf
    F = P.frame
    fill_masses(P, island)
    fill_pile(P, island)
    load_pile(P, island)
    left, done = judge_pile(P, island, 0, 0)[3], 0
    if passes > 0:
        left = shift_pile(P, island, 0, FREELY)
    late, near, ends = 0, NEAR, ENDS * tolerance
    least, found, before = best, False, math.inf
    allowed = min(STEPS, int(WORK / factor_work(P, places)))
    for _n in range(PROBLEMS):
        if done >= allowed or late >= patience:
            break
        made, solved = solve_problem(P, island, places, near, ends, min(TURNS, allowed - done))
        done += made
        load_pile(P, island)
        last, left = left, judge_pile(P, island, 0, 0)[3]
        late += 1
        if not solved and not left < last:
            # the nearer x_before, the easier
            near, left = min(FARTHER * near, FARTHEST), last
            take_back(P, island)
            continue
        far = shift_pile(P, island, 0, ONLY_ASK) if passes > 0 else left
        if far < least:
            late = 0
            least, found = far, True
            keep_best(P, island, 0)
        if far < tolerance:
            break
        if passes > 0 and left < CLOSE * far:
            away = far >= GAIN * before
            if away:
                ends = ENDS_SHARP * tolerance
            go_to_shifts(P, island, away)
            before, left = far, far
        elif left > SLOW * last:
            near = max(NEARER * near, NEAREST)
    if not found:
        return done, math.inf
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        x, y, z = P.best[i, 0], P.best[i, 1], P.best[i, 2]
        for k in range(3):
            P.gamma[i, k] = F[i, 3 * k] * x + F[i, 3 * k + 1] * y + F[i, 3 * k + 2] * z
    return done, least
