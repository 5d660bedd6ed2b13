"""Running a system: a generator of blocks of samples, with no input or output of its own."""

import math
import time
from collections.abc import Iterator

import msgspec
import numpy as np

from mechstudio.model.project import Settings

from .errors import RunStopped
from .integrators import INTEGRATORS, Integrator
from .kernels import columns as k
from .kernels import stepping
from .kernels.columns import Tables
from .kernels.stepping import Run, advance
from .outputs import Recorder
from .system import Statistics, System

BLOCK = 256                 # samples that one block holds at most
PATIENCE = 0.02             # wanted time between two blocks [s]


MOST_SAMPLES = 20_000_000      # beyond that no memory holds a run


class RunOptions(msgspec.Struct, frozen=True):
    """duration, sample_step [s].   tolerance: of an adaptive integrator.   step: fixed step, or largest step of an adaptive one [s];
    0 for the integrator's own."""

    duration: float = 5.0
    sample_step: float = 1.0 / 60.0
    integrator: str = "dop853"
    tolerance: float = 1e-9
    step: float = 0.0

    @classmethod
    def from_settings(cls, settings: Settings) -> "RunOptions":
        """The options that a project's settings ask for."""
        step = settings.step.value if settings.step is not None else 0.0
        return cls(settings.duration.value, settings.sample_step.value, settings.integrator, settings.tolerance.value, step)

    def check(self) -> None:
        """Raises ValueError with one sentence if a run with these options makes no sense."""
        if self.integrator not in INTEGRATORS:
            raise ValueError(f"There is no integrator {self.integrator}; there are {', '.join(INTEGRATORS)}.")
        for name, value in (("duration", self.duration), ("sample step", self.sample_step)):
            if not (math.isfinite(value) and value > 0.0):
                raise ValueError(f"The {name} must be a positive time, not {value:g} s.")
        if self.duration / self.sample_step > MOST_SAMPLES:
            raise ValueError(f"A run of {self.duration:g} s with a sample every {self.sample_step:g} s has more than {MOST_SAMPLES:,} samples: "
                             "choose a longer sample step or a shorter duration.")
        if not (math.isfinite(self.step) and self.step >= 0.0):
            raise ValueError(f"The step must be a positive time, not {self.step:g} s.")
        if INTEGRATORS[self.integrator].adaptive and not 1e-14 <= self.tolerance <= 0.1:
            raise ValueError(f"The tolerance must lie between 1e-14 and 0.1, not {self.tolerance:g}.")


def sample_count(options: RunOptions) -> int:
    """Samples of a complete run: at 0, sample_step, 2 sample_step, … up to the duration."""
    return math.floor(options.duration / options.sample_step * (1 + 1e-12) + 1e-9) + 1


def run(system: System, options: RunOptions) -> Iterator[np.ndarray]:
    """Yield blocks (k, layout.width) of samples as they are ready, an empty one where none is ready after about 20 ms.

    After the last block system.statistics is set.   Raises ValueError for senseless options, and RunStopped, after the good samples,
    for a run that cannot go on.   The system itself is not changed: runs may be repeated or interleaved.
    """
    options.check()
    return _Runner(system, options).blocks()


class _Runner:
    def __init__(self, system: System, options: RunOptions):
        self.system, self.options = system, options
        self.kind: Integrator = INTEGRATORS[options.integrator]
        self.method = self.kind.method()
        self.tables: Tables = system.fresh_tables()
        self.kept = list(system.kept)
        n, order = len(system.start), len(self.method.A)
        clock, count = np.zeros(stepping.CLOCK_WIDTH), np.zeros(stepping.COUNT_WIDTH, np.int64)
        largest = options.step or (math.inf if self.kind.adaptive else self.kind.default_step)
        clock[[stepping.END, stepping.SAMPLE_STEP, stepping.TOLERANCE]] = options.duration, options.sample_step, options.tolerance
        clock[stepping.LARGEST] = min(largest, options.duration)
        count[stepping.SAMPLES] = sample_count(options)
        # a method without extra stages needs one row more, for the slope at the end of the step
        self.state = Run(clock, count, system.start.copy(), np.zeros(n), np.zeros((max(order, self.method.dense[0] + 1), n)), np.zeros((8, n)),
                         system.scale, system.cap, np.zeros(BLOCK), np.zeros((BLOCK, n)))
        self.cpu = self.wall = 0.0
        self.budget = 200

    def blocks(self) -> Iterator[np.ndarray]:
        """The generator behind `run`."""
        recorder = Recorder(self.system, self.tables)
        what = stepping.BUSY
        while what != stepping.DONE:
            what, rows = self._advance()
            recorder.tables = self.tables
            yield recorder.samples(self.state.times[:rows], self.state.states[:rows])
            if what == stepping.COLLAPSED:
                self._look_at_collapse()
            elif what == stepping.LEFT_ROWS:
                self._choose_rows_anew()
            elif what in (stepping.UNDERFLOW, stepping.NOT_FINITE, stepping.OPEN):
                self._finish(recorder)
                raise RunStopped(self._reason(what), self.time)
        self._finish(recorder)

    @property
    def time(self) -> float:
        """How far the run has come [s]."""
        return float(self.state.clock[stepping.TIME])

    def _advance(self) -> tuple[int, int]:
        """One chunk, timed, and the budget of the next from it."""
        limit = int(self.tables.size[k.EVALUATIONS]) + self.budget
        wall, cpu = time.perf_counter(), time.thread_time()
        what, rows = advance(self.state, self.method, self.tables, limit)
        elapsed = time.perf_counter() - wall
        self.wall, self.cpu = self.wall + elapsed, self.cpu + time.thread_time() - cpu
        done = int(self.tables.size[k.EVALUATIONS]) - limit + self.budget
        if what == stepping.BUSY and done > 0:
            # at most doubled, so that one lucky chunk does not make the next one long
            self.budget = int(min(2 * self.budget, max(20, self.budget * PATIENCE / max(elapsed, 1e-6))))
        return what, rows

    def _look_at_collapse(self) -> None:
        """A kept pivot has vanished at the end of a step: remake the choice if other rows still hold there, else it is a singular position."""
        self.state.count[stepping.TRUSTED] = 1
        if len(self.system.rows) > len(self.kept) and self.system.holds_better(self.state.trial, self.kept):
            self._choose_rows_anew()

    def _choose_rows_anew(self) -> None:
        """Take another set of independent rows at the last good state and go on from it."""
        evaluations = self.tables.size[[k.EVALUATIONS, k.PROJECTIONS]]
        self.tables, kept = self.system.reselected(self.state.y)
        self.tables.size[[k.EVALUATIONS, k.PROJECTIONS]] = evaluations
        # the same choice again would fail again: then the rows are left alone until the position has been passed
        self.state.count[stepping.QUIET] = 20 if kept == self.kept else 0
        self.kept = kept
        self.state.clock[stepping.PIVOT] = 1.0

    def _finish(self, recorder: Recorder) -> None:
        count = self.state.count
        self.system.statistics = Statistics(
            self.time, int(count[stepping.NEXT]), int(count[stepping.ACCEPTED]), int(count[stepping.REJECTED]), self.cpu, self.wall,
            recorder.energy_error / recorder.kinetic if recorder.moves else None, recorder.gap,
            self.time / self.wall if self.wall > 0.0 else 0.0)

    def _reason(self, what: int) -> str:
        """One sentence: when, what and the likely cause."""
        start = f"The run stopped at {self.time:.6g} s: "
        low = float(self.state.clock[stepping.PIVOT])
        y, where = self.state.y, self.system.where
        speed = np.abs(y[where.nq:where.nq + where.nv]).max(initial=0.0)
        if what == stepping.NOT_FINITE and not self.kind.adaptive:
            return start + "a velocity has grown beyond all bounds; the fixed step is too long for a stiff spring or damper, so take a shorter step or DOP853."
        if what == stepping.OPEN:
            return start + "the joints could not be closed again after a step; take a shorter step or DOP853."
        if speed > 1e9:
            return start + "a velocity has grown beyond all bounds; look for a force that keeps on pushing a light body."
        if low < 1e-3:
            return start + "the mechanism stands in a singular position in which its motion is not determined; change a length or the start a little."
        return start + "no step is short enough for the tolerance; look for a very stiff spring, a very strong damper or a force on an angle near gimbal lock."
