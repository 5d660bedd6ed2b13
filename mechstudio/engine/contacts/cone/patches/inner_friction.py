"""Friction inside the patches of piles: each contact keeps its cone, with its friction at a place
inside the patch.

The area is cut about its middle into one sector for each contact, which bears as much of the
pressure as the contact's normal impulse.  The friction of a sector is one force, where it equals
those of its grains at the present slip, and its coefficient is their sum over the normal impulse.
Rows and iterations are therefore those of friction at the corners.
"""

import math

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.cone.patches.patch_area import (
    DEEP,
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
    SOLVED,
    SPREAD,
    X,
    Y,
    friction_place,
    rigid_slip,
    spread_pressure,
)
from mechstudio.engine.contacts.cone.patches.patch_rows import (
    HELD_FASTER,
    point_patch,
    right_side_of,
    row_place,
    share_friction,
)
from mechstudio.engine.contacts.cone.problem import INWARD, MU, PATCHES, U, W
from mechstudio.engine.contacts.contact_kernels import kernel

S_CONTACT, S_LOAD, S_ANGLE = range(3)  # of P.corners: contacts of a patch in order
LEAST = 1e-3  # of the mean load of a patch's contacts: least load of one


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
        angle, load, at = math.atan2(y, x), max(P.gamma[i + k, 0], least), k
        total += load
        while at > 0 and C[at - 1, S_ANGLE] > angle:
            for c in range(3):
                C[at, c] = C[at - 1, c]
            at -= 1
        C[at, S_CONTACT], C[at, S_LOAD], C[at, S_ANGLE] = float(i + k), load, angle
    return total


@kernel
def slice_angle(P, grain):
    """Angle of the slice of grains that begins at `grain`."""
    return math.atan2(P.grains[grain + DEEP - 1, G_Y], P.grains[grain + DEEP - 1, G_X])


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
        wanted = C[k, S_LOAD] / loads * total
        fu = fw = moment = weight = cx = cy = square = 0.0
        for _ in range(slices + 1):
            part = min(wanted, left) / whole if whole > 0.0 else 0.0
            if part > 0.0:
                grain = first + DEEP * at
                for e in range(grain, grain + DEEP):
                    x, y, most = G[e, G_X], G[e, G_Y], part * G[e, column]
                    a, b = most * G[e, G_U], most * G[e, G_W]
                    fu, fw, moment = fu + a, fw + b, moment + x * b - y * a
                    weight, cx, cy = weight + most, cx + most * x, cy + most * y
                    square += most * (x * x + y * y)
            if wanted <= left:
                left -= wanted
                break
            wanted -= left
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
def tie_patches(P, S, shift):
    """Let the friction of all patches act inside.  shift: from contacts to their copies, in which r
    is stored, and the friction inside of a solve before.
    """
    I, A, slow = P.patches, P.places, HELD_FASTER * S.settings[s.TOLERANCE]
    for n in range(P.size[PATCHES]):
        right_side_of(P, S, n)
        i, j = I[n, FIRST], I[n, LAST]
        u, w, spin = rigid_slip(P.frame, S.approach, i, j, A[n, X], A[n, Y])
        point_patch(P, n, u, w, spin, slow)
        for k in range(i, j):
            for c in range(1, 3):
                P.r[k + shift, c] = P.r[k, c]
                if I[n, SOLVED] == 1:
                    P.gamma[k, c] = P.gamma[k + shift, c]
        I[n, SPREAD] = 1 if spread_pressure(P, n, 0) else 0
        if I[n, SPREAD] == 1:
            tie_sectors(P, n)


@kernel
def untie_patches(P, shift, solved):
    """Give the friction inside patches to their contacts, with the same force and moment."""
    I, A, F = P.patches, P.places, P.frame
    for n in range(P.size[PATCHES]):
        i, j, u, w, moment = I[n, FIRST], I[n, LAST], 0.0, 0.0, 0.0
        for k in range(i, j):
            x, y = row_place(P, n, k)
            for c in range(3):
                x += F[k, INWARD + c] * F[k, W + c]
                y -= F[k, INWARD + c] * F[k, U + c]
                F[k, INWARD + c] = 0.0
            u, w = u + P.gamma[k, 1], w + P.gamma[k, 2]
            moment += x * P.gamma[k, 2] - y * P.gamma[k, 1]
            P.cone[k, MU] = A[n, RUB]
            for c in range(1, 3):
                P.r[k, c] = P.r[k + shift, c]
                P.gamma[k + shift, c] = P.gamma[k, c]
                if I[n, SPREAD] == 1:
                    P.gamma[k, c] = 0.0
        if I[n, SPREAD] == 1:
            share_friction(P, n, i, j, False, u, w, moment)
        I[n, SOLVED] = 1 if solved else 0
