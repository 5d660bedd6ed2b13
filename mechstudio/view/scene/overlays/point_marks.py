"""Named points of selected bodies, painted over the scene: a ring with the name, and the axes of a
frame.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from mechstudio.application.scene.instances import rotate
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.mechanism import Body
from mechstudio.model.project import Camera
from mechstudio.model.quantity import values
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays.overlay import Words

ARM = 30.0  # pixels of a frame's axes
AWAY = 15.0  # pixels from a point to the middle of its name above or below it


def paint_points(
    painter: QPainter,
    words: Words,
    bodies: Iterable[tuple[Body, np.ndarray]],
    taken: Iterable[QRectF],
    camera: Camera,
    size: tuple[float, float],
    t: dict[str, Any],
    ratio: float,
    scale: float = 1.0,
) -> None:
    """bodies: each with its pose (quaternion w x y z, position [m, W]) as it is shown now.  taken:
    room of other words, which the names keep out of.
    """
    taken = [*taken]
    for body, pose in bodies:
        for point in body.points:
            at = pose[4:7] + rotate(pose[:4][None], np.array([values(point.position)]))[0]
            x, y, depth = (float(c) for c in lens.project(camera, size, at)[0])
            if not np.isfinite(x) or depth <= 0:
                continue
            if point.orientation is not None:
                axes = rotate(
                    np.repeat(pose[:4][None], 3, axis=0),
                    np.array(matrix(from_angles(*values(point.orientation)))).T,
                )
                arm = (
                    ARM
                    * scale
                    * lens.pixel(camera, size)
                    * (depth / camera.distance if camera.perspective else 1.0)
                )
                for tip, role in zip(
                    lens.project(camera, size, at + arm * axes)[:, :2],
                    ("axis_x", "axis_y", "axis_z"),
                ):
                    for color, width in ((t["view_top"], 4.0), (t[role], 1.8)):
                        painter.setPen(QPen(QColor(color), width * scale))
                        painter.drawLine(QPointF(x, y), QPointF(*tip.tolist()))
            for color, width in ((t["view_top"], 4.2), (t["accent"], 1.8)):
                painter.setPen(QPen(QColor(color), width * scale))
                painter.drawEllipse(QPointF(x, y), 3.6 * scale, 3.6 * scale)
            taken.append(_paint_name(painter, words, point.name, x, y, taken, t, ratio, scale))


def _paint_name(
    painter: QPainter,
    words: Words,
    name: str,
    x: float,
    y: float,
    taken: list[QRectF],
    t: dict[str, Any],
    ratio: float,
    scale: float,
) -> QRectF:
    """A name below its point, or above or beside it where another word stands there; returns its
    room.
    """
    look = (t["accent_text"], t["view_top"], 11 * scale, ratio)
    wide = words.room(name, x, y, *look).width() / 2 + 7 * scale
    places = ((x, y + AWAY * scale), (x + wide, y), (x - wide, y), (x, y - AWAY * scale))
    clear = lambda place: (
        not any(
            words.room(name, *place, *look).adjusted(3, 4, -3, -4).intersects(other)
            for other in taken
        )
    )
    at = next(filter(clear, places), places[0])
    return words.paint(painter, name, *at, *look).adjusted(3, 4, -3, -4)
