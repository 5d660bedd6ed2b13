"""Named points of selected bodies, painted over the scene: a ring with the name, and the axes of a
frame.
"""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPen

from mechstudio.application.scene.instances import rotate
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.mechanism import Body
from mechstudio.model.quantity import values
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays.canvas import Canvas

ARM = 30.0  # pixels of a frame's axes
AWAY = 15.0  # pixels from a point to the middle of its name above or below it


def paint_points(
    canvas: Canvas, bodies: Iterable[tuple[Body, np.ndarray]], taken: Iterable[QRectF]
) -> None:
    """bodies: each with its pose (quaternion w x y z, position [m, W]) as it is shown now.  taken:
    room of other words, which the names keep out of.
    """
    painter, t, scale, camera = canvas.painter, canvas.t, canvas.scale, canvas.camera
    rooms = [*taken]
    for body, pose in bodies:
        for point in body.points:
            at = pose[4:7] + rotate(pose[:4][None], np.array([values(point.position)]))[0]
            x, y, depth = (float(c) for c in canvas.project(at)[0])
            if not np.isfinite(x) or depth <= 0:
                continue
            if point.orientation is not None:
                axes = rotate(
                    np.repeat(pose[:4][None], 3, axis=0),
                    np.array(matrix(from_angles(*values(point.orientation)))).T,
                )
                far = depth / camera.distance if camera.perspective else 1.0
                arm = ARM * scale * lens.pixel(camera, canvas.size) * far
                for tip, role in zip(
                    canvas.project(at + arm * axes)[:, :2],
                    ("axis_x", "axis_y", "axis_z"),
                ):
                    for color, width in ((t["view_top"], 4.0), (t[role], 1.8)):
                        painter.setPen(QPen(QColor(color), width * scale))
                        painter.drawLine(QPointF(x, y), QPointF(*tip.tolist()))
            for color, width in ((t["view_top"], 4.2), (t["accent"], 1.8)):
                painter.setPen(QPen(QColor(color), width * scale))
                painter.drawEllipse(QPointF(x, y), 3.6 * scale, 3.6 * scale)
            rooms.append(_paint_name(canvas, point.name, x, y, rooms))


def _paint_name(canvas: Canvas, name: str, x: float, y: float, taken: list[QRectF]) -> QRectF:
    """A name below its point, or above or beside it where another word stands there; returns its
    room.
    """
    down, right = (
        AWAY * canvas.scale,
        canvas.room(name, x, y, "accent_text").width() / 2 + 7 * canvas.scale,
    )
    places = ((x, y + down), (x + right, y), (x - right, y), (x, y - down))

    def is_clear(place: tuple[float, float]) -> bool:
        room = canvas.room(name, *place, "accent_text").adjusted(3, 4, -3, -4)
        return not any(room.intersects(other) for other in taken)

    at = next(filter(is_clear, places), places[0])
    return canvas.write(name, *at, "accent_text").adjusted(3, 4, -3, -4)
