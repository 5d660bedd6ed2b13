"""The actions on a body that is cut free, a line each: symbol, number; hovered and clicked like
their arrows.
"""

import math
from typing import Any

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.free_body import Action, Cut, Stroke, about
from mechstudio.model.free_bodies import Slot
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.units import format_value
from mechstudio.tokens import readable
from mechstudio.tokens import theme as tokens
from mechstudio.translation import tr
from mechstudio.view.scene.overlays.free_body_marks import color_of
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.symbol_text import SymbolPictures, parts

Qt = QtCore.Qt
ROW = 19.0  # px at the normal text size
SIZE = 12.0
DIGITS = 4


class ActionList(QtWidgets.QWidget):
    """List of actions that paints itself: nothing is made again while the motion plays.

    hovered(slot), clicked(slot).
    """

    hovered = QtCore.Signal(object)
    clicked = QtCore.Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._cut, self._mechanism, self._units = theme, None, None, ""
        self._lit: Any = lambda slot: False
        self._pictures = SymbolPictures()
        self._under: Slot | None = None
        self._most = 0
        self.lines: tuple[Stroke, ...] = ()
        self.setMouseTracking(True)
        self.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed
        )

    @property
    def requested(self) -> int:
        """Height of the most lines that the body has had so far [px]: what vanishes for a moment
        does not make the card jump.
        """
        return math.ceil(self._most * ROW * self._theme.scale)

    def show_cut(self, cut: Cut | None, mechanism: Mechanism, units: str, lit: Any) -> None:
        """Show the numbers of an instant."""
        self._mechanism, self._units, self._lit = mechanism, units, lit
        if self._cut is None or cut is None or cut.body != self._cut.body:
            self._most = 0
        self._cut = cut
        self.lines = () if cut is None else cut.strokes
        self._most = max(self._most, len(self.lines))
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        cut, m, theme = self._cut, self._mechanism, self._theme
        if cut is None or m is None:
            return
        painter = QtGui.QPainter(self)
        painter.setRenderHints(
            QtGui.QPainter.RenderHint.Antialiasing | QtGui.QPainter.RenderHint.TextAntialiasing
        )
        scale, t = theme.scale, tokens(theme.name)
        f = QtGui.QFont(self.font())
        f.setPixelSize(theme.dp(SIZE))
        painter.setFont(f)
        shown = max(1, int(self.height() // (ROW * scale)))
        lines = self.lines if len(self.lines) <= shown else self.lines[: shown - 1]
        for k, stroke in enumerate(lines):
            action, couple = stroke.action, stroke.couple
            y = k * ROW * scale
            room = QtCore.QRectF(0, y, self.width(), ROW * scale)
            lit = self._lit(action.slot)
            if lit:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("accent_soft"))
                painter.drawRoundedRect(room, 4, 4)
            color = color_of(action, m, theme.name, t)
            ground = theme["accent_soft"] if lit else theme["panel"]
            pen = QtGui.QPen(
                QtGui.QColor(color), 2.6 * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
            )
            if stroke.loose:
                pen.setDashPattern([1.6, 1.0])
            painter.setPen(pen)
            middle = y + ROW * scale / 2
            if couple:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawArc(
                    QtCore.QRectF(6 * scale, middle - 5 * scale, 10 * scale, 10 * scale),
                    40 * 16,
                    280 * 16,
                )
            else:
                painter.drawLine(
                    QtCore.QPointF(4 * scale, middle), QtCore.QPointF(18 * scale, middle)
                )
            text = parts(stroke.symbol, couple)
            tall = self._pictures.room(text, SIZE * scale)[1]
            self._pictures.paint(
                painter,
                text,
                QtCore.QPointF(22 * scale, middle - tall / 2),
                readable(color, ground, theme["text"]),
                ground,
                SIZE * scale,
                self.devicePixelRatioF(),
            )
            value = format_value(
                float(np.linalg.norm(stroke.vector)),
                "torque" if couple else "force",
                self._units,
                DIGITS,
            )
            painter.setPen(theme.color("text"))
            painter.drawText(
                room.adjusted(0, 0, -4 * scale, 0),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                value,
            )
        if len(lines) < len(self.lines):
            painter.setPen(theme.color("text3"))
            room = QtCore.QRectF(
                22 * scale, len(lines) * ROW * scale, self.width() - 26 * scale, ROW * scale
            )
            painter.drawText(
                room,
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
                tr("and {count} more", count=len(self.lines) - len(lines)),
            )
        painter.end()

    def _at(self, p: QtCore.QPointF) -> Action | None:
        k = int(p.y() // (ROW * self._theme.scale))
        return self.lines[k].action if 0 <= k < len(self.lines) and p.y() < self.height() else None

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        action = self._at(event.position())
        self.setToolTip(
            about(self._mechanism, action)
            if action is not None and self._mechanism is not None
            else ""
        )
        self._report(action.slot if action is not None else None)

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self._report(None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        action = self._at(event.position())
        if action is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(action.slot)
        event.accept()

    def _report(self, slot: Slot | None) -> None:
        if slot != self._under:
            self._under = slot
            self.hovered.emit(slot)
