"""The inspector: every number of what is selected; with nothing selected, the project: its lesson, its run, gravity."""

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from mechstudio.application.readings import body_motion
from mechstudio.application.messages import Message
from mechstudio.application.studio import Studio
from mechstudio.model import edit, fields
from mechstudio.model.coupling_types import COUPLING_TYPES
from mechstudio.model.force_types import FORCE_TYPES
from mechstudio.model.joint_types import JOINT_TYPES, Coordinate
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body, Coupling, Drive, Force, Joint
from mechstudio.model.project import Lesson, Parameter, Picture
from mechstudio.model.units import format_value

from ..i18n import tr
from ..pieces import dot, label, row, wrapped
from ..theme import Theme
from . import several_part
from .body_part import BodyPart
from .color_choice import ColorChoice
from .coordinate_line import CoordinateLine
from .element_editors import OWN, beside_number, coordinate_lines, first_lines, force_lines, further, structure
from .event_list import EventList
from . import run_settings
from .form import Fold, Form, Note, Reading, Text
from .law_editor import LawText
from .model_rows import connection
from .number_field import NumberField
from .point_part import point_fold
from .pose_fold import PoseFold, default_forms
from .reaction_fold import reaction_fold, torsor_fold

Qt = QtCore.Qt


def absent_value(element: object, field: fields.Field) -> tuple[float | None, str]:
    """What an optional number amounts to while it is not typed, and where that comes from."""
    head = field.path[0]
    if isinstance(element, Body):
        known = mass_properties(element)
        if head == "mass":
            return known.mass, tr("auto")
        if head == "center_of_mass":
            return known.center[field.path[1]], tr("auto")
        if head == "inertia":
            i, j = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))[field.path[1]]
            return known.inertia[i][j], tr("auto")
        return 0.0, tr("at rest")
    return None, {"values": tr("as drawn"), "rates": tr("free"), "step": tr("free")}.get(str(head), tr("none"))


class Inspector(QtWidgets.QWidget):
    """Rebuilt when another thing is selected, refreshed when its numbers change.

    headed: title, kind and dot colour (or "") of the panel's head.   analysis_wanted: an analysis of what is selected, and its axes or "".
    """

    headed = QtCore.Signal(str, str, str)
    analysis_wanted = QtCore.Signal(str, str)

    def __init__(self, theme: Theme, studio: Studio) -> None:
        super().__init__()
        self._theme, self._studio = theme, studio
        self._signature: object = None
        self._shown_id = ""
        self.opened: set[str] = set()
        self._forms = default_forms()
        self.reaction_axes = "joint"
        self.numbers: list[NumberField] = []
        self.texts: dict[tuple[str, fields.Path], LawText] = {}        # expressions of laws, by element and place
        self.refreshers: list[Callable[[], None]] = []
        self.live: list[Callable[[], None]] = []
        self._page: QtWidgets.QWidget | None = None
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(12, 0, 12, 12)
        studio.document.changed.connect(lambda old, new: self.refresh())
        studio.selection.changed.connect(self.refresh)
        studio.playback.changed.connect(self.refresh_live)
        studio.recorded.connect(self.refresh_live)
        studio.analysed.connect(self.refresh_live)
        studio.measured.changed.connect(self.refresh_live)
        studio.preferences.units_changed.connect(self.refresh)
        studio.bench.asked.connect(self._ask)
        studio.stopped.connect(self._stop)
        theme.changed.connect(self._repaint)
        theme.resized.connect(self.refresh)
        self.refresh()

    @property
    def theme(self) -> Theme:
        return self._theme

    @property
    def studio(self) -> Studio:
        return self._studio

    def number(self, path: fields.Path) -> NumberField:
        """The field of a path of the selected element, its fold opened.  Raises StopIteration if it has none."""
        for fold in self.findChildren(Fold):
            fold.set_open(True)
        return next(f for f in self.numbers if f.field.path == path)

    def _ask(self, id: str) -> None:
        """The keyboard goes to the first number of something new, all of it selected, so that what is typed replaces it."""
        if self._studio.selection.current == id and self.numbers and self.isVisible():
            self.numbers[0].answered = self._studio.bench.answered.emit
            self.numbers[0].edit.setFocus(Qt.FocusReason.TabFocusReason)

    def go_to(self, path: fields.Path) -> None:
        """Give the keys to the field, or to the law, of a path of the selected element; its fold is opened."""
        id = self._shown_id
        field = next((f for f in fields.fields(fields.find(self._studio.document.project, id), id, self._studio.document.project.mechanism) if f.path == path), None)
        for fold in self.findChildren(Fold):
            if field is not None and fold.title == tr(field.group):
                fold.set_open(True)
        found = next((n for n in self.numbers if n.id == id and n.field.path == path), None) or self.texts.get((id, path))
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
        self.refresh()

    def _stop(self, joint: str, coordinate: int, wanted: float, reached: float) -> None:
        """A coordinate came only so far: its slider shows that."""
        for line in self.findChildren(CoordinateLine):
            line.stop(joint, coordinate, wanted, reached)

    def refresh(self) -> None:
        """Show what is selected now."""
        id, project = self._studio.selection.current, self._studio.document.project
        element = fields.find(project, id) if id else None
        if several_part.elements(self._studio):
            self._refresh_several()
            return
        shown = fields.fields(element, id, project.mechanism) if id else ()
        if id == fields.SETTINGS:
            shown = tuple(f for f in shown if run_settings.applies(project.settings, f))
        signature = (id, shown, getattr(element, "type", ""), structure(element), (project.lesson, any(j.limits for j in project.mechanism.joints.values())) if not id else None, run_settings.shape(project.settings) if id in ("", fields.SETTINGS) else "")
        if signature != self._signature:
            self._signature = signature
            typed = self._suspend(id)
            self._rebuild(id, element, shown)
            self._page.show()               # now, not when the layout comes to it: what is said in it stands in the view
            self._resume(typed)
        else:
            for number in self.numbers:
                if number.field.optional:
                    owner = fields.find(project, number.id)
                    number.set_absent(absent_value(owner, number.field))
                number.refresh()
            for refresh in self.refreshers:
                refresh()
        self._head(id, element)
        self.refresh_live()

    def _refresh_several(self) -> None:
        """What several elements have in common."""
        signature = several_part.signature(self._studio)
        if signature != self._signature:
            self._signature = signature
            several_part.build(self, self._new_page(""))
            self._page.show()
        else:
            for refresh in self.refreshers:
                refresh()
        count = len(self._studio.selection.selected)
        group = self._studio.chosen_group
        self.headed.emit(group.name if group is not None else self._studio.chosen_words, tr("{count} selected", count=count), "")
        self.refresh_live()

    def _suspend(self, id: str) -> dict[object, tuple[str, int, bool]]:
        """What is being typed in the page of an element that is shown and stays; the fields let go of it."""
        if id != self._shown_id:
            return {}
        fields_ = [*(((n.id, n.field.path), n) for n in self.numbers), *self.texts.items()]
        return {key: state for key, field in fields_ if (state := field.suspend()) is not None}

    def _resume(self, typed: dict[object, tuple[str, int, bool]]) -> None:
        """Go on with it in the fields of the new page."""
        fields_ = {**{(n.id, n.field.path): n for n in self.numbers}, **self.texts}
        for key, state in typed.items():
            if key in fields_:
                fields_[key].resume(state)

    def refresh_live(self) -> None:
        """The readings at the time cursor."""
        if self._shown_id and self._shown_id not in self._studio.known():
            return                                             # it was just deleted, and this page goes with the selection
        for show in self.live:
            show()

    def _head(self, id: str, element: object) -> None:
        kinds = {GROUND: tr("Ground"), fields.SETTINGS: tr("Run"), fields.GRAVITY: tr("Gravity"), "": tr("Project")}
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
        else:
            kind = ""
        many = len(self._studio.selection.selected)
        title = getattr(element, "name", "") or kinds.get(id, id)
        self.headed.emit(title, tr("{count} selected", count=many) if many > 1 else kind, color)

    # building

    def _new_page(self, id: str) -> QtWidgets.QVBoxLayout:
        """The column of an empty page of an element, in place of the one before."""
        if self._page is not None:
            self._page.setParent(None)
            self._page.deleteLater()
        self.numbers, self.live, self.refreshers, self.texts, self._shown_id = [], [], [], {}, id
        self._studio.measured.also = ()
        self._page = page = QtWidgets.QWidget()
        column = QtWidgets.QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._box.addWidget(page)
        return column

    def _rebuild(self, id: str, element: object, shown: tuple[fields.Field, ...]) -> None:
        column = self._new_page(id)
        if element is None:
            self._project(column)
        else:
            form = Form(self._theme)
            column.addWidget(form)
            plain = [f for f in shown if f.path[0] not in OWN]
            self._first_lines(form, id, element, [f for f in plain if not f.group])
            further(self, column, form, id, element, shown)
            self._readings(column, id, element)
            if isinstance(element, Body):
                part = BodyPart(self._theme, self._studio, id, self.opened)
                self.refreshers.append(part.refresh)
                column.addWidget(part)
                column.addWidget(point_fold(self, id, shown))
            for group in dict.fromkeys(f.group for f in plain if f.group):
                column.addWidget(self._fold(id, group, [f for f in plain if f.group == group]))
            if isinstance(element, Body) and id != GROUND:
                column.addWidget(Fold(self._theme, tr("Other coordinates"), lambda: self._pose(id), self.opened))
                column.addWidget(torsor_fold(self, id))
            if isinstance(element, Joint):
                column.addWidget(reaction_fold(self, id))
            if hasattr(element, "note"):
                column.addWidget(Fold(self._theme, tr("Note"), lambda: self._note(id), self.opened))
            if id == fields.SETTINGS:
                run_settings.add_choices(self, form)
        column.addStretch(1)

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

    def add_to_grid(self, grid: QtWidgets.QGridLayout, id: str, field: fields.Field, line: int, column: int) -> None:
        """A field alone, at a place of a grid."""
        grid.addWidget(self._number(id, field), line, column)
        grid.setColumnStretch(column, 1)

    def _number(self, id: str, field: fields.Field) -> NumberField:
        element = fields.find(self._studio.document.project, id)
        number = NumberField(self._theme, self._studio, id, field, absent_value(element, field) if field.optional else (None, ""))
        self.numbers.append(number)
        return number

    def refuse(self, reason: str) -> None:
        """Say why something cannot be done, and show what is true."""
        self._studio.say(Message("warning", reason, "tool"))
        self.refresh()

    def coordinates_for(self, force: Force) -> list[tuple[int, Coordinate]]:
        """The coordinates of a force's joint on which it may act."""
        joint = self._studio.document.project.mechanism.joints.get(force.joint)
        wanted = FORCE_TYPES[force.type].joint_dimension
        return [] if joint is None else [(k, c) for k, c in enumerate(JOINT_TYPES[joint.type].coordinates) if c.dimension == wanted]

    def _pose(self, id: str) -> PoseFold:
        fold = PoseFold(self._theme, self._studio, id, self._forms)
        self.refreshers.append(fold.refresh)
        self.live.append(fold.refresh)
        return fold

    def _fold(self, id: str, group: str, shown: list[fields.Field]) -> Fold:
        def build() -> Form:
            form = Form(self._theme, (14, 0, 0, 4))
            for field in shown:
                self.add_number(form, id, field)
            return form
        return Fold(self._theme, tr(group), build, self.opened)

    def _first_lines(self, form: Form, id: str, element: object, shown: list[fields.Field]) -> None:
        if isinstance(element, Body | Joint | Coupling | Drive | Force | Picture | Parameter):
            # an undo may take the element away under the cursor
            name = Text(self._theme, lambda: self._studio.name(id) if id in self._studio.known() else "", lambda text: self._rename(id, text))
            self.refreshers.append(name.refresh)
            form.add(tr("Name"), name)
        first_lines(self, form, id, element)
        if isinstance(element, Joint):
            between = label(connection(self._studio.document.project, element))
            self.refreshers.append(lambda: between.setText(connection(self._studio.document.project, fields.find(self._studio.document.project, id))))
            form.add(tr("Connects"), between)
            coordinate_lines(self, form, id, element)
        elif isinstance(element, Force):
            form.add(tr("Acts on"), label(self._attached(element)))
        if isinstance(element, Force):
            force_lines(self, form, id, element, fields.fields(element, id))
            shown = []
        for field in shown:
            self.add_number(form, id, field)
        if isinstance(element, Body):
            color = ColorChoice(self._theme, self._studio, (id,))
            self.refreshers.append(color.refresh)
            form.add(tr("Colour"), color)

    def _attached(self, force: Force) -> str:
        m = self._studio.document.project.mechanism
        if force.joint:
            return m.joints[force.joint].name if force.joint in m.joints else "–"
        return "–".join(m.body(f.body).name for f in (force.frame_a, force.frame_b) if f is not None and (f.body == GROUND or f.body in m.bodies))

    def _rename(self, id: str, text: str) -> None:
        if reason := self._studio.rename(id, text):
            self.refuse(reason)

    def _note(self, id: str) -> QtWidgets.QWidget:
        """What the user wants to remember of an element."""
        note = Note(self._theme, lambda: fields.find(self._studio.document.project, id).note,
                    lambda text: self._studio.set_note(id, text))
        self.refreshers.append(note.refresh)
        return note

    def _readings(self, column: QtWidgets.QVBoxLayout, id: str, element: object) -> None:
        """Values at the time cursor."""
        if isinstance(element, Body) and id != GROUND:
            names = ((tr("Speed"), "velocity"), (tr("Angular speed"), "angular_velocity"), (tr("Kinetic energy"), "energy"))
        else:
            return
        form, shown = Form(self._theme, (0, 4, 0, 6)), []
        form.layout().setVerticalSpacing(3)
        for name, dimension in names:
            reading = Reading(self._theme)
            form.add(name, reading)
            shown.append((reading, dimension))
        column.addWidget(form)

        def show() -> None:
            studio, values = self._studio, (None,) * len(shown)
            sample = studio.sample
            if sample is not None:
                now, layout = fields.find(studio.document.project, id), studio.recording.layout
                values = body_motion(layout, sample, now, mass_properties(now), studio.size)
            for (reading, dimension), value in zip(shown, values):
                reading.show_text("–" if value is None else format_value(value, dimension, self._studio.units, 4))
        self.live.append(show)

    def _project(self, column: QtWidgets.QVBoxLayout) -> None:
        """Lesson, run settings and gravity."""
        lesson = self._studio.document.project.lesson
        if lesson != Lesson():
            column.addWidget(self._lesson(lesson))
            column.addSpacing(8)
        for title, id in ((tr("Run"), fields.SETTINGS), (tr("Gravity"), fields.GRAVITY)):
            column.addWidget(label(title, "title"))
            form = Form(self._theme)
            for field in fields.fields(fields.find(self._studio.document.project, id), id):
                if id != fields.SETTINGS or run_settings.applies(self._studio.document.project.settings, field):
                    self.add_number(form, id, field)
            if id == fields.SETTINGS:
                run_settings.add_choices(self, form)
            column.addWidget(form)
            column.addSpacing(8)
        if any(joint.limits for joint in self._studio.document.project.mechanism.joints.values()):
            column.addWidget(label(tr("Stops struck"), "title"))
            struck = EventList(self)
            struck.layout().setContentsMargins(0, 0, 0, 0)
            self.live.append(struck.refresh)
            column.addWidget(struck)

    @staticmethod
    def _lesson(lesson: Lesson) -> QtWidgets.QWidget:
        parts: list[QtWidgets.QWidget] = [wrapped(lesson.title, "title")] if lesson.title else []
        if lesson.text:
            parts.append(wrapped(lesson.text, "two"))
        for k, question in enumerate(lesson.questions, 1):
            number = label(f"{k}", "three")
            number.setAlignment(Qt.AlignmentFlag.AlignTop)
            line = row(number, wrapped(question), gap=8)
            line.layout().setStretch(1, 1)
            parts.append(line)
        return row(*parts, vertical=True, margins=(12, 10, 12, 12), name="card", gap=8)
