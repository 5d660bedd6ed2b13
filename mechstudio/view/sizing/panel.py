"""Balance and size: the helper, its fields, its answer before and after, and Apply."""

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model.project import Project
from mechstudio.model.sizing.additions import with_additions
from mechstudio.model.sizing.answer import Sized
from mechstudio.model.sizing.helpers import HELPERS
from mechstudio.translation import tr
from mechstudio.view.sizing.form import HelperForm
from mechstudio.view.sizing.results import Results
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.scroll import Scroll
from mechstudio.view.widgets.widgets import Bar, row, throw_away, wrapped

Qt = QtCore.Qt
NARROW = 620  # width up to which the fields stand above the answer [px at the normal text size]
PAIRED = 430  # width from which on they stand in two columns there
FORM = 280  # width of the fields beside it


class SizingPanel(QtWidgets.QWidget):
    """A choice, its fields and a button; then the answer.  What was applied stays in sight until
    the drawing changes again.
    """

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.what = next(iter(HELPERS))
        self._shown: Sized | None = None
        self._applied: Project | None = None
        self.kind = Choice(
            theme,
            tr("Helper"),
            lambda: [
                (key, tr("{name}: {use}", name=tr(h.label), use=tr(h.summary)), "")
                for key, h in HELPERS.items()
            ],
            lambda: self.what,
            self._choose,
            lambda key: tr(HELPERS[key].label),
        )
        self.button = QtWidgets.QPushButton()
        self.button.clicked.connect(self._press)
        self.apply_button = QtWidgets.QPushButton(tr("Apply"))
        self.apply_button.clicked.connect(self.apply)
        for button in (self.button, self.apply_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.progress = Bar(theme)
        self.words = wrapped("", "three")
        self.forms = {what: HelperForm(theme, studio, what) for what in HELPERS}
        for form in self.forms.values():
            form.requested.connect(self.ask)
        self.results: Results | None = None
        self._room = QtWidgets.QWidget()
        self._answer = QtWidgets.QVBoxLayout()
        self._parts = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight, self._room)
        self._parts.setContentsMargins(0, 0, 6, 0)
        self._parts.setSpacing(18)
        fields = QtWidgets.QVBoxLayout()
        for form in self.forms.values():
            fields.addWidget(form)
        fields.addStretch()
        self._parts.addLayout(fields)
        self._answer.addWidget(self.words)
        self._answer.addStretch()
        self._parts.addLayout(self._answer, 1)
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 6, 6, 6)
        box.setSpacing(6)
        box.addWidget(row(self.kind, self.button, None, self.apply_button, margins=(0, 0, 6, 0)))
        box.addWidget(self.progress)
        box.addWidget(Scroll(self._room), 1)
        studio.questions.sizing.changed.connect(self._follow)
        studio.document.changed.connect(lambda old, new: self._changed(new))
        studio.preferences.units_changed.connect(self._again)
        theme.changed.connect(self._again)
        self.refresh()

    # the request

    def choose(self, what: str) -> None:
        """Turn to a helper, a key of HELPERS."""
        self.kind.choose(what)

    def _choose(self, key: str) -> None:
        self.what = key
        self._studio.questions.sizing.cancel()
        self._forget()
        self.refresh()

    def _press(self) -> None:
        if self._studio.questions.sizing.state == "searching":
            self._studio.questions.sizing.cancel()
        else:
            self.ask()

    def ask(self) -> None:
        """Request an answer of the helper for the present drawing."""
        if self._studio.document.has_bodies:
            self._forget()
            given = {k: v for k, v in self.forms[self.what].given.items() if v}
            self._studio.questions.sizing.request(self.what, given)

    def apply(self) -> None:
        """Put what was proposed into the drawing: one step to undo."""
        sized = self._shown
        if sized is None or not sized.additions:
            return
        document, step = self._studio.document, tr(HELPERS[sized.what].step)
        self._applied = with_additions(document.project, sized.additions)
        document.commit(step, self._applied)
        self._studio.notifications.say(
            Message(
                "info",
                tr("{step}: done. Ctrl+Z takes it back.", step=step),
                "sizing",
                passing=True,
            )
        )
        self.refresh()

    # what is shown

    def _forget(self) -> None:
        self._shown = self._applied = None

    def _changed(self, new: Project) -> None:
        if self._applied is not None and new != self._applied:
            self._forget()
        if self.isVisible():
            self.refresh()

    def _follow(self) -> None:
        question = self._studio.questions.sizing
        if question.result is not None:
            self._shown = question.result
            if question.result.what == "motor":
                self.forms["motor"].motors = question.result.tables[0].labels
        elif self._applied is None:
            self._shown = None
        if self.isVisible():
            self.refresh()

    def _again(self) -> None:
        """Units or colours are others: show the answer again."""
        self._drop()
        self.refresh()

    def _drop(self) -> None:
        if self.results is not None:
            throw_away(self.results)
            self.results = None

    def refresh(self) -> None:
        """Show the request, its progress and its result."""
        question, shown = self._studio.questions.sizing, self._shown
        searching = question.state == "searching"
        self.kind.refresh()
        for what, form in self.forms.items():
            form.setVisible(what == self.what)
        self.forms[self.what].refresh()
        self.button.setText(tr("Cancel") if searching else tr("Find"))
        self.button.setEnabled(self._studio.document.has_bodies)
        self.apply_button.setVisible(shown is not None and bool(shown.additions))
        self.apply_button.setEnabled(self._applied is None)
        self.apply_button.setText(tr("Apply") if self._applied is None else tr("Applied"))
        self.apply_button.setToolTip(tr(HELPERS[self.what].adds))
        self.progress.setVisible(searching)
        self.progress.set_value(round(100 * question.progress))
        self.words.setText(self._words())
        self.words.setVisible(bool(self.words.text()))
        if self.results is not None and self.results.sized is not shown:
            self._drop()
        if shown is not None and self.results is None:
            self.results = Results(self._theme, shown, self._studio.preferences.units)
            self._answer.insertWidget(1, self.results)
        self._arrange()

    def _words(self) -> str:
        question = self._studio.questions.sizing
        if self._shown is not None:
            return ""
        if question.state == "searching":
            return tr("The drawing is run, and again with what is found.")
        if question.sentence:
            return question.sentence
        summary = tr(HELPERS[self.what].summary)
        return f"{summary[:1].upper()}{summary[1:]}. " + tr("Nothing changes before Apply.")

    def _arrange(self) -> None:
        """Fields above the answer where there is little room, beside it else."""
        beside = self.width() > self._theme.dp(NARROW)
        way = QtWidgets.QBoxLayout.Direction
        self._parts.setDirection(way.LeftToRight if beside else way.TopToBottom)
        for form in self.forms.values():
            form.arrange(not beside and self.width() > self._theme.dp(PAIRED))
            form.setMaximumWidth(self._theme.dp(FORM) if beside else 16777215)
            form.setMinimumWidth(self._theme.dp(FORM) if beside else 0)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
