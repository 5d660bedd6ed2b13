"""Numbers of a drawing as formulas in its symbols: what model/geometry and model/mass_properties
compute with, in place of floats, where sizes follow parameters.

A Formula is a sum of products of atoms with rational coefficients.  Atoms are symbols, pi, sums in
brackets and functions; brackets stay as they are computed, so that a program that evaluates the
formula rounds as the model does.  It carries its number as drawn, by which all conditions are
decided.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, Union

from mechstudio.model.equations.terms import PI
from mechstudio.symbolic.plan.drawing_numbers import Amount

BRACKET = "bracket"
FUNCTIONS = ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log")
_LARGEST = 10**18  # of whole numbers: rational numbers of longer ones are rounded as floats are
_FARTHEST = 10**100  # of a coefficient: powers of exact numbers grow without end
_HIGHEST = 8  # power that is written out: those of exact numbers grow without end
_UNITS = (0.0, 1.0, -1.0)
_PARTS = 360  # of a multiple of pi: those of larger denominators are plain numbers


class Atom(NamedTuple):
    """symbol: index, -1 for another atom.  kind: "", PI, BRACKET or a function.  of: what stands in
    the bracket.
    """

    symbol: int
    kind: str
    of: "Formula | None"
    value: float


Product = tuple[tuple[Atom, int], ...]
Number = Union[float, int, Fraction, "Formula"]
_PI = Atom(-1, PI, None, math.pi)


class NoFormula(Exception):
    """Reason why a number of the drawing has no formula, in words."""


class Formula:
    """An immutable formula.  terms: {product: coefficient}.  value: its number as drawn, SI."""

    __slots__ = ("_hash", "terms", "value")

    def __init__(self, terms: dict[Product, Fraction], value: float):
        self.terms, self.value = terms, value
        self._hash: int | None = None

    @staticmethod
    def of(amount: Amount, value_of: Callable[[int], float]) -> Number:
        """The formula of a polynomial; a float for a number alone."""
        if (constant := amount.constant) is not None:
            return float(constant)
        atom = lambda i: Atom(i, "", None, value_of(i))
        terms = {tuple((atom(i), k) for i, k in m): c for m, c in amount.terms.items()}
        return Formula(terms, amount.value(value_of))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Formula):
            return self.terms == other.terms
        return isinstance(other, float | int) and self.value == other

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __float__(self) -> float:
        return self.value

    def __bool__(self) -> bool:
        return True

    def __lt__(self, other: Number) -> bool:
        return self.value < float(other)

    def __le__(self, other: Number) -> bool:
        return self.value <= float(other)

    def __gt__(self, other: Number) -> bool:
        return self.value > float(other)

    def __ge__(self, other: Number) -> bool:
        return self.value >= float(other)

    def __neg__(self) -> "Formula":
        return Formula({m: -c for m, c in self.terms.items()}, -self.value)

    def __add__(self, other: Number) -> Number:
        if not isinstance(other, Formula) and not other:
            return self
        terms = dict(self.terms)
        for m, c in _terms(other).items():
            terms[m] = terms.get(m, Fraction(0)) + c
        return _made(terms, self.value + float(other))

    __radd__ = __add__

    def __sub__(self, other: Number) -> Number:
        return self + (-other)

    def __rsub__(self, other: Number) -> Number:
        return -self + other

    def __mul__(self, other: Number) -> Number:
        if not isinstance(other, Formula) and other in _UNITS:
            # most entries of attitudes
            return self if other > 0 else -self if other else 0.0
        (m, c), (n, d) = _single(self), _single(other)
        if not c * d:
            return 0.0
        return _made({_product((*m, *n)): _rounded(c * d)}, self.value * float(other), sums=True)

    __rmul__ = __mul__

    def __truediv__(self, other: Number) -> Number:
        return self * _inverse(other)

    def __rtruediv__(self, other: Number) -> Number:
        return _inverse(self) * other

    def __pow__(self, exponent: int) -> Number:
        m, c = _single(self)
        terms = {_product((a, k * exponent) for a, k in m): _rounded(c**exponent)}
        return _made(terms, self.value**exponent, sums=True)

    @property
    def single(self) -> tuple[int, int] | None:
        """(index, sign) of a symbol or its opposite; None for any other formula."""
        if len(self.terms) != 1:
            return None
        ((product, c),) = self.terms.items()
        if abs(c) != 1 or len(product) != 1 or product[0][0].symbol < 0 or product[0][1] != 1:
            return None
        return product[0][0].symbol, int(c)

    def evaluated(self) -> float:
        """Its number as drawn, as a program computes it: `value` unless powers lie beyond floats.
        Raises OverflowError, ZeroDivisionError or ValueError.
        """
        number = lambda a: a.value if a.of is None else _function(a.kind)(a.of.evaluated())
        return sum(
            float(c)
            * math.prod(number(a) ** k for a, k in product if k > 0)
            / math.prod(number(a) ** -k for a, k in product if k < 0)
            for product, c in self.terms.items()
        )

    def size(self) -> int:
        """The count of products in it, and of their factors."""
        factors = lambda m: sum(1 if a.of is None else a.of.size() for a, _ in m)
        return sum(1 + factors(m) for m in self.terms)

    def symbols(self) -> set[int]:
        """The indices of the symbols in it."""
        out: set[int] = set()
        for product in self.terms:
            for atom, _ in product:
                out |= {atom.symbol} if atom.of is None else atom.of.symbols()
        return out - {-1}

    def __repr__(self) -> str:
        return f"Formula({self.terms}, {self.value})"


def are_same(a: Number, b: Number) -> bool:
    """True for equal numbers, or formulas that are always equal."""
    return isinstance(a, Formula) == isinstance(b, Formula) and a == b


def _function(kind: str) -> Callable[[float], float]:
    """Function of the number in an atom, by the kind of the atom."""
    return float if kind == BRACKET else getattr(math, kind)


def applied(function: str, x: Number) -> Number:
    """A function of FUNCTIONS."""
    if not isinstance(x, Formula):
        return _function(function)(float(x))
    value = _function(function)(x.value)
    return Formula({((Atom(-1, function, x, value), 1),): Fraction(1)}, value)


def from_tree(node: tuple, symbol: Callable[[str], Number]) -> Number:
    """The formula of a parsed text (model/formulas/grammar.py).  Raises NoFormula with the name of
    the function that has none.
    """
    made = lambda n: from_tree(n, symbol)
    match node[0]:
        case "number":
            return node[1]
        case "pi":
            return math.pi
        case "name":
            return symbol(node[1])
        case "sum":
            total: Number = 0.0
            for sign, part in node[1]:
                total = total - made(part) if sign == "-" else total + made(part)
            return total
        case "product":
            product: Number = 1.0
            for operator, part in node[1]:
                product = product / made(part) if operator == "/" else product * made(part)
            return product
        case "power":
            base, exponent = made(node[1]), made(node[2])
            if isinstance(exponent, Formula) or abs(exponent) > _HIGHEST:
                raise NoFormula("^")
            if float(2 * exponent).is_integer():
                twice = int(2 * exponent)
                return base ** (twice // 2) if twice % 2 == 0 else applied("sqrt", base**twice)
            raise NoFormula("^")
        case "unit":
            above, below = (Fraction(repr(float(x))) for x in node[3:5])
            inner = made(node[1])
            scale = above / below
            return inner * scale if isinstance(inner, Formula) else float(_fraction(inner) * scale)
        case _ if node[1] in FUNCTIONS:
            return applied(node[1], made(node[2][0]))
        case _ if node[1] == "hypot":
            return applied("sqrt", sum(made(n) ** 2 for n in node[2]))
    raise NoFormula(node[1])


def _fraction(x: float | int | Fraction) -> Fraction:
    return x if isinstance(x, Fraction) else Fraction(repr(x))


def _terms(x: Number) -> dict[Product, Fraction]:
    """The terms of any number; a multiple of pi is one."""
    if isinstance(x, Formula):
        return x.terms
    if not x:
        return {}
    share = Fraction(float(x) / math.pi).limit_denominator(_PARTS)
    if share and abs(float(share) * math.pi - float(x)) <= 4e-16 * abs(float(x)):
        return {((_PI, 1),): share}
    return {(): _fraction(x)}


def _single(x: Number) -> tuple[Product, Fraction]:
    """One product that a number is: a sum stands in brackets."""
    terms = _terms(x)
    if len(terms) == 1:
        return next(iter(terms.items()))
    if not terms:
        return (), Fraction(0)
    assert isinstance(x, Formula)
    return ((Atom(-1, BRACKET, x, x.value), 1),), Fraction(1)


def _inverse(x: Number) -> Number:
    if not isinstance(x, Formula):
        return 1 / _fraction(x)
    if not x.value:
        raise ZeroDivisionError
    m, c = _single(x)
    return Formula({tuple((a, -k) for a, k in m): 1 / c}, 1.0 / x.value)


def _product(atoms) -> Product:
    powers: dict[Atom, int] = {}
    for atom, k in atoms:
        powers[atom] = powers.get(atom, 0) + k
    kept = [(a, k) for a, k in powers.items() if k]
    return tuple(sorted(kept, key=lambda pair: (pair[0].symbol < 0, pair[0].kind, pair[0].symbol)))


def _rounded(c: Fraction) -> Fraction:
    """A coefficient of limited length.  Raises OverflowError for one far from all floats."""
    if max(abs(c.numerator), c.denominator) <= _LARGEST:
        return c
    if not 1 / _FARTHEST < abs(c) < _FARTHEST:
        raise OverflowError
    return Fraction(repr(float(c)))


def _made(terms: dict[Product, Fraction], value: float, sums: bool = False) -> Number:
    """The formula of terms; a float where no symbol is left, and a bracket alone without it."""
    terms = {m: c for m, c in terms.items() if c}
    if all(a.symbol < 0 and a.of is None for m in terms for a, _ in m):
        return math.fsum(float(c) * math.prod(a.value**k for a, k in m) for m, c in terms.items())
    if sums and len(terms) == 1:
        ((product, c),) = terms.items()
        if c == 1 and len(product) == 1:
            (atom, k) = product[0]
            if atom.kind == BRACKET and k == 1 and atom.of is not None:
                return atom.of
    return Formula(terms, value)
