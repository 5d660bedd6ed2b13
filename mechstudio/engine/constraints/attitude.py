"""Attitudes and poses of many bodies at once, in numpy: the vectorised counterpart of
model/geometry/rotation.py (THEORY 1).

Every array has any number of leading axes; quaternions are w, x, y, z and turn body axes into outer
axes.
"""

import numpy as np

from mechstudio.model.mechanism import Mechanism


def lengths(vectors: np.ndarray) -> np.ndarray:
    """Lengths (..., 1) of vectors (..., n): numpy's norm, without its questions."""
    return np.sqrt(np.add.reduce(vectors * vectors, axis=-1, keepdims=True))


def matrices(quaternions: np.ndarray) -> np.ndarray:
    """R (..., 3, 3) of quaternions (..., 4), which need not be normalised."""
    q = np.asarray(quaternions, float)
    q = q / lengths(q)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    R = np.empty((*q.shape[:-1], 3, 3))
    R[..., 0, 0], R[..., 0, 1], R[..., 0, 2] = 1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)
    R[..., 1, 0], R[..., 1, 1], R[..., 1, 2] = 2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)
    R[..., 2, 0], R[..., 2, 1], R[..., 2, 2] = 2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)
    return R


def multiply(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The turn q followed by the turn p, (..., 4)."""
    a, b, c, d = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    e, f, g, h = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    first = a * e - b * f - c * g - d * h
    # filled in place: stacking takes as long as all that is computed
    out = np.empty((*first.shape, 4))
    out[..., 0] = first
    out[..., 1] = a * f + b * e + c * h - d * g
    out[..., 2] = a * g - b * h + c * e + d * f
    out[..., 3] = a * h + b * g - c * f + d * e
    return out


def cross(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """u x v (..., 3); several times faster than numpy's for few rows."""
    if u.ndim == v.ndim == 1:
        # of two vectors plain numbers are faster still, and give the same bits
        a, b, c = u.tolist()
        d, e, f = v.tolist()
        return np.array((b * f - c * e, c * d - a * f, a * e - b * d))
    a, b, c, d, e, f = u[..., 0], u[..., 1], u[..., 2], v[..., 0], v[..., 1], v[..., 2]
    x = b * f - c * e
    out = np.empty((*x.shape, 3), x.dtype)
    out[..., 0], out[..., 1], out[..., 2] = x, c * d - a * f, a * e - b * d
    return out


def turns(vectors: np.ndarray) -> np.ndarray:
    """Unit quaternions (..., 4) of turns by rotation vectors (..., 3) [rad]."""
    half = 0.5 * lengths(vectors)
    out = np.empty((*vectors.shape[:-1], 4))
    out[..., :1], out[..., 1:] = np.cos(half), 0.5 * np.sinc(half / np.pi) * vectors
    return out


def turn_angle(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Smallest angle [rad] of the turn between unit quaternions (..., 4)."""
    return 4 * np.arctan2(*(np.linalg.norm(p - s * q, axis=-1) for s in _nearer_sign(p, q)))


def _nearer_sign(p, q):
    sign = np.where(np.sum(p * q, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    return sign, -sign


def drawn_poses(mechanism: Mechanism) -> np.ndarray:
    """Poses (n, 7) of the moving bodies in file order as drawn: origin in W [m], quaternion."""
    return np.array(
        [(*p, *q) for p, q in (b.placement.pose for b in mechanism.bodies.values())], float
    ).reshape(-1, 7)


def displaced(poses: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Poses (n, 7) displaced by a step (n, 6): origin in W [m], rotation vector in body axes
    [rad].
    """
    out = np.empty_like(poses)
    out[:, :3] = poses[:, :3] + step[:, :3]
    q = multiply(poses[:, 3:], turns(step[:, 3:]))
    out[:, 3:] = q / lengths(q)
    return out


def carried(poses: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Poses (n, 7) after a unit of time with constant twists (n, 6) in body axes, given as by
    `displaced`: exact for turns about fixed axes and screws.

    The exponential of SE(3): the origin goes on by V(w) v, V = 1 + (1 - cos) / angle^2 [w] + (angle
    - sin) / angle^3 [w]^2 (Murray,
    Li, Sastry 1994, section 2.3).
    """
    out = displaced(poses, twists)
    R = matrices(poses[:, 3:])
    w = (R @ twists[:, 3:, None])[..., 0]
    v, angle = twists[:, :3], np.linalg.norm(w, axis=1, keepdims=True)
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    a = np.where(small, 0.5 - angle**2 / 24, (1 - np.cos(safe)) / safe**2)
    b = np.where(small, 1 / 6 - angle**2 / 120, (safe - np.sin(safe)) / safe**3)
    rotated = cross(w, v)
    out[:, :3] += a * rotated + b * cross(w, rotated)
    return out
