"""Vectors by their components, and rows of placed shapes: origin in columns 0 to 2, rotation matrix
by rows in columns 3 to 11, both in W.
"""

import math

from mechstudio.engine.contacts.contact_kernels import INLINED, kernel


@kernel(options=INLINED)
def cross(ax, ay, az, bx, by, bz):
    """Cross product a × b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel(options=INLINED)
def dot(ax, ay, az, bx, by, bz):
    """Scalar product a · b."""
    return ax * bx + ay * by + az * bz


@kernel(options=INLINED)
def outward(X, i, x, y, z):
    """A vector of shape i in W."""
    return (
        X[i, 3] * x + X[i, 4] * y + X[i, 5] * z,
        X[i, 6] * x + X[i, 7] * y + X[i, 8] * z,
        X[i, 9] * x + X[i, 10] * y + X[i, 11] * z,
    )


@kernel(options=INLINED)
def inward(X, i, x, y, z):
    """A vector of W in the axes of shape i."""
    return (
        X[i, 3] * x + X[i, 6] * y + X[i, 9] * z,
        X[i, 4] * x + X[i, 7] * y + X[i, 10] * z,
        X[i, 5] * x + X[i, 8] * y + X[i, 11] * z,
    )


@kernel(options=INLINED)
def local(X, i, x, y, z):
    """A point of W in the axes of shape i."""
    return inward(X, i, x - X[i, 0], y - X[i, 1], z - X[i, 2])


@kernel(options=INLINED)
def tangents(nx, ny, nz):
    """Two unit vectors u, w with u x w = n, without a jump in the neighbourhood of most n (Duff et
    al. 2017).
    """
    s = 1.0 if nz >= 0.0 else -1.0
    a = -1.0 / (s + nz)
    b = nx * ny * a
    return 1.0 + s * nx * nx * a, s * b, -s * nx, b, s + ny * ny * a, -ny


@kernel(options=INLINED)
def put(out, feature, count, key, gap, px, py, pz, nx, ny, nz):
    """Write a contact into the scratch of one pair: gap, point, normal from the first to the second
    shape.  Returns the new count.
    """
    if count >= out.shape[0]:
        return count
    out[count, 0] = gap
    out[count, 1], out[count, 2], out[count, 3] = px, py, pz
    out[count, 4], out[count, 5], out[count, 6] = nx, ny, nz
    feature[count] = key
    return count + 1


@kernel(options=INLINED)
def length(x, y, z):
    """Length of a vector."""
    return math.sqrt(x * x + y * y + z * z)
