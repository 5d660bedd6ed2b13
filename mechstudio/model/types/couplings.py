"""Couplings as data: linear rows between joint coordinates, and the cam, whose follower coordinate
is a function of an angle.
"""

from collections.abc import Callable, Mapping

import msgspec

from mechstudio.model.joints import coupling_axes as drawn
from mechstudio.model.mechanism import CoordinateOf, Mechanism
from mechstudio.model.types.parameter import NEGATE, POSITIVE, Parameter
from mechstudio.translation import Words


class CouplingEnd(msgspec.Struct, frozen=True):
    """One joint coordinate of a coupling.  dimensions: those that it may have, the usual one
    first.
    """

    name: str
    label: Words
    dimensions: tuple[str, ...]


class CouplingType(msgspec.Struct, frozen=True):
    """One type of coupling.

    factors(parameters): a_k of the row sum_k a_k q_k = constant, in the order of `ends`; the
    constant holds at the drawn pose.
    laws: keys of LAW_TYPES, the usual one first, of a coupling that is sum_k a_k q_k - f(q_0)
    instead, with f its law and a_0 = 0; none for the others.
    words: search words of the palette.  glyph: picture to size (scene/couplings.py), "" for a
    chain.  opposite: the type that couples with the other sense of
    turning.  drawn(mechanism, ends): numbers that follow from the drawing, by parameter.
    """

    label: Words
    ends: tuple[CouplingEnd, ...]
    parameters: tuple[Parameter, ...]
    factors: Callable[[Mapping[str, float]], tuple[float, ...]]
    laws: tuple[str, ...] = ()
    words: Words = ""
    opposite: str = ""
    glyph: str = ""
    drawn: Callable[[Mechanism, tuple[CoordinateOf, ...]], dict[str, float]] | None = None

    @property
    def law(self) -> bool:
        """True if the coupling follows a law."""
        return bool(self.laws)


def _angle(name: str, label: str) -> CouplingEnd:
    return CouplingEnd(name, label, ("angle",))


_PULLEYS = (
    Parameter("radius_1", "Radius of the first", "length", 0.05, least=POSITIVE),
    Parameter("radius_2", "Radius of the second", "length", 0.05, least=POSITIVE),
)

COUPLING_TYPES: dict[str, CouplingType] = {
    # ratio: turns of the first per turn of the second; negative for two outer gears, which turn in
    # opposite senses
    "gear": CouplingType(
        "Gear pair",
        (_angle("first", "First gear"), _angle("second", "Second gear")),
        (Parameter("ratio", "Ratio", "number", -1.0, mirror=NEGATE),),
        lambda p: (1.0, -p["ratio"]),
        words="gears wheels ratio teeth transmission",
        drawn=drawn.gear_ratio,
        glyph="gears",
    ),
    "rack_and_pinion": CouplingType(
        "Rack and pinion",
        (_angle("pinion", "Pinion"), CouplingEnd("rack", "Rack", ("length",))),
        (Parameter("radius", "Pinion radius", "length", 0.05, mirror=NEGATE),),
        lambda p: (-p["radius"], 1.0),
        words="gear slide steering",
        drawn=drawn.pinion_radius,
        glyph="rack",
    ),
    "belt": CouplingType(
        "Belt",
        (_angle("first", "First pulley"), _angle("second", "Second pulley")),
        _PULLEYS,
        lambda p: (p["radius_1"], -p["radius_2"]),
        words="pulley chain drive",
        opposite="crossed_belt",
        glyph="open belt",
        drawn=drawn.pulley_radii,
    ),
    "crossed_belt": CouplingType(
        "Crossed belt",
        (_angle("first", "First pulley"), _angle("second", "Second pulley")),
        _PULLEYS,
        lambda p: (p["radius_1"], p["radius_2"]),
        words="pulley",
        opposite="belt",
        glyph="crossed belt",
        drawn=drawn.pulley_radii,
    ),
    # ratio: way of the second per way of the first
    "linear": CouplingType(
        "Linear coupling",
        (
            CouplingEnd("first_slide", "First slide", ("length",)),
            CouplingEnd("second_slide", "Second slide", ("length",)),
        ),
        (Parameter("ratio", "Ratio", "number", 1.0, mirror=NEGATE),),
        lambda p: (-p["ratio"], 1.0),
        words="slides ratio offset hydraulic pantograph",
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
        words="axle carrier bevel",
    ),
    # Willis: (sun - carrier) = -k (ring - carrier), k = teeth of the ring over teeth of the sun;
    # all three over the same body
    "planetary": CouplingType(
        "Planetary gear",
        (_angle("carrier", "Carrier"), _angle("sun", "Sun"), _angle("ring", "Ring")),
        (Parameter("ratio", "Teeth of ring to sun", "number", 2.0),),
        lambda p: (-1.0 - p["ratio"], 1.0, p["ratio"]),
        words="epicyclic sun ring willis",
        glyph="epicyclic",
    ),
    "cam": CouplingType(
        "Cam",
        (_angle("cam", "Cam"), CouplingEnd("follower", "Follower", ("length", "angle"))),
        (),
        lambda p: (0.0, 1.0),
        laws=("cam", "ramp", "rest_to_rest", "table", "expression", "constant"),
        words="follower lift rise return",
    ),
    "geneva": CouplingType(
        "Geneva drive",
        (_angle("crank", "Crank"), _angle("wheel", "Wheel")),
        (),
        lambda p: (0.0, 1.0),
        laws=("geneva", "inner_geneva"),
        words="maltese cross indexing intermittent slot step",
        glyph="geneva",
        drawn=drawn.geneva_slots,
    ),
}
