"""Notes of who presents, on a second screen: the words of the step, the one that follows, and the
time of the class.
"""

import time

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import breakable, column, label, row, wrapped

Qt = QtCore.Qt
SIZE = (560, 640)  # of the window where there is one screen [px]


def screens() -> list[QtGui.QScreen]:
    """All screens of the computer."""
    return QtGui.QGuiApplication.screens()


class Notes(QtWidgets.QWidget):
    """A window of its own; closing it is not leaving."""

    def __init__(self, theme: Theme, studio: Studio, owner: QtWidgets.QMainWindow) -> None:
        super().__init__(owner, Qt.WindowType.Window)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(tr("Notes"))
        self._studio, self._owner, self._since = studio, owner, time.monotonic()
        self.clock, self.where = label("", "classclock"), label("", "two")
        self.title, self.words = wrapped("", "classtitle"), wrapped("", "")
        self.next = wrapped("", "three")
        box = column(self, theme.dp(10))
        edge = theme.dp(18)
        box.setContentsMargins(edge, edge, edge, edge)
        box.addWidget(row(self.where, None, self.clock))
        box.addWidget(self.title)
        box.addWidget(self.words)
        box.addStretch(1)
        box.addWidget(self.next)
        self._tick = QtCore.QTimer(self, interval=1000)
        self._tick.timeout.connect(self._show_time)
        studio.lecture.changed.connect(self.refresh)
        self.refresh()

    def turn(self, on: bool) -> None:
        """Open on the second screen, beside the window where there is none, or close."""
        if not on:
            self.hide()
            self._tick.stop()
            return
        others = [s for s in screens() if s is not self._owner.screen()]
        if others:
            self.setGeometry(others[0].availableGeometry())
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)
        else:
            self.setWindowState(Qt.WindowState.WindowNoState)
            room = self._owner.screen().availableGeometry()
            self.setGeometry(room.right() - SIZE[0] - 40, room.top() + 60, *SIZE)
        self.show()
        self._show_time()
        self._tick.start()
        self._owner.activateWindow()

    def _show_time(self) -> None:
        seconds = int(time.monotonic() - self._since)
        self.clock.setText(f"{seconds // 60}:{seconds % 60:02d}")

    def refresh(self) -> None:
        """Show the notes of the current step."""
        lecture = self._studio.lecture
        step, steps = lecture.step, lecture.steps
        lesson = self._studio.document.project.lesson
        self.where.setText(
            tr("{now} of {count}", now=lecture.index + 1, count=len(steps)) if step else ""
        )
        words = lesson.text if step is None else step.notes or step.text
        self.title.setText(breakable(lesson.title if step is None else step.title))
        self.words.setText(breakable(words))
        after = steps[lecture.index + 1] if lecture.index + 1 < len(steps) else None
        next_step = "" if after is None else tr("Next: {title}", title=after.title)
        self.next.setText(breakable(next_step))
