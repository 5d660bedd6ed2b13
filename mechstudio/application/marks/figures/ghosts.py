"""Ghosts: outlines of the bodies where they were at the start, after equal steps of time or of the
input, and where they are in another run.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.application.marks.figures.edges import Edges, edges_of
from mechstudio.application.marks.figures.figure import Outline
from mechstudio.application.runs.kept_runs import KeptRun
from mechstudio.application.runs.recording import Recording
from mechstudio.model.edits.marks import found
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Mark, Project
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES, TURN, Z
from mechstudio.model.types.marks import MARK_TYPES

STRENGTHS = (0.70, 0.42)  # of the last ghost and of the one before
MOST_STEPS = 1_000_000  # steps of a run; of finer ones nothing is shown
HERE = 1e-6  # of the run: so near the time cursor a ghost is not drawn over its body


class Run(NamedTuple):
    """A recording at the time cursor.  beside: other runs that are ticked."""

    recording: Recording
    now: float
    beside: Sequence[KeptRun] = ()


# drawing, run, time [s] and strength of a ghost
Placed = tuple[Mechanism, Recording, float, float]


class Ghosts:
    """Outlines of ghosts; edges of bodies are found once for each drawing."""

    def __init__(self) -> None:
        self._edges: list[tuple[Mechanism, dict[str, Edges]]] = []
        self._places_made: tuple[Placed, ...] = ()
        self._outlines: tuple[Outline, ...] = ()
        self._instants: dict[str, tuple[object, np.ndarray]] = {}

    def outlines(self, project: Project, run: Run) -> tuple[Outline, ...]:
        """Outlines required by the marks of a project; the same object while they are the same."""
        places = tuple(self._places(project, run))
        if places != self._places_made:
            outlines = tuple(each for place in places for each in self._at(*place))
            self._places_made, self._outlines = places, outlines
        return self._outlines

    def _places(self, project: Project, run: Run) -> Iterator["Placed"]:
        m, recording = project.mechanism, run.recording
        near = HERE * max(recording.length, 1e-300)
        for type, times in TIMES.items():
            mark = found(project, type)
            if mark is None:
                continue
            key = (recording, recording.count, mark, m)
            known = self._instants.get(type)
            if known is None or known[0] != key:
                known = self._instants[type] = (key, times(m, mark, recording))
            past = known[1][known[1] < run.now - near]
            for strength, time in zip(STRENGTHS, past[::-1].tolist()):
                yield m, recording, time, strength
        if found(project, "ghost_run") is not None:
            for strength, kept in zip(STRENGTHS, [k for k in run.beside if k.ticked]):
                if kept.recording.count:
                    yield kept.project.mechanism, kept.recording, run.now, strength

    def _at(
        self, m: Mechanism, recording: Recording, time: float, strength: float
    ) -> Iterator[Outline]:
        """The visible bodies of a drawing at an instant of a run."""
        sample = recording.sample(time)
        for id, edges in self.edges(m).items():
            if id in recording.layout.bodies:
                pose = sample[recording.layout.pose(id)]
                if np.isfinite(pose).all():
                    yield Outline(edges, pose, m.bodies[id].color, strength)

    def edges(self, m: Mechanism) -> dict[str, Edges]:
        """Edges of the bodies of a drawing by their ids."""
        for known, edges in self._edges:
            if known is m:
                return edges
        edges = edges_of(m)
        # of the drawing itself and of ticked runs
        self._edges = [(m, edges), *self._edges[: len(STRENGTHS) + 1]]
        return edges


def _start(m: Mechanism, mark: Mark, recording: Recording) -> np.ndarray:
    return recording.time[:1].copy()


def _every_time(m: Mechanism, mark: Mark, recording: Recording) -> np.ndarray:
    """Equal steps of time from the start on."""
    step, begin = mark.value or MARK_TYPES[mark.type].default, float(recording.time[0])
    if step * MOST_STEPS < recording.end - begin:
        return np.zeros(0)
    return begin + step * np.arange(int((recording.end - begin) / step + 1e-9) + 1)


def _every_angle(m: Mechanism, mark: Mark, recording: Recording) -> np.ndarray:
    """Instants at which the input has turned by a whole number of steps since the start."""
    joint = input_joint(m)
    if not joint:
        return np.zeros(0)
    angle = joint_angle(m, recording.layout, recording.rows, joint)
    return crossings(recording.time, angle, mark.value or MARK_TYPES[mark.type].default)


TIMES: dict[str, Callable[[Mechanism, Mark, Recording], np.ndarray]] = {
    "ghost_start": _start,
    "ghost_time": _every_time,
    "ghost_angle": _every_angle,
}


def crossings(time: np.ndarray, angle: np.ndarray, step: float) -> np.ndarray:
    """Instants at which an angle (n,) at times (n,) is a whole number of steps from its first
    value, the first one included, to the interpolation between samples.
    """
    shares = (angle - angle[0]) / step
    if not np.isfinite(shares).all() or np.abs(np.diff(shares)).sum() > MOST_STEPS:
        return np.zeros(0)
    a, b = shares[:-1], shares[1:]
    rises = b > a
    low = np.where(rises, np.floor(a) + 1, np.ceil(b))
    high = np.where(rises, np.floor(b), np.ceil(a) - 1)
    counts = np.where(a == b, 0, np.maximum(high - low + 1, 0)).astype(int)
    owner = np.repeat(np.arange(len(a)), counts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    whole = np.where(rises[owner], low[owner] + number, high[owner] - number)
    share = (whole - a[owner]) / (b - a)[owner]
    return np.concatenate([time[:1], time[owner] + np.diff(time)[owner] * share])


def input_joint(m: Mechanism) -> str:
    """The joint whose angle counts the steps: a driven one, else the first one that turns against
    the ground, else the first one that turns; "" for none.
    """
    turning = [id for id, joint in m.joints.items() if (TURN, Z) in JOINT_TYPES[joint.type].motions]
    driven = [d.joint for d in m.drives.values() if d.joint in turning]
    grounded = [
        id for id in turning if GROUND in (m.joints[id].frame_a.body, m.joints[id].frame_b.body)
    ]
    return next(iter([*driven, *grounded, *turning]), "")


def joint_angle(m: Mechanism, layout: SampleLayout, rows: np.ndarray, joint: str) -> np.ndarray:
    """Angle (n,) by which a joint turns about z, as it was recorded: counted over its turns,
    however far it goes between two samples.
    """
    kind = JOINT_TYPES[m.joints[joint].type]
    turns = [motion for motion in kind.motions if motion[0] == TURN]
    angles = [k for k, c in enumerate(kind.coordinates) if c.dimension == "angle"]
    return rows[:, layout.joint(joint)][:, angles[turns.index((TURN, Z))]]
