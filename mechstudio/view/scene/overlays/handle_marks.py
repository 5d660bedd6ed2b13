"""Handles of tools, painted over the scene at the same size on the screen whatever the zoom."""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from mechstudio.application.tools.tool import Handle
from mechstudio.view.scene.overlays.canvas import Canvas

HEAD, HALF_HEAD = 11.0, 5.0  # length and half width of an arrow's head [px]
DOT, SQUARE = 5.0, 4.5  # radius of a dot, half side of a square [px]


def paint_handles(canvas: Canvas, handles: list[Handle]) -> None:
    """Handles with a halo in the colour of the ground, so that they stand out over any body; dots
    and squares over lines, the hot one last and thicker.
    """
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    painter.save()
    # all at once: a hundred links have two hundred
    points = np.array([point for handle in handles for point in handle.points])
    flat, place = canvas.project(points).tolist(), 0
    pixels = {}
    for handle in handles:
        pixels[id(handle)] = [QPointF(x, y) for x, y, _ in flat[place : place + len(handle.points)]]
        place += len(handle.points)
    for handle in sorted(handles, key=lambda h: (h.hot, h.kind in ("dot", "square"))):
        p = pixels[id(handle)]
        if not all(math.isfinite(q.x()) and math.isfinite(q.y()) for q in p):
            continue
        painter.setOpacity(handle.fade)
        color = QColor(t[handle.role])
        if handle.kind in ("dot", "square"):
            _paint_dot(painter, handle, p[0], color, QColor(t["view_top"]), scale)
        elif handle.kind == "area":
            soft = QColor(color)
            soft.setAlphaF(0.6 if handle.hot else 0.3)
            painter.setBrush(soft)
            for tone, width in ((QColor(t["view_top"]), 3.2), (color, 1.4)):
                painter.setPen(
                    QPen(
                        tone,
                        width * scale,
                        Qt.PenStyle.SolidLine,
                        Qt.PenCapStyle.RoundCap,
                        Qt.PenJoinStyle.RoundJoin,
                    )
                )
                painter.drawPolygon(QPolygonF(p))
                painter.setBrush(Qt.BrushStyle.NoBrush)
        else:
            _paint_line(painter, handle, p, color, QColor(t["view_top"]), scale)
        painter.setOpacity(1.0)
        if handle.hot and handle.word:
            canvas.write(handle.word, p[-1].x(), p[-1].y() - 18 * scale, "text")
    painter.restore()


def _paint_dot(
    painter: QPainter, handle: Handle, p: QPointF, color: QColor, halo: QColor, scale: float
) -> None:
    reach = (DOT if handle.kind == "dot" else SQUARE) * scale * (1.3 if handle.hot else 1.0)
    painter.setPen(QPen(halo, 2.0 * scale))
    painter.setBrush(color)
    if handle.kind == "dot":
        painter.drawEllipse(p, reach, reach)
    else:
        painter.drawRect(QRectF(p.x() - reach, p.y() - reach, 2 * reach, 2 * reach))


def _paint_line(
    painter: QPainter, handle: Handle, p: list[QPointF], color: QColor, halo: QColor, scale: float
) -> None:
    line, head = QPolygonF(p), None
    if handle.kind == "arrow":
        a, b = p[-2], p[-1]
        far = math.hypot(b.x() - a.x(), b.y() - a.y())
        if far > 2.0:  # one that points at the viewer has no head to show
            d = (b - a) / far
            n, back = QPointF(-d.y(), d.x()) * HALF_HEAD * scale, b - d * HEAD * scale
            head = QPolygonF([b, back + n, back - n])
            line = QPolygonF([*p[:-1], back])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    wide = (3.4 if handle.hot else 2.2) * scale
    for tone, width in ((halo, wide + 2.6 * scale), (color, wide)):
        painter.setPen(
            QPen(
                tone,
                width,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        painter.drawPolyline(line)
        if head is not None:
            painter.setBrush(tone)
            painter.setPen(
                QPen(
                    tone,
                    width - wide,
                    Qt.PenStyle.SolidLine,
                    Qt.PenCapStyle.RoundCap,
                    Qt.PenJoinStyle.RoundJoin,
                )
                if tone is halo
                else Qt.PenStyle.NoPen
            )
            painter.drawPolygon(head)
            painter.setBrush(Qt.BrushStyle.NoBrush)
