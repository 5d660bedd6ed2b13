"""Equations as plain data, ready to be typeset: blocks of entries, entries of terms, terms of
factors.

Every printer (text, LaTeX, Typst, Python, SymPy) and the equations panel read this one tree; every
term says which bodies, joints and forces it comes from, so that a pointer over it can light them
up.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

# source that stands for a part of the equations, in the line of their structure: PART + its key
PART = "part:"
# source that stands for the room under a symbol where its number is shown: VALUE + its name
VALUE = "value:"


class Name(msgspec.Struct, frozen=True, tag="name"):
    """A symbol to a power.

    name: its identifier, as in Python and JSON ("m_crank", "thetadot_A").  letter: as typeset, a
    Greek letter by its name ("theta").
    subscript: as typeset.  dots: time derivatives, 0 to 2.  power: may be negative.  source: id of
    its element or "".
    primes: derivatives of a function of the user (see Function) by its argument, 0 to 2; the
    argument is not repeated at each place.
    """

    name: str
    letter: str
    subscript: str = ""
    dots: int = 0
    power: int = 1
    source: str = ""
    primes: int = 0


class Trig(msgspec.Struct, frozen=True, tag="trig"):
    """sin or cos of a sum of angles, to a power; in the formula of a number that follows others any
    function of one number, by its name in C.
    """

    function: str
    argument: tuple["Term", ...]
    power: int = 1


class Group(msgspec.Struct, frozen=True, tag="group"):
    """A sum in brackets, to a power."""

    terms: tuple["Term", ...]
    power: int = 1


Factor = Name | Trig | Group


class Term(msgspec.Struct, frozen=True):
    """numerator / denominator times factors; the numerator carries the sign.  sources: ids of
    bodies, joints and forces.
    """

    numerator: int
    denominator: int
    factors: tuple[Factor, ...]
    sources: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True):
    """A sum of terms; an entry without terms is zero in every position."""

    terms: tuple[Term, ...] = ()

    @property
    def is_zero(self) -> bool:
        return not self.terms


class Block(msgspec.Struct, frozen=True):
    """A matrix or column.

    key: "M", "b", "g", "tau", "C", "C_q", "gamma"; in a lecture any other, of which no two are
    alike in one chapter.  heading: as it stands in plain text ("M(q)").  labels: what each row
    belongs to, in words.  sources: per row, ids.  symmetric: entries below the diagonal repeat
    those above.  name: as typeset, where the key is none of the seven.  columns: what each column
    belongs to, in words, or none.
    parts: squares of one size that it consists of, those on and above its diagonal row by row; they
    stand for it where it is too wide.
    """

    key: str
    heading: str
    rows: tuple[tuple[Entry, ...], ...]
    labels: tuple[str, ...] = ()
    sources: tuple[tuple[str, ...], ...] = ()
    symmetric: bool = False
    name: Name | None = None
    columns: tuple[str, ...] = ()
    parts: tuple["Block", ...] = ()

    @property
    def is_zero(self) -> bool:
        return all(e.is_zero for row in self.rows for e in row)

    @property
    def term_count(self) -> int:
        return sum(len(e.terms) for row in self.rows for e in row)


class Definition(msgspec.Struct, frozen=True):
    """name^power = entry, such as the squared length of a spring."""

    name: Name
    entry: Entry


class Function(msgspec.Struct, frozen=True):
    """A function of the drawing that stands in formulas by its name alone: the law of a cam, the
    course of a curve.

    names: f, f', f'' as they occur.  argument: of all three.  meaning: in words.  sources: ids.
    kind: "law" of the element
    `source`, or "curve" of that joint; component: 0 to 2 for x, y, z of a curve.
    """

    names: tuple[Name, Name, Name]
    argument: Entry
    meaning: str
    kind: str
    source: str
    component: int = 0


class Known(msgspec.Struct, frozen=True):
    """A parameter with its number.  value: SI; dimension: key of units.DIMENSIONS; meaning: in
    words; sources: ids; prescribed: by a law, so that no single number is its value.  formula: of
    what follows from other parameters; PI is π in it.
    """

    name: Name
    value: float
    dimension: str
    meaning: str
    sources: tuple[str, ...] = ()
    prescribed: bool = False
    formula: Entry | None = None

    @property
    def shown(self) -> float:
        """The number for a reader, SI; not a number, which is shown as a dash, if prescribed."""
        return math.nan if self.prescribed else self.value


class Unknown(msgspec.Struct, frozen=True):
    """A coordinate, its rate and its acceleration."""

    position: Name
    velocity: Name
    acceleration: Name
    dimension: str
    meaning: str
    sources: tuple[str, ...] = ()


PI = "pi"  # the name that is π in formulas
LISTS = ("definitions", "intermediates", "following")  # parts that are lists of definitions


class Equations(msgspec.Struct, frozen=True):
    """Everything that a derivation shows.

    structure: "open" for M a + b + g = tau, "closed" for M a + b + g = tau + C_q^T lambda, C = 0,
    C_q a = gamma.
    blocks: empty if the closed form was too large; notes say so, and say conventions and singular
    positions, in sentences.
    multipliers: one per row of C.   functions: of the user, opaque in the formulas.
    intermediates: sums that the blocks are made of, each of those before it; none where the blocks
    are a closed form.  following: numbers with formulas, each in parameters and in those before it.
    """

    method: str
    structure: str
    coordinates: tuple[Unknown, ...]
    blocks: tuple[Block, ...]
    multipliers: tuple[Name, ...] = ()
    definitions: tuple[Definition, ...] = ()
    parameters: tuple[Known, ...] = ()
    notes: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()
    intermediates: tuple[Definition, ...] = ()
    following: tuple[Known, ...] = ()

    @property
    def known(self) -> tuple[Known, ...]:
        """All numbers that are no coordinates: parameters, and what follows from them."""
        return (*self.parameters, *self.following)

    @property
    def formulas(self) -> tuple[Definition, ...]:
        """Lines name = formula of what follows from parameters."""
        return tuple(Definition(k.name, k.formula) for k in self.following if k.formula is not None)

    def listed(self, part: str) -> tuple[Definition, ...]:
        """The lines of a part that is a list: "definitions", "intermediates" or "following"."""
        return {
            "definitions": self.definitions,
            "intermediates": self.intermediates,
            "following": self.formulas,
        }[part]

    def lines(self, part: str) -> tuple[Any, ...] | None:
        """Lines of a part that is a list; None for any other part."""
        if part in LISTS:
            return self.listed(part)
        return {"coordinates": self.coordinates, "parameters": self.known}.get(part)

    def formulas_of(self, names: Iterable[str]) -> tuple[Definition, ...]:
        """The formulas that some symbols need, in their order."""
        used, needed = set(names), list[Definition]()
        for d in reversed(self.formulas):
            if d.name.name in used:
                needed.append(d)
                used |= {n.name for n in names_of_terms(d.entry.terms)}
        return tuple(reversed(needed))

    def block(self, key: str) -> Block:
        """A block by key.  Raises KeyError."""
        for block in self.blocks:
            if block.key == key:
                return block
        raise KeyError(key)

    def intermediates_of(self, blocks: Iterable[Block]) -> tuple[Definition, ...]:
        """The intermediates that some blocks need, in their order."""
        used = {
            n.name for b in blocks for row in b.rows for e in row for n in names_of_terms(e.terms)
        }
        needed: list[Definition] = []
        for d in reversed(self.intermediates):
            if d.name.name in used:
                needed.append(d)
                used |= {n.name for n in names_of_terms(d.entry.terms)}
        return tuple(reversed(needed))


def names_of_terms(terms: Iterable[Term]) -> Iterator[Name]:
    """Every symbol of some terms, within brackets and the arguments of functions too."""
    for t in terms:
        for f in t.factors:
            if isinstance(f, Name):
                yield f
            else:
                yield from names_of_terms(f.argument if isinstance(f, Trig) else f.terms)


def parts(equations: Equations) -> tuple[str, ...]:
    """The parts that are shown of these equations, in the order of reading: keys of blocks and
    names of what else there is.
    """
    found = [
        "structure",
        *(("rows",) if equations.blocks else ()),
        "coordinates",
        *(("intermediates",) if equations.intermediates else ()),
        *(b.key for b in equations.blocks),
    ]
    return (
        *found,
        *(("definitions",) if equations.definitions else ()),
        *(("parameters",) if equations.parameters else ()),
        *(("following",) if equations.following else ()),
    )


def times(entry: Entry, factor: Name) -> tuple[Term, ...]:
    """An entry times one more symbol: a sum goes into brackets, and the symbol stands before sines
    and cosines.
    """
    if entry.is_zero:
        return ()
    t, rest = entry.terms[0], entry.terms[1:]
    if rest:
        return (
            Term(
                1,
                1,
                (Group(entry.terms), factor),
                tuple(dict.fromkeys(s for t in entry.terms for s in t.sources)),
            ),
        )
    place = next((k for k, f in enumerate(t.factors) if isinstance(f, Trig)), len(t.factors))
    return (msgspec.structs.replace(t, factors=(*t.factors[:place], factor, *t.factors[place:])),)


def written_row(equations: Equations, i: int) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Row i of the equations of motion written out: the terms left of = (M a, b, g) and right of it
    (tau, C_q^T lambda).
    """
    left: list[Term] = []
    for entry, unknown in zip(equations.block("M").rows[i], equations.coordinates):
        left += times(entry, unknown.acceleration)
    for key in ("b", "g"):
        left += equations.block(key).rows[i][0].terms
    right = list(equations.block("tau").rows[i][0].terms)
    if equations.structure == "closed":
        for row, multiplier in zip(equations.block("C_q").rows, equations.multipliers):
            right += times(row[i], multiplier)
    return tuple(left), tuple(right)
