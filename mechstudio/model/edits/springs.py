"""Lengths and preloads of forces along the line between two points, as drawn."""

import msgspec

from mechstudio.model.edits.elements import parameter_values, put_element
from mechstudio.model.edits.links import distance
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import Force, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types import force_laws
from mechstudio.model.types.forces import FORCE_TYPES, TWO_POINTS
from mechstudio.translation import tr

replace = msgspec.structs.replace


def drawn_length(m: Mechanism, force: Force) -> float:
    """Distance of both ends as drawn [m]."""
    assert force.frame_a is not None
    assert force.frame_b is not None
    return distance(m.frame_in_world(force.frame_a)[0], m.frame_in_world(force.frame_b)[0])


def has_preload(force: Force) -> bool:
    """True if a force is a linear spring, whose free length follows from its pull as drawn."""
    kind = FORCE_TYPES[force.type]
    return kind.attachment == TWO_POINTS and kind.law is force_laws.spring


def preload(m: Mechanism, force: Force) -> float:
    """The pull of a spring as drawn [N], k (L - L0), negative where it pushes."""
    return force.parameters["stiffness"].value * (
        drawn_length(m, force) - force.parameters["free_length"].value
    )


def set_preload(project: Project, id: str, text: str, default_unit: str = "") -> Project:
    """A spring whose free length gives it this pull as drawn.  Raises ExpressionError with the
    reason where none does.
    """
    m = project.mechanism
    force = m.forces[id]
    pull, stiffness = (
        expression.evaluate(text, "force", parameter_values(project), default_unit),
        force.parameters["stiffness"].value,
    )
    if "free_length" in force.laws or "stiffness" in force.laws:
        raise ExpressionError(
            tr(
                "{force} follows a law: its preload is what that gives at the start.",
                force=force.name,
            )
        )
    if stiffness == 0 and pull != 0:
        raise ExpressionError(
            tr(
                "{force} has no stiffness, so no length preloads it: type its stiffness first.",
                force=force.name,
            )
        )
    free = drawn_length(m, force) - (pull / stiffness if stiffness else 0.0)
    return put_element(
        project,
        id,
        replace(force, parameters={**force.parameters, "free_length": Quantity(round(free, 12))}),
    )
