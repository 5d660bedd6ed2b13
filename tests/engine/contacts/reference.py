"""Contacts as they should be, by other means than the kernels': support functions and a
minimisation over directions.

For convex A and B the signed distance is the greatest value over unit n of  s(n) = -h_A(n) -
h_B(-n)  (h: support function): the distance where they are apart, minus the least way out where
they are not.  s(n) of any direction is a lower bound; a pair of points is an upper one when apart.
"""

import numpy as np
from scipy.spatial import ConvexHull

from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    DISC,
    ELLIPSOID,
    GROUND,
    HULL,
    PLANE,
    SPHERE,
    ContactShape,
)


def matrix(q):
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def local_support(shape: ContactShape, n: np.ndarray) -> np.ndarray:
    """The farthest point of a shape along n, in its own axes."""
    s = shape.size
    if shape.kind == SPHERE:
        return s[0] * n / np.linalg.norm(n)
    if shape.kind == BOX:
        return np.sign(n) * np.array(s[:3])
    if shape.kind == CAPSULE:
        return s[0] * n / np.linalg.norm(n) + np.array([0, 0, np.sign(n[2]) * s[1]])
    if shape.kind in (CYLINDER, DISC, CONE):
        bottom, top, half = (s[0], s[0], s[1]) if shape.kind != CONE else s[:3]
        across = np.hypot(n[0], n[1])
        u = n[:2] / across if across > 0 else np.zeros(2)
        points = [np.array([*(bottom * u), -half]), np.array([*(top * u), half])]
        return max(points, key=lambda p: p @ n)
    if shape.kind == ELLIPSOID:
        a = np.array(s[:3])
        return a * a * n / np.linalg.norm(a * n)
    if shape.kind == HULL:
        return shape.points[np.argmax(shape.points @ n)]
    raise AssertionError(shape.kind)


def pose_of(shape, poses):
    if shape.body == GROUND:
        r, R = np.zeros(3), np.eye(3)
    else:
        r, R = poses[shape.body, :3], matrix(poses[shape.body, 3:])
    return r + R @ np.array(shape.place), R @ matrix(shape.turn)


def support(shape, poses, n):
    r, R = pose_of(shape, poses)
    return r + R @ local_support(shape, R.T @ n)


def separation(a, b, poses, n):
    """s(n); for a plane A only along its normal."""
    if a.kind == PLANE:
        r, _R = pose_of(a, poses)
        return n @ (support(b, poses, -n) - r)
    if b.kind == PLANE:
        return separation(b, a, poses, -n)
    return n @ support(b, poses, -n) - n @ support(a, poses, n)


def best_direction(a, b, poses, seed=0):
    """(n, s(n)) of a search by shrinking steps from many directions."""
    rng = np.random.default_rng(seed)
    tries = [n / np.linalg.norm(n) for n in rng.normal(size=(60, 3))]
    best = max(tries, key=lambda n: separation(a, b, poses, n))
    value, size = separation(a, b, poses, best), 0.5
    while size > 1e-6:
        better = False
        for _ in range(12):
            n = best + size * rng.normal(size=3)
            n /= np.linalg.norm(n)
            if (s := separation(a, b, poses, n)) > value:
                best, value, better = n, s, True
        size *= 1.0 if better else 0.5
    return best, value


def outside(shape, poses, point, outward, rng):
    """A lower bound [m] of how far a point lies outside a shape: the greatest of n.p - h(n) over
    directions, `outward` among them; at a point of the surface it is near zero.
    """
    r, R = pose_of(shape, poses)
    own = R.T @ (point - r)
    if shape.kind == HULL:
        planes = ConvexHull(shape.points).equations
        return float((planes[:, :3] @ own + planes[:, 3]).max())
    tries = [
        n
        for n in np.vstack([np.eye(3), -np.eye(3), own, R.T @ outward, rng.normal(size=(6, 3))])
        if np.linalg.norm(n) > 0
    ]
    cost = lambda n: n @ own - n @ local_support(shape, n)
    best = max((n / np.linalg.norm(n) for n in tries), key=cost)
    value, size = cost(best), 0.3
    while size > 1e-6:
        better = False
        for _ in range(10):
            n = best + size * rng.normal(size=3)
            n /= np.linalg.norm(n)
            if cost(n) > value:
                best, value, better = n, cost(n), True
        size *= 1.0 if better else 0.5
    return value
