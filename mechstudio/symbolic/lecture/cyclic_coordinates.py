"""Cyclic coordinates: those that the equations do not contain, and the momenta that stay constant
with them (Routh 1877).

q_j is cyclic where it occurs in no entry of M and no term of U, no load does work on it and no row
of C_q holds it back: then d/dt (M q̇)_j = ∂T/∂q_j − ∂U/∂q_j + τ_j + (C_qᵀ λ)_j = 0.  The ring
decides, in which what is zero prints as 0.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import Step
from mechstudio.model.equations.term_words import shown
from mechstudio.model.joints.touching import touching_pairs
from mechstudio.symbolic.kinematics.method import Method
from mechstudio.symbolic.printers.writer import LONGEST, Writer
from mechstudio.symbolic.ring.polynomials import Poly
from mechstudio.translation import comma, tr, trn

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


def cyclic(d: "DerivedEquations", result: Method) -> list[int]:
    """The places of the cyclic coordinates; none where bodies may touch, of which the equations
    know nothing.
    """
    mechanism, ring = d.plan.mechanism, d.ring
    if touching_pairs(mechanism):
        return []
    stopped = {(j.id, a.coordinate) for j in mechanism.joints.values() for a in j.limits}
    if any(id in d.plan.tree.closing for id, _ in stopped):
        return []
    # two bodies together may be free of a coordinate that each of them contains
    M = [ring.reduce(ring.untagged(x)) for k, row in enumerate(result.M) for x in row[k:] if x]

    def is_cyclic(k: int) -> bool:
        c = d.plan.coordinates[k]
        return not (
            ring.untagged(result.g[k])
            or ring.untagged(result.tau[k])
            or any(row.jacobian[k] for row in d.rows)
            or any(id == c.joint for id, _ in stopped)
            or any(ring.derivative(x, k) for x in M)
        )

    return [k for k in range(ring.coordinate_count) if is_cyclic(k)]


def conjugate(d: "DerivedEquations", result: Method, k: int) -> Poly:
    """p_k = (M q̇)_k."""
    ring = d.ring
    return ring.reduce(ring.total(x * v for x, v in zip(result.M[k], ring.v, strict=True)))


def cyclic_steps(d: "DerivedEquations", w: Writer, result: Method) -> Iterator[Step]:
    """The step of cyclic coordinates, where there are any."""
    found = cyclic(d, result)
    if not found:
        return
    names = d.names.q
    listed = comma().join(shown(names[k]) for k in found)
    words = (
        trn(
            "{listed} is cyclic: in no entry of M and no term of the potential energy, without "
            "load and without reaction.",
            "{listed} are cyclic: in no entry of M and no term of the potential energy, without "
            "load and without reaction.",
            len(found),
            listed=listed,
        ),
        tr(
            "The momentum of each stays constant. What a run makes of it stands under “Must stay "
            "constant”."
        ),
    )
    rows = [
        (
            w.symbol("p", str(k + 1)),
            [(conjugate(d, result, k), None)],
            d.plan.coordinates[k].meaning,
            (),
        )
        for k in found
    ]
    yield Step(
        "cyclic",
        "result",
        tr("Cyclic coordinates"),
        words,
        "cyclic",
        equations=w.written(rows, LONGEST),
    )


__all__ = ["conjugate", "cyclic", "cyclic_steps"]
