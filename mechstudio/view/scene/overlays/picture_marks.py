"""Marks over pictures in the scene: the outline of a selected one, and of a missing one with the
reason.
"""

import os
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen, QPolygonF

from mechstudio.application.scene.pictures import PicturePlane
from mechstudio.translation import tr
from mechstudio.view.scene.overlays.canvas import Canvas


def paint_pictures(
    canvas: Canvas,
    planes: tuple[PicturePlane, ...],
    fault: Callable[[str], str],
    chosen: frozenset[str],
) -> None:
    """fault(path): why a file shows nothing, empty if it does."""
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    for plane in planes:
        flat = canvas.project(plane.corners)
        reason, marked = fault(plane.path), plane.id in chosen
        if not (reason or marked) or not np.isfinite(flat).all() or (flat[:, 2] <= 0).any():
            continue
        corners = [QPointF(x, y) for x, y, _ in flat.tolist()]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        tone = QColor(t["accent"] if marked else t["warn"])
        painter.setPen(
            QPen(
                tone,
                (1.8 if marked else 1.3) * scale,
                Qt.PenStyle.DashLine if reason else Qt.PenStyle.SolidLine,
            )
        )
        painter.drawPolygon(QPolygonF(corners))
        if reason:
            # under the outline, where nothing of the drawing stands in the way
            x, y = (
                float(flat[:, 0].mean()),
                min(float(flat[:, 1].max()) + 20 * scale, canvas.size[1] - 40 * scale),
            )
            there = os.path.isfile(plane.path)
            lines = (
                reason.rstrip("."),
                tr("choose it again in the inspector")
                if there
                else tr("put it back there, or choose it again in the inspector"),
            )
            for k, line in enumerate(lines):
                role = "warn" if k == 0 else "text2"
                canvas.write(line, x, y + (18 * k - 9) * scale, role, 12)
