"""Solution of one island: De Saxce's correction around APGD, or around one of the methods for
comparison; and impacts one after the other.

The cone problem alone requires u_n = mu |u_t| of a sliding contact, which lifts off.  Coulomb's law
is the same problem with mu |u_t| added to b_n, found by iteration with the value of the pass before
(Acary, Cadoux, Lemarechal & Malick 2011).
"""

import math

from numba import typeof, types

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.apgd import solve_apgd
from mechstudio.engine.contacts.cone.de_saxce import requested_shift, update_shifts
from mechstudio.engine.contacts.cone.gauss_seidel import (
    APGD,
    GAUSS_SEIDEL,
    solve_gauss_seidel,
    solve_jacobi,
)
from mechstudio.engine.contacts.cone.law_newton import solve_law
from mechstudio.engine.contacts.cone.newton import PATIENCE, solve_newton
from mechstudio.engine.contacts.cone.paradox import solve_in_turn
from mechstudio.engine.contacts.cone.patches.inner_friction import tie_patches, untie_patches
from mechstudio.engine.contacts.cone.patches.shared_friction import solve_patched, ties
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    I_DENSE,
    I_FIRST,
    I_LAST,
    MU,
    PATCHES,
    PROBLEM,
    WIDTH,
    assemble_dense,
    copy_impulses,
    gather_wrenches,
    multiply,
    respond,
    set_scales,
    slip,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.work import contact_points
from mechstudio.engine.contacts.kernel_table import (
    EVERY,
    IMPACTS,
    INDEX,
    NOTHING,
    NUMBER,
    VECTOR,
    alone,
)

MOST_IMPACTS = 1000  # in one step and island
AT_ONCE = 1e-6  # share of a step within which impacts in turn are at one instant
POINTS = typeof(contact_points(1))
LOCAL = 200  # iterations of one contact's own problem
FIRST = 400  # of the accelerated gradient, before Newton's method is tried
# haste of Newton's method for the law, before the one for cone problems and after it
HASTE, CARE = 1.0, 0.6
ROUNDS = 4  # trials of the gradient, each followed by Newton's method
STUCK = 1.0 - 1e-6  # of mu times the normal impulse: friction below which a contact sticks
RELEASES = 6  # most checks for opening contacts
AWAY = 1e6  # speed apart that is added to a released contact [m/s]
# tolerances above which an opening contact is released, in islands without a matrix and with one.
# In a heap hundreds of contacts open at about the tolerance; each release begins the solve again
OPENING = (8.0, 1.0)
FAINT = 4.0  # tolerances: largest response of the impulse of a contact that may be opening


@kernel
def run_method(P, island, method, tolerance, most, omega, L, curve):
    """(iterations, products, residual, L) by the chosen method."""
    if method == APGD:
        pile = P.islands[island, I_DENSE] == 0 and P.size[WIDTH] == 3
        return solve_apgd(P, island, pile, tolerance, most, 0, L, curve)
    if method == GAUSS_SEIDEL:
        done, products, left = solve_gauss_seidel(P, island, tolerance, most, omega, curve)
    else:
        done, products, left = solve_jacobi(P, island, tolerance, most, omega, curve)
    return done, products, left, L


@alone(EVERY, types.Tuple((INDEX, INDEX, NUMBER, NUMBER)), PROBLEM, INDEX, s.STAGE, NUMBER, VECTOR)
def solve_island(P, island, S, L, curve):
    """The impulses of one island from those in gamma, with the friction of its patches where they
    share it: (iterations, products, residual [m/s], L).

    In a crowd, friction is tied to the contacts first.  Where that does not converge, and in other
    islands, patches have rows of their own.
    """
    if P.size[PATCHES] == 0:
        return solve_cones(P, island, S, L, curve)
    iterations = products = 0
    if ties(P, S, island):
        shift = P.size[CONTACTS] - P.islands[island, I_FIRST]
        curvature = L
        tie_patches(P, S, shift)
        iterations, products, left, L = solve_cones(P, island, S, L, curve)
        untie_patches(P, shift)
        if left < S.settings[s.TOLERANCE]:
            return iterations, products, left, L
        L = curvature
    done, made, left, L = solve_patched(P, island, S, L, curve)
    return iterations + done, products + made, left, L


@kernel
def solve_cones(P, island, S, L, curve):
    """Impulses of an island as `solve_island` returns them, each contact with its own cone.

    The residual is that of Coulomb's law, with De Saxce's shifts from the impulses; without the
    correction it is that of the cone problem.
    L: curvature of the step before, 0 for none.  Before it, scales and, of a small island, the
    matrix are filled by `prepare_island`.  If the accelerated gradient converges slowly, Newton's
    method continues.  If that does not apply to this island or stalls by rounding, both alternate,
    and the gradient has the remaining iterations at the end.
    """
    settings, I, width = S.settings, P.islands, P.size[WIDTH]
    tolerance, most, method = settings[s.TOLERANCE], int(settings[s.MOST]), int(settings[s.METHOD])
    rubs = False
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        P.shift[i] = 0.0
        rubs = rubs or P.cone[i, MU] > 0.0
    passes = int(settings[s.SAXCE]) if rubs else 0
    if method != APGD:
        return solve_shifted(P, island, S, passes, most, L, curve)
    iterations = products = count = 0
    left = least = 0.0
    small = passes > 0 and width == 3 and I[island, I_DENSE] == 1
    if small:
        copy_impulses(P, island, P.gamma, P.kept)
    for turn in range(ROUNDS):
        allowed = most - iterations if turn == ROUNDS - 1 else min(most - iterations, FIRST)
        if width == 3 and I[island, I_DENSE] == 0:
            done, made, left, L = solve_apgd(P, island, True, tolerance, allowed, passes, L, curve)
        else:
            done, made, left, L = solve_shifted(P, island, S, passes, allowed, L, curve)
        iterations, products = iterations + done, products + made
        if turn > 0 and least < left:
            # the gradient, started from the end of Newton's method, got less far
            left = least
            copy_impulses(P, island, P.kept, P.gamma)
        if left < tolerance and small and jams(P, island, S):
            request_end_slip(P, island, S)
            done, left = solve_in_turn(P, island, tolerance, math.inf)
            iterations += done
        if left < tolerance or iterations >= most:
            break
        if turn == 0 and small:
            done, left = solve_in_turn(P, island, tolerance, left)
            if left < tolerance and jams(P, island, S):
                request_end_slip(P, island, S)
                done, left = solve_in_turn(P, island, tolerance, math.inf)
            iterations += done
            if left < tolerance:
                break
        least = left
        if passes > 0:
            done, found = solve_law(P, island, tolerance, least, HASTE)
            count += done
            least = min(least, found)
        if not least < tolerance:
            done, found = solve_newton(P, island, tolerance, passes, least, PATIENCE)
            count += done
            least = min(least, found)
            if passes > 0 and not least < tolerance:
                done, found = solve_law(P, island, tolerance, least, CARE)
                count += done
                least = min(least, found)
        if least < tolerance:
            left = least
            break
        copy_impulses(P, island, P.gamma, P.kept)
    return iterations + count, products, left, L


@kernel
def uses_mean_slip(P, S, i):
    """True if the tangential part of r of a smooth contact is that of the mean slip."""
    return (
        P.r[i, 1] != S.foreseen[i, 1] + S.bends[i, s.BENT + 1]
        or P.r[i, 2] != S.foreseen[i, 2] + S.bends[i, s.BENT + 2]
    )


@kernel
def jams(P, island, S):
    """True if a contact stopped that was expected to slide throughout the step."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if (
            S.bends[i, s.SMOOTH] > 0.0
            and uses_mean_slip(P, S, i)
            and math.hypot(P.gamma[i, 1], P.gamma[i, 2]) < STUCK * P.cone[i, MU] * P.gamma[i, 0]
        ):
            return True
    return False


@kernel
def request_end_slip(P, island, S):
    """Set the tangential part of r for the slip at the end of the step, also of contacts that were
    expected to slide throughout it, so that jammed contacts stop.
    """
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if S.bends[i, s.SMOOTH] > 0.0:
            P.r[i, 1], P.r[i, 2] = (
                S.foreseen[i, 1] + S.bends[i, s.BENT + 1],
                S.foreseen[i, 2] + S.bends[i, s.BENT + 2],
            )


@kernel
def holds_faintly(P, island, tolerance):
    """True if a contact bears so little, or has been released, that it may be opening."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if 0.0 < P.gamma[i, 0] * P.scale[i] < FAINT * tolerance or P.r[i, 0] > 0.5 * AWAY:
            return True
    return False


@alone(EVERY, INDEX, PROBLEM, INDEX, s.STAGE)
def release_contacts(P, island, S):
    """Release contacts that open faster than OPENING tolerances, and restore released ones that
    would close.  A released contact has AWAY added to its first number of r.  Returns the number of
    changes.

    Within its tolerance a solve may end with small impulses of the step before at opening contacts,
    which would push separating bodies.
    """
    tolerance, correction, I = S.settings[s.TOLERANCE], S.settings[s.SAXCE] > 0.0, P.islands
    multiply(P, island, P.gamma, P.product_gamma)
    count, fast = 0, OPENING[I[island, I_DENSE]] * tolerance
    for i in range(I[island, I_FIRST], I[island, I_LAST]):
        gone = P.r[i, 0] > 0.5 * AWAY
        opens = P.product_gamma[i, 0] + P.r[i, 0] - (AWAY if gone else 0.0)
        # without De Saxce's correction sliding bodies are meant to lift off
        if (
            not gone
            and opens > fast
            and P.gamma[i, 0] > 0.0
            and (correction or P.cone[i, MU] == 0.0)
        ):
            P.r[i, 0] += AWAY
            for c in range(P.size[WIDTH]):
                P.gamma[i, c] = 0.0
            count += 1
        elif gone and opens < -tolerance:
            P.r[i, 0] -= AWAY
            count += 1
    return count


@kernel
def release(P, island, S, left, L, curve):
    """Solve again without the opening contacts, until the released ones stay open and no other
    opens: (iterations, products, residual [m/s], L).

    left: residual of the impulses in P.gamma.  If the iteration does not converge they are
    restored.
    """
    iterations = products = 0
    residual_before = left
    if not holds_faintly(P, island, S.settings[s.TOLERANCE]):
        return iterations, products, left, L
    copy_impulses(P, island, P.gamma, P.first)
    for _turn in range(RELEASES):
        if (
            not holds_faintly(P, island, S.settings[s.TOLERANCE])
            or release_contacts(P, island, S) == 0
        ):
            restore_contacts(P, island)
            return iterations, products, left, L
        done, made, left, L = solve_island(P, island, S, L, curve)
        iterations, products = iterations + done, products + made
        if not left < S.settings[s.TOLERANCE]:
            break
    restore_contacts(P, island)
    copy_impulses(P, island, P.first, P.gamma)
    return iterations, products, residual_before, L


@kernel
def solve_and_release(P, island, S, L, curve):
    """Solve an island, and again without the opening contacts: (residual [m/s], L)."""
    done, products, left, L = solve_island(P, island, S, L, curve)
    if left < S.settings[s.TOLERANCE]:
        more, made, left, L = release(P, island, S, left, L, curve)
        done, products = done + more, products + made
    S.counts[s.ITERATIONS] += done
    S.counts[s.PRODUCTS] += products
    return left, L


@kernel
def restore_contacts(P, island):
    """Restore r as it was before contacts were released."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        if P.r[i, 0] > 0.5 * AWAY:
            P.r[i, 0] -= AWAY


@kernel
def solve_shifted(P, island, S, passes, most, L, curve):
    """Solve an island like solve_island, by passes of a method with De Saxce's shifts of the
    previous pass.
    """
    settings, I, width = S.settings, P.islands, P.size[WIDTH]
    tolerance, method = settings[s.TOLERANCE], int(settings[s.METHOD])
    first, last = I[island, I_FIRST], I[island, I_LAST]
    iterations = products = 0
    if passes == 0:
        return run_method(P, island, method, tolerance, most, settings[s.OMEGA], L, curve)
    multiply(P, island, P.gamma, P.product_gamma)
    for i in range(first, last):
        P.shift[i] = requested_shift(P, i, width)
    left = math.inf
    for n in range(passes):
        done, count, _, L = run_method(
            P, island, method, tolerance, most - iterations, settings[s.OMEGA], L, curve
        )
        iterations, products = iterations + done, products + count
        left = update_shifts(P, island, n)
        if left < tolerance or iterations >= most:
            break
    return iterations, products, left, L


@alone(EVERY, NOTHING, PROBLEM, INDEX)
def prepare_island(P, island):
    """The matrix of a small island, and the scale of every contact."""
    if P.islands[island, I_DENSE] == 1:
        assemble_dense(P, island)
    set_scales(P, island)


@kernel
def local_column(P, island, i, x, y, z):
    """N's answer at contact i to an impulse (x, y, z) there."""
    for j in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            P.trial[j, c] = 0.0
    P.trial[i, 0], P.trial[i, 1], P.trial[i, 2] = x, y, z
    gather_wrenches(P, island, P.trial)
    respond(P, island)
    return slip(P.frame, i, P.twist, P.side[i, 0], P.side[i, 1])


@alone(IMPACTS, INDEX, PROBLEM, INDEX, s.STAGE, POINTS)
def impacts_in_turn(P, island, S, points):
    """Impacts one after the other, in the order in which gaps close and of those at one instant the
    fastest first, each as if its two bodies were alone, as observed for a row of touching balls.

    The velocities without contacts in r take the jumps; impulses go into P.impact, events into
    S.turns.  Returns the number of impacts.
    Newton's restitution, and Coulomb's law for the impulse of each impact.
    """
    I, width, count, clock = P.islands, P.size[WIDTH], 0, 0.0
    first, last = I[island, I_FIRST], I[island, I_LAST]
    h, slowest = S.settings[s.STEP], S.settings[s.SLOWEST]
    at_once = AT_ONCE * h
    for i in range(first, last):
        S.turns[i, s.TURN_GAP] = max(points.gap[S.order[i]], 0.0)
        for c in range(width):
            P.product_y[i, c] = 0.0
    while count < MOST_IMPACTS:
        worst, soonest, fastest = -1, h - clock, 0.0
        for i in range(first, last):
            u = S.approach[i, 0] + P.product_y[i, 0]
            if u >= -slowest or not rebounds_at(S, i):
                continue
            until = S.turns[i, s.TURN_GAP] / -u
            if until < soonest - at_once or (until < soonest + at_once and u < fastest):
                worst, soonest, fastest = i, min(until, soonest), u
        if worst < 0:
            break
        count, clock = count + 1, clock + soonest
        for i in range(first, last):
            way = soonest * (S.approach[i, 0] + P.product_y[i, 0])
            S.turns[i, s.TURN_GAP] = max(S.turns[i, s.TURN_GAP] + way, 0.0)
        one_impact(P, island, S, worst, fastest)
        # effect of the impulse on all movers
        multiply(P, island, P.trial, P.product_trial)
        note_turn(P, S, worst, clock)
        for i in range(first, last):
            for c in range(width):
                P.product_y[i, c] += P.product_trial[i, c]
                P.r[i, c] += P.product_trial[i, c]
    for i in range(first, last):
        u = S.approach[i, 0] + P.product_y[i, 0]
        if u < -slowest and rebounds_at(S, i) and points.gap[S.order[i]] + h * u < 0.0:
            S.counts[s.CROSSED] += 1
    return count


@kernel(options=INLINED)
def rebounds_at(S, i):
    """True if the surfaces of contact i rebound."""
    M, m = S.materials, S.pair[i]
    return M[m, s.RESTITUTION] + M[m, s.TANGENTIAL] > 0.0


@kernel
def note_turn(P, S, i, clock):
    """Note the impact of trial at contact i, `clock` [s] after the beginning of the step, with
    product_trial = N trial, before product_y has it.
    """
    E, lost = S.turns, 0.0
    for c in range(3):
        before = S.approach[i, c] + P.product_y[i, c]
        lost -= P.trial[i, c] * (before + 0.5 * P.product_trial[i, c])
    fastest = S.approach[i, 0] + P.product_y[i, 0]
    if E[i, s.TURN_HITS] == 0.0:
        E[i, s.TURN_BEFORE], E[i, s.TURN_TIME] = -fastest, clock
        E[i, s.TURN_IMPULSE] = E[i, s.TURN_LOSS] = 0.0
    E[i, s.TURN_HITS] += 1.0
    E[i, s.TURN_IMPULSE] += P.trial[i, 0]
    E[i, s.TURN_AFTER] = fastest + P.product_trial[i, 0]
    E[i, s.TURN_LOSS] += lost


@kernel
def one_impact(P, island, S, i, fastest):
    """trial <- the impulse of one impact at contact i alone, which is added to P.impact: min 1/2 p
    N p + p b over the cone, b_n = (1 + e) u_n, b_t = (1 + e_t) u_t.
    """
    mu, e = P.cone[i, MU], S.materials[S.pair[i], s.RESTITUTION]
    again = 1.0 + S.materials[S.pair[i], s.TANGENTIAL]
    a0, a1, a2 = local_column(P, island, i, 1.0, 0.0, 0.0)
    b0, b1, b2 = local_column(P, island, i, 0.0, 1.0, 0.0)
    c0, c1, c2 = local_column(P, island, i, 0.0, 0.0, 1.0)
    u0, u1, u2 = (
        (1.0 + e) * fastest,
        again * (S.approach[i, 1] + P.product_y[i, 1]),
        again * (S.approach[i, 2] + P.product_y[i, 2]),
    )
    p0, p1, p2 = -u0 / a0, 0.0, 0.0
    if mu > 0.0:
        for _ in range(LOCAL):
            p0 = max(p0 - (u0 + a0 * p0 + b0 * p1 + c0 * p2) / a0, 0.0)
            k = 2.0 / (b1 + c2 + math.hypot(b1 - c2, 2.0 * b2))
            p1, p2 = (
                p1 - k * (u1 + a1 * p0 + b1 * p1 + c1 * p2),
                p2 - k * (u2 + a2 * p0 + b2 * p1 + c2 * p2),
            )
            t = math.hypot(p1, p2)
            if t > mu * p0:
                p1, p2 = p1 * mu * p0 / t, p2 * mu * p0 / t
    for j in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            P.trial[j, c] = 0.0
    P.trial[i, 0], P.trial[i, 1], P.trial[i, 2] = p0, p1, p2
    for c in range(3):
        P.impact[i, c] += P.trial[i, c]
