"""Friction inside the patches of piles: each contact keeps its cone, with its friction at a place
inside the patch.

The area is cut about its middle into one sector for each contact, which bears as much of the
pressure as the contact's normal impulse.  The friction of a sector is one force, where it equals
those of its grains at the slip, and its coefficient is their sum over the normal impulse.  The slip
is that at the beginning of the step; of a patch that sticks it is the one with which it would give
way under its present friction.  Rows and iterations are therefore those of friction at the corners.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.patches.patch_area import (
    DEEP,
    EXTENT,
    FIRST,
    G_AREA,
    G_MOST,
    G_U,
    G_W,
    G_X,
    G_Y,
    GRAIN0,
    GRAIN1,
    LAST,
    R_SPIN,
    R_U,
    R_W,
    RUB,
    SPREAD,
    TO_SPIN,
    TO_U,
    TO_W,
    X,
    Y,
    friction_place,
    rigid_slip,
    spin_limit,
    spread_pressure,
)
from mechstudio.engine.contacts.cone.patches.patch_rows import (
    HELD_FASTER,
    friction_of,
    point_patch,
    right_side_of,
    row_place,
    share_friction,
)
from mechstudio.engine.contacts.cone.problem import INWARD, MU, PATCHES, U, W
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel

S_CONTACT, S_LOAD, S_ANGLE = range(3)  # of P.corners: contacts of a patch in order
LEAST = 1e-3  # of the mean load of a patch's contacts: least load of one


@kernel(options=INLINED)
def turn_order(x, y):
    """Number from -2 to 2 in the order of the angle of (x, y), at less cost."""
    far = abs(x) + abs(y)
    part = y / far if far > 0.0 else 0.0
    return part if x >= 0.0 else (2.0 if y >= 0.0 else -2.0) - part


@kernel
def order_corners(P, n):
    """P.corners <- the contacts of patch n by their angle about its middle, with their loads, of
    which none is zero.  Returns the sum of the loads.
    """
    I, C, total = P.patches, P.corners, 0.0
    i, count = I[n, FIRST], I[n, LAST] - I[n, FIRST]
    for k in range(count):
        total += P.gamma[i + k, 0]
    least = LEAST * total / count if total > 0.0 else 1.0
    total = 0.0
    for k in range(count):
        x, y = row_place(P, n, i + k)
        angle, load, at = turn_order(x, y), max(P.gamma[i + k, 0], least), k
        total += load
        while at > 0 and C[at - 1, S_ANGLE] > angle:
            for c in range(3):
                C[at, c] = C[at - 1, c]
            at -= 1
        C[at, S_CONTACT], C[at, S_LOAD], C[at, S_ANGLE] = float(i + k), load, angle
    return total


@kernel
def slice_angle(P, grain):
    """turn_order of the slice of grains that begins at `grain`."""
    return turn_order(P.grains[grain + DEEP - 1, G_X], P.grains[grain + DEEP - 1, G_Y])


@kernel
def slice_load(P, grain, column):
    """Sum of a column over the slice of grains that begins at `grain`."""
    total = 0.0
    for k in range(grain, grain + DEEP):
        total += P.grains[k, column]
    return total


@kernel
def tie_sectors(P, n):
    """Places and coefficients of the friction of the contacts of patch n, its pressure spread."""
    I, A, G, C, F = P.patches, P.places, P.grains, P.corners, P.frame
    first, last, count = I[n, GRAIN0], I[n, GRAIN1], I[n, LAST] - I[n, FIRST]
    slices, loads = (last - first) // DEEP, order_corners(P, n)
    column, total = G_MOST, 0.0
    for k in range(first, last):
        total += G[k, G_MOST]
    if not total > 0.0:
        column = G_AREA
        for k in range(first, last):
            total += G[k, G_AREA]
    begin, lowest = 0, math.inf
    for k in range(slices):
        angle = slice_angle(P, first + DEEP * k)
        if angle < lowest:
            begin, lowest = k, angle
    # sectors begin where contacts lie as near as possible to their middles
    start = passed = below = 0.0
    at = 0
    for k in range(count):
        while at < slices:
            grain = first + DEEP * ((begin + at) % slices)
            if slice_angle(P, grain) > C[k, S_ANGLE]:
                break
            below += slice_load(P, grain, column)
            at += 1
        part = C[k, S_LOAD] / loads
        start += part * (below - (passed + 0.5 * part) * total)
        passed += part
    if start < 0.0:
        start += total
    at, left, whole = begin, 0.0, 0.0
    for k in range(slices):
        whole = slice_load(P, first + DEEP * at, column)
        left = whole - start
        if left > 0.0 or k == slices - 1:
            break
        start -= whole
        at = (at + 1) % slices
    left = max(left, 0.0)
    for k in range(count):
        needed = C[k, S_LOAD] / loads * total
        fu = fw = moment = weight = cx = cy = square = 0.0
        for _ in range(slices + 1):
            part = min(needed, left) / whole if whole > 0.0 else 0.0
            if part > 0.0:
                grain = first + DEEP * at
                for e in range(grain, grain + DEEP):
                    x, y, most = G[e, G_X], G[e, G_Y], part * G[e, column]
                    a, b = most * G[e, G_U], most * G[e, G_W]
                    fu, fw, moment = fu + a, fw + b, moment + x * b - y * a
                    weight, cx, cy = weight + most, cx + most * x, cy + most * y
                    square += most * (x * x + y * y)
            if needed <= left:
                left -= needed
                break
            needed -= left
            at = (at + 1) % slices
            left = whole = slice_load(P, first + DEEP * at, column)
        if not weight > 0.0:
            continue
        x, y, force = friction_place(A, n, fu, fw, moment, weight, cx, cy, square)
        i = int(C[k, S_CONTACT])
        p, q = row_place(P, n, i)
        for c in range(3):
            F[i, INWARD + c] = (x - p) * F[i, W + c] - (y - q) * F[i, U + c]
        P.cone[i, MU] = A[n, RUB] * force / weight
        P.r[i, 1], P.r[i, 2] = A[n, R_U] - A[n, R_SPIN] * y, A[n, R_W] + A[n, R_SPIN] * x


@kernel
def yielding(P, n):
    """(slip of the middle, spin) in whose direction patch n would give way under the friction that
    its contacts have: of the ellipsoid through the limits of its force and moment.
    """
    I, A = P.patches, P.places
    i, j, total, x, y = I[n, FIRST], I[n, LAST], 0.0, 0.0, 0.0
    for k in range(i, j):
        a, b = row_place(P, n, k)
        total, x, y = total + P.gamma[k, 0], x + P.gamma[k, 0] * a, y + P.gamma[k, 0] * b
    limit = spin_limit(P, n) if I[n, SPREAD] == 1 else 0.0
    if not total > 0.0 or not limit > 0.0:
        return 0.0, 0.0, 0.0
    u, w, moment = friction_of(P, n, i, j)
    x, y, most = x / total, y / total, A[n, RUB] * total
    # about the middle of the pressure
    spin = -(moment - x * w + y * u) * most / limit
    u, w = -u * limit / most, -w * limit / most
    return u + spin * y, w - spin * x, spin


@kernel
def place_friction(P, n, u, w, moment):
    """Set the friction of the contacts of patch n where it acts inside: a share of all that they
    bear in the patch's directions, and the rest of a force and a moment as a rigid field.
    """
    I, A, g = P.patches, P.places, P.gamma
    i, j, to_u, to_w, turn = I[n, FIRST], I[n, LAST], A[n, TO_U], A[n, TO_W], A[n, TO_SPIN]
    most = 0.0
    for k in range(i, j):
        x, y = row_place(P, n, k)
        most += P.cone[k, MU] * g[k, 0] * math.hypot(to_u - turn * y, to_w + turn * x)
    part = (u * to_u + w * to_w + moment * turn) / most if most > 0.0 else 0.0
    for k in range(i, j):
        x, y = row_place(P, n, k)
        a, b = to_u - turn * y, to_w + turn * x
        speed = math.hypot(a, b)
        force = part * P.cone[k, MU] * g[k, 0] / speed if speed > 0.0 else 0.0
        g[k, 1], g[k, 2] = force * a, force * b
        u, w, moment = u - g[k, 1], w - g[k, 2], moment - (x * g[k, 2] - y * g[k, 1])
    share_friction(P, n, i, j, False, u, w, moment)


@kernel
def tie_patches(P, S, shift):
    """Let the friction of all patches act inside.  shift: from contacts to their copies, in which r
    is stored.
    """
    I, A, slow = P.patches, P.places, HELD_FASTER * S.settings[s.TOLERANCE]
    for n in range(P.size[PATCHES]):
        right_side_of(P, S, n)
        i, j = I[n, FIRST], I[n, LAST]
        I[n, SPREAD] = 1 if spread_pressure(P, n, 0) else 0
        u, w, spin = rigid_slip(P.frame, S.approach, S.shared, 1, i, j, A[n, X], A[n, Y])
        if not math.hypot(u, w) + A[n, EXTENT] * abs(spin) > slow:
            u, w, spin = yielding(P, n)
        point_patch(P, n, u, w, spin, 0.0)
        for k in range(i, j):
            for c in range(1, 3):
                P.r[k + shift, c] = P.r[k, c]
        if I[n, SPREAD] == 1:
            u, w, moment = friction_of(P, n, i, j)
            tie_sectors(P, n)
            place_friction(P, n, u, w, moment)


@kernel
def untie_patches(P, shift):
    """Give the friction inside patches to their contacts, with the same force and moment."""
    I, A, F = P.patches, P.places, P.frame
    for n in range(P.size[PATCHES]):
        i, j = I[n, FIRST], I[n, LAST]
        u, w, moment = friction_of(P, n, i, j)
        for k in range(i, j):
            P.cone[k, MU] = A[n, RUB]
            for c in range(3):
                F[k, INWARD + c] = 0.0
            for c in range(1, 3):
                P.r[k, c] = P.r[k + shift, c]
                if I[n, SPREAD] == 1:
                    P.gamma[k, c] = 0.0
        if I[n, SPREAD] == 1:
            share_friction(P, n, i, j, False, u, w, moment)
