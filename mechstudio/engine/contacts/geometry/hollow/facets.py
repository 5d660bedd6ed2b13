"""Meshes of facets that stand for tubes and half-pipes where no closed form is known."""

import numpy as np

from mechstudio.model.geometry.forms import FACETS, OFF


def tube(outer: float, inner: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """(points (n, 3) [m], triangles (m, 3), counter-clockwise seen from outside) of a tube about z
    from -half to half.
    """
    points = _rings(outer, inner, half, 2.0 * np.pi * np.arange(FACETS) / FACETS)
    k = np.arange(FACETS)
    return points, _around(k, (k + 1) % FACETS, FACETS)


def trough(outer: float, inner: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """The same of a half-pipe, whose wall lies where x > 0."""
    count = FACETS // 2
    points = _rings(outer, inner, half, np.pi * (np.arange(count + 1) / count - 0.5))
    k = np.arange(count)
    n = count + 1
    lip = np.array([[0, n, 2 * n], [0, 2 * n, 3 * n]])
    return points, np.concatenate([_around(k, k + 1, n), lip[:, ::-1] + count, lip])


def _rings(outer: float, inner: float, half: float, angles: np.ndarray) -> np.ndarray:
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * (1.0 + OFF)
    return np.concatenate(
        [
            np.column_stack([r * circle, np.full(len(angles), z)])
            for r, z in ((outer, -half), (outer, half), (inner, half), (inner, -half))
        ]
    )


def _around(k: np.ndarray, after: np.ndarray, n: int) -> np.ndarray:
    """Triangles of the four walls between rings of n points, at the places k to those after."""
    triangles = []
    for ring in range(4):
        a, b = n * ring, n * ((ring + 1) % 4)
        triangles += [
            np.column_stack([a + k, a + after, b + after]),
            np.column_stack([a + k, b + after, b + k]),
        ]
    return np.concatenate(triangles)
