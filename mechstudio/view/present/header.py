"""Line above the scene in front of a class: title of the step, progress of the lesson, way back."""

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.translation import tr
from mechstudio.view.lessons.progress import StepBar
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Elided, IconButton, label

Qt = QtCore.Qt
HEIGHT = 50  # px at the normal text size
BAR = 112  # width of the bar of steps


class Header(QtWidgets.QFrame):
    """choose: opens the list of shown parts; leave: ends the presentation."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        title: Callable[[], str],
        choose: Callable[[], object],
        leave: Callable[[], object],
        host: QtWidgets.QWidget,
    ) -> None:
        """title(): of the document, where no step is current."""
        super().__init__(host)
        self.setObjectName("bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._studio, self._title = studio, title
        self.title = Elided("", "classtitle")
        self.bar, self.count = StepBar(theme), label("", "two")
        theme.fit(self.bar, width=BAR)
        self.bar.chosen.connect(studio.lecture.go)
        self.choose = IconButton(
            theme, "settings", tr("What is shown in front of the class"), 30, 17, clicked=choose
        )
        self.close_button = IconButton(
            theme, "close", tr("Back to the window (Esc)"), 30, 17, clicked=leave
        )
        box = QtWidgets.QHBoxLayout(self)
        edge = theme.dp(20)
        box.setContentsMargins(edge, 0, edge - theme.dp(8), 0)
        box.setSpacing(theme.dp(12))
        box.addWidget(self.title, 1)
        box.addWidget(self.bar)
        box.addWidget(self.count)
        for button in (self.choose, self.close_button):
            box.addWidget(button)
        studio.lecture.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current step."""
        lecture = self._studio.lecture
        step, count = lecture.step, len(lecture.steps)
        self.title.set_text((step.title if step is not None else "") or self._title())
        self.bar.setVisible(count > 0)
        self.count.setVisible(count > 0)
        self.bar.show_step(count, lecture.index)
        now = lecture.index + 1
        self.count.setText(
            tr("{now} of {count}", now=now, count=count)
            if now
            else tr("{count} steps", count=count)
        )
