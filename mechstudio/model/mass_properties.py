"""Mass, centre of mass and inertia of bodies from their shapes (THEORY 2), in closed form; of
meshes by model/geometry/mesh.py.

The holes that pins need in links and plates are not subtracted; shapes of one body that overlap
count twice where they do.
"""

import functools
import math

import msgspec

from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.rotation import Triple, from_axes, matrix, to_angles, transform
from mechstudio.model.mechanism import Body, Shape
from mechstudio.model.quantity import values
from mechstudio.model.units import format_number, format_value

Matrix = tuple[Triple, Triple, Triple]


class MassProperties(msgspec.Struct, frozen=True):
    """mass [kg]; center of mass in body axes [m]; inertia about it in body axes [kg m^2],
    symmetric.
    """

    mass: float
    center: Triple
    inertia: Matrix


NOTHING = MassProperties(0.0, (0.0, 0.0, 0.0), ((0.0,) * 3,) * 3)  # type: ignore[arg-type]


def _diagonal(a, b, c) -> Matrix:
    return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))


def _lamina(corners, radius):
    """Area integrals (1, x, z, xx, zz, xz) of the convex hull of discs about the corners, in order.

    The region is the polygon, a rectangle of width `radius` on each side and a sector at each
    corner.
    """
    total = [0.0] * 6
    count = len(corners)

    def polygon(points):
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
            w = x0 * y1 - x1 * y0
            for k, term in enumerate(
                (
                    w / 2,
                    w * (x0 + x1) / 6,
                    w * (y0 + y1) / 6,
                    w * (x0 * x0 + x0 * x1 + x1 * x1) / 12,
                    w * (y0 * y0 + y0 * y1 + y1 * y1) / 12,
                    w * (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0) / 24,
                )
            ):
                total[k] += term

    def sector(c, a, b):
        r2, r3, r4 = radius**2 * (b - a) / 2, radius**3 / 3, radius**4 / 4
        mx, my = r3 * (math.sin(b) - math.sin(a)), r3 * (math.cos(a) - math.cos(b))
        half, wave = (b - a) / 2, (math.sin(2 * b) - math.sin(2 * a)) / 4
        for k, term in enumerate(
            (
                r2,
                c[0] * r2 + mx,
                c[1] * r2 + my,
                c[0] ** 2 * r2 + 2 * c[0] * mx + r4 * (half + wave),
                c[1] ** 2 * r2 + 2 * c[1] * my + r4 * (half - wave),
                c[0] * c[1] * r2
                + c[0] * my
                + c[1] * mx
                + r4 * (math.sin(b) ** 2 - math.sin(a) ** 2) / 2,
            )
        ):
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
        turn = math.atan2(
            before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1]
        )
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
            while len(out) > 1 and (out[-1][0] - out[-2][0]) * (p[1] - out[-2][1]) <= (
                out[-1][1] - out[-2][1]
            ) * (p[0] - out[-2][0]):
                out.pop()
            out.append(p)
        return out[:-1]

    return half(points) + half(points[::-1])


def _flat(corners, radius, thickness) -> tuple[float, Triple, Matrix]:
    """Volume, centroid and inertia per density, about the centroid, of a plate in xz."""
    a, sx, sz, xx, zz, xz = _lamina(corners, radius)
    if a == 0:  # no corner, or sharp corners on one line
        return 0.0, (0.0, 0.0, 0.0), NOTHING.inertia
    cx, cz = sx / a, sz / a
    xx, zz, xz = xx - a * cx * cx, zz - a * cz * cz, xz - a * cx * cz
    t, y = thickness, a * thickness**3 / 12
    return (
        a * t,
        (cx, 0.0, cz),
        ((zz * t + y, 0.0, -xz * t), (0.0, (xx + zz) * t, 0.0), (-xz * t, 0.0, xx * t + y)),
    )


def _cone(b, t, h) -> tuple[float, Triple, Matrix]:
    """A frustum about z by integrals over its discs of the radius b + (t - b) s at the height h (s
    - 1/2), 0 <= s <= 1.
    """
    v = math.pi * h * (b * b + b * t + t * t) / 3
    if v == 0:
        return 0.0, (0.0, 0.0, 0.0), NOTHING.inertia
    first = (
        math.pi * h * h * (b * b + 2 * b * t + 3 * t * t) / 12
    )  # int z dV and int z^2 dV from the bottom
    second = math.pi * h**3 * (b * b + 3 * b * t + 6 * t * t) / 30
    axial = math.pi * h * (b**4 + b**3 * t + b * b * t * t + b * t**3 + t**4) / 10
    z = first / v
    across = axial / 2 + second - v * z * z
    return v, (0.0, 0.0, z - h / 2), _diagonal(across, across, axial)


def shape_solid(shape: Shape) -> tuple[float, Triple, Matrix]:
    """Volume [m^3], centroid [m] and inertia per density [m^5] about it, in the shape's own
    axes.
    """
    d = {name: q.value for name, q in shape.dimensions.items()}
    origin = (0.0, 0.0, 0.0)
    match shape.type:
        case "link":
            return _flat(
                [(0.0, 0.0), (d["length"], 0.0)] if d["length"] > 0 else [(0.0, 0.0)],
                d["width"] / 2,
                d["thickness"],
            )
        case "plate":
            return _flat(
                convex_hull([values(p) for p in shape.outline]), d["radius"], d["thickness"]
            )
        case "box":
            x, y, z = d["length"], d["depth"], d["height"]
            v = x * y * z
            return (
                v,
                origin,
                _diagonal(
                    v * (y * y + z * z) / 12, v * (x * x + z * z) / 12, v * (x * x + y * y) / 12
                ),
            )
        case "cylinder" | "disc":
            r, h = d["radius"], d["height"] if shape.type == "cylinder" else d["thickness"]
            v = math.pi * r * r * h
            return (
                v,
                origin,
                _diagonal(
                    v * (3 * r * r + h * h) / 12, v * (3 * r * r + h * h) / 12, v * r * r / 2
                ),
            )
        case "sphere":
            r = d["radius"]
            v = 4 * math.pi * r**3 / 3
            return v, origin, _diagonal(*[0.4 * v * r * r] * 3)
        case "ellipsoid":
            x, y, z = d["length"], d["depth"], d["height"]
            v = math.pi * x * y * z / 6
            return (
                v,
                origin,
                _diagonal(
                    v * (y * y + z * z) / 20, v * (x * x + z * z) / 20, v * (x * x + y * y) / 20
                ),
            )
        case "capsule":
            # a cylinder and two half balls, each with its centroid 3 r / 8 beyond the cap's centre
            r, h = d["radius"], d["height"]
            v, ball = math.pi * r * r * h, 4 * math.pi * r**3 / 3
            across = v * (3 * r * r + h * h) / 12 + ball * (
                2 * r * r / 5 + h * h / 4 + 3 * h * r / 8
            )
            return v + ball, origin, _diagonal(across, across, v * r * r / 2 + 2 * ball * r * r / 5)
        case "cone":
            return _cone(d["bottom_radius"], d["top_radius"], d["height"])
        case "mesh" if shape.mesh is not None:
            solid = meshes.solid(shape.mesh)
            return max(solid.volume, 0.0), solid.center, solid.inertia
    raise ValueError(f"No solid is known for a shape of type {shape.type}.")


def rotated(inertia: Matrix, quaternion) -> Matrix:
    """R I R^T."""
    # written out: everything that is selected or drawn anew asks for it
    R, (I, J, K) = matrix(quaternion), inertia
    half = [
        (
            a * I[0] + b * J[0] + c * K[0],
            a * I[1] + b * J[1] + c * K[1],
            a * I[2] + b * J[2] + c * K[2],
        )
        for a, b, c in R
    ]
    return tuple(
        (
            x * R[0][0] + y * R[0][1] + z * R[0][2],
            x * R[1][0] + y * R[1][1] + z * R[1][2],
            x * R[2][0] + y * R[2][1] + z * R[2][2],
        )
        for x, y, z in half
    )  # type: ignore[return-value]


def steiner(inertia: Matrix, mass: float, arm: Triple) -> Matrix:
    """Inertia about a point at -arm from the centre of mass: I + m (r.r 1 - r r^T)."""
    rr = sum(c * c for c in arm)
    return tuple(
        tuple(inertia[i][j] + mass * ((rr if i == j else 0.0) - arm[i] * arm[j]) for j in range(3))
        for i in range(3)
    )  # type: ignore[return-value]


def from_shapes(body: Body) -> MassProperties:
    """The sum of the body's solids."""
    parts = []
    for shape in body.shapes:
        volume, center, inertia = shape_solid(shape)
        rho = shape.density.value
        if rho * volume > 0:
            placed = rotated(inertia, shape.placement.quaternion)
            parts.append(
                (
                    rho * volume,
                    transform(shape.placement.pose, center),
                    tuple(tuple(rho * c for c in row) for row in placed),
                )
            )
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
    """Mass properties that the dynamics uses: the typed values, the rest from the shapes; a typed
    mass scales the shapes' inertia.
    """
    known = _known.get(id(body))
    if known is None or known[0] is not body:
        if len(_known) > KEPT:
            _known.clear()
        known = _known[id(body)] = (body, _mass_properties(body))
    return known[1]


# bodies are frozen, and readings, fields and tools ask for all of them at every redraw
KEPT = 2048
_known: dict[int, tuple[Body, MassProperties]] = {}


def _mass_properties(body: Body) -> MassProperties:
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


# principal axes

EQUAL = (
    1e-9  # of the largest moment: closer moments are equal, and their axes are any across the third
)
AXIS_NAMES = (
    "I₁",
    "I₂",
    "I₃",
)  # of the smallest moment first; letters would be mistaken for joints


class PrincipalAxes(msgspec.Struct, frozen=True):
    """moments I1 <= I2 <= I3 [kg m^2].  axes: their unit directions in body axes, right-handed; a
    largest component is positive where handedness leaves the choice.  free: for each whether its
    direction is any one across the others, since theirs are equal.
    """

    moments: Triple
    axes: Matrix
    free: tuple[bool, bool, bool]

    @property
    def angles(self) -> Triple:
        """The axes as angles (psi, theta, phi) [rad] with R = Rz(psi) Ry(theta) Rx(phi) in body
        axes.
        """
        return to_angles(from_axes(*self.axes))


def principal_axes(inertia: Matrix) -> PrincipalAxes:
    """Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations (Golub and Van Loan
    2013, section 8.5).

    Exact to rounding relative to the largest moment.  Raises ValueError for entries that are not
    finite.
    """
    a = [[float(c) for c in row] for row in inertia]
    if not all(math.isfinite(c) for row in a for c in row):
        raise ValueError("An inertia with an entry that is no number has no principal axes.")
    # scaled, so that squares neither overflow nor vanish
    largest = max(abs(c) for row in a for c in row)
    if largest == 0:
        return PrincipalAxes(
            (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), (True, True, True)
        )
    a = [[c / largest for c in row] for row in a]
    columns = [[float(i == j) for j in range(3)] for i in range(3)]
    for _ in range(30):  # each sweep squares what is left: six do
        if abs(a[0][1]) + abs(a[0][2]) + abs(a[1][2]) < 1e-300:
            break
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if a[p][q] == 0:
                continue
            tau = (a[q][q] - a[p][p]) / (2 * a[p][q])
            t = math.copysign(1.0, tau) / (abs(tau) + math.hypot(1.0, tau))
            c = 1 / math.hypot(1.0, t)
            s = t * c
            for k in range(3):
                a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
            for k in range(3):
                a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
            a[p][q] = a[q][p] = 0.0
            for row in columns:
                row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    order = sorted(range(3), key=lambda k: a[k][k])
    moments = tuple(a[k][k] * largest for k in order)
    axes = [[row[k] for row in columns] for k in order]
    for k in (0, 2):
        if max(axes[k], key=abs) < 0:
            axes[k] = [-c for c in axes[k]]
    (ax, ay, az), _, (cx, cy, cz) = axes
    axes[1] = [cy * az - cz * ay, cz * ax - cx * az, cx * ay - cy * ax]
    same = [abs(moments[k + 1] - moments[k]) <= EQUAL * max(map(abs, moments)) for k in range(2)]
    clean = lambda row: tuple(0.0 if abs(c) < 1e-15 else c for c in row)
    return PrincipalAxes(moments, tuple(map(clean, axes)), (same[0], same[0] or same[1], same[1]))  # type: ignore[arg-type]


TRIANGLE = (
    1e-6  # part of the largest moment by which a typed inertia may fail: typed numbers are rounded
)


@functools.lru_cache(maxsize=4096)
def impossible_inertia(inertia: Matrix) -> str:
    """Reason why no body can have an inertia, in one sentence with the amount; empty if one can.
    Raises ValueError as principal_axes does.

    Positive semidefinite, so that point masses (zero) and thin rods (zero about the axis) pass, and
    no principal moment larger than the sum of the other two (equality for a flat body): A = int y^2
    + z^2 and so on, in principal axes.
    """
    principal = principal_axes(inertia)
    a, b, c = principal.moments
    largest = max(abs(a), abs(c))
    if a < -TRIANGLE * largest:
        return f"It has a negative moment of inertia about {_axis(principal, 0)}: {_moment(a)}."
    if c - a - b > TRIANGLE * largest:
        return (
            f"Its largest principal moment, {_moment(c)} about {_axis(principal, 2)}, is by "
            f"{_moment(c - a - b)} more than the sum of the other two, "
            f"{_moment(a)} and {_moment(b)}."
        )
    return ""


def _axis(principal: PrincipalAxes, k: int) -> str:
    """An axis in words: "X", or its direction."""
    for name, c in zip("XYZ", principal.axes[k]):
        if abs(c) > 1 - 1e-6:
            return name
    return f"the direction ({', '.join(format_number(round(c, 3), 3) for c in principal.axes[k])})"


def _moment(value: float) -> str:
    return format_value(value, "inertia", digits=4)
