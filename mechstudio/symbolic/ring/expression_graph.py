"""A ring of hash-consed operations: every sum and product is one node, however often it is used
(recursive form; EQUATIONS).

Zeros, ones and terms that cancel vanish while the graph is built, and signs move outwards, as in
Robotran's recursive generation (Fisette and Samin 1993).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from mechstudio.symbolic.plan.layout import Form
from mechstudio.symbolic.ring.polynomials import Reading, Ring, Vector, normal, wave

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


class Graph(Reading):
    """Graph of operations with the interface of a ring that Kinematics and the recursion need;
    generators of `ring` are its symbols.
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
            self.f[i][1:3] = [self.constant(Fraction(sense)), self.zero]

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

    rotated = Ring.rotated


def needed(outputs: Iterable[Node]) -> list[Node]:
    """All nodes that the outputs are made of, in an order in which they can be worked out."""
    found, waiting = {}, list(outputs)
    while waiting:
        node = waiting.pop()
        if node.place not in found:
            found[node.place] = node
            waiting += [x for x in node.parts if isinstance(x, Node)]
    return [found[k] for k in sorted(found)]


def moves(x: Node) -> bool:
    """True if a value follows the coordinates."""
    return any(
        (node.kind == SYMBOL and node.parts[0] in ("q", "v", "f", "l", "w"))
        or (node.kind in (SINE, COSINE) and any(k >= 0 for k, _ in node.parts[0]))
        for node in needed([x])
    )
