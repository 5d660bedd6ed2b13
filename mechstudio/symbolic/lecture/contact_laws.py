"""Laws of the chapter of contacts, from the gap to the solution of a step's cone problem."""

from collections.abc import Iterator, Sequence

from mechstudio.model.equations.lecture import Step
from mechstudio.translation import tr


def law_steps(*parts: Sequence[Step]) -> Iterator[Step]:
    """Steps of the chapter.  parts: the numbers of an instant that follow gap, step, problem,
    states and solution; none for the laws alone.
    """
    gap, step, problem, states, solution = parts or ((),) * 5
    yield Step(
        "gap",
        "gap",
        tr("Gap and contact frame"),
        (
            tr(
                "Φ is the distance of two surfaces along their common normal n, from A to B; u "
                "and w lie across it, and D turns rates of the coordinates into the velocity of B "
                "against A at the point."
            ),
        ),
        "gap",
    )
    yield from gap
    yield Step(
        "signorini",
        "law",
        tr("Signorini: push or part"),
        (
            tr(
                "Two bodies push each other or part, never both, and a gap is used up within a "
                "step at most: either the impulse γ_n is zero or the gap is zero at the step's "
                "end."
            ),
        ),
        "signorini",
    )
    yield Step(
        "coulomb",
        "law",
        tr("Coulomb: friction takes the most power"),
        (
            tr(
                "Among all impulses that the normal one allows, friction is the one that brakes "
                "the most (maximal dissipation)."
            ),
        ),
        "coulomb",
    )
    yield Step(
        "kkt",
        "law",
        tr("Coulomb's law by Karush, Kuhn and Tucker"),
        (
            tr(
                "The multiplier s of the bound ‖γ_t‖ ≤ μ γ_n is the sliding speed: inside the "
                "cone nothing slides, on its rim friction stands against the sliding."
            ),
        ),
        "kkt",
    )
    yield Step(
        "cones",
        "law",
        tr("Cones and De Saxcé's correction"),
        (
            tr(
                "Both laws together: the impulse lies in the friction cone K, the velocity in its "
                "dual K*, and they are perpendicular. Without the term μ ‖u_t‖ whatever slides "
                "would be lifted off by that speed."
            ),
        ),
        "cones",
    )
    yield Step(
        "step",
        "step",
        tr("A step in time"),
        (
            tr(
                "Velocities jump by impulses: nothing asks for the force within an impact. Joints "
                "keep their rows: Λ = h λ."
            ),
        ),
        "contact step",
    )
    yield from step
    yield Step(
        "problem",
        "problem",
        tr("Cone problem of the step"),
        (
            tr(
                "With v⁺ eliminated one convex problem is left for the impulses of all contacts. "
                "W is the inverse mass with everything held that joints hold; v* are the "
                "velocities at the step's end without contacts; E is what gives way."
            ),
        ),
        "cone problem",
    )
    yield from problem
    if states:
        yield from states
    yield Step(
        "projection",
        "solution",
        tr("Projection onto the cone"),
        (tr("The nearest impulse that friction allows."),),
        "projection",
    )
    yield Step(
        "solution",
        "solution",
        tr("Solution of the cone problem"),
        (
            tr(
                "Accelerated projected gradient descent: one product with N per iteration, "
                "restarted where it would climb. The residual is an error of a relative velocity."
            ),
        ),
        "apgd",
    )
    yield from solution
