"""Picking of elements under the pointer: marks within some pixels of it first, then the nearest
triangle along the line of sight.
"""

from typing import NamedTuple

import numpy as np

from mechstudio.application.scene import Scene
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.lines import SIGN
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens

TOLERANCE = 6.0  # pixels from a mark


class Hit(NamedTuple):
    """id: of the element; point [m, W]; on_mark: a glyph or arrow was hit, not a surface; normal:
    of the surface, towards the viewer.  inside: the surface is seen from inside its body.
    """

    id: str
    point: np.ndarray
    on_mark: bool = False
    normal: np.ndarray | None = None
    inside: bool = False


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a x b by coordinates, (3,) or (3, t)."""
    return np.stack(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


class Picker:
    """Looks into one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        solid = scene.solid
        count = len(scene.rows.owners)
        # a ball about each row leaves most of them out of a search; the points of a mesh stand by
        # rows
        self._center, self._radius = np.zeros((count, 3)), np.full(count, -1.0)
        rows, first = np.unique(solid.row.astype(int), return_index=True)
        if len(rows):
            p = solid.points.astype(float)
            self._center[rows] = (np.minimum.reduceat(p, first) + np.maximum.reduceat(p, first)) / 2
            self._radius[rows] = np.sqrt(
                np.maximum.reduceat(
                    ((p - self._center[solid.row.astype(int)]) ** 2).sum(axis=1), first
                )
            )
        self._stretched = frozenset(scene.rows.stretched.tolist())
        self._kept: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def surface(self, poses: np.ndarray, ray: lens.Ray) -> Hit | None:
        """The nearest surface along a ray; None for empty room.  poses: of all rows (r, 8)."""
        scene, best = self._scene, (np.inf, -1, -1)
        stretch = poses[:, 7]
        center = poses[:, 4:7] + rotate(
            poses[:, :4], self._center + np.column_stack([0 * stretch, 0 * stretch, 0.5 * stretch])
        )
        along = (center - ray.origin) @ ray.direction
        miss = np.linalg.norm(center - ray.origin - along[:, None] * ray.direction, axis=1)
        for k in np.flatnonzero(
            (self._radius >= 0) & (miss <= self._radius + 0.5 * stretch) & scene.rows.visible
        ):
            t, triangle = self._distance(int(k), poses[k], ray)
            if t < best[0]:
                best = (t, int(k), triangle)
        t, row, triangle = best
        if row < 0:
            return None
        _, e1, e2 = self._corners(row, float(poses[row, 7]))
        normal = rotate(poses[row, :4], _cross(e1[:, triangle], e2[:, triangle]))
        normal = normal / max(float(np.linalg.norm(normal)), 1e-300)
        inside = bool(normal @ ray.direction > 0)
        point = ray.origin + t * ray.direction
        return Hit(scene.rows.owners[row], point, False, -normal if inside else normal, inside)

    def _distance(self, row: int, pose: np.ndarray, ray: lens.Ray) -> tuple[float, int]:
        """(distance along the ray to the nearest triangle of a row, its number); (inf, -1) if it
        misses (Möller and Trumbore 1997).
        """
        back = pose[:4] * (1.0, -1.0, -1.0, -1.0)
        o, d = rotate(back, ray.origin - pose[4:7]), rotate(back, ray.direction)
        a, e1, e2 = self._corners(row, float(pose[7]))
        h = _cross(d, e2)
        det = _dot(e1, h)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = o[:, None] - a
            u = _dot(s, h) / det
            hit = np.flatnonzero(
                (u >= -1e-9) & (u <= 1 + 1e-9)
            )  # most triangles are out of the question now
            s, e1, e2, det, u = s[:, hit], e1[:, hit], e2[:, hit], det[hit], u[hit]
            q = _cross(s, e1)
            v, t = _dot(d, q) / det, _dot(e2, q) / det
            t = np.where((v >= -1e-9) & (u + v <= 1 + 1e-9) & (t > 0), t, np.inf)
        nearest = int(np.argmin(t)) if len(t) else -1
        return (
            (float(t[nearest]), int(hit[nearest]))
            if nearest >= 0 and np.isfinite(t[nearest])
            else (np.inf, -1)
        )

    def _corners(self, row: int, stretch: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """First corners and two sides (3, t) of the triangles of a row, by coordinates; kept for
        rows that do not stretch.
        """
        if row in self._kept:
            return self._kept[row]
        solid = self._scene.solid
        index = solid.triangles[solid.ranges[row] : solid.ranges[row + 1]].astype(int)
        p = solid.points[index].astype(float)
        p[..., 2] += solid.along[index] * stretch
        a = np.ascontiguousarray(p[:, 0].T)
        found = a, np.ascontiguousarray(p[:, 1].T) - a, np.ascontiguousarray(p[:, 2].T) - a
        if row not in self._stretched:
            self._kept[row] = found
        return found

    def mark(
        self,
        poses: np.ndarray,
        camera: Camera,
        size: tuple[float, float],
        x: float,
        y: float,
        reach: float = TOLERANCE,
    ) -> Hit | None:
        """The glyph or arrow nearest to a pixel, within reach [px]; None for none.  poses: of all
        rows (r, 8).
        """
        m, rows = self._scene.marks, self._scene.rows
        if not len(m.pieces):
            return None
        row = m.row.astype(int)
        at = poses[row]
        points = m.points.astype(float)
        points[:, 2] += m.along * at[:, 7]
        world = at[:, 4:7] + rotate(at[:, :4], points)
        flat = lens.project(camera, size, world)
        i = m.pieces.astype(int)
        a, d = flat[i, :2], flat[i + 1, :2] - flat[i, :2]
        to = np.array([x, y]) - a
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.clip(np.nan_to_num((to * d).sum(1) / (d * d).sum(1)), 0.0, 1.0)
        gap = np.linalg.norm(to - share[:, None] * d, axis=1)
        gap[~rows.visible[row[i]] | (m.kind[i] == SIGN) | ~np.isfinite(gap)] = np.inf
        k = int(np.argmin(gap))
        if gap[k] > reach:
            return None
        return Hit(
            rows.owners[row[i[k]]], world[i[k]] + share[k] * (world[i[k] + 1] - world[i[k]]), True
        )
