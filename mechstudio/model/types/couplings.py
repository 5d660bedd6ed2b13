"""Couplings as data: linear rows between joint coordinates, and the cam, whose follower coordinate
is a function of an angle.
"""

from collections.abc import Callable, Mapping

import msgspec


class CouplingEnd(msgspec.Struct, frozen=True):
    """One joint coordinate of a coupling.  dimensions: those that it may have, the usual one
    first.
    """

    name: str
    label: str
    dimensions: tuple[str, ...]


class CouplingParameter(msgspec.Struct, frozen=True):
    """One number of a coupling."""

    name: str
    label: str
    dimension: str
    default: float
    least: float = -1e15


class CouplingType(msgspec.Struct, frozen=True):
    """One type of coupling.

    factors(parameters): a_k of the row sum_k a_k q_k = constant, in the order of `ends`; the
    constant holds at the drawn pose.
    law: whether it is sum_k a_k q_k - f(q_0) instead, with f the coupling's law and a_0 = 0.
    """

    label: str
    ends: tuple[CouplingEnd, ...]
    parameters: tuple[CouplingParameter, ...]
    factors: Callable[[Mapping[str, float]], tuple[float, ...]]
    law: bool = False


def _angle(name, label):
    return CouplingEnd(name, label, ("angle",))


_PULLEYS = (
    CouplingParameter("radius_1", "Radius of the first", "length", 0.05, 1e-9),
    CouplingParameter("radius_2", "Radius of the second", "length", 0.05, 1e-9),
)

COUPLING_TYPES: dict[str, CouplingType] = {
    # ratio: turns of the first per turn of the second; negative for two outer gears, which turn in
    # opposite senses
    "gear": CouplingType(
        "Gear pair",
        (_angle("first", "First gear"), _angle("second", "Second gear")),
        (CouplingParameter("ratio", "Ratio", "number", -1.0),),
        lambda p: (1.0, -p["ratio"]),
    ),
    "rack_and_pinion": CouplingType(
        "Rack and pinion",
        (_angle("pinion", "Pinion"), CouplingEnd("rack", "Rack", ("length",))),
        (CouplingParameter("radius", "Pinion radius", "length", 0.05),),
        lambda p: (-p["radius"], 1.0),
    ),
    "belt": CouplingType(
        "Belt",
        (_angle("first", "First pulley"), _angle("second", "Second pulley")),
        _PULLEYS,
        lambda p: (p["radius_1"], -p["radius_2"]),
    ),
    "crossed_belt": CouplingType(
        "Crossed belt",
        (_angle("first", "First pulley"), _angle("second", "Second pulley")),
        _PULLEYS,
        lambda p: (p["radius_1"], p["radius_2"]),
    ),
    "differential": CouplingType(
        "Differential",
        (
            _angle("carrier", "Carrier"),
            _angle("first", "First side"),
            _angle("second", "Second side"),
        ),
        (),
        lambda p: (-2.0, 1.0, 1.0),
    ),
    # Willis: (sun - carrier) = -k (ring - carrier), k = teeth of the ring over teeth of the sun;
    # all three over the same body
    "planetary": CouplingType(
        "Planetary gear",
        (_angle("carrier", "Carrier"), _angle("sun", "Sun"), _angle("ring", "Ring")),
        (CouplingParameter("ratio", "Teeth of ring to sun", "number", 2.0),),
        lambda p: (-1.0 - p["ratio"], 1.0, p["ratio"]),
    ),
    "cam": CouplingType(
        "Cam",
        (_angle("cam", "Cam"), CouplingEnd("follower", "Follower", ("length", "angle"))),
        (),
        lambda p: (0.0, 1.0),
        law=True,
    ),
}
