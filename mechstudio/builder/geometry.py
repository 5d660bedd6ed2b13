"""Attitudes and numbers that the builder computes from the arguments of a script."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from mechstudio.model.formulas import expression
from mechstudio.model.geometry.rotation import Quaternion, Triple, from_axes, multiply, rotate
from mechstudio.model.geometry.work_plane import cross
from mechstudio.model.quantity import Quantity
from mechstudio.translation import comma, tr

Number = float | str
Point = Sequence[Number]
Kind = TypeVar("Kind")


def known_type(table: Mapping[str, Kind], type: str, what: str) -> Kind:
    """A row of a table of types.  Raises ValueError with the types that there are."""
    if type not in table:
        raise ValueError(
            tr(
                "There is no {what} of type {type}; there are {table}.",
                what=what,
                type=type,
                table=comma().join(table),
            )
        )
    return table[type]


def tidy(point: Triple) -> Triple:
    """Rounding errors of zero as zero."""
    x, y, z = (0.0 if abs(c) < 1e-12 else c for c in point)
    return x, y, z


def readable(angle: float) -> Quantity:
    """A computed angle; a multiple of 15 degrees gets its text."""
    degrees = math.degrees(angle)
    whole = 15 * round(degrees / 15)
    if abs(degrees - whole) > 1e-10:
        return Quantity(angle)
    return expression.quantity(f"{whole} deg", "angle", {}) if whole else Quantity(0.0)


def negative(number: Number) -> Number:
    """The opposite of a number or text."""
    if not isinstance(number, str):
        return -number
    text = number.strip()
    if text[:1] == "-" and text[1:2].isdigit():
        return text[1:]
    return f"-{text}" if text[:1].isdigit() and not set(text) & set("+-") else f"-({text})"


def is_pair(at: Sequence[Any]) -> bool:
    """True if `at` is two points instead of one."""
    return (
        hasattr(at, "__len__")
        and len(at) == 2
        and not isinstance(at, Mapping)
        and not isinstance(at[0], (int, float, str))
    )


def both(at: Sequence[Any]) -> tuple[Point, Point]:
    """Two points or directions: those given, or the one given twice."""
    return (at[0], at[1]) if is_pair(at) else (at, at)


def unit(v: Triple, what: str) -> Triple:
    """A direction of length one; `what` names it in the error."""
    n = math.hypot(*v)
    if n == 0.0:
        raise ValueError(tr("{what}: a direction of length zero points nowhere.", what=what))
    return (v[0] / n, v[1] / n, v[2] / n)


def frame_with(z: Triple, x: Triple) -> Quaternion:
    """The attitude with this z, and x as near the given one as can be."""
    d = sum(p * q for p, q in zip(x, z))
    x = unit((x[0] - d * z[0], x[1] - d * z[1], x[2] - d * z[2]), "x direction")
    return from_axes(x, cross(z, x), z)


def on_axis(z: Triple, body: Quaternion) -> Quaternion:
    """The attitude with this z whose x follows the body's own x, or its y where x lies along the
    axis.
    """
    axes = [rotate(body, e) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))]
    return frame_with(z, axes[0] if abs(sum(p * q for p, q in zip(axes[0], z))) < 0.9 else axes[1])


def along(x: Triple) -> Quaternion:
    """A link's attitude: x along it, y horizontal and away from the viewer of the front plane."""
    away = (0.0, 1.0, 0.0) if abs(x[1]) < 0.999 else (1.0, 0.0, 0.0)
    y = unit(cross(unit(cross(x, away), "link"), x), "link")
    return from_axes(x, y, cross(x, y))


def crossing(normal: Triple) -> Triple:
    """A direction across a normal: the world's x, or its y where the normal lies along x."""
    return (1.0, 0.0, 0.0) if abs(normal[0]) < 0.9 * math.hypot(*normal) else (0.0, 1.0, 0.0)


def tilted(attitude: Quaternion, before: Triple, after: Triple) -> Quaternion:
    """An attitude turned the shortest way from one direction to another."""
    axis = cross(before, after)
    w = 1.0 + sum(p * q for p, q in zip(before, after))
    n = math.hypot(w, *axis)
    if n < 1e-9:
        raise ValueError(tr("The two shafts point in opposite directions; turn one of them round."))
    return multiply((w / n, axis[0] / n, axis[1] / n, axis[2] / n), attitude)
