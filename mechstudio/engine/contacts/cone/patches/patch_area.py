"""Area of flat patches: corners and rims of two flat sides that lie on each other, cells of their
common area, and the pressure over it.

The pressure is linear over the area and above zero, p = max(0, a + b x + c y), with the sum and the
moments of the normal impulses of the corners.
"""

import math

from mechstudio.engine.contacts.cone.problem import (
    ARM_B,
    GRAIN_WIDTH,
    PATCH_INTS,
    PATCH_WIDTH,
    U,
    W,
)
from mechstudio.engine.contacts.contact_kernels import INLINED, kernel
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CONE,
    CYLINDER,
    DISC,
    HULL,
    PLANE,
)
from mechstudio.engine.contacts.geometry.vectors import cross

# patches (integers): contacts, rows and grains from - to, whether its pressure is spread (else all
# of it is on an edge, with friction at the corners), whether it has been solved in the step
FIRST, LAST, ROW0, ROW1, GRAIN0, GRAIN1, SPREAD, SOLVED = range(PATCH_INTS)
# places: middle of the corners from the first contact along u, w and n [m], extent of the corners
# about it [m], friction; right side of the rows as a slip of the middle and a spin; slip and spin
# that give the directions of friction; moments of the area over powers of the extent: AREA of order
# 0 to AREA_YY of order 2 [m^2]
X, Y, Z, EXTENT, RUB, R_U, R_W, R_SPIN, TO_U, TO_W, TO_SPIN = range(11)
AREA, AREA_X, AREA_Y, AREA_XX, AREA_XY, AREA_YY = range(11, PATCH_WIDTH)
# grains: place from the middle [m], area [m^2], largest friction [N s], its direction along u and w
G_X, G_Y, G_AREA, G_MOST, G_U, G_W = range(GRAIN_WIDTH)
# corners while a patch is cut: place from the middle, angle
C_X, C_Y, C_ANGLE = 0, 1, 2
_ALONG, DEEP = 4, 5  # grains of a cell
OF_CELL = _ALONG * DEEP
CORNER = 2  # of S.shared: a corner of a patch that may share its friction
STRAIGHT = 1.0 - 1e-9  # cosine between normals of one patch
LEVEL = 1e-4  # of the extent: largest difference of height between points of a flat patch
THIN = 1e-3  # width over length of the corners below which a patch is a line
RIM_OCTAGON = math.cos(math.pi / 8.0)  # of features.py's rim, seen from the middle of its edges
ON_RIM = 1e-4  # of its radius
FEW, MANY = 6, 16  # corners up to which cells are cut as finely
FARTHEST = 3.0  # largest distance of a cell's friction from its middle, in extents of the cell
TURNS = 12  # iterations of the pressure until it is positive


@kernel(options=INLINED)
def is_flat(kind):
    """True for a kind of shape whose flat sides touch at all of their corners or rims."""
    return (
        kind == PLANE
        or kind == BOX
        or kind == CYLINDER
        or kind == CONE
        or kind == DISC
        or kind == HULL
    )


@kernel(options=INLINED)
def offset(F, i, j, at):
    """Contact j from contact i along i's axis `at`."""
    # arms of one mover; ground's too
    return (
        F[i, at] * (F[j, ARM_B] - F[i, ARM_B])
        + F[i, at + 1] * (F[j, ARM_B + 1] - F[i, ARM_B + 1])
        + F[i, at + 2] * (F[j, ARM_B + 2] - F[i, ARM_B + 2])
    )


@kernel
def middle_of(P, i, j):
    """(x, y from contact i along its axes, extent) of the middle of contacts i to j [m]."""
    F = P.frame
    x = y = 0.0
    for k in range(i, j):
        x, y = x + offset(F, i, k, U), y + offset(F, i, k, W)
    n = j - i
    x, y, square = x / n, y / n, 0.0
    for k in range(i, j):
        square += (offset(F, i, k, U) - x) ** 2 + (offset(F, i, k, W) - y) ** 2
    return x, y, math.sqrt(square / n)


@kernel
def rigid_slip(F, rates, corner, least, i, j, x, y):
    """(slip along u and w at the place (x, y) from contact i [m/s], spin [rad/s]) of those of
    contacts i to j whose `corner` is at least `least`, from the tangential numbers of `rates`.
    """
    n, at_x, at_y, u, w = 0, 0.0, 0.0, 0.0, 0.0
    for k in range(i, j):
        if corner[k] < least:
            continue
        at_x, at_y = at_x + offset(F, i, k, U), at_y + offset(F, i, k, W)
        u, w, n = u + rates[k, 1], w + rates[k, 2], n + 1
    at_x, at_y, u, w, turn, square = at_x / n, at_y / n, u / n, w / n, 0.0, 0.0
    for k in range(i, j):
        if corner[k] < least:
            continue
        a, b = offset(F, i, k, U) - at_x, offset(F, i, k, W) - at_y
        turn += a * rates[k, 2] - b * rates[k, 1]
        square += a * a + b * b
    spin = turn / square if square > 0.0 else 0.0
    return u - spin * (y - at_y), w + spin * (x - at_x), spin


@kernel
def take_corners(P, S, points, i, j):
    """P.corners <- the corners of a flat patch among contacts i to j, from their middle and
    counter-clockwise about it.  Returns their number, 0 where they are no patch; that middle (x, y)
    from contact i; the same at the places of the impulses, (x, y, z) along the axes of contact i;
    and their extent about it.  S.shared of corners <- CORNER.  Other contacts of the two shapes,
    such as the upper rim of a thin disc, are above the patch.
    """
    C, F, p, least = P.corners, P.frame, S.order[i], math.inf
    _x, _y, extent = middle_of(P, i, j)
    for k in range(i, j):
        least = min(least, points.gap[S.order[k]])
    count, x, y, at_x, at_y, at_z = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(i, j):
        q = S.order[k]
        straight = (
            points.normal[p, 0] * points.normal[q, 0]
            + points.normal[p, 1] * points.normal[q, 1]
            + points.normal[p, 2] * points.normal[q, 2]
        )
        if points.gap[q] > least + LEVEL * extent or straight < STRAIGHT:
            continue
        dx, dy, dz = (
            points.point[q, 0] - points.point[p, 0],
            points.point[q, 1] - points.point[p, 1],
            points.point[q, 2] - points.point[p, 2],
        )
        C[count, C_X] = F[i, U] * dx + F[i, U + 1] * dy + F[i, U + 2] * dz
        C[count, C_Y] = F[i, W] * dx + F[i, W + 1] * dy + F[i, W + 2] * dz
        x, y, count = x + C[count, C_X], y + C[count, C_Y], count + 1
        at_x, at_y = at_x + offset(F, i, k, U), at_y + offset(F, i, k, W)
        at_z += offset(F, i, k, 0)
        S.shared[k] = CORNER
    if count < 3:
        return 0, x, y, at_x, at_y, at_z, 0.0
    at_x, at_y, at_z = at_x / count, at_y / count, at_z / count
    x, y, xx, xy, yy = x / count, y / count, 0.0, 0.0, 0.0
    for c in range(count):
        a, b = C[c, C_X] - x, C[c, C_Y] - y
        xx, xy, yy, angle = xx + a * a, xy + a * b, yy + b * b, math.atan2(b, a)
        at = c
        while at > 0 and C[at - 1, C_ANGLE] > angle:
            for e in range(3):
                C[at, e] = C[at - 1, e]
            at -= 1
        C[at, C_X], C[at, C_Y], C[at, C_ANGLE] = a, b, angle
    half, gap = 0.5 * (xx + yy), math.hypot(0.5 * (xx - yy), xy)
    flat = half - gap > THIN * THIN * (half + gap)
    return (count if flat else 0), x, y, at_x, at_y, at_z, math.sqrt((xx + yy) / count)


@kernel
def turned(Q, i, at, x, y, z):
    """A vector turned by the unit quaternion that begins at column `at` of row i."""
    a, b, c, d = Q[i, at], Q[i, at + 1], Q[i, at + 2], Q[i, at + 3]
    px, py, pz = cross(b, c, d, x, y, z)
    rx, ry, rz = cross(b, c, d, px, py, pz)
    return x + 2.0 * (a * px + rx), y + 2.0 * (a * py + ry), z + 2.0 * (a * pz + rz)


@kernel
def rim_of(S, table, points, F, i, end, x, y):
    """(centre from the middle (x, y) of a patch along u and w of contact i, radius) of the flat
    round end with which a side of it lies there [m]; a radius of 0 for other shapes.
    """
    p = S.order[i]
    shape = points.shape_b[p] if end else points.shape_a[p]
    body = points.body_b[p] if end else points.body_a[p]
    kind = table.kind[shape]
    if kind != CYLINDER and kind != DISC and kind != CONE:
        return 0.0, 0.0, 0.0
    ox, oy, oz = table.place[shape, 0], table.place[shape, 1], table.place[shape, 2]
    ax, ay, az = turned(table.turn, shape, 0, 0.0, 0.0, 1.0)
    if body >= 0:
        ox, oy, oz = turned(S.poses, body, 3, ox, oy, oz)
        ax, ay, az = turned(S.poses, body, 3, ax, ay, az)
        ox, oy, oz = ox + S.poses[body, 0], oy + S.poses[body, 1], oz + S.poses[body, 2]
    up = F[i, 0] * ax + F[i, 1] * ay + F[i, 2] * az
    top = (up > 0.0) != (end == 1)
    half = table.size[shape, 2] if top else -table.size[shape, 2]
    dx, dy, dz = (
        ox + half * ax - points.point[p, 0],
        oy + half * ay - points.point[p, 1],
        oz + half * az - points.point[p, 2],
    )
    return (
        F[i, U] * dx + F[i, U + 1] * dy + F[i, U + 2] * dz - x,
        F[i, W] * dx + F[i, W + 1] * dy + F[i, W + 2] * dz - y,
        table.size[shape, 1 if top else 0],
    )


@kernel(options=INLINED)
def is_arc(ax, ay, bx, by, cx, cy, radius):
    """True if the edge from a to b approximates an arc of the rim about c."""
    if radius <= 0.0:
        return False
    ax, ay, bx, by = ax - cx, ay - cy, bx - cx, by - cy
    near = ON_RIM * radius
    if abs(math.hypot(ax, ay) - radius) < near and abs(math.hypot(bx, by) - radius) < near:
        return True
    length = math.hypot(bx - ax, by - ay)
    return length > near and abs(abs(ax * by - ay * bx) / length - RIM_OCTAGON * radius) < near


@kernel(options=INLINED)
def out_to_rim(x, y, cx, cy, radius):
    """Factor that brings (x, y), drawn from the middle, onto the rim about c."""
    along, square = x * cx + y * cy, x * x + y * y
    under = along * along - square * (cx * cx + cy * cy - radius * radius)
    return (along + math.sqrt(max(under, 0.0))) / square


@kernel
def cut(P, count, a_x, a_y, a_r, b_x, b_y, b_r, grain, fine):
    """P.grains from `grain` on <- the area of the patch with the corners P.corners, cell by cell;
    a, b: rims of its sides; fine: more cells if there are few corners.  Returns the
    number after the last grain.
    """
    C, G = P.corners, P.grains
    across = 2 if fine and count <= FEW else 1
    deep = 2 if fine and count <= MANY else 1
    for c in range(count):
        d = c + 1 if c + 1 < count else 0
        ax, ay, bx, by = C[c, C_X], C[c, C_Y], C[d, C_X], C[d, C_Y]
        area = 0.5 * max(ax * by - ay * bx, 0.0)
        round_a = is_arc(ax, ay, bx, by, a_x, a_y, a_r)
        round_b = is_arc(ax, ay, bx, by, b_x, b_y, b_r)
        for cell in range(across * deep):
            for k in range(_ALONG * DEEP):
                part = ((cell // deep) * _ALONG + k // DEEP + 0.5) / (_ALONG * across)
                ring = (cell % deep) * DEEP + k % DEEP
                rings = DEEP * deep
                # rings of the same width, each at the middle of its area
                low, high = ring / rings, (ring + 1.0) / rings
                out = 2.0 / 3.0 * (low * low + low * high + high * high) / (low + high)
                x, y, far = ax + part * (bx - ax), ay + part * (by - ay), 1.0
                if round_a or round_b:
                    far = math.inf
                    if a_r > 0.0:
                        far = min(far, out_to_rim(x, y, a_x, a_y, a_r))
                    if b_r > 0.0:
                        far = min(far, out_to_rim(x, y, b_x, b_y, b_r))
                    far = max(far, 1.0)
                G[grain, G_X], G[grain, G_Y] = far * out * x, far * out * y
                G[grain, G_AREA] = area * far * far * (high * high - low * low) / (_ALONG * across)
                G[grain, G_MOST] = 0.0
                grain += 1
    return grain


@kernel
def set_area(P, n):
    """Moments of the area of patch n from its grains."""
    A, G, e = P.places, P.grains, P.places[n, EXTENT]
    for column in range(AREA, AREA_YY + 1):
        A[n, column] = 0.0
    for k in range(P.patches[n, GRAIN0], P.patches[n, GRAIN1]):
        x, y, w = G[k, G_X] / e, G[k, G_Y] / e, G[k, G_AREA]
        A[n, AREA] += w
        A[n, AREA_X] += w * x
        A[n, AREA_Y] += w * y
        A[n, AREA_XX] += w * x * x
        A[n, AREA_XY] += w * x * y
        A[n, AREA_YY] += w * y * y


@kernel
def set_directions(P, n):
    """Directions of friction of the grains of patch n from its slip and spin; zero at the pole."""
    A, G = P.places, P.grains
    u, w, spin = A[n, TO_U], A[n, TO_W], A[n, TO_SPIN]
    for k in range(P.patches[n, GRAIN0], P.patches[n, GRAIN1]):
        a, b = u - spin * G[k, G_Y], w + spin * G[k, G_X]
        speed = math.sqrt(a * a + b * b)
        G[k, G_U], G[k, G_W] = 0.0, 0.0
        if speed > 0.0:
            G[k, G_U], G[k, G_W] = a / speed, b / speed


@kernel
def spread_pressure(P, n, shift):
    """Largest friction of the grains of patch n from the normal impulses of its corners, at `shift`
    rows further in gamma: mu times the linear pressure, above zero, of the same sum and moments.
    Returns False if there is none, since the load of the corners is on an edge.
    """
    I, A, G, F = P.patches, P.places, P.grains, P.frame
    i, first, last, e = I[n, FIRST], I[n, GRAIN0], I[n, GRAIN1], A[n, EXTENT]
    total = mx = my = 0.0
    for k in range(i, I[n, LAST]):
        g = P.gamma[k + shift, 0]
        total += g
        mx += g * (offset(F, i, k, U) - A[n, X]) / e
        my += g * (offset(F, i, k, W) - A[n, Y]) / e
    if not total > 0.0:
        for k in range(first, last):
            G[k, G_MOST] = 0.0
        return True
    s0, sx, sy = A[n, AREA], A[n, AREA_X], A[n, AREA_Y]
    xx, xy, yy, found = A[n, AREA_XX], A[n, AREA_XY], A[n, AREA_YY], False
    a = b = c = 0.0
    for turn in range(TURNS):
        if turn > 0:
            s0 = sx = sy = xx = xy = yy = p0 = px = py = 0.0
            for k in range(first, last):
                x, y, w = G[k, G_X] / e, G[k, G_Y] / e, G[k, G_AREA]
                p = a + b * x + c * y
                if p > 0.0:
                    s0, sx, sy = s0 + w, sx + w * x, sy + w * y
                    xx, xy, yy = xx + w * x * x, xy + w * x * y, yy + w * y * y
                    p0, px, py = p0 + w * p, px + w * p * x, py + w * p * y
            if abs(p0 - total) + abs(px - mx) + abs(py - my) < 1e-9 * total:
                found = True
                break
        # by Cramer's rule
        c0, c1, c2 = xx * yy - xy * xy, sy * xy - sx * yy, sx * xy - sy * xx
        det = s0 * c0 + sx * c1 + sy * c2
        if not det > 1e-9 * s0 * s0 * s0:
            break
        a = (total * c0 + mx * c1 + my * c2) / det
        b = (total * c1 + mx * (s0 * yy - sy * sy) + my * (sx * sy - s0 * xy)) / det
        c = (total * c2 + mx * (sx * sy - s0 * xy) + my * (s0 * xx - sx * sx)) / det
    if found:
        for k in range(first, last):
            p = a + b * G[k, G_X] / e + c * G[k, G_Y] / e
            G[k, G_MOST] = A[n, RUB] * G[k, G_AREA] * max(p, 0.0)
    return found


@kernel
def friction_place(A, n, fu, fw, moment, total, cx, cy, square):
    """(x, y from the middle, force) of the one friction that equals that of grains of patch n: of
    this force and moment, with these sums of their largest frictions, times places, and times the
    squares of distances.
    """
    u, w, spin = A[n, TO_U], A[n, TO_W], A[n, TO_SPIN]
    cx, cy = cx / total, cy / total
    force = math.hypot(fu, fw)
    if not force > 0.0:
        return cx, cy, 0.0
    far = FARTHEST * math.sqrt(max(square / total - cx * cx - cy * cy, 0.0))
    a, b = fu / force, fw / force
    # along the friction as far as the slip there is along it, across it as its moment asks
    along, across = a * cx + b * cy, a * cy - b * cx
    if abs(spin) * far > 0.0:
        along += min(max((b * u - a * w) / spin - along, -far), far)
    across += min(max(-moment / force - across, -far), far)
    return a * along - b * across, b * along + a * across, force


@kernel
def cell_friction(P, n, grain):
    """(x, y from the middle, most of the friction) of the cell of patch n that begins at a grain:
    what its grains do at the patch's slip.  A cell without pressure is at the place of even
    pressure, since a crowd may press on it before places are found again.
    """
    A, G = P.places, P.grains
    fu = fw = moment = total = cx = cy = square = pressed = 0.0
    for k in range(grain, grain + OF_CELL):
        pressed += G[k, G_MOST]
    for k in range(grain, grain + OF_CELL):
        x, y, most = G[k, G_X], G[k, G_Y], G[k, G_MOST] if pressed > 0.0 else G[k, G_AREA]
        a, b = G[k, G_U], G[k, G_W]
        fu, fw, moment = fu + most * a, fw + most * b, moment + most * (x * b - y * a)
        total, cx, cy = total + most, cx + most * x, cy + most * y
        square += most * (x * x + y * y)
    if not total > 0.0:
        # a cell without area, between corners at the same place
        return 0.0, 0.0, 0.0
    x, y, force = friction_place(A, n, fu, fw, moment, total, cx, cy, square)
    return x, y, force if pressed > 0.0 else 0.0


@kernel
def spin_limit(P, n):
    """Moment of the friction of patch n where it turns about the middle of its pressure [N m s]."""
    G, total, x, y, moment = P.grains, 0.0, 0.0, 0.0, 0.0
    for k in range(P.patches[n, GRAIN0], P.patches[n, GRAIN1]):
        total += G[k, G_MOST]
        x += G[k, G_MOST] * G[k, G_X]
        y += G[k, G_MOST] * G[k, G_Y]
    if not total > 0.0:
        return 0.0
    for k in range(P.patches[n, GRAIN0], P.patches[n, GRAIN1]):
        a, b = G[k, G_X] - x / total, G[k, G_Y] - y / total
        moment += G[k, G_MOST] * math.sqrt(a * a + b * b)
    return moment
