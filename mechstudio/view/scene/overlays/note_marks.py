"""Places of note on curves, painted over the scene: a diamond is a dead point, with the value of
the input there; a ring a double point, a cross a cusp.
"""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPen, QPolygonF

from mechstudio.application.marks.whole_turns import CUSP, DEAD, Note
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays.canvas import Canvas
from mechstudio.view.scene.overlays.overlay import write_near

HIDDEN = 0.4  # strength of those before which bodies stand
DIAMOND, RING, CROSS = 5.5, 4.0, 4.0  # half sizes [px]


def paint_notes(canvas: Canvas, notes: Iterable[tuple[Note, str]], placer: Placer) -> None:
    """notes: each with its words, "" for none."""
    notes = list(notes)
    if not notes:
        return
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    flat = canvas.project(np.array([note.point for note, _ in notes]))
    ink, ground = QColor(t["text"]), QColor(t["view_top"])
    hidden = canvas.hides(np.array([note.point for note, _ in notes])).tolist()
    for (note, words), (x, y, depth), behind in zip(notes, flat.tolist(), hidden):
        if not np.isfinite((x, y)).all() or depth <= 0 or max(abs(x), abs(y)) > 1e5:
            continue
        half = {DEAD: DIAMOND, CUSP: CROSS}.get(note.kind, RING) * scale
        painter.setOpacity(HIDDEN if behind else 1.0)
        painter.setBrush(ground if note.kind == DEAD else Qt.BrushStyle.NoBrush)
        for tone, wide in ((ground, 4.0), (ink, 1.7)):
            painter.setPen(QPen(tone, wide * scale))
            if note.kind == DEAD:
                corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
                painter.drawPolygon(QPolygonF([QPointF(*c) for c in corners]))
            elif note.kind == CUSP:
                painter.drawLine(QPointF(x - half, y - half), QPointF(x + half, y + half))
                painter.drawLine(QPointF(x - half, y + half), QPointF(x + half, y - half))
            else:
                painter.drawEllipse(QPointF(x, y), half, half)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setOpacity(1.0)
        placer.block(QRectF(x - half, y - half, 2 * half, 2 * half))
        if words:
            write_near(canvas, placer, words, x, y, "text", half + 2 * scale)
