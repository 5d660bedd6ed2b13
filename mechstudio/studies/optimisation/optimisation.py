"""An optimisation from beginning to end: bounds and goals are read, points are searched, the best
is reported.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.integration.options import RunOptions, options_of
from mechstudio.model.findings import listed
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import SHOW, StudySetup
from mechstudio.model.units import format_value
from mechstudio.studies import measures
from mechstudio.studies.measures import Measure
from mechstudio.studies.optimisation import bounds, goals
from mechstudio.studies.optimisation.evaluations import BudgetSpent, Evaluations
from mechstudio.studies.optimisation.goals import Goal
from mechstudio.studies.optimisation.search import METHODS
from mechstudio.studies.points import Points, Stopped
from mechstudio.studies.scheduling import Done, Task, computed, slots_for
from mechstudio.studies.table import StudyTable
from mechstudio.translation import tr, trn

RUNS = 2000  # that an optimisation makes at most unless stated otherwise
ROUNDING = 1e-6  # share of the range of a goal within which runs are equally good
EXACT = 1e-5  # share of a measure that a quarter of the sample step may change without a word
AT_BOUND = 1e-4  # share of the range within which a number stands at its bound


class Progress(NamedTuple):
    """Progress of an optimisation.  runs: made so far, of at most `most`.  failed: of them.
    rate: runs per second.  best: measures [SI] of the best run that keeps all limits, None before
    there is one.
    """

    runs: int
    most: int
    failed: int
    rate: float
    best: tuple[float, ...] | None


class Optimum(NamedTuple):
    """Result of an optimisation.

    table: every run that was made, in its order.  rows: of the best run; with several goals of
    all runs that none is better than in every goal, by the first goal; none where no run keeps all
    limits.  project: the drawing with the numbers of the first of them; None without one.
    is_finished: False where the search was stopped before its end.  notes: sentences on what the
    answer is worth.
    """

    table: StudyTable
    rows: tuple[int, ...]
    project: Project | None
    is_finished: bool
    notes: tuple[str, ...]


class Optimisation:
    """One mechanism with bounds of its parameters, goals and limits."""

    def __init__(
        self,
        project: Project,
        vary: Sequence[str],
        requested: Sequence[tuple[str, str] | Goal],
        limits: Sequence[str | Measure] = (),
        method: str = "",
        seed: int = 1,
        runs: int = RUNS,
        beside: Sequence[Measure] = (),
        **run: Any,
    ) -> None:
        """vary: bounds such as "L2=200..400 mm".  requested: a sense of goals.SENSES and a measure.
        limits: such as "range D angle >= 62 deg".  method: key of search.METHODS; "" for the usual
        one.  runs: at most.  beside: what is measured, and serves no goal.  run: as of
        engine.integration.options.options_of.
        Raises ValueError with one sentence, EngineError for a mechanism that cannot be simulated.
        """
        if not requested:
            raise ValueError(tr("An optimisation has at least one goal."))
        self.project, self.bounds = project, bounds.read(vary, project)
        self.goals: tuple[Goal, ...] = tuple(
            w if isinstance(w, Goal) else goals.read(*w, project) for w in requested
        )
        self.limits: tuple[Measure, ...] = tuple(
            t if isinstance(t, Measure) else measures.read(t, project) for t in limits
        )
        self.beside = tuple(beside)
        if loose := next((m for m in self.limits if not m.sign), None):
            raise ValueError(
                tr(
                    "{text} sets no limit: write it with <= or >= and a number, or as a goal.",
                    text=loose.text,
                )
            )
        self.method = method or ("evolution" if len(self.goals) == 1 else "pareto")
        self._check_method()
        if seed < 0:
            raise ValueError(tr("A seed is 0 or a greater whole number, not {n}.", n=seed))
        if runs < 1:
            raise ValueError(tr("The number of runs is at least 1, not {n}.", n=runs))
        self.seed, self.runs = seed, runs
        self.options: RunOptions = options_of(project, **run)

    @classmethod
    def stored(cls, project: Project, setup: StudySetup) -> tuple["Optimisation", tuple[int, ...]]:
        """A search that the project keeps, and the places of the study's measures among its own.
        Raises as the constructor does.
        """
        requested: list[Goal] = []
        limits: list[Measure] = []
        beside: list[Measure] = []
        places: list[tuple[int, int]] = []  # of the group, and in it
        for kept in setup.measures:
            measure = measures.read_stored(kept, project)
            if kept.goal != SHOW:
                target = measures.target_of(kept, project) if kept.goal == goals.TARGET else 0.0
                places.append((0, len(requested)))
                requested.append(Goal(kept.goal, measures.without_limit(measure), target))
            elif not measure.sign:
                places.append((2, len(beside)))
                beside.append(measure)
            else:
                places.append((1, len(limits)))
            if measure.sign:
                limits.append(measure)
        first = (0, len(requested), len(requested) + len(limits))
        made = cls(
            project,
            setup.bounds,
            requested,
            limits,
            setup.method,
            setup.seed,
            setup.runs,
            beside,
            duration=setup.duration or None,
            sample_step=setup.sample_step or None,
        )
        return made, tuple(first[group] + k for group, k in places)

    def _check_method(self) -> None:
        if self.method not in METHODS:
            raise ValueError(
                tr(
                    "There is no method {method}; there are {known}.",
                    method=self.method,
                    known=listed(list(METHODS)),
                )
            )
        several = METHODS[self.method].several
        if several and len(self.goals) == 1:
            raise ValueError(tr("The method {method} is for several goals.", method=self.method))
        if not several and len(self.goals) > 1:
            raise ValueError(
                tr("The method {method} is for one goal, not several.", method=self.method)
            )

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Measures of every run: of the goals, of the limits, then those beside."""
        return (*(g.measure for g in self.goals), *self.limits, *self.beside)

    def run(
        self,
        workers: int = 0,
        address: str = "",
        progress: Callable[[Progress], None] = lambda _: None,
        is_cancelled: Callable[[], bool] = lambda: False,
        heard: Callable[[np.ndarray, Done], None] = lambda rows, done: None,
    ) -> Optimum:
        """Search.  workers, address: as of a study.  heard: hears the numbers (n, parameters) [SI]
        of each batch, and the batch.  Cancelled, it gives the best so far.

        Raises search.MissingLibrary, scheduling.ClusterUnavailable, scheduling.NoProcess.
        """
        task = Task(self.project, self.bounds.names, self.measures, self.options)
        begun = time.perf_counter()
        with slots_for(self.runs, workers, address, is_cancelled) as slots:

            def compute(rows: np.ndarray) -> Iterator[Done]:
                for done in computed(task, rows, np.arange(len(rows)), slots, is_cancelled):
                    heard(rows[done.places], done)
                    yield done
                made = len(search)
                failed = sum(1 for d in search.batches for p in d.points if p.reason)
                rate = made / max(time.perf_counter() - begun, 1e-9)
                progress(Progress(made, self.runs, failed, rate, self._best_so_far(search)))

            search = Evaluations(self.bounds, self.goals, self.limits, compute, self.runs)
            is_finished, stopped = False, False
            try:
                is_finished = METHODS[self.method].run(search, self.bounds.start, self.seed)
            except BudgetSpent:
                pass
            except Stopped:
                stopped = True
        return self._optimum(search, is_finished, stopped)

    def _best_so_far(self, search: Evaluations) -> tuple[float, ...] | None:
        table = self._table(search)
        rows = self._best(table)
        return tuple(table.measured[rows[0]].tolist()) if rows else None

    def _table(self, search: Evaluations) -> StudyTable:
        """Rows that were computed; those of a batch that was stopped are left out."""
        parameters = {n: self.project.parameters[n].dimension for n in self.bounds.names}
        places = [np.asarray(done.places) for done in search.batches]
        known = np.sort(np.concatenate(places)) if places else np.zeros(0, int)
        title = (
            trn("mechstudio optimise, one run", "mechstudio optimise, {count} runs", len(known)),
            *(f"{v.name} = {v.text}" for v in self.bounds.variations),
            *(goal.text for goal in self.goals),
            *(limit.text_with_limit for limit in self.limits),
            tr("method {method}, seed {seed}", method=self.method, seed=self.seed),
        )
        rows = np.array(search.rows).reshape(len(search), len(self.bounds.names))[known]
        table = StudyTable(parameters, self.measures, rows, title)
        for done in search.batches:
            table.take(done._replace(places=np.searchsorted(known, done.places)))
        return table

    def _best(self, table: StudyTable) -> tuple[int, ...]:
        """Rows that keep all limits and that no other is better than in every goal, by the first
        goal; of one goal the first of the best.
        """
        costs = np.stack([g.cost(table.measured[:, k]) for k, g in enumerate(self.goals)], axis=1)
        good = np.flatnonzero(table.feasible() & np.isfinite(costs).all(axis=1))
        if len(self.goals) > 1 and len(good):
            # a compromise that is better by rounding alone is none
            grain = ROUNDING * np.ptp(costs[good], axis=0)
            costs = np.round(costs / np.where(grain > 0.0, grain, 1.0))
        # the first of equal costs stays first
        order = good[np.lexsort(costs[good].T[::-1])]
        front: list[int] = []
        for row in order.tolist():
            if not any((costs[other] <= costs[row]).all() for other in front):
                front.append(row)
        return tuple(front)

    def _optimum(self, search: Evaluations, is_finished: bool, stopped: bool) -> Optimum:
        table = self._table(search)
        rows = self._best(table)
        notes = []
        if stopped:
            notes.append(tr("The search was stopped; this is the best so far."))
        elif not is_finished and len(self.goals) == 1:
            notes.append(
                trn(
                    "The search ended after one run, before it came to rest; more may find better.",
                    "The search ended after {count:,} runs, before it came to rest; more may find "
                    "better.",
                    len(table),
                )
            )
        if not rows:
            notes.append(
                tr("No run keeps all limits.") if self.limits else tr("No run could be measured.")
            )
            return Optimum(table, (), None, is_finished, tuple(notes))
        best = rows[0]
        low, high = self.bounds.low, self.bounds.high
        if len(rows) == 1:
            for k, name in enumerate(self.bounds.names):
                share = (table.varied[best, k] - low[k]) / (high[k] - low[k])
                if share < AT_BOUND or share > 1.0 - AT_BOUND:
                    notes.append(
                        tr("{name} stands at its bound; beyond it may lie better.", name=name)
                    )
        if best in table.notes:
            notes.append(table.notes[best])
        points = Points(self.project, self.bounds.names, self.measures, self.options)
        row = table.varied[best].tolist()
        finer = points.refined(row).values
        for measure, value, fine in zip(self.measures, table.measured[best].tolist(), finer):
            if not abs(value - fine) <= EXACT * abs(fine):
                notes.append(
                    tr(
                        "With a quarter of the sample step, {measure} is {value}: a shorter one is "
                        "more exact.",
                        measure=measure.text,
                        value=format_value(fine, measure.dimension, digits=7),
                    )
                )
        return Optimum(table, rows, points.project(row), is_finished, tuple(notes))
