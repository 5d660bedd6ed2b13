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
from mechstudio.engine.contacts.runs.edge_parts import EdgeParts
from mechstudio.engine.contacts.runs.fast_spins import FastSpins
from mechstudio.engine.contacts.runs.impact_events import Impacts
from mechstudio.engine.contacts.runs.mean_loads import meaned
from mechstudio.engine.contacts.runs.notes import trust_notes
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
from mechstudio.translation import tr

BLOCK = 64  # samples of one block at most
# share of a step up to which what is left at the end of a run lengthens the last step
LEAST = 1e-3
# share of a law's size by which it may curve within a step with contacts before a note
SEEN = 1e-2
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
            + trust_notes(
                world, recorder, impacts, self.options, self.start, self.moved, self.rubs.unsettled
            )
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
