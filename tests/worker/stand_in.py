"""A worker process with a solver that costs nothing: python -m tests.worker.stand_in
[--allow-faults] [--prepare S] [--broken].

Its runs move the first body's x as sin t.  What else a run or an analysis shall do is written in
the project's note as
"pace 0.01; rows 5; analysis 0.3; die; raise; refuse; stop 0.5; posing 0.2; fall; fail; strike".
"""

import os
import sys
import time

import numpy as np

from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.manifold.joint_placement import Placed
from mechstudio.engine.manifold.point_drag import Dragged
from mechstudio.model.findings import Finding
from mechstudio.model.results.analysis import Analysis
from mechstudio.model.results.assembly import AssemblyResult
from mechstudio.model.results.events import StopEvent
from mechstudio.model.results.run_statistics import RunStatistics
from mechstudio.model.results.sample import sample_layout
from mechstudio.worker.solver_process import main


def orders(project):
    """The note as a dict of numbers."""
    words = [part.split() for part in project.note.split(";") if part.strip()]
    return {w[0]: float(w[1]) if len(w) > 1 else 1.0 for w in words}


def obey(requested, element=""):
    """Die, fail or refuse because of an element, where that is ordered of anything but a run."""
    if "fall" in requested:
        os._exit(9)
    if "fail" in requested:
        raise ZeroDivisionError("planted")
    if "refuse" in requested and element:
        raise EngineError(
            Finding("error", element, "The drawing cannot be closed.", "Move a joint.")
        )


class StandInRun:
    def __init__(self, project):
        self._orders, self._settings = orders(project), project.settings
        self.layout = sample_layout(project.mechanism)
        self.width = self.layout.width
        self.statistics = None
        self.events = []
        self.contact_samples = []
        self.slow = []
        self.blocks = self._blocks()

    def _blocks(self):
        step, duration = self._settings.sample_step.value, self._settings.duration.value
        total, per_block = int(duration / step + 1e-9) + 1, int(self._orders.get("rows", 1))
        for start in range(0, total, per_block):
            if "pace" in self._orders:
                time.sleep(self._orders["pace"])
            t = step * np.arange(start, min(start + per_block, total))
            if "stop" in self._orders and t[0] >= self._orders["stop"]:
                raise RunStopped("The step became too small.", float(t[0]))
            rows = np.zeros((len(t), self.width))
            rows[:, 0] = t
            if self.layout.bodies:
                rows[:, 1], rows[:, 4] = np.sin(t), 1.0
            self.events += [
                StopEvent(float(at), "J", 0, True, 1.0, 2.0)
                for at in t
                if at > 0.0 and "strike" in self._orders
            ]
            if "slow" in self._orders and start == 0:
                self.slow.append("The run is slow: it was ordered.")
            if "slow" in self._orders and t[0] >= self._orders["slow"]:
                self.slow.append("")
            yield rows
        self.statistics = RunStatistics(duration, total, total, 0, 0.0, 0.0, 0.0, 0.0, 1.0)


class StandInHold:
    """Goes half of the way at each call; beyond x = 1 nothing goes."""

    def __init__(self, count):
        self._count, self._at = count, None

    def go(self, target, view_direction, seconds):
        goal = np.minimum(target, (1.0, np.inf, np.inf))
        self._at = (
            goal
            if self._at is None or np.abs(goal - self._at).max() < 1e-3
            else 0.5 * (goal + self._at)
        )
        poses = np.tile((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), (self._count, 1))
        poses[0, :3] = self._at
        arrived = bool(np.array_equal(self._at, goal))
        return Dragged(poses, self._at, arrived, "the end" if arrived and target[0] > 1.0 else "")

    def placed(self):
        return Placed(
            {"crank": (*map(float, self._at), 1.0, 0.0, 0.0, 0.0)},
            {"A": (float(self._at[0]),)},
            0.0,
            "",
        )


class StandIn:
    def __init__(self, prepare=0.0, broken=False):
        self._prepare, self._broken = prepare, broken

    def load(self):
        if self._broken:
            raise ImportError("No module named 'stand_in_engine'")

    def is_cold(self):
        return self._prepare > 0

    def prepare(self, progress):
        for k in range(4):
            time.sleep(self._prepare / 4)
            progress((k + 1) / 4)

    def complete(self):
        pass

    def analyse(self, project, closed):
        requested = orders(project)
        if "closed" in requested:
            closed(((1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0),) * len(project.mechanism.bodies))
        time.sleep(requested.get("analysis", 0.0))
        if "die" in requested:
            os._exit(9)
        if "raise" in requested:
            raise ZeroDivisionError("planted")
        return Analysis(
            None, (Finding("info", "", project.note),), gap=float(len(project.mechanism.bodies))
        )

    def pose(self, project, joint, coordinate, value, released):
        requested = orders(project)
        time.sleep(requested.get("posing", 0.0))
        obey(requested, joint)
        if joint not in project.mechanism.joints:
            raise ValueError(f"There is no joint {joint}.")
        at = min(value, 1.0)
        return (
            {"crank": (at, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)},
            {joint: (at,)},
            at,
            "" if at == value else "It stops.",
        )

    def assemble(self, project, keep, step):
        requested = orders(project)
        obey(requested)
        end = time.monotonic() + requested.get("assembling", 0.0)
        while time.monotonic() < end:
            step()
            time.sleep(0.01)
        return AssemblyResult(
            True,
            tuple(
                (0.0, 0.0, float(id in keep), 1.0, 0.0, 0.0, 0.0) for id in project.mechanism.bodies
            ),
            moved=0.5,
            farthest="crank",
        )

    def start_drag(self, project, body, point, poses, coordinates):
        requested = orders(project)
        obey(requested, body)
        if body not in project.mechanism.bodies:
            raise ValueError("What is held does not move.")
        return StandInHold(len(project.mechanism.bodies))

    def prepare_contacts(self, project, progress):
        pause = orders(project).get("contacts", 0.0)
        if pause:
            progress(0.25)
            time.sleep(pause)
            progress(1.0)

    def start(self, project):
        time.sleep(orders(project).get("assembly", 0.0))
        if "refuse" in orders(project):
            raise EngineError(Finding("error", "A", "Pin A has nothing to hold.", "Delete it."))
        return StandInRun(project)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    delay = float(arguments[arguments.index("--prepare") + 1]) if "--prepare" in arguments else 0.0
    main(StandIn(delay, "--broken" in arguments), arguments)
