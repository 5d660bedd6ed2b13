"""Check of an SVG before it is shown: no other files, and no endless copies of copies; and pictures
of drawings that the program itself wrote.

The reader opens every linked file, pipes too, and draws every copy of a copy, so files are checked
before.
"""

import re
from xml.etree import ElementTree

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from mechstudio.tokens import metrics
from mechstudio.translation import tr

MOST = 200_000  # elements with all copies drawn
DEEPEST = 200  # elements within elements, copies followed
_CLIPS = re.compile("<clipPath.*?</clipPath>", re.DOTALL)
_FAMILIES = re.compile('font-family="[^"]*"')
_HREF = ("href", "{http://www.w3.org/1999/xlink}href")


def is_drawing(path: str) -> bool:
    """True if a file is text as an SVG is, packed or not, or is called one.  Raises OSError."""
    with open(path, "rb") as file:
        head = file.read(512).lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")
    return path.lower().endswith(".svg") or head.startswith((b"<", b"\x1f\x8b"))


def svg_fault(path: str) -> str:
    """Reason why an SVG is not shown, as the end of a sentence; empty if it can be.  Raises
    OSError.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, ValueError, LookupError):
        return tr("is no picture that can be read: PNG, JPEG, BMP, WebP and SVG can")
    elements = list(root.iter())
    links = [
        link
        for e in elements
        for key in _HREF
        if (link := e.get(key, "").strip()) and e.tag.rpartition("}")[2] != "a"
    ]
    if any(
        not link.startswith(("#", "data:image/png", "data:image/jpeg", "data:image/jpg"))
        for link in links
    ):
        return tr("shows other files, which are not looked for: embed them in it first")
    named: dict[str, ElementTree.Element] = {e.get("id", ""): e for e in reversed(elements)}
    counts: dict[ElementTree.Element, int] = {}

    def drawn(element: ElementTree.Element, depth: int) -> int:
        """Number of elements that an element draws; more than MOST where it never ends."""
        if depth > DEEPEST:
            return MOST + 1
        if element not in counts:
            copied = [
                named[link[1:]]
                for key in _HREF
                if (link := element.get(key, "").strip())[1:] in named and link.startswith("#")
            ]
            total = 1
            for inner in (*element, *copied):
                total += drawn(inner, depth + 1)
                if total > MOST:
                    break
            counts[element] = total
        return counts[element]

    return (
        tr("draws copies of copies without end: save it as plain SVG first")
        if drawn(root, 0) > MOST
        else ""
    )


def drawn_svg(text: str, size: tuple[int, int]) -> QImage:
    """A drawing of the program's own as pixels.  QtSvg fills a clip path where it should cut, and
    takes one family for letters.
    """
    family = f'font-family="{metrics()["font"]["family"]}"'
    text = _FAMILIES.sub(family, _CLIPS.sub("", text), count=1)
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    QSvgRenderer(text.encode()).render(painter, QRectF(0, 0, *size))
    painter.end()
    return image
