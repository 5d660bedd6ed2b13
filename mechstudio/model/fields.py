"""Every editable number of every element, with its dimension: one table read by inspector, file, expressions and checks."""

from collections.abc import Iterator
from typing import Any

import msgspec

from . import units
from .force_types import FORCE_TYPES, JOINT
from .joint_types import JOINT_TYPES
from .mechanism import GROUND, Body, Force, Frame, InitialVelocity, Joint, Mechanism
from .project import Project
from .quantity import ORIGIN, ZERO, Quantity
from .shape_types import SHAPE_TYPES

Path = tuple[str | int, ...]
SETTINGS, GRAVITY = "settings", "gravity"

LARGEST = 1e15                          # of any number, in SI; far from where squares and cubes overflow
_SOLID = 1e-9, 1e9                      # of a dimension of a solid [m]
_RATES = {"angle": "angular_velocity", "length": "velocity"}


class Field(msgspec.Struct, frozen=True):
    """One number.  path: attribute names, dict keys and tuple indices from the element to the Quantity.

    group: the heading it stands under ("" for the first lines).   optional: it may be None, meaning "from the shapes" or "none".
    least, most: bounds of the SI value, both allowed.
    """

    path: Path
    label: str
    dimension: str
    group: str = ""
    optional: bool = False
    least: float = -LARGEST
    most: float = LARGEST


def problem(field: Field, value: float) -> str:
    """Why a value may not stand in a field; empty if it may."""
    if field.least <= value <= field.most:
        return ""
    if field.least == 0 or (field.least > 0 and value <= 0):
        return f"{field.label} must {'not be negative' if field.least == 0 else 'be larger than zero'}."
    bound, word = (field.least, "small") if value < field.least else (field.most, "large")
    unit = units.unit(field.dimension, "m-N-rad").symbol
    return f"{field.label} is too {word}: {f'at least {bound:g}' if value < field.least else f'at most {bound:g}'} {unit}".rstrip() + " is possible."


def _placement(path: Path, group: str) -> Iterator[Field]:
    for k, axis in enumerate("XYZ"):
        yield Field((*path, "position", k), axis, "length", group)
    for k, label in enumerate(("Angle about Z", "Angle about Y", "Angle about X")):
        yield Field((*path, "orientation", k), label, "angle", group)


def _frame(path: Path, frame: Frame | None, group: str) -> Iterator[Field]:
    if frame is not None:
        yield from _placement((*path, "placement"), group)


def shape_fields(body: Body) -> Iterator[Field]:
    """The dimensions of a body's shapes; those of the first stand at the top of the inspector."""
    for k, shape in enumerate(body.shapes):
        known = SHAPE_TYPES[shape.type]
        group = "" if k == 0 else f"{known.label} {k + 1}"
        for d in known.dimensions:
            # a plate with sharp corners is one of radius zero
            least = 0.0 if (shape.type, d.name) == ("plate", "radius") else _SOLID[0]
            yield Field(("shapes", k, "dimensions", d.name), d.label, "length", group, least=least, most=_SOLID[1])
        for c in range(len(shape.outline)):
            for i, axis in enumerate("XZ"):
                yield Field(("shapes", k, "outline", c, i), f"Corner {c + 1} {axis}", "length", f"Outline {k + 1}")
        yield Field(("shapes", k, "density"), "Density", "density", group or "Material", least=0.0)
        yield from _placement(("shapes", k, "placement"), f"Place of the {known.label.lower()}" if k == 0 else f"Place of {known.label.lower()} {k + 1}")


def body_fields(body: Body) -> Iterator[Field]:
    """Every number of a body."""
    yield from shape_fields(body)
    if body.id != GROUND:
        yield from _motion_fields(body)
    for k, point in enumerate(body.points):
        for i, axis in enumerate("XYZ"):
            yield Field(("points", k, "position", i), axis, "length", f"Point {point.name}")


def _motion_fields(body: Body) -> Iterator[Field]:
    """What a body has and ground has not: place, mass and velocity."""
    yield Field(("mass",), "Mass", "mass", "", True, least=0.0)
    yield from _placement(("placement",), "Position")
    for k, axis in enumerate("XYZ"):
        yield Field(("center_of_mass", k), f"Centre of mass {axis}", "length", "Inertia and centre of mass", True)
    for k, name in enumerate(("XX", "YY", "ZZ", "XY", "XZ", "YZ")):
        yield Field(("inertia", k), f"Inertia {name}", "inertia", "Inertia and centre of mass", True)
    for k, axis in enumerate("XYZ"):
        yield Field(("initial_velocity", "linear", k), f"Velocity {axis}", "velocity", "Initial velocity", True)
    for k, axis in enumerate("XYZ"):
        yield Field(("initial_velocity", "angular", k), f"Angular velocity {axis}", "angular_velocity", "Initial velocity", True)


def joint_fields(joint: Joint) -> Iterator[Field]:
    """Every number of a joint."""
    kind = JOINT_TYPES[joint.type]
    for name in kind.parameters:
        yield Field(("parameters", name), name.capitalize(), "length", least=_SOLID[0], most=_SOLID[1])
    for k, coordinate in enumerate(kind.coordinates):
        yield Field(("rates", k), f"Initial {coordinate.name} rate", _RATES[coordinate.dimension], "", True)
    for k, coordinate in enumerate(kind.coordinates):
        yield Field(("values", k), f"Typed {coordinate.name}", coordinate.dimension, "Position", True)
    yield from _frame(("frame_a",), joint.frame_a, "Frame on first body")
    yield from _frame(("frame_b",), joint.frame_b, "Frame on second body")


def force_fields(force: Force) -> Iterator[Field]:
    """Every number of a force."""
    kind = FORCE_TYPES[force.type]
    for p in kind.parameters:
        yield Field(("parameters", p.name), p.label, p.dimension)
    if kind.attachment != JOINT:
        yield from _frame(("frame_a",), force.frame_a, "First end" if force.frame_b else "Place")
        yield from _frame(("frame_b",), force.frame_b, "Second end" if force.frame_a else "Place")


_PROJECT_FIELDS = {
    SETTINGS: (Field(("duration",), "Duration", "time", least=1e-9, most=1e9), Field(("sample_step",), "Sample every", "time", least=1e-9, most=1e9),
               Field(("tolerance",), "Tolerance", "number", least=1e-15, most=0.1), Field(("step",), "Largest step", "time", "", True, 1e-9, 1e9)),
    GRAVITY: tuple(Field((k,), f"Gravity {axis}", "acceleration") for k, axis in enumerate("XYZ")),
}


def find(project: Project, element: str) -> Any:
    """An element by id: a body (ground included), joint, force, parameter, "settings" or "gravity".  Raises KeyError."""
    m = project.mechanism
    if element == GROUND:
        return m.ground
    if element == SETTINGS:
        return project.settings
    if element == GRAVITY:
        return m.gravity
    for section in (m.bodies, m.joints, m.forces, project.parameters):
        if element in section:
            return section[element]
    raise KeyError(f"The project has no element {element}.")


def fields(element: Any, id: str = "") -> tuple[Field, ...]:
    """The editable numbers of an element in the order in which an inspector shows them."""
    if isinstance(element, Body):
        return tuple(body_fields(element))
    if isinstance(element, Joint):
        return tuple(joint_fields(element))
    if isinstance(element, Force):
        return tuple(force_fields(element))
    if id in _PROJECT_FIELDS:
        return _PROJECT_FIELDS[id]
    d = element.dimension
    return (Field(("value",), "Value", d), Field(("minimum",), "Least", d, "Range", True), Field(("maximum",), "Most", d, "Range", True))


def elements(project: Project) -> Iterator[tuple[str, Any]]:
    """(id, element) of everything that has fields, ground and settings included."""
    m: Mechanism = project.mechanism
    yield from project.parameters.items()
    yield GROUND, m.ground
    for section in (m.bodies, m.joints, m.forces):
        yield from section.items()
    yield SETTINGS, project.settings
    yield GRAVITY, m.gravity


def read(element: Any, path: Path) -> Quantity | None:
    """The quantity at a path, None where an optional part is absent."""
    for key in path:
        if element is None:
            return None
        if isinstance(key, str):
            element = element.get(key) if isinstance(element, dict) else getattr(element, key)
        else:
            element = element[key] if key < len(element) else None
    return element


def write(element: Any, path: Path, quantity: Quantity | None) -> Any:
    """A copy of the element with the quantity at the path; absent optional parts are filled with zeros around it."""
    if not path:
        return quantity
    key, rest = path[0], path[1:]
    if isinstance(element, dict):
        return {**element, key: write(element.get(key), rest, quantity)}
    if isinstance(key, int):
        row = list(element)
        row[key] = write(row[key], rest, quantity)
        return tuple(row)
    value = getattr(element, key)
    if value is None or value == ():
        if quantity is None:
            return element
        value = _blank(element, key)
    elif quantity is None and rest and key in ("center_of_mass", "inertia", "initial_velocity", "values", "rates"):
        # clearing one entry of an optional row clears the row: half of a typed inertia has no meaning
        return msgspec.structs.replace(element, **{key: () if key in ("values", "rates") else None})
    return msgspec.structs.replace(element, **{key: write(value, rest, quantity)})


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


__all__ = ["GRAVITY", "SETTINGS", "Field", "Path", "elements", "fields", "find", "problem", "read", "write"]
