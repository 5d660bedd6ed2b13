"""Contacts of shapes with a mesh, triangle by triangle, from the outside, and the separation from a
closed one.

An edge between flat or hollow neighbours (surfaces.INNER) has no contacts: a shape there touches
the faces beside it, along their normals, so that nothing catches on it.  On a ridge the normal lies
between those of both sides.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.box import frame_along
from mechstudio.engine.contacts.geometry.convex.clipping import A_CORNER, B_CORNER, CROSSING
from mechstudio.engine.contacts.geometry.convex.convex_pair import common_part, radius_of
from mechstudio.engine.contacts.geometry.convex.gjk import separation, signed_distance
from mechstudio.engine.contacts.geometry.hollow.choice import choose
from mechstudio.engine.contacts.geometry.hollow.inside import inside, nearest_of_mesh
from mechstudio.engine.contacts.geometry.hollow.triangle_places import (
    edge_code,
    falls,
    load_triangle,
    look_box,
    next_leaf,
    region_of,
    rises,
)
from mechstudio.engine.contacts.geometry.shapes import (
    BODY,
    BOUND,
    CLOSED,
    KIND,
    MESH,
    NODE0,
    TRIANGLE0,
)
from mechstudio.engine.contacts.geometry.surfaces import HELD_CORNER, INNER, MASK
from mechstudio.engine.contacts.geometry.vectors import cross, dot, inward, put
from mechstudio.engine.contacts.geometry.work import MOTION

_FACE = 1e-12  # of 1 - cosine, below which a normal is that of the face
# sine of the angle by which rounding lets an edge that is touched face away
_SIDEWAYS = 1e-9
_WITHIN = 1e-6  # the same by which a face beside an edge or corner may rise towards the contact
_MOST_NEAR = 96  # triangles near one sphere
MOST_FIXED, MOST_MOVING = 128, 48  # contacts of a convex shape with a mesh


@kernel
def holds(T, X, j, t, region, mx, my, mz):
    """True if the edge or corner of triangle t in that region can support a contact along m (unit,
    out of the mesh, in W), that is, if m lies between both sides.
    """
    x, y, z = inward(X, j, mx, my, mz)
    if region >= 4:
        k = region - 4
        held = edge_code(T, t, k) != INNER or edge_code(T, t, (k + 2) % 3) != INNER
        return held and rises(T, j, T.triangles[t, k], -x, -y, -z, _WITHIN)
    k = region - 1
    code = edge_code(T, t, k)
    if code == INNER:
        return False
    S, V, a, b = T.surroundings, T.vertices, T.triangles[t, k], T.triangles[t, (k + 1) % 3]
    return falls(
        V[b, 0] - V[a, 0],
        V[b, 1] - V[a, 1],
        V[b, 2] - V[a, 2],
        S[t, 0],
        S[t, 1],
        S[t, 2],
        S[t, 4 + 4 * k],
        S[t, 5 + 4 * k],
        S[t, 6 + 4 * k],
        code,
        x,
        y,
        z,
        _WITHIN,
    )


@kernel
def sphere_mesh(T, W, i, j, reach):
    """The nearest points of the triangles near a sphere, nearest first; one on an edge or corner
    that belongs to a triangle already touched is left out.
    """
    X, R, out, feature, P, label = W.placed, W.R, W.out, W.feature, W.P, W.label
    x, y, z, radius = X[i, 0], X[i, 1], X[i, 2], T.numbers[i, 0]
    look_box(X, i, j, reach, R)
    n, node = 0, next_leaf(T, j, 0, R)
    while node >= 0:
        leaf = T.ints[j, NODE0] + node
        for k in range(T.tree[leaf, 2]):
            t = T.ints[j, TRIANGLE0] + T.tree[leaf, 1] + k
            load_triangle(T, X, j, t, R)
            high = dot(R[9], R[10], R[11], x - R[0], y - R[1], z - R[2])
            px, py, pz, region = region_of(R, x, y, z)
            d = math.sqrt((x - px) ** 2 + (y - py) ** 2 + (z - pz) ** 2)
            if (
                d - radius > reach
                or high < -radius
                or (high < 0.0 and region != 0)
                or n >= _MOST_NEAR
            ):
                continue
            # in the order of their distance; row: triangle, region
            d = math.copysign(d, high) if region == 0 else d
            m = n
            while m > 0 and P[0, m - 1, 0] > d:
                P[0, m, 0], label[0, m, 0], label[0, m, 1] = (
                    P[0, m - 1, 0],
                    label[0, m - 1, 0],
                    label[0, m - 1, 1],
                )
                m -= 1
            P[0, m, 0], label[0, m, 0], label[0, m, 1] = d, t, region
            n += 1
        node = next_leaf(T, j, node + 1, R)
    count = voided = 0
    for m in range(n):
        t, region = label[0, m, 0], label[0, m, 1]
        load_triangle(T, X, j, t, R)
        px, py, pz, region = region_of(R, x, y, z)
        d = P[0, m, 0]
        nx, ny, nz = R[9], R[10], R[11]
        if region > 0:
            first = region - 1 if region < 4 else region - 4
            second = (first + 1) % 3 if region < 4 else first
            a = b = False
            for v in range(voided):
                a = a or label[1, v, 0] == T.triangles[t, first]
                b = b or label[1, v, 0] == T.triangles[t, second]
            if (a and b) or d == 0.0:
                continue
            nx, ny, nz = (x - px) / d, (y - py) / d, (z - pz) / d
            # a middle right over an edge between flat neighbours is over the face
            over = dot(nx, ny, nz, R[9], R[10], R[11]) > 1.0 - _FACE
            if not over and not holds(T, X, j, t, region, nx, ny, nz):
                continue
        for k in range(3):
            if voided < label.shape[1]:
                label[1, voided, 0] = T.triangles[t, k]
                voided += 1
        gap = d - radius
        s = 0.5 * gap
        if found_there(out, count, px + s * nx, py + s * ny, pz + s * nz, 1e-9 * radius):
            continue
        count = put(
            out,
            feature,
            count,
            ((t - T.ints[j, TRIANGLE0]) << 8) | region,
            gap,
            px + s * nx,
            py + s * ny,
            pz + s * nz,
            -nx,
            -ny,
            -nz,
        )
    return count if count > 0 else way_out(T, W, i, j)


@kernel
def found_there(out, count, x, y, z, near):
    """True if a contact of the first `count` rows has its place within `near` of (x, y, z)."""
    for c in range(count):
        if abs(out[c, 1] - x) + abs(out[c, 2] - y) + abs(out[c, 3] - z) < near:
            return True
    return False


@kernel
def way_out(T, W, i, j):
    """The contact of a convex shape whose middle lies inside a closed mesh: along the shortest way
    from there to the surface; none else.
    """
    X, R = W.placed, W.R
    x, y, z = X[i, 0], X[i, 1], X[i, 2]
    if T.ints[j, CLOSED] == 0 or not inside(T, X, j, x, y, z, R):
        return 0
    d, px, py, pz, t = nearest_of_mesh(T, X, j, x, y, z, R)
    nx, ny, nz = -R[9], -R[10], -R[11]
    if d > 0.0:
        nx, ny, nz = (x - px) / d, (y - py) / d, (z - pz) / d
    gap = separation(T, W, i, j, nx, ny, nz) - radius_of(T, i)
    ax, ay, az = px + 0.5 * gap * -nx, py + 0.5 * gap * -ny, pz + 0.5 * gap * -nz
    return put(
        W.out, W.feature, 0, ((t - T.ints[j, TRIANGLE0]) << 8) | 254, gap, ax, ay, az, nx, ny, nz
    )


@kernel
def keep_held(T, i, j, t, begin, count, least, out, feature):
    """Leave out the corners of a common part that lie on inner edges, which belong to its
    neighbours, that a neighbour has found, or with a gap below `least` [m], and name the others.
    Returns the new count.
    """
    kept, near = begin, 1e-6 * T.numbers[i, BOUND]
    for c in range(begin, count):
        kind, a, b = (feature[c] >> 24) & 3, (feature[c] >> 12) & 4095, feature[c] & 4095
        if out[c, 0] < least:
            continue
        if kind == CROSSING and edge_code(T, t, b % 3) == INNER:
            continue
        if (
            kind == B_CORNER
            and b < 3
            and edge_code(T, t, b) == INNER
            and edge_code(T, t, (b + 2) % 3) == INNER
        ):
            continue
        twice = False
        for k in range(begin):
            if (
                abs(out[k, 1] - out[c, 1]) + abs(out[k, 2] - out[c, 2]) + abs(out[k, 3] - out[c, 3])
                < near
                and dot(out[k, 4], out[k, 5], out[k, 6], out[c, 4], out[c, 5], out[c, 6]) > 0.9999
            ):
                twice = True
        if twice:
            continue
        name = 255
        if kind == A_CORNER:
            name = a & 127
        elif kind == B_CORNER:
            name = 128 + b % 3
        elif kind == CROSSING:
            name = 132 + (3 * a + b) % 120
        feature[kept] = ((t - T.ints[j, TRIANGLE0]) << 8) | name
        for k in range(7):
            out[kept, k] = out[c, k]
        kept += 1
    return kept


@kernel
def convex_mesh(T, W, i, j, reach):
    """Contacts of a convex shape with each near triangle."""
    X, R, F = W.placed, W.R, W.F
    radius = radius_of(T, i)
    look_box(X, i, j, reach, R)
    count, node = 0, next_leaf(T, j, 0, R)
    while node >= 0:
        leaf = T.ints[j, NODE0] + node
        for k in range(T.tree[leaf, 2]):
            t = T.ints[j, TRIANGLE0] + T.tree[leaf, 1] + k
            load_triangle(T, X, j, t, R)
            # no contact from behind
            if dot(R[9], R[10], R[11], X[i, 0] - R[0], X[i, 1] - R[1], X[i, 2] - R[2]) < 0.0:
                continue
            close, d, nx, ny, nz, px, py, pz = signed_distance(T, W, i, j, reach + radius, False)
            if not close:
                continue
            facing = -dot(nx, ny, nz, R[9], R[10], R[11])
            qx, qy, qz, region = region_of(R, px + d * nx, py + d * ny, pz + d * nz)
            over = facing > 1.0 - _FACE or (region == 0 and facing > 0.9)
            nearest = over
            least = -1e300
            if not over:
                region = edge_or_corner(
                    R, region if region > 0 else edge_of(R, qx, qy, qz), qx, qy, qz
                )
                nearest = facing > -_SIDEWAYS and holds(T, X, j, t, region, -nx, -ny, -nz)
                # a ridge without contacts here belongs to the triangle beyond it
                if not nearest and on_ridge(T, t, region):
                    continue
            if over or not nearest:
                # along the normal of the face; only points over it, if it was touched across an
                # inner edge or from behind
                nx, ny, nz = -R[9], -R[10], -R[11]
                if separation(T, W, i, j, nx, ny, nz) - radius > reach:
                    continue
                if not over:
                    least = 2.0 * min(d - radius, 0.0) - 1e-9 * T.numbers[i, BOUND]
                # of the nearest point, not of a lower one beside the triangle
                d = dot(R[9], R[10], R[11], px - R[0], py - R[1], pz - R[2])
            frame_along(X, i, nx, ny, nz, F)
            after = common_part(
                T, W, i, j, d - radius, px, py, pz, radius, 0.0, reach, count, nearest
            )
            count = keep_held(T, i, j, t, count, after, least, W.out, W.feature)
        node = next_leaf(T, j, node + 1, R)
    if count == 0:
        return way_out(T, W, i, j)
    room = MOST_FIXED if T.ints[j, BODY] < 0 and T.ints[j, KIND] == MESH else MOST_MOVING
    if count <= room:
        return count
    least = 1e300
    for c in range(count):
        least = min(least, W.out[c, 0])
    size = T.numbers[i, BOUND]
    most = least + X[i, MOTION] + X[j, MOTION] + 1e-4 * size
    return choose(W.out, W.feature, count, room, most, size)


@kernel
def on_ridge(T, t, region):
    """True if triangle t has an edge in that region that can support a contact, or a corner where
    such an edge of any triangle ends.
    """
    if region < 4:
        return edge_code(T, t, region - 1) != INNER
    return (int(T.surroundings[t, MASK]) & (HELD_CORNER << (region - 4))) != 0


@kernel
def edge_of(R, x, y, z):
    """The region of the edge of the triangle that is nearest to a point on it."""
    edge, least = 1, 1e300
    for k in range(3):
        m = k + 1 if k < 2 else 0
        ux, uy, uz = R[3 * m] - R[3 * k], R[3 * m + 1] - R[3 * k + 1], R[3 * m + 2] - R[3 * k + 2]
        cx, cy, cz = cross(ux, uy, uz, x - R[3 * k], y - R[3 * k + 1], z - R[3 * k + 2])
        d = dot(cx, cy, cz, cx, cy, cz) / dot(ux, uy, uz, ux, uy, uz)
        if d < least:
            edge, least = k + 1, d
    return edge


@kernel
def edge_or_corner(R, region, x, y, z):
    """The region, an edge instead of a corner's neighbourhood only where the point is not at the
    corner itself.
    """
    if region < 1 or region > 3:
        return region
    k = region - 1
    m = k + 1 if k < 2 else 0
    ex, ey, ez = R[3 * m] - R[3 * k], R[3 * m + 1] - R[3 * k + 1], R[3 * m + 2] - R[3 * k + 2]
    l = ex * ex + ey * ey + ez * ez
    s = dot(x - R[3 * k], y - R[3 * k + 1], z - R[3 * k + 2], ex, ey, ez)
    if s < 1e-9 * l:
        return 4 + k
    if s > (1.0 - 1e-9) * l:
        return 4 + m
    return region
