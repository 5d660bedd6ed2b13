"""Coulomb's law of a small island, contact by contact, for sliding bodies that jam, so that no
impulse keeps them sliding.

Painleve (1895): a rod pushed ahead of its tip is turned into the floor by its own friction, the
more the larger the force.  For a large mu no force and no small impulse lets it continue to slide:
the solution is the impulse that stops the tip at once, an impact without collision (Stewart 1997;
Genot & Brogliato 1999).
The fixed-point iteration of De Saxce's shifts does not converge to it.  Here each contact's own law
is solved exactly with all others fixed (projected Gauss-Seidel):

    g = 0 where u_n >= 0 without it;     else the g that stops it, if that lies in the cone;
        else g on the cone's edge against the slip
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.contact_operator import residual
from mechstudio.engine.contacts.cone.de_saxce import requested_shift
from mechstudio.engine.contacts.cone.problem import I_FIRST, I_LAST, MU, PROBLEM, WIDTH, multiply
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NUMBER, alone

SWEEPS = 200  # over the contacts of an island
PATIENCE, WORTH = (
    20,
    0.3,
)  # sweeps within which the residual must fall to that share, or the solve ends
DIRECTIONS = 48  # directions of slip that are tried before bisection
HALVINGS = 60
BREATH = 1e-9  # share of the tangential response that is added if that is singular


@kernel
def off_line(A, b0, b1, b2, mu, angle):
    """Of an impulse on the cone's edge in the direction `angle` that keeps u_n at 0: (slip across
    the line of the impulse, slip along it, normal impulse).
    """
    a00, a01, a02, a10, a11, a12, a20, a21, a22 = A
    c, d = math.cos(angle), math.sin(angle)
    answer = a00 + mu * (a01 * c + a02 * d)
    if not answer > 1e-12 * a00:
        return 0.0, 1.0, 0.0
    n = -b0 / answer
    u = b1 + n * (a10 + mu * (a11 * c + a12 * d))
    v = b2 + n * (a20 + mu * (a21 * c + a22 * d))
    return c * v - d * u, c * u + d * v, n


@kernel
def slide(A, b0, b1, b2, mu):
    """The impulse of a sliding contact, zeros if there is none."""
    step = 2.0 * math.pi / DIRECTIONS
    before, _, n = off_line(A, b0, b1, b2, mu, -math.pi)
    for k in range(DIRECTIONS):
        low = -math.pi + k * step
        high = low + step
        here, _, n_here = off_line(A, b0, b1, b2, mu, high)
        if n > 0.0 and n_here > 0.0 and before * here <= 0.0:
            start = before
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                value, _, _ = off_line(A, b0, b1, b2, mu, middle)
                if start * value <= 0.0:
                    high = middle
                else:
                    low, start = middle, value
            _, along, n = off_line(A, b0, b1, b2, mu, high)
            # on the other side of the line friction would drive the slip
            if along <= 0.0:
                return n, mu * n * math.cos(high), mu * n * math.sin(high)
        before, n = here, n_here
    return 0.0, 0.0, 0.0


@kernel
def solve_own(A, b0, b1, b2, mu):
    """The impulse (normal, two tangents) of one contact whose velocity is b + A g."""
    if b0 >= 0.0:
        return 0.0, 0.0, 0.0
    a00, a01, a02, a10, a11, a12, a20, a21, a22 = A
    # where joints hold a direction of slip there is no response along it: a tiny compliance selects
    # the least of all impulses that stop the contact
    for breath in (0.0, BREATH):
        e = breath * (a11 + a22)
        t11, t22 = a11 + e, a22 + e
        # by Cramer's rule
        c0, c1, c2 = t11 * t22 - a12 * a21, a12 * a20 - a10 * t22, a10 * a21 - t11 * a20
        det = a00 * c0 + a01 * c1 + a02 * c2
        if det > 1e-14 * a00 * t11 * t22:
            x = -(b0 * c0 + b1 * (a02 * a21 - a01 * t22) + b2 * (a01 * a12 - a02 * t11)) / det
            y = -(b0 * c1 + b1 * (a00 * t22 - a02 * a20) + b2 * (a02 * a10 - a00 * a12)) / det
            z = -(b0 * c2 + b1 * (a01 * a20 - a00 * a21) + b2 * (a00 * t11 - a01 * a10)) / det
            if x >= 0.0 and math.hypot(y, z) <= mu * x:
                return x, y, z
            break
    if mu > 0.0:
        return slide(A, b0, b1, b2, mu)
    return -b0 / a00, 0.0, 0.0


@alone(EVERY, types.Tuple((INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, NUMBER)
def solve_in_turn(P, island, tolerance, best):
    """Impulses of a small island of three numbers per contact, from those in P.kept: (sweeps,
    residual of the law [m/s]).

    best [m/s]: residual of the impulses in P.gamma, which stay there if no better ones are found.
    Overwrites P.best.
    """
    I, A, width = P.islands, P.matrix, P.size[WIDTH]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    length = width * (last - first)
    for i in range(first, last):
        for c in range(width):
            P.best[i, c], P.gamma[i, c] = P.gamma[i, c], P.kept[i, c]
    done, left, before = 0, best, math.inf
    for sweep in range(SWEEPS):
        done += 1
        for i in range(first, last):
            at = (i - first) * width
            b0, b1, b2 = P.r[i, 0], P.r[i, 1], P.r[i, 2]
            for j in range(first, last):
                if j != i:
                    for c in range(width):
                        column = ((j - first) * width + c) * length + at
                        g = P.gamma[j, c]
                        b0, b1, b2 = (
                            b0 + A[column, 0] * g,
                            b1 + A[column + 1, 0] * g,
                            b2 + A[column + 2, 0] * g,
                        )
            p, q, r = at * length + at, (at + 1) * length + at, (at + 2) * length + at
            own = (
                A[p, 0],
                A[q, 0],
                A[r, 0],
                A[p + 1, 0],
                A[q + 1, 0],
                A[r + 1, 0],
                A[p + 2, 0],
                A[q + 2, 0],
                A[r + 2, 0],
            )
            P.gamma[i, 0], P.gamma[i, 1], P.gamma[i, 2] = solve_own(own, b0, b1, b2, P.cone[i, MU])
        multiply(P, island, P.gamma, P.product_gamma)
        for i in range(first, last):
            P.shift[i] = requested_shift(P, i, width)
        left = residual(P, island, P.gamma, P.product_gamma)
        if left < tolerance:
            break
        if sweep % PATIENCE == PATIENCE - 1:
            if not left < WORTH * before:
                break
            before = left
    if not left < best:
        for i in range(first, last):
            for c in range(width):
                P.gamma[i, c] = P.best[i, c]
        left = best
    return done, left
