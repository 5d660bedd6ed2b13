"""The chapter of the recursive form: intermediates by name, M and h = b + g made of them, and the
equations of motion in these.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from mechstudio.model.equations.lecture import CHAPTER_TITLES, RECURSIVE, Chapter, Equality, Step
from mechstudio.model.equations.terms import Entry, Name, Term, times
from mechstudio.symbolic.kinematics.loop_rows import UnwrittenRow
from mechstudio.symbolic.lecture.methods import part_of
from mechstudio.symbolic.methods.intermediates import intermediates, times_number
from mechstudio.symbolic.methods.projected import Projected
from mechstudio.symbolic.methods.recursive import Recursive
from mechstudio.symbolic.ring.expression_graph import Node, needed
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


def recursive_chapter(d: "DerivedEquations") -> Chapter:
    """Named intermediates, then M and b + g made of them."""
    r, w = d.recursion, d.writer
    unwritten = any(isinstance(row, UnwrittenRow) for row in d.rows)
    slopes = [[cast("Node", x) for x in row.jacobian] for row in d.row_nodes] if unwritten else []
    made, terms = intermediates(d, needed([*r.order, *(x for row in slopes for x in row)]))
    lines = tuple(Equality(Entry((Term(1, 1, (m.name,)),)), m.entry, "") for m in made)
    labels = [c.meaning for c in d.plan.coordinates]
    n = len(labels)
    mass = tuple(
        Equality(w.symbol("M", f"{i + 1} {j + 1}"), Entry(terms[r.M[i][j].place]), "")
        for i in range(n)
        for j in range(i, n)
        if r.M[i][j]
    )
    bias = tuple(
        Equality(w.symbol("h", str(i + 1)), Entry(terms[r.h[i].place]), labels[i])
        for i in range(n)
        if r.h[i]
    )
    words = (
        tr("{operations} operations give M and h = b + g", operations=r.operations)
        + (
            "."
            if d.complete
            else tr("; in closed form these would be sums of products without end.")
        ),
        tr(
            "From the ground outwards velocities and accelerations, from the outermost body "
            "inwards forces and composite inertias."
        ),
    )
    steps = (
        Step("intermediates", "assembly", tr("Intermediates"), words, equations=lines),
        Step(
            "mass",
            "assembly",
            tr("Mass matrix"),
            (tr("Its upper triangle; it is symmetric."),),
            equations=mass,
        ),
        Step(
            "bias",
            "result",
            tr("Velocity terms and weights"),
            (tr("h = b + g, with the weights in g; springs and other loads stand by themselves."),),
            equations=bias,
        ),
        Step(
            "rows",
            "result",
            tr("Equations of motion"),
            (tr("One for each coordinate, in the entries above."),),
            equations=tuple(_rows(d, r, terms, slopes)),
        ),
    )
    return Chapter(RECURSIVE, CHAPTER_TITLES[RECURSIVE], steps)


def _rows(
    d: "DerivedEquations",
    r: Recursive,
    terms: dict[int, tuple[Term, ...]],
    slopes: list[list[Node]],
) -> Iterator[Equality]:
    """M a + h = what loads and rows of C do, coordinate by coordinate: an entry of one term as it
    stands, others by their names.  slopes: C_q in nodes where nobody writes its closed form; what
    it does then stands to the left.
    """
    w, ring, n = d.writer, d.ring, d.ring.coordinate_count
    if d.complete:
        result = d.by(d.method)
        loads = [
            [
                ring.reduce(part_of(d, result.tau[i], id) - part_of(d, result.g[i], id))
                for id in d.plan.mechanism.forces
            ]
            for i in range(n)
        ]
    else:
        # each load by itself is short, where all that M and b are made of is not
        found = [
            (Projected(d.setting, d.term_limit, d.report).generalised(e)) for e in d.setting.efforts
        ]
        loads = [[parts[i] for parts in found if i in parts] for i in range(n)]

    def short(node: Node, letter: str, at: str) -> Entry:
        return Entry(terms[node.place]) if len(terms[node.place]) < 2 else w.symbol(letter, at)

    for i, c in enumerate(d.plan.coordinates):
        left: list[Term] = []
        for j in range(n):
            a, b = min(i, j), max(i, j)
            left += times(short(r.M[a][b], "M", f"{a + 1} {b + 1}"), d.names.a[j])
        left += short(r.h[i], "h", str(i + 1)).terms
        right: list[tuple[Poly, Name | None]] = []
        right += [(part, None) for part in loads[i]]
        if slopes:
            for row, name in zip(slopes, d.names.multipliers):
                left += [times_number(t, -1) for t in times(Entry(terms[row[i].place]), name)]
        else:
            right += [(row.jacobian[i], name) for row, name in zip(d.rows, d.names.multipliers)]
        yield from w.written(
            [(Entry(tuple(left)), right, c.meaning, tuple(x for x in (c.joint, c.body) if x))]
        )
