"""Shapes that glide past each other: no contact of what stays apart throughout a step.

A box that slides from one plate onto the next one, flush with it, has sunk into the first by
rounding and would strike the edge of the second.  But along the normal of the plates both stay
apart for the whole step, to the same accuracy: along whatever other direction they close, they do
not touch.
"""

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.gjk import flat_side, support
from mechstudio.engine.contacts.geometry.fast import move
from mechstudio.engine.contacts.geometry.shapes import (
    BOUND,
    BOX,
    CAPSULE,
    ELLIPSOID,
    FACES,
    HULL,
    KIND,
    SPHERE,
)
from mechstudio.engine.contacts.geometry.vectors import dot, inward, outward
from mechstudio.engine.contacts.geometry.work import MOTION

GRAZES = 1e-5  # of the smaller shape: depth up to which sides that face each other are apart
ACROSS = 0.5  # cosine of such a side to the normal of a contact, from which it is another direction


@kernel
def sides_of(T, s):
    """Number of the flat sides of a convex shape."""
    kind = T.ints[s, KIND]
    if kind == BOX:
        return 6
    if kind == HULL:
        return T.ints[s, FACES]
    return 0 if kind == SPHERE or kind == CAPSULE or kind == ELLIPSOID else 2


@kernel
def side_of(T, s, k):
    """(normal in the axes of the shape, distance from its origin [m]) of flat side k of shape s."""
    kind = T.ints[s, KIND]
    if kind == BOX or kind == HULL:
        return flat_side(T, s, kind, k)
    # the ends of a solid of revolution
    return 0.0, 0.0, 1.0 if k == 0 else -1.0, T.numbers[s, 2]


@kernel
def apart_along(T, W, s, other, k):
    """Distance of the other shape beyond flat side k of shape s [m]."""
    X = W.placed
    x, y, z, offset = side_of(T, s, k)
    nx, ny, nz = outward(X, s, x, y, z)
    px, py, pz = support(T, W, other, -nx, -ny, -nz)
    return dot(nx, ny, nz, px - X[s, 0], py - X[s, 1], pz - X[s, 2]) - offset


@kernel
def gliding_pair(T, W, i, j, found):
    """1 if shapes i and j, whose `found` contacts stand in W.out, stay apart along the normal of a
    flat side until the end of the step, else 0.
    """
    X, out, row = W.placed, W.out, 0
    least = -GRAZES * min(T.numbers[i, BOUND], T.numbers[j, BOUND])
    for c in range(int(found)):
        if out[c, 0] < out[row, 0]:
            row = c
    gap = out[row, 0]
    if gap < least or gap > X[i, MOTION] + X[j, MOTION]:
        return 0
    here, there = T.ints.shape[0], T.ints.shape[0] + 1
    for end in range(2):
        s, other, sign = (i, j, 1.0) if end == 0 else (j, i, -1.0)
        # the contact's place and normal in the axes of the shape
        px, py, pz = inward(
            X, s, out[row, 1] - X[s, 0], out[row, 2] - X[s, 1], out[row, 3] - X[s, 2]
        )
        nx, ny, nz = inward(X, s, sign * out[row, 4], sign * out[row, 5], sign * out[row, 6])
        for k in range(sides_of(T, s)):
            x, y, z, offset = side_of(T, s, k)
            across = dot(x, y, z, nx, ny, nz)
            # the place on the other shape bounds how far it may lie beyond the side
            high = dot(x, y, z, px, py, pz) + 0.5 * gap * across - offset
            if abs(across) > ACROSS or high < least or apart_along(T, W, s, other, k) < least:
                continue
            for c in range(X.shape[1]):
                X[here, c], X[there, c] = X[i, c], X[j, c]
            move(X, i, here, 1.0)
            move(X, j, there, 1.0)
            stay = apart_along(T, W, s, other, k) >= least
            for c in range(X.shape[1]):
                X[i, c], X[j, c] = X[here, c], X[there, c]
            if stay:
                return 1
    return 0
