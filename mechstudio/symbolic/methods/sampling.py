"""Numbers of ring elements at sampled states, for what no polynomial can say: definiteness, rank,
equilibria.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.laws.evaluation import jet
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.plan.drawn_places import drawn_state
from mechstudio.symbolic.plan.plan import CURVATURE
from mechstudio.symbolic.ring.polynomials import DERIVATIVES, Monomial, Poly, Ring
from mechstudio.symbolic.ring.turn_function import ATTITUDE, turn_function
from mechstudio.translation import comma, tr, trn

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations
    from mechstudio.symbolic.plan.plan import Opaque, Plan

# way [m] -> c, c', c'' in A's axes
Curve = Callable[[float], tuple[np.ndarray, np.ndarray, np.ndarray]]
SPREAD = 0.5  # of a pose: radians, or of the mechanism's size


def poses(d: "DerivedEquations", count: int, seed: int = 7) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random (q, v) about the drawing, the same every time."""
    rng, q = np.random.default_rng(seed), drawn_state(d.plan)
    reach = np.array(
        [
            SPREAD if c.dimension == "angle" else SPREAD * d.plan.symbols.size
            for c in d.plan.coordinates
        ]
    )
    return [
        (q + reach * rng.uniform(-1, 1, len(q)), rng.uniform(-1, 1, len(q))) for _ in range(count)
    ]


def with_mass(d: "DerivedEquations") -> list[int]:
    """The coordinates that move a body; the way along a closing curve moves none."""
    return [k for k, c in enumerate(d.plan.coordinates) if c.body]


def massless_words(d: "DerivedEquations") -> str:
    """Phrase for the coordinates that are left out since they have no mass."""
    left_out = [name.name for c, name in zip(d.plan.coordinates, d.names.q) if not c.body]
    return (
        trn(
            ", without {left_out}, which has no mass",
            ", without {left_out}, which have no mass",
            len(left_out),
            left_out=comma().join(left_out),
        )
        if left_out
        else ""
    )


def function_jet(
    plan: "Plan", f: "Opaque", s: float, curves: Mapping[str, Curve]
) -> tuple[float, float, float]:
    """An opaque function with two derivatives.  Raises DerivationError for a curve that has not
    been evaluated.
    """
    if f.kind == ATTITUDE:
        return turn_function(s)[:3]
    if f.kind == "law":
        law = plan.mechanism.couplings[f.source].law
        assert law is not None
        return jet(law, s)
    if f.source not in curves:
        raise DerivationError(
            tr(
                "The curve of joint {owner} has no numbers here. Derive through "
                "mechstudio.derive, which lays it out, or hand it over as curves.",
                owner=f.owner,
            )
        )
    jet_ = curves[f.source](s)
    if f.component >= CURVATURE:
        return float(np.cross(*jet_[1:])[f.component - CURVATURE]), 0.0, 0.0
    return tuple(float(x[f.component]) for x in jet_)  # type: ignore[return-value]


class Values:
    """The number of every generator at one state, and with it of any element."""

    def __init__(
        self,
        d: "DerivedEquations",
        q: Sequence[float] | np.ndarray,
        v: Sequence[float] | np.ndarray | None = None,
        parameters: Mapping[int, float] | None = None,
    ):
        ring, plan = d.ring, d.plan
        self.ring, start = ring, ring.starts
        known = parameters or {}
        p = [known.get(i, plan.symbols.value_of(i)) for i in range(ring.symbol_count)]
        values = [0.0] * len(ring.names)
        values[start["q"] : start["q"] + len(q)] = map(float, q)
        if v is not None:
            values[start["v"] : start["v"] + len(v)] = map(float, v)
        values[start["p"] : start["p"] + len(p)] = p
        for i in range(len(ring.tags)):
            values[start["t"] + i] = 1.0
        for i, form in enumerate(ring.forms):
            angle = sum(c * (q[x] if x >= 0 else p[-1 - x]) for x, c in form)
            values[start["s"] + i], values[start["c"] + i] = math.sin(angle), math.cos(angle)
        for i, f in enumerate(plan.functions):
            if ring.arguments[i] is not None or i in plan.waves:
                continue  # it may stand on lengths
            s = sum(c * (q[x] if x >= 0 else p[-1 - x]) for x, c in f.argument)
            at = start["f"] + DERIVATIVES * i
            values[at : at + 3] = function_jet(plan, f, float(s), d.curves)
            values[at + 3] = math.nan
        self.values = values
        for i in range(ring.spring_count):
            length = math.sqrt(max(0.0, self.of(ring.square[i])))
            values[start["l"] + i], values[start["w"] + i] = (
                length,
                1.0 / length if length else math.inf,
            )
        for i, argument in enumerate(ring.arguments):
            if argument is not None:
                at = start["f"] + DERIVATIVES * i
                s, f = self.of(argument), plan.functions[i]
                values[at : at + DERIVATIVES] = (
                    turn_function(s)
                    if f.kind == ATTITUDE
                    else (*function_jet(plan, f, s, d.curves), math.nan)
                )

    def of(self, p: Poly) -> float:
        """The number of an element."""
        values, total = self.values, []
        for factors, coefficient in self.ring.terms(p).items():
            product = float(coefficient.p) / float(coefficient.q)
            for i, e in factors:
                product *= values[i] if e == 1 else values[i] ** e
            total.append(product)
        return math.fsum(total)

    def matrix(self, rows: Sequence[Sequence[Poly]]) -> np.ndarray:
        """Elements in rows as an array."""
        return Compiled(self.ring, rows).at(self)

    def column(self, elements: Sequence[Poly]) -> np.ndarray:
        return Compiled(self.ring, [elements]).at(self)[0] if elements else np.zeros(0)


class Compiled:
    """Elements in rows laid out as arrays, for many states."""

    def __init__(self, ring: Ring, rows: Sequence[Sequence[Poly]]):
        self.shape = (len(rows), len(rows[0]) if rows else 0)
        products: list[Monomial] = []
        coefficients: list[float] = []
        self.starts = []
        for row in rows:
            for p in row:
                self.starts.append(len(products))
                if p:
                    terms = ring.terms(p)
                    products += terms
                    coefficients += [float(c.p) / float(c.q) for c in terms.values()]
        self.coefficients = np.array(coefficients)
        # the generators' powers that occur stand in a table behind a one, which fills products of
        # fewer factors up
        powers = sorted({factor for product in products for factor in product})
        self.generators, self.exponents = (np.array([f[k] for f in powers], int) for k in (0, 1))
        place = {factor: k + 1 for k, factor in enumerate(powers)}
        width = max(map(len, products), default=0)
        self.factors = np.array(
            [
                [*(place[f] for f in product), *(0,) * (width - len(product))]
                for product in products
            ],
            np.int32,
        ).reshape(len(products), width)

    def at(self, values: Values) -> np.ndarray:
        """The numbers at a state, (rows, columns)."""
        if not len(self.coefficients):
            return np.zeros(self.shape)
        table = np.concatenate(([1.0], np.array(values.values)[self.generators] ** self.exponents))
        products = (self.coefficients * table[self.factors].prod(axis=1)).tolist()
        stops = [*self.starts[1:], len(products)]
        return np.array([math.fsum(products[a:b]) for a, b in zip(self.starts, stops)]).reshape(
            self.shape
        )
