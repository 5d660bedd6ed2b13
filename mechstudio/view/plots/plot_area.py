"""One pane's curves, drawn by pyqtgraph; this module is imported after the first frame."""

import numpy as np
import pyqtgraph as pg
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.runs.plots import Curve, Pane, alike, numbers, shown_numbers
from mechstudio.application.studio import Studio
from mechstudio.model.rounding import round_above
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
pg.setConfigOptions(antialias=True)
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
POINTS = 2000
NOTHING = Pane("", "", "", False, ())
# dashes of kept runs, the first one solid, so that they are told apart without a colour
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine)


def power_ticks(low: float, high: float, most: int = 5) -> list[tuple[float, str]]:
    """Whole powers of ten for a log axis: [(-12, "10⁻¹²"), …], at most `most` of them."""
    first, last = int(np.ceil(low)), int(np.floor(high))
    step = max(1, -(-(last - first + 1) // most))
    return [
        (float(k), "10" + str(k).translate(_SUPERSCRIPT))
        for k in range(first - first % step if step > 1 else first, last + 1, step)
        if k >= low
    ]


def even_ticks(low: float, high: float, most: int = 6) -> list[tuple[float, str]]:
    """Multiples of 1, 2 or 5 times a power of ten inside a range, at most `most` of them."""
    step = round_above((high - low) / most)
    return [
        (k * step, f"{k * step:g}".replace("-", "−"))
        for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)
    ]


NONE = np.zeros(0)


class PlotArea(pg.PlotWidget):
    """Curves over time with one cursor; dragging the cursor, or pressing anywhere, moves the
    time.
    """

    def __init__(self, theme: Theme, studio: Studio, pane: Pane) -> None:
        super().__init__(enableMenu=False)
        self._theme, self._studio, self._pane = theme, studio, pane
        self.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        item = self.getPlotItem()
        assert item is not None
        self._item: pg.PlotItem = item
        self._box: pg.ViewBox = item.getViewBox()
        item.hideButtons()
        self._box.setMouseEnabled(False, False)
        item.setContentsMargins(6, 0, 12, 4)
        self._box.disableAutoRange()
        item.setClipToView(True)
        self._lines: list[pg.PlotDataItem] = []
        self._curves: dict[str, pg.PlotDataItem] = {}
        self._kept: list[pg.PlotDataItem] = []
        # the cursor is painted over the scene: moving it must not draw the curves again
        self._time = 0.0
        self._dots: list[tuple[float, str]] = []
        self.hidden: set[str] = set()
        self._drawn: tuple[object, ...] = (None,)
        # the right axis is a second scale over the same view: right = _right[0] + _right[1] * left
        self._right = (0.0, 1.0)
        theme.follow(self.dress)
        self._lay(pane)

    def show_pane(self, pane: Pane) -> None:
        """Show another pane; to make another plot for it would take many times as long.  One that
        looks the same keeps what is hidden.
        """
        if alike(pane, self._pane):
            self._pane, self._drawn = pane, (None,)
            self.refresh()
        else:
            self._lay(pane)

    def _lay(self, pane: Pane) -> None:
        """A line for each curve, empty ones for those that are left over."""
        self._pane, self.hidden = pane, {c.key for c in pane.curves if c.hidden}
        while len(self._lines) < len(pane.curves):
            self._lines.append(self._item.plot([], []))
        for line in self._lines[len(pane.curves) :]:
            line.setData([], [])
        self._curves = {c.key: line for c, line in zip(pane.curves, self._lines)}
        self.dress()
        self.refresh()

    def dress(self) -> None:
        """Colours and fonts of the theme."""
        theme, item = self._theme, self._item
        self.setBackground(theme["plot"])
        item.showGrid(x=True, y=True, alpha=1.0)
        font = QtGui.QFont(self.font())
        font.setPixelSize(theme.dp(10))
        item.showAxis("right", self._pane.two_axes)
        for side in ("left", "bottom", "right"):
            axis = item.getAxis(side)
            # the grid belongs to the axis and would be drawn over the curves
            axis.setZValue(-1)
            axis.setPen(pg.mkPen(theme["plot_grid"]))
            axis.setTextPen(theme["plot_axis"])
            axis.setTickFont(font)
            axis.setStyle(
                tickLength=0,
                tickTextOffset=5,
                autoExpandTextSpace=False,
                maxTickLevel=0 if self._pane.log else 1,
                textFillLimits=[(0, 0.6), (2, 0.5)],
            )
            axis.enableAutoSIPrefix(False)
        item.getAxis("left").setWidth(theme.dp(38))
        item.getAxis("right").setWidth(theme.dp(34) if self._pane.two_axes else 0)
        item.getAxis("right").setGrid(False)
        item.getAxis("bottom").setHeight(theme.dp(18))
        for c in self._pane.curves:
            # what rigid bodies do not determine is dotted, as its numbers are hatched
            style = (
                Qt.PenStyle.DotLine
                if self._studio.questions.curves.loose(c.key)
                else Qt.PenStyle.DashLine
                if c.dashed
                else Qt.PenStyle.SolidLine
            )
            self._curves[c.key].setPen(pg.mkPen(self._theme.body(c.color), width=1.7, style=style))
        self._drawn = (None,)

    def toggle(self, key: str) -> None:
        """Show or hide a curve."""
        self.hidden ^= {key}
        self.refresh()

    def refresh(self) -> None:
        """Draw what is recorded, if it is more than was drawn."""
        recording, kept = self._studio.runs.recording, self._studio.runs.kept.runs
        count = 0 if recording is None else recording.count
        found = {
            c.key: self._studio.questions.curves.series(c.key)
            for c in self._pane.curves
            if not c.columns
        }
        state = (
            recording,
            kept,
            count,
            frozenset(self.hidden),
            frozenset(k for k, v in found.items() if v is not None),
        )
        if (
            len(state) == len(self._drawn)
            and state[0] is self._drawn[0]
            and state[1] is self._drawn[1]
            and state[2:] == self._drawn[2:]
        ):
            return
        self._drawn = state
        # more points than pixels cost time and show nothing
        stride = max(1, count // POINTS)
        shown: dict[Curve, tuple[np.ndarray, np.ndarray]] = {}
        for c in self._pane.curves:
            if recording is not None and count and c.key not in self.hidden:
                if c.columns:
                    values = numbers(
                        c, recording.rows[:count:stride], self._pane.log, recording.channels
                    )
                    # a run of another drawing may not have it
                    if values is not None:
                        shown[c] = (recording.time[:count:stride], values)
                elif (series := found[c.key]) is not None:
                    shown[c] = (series[0], shown_numbers(c, series[1], self._pane.log))
        earlier = [
            (n, c, xy)
            for n, run in enumerate(kept)
            if f"kept/{n}" not in self.hidden
            for c in self._pane.curves
            if c.key not in self.hidden
            and (xy := run.shown(c, self._pane.log, max(1, run.recording.count // POINTS)))
            is not None
        ]
        low, high = self._reach(
            [y for c, (_, y) in shown.items() if not c.second]
            + [y for _, c, (_, y) in earlier if not c.second]
        )
        self._right = self._second_scale(
            low,
            high,
            [y for c, (_, y) in shown.items() if c.second]
            + [y for _, c, (_, y) in earlier if c.second],
        )
        for c in self._pane.curves:
            x, y = shown.get(c, (NONE, NONE))
            self._curves[c.key].setData(x, self._placed(c, y) if len(y) else y)
        self._lay_kept(earlier)
        item = self._item
        self._box.setXRange(0.0, self._studio.runs.playback.duration or 1.0, padding=0.0)
        self._box.setYRange(low, high, padding=0)
        # without curves there are no numbers either
        item.getAxis("left").setTicks(
            []
            if not shown and not earlier
            else [power_ticks(low, high)]
            if self._pane.log
            else None
        )
        self.move_cursor()

    def _lay_kept(self, earlier: list[tuple[int, Curve, tuple[np.ndarray, np.ndarray]]]) -> None:
        """Curves of kept runs, thin and grey under the others."""
        item = self._item
        while len(self._kept) < len(earlier):
            self._kept.append(item.plot([], []))
            self._kept[-1].setZValue(-0.5)
        for line, (n, c, (x, y)) in zip(self._kept, earlier):
            line.setPen(pg.mkPen(self._theme["text3"], width=1.2, style=DASHES[n % len(DASHES)]))
            line.setData(x, self._placed(c, y))
        for line in self._kept[len(earlier) :]:
            line.setData([], [])

    def _reach(self, values: list[np.ndarray]) -> tuple[float, float]:
        """The range of an axis that shows these values, with room above and below."""
        finite = [v[np.isfinite(v)] for v in values]
        low, high = (
            min((v.min() for v in finite if v.size), default=np.inf),
            max((v.max() for v in finite if v.size), default=-np.inf),
        )
        if not np.isfinite(low):
            return (-14.0, -8.0) if self._pane.log else (0.0, 1.0)
        if self._pane.log:
            # single samples of an error that are zero by luck must not flatten the rest
            low = min(np.percentile(v, 3) for v in finite if v.size)
            return float(np.floor(low)) - 0.3, float(max(np.ceil(high), np.floor(low) + 3)) + 0.3
        # a quantity that does not change is a level line, not magnified rounding
        span = max(high - low, 1e-3 * max(abs(high), abs(low)), 1e-9)
        return float((high + low) / 2 - 0.56 * span), float((high + low) / 2 + 0.56 * span)

    def _second_scale(
        self, low: float, high: float, values: list[np.ndarray]
    ) -> tuple[float, float]:
        """The right axis over the range of the left one, and its ticks."""
        if not self._pane.two_axes:
            return 0.0, 1.0
        least, most = self._reach(values)
        slope = (most - least) / (high - low)
        offset = least - slope * low
        axis = self._item.getAxis("right")
        axis.setTicks(
            [[((v - offset) / slope, text) for v, text in even_ticks(least, most)]]
            if values
            else []
        )
        return offset, slope

    def _placed(self, curve: Curve, values: np.ndarray) -> np.ndarray:
        """A curve's values on the left axis's scale."""
        return (values - self._right[0]) / self._right[1] if curve.second else values

    def move_cursor(self) -> None:
        """The time line and a dot on each curve."""
        recording = self._studio.runs.recording
        sample = self._studio.runs.sample
        self._touch_cursor()
        self._time = self._studio.runs.playback.time
        self._dots = []
        for c in self._pane.curves:
            if sample is None or recording is None or not recording.count or c.key in self.hidden:
                continue
            if c.columns:
                value = numbers(c, sample[None, :], self._pane.log, recording.channels)
                if value is None:
                    continue
            elif (found := self._studio.questions.curves.series(c.key)) is not None:
                value = shown_numbers(c, np.interp([self._time], *found), self._pane.log)
            else:
                continue
            self._dots.append((float(self._placed(c, value)[0]), self._theme.body(c.color)))
        self._touch_cursor()

    def _at(self, y: float = 0.0) -> QtCore.QPointF:
        """Position of the cursor's time and of a value of the left axis [px]."""
        return self._box.mapViewToScene(QtCore.QPointF(self._time, y))

    def _touch_cursor(self) -> None:
        self.viewport().update(QtCore.QRect(round(self._at().x()) - 7, 0, 14, self.height()))

    def drawForeground(self, painter: QtGui.QPainter, rect: QtCore.QRectF | QtCore.QRect) -> None:
        super().drawForeground(painter, rect)
        if not self._dots:
            return
        frame = self._box.sceneBoundingRect()
        x = self._at().x()
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
        painter.fillRect(
            QtCore.QRectF(round(x - 0.5), frame.top(), 1, frame.height()), self._theme.color("text")
        )
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setPen(QtGui.QPen(self._theme.color("plot"), 1.5))
        for y, color in self._dots:
            painter.setBrush(QtGui.QColor(color))
            painter.drawEllipse(self._at(y), 4.0, 4.0)

    # dragging

    def _seek(self, event: QtGui.QMouseEvent) -> None:
        x = self._box.mapSceneToView(self.mapToScene(event.position().toPoint())).x()
        self._studio.runs.playback.pause()
        self._studio.runs.playback.seek(x)

    def mousePressEvent(self, ev: QtGui.QMouseEvent) -> None:
        if ev.button() == Qt.MouseButton.LeftButton:
            self._seek(ev)

    def mouseMoveEvent(self, ev: QtGui.QMouseEvent) -> None:
        if ev.buttons() & Qt.MouseButton.LeftButton:
            self._seek(ev)

    def mouseReleaseEvent(self, ev: QtGui.QMouseEvent) -> None:
        pass

    def wheelEvent(self, ev: QtGui.QWheelEvent) -> None:
        ev.ignore()
