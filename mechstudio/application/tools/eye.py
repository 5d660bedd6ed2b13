"""View of the scene as tools need it: pixels of points and rays through pixels."""

from typing import Protocol

from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.geometry.rotation import Triple, minus, plus
from mechstudio.translation import tr

GRAZING = 0.02  # sine of the angle with a plane below which a pixel is a long way of it


class Eye(Protocol):
    """The camera at one event.  right, up, back: its axes, unit, in W; back points at the
    viewer.
    """

    right: Triple
    up: Triple
    back: Triple

    def ray(self, x: float, y: float) -> tuple[Triple, Triple]:
        """(origin [m], unit direction) in W of the line of sight through a pixel."""
        ...

    def pixel_of(self, point: Triple) -> tuple[float, float] | None:
        """The pixel (x to the right, y down) of a point of W; None behind the camera."""
        ...

    def pixel_size(self, point: Triple) -> float:
        """Size [m] of a pixel at the depth of a point of W."""
        ...


def on_plane(eye: Eye, x: float, y: float, plane: WorkPlane) -> Triple | None:
    """Intersection of the line of sight through a pixel with a plane [m, W]; None if there is none,
    or only behind the camera.
    """
    origin, direction = eye.ray(x, y)
    n = plane.normal
    slope = sum(a * b for a, b in zip(direction, n))
    if abs(slope) < 1e-9:
        return None
    t = sum((o - p) * c for o, p, c in zip(plane.origin, origin, n)) / slope
    return None if t <= 0 else plus(origin, direction, t)  # type: ignore[return-value]


def unreachable(eye: Eye, x: float, y: float, plane: WorkPlane) -> str:
    """Reason why nothing can be drawn in a plane at a pixel; empty where it can."""
    direction = eye.ray(x, y)[1]
    facing = abs(sum(a * b for a, b in zip(eye.back, plane.normal)))
    if facing < GRAZING:
        return tr(
            "The work plane is seen edge-on: choose Look at the work plane, or draw in another "
            "one (W)."
        )
    slope = abs(sum(a * b for a, b in zip(direction, plane.normal)))
    if slope < GRAZING or on_plane(eye, x, y, plane) is None:
        return tr(
            "The pointer is beyond the horizon of the work plane: point further in, or choose "
            "Look at the work plane."
        )
    return ""


def nearest_on_line(
    eye: Eye, x: float, y: float, point: Triple, direction: Triple
) -> Triple | None:
    """The point of a line (a point of it, its unit direction) nearest to the line of sight through
    a pixel; None where they are parallel.
    """
    origin, ray = eye.ray(x, y)
    d = minus(point, origin)
    a, b, c = (
        sum(u * v for u, v in zip(*pair)) for pair in ((direction, ray), (direction, d), (ray, d))
    )
    if 1.0 - a * a < 1e-6:
        return None
    s = (a * c - b) / (1.0 - a * a)
    return plus(point, direction, s)  # type: ignore[return-value]
