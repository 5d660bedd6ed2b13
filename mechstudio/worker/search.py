"""Search for the best numbers of a study, whose rows are sent as they come, and fit of measured
data.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.protocol.solver_messages import Report
from mechstudio.protocol.study_messages import (
    FitEnded,
    FitProgressed,
    FittedCurve,
    RunStudy,
    SearchRows,
    StudyBegan,
    StudyEnded,
)
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.studies.optimisation.optimisation import Progress
    from mechstudio.studies.scheduling import Done

REPORT_EVERY = 0.1  # seconds between two batches of rows that are sent


class Search:
    """One search; `run` sends its rows, writes its table and sends its end."""

    def __init__(self, request: RunStudy, send: Callable[[Report], None]) -> None:
        self._request, self._send = request, send
        self._waiting: list[tuple[np.ndarray, Done]] = []
        self._places: tuple[int, ...] = ()
        self._rate, self._sent = 0.0, 0.0

    def run(self) -> None:
        """Search to the end.  Raises ValueError, EngineError, MissingLibrary, ClusterUnavailable,
        NoProcess, OSError.
        """
        from mechstudio.studies import measures, table_file
        from mechstudio.studies.optimisation.optimisation import Optimisation
        from mechstudio.studies.table import StudyTable

        request = self._request
        made, self._places = Optimisation.stored(request.project, request.setup)
        none = np.zeros((0, len(made.bounds.names)))
        self._send(StudyBegan(request.id, 0, none.tobytes(), ()))
        found = made.run(request.workers, request.address, self._progress, heard=self._heard)
        self._flush()
        of_setup = tuple(measures.read_stored(m, request.project) for m in request.setup.measures)
        old = found.table
        table = StudyTable(old.parameters, of_setup, old.varied, old.title)
        table.measured = old.measured[:, list(self._places)]
        table.systems, table.system_names = old.systems, old.system_names
        table.reasons, table.notes, table.remarks = old.reasons, old.notes, found.notes
        path = Path(request.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        table_file.write(table, path, request.digest)
        self._send(StudyEnded(request.id, remarks=found.notes))

    def _progress(self, progress: "Progress") -> None:
        self._rate = progress.rate

    def _heard(self, rows: np.ndarray, done: "Done") -> None:
        self._waiting.append((rows, done))
        if time.monotonic() - self._sent > REPORT_EVERY:
            self._flush()

    def _flush(self) -> None:
        """Send what waits."""
        waiting, self._waiting, self._sent = self._waiting, [], time.monotonic()
        for rows, done in waiting:
            values = np.array([p.values for p in done.points], "<f8")[:, list(self._places)]
            self._send(
                SearchRows(
                    self._request.id,
                    np.ascontiguousarray(rows, "<f8").tobytes(),
                    np.ascontiguousarray(values).tobytes(),
                    {k: p.reason for k, p in enumerate(done.points) if p.reason},
                    {k: p.note for k, p in enumerate(done.points) if p.note},
                    done.system,
                    self._rate,
                )
            )


def fit(request: RunStudy, send: Callable[[Report], None]) -> None:
    """Fit to the end.  Raises ValueError, EngineError, ClusterUnavailable, NoProcess."""
    from mechstudio.studies.optimisation.fit import Fit

    path = Path(request.data)
    try:
        made = Fit.stored(request.project, request.setup, path)
    except OSError as error:
        raise ValueError(
            tr("{path} cannot be read ({reason}).", path=path, reason=error.strerror or error)
        ) from None
    report = lambda p: send(FitProgressed(request.id, p.runs, p.scatter))
    found = made.run(request.workers, request.address, report)
    packed = lambda values: np.ascontiguousarray(values, "<f8").tobytes()
    curves = tuple(
        FittedCurve(
            m.quantity.name,
            m.quantity.dimension,
            packed(m.course.times),
            packed(m.course.values),
            packed(residuals),
            packed(course.times),
            packed(course.values),
        )
        for m, residuals, course in zip(
            made.data, found.residuals, made.courses(found), strict=True
        )
    )
    send(
        FitEnded(
            request.id,
            found.estimates,
            packed(found.correlations),
            found.scatters,
            found.rank,
            found.notes,
            found.runs,
            curves,
        )
    )
