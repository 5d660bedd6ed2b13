"""The feature of a shape that faces along the normal, written for clipping.py: a side, a line, or
only the nearest point.
"""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.convex.box import box_side
from mechstudio.engine.contacts.geometry.convex.clipping import slopes, to_frame
from mechstudio.engine.contacts.geometry.convex.round_end import RIM, RIM_EDGE
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CAPSULE,
    ELLIPSOID,
    FACE0,
    FACES,
    HULL,
    KIND,
    MESH,
    SPHERE,
    VERTEX0,
)
from mechstudio.engine.contacts.geometry.vectors import inward, outward
from mechstudio.engine.contacts.geometry.work import CORNERS

_RIM_COS = tuple(math.cos(2.0 * math.pi * k / RIM) for k in range(RIM))
_RIM_SIN = tuple(math.sin(2.0 * math.pi * k / RIM) for k in range(RIM))
# cosine of a side to the normal from which it is considered
_LEAST = 0.1


@kernel
def set_corner(P, label, side, c, x, y, z, name, edge):
    """Corner c of a feature at the point (x, y, z) of its shape."""
    P[side, c, 0], P[side, c, 1], P[side, c, 2] = x, y, z
    label[side, c, 0], label[side, c, 1] = name, edge


@kernel
def feature_of(T, W, s, side, sign):
    """(corners, slope along x, along y, cosine to the normal) of shape s; side 0 and sign 1 for A,
    1 and -1 for B.

    No corners: only the nearest point matters.   Two: a line.
    """
    X, S, F, P, label, kind = W.placed, T.numbers, W.F, W.P, W.label, T.ints[s, KIND]
    if kind == SPHERE or kind == ELLIPSOID:
        return 0, 0.0, 0.0, 0.0
    if kind == BOX:
        slope_x, slope_y, facing = box_side(X, S, s, side, sign, F, P, label)
        return 4, slope_x, slope_y, facing
    if kind >= MESH:
        return triangle_side(W, side, sign)
    dx, dy, dz = inward(X, s, sign * F[3, 0], sign * F[3, 1], sign * F[3, 2])
    if kind == HULL:
        best, face = -2.0, T.ints[s, FACE0]
        for f in range(T.ints[s, FACE0], T.ints[s, FACE0] + T.ints[s, FACES]):
            value = dx * T.faces[f, 0] + dy * T.faces[f, 1] + dz * T.faces[f, 2]
            if value > best:
                best, face = value, f
        if best < _LEAST:
            return 0, 0.0, 0.0, best
        begin = T.face_first[face]
        count = min(T.face_first[face + 1] - begin, CORNERS // 2)
        for c in range(count):
            # counter-clockwise about n: backwards for B
            k = T.loops[begin + (c if sign > 0.0 else count - 1 - c)]
            after = T.loops[
                begin + ((c + 1) % count if sign > 0.0 else (2 * count - 2 - c) % count)
            ]
            v = T.ints[s, VERTEX0] + k
            set_corner(
                P,
                label,
                side,
                c,
                T.vertices[v, 0],
                T.vertices[v, 1],
                T.vertices[v, 2],
                k,
                64 * min(k, after) + max(k, after),
            )
        to_frame(X, s, F, P, side, count)
        nx, ny, nz = outward(X, s, T.faces[face, 0], T.faces[face, 1], T.faces[face, 2])
        slope_x, slope_y = slopes(F, nx, ny, nz)
        return count, slope_x, slope_y, best
    across = math.sqrt(dx * dx + dy * dy)
    ux, uy = (dx / across, dy / across) if across > 1e-12 else (1.0, 0.0)
    if kind == CAPSULE:
        if across < _LEAST or S[s, 1] == 0.0:
            return 0, 0.0, 0.0, across
        set_corner(P, label, side, 0, 0.0, 0.0, -S[s, 1], 0, 0)
        set_corner(P, label, side, 1, 0.0, 0.0, S[s, 1], 1, 0)
        to_frame(X, s, F, P, side, 2)
        return 2, 0.0, 0.0, across
    # a solid of revolution: its end, or the line of its side
    fall, long = S[s, 0] - S[s, 1], 2.0 * S[s, 2]
    length = math.sqrt(fall * fall + long * long)
    leaning = (across * long + dz * fall) / length if long > 0.0 else -1.0
    end = 1 if dz > 0.0 else 0
    radius = S[s, end]
    if abs(dz) >= leaning:
        if radius == 0.0 or abs(dz) < _LEAST:
            return 0, 0.0, 0.0, abs(dz)
        z = S[s, 2] if end else -S[s, 2]
        for c in range(RIM):
            # counter-clockwise about n: the end faces along sign * n
            k = c if (end == 1) == (sign > 0.0) else RIM - 1 - c
            after = (k + 1) % RIM if (end == 1) == (sign > 0.0) else (k + RIM - 1) % RIM
            edge = RIM * end + (k if (after - k) % RIM == 1 else after)
            set_corner(
                P,
                label,
                side,
                c,
                radius * _RIM_COS[k],
                radius * _RIM_SIN[k],
                z,
                RIM * end + k,
                RIM_EDGE + edge,
            )
        to_frame(X, s, F, P, side, RIM)
        nx, ny, nz = outward(X, s, 0.0, 0.0, 1.0)
        slope_x, slope_y = slopes(F, nx, ny, nz)
        return RIM, slope_x, slope_y, abs(dz)
    if leaning < _LEAST:
        return 0, 0.0, 0.0, leaning
    set_corner(P, label, side, 0, S[s, 0] * ux, S[s, 0] * uy, -S[s, 2], 32, 0)
    set_corner(P, label, side, 1, S[s, 1] * ux, S[s, 1] * uy, S[s, 2], 33, 0)
    to_frame(X, s, F, P, side, 2)
    return 2, 0.0, 0.0, leaning


@kernel
def triangle_side(W, side, sign):
    """The triangle in W.R (corners, normal) as a feature."""
    F, P, label, R = W.F, W.P, W.label, W.R
    facing = sign * (R[9] * F[3, 0] + R[10] * F[3, 1] + R[11] * F[3, 2])
    if facing < _LEAST:
        return 0, 0.0, 0.0, facing
    for c in range(3):
        k = c if sign > 0.0 else 2 - c
        x, y, z = R[3 * k] - F[0, 0], R[3 * k + 1] - F[0, 1], R[3 * k + 2] - F[0, 2]
        for r in range(3):
            P[side, c, r] = x * F[r + 1, 0] + y * F[r + 1, 1] + z * F[r + 1, 2]
        after = (c + 1) % 3 if sign > 0.0 else 2 - (c + 1) % 3
        label[side, c, 0], label[side, c, 1] = k, (k if (after - k) % 3 == 1 else after)
    slope_x, slope_y = slopes(F, R[9], R[10], R[11])
    return 3, slope_x, slope_y, facing
