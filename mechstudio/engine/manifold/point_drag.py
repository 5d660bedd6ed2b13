"""Drag of a mechanism by a point of a body: it goes to where the point is nearest to a target,
loops closed and couplings followed.

Of all motions that bring the point nearer the least one is taken, so that what the pull does not
determine stays where it is: steps make f = (p - T).M (p - T) / 2 smaller (drag_freedom.py), and
Newton steps lead back onto the joints.  A step that has to be corrected much is halved, and steps
are short before places where branches cross, so that no step jumps to another branch.  Stops are
rows while they are pressed.  Where a pull along a line reverses, as behind a dead point, the
mechanism goes back the way it came.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import cross, drawn_poses
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import travel
from mechstudio.engine.manifold.drag_freedom import STIFF, DraggedPoint, Freedom, Step, projected
from mechstudio.engine.manifold.joint_placement import Placed, closed_drawing, placed
from mechstudio.engine.manifold.least_squares import least_squares
from mechstudio.engine.manifold.manifold import AT_STOP, CLOSED, Prescribed, Seen, Stop
from mechstudio.engine.manifold.metric import difference
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import tr

FIRST_STEP, LARGEST_STEP = 0.2, 0.8  # radians, or parts of size, that a body moves in one step
SHORTEST = 1e-9  # a step as short as this is the end of the way
DEPTH = 1e-4  # what a way along the line of sight counts, against one across it
STILL = 1e-3  # rate of a joint over the largest one at which it stands still
GAINED = 1e-4  # of the decrease that was foreseen: a step must bring as much
DECREASE = 1e-13  # of f: a smaller decrease is rounding
TOWARDS_CROSSING, CROSSING, WEAK = 0.5, 1e-3, 1e-4  # as in joint_setting.py
LEAPS = (2.2, 5.0, 12.0, 30.0)
KICKS = (0.02, 0.005, 0.001)  # radians, or parts of size, tried for leaving a singular pose
APART = 0.5  # radians or parts of size between poses that are kept for counting turns
# part of a step's way that must lie in the freedoms at its end: another branch leads elsewhere
STRAIGHT = 0.85
REMEMBERED = 0.5  # part of the way come so far that each step leaves to its memory
SPENT = 0.008  # s that one call may take


class Dragged(NamedTuple):
    """Progress of a drag.

    poses (n, 7): origin in W [m], quaternion.  point (3,): position of the dragged point [m, W].
    settled: it goes no further.
    word: why the point does not follow, where that has a reason: a dead point, a stop, joints that
    hold it.
    """

    poses: np.ndarray
    point: np.ndarray
    settled: bool
    word: str


class PointDrag(DraggedPoint):
    """A body of a mechanism held at a point.  Kept while the pull lasts: each call of `go` starts
    where the last one came to.

    Made as a DraggedPoint is.  The joints' stops are kept.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        rows: JointRows,
        poses: np.ndarray,
        body: str,
        point: Sequence[float],
        near: np.ndarray | None = None,
    ) -> None:
        super().__init__(mechanism, rows, poses, body, point, near)
        self._radius, self._lost_branch = FIRST_STEP, False
        self._moved = np.zeros(len(self.joints))  # largest rate of each joint
        self._weakness: tuple[float, float] | None = (
            None  # least singular value, and how far it was moved since
        )
        self._passed = [self.at.poses]
        self._settled, self._word = True, ""

    def go(
        self,
        target: Sequence[float],
        view_direction: Sequence[float] | None = None,
        seconds: float = SPENT,
    ) -> Dragged:
        """Go towards a target (3,) in W [m] for a while, at least one step.

        view_direction: unit vector along the line of sight; ways along it count little.  seconds:
        of the clock.
        """
        aim = np.asarray(target, float)
        metric = (
            np.eye(3)
            if view_direction is None
            else np.eye(3) - (1 - DEPTH) * np.outer(view_direction, view_direction)
        )
        if not np.isfinite(aim).all() or not np.isfinite(metric).all():
            raise ValueError(tr("The target of a pull must be a place."))
        if not np.array_equal(aim, self._target) or not np.array_equal(metric, self._metric):
            self._target, self._metric, self._settled = aim, metric, False
        end = time.perf_counter() + seconds
        while not self._settled:
            self._settled = not self._advance()
            if time.perf_counter() > end:
                break
        return Dragged(self.at.poses, self.point, self._settled, self._word)

    def placed(self) -> Placed:
        """Poses of the bodies, and the values to type on joints so that they keep their turns."""
        coordinates = joint_coordinates(
            self.mechanism, np.array([*self._passed, self.at.poses]), self.start_row, self.rows
        )[-1]
        return placed(self.mechanism, self.rows, self.at.poses, coordinates, 0.0, self._word)

    # one step

    def _advance(self) -> bool:
        """Make one step; whether there may be another."""
        here = self._freedom()
        left = self.point - self._target
        f = 0.5 * float(left @ self._metric @ left)
        if f <= (CLOSED * self.reach) ** 2:
            self._word = ""
            return False
        crossing = self._crossing_ahead(here)
        leaps = []
        radius = self._radius = max(self._radius, 0.1 * FIRST_STEP)
        if crossing is not None:
            if crossing > CROSSING:
                radius = min(radius, TOWARDS_CROSSING * crossing)
            else:
                leaps = sorted(
                    {min(radius, leap * max(crossing, CROSSING)) for leap in LEAPS}, reverse=True
                )
                radius = leaps.pop()
        foreseen = self._foreseen(here, radius)
        if self._is_end(foreseen, f):
            if crossing == 0.0 and self._kick(here, f):
                return True
            here = self._with_other_motions(here)
            if here is None or self._is_end(foreseen := self._foreseen(here, radius), f):
                self._word = self._why()
                return False
        while True:
            done = self._try(here, foreseen, f, over=crossing is not None and crossing <= CROSSING)
            if done:
                break
            radius = leaps.pop() if leaps else 0.4 * min(radius, self.largest(foreseen.step))
            if self._lost_branch and radius < KICKS[-1] and self._kick(here, f):
                return True
            if radius < SHORTEST:
                self._word = self._why()
                return False
            foreseen = self._foreseen(here, radius)
        return True

    def _is_end(self, foreseen: Step, f: float) -> bool:
        return self.largest(foreseen.step) < SHORTEST or foreseen.decrease < DECREASE * f

    def _try(self, here: Freedom, foreseen: Step, f: float, over: bool) -> bool:
        """Go a foreseen step if it leads to where it should; whether it did.  over: it may lead
        over a crossing of branches.
        """
        start, step, self._lost_branch = self.at, foreseen.step, True
        found = self.project(start, step, self._pressed(), self._for_correction(here), CLOSED)
        if found is None:
            self._radius = max(0.5 * min(self._radius, self.largest(step)), SHORTEST)
            return False
        seen, correction = found
        stop = None
        for _ in range(len(self.stops)):
            passed = [
                (self._part(s, seen.at), s)
                for s in self.stops
                if s not in self._active and self.excess(s, seen.at) > AT_STOP
            ]
            if not passed:
                break
            part, stop = min(passed)
            if part * self.largest(step) < SHORTEST:
                # it stands there already
                self._active.append(stop)
                return True
            at_stop = self.project(
                start,
                part * step,
                [*self._pressed(), Prescribed(stop.joint, stop.coordinate, stop.bound)],
                least_squares(
                    self.jacobian(
                        self._seen,
                        [*self._pressed(), Prescribed(stop.joint, stop.coordinate, stop.bound)],
                    )
                ),
                CLOSED,
            )
            if at_stop is None:
                self._radius = 0.5 * self.largest(step)
                return False
            seen, correction = at_stop
        if not self._goes_straight(here, seen, over):
            self._radius = max(0.5 * self.largest(step), SHORTEST)
            return False
        self._lost_branch = False
        left = seen.origins[1 + self._body] + seen.R[1 + self._body] @ self._point - self._target
        new_f = 0.5 * float(left @ self._metric @ left)
        if stop is None and f - new_f < GAINED * foreseen.decrease:
            self._radius = max(0.5 * self.largest(step), SHORTEST)
            return False
        if stop is not None:
            self._active.append(stop)
        gained = (f - new_f) / max(foreseen.decrease, 1e-300)
        if (
            stop is None
            and gained > 0.7
            and correction < 0.1
            and self.largest(step) > 0.7 * self._radius
        ):
            self._radius = min(1.6 * self._radius, LARGEST_STEP)
        elif correction > 0.2 or gained < 0.25:
            self._radius = max(0.6 * self._radius, 0.1 * FIRST_STEP)
        self._arrive(seen, here)
        return True

    def _kick(self, here: Freedom, f: float) -> bool:
        """Step a little aside, and back onto the joints, where branches cross and no straight step
        may lie on any of them. Returns True if that came nearer to the target.
        """
        free = projected(here.J, here.solve, np.column_stack((here.Z, self._directions)))
        for way in free.T:
            if (largest := self.largest(way)) == 0.0:
                continue
            for kick in KICKS:
                for side in (1.0, -1.0):
                    found = self.project(
                        self.at,
                        side * kick / largest * way,
                        self._pressed(),
                        self._for_correction(here),
                        CLOSED,
                    )
                    if found is None or any(
                        s not in self._active and self.excess(s, found[0].at) > AT_STOP
                        for s in self.stops
                    ):
                        continue
                    left = (
                        found[0].origins[1 + self._body]
                        + found[0].R[1 + self._body] @ self._point
                        - self._target
                    )
                    if (
                        0.5 * float(left @ self._metric @ left)
                        < (1 - DECREASE) * f - DECREASE * self.size**2
                    ):
                        self._arrive(found[0], here)
                        return True
        return False

    def _goes_straight(self, here: Freedom, seen: Seen, over: bool) -> bool:
        """True if a place is on the branch that a step began on: the mechanism could continue there
        in the direction that it came, and no singular value has passed zero.
        """
        way = difference(self.at.poses, seen.at.poses, self.size)
        if self.largest(way) < CROSSING or not self.rows.row_count:
            return True
        J, solve = self._linearised(seen)
        if np.linalg.norm(projected(J, solve, way)) < STRAIGHT * np.linalg.norm(way):
            return False
        # u.J w with the vectors of the place before changes its sign where branches cross, and
        # between two that nearly do
        return over or bool((here.J @ self._weak) @ (J @ self._weak) > 0.0)

    def _part(self, stop: Stop, new) -> float:
        """Fraction of the motion to a new place at which a stop is reached, 0 if it is not
        passed.
        """
        before, after = self.excess(stop, self.at), self.excess(stop, new)
        return float(np.clip(before / (before - after), 0.0, 1.0)) if before < 0.0 < after else 0.0

    def _arrive(self, seen, here: Freedom) -> None:
        way = difference(self.at.poses, seen.at.poses, self.size)
        length = self.largest(way)
        if self._weakness is not None:
            self._weakness = (self._weakness[0], self._weakness[1] + length)
        if length > 1e-4:
            self._memory = REMEMBERED * self._memory + way
            rates = self._joint_rates(way / length)
            self._moved = np.maximum(self._moved, rates)
        self._seen, self.at = seen, seen.at
        if travel(self.rows, self._passed[-1], self.at.poses) > APART:
            self._passed.append(self.at.poses)

    def _joint_rates(self, step: np.ndarray) -> np.ndarray:
        """Speeds of the joints in a step (6 n,): (joints,) [m, rotations times size]."""
        seen, rows = self._seen, self.rows
        twists = np.concatenate((np.zeros((1, 6)), self.unscaled(step)))
        w = (seen.R @ twists[:, 3:, None])[..., 0]
        at = [
            twists[b, :3] + cross(w[b], seen.frames[2] - seen.origins[b])
            for b in (rows.body_a, rows.body_b)
        ]
        return np.sqrt(
            np.sum((at[1] - at[0]) ** 2, axis=1)
            + self.size**2 * np.sum((w[rows.body_b] - w[rows.body_a]) ** 2, axis=1)
        )

    # branches

    def _crossing_ahead(self, here: Freedom) -> float | None:
        """Estimated distance to a crossing of branches [radians or parts of size], None if none is
        near.
        """
        weakest = self.weakest(here.J, here.solve) if here.J.shape[0] else 1.0
        before, self._weakness = self._weakness, (weakest, 0.0)
        if weakest <= WEAK:
            return 0.0
        if before is None or before[1] <= 0.0 or weakest >= 0.999 * before[0]:
            return None
        crossing = before[1] * weakest / (before[0] - weakest)
        return None if crossing > 2 * self._radius else crossing

    # words

    def _why(self) -> str:
        """Reason why the point goes no farther, in a few words; empty where it is only out of
        reach.
        """
        if self._active:
            s = self._active[-1]
            return tr(
                "{joint} is at its {word} stop, {state_joint}",
                joint=self.joints[s.joint].name,
                word=tr("upper") if s.side > 0 else tr("lower"),
                state_joint=self.shown(s.joint, s.coordinate, s.bound),
            )
        J, solve = self._linearised()
        rates = self._rates()
        gains = np.linalg.eigvalsh(rates.T @ projected(J, solve, rates))
        if self._freedoms and np.sum(gains > STIFF * self._gain) >= self._freedoms:
            return ""
        free = projected(J, solve, self._memory if self._memory.any() else self._directions[:, 0])
        name = self.mechanism.bodies[list(self.mechanism.bodies)[self._body]].name
        if np.linalg.norm(free) < 1e-6 * np.linalg.norm(
            self._memory if self._memory.any() else self._directions[:, 0]
        ):
            return tr("{name} is held by its joints", name=name)
        rate = self._joint_rates(free)
        still = rate <= STILL * rate.max()
        if self._memory.any():
            still &= self._moved > 0.01 * self._moved.max()
        else:
            still &= np.array([JOINT_TYPES[j.type].dof > 0 for j in self.joints])
        if not still.any():
            return (
                tr("reaches no farther") if self._freedoms else tr("this point stays where it is")
            )
        # the joints of the held body first, then those on ground
        mine = (self.rows.body_a == 1 + self._body) | (self.rows.body_b == 1 + self._body)
        order = sorted(
            np.flatnonzero(still),
            key=lambda k: (not mine[k], self.rows.body_a[k] != 0 and self.rows.body_b[k] != 0, k),
        )
        return tr("dead point of {joint}", joint=self.joints[int(order[0])].name)


def start(
    mechanism: Mechanism,
    body: str,
    point: Sequence[float],
    poses: np.ndarray | None = None,
    near: np.ndarray | None = None,
) -> PointDrag:
    """Take hold of a body (id) at a point (3,) in W [m] as it is at poses (n, 7), or as drawn; the
    drawing is closed first.

    near (f,): coordinates of all joints there, for their turns.  Raises EngineError for a drawing
    that cannot be read or closed, ValueError for a body that there is not.
    """
    if body not in mechanism.bodies:
        raise ValueError(tr("What is held does not move."))
    seen = drawn_poses(mechanism) if poses is None else np.asarray(poses, float)
    rows, closed = closed_drawing(mechanism, seen)
    # the point stays on its body where closing moved that
    k = 1 + list(mechanism.bodies).index(body)
    (o, R), (o_new, R_new) = rows.bodies(seen), rows.bodies(closed)
    held = o_new[k] + R_new[k] @ (R[k].T @ (np.asarray(point, float) - o[k]))
    return PointDrag(mechanism, rows, closed, body, held, near)


def load() -> None:
    """Import what the first pull would else wait for."""
    import scipy.linalg
    import scipy.sparse.linalg  # noqa: F401
