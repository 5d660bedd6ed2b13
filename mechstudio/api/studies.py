"""Studies: one project run many times with other numbers."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mechstudio.model.project import Project
from mechstudio.model.studies.edits import named
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.api.runs import Time
    from mechstudio.studies.optimisation.fit import Fitted
    from mechstudio.studies.optimisation.fit import Progress as FitProgress
    from mechstudio.studies.optimisation.optimisation import Optimum
    from mechstudio.studies.optimisation.optimisation import Progress as OptimisationProgress
    from mechstudio.studies.study import Progress
    from mechstudio.studies.table import StudyTable


def study(
    project: Project,
    vary: Mapping[str, str] | Sequence[str] | str = (),
    measure: str | Sequence[str] = (),
    samples: int = 1,
    method: str = "latin",
    seed: int = 1,
    correlations: Mapping[tuple[str, str], float] | None = None,
    one_at_a_time: bool = False,
    duration: "Time | None" = None,
    sample_step: "Time | None" = None,
    integrator: str | None = None,
    tolerance: float | str | None = None,
    step: "Time | None" = None,
    until: Sequence[str] | None = None,
    workers: int = 0,
    cluster: str = "",
    out: str | os.PathLike[str] = "",
    progress: "Callable[[Progress], None] | None" = None,
    name: str = "",
) -> "StudyTable":
    """Run a project with many values of its parameters and measure each run.

    vary: parameters with their values: "200..400 mm:50" (50 points, both ends included) and
    "1|2|5 mm" make a grid; "200..400 mm", "normal(2, 0.1) kg", "triangular(1, 2, 4) mm" and
    "330 mm IT8" are drawn, `samples` times at each point of the grid.  measure: such as "max A
    angle", "range D angle >= 62 deg", "at 0.5 s: A angle", "when A angle = 90 deg: D angle", "time
    above 3 J: Kinetic energy"; quantities are called as in plots.
    method: "latin" (hypercube), "sobol", "random", or "sensitivity" for Sobol indices.
    correlations: rank correlations of pairs of drawn parameters.  one_at_a_time: each parameter
    goes through its values while the others keep theirs.  duration to until: as of `simulate`.
    workers: processes, 1 for this one, 0 for one on each core where that is quicker.  cluster:
    address of a scheduler of dask.distributed.  out: .csv, .tsv, .npz or .parquet to write; a study
    that was interrupted goes on where it was.
    name: of a study that the project keeps, in place of vary, measure and how points are chosen.
    The same study with the same seed has the same bits whoever computes it, on one system and
    processor family, which each row names.  A run that fails is a row with its reason.
    A script calls a study with more workers below `if __name__ == "__main__":`.
    Raises ValueError with one sentence, EngineError for a drawing that cannot be run,
    studies.scheduling.ClusterUnavailable, OSError.

        >>> table = ms.study(
        ...     ms.load("four_bar.mech"),
        ...     {"L2": "310..350 mm:3"},
        ...     "range D angle",
        ...     duration="1.1 s",
        ...     workers=1,
        ... )
        >>> table.varied[:, 0].tolist()
        [0.31, 0.33, 0.35]
        >>> [round(float(swing), 3) for swing in table.measured[:, 0]]
        [1.08, 1.106, 1.137]
    """
    from mechstudio.studies.study import Study

    times = {
        "duration": duration,
        "sample_step": sample_step,
        "integrator": integrator,
        "tolerance": tolerance,
        "step": step,
        "until": until,
    }
    texts, measures = _varied(vary), _listed(measure)
    if name:
        if texts or measures:
            raise ValueError(tr("A study has a name, or what it varies and measures, not both."))
        made = Study.stored(project, named(project, name), **times)
    else:
        made = Study(
            project,
            texts,
            measures,
            samples,
            method,
            seed,
            [(a, b, r) for (a, b), r in (correlations or {}).items()],
            one_at_a_time,
            **times,
        )
    return made.run(
        workers,
        cluster,
        Path(out) if os.fspath(out) else None,
        progress or (lambda _: None),
    )


def optimise(
    project: Project,
    vary: Mapping[str, str] | Sequence[str] | str,
    *,
    least: str | Sequence[str] = (),
    greatest: str | Sequence[str] = (),
    target: str | Sequence[str] = (),
    limits: str | Sequence[str] = (),
    method: str = "",
    seed: int = 1,
    runs: int = 2000,
    duration: "Time | None" = None,
    sample_step: "Time | None" = None,
    integrator: str | None = None,
    tolerance: float | str | None = None,
    step: "Time | None" = None,
    until: Sequence[str] | None = None,
    workers: int = 0,
    cluster: str = "",
    progress: "Callable[[OptimisationProgress], None] | None" = None,
) -> "Optimum":
    """Find the numbers of a project that serve a goal best.

    vary: bounds of parameters, such as {"L2": "200..400 mm"}.  least, greatest: measures as of
    `study`.  target: such as "range D angle = 62 deg".  limits: such as "max Torque of drive 1 <= 3
    N·m".  method: "evolution" (differential evolution, then a local search; the usual one),
    "local" (SLSQP from the numbers of the drawing; slopes by differences), "basins" (SHGO), or
    "pareto" (NSGA-II by pymoo; the usual one for several goals).  runs: at most.  duration to
    cluster: as of `study`.
    The result has the `table` of all runs, the `rows` of the best (of several goals the
    compromises), the `project` with its numbers, and `notes` on what it is worth.
    The same seed gives the same bits whoever computes, as of a study.
    Raises ValueError with one sentence, EngineError for a drawing that cannot be run,
    studies.optimisation.search.MissingLibrary, studies.scheduling.ClusterUnavailable.

        >>> four_bar = ms.load("four_bar.mech")
        >>> found = ms.optimise(
        ...     four_bar,
        ...     {"L2": "310..350 mm"},
        ...     target="range D angle = 64 deg",
        ...     method="local",
        ...     duration="1.1 s",
        ...     workers=1,
        ... )
        >>> round(float(found.table.varied[found.rows[0], 0]), 3)
        0.338
    """
    from mechstudio.studies.optimisation.goals import GREATEST, LEAST, TARGET
    from mechstudio.studies.optimisation.optimisation import Optimisation

    goals = [
        (sense, text)
        for sense, texts in ((LEAST, least), (GREATEST, greatest), (TARGET, target))
        for text in _listed(texts)
    ]
    made = Optimisation(
        project,
        _varied(vary),
        goals,
        _listed(limits),
        method,
        seed,
        runs,
        duration=duration,
        sample_step=sample_step,
        integrator=integrator,
        tolerance=tolerance,
        step=step,
        until=until,
    )
    return made.run(workers, cluster, progress or (lambda _: None))


def fit(
    project: Project,
    data: str | os.PathLike[str],
    vary: Mapping[str, str] | Sequence[str] | str,
    *,
    names: Mapping[str, str] | None = None,
    runs: int = 2000,
    duration: "Time | None" = None,
    sample_step: "Time | None" = None,
    integrator: str | None = None,
    tolerance: float | str | None = None,
    step: "Time | None" = None,
    workers: int = 0,
    cluster: str = "",
    progress: "Callable[[FitProgress], None] | None" = None,
) -> "Fitted":
    """Find the parameters with which a project moves as it was measured to move.

    data: a CSV file with a column of times, whose clock begins with the run, and columns of
    quantities with their units, such as "A angle [deg]".  vary: bounds of parameters, such as {"c":
    "0..1 N·m·s/rad"}.  names: column -> quantity, where they are called otherwise.  duration,
    sample_step: those of the data unless they are given.
    The result has `estimates` with standard deviations and intervals of 95 %, NaN for what the data
    does not tell, `correlations`, the `rank` of what it determines, the scatter of each quantity,
    the `project` with the values, and `notes`.
    Raises curves.measurements.table.DataUnreadable (a ValueError), ValueError with one sentence,
    EngineError, OSError, studies.scheduling.ClusterUnavailable.

        >>> project = ms.load("four_bar.mech")
        >>> ms.simulate(project, duration=0.4, sample_step=0.01).to_csv("measured.csv", "D angle")
        >>> found = ms.fit(project, "measured.csv", {"L2": "310..350 mm"}, workers=1)
        >>> round(found.estimates[0].value, 6)
        0.33
    """
    from mechstudio.curves.measurements.table import matched, read, text_of
    from mechstudio.studies.optimisation.fit import Fit

    found, _ = matched(project, read(text_of(data)), names)
    made = Fit(
        project,
        _varied(vary),
        found,
        runs,
        duration=duration,
        sample_step=sample_step,
        integrator=integrator,
        tolerance=tolerance,
        step=step,
    )
    return made.run(workers, cluster, progress or (lambda _: None))


def _varied(vary: Mapping[str, str] | Sequence[str] | str) -> list[str]:
    if isinstance(vary, Mapping):
        return [f"{name}={values}" for name, values in vary.items()]
    return _listed(vary)


def _listed(texts: str | Sequence[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)
