"""Sentences for a run's statistics on how far its numbers can be trusted: an energy that does not
balance, joints that drift, motions below what the tolerance resolves.
"""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mechstudio.engine.integration.options import LEAST_TOLERANCE, RunOptions
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import REST
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import Words, tr

if TYPE_CHECKING:
    from mechstudio.engine.integration.outputs import Recorder
    from mechstudio.engine.system.nodes import Node
    from mechstudio.engine.system.system import System

RESOLVED = 1e3  # tolerances that a motion has to be for its steps to follow it to a thousandth
EXACT = 1e-4  # part of a motion that the tolerance should be
GUESSED: Words = (
    " A drawing without extent, as this one, counts as 1 m large: shapes, or joints apart "
    "from each other, give it a size."
)
ROUNDING = 1e-15  # sizes or radians that count as no motion
NOISE = (
    1e-12  # the same beside larger motions, whose rounding and closed joints move what stands still
)
# tolerances up to which what stands still may ring, where only its stiffness keeps steps short
RINGING = 0.3
MISSED = 10.0  # ways seen in the samples, from which on they do not show how far a motion goes
# imbalance of the energy, as a share of the largest, up to which there is no note: at all, and of
# an adaptive method in units of its tolerance
UNBALANCED, UNBALANCED_TOLERANCES = 1e-3, 1e5
RESOLVED_SPEED = 10.0  # tolerances that a speed may be wrong by
BEGINS = 1e-2  # part of its largest speed with which a motion that is none of these begins


def balance_notes(options: RunOptions, adaptive: bool, recorder: "Recorder") -> tuple[str, ...]:
    """Notes on an energy that does not balance.  Errors within the tolerance of velocities do not
    count, nor does the rounding of a large potential energy.
    """
    share, limit = recorder.imbalance, UNBALANCED
    if share is None or not math.isfinite(share):
        return ()
    within = REST * recorder.potential
    if adaptive:
        if options.drift == "projection":
            limit = min(UNBALANCED, UNBALANCED_TOLERANCES * options.tolerance)
        # of velocities; sizes and radians are weighed alike
        speed = RESOLVED_SPEED * options.tolerance * recorder.system.mechanism.size()
        T = recorder.tables
        moving = recorder.masses[T.bodies[:, k.B_NODE] != len(T.nodes) - 1]
        momentum = math.sqrt(2.0 * float(moving.sum()) * recorder.kinetic)
        within = max(within, momentum * speed)
    if share <= limit or recorder.energy_error <= within:
        return ()
    return (
        tr(
            "The energy is off by {share:.3g} % of the largest: the motion, or the work of a drive "
            "or force, is wrong in this run. {cure}",
            share=100.0 * share,
            cure=tr("Compare it with a run of a tighter tolerance, and of a shorter largest step.")
            if adaptive
            else tr("Compare it with a run of a shorter step."),
        ),
    )


def drift_notes(options: RunOptions, system: "System", gap: float) -> tuple[str, ...]:
    """Notes on joints that nothing holds closed.  gap: by how much they were open [m]."""
    if options.drift == "projection" or not system.rows:
        return ()
    how = (
        tr("Nothing closes joints that have opened")
        if options.drift == "none"
        else tr("Baumgarte's terms draw open joints together without closing them")
    )
    return (
        tr(
            "{how}: the joints of loops drift, here by up to {gap:.3g} m. Choose projection as "
            "drift control for joints that stay closed.",
            how=how,
            gap=gap,
        ),
    )


def small_notes(options: RunOptions, adaptive: bool, recorder: "Recorder") -> tuple[str, ...]:
    """Notes on motions that are hardly more than the tolerance: the whole motion, or that of a
    joint or body beside larger ones.
    """
    if not adaptive:
        return ()
    motions = list(_motions(recorder, min(options.sample_step, options.duration)))
    limit, largest = RESOLVED * options.tolerance, max((m.way for m in motions), default=0.0)
    if largest < limit:
        if largest <= ROUNDING:
            return ()
        return (
            tr(
                "The motion lies at the limit of the tolerance: nothing goes further than "
                "{largest:.1e} radians or mechanism sizes, and the tolerance {tolerance:.0e} "
                "counts in these. {cure}{guessed}",
                largest=largest,
                tolerance=options.tolerance,
                cure=_cure(largest),
                guessed=_guessed(recorder),
            ),
        )
    small = sorted(
        (m.way, m.name)
        for m in motions
        if m.name and NOISE < m.way < limit and (m.begins or m.seen > RINGING * options.tolerance)
    )
    if not small:
        return ()
    least, name = small[0]
    more, verb = (
        (tr(" and {count} more", count=len(small) - 1), "lie") if len(small) > 1 else ("", "lies")
    )
    return (
        tr(
            "The motion of {name}{more} {verb} at the limit of the tolerance beside larger ones: "
            "{name} goes no further than {least:.1e} radians or mechanism sizes, and the "
            "tolerance {tolerance:.0e} counts in these. {cure}{guessed}",
            name=name,
            more=more,
            verb=verb,
            least=least,
            tolerance=options.tolerance,
            cure=_cure(least),
            guessed=_guessed(recorder),
        ),
    )


def _guessed(recorder: "Recorder") -> str:
    """Words on a size that is a guess; "" for one that is drawn."""
    return "" if recorder.system.mechanism.has_extent else tr(GUESSED)


def _cure(motion: float) -> str:
    """Advice on the tolerance that resolves a motion [sizes or radians]."""
    requested = 10.0 ** math.floor(math.log10(EXACT * motion))
    if requested >= LEAST_TOLERANCE:
        return tr("Choose a tolerance of {requested:.0e}.", requested=requested)
    return tr(
        "Choose the least tolerance, {least_tolerance:.0e}, and a fixed step beside it to compare "
        "with.",
        least_tolerance=LEAST_TOLERANCE,
    )


class _Motion(NamedTuple):
    """One joint coordinate or free body of a run.

    name: empty of chains that carry no body.  seen: largest way from its start in the samples
    [sizes or radians].
    reach: the same between them.  begins: whether it moves or is pushed from the start, as what
    only rings does not.
    """

    name: str
    seen: float
    reach: float
    begins: bool

    @property
    def way(self) -> float:
        """Distance that the motion covers. A motion much quicker than it is sampled may stand still
        in the samples.
        """
        return self.seen if self.reach < MISSED * self.seen else self.reach


def _motions(recorder: "Recorder", step: float) -> Iterator[_Motion]:
    """Motions of the nodes in the tree of the run.  step: between samples [s], within which fast
    oscillations go further than the samples show.
    """
    system, q, v = recorder.system, 0, 0
    rates = slice(system.where.nq, system.where.nq + system.where.nv)
    slope = np.zeros_like(system.start)
    right_hand_side(system.start.copy(), system.fresh_tables(), slope, True)
    first, pushed = (np.abs(y[rates]) / system.scale[rates] for y in (system.start, slope))
    carrying = {node.joint for node in system.tree.nodes if node.bodies}
    for node in system.tree.nodes:
        way, largest, speed, push = (
            float(numbers.max(initial=0.0))
            for numbers in (
                recorder.motions[q : q + len(node.start)],
                *(x[v : v + node.dof] for x in (recorder.speeds, first, pushed)),
            )
        )
        q, v = q + len(node.start), v + node.dof
        # a motion that swings with omega from rest has way omega^2 = push and way omega = largest
        begins = speed > BEGINS * largest or push * way > BEGINS * largest**2
        yield _Motion(
            _name(system.mechanism, node) if node.joint in carrying else "",
            way,
            way + 0.5 * step * largest,
            begins,
        )


def _name(mechanism: Mechanism, node: "Node") -> str:
    """Of a joint, with the coordinate's where it has several, or of a free body."""
    if not node.joint:
        return mechanism.bodies[node.bodies[0]].name if node.bodies else ""
    joint = mechanism.joints[node.joint]
    kind = JOINT_TYPES[joint.type]
    return (
        joint.name
        if kind.dof == 1 or node.coordinate < 0
        else tr(
            "{coordinate} of {joint}",
            coordinate=tr(kind.coordinates[node.coordinate].name),
            joint=joint.name,
        )
    )
