"""The forces on a body that is cut free laid tip to tail, the inertia last: a polygon that
closes.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.free_body import Cut, Stroke, plane_axes, tip_to_tail
from mechstudio.model.free_bodies import Slot
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Camera
from mechstudio.model.rounding import step_below
from mechstudio.model.units import format_value
from mechstudio.tokens import readable
from mechstudio.tokens import theme as tokens
from mechstudio.translation import tr
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.overlays.free_body_marks import color_of
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.symbol_text import SymbolPictures, parts

Qt = QtCore.Qt
EDGE, FOOT = 19.0, 20.0  # px about the polygon, for symbols; beneath it, for the scale
STROKE, HEAD = 2.2, 8.5  # px
REACH = 7.0  # px from a side at which it is under the pointer
LONG_ENOUGH = 13.0  # px: a shorter side has no symbol
SIZE = 11.0  # px, letters
STEP = 1.25  # between two scales


class Side(NamedTuple):
    """One force in pixels."""

    stroke: Stroke
    start: tuple[float, float]
    end: tuple[float, float]
    color: str

    @property
    def slot(self) -> Slot:
        return self.stroke.action.slot


class Polygon(QtWidgets.QWidget):
    """hovered(slot), None for none; clicked(slot).  flat: whether all forces lie in the plane they
    are laid in.  sides: of the last picture.
    """

    hovered = QtCore.Signal(object)
    clicked = QtCore.Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._cut, self._mechanism, self._camera, self._units = (
            theme,
            None,
            None,
            Camera(),
            "",
        )
        self._lit: Any = lambda slot: False
        self._pictures = SymbolPictures()
        self.sides: list[Side] = []
        self.gap: tuple[tuple[float, float], tuple[float, float]] | None = None
        self.flat = True
        self.setMouseTracking(True)
        self.setMinimumHeight(100)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Expanding
        )
        self._under: Slot | None = None

    def sizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(self._theme.dp(230), self._theme.dp(180))

    def show_cut(
        self, cut: Cut | None, mechanism: Mechanism, camera: Camera, units: str, lit: Any
    ) -> None:
        """Show the forces of an instant."""
        self._cut, self._mechanism, self._camera, self._units, self._lit = (
            cut,
            mechanism,
            camera,
            units,
            lit,
        )
        if cut is not None:
            R = lens.axes(camera)
            self.flat = plane_axes(cut, R[0], R[1], R[2])[2]
        self.update()

    def show_camera(self, camera: Camera) -> None:
        """The same, seen from elsewhere."""
        self._camera = camera
        self.update()

    def _layout(self) -> float:
        """Place the sides; returns pixels per newton."""
        self.sides, self.gap = [], None
        cut, m = self._cut, self._mechanism
        if cut is None or m is None:
            return 0.0
        scale = self._theme.scale
        R = lens.axes(self._camera)
        across, upward, self.flat = plane_axes(cut, R[0], R[1], R[2])
        steps = tip_to_tail(cut)
        if not steps:
            return 0.0
        flat = lambda v: np.array([v @ across, -(v @ upward)])
        corners = np.array([flat(steps[0][1]), *(flat(end) for _, _, end in steps)])
        low, high = corners.min(axis=0), corners.max(axis=0)
        room = np.array(
            [self.width() - 2 * EDGE * scale, self.height() - (2 * EDGE - 6 + FOOT) * scale]
        )
        extent = high - low
        with np.errstate(divide="ignore"):
            fit = float(np.min(np.where(extent > 0, room / np.maximum(extent, 1e-300), np.inf)))
        if not math.isfinite(fit):
            return 0.0
        # in round steps, so that it does not breathe while the motion plays
        per_newton = STEP ** math.floor(math.log(fit) / math.log(STEP))
        middle = (
            np.array([self.width() / 2, (EDGE - 3) * scale + room[1] / 2])
            - per_newton * (low + high) / 2
        )
        t, name = tokens(self._theme.name), self._theme.name
        at = lambda v: tuple((middle + per_newton * flat(v)).tolist())
        self.sides = [
            Side(stroke, at(start), at(end), color_of(stroke.action, m, name, t))
            for stroke, start, end in steps
        ]
        if np.linalg.norm(cut.force_gap) > 1e-6 * cut.largest_force:
            self.gap = (self.sides[-1].end, self.sides[0].start)
        return per_newton

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHints(
            QtGui.QPainter.RenderHint.Antialiasing | QtGui.QPainter.RenderHint.TextAntialiasing
        )
        per_newton = self._layout()
        if per_newton:
            self._paint(painter, per_newton)
        painter.end()

    def _paint(self, painter: QtGui.QPainter, per_newton: float) -> None:
        theme, scale, ratio = self._theme, self._theme.scale, self.devicePixelRatioF()
        center = np.mean([s.start for s in self.sides], axis=0)
        for side in sorted(self.sides, key=lambda s: bool(self._lit(s.slot))):
            self._arrow(
                painter, side, (STROKE + (1.4 if self._lit(side.slot) else 0.0)) * scale, scale
            )
        painter.setPen(QtGui.QPen(theme.color("text2"), 1.2 * scale))
        painter.setBrush(theme.color("panel"))
        painter.drawEllipse(QtCore.QPointF(*self.sides[0].start), 3.0 * scale, 3.0 * scale)
        if self.gap is not None:
            pen = QtGui.QPen(
                theme.color("error"), 3.4 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
            )
            pen.setDashPattern([1.6, 1.0])
            painter.setPen(pen)
            painter.drawLine(QtCore.QPointF(*self.gap[0]), QtCore.QPointF(*self.gap[1]))
        taken: list[QtCore.QRectF] = []
        for side in sorted(self.sides, key=lambda s: -math.dist(s.start, s.end)):
            if math.dist(side.start, side.end) < LONG_ENOUGH * scale:
                continue
            text = parts(side.stroke.symbol, False)
            wide, tall = self._pictures.room(text, SIZE * scale)
            x, y = (side.start[0] + side.end[0]) / 2, (side.start[1] + side.end[1]) / 2
            nx, ny = -(side.end[1] - side.start[1]), side.end[0] - side.start[0]
            size = math.hypot(nx, ny)
            nx, ny = nx / size, ny / size
            if (x - center[0]) * nx + (y - center[1]) * ny < 0:
                nx, ny = -nx, -ny
            best = None
            for sign in (1, -1):
                away = 4.0 * scale + 0.5 * (abs(nx) * wide + abs(ny) * tall) - 3.0
                box = QtCore.QRectF(
                    x + sign * nx * away - wide / 2, y + sign * ny * away - tall / 2, wide, tall
                )
                box.moveLeft(min(max(box.left(), 0.0), self.width() - wide))
                box.moveTop(min(max(box.top(), 0.0), self.height() - FOOT * scale - tall))
                inner = box.adjusted(2, 3, -2, -3)
                if not any(inner.intersects(o) for o in taken):
                    best = box
                    break
            if best is None:
                continue
            taken.append(best.adjusted(2, 3, -2, -3))
            color = readable(side.color, theme["panel"], theme["text"])
            self._pictures.paint(
                painter, text, best.topLeft(), color, theme["panel"], SIZE * scale, ratio
            )
        self._legend(painter, per_newton, scale)

    def _legend(self, painter: QtGui.QPainter, per_newton: float, scale: float) -> None:
        value = step_below(56.0 * scale / per_newton, self._units, "force")
        x, y = 12.0 * scale, self.height() - 8.0 * scale
        end = QtCore.QPointF(x + value * per_newton, y)
        painter.setPen(
            QtGui.QPen(
                self._theme.color("text2"),
                1.8 * scale,
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
            )
        )
        for a in (
            QtCore.QPointF(x, y),
            end + QtCore.QPointF(-4 * scale, -3 * scale),
            end + QtCore.QPointF(-4 * scale, 3 * scale),
        ):
            painter.drawLine(a, end)
        f = painter.font()
        f.setPixelSize(self._theme.dp(11))
        painter.setFont(f)
        text = format_value(value, "force", self._units, 4)
        painter.drawText(end + QtCore.QPointF(7 * scale, 4 * scale), text)
        said = tr("true shape") if self.flat else tr("camera's view")
        measure = painter.fontMetrics()
        left = self.width() - 10 * scale - measure.horizontalAdvance(said)
        if left > end.x() + 7 * scale + measure.horizontalAdvance(text) + 8 * scale:
            painter.setPen(self._theme.color("text3"))
            painter.drawText(QtCore.QPointF(left, y + 4 * scale), said)

    def _arrow(self, painter: QtGui.QPainter, side: Side, wide: float, scale: float) -> None:
        a, b = QtCore.QPointF(*side.start), QtCore.QPointF(*side.end)
        long = math.dist(side.start, side.end)
        color = QtGui.QColor(side.color)
        if long < 2.0:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(b, wide * 0.8, wide * 0.8)
            return
        u = (b - a) / long
        head = min(HEAD * scale + wide, 0.6 * long)
        n = QtCore.QPointF(-u.y(), u.x()) * (0.42 * head)
        pen = QtGui.QPen(color, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        if side.stroke.loose:
            pen.setDashPattern([2.6, 1.7])
        painter.setPen(pen)
        painter.drawLine(a, b - u * (0.8 * head))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawPolygon(QtGui.QPolygonF([b, b - u * head + n, b - u * head - n]))

    # pointer

    def _at(self, p: QtCore.QPointF) -> Slot | None:
        best, found = REACH * self._theme.scale, None
        for side in self.sides:
            a, b = np.array(side.start), np.array(side.end)
            d, to = b - a, np.array([p.x(), p.y()]) - a
            share = min(max(float(to @ d) / max(float(d @ d), 1e-12), 0.0), 1.0)
            gap = float(np.linalg.norm(to - share * d))
            if gap < best:
                best, found = gap, side.slot
        return found

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self._report(self._at(event.position()))

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._report(None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        slot = self._at(event.position())
        if slot is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(slot)
        event.accept()

    def _report(self, slot: Slot | None) -> None:
        if slot != self._under:
            self._under = slot
            self.hovered.emit(slot)
