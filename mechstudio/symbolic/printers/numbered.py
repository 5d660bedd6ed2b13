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
    return tuple(_term(*each) for each in _gathered(terms, values))


def _gathered(
    terms: Iterable[Term], values: Mapping[str, float]
) -> list[tuple[float, tuple[Factor, ...], tuple[str, ...]]]:
    """(number, factors, sources) of the terms of a sum, like ones added up."""
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
    return [
        (number, key, tuple(sources[key]))
        for key, number in sums.items()
        if abs(number) > NEGLIGIBLE * largest
    ]


def _term(number: float, factors: tuple[Factor, ...], sources: tuple[str, ...]) -> Term:
    text = written(abs(number))
    if text == "1" and factors:
        return Term(-1 if number < 0 else 1, 1, factors, sources)
    return Term(-1 if number < 0 else 1, 1, (Name(text, text), *factors), sources)


def _numbered(f: Factor, values: Mapping[str, float]) -> tuple[float, tuple[Factor, ...]]:
    """(number, what is left) of a factor."""
    if isinstance(f, Name):
        return (values[f.name] ** f.power, ()) if f.name in values else (1.0, (f,))
    if isinstance(f, Trig):
        argument = numbered_sum(f.argument, values)
        exact = _exact(f.argument, values) if argument else 0.0
        if exact is not None:
            return (sin if f.function == "sin" else cos)(exact) ** f.power, ()
        return 1.0, (Trig(f.function, argument, f.power),)
    exact = _exact(f.terms, values)
    if exact is not None:
        return exact**f.power, ()
    inner = _gathered(f.terms, values)
    if not inner and f.power > 0:
        return 0.0, ()  # lengths that are alike may cancel
    if len(inner) == 1 and f.power == 1:
        ((number, factors, _),) = inner
        return number, factors
    return 1.0, (Group(tuple(_term(*each) for each in inner), f.power),)


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
    known = {k.name.name: k.value for k in equations.known} if values is None else values
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
