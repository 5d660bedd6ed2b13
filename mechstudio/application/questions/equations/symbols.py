"""Symbols of derived equations in words: what each is, in which unit, of which element, and its
value.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mechstudio.model.equations.term_words import shown
from mechstudio.model.equations.terms import PART, Equations, Name
from mechstudio.model.units import format_value, unit
from mechstudio.translation import Words, tr

DIGITS = 4
# part of the equations: what it is
PARTS: dict[str, Words] = {
    "coordinates": "q: the coordinates, their rates q̇ and their accelerations q̈",
    "M": "M: the mass matrix, inertia of the mechanism along its coordinates; it is symmetric",
    "b": "b: loads of the velocities, centrifugal and Coriolis",
    "g": "g: loads of weight and springs, which depend on the pose alone",
    "tau": "τ: loads of motors, dampers, forces and friction along the coordinates",
    "C": "C: the constraints, zero where every loop is closed",
    "C_q": "C_q: the Jacobian, derivatives of the constraints by the coordinates; C_qᵀ λ is what "
    "the joints exert",
    "gamma": "γ: the part of the acceleration of the constraints that velocities make",
}
_RATES: dict[str, tuple[str, ...]] = {
    "angle": ("angle", "angular_velocity", "angular_acceleration"),
    "length": ("length", "velocity", "acceleration"),
}
_OF_RATE: tuple[Words, ...] = ("{meaning}", "rate of {meaning}", "acceleration of {meaning}")


class Symbol(NamedTuple):
    """One symbol.  words: what it is; dimension: key of units.DIMENSIONS, "" where it has none of
    its own; value: SI, None while it is unknown; elements: ids that it belongs to.
    """

    name: Name
    words: str
    dimension: str = ""
    value: float | None = None
    elements: tuple[str, ...] = ()


def symbols(equations: Equations) -> dict[str, Symbol]:
    """Everything that the equations name, by identifier.  Values of what moves are unknown here."""
    out: dict[str, Symbol] = {}
    for known in equations.parameters:
        out[known.name.name] = Symbol(
            known.name, known.meaning, known.dimension, known.value, known.sources
        )
    for u in equations.coordinates:
        dimensions = _RATES.get(u.dimension, (u.dimension, "", ""))
        names = (u.position, u.velocity, u.acceleration)
        for name, dimension, words in zip(names, dimensions, _OF_RATE, strict=True):
            out[name.name] = Symbol(name, tr(words, meaning=u.meaning), dimension, None, u.sources)
    for i, name in enumerate(equations.multipliers):
        words = tr("multiplier of row {row} of C: what its joint exerts there", row=i + 1)
        out[name.name] = Symbol(name, words, elements=(name.source,) if name.source else ())
    for definition in equations.definitions:
        name = definition.name
        sources = (name.source,) if name.source else ()
        out[name.name] = Symbol(name, tr("length of a spring or damper"), "length", None, sources)
    for function in equations.functions:
        for name in function.names:
            out[name.name] = Symbol(name, function.meaning, elements=(function.source,))
    return out


def explained(
    known: Mapping[str, Symbol],
    words: str,
    sources: tuple[str, ...],
    values: Mapping[str, float],
    units: str,
    names: Mapping[str, str],
) -> tuple[str, ...]:
    """Lines that explain a term: one for each symbol, and the elements that it comes from.

    words, sources: of the term (LinkArea).  values: of symbols at the time cursor [SI].  names: of
    elements by id.
    """
    if sources and sources[0].startswith(PART):
        part = sources[0].removeprefix(PART)
        return (tr(PARTS[part]),) if part in PARTS else ()
    lines = []
    for word in words.split():
        if (symbol := known.get(word)) is not None:
            lines.append(_line(symbol, values.get(word, symbol.value), units))
    of = ", ".join(names[s] for s in dict.fromkeys(sources) if s in names)
    return (*lines, *((tr("belongs to {names}", names=of),) if of else ()))


def _line(symbol: Symbol, value: float | None, units: str) -> str:
    line = f"{shown(symbol.name)}: {symbol.words}"
    if value is not None and symbol.dimension:
        return f"{line}, {format_value(value, symbol.dimension, units, DIGITS)}"
    if value is not None:
        return f"{line}, {value:.{DIGITS}g}".replace("-", "−")
    mark = unit(symbol.dimension, units).symbol if symbol.dimension else ""
    return f"{line} [{mark}]" if mark else line
