"""Edits as pure functions Project -> Project; nothing else in the program changes a project."""

from typing import Any

import msgspec

from . import expression, fields
from .mechanism import GROUND
from .project import Project
from .quantity import Quantity

replace = msgspec.structs.replace


def parameter_values(project: Project) -> dict[str, tuple[float, str]]:
    """Name -> (SI value, dimension), as expressions see the parameters."""
    return {name: (p.value.value, p.dimension) for name, p in project.parameters.items()}


def put_element(project: Project, id: str, element: Any) -> Project:
    """The project with an element replaced (or a known section's entry added by `add`)."""
    m = project.mechanism
    if id == GROUND:
        return replace(project, mechanism=replace(m, ground=element))
    if id == fields.SETTINGS:
        return replace(project, settings=element)
    if id == fields.GRAVITY:
        return replace(project, mechanism=replace(m, gravity=element))
    if id in project.parameters:
        return replace(project, parameters={**project.parameters, id: element})
    for section in ("bodies", "joints", "forces"):
        entries = getattr(m, section)
        if id in entries:
            return replace(project, mechanism=replace(m, **{section: {**entries, id: element}}))
    raise KeyError(f"The project has no element {id}.")


def set_quantity(project: Project, id: str, path: fields.Path, text: str) -> Project:
    """Type `text` into one field; an empty text clears an optional one.

    Raises expression.ExpressionError with the reason in words.
    """
    element = fields.find(project, id)
    field = next(f for f in fields.fields(element, id) if f.path == path)
    if not text.strip():
        if not field.optional:
            raise expression.ExpressionError(f"{field.label} needs a number.")
        return _refreshed(put_element(project, id, fields.write(element, path, None)), id)
    known = {name: v for name, v in parameter_values(project).items() if name != id}
    value = expression.evaluate(text, field.dimension, known)
    return _refreshed(put_element(project, id, fields.write(element, path, Quantity(value, text.strip()))), id)


def _refreshed(project: Project, id: str) -> Project:
    """After a change of a parameter everything that names it is evaluated again."""
    return reevaluate(project) if id in project.parameters else project


def reevaluate(project: Project) -> Project:
    """Every typed text evaluated again with the parameters of the project.  Raises ExpressionError, naming cycles."""
    project = replace(project, parameters=expression.resolve_parameters(project.parameters))
    known = parameter_values(project)
    for id, element in fields.elements(project):
        if id in project.parameters:
            continue
        changed = element
        for field in fields.fields(element, id):
            q = fields.read(element, field.path)
            if q is not None and q.text and not expression.is_plain(q.text):
                value = expression.evaluate(q.text, field.dimension, known)
                if value != q.value:
                    changed = fields.write(changed, field.path, Quantity(value, q.text))
        if changed is not element:
            project = put_element(project, id, changed)
    return project


def set_attribute(project: Project, id: str, **changes: Any) -> Project:
    """Change attributes that are not numbers: name, type, color, visible, note, axes, frames."""
    return put_element(project, id, replace(fields.find(project, id), **changes))


def remove(project: Project, id: str) -> Project:
    """Without an element and without everything that stands on it."""
    m = project.mechanism
    if id in project.parameters:
        return replace(project, parameters={k: v for k, v in project.parameters.items() if k != id})
    gone = {id}
    gone |= {k for k, j in m.joints.items() if {j.frame_a.body, j.frame_b.body} & gone}
    gone |= {k for k, f in m.forces.items() if f.joint in gone or {frame.body for frame in (f.frame_a, f.frame_b) if frame} & gone}
    kept = {s: {k: v for k, v in getattr(m, s).items() if k not in gone} for s in ("bodies", "joints", "forces")}
    return replace(project, mechanism=replace(m, **kept))
