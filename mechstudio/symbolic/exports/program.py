"""Equations as a short program: each sine, cosine and length once, and repeated products and sums
under names of their own.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from mechstudio.model.equations.evaluation_order import evaluation_order, inside
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


class Step(NamedTuple):
    """name = function(terms); function: "sin", "cos", "sqrt", "" for the sum itself, or "pieces":
    derivative `order` of the drawing's function `of`.
    """

    name: str
    function: str
    terms: tuple[Term, ...]
    of: str = ""
    order: int = 0


class Program(NamedTuple):
    """Program of steps in the order of computation. blocks: results of the steps, by key."""

    steps: tuple[Step, ...]
    blocks: tuple[Block, ...]


def program(equations: Equations, keys: Sequence[str], taken: Iterable[str]) -> Program:
    """The blocks of some keys with shared terms factored out. taken: names that are in use."""
    return _Hoister(equations, set(taken)).program([b for b in equations.blocks if b.key in keys])


class _Hoister:
    def __init__(self, equations: Equations, taken: set[str]) -> None:
        self._constant = {k.name.name for k in equations.known}
        self._rates = {u.velocity.name for u in equations.coordinates}
        self._equations = equations
        self._taken = taken
        self._counts: dict[str, int] = {}
        self.steps: list[Step] = []
        self._known: dict[object, Name] = {}
        self._products: Counter = Counter()
        self._groups: Counter = Counter()

    def program(self, blocks: list[Block]) -> Program:
        upper = [
            (
                b,
                [
                    [_EMPTY if b.symmetric and j < i else e for j, e in enumerate(row)]
                    for i, row in enumerate(b.rows)
                ],
            )
            for b in blocks
        ]
        entries = [e for _, rows in upper for row in rows for e in row]
        made = self._equations.intermediates_of(blocks)
        entries = [*(d.entry for d in made), *entries]
        used = {f.name for e in entries for f in names_of_terms(e.terms)}
        items = evaluation_order(self._equations, used)
        used |= {f.name for x in items for f in names_of_terms(inside(x).terms)}
        for d in self._equations.formulas_of(used):
            self.steps.append(Step(d.name.name, "", d.entry.terms))
        every = [*map(inside, items), *entries]
        for e in every:
            self._count(e.terms)
        for e in every:
            self._take_out_waves(e.terms)
        for x in items:
            terms = self._sum(inside(x).terms)
            if isinstance(x, Definition):
                self.steps.append(Step(x.name.name, "sqrt", terms))
                continue
            self.steps += [
                Step(n.name, "pieces", terms, x.names[0].name, k)
                for k, n in enumerate(x.names)
                if n.name in used
            ]
        for d in made:
            terms = self._sum(d.entry.terms)
            self.steps.append(Step(d.name.name, "", terms))
        out = []
        for block, rows in upper:
            done = [[Entry(self._sum(e.terms)) for e in row] for row in rows]
            if block.symmetric:
                done = [
                    [done[j][i] if j < i else e for j, e in enumerate(row)]
                    for i, row in enumerate(done)
                ]
            out.append(msgspec.structs.replace(block, rows=tuple(tuple(row) for row in done)))
        return Program(tuple(self.steps), tuple(out))

    def _name(self, stem: str) -> str:
        k = self._counts.get(stem, 0) + 1
        while f"{stem}{k}" in self._taken:
            k += 1
        self._counts[stem] = k
        self._taken.add(f"{stem}{k}")
        return f"{stem}{k}"

    def _new(self, key: object, stem: str, function: str, terms: tuple[Term, ...]) -> Name:
        name = Name(self._name(stem), stem)
        self.steps.append(Step(name.name, function, terms))
        self._known[key] = name
        return name

    # collection of terms

    def _count(self, terms: Sequence[Term]) -> None:
        for t in terms:
            for part in (self._coefficient(t), self._speeds(t)):
                if sum(f.power for f in part) > 1:
                    self._products[part] += 1
            for f in t.factors:
                if isinstance(f, Group):
                    self._groups[_structure(f.terms)] += 1
                    self._count(f.terms)

    def _coefficient(self, t: Term) -> tuple[Name, ...]:
        return tuple(
            sorted(
                (
                    _plain(f)
                    for f in t.factors
                    if isinstance(f, Name) and f.power > 0 and f.name in self._constant
                ),
                key=_order,
            )
        )

    def _speeds(self, t: Term) -> tuple[Name, ...]:
        return tuple(
            sorted(
                (
                    _plain(f)
                    for f in t.factors
                    if isinstance(f, Name) and f.power > 0 and f.name in self._rates
                ),
                key=_order,
            )
        )

    def _take_out_waves(self, terms: Sequence[Term]) -> None:
        for t in terms:
            for f in t.factors:
                if isinstance(f, Trig) and (f.function, _structure(f.argument)) not in self._known:
                    self._new(
                        (f.function, _structure(f.argument)),
                        f.function + "_",
                        f.function,
                        f.argument,
                    )
                elif isinstance(f, Group):
                    self._take_out_waves(f.terms)

    # substitution

    def _sum(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        return tuple(self._term(t) for t in terms)

    def _term(self, t: Term) -> Term:
        factors: list[Factor] = []
        done: set[str] = set()
        for part, stem in ((self._coefficient(t), "k_"), (self._speeds(t), "w_")):
            if self._products[part] > 1:
                factors.append(
                    self._known.get(part) or self._new(part, stem, "", (Term(1, 1, part),))
                )
                done |= {f.name for f in part}
        for f in t.factors:
            if isinstance(f, Name):
                if not (f.name in done and f.power > 0):
                    factors.append(_plain(f))
            elif isinstance(f, Trig):
                factors.append(
                    msgspec.structs.replace(
                        self._known[f.function, _structure(f.argument)], power=f.power
                    )
                )
            else:
                factors.append(self._group(f))
        return Term(t.numerator, t.denominator, tuple(factors))

    def _group(self, f: Group) -> Factor:
        key = _structure(f.terms)
        if self._groups[key] < 2:
            return Group(self._sum(f.terms), f.power)
        known = self._known.get(key) or self._new(key, "f_", "", self._sum(f.terms))
        return msgspec.structs.replace(known, power=f.power)


_EMPTY = Entry()


def _plain(f: Name) -> Name:
    """A symbol without data for typesetting."""
    return Name(f.name, "", "", 0, f.power)


def _order(f: Name) -> tuple[str, int]:
    return f.name, f.power


def _structure(terms: Sequence[Term]) -> tuple:
    """Key that is the same for equal sums, whatever their sources."""
    return tuple(
        (t.numerator, t.denominator, tuple(_factor_structure(f) for f in t.factors)) for t in terms
    )


def _factor_structure(f: Factor) -> tuple:
    if isinstance(f, Name):
        return f.name, f.power
    return (
        (f.function, _structure(f.argument), f.power)
        if isinstance(f, Trig)
        else ("", _structure(f.terms), f.power)
    )


def names_in(steps: Iterable[Step], blocks: Iterable[Block]) -> set[str]:
    """All symbols that steps and blocks read."""
    out = {n.name for s in steps for n in names_of_terms(s.terms)}
    return out | {
        n.name for b in blocks for row in b.rows for e in row for n in names_of_terms(e.terms)
    }
