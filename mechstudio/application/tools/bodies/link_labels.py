"""Words beside the end of a link that is being drawn: its place, length, angle and section."""

import math

from mechstudio.application.tools.bodies.link_end import LinkEnd
from mechstudio.application.tools.bodies.link_joints import LEAVES
from mechstudio.application.tools.snapping.aim import described
from mechstudio.application.tools.snapping.candidates import Snap
from mechstudio.application.tools.snapping.snap import angle_of
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.links import distance, link_section
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.units import format_value
from mechstudio.translation import tr

LEAST_LENGTH = 1e-9  # m
LEAST_PIXELS = 6.0  # length on the screen of a link that is drawn by clicks alone


def place_word(context: ToolContext, here: Snap) -> str:
    """Words for a place: what caught it, else the name of the body there."""
    return (
        described(here)
        if here.word and here.word != "grid" and not here.word.startswith("on ")
        else context.document.project.mechanism.body(here.body).name
    )


def link_label(context: ToolContext, end: LinkEnd, is_first: bool, a: Triple, here: Snap) -> str:
    """Length and angle of a link from a point, as typed where they are being typed.  end: its typed
    numbers.  is_first: of its chain, whose section is shown too.
    """
    plane, units = context.plane, context.units
    length = format_value(distance(a, here.point), "length", units, 4)
    angle = format_value(math.radians(round(angle_of(plane, a, here.point), 1)), "angle", units, 4)
    held = tr("   on {locus}", locus=end.held.word) if end.held is not None else ""
    if end.typing:
        return end.label(here.point) + held
    rise = plane.height(here.point) - plane.height(a)
    if abs(rise) > LEAVES * distance(a, here.point):
        return tr(
            "{length}   {rise} out of the plane",
            length=length,
            rise=format_value(abs(rise), "length", units, 4),
        )
    section = _section(context, distance(a, here.point)) if is_first else ""
    return f"{length}   {angle}{held}{section}"


def _section(context: ToolContext, length: float) -> str:
    """Width and thickness that the first link of a chain will have."""
    if length <= LEAST_LENGTH:
        return ""
    units = context.units
    sizes = link_section(context.document.project, length, units)
    return "   " + " × ".join(format_value(size, "length", units, 4) for size in sizes)
