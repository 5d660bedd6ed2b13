"""Poses of shapes in W, their bounding boxes, and their motion within a step."""

import math

from mechstudio.engine.contacts.contact_kernels import kernel
from mechstudio.engine.contacts.geometry.shapes import (
    BODY,
    BOUND,
    BOX,
    CAPSULE,
    ELLIPSOID,
    HULL,
    KIND,
    MESH,
    NODE0,
    PLACE,
    PLANE,
    SPHERE,
    TURN,
    VERTEX0,
    VERTICES,
)
from mechstudio.engine.contacts.geometry.work import DRIFT, HIGH, LOW, MOTION, SPIN

_MANY = 64  # corners above which a hull is bounded by its ball


@kernel
def place_shape(X, s, bx, by, bz, w, x, y, z, S, kind):
    """Row s of X for a body at (bx, by, bz) turned by the quaternion (w, x, y, z) of about unit
    length.
    """
    px, py, pz = S[s, PLACE], S[s, PLACE + 1], S[s, PLACE + 2]
    if kind == SPHERE and px == 0.0 and py == 0.0 and pz == 0.0:
        X[s, 0], X[s, 1], X[s, 2] = bx, by, bz
        return
    n = 2.0 / (w * w + x * x + y * y + z * z)
    a00, a01, a02 = 1.0 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y)
    a10, a11, a12 = n * (x * y + w * z), 1.0 - n * (x * x + z * z), n * (y * z - w * x)
    a20, a21, a22 = n * (x * z - w * y), n * (y * z + w * x), 1.0 - n * (x * x + y * y)
    X[s, 0] = bx + a00 * px + a01 * py + a02 * pz
    X[s, 1] = by + a10 * px + a11 * py + a12 * pz
    X[s, 2] = bz + a20 * px + a21 * py + a22 * pz
    if kind == SPHERE:
        return
    w, x, y, z = S[s, TURN], S[s, TURN + 1], S[s, TURN + 2], S[s, TURN + 3]
    if w != 1.0:
        b00, b01, b02 = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
        b10, b11, b12 = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
        b20, b21, b22 = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)
        a00, a01, a02 = (
            a00 * b00 + a01 * b10 + a02 * b20,
            a00 * b01 + a01 * b11 + a02 * b21,
            a00 * b02 + a01 * b12 + a02 * b22,
        )
        a10, a11, a12 = (
            a10 * b00 + a11 * b10 + a12 * b20,
            a10 * b01 + a11 * b11 + a12 * b21,
            a10 * b02 + a11 * b12 + a12 * b22,
        )
        a20, a21, a22 = (
            a20 * b00 + a21 * b10 + a22 * b20,
            a20 * b01 + a21 * b11 + a22 * b21,
            a20 * b02 + a21 * b12 + a22 * b22,
        )
    X[s, 3], X[s, 4], X[s, 5] = a00, a01, a02
    X[s, 6], X[s, 7], X[s, 8] = a10, a11, a12
    X[s, 9], X[s, 10], X[s, 11] = a20, a21, a22


@kernel
def extent(X, size, ints, vertices, nodes, s, kind, axis):
    """(lowest, highest) coordinate of shape s along an axis of W."""
    o, ax, ay, az = X[s, axis], X[s, 3 + 3 * axis], X[s, 4 + 3 * axis], X[s, 5 + 3 * axis]
    if kind == BOX:
        h = abs(ax) * size[s, 0] + abs(ay) * size[s, 1] + abs(az) * size[s, 2]
        return o - h, o + h
    if kind == CAPSULE:
        h = abs(az) * size[s, 1] + size[s, 0]
        return o - h, o + h
    if kind == ELLIPSOID:
        h = math.sqrt((ax * size[s, 0]) ** 2 + (ay * size[s, 1]) ** 2 + (az * size[s, 2]) ** 2)
        return o - h, o + h
    if kind >= MESH:
        low = high = o
        node = ints[s, NODE0]
        for k in range(3):
            a = X[s, 3 + 3 * axis + k]
            one, two = a * nodes[node, k], a * nodes[node, 3 + k]
            low += min(one, two)
            high += max(one, two)
        return low, high
    if kind == HULL:
        if ints[s, VERTICES] > _MANY:
            return o - size[s, BOUND], o + size[s, BOUND]
        low, high = 1e300, -1e300
        for k in range(ints[s, VERTEX0], ints[s, VERTEX0] + ints[s, VERTICES]):
            v = ax * vertices[k, 0] + ay * vertices[k, 1] + az * vertices[k, 2]
            low, high = min(low, v), max(high, v)
        return o + low, o + high
    across = math.sqrt(max(0.0, 1.0 - az * az))
    h = az * size[s, 2]
    return o + min(-h - size[s, 0] * across, h - size[s, 1] * across), o + max(
        -h + size[s, 0] * across, h + size[s, 1] * across
    )


@kernel
def place_all(ints, S, vertices, nodes, X, poses, velocities, margin, step):
    """Fill X: places, boxes (wider by half the margin and by the motion of one step) and the
    motions [m] of all shapes.
    """
    for s in range(ints.shape[0]):
        b, kind = ints[s, BODY], ints[s, KIND]
        more = 0.5 * margin
        for k in range(6):
            X[s, DRIFT + k] = 0.0
        if b < 0:
            place_shape(X, s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, S, kind)
        else:
            place_shape(
                X,
                s,
                poses[b, 0],
                poses[b, 1],
                poses[b, 2],
                poses[b, 3],
                poses[b, 4],
                poses[b, 5],
                poses[b, 6],
                S,
                kind,
            )
            if step > 0.0:
                px, py, pz = S[s, PLACE], S[s, PLACE + 1], S[s, PLACE + 2]
                arm = math.sqrt(px * px + py * py + pz * pz) + S[s, BOUND]
                speed = math.sqrt(
                    velocities[b, 0] ** 2 + velocities[b, 1] ** 2 + velocities[b, 2] ** 2
                )
                rate = math.sqrt(
                    velocities[b, 3] ** 2 + velocities[b, 4] ** 2 + velocities[b, 5] ** 2
                )
                more += step * (speed + rate * arm)
                ax, ay, az = X[s, 0] - poses[b, 0], X[s, 1] - poses[b, 1], X[s, 2] - poses[b, 2]
                wx, wy, wz = velocities[b, 3], velocities[b, 4], velocities[b, 5]
                X[s, DRIFT] = step * (velocities[b, 0] + wy * az - wz * ay)
                X[s, DRIFT + 1] = step * (velocities[b, 1] + wz * ax - wx * az)
                X[s, DRIFT + 2] = step * (velocities[b, 2] + wx * ay - wy * ax)
                X[s, SPIN], X[s, SPIN + 1], X[s, SPIN + 2] = step * wx, step * wy, step * wz
        X[s, MOTION] = more - 0.5 * margin
        if kind == PLANE:
            continue
        if kind == SPHERE:
            more += S[s, 0]
            X[s, LOW], X[s, LOW + 1], X[s, LOW + 2] = X[s, 0] - more, X[s, 1] - more, X[s, 2] - more
            X[s, HIGH], X[s, HIGH + 1], X[s, HIGH + 2] = (
                X[s, 0] + more,
                X[s, 1] + more,
                X[s, 2] + more,
            )
            continue
        for axis in range(3):
            low, high = extent(X, S, ints, vertices, nodes, s, kind, axis)
            X[s, LOW + axis], X[s, HIGH + axis] = low - more, high + more
