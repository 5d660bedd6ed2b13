"""The window's hold on the solver: one worker process at work and a warm spare, polled, never
waited for.
"""

import time
import weakref
from pathlib import Path

from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.project import Project
from mechstudio.model.results.sample import sample_layout
from mechstudio.protocol import sample_ring, solver_messages
from mechstudio.protocol.message import Message
from mechstudio.protocol.news import (
    AnalysisCame,
    AssemblyCame,
    ClosedCame,
    ContactsCame,
    Lost,
    News,
    PoseCame,
    RequestFailed,
    RunEnded,
    RunSlow,
    SamplesCame,
    StopImpacts,
)
from mechstudio.protocol.process import WorkerProcess, worker_command
from mechstudio.protocol.sample_ring import Ring
from mechstudio.protocol.solver_messages import (
    Alive,
    Analyse,
    Analysed,
    Assemble,
    Assembling,
    AssemblyFound,
    Began,
    Cancel,
    Closed,
    ContactsReported,
    DragEnded,
    Dragged,
    DragTo,
    EndDrag,
    Failed,
    Finished,
    Impacted,
    Pose,
    PoseFound,
    Preparing,
    PreparingContacts,
    Ready,
    Simulate,
    Slow,
    StartDrag,
)
from mechstudio.translation import tr

# seconds without a sign of life after which a worker counts as silent, by its present task; a run
# reports ten times a second
PATIENCE = {
    "": 1.0,
    solver_messages.ANALYSIS: 5.0,
    solver_messages.ASSEMBLY: 5.0,
    solver_messages.RUN: 1.0,
}
PATIENCE_PREPARING = 60.0
WAITING = 10.0  # seconds for which "wait" suspends the report of a silent worker
STARTS = 3  # attempts to start a worker that never becomes ready
BACK_OFF = (0.5, 2.0)  # seconds before each but the first of them
SPARE_AFTER = 1.0  # seconds that a ready worker is idle before the spare is started
SPARE_LATEST = 15.0  # seconds after which it is started even if runs never pause
MOST_BYTES = 2 << 20  # of samples taken in one poll
SPARE = "--spare"  # argument of a worker that shall keep in the background while it gets ready
AWAY = 1.0  # seconds between two polls that can only mean that the window itself stood still


class WorkerClient:
    """Starts workers and speaks with the one at work.  Everything happens in `poll`, which returns
    what is new.

    trouble: why no worker can be started, else empty.   log_folder: where the workers' errors go.
    """

    def __init__(
        self, log_folder: Path, command: list[str] | None = None, with_spare: bool = True
    ) -> None:
        self._log_folder, self._command, self._with_spare = (
            log_folder,
            command or worker_command(),
            with_spare,
        )
        self._processes: list[WorkerProcess] = []  # all that live; shared with the finalizer
        self._rings: list[Ring] = []
        self._spare: WorkerProcess | None = None
        self._active: WorkerProcess | None = None
        self._dying: list[WorkerProcess] = []
        self._news: list[News] = []  # of the time between two polls
        self._id = 0
        self._failed_starts = 0
        self._start_at = 0.0
        self._forget_requests()
        self.trouble = ""
        self._idle_since = self._ready_since = self._polled = time.monotonic()
        self._end = weakref.finalize(
            self, _end, self._processes, self._rings
        )  # also at the end of the program
        sample_ring.sweep()
        sample_ring.start_tracker()
        self._start()

    def _forget_requests(self) -> None:
        # requests that wait: "analysis", "pose", "assembly", "start_drag", "end_drag", "run"
        self._pending: dict[int, str] = {}
        self._at, self._stage = 0, ""  # what the worker said that it is working on
        self._run = 0  # the run whose samples are requested
        self._ring: Ring | None = None
        self._finished: Finished | None = None
        self._unsent: list[solver_messages.Request] = []  # requested without a worker
        self._waiting_until = self._pending_at = 0.0

    # asking

    @property
    def is_ready(self) -> bool:
        return self._active is not None and self._active.is_ready

    @property
    def progress(self) -> float:
        """Share of its kernels that the worker has loaded or compiled, 0 … 1."""
        return self._active.progress if self._active else 0.0

    @property
    def is_cold(self) -> bool:
        """True if the worker has to compile its kernels, which takes long, instead of loading
        them.
        """
        return self._active is not None and self._active.cold

    @property
    def contacts_progress(self) -> float:
        """Share of the kernels of contacts that is ready, 1 if the worker is not at them."""
        return self._active.contacts if self._active else 1.0

    @property
    def is_busy(self) -> bool:
        """True if an answer is missing."""
        return bool(self._pending)

    @property
    def pid(self) -> int:
        """Process id of the worker at work; 0 while there is none."""
        return self._active.pid if self._active else 0

    @property
    def spare_is_ready(self) -> bool:
        return self._spare is not None and self._spare.is_ready

    def _ask(self, kind: str) -> int:
        self._id += 1
        self._await(self._id, kind)
        return self._id

    def _await(self, id: int, kind: str) -> None:
        if not self._pending:
            self._pending_at = time.monotonic()
        self._pending[id] = kind

    def analyse(self, project: Project) -> int:
        """Request the analysis of a drawing.  Returns the request's id."""
        id = self._ask("analysis")
        self._send(Analyse(id, project))
        return id

    def pose(
        self, project: Project, joint: str, coordinate: int, value: float, released: str = ""
    ) -> int:
        """Request the poses of bodies with a joint's coordinate at a value [rad or m], a coupling
        (id) given up; the request's id.
        """
        id = self._ask("pose")
        self._send(Pose(id, project, joint, coordinate, value, released))
        return id

    def assemble(self, project: Project, keep: tuple[str, ...] = ()) -> int:
        """Request the closed drawing, bodies of the ids in `keep` in place.  Returns the request's
        id.
        """
        id = self._ask("assembly")
        self._send(Assemble(id, project, keep))
        return id

    def cancel_assembly(self, id: int) -> None:
        """End an assembling; it still answers, with nothing."""
        self._send(Cancel(id))

    def start_drag(
        self,
        project: Project,
        body: str,
        point: Triple,
        poses: tuple[tuple[float, ...], ...],
        coordinates: tuple[float, ...],
    ) -> int:
        """Take hold of a body at a point [m, W]; the request's id, which the following two name."""
        id = self._ask("start_drag")
        self._send(StartDrag(id, project, body, point, poses, coordinates))
        return id

    def drag_to(self, id: int, target: Triple, view_direction: Triple) -> None:
        """Pull towards a target [m, W], seen along a unit vector."""
        self._send(DragTo(id, target, view_direction))

    def end_drag(self, id: int, keep: bool = True) -> None:
        """End a drag; DragEnded gives the place, if it is to be kept."""
        if keep:
            self._await(id, "end_drag")
        else:
            self._answered(id)
        self._send(EndDrag(id, keep))

    def simulate(self, project: Project, fault: str = "") -> int:
        """Run a drawing, ending the run before it; the request's id.  Raises OSError if there is no
        shared memory for the samples.
        """
        self.cancel()
        if self.trouble:
            self._failed_starts, self.trouble = 0, ""  # the user tries again, and so do we
        new = Ring.create(sample_layout(project.mechanism).width)
        self._rings.append(new)
        self._ring = new
        self._run = id = self._ask("run")
        self._send(Simulate(id, project, new.name, fault))
        return id

    def cancel(self) -> None:
        """End the run under way; its later reports are dropped."""
        if self._run:
            self._send(Cancel(self._run))
            self._end_run()

    def _send(self, request: solver_messages.Request) -> None:
        if self._active is None:
            self._unsent.append(request)
        else:
            self._active.send(request)

    def _end_run(self) -> None:
        if self._ring is not None:
            self._rings.remove(self._ring)
            self._ring.close()
        self._run, self._ring, self._finished = 0, None, None

    # listening

    def poll(self) -> list[News]:
        """Return the events since the last call."""
        if not self._end.alive:
            return []  # closed: a last tick of the window's clock
        now = time.monotonic()
        events, self._news = self._news, []
        self._bury()
        if now - self._polled > AWAY and self._active is not None:
            # the window itself was away (suspended, busy): that is no silence of the worker
            self._active.heard = max(self._active.heard, now)
        self._polled = now
        self._watch_spare(now)
        if self._active is None:
            if not self.trouble and now >= self._start_at:
                self._start()
            return events
        while (report := self._active.receive()) is not None:
            self._take(self._active, report, events)
        self._drain(events)
        if self._active.has_ended:
            self._lose(events, self._active.cause())
        return events

    def _take(
        self, worker: WorkerProcess, report: solver_messages.Report, events: list[News]
    ) -> None:
        """Store a report of the active worker, or add its news to events."""
        if isinstance(report, Message) and report.is_last:
            self._answered(report.id)
        match report:
            case Preparing(progress, cold):
                worker.progress, worker.cold = progress, cold
            case PreparingContacts(progress):
                worker.contacts = progress
            case Ready():
                worker.is_ready, worker.progress = True, 1.0
                self._failed_starts = 0
                self._ready_since = time.monotonic()
            case Began(id, stage):
                self._at, self._stage = id, stage
            case Alive():
                pass  # that it came is all: see WorkerProcess.heard
            case Impacted(id, impacted):
                if id == self._run:
                    events.append(StopImpacts(id, impacted))
            case Slow(id, sentence):
                if id == self._run:
                    events.append(RunSlow(id, sentence))
            case ContactsReported(id, samples):
                if id == self._run:
                    events.append(ContactsCame(id, samples))
            case Closed(id, poses):
                events.append(ClosedCame(id, poses))
            case Analysed(id, analysis):
                events.append(AnalysisCame(id, analysis))
            case PoseFound(id):
                events.append(PoseCame(id, report))
            case Assembling(id, steps):
                events.append(AssemblyCame(id, steps))
            case AssemblyFound(id, closing):
                events.append(AssemblyCame(id, -1, closing))
            case Dragged(id):
                self._drag_answered(id, report, events)
            case DragEnded(id):
                events.append(report)
            case Finished(id):
                if id == self._run:
                    self._finished = report
            case Failed(id, error):
                self._drain(events)
                if id == self._run:
                    self._end_run()
                events.append(RequestFailed(id, error, worker.log_path))
            case _:
                pass  # of another process

    def _drag_answered(self, id: int, report: Dragged, events: list[News]) -> None:
        if self._pending.get(id) == "start_drag":
            self._answered(
                id
            )  # a drag under way is no question: the worker may be silent until the pointer moves
        if events and isinstance(events[-1], Dragged):
            events.pop()
        events.append(report)

    def _answered(self, id: int) -> None:
        self._pending.pop(id, None)
        self._idle_since = time.monotonic()
        if self._at == id:
            self._at, self._stage = 0, ""

    def _drain(self, events: list[News], most_bytes: int = MOST_BYTES) -> None:
        """Take samples out of the ring; the end of the run comes after its last one."""
        if self._ring is None:
            return
        if self._ring.waiting:
            # who writes has attached: from now on the memory goes with the two processes
            self._ring.unlink()
            events.append(
                SamplesCame(
                    self._run, self._ring.read(max(1, most_bytes // (8 * self._ring.width)))
                )
            )
        done = self._finished
        if done is not None and not self._ring.waiting:
            id = self._run
            self._end_run()
            events.append(RunEnded(id, done.complete, done.finding, done.statistics))

    # silence

    @property
    def is_silent(self) -> bool:
        """True if the worker has been silent for longer than its present task can take."""
        if self._active is None or not self._pending:
            return False
        now = time.monotonic()
        # compilers keep all threads of the worker waiting now and then
        patience = (
            PATIENCE[self._stage]
            if self._active.is_ready and self._active.contacts == 1.0
            else PATIENCE_PREPARING
        )
        last = max(self._active.heard, self._pending_at)
        return now - last > patience and now > self._waiting_until

    def keep_waiting(self) -> None:
        """Suspend the report of a silent worker for a while."""
        self._waiting_until = time.monotonic() + WAITING

    # ends and new beginnings

    def stop(self) -> None:
        """Kill the worker, which may be hung, and let the spare take its place at once.  The next
        poll reports what went down with it.
        """
        if self._active is None:
            return
        self._active.kill()
        self._lose(self._news, "stopped", True)

    def _lose(self, events: list[News], cause: str, stopped: bool = False) -> None:
        """Continue without the active worker: keep its output so far, forget its requests."""
        gone, at, requests = self._active, self._at, tuple(self._pending)
        if self._ring is not None:
            self._drain(events, self._ring.row_count * self._ring.width * 8)
        self._end_run()
        self._forget_requests()
        self._dying.append(gone)  # type: ignore[arg-type]
        self._active, self._spare = self._spare, None
        if self._active is None and not stopped and not gone.is_ready:  # type: ignore[union-attr]
            self._count_failed_start(gone.last_words() or cause, gone)  # type: ignore[union-attr]
        self._ready_since = self._idle_since = time.monotonic()
        events.append(Lost(cause, stopped, at, requests, self.is_ready))

    def _bury(self) -> None:
        """Clean up after processes that were killed, once they are really gone."""
        for process in [p for p in self._dying if p.take_all()]:
            self._dying.remove(process)
            self._remove(process)

    def _count_failed_start(self, words: str, gone: WorkerProcess) -> None:
        self._failed_starts += 1
        if self._failed_starts >= STARTS:
            self.trouble = tr(
                "The solver does not start: {words}. Its log is {log_path}.",
                words=words.rstrip("."),
                log_path=gone.log_path,
            )
        else:
            self._start_at = time.monotonic() + BACK_OFF[self._failed_starts - 1]

    def _start(self) -> None:
        try:
            self._active = self._launch(())
        except OSError as error:
            self.trouble = tr(
                "The solver does not start: {strerror}.", strerror=error.strerror or error
            )
            return
        unsent, self._unsent = self._unsent, []
        for request in unsent:
            self._active.send(request)

    def _launch(self, arguments: tuple[str, ...]) -> WorkerProcess:
        process = WorkerProcess([*self._command, *arguments], self._log_folder)
        self._processes.append(process)
        return process

    def _remove(self, process: WorkerProcess) -> None:
        self._processes.remove(process)
        process.close()

    def _watch_spare(self, now: float) -> None:
        if self._spare is None:
            if not self._with_spare or not self.is_ready:
                return
            idle = not self._pending and now - self._idle_since > SPARE_AFTER
            if (
                idle and now - self._ready_since > SPARE_AFTER
            ) or now - self._ready_since > SPARE_LATEST:
                try:
                    self._spare = self._launch((SPARE,))
                except OSError:
                    self._with_spare = False  # no more processes are allowed here: then without
            return
        while (report := self._spare.receive()) is not None:
            match report:
                case Preparing(progress, cold):
                    self._spare.progress, self._spare.cold = progress, cold
                case Ready():
                    self._spare.is_ready, self._spare.progress = True, 1.0
                case _:
                    pass  # it has no requests
        if self._spare.has_ended:
            gone, self._spare = self._spare, None
            # one that dies of itself is not replaced at once
            self._ready_since = now + 60.0
            self._dying.append(gone)

    def close(self) -> None:
        """End all processes and give all memory back; the client cannot be used after that."""
        self._active = self._spare = None
        self._ring = None
        self._end()


def _end(processes: list[WorkerProcess], rings: list[Ring]) -> None:
    for process in processes:
        process.kill()
    while processes:
        processes.pop().close()
    while rings:
        rings.pop().close()
