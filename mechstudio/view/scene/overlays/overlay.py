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
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.marks.arrows import FULL, HEADS, draw_arrow, role_of
from mechstudio.view.scene.marks.placer import Placer
from mechstudio.view.scene.overlays.canvas import Canvas

LEGEND = 110.0  # px that an arrow of the legend is long at most
MANY = 60  # above this number only labels of selected or hovered elements are shown


def paint_labels(
    canvas: Canvas, scene: Scene, poses: np.ndarray, chosen: frozenset[str], placer: Placer
) -> None:
    """Names of joints, each above its joint or beside it where something stands there; one that has
    no room is left out, the chosen and then the nearer ones first.
    """
    camera, (width, height) = canvas.camera, canvas.size
    shown = [
        label
        for label in scene.labels
        if scene.rows.visible[label.row] and (len(scene.labels) <= MANY or label.owner in chosen)
    ]
    if not shown:
        return
    at = poses[[label.row for label in shown]]
    points = np.array([label.point for label in shown])
    places = canvas.project(at[:, 4:7] + rotate(at[:, :4], points))
    order = sorted(range(len(shown)), key=lambda k: (shown[k].owner not in chosen, places[k, 2]))
    for k in order:
        x, y, depth = places[k]
        inside = -50 < x < width + 50 and -50 < y < height + 50
        if not np.isfinite(x) or depth <= 0 or not inside:
            continue
        near = camera.distance / depth if camera.perspective else 1.0
        away = shown[k].above / lens.pixel(camera, canvas.size) * near
        color = "accent_text" if shown[k].owner in chosen else "text"
        owner = shown[k].owner
        write_near(canvas, placer, shown[k].text, x, y, color, away, 12.0, key=owner)


def write_near(
    canvas: Canvas,
    placer: Placer,
    text: str,
    x: float,
    y: float,
    role: str,
    away: float,
    tall: float = 11.0,
    first: float = 0.0,
    key: str = "",
) -> bool:
    """Write a word near a point, so far `away` [px], where there is room; False where is none.
    first, key: as of Placer.place.
    """
    room = canvas.room(text, x, y, role, tall).adjusted(3, 4, -3, -4)
    place = placer.place(room.width(), room.height(), x, y, away, first, key)
    if place is not None:
        canvas.write(text, *place, role, tall)
    return place is not None


def paint_crosses(
    canvas: Canvas,
    crosses: dict[str, PrincipalCross],
    scene: Scene,
    poses: np.ndarray,
    placer: Placer,
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
                placer.block(canvas.write(str(i + 1), at.x(), at.y(), "text3"))


def paint_legend(canvas: Canvas, measures: Iterable[Measure], units: str) -> float:
    """A ruler and an arrow per kind of vector, true to scale in the plane through the camera's
    target.  Returns where it ends [px].
    """
    painter, t, scale, size = canvas.painter, canvas.t, canvas.scale, canvas.size
    pixel = lens.pixel(canvas.camera, size)
    length = step_below(min(150.0 * scale, 0.3 * size[0]) * pixel, units)
    items = [("text2", format_value(length, "length", units, 4), length / pixel, "")]
    for m in measures:
        value = _legend_step(m, pixel, scale, units)
        words, wide = format_value(value, m.dimension, units, 4), value * m.length / m.value / pixel
        items.append((role_of(m.dimension), words, wide, m.dimension))
    f = font(11 * scale, QFont.Weight.Medium)
    painter.setFont(f)
    measure, halo = QFontMetricsF(f), QColor(t["view_top"])
    x, y = 16.0 * scale, size[1] - 20.0 * scale
    for role, text, wide, dimension in items:
        if x + wide + measure.horizontalAdvance(text) > size[0] - 8:
            return x
        end, s = x + wide, scale
        if dimension:
            head = HEADS.get(dimension, FULL)
            a, b = np.array([x, y]), np.array([end, y])
            draw_arrow(painter, a, b, head, QColor(t[role]), halo, s, dimension == "torque")
        else:
            pen = QPen(QColor(t[role]), 1.5 * s, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLine(QPointF(x, y), QPointF(end, y))
            for e in (x, end):
                painter.drawLine(QPointF(e, y - 3 * s), QPointF(e, y + 3 * s))
        painter.setPen(QColor(t["text2"]))
        painter.drawText(QPointF(end + 7 * s, y + 4 * s), text)
        x = end + 7 * s + measure.horizontalAdvance(text) + 20 * s
    return x


def legend_value(measure: Measure | None, pixel: float, look: Look) -> str:
    """The legend's number for a scale, at a size of a pixel [m]; "" for none."""
    if measure is None:
        return ""
    value = _legend_step(measure, pixel, look.text_scale, look.units)
    return format_value(value, measure.dimension, look.units, 4)


def _legend_step(measure: Measure, pixel: float, scale: float, units: str) -> float:
    """A round number [SI] whose arrow is not longer than LEGEND."""
    longest = LEGEND * scale * pixel * measure.value / measure.length
    return step_below(longest, units, measure.dimension)


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
