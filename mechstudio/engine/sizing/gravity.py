"""Springs that hold a mechanism against gravity.

One joint is turned through its range, and at each angle the torque of gravity and of springs that
are there follows from their virtual power.  A spring of stiffness k between A and B has the torque
-k (1 - l0/d) (B - A) . d(B - A)/dθ, linear in k.  For a lever that makes k a b = m g r with no free
length (Rahman et al. 1995), and nothing is left.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np
from scipy.optimize import minimize

from mechstudio.engine.analyses.inverse import with_motion
from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.dynamics.load_wrenches import GRAVITY
from mechstudio.engine.errors import EngineError, RunStopped
from mechstudio.engine.sizing.course import run_for
from mechstudio.engine.sizing.task import Task, axis_in, joint_places, side_on, tidy
from mechstudio.engine.structure import mobility
from mechstudio.engine.system.system import compile_system
from mechstudio.model.formulas.means import weights
from mechstudio.model.laws.interpolation import STRAIGHT
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND, VELOCITY, Drive, Joint, Law
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, values
from mechstudio.model.results.sample import POTENTIAL
from mechstudio.model.sizing.additions import Spring, with_additions
from mechstudio.model.sizing.answer import (
    Figure,
    Line,
    Sized,
    SizedPicture,
    SizedTable,
    without_rounding,
)
from mechstudio.model.sizing.helpers import IDEAL
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import comma, tr

HALF_RANGE = math.radians(45.0)  # about the drawn angle, of a joint without stops
STEPS = 90  # at least, of the range or of either side of the drawn angle in it
LONGEST = math.radians(2.0)  # step of a joint
SAME = 1e-6  # of the range, within which its end is the drawn angle
DIRECTIONS = 72  # in which the end that stays is looked for
FARTHEST, RATIOS = 3.0, 9  # largest anchor over reach of an ordinary spring, and number of tries
AT_END = 1e-3  # of the ratio, within which it is the farthest
NOTHING = 1e-7  # part of m g times the size that counts as no torque


class Pose(NamedTuple):
    """One pose of a range: angle [rad], torque of gravity and springs along it [N m], potential
    energy [J]; place and change per radian of the frames of both bodies of the joint: origins
    (2, 3), matrices (2, 3, 3), twists per radian (2, 6).
    """

    angle: float
    torque: float
    energy: float
    origins: np.ndarray
    R: np.ndarray
    twists: np.ndarray


class Sweep:
    """A mechanism turned through the range of a joint."""

    def __init__(self, poses: list[Pose]) -> None:
        self.poses = sorted(poses, key=lambda p: p.angle)
        self.angles = np.array([p.angle for p in self.poses])
        self.torque = np.array([p.torque for p in self.poses])
        self.energy = np.array([p.energy for p in self.poses])
        self.weights = weights(self.angles)
        self._origins = np.array([p.origins for p in self.poses])
        self._R = np.array([p.R for p in self.poses])
        self._twists = np.array([p.twists for p in self.poses])

    def rms(self, torque: np.ndarray) -> float:
        return math.sqrt(float(self.weights @ torque**2))

    def path(self, side: int, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places of a point of a body of the joint (p, 3) [m], and their change per radian."""
        arms = self._R[:, side] @ point
        twists = self._twists[:, side]
        return self._origins[:, side] + arms, twists[:, :3] + cross(twists[:, 3:], arms)


def gravity(task: Task) -> Sized:
    """See the module."""
    m = task.mechanism
    weight = math.hypot(*values(m.gravity))
    if weight == 0.0:
        raise ValueError(tr("There is no gravity: there is nothing to balance."))
    pin = task.turning("joint")
    low, high = _range(task, pin)
    held = _held(task, pin)
    before = _sweep(task, task.project, pin, held, low, high)
    scale = weight * m.size() * _mass(task)
    first = _figures(before, before)
    notes = _held_words(task, held)
    if np.abs(before.torque).max() <= NOTHING * max(scale, 1e-300):
        return Sized(
            "gravity",
            tr(
                "Gravity does not turn {joint} anywhere in this range: nothing is to be added.",
                joint=pin.name,
            ),
            first,
            notes=notes,
        )
    found = _search(task, pin, before)
    if found is None:
        return Sized(
            "gravity",
            tr(
                "No spring with these ends makes the static torque less: change Anchor, Reach or "
                "the range."
            ),
            first,
            notes=notes,
        )
    spring, torque, is_farthest = found
    after = _sweep(task, with_additions(task.project, [spring]), pin, held, low, high)
    residual = float(np.abs(after.torque - torque).max() / np.abs(before.torque).max())
    extra = ()
    if is_farthest:
        extra = (
            tr(
                "The end that stays is {times:g} times as far from {joint} as the other, the "
                "farthest that is examined: farther away it leaves less.",
                times=FARTHEST,
                joint=pin.name,
            ),
        )
    if spring.free_length == 0.0:
        extra = (
            tr(
                "A spring without free length is made of an ordinary one that runs over a pulley "
                "or on a rod behind its end."
            ),
        )
    return Sized(
        "gravity",
        _sentence(before, after),
        _figures(after, before, spring),
        (_ends(task, spring),),
        _pictures(before, after),
        notes + extra,
        (spring,),
        residual,
    )


def _mass(task: Task) -> float:
    return sum(mass_properties(b).mass for b in task.mechanism.bodies.values())


def _range(task: Task, pin: Joint) -> tuple[float, float]:
    drawn = _drawn(task, pin)
    limit = next((x for x in pin.limits if x.coordinate == 0), None)
    low, high = task.number("low"), task.number("high")
    if low is None:
        low = limit.lower.value if limit and limit.lower is not None else drawn - HALF_RANGE
    if high is None:
        high = limit.upper.value if limit and limit.upper is not None else drawn + HALF_RANGE
    if not low < high:
        raise ValueError(
            tr(
                "The range of {joint} goes from {low} to {high}: the second must be the larger "
                "one.",
                joint=pin.name,
                low=format_value(low, "angle"),
                high=format_value(high, "angle"),
            )
        )
    return low, high


def _drawn(task: Task, pin: Joint) -> float:
    system = compile_system(task.mechanism)
    now = Instant(system, system.start)
    return float(now.motion.coordinates[now.loads_of.first[pin.id]])


def _held(task: Task, pin: Joint) -> list[Drive]:
    """Drives that stand still while a joint moves.  Raises ValueError where the mechanism is not
    determined then.
    """
    m = task.mechanism
    structure = task.analysis.structure
    freedoms = structure.mobility if structure is not None else 1
    others = [d for d in m.drives.values() if d.enabled and (d.joint, d.coordinate) != (pin.id, 0)]
    if freedoms <= 1:
        return []
    if freedoms - 1 > len(others):
        raise ValueError(
            tr(
                "The mechanism has {count} freedoms: {joint} alone does not tell where it stands. "
                "Put drives on the others, which are held as drawn.",
                count=freedoms,
                joint=pin.name,
            )
        )
    return others


def _held_words(task: Task, held: list[Drive]) -> tuple[str, ...]:
    if not held:
        return ()
    return (
        tr(
            "Held as drawn: {joints}.",
            joints=comma().join(task.mechanism.joints[d.joint].name for d in held),
        ),
    )


def _sweep(
    task: Task, project: Project, pin: Joint, held: list[Drive], low: float, high: float
) -> Sweep:
    m = project.mechanism
    still = {
        d.id: msgspec.structs.replace(
            d, quantity=VELOCITY, law=Law("constant", {"value": Quantity(0.0)})
        )
        for d in held
    }
    begin, drawn = m.start.value, _drawn(task, pin)
    poses: list[Pose] = []
    unloaded = msgspec.structs.replace(project, mechanism=msgspec.structs.replace(m, drives=still))
    for near, far in _ways(drawn, low, high):
        approach = math.ceil(abs(near - drawn) / LONGEST)
        steps = max(STEPS, math.ceil(abs(far - near) / LONGEST))
        law = _motion(begin, (near - drawn, approach), (far - near, steps))
        moved = with_motion(unloaded, {(pin.id, 0): law})
        _check_driven(msgspec.structs.replace(project, mechanism=moved), pin)
        count = approach + steps
        try:
            course = run_for(project, count / STEPS, count, task.progress, moved)
        except (EngineError, RunStopped) as error:
            raise ValueError(
                tr(
                    "{joint} does not go from {drawn} to {end}: {error}",
                    joint=pin.name,
                    drawn=format_value(drawn, "angle", digits=4),
                    end=format_value(far, "angle", digits=4),
                    error=error,
                )
            ) from None
        energies = course.record.samples[:, course.system.layout.energy.start + POTENTIAL]
        # what lies between the drawn angle and the range does not count; both ways from a drawn
        # angle begin with the same pose
        for k in range(approach + bool(poses), count + 1):
            poses.append(_pose(course.record.instant(k), pin, float(energies[k])))
    return Sweep(poses)


def _ways(drawn: float, low: float, high: float) -> list[tuple[float, float]]:
    """Ways through a range, each from its end nearer to the drawn angle to the farther one; two
    from a drawn angle within it [rad].
    """
    same = SAME * (high - low)
    if low + same < drawn < high - same:
        return [(drawn, low), (drawn, high)]
    near, far = (low, high) if drawn <= low + same else (high, low)
    return [(drawn if abs(near - drawn) <= same else near, far)]


def _motion(begin: float, *ways: tuple[float, int]) -> Law:
    """Law of an angle from a time on, through ways [rad] one after another, each in a number of
    equal steps.
    """
    legs = [(way, steps / STEPS) for way, steps in ways if steps]
    # under way at the start and at the end, so that every sample has its rate
    way, duration = legs[0]
    points = [(begin - duration, -way), (begin, 0.0)]
    for way, duration in (*legs, legs[-1]):
        points.append((points[-1][0] + duration, points[-1][1] + way))
    return Law(
        "table", points=tuple((Quantity(t), Quantity(x)) for t, x in points), between=STRAIGHT
    )


def _check_driven(project: Project, pin: Joint) -> None:
    structure = mobility.analyse(project).structure
    if structure is not None and structure.driven < structure.mobility:
        raise ValueError(
            tr("{joint} does not move the whole mechanism: choose another joint.", joint=pin.name)
        )


def _pose(now: Instant, pin: Joint, energy: float) -> Pose:
    m, at = now.mechanism, now.loads_of.first[pin.id]
    rate, power = float(now.rates[at]), 0.0
    for action in now.loads:
        kind = m.forces.get(action.id)
        if action.id != GRAVITY and (kind is None or FORCE_TYPES[kind.type].potential is None):
            continue
        power += sum(float(w @ now.at.twists[b]) for b, w in action.wrenches.items())
    index = [GROUND, *m.bodies]
    both = [index.index(pin.frame_a.body), index.index(pin.frame_b.body)]
    return Pose(
        float(now.motion.coordinates[at]),
        power / rate,
        energy,
        now.at.origins[both],
        now.at.R[both],
        now.at.twists[both] / rate,
    )


def _distances(
    task: Task, pin: Joint, body: str, ideal: bool
) -> tuple[Callable[[float], tuple[float, float]], bool]:
    """Distances from the pin of the end that stays and of that which moves, at a ratio of the first
    to the second, and True where the ratio is free.
    """
    height, reach = task.number("height", 0.0), task.number("reach", 0.0)
    if ideal or (height and reach):
        reach = reach or 0.5 * task.span(body, pin)
        both = (height or reach, reach)
        return (lambda ratio: both), False
    if height:
        return (lambda ratio: (height, height / ratio)), True
    reach = reach or 0.5 * task.span(body, pin)
    return (lambda ratio: (ratio * reach, reach)), True


def _search(task: Task, pin: Joint, sweep: Sweep) -> tuple[Spring, np.ndarray, bool] | None:
    """The best spring with the torque that is left (p,), and True if its ends are as far apart as
    is looked at; None where none helps.

    A spring without free length leaves the same at every distance.  An ordinary one leaves the same
    at a ratio of the distances and at its inverse, most where they are equal, and pulls less where
    the end that stays is the farther one.
    """
    m = task.mechanism
    bodies = (pin.frame_a.body, pin.frame_b.body)
    fixed, moving = (0, 1) if bodies[0] == GROUND or bodies[1] != GROUND else (1, 0)
    b = bodies[moving]
    ideal = task.text("spring") == IDEAL
    stretch = 0.0 if ideal else task.needed("stretch", 1.0)
    pivots = [np.array(m.frame_in_body(side_on(pin, body))[0]) for body in bodies]
    distances, is_free = _distances(task, pin, b, ideal)
    line = _far_end(task, pin, b, pivots[moving], 1.0) - pivots[moving]
    axis = axis_in(m, pin, bodies[fixed])
    e1 = np.cross(axis, (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0))
    e1 /= np.linalg.norm(e1)
    e2 = np.cross(axis, e1)
    # in the plane of the end that moves, so that the spring does not pull along the pin
    R0, origin = sweep.poses[0].R[fixed], sweep.poses[0].origins[fixed]

    def ends(angle: float, ratio: float) -> tuple[np.ndarray, np.ndarray]:
        """Points of the spring on the body that stays and on that which moves."""
        height, reach = distances(ratio)
        point = pivots[moving] + reach * line
        first = sweep.poses[0]
        place = first.origins[moving] + first.R[moving] @ point
        offset = axis @ (R0.T @ (place - origin) - pivots[fixed])
        at = math.cos(angle) * e1 + math.sin(angle) * e2
        return pivots[fixed] + offset * axis + height * at, point

    def attempt(angle: float, ratio: float) -> tuple[float, float, float, np.ndarray]:
        """RMS of the torque that is left, stiffness, free length, and that torque (p,)."""
        anchor, point = ends(angle, ratio)
        (A, dA), (B, dB) = sweep.path(fixed, anchor), sweep.path(moving, point)
        d = np.linalg.norm(B - A, axis=1)
        free = 0.0 if ideal else float(d.max()) / stretch
        share = np.ones_like(d) if ideal else 1.0 - free / np.maximum(d, 1e-300)
        unit = -share * ((B - A) * (dB - dA)).sum(axis=1)
        size = float(sweep.weights @ unit**2)
        k = -float(sweep.weights @ (unit * sweep.torque)) / size if size > 0.0 else 0.0
        k = max(k, 0.0)
        # one that goes slack pushes, as no coil between two eyes can
        slack = not ideal and d.min() < free
        left = sweep.torque + k * unit
        return (math.inf if slack else sweep.rms(left)), k, free, left

    turn = 2.0 * math.pi / DIRECTIONS
    ratios = np.geomspace(1.0, FARTHEST, RATIOS).tolist() if is_free else [1.0]
    tries = [(turn * k, ratio) for k in range(DIRECTIONS) for ratio in ratios]
    start = min(tries, key=lambda x: attempt(*x)[0])
    if not math.isfinite(attempt(*start)[0]):
        return None
    bounded = lambda x: (float(x[0]), min(max(float(x[1]), 1.0), FARTHEST) if is_free else 1.0)
    corners = [start, (start[0] + 0.5 * turn, start[1])]
    if is_free:
        corners.append((start[0], start[1] - 0.1 if start[1] > 1.1 else start[1] + 0.1))
    size = len(corners) - 1
    found = minimize(
        lambda x: attempt(*bounded((*x, 1.0)))[0],
        start[:size],
        method="Nelder-Mead",
        options={
            "initial_simplex": [corner[:size] for corner in corners],
            "xatol": 1e-12,
            "fatol": 1e-14 * sweep.rms(sweep.torque),
        },
    )
    best = min((start, bounded((*found.x, 1.0))), key=lambda x: attempt(*x)[0])
    rms, k, free, left = attempt(*best)
    if k == 0.0 or rms >= 0.999 * sweep.rms(sweep.torque):
        return None
    anchor, point = ends(*best)
    spring = Spring(tr("balance spring"), bodies[fixed], tidy(anchor), b, tidy(point), k, free)
    return spring, left, is_free and best[1] > FARTHEST * (1.0 - AT_END)


def _far_end(task: Task, pin: Joint, body: str, pivot: np.ndarray, reach: float) -> np.ndarray:
    """Point of the body that moves, on the way from the pin to its farthest joint or its centre of
    mass (3,), in its axes [m].
    """
    m = task.mechanism
    axis = axis_in(m, pin, body)
    ends = joint_places(m, body)
    if body != GROUND:
        ends.append(np.array(mass_properties(m.bodies[body]).center))
    flat = [a - axis * (axis @ a) for a in (e - pivot for e in ends)]
    line = max(flat, key=lambda a: float(np.linalg.norm(a)))
    size = float(np.linalg.norm(line))
    if size < 1e-9 * m.size():
        line = np.cross(axis, (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0))
        size = float(np.linalg.norm(line))
    return pivot + reach * line / size


def _figures(after: Sweep, before: Sweep, spring: Spring | None = None) -> tuple[Figure, ...]:
    peak = lambda sweep: float(np.abs(sweep.torque).max())
    swing = lambda sweep: float(np.ptp(sweep.energy))
    out = [
        Figure("torque_peak", tr("Static torque, peak"), peak(after), "torque", peak(before)),
        Figure(
            "torque_rms",
            tr("Static torque, RMS"),
            after.rms(after.torque),
            "torque",
            before.rms(before.torque),
        ),
        Figure("energy", tr("Change of potential energy"), swing(after), "energy", swing(before)),
    ]
    if spring is not None:
        out += [
            Figure("stiffness", tr("Stiffness"), spring.stiffness, "stiffness"),
            Figure("free_length", tr("Free length"), spring.free_length, "length"),
        ]
    return tuple(map(without_rounding, out))


def _sentence(before: Sweep, after: Sweep) -> str:
    old, new = (float(np.abs(s.torque).max()) for s in (before, after))
    if new <= 1e-6 * old:
        return tr("Fully balanced: no torque is needed anywhere in the range.")
    return tr(
        "The peak of the static torque falls from {before} to {after}, by {share:.0f} %.",
        before=format_value(old, "torque", digits=4),
        after=format_value(new, "torque", digits=4),
        share=100.0 * (1.0 - new / old),
    )


def _ends(task: Task, spring: Spring) -> SizedTable:
    m = task.mechanism
    return SizedTable(
        tr("Ends of the spring"),
        tr("on"),
        ("x", "y", "z"),
        ("length", "length", "length"),
        tuple(m.body(b).name for b in (spring.body_a, spring.body_b)),
        (spring.point_a, spring.point_b),
    )


def _pictures(before: Sweep, after: Sweep) -> tuple[SizedPicture, ...]:
    # what a hand or a drive must give, against gravity and springs
    both = ((tr("before"), "before", before), (tr("after"), "after", after))
    lines = lambda values: tuple(
        Line(word, role, tuple(sweep.angles.tolist()), tuple(values(sweep).tolist()))
        for word, role, sweep in both
    )
    return (
        SizedPicture(
            tr("Torque that holds the mechanism"),
            tr("angle"),
            "angle",
            "M",
            "torque",
            lines(lambda s: -s.torque),
        ),
        SizedPicture(
            tr("Potential energy"),
            tr("angle"),
            "angle",
            "V",
            "energy",
            lines(lambda s: s.energy - s.energy.min()),
        ),
    )
