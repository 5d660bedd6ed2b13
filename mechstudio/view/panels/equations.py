"""The equations of what was drawn: their structure in one line, then each part behind a fold, typeset when it is opened."""

from collections.abc import Callable

from PySide6 import QtCore, QtGui, QtWidgets

from mechstudio.application.derivations import Derivations, Style
from mechstudio.application.studio import Studio
from mechstudio.model.mechanism import GROUND
from mechstudio.model.terms import PART, Equations

from ..i18n import tr
from ..pieces import IconButton, column, wrapped
from ..theme import Theme
from .equation_parts import INDENT, TITLES, Progress, Section, note_of, remark_of
from .formula import Formula

Qt = QtCore.Qt
SIZE = 14.5                 # px, letters of formulas at the normal text size
ZOOM = 1.1                  # per step of the wheel
EDGE = 12                   # px, beside the parts
SMALLEST, LARGEST = 0.6, 3.0
LATE_MS = 120               # after the last change of width, lines are broken anew
SLOW_MS = 300               # a derivation that takes longer shows how far it is
COPIED_MS = 1200
REVEAL_MS = 40
LONGEST = 800               # terms of one part that are still typeset
EMPTY = "The equations of what you draw appear here."
WAITING = "The equations follow as soon as the solver has started."


class EquationsPanel(QtWidgets.QWidget):
    """Lives from `begin` to `end`; `poll` brings news."""

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self.derivations: Derivations | None = None
        self._zoom = 1.0
        self._shown: Equations | None = None
        self.sections: dict[str, Section] = {}
        self._open: set[str] = set()
        self.copy_button = IconButton(theme, "copy", tr("Copy the equations as LaTeX"), 26, 16, clicked=self.copy)
        self._place()
        self._late = QtCore.QTimer(self, singleShot=True, interval=LATE_MS)
        self._late.timeout.connect(self._typeset)
        self._slow = QtCore.QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self._show_state)
        # a part has its height when its picture is there and the layout has followed
        self._looked_for = ""
        self._reveal = QtCore.QTimer(self, singleShot=True, interval=REVEAL_MS)
        self._reveal.timeout.connect(self._bring_into_sight)
        self._copied = QtCore.QTimer(self, singleShot=True, interval=COPIED_MS)
        self._copied.timeout.connect(lambda: self.copy_button.set_icon("copy", tr("Copy the equations as LaTeX")))
        studio.selection.changed.connect(self._mark)
        theme.follow(self._typeset)
        studio.preferences.units_changed.connect(self._typeset)
        self._show_state()

    def _place(self) -> None:
        self.progress = Progress(self._theme)
        self.progress.pressed.connect(self._press)
        self.calm = wrapped("", "three")
        self.calm.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.calm.setContentsMargins(24, 0, 24, 16)
        self.structure = self._formula(Formula(self._theme), "structure")
        self.warning = wrapped("", "two")
        self.notes = wrapped("", "three")
        self.notes.setContentsMargins(0, 8, 0, 0)
        content = QtWidgets.QWidget()
        self._column = QtWidgets.QVBoxLayout(content)
        self._column.setContentsMargins(EDGE, 2, EDGE, 12)
        self._column.setSpacing(2)
        for widget in (self.structure, self.warning, self.notes):
            self._column.addWidget(widget)
        self._column.insertSpacing(1, 4)
        self._column.addStretch(1)
        self.area = QtWidgets.QScrollArea()
        self.area.setWidget(content)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QtWidgets.QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.viewport().setAutoFillBackground(False)
        box = column(self)
        box.addWidget(self.progress)
        box.addWidget(self.calm, 1)
        box.addWidget(self.area, 1)

    def _formula(self, formula: Formula, part: str) -> Formula:
        formula.hovered.connect(self._hover)
        formula.clicked.connect(self._click)
        formula.zoomed.connect(self._zoom_by)
        formula.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        formula.customContextMenuRequested.connect(lambda at: self._menu(part, formula.mapToGlobal(at)))
        return formula

    # life

    def begin(self, is_free: Callable[[], bool]) -> None:
        """Derive from now on whenever it can be seen.  is_free: whether the solver has started, which comes first."""
        self.derivations = Derivations(self._studio.document, is_free)
        self.derivations.changed.connect(self._changed)
        self.derivations.picture_ready.connect(self._picture_ready)
        self.derivations.visible = self.isVisible()
        self._changed()

    def end(self) -> None:
        """End the process that derives."""
        for timer in (self._late, self._slow, self._reveal, self._copied):
            timer.stop()
        if self.derivations is not None:
            self.derivations.close()

    def poll(self) -> None:
        """Take in what is new."""
        if self.derivations is not None:
            self.derivations.poll()

    @property
    def is_settled(self) -> bool:
        """Whether what is shown will not change by itself."""
        return not self.isVisible() or (self.derivations is not None and self.derivations.is_settled)

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        if self.derivations is not None:
            self.derivations.visible = True
        self._typeset()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        if self.derivations is not None:
            self.derivations.visible = False
        self._studio.selection.hover("")

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._late.start()

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() == QtCore.QEvent.Type.DevicePixelRatioChange:
            self._typeset()
        return super().event(event)

    # state

    def _changed(self) -> None:
        d = self.derivations
        if d is not None and d.state == "deriving" and self.progress.isHidden():
            if not self._slow.isActive():
                self._slow.start()
            return
        self._slow.stop()
        self._show_state()

    def _show_state(self) -> None:
        d = self.derivations
        state = "idle" if d is None else d.state
        if d is not None and d.equations is not self._shown:
            self._show_equations(d.equations)
        if d is not None and state == "deriving":
            self.progress.show_state(tr(d.step) if d.step else tr("Deriving the equations"), tr("Cancel"), d.progress)
        elif d is not None and d.sentence:
            self.progress.show_state(d.sentence, tr("Derive again") if state == "stale" or d.equations is None else "", None)
        else:
            self.progress.hide()
        self.area.setVisible(self._shown is not None)
        self.calm.setText("" if not self.progress.isHidden() else tr(EMPTY) if not self._studio.has_bodies else tr(WAITING) if state == "idle" else "")
        self.calm.setVisible(self._shown is None)
        self.copy_button.setEnabled(self._shown is not None)

    def _press(self) -> None:
        assert self.derivations is not None
        if self.derivations.state == "deriving":
            self.derivations.cancel()
        else:
            self.derivations.request()

    def _show_equations(self, equations: Equations | None) -> None:
        self._shown = equations
        parts = [] if equations is None or self.derivations is None else [p for p in self.derivations.latex_parts if p in TITLES]
        for part in [p for p in self.sections if p not in parts]:
            gone = self.sections.pop(part)
            self._column.removeWidget(gone)
            gone.setParent(None)
            gone.deleteLater()
        for k, part in enumerate(parts):
            section = self.sections.get(part)
            if section is None:
                section = self.sections[part] = Section(self._theme, part)
                self._formula(section.formula, part)
                section.head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
                section.head.customContextMenuRequested.connect(lambda at, s=section: self._menu(s.part, s.head.mapToGlobal(at)))
                self._column.insertWidget(2 + k, section)
                section.set_open(part in self._open)
                section.opened.connect(self._opened)
            assert equations is not None
            section.say(note_of(equations, part), self._length_remark(part) or remark_of(equations, part))
        complete = equations is None or bool(equations.blocks)
        notes = () if equations is None else equations.notes
        self.warning.setText("" if complete else notes[0])
        self.warning.setVisible(not complete)
        self.notes.setText("\n".join(notes if complete else notes[1:]))
        self.notes.setVisible(bool(self.notes.text()))
        self._typeset()

    # pictures

    def _terms(self, part: str) -> int:
        """How much there is to typeset in a part."""
        equations = self._shown
        if equations is None or part in ("structure", "coordinates", "parameters", "definitions"):
            return 0
        return sum(b.term_count for b in equations.blocks) if part == "rows" else equations.block(part).term_count

    def _length_remark(self, part: str) -> str:
        count = self._terms(part)
        return tr("{count} terms: more than anybody reads here. Copy them as LaTeX from the menu of the right button.", count=count) if count > LONGEST else ""

    def _style(self, part: str) -> Style:
        project, theme = self._studio.document.project, self._theme
        colors = {"text": theme["text"], "mute": theme["text3"]}
        bodies = project.mechanism.bodies.items()
        colors |= {id: theme.readable(theme.body(b.color)) for id, b in ((GROUND, project.mechanism.ground), *bodies)}
        # as if the scroll bar were always there, so that its coming does not break the lines anew
        inner = self.area.width() - self.area.verticalScrollBar().sizeHint().width() - 2 * EDGE
        width = float(max(inner - (0 if part == "structure" else INDENT), 0))
        return Style(colors, round(SIZE * theme.scale * self._zoom, 2), self.devicePixelRatioF(), width, self._studio.units)

    def _typeset(self) -> None:
        """Ask for every picture that is looked at."""
        if self._shown is None or not self.isVisible():
            return
        self._picture_ready("structure")
        for part, section in self.sections.items():
            if section.is_open:
                self._picture_ready(part)

    def _picture_ready(self, part: str) -> None:
        formula = self.structure if part == "structure" else self.sections[part].formula if part in self.sections else None
        if formula is None or self.derivations is None:
            return
        if self._terms(part) > LONGEST:
            formula.hide()
            return
        style = self._style(part)
        formula.show()
        formula.show_picture(self.derivations.picture(part, style), style.size)
        # what stands beneath makes room at once: the request for it comes late on a busy machine, and lines would lie on one another until then
        content = self.area.widget()
        content.resize(content.width(), max(content.height(), self._column.minimumSize().height()))
        self._column.activate()
        if part == self._looked_for and formula.picture is not None:
            self._reveal.start()

    def _opened(self, part: str, open_: bool) -> None:
        (self._open.add if open_ else self._open.discard)(part)
        if open_:
            self._picture_ready(part)

    def open_part(self, part: str) -> None:
        """Unfold a part and bring it into sight."""
        if part in self.sections:
            self._looked_for = part
            self.sections[part].set_open(True)
            self._reveal.start()

    def _bring_into_sight(self) -> None:
        if self._looked_for in self.sections:
            section = self.sections[self._looked_for]
            self.area.ensureWidgetVisible(section, 0, 0)
            self.area.ensureWidgetVisible(section.head, 0, 0)
            if section.formula.picture is not None:
                self._looked_for = ""

    def open_first(self) -> None:
        """Unfold the equations themselves, unless the user has chosen what to see."""
        if not self._open:
            self._open.add("rows")
            if "rows" in self.sections:
                self.sections["rows"].set_open(True)

    def _zoom_by(self, steps: float) -> None:
        self._zoom = min(max(self._zoom * ZOOM ** steps, SMALLEST), LARGEST)
        self._typeset()

    # pointer and selection

    def _hover(self, sources: tuple[str, ...]) -> None:
        source = sources[0] if sources else ""
        self._studio.selection.hover("" if source.startswith(PART) else source)

    def _click(self, sources: tuple[str, ...]) -> None:
        source = sources[0]
        if source.startswith(PART):
            self.open_part(source.removeprefix(PART))
        elif source in self._studio.known():
            self._studio.selection.select(source)

    def _mark(self) -> None:
        for section in self.sections.values():
            section.formula.mark(self._studio.selection.hovered)

    # copying

    def _menu(self, part: str, at: QtCore.QPoint) -> None:
        menu = QtWidgets.QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if part in TITLES:
            menu.addAction(tr("Copy “{title}” as LaTeX", title=tr(TITLES[part])), lambda: self.copy(part))
        menu.addAction(tr("Copy everything as LaTeX"), self.copy)
        menu.popup(at)

    def copy(self, part: str = "") -> None:
        """Put the equations, or one part of them, on the clipboard as LaTeX."""
        d = self.derivations
        if d is None or d.equations is None:
            return
        QtGui.QGuiApplication.clipboard().setText(d.latex_parts[part] if part else d.latex)
        self.copy_button.set_icon("ok", tr("Copied"))
        self._copied.start()
