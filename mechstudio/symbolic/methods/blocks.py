"""A derivation as data: the names of its symbols, its matrices as blocks of entries, and the tree
that every printer reads.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mechstudio.model.equations.terms import (
    Block,
    Definition,
    Entry,
    Equations,
    Function,
    Known,
    Name,
    Unknown,
)
from mechstudio.symbolic.kinematics.formulation import holder
from mechstudio.symbolic.kinematics.loads import Loads
from mechstudio.symbolic.kinematics.loop_rows import Row
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.ring.names import Names
from mechstudio.symbolic.ring.polynomials import Poly, Ring
from mechstudio.symbolic.ring.turn_function import ATTITUDE

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

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
    springs = [(id, plan.mechanism.forces[id].name) for id in loads.spring_index]
    springs += [(id, plan.mechanism.joints[id].name) for id in rooted]
    return Names(
        plan.coordinates,
        [s for s in plan.symbols.all if s.index in used],
        springs,
        [(r.joint, holder(plan.mechanism, r.joint).name) for r in rows],
        plan.functions,
        plan.symbols.all,
        plan.symbols.project.parameters,
    )


def known_symbols(d: "DerivedEquations") -> tuple[Known, ...]:
    """The symbols that were named so far, with their numbers."""
    return tuple(
        Known(
            d.names.p[s.index],
            s.value,
            s.dimension,
            s.meaning,
            tuple(sorted(s.sources)),
            s.prescribed,
        )
        for s in d.plan.symbols.all
        if s.index in d.names.p
    )


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
        known,
        d.notes,
        functions_of(d),
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
