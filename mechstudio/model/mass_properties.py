"""Mass, centre of mass and inertia of bodies from their shapes (THEORY 2), in closed form
(model/geometry/forms.py).

The holes that pins need in links and plates are not subtracted; shapes of one body that overlap
count twice where they do.
"""

import functools
import math
from collections.abc import Sequence

import msgspec

from mechstudio.model.geometry.forms import NO_INERTIA, ORIGIN, Enclosed, Matrix
from mechstudio.model.geometry.rotation import (
    Quaternion,
    Triple,
    from_axes,
    matrix,
    to_angles,
    transform,
    triple,
)
from mechstudio.model.mechanism import Body, Shape
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_number, format_value
from mechstudio.translation import series, tr


class MassProperties(msgspec.Struct, frozen=True):
    """mass [kg]; center of mass in body axes [m]; inertia about it in body axes [kg m^2],
    symmetric.
    """

    mass: float
    center: Triple
    inertia: Matrix


NOTHING = MassProperties(0.0, (0.0, 0.0, 0.0), NO_INERTIA)


def shape_solid(shape: Shape) -> Enclosed:
    """Volume [m^3], centroid [m] and inertia per density [m^5] about it, in the shape's own
    axes.
    """
    return shape.form.enclosed()


def rotated(inertia: Matrix, quaternion: Quaternion) -> Matrix:
    """R I R^T."""
    return between_axes(inertia, matrix(quaternion))


def between_axes(inertia: Matrix, R: Matrix) -> Matrix:
    """R I R^T of a rotation matrix."""
    # written out: every selection and every redraw needs it
    I, J, K = inertia
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


class Reading:
    """The numbers that mass properties are made of: those of the drawing.  Another reading has
    formulas in their place, and names for what it is made of (symbolic/plan/followed_masses.py).
    """

    def number(self, q: Quantity) -> float:
        """A typed mass, coordinate or moment [SI]."""
        return q.value

    def solid(self, shape: Shape) -> tuple[float, Enclosed]:
        """Density [kg/m^3] and what a shape encloses, in its own axes."""
        return shape.density.value, shape_solid(shape)

    def placed(self, shape: Shape, center: Triple, inertia: Matrix) -> tuple[Triple, Matrix]:
        """Centroid and inertia in body axes."""
        placement = shape.placement
        return transform(placement.pose, center), rotated(inertia, placement.quaternion)

    def has_mass(self, mass: float) -> bool:
        """True for what counts."""
        return mass > 0

    def part(self, shape: Shape) -> MassProperties | None:
        """One solid in body axes; None for a shape without mass."""
        rho, (volume, center, inertia) = self.solid(shape)
        mass = rho * volume
        if not self.has_mass(mass):
            return None
        center, inertia = self.placed(shape, center, inertia)
        return MassProperties(mass, center, triple(triple(rho * c for c in row) for row in inertia))

    def balanced(self, parts: Sequence[MassProperties]) -> tuple[float, Triple]:
        """Mass and centre of mass of several solids, by which their inertia is computed."""
        mass = sum(p.mass for p in parts)
        if mass == 0:
            return mass, ORIGIN
        return mass, triple(sum(p.mass * p.center[k] for p in parts) / mass for k in range(3))


NUMBERS = Reading()


def from_shapes(body: Body, reading: Reading = NUMBERS) -> MassProperties:
    """The sum of the body's solids."""
    parts = [part for shape in body.shapes if (part := reading.part(shape)) is not None]
    if len(parts) == 1:
        return parts[0]
    mass, center = reading.balanced(parts)
    if mass == 0:
        return NOTHING
    total = [[0.0] * 3 for _ in range(3)]
    for p in parts:
        moved = steiner(p.inertia, p.mass, triple(p.center[k] - center[k] for k in range(3)))
        for i in range(3):
            for j in range(3):
                total[i][j] += moved[i][j]
    return MassProperties(mass, center, triple(map(triple, total)))


def mass_properties(body: Body) -> MassProperties:
    """Mass properties that the dynamics uses: the typed values, the rest from the shapes; a typed
    mass scales the shapes' inertia.
    """
    known = _known.get(id(body))
    if known is None or known[0] is not body:
        if len(_known) > KEPT:
            _known.clear()
        known = _known[id(body)] = (body, properties_by(body))
    return known[1]


# bodies are frozen, and readings, fields and tools need all of them at every redraw
KEPT = 2048
_known: dict[int, tuple[Body, MassProperties]] = {}


def properties_by(body: Body, reading: Reading = NUMBERS) -> MassProperties:
    """Mass properties by a reading: numbers, or formulas."""
    drawn = from_shapes(body, reading)
    number = reading.number
    mass = drawn.mass if body.mass is None else number(body.mass)
    center = (
        drawn.center if body.center_of_mass is None else triple(map(number, body.center_of_mass))
    )
    if body.inertia is not None:
        xx, yy, zz, xy, xz, yz = map(number, body.inertia)
        return MassProperties(mass, center, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    if body.mass is None:
        return MassProperties(mass, center, drawn.inertia)
    scale = mass / drawn.mass if drawn.mass > 0 else 0.0
    inertia = triple(triple(scale * c for c in row) for row in drawn.inertia)
    return MassProperties(mass, center, inertia)


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
        raise ValueError(tr("An inertia with an entry that is no number has no principal axes."))
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

    def clean(row: Sequence[float]) -> Triple:
        return triple(0.0 if abs(c) < 1e-15 else c for c in row)

    equal = (same[0], same[0] or same[1], same[1])
    return PrincipalAxes(moments, triple(map(clean, axes)), equal)  # type: ignore[arg-type]


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
        return tr(
            "It has a negative moment of inertia about {principal}: {a}.",
            principal=_axis(principal, 0),
            a=_moment(a),
        )
    if c - a - b > TRIANGLE * largest:
        return tr(
            "Its largest principal moment, {c} about {principal}, is by {moment} more than the "
            "sum of the other two, {a} and {body}.",
            c=_moment(c),
            principal=_axis(principal, 2),
            moment=_moment(c - a - b),
            a=_moment(a),
            body=_moment(b),
        )
    return ""


def _axis(principal: PrincipalAxes, k: int) -> str:
    """An axis in words: "X", or its direction."""
    for name, c in zip("XYZ", principal.axes[k]):
        if abs(c) > 1 - 1e-6:
            return name
    return tr(
        "the direction ({c})", c=series(format_number(round(c, 3), 3) for c in principal.axes[k])
    )


def _moment(value: float) -> str:
    return format_value(value, "inertia", digits=4)
