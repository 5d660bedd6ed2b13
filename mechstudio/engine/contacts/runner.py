"""A run with contacts: the same blocks of samples as a smooth one, with the columns of contacts, and the contact points of every sample for whoever asks."""

import math
import time
from collections.abc import Iterator

import numpy as np

from mechstudio.model import contact as c
from mechstudio.model.channels import channels
from mechstudio.model.contact import ContactSample
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import GROUND
from mechstudio.model.run_statistics import RunStatistics
from mechstudio.model.sample_layout import COUNT, FRICTION_WORK, IMPACT_WORK, ITERATIONS, OVERLAP, PAIR0, RESIDUAL

from ..errors import EngineError, RunStopped
from ..outputs import Recorder
from ..run_options import RunOptions, sample_count
from ..stops import hard_stops, stop_name
from ..system import System
from . import stage as s
from .drawn import drawn_table, step_options
from .world import World

BLOCK = 64              # samples of one block at most
PATIENCE = 0.02         # wanted time between two blocks [s]


def run_with_contacts(system: System, options: RunOptions, states: list[np.ndarray] | None = None, touches: list[ContactSample] | None = None) -> Iterator[np.ndarray]:
    """What engine.run.run yields, for a system whose contacts are enabled; the integrator of smooth motion gives way to steps with contacts.

    touches: a list to which the contacts of every sample are appended before its block comes.   The contact step is shortened so that samples are ends of steps.
    Raises EngineError for what cannot be stepped with contacts, RunStopped, after the good samples, for a run that cannot go on.
    """
    return ContactRunner(system, options, states, touches).blocks()


class ContactRunner:
    """One run."""

    def __init__(self, system: System, options: RunOptions, states: list[np.ndarray] | None, touches: list[ContactSample] | None) -> None:
        self.system, self.options, self.states, self.touches = system, options, states, touches
        if stops := hard_stops(system):
            raise EngineError(Finding("error", stops[0].joint, f"Steps with contacts do not keep {stop_name(system.mechanism, stops[0])}, which is a hard one.",
                                      "Give the stop a stiffness, draw what it strikes as bodies that touch, or switch contacts off."))
        table, surfaces = drawn_table(system.mechanism)
        wanted = step_options(options.contacts, system.size, len(system.mechanism.bodies))
        # samples stand at ends of steps
        self.per_sample = max(1, math.ceil(options.sample_step / wanted.step - 1e-9))
        step = options.sample_step / self.per_sample
        self.world = World(system, table, surfaces, wanted.with_step(step))
        self.recorder = Recorder(system, self.world.T)
        layout = system.layout
        bodies = {id: n for n, id in enumerate(layout.bodies)} | {GROUND: -1}
        self.pair_columns = {frozenset((bodies[a], bodies[b])): PAIR0 + k for k, (a, b) in enumerate(layout.pairs)}
        self.cpu = self.wall = 0.0
        self.samples, self.ended_by = 0, -1
        self._watch = self._conditions()

    def _conditions(self) -> list[tuple[list[int], float, float]]:
        """(columns, value, wanted direction) of what ends the run; looked at where samples stand."""
        known = channels(self.system.mechanism, self.system.layout)
        out = []
        for condition in self.options.until:
            if condition.channel not in known:
                raise EngineError(Finding("error", "settings", f"The run shall end by {condition.channel}, which is no quantity of this mechanism.",
                                          "Choose another quantity in the settings of the simulation, or take the condition away."))
            out.append((list(known[condition.channel].columns), condition.value.value, {"rising": 1.0, "falling": -1.0}.get(condition.direction, 0.0)))
        return out

    def blocks(self) -> Iterator[np.ndarray]:
        """The generator behind `run_with_contacts`."""
        count, held, told, last = sample_count(self.options), [], time.perf_counter(), None
        try:
            for n in range(count):
                if n:
                    self._advance()
                self.world.y[self.system.where.time] = n * self.options.sample_step
                held.append(self._sample())
                self.samples += 1
                if self._over(last, held[-1]):
                    break
                last = held[-1]
                if len(held) == BLOCK or time.perf_counter() - told > PATIENCE:
                    yield np.array(held)
                    held, told = [], time.perf_counter()
            if held:
                yield np.array(held)
        except RunStopped:
            if held:
                yield np.array(held)
            raise
        finally:
            self._finish()

    def _advance(self) -> None:
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            self.world.advance(self.per_sample)
        finally:
            self.wall, self.cpu = self.wall + time.perf_counter() - wall, self.cpu + time.thread_time() - cpu

    def _sample(self) -> np.ndarray:
        """The present state as a row, with what the last step found about contacts."""
        world, y = self.world, self.world.y
        if self.states is not None:
            self.states.append(y[None].copy())
        row = self.recorder.samples(np.array([y[-1]]), y[None])[0]
        tally, counts, contact = world.S.tally, world.S.counts, row[self.system.layout.contact]
        contact[[COUNT, OVERLAP, RESIDUAL, ITERATIONS]] = counts[s.CONTACTS], tally[s.OVERLAP], tally[s.RESIDUAL], counts[s.ITERATIONS]
        contact[[FRICTION_WORK, IMPACT_WORK]] = tally[s.FRICTION_WORK], tally[s.NORMAL_WORK]
        contact[PAIR0:] = 0.0
        bodies, numbers = world.touching()
        if self.pair_columns:
            forces = (numbers[:, c.FORCE:c.FORCE + 3] * numbers[:, c.NORMAL:c.NORMAL + 3]).sum(axis=1)
            for pair, force in zip(bodies, forces):
                if (column := self.pair_columns.get(frozenset(pair.tolist()))) is not None:
                    contact[column] += force
        if self.touches is not None:
            self.touches.append(ContactSample(float(y[-1]), bodies.tobytes(), numbers.tobytes()))
        return row

    def _over(self, last: np.ndarray | None, row: np.ndarray) -> bool:
        """Whether a condition has come true between two samples."""
        for k, (columns, value, wanted) in enumerate(self._watch):
            if last is None:
                continue
            before, now = last[columns].sum() - value, row[columns].sum() - value
            if before * now <= 0.0 and before != 0.0 and wanted in (0.0, np.sign(now - before)):
                self.ended_by = k
                return True
        return False

    def _finish(self) -> None:
        world, recorder, tally = self.world, self.recorder, self.world.S.tally
        self.system.statistics = RunStatistics(
            world.time, self.samples, int(world.S.counts[s.STEPS]), 0, self.cpu, self.wall, recorder.energy_error / recorder.kinetic if recorder.moves else None, recorder.gap,
            world.time / self.wall if self.wall > 0.0 else 0.0, int(world.S.counts[s.IMPACTS]), max(0.0, -float(tally[s.NORMAL_WORK])), self.ended_by)
