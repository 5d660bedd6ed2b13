"""Binary STL of a surface."""

import numpy as np

_ROW = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def stl_bytes(points: np.ndarray, triangles: np.ndarray, scale: float = 1.0) -> bytes:
    """A file of corners (n, 3) [m] and triangles (t, 3).  scale: of its lengths, 1000 for mm."""
    corners = points[triangles] * scale
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.zeros(len(triangles), _ROW)
    rows["normal"] = normals / np.where(length > 0.0, length, 1.0)
    rows["corners"] = corners
    return b"mechstudio".ljust(80, b" ") + np.uint32(len(rows)).tobytes() + rows.tobytes()
