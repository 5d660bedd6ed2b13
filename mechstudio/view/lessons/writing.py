"""The lesson as it is written: its steps in a list, words and questions of the current one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.lessons import edits
from mechstudio.application.lessons.checking import with_unit
from mechstudio.application.lessons.filled_text import key_of, spoken, stored, unknown
from mechstudio.application.studio import Studio
from mechstudio.curves.quantities import quantity
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.naming import presentable
from mechstudio.model.project import (
    CHOOSE,
    EQUATION,
    NUMBER,
    PREDICT,
    Question,
    Step,
)
from mechstudio.model.units import DIMENSIONS
from mechstudio.translation import Words, tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import IconButton, column, label, row, throw_away, wrapped

Qt = QtCore.Qt
replace = msgspec.structs.replace
TYPES: dict[str, Words] = {
    CHOOSE: "Choose",
    NUMBER: "Number with unit",
    PREDICT: "Draw a curve",
    EQUATION: "Equation",
}
LINES = 4  # of a text


class TextField(QtWidgets.QPlainTextEdit):
    """Field of several lines.  edited(text): when it is left, or at rest."""

    edited = QtCore.Signal(str)

    def __init__(self, theme: Theme, name: str, lines: int = LINES) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        theme.fit(self, height=18 * lines + 10)
        self._rest = QtCore.QTimer(self, singleShot=True, interval=400)
        self._rest.timeout.connect(self._report)
        self.textChanged.connect(self._typed)

    def _typed(self) -> None:
        if self.hasFocus():
            self._rest.start()

    def _report(self) -> None:
        self._rest.stop()
        self.edited.emit(self.toPlainText())

    def finish(self) -> None:
        """Report now what was typed."""
        if self._rest.isActive():
            self._report()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finish()

    def show_text(self, text: str, force: bool = False) -> None:
        """Show another text, unless somebody types here; force: then too."""
        if force:
            self._rest.stop()
        if self.toPlainText() != text and (force or not self.hasFocus()):
            with QtCore.QSignalBlocker(self):
                self.setPlainText(text)


class LineField(QtWidgets.QLineEdit):
    """Field of one line.  edited(text): when it is left."""

    edited = QtCore.Signal(str)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.editingFinished.connect(self._report)

    def _report(self) -> None:
        self.setModified(False)
        self.edited.emit(self.text())

    def finish(self) -> None:
        """Report now what was typed."""
        if self.isModified():
            self._report()

    def show_text(self, text: str, force: bool = False) -> None:
        """Show another text, unless somebody types here; force: then too."""
        if self.text() != text and (force or not self.hasFocus()):
            self.setText(text)


def framed(theme: Theme, field: QtWidgets.QWidget) -> QtWidgets.QFrame:
    """A field of one line in its frame."""
    frame = QtWidgets.QFrame()
    frame.setObjectName("field")
    theme.fit(frame, height=26)
    box = QtWidgets.QHBoxLayout(frame)
    box.setContentsMargins(7, 0, 7, 0)
    box.addWidget(field)
    return frame


class QuestionWriter(QtWidgets.QFrame):
    """Fields of one question.  put(question): it is another, None to remove it."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        question: Question,
        put: Callable[[Question | None], object],
    ) -> None:
        super().__init__()
        self.setObjectName("card")
        self._theme, self._studio, self._put = theme, studio, put
        self.question = question
        self._box = column(self, 4)
        edge = theme.dp(10)
        self._box.setContentsMargins(edge, theme.dp(6), edge, edge)
        drop = IconButton(
            theme, "close", tr("Delete this question"), 24, 12, clicked=lambda: put(None)
        )
        self._box.addWidget(row(label(tr(TYPES[question.type]), "title"), None, drop))
        self.text = self._lines(tr("Question"), "text", 2)
        type = question.type
        if type == CHOOSE:
            self.choices = self._rows(tr("Choices, one a line"), "choices")
            self.answer = self._line(tr("Number of the right one"), "answer")
        elif type == NUMBER:
            self.answer = self._line(tr("Right answer, with its unit"), "answer")
            self.dimension = QtWidgets.QComboBox()
            self.dimension.setAccessibleName(tr("Dimension"))
            self.dimension.addItems(sorted(DIMENSIONS))
            self.dimension.setCurrentText(question.dimension)
            self.dimension.activated.connect(lambda _: self._dimension_chosen())
            self._box.addWidget(row(label(tr("Dimension"), "two"), None, self.dimension))
        elif type == PREDICT:
            self.channel = self._line(tr("Quantity, as the list of quantities names it"), "channel")
        else:
            self.answer = self._line(tr("Right equation, for the solutions"), "answer")
        if type in (NUMBER, PREDICT):
            self.tolerance = self._line(tr("Tolerance, as a part of it"), "tolerance")
        self.because = self._line(tr("Said when it is right"), "because")
        self.hints = self._rows(tr("Hints, one a line"), "hints", 2)
        self.wrong = wrapped("", "wrong")
        self._box.addWidget(self.wrong)
        self.show_question(question)

    def _line(self, name: str, field: str) -> LineField:
        made = LineField(self._theme, name)
        made.edited.connect(lambda text: self._typed(field, text.strip()))
        self._box.addWidget(label(name, "two"))
        self._box.addWidget(framed(self._theme, made))
        return made

    def _lines(self, name: str, field: str, lines: int) -> TextField:
        made = TextField(self._theme, name, lines)
        made.edited.connect(lambda text: self._typed(field, text.strip()))
        self._box.addWidget(label(name, "two"))
        self._box.addWidget(made)
        return made

    def _rows(self, name: str, field: str, lines: int = 3) -> TextField:
        made = TextField(self._theme, name, lines)
        made.edited.connect(
            lambda text: self._change(
                **{field: tuple(s for each in text.splitlines() if (s := each.strip()))}
            )
        )
        self._box.addWidget(label(name, "two"))
        self._box.addWidget(made)
        return made

    def _typed(self, field: str, text: str) -> None:
        project = self._studio.document.project
        if field == "channel":
            key = key_of(text, project)
            self._say("" if key else tr("No quantity is called {text}.", text=text))
            if key:
                self._change(channel=key)
        elif field == "tolerance":
            try:
                value = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
            except ValueError:
                value = -1.0
            good = 0.0 < value <= 1.0
            self._say("" if good else tr("A tolerance lies between 0 and 1, as 0.02 or 2 %."))
            if good:
                self._change(tolerance=value)
        elif field == "answer" and self.question.type == NUMBER:
            self._answer_typed(text)
        else:
            self._change(**{field: text})

    def _answer_typed(self, text: str) -> None:
        """Keep a right number with its unit; one that cannot be read is kept, and reported."""
        studio, words = self._studio, ""
        try:
            units = studio.preferences.units
            kept = with_unit(text, self.question, studio.document.project, units) if text else ""
        except ExpressionError as error:
            kept, words = text, str(error)
        self._say(words)
        self._change(answer=kept)

    def _dimension_chosen(self) -> None:
        self._change(dimension=self.dimension.currentText())
        self._answer_typed(self.question.answer)

    def _say(self, words: str) -> None:
        self.wrong.setText(words)
        self.wrong.setVisible(bool(words))

    def _change(self, **fields: Any) -> None:
        new = replace(self.question, **fields)
        if new != self.question:
            self.question = new
            self._put(new)

    def show_question(self, question: Question) -> None:
        """Show the question as it is now."""
        self.question = question
        self.text.show_text(question.text)
        self.because.show_text(question.because)
        self.hints.show_text("\n".join(question.hints))
        if question.type == CHOOSE:
            self.choices.show_text("\n".join(question.choices))
        if question.type == PREDICT:
            known = quantity(self._studio.document.project, question.channel)
            self.channel.show_text("" if known is None else known.name)
        else:
            self.answer.show_text(question.answer)
        if question.type in (NUMBER, PREDICT):
            self.tolerance.show_text(f"{100 * question.tolerance:g} %")
        self.wrong.setVisible(bool(self.wrong.text()))


class StepWriter(QtWidgets.QWidget):
    """List of steps and fields of the current one.  add, record: as of LessonPanel."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        add: Callable[[], object],
        record: Callable[[], object],
    ) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.list = QtWidgets.QListWidget()
        self.list.setAccessibleName(tr("Steps"))
        self.list.itemClicked.connect(lambda item: studio.lecture.go(self.list.row(item)))
        self.add = self._button("plus", tr("Add step as the window is now"), add)
        self.record = self._button("run", tr("Set this step as the window is now"), record)
        self.up = self._button("up", tr("Earlier"), lambda: self._move(-1))
        self.down = self._button("down", tr("Later"), lambda: self._move(1))
        self.drop = self._button("close", tr("Delete this step"), self._drop)
        self.title = LineField(theme, tr("Title"))
        self.title.edited.connect(lambda text: self._change(title=presentable(text)))
        self.text = TextField(theme, tr("Text"), 5)
        self.text.edited.connect(self._text_edited)
        self.notes = TextField(theme, tr("Notes for who presents"), 3)
        self.notes.edited.connect(lambda text: self._change(notes=text))
        self.covered = QtWidgets.QCheckBox(tr("Curves are covered at first"))
        self.plays = QtWidgets.QCheckBox(tr("It plays at once"))
        for box, field in ((self.covered, "covered"), (self.plays, "plays")):
            box.setObjectName("line")
            box.clicked.connect(lambda on, field=field: self._change(**{field: on}))
        self.wrong = wrapped("", "wrong")
        self.asks = QtWidgets.QPushButton(tr("Ask a question"))
        menu = QtWidgets.QMenu(self.asks)
        for type, words in TYPES.items():
            menu.addAction(tr(words)).triggered.connect(lambda _=False, t=type: self._ask(t))
        self.asks.setMenu(menu)
        self.questions: list[QuestionWriter] = []
        self._of: object = None
        self._id = ""  # of the step whose fields are shown
        box = column(self, theme.dp(5))
        edge = theme.dp(12)
        box.setContentsMargins(edge, 0, edge, edge)
        box.addWidget(row(self.add, self.record, self.up, self.down, None, self.drop, gap=2))
        box.addWidget(self.list)
        self._fields = QtWidgets.QWidget()
        inside = column(self._fields, theme.dp(4))
        for name, widget in (
            (tr("Title"), framed(theme, self.title)),
            (tr("Text; quantities in braces show their numbers"), self.text),
            (tr("Notes for who presents"), self.notes),
        ):
            inside.addWidget(label(name, "two"))
            inside.addWidget(widget)
        for widget in (self.wrong, self.covered, self.plays):
            inside.addWidget(widget)
        holder = QtWidgets.QWidget()
        self._questions = column(holder, theme.dp(8))
        inside.addWidget(holder)
        inside.addWidget(self.asks, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(self._fields)
        box.addStretch(1)

    def _button(self, icon: str, tip: str, clicked: Callable[[], object]) -> IconButton:
        return IconButton(self._theme, icon, tip, 26, 15, clicked=clicked)

    @property
    def _step(self) -> Step | None:
        return self._studio.lecture.step

    def _change(self, **fields: Any) -> None:
        if self._id:
            edits.change(self._studio, self._id, f"step {'-'.join(fields)}", **fields)

    def _finish(self) -> None:
        """Keep what was typed last, of the step whose fields are shown."""
        for kind in (TextField, LineField):
            for field in self.findChildren(kind):
                field.finish()

    def _put_question(self, number: int, new: Question | None) -> None:
        if new is None:
            self._finish()
        edits.put_question(self._studio, self._id, number, new)

    def _text_edited(self, text: str) -> None:
        project = self._studio.document.project
        odd = unknown(text, project)
        self.wrong.setText(
            tr("No quantity and no parameter is called {name}.", name=odd[0]) if odd else ""
        )
        self.wrong.setVisible(bool(odd))
        self._change(text=stored(text, project))

    def _move(self, by: int) -> None:
        if self._step is not None:
            edits.move(self._studio, self._step.id, by)

    def _drop(self) -> None:
        if self._step is not None:
            edits.remove(self._studio, self._step.id)

    def _ask(self, type: str) -> None:
        if self._step is not None:
            question = Question(type, tolerance=0.15 if type == PREDICT else 0.02)
            edits.put_question(self._studio, self._step.id, len(self._step.questions), question)

    def refresh(self) -> None:
        """Show list, step and questions as they are now."""
        lecture, step = self._studio.lecture, self._step
        titles = [f"{k}  {s.title or s.id}" for k, s in enumerate(lecture.steps, 1)]
        if [self.list.item(k).text() for k in range(self.list.count())] != titles:
            self.list.clear()
            self.list.addItems(titles)
            self.list.setFixedHeight(self._theme.dp(26) * max(min(len(titles), 6), 1) + 4)
        self.list.setCurrentRow(lecture.index)
        self.list.setVisible(bool(titles))
        self._fields.setVisible(step is not None)
        for button in (self.record, self.up, self.down, self.drop):
            button.setEnabled(step is not None)
        if step is None:
            self._id = ""
            return
        other = step.id != self._id
        if other:
            self._finish()
            self._id = step.id
        self.title.show_text(step.title, other)
        self.text.show_text(spoken(step.text, self._studio.document.project), other)
        self.notes.show_text(step.notes, other)
        self.covered.setChecked(step.covered)
        self.plays.setChecked(step.plays)
        self.wrong.setVisible(bool(self.wrong.text()))
        of = (step.id, tuple(q.type for q in step.questions))
        if of != self._of:
            self._of = of
            for made in self.questions:
                for kind in (TextField, LineField):
                    for field in made.findChildren(kind):
                        field.blockSignals(True)  # its signals at the end belong to no question
                self._questions.removeWidget(made)
                throw_away(made)
            self.questions = [
                QuestionWriter(
                    self._theme,
                    self._studio,
                    question,
                    lambda new, k=k: self._put_question(k, new),
                )
                for k, question in enumerate(step.questions)
            ]
            for made in self.questions:
                self._questions.addWidget(made)
        for made, question in zip(self.questions, step.questions, strict=True):
            made.show_question(question)
