"""Laws of drives, couplings and forces: edits with their undo labels, and what their texts may
name.
"""

import math

from mechstudio.application.studio import Studio
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits import laws as law_edits
from mechstudio.model.edits.parameters import Requested, requested_by
from mechstudio.model.element_fields.laws import dimension_of, drive_dimension
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.interpolation import TABLE_KINDS
from mechstudio.model.mechanism import Coupling, Drive, Force
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.translation import tr


def law_context(
    studio: Studio, id: str, path: law_edits.Path
) -> tuple[str, str, dict[str, evaluation.Variable]]:
    """(dimension of the law's value, "time" or "angle", what its text may name) of a law of an
    element.
    """
    project = studio.document.project
    element = fields.find(project, id)
    known = evaluation.variables(project.mechanism, element)
    if isinstance(element, Drive):
        return drive_dimension(element, project.mechanism), "time", known
    if isinstance(element, Coupling):
        end = element.ends[-1]
        return dimension_of(project.mechanism, end.joint, end.coordinate), "angle", known
    assert isinstance(element, Force)
    return (
        next(p.dimension for p in FORCE_TYPES[element.type].parameters if p.name == path[1]),
        "time",
        known,
    )


def law_problem(studio: Studio, id: str, path: law_edits.Path, text: str) -> str:
    """Reason why a text cannot be the law's expression; empty if it can."""
    own, _, known = law_context(studio, id, path)
    law = law_edits.new_law("expression")
    return evaluation.check(
        elements.replace(law, text=text),
        own,
        known,
        elements.parameter_values(studio.document.project),
    )


def requested_by_law(studio: Studio, id: str, path: law_edits.Path, text: str) -> Requested | None:
    """The parameter to create so that a text can be the law's expression; None where it needs
    something else.
    """
    own, _, known = law_context(studio, id, path)
    present = law_edits.level_of(law_edits.law_at(studio.document.project, id, path)).value
    return requested_by(
        studio.document.project,
        text,
        own,
        present or None,
        studio.preferences.units,
        {v.name: (math.nan, v.dimension) for v in known.values()},
    )


def set_law_type(studio: Studio, id: str, path: law_edits.Path, type: str) -> None:
    """Give a law another type that says something like it."""
    own, variable, _ = law_context(studio, id, path)
    over = 1.0 if variable == "time" else 3.141592653589793
    studio.document.change(
        tr(
            "Law of {id} {type}",
            id=studio.document.name(id),
            type=tr(evaluation.LAW_TYPES[type].label).lower(),
        ),
        lambda p: law_edits.set_type(p, id, path, type, own, over),
    )


def set_table_kind(studio: Studio, id: str, path: law_edits.Path, kind: str) -> None:
    """Let a table run otherwise between its points, key of TABLE_KINDS."""
    studio.document.change(
        tr(
            "Table of {id} {kind}",
            id=studio.document.name(id),
            kind=tr(TABLE_KINDS[kind].label).lower(),
        ),
        lambda p: law_edits.set_between(p, id, path, kind),
    )


def set_law_text(studio: Studio, id: str, path: law_edits.Path, text: str) -> str:
    """Type an expression; returns why it cannot be."""
    return studio.document.change(
        tr("Law of {id} {text}", id=studio.document.name(id), text=text.strip()),
        lambda p: law_edits.set_text(p, id, path, text),
    )


def follow(studio: Studio, id: str, parameter: str) -> None:
    """Let a force's number follow a law, or be constant again."""
    force = studio.document.project.mechanism.forces[id]
    label = next(p.label for p in FORCE_TYPES[force.type].parameters if p.name == parameter)
    if parameter in force.laws:
        studio.document.change(
            tr("{label} of {force} constant", label=label, force=force.name),
            lambda p: law_edits.unfollow(p, id, parameter),
        )
    else:
        studio.document.change(
            tr("{label} of {force} follows a law", label=label, force=force.name),
            lambda p: law_edits.follow(p, id, parameter),
        )
