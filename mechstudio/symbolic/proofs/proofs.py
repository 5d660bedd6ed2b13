"""Proofs: three derivations compared pairwise, and what must hold of any mass matrix (THEORY 5).

In the ring equal means identical, so a difference that prints as 0 is a proof.  Inverse lengths of
springs are cleared first: a sum that contains w is multiplied by the power of l that takes it away.
A real spring length is never zero, so nothing is lost by that.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.equations.lecture import (
    DIFFERENT,
    EXACT,
    METHOD_TITLES,
    METHODS,
    SAMPLED,
    UNPROVEN,
    Proof,
)
from mechstudio.model.equations.terms import Block, Entry
from mechstudio.symbolic.errors import DerivationError, TooLarge
from mechstudio.symbolic.kinematics.method import PAIRS, Method
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.methods.newton_euler import NewtonEuler
from mechstudio.symbolic.methods.sampling import Compiled, Values, massless_words, poses, with_mass
from mechstudio.symbolic.ring.polynomials import Poly, Ring
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

POSES = 3  # at which M is evaluated in numbers


def cleared(ring: Ring, p: Poly) -> Poly:
    """A multiple of an element in which no inverse length stands; zero only for zero."""
    p = ring.reduce(p)
    for i in range(ring.spring_count):
        power = p.degrees()[ring.starts["w"] + i] if p else 0
        if power:
            p = ring.reduce(ring.l[i] ** power * p)
    return p


def difference(ring: Ring, a: Poly, b: Poly) -> Poly:
    """a - b in the normal form; zero exactly where they are equal."""
    if a == b:
        return ring.zero
    rest = ring.reduce(a - b)
    return rest if rest and cleared(ring, rest) else ring.zero


def balance(ring: Ring, m: Method) -> list[Poly]:
    """b + g - tau."""
    return [b + g - t for b, g, t in zip(m.b, m.g, m.tau)]


def proofs(d: "DerivedEquations") -> tuple[Proof, ...]:
    """All proofs of a derivation, but the engine's verdict."""
    try:
        results = {method: d.by(method) for method in (d.method, *METHODS)}
        with d.ring.bounded(d.term_limit):
            return exact_proofs(d, results)
    except TooLarge:
        from mechstudio.symbolic.proofs.random_point import random_proofs

        return random_proofs(d)


def exact_proofs(d: "DerivedEquations", results: Mapping[str, Method]) -> tuple[Proof, ...]:
    """By the differences in the ring.   results: of all methods.  Raises TooLarge."""
    out = []
    for a, b in PAIRS:
        out += _compared(d, results[a], results[b], a, b)
    out += _multipliers(d, results["newton-euler"])
    lagrange = results["lagrange"]
    assert isinstance(lagrange, Lagrange)
    return (*out, *_shape_of(d, results[d.method], lagrange))


def _compared(d: "DerivedEquations", a: Method, b: Method, name: str, other: str) -> list[Proof]:
    ring, n = d.ring, d.ring.coordinate_count
    words = tr("{name} and {other}", name=tr(METHOD_TITLES[name]), other=tr(METHOD_TITLES[other]))
    M = [[difference(ring, a.M[i][j], b.M[i][j]) for j in range(n)] for i in range(n)]
    h = [[difference(ring, x, y)] for x, y in zip(balance(ring, a), balance(ring, b))]
    return [
        _verdict(
            d,
            f"M:{name}={other}",
            tr("{words} give the same mass matrix M.", words=words),
            M,
            (name, other),
        ),
        _verdict(
            d,
            f"h:{name}={other}",
            tr("{words} give the same b + g − τ.", words=words),
            h,
            (name, other),
        ),
    ]


def _multipliers(d: "DerivedEquations", newton: Method) -> list[Proof]:
    """The forces that stand behind the multipliers, carried through the joints, against the
    gradients of C.
    """
    assert isinstance(newton, NewtonEuler)
    if not d.setting.rows:
        return []
    rest = [
        [difference(d.ring, a, b) for a, b in zip(row.jacobian, found)]
        for row, found in zip(d.setting.rows, newton.rows)
    ]
    return [
        _verdict(
            d,
            "rows",
            tr("The reactions behind the multipliers are C_qᵀ λ, C_q being the gradient of C."),
            rest,
        )
    ]


def _shape_of(d: "DerivedEquations", result: Method, lagrange: Lagrange) -> list[Proof]:
    ring, n, M = d.ring, d.ring.coordinate_count, result.M
    symmetric = [
        [difference(ring, M[i][j], M[j][i]) if j > i else ring.zero for j in range(n)]
        for i in range(n)
    ]
    C = lagrange.christoffel
    known = lagrange.rates_of_mass
    zero: Poly = ring.zero
    rate = lambda i, j: (
        known.get((min(i, j), max(i, j)), zero)
        if M[i][j] == lagrange.M[i][j]
        else ring.rate(M[i][j])
    )
    skew = [[ring.zero] * n for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            skew[i][j] = difference(ring, rate(i, j) + rate(j, i), 2 * C[i][j] + 2 * C[j][i])
    product = [
        [difference(ring, ring.total(C[i][j] * ring.v[j] for j in range(n)), result.b[i])]
        for i in range(n)
    ]
    return [
        _verdict(d, "symmetric", tr("M is symmetric."), symmetric),
        _verdict(d, "skew", tr("Ṁ − 2C is skew."), skew),
        _verdict(d, "christoffel", "C(q, q̇) q̇ = b.", product),
        positive(d),
    ]


def _verdict(
    d: "DerivedEquations",
    key: str,
    claim: str,
    rest: Sequence[Sequence[Poly]],
    between: tuple[str, ...] = (),
) -> Proof:
    count = sum(1 for row in rest for p in row if p)
    if not count:
        return Proof(
            key, claim, EXACT, tr("The difference is the zero of the polynomial ring."), (), between
        )
    entries = sum(len(row) for row in rest)
    return Proof(
        key,
        claim,
        DIFFERENT,
        tr("{count} of {entries} entries differ.", count=count, entries=entries),
        (block(d, f"difference:{key}", "difference", rest),),
        between,
    )


def block(d: "DerivedEquations", key: str, heading: str, rows: Sequence[Sequence[Poly]]) -> Block:
    """Ring elements as a block of entries."""
    presenter = d.presenter
    labels = (
        tuple(c.meaning for c in d.plan.coordinates) if len(rows) == d.ring.coordinate_count else ()
    )
    return Block(
        key,
        heading,
        tuple(tuple(presenter.entry(p) if p else Entry() for p in row) for row in rows),
        labels,
    )


def positive(d: "DerivedEquations") -> Proof:
    """M has no negative eigenvalue at sampled poses: in numbers, by elimination."""
    worst, at = float("inf"), 0
    claim = tr("M is positive.")
    heavy = with_mass(d)
    M = d.by(d.method).M
    compiled = Compiled(
        d.ring, [[M[i][j] if j >= i else d.ring.zero for j in heavy] for i in heavy]
    )
    for k, (q, _) in enumerate(poses(d, POSES)):
        try:
            upper = compiled.at(Values(d, q))
            numbers = np.triu(upper) + np.triu(upper, 1).T
        except DerivationError as error:
            return Proof("positive", claim, UNPROVEN, str(error))
        size = float(np.abs(numbers).max(initial=0.0)) or 1.0
        scale = np.sqrt(np.maximum(np.abs(np.diag(numbers)), 1e-12 * size))
        least = float(np.linalg.eigvalsh(numbers / np.outer(scale, scale)).min())
        if least < worst:
            worst, at = least, k
    where = tr(
        "smallest eigenvalue {worst:.3g}, of M with ones on its diagonal, at {poses} sampled poses",
        worst=worst,
        poses=POSES,
    ) + massless_words(d)
    if worst > 1e-12:
        return Proof("positive", claim, SAMPLED, tr("The {where}.", where=where))
    if worst > -1e-9:
        return Proof(
            "positive",
            claim,
            DIFFERENT,
            tr(
                "The {where} (the {ordinal}): a motion there has no inertia.",
                where=where,
                ordinal=_ordinal(at + 1),
            ),
        )
    return Proof(
        "positive",
        claim,
        DIFFERENT,
        tr("The {where}: it is negative at the {ordinal}.", where=where, ordinal=_ordinal(at + 1)),
    )


def _ordinal(k: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(k, f"{k}th")
