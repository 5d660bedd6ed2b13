"""Shapes that come into touch within one step from beyond the distance of the search."""

import math

from mechstudio.engine.contacts.calling import call
from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.shapes import BOUND, KIND, KINDS
from mechstudio.engine.contacts.geometry.vectors import cross
from mechstudio.engine.contacts.geometry.work import DRIFT, MOTION, SPIN

_MOST_ADVANCES = 40


@kernel
def move(X, s, row, t):
    """Put shape s to its place after the fraction t of the step; row: of its place at the
    beginning.
    """
    wx, wy, wz = t * X[row, SPIN], t * X[row, SPIN + 1], t * X[row, SPIN + 2]
    angle = math.sqrt(wx * wx + wy * wy + wz * wz)
    a, b = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0
    if angle > 1e-3:
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
    for k in range(3):
        X[s, k] = X[row, k] + t * X[row, DRIFT + k]
        # Rodrigues, column by column
        x, y, z = X[row, 3 + k], X[row, 6 + k], X[row, 9 + k]
        ux, uy, uz = cross(wx, wy, wz, x, y, z)
        vx, vy, vz = cross(wx, wy, wz, ux, uy, uz)
        X[s, 3 + k], X[s, 6 + k], X[s, 9 + k] = (
            x + a * ux + b * vx,
            y + a * uy + b * vy,
            z + a * uz + b * vz,
        )


@kernel
def fast_pair(T, W, i, j, margin):
    """The touch of two shapes that are farther apart than margin and may meet within the step, by
    conservative advancement (Mirtich 1996).

    The contact is that of the instant of touch, expressed at present: its normal, the point midway
    between the two places that will touch, and as gap their distance along the normal. A step that
    respects the gap therefore ends in touch, and shapes that pass each other have no contact.
    """
    X, out = W.placed, W.out
    address = T.calls[KINDS * T.ints[i, KIND] + T.ints[j, KIND]]
    motion = X[i, MOTION] + X[j, MOTION]
    here, there = T.ints.shape[0], T.ints.shape[0] + 1
    for k in range(X.shape[1]):
        X[here, k], X[there, k] = X[i, k], X[j, k]
    close = max(0.5 * margin, 1e-4 * min(T.numbers[i, BOUND], T.numbers[j, BOUND]))
    found, t = 0, 0.0
    for _step in range(_MOST_ADVANCES):
        found = call(address, T, W, i, j, margin + motion * (1.0 - t))
        if found == 0:
            break
        least = 1e300
        for c in range(found):
            least = min(least, out[c, 0])
        if least <= close:
            break
        t += (least - 0.5 * close) / motion
        if t > 1.0:
            found = 0
            break
        move(X, i, here, t)
        move(X, j, there, t)
    kept = 0
    for c in range(found):
        nx, ny, nz = out[c, 4], out[c, 5], out[c, 6]
        closing = 0.0
        for side in range(2):
            s, row = (j, there) if side else (i, here)
            rx, ry, rz = out[c, 1] - X[s, 0], out[c, 2] - X[s, 1], out[c, 3] - X[s, 2]
            dx, dy, dz = cross(X[row, SPIN], X[row, SPIN + 1], X[row, SPIN + 2], rx, ry, rz)
            dx, dy, dz = (
                t * (dx + X[row, DRIFT]),
                t * (dy + X[row, DRIFT + 1]),
                t * (dz + X[row, DRIFT + 2]),
            )
            closing += (nx * dx + ny * dy + nz * dz) * (1.0 if side else -1.0)
            W.R[40 + 3 * side], W.R[41 + 3 * side], W.R[42 + 3 * side] = dx, dy, dz
        # near shapes that separate, as the tip of a rod that swings past, do not touch
        if closing >= 0.0:
            continue
        out[kept, 0] = out[c, 0] - closing
        W.feature[kept] = W.feature[c]
        for k in range(3):
            out[kept, 1 + k], out[kept, 4 + k] = (
                out[c, 1 + k] - 0.5 * (W.R[40 + k] + W.R[43 + k]),
                out[c, 4 + k],
            )
        kept += 1
    for k in range(X.shape[1]):
        X[i, k], X[j, k] = X[here, k], X[there, k]
    return kept
