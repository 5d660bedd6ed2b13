"""The equations of the drawing: their structure in one line, then each part behind a fold, typeset
when it is opened; and how they are derived.
"""

from collections.abc import Callable
from functools import partial

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.help import topics
from mechstudio.application.help.pages import Topic
from mechstudio.application.questions.agreement import Verdicts, change_claims
from mechstudio.application.questions.equations.derivations import Derivations
from mechstudio.application.studio import Studio
from mechstudio.model.equations.lecture import (
    CLAIM,
    ENGINE,
    ENGINE_CLAIM,
    METHODS,
    PARTITION,
    UNPROVEN,
    Proof,
)
from mechstudio.model.equations.term_lengths import is_cut
from mechstudio.model.equations.terms import Equations, parts
from mechstudio.translation import Words, tr
from mechstudio.view.equations.contacts import ContactChapter
from mechstudio.view.equations.copying import Copying
from mechstudio.view.equations.equation_places import Places
from mechstudio.view.equations.equation_search import FindBar, Search
from mechstudio.view.equations.formula import Formula
from mechstudio.view.equations.images import COLUMN_GAP, EDGE, Pictures
from mechstudio.view.equations.lecture import Chapter
from mechstudio.view.equations.numbers import IndependentChoice, Instant, NowView
from mechstudio.view.equations.parts import (
    TITLES,
    PartSection,
    Progress,
    form_of,
    note_of,
    remark_of,
)
from mechstudio.view.equations.pointer import Pointer
from mechstudio.view.equations.proofs import Marks
from mechstudio.view.equations.views import NOW, SIDE, ViewBar
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.widgets import Linked, column, row, throw_away, wrapped

Qt = QtCore.Qt
LATE_MS = 120  # after the last change of width, lines are broken again
SLOW_MS = 300  # a derivation that takes longer shows how far it is
EMPTY: Words = "The equations of what you draw appear here."
WAITING: Words = "The equations follow as soon as the solver has started."


class EquationsPanel(QtWidgets.QWidget):
    """Lives from `begin` to `end`; `poll` brings news.  report_requested(): requested in its menu.
    help_requested(topic): the theory behind what is shown.
    """

    report_requested = QtCore.Signal()
    help_requested = QtCore.Signal(Topic)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self.theme, self.studio = theme, studio
        self.derivations: Derivations | None = None
        self.verdicts: Verdicts | None = None
        self.equations: Equations | None = None  # those that are shown
        self.sections: dict[str, PartSection] = {}
        self._open: set[str] = set()
        self._view = ""  # the one of the bar that is shown
        self._open_steps: set[str] = (
            set()
        )  # in all chapters alike, so that three columns unfold together
        self.copying = Copying(self)
        self.copy_button, self.export_button, self.copy = (
            self.copying.copy_button,
            self.copying.export_button,
            self.copying.copy,
        )
        self.pictures = Pictures(self)
        self.pointer = Pointer(self)
        self.places = Places(self)
        self._place()
        self.instant = Instant(self)
        self.contact_chapter = ContactChapter(self)
        self.column.insertWidget(self.column.indexOf(self.lecture), self.contact_chapter.line)
        self.now.choice.chosen.connect(self.instant.choose)
        self.now.played.connect(self.instant.play)
        self.choice.chosen.connect(self.instant.choose)
        self._late = QtCore.QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self.pictures.ask)
        self._slow = QtCore.QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self._show_state)
        theme.follow(self._restyle)
        studio.preferences.units_changed.connect(self.pictures.ask)
        studio.lecture.changed.connect(self._changed)
        self._show_state()

    def _place(self) -> None:
        theme, dress = self.theme, self.pointer.dress
        self.progress = Progress(theme)
        self.progress.pressed.connect(self._press)
        self.calm = wrapped("", "three")
        self.calm.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.calm.setContentsMargins(24, 0, 24, 16)
        self.cover = Linked(theme, "three", lambda _: self.studio.lecture.uncover_equations())
        self.cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.cover.setContentsMargins(24, 0, 24, 16)
        self.structure = dress(Formula(theme), "structure")
        self.form = Linked(theme, "three", lambda key: self.bar.show_view(key))
        self.form.hide()
        self.warning = wrapped("", "two")
        self.notes = wrapped("", "three")
        self.marks = Marks(theme, dress)
        self.marks.needed.connect(self._marks_opened)
        self.marks.claims_changed.connect(partial(change_claims, self.studio.document))
        self.bar = ViewBar(theme, self.marks.pill)
        self.bar.changed.connect(self._view_changed)
        self.bar.coordinates_chosen.connect(self._choose_coordinates)
        self.bar.set_otherwise.connect(self._view_changed)
        self.bar.zoomed.connect(self.pictures.zoom_by)
        self.line = FindBar(theme)
        self.search = Search(self, self.line)
        self.bar.find_requested.connect(self.find)
        QtGui.QShortcut(QtGui.QKeySequence.StandardKey.Find, self, self.open_search)
        self.chapters = [Chapter(theme, dress) for _ in METHODS]
        for chapter in self.chapters:
            chapter.rotated.connect(self._rotated)
            chapter.grown.connect(self.pictures.ask)
            chapter.menu_requested.connect(self.copying.menu)
            chapter.theory_requested.connect(self._explain_step)
        self.lecture = row(*self.chapters, gap=COLUMN_GAP)
        self.lecture.box.setAlignment(Qt.AlignmentFlag.AlignTop)
        for k in range(len(self.chapters)):
            self.lecture.box.setStretch(k, 1)
        self.lecture.hide()
        self.instant_line = wrapped("", "three")
        self.now = NowView(theme, dress)
        # above the chapter that follows from it
        self.choice = IndependentChoice()
        self.content = QtWidgets.QWidget()
        self.column = QtWidgets.QVBoxLayout(self.content)
        self.column.setContentsMargins(EDGE, 2, EDGE, 12)
        self.column.setSpacing(2)
        for widget in (
            self.marks.alarm,
            self.marks,
            self.instant_line,
            self.structure,
            self.form,
            self.now,
            self.choice,
            self.lecture,
            self.warning,
        ):
            self.column.addWidget(widget)
        self.column.addSpacing(8)
        self.column.addWidget(self.notes)
        self.instant_line.hide()
        self.choice.hide()
        self.column.addStretch(1)
        self.area = QtWidgets.QScrollArea()
        self.area.setWidget(self.content)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.viewport().setAutoFillBackground(False)
        # what is shown above takes its height from here: the row of panels must not grow for it
        self.area.setMinimumHeight(1)
        self.area.verticalScrollBar().valueChanged.connect(self.pictures.look_soon)
        box = column(self)
        for widget in (self.bar, self.line, self.progress):
            box.addWidget(widget)
        box.addWidget(self.calm, 1)
        box.addWidget(self.cover, 1)
        box.addWidget(self.area, 1)

    # life

    def begin(self, is_free: Callable[[], bool]) -> None:
        """Derive from now on whenever it can be seen.  is_free: whether the solver has started,
        which comes first.
        """
        self.derivations = Derivations(self.studio.document, is_free)
        self.derivations.changed.connect(self._changed)
        self.derivations.pictures.ready.connect(self.pictures.ready)
        self.derivations.chapters.chapter_ready.connect(lambda key: self._show_lecture())
        self.derivations.chapters.written.connect(self.copying.copied)
        self.derivations.chapters.unwritten.connect(self.copying.refused)
        self.derivations.instant_values.changed.connect(self.instant.show)
        self.verdicts = Verdicts()
        self.verdicts.changed.connect(self._show_marks)
        self.derivations.visible = self.isVisible()
        self._changed()

    def end(self) -> None:
        """End the process that derives."""
        for timer in (self._late, self._slow, self.places.timer, self.copying.timer):
            timer.stop()
        self.search.stop()
        if self.derivations is not None:
            self.derivations.close()
        if self.verdicts is not None:
            self.verdicts.close()

    def poll(self) -> None:
        """Take in what is new."""
        if self.derivations is not None:
            self.derivations.poll()
        if self.verdicts is not None:
            self.verdicts.poll()

    def compare(self, text: str, answered: Callable[[Proof], object]) -> bool:
        """Compare an equation with the derived ones; False, and they are derived, where there are
        none yet.
        """
        if self.derivations is None:
            return False
        self.derivations.visible = True
        return self.derivations.compare(text, answered)

    @property
    def is_settled(self) -> bool:
        """True if the panel will not change by itself, except for the simulator's verdict, which
        takes its time.
        """
        return not self.isVisible() or (
            self.derivations is not None
            and self.derivations.is_settled
            and not self.pictures.waits
            and not any(c.is_making for c in self.chapters)
        )

    @property
    def is_working(self) -> bool:
        """True if work is under way whose result `poll` will receive."""
        return (
            not self.is_settled
            or not self.instant.is_settled
            or (self.verdicts is not None and self.verdicts.is_working)
        )

    @property
    def is_shown(self) -> bool:
        """True if there are equations and the panel is visible."""
        return self.equations is not None and self.isVisible()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        if self.derivations is not None:
            self.derivations.visible = True
        self._show_lecture()
        self.instant.follow()
        self.contact_chapter.follow()
        self.pictures.ask()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        if self.derivations is not None:
            self.derivations.visible = False
        self.contact_chapter.follow()
        self.studio.selection.hover("")

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self.bar.show_size(self.width(), self.height())
        self._late.start()

    def _restyle(self) -> None:
        # of the widget itself: Qt forgets it with the widget
        self.pictures.ask()

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.DevicePixelRatioChange:
            self.pictures.ask()
        return super().event(event)

    # state

    def _changed(self) -> None:
        d = self.derivations
        if (
            d is not None
            and (d.state == "deriving" or d.chapters.is_teaching)
            and self.progress.isHidden()
        ):
            if not self._slow.isActive():
                self._slow.start()
            return
        self._slow.stop()
        self._show_state()

    def _show_state(self) -> None:
        d = self.derivations
        state = "idle" if d is None else d.state
        if d is not None and d.equations is not self.equations:
            self._show_equations(d.equations)
        if d is not None and (state == "deriving" or d.chapters.is_teaching):
            self.progress.show_state(
                tr(d.step)
                if d.step
                else tr("Laying out the steps")
                if d.chapters.is_teaching
                else tr("Deriving the equations"),
                tr("Cancel"),
                d.progress,
            )
        elif d is not None and d.sentence:
            self.progress.show_state(
                d.sentence,
                tr("Derive again") if state == "stale" or d.equations is None else "",
                None,
            )
        else:
            self.progress.hide()
        for chapter in self.chapters:
            chapter.show_waiting(self._lays_out)
        covered = self.equations is not None and self.studio.lecture.covers_equations
        shown = self.equations is not None and not covered
        if shown and not self.cover.isHidden():
            self.pictures.ask()
        self.area.setVisible(shown)
        self.bar.setVisible(shown)
        self.cover.setText(
            tr(
                "The equations are covered until the question of the lesson is answered. {link}",
                link=f'<a href="show">{tr("Show them")}</a>',
            )
        )
        self.cover.setVisible(covered)
        self._show_marks()
        self.calm.setText(
            ""
            if not self.progress.isHidden()
            else tr(EMPTY)
            if not self.studio.document.has_bodies
            else tr(WAITING)
            if state == "idle"
            else ""
        )
        self.calm.setVisible(self.equations is None)
        self.copy_button.setEnabled(d is not None and bool(d.latex) and not covered)
        self.export_button.setEnabled(self.studio.document.has_bodies)

    def _press(self) -> None:
        assert self.derivations is not None
        if self.derivations.state == "deriving" or self.derivations.chapters.is_teaching:
            self.derivations.cancel()
        else:
            self.derivations.request()

    def _show_equations(self, equations: Equations | None) -> None:
        self.equations = equations
        shown = [] if equations is None else [p for p in parts(equations) if p in TITLES]
        for part in [p for p in self.sections if p not in shown]:
            gone = self.sections.pop(part)
            self.column.removeWidget(gone)
            throw_away(gone)
        for k, part in enumerate(shown):
            section = self.sections.get(part)
            if section is None:
                section = self.sections[part] = PartSection(self.theme, part)
                self.pointer.dress(section.formula, part)
                section.head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                section.head.customContextMenuRequested.connect(
                    lambda at, s=section: self.copying.menu(s.part, s.head.mapToGlobal(at))
                )
                self.column.insertWidget(self.column.indexOf(self.form) + 1 + k, section)
                section.set_open(part in self._open)
                section.opened.connect(self._opened)
                section.why.show()
                section.why.clicked.connect(
                    lambda _=False, part=part: self.help_requested.emit(topics.of_equations(part))
                )
                section.setVisible(not self.bar.lecture)
            assert equations is not None
            section.say(
                note_of(equations, part), self._length_remark(part) or remark_of(equations, part)
            )
        complete = equations is None or bool(equations.blocks)
        notes = [] if equations is None else [*equations.notes]
        self.form.setText("" if equations is None else form_of(equations))
        self._show_form()
        self.warning.setText("" if complete else notes[0])
        self.warning.setVisible(not complete)
        self.notes.setText("\n".join(notes if complete else notes[1:]))
        self.notes.setVisible(bool(self.notes.text()))
        self._show_lecture()
        self.instant.follow()
        self.instant.show()
        self.pictures.ask()

    # how much there is

    def _show_form(self) -> None:
        """Show the form of long equations, beside these alone."""
        self.form.setVisible(bool(self.form.text()) and not self.bar.lecture)

    def _length_remark(self, part: str) -> str:
        e = self.equations
        if e is None or e.intermediates or not is_cut(e, part):
            return ""
        if part == "rows":
            return tr(
                "Rows of too many terms name their entries. Copy them whole as LaTeX from the "
                "menu of the right button, or choose the view Recursive form."
            )
        return tr(
            (
                "{count} terms: what the entries have in common stands by names (ζ). Copy them "
                "whole as LaTeX from the menu of the right button."
            ),
            count=e.block(part).term_count,
        )

    # the lecture

    @property
    def columns(self) -> tuple[str, ...]:
        """The chapters that are shown; none where the equations themselves are."""
        return (
            ()
            if self.bar.lecture in ("", NOW)
            else METHODS
            if self.bar.method == SIDE and self.bar.lecture == SIDE
            else (self.bar.method if self.bar.lecture == SIDE else self.bar.lecture,)
        )

    def _view_changed(self) -> None:
        if self.bar.lecture != self._view:
            # what was chosen shall not lie below the claims
            self._view = self.bar.lecture
            self.marks.fold()
        for section in self.sections.values():
            section.setVisible(not self.bar.lecture)
        self.now.setVisible(self.bar.lecture == NOW)
        self.structure.setVisible(self.bar.lecture != NOW)
        self._show_form()
        self.choice.setVisible(
            self.bar.lecture == PARTITION
            and self.equations is not None
            and bool(self.equations.multipliers)
        )
        self.contact_chapter.follow()
        self._show_lecture()
        self._show_marks()
        self.instant.follow()
        self.instant.show()
        self.pictures.ask()
        self.search.refresh()

    def _choose_coordinates(self, coordinates: str) -> None:
        assert self.derivations is not None
        self.derivations.request(coordinates=coordinates)

    def _show_lecture(self) -> None:
        columns, d = self.columns, self.derivations
        direction = QtWidgets.QBoxLayout.Direction
        self.lecture.box.setDirection(
            direction.TopToBottom if self.bar.stacked else direction.LeftToRight
        )
        self.lecture.setVisible(bool(columns))
        for k, chapter in enumerate(self.chapters):
            chapter.setVisible(k < len(columns))
            if k < len(columns) and d is not None and self.is_shown:
                chapter.show_chapter(
                    d.chapters.chapter(columns[k]), self._open_steps, len(columns) > 1
                )
                chapter.show_waiting(self._lays_out)
        self.contact_chapter.show()
        if columns:
            self.pictures.ask()

    @property
    def _lays_out(self) -> bool:
        """True if missing chapters are being made."""
        return self.derivations is not None and (
            self.derivations.chapters.is_teaching or self.derivations.state == "deriving"
        )

    def _rotated(self, key: str, open_: bool) -> None:
        (self._open_steps.add if open_ else self._open_steps.discard)(key)
        for chapter in self.chapters:
            chapter.set_open(key, open_)
        self.pictures.ask()

    # what is proven

    def _marks_opened(self) -> None:
        self._ask_simulator()
        self.pictures.ask()

    def _ask_simulator(self) -> None:
        """Have the simulator check the equations while derivations are shown: it is loaded a second
        time for that.
        """
        d = self.derivations
        if (
            self.verdicts is not None
            and d is not None
            and d.is_current
            and d.proofs
            and (self.bar.lecture == SIDE or self.marks.pill.isChecked())
        ):
            assert d.project is not None
            self.verdicts.ask(d.project, d.coordinates)

    def _show_marks(self) -> None:
        d, verdicts = self.derivations, self.verdicts
        if d is None or verdicts is None:
            return
        proofs = d.proofs
        if not d.is_current or not proofs:
            verdicts.forget()
        self._ask_simulator()
        verdict = verdicts.proof
        if verdict is None and (verdicts.sentence or verdicts.is_working):
            verdict = Proof(
                ENGINE,
                tr(ENGINE_CLAIM),
                UNPROVEN,
                verdicts.sentence or tr("At random states, by a simulator of its own."),
            )
        if proofs and verdict is not None:
            proofs = tuple(sorted((*proofs, verdict), key=lambda p: p.key.startswith(CLAIM)))
        self.marks.show_proofs(proofs, waiting=verdicts.is_working)
        self.bar.fit()

    def _explain_step(self, step: str) -> None:
        """Open the theory behind a step of a lecture."""
        self.help_requested.emit(topics.of_step(self.bar.lecture, step))

    def help_topic(self) -> Topic:
        """The theory behind the view that is shown; of the equations themselves, how to read
        them.
        """
        lecture = self.bar.lecture
        return (
            topics.of_equations(lecture) if lecture not in ("", SIDE, NOW) else Topic("equations")
        )

    # parts and places

    def shown(self, part: str, formula: Formula) -> None:
        """A picture has been put into its widget."""
        self.pointer.mark_one(formula)
        self.search.refresh()
        self.places.shown(part, formula)

    def _opened(self, part: str, open_: bool) -> None:
        (self._open.add if open_ else self._open.discard)(part)
        if open_:
            self.pictures.ask()

    def open_first(self) -> None:
        """Unfold the equations themselves, unless the user has chosen what to see."""
        if not self._open:
            self._open.add("rows")
            if "rows" in self.sections:
                self.sections["rows"].set_open(True)

    def open_balance(self, body: str) -> None:
        """Newton-Euler's six equations of a body that is cut free."""
        self._open_steps |= {"balances", f"balances:{body}"}
        self.places.look_for(f"{METHODS[0]}/balances:{body}")
        self.bar.show_view(SIDE)
        self.bar.show_method(METHODS[0])

    def open_search(self) -> None:
        """Open the line for what is looked for."""
        if self.is_shown:
            self.line.open_line()
            self.search.refresh()
