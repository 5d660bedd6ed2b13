"""The camera as tools see it (application/tools/eye.py)."""

import numpy as np

from mechstudio.model.project import Camera
from mechstudio.model.rotation import Triple

from . import camera as lens


def triple(v: np.ndarray) -> Triple:
    """A vector (3,) as plain numbers."""
    return (float(v[0]), float(v[1]), float(v[2]))


class CameraEye:
    """A camera and the size of its picture (width, height) [px]."""

    def __init__(self, camera: Camera, size: tuple[float, float]) -> None:
        self._camera, self._size = camera, size
        self._axes, self._eye, self._pixel = lens.axes(camera), lens.eye(camera), lens.pixel(camera, size)
        self.right, self.up, self.back = (triple(a) for a in self._axes)

    def ray(self, x: float, y: float) -> tuple[Triple, Triple]:
        """See tools.eye.Eye."""
        found = lens.ray(self._camera, self._size, x, y)
        return triple(found.origin), triple(found.direction)

    def pixel_of(self, point: Triple) -> tuple[float, float] | None:
        """See tools.eye.Eye."""
        x, y, depth = lens.project(self._camera, self._size, np.array(point))[0]
        return (float(x), float(y)) if depth > 0 and np.isfinite(x) else None

    def pixel_size(self, point: Triple) -> float:
        """See tools.eye.Eye."""
        if not self._camera.perspective:
            return self._pixel
        depth = float((self._eye - np.array(point)) @ self._axes[2])
        return self._pixel * max(depth, 1e-3 * self._camera.distance) / self._camera.distance
