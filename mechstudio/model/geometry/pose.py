"""Ways of writing where a body stands: Cartesian, cylindrical and spherical positions, Euler angles
of any sequence, quaternions (THEORY 1).
"""

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from mechstudio.model.geometry.rotation import (
    Quaternion,
    Triple,
    about,
    matrix,
    multiply,
    normalise,
)
from mechstudio.translation import Words, tr

LOCKED = (
    1e-9  # sine or cosine of the middle angle below which the outer two turn about the same axis
)
AXES = "XYZ"


class Form(msgspec.Struct, frozen=True):
    """One way.  names, dimensions: of its numbers.  read(x) -> numbers; write(numbers) -> x, a
    position [m] or a unit quaternion.
    """

    label: Words
    names: tuple[Words, ...]
    dimensions: tuple[str, ...]
    read: Callable[[Any], Sequence[float]]
    write: Callable[[Any], Any]


def _to_cylindrical(p: Triple) -> Triple:
    return (math.hypot(p[0], p[1]), math.atan2(p[1], p[0]), p[2])


def _from_cylindrical(c: Triple) -> Triple:
    return (c[0] * math.cos(c[1]), c[0] * math.sin(c[1]), c[2])


def _to_spherical(p: Triple) -> Triple:
    rho = math.hypot(p[0], p[1])
    return (math.hypot(rho, p[2]), math.atan2(rho, p[2]), math.atan2(p[1], p[0]))


def _from_spherical(c: Triple) -> Triple:
    r, polar, azimuth = c
    return (
        r * math.sin(polar) * math.cos(azimuth),
        r * math.sin(polar) * math.sin(azimuth),
        r * math.cos(polar),
    )


def _as_it_is(p: Triple) -> Triple:
    return p


_LENGTHS = ("length",) * 3
POSITIONS: dict[str, Form] = {
    "cartesian": Form("Cartesian", ("X", "Y", "Z"), _LENGTHS, _as_it_is, _as_it_is),
    # distance from the Z axis, azimuth from X, height
    "cylindrical": Form(
        "Cylindrical coordinates",
        ("Radius", "Azimuth", "Z"),
        ("length", "angle", "length"),
        _to_cylindrical,
        _from_cylindrical,
    ),
    # distance from the origin, angle from the Z axis, azimuth from X
    "spherical": Form(
        "Spherical coordinates",
        ("Distance", "From Z", "Azimuth"),
        ("length", "angle", "angle"),
        _to_spherical,
        _from_spherical,
    ),
}


def _unit(axis: int) -> Triple:
    return tuple(float(k == axis) for k in range(3))  # type: ignore[return-value]


def from_euler(sequence: str, angles: Triple) -> Quaternion:
    """R = R_i(a) R_j(b) R_k(c) for a sequence such as "ZYX" or "ZXZ": turns one after the other
    about the body's own axes [rad].
    """
    q: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for letter, angle in zip(sequence, angles, strict=True):
        q = multiply(q, about(_unit(AXES.index(letter)), angle))
    return q


def to_euler(sequence: str, q: Quaternion) -> Triple:
    """Angles [rad] of a sequence, the middle one within [-90, 90] degrees, or [0, 180] where the
    first axis comes back (Shuster 1993).

    Where the outer axes coincide only their sum or difference has a meaning: the last angle is then
    zero.
    """
    i, j, k = (AXES.index(letter) for letter in sequence)
    R = matrix(q)
    sign = 1.0 if (i, j) in ((0, 1), (1, 2), (2, 0)) else -1.0
    if i == k:
        m = 3 - i - j
        b = math.atan2(math.hypot(R[i][j], R[i][m]), R[i][i])
        if abs(math.sin(b)) < LOCKED:
            # R_i(a) alone is left, or R_i(a) R_j(180 deg)
            return (math.atan2(sign * R[m][j], R[j][j]), b, 0.0)
        return (math.atan2(R[j][i], -sign * R[m][i]), b, math.atan2(R[i][j], sign * R[i][m]))
    b = math.atan2(sign * R[i][k], math.hypot(R[i][i], R[i][j]))
    if abs(math.cos(b)) < LOCKED:
        return (math.atan2(sign * R[k][j], R[j][j]), b, 0.0)
    return (math.atan2(-sign * R[j][k], R[k][k]), b, math.atan2(-sign * R[i][j], R[i][i]))


def locked(sequence: str, q: Quaternion) -> bool:
    """True in gimbal lock, where the outer two angles of a sequence turn about the same axis."""
    b = to_euler(sequence, q)[1]
    return abs(math.sin(b) if sequence[0] == sequence[2] else math.cos(b)) < LOCKED * 1e3


SEQUENCES = ("ZYX", "XYZ", "ZXY", "YXZ", "YZX", "XZY", "ZXZ", "ZYZ", "XYX", "XZX", "YXY", "YZY")
_NAMES: dict[str, tuple[Words, ...]] = {
    "ZYX": ("ψ about Z", "θ about Y", "φ about X"),
    "ZXZ": ("ψ about Z", "θ about X", "φ about Z"),
}
QUATERNION = "quaternion"


def _euler_form(sequence: str) -> Form:
    names = _NAMES.get(
        sequence, tuple(tr("{n}. about {a}", n=n, a=a) for n, a in enumerate(sequence, 1))
    )
    return Form(
        sequence,
        names,
        ("angle",) * 3,
        functools.partial(to_euler, sequence),
        functools.partial(from_euler, sequence),
    )


def _attitude(e: Iterable[float]) -> Quaternion:
    w, x, y, z = e
    return _canonical(normalise((w, x, y, z)))


def _canonical(q: Quaternion) -> Quaternion:
    """Of the two quaternions of an attitude the one with e0 >= 0."""
    return q if q[0] >= 0 else tuple(-c for c in q)  # type: ignore[return-value]


ATTITUDES: dict[str, Form] = {s: _euler_form(s) for s in SEQUENCES} | {
    QUATERNION: Form(
        "Quaternion",
        ("e₀", "e₁", "e₂", "e₃"),
        ("number",) * 4,
        _attitude,
        _attitude,
    )
}


def lock_sentence(sequence: str, q: Quaternion) -> str:
    """Sentence on a gimbal lock; empty if there is none."""
    if sequence == QUATERNION or not locked(sequence, q):
        return ""
    first, _, last = ATTITUDES[sequence].names
    return tr(
        "Gimbal lock: {split} and {split_1} turn about the same axis; the quaternion carries on.",
        split=first.split(" ")[0],
        split_1=last.split(" ")[0],
    )


__all__ = [
    "ATTITUDES",
    "POSITIONS",
    "QUATERNION",
    "SEQUENCES",
    "Form",
    "from_euler",
    "lock_sentence",
    "locked",
    "to_euler",
]
