"""Coulomb's law of an island by Newton's method with De Saxce's shifts in the equations, for
islands on which the iteration over cone problems does not converge.

The law is the problem of newton.py with shifts that follow the velocities,

    y = L^T D P(z),   z_i = x_before - (v_i + s(v_i) n_i) / k_i,   v = D^T L y + r,
    s(v) = mu |v_t| + the shifts of spinning and rolling,

with x_before <- P(z) until x converges.  The derivative 1 + sum_i L^T D_i P' (1 + n s'^T) D_i^T L /
k_i is not symmetric: n s'^T adds j e s'^T to every contact, e being the edge of its cone
(newton.py).  It is factored into L U within the same envelope.  No function has its minimum at the
solution (Alart & Curnier 1991): steps are shortened until |y - L^T D P(z)| falls.
Far from the solution k is a tenth of N's own diagonal; it is halved from problem to problem.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.contact_operator import project_contact
from mechstudio.engine.contacts.cone.coordinates import (
    add_projected,
    fill_masses,
    find_hosts,
    imbalance,
)
from mechstudio.engine.contacts.cone.de_saxce import request_shifts, shift_of
from mechstudio.engine.contacts.cone.envelope import (
    BEGIN,
    HEAD,
    LEFT,
    SCRATCH,
    factor_work,
    number_rows,
    solve_unsymmetric,
)
from mechstudio.engine.contacts.cone.newton import (
    ENDS,
    FARTHER,
    FARTHEST,
    SLOW,
    STEPS,
    WORK,
    add_wrenches,
    begin_pair,
    carry_step,
    direction,
    edge,
    fill_matrix,
    load,
    move_velocities,
    nearness,
    pair_of,
)
from mechstudio.engine.contacts.cone.problem import (
    I_FIRST,
    I_LAST,
    LENGTH,
    MU,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
    copy_impulses,
)
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.standing import EVERY, INDEX, NUMBER, alone

# k_i in units of N's diagonal: of the first problem, from one to the next, and the least
NEAR, NEARER, NEAREST = 0.1, 0.5, 1e-7
PROBLEMS, TURNS = 120, 10  # as in newton.py
CUTS = 12  # halvings of a step
SHORT = 1e-3  # share of a step below which another problem is posed
FEWEST = 30  # least number of Newton steps in the budget, else none is made


@kernel
def place_points(P, island, near, t):
    """z of every contact in P.y and P(z) in P.gradient, after the part t of the step.
    product_gamma holds v - r, product_trial x_before, product_y the step of z without its shift.
    """
    width, v, z = P.size[WIDTH], P.product_gamma, P.y
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        k = nearness(P, i, near)
        for c in range(width):
            z[i, c] = v[i, c] - t * k * P.product_y[i, c]
        shift = shift_of(P, i, z, width)
        for c in range(width):
            along = z[i, c] + P.r[i, c] + (shift if c == 0 else 0.0)
            z[i, c] = P.product_trial[i, c] - along / k
        project_contact(P, i, z, P.gradient, z, 0.0, width)


@kernel
def add_slopes(P, island, near, beyond):
    """Add the shifts' part of the derivative to the matrix, transposed to the one `beyond`."""
    F, A, width = P.frame, P.newton, P.size[WIDTH]
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        mu = P.cone[i, MU]
        if not (P.gradient[i, 0] > 0.0 and mu >= 0.0):
            continue
        _, _, e, moment, j = edge(P, i, 1.0 / nearness(P, i, near))
        v, r, g = P.product_gamma, P.r, (0.0, 0.0, 0.0)
        x, y = v[i, 1] + r[i, 1], v[i, 2] + r[i, 2]
        far = math.hypot(x, y)
        s = direction(F, i, x, y, mu / far if far > 0.0 else 0.0)
        if width == 6:
            length, x, y = P.cone[i, LENGTH], v[i, 4] + r[i, 4], v[i, 5] + r[i, 5]
            far = math.hypot(x, y)
            g = direction(F, i, x, y, length * P.cone[i, ROLL] / far if far > 0.0 else 0.0)
            spin = length * math.copysign(P.cone[i, SPIN], v[i, 3] + r[i, 3])
            g = (g[0] + spin * F[i, 0], g[1] + spin * F[i, 1], g[2] + spin * F[i, 2])
        for turn in range(4):
            there, high, low, a, b = pair_of(P, island, i, turn)
            if not there:
                continue
            for transposed in range(2):
                at, n = begin_pair(P, high, low)
                aside, sign = at == A.shape[0] - SCRATCH, j if turn < 2 else -j
                one, two = at_origin(F, i, a, e, moment), at_origin(F, i, b, s, g)
                if transposed == 1:
                    one, two = at_origin(F, i, a, s, g), at_origin(F, i, b, e, moment)
                    at += 0 if aside else beyond
                for row in range(6):
                    for column in range(6):
                        A[at + row * n + column] += sign * one[row] * two[column]
                if aside:
                    add_projected(P, high, low, at, beyond * transposed)


@kernel
def at_origin(F, i, arm, force, moment):
    """A force at contact i and a moment as a wrench (6) about the origin of the mover."""
    x, y, z = F[i, arm], F[i, arm + 1], F[i, arm + 2]
    a, b, c = force
    return (
        a,
        b,
        c,
        y * c - z * b + moment[0],
        z * a - x * c + moment[1],
        x * b - y * a + moment[2],
    )


@kernel
def solve_law_problem(P, island, places, beyond, near, ends, most):
    """One problem, from P.gamma as x_before, with its velocities and product.  P.gamma <- P(z).
    Returns (Newton's steps, up to `most`, whether they solved it).  ends [m/s]: as in newton.py.
    """
    A, done, solved, width = P.newton, 0, False, P.size[WIDTH]
    begin, length = HEAD * places, beyond
    copy_impulses(P, island, P.gamma, P.product_trial)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(width):
            P.product_y[i, c] = 0.0
    place_points(P, island, near, 0.0)
    add_wrenches(P, island)
    here = imbalance(P, island, 0.0)
    while done < most:
        done += 1
        fill_matrix(P, island, places, near)
        for x in range(begin, begin + length):
            A[x + beyond] = A[x]
        add_slopes(P, island, near, beyond)
        solve_unsymmetric(P, places, beyond)
        largest, _, _ = carry_step(P, island, near)
        t = 1.0
        for _ in range(CUTS):
            place_points(P, island, near, t)
            add_wrenches(P, island)
            there = imbalance(P, island, t)
            if there <= (1.0 - 1e-4 * t) ** 2 * here:
                break
            t *= 0.5
        else:
            place_points(P, island, near, t)
            add_wrenches(P, island)
            there = imbalance(P, island, t)
        move_velocities(P, island, t)
        for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
            k = nearness(P, i, near)
            for c in range(width):
                P.product_gamma[i, c] -= t * k * P.product_y[i, c]
        here, solved = there, largest < ends
        if solved or t < SHORT or not largest < math.inf:
            break
    copy_impulses(P, island, P.gradient, P.gamma)
    return done, solved


@alone(EVERY, types.Tuple((INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, NUMBER)
def solve_law(P, island, tolerance, best):
    """Impulses of an island from those in P.gamma: (Newton's steps, residual of the law [m/s]).

    best [m/s]: residual above which P.gamma is left unchanged. (0, inf) if the island is too large.
    """
    find_hosts(P, island)
    places = number_rows(P, island)
    if places < 0:
        return 0, math.inf
    where = P.numbering
    beyond = where[places - 1, BEGIN] + 36 * (places - where[places - 1, LEFT]) - HEAD * places
    allowed = min(STEPS, int(0.5 * WORK / factor_work(P, places)))
    if HEAD * places + 2 * beyond > P.newton.shape[0] - SCRATCH or allowed < FEWEST:
        return 0, math.inf
    fill_masses(P, island)
    copy_impulses(P, island, P.gamma, P.best)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        P.shift[i] = 0.0
    load(P, island)
    last = request_shifts(P, island)
    least, found, near, ends, done = best, False, NEAR, ENDS * tolerance, 0
    for _ in range(PROBLEMS):
        if done >= allowed:
            break
        made, solved = solve_law_problem(
            P, island, places, beyond, near, ends, min(TURNS, allowed - done)
        )
        done += made
        load(P, island)
        left = request_shifts(P, island)
        if left < least:
            least, found = left, True
            copy_impulses(P, island, P.gamma, P.best)
        if left < tolerance or not left < math.inf:
            break
        if not solved and left > last:
            near = min(FARTHER * near, FARTHEST)
        elif left > SLOW * last:
            near = max(NEARER * near, NEAREST)
        last = left
    copy_impulses(P, island, P.best, P.gamma)
    return done, least if found else math.inf
