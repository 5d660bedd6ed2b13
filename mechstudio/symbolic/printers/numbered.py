"""Equations with the numbers of the drawing in place of its parameters: like terms are gathered,
coordinates stay symbols.  All numbers are SI.
"""

from collections.abc import Iterable, Mapping
from math import cos, sin

import msgspec

from mechstudio.model.equations.lecture import Equality, Step
from mechstudio.model.equations.terms import (
    Block,
    Entry,
    Equations,
    Factor,
    Group,
    Name,
    Term,
    Trig,
)

DIGITS = 4
NEGLIGIBLE = 1e-13  # of the largest coefficient in a sum: what is left of numbers that cancel
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def written(number: float) -> str:
    """A positive number in DIGITS digits: 0.02348, 4.2·10⁻⁵."""
    text = f"{number:.{DIGITS}g}"
    digits, mark, power = text.partition("e")
    return digits if not mark else f"{digits}·10{str(int(power)).translate(_RAISED)}"


def numbered_sum(terms: Iterable[Term], values: Mapping[str, float]) -> tuple[Term, ...]:
    """A sum with its parameters replaced.   values: by Name.name."""
    sums: dict[tuple[Factor, ...], float] = {}
    sources: dict[tuple[Factor, ...], dict[str, None]] = {}
    for t in terms:
        factors: list[Factor] = []
        number = t.numerator / t.denominator
        for f in t.factors:
            times, rest = _numbered(f, values)
            number *= times
            factors += rest
        key = tuple(factors)
        sums[key] = sums.get(key, 0.0) + number
        sources.setdefault(key, {}).update(dict.fromkeys(t.sources))
    largest = max(map(abs, sums.values()), default=0.0)
    return tuple(
        _term(number, key, tuple(sources[key]))
        for key, number in sums.items()
        if abs(number) > NEGLIGIBLE * largest
    )


def _term(number: float, factors: tuple[Factor, ...], sources: tuple[str, ...]) -> Term:
    text = written(abs(number))
    if text == "1" and factors:
        return Term(-1 if number < 0 else 1, 1, factors, sources)
    return Term(-1 if number < 0 else 1, 1, (Name(text, text), *factors), sources)


def _alone(terms: tuple[Term, ...]) -> float | None:
    """The value of a sum that is a single number."""
    if not terms:
        return 0.0
    first, *others = terms
    if others or len(first.factors) != 1:
        return None
    name = first.factors[0]
    if not isinstance(name, Name) or name.name != name.letter or not name.letter[:1].isdigit():
        return None
    return first.numerator * _read(name.letter)


def _read(text: str) -> float:
    digits, _, power = text.partition("·10")
    return float(digits) * 10.0 ** (
        int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-"))) if power else 0
    )


def _numbered(f: Factor, values: Mapping[str, float]) -> tuple[float, list[Factor]]:
    """(number, what is left) of a factor."""
    if isinstance(f, Name):
        return (values[f.name] ** f.power, []) if f.name in values else (1.0, [f])
    if isinstance(f, Trig):
        argument = numbered_sum(f.argument, values)
        exact = _exact(f.argument, values)
        if exact is not None:
            return (sin if f.function == "sin" else cos)(exact) ** f.power, []
        return 1.0, [Trig(f.function, argument, f.power)]
    exact = _exact(f.terms, values)
    if exact is not None:
        return exact**f.power, []
    inner = numbered_sum(f.terms, values)
    if len(inner) == 1 and f.power == 1:
        only = inner[0]
        first = only.factors[0]
        number = _alone((Term(only.numerator, 1, (first,)),)) if isinstance(first, Name) else None
        return (
            (number, list(only.factors[1:]))
            if number is not None
            else (float(only.numerator), list(only.factors))
        )
    return 1.0, [Group(inner, f.power)]


def _exact(terms: Iterable[Term], values: Mapping[str, float]) -> float | None:
    """A sum of parameters alone, unrounded; None where something else stands in it."""
    total = 0.0
    for t in terms:
        number = t.numerator / t.denominator
        for f in t.factors:
            if isinstance(f, Name):
                inner = values.get(f.name)
            else:
                inner = _exact(f.argument if isinstance(f, Trig) else f.terms, values)
                if inner is not None and isinstance(f, Trig):
                    inner = (sin if f.function == "sin" else cos)(inner)
            if inner is None:
                return None
            number *= inner**f.power
        total += number
    return total


def numbered_block(block: Block, values: Mapping[str, float]) -> Block:
    """A block with numbers."""
    return msgspec.structs.replace(
        block,
        rows=tuple(tuple(Entry(numbered_sum(e.terms, values)) for e in row) for row in block.rows),
    )


def numbered(equations: Equations, values: Mapping[str, float] | None = None) -> Equations:
    """All blocks, lengths and intermediates with numbers.  values: those of the equations' own
    parameters, if none are given.
    """
    known = {k.name.name: k.value for k in equations.parameters} if values is None else values
    defined = lambda found: tuple(
        msgspec.structs.replace(d, entry=Entry(numbered_sum(d.entry.terms, known))) for d in found
    )
    return msgspec.structs.replace(
        equations,
        blocks=tuple(numbered_block(b, known) for b in equations.blocks),
        definitions=defined(equations.definitions),
        intermediates=defined(equations.intermediates),
    )


def numbered_step(step: Step, values: Mapping[str, float]) -> Step:
    """A step of a lecture with numbers."""
    side = lambda e: Entry(numbered_sum(e.terms, values))
    equations = tuple(
        Equality(side(e.left), side(e.right), e.label, e.sources) for e in step.equations
    )
    return msgspec.structs.replace(
        step, equations=equations, blocks=tuple(numbered_block(b, values) for b in step.blocks)
    )
