"""The lesson in a panel: gone through step by step, or written."""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.lessons.filled_text import filled
from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.lessons.progress import StepBar
from mechstudio.view.lessons.questions import Compare, Questions
from mechstudio.view.lessons.writing import StepWriter
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import breakable, column, label, row, wrapped

Qt = QtCore.Qt
FOLLOW_MS = 66


class LessonPanel(QtWidgets.QWidget):
    """add(): adds a step as the window is now; record(): sets the current one so.  counted(words):
    for the head.
    """

    counted = QtCore.Signal(str)

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        compare: Compare,
        add: Callable[[], object],
        record: Callable[[], object],
    ) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.writes = False
        self.bar = StepBar(theme)
        self.bar.chosen.connect(studio.lecture.go)
        self.title, self.text = wrapped("", "lessontitle"), wrapped("", "two")
        self.questions = Questions(theme, studio, compare)
        self.writer = StepWriter(theme, studio, add, record)
        self.empty = wrapped(
            tr("No lesson yet. Arrange the window as the first step shall show it, and add it."),
            "three",
        )
        self.first = QtWidgets.QPushButton(tr("Add step"))
        self.first.clicked.connect(lambda _=False: add())
        reading = QtWidgets.QWidget()
        box = column(reading, theme.dp(10))
        edge = theme.dp(12)
        box.setContentsMargins(edge, 0, edge, edge)
        for widget in (self.title, self.text, self.questions, self.empty):
            box.addWidget(widget)
        box.addWidget(self.first, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        self.reading = Scroll(reading)
        self.writing = Scroll(self.writer)
        self.back = self._button(tr("Back"), lambda: studio.lecture.turn(-1), "flat")
        self.forth = self._button(tr("Next step"), lambda: studio.lecture.turn(1), "")
        self.key = label(tr("Page Down"), "three")
        self.foot = row(self.back, None, self.key, self.forth, margins=(10, 6, 12, 8), gap=8)
        rule = QtWidgets.QFrame()
        rule.setObjectName("rule")
        rule.setFixedHeight(1)
        head = QtWidgets.QWidget()
        above = column(head)
        above.setContentsMargins(edge, 0, edge, theme.dp(6))
        above.addWidget(self.bar)
        whole = column(self)
        whole.addWidget(head)
        whole.addWidget(self.reading, 1)
        whole.addWidget(self.writing, 1)
        whole.addWidget(rule)
        whole.addWidget(self.foot)
        self._late = QtCore.QTimer(self, singleShot=True, interval=FOLLOW_MS)
        self._late.timeout.connect(self._say)
        studio.lecture.changed.connect(self.refresh)
        studio.document.changed.connect(lambda old, new: self.refresh())
        for signal in (studio.runs.playback.changed, studio.runs.recorded):
            signal.connect(self._soon)
        studio.preferences.units_changed.connect(self._soon)
        self.refresh()

    def _button(
        self, words: str, clicked: Callable[[], object], look: str
    ) -> QtWidgets.QPushButton:
        button = QtWidgets.QPushButton(words)
        button.setObjectName(look)
        button.clicked.connect(lambda _=False: clicked())
        return button

    def _soon(self, *_: object) -> None:
        if self.isVisible() and not self._late.isActive():
            self._late.start()

    def showEvent(self, event: object) -> None:
        self.refresh()

    def write(self, on: bool) -> None:
        """Write the lesson, or go through it."""
        self.writes = on
        self.refresh()

    def refresh(self) -> None:
        """Show the current step."""
        lecture = self._studio.lecture
        count, now = len(lecture.steps), lecture.index
        self.bar.show_step(count, now)
        self.bar.setVisible(count > 0)
        self.counted.emit(
            ""
            if not count
            else tr("Step {now} of {count}", now=now + 1, count=count)
            if now >= 0
            else tr("{count} steps", count=count)
        )
        self.reading.setVisible(not self.writes)
        self.writing.setVisible(self.writes)
        self.empty.setVisible(not count)
        self.first.setVisible(not count)
        self.back.setEnabled(now > 0)
        self.forth.setEnabled(now < count - 1)
        self.forth.setText(tr("Begin") if now < 0 else tr("Next step"))
        self.foot.setVisible(count > 0)
        if self.writes:
            self.writer.refresh()
        self._say()

    def _say(self) -> None:
        """Title and text with the numbers of now."""
        lecture, lesson = self._studio.lecture, self._studio.document.project.lesson
        step = lecture.step
        title = lesson.title if step is None else step.title
        text = lesson.text if step is None else filled(step.text, self._studio)
        for shown, words in ((self.title, breakable(title)), (self.text, breakable(text))):
            if shown.text() != words:
                shown.setText(words)
            shown.setVisible(bool(words) and bool(lecture.steps))
