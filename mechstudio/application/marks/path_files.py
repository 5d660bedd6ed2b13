"""Paths of points as files: a table, a DXF drawing and an SVG drawing.

Drawings are in millimetres.  Paths that lie in planes along the axes of W are drawn in their plane,
as polylines of two coordinates; a DXF of others holds polylines in space, and an SVG leaves out the
coordinate in which they extend least, and says so.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from mechstudio.application.marks.exported_paths import ExportedPath
from mechstudio.curves import tables
from mechstudio.curves.dimensions import unit_of
from mechstudio.curves.picture import colors
from mechstudio.translation import Words, tr

MM = 1e3  # millimetres per metre
FLAT = 1e-6  # of its extent that a path may leave its plane
EDGE = 5.0  # around an SVG drawing [mm]
LINE = 0.35  # of its strokes [mm]
DASHES = "2 1.2"  # of other branches [mm]
GREY = 7  # place of grey among the series' colours
# ACI of layers by a body's colour: blue, red, green, magenta, yellow, cyan, yellow, grey
ACI = (5, 30, 3, 6, 40, 4, 2, 8)


class View(NamedTuple):
    """Plane of a drawing.  right, up: numbers of the axes of W; label: in words."""

    right: int
    up: int
    label: Words

    @property
    def depth(self) -> int:
        """Number of the axis along which it looks."""
        return 3 - self.right - self.up


# the first one serves a point, which has no extent along any axis
VIEWS = (
    View(0, 2, "front, X to the right and Z up"),
    View(0, 1, "top, X to the right and Y up"),
    View(1, 2, "side, Y to the right and Z up"),
)


def view_of(paths: Sequence[ExportedPath]) -> View:
    """The plane along whose normal the paths extend least."""
    extents = np.array([_extent(p.points) for p in paths]).max(axis=0)
    return min(VIEWS, key=lambda v: extents[v.depth])


def is_flat(paths: Sequence[ExportedPath]) -> bool:
    """True if each path lies in a plane parallel to that of `view_of`."""
    view = view_of(paths)
    extents = np.array([_extent(p.points) for p in paths])
    return bool((extents[:, view.depth] <= FLAT * extents.max(axis=1)).all())


def _extent(points: np.ndarray) -> np.ndarray:
    finite = points[np.isfinite(points).all(axis=1)]
    return np.ptp(finite, axis=0) if len(finite) else np.zeros(3)


def pieces(path: ExportedPath) -> list[np.ndarray]:
    """Unbroken parts of a path without points that repeat [mm]; what is not finite parts them."""
    points = MM * path.points
    finite = np.isfinite(points).all(axis=1)
    cuts = np.flatnonzero(~finite)
    out = []
    for part in np.split(points, cuts):
        part = part[np.isfinite(part).all(axis=1)]
        if len(part):
            out.append(part[np.r_[True, (np.diff(part, axis=0) != 0.0).any(axis=1)]])
    return out


def csv(paths: Sequence[ExportedPath], units: str) -> str:
    """A table: of each path its parameter, its coordinates in W and its length so far, one below
    the other as far as it goes.
    """
    out, length = [], unit_of("length", units)
    tall = max(len(p.points) for p in paths)
    for path in paths:
        unit = unit_of(path.dimension, units)
        titled = [(path.parameter_name, unit.symbol, path.parameter / unit.factor)]
        titled += [
            (axis, length.symbol, path.points[:, k] / length.factor) for k, axis in enumerate("xyz")
        ]
        titled.append((tr("arc length"), length.symbol, path.arc / length.factor))
        for name, symbol, values in titled:
            padded = np.full(tall, np.nan)
            padded[: len(values)] = values
            out.append(tables.Column(f"{path.name}, {name}", symbol, padded))
    return tables.text(out)


def dxf(paths: Sequence[ExportedPath], units: str) -> str:
    """A DXF of release 12, which every CAD reads: a polyline for each part of a path, on a layer of
    its own, in millimetres.
    """
    flat, view = is_flat(paths), view_of(paths)
    entities: list[tuple[int, object]] = []
    layers: list[tuple[str, ExportedPath]] = []
    drawn: list[np.ndarray] = []
    for path in paths:
        layer = _layer(path.name, {name for name, _ in layers})
        layers.append((layer, path))
        for part in pieces(path):
            points = part
            if flat:
                points = np.column_stack([part[:, [view.right, view.up]], np.zeros(len(part))])
            closed = path.closed and len(points) > 3 and _meets(points)
            drawn.append(points)
            flags = (1 if closed else 0) + (0 if flat else 8)
            entities += [(0, "POLYLINE"), (8, layer), (66, 1), (70, flags)]
            entities += [(10, 0.0), (20, 0.0), (30, 0.0)]
            for x, y, z in (points[:-1] if closed else points).tolist():
                entities += [(0, "VERTEX"), (8, layer), (10, x), (20, y), (30, z)]
                entities += [] if flat else [(70, 32)]
            entities += [(0, "SEQEND"), (8, layer)]
    every = np.concatenate(drawn) if drawn else np.zeros((1, 3))
    low, high = every.min(axis=0).tolist(), every.max(axis=0).tolist()
    said = tr("Millimetres; {view}", view=tr(view.label) if flat else tr("in space, axes of W"))
    groups: list[tuple[int, object]] = [(999, _ascii(said)), (0, "SECTION"), (2, "HEADER")]
    groups += [(9, "$ACADVER"), (1, "AC1009")]
    for name, corner in (("$EXTMIN", low), ("$EXTMAX", high)):
        groups += [(9, name), *((10 * (k + 1), x) for k, x in enumerate(corner))]
    groups += [(0, "ENDSEC"), (0, "SECTION"), (2, "TABLES")]
    groups += [(0, "TABLE"), (2, "LTYPE"), (70, 2)]
    groups += [(0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid"), (72, 65), (73, 0), (40, 0.0)]
    groups += [(0, "LTYPE"), (2, "DASHED"), (70, 0), (3, "Dashed"), (72, 65), (73, 2), (40, 3.2)]
    groups += [(49, 2.0), (49, -1.2), (0, "ENDTAB"), (0, "TABLE"), (2, "LAYER")]
    groups += [(70, len(layers))]
    for layer, path in layers:
        aci = ACI[path.color % len(ACI)] if path.color >= 0 else ACI[GREY]
        groups += [(0, "LAYER"), (2, layer), (70, 0), (62, aci)]
        groups += [(6, "DASHED" if path.other else "CONTINUOUS")]
    groups += [(0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"), *entities]
    groups += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in groups)


def _meets(points: np.ndarray) -> bool:
    """True if the last point is the first one, and the path was not parted by a gap."""
    return bool((points[-1] == points[0]).all())


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()


def _layer(name: str, taken: set[str]) -> str:
    """Name of a layer as release 12 allows it: at most 31 capitals, digits and $, - or _."""
    kept = re.sub(r"[^A-Z0-9$-]+", "_", _ascii(name).upper()).strip("_")[:27] or "PATH"
    number, found = 2, kept
    while found in taken:
        found, number = f"{kept}_{number}", number + 1
    return found


def svg(paths: Sequence[ExportedPath], units: str) -> str:
    """An SVG whose millimetres are those of the mechanism."""
    view, palette = view_of(paths), colors("paper")
    drawn = [(path, [_flattened(p, view) for p in pieces(path)]) for path in paths]
    every = np.concatenate([p for _, parts in drawn for p in parts] or [np.zeros((1, 2))])
    low, high = every.min(axis=0) - EDGE, every.max(axis=0) + EDGE
    wide, tall = (high - low).tolist()
    words = tr("Millimetres, true to scale. Seen from {view}.", view=tr(view.label))
    if not is_flat(paths):
        words += " " + tr("The paths lie in space: their depth is left out.")
    out = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide!r}mm" height="{tall!r}mm" '
        f'viewBox="{low[0].item()!r} {low[1].item()!r} {wide!r} {tall!r}">',
        f"<desc>{escape(words)}</desc>",
        f'<g fill="none" stroke-width="{LINE}" stroke-linejoin="round" stroke-linecap="round">',
    ]
    for path, parts in drawn:
        series = palette["series"]
        color = palette["cast"] if path.color < 0 else series[path.color % len(series)]
        dash = f' stroke-dasharray="{DASHES}"' if path.other else ""
        out.append(f'<g stroke="{color}"{dash}><title>{escape(path.name)}</title>')
        for part in parts:
            closed = path.closed and len(part) > 3 and _meets(part)
            kept = part[:-1] if closed else part
            tag = "polygon" if closed else "polyline"
            points = " ".join(f"{x!r},{y!r}" for x, y in kept.tolist())
            out.append(f'<{tag} points="{points}"/>')
        out.append("</g>")
    return "\n".join([*out, "</g>", "</svg>", ""])


def _flattened(points: np.ndarray, view: View) -> np.ndarray:
    """Points (n, 2) in a view, down as SVG counts."""
    return points[:, [view.right, view.up]] * (1.0, -1.0)


WRITERS: dict[str, Callable[[Sequence[ExportedPath], str], str]] = {
    "csv": csv,
    "dxf": dxf,
    "svg": svg,
}


def content(paths: Sequence[ExportedPath], format: str, units: str) -> bytes:
    """Paths in a format, a key of WRITERS; units: system of the table's numbers."""
    return WRITERS[format](paths, units).encode()
