"""Tasks of the first drawing in a panel: the finished ones, the next one, and the exit."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.lessons.first_drawing import TASKS
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import column, row, set_property, wrapped

Qt = QtCore.Qt
NUMERAL = 20  # [px at the normal text size]
DONE, NOW, LATER = "done", "now", "later"
TONES = {  # of a numeral: its ring and letters, its ground
    DONE: ("ok", "ok_soft"),
    NOW: ("accent_text", "raised"),
    LATER: ("text3", ""),
}


class Numeral(QtWidgets.QWidget):
    """Number of a task in a ring; a tick once it is done."""

    def __init__(self, theme: Theme, number: int) -> None:
        super().__init__()
        self._theme, self._number, self.state = theme, number, LATER
        theme.fit(self, width=NUMERAL, height=NUMERAL)
        theme.follow(self.update)

    def show_state(self, state: str) -> None:
        self.state = state
        self.update()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        theme, painter = self._theme, QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        tone, ground = TONES[self.state]
        room = QtCore.QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(QtGui.QPen(theme.color(tone), 1.4 * theme.scale))
        painter.setBrush(theme.color(ground) if ground else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(room)
        if self.state == DONE:
            picture = theme.pixmap("ok", "ok", 12, 2.4)
            size = picture.deviceIndependentSize()
            painter.drawPixmap(
                room.center() - QtCore.QPointF(size.width(), size.height()) / 2, picture
            )
        else:
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


class TaskLine(QtWidgets.QFrame):
    """A task: its number, its name, and for the next task its instructions."""

    def __init__(self, theme: Theme, number: int, note: str) -> None:
        super().__init__()
        self.setObjectName("task")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.numeral = Numeral(theme, number)
        self.name, self.note = wrapped(""), wrapped(note, "two")
        words = QtWidgets.QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.name)
        words.addWidget(self.note)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(10, 6, 10, 6)
        box.setSpacing(9)
        box.addWidget(self.numeral, 0, Qt.AlignmentFlag.AlignTop)
        box.addLayout(words, 1)

    def show_state(self, state: str, name: str) -> None:
        """Show the progress of the task."""
        self.name.setText(name)
        self.numeral.show_state(state)
        self.note.setVisible(state == NOW)
        set_property(self, "state", state)
        set_property(self.name, "state", state)
        sample_text = {DONE: tr("{task}: done", task=name), NOW: tr("{task}: next", task=name)}
        self.setAccessibleName(sample_text.get(state, name))


class FirstCard(QtWidgets.QWidget):
    """List of the tasks.  counted(words): their progress. left(): skipped, or closed at the end.
    samples(): the gallery is requested.  grown(): it needs another height.
    """

    counted = QtCore.Signal(str)
    left = QtCore.Signal()
    samples = QtCore.Signal()
    grown = QtCore.Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._shown: tuple[int, str, str] | None = None
        self._following = 0
        self.words = wrapped("", "two")
        self.tasks = [TaskLine(theme, k, tr(task.note)) for k, task in enumerate(TASKS, 1)]
        self.skip = QtWidgets.QPushButton()
        self.skip.setObjectName("line")
        self.skip.clicked.connect(lambda _=False: self.left.emit())
        self.more = QtWidgets.QPushButton(tr("Samples and lessons"))
        self.more.setObjectName("line")
        self.more.clicked.connect(lambda _=False: self.samples.emit())
        self._back = wrapped(tr("Comes back only from Help"), "three")
        self._back.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        box = column(self, 2)
        box.setContentsMargins(8, 2, 8, 8)
        above = QtWidgets.QHBoxLayout()
        above.setContentsMargins(6, 0, 6, 8)
        above.addWidget(self.words)
        box.addLayout(above)
        for task in self.tasks:
            box.addWidget(task)
        foot = row(self.skip, self.more, self._back, margins=(2, 2, 6, 0))
        foot.box.setStretch(2, 1)
        box.addWidget(foot)
        box.addStretch(1)

    def show_tasks(self, done: tuple[bool, ...], pin: str, energy: str) -> None:
        """Show the progress. pin: name of the crank's pin. energy: the reading, in words."""
        following = next((k for k, each in enumerate(done) if not each), len(done))
        if (shown := (following, pin, f"{done}{energy}")) == self._shown:
            return
        self._shown, self._following = shown, following
        for k, (task, line) in enumerate(zip(TASKS, self.tasks, strict=True)):
            state = DONE if done[k] else NOW if k == following else LATER
            line.show_state(state, tr(task.words, pin=pin))
        is_over = following == len(done)
        self.words.setText(
            energy
            if is_over
            else tr("About a minute. Do it yourself on the drawing; the hand only shows where.")
        )
        self.skip.setText(tr("Close") if is_over else tr("Skip"))
        self.more.setVisible(is_over)
        self._back.setVisible(not is_over)
        self.counted.emit(
            tr("done")
            if is_over
            else tr("{number} of {count}", number=following + 1, count=len(done))
        )
        self.grown.emit()

    def fit(self, width: int, room: int) -> int:
        """Hide parts that the next task does not need, if a room [px] is too low for all: the
        sentence above the tasks, then the other tasks.  Returns the height that it takes.
        """
        layout, height = self.layout(), 0
        if layout is None:
            return height
        for words, others in ((True, True), (False, True), (False, False)):
            self.words.setVisible(words or self._following == len(self.tasks))
            for k, line in enumerate(self.tasks):
                line.setVisible(others or k == self._following)
            layout.invalidate()
            height = layout.totalHeightForWidth(width)
            if height <= room:
                break
        return height
