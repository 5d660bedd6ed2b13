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
    workers: processes, 1 for this one, 0 for one on each core.  cluster: address of a scheduler of
    dask.distributed.  out: .csv, .tsv, .npz or .parquet to write; a study that was interrupted goes
    on where it was.
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
    if isinstance(vary, Mapping):
        texts = [f"{n}={v}" for n, v in vary.items()]
    else:
        texts = [vary] if isinstance(vary, str) else list(vary)
    measures = [measure] if isinstance(measure, str) else list(measure)
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
