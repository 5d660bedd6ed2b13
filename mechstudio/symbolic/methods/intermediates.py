"""Equations made of named intermediates: a graph of operations as short sums, and with them the
whole of the equations for code, however long their closed form is.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from mechstudio.model.equations.terms import (
    Block,
    Definition,
    Entry,
    Equations,
    Factor,
    Group,
    Name,
    Term,
    Trig,
    names_of_terms,
)
from mechstudio.symbolic.methods.blocks import known_symbols, matrix_block
from mechstudio.symbolic.methods.energy import energy_block, named, potentials
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.recursive import recursive
from mechstudio.symbolic.printers.printable import clean
from mechstudio.symbolic.ring.expression_graph import (
    CONSTANT,
    COSINE,
    DIFFERENCE,
    MINUS,
    PRODUCT,
    SINE,
    SUM,
    SYMBOL,
    Node,
    needed,
)
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

LONG = 4  # terms beyond which an intermediate is not put into another one
BY_PARTS = 300  # terms of a closed form beyond which the recursive one is read and computed first
Terms = tuple[Term, ...]


def is_long(d: "DerivedEquations") -> bool:
    """True if the closed form was not written out, or has more terms than the recursive one has
    operations and than one reads.
    """
    if not d.complete:
        return True
    count = terms_of(d)
    return count > BY_PARTS and count > recursive(d).operations


def terms_of(d: "DerivedEquations") -> int:
    """Terms of the closed form."""
    return sum(len(p) for matrix in d.matrices.values() for row in matrix for p in row)


def by_parts(d: "DerivedEquations", energy: bool = False) -> Equations:
    """The equations of the recursive form: M, b and g of intermediates, loads and rows of C beside
    them as they stand.  energy: with a block "U" (1, 1) of the potential energy.  Raises TooLarge
    for loads that are too long.
    """
    r, n = recursive(d), d.ring.coordinate_count
    order = needed([*(x for row in r.M for x in row), *r.b, *r.g, *([r.U] if energy else [])])
    made, terms = intermediates(d, order)
    g: list[Terms] = [terms[x.place] for x in r.g]
    tau: list[Terms] = [()] * n
    with d.ring.bounded(d.term_limit):
        method = Projected(d.setting, d.term_limit, d.report)
        for effort in d.setting.efforts:
            side, sign = (g, -1) if effort.conservative else (tau, 1)
            for k, part in method.generalised(effort).items():
                side[k] = (*side[k], *d.presenter.entry(part * sign).terms)
    labels = tuple(c.meaning for c in d.plan.coordinates)
    sources = tuple(tuple(x for x in (c.joint, c.body) if x) for c in d.plan.coordinates)
    column = lambda entries: tuple((Entry(x),) for x in entries)
    mass = tuple(tuple(Entry(terms[x.place]) for x in row) for row in r.M)
    blocks = [
        Block("M", "M(q)", mass, labels, sources, symmetric=True),
        Block("b", "b(q, v)", column(terms[x.place] for x in r.b), labels, sources),
        Block("g", "g(q)", column(g), labels, sources),
        Block("tau", "tau", column(tau), labels, sources),
    ]
    rows: dict[str, Sequence[Sequence[Poly]]] = (
        {
            "C": [[row.value] for row in d.rows],
            "C_q": [row.jacobian for row in d.rows],
            "gamma": [[row.gamma] for row in d.rows],
        }
        if d.rows
        else {}
    )
    blocks += [matrix_block(d, key, matrix) for key, matrix in rows.items()]
    if energy:
        stored = [d.presenter.entry(named(d, u)).terms for u in potentials(d)]
        total = (*terms[r.U.place], *(t for part in stored for t in part))
        blocks.append(energy_block(Entry(total)))
    shown = d.equations
    entries = [e for b in blocks for row in b.rows for e in row]
    entries += [x.entry for x in (*made, *shown.definitions)] + [
        f.argument for f in shown.functions
    ]
    used = {name.name for e in entries for name in names_of_terms(e.terms)}
    notes = d.notes if d.complete else d.notes[1:]
    count = BY_PARTS if d.complete else d.term_limit
    note = tr(
        "The closed form has more than {count} terms: M, b and g are made of named intermediates.",
        count=count,
    )
    return clean(
        msgspec.structs.replace(
            shown,
            structure="closed" if d.rows else "open",
            blocks=tuple(blocks),
            intermediates=made,
            parameters=tuple(k for k in known_symbols(d) if k.name.name in used),
            notes=(note, *notes),
        )
    )


def intermediates(
    d: "DerivedEquations", order: Sequence[Node]
) -> tuple[tuple[Definition, ...], dict[int, Terms]]:
    """Names for what is long or used more than once among nodes in an order in which they can be
    computed, and the terms of each node by its place.
    """
    uses: dict[int, int] = {}
    for node in order:
        for x in node.parts:
            if isinstance(x, Node):
                uses[x.place] = uses.get(x.place, 0) + 1
    terms: dict[int, Terms] = {}
    made: list[Definition] = []
    for node in order:
        found = _terms(d, node, terms)
        compound = node.kind in (SUM, DIFFERENCE, PRODUCT)
        if (
            compound
            and len(found) * max((len(t.factors) for t in found), default=0) > 1
            and (uses.get(node.place, 0) > 1 or len(found) > LONG)
        ):
            name = d.writer.name("z", str(len(made) + 1))
            made.append(Definition(name, Entry(found)))
            found = (Term(1, 1, (name,)),)
        terms[node.place] = found
    return tuple(made), terms


def _terms(
    d: "DerivedEquations", node: Node, known: dict[int, tuple[Term, ...]]
) -> tuple[Term, ...]:
    """A node as terms, its parts being known."""
    names = d.names
    if node.kind == CONSTANT:
        return (
            (Term(node.parts[0].numerator, node.parts[0].denominator, ()),) if node.parts[0] else ()
        )
    if node.kind == SYMBOL:
        letter, i, *order = node.parts
        name: Name = (
            names.functions[i][order[0]]
            if letter == "f"
            else {"q": names.q, "v": names.v, "p": names.p}[letter][i]
        )
        return (Term(1, 1, (name,), (name.source,) if name.source else ()),)
    if node.kind in (SINE, COSINE):
        return (Term(1, 1, (Trig(node.kind, d.presenter.angle(node.parts[0])),)),)
    a, b = (known[x.place] for x in (node.parts * 2)[:2])
    minus = lambda terms: tuple(
        Term(-t.numerator, t.denominator, t.factors, t.sources) for t in terms
    )
    if node.kind == MINUS:
        return minus(a)
    if node.kind in (SUM, DIFFERENCE):
        return _collected((*a, *(b if node.kind == SUM else minus(b))))
    if not a or not b:
        return ()
    numerator = denominator = 1
    powers: dict[Factor, int] = {}
    for side in (a, b):
        if len(side) == 1:
            numerator, denominator = (
                numerator * side[0].numerator,
                denominator * side[0].denominator,
            )
        for f in side[0].factors if len(side) == 1 else (Group(side),):
            one = msgspec.structs.replace(f, power=1)
            powers[one] = powers.get(one, 0) + f.power
    factors = sorted((msgspec.structs.replace(f, power=k) for f, k in powers.items()), key=rank)
    return (
        Term(
            numerator,
            denominator,
            tuple(factors),
            tuple(dict.fromkeys(s for t in (*a, *b) for s in t.sources)),
        ),
    )


def rank(f: Factor) -> int:
    """Rank of a factor in a product: what does not move first, then intermediates, rates, sines and
    sums.
    """
    return (
        4
        if isinstance(f, Group)
        else 3
        if isinstance(f, Trig)
        else 2
        if f.dots
        else 1
        if f.letter == "z" and f.subscript.isdecimal()
        else 0
    )


def _collected(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Equal products added up."""
    out: dict[frozenset[Factor], Term] = {}
    for t in terms:
        key = frozenset(t.factors)
        old = out.get(key)
        if old is None:
            out[key] = t
            continue
        sum_ = Fraction(old.numerator, old.denominator) + Fraction(t.numerator, t.denominator)
        out[key] = Term(
            sum_.numerator,
            sum_.denominator,
            old.factors,
            tuple(dict.fromkeys((*old.sources, *t.sources))),
        )
    return tuple(t for t in out.values() if t.numerator)
