"""The page on which a path, a motion or a function is requested and linkages answer: the question
at the left, the sheet in the middle, the linkages at the right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help.pages import Topic
from mechstudio.application.notifications import Message
from mechstudio.application.synthesis.answers import Answer
from mechstudio.application.synthesis.draft import Draft
from mechstudio.application.synthesis.insertion import use
from mechstudio.application.synthesis.question import FUNCTION, problem_of, task_of
from mechstudio.translation import tr, trn
from mechstudio.view.synthesis.gallery import Gallery
from mechstudio.view.synthesis.setup import SetupColumn
from mechstudio.view.synthesis.sheet import Sheet
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import Bar, Elided, IconButton, label, row

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

Qt = QtCore.Qt
KEY = "synthesis"  # of messages
LEFT, RIGHT = 300, 336  # px of the columns at the normal text size


class SynthesisPage(QtWidgets.QWidget):
    """Made with the first synthesis and hidden when it is left."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window.host)
        self.setObjectName("study")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._window, self._theme, self._studio = window, window.theme, window.studio
        self.search, self.draft = window.studio.synthesis, Draft()
        self.setup = SetupColumn(self._theme, self.draft)
        self.setup.closed.connect(self.leave)
        self.sheet = Sheet(self._theme, self._studio, self.draft)
        self.setup.remade.connect(self.sheet.setFocus)
        self.gallery = Gallery(self._theme, self.search)
        self.gallery.viewed.connect(self.sheet.show_answer)
        self.gallery.used.connect(self.use)
        self._make_line()
        self._lay_out()
        self.search.changed.connect(self.refresh)
        self.draft.changed.connect(self._question_changed)
        self._theme.resized.connect(self.place)
        self.refresh()
        self.hide()

    def _make_line(self) -> None:
        self.count, self.note = label("", "title"), Elided("", "two")
        self.bar = Bar(self._theme)
        self.cancel = QtWidgets.QPushButton(tr("Cancel"))
        self.cancel.setToolTip(tr("Stop; the linkages that were found stay"))
        self.cancel.clicked.connect(lambda _=False: self.search.cancel())
        self.seek = QtWidgets.QPushButton(tr("Find linkages"))
        self.seek.setObjectName("strong")
        self.seek.setToolTip(tr("Search beside the window; answers come as they are found"))
        self.seek.clicked.connect(lambda _=False: self.start())
        for button in (self.cancel, self.seek):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.see_all = IconButton(
            self._theme, "fit", tr("See all of it"), 26, 16, clicked=self.sheet.fit
        )
        self.undo = IconButton(
            self._theme, "undo", tr("Undo on this page"), 26, 16, clicked=self.draft.undo
        )
        self.redo = IconButton(
            self._theme, "redo", tr("Redo on this page"), 26, 16, clicked=self.draft.redo
        )
        self.ask = IconButton(
            self._theme,
            "help",
            tr("Help on synthesis"),
            26,
            16,
            clicked=lambda: self._window.docks.open_help(Topic("studies")),
        )
        self.take = QtWidgets.QPushButton(tr("Use this linkage"))
        self.take.setObjectName("decisive")
        self.take.setToolTip(tr("Put it into the drawing in one undo step, and run it"))
        self.take.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.take.clicked.connect(lambda _=False: self.use(self.gallery.chosen))
        self.where = Elided("", "three")

    def _lay_out(self) -> None:
        self._left = Scroll(self.setup)
        self._left.setObjectName("studyside")
        line = row(
            self.count,
            self.bar,
            self.note,
            self.undo,
            self.redo,
            self.see_all,
            self.ask,
            self.cancel,
            self.seek,
            margins=(12, 8, 12, 8),
            gap=8,
        )
        line.box.setStretch(1, 2)
        line.box.setStretch(2, 1)
        middle = row(line, self.sheet, vertical=True, gap=0)
        middle.box.setStretch(1, 1)
        below = row(self.take, self.where, margins=(12, 10, 12, 10), gap=5, vertical=True)
        self._right = row(self.gallery, below, vertical=True, gap=0)
        self._right.setObjectName("studyside")
        self._right.box.setStretch(0, 1)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._left)
        box.addWidget(middle, 1)
        box.addWidget(self._right)

    # coming and going

    @property
    def is_on(self) -> bool:
        """True while it has the room of the window."""
        return self._window.room.guest is self

    def enter(self) -> None:
        """Show the sheet as it was left."""
        window = self._window
        if self.is_on:
            return
        window.room.take(self)
        self.refresh()
        self.show()
        self.place()
        self.raise_()
        window.banners.raise_()
        self.sheet.show_answer(None)
        self.sheet.show_answer(self.gallery.shown)
        self.sheet.setFocus()
        window.actions_.refresh()

    def leave(self) -> None:
        """Give the window back; a search that is under way goes on."""
        if self.is_on:
            self._window.room.restore()

    def left(self) -> None:
        """Let nothing move that is not seen."""
        self.sheet.rest()

    def place(self) -> None:
        """Take the room of the scene."""
        if not self.is_on:
            return
        host, dp = self._window.host, self._theme.dp
        self._left.setFixedWidth(min(dp(LEFT), round(0.27 * host.width())))
        self._right.setFixedWidth(min(dp(RIGHT), round(0.3 * host.width())))
        self.setGeometry(host.rect())
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self._window.banners.place(
            QtCore.QRect(self._left.width() + 12, dp(48), self.sheet.width() - 24, host.height())
        )
        self._window.banners.raise_()

    # what is done

    def start(self) -> None:
        """Search linkages for the request."""
        if problem_of(self.draft.now):
            return
        self.gallery.forget()
        self.search.start(task_of(self.draft.now))

    def use(self, answer: Answer | None) -> None:
        """Put a linkage into the drawing and run it."""
        task = self.search.task
        if answer is None or task is None:
            return
        self.search.cancel()
        reason = use(self._studio.document, answer, task)
        if reason:
            self._studio.notifications.say(Message("error", reason, KEY))
            return
        self.leave()
        window = self._window
        window.viewport.framing.view_from("front")
        window.viewport.framing.fit()
        self._studio.runs.simulate()
        self._studio.runs.playback.play()

    def _question_changed(self) -> None:
        """Another question: answers of the last one are not shown over it where it is of another
        kind.
        """
        task, question = self.search.task, self.draft.now
        if task is not None and task.purpose != question.purpose and self.sheet.shown is not None:
            self.gallery.choose(None)
        self.refresh()

    @property
    def is_outdated(self) -> bool:
        """True if the answers are of another question."""
        if self.search.task is None or problem_of(self.draft.now):
            return False
        return task_of(self.draft.now) != self.search.task

    def refresh(self) -> None:
        """Show the state of now."""
        search, question = self.search, self.draft.now
        working, many = search.state == "working", len(search.answers)
        problem = problem_of(question)
        rows = len(question.table)
        self.count.setText(
            trn("One linkage", "{count} linkages", many)
            if many
            else tr("Searching…")
            if working
            else trn("One pair", "{count} pairs", rows)
            if question.purpose == FUNCTION
            else trn("One point", "{count} points", rows)
        )
        self.bar.setVisible(working)
        self.bar.set_value(round(100 * search.share))
        self.note.set_text(
            ""
            if working or (search.task is None and not rows)
            else problem
            or (tr("The question was changed since: search again.") if self.is_outdated else "")
        )
        self.cancel.setVisible(working)
        self.seek.setVisible(not working)
        self.seek.setEnabled(not problem)
        self.take.setEnabled(self.gallery.chosen is not None)
        self.where.set_text(
            tr("It stands where it is drawn, beside what is there")
            if self._studio.document.has_bodies
            else tr("one undo step")
        )

    # keys

    def event(self, event: QtCore.QEvent) -> bool:
        # the page has an undo of its own; Delete is for points, Space for nothing
        if event.type() == QtCore.QEvent.Type.ShortcutOverride and isinstance(
            event, QtGui.QKeyEvent
        ):
            own = (
                event.matches(QtGui.QKeySequence.StandardKey.Undo)
                or event.matches(QtGui.QKeySequence.StandardKey.Redo)
                or event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)
            )
            if own:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if event.matches(QtGui.QKeySequence.StandardKey.Undo):
            self.draft.undo()
        elif event.matches(QtGui.QKeySequence.StandardKey.Redo):
            self.draft.redo()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.search.answers and not self.is_outdated:
                self.use(self.gallery.chosen)
            else:
                self.start()
        else:
            super().keyPressEvent(event)
