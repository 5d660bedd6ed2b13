"""Typesetting style of equations, and the pictures that result."""

import msgspec

from mechstudio.model.equations.terms import Equations
from mechstudio.protocol.derivation_messages import LinkArea


class Style(msgspec.Struct, frozen=True):
    """Typesetting style of a part.  All as in protocol.derivation_messages.Typeset: size and width
    [px] of the screen.
    """

    colors: dict[str, str]
    size: float
    density: float
    width: float
    units: str = "mm-N-deg"
    numbers: bool = False
    with_numbers: bool = False


class Picture(msgspec.Struct, frozen=True):
    """A typeset part: PNG, its size on the screen [px], what lies where in it [px]."""

    png: bytes
    size: tuple[float, float]
    link_areas: tuple[LinkArea, ...]
    style: Style


def depends_on(equations: Equations, part: str) -> object:
    """All that the picture of a part shows, for comparison; None if the part is not there."""
    if part == "structure":
        return equations.structure, bool(equations.blocks)
    if part == "rows":
        return equations.blocks, equations.coordinates, equations.multipliers
    if (lines := equations.lines(part)) is not None:
        return lines
    return next((b for b in equations.blocks if b.key == part), None)
