"""Equations made of named intermediates: a graph of operations as short sums, and with them the
whole of the equations for code, however long their closed form is.
"""

from collections.abc import Callable, Mapping, Sequence
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
from mechstudio.symbolic.kinematics.load_efforts import Effort
from mechstudio.symbolic.kinematics.loop_rows import Row, UnwrittenRow
from mechstudio.symbolic.methods.blocks import known_symbols, row_labels
from mechstudio.symbolic.methods.energy import energy_block, named, potentials
from mechstudio.symbolic.methods.load_nodes import Parts, loads_of
from mechstudio.symbolic.methods.row_nodes import (
    SHORT,
    nodes_of,
    operations_of,
    terms_of_row,
)
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
from mechstudio.translation import Words, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

LONG = 4  # terms beyond which an intermediate is not put into another one
BY_PARTS = 300  # terms of a closed form beyond which the recursive one is read and computed first
Terms = tuple[Term, ...]


def is_long(d: "DerivedEquations") -> bool:
    """True if the closed form was not written out, or M, b, g and tau or the rows of C are longer
    than one reads and than their recursive form.
    """
    return has_long_matrices(d) or has_long_rows(d)


def has_long_matrices(d: "DerivedEquations") -> bool:
    """True if M, b and g are made of intermediates."""
    if not d.complete:
        return True
    moved = [d.matrices[key] for key in ("M", "b", "g", "tau")]
    entries = [p for matrix in moved for row in matrix for p in row if p]
    return _is_longer(entries, lambda: d.recursion.operations)


def has_long_rows(d: "DerivedEquations") -> bool:
    """True if the longer rows of C are made of intermediates."""
    if any(isinstance(row, UnwrittenRow) for row in d.rows):
        return True
    entries = [p for row in d.rows for p in (row.value, row.gamma, *row.jacobian) if p]
    return _is_longer(entries, lambda: operations_of(d.row_nodes))


def _is_longer(entries: Sequence[Poly], operations: Callable[[], int]) -> bool:
    """True if elements have more terms than one reads, and than operations; or where one of them
    is long by itself, more factors than operations.
    """
    sizes = [len(p) for p in entries]
    if sum(sizes) <= BY_PARTS:
        return False
    most = operations()
    return sum(sizes) > most or (
        max(sizes) > SHORT
        and most < sum(sum(map(bool, powers)) for p in entries for powers in p.monoms())
    )


def by_parts(d: "DerivedEquations", energy: bool = False, matrices: bool = True) -> Equations:
    """The equations of the recursive form: M, b and g of intermediates, rows of C too where they
    are long, loads beside them as they stand.  energy: with a block "U" (1, 1) of the potential
    energy.  matrices: False leaves M, b, g and tau in closed form.  Raises TooLarge for energies
    that are too long.
    """
    r = d.recursion
    by_nodes = d.row_nodes if has_long_rows(d) else [None] * len(d.rows)
    rows = [
        _Entries(d, row, nodes if terms_of_row(row) > SHORT else None)
        for row, nodes in zip(d.rows, by_nodes, strict=True)
    ]
    loads = loads_of(d, r.graph) if matrices else []
    order = needed(
        [
            *(x for _, parts in loads for x in parts.values() if isinstance(x, Node)),
            *((*(x for row in r.M for x in row), *r.b, *r.g) if matrices else ()),
            *([r.U] if energy else []),
            *(x for row in rows for x in row.nodes),
        ]
    )
    made, terms = intermediates(d, order)
    shown = d.equations
    blocks = (
        _moved(d, terms, loads)
        if matrices
        else [b for b in shown.blocks if b.key in ("M", "b", "g", "tau")]
    )
    if rows:
        words = row_labels(d), tuple((row.joint,) for row in d.rows)
        found = [row.entries(terms) for row in rows]
        blocks += [
            Block("C", "C(q)", tuple((e[0],) for e in found), *words),
            Block("C_q", "C_q(q)", tuple(tuple(e[2:]) for e in found), *words),
            Block("gamma", "gamma(q, v)", tuple((e[1],) for e in found), *words),
        ]
    if energy:
        stored = [d.presenter.entry(named(d, u)).terms for u in potentials(d)]
        total = (*terms[r.U.place], *(t for part in stored for t in part))
        blocks.append(energy_block(Entry(total)))
    entries = [e for b in blocks for row in b.rows for e in row]
    entries += [x.entry for x in (*made, *shown.definitions)] + [
        f.argument for f in shown.functions
    ]
    used = {name.name for e in entries for name in names_of_terms(e.terms)}
    known = known_symbols(d, used)
    notes = d.notes if d.complete else d.notes[1:]
    count = BY_PARTS if d.complete else d.term_limit
    kind = (matrices, any(row.nodes for row in rows))
    noted = [tr(_NOTES[kind], count=count)] if kind in _NOTES else []
    return clean(
        msgspec.structs.replace(
            shown,
            structure="closed" if d.rows else "open",
            blocks=tuple(blocks),
            intermediates=made,
            parameters=known.parameters,
            following=known.following,
            notes=(*noted, *notes),
        )
    )


# by whether M, b and g, and whether rows of C are made of intermediates
_NOTES: dict[tuple[bool, bool], Words] = {
    (True, False): (
        "The closed form has more than {count} terms: M, b and g are made of named intermediates."
    ),
    (True, True): (
        "The closed form has more than {count} terms: M, b, g and the long rows of C are made of "
        "named intermediates."
    ),
    (False, True): (
        "The rows of C have more than {count} terms in closed form: the long ones are made of "
        "named intermediates."
    ),
}


def _moved(
    d: "DerivedEquations", terms: Mapping[int, Terms], loads: Sequence[tuple[Effort, Parts]]
) -> list[Block]:
    """M, b, g and tau: of intermediates, with what each load does beside them."""
    r, n = d.recursion, d.ring.coordinate_count
    g: list[Terms] = [terms[x.place] for x in r.g]
    tau: list[Terms] = [()] * n
    for effort, parts in loads:
        side, sign = (g, -1) if effort.conservative else (tau, 1)
        for k, part in parts.items():
            found = (
                tuple(times_number(t, sign) for t in terms[part.place])
                if isinstance(part, Node)
                else d.presenter.entry(part * sign).terms
            )
            side[k] = (*side[k], *found)
    labels = tuple(c.meaning for c in d.plan.coordinates)
    sources = tuple(tuple(x for x in (c.joint, c.body) if x) for c in d.plan.coordinates)
    column = lambda entries: tuple((Entry(x),) for x in entries)
    mass = tuple(tuple(Entry(terms[x.place]) for x in row) for row in r.M)
    return [
        Block("M", "M(q)", mass, labels, sources, symmetric=True),
        Block("b", "b(q, v)", column(terms[x.place] for x in r.b), labels, sources),
        Block("g", "g(q)", column(g), labels, sources),
        Block("tau", "tau", column(tau), labels, sources),
    ]


class _Entries:
    """C, gamma and C_q of a row: of nodes where these are given and the closed form has more terms
    than an intermediate, else as they stand.
    """

    def __init__(self, d: "DerivedEquations", row: Row, by_nodes: Row | None) -> None:
        self._d, self._joint = d, row.joint
        found = nodes_of(by_nodes) if by_nodes is not None else None
        self._nodes: list[Node | None]
        if isinstance(row, UnwrittenRow):
            assert found is not None
            self._closed: list[Poly] = [d.ring.zero] * len(found)
            self._nodes = list(found)
            return
        self._closed = [row.value, row.gamma, *row.jacobian]
        self._nodes = [
            node if node is not None and len(p) > LONG else None
            for p, node in zip(self._closed, found or [None] * len(self._closed), strict=True)
        ]

    @property
    def nodes(self) -> list[Node]:
        return [node for node in self._nodes if node is not None]

    def entries(self, terms: Mapping[int, Terms]) -> list[Entry]:
        """As entries.  terms: of each node by its place."""
        entry = self._d.presenter.entry
        return [
            entry(p, (self._joint,)) if node is None else Entry(terms[node.place])
            for p, node in zip(self._closed, self._nodes)
        ]


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
            else names.lengths[i]
            if letter == "l"
            else msgspec.structs.replace(names.lengths[i], power=-1)
            if letter == "w"
            else {"q": names.q, "v": names.v, "p": names.p}[letter][i]
        )
        return (Term(1, 1, (name,), (name.source,) if name.source else ()),)
    if node.kind in (SINE, COSINE):
        return (Term(1, 1, (Trig(node.kind, d.presenter.angle(node.parts[0])),)),)
    a, b = (known[x.place] for x in (node.parts * 2)[:2])
    minus = lambda terms: tuple(times_number(t, -1) for t in terms)
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


def times_number(t: Term, number: int) -> Term:
    """A term times a whole number."""
    return Term(number * t.numerator, t.denominator, t.factors, t.sources)


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
