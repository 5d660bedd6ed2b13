"""Ground of the pictures of a study: theme, units, and the row that all of them share."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studies.shown_study import Column, StudyShown
from mechstudio.translation import Words, localised
from mechstudio.view.plots.ticks import minus, reading
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
RAMP = 0.62  # of the hue at the end of a ramp, where ink still reads


class Range(NamedTuple):
    """Values between which something is drawn."""

    low: float
    high: float

    def part(self, values: np.ndarray) -> np.ndarray:
        """0 … 1 between the ends."""
        return (values - self.low) / (self.high - self.low)


def plain(values: np.ndarray) -> list[str]:
    """Numbers along a side, with as few digits as are right, or are right to a
    fiftieth of the step between them.
    """
    size = float(np.abs(values).max(initial=0.0))
    if size >= 1e6 or 0.0 < size < 1e-4:
        return [reading(float(v), size) for v in values]
    step = float(np.diff(np.unique(values)).min(initial=size))
    slack = max(1e-6 * size, step / 50)
    digits = next(
        (d for d in range(6) if np.allclose(np.round(values, d), values, rtol=0, atol=slack)), 6
    )
    return [minus(localised(f"{v:.{digits}f}")) for v in values.tolist()]


def range_of(values: np.ndarray) -> Range:
    """Range of the finite values, never empty."""
    good = values[np.isfinite(values)]
    if not len(good):
        return Range(0.0, 1.0)
    low, high = float(good.min()), float(good.max())
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
        half = 0.05 * max(abs(low), 1e-9)
        return Range(low - half, high + half)
    return Range(low, high)


class Figure(QtWidgets.QWidget):
    """A picture of a study.  `draw` paints it; a move of the pointer calls `row_at` for the row."""

    def __init__(self, theme: Theme, shown: StudyShown) -> None:
        super().__init__()
        self.theme, self.shown = theme, shown
        self.setMouseTracking(True)
        self.setMinimumSize(120, 80)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        theme.follow(self._again)
        for signal in (shown.rows_changed, shown.kept_changed):
            signal.connect(self._again)
        for signal in (shown.chosen_changed, shown.hovered_changed):
            signal.connect(self.update)

    def _again(self) -> None:
        self.reread()
        self.update()

    def reread(self) -> None:
        """Rows, ranges or lengths are others: forget what was worked out."""

    @property
    def is_empty(self) -> bool:
        """True while there is nothing to draw."""
        return self.shown.table is None

    def draw(self, painter: QtGui.QPainter) -> None:
        raise NotImplementedError

    def row_at(self, place: QtCore.QPointF) -> int | None:
        """Row of the study at a place of the picture."""
        return None

    # words

    def font_of(self, size: int = 11, strong: bool = False) -> QtGui.QFont:
        font = QtGui.QFont(self.font())
        font.setPixelSize(self.theme.dp(size))
        font.setWeight(QtGui.QFont.Weight.DemiBold if strong else QtGui.QFont.Weight.Normal)
        return font

    def word(self, column: Column, value: float, span: float = 0.0) -> str:
        """A value [SI] as a number in the unit of its column."""
        return reading(value / column.factor, span / column.factor)

    def ramp(self, part: float) -> QtGui.QColor:
        """Colour of a value, 0 … 1 of its range: the ground to a hue on which ink still reads."""
        ground, hue = self.theme.color("panel"), self.hue()
        share = 0.06 + RAMP * min(max(part, 0.0), 1.0)
        mix = lambda a, b: a + share * (b - a)
        return QtGui.QColor.fromRgbF(
            mix(ground.redF(), hue.redF()),
            mix(ground.greenF(), hue.greenF()),
            mix(ground.blueF(), hue.blueF()),
        )

    def hue(self, alpha: float = 1.0, place: int = 0) -> QtGui.QColor:
        """Colour of rows; place: among the series' colours."""
        color = QtGui.QColor(self.theme["series"][place])
        color.setAlphaF(alpha)
        return color

    # events

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        if not self.is_empty:
            self.draw(painter)
        painter.end()

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        self.shown.hover(self.row_at(event.position()))

    def leaveEvent(self, event: QtCore.QEvent) -> None:
        self.shown.hover(None)

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            row = self.row_at(event.position())
            if row is not None:
                self.shown.choose(row)

    def row_words(self, row: int) -> str:
        """A row in words, for a tip."""
        shown, table = self.shown, self.shown.table
        assert table is not None, "a row is of a table"
        lines = [f"{c.name} = {shown.text(k, row)}" for k, c in enumerate(shown.columns) if k < 12]
        if reason := table.reasons.get(row):
            lines.append(reason)
        return "\n".join(lines)


Make = Callable[[Theme, StudyShown], QtWidgets.QWidget]


class StudyView(NamedTuple):
    """Row of the table of views.  key: its stable name.  label: in the head of its pane.  make().
    measured: it shows one measure, which its head offers.  fits(shown): it has something to show.
    """

    key: str
    label: Words
    make: Make
    measured: bool = False
    fits: Callable[[StudyShown], bool] = lambda shown: True
