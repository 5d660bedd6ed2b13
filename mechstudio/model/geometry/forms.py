"""Geometric forms of shapes in their own axes: volumes, points, edges and axes.

A row of model/types/shapes.py makes one of its lengths; the floors above add pictures, contacts and
drawings per form.
"""

import math

import msgspec

from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.outline import Point, convex_hull, lamina
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.triangles import Mesh

Matrix = tuple[Triple, Triple, Triple]
Enclosed = tuple[float, Triple, Matrix]

ORIGIN: Triple = (0.0, 0.0, 0.0)
NO_INERTIA: Matrix = (ORIGIN, ORIGIN, ORIGIN)
ROUND = 12  # points of a circle
FACETS = 96  # around a tube, where contacts have no closed form
# of a radius: how far these facets lie off the round surface, on both sides of it
OFF = 0.5 * (1.0 - math.cos(math.pi / FACETS))
MOST = 400  # points of a mesh that are examined
_CIRCLE = tuple(
    (math.cos(2 * math.pi * k / ROUND), math.sin(2 * math.pi * k / ROUND)) for k in range(ROUND)
)


def _diagonal(a: float, b: float, c: float) -> Matrix:
    return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))


def _thick(t: float, a: float, center: Point, xx: float, zz: float, xz: float = 0.0) -> Enclosed:
    """A plate of thickness t along y: its area, its centroid (x, z), and integrals about that."""
    y, skew = a * t**3 / 12, 0.0 - xz * t
    return (
        a * t,
        (center[0], 0.0, center[1]),
        ((zz * t + y, 0.0, skew), (0.0, (xx + zz) * t, 0.0), (skew, 0.0, xx * t + y)),
    )


class Form(msgspec.Struct, frozen=True):
    """Form of a shape; its lengths are in metres, or formulas of lengths where only what it
    encloses is requested (symbolic/plan/followed_masses.py).
    """

    def enclosed(self) -> Enclosed:
        """Volume [m^3], centroid [m] and inertia per density [m^5] about it."""
        raise NotImplementedError

    def hull(self) -> list[Triple]:
        """Points of the surface whose convex hull is about the form's [m]."""
        raise NotImplementedError

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True if a point lies in the form or nearer to it than a tolerance [m]."""
        raise NotImplementedError

    def points(self) -> dict[str, Triple]:
        """Points that frames can stand at, beside those that are multiples of one length [m]."""
        return {}

    def middle(self) -> Triple:
        """Middle of the form [m]."""
        return ORIGIN

    def reach(self) -> float | None:
        """Half the length of a round form along its axis z [m]; None for one without an axis."""
        return None

    def edges(self) -> list[Triple]:
        """Middles of the straight edges [m]."""
        return []


class Block(Form, frozen=True):
    """A box centred on the origin; x, y, z: lengths of its sides."""

    x: float
    y: float
    z: float

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia."""
        x, y, z = self.x, self.y, self.z
        v = x * y * z
        return (
            v,
            ORIGIN,
            _diagonal(v * (y * y + z * z) / 12, v * (x * x + z * z) / 12, v * (x * x + y * y) / 12),
        )

    def hull(self) -> list[Triple]:
        """The corners."""
        a, b, c = self.x / 2, self.y / 2, self.z / 2
        return [(x, y, z) for x in (-a, a) for y in (-b, b) for z in (-c, c)]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True inside and near the faces."""
        return all(abs(c) <= d / 2 + tolerance for c, d in zip(p, (self.x, self.y, self.z)))

    def edges(self) -> list[Triple]:
        """Middles of the twelve edges."""
        half = (self.x / 2, self.y / 2, self.z / 2)
        out: list[Triple] = []
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            for a in (-1.0, 1.0):
                for b in (-1.0, 1.0):
                    p = [0.0, 0.0, 0.0]
                    p[i], p[j] = a * half[i], b * half[j]
                    out.append((p[0], p[1], p[2]))
        return out


class Ellipsoid(Form, frozen=True):
    """An ellipsoid centred on the origin; x, y, z: its whole lengths."""

    x: float
    y: float
    z: float

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia."""
        x, y, z = self.x, self.y, self.z
        v = math.pi * x * y * z / 6
        return (
            v,
            ORIGIN,
            _diagonal(v * (y * y + z * z) / 20, v * (x * x + z * z) / 20, v * (x * x + y * y) / 20),
        )

    def hull(self) -> list[Triple]:
        """Three ellipses."""
        a, b, c = self.x / 2, self.y / 2, self.z / 2
        return [
            p
            for u, v in _CIRCLE
            for p in ((a * u, b * v, 0.0), (a * u, 0.0, c * v), (0.0, b * u, c * v))
        ]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True inside the ellipsoid with half axes longer by the tolerance."""
        sizes = (self.x, self.y, self.z)
        return math.hypot(*(c / (d / 2 + tolerance) for c, d in zip(p, sizes))) <= 1.0


class Frustum(Form, frozen=True):
    """A circular cone, or what is left of one, about z, centred on the origin halfway up."""

    bottom: float
    top: float
    height: float

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia by integrals over discs of the radius b + (t - b) s at the
        height h (s - 1/2), 0 <= s <= 1.
        """
        b, t, h = self.bottom, self.top, self.height
        v = math.pi * h * (b * b + b * t + t * t) / 3
        if v == 0:
            return 0.0, ORIGIN, NO_INERTIA
        # int z dV and int z^2 dV from the bottom
        first = math.pi * h * h * (b * b + 2 * b * t + 3 * t * t) / 12
        second = math.pi * h**3 * (b * b + 3 * b * t + 6 * t * t) / 30
        axial = math.pi * h * (b**4 + b**3 * t + b * b * t * t + b * t**3 + t**4) / 10
        z = first / v
        across = axial / 2 + second - v * z * z
        return v, (0.0, 0.0, z - h / 2), _diagonal(across, across, axial)

    def hull(self) -> list[Triple]:
        """Both rims."""
        rims = ((self.bottom, -self.height / 2), (self.top, self.height / 2))
        return [(r * c, r * s, z) for r, z in rims for c, s in _CIRCLE]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True inside and near the surface."""
        share = min(1.0, max(0.0, p[2] / self.height + 0.5))
        return (
            math.hypot(p[0], p[1]) <= self.bottom + share * (self.top - self.bottom) + tolerance
            and abs(p[2]) <= self.height / 2 + tolerance
        )

    def reach(self) -> float | None:
        """Half the height."""
        return self.height / 2


class Cylinder(Form, frozen=True):
    """A cylinder about z, centred on the origin."""

    radius: float
    height: float

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia."""
        r, h = self.radius, self.height
        v = math.pi * r * r * h
        across = v * (3 * r * r + h * h) / 12
        return v, ORIGIN, _diagonal(across, across, v * r * r / 2)

    def hull(self) -> list[Triple]:
        """Both rims."""
        r, half = self.radius, self.height / 2
        return [(r * c, r * s, z) for c, s in _CIRCLE for z in (-half, half)]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True inside and near the surface."""
        return (
            math.hypot(p[0], p[1]) <= self.radius + tolerance
            and abs(p[2]) <= self.height / 2 + tolerance
        )

    def reach(self) -> float | None:
        """Half the height."""
        return self.height / 2


class Disc(Cylinder, frozen=True):
    """A cylinder so flat that contacts may take it for a circle."""


class Tube(Form, frozen=True):
    """A hollow cylinder about z, centred on the origin, whose bore goes through."""

    outer: float
    inner: float
    height: float

    @property
    def facet_error(self) -> float:
        """Distance from the round surface of the facets that touch what has no closed form [m]."""
        return OFF * self.outer

    def enclosed(self) -> Enclosed:
        """A cylinder less the one in its bore; nothing without a wall."""
        r, q, h = self.outer, self.inner, self.height
        if not 0.0 <= q < r:
            return 0.0, ORIGIN, NO_INERTIA
        v = math.pi * (r - q) * (r + q) * h
        across = v * (3 * (r * r + q * q) + h * h) / 12
        return v, ORIGIN, _diagonal(across, across, v * (r * r + q * q) / 2)

    def hull(self) -> list[Triple]:
        """Both outer rims."""
        r, half = self.outer, self.height / 2
        return [(r * c, r * s, z) for c, s in _CIRCLE for z in (-half, half)]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True in the wall and near its surface."""
        u = math.hypot(p[0], p[1])
        return (
            self.inner - tolerance <= u <= self.outer + tolerance
            and abs(p[2]) <= self.height / 2 + tolerance
        )

    def reach(self) -> float | None:
        """Half the height."""
        return self.height / 2


class HalfPipe(Tube, frozen=True):
    """The half of a tube that lies where x > 0, open along -x."""

    def enclosed(self) -> Enclosed:
        """Half of a tube, the middle of half an annulus at 4 (R^3 - r^3) / (3 pi (R^2 - r^2))."""
        whole, _, ((across, _, _), _, (_, _, axial)) = super().enclosed()
        if whole == 0.0:
            return 0.0, ORIGIN, NO_INERTIA
        r, q, v = self.outer, self.inner, whole / 2
        x = 4 * (r * r + r * q + q * q) / (3 * math.pi * (r + q))
        off = v * x * x
        return v, (x, 0.0, 0.0), _diagonal(across / 2, across / 2 - off, axial / 2 - off)

    def hull(self) -> list[Triple]:
        """Both outer rims, and the lips."""
        return [(max(x, 0.0), y, z) for x, y, z in super().hull()]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True in the wall and near its surface."""
        return p[0] >= -tolerance and super().holds(p, tolerance)


class Capsule(Form, frozen=True):
    """A cylinder about z with round caps; height: from the centre of one cap to that of the other,
    which lie on both sides of the origin.
    """

    radius: float
    height: float = 0.0

    def enclosed(self) -> Enclosed:
        """A cylinder and two half balls, each with its centroid 3 r / 8 beyond the cap's centre."""
        r, h = self.radius, self.height
        v, ball = math.pi * r * r * h, 4 * math.pi * r**3 / 3
        across = v * (3 * r * r + h * h) / 12 + ball * (2 * r * r / 5 + h * h / 4 + 3 * h * r / 8)
        return v + ball, ORIGIN, _diagonal(across, across, v * r * r / 2 + 2 * ball * r * r / 5)

    def hull(self) -> list[Triple]:
        """Three circles about each centre."""
        r, half = self.radius, self.height / 2
        return [
            p
            for z in {-half, half}
            for c, s in _CIRCLE
            for p in ((r * c, r * s, z), (r * c, 0.0, z + r * s), (0.0, r * c, z + r * s))
        ]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True inside and near the surface."""
        beyond = max(0.0, abs(p[2]) - self.height / 2)
        return math.hypot(p[0], p[1], beyond) <= self.radius + tolerance

    def points(self) -> dict[str, Triple]:
        """The ends of both caps."""
        end = self.height / 2 + self.radius
        return {"bottom": (0.0, 0.0, -end), "top": (0.0, 0.0, end)}

    def reach(self) -> float | None:
        """Half the whole length."""
        return self.height / 2 + self.radius


class Ball(Capsule, frozen=True):
    """A sphere about the origin: a capsule without height, and without an axis."""

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia."""
        r = self.radius
        v = 4 * math.pi * r**3 / 3
        return v, ORIGIN, _diagonal(*[0.4 * v * r * r] * 3)

    def points(self) -> dict[str, Triple]:
        """None beside the multiples of its radius."""
        return {}

    def reach(self) -> float | None:
        """None: all axes are alike."""
        return None


class Flat(Form, frozen=True):
    """The convex hull of discs of one radius about corners (x, z), with a thickness along y."""

    corners: tuple[Point, ...]
    radius: float
    thickness: float

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia of the plate."""
        t = self.thickness
        a, sx, sz, xx, zz, xz = lamina(convex_hull(self.corners), self.radius)
        if a == 0:  # no corner, or sharp corners on one line
            return 0.0, ORIGIN, NO_INERTIA
        cx, cz = sx / a, sz / a
        xx, zz, xz = xx - a * cx * cx, zz - a * cz * cz, xz - a * cx * cz
        return _thick(t, a, (cx, cz), xx, zz, xz)

    def hull(self) -> list[Triple]:
        """Circles about the corners on both faces."""
        r, t = self.radius, self.thickness / 2
        return [
            (x + r * c, y, z + r * s) for x, z in self.corners for c, s in _CIRCLE for y in (-t, t)
        ]

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True in the box about the plate."""
        reach = self.radius + tolerance
        return abs(p[1]) <= self.thickness / 2 + tolerance and all(
            min(c[k] for c in self.corners) - reach <= x <= max(c[k] for c in self.corners) + reach
            for k, x in ((0, p[0]), (1, p[2]))
        )

    def points(self) -> dict[str, Triple]:
        """The corners, in the middle of the thickness."""
        return {f"corner {k}": (x, 0.0, z) for k, (x, z) in enumerate(self.corners, 1)}

    def middle(self) -> Triple:
        """Middle of the box about the corners."""
        xs, zs = zip(*self.corners)
        return ((min(xs) + max(xs)) / 2, 0.0, (min(zs) + max(zs)) / 2)

    def edges(self) -> list[Triple]:
        """Middles of the sides between the corners."""
        return [
            ((a[0] + b[0]) / 2, 0.0, (a[1] + b[1]) / 2)
            for a, b in zip(self.corners, self.corners[1:] + self.corners[:1])
        ]


class Bar(Flat, frozen=True):
    """A flat bar with round ends along x from the origin."""

    @property
    def length(self) -> float:
        """Distance of the ends' centres [m]."""
        return self.corners[1][0]

    def enclosed(self) -> Enclosed:
        """A rectangle and two half discs, each with its centroid 4 r / (3 pi) beyond its centre."""
        L, r = self.length, self.radius
        flat, disc = 2 * r * L, math.pi * r * r
        xx = flat * L * L / 12 + disc * (L * L + r * r) / 4 + 4 * r**3 * L / 3
        return _thick(
            self.thickness, flat + disc, (L / 2, 0.0), xx, (flat * r / 3 + disc * r / 4) * r
        )

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True inside and near the surface."""
        along = min(self.length, max(0.0, p[0]))
        return (
            math.hypot(p[0] - along, p[2]) <= self.radius + tolerance
            and abs(p[1]) <= self.thickness / 2 + tolerance
        )

    def points(self) -> dict[str, Triple]:
        """None beside the multiples of its length."""
        return {}

    def edges(self) -> list[Triple]:
        """None: its middle is a point of it."""
        return []


class Polyhedron(Form, frozen=True):
    """A solid that a closed surface of triangles encloses."""

    mesh: Mesh

    def enclosed(self) -> Enclosed:
        """Volume, centroid and inertia of the polyhedron."""
        solid = meshes.solid(self.mesh)
        return max(solid.volume, 0.0), solid.center, solid.inertia

    def hull(self) -> list[Triple]:
        """Some of the vertices, and the sides of the box about them."""
        points, _ = meshes.arrays(self.mesh)
        some: list[list[float]] = points[:: max(1, len(points) // MOST)].tolist()
        return [(x, y, z) for x, y, z in some] + list(self.points().values())

    def holds(self, p: Triple, tolerance: float) -> bool:
        """True in the box about the surface."""
        box = meshes.solid(self.mesh)
        return all(a - tolerance <= c <= b + tolerance for a, c, b in zip(box.low, p, box.high))

    def points(self) -> dict[str, Triple]:
        """The centroid, and the middles of the sides of the box about it."""
        return meshes.named_points(self.mesh)

    def middle(self) -> Triple:
        """Middle of the box about the surface."""
        (a, b, c), (d, e, f) = meshes.solid(self.mesh).low, meshes.solid(self.mesh).high
        return ((a + d) / 2, (b + e) / 2, (c + f) / 2)
