"""Design tokens: two themes and the measures, read from resources/theme/tokens.json, how colours
contrast, and what the fonts can write; for all floors.
"""

import functools
import json
import re
from typing import Any, NamedTuple

from mechstudio.folders import resource_folder

Color = tuple[float, float, float]
# what the fonts of resources/fonts and those of formulas can write, without Chinese
_LETTERS = re.compile("[\x00-\u024f\u0300-\u03ff\u1e00-\u1eff\u2000-\u22ff]*")
_CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+")


class Tokens(NamedTuple):
    """themes: colours by theme ("light", "dark") and role; metrics: lengths [px], strokes, type."""

    themes: dict[str, dict[str, Any]]
    metrics: dict[str, Any]


@functools.cache
def tokens() -> Tokens:
    """The tokens, read once."""
    data = json.loads((resource_folder("theme") / "tokens.json").read_text(encoding="utf-8"))
    return Tokens(data["themes"], data["metrics"])


def theme(name: str) -> dict[str, Any]:
    """Colours of a theme by role, as "#RRGGBB"; numbers where the role is a number; "series" is a
    list.
    """
    return tokens().themes[name]


def metrics() -> dict[str, Any]:
    """The measures."""
    return tokens().metrics


def rgb(color: str) -> Color:
    """Red, green, blue of "#RRGGBB", each 0 to 1."""
    return (int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255)


def luminance(color: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.1)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@functools.cache
def readable(color: str, ground: str, ink: str, demanded: float = 4.5) -> str:
    """A series colour moved toward the ink until it may be set as text on this ground."""
    for share in range(0, 100, 4):
        mixed = "#" + "".join(
            f"{round(255 * ((100 - share) * a + share * b) / 100):02X}"
            for a, b in zip(rgb(color), rgb(ink))
        )
        if contrast(mixed, ground) >= demanded:
            return mixed
    return ink


def body_color(name: str, index: int) -> str:
    """The colour of a body in a theme: one of the series, cast iron for a negative index."""
    t = theme(name)
    return t["cast"] if index < 0 else t["series"][index % len(t["series"])]


def is_covered(text: str) -> bool:
    """True if the fonts that come along can write a text; other letters need the system's fonts."""
    for chinese in _CHINESE.findall(text):
        try:
            chinese.encode("gb2312")  # the characters that packaging/make_fonts.py takes
        except UnicodeEncodeError:
            return False
    return bool(_LETTERS.fullmatch(_CHINESE.sub("", text)))
