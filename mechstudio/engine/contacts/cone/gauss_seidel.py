"""Projected Gauss-Seidel and projected Jacobi for the same problem and residual, for comparison
(Tasora & Anitescu 2008; CONTACT 5).

Both project gamma_i - omega (N gamma + r)_i / d_i onto the cone of one contact, Jacobi with OMEGA
omega.  Gauss-Seidel uses the new impulse of each contact for the next one.  Neither converges
monotonically: the best iterate is returned, as by APGD.  Either may diverge, Jacobi where one body
touches many others, Gauss-Seidel where joints leave a contact one direction to give way, so that
all of N_ii is three times its mean diagonal d_i: a step that dx^T N dx shows to be too long is
shortened.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.contact_operator import project_contact, residual
from mechstudio.engine.contacts.cone.problem import (
    B_COUNT,
    B_MOVER,
    B_START,
    I_BLOCK0,
    I_BLOCK1,
    I_FIRST,
    I_LAST,
    LENGTH,
    MOVERS,
    PROBLEM,
    WIDTH,
    gather_wrenches,
    multiply,
    push,
    push_turn,
    respond,
    slip,
    turn_slip,
)
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.kernel_table import INDEX, NUMBER, SWEEPS, VECTOR, alone

APGD, GAUSS_SEIDEL, JACOBI = range(3)
OMEGA = 0.2  # Jacobi's step over Gauss-Seidel's; much larger ones do not converge (CONTACT 5)
# curvature along a change, relative to that for which the step is optimal, from which the step is
# shortened; from 2 on the function increases
STEEP = 1.5
LOST = 1e100  # residual beyond which numbers overflow [m/s]


@kernel
def keep_better(P, island, left, least):
    """P.best <- P.gamma if its residual `left` is below the least so far.  Returns the smaller of
    both.
    """
    if not left < least:
        return least
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            P.best[i, c] = P.gamma[i, c]
    return left


@kernel
def return_best(P, island, left, least):
    """P.gamma <- P.best and its product, unless the last residual `left` is the least.  Returns the
    number of products.
    """
    if not least < left:
        return 0
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            P.gamma[i, c] = P.best[i, c]
    multiply(P, island, P.gamma, P.product_gamma)
    return 1


@alone(SWEEPS, types.Tuple((INDEX, INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, INDEX, NUMBER, VECTOR)
def solve_jacobi(P, island, tolerance, most, omega, curve):
    """Projected Jacobi: (iterations, products, residual [m/s]).  P.gamma holds the best iterate,
    P.product_gamma its product with N; curve the residual after each iteration.
    """
    I, width = P.islands, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    multiply(P, island, P.gamma, P.product_gamma)
    left, done = residual(P, island, P.gamma, P.product_gamma), 0
    least = keep_better(P, island, left, math.inf)
    step = OMEGA * omega
    while done < most and not left < tolerance and left < LOST:
        for i in range(first, last):
            project_contact(P, i, P.gamma, P.trial, P.product_gamma, step / P.scale[i], width)
        multiply(P, island, P.trial, P.product_trial)
        bend = square = 0.0
        for i in range(first, last):
            for c in range(width):
                e = P.trial[i, c] - P.gamma[i, c]
                bend += e * (P.product_trial[i, c] - P.product_gamma[i, c])
                square += e * e * P.scale[i]
                P.gamma[i, c], P.product_gamma[i, c] = P.trial[i, c], P.product_trial[i, c]
        if step * bend > STEEP * square:
            step = square / bend
        left = residual(P, island, P.gamma, P.product_gamma)
        least = keep_better(P, island, left, least)
        done += 1
        if done <= curve.shape[0]:
            curve[done - 1] = left
    return done, done + 1 + return_best(P, island, left, least), least


@kernel
def read_contact(P, i, width):
    """(N gamma)_i from the twists of its movers into product_gamma."""
    a, b, out, g = P.side[i, 0], P.side[i, 1], P.product_gamma, P.gamma
    x, y, z = slip(P.frame, i, P.twist, a, b)
    out[i, 0], out[i, 1], out[i, 2] = (
        x + P.soft[i, 0] * g[i, 0],
        y + P.soft[i, 1] * g[i, 1],
        z + P.soft[i, 1] * g[i, 2],
    )
    if width == 6:
        x, y, z = turn_slip(P.frame, i, P.twist, a, b)
        k = P.cone[i, LENGTH]
        out[i, 3], out[i, 4], out[i, 5] = k * x, k * y, k * z


@kernel
def nudge(P, island, i, width, change):
    """Add the effect of a change of one contact's impulse to the twists; change: P.trial_i.  Uses
    the last rows of twist's movers as they are.
    """
    I, twist, M, ground = P.islands, P.twist, P.mass, P.size[MOVERS]
    n = twist.shape[0] - 1
    for end in range(2):
        k = P.side[i, end]
        if k == ground:
            continue
        # the wrench on this mover alone, gathered in the spare row after ground
        for j in range(6):
            twist[n, j] = 0.0
        for j in range(6):
            twist[ground, j] = 0.0
        a, b = (n, ground) if end == 0 else (ground, n)
        push(P.frame, i, twist, a, b, change[i, 0], change[i, 1], change[i, 2])
        if width == 6:
            s = P.cone[i, LENGTH]
            push_turn(P.frame, i, twist, a, b, s * change[i, 3], s * change[i, 4], s * change[i, 5])
        m = M[k, 0]
        if m > 0.0:
            x, y, z = twist[n, 3], twist[n, 4], twist[n, 5]
            twist[k, 0] += m * twist[n, 0]
            twist[k, 1] += m * twist[n, 1]
            twist[k, 2] += m * twist[n, 2]
            twist[k, 3] += M[k, 1] * x + M[k, 2] * y + M[k, 3] * z
            twist[k, 4] += M[k, 2] * x + M[k, 4] * y + M[k, 5] * z
            twist[k, 5] += M[k, 3] * x + M[k, 5] * y + M[k, 6] * z
            continue
        for s in range(I[island, I_BLOCK0], I[island, I_BLOCK1]):
            first, count, start = P.blocks[s, B_MOVER], P.blocks[s, B_COUNT], P.blocks[s, B_START]
            if not first <= k < first + count:
                continue
            for q in range(6):
                row = start + (6 * (k - first) + q) * 6 * count
                for p in range(6 * count):
                    twist[first + p // 6, p % 6] += P.block_matrix[row + p] * twist[n, q]
    for j in range(6):
        twist[ground, j] = 0.0


@alone(SWEEPS, types.Tuple((INDEX, INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, INDEX, NUMBER, VECTOR)
def solve_gauss_seidel(P, island, tolerance, most, omega, curve):
    """Projected Gauss-Seidel: (sweeps, products, residual [m/s]).  The residual is that of the
    impulses after a sweep, not of those within it.

    P.gamma holds the best iterate, P.product_gamma its product with N; curve the residual after
    each sweep.
    """
    I, width = P.islands, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    multiply(P, island, P.gamma, P.product_gamma)
    left, done = residual(P, island, P.gamma, P.product_gamma), 0
    least = keep_better(P, island, left, math.inf)
    for i in range(first, last):
        P.kept[i, 0] = omega / P.scale[i]
    while done < most and not left < tolerance and left < LOST:
        gather_wrenches(P, island, P.gamma)
        respond(P, island)
        for i in range(first, last):
            read_contact(P, i, width)
            project_contact(P, i, P.gamma, P.trial, P.product_gamma, P.kept[i, 0], width)
            for c in range(width):
                g = P.trial[i, c]
                P.trial[i, c] = g - P.gamma[i, c]
                P.gamma[i, c] = g
                P.product_trial[i, c] = P.product_gamma[i, c]
            nudge(P, island, i, width, P.trial)
            read_contact(P, i, width)
            bend = square = 0.0
            for c in range(width):
                e = P.trial[i, c]
                bend += e * (P.product_gamma[i, c] - P.product_trial[i, c])
                square += e * e
            if P.kept[i, 0] * bend > STEEP * square:
                P.kept[i, 0] = square / bend
        multiply(P, island, P.gamma, P.product_gamma)
        left = residual(P, island, P.gamma, P.product_gamma)
        least = keep_better(P, island, left, least)
        done += 1
        if done <= curve.shape[0]:
            curve[done - 1] = left
    return done, done + 1 + return_best(P, island, left, least), least
