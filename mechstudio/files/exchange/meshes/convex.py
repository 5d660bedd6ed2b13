# pyright: standard
"""Convex hulls of points in space, by SciPy's Qhull, which is loaded on request, since only open
meshes of robots need them.
"""

import numpy as np

MOST = 4000  # corners of a hull that are examined


def convex_hull(points: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Corners (n, 3) and triangles (t, 3), counter-clockwise from outside, of the hull of points;
    None if they lie in a plane.
    """
    from scipy.spatial import ConvexHull, QhullError

    if len(points) < 4:
        return None
    if len(points) > 50 * MOST:
        # the farthest points in many directions, all of which lie on the hull
        k = np.arange(MOST) + 0.5
        z, a = 1.0 - 2.0 * k / MOST, np.pi * (1.0 + 5.0**0.5) * k
        r = np.sqrt(1.0 - z * z)
        directions = np.column_stack([r * np.cos(a), r * np.sin(a), z])
        points = points[np.unique([np.argmax(points @ d) for d in directions])]
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    triangles = hull.simplices
    a, b, c = (hull.points[triangles[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    triangles = np.where(inward[:, None], triangles[:, ::-1], triangles)
    used, at = np.unique(triangles, return_inverse=True)
    return hull.points[used], at.reshape(-1, 3)
