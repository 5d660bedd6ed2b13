"""Elements put into a project as the model has them, where a builder has no words for them."""

from typing import Any

import msgspec

from mechstudio.model.contact import Contacts
from mechstudio.model.mechanism import GROUND, Body, Coupling, Drive, Force, Joint
from mechstudio.model.project import (
    Gauge,
    Group,
    Lesson,
    Mark,
    Measurement,
    Picture,
    Plot,
    PlotLayout,
    Project,
    ReportChoice,
    Settings,
    Step,
    View,
)
from mechstudio.model.quantity import Parameter
from mechstudio.model.studies.setup import StudySetup
from mechstudio.translation import comma, tr

Part = (
    Body
    | Joint
    | Coupling
    | Drive
    | Force
    | Contacts
    | Parameter
    | Settings
    | Lesson
    | Plot
    | PlotLayout
    | ReportChoice
    | Mark
    | View
    | Step
    | Measurement
    | StudySetup
    | Gauge
    | Group
    | Picture
)
# field of a mechanism or a project that holds a type of part
IN_MECHANISM: dict[type, str] = {
    Body: "bodies",
    Joint: "joints",
    Coupling: "couplings",
    Drive: "drives",
    Force: "forces",
    Contacts: "contacts",
}
IN_PROJECT: dict[type, str] = {
    Parameter: "parameters",
    Gauge: "gauges",
    Group: "groups",
    Picture: "pictures",
    Plot: "plots",
    Mark: "marks",
    View: "views",
    Step: "steps",
    Measurement: "measurements",
    StudySetup: "studies",
    PlotLayout: "plot_layout",
    ReportChoice: "report",
    Settings: "settings",
    Lesson: "lesson",
}
_replace = msgspec.structs.replace


def key_of(part: Any) -> str:
    """Id of a part, or name of a parameter; "" of one that stands alone in a project."""
    return part.name if isinstance(part, Parameter) else getattr(part, "id", "")


def added(project: Project, part: Part) -> Project:
    """A project with a part in it, in place of the one with the same id.  Raises ValueError for
    what is no part.
    """
    kind = type(part)
    if isinstance(part, Body) and part.id == GROUND:
        return _replace(project, mechanism=_replace(project.mechanism, ground=part))
    if kind in IN_MECHANISM:
        return _replace(project, mechanism=_put(project.mechanism, IN_MECHANISM[kind], part))
    if kind in IN_PROJECT:
        return _put(project, IN_PROJECT[kind], part)
    raise ValueError(
        tr(
            "A {kind} is no part of a project; there are {parts}.",
            kind=kind.__name__,
            parts=comma().join(t.__name__ for t in (*IN_MECHANISM, *IN_PROJECT)),
        )
    )


def _put(owner: Any, field: str, part: Any) -> Any:
    """A mechanism or project with a part in one of its tables, rows or places."""
    held = getattr(owner, field)
    if isinstance(held, dict):
        return _replace(owner, **{field: {**held, key_of(part): part}})
    if isinstance(held, tuple):
        others = [other for other in held if other.id != part.id]
        place = next((k for k, other in enumerate(held) if other.id == part.id), len(held))
        return _replace(owner, **{field: (*others[:place], part, *others[place:])})
    return _replace(owner, **{field: part})
