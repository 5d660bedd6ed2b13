"""Chapters of constrained mechanisms: rows, multipliers and augmented system; independent
coordinates and the embedded equation.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import (
    CHAPTER_TITLES,
    CONSTRAINTS,
    PARTITION,
    RECURSIVE,
    Chapter,
    Equality,
    Step,
)
from mechstudio.model.equations.term_lengths import READABLE, is_long
from mechstudio.model.equations.term_words import shown
from mechstudio.model.equations.terms import Block, Entry, Term
from mechstudio.symbolic.errors import DerivationError
from mechstudio.symbolic.kinematics.formulation import holder
from mechstudio.symbolic.methods.blocks import matrix_block, row_labels
from mechstudio.symbolic.methods.partition import Partition, partition
from mechstudio.symbolic.printers.writer import SHARED, Row, Writer
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import Words, comma, localised, series, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations

_NONE: Words = (
    "No loop closes, nothing is coupled, driven or rolling: there are no constraints. M q̈ + "
    "b + g = τ is all."
)


def constraints_chapter(d: "DerivedEquations") -> Chapter:
    """C, C_q, the rates, the augmented system, Q_v and Q_ev with C_d and K, multipliers by name."""
    if not d.complete and not d.rows:
        return Chapter(CONSTRAINTS, CHAPTER_TITLES[CONSTRAINTS], (), d.notes[0])
    w = d.writer
    steps = [
        *(_rows(d, w) if d.rows else ()),
        *(_forces(d, w) if d.complete else ()),
        *(_augmented(d, w) if d.rows else ()),
    ]
    return Chapter(
        CONSTRAINTS, CHAPTER_TITLES[CONSTRAINTS], tuple(steps), "" if d.rows else tr(_NONE)
    )


def _block(d: "DerivedEquations", key: str) -> Block:
    """A block of rows; also where M and b are too long to be written, and no equations with
    them.
    """
    if d.complete:
        return d.equations.block(key)
    return matrix_block(
        d,
        key,
        [r.jacobian if key == "C_q" else [r.value if key == "C" else r.gamma] for r in d.rows],
    )


def _rows(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    rolling = sum(r.label.endswith("(velocity)") for r in d.rows)
    empty = sum(r.is_zero for r in d.rows)
    words = [tr("{count} rows close loops, couple, drive or forbid slipping.", count=len(d.rows))]
    if empty:
        words.append(
            tr(
                "{empty} of them are 0 = 0 in every position: what they hold is held already, "
                "which is hyperstaticity.",
                empty=empty,
            )
        )
    if rolling:
        words.append(
            tr(
                "{rolling} are velocities that no position stands behind (nonholonomic): they "
                "stand in C_q and not in C.",
                rolling=rolling,
            )
        )
    labels, ring = row_labels(d), d.ring
    long = {key: _is_long(d, key) for key in ("C", "C_q", "gamma")}
    yield Step(
        "rows",
        "rows",
        "Rows",
        tuple(words) + ((tr(SHARED),) if long["C"] or long["C_q"] else ()),
        blocks=tuple(_block(d, key) for key in ("C", "C_q") if not long[key]),
    )
    of_rows = (
        [
            [(w.symbol("C", str(i + 1)), [(r.value, None)], labels[i], (r.joint,))]
            for i, r in enumerate(d.rows)
        ]
        if long["C"]
        else [[] for _ in d.rows]
    )
    if long["C_q"]:
        for i, r in enumerate(d.rows):
            of_rows[i] += [
                (
                    w.symbol("C", "q", f"{i + 1},{k + 1}"),
                    [(p, None)],
                    tr(
                        "{label}, by {meaning}",
                        label=labels[i],
                        meaning=d.plan.coordinates[k].meaning,
                    ),
                    (r.joint,),
                )
                for k, p in enumerate(r.jacobian)
                if p
            ]
    yield from _by_holder(d, w, "rows", of_rows)
    rates = [
        ring.reduce(r.time + ring.total(p * v for p, v in zip(r.jacobian, ring.v))) for r in d.rows
    ]
    driven = (
        tr("C_t holds the rates that drives prescribe.")
        if any(r.time for r in d.rows)
        else tr("C_t = 0: no row depends on time.")
    )
    shared = w.size(rates) > READABLE
    plain = [
        (w.entry(p, (r.joint,)), Entry(), label, (r.joint,))
        for r, label, p in zip(d.rows, labels, rates)
        if p and not shared
    ]
    yield Step(
        "rates",
        "rates",
        tr("Rates of the rows"),
        (driven, *((tr(SHARED),) if shared else ())),
        "velocity rows",
        tuple(Equality(*row) for row in plain),
    )
    yield from _by_holder(
        d,
        w,
        "rates",
        [
            [([(p, None)], Entry(), label, (r.joint,))] if shared and p else []
            for r, label, p in zip(d.rows, labels, rates)
        ],
    )
    words = (
        tr("γ is what the rates alone make of C̈; C_q q̈ must make up for it."),
        *((tr(SHARED),) if long["gamma"] else ()),
    )
    yield Step(
        "gamma",
        "gamma",
        "Accelerations",
        words,
        blocks=() if long["gamma"] else (_block(d, "gamma"),),
    )
    yield from _by_holder(
        d,
        w,
        "gamma",
        [
            [(w.symbol("gamma", str(i + 1)), [(r.gamma, None)], labels[i], (r.joint,))]
            if long["gamma"]
            else []
            for i, r in enumerate(d.rows)
        ],
    )
    multipliers = tuple(
        (Entry((Term(1, 1, (name,), (r.joint,)),)),) for r, name in zip(d.rows, d.names.multipliers)
    )
    yield Step(
        "multipliers",
        "multipliers",
        "Multipliers",
        (
            tr(
                "Each row has one multiplier, the force or moment that holds it; on the right "
                "side with plus: M q̈ = Q + C_qᵀ λ."
            ),
        ),
        blocks=(
            Block(
                "lambda",
                "λ",
                multipliers,
                labels,
                tuple((r.joint,) for r in d.rows),
                name=w.name("lambda"),
            ),
        ),
    )


def _is_long(d: "DerivedEquations", key: str) -> bool:
    if d.complete:
        return is_long(d.equations, key)
    return (
        sum(
            len(p)
            for r in d.rows
            for p in (r.jacobian if key == "C_q" else [r.value if key == "C" else r.gamma])
        )
        > READABLE
    )


def _by_holder(
    d: "DerivedEquations", w: Writer, kind: str, rows: Sequence[Sequence[Row]]
) -> Iterator[Step]:
    """Joint by joint the equations of its rows, by parts with names.  rows: per row of C its
    equations.
    """
    for id in dict.fromkeys(r.joint for r, own in zip(d.rows, rows) if own):
        equations = w.shared([e for r, own in zip(d.rows, rows) if r.joint == id for e in own])
        yield Step(
            f"{kind}:{id}",
            kind,
            holder(d.plan.mechanism, id).name,
            equations=equations,
            depth=1,
            sources=(id,),
        )


def damping_and_stiffness(
    d: "DerivedEquations",
) -> tuple[list[list[Poly]], list[list[Poly]], list[Poly], list[Poly]]:
    """(C_d, K, rest of the loads, rest of g): tau - g = rest - C_d v - K q where the loads are
    linear with constant factors.
    """
    ring, n = d.ring, d.ring.coordinate_count
    result = d.by(d.method)
    springs = [ring.tag(e.load.force.id) for e in d.setting.efforts if e.conservative]
    marks = {ring.names.index(str(t)) for t in springs}
    constant = lambda p: (
        not any(
            p.degrees()[ring.starts["s"] + i] or p.degrees()[ring.starts["c"] + i]
            for i, f in enumerate(ring.forms)
            if any(v >= 0 for v, _ in f)
        )
        and not any(
            p.degrees()[i]
            for i in (*range(ring.starts["s"]), *range(ring.starts["q"], ring.starts["p"]))
        )
        if p
        else True
    )
    C_d, K = [[ring.zero] * n for _ in range(n)], [[ring.zero] * n for _ in range(n)]
    tau, g = list(result.tau), list(result.g)
    for k in range(n):
        own = (
            ring.context.from_dict(
                {e: c for e, c in g[k].to_dict().items() if any(e[m] for m in marks)}
            )
            if g[k] and marks
            else ring.zero
        )
        for j in range(n):
            slope = tau[k].derivative(ring.starts["v"] + j) if tau[k] else ring.zero
            if slope and constant(slope):
                C_d[k][j], tau[k] = -slope, tau[k] - slope * ring.v[j]
            slope = own.derivative(ring.starts["q"] + j) if own else ring.zero
            if slope and constant(slope):
                K[k][j], g[k] = slope, g[k] - slope * ring.q[j]
    return C_d, K, tau, g


def _forces(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    ring, result = d.ring, d.by(d.method)
    labels = [c.meaning for c in d.plan.coordinates]
    C_d, K, tau, g = damping_and_stiffness(d)
    columns = {"v": [-x for x in result.b], "e": [ring.reduce(t - x) for t, x in zip(tau, g)]}
    long = {part: w.size(p) > READABLE for part, p in columns.items()}
    column = lambda part: (
        []
        if long[part]
        else [w.block(f"Q_{part}", w.name("Q", part), [[x] for x in columns[part]], labels)]
    )
    blocks = column("v")
    words = [
        tr("Q_v are the inertia forces of the rates, −b for true coordinates."),
        tr(
            "Q_e holds weights and loads; what is linear in rates and coordinates stands as C_d "
            "and K."
        ),
    ]
    if any(map(any, C_d)):
        blocks.append(w.block("C_d", w.name("C", "d"), C_d, labels, labels))
    if any(map(any, K)):
        blocks.append(w.block("K", w.name("K"), K, labels, labels))
    blocks += column("e")
    yield Step(
        "forces",
        "forces",
        "Forces",
        (*words, *((tr(SHARED),) if any(long.values()) else ())),
        "loads",
        blocks=tuple(blocks),
    )
    for part in (part for part in columns if long[part]):
        rows: list[Row] = [
            (
                w.symbol("Q", part, str(k + 1)),
                [(p, None)],
                labels[k],
                (d.plan.coordinates[k].joint,) if d.plan.coordinates[k].joint else (),
            )
            for k, p in enumerate(columns[part])
            if p
        ]
        yield Step(f"forces:{part}", "forces", f"Q_{part}", equations=w.shared(rows), depth=1)


def _augmented(d: "DerivedEquations", w: Writer) -> Iterator[Step]:
    ring, n, m = d.ring, d.ring.coordinate_count, len(d.rows)
    words = [tr("One linear system gives accelerations and multipliers together.")]
    blocks: tuple[Block, ...] = ()
    if n + m <= 9 and d.complete:
        M = d.by(d.method).M
        rows = [[*M[i], *(-r.jacobian[i] for r in d.rows)] for i in range(n)] + [
            [*r.jacobian, *[ring.zero] * m] for r in d.rows
        ]
        blocks = (w.block("augmented", w.name("A"), rows),)
    else:
        words.append(
            tr("Written out it has {n} rows; C_q stands above, M and b", n=n + m)
            + (
                tr(" among the equations.")
                if d.complete
                else tr(" in the chapter “{recursive}”.", recursive=tr(CHAPTER_TITLES[RECURSIVE]))
            )
        )
    if any(r.is_zero for r in d.rows):
        words.append(
            tr(
                "It is singular, because rows are held twice: their multipliers are not "
                "determined, the accelerations are."
            )
        )
    yield Step(
        "augmented", "augmented", tr("Augmented system"), tuple(words), "augmented", blocks=blocks
    )


# independent coordinates


def partition_chapter(
    d: "DerivedEquations", independent: Sequence[str | int] | None = None
) -> Chapter:
    """independent: names or places of the coordinates to keep; None for a choice that works."""
    if not d.complete and not d.rows:
        return Chapter(PARTITION, CHAPTER_TITLES[PARTITION], (), d.notes[0])
    if not d.rows:
        return Chapter(
            PARTITION,
            CHAPTER_TITLES[PARTITION],
            (),
            tr("All coordinates are independent: there are no constraints."),
        )
    try:
        found = partition(d, independent)
    except DerivationError as error:
        return Chapter(PARTITION, CHAPTER_TITLES[PARTITION], (), str(error))
    return Chapter(
        PARTITION, CHAPTER_TITLES[PARTITION], tuple(_partition_steps(d, d.writer, found))
    )


def _partition_steps(d: "DerivedEquations", w: Writer, p: Partition) -> Iterator[Step]:
    ring = d.ring
    q = [shown(name) for name in d.names.q]
    list_of = lambda places: comma().join(q[k] for k in places) or tr("none")
    values = series(localised(f"{s:.4g}") for s in p.singular_values)
    yield Step(
        "choice",
        "choice",
        "Choice",
        (
            tr(
                "Independent: {list_of}. Dependent: {list_of_2}.",
                list_of=list_of(p.independent),
                list_of_2=list_of(p.dependent),
            ),
            tr(
                "C_q has rank {count} of {rows_count} rows at the drawn pose; its singular values "
                "are {values} (lengths over the mechanism's size).",
                count=len(p.rows),
                rows_count=len(d.rows),
                values=values,
            ),
        ),
        "partition",
    )
    labels = [c.meaning for c in d.plan.coordinates]
    kept = [d.rows[i] for i in p.rows]
    of_rows = [row_labels(d)[i] for i in p.rows]
    names = lambda places: [labels[k] for k in places]
    pick = lambda places: [[r.jacobian[k] for k in places] for r in kept]
    blocks, shared = [], []
    for part, places in (("qd", p.dependent), ("qi", p.independent)):
        matrix = pick(places)
        if places and w.size([x for row in matrix for x in row]) > READABLE:
            shared.append((part, matrix))
        elif places and p.rows:
            blocks.append(w.block(f"C_{part}", w.name("C", part), matrix, of_rows, names(places)))
    yield Step(
        "blocks",
        "blocks",
        tr("C_q in two parts"),
        (tr("Only independent rows are kept."), *((tr(SHARED),) if shared else ())),
        blocks=tuple(blocks),
    )
    for part, matrix in shared:
        for id in dict.fromkeys(r.joint for r in kept):
            rows: list[Row] = [
                (w.symbol("C", part, f"{i + 1},{k + 1}"), [(x, None)], of_rows[i], (id,))
                for i, r in enumerate(kept)
                if r.joint == id
                for k, x in enumerate(matrix[i])
                if x
            ]
            yield Step(
                f"blocks:{part}:{id}",
                "blocks",
                f"C_{part}, {holder(d.plan.mechanism, id).name}",
                equations=w.shared(rows),
                depth=1,
                sources=(id,),
            )
    null = p.null_vectors()
    if not p.independent:
        yield Step(
            "null",
            "null",
            tr("No freedom"),
            (
                tr(
                    "Drives and joints prescribe every coordinate: there is nothing left to "
                    "choose, and the equations give the multipliers."
                ),
            ),
        )
        return
    if null is None:
        yield Step(
            "null",
            "null",
            tr("Matrix B"),
            (
                tr(
                    "The inverse of the {count} × {count} matrix C_qd is too long to be written; "
                    "B = [I; −C_qd⁻¹ C_qi] has its numbers at every pose.",
                    count=len(p.rows),
                ),
            ),
            "partition",
        )
    else:
        N, det = null
        yield Step(
            "null",
            "null",
            tr("Motions that the rows leave"),
            (tr("The columns of N fulfil C_q N = 0 exactly, in every pose; B = N / D."),),
            "null",
            blocks=(w.block("N", w.name("N"), N, labels, names(p.independent)),),
        )
        equality = Equality(
            w.symbol("D"), w.entry(det), tr("determinant of C_qd without common factors")
        )
        yield Step(
            "dead",
            "dead",
            tr("Dead centres"),
            (
                tr(
                    "Where D = 0 the other coordinates do not follow from {list_of}: a dead "
                    "centre.",
                    list_of=list_of(p.independent),
                ),
            ),
            equations=(equality,),
        )
        if not d.complete:
            yield Step(
                "embedded",
                "embedded",
                tr("Embedded equation"),
                (
                    tr(
                        "M is too long for Nᵀ M N; the chapter “{recursive}” has it by named "
                        "intermediates.",
                        recursive=tr(CHAPTER_TITLES[RECURSIVE]),
                    ),
                ),
                "embedded",
            )
            return
        M = d.by(d.method).M
        f = range(len(p.independent))
        MN = [
            [ring.reduce(ring.total(M[i][k] * N[k][j] for k in range(len(N)))) for j in f]
            for i in range(len(N))
        ]
        reduced = [
            [ring.reduce(ring.total(N[k][i] * MN[k][j] for k in range(len(N)))) for j in f]
            for i in f
        ]
        count = w.size([x for row in reduced for x in row])
        words = (tr("In numbers for any state: B, its rate, c and both sides."),)
        product = tr("Multiplied by D² its mass matrix is Nᵀ M N.")
        if count <= 200:
            yield Step(
                "embedded",
                "embedded",
                tr("Embedded equation"),
                (product, *words),
                "embedded",
                blocks=(
                    w.block(
                        "NMN", w.name("M", "i"), reduced, names(p.independent), names(p.independent)
                    ),
                ),
            )
            return
        rows = [
            (w.symbol("M", "i", f"{i + 1},{j + 1}"), [(reduced[i][j], None)], "", ())
            for i in f
            for j in f
            if j >= i and reduced[i][j]
        ]
        yield Step(
            "embedded",
            "embedded",
            tr("Embedded equation"),
            (product, tr(SHARED), *words),
            "embedded",
            equations=w.shared(rows),
        )
        return
    yield Step(
        "embedded",
        "embedded",
        tr("Embedded equation"),
        (tr("In numbers for any state: B, its rate, c and both sides."),),
        "embedded",
    )
