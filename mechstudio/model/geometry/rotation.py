"""Attitudes in plain Python: quaternions (w, x, y, z), scalar first, that turn body axes into
parent axes (THEORY 1).
"""

import math
from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")
Quaternion = tuple[float, float, float, float]
Triple = tuple[float, float, float]
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)


def triple(items: Iterable[Item]) -> tuple[Item, Item, Item]:
    """Three of something."""
    x, y, z = items
    return (x, y, z)


def plus(a: Triple, b: Triple, factor: float = 1.0) -> Triple:
    """a + factor b."""
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


def minus(a: Triple, b: Triple) -> Triple:
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a: Triple, factor: float) -> Triple:
    """factor a."""
    return (factor * a[0], factor * a[1], factor * a[2])


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    """The turn q followed by the turn p, both seen from the outer axes: R(p) R(q)."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse turn of a unit quaternion."""
    return (q[0], -q[1], -q[2], -q[3])


def normalise(q: Quaternion) -> Quaternion:
    """The unit quaternion along q; a quaternion of length zero becomes the identity."""
    n = math.sqrt(sum(c * c for c in q))
    return IDENTITY if n == 0.0 else (q[0] / n, q[1] / n, q[2] / n, q[3] / n)


def rotate(q: Quaternion, v: Triple) -> Triple:
    """R(q) v."""
    w, x, y, z = q
    a, b, c = v
    # v + 2 e x (e x v + w v)
    tx, ty, tz = y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c
    return (a + 2 * (y * tz - z * ty), b + 2 * (z * tx - x * tz), c + 2 * (x * ty - y * tx))


def about(axis: Triple, angle: float) -> Quaternion:
    """A turn by `angle` [rad] about a unit axis."""
    s = math.sin(0.5 * angle)
    return (math.cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2])


def from_angles(psi: float, theta: float, phi: float) -> Quaternion:
    """R = Rz(psi) Ry(theta) Rx(phi) [rad], the angles as a body's orientation is typed."""
    # written out, since a drawing needs it thousands of times
    if not (psi or theta or phi):
        return IDENTITY
    cz, sz, cy, sy, cx, sx = (
        math.cos(0.5 * psi),
        math.sin(0.5 * psi),
        math.cos(0.5 * theta),
        math.sin(0.5 * theta),
        math.cos(0.5 * phi),
        math.sin(0.5 * phi),
    )
    w, x, y, z = cz * cy, -sz * sy, cz * sy, sz * cy
    return (w * cx - x * sx, w * sx + x * cx, y * cx + z * sx, z * cx - y * sx)


def to_angles(q: Quaternion) -> Triple:
    """Angles (psi, theta, phi) [rad] with R(q) = Rz(psi) Ry(theta) Rx(phi).

    A turn about one axis alone comes back as that one angle, so that a planar drawing reads as it
    was drawn; at theta = +-90 deg, where psi and phi turn about the same axis, phi is zero.
    """
    w, x, y, z = normalise(q)
    if w < 0:
        w, x, y, z = -w, -x, -y, -z
    if max(abs(x), abs(z)) < 1e-15:
        return (0.0, 2 * math.atan2(y, w), 0.0)
    s = 2 * (w * y - z * x)
    c = math.hypot(1 - 2 * (y * y + z * z), 2 * (x * y + w * z))
    theta = math.atan2(s, c)
    if c < 1e-12:
        return (-2 * math.copysign(1.0, s) * math.atan2(x, w), theta, 0.0)
    psi = math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z))
    # phi of the turn that is left when psi is undone: near theta = +-90 deg both are poorly known,
    # and only together are they exact
    a, b = math.sin(psi), math.cos(psi)
    phi = math.atan2(
        2 * a * (x * z + w * y) - 2 * b * (y * z - w * x),
        b * (1 - 2 * (x * x + z * z)) - 2 * a * (x * y - w * z),
    )
    return (psi, theta, phi + 0.0)


def angles_near(q: Quaternion, known: Triple) -> Triple:
    """Of the triples of angles (psi, theta, phi) [rad] that mean an attitude, turns counted, the
    one nearest to known angles.
    """
    psi, theta, phi = to_angles(q)

    def near(angles: Triple) -> Triple:
        return triple(k + math.remainder(a - k, 2 * math.pi) for a, k in zip(angles, known))

    both = (
        (psi, theta, phi),
        near((psi, theta, phi)),
        near((psi + math.pi, math.pi - theta, phi + math.pi)),
    )

    def away(angles: Triple) -> float:
        # angles that are as near stay as they are read
        return round(sum((a - k) ** 2 for a, k in zip(angles, known)), 9)

    return min(both, key=away)


def matrix(q: Quaternion) -> tuple[Triple, Triple, Triple]:
    """R(q) by rows; q need not be normalised."""
    w, x, y, z = q
    n = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        (1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y)),
        (n * (x * y + w * z), 1 - n * (x * x + z * z), n * (y * z - w * x)),
        (n * (x * z - w * y), n * (y * z + w * x), 1 - n * (x * x + y * y)),
    )


def from_axes(x: Triple, y: Triple, z: Triple) -> Quaternion:
    """The turn whose matrix has the orthonormal, right-handed columns x, y, z."""
    trace = x[0] + y[1] + z[2]
    # the largest of the four components is taken from the diagonal, so that nothing is divided by a
    # small number
    if trace >= max(x[0], y[1], z[2]):
        return normalise((1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]))
    if x[0] >= max(y[1], z[2]):
        return normalise((y[2] - z[1], 1 + x[0] - y[1] - z[2], y[0] + x[1], z[0] + x[2]))
    if y[1] >= z[2]:
        return normalise((z[0] - x[2], y[0] + x[1], 1 - x[0] + y[1] - z[2], z[1] + y[2]))
    return normalise((x[1] - y[0], z[0] + x[2], z[1] + y[2], 1 - x[0] - y[1] + z[2]))


def frame_on_axis(axis: Triple) -> Quaternion:
    """A right-handed frame whose z is the given direction; its x is the horizontal or, for a
    vertical axis, world x.
    """
    n = math.sqrt(sum(c * c for c in axis))
    z = (axis[0] / n, axis[1] / n, axis[2] / n)
    seed = (1.0, 0.0, 0.0) if abs(z[0]) < 0.9 else (0.0, 1.0, 0.0)
    d = sum(a * b for a, b in zip(seed, z))
    x = tuple(a - d * b for a, b in zip(seed, z))
    n = math.sqrt(sum(c * c for c in x))
    x = (x[0] / n, x[1] / n, x[2] / n)
    y = (z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0])
    return from_axes(x, y, z)


Pose = tuple[Triple, Quaternion]


def compose(a: Pose, b: Pose) -> Pose:
    """The pose b, given in a's axes, seen from outside a."""
    if a[1] == IDENTITY:
        return ((a[0][0] + b[0][0], a[0][1] + b[0][1], a[0][2] + b[0][2]), b[1])
    x, y, z = rotate(a[1], b[0])
    return ((a[0][0] + x, a[0][1] + y, a[0][2] + z), multiply(a[1], b[1]))


def transform(pose: Pose, point: Triple) -> Triple:
    """A point given in the pose's axes, seen from outside."""
    if pose[1] == IDENTITY:
        return (pose[0][0] + point[0], pose[0][1] + point[1], pose[0][2] + point[2])
    x, y, z = rotate(pose[1], point)
    return (pose[0][0] + x, pose[0][1] + y, pose[0][2] + z)
