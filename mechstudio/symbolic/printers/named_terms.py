"""Long elements as short lines: what several of them hold in common gets a name (zeta_1, zeta_2,
…), the rest is put in brackets.  Nothing is approximated.

An element is split by one generator after another, rates, angles and symbols in the order that
writes least; factors of a part come out of it, with its sign, so that equal parts are found
although they stand in other products (Horner's scheme with shared parts).  In chains this finds the
vectors of which the element was made, because turning a vector about an axis is what a split by the
sine and the cosine of one angle undoes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd, lcm

import flint

from mechstudio.model.equations.terms import Entry, Factor, Group, Name, Term, Trig
from mechstudio.symbolic.printers.presentation import Presenter
from mechstudio.symbolic.ring.polynomials import Monomial, Poly, Ring

INLINE = 3  # products of a part that is used once and stays in brackets
Terms = dict[Monomial, int]
Key = frozenset


@dataclass(frozen=True)
class Product:
    """coefficient times powers of generators times a part, or none."""

    coefficient: int
    factors: Monomial
    part: Key | None


class Parts:
    """Elements split in one order of generators.  place: per generator its group.  nodes: per part
    its products, parts of parts before it.  sums: per element its products.
    """

    def __init__(self, elements: Sequence[Terms], place: Sequence[int]):
        self.place = place
        self.nodes: dict[Key, tuple[Product, ...]] = {}
        # a product's generators in the order of splitting: what is split off is always its
        # beginning
        self.sums = [
            self._split(
                {
                    tuple(sorted(product, key=lambda f: (place[f[0]], f[0]))): c
                    for product, c in terms.items()
                }
            )
            for terms in elements
        ]

    @property
    def size(self) -> int:
        """Factors that are written."""
        return sum(
            1 + len(p.factors) + (p.part is not None)
            for products in (*self.nodes.values(), *self.sums)
            for p in products
        )

    def uses(self) -> dict[Key, int]:
        out: dict[Key, int] = {}
        for products in (*self.nodes.values(), *self.sums):
            for p in products:
                if p.part is not None:
                    out[p.part] = out.get(p.part, 0) + 1
        return out

    def _split(self, terms: Terms) -> tuple[Product, ...]:
        """A sum by the powers of the first of its groups of generators."""
        place = self.place
        first = min((place[product[0][0]] for product in terms if product), default=-1)
        found: dict[Monomial, Terms] = {}
        for product, c in terms.items():
            k = 0
            while k < len(product) and place[product[k][0]] == first:
                k += 1
            found.setdefault(product[:k], {})[product[k:]] = c
        out: list[Product] = []
        for own, rest in found.items():
            if not own and len(found) > 1 and len(rest) > 1:
                out += self._split(rest)  # what is without the generator goes on beside it
            else:
                out.append(self._product(own, rest))
        return tuple(out)

    def _product(self, factors: Monomial, terms: Terms) -> Product:
        """Factors times a sum, whose own common factors come out."""
        if len(terms) == 1:
            ((product, c),) = terms.items()
            return Product(c, (*factors, *product), None)
        common = dict(min(terms, key=len))
        for product in terms:
            if not common:
                break
            powers = dict(product)
            common = {i: min(e, powers[i]) for i, e in common.items() if i in powers}
        number = gcd(*terms.values())
        if terms[min(terms)] < 0:
            number = -number
        if common:
            terms = {
                tuple((i, e - common.get(i, 0)) for i, e in product if e > common.get(i, 0)): c
                for product, c in terms.items()
            }
        rest = {product: c // number for product, c in terms.items()} if number != 1 else terms
        return Product(number, (*factors, *common.items()), self._part(rest))

    def _part(self, terms: Terms) -> Key:
        key = frozenset(terms.items())
        if key not in self.nodes:
            products = self._split(terms)
            self.nodes[key] = products
        return key


def whole(ring: Ring, p: Poly) -> tuple[Terms, int]:
    """(terms with whole coefficients and without the marks of where they come from, what they are
    over).
    """
    found, last = ring.terms(p) if p else {}, ring.starts["t"]
    over = lcm(*(int(c.q) for c in found.values()))
    out: Terms = {}
    for product, c in found.items():
        product = tuple(f for f in product if f[0] < last)
        out[product] = out.get(product, 0) + int(c.p) * (over // int(c.q))
    return {product: c for product, c in out.items() if c}, over


def orders(ring: Ring) -> Iterator[list[int]]:
    """Groups of generators in the orders that are tried: the sine and the cosine of an angle are
    one group, all rates another.
    """
    start = ring.starts
    count = start["c"] - start["s"]
    kinds = {"angle": range(start["s"], start["q"]), "rate": range(start["v"], start["p"])}
    for order in (
        ("rate", "angle", "other"),
        ("angle", "rate", "other"),
        ("other", "angle", "rate"),
    ):
        places = []
        for i in range(len(ring.names)):
            kind = next((k for k, members in kinds.items() if i in members), "other")
            within = (i - start["s"]) % count if kind == "angle" else 0 if kind == "rate" else i
            places.append(order.index(kind) * len(ring.names) + within)
        yield places


class Sharing:
    """Writes elements as short entries.  name: makes the name of the k-th shared part; the same
    line has the same name in all that is written.
    """

    def __init__(self, ring: Ring, presenter: Presenter, name: Callable[[int], Name]):
        self.ring, self.presenter, self._name = ring, presenter, name
        self._known: dict[tuple[Term, ...], Name] = {}
        self._orders = list(orders(ring))

    def written(
        self, elements: Sequence[Poly]
    ) -> list[tuple[tuple[tuple[Name, Entry], ...], Entry]]:
        """Per element the lines of the parts that it is the first to need, with their names, and
        its entry.
        """
        read = [whole(self.ring, p) for p in elements]
        parts = min(
            (Parts([terms for terms, _ in read], place) for place in self._orders),
            key=lambda p: p.size,
        )
        uses = parts.uses()
        known: dict[Key, tuple[Term, ...]] = {}
        lines: list[tuple[Name, Entry]] = []
        defined: set[Name] = set()

        def named(found: tuple[Term, ...]) -> tuple[Term, ...]:
            if found not in self._known:
                self._known[found] = self._name(len(self._known) + 1)
            name = self._known[found]
            # an element that occurs twice may be a part of another as well
            if name not in defined:
                defined.add(name)
                lines.append((name, Entry(found)))
            return (Term(1, 1, (name,), _sources(found)),)

        def part(key: Key) -> tuple[Term, ...]:
            """Terms that stand for a part: its name, or its sum if that is short and used once."""
            if key not in known:
                found = self._sum(parts.nodes[key], part)
                short = (
                    uses[key] == 1
                    and len(found) <= INLINE
                    and not any(isinstance(f, Group) for t in found for f in t.factors)
                )
                known[key] = found if short else named(found)
            return known[key]

        # an element that occurs more than once is a part as well
        keys = [(frozenset(terms.items()), over) for terms, over in read]
        entries: dict[tuple[Key, int], Entry] = {}
        out = []
        for products, key in zip(parts.sums, keys):
            if key not in entries:
                found = self._sum(products, part, key[1])
                entries[key] = Entry(
                    named(found) if keys.count(key) > 1 and len(found) > 1 else found
                )
            out.append((tuple(lines), entries[key]))
            lines.clear()
        return out

    def _sum(
        self, products: Sequence[Product], part: Callable[[Key], tuple[Term, ...]], over: int = 1
    ) -> tuple[Term, ...]:
        out = []
        for p in products:
            term = self.presenter.plain(tuple(sorted(p.factors)), flint.fmpq(p.coefficient, over))
            if p.part is not None:
                inner = part(p.part)
                own: Factor = inner[0].factors[0] if len(inner) == 1 else Group(inner)
                term = Term(
                    term.numerator,
                    term.denominator,
                    tuple(sorted((*term.factors, own), key=_rank)),
                    _sources((term, *inner)),
                )
            out.append(term)
        return tuple(out)


def _sources(terms: Sequence[Term]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(s for t in terms for s in t.sources))


def _rank(f: Factor) -> int:
    """Rank of a factor in a product: what does not move first, then rates, sines and cosines, and
    sums.
    """
    return 3 if isinstance(f, Group) else 2 if isinstance(f, Trig) else 1 if f.dots else 0


__all__ = ["Sharing"]
