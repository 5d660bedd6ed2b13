"""Data that an external simulation needs beside the equations: initial values, the independent
constraint rows, and what follows the time.

The numbers come from the engine, which assembles the drawing and finds its initial velocities.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from mechstudio.model.equations.terms import Equations
from mechstudio.model.formulas.expression import names_in
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.time_shift import later
from mechstudio.model.mechanism import ACCELERATION, POSITION, Drive, Law, Mechanism
from mechstudio.model.results.sample import POTENTIAL, SampleLayout
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic.exports.motion_laws import (
    MotionLaws,
    motion_laws,
    rate_symbol,
    reads_motion,
)
from mechstudio.symbolic.kinematics.loads import symbol_meaning
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations
    from mechstudio.symbolic.plan.plan import Plan

Start = dict[tuple[str, int], tuple[float, float]]
Sample = tuple[np.ndarray, SampleLayout]

TIGHT = 1e-11  # tolerance of a run that others are compared with
KNOTS = 200  # intervals of a course at least, and those that corners add
MOST = 10_000  # instants of a course
FOREVER = 1e300  # [s]
_BESIDE = 1e-7  # s: where a law is read beside its corners
ROUGH = 1e-6  # share of the acceleration that a course may miss between its instants
BEFORE = 1e-6  # of the duration: how long before a corner its left side is taken
SMALL = 1e-9  # of the largest singular value: rows that others imply
POSES = 200  # intervals of a run at whose ends rows are compared
SETS = 300  # of rows that are compared
_LATER = np.array([1.0, 1.1, 1.7, 3.0, 10.0, 137.0])  # of the duration: where laws are looked at
WEAK = 0.02  # share below which a set of rows is about to repeat itself
_FINE = 8  # steps of the integration of a law between two knots


class Course(msgspec.Struct, frozen=True):
    """A symbol that follows the time: values and first and second rates at some instants, the
    corners of its law among them.  miss: of the law between them, as a multiple of what is allowed
    (see _laid_out); above 1 the law has more waves or corners than a course holds.
    drive: id of the drive that it is of, else empty.

    name: of the symbol; for a drive that of its place, and `acceleration` that of its second rate.
    rate: of the symbol for its rate.  All but the first may be empty.
    law: over the time, from the start of the motion on; of a drive for its `quantity`, else the
    values themselves.
    """

    name: str
    acceleration: str
    times: tuple[float, ...]
    values: tuple[float, ...]
    rates: tuple[float, ...]
    curvatures: tuple[float, ...]
    miss: float = 0.0
    drive: str = ""
    rate: str = ""
    law: Law | None = None
    quantity: str = ""

    @property
    def symbols(self) -> tuple[tuple[str, int], ...]:
        """Its symbols, with the order of the derivative that each stands for."""
        every = ((self.name, 0), (self.rate, 1), (self.acceleration, 2))
        return tuple(x for x in every if x[0])


class Motion(msgspec.Struct, frozen=True):
    """q, v: at its start, in the order of the coordinates, from where the courses count the time.
    duration [s].  kept: numbers of the independent rows of C.

    rolling: numbers of rows that hold velocities, with no position behind them.  remark: why q, v
    or the time are not those of the engine; else empty.  potential: energy at the start [J].
    course(duration, count): the coordinates (count + 1, n) of a run at even instants, None where it
    cannot be run.
    is_started: False where the engine cannot start the drawing, and q, v are zero.
    laws_end: time up to which the courses hold [s]; straight ones hold for ever.
    driven: per row of C that prescribes a motion its course.  laws: of forces that read the motion.
    laid: sentences on how long and how closely the courses follow their laws, for programs that
    have the courses without the laws.
    jumps: a sentence for programs that close the rows of C gradually, on rates that jump.
    held: numbers of forces at the start, by symbol, whose laws read what has no closed form.
    """

    q: tuple[float, ...]
    v: tuple[float, ...]
    duration: float
    kept: tuple[int, ...]
    rolling: tuple[int, ...]
    courses: tuple[Course, ...] = ()
    remark: str = ""
    potential: float = 0.0
    course: Callable[[float, int], np.ndarray | None] = lambda duration, count: None
    is_started: bool = True
    laws_end: float = FOREVER
    driven: Mapping[int, Course] = {}
    laws: MotionLaws = MotionLaws()
    laid: str = ""
    jumps: str = ""
    held: Mapping[str, float] = {}

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences for programs that follow the courses."""
        return tuple(filter(None, (self.remark, self.laid)))


def motion_of(derivation: "DerivedEquations") -> Motion:
    """The motion of a derivation's drawing; a drawing that the engine cannot start begins at zero,
    and says so.
    """
    plan = derivation.plan
    duration = plan.project.settings.duration.value
    remark, is_started = "", True
    energy = 0.0
    try:
        q, v, values, energy, sample = _start(derivation)
    except ValueError as error:
        values, is_started, sample = {}, False, None
        q, v, remark = (
            np.zeros(len(plan.coordinates)),
            np.zeros(len(plan.coordinates)),
            tr(
                "The start is all zero, because the drawing cannot be started: {error}", error=error
            ),
        )
    if begin := plan.mechanism.start.value:
        clock = tr("Its time counts from the start of the drawing at {begin:g} s.", begin=begin)
        remark = f"{remark} {clock}".strip()
    courses = _courses(derivation, duration, values)
    of_drives = {c.drive: c for c in courses if c.drive}
    rough = [c.name for c in courses if c.miss > 1.0]
    laws_end = duration if any(_bends(c, duration) for c in courses) else FOREVER
    laid = ""
    if laws_end < FOREVER:
        laid = tr("Laws over the time are laid out up to {duration:g} s.", duration=duration)
    laws = motion_laws(derivation, _lawful(derivation))
    if laws.held:
        still = [
            symbol_meaning(plan.mechanism.forces[force], parameter)
            for force, parameter in laws.held
        ]
        said = tr(
            "Models, notebooks and FMUs hold these numbers of forces as they are at the start, "
            "since what their laws read has no closed form: {names}.",
            names=comma().join(still),
        )
        remark = f"{remark} {said}".strip()
    if fixed := _fixed_parameters(derivation):
        said = tr(
            "Laws hold these parameters as they are in the drawing, also where they are changed "
            "here: {names}.",
            names=comma().join(fixed),
        )
        remark = f"{remark} {said}".strip()
    if rough:
        said = tr(
            "What follows the time is too quick or too broken to be laid out closely: {names}.",
            names=comma().join(rough),
        )
        laid = f"{laid} {said}".strip()
    kept: tuple[int, ...] = ()
    if derivation.rows:
        _lay_out_curves(derivation)
        kept = _kept(derivation, q, duration)
    rolling = tuple(k for k, r in enumerate(derivation.rows) if r.label.endswith("(velocity)"))
    return Motion(
        tuple(map(float, q)),
        tuple(map(float, v)),
        duration,
        kept,
        rolling,
        courses,
        remark,
        energy,
        lambda duration, count: _course_of_run(plan, duration, count),
        is_started,
        laws_end,
        {k: of_drives[r.joint] for k, r in enumerate(derivation.rows) if r.joint in of_drives},
        laws,
        laid,
        _jumps(plan.mechanism),
        _held_numbers(derivation, laws, q, v, sample) if laws.held else {},
    )


def _held_numbers(
    derivation: "DerivedEquations",
    laws: MotionLaws,
    q: np.ndarray,
    v: np.ndarray,
    sample: Sample | None,
) -> dict[str, float]:
    """Values at the start of the numbers that programs hold, by symbol, with rates of zero."""
    from mechstudio.symbolic.instants.prescribed import Followed
    from mechstudio.symbolic.instants.states import frames
    from mechstudio.symbolic.methods.sampling import Values

    poses, J = frames(derivation, q)
    row, layout = sample or (None, None)
    begin = derivation.plan.mechanism.start.value
    twists = (J @ v).reshape(-1, 6)
    found = Followed(derivation).at(
        Values(derivation, q, v), q, v, begin, poses, twists, row, layout
    )
    names = _lawful(derivation)
    loads = {load.force.id: load for load in derivation.setting.loads.loads}
    out: dict[str, float] = {}
    for force, parameter in laws.held:
        load = loads[force]
        out[names[force, parameter]] = found[load.followed[parameter]]
        if rate := names.get((force, rate_symbol(load.force, parameter)), ""):
            out[rate] = 0.0
    return out


def _lay_out_curves(derivation: "DerivedEquations") -> None:
    """Put in the numbers of curves, unless they are there."""
    from mechstudio.engine.constraints.tracks import track_tables

    for id, table in track_tables(derivation.plan.mechanism).items():
        derivation.curves.setdefault(id, table.at)


def _kept(derivation: "DerivedEquations", q: np.ndarray, duration: float) -> tuple[int, ...]:
    """Rows to hold.  Where some repeat others, those that stay independent all along the run, as
    far as any do: rows of a spatial loop that imply the others here may imply each other elsewhere.
    """
    f = derivation.function()
    jacobian = lambda x: f(x, np.zeros(len(x)), 0.0, derivation.values)[4]
    beside = q + np.random.default_rng(0).uniform(-0.1, 0.1, len(q))
    first = jacobian(q)
    kept = _independent(first)
    if len(kept) == int((np.abs(first) + np.abs(jacobian(beside))).any(axis=1).sum()):
        return kept
    run = _course_of_run(derivation.plan, duration, POSES)
    if run is None:
        return kept
    return lasting_rows(np.array([first, *map(jacobian, run)]), kept)[0]


def _bends(course: Course, duration: float) -> bool:
    """True if a course, or its law after it, is no straight line."""
    rates = np.array(course.rates)
    size = float(np.abs(rates).max())
    if np.ptp(rates) > 1e-12 * size or any(course.curvatures):
        return True
    assert course.law is not None
    if any(t > duration for t in evaluation.breakpoints(course.law)):
        return True
    after = np.array(evaluation.jets(course.law, duration * _LATER))
    is_place = course.quantity in (POSITION, "")
    along = [*after[:, 1], course.rates[0]] if is_place else after[:, 0]
    # what has no value bends
    return not np.ptp(along) <= 1e-9 * np.abs([size, *along]).max()


def _jumps(mechanism: Mechanism) -> str:
    """See Motion."""
    found = [
        drive.name
        for drive in mechanism.drives.values()
        if drive.enabled and _has_jump(drive.law, drive.quantity)
    ]
    if not found:
        return ""
    return tr(
        "The rate that {names} prescribes jumps. The run and FMUs jump with it; Modelica and "
        "notebooks come to it within some tenths of a second.",
        names=comma().join(found),
    )


def _has_jump(law: Law, quantity: str) -> bool:
    """True if the rate that a law prescribes jumps."""
    order = {POSITION: 1, ACCELERATION: None}.get(quantity, 0)
    if order is None:
        return False
    for t in evaluation.breakpoints(law):
        before, after = (evaluation.jet(law, t + side * _BESIDE) for side in (-1.0, 1.0))
        bend = abs(before[order + 1]) + abs(after[order + 1])
        size = 1e-9 * (abs(before[order]) + abs(after[order]))
        if t > 0.0 and abs(after[order] - before[order]) > size + 4.0 * _BESIDE * bend:
            return True
    return False


def open_rows(e: Equations) -> int:
    """Number of rows of C that do not hold in every position."""
    rows = e.block("C_q").rows if e.multipliers else ()
    return sum(not all(cell.is_zero for cell in row) for row in rows)


def lasting_rows(
    jacobians: np.ndarray, first: tuple[int, ...]
) -> tuple[tuple[int, ...], np.ndarray]:
    """Rows of C_q (poses, rows, coordinates) that imply the others at all poses, as many as some
    pose has of independent ones; and per pose their least singular value as a share of that of all.
    `first` where it is half as good as the best, or where too many sets would be to be compared.
    """
    values = np.linalg.svd(jacobians, compute_uv=False)
    sizes = values[:, :1]
    count = max(len(first), int((values > 1e3 * SMALL * sizes).sum(axis=1).max()))
    regular = values[:, count - 1] > 1e3 * SMALL * sizes[:, 0]

    def shares(rows: tuple[int, ...]) -> np.ndarray:
        least = np.linalg.svd(jacobians[:, list(rows)], compute_uv=False)[:, -1]
        # at a singular pose of the mechanism no rows are better than others
        return np.where(regular, least / np.where(regular, values[:, count - 1], 1.0), 1.0)

    usable = np.flatnonzero(np.abs(jacobians).max(axis=(0, 2)) > SMALL * sizes.max()).tolist()
    if len(first) < count:
        first = _independent(jacobians[int(np.argmax(values[:, count - 1]))])
    sets = [first]
    if math.comb(len(usable), count) <= SETS:
        sets += itertools.combinations(usable, count)
    found = [shares(rows) for rows in sets]
    best = max(range(len(sets)), key=lambda k: float(found[k].min()))
    chosen = 0 if 2.0 * found[0].min() >= found[best].min() > WEAK else best
    return sets[chosen], found[chosen]


def _independent(jacobian: np.ndarray) -> tuple[int, ...]:
    """Rows that no earlier one implies."""
    taken, out = np.zeros((0, jacobian.shape[1])), []
    size = float(np.abs(jacobian).max(initial=0.0)) or 1.0
    for k, row in enumerate(jacobian):
        rest = row / size
        for _ in range(2):
            rest = rest - (rest @ taken.T) @ taken
        length = float(np.linalg.norm(rest))
        if length > 1e3 * SMALL:
            taken = np.concatenate((taken, rest[None] / length))
            out.append(k)
    return tuple(out)


# initial values


def _start(
    derivation: "DerivedEquations",
) -> tuple[np.ndarray, np.ndarray, Start, float, Sample]:
    """q, v as the engine starts, (value, rate) of all joints' coordinates by (joint, component),
    the potential energy [J] and the sample.  Raises ValueError (EngineError is one).
    """
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.run import run
    from mechstudio.engine.system.system import compile_system

    plan, mechanism = derivation.plan, derivation.plan.mechanism
    try:
        system = compile_system(mechanism)
        first = np.array(next(iter(run(system, RunOptions(duration=1e-9, sample_step=1e-9))))[0])
    except EngineError as error:
        raise ValueError(f"{error.finding.message} {error.finding.cure}".strip()) from error
    except (RunStopped, StopIteration) as error:
        raise ValueError(str(error)) from error
    values = _values(mechanism, system.layout, first)
    energy = float(first[system.layout.energy][POTENTIAL])
    return *_solved(plan, values), values, energy, (first, system.layout)


def _course_of_run(plan: "Plan", duration: float, count: int) -> np.ndarray | None:
    """Coordinates (count + 1, n) of a run at even instants; None where it cannot be run."""
    from mechstudio.engine.errors import EngineError, RunStopped
    from mechstudio.engine.integration.options import RunOptions
    from mechstudio.engine.run import run
    from mechstudio.engine.system.system import compile_system

    try:
        system = compile_system(plan.mechanism)
        options = RunOptions(duration=duration, sample_step=duration / count, tolerance=TIGHT)
        rows = np.concatenate([np.array(block) for block in run(system, options)])
    except (EngineError, RunStopped, ValueError):
        return None
    layout = system.layout
    return np.array([_solved(plan, _values(plan.mechanism, layout, row))[0] for row in rows])


def _values(mechanism: Mechanism, layout: SampleLayout, first: np.ndarray) -> Start:
    """(value, rate) of all joints' coordinates, and of free bodies, of a sample."""
    from mechstudio.engine.constraints.joint_coordinates import coordinate_wrenches
    from mechstudio.engine.constraints.rows import JointRows

    poses, velocities = first[layout.poses].reshape(-1, 7), first[layout.velocities].reshape(-1, 6)
    rows = JointRows(mechanism)
    frames = [f[0] for f in rows.frames(poses[None])]
    attitudes = {id: _matrix(p[3:]) for id, p in zip(mechanism.bodies, poses)}
    twists = {
        id: (v[:3], attitudes[id] @ v[3:], p[:3])
        for id, v, p in zip(mechanism.bodies, velocities, poses)
    }
    values: Start = {}
    for k, (id, joint) in enumerate(mechanism.joints.items()):
        x = first[layout.joint(id)]
        F, M = coordinate_wrenches(joint, k, rows, frames, x)
        over, under = (
            _at(twists.get(f.body), frames[2][k]) for f in (joint.frame_b, joint.frame_a)
        )
        rates = F @ (over[0] - under[0]) + M @ (over[1] - under[1])
        values |= {
            (id, c): (float(x[c]), float(rates[c])) for c in range(JOINT_TYPES[joint.type].dof)
        }
    for id, p in zip(mechanism.bodies, poses):
        angles, rates = _cardan(attitudes[id], twists[id][1])
        for c, pair in enumerate(zip((*p[:3], *angles), (*twists[id][0], *rates))):
            values[f"body {id}", c] = pair
    return values


def _at(twist, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of a body's point in W and its angular velocity; ground rests."""
    if twist is None:
        return np.zeros(3), np.zeros(3)
    v, w, origin = twist
    return v + np.cross(w, point - origin), w


def _solved(plan: "Plan", values: Start) -> tuple[np.ndarray, np.ndarray]:
    """The coordinates of the plan from those of joints: a link's angle is a sum of them."""
    n = len(plan.coordinates)
    A, x, u = np.zeros((n, n)), np.zeros(n), np.zeros(n)
    for k, c in enumerate(plan.coordinates):
        form = plan.joint_forms.get((c.joint, c.component)) if c.joint else None
        x[k], u[k] = values[c.joint or f"body {c.body}", c.component]
        for variable, factor in form or ((k, 1),):
            if variable >= 0:
                A[k, variable] += factor
            else:
                x[k] -= factor * plan.symbols.value_of(-1 - variable)
    return np.linalg.solve(A, x), np.linalg.solve(A, u)


def _matrix(q: np.ndarray) -> np.ndarray:
    from mechstudio.model.geometry.rotation import matrix

    return np.array(matrix(tuple(q)))


def _cardan(R: np.ndarray, w: np.ndarray) -> tuple[tuple[float, float, float], np.ndarray]:
    """psi, theta, phi of R = Rz(psi) Ry(theta) Rx(phi), and their rates at an angular velocity in
    W.
    """
    theta = math.asin(max(-1.0, min(1.0, -float(R[2, 0]))))
    psi, phi = math.atan2(R[1, 0], R[0, 0]), math.atan2(R[2, 1], R[2, 2])
    axes = np.array([[0.0, 0.0, 1.0], [-math.sin(psi), math.cos(psi), 0.0], R[:, 0]]).T
    return (psi, theta, phi), np.linalg.pinv(axes) @ w


# what follows the time


def _courses(derivation: "DerivedEquations", duration: float, values: Start) -> tuple[Course, ...]:
    mechanism = derivation.plan.mechanism
    begin = mechanism.start.value
    names = {
        (next(iter(s.sources), ""), s.letter): derivation.names.p[s.index].name
        for s in derivation.plan.symbols.all
        if s.index in derivation.names.p
    }
    out = []
    for drive in mechanism.drives.values():
        place, acceleration = names.get((drive.id, "x_d"), ""), names.get((drive.id, "a_d"), "")
        if drive.enabled and place:
            drive = msgspec.structs.replace(drive, law=later(drive.law, begin))
            begun = values.get((drive.joint, drive.coordinate), (derivation.values[place], 0.0))
            course = _laid_out(
                place,
                acceleration,
                lambda times, drive=drive, begun=begun: _driven(drive, times, *begun),
                instants(drive.law, duration),
                (1e-9, 1e-8, ROUGH),
            )
            out.append(
                msgspec.structs.replace(
                    course, drive=drive.id, law=drive.law, quantity=drive.quantity
                )
            )
    lawful = _lawful(derivation)
    for force in mechanism.forces.values():
        for parameter, law in force.laws.items():
            name = lawful.get((force.id, parameter), "")
            rate = lawful.get((force.id, rate_symbol(force, parameter)), "")
            if not name or reads_motion(mechanism, force, law):
                continue
            law = later(law, begin)
            course = _laid_out(
                name,
                "",
                lambda times, law=law: np.array(evaluation.jets(law, times)).T,
                instants(law, duration),
                (1e-9, 1e-9 if rate else math.inf, math.inf),
            )
            out.append(msgspec.structs.replace(course, rate=rate, law=law))
    return tuple(out)


def instants(law: Law, duration: float) -> np.ndarray:
    """Sample times of a course; at a corner also just before it, since what jumps there has two
    values.
    """
    corners = [t for t in evaluation.breakpoints(law) if 0.0 < t < duration]
    return np.array(
        sorted(
            {
                *np.linspace(0.0, duration, KNOTS + 1),
                *corners,
                *(t - BEFORE * duration for t in corners if t > BEFORE * duration),
            }
        )
    )


def _lawful(derivation: "DerivedEquations") -> dict[tuple[str, str], str]:
    """Names of the symbols of numbers that follow a law, and of their rates, by (force, number)."""
    known = derivation.names.p
    return {
        (load.force.id, parameter): known[index].name
        for load in derivation.setting.loads.loads
        for parameter, index in load.followed.items()
        if index in known
    }


def _fixed_parameters(derivation: "DerivedEquations") -> list[str]:
    """Parameters of the user that stand in the equations and are numbers in a law."""
    mechanism = derivation.plan.mechanism
    laws = [drive.law for drive in mechanism.drives.values() if drive.enabled]
    laws += [c.law for c in mechanism.couplings.values() if c.law is not None]
    laws += [law for force in mechanism.forces.values() for law in force.laws.values()]
    named = {name for law in laws for name in law.parameters if law.type == "expression"}
    named |= {
        name
        for law in laws
        for q in (*law.parameters.values(), *(x for point in law.points for x in point))
        for name in names_in(q.text)
    }
    return [
        s.letter
        for s in derivation.plan.symbols.all
        if s.parameter and s.index in derivation.names.p and s.letter in named
    ]


def _laid_out(
    name: str,
    acceleration: str,
    jets: Callable[[np.ndarray], np.ndarray],
    times: np.ndarray,
    allowed: tuple[float, float, float],
) -> Course:
    """A course whose instants, some at first, are so close that the quintics between them miss
    value, rate and second rate each by a share of its size that is allowed.

    jets: times -> (f, f', f'') (3, times).
    """
    shortest = 4.0 * BEFORE * (times[-1] - times[0])
    while True:
        middles = (times[:-1] + times[1:]) / 2
        both = np.sort(np.concatenate((times, middles)))
        found = jets(both)
        table, between = found[:, ::2], found[:, 1::2]
        size = np.abs(found).max(axis=1)[:, None]
        miss = np.abs(_quintic_middles(np.diff(times), table) - between)
        share = (miss / (np.where(size > 0.0, size, 1.0) * np.array(allowed)[:, None])).max(axis=0)
        rough = (share > 1.0) & (np.diff(times) > shortest)
        worst = float(share[rough].max(initial=0.0))
        # what has no value stays as it is
        if not rough.any() or len(times) + rough.sum() > MOST:
            x, f, g, h = (tuple(map(float, row)) for row in (times, *table))
            return Course(name, acceleration, x, f, g, h, worst)
        times = np.sort(np.concatenate((times, middles[rough])))


def _quintic_middles(h: np.ndarray, table: np.ndarray) -> np.ndarray:
    """f, f', f'' (3, n) half way between knots at distances h, of the quintics through a table."""
    (f0, g0, k0), (f1, g1, k1) = table[:, :-1], table[:, 1:]
    d = f1 - f0
    return np.array(
        [
            (f0 + f1) / 2 + h * (5 / 32) * (g0 - g1) + h * h / 64 * (k0 + k1),
            15 / 8 * d / h - 7 / 16 * (g0 + g1) + h / 32 * (k1 - k0),
            1.5 * (g1 - g0) / h - (k0 + k1) / 4,
        ]
    )


def _driven(drive: Drive, knots: np.ndarray, place: float, rate: float) -> np.ndarray:
    """Place, rate and acceleration (3, knots) that a drive prescribes: q(t) = q(0) + f(t) - f(0),
    or the integral of f from q(0), or twice from q(0) and its rate.
    """
    if drive.quantity == POSITION:
        f, g, h = np.array(evaluation.jets(drive.law, knots)).T
        return np.array((place + f - f[0], g, h))
    times = np.append(
        (knots[:-1, None] + np.diff(knots)[:, None] * np.arange(_FINE) / _FINE).ravel(), knots[-1]
    )
    f, g, _ = np.array(evaluation.jets(drive.law, times)).T
    a = g if drive.quantity != ACCELERATION else f
    u = f if drive.quantity != ACCELERATION else rate + _integral(times, f, g)
    return np.array((place + _integral(times, u, a), u, a))[:, ::_FINE]


def _integral(t: np.ndarray, f: np.ndarray, g: np.ndarray) -> np.ndarray:
    """The integral of f from the first t on, from values and slopes (Hermite's rule, fourth
    order).
    """
    h = np.diff(t)
    pieces = h * (f[:-1] + f[1:]) / 2 + h * h * (g[:-1] - g[1:]) / 12
    return np.concatenate(([0.0], np.cumsum(pieces)))


__all__ = ["Course", "Motion", "motion_of"]
