"""Inspector lines of a coupling: the coordinates at its ends, its sense and its offset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mechstudio.model.edits import elements
from mechstudio.model.edits.couplings import reverse, same_way, signed
from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.model.formulas import expression
from mechstudio.model.laws.coupling_offsets import coupling_offset, driven_end
from mechstudio.model.mechanism import (
    CoordinateOf,
    Coupling,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr
from mechstudio.view.inspector.elements.choices import (
    change,
    choice,
    coordinate_name,
    current,
)
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.formula_field import FormulaField
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import Segment, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector


def coupling_lines(page: Inspector, form: Form, id: str, coupling: Coupling) -> None:
    """Its ends, its sense and its offset."""
    for k, end in enumerate(COUPLING_TYPES[coupling.type].ends):
        form.add(tr(end.label), _end(page, id, k))
    if signed(coupling.type):
        form.add(tr("Sense"), _sense(page, id))
    form.add(tr("Offset"), OffsetField(page, id))
    end = tr(COUPLING_TYPES[coupling.type].ends[-1].label).lower()
    form.wide(
        wrapped(
            tr(
                "The drawn pose holds the offset. A typed one moves the {end} and nothing else.",
                end=end,
            ),
            "three",
        )
    )


class OffsetField(FormulaField):
    """The offset of a coupling; a typed one moves the drawing."""

    digits = 4

    def __init__(self, page: Inspector, id: str) -> None:
        self._page, self._id = page, id
        m = page.studio.document.project.mechanism
        end = driven_end(m.couplings[id])
        super().__init__(
            page.theme, page.studio, tr("Offset"), dimension_of(m, end.joint, end.coordinate)
        )
        page.refreshers.append(self.refresh)
        self.refresh()

    def quantity(self) -> Quantity | None:
        m = self._studio.document.project.mechanism
        return Quantity(coupling_offset(m, m.couplings[self._id]))

    def stands(self) -> bool:
        """True if the coupling still exists and its last coordinate has the same dimension."""
        m = self._studio.document.project.mechanism
        if self._id not in m.couplings:
            return False
        end = driven_end(m.couplings[self._id])
        return dimension_of(m, end.joint, end.coordinate) == self.dimension

    def tried(self, project: Project) -> Quantity | None:
        if not self.typed.strip():
            raise expression.ExpressionError(tr("The offset needs a number."))
        return expression.quantity(
            self.typed, self.dimension, elements.parameter_values(project), self._symbol()
        )

    def put(self, project: Project, label: str) -> None:
        if project is not self._studio.document.project:
            self._studio.document.commit(label, project)
        self._studio.questions.joint_setting.movement = ""
        self._studio.questions.joint_setting.set_offset(self._id, self.typed)


def _end(page: Inspector, id: str, k: int) -> Choice:
    """Choice of the joint coordinate at one end of a coupling."""
    key = lambda end: f"{end.joint}/{end.coordinate}"

    def entries():
        m, kind = (
            page.studio.document.project.mechanism,
            COUPLING_TYPES[current(page, id).type].ends[k],
        )
        taken = {end.joint for i, end in enumerate(current(page, id).ends) if i != k}
        return [
            (key(end), coordinate_name(page, end), f"joint_{m.joints[j].type}")
            for j in m.joints
            if j not in taken
            for c, coordinate in enumerate(JOINT_TYPES[m.joints[j].type].coordinates)
            if coordinate.dimension in kind.dimensions and (end := CoordinateOf(j, c))
        ]

    def chosen(text: str) -> None:
        joint, coordinate = text.rsplit("/", 1)
        ends = list(current(page, id).ends)
        ends[k] = CoordinateOf(joint, int(coordinate))
        name = page.studio.document.name
        label = COUPLING_TYPES[current(page, id).type].ends[k].label
        change(
            page,
            tr("{label} of {id} {joint}", label=label, id=name(id), joint=name(joint)),
            lambda p: elements.set_attribute(p, id, ends=tuple(ends)),
        )

    return choice(
        page,
        tr(COUPLING_TYPES[current(page, id).type].ends[k].label),
        entries,
        lambda: key(current(page, id).ends[k]),
        chosen,
    )


def _sense(page: Inspector, id: str) -> Segment:
    """Choice between same and opposite sense of rotation in space; between signs of the number for
    a rack and for wheels with axes that are not parallel.
    """

    def now() -> str:
        coupling = current(page, id)
        alike = same_way(page.studio.document.project.mechanism, coupling)
        return str(
            int(coupling.parameters[signed(coupling.type)].value > 0 if alike is None else alike)
        )

    known = same_way(page.studio.document.project.mechanism, current(page, id)) is not None
    segment = Segment(
        page.theme,
        (
            ("1", tr("Same") if known else tr("Plain")),
            ("0", tr("Opposite") if known else tr("Reversed")),
        ),
        "tight",
        26,
    )
    refresh = lambda: segment.choose(now())

    def chosen(key: str) -> None:
        if key != now():
            change(
                page, tr("Reverse {id}", id=page.studio.document.name(id)), lambda p: reverse(p, id)
            )
        refresh()

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment
