"""Sentences for the statistics of a run with contacts on how far its numbers can be trusted: energy
that contacts add or take, friction that was not shared, rebounds that came early, motions below
what the tolerance resolves.
"""

import math
from collections.abc import Iterator

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.runs.impact_events import Impacts
from mechstudio.engine.contacts.world import World
from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.integration.outputs import Recorder
from mechstudio.engine.kernels.columns import B_NODE
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import Words, tr, trn

# energy added by impacts, as a share of the largest energy of the run, up to which there is no note
GAIN_REPORTED = 1e-3
LOSS_REPORTED = 5e-3  # the same of what contacts that last take
# energy of impacts that the step decides, as the same share
EARLY = 0.01
# energy of missed rebounds, as a share of what impacts take, up to which there is no note
MISSED_REPORTED = 0.1
# energy that elastic surfaces add, as the same share
GIVEN_REPORTED = 5e-3
# imbalance of the energy, as a share of the largest energy of the run, up to which there is no note
UNBALANCED = 0.01
# multiple of the tolerance up to which a speed may be only error, and share of the largest
# potential energy that may be rounding
RESOLVED, ROUNDING = 10.0, 1e-12
# share of the mechanism's size by which bodies may creep within the tolerance before a note
CREEP = 0.05
# share of the largest kinetic energy that contacts take, from which bodies too slow to rebound are
# noted
STOPPED = 0.1

IMPACTS_ADD: Words = (
    "Impacts with friction add {energy}, {share:.2g} % of the largest energy of the run, most at "
    "{time}: Newton's law of rebound allows that where a body strikes obliquely. Lower the rebound "
    "or the friction of its surface."
)
LASTING_ADD: Words = (
    "Contacts that last add {energy}, {share:.2g} % of the largest energy of the run, most at "
    "{time}: the places where bodies touch move too far in a step. Take a shorter contact step."
)
LASTING_TAKE: Words = (
    "Contacts take {energy}, {share:.2g} % of the largest energy of the run, though nothing "
    "strikes there: the places where bodies touch move too far in a step. Take a shorter contact "
    "step."
)
STRIKE_EARLY: Words = (
    "Bodies or stops strike again within a few steps: impacts may take {energy} too much or too "
    "little, {share:.2g} % of the largest energy of the run, since a rebound begins up to one "
    "step's way before the surface. Take a shorter contact step."
)
REBOUNDS_MISSED: Words = (
    "Bodies that strike two others within one step rebound from the first alone: that may take "
    "{energy} too much or too little, {share:.2g} % of the largest energy of the run. Take a "
    "shorter contact step, or the law of impacts *One after the other*."
)
GIVEN_BACK: Words = (
    "Elastic surfaces give back {energy} more than they took, {share:.2g} % of the largest energy "
    "of the run: bodies press into each other so deep that other corners and sides touch when they "
    "part. Make the surfaces stiffer."
)


def trust_notes(
    world: World,
    recorder: Recorder,
    impacts: Impacts,
    options: RunOptions,
    start: float,
    moved: float,
    unsettled: int,
) -> tuple[str, ...]:
    """All sentences about a run up to now.  start: its first instant [s].  moved: largest energy of
    its samples [J].  unsettled: steps in which joint friction and contacts did not agree.
    """
    return (
        *_energies(world, impacts, moved),
        *_cornered(world),
        *_unsettled(world, unsettled),
        *_unbalanced(world, recorder, options, moved),
        *_too_small(world, recorder, impacts, options, start),
    )


def _energies(world: World, impacts: Impacts, moved: float) -> Iterator[str]:
    """Sentences about energy that contacts add or take beyond what they should, or may: those above
    a share of the largest energy `moved` [J], which is more than rounding and the work of loads
    within a step.
    """
    tally = [float(x) for x in world.S.tally]
    for words, energy, least, at in (
        (IMPACTS_ADD, tally[s.IMPACT_GAIN], GAIN_REPORTED * moved, tally[s.GAINED_AT]),
        (LASTING_ADD, tally[s.LASTING_GAIN], GAIN_REPORTED * moved, tally[s.LASTING_AT]),
        (LASTING_TAKE, tally[s.LASTING_LOSS], LOSS_REPORTED * moved, 0.0),
        (STRIKE_EARLY, impacts.early(), EARLY * moved, 0.0),
        (
            REBOUNDS_MISSED,
            tally[s.MISSED],
            max(EARLY * moved, MISSED_REPORTED * impacts.loss),
            0.0,
        ),
        (GIVEN_BACK, impacts.given, GIVEN_REPORTED * moved, 0.0),
    ):
        if energy > least:
            yield tr(
                words,
                energy=format_value(energy, "energy", DEFAULT_SYSTEM, 3),
                # a run may begin and end at rest, at zero height
                share=100.0 * energy / (moved or energy),
                time=format_value(at, "time", DEFAULT_SYSTEM, 4),
            )


def _cornered(world: World) -> tuple[str, ...]:
    """A sentence about steps in which friction of flat sides was not shared over their area."""
    counts = world.S.counts
    if not (cornered := int(counts[s.UNSHARED])):
        return ()
    return (
        trn(
            "In {count} of {steps} steps friction of flat sides that spin or are about to acts "
            "at their corners alone, as none over their area was found: a disc may be braked "
            "half as much again in it, a square by 85 % more. A wider tolerance of contacts "
            "finds it more often.",
            "In {count} of {steps} steps friction of flat sides that spin or are about to acts "
            "at their corners alone, as none over their area was found: a disc may be braked "
            "half as much again in them, a square by 85 % more. A wider tolerance of contacts "
            "finds it more often.",
            cornered,
            steps=int(counts[s.STEPS]),
        ),
    )


def _unsettled(world: World, unsettled: int) -> tuple[str, ...]:
    """A sentence about steps in which dry friction of joints and contacts did not agree."""
    if not unsettled:
        return ()
    return (
        tr(
            "In {count} of {steps} steps contacts and the dry friction of joints did not "
            "agree: a joint may slip or hold wrongly there. Take a shorter contact step.",
            count=unsettled,
            steps=int(world.S.counts[s.STEPS]),
        ),
    )


def _unbalanced(
    world: World, recorder: Recorder, options: RunOptions, moved: float
) -> tuple[str, ...]:
    """A sentence about an energy that does not balance, since a motion is too quick.  Errors
    within the tolerance of velocities do not count, nor does anything where nothing moves.
    """
    error = recorder.energy_error
    mass, speed = _moving_mass(world, recorder), RESOLVED * options.contacts.tolerance.value
    within = math.sqrt(2.0 * mass * recorder.kinetic) * speed
    if recorder.kinetic <= 0.5 * mass * speed**2 or error <= max(
        UNBALANCED * moved, within, ROUNDING * recorder.potential
    ):
        return ()
    return (
        tr(
            "The energy is off by {share:.3g} % of the largest: a motion is too quick for the "
            "step of contacts, as where a light crank passes its dead centre under a heavy "
            "slider. A shorter step mostly reduces it: compare both runs.",
            share=100.0 * error / (moved or error),
        ),
    )


def _moving_mass(world: World, recorder: Recorder) -> float:
    """Mass of all bodies that are not bolted to ground [kg]."""
    T = world.T
    return float(recorder.masses[T.bodies[:, B_NODE] != len(T.nodes) - 1].sum())


def _too_small(
    world: World, recorder: Recorder, impacts: Impacts, options: RunOptions, start: float
) -> tuple[str, ...]:
    """Sentences about a mechanism so small or slow that contacts do not resolve its motion."""
    contacts, size = options.contacts, recorder.system.size
    tolerance, slowest = contacts.tolerance.value, contacts.slowest.value
    touched = float(world.S.tally[s.NORMAL_WORK]) != 0.0
    creep = tolerance * (world.time - start)
    notes = ()
    if touched and creep > CREEP * size:
        notes += (
            tr(
                "Bodies that touch may creep by {creep} in this run, {share:.2g} % of the size "
                "of the mechanism: contacts are solved to {tolerance:.2g} m/s. Take a tighter "
                "tolerance of contacts.",
                creep=format_value(creep, "length", DEFAULT_SYSTEM, 2),
                share=100.0 * creep / size,
                tolerance=tolerance,
            ),
        )
    speed = math.sqrt(2.0 * recorder.kinetic / (_moving_mass(world, recorder) or 1.0))
    if (
        RESOLVED * tolerance < speed < slowest
        and not impacts.count
        and world.materials[:, s.RESTITUTION].any()
        and -world.S.tally[s.NORMAL_WORK] > STOPPED * recorder.kinetic
    ):
        notes += (
            tr(
                "Nothing rebounds in this run: everything is slower than {slowest}, below "
                "which contacts have no rebound. Lower *Rebounds above* in the settings of "
                "contacts.",
                slowest=format_value(slowest, "velocity", DEFAULT_SYSTEM, 2),
            ),
        )
    return notes
