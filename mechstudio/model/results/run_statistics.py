"""Cost and accuracy of a finished run."""

import msgspec


class RunStatistics(msgspec.Struct, frozen=True):
    """Cost and accuracy of a finished run.

    duration: simulated [s].  cpu_s, wall_s: of the stepping.  energy_error: largest imbalance over
    largest kinetic energy, over the largest potential energy where nothing moves; None where there
    is no energy at all.  constraint_error_m: largest joint gap, angle rows times the size [m].
    rate: duration / wall_s.
    impacts: at hard stops.  impact_loss: kinetic energy that they cost [J].  ended_by: place among
    the options' conditions of the one that ended the run; -1 where none did.  unsolved: steps with
    contacts whose impulses were not found to the tolerance.  contact_residual: the largest residual
    of their solves [m/s].
    overlap_share: the deepest overlap of bodies over the size of the smaller one, compliant
    contacts left out.
    notes: sentences on approximations of the drawing, with remedies.
    evaluations: of the right-hand side, those of projections among them; 0 where nothing counts
    them.
    """

    duration: float
    samples: int
    steps: int
    rejected_steps: int
    cpu_s: float
    wall_s: float
    energy_error: float | None
    constraint_error_m: float
    rate: float
    impacts: int = 0
    impact_loss: float = 0.0
    ended_by: int = -1
    unsolved: int = 0
    contact_residual: float = 0.0
    notes: tuple[str, ...] = ()
    overlap_share: float = 0.0
    evaluations: int = 0
