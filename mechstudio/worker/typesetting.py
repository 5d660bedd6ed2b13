"""From Typst markup to a picture and the places of its terms: the letters as PNG, the links from
the SVG of the same page.
"""

import re
from collections.abc import Sequence
from typing import Literal
from xml.etree import ElementTree

from mechstudio import tokens
from mechstudio.protocol.derivation_messages import LinkArea

LINK = "term:"  # address of a link in the markup: LINK + its number
POINTS_PER_INCH = 72.0
MARGIN = 3.0  # pt around a picture
WORDS = 0.83  # size of words beside formulas, of that of the formulas
MOST_PIXELS = 24_000_000  # of one picture; a larger one is drawn less finely
NARROWEST = 12.0  # letter heights: no line is broken before that

_SVG = "{http://www.w3.org/2000/svg}"
_TRANSLATE = re.compile(r"translate\(\s*([-\d.eE]+)[\s,]+([-\d.eE]+)\s*\)")
_MATRIX = re.compile(r"matrix\(\s*1\s+0\s+0\s+1\s+([-\d.eE]+)\s+([-\d.eE]+)\s*\)")

# running formulas are laid into lines that dots and fractions may stick out of, by this share of
# the letters' height
_OUT = 0.42

_PAGE = """#set page(width: {width}, height: auto, margin: (x: {margin}pt, y: {out}pt), fill: none)
#set text(font: ("Inter", "New Computer Modern"), size: {words}pt, fill: rgb("{color}"), \
number-width: "tabular")
#set par(leading: 0.8em)
#show math.equation.where(block: true): set align(left)
#show math.equation.where(block: true): set block(spacing: 0pt)
#show math.equation: set text(font: ("New Computer Modern Math", "New Computer Modern"), \
size: {size}pt, weight: 450, bottom-edge: "descender")
"""


class Typesetter:
    """Keeps the Typst compiler between pictures, because starting it costs ten times what a picture
    costs.

    fonts: folder of the interface's fonts, for words; empty for none.
    """

    def __init__(self, fonts: str = "") -> None:
        import typst

        self._typst, self._folders = typst, [fonts] if fonts else []
        self._own = typst.Compiler(ignore_system_fonts=True, font_paths=self._folders)
        self._all: typst.Compiler | None = None

    def _compiled(
        self, source: str, format: Literal["svg", "png"], ppi: float | None = None
    ) -> bytes:
        """One page of a source."""
        if tokens.is_covered(source):
            compiler = self._own
        else:
            compiler = self._all = self._all or self._typst.Compiler(font_paths=self._folders)
        page = compiler.compile(source.encode(), format=format, ppi=ppi)
        assert isinstance(page, bytes), "a source is one page"
        return page

    def width(self, markup: str, size: float) -> float:
        """Width of markup if no line is broken [pt]."""
        source = self._source(markup, "#000000", size, None)
        return _size(ElementTree.fromstring(self._compiled(source, "svg")))[0]

    def picture(
        self,
        markup: str,
        links: Sequence[tuple[str, ...]],
        color: str,
        size: float,
        density: float,
        width: float | None = None,
        words: Sequence[str] = (),
    ) -> tuple[bytes, tuple[float, float], tuple[LinkArea, ...]]:
        """PNG, size [pt] and spots of a piece of markup.

        links, words: element ids and symbols of each link number.  color: of plain ink.  size [pt]:
        of the letters.  density: pixels per point. width [pt]: of the page; None is as wide as it
        comes.  A term that is longer than a line makes the page wider.
        """
        width = None if width is None else max(width, NARROWEST * size)
        source = self._source(markup, color, size, width)
        root = ElementTree.fromstring(self._compiled(source, "svg"))
        found = link_areas(root, links, words)
        right = max((s.box[0] + s.box[2] for s in found), default=0.0) + MARGIN
        if width is not None and right > width + 0.5:
            source = self._source(markup, color, size, right)
            root = ElementTree.fromstring(self._compiled(source, "svg"))
            found = link_areas(root, links, words)
        extent = _size(root)
        density *= min(1.0, (MOST_PIXELS / (extent[0] * extent[1] * density**2)) ** 0.5)
        return self._compiled(source, "png", POINTS_PER_INCH * density), extent, found

    @staticmethod
    def _source(markup: str, color: str, size: float, width: float | None) -> str:
        page = "auto" if width is None else f"{width:.2f}pt"
        return (
            _PAGE.format(
                width=page,
                margin=MARGIN,
                out=MARGIN if width is None else round(_OUT * size, 2),
                words=round(WORDS * size, 2),
                size=size,
                color=color,
            )
            + markup
        )


def _size(root: ElementTree.Element) -> tuple[float, float]:
    box = [float(x) for x in root.attrib["viewBox"].split()]
    return box[2], box[3]


def link_areas(
    root: ElementTree.Element, links: Sequence[tuple[str, ...]], words: Sequence[str] = ()
) -> tuple[LinkArea, ...]:
    """The hull of the rectangles of each link, in its order."""
    hulls: dict[int, list[float]] = {}

    def walk(element: ElementTree.Element, x: float, y: float) -> None:
        dx, dy = _shift(element.attrib.get("transform", ""))
        x, y = x + dx, y + dy
        address = element.attrib.get("href", "")
        if element.tag == _SVG + "a" and address.startswith(LINK):
            rect = element.find(_SVG + "rect")
            if rect is not None:
                right, bottom = x + float(rect.attrib["width"]), y + float(rect.attrib["height"])
                hull = hulls.setdefault(int(address.removeprefix(LINK)), [x, y, right, bottom])
                hull[:] = [
                    min(hull[0], x),
                    min(hull[1], y),
                    max(hull[2], right),
                    max(hull[3], bottom),
                ]
            return
        for child in element:
            walk(child, x, y)

    walk(root, 0.0, 0.0)
    return tuple(
        LinkArea((a, b, c - a, d - b), links[k], words[k] if words else "")
        for k, (a, b, c, d) in sorted(hulls.items())
    )


def _shift(transform: str) -> tuple[float, float]:
    """The translation of a transform that only translates; pages of formulas hold links in no
    other.
    """
    match = _TRANSLATE.search(transform) or _MATRIX.search(transform)
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)
