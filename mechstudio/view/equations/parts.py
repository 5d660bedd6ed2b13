"""The parts of the equations as they are shown: titles, notes and remarks in words, a fold for
each, and how a derivation does.
"""

from PySide6 import QtCore, QtWidgets

from mechstudio.model.equations.lecture import RECURSIVE
from mechstudio.model.equations.term_lengths import MOST_INTERMEDIATES, is_cut, row_sizes
from mechstudio.model.equations.terms import Block, Equations
from mechstudio.model.findings import joined
from mechstudio.translation import Words, tr, trn
from mechstudio.view.equations.equation_sections import TEXT, Section
from mechstudio.view.equations.formula import Formula
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Bar, row, wrapped

Qt = QtCore.Qt
TITLES: dict[str, Words] = {
    "rows": "Equations, row by row",
    "coordinates": "Coordinates q",
    "intermediates": "Intermediates",
    "M": "Mass matrix M",
    "b": "Velocity terms b",
    "g": "Gravity and springs g",
    "tau": "Loads τ",
    "C": "Constraints C = 0",
    "C_q": "Jacobian of C",
    "gamma": "Velocity terms γ of C",
    "definitions": "Lengths of springs",
    "parameters": "Parameters",
    "following": "What follows from parameters",
}


def zero_rows(block: Block) -> list[int]:
    """Numbers of the rows that are zero in every position, from 1."""
    return [i + 1 for i, r in enumerate(block.rows) if all(e.is_zero for e in r)]


def form_of(equations: Equations) -> str:
    """The form in which long equations are shown, with a link where there is another one; else
    nothing.
    """
    if equations.intermediates:
        return tr(
            "Recursive form: {count} named intermediates, and the entries made of them. The closed "
            "form is longer than anybody reads.",
            count=len(equations.intermediates),
        )
    if not equations.blocks or not is_cut(equations, "rows"):
        return ""
    return tr(
        "Closed form of {count} terms: long rows name their entries. {link}Show the recursive "
        "form{end}",
        count=sum(left + right for left, right in row_sizes(equations)),
        link=f'<a href="{RECURSIVE}">',
        end="</a>",
    )


def enumerated(numbers: list[int]) -> str:
    """1, 2 and 3."""
    return joined([str(n) for n in numbers])


def note_of(equations: Equations, part: str) -> str:
    """Note beside the title of a part."""
    if part == "rows":
        return ""
    if (lines := equations.lines(part)) is not None:
        return str(len(lines))
    block = equations.block(part)
    if part == "C":
        zeros = len(zero_rows(block))
        rows = trn("1 row", "{count} rows", len(block.rows))
        return tr("{rows}, {zeros} of them 0 = 0", rows=rows, zeros=zeros) if zeros else rows
    if block.is_zero:
        return tr("zero")
    if part in ("M", "C_q"):
        return f"{len(block.rows)} × {len(block.rows[0])}"
    return trn("1 term", "{count} terms", block.term_count)


def remark_of(equations: Equations, part: str) -> str:
    """A sentence under a part, or nothing."""
    if part == "intermediates" and len(equations.intermediates) > MOST_INTERMEDIATES:
        return tr(
            "The first {count} of them; the menu … exports them all.", count=MOST_INTERMEDIATES
        )
    if part not in ("C", "C_q"):
        return ""
    zeros = zero_rows(equations.block(part))
    if not zeros:
        return ""
    if len(zeros) == len(equations.block(part).rows) > 1:
        return tr(
            "All rows are zero in every position: the other joints keep these conditions already. "
            "They are the hyperstaticity."
        )
    if len(zeros) == 1:
        return tr(
            (
                "Row {row} is zero in every position: the other joints keep this condition "
                "already. It is the hyperstaticity."
            ),
            row=zeros[0],
        )
    return tr(
        (
            "Rows {rows} are zero in every position: the other joints keep these conditions "
            "already. They are the hyperstaticity."
        ),
        rows=enumerated(zeros),
    )


class PartSection(Section):
    """A heading that opens its part.  opened(part, open)."""

    opened = QtCore.Signal(str, bool)

    def __init__(self, theme: Theme, part: str) -> None:
        self.part = part
        self.formula = Formula(theme)
        self.remark = wrapped("", "three")
        self.remark.setContentsMargins(TEXT, 0, 0, 0)
        super().__init__(theme, tr(TITLES[part]), self.formula, self.remark)

    def set_open(self, open_: bool) -> None:
        if open_ != self.is_open:
            super().set_open(open_)
            self.opened.emit(self.part, open_)

    def say(self, note: str, remark: str) -> None:
        self.note.set_text(note)
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))


class Progress(QtWidgets.QFrame):
    """Progress of a derivation with a button to end it, or the reason why there is none with a
    button to begin.  pressed().
    """

    pressed = QtCore.Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.text = wrapped("", "two")
        self.bar = Bar(theme)
        self.button = QtWidgets.QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self.pressed)
        parts = row(self.text, self.bar, vertical=True, gap=5)
        box = QtWidgets.QHBoxLayout(self)
        box.setContentsMargins(12, 2, 12, 6)
        box.setSpacing(12)
        box.addWidget(parts, 1)
        box.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        self.hide()

    def show_state(self, text: str, verb: str, fraction: float | None) -> None:
        self.text.setText(text)
        self.button.setText(verb)
        self.button.setVisible(bool(verb))
        self.bar.setVisible(fraction is not None)
        self.bar.set_value(round(100 * (fraction or 0.0)))
        self.show()
