"""Marks over pictures in the scene: the outline of a selected one, and of a missing one with the
reason.
"""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from mechstudio.application.scene.pictures import PicturePlane
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays.overlay import Words
from mechstudio.view.translation import tr


def paint_pictures(
    painter: QPainter,
    words: Words,
    planes: tuple[PicturePlane, ...],
    fault: Callable[[str], str],
    chosen: frozenset[str],
    camera: Camera,
    size: tuple[float, float],
    t: dict[str, Any],
    ratio: float,
    scale: float = 1.0,
) -> None:
    """fault(path): why a file shows nothing, empty if it does."""
    for plane in planes:
        flat = lens.project(camera, size, plane.corners)
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
                min(float(flat[:, 1].max()) + 20 * scale, size[1] - 40 * scale),
            )
            there = os.path.isfile(plane.path)
            lines = (
                reason.rstrip("."),
                tr("choose it anew in the inspector")
                if there
                else tr("put it back there, or choose it anew in the inspector"),
            )
            for k, line in enumerate(lines):
                words.paint(
                    painter,
                    line,
                    x,
                    y + (18 * k - 9) * scale,
                    t["warn" if k == 0 else "text2"],
                    t["view_top"],
                    12 * scale,
                    ratio,
                )
