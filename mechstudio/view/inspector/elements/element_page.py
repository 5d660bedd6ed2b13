"""The inspector's page for one element: its first lines, what its kind has besides, its readings,
and the folds of its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions import free_body
from mechstudio.application.actions.edits import naming
from mechstudio.application.runs.element_readings import body_motion
from mechstudio.model import fields
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body, Coupling, Drive, Force, Joint
from mechstudio.model.project import Gauge, Picture
from mechstudio.model.quantity import Parameter
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.inspector.body import BodyPart
from mechstudio.view.inspector.contacts import contacts_page
from mechstudio.view.inspector.elements.connections import connection_lines
from mechstudio.view.inspector.elements.element_lines import OWN, first_lines, further
from mechstudio.view.inspector.elements.forces import force_lines
from mechstudio.view.inspector.elements.joints import coordinate_lines
from mechstudio.view.inspector.elements.reactions import reaction_section, torsor_section
from mechstudio.view.inspector.points import point_section
from mechstudio.view.inspector.pose import PoseSection
from mechstudio.view.inspector.runs import end_conditions
from mechstudio.view.inspector.runs import settings as run_settings
from mechstudio.view.widgets.color_choice import ColorChoice
from mechstudio.view.widgets.form import Form, Note, Reading, Section, Text
from mechstudio.view.widgets.widgets import row

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def lines(
    page: Inspector,
    column: QtWidgets.QVBoxLayout,
    id: str,
    element: object,
    shown: tuple[fields.Field, ...],
) -> Iterator[None]:
    """The lines of the page, some at every step."""
    if id == fields.CONTACTS:
        contacts_page.contacts_page(page, column, shown)
        return
    form = Form(page.theme)
    column.addWidget(form)
    plain = [f for f in shown if f.path[0] not in OWN]
    yield from _first_lines(page, form, id, element, [f for f in plain if not f.group])
    further(page, column, form, id, element, shown)
    yield
    _readings(page, column, id, element)
    if isinstance(element, Body) and id != GROUND:
        column.addWidget(_cut_free(page))
    yield
    if isinstance(element, Body):
        part = BodyPart(page.theme, page.studio, page.leaf, page.opened)
        page.refreshers.append(part.refresh)
        column.addWidget(part)
        yield
        column.addWidget(point_section(page, shown))
        if page.studio.contact.is_on:
            column.addWidget(contacts_page.surface_section(page, id, shown))
        yield
    for group in dict.fromkeys(f.group for f in plain if f.group):
        column.addWidget(_section(page, group, [f for f in plain if f.group == group]))
        yield
    if isinstance(element, Body) and id != GROUND:
        column.addWidget(
            Section(page.theme, tr("Other coordinates"), lambda: _pose(page), page.opened)
        )
        yield
        column.addWidget(torsor_section(page))
    if isinstance(element, Joint):
        column.addWidget(reaction_section(page))
        yield
    if hasattr(element, "note"):
        column.addWidget(Section(page.theme, tr("Note"), lambda: _note(page), page.opened))
    if id == fields.SETTINGS:
        yield from run_settings.choices(page, form)
        if page.studio.contact.is_on:
            column.addWidget(contacts_page.settings_section(page))
            yield
        end_conditions.add_to(page, column)


def _cut_free(page: Inspector) -> QtWidgets.QWidget:
    """The way to the free-body view, and back."""
    button, view = QtWidgets.QPushButton(), page.studio.free_body
    button.setObjectName("cut free")
    button.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
    button.clicked.connect(lambda _=False: free_body.cut_free(page.studio, page.leaf.id))

    def show() -> None:
        is_cut = view.body == page.leaf.id
        words = tr("Put back") if is_cut else tr("Cut free")
        if words != button.text():
            button.setText(words)
            button.setToolTip(
                tr("Leave the free-body view (Esc)")
                if is_cut
                else tr("Free-body view: every load and reaction on this body, with its number (C)")
            )

    page.on_time.append(show)
    show()
    return row(button, None)


def _pose(page: Inspector) -> PoseSection:
    section = PoseSection(page.theme, page.studio, page.leaf, page.forms)
    page.refreshers.append(section.refresh)
    page.on_time.append(section.refresh)
    page.leaf.arrivals.append(section.arrive)
    return section


def _section(page: Inspector, group: str, shown: list[fields.Field]) -> Section:
    def build() -> Form:
        form = Form(page.theme, (14, 0, 0, 4))
        for field in shown:
            page.add_number(form, page.leaf.id, field)
        return form

    return Section(page.theme, tr(group), build, page.opened)


def _first_lines(
    page: Inspector, form: Form, id: str, element: object, shown: list[fields.Field]
) -> Iterator[None]:
    leaf = page.leaf
    if isinstance(element, Body | Joint | Coupling | Drive | Force | Gauge | Picture | Parameter):
        # an undo may take the element away under the cursor
        name = Text(
            page.theme,
            lambda: (
                page.studio.document.name(leaf.id)
                if leaf.id in page.studio.document.known()
                else ""
            ),
            lambda text: _rename(page, leaf.id, text),
        )
        page.refreshers.append(name.refresh)
        form.add(tr("Name"), name)
    first_lines(page, form, id, element)
    yield
    if isinstance(element, Joint):
        connection_lines(page, form, element)
        yield from coordinate_lines(page, form, element)
    elif isinstance(element, Force):
        connection_lines(page, form, element)
        force_lines(page, form, id, element, fields.fields(element, id))
        shown = []
    for field in shown:
        page.add_number(form, id, field)
        yield
    if isinstance(element, Body):
        color = ColorChoice(page.theme, page.studio, lambda: (leaf.id,))
        page.refreshers.append(color.refresh)
        form.add(tr("Colour"), color)


def _rename(page: Inspector, id: str, text: str) -> None:
    if id in page.studio.document.known() and (reason := naming.rename(page.studio, id, text)):
        page.refuse(reason)


def _note(page: Inspector) -> QtWidgets.QWidget:
    """Field of the user's note on an element."""
    leaf = page.leaf
    note = Note(
        page.theme,
        lambda: (
            fields.find(page.studio.document.project, leaf.id).note
            if leaf.id in page.studio.document.known()
            else ""
        ),
        lambda text: (
            naming.set_note(page.studio, leaf.id, text)
            if leaf.id in page.studio.document.known()
            else None
        ),
    )
    page.refreshers.append(note.refresh)
    return note


def _readings(page: Inspector, column: QtWidgets.QVBoxLayout, id: str, element: object) -> None:
    """Values at the time cursor."""
    if isinstance(element, Body) and id != GROUND:
        names = (
            (tr("Speed"), "velocity"),
            (tr("Angular speed"), "angular_velocity"),
            (tr("Kinetic energy"), "energy"),
        )
    else:
        return
    form, shown, leaf = Form(page.theme, (0, 4, 0, 6)), [], page.leaf
    form.grid.setVerticalSpacing(3)
    for name, dimension in names:
        reading = Reading(page.theme)
        form.add(name, reading)
        shown.append((reading, dimension))
    column.addWidget(form)

    def show() -> None:
        studio, values = page.studio, (None,) * len(shown)
        sample, recording = studio.runs.sample, studio.runs.recording
        if sample is not None and recording is not None:
            now, layout = fields.find(studio.document.project, leaf.id), recording.layout
            values = body_motion(layout, sample, now, mass_properties(now), studio.document.size)
        for (reading, dimension), value in zip(shown, values):
            reading.show_text(
                "–"
                if value is None
                else format_value(value, dimension, page.studio.preferences.units, 4)
            )

    page.on_time.append(show)
