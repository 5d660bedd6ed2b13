# (ezdxf leaves most of what it gives without a type)
"""Curves of DXF files, read by ezdxf, which is imported when a file is read."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mechstudio.files.profiles.curves import CHORDS, FLAT, SMOOTH, Drawing, Unreadable
from mechstudio.files.profiles.nesting import MOST_PARTS, Group, require_few
from mechstudio.translation import tr

UNITS = {1: "in", 4: "mm", 5: "cm", 6: "m"}  # $INSUNITS
NO_UNIT = 0


def read_dxf(path: Path) -> Drawing:
    """The curves of the model space that are shown and plotted, blocks taken apart.

    Raises Unreadable.
    """
    from ezdxf import recover
    from ezdxf.lldxf.const import DXFError

    try:
        document, _ = recover.readfile(path)
    except (OSError, DXFError) as error:
        raise Unreadable(str(error).strip().rstrip(".") or tr("it is no DXF file")) from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        raise Unreadable(tr("it is no DXF file")) from None
    skipped: Counter[str] = Counter()
    try:
        shown = [e for e in document.modelspace() if not _is_hidden(document, e)]
        groups = {block.name.lower(): _group(block) for block in document.blocks}
        require_few([("", 1)], {**groups, "": _group(shown)})
        reader = _Reader(document, _size(shown), skipped)
        curves = [c for e in shown for c in reader.curves(e) if len(c) > 1]
    except (DXFError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise Unreadable(tr("a curve of it is damaged")) from None
    notes = ()
    if document.units not in UNITS and document.units != NO_UNIT:
        notes = (tr("Its unit is none of those below: choose what a length of 1 stands for."),)
    return Drawing(curves, UNITS.get(document.units, "mm"), skipped, notes)


def _group(entities: Iterable[Any]) -> Group:
    """Number of curves of a block, and the blocks that stand in it how many times."""
    own, others = 0, list[tuple[str, int]]()
    for entity in entities:
        if entity.dxftype() == "INSERT":
            others.append((str(entity.dxf.get("name", "")).lower(), max(1, entity.mcount)))
        else:
            own += 1
    return own, others


def _is_hidden(document: Any, entity: Any) -> bool:
    """True for what is invisible, or lies on a layer that is off, frozen or not plotted."""
    if entity.dxf.get("invisible", 0):
        return True
    name = entity.dxf.get("layer", "0")
    if name.lower() == "defpoints":
        return True
    if name not in document.layers:
        return False
    layer = document.layers.get(name)
    return layer.is_off() or layer.is_frozen() or not layer.dxf.get("plot", 1)


def _size(entities: Sequence[Any]) -> float:
    """Extent of the drawing, in the file's unit."""
    from ezdxf import bbox

    box = bbox.extents(entities, fast=True)
    return float(max(box.size.x, box.size.y)) if box.has_data else 1.0


class _Reader:
    """Reader of entities.  skipped: kinds that are no curves are counted here."""

    def __init__(self, document: Any, size: float, skipped: Counter[str]) -> None:
        self._document, self._size, self._skipped = document, size, skipped
        self._parts = 0

    def curves(self, entity: Any) -> Iterator[np.ndarray]:
        """The curves of an entity (n, 2), polylines and blocks taken apart."""
        kind = entity.dxftype()
        if kind == "LINE":
            yield from self._flat((entity.dxf.start, entity.dxf.end))
        elif kind == "CIRCLE":
            yield from self._flat(entity.vertices(np.linspace(0.0, 360.0, CHORDS + 1)))
        elif kind == "ARC":
            span = (entity.dxf.end_angle - entity.dxf.start_angle) % 360.0 or 360.0
            count = max(2, math.ceil(span / 360.0 * CHORDS) + 1)
            start = entity.dxf.start_angle
            yield from self._flat(entity.vertices(np.linspace(start, start + span, count)))
        elif kind in ("ELLIPSE", "SPLINE"):
            yield from self._flat(entity.flattening(SMOOTH * self._size))
        elif kind == "INSERT":
            copies = entity.multi_insert() if entity.mcount > 1 else (entity,)
            for copy in copies:
                yield from self._of_parts(copy)
        elif kind in ("LWPOLYLINE", "POLYLINE"):
            yield from _joined([c for c in self._of_parts(entity) if len(c) > 1])
        else:
            self._skipped[kind.lower()] += 1

    def _of_parts(self, entity: Any) -> Iterator[np.ndarray]:
        for part in entity.virtual_entities():
            self._parts += 1
            if self._parts > MOST_PARTS:
                raise Unreadable(tr("it has more than {most} parts", most=MOST_PARTS))
            if not _is_hidden(self._document, part):
                yield from self.curves(part)

    def _flat(self, points: Iterable[Any]) -> Iterator[np.ndarray]:
        """Points in the xy plane; nothing of a curve that lies askew to it."""
        rows = np.array([(p[0], p[1], p[2]) for p in points], float).reshape(-1, 3)
        if len(rows) and np.ptp(rows[:, 2]) > FLAT * np.ptp(rows, axis=0).max():
            self._skipped[tr("curve askew to the plane")] += 1
        else:
            yield rows[:, :2]


def _joined(pieces: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
    """The pieces of a polyline as one curve, as far as each begins where the one before ends."""
    while pieces:
        count = 1
        while count < len(pieces) and np.allclose(pieces[count - 1][-1], pieces[count][0]):
            count += 1
        yield np.concatenate([pieces[0], *(p[1:] for p in pieces[1:count])])
        pieces = pieces[count:]
