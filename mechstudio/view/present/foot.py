"""Lines below the scene in front of a class: chosen sliders, a large play button, the time, and the
keys.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.actions import simulate
from mechstudio.application.actions.registry import Action
from mechstudio.application.studio import Studio
from mechstudio.translation import Words, localised, tr
from mechstudio.view.bars.status_line import mobility_words
from mechstudio.view.bars.time_bar import speed_text
from mechstudio.view.bars.track import Track
from mechstudio.view.panels.controls import Controls
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, Readout, column, label, row, set_property

Qt = QtCore.Qt
HEIGHT = 128  # px at the normal text size
PLAY, SIDE = 52, 34
EDGE = 20
SLIDERS = 2  # that there is room for
WIDE = 1000  # px at the normal text size from which on all keys are named


class Hint(NamedTuple):
    """One key in the last line.  least: width from which on it is shown [px at the normal text
    size].
    """

    action: Action[Any]
    key: str
    words: Words
    least: int = 0


class KeyHint(QtWidgets.QPushButton):
    """Key and its effect; a click has the same effect."""

    def __init__(self, theme: Theme, key: str, words: str, clicked: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("keyhint")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(f"{words} ({key})")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(theme.dp(3), 0, theme.dp(3), 0)
        box.setSpacing(theme.dp(5))
        for part in (label(key, "classkey"), label(words, "two")):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            box.addWidget(part)
        self.clicked.connect(lambda _=False: clicked())

    def sizeHint(self) -> QtCore.QSize:
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def minimumSizeHint(self) -> QtCore.QSize:
        return self.sizeHint()

    def show_on(self, on: bool) -> None:
        """Mark what is switched on."""
        set_property(self, "on", on)


class Foot(QtWidgets.QFrame):
    """sliders(): names of the chosen ones.  is_on(action): whether it is switched on."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        trigger: Callable[[Action[Any]], None],
        sliders: Callable[[], Sequence[str]],
        hints: Sequence[Hint],
        is_on: Callable[[Action[Any]], bool],
        host: QtWidgets.QWidget,
    ) -> None:
        super().__init__(host)
        self.setObjectName("time")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme, self._studio, self._is_on = theme, studio, is_on
        self._hints = {hint: self._key(hint, trigger) for hint in hints}
        self.controls = Controls(theme, studio, lambda: sliders()[:SLIDERS])
        self.play = QtWidgets.QToolButton()
        self.play.setObjectName("primary")
        self.play.setProperty("large", True)
        theme.fit(self.play, width=PLAY, height=PLAY, icon=26)
        self.play.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.play.clicked.connect(lambda: trigger(simulate.play))
        self.sides = [
            IconButton(theme, action.icon, tip, SIDE, 22, clicked=lambda a=action: trigger(a))
            for action, tip in (
                (simulate.to_design, tr("Back to the design (Home)")),
                (simulate.step_back, tr("Step back (Left)")),
                (simulate.step_forward, tr("Step forward (Right)")),
            )
        ]
        self.loop = IconButton(
            theme,
            "loop",
            tr("Loop"),
            SIDE,
            22,
            checkable=True,
            clicked=lambda: trigger(simulate.loop),
        )
        self.clock, self.speed = Readout("classclock", "0.00 s"), label("", "two")
        self.speed.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.track = Track(theme, studio, trigger)
        theme.fit(self.track, height=34)
        self.mobility = label("", "two")
        transport = row(self.sides[0], self.sides[1], self.play, self.sides[2], self.loop, gap=8)
        edge = theme.dp(EDGE)
        self._upper = QtWidgets.QHBoxLayout()
        self._upper.addWidget(self.controls, 5, Qt.AlignmentFlag.AlignVCenter)
        self._upper.addWidget(transport, 4, Qt.AlignmentFlag.AlignCenter)
        times = QtWidgets.QWidget()
        box = column(times, 2)
        box.addStretch(1)
        box.addWidget(self.clock)
        box.addWidget(self.speed)
        box.addStretch(1)
        self._upper.addWidget(times, 3)
        lower = row(self.mobility, None, *self._hints.values(), gap=theme.dp(4))
        lines = column(self, 0)
        lines.setContentsMargins(edge, theme.dp(4), edge, theme.dp(4))
        lines.addLayout(self._upper, 1)
        lines.addWidget(self.track)
        lines.addWidget(lower)
        self._shown: object = None
        playback = studio.runs.playback
        playback.changed.connect(self.refresh)
        studio.runs.recorded.connect(self.refresh)
        studio.questions.analysed.connect(self.refresh)
        studio.lecture.changed.connect(self.refresh)
        theme.follow(self._repaint)
        self._repaint()

    def _key(self, hint: Hint, trigger: Callable[[Action[Any]], None]) -> KeyHint:
        return KeyHint(self._theme, hint.key, tr(hint.words), lambda: trigger(hint.action))

    def _repaint(self) -> None:
        self._shown = None
        self.refresh()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self._repaint()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_hints()

    def _fit_hints(self) -> None:
        """Name as many keys as there is room for."""
        wide = self.width() / self._theme.scale
        for hint, shown in self._hints.items():
            shown.setVisible(wide >= hint.least and not hint.action.unless(self._studio))

    def hint(self, action: Action[Any]) -> KeyHint:
        """The key of an action."""
        return next(shown for hint, shown in self._hints.items() if hint.action is action)

    def refresh(self) -> None:
        """Bring time, buttons and keys up to date."""
        if self.isHidden():
            return
        studio, playback = self._studio, self._studio.runs.playback
        if self._shown != (playback.playing, playback.repeat):
            self._shown = (playback.playing, playback.repeat)
            name = "pause" if playback.playing else "play"
            self.play.setIcon(QtGui.QIcon(self._theme.pixmap(name, "on_accent", 26)))
            self.play.setToolTip(tr("Pause (Space)") if playback.playing else tr("Play (Space)"))
            self.play.setAccessibleName(tr("Pause") if playback.playing else tr("Play"))
            self.loop.setChecked(playback.repeat == "loop")
        for button in self.sides:
            button.setEnabled(playback.has_run)
        self.clock.show_text(localised(f"{playback.time:.2f} s"))
        self.clock.reserve(localised(f"{max(playback.until, 0.0):.2f} s").replace("1", "0"))
        words = "" if playback.speed == 1 else tr("{speed} speed", speed=speed_text(playback.speed))
        if self.speed.text() != words:
            self.speed.setText(words)
        self.speed.setVisible(bool(words))
        analysis = studio.questions.analysis
        s = None if analysis is None else analysis.structure
        if s is not None:
            words = f"{mobility_words(s)}    {tr('Hyperstatic {count}', count=s.hyperstaticity)}"
            if self.mobility.text() != words:
                self.mobility.setText(words)
        for hint, shown in self._hints.items():
            shown.show_on(self._is_on(hint.action))
        self._fit_hints()
        self.track.update()
