"""Pictures of a scene: rectangles that a viewport fills with what their files hold."""

from typing import NamedTuple

import numpy as np

from mechstudio.application.scene.instances import LARGEST
from mechstudio.model.edits.pictures import corners
from mechstudio.model.project import Project


class PicturePlane(NamedTuple):
    """corners: (4, 3) lower left, lower right, upper right, upper left [m, W].  opacity: 0 to 1.
    locked: clicks go through it.
    """

    id: str
    name: str
    path: str
    corners: np.ndarray
    opacity: float
    locked: bool


def picture_planes(project: Project) -> tuple[PicturePlane, ...]:
    """The pictures that are to be seen."""
    return tuple(
        PicturePlane(
            p.id,
            p.name,
            p.path,
            np.clip(np.array(corners(p)), -LARGEST, LARGEST),
            float(np.clip(p.opacity.value, 0.0, 1.0)),
            p.locked,
        )
        for p in project.pictures.values()
        if p.visible
    )


def crossed(
    planes: tuple[PicturePlane, ...], origin: np.ndarray, direction: np.ndarray
) -> tuple[str, np.ndarray, np.ndarray] | None:
    """The nearest unlocked picture along a ray: its id, the point [m, W], and the normal towards
    where the ray comes from.
    """
    best: tuple[float, str, np.ndarray, np.ndarray] | None = None
    for plane in planes:
        a, u, v = (
            plane.corners[0],
            plane.corners[1] - plane.corners[0],
            plane.corners[3] - plane.corners[0],
        )
        normal = np.cross(u, v)
        slope = float(normal @ direction)
        if plane.locked or abs(slope) < 1e-12 * float(np.linalg.norm(normal)):
            continue
        t = float(normal @ (a - origin)) / slope
        at = origin + t * direction
        if (
            t <= 0
            or (best is not None and t >= best[0])
            or not (0 <= (at - a) @ u <= u @ u and 0 <= (at - a) @ v <= v @ v)
        ):
            continue
        normal = normal / np.linalg.norm(normal)
        best = (t, plane.id, at, -normal if slope > 0 else normal)
    return None if best is None else best[1:]
