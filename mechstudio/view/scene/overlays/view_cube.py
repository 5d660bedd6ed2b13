"""The cube at the top right: it shows how the camera stands in the frame that it is turned in, and
each face, edge and corner takes a view.
"""

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap, QPolygonF, QTransform

from mechstudio.model.project import Camera
from mechstudio.translation import Words, tr
from mechstudio.view.scene import camera as lens

HALF, MARGIN = 20.0, (54.0, 62.0)  # half side; of the centre from the right and top edges [px]
_BREAKS = (-1.0, -0.56, 0.56, 1.0)
Direction = tuple[int, int, int]
_NAMES: dict[Direction, Words] = {
    (1, 0, 0): "RIGHT",
    (-1, 0, 0): "LEFT",
    (0, 1, 0): "BACK",
    (0, -1, 0): "FRONT",
    (0, 0, 1): "TOP",
    (0, 0, -1): "BELOW",
}


def center(size: tuple[float, float], scale: float = 1.0) -> np.ndarray:
    """The middle of the cube in a picture [px]."""
    return np.array([size[0] - MARGIN[0] * scale, MARGIN[1] * scale])


def view_of(direction: Direction, camera: Camera) -> Camera:
    """The camera that looks from a direction at the same target."""
    x, y, z = direction
    level = math.hypot(x, y)
    azimuth = (
        math.degrees(math.atan2(y, x))
        if level
        else (camera.azimuth if abs(camera.elevation) > 89.0 else -90.0)
    )
    return lens.replaced(camera, azimuth=azimuth, elevation=math.degrees(math.atan2(z, level)))


def _face(n: Direction) -> tuple[Direction, np.ndarray, np.ndarray]:
    across = np.cross((0, 0, 1), n) if n[2] == 0 else np.array([1, 0, 0])
    return n, across.astype(float), np.cross(n, across).astype(float)


_FACES = [_face(n) for n in _NAMES]  # (normal, across, up)


def _faces(R: np.ndarray):
    """Visible faces, farthest first: (normal, across, up)."""
    return sorted((f for f in _FACES if R[2] @ f[0] > 0.02), key=lambda f: float(R[2] @ f[0]))


def _cells(R: np.ndarray, middle: np.ndarray, scale: float):
    """(direction, polygon) of all zones on visible faces."""
    flat = lambda p: middle + (R @ p)[:2] * (1, -1) * HALF * scale
    for n, across, up in _faces(R):
        for i in range(3):
            for j in range(3):
                direction = tuple(round(c) for c in np.array(n) + (i - 1) * across + (j - 1) * up)
                corners = [
                    (_BREAKS[i + a], _BREAKS[j + b]) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))
                ]
                yield (
                    direction,
                    QPolygonF(
                        [QPointF(*flat(np.array(n) + u * across + v * up)) for u, v in corners]
                    ),
                )


def zone_at(
    camera: Camera, size: tuple[float, float], x: float, y: float, scale: float = 1.0
) -> Direction | None:
    """The face, edge or corner under a pixel, as the direction from which it looks."""
    middle = center(size, scale)
    if max(abs(x - middle[0]), abs(y - middle[1])) > 2 * HALF * scale:
        return None
    R = lens.own_axes(camera)
    p = np.array([x - middle[0], middle[1] - y]) / (HALF * scale)
    for n, across, up in _faces(R):  # p = n + u across + v up, as seen
        u, v = np.linalg.solve(np.column_stack([(R @ across)[:2], (R @ up)[:2]]), p - (R @ n)[:2])
        if max(abs(u), abs(v)) <= 1.0:
            i, j = (int(np.searchsorted(_BREAKS[1:3], c)) - 1 for c in (u, v))
            a, b, c = (round(float(c)) for c in np.array(n) + i * across + j * up)
            return a, b, c
    return None


class Cube:
    """Paints the cube and keeps its picture while the camera stands."""

    def __init__(self) -> None:
        self._key: tuple = ()
        self._picture = QPixmap()

    def paint(
        self,
        painter: QPainter,
        camera: Camera,
        size: tuple[float, float],
        t: dict,
        hovered: Direction | None,
        scale: float,
        ratio: float,
    ) -> None:
        """As the function paint."""
        side, middle = 2 * MARGIN[0] * scale, center(size, scale)
        key = (camera.azimuth, camera.elevation, t["raised"], hovered, scale, ratio)
        if key != self._key:
            self._key, self._picture = key, QPixmap(round(side * ratio), round(1.2 * side * ratio))
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            inner = QPainter(self._picture)
            inner.setFont(painter.font())
            inner.setRenderHints(
                QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
            )
            inner.translate(side / 2 - middle[0], 0.0)
            paint(inner, camera, size, t, hovered, scale)
            inner.end()
        painter.drawPixmap(QPointF(middle[0] - side / 2, 0.0), self._picture)


def paint(
    painter: QPainter,
    camera: Camera,
    size: tuple[float, float],
    t: dict,
    hovered: Direction | None,
    scale: float = 1.0,
) -> None:
    """Draw the cube with its axes."""
    R, middle, half = lens.own_axes(camera), center(size, scale), HALF * scale
    flat = lambda p: middle + (R @ np.asarray(p, float))[:2] * (1, -1) * half
    font = QFont(painter.font())
    font.setPixelSize(round(10.5 * scale))
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    order = sorted(range(3), key=lambda k: R[2, k])
    for k in [k for k in order if R[2, k] <= 0.3]:
        _axis(painter, flat, k, t, scale)
    for n, across, up in _faces(R):
        polygon = QPolygonF(
            [
                QPointF(*flat(np.array(n) + a * across + b * up))
                for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ]
        )
        tone = 0.35 + 0.65 * float(R[2] @ n)
        painter.setBrush(QColor(t["raised"]).darker(100 + int(16 * (1 - tone))))
        painter.setPen(
            QPen(
                QColor(t["line_strong"]),
                1.2 * scale,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
                Qt.PenJoinStyle.RoundJoin,
            )
        )
        painter.drawPolygon(polygon)
    if hovered is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        color = QColor(t["accent"])
        color.setAlphaF(0.30)
        painter.setBrush(color)
        for direction, polygon in _cells(R, middle, scale):
            if direction == hovered:
                painter.drawPolygon(polygon)
    font.setPixelSize(40)  # set large and shrunk by the warp, so that it is smooth at any angle
    for n, across, up in _faces(R):
        polygon = QPolygonF(
            [
                QPointF(*flat(np.array(n) + a * across + b * up))
                for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ]
        )
        warp = QTransform()
        if not QTransform.quadToQuad(
            QPolygonF([QPointF(*c) for c in ((0, 0), (200, 0), (200, 200), (0, 200))]),
            polygon,
            warp,
        ):
            continue
        painter.save()
        painter.setTransform(warp, True)
        painter.setFont(font)
        painter.setPen(QColor(t["accent_text"] if n == hovered else t["text2"]))
        painter.drawText(QRectF(0, 0, 200, 200), Qt.AlignmentFlag.AlignCenter, tr(_NAMES[n]))
        painter.restore()
    for k in [k for k in order if R[2, k] > 0.3]:
        _axis(painter, flat, k, t, scale)


def _axis(painter: QPainter, flat, k: int, t: dict, scale: float) -> None:
    """One axis from the cube's hidden corner, with its letter."""
    corner = -np.ones(3)
    start, end = (flat(corner + length * np.eye(3)[k]) for length in (2.06, 2.95))
    reach = np.linalg.norm(end - start)
    if reach < 2.0:  # it points at the viewer
        return
    painter.setPen(
        QPen(
            QColor(t["axis_" + "xyz"[k]]), 2 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap
        )
    )
    painter.drawLine(QPointF(*start), QPointF(*end))
    at = end + (end - start) / reach * 8 * scale
    painter.drawText(
        QRectF(at[0] - 8 * scale, at[1] - 8 * scale, 16 * scale, 16 * scale),
        Qt.AlignmentFlag.AlignCenter,
        "XYZ"[k],
    )
