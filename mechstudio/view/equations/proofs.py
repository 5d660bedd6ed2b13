"""Proofs about the equations: one mark for all of them, which opens the claims one by one, each
with its method of proof and where it fails.
"""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.model.equations.lecture import (
    CLAIM,
    DIFFERENT,
    ENGINE,
    EXACT,
    RANDOM,
    SAMPLED,
    UNPROVEN,
    Proof,
)
from mechstudio.translation import Words, tr
from mechstudio.view.equations.equation_sections import INDENT
from mechstudio.view.equations.formula import Formula
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import (
    IconButton,
    column,
    label,
    row,
    set_property,
    throw_away,
    wrapped,
)

Qt = QtCore.Qt
MARKED = INDENT + 6  # px before what a claim opens to
KINDS = {EXACT: "ok", RANDOM: "ok", SAMPLED: "ok", UNPROVEN: "warn", DIFFERENT: "error"}
ICONS = {"ok": "ok", "warn": "warn", "error": "error"}
HOW: dict[str, Words] = {
    EXACT: (
        "Both sides have the same normal form in the ring of polynomials: identical, for all values"
    ),
    RANDOM: "Equal modulo a large prime at a random point: wrong with a probability below 1e-15",
    SAMPLED: "Equal in numbers at sampled states, to the stated tolerance",
    UNPROVEN: "Nobody knows yet",
    DIFFERENT: "It does not hold: the difference is shown",
}
WORST = (DIFFERENT, UNPROVEN, RANDOM, EXACT)


def summary(proofs: tuple[Proof, ...]) -> tuple[str, str, str]:
    """(kind of mark, words, a word) for what is proven of the three derivations and of M."""
    proofs = tuple(p for p in proofs if not p.key.startswith(CLAIM))
    failed = [p for p in proofs if p.how == DIFFERENT]
    if failed:
        between = any(p.between for p in failed)
        return (
            "error",
            tr("Derivations differ") if between else failed[0].claim.rstrip(".") + ": " + tr("no"),
            tr("differ"),
        )
    compared = [p.how for p in proofs if p.between]
    worst = next((how for how in WORST if how in compared), UNPROVEN)
    if worst == UNPROVEN or any(p.how == UNPROVEN for p in proofs):
        return "warn", tr("Not all is proven"), tr("open")
    return "ok", tr("3 derivations equal: {how}", how=tr(worst)), tr("equal")


class Pill(QtWidgets.QPushButton):
    """The mark of all that is proven, in words or, where room is scarce, in one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("mark")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.fit(self, icon=14)
        self._texts = ("", "")
        self.hide()

    def show_words(self, words: str, word: str) -> None:
        short = self.text() == self._texts[1] != self._texts[0]
        self._texts = (words, word)
        self.setText(word if short else words)
        self.setToolTip(tr("{words}. What is proven of these equations, and how", words=words))

    def show_short(self, short: bool) -> None:
        self.setText(self._texts[short])


SPACE = 6  # px between a claim, how it was proven and the button beside it
AROUND = 30  # px of a claim's mark and of the edges round its words


class Claim(QtWidgets.QWidget):
    """One claim as a line that opens to its sentence and the difference.  turned(key, open).
    dropped(key): of an equation that somebody wrote down.
    """

    rotated = QtCore.Signal(str, bool)
    dropped = QtCore.Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.drop = IconButton(
            theme,
            "close",
            tr("Compare this equation no more"),
            18,
            11,
            clicked=lambda: self.dropped.emit(self.proof.key if self.proof is not None else ""),
        )
        self.proof: Proof | None = None
        self._waiting = False
        self.head = QtWidgets.QPushButton()
        self.head.setObjectName("fold")
        self.head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.head.clicked.connect(
            lambda: self.rotated.emit(
                self.proof.key if self.proof is not None else "", not self.is_open
            )
        )
        theme.fit(self.head, icon=14)
        self.head.setSizePolicy(
            QtWidgets.QSizePolicy.Policy.Maximum, QtWidgets.QSizePolicy.Policy.Fixed
        )
        self.head.setMinimumWidth(40)
        self.how = label("", "three")
        self.detail = wrapped("", "two")
        self.formula = Formula(theme)
        self._body = row(self.detail, self.formula, vertical=True, gap=4, margins=(MARKED, 0, 0, 4))
        self._body.hide()
        box = column(self, 0)
        head = QtWidgets.QHBoxLayout()
        head.setSpacing(SPACE)
        head.addWidget(self.head)
        head.addWidget(self.how)
        head.addWidget(self.drop)
        head.addStretch(1)
        box.addLayout(head)
        box.addWidget(self._body)

    @property
    def is_open(self) -> bool:
        return not self._body.isHidden()

    def show_proof(self, proof: Proof, open_: bool, waiting: bool = False) -> None:
        self.proof, self._waiting = proof, waiting
        self.how.setText(tr("being compared …") if waiting else tr(proof.how))
        self.how.setToolTip(tr(HOW[proof.how]))
        self.drop.setVisible(proof.key.startswith(CLAIM))
        self.detail.setText(proof.detail)
        self.formula.setVisible(bool(proof.difference))
        self._body.setVisible(open_ and bool(proof.detail or proof.difference))
        self._shorten()
        self.paint()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def _shorten(self) -> None:
        """The claim as far as there is room for it beside how it was proven; whole where the
        pointer stands on it.
        """
        if self.proof is None:
            return
        text = self.proof.claim.rstrip(".")
        beside = (
            self.how.sizeHint().width()
            + (self.drop.width() + SPACE if self.drop.isVisibleTo(self) else 0)
            + SPACE
        )
        shown = self.head.fontMetrics().elidedText(
            text,
            Qt.TextElideMode.ElideRight,
            max(self.width() - beside - self._theme.dp(AROUND), self._theme.dp(40)),
        )
        self.head.setText(shown)
        self.head.setToolTip("" if shown == text else text)

    def paint(self) -> None:
        if self.proof is not None:
            # what is still under way is no warning
            icon, color = (
                ("loop", "text3")
                if self._waiting
                else (ICONS[KINDS[self.proof.how]], KINDS[self.proof.how])
            )
            self.head.setIcon(self._theme.icon(icon, color, 14))


class Marks(QtWidgets.QWidget):
    """The claims, folded away until the mark (`pill`) is clicked.  needed(): pictures of
    differences.  claims_changed(add, drop): an equation, or the number of one.
    """

    needed = QtCore.Signal()
    claims_changed = QtCore.Signal(str, int)

    def __init__(self, theme: Theme, dress: Callable[[Formula, str], Formula]) -> None:
        super().__init__()
        self._theme, self._dress = theme, dress
        self.pill = Pill(theme)
        self.pill.clicked.connect(self._unfold)
        self.claims: list[Claim] = []
        self._open: set[str] = set()
        self._proofs: tuple[Proof, ...] = ()
        self._kind = "ok"
        self._waiting = False
        self._box = column(self, 0)
        self._box.setContentsMargins(0, 2, 0, 8)
        self.own = QtWidgets.QLineEdit()
        self.own.setPlaceholderText(tr("Compare an equation of your own: m x'' + k x = 0"))
        self.own.setToolTip(
            tr(
                "As you write it: primes for rates, blanks for products, sin theta, x^2.  Enter "
                "compares it with the derived ones."
            )
        )
        self.own.returnPressed.connect(self._claim)
        self._line = row(self.own, margins=(8, 0, 8, 0), name="search")
        theme.fit(self._line, height=26)
        self._box.addWidget(self._line)
        # a difference is shown without a click
        self.alarm = QtWidgets.QPushButton(
            tr("An equation of this lesson differs from the derived ones")
        )
        self.alarm.setObjectName("fold")
        self.alarm.clicked.connect(self.show_differences)
        theme.fit(self.alarm, icon=14)
        self.alarm.hide()
        theme.follow(self._paint)
        self.hide()

    def show_proofs(self, proofs: tuple[Proof, ...], waiting: bool = False) -> None:
        """The claims; () while nothing is known, and then no mark is shown.  waiting: for the
        simulator's verdict, which the mark then does not count.
        """
        self._proofs = proofs
        self.pill.setVisible(bool(proofs))
        if not proofs:
            self.pill.setChecked(False)
            self.hide()
            self.alarm.hide()
            return
        self._waiting = waiting
        self._kind, words, word = summary(
            tuple(p for p in proofs if p.key != ENGINE or not waiting)
        )
        self.pill.show_words(words, word)
        set_property(self.pill, "kind", self._kind)
        while len(self.claims) > len(proofs):
            gone = self.claims.pop()
            self._box.removeWidget(gone)
            throw_away(gone)
        while len(self.claims) < len(proofs):
            claim = Claim(self._theme)
            claim.rotated.connect(self._turn)
            claim.dropped.connect(
                lambda key: self.claims_changed.emit("", int(key.removeprefix(CLAIM)))
            )
            self._box.insertWidget(len(self.claims), claim)
            self.claims.append(claim)
            self._dress(claim.formula, "")
        for claim, proof in zip(self.claims, proofs):
            claim.show_proof(proof, proof.key in self._open, self._waiting and proof.key == ENGINE)
        self._paint()
        self._show_alarm()
        self.needed.emit()

    def _claim(self) -> None:
        text = self.own.text().strip()
        if text:
            self.own.clear()
            self._open.add(f"{CLAIM}{sum(p.key.startswith(CLAIM) for p in self._proofs)}")
            self.claims_changed.emit(text, -1)

    def _show_alarm(self) -> None:
        self.alarm.setVisible(self.isHidden() and any(p.how == DIFFERENT for p in self._proofs))

    def fold(self) -> None:
        """Put the claims away: something else is to be seen."""
        self.pill.setChecked(False)
        self._unfold()

    def show_differences(self) -> None:
        """Open everything that does not hold."""
        self._open |= {p.key for p in self._proofs if p.how == DIFFERENT}
        self.pill.setChecked(True)
        for claim, proof in zip(self.claims, self._proofs):
            claim.show_proof(proof, proof.key in self._open, self._waiting and proof.key == ENGINE)
        self._unfold()

    def _unfold(self) -> None:
        self.setVisible(self.pill.isChecked())
        self._show_alarm()
        self.needed.emit()

    def _turn(self, key: str, open_: bool) -> None:
        (self._open.add if open_ else self._open.discard)(key)
        for claim, proof in zip(self.claims, self._proofs):
            claim.show_proof(proof, proof.key in self._open, self._waiting and proof.key == ENGINE)
        self.needed.emit()

    def seen(self) -> list[tuple[str, Formula]]:
        """(key, formula) of differences that stand open."""
        return (
            [
                (c.proof.key, c.formula)
                for c in self.claims
                if c.proof is not None and c.is_open and c.proof.difference
            ]
            if not self.isHidden()
            else []
        )

    def formula_of(self, key: str) -> Formula | None:
        return next(
            (c.formula for c in self.claims if c.proof is not None and c.proof.key == key), None
        )

    def _paint(self) -> None:
        self.pill.setIcon(self._theme.icon(ICONS[self._kind], self._kind, 14))
        self.alarm.setIcon(self._theme.icon("error", "error", 14))
        for claim in self.claims:
            claim.paint()
