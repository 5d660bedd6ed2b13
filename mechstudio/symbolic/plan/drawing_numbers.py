"""The numbers of a drawing as exact polynomials in named symbols, before any ring exists.

An Amount is a polynomial with rational coefficients: {monomial: coefficient}, a monomial being
((symbol index, power), …).
"""

from collections.abc import Callable
from fractions import Fraction

Monomial = tuple[tuple[int, int], ...]
_MOST = 50  # terms of a formula beyond which it is not expanded
_LARGEST = 10**100  # whole number in a coefficient: powers of exact numbers grow without end


class Amount:
    """An immutable polynomial in symbols."""

    __slots__ = ("_hash", "terms")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and self.terms == other.terms

    def __hash__(self) -> int:
        # legs of a chain are looked up by their parts many times
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __init__(self, terms: dict[Monomial, Fraction] | None = None):
        self.terms = {m: c for m, c in (terms or {}).items() if c}
        self._hash: int | None = None

    @staticmethod
    def number(value: Fraction | int) -> "Amount":
        return Amount({(): Fraction(value)})

    @staticmethod
    def symbol(index: int) -> "Amount":
        return Amount({((index, 1),): Fraction(1)})

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __add__(self, other: "Amount") -> "Amount":
        # most components of vectors are zero
        if not other.terms:
            return self
        if not self.terms:
            return other
        out = dict(self.terms)
        for m, c in other.terms.items():
            out[m] = out.get(m, Fraction(0)) + c
        return Amount(out)

    def __neg__(self) -> "Amount":
        return Amount({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: "Amount") -> "Amount":
        return self + (-other) if other.terms else self

    def __mul__(self, other: "Amount") -> "Amount":
        out: dict[Monomial, Fraction] = {}
        for m, c in self.terms.items():
            for n, d in other.terms.items():
                powers = dict(m)
                for index, power in n:
                    powers[index] = powers.get(index, 0) + power
                key = tuple(sorted(powers.items()))
                out[key] = out.get(key, Fraction(0)) + c * d
        return Amount(out)

    def scaled(self, factor: Fraction | int) -> "Amount":
        if factor == 1 or not self.terms:
            return self
        return Amount({m: c * factor for m, c in self.terms.items()})

    @property
    def constant(self) -> Fraction | None:
        """The number, if there are no symbols."""
        return self.terms.get((), Fraction(0)) if all(m == () for m in self.terms) else None

    def value(self, value_of: Callable[[int], float]) -> float:
        """Its number with a value for each symbol."""
        total = 0.0
        for monomial, coefficient in self.terms.items():
            product = float(coefficient)
            for index, power in monomial:
                product *= value_of(index) ** power
            total += product
        return total

    def __repr__(self) -> str:
        return f"Amount({self.terms})"


ZERO = Amount()
ONE = Amount.number(1)


class NotPolynomial(Exception):
    """A typed formula that is no polynomial in its parameters, or one too long to write out."""


def _short(amount: Amount) -> Amount:
    """The amount.  Raises NotPolynomial for a long one."""
    numbers = (n for c in amount.terms.values() for n in (abs(c.numerator), c.denominator))
    if len(amount.terms) > _MOST or max(numbers, default=0) > _LARGEST:
        raise NotPolynomial
    return amount


def from_formula(node: tuple, symbol: Callable[[str], Amount]) -> Amount:
    """The Amount of a parsed formula (model/formulas/grammar.py).  Raises NotPolynomial."""
    match node[0]:
        case "number":
            return Amount.number(Fraction(repr(node[1])))
        case "name":
            return symbol(node[1])
        case "sum":
            total = ZERO
            for sign, part in node[1]:
                amount = from_formula(part, symbol)
                total = _short(total - amount if sign == "-" else total + amount)
            return total
        case "product":
            product = ONE
            for operator, part in node[1]:
                amount = from_formula(part, symbol)
                if operator == "/":
                    if not amount.constant:
                        raise NotPolynomial
                    amount = Amount.number(1 / amount.constant)
                product = _short(product * amount)
            return product
        case "power":
            exponent = from_formula(node[2], symbol).constant
            if exponent is None or exponent.denominator != 1 or not 0 <= exponent <= 8:
                raise NotPolynomial
            base, power = from_formula(node[1], symbol), ONE
            for _ in range(int(exponent)):
                power = _short(power * base)
            return power
        case "unit":
            _, inner, _, above, below, _ = node
            return from_formula(inner, symbol).scaled(
                Fraction(repr(float(above))) / Fraction(repr(float(below)))
            )
    raise NotPolynomial
