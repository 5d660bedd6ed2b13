"""A sheet with the front view of a mechanism, true to scale, as SVG text.

Line widths, arrows and text follow ISO 128-2, ISO 129-1 and ISO 3098; scales are those of ISO 5455.
"""

import math
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from mechstudio.curves.drawings.dimensions import (
    ACROSS,
    ALIGNED,
    CORNER,
    LEADER,
    UPRIGHT,
    Dimension,
    Texts,
    dimensions,
)
from mechstudio.curves.drawings.outlines import centres, outlines
from mechstudio.curves.gauges.reading import Poses, drawn_poses
from mechstudio.curves.picture import pdf
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.translation import comma, tr

SHEETS = {"A4": (297.0, 210.0), "A3": (420.0, 297.0), "A2": (594.0, 420.0)}  # landscape [mm]
# drawn length over true length, the largest first
SCALES = (50, 20, 10, 5, 2, 1, 1 / 2, 1 / 5, 1 / 10, 1 / 20, 1 / 50, 1 / 100, 1 / 200, 1 / 500)
EDGE, BINDING = 10.0, 20.0  # of the frame; at the left [mm]
ROOM = 34.0  # about the view for dimensions [mm]
TITLE = (92.0, 26.0)  # of the title block [mm]
WIDE, THIN = 0.5, 0.25  # lines of outlines, and of dimensions [mm]
FIRST, NEXT = 10.0, 7.0  # from the outline to the first dimension line, and between two [mm]
GAP, BEYOND = 1.0, 2.0  # extension lines begin and end so far from their point and line [mm]
HEAD = (3.0, 0.5)  # length and half width of an arrow [mm]
TEXT = 3.5  # height of capitals [mm]
FONT = TEXT / 0.73  # size of a font whose capitals have that height [mm]
LETTER = 0.62 * FONT  # width of a digit, roughly [mm]
PIXEL = 96.0 / 25.4  # px of a mm in a picture that says its size in pixels


class Sheet(NamedTuple):
    """A drawing.  svg: its text.  scale: drawn length over true length.  left_out: names of gauges
    that this view does not show true.  hulls: names of bodies drawn by the convex hulls of meshes.
    """

    svg: str
    scale: float
    left_out: tuple[str, ...]
    hulls: tuple[str, ...] = ()

    @property
    def picture(self) -> str:
        """The same with its size in pixels, as curves.picture.pdf takes it."""
        head, rest = self.svg.split(">", 1)
        for name in ("width", "height"):
            size = float(head.split(f'{name}="')[1].split("mm")[0])
            head = head.replace(f'{name}="{size:g}mm"', f'{name}="{size * PIXEL:.4f}"', 1)
        return f"{head}>{rest}"

    def content(self, ending: str) -> bytes:
        """The bytes of a file, ".svg" or ".pdf"."""
        return self.svg.encode() if ending == ".svg" else pdf(self.picture)


def scale_words(scale: float) -> str:
    """A scale as drawings write it: "1:5", "2:1"."""
    return f"{scale:g}:1" if scale >= 1 else f"1:{1 / scale:g}"


def scale_of(text: str) -> float:
    """The scale that a text such as "1:5" means.  Raises ValueError for any other text."""
    drawn, mark, true = text.partition(":")
    try:
        scale = float(drawn) / float(true)
    except (ValueError, ZeroDivisionError):
        scale = 0.0
    if not mark or not 0 < scale < math.inf:
        raise ValueError(tr("A scale is written as 1:5 or 2:1, not {text}.", text=text))
    return scale


def front_view(
    project: Project,
    title: str = "",
    sheet: str = "A4",
    scale: float | None = None,
    m: Mechanism | None = None,
    poses: Poses | None = None,
) -> Sheet:
    """The front view with dimensions, as drawn or at other poses.  m: the mechanism as it is shown.

    scale: drawn over true length; the largest of ISO 5455 that fits without.  Raises ValueError for
    a drawing without solids, an unknown sheet, and a scale that does not fit.
    """
    m = m or project.mechanism
    poses = poses or drawn_poses(m)
    if sheet not in SHEETS:
        known = comma().join(SHEETS)
        raise ValueError(
            tr("There is no sheet {sheet}; there are {known}.", sheet=sheet, known=known)
        )
    found = outlines(m, poses)
    if not found:
        raise ValueError(tr("There is no visible solid to draw."))
    dims, left_out = dimensions(project, m, poses)
    points = np.concatenate([outline.points for outline in found])
    low, high = points.min(axis=0), points.max(axis=0)
    size, room = 1e3 * (high - low), _room(sheet)
    if scale is None:
        fits = [s for s in SCALES if (size * s <= room).all()]
        scale = fits[0] if fits else None
    if scale is None or (size * scale > room).any():
        raise ValueError(
            tr(
                "The view of {wide} x {tall} mm does not fit on {sheet} at this scale.",
                wide=f"{size[0]:.0f}",
                tall=f"{size[1]:.0f}",
                sheet=sheet,
            )
        )
    page = _Page(sheet, scale, (low + high) / 2)
    for outline in found:
        page.outline(outline.points)
    for place in centres(m, poses):
        page.centre(place)
    page.set_reach(low, high)
    for dimension in dims:
        page.dimension(dimension)
    hulls = [m.body(id).name for id in dict.fromkeys(o.body for o in found if o.is_hull)]
    page.title(title, left_out, hulls)
    return Sheet(page.text(), scale, tuple(left_out), tuple(hulls))


def _room(sheet: str) -> np.ndarray:
    """Width and height that a view may take [mm]."""
    wide, tall = SHEETS[sheet]
    return np.array([wide - BINDING - EDGE - 2 * ROOM, tall - 2 * EDGE - 2 * ROOM - TITLE[1] / 2])


class _Page:
    """Collects the marks of a sheet; x to the right and y down [mm]."""

    def __init__(self, sheet: str, scale: float, middle: np.ndarray) -> None:
        self._size, self._scale, self._middle = SHEETS[sheet], scale, middle
        wide, tall = self._size
        self._center = np.array([(BINDING + wide - EDGE) / 2, (tall - TITLE[1] / 2) / 2])
        self._marks: list[str] = []
        self._texts = Texts(lambda text: LETTER * len(text), 0.6, -TEXT - 0.6, 1.0)
        self._low, self._high = self._center, self._center
        self._rows = {ACROSS: 0, UPRIGHT: 0}

    def at(self, place: np.ndarray) -> np.ndarray:
        """Place of a point (x, z) of W [m] on the sheet."""
        d = 1e3 * self._scale * (np.asarray(place) - self._middle)
        return self._center + np.array([d[0], -d[1]])

    def set_reach(self, low: np.ndarray, high: np.ndarray) -> None:
        """Corners of the view, beyond which dimensions stand."""
        a, b = self.at(low), self.at(high)
        self._low, self._high = np.minimum(a, b), np.maximum(a, b)

    # marks

    def _add(self, kind: str, **values: object) -> None:
        said = " ".join(f'{k.replace("_", "-")}="{v}"' for k, v in values.items())
        self._marks.append(f"<{kind} {said}/>")

    def _line(self, a: np.ndarray, b: np.ndarray, wide: float = THIN, dash: str = "") -> None:
        more = {"stroke_dasharray": dash} if dash else {}
        (x1, y1), (x2, y2) = _n(a), _n(b)
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#000", stroke_width=wide, **more)

    def outline(self, points: np.ndarray) -> None:
        """A filled outline, which covers what lies behind it."""
        text = " ".join(",".join(_n(self.at(p))) for p in points)
        self._add(
            "polygon",
            points=text,
            fill="#fff",
            stroke="#000",
            stroke_width=WIDE,
            stroke_linejoin="round",
        )

    def centre(self, place: np.ndarray) -> None:
        """A centre mark: two crossing chain lines."""
        p = self.at(place)
        for way in (np.array([4.0, 0.0]), np.array([0.0, 4.0])):
            self._line(p - way, p + way, THIN, "3 0.8 0.4 0.8")

    def _head(self, tip: np.ndarray, way: np.ndarray) -> None:
        length, half = HEAD
        back, n = tip - length * way, half * np.array([-way[1], way[0]])
        text = " ".join(",".join(_n(p)) for p in (tip, back + n, back - n))
        self._add("polygon", points=text, fill="#000")

    def _write(self, text: str, place: np.ndarray, angle: float = 0.0, anchor: str = "middle"):
        x, y = _n(place)
        turn = f' transform="rotate({angle:.3f} {x} {y})"' if angle else ""
        self._marks.append(
            f'<text x="{x}" y="{y}" font-size="{FONT:.3f}" text-anchor="{anchor}"{turn}>'
            f"{escape(text)}</text>"
        )

    # dimensions

    def dimension(self, d: Dimension) -> None:
        """Draw a dimension where there is room for it."""
        if d.kind == CORNER:
            self._corner(d)
        elif d.kind == LEADER:
            self._leader(d)
        else:
            self._straight(d)

    def _straight(self, d: Dimension) -> None:
        """Extension lines, the dimension line with arrows, the text above it."""
        p, q = self.at(d.a), self.at(d.b)
        if d.kind == ALIGNED:
            u = (q - p) / max(float(np.hypot(*(q - p))), 1e-9)
            n = np.array([-u[1], u[0]])
            if n @ ((p + q) / 2 - self._center) < 0:
                n = -n
            offsets = [FIRST + NEXT * k for k in range(8)]
            feet = [(p + o * n, q + o * n) for o in offsets]
        else:
            k = self._rows[d.kind]
            self._rows[d.kind] += 1
            if d.kind == ACROSS:
                y = self._high[1] + FIRST + NEXT * k
                n, feet = np.array([0.0, 1.0]), [(np.array([p[0], y]), np.array([q[0], y]))]
            else:
                x = self._low[0] - FIRST - NEXT * k
                n, feet = np.array([-1.0, 0.0]), [(np.array([x, p[1]]), np.array([x, q[1]]))]
        a, b = next(((a, b) for a, b in feet if self._texts.is_free(d.text, a, b)), feet[0])
        for point, foot in ((p, a), (q, b)):
            if n @ (foot - point) > GAP:
                self._line(point + GAP * n, foot + BEYOND * n)
        self._arrowed(a, b)
        self._write(d.text, *self._texts.take(d.text, a, b))

    def _arrowed(self, a: np.ndarray, b: np.ndarray) -> None:
        """A dimension line; where it is short its arrows stand outside."""
        length = float(np.hypot(*(b - a)))
        u = (b - a) / max(length, 1e-9)
        inside = length > 3 * HEAD[0]
        tail = 0.0 if inside else 2.5 * HEAD[0]
        self._line(a - tail * u, b + tail * u)
        self._head(a, -u if inside else u)
        self._head(b, u if inside else -u)

    def _corner(self, d: Dimension) -> None:
        """An arc between two legs, with the angle beside it."""
        at = self.at(d.at)
        u, v = (np.array([w[0], -w[1]]) / np.hypot(*w) for w in (d.a, d.b))
        first, second = (math.atan2(w[1], w[0]) for w in (u, v))
        turn = (second - first + math.pi) % (2 * math.pi) - math.pi
        r = 18.0
        ends = [at + r * np.array([math.cos(t), math.sin(t)]) for t in (first, first + turn)]
        for w in (u, v):
            self._line(at, at + (r + BEYOND) * w)
        (x1, y1), (x2, y2) = _n(ends[0]), _n(ends[1])
        path = f"M {x1} {y1} A {r:g} {r:g} 0 0 {int(turn > 0)} {x2} {y2}"
        self._add("path", d=path, fill="none", stroke="#000", stroke_width=THIN)
        if abs(turn) * r > 3 * HEAD[0]:
            lead = HEAD[0] / (2 * r)  # the arrow is a chord
            for t, sign in ((first, -1.0), (first + turn, 1.0)):
                way = math.copysign(1.0, turn) * sign
                s = t - way * lead
                self._head(
                    at + r * np.array([math.cos(t), math.sin(t)]),
                    way * np.array([-math.sin(s), math.cos(s)]),
                )
        middle = first + turn / 2
        place = at + (r + 5.0) * np.array([math.cos(middle), math.sin(middle)])
        anchor = (
            "start" if math.cos(middle) > 0.3 else "end" if math.cos(middle) < -0.3 else "middle"
        )
        self._write(d.text, place + np.array([0.0, TEXT / 2]), 0.0, anchor)

    def _leader(self, d: Dimension) -> None:
        """A line from the centre through the rim, bent level under the text."""
        start = self.at(d.a if d.text.lstrip("(").startswith("⌀") else d.at)
        rim = self.at(d.b)
        u = (rim - start) / max(float(np.hypot(*(rim - start))), 1e-9)
        knee = rim + 9.0 * u
        end = knee + np.array([LETTER * len(d.text) + 2.0, 0.0])
        self._line(start, knee)
        self._line(knee, end)
        self._head(rim, u)
        self._write(d.text, knee + np.array([1.0, -1.0]), 0.0, "start")

    # the sheet

    def title(self, name: str, left_out: list[str], hulls: list[str]) -> None:
        """Frame and title block: what is drawn, at which scale, in which units."""
        wide, tall = self._size
        x, y = wide - EDGE - TITLE[0], tall - EDGE - TITLE[1]
        frame = {"fill": "none", "stroke": "#000", "stroke_width": WIDE}
        self._add(
            "rect", x=BINDING, y=EDGE, width=wide - BINDING - EDGE, height=tall - 2 * EDGE, **frame
        )
        self._add("rect", x=x, y=y, width=TITLE[0], height=TITLE[1], **frame)
        words = [
            name or tr("Mechanism"),
            tr("Front view, scale {scale}", scale=scale_words(self._scale)),
            tr("Dimensions in mm, angles in degrees"),
        ]
        for k, line in enumerate(words):
            self._write(line[:44], np.array([x + 3.0, y + 7.0 + 7.5 * k]), 0.0, "start")
        if left_out:
            note = tr("Not seen true in this view: {names}", names=comma().join(left_out))
            self._write(note, np.array([BINDING + 4.0, tall - EDGE - 4.0]), 0.0, "start")
        if hulls:
            note = tr("Meshes drawn by their convex hulls: {names}", names=comma().join(hulls))
            self._write(note, np.array([BINDING + 4.0, tall - EDGE - 10.0]), 0.0, "start")

    def text(self) -> str:
        """The whole sheet as SVG."""
        wide, tall = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{tall:g}mm" '
            f'viewBox="0 0 {wide:g} {tall:g}" font-family="Inter, sans-serif">'
        )
        ground = f'<rect width="{wide:g}" height="{tall:g}" fill="#fff"/>'
        return "\n".join([head, ground, *self._marks, "</svg>"]) + "\n"


def _n(p: np.ndarray) -> tuple[str, str]:
    """Coordinates as text, to a micrometre on the sheet."""
    x, y = (f"{c + 0.0:.3f}".rstrip("0").rstrip(".") for c in p.tolist())
    return x, y
