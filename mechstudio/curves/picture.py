"""Plots as pictures: SVG text of our own, and PDF and PNG from it through Typst."""

import functools
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from mechstudio import tokens
from mechstudio.curves.axes import Axis, axis, decades, extent, pair
from mechstudio.curves.course import Course, thinned
from mechstudio.folders import resource_folder
from mechstudio.model.naming import presentable
from mechstudio.model.units import Unit

MM = 96 / 25.4  # pixels of a millimetre
PIXELS_OF_POINT = 96 / 72
PRINT = 300.0  # pixels per inch of a PNG whose size is given in millimetres
# in the order of application/plots/panes.DASHES
DASHES = ("", "5 3", "1.5 2.5", "8 3 1.5 3", "12 3", "7 3 1.5 2.5 1.5 3", "3 2", "12 3 1.5 3")
FLOOR = 1e-18  # below which an error on an axis of powers of ten is rounding

Theme = Literal["light", "dark", "paper"]


class Line(NamedTuple):
    """One curve.  name: in the legend.  x, y (n,): in the units of its pane, NaN for a gap.  color,
    dash: places among the series' colours and DASHES.  second: it is read on the right axis.
    points: single points without a line.  base, top (n,): edges of a band that is
    filled.  width: of the line [px], 0 for the usual one.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    color: int = 0
    dash: int = 0
    second: bool = False
    points: bool = False
    base: np.ndarray | None = None
    top: np.ndarray | None = None
    width: float = 0.0


class Panel(NamedTuple):
    """One plot of a picture. title: its subject. lines: its curves.  x_unit, unit, second_unit:
    symbols of its axes.  x_title: of the horizontal axis, "" for the time.  log: vertical axis of
    powers of ten, of magnitudes.
    """

    title: str
    lines: tuple[Line, ...]
    unit: str = ""
    second_unit: str = ""
    x_unit: str = "s"
    x_title: str = ""
    log: bool = False


class Look(NamedTuple):
    """Look of a picture.  width, height: of all of it [px, 96 to the inch].  text: height of its
    words [px].  columns: of panels side by side.
    """

    width: float = 960.0
    height: float = 540.0
    theme: Theme = "light"
    text: float = 12.0
    columns: int = 1

    @classmethod
    def millimetres(cls, width: float, height: float, theme: Theme = "paper", **more) -> "Look":
        """A look of a size for print."""
        return cls(width * MM, height * MM, theme, **more)


@functools.cache
def colors(theme: Theme) -> dict:
    """The colours of a theme; of paper those of the light one on white, in black."""
    if theme == "paper":
        return tokens.theme("light") | {"plot": "#FFFFFF", "text": "#000000", "text2": "#000000"}
    return tokens.theme(theme)


def line_of(name: str, found: Course, unit: Unit, **more) -> Line:
    """A line over the time from a course in SI."""
    return Line(name, found.times, found.values / unit.factor, **more)


# SVG


def svg(panels: tuple[Panel, ...] | list[Panel], look: Look = Look()) -> str:
    """The panels as one SVG picture, row by row."""
    ink = colors(look.theme)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{look.width:.6g}" '
        f'height="{look.height:.6g}" viewBox="0 0 {look.width:.6g} {look.height:.6g}" '
        f'font-family="Inter, Helvetica, Arial, sans-serif" font-size="{look.text:g}">',
        f'<rect width="100%" height="100%" fill="{ink["plot"]}"/>',
    ]
    for inside in insides(panels, look):
        parts.append(f'<g transform="translate({inside.x:.2f} {inside.y:.2f})">')
        parts += inside.drawing.parts()
        parts.append("</g>")
    return "\n".join((*parts, "</svg>"))


class Inside(NamedTuple):
    """Place of a panel, and of the area inside its axes, in a picture.  x, y: of the panel [px]."""

    x: float
    y: float
    drawing: "_Drawing"

    @property
    def room(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom inside the axes [px]."""
        d = self.drawing
        return self.x + d.x0, self.y + d.y0, self.x + d.x1, self.y + d.y1

    @property
    def shown(self) -> tuple[float, float]:
        """Least and greatest value of the horizontal axis."""
        return self.drawing.across.low, self.drawing.across.high

    def place(self, line: Line, x: float, y: float) -> tuple[float, float]:
        """Place of a value of a line [px]."""
        d = self.drawing
        axis = d.right if line.second and d.right else d.left
        values = _shown(d.panel, np.array([y]))
        return self.x + float(d.place_x(x)), self.y + float(d.place_y(values, axis)[0])


def insides(panels: Sequence[Panel], look: Look = Look()) -> list[Inside]:
    """Places of the panels of a picture, row by row; instants stand below each other."""
    columns = max(1, min(look.columns, len(panels)))
    rows = max(1, -(-len(panels) // columns))
    width, height = look.width / columns, look.height / rows
    drawn = [_Drawing(panel, width, height, look, k) for k, panel in enumerate(panels)]
    for column in range(columns):
        below = drawn[column::columns]
        left, right = max((d.x0 for d in below), default=0), min((d.x1 for d in below), default=0)
        for d in below:
            d.x0, d.x1 = left, right
    return [Inside(width * (k % columns), height * (k // columns), d) for k, d in enumerate(drawn)]


class _Drawing:
    """One panel being drawn: its axes, the place of its inside, and SVG."""

    def __init__(self, panel: Panel, width: float, height: float, look: Look, number: int) -> None:
        self.panel, self.width, self.height, self.number = panel, width, height, number
        self.em, self.ink = look.text, colors(look.theme)
        # an exact zero has no place on an axis of powers of ten: its line leaves it below
        placed = lambda y: np.where(y == 0, np.nan, y) if panel.log else y
        values = lambda second: [
            _shown(panel, placed(n.y)) for n in panel.lines if n.second is second
        ]
        two = any(n.second for n in panel.lines)
        ticks = max(2, round(height / (4.5 * self.em)))
        ticks = min(ticks, 6)
        if panel.log:
            self.left, self.right = decades(*extent(values(False)), ticks), None
        elif two:
            self.left, self.right = pair(extent(values(False)), extent(values(True)), ticks)
        else:
            self.left, self.right = axis(*extent(values(False)), ticks), None
        across = extent([n.x for n in panel.lines])
        self.across = axis(*across, max(2, round(width / (9 * self.em))), tight=True)
        em, wide = self.em, lambda a: max((text_width(t, em) for t in a.labels), default=0.0)
        self.x0 = em + wide(self.left) + 0.7 * em
        self.x1 = width - (em + wide(self.right) + 0.7 * em if self.right else 1.6 * em)
        self.legend = self._legend()
        self.y0 = 2.4 * em + 1.6 * em * max(0, len(self.legend) - 1) + 1.5 * em
        self.y1 = max(height - (3.8 if panel.x_title else 2.4) * em, self.y0 + em)

    # words

    def _text(self, x: float, y: float, words: str, anchor="start", weight=400, color="text2"):
        bold = f' font-weight="{weight}"' if weight != 400 else ""
        return (
            f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}"{bold} '
            f'fill="{self.ink[color]}">{escape(presentable(words))}</text>'
        )

    def _legend(self) -> list[list[tuple[float, Line]]]:
        """Rows of (x, line): beside the title while they fit, the rest below; none of one curve
        that the title names.
        """
        lines = [n for n in self.panel.lines if n.name and n.name != self.panel.title]
        em, room = self.em, self.width - 1.6 * self.em
        size = lambda n: 24 + 0.5 * em + text_width(self._name(n), em) + 1.2 * em
        rows: list[list[Line]] = [[]]
        first = self.width - 3 * em - text_width(self.panel.title, em) * 1.06 - em
        for n in lines:
            free = first if len(rows) == 1 else room - em
            # the row of the title may stay empty
            full = sum(map(size, rows[-1])) + size(n) > free
            if full and (rows[-1] or len(rows) == 1):
                rows.append([])
            rows[-1].append(n)
        out = []
        for row in rows:
            x, placed = room - sum(map(size, row)) + 1.2 * em, []
            for n in row:
                placed.append((max(x, em), n))
                x += size(n)
            out.append(placed)
        return out

    def _name(self, line: Line) -> str:
        return f"{line.name} (right)" if line.second else line.name

    # parts

    def parts(self) -> list[str]:
        """All of the panel."""
        p, em = self.panel, self.em
        out = [self._text(em, 1.7 * em, p.title, weight=600, color="text")]
        for k, row in enumerate(self.legend):
            y = (1.7 + 1.6 * k) * em
            for x, n in row:
                out.append(self._sample(x, y - 0.35 * em, n))
                out.append(self._text(x + 24 + 0.5 * em, y, self._name(n)))
        out += self._grid()
        head = self.y0 - 0.75 * em
        for a, unit, x, anchor in (
            (self.left, p.unit, self.x0 - 0.5 * em, "end"),
            (self.right, p.second_unit, self.x1 + 0.5 * em, "start"),
        ):
            words = f"{a.factor_text} {unit}".strip() if a else ""
            if anchor == "end" and text_width(words, em) > x - 0.3 * em:
                x, anchor = 0.5 * em, "start"
            elif anchor == "start" and text_width(words, em) > self.width - x - 0.3 * em:
                x, anchor = self.width - 0.5 * em, "end"
            if words:
                out.append(self._text(x, head, words, anchor))
        clip = f"inside{self.number}"
        out.append(
            f'<clipPath id="{clip}"><rect x="{self.x0:.2f}" y="{self.y0 - 1:.2f}" '
            f'width="{self.x1 - self.x0:.2f}" height="{self.y1 - self.y0 + 2:.2f}"/></clipPath>'
        )
        out.append(f'<g clip-path="url(#{clip})">')
        out += [drawn for n in p.lines if (drawn := self._line(n))]
        out.append("</g>")
        return out

    def _sample(self, x: float, y: float, n: Line) -> str:
        if n.points:
            return f'<circle cx="{x + 12:.2f}" cy="{y:.2f}" r="2.4" fill="{self._color(n)}"/>'
        return f'<path d="M{x:.2f},{y:.2f} h24" {self._stroke(n, 2.0)}/>'

    def _color(self, n: Line) -> str:
        series = self.ink["series"]
        return series[n.color % len(series)]

    def _stroke(self, n: Line, width: float) -> str:
        dash = DASHES[n.dash % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        return (
            f'fill="none" stroke="{self._color(n)}" stroke-width="{width:g}" '
            f'stroke-linejoin="round"{dashed}'
        )

    def place_x(self, x):
        a = self.across
        return self.x0 + (np.asarray(x) - a.low) / (a.high - a.low) * (self.x1 - self.x0)

    def place_y(self, y, a: Axis):
        return self.y1 - (np.asarray(y) - a.low) / (a.high - a.low) * (self.y1 - self.y0)

    def _grid(self) -> list[str]:
        p, em, out = self.panel, self.em, []
        for value, label in zip(self.left.ticks, self.left.labels):
            y = float(self.place_y(value, self.left))
            zero = value == 0 and not p.log
            out.append(
                f'<path d="M{self.x0:.2f},{y:.2f} H{self.x1:.2f}" '
                f'stroke="{self.ink["line_strong" if zero else "plot_grid"]}"/>'
            )
            out.append(self._text(self.x0 - 0.5 * em, y + 0.36 * em, label, "end"))
        if self.right is not None:
            for value, label in zip(self.right.ticks, self.right.labels):
                y = float(self.place_y(value, self.right))
                out.append(self._text(self.x1 + 0.5 * em, y + 0.36 * em, label))
        unit = f"{self.across.factor_text} {p.x_unit}".strip()
        for value, label in zip(self.across.ticks, self.across.labels):
            x = float(self.place_x(value))
            out.append(
                f'<path d="M{x:.2f},{self.y0:.2f} V{self.y1:.2f}" '
                f'stroke="{self.ink["plot_grid"]}"/>'
            )
            if value == self.across.ticks[-1] and not p.x_title:
                label = f"{label} {unit}"
            half = 0.5 * text_width(label, em)
            x = min(x, self.width - half - 0.3 * em)
            out.append(self._text(x, self.y1 + 1.35 * em, label, "middle"))
        if p.x_title:
            words = f"{p.x_title} [{unit}]" if unit else p.x_title
            out.append(self._text(0.5 * (self.x0 + self.x1), self.y1 + 2.9 * em, words, "middle"))
        return out

    def _line(self, n: Line) -> str:
        a = self.right if n.second and self.right else self.left
        x, y = n.x, _shown(self.panel, n.y)
        if not len(x):
            return ""
        band = "" if n.base is None else self._band(n, a)
        if not n.points and np.all(np.diff(x) >= 0):
            thin = thinned(Course(x, y), self.across.low, self.across.high, int(self.x1 - self.x0))
            x, y = thin.times, thin.values
        px, py = self.place_x(x), self.place_y(y, a)
        good = np.isfinite(px) & np.isfinite(py)
        if n.points:
            return "".join(
                f'<circle cx="{u:.2f}" cy="{v:.2f}" r="2.4" fill="{self._color(n)}"/>'
                for u, v in zip(px[good].tolist(), py[good].tolist())
            )
        # what lies far outside is cut: readers of SVG stumble over huge numbers
        py = np.clip(py, -1e5, 1e5)
        edges = np.flatnonzero(np.diff(np.concatenate(([False], good, [False])).astype(int)))
        path = []
        for first, last in zip(edges[::2], edges[1::2]):
            points = [
                f"{u:.2f},{v:.2f}" for u, v in zip(px[first:last].tolist(), py[first:last].tolist())
            ]
            path.append("M" + " ".join(points if len(points) > 1 else points * 2))
        width = n.width or 1.6
        cap = ' stroke-linecap="round"' if not DASHES[n.dash % len(DASHES)] else ""
        return band + (
            f'<path d="{" ".join(path)}" {self._stroke(n, width)}{cap}/>' if path else ""
        )

    def _band(self, n: Line, a: Axis) -> str:
        """The filled band of a line."""
        assert n.base is not None
        assert n.top is not None
        every = max(1, len(n.x) // int(2 * max(self.x1 - self.x0, 1.0)))
        x = self.place_x(n.x[::every])
        top, low = (self.place_y(_shown(self.panel, y[::every]), a) for y in (n.top, n.base))
        ring = zip(np.concatenate((x, x[::-1])).tolist(), np.concatenate((top, low[::-1])).tolist())
        places = " ".join(f"{u:.2f},{v:.2f}" for u, v in ring)
        return f'<polygon points="{places}" fill="{self._color(n)}" fill-opacity="0.42"/>'


def _shown(panel: Panel, y: np.ndarray) -> np.ndarray:
    if not panel.log:
        return y
    return np.log10(np.maximum(np.abs(y), FLOOR))


_NARROW, _WIDE = set("iljtfr.,:;|'!()[]ı "), set("mwMWOQ@%")


def text_width(text: str, size: float) -> float:
    """Width of a line of words in the interface's font, a little more rather than less [px]."""
    return size * sum(
        0.36 if c in _NARROW else 0.92 if c in _WIDE else 0.72 if c.isupper() else 0.62
        for c in text
    )


# other formats


def pdf(picture: str) -> bytes:
    """An SVG picture as PDF, with its words as text."""
    return _compiled(picture, "pdf", None)


def png(picture: str, pixels_per_inch: float = 96.0) -> bytes:
    """An SVG picture as PNG; at 96 pixels per inch one pixel of it is one of the PNG."""
    return _compiled(picture, "png", pixels_per_inch)


def _compiled(picture: str, format: Literal["pdf", "png"], ppi: float | None) -> bytes:
    import typst

    size = re.search(r'width="([\d.e+]+)" height="([\d.e+]+)"', picture)
    assert size is not None, "a picture says its size"
    width, height = (float(n) / PIXELS_OF_POINT for n in size.groups())
    compiler = typst.Compiler(
        ignore_system_fonts=tokens.is_covered(picture),
        font_paths=[str(resource_folder("fonts"))],
    )
    source = (
        f"#set page(width: {width:.4f}pt, height: {height:.4f}pt, margin: 0pt)\n"
        '#image(bytes(sys.inputs.picture), format: "svg", width: 100%)'
    )
    made = compiler.compile(
        input=source.encode(), sys_inputs={"picture": picture}, format=format, ppi=ppi
    )
    page = made[0] if isinstance(made, list) else made
    assert page is not None
    return bytes(page)
