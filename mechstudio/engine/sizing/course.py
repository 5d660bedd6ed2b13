"""Motion that a helper analyses: a cycle of a driven mechanism, or its run, with every instant."""

import math
from collections.abc import Callable
from functools import cached_property

import msgspec
import numpy as np

from mechstudio.engine.analyses.record import Record
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.integration.options import options_of
from mechstudio.model.mechanism import POSITION, VELOCITY, Drive, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr

SAMPLES = 360  # of a cycle
MOST_TURNS = 6  # of the slowest drive in which a cycle is looked for
SEAM = 1e-6  # of the size, or of a radian, by which bodies may miss their places at its end
SPEED_SEAM = 1e-5  # of the largest speed, by which speeds may differ there


class Course:
    """A motion with its instants.

    period [s]: of the cycle, NaN where it is a run that does not repeat.  The last sample of a
    cycle, which is the first again, is left out of `instants`.
    """

    def __init__(self, record: Record, period: float) -> None:
        self.record, self.period = record, period
        self.system = record.system
        self.mechanism: Mechanism = record.system.mechanism

    @property
    def repeats(self) -> bool:
        """True of a cycle."""
        return math.isfinite(self.period)

    @cached_property
    def instants(self) -> list[Instant]:
        """At every sample."""
        count = len(self.record.samples) - (1 if self.repeats else 0)
        return [self.record.instant(k) for k in range(count)]

    @property
    def times(self) -> np.ndarray:
        """Of the instants (s,) [s]."""
        return self.record.samples[: len(self.instants), 0]

    @property
    def weights(self) -> np.ndarray:
        """Weights (s,) of a mean over the time, which sum up to 1."""
        t = self.times
        if self.repeats or len(t) < 2:
            return np.full(len(t), 1.0 / len(t))
        steps = np.diff(t)
        out = np.zeros(len(t))
        out[:-1] += 0.5 * steps
        out[1:] += 0.5 * steps
        return out / out.sum()

    def mean(self, values: np.ndarray) -> float:
        """Mean over the time of values (s,)."""
        return float(self.weights @ values)

    def rms(self, values: np.ndarray) -> float:
        """Root mean square over the time of values (s,), or of the sizes of vectors (s, n)."""
        squares = values**2 if values.ndim == 1 else (values**2).sum(axis=1)
        return math.sqrt(self.mean(squares))

    def coordinate(self, joint: str, k: int = 0) -> int:
        """Place of a joint's coordinate among all."""
        first = 0
        for id, other in self.mechanism.joints.items():
            if id == joint:
                return first + k
            first += JOINT_TYPES[other.type].dof
        raise KeyError(joint)


def motion_of(project: Project, progress: Callable[[float], None] | None = None) -> Course:
    """The cycle of a project's motion; its whole run where it has none."""
    longest = slowest_turn(project.mechanism)
    if longest is not None:
        for turns in range(1, MOST_TURNS + 1):
            cycle = run_for(project, turns * longest, SAMPLES, progress)
            if closes(cycle.record):
                return Course(cycle.record, turns * longest)
    options = options_of(project)
    count = max(SAMPLES, min(4 * SAMPLES, round(options.duration / options.sample_step)))
    return run_for(project, options.duration, count, progress)


def run_for(
    project: Project,
    duration: float,
    count: int,
    progress: Callable[[float], None] | None = None,
    mechanism: Mechanism | None = None,
) -> Course:
    """A run of a duration [s] with a number of equal steps between samples."""
    options = msgspec.structs.replace(options_of(project, duration, duration / count), until=())
    return Course(Record(mechanism or project.mechanism, options, progress), math.nan)


def slowest_turn(m: Mechanism) -> float | None:
    """Time of a turn, or of a period, of the slowest drive [s]; None without one that repeats."""
    times = [t for d in m.drives.values() if d.enabled and (t := _period(m, d)) is not None]
    return max(times, default=None)


def _period(m: Mechanism, drive: Drive) -> float | None:
    joint = m.joints.get(drive.joint)
    if joint is None:
        return None
    kind = JOINT_TYPES[joint.type].coordinates[drive.coordinate]
    if drive.law.type == "constant" and drive.quantity == VELOCITY and kind.dimension == "angle":
        speed = abs(drive.law.parameters["value"].value)
        return 2.0 * math.pi / speed if speed > 0.0 else None
    if drive.law.type == "sine" and drive.quantity in (POSITION, VELOCITY):
        frequency = abs(drive.law.parameters["frequency"].value)
        offset = drive.law.parameters["offset"].value
        goes_off = drive.quantity == VELOCITY and offset != 0.0
        return 1.0 / frequency if frequency > 0.0 and not goes_off else None
    return None


def closes(record: Record) -> bool:
    """True if all bodies are back at the end of a run, moving as at its start."""
    first, last = record.instant(0), record.instant(len(record.samples) - 1)
    size = first.rows.size
    if np.abs(first.at.origins - last.at.origins).max() > SEAM * size:
        return False
    if np.abs(first.at.R - last.at.R).max() > SEAM:
        return False
    difference = np.abs(first.at.twists - last.at.twists)
    fastest = np.abs(np.stack((first.at.twists, last.at.twists))).max(axis=(0, 1))
    speed, turn = float(fastest[:3].max()), float(fastest[3:].max())
    return bool(
        difference[:, :3].max() <= SPEED_SEAM * max(speed, turn * size, 1e-12)
        and difference[:, 3:].max() <= SPEED_SEAM * max(turn, speed / size, 1e-12)
    )


def not_repeating(course: Course) -> str:
    """A sentence for a run that does not repeat; "" of a cycle."""
    if course.repeats:
        return ""
    t = course.record.samples[:, 0]
    return tr(
        "The motion was not seen to repeat: the figures are over the run of {duration}.",
        duration=format_value(float(t[-1] - t[0]), "time", digits=4),
    )
