"""A field for one number of the project."""

from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.contact import SURFACE_TYPES, Contacts, Surface
from mechstudio.model.edits import elements
from mechstudio.model.edits.parameters import set_range
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.field_error import FieldError
from mechstudio.view.widgets.fields.formula_field import FormulaField

ENDS = ("minimum",), ("maximum",)


def absent_value(element: object, field: fields.Field) -> tuple[float | None, str]:
    """Value of an optional number that is not typed, and its source in words."""
    head = field.path[0]
    if isinstance(element, Body | Contacts) and "surface" in field.path:
        surface: object = fields.read(element, field.path[:-1])
        # a floor or a pair may have gone with the edit that is just being shown
        return (
            _of_surface(surface, str(field.path[-1]))
            if isinstance(surface, Surface)
            else (None, tr("none"))
        )
    if isinstance(element, Body):
        known = mass_properties(element)
        if head == "mass":
            return known.mass, tr("auto")
        if head == "center_of_mass":
            return known.center[int(field.path[1])], tr("auto")
        if head == "inertia":
            i, j = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))[int(field.path[1])]
            return known.inertia[i][j], tr("auto")
        return 0.0, tr("at rest")
    return None, {
        "values": tr("as drawn"),
        "rates": tr("free"),
        "step": tr("free"),
        "contacts": tr("auto"),
    }.get(str(head), tr("none"))


def _of_surface(surface: Surface, name: str) -> tuple[float | None, str]:
    """Value of a surface's number that is not typed, and its source in words."""
    value = surface.number(name)
    source = tr(SURFACE_TYPES[surface.type].label).lower()
    return (None, tr("rigid")) if value == float("inf") else (value, source)


class NumberField(FormulaField):
    """Edits one fields.Field of one element; one undo step each time."""

    def __init__(
        self,
        theme: Theme,
        studio: Studio,
        id: str,
        field: fields.Field,
        absent: tuple[float | None, str] = (None, ""),
        field_error: FieldError | None = None,
    ) -> None:
        super().__init__(theme, studio, tr(field.label), field.dimension, absent, field_error)
        self.id, self.field = id, field
        self.refresh()

    def quantity(self) -> Quantity | None:
        return fields.read(fields.find(self._studio.document.project, self.id), self.field.path)

    def stands(self) -> bool:
        project = self._studio.document.project
        try:
            return self.field in fields.fields(
                fields.find(project, self.id), self.id, project.mechanism
            )
        except KeyError:
            return False

    def _edited(self, project: Project) -> Project:
        if self.id in project.parameters and self.field.path in ENDS:
            return set_range(project, self.id, str(self.field.path[0]), self.typed, self._symbol())
        return elements.set_quantity(project, self.id, self.field.path, self.typed, self._symbol())

    def tried(self, project: Project) -> Quantity | None:
        return fields.read(fields.find(self._edited(project), self.id), self.field.path)

    def put(self, project: Project, label: str) -> None:
        project = self._edited(project)
        kept = fields.read(fields.find(project, self.id), self.field.path)
        self._studio.document.commit(
            label or self._story(kept.text if kept is not None else ""), project
        )

    def _story(self, text: str) -> str:
        """The label of the undo step: "Length of crank 330 mm"."""
        what = (
            f"{tr(self.field.group).split(' of ')[0]} {self.field.label}"
            if len(self.field.label) == 1 and self.field.group
            else tr(self.field.label)
        )
        if self.id in fields.OF_PROJECT:
            return f"{what} {text}".strip()
        name = self._studio.document.name(self.id)
        if self.field.path == ("value",) and self.id in self._studio.document.project.parameters:
            return f"{name} = {text}"
        massive = self.field.path[0] in ("mass", "center_of_mass", "inertia")
        return tr(
            "{what} of {name} {text}",
            what=what,
            name=name,
            text=text or (tr("from shapes") if massive else tr("none")),
        )
