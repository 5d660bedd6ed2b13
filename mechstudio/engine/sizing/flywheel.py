"""Flywheels for the ripple of a crank's speed.

At a constant speed a drive gives the torque T(θ).  A crank that a constant torque, the mean of T,
turns instead gains and loses energy: its greatest gain less its least is ΔE, and J = ΔE/(δ ω²) to
first order (Wittenbauer's rule for a constant inertia).  With the inertia J_e(θ) of the mechanism
itself, (J + J_e) ω²/2 = E + W(θ) exactly, from which the ripple of any J follows.
"""

import math

import msgspec
import numpy as np
from scipy.interpolate import CubicHermiteSpline, CubicSpline
from scipy.optimize import brentq

from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.sizing.course import SAMPLES, Course, motion_of, run_for
from mechstudio.engine.sizing.task import Mover, Task, axis_in, side_on
from mechstudio.model.edits.links import free_id
from mechstudio.model.geometry.rotation import triple
from mechstudio.model.mechanism import GROUND, Force, Joint
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.results.sample import KINETIC
from mechstudio.model.sizing.additions import Disc, with_additions
from mechstudio.model.sizing.answer import Figure, Line, Sized, SizedPicture, SizedTable
from mechstudio.model.types import force_laws
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.units import format_number, format_value
from mechstudio.translation import comma, tr

ROUNDING = 1e-9  # of the largest torque, below which a mean of torques is zero
STEADY = 1e-6  # of a speed that counts as constant
FOLLOW_SPEED = (force_laws.damper, force_laws.friction, force_laws.servo)
BETWEEN = 64  # angles for each sample of the cycle
LONGER = 1.25  # of a cycle at the mean speed, in which a free crank has gone through it once
MOST = 1e9  # of ΔE/ω² up to which a flywheel is looked for


class Turn:
    """One cycle of a crank at a constant speed ω [rad/s], of one turn or of several.

    angle (s + 1,) [rad] from 0.  work (s + 1,): of the mean torque less that of the loads [J].
    inertia (s + 1,): of the mechanism at the crank [kg m^2].  torque (s + 1,): of the drive [N m].
    """

    def __init__(self, course: Course, torque: np.ndarray, speed: float) -> None:
        close = lambda v: np.append(v, v[0])
        self.course, self.speed = course, abs(speed)
        kinetic = course.record.samples[:-1, course.system.layout.energy.start + KINETIC]
        self.angle = self.speed * course.period * np.linspace(0.0, 1.0, len(torque) + 1)
        self.inertia = close(2.0 * kinetic / speed**2)
        self.torque = close(torque) * math.copysign(1.0, speed)
        mean = float(torque.mean()) * math.copysign(1.0, speed)
        self.mean = mean if abs(mean) > ROUNDING * np.abs(torque).max() else 0.0
        gained = _integral(self.mean - self.torque, self.angle)
        # at a constant speed the drive also pays for the change of the kinetic energy
        self.work = gained + 0.5 * (self.inertia - self.inertia[0]) * self.speed**2
        self.gained = gained
        # a crank that nearly stalls is slow over less than a degree: angles between the samples
        between = np.linspace(0.0, self.angle[-1], BETWEEN * len(torque) + 1)
        repeating = lambda v: CubicSpline(self.angle, close(v[:-1]), bc_type="periodic")(between)
        self._between_work, self._between_inertia = repeating(self.work), repeating(self.inertia)

    @property
    def energy(self) -> float:
        """ΔE of the constant speed [J]."""
        return float(np.ptp(self.gained))

    def speeds(self, extra: float) -> np.ndarray | None:
        """Speed (s + 1,) of the free crank with a flywheel [rad/s], whose mean over the time is
        that of the drive; None if it would stall.
        """
        start = self._start(extra)
        if start is None:
            return None
        return np.sqrt(2.0 * (start + self.work) / (self.inertia + extra))

    def _start(self, extra: float) -> float | None:
        """Kinetic energy at the first angle [J] with which the mean speed over the time is that of
        the drive; None if it would stall.
        """
        work, total = self._between_work, self._between_inertia + extra
        if total.min() <= 0.0:
            return None
        base = float(-work.min())

        def mean(start: float) -> float:
            squares = np.maximum(2.0 * (start + work) / total, 0.0)
            # the last angle is the first again: the trapezoidal rule of a periodic function is a
            # mean
            return (
                0.0 if squares.min() == 0.0 else float(1.0 / np.mean(1.0 / np.sqrt(squares[:-1])))
            )

        high = base + 0.5 * float(total.max()) * self.speed**2 + float(np.ptp(work))
        low = base + 1e-9 * (high - base)
        if mean(low) >= self.speed:
            return None
        excess = lambda energy: mean(energy) - self.speed
        return float(brentq(excess, low, high, xtol=1e-14 * high))  # type: ignore[arg-type]

    def ripple(self, extra: float) -> float:
        """Greatest less least speed over the mean with a flywheel; infinite if it would stall."""
        start = self._start(extra)
        if start is None:
            return math.inf
        speeds = np.sqrt(2.0 * (start + self._between_work) / (self._between_inertia + extra))
        return float(np.ptp(speeds)) / self.speed


def flywheel(task: Task) -> Sized:
    """See the module."""
    mover = task.mover("drive", drives_only=True)
    target = task.needed("ripple", 0.0)
    if target >= 2.0:
        raise ValueError(tr("A ripple lies between 0 and 2."))
    body = _crank(task, mover.joint)
    density, diameter = task.needed("density", 0.0), task.number("diameter", 0.0)
    turn = _turn(task, mover)
    before, simple = turn.ripple(0.0), turn.energy / (target * turn.speed**2)
    free = _free_ripple(task, task.project, mover, turn, 0.0)
    if before <= target:
        return Sized(
            "flywheel",
            tr(
                "The ripple is {ripple} without a flywheel, no more than requested: none is "
                "needed.",
                ripple=format_number(free, 3),
            ),
            _figures(turn, free, free, 0.0, simple),
            pictures=_pictures(turn, 0.0),
            notes=_notes(task),
        )
    inertia = _inertia(turn, target)
    # an eighth as thick as wide: J = pi density D^5 / 256
    diameter = diameter or (256.0 * inertia / (math.pi * density)) ** 0.2
    disc = _disc(task, mover.joint, body, inertia, diameter, density)
    after = _free_ripple(task, with_additions(task.project, [disc]), mover, turn, inertia)
    return Sized(
        "flywheel",
        tr(
            "A disc of {mass} and {diameter} keeps the ripple at {ripple}; without it, it "
            "would be {before}.",
            mass=format_value(disc.mass, "mass", digits=4),
            diameter=format_value(diameter, "length", digits=4),
            ripple=format_number(after, 3),
            before=format_number(free, 3) if math.isfinite(free) else tr("a crank that stops"),
        ),
        _figures(turn, after, free, inertia, simple),
        (_table(task, disc),),
        _pictures(turn, inertia),
        _notes(task),
        (disc,),
        abs(after - turn.ripple(inertia)) / target,
    )


def _integral(values: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Integral (s + 1,) from the first angle, of a periodic function: by a spline, which is far
    better than the trapezia.
    """
    closed = np.append(values[:-1], values[0])
    return CubicSpline(angle, closed, bc_type="periodic").antiderivative()(angle)


def _crank(task: Task, pin: Joint) -> str:
    if GROUND not in (pin.frame_a.body, pin.frame_b.body):
        raise ValueError(
            tr("{joint} is not on ground: a flywheel turns with a crank on ground.", joint=pin.name)
        )
    return pin.frame_b.body if pin.frame_a.body == GROUND else pin.frame_a.body


def _turn(task: Task, mover: Mover) -> Turn:
    structure = task.analysis.structure
    if structure is not None and structure.mobility != 1:
        raise ValueError(
            tr(
                "The mechanism has {count} freedoms: a flywheel is sized where a crank's angle "
                "determines the whole motion.",
                count=structure.mobility,
            )
        )
    course = motion_of(task.project, task.progress)
    at = course.coordinate(mover.joint.id)
    speed = np.array([now.rates[at] for now in course.instants])
    mean = float(speed.mean())
    if np.abs(speed).max() <= 1e-9:
        raise ValueError(
            tr("{drive} stands still: there is no ripple to smooth.", drive=mover.element.name)
        )
    if np.ptp(speed) > STEADY * abs(mean):
        raise ValueError(
            tr(
                "{drive} turns at a changing speed: give it a constant one, the required mean.",
                drive=mover.element.name,
            )
        )
    if course.loads:
        raise ValueError(
            tr(
                "The motion repeats, but not all loads do ({names}): there is no cycle.",
                names=comma().join(course.loads),
            )
        )
    if not course.repeats:
        raise ValueError(
            tr("The motion does not repeat within {count} turns: there is no cycle.", count=6)
        )
    torque = np.array(
        [next(e.effort for e in now.efforts if e.id == mover.element.id) for now in course.instants]
    )
    turn = Turn(course, torque, mean)
    if turn.inertia.max() <= 0.0:
        raise ValueError(
            tr("Nothing that moves has mass: the speed of a crank means nothing then.")
        )
    return turn


def _inertia(turn: Turn, target: float) -> float:
    """The least inertia with which the ripple is as required [kg m^2]."""
    first = max(turn.energy / (target * turn.speed**2), float(turn.inertia.max()), 1e-300)
    high = first
    while turn.ripple(high) > target:
        high *= 2.0
        if high > MOST * first:
            raise ValueError(tr("No flywheel makes the ripple so small."))
    # where it would stall the ripple is infinite: a number that brentq can use
    miss = lambda extra: min(turn.ripple(extra), 10.0) - target
    return brentq(miss, 0.0, high, xtol=1e-12 * high)  # type: ignore[return-value]


def _disc(
    task: Task, pin: Joint, body: str, inertia: float, diameter: float, density: float
) -> Disc:
    m = task.mechanism
    mass = 8.0 * inertia / diameter**2
    axis = axis_in(m, pin, body)
    height = mass / (density * math.pi * diameter**2 / 4.0)
    center = m.frame_in_body(side_on(pin, body))[0]
    return Disc(body, mass, center, triple(map(float, axis)), diameter / 2.0, height)


def _free_ripple(task: Task, project: Project, mover: Mover, turn: Turn, extra: float) -> float:
    """Ripple of a run in which the mean torque turns the crank freely, from the speed that the
    balance of energy says; infinite where it stalls.
    """
    speeds = turn.speeds(extra)
    if speeds is None:
        return math.inf
    m, joint = project.mechanism, mover.joint
    sign = math.copysign(
        1.0, float(turn.course.instants[0].rates[turn.course.coordinate(joint.id)])
    )
    id = free_id(project, "motor")
    torque = Force(
        id,
        "mean torque",
        "motor_torque",
        {"torque": Quantity(sign * turn.mean)},
        joint=joint.id,
    )
    drives = {k: d for k, d in m.drives.items() if k != mover.element.id}
    start = msgspec.structs.replace(joint, rates=(Quantity(sign * float(speeds[0])),))
    others = {
        k: msgspec.structs.replace(j, rates=()) if j.rates else j for k, j in m.joints.items()
    }
    free = msgspec.structs.replace(
        m, drives=drives, forces={**m.forces, id: torque}, joints={**others, joint.id: start}
    )
    try:
        duration, samples = LONGER * turn.course.period, round(LONGER * SAMPLES)
        course = run_for(project, duration, samples, task.progress, free)
    except (EngineError, RunStopped):
        return math.inf
    at = course.coordinate(joint.id)
    rates = sign * np.array([now.rates[at] for now in course.instants])
    angles = sign * np.array([now.motion.coordinates[at] for now in course.instants])
    times, turned = course.times - course.times[0], angles - angles[0]
    return _ripple_until(times, turned, rates, float(turn.angle[-1]))


def _ripple_until(times: np.ndarray, angles: np.ndarray, rates: np.ndarray, cycle: float) -> float:
    """Greatest less least rate over the mean of the first cycle, which ends at an angle, located
    between the samples (s,) [s, rad, rad/s]; infinite where there is no whole cycle.
    """
    ends = CubicHermiteSpline(times, angles, rates).solve(cycle, extrapolate=False)
    if not len(ends):
        return math.inf
    end, rate = float(ends.min()), CubicSpline(times, rates)
    turning = rate.derivative().roots(extrapolate=False)
    found = rate(np.concatenate(([0.0, end], turning[turning <= end])))
    return float(np.ptp(found)) * end / cycle


def _figures(
    turn: Turn, after: float, before: float, inertia: float, simple: float
) -> tuple[Figure, ...]:
    return (
        Figure("ripple", tr("Ripple of the free crank"), after, "number", before),
        Figure("mean_torque", tr("Mean torque"), turn.mean, "torque"),
        Figure("energy", tr("Fluctuation of energy ΔE"), turn.energy, "energy"),
        Figure("inertia", tr("Inertia of the flywheel"), inertia, "inertia"),
        Figure("simple_inertia", tr("By ΔE/(δ ω²)"), simple, "inertia"),
        Figure("speed", tr("Mean speed"), turn.speed, "angular_velocity"),
    )


def _table(task: Task, disc: Disc) -> SizedTable:
    return SizedTable(
        tr("Flywheel"),
        tr("on"),
        (tr("mass"), tr("diameter"), tr("thickness")),
        ("mass", "length", "length"),
        (task.mechanism.bodies[disc.body].name,),
        ((disc.mass, 2.0 * disc.radius, disc.height),),
    )


def _notes(task: Task) -> tuple[str, ...]:
    m = task.mechanism
    slow = [f.name for f in m.forces.values() if f.laws or FORCE_TYPES[f.type].law in FOLLOW_SPEED]
    out = [
        tr(
            "The free crank is turned by the mean torque, from the speed that the balance of "
            "energy says."
        )
    ]
    if slow:
        out.append(
            tr(
                "Loads that follow the speed or the time ({names}) count as at the constant speed.",
                names=comma().join(slow),
            )
        )
    return tuple(out)


def _pictures(turn: Turn, inertia: float) -> tuple[SizedPicture, ...]:
    angle = tuple(turn.angle.tolist())
    lines = []
    both = ((tr("before"), "before", 0.0), (tr("after"), "after", inertia))
    for word, role, extra in both if inertia else both[:1]:
        speeds = turn.speeds(extra)
        if speeds is not None:
            lines.append(Line(word, role, angle, tuple(speeds.tolist())))
    mean = (turn.mean,) * 2
    return (
        SizedPicture(
            tr("Speed of the free crank"),
            tr("angle"),
            "angle",
            "ω",
            "angular_velocity",
            tuple(lines),
        ),
        SizedPicture(
            tr("Torque at a constant speed"),
            tr("angle"),
            "angle",
            "M",
            "torque",
            (
                Line(tr("drive"), "after", angle, tuple(turn.torque.tolist())),
                Line(tr("mean"), "limit", (angle[0], angle[-1]), mean),
            ),
        ),
    )
