"""A planar linkage painted in the plane in which it is requested."""

from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.synthesis.answers import Answer
from mechstudio.view.theme import Theme

Qt = QtCore.Qt


class Plane(NamedTuple):
    """View of the plane: `middle` x + i z [m] stands at `centre` [px], scale [px/m]."""

    centre: QtCore.QPointF
    middle: complex
    scale: float

    def pixel(self, point: complex) -> QtCore.QPointF:
        """Place of a point."""
        off = (point - self.middle) * self.scale
        return QtCore.QPointF(self.centre.x() + off.real, self.centre.y() - off.imag)

    def line(self, points: np.ndarray) -> QtGui.QPolygonF:
        """Places of points (k,)."""
        off = (points - self.middle) * self.scale
        x, y = self.centre.x() + np.real(off), self.centre.y() - np.imag(off)
        both = zip(x.tolist(), y.tolist(), strict=True)
        return QtGui.QPolygonF([QtCore.QPointF(a, b) for a, b in both])

    def point(self, place: QtCore.QPointF) -> complex:
        """Point at a place."""
        off = place - self.centre
        return self.middle + complex(off.x(), -off.y()) / self.scale


def fitted(points: np.ndarray, room: QtCore.QRectF) -> Plane:
    """The view in which points (k,) fill a room."""
    low = complex(np.real(points).min(), np.imag(points).min())
    high = complex(np.real(points).max(), np.imag(points).max())
    span = high - low
    scale = min(
        room.width() / max(span.real, 1e-9),
        room.height() / max(span.imag, 1e-9),
        max(room.width(), room.height()) / 1e-4,
    )
    return Plane(room.center(), (low + high) / 2, scale)


def extent(answer: Answer) -> np.ndarray:
    """Points (k,) of all that a linkage needs."""
    return np.concatenate(list(answer.pins.values()))


def paint_curve(
    painter: QtGui.QPainter,
    plane: Plane,
    points: np.ndarray,
    color: QtGui.QColor,
    width: float,
    closed: bool = False,
) -> None:
    """A smooth line through points (k,)."""
    pen = QtGui.QPen(color, width, Qt.PenStyle.SolidLine)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    line = plane.line(np.append(points, points[:1]) if closed else points)
    painter.drawPolyline(line)


def paint_linkage(
    painter: QtGui.QPainter, theme: Theme, plane: Plane, answer: Answer, place: int, width: float
) -> None:
    """The links, pins and supports of a linkage in one of its poses.  width: of a link [px]."""
    kind = answer.kind
    at = {name: plane.pixel(complex(points[place])) for name, points in answer.pins.items()}
    for name in kind.grounded:
        _support(painter, theme, at[name], width)
    way = float(answer.candidate.linkage.values().get("direction", 0.0))
    if kind.slides:
        _guide(painter, theme, plane, answer, way, width)
    for k, (name, pins) in enumerate(kind.links):
        color = QtGui.QColor(theme.body(k))
        if name == "slider":
            _slider(painter, color, at[pins[0]], way, width)
            continue
        soft = QtGui.QColor(color)
        soft.setAlphaF(0.22)
        pen = QtGui.QPen(color, width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(soft)
        painter.drawPolygon(QtGui.QPolygonF([at[p] for p in pins]))
    painter.setPen(QtGui.QPen(theme.color("text"), max(1.0, 0.28 * width)))
    painter.setBrush(theme.color("panel"))
    for name, place_of in at.items():
        if name != kind.tracer:
            painter.drawEllipse(place_of, 0.62 * width, 0.62 * width)
    painter.setPen(QtGui.QPen(theme.color("panel"), max(1.0, 0.25 * width)))
    painter.setBrush(theme.color("accent"))
    painter.drawEllipse(at[kind.tracer], 0.75 * width, 0.75 * width)


def _support(painter: QtGui.QPainter, theme: Theme, place: QtCore.QPointF, width: float) -> None:
    half, high = 1.9 * width, 2.6 * width
    painter.setPen(QtGui.QPen(theme.color("text2"), max(1.0, 0.25 * width)))
    painter.setBrush(theme.color("hover"))
    left = place + QtCore.QPointF(-half, high)
    right = place + QtCore.QPointF(half, high)
    painter.drawPolygon(QtGui.QPolygonF([place, left, right]))
    painter.drawLine(left - QtCore.QPointF(0.6 * width, 0), right + QtCore.QPointF(0.6 * width, 0))


def _guide(
    painter: QtGui.QPainter,
    theme: Theme,
    plane: Plane,
    answer: Answer,
    way: float,
    width: float,
) -> None:
    """The line on which the slider moves."""
    points = answer.pins[answer.kind.slides]
    along = np.real(points * np.exp(-1j * way))
    ends = points[[int(along.argmin()), int(along.argmax())]]
    more = 2.6 * width / plane.scale * np.exp(1j * way)
    line = plane.line(np.array([ends[0] - more, ends[1] + more]))
    painter.setPen(QtGui.QPen(theme.color("text3"), max(1.0, 0.3 * width), Qt.PenStyle.DashLine))
    painter.drawPolyline(line)


def _slider(
    painter: QtGui.QPainter, color: QtGui.QColor, at: QtCore.QPointF, way: float, width: float
) -> None:
    painter.save()
    painter.translate(at)
    painter.rotate(-float(np.degrees(way)))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    box = QtCore.QRectF(-2.0 * width, -1.3 * width, 4.0 * width, 2.6 * width)
    painter.drawRoundedRect(box, 0.5 * width, 0.5 * width)
    painter.restore()
