"""One editable number of an element: its place, dimension and bounds."""

import math
from collections.abc import Iterator

import msgspec

from mechstudio.model import units
from mechstudio.model.mechanism import Frame
from mechstudio.translation import Words, localised, tr

Path = tuple[str | int, ...]
LARGEST = 1e15  # of any number, in SI; far from where squares and cubes overflow
SOLID_SIZES = 1e-9, 1e9  # of a dimension of a solid [m]
RATES = {"angle": "angular_velocity", "length": "velocity"}
ANGLES: tuple[Words, ...] = ("Angle about Z", "Angle about Y", "Angle about X")


class Field(msgspec.Struct, frozen=True):
    """One number.  path: attribute names, dict keys and tuple indices from the element to the
    Quantity.

    group: the heading it stands under ("" for the first lines).  optional: it may be None, meaning
    "from the shapes" or "none". least, most: bounds of the SI value, both allowed.
    """

    path: Path
    label: Words
    dimension: str
    group: Words = ""
    optional: bool = False
    least: float = -LARGEST
    most: float = LARGEST


def problem(field: Field, value: float) -> str:
    """Reason why a value may not stand in a field; empty if it may."""
    if field.least <= value <= field.most:
        return ""
    if math.isnan(value):
        return tr("{field} is not a number.", field=tr(field.label))
    if value < field.least and (field.least == 0 or (field.least > 0 and value <= 0)):
        return tr(
            "{field} must {word}.",
            field=tr(field.label),
            word=tr("not be negative") if field.least == 0 else tr("be larger than zero"),
        )
    small = value < field.least
    symbol = units.unit(field.dimension, "m-N-rad").symbol
    bound = localised(f"{field.least if small else field.most:g} {symbol}").rstrip()
    name = tr(field.label)
    if small:
        return tr("{name} is too small: at least {bound} is possible.", name=name, bound=bound)
    return tr("{name} is too large: at most {bound} is possible.", name=name, bound=bound)


def placement_fields(path: Path, group: str) -> Iterator[Field]:
    """Numbers of a placement at a path: position [m], then angles about Z, Y and X [rad]."""
    for k, axis in enumerate("XYZ"):
        yield Field((*path, "position", k), axis, "length", group)
    for k, label in enumerate(ANGLES):
        yield Field((*path, "orientation", k), label, "angle", group)


def frame_fields(path: Path, frame: Frame | None, group: str) -> Iterator[Field]:
    """Numbers of the placement of a frame on its body; none without a frame."""
    if frame is not None:
        yield from placement_fields((*path, "placement"), group)
