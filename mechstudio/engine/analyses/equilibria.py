"""Static equilibria: poses at which nothing accelerates, searched from many starts, each with its
stability (THEORY 5).
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.engine.analyses.linearisation import linearise
from mechstudio.engine.analyses.rest.stops import beyond, onto, slope
from mechstudio.engine.dynamics.instant import Instant
from mechstudio.engine.dynamics.load_wrenches import Loads, places_of
from mechstudio.engine.dynamics.partition import Partition, coordinate_names
from mechstudio.engine.system.stops import Stop, hard_stops
from mechstudio.engine.system.system import System
from mechstudio.model.mechanism import Force, Mechanism
from mechstudio.model.types.forces import BODY, FORCE_TYPES, TWO_POINTS
from mechstudio.model.types.joints import JOINT_TYPES, THREAD

STARTS = 40
STRAIGHT = 8  # poses that show whether a spring stays on one line
WALK = 3.2  # radians or parts of the size that one stride of a walk to a new start goes at most
ITERATIONS = 60
HALVINGS = 3  # of a step that does not lessen the force
LONGEST = 0.4  # radians or parts of the size, of one step of the search
AT_REST = 1e-9  # part of what loads do on a coordinate that may be left over
CANCEL = 1e-4  # least of it, in parts of what they would do if they did not cancel each other
NEUTRAL = 1e-7  # least stiffness over the largest below which neither is said
OF_FORCE = 1e-2  # of the parts of a force, from which rounding in a stiffness is counted likewise
EVERYWHERE = 1e-9  # part of its parts below which a force is none at all poses looked at
STOPPED = 12  # poses from which rests against a stop are looked for
DECAYS = 1e-5  # growth over the fastest rate up to which small motions count as not growing
GROWS = 1e-10  # the same from which they count as growing
GROWING = 1e-6  # the same of loads without a potential, either way
FAMILY = 5  # decimals of stiffnesses over the largest that are alike in one family
SAME = 1e-6  # radians or parts of the size between poses that are one


class Equilibrium(NamedTuple):
    """poses (n, 7); coordinates (f,): of all joints; stable: True, False, or None where it is
    neutral; stiffness: least eigenvalue of the reduced stiffness
    [N m or N], of conservative loads; growth: largest real part of the eigenvalues there [1/s];
    state: (ny,).  left: part of the largest load that the joints do not hold, by the balance of
    every body, or part of what loads do on a coordinate elsewhere, if that is more.
    sure: whether stiffness and growth, each found by itself, say the same of its stability.
    against: the stop that holds it, of one that loads press on a stop; stiffness and growth are nan
    then.
    family: stiffnesses over the largest where one is zero, so that poses beside this one rest as
    well; () for one that stands alone.
    """

    poses: np.ndarray
    coordinates: np.ndarray
    stable: bool | None
    stiffness: float
    growth: float
    state: np.ndarray
    left: float
    sure: bool = True
    family: tuple[float, ...] = ()
    against: Stop | None = None


class Search(NamedTuple):
    """Equilibria found.  starts: how many were tried.  conservative: whether stability follows from
    the stiffness alone.
    passed: names of forces along a slide whose ends have passed each other at poses that are left
    out.  beyond: stops beyond which others lie.  unlooked: True if there are stops and rests
    against them were not looked for.  everywhere: True if no loads move it at any pose looked at.
    """

    equilibria: tuple[Equilibrium, ...]
    starts: int
    conservative: bool
    passed: tuple[str, ...] = ()
    beyond: tuple[Stop, ...] = ()
    unlooked: bool = False
    everywhere: bool = False


class _Static(NamedTuple):
    """Statics of a pose.  by_load: reduced force (d,) of each load.  parts (d,): sum of the sizes
    of all products that make them.  largest: entry of a wrench of any load [N].
    """

    by_load: dict[str, np.ndarray]
    parts: np.ndarray
    largest: float

    @property
    def force(self) -> np.ndarray:
        """Reduced static force (d,): B^T Q at rest, from the loads themselves."""
        return sum(self.by_load.values(), np.zeros(len(self.parts)))


class _Met(NamedTuple):
    """The largest force on each velocity (nv,), in natural units, and load [N] at the poses from
    which a search starts.
    """

    forces: np.ndarray
    load: float


def equilibria(
    system: System,
    starts: int = STARTS,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Search:
    """Equilibria that are found from `starts` poses: the drawn one, and others walked to at random
    on the constraint manifold.

    Drives are taken as they are: a driven coordinate rests where the drawing has it.  A search can
    miss some: it says from how many starts it looked.
    """
    random = np.random.default_rng(seed)
    loads = Loads(system.mechanism, system.joint_rows)
    names = coordinate_names(system)
    stops = hard_stops(system)
    found: list[np.ndarray] = []
    rest = system.start.copy()
    rest[system.where.nq : system.where.nq + system.where.nv] = 0.0
    walked = [rest]
    for _ in range(starts):
        walked.append(_walked(system, rest, names, random, stops))
    forces, largest, everywhere = np.zeros(system.where.nv), 0.0, True
    for y in walked:
        p = Partition(system, y, names)
        i = list(p.independent)
        static = _statics(system, y, p, loads)
        size = np.abs(static.force) * p.natural[i]
        forces[i] = np.maximum(forces[i], size)
        largest = max(largest, static.largest)
        everywhere &= bool(len(i) and (size <= EVERYWHERE * static.parts * p.natural[i]).all())
    met, passed_stops = _Met(forces, largest), []
    for n, at in enumerate(walked[: 1 if everywhere else starts]):
        try:
            state = _descend(system, at, names, loads, met)
        except np.linalg.LinAlgError:
            state = None
        if state is not None:
            left_out = beyond(stops, state)
            passed_stops += left_out
            if not left_out and not any(_same(system, state, other, loads) for other in found):
                found.append(state)
        if progress is not None:
            progress((n + 1) / starts)
    straight = _straight(system, loads, walked)
    past_ends = {
        id: [y for y in found if _span(system, loads, force, y) @ line < 0.0]
        for id, (force, line) in straight.items()
    }
    found = [
        y for y in found if not any(y is other for states in past_ends.values() for other in states)
    ]
    conservative = all(_has_potential(force) for force in system.mechanism.forces.values())
    out = _one_of_each([_judged(system, y, names, conservative, loads, met) for y in found])
    one = len(Partition(system, rest, names).independent) == 1
    if one and not everywhere:
        out += _stopped(system, walked, names, loads, met, stops)
    passed = tuple(system.mechanism.forces[id].name for id, states in past_ends.items() if states)
    return Search(
        tuple(sorted(out, key=lambda e: (e.stable is False, tuple(e.coordinates)))),
        starts,
        conservative,
        passed,
        tuple(dict.fromkeys(passed_stops)),
        bool(stops) and not one and not everywhere,
        everywhere,
    )


def _stopped(
    system: System,
    walked: Sequence[np.ndarray],
    names: Sequence[str],
    loads: Loads,
    met: _Met,
    stops: Sequence[Stop],
) -> list[Equilibrium]:
    """Poses of one freedom that loads press against a stop."""
    out: list[Equilibrium] = []
    for stop in stops:
        for at in walked[:STOPPED]:
            y = onto(system, at, names, stop)
            if y is None or beyond(stops, y) or any(_same(system, y, e.state, loads) for e in out):
                continue
            p = Partition(system, y, names)
            static, units = _statics(system, y, p, loads), p.natural[list(p.independent)]
            force = static.force * units
            presses = slope(system, y, p, stop) * float(force[0]) > 0.0
            if presses and (np.abs(force) > AT_REST * _scale(met, static.parts, p)).all():
                now = Instant(system, y, loads, stops=((stop.joint, stop.coordinate),))
                out.append(
                    Equilibrium(
                        now.motion.poses,
                        _folded(system.mechanism, now.motion.coordinates),
                        True,
                        math.nan,
                        math.nan,
                        y,
                        now.unheld(met.load),
                        against=stop,
                    )
                )
    return out


def _one_of_each(found: list[Equilibrium]) -> list[Equilibrium]:
    """Equilibria, of those with the same stiffnesses that move into each other without effort the
    first alone.
    """
    out: list[Equilibrium] = []
    for e in found:
        if not e.family or not any(
            e.family == other.family and e.stable == other.stable for other in out
        ):
            out.append(e)
    return out


def _span(system: System, loads: Loads, force: Force, y: np.ndarray) -> np.ndarray:
    """From end to end of a force between two points (3,) [m], in the axes of the body at its first
    end.
    """
    assert force.frame_a is not None
    assert force.frame_b is not None
    at = places_of(system.joint_rows, Instant(system, y, loads).motion)
    (a, p, _), (_, q, _) = (loads.point_of(frame, at) for frame in (force.frame_a, force.frame_b))
    return at.R[a].T @ (q - p)


def _straight(
    system: System, loads: Loads, states: Sequence[np.ndarray]
) -> dict[str, tuple[Force, np.ndarray]]:
    """Forces between two points that stay on one line of a body, each with its drawn direction
    (3,).

    Its ends can pass each other.  The equations count such a length with its sign, as drawn: what
    lies beyond is no equilibrium of theirs.
    """
    out = {}
    for id, force in system.mechanism.forces.items():
        if FORCE_TYPES[force.type].attachment != TWO_POINTS:
            continue
        spans = np.array([_span(system, loads, force, y) for y in states[:STRAIGHT]])
        line = spans[0] / max(float(np.linalg.norm(spans[0])), 1e-300)
        off = spans - np.outer(spans @ line, line)
        if np.abs(off).max() < SAME * system.size < np.ptp(spans @ line):
            out[id] = force, line
    return out


def _folded(mechanism: Mechanism, coordinates: np.ndarray) -> np.ndarray:
    """Joint coordinates (f,) with angles between -pi and pi where nothing in the mechanism counts
    their turns.
    """
    counting = (
        {f.joint for f in mechanism.forces.values()}
        | {d.joint for d in mechanism.drives.values()}
        | {e.joint for c in mechanism.couplings.values() for e in c.ends}
    )
    out, k = coordinates.copy(), 0
    for joint in mechanism.joints.values():
        for coordinate in JOINT_TYPES[joint.type].coordinates:
            if (
                coordinate.dimension == "angle"
                and joint.id not in counting
                and not joint.limits
                and THREAD not in JOINT_TYPES[joint.type].primitives
            ):
                out[k] = -math.remainder(-out[k], 2.0 * math.pi)
            k += 1
    return out


def _walked(system: System, y: np.ndarray, names, random, stops: Sequence[Stop] = ()) -> np.ndarray:
    """A pose some strides along the manifold away, before all stops."""
    for _ in range(4):
        p = Partition(system, y, names)
        if not p.independent:
            return y
        step = random.uniform(-WALK, WALK, len(p.independent)) * p.natural[list(p.independent)]
        # in pieces, so that closing stays on its branch
        for _ in range(16):
            ahead = p.closed(y, step / 16, np.zeros(len(p.independent)))
            if not np.isfinite(ahead).all():
                return system.start.copy()
            if beyond(stops, ahead):
                break
            y = ahead
    return y


def _force(system: System, y: np.ndarray, partition: Partition, loads: Loads) -> np.ndarray:
    """See _Static."""
    return _statics(system, y, partition, loads).force


def _statics(system: System, y: np.ndarray, partition: Partition, loads: Loads) -> _Static:
    """Statics of a pose, from the loads themselves."""
    from mechstudio.engine.system.initial_velocities import body_jacobians

    now = Instant(system, y, loads)
    J, B = body_jacobians(y, system.tables), partition.B(y)
    by_load: dict[str, np.ndarray] = {}
    parts, largest = np.zeros(J.shape[2]), 0.0
    for action in now.loads:
        Q = np.zeros(J.shape[2])
        for body, w in action.wrenches.items():
            largest = max(largest, now.strength(w))
            if body:
                Q += w @ J[body - 1]
                parts += np.abs(w) @ np.abs(J[body - 1])
        by_load[action.id] = by_load.get(action.id, 0.0) + B.T @ Q
    return _Static(by_load, np.abs(B).T @ parts, largest)


def _scale(met: _Met, parts: np.ndarray, partition: Partition) -> np.ndarray:
    """Force on each independent coordinate (d,), in natural units, to which what is left over is
    compared: the largest one `met`, so that a short arm counts as a long one does.

    parts: of the force here; where loads cancel on a coordinate, no force on it is met but that of
    rounding.
    """
    i = list(partition.independent)
    return np.maximum(np.maximum(met.forces[i], CANCEL * parts * partition.natural[i]), 1e-300)


def _descend(system: System, y: np.ndarray, names, loads: Loads, met: _Met) -> np.ndarray | None:
    """Newton's method on B^T Q = 0 with differences, steps limited and halved while the force does
    not shrink; None where it does not arrive.  met: see _scale.
    """
    for _ in range(ITERATIONS):
        p = Partition(system, y, names)
        d, units = len(p.independent), p.natural[list(p.independent)]
        zero = np.zeros(d)
        if not d:
            return y
        static = _statics(system, y, p, loads)
        r = static.force * units
        if (np.abs(r) <= AT_REST * _scale(met, static.parts, p)).all():
            return y
        h = 1e-5
        K = np.column_stack(
            [
                (
                    _force(system, p.closed(y, s, zero), p, loads)
                    - _force(system, p.closed(y, -s, zero), p, loads)
                )
                * units
                / (2 * h)
                for s in (h * units[c] * np.eye(d)[c] for c in range(d))
            ]
        )
        step = -np.linalg.lstsq(K, r, rcond=1e-10)[0]
        largest = float(np.abs(step).max())
        if largest == 0.0:
            return None  # no slope leads on from here
        step *= min(1.0, LONGEST / largest) * units
        # where no part of the step lessens the force, the whole of it leads out of the hollow
        tried = [p.closed(y, step, zero)]
        while len(tried) <= HALVINGS and not _lessens(system, tried[-1], p, loads, r, units):
            tried.append(p.closed(y, step * 0.5 ** len(tried), zero))
        y = tried[-1] if len(tried) <= HALVINGS else tried[0]
        if not np.isfinite(y).all():
            return None
    return None


def _lessens(
    system: System,
    y: np.ndarray,
    partition: Partition,
    loads: Loads,
    before: np.ndarray,
    units: np.ndarray,
) -> bool:
    """True if the pose is finite and the force there is less than before, in natural units."""
    return bool(np.isfinite(y).all()) and float(
        np.linalg.norm(_force(system, y, partition, loads) * units)
    ) < float(np.linalg.norm(before))


def _has_potential(force: Force) -> bool:
    """True if a force at rest is the gradient of an energy. What only slows motion down counts as
    such, since it vanishes there.
    """
    if force.laws:
        return False
    kind = FORCE_TYPES[force.type]
    if kind.attachment == BODY and not kind.moment:
        return force.axes == "world"
    # a moment that keeps its direction in space is the slope of no energy when the body may turn
    # about several axes
    return kind.attachment != BODY


def _weight(system: System) -> float:
    """The moment of the whole weight at the mechanism's size [N m]: what a force is compared
    with.
    """
    g = np.linalg.norm([q.value for q in system.mechanism.gravity])
    return float(sum(n.mass for n in system.tree.nodes) * g * system.size)


def _same(system: System, a: np.ndarray, b: np.ndarray, loads: Loads) -> bool:
    first, second = Instant(system, a, loads).motion.poses, Instant(system, b, loads).motion.poses
    turn = 1.0 - np.abs(np.sum(first[:, 3:] * second[:, 3:], axis=1))
    return bool(
        np.abs(first[:, :3] - second[:, :3]).max(initial=0.0) < SAME * system.size
        and np.sqrt(2 * np.maximum(turn, 0.0)).max(initial=0.0) < SAME
    )


def _stiffnesses(
    system: System, y: np.ndarray, p: Partition, loads: Loads
) -> tuple[np.ndarray, float]:
    """The reduced stiffness (d, d) in natural units, and the largest entry of what the loads add
    up to it, as if none of it cancelled.
    """
    i = list(p.independent)
    d, units = len(i), p.natural[i]
    h, zero = 1e-5, np.zeros(len(i))
    K, parts = np.zeros((d, d)), np.zeros((d, d))
    for c, s in enumerate(h * units[c] * np.eye(d)[c] for c in range(d)):
        ends = [_statics(system, p.closed(y, way * s, zero), p, loads).by_load for way in (1, -1)]
        for id in ends[0].keys() | ends[1].keys():
            part = [end.get(id, zero) for end in ends]
            column = (part[0] - part[1]) * units / (2 * h)
            K[:, c] -= column
            parts[:, c] += np.abs(column)
    return 0.5 * (K + K.T), float(parts.max())


def _judged(
    system: System, y: np.ndarray, names, conservative: bool, loads: Loads, met: _Met
) -> Equilibrium:
    p = Partition(system, y, names)
    d, units = len(p.independent), p.natural[list(p.independent)]
    now = Instant(system, y, loads)
    poses, coordinates, left = (
        now.motion.poses,
        _folded(system.mechanism, now.motion.coordinates),
        now.unheld(met.load),
    )
    if not d:
        return Equilibrium(poses, coordinates, True, float("nan"), float("nan"), y, left)
    static = _statics(system, y, p, loads)
    left = max(left, float((np.abs(static.force * units) / _scale(met, static.parts, p)).max()))
    K, parts = _stiffnesses(system, y, p, loads)
    stiffnesses = np.linalg.eigvalsh(K)
    least = float(stiffnesses[0])
    largest = float(np.abs(K).max())
    # a stiffness within the rounding of what cancels in it is none
    scale = max(
        largest,
        parts,
        OF_FORCE * float((static.parts * units).max()),
        1e-12 * _weight(system),
        1e-300,
    )
    loose = largest < NEUTRAL * scale
    linear = linearise(system, y)
    modes = linear.modes
    growth = max((m.eigenvalue.real for m in modes), default=0.0)
    if loose:
        # what is left of a stiffness says nothing; what speeds a motion up still does
        growth = max(float(np.linalg.eigvals(linear.A[d:, d:]).real.max()), 0.0)
    part = growth / max(max((abs(m.eigenvalue) for m in modes), default=0.0), 1e-300)
    if not conservative:
        stable = None if abs(part) < GROWING else growth < 0
        return Equilibrium(poses, coordinates, stable, least, growth, y, left)
    family = (
        tuple(np.zeros(d) if loose else np.round(stiffnesses / largest, FAMILY))
        if np.abs(stiffnesses).min() < NEUTRAL * scale
        else ()
    )
    stable = None if abs(least) < NEUTRAL * scale else least > 0
    sure = stable is None or (part < DECAYS if stable else part > GROWS)
    return Equilibrium(poses, coordinates, stable, least, growth, y, left, sure, family)
