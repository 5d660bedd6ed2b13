"""Kinds of gauges: what can be measured between which features.  A new kind is one row here, and
one function that reads it (curves/gauges).
"""

import msgspec

from mechstudio.translation import Words

POINT, AXIS, PLANE, BODY = "point", "axis", "plane", "body"
FEATURES: dict[str, Words] = {
    POINT: "point",
    AXIS: "axis",
    PLANE: "plane",
    BODY: "body",
}


class GaugeType(msgspec.Struct, frozen=True):
    """One kind of gauge.

    label: as in the window.  dimension: of its value.  letter: what chooses it while the tool is in
    hand, and what its names begin with.  prefix: before its number in a drawing.  signed: its value
    can be negative.  words: that it is found by.
    """

    label: Words
    dimension: str
    letter: str
    prefix: str = ""
    signed: bool = False
    words: Words = ""


DISTANCE, ANGLE, RADIUS, DIAMETER = "distance", "angle", "radius", "diameter"
ALONG = {"along_x": 0, "along_y": 1, "along_z": 2}
GAUGE_TYPES: dict[str, GaugeType] = {
    DISTANCE: GaugeType("Distance", "length", "d", words="length gap clearance least shortest"),
    "along_x": GaugeType("Distance along X", "length", "x", signed=True, words="span width"),
    "along_y": GaugeType("Distance along Y", "length", "y", signed=True, words="depth offset"),
    "along_z": GaugeType("Distance along Z", "length", "z", signed=True, words="height lift"),
    ANGLE: GaugeType("Angle", "angle", "a", words="between axes links planes"),
    RADIUS: GaugeType("Radius", "length", "r", "R ", words="round disc circle"),
    DIAMETER: GaugeType("Diameter", "length", "o", "⌀ ", words="round disc circle hole"),
}
ROUND = (RADIUS, DIAMETER)
DIRECTED = (AXIS, PLANE)


def takes(type: str, kinds: tuple[str, ...]) -> bool:
    """True if a gauge of a type can be laid on features of such kinds."""
    if type in ROUND:
        return kinds == (BODY,)
    if len(kinds) != 2:
        return False
    if type == ANGLE:
        return all(kind in DIRECTED for kind in kinds)
    if BODY in kinds:
        return type == DISTANCE and kinds == (BODY, BODY)
    return True


def fitting(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Types of gauges that can be laid on features of such kinds."""
    return tuple(type for type in GAUGE_TYPES if takes(type, kinds))
