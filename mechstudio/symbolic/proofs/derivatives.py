"""A ring of numbers with their slopes by every coordinate, in which the same derivations run at one
point in place of in symbols.

Modulo the prime 2^61 - 1, at random parameters and random points of the circles: an identity
between polynomials that fails anywhere fails here but for a chance of degree / 2^61
(Schwartz-Zippel).  With floating-point numbers, at a pose: M and b of whatever is too long to be
written.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.load_efforts import Action, Effort
from mechstudio.symbolic.kinematics.method import Setting
from mechstudio.symbolic.plan.layout import Form, Permutation, permuted
from mechstudio.symbolic.ring.polynomials import DERIVATIVES, Poly, Reading, Ring, Vector, normal

PRIME = 2**61 - 1


class NoRoot(Exception):
    """A squared length that has no root at this point; another point has."""


class Number:
    """A number with its slopes by the coordinates; modulo PRIME where the ring is."""

    __slots__ = ("ring", "slopes", "value")

    def __init__(self, ring: "PointRing", value, slopes: list):
        self.ring, self.value, self.slopes = ring, value, slopes

    def __bool__(self) -> bool:
        return bool(self.value) or any(self.slopes)

    def __len__(self) -> int:
        return 1

    def __eq__(self, other) -> bool:
        return isinstance(other, Number) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other):
        o = self.ring.element(other)
        m = self.ring.modulus
        if m:
            return Number(
                self.ring,
                (self.value + o.value) % m,
                [(a + b) % m for a, b in zip(self.slopes, o.slopes)],
            )
        return Number(
            self.ring, self.value + o.value, [a + b for a, b in zip(self.slopes, o.slopes)]
        )

    __radd__ = __add__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + self.ring.element(other) * -1

    def __rsub__(self, other):
        return self.ring.element(other) - self

    def __mul__(self, other):
        m, x = self.ring.modulus, self.value
        if isinstance(other, int):
            return Number(
                self.ring,
                x * other % m if m else x * other,
                [a * other % m if m else a * other for a in self.slopes],
            )
        o = self.ring.element(other)
        y = o.value
        if m:
            return Number(
                self.ring, x * y % m, [(x * b + a * y) % m for a, b in zip(self.slopes, o.slopes)]
            )
        return Number(self.ring, x * y, [x * b + a * y for a, b in zip(self.slopes, o.slopes)])

    __rmul__ = __mul__


class PointRing(Reading):
    """Ring at one point, with the operations that Kinematics and the methods need.  point: values
    of the generators of `ring`, by their places.
    """

    def __init__(self, ring: Ring, point: Sequence, modulus: int = 0):
        self.ring, self.modulus = ring, modulus
        self.coordinate_count, self.spring_count, self.tags = (
            ring.coordinate_count,
            ring.spring_count,
            ring.tags,
        )
        n, start = ring.coordinate_count, ring.starts
        self.values = list(point)
        self.flat = [0] * n
        self.zero, self.one = Number(self, 0, self.flat), Number(self, 1, self.flat)
        self.half = Number(self, pow(2, -1, modulus) if modulus else 0.5, self.flat)
        plain = lambda letter, count: [
            Number(self, x, self.flat) for x in self.values[start[letter] : start[letter] + count]
        ]
        self.v, self.p = plain("v", n), plain("p", ring.symbol_count)
        self.q = [
            Number(self, self.values[start["q"] + k], [int(j == k) for j in range(n)])
            for k in range(n)
        ]
        self._index = {form: i for i, form in enumerate(ring.forms)}
        self._pairs = []
        for i, form in enumerate(ring.forms):
            s, c = self.values[start["s"] + i], self.values[start["c"] + i]
            slope = [dict(form).get(k, 0) for k in range(n)]
            self._pairs.append(
                (Number(self, c, [-x * s for x in slope]), Number(self, s, [x * c for x in slope]))
            )
        self.f = [[self.of(p) for p in orders[:-1]] for orders in ring.f]

    def element(self, x) -> Number:
        if isinstance(x, Number):
            return x
        if isinstance(x, int):
            return Number(self, x % self.modulus if self.modulus else x, self.flat)
        return Number(
            self,
            int(x.p) * pow(int(x.q), -1, self.modulus) % self.modulus
            if self.modulus
            else float(x.p) / float(x.q),
            self.flat,
        )

    def number(self, p: Poly):
        """The value of an element of the polynomial ring."""
        m, total = self.modulus, 0
        for factors, c in self.ring.terms(p).items():
            product = self.element(c).value
            for i, e in factors:
                product = (
                    product * pow(self.values[i], e, m) % m if m else product * self.values[i] ** e
                )
            total += product
        return total % m if m else total

    def of(self, p: Poly) -> Any:
        """An element of the polynomial ring with its slopes."""
        slopes = [0] * self.coordinate_count
        for k in self.ring.depends_on(p):
            slopes[k] = self.number(self.ring.derivative(p, k))
        return Number(self, self.number(p), slopes)

    # the interface of Ring

    def tag(self, id: str) -> Number:
        return self.one

    def constant(self, c: Fraction) -> Number:
        return Number(
            self,
            c.numerator * pow(c.denominator, -1, self.modulus) % self.modulus
            if self.modulus
            else c.numerator / c.denominator,
            self.flat,
        )

    def reduce(self, x):
        return x

    def rate(self, x: Number) -> Number:
        """Along v, for constant v."""
        return (
            Number(
                self,
                self.element(0).value + sum(s * v.value for s, v in zip(x.slopes, self.v)),
                self.flat,
            )
            * 1
        )

    def dot(self, a: Vector, b: Vector):
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

    def cross(self, a: Vector, b: Vector) -> Vector:
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    def cosine_sine(self, form: Form):
        known, sign = normal(form)
        c, s = self._pairs[self._index[known]]
        return c, sign * s

    rotated = Ring.rotated

    def signed(self, direction: Sequence[int]) -> Vector:
        return [self.element(d) for d in direction]

    def to_body(self, P: Permutation, v: Vector) -> Vector:
        transposed = tuple(tuple(P[r][c] for r in range(3)) for c in range(3))
        return list(permuted(transposed, v))  # type: ignore[arg-type]


def at_point(setting: Setting, ring: PointRing) -> Setting:
    """The same reading of the drawing over a ring of numbers; rows are left out."""

    def vector(v):
        return None if v is None else [ring.of(x) for x in v]

    def effort(e: Effort) -> Effort:
        actions = [Action(a.body, a.cursor, vector(a.force), vector(a.moment)) for a in e.actions]
        return Effort(
            e.load,
            ring.of(e.x),
            ring.of(e.v),
            ring.of(e.value),
            [ring.of(x) for x in e.numbers],
            actions,
            e.form,
            None if e.slopes is None else vector(e.slopes),
            None if e.stored is None else ring.of(e.stored),
            [(ring.of(x), ring.of(y)) for x, y in e.parts],
        )

    kinematics = Kinematics(setting.plan, ring)  # type: ignore[arg-type]
    return replace(
        setting,
        ring=ring,
        kinematics=kinematics,
        efforts=[effort(e) for e in setting.efforts],
        rows=[],
        closures=[],
        ratios=[],  # type: ignore[arg-type]
        gravity=ring.amounts(setting.loads.gravity),
    )


def random_ring(ring: Ring, seed: int) -> PointRing:
    """A ring at a random point modulo PRIME.  Raises NoRoot where a length has no root there."""
    rng = random.Random(seed)
    values = [rng.randrange(2, PRIME) for _ in ring.names]
    start = ring.starts
    for i in range(len(ring.tags)):
        values[start["t"] + i] = 1
    for i in range(len(ring.forms)):
        t = rng.randrange(2, PRIME)
        down = pow(1 + t * t, -1, PRIME)
        values[start["s"] + i], values[start["c"] + i] = (
            2 * t * down % PRIME,
            (1 - t * t) * down % PRIME,
        )
    for i, (j, _, _) in ring.circles.items():
        t = rng.randrange(2, PRIME)
        down = pow(1 + t * t, -1, PRIME)
        at = lambda k: start["f"] + DERIVATIVES * k + 1
        values[at(i)], values[at(j)] = 2 * t * down % PRIME, (1 - t * t) * down % PRIME
    for i in range(ring.spring_count):
        if ring.square[i]:
            square = PointRing(ring, values, PRIME).number(ring.square[i])
            # PRIME = 3 modulo 4
            root = pow(square, (PRIME + 1) // 4, PRIME)
            if root * root % PRIME != square:
                raise NoRoot
            values[start["l"] + i], values[start["w"] + i] = root, pow(root, -1, PRIME)
    return PointRing(ring, values, PRIME)


__all__ = ["NoRoot", "Number", "PointRing", "at_point", "random_ring"]
