"""Pictures of formulas on a page in few letters: glyphs stand once on the page, under short names
and upright, numbers go to a thousandth of a point, and ink is the color of what names none.
"""

import re
from xml.sax.saxutils import escape

from mechstudio.symbolic.exports.pages.style import INK

_NAMED = re.compile(r'(<symbol id="|<use href="#)([^"]+)"')
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.S)
_EMPTY = re.compile(r"<defs[^>]*>\s*</defs>")
_OPENING = re.compile(r'<svg viewBox="([^"]*)"[^>]*>')
# a run of glyphs turned upside down, as fonts count heights upwards, or a glyph elsewhere
_GLYPHS = re.compile(
    r'<g transform="matrix\(1 0 0 -1 ([-.\d]+) ([-.\d]+)\)">((?:<use [^>]*/>)+)</g>|<use [^>]*/>'
)
_USE = re.compile(r"<use ([^>]*)/>")
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_TRANSFORM = re.compile(r' transform="[^"]*"')
_PATH = re.compile(r' d="([^"]*)"')
_FINE = re.compile(r"(\.\d{3})\d+")


def slim(svg: str) -> str:
    """The same picture in fewer letters, for a page only: its links have no namespace, ink is the
    color of what is around it, and its glyphs are upright.
    """
    svg = svg.replace(' fill-rule="nonzero"', "").replace("xlink:href=", "href=")
    svg = _GLYPHS.sub(_upright, svg)
    svg = _TRANSFORM.sub(lambda m: _FINE.sub(r"\1", m[0]), svg)
    svg = _PATH.sub(lambda m: f' d="{_short(m[1])}"', svg)
    return _SYMBOL.sub(lambda m: m[0].replace("<path ", '<path transform="scale(1 -1)" '), svg)


def _upright(glyphs: re.Match[str]) -> str:
    """Glyphs by symbols that are upright in place of upside down."""
    if glyphs[3] is None:
        return _turned(glyphs[0])
    at, height = float(glyphs[1]), _number(float(glyphs[2]))
    out = []
    for use in _USE.findall(glyphs[3]):
        known = dict(_ATTRIBUTE.findall(use))
        if known.keys() - {"href", "x", "y", "fill"} or float(known.get("y", "0")):
            return _USE.sub(lambda m: _turned(m[0]), glyphs[0])
        x = _number(at + float(known.get("x", "0")))
        out.append(f'<use href="{known["href"]}" x="{x}" y="{height}"{_color(known)}/>')
    return "".join(out)


def _turned(use: str) -> str:
    """A glyph turned back, whatever its place: first its own turn, then the place."""
    known = dict(_ATTRIBUTE.findall(use))
    rest = "".join(
        f' {name}="{value}"'
        for name, value in known.items()
        if name not in ("href", "x", "y", "fill", "transform")
    )
    x, y = (float(known.get(name, "0")) for name in "xy")
    turn = f"{known.get('transform', '')} translate({_number(x)} {_number(y)}) scale(1 -1)".strip()
    return f'<use href="{known["href"]}" transform="{turn}"{rest}{_color(known)}/>'


def _color(known: dict[str, str]) -> str:
    color = known.get("fill", "")
    return "" if color.lower() in ("", INK.lower()) else f' fill="{color}"'


def _number(x: float) -> str:
    return f"{round(x, 3):g}" if abs(x) < 1000.0 else f"{round(x, 2):.2f}"


def formula(svg: str, words: str) -> str:
    """A picture of formulas as an element of a page, as wide as its text.  words: what it says."""
    said = escape(words, {'"': "&quot;"})
    head = lambda m: (
        f'<svg viewBox="{m[1]}" role="img" aria-label="{said}" fill="{INK}" '
        'style="display:block;width:100%;height:auto">'
    )
    return _OPENING.sub(head, slim(svg), count=1)


def with_shared_glyphs(page: str) -> str:
    """A page whose pictures of formulas share their glyphs, which stand before everything else.

    Glyphs of one name are one: their names are made from their outlines.
    """
    glyphs = {m[1]: m[0] for m in _SYMBOL.finditer(page)}
    if not glyphs:
        return page
    names = {name: f"g{k:x}" for k, name in enumerate(glyphs)}
    page = _EMPTY.sub("", _SYMBOL.sub("", page))
    hidden = '<svg width="0" height="0" style="position:absolute" aria-hidden="true">'
    first = f"<body>\n{hidden}{''.join(glyphs.values())}</svg>"
    page = page.replace("<body>", first, 1)
    return _NAMED.sub(lambda m: f'{m[1]}{names.get(m[2], m[2])}"', page)


def _short(path: str) -> str:
    """Data of a path without spaces and zeros that it can do without."""
    path = re.sub(r"\s*([A-Za-z])\s*", r"\1", _FINE.sub(r"\1", path.strip()))
    return re.sub(r"(?<!\d)0\.(?=\d)", ".", path.replace(" -", "-"))
