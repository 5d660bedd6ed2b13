"""A study from beginning to end: its design is drawn, its points are computed, its table is
written.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mechstudio.curves import tables
from mechstudio.curves.tables import Column
from mechstudio.engine.integration.options import RunOptions, options_of
from mechstudio.engine.structure import mobility
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import SENSITIVITY, StudySetup
from mechstudio.studies import measures, variations
from mechstudio.studies.design import Design, check_runs, sensitivity_points, sobol_indices
from mechstudio.studies.measures import Measure
from mechstudio.studies.points import Points
from mechstudio.studies.sampling import sampling_remarks
from mechstudio.studies.scheduling import Done, Task, computed, slots_for
from mechstudio.studies.table import Journal, StudyTable, digest_of
from mechstudio.studies.table_file import bare
from mechstudio.translation import tr, trn


class Progress(NamedTuple):
    """Progress of a study.  done, runs: rows.  failed: of those done.  rate: runs per second.  left
    [s]: time of the rest; None while unknown.
    """

    done: int
    runs: int
    failed: int
    rate: float
    left: float | None


class Study:
    """One mechanism with what is varied and measured.

    project, design, measures, options: as given.  varied (runs, parameters) [SI].
    """

    def __init__(
        self,
        project: Project,
        vary: Sequence[str],
        measure: Sequence[str | Measure],
        samples: int = 1,
        method: str = "latin",
        seed: int = 1,
        correlations: Sequence[tuple[str, str, float]] = (),
        one_at_a_time: bool = False,
        **run: Any,
    ) -> None:
        """vary: such as "L2=200..400 mm:50" (studies.variations).  measure: such as "max A angle"
        (studies.measures).
        method: of studies.design.METHODS, or "sensitivity" for Sobol indices.
        run: as of engine.integration.options.options_of.  Raises ValueError with one sentence,
        EngineError for a mechanism that cannot be simulated as drawn.
        """
        found = tuple(variations.read(text, project) for text in vary)
        self.project = project
        self.measures: tuple[Measure, ...] = tuple(
            m if isinstance(m, Measure) else measures.read(m, project) for m in measure
        )
        if not self.measures:
            raise ValueError(tr("A study measures at least one thing."))
        self.options: RunOptions = options_of(project, **run)
        self.is_sensitivity = method == SENSITIVITY
        centre = tuple(project.parameters[v.name].value.value for v in found)
        self.design = Design(
            found,
            samples,
            "sobol" if self.is_sensitivity else method,
            seed,
            tuple(correlations),
            one_at_a_time,
            centre,
        )
        self.design.check()
        self.varied = self._varied()
        mobility.refuse(project)

    @classmethod
    def stored(cls, project: Project, setup: StudySetup, **run: Any) -> "Study":
        """A study that the project keeps; run: what shall differ from its own.  Raises as the
        constructor does.
        """
        if setup.is_search:
            raise ValueError(
                tr(
                    "{name} is a search for the best: run it in the window, or by mechstudio "
                    "optimise.",
                    name=setup.name,
                )
            )
        if setup.is_fit:
            raise ValueError(
                tr(
                    "{name} is a fit of measured data: run it in the window, or by mechstudio fit.",
                    name=setup.name,
                )
            )
        times = {"duration": setup.duration or None, "sample_step": setup.sample_step or None}
        return cls(
            project,
            [f"{v.parameter}={v.values}" for v in setup.vary],
            [measures.read_stored(kept, project) for kept in setup.measures],
            setup.samples,
            setup.method,
            setup.seed,
            [(c.a, c.b, c.value) for c in setup.correlations],
            setup.one_at_a_time,
            **times | {name: value for name, value in run.items() if value is not None},
        )

    def _varied(self) -> np.ndarray:
        if not self.is_sensitivity:
            return self.design.values()
        found, n = self.design.variations, self.design.samples
        if on_grid := next((v for v in found if v.is_grid), None):
            raise ValueError(
                tr("Sobol indices are of drawn parameters, and {name} is not.", name=on_grid.name)
            )
        if self.design.one_at_a_time:
            raise ValueError(
                tr("Sobol indices are of parameters that all vary, not one at a time.")
            )
        if self.design.correlations:
            raise ValueError(tr("Sobol indices are of parameters that vary independently."))
        if n < 2 or n & (n - 1):
            raise ValueError(
                tr(
                    "Sobol indices need a power of two of samples, such as {near}, not {n}.",
                    near=1 << max(1, round(np.log2(max(n, 2)))),
                    n=n,
                )
            )
        check_runs(n * (2 + len(found)))
        return sensitivity_points(found, n, self.design.seed)

    def __len__(self) -> int:
        return len(self.varied)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parameters that vary."""
        return tuple(v.name for v in self.design.variations)

    def table(self) -> StudyTable:
        """An empty table of it."""
        design = self.design
        drawn = any(not v.is_grid for v in design.variations)
        title = [
            trn("mechstudio study, one run", "mechstudio study, {count} runs", len(self)),
            *(f"{v.name} = {v.text}" for v in design.variations),
            *(m.text_with_limit for m in self.measures if m.sign),
        ]
        if drawn:
            method = SENSITIVITY if self.is_sensitivity else design.method
            title.append(
                tr(
                    "{samples} samples, method {method}, seed {seed}",
                    samples=design.samples,
                    method=method,
                    seed=design.seed,
                )
            )
        dimensions = {n: self.project.parameters[n].dimension for n in self.names}
        return StudyTable(dimensions, self.measures, self.varied, tuple(title))

    def digest(self) -> str:
        """Digest of all that its rows depend on."""
        drawn = bare(self.project, self.names)
        made = msgspec.msgpack.encode((self.measures, self.options))
        return digest_of(drawn, made, self.varied.tobytes())

    def task(self) -> Task:
        """The parts that its workers need."""
        return Task(self.project, self.names, self.measures, self.options)

    def run(
        self,
        workers: int = 0,
        address: str = "",
        beside: Path | None = None,
        progress: Callable[[Progress], None] = lambda _: None,
        is_cancelled: Callable[[], bool] = lambda: False,
        write: Callable[[StudyTable, Path], None] = StudyTable.write,
        heard: Callable[[Done], None] = lambda _: None,
        begun: Callable[[StudyTable], None] = lambda _: None,
    ) -> StudyTable:
        """Compute all rows.

        workers: processes of this machine, 1 for this one, 0 for one on each core where that is
        quicker.  address: of a cluster's scheduler, "" for this machine.  beside: the table's file;
        its rows are kept beside it until all are done, and a study that was interrupted goes on
        where it was.
        begun: called with the table, with the rows that it had already; heard: with each batch.
        write: of the table into its file.
        Raises ValueError for a file that is no table, table.TableBusy,
        curves.tables.MissingLibrary, scheduling.ClusterUnavailable, scheduling.NoProcess,
        OSError, and points.Stopped once it is cancelled.
        """
        table = self.table()
        if beside is not None:
            # an ending without a table, or a library that is missing, is reported before long work
            tables.content([Column("", "", np.zeros(1))], beside.suffix)
        journal = None if beside is None else Journal(table, beside, self.digest())
        try:
            begun(table)
            places = table.missing
            start, before = time.perf_counter(), table.done
            with slots_for(len(places), workers, address, is_cancelled) as slots:
                for done in computed(self.task(), self.varied, places, slots, is_cancelled):
                    table.take(done)
                    if journal is not None:
                        journal.write(done)
                    heard(done)
                    took = time.perf_counter() - start
                    rate = (table.done - before) / took if took > 0 else 0.0
                    rest = len(table) - table.done
                    progress(
                        Progress(
                            table.done,
                            len(table),
                            len(table.reasons),
                            rate,
                            rest / rate if rate else None,
                        )
                    )
            points = Points(self.project, self.names, self.measures, self.options, is_cancelled)
            table.remarks = sampling_remarks(table, points)
            if self.is_sensitivity:
                table.indices = sobol_indices(table.measured, len(self.names))
            if beside is not None:
                write(table, beside)
            if journal is not None:
                journal.remove()
        finally:
            if journal is not None:
                journal.close()
        return table
