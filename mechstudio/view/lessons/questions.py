"""Questions of a step: answered by a click, a number, a curve or an equation, and checked in a
sentence.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.lessons.checking import (
    NEAR,
    RIGHT,
    UNREAD,
    WRONG,
    Reply,
    check_choice,
    check_equation,
    check_number,
    check_sketch,
    sketch_difference,
)
from mechstudio.application.studio import Studio
from mechstudio.model.equations.lecture import EXACT, Proof
from mechstudio.model.project import CHOOSE, EQUATION, NUMBER, PREDICT, Question
from mechstudio.model.units import unit
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import (
    Picture,
    breakable,
    column,
    label,
    row,
    set_property,
    wrapped,
)

Qt = QtCore.Qt
FIELD = 28  # height of a field [px at the normal text size]
NUMBER_WIDTH, OPTION = 96, 22
# compares an equation with the derived ones; False where there are none yet
Compare = Callable[[str, Callable[[Proof], object]], bool]


class Option(QtWidgets.QRadioButton):
    """A choice, over as many lines as its words need."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words
        self.setAccessibleName(words)
        # a radio button would be as wide as its words at least
        policy = QtWidgets.QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Fixed)
        self._wrap(200)

    def minimumSizeHint(self) -> QtCore.QSize:
        return QtCore.QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._wrap(self.width() - 3 * self.iconSize().width())

    def changeEvent(self, event: QtCore.QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QtCore.QEvent.Type.FontChange:
            self._wrap(self.width() - 3 * self.iconSize().width())

    def _wrap(self, wide: int) -> None:
        """Break the words into lines of a width [px]."""
        layout, lines = QtGui.QTextLayout(self.words, self.font()), list[str]()
        option = QtGui.QTextOption()
        option.setWrapMode(QtGui.QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(wide, 40))
            begin = line.textStart()
            lines.append(self.words[begin : begin + line.textLength()].strip())
        layout.endLayout()
        text = "\n".join(lines).replace("&", "&&")  # no key of its own
        if text != self.text():
            self.setText(text)
            self.updateGeometry()


class QuestionCard(QtWidgets.QFrame):
    """One question of the current step.  number: its place in the step."""

    def __init__(
        self, theme: Theme, studio: Studio, number: int, question: Question, compare: Compare
    ) -> None:
        super().__init__()
        self._theme, self._studio, self._compare = theme, studio, compare
        self.number, self.question = number, question
        self._step = "" if studio.lecture.step is None else studio.lecture.step.id
        self._is_gone = False
        self.text = wrapped(breakable(question.text), "title")
        self.mark = Picture(theme, "ok", "ok", 16, 2.2)
        self.reply = wrapped("", "reply")
        self.hint = wrapped("", "two")
        self.count = label("", "three")
        self.choices: list[QtWidgets.QRadioButton] = []
        self.field: QtWidgets.QLineEdit | None = None
        self.check: QtWidgets.QPushButton | None = None
        self.wipe: QtWidgets.QPushButton | None = None
        box = column(self, theme.dp(4))
        head = row(self.text, self.mark, gap=6)
        head.box.setStretch(0, 1)
        box.addWidget(head)
        box.addWidget(_MAKERS[question.type](self))
        for words in (self.reply, self.hint):
            box.addWidget(words)
        if self.count.parent() is None:  # it has no place beside a button
            box.addWidget(self.count)
        self.refresh()

    # what each type is answered by

    def _button(self, words: str, clicked: Callable[[], object]) -> QtWidgets.QPushButton:
        button = QtWidgets.QPushButton(words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _=False: clicked())
        return button

    def _field(self, tip: str) -> QtWidgets.QFrame:
        self.field = QtWidgets.QLineEdit()
        self.field.setAccessibleName(tip)
        self.field.setPlaceholderText(tip)
        self.field.returnPressed.connect(self._answer)
        frame = QtWidgets.QFrame()
        frame.setObjectName("field")
        self._theme.fit(frame, height=FIELD)
        box = QtWidgets.QHBoxLayout(frame)
        box.setContentsMargins(8, 0, 8, 0)
        box.addWidget(self.field)
        return frame

    def _choose(self) -> QtWidgets.QWidget:
        holder = QtWidgets.QWidget()
        box = column(holder, self._theme.dp(2))
        for k, words in enumerate(self.question.choices, 1):
            button = Option(words)
            button.setObjectName("option")
            self._theme.fit(button, least_height=OPTION)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, k=k: self._chosen(k))
            box.addWidget(button)
            self.choices.append(button)
        return holder

    def _type_number(self) -> QtWidgets.QWidget:
        field = self._field(tr("Number"))
        self._theme.fit(field, width=NUMBER_WIDTH)
        units = self._studio.preferences.units
        plain = self.question.dimension == "number"
        symbol = label("" if plain else unit(self.question.dimension, units).symbol, "two")
        self.check = self._button(tr("Check"), self._answer)
        return row(field, symbol, self.check, None, self.count, gap=8)

    def _type_equation(self) -> QtWidgets.QWidget:
        field = self._field(tr("Equation, as in a book"))
        self.check = self._button(tr("Check"), self._answer)
        line = row(field, self.check, gap=8)
        line.box.setStretch(0, 1)
        return row(line, self.count, vertical=True, gap=2)

    def _predict(self) -> QtWidgets.QWidget:
        self.check = self._button(tr("Run and compare"), self._answer)
        self.check.setObjectName("decide")
        self.wipe = self._button(tr("Clear sketch"), self._wipe)
        self.wipe.setObjectName("flat")
        hint = wrapped(tr("Draw with the mouse on the covered part of the plot."), "two")
        return row(hint, row(self.check, self.wipe, None, gap=6), vertical=True, gap=4)

    # answers

    def _chosen(self, k: int) -> None:
        self._keep(self.question.choices[k - 1], check_choice(self.question, k), k)

    def _answer(self) -> None:
        studio, question = self._studio, self.question
        project, units = studio.document.project, studio.preferences.units
        if question.type == PREDICT:
            found = sketch_difference(studio, question.channel)
            is_drawn = question.channel in studio.lecture.predictions.sketches
            reply = check_sketch(question, found, project, units, is_drawn)
            if is_drawn and studio.runs.recording is None:
                studio.runs.simulate()
            if reply.verdict != UNREAD:
                studio.lecture.predictions.reveal()
                if not studio.runs.playback.playing:
                    studio.runs.playback.play()
            self._keep(tr("a curve"), reply)
            return
        assert self.field is not None
        said = self.field.text().strip()
        if not said:
            self._show(Reply(UNREAD, tr("Type an answer first.")), 0)
        elif question.type == NUMBER:
            self._keep(said, check_number(question, said, project, units))
        elif not self._compare(said, lambda proof: self._proved(said, proof)):
            self._show(Reply(UNREAD, tr("The equations are being derived. Check again soon.")), 0)

    def _proved(self, said: str, proof: Proof) -> None:
        """Compare the right answer too where this one holds: it may be another equation."""
        answered = lambda found: self._keep(said, check_equation(self.question, proof, found.row))
        right = self.question.answer
        if proof.how != EXACT or not right or not self._compare(right, answered):
            self._keep(said, check_equation(self.question, proof))

    def _keep(self, said: str, reply: Reply, choice: int = 0) -> None:
        # a verdict that comes late is none on the step that is current then
        step = self._studio.lecture.step
        if self._is_gone or step is None or step.id != self._step:
            return
        self._studio.lecture.answer(self.number, said, reply, choice)
        self.refresh()

    def drop(self) -> None:
        """Remove the card; a later verdict is not shown."""
        self._is_gone = True
        self.hide()
        self.setParent(None)
        self.deleteLater()

    def _wipe(self) -> None:
        """Draw the curve again, on a covered plot."""
        studio = self._studio
        studio.lecture.predictions.clear(self.question.channel)
        studio.lecture.forget_answer(self.number)
        step = studio.lecture.step
        if step is not None:
            studio.lecture.cover_again(step)
        self.refresh()

    # what is shown

    def refresh(self) -> None:
        """Show the answer that was given."""
        given = self._studio.lecture.answered(self.number)
        if given is None:
            self._show(Reply("", ""), 0)
            return
        # by its number: two may have the same words
        if 0 < given.choice <= len(self.choices):
            self.choices[given.choice - 1].setChecked(True)
        if self.field is not None and not self.field.text():
            self.field.setText(given.said)
        self._show(given.reply, given.tries)

    def _show(self, reply: Reply, tries: int) -> None:
        self.mark.setVisible(reply.verdict == RIGHT)
        self.reply.setText(breakable(reply.words))
        self.reply.setVisible(bool(reply.words))
        set_property(self.reply, "verdict", reply.verdict)
        hints = self.question.hints
        open_ = reply.verdict in (WRONG, NEAR) and bool(hints)
        self.hint.setVisible(open_)
        if open_:
            k = min(tries, len(hints))
            self.hint.setText(breakable(tr("Hint: {hint}", hint=hints[k - 1])))
            self.count.setText(tr("{k} of {count} hints", k=k, count=len(hints)))
        self.count.setVisible(open_)


_MAKERS: dict[str, Callable[[QuestionCard], QtWidgets.QWidget]] = {
    CHOOSE: QuestionCard._choose,
    NUMBER: QuestionCard._type_number,
    PREDICT: QuestionCard._predict,
    EQUATION: QuestionCard._type_equation,
}


class Questions(QtWidgets.QWidget):
    """Questions of the current step, made again with another step."""

    def __init__(self, theme: Theme, studio: Studio, compare: Compare) -> None:
        super().__init__()
        self._theme, self._studio, self._compare = theme, studio, compare
        self.cards: list[QuestionCard] = []
        self._of: object = None
        self._box = column(self, theme.dp(12))
        studio.lecture.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the questions of the current step and their answers."""
        step = self._studio.lecture.step
        questions = () if step is None else step.questions
        of = (None if step is None else step.id, questions)
        if of != self._of:
            self._of = of
            for card in self.cards:
                self._box.removeWidget(card)
                card.drop()
            self.cards = [
                QuestionCard(self._theme, self._studio, k, question, self._compare)
                for k, question in enumerate(questions)
            ]
            for card in self.cards:
                self._box.addWidget(card)
        for card in self.cards:
            card.refresh()
        self.setVisible(bool(self.cards))
