"""Symbols of derived equations in words: what each is, in which unit, of which element, and its
value.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mechstudio.model.equations.term_words import shown
from mechstudio.model.equations.terms import PART, Equations, Name
from mechstudio.model.results.contact_names import CONTACT_PREFIX
from mechstudio.model.units import format_number, format_value, unit
from mechstudio.translation import Words, comma, tr

DIGITS = 4
# part of the equations: description
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
# symbols of the lecture by the beginning of their names: description and dimension
STEMS: dict[str, tuple[Words, str]] = {
    "r": ("place of the centre of mass in the world", "length"),
    "v": ("velocity of the centre of mass", "velocity"),
    "v_A": ("velocity of the point at the inner joint", "velocity"),
    "omega": ("angular velocity", "angular_velocity"),
    "a": ("acceleration of the centre of mass", "acceleration"),
    "alpha": ("angular acceleration", "angular_acceleration"),
    "beta_P": ("acceleration of the centre of mass by velocities alone", "acceleration"),
    "beta_R": ("angular acceleration by velocities alone", "angular_acceleration"),
    "F": ("force of a joint or a load", "force"),
    "N": ("moment of a joint", "torque"),
    "M": ("moment of a joint or a load", "torque"),
    "T": ("kinetic energy", "energy"),
    "U": ("potential energy", "energy"),
    "p": ("momentum", "momentum"),
    "sigma": ("angular momentum about the point named", "angular_momentum"),
    "D": ("dynamic resultant, mass times acceleration of the centre", "force"),
    "delta": ("dynamic moment about the point named", "torque"),
    "W": ("weight", "force"),
    "c": ("distance to the centre of mass", "length"),
    "J": ("inertia about the centre of mass", "inertia"),
    "m": ("mass", "mass"),
    "P": ("virtual power of the dynamic torsor of a body, per unit of a rate", ""),
    "Q": ("energetic coefficient of a load or a weight", ""),
    "e": ("component of the unit quaternion", ""),
    "z": ("what several terms have in common, computed once", ""),
    "h": ("loads of a row that no acceleration makes", ""),
}
# symbols of the chapter of contacts, where some of these letters mean something else
CONTACT_STEMS: dict[str, tuple[Words, str]] = {
    "Phi": ("gap of the surfaces along their normal", "length"),
    "R": ("axes of the contact, the normal and two across it", ""),
    "p": ("point of the contact", "length"),
    "D": ("turns rates of the coordinates into the velocity at the contact", ""),
    "b": ("what the gap or restitution asks of the normal velocity", "velocity"),
    "E": ("compliance of the surfaces in the step", ""),
    "N": ("velocities at contacts that impulses there make, for each unit of them", ""),
    "r": ("velocity at the contact at the end of the step without impulses there", "velocity"),
    "gamma": ("impulse of the contact in the step", "momentum"),
    "kappa": ("most that friction can give", "momentum"),
    "u": ("velocity at the contact at the end of the step", "velocity"),
    "s": ("sliding speed", "velocity"),
    "epsilon": ("residual of the laws of contact", "velocity"),
}
_ENTRY: Words = "entry of the mass matrix"
_RATES: dict[str, tuple[str, ...]] = {
    "angle": ("angle", "angular_velocity", "angular_acceleration"),
    "length": ("length", "velocity", "acceleration"),
}
_OF_RATE: tuple[Words, ...] = ("{meaning}", "rate of {meaning}", "acceleration of {meaning}")


class Symbol(NamedTuple):
    """One symbol. words: description; dimension: key of units.DIMENSIONS, "" where it has none of
    its own; value: SI, None while it is unknown; elements: ids that it belongs to.
    """

    name: Name
    words: str
    dimension: str = ""
    value: float | None = None
    elements: tuple[str, ...] = ()


def symbols(equations: Equations) -> dict[str, Symbol]:
    """Everything that the equations name, by identifier.  Values of moving quantities are unknown
    here.
    """
    out: dict[str, Symbol] = {}
    for known in equations.known:
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
    stems = CONTACT_STEMS if any(s.startswith(CONTACT_PREFIX) for s in sources) else STEMS
    lines = []
    for word in words.split():
        if (symbol := known.get(word) or _by_stem(word, stems)) is not None:
            lines.append(_line(symbol, values.get(word, symbol.value), units))
    of = comma().join(names[s] for s in dict.fromkeys(sources) if s in names)
    return (*lines, *((tr("belongs to {names}", names=of),) if of else ()))


def _by_stem(word: str, stems: Mapping[str, tuple[Words, str]]) -> Symbol | None:
    """A symbol of the lecture, read from the beginning of its name; None for a function."""
    parts = word.split("_")
    name = Name(word, parts[0], " ".join(parts[1:]))
    if stems is STEMS and parts[0] == "M" and all(part.isdecimal() for part in parts[1:]):
        return Symbol(name, tr(_ENTRY))
    found = stems.get("_".join(parts[:2])) or stems.get(parts[0])
    return Symbol(name, tr(found[0]), found[1]) if found and len(parts) > 1 else None


def _line(symbol: Symbol, value: float | None, units: str) -> str:
    line = f"{shown(symbol.name)}: {symbol.words}"
    if value is not None and symbol.dimension:
        return f"{line}, {format_value(value, symbol.dimension, units, DIGITS)}"
    if value is not None:
        return f"{line}, {format_number(value, DIGITS)}"
    mark = unit(symbol.dimension, units).symbol if symbol.dimension else ""
    return f"{line} [{mark}]" if mark else line
