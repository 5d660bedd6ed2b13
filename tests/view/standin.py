"""A session without a worker: the same signals and attributes as application/questions/solver.py,
with motions in closed form.

It keeps the tests of the window quick; tests/view/window/test_whole_path.py drives the window with
the real worker.
"""

import math
from pathlib import Path

import numpy as np

from mechstudio.application.runs.contact_log import ContactLog
from mechstudio.application.runs.recording import RunPart, Steps
from mechstudio.application.signal import Signal
from mechstudio.model.findings import Finding
from mechstudio.model.results.analysis import Analysis, Structure
from mechstudio.model.results.channels import channels
from mechstudio.model.results.sample import sample_layout
from mechstudio.protocol.solver_messages import DragEnded

NOTE = Finding(
    "info", "C", "Pin C also prevents rotation about X.", "Make C spherical: hyperstatic 3 to 1."
)
BLOCK = 130  # samples that come in one tick: each is painted, and most tests wait for the last


class Status:
    def __init__(self, phase="ready", progress=1.0, sentence=""):
        self.phase, self.progress, self.sentence = phase, progress, sentence


class Statistics:
    rate = 6.3


class Recording:
    """Bodies stand as drawn, every joint coordinate is sin 2t, kinetic energy 1 + sin 4t J, |C|
    1e-12 m.
    """

    def __init__(self, project):
        self.project, self.layout = project, sample_layout(project.mechanism)
        self.channels = channels(project.mechanism, self.layout)
        self.duration, step = project.settings.duration.value, project.settings.sample_step.value
        self.complete = self.finished = False
        self.statistics, self.finding, self.reason, self.count, self.events = None, None, "", 0, []
        self.contacts = ContactLog(Path, math.inf)
        self.ended_by = None
        self.unsolved, self.overlap_share, self.slow, self.notes = "", 0.0, "", ()
        time = np.arange(math.floor(self.duration / step + 1e-6) + 1) * step
        rows = np.zeros((len(time), self.layout.width))
        rows[:, 0] = time
        for body in project.mechanism.bodies.values():
            position, quaternion = body.placement.pose
            rows[:, self.layout.pose(body.id)] = (*position, *quaternion)
        rows[:, self.layout.velocities] = 0.25
        rows[:, self.layout.coordinates] = np.sin(2 * time)[:, None]
        rows[:, self.layout.energy] = np.stack(
            [1 + np.sin(4 * time), 1 - np.sin(4 * time), 0 * time, 1e-6 * np.sin(time)], 1
        )
        rows[:, self.layout.constraint] = (1e-12, 2e-12, 1e-12)
        self._all = rows

    @property
    def rows(self):
        return self._all[: self.count]

    @property
    def peaks(self):
        return np.abs(self.rows).max(axis=0, initial=0.0)

    @property
    def time(self):
        return self.rows[:, 0]

    @property
    def end(self):
        return float(self.time[-1])

    is_changed, drawings, loads = False, (), ()

    @property
    def has_come_on(self):
        return self.count > 0

    @property
    def parts(self):
        return (RunPart(self.begin, self.project),)

    @property
    def steps(self):
        return Steps(self.begin, self.end, self.rows)

    @property
    def begin(self):
        return float(self._all[0, 0])

    @property
    def length(self):
        return self.end - self.begin

    @property
    def size(self):
        return self.rows.nbytes

    def leave_memory(self):
        """All of it stays in memory."""

    def grow(self):
        self.count = min(self.count + BLOCK, len(self._all))
        if self.count == len(self._all):
            self.complete, self.finished, self.statistics = True, True, Statistics()

    def index(self, t):
        return min(max(math.floor(t / self._all[1, 0] + 1e-9), 0), self.count - 1)

    def sample(self, t):
        step = self._all[1, 0]
        return self._all[min(max(round(t / step), 0), self.count - 1)]


class StandinSession:
    interval = 16

    def __init__(self, document):
        self.document = document
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
        self.analysis, self.recording, self.status = None, None, Status()
        self.calls = []
        self._seen = None
        self._released = False

    @property
    def is_running(self):
        return self.recording is not None and not self.recording.finished

    def reset(self):
        """As just started."""
        self.analysis, self.recording, self._seen = None, None, None
        self.calls.clear()
        self.set_status()

    def set_status(self, *values):
        self.status = Status(*values)
        self.status_changed.emit()

    def simulate(self):
        self.calls.append("simulate")
        self.recording = Recording(self.document.project)
        self.set_status("running")

    def go_on(self, recording):
        self.calls.append("go on")
        self.recording = Recording(self.document.project)
        self.set_status("running")

    def pose(self, joint, coordinate, value, released=""):
        self.calls.append(("pose", joint, coordinate, value))

    def assemble(self, keep=()):
        self.calls.append(("assemble", keep))

    def cancel_assembly(self):
        self.calls.append("cancel_assembly")

    def start_drag(self, body, point, poses=(), coordinates=()):
        self.calls.append(("start_drag", body))

    def drag_to(self, target, view_direction):
        self.calls.append("drag_to")

    def end_drag(self, keep=True):
        """The mechanism has not moved."""
        self.calls.append(("end_drag", keep))
        self._released = keep

    def adopt(self, recording):
        self.calls.append("adopt")
        self.recording = recording
        self.set_status("ready")

    def cancel(self):
        self.calls.append("cancel")
        self.recording.finished = True
        self.set_status("ready")

    def stop_worker(self):
        self.calls.append("stop_worker")

    def keep_waiting(self):
        self.calls.append("keep_waiting")
        self.set_status("running")

    def poll(self):
        if self._released:
            self._released = False
            self.dragged.emit(DragEnded(0))
        if self._seen is not self.document.project:
            self._seen = self.document.project
            m = self._seen.mechanism
            structure = Structure(
                len(m.bodies), len(m.joints), 1, 1, 1, 3, 1, "closed", -2, 4, 6, 3, 20
            )
            self.analysis = Analysis(structure, (NOTE,) if "C" in m.joints else ())
            self.analysed.emit()
        if self.is_running:
            self.recording.grow()
            self.recorded.emit()
            if self.recording.complete:
                self.set_status("ready")
                self.run_finished.emit()

    def close(self):
        self.calls.append("close")
