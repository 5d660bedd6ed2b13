"""Quantities of an element, read and written by their paths."""

from typing import Any, cast

import msgspec

from mechstudio.model.element_fields.field import Path
from mechstudio.model.mechanism import InitialVelocity
from mechstudio.model.quantity import ORIGIN, ZERO, Quantity
from mechstudio.model.types.joints import JOINT_TYPES


def read(element: Any, path: Path) -> Quantity | None:
    """The quantity at a path, None where an optional part is absent."""
    for key in path:
        if element is None:
            return None
        if isinstance(key, str):
            entries = _entries(element)
            element = entries.get(key) if entries is not None else getattr(element, key)
        else:
            element = element[key] if key < len(element) else None
    return element


def write(element: Any, path: Path, quantity: Quantity | None) -> Any:
    """A copy of the element with the quantity at the path; absent optional parts are filled with
    zeros around it.
    """
    if not path:
        return quantity
    key, rest = path[0], path[1:]
    if (entries := _entries(element)) is not None:
        value = write(entries.get(key), rest, quantity)
        return (
            {**entries, key: value}
            if value is not None
            else {k: v for k, v in entries.items() if k != key}
        )
    if isinstance(key, int):
        row = list(element)
        row[key] = write(row[key], rest, quantity)
        return tuple(row)
    value = getattr(element, key)
    if value is None or value == ():
        if quantity is None:
            return element
        value = _blank(element, key)
    elif (
        quantity is None
        and rest
        and key in ("center_of_mass", "inertia", "initial_velocity", "values", "rates")
    ):
        # clearing one entry of an optional row clears the row: half of a typed inertia has no
        # meaning
        return msgspec.structs.replace(element, **{key: () if key in ("values", "rates") else None})
    return msgspec.structs.replace(element, **{key: write(value, rest, quantity)})


def _entries(element: Any) -> dict[str | int, Any] | None:
    """An element that is a table, None for any other."""
    return cast("dict[str | int, Any]", element) if isinstance(element, dict) else None


def _blank(element: Any, key: str) -> Any:
    """The zero value of an optional part, to be written into."""
    if key == "initial_velocity":
        return InitialVelocity()
    if key == "center_of_mass":
        return ORIGIN
    if key == "inertia":
        return (ZERO,) * 6
    if key in ("values", "rates"):
        return (ZERO,) * JOINT_TYPES[element.type].dof
    return None
