"""The cycle of a motion, found from its recording: where all bodies come back, moving as before."""

import math
from typing import NamedTuple

import numpy as np

from mechstudio.application.films.poses import sample_at
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene.display_size import view_size
from mechstudio.translation import tr

# part of the mechanism's size, or of a radian, by which a body may miss its place: half a pixel of
# a film of a thousand
SEAM = 5e-4
SPEED_SEAM = 0.02  # of the largest speed of the run, by which speeds may differ at the seam
LEFT = 20.0  # seams by which a body must have gone away before it can come back
STARTS = (0.0, 0.05, 0.125, 0.25, 0.5, 0.75)  # parts of the run at which a cycle is looked for
STEEP = 2.0  # times as fast as from sample to sample bodies may come nearer between two
REFINED = 40  # halvings of the step around a return


class Cycle(NamedTuple):
    """A cycle.  first [s]: where it begins.  period [s].  gap: how far bodies miss their places at
    the seam, in sizes of the mechanism or radians.
    """

    first: float
    period: float
    gap: float


class _States:
    """States of a recording as points whose distance is how far bodies are from each other."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.size = max(view_size(recording.project.mechanism), 1e-9)
        rows, layout = recording.rows, recording.layout
        speeds = rows[:, layout.velocities].reshape(len(rows), -1, 6)
        self.fastest = (
            max(float(np.abs(speeds[..., :3]).max(initial=0.0)), 1e-9 * self.size),
            max(float(np.abs(speeds[..., 3:]).max(initial=0.0)), 1e-9),
        )

    def apart(self, rows: np.ndarray, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance of poses (s,), in sizes or radians, and of speeds (s,), in parts of the largest,
        of samples (s, width) from those of a state.
        """
        layout = self.recording.layout
        p = rows[:, layout.poses].reshape(len(rows), -1, 7)
        q = state[layout.poses].reshape(-1, 7)
        moved = np.linalg.norm(p[..., :3] - q[:, :3], axis=2) / self.size
        cosine = np.abs((p[..., 3:] * q[:, 3:]).sum(axis=2))
        # from the difference of the quaternions: the arccosine of nearly one knows no small angles
        half = np.sqrt(np.maximum(2.0 - 2.0 * np.minimum(cosine, 1.0), 0.0))
        turned = 4.0 * np.arcsin(np.minimum(half / 2.0, 1.0))
        v = rows[:, layout.velocities].reshape(len(rows), -1, 6)
        w = state[layout.velocities].reshape(-1, 6)
        speeds = np.maximum(
            np.abs(v[..., :3] - w[:, :3]).max(axis=2) / self.fastest[0],
            np.abs(v[..., 3:] - w[:, 3:]).max(axis=2) / self.fastest[1],
        )
        return np.maximum(moved, turned).max(axis=1), speeds.max(axis=1)


def find_cycle(recording: Recording) -> Cycle | None:
    """The first cycle of a run; None where the bodies never come back, or never move.

    The pose and the velocity of every body return, so that the film of a cycle, played again and
    again, neither jumps nor turns around.  A whole number of cycles is never taken for one.
    """
    if recording.count < 3 or not recording.layout.bodies:
        return None
    states = _States(recording)
    begin, length = recording.begin, recording.length
    for start in STARTS:
        found = _return(states, begin + start * length)
        if found is not None:
            return found
    return None


def _return(states: _States, first: float) -> Cycle | None:
    """The first return of the motion to where it is at a time [s]."""
    recording = states.recording
    # a sample's own instant: what is compared is then what was computed
    k = recording.index(first + 1e-9 * max(recording.length, 1e-9))
    first, state = float(recording.time[k]), recording.rows[k]
    rows = recording.rows[k:]
    if len(rows) < 3:
        return None
    gaps, _ = states.apart(rows, state)
    gone = np.flatnonzero(gaps > LEFT * SEAM)
    if not len(gone):
        return None
    after = int(gone[0])
    inner = np.arange(max(after, 1), len(gaps))
    last = len(gaps) - 1
    right = np.where(inner < last, gaps[np.minimum(inner + 1, last)], np.inf)
    # between two samples a body may come far nearer than at either
    near = inner[(gaps[inner] <= gaps[inner - 1]) & (gaps[inner] <= right)]
    for n in near.tolist():
        around = [gaps[m] - gaps[n] for m in (n - 1, n + 1) if 0 <= m <= last]
        if gaps[n] > SEAM + STEEP * max(around):
            continue  # it cannot come near enough between the samples around it
        at = _nearest(
            states, state, float(rows[max(n - 1, 0), 0]), float(rows[min(n + 1, last), 0])
        )
        gap, speed = (float(x[0]) for x in states.apart(sample_at(recording, at)[None], state))
        if gap <= SEAM and _speeds_return(states, state, at, speed):
            return Cycle(first, at - first, gap)
    return None


def _speeds_return(states: _States, state: np.ndarray, at: float, speed: float) -> bool:
    """True if bodies move at a time as they do in a state; speeds between two samples are read off
    the nearer one.
    """
    if speed <= SPEED_SEAM:
        return True
    recording = states.recording
    k = recording.index(at)
    around = recording.rows[k : k + 2]
    return bool(states.apart(around, state)[1].min() <= SPEED_SEAM)


def _nearest(states: _States, state: np.ndarray, low: float, high: float) -> float:
    """The instant between two at which bodies are nearest to a state, by the golden section.  Where
    they turn around, poses hardly tell one instant from the next, but speeds do.
    """
    golden = (math.sqrt(5.0) - 1.0) / 2.0

    def far(t: float) -> float:
        gap, speed = states.apart(sample_at(states.recording, t)[None], state)
        return float(gap[0] + SEAM / SPEED_SEAM * speed[0])

    a, b = low, high
    c, d = b - golden * (b - a), a + golden * (b - a)
    fc, fd = far(c), far(d)
    for _ in range(REFINED):
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - golden * (b - a)
            fc = far(c)
        else:
            a, c, fc = c, d, fd
            d = a + golden * (b - a)
            fd = far(d)
    return min((low, high, c, d), key=far)


def with_trails(cycle: Cycle, recording: Recording) -> Cycle:
    """The cycle so many turns later that trails are as long at its beginning as at its end, where
    the run lasts so long and its bodies come back there too.
    """
    trails = [mark for mark in recording.project.marks if mark.type == "trail"]
    if not trails:
        return cycle
    # a trail without a length holds all before, of which one turn is the whole curve
    turns = max(math.ceil((mark.value or cycle.period) / cycle.period) for mark in trails)
    first = cycle.first + turns * cycle.period
    if first + cycle.period > recording.end:
        return cycle
    states = _States(recording)
    ends = [sample_at(recording, t) for t in (first, first + cycle.period)]
    gap = float(states.apart(ends[1][None], ends[0])[0][0])
    return Cycle(first, cycle.period, gap) if gap <= SEAM else cycle


def no_cycle(recording: Recording) -> str:
    """The reason why there is no cycle, and what helps, in a sentence."""
    if recording.count < 3:
        return tr("The run is too short to hold a cycle: run it longer, or take the whole run.")
    states = _States(recording)
    gaps, _ = states.apart(recording.rows, recording.rows[0])
    if float(gaps.max()) <= LEFT * SEAM:
        return tr("Nothing moves in this run, so there is no cycle to show.")
    return tr(
        "The bodies do not come back to where they were, moving as before, within {length:.3g} s: "
        "run it longer, or take the whole run.",
        length=recording.length,
    )
