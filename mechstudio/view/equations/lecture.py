"""A chapter of the equations: a fold for each step, its sentences and its formulas,
typeset when it is opened.
"""

import time
from collections import deque
from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.questions.equations.derivations import ChapterReady, Heading
from mechstudio.translation import tr
from mechstudio.view.equations.equation_sections import INDENT, TEXT, Section
from mechstudio.view.equations.formula import Formula
from mechstudio.view.idle_tasks import turns
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import column, label, set_property, throw_away, wrapped

# s of computing for folds that are made in one turn; styling and placing them takes as long again
MAKING = 0.02
LONGEST = 1000  # terms of one step that are still typeset: the recursive form of an arm has 824


class StepSection(Section):
    """One step.   rotated(key, open): by the user.   parts: folds of bodies or loads inside it."""

    rotated = QtCore.Signal(str, bool)

    def __init__(self, theme: Theme, heading: Heading, chapter: str) -> None:
        self.heading, self.part = heading, f"{chapter}/{heading.key}"
        self.words = wrapped(" ".join(heading.sentences), "two")
        self.words.setContentsMargins(TEXT, 0, 0, 0)
        self.formula = Formula(theme)
        # shown before it has a parent, a widget would be a window of its own for a moment
        if not heading.sentences:
            self.words.hide()
        if not self.has_formulas:
            self.formula.hide()
        self.parts: list[StepSection] = []
        self.extra: QtWidgets.QWidget | None = None
        super().__init__(theme, heading.title, self.words, self.formula)
        set_property(self.head, "level", "part" if heading.depth else "step")
        if heading.terms > LONGEST:
            self.note.set_text(tr("{count} terms", count=heading.terms))

    @property
    def has_formulas(self) -> bool:
        return self.heading.formulas and self.heading.terms <= LONGEST

    @property
    def indent(self) -> int:
        """px that its formulas stand in from the column's edge."""
        return INDENT * (1 + self.heading.depth)

    def take(self, part: "StepSection") -> None:
        """Fold a part in."""
        self.parts.append(part)
        self._body.box.addWidget(part)

    def put(self, extra: QtWidgets.QWidget) -> None:
        """A widget of its own under the formulas."""
        self.extra = extra
        self._body.box.addWidget(extra)

    def retitle(self, heading: Heading) -> None:
        """Another instant of the same step."""
        self.heading = heading
        self.head.setText(heading.title)
        self.words.setText(" ".join(heading.sentences))
        self.words.setVisible(bool(heading.sentences))
        self.formula.setVisible(self.has_formulas)

    def turn(self, open_: bool) -> None:
        super().turn(open_)
        self.rotated.emit(self.heading.key, open_)


class Chapter(QtWidgets.QWidget):
    """One chapter's folds.  rotated(key, open): of a step, by the user.  grown(): there are more
    folds.  menu_requested(part, at): of a step, by the right button.  dress(formula, part): makes a
    formula answer the pointer.  theory_requested(key): the theory behind a step is to be shown.

    sections: those that there are so far: parts of a step are made when it is opened for the first
    time, and what takes long is made in several turns, from the top down.
    """

    rotated = QtCore.Signal(str, bool)
    grown = QtCore.Signal()
    menu_requested = QtCore.Signal(str, QtCore.QPoint)
    theory_requested = QtCore.Signal(str)

    def __init__(self, theme: Theme, dress: Callable[[Formula, str], Formula]) -> None:
        super().__init__()
        self._theme, self._dress = theme, dress
        self.ready: ChapterReady | None = None
        self.extras: dict[
            str, Callable[[], QtWidgets.QWidget]
        ] = {}  # by part, what makes a widget that stands under its formulas
        self.sections: dict[str, StepSection] = {}
        self._open: set[str] = set()  # keys of steps that stand open, as the panel knows them
        self._coming: dict[
            str, list[Heading]
        ] = {}  # parts that are not made yet, by the key of their step, which was not opened so far
        self._making: deque[tuple[str, Heading]] = (
            deque()
        )  # what is made next, with the key of the step that it is a part of
        self._maker, self._is_making = QtCore.QObject(self), False
        self._fitting: list[
            tuple[str, str]
        ] = []  # steps that are still to be opened, behind those that they are parts of
        self.title = label("", "strong")
        self.words = wrapped("", "two")
        self._box = column(self, 2)
        self._box.addWidget(self.title)
        self._box.addWidget(self.words)
        self._box.addStretch(1)
        self.show_chapter(None, set(), False)

    @property
    def is_making(self) -> bool:
        """True if some folds are still to be made."""
        return bool(self._making)

    def show_chapter(self, ready: ChapterReady | None, open_: set[str], titled: bool) -> None:
        """A chapter's steps, of which those in `open_` stand open; None while there are none."""
        self.title.setVisible(titled and ready is not None)
        self._open = open_
        if (
            ready is not None
            and self.ready is not None
            and (ready.chapter, ready.steps, ready.refusal)
            == (self.ready.chapter, self.ready.steps, self.ready.refusal)
        ):
            for key in list(self.sections):
                self.set_open(key, key in open_)
            return
        same = (
            ready is not None
            and self.ready is not None
            and ready.chapter == self.ready.chapter
            and [(s.key, s.depth) for s in ready.steps]
            == [(s.key, s.depth) for s in self.ready.steps]
        )
        self.ready = ready
        if same:
            assert ready is not None
            self.words.setText(ready.refusal)
            self.words.setVisible(bool(ready.refusal))
            news = {heading.key: heading for heading in ready.steps}
            for key, section in self.sections.items():
                if news[key] != section.heading:
                    section.retitle(news[key])
            self._coming = {
                key: [news[part.key] for part in parts] for key, parts in self._coming.items()
            }
            return
        for section in self.sections.values():
            if not section.heading.depth:
                self._box.removeWidget(section)
                throw_away(section)
        self.sections, self._coming, self._fitting = {}, {}, []
        self._making.clear()
        self.title.setText("" if ready is None else tr(ready.title))
        self._say("" if ready is None else ready.refusal)
        above = ""
        for heading in () if ready is None else ready.steps:
            if heading.depth and above:
                self._coming[above].append(heading)
            else:
                above = heading.key
                self._coming[above] = []
                self._making.append(("", heading))
        self._make()

    def show_waiting(self, waits: bool) -> None:
        """Say whether a missing chapter is being laid out."""
        if self.ready is None:
            self._say(tr("Laying out the steps …") if waits else "")

    def _say(self, text: str) -> None:
        self.words.setText(text)
        self.words.setVisible(bool(text))

    def _make(self) -> None:
        """Make folds for a while, the rest in turns to come."""
        if self._is_making or not self._making:
            return
        self._is_making, end = True, time.thread_time() + MAKING
        while self._making:
            above, heading = self._making.popleft()
            section = self._made(heading)
            if above:
                self.sections[above].take(section)
            else:
                self._box.insertWidget(self._box.count() - 1, section)
            self.set_open(heading.key, heading.key in self._open)
            if time.thread_time() >= end:
                break
        self._is_making = False
        if self._making:
            turns().soon(self._maker, self._make)
        self.grown.emit()

    def _made(self, heading: Heading) -> StepSection:
        assert self.ready is not None
        section = self.sections[heading.key] = StepSection(self._theme, heading, self.ready.chapter)
        self._dress(section.formula, section.part)
        if (extra := self.extras.get(section.part)) is not None:
            section.put(extra())
        section.head.setContextMenuPolicy(QtCore.Qt.ContextMenuPolicy.CustomContextMenu)
        section.head.customContextMenuRequested.connect(
            lambda at: self.menu_requested.emit(section.part, section.head.mapToGlobal(at))
        )
        section.rotated.connect(self.rotated)
        if not heading.depth:
            section.why.show()
            section.why.clicked.connect(lambda: self.theory_requested.emit(heading.key))
        return section

    def set_open(self, key: str, open_: bool) -> None:
        """Open or close a step, if this chapter has it."""
        if key not in self.sections:
            return
        if open_ and key in self._coming:
            # parts come before the steps below
            self._making.extendleft((key, heading) for heading in reversed(self._coming.pop(key)))
        self.sections[key].set_open(open_)
        self._make()

    def open_where(self, fits: Callable[[Heading], bool]) -> None:
        """Open the steps that fit, as the user would, and those that they are parts of: the first
        at once, each other in a turn of its own.
        """
        above, self._fitting = "", []
        for heading in () if self.ready is None else self.ready.steps:
            above = above if heading.depth and above else heading.key
            if fits(heading):
                self._fitting.append((above, heading.key))
        self._open_next()

    def _open_next(self) -> None:
        while self._fitting and not self._making:
            closed = [
                key
                for key in self._fitting[0]
                if key in self.sections and not self.sections[key].is_open
            ]
            if closed:
                self.sections[closed[0]].turn(True)
                break
            self._fitting.pop(0)
        if self._fitting:
            turns().soon(self, self._open_next)

    def seen(self) -> list[StepSection]:
        """Folds whose formulas are open to the eye."""
        out: list[StepSection] = []
        for section in self.sections.values():
            if not section.heading.depth and section.is_open:
                out += [section, *(p for p in section.parts if p.is_open)]
        return [f for f in out if f.has_formulas]

    def section_of(self, part: str) -> StepSection | None:
        """The fold that shows a picture."""
        chapter, _, key = part.partition("/")
        return (
            self.sections.get(key)
            if self.ready is not None and chapter == self.ready.chapter
            else None
        )
