"""Edges of bodies, of which a viewer sees those between a face turned to him and one turned away as
the outline.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.build import Builder
from mechstudio.model.mechanism import GROUND, Mechanism

FLAT = 1e-6  # 1 − cosine below which two faces are one, and the edge between them is never seen
WELD = 1e-6  # of its extent by which points of a mesh may differ and be one


class Edges(NamedTuple):
    """Edges in the axes of a body.  a, b (k, 3): ends [m].  first, second (k, 3): normals of the
    faces beside them; opposite ones where there is one face.
    """

    a: np.ndarray
    b: np.ndarray
    first: np.ndarray
    second: np.ndarray


def edges_of(m: Mechanism) -> dict[str, Edges]:
    """Edges of the solids of each visible body by its id; none for bodies without solids."""
    builder = Builder(m)
    for id in builder.index:
        builder.add_body(m.body(id))
    found: dict[str, Edges] = {}
    for id, row in builder.index.items():
        meshes = [p.part.skin for p in builder.pieces if p.row == row]
        meshes = [mesh for mesh in meshes if len(mesh.triangles)]
        if id == GROUND or not meshes or not m.bodies[id].visible:
            continue
        parts = [mesh_edges(np.asarray(x.points, float), np.asarray(x.triangles)) for x in meshes]
        found[id] = Edges(*(np.concatenate(each) for each in zip(*parts)))
    return found


def mesh_edges(points: np.ndarray, triangles: np.ndarray) -> Edges:
    """Edges of a mesh, points (v, 3) and triangles (t, 3), but for those inside flat faces."""
    cell = WELD * max(float(np.ptp(points, axis=0).max()), 1e-300)
    _, one = np.unique(np.round(points / cell).astype(np.int64), axis=0, return_inverse=True)
    corners = one.reshape(-1)[triangles.astype(int)]
    at = np.zeros((corners.max() + 1, 3))
    at[corners.ravel()] = points[triangles.astype(int).ravel()]
    whole = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
    corners = corners[whole]
    p, q, r = (at[corners[:, k]] for k in range(3))
    normals = np.cross(q - p, r - p)
    size = np.linalg.norm(normals, axis=1)
    corners, normals = corners[size > 0], normals[size > 0] / size[size > 0, None]
    pairs = np.sort(np.concatenate([corners[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
    face = np.tile(np.arange(len(corners)), 3)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs, face = pairs[order], face[order]
    begins = np.r_[True, (np.diff(pairs, axis=0) != 0).any(axis=1)]
    first = np.flatnonzero(begins)
    count = np.diff(np.r_[first, len(pairs)])
    one_face = count == 1
    n = normals[face[first]]
    other = np.where(one_face[:, None], -n, normals[face[first + ~one_face]])
    seen = (n * other).sum(axis=1) < 1.0 - FLAT
    ends = pairs[first][seen]
    return Edges(at[ends[:, 0]], at[ends[:, 1]], n[seen], other[seen])


def outline(edges: Edges, view: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends a, b (k, 3) of the edges that are the outline for a viewer far away in the direction
    `view` (3,), in the axes of the body.
    """
    seen = (edges.first @ view) * (edges.second @ view) <= 0.0
    return edges.a[seen], edges.b[seen]
