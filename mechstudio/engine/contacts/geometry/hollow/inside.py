"""Points inside closed meshes, and the nearest place of the surface."""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.hollow.triangle_places import (
    load_triangle,
    next_leaf,
    region_of,
)
from mechstudio.engine.contacts.geometry.shapes import NODE0, TRIANGLE0, TRIANGLES
from mechstudio.engine.contacts.geometry.vectors import local


@kernel
def crosses(T, t, y, z):
    """True if the line through (y, z) along x crosses triangle t; of triangles side by side exactly
    one, also on their common edge.
    """
    odd = False
    for k in range(3):
        a, b = T.triangles[t, k], T.triangles[t, (k + 1) % 3]
        # the same arithmetic from both sides of an edge
        if a > b:
            a, b = b, a
        ya, za, yb, zb = T.vertices[a, 1], T.vertices[a, 2], T.vertices[b, 1], T.vertices[b, 2]
        if (za > z) != (zb > z) and y < ya + (yb - ya) * (z - za) / (zb - za):
            odd = not odd
    return odd


@kernel
def inside(T, X, j, x, y, z, R):
    """True if a point of W lies inside the closed mesh j: how often a ray along its x crosses the
    surface is odd.
    """
    x, y, z = local(X, j, x, y, z)
    n, odd = T.ints[j, NODE0], False
    for k in range(3):
        c = x if k == 0 else y if k == 1 else z
        if c < T.nodes[n, k] or c > T.nodes[n, 3 + k]:
            return False
    R[20], R[21], R[22], R[23], R[24], R[25] = x, y, z, T.nodes[n, 3], y, z
    node = next_leaf(T, j, 0, R)
    while node >= 0:
        leaf = n + node
        for k in range(T.tree[leaf, 2]):
            t = T.ints[j, TRIANGLE0] + T.tree[leaf, 1] + k
            if crosses(T, t, y, z):
                # n.p = d at the crossing: it lies ahead where the point is behind the plane, seen
                # along x
                S = T.surroundings
                height = S[t, 0] * x + S[t, 1] * y + S[t, 2] * z - S[t, 3]
                if height * S[t, 0] < 0.0:
                    odd = not odd
        node = next_leaf(T, j, node + 1, R)
    return odd


@kernel
def nearest_of_mesh(T, X, j, x, y, z, R):
    """(distance, place in W, triangle) of the nearest place on mesh j; that triangle stands in
    R[0:12].
    """
    best, px, py, pz, at = 1e300, x, y, z, T.ints[j, TRIANGLE0]
    for t in range(at, at + T.ints[j, TRIANGLES]):
        load_triangle(T, X, j, t, R)
        a, b, c, _ = region_of(R, x, y, z)
        d = (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2
        if d < best:
            best, px, py, pz, at = d, a, b, c, t
    load_triangle(T, X, j, at, R)
    return math.sqrt(best), px, py, pz, at
