"""From Typst markup to a picture and the places of its terms: the letters as PNG, the links from the SVG of the same page."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from mechstudio.protocol.messages import Spot

LINK = "term:"                # address of a link in the markup: LINK + its number
POINTS_PER_INCH = 72.0

_SVG = "{http://www.w3.org/2000/svg}"
_TRANSLATE = re.compile(r"translate\(\s*([-\d.eE]+)[\s,]+([-\d.eE]+)\s*\)")
_MATRIX = re.compile(r"matrix\(\s*1\s+0\s+0\s+1\s+([-\d.eE]+)\s+([-\d.eE]+)\s*\)")

_PAGE = """#set page(width: auto, height: auto, margin: 3pt, fill: none)
#set text(size: {size}pt, fill: rgb("{color}"), bottom-edge: "descender")
#show math.equation: set text(font: "New Computer Modern Math", weight: 450)
"""


class Typesetter:
    """Keeps the Typst compiler between pictures, because starting it costs ten times what a picture costs."""

    def __init__(self) -> None:
        import typst
        self._typst = typst
        self._compiler = None

    def picture(self, markup: str, links: Sequence[tuple[str, ...]], color: str, size: float, density: float) -> tuple[bytes, tuple[float, float], tuple[Spot, ...]]:
        """PNG, size [pt] and spots of a piece of markup.

        links: element ids of each link number.   color: of plain ink.   size [pt]: of the letters.   density: pixels per point.
        """
        source = (_PAGE.format(size=size, color=color) + markup).encode()
        png = self._typst.compile(source, format="png", ppi=POINTS_PER_INCH * density)
        svg = self._typst.compile(source, format="svg")
        root = ElementTree.fromstring(svg)
        box = [float(x) for x in root.attrib["viewBox"].split()]
        return png, (box[2], box[3]), spots(root, links)


def spots(root: ElementTree.Element, links: Sequence[tuple[str, ...]]) -> tuple[Spot, ...]:
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
                hull[:] = [min(hull[0], x), min(hull[1], y), max(hull[2], right), max(hull[3], bottom)]
            return
        for child in element:
            walk(child, x, y)

    walk(root, 0.0, 0.0)
    return tuple(Spot((a, b, c - a, d - b), links[k]) for k, (a, b, c, d) in sorted(hulls.items()))


def _shift(transform: str) -> tuple[float, float]:
    """The translation of a transform that only translates; pages of formulas hold links in no other."""
    match = _TRANSLATE.search(transform) or _MATRIX.search(transform)
    return (float(match[1]), float(match[2])) if match else (0.0, 0.0)
