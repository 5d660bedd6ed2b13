"""Ground that everything over a scene is painted on, and words with a halo."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from mechstudio.model.project import Camera
from mechstudio.tokens import theme
from mechstudio.view.fonts import font
from mechstudio.view.scene import camera as lens

Hides = Callable[[np.ndarray], np.ndarray]
OUT_OF_SIGHT = -1e5  # pixels; what lies behind the eye has no place in the picture


def nowhere(points: np.ndarray) -> np.ndarray:
    """No point (k, 3) is hidden: a mask (k,)."""
    return np.zeros(len(points), bool)


class Words:
    """Words with a halo, kept as pictures, since stroking them again in every frame would cost more
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


@dataclass(frozen=True)
class Canvas:
    """Painter over a picture of a scene, with the camera and the size [px] of the picture.

    theme: "light" or "dark".  ratio: pixels of the screen per pixel.  scale: magnification of words
    and strokes.  hides(points): before which points (k, 3) of W bodies stand, as a mask (k,).
    """

    painter: QPainter
    words: Words
    camera: Camera
    size: tuple[float, float]
    theme: str
    ratio: float = 1.0
    scale: float = 1.0
    hides: Hides = nowhere

    @property
    def t(self) -> dict[str, Any]:
        """Tokens of the theme."""
        return theme(self.theme)

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels and depths (k, 3) of points of W (k, 3); see camera.project."""
        return lens.project(self.camera, self.size, points)

    def write(self, text: str, x: float, y: float, role: str, tall: float = 11.0) -> QRectF:
        """Write a word centred on a point, in the colour of a role; returns the room that it
        takes.
        """
        color, halo = self.t[role], self.t["view_top"]
        return self.words.paint(
            self.painter, text, x, y, color, halo, tall * self.scale, self.ratio
        )

    def room(self, text: str, x: float, y: float, role: str, tall: float = 11.0) -> QRectF:
        """The room that a word takes when it is centred on a point."""
        color, halo = self.t[role], self.t["view_top"]
        return self.words.room(text, x, y, color, halo, tall * self.scale, self.ratio)
