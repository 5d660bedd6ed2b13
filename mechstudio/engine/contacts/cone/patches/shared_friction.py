"""Friction of flat patches that spin: shared over points inside, with pressure linear over the
patch.

A flat side that lies on another one touches at its corners or at points of its rim.  They bear it,
and it tips over them.  Friction that acts there alone brakes what spins by mu N R, where a disc of
even pressure has

    M = mu integral p |r| dA = 2/3 mu N R,    a square of side a  0.3826 mu N a,

and of slip v with spin w the integrals of -mu p u / |u|, u = v + w x r (Contensou 1963; Farkas,
Bartels, Unger & Wolf 2003).  Here the pressure comes from the normal impulses of the corners, which
are N and its two moments: p = max(0, a + b x + c y).  The area is cut into cells of some grains; a
cell's friction is one force of at most |sum of its grains' friction|, at the place where it is
equivalent to them at the present slip and where the slip is along it.  Force and moment are
therefore those of all grains, and a few rows replace those of the corners.  Bounds and places
follow the impulses and the slip from pass to pass, as De Saxce's shifts do.  In piles the cells are
tied to the contacts (inner_friction.py), and rows are only used where that does not converge.

Patches that spin at the beginning of a step are treated so, and those that the corners' law holds
by more than even pressure could; all others are unchanged.  The resulting friction is returned to
the corners, with the same force and moment.
"""

import math

from numba import typeof, types

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.apgd import solve_apgd
from mechstudio.engine.contacts.cone.contact_operator import residual
from mechstudio.engine.contacts.cone.de_saxce import requested_shift, update_shifts
from mechstudio.engine.contacts.cone.gauss_seidel import (
    APGD,
    GAUSS_SEIDEL,
    solve_gauss_seidel,
    solve_jacobi,
)
from mechstudio.engine.contacts.cone.newton import solve_newton
from mechstudio.engine.contacts.cone.patches.patch_area import (
    CORNER,
    EXTENT,
    FIRST,
    GRAIN0,
    GRAIN1,
    LAST,
    OF_CELL,
    ROW0,
    ROW1,
    RUB,
    SOLVED,
    X,
    Y,
    Z,
    cut,
    is_flat,
    middle_of,
    offset,
    rigid_slip,
    rim_of,
    set_area,
    spin_limit,
    spread_pressure,
    take_corners,
)
from mechstudio.engine.contacts.cone.patches.patch_rows import (
    HELD_FASTER,
    SLOW,
    begin_patches,
    end_patches,
    follow_patches,
)
from mechstudio.engine.contacts.cone.problem import (
    CONTACTS,
    I_FIRST,
    I_LAST,
    ISLANDS,
    MU,
    PATCHES,
    PROBLEM,
    WIDTH,
    U,
    W,
    multiply,
    set_scales,
)
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.shapes import (
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points
from mechstudio.engine.contacts.kernel_table import EVERY, FLAG, INDEX, NUMBER, VECTOR, alone

POINTS, SHAPES = typeof(contact_points(1)), typeof(shape_table(()))
SPINS = 0.02  # spin over slip from which a patch spins at the beginning of a step
FAINT = 1e-3  # share of the corners' moment that they may hold at any slip
# sum of the squares of force and moment of a patch over their limits, below which it surely holds
SURE = 0.8
# share of its friction up to which a corner is not examined, from SURE and EVEN, and that up to
# which a patch that shared its friction returns it to its corners, lower so that few alternate
EASILY, RELAXED = 0.29, 0.15
PULLED = 0.05  # share of the friction limit of a step from which a pull is examined
_PART = 0.7  # least share of a vector's length in one of its two components
# iterations of the gradient in a pass, and in all, before Newton's method is tried
HASTY, LONG = 100, 300
IMPATIENT = 6  # its problems without improvement before the gradient is tried again
MOST_STEPS = 800  # of Newton's method
# iterations of the gradient in a solve with patches, alone and alternating with Newton's method
SHARED, BOTH = 600, 1200
CROWD = 60  # contacts of an island beyond which patches are tied to its contacts first
EVEN = 0.35  # of the corners' moment: approximate least moment of even pressure
PASSES, LOOSE = 60, 5  # passes of bounds, and those that update places too


@kernel
def end_of_pair(S, points, i, last):
    """Index after the last of the contacts from i on that have the same two shapes."""
    a, b, j = points.shape_a[S.order[i]], points.shape_b[S.order[i]], i + 1
    while j < last and points.shape_a[S.order[j]] == a and points.shape_b[S.order[j]] == b:
        j += 1
    return j


@kernel
def may_be_patch(P, S, points, table, i, j):
    """True if contacts i to j, all of a pair of shapes, may be a flat patch with friction."""
    a, b = points.shape_a[S.order[i]], points.shape_b[S.order[i]]
    return (
        j - i > 2
        and a >= 0
        and P.cone[i, MU] > 0.0
        and is_flat(table.kind[a])
        and is_flat(table.kind[b])
    )


@kernel
def spins(P, S, i, j):
    """True if the sides of contacts i to j spin on each other at the beginning of the step."""
    # slips of a spinning patch differ by more than that
    fast, differ = HELD_FASTER * S.settings[s.TOLERANCE], False
    for k in range(i + 1, j):
        differ = (
            differ
            or abs(S.approach[k, 1] - S.approach[i, 1]) > _PART * fast
            or abs(S.approach[k, 2] - S.approach[i, 2]) > _PART * fast
        )
    if not differ:
        return False
    x, y, extent = middle_of(P, i, j)
    u, w, turn = rigid_slip(P.frame, S.approach, S.shared, 0, i, j, x, y)
    rim = abs(turn) * extent
    return rim > fast and rim > SPINS * math.hypot(u, w)


@kernel
def holds_easily(P, i, j, share):
    """True if the friction of each of contacts i to j is below a share of its limit."""
    g, most = P.gamma, (share * P.cone[i, MU]) ** 2
    for k in range(i, j):
        if g[k, 1] * g[k, 1] + g[k, 2] * g[k, 2] > most * g[k, 0] * g[k, 0]:
            return False
    return True


@kernel
def is_pulled(P, S, points, table, first, last):
    """True if a patch among contacts first to last would slip in this step without friction, by a
    significant share of its friction limit.

    Patches at rest on level sides are excluded, since their friction is not unique.
    """
    F, j = P.frame, first
    while j < last:
        i = j
        j = end_of_pair(S, points, i, last)
        if not may_be_patch(P, S, points, table, i, j):
            continue
        x, y, extent = middle_of(P, i, j)
        u, w, turn = rigid_slip(F, S.foreseen, S.shared, 0, i, j, x, y)
        pressed = 0.0
        for k in range(i, j):
            pressed += P.gamma[k, 0]
        pull = math.hypot(u, w) + extent * abs(turn)
        if pull > max(
            PULLED * P.cone[i, MU] * pressed * P.scale[i], SLOW * S.settings[s.TOLERANCE]
        ):
            return True
    return False


@kernel
def twist_held(P, i, j):
    """(friction over its limit, its moment over the limit of the corners, that limit [N m s]) of
    contacts i to j by the impulses in gamma; moments about the middle of the pressure.
    """
    F, g, n, x, y, u, w = P.frame, P.gamma, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(i, j):
        n += g[k, 0]
        x += g[k, 0] * offset(F, i, k, U)
        y += g[k, 0] * offset(F, i, k, W)
        u, w = u + g[k, 1], w + g[k, 2]
    if not n > 0.0:
        return 0.0, 0.0, 0.0
    x, y, moment, most = x / n, y / n, 0.0, 0.0
    for k in range(i, j):
        a, b = offset(F, i, k, U) - x, offset(F, i, k, W) - y
        moment += a * g[k, 2] - b * g[k, 1]
        most += P.cone[i, MU] * g[k, 0] * math.sqrt(a * a + b * b)
    return (
        math.hypot(u, w) / (P.cone[i, MU] * n),
        abs(moment) / most if most > 0.0 else 0.0,
        most,
    )


@kernel
def overtaxed(P, n, force, moment, most):
    """True if patch n bears more than it surely can, by the impulses in gamma.  force, moment:
    as of twist_held; most: moment of the corners.
    """
    if not spread_pressure(P, n, 0):
        return False
    limit = spin_limit(P, n)
    return limit > 0.0 and force * force + (moment * most / limit) ** 2 > SURE


@kernel
def is_crowd(P, island):
    """True if an island has so many contacts that its patches are cut more coarsely."""
    return P.islands[island, I_LAST] - P.islands[island, I_FIRST] > CROWD


@kernel
def ties(P, S, island):
    """True if the friction of an island's patches is tied to their contacts first."""
    return is_crowd(P, island) and S.settings[s.METHOD] == APGD


@kernel
def set_shared(S, i, j, value):
    """S.shared of contacts i to j <- value.  Returns whether one of them was shared."""
    shared = False
    for k in range(i, j):
        shared = shared or S.shared[k] == 1
        S.shared[k] = value
    return shared


@kernel
def share_corners(S, i, j):
    """S.shared of contacts i to j <- 1 for the corners of their patch."""
    for k in range(i, j):
        S.shared[k] = 1 if S.shared[k] == CORNER else 0


@alone(EVERY, INDEX, PROBLEM, INDEX, s.STAGE, POINTS, SHAPES, FLAG)
def take_patches(P, island, S, points, table, again):
    """P.patches <- the patches of an island that spin and those that shared their friction in the
    step before and still rub; again: after a solve, those of that solve and those that bear more
    than they surely can.  S.shared tells which.  Returns their number.
    """
    I, A, count, grain = P.patches, P.places, 0, 0
    first, last, pulled = P.islands[island, I_FIRST], P.islands[island, I_LAST], -1
    j, row, fine = first, P.size[CONTACTS] + last - first, not is_crowd(P, island)
    while j < last:
        i = j
        j = end_of_pair(S, points, i, last)
        shared = set_shared(S, i, j, 0)
        if not may_be_patch(P, S, points, table, i, j):
            continue
        easily = holds_easily(P, i, j, RELAXED if shared else EASILY)
        force = moment = most = 0.0
        surely = (shared and (again or not (fine or easily))) or (not again and spins(P, S, i, j))
        if not surely:
            if easily or not again:
                continue
            force, moment, most = twist_held(P, i, j)
            if moment < FAINT or force * force + (moment / EVEN) ** 2 < SURE:
                continue
            if pulled < 0:
                pulled = 1 if is_pulled(P, S, points, table, first, last) else 0
            if pulled == 0:
                continue
        corners, x, y, at_x, at_y, at_z, extent = take_corners(P, S, points, i, j)
        if corners == 0:
            set_shared(S, i, j, 0)
            continue
        ax, ay, ar = rim_of(S, table, points, P.frame, i, 0, x, y)
        bx, by, br = rim_of(S, table, points, P.frame, i, 1, x, y)
        I[count, FIRST], I[count, LAST], I[count, GRAIN0] = i, j, grain
        I[count, GRAIN1] = cut(P, corners, ax, ay, ar, bx, by, br, grain, fine)
        A[count, X], A[count, Y], A[count, Z], A[count, EXTENT] = at_x, at_y, at_z, extent
        A[count, RUB] = P.cone[i, MU]
        set_area(P, count)
        if surely or overtaxed(P, count, force, moment, most):
            share_corners(S, i, j)
            I[count, ROW0], I[count, ROW1] = row, row + (I[count, GRAIN1] - grain) // OF_CELL
            I[count, SOLVED] = 0
            grain, row, count = I[count, GRAIN1], I[count, ROW1], count + 1
        else:
            set_shared(S, i, j, 0)
    P.size[PATCHES] = count
    return count


@alone(EVERY, types.Tuple((INDEX, INDEX, NUMBER, NUMBER)), PROBLEM, INDEX, s.STAGE, NUMBER, VECTOR)
def solve_patched(P, island, S, L, curve):
    """Impulses of an island with patches, like `solve_island`: passes of a method, each with
    bounds, places and De Saxce's shifts of the previous pass.  Where the accelerated gradient takes
    long, Newton's method goes on; where that does not converge, the two alternate.
    """
    settings, temporary, base = S.settings, P.size[ISLANDS], P.size[CONTACTS]
    tolerance, method = settings[s.TOLERANCE], int(settings[s.METHOD])
    most = min(int(settings[s.MOST]), SHARED)
    shift = base - P.islands[island, I_FIRST]
    gradient = steps = products = 0
    begin_patches(P, island, S, base)
    # unlike masses slow the gradient but not Newton's method, which includes De Saxce's shifts
    stiff = method == APGD
    by_newton, turn, settled = False, HASTY if stiff else most, 0
    if stiff:
        most = min(int(settings[s.MOST]), BOTH)
    left = math.inf
    set_scales(P, temporary)
    multiply(P, temporary, P.gamma, P.product_gamma)
    request_shifts(P, temporary, S)
    for n in range(PASSES):
        solved = False
        if by_newton:
            done, found = solve_newton(
                P, temporary, tolerance, int(settings[s.SAXCE]), math.inf, IMPATIENT
            )
            steps += done
            by_newton = solved = found < tolerance
            if not found < math.inf:
                most = min(int(settings[s.MOST]), SHARED)
                stiff, turn = False, most
        shifted = not by_newton
        if shifted:
            allowed = min(most - gradient, turn)
            if method == APGD:
                done, made, _, L = solve_apgd(P, temporary, False, tolerance, allowed, 0, L, curve)
            elif method == GAUSS_SEIDEL:
                done, made, _ = solve_gauss_seidel(
                    P, temporary, tolerance, allowed, settings[s.OMEGA], curve
                )
            else:
                done, made, _ = solve_jacobi(
                    P, temporary, tolerance, allowed, settings[s.OMEGA], curve
                )
            gradient, products = gradient + done, products + made
            by_newton = stiff and (done >= allowed or gradient >= LONG)
            solved = done < allowed
        follow_patches(P, S, shift, settled < LOOSE)
        settled += 1 if solved else 0
        set_scales(P, temporary)
        multiply(P, temporary, P.gamma, P.product_gamma)
        products += 1
        if settings[s.SAXCE] > 0.0:
            left = update_shifts(P, temporary, n if shifted else 0)
        else:
            left = residual(P, temporary, P.gamma, P.product_gamma)
        if left < tolerance or gradient >= most or steps >= MOST_STEPS:
            break
    end_patches(P, island, base)
    return gradient + steps, products, left, L


@kernel
def request_shifts(P, island, S):
    """De Saxce's shifts from the impulses of an island, if its correction is on."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        P.shift[i] = requested_shift(P, i, P.size[WIDTH]) if S.settings[s.SAXCE] > 0.0 else 0.0
