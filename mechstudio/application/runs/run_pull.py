"""Pulling a body by a spring while a run is played, recorded as a load of the run."""

import math
import time

import msgspec

from mechstudio.application.runs.runs import Runs
from mechstudio.model.edits.links import free_id
from mechstudio.model.geometry.rotation import (
    Pose,
    Triple,
    conjugate,
    minus,
    rotate,
    transform,
)
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, Force, Frame, Mechanism, Placement
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.translation import tr

replace = msgspec.structs.replace
EVERY = 0.1  # s of real time between two places of the hand that act
PERIOD = 0.4  # s of the whole mass of the mechanism on the spring
DAMPING = 0.5  # of the critical one
AXES = "xyz"


def with_pull(project: Project, body: str, point: Triple, target: Triple) -> Project:
    """The project with a spring and damper of no length between a point of a body, in its axes [m],
    and a target [m, W].

    It is a bushing without stiffness against turns: its force is linear in the distance, whatever
    the direction, and as stiff as the mass of all bodies needs it.
    """
    m = project.mechanism
    mass = sum(mass_properties(b).mass for b in m.bodies.values()) or 1.0
    speed = 2 * math.pi / PERIOD
    numbers = {"k": mass * speed**2, "d": 2 * DAMPING * mass * speed}
    parameters = {
        f"{letter}_{axis}_{axis}": Quantity(value)
        for letter, value in numbers.items()
        for axis in AXES
    }
    id = free_id(project, "pull")
    force = Force(
        id,
        tr("pull"),
        "bushing",
        frame_a=_frame(m, GROUND, target),
        frame_b=Frame(body, placement=Placement(vector(*point))),
        parameters=parameters,
    )
    return replace(project, mechanism=replace(m, forces={**m.forces, id: force}))


def _frame(m: Mechanism, body: str, point: Triple) -> Frame:
    """A frame at a point of W on a body that stands."""
    p, q = m.body(body).placement.pose
    return Frame(body, placement=Placement(vector(*rotate(conjugate(q), minus(point, p)))))


class RunPull:
    """A hand that pulls a point of a body during the run that is shown.

    state: whether it holds.  point: the held point now [m, W].  target: the hand [m, W].
    """

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self.body = ""
        self._local: Triple = (0.0, 0.0, 0.0)
        self.target: Triple = (0.0, 0.0, 0.0)
        self._name = ""
        self._acted, self._late = 0.0, False

    @property
    def holds(self) -> bool:
        """True while a point is held."""
        return bool(self.body)

    def can_hold(self, body: str) -> bool:
        """True if a run is played in which a body can be pulled."""
        recording = self._runs.recording
        return (
            recording is not None
            and recording.count > 1
            and self._runs.playback.playing
            and body in recording.project.mechanism.bodies
        )

    @property
    def point(self) -> Triple | None:
        """Place of the held point as it is shown [m, W]."""
        pose = self._pose(self.body)
        return None if pose is None else transform(pose, self._local)

    def take_hold(self, body: str, point: Triple, name: str) -> bool:
        """Take hold of a body at a point [m, W] as it is shown, while the run is played.  name:
        of what is pulled, in words.
        """
        pose = self._pose(body)
        if pose is None or not self.can_hold(body):
            return False
        self.body, self.target = body, point
        self._local = rotate(conjugate(pose[1]), minus(point, pose[0]))
        self._name = name
        self._acted, self._late = 0.0, True
        return True

    def aim(self, target: Triple) -> None:
        """Pull towards a target [m, W]."""
        self.target, self._late = target, True
        self.poll()

    def poll(self) -> None:
        """Let the last target act, once the one before has been shown."""
        if not self.holds or not self._late or time.monotonic() - self._acted < EVERY:
            return
        last = self._runs.last
        if self._runs.is_running and last is not None and not last.has_come_on:
            return
        project = self._runs.drawing
        if self.body not in project.mechanism.bodies or not self.can_hold(self.body):
            self.body = ""
            return
        loaded = with_pull(project, self.body, self._local, self.target)
        self._acted, self._late = time.monotonic(), False
        self._runs.act(loaded, tr("Pulled {name}", name=self._name))

    def release(self) -> None:
        """Let the run go on without the hand, from the time cursor on."""
        if self.holds:
            self.body = ""
            if self._acted:
                self._runs.act(self._runs.drawing, tr("Let go of {name}", name=self._name))

    def _pose(self, body: str) -> Pose | None:
        recording, poses = self._runs.recording, self._runs.poses
        if recording is None or poses is None or body not in recording.layout.bodies:
            return None
        x, y, z, *q = map(float, poses[recording.layout.bodies.index(body)])
        return (x, y, z), (q[0], q[1], q[2], q[3])
