"""Planes to draw in: the three standard ones, those through a point, across a joint's axis, on a
face, through three points; named in words.
"""

import math

import msgspec

from mechstudio.model.geometry.rotation import Triple, minus, triple
from mechstudio.translation import Words, tr


class WorkPlane(msgspec.Struct, frozen=True):
    """A drawing plane.  origin [m, W]; u to the right, v up, both unit; pins stand along the normal
    u x v towards the viewer.
    """

    name: Words
    origin: Triple
    u: Triple
    v: Triple

    @property
    def normal(self) -> Triple:
        return cross(self.u, self.v)

    def to_plane(self, point: Triple) -> tuple[float, float]:
        """Plane coordinates [m] of the foot of a point of W."""
        d = minus(point, self.origin)
        return (sum(a * b for a, b in zip(d, self.u)), sum(a * b for a, b in zip(d, self.v)))

    def to_world(self, u: float, v: float) -> Triple:
        """The point of W [m] at plane coordinates."""
        return triple(o + u * a + v * b for o, a, b in zip(self.origin, self.u, self.v))

    def height(self, point: Triple) -> float:
        """Distance of a point of W from the plane [m], positive towards the viewer."""
        return sum((a - b) * c for a, b, c in zip(point, self.origin, self.normal))


FRONT = WorkPlane("Front plane", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
RIGHT = WorkPlane("Right plane", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TOP = WorkPlane("Top plane", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
STANDARD = {"front": FRONT, "right": RIGHT, "top": TOP}
_AXES = {"front": "XZ", "right": "YZ", "top": "XY"}
PARALLEL = 1e-6  # sine of the angle below which two directions are the same


def cross(a: Triple, b: Triple) -> Triple:
    """a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Triple, b: Triple) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(v: Triple) -> Triple | None:
    """The direction of a vector; None of one without length."""
    n = math.sqrt(dot(v, v))
    return (v[0] / n, v[1] / n, v[2] / n) if n > 1e-300 else None


def parallel(a: Triple, b: Triple) -> bool:
    """True if two unit vectors lie along the same line, either way."""
    c = cross(a, b)
    return dot(c, c) < PARALLEL**2


def _whole(c: float) -> float:
    """A component, made whole if it nearly is."""
    return float(round(c)) if abs(c - round(c)) < 1e-12 else c


def _without_minus_zero(v: Triple) -> Triple:
    return (v[0] + 0.0, v[1] + 0.0, v[2] + 0.0)


def facing(name: str, origin: Triple, normal: Triple, like: WorkPlane | None = None) -> WorkPlane:
    """The plane through a point across a direction, v as far up as it goes; of a level plane v is
    W's y, as in the view from the top.

    like: a plane whose u and v are kept where it has the same normal.
    """
    n = unit(normal) or (0.0, -1.0, 0.0)
    n = (_whole(n[0]), _whole(n[1]), _whole(n[2]))
    if like is not None and parallel(like.normal, n) and dot(like.normal, n) > 0:
        return WorkPlane(name, origin, like.u, like.v)
    up: Triple = (
        (0.0, 0.0, 1.0) if abs(n[2]) < 1.0 - 1e-9 else (0.0, 1.0 if n[2] > 0 else -1.0, 0.0)
    )
    u = unit(cross(up, n))
    assert u is not None
    return WorkPlane(name, origin, _without_minus_zero(u), _without_minus_zero(cross(n, u)))


def towards(normal: Triple, back: Triple | None) -> Triple:
    """A normal, turned over where it points away from the viewer; back: from the scene to the
    viewer.
    """
    return (
        (-normal[0], -normal[1], -normal[2])
        if back is not None and dot(normal, back) < -1e-9
        else normal
    )


def is_sound(plane: WorkPlane) -> bool:
    """True if u and v are perpendicular unit vectors, as numbers from a file need not be."""
    return (
        max(
            abs(dot(plane.u, plane.u) - 1.0),
            abs(dot(plane.v, plane.v) - 1.0),
            abs(dot(plane.u, plane.v)),
        )
        < 1e-6
    )


def same(a: WorkPlane, b: WorkPlane, tolerance: float) -> bool:
    """True if two planes are the same set of points, within a distance [m]."""
    return parallel(a.normal, b.normal) and abs(a.height(b.origin)) <= tolerance


def standard_of(plane: WorkPlane) -> str:
    """ "front", "right" or "top" for a plane parallel to one of these; "" for any other."""
    return next((key for key, p in STANDARD.items() if parallel(p.normal, plane.normal)), "")


def named_by(plane: WorkPlane, words: str) -> WorkPlane:
    """Name of the plane, after the elements that it passes through: "XZ through pin A", "Across pin
    A" where it is parallel to no standard plane.

    One that goes through the origin parallel to a standard plane is that plane.
    """
    key = standard_of(plane)
    if not key:
        return msgspec.structs.replace(plane, name=f"Across {words}")
    return msgspec.structs.replace(plane, name=f"{_AXES[key]} through {words}")


def of_points(a: Triple, b: Triple, c: Triple, back: Triple | None = None) -> WorkPlane | None:
    """The plane through three points, u from the first to the second unless it is parallel to a
    standard plane; None where they lie in line.
    """
    first, second = (minus(end, a) for end in (b, c))
    n, longest = cross(first, second), max(math.dist(a, b), math.dist(a, c), math.dist(b, c))
    if longest == 0 or math.sqrt(dot(n, n)) < 1e-6 * longest**2:
        return None
    normal = towards(unit(n) or n, back)
    plane = facing(tr("Through three points"), a, normal)
    if standard_of(plane):
        return plane
    u = unit(first)  # type: ignore[arg-type]
    assert u is not None
    return WorkPlane(tr("Through three points"), a, u, cross(normal, u))
