"""The process that runs a study or searches linkages, started by the window:
python -m mechstudio.worker.study_process.

It shares the runs among processes of its own, one on each core.  The window ends it to pause or to
cancel: rows that are done stand in a file beside the table, and the study goes on with them.
"""

import os
import queue
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from mechstudio.protocol.solver_messages import Request
from mechstudio.protocol.study_messages import (
    CloseRow,
    FindCourses,
    RowClosed,
    RunStudy,
    StudyBegan,
    StudyCourse,
    StudyEnded,
    StudyRows,
)
from mechstudio.protocol.synthesis_messages import Synthesise
from mechstudio.translation import tr
from mechstudio.worker import process_policy
from mechstudio.worker.search import Search, fit
from mechstudio.worker.serving import Window, serve
from mechstudio.worker.synthesis import synthesise

if TYPE_CHECKING:
    from mechstudio.studies.scheduling import Done
    from mechstudio.studies.study import Progress
    from mechstudio.studies.table import StudyTable

TELL = 0.1  # seconds between two batches of rows that are sent


class Runner:
    """Serves one window until its pipe ends."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._window = Window(incoming, outgoing)
        self._inbox: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._waiting: list[Done] = []  # computed and not sent yet
        self._rate, self._left, self._sent = 0.0, -1.0, 0.0

    def serve(self) -> None:
        """Work until the window ends; does not return."""
        self._window.listen(self._inbox.put)
        while True:
            request = self._inbox.get()
            serve(lambda r: HANDLERS[type(r)](self, r), request, self._window.send)

    def _run(self, request: RunStudy) -> None:
        from mechstudio.engine.errors import EngineError
        from mechstudio.studies import table_file
        from mechstudio.studies.optimisation.search import MissingLibrary
        from mechstudio.studies.scheduling import ClusterUnavailable, NoProcess
        from mechstudio.studies.study import Study

        id, path = request.id, Path(request.path)
        try:
            if request.setup.is_search:
                Search(request, self._window.send).run()
                return
            if request.setup.is_fit:
                fit(request, self._window.send)
                return
            study = Study.stored(request.project, request.setup)
            path.parent.mkdir(parents=True, exist_ok=True)
            table = study.run(
                request.workers,
                request.address,
                path,
                self._progress,
                write=lambda table, path: table_file.write(table, path, request.digest),
                begun=lambda table: self._begun(request, table),
                heard=lambda done: self._heard(id, done),
            )
        except (
            ValueError,
            EngineError,
            MissingLibrary,
            ClusterUnavailable,
            NoProcess,
        ) as error:
            self._flush(id)
            self._window.send(StudyEnded(id, str(error)))
            return
        except OSError as error:
            self._flush(id)
            reason = error.strerror or str(error)
            words = tr("The table {file} cannot be written: {error}.", file=path, error=reason)
            self._window.send(StudyEnded(id, words))
            return
        self._flush(id)
        indices = b"" if table.indices is None else np.stack(table.indices).tobytes()
        self._window.send(StudyEnded(id, "", indices, table.remarks))

    def _courses(self, request: FindCourses) -> None:
        """Run some rows again; what fails has no course."""
        from mechstudio.studies.optimisation.optimisation import Optimisation
        from mechstudio.studies.points import Points
        from mechstudio.studies.study import Study

        project, setup = request.project, request.setup
        if setup.is_search:
            found, _ = Optimisation.stored(project, setup)
            points = Points(project, found.bounds.names, found.measures, found.options)
        else:
            study = Study.stored(project, setup)
            points = Points(project, study.names, study.measures, study.options)
        varied = np.frombuffer(request.varied, "<f8").reshape(len(request.rows), -1)
        for row, values in zip(request.rows, varied.tolist(), strict=True):
            for key, course in points.courses(values).items():
                times, found = (
                    np.ascontiguousarray(a, "<f8").tobytes() for a in (course.times, course.values)
                )
                self._window.send(StudyCourse(request.id, row, key, times, found))

    def _close(self, request: CloseRow) -> None:
        """Close a drawing with other numbers as every drawing is closed."""
        from mechstudio.engine.integration.options import RunOptions
        from mechstudio.engine.manifold.diagnosis import close_drawing
        from mechstudio.model.edits.poses.closed_pose import standing
        from mechstudio.model.formulas.expression import ExpressionError
        from mechstudio.model.results.assembly import reported
        from mechstudio.studies.points import Points

        try:
            points = Points(request.project, request.names, (), RunOptions())
            drawing = points.project(request.values)
        except ExpressionError as error:
            self._window.send(RowClosed(request.id, None, str(error)))
            return
        closing = close_drawing(drawing.mechanism)
        if not closing.closed:
            self._window.send(RowClosed(request.id, None, reported(closing, drawing.mechanism)))
            return
        poses = dict(zip(drawing.mechanism.bodies, closing.poses, strict=True))
        self._window.send(RowClosed(request.id, standing(drawing, poses)))

    def _begun(self, request: RunStudy, table: "StudyTable") -> None:
        from mechstudio.studies.table_file import take_rows

        id = request.id
        take_rows(table, Path(request.path), request.digest)
        self._waiting, self._rate, self._left, self._sent = [], 0.0, -1.0, 0.0
        self._window.send(StudyBegan(id, len(table), table.varied.tobytes(), table.title))
        for system, name in enumerate(table.system_names):
            places = np.flatnonzero(table.systems == system)
            own = set(places.tolist())
            self._window.send(
                StudyRows(
                    id,
                    places.astype("<i8").tobytes(),
                    table.measured[places].tobytes(),
                    {k: v for k, v in table.reasons.items() if k in own},
                    {k: v for k, v in table.notes.items() if k in own},
                    name,
                )
            )

    def _progress(self, progress: "Progress") -> None:
        self._rate = progress.rate
        self._left = -1.0 if progress.left is None else progress.left

    def _heard(self, id: int, done: "Done") -> None:
        self._waiting.append(done)
        if time.monotonic() - self._sent > TELL:
            self._flush(id)

    def _flush(self, id: int) -> None:
        """Send what waits, in one message for each system."""
        waiting, self._waiting, self._sent = self._waiting, [], time.monotonic()
        for system in dict.fromkeys(done.system for done in waiting):
            own = [done for done in waiting if done.system == system]
            places = np.concatenate([done.places for done in own])
            points = [point for done in own for point in done.points]
            numbered = list(zip(places.tolist(), points, strict=True))
            self._window.send(
                StudyRows(
                    id,
                    places.astype("<i8").tobytes(),
                    np.array([p.values for p in points], "<f8").tobytes(),
                    {k: p.reason for k, p in numbered if p.reason},
                    {k: p.note for k, p in numbered if p.note},
                    system,
                    self._rate,
                    self._left,
                )
            )


HANDLERS: dict[type, Callable[[Runner, Any], None]] = {
    RunStudy: Runner._run,
    FindCourses: Runner._courses,
    CloseRow: Runner._close,
    Synthesise: lambda runner, request: synthesise(request, runner._window.send),
}


def main() -> None:
    """The process from its first line on; does not return."""
    process_policy.ignore_interrupts()
    process_policy.be_expendable()
    process_policy.end_with_parent()
    incoming, outgoing = process_policy.private_pipes()
    Runner(os.fdopen(incoming, "rb", 0), os.fdopen(outgoing, "wb", 0)).serve()


if __name__ == "__main__":
    import faulthandler

    # processes that it starts import this module again, under another name
    faulthandler.enable()
    main()
