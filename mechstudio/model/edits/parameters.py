"""Parameters as their table edits them: their uses, new ones that a formula names, dimension and
slider.  Pure functions.
"""

import math
from collections.abc import Callable
from typing import Any

import msgspec

from mechstudio.model import fields
from mechstudio.model.edits import references
from mechstudio.model.edits.elements import (
    add_parameter,
    parameter_values,
    put_element,
    reevaluate,
    set_quantity,
)
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError, Names
from mechstudio.model.formulas.grammar import parsed
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import Law
from mechstudio.model.project import Project
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.units import DIMENSIONS, UNITS, unit, written_value
from mechstudio.translation import tr

replace = msgspec.structs.replace
DIGITS = 12  # of a number that is written as a text, so that it means the same again
# in the order in which an unknown name of a formula is taken for one, after the dimension of the
# field and a plain number
LIKELY = (
    "number",
    "angle",
    "length",
    "angular_velocity",
    "velocity",
    "time",
    "frequency",
    "mass",
    "force",
    "torque",
)


class Use(msgspec.Struct, frozen=True):
    """A place that names a parameter.  id: the element.  path: the field, or of a law ("law",) or
    ("laws", parameter).  words: "length of crank".
    """

    id: str
    path: fields.Path
    words: str


class Requested(msgspec.Struct, frozen=True):
    """A parameter that a formula names and that is not there yet.  text: its value as it would be
    typed, "300 mm".
    """

    name: str
    dimension: str
    text: str

    @property
    def words(self) -> str:
        return f"{self.name} = {self.text}"


def uses(project: Project, name: str) -> tuple[Use, ...]:
    """Everything whose text names a parameter: other parameters, fields in the order of the
    inspector, laws.
    """
    return tuple(
        use
        for id, element in fields.elements(project)
        for names, use in uses_in(project, id, element)
        if name in names
    )


def uses_in(project: Project, id: str, element: Any) -> tuple[tuple[frozenset[str], Use], ...]:
    """The texts of one element that name something, each with the names in it."""
    named: dict[fields.Path, set[str]] = {}
    for path, reference in references.names(element, project.mechanism):
        if reference.kind == references.PARAMETER:
            named.setdefault(path, set()).add(reference.id)
    if not named:
        return ()
    words = {
        field.path: _field_words(project, id, element, field)
        for field in fields.fields(element, id, project.mechanism)
        if field.path in named
    }
    laws = [path for path in named if isinstance(fields.read(element, path), Law)]
    words |= {path: tr("law of {element}", element=element.name) for path in laws}
    return tuple((frozenset(named[path]), Use(id, path, text)) for path, text in words.items())


def _field_words(project: Project, id: str, element: Any, field: fields.Field) -> str:
    if id in project.parameters:
        return {
            "value": tr("parameter {id}", id=id),
            "minimum": tr("least of {id}", id=id),
            "maximum": tr("most of {id}", id=id),
        }[str(field.path[0])]
    # an axis alone says too little: "position X of crank"
    label = (
        f"{tr(field.group)} {field.label}"
        if len(field.label) == 1 and field.group
        else tr(field.label)
    )
    label = label[:1].lower() + label[1:]
    return (
        label
        if id in fields.OF_PROJECT
        else tr("{label} of {element}", label=label, element=element.name)
    )


def new_name(project: Project, stem: str) -> str:
    """The first of stem1, stem2, … that nothing is called."""
    taken = {id for id, _ in fields.elements(project)} | UNITS.keys()
    k = 1
    while f"{stem}{k}" in taken:
        k += 1
    return f"{stem}{k}"


def first_value(dimension: str, units: str) -> float:
    """A value [SI] to begin with: a round number of the unit, of the size that drawings have."""
    return {"length": 0.1, "number": 1.0}.get(dimension, unit(dimension, units).factor)


def written(value: float, dimension: str, units: str) -> str:
    """A value [SI] as a text that reads back as the same number: "300 mm"."""
    return written_value(value, dimension, units, DIGITS)


def added(project: Project, requested: Requested) -> Project:
    """The project with a new parameter that a formula names.  Raises ExpressionError as
    edit.add_parameter does.
    """
    value = expression.quantity(requested.text, requested.dimension, parameter_values(project))
    # created from another field since it was offered here
    if requested.name in project.parameters:
        return project
    return add_parameter(project, Parameter(requested.name, value, requested.dimension))


def requested_by(
    project: Project,
    text: str,
    dimension: str,
    present: float | None,
    units: str,
    variables: Names | None = None,
) -> Requested | None:
    """The parameter to create so that a text can stand where `dimension` is expected; None where
    the text needs something else.

    Its dimension is the first one with which the text makes sense, that of the field before all
    others.  Its value is the one with which the formula keeps the `present` value [SI], where the
    formula is linear in it; else the present value itself, or one to begin with.
    variables: what a law may name beside parameters, each NaN with its dimension; None for a text
    that is no law.
    """
    letters = evaluation.VARIABLES if variables is not None else frozenset[str]()
    known = {**parameter_values(project), **(variables or {})}
    name = _unknown(text, dimension, known, letters)
    if not name or name in UNITS or name in letters:
        return None
    try:
        add_parameter(project, Parameter(name, Quantity(1.0), "number"))
    except ExpressionError:
        return None
    for kind in dict.fromkeys((dimension, *LIKELY, *DIMENSIONS)):
        if not _makes_sense(text, dimension, {**known, name: (1.0, kind)}, letters):
            continue

        def at(x: float, kind: str = kind) -> float:
            return _value(text, dimension, {**known, name: (x, kind)}, letters)

        value = _kept(at, present)
        if value is None:
            value = present if present and kind == dimension else first_value(kind, units)
        return Requested(name, kind, written(value, kind, units))
    return None


def _makes_sense(
    text: str, dimension: str, known: Names, letters: frozenset[str], others: int = 1
) -> bool:
    """True if a text has a value of the expected dimension, if need be with further unknown names
    of some dimension.
    """
    try:
        _value(text, dimension, known, letters)
    except ExpressionError as error:
        if not error.unknown or error.unknown in UNITS:
            return False
        # of many unknown names not all combinations are tried
        return not others or any(
            _makes_sense(
                text, dimension, {**known, error.unknown: (1.0, kind)}, letters, others - 1
            )
            for kind in DIMENSIONS
        )
    return True


def _unknown(text: str, dimension: str, known: Names, letters: frozenset[str]) -> str:
    try:
        _value(text, dimension, known, letters)
    except ExpressionError as error:
        return error.unknown
    return ""


def _value(text: str, dimension: str, known: Names, letters: frozenset[str]) -> float:
    value = expression.dimensioned(parsed(text, letters), known)
    expression.needs(dimension, value)
    return value.number


def _kept(at: Callable[[float], float], present: float | None) -> float | None:
    """The x with at(x) = present of a linear function, None where it is none such."""
    try:
        a, b, c = at(0.0), at(1.0), at(2.0)
    except ExpressionError:
        return None
    if (
        present is None
        or not all(map(math.isfinite, (a, b, c)))
        or b == a
        or abs(c - 2 * b + a) > 1e-12 * (abs(a) + abs(b) + abs(c))
    ):
        return None
    return (present - a) / (b - a)


def set_dimension(project: Project, name: str, dimension: str, units: str) -> Project:
    """A parameter of another dimension.  A text that makes no sense in it becomes its number in the
    project's unit.

    Raises ExpressionError where something that names the parameter cannot do with it.
    """
    p = project.parameters[name]
    if p.dimension == dimension:
        return project
    before, after = unit(p.dimension, units), unit(dimension, units)

    def rotated(q: Quantity | None) -> Quantity | None:
        if q is None:
            return None
        others = {k: v for k, v in parameter_values(project).items() if k != name}
        try:
            return expression.quantity(q.text, dimension, others) if q.text else _plain(q)
        except ExpressionError:
            return _plain(q)

    def _plain(q: Quantity) -> Quantity:
        text = f"{q.value / before.factor:.{DIGITS}g} {after.symbol}".strip()
        return expression.quantity(text, dimension, {})

    changed = replace(
        p,
        dimension=dimension,
        value=rotated(p.value),
        minimum=rotated(p.minimum),
        maximum=rotated(p.maximum),
    )
    return reevaluate(put_element(project, name, changed))


def set_range(project: Project, name: str, end: str, text: str, default_unit: str = "") -> Project:
    """Type the least ("minimum") or largest ("maximum") value that a slider offers; "" for none.

    Raises ExpressionError with the reason in words, also where the least would not lie below the
    largest.
    """
    project = set_quantity(project, name, (end,), text, default_unit)
    if reason := range_problem(project.parameters[name]):
        raise ExpressionError(reason)
    return project


def range_problem(p: Parameter) -> str:
    """Reason why the ends of a parameter's range cannot stand; empty if they can."""
    if p.minimum is not None and p.maximum is not None and p.minimum.value >= p.maximum.value:
        return tr("The least value must lie below the largest.")
    return ""
