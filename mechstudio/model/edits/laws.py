"""Edits of laws: another type, rows of a table, text of an expression, a force's number that
follows a law.  Pure functions.
"""

import msgspec

from mechstudio.model.edits.elements import put_element, set_law
from mechstudio.model.fields import find
from mechstudio.model.formulas.expression import ExpressionError, dimensioned
from mechstudio.model.laws.evaluation import tree
from mechstudio.model.laws.interpolation import MONOTONE
from mechstudio.model.laws.texts import usual_table
from mechstudio.model.mechanism import Coupling, Force, Law
from mechstudio.model.project import Project
from mechstudio.model.quantity import ZERO, Quantity
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.units import unit
from mechstudio.translation import tr

replace = msgspec.structs.replace
_LEVELS = ("value", "end", "amplitude", "lift")  # numbers that a law is about
Path = tuple[str, ...]  # ("law",) of a drive or cam, ("laws", parameter) of a force


def law_at(project: Project, id: str, path: Path) -> Law:
    """The law of an element.  Raises KeyError where there is none."""
    element = find(project, id)
    # an id may be that of another kind of element in the next drawing
    law = (
        getattr(element, "laws", {}).get(path[1])
        if path[0] == "laws"
        else getattr(element, "law", None)
    )
    if law is None:
        raise KeyError(tr("{element} follows no law.", element=element.name))
    return law


def put_law(project: Project, id: str, path: Path, law: Law) -> Project:
    """The project with that law.  Raises ExpressionError if it cannot stand there."""
    return set_law(project, id, path, law)


def new_law(
    type: str,
    level: Quantity | None = None,
    over: float = 1.0,
    own: str = "number",
    between: str = MONOTONE,
) -> Law:
    """A law of a type that says something like `level`: it holds it, goes to it, or swings by it
    within `over` of its variable.

    own: the dimension of its value.   between: of a table, key of TABLE_KINDS.
    """
    kind = LAW_TYPES[type]
    parameters = {p.name: Quantity(p.default or 0.0) for p in kind.parameters}
    level = level if level is not None else ZERO
    for name in _LEVELS:
        if name in parameters:
            parameters[name] = level
    if "duration" in parameters:
        parameters["duration"] = Quantity(over)
    points = (
        ((ZERO, ZERO), (Quantity(over / 2), level), (Quantity(over), ZERO)) if kind.points else ()
    )
    return Law(
        type,
        parameters,
        points,
        text_of(level, own) if kind.text else "",
        between if kind.points else "",
    )


def text_of(level: Quantity, own: str) -> str:
    """A number as an expression of a dimension: as it was typed, else in SI with its unit."""
    return level.text or f"{level.value:.12g} {unit(own, 'm-N-rad').symbol}".strip()


def level_of(law: Law) -> Quantity:
    """The main number of a law: its constant value, end value or amplitude."""
    for name in _LEVELS:
        if name in law.parameters:
            return law.parameters[name]
    if law.points:
        return max((value for _, value in law.points), key=lambda q: abs(q.value))
    try:
        return Quantity(dimensioned(tree(law.text), {}).number)
    except ExpressionError:
        return ZERO


def set_type(
    project: Project, id: str, path: Path, type: str, own: str, over: float = 1.0
) -> Project:
    """A law of another type with the same main number.  over: the time, or angle, that a motion
    takes.
    """
    law = law_at(project, id, path)
    if law.type == type:
        return project
    usual = usual_table(find(project, id), path[-1] if path[0] == "laws" else "")
    return put_law(project, id, path, new_law(type, level_of(law), over, own, usual))


def set_between(project: Project, id: str, path: Path, kind: str) -> Project:
    """Set the interpolation of a table between its points, a key of TABLE_KINDS.  Raises
    ExpressionError if the law cannot have it.
    """
    law = law_at(project, id, path)
    if not LAW_TYPES[law.type].points:
        raise ExpressionError(
            tr("A law of type {type} has no points.", type=tr(LAW_TYPES[law.type].label).lower())
        )
    return put_law(project, id, path, replace(law, between=kind))


def set_text(project: Project, id: str, path: Path, text: str) -> Project:
    """The text of an expression.  Raises ExpressionError with the reason if it cannot stand
    there.
    """
    return put_law(project, id, path, replace(law_at(project, id, path), text=text.strip()))


def add_row(project: Project, id: str, path: Path, after: int) -> Project:
    """One more point of a table, half way to the next one, or as far beyond the last as that is
    from the one before.
    """
    law = law_at(project, id, path)
    x, y = law.points[after]
    if after + 1 < len(law.points):
        u, v = law.points[after + 1]
        new = (Quantity((x.value + u.value) / 2), Quantity((y.value + v.value) / 2))
    else:
        new = (
            Quantity(2 * x.value - law.points[after - 1][0].value if after else x.value + 1.0),
            Quantity(y.value),
        )
    return put_law(
        project,
        id,
        path,
        replace(law, points=(*law.points[: after + 1], new, *law.points[after + 1 :])),
    )


def remove_row(project: Project, id: str, path: Path, at: int) -> Project:
    """Without a point of a table; two are left at least."""
    law = law_at(project, id, path)
    if len(law.points) <= 2:
        raise ExpressionError(tr("A table has at least two points."))
    return put_law(
        project, id, path, replace(law, points=(*law.points[:at], *law.points[at + 1 :]))
    )


def follow(project: Project, id: str, parameter: str) -> Project:
    """Let a number of a force follow an expression that says, for now, what the number was."""
    force = find(project, id)
    assert isinstance(force, Force)
    kind = next(p for p in FORCE_TYPES[force.type].parameters if p.name == parameter)
    number = force.parameters.get(parameter)
    value = number.value if number is not None else kind.default or 0.0
    force = replace(
        force,
        parameters={
            **force.parameters,
            parameter: number if number is not None else Quantity(value),
        },
    )
    return put_law(
        put_element(project, id, force),
        id,
        ("laws", parameter),
        new_law("expression", number or Quantity(value), 1.0, kind.dimension),
    )


def unfollow(project: Project, id: str, parameter: str) -> Project:
    """Let a number of a force be constant again: the one that it was before it followed a law."""
    force = find(project, id)
    return put_element(
        project, id, replace(force, laws={k: v for k, v in force.laws.items() if k != parameter})
    )


def types_for(element: object) -> tuple[str, ...]:
    """The law types for an element: those of its row for a coupling, else those over the time."""
    if isinstance(element, Coupling):
        return COUPLING_TYPES[element.type].laws
    return tuple(k for k, kind in LAW_TYPES.items() if not kind.periodic)
