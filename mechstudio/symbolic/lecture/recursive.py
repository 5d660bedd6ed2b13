"""The chapter of the recursive form: intermediates by name, M and h = b + g made of them, and the
equations of motion in these.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from mechstudio.model.equations.lecture import CHAPTER_TITLES, RECURSIVE, Chapter, Equality, Step
from mechstudio.model.equations.terms import Entry, Factor, Group, Name, Term, Trig, times
from mechstudio.symbolic.lecture.methods import part_of
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.recursive import Recursive, recursive
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
)
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

LONG = 4  # terms beyond which an intermediate is not put into another one


def recursive_chapter(d: "DerivedEquations") -> Chapter:
    """Named intermediates, then M and b + g made of them."""
    r, w = recursive(d), d.writer
    order, uses = r.order, {}
    for node in order:
        for x in node.parts:
            if isinstance(x, Node):
                uses[x.place] = uses.get(x.place, 0) + 1
    terms: dict[int, tuple[Term, ...]] = {}
    lines, count = [], 0
    for node in order:
        found = _terms(d, node, terms)
        compound = node.kind in (SUM, DIFFERENCE, PRODUCT)
        if (
            compound
            and len(found) * max((len(t.factors) for t in found), default=0) > 1
            and (uses.get(node.place, 0) > 1 or len(found) > LONG)
        ):
            count += 1
            name = w.name("z", str(count))
            lines.append(Equality(Entry((Term(1, 1, (name,)),)), Entry(found), ""))
            found = (Term(1, 1, (name,)),)
        terms[node.place] = found
    labels = [c.meaning for c in d.plan.coordinates]
    n = len(labels)
    mass = tuple(
        Equality(w.symbol("M", f"{i + 1} {j + 1}"), Entry(terms[r.M[i][j].place]), "")
        for i in range(n)
        for j in range(i, n)
        if r.M[i][j]
    )
    bias = tuple(
        Equality(w.symbol("h", str(i + 1)), Entry(terms[r.h[i].place]), labels[i])
        for i in range(n)
        if r.h[i]
    )
    words = (
        tr("{operations} operations give M and h = b + g", operations=r.operations)
        + (
            "."
            if d.complete
            else tr("; in closed form these would be sums of products without end.")
        ),
        tr(
            "From the ground outwards velocities and accelerations, from the outermost body "
            "inwards forces and composite inertias."
        ),
    )
    steps = (
        Step("intermediates", "assembly", "Intermediates", words, equations=tuple(lines)),
        Step(
            "mass",
            "assembly",
            tr("Mass matrix"),
            (tr("Its upper triangle; it is symmetric."),),
            equations=mass,
        ),
        Step(
            "bias",
            "result",
            tr("Velocity terms and weights"),
            (tr("h = b + g, with the weights in g; springs and other loads stand by themselves."),),
            equations=bias,
        ),
        Step(
            "rows",
            "result",
            tr("Equations of motion"),
            (tr("One for each coordinate, in the entries above."),),
            equations=tuple(_rows(d, r, terms)),
        ),
    )
    return Chapter(RECURSIVE, CHAPTER_TITLES[RECURSIVE], steps)


def _rows(
    d: "DerivedEquations", r: Recursive, terms: dict[int, tuple[Term, ...]]
) -> Iterator[Equality]:
    """M a + h = what loads and rows of C do, coordinate by coordinate: an entry of one term as it
    stands, others by their names.
    """
    w, ring, n = d.writer, d.ring, d.ring.coordinate_count
    if d.complete:
        result = d.by(d.method)
        loads = [
            [
                ring.reduce(part_of(d, result.tau[i], id) - part_of(d, result.g[i], id))
                for id in d.plan.mechanism.forces
            ]
            for i in range(n)
        ]
    else:
        # each load by itself is short, where all that M and b are made of is not
        found = [
            (Projected(d.setting, d.term_limit, d.report).generalised(e)) for e in d.setting.efforts
        ]
        loads = [[parts[i] for parts in found if i in parts] for i in range(n)]

    def short(node: Node, letter: str, at: str) -> Entry:
        return Entry(terms[node.place]) if len(terms[node.place]) < 2 else w.symbol(letter, at)

    for i, c in enumerate(d.plan.coordinates):
        left: list[Term] = []
        for j in range(n):
            a, b = min(i, j), max(i, j)
            left += times(short(r.M[a][b], "M", f"{a + 1} {b + 1}"), d.names.a[j])
        left += short(r.h[i], "h", str(i + 1)).terms
        right: list[tuple[Poly, Name | None]] = []
        right += [(part, None) for part in loads[i]]
        right += [(row.jacobian[i], name) for row, name in zip(d.rows, d.names.multipliers)]
        yield from w.written(
            [(Entry(tuple(left)), right, c.meaning, tuple(x for x in (c.joint, c.body) if x))]
        )


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
    factors = sorted((msgspec.structs.replace(f, power=k) for f, k in powers.items()), key=_rank)
    return (
        Term(
            numerator,
            denominator,
            tuple(factors),
            tuple(dict.fromkeys(s for t in (*a, *b) for s in t.sources)),
        ),
    )


def _rank(f: Factor) -> int:
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
