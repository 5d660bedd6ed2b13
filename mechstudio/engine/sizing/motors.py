"""Motors and gears for the load of a drive.

At the motor, a gear of ratio n turns a load of torque T, speed ω and acceleration α into
T/n (over the efficiency where the motor drives, times it where the load does) + J n α, n ω and n α.
The RMS of that torque is least at n² = rms(T)/(J rms(α)), for a load that is inertia alone at
n² = J_load/J.
"""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mechstudio.engine.dynamics.instant import Effort
from mechstudio.engine.sizing.course import Course, motion_of, not_repeating
from mechstudio.engine.sizing.task import Mover, Task, axis_in, is_slide
from mechstudio.folders import resource_folder
from mechstudio.model.geometry.rotation import triple
from mechstudio.model.mechanism import GROUND
from mechstudio.model.results.sample import KINETIC
from mechstudio.model.sizing.additions import Rotor
from mechstudio.model.sizing.answer import Figure, Line, Sized, SizedPicture, SizedTable
from mechstudio.model.sizing.motors import Motor, read_motors
from mechstudio.model.units import format_number, format_value
from mechstudio.translation import comma, tr

GENERIC = "generic.csv"
BALANCED = 1e-6  # part of the largest load that may be left where friction counts as sliding
MOVES = 1e-6  # part of the largest speed from which a coordinate moves
STILL = 1e-9  # a speed that counts as standing still [rad/s], and part of its square as steady


class Load(NamedTuple):
    """Load of a drive over its motion.  torque [N m], speed [rad/s], acceleration [rad/s^2]: (s,).
    inertia [kg m^2]: greatest at the joint, NaN where other drives move too.  rests: against
    friction that sticks.
    """

    course: Course
    torque: np.ndarray
    speed: np.ndarray
    acceleration: np.ndarray
    inertia: float
    rests: bool = False

    def at_motor(self, efficiency: float) -> np.ndarray:
        """Torque (s,) that the gear needs from the motor, times the ratio."""
        drives = self.torque * self.speed >= 0.0
        return self.torque * np.where(drives, 1.0 / efficiency, efficiency)


class Choice(NamedTuple):
    """A motor with a ratio.  margins: of peak torque, RMS torque and speed.  mismatch: inertia of
    the load at the motor over the rotor's, NaN where the load's is not known or the rotor counts as
    massless.
    """

    motor: Motor
    ratio: float
    peak: float
    rms: float
    margins: tuple[float, float, float]
    mismatch: float

    def fails(self, reserve: float, mismatch: float) -> tuple[int, ...]:
        """Columns of the table that do not do."""
        out = [c for c, margin in zip((1, 2, 3), self.margins) if margin < reserve]
        return (*out, 4) if self.mismatch > mismatch else tuple(out)

    @property
    def least(self) -> float:
        """The least of the margins."""
        return min(self.margins)


def motor(task: Task) -> Sized:
    """See the module."""
    mover = task.mover("drive")
    efficiency = task.needed("efficiency", 0.0)
    if efficiency > 1.0:
        raise ValueError(tr("Efficiency goes up to 1."))
    reserve, mismatch = task.needed("reserve", 0.0), task.needed("mismatch", 0.0)
    ratios = sorted(set(task.numbers("ratios")))
    motors = _motors(task)
    per_turn = _travel(task, mover)
    load = _load(task, mover, per_turn / (2.0 * math.pi) if per_turn else 1.0)
    best = [_best(one, load, ratios, efficiency, reserve, mismatch) for one in motors]
    passing = [c for c in best if not c.fails(reserve, mismatch)]
    passing.sort(key=lambda c: (c.motor.rated_torque, c.motor.peak_torque))
    taken = _taken(task, best, passing)
    others = [c for c in best if c not in passing]
    table = _table(task, passing + others, load, efficiency, reserve, mismatch)
    rotor = _rotor(task, mover, taken)
    notes = [not_repeating(load.course)]
    if load.rests:
        notes.append(
            tr(
                "Where {drive} stands still and friction sticks, it counts as about to go on, with "
                "the friction against it.",
                drive=mover.element.name,
            )
        )
    if math.isnan(load.inertia):
        notes.append(
            tr("Other drives move it too: the inertia of this load is not known by itself.")
        )
    if per_turn:
        mass = taken.motor.inertia * (2.0 * math.pi * taken.ratio / per_turn) ** 2
        notes.append(
            tr(
                "Torque and speed are those of the shaft that moves {joint}. The rotor acts on it "
                "like a mass of {mass}, which is not added to the drawing.",
                joint=mover.joint.name,
                mass=format_value(mass, "mass", digits=4),
            )
        )
    elif rotor is None:
        notes.append(
            tr("The pin is not on ground: a rotor's inertia cannot be added to one body alone.")
        )
    if taken.motor.inertia == 0.0:
        notes.append(
            tr(
                "The rotor of {motor} counts as massless: it has no inertia ratio, and adds no "
                "inertia.",
                motor=taken.motor.name,
            )
        )
    return Sized(
        "motor",
        _sentence(taken, passing, len(best), reserve),
        _figures(load, taken, efficiency),
        (table, _ratios(taken.motor, load, ratios, efficiency, reserve, mismatch)),
        (_picture(load, taken, efficiency),),
        tuple(filter(None, notes)),
        (rotor,) if rotor is not None and rotor.inertia > 0.0 and taken in passing else (),
    )


def _motors(task: Task) -> list[Motor]:
    path = task.text("motors")
    file = Path(path) if path else resource_folder("motors") / GENERIC
    try:
        return read_motors(file.read_text(encoding="utf-8"), file.name)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            tr("{path} cannot be read ({reason}).", path=str(file), reason=error)
        ) from None


def _travel(task: Task, mover: Mover) -> float:
    """Way of a slider through one turn of its pinion or screw [m]; 0 of a pin."""
    if not is_slide(mover.joint):
        return 0.0
    if GROUND not in (mover.joint.frame_a.body, mover.joint.frame_b.body):
        raise ValueError(tr("{joint} slides on a body that moves itself.", joint=mover.joint.name))
    if task.number("travel") is None:
        raise ValueError(
            tr(
                "{joint} slides: give the travel through one turn of its pinion or screw.",
                joint=mover.joint.name,
            )
        )
    return task.needed("travel", 0.0)


def _load(task: Task, mover: Mover, travel: float) -> Load:
    """travel: of the joint through one radian of the shaft that moves it, 1 of a pin [m]."""
    course = motion_of(task.project, task.progress)
    m, moving = course.mechanism, course.instants
    at = course.coordinate(mover.joint.id)
    speed = np.array([now.rates[at] for now in moving]) / travel
    if np.abs(speed).max() <= STILL:
        raise ValueError(
            tr(
                "{drive} stands still: its load says nothing about a motor.",
                drive=mover.element.name,
            )
        )
    index = [GROUND, *m.bodies]
    a, b = (index.index(frame.body) for frame in (mover.joint.frame_a, mover.joint.frame_b))
    axis = axis_in(m, mover.joint, mover.joint.frame_b.body)
    of = slice(0, 3) if is_slide(mover.joint) else slice(3, 6)
    # along the pin, which is fixed in both bodies: what turns the pin itself stands across it
    acceleration = np.array(
        [
            (now.at.R[b] @ axis) @ (now.accelerations[b, of] - now.accelerations[a, of])
            for now in moving
        ]
    )
    acceleration /= travel
    # what rounding leaves of a constant speed
    acceleration[np.abs(acceleration) <= STILL * np.abs(speed).max() ** 2] = 0.0
    rests = False
    if mover.is_drive:
        efforts, rests = _efforts(course, mover)
        if not all(e.determined for e in efforts):
            raise ValueError(
                tr(
                    "The torque of {drive} is not determined: another drive can do its work.",
                    drive=mover.element.name,
                )
            )
        torque = np.array([e.effort for e in efforts])
    else:
        torque = np.array(
            [next(x.effort for x in now.loads if x.id == mover.element.id) for now in moving]
        )
    others = [x for x in task.movers() if x.element.id != mover.element.id]
    structure = task.analysis.structure
    inertia = math.nan
    if not others and structure is not None and structure.mobility == 1:
        kinetic = course.record.samples[: len(moving), course.system.layout.energy.start + KINETIC]
        turns = np.abs(speed) > 1e-3 * np.abs(speed).max()
        inertia = float((2.0 * kinetic[turns] / speed[turns] ** 2).max())
    return Load(course, torque * travel, speed, acceleration, inertia, rests)


def _efforts(course: Course, mover: Mover) -> tuple[list[Effort], bool]:
    """Effort of a drive at every instant, and True if it stands still against friction that sticks:
    it then counts as about to go on, with the friction against it.
    """
    of = lambda now: next(e for e in now.efforts if e.id == mover.element.id)
    out, rests = [], False
    for k, now in enumerate(course.instants):
        effort = of(now)
        if not effort.determined and now.held:
            sliding = now.about_to_slide({key: _next_way(course, key, k) for key in now.held})
            if sliding.residual < BALANCED:
                effort, rests = of(sliding), True
        out.append(effort)
    return out, rests


def _next_way(course: Course, key: tuple[str, int], k: int) -> float:
    """Direction in which a coordinate moves after sample k, or before it if not after."""
    at, moving = course.coordinate(*key), course.instants
    rates = np.array([now.rates[at] for now in (*moving[k:], *moving[:k])])
    if not course.repeats:
        rates = np.concatenate((rates[: len(moving) - k], rates[len(moving) - k :][::-1]))
    moves = np.abs(rates) > MOVES * np.abs(rates).max()
    return float(np.sign(rates[np.argmax(moves)])) if moves.any() else 0.0


def best_ratio(motor: Motor, load: Load, efficiency: float) -> float:
    """Ratio of the least RMS torque at the motor, NaN of a load that does not accelerate or has no
    torque.
    """
    inner = motor.inertia * load.course.rms(load.acceleration)
    outer = load.course.rms(load.at_motor(efficiency))
    return math.sqrt(outer / inner) if inner > 0.0 and outer > 0.0 else math.nan


def choice(motor: Motor, ratio: float, load: Load, efficiency: float) -> Choice:
    """Margins of a motor with a ratio."""
    torque = load.at_motor(efficiency) / ratio + motor.inertia * ratio * load.acceleration
    peak, rms = float(np.abs(torque).max()), load.course.rms(torque)
    speed = ratio * float(np.abs(load.speed).max())
    over = lambda limit, value: limit / value if value > 0.0 else math.inf
    margins = (
        over(motor.peak_torque, peak),
        over(motor.rated_torque, rms),
        over(motor.max_speed, speed),
    )
    # a massless rotor has no ratio that could be kept
    mismatch = load.inertia / ratio**2 / motor.inertia if motor.inertia > 0.0 else math.nan
    return Choice(motor, ratio, peak, rms, margins, mismatch)


def _best(
    motor: Motor,
    load: Load,
    ratios: list[float],
    efficiency: float,
    reserve: float,
    mismatch: float,
) -> Choice:
    """The ratio with which a motor does best: that passes, then with the greatest least margin."""
    choices = [choice(motor, n, load, efficiency) for n in ratios]
    return max(choices, key=lambda c: (-len(c.fails(reserve, mismatch)), c.least))


def _taken(task: Task, best: list[Choice], passing: list[Choice]) -> Choice:
    name = task.text("take")
    if not name:
        return passing[0] if passing else max(best, key=lambda c: c.least)
    found = [c for c in best if c.motor.name == name]
    if not found:
        raise ValueError(
            tr(
                "There is no motor {name}; there are {known}.",
                name=name,
                known=comma().join(c.motor.name for c in best),
            )
        )
    return found[0]


def _rotor(task: Task, mover: Mover, taken: Choice) -> Rotor | None:
    """The rotor on the body that turns on ground; None where none does."""
    a, b = mover.joint.frame_a.body, mover.joint.frame_b.body
    if is_slide(mover.joint) or GROUND not in (a, b):
        return None
    body = b if a == GROUND else a
    axis = axis_in(task.mechanism, mover.joint, body)
    return Rotor(body, triple(map(float, axis)), taken.motor.inertia * taken.ratio**2)


def _sentence(taken: Choice, passing: list[Choice], count: int, reserve: float) -> str:
    if not passing:
        return tr(
            "None of the {count} motors passes with these ratios and a reserve of {reserve}: the "
            "nearest is {motor}.",
            count=count,
            reserve=format_number(reserve, 6),
            motor=taken.motor.name,
        )
    if taken in passing:
        return tr(
            "{motor} with a ratio of {ratio} passes; {passing} of {count} motors do.",
            motor=taken.motor.name,
            ratio=format_number(taken.ratio, 6),
            passing=len(passing),
            count=count,
        )
    return tr(
        "{motor} does not pass; {passing} of {count} motors do.",
        motor=taken.motor.name,
        passing=len(passing),
        count=count,
    )


def _figures(load: Load, taken: Choice, efficiency: float) -> tuple[Figure, ...]:
    power = load.torque * load.speed
    return (
        Figure("torque_peak", tr("Load torque, peak"), float(np.abs(load.torque).max()), "torque"),
        Figure("torque_rms", tr("Load torque, RMS"), load.course.rms(load.torque), "torque"),
        Figure(
            "speed", tr("Load speed, greatest"), float(np.abs(load.speed).max()), "angular_velocity"
        ),
        Figure("power", tr("Load power, peak"), float(np.abs(power).max()), "power"),
        Figure("inertia", tr("Load inertia, greatest"), load.inertia, "inertia"),
        Figure("ratio", tr("Ratio"), taken.ratio, "number"),
        Figure(
            "best_ratio",
            tr("Ratio of the least RMS torque"),
            best_ratio(taken.motor, load, efficiency),
            "number",
        ),
        Figure("motor_peak", tr("Motor torque, peak"), taken.peak, "torque"),
        Figure("motor_rms", tr("Motor torque, RMS"), taken.rms, "torque"),
    )


def _table(
    task: Task,
    choices: list[Choice],
    load: Load,
    efficiency: float,
    reserve: float,
    mismatch: float,
) -> SizedTable:
    return SizedTable(
        tr("Motors, each with the ratio that suits it best"),
        tr("motor"),
        (*_margin_columns(tr("ratio")), tr("best ratio")),
        ("number",) * 6,
        tuple(c.motor.name for c in choices),
        tuple(
            (c.ratio, *c.margins, c.mismatch, best_ratio(c.motor, load, efficiency))
            for c in choices
        ),
        tuple(c.fails(reserve, mismatch) for c in choices),
        tuple(_word(c, reserve, mismatch) for c in choices),
    )


def _ratios(
    motor: Motor,
    load: Load,
    ratios: list[float],
    efficiency: float,
    reserve: float,
    mismatch: float,
) -> SizedTable:
    choices = [choice(motor, n, load, efficiency) for n in ratios]
    return SizedTable(
        tr("Ratios of {motor}", motor=motor.name),
        tr("ratio"),
        (tr("RMS torque"), *_margin_columns("")[1:]),
        ("torque", "number", "number", "number", "number"),
        tuple(format_number(c.ratio, 6) for c in choices),
        tuple((c.rms, *c.margins, c.mismatch) for c in choices),
        tuple(c.fails(reserve, mismatch) for c in choices),
        tuple(_word(c, reserve, mismatch) for c in choices),
    )


def _margin_columns(first: str) -> tuple[str, ...]:
    return (
        first,
        tr("peak margin"),
        tr("thermal margin"),
        tr("speed margin"),
        tr("inertia ratio"),
    )


def _word(c: Choice, reserve: float, mismatch: float) -> str:
    words = {1: tr("peak torque"), 2: tr("RMS torque"), 3: tr("speed"), 4: tr("inertia")}
    fails = c.fails(reserve, mismatch)
    return comma().join(words[k] for k in fails) if fails else tr("passes")


def _picture(load: Load, taken: Choice, efficiency: float) -> SizedPicture:
    motor, n = taken.motor, taken.ratio
    speed = n * load.speed
    torque = load.at_motor(efficiency) / n + motor.inertia * n * load.acceleration
    # on the side of the speeds that occur
    low = -motor.max_speed if speed.min() < 0.0 else 0.0
    high = motor.max_speed if speed.max() > 0.0 else 0.0
    box = lambda level: ((low, high, high, low, low), (level, level, -level, -level, level))
    return SizedPicture(
        tr(
            "{motor} with a ratio of {ratio}: load under its limits",
            motor=motor.name,
            ratio=format_number(n, 6),
        ),
        tr("speed of the motor"),
        "angular_velocity",
        tr("torque of the motor"),
        "torque",
        (
            Line(tr("peak"), "limit", *box(motor.peak_torque)),
            Line(tr("rated"), "lasting", *box(motor.rated_torque)),
            Line(tr("load"), "after", tuple(speed.tolist()), tuple(torque.tolist())),
        ),
    )
