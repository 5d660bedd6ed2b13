"""Boxes with spheres and boxes."""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.clipping import (
    CROSSING,
    clip_polygons,
    emit,
    name_of,
    slopes,
    to_frame,
)
from mechstudio.engine.contacts.geometry.shapes import CONVEX
from mechstudio.engine.contacts.geometry.vectors import (
    cross,
    dot,
    inward,
    local,
    outward,
    put,
    tangents,
)
from mechstudio.engine.contacts.geometry.work import DRIFT, SPIN
from mechstudio.engine.contacts.kernel_calls import call

THIRDS = 30  # iterations of the search for the nearest point of a path: each leaves two thirds


@kernel
def sphere_box(T, W, i, j, reach):
    """The nearest point of the box; of a centre inside, the nearest side."""
    X, size, out, feature = W.placed, T.numbers, W.out, W.feature
    px, py, pz = local(X, j, X[i, 0], X[i, 1], X[i, 2])
    hx, hy, hz = size[j, 0], size[j, 1], size[j, 2]
    qx, qy, qz = min(max(px, -hx), hx), min(max(py, -hy), hy), min(max(pz, -hz), hz)
    dx, dy, dz = px - qx, py - qy, pz - qz
    d = math.sqrt(dx * dx + dy * dy + dz * dz)
    radius = size[i, 0]
    if d - radius > reach:
        return 0
    if d > 1e-12 * (hx + hy + hz):
        nx, ny, nz = dx / d, dy / d, dz / d
    else:
        nx = ny = nz = 0.0
        ox, oy, oz = abs(px) - hx, abs(py) - hy, abs(pz) - hz
        if ox >= oy and ox >= oz:
            nx, d = math.copysign(1.0, px), ox
            qx = math.copysign(hx, px)
        elif oy >= oz:
            ny, d = math.copysign(1.0, py), oy
            qy = math.copysign(hy, py)
        else:
            nz, d = math.copysign(1.0, pz), oz
            qz = math.copysign(hz, pz)
    gap = d - radius
    qx, qy, qz = outward(X, j, qx + 0.5 * gap * nx, qy + 0.5 * gap * ny, qz + 0.5 * gap * nz)
    nx, ny, nz = outward(X, j, nx, ny, nz)
    return put(out, feature, 0, 0, gap, X[j, 0] + qx, X[j, 1] + qy, X[j, 2] + qz, -nx, -ny, -nz)


@kernel
def least_distance(px, py, pz, tx, ty, tz, hx, hy, hz):
    """The least distance of a point from a box (half sides h) on its straight path from p to p + t,
    in the box's axes: convex along the path, so that a search by thirds finds it.
    """
    low, high, least = 0.0, 1.0, math.inf
    for _ in range(THIRDS):
        a, b = (2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0
        at_a = beyond(px + a * tx, py + a * ty, pz + a * tz, hx, hy, hz)
        at_b = beyond(px + b * tx, py + b * ty, pz + b * tz, hx, hy, hz)
        least = min(least, at_a, at_b)
        if at_a < at_b:
            high = b
        else:
            low = a
    return least


@kernel
def beyond(x, y, z, hx, hy, hz):
    """Distance of a point from a box of half sides h, zero inside it."""
    return math.sqrt(
        max(abs(x) - hx, 0.0) ** 2 + max(abs(y) - hy, 0.0) ** 2 + max(abs(z) - hz, 0.0) ** 2
    )


@kernel
def look_ahead(T, X, i, j, margin, out):
    """Set an open contact of sphere i and box j as it will be at the end of the step, at constant
    velocities.

    A contact is a plane for the whole step.  The plane through the nearest point of an edge stops a
    ball that passes the edge, or rolls over it from one box to the next.  The normal is therefore
    that of the end, and the gap is the distance along it, unless they overlap along it now by more
    than at rest.  Elsewhere the gap grows by the error of the plane, which is never negative: the
    distance from a convex body is convex along a straight path.
    """
    gap = out[0, 0]
    if gap <= 0.0:
        return
    size = T.numbers
    px, py, pz = local(X, j, X[i, 0], X[i, 1], X[i, 2])
    hx, hy, hz, radius = size[j, 0], size[j, 1], size[j, 2], size[i, 0]
    rx, ry, rz = X[i, 0] - X[j, 0], X[i, 1] - X[j, 1], X[i, 2] - X[j, 2]
    cx, cy, cz = cross(X[j, SPIN], X[j, SPIN + 1], X[j, SPIN + 2], rx, ry, rz)
    wx, wy, wz = (
        X[i, DRIFT] - X[j, DRIFT] - cx,
        X[i, DRIFT + 1] - X[j, DRIFT + 1] - cy,
        X[i, DRIFT + 2] - X[j, DRIFT + 2] - cz,
    )
    tx, ty, tz = inward(X, j, wx, wy, wz)
    ex, ey, ez = (
        px + tx - min(max(px + tx, -hx), hx),
        py + ty - min(max(py + ty, -hy), hy),
        pz + tz - min(max(pz + tz, -hz), hz),
    )
    far = math.sqrt(ex * ex + ey * ey + ez * ez)
    if far <= 0.5 * radius:
        return
    ex, ey, ez = ex / far, ey / far, ez / far
    left = far - radius - (tx * ex + ty * ey + tz * ez)
    if left < -1e-3 * margin:
        if least_distance(px, py, pz, tx, ty, tz, hx, hy, hz) < radius - 1e-3 * margin:
            # the end lies behind an obstacle on the path
            return
        # the contact's normal points from the sphere to the box
        out[0, 0] = max(far - radius + wx * out[0, 4] + wy * out[0, 5] + wz * out[0, 6], gap)
        return
    nx, ny, nz = outward(X, j, -ex, -ey, -ez)
    s = radius + 0.5 * left
    out[0, 0], out[0, 1], out[0, 2], out[0, 3] = (
        left,
        X[i, 0] + s * nx,
        X[i, 1] + s * ny,
        X[i, 2] + s * nz,
    )
    out[0, 4], out[0, 5], out[0, 6] = nx, ny, nz


@kernel
def frame_along(X, i, nx, ny, nz, F):
    """The frame in which features are compared: origin of shape i, two tangents, the normal."""
    ux, uy, uz, wx, wy, wz = tangents(nx, ny, nz)
    F[0, 0], F[0, 1], F[0, 2] = X[i, 0], X[i, 1], X[i, 2]
    F[1, 0], F[1, 1], F[1, 2] = ux, uy, uz
    F[2, 0], F[2, 1], F[2, 2] = wx, wy, wz
    F[3, 0], F[3, 1], F[3, 2] = nx, ny, nz


@kernel
def box_side(X, size, j, side, sign, F, P, label):
    """The side of box j that faces along sign * n (n: of F) as a feature; returns its slopes and
    the cosine of its angle to n.

    side: 0 for the first shape (sign 1), 1 for the second (sign -1).  Corner names have one bit per
    axis, edge names are those of both ends.
    """
    dx, dy, dz = inward(X, j, F[3, 0], F[3, 1], F[3, 2])
    axis, along = 0, dx
    if abs(dy) > abs(along):
        axis, along = 1, dy
    if abs(dz) > abs(along):
        axis, along = 2, dz
    rotated = along > 0.0
    # where the side lies on its own axis
    way = sign if rotated else -sign
    k1 = axis + 1 if axis < 2 else 0
    k2 = k1 + 1 if k1 < 2 else 0
    h, h1, h2 = way * size[j, axis], size[j, k1], size[j, k2]
    here = (1 << axis) if way > 0.0 else 0
    # (+,+) (-,+) (-,-) (+,-) goes counter-clockwise about the axis, which points along n if it is
    # `rotated`
    for c in range(4):
        d = c if rotated else 3 - c
        one, two = d == 0 or d == 3, d < 2
        P[side, c, axis], P[side, c, k1], P[side, c, k2] = h, h1 if one else -h1, h2 if two else -h2
        label[side, c, 0] = here | ((1 << k1) if one else 0) | ((1 << k2) if two else 0)
    last = label[side, 0, 0]
    for c in range(3, -1, -1):
        one = label[side, c, 0]
        label[side, c, 1] = 8 * min(one, last) + max(one, last)
        last = one
    to_frame(X, j, F, P, side, 4)
    slope_x, slope_y = slopes(F, X[j, 3 + axis], X[j, 6 + axis], X[j, 9 + axis])
    return slope_x, slope_y, abs(along)


@kernel
def box_axis(X, size, i, j, R, reach):
    """The axis of greatest separation of two boxes among 15 (Gottschalk 1996): (separation, normal
    in W from i to j, code).

    R: scratch of 30 numbers.  Code: 0 to 2 a side of i, 3 to 5 of j, 6 + 3 k + l edges along axes k
    and l, -1 farther apart than reach.
    """
    tx, ty, tz = X[j, 0] - X[i, 0], X[j, 1] - X[i, 1], X[j, 2] - X[i, 2]
    best, code = -1e300, -1
    for k in range(3):
        ax, ay, az = X[i, 3 + k], X[i, 6 + k], X[i, 9 + k]
        s = -size[i, k]
        for c in range(3):
            r = ax * X[j, 3 + c] + ay * X[j, 6 + c] + az * X[j, 9 + c]
            R[3 * k + c], R[9 + 3 * k + c] = r, abs(r)
            s -= abs(r) * size[j, c]
        t = ax * tx + ay * ty + az * tz
        R[18 + k] = t
        s += abs(t)
        if s > best:
            best, code = s, k
    if best > reach:
        return best, 0.0, 0.0, 0.0, -1
    for c in range(3):
        t = X[j, 3 + c] * tx + X[j, 6 + c] * ty + X[j, 9 + c] * tz
        R[21 + c] = t
        s = (
            abs(t)
            - size[j, c]
            - R[9 + c] * size[i, 0]
            - R[12 + c] * size[i, 1]
            - R[15 + c] * size[i, 2]
        )
        # a side of j must be better by more than rounding, so that aligned boxes keep their sides
        if s > best + 1e-12 * (size[i, 0] + size[j, 0]):
            best, code = s, 3 + c
    if best > reach:
        return best, 0.0, 0.0, 0.0, -1
    slack = 1e-9 * (size[i, 0] + size[i, 1] + size[i, 2])
    for k in range(3):
        k1 = k + 1 if k < 2 else 0
        k2 = k1 + 1 if k1 < 2 else 0
        for c in range(3):
            r = R[3 * k + c]
            n2 = 1.0 - r * r
            if n2 < 1e-10:
                continue
            c1 = c + 1 if c < 2 else 0
            c2 = c1 + 1 if c1 < 2 else 0
            t = R[18 + k2] * R[3 * k1 + c] - R[18 + k1] * R[3 * k2 + c]
            s = (
                abs(t)
                - size[i, k1] * R[9 + 3 * k2 + c]
                - size[i, k2] * R[9 + 3 * k1 + c]
                - size[j, c1] * R[9 + 3 * k + c2]
                - size[j, c2] * R[9 + 3 * k + c1]
            )
            if s > 0.0 or s * s < best * best * n2 or best > 0.0:
                s /= math.sqrt(n2)
                if s > best + slack:
                    best, code = s, 6 + 3 * k + c
    if best > reach:
        return best, 0.0, 0.0, 0.0, -1
    if code < 3:
        nx, ny, nz = X[i, 3 + code], X[i, 6 + code], X[i, 9 + code]
    elif code < 6:
        nx, ny, nz = X[j, code], X[j, 3 + code], X[j, 6 + code]
    else:
        k, c = (code - 6) // 3, (code - 6) % 3
        nx, ny, nz = cross(
            X[i, 3 + k], X[i, 6 + k], X[i, 9 + k], X[j, 3 + c], X[j, 6 + c], X[j, 9 + c]
        )
        s = 1.0 / math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = s * nx, s * ny, s * nz
    if dot(nx, ny, nz, tx, ty, tz) < 0.0:
        nx, ny, nz = -nx, -ny, -nz
    return best, nx, ny, nz, code


@kernel
def box_box(T, W, i, j, reach):
    """The common area of the two sides that face each other, or the point where two edges cross."""
    X, size, out, feature, F, P, label = W.placed, T.numbers, W.out, W.feature, W.F, W.P, W.label
    gap, nx, ny, nz, code = box_axis(X, size, i, j, W.R, reach)
    if code < 0:
        return 0
    frame_along(X, i, nx, ny, nz, F)
    slope_x, slope_y, facing = box_side(X, size, i, 0, 1.0, F, P, label)
    _, _, other = box_side(X, size, j, 1, -1.0, F, P, label)
    scale = size[i, 0] + size[i, 1] + size[i, 2]
    # a corner beyond the side's edge by rounding counts as on it, unless the side is steep
    slack = 1e-6 * scale if facing > 0.999 and other > 0.999 else 0.0
    count = clip_polygons(
        P, label, 4, 4, slope_x, slope_y, slack, 4e-6 * scale, F, reach, out, feature, 0
    )
    tolerance = 1e-9 * scale
    for c in range(count):
        if out[c, 0] <= gap + tolerance:
            return count
    if code >= 6 and gap <= 0.0:
        return crossing(
            X, size, i, j, (code - 6) // 3, (code - 6) % 3, gap, F, tolerance, out, feature, count
        )
    # the nearest points lie on corners or edges, which the 15 axes do not detect
    return call(T.calls[CONVEX], T, W, i, j, reach)


@kernel
def crossing(X, size, i, j, k, c, gap, F, near, out, feature, count):
    """Add the point where the edge of i along its axis k and the edge of j along its axis c cross,
    seen along n.
    """
    nx, ny, nz = F[3, 0], F[3, 1], F[3, 2]
    ax, ay, az = X[i, 0], X[i, 1], X[i, 2]
    bx, by, bz = X[j, 0], X[j, 1], X[j, 2]
    bits_a = bits_b = 0
    for m in range(3):
        if m != k:
            s = X[i, 3 + m] * nx + X[i, 6 + m] * ny + X[i, 9 + m] * nz
            h = math.copysign(size[i, m], s)
            bits_a |= (1 << m) if s > 0.0 else 0
            ax, ay, az = ax + h * X[i, 3 + m], ay + h * X[i, 6 + m], az + h * X[i, 9 + m]
        if m != c:
            s = X[j, 3 + m] * nx + X[j, 6 + m] * ny + X[j, 9 + m] * nz
            h = math.copysign(size[j, m], -s)
            bits_b |= (1 << m) if s < 0.0 else 0
            bx, by, bz = bx + h * X[j, 3 + m], by + h * X[j, 6 + m], bz + h * X[j, 9 + m]
    ux, uy, uz = X[i, 3 + k], X[i, 6 + k], X[i, 9 + k]
    vx, vy, vz = X[j, 3 + c], X[j, 6 + c], X[j, 9 + c]
    b = dot(ux, uy, uz, vx, vy, vz)
    dx, dy, dz = bx - ax, by - ay, bz - az
    s = (dot(dx, dy, dz, ux, uy, uz) - b * dot(dx, dy, dz, vx, vy, vz)) / (1.0 - b * b)
    px, py, pz = (
        ax + s * ux + 0.5 * gap * nx - F[0, 0],
        ay + s * uy + 0.5 * gap * ny - F[0, 1],
        az + s * uz + 0.5 * gap * nz - F[0, 2],
    )
    key = name_of(CROSSING, 8 * bits_a + (bits_a | (1 << k)), 8 * bits_b + (bits_b | (1 << c)))
    return emit(
        F,
        dot(px, py, pz, F[1, 0], F[1, 1], F[1, 2]),
        dot(px, py, pz, F[2, 0], F[2, 1], F[2, 2]),
        dot(px, py, pz, nx, ny, nz),
        gap,
        key,
        near,
        0,
        out,
        feature,
        count,
    )
