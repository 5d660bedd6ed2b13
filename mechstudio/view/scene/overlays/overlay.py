"""Overlay of the scene: labels, scale legend, previews of tools.  Text is painted by QPainter, as
crisp as in the panels.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from mechstudio.application.scene import Scene
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.principal_axes import PrincipalCross
from mechstudio.application.scene.scene import Measure
from mechstudio.application.scene.stops import LimitMark
from mechstudio.application.tools.tool import Preview
from mechstudio.model.project import Camera
from mechstudio.model.rounding import step_below
from mechstudio.model.units import format_value
from mechstudio.view.fonts import font
from mechstudio.view.scene import camera as lens
from mechstudio.view.tokens import theme

OUT_OF_SIGHT = -1e5  # pixels; what lies behind the eye has no place in the picture
MANY = 60  # above this number only labels of what is selected or hovered are shown


class Words:
    """Words with a halo, kept as pictures, since stroking them anew in every frame would cost more
    than the scene.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple, tuple[QPixmap, float, float]] = {}

    def paint(
        self,
        painter: QPainter,
        text: str,
        x: float,
        y: float,
        color: str,
        halo: str,
        size: float,
        ratio: float,
    ) -> QRectF:
        """Draw a word centred on a point; returns the room that it takes."""
        room = self.room(text, x, y, color, halo, size, ratio)
        painter.drawPixmap(room.topLeft(), self._kept[text, color, halo, size, ratio][0])
        return room

    def room(
        self, text: str, x: float, y: float, color: str, halo: str, size: float, ratio: float
    ) -> QRectF:
        """The room that a word takes when it is centred on a point."""
        if not np.isfinite((x, y)).all():
            x = y = OUT_OF_SIGHT
        key = (text, color, halo, size, ratio)
        if key not in self._kept:
            if len(self._kept) > 400:
                self._kept.clear()
            self._kept[key] = self._made(text, color, halo, size, ratio)
        _, wide, tall = self._kept[key]
        return QRectF(
            round((x - wide / 2) * ratio) / ratio, round((y - tall / 2) * ratio) / ratio, wide, tall
        )

    def _made(
        self, text: str, color: str, halo: str, size: float, ratio: float
    ) -> tuple[QPixmap, float, float]:
        f = font(size, QFont.Weight.DemiBold)
        measure, edge = QFontMetricsF(f), 3.0
        wide, tall = measure.horizontalAdvance(text) + 2 * edge, measure.height() + 2 * edge
        picture = QPixmap(int(np.ceil(wide * ratio)), int(np.ceil(tall * ratio)))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        p = QPainter(picture)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        path = QPainterPath()
        path.addText(QPointF(edge, edge + measure.ascent()), f, text)
        p.strokePath(
            path,
            QPen(
                QColor(halo),
                4,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            ),
        )
        p.fillPath(path, QColor(color))
        p.end()
        return picture, picture.width() / ratio, picture.height() / ratio


def paint_labels(
    painter: QPainter,
    words: Words,
    scene: Scene,
    poses: np.ndarray,
    camera: Camera,
    size: tuple[float, float],
    theme_name: str,
    chosen: frozenset[str],
    ratio: float,
    scale: float = 1.0,
) -> list[QRectF]:
    """Names of joints; a word that would cover another is left out, the nearer one stays.  Returns
    the room that they take.
    """
    t = theme(theme_name)
    shown = [
        label
        for label in scene.labels
        if scene.rows.visible[label.row] and (len(scene.labels) <= MANY or label.owner in chosen)
    ]
    if not shown:
        return []
    at = poses[[label.row for label in shown]]
    places = lens.project(
        camera, size, at[:, 4:7] + rotate(at[:, :4], np.array([label.point for label in shown]))
    )
    taken: list[QRectF] = []
    order = sorted(range(len(shown)), key=lambda k: (shown[k].owner not in chosen, places[k, 2]))
    for k in order:
        x, y, depth = places[k]
        if (
            not np.isfinite(x)
            or depth <= 0
            or not (-50 < x < size[0] + 50 and -50 < y < size[1] + 50)
        ):
            continue
        away = (
            shown[k].above
            / lens.pixel(camera, size)
            * (camera.distance / depth if camera.perspective else 1.0)
        )
        color = t["accent_text"] if shown[k].owner in chosen else t["text"]
        word = (shown[k].text, x, y - away - 8 * scale, color, t["view_top"], 12 * scale, ratio)
        room = words.room(*word).adjusted(3, 4, -3, -4)
        if any(room.intersects(other) for other in taken) and shown[k].owner not in chosen:
            continue
        words.paint(painter, *word)
        taken.append(room)
    return taken


def paint_crosses(
    painter: QPainter,
    words: Words,
    crosses: dict[str, PrincipalCross],
    scene: Scene,
    poses: np.ndarray,
    camera: Camera,
    size: tuple[float, float],
    t: dict[str, Any],
    ratio: float,
    scale: float = 1.0,
) -> None:
    """Principal axes of bodies through their centres of mass: thin quiet lines, numbered from the
    smallest moment on; dotted without a number where they could as well lie otherwise.
    """
    for id, cross in crosses.items():
        if id not in scene.bodies or not scene.rows.visible[(k := scene.bodies.index(id))]:
            continue
        ends = np.concatenate(
            [cross.center[None], cross.center + cross.arms, cross.center - cross.arms]
        )
        flat = lens.project(camera, size, poses[k, 4:7] + rotate(poses[k, :4], ends))
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
                words.paint(
                    painter,
                    str(i + 1),
                    at.x(),
                    at.y(),
                    t["text3"],
                    t["view_top"],
                    11 * scale,
                    ratio,
                )


def paint_legend(
    painter: QPainter,
    measures: Iterable[Measure],
    camera: Camera,
    size: tuple[float, float],
    t: dict[str, Any],
    units: str,
    scale: float = 1.0,
) -> float:
    """A ruler and an arrow per kind of vector, true to scale in the plane through the camera's
    target.  Returns where it ends [px].
    """
    pixel = lens.pixel(camera, size)
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


def paint_invitation(
    painter: QPainter, text: str, size: tuple[float, float], t: dict[str, Any], scale: float = 1.0
) -> None:
    """Paint what to do first over an empty scene."""
    painter.setFont(font(15 * scale, QFont.Weight.Medium))
    painter.setPen(QColor(t["text2"]))
    wide = min(460 * scale, size[0] - 130 * scale)
    painter.drawText(
        QRectF((size[0] - wide) / 2, 0.30 * size[1], wide, 80 * scale),
        Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap,
        text,
    )


def paint_limits(
    painter: QPainter,
    marks: list[LimitMark],
    camera: Camera,
    size: tuple[float, float],
    t: dict[str, Any],
    reached: bool,
    scale: float = 1.0,
) -> None:
    """Stops of joints.  reached: one of them is being struck now."""
    flat = lambda points: [
        QPointF(x, y)
        for x, y in lens.project(camera, size, np.asarray(points, float))[:, :2].tolist()
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


MARKERS = {
    "square": ((-5, -5), (5, -5), (5, 5), (-5, 5), (-5, -5)),
    "diamond": ((0, -7), (7, 0), (0, 7), (-7, 0), (0, -7)),
    "triangle": ((0, -7), (6.5, 5), (-6.5, 5), (0, -7)),
    "angle": ((-5, -7), (-5, 5), (7, 5)),
}


def _paint_marker(painter: QPainter, shape: str, p: QPointF) -> None:
    """Paint the target of a click in a shape that tells what it is: rings are ends and joints,
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


REACH_OF_GLYPH = (
    110.0  # pixels about the pointer within which words make way for the glyph of a joint to come
)


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


def paint_preview(
    painter: QPainter,
    words: Words,
    preview: Preview,
    camera: Camera,
    size: tuple[float, float],
    t: dict[str, Any],
    cursor: QPointF,
    ratio: float,
    scale: float = 1.0,
) -> None:
    """Paint the preview of a tool before the click: links to come, helper lines, the place of the
    click with its word.
    """
    flat = lambda p: QPointF(*lens.project(camera, size, np.array(p))[0, :2].tolist())
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
        look = (t[role], t["view_top"], tall * scale, ratio)
        half = words.room(text, 0, 0, *look).width() / 2
        x = max(half + 2, min(x, size[0] - half - 2))
        # letters of joints beneath would run into it
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(words.room(text, x, y, *look).adjusted(0, 3, 0, -3), 4, 4)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        words.paint(painter, text, x, y, *look)

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
            if seen(
                *(
                    drawn := [
                        QPointF(x, y)
                        for x, y in lens.project(camera, size, np.array(line))[:, :2].tolist()
                    ]
                )
            ):
                painter.drawPolyline(drawn)
    for point, text in preview.marks:
        if not seen(p := flat(point)):
            continue
        for pen in (round_pen(halo, 4.0), round_pen(accent, 1.8)):
            painter.setPen(pen)
            painter.drawEllipse(p, 5.0, 5.0)
        if text:
            write(text, p.x(), p.y() + 6 + 14 * scale, "accent_text")
    above, below = _glyph_room(preview, flat, cursor, scale)
    if preview.marker is not None and seen(p := flat(preview.marker)):
        for pen in (round_pen(QColor(t["view_top"]), 4.5), round_pen(accent, 2.0)):
            painter.setPen(pen)
            _paint_marker(painter, preview.shape, p)
        # the list beside the cursor says it too
        if preview.word and preview.word not in preview.choices:
            write(preview.word, p.x(), min(p.y() - 6 - 14 * scale, above), "accent_text")
    if preview.label:
        write(preview.label, cursor.x() + 12, cursor.y() + 24 + 18 * scale, "text", 12)
    if preview.choices:
        from mechstudio.view.scene.overlays.choice_card import card_room, paint_choices

        under = max(cursor.y() + (24 + 32 * bool(preview.label)) * scale, below)
        paint_choices(
            painter,
            preview.choices,
            preview.chosen,
            card_room(preview.choices, cursor, under, size, scale),
            t,
            scale,
        )
    if preview.box is not None:
        soft.setAlphaF(0.12)
        painter.setPen(QPen(accent, 1.2))
        painter.setBrush(soft)
        painter.drawRect(QRectF(*(QPointF(*corner) for corner in preview.box)))
