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
follow the impulses and the slip from pass to pass, as De Saxce's shifts do.

Patches that spin at the beginning of a step are treated so, and those that the corners' law holds
by more than even pressure could; all others are unchanged.  The resulting friction is returned to
the corners, with the same force and moment.
"""

import math

from numba import typeof, types

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.apgd import residual, solve_apgd
from mechstudio.engine.contacts.cone.de_saxce import requested_shift, retell_shifts
from mechstudio.engine.contacts.cone.gauss_seidel import (
    APGD,
    GAUSS_SEIDEL,
    solve_gauss_seidel,
    solve_jacobi,
)
from mechstudio.engine.contacts.cone.newton import solve_newton
from mechstudio.engine.contacts.cone.patch_area import (
    EXTENT,
    FIRST,
    G_AREA,
    G_MOST,
    G_X,
    G_Y,
    GRAIN0,
    GRAIN1,
    LAST,
    OF_CELL,
    R_SPIN,
    R_U,
    R_W,
    ROW0,
    ROW1,
    RUB,
    SPREAD,
    TO_SPIN,
    TO_U,
    TO_W,
    X,
    Y,
    Z,
    cut,
    is_flat,
    middle_of,
    offset,
    rigid_slip,
    rim_of,
    spin_limit,
    spread_pressure,
    take_corners,
)
from mechstudio.engine.contacts.cone.problem import (
    ARM_A,
    ARM_B,
    CONTACTS,
    FRAME_WIDTH,
    I_BLOCK0,
    I_BLOCK1,
    I_DENSE,
    I_FIRST,
    I_LAST,
    I_MOVER0,
    I_MOVER1,
    ISLANDS,
    LENGTH,
    MU,
    PATCHES,
    PROBLEM,
    ROLL,
    SPIN,
    WIDTH,
    U,
    W,
    multiply,
    set_scales,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.shapes import (
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points
from mechstudio.engine.contacts.standing import EVERY, INDEX, NUMBER, VECTOR, alone

POINTS, SHAPES = typeof(contact_points(1)), typeof(shape_table(()))
SPINS = 0.02  # spin over slip from which a patch spins at the beginning of a step
HELD_FASTER = 100.0  # tolerances: least speed of a spin
FAINT = 1e-3  # share of the corners' moment that they may hold at any slip
# sum of the squares of force and moment of a patch over their limits, below which it surely holds
SURE = 0.8
EASILY = 0.29  # share of its friction up to which a corner is not examined, from SURE and EVEN
SURELY = 4.0  # slip over its largest change by friction in a step, from which it surely continues
PULLED = 0.05  # share of the friction limit of a step from which a pull is examined
_PART = 0.7  # least share of a vector's length in one of its two components
# iterations of the gradient in a pass, and in all, before Newton's method is tried
HASTY, LONG = 100, 300
IMPATIENT = 6  # its problems without improvement before the gradient is tried again
MOST_STEPS = 800  # of Newton's method
# iterations of the gradient in a solve with patches, alone and alternating with Newton's method
SHARED, BOTH = 600, 1200
EVEN = 0.35  # of the corners' moment: approximate least moment of even pressure
PASSES, LOOSE = 60, 5  # passes of bounds, and those that update places too
SLOW = 10.0  # tolerances: slip below which its direction is undefined
FARTHEST = 3.0  # largest distance of a cell's friction from its middle, in extents of the cell


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
    x, y, _z, extent = middle_of(P, i, j)
    u, w, turn = rigid_slip(P.frame, S.approach, i, j, x, y)
    rim = abs(turn) * extent
    return rim > fast and rim > SPINS * math.hypot(u, w)


@kernel
def holds_easily(P, i, j):
    """True if the friction of each of contacts i to j is so far below its limit that no pressure
    exceeds it.
    """
    g, most = P.gamma, (EASILY * P.cone[i, MU]) ** 2
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
        x, y, _z, extent = middle_of(P, i, j)
        u, w, turn = rigid_slip(F, S.foreseen, i, j, x, y)
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
    """Truth of patch n bearing more than it surely can, by the impulses in gamma.  force, moment:
    as of twist_held; most: moment of the corners.
    """
    if not spread_pressure(P, n, 0):
        return False
    limit = spin_limit(P, n)
    return limit > 0.0 and force * force + (moment * most / limit) ** 2 > SURE


@alone(EVERY, INDEX, PROBLEM, INDEX, s.STAGE, POINTS, SHAPES, INDEX)
def take_patches(P, island, S, points, table, solved):
    """P.patches <- the patches of an island that spin, and where it is solved (1; 2: none spins)
    those too that bear more than they surely can.  Returns their number.
    """
    I, A, count, grain = P.patches, P.places, 0, 0
    first, last, pulled = P.islands[island, I_FIRST], P.islands[island, I_LAST], -1
    j, row = first, P.size[CONTACTS] + last - first
    while j < last:
        i = j
        j = end_of_pair(S, points, i, last)
        if not may_be_patch(P, S, points, table, i, j):
            continue
        spinning, force, moment, most = solved < 2 and spins(P, S, i, j), 0.0, 0.0, 0.0
        if not spinning:
            if solved == 0 or holds_easily(P, i, j):
                continue
            force, moment, most = twist_held(P, i, j)
            if moment < FAINT or force * force + (moment / EVEN) ** 2 < SURE:
                continue
            if pulled < 0:
                pulled = 1 if is_pulled(P, S, points, table, first, last) else 0
            if pulled == 0:
                continue
        corners, x, y = take_corners(P, S, points, i, j)
        if corners == 0:
            continue
        ax, ay, ar = rim_of(S, table, points, P.frame, i, 0, x, y)
        bx, by, br = rim_of(S, table, points, P.frame, i, 1, x, y)
        I[count, FIRST], I[count, LAST], I[count, GRAIN0] = i, j, grain
        I[count, GRAIN1] = cut(P, corners, ax, ay, ar, bx, by, br, grain)
        A[count, X], A[count, Y], A[count, Z], A[count, EXTENT] = middle_of(P, i, j)
        A[count, RUB] = P.cone[i, MU]
        if spinning or overtaxed(P, count, force, moment, most):
            I[count, ROW0], I[count, ROW1] = row, row + (I[count, GRAIN1] - grain) // OF_CELL
            grain, row, count = I[count, GRAIN1], I[count, ROW1], count + 1
    P.size[PATCHES] = count
    return count


@kernel
def right_side_of(P, S, n):
    """The right side of the rows of patch n, as a rigid slip, from those of its corners.

    Corners that ask for the mean slip of the step (surface_motion.py) while others ask for that of
    its end tell no rigid slip, and where friction may stop some the mean is none: then all ask for
    the end.
    """
    I, A, F, r = P.patches, P.places, P.frame, P.r
    i, j = I[n, FIRST], I[n, LAST]
    means, pressed, surely = 0, 0.0, True
    for k in range(i, j):
        pressed += P.gamma[k, 0]
    for k in range(i, j):
        if S.bends[k, s.SMOOTH] > 0.0 and (
            r[k, 1] != S.foreseen[k, 1] + S.bends[k, s.BENT + 1]
            or r[k, 2] != S.foreseen[k, 2] + S.bends[k, s.BENT + 2]
        ):
            means += 1
        most = SURELY * P.cone[k, MU] * pressed * P.scale[k]
        surely = surely and math.hypot(S.approach[k, 1], S.approach[k, 2]) > most
    if means > 0 and (means < j - i or not surely):
        for k in range(i, j):
            r[k, 1] = S.foreseen[k, 1] + S.bends[k, s.BENT + 1]
            r[k, 2] = S.foreseen[k, 2] + S.bends[k, s.BENT + 2]
    A[n, R_U], A[n, R_W], A[n, R_SPIN] = rigid_slip(F, r, i, j, A[n, X], A[n, Y])


@kernel
def copy_island(P, island, base):
    """The island behind all others <- an island with the rows of its patches, from `base` on."""
    I, temporary = P.islands, P.size[ISLANDS]
    first, last = I[island, I_FIRST], I[island, I_LAST]
    for column in (I_MOVER0, I_MOVER1, I_BLOCK0, I_BLOCK1):
        I[temporary, column] = I[island, column]
    I[temporary, I_DENSE] = 0
    I[temporary, I_FIRST], I[temporary, I_LAST] = base, P.patches[P.size[PATCHES] - 1, ROW1]
    for i in range(first, last):
        copy_row(P, i, base + i - first)
    for n in range(P.size[PATCHES]):
        for row in range(P.patches[n, ROW0], P.patches[n, ROW1]):
            copy_row(P, P.patches[n, FIRST], row)
            P.cone[row, SPIN] = P.cone[row, ROLL] = 0.0
            P.soft[row, 0] = P.soft[row, 1] = 0.0
            for c in range(P.size[WIDTH]):
                P.r[row, c] = P.gamma[row, c] = 0.0
            P.r[row, 1] = P.r[row, 2] = 0.0


@kernel
def copy_row(P, i, row):
    """Contact `row` <- contact i."""
    P.side[row, 0], P.side[row, 1] = P.side[i, 0], P.side[i, 1]
    for c in range(FRAME_WIDTH):
        P.frame[row, c] = P.frame[i, c]
    for c in range(LENGTH + 1):
        P.cone[row, c] = P.cone[i, c]
    P.soft[row, 0], P.soft[row, 1] = P.soft[i, 0], P.soft[i, 1]
    P.shift[row] = 0.0
    for c in range(P.size[WIDTH]):
        P.r[row, c], P.gamma[row, c] = P.r[i, c], P.gamma[i, c]


@kernel
def point_patch(P, n, u, w, spin, slow):
    """The directions of friction of patch n <- those of a slip of its middle and a spin; where they
    are below `slow` [m/s] those in which it would go without friction, or else of a spin.
    """
    A, e = P.places, P.places[n, EXTENT]
    if not math.hypot(u, w) + e * abs(spin) > slow:
        u, w, spin = A[n, R_U], A[n, R_W], A[n, R_SPIN]
        if not math.hypot(u, w) + e * abs(spin) > slow:
            u, w, spin = 0.0, 0.0, 1.0
    A[n, TO_U], A[n, TO_W], A[n, TO_SPIN] = u, w, spin


@kernel
def cell_friction(P, n, grain):
    """(x, y from the middle, most of the friction) of the cell of patch n that begins at a grain:
    what its grains do at the patch's slip.
    """
    A, G = P.places, P.grains
    u, w, spin = A[n, TO_U], A[n, TO_W], A[n, TO_SPIN]
    fu = fw = moment = total = cx = cy = square = area = ax = ay = 0.0
    for k in range(grain, grain + OF_CELL):
        x, y, most = G[k, G_X], G[k, G_Y], G[k, G_MOST]
        a, b = u - spin * y, w + spin * x
        speed = math.hypot(a, b)
        if speed > 0.0:
            a, b = a / speed, b / speed
            fu, fw, moment = fu + most * a, fw + most * b, moment + most * (x * b - y * a)
        total, cx, cy = total + most, cx + most * x, cy + most * y
        square += most * (x * x + y * y)
        area, ax, ay = area + G[k, G_AREA], ax + G[k, G_AREA] * x, ay + G[k, G_AREA] * y
    if not total > 0.0:
        return ax / area, ay / area, 0.0
    cx, cy = cx / total, cy / total
    force = math.hypot(fu, fw)
    if not force > 0.0:
        return cx, cy, 0.0
    far = FARTHEST * math.sqrt(max(square / total - cx * cx - cy * cy, 0.0))
    a, b = fu / force, fw / force
    # along the friction as far as the slip there is along it, across it as its moment asks
    along, across = a * cx + b * cy, a * cy - b * cx
    if abs(spin) * far > 0.0:
        along += min(max((b * u - a * w) / spin - along, -far), far)
    across += min(max(-moment / force - across, -far), far)
    return a * along - b * across, b * along + a * across, force


@kernel
def place_rows(P, n, shift):
    """Places, bounds and right sides of the rows of patch n; shift: from corners to copies."""
    I, A, F = P.patches, P.places, P.frame
    i = I[n, FIRST]
    for k in range(i, I[n, LAST]):
        P.cone[k + shift, MU] = 0.0 if I[n, SPREAD] == 1 else A[n, RUB]
    grain = I[n, GRAIN0]
    for row in range(I[n, ROW0], I[n, ROW1]):
        x, y, most = cell_friction(P, n, grain)
        grain += OF_CELL
        # the least number below zero: rows of a patch are told by it
        P.cone[row, MU] = -max(most, 1e-300) if I[n, SPREAD] == 1 else -1e-300
        for c in range(3):
            d = (A[n, X] + x) * F[i, U + c] + (A[n, Y] + y) * F[i, W + c] + A[n, Z] * F[i, c]
            F[row, ARM_A + c], F[row, ARM_B + c] = F[i, ARM_A + c] + d, F[i, ARM_B + c] + d
        P.r[row, 1] = A[n, R_U] - A[n, R_SPIN] * y
        P.r[row, 2] = A[n, R_W] + A[n, R_SPIN] * x


@kernel
def row_place(P, n, row):
    """Place of a row of patch n from the middle."""
    F, i = P.frame, P.patches[n, FIRST]
    return offset(F, i, row, U) - P.places[n, X], offset(F, i, row, W) - P.places[n, Y]


@kernel
def friction_of(P, n, first, last):
    """(force along u and w, moment about the middle) of the friction of rows of patch n."""
    u = w = moment = 0.0
    for k in range(first, last):
        x, y = row_place(P, n, k)
        u, w = u + P.gamma[k, 1], w + P.gamma[k, 2]
        moment += x * P.gamma[k, 2] - y * P.gamma[k, 1]
    return u, w, moment


@kernel(options=INLINED)
def weight_of(P, k, bounded):
    """Normal impulse of a contact, or the most friction of a row that is bounded."""
    return -P.cone[k, MU] if bounded else P.gamma[k, 0]


@kernel
def share_friction(P, n, first, last, bounded, u, w, moment):
    """Add a force and a moment about the middle to the friction of contacts or rows of patch n, in
    a rigid field times their weights.
    """
    total = x = y = square = 0.0
    for k in range(first, last):
        m = weight_of(P, k, bounded)
        a, b = row_place(P, n, k)
        total, x, y = total + m, x + m * a, y + m * b
        square += m * (a * a + b * b)
    if not total > 0.0:
        return
    x, y = x / total, y / total
    square -= total * (x * x + y * y)
    turn = (moment - (x * w - y * u)) / square if square > 0.0 else 0.0
    for k in range(first, last):
        m = weight_of(P, k, bounded)
        a, b = row_place(P, n, k)
        P.gamma[k, 1] += m * (u / total - turn * (b - y))
        P.gamma[k, 2] += m * (w / total + turn * (a - x))


@kernel
def begin_patches(P, island, S, base):
    """The copy of an island with its patches, from the impulses that stand in gamma."""
    I, A, slow = P.patches, P.places, HELD_FASTER * S.settings[s.TOLERANCE]
    for n in range(P.size[PATCHES]):
        right_side_of(P, S, n)
    copy_island(P, island, base)
    shift = base - P.islands[island, I_FIRST]
    for n in range(P.size[PATCHES]):
        i, j = I[n, FIRST], I[n, LAST]
        u, w, spin = rigid_slip(P.frame, S.approach, i, j, A[n, X], A[n, Y])
        point_patch(P, n, u, w, spin, slow)
        I[n, SPREAD] = 1 if spread_pressure(P, n, shift) else 0
        place_rows(P, n, shift)
        if I[n, SPREAD] == 1:
            u, w, moment = friction_of(P, n, i, j)
            share_friction(P, n, I[n, ROW0], I[n, ROW1], True, u, w, moment)


@kernel
def follow_patches(P, S, shift, loose):
    """Pressure and rows of all patches after the impulses of a pass; loose: the places of their
    friction too.
    """
    I, slow = P.patches, SLOW * S.settings[s.TOLERANCE]
    for n in range(P.size[PATCHES]):
        u = w = 0.0
        first, last, fits = I[n, ROW0], I[n, ROW1], spread_pressure(P, n, shift)
        if loose:
            x = y = xx = turn = 0.0
            for k in range(first, last):
                a, b = row_place(P, n, k)
                x, y, xx = x + a, y + b, xx + a * a + b * b
                p, q = P.product_gamma[k, 1] + P.r[k, 1], P.product_gamma[k, 2] + P.r[k, 2]
                u, w, turn = u + p, w + q, turn + a * q - b * p
            count = last - first
            u, w, x, y = u / count, w / count, x / count, y / count
            # of a rigid slip, about the mean of the rows first
            spin = (turn - count * (x * w - y * u)) / (xx - count * (x * x + y * y))
            point_patch(P, n, u + spin * y, w - spin * x, spin, slow)
            I[n, SPREAD] = 1 if fits else 0
        place_rows(P, n, shift)


@kernel
def end_patches(P, island, base):
    """Impulses of an island from those of its copy: the friction of patches goes to their corners,
    in shares of what these bear.
    """
    I, first = P.patches, P.islands[island, I_FIRST]
    for i in range(first, P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            P.gamma[i, c] = P.gamma[base + i - first, c]
    for n in range(P.size[PATCHES]):
        u, w, moment = friction_of(P, n, I[n, ROW0], I[n, ROW1])
        share_friction(P, n, I[n, FIRST], I[n, LAST], False, u, w, moment)


@alone(EVERY, types.Tuple((INDEX, INDEX, NUMBER, NUMBER)), PROBLEM, INDEX, s.STAGE, NUMBER, VECTOR)
def solve_patched(P, island, S, L, curve):
    """Impulses of an island with patches, like `solve_island`: passes of a method, each with
    bounds, places and De Saxce's shifts of the pass before.  Where the accelerated gradient takes
    long Newton's method goes on; where that comes to no end both take turns.
    """
    settings, temporary, base = S.settings, P.size[ISLANDS], P.size[CONTACTS]
    tolerance, method = settings[s.TOLERANCE], int(settings[s.METHOD])
    most = min(int(settings[s.MOST]), SHARED)
    begin_patches(P, island, S, base)
    shift = base - P.islands[island, I_FIRST]
    gradient = steps = products = 0
    # unlike masses make the gradient slow, Newton's method not; it has De Saxce's shifts in it
    stiff = method == APGD
    by_newton, turn, settled = False, HASTY if stiff else most, 0
    if stiff:
        most = min(int(settings[s.MOST]), BOTH)
    left = math.inf
    set_scales(P, temporary)
    multiply(P, temporary, P.gamma, P.product_gamma)
    ask_shifts(P, temporary, S)
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
                done, made, _, L = solve_apgd(P, temporary, tolerance, allowed, L, curve)
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
            left = retell_shifts(P, temporary, n if shifted else 0)
        else:
            left = residual(P, temporary, P.gamma, P.product_gamma)
        if left < tolerance or gradient >= most or steps >= MOST_STEPS:
            break
    end_patches(P, island, base)
    return gradient + steps, products, left, L


@kernel
def ask_shifts(P, island, S):
    """De Saxce's shifts that the impulses of an island ask for, if its correction is on."""
    for i in range(P.islands[island, I_FIRST], P.islands[island, I_LAST]):
        P.shift[i] = requested_shift(P, i, P.size[WIDTH]) if S.settings[s.SAXCE] > 0.0 else 0.0
