"""Primitives of constraint rows: residual, force and moment of each kind (formulas: rows.py).

Each takes d = P_B - P_A, the frames and the row's two axes in W, the constants of its rows and the
coordinates near by (or None), and returns C [m], F and M, vectorised over samples.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.curves import CurveTable
from mechstudio.model.types.joints import (
    ANGLE,
    CURVE,
    DISTANCE,
    FACE,
    POINT,
    RIM,
    THREAD,
    TWIST,
    X,
    Y,
)

LYING = 1e-9  # sine of a disc's lean below which its rim has no lowest point
FULL_TURN = 2 * np.pi
SMALLEST = 1e-300  # of a square that is divided by


def axes(R, j, axis):
    """The axes (..., k, 3) of that index (k,) of the frames j (k,) among (..., joints, 3, 3)."""
    # columns of the frames' matrices are their axes
    return R.swapaxes(-1, -2)[..., j, axis, :]


def dot(u, v):
    """Products u.v (...) of vectors (..., 3)."""
    return np.einsum("...i,...i->...", u, v)


class PrimitiveData(NamedTuple):
    """Constants of the k rows of one primitive.

    size [m]; length, constant (k,) [m]; axis_a, axis_b (k,): numbers of the rows' axes in both
    frames; curves (k,): of curve rows, else None.
    """

    size: float
    length: np.ndarray
    constant: np.ndarray
    axis_a: np.ndarray
    axis_b: np.ndarray
    curves: list[CurveTable | None]


def _point(d, R_A, R_B, a, b, given, near):
    return dot(a, d), a, np.zeros_like(a)


def _angle(d, R_A, R_B, a, b, given, near):
    return given.size * dot(a, b), np.zeros_like(a), given.size * cross(b, a)


def _distance(d, R_A, R_B, a, b, given, near):
    return (
        (dot(d, d) - given.length**2) / (2 * given.length),
        d / given.length[:, None],
        np.zeros_like(d),
    )


def _twist(d, R_A, R_B, a, b, given, near):
    each = np.arange(R_A.shape[-3])
    other_a, other_b = axes(R_A, each, given.axis_b), axes(R_B, each, given.axis_a)
    return (
        given.size * (dot(a, b) - dot(other_a, other_b)),
        np.zeros_like(a),
        given.size * (cross(b, a) - cross(other_b, other_a)),
    )


def _thread(d, R_A, R_B, a, b, given, near):
    slide = given.length / FULL_TURN
    angle, per_turn = hinge_angle(R_A, R_B), hinge_rate(R_A, R_B)
    C = dot(a, d) - slide * angle - given.constant
    if near is None:
        C = C - given.length * np.round(C / given.length)
    else:
        C = C - given.length * np.round((near - angle) / FULL_TURN)
    return C, a, -slide[:, None] * per_turn


def _rim(d, R_A, R_B, a, b, given, near):
    cosine = dot(a, b)
    sine = np.sqrt(np.maximum(1 - cosine**2, LYING**2))
    return (
        dot(a, d) - given.length * sine,
        a,
        (given.length * cosine / sine)[..., None] * cross(b, a),
    )


def _curve(d, R_A, R_B, a, b, given, near):
    C, force = np.empty(d.shape[:-1]), np.empty(d.shape)
    for k, curve in enumerate(given.curves):
        p = (d[..., k, None, :] @ R_A[..., k, :, :])[..., 0, :]
        s = curve.nearest(p, None if near is None else near[..., k])
        c, along, bend = curve.at(s)
        t, n1, n2 = curve.normals(s)
        r = p - c
        # the normals turn about the tangent: n_1' = -turning n_2, n_2' = turning n_1 along the
        # curve
        turning = dot(cross(bend, np.broadcast_to(curve.side, bend.shape)), n1) / np.linalg.norm(
            cross(along, np.broadcast_to(curve.side, t.shape)), axis=-1
        )
        per_way = along / (dot(along, along) - dot(r, bend))[..., None]
        n, lost = (
            (n1, -turning * dot(r, n2)) if given.axis_a[k] == X else (n2, turning * dot(r, n1))
        )
        C[..., k] = dot(n, r)
        force[..., k, :] = (R_A[..., k, :, :] @ (n + lost[..., None] * per_way)[..., None])[..., 0]
    return C, force, np.zeros_like(d)


def _face(d, R_A, R_B, a, b, given, near):
    C, moment = np.empty(d.shape[:-1]), np.empty(d.shape)
    for k, lift in enumerate(given.curves):
        R, n = R_A[..., k, :, :], b[..., k, :]
        # the face's normal in A's axes
        x, y = (n * R[..., :, 0]).sum(axis=-1), (n * R[..., :, 1]).sum(axis=-1)
        place, slope, _ = lift.at(np.arctan2(-x, y))
        C[..., k] = dot(n, d[..., k, :]) - place[..., Y]
        # d angle / dw, z_A where the normal is square to it
        square = np.maximum(x * x + y * y, SMALLEST)[..., None]
        rate = (
            x[..., None] * cross(n, R[..., :, 1]) - y[..., None] * cross(n, R[..., :, 0])
        ) / square
        moment[..., k, :] = cross(n, d[..., k, :]) - slope[..., Y, None] * rate
    return C, b, moment


PRIMITIVES = {
    POINT: _point,
    ANGLE: _angle,
    DISTANCE: _distance,
    TWIST: _twist,
    THREAD: _thread,
    RIM: _rim,
    CURVE: _curve,
    FACE: _face,
}
TURNING = {TWIST, THREAD, CURVE, FACE}  # those that look at more than the rows' two axes


def hinge_angle(R_A: np.ndarray, R_B: np.ndarray) -> np.ndarray:
    """Angle (...) [rad] in (-pi, pi] of B against A (..., 3, 3) about z: atan2(y_A.x_B - x_A.y_B,
    x_A.x_B + y_A.y_B).

    Where the axes z are not parallel it is the turn that is left when the shortest turn of z_A onto
    z_B is taken out.
    """
    R = R_A.swapaxes(-1, -2) @ R_B
    return np.arctan2(R[..., 1, 0] - R[..., 0, 1], R[..., 0, 0] + R[..., 1, 1])


def hinge_rate(R_A: np.ndarray, R_B: np.ndarray) -> np.ndarray:
    """Rate (..., 3) of hinge_angle per relative angular velocity in W: z_A where the axes are
    parallel; of no meaning where they are opposite.
    """
    R = R_A.swapaxes(-1, -2) @ R_B
    N, D = R[..., 1, 0] - R[..., 0, 1], R[..., 0, 0] + R[..., 1, 1]
    square = np.maximum(N * N + D * D, SMALLEST)
    rate = np.stack(
        (
            (N * R[..., 2, 1] - D * R[..., 2, 0]) / square,
            -(D * R[..., 2, 1] + N * R[..., 2, 0]) / square,
            np.ones_like(N),
        ),
        axis=-1,
    )
    return (R_A @ rate[..., None])[..., 0]


def lowest(normal: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Unit vector (..., 3) from a disc's centre to the point of its rim that is lowest over a floor
    of that normal (..., 3).
    """
    down = dot(normal, axis)[..., None] * axis - normal
    return down / np.maximum(np.linalg.norm(down, axis=-1, keepdims=True), LYING)
