"""Proofs where the closed form is too long: the three derivations run at a random point modulo 2^61
- 1 (THEORY 5; the lemma of Schwartz and Zippel).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from mechstudio.model.equations.lecture import (
    DIFFERENT,
    METHOD_TITLES,
    METHODS,
    RANDOM,
    SAMPLED,
    UNPROVEN,
    Proof,
)
from mechstudio.symbolic.kinematics.method import PAIRS, Method
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import NewtonEuler
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.sampling import Values, massless_words, poses, with_mass
from mechstudio.symbolic.proofs.derivatives import (
    PRIME,
    NoRoot,
    Number,
    PointRing,
    at_point,
    random_ring,
)
from mechstudio.translation import Words, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

MOST_TRIES = 200  # points until every length has a root
_WHERE: Words = (
    "Equal at a random point, in exact arithmetic modulo 2⁶¹ − 1: the closed form is too "
    "long to be compared term by term."
)


class LagrangeAtPoint(Lagrange):
    """Lagrange's equations in numbers: derivatives by the rates from T's being quadratic, T(v + e)
    - T(v) - T(e) = e . M v.
    """

    def derive(self) -> None:
        ring, n = self.ring, self.ring.coordinate_count
        rates, zero = ring.v, ring.zero
        unit = lambda k: [ring.one if j == k else zero for j in range(n)]
        plus = lambda a, b: [x + y for x, y in zip(a, b)]

        def energy(v):
            ring.v = v
            return sum((self.kinetic(m) for m in self.loads.masses), zero)

        single = [energy(unit(k)) for k in range(n)]
        whole = energy(rates)
        for k in range(n):
            for j in range(k, n):
                self.M[k][j] = (
                    2 * single[k]
                    if j == k
                    else energy(plus(unit(k), unit(j))) - single[k] - single[j]
                )
        momenta = [energy(plus(rates, unit(k))) - whole - single[k] for k in range(n)]
        ring.v = rates
        self.mirror()
        for k in range(n):
            self.b[k] = ring.rate(momenta[k]) - self._slope(whole, k)
        for effort in self.efforts:
            if not effort.conservative:
                for k, part in self.work(effort).items():
                    self.tau[k] = self.tau[k] + part
        for effort in self.efforts:
            if effort.conservative and effort.slopes is not None:
                for k, part in self.stored(effort).items():
                    self.g[k] = self.g[k] + part
        stored = [self.weight(m) for m in self.loads.masses] + [
            self.potential(e) for e in self.efforts if e.conservative and e.slopes is None
        ]
        for part in stored:
            for k in range(n):
                self.g[k] = self.g[k] + self._slope(part, k)

    def _slope(self, x, k: int):
        return Number(self.ring, x.slopes[k], self.ring.flat)  # type: ignore[arg-type,attr-defined]

    def gradient(self, x) -> list[Any]:
        return [self._slope(x, k) for k in range(self.ring.coordinate_count)]


CLASSES: dict[str, type[Method]] = {
    "newton-euler": NewtonEuler,
    "projected": Projected,
    "lagrange": LagrangeAtPoint,
}


def results_at(d: "DerivedEquations", ring: PointRing, methods=METHODS) -> dict[str, Method]:
    """The methods' results over a ring of numbers."""
    out = {}
    for method in methods:
        out[method] = CLASSES[method](
            at_point(d.setting, ring), 10**12, lambda fraction, sentence: None
        )
        out[method].derive()
    return out


def random_proofs(d: "DerivedEquations") -> tuple[Proof, ...]:
    """The claims of proofs.proofs at a random point."""
    ring = None
    for seed in range(MOST_TRIES):
        try:
            ring = random_ring(d.ring, seed)
            break
        except NoRoot:
            continue
    if ring is None:
        return tuple(
            Proof(
                f"M:{a}={b}",
                tr(
                    "{a} and {body} give the same mass matrix M.",
                    a=tr(METHOD_TITLES[a]),
                    body=tr(METHOD_TITLES[b]),
                ),
                UNPROVEN,
                tr("No point was found at which all lengths have roots."),
                (),
                (a, b),
            )
            for a, b in PAIRS
        )
    results = results_at(d, ring)
    out = []
    for a, b in PAIRS:
        words = tr("{a} and {body}", a=tr(METHOD_TITLES[a]), body=METHOD_TITLES[b])
        same_M = all(x == y for r, s in zip(results[a].M, results[b].M) for x, y in zip(r, s))
        balance = lambda m: [b + g - t for b, g, t in zip(m.b, m.g, m.tau)]
        same_h = all(x == y for x, y in zip(balance(results[a]), balance(results[b])))
        out.append(
            _verdict(
                f"M:{a}={b}",
                tr("{words} give the same mass matrix M.", words=words),
                same_M,
                (a, b),
            )
        )
        out.append(
            _verdict(
                f"h:{a}={b}", tr("{words} give the same b + g − τ.", words=words), same_h, (a, b)
            )
        )
    own = results[d.method]
    # the methods' M carry slopes by q where they were not made of differences of energies alone
    M, n = own.M, ring.coordinate_count
    out.append(
        _verdict(
            "symmetric",
            tr("M is symmetric."),
            all(M[i][j] == M[j][i] for i in range(n) for j in range(i)),
        )
    )
    v = [x.value for x in ring.v]
    half = pow(2, -1, PRIME)
    C = [
        [
            sum(
                (M[j][k].slopes[l] + M[j][l].slopes[k] - M[k][l].slopes[j]) * v[l] for l in range(n)
            )
            * half
            % PRIME
            for k in range(n)
        ]
        for j in range(n)
    ]
    rate = [
        [sum(M[i][j].slopes[l] * v[l] for l in range(n)) % PRIME for j in range(n)]
        for i in range(n)
    ]
    skew = all(
        (rate[i][j] - 2 * C[i][j] + rate[j][i] - 2 * C[j][i]) % PRIME == 0
        for i in range(n)
        for j in range(i, n)
    )
    out.append(_verdict("skew", tr("Ṁ − 2C is skew."), skew))
    out.append(
        _verdict(
            "christoffel",
            "C(q, q̇) q̇ = b.",
            all(
                (sum(C[i][j] * v[j] for j in range(n)) - own.b[i].value) % PRIME == 0
                for i in range(n)
            ),
        )
    )
    out.append(_positive(d))
    return tuple(out)


def _verdict(key: str, claim: str, holds: bool, between: tuple[str, ...] = ()) -> Proof:
    if holds:
        return Proof(key, claim, RANDOM, tr(_WHERE), (), between)
    return Proof(
        key, claim, DIFFERENT, tr("They differ at a random point, so they differ."), (), between
    )


def numbers_at(d: "DerivedEquations", q, v=None) -> Method:
    """M, b, g and tau in floating-point numbers at a state, whatever their length in symbols."""
    values = Values(d, q, v if v is not None else [0.0] * len(q))
    return results_at(d, PointRing(d.ring, values.values), ("projected",))["projected"]


def _positive(d: "DerivedEquations") -> Proof:
    worst = float("inf")
    for q, _ in poses(d, 3):
        heavy, found = with_mass(d), numbers_at(d, q).M
        M = np.array([[float(found[i][j].value) for j in heavy] for i in heavy])
        scale = np.sqrt(np.maximum(np.abs(np.diag(M)), 1e-12 * np.abs(M).max()))
        worst = min(worst, float(np.linalg.eigvalsh(M / np.outer(scale, scale)).min()))
    detail = tr(
        "The smallest eigenvalue {worst:.3g}, of M with ones on its diagonal, at 3 sampled "
        "poses{massless_words}.",
        worst=worst,
        massless_words=massless_words(d),
    )
    return Proof("positive", tr("M is positive."), SAMPLED if worst > 1e-12 else DIFFERENT, detail)
