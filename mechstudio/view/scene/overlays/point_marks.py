"""Named points of selected bodies, painted over the scene: a ring with the name, and the axes of a
frame.
"""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPen

from mechstudio.application.scene.instances import rotate
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.mechanism import Body
from mechstudio.model.quantity import values
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays.canvas import Canvas
from mechstudio.view.scene.overlays.overlay import write_near

ARM = 30.0  # pixels of a frame's axes


def paint_points(canvas: Canvas, bodies: Iterable[tuple[Body, np.ndarray]], placer: Placer) -> None:
    """bodies: each with its pose (quaternion w x y z, position [m, W]) as it is shown now."""
    painter, t, scale, camera = canvas.painter, canvas.t, canvas.scale, canvas.camera
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
            write_near(
                canvas,
                placer,
                point.name,
                x,
                y,
                "accent_text",
                5 * scale,
                first=180.0,
                key=f"{body.id}.{point.name}",
            )
