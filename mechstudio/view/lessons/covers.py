"""Covered part of a pane, which a class predicts, and what somebody has drawn on it."""

import math
from collections.abc import Callable

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.lessons.checking import course_now, sketch_difference
from mechstudio.application.lessons.predictions import Sketch
from mechstudio.application.plots.panes import Pane
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
LINE = 2.2  # px of a sketch at the normal text size
DASHES = [5.0, 3.0]
INSIDE = 8  # px from the corner of the cover to its word at the normal text size


class Cover:
    """Cover of one pane over the time.  axis_of(key): place of zero and of one unit [SI] of a curve
    on the left axis.
    """

    def __init__(
        self, theme: Theme, studio: Studio, axis_of: Callable[[str], tuple[float, float]]
    ) -> None:
        self._theme, self._studio, self._axis_of = theme, studio, axis_of
        self._pen_down = False

    def begin(self, pane: Pane) -> float:
        """First covered instant [s], infinite where nothing is: the cover gives way to the time
        cursor, unless somebody draws on it.
        """
        predictions = self._studio.lecture.predictions
        covered = predictions.covered.get(pane.id)
        if covered is None:
            return math.inf
        return covered if predictions.drawing else max(covered, self._studio.runs.playback.time)

    def draws(self, pane: Pane, time: float) -> bool:
        """True where the pointer draws at an instant [s]."""
        drawing = self._studio.lecture.predictions.drawing
        return any(c.key == drawing for c in pane.curves) and time >= self.begin(pane)

    def draw(self, pane: Pane, time: float, value: float) -> bool:
        """Draw on at an instant [s] and a place on the left axis; False if nothing can be drawn.

        A sketch is over all that is covered, of which a zoomed pane shows a part.
        """
        predictions, begin = self._studio.lecture.predictions, self.begin(pane)
        if pane.log or not (self.draws(pane, time) or self._goes_on(pane)):
            return False
        zero, one = self._axis_of(predictions.drawing)
        end = self._end
        predictions.draw(predictions.drawing, begin, end, time, (value - zero) / one)
        self._pen_down = True
        return True

    @property
    def _end(self) -> float:
        """End of the prediction [s]: that of the interval of the step, or of the run."""
        step = self._studio.lecture.step
        whole = self._studio.plots.whole[1]
        return whole if step is None or step.end is None else min(step.end, whole)

    def _goes_on(self, pane: Pane) -> bool:
        drawing = self._studio.lecture.predictions.drawing
        return self._pen_down and any(c.key == drawing for c in pane.curves)

    def lift(self) -> None:
        """The button is up: the next stroke joins nothing."""
        self._pen_down = False
        for sketch in self._studio.lecture.predictions.sketches.values():
            sketch.lift()

    def paint(
        self,
        painter: QtGui.QPainter,
        frame: QtCore.QRectF,
        place: Callable[[float, float], QtCore.QPointF],
        pane: Pane,
    ) -> None:
        """Paint the cover, then what is drawn, and where it is farthest from the run."""
        theme, begin = self._theme, self.begin(pane)
        x = place(begin, 0.0).x() if math.isfinite(begin) else math.inf
        if x < frame.right():
            left = max(x, frame.left())
            cover = QtCore.QRectF(left, frame.top(), frame.right() - left + 1, frame.height() + 1)
            painter.fillRect(cover, theme.color("hover"))
            away = theme.dp(INSIDE)
            room = cover.adjusted(away, away, -away, -away)
            painter.setPen(theme.color("text2"))
            self._letters(painter, 11)
            words, right = tr("covered"), Qt.AlignmentFlag.AlignRight
            # letters of another font than the first may be taller
            needs = painter.boundingRect(cover, right, words)
            if room.height() < needs.height():
                room = cover.adjusted(away, 0, -away, 0)  # in a low pane without the air above
            # what has no room stays away: half a word says nothing, and the veil is seen
            if room.height() >= needs.height() and room.width() >= needs.width():
                painter.drawText(room, right, words)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        painter.setClipRect(frame.adjusted(-1, -1, 1, 1))
        for curve in pane.curves:
            sketch = self._studio.lecture.predictions.sketches.get(curve.key)
            if sketch is None:
                continue
            self._paint_sketch(painter, sketch, curve.key, place)
            if not math.isfinite(begin):
                self._paint_difference(painter, sketch, curve.key, place)
        painter.setClipping(False)

    def _letters(self, painter: QtGui.QPainter, size: int) -> None:
        font = QtGui.QFont(painter.font())
        font.setPixelSize(self._theme.dp(size))
        painter.setFont(font)

    def _paint_sketch(
        self,
        painter: QtGui.QPainter,
        sketch: Sketch,
        key: str,
        place: Callable[[float, float], QtCore.QPointF],
    ) -> None:
        pen = QtGui.QPen(self._theme.color("accent"), LINE * math.sqrt(self._theme.scale))
        pen.setDashPattern(DASHES)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        zero, one = self._axis_of(key)
        known = np.isfinite(sketch.values)
        ends = np.flatnonzero(np.diff(np.concatenate(([0], known.astype(int), [0]))))
        for first, last in ends.reshape(-1, 2):
            part = zip(sketch.times[first:last], sketch.values[first:last], strict=True)
            points = [place(float(t), zero + one * float(v)) for t, v in part]
            painter.drawPolyline(QtGui.QPolygonF(points))

    def _paint_difference(
        self,
        painter: QtGui.QPainter,
        sketch: Sketch,
        key: str,
        place: Callable[[float, float], QtCore.QPointF],
    ) -> None:
        """Line between sketch and run where they are farthest from each other."""
        found, course = sketch_difference(self._studio, key), course_now(self._studio, key)
        if found is None or course is None:
            return
        zero, one = self._axis_of(key)
        values = (
            float(np.interp(found.time, course.times, course.values)),
            float(np.interp(found.time, sketch.times, sketch.values)),
        )
        a, b = (place(found.time, zero + one * value) for value in values)
        painter.setPen(QtGui.QPen(self._theme.color("text"), 1.2 * math.sqrt(self._theme.scale)))
        painter.drawLine(a, b)
        for center in (a, b):
            wide = 4.0 * math.sqrt(self._theme.scale)
            painter.drawLine(center - QtCore.QPointF(wide, 0), center + QtCore.QPointF(wide, 0))
