"""The canonical ring: polynomials over the rationals in which equal means identical.

Generators, in elimination order: lengths l_i and their inverses w_i of springs between two points
(l w = 1, l^2 = polynomial), opaque functions of the drawing with three derivatives (of one form of
coordinates each: the law of a cam), a pair (s, c) per angle form modulo s^2 + c^2 = 1, coordinates
q, rates v, symbols, and a tag per body and force that marks where a term comes from.  Without
springs between points the normal form is unique, so a difference is zero exactly when it prints as
0.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import compress
from typing import Any

import flint

from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.plan.drawing_numbers import Amount
from mechstudio.symbolic.plan.layout import Form, Permutation, permuted
from mechstudio.translation import Words, tr

Poly = flint.fmpq_mpoly
Monomial = tuple[tuple[int, int], ...]  # (generator, power) in their order
DERIVATIVES = 4  # of an opaque function, itself included
Vector = list
TERM_LIMIT = 5_000  # terms that the matrices of a closed form may have
# most intermediate terms of a computation, by the same measure: terms of one element, of all that
# are reduced, and products of terms in one operation; a Stewart platform's needs a fiftieth of the
# second and the third
LONGEST, WORK, PRODUCTS = 10, 60, 40
TOO_LONG: Words = (
    "The closed form is longer than anybody reads; only its structure is shown. Read the "
    "recursive form, derive a part of the mechanism, or use the numbers of a run."
)


def rational(number) -> flint.fmpq:
    """A Fraction or an int as FLINT's rational."""
    return flint.fmpq(number.numerator, number.denominator)


def normal(form: Form) -> tuple[Form, int]:
    """The form with a positive first coefficient, and the sign that was taken out."""
    if form[0][1] > 0:
        return form, 1
    return tuple((v, -c) for v, c in form), -1


class Reading(ABC):
    """Reading of amounts and forms as elements, in polynomials as in numbers and graphs: by sums
    and products of zero, q, v, p and constants.
    """

    zero: Any
    q: Sequence[Any]
    v: Sequence[Any]
    p: Sequence[Any]

    @abstractmethod
    def constant(self, c: Fraction) -> Any:
        """An exact number as an element."""

    def amount(self, amount: Amount) -> Any:
        """An Amount as an element."""
        total = self.zero
        for monomial, c in amount.terms.items():
            product = self.constant(c)
            for index, power in monomial:
                for _ in range(power):
                    product = product * self.p[index]
            total = total + product
        return total

    def amounts(self, vector: Sequence[Amount]) -> Vector:
        return [self.amount(a) for a in vector]

    def length(self, form: Form) -> Any:
        """A form of coordinates as an element."""
        return self.total(c * self.q[k] for k, c in form)

    def total(self, parts: Iterable[Any]) -> Any:
        """Sum of elements."""
        return sum(parts, self.zero)

    def rate_of(self, form: Form) -> Any:
        """The rate of a form of coordinates."""
        return self.total(c * self.v[k] for k, c in form if k >= 0)


# of a plane curve: a number of the drawing, the number of a function, or None of a straight one
Curvature = Amount | int | None


class Ring(Reading):
    """Exact arithmetic of one derivation.

    forms: the angles whose sine and cosine occur.  spring_count: two-point forces.  tags: ids of
    bodies and forces.  functions: the arguments of opaque functions, () for one of a polynomial
    (set_argument).
    """

    def __init__(
        self,
        forms: Iterable[Form],
        spring_count: int,
        coordinate_count: int,
        symbol_count: int,
        tags: Sequence[str],
        functions: Sequence[Form] = (),
    ):
        self.forms = list(dict.fromkeys(normal(f)[0] for f in forms if f))
        self.tags = list(tags)
        n, a, k = coordinate_count, len(self.forms), spring_count
        self.coordinate_count, self.spring_count, self.symbol_count = n, k, symbol_count
        self.functions = list(functions)
        self.arguments: list[Poly | None] = [None] * len(
            self.functions
        )  # of functions of a polynomial, whose form is ()
        self._argument_slopes: list[list[Poly]] = [[] for _ in self.functions]
        starts: dict[str, int] = {}
        names: list[str] = []
        for letter, count in (
            ("l", k),
            ("w", k),
            ("f", DERIVATIVES * len(self.functions)),
            ("s", a),
            ("c", a),
            ("q", n),
            ("v", n),
            ("p", symbol_count),
            ("t", len(self.tags)),
        ):
            starts[letter] = len(names)
            names += [f"{letter}_{i}" for i in range(count)]
        self.starts, self.names = starts, names
        self.context = flint.fmpq_mpoly_ctx.get(names or ["unused"], "lex")
        gens = self.context.gens()
        part = lambda letter, count: gens[starts[letter] : starts[letter] + count]
        self.l, self.w, self.s, self.c = part("l", k), part("w", k), part("s", a), part("c", a)
        atoms = part("f", DERIVATIVES * len(self.functions))
        self.f = [
            atoms[DERIVATIVES * i : DERIVATIVES * (i + 1)] for i in range(len(self.functions))
        ]
        self.q, self.v, self.p, self.t = (
            part("q", n),
            part("v", n),
            part("p", symbol_count),
            part("t", len(self.tags)),
        )
        self.zero, self.one = self.context.constant(0), self.context.constant(1)
        self.half = flint.fmpq(1, 2)
        self._circle = [s * s + c * c - 1 for s, c in zip(self.s, self.c)]
        self._rates: list[Poly | None] = [None] * a
        self._index = {form: i for i, form in enumerate(self.forms)}
        # per coordinate: the forms that contain it, with its coefficient
        self._turning = [
            [(i, dict(f)[j]) for i, f in enumerate(self.forms) if j in dict(f)] for j in range(n)
        ]
        # per function that is a coordinate of a plane curve over its arc length: the other one, the
        # curvature and its sign
        self.circles: dict[int, tuple[int, Curvature, int]] = {}
        self.metrics: dict[
            int, int
        ] = {}  # per function that is x of an ellipse: length of its slope
        self.waves: dict[int, tuple[Amount, Form, bool]] = {}  # per function written out
        self.lines: dict[int, int] = {}  # per function that is a straight way: its sense
        self._tangents: list[tuple[int, Poly]] = []  # first generator of a unit tangent, its square
        self.square: list[Poly] = [self.zero] * k  # l_i^2
        self._slope: list[list[Poly]] = [[] for _ in range(k)]
        self._bounds = (math.inf, math.inf)  # terms of one element, products in one operation
        self._left = math.inf  # terms that may still be reduced

    # how much is done

    @contextmanager
    def bounded(self, term_limit: int = TERM_LIMIT) -> Iterator[None]:
        """A piece of work of its own, such as a method or a chapter: TooLarge is raised where it
        passes through more than a result of term_limit terms can need.
        """
        before, size = (self._bounds, self._left), max(term_limit, TERM_LIMIT)
        self._bounds, self._left = (LONGEST * size, PRODUCTS * size), WORK * size
        try:
            yield
        finally:
            self._bounds, self._left = before

    def _spend(self, count: int) -> None:
        """Terms that are reduced.  Raises TooLarge where nothing that anybody reads will come of
        it.
        """
        self._left -= count
        if count > self._bounds[0] or self._left < 0:
            raise TooLarge(tr(TOO_LONG))

    def _multiply(self, count: int) -> None:
        """Products of terms that one operation is about to form.  Raises TooLarge before it
        does.
        """
        if count > self._bounds[1]:
            raise TooLarge(tr(TOO_LONG))

    # elements

    def tag(self, id: str) -> Poly:
        return self.t[self.tags.index(id)]

    def constant(self, c: Fraction) -> Poly:
        return self.context.constant(rational(c))

    def cosine_sine(self, form: Form) -> tuple[Poly, Poly]:
        """cos and sin of a form."""
        known, sign = normal(form)
        i = self._index[known]
        return self.c[i], sign * self.s[i]

    # terms

    def terms(self, p: Poly) -> dict[Monomial, flint.fmpq]:
        """The terms of an element, with the generators that occur."""
        places = range(len(self.names))
        # FLINT hands out one object per generator, and few of them occur in a term
        return {
            tuple([(i, int(powers[i])) for i in compress(places, powers)]): coefficient
            for powers, coefficient in zip(p.monoms(), p.coeffs())
        }

    def element(self, terms: dict[Monomial, flint.fmpq]) -> Poly:
        """The element with these terms."""
        blank = [0] * len(self.names)
        dense = {}
        for product, coefficient in terms.items():
            exponents = blank.copy()
            for i, power in product:
                exponents[i] = power
            dense[tuple(exponents)] = coefficient
        return self.context.from_dict(dense)

    # reduction and derivatives

    def reduce(self, p: Poly) -> Poly:
        """The normal form."""
        if not p or p.is_constant():
            return p
        self._spend(len(p))
        if self.spring_count:
            p = self._without_lengths(p)
        degrees = p.degrees()
        start = self.starts["s"]
        for i, relation in enumerate(self._circle):
            if degrees[start + i] > 1:
                p = p % relation
        for at, relation in self._tangents:
            if degrees[at] > 1:
                p = p % relation
        return p

    def _without_lengths(self, p: Poly) -> Poly:
        degrees = p.degrees()
        k = self.spring_count
        for i in range(k):
            if degrees[i] > 1:
                p = p % (self.l[i] ** 2 - self.square[i])
            if degrees[i] and degrees[k + i]:
                p = p % (self.l[i] * self.w[i] - 1)
        return p

    def set_length(self, i: int, square: Poly) -> None:
        """Declare l_i^2; must be done before l_i or w_i is used."""
        self.square[i] = self.reduce(square)
        self._slope[i] = [slope * self.half for slope in self.gradient(self.square[i])]

    def set_argument(self, i: int, argument: Poly) -> None:
        """Declare what the function f_i is taken of, where that is no form; must be done before f_i
        is used.
        """
        reduced = self.arguments[i] = self.reduce(argument)
        self._argument_slopes[i] = self.gradient(reduced)

    def set_circle(self, i: int, j: int, curvature: Curvature) -> None:
        """Declare f_i and f_j as the coordinates of a plane curve over its arc length: (f_i', f_j')
        is a unit vector that turns with the curvature, from f_i's axis to f_j's where it is
        positive.  Must be done before their second derivatives are used.
        """
        self.circles[i], self.circles[j] = (j, curvature, -1), (i, curvature, 1)
        if isinstance(curvature, int):
            # constant on each piece, and steps end where it jumps
            self.f[curvature] = (self.f[curvature][0], *[self.zero] * (DERIVATIVES - 1))
        slope = self.curvature(curvature)
        for k, other, sign in ((i, j, -1), (j, i, 1)):
            x, dx = self.f[k][:2]
            self.f[k] = (x, dx, sign * slope * self.f[other][1], -slope * slope * dx)
        first, second = sorted((i, j))
        a, b = self.f[first][1], self.f[second][1]
        self._tangents.append((self.starts["f"] + DERIVATIVES * first + 1, a * a + b * b - 1))

    def set_line(self, i: int, sense: int) -> None:
        """Declare f_i as a straight way over its arc length, with the slope 1 or -1.  Must be done
        before its derivatives are used.
        """
        self.lines[i] = sense
        rest = [self.zero] * (DERIVATIVES - 2)
        self.f[i] = (self.f[i][0], self.constant(Fraction(sense)), *rest)

    def set_wave(self, i: int, arm: Amount, form: Form, cosine: bool) -> None:
        """Declare f_i as an arm times the cosine or sine of a form.  Must be done before f_i is
        used.
        """
        self.waves[i] = (arm, form, cosine)
        self.f[i] = wave(self, arm, form, cosine)

    def curvature(self, curvature: Curvature) -> Poly:
        """Curvature of a plane curve as an element."""
        if curvature is None:
            return self.zero
        return self.f[curvature][0] if isinstance(curvature, int) else self.amount(curvature)

    def length_slope(self, i: int, k: int) -> Poly:
        """d l_i / d q_k = (half the slope of its square) / l_i."""
        return self._slope[i][k] * self.w[i]

    def derivative(self, p: Poly, k: int) -> Poly:
        """d p / d q_k."""
        out = self.zero
        if not p or p.is_constant():
            return out
        degrees = p.degrees()
        s, c, q = self.starts["s"], self.starts["c"], self.starts["q"]
        for i, coefficient in self._turning[k]:
            if degrees[s + i]:
                out = out + coefficient * self.c[i] * p.derivative(s + i)
            if degrees[c + i]:
                out = out - coefficient * self.s[i] * p.derivative(c + i)
        if degrees[q + k]:
            out = out + p.derivative(q + k)
        if self.functions:
            out = out + self._function_slopes(p, degrees, k)
        for i in range(self.spring_count):
            if degrees[i]:
                out = out + p.derivative(i) * self.length_slope(i, k)
            if degrees[self.spring_count + i]:
                out = out - p.derivative(self.spring_count + i) * self.w[i] ** 3 * self._slope[i][k]
        return self.reduce(out)

    def _function_slopes(self, p: Poly, degrees: Sequence[int], k: int) -> Poly:
        """Contribution of opaque functions to d p / d q_k."""
        out, start = self.zero, self.starts["f"]
        for i, argument in enumerate(self.functions):
            slope = (
                self._argument_slopes[i][k]
                if self._argument_slopes[i]
                else dict(argument).get(k, 0)
            )
            for order in range(DERIVATIVES if slope else 0):
                at = start + DERIVATIVES * i + order
                if degrees[at]:
                    assert order + 1 < DERIVATIVES, "a fourth derivative of a law is never needed"
                    out = out + slope * self.f[i][order + 1] * p.derivative(at)
        return out

    def depends_on(self, p: Poly) -> list[int]:
        """The coordinates that may occur in an element."""
        if not p or p.is_constant():
            return []
        degrees = p.degrees()
        if any(degrees[: 2 * self.spring_count]):
            return list(range(self.coordinate_count))
        s, c, q, f = self.starts["s"], self.starts["c"], self.starts["q"], self.starts["f"]
        hidden = {
            k
            for i, argument in enumerate(self.functions)
            if any(degrees[f + DERIVATIVES * i : f + DERIVATIVES * (i + 1)])
            for k in (
                [k for k, slope in enumerate(self._argument_slopes[i]) if slope]
                if self._argument_slopes[i]
                else dict(argument)
            )
        }
        return [
            k
            for k in range(self.coordinate_count)
            if degrees[q + k]
            or k in hidden
            or any(degrees[s + i] or degrees[c + i] for i, _ in self._turning[k])
        ]

    def rate(self, p: Poly) -> Poly:
        """The time derivative of a function of q; of one of q and v, for constant v."""
        out = self.zero
        if not p or p.is_constant():
            return out
        degrees = p.degrees()
        start, n = self.starts, self.coordinate_count
        if any(degrees[: 2 * self.spring_count]):
            return self.reduce(self.total(self.derivative(p, k) * self.v[k] for k in range(n)))
        s, c, q, f = start["s"], start["c"], start["q"], start["f"]
        for i in range(len(self.forms)):
            if degrees[s + i] or degrees[c + i]:
                speed = self._rates[i]
                if speed is None:
                    speed = self._rates[i] = self.rate_of(self.forms[i])
                rotated = self.c[i] * p.derivative(s + i) if degrees[s + i] else self.zero
                if degrees[c + i]:
                    rotated = rotated - self.s[i] * p.derivative(c + i)
                if rotated:
                    out = out + speed * rotated
        for k in range(n):
            if degrees[q + k]:
                out = out + self.v[k] * p.derivative(q + k)
        for i, argument in enumerate(self.functions):
            for order in range(DERIVATIVES):
                at = f + DERIVATIVES * i + order
                if degrees[at]:
                    assert order + 1 < DERIVATIVES, "a fourth derivative of a law is never needed"
                    of = self.arguments[i]
                    speed = self.rate_of(argument) if of is None else self.rate(of)
                    out = out + speed * self.f[i][order + 1] * p.derivative(at)
        return self.reduce(out)

    def gradient(self, p: Poly) -> list[Poly]:
        """d p / d q_k for every k."""
        out = [self.zero] * self.coordinate_count
        for k in self.depends_on(p):
            out[k] = self.derivative(p, k)
        return out

    def velocity_terms(self, value: Poly, jacobian: list[Poly]) -> Poly:
        """gamma of a row C(q) = 0: -(d C_q / dt) v."""
        gamma = self.zero
        for k, entry in enumerate(jacobian):
            if entry:
                gamma = gamma - self.rate(entry) * self.v[k]
        return self.reduce(gamma)

    # vectors

    def dot(self, a: Vector, b: Vector) -> Poly:
        self._multiply(sum(len(x) * len(y) for x, y in zip(a, b)))
        return self.reduce(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])

    def cross(self, a: Vector, b: Vector) -> Vector:
        self._multiply(sum(map(len, a)) * sum(map(len, b)))
        return [
            self.reduce(a[1] * b[2] - a[2] * b[1]),
            self.reduce(a[2] * b[0] - a[0] * b[2]),
            self.reduce(a[0] * b[1] - a[1] * b[0]),
        ]

    def rotated(self, axis: int | None, form: Form, v: Vector, back: bool = False) -> Vector:
        """Rot(axis, form) v, or its inverse."""
        if axis is None or not form:
            return v
        j, k = (axis + 1) % 3, (axis + 2) % 3
        if not v[j] and not v[k]:
            return v
        c, s = self.cosine_sine(form)
        if back:
            s = -s
        out = list(v)
        out[j], out[k] = self.reduce(c * v[j] - s * v[k]), self.reduce(s * v[j] + c * v[k])
        return out

    def signed(self, direction: Sequence[int]) -> Vector:
        """A vector of whole numbers."""
        return [self.context.constant(d) for d in direction]

    def to_body(self, P: Permutation, v: Vector) -> Vector:
        """P^T v."""
        rows = tuple(zip(*P))
        transposed: Permutation = rows  # type: ignore[assignment]
        return list(permuted(transposed, v))

    def part_with(self, p: Poly, tag: int) -> Poly:
        """The terms that carry a mark, by its place among the tags."""
        at = self.starts["t"] + tag
        slope = p.derivative(at)
        if not slope:
            return self.zero
        # marks stand in terms once; a power of one would come out of the derivative as a factor
        assert not slope.derivative(at), "a term is marked once by each body or force"
        return self.t[tag] * slope

    def untagged(self, p: Poly) -> Poly:
        """The element without the marks of where its terms come from."""
        start = self.starts["t"]
        merged: dict[tuple, flint.fmpq] = {}
        blank = (0,) * len(self.tags)
        for exponents, coefficient in p.to_dict().items() if p else ():
            key = exponents[:start] + blank
            merged[key] = merged.get(key, flint.fmpq(0)) + coefficient
        return self.context.from_dict({k: v for k, v in merged.items() if v})

    def part_in(self, p: Poly, symbols: set[int]) -> Poly:
        """The terms that consist of a number and the given symbols alone."""
        start, stop = self.starts["p"], self.starts["p"] + self.symbol_count
        kept = {}
        for exponents, coefficient in p.to_dict().items():
            if all(
                start <= i < stop and i - start in symbols for i, e in enumerate(exponents) if e
            ):
                kept[exponents] = coefficient
        return self.context.from_dict(kept)

    def number(
        self, p: Poly, value_of: Callable[[int], float], coordinates: dict[int, float] | None = None
    ) -> float:
        """The number of an element that contains symbols, fixed angles and the given coordinates
        only.
        """
        values = [0.0] * len(self.names)
        for k, value in (coordinates or {}).items():
            values[self.starts["q"] + k] = value
        for i, form in enumerate(self.forms):
            angle = sum(c * value_of(-1 - v) for v, c in form if v < 0)
            values[self.starts["s"] + i], values[self.starts["c"] + i] = (
                math.sin(angle),
                math.cos(angle),
            )
        for i in range(self.symbol_count):
            values[self.starts["p"] + i] = value_of(i)
        for i in range(len(self.tags)):
            values[self.starts["t"] + i] = 1.0
        return math.fsum(
            float(c.p)
            / float(c.q)
            * math.prod(values[i] ** int(e) for i, e in enumerate(exponents) if e)
            for exponents, c in p.to_dict().items()
        )


def wave(reading: Any, arm: Amount, form: Form, cosine: bool) -> tuple[Any, ...]:
    """Arm times cosine or sine of a form, with its derivatives, as elements of a ring or graph."""
    a, (c, s) = reading.amount(arm), reading.cosine_sine(form)
    return (a * c, -(a * s), -(a * c), a * s) if cosine else (a * s, a * c, -(a * s), -(a * c))
