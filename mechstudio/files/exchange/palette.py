"""Colours of bodies in files of other programs, and which of ours is nearest to one of theirs."""

import colorsys

from mechstudio.model.mechanism import Body, Shape

# as the light theme has them: the series, then cast iron and steel
SERIES = ("2b6cb0", "c05621", "2f855a", "b83280", "6b46c1", "b7791f", "319795", "718096")
CAST, STEEL = "5a6069", "aab2bd"


def rgb(text: str) -> tuple[float, float, float]:
    """Red, green and blue of "rrggbb", 0 to 1."""
    return tuple(int(text[k : k + 2], 16) / 255 for k in (0, 2, 4))  # type: ignore[return-value]


def color_of(body: Body, shape: Shape) -> tuple[float, float, float]:
    """Colour of a shape of a body."""
    if shape.material == "steel":
        return rgb(STEEL)
    if shape.material == "cast" or body.color < 0:
        return rgb(CAST)
    return rgb(SERIES[body.color % len(SERIES)])


def nearest(color: tuple[float, ...]) -> int:
    """Index of the series colour with the nearest hue."""
    hue, saturation, _ = colorsys.rgb_to_hsv(*(min(1.0, max(0.0, c)) for c in color[:3]))
    if saturation < 0.1:
        return 7

    def away(k: int) -> float:
        other = colorsys.rgb_to_hsv(*rgb(SERIES[k]))[0]
        return abs((hue - other + 0.5) % 1.0 - 0.5)

    return min(range(7), key=away)
