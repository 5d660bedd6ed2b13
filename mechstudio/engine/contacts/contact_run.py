"""A run with contacts: the same blocks of samples as a smooth one, with the columns of contacts,
and on request the contact points of every sample.
"""

import math
import time
from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np

from mechstudio.engine.checks.approximations import run_notes
from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.contacts.bodies import drawn_pairs, drawn_table, step_options
from mechstudio.engine.contacts.edge_parts import EdgeParts
from mechstudio.engine.contacts.fast_spins import FastSpins
from mechstudio.engine.contacts.impact_events import Impacts
from mechstudio.engine.contacts.mean_loads import meaned
from mechstudio.engine.contacts.stepping.joint_friction import JointFriction
from mechstudio.engine.contacts.stepping.stop_table import stop_table
from mechstudio.engine.contacts.stiffness import stepped_loads
from mechstudio.engine.contacts.world import World
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.integration.law_features import clock_features, seen_notes, watched_laws
from mechstudio.engine.integration.options import RunOptions, rest_of, step_count
from mechstudio.engine.integration.outputs import Recorder
from mechstudio.engine.integration.sample_times import sample_places
from mechstudio.engine.integration.slow_runs import Pace, contact_reason
from mechstudio.engine.kernels.columns import B_NODE
from mechstudio.engine.kernels.loads.law_bounds import note, unseen_part
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.kernels.run_tables import MOST_ORDER, SHARE
from mechstudio.engine.system.system import System
from mechstudio.model import contact as c
from mechstudio.model.contact import ContactSample
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.channels import Channel, channels
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import (
    COUNT,
    DRIVE_WORK,
    FRICTION_WORK,
    IMPACT_WORK,
    ITERATIONS,
    LOAD_WORK,
    OVERLAP,
    PAIR0,
    RESIDUAL,
)
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import tr, trn

BLOCK = 64  # samples of one block at most
# share of a step up to which what is left at the end of a run lengthens the last step
LEAST = 1e-3
# share of a law's size by which it may curve within a step with contacts before a note
SEEN = 1e-2
# energy added by impacts, as a share of the largest energy of the run, up to which there is no note
GAIN_REPORTED = 1e-3
LOSS_REPORTED = 5e-3  # the same of what contacts that last take
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
PATIENCE = 0.02  # intended time between two blocks [s]


def run_with_contacts(
    system: System,
    options: RunOptions,
    events: list[Event],
    states: list[np.ndarray] | None = None,
    contact_samples: list[ContactSample] | None = None,
    slow: list[str] | None = None,
) -> Generator[np.ndarray, None, None]:
    """Blocks of samples of a system whose contacts are enabled, as
    engine.run.run yields them. Steps with contacts replace the integrator of smooth motion.

    events: impacts of bodies and of joints at their stops.  contact_samples: a list to which the
    contacts of every sample are appended before its block comes.  The contact step is shortened so
    that samples are ends of steps.
    Raises EngineError if the system cannot be stepped with contacts, RunStopped, after the good
    samples, if the run cannot continue.
    """
    return ContactRunner(system, options, events, states, contact_samples, slow).blocks()


class ContactRunner:
    """One run.  look(time, state, contact columns): called at the end of every step from
    `look_from` [s] on; None for no such calls.
    """

    def __init__(
        self,
        system: System,
        options: RunOptions,
        events: list[Event],
        states: list[np.ndarray] | None,
        contact_samples: list[ContactSample] | None,
        slow: list[str] | None = None,
    ) -> None:
        self.look: Callable[[float, np.ndarray, np.ndarray], object] | None = None
        self.look_from = math.inf
        self.system, self.options, self.states, self.contact_samples = (
            system,
            options,
            states,
            contact_samples,
        )
        stops, rows = stop_table(system)
        table, surfaces = drawn_table(system.mechanism)
        requested = step_options(options.contacts, system.size, len(system.mechanism.bodies))
        # samples are at ends of steps
        self.per_sample = max(1, math.ceil(options.sample_step / requested.step - 1e-9))
        self.step = step = options.sample_step / self.per_sample
        self.rest = rest_of(options)
        soft, second_order, self.notes, self._smoothed = stepped_loads(system, step)
        self.stops = stops
        tables = system.fresh_tables() if soft is None else soft
        # on the grid of samples if it begins there, as smooth runs are
        first, self.start, _ = sample_places(system, options)
        self._first_sample = first if self.start == first * options.sample_step else None
        end = self.start + options.duration
        self.features = clock_features(system.mechanism, tables, self.start, end, MOST_ORDER)
        tables, means = meaned(system.mechanism, tables, self.features, step, self.start, end)
        self._made = lambda: World(
            system,
            table,
            surfaces,
            replace(requested, step=step, second_order=second_order),
            drawn_pairs(system.mechanism),
            stops=rows,
            tables=tables,
            means=means,
        )
        self.world = self._made()
        self.recorder = Recorder(system, self.world.T)
        self.spins = FastSpins(system, self.world, self.recorder.inertias, step)
        self.impacts = Impacts(system, stops, rows, step, requested.slowest, events)
        layout = system.layout
        bodies = {id: n for n, id in enumerate(layout.bodies)} | {GROUND: -1}
        self.pair_columns = {
            frozenset((bodies[a], bodies[b])): PAIR0 + k for k, (a, b) in enumerate(layout.pairs)
        }
        self.cpu = self.wall = 0.0
        self.pace = Pace(options.duration, slow, self._why_slow)
        self.samples, self.ended_by, self.moved = 0, -1, 0.0
        # (state, contact columns) of the samples of the next block
        self._held: list[tuple[np.ndarray, np.ndarray]] = []
        # typed laws that read the motion: their variables at the ends of each step
        self.laws = watched_laws(system.mechanism, self.world.T, np.array([0.0, 1.0]), 2)
        self.laws.settings[SHARE] = SEEN
        self.unseen, self._noted = 0, False
        self.rubs = JointFriction(system, self.world, self._smoothed)
        self.edges = EdgeParts(system)
        self._watch = self._conditions()
        self._watcher = (
            Recorder(
                system,
                self.world.T,
                [column for channel, _, _ in self._watch for column in channel.columns],
            )
            if self._watch
            else None
        )

    def _conditions(self) -> list[tuple[Channel, float, float]]:
        """(quantity, value, direction) of each end condition, checked after every step."""
        known = channels(self.system.mechanism, self.system.layout)
        out = []
        for condition in self.options.until:
            if condition.channel not in known:
                raise EngineError(
                    Finding(
                        "error",
                        "settings",
                        tr(
                            "The run shall end by {channel}, which is no quantity of this "
                            "mechanism.",
                            channel=condition.channel,
                        ),
                        tr(
                            "Choose another quantity in the settings of the simulation, or take "
                            "the condition away."
                        ),
                    )
                )
            out.append(
                (
                    known[condition.channel],
                    condition.value.value,
                    {"rising": 1.0, "falling": -1.0}.get(condition.direction, 0.0),
                )
            )
        return out

    def blocks(self) -> Generator[np.ndarray, None, None]:
        """Generator of `run_with_contacts`."""
        whole, reported = step_count(self.options), time.perf_counter()
        self._last = self._watched()
        try:
            for n in range(whole + 1 + (self.rest > 0.0)):
                if n:
                    self._advance(*((self.per_sample, 0.0) if n <= whole else self._last_steps()))
                if self.ended_by < 0:
                    self.world.y[self.system.where.time] = (
                        self._time_of(n) if n <= whole else self.start + self.options.duration
                    )
                self._sample()
                self.samples += 1
                if self.ended_by >= 0:
                    break
                if len(self._held) == BLOCK or time.perf_counter() - reported > PATIENCE:
                    yield self._block()
                    reported = time.perf_counter()
            if self._held:
                yield self._block()
        except RunStopped:
            if self._held:
                yield self._block()
            raise
        finally:
            self._finish()

    def _time_of(self, sample: int) -> float:
        """The instant of a sample [s], counted from 0."""
        step = self.options.sample_step
        if self._first_sample is None:
            return self.start + sample * step
        return (self._first_sample + sample) * step

    def _last_steps(self) -> tuple[int, float]:
        """Whole steps behind the last sample but one, and the length [s] of the step that then
        leads to the end of the run, 0 for none.
        """
        steps = math.floor(self.rest / self.step + 1e-9)
        part = self.rest - steps * self.step
        if part > LEAST * self.step or not steps:
            return steps, max(part, 0.0)
        # contact forces of a very short step are little more than the tolerance over its length
        return steps - 1, part + self.step

    def _advance(self, steps: int, part: float) -> None:
        """Make whole steps, and then one of another length [s] unless it is 0."""
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            if self._watcher is not None:
                self._advance_watched(steps, part)
            elif len(self.laws.laws) or self.rubs or self.edges or self.look is not None:
                for step in self._lengths(steps, part):
                    self._step(step)
            else:
                self.world.advance(steps)
                if part:
                    self._step(part)
            self.impacts.take(self.world)
        finally:
            self.wall, self.cpu = (
                self.wall + time.perf_counter() - wall,
                self.cpu + time.thread_time() - cpu,
            )
        self.pace.look(self.wall, self.world.time - self.start)

    def _why_slow(self) -> tuple[str, str]:
        counts = self.world.S.counts
        return contact_reason(
            int(counts[s.STEPS]),
            self.wall,
            self.step,
            int(counts[s.CONTACTS]),
        )

    def _block(self) -> np.ndarray:
        """Rows (k, layout.width) of the samples held so far, which are then released."""
        states = np.array([state for state, _ in self._held])
        rows = self.recorder.samples(states[:, -1], states)
        rows[:, self.system.layout.contact] = [contact for _, contact in self._held]
        energies = rows[:, list(self.system.layout.energies)]
        self.moved = max(self.moved, float(np.abs(energies).max()))
        if self.states is not None:
            self.states.append(states)
        spins = rows[:, self.system.layout.velocities].reshape(len(rows), -1, 6)[..., 3:]
        self.spins.look(spins, self.options.sample_step)
        self._held = []
        return rows

    def _sample(self) -> None:
        """Hold the present state with the contact data of the last step; at the start, with those
        of the first one.
        """
        world, y = self.world, self.world.y
        seen, rubs = (world, self.rubs) if self.samples else self._first()
        columns = self.system.layout.contact
        contact = np.empty(columns.stop - columns.start)
        bodies, numbers = self._fill(contact, seen)
        self._held.append((y.copy(), contact))
        if self.contact_samples is not None:
            stops = tuple((self.stops[e].joint, self.stops[e].coordinate) for e in seen.leaned())
            self.contact_samples.append(
                ContactSample(
                    float(y[-1]),
                    bodies.tobytes(),
                    numbers.tobytes(),
                    stops,
                    seen.moments().tobytes(),
                    float(seen.S.tally[s.WORST_SUNK]),
                    rubs.ways,
                )
            )

    def _fill(self, contact: np.ndarray, seen: World) -> tuple[np.ndarray, np.ndarray]:
        """Fill the contact columns of a sample, and return the contacts in `seen`, see
        World.touching.
        """
        tally, counts = self.world.S.tally, seen.S.counts
        contact[[COUNT, OVERLAP, RESIDUAL, ITERATIONS]] = (
            counts[s.CONTACTS] - counts[s.STOPPING],
            seen.S.tally[s.OVERLAP],
            seen.S.tally[s.RESIDUAL],
            counts[s.ITERATIONS],
        )
        contact[[FRICTION_WORK, IMPACT_WORK, DRIVE_WORK, LOAD_WORK]] = (
            tally[s.FRICTION_WORK],
            tally[s.NORMAL_WORK],
            tally[s.DRIVE_WORK],
            tally[s.LOAD_WORK],
        )
        contact[PAIR0:] = 0.0
        bodies, numbers = seen.touching()
        if self.pair_columns:
            forces = (numbers[:, c.FORCE : c.FORCE + 3] * numbers[:, c.NORMAL : c.NORMAL + 3]).sum(
                axis=1
            )
            for pair, force in zip(bodies, forces):
                if (column := self.pair_columns.get(frozenset(pair.tolist()))) is not None:
                    contact[column] += force
        return bodies, numbers

    def _first(self) -> tuple[World, JointFriction]:
        """Another world after its first step, or before it if that fails, with its frictions."""
        world = self._made()
        rubs = JointFriction(self.system, world, self._smoothed)
        try:
            if rubs:
                rubs.advance(self.step)
            else:
                world.advance()
        except RunStopped:
            # the run itself will report it
            world = self._made()
            rubs = JointFriction(self.system, world, self._smoothed)
        return world, rubs

    def _lengths(self, steps: int, part: float) -> list[float]:
        """Lengths [s] of steps, see _advance."""
        return [*[self.step] * steps, *filter(None, [part])]

    def _advance_watched(self, steps: int, part: float) -> None:
        """Run step by step until a condition holds."""
        for step in self._lengths(steps, part):
            self._step(step)
            now, last = self._watched(), self._last
            self._last = now
            for k, (_, _, requested) in enumerate(self._watch):
                if (
                    last[k] * now[k] <= 0.0
                    and last[k] != 0.0
                    and requested in (0.0, np.sign(now[k] - last[k]))
                ):
                    self.ended_by = k
                    return

    def _step(self, step: float) -> None:
        """One step [s], in parts that end at edges of cams and curves.  Joint frictions and typed
        laws of the motion are updated and checked.
        """
        world = self.world
        for part in self.edges.parts(world.y, world.T, step) if self.edges else [step]:
            world.S.settings[s.STEP] = part
            if self.rubs:
                self.rubs.advance(part)
            else:
                world.advance()
        world.S.settings[s.STEP] = self.step
        self._look_at_laws()
        if self.look is not None and self.world.time >= self.look_from:
            columns = self.system.layout.contact
            contact = np.empty(columns.stop - columns.start)
            self._fill(contact, self.world)
            self.look(self.world.time, self.world.y.copy(), contact)

    def _look_at_laws(self) -> None:
        """Count the step if a typed law of the motion may have had a feature within it."""
        laws, T = self.laws, self.world.T
        if not len(laws.laws):
            return
        right_hand_side(self.world.y.copy(), T, np.zeros_like(self.world.y), True)
        note(T, laws, 1)
        self.unseen += self._noted and unseen_part(T, laws, 2) < 1.0
        laws.seen[0], self._noted = laws.seen[1], True

    def _watched(self) -> list[float]:
        """Differences of the watched quantities from their values."""
        if self._watcher is None:
            return []
        row = self._watcher.samples(self.world.y[-1:].copy(), self.world.y[None].copy())[0]
        self._fill(row[self.system.layout.contact], self.world)
        return [float(channel.values(row[None])[0]) - value for channel, value, _ in self._watch]

    def _gains(self) -> tuple[str, ...]:
        """Sentences about energy added by impacts and by contacts that last, and taken by these,
        where it exceeds rounding and the work of loads within a step.
        """
        return (
            *self._gained(
                s.IMPACT_GAIN,
                s.GAINED_AT,
                tr(
                    "Impacts with friction add {gained}, {share:.2g} % of the largest energy of "
                    "the run, most at {time}: Newton's law of rebound allows that where a body "
                    "strikes obliquely. Lower the rebound or the friction of its surface."
                ),
                GAIN_REPORTED,
            ),
            *self._gained(
                s.LASTING_GAIN,
                s.LASTING_AT,
                tr(
                    "Contacts that last add {gained}, {share:.2g} % of the largest energy of the "
                    "run, most at {time}: the places where bodies touch move too far in a step. "
                    "Take a shorter contact step."
                ),
                GAIN_REPORTED,
            ),
            *self._gained(
                s.LASTING_LOSS,
                s.LASTING_AT,
                tr(
                    "Contacts take {gained}, {share:.2g} % of the largest energy of the run, "
                    "though nothing strikes there: the places where bodies touch move too far in a "
                    "step. Take a shorter contact step."
                ),
                LOSS_REPORTED,
            ),
        )

    def _gained(self, gain: int, when: int, words: str, least: float) -> tuple[str, ...]:
        """The words about the energy in column `gain` of the tally, most of it gained in the step
        that begins at the time in column `when`; nothing up to a share `least` of the largest.
        """
        gained, at = (float(self.world.S.tally[column]) for column in (gain, when))
        if gained <= least * self.moved:
            return ()
        return (
            words.format(
                gained=format_value(gained, "energy", DEFAULT_SYSTEM, 3),
                share=100.0 * gained / self.moved,
                time=format_value(at, "time", DEFAULT_SYSTEM, 4),
            ),
        )

    def _cornered(self) -> tuple[str, ...]:
        """A sentence about steps in which friction of flat sides was not shared over their area."""
        counts = self.world.S.counts
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

    def _unsettled(self) -> tuple[str, ...]:
        """A sentence about steps in which dry friction of joints and contacts did not agree."""
        if not (unsettled := self.rubs.unsettled):
            return ()
        return (
            tr(
                "In {count} of {steps} steps contacts and the dry friction of joints did not "
                "agree: a joint may slip or hold wrongly there. Take a shorter contact step.",
                count=unsettled,
                steps=int(self.world.S.counts[s.STEPS]),
            ),
        )

    def _unbalanced(self) -> tuple[str, ...]:
        """A sentence about an energy that does not balance, since a motion is too quick.  Errors
        within the tolerance of velocities do not count, nor does anything where nothing moves.
        """
        recorder, error = self.recorder, self.recorder.energy_error
        mass, speed = self._moving_mass(), RESOLVED * self.options.contacts.tolerance.value
        within = math.sqrt(2.0 * mass * recorder.kinetic) * speed
        if recorder.kinetic <= 0.5 * mass * speed**2 or error <= max(
            UNBALANCED * self.moved, within, ROUNDING * recorder.potential
        ):
            return ()
        return (
            tr(
                "The energy is off by {share:.3g} % of the largest: a motion is too quick for the "
                "step of contacts, as where a light crank passes its dead centre under a heavy "
                "slider. A shorter step mostly reduces it: compare both runs.",
                share=100.0 * error / (self.moved or error),
            ),
        )

    def _moving_mass(self) -> float:
        """Mass of all bodies that are not bolted to ground [kg]."""
        T = self.world.T
        return float(self.recorder.masses[T.bodies[:, B_NODE] != len(T.nodes) - 1].sum())

    def _too_small(self) -> tuple[str, ...]:
        """Sentences about a mechanism so small or slow that contacts do not resolve its motion."""
        contacts, size, recorder = self.options.contacts, self.system.size, self.recorder
        tolerance, slowest = contacts.tolerance.value, contacts.slowest.value
        touched = float(self.world.S.tally[s.NORMAL_WORK]) != 0.0
        creep = tolerance * (self.world.time - self.start)
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
        speed = math.sqrt(2.0 * recorder.kinetic / (self._moving_mass() or 1.0))
        if (
            RESOLVED * tolerance < speed < slowest
            and not self.impacts.count
            and self.world.materials[:, s.RESTITUTION].any()
            and -self.world.S.tally[s.NORMAL_WORK] > STOPPED * recorder.kinetic
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

    def _finish(self) -> None:
        world, recorder, impacts = self.world, self.recorder, self.impacts
        impacts.close()
        self.system.statistics = RunStatistics(
            world.time - self.start,
            self.samples,
            int(world.S.counts[s.STEPS]),
            0,
            self.cpu,
            self.wall,
            recorder.energy_error / self.moved if self.moved > 0.0 else None,
            recorder.gap,
            (world.time - self.start) / self.wall if self.wall > 0.0 else 0.0,
            impacts.count,
            impacts.loss,
            self.ended_by,
            int(world.S.counts[s.UNSOLVED]),
            float(world.S.tally[s.WORST_RESIDUAL]),
            run_notes(self.system.mechanism)
            + recorder.notes
            + self.notes
            + self.spins.notes
            + self._gains()
            + self._cornered()
            + self._unsettled()
            + self._unbalanced()
            + self._too_small()
            + seen_notes(
                self.system.mechanism,
                self.features,
                self.laws,
                self.unseen,
                0.0,
                tr("step with contacts"),
            ),
            float(world.S.tally[s.WORST_SUNK]),
        )
