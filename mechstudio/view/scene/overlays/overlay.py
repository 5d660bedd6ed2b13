"""Overlay of the scene: labels, scale legend, previews of tools.  Text is painted by QPainter, as
crisp as in the panels.
"""

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPen

from mechstudio.application.scene import Scene
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.joints.stops import LimitMark
from mechstudio.application.scene.principal_axes import PrincipalCross
from mechstudio.application.scene.scene import Measure
from mechstudio.model.rounding import step_below
from mechstudio.model.units import format_value
from mechstudio.view.fonts import font
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays.canvas import Canvas

MANY = 60  # above this number only labels of what is selected or hovered are shown


def paint_labels(
    canvas: Canvas, scene: Scene, poses: np.ndarray, chosen: frozenset[str]
) -> list[QRectF]:
    """Names of joints; a word that would cover another is left out, the nearer one stays.  Returns
    the room that they take.
    """
    camera, (width, height) = canvas.camera, canvas.size
    shown = [
        label
        for label in scene.labels
        if scene.rows.visible[label.row] and (len(scene.labels) <= MANY or label.owner in chosen)
    ]
    if not shown:
        return []
    at = poses[[label.row for label in shown]]
    points = np.array([label.point for label in shown])
    places = canvas.project(at[:, 4:7] + rotate(at[:, :4], points))
    taken: list[QRectF] = []
    order = sorted(range(len(shown)), key=lambda k: (shown[k].owner not in chosen, places[k, 2]))
    for k in order:
        x, y, depth = places[k]
        inside = -50 < x < width + 50 and -50 < y < height + 50
        if not np.isfinite(x) or depth <= 0 or not inside:
            continue
        near = camera.distance / depth if camera.perspective else 1.0
        y -= shown[k].above / lens.pixel(camera, canvas.size) * near + 8 * canvas.scale
        bright = shown[k].owner in chosen
        word = (shown[k].text, x, y, "accent_text" if bright else "text", 12.0)
        room = canvas.room(*word).adjusted(3, 4, -3, -4)
        if bright or not any(room.intersects(other) for other in taken):
            canvas.write(*word)
            taken.append(room)
    return taken


def paint_crosses(
    canvas: Canvas, crosses: dict[str, PrincipalCross], scene: Scene, poses: np.ndarray
) -> None:
    """Principal axes of bodies through their centres of mass: thin quiet lines, numbered from the
    smallest moment on; dotted without a number where they could as well lie otherwise.
    """
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    for id, cross in crosses.items():
        if id not in scene.bodies or not scene.rows.visible[(k := scene.bodies.index(id))]:
            continue
        ends = np.concatenate(
            [cross.center[None], cross.center + cross.arms, cross.center - cross.arms]
        )
        flat = canvas.project(poses[k, 4:7] + rotate(poses[k, :4], ends))
        if not np.isfinite(flat).all() or (flat[:, 2] <= 0).any():
            continue
        p = [QPointF(x, y) for x, y, _ in flat.tolist()]
        for halo in (True, False):
            for i, free in enumerate(cross.free):
                color = QColor(t["view_top"] if halo else t["text3"])
                color.setAlphaF(0.75 if halo else 1.0)
                style = Qt.PenStyle.DotLine if free and not halo else Qt.PenStyle.SolidLine
                painter.setPen(
                    QPen(color, (3.2 if halo else 1.1) * scale, style, Qt.PenCapStyle.RoundCap)
                )
                painter.drawLine(p[1 + i], p[4 + i])
        painter.setPen(QPen(QColor(t["text3"]), 1.1 * scale))
        painter.setBrush(QColor(t["view_top"]))
        painter.drawEllipse(p[0], 3.0 * scale, 3.2 * scale)
        for i in range(3):
            along = p[1 + i] - p[0]
            reach = float(np.hypot(along.x(), along.y()))
            if not cross.free[i] and reach > 8 * scale:  # not of an axis that points at the viewer
                at = p[1 + i] + along * (9 * scale / reach)
                canvas.write(str(i + 1), at.x(), at.y(), "text3")


def paint_legend(canvas: Canvas, measures: Iterable[Measure], units: str) -> float:
    """A ruler and an arrow per kind of vector, true to scale in the plane through the camera's
    target.  Returns where it ends [px].
    """
    painter, t, scale, size = canvas.painter, canvas.t, canvas.scale, canvas.size
    pixel = lens.pixel(canvas.camera, size)
    length = step_below(min(150.0 * scale, 0.3 * size[0]) * pixel, units)
    items = [("text2", format_value(length, "length", units, 4), length / pixel, False)]
    for m in measures:
        value = step_below(110.0 * scale * pixel * m.value / m.length, units, m.dimension)
        items.append(
            (
                "vector",
                format_value(value, m.dimension, units, 4),
                value * m.length / m.value / pixel,
                True,
            )
        )
    f = font(11 * scale, QFont.Weight.Medium)
    painter.setFont(f)
    measure = QFontMetricsF(f)
    x, y = 16.0 * scale, size[1] - 20.0 * scale
    for role, text, wide, arrow in items:
        if x + wide + measure.horizontalAdvance(text) > size[0] - 8:
            return x
        painter.setPen(
            QPen(
                QColor(t[role]),
                (2.4 if arrow else 1.5) * scale,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
            )
        )
        painter.drawLine(QPointF(x, y), QPointF(x + wide, y))
        end, s = x + wide, scale
        ticks = [((e, y - 3 * s), (e, y + 3 * s)) for e in (x, end)]
        if arrow:
            ticks = [((end - 5 * s, y - 4 * s), (end, y)), ((end - 5 * s, y + 4 * s), (end, y))]
        for a, b in ticks:
            painter.drawLine(QPointF(*a), QPointF(*b))
        painter.setPen(QColor(t["text2"]))
        painter.drawText(QPointF(end + 7 * s, y + 4 * s), text)
        x = end + 7 * s + measure.horizontalAdvance(text) + 20 * s
    return x


def paint_invitation(canvas: Canvas, text: str) -> None:
    """Paint what to do first over an empty scene."""
    painter, t, scale, size = canvas.painter, canvas.t, canvas.scale, canvas.size
    painter.setFont(font(15 * scale, QFont.Weight.Medium))
    painter.setPen(QColor(t["text2"]))
    wide = min(460 * scale, size[0] - 130 * scale)
    painter.drawText(
        QRectF((size[0] - wide) / 2, 0.30 * size[1], wide, 80 * scale),
        Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap,
        text,
    )


def paint_limits(canvas: Canvas, marks: list[LimitMark], reached: bool) -> None:
    """Stops of joints.  reached: one of them is being struck now."""
    painter, t, scale = canvas.painter, canvas.t, canvas.scale
    flat = lambda points: [
        QPointF(x, y) for x, y in canvas.project(np.asarray(points, float))[:, :2].tolist()
    ]
    tone = QColor(t["warn"] if reached else t["accent"])
    for mark in marks:
        soft = QColor(tone)
        soft.setAlphaF(0.34 if reached else 0.16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        painter.drawPolygon(flat(mark.area))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        style = Qt.PenStyle.DashLine if mark.soft else Qt.PenStyle.SolidLine
        painter.setPen(
            QPen(tone, (4.0 if reached else 2.6) * scale, style, Qt.PenCapStyle.RoundCap)
        )
        for stop in mark.stops:
            painter.drawLine(*flat(stop))
        painter.setPen(QPen(QColor(t["text"]), 1.4 * scale))
        painter.drawLine(*flat(mark.needle))
