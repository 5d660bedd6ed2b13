"""Chapters of constrained mechanisms: rows, multipliers and augmented system; independent coordinates and the embedded equation."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mechstudio.model.lectures import CHAPTER_TITLES, CONSTRAINTS, PARTITION, Chapter, Equality, Step
from mechstudio.model.terms import Block, Entry, Term

from .errors import DerivationError
from .partition import Partition, partition
from .ring import Poly
from .writing import Writer

if TYPE_CHECKING:
    from .derivation import Derivation

_NONE = "No loop closes, nothing is coupled, driven or rolling: there are no constraints. M q̈ + b + g = τ is all."


def constraints_chapter(d: "Derivation") -> Chapter:
    """C, C_q, the rates, the augmented system, Q_v and Q_ev with C_d and K, multipliers by name."""
    if not d.complete:
        return Chapter(CONSTRAINTS, CHAPTER_TITLES[CONSTRAINTS], (), d.notes[0])
    w = d.writer
    steps = [*(_rows(d, w) if d.rows else ()), *_forces(d, w), *(_augmented(d, w) if d.rows else ())]
    return Chapter(CONSTRAINTS, CHAPTER_TITLES[CONSTRAINTS], tuple(steps), "" if d.rows else _NONE)


def _block(d: "Derivation", key: str) -> Block:
    return d.equations.block(key)


def _rows(d: "Derivation", w: Writer) -> Iterator[Step]:
    rolling = sum(r.label.endswith("(velocity)") for r in d.rows)
    empty = sum(r.is_zero for r in d.rows)
    words = [f"{len(d.rows)} rows close loops, couple, drive or forbid slipping."]
    if empty:
        words.append(f"{empty} of them are 0 = 0 in every position: what they hold is held already, which is hyperstaticity.")
    if rolling:
        words.append(f"{rolling} are velocities that no position stands behind (nonholonomic): they stand in C_q and not in C.")
    yield Step("rows", "rows", "Rows", tuple(words), blocks=(_block(d, "C"), _block(d, "C_q")))
    equations = []
    for r, label in zip(d.rows, _block(d, "C").labels):
        rate = sum((p * v for p, v in zip(r.jacobian, d.ring.v)), r.time + d.ring.zero)
        if rate:
            equations.append(Equality(w.entry(d.ring.reduce(rate), (r.joint,)), Entry(), label, (r.joint,)))
    driven = any(r.time for r in d.rows)
    yield Step("rates", "rates", "Rates of the rows", (("C_t holds the rates that drives prescribe." if driven else "C_t = 0: no row depends on time."),), "velocity rows", tuple(equations))
    yield Step("gamma", "gamma", "Accelerations", ("γ is what the rates alone make of C̈; C_q q̈ must make up for it.",), blocks=(_block(d, "gamma"),))
    multipliers = tuple((Entry((Term(1, 1, (name,), (r.joint,)),)),) for r, name in zip(d.rows, d.names.multipliers))
    yield Step("multipliers", "multipliers", "Multipliers", ("Each row has one multiplier, the force or moment that holds it; on the right side with plus: M q̈ = Q + C_qᵀ λ.",),
               blocks=(Block("lambda", "λ", multipliers, _block(d, "C").labels, tuple((r.joint,) for r in d.rows), name=w.name("lambda")),))


def damping_and_stiffness(d: "Derivation") -> tuple[list[list[Poly]], list[list[Poly]], list[Poly], list[Poly]]:
    """(C_d, K, rest of the loads, rest of g): tau - g = rest - C_d v - K q where the loads are linear with constant factors."""
    ring, n = d.ring, d.ring.coordinate_count
    result = d.by(d.method)
    springs = [ring.tag(e.load.force.id) for e in d.setting.efforts if e.conservative]
    marks = {ring.names.index(str(t)) for t in springs}
    constant = lambda p: not any(p.degrees()[ring.starts["s"] + i] or p.degrees()[ring.starts["c"] + i] for i, f in enumerate(ring.forms) if any(v >= 0 for v, _ in f)) and not any(
        p.degrees()[i] for i in (*range(ring.starts["s"]), *range(ring.starts["q"], ring.starts["p"]))) if p else True
    C_d, K = [[ring.zero] * n for _ in range(n)], [[ring.zero] * n for _ in range(n)]
    tau, g = list(result.tau), list(result.g)
    for k in range(n):
        own = ring.context.from_dict({e: c for e, c in g[k].to_dict().items() if any(e[m] for m in marks)}) if g[k] and marks else ring.zero
        for j in range(n):
            slope = tau[k].derivative(ring.starts["v"] + j) if tau[k] else ring.zero
            if slope and constant(slope):
                C_d[k][j], tau[k] = -slope, tau[k] - slope * ring.v[j]
            slope = own.derivative(ring.starts["q"] + j) if own else ring.zero
            if slope and constant(slope):
                K[k][j], g[k] = slope, g[k] - slope * ring.q[j]
    return C_d, K, tau, g


def _forces(d: "Derivation", w: Writer) -> Iterator[Step]:
    ring, result = d.ring, d.by(d.method)
    labels = [c.meaning for c in d.plan.coordinates]
    column = lambda key, letter, part, p: w.block(key, w.name(letter, part), [[x] for x in p], labels)
    C_d, K, tau, g = damping_and_stiffness(d)
    blocks = [column("Q_v", "Q", "v", [-x for x in result.b])]
    words = ["Q_v are the inertia forces of the rates, −b for true coordinates.", "Q_e holds weights and loads; what is linear in rates and coordinates stands as C_d and K."]
    if any(map(any, C_d)):
        blocks.append(w.block("C_d", w.name("C", "d"), C_d, labels, labels))
    if any(map(any, K)):
        blocks.append(w.block("K", w.name("K"), K, labels, labels))
    blocks.append(column("Q_e", "Q", "e", [ring.reduce(t - x) for t, x in zip(tau, g)]))
    yield Step("forces", "forces", "Forces", tuple(words), "loads", blocks=tuple(blocks))


def _augmented(d: "Derivation", w: Writer) -> Iterator[Step]:
    ring, n, m = d.ring, d.ring.coordinate_count, len(d.rows)
    words = ["One linear system gives accelerations and multipliers together."]
    blocks: tuple[Block, ...] = ()
    if n + m <= 9:
        M = d.by(d.method).M
        rows = [[*M[i], *(-r.jacobian[i] for r in d.rows)] for i in range(n)] + [[*r.jacobian, *[ring.zero] * m] for r in d.rows]
        blocks = (w.block("augmented", w.name("A"), rows),)
    else:
        words.append(f"Written out it has {n + m} rows; M and C_q stand above.")
    if any(r.is_zero for r in d.rows):
        words.append("It is singular, because rows are held twice: their multipliers are not determined, the accelerations are.")
    yield Step("augmented", "augmented", "Augmented system", tuple(words), "augmented", blocks=blocks)


# independent coordinates


def partition_chapter(d: "Derivation", independent: Sequence[str | int] | None = None) -> Chapter:
    """independent: names or places of the coordinates to keep; None for a choice that works."""
    if not d.complete:
        return Chapter(PARTITION, CHAPTER_TITLES[PARTITION], (), d.notes[0])
    if not d.rows:
        return Chapter(PARTITION, CHAPTER_TITLES[PARTITION], (), "All coordinates are independent: there are no constraints.")
    try:
        found = partition(d, independent)
    except DerivationError as error:
        return Chapter(PARTITION, CHAPTER_TITLES[PARTITION], (), str(error))
    return Chapter(PARTITION, CHAPTER_TITLES[PARTITION], tuple(_partition_steps(d, d.writer, found)))


def _partition_steps(d: "Derivation", w: Writer, p: Partition) -> Iterator[Step]:
    ring = d.ring
    q = [name.name for name in d.names.q]
    list_of = lambda places: ", ".join(q[k] for k in places) or "none"
    values = ", ".join(f"{s:.4g}" for s in p.singular_values)
    yield Step("choice", "choice", "Choice", (f"Independent: {list_of(p.independent)}. Dependent: {list_of(p.dependent)}.",
                                             f"C_q has rank {len(p.rows)} of {len(d.rows)} rows at the drawn pose; its singular values are {values} (lengths over the mechanism's size)."), "partition")
    labels = [c.meaning for c in d.plan.coordinates]
    kept = [d.rows[i] for i in p.rows]
    of_rows = [_block(d, "C").labels[i] for i in p.rows]
    names = lambda places: [labels[k] for k in places]
    pick = lambda places: [[r.jacobian[k] for k in places] for r in kept]
    blocks = []
    if p.rows:
        blocks.append(w.block("C_qd", w.name("C", "qd"), pick(p.dependent), of_rows, names(p.dependent)))
    if p.rows and p.independent:
        blocks.append(w.block("C_qi", w.name("C", "qi"), pick(p.independent), of_rows, names(p.independent)))
    yield Step("blocks", "blocks", "C_q in two parts", ("Only independent rows are kept.",), blocks=tuple(blocks))
    null = p.null_vectors()
    if not p.independent:
        yield Step("null", "null", "No freedom", ("Drives and joints prescribe every coordinate: there is nothing left to choose, and the equations give the multipliers.",))
        return
    if null is None:
        yield Step("null", "null", "Matrix B", (f"The inverse of the {len(p.rows)} × {len(p.rows)} matrix C_qd is too long to be written; B = [I; −C_qd⁻¹ C_qi] has its numbers at every pose.",), "partition")
    else:
        N, det = null
        yield Step("null", "null", "Motions that the rows leave", ("The columns of N fulfil C_q N = 0 exactly, in every pose; B = N / D.",), "null",
                   blocks=(w.block("N", w.name("N"), N, labels, names(p.independent)),))
        equality = Equality(w.symbol("D"), w.entry(det), "determinant of C_qd without common factors")
        yield Step("dead", "dead", "Dead centres", (f"Where D = 0 the other coordinates do not follow from {list_of(p.independent)}: a dead centre.",), equations=(equality,))
        M = d.by(d.method).M
        f = range(len(p.independent))
        MN = [[ring.reduce(sum((M[i][k] * N[k][j] for k in range(len(N))), ring.zero)) for j in f] for i in range(len(N))]
        reduced = [[ring.reduce(sum((N[k][i] * MN[k][j] for k in range(len(N))), ring.zero)) for j in f] for i in f]
        count = w.size([x for row in reduced for x in row])
        words = ("In numbers for any state: B, its rate, c and both sides.",)
        if count <= 200:
            yield Step("embedded", "embedded", "Embedded equation", ("Multiplied by D² its mass matrix is Nᵀ M N.", *words), "embedded",
                       blocks=(w.block("NMN", w.name("M", "i"), reduced, names(p.independent), names(p.independent)),))
            return
        yield Step("embedded", "embedded", "Embedded equation", (f"Nᵀ M N has {count} terms and is not written out.", *words), "embedded")
        return
    yield Step("embedded", "embedded", "Embedded equation", ("In numbers for any state: B, its rate, c and both sides.",), "embedded")
