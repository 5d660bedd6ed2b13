"""Preview of a tool, painted over the scene before the click."""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from mechstudio.application.tools.tool import Preview
from mechstudio.view.scene.overlays.canvas import Canvas
from mechstudio.view.scene.overlays.choice_card import card_room, paint_choices

MARKERS = {
    "square": ((-5, -5), (5, -5), (5, 5), (-5, 5), (-5, -5)),
    "diamond": ((0, -7), (7, 0), (0, 7), (-7, 0), (0, -7)),
    "triangle": ((0, -7), (6.5, 5), (-6.5, 5), (0, -7)),
    "angle": ((-5, -7), (-5, 5), (7, 5)),
}


def _paint_marker(painter: QPainter, shape: str, p: QPointF) -> None:
    """Paint the target of a click in a shape that shows its kind: rings are ends and joints,
    squares corners, triangles middles.
    """
    if shape in MARKERS:
        painter.drawPolyline([p + QPointF(x, y) for x, y in MARKERS[shape]])
    elif shape == "cross":
        painter.drawLine(p - QPointF(6, 0), p + QPointF(6, 0))
        painter.drawLine(p - QPointF(0, 6), p + QPointF(0, 6))
    else:
        painter.drawEllipse(p, 6.0, 6.0)
        if shape == "axis":
            painter.drawLine(p - QPointF(0, 10), p + QPointF(0, 10))
            painter.drawLine(p - QPointF(10, 0), p + QPointF(10, 0))


# pixels about the pointer within which words make way for the glyph of a joint to come
REACH_OF_GLYPH = 110.0


def _glyph_room(
    preview: Preview, flat: Callable[[Any], QPointF], cursor: QPointF, scale: float
) -> tuple[float, float]:
    """(y above which, y below which) words stand free of the glyph that is previewed at the
    marker.
    """
    if (
        preview.marker is None
        or not preview.lines
        or not np.isfinite(at := flat(preview.marker).y())
    ):
        return np.inf, -np.inf
    ys = [
        p.y()
        for p in (flat(q) for line in (*preview.lines, *preview.rubber) for q in line)
        if abs(p.y() - at) < REACH_OF_GLYPH * scale
    ]
    return min(ys, default=at) - 12 * scale, max(ys, default=at) + 14 * scale


def choices_room(
    preview: Preview,
    flat: Callable[[Any], QPointF],
    cursor: QPointF,
    size: tuple[float, float],
    scale: float,
) -> QRectF | None:
    """Room of the card of choices in the picture [px]; None where there is nothing to choose.
    flat(point): place of a point of W in the picture.
    """
    if not preview.choices:
        return None
    _, free = _glyph_room(preview, flat, cursor, scale)
    below = max(cursor.y() + (24 + 32 * bool(preview.label)) * scale, free)
    return card_room(preview.choices, cursor, below, size, scale)


def paint_preview(canvas: Canvas, preview: Preview, cursor: QPointF) -> None:
    """Paint the preview of a tool before the click: links to come, helper lines, the place of the
    click with its word.
    """
    painter, t, scale, size = canvas.painter, canvas.t, canvas.scale, canvas.size
    flat = lambda p: QPointF(*canvas.project(np.array(p))[0, :2].tolist())
    seen = lambda *points: all(np.isfinite((p.x(), p.y())).all() for p in points)
    soft, accent = QColor(t["accent"]), QColor(t["accent"])
    soft.setAlphaF(0.28)
    ground = QColor(t["view_top"])
    ground.setAlphaF(0.82)
    round_pen = lambda color, width, style=Qt.PenStyle.SolidLine: QPen(
        color, width, style, Qt.PenCapStyle.RoundCap
    )

    def write(text: str, x: float, y: float, role: str, tall: float = 11) -> None:
        """A word centred on a point, moved into the picture where it would be cut."""
        if not np.isfinite((x, y)).all():
            return
        half = canvas.room(text, 0, 0, role, tall).width() / 2
        x = max(half + 2, min(x, size[0] - half - 2))
        # letters of joints beneath would run into it
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(canvas.room(text, x, y, role, tall).adjusted(0, 3, 0, -3), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        canvas.write(text, x, y, role, tall)

    for corners in preview.areas:
        painter.setPen(round_pen(accent, 1.2))
        painter.setBrush(soft)
        if seen(*(area := [flat(p) for p in corners])):
            painter.drawPolygon(area)
    for a, b in preview.segments:
        if not seen(flat(a), flat(b)):
            continue
        painter.setPen(round_pen(soft, 13.0))
        painter.drawLine(flat(a), flat(b))
        painter.setPen(round_pen(accent, 1.6))
        painter.drawLine(flat(a), flat(b))
    halo = QColor(t["view_top"])
    halo.setAlphaF(0.6)
    for a, b in preview.rubber:
        if not seen(flat(a), flat(b)):
            continue
        for pen in (round_pen(halo, 3.6), QPen(accent, 1.4, Qt.PenStyle.DashLine)):
            painter.setPen(pen)
            painter.drawLine(flat(a), flat(b))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (round_pen(QColor(t["view_top"]), 4.2 * scale), round_pen(accent, 1.9 * scale)):
        painter.setPen(pen)
        for line in preview.lines:
            pixels = canvas.project(np.array(line))[:, :2].tolist()
            if seen(*(drawn := [QPointF(x, y) for x, y in pixels])):
                painter.drawPolyline(drawn)
    for point, text in preview.marks:
        if not seen(p := flat(point)):
            continue
        for pen in (round_pen(halo, 4.0), round_pen(accent, 1.8)):
            painter.setPen(pen)
            painter.drawEllipse(p, 5.0, 5.0)
        if text:
            write(text, p.x(), p.y() + 6 + 14 * scale, "accent_text")
    above, _ = _glyph_room(preview, flat, cursor, scale)
    if preview.marker is not None and seen(p := flat(preview.marker)):
        for pen in (round_pen(QColor(t["view_top"]), 4.5), round_pen(accent, 2.0)):
            painter.setPen(pen)
            _paint_marker(painter, preview.shape, p)
        # the list beside the cursor says it too
        if preview.word and preview.word not in preview.choices:
            write(preview.word, p.x(), min(p.y() - 6 - 14 * scale, above), "accent_text")
    if preview.label:
        write(preview.label, cursor.x() + 12, cursor.y() + 24 + 18 * scale, "text", 12)
    room = choices_room(preview, flat, cursor, size, scale)
    if room is not None:
        paint_choices(painter, preview.choices, preview.chosen, room, t, scale)
    if preview.box is not None:
        soft.setAlphaF(0.12)
        painter.setPen(QPen(accent, 1.2))
        painter.setBrush(soft)
        painter.drawRect(QRectF(*(QPointF(*corner) for corner in preview.box)))
