"""The distance of two convex shapes (Gilbert, Johnson and Keerthi 1988), and their shortest
separation.

All quantities are those of cores: a sphere's core is its centre, a capsule's its axis, that of any
other shape is the shape.  D = B - A is the set of differences; its point nearest to the origin, v,
leads from A to B.
"""

import math

from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.shapes import (
    BOUND,
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    FACE0,
    FACES,
    HULL,
    KIND,
    MESH,
    SPHERE,
    VERTEX0,
    VERTICES,
)
from mechstudio.engine.contacts.geometry.vectors import inward, outward
from mechstudio.engine.contacts.geometry.work import FIRST_ROW, ON_A, ON_B, ROWS, WEIGHT

_MOST_STEPS = 80
APART, NEAR, INSIDE = range(3)
ALONG = 0.8  # cosine within which a guided search tries flat sides
FLAT = 1e-12  # sine of an angle at rounding level
# overlap, of the smaller shape, from which several normals may be the best one nearby: where the
# search begins shall not depend on the past
DEEP = 1e-2
# overlap by sides alone, of the smaller shape, from which the nearest points are needed too
DOUBTFUL = 1e-3


@kernel
def own_support(T, W, s, dx, dy, dz):
    """The farthest point of shape s along d, given and returned in the axes of the shape; of a
    mesh, of the triangle in W.R[0:9], in W.
    """
    S, kind = T.numbers, T.ints[s, KIND]
    if kind >= MESH:
        R = W.R
        best, at = -1e300, 0
        for k in range(3):
            value = dx * R[3 * k] + dy * R[3 * k + 1] + dz * R[3 * k + 2]
            if value > best:
                best, at = value, 3 * k
        return R[at], R[at + 1], R[at + 2]
    x = y = z = 0.0
    if kind == SPHERE:
        return x, y, z
    if kind == BOX:
        x, y, z = (
            math.copysign(S[s, 0], dx),
            math.copysign(S[s, 1], dy),
            math.copysign(S[s, 2], dz),
        )
    elif kind == CAPSULE:
        z = math.copysign(S[s, 1], dz)
    elif kind == ELLIPSOID:
        x, y, z = S[s, 0] * dx, S[s, 1] * dy, S[s, 2] * dz
        h = max(math.sqrt(x * x + y * y + z * z), 1e-300)
        x, y, z = S[s, 0] * x / h, S[s, 1] * y / h, S[s, 2] * z / h
    elif kind == HULL:
        best, at = -1e300, 0
        for k in range(T.ints[s, VERTEX0], T.ints[s, VERTEX0] + T.ints[s, VERTICES]):
            value = dx * T.vertices[k, 0] + dy * T.vertices[k, 1] + dz * T.vertices[k, 2]
            if value > best:
                best, at = value, k
        x, y, z = T.vertices[at, 0], T.vertices[at, 1], T.vertices[at, 2]
    else:
        across = math.sqrt(dx * dx + dy * dy)
        top = S[s, 1] * across + S[s, 2] * dz > S[s, 0] * across - S[s, 2] * dz
        r = S[s, 1] if top else S[s, 0]
        z = S[s, 2] if top else -S[s, 2]
        if across > 1e-150:
            x, y = r * dx / across, r * dy / across
        else:
            x = r
    return x, y, z


@kernel
def turned_in(T, W, s, dx, dy, dz):
    """A direction in the axes of shape s; that of a mesh stays in W."""
    if T.ints[s, KIND] >= MESH:
        return dx, dy, dz
    return inward(W.placed, s, dx, dy, dz)


@kernel
def placed(T, W, s, x, y, z):
    """A point of shape s, given in its axes, in W; that of a mesh is in W already."""
    if T.ints[s, KIND] >= MESH:
        return x, y, z
    X = W.placed
    x, y, z = outward(X, s, x, y, z)
    return X[s, 0] + x, X[s, 1] + y, X[s, 2] + z


@kernel
def support(T, W, s, dx, dy, dz):
    """The farthest point of shape s along d, in W; of a mesh, of the triangle in W.R[0:9]."""
    dx, dy, dz = turned_in(T, W, s, dx, dy, dz)
    x, y, z = own_support(T, W, s, dx, dy, dz)
    return placed(T, W, s, x, y, z)


@kernel
def separation(T, W, i, j, nx, ny, nz):
    """Separation of B from A along n: minus the support of D along -n."""
    ax, ay, az = support(T, W, i, nx, ny, nz)
    bx, by, bz = support(T, W, j, -nx, -ny, -nz)
    return nx * (bx - ax) + ny * (by - ay) + nz * (bz - az)


@kernel
def nearest_of_triangle(G, a, b, c):
    """Weights of the point of the triangle of rows a, b, c that is nearest to the origin (Ericson
    2005, section 5.1.5).
    """
    ax, ay, az = G[a, 0], G[a, 1], G[a, 2]
    ux, uy, uz = G[b, 0] - ax, G[b, 1] - ay, G[b, 2] - az
    vx, vy, vz = G[c, 0] - ax, G[c, 1] - ay, G[c, 2] - az
    d1, d2 = -(ux * ax + uy * ay + uz * az), -(vx * ax + vy * ay + vz * az)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3 = -(ux * G[b, 0] + uy * G[b, 1] + uz * G[b, 2])
    d4 = -(vx * G[b, 0] + vy * G[b, 1] + vz * G[b, 2])
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    d5 = -(ux * G[c, 0] + uy * G[c, 1] + uz * G[c, 2])
    d6 = -(vx * G[c, 0] + vy * G[c, 1] + vz * G[c, 2])
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    wc = d1 * d4 - d3 * d2
    if wc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3)
        return 1.0 - t, t, 0.0
    wb = d5 * d2 - d1 * d6
    if wb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return 1.0 - t, 0.0, t
    wa = d3 * d6 - d5 * d4
    if wa <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 0.0, 1.0 - t, t
    s = 1.0 / (wa + wb + wc)
    return wa * s, wb * s, wc * s


@kernel
def nearest_of_simplex(G, n):
    """Keep the rows of the face of the simplex that is nearest to the origin, with weights in
    column WEIGHT; (rows, whether the origin is inside).
    """
    if n == 1:
        G[0, WEIGHT] = 1.0
        return 1, False
    if n == 2:
        ex, ey, ez = G[1, 0] - G[0, 0], G[1, 1] - G[0, 1], G[1, 2] - G[0, 2]
        e2 = ex * ex + ey * ey + ez * ez
        t = -(G[0, 0] * ex + G[0, 1] * ey + G[0, 2] * ez) / e2 if e2 > 0.0 else 0.0
        t = min(max(t, 0.0), 1.0)
        G[0, WEIGHT], G[1, WEIGHT] = 1.0 - t, t
    elif n == 3:
        a, b, c = nearest_of_triangle(G, 0, 1, 2)
        G[0, WEIGHT], G[1, WEIGHT], G[2, WEIGHT] = a, b, c
    else:
        ux, uy, uz = G[1, 0] - G[0, 0], G[1, 1] - G[0, 1], G[1, 2] - G[0, 2]
        vx, vy, vz = G[2, 0] - G[0, 0], G[2, 1] - G[0, 1], G[2, 2] - G[0, 2]
        wx, wy, wz = G[3, 0] - G[0, 0], G[3, 1] - G[0, 1], G[3, 2] - G[0, 2]
        volume = ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)
        size = (
            (ux * ux + uy * uy + uz * uz)
            * (vx * vx + vy * vy + vz * vz)
            * (wx * wx + wy * wy + wz * wz)
        )
        flat = volume * volume <= 1e-24 * size
        best = 1e300
        ba = bb = bc = 0.0
        bi = bj = bk = 0
        inside = not flat
        for f in range(4):
            a, b, c, d = f, (f + 1) & 3, (f + 2) & 3, (f + 3) & 3
            px, py, pz = G[b, 0] - G[a, 0], G[b, 1] - G[a, 1], G[b, 2] - G[a, 2]
            qx, qy, qz = G[c, 0] - G[a, 0], G[c, 1] - G[a, 1], G[c, 2] - G[a, 2]
            nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
            here = -(nx * G[a, 0] + ny * G[a, 1] + nz * G[a, 2])
            there = nx * (G[d, 0] - G[a, 0]) + ny * (G[d, 1] - G[a, 1]) + nz * (G[d, 2] - G[a, 2])
            if flat or here * there <= 0.0:
                inside = False
                la, lb, lc = nearest_of_triangle(G, a, b, c)
                x = la * G[a, 0] + lb * G[b, 0] + lc * G[c, 0]
                y = la * G[a, 1] + lb * G[b, 1] + lc * G[c, 1]
                z = la * G[a, 2] + lb * G[b, 2] + lc * G[c, 2]
                if x * x + y * y + z * z < best:
                    best = x * x + y * y + z * z
                    ba, bb, bc, bi, bj, bk = la, lb, lc, a, b, c
        if inside:
            return 4, True
        for k in range(4):
            G[k, WEIGHT] = 0.0
        G[bi, WEIGHT], G[bj, WEIGHT], G[bk, WEIGHT] = ba, bb, bc
    kept = 0
    for k in range(n):
        if G[k, WEIGHT] > 0.0:
            if kept != k:
                for c in range(G.shape[1]):
                    G[kept, c] = G[k, c]
            kept += 1
    return kept, False


@kernel
def set_row(T, W, i, j, k, ox, oy, oz):
    """Place the two points of row k of the simplex, given in the axes of A and of B moved by o."""
    G = W.G
    ax, ay, az = placed(T, W, i, G[k, ON_A], G[k, ON_A + 1], G[k, ON_A + 2])
    bx, by, bz = placed(T, W, j, G[k, ON_B], G[k, ON_B + 1], G[k, ON_B + 2])
    G[k, 0], G[k, 1], G[k, 2] = bx + ox - ax, by + oy - ay, bz + oz - az
    G[k, 3], G[k, 4], G[k, 5] = ax, ay, az


@kernel
def nearest(T, W, i, j, ox, oy, oz, vx, vy, vz, limit, n):
    """(APART, NEAR or INSIDE, v, witness on A, rows of the simplex, w along v) of A and of B moved
    by o.  v on entry: a first guess, unless there are n rows of an earlier simplex, in the axes of
    the shapes.  APART: farther than limit [m].
    """
    G = W.G
    best, vw = 1e300, 0.0
    px = py = pz = 0.0
    for k in range(n):
        set_row(T, W, i, j, k, ox, oy, oz)
    for step in range(_MOST_STEPS):
        if step > 0 or n == 0:
            x, y, z = turned_in(T, W, i, vx, vy, vz)
            G[n, ON_A], G[n, ON_A + 1], G[n, ON_A + 2] = own_support(T, W, i, x, y, z)
            x, y, z = turned_in(T, W, j, vx, vy, vz)
            G[n, ON_B], G[n, ON_B + 1], G[n, ON_B + 2] = own_support(T, W, j, -x, -y, -z)
            set_row(T, W, i, j, n, ox, oy, oz)
            wx, wy, wz = G[n, 0], G[n, 1], G[n, 2]
            vw, vv = vx * wx + vy * wy + vz * wz, vx * vx + vy * vy + vz * vz
            if vw > 0.0 and vw * vw > limit * limit * vv:
                return APART, vx, vy, vz, px, py, pz, n, vw
            if n > 0 and vv - vw <= 1e-14 * vv:
                break
            known = False
            for k in range(n):
                if G[k, 0] == wx and G[k, 1] == wy and G[k, 2] == wz:
                    known = True
            if known or n == 4:
                break
            n += 1
        n, inside = nearest_of_simplex(G, n)
        if inside:
            return INSIDE, vx, vy, vz, px, py, pz, n, vw
        if n == 0:
            # rounding has left a flat simplex no nearest point
            if best == 1e300:
                continue
            break
        x = y = z = qx = qy = qz = 0.0
        for k in range(n):
            l = G[k, WEIGHT]
            x, y, z = x + l * G[k, 0], y + l * G[k, 1], z + l * G[k, 2]
            qx, qy, qz = qx + l * G[k, 3], qy + l * G[k, 4], qz + l * G[k, 5]
        vv = x * x + y * y + z * z
        if vv >= best:
            # a simplex as flat as rounding has a nearest point that is none
            break
        best = vv
        vx, vy, vz, px, py, pz = x, y, z, qx, qy, qz
        if vv < 1e-280:
            return INSIDE, vx, vy, vz, px, py, pz, n, vw
    else:
        vw = separation(T, W, i, j, vx, vy, vz) + vx * ox + vy * oy + vz * oz
    return NEAR, vx, vy, vz, px, py, pz, n, vw


@kernel
def best_side(T, W, i, j, s, sign, reach, guided, best, nx, ny, nz, face):
    """Try the directions of the sides of shape s (sign 1 if it is A, -1 if B), until one is farther
    than reach: (separation, n, face) of the best so far.

    guided: of flat sides only those that face along W.toward.  face: sign * (1 + number) of the
    flat side that n belongs to, 0 for none.
    """
    X, S, kind = W.placed, T.numbers, T.ints[s, KIND]
    other = j if s == i else i
    count = 0
    if kind == BOX:
        count = 6
    elif kind == HULL:
        count = T.ints[s, FACES]
    elif kind >= MESH or kind == CAPSULE:
        count = 1
    elif kind != SPHERE and kind != ELLIPSOID:
        count = 3
    flat, m = kind == BOX or kind == HULL, sign if guided else 0.0
    ax, ay, az = inward(X, s, m * W.toward[0], m * W.toward[1], m * W.toward[2])
    # the separation by a side is at most that of any point of the other shape: most sides are
    # excluded by the point that is farthest back along the best direction so far
    bx, by, bz = support(T, W, other, -sign * nx, -sign * ny, -sign * nz)
    bx, by, bz = inward(X, s, bx - X[s, 0], by - X[s, 1], bz - X[s, 2])
    for k in range(count):
        x = y = z = 0.0
        if flat:
            x, y, z, offset = flat_side(T, s, kind, k)
            if guided and x * ax + y * ay + z * az < ALONG:
                continue
            if x * bx + y * by + z * bz - offset <= best:
                continue
            x, y, z = outward(X, s, x, y, z)
            # the extent of s along its own side needs no search
            qx, qy, qz = support(T, W, other, -x, -y, -z)
            value = x * (qx - X[s, 0]) + y * (qy - X[s, 1]) + z * (qz - X[s, 2]) - offset
            x, y, z = sign * x, sign * y, sign * z
        else:
            if kind >= MESH:
                x, y, z = W.R[9], W.R[10], W.R[11]
            else:
                if k > 0:
                    z = 1.0 if k == 1 else -1.0
                else:
                    # across the axis, towards the other
                    x, y, z = inward(
                        X, s, X[other, 0] - X[s, 0], X[other, 1] - X[s, 1], X[other, 2] - X[s, 2]
                    )
                    across = math.sqrt(x * x + y * y)
                    if across > 0.0:
                        x, y, z = x / across, y / across, 0.0
                    else:
                        x, y, z = 1.0, 0.0, 0.0
                    if kind != CAPSULE and S[s, 2] > 0.0:
                        # the side of a cone leans
                        lean = (S[s, 0] - S[s, 1]) / (2.0 * S[s, 2])
                        length = math.sqrt(1.0 + lean * lean)
                        x, y, z = x / length, y / length, lean / length
                x, y, z = outward(X, s, x, y, z)
            x, y, z = sign * x, sign * y, sign * z
            value = separation(T, W, i, j, x, y, z)
        if value > best:
            best, nx, ny, nz, face = value, x, y, z, 0
            if flat:
                face = k + 1 if sign > 0.0 else -k - 1
            if best > reach:
                break
    return best, nx, ny, nz, face


@kernel
def flat_side(T, s, kind, k):
    """(normal in the axes of the shape, distance from its origin [m]) of side k of a box or
    hull.
    """
    if kind == HULL:
        f = T.ints[s, FACE0] + k
        return T.faces[f, 0], T.faces[f, 1], T.faces[f, 2], T.faces[f, 3]
    h, m = 1.0 if k < 3 else -1.0, k % 3
    return (
        (h if m == 0 else 0.0),
        (h if m == 1 else 0.0),
        (h if m == 2 else 0.0),
        T.numbers[s, m],
    )


@kernel
def lies_over(T, s, kind, k, x, y, z):
    """True if a point in the axes of a box or hull lies over its side k, along the normal."""
    if kind == BOX:
        m = k % 3
        return (
            (m == 0 or abs(x) <= T.numbers[s, 0])
            and (m == 1 or abs(y) <= T.numbers[s, 1])
            and (m == 2 or abs(z) <= T.numbers[s, 2])
        )
    f, v = T.ints[s, FACE0] + k, T.ints[s, VERTEX0]
    first, last = T.face_first[f], T.face_first[f + 1]
    nx, ny, nz = T.faces[f, 0], T.faces[f, 1], T.faces[f, 2]
    a = v + T.loops[last - 1]
    for c in range(first, last):
        b = v + T.loops[c]
        ex, ey, ez = (
            T.vertices[b, 0] - T.vertices[a, 0],
            T.vertices[b, 1] - T.vertices[a, 1],
            T.vertices[b, 2] - T.vertices[a, 2],
        )
        px, py, pz = x - T.vertices[a, 0], y - T.vertices[a, 1], z - T.vertices[a, 2]
        inside = nx * (ey * pz - ez * py) + ny * (ez * px - ex * pz) + nz * (ex * py - ey * px)
        if inside < 0.0:
            return False
        a = b
    return True


@kernel
def over_face(T, W, i, j, face, s, nx, ny, nz):
    """(True, witness on A) if the support of the other shape against a flat side lies over it: then
    the separation s along its normal n is the distance, and for overlapping shapes a locally
    shortest separation.
    """
    X, k = W.placed, abs(face) - 1
    own, other, sign = (i, j, 1.0) if face > 0 else (j, i, -1.0)
    qx, qy, qz = support(T, W, other, -sign * nx, -sign * ny, -sign * nz)
    kind = T.ints[own, KIND]
    x, y, z = inward(X, own, qx - X[own, 0], qy - X[own, 1], qz - X[own, 2])
    over = lies_over(T, own, kind, k, x, y, z)
    if not over and T.ints[other, KIND] == CYLINDER:
        # a line of its side that lies flat, with both ends beyond the face: its middle
        ax, ay, az = outward(X, other, 0.0, 0.0, 1.0)
        if abs(ax * nx + ay * ny + az * nz) < FLAT:
            t = -(ax * (qx - X[own, 0]) + ay * (qy - X[own, 1]) + az * (qz - X[own, 2]))
            h = T.numbers[other, 2]
            up = ax * (qx - X[other, 0]) + ay * (qy - X[other, 1]) + az * (qz - X[other, 2])
            t = min(max(t, -h - up), h - up)
            qx, qy, qz = qx + t * ax, qy + t * ay, qz + t * az
            x, y, z = inward(X, own, qx - X[own, 0], qy - X[own, 1], qz - X[own, 2])
            over = lies_over(T, own, kind, k, x, y, z)
    if face > 0:
        # q is of B: back along n onto the face of A
        qx, qy, qz = qx - s * nx, qy - s * ny, qz - s * nz
    return over, qx, qy, qz


@kernel
def row_of_pair(T, W, i, j):
    """Row of W.pair_rows for a pair of shapes, -1 for a triangle of a mesh.  Another pair that has
    the same row takes it over.
    """
    if T.ints[i, KIND] >= MESH or T.ints[j, KIND] >= MESH:
        return -1
    return (i * 40503 + j) & (W.pair_keys.shape[0] - 1)


@kernel(options=INLINED)
def key_of_pair(T, i, j):
    """Number of a pair of shapes, from 1."""
    return i * T.ints.shape[0] + j + 1


@kernel
def remember(T, W, i, j, row, nx, ny, nz, n):
    """Keep a normal and the n rows of the simplex for the next search of a pair."""
    if row < 0:
        return
    R = W.pair_rows
    W.pair_keys[row] = key_of_pair(T, i, j)
    R[row, 0], R[row, 1], R[row, 2] = inward(W.placed, i, nx, ny, nz)
    R[row, ROWS] = n if n < 4 else 0
    for k in range(n if n < 4 else 0):
        for c in range(6):
            R[row, FIRST_ROW + 6 * k + c] = W.G[k, ON_A + c]


@kernel(options=INLINED)
def has_corners(kind):
    """True for a core that is the convex hull of points."""
    return kind == SPHERE or kind == BOX or kind == CAPSULE or kind == HULL


@kernel(options=INLINED)
def direction(x, y, z, least):
    """A vector of length one, any if it is no longer than `least`."""
    d = math.sqrt(x * x + y * y + z * z)
    if d > least:
        return x / d, y / d, z / d
    return 1.0, 0.0, 0.0


@kernel
def signed_distance(T, W, i, j, reach, guided):
    """(whether the cores are closer than reach, signed distance, unit normal from A to B, witness
    on A).  guided: whether W.toward is a normal that the result is near to.

    A point over a flat side needs no search.  For cores that overlap otherwise: starting with the
    best of the sides, the other shape is moved out along n, the nearest points there give a better
    n, and so on until n converges.  Each step is exact where D is flat, and where it has a radius
    of curvature R the error shrinks by about depth / R.  The search begins with the normal and the
    simplex of the last one of this pair, which are near to the result.
    """
    X, G, n = W.placed, W.G, 0
    size = min(T.numbers[i, BOUND], T.numbers[j, BOUND])
    if T.ints[i, KIND] >= MESH or T.ints[j, KIND] >= MESH:
        size = T.numbers[i, BOUND] if T.ints[j, KIND] >= MESH else T.numbers[j, BOUND]
    row = row_of_pair(T, W, i, j)
    known = row >= 0 and W.pair_keys[row] == key_of_pair(T, i, j)
    nx, ny, nz = X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2]
    if guided:
        nx, ny, nz = W.toward[0], W.toward[1], W.toward[2]
    elif known:
        R = W.pair_rows
        nx, ny, nz = outward(X, i, R[row, 0], R[row, 1], R[row, 2])
    nx, ny, nz = direction(nx, ny, nz, 1e-12 * size)
    s = separation(T, W, i, j, nx, ny, nz)
    # points of round sides would all be near to the result and none of them on it
    cornered = has_corners(T.ints[i, KIND]) and has_corners(T.ints[j, KIND])
    if known and s > -DEEP * size:
        n = int(W.pair_rows[row, ROWS])
        for k in range(n):
            for c in range(6):
                G[k, ON_A + c] = W.pair_rows[row, FIRST_ROW + 6 * k + c]
    elif known and not guided:
        nx, ny, nz = X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2]
        nx, ny, nz = direction(nx, ny, nz, 1e-12 * size)
        s = separation(T, W, i, j, nx, ny, nz)
    face = 0
    if s <= reach:
        s, nx, ny, nz, face = best_side(T, W, i, j, i, 1.0, reach, guided, s, nx, ny, nz, face)
    if s <= reach:
        s, nx, ny, nz, face = best_side(T, W, i, j, j, -1.0, reach, guided, s, nx, ny, nz, face)
    px = py = pz = 0.0
    if s > reach:
        remember(T, W, i, j, row, nx, ny, nz, 0)
        return False, s, nx, ny, nz, px, py, pz
    if s < -DOUBTFUL * size:
        # sides do not tell shapes that overlap from those whose corners are apart
        state, vx, vy, vz, px, py, pz, _, _ = nearest(
            T, W, i, j, 0.0, 0.0, 0.0, nx, ny, nz, reach, 0
        )
        d = math.sqrt(vx * vx + vy * vy + vz * vz)
        n = 0
        if state != INSIDE and d > 1e-6 * size:
            nx, ny, nz = vx / d, vy / d, vz / d
            remember(T, W, i, j, row, nx, ny, nz, 0)
            return state == NEAR and d <= reach, d, nx, ny, nz, px, py, pz
    if face != 0:
        over, px, py, pz = over_face(T, W, i, j, face, s, nx, ny, nz)
        if over:
            remember(T, W, i, j, row, nx, ny, nz, 0)
            return True, s, nx, ny, nz, px, py, pz
    away, close = 0.05 * size, True
    for _step in range(30):
        # far enough for all digits of the direction of v
        o = 0.0 if s > 1e-6 * size else away - s
        state, vx, vy, vz, px, py, pz, n, vw = nearest(
            T, W, i, j, o * nx, o * ny, o * nz, nx, ny, nz, reach if o == 0.0 else 1e300, n
        )
        n = n if cornered else 0
        d = math.sqrt(vx * vx + vy * vy + vz * vz)
        if state == APART:
            s, nx, ny, nz, close = reach, vx / d, vy / d, vz / d, False
            break
        if state == INSIDE or d == 0.0:
            # what was moved apart is not inside, but for rounding
            px, py, pz = support(T, W, i, nx, ny, nz)
            n = 0
            break
        vx, vy, vz = vx / d, vy / d, vz / d
        if o == 0.0:
            s, nx, ny, nz, close = d, vx, vy, vz, d <= reach
            break
        better = vw / d - o * (vx * nx + vy * ny + vz * nz)
        if better <= s + 1e-14 * size:
            break
        s, nx, ny, nz = better, vx, vy, vz
        if s > reach:
            close = False
            break
    remember(T, W, i, j, row, nx, ny, nz, n)
    return close, s, nx, ny, nz, px, py, pz
