"""Shapes that glide past each other: no contact of what stays apart throughout a step.

A box that slides from one plate onto the next one, flush with it, has sunk into the first by
rounding and would strike the edge of the second.  But along the normal of the plates both stay
apart for the whole step, to the same accuracy: along whatever other direction they close, they do
not touch.
"""

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.gjk import flat_side, support
from mechstudio.engine.contacts.geometry.fast import copy_placement, move
from mechstudio.engine.contacts.geometry.shapes import (
    BOUND,
    BOX,
    CAPSULE,
    ELLIPSOID,
    FACES,
    HULL,
    KIND,
    MESH,
    NODE0,
    SPHERE,
)
from mechstudio.engine.contacts.geometry.vectors import dot, inward, outward
from mechstudio.engine.contacts.geometry.work import MOTION, SPIN

GRAZES = 1e-5  # of the smaller shape: depth up to which sides that face each other are apart
THIN = 0.02  # of the thickness of a sheet: the same
TURN = 0.1  # angle in a step from which nothing counts as gliding
ACROSS = 0.5  # cosine of such a side to the normal of a contact, from which it is another direction


@kernel
def sides_of(T, s):
    """Number of the flat sides of a convex shape, none of others."""
    kind = T.ints[s, KIND]
    if kind == BOX:
        return 6
    if kind == HULL:
        return T.ints[s, FACES]
    return 0 if kind == SPHERE or kind == CAPSULE or kind == ELLIPSOID or kind >= MESH else 2


@kernel
def side_of(T, s, k):
    """(normal in the axes of the shape, distance from its origin [m]) of flat side k of shape s."""
    kind = T.ints[s, KIND]
    if kind == BOX or kind == HULL:
        return flat_side(T, s, kind, k)
    # the ends of a solid of revolution
    return 0.0, 0.0, 1.0 if k == 0 else -1.0, T.numbers[s, 2]


@kernel
def reach_along(T, W, s, nx, ny, nz):
    """The largest coordinate of shape s along n, from the origin of W [m]; of a mesh, no less."""
    X = W.placed
    if T.ints[s, KIND] < MESH:
        x, y, z = support(T, W, s, nx, ny, nz)
        return dot(nx, ny, nz, x, y, z)
    dx, dy, dz = inward(X, s, nx, ny, nz)
    N, n, most = T.nodes, T.ints[s, NODE0], dot(nx, ny, nz, X[s, 0], X[s, 1], X[s, 2])
    most += max(dx * N[n, 0], dx * N[n, 3]) + max(dy * N[n, 1], dy * N[n, 4])
    return most + max(dz * N[n, 2], dz * N[n, 5])


@kernel
def apart_along(T, W, s, other, k):
    """(distance of the other shape beyond flat side k of shape s [m], the side's normal in W)."""
    X = W.placed
    x, y, z, offset = side_of(T, s, k)
    nx, ny, nz = outward(X, s, x, y, z)
    side = offset + dot(nx, ny, nz, X[s, 0], X[s, 1], X[s, 2])
    return -reach_along(T, W, other, -nx, -ny, -nz) - side, nx, ny, nz


@kernel
def thickness(T, W, s, nx, ny, nz):
    """Extent of shape s along n [m]."""
    return reach_along(T, W, s, nx, ny, nz) + reach_along(T, W, s, -nx, -ny, -nz)


@kernel
def stays_apart(T, W, i, j, s, other, k, least):
    """True if the other shape stays beyond flat side k of shape s from now to the end of the step,
    but for `least` [m], a negative number, or THIN of the thinner one.
    """
    X = W.placed
    apart, nx, ny, nz = apart_along(T, W, s, other, k)
    if apart < least:
        return False
    thin = min(thickness(T, W, s, nx, ny, nz), thickness(T, W, other, nx, ny, nz))
    least = max(least, -THIN * thin)
    here, there = T.ints.shape[0], T.ints.shape[0] + 1
    copy_placement(X, i, j, here, there)
    move(X, i, here, 1.0)
    move(X, j, there, 1.0)
    apart = min(apart, apart_along(T, W, s, other, k)[0])
    copy_placement(X, here, there, i, j)
    return apart >= least


@kernel
def turns_far(X, s):
    """True if shape s turns so far in a step that its corners are elsewhere in between."""
    x, y, z = X[s, SPIN], X[s, SPIN + 1], X[s, SPIN + 2]
    return dot(x, y, z, x, y, z) > TURN * TURN


@kernel
def without(W, count, nx, ny, nz):
    """Leave out the contacts, of the first `count` in W.out, across the direction n: their number
    then.
    """
    out, kept = W.out, 0
    for c in range(count):
        if abs(dot(nx, ny, nz, out[c, 4], out[c, 5], out[c, 6])) < ACROSS:
            continue
        W.feature[kept] = W.feature[c]
        for r in range(7):
            out[kept, r] = out[c, r]
        kept += 1
    return kept


@kernel
def gliding_pair(T, W, i, j, found):
    """Number of the `found` contacts of shapes i and j in W.out that are left, the first ones,
    without those of another direction than a flat side along whose normal both stay apart until
    the end of the step.
    """
    X, out, count = W.placed, W.out, int(found)
    least = -GRAZES * min(T.numbers[i, BOUND], T.numbers[j, BOUND])
    motion = X[i, MOTION] + X[j, MOTION]
    if turns_far(X, i) or turns_far(X, j):
        return count
    first, last = 0, count
    if T.ints[j, KIND] < MESH:
        # contacts of two convex shapes have one normal: the nearest one decides
        for c in range(count):
            if out[c, 0] < out[first, 0]:
                first = c
        last = first + 1
    for end in range(2):
        s, other, sign = (i, j, 1.0) if end == 0 else (j, i, -1.0)
        sides = sides_of(T, s)
        for c in range(first, last):
            gap = out[c, 0]
            if sides == 0 or gap < least or gap > motion:
                continue
            px, py, pz = inward(X, s, out[c, 1] - X[s, 0], out[c, 2] - X[s, 1], out[c, 3] - X[s, 2])
            nx, ny, nz = inward(X, s, sign * out[c, 4], sign * out[c, 5], sign * out[c, 6])
            for k in range(sides):
                x, y, z, offset = side_of(T, s, k)
                across = dot(x, y, z, nx, ny, nz)
                # the place on the other shape bounds how far it may lie beyond the side
                high = dot(x, y, z, px, py, pz) + 0.5 * gap * across - offset
                beside = abs(across) < ACROSS and high >= least
                if beside and stays_apart(T, W, i, j, s, other, k, least):
                    x, y, z = outward(X, s, x, y, z)
                    return without(W, count, x, y, z)
    return count
