"""The cone problem by Newton's method, for islands on which the accelerated gradient converges too
slowly: towers that rock on an edge, chains of unlike masses, mechanisms pressed by contacts.

A gradient is slowed by the ratio of the largest to the least eigenvalue of N, some 1e5 for ten
stacked boxes.  Here the impulses follow from the method of proximal points,

    x <- argmin over the cone of  1/2 x^T N x + x^T r + 1/2 sum_i k_i |x - x_before|^2,
        k_i a small part of N's own diagonal,

each of whose problems is solved in the velocities that contacts give to the bodies.  With
W = L L^T these are y = L^T D x: of a free body its twist, of a mechanism one number per freedom
(coordinates.py).  The minimum is then that of the smooth convex function
1/2 |y|^2 + sum_i k_i / 2 |P(z_i)|^2 with z_i = x_before - (u_i(y) + r_i) / k_i, and x = P(z).
Its second derivative 1 + sum_i L^T D_i P' D_i^T L / k_i has few entries off its diagonal: it is
factored within its envelope (envelope.py).
Newton's method on such functions converges in a few steps (Qi & Sun 1993), with a line search from
any start.
Rows inside patches, with friction alone of a bounded length, have sets of their own: their function
is k_i (P(z_i) . z_i - |P(z_i)|^2 / 2), which equals the term above for a cone.
De Saxce's shifts are updated between the problems; law_newton.py needs none.
"""

import math

from numba import types

from mechstudio.engine.contacts.cone.cone import onto
from mechstudio.engine.contacts.cone.contact_operator import project_contact, residual
from mechstudio.engine.contacts.cone.coordinates import (
    add_projected,
    fill_masses,
    find_hosts,
    momentum,
    places_to_twist,
    wrench_to_places,
)
from mechstudio.engine.contacts.cone.de_saxce import (
    X_REQUESTED,
    X_SHIFT,
    compare_turns,
    request_shifts,
    turn_shifts,
)
from mechstudio.engine.contacts.cone.envelope import (
    BEGIN,
    BLOCK,
    HEAD,
    HOST,
    LEFT,
    PLACE,
    SCRATCH,
    SPAN,
    STEP,
    entry,
    factor_work,
    host,
    number_rows,
    solve_matrix,
)
from mechstudio.engine.contacts.cone.matrix_entries import (
    add_curvature,
    add_inward,
    add_turning,
    moment_about,
)
from mechstudio.engine.contacts.cone.problem import (
    ARM_A,
    ARM_B,
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    LENGTH,
    MOVERS,
    MU,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
    U,
    W,
    copy_impulses,
    gather_wrenches,
    is_inward,
    push,
    push_turn,
    read_slips,
    respond,
    slip,
    turn_slip,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.kernel_table import EVERY, INDEX, NUMBER, alone

NEAR, NEARER, NEAREST = (
    1e-4,
    0.25,
    1e-10,
    # k_i in units of N's diagonal: first value, factor from one problem to the next, and least
    # value that rounding allows
)
FARTHER, FARTHEST = (
    8.0,
    1.0,
)  # factor after a problem that Newton's method did not solve, and largest value
PROBLEMS, TURNS = 60, 30  # of the proximal method, and Newton steps in each of them
STEPS, WORK = (
    1500,
    2e8,
    # most Newton steps of an island, and multiplications of their factorisations, in a time step
)
PATIENCE = 30  # usual number of problems without improvement after which the method ends
# share to which an update of the shifts has to reduce the residual of the law; otherwise the secant
# gives the next ones
GAIN = 0.9
# slip of the last Newton step of a problem, in tolerances, and the same with shifts by the secant:
# its error is an error of the residual over k_i, which the secant would take for a response
ENDS, ENDS_SHARP = 0.1, 1e-3
# residual of the cone problem over that of the law, below which the shifts are updated
CLOSE = 0.5
# share to which a problem has to reduce the residual of the cone problem, or the next has a smaller
# k
SLOW = 0.3
STALLED = 1e-6  # share of a step at which the line search is stalled by rounding


@kernel
def load(P, island):
    """Twists of the movers under the impulses in P.gamma, velocities of the mechanisms, and the
    product with N.
    """
    gather_wrenches(P, island, P.gamma)
    for k in range(P.islands[island, I_MOVER0], P.islands[island, I_MOVER1]):
        if P.numbering[k, HOST] == k and P.numbering[k, BLOCK] >= 0:
            wrench_to_places(P, k, 0, P.twist)
    respond(P, island)
    read_slips(P, island, P.gamma, P.product_gamma)


@kernel(options=INLINED)
def nearness(P, i, near):
    """k of contact i, above its compliance, so that the remaining compliance is isotropic."""
    return near * P.scale[i] + max(P.soft[i, 0], P.soft[i, 1])


@kernel
def begin_problem(P, island, near):
    """y <- z of every contact, P.gamma being x_before."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        k = 1.0 / nearness(P, i, near)
        for c in range(P.size[WIDTH]):
            shift = P.shift[i] if c == 0 else 0.0
            P.y[i, c] = P.gamma[i, c] - k * (P.product_gamma[i, c] + P.r[i, c] + shift)


@kernel
def value_at(P, island, near, t):
    """sum k (P(q) . q - |P(q)|^2 / 2), q = z + t dz, and its slope over t: of a cone k / 2
    |P(q)|^2.  Overwrites trial and gradient.
    """
    total, slope, width, q, x = 0.0, 0.0, P.size[WIDTH], P.trial, P.gradient
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        k, along, square, down = nearness(P, i, near), 0.0, 0.0, 0.0
        for c in range(width):
            q[i, c] = P.y[i, c] + t * P.product_y[i, c]
        project_contact(P, i, q, x, q, 0.0, width)
        for c in range(width):
            along += x[i, c] * q[i, c]
            square += x[i, c] * x[i, c]
            down += x[i, c] * P.product_y[i, c]
        total += k * (along - 0.5 * square)
        slope += k * down
    return total, slope


@kernel(options=INLINED)
def direction(F, i, u, w, over):
    """The vector u, w across the normal of contact i, in W, over a length."""
    return (
        (u * F[i, U] + w * F[i, W]) * over,
        (u * F[i, U + 1] + w * F[i, W + 1]) * over,
        (u * F[i, U + 2] + w * F[i, W + 2]) * over,
    )


@kernel(options=INLINED)
def around(F, i, o, d):
    """Six numbers of o (1 - n n^T - d d^T), n being the normal of contact i."""
    nx, ny, nz = F[i, 0], F[i, 1], F[i, 2]
    a, b, c = d
    return (
        o * (1.0 - nx * nx - a * a),
        -o * (nx * ny + a * b),
        -o * (nx * nz + a * c),
        o * (1.0 - ny * ny - b * b),
        -o * (ny * nz + b * c),
        o * (1.0 - nz * nz - c * c),
    )


@kernel(options=INLINED)
def with_square(J, j, e):
    """Six numbers of J + j e e^T."""
    x, y, z = e
    return (
        J[0] + j * x * x,
        J[1] + j * x * y,
        J[2] + j * x * z,
        J[3] + j * y * y,
        J[4] + j * y * z,
        J[5] + j * z * z,
    )


@kernel
def add_wrenches(P, island):
    """P.wrench <- the wrenches of the impulses in P.gradient on the movers."""
    I, F, x = P.islands, P.frame, P.gradient
    for c in range(6):
        P.wrench[P.size[MOVERS], c] = 0.0
        for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
            P.wrench[k, c] = 0.0
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        a, b = P.side[i, 0], P.side[i, 1]
        push(F, i, P.wrench, a, b, x[i, 0], x[i, 1], x[i, 2])
        if P.size[WIDTH] == 6:
            s = P.cone[i, LENGTH]
            push_turn(F, i, P.wrench, a, b, s * x[i, 3], s * x[i, 4], s * x[i, 5])


@kernel
def begin_matrix(P, island, places):
    """The matrix without contacts, and sum D P(z) - M w as right sides, with P(z) in P.gradient."""
    I, where, A = P.islands, P.numbering, P.newton
    last = where[places - 1, BEGIN] + 36 * (places - where[places - 1, LEFT])
    for x in range(HEAD * places, last):
        A[x] = 0.0
    add_wrenches(P, island)
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        if where[k, HOST] != k:
            continue
        wrench_to_places(P, k, STEP, P.wrench)
        first = where[k, PLACE]
        if where[k, BLOCK] >= 0:
            for p in range(first, first + where[k, SPAN]):
                for c in range(6):
                    A[entry(where, p, c, p, c)] = 1.0
                    A[HEAD * p + STEP + c] -= A[HEAD * p + c]
            continue
        h = HEAD * first
        m, xx, xy, xz, yy, yz, zz = A[h], A[h + 1], A[h + 2], A[h + 3], A[h + 4], A[h + 5], A[h + 6]
        at, n = entry(where, first, 0, first, 0), 6 * (first - where[first, LEFT] + 1)
        A[at], A[at + n + 1], A[at + 2 * n + 2] = m, m, m
        A[at + 3 * n + 3], A[at + 3 * n + 4], A[at + 3 * n + 5] = xx, xy, xz
        A[at + 4 * n + 3], A[at + 4 * n + 4], A[at + 4 * n + 5] = xy, yy, yz
        A[at + 5 * n + 3], A[at + 5 * n + 4], A[at + 5 * n + 5] = xz, yz, zz
        for c, part in enumerate(momentum(P, k, P.twist)):
            A[h + STEP + c] -= part


@kernel(options=INLINED)
def edge(P, i, k):
    """k P'(z) of contact i in W, for z in P.y and P(z) in P.gradient: (six numbers of the force's
    part less j e e^T, six of the moment's part less j m m^T, e, m, j).

    e is the edge of the cone on which the force grows, m the moment that grows with it.  All are
    zero for an open contact.
    """
    F, z, mu, x = P.frame, P.y, P.cone[i, MU], P.gradient[i, 0]
    zeros, none = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    J, turning, e, moment, j, d = zeros, zeros, none, none, 0.0, none
    t = math.hypot(z[i, 1], z[i, 2])
    if mu < 0.0:
        # friction alone, and at its limit across it too
        if t > -mu:
            d = direction(F, i, z[i, 1], z[i, 2], 1.0 / t)
        J = around(F, i, k * onto(t, -mu), d)
    elif x > 0.0:
        ex, ey, ez, bottom = F[i, 0], F[i, 1], F[i, 2], 1.0
        if t > mu * x:
            d = direction(F, i, z[i, 1], z[i, 2], 1.0 / t)
            ex, ey, ez = ex + mu * d[0], ey + mu * d[1], ez + mu * d[2]
            bottom += mu * mu
        e, J = (ex, ey, ez), around(F, i, k * onto(t, mu * x), d)
        if P.size[WIDTH] == 6:
            spin, roll, length = P.cone[i, SPIN], P.cone[i, ROLL], P.cone[i, LENGTH]
            far, bent, free, g = math.hypot(z[i, 4], z[i, 5]), none, k, 0.0
            if abs(z[i, 3]) > spin * x:
                g, free = length * math.copysign(spin, z[i, 3]), 0.0
                bottom += spin * spin
            mx, my, mz = g * F[i, 0], g * F[i, 1], g * F[i, 2]
            if far > roll * x:
                bent, g = direction(F, i, z[i, 4], z[i, 5], 1.0 / far), length * roll
                mx, my, mz = mx + g * bent[0], my + g * bent[1], mz + g * bent[2]
                bottom += roll * roll
            moment, g = (mx, my, mz), length * length
            turning = with_square(
                around(F, i, g * k * onto(far, roll * x), bent),
                g * free,
                (F[i, 0], F[i, 1], F[i, 2]),
            )
        j = k / bottom
    return J, turning, e, moment, j


@kernel
def pair_of(P, island, i, turn):
    """The movers of a contact for the block of entries number `turn`: each end with itself, both
    ends together, and for two movers of one mechanism the transposed block.

    Returns (whether this block exists, the mover with the later place, the other one, columns of
    P.frame at which their arms begin).
    """
    one, two = P.side[i, 0], P.side[i, 1]
    p, q, place = host(P, island, one), host(P, island, two), P.numbering
    if turn == 0:
        return p >= 0, one, one, ARM_A, ARM_A
    if turn == 1:
        return q >= 0, two, two, ARM_B, ARM_B
    there = p >= 0 and q >= 0 and (turn == 2 or p == q)
    if there and (turn == 3 or place[p, PLACE] < place[q, PLACE]):
        return there, two, one, ARM_B, ARM_A
    return there, one, two, ARM_A, ARM_B


@kernel
def begin_pair(P, high, low):
    """(beginning of the entries of a pair in P.newton, length of their rows): in the matrix for
    free bodies, in cleared scratch numbers for mechanisms.
    """
    where = P.numbering
    if where[high, BLOCK] < 0 and where[low, BLOCK] < 0:
        row = where[high, PLACE]
        return entry(where, row, 0, where[low, PLACE], 0), 6 * (row - where[row, LEFT] + 1)
    at = P.newton.shape[0] - SCRATCH
    for c in range(SCRATCH):
        P.newton[at + c] = 0.0
    return at, 6


@kernel
def add_contact(P, island, i, J, turning, e, moment, j):
    """Add contact i to the matrix.  J, turning: six numbers of its force and of its moment.
    moment: grows with the force along e, j times.
    """
    A, F = P.newton, P.frame
    for turn in range(4):
        there, high, low, a, b = pair_of(P, island, i, turn)
        if not there:
            continue
        at, n = begin_pair(P, high, low)
        r, s = (F[i, a], F[i, a + 1], F[i, a + 2]), (F[i, b], F[i, b + 1], F[i, b + 2])
        sign = 1.0 if turn < 2 else -1.0
        add_curvature(A, at, n, r, s, J, sign)
        if is_inward(F, i):
            add_inward(A, at, n, r, s, J, F, i, sign)
        if P.size[WIDTH] == 6:
            by_r, by_s = moment_about(F, i, a, e), moment_about(F, i, b, e)
            add_turning(A, at, n, e, by_r, by_s, moment, j, turning, sign)
        if at == A.shape[0] - SCRATCH:
            add_projected(P, high, low, at, 0)


@kernel
def fill_matrix(P, island, places, near):
    """1 + sum L^T D P' D^T L / k in its envelope, and the right sides, with z in P.y."""
    I, width = P.islands, P.size[WIDTH]
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        project_contact(P, i, P.y, P.gradient, P.y, 0.0, width)
    begin_matrix(P, island, places)
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        if not P.gradient[i, 0] > 0.0 and P.cone[i, MU] >= 0.0:
            continue
        J, turning, e, moment, j = edge(P, i, 1.0 / nearness(P, i, near))
        add_contact(P, island, i, with_square(J, j, e), turning, e, moment, j)


@kernel
def fill_contact_steps(P, island, near):
    """dz of every contact for the step of the velocities.  Returns (largest slip of it [m/s], slope
    and curvature of the kinetic energy along it).
    """
    I, where, A, F = P.islands, P.numbering, P.newton, P.frame
    largest, slope, bend = 0.0, 0.0, 0.0
    for c in range(6):
        P.change[P.size[MOVERS], c] = 0.0
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        if where[k, HOST] < 0:
            for c in range(6):
                P.change[k, c] = 0.0
        if where[k, HOST] != k:
            continue
        places_to_twist(P, k)
        h = HEAD * where[k, PLACE]
        d = h + STEP
        if where[k, BLOCK] >= 0:
            for p in range(where[k, SPAN]):
                for c in range(6):
                    at = HEAD * p + c
                    slope += A[h + at] * A[d + at]
                    bend += A[d + at] * A[d + at]
            continue
        for c, part in enumerate(momentum(P, k, P.change)):
            slope += part * P.twist[k, c]
            bend += part * P.change[k, c]
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        k, out = 1.0 / nearness(P, i, near), P.product_y
        u, v, w = slip(F, i, P.change, P.side[i, 0], P.side[i, 1])
        square = u * u + v * v + w * w
        out[i, 0], out[i, 1], out[i, 2] = -k * u, -k * v, -k * w
        if P.size[WIDTH] == 6:
            s = P.cone[i, LENGTH]
            u, v, w = turn_slip(F, i, P.change, P.side[i, 0], P.side[i, 1])
            square += s * s * (u * u + v * v + w * w)
            out[i, 3], out[i, 4], out[i, 5] = -k * s * u, -k * s * v, -k * s * w
        largest = max(largest, square)
    return math.sqrt(largest), slope, bend


@kernel
def move_velocities(P, island, t):
    """Add the part t of the step to the velocities."""
    I, where, A = P.islands, P.numbering, P.newton
    for k in range(I[island, I_MOVER0], I[island, I_MOVER1]):
        for c in range(6):
            P.twist[k, c] += t * P.change[k, c]
        if where[k, HOST] == k and where[k, BLOCK] >= 0:
            for p in range(where[k, PLACE], where[k, PLACE] + where[k, SPAN]):
                for c in range(6):
                    A[HEAD * p + c] += t * A[HEAD * p + STEP + c]


@kernel
def solve_problem(P, island, places, near, ends, most):
    """One problem of the proximal method, from the velocities of its x_before.  P.gamma <- its
    solution, P.product_trial <- x_before.  Returns (Newton's steps, up to `most`, whether they
    solved it).  ends [m/s]: slip of a step below which it is solved.
    """
    done, solved, width = 0, False, P.size[WIDTH]
    begin_problem(P, island, near)
    while done < most:
        done += 1
        fill_matrix(P, island, places, near)
        solve_matrix(P, places)
        largest, slope, bend = fill_contact_steps(P, island, near)
        here, down = value_at(P, island, near, 0.0)
        down += slope
        t = 1.0
        for _ in range(30):
            there, _ = value_at(P, island, near, t)
            if there - here + t * slope + 0.5 * t * t * bend <= 1e-4 * t * down + 1e-13 * abs(here):
                break
            t *= 0.5
        move_velocities(P, island, t)
        for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
            for c in range(width):
                P.y[i, c] += t * P.product_y[i, c]
        # a step shortened by the line search shows no convergence
        solved = largest < ends
        if solved or t < STALLED:
            break
    copy_impulses(P, island, P.gamma, P.product_trial)
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        project_contact(P, i, P.y, P.gamma, P.y, 0.0, width)
    return done, solved


@kernel
def go_to_shifts(P, island, away):
    """Set De Saxce's shifts to those that follow from the impulses; if that diverges or oscillates
    (`away`), by the secant through the last two iterations.

    A secant finds fixed points that repel the plain iteration: bodies that jam respond to a shift
    with a larger one, and no shorter step towards it converges.
    """
    first, last = P.islands[island, I_FIRST], P.islands[island, I_LAST]
    part, _, _ = compare_turns(P.moving, first, last)
    turn_shifts(P.moving, first, last, part if away else 0.0, 0.0)
    for i in range(first, last):
        P.shift[i] = P.moving[i, X_SHIFT]


@alone(EVERY, types.Tuple((INDEX, NUMBER)), PROBLEM, INDEX, NUMBER, INDEX, NUMBER, INDEX)
def solve_newton(P, island, tolerance, passes, best, patience):
    """Impulses of an island from those in P.gamma: (Newton's steps, residual of the law [m/s]).

    passes: largest number of updates of the shifts, 0 for none. best [m/s]: residual above which
    P.gamma is left unchanged. patience: number of problems without improvement after which the
    method ends. (0, inf) if the method does not apply to this island.  Ends without a
    residual below the tolerance where that would take too long, as after an impact on a wall of a
    hundred bricks.
    """
    find_hosts(P, island)
    places = number_rows(P, island)
    if places < 0:
        return 0, math.inf
    fill_masses(P, island)
    copy_impulses(P, island, P.gamma, P.best)
    load(P, island)
    done, shifted = 0, passes > 0
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        P.shift[i] = 0.0
    left = request_shifts(P, island)
    if shifted:
        for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
            P.shift[i] = P.moving[i, X_REQUESTED]
    else:
        left = residual(P, island, P.gamma, P.product_gamma)
    late, near, ends = 0, NEAR, ENDS * tolerance
    least, found, before = best, False, math.inf
    allowed = min(STEPS, int(WORK / factor_work(P, places)))
    for _n in range(PROBLEMS):
        if done >= allowed or late >= patience:
            break
        made, solved = solve_problem(P, island, places, near, ends, min(TURNS, allowed - done))
        done += made
        load(P, island)
        last, left = left, residual(P, island, P.gamma, P.product_gamma)
        late += 1
        if not solved and not left < last:
            # a larger k, nearer to x_before, is easier
            near, left = min(FARTHER * near, FARTHEST), last
            copy_impulses(P, island, P.product_trial, P.gamma)
            load(P, island)
            continue
        far = request_shifts(P, island) if shifted else left
        if far < least:
            late = 0
            least, found = far, True
            copy_impulses(P, island, P.gamma, P.best)
        if far < tolerance:
            break
        if shifted and left < CLOSE * far:
            away = far >= GAIN * before
            if away:
                ends = ENDS_SHARP * tolerance
            go_to_shifts(P, island, away)
            before, left = far, far
        elif left > SLOW * last:
            near = max(NEARER * near, NEAREST)
    copy_impulses(P, island, P.best, P.gamma)
    return done, least if found else math.inf
