"""Rows of flat patches: friction inside a patch in a copy of its island, behind all contacts.

A patch has one row for each cell of its area (patch_area.py), without a normal force and with
friction of at most the sum of the cell's grains.  Friction moves from the corners to the rows with
the same force and moment, and back after the solve.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.patches.patch_area import (
    EXTENT,
    FIRST,
    GRAIN0,
    LAST,
    OF_CELL,
    R_SPIN,
    R_U,
    R_W,
    ROW0,
    ROW1,
    RUB,
    SOLVED,
    SPREAD,
    TO_SPIN,
    TO_U,
    TO_W,
    X,
    Y,
    Z,
    cell_friction,
    offset,
    rigid_slip,
    set_directions,
    spread_pressure,
)
from mechstudio.engine.contacts.cone.problem import (
    ARM_A,
    ARM_B,
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
    ROLL,
    SPIN,
    WIDTH,
    U,
    W,
    inward,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel

SURELY = 4.0  # slip over its largest change by friction in a step, from which it surely continues
SLOW = 10.0  # tolerances: slip below which its direction is undefined
HELD_FASTER = 100.0  # tolerances: least speed of a spin


@kernel
def right_side_of(P, S, n):
    """Set the right side of the rows of patch n, as a rigid slip, from those of its corners.

    If only some corners have the mean slip of the step (surface_motion.py) and others that of its
    end, there is no rigid slip, and if friction may stop some there is no mean: then all take the
    slip at the end.
    """
    I, A, F, r = P.patches, P.places, P.frame, P.r
    i, j = I[n, FIRST], I[n, LAST]
    means, corners, pressed, surely = 0, 0, 0.0, True
    for k in range(i, j):
        pressed += P.gamma[k, 0]
    for k in range(i, j):
        if S.shared[k] == 0:
            continue
        corners += 1
        if S.bends[k, s.SMOOTH] > 0.0 and (
            r[k, 1] != S.foreseen[k, 1] + S.bends[k, s.BENT + 1]
            or r[k, 2] != S.foreseen[k, 2] + S.bends[k, s.BENT + 2]
        ):
            means += 1
        most = SURELY * P.cone[k, MU] * pressed * P.scale[k]
        surely = surely and math.hypot(S.approach[k, 1], S.approach[k, 2]) > most
    if means > 0 and (means < corners or not surely):
        for k in range(i, j):
            r[k, 1] = S.foreseen[k, 1] + S.bends[k, s.BENT + 1]
            r[k, 2] = S.foreseen[k, 2] + S.bends[k, s.BENT + 2]
    A[n, R_U], A[n, R_W], A[n, R_SPIN] = rigid_slip(F, r, S.shared, 1, i, j, A[n, X], A[n, Y])


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
            u, w = P.gamma[row, 1], P.gamma[row, 2]
            copy_row(P, P.patches[n, FIRST], row)
            P.cone[row, SPIN] = P.cone[row, ROLL] = 0.0
            P.soft[row, 0] = P.soft[row, 1] = 0.0
            for c in range(P.size[WIDTH]):
                P.r[row, c] = P.gamma[row, c] = 0.0
            if P.patches[n, SOLVED] == 1:
                P.gamma[row, 1], P.gamma[row, 2] = u, w


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
    """Directions of friction of patch n <- those of a slip of its middle and a spin; if these are
    below `slow` [m/s], those of its motion without friction, or else of a spin.
    """
    A, e = P.places, P.places[n, EXTENT]
    if not math.hypot(u, w) + e * abs(spin) > slow:
        u, w, spin = A[n, R_U], A[n, R_W], A[n, R_SPIN]
        if not math.hypot(u, w) + e * abs(spin) > slow:
            u, w, spin = 0.0, 0.0, 1.0
    A[n, TO_U], A[n, TO_W], A[n, TO_SPIN] = u, w, spin
    set_directions(P, n)


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
        # the largest negative number: rows of a patch are recognised by the sign
        P.cone[row, MU] = -max(most, 1e-300) if I[n, SPREAD] == 1 else -1e-300
        for c in range(3):
            d = (A[n, X] + x) * F[i, U + c] + (A[n, Y] + y) * F[i, W + c] + A[n, Z] * F[i, c]
            F[row, ARM_A + c], F[row, ARM_B + c] = F[i, ARM_A + c] + d, F[i, ARM_B + c] + d
        P.r[row, 1] = A[n, R_U] - A[n, R_SPIN] * y
        P.r[row, 2] = A[n, R_W] + A[n, R_SPIN] * x


@kernel
def row_place(P, n, row):
    """Place of the friction of a contact or row of patch n from the middle."""
    F, i = P.frame, P.patches[n, FIRST]
    u, w = inward(F, row)
    return offset(F, i, row, U) - P.places[n, X] + w, offset(F, i, row, W) - P.places[n, Y] - u


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
    """Normal impulse of a contact, or the friction limit of a bounded row."""
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
def move_friction(P, n, shift, spread):
    """Move the friction of patch n from its corners to its rows, or back where spread is 0."""
    I = P.patches
    i, j, k, m = I[n, FIRST] + shift, I[n, LAST] + shift, I[n, ROW0], I[n, ROW1]
    if spread == 0:
        i, j, k, m = k, m, i, j
    u, w, moment = friction_of(P, n, i, j)
    for row in range(i, j):
        P.gamma[row, 1] = P.gamma[row, 2] = 0.0
    share_friction(P, n, k, m, spread == 1, u, w, moment)


@kernel
def begin_patches(P, island, S, base):
    """Fill the copy of an island with its patches, from the impulses in gamma."""
    I, A, slow = P.patches, P.places, HELD_FASTER * S.settings[s.TOLERANCE]
    for n in range(P.size[PATCHES]):
        right_side_of(P, S, n)
    copy_island(P, island, base)
    shift = base - P.islands[island, I_FIRST]
    for n in range(P.size[PATCHES]):
        i, j = I[n, FIRST], I[n, LAST]
        u, w, spin = rigid_slip(P.frame, S.approach, S.shared, 1, i, j, A[n, X], A[n, Y])
        point_patch(P, n, u, w, spin, slow)
        inside = I[n, SOLVED] == 1 and I[n, SPREAD] == 1
        I[n, SPREAD] = 1 if spread_pressure(P, n, shift) else 0
        place_rows(P, n, shift)
        if I[n, SPREAD] == 1 and not inside:
            move_friction(P, n, shift, 1)
        if inside:
            first, last = I[n, ROW0], I[n, ROW1]
            if I[n, SPREAD] == 1:
                first, last = i + shift, j + shift
            for k in range(first, last):
                P.gamma[k, 1] = P.gamma[k, 2] = 0.0


@kernel
def follow_patches(P, S, shift, loose):
    """Update pressure and rows of all patches from the impulses of a pass; loose: the places of
    their friction too.
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
            spread = 1 if fits else 0
            if spread != I[n, SPREAD]:
                move_friction(P, n, shift, spread)
            I[n, SPREAD] = spread
        place_rows(P, n, shift)


@kernel
def end_patches(P, island, base):
    """Set the impulses of an island from those of its copy: the friction of patches is distributed
    to their corners in proportion to their load.
    """
    I, first = P.patches, P.islands[island, I_FIRST]
    for i in range(first, P.islands[island, I_LAST]):
        for c in range(P.size[WIDTH]):
            P.gamma[i, c] = P.gamma[base + i - first, c]
    for n in range(P.size[PATCHES]):
        u, w, moment = friction_of(P, n, I[n, ROW0], I[n, ROW1])
        share_friction(P, n, I[n, FIRST], I[n, LAST], False, u, w, moment)
        I[n, SOLVED] = 1
