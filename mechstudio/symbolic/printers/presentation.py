"""From ring elements to the shortest sum of terms that a reader would write, as data of
model/equations/terms.py.

Products of sines and cosines are written as they stand or as sines and cosines of sums of angles,
whichever gives fewer terms; the terms of a spring are factored, so that k (x - x0) reads as it was
meant.  Nothing is approximated.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from math import comb, gcd

import flint
import msgspec

from mechstudio.model.equations.terms import Entry, Factor, Group, Name, Term, Trig
from mechstudio.symbolic.plan.layout import Form, plus
from mechstudio.symbolic.plan.symbols import Symbol
from mechstudio.symbolic.ring.names import Names
from mechstudio.symbolic.ring.polynomials import DERIVATIVES, Monomial, Poly, Ring

Terms = dict[Monomial, flint.fmpq]
_END = (
    1 << 30,
    0,
    # after the last generator of a product, so that of two products the longer one comes first
)
# factors of a coefficient come in this order: masses, stiffnesses, forces; then g; then lengths;
# then angles
_RANK = {"acceleration": 1, "length": 2, "angle": 3, "number": -1}
_LONGEST = 200  # terms beyond which no other form is tried
_MOST_WAVES = 5  # factors beyond which a product of sines and cosines stays one


def rank(symbol: Symbol) -> tuple[int, int]:
    """Place of a symbol among the factors of a coefficient."""
    return _RANK.get(symbol.dimension, 0), symbol.index


class Presenter:
    """Converter of ring elements to entries. body_count: number of the ring's tags that are bodies;
    the others are forces.
    """

    def __init__(self, ring: Ring, names: Names, symbols: list[Symbol], body_count: int):
        self.ring, self.names, self.body_count = ring, names, body_count
        self.rank = {s.index: rank(s) for s in symbols}
        self._moving = {
            n.name
            for n in (*names.q, *names.v, *names.lengths, *(n for f in names.functions for n in f))
        }
        self._sources = {s.index: s.sources for s in symbols}
        starts = ring.starts
        self._trig, self._rest, self._tags = starts["s"], starts["q"], starts["t"]
        # common factors of products of thousands of terms
        self._waves: dict[Monomial, dict[tuple[str, Form], flint.fmpq]] = {
            (): {("cos", ()): flint.fmpq(1)}
        }
        self._written: dict[tuple, tuple] = {}
        self._angles: dict[Form, tuple[Term, ...]] = {}

    def entry(self, p: Poly, sources: tuple[str, ...] = ()) -> Entry:
        """An element as a sum of terms.  sources: ids that every term carries besides those of its
        tags.
        """
        if not p:
            return Entry()
        groups, rest = self._forces(self.ring.terms(p))
        terms = self._best(rest, sources)
        for group in groups:
            factored = self._factored(group, sources)
            terms += [factored] if factored else self._best(group, sources)
        return Entry(tuple(terms))

    def _forces(self, terms: Terms) -> tuple[list[Terms], Terms]:
        """The parts that come from one force each, and the rest."""
        parts: dict[int, Terms] = defaultdict(dict)
        last = self._tags + self.body_count
        for product, c in terms.items():
            alone = (
                product
                and product[-1][0] >= last
                and (len(product) == 1 or product[-2][0] < self._tags)
            )
            parts[product[-1][0] if alone else -1][product] = c
        rest = parts.pop(-1, {})
        return [parts[i] for i in sorted(parts)], rest

    # sums

    def _best(self, terms: Terms, sources: tuple[str, ...]) -> list[Term]:
        """The shorter of both forms."""
        if not terms:
            return []
        plain = self._collected(
            (product, ((("", None), c),)) for product, c in self._squares(terms).items()
        )
        # each sine or cosine of a product doubles its waves
        if (
            len(terms) <= _LONGEST
            and 1
            < max(sum(k for i, k in product if self._trig <= i < self._rest) for product in terms)
            <= _MOST_WAVES
        ):
            waves = self._collected(
                (
                    product,
                    [
                        (wave, c * f)
                        for wave, f in self._wave(
                            tuple(x for x in product if self._trig <= x[0] < self._rest)
                        ).items()
                    ],
                )
                for product, c in terms.items()
            )
            if len(waves) < len(plain):
                plain = waves
        written = [
            self._term(key, coefficient, tags, sources)
            for key, (coefficient, tags) in plain.items()
        ]
        return _gathered([term for _, term in sorted(written, key=lambda pair: pair[0])])

    def _collected(self, products) -> dict:
        """{(rest, trig): (coefficient, tags)} with equal products added up over the tags.  A
        piece's trig of None stands for the product's own.
        """
        out: dict = {}
        for product, pieces in products:
            first = bisect_left(product, (self._trig,))
            middle = bisect_left(product, (self._rest,), first)
            end = bisect_left(product, (self._tags,), middle)
            rest, tags = (
                (product[:first], product[middle:end]),
                {i - self._tags for i, _ in product[end:]},
            )
            for trig, c in pieces:
                key = (rest, ("", product[first:middle]) if trig[1] is None else trig)
                old = out.get(key)
                out[key] = (c, tags) if old is None else (old[0] + c, old[1] | tags)
        return {k: v for k, v in out.items() if v[0] != 0}

    def _squares(self, terms: Terms) -> Terms:
        """c^2 -> 1 - s^2 for each angle where that leaves fewer terms."""
        if len(terms) > _LONGEST:
            return terms
        count = len(self.ring.forms)
        squared = {i for product in terms for i, k in product if k > 1}
        for c in range(self._trig + count, self._rest):
            if c not in squared:
                continue
            swapped: Terms = {}
            for product, coefficient in terms.items():
                powers = dict(product)
                half, odd = divmod(powers.pop(c, 0), 2)
                if odd:
                    powers[c] = odd
                base = powers.pop(c - count, 0)
                for j in range(half + 1):
                    key = tuple(
                        sorted((powers | {c - count: base + 2 * j} if base + j else powers).items())
                    )
                    swapped[key] = swapped.get(key, 0) + coefficient * comb(half, j) * (-1) ** j
            swapped = {k: v for k, v in swapped.items() if v}
            if len(swapped) < len(terms):
                terms = swapped
        return terms

    def _wave(self, product: Monomial) -> dict[tuple[str, Form], flint.fmpq]:
        """A product of sines and cosines as a sum of sines and cosines of sums of angles."""
        found = self._waves.get(product)
        if found is None:
            i, power = product[-1]
            before = self._wave(product[:-1] if power == 1 else (*product[:-1], (i, power - 1)))
            place, count = i - self._trig, len(self.ring.forms)
            found = self._waves[product] = self._times(
                before, self.ring.forms[place % count], "sin" if place < count else "cos"
            )
        return found

    @staticmethod
    def _times(waves, form: Form, function: str):
        """Product with sin or cos of a form, by the product-to-sum rules."""
        out: dict[tuple[str, Form], flint.fmpq] = {}
        for (kind, angle), c in waves.items():
            minus, sum_ = plus(angle, form, -1), plus(angle, form)
            if kind == "cos" and function == "cos":
                pieces = (("cos", minus, 1), ("cos", sum_, 1))
            elif kind == "cos":
                pieces = (("sin", sum_, 1), ("sin", minus, -1))
            elif function == "cos":
                pieces = (("sin", sum_, 1), ("sin", minus, 1))
            else:
                pieces = (("cos", minus, 1), ("cos", sum_, -1))
            for name, f, sign in pieces:
                if f and _leading(f) < 0:
                    f = tuple((v, -k) for v, k in f)
                    sign = -sign if name == "sin" else sign
                if name == "cos" or f:
                    out[name, f] = out.get((name, f), flint.fmpq(0)) + c * sign / 2
        return {k: v for k, v in out.items() if v != 0}

    # terms

    def _term(self, key, coefficient, tags: set[int], sources: tuple[str, ...]):
        """(sorting key, Term) of one product."""
        (lengths, rest), trig = key
        p, p_order, p_sources = self._part(self._parameters, rest)
        angles, count, negative, trig_order = self._part(self._rotated, trig)
        behind = self._part(self._behind, lengths) if lengths else ()
        found = dict.fromkeys(
            [*(self.ring.tags[i] for i in sorted(tags)), *sources, *(() if tags else p_sources)]
        )
        order = (min(tags, default=-1), count, *p_order, trig_order)
        c = -coefficient if negative else coefficient
        return order, Term(int(c.p), int(c.q), (*p, *angles, *behind), tuple(found))

    def plain(self, product: Monomial, coefficient: flint.fmpq) -> Term:
        """A product without change of form."""
        first, middle = bisect_left(product, (self._trig,)), bisect_left(product, (self._rest,))
        return self._term(
            ((product[:first], product[middle:]), ("", product[first:middle])),
            coefficient,
            set(),
            (),
        )[1]

    def _part(self, write: Callable, part) -> tuple:
        """Written form of a part of a product, cached."""
        found = self._written.get(part)
        if found is None:
            found = self._written[part] = write(part)
        return found

    def _parameters(self, rest: Monomial) -> tuple:
        """(factors, order, sources) of the powers of q, v and symbols."""
        n, start, names = self.ring.coordinate_count, self._rest, self.names
        q, v, p = (
            [(i - a, k) for i, k in rest if a <= i < b]
            for a, b in (
                (start, start + n),
                (start + n, start + 2 * n),
                (start + 2 * n, self._tags),
            )
        )
        factors = [_powered(names.p[i], k) for i, k in sorted(p, key=lambda x: self.rank[x[0]])]
        factors += [_powered(names.q[i], k) for i, k in q] + [_powered(names.v[i], k) for i, k in v]
        order = tuple((*((i, -k) for i, k in part), _END) for part in (v, p, q))
        return tuple(factors), order, tuple(s for i, _ in p for s in sorted(self._sources[i]))

    def _rotated(self, trig: tuple) -> tuple:
        """(factors, their number, whether a minus remains, order) of sines and cosines: a product
        of them, or one of a sum of angles.
        """
        function, what = trig
        count = len(self.ring.forms)
        if function:
            angles, order = [(function, what, 1)] if what else [], str(what)
        else:
            places = {i - self._trig: k for i, k in what}
            angles = [
                ("sin" if i < count else "cos", self.ring.forms[i % count], k)
                for i, k in places.items()
            ]
            order = str(tuple(places.get(i, 0) for i in range(2 * count)))
        negative, factors = False, []
        for name, form, power in sorted(angles, key=lambda a: (a[1], a[0] != "sin")):
            if _leading(form) < 0:
                form = tuple((x, -k) for x, k in form)
                negative ^= name == "sin" and power % 2 == 1
            factors.append(Trig(name, self.angle(form), power))
        return tuple(factors), len(angles), negative, order

    def _behind(self, lengths: Monomial) -> tuple:
        """Powers of spring lengths, then of opaque functions."""
        count, powers = self.ring.spring_count, dict(lengths)
        both = [(i, powers.get(i, 0) - powers.get(count + i, 0)) for i in range(count)]
        functions = [(i - 2 * count, k) for i, k in lengths if i >= 2 * count]
        return (
            *(_powered(self.names.lengths[i], k) for i, k in both if k),
            *(
                _powered(self.names.functions[i // DERIVATIVES][i % DERIVATIVES], k)
                for i, k in functions
            ),
        )

    def argument(self, i: int) -> Entry:
        """Argument of the i-th function of the drawing."""
        argument = self.ring.arguments[i]
        return (
            Entry(self.angle(self.ring.functions[i])) if argument is None else self.entry(argument)
        )

    def angle(self, form: Form) -> tuple[Term, ...]:
        """A form of angles as terms, coordinates first, and first those with plus."""
        found = self._angles.get(form)
        if found is None:
            ordered = sorted(form, key=lambda pair: (pair[0] < 0, pair[1] < 0, abs(pair[0])))
            found = self._angles[form] = tuple(
                Term(c, 1, (self.names.q[v] if v >= 0 else self.names.p[-1 - v],))
                for v, c in ordered
            )
        return found

    def _moves(self, t: Term) -> bool:
        return any(
            isinstance(f, Trig) or (isinstance(f, Name) and f.name in self._moving)
            for f in t.factors
        )

    def _factored(self, sum_: Terms, sources: tuple[str, ...]) -> Term | None:
        """A sum as one product, if that is shorter."""
        constant, factors = self.ring.element(sum_).factor()
        expanded = self._best(sum_, sources)
        pieces: list[Factor] = []
        sign_free = flint.fmpq(constant)
        for factor, power in sorted(factors, key=lambda f: len(f[0])):
            terms = self._best(self.ring.terms(factor), ())
            if len(terms) == 1:
                sign_free = sign_free * flint.fmpq(terms[0].numerator, terms[0].denominator) ** int(
                    power
                )
                pieces += [_raised(f, int(power)) for f in terms[0].factors]
            else:
                # moving quantities come first and with plus: x - x0
                terms = sorted(terms, key=lambda t: not self._moves(t))
                if terms[0].numerator < 0:
                    terms = [Term(-t.numerator, t.denominator, t.factors, t.sources) for t in terms]
                    sign_free = sign_free * (-1) ** int(power)
                pieces.append(Group(tuple(terms), int(power)))
        merged = _merged(pieces)
        if not any(isinstance(f, Group) for f in merged) or _length(merged) >= sum(
            _length(t.factors) for t in expanded
        ):
            return None
        marks = {i - self._tags for product in sum_ for i, _ in product}
        tags = [t for i, t in enumerate(self.ring.tags) if i in marks]
        merged.sort(
            key=lambda f: (
                isinstance(f, Trig) + 2 * isinstance(f, Group)
                if not (isinstance(f, Name) and f.power < 0)
                else 3
            )
        )
        return Term(
            int(sign_free.p),
            int(sign_free.q),
            tuple(merged),
            tuple(dict.fromkeys([*tags, *sources])),
        )


def _is_coefficient(f: Factor) -> bool:
    return isinstance(f, Name) and f.dots == 0 and f.power > 0


def _gathered(terms: list[Term]) -> list[Term]:
    """Terms with one and the same product of rates, sines and lengths share it: (m c^2 + J)
    sin(theta) in place of two terms.
    """
    groups: dict[tuple[Factor, ...], list[Term]] = {}
    for t in terms:
        groups.setdefault(tuple(f for f in t.factors if not _is_coefficient(f)), []).append(t)
    out = []
    for shared, members in groups.items():
        if len(members) == 1 or not any(
            isinstance(f, Trig) or f.dots for f in shared if not isinstance(f, Group)
        ):
            out += members
            continue
        number, denominator = (
            gcd(*(t.numerator for t in members)),
            gcd(*(t.denominator for t in members)),
        )
        number = -number if members[0].numerator < 0 else number
        powers = [
            {_with_power(f, 1): f.power for f in t.factors if _is_coefficient(f)} for t in members
        ]
        common = {
            f: min(p.get(f, 0) for p in powers) for f in powers[0] if all(f in p for p in powers)
        }
        inside = [
            Term(
                t.numerator // number,
                t.denominator // denominator,
                tuple(
                    _with_power(f, k - common.get(f, 0))
                    for f, k in p.items()
                    if k > common.get(f, 0)
                ),
                t.sources,
            )
            for t, p in zip(members, powers)
        ]
        front = [_with_power(f, k) for f, k in common.items()]
        out.append(
            Term(
                number,
                denominator,
                (*front, Group(tuple(inside)), *shared),
                tuple(dict.fromkeys(x for t in members for x in t.sources)),
            )
        )
    return out


def _length(factors: Sequence[Factor]) -> int:
    """Number of symbols with which a product is written."""
    return sum(
        sum(_length(t.factors) for t in f.terms) if isinstance(f, Group) else 1 for f in factors
    )


def _leading(form: Form) -> int:
    """The coefficient that decides the sign: that of the last coordinate, so that a link's own
    angle comes with plus.
    """
    return max(form, key=lambda pair: (pair[0] >= 0, abs(pair[0])))[1] if form else 1


def _powered(name: Name, power: int) -> Name:
    return Name(name.name, name.letter, name.subscript, name.dots, power, name.source, name.primes)


def _raised(factor: Factor, power: int) -> Factor:
    if power == 1:
        return factor
    if isinstance(factor, Name):
        return _powered(factor, factor.power * power)
    return msgspec.structs.replace(factor, power=factor.power * power)


def _merged(factors: list[Factor]) -> list[Factor]:
    """Equal bases multiplied together."""
    out: dict = {}
    for f in factors:
        base = _raised_to_one(f)
        out[base] = out.get(base, 0) + f.power
    return [_with_power(base, power) for base, power in out.items() if power]


def _raised_to_one(f: Factor) -> Factor:
    return _with_power(f, 1)


def _with_power(f: Factor, power: int) -> Factor:
    if isinstance(f, Name):
        return _powered(f, power)
    if isinstance(f, Trig):
        return Trig(f.function, f.argument, power)
    return Group(f.terms, power)
