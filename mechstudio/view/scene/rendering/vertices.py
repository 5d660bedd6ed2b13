"""Layout of a scene's meshes and lines in vertex buffers."""

import numpy as np

from mechstudio.application.scene.lines import Fills, Lines
from mechstudio.application.scene.solids.batch import Batch
from mechstudio.view.scene.rendering import shaders

_SOLID = np.dtype(
    [("a_point", "f4", 3), ("a_normal", "f4", 3), ("a_row", "f4", 2), ("a_key", "f4", 2)]
)
_LINE = np.dtype(
    [
        ("a_before", "f4", 3),
        ("a_point", "f4", 3),
        ("a_after", "f4", 3),
        ("a_style", "f4", 3),
        ("a_along", "f4", 3),
        ("a_row", "f4", 2),
    ]
)
_FILL = np.dtype([("a_point", "f4", 3), ("a_row", "f4", 2)])
_CORNER = np.dtype([("a_corner", "f4", 2)])

SQUARE = np.array([((-1, -1),), ((1, -1),), ((-1, 1),), ((1, 1),)], _CORNER)  # drawn as a strip


def texture_lines(row_count: int) -> int:
    """Lines of the texture that holds so many rows."""
    return max(1, -(-row_count // shaders.ROWS_ACROSS))


def row_places(rows: np.ndarray, lines: int) -> np.ndarray:
    """Places (k, 2) of the first texels of rows in a texture of so many lines."""
    line, column = np.divmod(rows.astype(int), shaders.ROWS_ACROSS)
    return np.column_stack([(4 * column + 0.5) / (4 * shaders.ROWS_ACROSS), (line + 0.5) / lines])


def solid_vertices(batch: Batch, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and indices of a mesh."""
    v = np.zeros(len(batch.points), _SOLID)
    v["a_point"], v["a_normal"], v["a_row"] = (
        batch.points,
        batch.normals,
        row_places(batch.row, lines),
    )
    v["a_key"] = np.column_stack([batch.material, batch.along])
    return v, batch.triangles.ravel()


def ribbons(strokes: Lines, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Two vertices per point, two triangles per segment; neighbours are given relative to the
    point.
    """
    v = np.zeros((len(strokes.points), 2), _LINE)
    v["a_point"] = strokes.points[:, None]
    v["a_before"], v["a_after"] = (
        (strokes.before - strokes.points)[:, None],
        (strokes.after - strokes.points)[:, None],
    )
    v["a_style"][..., 0] = (-1.0, 1.0)
    v["a_style"][..., 1], v["a_style"][..., 2] = strokes.width[:, None], strokes.kind[:, None]
    v["a_along"] = np.column_stack(
        [strokes.along_before - strokes.along, strokes.along, strokes.along_after - strokes.along]
    )[:, None]
    v["a_row"] = row_places(strokes.row, lines)[:, None]
    i = 2 * strokes.pieces.astype("u4")
    return v.ravel(), np.column_stack([i, i + 1, i + 2, i + 1, i + 3, i + 2]).ravel()


def fill_vertices(fills: Fills, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and indices of filled polygons."""
    v = np.zeros(len(fills.points), _FILL)
    v["a_point"], v["a_row"] = fills.points, row_places(fills.row, lines)
    return v, fills.triangles.ravel()
