"""Setting a joint coordinate: the whole mechanism is moved until it has the wanted value, all loops closed and all couplings followed.

The way there is followed in small steps: along the motion that changes the coordinate and moves everything else least, then back onto
the joints by Newton steps.  A step that has to be corrected much, or that turns off the way come so far, is halved, so that no step
jumps to another branch; before a place where branches cross or nearly cross, steps are short as well.  Drives and rolling are about velocities and do not matter here; what a coupling holds is taken from the poses
at the start.  Where the steps become shorter and shorter, the coordinate has its largest value: a dead point.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.model import laws
from mechstudio.model.coupling_types import COUPLING_TYPES
from mechstudio.model.joint_types import CURVE, JOINT_TYPES, THREAD, Coordinate
from mechstudio.model.mechanism import Coupling, Mechanism
from mechstudio.model.units import format_value

from .assembly import LeastSquares, least_squares, matrix_of
from .attitude import carried, moved
from .joint_coordinates import coordinate_wrenches, coordinates_of, joint_coordinates
from .measure import difference
from .redundancy import titled
from .rows import JointRows

FIRST_STEP, LARGEST_STEP = 0.2, 0.8     # radians, or parts of size, that a body moves in one step
EXACT = 1e-13           # residual over size that corrections stop at in the end
CLOSED = 1e-11          # residual over size that they must reach, and that is enough on the way
TINY = 1e-8             # radians or parts of size: a step of that length, or so near to a dead point, is its end
CORRECTED = 0.4         # of a step's way: larger corrections reject it
SMOOTH = 0.02           # smaller ones make the next step longer
STRAIGHT = 0.5          # cosine between two steps' ways below which the second is rejected
TOWARDS_END = 0.7       # part of the way to the dead point ahead that one step goes
TOWARDS_CROSSING = 0.5  # part of the way to where branches seem to cross that one step goes
CROSSING = 1e-3         # radians or parts of size: branches that come as near to each other cross
WEAK = 1e-4             # least singular value down to which the rates can be relied on
LEAPS = (2.2, 5.0, 12.0, 30.0, 100.0)       # times the way to a crossing: steps over it, the next one where one does not arrive
FARTHEST = 100.0        # turns, or twice as many sizes, that one call goes
ITERATIONS = 20
AT_DEAD_POINT = 1e-6    # radians or parts of size: a target so near to a dead point is reached there
AT_STOP = 1e-10         # radians or parts of size: so near to a stop is at it
KICKS = (0.02, 0.005, 0.001)    # radians, or parts of size, tried for leaving a singular pose


class Posed(msgspec.Struct, frozen=True):
    """Where setting a joint coordinate led.

    poses (n, 7): origin in W [m], quaternion.   value: of the coordinate there [rad or m].   coordinates (f,): of all joints, angles
    with the turns made on the way.   reason: why the value was not reached, as a sentence; empty where it was.
    """

    poses: np.ndarray
    value: float
    coordinates: np.ndarray
    reason: str = ""


def pose_at(mechanism: Mechanism, poses: np.ndarray, joint: str, coordinate: int, value: float, rows: JointRows | None = None) -> Posed:
    """The closed poses (n, 7) moved until a joint's coordinate has a value [rad or m], or as far as it goes.

    joint: id.   Joints' limits are kept.   Raises ValueError for a joint or coordinate that there is not.
    """
    if joint not in mechanism.joints or not 0 <= coordinate < JOINT_TYPES[mechanism.joints[joint].type].dof:
        raise ValueError(f"There is no coordinate {coordinate + 1} of joint {joint}.")
    if not np.isfinite(value):
        raise ValueError(f"The value {value} cannot be reached.")
    rows = rows or JointRows(mechanism)
    way = _Way(mechanism, rows, np.asarray(poses, float), list(mechanism.joints).index(joint), coordinate)
    reason = way.follow(float(value))
    coordinates = joint_coordinates(mechanism, np.array([at.poses for at in way.passed]), way.start_row, rows)[-1]
    return Posed(way.at.poses, way.x, coordinates, reason)


class _At(NamedTuple):
    """A place on the way: poses (n, 7), and the coordinates of the joints that matter, by joint index."""

    poses: np.ndarray
    values: dict[int, np.ndarray]


class _Term(NamedTuple):
    """factor times a joint's coordinate, part of an equation."""

    equation: int
    joint: int
    coordinate: int
    factor: float


class _Held(NamedTuple):
    """What a coupling holds: scale (sum of its terms - f(its first) - constant), in m."""

    terms: tuple[_Term, ...]
    coupling: Coupling
    scale: float
    constant: float


class _Stop(NamedTuple):
    """side: +1 for an upper stop, -1 for a lower one."""

    joint: int
    coordinate: int
    bound: float
    side: float


class _Way:
    """The way of one mechanism from a pose to a value of one joint coordinate.  at, x: how far it has come.   passed: all places on it."""

    def __init__(self, mechanism: Mechanism, rows: JointRows, poses: np.ndarray, joint: int, coordinate: int) -> None:
        self.mechanism, self.rows, self.joint, self.coordinate = mechanism, rows, joint, coordinate
        self.joints = list(mechanism.joints.values())
        self.size = rows.size
        # far from the world origin coordinates have fewer digits after the point
        self.reach = max(self.size, 1e-3 * float(np.abs(poses[:, :3]).max(initial=0.0)))
        self.unit = self._unit(joint, coordinate)
        self.start_row = joint_coordinates(mechanism, poses[None], rows=rows)[0]
        starts = np.cumsum([0] + [JOINT_TYPES[j.type].dof for j in self.joints])
        every = {k: self.start_row[starts[k]:starts[k + 1]] for k in range(len(self.joints))}
        self._index = {id: k for k, id in enumerate(mechanism.joints)}
        self._held = [self._hold(e, c, every) for e, c in enumerate(mechanism.couplings.values())]
        self._stops = [s for k in range(len(self.joints)) for s in self._stops_of(k)]
        self._followed = sorted({int(j) for j in rows.joint_of_row[(rows.kind == THREAD) | (rows.kind == CURVE)]})
        involved = {joint, *self._followed, *(t.joint for h in self._held for t in h.terms), *(s.joint for s in self._stops)}
        self.at = _At(poses, {k: every[k] for k in sorted(involved)})
        self.passed = [self.at]
        self._turns = self._thread_turns()
        self._weak = np.random.default_rng(20261121).standard_normal(6 * rows.body_count)
        self.x = float(self.at.values[joint][coordinate])
        self._column_scale = np.tile(np.repeat((1.0, 1.0 / self.size), 3), rows.body_count)

    def _unit(self, joint: int, coordinate: int) -> float:
        """One radian, or one size [m]."""
        return 1.0 if self._named(joint, coordinate).dimension == "angle" else self.size

    def _named(self, joint: int, coordinate: int) -> Coordinate:
        return JOINT_TYPES[self.joints[joint].type].coordinates[coordinate]

    def _hold(self, equation: int, coupling: Coupling, values: dict[int, np.ndarray]) -> _Held:
        kind = COUPLING_TYPES[coupling.type]
        numbers = {p.name: coupling.parameters[p.name].value if p.name in coupling.parameters else p.default for p in kind.parameters}
        terms = tuple(_Term(equation, self._index[end.joint], end.coordinate, factor)
                      for end, factor in zip(coupling.ends, kind.factors(numbers), strict=True))
        held = _Held(terms, coupling, self.size / max(abs(t.factor) * self._unit(t.joint, t.coordinate) for t in terms), 0.0)
        return held._replace(constant=self._left(held, values) / held.scale)

    def _left(self, held: _Held, values: dict[int, np.ndarray]) -> float:
        total = sum(t.factor * values[t.joint][t.coordinate] for t in held.terms) - held.constant
        return float(held.scale * (total - self._follower(held, values)[0]))

    def _follower(self, held: _Held, values: dict[int, np.ndarray]) -> tuple[float, float]:
        """f and f' of a cam's law at its angle; zeros for another coupling."""
        if not COUPLING_TYPES[held.coupling.type].law or held.coupling.law is None:
            return 0.0, 0.0
        cam = held.terms[0]
        return laws.jet(held.coupling.law, float(values[cam.joint][cam.coordinate]))[:2]

    def _stops_of(self, k: int) -> Sequence[_Stop]:
        return [_Stop(k, limit.coordinate, bound.value, side) for limit in self.joints[k].limits
                for bound, side in ((limit.lower, -1.0), (limit.upper, 1.0)) if bound is not None]

    # equations: the joints' rows, then the couplings', then the wanted value

    def _read(self, poses: np.ndarray, near: dict[int, np.ndarray]):
        """Origins, matrices and frames at poses, and the coordinates there."""
        origins, R = self.rows.bodies(poses)
        frames = self.rows.frames_at(origins, R)
        samples = [f[None] for f in frames]
        return origins, R, frames, {k: coordinates_of(self.joints[k], k, self.rows, samples, near[k])[0] for k in near}

    def _near(self, values: dict[int, np.ndarray]) -> np.ndarray:
        near = self._turns.copy()
        near[self._followed] += [values[k][0] for k in self._followed]
        return near

    def _thread_turns(self) -> np.ndarray:
        """What is to be added to a screw's angle for its thread (joints,) [rad]: typed values, and readings of one pose, may be whole turns off."""
        self._turns = np.zeros(len(self.joints))
        frames, threads = self.rows.frames(self.at.poses), np.flatnonzero(self.rows.kind == THREAD)
        C = self.rows.evaluate(frames, self._near(self.at.values))[0]
        out = self._turns.copy()
        out[self.rows.joint_of_row[threads]] = 2 * np.pi * np.round(C[threads] / self.rows.length[threads])
        return out

    def _residual(self, C: np.ndarray, values: dict[int, np.ndarray], goal: float | None) -> np.ndarray:
        """C of all rows, in m; without a goal the wanted value is no equation."""
        wanted = [] if goal is None else [self.size / self.unit * (values[self.joint][self.coordinate] - goal)]
        return np.concatenate((C, [self._left(h, values) for h in self._held], wanted))

    def _jacobian(self, at: _At, with_goal: bool):
        """Its rates per step (6 n,) in m."""
        origins, R, frames, values = self._read(at.poses, at.values)
        rows = self.rows
        _, force, moment = rows.evaluate(frames, self._near(values))
        r, columns, entries = rows.triplets_of(rows.per_body(origins, R, frames[2], rows.joint_of_row, force, moment), rows.joint_of_row)
        terms = [_Term(t.equation, t.joint, t.coordinate, h.scale * (t.factor - self._follower(h, values)[1] * (t is h.terms[0]))) for h in self._held for t in h.terms]
        count = len(self._held)
        if with_goal:
            terms.append(_Term(count, self.joint, self.coordinate, self.size / self.unit))
            count += 1
        wrenches = {k: coordinate_wrenches(self.joints[k], k, rows, frames, values[k]) for k in {t.joint for t in terms}}
        if terms:
            joints = np.array([t.joint for t in terms])
            F, M = (np.array([t.factor * wrenches[t.joint][i][t.coordinate] for t in terms]) for i in (0, 1))
            more = rows.triplets_of(rows.per_body(origins, R, frames[2], joints, F, M), joints)
            equation = rows.row_count + np.array([t.equation for t in terms])
            r, columns, entries = np.concatenate((r, equation[more[0]])), np.concatenate((columns, more[1])), np.concatenate((entries, more[2]))
        return matrix_of((r, columns, entries * self._column_scale[columns]), (rows.row_count + count, 6 * rows.body_count))

    def _unscaled(self, step: np.ndarray) -> np.ndarray:
        return (step * self._column_scale).reshape(-1, 6)

    def _largest(self, step: np.ndarray) -> float:
        return float(np.abs(step).max(initial=0.0)) / self.size

    # steps

    def _tangent(self, J, solve) -> np.ndarray | None:
        """The least step (6 n,) [m] per unit of the coordinate [rad or m]; None where no motion changes it."""
        wanted = np.zeros(J.shape[0])
        wanted[-1] = self.size / self.unit
        step = solve(wanted)
        # improved for the damping
        for _ in range(2):
            step = step + solve(wanted - J @ step)
        return step if np.linalg.norm(J @ step - wanted) < 1e-6 * wanted[-1] else None

    def _weakest(self, J, solve: LeastSquares) -> float:
        """The least singular value of J beside those that are zero everywhere, which vanishes where branches cross; by inverse iteration.

        The vector is kept from step to step, so that it settles on the one that matters.
        """
        for _ in range(2):
            # only what some row sees: the other freedoms are no weakness
            w = solve(J @ self._weak)
            self._weak = solve.inverse(w / np.linalg.norm(w))
        self._weak = solve(J @ self._weak)
        self._weak /= np.linalg.norm(self._weak)
        return float(np.linalg.norm(J @ self._weak))

    def _attempt(self, start: _At, step: np.ndarray, goal: float | None, solve: Callable[[np.ndarray], np.ndarray],
                 enough: float = EXACT) -> tuple[_At, float] | None:
        """The place on the joints beside start + step, and the correction over the step; None if it is not surely on the same branch.

        enough: residual over size that corrections stop at.
        """
        poses, values = carried(start.poses, self._unscaled(step)), start.values
        length, corrected, before = np.linalg.norm(step), np.zeros_like(step), np.inf
        for _ in range(ITERATIONS):
            _, _, frames, values = self._read(poses, values)
            C = self._residual(self.rows.evaluate(frames, self._near(values))[0], values, goal)
            norm = np.abs(C).max(initial=0.0)
            if norm <= enough * self.reach or (norm <= CLOSED * self.reach and norm > 0.5 * before):
                break
            if norm > 0.3 * before:
                # the rates have changed on the way
                solve = least_squares(self._jacobian(_At(poses, values), goal is not None))
            correction = -solve(C)
            corrected += correction
            if np.linalg.norm(corrected) > CORRECTED * length:
                return None
            poses, before = moved(poses, self._unscaled(correction)), norm
        if norm > CLOSED * self.reach:
            return None
        return _At(poses, values), float(np.linalg.norm(corrected) / length) if length else 0.0

    def follow(self, target: float) -> str:
        """Go to the target; why it was not reached, or nothing."""
        target, reason = self._before_own_stop(target)
        if abs(target - self.x) > FARTHEST * 2 * np.pi * self.unit:
            return f"{self._whose()} would have to go farther than {FARTHEST:g} turns or as many times the mechanism's size at once; type a nearer value."
        sign, largest = (1.0 if target > self.x else -1.0), FIRST_STEP
        last_way: np.ndarray | None = None
        last: tuple[float, float] | None = None
        weakness: float | None = None
        longer: list[float] = []
        travelled = 0.0
        while abs(target - self.x) > 1e-14 * max(self.unit, abs(target)):
            J = self._jacobian(self.at, True)
            solve = least_squares(J)
            tangent = self._tangent(J, solve)
            if tangent is None:
                if last_way is not None:
                    return self._dead_point(target)
                if words := self._leave_singular_pose(sign, target):
                    return words
                last_way = difference(self.passed[-2].poses, self.at.poses, self.size)
                continue
            speed = self._largest(tangent)
            ahead = np.inf if last is None else self._dead_point_ahead(last, speed)
            if ahead < TINY * self.unit:
                return self._dead_point(target)
            dx = min(abs(target - self.x), largest / max(speed, 1e-300), TOWARDS_END * ahead)
            last = (self.x, speed)
            weakest, longer = self._weakest(J, solve), []     # longer: steps to be tried where one does not arrive
            if weakness is not None and weakest < 0.999 * weakness:
                crossing = travelled * weakest / (weakness - weakest)
                if crossing > CROSSING and weakest > WEAK:
                    dx = min(dx, TOWARDS_CROSSING * crossing / speed)
                else:
                    longer = sorted({min(dx, leap * max(crossing, CROSSING) / speed) for leap in LEAPS}, reverse=True)
                    dx = longer.pop()
            weakness = weakest
            found = None
            while found is None:
                goal = target if dx >= (1 - 1e-9) * abs(target - self.x) else self.x + sign * dx
                found = self._attempt(self.at, sign * dx * tangent, goal, solve, EXACT if goal == target else CLOSED)
                if found is not None and last_way is not None:
                    way = difference(self.at.poses, found[0].poses, self.size)
                    if way @ last_way < STRAIGHT * np.linalg.norm(way) * np.linalg.norm(last_way):
                        found = None
                if found is None:
                    dx = longer.pop() if longer else 0.5 * dx
                    if dx < TINY * self.unit:
                        return self._dead_point(target)
            new, correction = found
            stop = self._stop_between(new)
            if stop is not None:
                return self._go_to_stop(stop, sign * dx, tangent, solve)
            travelled = speed * dx
            last_way = difference(self.at.poses, new.poses, self.size)
            largest = min(1.6 * largest, LARGEST_STEP) if correction < SMOOTH else max(0.6 * largest, 0.1 * FIRST_STEP) if correction > 10 * SMOOTH else largest
            self._arrive(new, goal)
        return reason

    def _arrive(self, at: _At, x: float) -> None:
        self.at, self.x = at, x
        self.passed.append(at)

    def _dead_point_ahead(self, last: tuple[float, float], speed: float) -> float:
        """How far the coordinate may be from its largest value, where speed^-2 would be zero, by the last step; infinite if it does not slow down."""
        x, before = last
        slowing = before ** -2 - speed ** -2
        return abs(self.x - x) * speed ** -2 / slowing if slowing > 1e-3 * before ** -2 else np.inf

    def _leave_singular_pose(self, sign: float, target: float) -> str:
        """Where no motion changes the coordinate by rates: go a little way along what can move; why that does not help, or nothing."""
        J = self._jacobian(self.at, False)
        solve = least_squares(J)
        free = np.random.default_rng(20261121).standard_normal(J.shape[1])
        for _ in range(3):
            free = free - solve(J @ free)
        changes = False
        if np.linalg.norm(free) > 1e-6 * np.sqrt(J.shape[1]):
            free *= self.size / np.abs(free).max()
            for kick in KICKS:
                for side in (1.0, -1.0):
                    found = self._attempt(self.at, side * kick * free, None, solve)
                    if found is None:
                        continue
                    x = float(found[0].values[self.joint][self.coordinate])
                    changes = changes or abs(x - self.x) > TINY * kick * self.unit
                    if TINY * kick * self.unit < sign * (x - self.x) < sign * (target - self.x) and self._stop_between(found[0]) is None:
                        self._arrive(found[0], x)
                        return ""
        return self._dead_point(target) if changes else f"{self._whose()} cannot {self._moves()}: the other joints hold it."

    # stops

    def _excess(self, stop: _Stop, at: _At) -> float:
        """How far a coordinate is beyond a stop, in radians or parts of size."""
        return float(stop.side * (at.values[stop.joint][stop.coordinate] - stop.bound)) / self._unit(stop.joint, stop.coordinate)

    def _stop_between(self, new: _At) -> _Stop | None:
        """The stop that would be passed farthest by going there; one that was passed already must not be passed farther."""
        passed = [(e, s) for s in self._stops if (e := self._excess(s, new)) > AT_STOP and e > self._excess(s, self.at) + AT_STOP]
        return max(passed)[1] if passed else None

    def _before_own_stop(self, target: float) -> tuple[float, str]:
        """The target, or the stop of this coordinate before it, and what to say there."""
        for stop in self._stops:
            if (stop.joint, stop.coordinate) == (self.joint, self.coordinate) and stop.side * (target - stop.bound) > 0:
                beyond = self._excess(stop, self.at) > AT_STOP
                if not beyond or stop.side * (target - self.x) > 0:
                    return (self.x if beyond else stop.bound), self._stopped_by(stop)
        return target, ""

    def _go_to_stop(self, stop: _Stop, way: float, tangent: np.ndarray, solve) -> str:
        """Go on to where the first stop is reached, between here and `way` farther (regula falsi, Illinois)."""
        low, high = 0.0, 1.0
        if (e_low := self._excess(stop, self.at)) > -AT_STOP:
            return self._stopped_by(stop)
        found = self._attempt(self.at, way * tangent, self.x + way, solve)
        assert found is not None, "it was found before"
        e_high, side = self._excess(stop, found[0]), 0
        best = None
        for _ in range(60):
            part = low + (high - low) * e_low / (e_low - e_high)
            found = self._attempt(self.at, part * way * tangent, self.x + part * way, solve)
            if found is None:
                part = 0.5 * (low + part)
                found = self._attempt(self.at, part * way * tangent, self.x + part * way, solve)
                if found is None:
                    break
            if (nearer := self._stop_between(found[0])) is not None:
                # another stop comes first
                if nearer != stop:
                    stop, e_low = nearer, self._excess(nearer, self.at if best is None else best[0])
            e = self._excess(stop, found[0])
            if e <= AT_STOP:
                best = (found[0], self.x + part * way)
                if e > -AT_STOP:
                    break
                low, e_low, e_high, side = part, e, e_high * (0.5 if side < 0 else 1.0), -1
            else:
                high, e_high, e_low, side = part, e, e_low * (0.5 if side > 0 else 1.0), 1
        if best is not None:
            self._arrive(*best)
        return self._stopped_by(stop)

    # words

    def _whose(self) -> str:
        """The coordinate at the beginning of a sentence."""
        joint, name = titled(self.joints[self.joint]), self._named(self.joint, self.coordinate).name
        return joint if JOINT_TYPES[self.joints[self.joint].type].dof == 1 else f"{name[:1].upper()}{name[1:]} of {joint}"

    def _moves(self) -> str:
        return "turn" if self.unit == 1.0 and self._named(self.joint, self.coordinate).dimension == "angle" else "slide"

    def _shown(self, joint: int, coordinate: int, value: float) -> str:
        return format_value(value, self._named(joint, coordinate).dimension, digits=4)

    def _dead_point(self, target: float) -> str:
        """The sentence of a dead point; none where it is the target itself, which steps come near to as the root of the way left."""
        if abs(target - self.x) < AT_DEAD_POINT * self.unit:
            self.x = target
            return ""
        return f"{self._whose()} cannot {self._moves()} further: dead point at {self._shown(self.joint, self.coordinate, self.x)}."

    def _stopped_by(self, stop: _Stop) -> str:
        which = "upper" if stop.side > 0 else "lower"
        at = self._shown(stop.joint, stop.coordinate, stop.bound)
        if stop.joint == self.joint:
            return f"{self._whose()} stops at its {which} stop, {at}."
        return f"{self._whose()} stops: {titled(self.joints[stop.joint])} has come to its {which} stop, {at}."
