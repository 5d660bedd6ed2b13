"""One open document with all that lives beside it: selection, session with the worker, playback,
preferences, messages to the user.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from mechstudio.application.actions.conditions import Conditions
from mechstudio.application.actions.edit import Arranging
from mechstudio.application.actions.file import Filing
from mechstudio.application.actions.insert import Insertions
from mechstudio.application.actions.parameters import Parameters
from mechstudio.application.actions.pictures import Pictures
from mechstudio.application.actions.redundancies import Keeping
from mechstudio.application.contact_display import Touching
from mechstudio.application.cutting_free import CuttingFree
from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.files.opening import Opening
from mechstudio.application.files.recovery import Safekeeping
from mechstudio.application.free_body import FreeBodyView
from mechstudio.application.free_motion import Look, Wiggle
from mechstudio.application.motion import same_motion
from mechstudio.application.notifications import OF_THE_DOCUMENT, Message, Messages
from mechstudio.application.preferences import Preferences
from mechstudio.application.questions.analyses import Measuring
from mechstudio.application.questions.assembly import Assembling
from mechstudio.application.questions.branches import BranchSearch
from mechstudio.application.questions.exports import Exports
from mechstudio.application.questions.measured_curves import MeasuredCurves
from mechstudio.application.questions.point_drag import Pulling
from mechstudio.application.questions.pose import Posing
from mechstudio.application.runs.playback import Playback
from mechstudio.application.runs.reference_runs import KeptRuns
from mechstudio.application.selection import Selection
from mechstudio.application.signal import Signal
from mechstudio.application.tools.bench import ToolBench
from mechstudio.application.wiggling import Wiggling
from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.edits.parameters import uses
from mechstudio.model.findings import Finding
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.project import Camera, Project
from mechstudio.model.results.analysis import Analysis, Cure
from mechstudio.model.results.events import StopEvent

FLASH = 0.15  # s of the user's time for which a stop that was struck is marked


class Studio(
    Arranging,
    Assembling,
    Conditions,
    CuttingFree,
    Filing,
    Insertions,
    Keeping,
    Messages,
    Parameters,
    Pictures,
    Posing,
    Touching,
    Wiggling,
):
    """State that the window shows and that its actions change; it knows no widget.

    opened(): another document, camera_wanted holding its camera.  analysed(), recorded(),
    solver_changed(): news of the session.
    stopped(joint, coordinate, wanted, reached): a coordinate that is set came only so far [rad or
    m].  messages_changed(): the list `messages` is another.  wiggled(): a free motion is being
    shown, or has been.  touch_chosen(): the equations are about another contact.
    """

    def __init__(self, preferences: Preferences) -> None:
        (
            self.opened,
            self.analysed,
            self.recorded,
            self.solver_changed,
            self.wiggled,
            self.stopped,
            self.touch_chosen,
        ) = (Signal() for _ in range(7))
        self.preferences = preferences
        self.document, self.selection, self.playback = Document(), Selection(self.known), Playback()
        self.display = Display(self)
        # before anything else hears of a change: nobody is to ask for an element that is not there
        # any more
        self.document.changed.connect(lambda old, new: self.selection.forget_gone())
        self.branches, self.measuring, self.opening = (
            BranchSearch(self.document),
            Measuring(self.document),
            Opening(self),
        )
        self.measured, self.kept_runs = MeasuredCurves(self.document), KeptRuns()
        self.free_body = FreeBodyView(self.document)
        self.bench = ToolBench(self.display, self.selection)
        self.pulling = self.bench.context.pulling = Pulling(self)
        self.session: Any = None
        self.safekeeping = Safekeeping(
            self.document, lambda *parts: self.say(Message(*parts)), self.withdraw, preferences.kept
        )
        self.start_messages()
        self.exports = Exports(self.document, self.say, self.withdraw)
        self.start_assembling()
        self.camera_wanted: Camera | None = None
        self.camera_now: Callable[[], Camera | None] = lambda: None
        self.wiggle: Wiggle | Look | None = None
        self._play_when_ready = False
        self._compared: tuple[Any, Project | None, bool] = (None, None, False)
        self.document.changed.connect(self._document_changed)

    def cancel_export(self) -> None:
        """End the export under way."""
        self.exports.cancel()

    # the session with the worker

    def attach(self, session: Any) -> None:
        """Connect the session; called once, when the worker may start."""
        self.session = session
        session.analysed.connect(self._analysed)
        session.recorded.connect(self._recorded)
        session.run_finished.connect(self._run_finished)
        session.status_changed.connect(self._status_changed)
        session.posed.connect(self.take_pose)
        session.assembling.connect(self.assembling_goes_on)
        session.assembled.connect(self.take_assembly)
        session.pulled.connect(self.pulling.take)
        session.closed.connect(self.display.take)
        if self._play_when_ready:
            self._play_when_ready = False
            session.simulate()
        self.solver_changed.emit()

    def close(self, keep_unsaved: bool = False) -> None:
        """End the worker; a clean end leaves no journal behind, unless unsaved work shall come
        back.
        """
        self.safekeeping.close(keep_unsaved)
        self.branches.close()
        self.exports.close()
        self.measuring.close()
        self.measured.close()
        self.free_body.close()
        if self.session is not None:
            self.session.close()

    def tick(self, seconds: float) -> None:
        """Let real time pass [s]: news from the worker, then the time cursor."""
        if self.session is not None:
            self.session.poll()
        self.display.poll()
        self.opening.poll()
        self.safekeeping.poll()
        self.branches.poll()
        self.exports.poll()
        self.measuring.poll()
        self.measured.poll(self.recording)
        self.poll_free_body()
        self.playback.advance(seconds)
        self.go_on_wiggling(seconds)

    @property
    def analysis(self) -> Analysis | None:
        """Analysis of the drawing as it is now; None while unknown."""
        return None if self.session is None else self.session.analysis

    @property
    def findings(self) -> tuple[Finding, ...]:
        return () if self.analysis is None else self.analysis.findings

    @property
    def recording(self) -> Any:
        """The recording of the drawing as it is now; None if there is none or it belongs to an
        older drawing.
        """
        recording = None if self.session is None else self.session.recording
        if recording is None:
            return None
        # asked at every tick, and comparing two drawings takes its time
        if self._compared[0] is not recording or self._compared[1] is not self.document.project:
            self._compared = (
                recording,
                self.document.project,
                same_motion(recording.project, self.document.project),
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
    def poses(self) -> np.ndarray | None:
        """Body poses (n, 7) in W as they are shown [m, unit quaternion]; None means as drawn."""
        return self.display.poses

    def change_claims(self, text: str, number: int = -1) -> None:
        """Add an equation that the derived ones are compared with, or drop the one of a number."""
        project = self.document.project
        claims = (
            (*project.lesson.claims, text)
            if number < 0
            else project.lesson.claims[:number] + project.lesson.claims[number + 1 :]
        )
        words = "Compare an equation" if number < 0 else "Compare an equation no more"
        self.document.commit(
            words,
            msgspec.structs.replace(
                project, lesson=msgspec.structs.replace(project.lesson, claims=claims)
            ),
        )

    @property
    def struck(self) -> frozenset[str]:
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
    def units(self) -> str:
        """The unit system in which numbers are shown and bare numbers are read: a key of
        units.SYSTEMS.
        """
        return self.preferences.stored.units

    # reading

    def name(self, id: str) -> str:
        """The user's name of an element."""
        if id in (fields.SETTINGS, fields.GRAVITY, fields.CONTACTS):
            return id
        return fields.find(self.document.project, id).name if id else ""

    def known(self) -> set[str]:
        """Ids of everything that can be selected."""
        return {id for id, _ in fields.elements(self.document.project)}

    # the document

    def undo(self) -> None:
        self.withdraw("delete")
        self.document.undo()

    def redo(self) -> None:
        self.document.redo()

    def go_to(self, step: int) -> None:
        """To a state of the history by its index."""
        self.withdraw("delete")
        self.document.go_to(step)

    def delete(self, verb: str = "Delete") -> None:
        """Remove the selected elements and what stands on them, which is named."""
        before = project = self.document.project
        names: list[str] = []
        used = {
            id: len(uses(project, id)) for id in self.selection.selected if id in project.parameters
        }
        for id in self.selection.selected:
            m = project.mechanism
            if any(
                id in section
                for section in (
                    m.bodies,
                    m.joints,
                    m.couplings,
                    m.drives,
                    m.forces,
                    project.pictures,
                    project.parameters,
                )
            ):
                names.append(fields.find(project, id).name)
                project = elements.remove(project, id)
            elif id == fields.CONTACTS and m.contacts.floor is not None:
                names.append("floor")
                project = elements.remove(project, id)
        if not names:
            return
        kept = {id for id, _ in fields.elements(project)}
        also = [
            element.name
            for id, element in fields.elements(before)
            if id not in kept and id not in self.selection.selected and id not in before.parameters
        ]
        with_them = f" with {', '.join(also)}" if also else ""
        self.display.keep(f"{verb} {', '.join(names)}{with_them}", project)
        for name, count in used.items():
            self.tell_removed(name, count)
        if also:
            self.say(
                Message(
                    "info",
                    f"{', '.join(names)} was deleted{with_them}, which stood on it.",
                    "delete",
                    (("Undo", "undo"),),
                )
            )

    def apply_cure(self, cure: Cure) -> None:
        """Take a redundancy away as the Doctor proposes it; one step to undo."""
        try:
            project = elements.apply_cure(self.display.project, cure)
        except (KeyError, ExpressionError) as error:
            self.say(Message("warning", str(error.args[0]), "cure"))
            return
        self.withdraw("cure")
        self.display.commit(cure.words.split(":")[0], project)

    def set_parameter(self, name: str, text: str, label: str) -> bool:
        """Give a parameter another value from its slider; a run that was shown is made again.
        False, with a message, if it cannot be.
        """
        try:
            project = elements.set_quantity(self.document.project, name, ("value",), text)
        except ExpressionError as error:
            self.say(Message("warning", f"{name} = {text}: {error}", "parameter"))
            return False
        self.withdraw("parameter")
        shown, playing = self.recording is not None, self.playback.playing
        self.document.commit(label, project)
        if shown and self.recording is None:
            self.simulate()
            if playing:
                self.playback.play()
        return True

    def _document_changed(self, old: Project, new: Project) -> None:
        if new.mechanism is not old.mechanism:
            self.wiggle = None
            self.leave_assembly()
        if not same_motion(old, new):
            if self.is_running:
                self.session.cancel()
            self.playback.to_design()
            self._update_range()

    # running

    def keep_run(self) -> None:
        """Keep the last run, whatever was changed since, to lie under the curves of later ones."""
        if self.can_keep_run:
            self.kept_runs.keep(self.session.recording)

    def play(self) -> None:
        """Play or pause; simulates first where there is no recording of this drawing."""
        if self.playback.playing:
            self.playback.pause()
            return
        recording = self.recording
        if recording is None or (recording.finished and not recording.count):
            self.simulate()
        if self.recording is not None or not self._has_error():
            self.playback.play()

    def simulate(self) -> None:
        """Run the drawing from its design, whatever was recorded."""
        self.bench.rest()
        error = next((f for f in self.findings if f.severity == "error"), None)
        if error is not None:
            self.say(Message("error", f"{error.said(self.units)} {error.cure}".strip(), "run"))
            return
        self.leave_messages(OF_THE_DOCUMENT)
        self.playback.to_design()
        if self.session is None:
            self._play_when_ready = True
        else:
            self.session.simulate()
        self._update_range()

    def _has_error(self) -> bool:
        return any(f.severity == "error" for f in self.findings)

    def stop(self) -> None:
        self.session.cancel()

    def stop_worker(self) -> None:
        self.session.stop_worker()

    def keep_waiting(self) -> None:
        self.session.keep_waiting()

    def _update_range(self) -> None:
        settings, recording = self.document.project.settings, self.recording
        if recording is None or not recording.count:
            self.playback.set_range(0.0, settings.duration.value, False, settings.sample_step.value)
        else:
            self.playback.set_range(
                float(recording.time[-1]),
                recording.duration,
                recording.finished,
                settings.sample_step.value,
            )

    def _analysed(self) -> None:
        self.tell_open()
        self.analysed.emit()

    def _run_finished(self) -> None:
        recording = self.session.recording
        if recording.finding is not None and self.recording is recording:
            kept = f" The run is kept up to {recording.end:.3g} s." if recording.count > 1 else ""
            self.say(
                Message(
                    "warning" if recording.count > 1 else "error", recording.reason + kept, "run"
                )
            )
            if recording.count <= 1:
                self.playback.pause()
        elif self.recording is recording and recording.unsolved:
            self.say(Message("warning", recording.unsolved, "run"))
        # what the Doctor tells of the drawing is not told again
        told = {f"{f.message} {f.cure}".strip() for f in self.findings}
        if self.recording is recording and (
            notes := " ".join(n for n in recording.notes if n not in told)
        ):
            self.say(Message("info", notes, "notes"))
        self._recorded()

    def _recorded(self) -> None:
        self._update_range()
        self.recorded.emit()

    def _status_changed(self) -> None:
        status = self.session.status
        if status.phase == "silent":
            self.say(
                Message(
                    "warning",
                    status.sentence or "The solver is not answering: wait or stop.",
                    "solver",
                    (("Wait", "keep_waiting"), ("Stop", "stop_worker")),
                )
            )
        elif status.phase == "lost":
            self.say(Message("warning", status.sentence, "solver"))
        else:
            self._withdraw_silent()
        self._tell_slow()
        self._update_range()
        self.solver_changed.emit()

    def _tell_slow(self) -> None:
        """That a run hardly gets on, while it does."""
        recording = self.session.recording
        words = recording.slow if recording is not None and not recording.finished else ""
        known = [m.text for m in self.messages if m.key == "slow"]
        if words and known != [words]:
            self.say(Message("warning", words, "slow", (("Stop", "stop"),)))
        elif not words:
            self.withdraw("slow")

    def _withdraw_silent(self) -> None:
        # the news that a solver was lost stays until it is read; that it does not answer is over
        # when it does
        self.messages, old = (
            [m for m in self.messages if not (m.key == "solver" and m.buttons)],
            self.messages,
        )
        if len(old) != len(self.messages):
            self.messages_changed.emit()
