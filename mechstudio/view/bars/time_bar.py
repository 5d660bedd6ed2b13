"""The time bar: transport, track with Design end, recorded band and cursor, clock, wanted and
possible rate.
"""

import math
from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.actions.registry import Action
from mechstudio.application.runs.playback import REPEATS, SPEEDS
from mechstudio.application.studio import Studio
from mechstudio.model.end_conditions import words
from mechstudio.model.rounding import round_above
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, Readout, label, row

Qt = QtCore.Qt
DESIGN_WIDTH, GAP, EDGE = 58, 8, 10
# what the time cursor covers to either side of it [px at the normal text size]
CURSOR = 6
# how near the pointer takes an end of the part that is played, and how wide its bracket is [px at
# the normal text size]
NEAR, BRACKET = 6, 5


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


def speed_text(speed: float) -> str:
    """ "1.00×", "2×", "1/32×"."""
    return (
        f"{speed:.2f}×"
        if speed == 1
        else f"{speed:g}×"
        if speed >= 1
        else f"1/{round(1 / speed)}×"
        if (1 / speed).is_integer()
        else f"{speed:.2f}×"
    )


# entries of the track's menu
MENU = (
    (simulate.section_from_here, simulate.section_to_here, simulate.whole_run),
    (simulate.loop, simulate.to_and_fro),
)


class Track(QtWidgets.QWidget):
    """Press or drag to put the time cursor; the Design end goes back to the drawing.  With Shift a
    drag chooses the part that is played, and its brackets can be dragged.
    """

    def __init__(
        self, theme: Theme, studio: Studio, trigger: Callable[[Action[Studio]], None]
    ) -> None:
        super().__init__()
        self._theme, self._studio, self._trigger = theme, studio, trigger
        self._drag: Callable[[float], None] | None = None  # takes the time under the pointer
        self._impacted: tuple = (
            0,
            None,
            [],
        )  # how many impacts of which recording, and their times [s]
        theme.fit(self, "setMinimumWidth", 160)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Time"))
        theme.changed.connect(self.update)

    @property
    def _ends(self) -> tuple[float, float]:
        return self._theme.dp(DESIGN_WIDTH) + GAP, self.width() - EDGE

    def x_of(self, time: float) -> float:
        """Position of a time on the track [px]."""
        left, right = self._ends
        duration = self._studio.runs.playback.duration
        return left + (right - left) * (min(time / duration, 1.0) if duration > 0 else 0.0)

    def time_at(self, x: float) -> float:
        left, right = self._ends
        return min(max((x - left) / (right - left), 0.0), 1.0) * self._studio.runs.playback.duration

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        playback, x = self._studio.runs.playback, event.position().x()
        if x < self._theme.dp(DESIGN_WIDTH):
            playback.to_design()
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
        self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.PointingHandCursor)

    def contextMenuEvent(self, event: QtGui.QContextMenuEvent) -> None:
        menu = QtWidgets.QMenu(self)
        here = self.time_at(event.pos().x())

        def add(action: Action[Studio]) -> None:
            def chosen() -> None:
                if action in (simulate.section_from_here, simulate.section_to_here):
                    self._studio.runs.playback.pause()
                    self._studio.runs.playback.seek(here)
                self._trigger(action)

            item = menu.addAction(tr(action.text))
            item.setEnabled(not action.unless(self._studio))
            item.setCheckable(action.checked is not None)
            item.setChecked(action.checked is not None and action.checked(self._studio))
            item.triggered.connect(chosen)

        for group in MENU:
            for action in group:
                add(action)
            menu.addSeparator()
        menu.exec(event.globalPos())

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.ToolTip:
            self.setToolTip(
                tr("The run ended when {what}", what=self._ended()) if self._ended() else ""
            )
        return super().event(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        self._drag = None

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
        design = QtCore.QRectF(0, middle - height / 2, theme.dp(DESIGN_WIDTH), height)
        self._box(painter, design, "accent_soft" if playback.at_design else "hover")
        painter.setPen(theme.color("accent_text" if playback.at_design else "text2"))
        painter.drawText(design, Qt.AlignmentFlag.AlignCenter, tr("Design"))
        now, end = self.x_of(playback.time), self.x_of(playback.end)
        clip = QtGui.QPainterPath()
        clip.addRoundedRect(band, 5, 5)
        painter.setClipPath(clip)
        painter.fillRect(band, theme.color("hover"))
        if playback.end > 0:
            painter.fillRect(
                QtCore.QRectF(left, band.top(), end - left, height), theme.color("press")
            )
            painter.fillRect(
                QtCore.QRectF(left, band.top(), now - left, height), theme.color("accent_soft")
            )
        self._impacts(painter, band)
        taken = self._end_mark(painter, band, end)
        self._numbers(painter, band, taken)
        painter.setClipping(False)
        self._brackets(painter, band)
        if playback.end > 0:
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
            word = tr("Simulating") if playback.end > 0 else tr("Waiting for the solver")
        elif playback.end > 0:
            word = (
                tr("Ended")
                if self._ended()
                else tr("Recorded")
                if playback.end >= playback.duration * (1 - 1e-6)
                else tr("Recorded so far")
            )
        now, wide = self.x_of(playback.time), painter.fontMetrics().horizontalAdvance(word)
        start = word_start(band.left() + 10, wide, now, theme.dp(CURSOR))
        if start + wide + 6 > taken[0]:
            word = ""  # the mark says it
        painter.setPen(theme.color("accent_text" if playback.time > 0 else "text3"))
        painter.drawText(
            QtCore.QRectF(start, band.top(), wide + 1, band.height()),
            Qt.AlignmentFlag.AlignVCenter,
            word,
        )
        free = start + wide + 8 if word else band.left()
        painter.setPen(theme.color("text3"))
        step = tick_step(playback.duration, band.width(), theme.dp(124))
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        for k in range(1, math.ceil(playback.duration / step - 1e-9)):
            x = self.x_of(k * step)
            if (
                x - theme.dp(16) > free
                and x + theme.dp(16) < band.right()
                and not taken[0] - theme.dp(16) < x < taken[1] + theme.dp(16)
            ):
                painter.drawText(
                    QtCore.QRectF(x - theme.dp(40), band.top(), theme.dp(80), band.height()),
                    Qt.AlignmentFlag.AlignCenter,
                    f"{k * step:.{decimals}f}",
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


class TimeBar(QtWidgets.QFrame):
    """Full width, 52 px; its buttons are actions of the table, given by the window."""

    def __init__(
        self, theme: Theme, studio: Studio, trigger: Callable[[Action[Studio]], None]
    ) -> None:
        """trigger(action): do it, if it may be done."""
        super().__init__()
        self.setObjectName("time")
        theme.fit(self, "setFixedHeight", 52)
        self._theme, self._studio = theme, studio
        self.track = Track(theme, studio, trigger)
        self.play = QtWidgets.QToolButton()
        self.play.setObjectName("primary")
        theme.fit(self.play, "setFixedSize", 34, 34)
        theme.fit(self.play, "setIconSize", 18, 18)
        self.play.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.play.clicked.connect(lambda: trigger(simulate.play))
        side = {
            action.id: IconButton(
                theme, action.icon, tip, clicked=lambda action=action: trigger(action)
            )
            for action, tip in (
                (simulate.to_design, tr("Back to the design (Home)")),
                (simulate.step_back, tr("Step back (Left)")),
                (simulate.step_forward, tr("Step forward (Right)")),
            )
        }
        self.buttons = side
        self.loop = IconButton(
            theme,
            "loop",
            checkable=True,
            clicked=self._next_repeat,
        )
        self.clock, self.total = Readout("clock", "0.000 s"), label("", "three")
        self.rate = QtWidgets.QPushButton()
        self.rate.setObjectName("rate")
        self.rate.setToolTip(tr("Speed of playing (comma, full stop)"))
        self.rate.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QtWidgets.QMenu(self.rate)
        for speed in SPEEDS:
            menu.addAction(speed_text(speed)).triggered.connect(
                lambda _=False, speed=speed: studio.runs.playback.set_speed(speed)
            )
        self.rate.setMenu(menu)
        self.possible = label("", "three")
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 0, 16, 0)
        box.setSpacing(8)
        box.addWidget(
            row(
                side["to_design"],
                side["step_back"],
                self.play,
                side["step_forward"],
                self.loop,
                gap=4,
            )
        )
        box.addSpacing(8)
        box.addWidget(self.track, 1)
        box.addWidget(row(self.clock, self.total, gap=5))
        box.addSpacing(4)
        box.addWidget(row(self.rate, self.possible, gap=6))
        studio.runs.playback.changed.connect(self.refresh)
        for signal in (
            studio.questions.solver_changed,
            studio.runs.recorded,
            studio.questions.analysed,
        ):
            signal.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        theme.follow(self._repaint)
        self._shown: object = None
        self._repaint()

    def _next_repeat(self) -> None:
        """Turn to the next way to repeat."""
        playback, ways = self._studio.runs.playback, list(REPEATS)
        playback.set_repeat(ways[(ways.index(playback.repeat) + 1) % len(ways)])

    def _repaint(self) -> None:
        self._shown = None
        self.refresh()

    def refresh(self) -> None:
        playback, studio = self._studio.runs.playback, self._studio
        playing = playback.playing
        if self._shown != (playing, playback.repeat):
            self._shown = (playing, playback.repeat)
            self.play.setIcon(
                QtGui.QIcon(self._theme.pixmap("pause" if playing else "play", "on_accent", 18))
            )
            self.play.setToolTip(tr("Pause (Space)") if playing else tr("Play (Space)"))
            repeat = REPEATS[playback.repeat]
            self.loop.setChecked(repeat.again)
            self.loop.set_icon(repeat.icon, tr("{now}. Click for the next way", now=repeat.label))
        self.play.setEnabled(studio.document.has_bodies)
        for button in self.buttons.values():
            button.setEnabled(playback.end > 0)
        self.clock.show_text(f"{playback.time:.3f} s")
        self.clock.reserve(f"{max(playback.duration, 0.0):.3f} s".replace("1", "0"))
        for widget, text in (
            (self.total, f"/ {playback.duration:g} s"),
            (self.rate, self._rate()),
            (self.possible, self._possible()),
        ):
            if widget.text() != text:
                widget.setText(text)
        self.track.update()

    def _rate(self) -> str:
        """The speed of playing, and the one that is reached where the run comes more slowly."""
        wanted, behind = (
            speed_text(self._studio.runs.playback.speed),
            self._studio.runs.playback.behind,
        )
        return (
            wanted if behind is None else tr("{rate:.2f}× of {wanted}", rate=behind, wanted=wanted)
        )

    def _possible(self) -> str:
        """Attainable speed of the solver in words: "can do 6.3×"."""
        recording = self._studio.runs.recording
        rate = (
            recording.statistics.rate
            if recording is not None and recording.statistics is not None
            else None
        )
        if not rate:
            return tr("can do –")
        return tr("can do {rate}×", rate=f"{rate:.1f}" if rate < 100 else f"{rate:.0f}")
