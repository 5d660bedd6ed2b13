# pyright: standard
# (the readers of DXF and SVG carry no types)
"""Outlines from drawing programs, DXF and SVG: a profile with holes that becomes a plate.

DXF is read by ezdxf, SVG by svgelements; both are imported when a file is read.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mechstudio.files.meshes import UNITS, MeshFile, MeshFileError, read_bytes, with_axes
from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.translation import tr, trn

SUFFIXES = (".dxf", ".svg")
CHORDS = 128  # of a full turn
SMOOTH = 2e-4  # of the drawing's size: distance of a chord from another curve
JOINED = 1e-5  # of the drawing's size: ends of lines that meet
MOST_POINTS = 20_000
PIXEL = 25.4 / 96  # [mm], of an SVG without a unit
_DXF_UNITS = {1: "in", 4: "mm", 5: "cm", 6: "m"}  # $INSUNITS
_MARGINS = {"TEXT", "MTEXT", "DIMENSION", "LEADER", "MULTILEADER", "POINT", "HATCH", "IMAGE"}

Loop = np.ndarray  # (n, 2), the first point not repeated


class Profile(NamedTuple):
    """Outline of a plate.

    outer: counter-clockwise, holes: clockwise, each (n, 2) in the file's unit.  faces: (t, 3)
    counter-clockwise triangles of their points, one loop after the other.  unit: key of UNITS that
    the file tells, or "mm".  notes: sentences on what was left out.
    """

    name: str
    outer: Loop
    holes: tuple[Loop, ...]
    faces: np.ndarray
    unit: str = "mm"
    notes: tuple[str, ...] = ()

    @property
    def extent(self) -> float:
        """Longest side of the box about it, in the file's unit."""
        return float(np.ptp(self.outer, axis=0).max())


def load_profile(path: str | Path) -> Profile:
    """The largest outline of a DXF or SVG file with the holes in it.

    Raises MeshFileError with the file's name, the reason and what helps.
    """
    path = Path(path)
    data = read_bytes(path)
    try:
        if path.suffix.lower() == ".svg":
            curves, unit, skipped = _svg(path)
        else:
            curves, unit, skipped = _dxf(path)
    except _Unreadable as error:
        raise MeshFileError(
            tr("{name} cannot be read: {error}.", name=path.name, error=error)
        ) from None
    if sum(map(len, curves)) > MOST_POINTS or not data:
        raise MeshFileError(
            tr(
                "{name} has more than {most} points. Save it with fewer or simpler curves.",
                name=path.name,
                most=MOST_POINTS,
            )
        )
    return _profile(path.name, curves, unit, skipped)


def plate(profile: Profile, thickness: float, unit: str) -> MeshFile:
    """A profile as a closed mesh: x to the right, z up, y through its thickness [m] about zero.

    unit: key of UNITS, of the profile's numbers.  Raises MeshFileError where that is impossibly
    small or large, or the outline crosses itself.
    """
    size = UNITS[unit]
    points, triangles = _extruded(profile, thickness / size)
    points = points * size
    reason = meshes.fault(points, triangles)
    if reason:
        raise MeshFileError(
            tr(
                "{name} cannot become a plate: {reason}. Its outline may cross itself, or the unit "
                "may be another.",
                name=profile.name,
                reason=reason,
            )
        )
    mesh = Mesh(*meshes.packed(points, triangles), profile.name[:200])
    return with_axes(MeshFile(mesh, profile.notes))


class _Unreadable(Exception):
    """Half a sentence."""


# DXF


def _dxf(path: Path) -> tuple[list[np.ndarray], str, Counter[str]]:
    """Curves, the unit, and the kinds of entities that are no curves."""
    from ezdxf import recover
    from ezdxf.lldxf.const import DXFError

    try:
        document, _ = recover.readfile(path)
    except (OSError, DXFError) as error:
        raise _Unreadable(str(error).strip().rstrip(".") or tr("it is no DXF file")) from None
    skipped: Counter[str] = Counter()
    space = document.modelspace()
    visible = [e for e in space if not _is_hidden(document, e)]
    size = _dxf_size(visible)
    curves = [c for e in visible for c in _curves(e, size, skipped) if len(c) > 1]
    return curves, _DXF_UNITS.get(document.units, "mm"), skipped


def _is_hidden(document: Any, entity: Any) -> bool:
    name = entity.dxf.layer
    if name not in document.layers:
        return False
    layer = document.layers.get(name)
    return layer.is_off() or layer.is_frozen()


def _dxf_size(entities: Sequence[Any]) -> float:
    from ezdxf import bbox

    box = bbox.extents(entities, fast=True)
    return float(max(box.size.x, box.size.y)) if box.has_data else 1.0


def _curves(entity: Any, size: float, skipped: Counter[str]) -> Iterator[np.ndarray]:
    """The curves of an entity, blocks and polylines taken apart, as points in the xy plane."""
    kind = entity.dxftype()
    if kind == "LINE":
        yield _flat((entity.dxf.start, entity.dxf.end))
    elif kind == "CIRCLE":
        yield _flat(entity.vertices(np.linspace(0.0, 360.0, CHORDS + 1)))
    elif kind == "ARC":
        span = (entity.dxf.end_angle - entity.dxf.start_angle) % 360.0 or 360.0
        count = max(2, math.ceil(span / 360.0 * CHORDS) + 1)
        start = entity.dxf.start_angle
        yield _flat(entity.vertices(np.linspace(start, start + span, count)))
    elif kind in ("ELLIPSE", "SPLINE"):
        yield _flat(entity.flattening(SMOOTH * size))
    elif kind in ("LWPOLYLINE", "POLYLINE", "INSERT"):
        for part in entity.virtual_entities():
            yield from _curves(part, size, skipped)
    else:
        skipped[kind.lower()] += 1


def _flat(points: Iterable[Any]) -> np.ndarray:
    return np.array([(p[0], p[1]) for p in points], float).reshape(-1, 2)


# SVG


def _svgelements() -> Any:
    import svgelements

    return svgelements


def _svg(path: Path) -> tuple[list[np.ndarray], str, Counter[str]]:
    """Curves in millimetres with y upwards, the unit, and what is no curve."""
    from xml.etree import ElementTree

    kit = _svgelements()
    try:
        drawing = kit.SVG.parse(str(path), reify=True, ppi=96)
    except (OSError, ValueError, ElementTree.ParseError) as error:
        raise _Unreadable(str(error).strip().rstrip(".") or tr("it is no SVG file")) from None
    skipped: Counter[str] = Counter()
    curves = []
    shapes = []
    for element in drawing.elements():
        if isinstance(element, kit.Shape):
            if element.values.get("visibility") != "hidden":
                shapes.append(kit.Path(element))
        elif isinstance(element, kit.Text | kit.Image):
            skipped[type(element).__name__.lower()] += 1
    boxes = [box for shape in shapes if (box := shape.bbox()) is not None]
    size = max((max(b[2] - b[0], b[3] - b[1]) for b in boxes), default=1.0)
    for shape in shapes:
        curves += [c for part in shape.as_subpaths() if len(c := _subpath(part, size)) > 1]
    return [c * (PIXEL, -PIXEL) for c in curves], "mm", skipped


def _subpath(segments: Any, size: float) -> np.ndarray:
    kit = _svgelements()
    points: list[tuple[float, float]] = []
    for segment in segments:
        if isinstance(segment, kit.Move):
            continue
        if segment.start is None or segment.end is None:
            continue
        if isinstance(segment, kit.Line | kit.Close):
            part = [segment.start, segment.end]
        else:
            count = _pieces(segment, size)
            part = [segment.point(t) for t in np.linspace(0.0, 1.0, count + 1)]
        new = [(float(p.x), float(p.y)) for p in part]
        points += new if not points else new[1:]
    return np.array(points, float).reshape(-1, 2)


def _pieces(segment: Any, size: float) -> int:
    """Number of chords of a curved segment."""
    kit = _svgelements()
    if isinstance(segment, kit.Arc):
        return max(2, math.ceil(abs(segment.sweep) / math.tau * CHORDS))
    chord, count = SMOOTH * size, 4
    while count < CHORDS:
        middles = [segment.point((k + 0.5) / count) for k in range(count)]
        ends = [segment.point(k / count) for k in range(count + 1)]
        if all(
            math.dist(m, ((a.x + b.x) / 2, (a.y + b.y) / 2)) < chord
            for m, a, b in zip(middles, ends, ends[1:])
        ):
            break
        count *= 2
    return count


# loops


def _profile(name: str, curves: list[np.ndarray], unit: str, skipped: Counter[str]) -> Profile:
    every = np.concatenate(curves) if curves else np.zeros((0, 2))
    if not len(every) or not np.isfinite(every).all():
        raise MeshFileError(tr("{name} holds no lines that could be an outline.", name=name))
    size = float(np.ptp(every, axis=0).max())
    closed, open_ = _chained(curves, JOINED * size)
    closed = [loop for loop in closed if abs(_area(loop)) > (JOINED * size) ** 2]
    if not closed:
        raise MeshFileError(
            tr(
                "{name} holds no closed outline: its lines do not meet at their ends. Close the "
                "outline in the program that made it.",
                name=name,
            )
        )
    closed.sort(key=lambda loop: -abs(_area(loop)))
    outer, rest = closed[0], closed[1:]
    inside = [loop for loop in rest if _is_inside(loop[0], outer)]
    holes = [h for h in inside if not any(_is_inside(h[0], o) for o in inside if o is not h)]
    notes = []
    if beside := len(rest) - len(holes):
        notes.append(
            trn(
                "{count} outline beside the largest one, or in one of its holes, is left out.",
                "{count} outlines beside the largest one, or in one of its holes, are left out.",
                beside,
            )
        )
    if open_:
        notes.append(
            trn(
                "{count} line that closes no outline is left out.",
                "{count} lines that close no outline are left out.",
                open_,
            )
        )
    if skipped:
        notes.append(
            tr(
                "What is no line is left out: {kinds}.",
                kinds=", ".join(f"{kind} ({count})" for kind, count in sorted(skipped.items())),
            )
        )
    outer, holes = _turned(outer, 1.0), [_turned(h, -1.0) for h in holes]
    return Profile(name, outer, tuple(holes), _faces(outer, holes), unit, tuple(notes))


def _chained(curves: list[np.ndarray], near: float) -> tuple[list[Loop], int]:
    """Closed loops of curves that meet at their ends, and the number of curves in none."""
    left = [c for c in curves if np.ptp(c, axis=0).max() > near]
    loops, lost = [], 0
    while left:
        chain = left.pop()
        parts = 1
        while math.dist(chain[0], chain[-1]) > near:
            at, found = chain[-1], None
            for k, other in enumerate(left):
                if math.dist(other[0], at) <= near:
                    found = (k, other)
                elif math.dist(other[-1], at) <= near:
                    found = (k, other[::-1])
                if found is not None:
                    break
            if found is None:
                break
            del left[found[0]]
            chain = np.concatenate([chain, found[1][1:]])
            parts += 1
        if math.dist(chain[0], chain[-1]) <= near and len(chain) > 3:
            loops.append(_without_doubles(chain[:-1], near))
        else:
            lost += parts
    return loops, lost


def _without_doubles(loop: np.ndarray, near: float) -> np.ndarray:
    apart = np.linalg.norm(loop - np.roll(loop, 1, axis=0), axis=1) > 0.1 * near
    return loop[apart]


def _area(loop: Loop) -> float:
    x, y = loop.T
    return 0.5 * float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())


def _turned(loop: Loop, sign: float) -> Loop:
    return loop if _area(loop) * sign > 0 else loop[::-1]


def _is_inside(point: np.ndarray, loop: Loop) -> bool:
    x, y = loop.T
    u, v = np.roll(x, -1), np.roll(y, -1)
    crosses = (y > point[1]) != (v > point[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x + (point[1] - y) / (v - y) * (u - x)
    return bool(np.count_nonzero(crosses & (point[0] < at)) % 2)


def _faces(outer: Loop, holes: Sequence[Loop]) -> np.ndarray:
    """Counter-clockwise triangles (t, 3) between an outline and its holes."""
    from ezdxf.math.triangulation import mapbox_earcut_2d

    flat = np.concatenate([outer, *holes])
    number = {point: k for k, point in enumerate(map(tuple, flat.tolist()))}
    found = mapbox_earcut_2d(outer.tolist(), [h.tolist() for h in holes])
    faces = np.array([[number[p.x, p.y] for p in face] for face in found], int).reshape(-1, 3)
    a, b, c = (flat[faces[:, k]] for k in range(3))
    turned = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0] < 0
    faces[turned] = faces[turned][:, ::-1]
    return faces


def _extruded(profile: Profile, thickness: float) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (v, 3) and triangles (t, 3), the front at y = -thickness / 2."""
    rings = [profile.outer, *profile.holes]
    flat = np.concatenate(rings)
    count, start, half = len(flat), 0, 0.5 * thickness
    walls = []
    for ring in rings:
        here = start + np.arange(len(ring))
        after = np.roll(here, -1)
        walls += [
            np.column_stack([here, here + count, after]),
            np.column_stack([after, here + count, after + count]),
        ]
        start += len(ring)
    points = np.concatenate(
        [np.column_stack([flat[:, 0], np.full(count, y), flat[:, 1]]) for y in (-half, half)]
    )
    return points, np.concatenate([profile.faces, profile.faces[:, ::-1] + count, *walls])
