"""The camera as tools see it (application/tools/eye.py)."""

import math

import numpy as np

from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens


def triple(v: np.ndarray) -> Triple:
    """A vector (3,) as plain numbers."""
    return (float(v[0]), float(v[1]), float(v[2]))


class CameraEye:
    """A camera and the size of its picture (width, height) [px]."""

    def __init__(self, camera: Camera, size: tuple[float, float]) -> None:
        self._camera, self._size = camera, size
        self._axes, self._eye, self._pixel = (
            lens.axes(camera),
            lens.eye(camera),
            lens.pixel(camera, size),
        )
        self.right, self.up, self.back = (triple(a) for a in self._axes)
        self._at, self._half = triple(self._eye), lens.half_extent(camera, size)

    def ray(self, x: float, y: float) -> tuple[Triple, Triple]:
        """See tools.eye.Eye."""
        found = lens.ray(self._camera, self._size, x, y)
        return triple(found.origin), triple(found.direction)

    def pixel_of(self, point: Triple) -> tuple[float, float] | None:
        """See tools.eye.Eye.  As lens.project does, for the one point that tools and handles ask
        for hundreds of times.
        """
        x, y, z = point[0] - self._at[0], point[1] - self._at[1], point[2] - self._at[2]
        (a, b, c), (d, e, f), (g, h, i) = self.right, self.up, self.back
        depth = -(g * x + h * y + i * z)
        if not depth > 1e-9:
            return None
        scale = self._camera.distance / depth if self._camera.perspective else 1.0
        across, tall = (
            ((a * x + b * y + c * z) * scale / self._half[0] + 1) * self._size[0] / 2,
            (1 - (d * x + e * y + f * z) * scale / self._half[1]) * self._size[1] / 2,
        )
        return (across, tall) if math.isfinite(across) else None

    def pixel_size(self, point: Triple) -> float:
        """See tools.eye.Eye."""
        if not self._camera.perspective:
            return self._pixel
        depth = float((self._eye - np.array(point)) @ self._axes[2])
        return self._pixel * max(depth, 1e-3 * self._camera.distance) / self._camera.distance
