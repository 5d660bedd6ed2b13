"""A camera for tools under test: parallel, so that pixels are easy to reckon with."""

import math

from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.edits.links import FRONT

PIXEL = 0.001  # metres


class Seen:
    """Looks at the origin from an azimuth and an elevation [deg], as the window's camera; by
    default at the front.
    """

    def __init__(self, azimuth=-90.0, elevation=0.0, pixel=PIXEL):
        a, e = math.radians(azimuth), math.radians(elevation)
        exact = lambda x: 0.0 if abs(x) < 1e-15 else x
        ca, sa, ce, se = (exact(f(x)) for x in (a, e) for f in (math.cos, math.sin))
        self.right, self.up, self.back = (
            (-sa, ca, 0.0),
            (-ca * se, -sa * se, ce),
            (ca * ce, sa * ce, se),
        )
        self.pixel = pixel

    def ray(self, x, y):
        origin = tuple(
            self.pixel * (x * r - y * u) + 100.0 * b
            for r, u, b in zip(self.right, self.up, self.back)
        )
        return origin, tuple(-b for b in self.back)

    def pixel_of(self, point):
        return tuple(
            sign * sum(p * a for p, a in zip(point, axis)) / self.pixel
            for sign, axis in ((1.0, self.right), (-1.0, self.up))
        )

    def pixel_size(self, point):
        return self.pixel

    def over(self, point, plane=FRONT, **keys):
        """The pointer over a point of W."""
        return self.pointer(*self.pixel_of(point), plane, **keys)

    def pointer(self, x, y, plane=FRONT, **keys):
        """The pointer at a pixel."""
        keys.setdefault("body", keys.get("element", ""))
        return Pointer(on_plane(self, x, y, plane), self.pixel, x=x, y=y, eye=self, **keys)

    def at(self, x, z, **keys):
        """The pointer over a point of the front plane."""
        return self.over((x, 0.0, z), **keys)
