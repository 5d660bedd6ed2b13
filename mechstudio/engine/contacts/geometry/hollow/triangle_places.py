"""Places on the triangles of meshes: those near a box by the tree, corners in W, nearest points,
edges and corners that stand out.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.shapes import FACE0, NODE0, NODES, VERTEX0
from mechstudio.engine.contacts.geometry.surfaces import OPEN
from mechstudio.engine.contacts.geometry.vectors import cross, dot, outward
from mechstudio.engine.contacts.geometry.work import HIGH, LOW


@kernel
def look_box(X, i, j, reach, R):
    """The box around shape i in the axes of mesh j, wider by reach, into R[20:26]."""
    cx, cy, cz = (
        0.5 * (X[i, LOW] + X[i, HIGH]) - X[j, 0],
        0.5 * (X[i, LOW + 1] + X[i, HIGH + 1]) - X[j, 1],
        0.5 * (X[i, LOW + 2] + X[i, HIGH + 2]) - X[j, 2],
    )
    hx, hy, hz = (
        0.5 * (X[i, HIGH] - X[i, LOW]),
        0.5 * (X[i, HIGH + 1] - X[i, LOW + 1]),
        0.5 * (X[i, HIGH + 2] - X[i, LOW + 2]),
    )
    for k in range(3):
        c = X[j, 3 + k] * cx + X[j, 6 + k] * cy + X[j, 9 + k] * cz
        h = abs(X[j, 3 + k]) * hx + abs(X[j, 6 + k]) * hy + abs(X[j, 9 + k]) * hz + reach
        R[20 + k], R[23 + k] = c - h, c + h


@kernel
def next_leaf(T, j, node, R):
    """The first leaf from `node` on whose box meets R[20:26], as a number within the mesh; -1 at
    the end.
    """
    base = T.ints[j, NODE0]
    while node < T.ints[j, NODES]:
        n = base + node
        if (
            T.nodes[n, 0] <= R[23]
            and T.nodes[n, 3] >= R[20]
            and T.nodes[n, 1] <= R[24]
            and T.nodes[n, 4] >= R[21]
            and T.nodes[n, 2] <= R[25]
            and T.nodes[n, 5] >= R[22]
        ):
            if T.tree[n, 2] > 0:
                return node
            node += 1
        else:
            node = T.tree[n, 0]
    return -1


@kernel
def load_triangle(T, X, j, t, R):
    """Triangle t of mesh j in W: corners into R[0:9], normal into R[9:12]."""
    for k in range(3):
        v = T.triangles[t, k]
        x, y, z = outward(X, j, T.vertices[v, 0], T.vertices[v, 1], T.vertices[v, 2])
        R[3 * k], R[3 * k + 1], R[3 * k + 2] = X[j, 0] + x, X[j, 1] + y, X[j, 2] + z
    R[9], R[10], R[11] = outward(
        X, j, T.surroundings[t, 0], T.surroundings[t, 1], T.surroundings[t, 2]
    )


@kernel
def region_of(R, x, y, z):
    """(nearest point of the triangle to (x, y, z), its region: 0 face, 1 to 3 edge from corner
    region - 1, 4 to 6 corner region - 4).
    """
    ux, uy, uz = R[3] - R[0], R[4] - R[1], R[5] - R[2]
    vx, vy, vz = R[6] - R[0], R[7] - R[1], R[8] - R[2]
    px, py, pz = x - R[0], y - R[1], z - R[2]
    d1, d2 = dot(ux, uy, uz, px, py, pz), dot(vx, vy, vz, px, py, pz)
    if d1 <= 0.0 and d2 <= 0.0:
        return R[0], R[1], R[2], 4
    qx, qy, qz = x - R[3], y - R[4], z - R[5]
    d3, d4 = dot(ux, uy, uz, qx, qy, qz), dot(vx, vy, vz, qx, qy, qz)
    if d3 >= 0.0 and d4 <= d3:
        return R[3], R[4], R[5], 5
    qx, qy, qz = x - R[6], y - R[7], z - R[8]
    d5, d6 = dot(ux, uy, uz, qx, qy, qz), dot(vx, vy, vz, qx, qy, qz)
    if d6 >= 0.0 and d5 <= d6:
        return R[6], R[7], R[8], 6
    wc = d1 * d4 - d3 * d2
    if wc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        t = d1 / (d1 - d3)
        return R[0] + t * ux, R[1] + t * uy, R[2] + t * uz, 1
    wb = d5 * d2 - d1 * d6
    if wb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        t = d2 / (d2 - d6)
        return R[0] + t * vx, R[1] + t * vy, R[2] + t * vz, 3
    wa = d3 * d6 - d5 * d4
    if wa <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        t = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return R[3] + t * (R[6] - R[3]), R[4] + t * (R[7] - R[4]), R[5] + t * (R[8] - R[5]), 2
    s = 1.0 / (wa + wb + wc)
    b, c = wb * s, wc * s
    return R[0] + b * ux + c * vx, R[1] + b * uy + c * vy, R[2] + b * uz + c * vz, 0


@kernel
def edge_code(T, t, k):
    """Code of edge k of triangle t: the kind of neighbour beyond it."""
    return int(T.surroundings[t, 7 + 4 * k])


@kernel
def rises(T, s, v, nx, ny, nz, lean):
    """True if mesh s rises from its corner v along n, given in its axes, but for an angle of sine
    `lean`.
    """
    base, face = T.ints[s, VERTEX0], T.ints[s, FACE0] + v - T.ints[s, VERTEX0]
    for k in range(T.face_first[face], T.face_first[face + 1]):
        w = base + T.loops[k]
        ex, ey, ez = (
            T.vertices[w, 0] - T.vertices[v, 0],
            T.vertices[w, 1] - T.vertices[v, 1],
            T.vertices[w, 2] - T.vertices[v, 2],
        )
        up = dot(ex, ey, ez, nx, ny, nz)
        if up < 0.0 and up * up > lean * lean * dot(ex, ey, ez, ex, ey, ez):
            return False
    return True


@kernel
def falls(ux, uy, uz, fx, fy, fz, gx, gy, gz, code, nx, ny, nz, lean):
    """True if both faces beside an edge u recede from it against n; f: normal of the face left of
    u, g: of the one beyond; lean as for corners.
    """
    tx, ty, tz = cross(fx, fy, fz, ux, uy, uz)
    most = lean * math.sqrt(dot(ux, uy, uz, ux, uy, uz))
    if dot(tx, ty, tz, nx, ny, nz) > most:
        return False
    if code == OPEN:
        return True
    tx, ty, tz = cross(ux, uy, uz, gx, gy, gz)
    return dot(tx, ty, tz, nx, ny, nz) <= most
