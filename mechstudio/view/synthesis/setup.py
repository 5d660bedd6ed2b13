"""Question to linkages, as it is typed: purpose, table, kind and conditions."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6 import QtCore, QtWidgets

from mechstudio.application.synthesis.draft import Draft
from mechstudio.application.synthesis.question import (
    FUNCTION,
    KINDS,
    MOTION,
    PATH,
    PURPOSES,
    Formula,
    tabulated,
)
from mechstudio.application.synthesis.words import KIND_WORDS
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.translation import tr
from mechstudio.view.synthesis.table import PointTable
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.text_field import TextField
from mechstudio.view.widgets.widgets import (
    Elided,
    IconButton,
    Segment,
    label,
    row,
    throw_away,
    wrapped,
)

Qt = QtCore.Qt
FIELD = 84  # px of a field at the right of its words


class SetupColumn(QtWidgets.QWidget):
    """Made again whenever the purpose or the kind is another.  closed(): the page is to go.
    remade(): the field that had the keys is gone.
    """

    closed = QtCore.Signal()
    remade = QtCore.Signal()

    def __init__(self, theme: Theme, draft: Draft) -> None:
        super().__init__()
        self._theme, self._draft = theme, draft
        self.formula = Formula()
        self.formula_problem = ""
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addStretch(1)
        self._parts: list[QtWidgets.QWidget] = []
        self._made: object = None
        draft.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is requested now."""
        question = self._draft.now
        state = (question.with_rows(()), self.formula_problem, self.formula)
        if state != self._made:
            self._made = state
            # a field that its own change removes is deleted in a later turn of the event loop
            held = any(part.isAncestorOf(self._focused()) for part in self._parts)
            old, self._parts = self._parts, []
            for part in old:
                self._box.removeWidget(part)
                part.hide()
                QtCore.QTimer.singleShot(0, self, partial(throw_away, part))
            self._head()
            self._table()
            self._linkage()
            self._conditions()
            if held:
                self.remade.emit()
        self.table.reread()

    def _focused(self) -> QtWidgets.QWidget:
        return QtWidgets.QApplication.focusWidget() or self

    def _add(self, *parts: QtWidgets.QWidget) -> None:
        frame = row(*parts, margins=(12, 9, 10, 9), gap=6, vertical=True)
        frame.setObjectName("studysection")
        self._parts.append(frame)
        self._box.insertWidget(self._box.count() - 1, frame)

    def _field(
        self, words: str, text: str, take: Callable[[str], object], hint: str = ""
    ) -> tuple[QtWidgets.QWidget, TextField]:
        """A line of words and a field."""
        field = TextField(self._theme, with_commas(text), words, hint)
        field.taken.connect(lambda typed: take(with_points(typed)))
        self._theme.fit(field, width=FIELD)
        line = row(Elided(words, "two"), field, gap=6)
        line.box.setStretch(0, 1)
        return line, field

    def _head(self) -> None:
        shut = IconButton(
            self._theme, "close", tr("Close the page"), 24, 14, clicked=self.closed.emit
        )
        head = row(label(tr("Linkages for"), "title"), None, shut, gap=4)
        self.purposes = Segment(
            self._theme, tuple((key, tr(words)) for key, words in PURPOSES.items()), height=26
        )
        self.purposes.choose(self._draft.now.purpose)
        self.purposes.chosen.connect(lambda key: self._draft.change(purpose=key))
        hint = {
            PATH: tr("A point of the linkage goes through points in their order."),
            MOTION: tr(
                "A link goes through poses; a four-bar’s through three to five of them exactly."
            ),
            FUNCTION: tr("The output follows the crank by pairs of positions."),
        }[self._draft.now.purpose]
        self._add(head, row(self.purposes, None), wrapped(hint, "three"))

    def _table(self) -> None:
        draft, question = self._draft, self._draft.now
        words = {PATH: tr("Points"), MOTION: tr("Poses"), FUNCTION: tr("Pairs")}[question.purpose]
        clear = QtWidgets.QPushButton(tr("Clear"))
        clear.setObjectName("flat")
        clear.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        clear.clicked.connect(lambda _=False: draft.clear())
        self.clear = clear
        self.table = PointTable(self._theme, draft)
        lines: list[QtWidgets.QWidget] = [
            row(label(words, "title"), None, clear, gap=6),
            self.table,
        ]
        if question.purpose == PATH:
            self.ends = Segment(
                self._theme, (("open", tr("Open line")), ("closed", tr("Closed line"))), height=26
            )
            self.ends.choose("closed" if question.closed else "open")
            self.ends.chosen.connect(lambda key: draft.change(closed=key == "closed"))
            line, self.count = self._field(
                tr("Points of a stroke"), question.count, draft.set_count
            )
            lines += [row(self.ends, None), line]
        if question.purpose == FUNCTION:
            lines += self._formula()
        self._add(*lines)

    def _formula(self) -> list[QtWidgets.QWidget]:
        """Fields of a formula that fills the table."""
        dimension = self._draft.now.columns[1].dimension
        self.formula_fields: dict[str, TextField] = {}
        lines: list[QtWidgets.QWidget] = [label(tr("Formula"), "title")]
        rows = (
            ("y", tr("y of x")),
            ("low", tr("x from")),
            ("high", tr("x to")),
            ("count", tr("Pairs")),
            ("travel", tr("The crank turns by")),
            (
                "output",
                tr("The output turns by") if dimension == "angle" else tr("The output moves by"),
            ),
        )
        for key, words in rows:
            text = getattr(self.formula, key)
            if key == "output" and dimension == "length" and text.endswith("deg"):
                self.formula = replace(self.formula, output="50 mm")
                text = self.formula.output
            line, field = self._field(words, text, partial(self._set_formula, key))
            self.formula_fields[key] = field
            lines.append(line)
        fill = QtWidgets.QPushButton(tr("Fill the table"))
        fill.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        fill.clicked.connect(lambda _=False: self.fill())
        self.fill_button = fill
        lines.append(row(fill, None))
        if self.formula_problem:
            lines.append(wrapped(self.formula_problem, "wrong"))
        return lines

    def _set_formula(self, key: str, text: str) -> None:
        self.formula = replace(self.formula, **{key: text})

    def fill(self) -> None:
        """Fill the table by the formula."""
        try:
            rows = tabulated(self.formula, self._draft.now.columns[1].dimension)
        except ValueError as error:
            self.formula_problem = str(error)
            self.refresh()
            return
        self.formula_problem = ""
        self._draft.set_rows(rows)
        self.refresh()

    def _linkage(self) -> None:
        draft, question = self._draft, self._draft.now
        self.kind = Choice(
            self._theme,
            tr("Kind of linkage"),
            lambda: [(k, tr(KIND_WORDS[k]), "") for k in KINDS[draft.now.purpose]],
            lambda: draft.now.kind,
            lambda k: draft.change(kinds={**question.kinds, question.purpose: k}),
        )
        turn = QtWidgets.QCheckBox(tr("The crank turns all the way round"))
        turn.setObjectName("line")
        turn.setChecked(question.purpose in question.turning)
        turn.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        turn.setEnabled(not (question.purpose == PATH and question.closed))
        turn.toggled.connect(
            lambda on: draft.change(
                turning=question.turning | {question.purpose}
                if on
                else question.turning - {question.purpose}
            )
        )
        self.turn = turn
        kind = row(self.kind)
        self._add(label(tr("Kind of linkage"), "title"), kind, turn)

    def _conditions(self) -> None:
        draft, question = self._draft, self._draft.now
        set_ = lambda key: lambda text: draft.change(**{key: text.strip()})
        lines: list[QtWidgets.QWidget] = [label(tr("Conditions"), "title")]
        self.fields: dict[str, TextField] = {}
        rows = [("transmission", tr("Transmission angle at least"), "–")]
        if question.purpose == FUNCTION:
            rows.append(("base", tr("Distance of the pivots"), ""))
        rows += [
            ("shortest", tr("Links at least"), "–"),
            ("longest", tr("Links at most"), "–"),
        ]
        for key, words, hint in rows:
            line, self.fields[key] = self._field(words, getattr(question, key), set_(key), hint)
            lines.append(line)
        if question.purpose != FUNCTION:
            lines.append(label(tr("Pivots on ground between"), "two"))
            for name, first, last in (("x", "left", "right"), ("z", "lower", "upper")):
                ends: list[TextField] = []
                bound = tr("Bound of {x}", x=name)
                for key in (first, last):
                    field = TextField(self._theme, with_commas(getattr(question, key)), bound, "–")
                    field.taken.connect(lambda text, key=key: set_(key)(with_points(text)))
                    self.fields[key] = field
                    ends.append(field)
                line = row(label(name, "two"), ends[0], label(tr("to"), "two"), ends[1], gap=6)
                line.box.setStretch(1, 1)
                line.box.setStretch(3, 1)
                lines.append(line)
        self._add(*lines)
