"""Methods of Builder for couplings between joint coordinates."""

from typing import TYPE_CHECKING

from mechstudio.builder import couplings
from mechstudio.builder.couplings import End
from mechstudio.builder.geometry import Number
from mechstudio.builder.laws import Ruled

if TYPE_CHECKING:
    from mechstudio.builder.builder import Builder


def gear(
    self: "Builder",
    name: str,
    first: End,
    second: End,
    ratio: Number | None = None,
    *,
    teeth: tuple[int, int] | None = None,
) -> str:
    """Two gears: first = ratio * second; negative for outer gears, which turn in opposite
    senses.  teeth: of both, instead, of outer gears.
    """
    reported = couplings.gear_ratio(name, ratio, teeth)
    return self.coupling("gear", name, first, second, ratio=reported)


def rack(self: "Builder", name: str, pinion: End, rack: End, radius: Number) -> str:
    """Rack and pinion: rack = radius * pinion; a negative radius where the rack lies on the
    other side.
    """
    return self.coupling("rack_and_pinion", name, pinion, rack, radius=radius)


def linear(self: "Builder", name: str, first_slide: End, second_slide: End, ratio: Number) -> str:
    """Two slides: second = ratio * first."""
    return self.coupling("linear", name, first_slide, second_slide, ratio=ratio)


def belt(
    self: "Builder",
    name: str,
    first: End,
    second: End,
    radius_1: Number,
    radius_2: Number,
    *,
    crossed: bool = False,
) -> str:
    """A belt over two pulleys: both rims run at one speed, in opposite senses where it is
    crossed.
    """
    type = "crossed_belt" if crossed else "belt"
    return self.coupling(type, name, first, second, radius_1=radius_1, radius_2=radius_2)


def differential(self: "Builder", name: str, carrier: End, first: End, second: End) -> str:
    """first + second = 2 carrier, all three over the same body."""
    return self.coupling("differential", name, carrier, first, second)


def planetary(self: "Builder", name: str, carrier: End, sun: End, ring: End, ratio: Number) -> str:
    """Willis: sun - carrier = -ratio (ring - carrier), ratio = teeth of the ring over teeth of
    the sun; all three over the same body.
    """
    return self.coupling("planetary", name, carrier, sun, ring, ratio=ratio)


def cam(self: "Builder", name: str, cam: End, follower: End, law: Ruled) -> str:
    """A follower's coordinate as a function of the cam's angle: law=ms.rise_and_return(...), a
    table, or a formula of the angle a.
    """
    return self.coupling("cam", name, cam, follower, law=law)
