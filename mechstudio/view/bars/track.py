"""The track of the time bar: Design end, recorded band, cursor, and brackets of the intervals of
playback and of plots.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.actions.registry import Action
from mechstudio.application.runs.recording import RunPart
from mechstudio.application.studio import Studio
from mechstudio.model.end_conditions import words
from mechstudio.model.rounding import round_above
from mechstudio.translation import localised, tr
from mechstudio.view.theme import Theme

Qt = QtCore.Qt
NATIVE = QtGui.QKeySequence.SequenceFormat.NativeText
DESIGN_WIDTH, GAP, EDGE = 58, 8, 10
# what the time cursor covers to either side of it [px at the normal text size]
CURSOR = 6
# how near the pointer takes an end of the part that is played, and how wide its bracket is [px at
# the normal text size]
NEAR, BRACKET = 6, 5
MOST_LISTED = 5  # changes that a tip names


def tick_step(duration: float, width: float, spacing: float = 124.0) -> float:
    """A step of 1, 2 or 5 times a power of ten [s] whose ticks stand at least `spacing` px
    apart.
    """
    if duration <= 0 or width <= 0:
        return 1.0
    return round_above(duration * spacing / width)


def word_start(left: float, width: float, cursor: float, margin: float) -> float:
    """Left end of a word of a given width [px]: `left`, or, where the cursor would cut the word, to
    the right of the cursor's room.
    """
    cut = left - margin < cursor < left + width + margin
    return left + width + 2 * margin if cut else left


# entries of the track's menu; those of the first group are about the instant under the pointer
HERE = (
    simulate.section_from_here,
    simulate.section_to_here,
    simulate.cursor_a_here,
    simulate.cursor_b_here,
    simulate.continue_from_here,
)
MENU = (
    HERE,
    (simulate.whole_run, simulate.loop, simulate.to_and_fro),
    (
        simulate.step_back,
        simulate.step_forward,
        simulate.solver_step_back,
        simulate.solver_step_forward,
    ),
    (simulate.slower, simulate.faster, simulate.real_time),
)


class Track(QtWidgets.QWidget):
    """Press or drag to put the time cursor; the Design end goes back to the drawing.  With Shift a
    drag chooses the part that is played, and its brackets can be dragged.  Below the track stand
    the brackets of the stretch that zoomed plots show: they are dragged at an end or as a whole.
    """

    accessible_role = QtGui.QAccessible.Role.Slider

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        trigger: Callable[[Action[Any]], None],
        kept: Sequence[Action[Any]] = (),
    ) -> None:
        """kept: further actions of the menu, about keeping the run."""
        super().__init__()
        self._theme, self._studio, self._trigger = theme, studio, trigger
        self._kept, self.menu = tuple(kept), None
        self._drag: Callable[[float], None] | None = None  # takes the time under the pointer
        self._impacted: tuple = (
            0,
            None,
            [],
        )  # how many impacts of which recording, and their times [s]
        theme.fit(self, least_width=160)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Time"))
        theme.changed.connect(self.update)
        studio.plots.changed.connect(self.update)

    def spoken_value(self) -> str:
        """Instant of the time cursor in words."""
        playback = self._studio.runs.playback
        if playback.at_design:
            return tr("the drawing")
        time, duration = localised(f"{playback.time:.3f}"), localised(f"{playback.duration:.4g}")
        return tr("{time} s of {duration} s", time=time, duration=duration)

    @property
    def _ends(self) -> tuple[float, float]:
        return self._design_width + GAP, self.width() - EDGE

    def x_of(self, time: float) -> float:
        """Position of a time on the track [px]."""
        left, right = self._ends
        playback = self._studio.runs.playback
        part = (time - playback.begin) / playback.duration if playback.duration > 0 else 0.0
        return left + (right - left) * min(max(part, 0.0), 1.0)

    def time_at(self, x: float) -> float:
        left, right = self._ends
        playback, part = self._studio.runs.playback, (x - left) / (right - left)
        return playback.begin + min(max(part, 0.0), 1.0) * playback.duration

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        playback, x = self._studio.runs.playback, event.position().x()
        if x < self._design_width:
            playback.to_design()
            return
        if (zoom := self._zoom_drag(event.position())) is not None:
            self._drag = zoom
            return
        other = self._other_end(x)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            other = self.time_at(x)
        if other is not None:
            self._drag = lambda time, other=other: playback.set_section(other, time)
            return
        self._drag = playback.seek
        playback.pause()
        playback.seek(self.time_at(x))

    def _zoom_drag(self, at: QtCore.QPointF) -> Callable[[float], None] | None:
        """Drag of the stretch that plots show: of an end, or of the whole; None elsewhere."""
        plots = self._studio.plots
        if plots.stretch is None or at.y() < self.height() / 2 + self._theme.dp(22) / 2:
            return None
        begin, end = plots.stretch
        near = self._theme.dp(NEAR)
        away = [abs(self.x_of(time) - at.x()) for time in (begin, end)]
        start = self.time_at(at.x())

        def show(first: float, last: float) -> None:
            plots.set_follow(False)
            plots.show(min(first, last), max(first, last))

        if min(away) <= near:
            stay = end if away[0] <= away[1] else begin
            return lambda time: show(stay, time)
        if begin <= start <= end:
            return lambda time: show(begin + time - start, end + time - start)
        return None

    def _other_end(self, x: float) -> float | None:
        """The end [s] that stays while the bracket under the pointer is dragged; None where there
        is no bracket.
        """
        section = self._studio.runs.playback.section
        if section is None:
            return None
        near = self._theme.dp(NEAR)
        return next(
            (section[1 - k] for k, time in enumerate(section) if abs(self.x_of(time) - x) <= near),
            None,
        )

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        x = event.position().x()
        if self._drag is not None:
            self._drag(self.time_at(x))
            return
        over = self._other_end(x) is not None
        if self._zoom_drag(event.position()) is not None:
            self.setCursor(Qt.CursorShape.SizeHorCursor)
            return
        self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.PointingHandCursor)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        self.menu = menu = QtWidgets.QMenu(self)
        menu.setToolTipsVisible(True)
        here = self.time_at(event.pos().x())

        def add(action: Action[Any]) -> None:
            def chosen() -> None:
                if action in HERE:
                    self._studio.runs.playback.pause()
                    self._studio.runs.playback.seek(here)
                self._trigger(action)

            keys = QtGui.QKeySequence(action.keys[0] if action.keys else "").toString(NATIVE)
            item = menu.addAction(f"{tr(action.text)}\t{keys}" if keys else tr(action.text))
            item.setObjectName(action.id)
            item.setToolTip(action.unless(self._studio))
            item.setEnabled(not action.unless(self._studio))
            item.setCheckable(action.checked is not None)
            item.setChecked(action.checked is not None and action.checked(self._studio))
            item.triggered.connect(chosen)

        for group in (*MENU, self._kept):
            for action in group:
                add(action)
            menu.addSeparator()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ToolTip:
            ended = tr("The run ended when {what}", what=self._ended()) if self._ended() else ""
            at = event.pos().x() if isinstance(event, QtGui.QHelpEvent) else -1.0
            self.setToolTip(self._change_at(at) or ended)
        return super().event(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._drag = None

    @property
    def _design_width(self) -> int:
        """Width of the end that goes back to the design, wide enough for its word [px]."""
        font = self.font()
        font.setPixelSize(self._theme.dp(11))
        word = QtGui.QFontMetrics(font).horizontalAdvance(tr("Design"))
        return max(self._theme.dp(DESIGN_WIDTH), word + self._theme.dp(2 * GAP))

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        theme, playback = self._theme, self._studio.runs.playback
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(theme.dp(11))
        painter.setFont(font)
        left, right = self._ends
        middle, height = self.height() / 2, theme.dp(22)
        band = QtCore.QRectF(left, middle - height / 2, right - left, height)
        design = QtCore.QRectF(0, middle - height / 2, self._design_width, height)
        self._box(painter, design, "accent_soft" if playback.at_design else "hover")
        painter.setPen(theme.color("accent_text" if playback.at_design else "text2"))
        painter.drawText(design, Qt.AlignmentFlag.AlignCenter, tr("Design"))
        now, end = self.x_of(playback.time), self.x_of(playback.end)
        clip = QtGui.QPainterPath()
        clip.addRoundedRect(band, 5, 5)
        painter.setClipPath(clip)
        painter.fillRect(band, theme.color("hover"))
        if playback.has_run:
            painter.fillRect(
                QtCore.QRectF(left, band.top(), end - left, height), theme.color("press")
            )
            painter.fillRect(
                QtCore.QRectF(left, band.top(), now - left, height), theme.color("accent_soft")
            )
        self._impacts(painter, band)
        self._changes(painter, band)
        taken = self._end_mark(painter, band, end)
        self._numbers(painter, band, taken)
        painter.setClipping(False)
        self._brackets(painter, band)
        self._zoom(painter, band)
        if playback.has_run:
            self._cursor(painter, now, middle, height)

    def _box(self, painter: QtGui.QPainter, rect: QtCore.QRectF, role: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(role))
        painter.drawRoundedRect(rect, 5, 5)

    def _ended(self) -> str:
        """Condition that ended the run before its duration, in words; empty where none did."""
        recording = self._studio.runs.recording
        ended_by = None if recording is None else recording.ended_by
        return (
            ""
            if recording is None or ended_by is None
            else words(ended_by, recording.project.mechanism, self._studio.preferences.units)
        )

    def _impacts(self, painter: QtGui.QPainter, band: QtCore.QRectF) -> None:
        """A tick at the foot of the band for every instant at which something was struck, one per
        pixel at most.
        """
        recording = self._studio.runs.recording
        if recording is None or not recording.events:
            return
        if len(recording.events) != self._impacted[0] or recording is not self._impacted[1]:
            self._impacted = len(recording.events), recording, [e.time for e in recording.events]
        places = {round(self.x_of(time)) for time in self._impacted[2]}
        high = self._theme.dp(5)
        for x in places:
            painter.fillRect(
                QtCore.QRectF(x - 0.5, band.bottom() - high, 1, high), self._theme.color("text3")
            )

    def _changes(self, painter: QtGui.QPainter, band: QtCore.QRectF) -> None:
        """A tick from the head of the band for every change that was made while the run went on."""
        high, wide = self._theme.dp(6), self._theme.dp(2)
        for part in self._changed:
            x = self.x_of(part.begin)
            painter.fillRect(
                QtCore.QRectF(x - wide / 2, band.top(), wide, high), self._theme.color("accent")
            )

    @property
    def _changed(self) -> tuple[RunPart, ...]:
        """The parts of the run that begin with a change."""
        recording = self._studio.runs.recording
        return () if recording is None else recording.parts[1:]

    def _change_at(self, x: float) -> str:
        """Words of the changes near a place of the track [px]; "" for none."""
        near = self._theme.dp(NEAR)
        here = [p for p in self._changed if abs(self.x_of(p.begin) - x) <= near]
        return "\n".join(
            tr("{change} at {time}", change=part.words, time=localised(f"{part.begin:.4g} s"))
            for part in here[-MOST_LISTED:]
        )

    def _brackets(self, painter: QtGui.QPainter, band: QtCore.QRectF) -> None:
        """Brackets around the part that is played; what lies outside it is veiled."""
        section = self._studio.runs.playback.section
        if section is None:
            return
        first, last = (self.x_of(time) for time in section)
        veil = self._theme.color("panel")
        veil.setAlphaF(0.6)
        for left, right in ((band.left(), first), (last, band.right())):
            painter.fillRect(QtCore.QRectF(left, band.top(), right - left, band.height()), veil)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QtGui.QPen(self._theme.color("accent"), self._theme.dp(2)))
        wide, top, bottom = self._theme.dp(BRACKET), band.top() - 2, band.bottom() + 2
        for x, inward in ((first, wide), (last, -wide)):
            painter.drawPolyline(
                QtGui.QPolygonF(
                    [
                        QtCore.QPointF(x + inward, top),
                        QtCore.QPointF(x, top),
                        QtCore.QPointF(x, bottom),
                        QtCore.QPointF(x + inward, bottom),
                    ]
                )
            )

    def _zoom(self, painter: QtGui.QPainter, band: QtCore.QRectF) -> None:
        """Brackets below the band around the stretch that zoomed plots show."""
        plots, dp = self._studio.plots, self._theme.dp
        if plots.stretch is None:
            return
        first, last = (self.x_of(time) for time in plots.stretch)
        top, bottom = band.bottom() + 2, band.bottom() + 2 + dp(5)
        pen = QtGui.QPen(self._theme.color("text2"), dp(1.6))
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        corners = ((first, top), (first, bottom), (last, bottom), (last, top))
        painter.drawPolyline(QtGui.QPolygonF([QtCore.QPointF(x, y) for x, y in corners]))

    def _end_mark(
        self, painter: QtGui.QPainter, band: QtCore.QRectF, end: float
    ) -> tuple[float, float]:
        """Paint the mark where a condition ended the run, with its name beside it where there is
        room.  Returns the range of the band that it takes [px].
        """
        text = self._ended()
        if not text:
            return band.right(), band.right()
        painter.fillRect(
            QtCore.QRectF(end - 1.5, band.top(), 3, band.height()), self._theme.color("accent")
        )
        metrics = painter.fontMetrics()
        room = int(band.right() - end) - 16
        shown = (
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            if room > self._theme.dp(60)
            else ""
        )
        painter.setPen(self._theme.color("text2"))
        painter.drawText(
            QtCore.QRectF(end + 8, band.top(), room, band.height()),
            Qt.AlignmentFlag.AlignVCenter,
            shown,
        )
        return end - 4, end + 8 + metrics.horizontalAdvance(shown)

    def _numbers(
        self, painter: QtGui.QPainter, band: QtCore.QRectF, taken: tuple[float, float]
    ) -> None:
        """Seconds along the track, and what the band is.   taken: where something else stands
        [px].
        """
        playback, theme = self._studio.runs.playback, self._theme
        word = ""
        if self._studio.runs.is_running:
            word = tr("Simulating") if playback.has_run else tr("Waiting for the solver")
        elif playback.has_run:
            word = (
                tr("Ended")
                if self._ended()
                else tr("Recorded")
                if playback.end >= playback.until - 1e-6 * playback.duration
                else tr("Recorded so far")
            )
        now, wide = self.x_of(playback.time), painter.fontMetrics().horizontalAdvance(word)
        start = word_start(band.left() + 10, wide, now, theme.dp(CURSOR))
        if start + wide + 6 > taken[0]:
            word = ""  # the mark says it
        painter.setPen(theme.color("text3" if playback.at_design else "accent_text"))
        painter.drawText(
            QtCore.QRectF(start, band.top(), wide + 1, band.height()),
            Qt.AlignmentFlag.AlignVCenter,
            word,
        )
        free = start + wide + 8 if word else band.left()
        painter.setPen(theme.color("text3"))
        step = tick_step(playback.duration, band.width(), theme.dp(124))
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = playback.begin / step + 1e-9, playback.until / step - 1e-9
        for k in range(math.floor(first) + 1, math.ceil(last)):
            x = self.x_of(k * step)
            if (
                x - theme.dp(16) > free
                and x + theme.dp(16) < band.right()
                and not taken[0] - theme.dp(16) < x < taken[1] + theme.dp(16)
            ):
                painter.drawText(
                    QtCore.QRectF(x - theme.dp(40), band.top(), theme.dp(80), band.height()),
                    Qt.AlignmentFlag.AlignCenter,
                    localised(f"{k * step:.{decimals}f}"),
                )

    def _cursor(self, painter: QtGui.QPainter, x: float, middle: float, height: float) -> None:
        top, bottom = (
            QtCore.QPointF(x, middle - height / 2 - 5),
            QtCore.QPointF(x, middle + height / 2 + 5),
        )
        painter.setPen(QtGui.QPen(self._theme.color("panel"), 5))
        painter.drawLine(top, bottom)
        painter.setPen(
            QtGui.QPen(
                self._theme.color("accent"), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap
            )
        )
        painter.drawLine(top, bottom)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        painter.drawEllipse(top, 4.5, 4.5)
