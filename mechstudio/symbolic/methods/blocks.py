"""A derivation as data: the names of its symbols, its matrices as blocks of entries, and the tree
that every printer reads.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mechstudio.model.equations.terms import (
    PI,
    Block,
    Definition,
    Entry,
    Equations,
    Factor,
    Function,
    Group,
    Known,
    Name,
    Term,
    Trig,
    Unknown,
)
from mechstudio.symbolic.kinematics.formulation import holder
from mechstudio.symbolic.kinematics.loads import Loads
from mechstudio.symbolic.kinematics.loop_rows import Row
from mechstudio.symbolic.plan.formulas import BRACKET, Atom, Formula
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.plan.symbols import Symbol
from mechstudio.symbolic.printers.presentation import rank
from mechstudio.symbolic.printers.printable import line
from mechstudio.symbolic.ring.names import Names
from mechstudio.symbolic.ring.polynomials import Poly, Ring
from mechstudio.symbolic.ring.turn_function import ATTITUDE

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

_PI = Name(PI, "pi")
_HEADINGS = {
    "M": "M(q)",
    "b": "b(q, v)",
    "g": "g(q)",
    "tau": "tau",
    "C": "C(q)",
    "C_q": "C_q(q)",
    "gamma": "gamma(q, v)",
}


def names_of(
    plan: Plan,
    ring: Ring,
    loads: Loads,
    rooted: Sequence[str],
    entries: Sequence[Poly],
    rows: Sequence[Row],
) -> Names:
    """Names for the symbols that occur, in the equations or in the squared length of a spring."""
    used: set[int] = set()
    polynomials = [*entries, *ring.square]
    start = ring.starts["p"]
    for p in polynomials:
        if p:
            degrees = p.degrees()
            used |= {i for i in range(ring.symbol_count) if degrees[start + i]}
            for k, form in enumerate(ring.forms):
                if degrees[ring.starts["s"] + k] or degrees[ring.starts["c"] + k]:
                    used |= {-1 - v for v, _ in form if v < 0}
    needed = set(used)
    for s in reversed(plan.symbols.all):
        if s.index in needed and s.formula is not None:
            needed |= s.formula.symbols()
    springs = [(id, plan.mechanism.forces[id].name) for id in loads.spring_index]
    springs += [(id, plan.mechanism.joints[id].name) for id in rooted]
    return Names(
        plan.coordinates,
        [s for s in plan.symbols.all if s.index in used],
        [s for s in plan.symbols.all if s.index in needed - used],
        springs,
        [(r.joint, holder(plan.mechanism, r.joint).name) for r in rows],
        plan.functions,
        plan.symbols.all,
        plan.symbols.project.parameters,
    )


class NamedSymbols(NamedTuple):
    """parameters, following: as of Equations."""

    parameters: tuple[Known, ...]
    following: tuple[Known, ...]

    def beside(self, e: Equations) -> Equations:
        """Equations with these symbols, too."""
        names = {line(k.name.name) for k in e.known}
        more = lambda row: tuple(k for k in row if line(k.name.name) not in names)
        return msgspec.structs.replace(
            e,
            parameters=(*e.parameters, *more(self.parameters)),
            following=(*e.following, *more(self.following)),
        )


def known_symbols(d: "DerivedEquations", used: Collection[str] | None = None) -> NamedSymbols:
    """The symbols that were named so far, with their numbers; of some names those that are needed
    for them.
    """
    found, all_ = d.names.p, d.plan.symbols.all
    kept = {
        s.index for s in all_ if s.index in found and (used is None or found[s.index].name in used)
    }
    formulas: dict[int, Entry] = {}
    for s in reversed(all_):
        if s.index in kept and s.formula is not None:
            kept |= s.formula.symbols()
            formulas[s.index] = formula_entry(s.formula, found, all_)
    known = {
        s.index: Known(
            found[s.index],
            s.value,
            s.dimension,
            s.meaning,
            tuple(sorted(s.sources)),
            s.prescribed,
            formulas.get(s.index),
        )
        for s in all_
        if s.index in kept
    }
    return NamedSymbols(
        tuple(k for k in known.values() if k.formula is None),
        tuple(k for k in known.values() if k.formula is not None),
    )


def formula_entry(formula: Formula, names: Mapping[int, Name], symbols: Sequence[Symbol]) -> Entry:
    """A formula as an entry.  names: of symbols by index."""

    def factor(atom: Atom, power: int) -> Factor:
        if atom.of is None:
            name = _PI if atom.kind == PI else names[atom.symbol]
            return msgspec.structs.replace(name, power=power)
        inside = terms(atom.of)
        return Group(inside, power) if atom.kind == BRACKET else Trig(atom.kind, inside, power)

    def order(pair: tuple[Atom, int]) -> tuple[bool, tuple[int, int]]:
        atom = pair[0]
        if atom.symbol < 0:
            return atom.kind != PI, (-2, 0)
        return False, rank(symbols[atom.symbol])

    def terms(of: Formula) -> tuple[Term, ...]:
        return tuple(
            Term(
                c.numerator,
                c.denominator,
                tuple(factor(a, k) for a, k in sorted(product, key=order)),
            )
            for product, c in of.terms.items()
        )

    return Entry(terms(formula))


def equations_of(d: "DerivedEquations") -> Equations:
    """The tree of typeset terms."""
    plan, names = d.plan, d.names
    blocks = tuple(matrix_block(d, key, matrix) for key, matrix in d.matrices.items())
    unknowns = tuple(
        Unknown(q, v, a, c.dimension, c.meaning, tuple(x for x in (c.joint, c.body) if x))
        for c, q, v, a in zip(plan.coordinates, names.q, names.v, names.a)
    )
    known = known_symbols(d)
    # the rows of a loop may all be zero; in a partial derivation they are not known
    structure = "closed" if d.rows or (plan.tree.closing and not blocks) else "open"
    return Equations(
        d.method,
        structure,
        unknowns,
        blocks,
        tuple(names.multipliers),
        lengths_of(d),
        known.parameters,
        d.notes,
        functions_of(d),
        following=known.following,
    )


def lengths_of(d: "DerivedEquations") -> tuple[Definition, ...]:
    """The squares of the lengths that something was read of so far."""
    return tuple(
        Definition(
            Name(n.name, n.letter, n.subscript, 0, 2, n.source),
            d.presenter.entry(d.ring.square[i], (n.source,)),
        )
        for i, n in enumerate(d.names.lengths)
        if d.ring.square[i]
    )


def functions_of(d: "DerivedEquations") -> tuple[Function, ...]:
    """The opaque functions that something was read of so far, with what they are taken of."""
    ring, plan = d.ring, d.plan
    return tuple(
        Function(
            (n[0], n[1], n[2]), d.presenter.argument(i), f.meaning, f.kind, f.source, f.component
        )
        for i, (f, n) in enumerate(zip(plan.functions, d.names.functions))
        if i not in plan.waves and (f.kind != ATTITUDE or ring.arguments[i] is not None)
    )


def row_labels(d: "DerivedEquations") -> tuple[str, ...]:
    """Labels of the rows of C in words: the element that a row belongs to, and the row."""
    mechanism = d.plan.mechanism
    return tuple(
        (
            f"{'joint ' if r.joint in mechanism.joints else ''}{holder(mechanism, r.joint).name}, "
            f"{r.label}"
        )
        for r in d.rows
    )


def matrix_block(d: "DerivedEquations", key: str, matrix: Sequence[Sequence[Poly]]) -> Block:
    """One of the matrices as a block; also of another method than the derivation's own."""
    presenter = d.presenter
    if key in ("C", "C_q", "gamma"):
        labels = row_labels(d)
        sources: tuple[tuple[str, ...], ...] = tuple((r.joint,) for r in d.rows)
    else:
        labels = tuple(c.meaning for c in d.plan.coordinates)
        sources = tuple(tuple(x for x in (c.joint, c.body) if x) for c in d.plan.coordinates)
    seen: dict[tuple[int, int], Entry] = {}
    rows = []
    for i, row in enumerate(matrix):
        entries = []
        for j, p in enumerate(row):
            mirrored = seen.get((j, i)) if key == "M" and j < i else None
            seen[i, j] = (
                mirrored
                if mirrored is not None
                else presenter.entry(p, (d.rows[i].joint,) if key in ("C", "C_q", "gamma") else ())
            )
            entries.append(seen[i, j])
        rows.append(tuple(entries))
    return Block(key, _HEADINGS[key], tuple(rows), labels, sources, symmetric=key == "M")


__all__ = ["equations_of", "known_symbols", "matrix_block", "names_of", "row_labels"]
