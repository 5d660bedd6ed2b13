"""Comparison of a user's equation, from a book or by hand, with the derived ones: the same, or its
excess terms.

It is read as people write: m_p L x'' cos theta + (I_p + m_p L^2) theta'' = 0, with primes or the
names of rates and accelerations (xddot), a blank, a star or a dot for a product, Greek letters or
their names, ^ or a raised digit for a power.  Comparing is exact, as of derivations.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import normalize

import flint

from mechstudio.model.equations.lecture import CLAIM, DIFFERENT, EXACT, UNPROVEN, Proof
from mechstudio.model.equations.term_words import GREEK
from mechstudio.model.equations.terms import Block, Entry, Name
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.plan.layout import Form
from mechstudio.symbolic.printers.text import entry as spoken
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

LARGEST_POWER = 12
MOST_BRACKETS = 50  # or signs, nested
# most known sums of angles that another one consists of, and most sums that are tried
MOST_ANGLES, MOST_SUMS = 4, 20_000
_RAISED = {"²": "^2", "³": "^3", "¹": "^1"}
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|([^\W\d]\w*)('{0,2})|(.))")
_SIGNS = {"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "′": "'", "″": "''", "’": "'"}
_DOTTED = re.compile("(\\w)([\u0307\u0308])(_\\w+)?")


def plain_signs(text: str) -> str:
    """A formula with the signs of a keyboard: primes for dots, Greek letters by name, ^ for raised
    digits.
    """
    text = normalize(
        "NFC",
        _DOTTED.sub(
            lambda m: f"{m[1]}{m[3] or ''}{chr(39) * (2 if m[2] == chr(0x308) else 1)}",
            normalize("NFD", text),
        ),
    )
    for mark, sign in (*_SIGNS.items(), *_RAISED.items()):
        text = text.replace(mark, sign)
    # a letter in a subscript belongs to its name
    return re.sub(
        f"(_?)([{''.join(GREEK)}])", lambda m: f"{m[1] or ' '}{GREEK[m[2]]}", text
    ).strip()


@dataclass
class Linear:
    """An element plus elements times unknowns: ("a", k) for the acceleration of coordinate k, ("l",
    j) for a multiplier.
    """

    rest: Poly
    parts: dict[tuple[str, int], Poly] = field(default_factory=dict)

    def plus(self, other: "Linear", sign: int = 1) -> "Linear":
        parts = dict(self.parts)
        for key, p in other.parts.items():
            parts[key] = parts.get(key, p - p) + sign * p
        return Linear(self.rest + sign * other.rest, parts)

    def times(self, other: "Linear") -> "Linear":
        if self.parts and other.parts:
            raise DerivationError(
                tr(
                    "Accelerations and multipliers are never multiplied with each other in an "
                    "equation of motion."
                )
            )
        one, factor = (self, other.rest) if self.parts else (other, self.rest)
        return Linear(one.rest * factor, {key: p * factor for key, p in one.parts.items()})


class _Reader:
    """Parser of one sum after the other from a text."""

    def __init__(self, d: "DerivedEquations", text: str):
        self.d, self.ring = d, d.ring
        self._symbols = self._known()
        self._tokens = [t for m in _TOKEN.finditer(plain_signs(text)) if (t := self._token(m))[0]]
        self._at = self._depth = 0

    @staticmethod
    def _token(m: re.Match) -> tuple[str, str]:
        number, name, primes, other = m.groups()
        return (
            ("number", number)
            if number
            else ("name", name + (primes or ""))
            if name
            else ("sign", other)
            if other and not other.isspace()
            else ("", "")
        )

    def _known(self) -> dict[str, Linear]:
        ring, names, zero = self.ring, self.d.names, self.ring.zero
        out = {n.name: Linear(p) for n, p in zip(names.q, ring.q)} | {
            n.name: Linear(p) for n, p in zip(names.v, ring.v)
        }
        out |= {f"{q.name}'": Linear(p) for q, p in zip(names.q, ring.v)}
        for k, (q, a) in enumerate(zip(names.q, names.a)):
            out[a.name] = out[f"{q.name}''"] = Linear(zero, {("a", k): ring.one})
        out |= {n.name: Linear(zero, {("l", j): ring.one}) for j, n in enumerate(names.multipliers)}
        out |= {n.name: Linear(ring.p[i]) for i, n in names.p.items()}
        return out | {n.name: Linear(p) for n, p in zip(names.lengths, ring.l)}

    # tokens

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("", "")

    def _takes(self, sign: str) -> bool:
        if self._peek() == ("sign", sign):
            self._at += 1
            return True
        return False

    # grammar

    def equation(self) -> Linear:
        """Left minus right; without a sign of equality the whole is zero."""
        left = self._sum()
        if self._takes("="):
            left = left.plus(self._sum(), -1)
        if self._peek()[0]:
            raise DerivationError(
                tr("After what can be read stands “{peek}”.", peek=self._peek()[1])
            )
        return Linear(
            self.ring.reduce(left.rest),
            {key: r for key, p in left.parts.items() if (r := self.ring.reduce(p))},
        )

    def _sum(self) -> Linear:
        sign = -1 if self._takes("-") else 1
        self._takes("+")
        total = Linear(self.ring.zero).plus(self._product(), sign)
        while self._peek() in (("sign", "+"), ("sign", "-")):
            sign = 1 if self._takes("+") else -1
            self._takes("-") if sign < 0 else None
            total = total.plus(self._product(), sign)
        return total

    def _product(self) -> Linear:
        total = self._power()
        while True:
            if self._takes("/"):
                divisor = self._power()
                if divisor.parts or not divisor.rest.is_constant() or not divisor.rest:
                    raise DerivationError(
                        tr(
                            "Only numbers can stand below a line here: multiply the equation by "
                            "the others."
                        )
                    )
                total = Linear(
                    total.rest / divisor.rest,
                    {key: p / divisor.rest for key, p in total.parts.items()},
                )
            elif (
                self._takes("*")
                or self._peek()[0] in ("number", "name")
                or self._peek() == ("sign", "(")
            ):
                total = total.times(self._power())
            else:
                return total

    def _power(self) -> Linear:
        base = self._base()
        if self._takes("^"):
            power, self._at = self._exponent(), self._at + 1
            if base.parts:
                raise DerivationError(
                    tr("Accelerations and multipliers have no powers in an equation of motion.")
                )
            return Linear(base.rest**power)
        return base

    def _exponent(self) -> int:
        kind, text = self._peek()
        if kind != "number" or not text.isdecimal() or int(text) > LARGEST_POWER:
            raise DerivationError(
                tr("A power is a whole number up to {largest_power}.", largest_power=LARGEST_POWER)
            )
        return int(text)

    def _base(self) -> Linear:
        kind, text = self._peek()
        self._at += 1
        if kind == "number":
            whole, _, decimals = text.partition(".")
            return Linear(
                self.ring.context.constant(
                    flint.fmpq(int((whole or "0") + decimals), 10 ** len(decimals))
                )
            )
        if kind == "name" and text in ("sin", "cos") and text not in self._symbols:
            return self._wave(text)
        if kind == "name":
            if text not in self._symbols:
                raise DerivationError(
                    tr(
                        "Nothing is called {text} in these equations; known are {n}.",
                        text=text,
                        n=comma().join(sorted(n for n in self._symbols if not n.endswith(chr(39)))),
                    )
                )
            return self._symbols[text]
        if (kind, text) == ("sign", "("):
            inside = self._within(self._sum)
            if not self._takes(")"):
                raise DerivationError(tr("A bracket is not closed."))
            return inside
        if (kind, text) == ("sign", "-"):
            return Linear(self.ring.zero).plus(self._within(self._power), -1)
        raise DerivationError(
            tr("“{text}” stands where a number or a name is expected.", text=text)
            if text
            else tr("The equation breaks off.")
        )

    def _within(self, read: Callable[[], Linear]) -> Linear:
        """Sum or power behind a bracket or a sign, up to a depth."""
        self._depth += 1
        if self._depth > MOST_BRACKETS:
            raise DerivationError(tr("Too many brackets or signs stand in each other."))
        inside = read()
        self._depth -= 1
        return inside

    def _wave(self, function: str) -> Linear:
        power = 1
        if self._takes("^"):
            power, self._at = self._exponent(), self._at + 1
        argument = self._base()
        form = () if argument.parts else self._form(argument.rest)
        try:
            cosine, sine = self._cosine_sine(form)
        except (KeyError, IndexError):
            raise DerivationError(
                tr(
                    "The angle in a {word} is none of those that occur in the derived equations.",
                    word=tr("sine") if function == "sin" else tr("cosine"),
                )
            ) from None
        return Linear((sine if function == "sin" else cosine) ** power)

    def _cosine_sine(self, form: Form) -> tuple[Poly, Poly]:
        """Cosine and sine of a sum of angles, from those of other sums in the derived equations if
        they do not have this one.  Raises KeyError if there are none.
        """
        try:
            return self.ring.cosine_sine(form)
        except (KeyError, IndexError):
            cosine, sine = self.ring.one, self.ring.zero
            for part, sign in _parts_of(form, self.ring.forms):
                c, s = self.ring.cosine_sine(part)
                cosine, sine = cosine * c - sign * sine * s, sine * c + sign * cosine * s
            return cosine, sine

    def _form(self, p: Poly) -> Form:
        """A sum of angles as a form."""
        ring, out = self.ring, []
        for exponents, c in p.to_dict().items():
            places = [i for i, e in enumerate(exponents) if e]
            if len(places) != 1 or exponents[places[0]] != 1 or c.q != 1:
                return ()
            i = places[0]
            if ring.starts["q"] <= i < ring.starts["q"] + ring.coordinate_count:
                out.append((i - ring.starts["q"], int(c.p)))
            elif ring.starts["p"] <= i < ring.starts["p"] + ring.symbol_count:
                out.append((-1 - (i - ring.starts["p"]), int(c.p)))
            else:
                return ()
        return tuple(sorted(out))


def _parts_of(form: Form, known: Sequence[Form]) -> list[tuple[Form, int]]:
    """Fewest known sums of angles, with their signs, that add up to a form.  Raises KeyError if
    there are none, or only very many.
    """
    steps = [(part, sign) for part in known for sign in (1, -1)]
    ways: dict[Form, list[tuple[Form, int]]] = {(): []}
    edge: list[Form] = [()]
    for _ in range(MOST_ANGLES):
        further: list[Form] = []
        for at in edge:
            for part, sign in steps:
                total = Counter(dict(at))
                for angle, count in part:
                    total[angle] += sign * count
                reached = tuple(sorted((a, n) for a, n in total.items() if n))
                if reached not in ways and len(ways) < MOST_SUMS:
                    ways[reached] = [*ways[at], (part, sign)]
                    further.append(reached)
        if form in ways:
            break
        edge = further
    if not form:
        raise KeyError(form)
    return ways[form]


def derived(d: "DerivedEquations", i: int) -> Linear:
    """Row i of the derived equations, left minus right, without marks of where its terms come
    from.
    """
    ring, m = d.ring, d.by(d.method)
    plain = lambda p: ring.reduce(ring.untagged(p))
    parts = {("a", k): q for k, p in enumerate(m.M[i]) if (q := plain(p))}
    parts |= {("l", j): q for j, row in enumerate(d.rows) if (q := plain(-row.jacobian[i]))}
    return Linear(plain(m.b[i] + m.g[i] - m.tau[i]), parts)


def _multiple(d: "DerivedEquations", claim: Linear, row: Linear) -> tuple[str, str] | None:
    """Two products of a number and parameters, in words, by which an equation and a derived row are
    the same; None if there are none.

    Only leading terms are used to find them, and the whole is compared with them: what is found is
    exact.
    """
    ring = d.ring
    if set(claim.parts) != set(row.parts) or bool(claim.rest) != bool(row.rest):
        return None
    key = next(iter(row.parts), None)
    one, other = (claim.rest, row.rest) if key is None else (claim.parts[key], row.parts[key])
    if not one or not other or len(one) != len(other):
        return None
    ratio = other.coeffs()[0] / one.coeffs()[0]
    places = [b - a for a, b in zip(one.monoms()[0], other.monoms()[0], strict=True)]
    first = ring.starts["p"]
    if any(n and not first <= i < first + ring.symbol_count for i, n in enumerate(places)):
        return None  # it may be zero at an instant
    up, down = (
        {tuple((i, s * int(n)) for i, n in enumerate(places) if s * n > 0): flint.fmpq(c)}
        for s, c in ((1, ratio.p), (-1, ratio.q))
    )
    above, below = ring.element(up), ring.element(down)
    rest = claim.times(Linear(above)).plus(row.times(Linear(below)), -1)
    if any(ring.reduce(p) for p in (rest.rest, *rest.parts.values())):
        return None
    return spoken(d.writer.entry(above)), spoken(d.writer.entry(below))


def check(d: "DerivedEquations", key: str, text: str) -> Proof:
    """A claim about the motion.   key: of the proof, behind CLAIM."""
    key = CLAIM + key
    try:
        claim = _Reader(d, text).equation()
        if not d.complete:
            raise DerivationError(tr("The derived equations are too long to be compared with."))
    except (DerivationError, ValueError) as error:
        return Proof(key, text, UNPROVEN, tr("It cannot be read: {error}", error=error))
    best: tuple[int, int, Linear] | None = None
    for i in range(d.ring.coordinate_count):
        row = derived(d, i)
        for sign in (1, -1):
            rest = claim.plus(row, -sign)
            size = sum(len(p) for p in (rest.rest, *rest.parts.values()))
            if best is None or size < best[0]:
                best = size, i, rest
    assert best is not None
    count, i, rest = best
    for k in range(d.ring.coordinate_count) if count else ():
        factors = _multiple(d, claim, derived(d, k))
        if factors is not None:
            return Proof(
                key,
                text,
                EXACT,
                tr(
                    "It is equation {i} ({meaning}) but for a factor: {one} times what is written "
                    "is {other} times what is derived, exactly.",
                    i=k + 1,
                    meaning=d.plan.coordinates[k].meaning,
                    one=factors[0],
                    other=factors[1],
                ),
                row=k + 1,
            )
    meaning = d.plan.coordinates[i].meaning
    if not count:
        return Proof(
            key,
            text,
            EXACT,
            tr(
                "It is equation {i} ({meaning}): the difference is the zero of the polynomial "
                "ring.",
                i=i + 1,
                meaning=meaning,
            ),
            row=i + 1,
        )
    return Proof(
        key,
        text,
        DIFFERENT,
        tr("Nearest is equation {i} ({meaning}). Written minus derived:", i=i + 1, meaning=meaning),
        (_block(d, key, rest, meaning),),
    )


def _block(d: "DerivedEquations", key: str, rest: Linear, meaning: str) -> Block:
    names: list[tuple[Poly, Name | None]] = [
        (p, d.names.a[k] if kind == "a" else d.names.multipliers[k])
        for (kind, k), p in rest.parts.items()
        if p
    ]
    entry: Entry = d.writer.linear([*names, (rest.rest, None)])
    return Block(f"difference:{key}", "difference", ((entry,),), (meaning,))


__all__ = ["check", "derived"]
