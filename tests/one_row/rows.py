"""Rows that no table has: a joint of known primitives, and a force law with its function."""

from mechstudio.model import drawing_measures as drawn
from mechstudio.model.types.forces import FORCE_TYPES, TWO_POINTS, ForceType
from mechstudio.model.types.joints import (
    ANGLE,
    JOINT_TYPES,
    POINT,
    SLIDE,
    TURN,
    Coordinate,
    JointType,
    X,
    Y,
    Z,
)
from mechstudio.model.types.parameter import Parameter

PIN_IN_SLOT = JointType(
    "Pin in slot",
    "pin in a slot",
    ((POINT, Y, Y), (POINT, Z, Z), (ANGLE, X, Z), (ANGLE, Y, Z)),
    ((SLIDE, X), (TURN, Z)),
    (Coordinate("slide", "length"), Coordinate("angle", "angle")),
    words="yoke groove",
    key="i",
    ends="pins",
    hardware="pin",
)


def hardening_spring(x, v, stiffness, growth, free_length):
    """-k e (1 + (g e)^2), e = x - x0."""
    e = x - free_length
    return -stiffness * e - stiffness * growth * growth * e * e * e


def hardening_potential(x, stiffness, growth, free_length):
    """k e^2 / 2 + k g^2 e^4 / 4."""
    e = x - free_length
    return 0.5 * stiffness * e * e + 0.25 * stiffness * growth * growth * e * e * e * e


HARDENING_SPRING = ForceType(
    "Hardening spring",
    "hardening spring",
    TWO_POINTS,
    (
        Parameter(
            "stiffness", "Stiffness", "stiffness", drawn=drawn.spring_stiffness, entry=2, letter="k"
        ),
        Parameter("growth", "Growth", "number", drawn=5.0, letter="g"),
        Parameter("free_length", "Free length", "length", drawn=drawn.apart, entry=1, letter="l_0"),
    ),
    hardening_spring,
    hardening_potential,
    words="progressive duffing",
    icon="tool_spring",
    glyph="coil",
)


def add() -> None:
    """Put both rows into the tables of this process."""
    JOINT_TYPES["pin_in_slot"] = PIN_IN_SLOT
    FORCE_TYPES["hardening_spring"] = HARDENING_SPRING
