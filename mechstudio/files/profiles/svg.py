# pyright: standard
# (svgelements carries no types)
"""Curves of SVG files, read by svgelements, which is imported when a file is read."""

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.parsers.expat import ExpatError

import numpy as np

from mechstudio.files.profiles.curves import CHORDS, SMOOTH, Drawing, Unreadable
from mechstudio.files.profiles.nesting import DEEPEST, Group, require_few
from mechstudio.translation import tr

SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use"}
PIXEL = 25.4 / 96  # [mm], of an SVG without a unit


def _svgelements() -> Any:
    import svgelements

    return svgelements


def read_svg(path: Path) -> Drawing:
    """The curves of an SVG file in millimetres, y upwards.  Raises Unreadable."""
    from xml.etree import ElementTree

    kit = _svgelements()
    try:
        _require_few(path.read_bytes())
        drawing = kit.SVG.parse(str(path), reify=False, ppi=96)
    except (OSError, ValueError, ElementTree.ParseError, ExpatError) as error:
        raise Unreadable(str(error).strip().rstrip(".") or tr("it is no SVG file")) from None
    except (LookupError, TypeError, AttributeError, RecursionError, ArithmeticError):
        # which the library does not report itself
        raise Unreadable(tr("a path or a transform of it is damaged")) from None
    if not isinstance(drawing, kit.SVG):
        raise Unreadable(tr("it is no SVG file"))
    skipped: Counter[str] = Counter()
    shapes = []
    for element in drawing.elements():
        if isinstance(element, kit.Shape):
            if element.values.get("visibility") != "hidden":
                shapes.append(kit.Path(element))
        elif isinstance(element, kit.Text | kit.Image):
            skipped[type(element).__name__.lower()] += 1
    boxes = [box for shape in shapes if (box := shape.bbox()) is not None]
    size = max((max(b[2] - b[0], b[3] - b[1]) for b in boxes), default=1.0)
    curves = [c for shape in shapes for c in _curves(shape, size) if len(c) > 1]
    symbols = any(e.values.get("tag") == "symbol" for e in drawing.elements())
    notes = (tr("Symbols count where they are defined, too."),) if symbols else ()
    return Drawing([c * (PIXEL, -PIXEL) for c in curves], "mm", skipped, notes)


def _require_few(data: bytes) -> None:
    """Refuse groups that are nested too deeply or use each other too often.  Raises Unreadable,
    ExpatError.
    """
    groups: dict[str, Group] = {"": (0, [])}
    above = [""]

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if len(above) > DEEPEST:
            raise Unreadable(tr("more than {most} groups lie in each other", most=DEEPEST))
        name = attributes.get("id", "")
        # elements without a name, or with a name in use, get one of their own here
        name = name if name and name not in groups else f"#{len(groups)}"
        others = [(above[-1], name)]
        used = attributes.get("href") or attributes.get("xlink:href") or ""
        kind = tag.rpartition(":")[2]
        groups[name] = (int(kind in SHAPES), [])
        if kind == "use" and used.startswith("#"):
            others.append((name, used[1:]))
        for outer, inner in others:
            groups[outer][1].append((inner, 1))
        above.append(name)

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda tag: above.pop()
    parser.Parse(data, True)
    require_few([("", 1)], groups)


def _curves(shape: Any, size: float) -> Iterator[np.ndarray]:
    """The curves of a shape, moved by its transform.

    Points are moved, not arcs, which a shear would make wrong.
    """
    m = shape.transform
    turn, shift = np.array([[m.a, m.c], [m.b, m.d]]), np.array([m.e, m.f])
    scale = math.sqrt(abs(np.linalg.det(turn))) or 1.0
    for part in shape.as_subpaths():
        yield _subpath(part, size / scale) @ turn.T + shift


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
