"""A field for the number of a gauge that drives the drawing."""

from mechstudio.application.actions.gauges import type_value, value_shown
from mechstudio.application.studio import Studio
from mechstudio.model.edits.gauges.driving import driven_number, driver, with_value
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.gauges import GAUGE_TYPES
from mechstudio.translation import tr
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.fields.formula_field import FormulaField


class GaugeField(FormulaField):
    """Edits what a driving gauge shows; one undo step each time."""

    def __init__(self, theme: Theme, studio: Studio, id: str) -> None:
        self.id = id
        gauge = studio.document.project.gauges[id]
        kind = GAUGE_TYPES[gauge.type]
        super().__init__(theme, studio, gauge.name, kind.dimension)
        self.refresh()

    def quantity(self) -> Quantity | None:
        project = self._studio.document.project
        typed = driven_number(project, project.gauges[self.id])
        return typed or Quantity(value_shown(self._studio, self.id) or 0.0)

    def stands(self) -> bool:
        project = self._studio.document.project
        gauge = project.gauges.get(self.id)
        return gauge is not None and driver(project, gauge) is not None

    def tried(self, project: Project) -> Quantity | None:
        if not self.typed.strip():
            raise ExpressionError(tr("{name} needs a number.", name=project.gauges[self.id].name))
        after = with_value(project, self.id, self.typed, self._symbol())
        return driven_number(after, after.gauges[self.id]) or self.quantity()

    def put(self, project: Project, label: str) -> None:
        type_value(self._studio, self.id, self.typed, project, label)
