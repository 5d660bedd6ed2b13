"""A number as the user typed it, beside its value in SI units."""

from collections.abc import Iterable, Mapping
from typing import Any, overload

import msgspec


class Quantity(msgspec.Struct, frozen=True):
    """One number of the drawing.

    value: SI value.  text: what was typed ("300 mm", "2*L1"); empty for a number that was computed
    or drawn with the mouse.
    The dimension is not stored: it belongs to the field, see model/fields.py.
    """

    value: float
    text: str = ""


ZERO = Quantity(0.0)
Vector = tuple[Quantity, Quantity, Quantity]
ORIGIN: Vector = (ZERO, ZERO, ZERO)


def vector(x: float, y: float, z: float) -> Vector:
    """Three computed components."""
    return (Quantity(float(x)), Quantity(float(y)), Quantity(float(z)))


@overload
def values(quantities: Vector) -> tuple[float, float, float]: ...
@overload
def values(quantities: Iterable[Quantity]) -> tuple[float, ...]: ...
def values(quantities: Iterable[Quantity]) -> tuple[float, ...]:
    """The SI values of a row of quantities."""
    return tuple(q.value for q in quantities)


class Parameter(msgspec.Struct, frozen=True):
    """A named number that expressions may use.  dimension: key of units.DIMENSIONS.  slider: shown
    under Controls.
    """

    name: str
    value: Quantity
    dimension: str = "length"
    minimum: Quantity | None = None
    maximum: Quantity | None = None
    slider: bool = False
    note: str = ""
    extra: Mapping[str, Any] = {}
