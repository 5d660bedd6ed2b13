"""Motion that a helper analyses: a cycle of a driven mechanism, or its run, with every instant."""

import math
from collections.abc import Callable
from functools import cached_property

import msgspec
import numpy as np

from mechstudio.engine.analyses.record import Record
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.integration.options import options_of
from mechstudio.engine.sizing.repetition import Cycle, longer
from mechstudio.model.formulas.means import weights
from mechstudio.model.mechanism import POSITION, VELOCITY, Drive, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr

SAMPLES = 360  # of a cycle
MOST_TURNS = 6  # of the slowest drive in which a cycle is looked for


class Course:
    """A motion with its instants.

    period [s]: of the cycle, NaN where it is a run that does not repeat.  The last sample of a
    cycle, which is the first again, is left out of `instants`.  loads: names of those that do not
    repeat, though the motion does.
    """

    def __init__(self, record: Record, period: float, loads: tuple[str, ...] = ()) -> None:
        self.record, self.period, self.loads = record, period, loads
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
        return np.full(len(t), 1.0 / len(t)) if self.repeats else weights(t)

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
    """The cycle of a project's motion, which its run repeats with all loads; its whole run where it
    has none.
    """
    longest, others = slowest_turn(project.mechanism), ()
    if longest is not None:
        for turns in range(1, MOST_TURNS + 1):
            record = run_for(project, turns * longest, SAMPLES, progress).record
            cycle = Cycle(record, SAMPLES)
            if not cycle.closes():
                continue
            if not (others := cycle.other_loads(record)):
                after = longer(project, turns * longest, SAMPLES)
                others = cycle.other_loads(after) if after is not None else None
                if others == ():
                    return Course(record, turns * longest)
    options = options_of(project)
    count = max(SAMPLES, min(4 * SAMPLES, round(options.duration / options.sample_step)))
    whole = run_for(project, options.duration, count, progress).record
    return Course(whole, math.nan, _names(whole.system.mechanism, others or ()))


def _names(m: Mechanism, ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple((m.forces[id] if id in m.forces else m.joints[id]).name for id in ids)


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


def not_repeating(course: Course) -> str:
    """A sentence for a run that does not repeat; "" of a cycle."""
    if course.repeats:
        return ""
    t = course.record.samples[:, 0]
    duration = format_value(float(t[-1] - t[0]), "time", digits=4)
    if course.loads:
        return tr(
            "The motion repeats, but not all loads do ({names}): the figures are over the run of "
            "{duration}.",
            names=comma().join(course.loads),
            duration=duration,
        )
    return tr(
        "The motion was not seen to repeat: the figures are over the run of {duration}.",
        duration=duration,
    )
