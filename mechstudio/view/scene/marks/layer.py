"""Layer of the scene that holds everything beside the drawing: paths, outlines and lines."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mechstudio.application.marks.figures.figure import Figures
from mechstudio.application.marks.marks import Path, ends_of
from mechstudio.application.scene import Scene
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.figure_lines import FigureLines
from mechstudio.view.scene.marks.outlines import Outlines
from mechstudio.view.scene.marks.paths import Paths
from mechstudio.view.scene.rendering.gl import Device
from mechstudio.view.scene.rendering.vertices import texture_lines

_CORNERS = np.array([(x, y, z) for x in range(2) for y in range(2) for z in range(2)])


class MarkLayer:
    """Marks of one scene on a device.  reach (k, 3): corners of their bounding box in W [m]."""

    def __init__(self, device: Device, look: Look) -> None:
        self._look = look
        self._paths, self._outlines = Paths(device), Outlines(device)
        self._lines, self._moving = FigureLines(device), FigureLines(device)
        self._path_reach = self._figure_reach = np.zeros((0, 3))
        self._loaded: tuple[Scene | None, str, Figures] = (None, "", Figures())

    @property
    def reach(self) -> np.ndarray:
        return np.concatenate([self._path_reach, self._figure_reach])

    def trace(self, paths: Sequence[Path]) -> None:
        """Put trails and curves on the device."""
        self._paths.load(paths, self._look.theme)
        self._path_reach = _box(ends_of(paths))

    def sketch(self, figures: Figures, scene: Scene) -> None:
        """Put outlines and lines on the device, those that are others than before."""
        look, (of, theme, before) = self._look.theme, self._loaded
        same = of is scene and theme == look
        self._loaded = (scene, look, figures)
        rows = (scene.bodies, texture_lines(len(scene.rows.owners)), look)
        if not same or figures.outlines is not before.outlines:
            self._outlines.load(figures.outlines, look)
        if not same or figures.lines is not before.lines:
            self._lines.load(figures.lines, *rows)
        if not same or figures.moving or before.moving:
            self._moving.load(figures.moving, *rows)
        self._figure_reach = _box(_places(figures))

    def draw(self, common: dict[str, Any], camera: Camera, size: tuple[int, int], scale: float):
        """Draw over the finished scene.  size: of the picture [px]."""
        eye = {
            "u_eye": lens.eye(camera),
            "u_back": lens.axes(camera)[2],
            "u_perspective": float(camera.perspective),
        }
        pixel = lens.pixel(camera, size)
        self._outlines.draw(common, eye, scale)
        self._lines.draw(common, scale, pixel)
        self._moving.draw(common, scale, pixel)
        self._paths.draw(common, scale, self._look.now, pixel)

    def destroy(self) -> None:
        """Free what lies on the device."""
        for part in (self._paths, self._outlines, self._lines, self._moving):
            part.destroy()


def _places(figures: Figures) -> np.ndarray:
    """Points (k, 3) of W that enclose outlines, each by a ball, and lines of W."""
    lines = (*figures.lines, *figures.moving)
    out = [np.zeros((0, 3)), *(line.points for line in lines if line.body == GROUND)]
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
