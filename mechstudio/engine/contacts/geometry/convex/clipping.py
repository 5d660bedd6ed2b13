"""The contacts between two features, polygons seen along the normal: their common area, with the
gap at each of its corners.

A feature is written into P[side] (rows x, y in the tangent plane, z along the normal) and
label[side] (a name of the corner, a name of the edge that begins there), corners counter-clockwise
seen along the normal, which goes from the first side to the second.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.vectors import inward, put

A_CORNER, B_CORNER, CROSSING = range(3)
_NAME_BITS = 12


@kernel
def name_of(kind, a, b):
    """Name of a contact point as one integer, from its kind and the features a and b."""
    return (kind << (2 * _NAME_BITS)) | ((a & 4095) << _NAME_BITS) | (b & 4095)


@kernel
def height(P, side, slope_x, slope_y, x, y):
    """z of a feature's plane over (x, y)."""
    return P[side, 0, 2] + slope_x * (x - P[side, 0, 0]) + slope_y * (y - P[side, 0, 1])


@kernel
def to_frame(X, s, F, P, side, count):
    """Turn the corners of a feature from the axes of shape s into the frame F."""
    ux, uy, uz = inward(X, s, F[1, 0], F[1, 1], F[1, 2])
    wx, wy, wz = inward(X, s, F[2, 0], F[2, 1], F[2, 2])
    nx, ny, nz = inward(X, s, F[3, 0], F[3, 1], F[3, 2])
    ox, oy, oz = X[s, 0] - F[0, 0], X[s, 1] - F[0, 1], X[s, 2] - F[0, 2]
    u0, w0, n0 = (
        ox * F[1, 0] + oy * F[1, 1] + oz * F[1, 2],
        ox * F[2, 0] + oy * F[2, 1] + oz * F[2, 2],
        ox * F[3, 0] + oy * F[3, 1] + oz * F[3, 2],
    )
    for c in range(count):
        x, y, z = P[side, c, 0], P[side, c, 1], P[side, c, 2]
        P[side, c, 0] = u0 + ux * x + uy * y + uz * z
        P[side, c, 1] = w0 + wx * x + wy * y + wz * z
        P[side, c, 2] = n0 + nx * x + ny * y + nz * z


@kernel
def slopes(F, nx, ny, nz):
    """Of a plane with the normal n, seen in F."""
    x = nx * F[1, 0] + ny * F[1, 1] + nz * F[1, 2]
    y = nx * F[2, 0] + ny * F[2, 1] + nz * F[2, 2]
    z = nx * F[3, 0] + ny * F[3, 1] + nz * F[3, 2]
    return -x / z, -y / z


@kernel
def clip_polygons(P, label, na, nb, slope_x, slope_y, slack, near, F, reach, out, feature, count):
    """Contacts at the corners of the common area of polygon A (P[0], na corners) and polygon B
    (P[1], nb corners).

    slope_x, slope_y: of A's plane in the frame F (its rows: origin, u, w, n); B's heights are
    carried along.  slack [m]: how far beyond A's edges a corner of B still counts as inside, so
    that aligned edges do not flicker.  near [m]: of two contacts nearer than that the deeper one
    stays.
    Sutherland and Hodgman 1974; gap = z_B - z_A.
    """
    src, dst = 1, 2
    # label columns of the clipped polygon: kind of corner, its a and b, kind of edge that begins
    # (0: of B, 1: of A), its name
    n = nb
    for k in range(nb):
        label[1, k, 2], label[1, k, 3], label[1, k, 4], label[1, k, 5] = (
            B_CORNER,
            0,
            label[1, k, 0],
            0,
        )
    for e in range(na):
        f = e + 1 if e + 1 < na else 0
        ax, ay = P[0, e, 0], P[0, e, 1]
        ex, ey = P[0, f, 0] - ax, P[0, f, 1] - ay
        length = math.sqrt(ex * ex + ey * ey)
        if length < 1e-14:
            continue
        ex, ey = ex / length, ey / length
        m = 0
        last = n - 1
        px, py, pz = P[src, last, 0], P[src, last, 1], P[src, last, 2]
        dp = ex * (py - ay) - ey * (px - ax) + slack
        for k in range(n):
            x, y, z = P[src, k, 0], P[src, k, 1], P[src, k, 2]
            d = ex * (y - ay) - ey * (x - ax) + slack
            if (d >= 0.0) != (dp >= 0.0) and m < P.shape[1]:
                s = dp / (dp - d)
                P[dst, m, 0], P[dst, m, 1], P[dst, m, 2] = (
                    px + s * (x - px),
                    py + s * (y - py),
                    pz + s * (z - pz),
                )
                # the edge from the corner before to this one begins at the corner before
                if label[src, last, 5] == 0:
                    label[dst, m, 2], label[dst, m, 3], label[dst, m, 4] = (
                        CROSSING,
                        label[0, e, 1],
                        label[src, last, 1],
                    )
                else:
                    # two edges of A meet: its own corner; seen from either edge it is the same one
                    own = (
                        label[0, e, 0]
                        if label[src, last, 1] == label[0, e - 1 if e else na - 1, 1]
                        else label[0, f, 0]
                    )
                    label[dst, m, 2], label[dst, m, 3], label[dst, m, 4] = A_CORNER, own, 0
                if d >= 0.0:
                    label[dst, m, 1], label[dst, m, 5] = label[src, last, 1], label[src, last, 5]
                else:
                    label[dst, m, 1], label[dst, m, 5] = label[0, e, 1], 1
                m += 1
            if d >= 0.0 and m < P.shape[1]:
                P[dst, m, 0], P[dst, m, 1], P[dst, m, 2] = x, y, z
                for c in range(1, 6):
                    label[dst, m, c] = label[src, k, c]
                m += 1
            px, py, pz, dp, last = x, y, z, d, k
        n = m
        src, dst = dst, (3 if dst == 2 else 2)
        if n == 0:
            return count
    begin = count
    for k in range(n):
        x, y, z = P[src, k, 0], P[src, k, 1], P[src, k, 2]
        low = height(P, 0, slope_x, slope_y, x, y)
        gap = z - low
        if gap > reach:
            continue
        key = name_of(label[src, k, 2], label[src, k, 3], label[src, k, 4])
        count = emit(F, x, y, 0.5 * (z + low), gap, key, near, begin, out, feature, count)
    return count


@kernel
def emit(F, x, y, z, gap, key, near, begin, out, feature, count):
    """Write a contact given in the frame F; of two that lie within `near` of each other the deeper
    one stays.
    """
    px = F[0, 0] + x * F[1, 0] + y * F[2, 0] + z * F[3, 0]
    py = F[0, 1] + x * F[1, 1] + y * F[2, 1] + z * F[3, 1]
    pz = F[0, 2] + x * F[1, 2] + y * F[2, 2] + z * F[3, 2]
    for c in range(begin, count):
        if abs(out[c, 1] - px) + abs(out[c, 2] - py) + abs(out[c, 3] - pz) < near:
            if gap < out[c, 0]:
                put(out, feature, c, key, gap, px, py, pz, F[3, 0], F[3, 1], F[3, 2])
            return count
    return put(out, feature, count, key, gap, px, py, pz, F[3, 0], F[3, 1], F[3, 2])


@kernel
def clip_line(
    P, label, line, n, slope_x, slope_y, slack, near, ra, rb, F, reach, out, feature, count
):
    """Contacts of a line (P[line], 2 corners) and the polygon of the other side (n corners): both
    ends of the part that lies over it.

    ra, rb [m]: radii about the cores of A and B.   slopes: of the polygon's plane.
    """
    other = 1 - line
    x0, y0 = P[line, 0, 0], P[line, 0, 1]
    dx, dy = P[line, 1, 0] - x0, P[line, 1, 1] - y0
    t0, t1 = 0.0, 1.0
    own = A_CORNER if line == 0 else B_CORNER
    name0, name1 = (
        name_of(own, label[line, 0, 0], label[line, 0, 0]),
        name_of(own, label[line, 1, 0], label[line, 1, 0]),
    )
    for e in range(n):
        f = e + 1 if e + 1 < n else 0
        ax, ay = P[other, e, 0], P[other, e, 1]
        ex, ey = P[other, f, 0] - ax, P[other, f, 1] - ay
        length = math.sqrt(ex * ex + ey * ey)
        if length < 1e-14:
            continue
        d = (ex * (y0 - ay) - ey * (x0 - ax)) / length + slack
        rate = (ex * dy - ey * dx) / length
        if d + t0 * rate < 0.0 and d + t1 * rate < 0.0:
            return count
        if d + t0 * rate < 0.0:
            t0 = -d / rate
            name0 = name_of(CROSSING, 0, label[other, e, 1])
        elif d + t1 * rate < 0.0:
            t1 = -d / rate
            name1 = name_of(CROSSING, 1, label[other, e, 1])
    return line_ends(
        P,
        line,
        t0,
        t1,
        name0,
        name1,
        slope_x,
        slope_y,
        near,
        ra,
        rb,
        F,
        reach,
        out,
        feature,
        count,
    )


@kernel
def line_ends(
    P, line, t0, t1, name0, name1, slope_x, slope_y, near, ra, rb, F, reach, out, feature, count
):
    """Contacts at both ends, from the fraction t0 to t1, of the part of a line that lies over the
    plane of the other side.
    """
    other = 1 - line
    x0, y0, z0 = P[line, 0, 0], P[line, 0, 1], P[line, 0, 2]
    dx, dy, dz = P[line, 1, 0] - x0, P[line, 1, 1] - y0, P[line, 1, 2] - z0
    begin = count
    for end in range(2):
        t = t1 if end else t0
        x, y, z = x0 + t * dx, y0 + t * dy, z0 + t * dz
        over = height(P, other, slope_x, slope_y, x, y)
        low, high = (z + ra, over - rb) if line == 0 else (over + ra, z - rb)
        if high - low <= reach:
            count = emit(
                F,
                x,
                y,
                0.5 * (low + high),
                high - low,
                name1 if end else name0,
                near,
                begin,
                out,
                feature,
                count,
            )
    return count


@kernel
def overlap_lines(P, label, ra, rb, near, F, reach, out, feature, count):
    """Contacts of two lines parallel within a few degrees: both ends of their common part."""
    ax, ay = P[0, 1, 0] - P[0, 0, 0], P[0, 1, 1] - P[0, 0, 1]
    bx, by = P[1, 1, 0] - P[1, 0, 0], P[1, 1, 1] - P[1, 0, 1]
    a, b = math.sqrt(ax * ax + ay * ay), math.sqrt(bx * bx + by * by)
    if a < 1e-14 or b < 1e-14 or abs(ax * by - ay * bx) > 0.05 * a * b:
        return count
    ax, ay = ax / a, ay / a
    s0 = (P[1, 0, 0] - P[0, 0, 0]) * ax + (P[1, 0, 1] - P[0, 0, 1]) * ay
    s1 = (P[1, 1, 0] - P[0, 0, 0]) * ax + (P[1, 1, 1] - P[0, 0, 1]) * ay
    # names of the ends: the line of the end
    first, second = (0, 1) if s0 <= s1 else (1, 0)
    low, high = (s0, s1) if s0 <= s1 else (s1, s0)
    begin = count
    for end in range(2):
        if end:
            own = a <= high
            s, name = (
                (a, name_of(A_CORNER, label[0, 1, 0], 0))
                if own
                else (high, name_of(B_CORNER, 0, label[1, second, 0]))
            )
        else:
            own = low <= 0.0
            s, name = (
                (0.0, name_of(A_CORNER, label[0, 0, 0], 0))
                if own
                else (low, name_of(B_CORNER, 0, label[1, first, 0]))
            )
        if (end and s < max(low, 0.0)) or (not end and s > min(high, a)):
            return begin
        t = min(max((s - s0) / (s1 - s0), 0.0), 1.0)
        u = s / a
        x = 0.5 * (
            P[0, 0, 0] + u * (P[0, 1, 0] - P[0, 0, 0]) + P[1, 0, 0] + t * (P[1, 1, 0] - P[1, 0, 0])
        )
        y = 0.5 * (
            P[0, 0, 1] + u * (P[0, 1, 1] - P[0, 0, 1]) + P[1, 0, 1] + t * (P[1, 1, 1] - P[1, 0, 1])
        )
        bottom = P[0, 0, 2] + u * (P[0, 1, 2] - P[0, 0, 2]) + ra
        top = P[1, 0, 2] + t * (P[1, 1, 2] - P[1, 0, 2]) - rb
        if top - bottom <= reach:
            count = emit(
                F, x, y, 0.5 * (bottom + top), top - bottom, name, near, begin, out, feature, count
            )
    return count
