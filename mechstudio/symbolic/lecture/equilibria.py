"""The chapter of equilibria: where they are, the linearised equations there, the characteristic
polynomial and whether they are stable (THEORY 5).

In symbols where an equilibrium's angles are right angles and nothing closes; else in numbers, and
the steps say so.  A verdict always comes from the eigenvalues of the linearised system in the
drawing's numbers.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import flint
import numpy as np

from mechstudio.model.equations.lecture import CHAPTER_TITLES, EQUILIBRIA, Chapter, Equality, Step
from mechstudio.model.equations.terms import Block, Entry, Name
from mechstudio.model.findings import joined
from mechstudio.model.units import format_number
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.methods.partition import determinant
from mechstudio.symbolic.methods.sampling import Compiled, Values
from mechstudio.symbolic.plan.drawn_places import drawn_state
from mechstudio.symbolic.printers.text import name as spoken
from mechstudio.symbolic.printers.writer import Writer
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import comma, series, tr, trn

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

MOST_COORDINATES = 8
STARTS = 24  # from which equilibria are looked for
ROUNDING = 1e-11  # of the largest coefficient
SINGULAR = 1e-10  # inertia of a motion over the largest one that counts as none
ALONG = (
    0.13,
    0.37,
    0.5,
    0.71,
    0.9,
)  # of the way between two equilibria, where it is looked whether they are of one family
FLAT = 1e-7  # of an eigenvalue over the largest one: neither grows nor decays


@dataclass
class Found:
    """An equilibrium: q, multipliers, and the eigenvalues s of the linearised system on the free
    motions.

    hidden: free motions without inertia in these coordinates, which are singular here; they are in
    no eigenvalue.  along: places of the coordinates along which it goes on resting.
    """

    q: np.ndarray
    multipliers: np.ndarray
    eigenvalues: np.ndarray
    polynomial: np.ndarray
    hidden: int = 0
    along: set[int] = field(default_factory=set)

    @property
    def verdict(self) -> str:
        """A sentence."""
        if not len(self.eigenvalues):
            return tr("Nothing can move.")
        size = max(1e-9, float(np.abs(self.eigenvalues).max()))
        real = np.real(self.eigenvalues) / size
        if real.max() > FLAT * 100:
            return tr(
                "Unstable: a disturbance grows with e^({value:.4g} t).",
                value=np.real(self.eigenvalues).max(),
            )
        still = int(np.sum(np.abs(self.eigenvalues) < 1e-4 * size))
        if still:
            return tr(
                "Neutral: {still} of {count} eigenvalues are zero, along which it drifts; in the "
                "others it is stable.",
                still=still,
                count=len(self.eigenvalues),
            )
        if real.max() < -FLAT * 100:
            return tr("Asymptotically stable: every disturbance dies away.")
        return tr("Stable: disturbances stay small and swing on; nothing damps all of them.")


class _Static:
    """The static equations g - tau(v = 0) - C_q^T lambda = 0, C = 0, and their slopes, laid out for
    numbers.
    """

    def __init__(self, d: "DerivedEquations"):
        ring, n = d.ring, d.ring.coordinate_count
        result = d.by(d.method)
        at_rest = {ring.starts["v"] + k: 0 for k in range(n)}
        self.d, self.n = d, n
        rest = lambda p: without_rates(d, p, at_rest)
        self.force = [ring.reduce(g - rest(t)) for g, t in zip(result.g, result.tau)]
        self.rows = [r for r in d.rows if not r.is_zero and not r.label.endswith("(velocity)")]
        self.held = [r for r in d.rows if any(r.jacobian)]
        self.stiffness = [ring.gradient(p) for p in self.force]
        self.damping = [
            [rest(-t.derivative(ring.starts["v"] + j)) if t else ring.zero for j in range(n)]
            for t in result.tau
        ]
        self.bend = [[ring.gradient(p) for p in r.jacobian] for r in self.held]
        self.of_force, self.of_K, self.of_D, self.of_M = (
            Compiled(ring, [self.force]),
            Compiled(ring, self.stiffness),
            Compiled(ring, self.damping),
            Compiled(ring, result.M),
        )
        self.of_C = Compiled(ring, [[r.value for r in self.rows]]) if self.rows else None
        self.of_held = Compiled(ring, [r.jacobian for r in self.held]) if self.held else None
        self.of_bend = [Compiled(ring, b) for b in self.bend]

    def solve(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Newton's method from q; None where it leads nowhere."""
        multipliers = np.zeros(len(self.held))
        size = 1.0
        for _ in range(60):
            values = Values(self.d, q)
            force, K = self.of_force.at(values)[0], self.of_K.at(values)
            held = self.of_held.at(values) if self.of_held else np.zeros((0, self.n))
            if not np.isfinite(force).all():
                return None
            if len(held):
                multipliers = np.linalg.lstsq(held.T, force, rcond=1e-9)[0]
            C = self.of_C.at(values)[0] if self.of_C else np.zeros(0)
            residual = force - held.T @ multipliers
            size = max(size, float(np.abs(force).max(initial=0.0)))
            if (
                np.abs(residual).max(initial=0.0) < 1e-10 * size
                and np.abs(C).max(initial=0.0) < 1e-10
            ):
                return q, multipliers
            H = K - sum(
                (x * b.at(values) for x, b in zip(multipliers, self.of_bend)), np.zeros_like(K)
            )
            m = len(held)
            A = np.block([[H, -held.T], [held, np.zeros((m, m))]])
            right = np.concatenate((-residual, -_spread(self.rows, self.held, C)))
            step = np.linalg.lstsq(A, right, rcond=1e-10)[0][: self.n]
            q = q + step * min(1.0, 0.7 / max(1e-12, np.abs(step).max()))
        return None

    def judged(self, q: np.ndarray, multipliers: np.ndarray) -> Found:
        values = Values(self.d, q)
        M, K, D = self.of_M.at(values), self.of_K.at(values), self.of_D.at(values)
        K = K - sum((x * b.at(values) for x, b in zip(multipliers, self.of_bend)), np.zeros_like(K))
        N = np.eye(self.n)
        if self.of_held:
            _, s, vt = np.linalg.svd(self.of_held.at(values))
            N = vt[int(np.sum(s > 1e-8 * max(s[0], 1e-300))) :].T
        if not N.shape[1]:
            return Found(q, multipliers, np.zeros(0), np.ones(1))
        M, K, D = (N.T @ X @ N for X in (M, K, D))
        inertia, directions = np.linalg.eigh((M + M.T) / 2)
        moving = inertia > SINGULAR * max(inertia[-1], 1e-300)
        hidden = int(np.sum(~moving))
        if hidden:
            M, K, D = (directions[:, moving].T @ X @ directions[:, moving] for X in (M, K, D))
        f = len(M)
        A = np.block(
            [[np.zeros((f, f)), np.eye(f)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]]
        )
        eigenvalues = np.linalg.eigvals(A)
        return Found(q, multipliers, eigenvalues, np.poly(eigenvalues).real, hidden)

    def rests(self, q: np.ndarray) -> bool:
        """True if q is an equilibrium."""
        values = Values(self.d, q)
        force, C = (
            self.of_force.at(values)[0],
            self.of_C.at(values)[0] if self.of_C else np.zeros(0),
        )
        size = max(1.0, float(np.abs(force).max(initial=0.0)))
        if self.of_held:
            held = self.of_held.at(values)
            force = force - held.T @ np.linalg.lstsq(held.T, force, rcond=1e-9)[0]
        return bool(
            np.isfinite(force).all()
            and np.abs(force).max(initial=0.0) < 1e-7 * size
            and np.abs(C).max(initial=0.0) < 1e-7
        )

    def one_family(self, q: np.ndarray, way: np.ndarray) -> bool:
        """True if the poses sampled between q and q + way are all equilibria."""
        return all(self.rests(q + share * way) for share in ALONG)


def _spread(rows, held, C) -> np.ndarray:
    """C at the places of all held rows; zero for rows of velocity."""
    by = {id(r): c for r, c in zip(rows, C)}
    return np.array([by.get(id(r), 0.0) for r in held])


def without_rates(d: "DerivedEquations", p: Poly, rates) -> Poly:
    """The terms of an element in which no rate stands."""
    if not p:
        return p
    return d.ring.context.from_dict(
        {e: c for e, c in p.to_dict().items() if not any(e[k] for k in rates)}
    )


def equilibria(d: "DerivedEquations") -> list[Found]:
    """Equilibria found from several starts, the drawn pose first."""
    static, rng = _Static(d), np.random.default_rng(11)
    angle = np.array([c.dimension == "angle" for c in d.plan.coordinates])
    q0, found = drawn_state(d.plan), []
    quarters = np.round(q0[angle] / (math.pi / 2)) * (math.pi / 2)
    for start in range(STARTS):
        d.report(start / STARTS, tr("Looking for equilibria"))
        q = q0.copy()
        if start:
            q[angle] = (
                quarters
                + (math.pi / 2) * rng.integers(0, 4, angle.sum())
                + 0.1 * rng.uniform(-1, 1, angle.sum())
            )
        solved = static.solve(q)
        if solved is None:
            continue
        q, multipliers = solved
        q = q.copy()
        q[angle] = (q[angle] + math.pi) % (2 * math.pi) - math.pi
        q[angle & (np.abs(q + math.pi) < 1e-7)] = math.pi
        way = lambda f: np.where(angle, (q - f.q + math.pi) % (2 * math.pi) - math.pi, q - f.q)
        for f in found:
            step = way(f)
            if np.abs(step).max(initial=0.0) < 1e-5:
                break
            if static.one_family(f.q, step):
                f.along |= set(np.flatnonzero(np.abs(step) > 1e-5).tolist())
                break
        else:
            reach = np.where(angle, 1.0, d.plan.symbols.size)
            along = {k for k in range(len(q)) if static.one_family(q, reach[k] * np.eye(len(q))[k])}
            # of many the one that is drawn as far as it goes
            drawn = np.array([q0[k] if k in along else x for k, x in enumerate(q)])
            if (
                along
                and (solved := static.solve(drawn)) is not None
                and np.abs(solved[0] - drawn).max() < 1e-7
            ):
                q, multipliers = drawn, solved[1]
            found.append(static.judged(q, multipliers))
            found[-1].along |= along
    return found


def equilibria_chapter(d: "DerivedEquations") -> Chapter:
    """Chapter on the equilibria of the mechanism and what happens beside them."""
    refusal = ""
    n = d.ring.coordinate_count
    if not d.complete:
        refusal = tr(
            "The closed form is too long for equilibria to be looked for in it. Use the "
            "equilibria of the analyses, which work in numbers alone."
        )
    elif n > MOST_COORDINATES:
        refusal = tr(
            "Equilibria are looked for up to {most_coordinates} coordinates; here are {n}. Use "
            "the equilibria of the analyses, which work in numbers alone.",
            most_coordinates=MOST_COORDINATES,
            n=n,
        )
    elif any(r.time for r in d.rows):
        refusal = tr(
            "A drive moves the mechanism, so it does not come to rest. Switch the drive off to "
            "see equilibria."
        )
    if refusal:
        return Chapter(EQUILIBRIA, CHAPTER_TITLES[EQUILIBRIA], (), refusal)
    try:
        found = equilibria(d)
    except DerivationError as error:
        return Chapter(EQUILIBRIA, CHAPTER_TITLES[EQUILIBRIA], (), str(error))
    return Chapter(EQUILIBRIA, CHAPTER_TITLES[EQUILIBRIA], tuple(_steps(d, d.writer, found)))


def _steps(d: "DerivedEquations", w: Writer, found: list[Found]) -> Iterator[Step]:
    static = _Static(d)
    conditions = []
    for k, (p, c) in enumerate(zip(static.force, d.plan.coordinates)):
        right = [
            (r.jacobian[k], name) for r, name in zip(d.rows, d.names.multipliers) if r.jacobian[k]
        ]
        conditions.append(
            Equality(
                w.entry(p), w.linear(right), c.meaning, tuple(x for x in (c.joint, c.body) if x)
            )
        )
    yield Step(
        "conditions",
        "conditions",
        "Conditions",
        (tr("At rest weights, springs and loads hold each other, or the rows of C hold them."),),
        equations=tuple(conditions),
    )
    labels = [c.meaning for c in d.plan.coordinates]
    yield Step(
        "stiffness",
        "stiffness",
        tr("Stiffness and damping of the linearised equations"),
        (tr("K = ∂(g − τ)/∂q and D = −∂τ/∂q̇, at any pose."),),
        "linear",
        blocks=(
            w.block("K(q)", w.name("K", "q"), static.stiffness, labels, labels),
            w.block("D(q)", w.name("D", "q"), static.damping, labels, labels),
        ),
    )
    if not found:
        yield Step(
            "none",
            "equilibrium",
            tr("No equilibrium found"),
            (tr("From {starts} starts none was found near the drawing.", starts=STARTS),),
        )
    for number, f in enumerate(found):
        place = comma().join(
            f"{spoken(name)} = {_value(c.dimension, x)}"
            for name, c, x in zip(d.names.q, d.plan.coordinates, f.q)
        )
        symbolic = _symbolic(d, w, f, number)
        words = [tr("Found in numbers from {starts} starts: {place}.", starts=STARTS, place=place)]
        if f.along:
            words.append(
                trn(
                    "It is one of many: it goes on resting as {q} changes.",
                    "It is one of many: it goes on resting as {q} change.",
                    len(f.along),
                    q=joined([spoken(d.names.q[k]) for k in sorted(f.along)]),
                )
            )
        words.append(f.verdict)
        if f.hidden:
            words.append(
                tr(
                    "These coordinates are singular at this pose: a motion that they cannot "
                    "describe there is not in the verdict."
                )
            )
        if symbolic:
            words.append(
                tr(
                    "Its characteristic polynomial, in symbols, is that of M s² + D s + K at this "
                    "pose; the verdict is that of the drawing's numbers."
                )
            )
            yield Step(
                f"equilibrium:{number}",
                "equilibrium",
                tr("Equilibrium {number}", number=number + 1),
                tuple(words),
                "linear",
                symbolic[0],
                symbolic[1],
            )
            continue
        largest = float(np.abs(f.polynomial).max())
        coefficients = series(
            format_number(float(x) if abs(x) > ROUNDING * largest else 0.0, 5) for x in f.polynomial
        )
        words.append(
            tr(
                "In numbers, not in symbols: the characteristic polynomial has the coefficients "
                "{coefficients}, highest power first.",
                coefficients=coefficients,
            )
        )
        yield Step(
            f"equilibrium:{number}",
            "equilibrium",
            tr("Equilibrium {number}", number=number + 1),
            tuple(words),
            "linear",
        )


def _value(dimension: str, x: float) -> str:
    # what is left of zero after Newton's last step is no number to read
    shown = round(math.degrees(x) if dimension == "angle" else x, 8) + 0.0
    return f"{format_number(shown)}{'°' if dimension == 'angle' else ' m'}"


def _symbolic(
    d: "DerivedEquations", w: Writer, f: Found, number: int
) -> tuple[tuple[Equality, ...], tuple[Block, ...]] | None:
    """(characteristic polynomial, M and K) at a pose of right angles, in symbols; None anywhere
    else.
    """
    ring, n = d.ring, d.ring.coordinate_count
    if d.rows or n > 3 or ring.functions:
        return None
    values = Values(d, f.q).values
    start = ring.starts
    at: dict[int, int] = {}
    for i in range(len(ring.forms)):
        for letter in "sc":
            x = values[start[letter] + i]
            if abs(x - round(x)) > 1e-6:
                return None
            at[start[letter] + i] = round(x)
    static = _Static(d)
    value_at = lambda p: _substituted(d, p, at)
    M, K, D = (
        [[value_at(p) for p in row] for row in rows]
        for rows in (d.by(d.method).M, static.stiffness, static.damping)
    )
    used = range(start["l"], start["f"]), range(start["q"], start["q"] + n)
    if any(
        p and any(p.degrees()[k] for places in used for k in places)
        for rows in (K, D, M)
        for row in rows
        for p in row
    ):
        return None
    s = ring.v[0]  # no rate is left, so the first one stands for s
    A = [
        [
            ring.untagged(M[i][j]) * s * s + ring.untagged(D[i][j]) * s + ring.untagged(K[i][j])
            for j in range(n)
        ]
        for i in range(n)
    ]
    polynomial = determinant(ring, A)
    if not polynomial:
        return None  # coordinates that are singular here
    powers: dict[int, dict] = {}
    for e, c in polynomial.to_dict().items():
        key = list(e)
        power, key[start["v"]] = int(e[start["v"]]), 0
        powers.setdefault(power, {})[tuple(key)] = c
    letter = w.name("s")
    parts: list[tuple[Poly, Name | None]] = [
        (ring.context.from_dict(powers[k]), Name(letter.name, "s", "", 0, k) if k else None)
        for k in sorted(powers, reverse=True)
    ]
    labels = [c.meaning for c in d.plan.coordinates]
    blocks = (
        w.block(f"M:{number}", w.name("M", str(number + 1)), M, labels, labels, symmetric=True),
        w.block(f"K:{number}", w.name("K", str(number + 1)), K, labels, labels),
    )
    return (Equality(w.linear(parts), Entry(), tr("characteristic polynomial")),), blocks


def _substituted(d: "DerivedEquations", p: Poly, at: dict[int, int]) -> Poly:
    """An element with whole numbers in place of some generators."""
    out: dict[tuple[int, ...], flint.fmpq] = {}
    for e, c in p.to_dict().items() if p else ():
        key, factor = list(e), 1
        for k, x in at.items():
            if e[k]:
                factor *= x ** int(e[k])
                key[k] = 0
        if factor:
            out[tuple(key)] = out.get(tuple(key), flint.fmpq(0)) + c * factor
    return d.ring.context.from_dict({k: v for k, v in out.items() if v})


__all__ = ["Found", "equilibria", "equilibria_chapter"]
