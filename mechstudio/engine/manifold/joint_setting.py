"""Setting a joint coordinate: the whole mechanism is moved until it has the target value, all loops
closed and all couplings followed.

The path is followed in small steps: along the motion that changes the coordinate and moves
everything else least, then back onto the joints by Newton steps.  A step with a large correction,
or with a sharp turn from the path so far, is halved, so that no step jumps to another branch; steps
are also short before a place where branches cross or nearly cross.  Drives and rolling constrain
velocities and do not matter here; the constants of couplings are taken from the poses at the start.
If the steps become shorter and shorter, the coordinate has its largest value: a dead point.
"""

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.least_squares import least_squares
from mechstudio.engine.manifold.manifold import (
    AT_STOP,
    CLOSED,
    EXACT,
    At,
    HeldManifold,
    Prescribed,
    Stop,
)
from mechstudio.engine.manifold.metric import difference
from mechstudio.model.joints.titles import titled
from mechstudio.model.mechanism import CoordinateOf, Mechanism
from mechstudio.model.types.joints import HELIX, JOINT_TYPES
from mechstudio.translation import tr

FIRST_STEP, LARGEST_STEP = 0.2, 0.8  # radians, or parts of size, that a body moves in one step
TINY = (
    1e-8  # radians or parts of size: a step of that length, or so near to a dead point, is its end
)
SMOOTH = 0.02  # smaller corrections make the next step longer
STRAIGHT = 0.5  # cosine between two steps below which the second is rejected
TOWARDS_END = 0.7  # share of the distance to the dead point ahead that one step covers
TOWARDS_CROSSING = 0.5  # share of the distance to an apparent crossing that one step covers
CROSSING = 1e-3  # radians or parts of size: distance within which branches cross
WEAK = 1e-4  # least singular value down to which the rates are reliable
LEAPS = (
    2.2,
    5.0,
    12.0,
    30.0,
    100.0,
)  # times the distance to a crossing: steps over it, the next one if one does not arrive
FARTHEST = 100.0  # turns, or twice as many sizes, that one call covers at most
AT_DEAD_POINT = 1e-6  # radians or parts of size: a target so near to a dead point is reached there
KICKS = (0.02, 0.005, 0.001)  # radians, or parts of size, tried for leaving a singular pose


class Posed(msgspec.Struct, frozen=True):
    """Result of setting a joint coordinate: new body poses and joint values.

    poses (n, 7): origin in W [m], quaternion.  value: of the coordinate there [rad or m].
    coordinates (f,): of all joints, angles with the turns made. reason: why the value was not
    reached, as a sentence; empty if it was.
    """

    poses: np.ndarray
    value: float
    coordinates: np.ndarray
    reason: str = ""


def pose_at(
    mechanism: Mechanism,
    poses: np.ndarray,
    joint: str,
    coordinate: int,
    value: float,
    rows: JointRows | None = None,
    released: str = "",
) -> Posed:
    """The closed poses (n, 7) moved until a joint's coordinate has a value [rad or m], or as far as
    possible.

    joint: id.  released: id of a coupling that is ignored, while its other coordinates stay the
    same.  Joints' limits are kept.  An angle that cannot be reached is taken the short way round,
    if a whole turn makes no difference to the poses.  Raises ValueError for a joint or coordinate
    that does not exist.
    """
    if (
        joint not in mechanism.joints
        or not 0 <= coordinate < JOINT_TYPES[mechanism.joints[joint].type].dof
    ):
        raise ValueError(
            tr(
                "There is no coordinate {coordinate} of joint {joint}.",
                coordinate=coordinate + 1,
                joint=joint,
            )
        )
    if not np.isfinite(value):
        raise ValueError(tr("The value {value} cannot be reached.", value=value))
    rows = rows or JointRows(mechanism)
    index, held = list(mechanism.joints).index, ()
    if released:
        ends = mechanism.couplings[released].ends
        held = tuple(
            (index(e.joint), e.coordinate) for e in ends if e != CoordinateOf(joint, coordinate)
        )
        mechanism = msgspec.structs.replace(
            mechanism, couplings={k: c for k, c in mechanism.couplings.items() if k != released}
        )

    def path_to(target: float) -> tuple[_CoordinatePath, str]:
        start = np.asarray(poses, float)
        way = _CoordinatePath(mechanism, rows, start, index(joint), coordinate, held)
        return way, way.follow(target)

    way, reason = path_to(float(value))
    far = value - way.start
    if reason and math.pi < abs(far) < math.tau and _turns_freely(mechanism, joint, coordinate):
        # 180 deg from -170 deg on: the long way round meets a dead point, the short one does not
        short, hindrance = path_to(value - math.copysign(math.tau, far))
        if not hindrance:
            way, reason = short, ""
    coordinates = joint_coordinates(
        mechanism, np.array([at.poses for at in way.passed]), way.start_row, rows
    )[-1]
    return Posed(way.at.poses, way.x, coordinates, reason)


def _turns_freely(mechanism: Mechanism, joint: str, coordinate: int) -> bool:
    """True if whole turns of a coordinate leave every pose as it is: an angle that advances no
    thread, and that no coupling reads.
    """
    kind = JOINT_TYPES[mechanism.joints[joint].type]
    return (
        kind.coordinates[coordinate].dimension == "angle"
        and all(motion != HELIX for motion, _ in kind.motions)
        and not any(e.joint == joint for c in mechanism.couplings.values() for e in c.ends)
    )


class _CoordinatePath(HeldManifold):
    """The path of one mechanism from a pose to a value of one joint coordinate. at, x: present
    position on it.  start: x before it.  passed: all positions on it.  held: (joint, coordinate)
    that keep their values."""

    def __init__(
        self,
        mechanism: Mechanism,
        rows: JointRows,
        poses: np.ndarray,
        joint: int,
        coordinate: int,
        held: Sequence[tuple[int, int]] = (),
    ) -> None:
        super().__init__(mechanism, rows, poses, (joint, *(j for j, _ in held)))
        self._kept = [Prescribed(j, c, float(self.at.values[j][c])) for j, c in held]
        self.joint, self.coordinate = joint, coordinate
        self._unit = self.unit(joint, coordinate)
        self.passed = [self.at]
        self.x = self.start = float(self.at.values[joint][coordinate])

    def _jacobian(self, with_goal: bool):
        """The rates of all equations here; with the target value as the last of them, or
        without.
        """
        return self.jacobian(
            self.see(self.at.poses, self.at.values),
            self._prescribed(self.x if with_goal else None),
        )

    def _prescribed(self, goal: float | None) -> list[Prescribed]:
        """Coordinates that keep their values, and after them the one that has a goal."""
        return self._kept + (
            [] if goal is None else [Prescribed(self.joint, self.coordinate, goal)]
        )

    def _tangent(self, J, solve) -> np.ndarray | None:
        """The least step (6 n,) [m] per unit of the coordinate [rad or m]; None if no motion
        changes it.
        """
        requested = np.zeros(J.shape[0])
        requested[-1] = self.size / self._unit
        step = solve(requested)
        # improved for the damping
        for _ in range(2):
            step = step + solve(requested - J @ step)
        return step if np.linalg.norm(J @ step - requested) < 1e-6 * requested[-1] else None

    def _attempt(
        self,
        start: At,
        step: np.ndarray,
        goal: float | None,
        solve: Callable[[np.ndarray], np.ndarray],
        enough: float = EXACT,
    ) -> tuple[At, float] | None:
        found = self.project(start, step, self._prescribed(goal), solve, enough)
        return None if found is None else (found[0].at, found[1])

    def follow(self, target: float) -> str:
        """Move to the target.  Returns why it was not reached, or ""."""
        target, reason = self._before_own_stop(target)
        if abs(target - self.x) > FARTHEST * 2 * np.pi * self._unit:
            return tr(
                "{joint_label} would have to go farther than {farthest:g} turns or as many times "
                "the mechanism's size at once; type a nearer value.",
                joint_label=self._joint_label(),
                farthest=FARTHEST,
            )
        sign, largest = (1.0 if target > self.x else -1.0), FIRST_STEP
        last_way: np.ndarray | None = None
        last: tuple[float, float] | None = None
        weakness: float | None = None
        longer: list[float] = []
        travelled = 0.0
        while abs(target - self.x) > 1e-14 * max(self._unit, abs(target)):
            J = self._jacobian(True)
            solve = least_squares(J)
            tangent = self._tangent(J, solve)
            if tangent is None:
                if last_way is not None:
                    return self._dead_point(target)
                if words := self._leave_singular_pose(sign, target):
                    return words
                last_way = difference(self.passed[-2].poses, self.at.poses, self.size)
                continue
            speed = self.largest(tangent)
            ahead = np.inf if last is None else self._dead_point_ahead(last, speed)
            if ahead < TINY * self._unit:
                return self._dead_point(target)
            dx = min(abs(target - self.x), largest / max(speed, 1e-300), TOWARDS_END * ahead)
            last = (self.x, speed)
            weakest, longer = (
                self.weakest(J, solve),
                [],
            )  # longer: steps to be tried if one does not arrive
            if weakness is not None and weakest < 0.999 * weakness:
                crossing = travelled * weakest / (weakness - weakest)
                if crossing > CROSSING and weakest > WEAK:
                    dx = min(dx, TOWARDS_CROSSING * crossing / speed)
                else:
                    longer = sorted(
                        {min(dx, leap * max(crossing, CROSSING) / speed) for leap in LEAPS},
                        reverse=True,
                    )
                    dx = longer.pop()
            weakness = weakest
            found, goal = None, target
            while found is None:
                goal = target if dx >= (1 - 1e-9) * abs(target - self.x) else self.x + sign * dx
                found = self._attempt(
                    self.at, sign * dx * tangent, goal, solve, EXACT if goal == target else CLOSED
                )
                if found is not None and last_way is not None:
                    way = difference(self.at.poses, found[0].poses, self.size)
                    if way @ last_way < STRAIGHT * np.linalg.norm(way) * np.linalg.norm(last_way):
                        found = None
                if found is None:
                    dx = longer.pop() if longer else 0.5 * dx
                    if dx < TINY * self._unit:
                        return self._dead_point(target)
            new, correction = found
            stop = self._stop_between(new)
            if stop is not None:
                return self._go_to_stop(stop, sign * dx, tangent, solve)
            travelled = speed * dx
            last_way = difference(self.at.poses, new.poses, self.size)
            largest = (
                min(1.6 * largest, LARGEST_STEP)
                if correction < SMOOTH
                else max(0.6 * largest, 0.1 * FIRST_STEP)
                if correction > 10 * SMOOTH
                else largest
            )
            self._arrive(new, goal)
        return reason

    def _arrive(self, at: At, x: float) -> None:
        self.at, self.x = at, x
        self.passed.append(at)

    def _dead_point_ahead(self, last: tuple[float, float], speed: float) -> float:
        """Estimated distance of the coordinate from its extreme value, where speed^-2 would be
        zero, by the last step, infinite if it does not slow down.
        """
        x, before = last
        slowing = before**-2 - speed**-2
        return abs(self.x - x) * speed**-2 / slowing if slowing > 1e-3 * before**-2 else np.inf

    def _leave_singular_pose(self, sign: float, target: float) -> str:
        """Move a little along the free motions at a pose where none changes the coordinate by
        rates. Returns why that does not help, or an empty string.
        """
        J = self._jacobian(False)
        solve, columns = least_squares(J), 6 * self.rows.body_count
        free = np.random.default_rng(20261121).standard_normal(columns)
        for _ in range(3):
            free = free - solve(J @ free)
        changes = False
        if np.linalg.norm(free) > 1e-6 * np.sqrt(columns):
            free *= self.size / np.abs(free).max()
            for kick in KICKS:
                for side in (1.0, -1.0):
                    found = self._attempt(self.at, side * kick * free, None, solve)
                    if found is None:
                        continue
                    x = float(found[0].values[self.joint][self.coordinate])
                    changes = changes or abs(x - self.x) > TINY * kick * self._unit
                    if (
                        TINY * kick * self._unit < sign * (x - self.x) < sign * (target - self.x)
                        and self._stop_between(found[0]) is None
                    ):
                        self._arrive(found[0], x)
                        return ""
        return (
            self._dead_point(target)
            if changes
            else tr(
                "{joint_label} cannot {moves}: the other joints hold it.",
                joint_label=self._joint_label(),
                moves=self._moves(),
            )
        )

    # stops

    def _stop_between(self, new: At) -> Stop | None:
        """The stop that would be passed farthest by going there; one that was passed already must
        not be passed farther.
        """
        passed = [
            (e, s)
            for s in self.stops
            if (e := self.excess(s, new)) > AT_STOP and e > self.excess(s, self.at) + AT_STOP
        ]
        return max(passed)[1] if passed else None

    def _before_own_stop(self, target: float) -> tuple[float, str]:
        """The target, or the stop of this coordinate before it, and the sentence for that."""
        for stop in self.stops:
            if (stop.joint, stop.coordinate) == (self.joint, self.coordinate) and stop.side * (
                target - stop.bound
            ) > 0:
                beyond = self.excess(stop, self.at) > AT_STOP
                if not beyond or stop.side * (target - self.x) > 0:
                    return (self.x if beyond else stop.bound), self._stopped_by(stop)
        return target, ""

    def _go_to_stop(self, stop: Stop, way: float, tangent: np.ndarray, solve) -> str:
        """Move to the place where the first stop is reached, between here and `way` farther (regula
        falsi, Illinois).
        """
        low, high = 0.0, 1.0
        if (e_low := self.excess(stop, self.at)) > -AT_STOP:
            return self._stopped_by(stop)
        found = self._attempt(self.at, way * tangent, self.x + way, solve)
        assert found is not None, "it was found before"
        e_high, side = self.excess(stop, found[0]), 0
        best = None
        for _ in range(60):
            part = low + (high - low) * e_low / (e_low - e_high)
            found = self._attempt(self.at, part * way * tangent, self.x + part * way, solve)
            if found is None:
                part = 0.5 * (low + part)
                found = self._attempt(self.at, part * way * tangent, self.x + part * way, solve)
                if found is None:
                    break
            nearer = self._stop_between(found[0])
            if nearer not in (None, stop):
                # another stop comes first
                stop, e_low = nearer, self.excess(nearer, self.at if best is None else best[0])
            e = self.excess(stop, found[0])
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

    def _joint_label(self) -> str:
        return self.joint_label(self.joint, self.coordinate)

    def _moves(self) -> str:
        return (
            tr("turn")
            if self._unit == 1.0 and self.named(self.joint, self.coordinate).dimension == "angle"
            else tr("slide")
        )

    def _dead_point(self, target: float) -> str:
        """The sentence of a dead point; none where it is the target itself, which steps come near
        to as the root of the way left.
        """
        if abs(target - self.x) < AT_DEAD_POINT * self._unit:
            self.x = target
            return ""
        return tr(
            "{joint_label} cannot {moves} further: dead point at {joint}.",
            joint_label=self._joint_label(),
            moves=self._moves(),
            joint=self.shown(self.joint, self.coordinate, self.x),
        )

    def _stopped_by(self, stop: Stop) -> str:
        which = tr("upper") if stop.side > 0 else tr("lower")
        at = self.shown(stop.joint, stop.coordinate, stop.bound)
        if stop.joint == self.joint:
            return tr(
                "{joint_label} stops at its {which} stop, {at}.",
                joint_label=self._joint_label(),
                which=which,
                at=at,
            )
        return tr(
            "{joint_label} stops: {joint} has come to its {which} stop, {at}.",
            joint_label=self._joint_label(),
            joint=titled(self.joints[stop.joint]),
            which=which,
            at=at,
        )
