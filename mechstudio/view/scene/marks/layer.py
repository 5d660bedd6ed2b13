"""Layer of the scene that holds everything beside the drawing: paths, outlines and lines."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.marks import Path, ends_of
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.gl import Device
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.outlines import Outlines
from mechstudio.view.scene.marks.paths import Paths

_CORNERS = np.array([(x, y, z) for x in range(2) for y in range(2) for z in range(2)])


class MarkLayer:
    """Marks of one scene on a device.  reach (k, 3): corners of what encloses them in W [m]."""

    def __init__(self, device: Device, look: Look) -> None:
        self._look = look
        self._paths, self._outlines = Paths(device), Outlines(device)
        self._path_reach = self._figure_reach = np.zeros((0, 3))
        self._loaded: Figures | None = None

    @property
    def reach(self) -> np.ndarray:
        return np.concatenate([self._path_reach, self._figure_reach])

    def trace(self, paths: Sequence[Path]) -> None:
        """Put trails and curves on the device."""
        self._paths.load(paths, self._look.theme)
        self._path_reach = _box(ends_of(paths))

    def sketch(self, figures: Figures) -> None:
        """Put outlines and lines on the device."""
        self._outlines.load(figures.outlines, self._look.theme)
        self._figure_reach = _box(_places(figures))

    def draw(self, common: dict[str, Any], camera: Camera, size: tuple[int, int], scale: float):
        """Draw over the finished scene.  size: of the picture [px]."""
        eye = {
            "u_eye": lens.eye(camera),
            "u_back": lens.axes(camera)[2],
            "u_perspective": float(camera.perspective),
        }
        self._outlines.draw(common, eye, scale)
        self._paths.draw(common, scale, self._look.now, lens.pixel(camera, size))

    def destroy(self) -> None:
        """Free what lies on the device."""
        self._paths.destroy()
        self._outlines.destroy()


def _places(figures: Figures) -> np.ndarray:
    """Points (k, 3) of W that enclose outlines, each by a ball."""
    out = [np.zeros((0, 3))]
    for each in figures.outlines:
        radius = float(np.linalg.norm(each.edges.a, axis=1).max(initial=0.0))
        out.append(each.pose[:3] + radius * np.concatenate([np.eye(3), -np.eye(3)]))
    return np.concatenate(out)


def _box(points: np.ndarray) -> np.ndarray:
    """Corners (8, 3) of the box round points, none where there are none."""
    kept = lens.finite(points)
    if not len(kept):
        return np.zeros((0, 3))
    return np.array([kept.min(axis=0), kept.max(axis=0)])[_CORNERS, np.arange(3)]
