"""Batch of the parts of all rows in two indexed meshes: one for shading, one for outlines and
shadows.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.solids.solids import Mesh, Part


class Batch(NamedTuple):
    """points, normals (v, 3) f4 in the axes of each vertex' row; row, material, along (v,) f4;
    triangles (t, 3) u4 sorted by row.

    ranges: (rows + 1,) first triangle of every row.
    """

    points: np.ndarray
    normals: np.ndarray
    row: np.ndarray
    material: np.ndarray
    along: np.ndarray
    triangles: np.ndarray
    ranges: np.ndarray


class Piece(NamedTuple):
    """A part of one row.  along: per point of solid and of skin, None for rigid ones."""

    row: int
    part: Part
    material: float
    along: tuple[np.ndarray, np.ndarray] | None = None


def pack(pieces: list[Piece], row_count: int) -> tuple[Batch, Batch]:
    """(solid, skin) of all pieces."""
    pieces = sorted(pieces, key=lambda p: p.row)
    return (
        _pack(
            [(p, p.part.solid, None if p.along is None else p.along[0]) for p in pieces], row_count
        ),
        _pack(
            [(p, p.part.skin, None if p.along is None else p.along[1]) for p in pieces], row_count
        ),
    )


def _pack(items: list[tuple[Piece, Mesh, np.ndarray | None]], row_count: int) -> Batch:
    if not items:
        none, empty = np.zeros((0, 3), "f4"), np.zeros(0, "f4")
        return Batch(
            none, none, empty, empty, empty, np.zeros((0, 3), "u4"), np.zeros(row_count + 1, int)
        )
    meshes = [m for _, m, _ in items]
    counts = np.array([len(m.points) for m in meshes])
    starts = np.cumsum(counts) - counts
    rows, faces = (
        np.array([p.row for p, _, _ in items]),
        np.array([len(m.triangles) for m in meshes]),
    )
    along = np.zeros(counts.sum(), "f4")
    for (_, _, a), start, count in zip(items, starts.tolist(), counts.tolist()):
        if a is not None:
            along[start : start + count] = a
    per_row = np.bincount(rows, weights=faces, minlength=row_count).astype(int)
    return Batch(
        np.concatenate([m.points for m in meshes]).astype("f4"),
        np.concatenate([m.normals for m in meshes]).astype("f4"),
        np.repeat(rows, counts).astype("f4"),
        np.repeat([p.material for p, _, _ in items], counts).astype("f4"),
        along,
        (np.concatenate([m.triangles for m in meshes]) + np.repeat(starts, faces)[:, None]).astype(
            "u4"
        ),
        np.concatenate([[0], np.cumsum(per_row)]),
    )
