"""Colours of bodies in files of other programs, and which of ours is nearest to one of theirs."""

import colorsys

from mechstudio.model.mechanism import Body, Shape
from mechstudio.tokens import Color, body_color, rgb, theme

LOOK = "light"  # theme whose colours are written
HUES = 7  # colours of the series before its grey
GREY = 0.2  # saturation below which a colour is one, as that of the series is


def color_of(body: Body, shape: Shape) -> Color:
    """Colour of a shape of a body, as the window shows it."""
    if shape.material in ("steel", "cast"):
        return rgb(theme(LOOK)[shape.material])
    return rgb(body_color(LOOK, body.color))


def nearest(color: tuple[float, ...]) -> int:
    """Index of the series colour with the nearest hue."""
    hue, saturation, _ = colorsys.rgb_to_hsv(*(min(1.0, max(0.0, c)) for c in color[:3]))
    if saturation < GREY:
        return HUES

    def away(k: int) -> float:
        other = colorsys.rgb_to_hsv(*rgb(body_color(LOOK, k)))[0]
        return abs((hue - other + 0.5) % 1.0 - 0.5)

    return min(range(HUES), key=away)
