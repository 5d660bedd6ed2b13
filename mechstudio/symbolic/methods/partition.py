"""Independent coordinates: q = (q_i, q_d), the matrix B and the reduced equations (THEORY 5,
embedded form; Shabana).

B = [I; -C_qd^-1 C_qi],  q' = B q_i' + beta,  beta = [0; -C_qd^-1 C_t],  q'' = B q_i'' + c,  B^T M B
q_i'' = B^T (Q - M c)
N = [det I; -adj(C_qd) C_qi] is a polynomial, spans the same motions, and C_q N = 0 exactly;
det(C_qd) = 0 are the dead centres of q_i.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.model.element_fields.laws import dimension_of
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.kinematics.loop_rows import Row, UnwrittenRow
from mechstudio.symbolic.methods.sampling import Compiled, Values
from mechstudio.symbolic.plan.drawn_places import drawn_state
from mechstudio.symbolic.ring.polynomials import Poly, Ring
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

RANK = 1e-8  # singular value over the largest one below which a direction counts as lost
LARGEST = 4  # rows of C_qd beyond which its inverse is not written out
MOST_TERMS = 400  # of the null vectors


def closed_state(d: "DerivedEquations") -> np.ndarray:
    """The coordinates as drawn, moved by least norm until C = 0 (n,) [m, rad].  Raises
    DerivationError where they do not close.
    """
    q = drawn_state(d.plan)
    rows = [r for r in d.setting.rows if not r.label.endswith("(velocity)")]
    if not rows:
        return q
    at = places_of(d, rows)
    # angles that cannot be read off the drawing: the first start that closes
    rng = np.random.default_rng(5)
    for attempt in range(12):
        x = q + (0.0 if attempt == 0 else 0.4 * attempt) * rng.uniform(-1, 1, len(q))
        for _ in range(60):
            C, jacobian = at(x)
            if np.abs(C).max() < 1e-12 * max(1.0, d.plan.symbols.size):
                return x
            step = np.linalg.lstsq(jacobian(), C, rcond=1e-7)[0]
            x = x - step * min(1.0, 0.5 / max(1e-12, np.abs(step).max()))
    raise DerivationError(
        tr(
            "The loops do not close near the drawing, so no pose could be found for numbers. "
            "Assemble the drawing (menu Simulate) first."
        )
    )


def places_of(
    d: "DerivedEquations", rows: Sequence[Row]
) -> Callable[[np.ndarray], tuple[np.ndarray, Callable[[], np.ndarray]]]:
    """q -> C (m,) of some rows, and their Jacobian (m, n) where it is requested."""
    if any(isinstance(r, UnwrittenRow) for r in d.rows):
        chosen = {id(r) for r in rows}
        f, kept = d.function(), [k for k, r in enumerate(d.rows) if id(r) in chosen]

        def by_code(q: np.ndarray) -> tuple[np.ndarray, Callable[[], np.ndarray]]:
            found = f(q, np.zeros(len(q)), 0.0, d.values)
            return found[3][kept], lambda: found[4][kept]

        return by_code
    value, jacobian = (
        Compiled(d.ring, [[r.value for r in rows]]),
        Compiled(d.ring, [r.jacobian for r in rows]),
    )

    def closed(q: np.ndarray) -> tuple[np.ndarray, Callable[[], np.ndarray]]:
        values = Values(d, q)
        return value.at(values)[0], lambda: jacobian.at(values)

    return closed


@dataclass
class Partition:
    """A choice of independent coordinates.

    independent, dependent: places in q.  rows: places in C of independent rows, as many as there
    are dependent coordinates.  pose: where it was judged.   singular_values: of C_q there.
    """

    d: "DerivedEquations"
    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    rows: tuple[int, ...]
    pose: np.ndarray
    singular_values: np.ndarray

    # as numbers

    def matrices(self, q: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
        """B (n, f) and C_q of the independent rows at a pose.  Raises DerivationError at a dead
        centre.
        """
        C_q = (
            Values(self.d, q).matrix([self.d.setting.rows[i].jacobian for i in self.rows])
            if self.rows
            else np.zeros((0, len(q)))
        )
        C_d, C_i = C_q[:, list(self.dependent)], C_q[:, list(self.independent)]
        if len(C_d) and np.linalg.svd(C_d, compute_uv=False)[-1] <= RANK * max(
            1e-300, np.abs(C_d).max()
        ):
            raise DerivationError(
                tr("C_qd is singular here: a dead centre of the chosen coordinates. Choose others.")
            )
        B = np.zeros((len(q), len(self.independent)))
        B[list(self.independent)] = np.eye(len(self.independent))
        if len(C_d):
            B[list(self.dependent)] = -np.linalg.solve(C_d, C_i)
        return B, C_q

    def at(self, q: Sequence[float], v: Sequence[float]) -> dict[str, np.ndarray]:
        """B, Bdot, beta, c, and the embedded M and Q, at a state in numbers."""
        d = self.d
        values = Values(d, q, v)
        B, C_q = self.matrices(q)
        rate_rows = [[d.ring.rate(p) for p in d.setting.rows[i].jacobian] for i in self.rows]
        rates = values.matrix(rate_rows) if rate_rows else np.zeros((0, len(q)))
        Bdot, beta, c = np.zeros_like(B), np.zeros(len(q)), np.zeros(len(q))
        if self.rows:
            C_d, at = C_q[:, list(self.dependent)], list(self.dependent)
            # C_q B = 0, so dC_q/dt B + C_q Bdot = 0
            Bdot[at] = -np.linalg.solve(C_d, rates @ B)
            beta[at] = -np.linalg.solve(
                C_d, values.column([d.setting.rows[i].time + d.ring.zero for i in self.rows])
            )
            c[at] = np.linalg.solve(
                C_d, values.column([d.setting.rows[i].gamma for i in self.rows])
            )
        M = values.matrix(d.matrices["M"])
        Q = (
            values.matrix(d.matrices["tau"])[:, 0]
            - values.matrix(d.matrices["b"])[:, 0]
            - values.matrix(d.matrices["g"])[:, 0]
        )
        return {
            "B": B,
            "Bdot": Bdot,
            "beta": beta,
            "c": c,
            "M": B.T @ M @ B,
            "Q": B.T @ (Q - M @ c),
        }

    # in symbols

    def null_vectors(self) -> tuple[list[list[Poly]], Poly] | None:
        """(N, det C_qd) with C_q N = 0 exactly for the independent rows; None where they are too
        large to be written.
        """
        ring, d = self.d.ring, self.d
        if len(self.rows) > LARGEST:
            return None
        C_d = [[d.setting.rows[i].jacobian[k] for k in self.dependent] for i in self.rows]
        C_i = [[d.setting.rows[i].jacobian[k] for k in self.independent] for i in self.rows]
        det, adjugate = determinant(ring, C_d), adjugate_of(ring, C_d)
        N = [[ring.zero] * len(self.independent) for _ in range(ring.coordinate_count)]
        for column, k in enumerate(self.independent):
            N[k][column] = det
            for row, j in enumerate(self.dependent):
                N[j][column] = -ring.reduce(
                    ring.total(adjugate[row][i] * C_i[i][column] for i in range(len(self.rows)))
                )
        content = ring.zero
        for p in [det, *(x for row in N for x in row)]:
            content = content.gcd(p) if content else p
        if content and not content.is_one():
            N, det = [[x // content if x else x for x in row] for row in N], det // content
        return (N, det) if sum(len(x) for row in N for x in row) <= MOST_TERMS else None


def determinant(ring: Ring, A: Sequence[Sequence[Poly]]) -> Poly:
    """By the first row; 1 of nothing."""
    if not A:
        return ring.one
    total = ring.zero
    for k, p in enumerate(A[0]):
        if p:
            minor = determinant(ring, [[*row[:k], *row[k + 1 :]] for row in A[1:]])
            total = total + (-1) ** k * p * minor
    return ring.reduce(total)


def adjugate_of(ring: Ring, A: Sequence[Sequence[Poly]]) -> list[list[Poly]]:
    """A adj(A) = det(A) I."""
    n = len(A)
    minor = lambda i, j: determinant(
        ring, [[p for c, p in enumerate(row) if c != j] for r, row in enumerate(A) if r != i]
    )
    return [[(-1) ** (i + j) * minor(j, i) for j in range(n)] for i in range(n)]


def column_scale(d: "DerivedEquations") -> np.ndarray:
    """Factors of the columns of C_q before it is ranked (n,): lengths and angles are weighed alike
    by the mechanism's size.
    """
    return np.array(
        [d.plan.symbols.size if c.dimension == "length" else 1.0 for c in d.plan.coordinates]
    )


def row_scale(d: "DerivedEquations", rows: Sequence[Row]) -> np.ndarray:
    """Factors of the rows of C_q before it is ranked (m,): the inverse of the size to the power of
    their length.
    """
    mechanism, size = d.plan.mechanism, d.plan.symbols.size

    def power(r: Row) -> int:
        if r.joint in mechanism.joints:
            return (
                2
                if r.label == "distance"
                else 0
                if r.label.startswith("angle") or r.label == "twist"
                else 1
            )
        if r.label.startswith("sine"):
            return 0
        ends = (
            (mechanism.drives[r.joint],)
            if r.joint in mechanism.drives
            else mechanism.couplings[r.joint].ends
        )
        return int("length" in (dimension_of(mechanism, e.joint, e.coordinate) for e in ends))

    return np.array([size ** -float(power(r)) for r in rows])


def _pivots(A: np.ndarray, count: int, prefer: Sequence[int] = ()) -> list[int]:
    """Columns of A that are independent, by elimination with the largest pivot; those not in
    `prefer` are taken first.
    """
    rest, chosen = A.copy(), []
    weight = np.where(np.isin(np.arange(A.shape[1]), list(prefer)), 1e-3, 1.0)
    for _ in range(count):
        sizes = np.linalg.norm(rest, axis=0)
        sizes[chosen] = 0.0
        k = int(np.argmax(sizes * weight))
        if sizes[k] <= 1e-12:
            break
        chosen.append(k)
        u = rest[:, k] / sizes[k]
        rest = rest - np.outer(u, u @ rest)
    return chosen


def partition(d: "DerivedEquations", independent: Sequence[str | int] | None = None) -> Partition:
    """Choose coordinates at the closed pose of the drawing.

    independent: names or places of coordinates; None for those that drives prescribe or that were
    drawn first.  Raises DerivationError, with the reason and a better choice, where the others do
    not follow from these.
    """
    n, all_rows = d.ring.coordinate_count, d.setting.rows
    q = closed_state(d)
    jacobian = Values(d, q).matrix([r.jacobian for r in all_rows]) if all_rows else np.zeros((0, n))
    scaled = row_scale(d, all_rows)[:, None] * jacobian * column_scale(d)
    s = np.linalg.svd(scaled, compute_uv=False) if len(scaled) else np.zeros(0)
    rank = int(np.sum(s > RANK * max(s[0], 1e-300))) if len(s) else 0
    rows = tuple(sorted(_pivots(scaled.T, rank)))
    best = _pivots(scaled[list(rows)], rank, _preferred(d))
    proposal = tuple(k for k in range(n) if k not in best)
    chosen = proposal if independent is None else tuple(_place(d, x) for x in independent)
    if independent is not None:
        _check(d, chosen, proposal, scaled[list(rows)], n - rank)
    return Partition(d, chosen, tuple(k for k in range(n) if k not in chosen), rows, q, s)


def _preferred(d: "DerivedEquations") -> list[int]:
    """Coordinates that make good independent ones: driven or motorised, else the first that was
    drawn.
    """
    driven = {(x.joint, x.coordinate) for x in d.plan.mechanism.drives.values() if x.enabled}
    driven |= {(f.joint, f.coordinate) for f in d.plan.mechanism.forces.values() if f.joint}
    found = [k for k, c in enumerate(d.plan.coordinates) if (c.joint, c.component) in driven]
    if any(r.label.endswith("(velocity)") for r in d.setting.rows):
        # what rolls goes where its angles lead it, in every direction
        found += [k for k, c in enumerate(d.plan.coordinates) if c.dimension == "angle"]
    return found or [0]


def _place(d: "DerivedEquations", x: str | int) -> int:
    names = [n.name for n in d.names.q]
    if isinstance(x, int) and 0 <= x < len(names):
        return x
    if x not in names:
        raise DerivationError(
            tr(
                "There is no coordinate {x}; the coordinates are {names}.",
                x=x,
                names=comma().join(names),
            )
        )
    return names.index(str(x))


def _check(
    d: "DerivedEquations",
    chosen: tuple[int, ...],
    proposal: tuple[int, ...],
    C_q: np.ndarray,
    count: int,
) -> None:
    words = lambda places: comma().join(d.names.q[k].name for k in places) or tr("none")
    if len(set(chosen)) != count:
        raise DerivationError(
            tr(
                "The mechanism has {count} independent coordinates here, and {set_count} were "
                "chosen. Choose {proposal}.",
                count=count,
                set_count=len(set(chosen)),
                proposal=words(proposal),
            )
        )
    dependent = [k for k in range(C_q.shape[1]) if k not in chosen]
    s = np.linalg.svd(C_q[:, dependent], compute_uv=False) if dependent else np.ones(1)
    if s[-1] <= RANK * max(s[0], 1e-300):
        raise DerivationError(
            tr(
                "With {chosen} independent, C_qd is singular at this pose: {dependent} do not "
                "follow from it (a dead centre, or the chosen ones are tied to each other). "
                "Choose {proposal}.",
                chosen=words(chosen),
                dependent=words(dependent),
                proposal=words(proposal),
            )
        )


__all__ = [
    "Partition",
    "adjugate_of",
    "closed_state",
    "column_scale",
    "determinant",
    "partition",
    "row_scale",
]
