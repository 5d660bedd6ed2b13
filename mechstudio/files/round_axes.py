"""Axes of holes and shafts of a mesh, read off the circles along which its faces meet."""

from typing import NamedTuple, cast

import numpy as np

from mechstudio.model.geometry.mesh import ends, find_edges, rims
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.triangles import RoundAxis

SHARP = 0.9  # cosine of the angle between two faces below which the edge between them is seen
FEWEST = 12  # edges of a circle: an octagon is none
ROUND = 2e-3  # of the radius: distance of a circle's vertices from it, and from its plane
COAXIAL = 1e-3  # of the radius, and sine of an angle
MOST_EDGES = 20_000  # sharp edges; among more, such as of a rough scan, no circles are looked for
MOST_AXES = 60


class _Circle(NamedTuple):
    center: np.ndarray
    direction: np.ndarray
    radius: float
    hole: bool


def round_axes(points: np.ndarray, triangles: np.ndarray) -> list[RoundAxis]:
    """The axes of a closed surface of vertices (v, 3) [m] and triangles (t, 3), the largest radius
    first, at most MOST_AXES of them.

    An axis is found where at least one full circle of sharp edges lies about it, of FEWEST edges
    or more.
    """
    edges = find_edges(triangles, len(points))
    shared = edges.uses == 2
    first = edges.order[edges.first[shared]]
    second = edges.order[edges.first[shared] + 1]
    normals = _normals(points, triangles)
    sharp = (normals[first // 3] * normals[second // 3]).sum(axis=1) < SHARP
    if not 0 < np.count_nonzero(sharp) <= MOST_EDGES:
        return []
    first, second = first[sharp], second[sharp]
    a, b = ends(triangles, first)
    label = rims(a, b)
    circles: list[_Circle] = []
    for rim in np.unique(label):
        here = label == rim
        circle = _circle(points, a[here], b[here])
        if circle is not None:
            beside = np.concatenate([first[here] // 3, second[here] // 3])
            hole = _is_hole(points, triangles[beside], normals[beside], circle)
            circles.append(circle._replace(hole=hole))
    return sorted(_axes(circles), key=lambda axis: -axis.radius)[:MOST_AXES]


def _normals(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    p, q, r = (points[triangles[:, k]] for k in range(3))
    n = np.cross(q - p, r - p)
    size = np.linalg.norm(n, axis=1, keepdims=True)
    return n / np.where(size > 0, size, 1.0)


def _circle(points: np.ndarray, a: np.ndarray, b: np.ndarray) -> _Circle | None:
    """The circle through the vertices of a rim; None where they lie on none, or do not go round."""
    vertices, uses = np.unique(np.concatenate([a, b]), return_counts=True)
    if len(vertices) < FEWEST or (uses != 2).any():
        return None
    p = points[vertices]
    middle = p.mean(axis=0)
    _, sizes, axes = np.linalg.svd(p - middle, full_matrices=False)
    if not sizes[1] > 0:
        return None
    flat = (p - middle) @ axes[:2].T
    # least squares of x^2 + y^2 = 2 u x + 2 v y + c
    system = np.column_stack([2 * flat, np.ones(len(flat))])
    solved = cast("np.ndarray", np.linalg.lstsq(system, (flat**2).sum(axis=1), rcond=None)[0])
    u, v, c = (float(x) for x in solved)
    radius = float(np.sqrt(max(c + u * u + v * v, 0.0)))
    away = np.abs(np.linalg.norm(flat - (u, v), axis=1) - radius).max()
    height = np.abs((p - middle) @ axes[2]).max()
    if not radius > 0 or max(away, height) > ROUND * radius:
        return None
    return _Circle(middle + axes[:2].T @ (u, v), axes[2], radius, False)


def _is_hole(
    points: np.ndarray, triangles: np.ndarray, normals: np.ndarray, circle: _Circle
) -> bool:
    """True if the wall at a circle faces its axis."""
    out = points[triangles].mean(axis=1) - circle.center
    out -= np.outer(out @ circle.direction, circle.direction)
    across = 1.0 - np.abs(normals @ circle.direction)
    return float((across * (normals * out).sum(axis=1)).sum()) < 0.0


def _axes(circles: list[_Circle]) -> list[RoundAxis]:
    """Circles about one line as one axis each, holes and shafts apart."""
    groups: list[list[_Circle]] = []
    for circle in circles:
        group = next((g for g in groups if _are_coaxial(g[0], circle)), None)
        if group is None:
            groups.append([circle])
        else:
            group.append(circle)
    out: list[RoundAxis] = []
    for group in groups:
        base, direction = group[0].center, _upward(group[0].direction)
        along = [float((c.center - base) @ direction) for c in group]
        center = base + 0.5 * (min(along) + max(along)) * direction
        out.append(
            RoundAxis(
                _triple(center),
                _triple(direction),
                min(c.radius for c in group),
                0.5 * (max(along) - min(along)),
                group[0].hole,
            )
        )
    return out


def _are_coaxial(a: _Circle, b: _Circle) -> bool:
    if a.hole != b.hole or np.linalg.norm(np.cross(a.direction, b.direction)) > COAXIAL:
        return False
    apart = b.center - a.center
    away = apart - (apart @ a.direction) * a.direction
    return bool(np.linalg.norm(away) <= COAXIAL * max(a.radius, b.radius))


def _upward(direction: np.ndarray) -> np.ndarray:
    """A direction, or the opposite, so that its largest component is positive."""
    clean = np.where(np.abs(direction) < 1e-9, 0.0, direction)
    clean /= np.linalg.norm(clean)
    return clean * np.sign(clean[np.argmax(np.abs(clean))])


def _triple(v: np.ndarray) -> Triple:
    x, y, z = v.tolist()
    return (x + 0.0, y + 0.0, z + 0.0)
