"""Painter that writes down the calls that paint, without words, whose room fonts decide."""

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPainterPath, QPen, QPolygonF

LEFT_OUT = ("drawPixmap", "drawText", "drawImage", "setFont", "setRenderHints", "setRenderHint")


def said(value: Any) -> str:
    """A value as text, places in tenths of a pixel."""
    match value:
        case QPointF():
            return f"({value.x():.1f} {value.y():.1f})"
        case QRectF():
            return f"[{said(value.topLeft())} {value.width():.1f} {value.height():.1f}]"
        case QLineF():
            return f"{said(value.p1())}-{said(value.p2())}"
        case QPen():
            dashes = "".join(f" {length:g}" for length in value.dashPattern())
            custom = dashes if value.style() == Qt.PenStyle.CustomDashLine else ""
            return f"pen {said(value.color())} {value.widthF():.2f} {value.style().name}{custom}"
        case QBrush():
            return f"brush {said(value.color())} {value.style().name}"
        case QLinearGradient():
            stops = " ".join(f"{part:.2f} {said(color)}" for part, color in value.stops())
            return f"fades {said(value.start())}-{said(value.finalStop())} {stops}"
        case QColor():
            return f"{value.name()} {value.alphaF():.2f}"
        case QPainterPath():
            places = (value.elementAt(k) for k in range(value.elementCount()))
            return " ".join(f"({e.x:.1f} {e.y:.1f})" for e in places)
        case QPolygonF() | list() | tuple():
            return " ".join(map(said, value))
        case float():
            return f"{value:.1f}"
    return getattr(value, "name", None) or str(value)


class Strokes:
    """Stand-in of a painter; lines: its calls."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given: self._call(name, given)

    def _call(self, name: str, given: Iterable[Any]) -> None:
        if name not in LEFT_OUT:
            self.lines.append(" ".join((name, *map(said, given))))
