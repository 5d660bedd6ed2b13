"""Fit: the parameters with which a mechanism moves as it was measured to move.

Sums of squares are least over the measured instants, each quantity by the scatter that it is left
with.  Confidence is that of the linearised model with independent normal errors (Seber and Wild,
Nonlinear Regression, 1989, chapter 5).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mechstudio.curves.course import Course
from mechstudio.curves.measurements.table import Matched, picked, read, text_of
from mechstudio.engine.integration.options import RunOptions, options_of
from mechstudio.model.findings import listed
from mechstudio.model.project import Project
from mechstudio.model.studies.fitting import Estimate, Scatter
from mechstudio.model.studies.setup import StudySetup
from mechstudio.model.units import format_value
from mechstudio.studies.measures import AT, Measure
from mechstudio.studies.optimisation import bounds
from mechstudio.studies.optimisation.evaluations import BudgetSpent, Evaluations
from mechstudio.studies.optimisation.goals import LEAST, Goal
from mechstudio.studies.points import Point, Points
from mechstudio.studies.scheduling import Done, Task, computed, slots_for
from mechstudio.translation import tr, trn

RUNS = 2000  # that a fit makes at most unless stated otherwise
STARTS = 20  # points for each parameter, of which the best begins
SLOPES = 4  # runs for each parameter that give the slopes of the answer and their errors
STEP = 1e-4  # of differences, as a share of the range of a parameter
CONFIDENCE = 0.95
# smallest singular value of slopes, each of length one, that is distinguished from rounding, and
# how many times it is above the error of the slopes themselves
DETERMINED, CLEAR = 1e-6, 3.0
MIXED = 0.05  # share of a combination that changes nothing, from which a parameter belongs to it
FOLLOWING = 1.0  # Durbin and Watson's number below which errors follow each other
NOTHING_LEFT = 1e-9  # share of the spread of the data below which what is left is rounding
COARSE = 0.1  # share of the scatter that straight lines between samples may add
FINER = 8  # samples between instants that are no samples
MOST_SAMPLES = 20_000  # of a run that the fit chooses
MOST_GAPS = 100  # of the least gap, for each instant, with which all are samples
# angles that begin again after a turn stay within this [rad] and jump by more than that
WHOLE, JUMP = 1.02 * math.tau, 0.75 * math.tau
AT_BOUND = 1e-4  # share of the range within which a number stands at its bound


class Fitted(NamedTuple):
    """Result of a fit.

    estimates: of the parameters.  correlations (parameters, parameters): of their errors; NaN where
    one is undetermined.  scatters: of each quantity.  rank: number of combinations of the
    parameters that the data determines.  project: the drawing with the values.  notes: sentences on
    their reliability. runs: number of runs made.  residuals: the run less the data (points,) [SI]
    of each quantity.
    """

    estimates: tuple[Estimate, ...]
    correlations: np.ndarray
    scatters: tuple[Scatter, ...]
    rank: int
    project: Project
    notes: tuple[str, ...]
    runs: int
    residuals: tuple[np.ndarray, ...]


class Progress(NamedTuple):
    """Progress of a fit.  runs: made.  scatter: of the best run, as a share of the data's own."""

    runs: int
    scatter: float


class Fit:
    """One mechanism with bounds of its parameters and what was measured."""

    def __init__(
        self,
        project: Project,
        vary: Sequence[str],
        measured: Sequence[Matched],
        runs: int = RUNS,
        **run: Any,
    ) -> None:
        """vary: bounds such as "c=0..1 N·m·s/rad".  measured: columns of data with their
        quantities, whose clock begins where a run begins.  run: as of
        engine.integration.options.options_of; duration and sample step are those of the data
        unless they are given.
        Raises ValueError with one sentence, EngineError for a mechanism that cannot be simulated.
        """
        self.project, self.bounds, self.runs = project, bounds.read(vary, project), runs
        self.data = tuple(_known(m) for m in measured)
        if not self.data:
            raise ValueError(tr("There is nothing to fit: no column is a quantity."))
        times = np.concatenate([m.course.times for m in self.data])
        if times.min() < 0.0:
            raise ValueError(
                tr(
                    "The data begins at {time}, before the run does: let its clock begin at 0 s.",
                    time=format_value(float(times.min()), "time"),
                )
            )
        if times.max() == 0.0:
            raise ValueError(
                tr(
                    "All instants of the data are 0 s: nothing has moved by then, so nothing is "
                    "determined."
                )
            )
        self._begin = project.mechanism.start.value  # of the run [s], the zero of the data's clock
        for m in self.data:
            _check_turns(m)
        count = len(self.bounds.names)
        # the first points, then the slopes of the answer
        if runs < (least := 1 + (STARTS + SLOPES) * count):
            raise ValueError(
                trn(
                    "A fit of one parameter needs at least {least} runs, not {runs}.",
                    "A fit of {count} parameters needs at least {least} runs, not {runs}.",
                    count,
                    least=least,
                    runs=runs,
                )
            )
        if len(times) <= count:
            raise ValueError(
                trn(
                    "One parameter needs more than {points} measured points.",
                    "{count} parameters need more than {points} measured points.",
                    count,
                    points=len(times),
                )
            )
        if run.get("sample_step") is None:
            run["sample_step"] = _step(times)
        if run.get("duration") is None:
            step, last = options_of(project, **run).sample_step, float(times.max())
            # whole steps, up to the last instant at least
            run["duration"] = max(step * math.ceil(last / step * (1 - 1e-9)), last)
        self.options: RunOptions = options_of(project, **run)
        if self.options.duration < times.max() * (1 - 1e-12):
            raise ValueError(
                tr(
                    "The run ends at {end}, before the data at {last}.",
                    end=format_value(self.options.duration, "time"),
                    last=format_value(float(times.max()), "time"),
                )
            )
        self.measures = tuple(
            Measure("", m.quantity.key, m.quantity.dimension, AT, t)
            for m in self.data
            for t in (m.course.times + self._begin).tolist()
        )
        self._values = np.concatenate([m.course.values for m in self.data])
        ends = np.cumsum([len(m.course.times) for m in self.data])
        self._parts = [slice(e - len(m.course.times), e) for e, m in zip(ends, self.data)]

    @classmethod
    def stored(cls, project: Project, setup: StudySetup, path: Path) -> "Fit":
        """A fit that the project keeps, with its data in a file.  Raises OSError, and as the
        constructor does.
        """
        keys = [(c.column, c.channel) for c in setup.columns]
        return cls(
            project,
            setup.bounds,
            picked(project, read(text_of(path)), setup.clock, keys),
            setup.runs,
            duration=setup.duration or None,
            sample_step=setup.sample_step or None,
        )

    def run(
        self,
        workers: int = 0,
        address: str = "",
        progress: Callable[[Progress], None] = lambda _: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Fitted:
        """Fit.  workers, address: as of a study.

        Raises ValueError where no run could be compared with the data, points.Stopped once it is
        cancelled, scheduling.ClusterUnavailable, scheduling.NoProcess.
        """
        task = Task(self.project, self.bounds.names, self.measures, self.options)
        least = math.inf

        def compute(rows: np.ndarray) -> Iterator[Done]:
            nonlocal least
            for done in computed(task, rows, np.arange(len(rows)), slots, is_cancelled):
                for point in done.points:
                    found = (np.array(point.values) - self._values) / self._spread()
                    mean = float(np.mean(found**2))
                    least = min(least, mean) if math.isfinite(mean) else least
                yield done
            progress(Progress(len(search), math.sqrt(least)))

        goals = [Goal(LEAST, m) for m in self.measures]
        with slots_for(self.runs, workers, address, is_cancelled) as slots:
            kept = SLOPES * len(self.bounds.names)  # runs that the end needs
            search = Evaluations(self.bounds, goals, (), compute, self.runs - kept)
            notes = []
            start = self._start(search)
            scale = self._spread()
            x, ended = start, True
            # with several quantities once more, each by the scatter that it was left with
            for _ in range(2 if len(self.data) > 1 else 1):
                x, ended = self._solve(search, x, scale)
                scale = self._left(self._residuals(search, x[None])[0])
            if not ended:
                notes.append(
                    tr(
                        "The fit ended after {count:,} runs, before it came to rest.",
                        count=len(search),
                    )
                )
            search.budget = self.runs
            fitted = self._fitted(search, x, scale, notes)
        return fitted

    def courses(self, fitted: Fitted) -> tuple[Course, ...]:
        """Courses of the measured quantities over an answer's run, by the clock of the data."""
        points = Points(self.project, self.bounds.names, self.measures, self.options)
        found = points.courses([e.value for e in fitted.estimates])
        courses = [found[m.quantity.key] for m in self.data]
        return tuple(c._replace(times=c.times - self._begin) for c in courses)

    def _spread(self) -> np.ndarray:
        """Spread (points,) [SI] of the data of each point's quantity."""
        out = np.empty(len(self._values))
        for part in self._parts:
            own = self._values[part]
            out[part] = float(np.std(own)) or float(np.abs(own).max()) or 1.0
        return out

    def _left(self, residuals: np.ndarray) -> np.ndarray:
        """Scatter (points,) [SI] about the run of each point's quantity."""
        out, spread = np.empty(len(residuals)), self._spread()
        for part in self._parts:
            # data without any error would divide by nothing
            rms = math.sqrt(float(np.mean(residuals[part] ** 2)))
            out[part] = max(rms, NOTHING_LEFT * float(spread[part][0]))
        return out

    def _residuals(self, search: Evaluations, x: np.ndarray) -> np.ndarray:
        """Differences (n, points) [SI] of runs at x (n, parameters) and the data."""
        return search.measured(x) - self._values

    def _start(self, search: Evaluations) -> np.ndarray:
        """The drawing, or the best of some points between the bounds."""
        from scipy.stats import qmc

        n = len(self.bounds.names)
        more = qmc.LatinHypercube(n, rng=np.random.default_rng(1)).random(STARTS * n)
        points = np.concatenate((self.bounds.start[None], more))
        found = self._residuals(search, points) / self._spread()
        squares = np.where(np.isfinite(found).all(axis=1), (found**2).sum(axis=1), math.inf)
        if not np.isfinite(squares).any():
            first: Point = search.batches[0].points[0]
            raise ValueError(
                tr(
                    "No run between the bounds can be compared with the data. {why}",
                    why=first.reason,
                ).strip()
            )
        return points[int(np.argmin(squares))]

    def _slopes(self, search: Evaluations, x: np.ndarray, step: float = STEP) -> np.ndarray:
        """Slopes (points, parameters) [SI] of a run at x by differences over a step."""
        n = len(x)
        ahead, behind = np.minimum(x + step, 1.0), np.maximum(x - step, 0.0)
        points = np.tile(x, (2 * n, 1))
        points[:n][np.diag_indices(n)] = ahead
        points[n:][np.diag_indices(n)] = behind
        found = search.measured(points)
        slopes = (found[:n] - found[n:]) / (ahead - behind)[:, None]
        return np.where(np.isfinite(slopes), slopes, 0.0).T

    def _solve(
        self, search: Evaluations, x: np.ndarray, scale: np.ndarray
    ) -> tuple[np.ndarray, bool]:
        """Least squares from x, and whether they came to rest."""
        from scipy.optimize import least_squares

        far = 1e3 * np.ones(len(scale))  # of a run that failed

        def residuals(x: np.ndarray) -> np.ndarray:
            nonlocal x_best, least
            found = self._residuals(search, x[None])[0] / scale
            found = np.where(np.isfinite(found).all(), found, far)
            if (square := float(found @ found)) < least:
                x_best, least = x.copy(), square
            return found

        # scipy declares the name of a scheme alone
        slopes: Any = lambda x: self._slopes(search, x) / scale[:, None]
        x_best, least = x, math.inf
        try:
            found = least_squares(
                residuals,
                np.clip(x, 1e-9, 1 - 1e-9),
                jac=slopes,
                bounds=(0.0, 1.0),
                xtol=1e-10,
                ftol=1e-12,
                gtol=1e-12,
            )
        except BudgetSpent:
            return x_best, False
        return np.clip(found.x, 0.0, 1.0), found.status > 0

    def _fitted(
        self, search: Evaluations, x: np.ndarray, scale: np.ndarray, notes: list[str]
    ) -> Fitted:
        from scipy.stats import t as student

        names = self.bounds.names
        low, high = self.bounds.low, self.bounds.high
        values = search.values(x[None])[0]
        residuals = self._residuals(search, x[None])[0]
        points, n = len(residuals), len(names)
        slopes = self._slopes(search, x) / scale[:, None]
        errors = slopes - self._slopes(search, x, 4.0 * STEP) / scale[:, None]
        whole = residuals / scale
        variance = float(whole @ whole) / (points - n)
        deviations, correlations, rank, undetermined = _confidence(slopes, errors, variance)
        reach = float(student.ppf(0.5 + CONFIDENCE / 2, points - n))
        estimates = []
        for k, name in enumerate(names):
            sigma = float(deviations[k] * (high[k] - low[k]))
            value = float(values[k])
            dimension = self.project.parameters[name].dimension
            estimates.append(
                Estimate(
                    name, dimension, value, sigma, value - reach * sigma, value + reach * sigma
                )
            )
            if x[k] < AT_BOUND or x[k] > 1 - AT_BOUND:
                notes.append(tr("{name} stands at its bound; beyond it may lie better.", name=name))
        for group in undetermined:
            together = [names[k] for k in group]
            notes.append(
                tr("The data says nothing about {name}.", name=together[0])
                if len(together) == 1
                else tr(
                    "The data does not tell {names} apart: other values of them, changed together, "
                    "fit as well.",
                    names=listed(together),
                )
            )
        if any(self._follows(residuals, part) for part in self._parts):
            notes.append(
                tr(
                    "What is left follows a course and is no noise: the drawing lacks something, "
                    "and the true intervals are wider."
                )
            )
        points_of = Points(self.project, names, self.measures, self.options)
        if notes_of := points_of.point(values.tolist()).note:
            notes.append(notes_of)
        if self._between(values, scale) > COARSE * math.sqrt(variance):
            notes.append(tr("The sample step is too coarse for the data: take a shorter one."))
        scatters = tuple(
            Scatter(
                m.quantity.name,
                m.quantity.dimension,
                math.sqrt(float(np.mean(residuals[part] ** 2))),
                len(m.course.times),
            )
            for m, part in zip(self.data, self._parts)
        )
        project = points_of.project(values.tolist())
        return Fitted(
            tuple(estimates),
            correlations,
            scatters,
            rank,
            project,
            tuple(notes),
            len(search),
            tuple(residuals[part] for part in self._parts),
        )

    def _follows(self, residuals: np.ndarray, part: slice) -> bool:
        """True if what is left of one quantity follows a course, beyond rounding."""
        own = residuals[part]
        rms, spread = math.sqrt(float(np.mean(own**2))), float(self._spread()[part][0])
        return rms > NOTHING_LEFT * spread and _durbin_watson(own) < FOLLOWING

    def _between(self, values: np.ndarray, scale: np.ndarray) -> float:
        """Root mean square (by their scatter) of the change by a quarter of the sample step."""
        points = Points(self.project, self.bounds.names, self.measures, self.options)
        row = values.tolist()
        coarse, fine = (np.array(p.values) for p in (points.point(row), points.refined(row)))
        return math.sqrt(float(np.mean(((coarse - fine) / scale) ** 2)))


def _known(matched: Matched) -> Matched:
    """The points of a column that have a value."""
    course = matched.course
    known = np.isfinite(course.times) & np.isfinite(course.values)
    own = course._replace(times=course.times[known], values=course.values[known])
    return matched._replace(course=own)


def _check_turns(matched: Matched) -> None:
    """Raises ValueError with one sentence for angles that begin again after each turn: they stay
    within one, and jump by most of it.
    """
    times, values = matched.course.times, matched.course.values
    if matched.quantity.dimension != "angle" or len(values) < 2:
        return
    jumps = np.abs(np.diff(values))
    if np.ptp(values) < WHOLE and jumps.max() > JUMP:
        raise ValueError(
            tr(
                "{column} jumps by {angle} at {time}, as angles that start again after each turn "
                "do: let them add up, as those of the run do.",
                column=matched.column,
                angle=format_value(float(jumps.max()), "angle"),
                time=format_value(float(times[int(jumps.argmax()) + 1]), "time"),
            )
        )


def _step(times: np.ndarray) -> float:
    """Sample step [s] with which runs have the instants of data among their samples, or one that is
    short beside the time between them.
    """
    instants = np.unique(times[times > 0.0])
    last = float(instants[-1])
    gaps = np.diff(np.concatenate(([0.0], instants)))
    # instants that differ by rounding are one
    gaps = gaps[gaps > 1e-9 * last]
    least = last / round(last / float(gaps.min()))
    counts = instants / least
    if last < MOST_GAPS * len(counts) * least and np.abs(counts - np.round(counts)).max() < 1e-3:
        return least
    return max(float(np.median(gaps)) / FINER, last / MOST_SAMPLES)


def _durbin_watson(residuals: np.ndarray) -> float:
    """Number of Durbin and Watson: 2 for independent errors, 0 for those that follow each other."""
    squares = float(residuals @ residuals)
    return float(np.sum(np.diff(residuals) ** 2)) / squares if squares else 2.0


def _confidence(
    slopes: np.ndarray, errors: np.ndarray, variance: float
) -> tuple[np.ndarray, np.ndarray, int, list[list[int]]]:
    """Standard deviations (n,) and correlations (n, n) of n parameters, NaN for those that the data
    does not tell; how many combinations it tells; and groups of those that it does not tell apart.

    slopes, errors of them (points, n): by the scatter.  variance: of the remainder, by the scatter.
    """
    n = slopes.shape[1]
    sizes = np.linalg.norm(slopes, axis=0)
    rough = np.linalg.norm(errors, axis=0)
    acts = sizes > CLEAR * rough
    undetermined = [[k] for k in range(n) if not acts[k]]
    kept = np.flatnonzero(acts)
    deviations, correlations = np.full(n, math.nan), np.full((n, n), math.nan)
    if not len(kept):
        return deviations, correlations, 0, undetermined
    _, singular, rows = np.linalg.svd(slopes[:, kept] / sizes[kept], full_matrices=False)
    least = max(DETERMINED, CLEAR * float((rough[kept] / sizes[kept]).max()))
    lost = rows[singular < least]
    # parameters of combinations that change nothing, those together that no data separates
    shared = np.abs(lost.T @ lost)
    mixed = np.diagonal(shared) > MIXED**2
    undetermined += [
        kept[group].tolist() for group in _groups((shared > MIXED**2) & mixed & mixed[:, None])
    ]
    inverse = rows[singular >= least].T / singular[singular >= least]
    covariance = variance * (inverse @ inverse.T) / np.outer(sizes[kept], sizes[kept])
    sigma = np.sqrt(np.diag(covariance))
    determined = ~mixed
    deviations[kept[determined]] = sigma[determined]
    with np.errstate(divide="ignore", invalid="ignore"):
        every = covariance / np.outer(sigma, sigma)
    correlations[np.ix_(kept[determined], kept[determined])] = every[np.ix_(determined, determined)]
    return deviations, correlations, len(kept) - len(lost), undetermined


def _groups(joined: np.ndarray) -> list[np.ndarray]:
    """Places of each group that is joined directly or through others; joined (n, n), symmetric.
    Places that are not even joined with themselves belong to none.
    """
    from scipy.sparse.csgraph import connected_components

    _, group = connected_components(joined, directed=False)
    own = np.diagonal(joined)
    return [np.flatnonzero(group == g) for g in np.unique(group[own])]
