"""The numbers at the time cursor: coordinates, M, C_q with its rank and singular values, the
partition with a choice of its coordinates, multipliers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.questions.equations.instant_texts import UNDETERMINED, figure, texts
from mechstudio.model.equations.lecture import PARTITION
from mechstudio.model.equations.numbers import InstantNumbers
from mechstudio.model.equations.term_words import shown
from mechstudio.model.equations.terms import Equations
from mechstudio.translation import tr
from mechstudio.view.equations.formula import Formula
from mechstudio.view.equations.views import NOW
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import column, label, throw_away, wrapped

if TYPE_CHECKING:
    from mechstudio.view.equations.panel import EquationsPanel

GAP = 6
RANK = 1e-8  # of the largest singular value, below which one counts as zero, as the engine counts


class Flow(QtWidgets.QWidget):
    """Small widgets one after the other, in as many lines as they need."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self._items: list[QtWidgets.QWidget] = []

    def fill(self, items: Sequence[QtWidgets.QWidget]) -> None:
        for gone in self._items:
            throw_away(gone)
        self._items = list(items)
        for item in items:
            item.setParent(self)
            item.show()
        self._arrange()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._arrange()

    def _arrange(self) -> None:
        x = y = high = 0
        for item in self._items:
            size = item.sizeHint()
            if x and x + size.width() > self.width():
                x, y, high = 0, y + high + GAP, 0
            item.setGeometry(x, y, size.width(), size.height())
            x, high = x + size.width() + GAP, max(high, size.height())
        self.setFixedHeight(y + high)


class IndependentChoice(QtWidgets.QWidget):
    """One button for each coordinate; those that are pressed are kept.  chosen(names): () for the
    program's choice.
    """

    chosen = QtCore.Signal(tuple)

    def __init__(self) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self._kept: tuple[str, ...] = ()
        self.buttons: dict[str, QtWidgets.QPushButton] = {}
        self.flow = Flow()
        self.refusal = wrapped("", "wrong")
        self.words = wrapped(
            tr("Independent coordinates: choose which ones all others follow from."), "two"
        )
        box = column(self, 4)
        for widget in (self.words, self.flow, self.refusal):
            box.addWidget(widget)
        self.refusal.hide()

    def show_choice(
        self, equations: Equations, numbers: InstantNumbers | None, requested: tuple[str, ...]
    ) -> None:
        names = tuple(u.position.name for u in equations.coordinates)
        if names != self._names:
            self._names = names
            self.buttons = {}
            for u in equations.coordinates:
                button = QtWidgets.QPushButton(shown(u.position))
                button.setCheckable(True)
                button.setObjectName("choice")
                button.setToolTip(u.meaning)
                button.clicked.connect(lambda _=False, name=u.position.name: self._press(name))
                self.buttons[u.position.name] = button
            own = QtWidgets.QPushButton(tr("Program's choice"))
            own.setObjectName("flat")
            own.clicked.connect(lambda: self.chosen.emit(()))
            self.flow.fill([*self.buttons.values(), own])
        refusal = "" if numbers is None else numbers.refusal
        if numbers is not None:
            self._kept = requested if refusal and requested else numbers.independent
        for name, button in self.buttons.items():
            button.setChecked(name in self._kept)
        self.refusal.setText(refusal)
        self.refusal.setVisible(bool(refusal))

    def _press(self, name: str) -> None:
        """A coordinate takes the place of the one that was chosen longest ago; their number is that
        of the freedoms.
        """
        kept = self._kept
        self.chosen.emit(
            (*kept[1:], name) if name not in kept and kept else kept if kept else (name,)
        )
        for key, button in self.buttons.items():
            button.setChecked(key in self._kept)


class NowView(QtWidgets.QWidget):
    """View of the values at one instant.   played(k): the motion of a singular value is
    requested.
    """

    played = QtCore.Signal(int)

    def __init__(self, theme: Theme, dress: Callable[[Formula, str], Formula]) -> None:
        super().__init__()
        self._theme = theme
        self.formulas = {
            key: dress(Formula(theme), "")
            for key in ("state", "M", "C_q", "lambda", "B", "embedded")
        }
        self.choice = IndependentChoice()
        self.rank = wrapped("", "two")
        self.values = Flow()
        self.chips: list[QtWidgets.QPushButton] = []
        self.note = wrapped("", "three")
        self._closed: list[QtWidgets.QWidget] = []
        box = column(self, 4)
        self._add(box, tr("Coordinates"), self.formulas["state"])
        self._add(box, tr("Mass matrix"), self.formulas["M"])
        self._closed += self._add(
            box, tr("Constraints"), self.formulas["C_q"], self.rank, self.values
        )
        self._closed += self._add(
            box,
            tr("Independent coordinates"),
            self.choice,
            self.formulas["B"],
            self.formulas["embedded"],
        )
        self._closed += self._add(box, tr("Multipliers"), self.formulas["lambda"], self.note)
        self.choice.words.hide()
        self._parts: dict[str, str] = {}
        self._singular: tuple[float, ...] = ()
        self.hide()

    @staticmethod
    def _add(
        box: QtWidgets.QVBoxLayout, title: str, *widgets: QtWidgets.QWidget
    ) -> list[QtWidgets.QWidget]:
        head = label(title, "title")
        head.setContentsMargins(0, 8, 0, 0)
        for widget in (head, *widgets):
            box.addWidget(widget)
        return [head, *widgets]

    @property
    def parts(self) -> dict[str, Formula]:
        """Names of pictures, and where they are shown."""
        return {
            f"{NOW}/{self._parts.get(key, key)}": formula
            for key, formula in self.formulas.items()
            if not formula.isHidden()
        }

    def show_numbers(
        self, equations: Equations, numbers: InstantNumbers | None, requested: tuple[str, ...]
    ) -> bool:
        """Everything but the numbers in the pictures.   Returns whether other pictures are
        needed.
        """
        closed = bool(equations.multipliers)
        for widget in self._closed:
            widget.setVisible(closed)
        if not closed:
            return False
        self.choice.show_choice(equations, numbers, requested)
        if numbers is None:
            return False
        m, n = len(equations.multipliers), len(equations.coordinates)
        free = n - numbers.rank
        lost = m - numbers.rank
        words = tr(
            "Rank {rank} of {rows} rows and {columns} coordinates: {free} free.",
            rank=numbers.rank,
            rows=m,
            columns=n,
            free=free,
        )
        if lost:
            words += (
                " " + tr("{lost} rows hold what others hold already.", lost=lost)
                if lost > 1
                else " " + tr("1 row holds what others hold already.")
            )
        self.rank.setText(words + " " + tr("Singular values, each of which shows its motion:"))
        self._show_singular(numbers.singular_values)
        self.note.setText(
            tr("{mark} not determined by rigid bodies: least-squares value.", mark=UNDETERMINED)
            if not all(numbers.determined)
            else ""
        )
        self.note.setVisible(bool(self.note.text()))
        split = bool(numbers.independent) and not numbers.refusal and "B" in numbers.matrices
        before = dict(self._parts)
        names = ",".join(numbers.independent)
        self._parts = {"B": f"B:{names}", "embedded": f"embedded:{names}"} if split else {}
        for key in ("B", "embedded"):
            self.formulas[key].setVisible(split)
        return self._parts != before

    def _show_singular(self, values: tuple[float, ...]) -> None:
        if len(values) != len(self._singular):
            self.chips = []
            for k in range(len(values)):
                chip = QtWidgets.QPushButton()
                chip.setObjectName("choice")
                chip.clicked.connect(lambda _=False, k=k: self.played.emit(k))
                self.chips.append(chip)
            self.values.fill(self.chips)
        self._singular = values
        largest = max(values, default=0.0)
        widest = 0
        for chip, value in zip(self.chips, values):
            zero = value <= RANK * largest
            chip.setText("0" if zero else figure(value))
            chip.setToolTip(
                tr("Nothing holds this motion: see it move")
                if zero
                else tr(
                    "How firmly the joints hold this motion, lengths over the mechanism's size: "
                    "see it move"
                )
            )
            widest = max(widest, chip.sizeHint().width())
        if any(c.minimumWidth() < widest for c in self.chips):
            for chip in self.chips:
                chip.setMinimumWidth(widest)
            self.values._arrange()


class Instant:
    """Keeps the numbers of one panel at the time cursor."""

    def __init__(self, panel: EquationsPanel) -> None:
        self._panel = panel
        studio = panel.studio
        studio.runs.playback.changed.connect(self.follow)
        studio.runs.recorded.connect(self.follow)
        studio.preferences.units_changed.connect(self.show)

    @property
    def is_requested(self) -> bool:
        """True if numbers are on display."""
        panel = self._panel
        return (
            panel.is_shown
            and panel.derivations is not None
            and (panel.bar.with_numbers or panel.bar.lecture in (NOW, PARTITION))
        )

    @property
    def is_settled(self) -> bool:
        d = self._panel.derivations
        return d is None or not self.is_requested or d.instant_values.is_settled

    def follow(self) -> None:
        """Request the numbers at the time cursor."""
        d = self._panel.derivations
        if d is not None and self.is_requested:
            runs = self._panel.studio.runs
            d.instant_values.evaluate(runs.sample, runs.other_loads)

    def choose(self, independent: tuple[str, ...]) -> None:
        """Keep other coordinates in B, and in the chapter about it."""
        d = self._panel.derivations
        assert d is not None
        d.instant_values.choose(independent)
        d.chapters.chapter(PARTITION, independent)

    def play(self, k: int) -> None:
        """Show the motion of a singular value about the present pose."""
        d = self._panel.derivations
        numbers = None if d is None else d.instant_values.numbers
        if numbers is None or k >= len(numbers.twists):
            return
        row = numbers.twists[k]
        twists = tuple((*row[i + 3 : i + 6], *row[i : i + 3]) for i in range(0, len(row), 6))
        self._panel.studio.free_motion.show_motion(
            tr("Motion of singular value {value}", value=figure(numbers.singular_values[k])), twists
        )

    def show(self) -> None:
        """Write the newest numbers into all that is shown."""
        panel = self._panel
        if panel.derivations is None or not self.is_requested:
            panel.instant_line.hide()
            return
        values, equations = panel.derivations.instant_values, panel.equations
        numbers = values.numbers
        assert equations is not None
        if numbers is not None:
            words = texts(equations, numbers, panel.studio.preferences.units)
            for formula in panel.pictures.formulas():
                formula.show_values(words)
        drawn = panel.studio.runs.sample is None
        time = (
            tr("As drawn, at rest")
            if drawn
            else ""
            if numbers is None
            else tr("At {time:.3f} s", time=numbers.t)
        )
        panel.instant_line.setText(
            values.problem
            or tr("{time}. Numbers in SI units, angles under symbols in degrees.", time=time)
        )
        panel.instant_line.setVisible(panel.bar.lecture != PARTITION or bool(values.problem))
        if panel.bar.lecture == NOW and panel.now.show_numbers(
            equations, numbers, values.independent
        ):
            panel.pictures.ask()
        panel.choice.show_choice(equations, numbers, values.independent)
