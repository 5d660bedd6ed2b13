"""The inspector: every number of the selection; with nothing selected, the project: its lesson, its
run, gravity.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions import choice
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.mechanism import GROUND, Body, Coupling, Drive, Force, Joint
from mechstudio.model.project import Gauge, Picture
from mechstudio.model.quantity import Parameter
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr
from mechstudio.view.idle_tasks import turns
from mechstudio.view.inspector import project_page
from mechstudio.view.inspector import several as several_part
from mechstudio.view.inspector.contacts import contacts_page
from mechstudio.view.inspector.elements import element_page
from mechstudio.view.inspector.elements.coordinate import CoordinateLine
from mechstudio.view.inspector.elements.element_lines import structure
from mechstudio.view.inspector.elements.forces import beside_number
from mechstudio.view.inspector.laws.editor import LawText
from mechstudio.view.inspector.pages import Draft, Leaf, Leaves, kind_of
from mechstudio.view.inspector.pose import default_forms
from mechstudio.view.inspector.runs import settings as run_settings
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.number_field import NumberField, absent_value
from mechstudio.view.widgets.form import Form, Section

Qt = QtCore.Qt
STEP = 0.02  # s of computing, for which lines of a page are made in one turn


class _Requested(NamedTuple):
    """A page.  element: None of the project and of several elements.  kind: see leaves.kind_of.
    signature: what must be the same for the page to stay.
    """

    id: str
    element: Any
    shown: tuple[fields.Field, ...]
    kind: tuple | None
    signature: tuple
    several: bool


class Inspector(QtWidgets.QWidget):
    """Another page when another thing is selected, refreshed when its numbers change.

    title_changed: title, kind and dot colour (or "") of the panel's head.  analysis_requested: an
    analysis of the selection, and its axes or "".
    """

    title_changed = QtCore.Signal(str, str, str)
    analysis_requested = QtCore.Signal(str, str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._signature: object = None
        self.opened: set[str] = set()
        self.forms = default_forms()
        self.reaction_axes = "joint"
        box = QtWidgets.QVBoxLayout(self)
        box.setContentsMargins(12, 0, 12, 12)
        self._leaves = Leaves(box)
        self._draft: Draft | None = None
        self._at_work: Leaf | None = None  # the page whose lines are being made
        studio.document.changed.connect(lambda old, new: self._later())
        studio.selection.changed.connect(self._later)
        studio.runs.playback.changed.connect(self.refresh_on_time)
        studio.runs.recorded.connect(self.refresh_on_time)
        studio.questions.analysed.connect(self.refresh_on_time)
        studio.questions.curves.changed.connect(self.refresh_on_time)
        studio.free_body.changed.connect(self.refresh_on_time)
        studio.preferences.units_changed.connect(self._units_changed)
        studio.tools.entry_requested.connect(self._ask)
        studio.questions.joint_setting.stopped.connect(self._stop)
        theme.leaving.connect(self._forget)
        theme.changed.connect(self._repaint)
        theme.resized.connect(self.refresh)
        self.refresh()

    @property
    def theme(self) -> Theme:
        return self._theme

    @property
    def studio(self) -> Studio:
        return self._studio

    def catch_up(self) -> None:
        """Show what is selected now, if that is still to come."""
        if turns().waits(self):
            self.refresh()

    @property
    def leaf(self) -> Leaf:
        """The page as it stands in the window, or the one whose lines are being made.  Whatever is
        built on it keeps it, to ask whose page it is.
        """
        leaf = self._at_work or self._leaves.shown
        assert leaf is not None
        return leaf

    @property
    def refreshers(self) -> list[Callable[[], None]]:
        """Called when the drawing is another; a part of the page adds what brings it up to date."""
        return self.leaf.refreshers

    @property
    def on_time(self) -> list[Callable[[], None]]:
        """Called when the time cursor is elsewhere."""
        return self.leaf.on_time

    @property
    def numbers(self) -> list[NumberField]:
        """The fields of the page of the present selection."""
        self.catch_up()
        return self.leaf.numbers

    @property
    def texts(self) -> dict[tuple[str, fields.Path], LawText]:
        """The expressions of laws of that page, by element and place."""
        self.catch_up()
        return self.leaf.texts

    def parts(self, kind: type, name: str = "") -> list:
        """The parts of that page that are of a kind, of one object name if it is given."""
        self.catch_up()
        return (
            self.leaf.widget.findChildren(kind, name)
            if name
            else self.leaf.widget.findChildren(kind)
        )

    def number(self, path: fields.Path) -> NumberField:
        """The field of a path of the selected element, its fold opened.  Raises StopIteration if it
        has none.
        """
        for section in self.parts(Section):
            section.set_open(True)
        return next(f for f in self.numbers if f.field.path == path)

    def _ask(self, id: str) -> None:
        """Give the keyboard to the first number of a new element, all of it selected, so that
        typing replaces it.
        """
        if self._studio.selection.current == id and self.numbers and self.isVisible():
            self.numbers[0].answered = self._studio.tools.answered.emit
            self.numbers[0].edit.setFocus(Qt.FocusReason.TabFocusReason)

    def go_to(self, path: fields.Path) -> None:
        """Give the keys to the field, or to the law, of a path of the selected element; its fold is
        opened.
        """
        self.catch_up()
        id = self.leaf.id
        field = next(
            (
                f
                for f in fields.fields(
                    fields.find(self._studio.document.project, id),
                    id,
                    self._studio.document.project.mechanism,
                )
                if f.path == path
            ),
            None,
        )
        for section in self.parts(Section):
            if field is not None and section.title == tr(field.group):
                section.set_open(True)
        found = next(
            (n for n in self.numbers if n.id == id and n.field.path == path), None
        ) or self.texts.get((id, path))
        if found is not None:
            found.setFocus()
            QtCore.QTimer.singleShot(0, found, lambda: self._bring(found))

    def _bring(self, field: QtWidgets.QWidget) -> None:
        """Scroll to a field once the page has its height."""
        area = self.parent()
        while area is not None and not isinstance(area, QtWidgets.QScrollArea):
            area = area.parent()
        if area is not None:
            area.ensureWidgetVisible(field)

    def _repaint(self) -> None:
        self._signature = None
        self._later()

    def _forget(self) -> None:
        """Pages of another look are not turned to."""
        self._discard()
        self._leaves.forget()

    def _units_changed(self) -> None:
        self._discard()
        self.refresh()

    def _stop(self, joint: str, coordinate: int, requested: float, reached: float) -> None:
        """A coordinate came only so far: its slider shows that."""
        for line in self.parts(CoordinateLine):
            line.stop(joint, coordinate, requested, reached)

    def _later(self) -> None:
        """Fill the panel in turns of its own: one page for all changes, as those of drawing and
        selection come together.
        """
        turns().soon(self, self._go_on)
        if self._is_gone():
            self.leaf.widget.hide()  # nothing is typed into what is gone
            self._head_selected()
        # the title above a page is that of its element: another one comes with the page itself
        elif self.leaf.id == self._studio.selection.current and not several_part.elements(
            self._studio
        ):
            self._head_selected()

    def _go_on(self) -> None:
        """Make some lines of the requested page, if there is none of its kind; the turn
        after the last of them shows it.
        """
        requested = self._requested()
        if (
            requested.signature != self._signature
            and not self._leaves.has(requested.kind)
            and not self._draft_of(requested).is_done
        ):
            self._write(STEP)
            turns().soon(self, self._go_on)
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show what is selected now."""
        turns().drop(self)
        requested = self._requested()
        if requested.signature != self._signature:
            self._signature = requested.signature
            typed = {} if requested.several else self._suspend(requested.id)
            drafted = None
            if not self._leaves.has(requested.kind):
                drafted = self._draft_of(requested).leaf
                self._write(math.inf)
                self._draft = None
            self._leaves.turn(requested.kind, requested.id, drafted)
            self._studio.questions.curves.also = ()
            self._arrive(requested.several)
            # now, not when the layout comes to it: what is said in it stands in the view
            self.leaf.widget.show()
            self._resume(typed)
        else:
            self._refill()
        self._discard()
        self._head_selected()
        self.refresh_on_time()

    def _requested(self) -> _Requested:
        """The page of the present selection."""
        id, project = self._studio.selection.current, self._studio.document.project
        if several_part.elements(self._studio):
            return _Requested("", None, (), None, several_part.signature(self._studio), True)
        element = fields.find(project, id) if id else None
        shown = fields.fields(element, id, project.mechanism) if id else ()
        if id == fields.SETTINGS:
            shown = tuple(f for f in shown if run_settings.applies(project.settings, f))
        touching = (
            project.mechanism.contacts.enabled,
            project.mechanism.contacts.floor is not None,
            contacts_page.pair_count(project) if id == fields.CONTACTS else 0,
        )
        further = (
            (project.lesson, any(j.limits for j in project.mechanism.joints.values()))
            if not id
            else None,
            run_settings.shape(project.settings) if id in ("", fields.SETTINGS) else "",
            touching,
        )
        kind = kind_of(id, element, shown, further)
        return _Requested(
            id,
            element,
            shown,
            kind,
            (id, kind, shown, getattr(element, "type", ""), structure(element), *further),
            False,
        )

    # the page that is not shown yet

    def _draft_of(self, requested: _Requested) -> Draft:
        """The page that is being made, or a new one where that is for something else, or for the
        drawing before an edit.
        """
        project = self._studio.document.project
        if (
            self._draft is None
            or self._draft.project is not project
            or self._draft.signature != requested.signature
        ):
            self._discard()
            self._draft = Draft(
                project,
                requested.signature,
                self._leaves.blank(requested.kind, requested.id),
                self._lines(requested),
            )
        return self._draft

    def _write(self, seconds: float) -> None:
        """Go on with it."""
        assert self._draft is not None
        self._at_work = self._draft.leaf
        try:
            self._draft.go_on(seconds)
        finally:
            self._at_work = None

    def _discard(self) -> None:
        """It is no longer needed."""
        if self._draft is not None:
            self._leaves.drop(self._draft.leaf)
            self._draft = None

    def _lines(self, requested: _Requested) -> Iterator[None]:
        """Make a page, some lines at every step."""
        column = QtWidgets.QVBoxLayout(self.leaf.widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        if requested.several:
            yield from several_part.lines(self, column)
        elif requested.element is None:
            yield from project_page.lines(self, column)
        else:
            yield from element_page.lines(
                self, column, requested.id, requested.element, requested.shown
            )
        column.addStretch(1)

    def _head_selected(self) -> None:
        """Title of the present selection."""
        id = self._studio.selection.current
        if several_part.elements(self._studio):
            self._head_several()
        else:
            self._head(id, fields.find(self._studio.document.project, id) if id else None)

    def _head_several(self) -> None:
        count = len(self._studio.selection.selected)
        group = choice.group(self._studio)
        self.title_changed.emit(
            group.name if group is not None else choice.words(self._studio),
            tr("{count} selected", count=count),
            "",
        )

    def _suspend(self, id: str) -> dict[tuple[str, fields.Path], tuple[str, int, bool]]:
        """Unfinished input in the page of an element that stays on display; the fields give it
        up.
        """
        if self._leaves.shown is None or id != self.leaf.id:
            return {}
        fields_ = [*(((n.id, n.field.path), n) for n in self.numbers), *self.texts.items()]
        return {key: state for key, field in fields_ if (state := field.suspend()) is not None}

    def _resume(self, typed: dict[tuple[str, fields.Path], tuple[str, int, bool]]) -> None:
        """Go on with it in the fields of the new page."""
        fields_ = {**{(n.id, n.field.path): n for n in self.numbers}, **self.texts}
        for key, state in typed.items():
            if key in fields_:
                fields_[key].resume(state)

    def refresh_on_time(self) -> None:
        """The readings at the time cursor."""
        if turns().waits(self) or self._is_gone():
            return  # they may be of something that is gone; this page goes with it
        for show in self.on_time:
            show()

    def _head(self, id: str, element: object) -> None:
        kinds = {
            GROUND: tr("Ground"),
            fields.SETTINGS: tr("Run"),
            fields.GRAVITY: tr("Gravity"),
            fields.CONTACTS: tr("Contacts"),
            fields.START: tr("Start of the run"),
            "": tr("Project"),
        }
        color = self._theme.body(element.color) if isinstance(element, Body) else ""
        if isinstance(element, Body):
            kind = kinds.get(id, tr("Body"))
        elif isinstance(element, Joint):
            kind = tr(JOINT_TYPES[element.type].label)
        elif isinstance(element, Force):
            kind = tr(FORCE_TYPES[element.type].label)
        elif isinstance(element, Parameter):
            kind = tr("Parameter")
        elif isinstance(element, Coupling):
            kind = tr(COUPLING_TYPES[element.type].label)
        elif isinstance(element, Drive):
            kind = tr("Drive")
        elif isinstance(element, Picture):
            kind = tr("Picture")
        elif isinstance(element, Gauge):
            kind = tr("Gauge")
        else:
            kind = ""
        many = len(self._studio.selection.selected)
        title = getattr(element, "name", "") or kinds.get(id, id)
        self.title_changed.emit(
            title, tr("{count} selected", count=many) if many > 1 else kind, color
        )

    # building

    def _is_gone(self) -> bool:
        """True if the page belongs to an element that no longer exists."""
        return (
            self._leaves.shown is not None
            and bool(self.leaf.id)
            and self.leaf.id not in self._studio.document.known()
        )

    def _arrive(self, several: bool) -> None:
        """Let a page that was put away, or made in the turns before, say what is true now of the
        element that is selected.
        """
        if not several:
            self.leaf.show_of(self._studio.selection.current)
        for section in self.leaf.widget.findChildren(Section):
            if section.is_open != (section.title in self.opened):
                section.set_open(not section.is_open)
        for arrive in self.leaf.arrivals:
            arrive()
        self._refill()

    def _refill(self) -> None:
        """Say what is true now in the lines that are there."""
        project = self._studio.document.project
        for number in self.leaf.numbers:
            if number.field.optional:
                number.set_absent(absent_value(fields.find(project, number.id), number.field))
            else:
                number.refresh()
        for refresh in self.leaf.refreshers:
            refresh()

    def add_number(self, form: Form, id: str, field: fields.Field) -> None:
        """A line with a field of an element."""
        number, button = self._number(id, field), beside_number(self, id, field)
        if button is None:
            form.add(tr(field.label), number)
            return
        line = QtWidgets.QWidget()
        box = QtWidgets.QHBoxLayout(line)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(number, 1)
        box.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        form.add(tr(field.label), line)

    def add_to_grid(
        self, grid: QtWidgets.QGridLayout, id: str, field: fields.Field, line: int, column: int
    ) -> None:
        """A field alone, at a place of a grid."""
        number = self._number(id, field)
        number.tighten()
        grid.addWidget(number, line, column)
        grid.setColumnStretch(column, 1)

    def _number(self, id: str, field: fields.Field) -> NumberField:
        element = fields.find(self._studio.document.project, id)
        number = NumberField(
            self._theme,
            self._studio,
            id,
            field,
            absent_value(element, field) if field.optional else (None, ""),
        )
        self.leaf.numbers.append(number)
        return number

    def refuse(self, reason: str) -> None:
        """Say why something cannot be done, and show what is true."""
        self._studio.notifications.say(Message("warning", reason, "tool"))
        self.refresh()
