"""Mass, centre of mass and inertia of bodies from their shapes (THEORY 2), in plain Python and closed form.

The holes that pins need in links and plates are not subtracted.
"""

import math

import msgspec

from .mechanism import Body, Shape
from .quantity import values
from .rotation import Triple, matrix, transform

Matrix = tuple[Triple, Triple, Triple]


class MassProperties(msgspec.Struct, frozen=True):
    """mass [kg]; center of mass in body axes [m]; inertia about it in body axes [kg m^2], symmetric."""

    mass: float
    center: Triple
    inertia: Matrix


NOTHING = MassProperties(0.0, (0.0, 0.0, 0.0), ((0.0,) * 3,) * 3)  # type: ignore[arg-type]


def _diagonal(a, b, c) -> Matrix:
    return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))


def _lamina(corners, radius):
    """Area integrals (1, x, z, xx, zz, xz) of the convex hull of discs about the corners, in order.

    The region is the polygon, a rectangle of width `radius` on each side and a sector at each corner.
    """
    total = [0.0] * 6
    count = len(corners)

    def polygon(points):
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
            w = x0 * y1 - x1 * y0
            for k, term in enumerate((w / 2, w * (x0 + x1) / 6, w * (y0 + y1) / 6, w * (x0 * x0 + x0 * x1 + x1 * x1) / 12,
                                      w * (y0 * y0 + y0 * y1 + y1 * y1) / 12,
                                      w * (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0) / 24)):
                total[k] += term

    def sector(c, a, b):
        r2, r3, r4 = radius ** 2 * (b - a) / 2, radius ** 3 / 3, radius ** 4 / 4
        mx, my = r3 * (math.sin(b) - math.sin(a)), r3 * (math.cos(a) - math.cos(b))
        half, wave = (b - a) / 2, (math.sin(2 * b) - math.sin(2 * a)) / 4
        for k, term in enumerate((r2, c[0] * r2 + mx, c[1] * r2 + my, c[0] ** 2 * r2 + 2 * c[0] * mx + r4 * (half + wave),
                                  c[1] ** 2 * r2 + 2 * c[1] * my + r4 * (half - wave),
                                  c[0] * c[1] * r2 + c[0] * my + c[1] * mx + r4 * (math.sin(b) ** 2 - math.sin(a) ** 2) / 2)):
            total[k] += term

    if count == 1:
        sector(corners[0], 0.0, 2 * math.pi)
        return total
    if count > 2:
        polygon(corners)
    normals = []
    for p, q in zip(corners, corners[1:] + corners[:1]):
        d = math.hypot(q[0] - p[0], q[1] - p[1])
        n = ((q[1] - p[1]) / d, (p[0] - q[0]) / d)
        normals.append(n)
        shift = (n[0] * radius, n[1] * radius)
        polygon([p, (p[0] + shift[0], p[1] + shift[1]), (q[0] + shift[0], q[1] + shift[1]), q])
    for k, corner in enumerate(corners):
        before, after = normals[k - 1], normals[k]
        a = math.atan2(before[1], before[0])
        turn = math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1])
        sector(corner, a, a + (math.pi if count == 2 else turn))
    return total


def convex_hull(points):
    """Corners of the convex hull, counter-clockwise, of points in a plane (monotone chain)."""
    points = sorted(set(points))
    if len(points) < 3:
        return points

    def half(row):
        out = []
        for p in row:
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (p[0] - out[-2][0]):
                out.pop()
            out.append(p)
        return out[:-1]

    return half(points) + half(points[::-1])


def _flat(corners, radius, thickness) -> tuple[float, Triple, Matrix]:
    """Volume, centroid and inertia per density, about the centroid, of a plate in xz."""
    a, sx, sz, xx, zz, xz = _lamina(corners, radius)
    if a == 0:      # no corner, or sharp corners on one line
        return 0.0, (0.0, 0.0, 0.0), NOTHING.inertia
    cx, cz = sx / a, sz / a
    xx, zz, xz = xx - a * cx * cx, zz - a * cz * cz, xz - a * cx * cz
    t, y = thickness, a * thickness ** 3 / 12
    return a * t, (cx, 0.0, cz), ((zz * t + y, 0.0, -xz * t), (0.0, (xx + zz) * t, 0.0), (-xz * t, 0.0, xx * t + y))


def shape_solid(shape: Shape) -> tuple[float, Triple, Matrix]:
    """Volume [m^3], centroid [m] and inertia per density [m^5] about it, in the shape's own axes."""
    d = {name: q.value for name, q in shape.dimensions.items()}
    origin = (0.0, 0.0, 0.0)
    match shape.type:
        case "link":
            return _flat([(0.0, 0.0), (d["length"], 0.0)] if d["length"] > 0 else [(0.0, 0.0)], d["width"] / 2, d["thickness"])
        case "plate":
            return _flat(convex_hull([values(p) for p in shape.outline]), d["radius"], d["thickness"])
        case "box":
            x, y, z = d["length"], d["depth"], d["height"]
            v = x * y * z
            return v, origin, _diagonal(v * (y * y + z * z) / 12, v * (x * x + z * z) / 12, v * (x * x + y * y) / 12)
        case "cylinder" | "disc":
            r, h = d["radius"], d["height"] if shape.type == "cylinder" else d["thickness"]
            v = math.pi * r * r * h
            return v, origin, _diagonal(v * (3 * r * r + h * h) / 12, v * (3 * r * r + h * h) / 12, v * r * r / 2)
        case "sphere":
            r = d["radius"]
            v = 4 * math.pi * r ** 3 / 3
            return v, origin, _diagonal(*[0.4 * v * r * r] * 3)
    raise ValueError(f"No solid is known for a shape of type {shape.type}.")


def rotated(inertia: Matrix, quaternion) -> Matrix:
    """R I R^T."""
    R = matrix(quaternion)
    half = [[sum(R[i][k] * inertia[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return tuple(tuple(sum(half[i][k] * R[j][k] for k in range(3)) for j in range(3)) for i in range(3))  # type: ignore[return-value]


def steiner(inertia: Matrix, mass: float, arm: Triple) -> Matrix:
    """Inertia about a point at -arm from the centre of mass: I + m (r.r 1 - r r^T)."""
    rr = sum(c * c for c in arm)
    return tuple(tuple(inertia[i][j] + mass * ((rr if i == j else 0.0) - arm[i] * arm[j]) for j in range(3)) for i in range(3))  # type: ignore[return-value]


def from_shapes(body: Body) -> MassProperties:
    """The sum of the body's solids."""
    parts = []
    for shape in body.shapes:
        volume, center, inertia = shape_solid(shape)
        rho = shape.density.value
        if rho * volume > 0:
            turned = rotated(inertia, shape.placement.quaternion)
            parts.append((rho * volume, transform(shape.placement.pose, center), tuple(tuple(rho * c for c in row) for row in turned)))
    mass = sum(m for m, _, _ in parts)
    if mass == 0:
        return NOTHING
    center = tuple(sum(m * c[k] for m, c, _ in parts) / mass for k in range(3))
    total = [[0.0] * 3 for _ in range(3)]
    for m, c, inertia in parts:
        moved = steiner(inertia, m, tuple(c[k] - center[k] for k in range(3)))  # type: ignore[arg-type]
        for i in range(3):
            for j in range(3):
                total[i][j] += moved[i][j]
    return MassProperties(mass, center, tuple(map(tuple, total)))  # type: ignore[arg-type]


def mass_properties(body: Body) -> MassProperties:
    """What the dynamics uses: the typed values, the rest from the shapes; a typed mass scales the shapes' inertia."""
    drawn = from_shapes(body)
    mass = drawn.mass if body.mass is None else body.mass.value
    center = drawn.center if body.center_of_mass is None else values(body.center_of_mass)
    if body.inertia is None:
        scale = mass / drawn.mass if drawn.mass > 0 else 0.0
        inertia = tuple(tuple(scale * c for c in row) for row in drawn.inertia)
    else:
        xx, yy, zz, xy, xz, yz = values(body.inertia)
        inertia = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    return MassProperties(mass, center, inertia)  # type: ignore[arg-type]
