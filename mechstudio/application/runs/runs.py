"""Runs: the recording of the drawing, the time cursor in it, and kept runs to compare it with."""

from collections.abc import Callable
from typing import Protocol

import msgspec
import numpy as np

from mechstudio.application.document import Document
from mechstudio.application.motion_comparison import same_motion
from mechstudio.application.notifications import OF_A_RUN, OF_THE_DOCUMENT, Message, Notifications
from mechstudio.application.preferences import Preferences
from mechstudio.application.runs.kept_runs import BUDGET, KeptRun, KeptRuns, changes
from mechstudio.application.runs.playback import Playback
from mechstudio.application.runs.recording import Recording
from mechstudio.application.runs.run_parts import acts_at_once, changed_at
from mechstudio.application.signal import Signal
from mechstudio.model.findings import Finding
from mechstudio.model.project import Project
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.events import StopEvent
from mechstudio.translation import localised, tr

replace = msgspec.structs.replace
FLASH = 0.15  # s of the user's time for which a stop that was struck is marked


class Solver(Protocol):
    """Session with the worker, as far as runs use it."""

    analysis: Analysis | None
    recording: Recording | None
    recorded: Signal
    run_finished: Signal
    status_changed: Signal

    @property
    def is_running(self) -> bool: ...

    def simulate(self) -> None: ...

    def cancel(self) -> None: ...

    def adopt(self, recording: Recording) -> None: ...

    def go_on(self, recording: Recording) -> None: ...


class Runs:
    """Runs of the drawing.

    playback: the time cursor.  kept: runs to compare with.  recorded(): news of the run under way.
    starting(): a run is about to be requested.
    """

    def __init__(
        self, document: Document, notifications: Notifications, preferences: Preferences
    ) -> None:
        self.recorded, self.starting = Signal(), Signal()
        self.playback, self.kept = Playback(), KeptRuns()
        self._document, self._notifications = document, notifications
        self._preferences = preferences
        self._session: Solver | None = None
        self._play_when_ready = False
        self._compared: tuple[Recording | None, Project | None, bool] = (None, None, False)
        self._edits: list[str] = []  # labels of the edits since the last run
        # True until a run that was made again has come to the time cursor, and the poses meanwhile
        self._holding, self._held = False, None
        # the run of another drawing that was requested, its words, and the recording before it
        self._beside: tuple[Recording, str, Recording | None] | None = None
        self._editing = False  # True within the edit that the run is made again for
        self.kept.dropped.connect(self._say_dropped)

    def attach(self, session: Solver) -> None:
        """Connect the solver, and send it the run that was requested earlier."""
        self._session = session
        session.recorded.connect(self._recorded)
        session.run_finished.connect(self._run_finished)
        session.status_changed.connect(self._status_changed)

    def take_over(self, other: "Runs") -> None:
        """Continue with the last recording and the time cursor of closed runs; a run that was under
        way begins again.  Called when the solver is ready.
        """
        last, before = other.last, other.playback
        self._edits = list(other._edits)
        self.playback.repeat, self.playback.speed = before.repeat, before.speed
        if last is None:
            return
        if last.finished:
            # also one of another drawing, to which an undo comes back
            self.show_again(last)
            if self.recording is last:
                self.playback.section = before.section
                self.playback.seek(before.time)
        elif other.recording is last:
            self.simulate()
        if before.playing and self.recording is not None:
            self.playback.play()

    def begin(self) -> None:
        """Start the run that was requested before the solver was there."""
        if self._play_when_ready and self._session is not None:
            self._play_when_ready = False
            self._session.simulate()

    @property
    def last(self) -> Recording | None:
        """The recording of the last run, of whatever drawing; None before the first.  While another
        drawing is run beside, the one before stays.
        """
        if self._session is None:
            return None
        last = self._session.recording
        if self._beside is not None and last is self._beside[0]:
            return self._beside[2]
        return last

    @property
    def recording(self) -> Recording | None:
        """The recording of the drawing as it is now; None if there is none or it belongs to an
        older drawing.
        """
        recording = self.last
        if recording is None:
            return None
        # read at every tick, and comparing two drawings is slow
        if self._compared[0] is not recording or self._compared[1] is not self._document.project:
            self._compared = (
                recording,
                self._document.project,
                same_motion(recording.project, self._document.project),
            )
        return recording if self._compared[2] else None

    @property
    def sample(self) -> np.ndarray | None:
        """The sample at the time cursor (layout.width,); None without a recording."""
        recording = self.recording
        return (
            recording.sample(self.playback.time)
            if recording is not None and recording.count
            else None
        )

    @property
    def other_loads(self) -> str:
        """Sentence where the time cursor stands before a change that was made while the run went
        on, so that the drawing has other loads than there; "" elsewhere.
        """
        recording = self.recording
        if recording is None or self.playback.time >= recording.parts[-1].begin:
            return ""
        return tr(
            "The loads were others here: numbers of the equations are those of the drawing as it "
            "is from {time} on.",
            time=localised(f"{recording.parts[-1].begin:.4g} s"),
        )

    @property
    def poses(self) -> np.ndarray | None:
        """Poses (n, 7) of the bodies at the time cursor; None without a recording."""
        if self._holding:
            return self._held
        sample, recording = self.sample, self.recording
        return (
            None
            if sample is None or recording is None
            else sample[recording.layout.poses].reshape(-1, 7)
        )

    @property
    def impacted(self) -> frozenset[str]:
        """Joints that struck a stop just before the time cursor."""
        recording = self.recording
        if recording is None or not recording.events:
            return frozenset()
        now, lasts = self.playback.time, FLASH * max(self.playback.speed, 0.1)
        return frozenset(
            e.joint
            for e in recording.events
            if isinstance(e, StopEvent) and now - lasts <= e.time <= now
        )

    @property
    def is_running(self) -> bool:
        return self._session is not None and self._session.is_running

    # running

    @property
    def present(self) -> KeptRun | None:
        """The run of the drawing as it is now, in the list of runs."""
        return self.kept.of(self.recording)

    @property
    def beside(self) -> list[KeptRun]:
        """Runs whose curves are shown beside those of the present one: ticked ones, else the one
        before.
        """
        recording = self.recording
        before = self.kept.before(recording, self._document.movement)
        return self.kept.beside(recording) or ([before] if before is not None else [])

    def first_shown(self) -> float:
        """The first instant of the present run and of those beside it [s]: one that was continued
        begins where the other was.
        """
        return min([self.playback.begin, *(run.recording.begin for run in self.beside)])

    def go_back_to(self, run: KeptRun) -> None:
        """Make the drawing of a run the present one, with its recording."""
        now = self._document.project
        drawing = replace(run.project, plots=now.plots, lesson=now.lesson, steps=now.steps)
        if self._session is not None:
            self._session.adopt(run.recording)
        self._document.commit(tr("Back to {title}", title=run.title), drawing)
        self._compared = (None, None, False)
        self._recorded()

    def show_again(self, recording: Recording) -> None:
        """Show a recording of the drawing as it is now that was shown before."""
        if self._session is not None and self.last is not recording:
            if self.is_running:
                self.stop()
            self._session.adopt(recording)
            self._compared = (None, None, False)
            self._recorded()

    def play(self) -> None:
        """Play or pause; simulates first where there is no recording of this drawing."""
        if self.playback.playing:
            self.playback.pause()
            return
        recording = self.recording
        if recording is None:
            recording = self.find_known()
        if recording is None or (recording.finished and not recording.count):
            self.simulate()
        if self.recording is not None or self._error is None:
            self.playback.play()

    def find_known(self) -> Recording | None:
        """Take the recording of a kept run of the drawing as it is now, which need not be run
        again; None where there is none.
        """
        known = self.kept.like(self._document.project)
        if known is None or self._session is None:
            return None
        self._session.adopt(known.recording)
        self._compared = (None, None, False)
        self._recorded()
        return known.recording

    def simulate(self) -> None:
        """Run the drawing from its design, whatever was recorded."""
        self._holding = False
        self._simulate()

    def _simulate(self) -> None:
        self.starting.emit()
        error = self._error
        if error is not None:
            text = f"{error.said(self._preferences.units)} {error.cure}".strip()
            self._notifications.say(Message("error", text, "run"))
            self._holding = False
            return
        self._notifications.leave(OF_THE_DOCUMENT)
        if not self._holding:
            self.playback.to_design()
        if self._session is None:
            self._play_when_ready = True
        else:
            self._session.simulate()
        self._update_range()

    def edit_and_run(self, edit: Callable[[], object]) -> None:
        """Do an edit and run the drawing again.  The time cursor stays where it is, and the poses
        that it shows, until the new run has come so far; playing goes on.

        What acts at once, as a stiffness or the speed of a motor does, acts in the run from the
        time cursor on; another edit begins the run again.
        """
        before, recording, time = self._document.project, self.recording, self.playback.time
        self._held = self.poses
        self._holding = self._editing = self._session is not None and self._held is not None
        try:
            edit()
        finally:
            self._editing = False
        if self.recording is None:
            changed = None if recording is None else self._changed(recording, before, time)
            if changed is None or self._session is None:
                self._simulate()
            else:
                self._session.go_on(changed)
                self._compared = (None, None, False)
        self._update_range()

    @property
    def drawing(self) -> Project:
        """The project as it is drawn now."""
        return self._document.project

    def act(self, loaded: Project, words: str) -> bool:
        """Let the run go on from the time cursor with the loads of a project that differs from the
        drawing in loads alone; the drawing stays.  words: of the change, for its tick.

        The poses that are shown stay until the run has come so far.  False where it cannot.
        """
        recording, session = self.recording, self._session
        if recording is None or session is None or not recording.count or self._error is not None:
            return False
        try:
            changed = changed_at(recording, loaded, self.playback.time, words, self.drawing)
        except OSError:
            return False  # the disk is full, which the run from the start reports
        if changed is None:
            return False
        self._held = self.poses
        self._holding = self._held is not None
        session.go_on(changed)
        self._compared = (None, None, False)
        self._update_range()
        return True

    def _changed(self, recording: Recording, before: Project, time: float) -> Recording | None:
        """The recording that goes on with the drawing as it is now from a time [s] of another one;
        None where the change has to act from the start.
        """
        now = self._document.project
        if not recording.count or not acts_at_once(before, now) or self._error is not None:
            return None
        try:
            return changed_at(recording, now, time, changes(before, now, (self._document.label,)))
        except OSError:
            return None  # the disk is full, which the run from the start reports

    def stop(self) -> None:
        """End the run under way."""
        if self._session is not None:
            self._session.cancel()

    @property
    def _findings(self) -> tuple[Finding, ...]:
        analysis = None if self._session is None else self._session.analysis
        return () if analysis is None else analysis.findings

    @property
    def _error(self) -> Finding | None:
        return next((f for f in self._findings if f.severity == "error"), None)

    def document_changed(self, old: Project, new: Project) -> None:
        """End what was recorded of another motion."""
        if not same_motion(old, new):
            self._edits.append(self._document.label)
            if self.is_running:
                self.stop()
            # another edit, such as undo, ends the wait for the run that it makes outdated
            self._holding = self._holding and self._editing
            if not self._holding:
                self.playback.to_design()
            self._update_range()
            for key in OF_A_RUN:
                self._notifications.withdraw(key)
            # an undo comes back to the drawing of the last run
            if self.recording is not None and self.recording.finished:
                self._say_end(self.recording)

    def _update_range(self) -> None:
        settings, recording = self._document.project.settings, self.recording
        if self._holding:
            has_come = recording is not None and (
                recording.finished
                or (recording.has_come_on and recording.end >= self.playback.time)
            )
            if has_come:
                self._holding, self._held = False, None
            elif recording is None or not recording.is_changed:
                return
        if recording is None or not recording.count:
            begin = self._document.project.mechanism.start.value
            self.playback.set_range(
                begin, settings.duration.value, False, settings.sample_step.value, begin
            )
        else:
            self.playback.set_range(
                recording.end,
                recording.duration,
                recording.finished,
                settings.sample_step.value,
                recording.begin,
            )

    # news of the solver

    def _recorded(self) -> None:
        self._update_range()
        self.recorded.emit()

    def simulate_beside(self, drawing: Project, words: str) -> None:
        """Run another drawing, and keep its run, ticked, beside those of this one.  words: its note
        in the list of runs.
        """
        known = self.kept.like(drawing)
        if known is not None:
            self.kept.compare(((known.recording, known.note),))
            return
        if self._session is None or self.is_running:
            text = tr("Wait until the run that goes on has ended, then compare again.")
            self._notifications.say(Message("info", text, "run"))
            return
        self._beside = (Recording(drawing), words, self.last)
        self._session.go_on(self._beside[0])
        self._recorded()

    def _beside_finished(self) -> bool:
        """Keep the run of another drawing that has just ended, and go back to the one before."""
        if self._beside is None or self._session is None:
            return False
        (recording, words, before), self._beside = self._beside, None
        if self._session.recording is not recording:
            return False
        if recording.count > 1:
            self.kept.compare(((recording, words),))
        if before is not None:
            self._session.adopt(before)
        if self.recording is None:
            self.simulate()  # both motions are requested
        if recording.reason:
            text = tr("{words} ended early: {reason}", words=words, reason=recording.reason)
            self._notifications.say(Message("warning", text, "beside"))
        return True

    def _run_finished(self) -> None:
        if self._beside_finished():
            self._recorded()
            return
        recording = self.last
        if recording is not None and self.recording is recording:
            if recording.count > 1:
                self.kept.keep(recording, self._edits, self._document.movement)
                self._edits = []
            self._say_end(recording)
        self._recorded()

    def _say_dropped(self, run: KeptRun) -> None:
        """Say that a run had to go."""
        self._notifications.say(
            Message(
                "info",
                tr(
                    "{title} was forgotten, since the kept runs take more than {budget:.2g} GB. "
                    "Pin the runs that must stay.",
                    title=run.title,
                    budget=BUDGET / 1e9,
                ),
                "kept",
            )
        )

    def _say_end(self, recording: Recording) -> None:
        """Report why a run ended early, and its notes."""
        say = self._notifications.say
        if recording.finding is not None:
            kept = (
                tr(" The run is kept up to {end:.3g} s.", end=recording.end)
                if recording.count > 1
                else ""
            )
            kind = "warning" if recording.count > 1 else "error"
            say(Message(kind, recording.reason + kept, "run"))
            if recording.count <= 1:
                self.playback.pause()
        elif recording.unsolved:
            say(Message("warning", recording.unsolved, "run"))
        # findings that the Doctor shows are not reported again
        reported = {f"{f.message} {f.cure}".strip() for f in self._findings}
        if notes := " ".join(n for n in recording.notes if n not in reported):
            say(Message("info", notes, "notes"))

    def _status_changed(self) -> None:
        """Say that a run hardly gets on, while it does."""
        recording = self.last
        words = recording.slow if recording is not None and not recording.finished else ""
        known = [m.text for m in self._notifications.messages if m.key == "slow"]
        if words and known != [words]:
            buttons = ((tr("Stop"), self.stop),)
            self._notifications.say(Message("warning", words, "slow", buttons))
        elif not words:
            self._notifications.withdraw("slow")
        self._update_range()
