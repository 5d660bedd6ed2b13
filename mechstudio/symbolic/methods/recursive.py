"""The recursive form: M by composite bodies and b + g by recursive Newton-Euler, as a graph of
named intermediates.

Featherstone 2008, sections 5.3 and 6.2, along the legs of the layout: for a six-axis arm a few
hundred operations in place of thousands of terms.  Loads other than weights are not in it; they
stand by themselves in the closed form.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.symbolic.kinematics.loads import Mass
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.plan.layout import (
    Cursor,
    Form,
    Leg,
    Shift,
    Slide,
    Track,
    Turn,
    permuted,
    plus,
)
from mechstudio.symbolic.ring.expression_graph import (
    CONSTANT,
    OPERATIONS,
    SYMBOL,
    Graph,
    Node,
    calculated,
    moves,
    needed,
)
from mechstudio.symbolic.ring.polynomials import DERIVATIVES, Vector

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

Basis = tuple[int, int | None, Form]  # display frame, axis and form of the run of turns in it


@dataclass
class Recursive:
    """M and h = b + g (weights only) as nodes, and b and g by themselves.

    U: energy of the weights [J], without what nothing moves.  order: all nodes that M and h need;
    operations: how many of them compute.
    """

    d: "DerivedEquations"
    graph: Graph
    M: list[list[Node]]
    h: list[Node]
    b: list[Node]
    g: list[Node]
    U: Node

    @property
    def order(self) -> list[Node]:
        return needed([*(x for row in self.M for x in row), *self.h])

    @property
    def operations(self) -> int:
        return sum(node.kind in OPERATIONS for node in self.order)

    def at(self, q, v) -> tuple[np.ndarray, np.ndarray]:
        """(M, h) in numbers."""
        number = numbers_of(self.d, self.order, q, v)
        return np.array([[number[x.place] for x in row] for row in self.M]), np.array(
            [number[x.place] for x in self.h]
        )


def numbers_of(d: "DerivedEquations", order: Sequence[Node], q, v) -> dict[int, float]:
    """The numbers of nodes by their places.  order: in which they can be worked out."""
    values, ring = Values(d, q, v), d.ring
    of = lambda x: q[x] if x >= 0 else d.plan.symbols.value_of(-1 - x)
    number: dict[int, float] = {}
    for node in order:
        if node.kind == SYMBOL:
            letter, i, *order_ = node.parts
            place = DERIVATIVES * i + order_[0] if order_ else i
            number[node.place] = values.values[ring.starts[letter] + place]
        elif node.kind == CONSTANT:
            number[node.place] = float(node.parts[0])
        else:
            parts = [number[x.place] for x in node.parts if isinstance(x, Node)]
            number[node.place] = calculated(node, parts, of)
    return number


class _Builder:
    def __init__(self, d: "DerivedEquations"):
        self.d, self.plan, self.g = d, d.plan, Graph(d.ring)
        self.frames = d.plan.layout.frames
        self.zero = [self.g.zero] * 3

    # vectors in run axes: those of a body up to a signed permutation

    def rebased(self, v: Vector, source: Basis, target: Basis) -> Vector:
        """From one basis to another, the shortest way: the run's axes are the display axes of a
        frame that opens on it.
        """
        if source == target or not any(v):
            return v
        path = lambda f: [f] + (path(self.frames[f].parent) if f else [])
        mine, other = path(source[0]), path(target[0])
        shared = next(f for f in mine if f in other)
        f, axis, form = source
        while f != shared:
            v = self.g.rotated(axis, form, v)
            opened = self.frames[f]
            f, axis, form = opened.parent, opened.axis, opened.form
        for frame in reversed(other[: other.index(shared)]):
            opened = self.frames[frame]
            v = self._within(v, axis, form, opened.axis, opened.form)
            axis, form = None, ()
        return self._within(v, axis, form, target[1], target[2])

    def _within(self, v: Vector, axis, form: Form, to_axis, to_form: Form) -> Vector:
        if form == to_form and (axis == to_axis or not form):
            return v
        if form and to_form and axis == to_axis:
            return self.g.rotated(axis, plus(to_form, form, -1), v, back=True)
        return self.g.rotated(to_axis, to_form, self.g.rotated(axis, form, v), back=True)

    @staticmethod
    def basis(c: Cursor | Shift | Slide | Track) -> Basis:
        return (c.frame, c.axis if c.form else None, c.form)

    def leg(self, leg: Leg) -> tuple[Vector, Basis]:
        """A leg's vector in its own basis."""
        g = self.g
        if isinstance(leg, Track):
            return [
                g.zero if f is None else g.f[f][0] * s for f, s in zip(leg.functions, leg.signs)
            ], self.basis(leg)
        assert not isinstance(leg, Turn)
        if isinstance(leg, Shift):
            return g.amounts(leg.vector), self.basis(leg)
        length = g.length(leg.length) * g.amount(leg.factor)
        return [length * d for d in leg.direction], self.basis(leg)

    def tangent(self, leg: Slide | Track) -> Vector:
        g = self.g
        if isinstance(leg, Track):
            return [
                g.zero if f is None else g.f[f][1] * s for f, s in zip(leg.functions, leg.signs)
            ]
        return [g.amount(leg.factor) * d for d in leg.direction]

    def legs(self, body: str, parent: str) -> tuple[Leg, ...]:
        cursor, inner = self.plan.cursors[body], self.plan.cursors[parent].legs
        return cursor.legs[len(inner) :] if cursor.legs[: len(inner)] == inner else cursor.legs

    def plus(self, *vectors: Vector) -> Vector:
        return [sum(parts[1:], parts[0]) for parts in zip(*vectors)]

    # recursion

    def build(self) -> Recursive:
        g, loads = self.g, self.d.setting.loads
        self.masses = {m.id: m for m in loads.masses}
        gravity = [-x for x in g.amounts(loads.gravity)]
        return Recursive(
            self.d,
            g,
            self.mass_matrix(),
            self.bias(gravity, g.rate_of),
            self.bias(self.zero, g.rate_of),
            self.bias(gravity, lambda form: g.zero),
            self.energy(),
        )

    def bias(self, gravity: Vector, rate_of: Callable[[Form], Node]) -> list[Node]:
        """Velocity terms and weights per coordinate: `gravity` is the acceleration that the ground
        seems to have, `rate_of` gives the rates of forms.
        """
        h = [self.g.zero] * self.g.coordinate_count
        branches = self.plan.tree.branches
        start: Basis = (0, None, ())
        state = {"ground": (start, self.zero, self.zero, gravity)}
        wrench = {}
        for branch in branches:
            basis, w, alpha, a = state.get(branch.parent, state["ground"])
            for leg in self.legs(branch.body, branch.parent):
                basis, w, alpha, a = self.forward(leg, basis, w, alpha, a, rate_of)
            cursor = self.plan.cursors[branch.body]
            own = self.basis(cursor)
            w, alpha, a = (self.rebased(x, basis, own) for x in (w, alpha, a))
            state[branch.body] = (own, w, alpha, a)
            wrench[branch.body] = self.body_wrench(self.masses[branch.body], cursor, w, alpha, a)
        for branch in reversed(branches):
            legs = self.legs(branch.body, branch.parent)
            own = self.basis(self.plan.cursors[branch.body])
            force, moment = wrench[branch.body]
            basis, force, moment = self.backward(legs, own, force, moment, h)
            if branch.parent in wrench:
                target = self.basis(self.plan.cursors[branch.parent])
                f, t = wrench[branch.parent]
                wrench[branch.parent] = (
                    self.plus(f, self.rebased(force, basis, target)),
                    self.plus(t, self.rebased(moment, basis, target)),
                )
        return h

    def energy(self) -> Node:
        """Energy of the weights: heights along gravity, leg by leg."""
        g = self.g
        total: Node = g.zero
        start: Basis = (0, None, ())
        state: dict[str, tuple[Basis, Vector, Node]]
        state = {"ground": (start, g.amounts(self.d.setting.loads.gravity), g.zero)}
        for branch in self.plan.tree.branches:
            basis, pull, height = state.get(branch.parent, state["ground"])
            for leg in self.legs(branch.body, branch.parent):
                if not isinstance(leg, Turn):
                    arm, to = self.leg(leg)
                    pull, basis = self.rebased(pull, basis, to), to
                    height = height + g.total(x * y for x, y in zip(pull, arm) if moves(x * y))
            cursor, m = self.plan.cursors[branch.body], self.masses[branch.body]
            own = self.basis(cursor)
            pull = self.rebased(pull, basis, own)
            state[branch.body] = (own, pull, height)
            arm = permuted(cursor.permutation, g.amounts(m.arm))
            rest = g.total(x * y for x, y in zip(pull, arm) if moves(x * y))
            total = total - g.amount(m.mass) * (height + rest)
        return total

    def mass_matrix(self) -> list[list[Node]]:
        """M by composite bodies."""
        n = self.g.coordinate_count
        M = [[self.g.zero] * n for _ in range(n)]
        branches = self.plan.tree.branches
        composite = {
            b.body: self.inertia(self.masses[b.body], self.plan.cursors[b.body]) for b in branches
        }
        for branch in reversed(branches):
            legs = self.legs(branch.body, branch.parent)
            own = self.basis(self.plan.cursors[branch.body])
            inner = branch.parent in composite
            target = self.basis(self.plan.cursors[branch.parent]) if inner else None
            self.composite(branch, legs, own, composite, M, target)
        for k in range(n):
            for j in range(k):
                M[k][j] = M[j][k]
        return M

    def forward(
        self,
        leg: Leg,
        basis: Basis,
        w: Vector,
        alpha: Vector,
        a: Vector,
        rate_of: Callable[[Form], Node],
    ):
        g = self.g
        if isinstance(leg, Turn):
            # about an axis of the display frame, which the run's turns leave as it is
            to: Basis = (leg.frame, None, ()) if basis[0] != leg.frame else basis
            w, alpha, a = (self.rebased(x, basis, to) for x in (w, alpha, a))
            rate = list(self.zero)
            rate[leg.axis] = rate_of(leg.rate)
            return to, self.plus(w, rate), self.plus(alpha, g.cross(w, rate)), a
        arm, to = self.leg(leg)
        w, alpha, a = (self.rebased(x, basis, to) for x in (w, alpha, a))
        a = self.plus(a, g.cross(alpha, arm), g.cross(w, g.cross(w, arm)))
        if isinstance(leg, Slide | Track):
            rate = rate_of(leg.length if isinstance(leg, Slide) else leg.variable)
            along = [rate * x for x in self.tangent(leg)]
            rotated = g.cross(w, along)
            a = self.plus(a, rotated, rotated)
            if isinstance(leg, Track):
                a = self.plus(
                    a,
                    [
                        g.zero if f is None else g.f[f][2] * s * rate * rate
                        for f, s in zip(leg.functions, leg.signs)
                    ],
                )
        return to, w, alpha, a

    def inertia(self, m: Mass, cursor: Cursor):
        """Mass, m c and inertia about the reference point, in run axes."""
        g, P = self.g, cursor.permutation
        arm = list(permuted(P, g.amounts(m.arm)))
        mass = g.amount(m.mass)
        theta = self.rotated_matrix(P, [[g.amount(x) for x in row] for row in m.inertia])
        hc = [mass * x for x in arm]
        square = g.dot(hc, arm)
        J = [
            [theta[i][j] + (square if i == j else g.zero) - hc[i] * arm[j] for j in range(3)]
            for i in range(3)
        ]
        return mass, hc, J

    @staticmethod
    def rotated_matrix(P, A):
        rows = [permuted(P, column) for column in zip(*A)]
        return [list(permuted(P, column)) for column in zip(*rows)]

    def body_wrench(self, m: Mass, cursor: Cursor, w: Vector, alpha: Vector, a: Vector):
        g, P = self.g, cursor.permutation
        arm = list(permuted(P, g.amounts(m.arm)))
        mass = g.amount(m.mass)
        force = [mass * x for x in self.plus(a, g.cross(alpha, arm), g.cross(w, g.cross(w, arm)))]
        theta = self.rotated_matrix(P, [[g.amount(x) for x in row] for row in m.inertia])
        times = lambda v: [g.dot(row, v) for row in theta]
        return force, self.plus(times(alpha), g.cross(w, times(w)), g.cross(arm, force))

    def backward(self, legs, basis: Basis, force: Vector, moment: Vector, h: list[Node]):
        """Carry a wrench inwards along legs, and add its efforts along their motions to h."""
        g = self.g
        for place in range(len(legs) - 1, -1, -1):
            leg = legs[place]
            if isinstance(leg, Turn):
                to: Basis = (leg.frame, None, ()) if basis[0] != leg.frame else basis
                force, moment, basis = (
                    self.rebased(force, basis, to),
                    self.rebased(moment, basis, to),
                    to,
                )
                for k, c in leg.rate:
                    h[k] = h[k] + moment[leg.axis] * c
                continue
            arm, to = self.leg(leg)
            force, moment, basis = (
                self.rebased(force, basis, to),
                self.rebased(moment, basis, to),
                to,
            )
            if isinstance(leg, Slide | Track):
                part = g.dot(self.tangent(leg), force)
                for k, c in leg.length if isinstance(leg, Slide) else leg.variable:
                    h[k] = h[k] + part * c
            moment = self.plus(moment, g.cross(arm, force))
        return basis, force, moment

    def composite(self, branch, legs, basis: Basis, known: dict, M, target: Basis | None) -> None:
        """M's entries of a body's joint, and its composite inertia handed inwards."""
        g = self.g
        m, hc, J = known[branch.body]
        for place in range(len(legs) - 1, -1, -1):
            leg = legs[place]
            if isinstance(leg, Turn):
                to: Basis = (leg.frame, None, ()) if basis[0] != leg.frame else basis
                hc, J, basis = self.rebased(hc, basis, to), self.rebased_matrix(J, basis, to), to
                axis = [g.one if k == leg.axis else g.zero for k in range(3)]
                self.entries(
                    branch,
                    legs[:place],
                    leg,
                    leg.rate,
                    basis,
                    g.cross(axis, hc),
                    [J[k][leg.axis] for k in range(3)],
                    M,
                )
                continue
            arm, to = self.leg(leg)
            hc, J, basis = self.rebased(hc, basis, to), self.rebased_matrix(J, basis, to), to
            if isinstance(leg, Slide | Track):
                force = [m * x for x in self.tangent(leg)]
                moment = g.cross(hc, self.tangent(leg))
                if isinstance(leg, Track):
                    # a curve leads across its arm, which a slide never does
                    moment = self.plus(moment, g.cross(arm, force))
                self.entries(
                    branch,
                    legs[:place],
                    leg,
                    leg.length if isinstance(leg, Slide) else leg.variable,
                    basis,
                    force,
                    moment,
                    M,
                )
            if place == 0 and target is None:
                return
            # J' = J + (2 h . r + m r . r) 1 - h r^T - r h^T - m r r^T
            mr = [m * x for x in arm]
            whole = self.plus(hc, hc, mr)
            size = g.dot(whole, arm)
            J = [
                [
                    J[i][j]
                    + (size if i == j else g.zero)
                    - hc[i] * arm[j]
                    - arm[i] * hc[j]
                    - mr[i] * arm[j]
                    if j >= i
                    else g.zero
                    for j in range(3)
                ]
                for i in range(3)
            ]
            J = [[J[min(i, j)][max(i, j)] for j in range(3)] for i in range(3)]
            hc = self.plus(hc, mr)
        if target is not None:
            pm, ph, pJ = known[branch.parent]
            J = self.rebased_matrix(J, basis, target)
            known[branch.parent] = (
                pm + m,
                self.plus(ph, self.rebased(hc, basis, target)),
                [self.plus(a, b) for a, b in zip(pJ, J)],
            )

    def rebased_matrix(self, J, source: Basis, target: Basis):
        if source == target:
            return J
        columns = [self.rebased([J[i][k] for i in range(3)], source, target) for k in range(3)]
        out = [self.rebased([columns[k][i] for k in range(3)], source, target) for i in range(3)]
        return [[out[min(i, j)][max(i, j)] for j in range(3)] for i in range(3)]

    def entries(
        self, branch, inner, leg: Leg, rate: Form, basis: Basis, force: Vector, moment: Vector, M
    ) -> None:
        """Carry the wrench of a unit acceleration inwards: every motion that it meets gives an
        entry of M.
        """
        g = self.g
        if isinstance(leg, Slide | Track):
            own = g.dot(self.tangent(leg), force)
        else:
            assert leg.axis is not None, "a leg that moves turns"
            own = moment[leg.axis]
        for k, c in rate:
            for j, e in rate:
                if j >= k:
                    M[k][j] = M[k][j] + own * (c * e)
        n = g.coordinate_count
        parents = {b.body: b for b in self.plan.tree.branches}
        body, legs = branch.body, inner
        while True:
            column = [g.zero] * n
            basis, force, moment = self.backward(legs, basis, force, moment, column)
            for j, part in enumerate(column):
                for k, c in rate if part else ():
                    a, b = min(k, j), max(k, j)
                    M[a][b] = M[a][b] + part * (2 * c if a == b else c)
            body = parents[body].parent
            if body not in parents:
                return
            target = self.basis(self.plan.cursors[body])
            force, moment, basis = (
                self.rebased(force, basis, target),
                self.rebased(moment, basis, target),
                target,
            )
            legs = self.legs(body, parents[body].parent)


def recursive(d: "DerivedEquations") -> Recursive:
    """Build the recursive form of a derivation's tree."""
    return _Builder(d).build()
