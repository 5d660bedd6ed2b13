"""Studies of the document as they run in a process of their own, and the tables that they have."""

import os
import threading
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.lessons.words import is_sample
from mechstudio.application.notifications import Message, Notifications
from mechstudio.application.questions.channel import Channel, Refused
from mechstudio.application.signal import Signal
from mechstudio.application.studies.courses import StudyCourses
from mechstudio.application.studies.fits import FitResult, file_of, result_of
from mechstudio.application.studies.poses import StudyPoses
from mechstudio.folders import cache_folder
from mechstudio.model.project import Project
from mechstudio.model.studies.edits import by_id
from mechstudio.protocol.message import Message as Report
from mechstudio.protocol.process import study_command
from mechstudio.protocol.study_messages import (
    FitEnded,
    FitProgressed,
    RunStudy,
    SearchRows,
    StudyBegan,
    StudyEnded,
    StudyRows,
)
from mechstudio.studies import measures, table_file
from mechstudio.studies.table import UNFINISHED, StudyTable
from mechstudio.studies.table_file import TableUnreadable
from mechstudio.translation import tr

State = Literal["idle", "starting", "running", "paused", "done", "failed"]
KEY = "study"  # of messages
KEPT = "studies"  # folder of the cache for tables of projects without a file


class StudyRun(msgspec.Struct):
    """A study with its table.

    state: "idle" (nothing to go on with), "starting" (its process comes up), "running", "paused"
    (rows are missing), "done", "failed".  digest: of the study that the rows are of.  rate: runs
    per second; left [s]: None while unknown.  sentence: why it does not go on.  version: another
    one whenever rows came.  fit: the answer of a fit.
    """

    id: str
    state: State = "idle"
    table: StudyTable | None = None
    digest: str = ""
    rate: float = 0.0
    left: float | None = None
    sentence: str = ""
    version: int = 0
    written: Path | None = None  # file of its table
    fit: FitResult | None = None
    tried: int = 0  # runs of a fit so far
    scatter: float = 0.0  # that its best run leaves, as a share of the data's spread

    @property
    def is_working(self) -> bool:
        return self.state in ("starting", "running")

    @property
    def done(self) -> int:
        """Number of rows that are there, failed ones included."""
        return 0 if self.table is None else self.table.done

    @property
    def failed(self) -> int:
        return 0 if self.table is None else len(self.table.reasons)


def _has_room(path: str) -> bool:
    """True if files may stand beside a project: not beside a sample, nor where nothing may be
    written.
    """
    return not is_sample(path) and os.access(Path(path).parent, os.W_OK)


class StudyRuns:
    """Nothing happens but in `poll`, and nothing here waits.  One study at a time.

    changed(): a study is in another state, or has more rows.  courses, poses: of single runs.
    """

    def __init__(
        self,
        document: Document,
        notifications: Notifications,
        folder: Path | None = None,
        command: list[str] | None = None,
        cache: Path | None = None,
    ) -> None:
        self.changed = Signal()
        self._document, self._notifications = document, notifications
        self._cache = cache or cache_folder() / KEPT
        self.channel = Channel[StudyRun](tr("study"), folder, command or study_command())
        self.courses = StudyCourses(document, folder, command or study_command())
        self.poses = StudyPoses(document, folder, command or study_command())
        self._runs: dict[str, StudyRun] = {}
        self._fingerprints: dict[str, tuple[Project, str]] = {}
        self._writing: threading.Thread | None = None
        self._unsaved = ""  # sentence that the thread has to report
        document.changed.connect(self._document_changed)

    # asking

    def of(self, id: str) -> StudyRun:
        """The state of a study, with a table that stands beside the project."""
        if id not in self._runs:
            self._runs[id] = self._found(id)
        return self._runs[id]

    @property
    def working(self) -> StudyRun | None:
        """The study that is under way."""
        return next(iter(self.channel.under_way.values()), None)

    def fingerprint(self, id: str) -> str:
        """Digest of a study as the project is now; "" where it cannot be run."""
        project, setup = self._document.project, by_id(self._document.project, id)
        known = self._fingerprints.get(id)
        if known is None or known[0] is not project:
            found = "" if setup is None else table_file.fingerprint(project, setup)
            self._fingerprints[id] = known = (project, found)
        return known[1]

    def is_outdated(self, id: str) -> bool:
        """True if there are rows, or the answer of a fit, and they are not of the drawing and the
        study as they are now.
        """
        run, setup = self.of(id), by_id(self._document.project, id)
        found = run.fit if setup is not None and setup.is_fit else run.table
        return found is not None and run.digest != self.fingerprint(id)

    def path(self, id: str) -> Path:
        """File of the table of a study: beside the project, or in the cache without one and
        beside nothing that is not the user's.
        """
        path = self._document.path
        if path is not None and _has_room(path):
            return table_file.path_of(path, id)
        return self._cache / f"{self.fingerprint(id)[:32]}.npz"

    def _report_place(self, run: StudyRun) -> None:
        """Say where the table goes if it cannot stand beside the file."""
        path = self._document.path
        if path is not None and not _has_room(path):
            words = tr(
                "The table of this study goes to {file}: it does not stand beside {project}, which "
                "is a sample or may not be written to. Saved under another name, the project takes "
                "the table with it.",
                file=run.written,
                project=Path(path).name,
            )
            self._notifications.say(Message("info", words, KEY))

    def start(self, id: str, address: str = "") -> None:
        """Run a study from its first missing row on; one that is under way is paused."""
        project = self._document.project
        setup = by_id(project, id)
        if setup is None:
            return
        self.pause()
        run, digest = self.of(id), self.fingerprint(id)
        sentence = self.channel.start()
        if sentence:
            self._set(run, "failed", sentence)
            return
        self._join()
        if run.digest != digest:
            run.table = None
        run.fit, run.tried, run.scatter = None, 0, 0.0
        run.digest, run.rate, run.left = digest, 0.0, None
        run.written = self.path(id)
        data = str(file_of(self._document, setup)) if setup.is_fit else ""
        if not setup.is_fit:
            self._report_place(run)
        self.channel.send(
            lambda id: RunStudy(id, project, setup, str(run.written), digest, address, data=data),
            run,
        )
        self._set(run, "starting")

    def pause(self) -> None:
        """Stop what is under way; its rows stay, and it goes on with the next start."""
        run = self.working
        if run is not None:
            # its processes end with it
            self.channel.stop()
            self._set(run, "paused" if run.done else "idle")

    def cancel(self) -> None:
        """Stop the study under way for good; its finished rows stay, and the next start begins with
        the first.
        """
        run = self.working
        self.pause()
        if run is not None:
            self._journal(run.id).unlink(missing_ok=True)
            setup = by_id(self._document.project, run.id)
            if setup is not None and setup.is_search and run.table is not None:
                run.table.remarks = (tr("The search was stopped; this is the best so far."),)
            is_fit = setup is not None and setup.is_fit
            self._set(run, "idle", tr("The fit was stopped before its end.") if is_fit else "")

    def forget(self, id: str) -> None:
        """Forget a deleted study."""
        if (run := self.working) is not None and run.id == id:
            self.pause()
        self._runs.pop(id, None)

    def close(self) -> None:
        """End the process; this cannot be used after that."""
        self._document.changed.disconnect(self._document_changed)
        self.channel.stop()
        self.rest()
        self._join()

    def rest(self) -> None:
        """End the processes for single runs that are not shown."""
        self.courses.rest()
        self.poses.rest()

    # listening

    def poll(self) -> None:
        """Take in what the process has said."""
        if words := self._unsaved:
            self._unsaved = ""
            self._notifications.say(Message("warning", words, KEY))
        self.courses.poll()
        self.poses.poll()
        heard = False
        for run, report in self.channel.reports():
            heard = True
            self._take(run, report)
        if heard:
            if self.working is None:
                # a process that waits for the next study would hold its memory
                self.channel.stop()
            self.changed.emit()

    def _take(self, run: StudyRun, report: Report | Refused) -> None:
        match report:
            case StudyBegan(_, runs, varied, title):
                project, setup = self._document.project, by_id(self._document.project, run.id)
                assert setup is not None, "the study under way is there"
                names = [v.parameter for v in setup.vary]
                dimensions = {n: project.parameters[n].dimension for n in names}
                of_setup = tuple(measures.read_stored(m, project) for m in setup.measures)
                points = np.frombuffer(varied, "<f8").reshape(runs, len(names))
                run.table = StudyTable(dimensions, of_setup, points, title)
                run.state, run.sentence = "running", ""
            case StudyRows(_, places, measured, reasons, notes, system, rate, left):
                table = run.table
                assert table is not None, "it has begun"
                own = np.frombuffer(places, "<i8")
                table.measured[own] = np.frombuffer(measured, "<f8").reshape(len(own), -1)
                table.mark(own, system)
                table.reasons.update(reasons)
                table.notes.update(notes)
                run.rate, run.left = rate, left if left >= 0.0 else None
            case FitProgressed(_, tried, scatter):
                run.state, run.tried, run.scatter = "running", tried, scatter
            case FitEnded():
                run.fit, run.tried = result_of(report), report.runs
                run.state, run.sentence = "done", ""
            case SearchRows():
                self._take_more(run, report)
            case StudyEnded(_, sentence, indices, remarks):
                if run.table is not None:
                    run.table.remarks = remarks
                if indices and run.table is not None:
                    shape = (2, len(run.table.measures), len(run.table.parameters))
                    first, total = np.frombuffer(indices, "<f8").reshape(shape)
                    run.table.indices = (first, total)
                run.state, run.sentence = ("failed" if sentence else "done"), sentence
            case Refused(sentence, _, cause):
                if cause:
                    sentence = tr(
                        "The study stopped unexpectedly ({cause}); its rows are kept: run it again "
                        "to go on.",
                        cause=cause,
                    )
                run.state, run.sentence = "failed", sentence
            case _:
                return
        run.version += 1

    def _take_more(self, run: StudyRun, report: SearchRows) -> None:
        """Rows of a search come after those that are there."""
        table = run.table
        assert table is not None, "it has begun"
        first, names = len(table), len(table.parameters)
        varied = np.frombuffer(report.varied, "<f8").reshape(-1, names)
        run.table = table = table.extended(varied)
        own = np.arange(first, len(table))
        table.measured[own] = np.frombuffer(report.measured, "<f8").reshape(len(own), -1)
        table.mark(own, report.system)
        table.reasons |= {first + k: reason for k, reason in report.reasons.items()}
        table.notes |= {first + k: note for k, note in report.notes.items()}
        run.rate = report.rate

    # tables

    def _journal(self, id: str) -> Path:
        path = self.path(id)
        return path.with_name(path.name + UNFINISHED)

    def _found(self, id: str) -> StudyRun:
        """The table of a study that stands on the disk; an unfinished one has no rows here, and
        goes on with them.
        """
        run, project = StudyRun(id), self._document.project
        setup = by_id(project, id)
        path = self.path(id)
        if setup is None:
            return run
        if path.exists():
            try:
                run.table, run.digest = table_file.read(path, project, setup)
                run.written = path
                run.state = "done" if not len(run.table.missing) else "paused"
            except TableUnreadable as error:
                run.sentence = str(error)
        if self._journal(id).exists():
            run.state = "paused"
        return run

    def opened(self) -> None:
        """Another document: tables are those beside it."""
        self.pause()
        self._runs.clear()
        self._fingerprints.clear()
        self.changed.emit()

    def take_over(self, other: "StudyRuns") -> None:
        """Go on with the tables of studies that have been closed."""
        for id, run in other._runs.items():
            self._runs[id] = run
            if run.is_working:
                run.state = "paused"

    def saved(self, path: str) -> None:
        """Write the tables that are not there yet beside a project that was saved, in a thread."""
        waiting: list[tuple[StudyTable, Path, str]] = []
        if not _has_room(path):
            return
        for run in self._runs.values():
            target = table_file.path_of(path, run.id)
            if run.table is not None and not run.is_working and run.done and run.written != target:
                waiting.append((run.table, target, run.digest))
                run.written = target
        if waiting:
            self._join()
            self._writing = threading.Thread(target=self._write, args=(waiting,), daemon=True)
            self._writing.start()

    def _write(self, tables: list[tuple[StudyTable, Path, str]]) -> None:
        for table, path, digest in tables:
            try:
                table_file.write(table, path, digest)
            except OSError as error:
                self._unsaved = tr(
                    "The table {file} cannot be written: {error}.",
                    file=path,
                    error=error.strerror or error,
                )

    def _join(self) -> None:
        if self._writing is not None:
            self._writing.join()
            self._writing = None

    def _document_changed(self, old: Project, new: Project) -> None:
        run = self.working
        if run is None:
            return
        if by_id(new, run.id) is None:
            self.forget(run.id)
        elif self.fingerprint(run.id) != run.digest:
            self.pause()
            self._set(run, run.state, tr("The drawing was changed; the study has stopped."))

    def _set(self, run: StudyRun, state: State, sentence: str = "") -> None:
        run.state, run.sentence = state, sentence
        run.version += 1
        self.changed.emit()
