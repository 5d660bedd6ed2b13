"""Look of exported pages: the light theme on white paper, and the fonts that come along."""

from xml.sax.saxutils import escape

from mechstudio import tokens
from mechstudio.folders import resource_folder
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.symbolic.printers.printable import line
from mechstudio.tokens import readable, theme

_LOOK = "light"
INK, SOFT, NOTE, HAIR = (theme(_LOOK)[role] for role in ("text", "text2", "text3", "line"))
SERIES, CAST = tuple(theme(_LOOK)["series"]), theme(_LOOK)["cast"]
# the same, dark enough to be set as text on white
READABLE = tuple(readable(color, "#FFFFFF", INK) for color in SERIES)
READABLE_CAST = readable(CAST, "#FFFFFF", INK)
FONTS = 'font-family="Inter, Helvetica, Arial, sans-serif"'


def body_color(index: int) -> str:
    """The colour in which a body is drawn."""
    return tokens.body_color(_LOOK, index)


def term_colors(mechanism: Mechanism) -> dict[str, str]:
    """Colours of terms by element id, for typeset.markup."""
    bodies = {GROUND: mechanism.ground, **mechanism.bodies}
    return {"text": INK, "mute": NOTE} | {
        id: READABLE_CAST if b.color < 0 else READABLE[b.color % len(READABLE)]
        for id, b in bodies.items()
    }


def mixed(color: str, other: str, share: float) -> str:
    """A colour moved towards another by a share of the way."""
    return "#" + "".join(
        f"{round(int(color[k : k + 2], 16) * (1 - share) + int(other[k : k + 2], 16) * share):02X}"
        for k in (1, 3, 5)
    )


def svg_text(
    text: str,
    x: float,
    y: float,
    size: float,
    color: str,
    anchor: str = "middle",
    more: str = "",
    halo: bool = True,
) -> str:
    """A line of words in SVG, with a halo readable on whatever lies behind it; twice, because not
    every reader knows paint-order.
    """
    place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}" text-anchor="{anchor}" {FONTS} {more}'
    words = escape(line(text))
    behind = (
        f'<text {place} fill="none" stroke="#FFFFFF" stroke-opacity="0.85" '
        f'stroke-width="{size * 0.28:.2f}" stroke-linejoin="round">{words}</text>'
        if halo
        else ""
    )
    return f'{behind}<text {place} fill="{color}">{words}</text>'


def compiler(source: str):
    """A Typst compiler whose fonts can write a source."""
    import typst

    folder = resource_folder("fonts")
    return typst.Compiler(
        ignore_system_fonts=tokens.is_covered(source),
        font_paths=[str(folder)] if folder.is_dir() else [],
    )


def typst_string(text: str) -> str:
    """A Typst string of a line of words."""
    return '"' + line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
