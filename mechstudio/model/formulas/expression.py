"""Expressions that a user may type into a number field: "12 mm", "1/2 in", "2*L1 + 3 mm", "atan2(3,
4)", with their dimension checked.

grammar.py has the grammar, dimensions.py the arithmetic.
"""

import graphlib
import math
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec

from mechstudio.model.findings import joined
from mechstudio.model.formulas.dimensions import (
    FUNCTIONS,
    ExpressionError,
    Value,
    added,
    applied,
    combined,
    is_number,
    multiplied,
    raised,
    words,
)
from mechstudio.model.formulas.grammar import (
    ALIKE,
    Node,
    continues_name,
    parsed,
    shortened,
    with_names,
)
from mechstudio.model.quantity import Parameter, Quantity
from mechstudio.model.units import DIMENSIONS, UNITS, spoken
from mechstudio.translation import tr

Names = Mapping[str, tuple[float, str]]


def _named(name: str, names: Names) -> Value:
    if name in names:
        number, dimension = names[name]
        kind = dimension if dimension in ("torque", "energy") else ""
        return Value(float(number), DIMENSIONS[dimension], kind, dimension == "number")
    if name in UNITS:
        raise ExpressionError(
            tr("{name} is a unit and needs a number before it, as in 1 {name}.", name=name),
            unknown=name,
        )
    raise ExpressionError(
        tr("{name} is not a parameter of this project.", name=shortened(name)), unknown=name
    )


def _value(node: Node, names: Names) -> Value:
    match node[0]:
        case "number":
            return Value(node[1], bare=True)
        case "pi":
            return Value(math.pi, bare=True, pi=True)
        case "name":
            value = _named(node[1], names)
        case "sum":
            value = added((sign, _value(n, names)) for sign, n in node[1])
        case "product":
            value = multiplied((operator, _value(n, names)) for operator, n in node[1])
        case "power":
            value = raised(_value(node[1], names), _value(node[2], names))
        case "call":
            value = applied(node[1], tuple(_value(n, names) for n in node[2]))
        case _:
            _, inner, exponents, above, below, kind = node
            v = _value(inner, names)
            value = Value(
                v.number * above / below,
                combined(v.exponents, exponents),
                kind if is_number(v) else "",
            )
    # NaN stands for a variable whose number is not known yet
    if math.isinf(value.number):
        raise ExpressionError(tr("The result is too large a number."))
    return value


def dimensioned(node: Node, names: Names) -> Value:
    """Dimension and number of a tree; a name whose number is NaN varies, and so does what is made
    of it.  Raises ExpressionError.
    """
    return _value(node, names)


def needs(dimension: str, value: Value) -> None:
    """Raises ExpressionError if a value may not stand where a dimension is expected; numbers alone
    may stand anywhere, in SI.
    """
    if dimension != "number" and value.bare and is_number(value):
        return
    if value.kind == "frequency" and dimension != "frequency":
        raise ExpressionError(
            tr("Hz does not say whether turns or radians are counted; write rev/s, rpm or rad/s.")
        )
    if not _accepts(dimension, value):
        raise ExpressionError(
            tr(
                "{dimension} expected, got {words}",
                dimension=spoken(dimension),
                words=words(value),
            )
        )


def _accepts(expected: str, value: Value) -> bool:
    """True if a value may stand where a dimension is expected.

    Angles: a number may stand for an angle (radians), never the other way round; beside a length or
    a mass radians in the numerator do not count, so that r*omega is a velocity and J*alpha a
    torque.
    """
    requested = DIMENSIONS[expected]
    if value.exponents[:3] != requested[:3]:
        return False
    if value.kind and expected in ("torque", "energy") and value.kind != expected:
        return False
    angle = value.exponents[3]
    if requested[0] or requested[1]:
        return angle >= 0 or angle == requested[3]
    return angle in (0, requested[3])


def _typed(text: str, dimension: str, names: Names, default_unit: str) -> tuple[float, bool]:
    """SI value, and whether the default unit was taken."""
    value = _value(parsed(text), names)
    if math.isnan(value.number):
        raise ExpressionError(tr("The result is no number."))
    if dimension != "number" and value.bare and is_number(value):
        if value.pi and dimension in ("angle", "angular_velocity"):
            return value.number, False
        if not default_unit:
            return value.number, False
        unit = parsed("1 " + default_unit)
        if unit[0] != "unit" or not _accepts(dimension, _value(unit, {})):
            raise ExpressionError(
                tr(
                    "{dimension} expected, and {default_unit} is no unit of it.",
                    dimension=spoken(dimension),
                    default_unit=default_unit,
                )
            )
        above, below = unit[3:5]
        number = value.number * above / below
        if not math.isfinite(number):
            raise ExpressionError(tr("The result is too large a number."))
        return number, True
    needs(dimension, value)
    return value.number, False


def evaluate(text: str, dimension: str, names: Names, default_unit: str = "") -> float:
    """The SI value of a typed text.  Raises ExpressionError, and nothing else, with the reason in
    words.

    dimension: key of units.DIMENSIONS.  names: parameter -> (SI value, dimension).  default_unit:
    the unit of a text that is made of numbers alone; SI without it.  Numbers with pi in them are
    radians where an angle is expected.
    """
    return _typed(text, dimension, names, default_unit)[0]


def quantity(text: str, dimension: str, names: Names, default_unit: str = "") -> Quantity:
    """The quantity to keep for a typed text: "12" typed into a field in mm is kept as "12 mm", so
    that it means the same anywhere.

    Raises ExpressionError.
    """
    text = text.strip()
    value, took_default = _typed(text, dimension, names, default_unit)
    if took_default:
        single = parsed(text)[0] == "number" or (
            text[0] in "-−" and parsed(text[1:])[0] == "number"
        )
        text = f"{text} {default_unit}" if single else f"({text}) {default_unit}"
    return Quantity(value, text)


def _walk(node: Node) -> Iterator[str]:
    match node[0]:
        case "name":
            yield node[1]
        case "sum" | "product":
            for _, n in node[1]:
                yield from _walk(n)
        case "power":
            yield from _walk(node[1])
            yield from _walk(node[2])
        case "call":
            for n in node[2]:
                yield from _walk(n)
        case "unit":
            yield from _walk(node[1])
        case _:
            return


def names_in(text: str, variables: frozenset[str] = frozenset()) -> set[str]:
    """The parameters that a text names; none for a text that cannot be read.  variables: letters
    that are never units in it.
    """
    try:
        return set(_walk(parsed(text, variables)))
    except ExpressionError:
        return set()


def stays(text: str, old: str, new: str, variables: frozenset[str] = frozenset()) -> bool:
    """True if a text keeps its meaning when the parameter `old` is renamed to `new`: behind a unit,
    as in 3 mm*L1, a name may turn into a unit.
    """

    def called(node: Any) -> Any:
        if node == ("name", old):
            return ("name", new)
        if not isinstance(node, tuple):
            return node
        return tuple(map(called, cast(Node, node)))

    return called(parsed(text, variables)) == parsed(renamed(text, old, new, variables), variables)


def is_plain(text: str) -> bool:
    """True if a text names no parameter."""
    return not names_in(text)


def check_name(name: str) -> None:
    """Raises ExpressionError if a parameter cannot be called so."""
    if (
        not name
        or not name[0].isidentifier()
        or not all(map(continues_name, name))
        or name != name.translate(ALIKE)
    ):
        raise ExpressionError(
            tr(
                "“{name}” cannot be a parameter's name: a name is a letter followed by letters, "
                "digits and _.",
                name=shortened(name),
            )
        )
    if len(name) > 60:
        raise ExpressionError(tr("A parameter's name has at most 60 characters."))
    if name == "pi" or name in FUNCTIONS:
        raise ExpressionError(
            tr("{name} already has a meaning in formulas; choose another name.", name=name)
        )


def renamed(text: str, old: str, new: str, variables: frozenset[str] = frozenset()) -> str:
    """A text in which the parameter `old` is called `new`; everything else stays as it was
    typed.
    """
    return with_names(text, {old: new}, variables) if old in names_in(text, variables) else text


def _cycle(names: list[str]) -> ExpressionError:
    """names: as graphlib reports a cycle, each needed by the next and the first one again at the
    end.
    """
    members = sorted(set(names))
    if len(members) == 1:
        return ExpressionError(tr("{member} is defined by itself.", member=members[0]))
    chain = names[:0:-1]
    first = chain.index(members[0])
    chain = [*chain[first:], *chain[:first], members[0]]
    if len(members) > 6:
        chain = [*chain[:5], "…", members[0]]
    shown = (
        members if len(members) <= 6 else [*members[:5], tr("{count} more", count=len(members) - 5)]
    )
    return ExpressionError(
        tr(
            "{listed} are defined by each other: {chain}.",
            listed=joined(shown),
            chain=" → ".join(chain),
        )
    )


def resolve(
    parameters: Mapping[str, Parameter],
) -> tuple[dict[str, Parameter], dict[str, ExpressionError]]:
    """All parameters evaluated in the order of their dependencies, and the reason for each that
    could not be; it keeps its value.
    """
    problems: dict[str, ExpressionError] = {}
    needs: dict[str, set[str]] = {
        name: names_in(p.value.text) & parameters.keys() if p.value.text else set()
        for name, p in parameters.items()
    }
    while True:
        try:
            order = list(graphlib.TopologicalSorter(needs).static_order())
            break
        except graphlib.CycleError as error:
            for name in set(error.args[1]):
                problems[name] = _cycle(error.args[1])
                needs[name] = set()
    known = {name: (p.value.value, p.dimension) for name, p in parameters.items()}
    done = dict(parameters)
    for name in order:
        if name not in problems:
            _resolve_part(done, known, name, "value", problems)
    for name in parameters:
        for part in ("minimum", "maximum"):
            _resolve_part(done, known, name, part, problems)
    return done, problems


def _resolve_part(
    done: dict[str, Parameter],
    known: dict[str, tuple[float, str]],
    name: str,
    part: str,
    problems: dict[str, ExpressionError],
) -> None:
    parameter = done[name]
    q: Quantity | None = getattr(parameter, part)
    if q is None or not q.text:
        return
    try:
        others = (
            known if name not in names_in(q.text) else {k: v for k, v in known.items() if k != name}
        )
        value = evaluate(q.text, parameter.dimension, others)
    except ExpressionError as error:
        problems.setdefault(
            name, ExpressionError(f"{name} = {shortened(q.text)}: {error}", error.unknown)
        )
        return
    if value != q.value:
        done[name] = msgspec.structs.replace(parameter, **{part: Quantity(value, q.text)})
    if part == "value":
        known[name] = (value, parameter.dimension)


def resolve_parameters(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The same parameters with every typed value evaluated.  Raises ExpressionError; a cycle is
    reported with its members.
    """
    done, problems = resolve(parameters)
    for error in problems.values():
        raise error
    return done
