"""Two meshes: corners over faces of the other one, and edges across edges, both ways.

A corner touches a face where its mesh rises from the corner along the normal of the face, an edge
crosses one of the other mesh where each mesh lies on its own side of both.  Nothing is therefore
touched from behind, walls may be thin, and edges between flat or hollow neighbours have no
contacts.  Two trees of boxes give the near triangles.  All is in the axes of the second mesh.
"""

import math

from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.hollow.choice import choose, swap
from mechstudio.engine.contacts.geometry.hollow.inside import inside, nearest_of_mesh
from mechstudio.engine.contacts.geometry.hollow.triangle_places import (
    edge_code,
    falls,
    next_leaf,
    region_of,
    rises,
)
from mechstudio.engine.contacts.geometry.shapes import (
    BOUND,
    CLOSED,
    NODE0,
    NODES,
    TRIANGLE0,
    VERTEX0,
)
from mechstudio.engine.contacts.geometry.surfaces import (
    GROUP_OF,
    HELD_CORNER,
    MASK,
    OWN_CORNER,
    OWN_EDGE,
    RIDGE,
)
from mechstudio.engine.contacts.geometry.vectors import cross, dot, inward, local, outward, put
from mechstudio.engine.contacts.geometry.work import MOTION

ROOM = 64  # contacts of two meshes
LOOK = 2e-3  # of the smaller mesh: distance of the search beyond their motion in a step
DEEP = 0.005  # of the smaller mesh: depth of the search for corners behind a face
SUNK, SHALLOW = (
    1e-5,
    0.25,
)  # depth of edges from which, and share of it below which, ends are passed
CROSSINGS, STEPS = 8, 6  # edges through faces of deep meshes, places tried along each
LEAN = 0.02  # sine of an angle by which a mesh may recede beside its corner or edge
BESIDE = 1e-6  # of the smaller mesh: distance beside a face within which a corner counts as over it
PARALLEL = 1e-4  # sine of the angle below which edges do not cross
_CORNER_A, _CORNER_B, _EDGES, _NEAREST = range(4)
_HASH = 0x9E3779B97F4A7C15 - (1 << 64)


@kernel
def name_of_pair(kind, a, b):
    """Key of a contact of two features, below 2^28."""
    h = ((a << 24) ^ b) * _HASH
    h ^= h >> 29
    return (kind << 26) | (h & ((1 << 26) - 1))


@kernel
def relative_pose(X, i, j, F):
    """Rows of F: origin of shape i in the axes of shape j, and the rotation matrix from i to j."""
    F[0, 0], F[0, 1], F[0, 2] = local(X, j, X[i, 0], X[i, 1], X[i, 2])
    for c in range(3):
        F[1, c], F[2, c], F[3, c] = inward(X, j, X[i, 3 + c], X[i, 6 + c], X[i, 9 + c])


@kernel
def turned(F, x, y, z):
    """A vector of the first mesh in the axes of the second."""
    return (
        F[1, 0] * x + F[1, 1] * y + F[1, 2] * z,
        F[2, 0] * x + F[2, 1] * y + F[2, 2] * z,
        F[3, 0] * x + F[3, 1] * y + F[3, 2] * z,
    )


@kernel
def box_of_node(T, F, n, reach, R):
    """The box of node n of the first mesh in the axes of the second, wider by reach, into
    R[20:26].
    """
    N = T.nodes
    cx, cy, cz = turned(
        F,
        0.5 * (N[n, 0] + N[n, 3]),
        0.5 * (N[n, 1] + N[n, 4]),
        0.5 * (N[n, 2] + N[n, 5]),
    )
    hx, hy, hz = (
        0.5 * (N[n, 3] - N[n, 0]),
        0.5 * (N[n, 4] - N[n, 1]),
        0.5 * (N[n, 5] - N[n, 2]),
    )
    for k in range(3):
        c = F[0, k] + (cx if k == 0 else cy if k == 1 else cz)
        h = abs(F[k + 1, 0]) * hx + abs(F[k + 1, 1]) * hy + abs(F[k + 1, 2]) * hz + reach
        R[20 + k], R[23 + k] = c - h, c + h


@kernel
def add_candidate(W, n, key, gap, px, py, pz, nx, ny, nz):
    """Write a contact into W.out, the place midway between both surfaces; the new count.  Without
    room, it replaces the one with the widest gap.
    """
    M, keys = W.out, W.feature
    for c in range(n):
        if keys[c] == key:
            if gap < M[c, 0]:
                M[c, 0], M[c, 1], M[c, 2], M[c, 3] = gap, px, py, pz
                M[c, 4], M[c, 5], M[c, 6] = nx, ny, nz
            return n
    at = n
    if n == M.shape[0] - 1:
        at = 0
        for c in range(n):
            if M[c, 0] > M[at, 0]:
                at = c
        if M[at, 0] <= gap:
            return n
        n -= 1
    keys[at], M[at, 0], M[at, 1], M[at, 2], M[at, 3] = key, gap, px, py, pz
    M[at, 4], M[at, 5], M[at, 6] = nx, ny, nz
    return n + 1


@kernel
def nearer_beyond(T, W, t, side, x, y, z, height, beside):
    """True if a place behind the triangle t in R[0:12] is less deep behind a face beyond one of its
    ridges, or before it: then it is no contact of this triangle, nor of one that has but a corner
    on the ridge.
    """
    R, S = W.R, T.surroundings
    fx, fy, fz = x - height * R[9], y - height * R[10], z - height * R[11]
    for k in range(3):
        before = edge_code(T, t, k + 2 if k == 0 else k - 1)
        if edge_code(T, t, k) == RIDGE:
            nx, ny, nz = S[t, 4 + 4 * k], S[t, 5 + 4 * k], S[t, 6 + 4 * k]
            if side == 1:
                nx, ny, nz = turned(W.F, nx, ny, nz)
            if dot(nx, ny, nz, x - R[3 * k], y - R[3 * k + 1], z - R[3 * k + 2]) > height:
                return True
        elif before != RIDGE and int(S[t, MASK]) & (HELD_CORNER << k):
            dx, dy, dz = fx - R[3 * k], fy - R[3 * k + 1], fz - R[3 * k + 2]
            if dot(dx, dy, dz, dx, dy, dz) <= beside * beside:
                return True
    return False


@kernel
def corner_over_face(T, W, s, v, x, y, z, other, t, side, reach, deep, beside, n):
    """Corner v of mesh s at (x, y, z) with the triangle t of mesh `other` in R[0:12], side: 0 for a
    corner of the first mesh, 1 for one of the second.  R[26:33] keeps the nearest place: distance,
    foot, normal from the foot to the corner.
    """
    R, F = W.R, W.F
    height = dot(R[9], R[10], R[11], x - R[0], y - R[1], z - R[2])
    if (height > R[26] and height > reach) or height < -deep:
        return n
    px, py, pz, region = region_of(R, x, y, z)
    dx, dy, dz = x - px, y - py, z - pz
    d2 = dot(dx, dy, dz, dx, dy, dz)
    over = region == 0 or d2 - height * height <= beside * beside
    if height >= 0.0 and d2 < R[26] * R[26] and d2 > beside * beside:
        d = math.sqrt(d2)
        sign = 1.0 if side == 1 else -1.0
        R[26], R[27], R[28], R[29] = d, px + 0.5 * dx, py + 0.5 * dy, pz + 0.5 * dz
        R[30], R[31], R[32] = sign * dx / d, sign * dy / d, sign * dz / d
        W.feature[-1] = name_of_pair(_NEAREST, 2 * v + side, t)
    if (
        not over
        or height > reach
        or (height < 0.0 and nearer_beyond(T, W, t, side, x, y, z, height, beside))
    ):
        return n
    nx, ny, nz = R[9], R[10], R[11]
    if side == 0:
        # the transpose of the rotation from the first mesh to the second
        ax = F[1, 0] * nx + F[2, 0] * ny + F[3, 0] * nz
        ay = F[1, 1] * nx + F[2, 1] * ny + F[3, 1] * nz
        az = F[1, 2] * nx + F[2, 2] * ny + F[3, 2] * nz
        if not rises(T, s, v, ax, ay, az, LEAN):
            return n
    elif not rises(T, s, v, nx, ny, nz, LEAN):
        return n
    sign = -1.0 if side == 0 else 1.0
    key = name_of_pair(
        _CORNER_A if side == 0 else _CORNER_B,
        v - T.ints[s, VERTEX0],
        int(T.surroundings[t, GROUP_OF]),
    )
    return add_candidate(
        W,
        n,
        key,
        height,
        x - 0.5 * height * nx,
        y - 0.5 * height * ny,
        z - 0.5 * height * nz,
        sign * nx,
        sign * ny,
        sign * nz,
    )


@kernel
def edge_across_edge(T, W, a, ka, i, b, kb, j, m, reach, deep, n):
    """Edge ka of triangle a of the first mesh, with corners in W.P[0, 4 m:], with edge kb of
    triangle b of the second.
    """
    P, F, V, S = W.P, W.F, T.vertices, T.surroundings
    p, q = 4 * m + ka, 4 * m + (ka + 1) % 3
    v, w = T.triangles[b, kb], T.triangles[b, (kb + 1) % 3]
    ux, uy, uz = P[0, q, 0] - P[0, p, 0], P[0, q, 1] - P[0, p, 1], P[0, q, 2] - P[0, p, 2]
    wx, wy, wz = V[w, 0] - V[v, 0], V[w, 1] - V[v, 1], V[w, 2] - V[v, 2]
    nx, ny, nz = cross(ux, uy, uz, wx, wy, wz)
    l2 = dot(nx, ny, nz, nx, ny, nz)
    if l2 <= PARALLEL * PARALLEL * dot(ux, uy, uz, ux, uy, uz) * dot(wx, wy, wz, wx, wy, wz):
        return n
    rx, ry, rz = V[v, 0] - P[0, p, 0], V[v, 1] - P[0, p, 1], V[v, 2] - P[0, p, 2]
    cx, cy, cz = cross(rx, ry, rz, wx, wy, wz)
    s = dot(cx, cy, cz, nx, ny, nz) / l2
    if s < -BESIDE or s > 1.0 + BESIDE:
        return n
    cx, cy, cz = cross(rx, ry, rz, ux, uy, uz)
    t = dot(cx, cy, cz, nx, ny, nz) / l2
    if t < -BESIDE or t > 1.0 + BESIDE:
        return n
    l = math.sqrt(l2)
    nx, ny, nz = nx / l, ny / l, nz / l
    gap = dot(rx, ry, rz, nx, ny, nz)
    if abs(gap) > max(reach, deep):
        return n
    fx, fy, fz = P[0, 4 * m + 3, 0], P[0, 4 * m + 3, 1], P[0, 4 * m + 3, 2]
    gx, gy, gz = turned(F, S[a, 4 + 4 * ka], S[a, 5 + 4 * ka], S[a, 6 + 4 * ka])
    code_a, code_b = edge_code(T, a, ka), edge_code(T, b, kb)
    # out of the first mesh
    if dot(nx, ny, nz, fx + gx, fy + gy, fz + gz) < 0.0:
        nx, ny, nz, gap = -nx, -ny, -nz, -gap
    if gap > reach or gap < -deep:
        return n
    if not falls(ux, uy, uz, fx, fy, fz, gx, gy, gz, code_a, nx, ny, nz, LEAN):
        return n
    if not falls(
        wx,
        wy,
        wz,
        S[b, 0],
        S[b, 1],
        S[b, 2],
        S[b, 4 + 4 * kb],
        S[b, 5 + 4 * kb],
        S[b, 6 + 4 * kb],
        code_b,
        -nx,
        -ny,
        -nz,
        LEAN,
    ):
        return n
    key = name_of_pair(
        _EDGES, 3 * (a - T.ints[i, TRIANGLE0]) + ka, 3 * (b - T.ints[j, TRIANGLE0]) + kb
    )
    return add_candidate(
        W,
        n,
        key,
        gap,
        0.5 * (P[0, p, 0] + s * ux + V[v, 0] + t * wx),
        0.5 * (P[0, p, 1] + s * uy + V[v, 1] + t * wy),
        0.5 * (P[0, p, 2] + s * uz + V[v, 2] + t * wz),
        nx,
        ny,
        nz,
    )


@kernel
def beside_corners(R, x, y, z, reach):
    """True if a point lies in the box about the triangle in R[0:9], wider by reach."""
    return (
        min(R[0], R[3], R[6]) - reach <= x <= max(R[0], R[3], R[6]) + reach
        and min(R[1], R[4], R[7]) - reach <= y <= max(R[1], R[4], R[7]) + reach
        and min(R[2], R[5], R[8]) - reach <= z <= max(R[2], R[5], R[8]) + reach
    )


@kernel(options=INLINED)
def own_features(T, t):
    """Bits of the corners and edges of triangle t for which two meshes look at this triangle."""
    return int(T.surroundings[t, MASK]) & (HELD_CORNER - 1)


@kernel
def triangle_with_triangle(T, W, i, a, m, j, b, reach, deep, beside, n):
    """Contacts of triangle a of the first mesh, in W.P[0, 4 m:], and b of the second."""
    R, P, V = W.R, W.P, T.vertices
    mask_a, mask_b = W.label[0, m, 0], own_features(T, b)
    if mask_a & 7:
        for k in range(3):
            for c in range(3):
                R[3 * k + c] = V[T.triangles[b, k], c]
            R[9 + k] = T.surroundings[b, k]
        for k in range(3):
            if mask_a & (OWN_CORNER << k):
                x, y, z = P[0, 4 * m + k, 0], P[0, 4 * m + k, 1], P[0, 4 * m + k, 2]
                if not beside_corners(R, x, y, z, deep):
                    continue
                n = corner_over_face(
                    T, W, i, T.triangles[a, k], x, y, z, j, b, 0, reach, deep, beside, n
                )
    if mask_b & 7:
        for k in range(3):
            for c in range(3):
                R[3 * k + c] = P[0, 4 * m + k, c]
            R[9 + k] = P[0, 4 * m + 3, k]
        for k in range(3):
            if mask_b & (OWN_CORNER << k):
                v = T.triangles[b, k]
                if not beside_corners(R, V[v, 0], V[v, 1], V[v, 2], deep):
                    continue
                n = corner_over_face(
                    T, W, j, v, V[v, 0], V[v, 1], V[v, 2], i, a, 1, reach, deep, beside, n
                )
    for k in range(3):
        if mask_a & (OWN_EDGE << k):
            for l in range(3):
                if mask_b & (OWN_EDGE << l):
                    n = edge_across_edge(T, W, a, k, i, b, l, j, m, reach, deep, n)
    return n


@kernel
def crossing_edges(T, W, a, m, b, n):
    """Edges of triangle a of the first mesh, in W.P[0, 4 m:], through triangle b of the second, and
    the other way round: a row of W.P[1] each, from the crossing to the end behind the face, and its
    side in W.label[1].  Returns their number.
    """
    R, P, V = W.R, W.P, T.vertices
    for side in range(2):
        for k in range(3):
            for c in range(3):
                R[3 * k + c] = V[T.triangles[b, k], c] if side == 0 else P[0, 4 * m + k, c]
            R[9 + k] = T.surroundings[b, k] if side == 0 else P[0, 4 * m + 3, k]
        for k in range(3):
            for c in range(3):
                if side == 0:
                    R[30 + c], R[33 + c] = P[0, 4 * m + k, c], P[0, 4 * m + (k + 1) % 3, c]
                else:
                    R[30 + c] = V[T.triangles[b, k], c]
                    R[33 + c] = V[T.triangles[b, (k + 1) % 3], c]
            high = dot(R[9], R[10], R[11], R[30] - R[0], R[31] - R[1], R[32] - R[2])
            low = dot(R[9], R[10], R[11], R[33] - R[0], R[34] - R[1], R[35] - R[2])
            if high * low >= 0.0 or n >= CROSSINGS:
                continue
            s = high / (high - low)
            x, y, z = (
                R[30] + s * (R[33] - R[30]),
                R[31] + s * (R[34] - R[31]),
                R[32] + s * (R[35] - R[32]),
            )
            _, _, _, region = region_of(R, x, y, z)
            if region != 0:
                continue
            P[1, 2 * n, 0], P[1, 2 * n, 1], P[1, 2 * n, 2] = x, y, z
            end = 33 if low < 0.0 else 30
            for c in range(3):
                P[1, 2 * n + 1, c] = R[end + c]
            W.label[1, n, 0] = side
            n += 1
    return n


@kernel
def meets(nodes, n, P, m):
    """True if the box of node n meets that of triangle m of a leaf, in P[2, 2 m:]."""
    return (
        nodes[n, 0] <= P[2, 2 * m + 1, 0]
        and nodes[n, 3] >= P[2, 2 * m, 0]
        and nodes[n, 1] <= P[2, 2 * m + 1, 1]
        and nodes[n, 4] >= P[2, 2 * m, 1]
        and nodes[n, 2] <= P[2, 2 * m + 1, 2]
        and nodes[n, 5] >= P[2, 2 * m, 2]
    )


@kernel
def is_near(vertices, triangles, b, P, m):
    """True if the box about triangle b meets that of triangle m of a leaf, in P[2, 2 m:]."""
    for k in range(3):
        x, y, z = (
            vertices[triangles[b, 0], k],
            vertices[triangles[b, 1], k],
            vertices[triangles[b, 2], k],
        )
        if max(x, y, z) < P[2, 2 * m, k] or min(x, y, z) > P[2, 2 * m + 1, k]:
            return False
    return True


@kernel
def walk(T, W, i, j, reach, deep, beside, crossing):
    """Contacts of all pairs of triangles whose boxes come nearer than `deep`, or the edges of one
    mesh through faces of the other one; their number.
    """
    R, P, F = W.R, W.P, W.F
    n, node, base = 0, 0, T.ints[i, NODE0]
    while node < T.ints[i, NODES]:
        leaf = base + node
        box_of_node(T, F, leaf, deep, R)
        first = next_leaf(T, j, 0, R)
        if first < 0:
            node = T.tree[leaf, 0]
            continue
        node += 1
        count = T.tree[leaf, 2]
        if count == 0:
            continue
        begin = T.ints[i, TRIANGLE0] + T.tree[leaf, 1]
        for m in range(count):
            for k in range(3):
                v = T.triangles[begin + m, k]
                x, y, z = turned(F, T.vertices[v, 0], T.vertices[v, 1], T.vertices[v, 2])
                P[0, 4 * m + k, 0] = F[0, 0] + x
                P[0, 4 * m + k, 1] = F[0, 1] + y
                P[0, 4 * m + k, 2] = F[0, 2] + z
            P[0, 4 * m + 3, 0], P[0, 4 * m + 3, 1], P[0, 4 * m + 3, 2] = turned(
                F,
                T.surroundings[begin + m, 0],
                T.surroundings[begin + m, 1],
                T.surroundings[begin + m, 2],
            )
            for c in range(3):
                x, y, z = P[0, 4 * m, c], P[0, 4 * m + 1, c], P[0, 4 * m + 2, c]
                P[2, 2 * m, c], P[2, 2 * m + 1, c] = min(x, y, z) - deep, max(x, y, z) + deep
            W.label[0, m, 0] = own_features(T, begin + m)
        while first >= 0:
            other = T.ints[j, NODE0] + first
            for m in range(count):
                if not meets(T.nodes, other, P, m):
                    continue
                for k in range(T.tree[other, 2]):
                    b = T.ints[j, TRIANGLE0] + T.tree[other, 1] + k
                    # before calls with all tables as arguments
                    if not crossing and W.label[0, m, 0] == 0 and own_features(T, b) == 0:
                        continue
                    if not is_near(T.vertices, T.triangles, b, P, m):
                        continue
                    if crossing:
                        n = crossing_edges(T, W, begin + m, m, b, n)
                    else:
                        n = triangle_with_triangle(
                            T, W, i, begin + m, m, j, b, reach, deep, beside, n
                        )
            first = next_leaf(T, j, first + 1, R)
    return n


@kernel
def mesh_mesh(T, W, i, j, reach):
    """Contacts of two meshes closer than reach that can close within a step."""
    X, R = W.placed, W.R
    size = min(T.numbers[i, BOUND], T.numbers[j, BOUND])
    reach = min(reach, X[i, MOTION] + X[j, MOTION] + LOOK * size)
    deep, beside = max(reach, DEEP * size), BESIDE * size
    relative_pose(X, i, j, W.F)
    R[26] = reach
    W.feature[-1] = 0
    n = walk(T, W, i, j, reach, deep, beside, False)
    if n == 0:
        n = enclosed(T, W, i, j)
        if n > 0:
            return n
    least = 1e300
    for c in range(n):
        least = min(least, W.out[c, 0])
    # nearest points if no corner is over a face and no edge crosses one, as of two corners
    if W.feature[-1] != 0 and R[26] < least - beside:
        key = W.feature[-1]
        n = add_candidate(W, n, key, R[26], R[27], R[28], R[29], R[30], R[31], R[32])
        least = min(least, R[26])
    M = W.out
    for c in range(n):
        x, y, z = outward(X, j, M[c, 1], M[c, 2], M[c, 3])
        M[c, 1], M[c, 2], M[c, 3] = X[j, 0] + x, X[j, 1] + y, X[j, 2] + z
        M[c, 4], M[c, 5], M[c, 6] = outward(X, j, M[c, 4], M[c, 5], M[c, 6])
    for c in range(n - 1, -1, -1):
        if M[c, 0] < -SUNK * size and W.feature[c] >> 26 == _EDGES and passes_end(T, W, i, j, c):
            n -= 1
            swap(M, W.feature, c, n)
    most = least + X[i, MOTION] + X[j, MOTION] + 1e-4 * size
    return choose(M, W.feature, n, ROOM, most, size)


@kernel
def passes_end(T, W, i, j, c):
    """True if the edges of contact c in W.out pass near an end of one of them: the other one lies
    far less deep below the surface than below this edge.
    """
    M = W.out
    for side in range(2):
        s, half = (j, 0.5 * M[c, 0]) if side == 0 else (i, -0.5 * M[c, 0])
        x, y, z = M[c, 1] - half * M[c, 4], M[c, 2] - half * M[c, 5], M[c, 3] - half * M[c, 6]
        d, _, _, _, _ = nearest_of_mesh(T, W.placed, s, x, y, z, W.R)
        if d < -SHALLOW * M[c, 0]:
            return True
    return False


@kernel
def way_in(T, W, i, j, side, name, x, y, z, n):
    """Write the contact of a place (x, y, z) of W of one mesh, side 0 for the first, if it lies
    inside the other closed one; the new count.
    """
    X, R, s = W.placed, W.R, j if side == 0 else i
    if T.ints[s, CLOSED] == 0 or not inside(T, X, s, x, y, z, R):
        return n
    d, px, py, pz, _ = nearest_of_mesh(T, X, s, x, y, z, R)
    if d <= 0.0:
        return n
    sign = -1.0 if side == 0 else 1.0
    nx, ny, nz = sign * (px - x) / d, sign * (py - y) / d, sign * (pz - z) / d
    mx, my, mz = 0.5 * (x + px), 0.5 * (y + py), 0.5 * (z + pz)
    return put(W.out, W.feature, n, name_of_pair(_NEAREST, name, side), -d, mx, my, mz, nx, ny, nz)


@kernel
def enclosed(T, W, i, j):
    """Separations of closed meshes that overlap by more than DEEP: from the edges through faces, or
    if there are none from a first corner.
    """
    X, P = W.placed, W.P
    crossings, n = walk(T, W, i, j, 0.0, 0.0, 0.0, True), 0
    for c in range(crossings):
        best, x, y, z = 0.0, 0.0, 0.0, 0.0
        side = W.label[1, c, 0]
        for step in range(1, STEPS + 1):
            # an edge that leaves the mesh again has its end outside
            s = step / STEPS
            px, py, pz = outward(
                X,
                j,
                P[1, 2 * c, 0] + s * (P[1, 2 * c + 1, 0] - P[1, 2 * c, 0]),
                P[1, 2 * c, 1] + s * (P[1, 2 * c + 1, 1] - P[1, 2 * c, 1]),
                P[1, 2 * c, 2] + s * (P[1, 2 * c + 1, 2] - P[1, 2 * c, 2]),
            )
            px, py, pz = X[j, 0] + px, X[j, 1] + py, X[j, 2] + pz
            other = j if side == 0 else i
            if T.ints[other, CLOSED] == 1 and inside(T, X, other, px, py, pz, W.R):
                d, _, _, _, _ = nearest_of_mesh(T, X, other, px, py, pz, W.R)
                if d > best:
                    best, x, y, z = d, px, py, pz
        if best > 0.0:
            n = way_in(T, W, i, j, side, c, x, y, z, n)
    if crossings == 0:
        for side in range(2):
            s = i if side == 0 else j
            v = T.ints[s, VERTEX0]
            x, y, z = outward(X, s, T.vertices[v, 0], T.vertices[v, 1], T.vertices[v, 2])
            n = way_in(T, W, i, j, side, 0, X[s, 0] + x, X[s, 1] + y, X[s, 2] + z, n)
    return n
