"""A small picture of a law: its value, rate and second rate over the run, or over a turn of a cam."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model import laws
from mechstudio.model.expression import ExpressionError
from mechstudio.model.mechanism import Law
from mechstudio.model.units import format_value

from ..i18n import tr
from ..theme import Theme

STEPS = 241
HEIGHT, GAP, HEAD = 32, 6, 18                # of one curve, between two, and of the words above each [px at the normal text size]
RATES = {"angle": ("angular_velocity", "angular_acceleration"), "length": ("velocity", "acceleration")}


class Shown(NamedTuple):
    """What to draw: words and values of up to three curves over a variable.  dimension: "" where a number has no unit of ours."""

    over: np.ndarray
    variable: str
    curves: tuple[tuple[str, str, np.ndarray], ...]


def sampled(law: Law, until: float, others: dict[str, float]) -> np.ndarray | None:
    """(STEPS, 3) value and two slopes of a law from 0 to `until`; None where its text cannot be read."""
    try:
        return np.array([laws.jet(law, s, others) for s in np.linspace(0.0, until, STEPS)], float)
    except ExpressionError:
        return None


def integrated(y: np.ndarray, step: float) -> np.ndarray:
    """The integral from the first value on, by trapezia."""
    return np.concatenate([[0.0], np.cumsum(0.5 * step * (y[1:] + y[:-1]))])


def motion_curves(jets: np.ndarray, until: float, quantity: str, own: str) -> tuple[tuple[str, str, np.ndarray], ...]:
    """Way, speed and acceleration of a drive whose law prescribes one of them; the way counts from the drawn pose.

    own: "angle" or "length".
    """
    step = until / (STEPS - 1)
    f, g, h = jets.T
    if quantity == "position":
        way, speed, rate = f - f[0], g, h
    elif quantity == "velocity":
        way, speed, rate = integrated(f, step), f, g
    else:
        speed, rate = integrated(f, step), f
        way = integrated(speed, step)
    return ((own, own, way), ("speed", RATES[own][0], speed), ("acceleration", RATES[own][1], rate))


class LawPreview(QtWidgets.QWidget):
    """Painted from `shown()`, which is asked at every refresh; None leaves a sentence in its place."""

    def __init__(self, theme: Theme, shown: Callable[[], Shown | None], units: Callable[[], str]) -> None:
        super().__init__()
        self._theme, self._read, self._units = theme, shown, units
        self._shown: Shown | None = None
        self.setAccessibleName(tr("Preview of the law"))
        theme.follow(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        self._shown = self._read()
        count = len(self._shown.curves) if self._shown else 1
        self.setFixedHeight(self._theme.dp(count * (HEIGHT + HEAD + GAP) + HEAD + 2))
        self.update()

    @property
    def shown(self) -> Shown | None:
        return self._shown

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        dp, font = self._theme.dp, QtGui.QFont(self.font())
        font.setPixelSize(dp(11))
        painter.setFont(font)
        if self._shown is None:
            painter.setPen(self._theme.color("text3"))
            painter.drawText(self.rect(), QtCore.Qt.AlignmentFlag.AlignCenter, "–")
            return
        top, wide = 0, self.width()
        for k, (word, dimension, values) in enumerate(self._shown.curves):
            self._curve(painter, QtCore.QRectF(0, top + dp(HEAD), wide, dp(HEIGHT)), word, dimension, values, k)
            top += dp(HEAD + HEIGHT + GAP)
        painter.setPen(self._theme.color("text3"))
        line = QtCore.QRectF(0, top - dp(2), wide, dp(HEAD))
        over = self._shown.over
        for text, side in ((self._number(over[0], self._shown.variable), QtCore.Qt.AlignmentFlag.AlignLeft),
                           (self._number(over[-1], self._shown.variable), QtCore.Qt.AlignmentFlag.AlignRight)):
            painter.drawText(line, side | QtCore.Qt.AlignmentFlag.AlignVCenter, text)

    def _number(self, value: float, dimension: str) -> str:
        return format_value(value, dimension, self._units(), 3) if dimension else f"{value:.3g}".replace("-", "−")

    def _curve(self, painter: QtGui.QPainter, room: QtCore.QRectF, word: str, dimension: str, values: np.ndarray, k: int) -> None:
        good = np.isfinite(values)
        low, high = (float(values[good].min()), float(values[good].max())) if good.any() else (0.0, 0.0)
        theme, dp = self._theme, self._theme.dp
        head = QtCore.QRectF(0, room.top() - dp(HEAD), room.width(), dp(HEAD - 3))
        painter.setPen(theme.color("text2"))
        painter.drawText(head, QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter, word)
        # what is only the rounding of an integral is level
        if high - low < 1e-9 * max(abs(high), abs(low), 1e-300):
            low = high = (low + high) / 2
        reach = self._number(high, dimension) if high == low else f"{self._number(low, dimension)} … {self._number(high, dimension)}"
        painter.setPen(theme.color("text3"))
        painter.drawText(head, QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter, reach if good.any() else "–")
        bottom, top = min(low, 0.0), max(high, 0.0)
        span = top - bottom or 1.0
        y = lambda v: room.bottom() - (v - bottom) / span * room.height()
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.drawLine(QtCore.QPointF(room.left(), y(0.0)), QtCore.QPointF(room.right(), y(0.0)))
        x = room.left() + 1 + (room.width() - 2) * np.linspace(0.0, 1.0, len(values))
        path, down = QtGui.QPainterPath(), False
        for a, v, ok in zip(x, values, good):
            point = QtCore.QPointF(float(a), float(y(v))) if ok else None
            if point is None:
                down = False
            elif down:
                path.lineTo(point)
            else:
                path.moveTo(point)
                down = True
        painter.setPen(QtGui.QPen(QtGui.QColor(theme.body((0, 2, 1)[k % 3])), 1.7))
        painter.drawPath(path)

