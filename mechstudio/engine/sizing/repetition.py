"""Comparison of a cycle with the run that goes on after it: its motion, and the loads on it."""

import math
from functools import cached_property

import msgspec
import numpy as np
from scipy.spatial.transform import Rotation

from mechstudio.engine.analyses.record import Record
from mechstudio.engine.dynamics.load_wrenches import GRAVITY, Action, Loads, Motion, Ways
from mechstudio.engine.errors import RunStopped
from mechstudio.engine.integration.options import options_of
from mechstudio.model.project import Project
from mechstudio.model.quantity import values
from mechstudio.model.types.forces import sticks

SEAM = 1e-6  # of the size, or of a radian, by which bodies may miss their places at its end
SPEED_SEAM = 1e-5  # of the largest speed, by which speeds may differ there
LATER = 100.0  # times as much may they differ in later cycles, as errors of a run add up
MOST = 720  # samples of later cycles that are compared
LOAD_SEAM = 1e-3  # of the largest value of a load, by which it may differ
NO_LOAD = 1e-6  # of the largest load beside gravity, below which a load is none
ROUNDING = 1e-9  # of the largest weight, below which it is rounding
SCALE_EVERY = 8  # samples of the first cycle that say how large a load is
AT_JUMPS = 0.05  # of the samples, which may lie on the other side of a jump


class Cycle:
    """First cycle of a run, with equal steps between its samples, and the loads of each."""

    def __init__(self, record: Record, steps: int) -> None:
        self.record, self.steps = record, steps
        self.mechanism = record.system.mechanism
        self._loads = Loads(self.mechanism, record.system.joint_rows)
        # friction that sticks is as large as the other loads require: its level is compared
        self._ways: Ways = {
            (f.joint, f.coordinate): 1.0 for f in self.mechanism.forces.values() if sticks(f)
        }
        self._first: dict[int, list[Action]] = {}

    @property
    def _size(self) -> float:
        return self.record.system.joint_rows.size

    @cached_property
    def _allowed(self) -> list[float]:
        """Difference of each load that counts as none [N], moments over the size."""
        some = [self._at_phase(k) for k in range(0, self.steps, SCALE_EVERY)]
        largest = [max(_strength(a, self._size) for a in each) for each in zip(*some)]
        weights = self._loads.masses * np.linalg.norm(values(self.mechanism.gravity))
        floor = max(NO_LOAD * max(largest), ROUNDING * float(weights.max(initial=0.0)))
        return [max(floor, LOAD_SEAM * own) for own in largest]

    def _at_phase(self, k: int) -> list[Action]:
        if k not in self._first:
            self._first[k] = self._at(self.record.samples[k])
        return self._first[k]

    def _at(self, sample: np.ndarray) -> list[Action]:
        """Loads but gravity, which follows the motion, at a sample (width,)."""
        layout = self.record.system.layout
        motion = Motion(
            sample[layout.poses].reshape(-1, 7),
            sample[layout.velocities].reshape(-1, 6),
            sample[layout.coordinates],
            float(sample[0]),
        )
        return [a for a in self._loads.at(motion, ways=self._ways) if a.id != GRAVITY]

    def closes(self) -> bool:
        """True if all bodies are back at the end of the cycle, moving as at its start."""
        first, last = self.record.samples[:1], self.record.samples[-1:]
        return _alike(self.record, first, last, 1.0)

    def other_loads(self, later: Record) -> tuple[str, ...] | None:
        """Ids of loads that differ in later cycles; None where the motion does.

        later: a longer run from the same start, of whose samples those count that lie at phases of
        the cycle's.
        """
        rows, phases = [], []
        start, step = self.record.samples[0, 0], np.diff(self.record.samples[:2, 0])[0]
        for row in later.samples:
            place = (row[0] - start) / step
            if place > self.steps - 0.5 and abs(place - round(place)) < 1e-6 * place:
                rows.append(row)
                phases.append(round(place) % self.steps)
        if not rows:
            return ()
        if not _alike(self.record, self.record.samples[phases], np.array(rows), LATER):
            return None
        if not self._at_phase(0):
            return ()
        jumps = 0
        for row, phase in zip(reversed(rows), reversed(phases)):
            now = self._at(row)
            if self._missing(now, phase, 0):
                # a jump is met at the sample of this phase in one cycle, before it in another
                if others := self._missing(now, phase, 1):
                    return others
                jumps += 1
                if jumps > max(1.0, AT_JUMPS * len(rows)):
                    return self._missing(now, phase, 0)
        return ()

    def _missing(self, now: list[Action], phase: int, around: int) -> tuple[str, ...]:
        """Ids of loads that do not lie among those of the cycle at a phase and `around` it."""
        among = [self._at_phase((phase + k) % self.steps) for k in range(-around, around + 1)]
        out = []
        for k, action in enumerate(now):
            own = _vector(action, self._size)
            beside = np.array([_vector(at[k], self._size) for at in among])
            beyond = np.maximum(beside.min(axis=0) - own, own - beside.max(axis=0))
            if beyond.max(initial=0.0) > self._allowed[k]:
                out.append(action.id)
        return tuple(out)


def longer(project: Project, period: float, steps: int) -> Record | None:
    """The run of a project, or two cycles if they take longer, with samples at phases of those of
    its first cycle; None where it stops.
    """
    options = options_of(project)
    duration = max(options.duration, 2.0 * period)
    stride = 1
    # without a common factor all phases come up, one after another
    while duration / period * steps > MOST * stride or math.gcd(stride, steps) > 1:
        stride += 1
    step = stride * period / steps
    try:
        run = msgspec.structs.replace(options, duration=duration, sample_step=step)
        return Record(project.mechanism, run)
    except RunStopped:
        return None


def _alike(record: Record, first: np.ndarray, other: np.ndarray, times: float) -> bool:
    """True if bodies have the same poses and speeds at samples (s, width).  record: of the cycle,
    whose largest speeds say how much is nothing.
    """
    layout, size = record.system.layout, record.system.joint_rows.size
    count = len(first)
    p, q = (rows[:, layout.poses].reshape(count, -1, 7) for rows in (first, other))
    if np.abs(p[..., :3] - q[..., :3]).max(initial=0.0) > times * SEAM * size:
        return False
    turns = [Rotation.from_quat(np.roll(x[..., 3:].reshape(-1, 4), -1, axis=1)) for x in (p, q)]
    if (turns[0].inv() * turns[1]).magnitude().max(initial=0.0) > times * SEAM:
        return False
    # not those of the compared samples alone: all of them may stand still at a turning point
    v, w, cycle = (
        rows[:, layout.velocities].reshape(-1, 6) for rows in (first, other, record.samples)
    )
    fastest = np.abs(cycle).max(axis=0)
    speed, turn = float(fastest[:3].max()), float(fastest[3:].max())
    differs = np.abs(v - w)
    return bool(
        differs[:, :3].max() <= times * SPEED_SEAM * max(speed, turn * size, 1e-12)
        and differs[:, 3:].max() <= times * SPEED_SEAM * max(turn, speed / size, 1e-12)
    )


def _vector(action: Action, size: float) -> np.ndarray:
    """Wrenches of a load one after another [N], moments over the size."""
    return np.concatenate(
        [np.concatenate((w[:3], w[3:] / size)) for _, w in sorted(action.wrenches.items())]
        or [np.zeros(0)]
    )


def _strength(action: Action, size: float) -> float:
    return float(np.abs(_vector(action, size)).max(initial=0.0))
