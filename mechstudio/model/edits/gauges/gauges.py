"""Gauges put on a drawing, and parameters that are called as they are."""

import itertools

import msgspec

from mechstudio.model.edits.elements import add_parameter, set_quantity
from mechstudio.model.edits.gauges.driving import PLACE, driver
from mechstudio.model.edits.links import free_id
from mechstudio.model.fields import find, read
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Feature, Gauge, Project
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.types.gauges import GAUGE_TYPES, takes
from mechstudio.translation import tr

replace = msgspec.structs.replace


def add_gauge(project: Project, type: str, ends: tuple[Feature, ...]) -> tuple[Project, str]:
    """With a gauge of a type on one feature or two, and its id.  Raises ExpressionError where the
    type does not measure these.
    """
    if not takes(type, tuple(end.kind for end in ends)):
        raise ExpressionError(
            tr("{type} is nothing that can be measured here.", type=tr(GAUGE_TYPES[type].label))
        )
    id = free_id(project, "gauge")
    gauge = Gauge(id, free_name(project, type), type, ends)
    return replace(project, gauges={**project.gauges, id: gauge}), id


def free_name(project: Project, type: str) -> str:
    """The first unused name of a gauge of a type: d1, d2, a1, …"""
    taken = {g.name for g in project.gauges.values()} | project.parameters.keys()
    stem = GAUGE_TYPES[type].letter
    return next(name for k in itertools.count(1) if (name := f"{stem}{k}") not in taken)


def with_parameter(project: Project, id: str, value: float) -> Project:
    """With a parameter that is called as a gauge, which drives the number that the gauge shows; of
    a gauge that only follows the parameter keeps the value as drawn [SI].

    Raises ExpressionError where a parameter cannot be called so.
    """
    gauge = project.gauges[id]
    kind, drives = GAUGE_TYPES[gauge.type], driver(project, gauge)
    number = Quantity(value)
    if drives is not None and drives.kind != PLACE:
        typed = read(find(project, drives.element), drives.path)
        # what was typed goes into the parameter, unless the gauge shows twice of it
        number = typed if typed is not None and drives.factor == 1.0 else number
    parameter = Parameter(gauge.name, number, kind.dimension, slider=True)
    project = add_parameter(project, parameter)
    if drives is None or drives.kind == PLACE:
        return project
    text = gauge.name if drives.factor == 1.0 else f"{gauge.name}/{drives.factor:g}"
    return set_quantity(project, drives.element, drives.path, text)
