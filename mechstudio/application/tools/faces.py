"""Faces of solids as planes to draw in."""

import math

from mechstudio.model.drawing import WorkPlane
from mechstudio.model.rotation import Triple


def _cross(a: Triple, b: Triple) -> Triple:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _dot(a: Triple, b: Triple) -> float:
    return sum(x * y for x, y in zip(a, b))


def face_plane(plane: WorkPlane, point: Triple, normal: Triple, name: str) -> WorkPlane:
    """The plane through a point of a face across its unit normal, its axes as near to those of the work plane as can be.

    Its origin is the foot of the work plane's, so that grids and typed coordinates of parallel planes agree.
    """
    # rounding of a drawn surface is no tilt
    n: Triple = tuple(round(c, 9) + 0.0 for c in normal)  # type: ignore[assignment]
    size = math.sqrt(_dot(n, n))
    n = tuple(c / size for c in n)  # type: ignore[assignment]
    up = plane.v if abs(_dot(n, plane.v)) < 0.9 else plane.normal if _dot(n, plane.v) < 0 else tuple(-c for c in plane.normal)
    v = tuple(a - _dot(up, n) * b for a, b in zip(up, n))  # type: ignore[arg-type]
    size = math.sqrt(_dot(v, v))  # type: ignore[arg-type]
    v = tuple(c / size for c in v)
    rise = _dot(n, tuple(p - o for p, o in zip(point, plane.origin)))  # type: ignore[arg-type]
    origin = tuple(o + rise * c for o, c in zip(plane.origin, n))
    return WorkPlane(f"face of {name}", origin, _cross(v, n), v)  # type: ignore[arg-type]


def axis_letters(plane: WorkPlane) -> tuple[str, str]:
    """What the plane's coordinates are called: the axis of W that each runs along, else u and v."""
    def letter(way: Triple, otherwise: str) -> str:
        return next(("xyz"[k] for k in range(3) if abs(way[k] - 1.0) < 1e-9), otherwise)
    return letter(plane.u, "u"), letter(plane.v, "v")
