"""Spheres and capsules with each other, and everything with planes: closed forms.

A kernel for a pair of kinds, here and in the other modules of pairs, is (T, W, i, j, reach) ->
count; i, j: the shapes, kind of i <= kind of j.
It writes the contacts closer than reach [m] into W.out and W.feature (vectors.put), the normal from
i to j; none if they are farther apart.
X: placed shapes (vectors.py), size: the numbers of shapes.py.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.shapes import OUTER, VERTEX0
from mechstudio.engine.contacts.geometry.vectors import cross, dot, inward, outward, put

_TINY = 1e-150
# fixed points on a rim, so that a disc at rest has fixed contacts
RIM = 4
_RIM_X, _RIM_Y = (1.0, 0.0, -1.0, 0.0), (0.0, 1.0, 0.0, -1.0)


@kernel
def balls(ax, ay, az, ra, bx, by, bz, rb, key, reach, out, feature, count):
    """Two balls; where the centres coincide, the normal is z."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    d = math.sqrt(dx * dx + dy * dy + dz * dz)
    gap = d - ra - rb
    if gap > reach:
        return count
    if d < _TINY:
        nx, ny, nz = 0.0, 0.0, 1.0
    else:
        nx, ny, nz = dx / d, dy / d, dz / d
    s = ra + 0.5 * gap
    return put(out, feature, count, key, gap, ax + s * nx, ay + s * ny, az + s * nz, nx, ny, nz)


@kernel
def sphere_sphere(T, W, i, j, reach):
    """Contact of two spheres; the search has its own copy of this, without the call."""
    X, size = W.placed, T.numbers
    return balls(
        X[i, 0],
        X[i, 1],
        X[i, 2],
        size[i, 0],
        X[j, 0],
        X[j, 1],
        X[j, 2],
        size[j, 0],
        0,
        reach,
        W.out,
        W.feature,
        0,
    )


@kernel
def sphere_plane(T, W, i, j, reach):
    """Contact of sphere i and plane j, if their gap is at most `reach` [m]: number of contacts."""
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    nx, ny, nz = X[j, 5], X[j, 8], X[j, 11]
    gap = dot(nx, ny, nz, X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]) - size[i, 0]
    if gap > reach:
        return 0
    s = size[i, 0] + 0.5 * gap
    return put(
        out, feature, 0, 0, gap, X[i, 0] - s * nx, X[i, 1] - s * ny, X[i, 2] - s * nz, -nx, -ny, -nz
    )


@kernel
def point_plane(X, i, x, y, z, radius, key, reach, out, feature, count):
    """A ball about the point (x, y, z) in W on plane i, the normal from the plane to it."""
    nx, ny, nz = X[i, 5], X[i, 8], X[i, 11]
    gap = dot(nx, ny, nz, x - X[i, 0], y - X[i, 1], z - X[i, 2]) - radius
    if gap > reach:
        return count
    s = radius + 0.5 * gap
    return put(out, feature, count, key, gap, x - s * nx, y - s * ny, z - s * nz, nx, ny, nz)


@kernel
def plane_box(T, W, i, j, reach):
    """Contacts of the corners of the side that faces the plane; key: the corner's number, one bit
    per axis.
    """
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    hx, hy, hz = size[j, 0], size[j, 1], size[j, 2]
    nx, ny, nz = inward(X, j, X[i, 5], X[i, 8], X[i, 11])
    high = dot(X[i, 5], X[i, 8], X[i, 11], X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2])
    if high - abs(nx) * hx - abs(ny) * hy - abs(nz) * hz > reach:
        return 0
    count = 0
    for k in range(8):
        x = hx if k & 1 else -hx
        y = hy if k & 2 else -hy
        z = hz if k & 4 else -hz
        lift = nx * x + ny * y + nz * z
        if lift <= 0.0 and high + lift <= reach:
            wx, wy, wz = outward(X, j, x, y, z)
            count = point_plane(
                X, i, X[j, 0] + wx, X[j, 1] + wy, X[j, 2] + wz, 0.0, k, reach, out, feature, count
            )
    return count


@kernel
def plane_capsule(T, W, i, j, reach):
    """Contacts of both ends."""
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    h = size[j, 1]
    x, y, z = h * X[j, 5], h * X[j, 8], h * X[j, 11]
    count = point_plane(
        X, i, X[j, 0] - x, X[j, 1] - y, X[j, 2] - z, size[j, 0], 0, reach, out, feature, 0
    )
    if h > 0.0:
        count = point_plane(
            X, i, X[j, 0] + x, X[j, 1] + y, X[j, 2] + z, size[j, 0], 1, reach, out, feature, count
        )
    return count


@kernel
def plane_revolved(T, W, i, j, reach):
    """A cylinder, disc or cone on a plane: of each end the deepest point of its rim, and fixed
    points of a rim that lies flat.

    The deepest point is left out if a fixed one is as deep within 1e-7 radii, since it would jump
    for a body at rest.
    """
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    dx, dy, dz = inward(X, j, -X[i, 5], -X[i, 8], -X[i, 11])
    across = math.sqrt(dx * dx + dy * dy)
    ux, uy = (dx / across, dy / across) if across > 1e-12 else (1.0, 0.0)
    high = dot(X[i, 5], X[i, 8], X[i, 11], X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2])
    count = 0
    for end in range(2):
        radius, z = size[j, end], (size[j, 2] if end else -size[j, 2])
        # depth of the rim below the shape's origin along the plane's normal
        depth = radius * across + z * dz
        if high - depth > reach:
            continue
        flat = dz > 0.1 if end else dz < -0.1
        most = -1e300
        if radius > 0.0 and flat:
            for k in range(RIM):
                most = max(most, radius * (_RIM_X[k] * dx + _RIM_Y[k] * dy))
        if radius * across > most + 1e-7 * radius or radius == 0.0:
            wx, wy, wz = outward(X, j, radius * ux, radius * uy, z)
            count = point_plane(
                X,
                i,
                X[j, 0] + wx,
                X[j, 1] + wy,
                X[j, 2] + wz,
                0.0,
                8 * end + RIM,
                reach,
                out,
                feature,
                count,
            )
        if radius > 0.0 and flat:
            for k in range(RIM):
                wx, wy, wz = outward(X, j, radius * _RIM_X[k], radius * _RIM_Y[k], z)
                count = point_plane(
                    X,
                    i,
                    X[j, 0] + wx,
                    X[j, 1] + wy,
                    X[j, 2] + wz,
                    0.0,
                    8 * end + k,
                    reach,
                    out,
                    feature,
                    count,
                )
    return count


@kernel
def plane_hull(T, W, i, j, reach):
    """Contacts of the corners facing the plane, the deepest first; of a mesh those of its hull."""
    X, vertices, out, feature = W.placed, T.vertices, W.out, W.feature
    first, last = T.ints[j, VERTEX0], T.ints[j, VERTEX0] + T.ints[j, OUTER]
    nx, ny, nz = inward(X, j, X[i, 5], X[i, 8], X[i, 11])
    high = dot(X[i, 5], X[i, 8], X[i, 11], X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2])
    lowest, deepest = 1e300, first
    for k in range(first, last):
        lift = nx * vertices[k, 0] + ny * vertices[k, 1] + nz * vertices[k, 2]
        if lift < lowest:
            lowest, deepest = lift, k
    if high + lowest > reach:
        return 0
    wx, wy, wz = outward(X, j, vertices[deepest, 0], vertices[deepest, 1], vertices[deepest, 2])
    count = point_plane(
        X, i, X[j, 0] + wx, X[j, 1] + wy, X[j, 2] + wz, 0.0, deepest - first, reach, out, feature, 0
    )
    for k in range(first, last):
        lift = nx * vertices[k, 0] + ny * vertices[k, 1] + nz * vertices[k, 2]
        if k != deepest and lift <= 0.0 and high + lift <= reach:
            wx, wy, wz = outward(X, j, vertices[k, 0], vertices[k, 1], vertices[k, 2])
            count = point_plane(
                X,
                i,
                X[j, 0] + wx,
                X[j, 1] + wy,
                X[j, 2] + wz,
                0.0,
                k - first,
                reach,
                out,
                feature,
                count,
            )
    return count


@kernel
def plane_ellipsoid(T, W, i, j, reach):
    """The lowest point: where the normal of x^2/a^2 + y^2/b^2 + z^2/c^2 = 1 is opposite to the
    plane's.
    """
    X, size = W.placed, T.numbers
    dx, dy, dz = inward(X, j, -X[i, 5], -X[i, 8], -X[i, 11])
    a, b, c = size[j, 0], size[j, 1], size[j, 2]
    h = math.sqrt((a * dx) ** 2 + (b * dy) ** 2 + (c * dz) ** 2)
    wx, wy, wz = outward(X, j, a * a * dx / h, b * b * dy / h, c * c * dz / h)
    return point_plane(
        X, i, X[j, 0] + wx, X[j, 1] + wy, X[j, 2] + wz, 0.0, 0, reach, W.out, W.feature, 0
    )


@kernel
def nearest_of_segment(x, y, z, ux, uy, uz, h):
    """Position along a segment from -h u to h u that is nearest to the point (x, y, z), given from
    the segment's middle.
    """
    s = x * ux + y * uy + z * uz
    return -h if s < -h else (h if s > h else s)


@kernel
def sphere_capsule(T, W, i, j, reach):
    """Contact of sphere i and capsule j, if their gap is at most `reach` [m]: number of them."""
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    ux, uy, uz = X[j, 5], X[j, 8], X[j, 11]
    s = nearest_of_segment(
        X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2], ux, uy, uz, size[j, 1]
    )
    px, py, pz = X[j, 0] + s * ux, X[j, 1] + s * uy, X[j, 2] + s * uz
    count = balls(
        X[i, 0], X[i, 1], X[i, 2], size[i, 0], px, py, pz, size[j, 0], 0, reach, out, feature, 0
    )
    if count == 1 and (X[i, 0] - px) ** 2 + (X[i, 1] - py) ** 2 + (X[i, 2] - pz) ** 2 < _TINY:
        # the centre lies on the axis: any direction across it is equivalent
        nx, ny, nz = X[j, 3], X[j, 6], X[j, 9]
        r = size[i, 0] + 0.5 * out[0, 0]
        out[0, 1], out[0, 2], out[0, 3] = px + r * nx, py + r * ny, pz + r * nz
        out[0, 4], out[0, 5], out[0, 6] = nx, ny, nz
    return count


@kernel
def capsule_capsule(T, W, i, j, reach):
    """The nearest points of the axes (Ericson 2005, section 5.1.9); of nearly parallel ones both
    ends of their common part.
    """
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    ux, uy, uz = X[i, 5], X[i, 8], X[i, 11]
    vx, vy, vz = X[j, 5], X[j, 8], X[j, 11]
    h, k = size[i, 1], size[j, 1]
    rx, ry, rz = X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2]
    b = dot(ux, uy, uz, vx, vy, vz)
    ru, rv = dot(rx, ry, rz, ux, uy, uz), dot(rx, ry, rz, vx, vy, vz)
    wx, wy, wz = cross(ux, uy, uz, vx, vy, vz)
    sine2 = dot(wx, wy, wz, wx, wy, wz)
    s = 0.0
    if sine2 > 1e-24:
        s = (ru - b * rv) / sine2
    s = -h if s < -h else (h if s > h else s)
    t = b * s - rv
    t = -k if t < -k else (k if t > k else t)
    s = ru + b * t
    s = -h if s < -h else (h if s > h else s)
    ra, rb = size[i, 0], size[j, 0]
    ax, ay, az = X[i, 0] + s * ux, X[i, 1] + s * uy, X[i, 2] + s * uz
    bx, by, bz = X[j, 0] + t * vx, X[j, 1] + t * vy, X[j, 2] + t * vz
    count = 0
    if sine2 < 1e-3 and h > 0.0 and k > 0.0:
        # both ends of the common part of nearly parallel axes; key: the axis of the end
        half = abs(b) * k
        low, high = max(-h, ru - half), min(h, ru + half)
        if high - low > 1e-6 * (h + k):
            for end in range(2):
                p = high if end else low
                q = p * b - rv
                q = -k if q < -k else (k if q > k else q)
                own = (p == h) if end else (p == -h)
                count = balls(
                    X[i, 0] + p * ux,
                    X[i, 1] + p * uy,
                    X[i, 2] + p * uz,
                    ra,
                    X[j, 0] + q * vx,
                    X[j, 1] + q * vy,
                    X[j, 2] + q * vz,
                    rb,
                    1 + 2 * end + (1 if own else 0),
                    reach,
                    out,
                    feature,
                    count,
                )
            least = 1e300
            for c in range(count):
                least = min(least, out[c, 0])
            nearest = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2) - ra - rb
            if least <= nearest + 1e-9 * (ra + rb):
                return count
    before = count
    count = balls(ax, ay, az, ra, bx, by, bz, rb, 0, reach, out, feature, count)
    if count > before and (bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2 < _TINY:
        # crossing axes: along their common perpendicular
        if sine2 > 1e-24:
            s = 1.0 / math.sqrt(sine2)
            wx, wy, wz = s * wx, s * wy, s * wz
        else:
            wx, wy, wz = X[i, 3], X[i, 6], X[i, 9]
        r = ra + 0.5 * out[before, 0]
        out[before, 1], out[before, 2], out[before, 3] = ax + r * wx, ay + r * wy, az + r * wz
        out[before, 4], out[before, 5], out[before, 6] = wx, wy, wz
    return count
