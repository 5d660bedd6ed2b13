"""A small picture of a law: its value, rate and second rate over the run, or over a turn of a
cam.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.interpolation import Overshoot
from mechstudio.model.mechanism import Law
from mechstudio.model.units import format_value
from mechstudio.translation import localised, tr
from mechstudio.view.theme import Theme

STEPS = 241
WITHIN = 12  # places within every piece of a law, however short
HEIGHT, GAP, HEAD = (
    32,
    6,
    18,
)  # of one curve, between two, and of the words above each [px at the normal text size]
RATES = {
    "angle": ("angular_velocity", "angular_acceleration"),
    "length": ("velocity", "acceleration"),
}


class Shown(NamedTuple):
    """Curves to draw: words and values of up to three over a variable.  dimension: "" where a
    number has no unit of ours.

    ruled: the curve that is the law itself.  beyond: where a table leaves the range of the points
    on either side, and by how much.
    """

    over: np.ndarray
    variable: str
    curves: tuple[tuple[str, str, np.ndarray], ...]
    ruled: int = 0
    beyond: tuple[Overshoot, ...] = ()

    @property
    def worst(self) -> Overshoot | None:
        """The overshoot whose size is reported; None where the law stays within its points."""
        return max(self.beyond, key=lambda o: o.size, default=None)


def places(law: Law, until: float) -> np.ndarray:
    """Sample points of a law from 0 to `until`, ascending: evenly spaced, within its shortest
    pieces too, just before each corner and at the peaks of overshoots.
    """
    corners = [t for t in evaluation.breakpoints(law) if 0.0 <= t <= until]
    within = [np.linspace(a, b, WITHIN + 1)[:-1] for a, b in pairwise(corners)]
    before = np.nextafter(corners, -np.inf)
    peaks = [o.peak for o in evaluation.overshoots(law) if o.peak <= until]
    return np.unique(
        np.clip(
            np.concatenate([np.linspace(0.0, until, STEPS), *within, corners, before, peaks]),
            0.0,
            until,
        )
    )


def sampled(law: Law, over: np.ndarray, others: dict[str, float]) -> np.ndarray | None:
    """(len(over), 3) value and two slopes of a law; None where its text cannot be read."""
    try:
        return np.array(evaluation.jets(law, over, others), float)
    except ExpressionError:
        return None


def integrated(y: np.ndarray, over: np.ndarray) -> np.ndarray:
    """The integral from the first value on, by trapezia."""
    return np.concatenate([[0.0], np.cumsum(0.5 * np.diff(over) * (y[1:] + y[:-1]))])


def motion_curves(
    jets: np.ndarray, over: np.ndarray, quantity: str, own: str
) -> tuple[tuple[str, str, np.ndarray], ...]:
    """Way, speed and acceleration of a drive whose law prescribes one of them; the way counts from
    the drawn pose.

    own: "angle" or "length".
    """
    f, g, h = jets.T
    if quantity == "position":
        way, speed, rate = f - f[0], g, h
    elif quantity == "velocity":
        way, speed, rate = integrated(f, over), f, g
    else:
        speed, rate = integrated(f, over), f
        way = integrated(speed, over)
    return (
        (tr("angle") if own == "angle" else tr("length"), own, way),
        (tr("speed"), RATES[own][0], speed),
        (tr("acceleration"), RATES[own][1], rate),
    )


class LawPreview(QtWidgets.QWidget):
    """Painted from `shown()`, which is called at every refresh; None leaves a sentence in its
    place.
    """

    def __init__(
        self, theme: Theme, shown: Callable[[], Shown | None], units: Callable[[], str]
    ) -> None:
        super().__init__()
        self._theme, self._read, self._units = theme, shown, units
        self._shown: Shown | None = None
        self.setAccessibleName(tr("Preview of the law"))
        theme.follow(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        self._shown = self._read()
        count = len(self._shown.curves) if self._shown else 1
        warns = self._shown is not None and self._shown.worst is not None
        self.setFixedHeight(self._theme.dp(count * (HEIGHT + HEAD + GAP) + HEAD * (1 + warns) + 2))
        self.setAccessibleDescription(self.warning)
        self.update()

    @property
    def warning(self) -> str:
        """By how much a table swings beyond its points, and where; "" where it does not."""
        worst = self._shown.worst if self._shown else None
        if self._shown is None or worst is None:
            return ""
        size = self._number(worst.size, self._shown.curves[self._shown.ruled][1])
        return tr(
            "{size} beyond its points at {place}",
            size=size,
            place=self._number(worst.peak, self._shown.variable),
        )

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
            self._curve(
                painter,
                QtCore.QRectF(0, top + dp(HEAD), wide, dp(HEIGHT)),
                word,
                dimension,
                values,
                k,
            )
            top += dp(HEAD + HEIGHT + GAP)
        painter.setPen(self._theme.color("text3"))
        line = QtCore.QRectF(0, top - dp(2), wide, dp(HEAD))
        over = self._shown.over
        for text, side in (
            (self._number(over[0], self._shown.variable), QtCore.Qt.AlignmentFlag.AlignLeft),
            (self._number(over[-1], self._shown.variable), QtCore.Qt.AlignmentFlag.AlignRight),
        ):
            painter.drawText(line, side | QtCore.Qt.AlignmentFlag.AlignVCenter, text)
        if self.warning:
            painter.setPen(self._theme.color("warn"))
            painter.drawText(
                line.translated(0, dp(HEAD)),
                QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter,
                self.warning,
            )

    def _number(self, value: float, dimension: str) -> str:
        return (
            format_value(value, dimension, self._units(), 3)
            if dimension
            else localised(f"{value:.3g}").replace("-", "−")
        )

    def _curve(
        self,
        painter: QtGui.QPainter,
        room: QtCore.QRectF,
        word: str,
        dimension: str,
        values: np.ndarray,
        k: int,
    ) -> None:
        good = np.isfinite(values)
        low, high = (
            (float(values[good].min()), float(values[good].max())) if good.any() else (0.0, 0.0)
        )
        theme, dp = self._theme, self._theme.dp
        head = QtCore.QRectF(0, room.top() - dp(HEAD), room.width(), dp(HEAD - 3))
        painter.setPen(theme.color("text2"))
        painter.drawText(
            head, QtCore.Qt.AlignmentFlag.AlignLeft | QtCore.Qt.AlignmentFlag.AlignVCenter, word
        )
        # what is only the rounding of an integral is level
        if high - low < 1e-9 * max(abs(high), abs(low), 1e-300):
            low = high = (low + high) / 2
        reach = (
            self._number(high, dimension)
            if high == low
            else f"{self._number(low, dimension)} … {self._number(high, dimension)}"
        )
        painter.setPen(theme.color("text3"))
        painter.drawText(
            head,
            QtCore.Qt.AlignmentFlag.AlignRight | QtCore.Qt.AlignmentFlag.AlignVCenter,
            reach if good.any() else "–",
        )
        bottom, top = min(low, 0.0), max(high, 0.0)
        span = top - bottom or 1.0
        y = lambda v: room.bottom() - (v - bottom) / span * room.height()
        painter.setPen(QtGui.QPen(theme.color("line_strong"), 1))
        painter.drawLine(QtCore.QPointF(room.left(), y(0.0)), QtCore.QPointF(room.right(), y(0.0)))
        assert self._shown is not None
        over = self._shown.over
        x = room.left() + 1 + (room.width() - 2) * over / (over[-1] or 1.0)
        painter.setPen(QtGui.QPen(QtGui.QColor(theme.body((0, 2, 1)[k % 3])), 1.7))
        painter.drawPath(_line(x, y(values), good))
        if k == self._shown.ruled:
            painter.setPen(QtGui.QPen(theme.color("warn"), 2.6))
            for stretch in self._shown.beyond:
                painter.drawPath(
                    _line(x, y(values), good & (over >= stretch.begin) & (over <= stretch.end))
                )


def _line(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> QtGui.QPainterPath:
    """A path through the points that are to be drawn, broken where one is not."""
    path, down = QtGui.QPainterPath(), False
    for a, b, ok in zip(x, y, drawn):
        if ok and down:
            path.lineTo(float(a), float(b))
        elif ok:
            path.moveTo(float(a), float(b))
        down = bool(ok)
    return path
