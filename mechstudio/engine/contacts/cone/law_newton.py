"""Coulomb's law of an island by Newton's method, with the bounds of friction in the equations, for
islands on which the iteration over cone problems converges slowly or not at all: heaps that resist
rolling, drums, chains of unlike masses.

The law is solved in the velocities y of coordinates.py by the method of proximal points,

    y = L^T D x(y),   z_i = x_before - (v_i + r_i) / k_i,   v = D^T L y,
    x_n = max(z_n, 0),   x_t = z_t, shortened to the length mu x_n,

and the moments likewise, with x_before <- x until x converges (Alart & Curnier 1991).  There are no
shifts here: mu |v_t| has no derivative where a contact sticks, which most of them do.
The derivative 1 + sum_i L^T D_i x_i' D_i^T L / k_i is not symmetric, since the friction of a
sliding contact grows with its normal impulse.  It is factored into L U within the envelope of
newton.py.  No function has its minimum at the solution: steps are shortened until
|y - L^T D x(y)| falls.
k is a tenth of N's own diagonal at first.  Easily solved problems are followed by one of a much
smaller k; an unsolved one is repeated, from the same x_before, with a larger k.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.cone import onto
from mechstudio.engine.contacts.cone.coordinates import (
    add_projected,
    fill_masses,
    find_hosts,
    imbalance,
)
from mechstudio.engine.contacts.cone.de_saxce import request_shifts
from mechstudio.engine.contacts.cone.envelope import (
    BEGIN,
    HEAD,
    LEFT,
    SCRATCH,
    factor_work,
    number_rows,
    solve_unsymmetric,
)
from mechstudio.engine.contacts.cone.matrix_entries import add_product, moment_about
from mechstudio.engine.contacts.cone.newton import (
    ENDS,
    WORK,
    add_contact,
    add_wrenches,
    around,
    begin_matrix,
    begin_pair,
    direction,
    fill_contact_steps,
    load,
    move_velocities,
    nearness,
    pair_of,
    with_square,
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
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NUMBER, alone

# k_i in units of N's diagonal: of the first problem, smallest, and largest
NEAR, NEAREST, FARTHEST = 0.1, 1e-8, 10.0
FARTHER = 8.0  # factor of k after a problem that was not solved
# factors of k after a problem solved in at most so many of Newton's steps
QUICK, SOON, LATE = 3, 6, 10
MUCH_NEARER, NEARER, SLIGHTLY_NEARER = 0.1, 0.3, 0.6
IMPROVED = 0.5  # share of the residual before, below which the result of an unsolved problem counts
PROBLEMS, TURNS = 100, 12  # of the proximal method, and Newton's steps in each of them
STEPS = 300  # most Newton steps of an island in one call
CUTS = 10  # halvings of a step
FEWEST = 30  # least number of Newton steps in the budget, else none is made


@kernel(options=INLINED)
def stiffnesses(P, i, near):
    """k of contact i for its normal row, its friction and its moments: the isotropic part and the
    compliance of each.
    """
    k = near * P.scale[i]
    return k + P.soft[i, 0], k + P.soft[i, 1], k


@kernel
def read_rigid(P, island):
    """P.product_gamma <- velocities at the contacts without their compliance, from N gamma."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        P.product_gamma[i, 0] -= P.soft[i, 0] * P.gamma[i, 0]
        P.product_gamma[i, 1] -= P.soft[i, 1] * P.gamma[i, 1]
        P.product_gamma[i, 2] -= P.soft[i, 1] * P.gamma[i, 2]


@kernel(options=INLINED)
def bound_impulse(P, i, z, x, width):
    """x_i <- z_i within the bounds of its own normal part: friction and moments at most."""
    mu = P.cone[i, MU]
    n = max(z[i, 0], 0.0) if mu >= 0.0 else 0.0
    k = onto(math.hypot(z[i, 1], z[i, 2]), mu * n if mu >= 0.0 else -mu)
    x[i, 0], x[i, 1], x[i, 2] = n, k * z[i, 1], k * z[i, 2]
    if width == 6:
        x[i, 3] = onto(abs(z[i, 3]), P.cone[i, SPIN] * n) * z[i, 3]
        k = onto(math.hypot(z[i, 4], z[i, 5]), P.cone[i, ROLL] * n)
        x[i, 4], x[i, 5] = k * z[i, 4], k * z[i, 5]


@kernel
def place_points(P, island, near, t):
    """z of every contact in P.y and x(z) in P.gradient, after the part t of the step.
    product_gamma holds v, product_trial x_before, product_y -1 / nearness of the step of v.
    """
    width, v, z, r, before = P.size[WIDTH], P.product_gamma, P.y, P.r, P.product_trial
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        full, k = nearness(P, i, near), near * P.scale[i]
        for c in range(width):
            below = k
            if c < 3:
                below += P.soft[i, 0] if c == 0 else P.soft[i, 1]
            speed = v[i, c] - t * full * P.product_y[i, c] + r[i, c]
            z[i, c] = (k * before[i, c] - speed) / below
        bound_impulse(P, i, z, P.gradient, width)


@kernel
def derivative(P, i, near):
    """x' of contact i in W, for z in P.y: (six numbers of the force's symmetric part, six of the
    moment's, force and moment that grow with the normal velocity).
    """
    F, z, cone = P.frame, P.y, P.cone
    zeros, none = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    turning, force, moment, d = zeros, none, none, none
    kn, kt, kr = stiffnesses(P, i, near)
    n, mu, t = max(z[i, 0], 0.0), cone[i, MU], math.hypot(z[i, 1], z[i, 2])
    most = mu * n if mu >= 0.0 else -mu
    if t > most:
        d = direction(F, i, z[i, 1], z[i, 2], 1.0 / t)
        if mu > 0.0 and n > 0.0:
            k = mu / kn
            force = (k * d[0], k * d[1], k * d[2])
    J = around(F, i, onto(t, most) / kt, d)
    if mu < 0.0 or not n > 0.0:
        return J, turning, force, moment
    normal = (F[i, 0], F[i, 1], F[i, 2])
    J = with_square(J, 1.0 / kn, normal)
    if P.size[WIDTH] == 6:
        s, spin, roll, bent = cone[i, LENGTH], cone[i, SPIN], cone[i, ROLL], none
        far, own, g = math.hypot(z[i, 4], z[i, 5]), s * s / kr, 0.0
        if abs(z[i, 3]) > spin * n:
            g, own = s * math.copysign(spin, z[i, 3]) / kn, 0.0
        mx, my, mz = g * normal[0], g * normal[1], g * normal[2]
        if far > roll * n:
            bent, g = direction(F, i, z[i, 4], z[i, 5], 1.0 / far), s * roll / kn
            mx, my, mz = mx + g * bent[0], my + g * bent[1], mz + g * bent[2]
        moment = (mx, my, mz)
        turning = around(F, i, s * s * onto(far, roll * n) / kr, bent)
        turning = with_square(turning, own, normal)
    return J, turning, force, moment


@kernel
def fill_both(P, island, places, near, beyond):
    """Fill the matrix on both sides of its diagonal, the upper one transposed `beyond`, and the
    right sides, with z in P.y and x(z) in P.gradient.
    """
    A, F, none = P.newton, P.frame, (0.0, 0.0, 0.0)
    begin_matrix(P, island, places)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if not P.gradient[i, 0] > 0.0 and P.cone[i, MU] >= 0.0:
            continue
        J, turning, _, _ = derivative(P, i, near)
        add_contact(P, island, i, J, turning, none, none, 0.0)
    for x in range(HEAD * places, HEAD * places + beyond):
        A[x + beyond] = A[x]
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if not P.gradient[i, 0] > 0.0 or P.cone[i, MU] < 0.0:
            continue
        _, _, force, moment = derivative(P, i, near)
        normal = (F[i, 0], F[i, 1], F[i, 2])
        for turn in range(4):
            there, high, low, a, b = pair_of(P, island, i, turn)
            if not there:
                continue
            for transposed in range(2):
                at, n = begin_pair(P, high, low)
                aside, sign = at == A.shape[0] - SCRATCH, 1.0 if turn < 2 else -1.0
                if transposed == 0:
                    one, two = at_origin(F, i, a, force, moment), at_origin(F, i, b, normal, none)
                else:
                    one, two = at_origin(F, i, a, normal, none), at_origin(F, i, b, force, moment)
                    at += 0 if aside else beyond
                add_product(A, at, n, one, two, sign)
                if aside:
                    add_projected(P, high, low, at, beyond * transposed)


@kernel
def at_origin(F, i, arm, force, moment):
    """A force at contact i and a moment as a wrench (6) about the origin of the mover."""
    x, y, z = moment_about(F, i, arm, force)
    return force[0], force[1], force[2], x + moment[0], y + moment[1], z + moment[2]


@kernel
def solve_law_problem(P, island, places, beyond, near, ends, most):
    """One problem, from P.gamma as x_before, with its velocities and N gamma.  P.gamma <- x, with
    x_before in P.product_trial.  Returns (Newton's steps, up to `most`, whether they solved it).
    ends [m/s]: as in newton.py.
    """
    done, solved, width = 0, False, P.size[WIDTH]
    copy_impulses(P, island, P.gamma, P.product_trial)
    read_rigid(P, island)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(width):
            P.product_y[i, c] = 0.0
    place_points(P, island, near, 0.0)
    add_wrenches(P, island)
    here = imbalance(P, island, 0.0)
    while done < most and not solved:
        done += 1
        fill_both(P, island, places, near, beyond)
        solve_unsymmetric(P, places, beyond)
        largest, _, _ = fill_contact_steps(P, island, near)
        t, there, falls = 1.0, here, False
        for _ in range(CUTS):
            place_points(P, island, near, t)
            add_wrenches(P, island)
            there = imbalance(P, island, t)
            falls = there <= (1.0 - 1e-4 * t) ** 2 * here
            if falls or largest < ends:
                break
            t *= 0.5
        if not falls and not largest < ends:
            place_points(P, island, near, 0.0)
            break
        move_velocities(P, island, t)
        for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
            k = nearness(P, i, near)
            for c in range(width):
                P.product_gamma[i, c] -= t * k * P.product_y[i, c]
                P.product_y[i, c] = 0.0
        here, solved = there, t == 1.0 and largest < ends
    copy_impulses(P, island, P.gradient, P.gamma)
    return done, solved


@alone(EVERY, types.Tuple((INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, NUMBER, NUMBER)
def solve_law(P, island, tolerance, best, haste):
    """Impulses of an island from those in P.gamma: (Newton's steps, residual of the law [m/s]).

    best [m/s]: residual above which P.gamma is left unchanged.  haste: power of the factors of k,
    up to 1.  (0, inf) if the island is too large.
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
        if left < tolerance:
            break
        if not solved and not left < IMPROVED * last:
            near = min(FARTHER * near, FARTHEST)
            copy_impulses(P, island, P.product_trial, P.gamma)
            load(P, island)
            continue
        last = left
        factor = 1.0
        if made <= QUICK:
            factor = MUCH_NEARER
        elif made <= SOON:
            factor = NEARER
        elif made < LATE:
            factor = SLIGHTLY_NEARER
        near = max(near * factor**haste, NEAREST)
    copy_impulses(P, island, P.best, P.gamma)
    return done, least if found else math.inf
