"""Parts of meshes: shaded smooth across faint edges and flat across sharp ones, which are drawn."""

import functools

import numpy as np

from mechstudio.application.scene.solids.solids import Mesh, Part, unit
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.triangles import Mesh as Surface

CREASE = np.cos(np.radians(30.0))  # normals of neighbours farther apart than that meet in an edge
MOST_EDGES = 20_000  # above, edges are the noise of a scanned surface, and are left out


@functools.lru_cache(maxsize=16)
def mesh_part(surface: Surface) -> Part | None:
    """The part of a mesh in its own axes; None for one that encloses nothing."""
    if meshes.check(surface):
        return None
    points, triangles = meshes.arrays(surface)
    triangles = triangles.astype(np.int64)
    p = points[triangles]
    area = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    normal = unit(area)
    edges = meshes.find_edges(triangles, len(points))
    one, two = edges.order[edges.first], edges.order[edges.first + 1]
    flat = (
        np.linalg.norm(area, axis=1) <= 1e-14 * float(np.ptp(points, axis=0).max()) ** 2
    )  # a triangle without area has no direction
    sharp = (
        ((normal[one // 3] * normal[two // 3]).sum(axis=1) < CREASE)
        & ~flat[one // 3]
        & ~flat[two // 3]
    )
    weighted = (_angles(p)[:, :, None] * np.where(flat[:, None], 0.0, normal)[:, None]).reshape(
        -1, 3
    )
    at = _corner_groups(len(triangles), one[~sharp], two[~sharp])
    names, first, at = np.unique(at, return_index=True, return_inverse=True)
    vertex = triangles.ravel()
    solid = Mesh(points[vertex[first]], _sums(weighted, at, len(names)), at.reshape(-1, 3))
    lines = _chains(*meshes.ends(triangles, one[sharp])) if sharp.sum() <= MOST_EDGES else []
    return Part(
        solid,
        Mesh(points, _sums(weighted, vertex, len(points)), triangles),
        tuple(points[line] for line in lines),
    )


def _angles(p: np.ndarray) -> np.ndarray:
    """Angles (t, 3) of triangles (t, 3, 3) at their corners: weights of normals that do not depend
    on how faces are cut up.
    """
    side = unit(np.roll(p, -1, axis=1) - p)
    return np.arccos(np.clip(-(side * np.roll(side, 1, axis=1)).sum(axis=2), -1.0, 1.0))


def _corner_groups(count: int, one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """For each corner 3 * triangle + k a number that it shares with the corners that it is shaded
    with: those met across smooth edges.

    one, two: sides of both triangles at each smooth edge; they run against each other.
    """
    following = lambda side: side - side % 3 + (side % 3 + 1) % 3
    return meshes.components(
        3 * count, np.concatenate([one, following(one)]), np.concatenate([following(two), two])
    )


def _sums(weighted: np.ndarray, at: np.ndarray, count: int) -> np.ndarray:
    """Unit sums of the normals of all corners by group; upward where they cancel."""
    total = np.column_stack([np.bincount(at, weighted[:, k], count) for k in range(3)])
    total[np.linalg.norm(total, axis=1) < 1e-9] = (0.0, 0.0, 1.0)
    return unit(total)


def _chains(a: np.ndarray, b: np.ndarray) -> list[list[int]]:
    """Polylines of vertices along edges a[k] – b[k], each edge in one of them; they end where
    others branch off.
    """
    beside: dict[int, list[int]] = {}
    for u, v in zip(a.tolist(), b.tolist()):
        beside.setdefault(u, []).append(v)
        beside.setdefault(v, []).append(u)
    branches = {u for u, others in beside.items() if len(others) != 2}
    out = []
    for start in (*sorted(branches), *sorted(set(beside) - branches)):
        while beside[start]:
            line = [start]
            while beside[line[-1]]:
                here = line[-1]
                following = beside[here].pop()
                beside[following].remove(here)
                line.append(following)
                if following in branches:
                    break
            out.append(line)
    return out
