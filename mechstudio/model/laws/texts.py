"""The laws of a mechanism's elements: whether they may stand there, and how their texts follow what
their names stand for.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from mechstudio.model.element_fields.laws import dimension_of, drive_dimension
from mechstudio.model.formulas.expression import Names
from mechstudio.model.formulas.grammar import with_names
from mechstudio.model.laws.evaluation import (
    OWN_RATE,
    RATE,
    VARIABLES,
    Variable,
    check,
    names,
    table_kind,
    variables,
)
from mechstudio.model.laws.interpolation import MONOTONE, SPLINE, TABLE_KINDS
from mechstudio.model.mechanism import POSITION, Coupling, Drive, Force, Law, Mechanism
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.units import unit
from mechstudio.translation import tr

Ruled = TypeVar("Ruled", bound=Coupling | Drive | Force)


def law_dimension(
    mechanism: Mechanism, element: Drive | Coupling | Force, parameter: str = ""
) -> str:
    """The dimension of the quantity that a law of an element prescribes.  parameter: which number
    of a force. Raises KeyError for one that it does not have.
    """
    if isinstance(element, Drive):
        return drive_dimension(element, mechanism)
    if isinstance(element, Coupling):
        end = element.ends[-1]
        return dimension_of(mechanism, end.joint, end.coordinate)
    for p in FORCE_TYPES[element.type].parameters:
        if p.name == parameter and not p.rate_of:
            return p.dimension
    raise KeyError(
        tr(
            "A {type} has no number {parameter}.",
            type=tr(FORCE_TYPES[element.type].label).lower(),
            parameter=parameter,
        )
    )


def is_position(element: Drive | Coupling | Force, parameter: str = "") -> bool:
    """True if a law prescribes a position, whose rates are needed too: of a drive of position, a
    cam, or the target of a force.
    """
    if isinstance(element, Drive):
        return element.quantity == POSITION
    if isinstance(element, Coupling):
        return True
    return any(p.rate_of == parameter for p in FORCE_TYPES[element.type].parameters)


def usual_table(element: Drive | Coupling | Force, parameter: str = "") -> str:
    """Interpolation of a new table between its points: a position with continuous acceleration,
    everything else without overshoots.
    """
    return SPLINE if is_position(element, parameter) else MONOTONE


def reason(
    mechanism: Mechanism,
    element: Drive | Coupling | Force,
    parameter: str,
    law: Law,
    parameters: Names,
) -> str:
    """Reason why a law cannot stand in an element, as a sentence; empty if it can.  parameter:
    which number of a force.
    """
    known = variables(mechanism, element)
    if text := check(law, law_dimension(mechanism, element, parameter), known, parameters):
        return text
    if (
        law.type == "table"
        and TABLE_KINDS[table_kind(law)].jumps
        and is_position(element, parameter)
    ):
        return tr(
            "A place cannot jump, as it would at the points of a table by steps; choose straight "
            "pieces, monotone or spline."
        )
    if law.type == "expression" and isinstance(element, Force) and is_position(element, parameter):
        rates = sorted(
            name
            for name in names(law.text)
            if name in known and known[name].kind in (OWN_RATE, RATE)
        )
        if rates:
            return tr(
                "{rate} cannot stand in a target: its own rate is needed too, and that of a rate "
                "is an acceleration.",
                rate=rates[0],
            )
    return ""


def laws_of(element: object) -> dict[str, Law]:
    """The laws of an element, by the parameter of a force, "" for the law of a drive or cam."""
    if isinstance(element, Force):
        return dict(element.laws)
    law: Law | None = getattr(element, "law", None)
    return {"": law} if law is not None else {}


def with_law(element: Ruled, parameter: str, law: Law) -> Ruled:
    """The element with one law replaced."""
    if isinstance(element, Force):
        return msgspec.structs.replace(element, laws={**element.laws, parameter: law})
    return msgspec.structs.replace(element, law=law)


def changed(
    mechanism: Mechanism, change: Callable[[Drive | Coupling | Force, str, Law], Law]
) -> Mechanism:
    """The mechanism with `change(element, parameter, law)` applied to every law; itself where
    nothing changes.
    """
    sections = {}
    for section in ("couplings", "drives", "forces"):
        entries = dict(getattr(mechanism, section))
        for id, element in entries.items():
            for parameter, law in laws_of(element).items():
                if (new := change(element, parameter, law)) is not law:
                    entries[id] = element = with_law(element, parameter, new)
                    sections[section] = entries
    return msgspec.structs.replace(mechanism, **sections) if sections else mechanism


def bound(law: Law, known: Mapping[str, Variable], parameters: Names) -> Law:
    """An expression with the numbers of the parameters that it names, in Law.parameters, so that
    the mechanism is complete without the project.
    """
    if law.type != "expression":
        return law
    numbers = {
        name: Quantity(parameters[name][0])
        for name in sorted(names(law.text))
        if name not in known and name in parameters
    }
    return law if numbers == law.parameters else msgspec.structs.replace(law, parameters=numbers)


def bound_mechanism(mechanism: Mechanism, parameters: Names) -> Mechanism:
    """The mechanism with the numbers of all parameters that its laws name (see `bound`)."""
    return changed(
        mechanism,
        lambda element, _, law: (
            bound(law, variables(mechanism, element), parameters)
            if law.type == "expression"
            else law
        ),
    )


def renamed(law: Law, new: Mapping[str, str]) -> Law:
    """An expression in which names are called otherwise, all at once."""
    old = sorted(names(law.text) & new.keys()) if law.type == "expression" else []
    old = [name for name in old if new[name] != name]
    if not old:
        return law
    text = with_names(law.text, new, VARIABLES)  # all at once: two may be exchanged
    numbers = {new.get(name, name): q for name, q in law.parameters.items()}
    return msgspec.structs.replace(law, text=text, parameters=numbers)


def written(value: float, dimension: str) -> str:
    """A number as a text that a formula can hold in place of a name: (100.0 N/m)."""
    return f"({value!r} {unit(dimension, 'm-N-rad').symbol})".replace(" )", ")")
