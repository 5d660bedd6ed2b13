"""The document's side of the solver: it requests analyses after edits, runs on request, and says in
sentences how the solver does.
"""

import time
from collections.abc import Callable
from pathlib import Path

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_drawing, same_motion
from mechstudio.application.questions.worker_status import WorkerStatus
from mechstudio.application.runs.recording import Recording, disk_sentence
from mechstudio.application.signal import Signal
from mechstudio.folders import cache_folder
from mechstudio.model.findings import Finding
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.protocol.client import WorkerClient
from mechstudio.protocol.news import (
    AnalysisCame,
    AssemblyCame,
    ClosedCame,
    ContactsCame,
    Lost,
    PoseCame,
    RequestFailed,
    RunEnded,
    RunSlow,
    SamplesCame,
    StopImpacts,
)
from mechstudio.protocol.solver_messages import DragEnded, Dragged, PoseFound
from mechstudio.translation import Words, localised, tr

# joint (id), coordinate (its place among the joint's), value [rad or m], coupling given up (id)
Target = tuple[str, int, float, str]

# seconds for which the loss of a solver is the status, while another one is at work already
SHOWN = 4.0
TRIES = 2  # solvers that one drawing's analysis may cost
BUSY_INTERVAL, IDLE_INTERVAL = 16, 50  # ms between polls

COMPILING: Words = "Compiling what contacts need, for the first run with them only"
# seconds for which a run with contacts may be silent before its first sample: that long its kernels
# are compiled on a slow and busy machine
COMPILES = 600.0
SILENT: Words = "The solver has not answered for 1 s: wait or stop."


class Session:
    """One document and its solver.  Nothing happens but in `poll` and in answer to the document's
    signal; nothing here waits.

    analysis: of the drawing as it is now, None while unknown.  recording: of the last run, None
    before the first. analysed(), recorded(), run_finished(), status_changed(): emitted from `poll`,
    run_finished and status_changed also at once when a run is cancelled or refused.  posed(target,
    found): result of a Target, requested for the present drawing.
    assembling(steps), assembled(closing): how an assembling goes on and what it found, None if it
    was cancelled or the drawing is another.
    closed(project, poses): where the bodies of a drawing stand with its joints closed
    (model.results.analysis.Analysis.poses), none where it cannot be; the drawing may be an earlier
    one. dragged(news): how far the drag under way has come, or that it is over.
    """

    def __init__(
        self, document: Document, solver: WorkerClient | None = None, folder: Path | None = None
    ) -> None:
        (
            self.analysed,
            self.recorded,
            self.run_finished,
            self.status_changed,
            self.posed,
            self.assembling,
            self.assembled,
            self.dragged,
            self.closed,
        ) = (Signal() for _ in range(9))
        self._folder = folder or cache_folder()
        self._document = document
        self.client = solver or WorkerClient(self._folder / "log")
        self.analysis: Analysis | None = None
        self.recording: Recording | None = None
        self.fault = ""  # for tests: misbehaviour of the next run, see worker/faults.py
        self._analysis_requested = True
        self._analysis_id = 0  # request under way, 0 for none
        self._analysis_of = document.project
        self._analysis_tries = 0
        self._run_id, self._run_since = 0, 0.0
        self._pose_id = 0  # request under way, 0 for none
        self._pose_of: tuple[Project, Target] | None = None
        self._pose_requested: Target | None = None
        self._assembly_id = 0  # request under way, 0 for none
        self._assembly_of = document.project
        self._drag_id = 0  # drag under way, 0 for none
        self._loss, self._loss_until = "", 0.0
        self.status = WorkerStatus("preparing", 0.0, tr("Starting the solver"))
        document.changed.connect(self._document_changed)

    @property
    def interval(self) -> int:
        """Time that the caller may wait before the next poll [ms]."""
        return (
            BUSY_INTERVAL
            if self._run_id
            or self._analysis_id
            or self._pose_id
            or self._assembly_id
            or self._drag_id
            or self._analysis_requested
            else IDLE_INTERVAL
        )

    @property
    def is_running(self) -> bool:
        """True if a run is under way, silent or waiting for its turn included."""
        return self._run_id != 0

    # edits

    def _document_changed(self, old: Project, new: Project) -> None:
        if new.mechanism is not old.mechanism or new.parameters is not old.parameters:
            self._analysis_requested, self._analysis_tries = True, 0
            if not same_drawing(old, new):
                self.analysis = None
            # requested immediately, not at the next poll: the window is about to spend its time on
            # the new picture
            self._request_analysis()
        if self.recording is not None:
            self.recording.stale = not same_motion(self.recording.project, new)
            if self._run_id and self.recording.stale:
                self._end_run(tr("The drawing was changed."))

    def _request_analysis(self) -> None:
        """Request an analysis, one at a time; edits made meanwhile are analysed together
        afterwards.
        """
        if not self._analysis_requested or self._analysis_id or self.client.trouble:
            return
        self._analysis_requested = False
        self._analysis_of = self._document.project
        self._analysis_id = self.client.analyse(self._analysis_of)

    # poses

    def pose(self, joint: str, coordinate: int, value: float, released: str = "") -> None:
        """Request the pose of the drawing with a joint's coordinate at a value [rad or m]; of
        several such targets the last one counts.  released: id of a coupling whose offset changes
        by it.
        """
        self._pose_requested = (joint, coordinate, value, released)
        self._request_pose()

    def _request_pose(self) -> None:
        if self._pose_requested is None or self._pose_id or self.client.trouble:
            return
        target, self._pose_requested = self._pose_requested, None
        self._pose_of = (self._document.project, target)
        self._pose_id = self.client.pose(self._document.project, *target)

    def _take_pose(self, event: PoseCame) -> None:
        if event.id != self._pose_id or self._pose_of is None:
            return
        project, target = self._pose_of
        self._pose_id, self._pose_of = 0, None
        if self._pose_requested is not None:
            return  # another target came meanwhile
        if project.mechanism is not self._document.project.mechanism:
            self._pose_requested = target  # the drawing was changed meanwhile
            return
        self.posed.emit(target, event.found)

    def _give_up_pose(self, sentence: str) -> None:
        target = self._pose_of[1] if self._pose_of is not None else None
        self._pose_id, self._pose_of = 0, None
        if target is not None and self._pose_requested is None:
            self.posed.emit(target, PoseFound(0, finding=Finding("error", target[0], sentence)))

    # assembling

    def assemble(self, keep: tuple[str, ...] = ()) -> None:
        """Request the closed drawing, bodies of the ids in `keep` in place; a question before it is
        dropped.
        """
        self.cancel_assembly()
        self._assembly_of = self._document.project
        self._assembly_id = self.client.assemble(self._assembly_of, keep)

    def cancel_assembly(self) -> None:
        """The answer is no longer needed."""
        if self._assembly_id:
            self.client.cancel_assembly(self._assembly_id)
            self._assembly_id = 0

    def _take_assembly(self, event: AssemblyCame) -> None:
        if event.id != self._assembly_id:
            return
        if event.steps >= 0:
            self.assembling.emit(event.steps)
            return
        self._assembly_id = 0
        same = self._assembly_of.mechanism is self._document.project.mechanism
        self.assembled.emit(event.closing if same else None)

    def _give_up_assembly(self, sentence: str) -> None:
        self._assembly_id = 0
        self.assembled.emit(AssemblyResult(False, finding=Finding("error", "", sentence)))

    # drags

    def start_drag(
        self,
        body: str,
        point: Triple,
        poses: tuple[tuple[float, ...], ...] = (),
        coordinates: tuple[float, ...] = (),
    ) -> None:
        """Take hold of a body of the document at a point [m, W], see
        protocol.solver_messages.StartDrag.  A drag before it is dropped.
        """
        self.end_drag(keep=False)
        self._drag_id = self.client.start_drag(
            self._document.project, body, point, poses, coordinates
        )

    def drag_to(self, target: Triple, view_direction: Triple) -> None:
        """Pull towards a target [m, W], seen along a unit vector; the last one counts."""
        if self._drag_id:
            self.client.drag_to(self._drag_id, target, view_direction)

    def end_drag(self, keep: bool = True) -> None:
        """End the drag under way; where it led is reported if it is to be kept."""
        if self._drag_id:
            self.client.end_drag(self._drag_id, keep)
            if not keep:
                self._drag_id = 0

    def _take_drag(self, news: Dragged | DragEnded) -> None:
        if news.id == self._drag_id:
            if isinstance(news, DragEnded):
                self._drag_id = 0
            self.dragged.emit(news)

    def _give_up_drag(self, sentence: str) -> None:
        if self._drag_id:
            self._take_drag(DragEnded(self._drag_id, finding=Finding("error", "", sentence)))

    # runs

    def simulate(self) -> None:
        """Run the document as it is now, from its design; a run under way is ended."""
        self.go_on(Recording(self._document.project, self._folder / "runs"))

    def go_on(self, recording: Recording) -> None:
        """Run the last part of a recording, from where it begins; a run under way is ended."""
        if self._run_id:
            self._end_run(tr("Another run was started."))
        self.recording = recording
        self._loss = ""
        self._start_run(self.recording)
        self._update_status()

    def _start_run(self, recording: Recording) -> None:
        try:
            refusal = recording.too_large()
            if not refusal:
                self._run_id, self._run_since = (
                    self.client.simulate(recording.parts[-1].drawing, self.fault),
                    time.monotonic(),
                )
                self.fault = ""
        except OSError as error:
            refusal = disk_sentence(error)
        if refusal:
            self._finish_recording(RunEnded(0, False, Finding("error", "", refusal)))

    def adopt(self, recording: Recording) -> None:
        """Take the finished recording of an earlier run as that of the last one."""
        if self._run_id:
            self._end_run(tr("Another run was chosen."))
        self.recording = recording
        recording.stale = not same_motion(recording.project, self._document.project)
        self._update_status()

    def cancel(self) -> None:
        """End the run under way and keep its recording so far."""
        if self._run_id:
            self._end_run("")
            self._update_status()

    def _end_run(self, reason: str) -> None:
        self.client.cancel()
        self._run_id = 0
        self.recording.finish(False, reason)  # type: ignore[union-attr]
        self.run_finished.emit()

    def stop_worker(self) -> None:
        """Kill the solver that does not answer; another one takes its place."""
        self.client.stop()
        self.poll()

    def keep_waiting(self) -> None:
        """Give the solver more time before it is reported as silent again."""
        self.client.keep_waiting()
        self._update_status()

    # news

    def poll(self) -> None:
        """Receive the reports of the solver, and send pending requests."""
        for event in self.client.poll():
            match event:
                case AnalysisCame():
                    self._take_analysis(event)
                case ClosedCame():
                    if event.id == self._analysis_id:
                        self.closed.emit(self._analysis_of, event.poses)
                case PoseCame():
                    self._take_pose(event)
                case AssemblyCame():
                    self._take_assembly(event)
                case Dragged() | DragEnded():
                    self._take_drag(event)
                case SamplesCame():
                    if self._keep(
                        event.id, lambda recording, rows=event.rows: recording.append(rows)
                    ):
                        self.recorded.emit()
                case StopImpacts():
                    if event.id == self._run_id and self.recording is not None:
                        self.recording.events += event.events
                case RunSlow():
                    if event.id == self._run_id and self.recording is not None:
                        self.recording.slow = event.sentence
                case ContactsCame():
                    self._keep(
                        event.id,
                        lambda recording, new=event.samples: recording.contacts.extend(new),
                    )
                case RunEnded():
                    self._finish_recording(event)
                case RequestFailed():
                    self._take_failure(event)
                case Lost():
                    self._take_loss(event)
        self._request_analysis()
        self._request_pose()
        self._update_status()

    def _take_analysis(self, event: AnalysisCame) -> None:
        if event.id != self._analysis_id:
            return
        self._analysis_id = 0
        if not self._analysis_requested:
            self.analysis = event.analysis
        self.closed.emit(self._analysis_of, event.analysis.poses)
        if not self._analysis_requested:
            self.analysed.emit()

    def _keep(self, id: int, keep: Callable[..., object]) -> bool:
        """Add something to the recording of the run with this id; True if it was kept.  Where the
        disk is full, the run ends and says so.
        """
        if id != self._run_id or self.recording is None:
            return False
        try:
            keep(self.recording)
        except OSError as error:
            self._end_run(
                tr(
                    "{disk_sentence} The run is kept up to {recording}.",
                    disk_sentence=disk_sentence(error),
                    recording=_at(self.recording),
                )
            )
            return False
        return True

    def _finish_recording(self, event: RunEnded) -> None:
        if event.id != self._run_id or self.recording is None:
            return
        self._run_id = 0
        reason = (
            "" if event.finding is None else f"{event.finding.message} {event.finding.cure}".strip()
        )
        self.recording.finish(event.complete, reason, event.statistics, event.finding)
        self.run_finished.emit()

    def _take_failure(self, event: RequestFailed) -> None:
        sentence = tr(
            "The solver met an error of its own ({error}); please report it with {log}.",
            error=event.error,
            log=event.log,
        )
        if event.id == self._run_id:
            self._finish_recording(RunEnded(event.id, False, Finding("error", "", sentence)))
        elif event.id == self._pose_id:
            self._give_up_pose(sentence)
        elif event.id == self._assembly_id:
            self._give_up_assembly(sentence)
        elif event.id == self._drag_id:
            self._give_up_drag(sentence)
        elif event.id == self._analysis_id:
            self._give_up_analysis(sentence, tr("Undo the last change, if it came with that."))

    def _give_up_analysis(self, message: str, cure: str) -> None:
        self._analysis_id = 0
        if not self._analysis_requested:
            self.analysis = Analysis(None, (Finding("error", "", message, cure),))
            self.analysed.emit()

    def _take_loss(self, event: Lost) -> None:
        what = (
            tr("The solver was stopped.")
            if event.stopped
            else tr("The solver stopped unexpectedly ({cause}).", cause=event.cause)
        )
        after = (
            tr("a new solver is ready.") if event.spare else tr("a new solver is being prepared.")
        )
        recording = self.recording
        was_running = self._run_id in event.requests and recording is not None
        if was_running and recording.count:  # type: ignore[union-attr]
            kept = _at(recording)  # type: ignore[arg-type]
            after = tr("The run is kept up to {time}; {after}", time=kept, after=after)
        self._loss, self._loss_until = (
            f"{what} {after[0].upper()}{after[1:]}",
            time.monotonic() + SHOWN,
        )
        if self._pose_id in event.requests:
            self._give_up_pose(tr("{what} The joint stays where it was.", what=what))
        if self._assembly_id in event.requests:
            self._give_up_assembly(tr("{what} The drawing is as it was.", what=what))
        self._give_up_drag(tr("{what} The mechanism is back where it was.", what=what))
        if self._analysis_id in event.requests:
            self._take_lost_analysis(event)
        if was_running:
            id, self._run_id = self._run_id, 0
            if event.stopped or event.at == id or self.client.trouble:
                recording.finish(False, self._loss)  # type: ignore[union-attr]
                self.run_finished.emit()
            else:
                # the solver died before it came to this run
                self._start_run(recording)  # type: ignore[arg-type]

    def _take_lost_analysis(self, event: Lost) -> None:
        """An analysis lost with the solver is requested again, unless it was the one that the
        solver fell over.
        """
        guilty = event.at == self._analysis_id
        self._analysis_tries += guilty
        if guilty and (event.stopped or self._analysis_tries >= TRIES):
            how = tr("was stopped over it") if event.stopped else tr("fell over it twice")
            self._give_up_analysis(
                tr("The solver could not read this drawing: it {how}.", how=how),
                tr("Undo the last change; the next one is read again."),
            )
        else:
            self._analysis_id, self._analysis_requested = 0, True

    # status

    def _update_status(self) -> None:
        status = self._status()
        if status != self.status:
            self.status = status
            self.status_changed.emit()

    def _status(self) -> WorkerStatus:
        solver, recording = self.client, self.recording
        if solver.trouble:
            return WorkerStatus("lost", 0.0, solver.trouble)
        running, progress = False, 0.0
        if self._run_id and recording is not None:
            # in twentieths: every change of the status is shown
            running, progress = (
                True,
                round(20 * min(recording.length / (recording.duration or 1.0), 1.0)) / 20,
            )
        if solver.is_silent:
            if (
                running
                and recording is not None
                and not recording.count
                and recording.project.mechanism.contacts.enabled
                and time.monotonic() - self._run_since < COMPILES
            ):  # type: ignore[union-attr]
                return WorkerStatus("running", 0.0, tr(COMPILING))
            return WorkerStatus("silent", progress, tr(SILENT))
        if self._loss and time.monotonic() < self._loss_until:
            return WorkerStatus("lost", 0.0, self._loss)
        if not solver.is_ready:
            return WorkerStatus("preparing", round(solver.progress, 2), self._preparing())
        if running and solver.contacts_progress < 1.0:
            return WorkerStatus(
                "preparing",
                round(solver.contacts_progress, 2),
                tr(
                    "Preparing contacts, first run only, {contacts_progress:.0f} %",
                    contacts_progress=100 * solver.contacts_progress,
                ),
            )
        if running:
            return WorkerStatus("running", progress, recording.slow)  # type: ignore[union-attr]
        if self._analysis_id and self.analysis is None:
            return WorkerStatus("analysing")
        return WorkerStatus(
            "ready", 1.0, recording.reason if recording is not None and not recording.stale else ""
        )

    def _preparing(self) -> str:
        if not self.client.is_cold:
            return tr("Starting the solver")
        return tr(
            "Preparing the solver, first run only, {progress:.0f} %",
            progress=100 * self.client.progress,
        )

    def close(self) -> None:
        """End the solver and give the recording's file back."""
        self._document.changed.disconnect(self._document_changed)
        self._run_id = self._analysis_id = self._pose_id = self._assembly_id = self._drag_id = 0
        self.client.close()
        if self.recording is not None:
            self.recording.close()


def _at(recording: Recording) -> str:
    return localised(f"t = {recording.end:.2f} s")
