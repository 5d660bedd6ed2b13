"""Pictures of formulas on a page in few letters: glyphs stand once on the page, under short names,
each run of them has one color, numbers go to a thousandth of a point.
"""

import re
from xml.sax.saxutils import escape

_NAMED = re.compile(r'(<symbol id="|<use href="#)([^"]+)"')
_SYMBOL = re.compile(r'<symbol id="([^"]+)".*?</symbol>', re.S)
_EMPTY = re.compile(r"<defs[^>]*>\s*</defs>")
_OPENING = re.compile(r'<svg viewBox="([^"]*)"[^>]*>')
_AT_ZERO = re.compile(r'(<use\b[^>]*?) ([xy])="0"')
_RUN = re.compile(r'<g transform="([^"]*)">((?:<use [^>]*? fill="#[0-9a-f]{6}"/>)+)</g>')
_FILL = re.compile(r' fill="(#[0-9a-f]{6})"')
_TRANSFORM = re.compile(r' transform="[^"]*"')
_PATH = re.compile(r' d="([^"]*)"')
_FINE = re.compile(r"(\.\d{3})\d+")


def slim(svg: str) -> str:
    """The same picture in fewer letters, for a page only, since its links have no namespace."""
    svg = svg.replace(' fill-rule="nonzero"', "").replace("xlink:href=", "href=")
    for _ in range(2):
        svg = _AT_ZERO.sub(r"\1", svg)
    svg = _RUN.sub(_one_color, svg)
    svg = _TRANSFORM.sub(lambda m: _FINE.sub(r"\1", m[0]), svg)
    return _PATH.sub(lambda m: f' d="{_short(m[1])}"', svg)


def formula(svg: str, words: str) -> str:
    """A picture of formulas as an element of a page, as wide as its text.  words: what it says."""
    said = escape(words, {'"': "&quot;"})
    head = lambda m: (
        f'<svg viewBox="{m[1]}" role="img" aria-label="{said}" '
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


def _one_color(run: re.Match[str]) -> str:
    """The glyphs of a run in a group of their color, where they have one."""
    colors = set(_FILL.findall(run[2]))
    if len(colors) > 1:
        return run[0]
    return f'<g transform="{run[1]}" fill="{colors.pop()}">{_FILL.sub("", run[2])}</g>'


def _short(path: str) -> str:
    """Data of a path without spaces and zeros that it can do without."""
    path = re.sub(r"\s*([A-Za-z])\s*", r"\1", _FINE.sub(r"\1", path.strip()))
    return re.sub(r"(?<!\d)0\.(?=\d)", ".", path.replace(" -", "-"))
