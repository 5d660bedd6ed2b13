"""The inspector's page for several elements: how many of each kind, and what all of them have, to
be set on all in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6 import QtWidgets

from mechstudio.application.actions import choice as chosen_actions
from mechstudio.application.actions import edit as edit_actions
from mechstudio.application.actions.choice import WORDS, counted
from mechstudio.application.actions.edits import naming
from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits import elements as edit
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Body
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.inspector.contacts import contacts_page
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.color_choice import ColorChoice
from mechstudio.view.widgets.fields.formula_field import FormulaField
from mechstudio.view.widgets.form import Form, Note, Reading, Section, Text
from mechstudio.view.widgets.widgets import Segment

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

_APART = ("frame_a", "frame_b", "curve")  # places of an element of its own


def elements(studio: Studio) -> dict[str, Any]:
    """Selected elements by id, without settings, gravity and contacts; empty unless more than one
    id is selected.
    """
    ids = studio.selection.selected
    return (
        {id: fields.find(studio.document.project, id) for id in ids if id not in fields.OF_PROJECT}
        if len(ids) > 1
        else {}
    )


def shared(studio: Studio) -> list[fields.Field]:
    """The numbers that all selected elements have, in the order of the first one's."""
    project = studio.document.project
    return _shared(project, tuple(elements(studio)))


def _shared(project: Project, ids: tuple[str, ...]) -> list[fields.Field]:
    """As `shared`, for elements of a project; every line of the page needs the same.  Raises
    KeyError where one of them is gone.
    """
    if _last[0] is not project or _last[1] != ids:
        rows = {
            fields.fields(fields.find(project, id), id, project.mechanism) for id in ids
        }  # elements of a kind have the same rows
        first, *rest = (
            fields.fields(fields.find(project, ids[0]), ids[0], project.mechanism),
            *map(frozenset, rows),
        )
        _last[:] = (
            project,
            ids,
            [f for f in first if f.path[0] not in _APART and all(f in row for row in rest)],
        )
    return _last[2]


_last: list = [None, (), []]


def signature(studio: Studio) -> tuple:
    """Features of the selection that change the lines of its page."""
    group = chosen_actions.group(studio)
    return (
        "several",
        studio.selection.selected,
        tuple(shared(studio)),
        studio.contact.is_on,
        group.id if group is not None else "",
    )


class SharedField(FormulaField):
    """One number of several elements: shown where it is the same on all, and set on all of them."""

    def __init__(
        self, theme: Theme, studio: Studio, ids: tuple[str, ...], field: fields.Field
    ) -> None:
        super().__init__(theme, studio, field.label, field.dimension)
        self.ids, self.field = ids, field
        self.refresh()

    def _all(self) -> list[Quantity | None]:
        project = self._studio.document.project
        return [fields.read(fields.find(project, id), self.field.path) for id in self.ids]

    def refresh(self) -> None:
        if self.stands():
            known = self._all()
            self._absent = (
                None,
                tr("different")
                if any(q != known[0] for q in known)
                else tr("auto")
                if self.field.path[0] in ("mass", "center_of_mass", "inertia")
                else tr("none"),
            )
            super().refresh()

    def quantity(self) -> Quantity | None:
        known = self._all()
        return known[0] if all(q == known[0] for q in known) else None

    def stands(self) -> bool:
        try:
            return self.field in _shared(self._studio.document.project, self.ids)
        except KeyError:
            return False

    def _edited(self, project: Project) -> Project:
        for id in self.ids:
            project = edit.set_quantity(project, id, self.field.path, self.typed, self._symbol())
        return project

    def tried(self, project: Project) -> Quantity | None:
        return fields.read(fields.find(self._edited(project), self.ids[0]), self.field.path)

    def put(self, project: Project, label: str) -> None:
        after = self._edited(project)
        kept = fields.read(fields.find(after, self.ids[0]), self.field.path)
        what = (
            f"{tr(self.field.group).split(' of ')[0]} {self.field.label}"
            if len(self.field.label) == 1 and self.field.group
            else tr(self.field.label)
        )
        self._studio.document.commit(
            label
            or tr(
                "{what} of {ids} {text}",
                what=what,
                ids=counted(project, self.ids),
                text=kept.text if kept is not None else tr("none"),
            ),
            after,
        )


def lines(page: Inspector, column: QtWidgets.QVBoxLayout) -> Iterator[None]:
    """The lines of the page, some at every step."""
    studio, theme, found = page.studio, page.theme, elements(page.studio)
    form = Form(theme)
    column.addWidget(form)
    group = chosen_actions.group(studio)
    if group is not None:
        _group_lines(page, form, group.id)
    for section, (one, many) in WORDS.items():
        count = sum(id in getattr(studio.document.project.mechanism, section) for id in found)
        if count:
            number = Reading(theme)
            number.show_text(str(count))
            form.add(tr(many).capitalize() if count > 1 else tr(one).capitalize(), number)
    yield
    bodies = tuple(id for id, e in found.items() if isinstance(e, Body) and id != GROUND)
    if bodies:
        form.add(tr("Mass together"), _mass(page, bodies))
    if bodies and len(bodies) == len(found):
        color = ColorChoice(theme, studio, lambda: bodies)
        page.refreshers.append(color.refresh)
        form.add(tr("Colour"), color)
    yield
    if all(hasattr(e, "visible") for e in found.values()) and GROUND not in found:
        form.add(tr("In the view"), _visible(page, tuple(found)))
    known = shared(studio)
    add = lambda form, field: form.add(tr(field.label), _field(page, tuple(found), field))
    for field in known:
        if not field.group:
            add(form, field)
            yield
    for title in dict.fromkeys(f.group for f in known if f.group):

        def build(title: str = title) -> Form:
            inner = Form(theme, (14, 0, 0, 4))
            for field in known:
                if field.group == title:
                    add(inner, field)
            return inner

        column.addWidget(Section(theme, tr(title), build, page.opened))
        yield
    if len(bodies) == len(found) - (GROUND in found) and len(found) == 2 and studio.contact.is_on:
        pair = sorted(found, key=lambda id: id == GROUND)
        column.addWidget(contacts_page.pair_line(page, *pair))
        column.addWidget(contacts_page.pair_choice(page, *pair))
    if group is not None:
        column.addWidget(Section(theme, tr("Note"), lambda: _note(page, group.id), page.opened))


def _field(page: Inspector, ids: tuple[str, ...], field: fields.Field) -> SharedField:
    made = SharedField(page.theme, page.studio, ids, field)
    page.refreshers.append(made.refresh)
    return made


def _group_lines(page: Inspector, form: Form, id: str) -> None:
    groups = lambda: page.studio.document.project.groups

    def rename(text: str) -> None:
        if reason := naming.rename(page.studio, id, text):
            page.refuse(reason)

    name = Text(page.theme, lambda: groups()[id].name if id in groups() else "", rename)
    page.refreshers.append(name.refresh)
    form.add(tr("Group"), name)


def _note(page: Inspector, id: str) -> Note:
    groups = lambda: page.studio.document.project.groups
    note = Note(
        page.theme,
        lambda: groups()[id].note if id in groups() else "",
        lambda text: naming.set_note(page.studio, id, text) if id in groups() else None,
    )
    page.refreshers.append(note.refresh)
    return note


def _mass(page: Inspector, ids: tuple[str, ...]) -> Reading:
    reading = Reading(page.theme)

    def show() -> None:
        bodies = page.studio.document.project.mechanism.bodies
        reading.show_text(
            format_value(
                sum(mass_properties(bodies[id]).mass for id in ids if id in bodies),
                "mass",
                page.studio.preferences.units,
                4,
            )
        )

    page.refreshers.append(show)
    show()
    return reading


def _visible(page: Inspector, ids: tuple[str, ...]) -> Segment:
    segment = Segment(page.theme, (("1", tr("Shown")), ("0", tr("Hidden"))), "tight", 26)

    def refresh() -> None:
        known = page.studio.document.known()
        segment.choose(
            str(
                int(
                    any(
                        fields.find(page.studio.document.project, id).visible
                        for id in ids
                        if id in known
                    )
                )
            )
        )

    def chosen(key: str) -> None:
        edit_actions.set_visible(page.studio, ids, key == "1")
        refresh()

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment
