"""From ring elements to the shortest sum of terms that a reader would write, as data of model/terms.py.

Products of sines and cosines are written as they stand or as sines and cosines of sums of angles, whichever gives fewer terms;
the terms of a spring are factored, so that k (x - x0) reads as it was meant.  Nothing is approximated.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import comb, gcd

import flint

from mechstudio.model.terms import Entry, Factor, Group, Name, Term, Trig

from .layout import Form, plus
from .naming import Names
from .ring import DERIVATIVES, Poly, Ring
from .symbols import Symbol

Exponents = tuple[int, ...]
# what a coefficient is made of comes in this order: masses, stiffnesses, forces; then g; then lengths; then angles
_RANK = {"acceleration": 1, "length": 2, "angle": 3, "number": -1}
_LONGEST = 200           # terms beyond which no other form is tried
_MOST_WAVES = 5          # factors beyond which a product of sines and cosines stays one


class Presenter:
    """Turns ring elements into entries.  body_count: how many of the ring's tags are bodies; the others are forces."""

    def __init__(self, ring: Ring, names: Names, symbols: list[Symbol], body_count: int):
        self.ring, self.names, self.body_count = ring, names, body_count
        self.rank = {s.index: (_RANK.get(s.dimension, 0), s.index) for s in symbols}
        self._moving = {n.name for n in (*names.q, *names.v, *names.lengths, *(n for f in names.functions for n in f))}
        self._sources = {s.index: s.sources for s in symbols}
        starts = ring.starts
        self._trig = slice(starts["s"], starts["q"])
        self._tags = slice(starts["t"], starts["t"] + len(ring.tags))
        self._waves: dict[Exponents, dict[tuple[str, Form], flint.fmpq]] = {}

    def entry(self, p: Poly, sources: tuple[str, ...] = ()) -> Entry:
        """An element as a sum of terms.  sources: ids that every term carries besides those of its tags."""
        if not p:
            return Entry()
        groups, rest = self._forces(p)
        terms = self._best(rest, sources)
        for group in groups:
            factored = self._factored(group, sources)
            terms += [factored] if factored else self._best(group, sources)
        return Entry(tuple(terms))

    def _forces(self, p: Poly) -> tuple[list[Poly], Poly]:
        """The parts that come from one force each, and the rest."""
        ring = self.ring
        parts: dict[int, dict] = defaultdict(dict)
        for exponents, c in p.to_dict().items():
            marks = [i for i, e in enumerate(exponents[self._tags]) if e]
            parts[marks[0] if len(marks) == 1 and marks[0] >= self.body_count else -1][exponents] = c
        rest = ring.context.from_dict(parts.pop(-1, {}))
        return [ring.context.from_dict(parts[i]) for i in sorted(parts)], rest

    # sums

    def _best(self, p: Poly, sources: tuple[str, ...]) -> list[Term]:
        """The shorter of both forms."""
        if not p:
            return []
        plain = self._collected((exponents, ((("", exponents[self._trig]), c),)) for exponents, c in self._squares(p).to_dict().items())
        # each sine or cosine of a product doubles its waves
        if len(p) <= _LONGEST and 1 < max(sum(map(int, e[self._trig])) for e in p.monoms()) <= _MOST_WAVES:
            waves = self._collected((exponents, tuple((wave, c * f) for wave, f in self._wave(exponents[self._trig]).items()))
                                    for exponents, c in p.to_dict().items())
            if len(waves) < len(plain):
                plain = waves
        terms = [self._term(key, coefficient, tags, sources) for key, (coefficient, tags) in plain.items()]
        return _gathered([term for _, term in sorted(terms, key=lambda pair: pair[0])])

    def _collected(self, products) -> dict:
        """{(rest, trig): (coefficient, tags)} with equal products added up over the tags."""
        out: dict = {}
        start, stop = self._trig.start, self._trig.stop
        tag_start = self._tags.start
        for exponents, pieces in products:
            rest = (tuple(map(int, exponents[:start])), tuple(map(int, exponents[stop:tag_start])))
            tags = {i for i, e in enumerate(exponents[self._tags]) if e}
            for trig, c in pieces:
                key = (rest, trig if trig[0] else ("", tuple(map(int, trig[1]))))
                old = out.get(key)
                total = c if old is None else old[0] + c
                out[key] = (total, tags if old is None else old[1] | tags)
        return {k: v for k, v in out.items() if v[0] != 0}

    def _squares(self, p: Poly) -> Poly:
        """c^2 -> 1 - s^2 for each angle where that leaves fewer terms."""
        ring = self.ring
        if len(p) > _LONGEST:
            return p
        degrees = p.degrees()
        for a in range(len(ring.forms)):
            s, c = ring.starts["s"] + a, ring.starts["c"] + a
            if degrees[c] < 2:
                continue
            swapped: dict[Exponents, flint.fmpq] = {}
            for exponents, coefficient in p.to_dict().items():
                half, odd = divmod(int(exponents[c]), 2)
                for j in range(half + 1):
                    key = list(exponents)
                    key[c], key[s] = odd, key[s] + 2 * j
                    swapped[tuple(key)] = swapped.get(tuple(key), 0) + coefficient * comb(half, j) * (-1) ** j
            candidate = ring.context.from_dict({k: v for k, v in swapped.items() if v})
            if len(candidate) < len(p):
                p = candidate
        return p

    def _wave(self, exponents: Exponents) -> dict[tuple[str, Form], flint.fmpq]:
        """A product of sines and cosines as a sum of sines and cosines of sums of angles."""
        if exponents in self._waves:
            return self._waves[exponents]
        waves: dict[tuple[str, Form], flint.fmpq] = {("cos", ()): flint.fmpq(1)}
        count = len(self.ring.forms)
        for i, power in enumerate(exponents):
            for _ in range(int(power)):
                waves = self._times(waves, self.ring.forms[i % count], "sin" if i < count else "cos")
        self._waves[exponents] = waves
        return waves

    @staticmethod
    def _times(waves, form: Form, function: str):
        """Multiplied by sin or cos of a form: the product-to-sum rules."""
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
        (lengths, rest), (function, trig) = key
        ring = self.ring
        n = ring.coordinate_count
        q, v, p = rest[:n], rest[n:2 * n], rest[2 * n:]
        factors: list[Factor] = [_powered(self.names.p[i], p[i]) for i in sorted((i for i, e in enumerate(p) if e), key=lambda i: self.rank[i])]
        factors += [_powered(self.names.q[k], e) for k, e in enumerate(q) if e]
        factors += [_powered(self.names.v[k], e) for k, e in enumerate(v) if e]
        if function:
            angles = [(function, trig, 1)] if trig else []
        else:
            count = len(ring.forms)
            angles = [("sin" if i < count else "cos", ring.forms[i % count], e) for i, e in enumerate(trig) if e]
        for name, form, power in sorted(angles, key=lambda a: (a[1], a[0] != "sin")):
            form, sign = (form, 1) if _leading(form) > 0 else (tuple((x, -k) for x, k in form), -1 if name == "sin" else 1)
            coefficient = coefficient * sign ** power
            factors.append(Trig(name, self.angle(form), power))
        for i in range(ring.spring_count):
            power = lengths[i] - lengths[ring.spring_count + i]
            if power:
                factors.append(_powered(self.names.lengths[i], power))
        for i, power in enumerate(lengths[2 * ring.spring_count:]):
            if power:
                factors.append(_powered(self.names.functions[i // DERIVATIVES][i % DERIVATIVES], power))
        found = dict.fromkeys([*(ring.tags[i] for i in sorted(tags)), *sources])
        if not tags:
            found |= dict.fromkeys(s for i, e in enumerate(p) if e for s in sorted(self._sources[i]))
        order = (min(tags, default=-1), len(angles), tuple(-e for e in v), tuple(-e for e in p), tuple(-e for e in q), str(trig))
        c = flint.fmpq(coefficient)
        return order, Term(int(c.p), int(c.q), tuple(factors), tuple(found))

    def argument(self, i: int) -> Entry:
        """What the i-th function of the drawing is taken of."""
        argument = self.ring.arguments[i]
        return Entry(self.angle(self.ring.functions[i])) if argument is None else self.entry(argument)

    def angle(self, form: Form) -> tuple[Term, ...]:
        """A form of angles as terms, coordinates first, and first those with plus."""
        ordered = sorted(form, key=lambda pair: (pair[0] < 0, pair[1] < 0, abs(pair[0])))
        return tuple(Term(c, 1, (self.names.q[v] if v >= 0 else self.names.p[-1 - v],)) for v, c in ordered)

    def _moves(self, t: Term) -> bool:
        return any(isinstance(f, Trig) or (isinstance(f, Name) and f.name in self._moving) for f in t.factors)

    def _factored(self, p: Poly, sources: tuple[str, ...]) -> Term | None:
        """A sum as one product, if that is shorter."""
        constant, factors = p.factor()
        expanded = self._best(p, sources)
        pieces: list[Factor] = []
        sign_free = flint.fmpq(constant)
        for factor, power in sorted(factors, key=lambda f: len(f[0])):
            terms = self._best(factor, ())
            if len(terms) == 1:
                sign_free = sign_free * flint.fmpq(terms[0].numerator, terms[0].denominator) ** int(power)
                pieces += [_raised(f, int(power)) for f in terms[0].factors]
            else:
                # what moves comes first and with plus: x - x0
                terms = sorted(terms, key=lambda t: not self._moves(t))
                if terms[0].numerator < 0:
                    terms = [Term(-t.numerator, t.denominator, t.factors, t.sources) for t in terms]
                    sign_free = sign_free * (-1) ** int(power)
                pieces.append(Group(tuple(terms), int(power)))
        merged = _merged(pieces)
        if not any(isinstance(f, Group) for f in merged) or _length(merged) >= sum(_length(t.factors) for t in expanded):
            return None
        tags = [t for i, t in enumerate(self.ring.tags) if any(e[self._tags][i] for e in p.monoms())]
        merged.sort(key=lambda f: isinstance(f, Trig) + 2 * isinstance(f, Group) if not (isinstance(f, Name) and f.power < 0) else 3)
        return Term(int(sign_free.p), int(sign_free.q), tuple(merged), tuple(dict.fromkeys([*tags, *sources])))


def _is_coefficient(f: Factor) -> bool:
    return isinstance(f, Name) and f.dots == 0 and f.power > 0


def _gathered(terms: list[Term]) -> list[Term]:
    """Terms with one and the same product of rates, sines and lengths share it: (m c^2 + J) sin(theta) in place of two terms."""
    groups: dict[tuple[Factor, ...], list[Term]] = {}
    for t in terms:
        groups.setdefault(tuple(f for f in t.factors if not _is_coefficient(f)), []).append(t)
    out = []
    for shared, members in groups.items():
        if len(members) == 1 or not any(isinstance(f, Trig) or f.dots for f in shared if not isinstance(f, Group)):
            out += members
            continue
        number, denominator = gcd(*(t.numerator for t in members)), gcd(*(t.denominator for t in members))
        number = -number if members[0].numerator < 0 else number
        powers = [{_with_power(f, 1): f.power for f in t.factors if _is_coefficient(f)} for t in members]
        common = {f: min(p.get(f, 0) for p in powers) for f in powers[0] if all(f in p for p in powers)}
        inside = [Term(t.numerator // number, t.denominator // denominator,
                       tuple(_with_power(f, k - common.get(f, 0)) for f, k in p.items() if k > common.get(f, 0)), t.sources) for t, p in zip(members, powers)]
        front = [_with_power(f, k) for f, k in common.items()]
        out.append(Term(number, denominator, (*front, Group(tuple(inside)), *shared), tuple(dict.fromkeys(x for t in members for x in t.sources))))
    return out


def _length(factors: Sequence[Factor]) -> int:
    """How many symbols a product is written with."""
    return sum(sum(_length(t.factors) for t in f.terms) if isinstance(f, Group) else 1 for f in factors)


def _leading(form: Form) -> int:
    """The coefficient that decides the sign: that of the last coordinate, so that a link's own angle comes with plus."""
    return max(form, key=lambda pair: (pair[0] >= 0, abs(pair[0])))[1] if form else 1


def _powered(name: Name, power: int) -> Name:
    return Name(name.name, name.letter, name.subscript, name.dots, power, name.source, name.primes)


def _raised(factor: Factor, power: int) -> Factor:
    if power == 1:
        return factor
    if isinstance(factor, Name):
        return _powered(factor, factor.power * power)
    return type(factor)(*[getattr(factor, f) for f in factor.__struct_fields__[:-1]], factor.power * power)  # type: ignore[call-arg]


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
