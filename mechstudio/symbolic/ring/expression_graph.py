"""A ring of hash-consed operations: every sum and product is one node, however often it is used
(recursive form; EQUATIONS).

Zeros, ones and terms that cancel vanish while the graph is built, and signs move outwards, as in
Robotran's recursive generation (Fisette and Samin 1993).  Derivatives go forward through the
graph, so that they share what the values share (Griewank and Walther 2008, chapter 3).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from mechstudio.symbolic.plan.layout import Form
from mechstudio.symbolic.ring.polynomials import (
    DERIVATIVES,
    Poly,
    Reading,
    Ring,
    Vector,
    normal,
    wave,
)

SUM, DIFFERENCE, PRODUCT, MINUS, SINE, COSINE, CONSTANT, SYMBOL = (
    "+",
    "-",
    "*",
    "neg",
    "sin",
    "cos",
    "number",
    "symbol",
)
MOTION = -1  # in place of a coordinate: along the motion, by the time
DEEP = 6  # sums in sums within which a term is looked for that cancels
OPERATIONS = (SUM, DIFFERENCE, PRODUCT, MINUS, SINE, COSINE)


class Node:
    """One value of the graph.  kind: one of the above; parts: its operands: nodes, a Fraction, or a
    generator's (letter, place) or form.
    """

    __slots__ = ("graph", "kind", "parts", "place")

    def __init__(self, graph: "Graph", kind: str, parts: tuple, place: int):
        self.graph, self.kind, self.parts, self.place = graph, kind, parts, place

    def __bool__(self) -> bool:
        return self is not self.graph.zero

    def __lt__(self, other: "Node") -> bool:
        return self.place < other.place

    def _other(self, x) -> "Node":
        return (
            x
            if isinstance(x, Node)
            else self.graph.constant(
                Fraction(int(x.p), int(x.q)) if hasattr(x, "p") else Fraction(x)
            )
        )

    def __neg__(self) -> "Node":
        g = self.graph
        if not self or self.kind == MINUS:
            return self.parts[0] if self else self
        if self.kind == DIFFERENCE:
            return g.node(DIFFERENCE, (self.parts[1], self.parts[0]))
        return g.constant(-self.parts[0]) if self.kind == CONSTANT else g.node(MINUS, (self,))

    def __add__(self, x) -> "Node":
        x, g = self._other(x), self.graph
        if not x or not self:
            return x if x else self
        if x.kind == MINUS:
            return self - x.parts[0]
        if self.kind == MINUS:
            return x - self.parts[0]
        if x.kind == self.kind == CONSTANT:
            return g.constant(x.parts[0] + self.parts[0])
        for whole, part in ((self, x), (x, self)):
            rest = whole.without(part, -1)
            if rest is not None:
                return rest
        return g.node(SUM, tuple(sorted((self, x))))

    __radd__ = __add__

    def __sub__(self, x) -> "Node":
        x, g = self._other(x), self.graph
        if not x:
            return self
        if not self:
            return -x
        if x is self:
            return g.zero
        if x.kind == MINUS:
            return self + x.parts[0]
        rest = self.without(x, 1)
        if rest is not None:
            return rest
        rest = x.without(self, 1)
        return g.node(DIFFERENCE, (self, x)) if rest is None else -rest

    def without(self, x: "Node", sign: int, depth: int = DEEP) -> "Node | None":
        """This sum without a term `sign` x of it; None where there is no such term."""
        if self.kind not in (SUM, DIFFERENCE) or not depth:
            return None
        a, b = self.parts
        own = 1 if self.kind == SUM else -1
        if x is b and sign == own:
            return a
        if x is a and sign > 0:
            return b if own > 0 else -b
        rest = a.without(x, sign, depth - 1)
        if rest is not None:
            return rest + b if own > 0 else rest - b
        rest = b.without(x, sign * own, depth - 1)
        return None if rest is None else a + rest if own > 0 else a - rest

    def __rsub__(self, x) -> "Node":
        return self._other(x) - self

    def __mul__(self, x) -> "Node":
        x, g = self._other(x), self.graph
        if not x or not self:
            return g.zero
        if self is g.one or x is g.one:
            return x if self is g.one else self
        if x.kind == self.kind == CONSTANT:
            return g.constant(x.parts[0] * self.parts[0])
        for a, b in ((self, x), (x, self)):
            if a.kind == MINUS:
                return -(a.parts[0] * b)
            if a.kind == CONSTANT and a.parts[0] == -1:
                return -b
        return g.node(PRODUCT, tuple(sorted((self, x))))

    __rmul__ = __mul__

    def __pow__(self, n: int) -> "Node":
        out = self.graph.one
        for _ in range(n):
            out = out * self
        return out


class Graph(Reading):
    """Graph of operations with the interface of a ring that kinematics, rows of loops and the
    recursion need; generators of `ring` are its symbols.

    square: of each length.  arguments: of functions that are taken of no form.
    """

    def __init__(self, ring: Ring):
        self.ring, self.coordinate_count = ring, ring.coordinate_count
        self._nodes: dict[tuple, Node] = {}
        self.zero, self.one = self.constant(Fraction(0)), self.constant(Fraction(1))
        many = lambda letter, count: [self.node(SYMBOL, (letter, i)) for i in range(count)]
        self.q, self.v, self.p = (
            many("q", ring.coordinate_count),
            many("v", ring.coordinate_count),
            many("p", ring.symbol_count),
        )
        self.half = self.constant(Fraction(1, 2))
        self.l, self.w = many("l", ring.spring_count), many("w", ring.spring_count)
        self.square: list[Node] = [self.zero] * ring.spring_count
        self.functions = ring.functions
        self.arguments: list[Node | None] = [None] * len(ring.functions)
        self._slopes: dict[int, dict[int, Node]] = {}  # along a coordinate, or along the motion
        self.f = [
            [self.node(SYMBOL, ("f", i, k)) for k in range(len(orders))]
            for i, orders in enumerate(ring.f)
        ]
        for i, (j, curvature, sign) in ring.circles.items():
            slope = (
                self.zero
                if curvature is None
                else self.f[curvature][0]
                if isinstance(curvature, int)
                else self.amount(curvature)
            )
            self.f[i][2] = (slope if sign > 0 else -slope) * self.f[j][1]
        for i, (arm, form, cosine) in ring.waves.items():
            self.f[i] = list(wave(self, arm, form, cosine))
        for i, sense in ring.lines.items():
            self.f[i][1:] = [self.constant(Fraction(sense)), *[self.zero] * (DERIVATIVES - 2)]
        for _, curvature, _ in ring.circles.values():
            if isinstance(curvature, int):
                # constant on each piece, and steps end where it jumps
                self.f[curvature][1:] = [self.zero] * (DERIVATIVES - 1)

    def node(self, kind: str, parts: tuple) -> Node:
        key = (kind, *(id(x) if isinstance(x, Node) else x for x in parts))
        if key not in self._nodes:
            self._nodes[key] = Node(self, kind, parts, len(self._nodes))
        return self._nodes[key]

    def constant(self, c: Fraction) -> Node:
        return self.node(CONSTANT, (c,))

    def cosine_sine(self, form: Form) -> tuple[Node, Node]:
        known, sign = normal(form)
        return self.node(COSINE, (known,)), self.node(SINE, (known,)) * sign

    def reduce(self, x: Node) -> Node:
        return x

    def dot(self, a: Vector, b: Vector) -> Node:
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

    def cross(self, a: Vector, b: Vector) -> Vector:
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    def signed(self, direction: Sequence[int]) -> Vector:
        return [self.constant(Fraction(d)) for d in direction]

    rotated, to_body = Ring.rotated, Ring.to_body

    def of(self, p: Poly) -> Node:
        """An element of the ring, without the marks of where its terms come from."""
        ring, total = self.ring, self.zero
        for product, coefficient in ring.terms(p).items() if p else ():
            term = self.constant(Fraction(int(coefficient.p), int(coefficient.q)))
            for place, power in product:
                letter, k = ring.names[place].split("_")
                if letter != "t":
                    term = term * self._generator(letter, int(k)) ** power
            total = total + term
        return total

    def _generator(self, letter: str, k: int) -> Node:
        if letter in ("s", "c"):
            return self.node(SINE if letter == "s" else COSINE, (self.ring.forms[k],))
        if letter == "f":
            return self.f[k // DERIVATIVES][k % DERIVATIVES]
        return {"q": self.q, "v": self.v, "p": self.p, "l": self.l, "w": self.w}[letter][k]

    def number(self, x: Node, value_of: Callable[[int], float]) -> float:
        """The number of a value that contains symbols and fixed angles only."""
        found: dict[int, float] = {}
        symbol = lambda k: value_of(-1 - k)
        for node in needed([x]):
            parts = [found[p.place] for p in node.parts if isinstance(p, Node)]
            found[node.place] = (
                float(node.parts[0])
                if node.kind == CONSTANT
                else value_of(node.parts[1])
                if node.kind == SYMBOL
                else calculated(node, parts, symbol)
            )
        return found[x.place]

    # lengths and functions

    def set_length(self, i: int, square: Node) -> None:
        """Declare l_i^2; must be done before l_i or w_i is differentiated."""
        self.square[i] = square

    def length_slope(self, i: int, k: int) -> Node:
        """d l_i / d q_k."""
        return self._along(self.l[i], k)

    def set_argument(self, i: int, argument: Node) -> None:
        """Declare what the function f_i is taken of, where that is no form."""
        self.arguments[i] = argument

    # derivatives

    def derivative(self, x: Node, k: int) -> Node:
        """d x / d q_k."""
        return self._along(x, k)

    def gradient(self, x: Node) -> list[Node]:
        """d x / d q_k for every k."""
        return [self._along(x, k) for k in range(self.coordinate_count)]

    def rate(self, x: Node) -> Node:
        """The time derivative of a function of q; of one of q and v, for constant v."""
        return self._along(x, MOTION)

    def velocity_terms(self, value: Node, jacobian: list[Node]) -> Node:
        """gamma of a row C(q) = 0: its second rate without accelerations, taken to the right."""
        return -self.rate(self.rate(value))

    def _along(self, x: Node, direction: int) -> Node:
        """Derivative by a coordinate, or by the time along MOTION."""
        known = self._slopes.setdefault(direction, {})
        waiting = [x]
        while waiting:
            node = waiting[-1]
            unknown = [p for p in node.parts if isinstance(p, Node) and p.place not in known]
            if unknown and node.place not in known:
                waiting += unknown
                continue
            if node.place not in known:
                known[node.place] = self._slope(node, direction, known)
            waiting.pop()
        return known[x.place]

    def _slope(self, node: Node, direction: int, known: dict[int, Node]) -> Node:
        if node.kind == CONSTANT:
            return self.zero
        if node.kind == SYMBOL:
            return self._slope_of_symbol(node, direction)
        if node.kind in (SINE, COSINE):
            speed = self._speed(node.parts[0], direction)
            other = self.node(COSINE if node.kind == SINE else SINE, node.parts)
            return speed * other if node.kind == SINE else -(speed * other)
        slopes = [known[p.place] for p in node.parts]
        if node.kind == MINUS:
            return -slopes[0]
        if node.kind == PRODUCT:
            a, b = node.parts
            return slopes[0] * b + a * slopes[1]
        return slopes[0] + slopes[1] if node.kind == SUM else slopes[0] - slopes[1]

    def _slope_of_symbol(self, node: Node, direction: int) -> Node:
        letter, i, *order = node.parts
        if letter == "q":
            return self._speed(((i, 1),), direction)
        if letter in ("l", "w"):
            slope = self.half * self._along(self.square[i], direction) * self.w[i]
            return slope if letter == "l" else -(self.w[i] * self.w[i] * slope)
        if letter != "f":
            return self.zero
        argument = self.arguments[i]
        speed = (
            self._speed(self.functions[i], direction)
            if argument is None
            else self._along(argument, direction)
        )
        if not speed:
            return speed
        assert order[0] + 1 < DERIVATIVES, "a fourth derivative of a law is never needed"
        return speed * self.f[i][order[0] + 1]

    def _speed(self, form: Form, direction: int) -> Node:
        """Slope of a form of coordinates."""
        return (
            self.rate_of(form)
            if direction == MOTION
            else self.constant(Fraction(dict(form).get(direction, 0)))
        )


def needed(outputs: Iterable[Node]) -> list[Node]:
    """All nodes that the outputs are made of, in an order in which they can be worked out."""
    found, waiting = {}, list(outputs)
    while waiting:
        node = waiting.pop()
        if node.place not in found:
            found[node.place] = node
            waiting += [x for x in node.parts if isinstance(x, Node)]
    return [found[k] for k in sorted(found)]


def calculated(node: Node, parts: Sequence[float], variable: Callable[[int], float]) -> float:
    """The number of an operation.  parts: those of its nodes.  variable: number of a form's
    variable, coordinate k or symbol -1 - k.
    """
    if node.kind in (SINE, COSINE):
        angle = sum(c * variable(x) for x, c in node.parts[0])
        return math.sin(angle) if node.kind == SINE else math.cos(angle)
    if node.kind == MINUS:
        return -parts[0]
    a, b = parts
    return a + b if node.kind == SUM else a - b if node.kind == DIFFERENCE else a * b


def moves(x: Node) -> bool:
    """True if a value follows the coordinates."""
    return any(
        (node.kind == SYMBOL and node.parts[0] in ("q", "v", "f", "l", "w"))
        or (node.kind in (SINE, COSINE) and any(k >= 0 for k, _ in node.parts[0]))
        for node in needed([x])
    )
