"""Symbols with subscripts and a number behind them, painted: −F_A = 12.3 N."""

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from mechstudio.model.free_bodies import Symbol
from mechstudio.view.fonts import font

SMALL = 0.78  # size of a subscript
LOW = 0.24  # how far it stands below, in sizes of a letter
EDGE = 3.0  # pixels about the letters, for the halo
KEPT = 1000
LONGEST = 18  # letters of a name that a subscript shows


def parts(symbol: Symbol, couple: bool, number: str = "") -> tuple[str, str, str]:
    """(before, subscript, behind) of an action's symbol and its number."""
    sub = (
        symbol.subscript
        if len(symbol.subscript) <= LONGEST
        else f"{symbol.subscript[: LONGEST - 1]}…"
    )
    return (
        symbol.sign + (symbol.couple if couple else symbol.force),
        sub,
        f" = {number}" if number else "",
    )


def plain(symbol: Symbol, couple: bool) -> str:
    """The same as a line of text."""
    letter = symbol.sign + (symbol.couple if couple else symbol.force)
    return f"{letter}_{symbol.subscript}" if symbol.subscript else letter


class SymbolPictures:
    """Symbol and subscript are kept as pictures, numbers by their digits: stroking the halo of a
    whole text again in every frame would cost more than the scene.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple, tuple[QPixmap, QPixmap, float]] = {}
        self._fonts: dict[float, tuple[QFont, QFontMetricsF]] = {}
        self._wide: dict[tuple[str, float], float] = {}

    def room(self, text: tuple[str, str, str], size: float) -> tuple[float, float]:
        """Width and height [px] with the halo."""
        wide = (
            self._advance(text[0], size)
            + self._advance(text[1], SMALL * size)
            + sum(self._advance(c, size) for c in text[2])
        )
        return wide + 2 * EDGE, self._of(size)[1].height() + 2 * EDGE

    def paint(
        self,
        painter: QPainter,
        text: tuple[str, str, str],
        corner: QPointF,
        color: str,
        halo: str,
        size: float,
        ratio: float,
    ) -> None:
        """Draw it with its upper left corner at a place."""
        x, y = round(corner.x() * ratio) / ratio, round(corner.y() * ratio) / ratio
        pieces = []
        for piece, tall, drop in (
            (text[0], size, 0.0),
            (text[1], SMALL * size, LOW * size),
            *((c, size, 0.0) for c in text[2]),
        ):
            if piece:
                at = QPointF(x, y + drop + self._of(size)[1].ascent() - self._of(tall)[1].ascent())
                under, over, advance = self._piece(piece, color, halo, tall, ratio)
                pieces.append((at, under, over))
                x += advance
        # all halos first: one would eat into the letter before it
        for at, under, _ in pieces:
            painter.drawPixmap(at, under)
        for at, _, over in pieces:
            painter.drawPixmap(at, over)

    def _of(self, size: float) -> tuple[QFont, QFontMetricsF]:
        if size not in self._fonts:
            f = font(size)
            self._fonts[size] = (f, QFontMetricsF(f))
        return self._fonts[size]

    def _advance(self, piece: str, size: float) -> float:
        key = (piece, size)
        if key not in self._wide:
            if len(self._wide) >= KEPT:
                self._wide.clear()
            self._wide[key] = self._of(size)[1].horizontalAdvance(piece)
        return self._wide[key]

    def _piece(
        self, piece: str, color: str, halo: str, size: float, ratio: float
    ) -> tuple[QPixmap, QPixmap, float]:
        """(halo, letters, advance)."""
        key = (piece, color, halo, size, ratio)
        if key not in self._kept:
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            f, measure = self._of(size)
            advance, path = self._advance(piece, size), QPainterPath()
            path.addText(QPointF(EDGE, EDGE + measure.ascent()), f, piece)
            made = []
            for stroke in (True, False):
                picture = QPixmap(
                    math.ceil((advance + 2 * EDGE) * ratio),
                    math.ceil((measure.height() + 2 * EDGE) * ratio),
                )
                picture.setDevicePixelRatio(ratio)
                picture.fill(Qt.GlobalColor.transparent)
                p = QPainter(picture)
                p.setRenderHint(QPainter.RenderHint.Antialiasing)
                if stroke:
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
                else:
                    p.fillPath(path, QColor(color))
                p.end()
                made.append(picture)
            self._kept[key] = (made[0], made[1], advance)
        return self._kept[key]
