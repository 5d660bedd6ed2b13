"""The time bar: transport, track, clock, chosen and possible rate."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.actions.registry import Action
from mechstudio.application.runs.playback import REPEATS, SPEEDS
from mechstudio.application.studio import Studio
from mechstudio.translation import localised, tr
from mechstudio.view.bars.track import Track
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, Readout, label, row

Qt = QtCore.Qt


def speed_text(speed: float) -> str:
    """ "1.00×", "2×", "1/32×"."""
    return (
        localised(f"{speed:.2f}×")
        if speed == 1
        else localised(f"{speed:g}×")
        if speed >= 1
        else f"1/{round(1 / speed)}×"
        if (1 / speed).is_integer()
        else localised(f"{speed:.2f}×")
    )


class WholeLabel(QtWidgets.QLabel):
    """Words that are there as a whole or, without the room, not at all: half a number would be
    another one.
    """

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(0, super().minimumSizeHint().height())

    @property
    def is_whole(self) -> bool:
        """True where the words have the room."""
        return self.width() >= self.sizeHint().width()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self.is_whole:
            super().paintEvent(event)


class TimeBar(QtWidgets.QFrame):
    """Full width, 52 px; its buttons are actions of the table, given by the window."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        trigger: Callable[[Action[Any]], None],
        kept: Sequence[Action[Any]] = (),
    ) -> None:
        """trigger(action): do it, if it may be done.  kept: actions that keep the run, for the menu
        of the track.
        """
        super().__init__()
        self.setObjectName("time")
        theme.fit(self, height=52)
        self._theme, self._studio = theme, studio
        self.track = Track(theme, studio, trigger, kept)
        self.play = QtWidgets.QToolButton()
        self.play.setObjectName("primary")
        theme.fit(self.play, width=34, height=34, icon=18)
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
        self.possible = WholeLabel()
        self.possible.setObjectName("three")
        self.possible.setTextFormat(Qt.TextFormat.PlainText)
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
            self.play.setAccessibleName(self.play.toolTip())
            repeat = REPEATS[playback.repeat]
            self.loop.setChecked(repeat.again)
            self.loop.set_icon(
                repeat.icon, tr("{now}. Click for the next way", now=tr(repeat.label))
            )
        self.play.setEnabled(studio.document.has_bodies)
        for button in self.buttons.values():
            button.setEnabled(playback.has_run)
        self.clock.show_text(localised(f"{playback.time:.3f} s"))
        self.clock.reserve(localised(f"{max(playback.until, 0.0):.3f} s").replace("1", "0"))
        for widget, text in (
            (self.total, localised(f"/ {playback.until:.10g} s")),
            (self.rate, self._rate()),
            (self.possible, self._possible()),
        ):
            if widget.text() != text:
                widget.setText(text)
        self.track.update()

    def _rate(self) -> str:
        """The speed of playing, and the one that is reached where the run comes more slowly."""
        chosen, behind = (
            speed_text(self._studio.runs.playback.speed),
            self._studio.runs.playback.behind,
        )
        return (
            chosen if behind is None else tr("{rate:.2f}× of {chosen}", rate=behind, chosen=chosen)
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
        return tr(
            "can do {rate}×",
            rate=localised(f"{rate:.1f}") if rate < 100 else localised(f"{rate:.0f}"),
        )
