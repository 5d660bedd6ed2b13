"""A run of smooth motion: a generator of blocks of samples, with no input or output of its own."""

import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mechstudio.engine.checks.approximations import run_notes
from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration import steppers
from mechstudio.engine.integration.embedded import EmbeddedStepper
from mechstudio.engine.integration.events.cam_edges import PASSED, REACHED, Edges, edges
from mechstudio.engine.integration.events.closed_stops import Contacts
from mechstudio.engine.integration.events.dense_step import Step
from mechstudio.engine.integration.events.ends import Ends
from mechstudio.engine.integration.events.frictions import Frictions, rubbing
from mechstudio.engine.integration.failures import failure
from mechstudio.engine.integration.integrators import STEPPERS, method_of
from mechstudio.engine.integration.law_features import (
    clock_features,
    corner_times,
    order_of,
    seen_notes,
    watched_laws,
    windows,
)
from mechstudio.engine.integration.notes import balance_notes, drift_notes, small_notes
from mechstudio.engine.integration.options import LEAST_REST, RunOptions
from mechstudio.engine.integration.outputs import Recorder
from mechstudio.engine.integration.sample_times import at_time, sample_places
from mechstudio.engine.integration.slow_runs import Pace, reason
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels import run_tables
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import project, right_hand_side, settle_readings
from mechstudio.engine.kernels.run_tables import Run
from mechstudio.engine.kernels.stepping import advance
from mechstudio.engine.system.system import System
from mechstudio.engine.system.torn_joints import is_torn, open_rows, torn_words
from mechstudio.model.results.events import Event
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from mechstudio.translation import tr

BLOCK = 256  # samples that one block holds at most
# samples times bodies that one block holds at most: what is turned into numbers in less than
# PATIENCE
NUMBERED = 2000
PATIENCE = 0.02  # target time between two blocks [s]
# evaluations times bodies of the first chunk, which takes less than PATIENCE; to enter the kernel
# costs as much as a hundred evaluations
FIRST = 20_000
AT_ONCE = 1e-13  # share of the time, or of the unit of time, within which instants count as one
MOST_AT_ONCE = 100  # of them, before a run is given up
LOWER, LAST_LOOK = (
    0.03,
    1e-3,
    # how much lower a kept pivot has to be for other rows to be tried again, and from where on no
    # more
)
# steps that tear a joint apart, each a tenth as long as the one before, after which the run ends
TEARS = 4
# longest step while a stop is leaned against, in units of time: nothing else shows the integrator
# what its multiplier does
LEANING = 0.1
# of the evaluations that a way ahead should take, after which it is looked whether it is over
SHARE_AHEAD = 0.3


class SmoothRun:
    """One run without contacts.  Arguments: as of engine.run.run.

    look(time, state, None): called at the end of every step from a little before `look_from` [s]
    on, which is made alone then; None for no such calls.  overlooked: the time from which steps
    have to be made alone so that the first of them is not passed, where it was; else None.
    """

    def __init__(
        self,
        system: System,
        options: RunOptions,
        events: list[Event],
        states: list[np.ndarray] | None = None,
        slow: list[str] | None = None,
    ):
        self.look: Callable[[float, np.ndarray, None], object] | None = None
        self.look_from, self._looked = math.inf, 0
        self.alone_from, self.overlooked = math.inf, None
        self.reported_states = states
        self.system, self.options = system, options
        self.pace = Pace(options.duration, slow, lambda: reason(self))
        self.kind = INTEGRATOR_TYPES[options.integrator]
        self.method = method_of(options.integrator)
        self.tables: Tables = self._unheld(system.fresh_tables())
        self.kept = list(system.kept)
        self.ends = Ends(system, self.tables, options.until) if options.until else None
        several = any(len(rub.forces) > 1 for rub in rubbing(system))
        corners = edges(system)
        self.contacts = Contacts(
            system,
            self.tables,
            self.kept,
            options.duration,
            events,
            self.ends is not None or several,
            2 * len(corners),
        )
        self.frictions = Frictions(system, self.contacts)
        self.edges = Edges(corners, self.contacts, system.start)
        n, order, bodies = (
            len(system.start),
            len(self.method.A),
            max(1, len(system.mechanism.bodies)),
        )
        self.block = min(BLOCK, max(1, NUMBERED // bodies))
        clock, count = np.zeros(run_tables.CLOCK_WIDTH), np.zeros(run_tables.COUNT_WIDTH, np.int64)
        largest = options.step or (math.inf if self.kind.adaptive else self.kind.default_step)
        clock[[run_tables.SAMPLE_STEP, run_tables.TOLERANCE]] = (
            options.sample_step,
            options.tolerance,
        )
        self.longest = self.largest = clock[run_tables.LARGEST] = min(largest, options.duration)
        self.first, self.start, count[run_tables.SAMPLES] = sample_places(system, options)
        self.extra = self.start < self.first * options.sample_step
        # a little later behind a kink of a drive
        behind = float(system.start[system.where.time]) - system.mechanism.start.value
        begin = self.start + behind
        clock[run_tables.TIME] = begin
        count[run_tables.NEXT] = self.first
        # a method without extra stages needs one row more, for the slope at the end of the step
        self.state = Run(
            clock,
            count,
            at_time(system.start, begin),
            np.zeros(n),
            np.zeros((max(order, self.method.dense[0] + 1), n)),
            np.zeros((8, n)),
            system.scale,
            system.cap,
            np.zeros(self.block),
            np.zeros((self.block, n)),
            self.contacts.reported_ints,
            self.contacts.reported_numbers,
            self.frictions.ints,
            self.frictions.numbers,
        )
        self.stepper = self._stepper()
        order, duration = order_of(self.kind.order), options.duration
        end = self.start + duration
        self.features = clock_features(system.mechanism, self.tables, begin, end, order)
        corners = corner_times(system.mechanism, begin, end)
        self.windows = windows(self.features, corners, begin, end)
        self.all_windows = len(self.windows)
        self.watch = watched_laws(system.mechanism, self.tables, self._nodes(), order)
        self.cpu = self.wall = 0.0
        self.budget = 200 if self.stepper is not None else max(20, FIRST // bodies)
        self.instant: tuple[set[int], set[int]] | None = (
            None  # stops reached and left now, once the samples before are out
        )
        self.last_instant, self.at_once = -math.inf, 0
        self.last_tear, self.tears = -math.inf, 0
        self.ended_by, self.last_sample = -1, -math.inf
        self.recorded: np.ndarray | None = None  # the last state that samples were made of

    def _stepper(self) -> steppers.Stepper | None:
        """Stepper that makes the steps, None if the kernels make them."""
        system, options = self.system, self.options
        if options.formulation == "independent":
            return EmbeddedStepper(
                system,
                self.tables,
                system.scale,
                system.cap,
                options.tolerance,
                self.method,
                self.kind.adaptive,
                self.kind.order,
            )
        made = STEPPERS.get(options.integrator)
        return made(system, self.tables, options) if made else None

    def _nodes(self) -> np.ndarray:
        """Positions in a step, 0 to 1, of the stages at which laws that read the motion are
        noted.
        """
        if self.stepper is not None:
            return steppers.NODES
        return np.append(self.method.A[: self.method.dense[0]].sum(axis=1), 1.0)

    def _unheld(self, tables: Tables) -> Tables:
        """Tables that hold drift as the run wants it."""
        options = self.options
        if options.drift != "projection":
            tables.settings[k.UNHELD] = 1.0
        if options.drift == "baumgarte":
            tables.settings[[k.DAMP, k.PULL]] = 2.0 * options.alpha, options.beta**2
        return tables

    def blocks(self) -> Iterator[np.ndarray]:
        """The generator behind engine.run.run."""
        recorder, held, reported = Recorder(self.system, self.tables), [], time.perf_counter()
        try:
            self._set_end()
            if self.contacts.stops or self.frictions:
                self._resolve(set(), set())
            if self.extra:
                # of a start between two samples
                held.append((np.array([self.start]), self.state.y[None].copy()))
                self.last_sample = self.start
            while True:
                what, rows = self._advance()
                if rows + sum(len(t) for t, _ in held) > self.block:
                    yield self._samples(recorder, held)
                    reported = time.perf_counter()
                if rows:
                    held.append((self.state.times[:rows].copy(), self.state.states[:rows].copy()))
                    self.last_sample = float(self.state.times[rows - 1])
                # a sample costs more to turn into numbers alone than among others: those between
                # bounces are gathered
                if (
                    what != run_tables.TOUCHED and self.instant is None
                ) or time.perf_counter() - reported > PATIENCE:
                    yield self._samples(recorder, held)
                    reported = time.perf_counter()
                if what == run_tables.TOUCHED:
                    self._timed(self._find_instant)
                elif (
                    self.instant is not None
                    and what in (run_tables.BUSY, run_tables.DONE)
                    and self.ended_by >= 0
                ):
                    self._take_last_sample(held)
                    yield self._samples(recorder, held)
                    break
                elif self.instant is not None and what in (run_tables.BUSY, run_tables.DONE):
                    self._timed(self._pass_instant, *self.instant)
                elif what == run_tables.DONE:
                    if len(self.windows) == 1:
                        self._take_end(held)
                        if held:
                            yield self._samples(recorder, held)
                        break
                    self._timed(self._turn_corner if self.windows[0].corner else self._enter_window)
                elif what == run_tables.COLLAPSED:
                    self._look_at_collapse()
                elif what == run_tables.LEFT_ROWS:
                    self._choose_rows_again()
                elif what == run_tables.TORN_APART:
                    self._look_at_tear(
                        np.abs(self.tables.row[:, k.C]) * self.tables.row_const[:, k.RMETRES]
                    )
                elif what == run_tables.UNDERFLOW and self.edges.reach(
                    self.state, self.system.where.time
                ):
                    self._timed(self._leave_corner)
                elif what in (
                    run_tables.UNDERFLOW,
                    run_tables.NOT_FINITE,
                    run_tables.OPEN,
                    run_tables.OPEN_BETWEEN,
                ):
                    raise RunStopped(failure(self, what), self.time)
        except RunStopped:
            # those gathered between bounces are good, whatever ends the run
            if held:
                yield self._samples(recorder, held)
            raise
        finally:
            self._finish(recorder)

    def _samples(self, recorder: Recorder, held: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
        """The samples of the states held back, which are forgotten."""
        if not held:
            return np.empty((0, self.system.layout.width))
        times, states = (np.concatenate(part) for part in zip(*held))
        held.clear()
        self.recorded = states[-1]
        if self.reported_states is not None:
            self.reported_states.append(states)
        return recorder.samples(times, states)

    @property
    def time(self) -> float:
        """Time that the run has reached [s]."""
        return float(self.state.clock[run_tables.TIME])

    def _advance(self) -> tuple[int, int]:
        """One chunk, timed, and the budget of the next from it."""
        self._report_step()
        budget, before = self._chunk(), self.time
        alone = budget == 1
        # no step before what happens at this instant
        limit = int(self.tables.size[k.EVALUATIONS]) + budget if self.instant is None else 0
        wall = self.wall
        if self.stepper is None:
            what, rows = self._timed(
                advance, self.state, self.method, self.tables, self.watch, limit
            )
        else:
            what, rows = self._timed(
                steppers.advance, self.stepper, self.state, self.tables, self.watch, limit
            )
        elapsed = self.wall - wall
        if not alone and before < self.look_from <= self.time and self.overlooked is None:
            self.overlooked = before
        self._report_step()
        done = int(self.tables.size[k.EVALUATIONS]) - limit + budget
        if what == run_tables.BUSY and done > 0 and self.instant is None and not alone:
            # at most doubled, so that one lucky chunk does not make the next one long
            self.budget = int(
                min(2 * self.budget, max(20, self.budget * PATIENCE / max(elapsed, 1e-6)))
            )
        self.pace.look(self.wall, self.time - self.start)
        return what, rows

    def _chunk(self) -> int:
        """Evaluations of the coming chunk: those of one step where each step is checked, and before
        that a share of the number expected.
        """
        left, done = self.look_from - self.time, self.time - self.start
        longest = max(self.state.clock[run_tables.LONGEST], self.state.clock[run_tables.STEP])
        if self.look is None:
            return self.budget
        if left <= 2.0 * longest or self.time >= self.alone_from or done <= 0.0:
            return 1
        expected = SHARE_AHEAD * int(self.tables.size[k.EVALUATIONS]) * left / done
        return max(1, min(self.budget, int(expected)))

    def _report_step(self) -> None:
        """Report the end of a step, after the events there."""
        count = int(self.state.count[run_tables.ACCEPTED])
        if self.look is None or count == self._looked or self.instant is not None:
            return
        self._looked = count
        if self._chunk() == 1 or self.time >= self.look_from:
            self.look(self.time, self.state.y.copy(), None)

    # corners of laws

    def _set_end(self) -> None:
        """Steps end where laws over the time have a corner or need shorter or longer steps, or to
        the end of the run.
        """
        window = self.windows[0]
        self.state.clock[run_tables.END] = window.last
        self.largest = min(self.longest, window.longest)
        self._limit_steps()

    def _limit_steps(self) -> None:
        clock = self.state.clock
        clock[run_tables.LARGEST] = (
            min(self.largest, LEANING * self.contacts.time_unit)
            if self.contacts.closed or self.frictions.held
            else self.largest
        )
        clock[run_tables.STEP] = min(
            max(clock[run_tables.STEP], clock[run_tables.UNCUT]), clock[run_tables.LARGEST]
        )

    def _enter_window(self) -> None:
        """Go on with other steps, since laws over the time change faster or slower from here on."""
        self.windows.pop(0)
        self._set_end()

    def _turn_corner(self) -> None:
        """Go on from a corner, at which prescribed velocities may jump: what that does to the
        kinetic energy is work of the drives.
        """
        state, where, corner = self.state, self.system.where, self.windows.pop(0).end
        # what a high peak does in the last instants before it counts too
        state.y[:] += (corner - self.time) * state.K[0]
        state.clock[run_tables.TIME] = state.y[where.time] = corner
        self._set_end()
        self._leave_corner()

    def _leave_corner(self) -> None:
        """Go on with what a law prescribes behind its corner."""
        state, where = self.state, self.system.where
        before = self.contacts.kinetic(state.y)
        if self.tables.size[k.KEPT]:
            right_hand_side(state.y, self.tables, np.zeros_like(state.y), False)
            project(state.y, self.tables, self.tables.settings[k.CLOSED])
            if self.tables.size[k.NX]:
                settle_readings(state.y, self.tables)
        state.y[where.work] += self.contacts.kinetic(state.y) - before
        self._resolve(set(), set())

    def _ends_at_edge(self, step: Step) -> bool:
        """True if a step over the edge of a cam is repeated so that it ends there, or if that edge
        has been reached.
        """
        found = self.edges.land(step, self.state, self.system.where.time)
        if found == REACHED:
            self._leave_corner()
        return found != PASSED

    # stops

    def _find_instant(self) -> None:
        """Go to the instant of the step returned by the kernel at which a stop is reached or begins
        to pull; if there is none, accept the step.
        """
        state = self.state
        step = Step(state, int(self.method.dense[1]), self.tables)
        if self._ends_at_edge(step):
            return
        found = step.first(self.contacts)
        slips = self.frictions.first(step)
        if slips is not None and (found is None or slips < found[0]):
            found = slips, set(), set()
        sides = self.ends.sides.copy() if self.ends is not None else None
        over = (
            self.ends.first(step, 1.0 if found is None else found[0])
            if self.ends is not None
            else None
        )
        if over is not None:
            x, self.ended_by = over
            self.instant = set(), set()
        elif found is not None:
            x, *reached = found
            self.instant = (reached[0], reached[1])
        else:
            state.count[run_tables.LOOKED] = 1
            return
        if self.stepper is not None and self.stepper.lands and 1e-6 < x < 0.999:
            # between its ends the polynomial is poorer than the step: made again, it ends just
            # behind the instant
            state.clock[run_tables.STEP] = 1.0005 * x * step.length
            self.instant, self.ended_by = None, -1
            if self.ends is not None and sides is not None:
                self.ends.sides = sides
            return
        y = step.at(x)
        if is_torn(y, self.tables):
            self.instant, self.ended_by = None, -1
            self._look_at_tear(open_rows(y, self.tables))
            return
        time = step.start + x * step.length if x < 1.0 else step.start + step.length
        state.y[:] = y
        state.clock[run_tables.TIME] = state.y[self.system.where.time] = time
        state.count[run_tables.ACCEPTED] += 1
        self.contacts.restore_bounds(y)

    def _take_last_sample(self, held: list[tuple[np.ndarray, np.ndarray]]) -> None:
        """Add the state at which the run ends, unless it is a sample already."""
        if self.time - self.last_sample > AT_ONCE * max(self.time, self.contacts.time_unit):
            held.append((np.array([self.time]), self.state.y[None].copy()))
            self.state.count[run_tables.NEXT] += 1

    def _take_end(self, held: list[tuple[np.ndarray, np.ndarray]]) -> None:
        """Add the state at the end of the run, unless the last sample counts as that."""
        rest = self.time - self.last_sample
        if rest > LEAST_REST * self.options.sample_step or self.last_sample <= self.start:
            self._take_last_sample(held)

    def _pass_instant(self, impacted: set[int], leaving: set[int]) -> None:
        """Impacts, rests and departures now."""
        resolution = AT_ONCE * max(self.time, self.contacts.time_unit)
        self.at_once = self.at_once + 1 if self.time - self.last_instant <= resolution else 0
        self.last_instant, self.instant = self.time, None
        if self.at_once > MOST_AT_ONCE:
            what = (
                tr("stops are struck and left again without end there; move one of them a little")
                if not self.frictions.all
                else tr(
                    "joints stick and slide again without end there; change a friction a little, "
                    "or smooth it over a small speed"
                )
            )
            raise RunStopped(
                tr("The run stopped at {time:.6g} s: {what}.", time=self.time, what=what), self.time
            )
        self._resolve(impacted, leaving)

    def _resolve(self, impacted: set[int], leaving: set[int]) -> None:
        self.contacts.resolve(self.time, self.state.y, impacted, leaving)
        self.frictions.resolve(self.state.y)
        self._take(*self.contacts.current(self.state.y))
        self.frictions.write_directions()
        clock, count = self.state.clock, self.state.count
        self._limit_steps()
        clock[run_tables.PIVOT] = 1.0
        count[[run_tables.MOVED, run_tables.REFUSALS, run_tables.CUT]] = 0
        if count[run_tables.STARTED] != run_tables.FRESH:
            count[run_tables.STARTED] = run_tables.AGAIN

    def _take(self, tables: Tables, kept: list[int]) -> None:
        """Continue with other tables, which take over the counters."""
        counts = [k.EVALUATIONS, k.PROJECTIONS]
        tables.size[counts] = self.tables.size[counts]
        self.tables, self.kept = self._unheld(tables), kept

    # rows

    def _timed(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do a piece of the run's work; the time that it takes belongs to the statistics."""
        wall, cpu = time.perf_counter(), time.thread_time()
        try:
            return work(*arguments)
        finally:
            self.wall, self.cpu = (
                self.wall + time.perf_counter() - wall,
                self.cpu + time.thread_time() - cpu,
            )

    def _look_at_collapse(self) -> None:
        """A kept pivot is low in a step: remake the choice if other rows hold better at its end,
        else it is a singular position.
        """
        clock, before = self.state.clock, self.kept
        if self.system.holds_better(self.state.trial, self.tables):
            self._choose_rows_again(here=True)
        if self.kept == before:
            # in vain: once more where it is lower still, then the step is taken as it is
            in_vain = not self.tables.size[k.SPARE] or clock[run_tables.EXCHANGE] < LAST_LOOK
            self.state.count[run_tables.TRUSTED] = in_vain
            clock[run_tables.EXCHANGE] = 0.0 if in_vain else LOWER * clock[run_tables.EXCHANGE]

    def _choose_rows_again(self, here: bool = False) -> None:
        """Take another set of independent rows at the last good state and go on from it.  here: the
        best ones of that very pose.
        """
        tables, kept = self.contacts.choose_rows_again(self.state.y, here)
        self.frictions.write_directions()
        # the same choice again would fail again: then the rows are left alone until the position
        # has been passed
        self.state.count[run_tables.QUIET] = 20 if kept == self.kept else 0
        self._take(tables, kept)
        self.state.clock[run_tables.PIVOT] = 1.0

    def _look_at_tear(self, torn: np.ndarray) -> None:
        """A step has opened joints by `torn` (rows,) [m]: try a shorter one, since it may have gone
        astray, then give up.
        """
        clock = self.state.clock
        self.tears = (
            self.tears + 1 if self.time - self.last_tear <= clock[run_tables.LONGEST] else 1
        )
        if not self.kind.adaptive or self.tears > TEARS:
            words = torn_words(self.system, self.tables, self.kept, self.state.y, torn)
            raise RunStopped(
                tr("The run stopped at {time:.6g} s: {words}", time=self.time, words=words),
                self.time,
            )
        self.last_tear = self.time
        clock[run_tables.STEP] *= 0.1
        self.state.count[[run_tables.REJECTED, run_tables.REFUSALS]] += 1

    def _finish(self, recorder: Recorder) -> None:
        count, contacts = self.state.count, self.contacts
        samples = int(count[run_tables.NEXT]) - self.first + self.extra
        y = self.state.y
        known = self.recorded is not None and np.array_equal(self.recorded, y)
        if samples and not known and np.isfinite(y).all():
            # the honest numbers are those up to the last state, also where no sample stands
            recorder.samples(np.array([self.time]), y[None])
        self.system.statistics = RunStatistics(
            self.time - self.start,
            samples,
            int(count[run_tables.ACCEPTED]),
            int(count[run_tables.REJECTED]),
            self.cpu,
            self.wall,
            recorder.imbalance,
            recorder.gap,
            (self.time - self.start) / self.wall if self.wall > 0.0 else 0.0,
            contacts.count,
            contacts.loss,
            self.ended_by,
            notes=run_notes(self.system.mechanism)
            + recorder.notes
            + seen_notes(
                self.system.mechanism,
                self.features,
                self.watch,
                int(count[run_tables.UNSEEN]),
                0.0 if self.kind.adaptive else self.longest,
            )
            + balance_notes(self.options, self.kind.adaptive, recorder)
            + drift_notes(self.options, self.system, recorder.gap)
            + small_notes(self.options, self.kind.adaptive, recorder),
            evaluations=int(self.tables.size[k.EVALUATIONS]),
        )
