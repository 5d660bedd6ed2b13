"""Manifold of the joints: the poses at which they hold, with residuals, Jacobian, tangents, and
projection from far away.

Redundant rows are tolerated because (J^T J + mu 1) step = -J^T C never requires of a dependent row
more than the others give (Levenberg 1944).  HeldManifold (manifold.py) projects from near by: there
one step is one correction, and a long one means another branch.
"""

from collections.abc import Callable

import numpy as np

from mechstudio.engine.constraints.attitude import displaced, drawn_poses
from mechstudio.engine.constraints.primitives import hinge_angle, hinge_rate
from mechstudio.engine.constraints.rows import JointRows, PlacedRows
from mechstudio.engine.manifold.damping import Closing, Damping, Settling
from mechstudio.engine.manifold.least_squares import DENSE, least_squares, matrix_of
from mechstudio.engine.manifold.metric import Measure, uniform
from mechstudio.engine.manifold.placement_rows import TypedNumbers
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import ANGLE, JOINT_TYPES, THREAD, TWIST, X, Y, Z

EXACT = 1e-12  # residual over size below which a drawing counts as closed and is not changed
CLOSED = 1e-10  # residual over size that assembly must reach
LARGEST_STEP = 0.5  # radians, or parts of size, that one body may move in one step
# cosine below which a joint's axes are turned by the turn vector, not by their cosines
TILTED = 0.5
# cosine between the shafts of a constant-velocity joint below which it counts as drawn the wrong
# way round
FOLDED = -0.866
ITERATIONS = 120
SETTLING = 200  # steps towards the least residual of joints that cannot close
APPROACHES = 10  # steps along the free motions towards the drawn poses


class JointManifold:
    """Newton steps on the rows of one mechanism; unknowns are the shifts and turns, scaled to
    lengths [m] by a metric.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        rows: JointRows,
        measure: Measure | None = None,
        step: Callable[[], object] = lambda: None,
    ):
        self.rows, self.size, self._step = rows, rows.size, step
        self.measure = measure or uniform(rows)
        # joints whose rows have less weight, for the best try of a drawing that cannot close
        self.loosened = np.ones(rows.row_count)
        self._typed: TypedNumbers | None = None
        self._last: tuple[bytes, PlacedRows] | None = None
        # far from the world origin coordinates have fewer decimal digits
        self.reach = max(
            self.size, 1e-3 * float(np.abs(drawn_poses(mechanism)[:, :3]).max(initial=0.0))
        )
        kinds = [
            {(a, b) for p, a, b in JOINT_TYPES[j.type].rows if p == ANGLE}
            for j in mechanism.joints.values()
        ]
        parallel = np.array([{(X, Z), (Y, Z)} <= k for k in kinds], bool)
        whole = np.array([{(X, Z), (Y, Z), (X, Y)} <= k for k in kinds], bool)
        self._axis = np.flatnonzero(parallel & ~whole)
        self._whole = np.flatnonzero(whole)
        self._twist = np.flatnonzero(rows.kind == TWIST)
        self._thread = {
            int(rows.joint_of_row[r]): int(r) for r in np.flatnonzero(rows.kind == THREAD)
        }
        # row of each (axis of A, axis of B) pair of these joints
        self._row = {
            (j, rows.axis_a[r], rows.axis_b[r]): r
            for r, j in enumerate(rows.joint_of_row)
            if rows.kind[r] == ANGLE
        }

    def hold(self, typed: TypedNumbers | None, weight: float = 1.0) -> None:
        """Hold typed numbers in addition to the joints, as weighted rows; None releases them."""
        self._typed = typed
        self.loosened = np.append(
            np.ones(self.rows.row_count), np.full(0 if typed is None else len(typed), weight)
        )

    def unscaled(self, step: np.ndarray, poses: np.ndarray) -> np.ndarray:
        """A step (6 n,) in m from poses (n, 7) as twists (n, 6) in m and rad."""
        return self.measure.twists(step, self._placed(poses).R[1:])

    def _placed(self, poses: np.ndarray) -> PlacedRows:
        """The rows at poses.  Residuals, Jacobian and step are requested at the same poses in
        succession, so that the last rows are cached.
        """
        key = poses.tobytes()
        if self._last is None or self._last[0] != key:
            rows = self.rows
            self._last = key, (rows.placed_by_kernel if rows.is_plain else rows.placed)(poses)
        return self._last[1]

    def errors(self, poses: np.ndarray) -> np.ndarray:
        """Norm of each joint's residuals (joints,) [m], tilts by more than 60 degrees as the angle
        itself.
        """
        out = np.zeros(len(self.rows.joints))
        np.add.at(out, self.rows.joint_of_row, self._joint_residuals(poses)[0] ** 2)
        return np.sqrt(out)

    def residuals(self, poses: np.ndarray) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Residuals (rows,) [m] of the joints, then of typed numbers that are held; and the turning
        axes of `_joint_residuals`.
        """
        C, turning = self._joint_residuals(poses)
        return (C if self._typed is None else np.append(C, self._typed.residuals(poses))), turning

    def _joint_residuals(self, poses: np.ndarray) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """C (rows,) [m], and the axis in W about which each row of a widely tilted joint turns B
        against A.

        The cosines of a pair of angle rows vanish at 0 and at 180 degrees of tilt; there the
        components of the turn vector replace them, which lead back to 0 from any tilt.
        """
        at = self._placed(poses)
        C = at.C.copy()
        if not len(self._axis) and not len(self._whole) and not len(self._twist):
            return C, {}
        _, A, _, B = at.frames
        turning: dict[int, np.ndarray] = {}
        cosine = np.einsum("ji,ji->j", A[self._axis, :, Z], B[self._axis, :, Z])
        for j in self._axis[cosine < TILTED]:
            vector = _tilt(A[j], B[j])
            # z_B = z_A + t x z_A: x_A.z_B = t.y_A, y_A.z_B = -t.x_A
            for pair, axis in (((X, Z), A[j, :, Y]), ((Y, Z), -A[j, :, X])):
                self._turn_row(C, turning, (j, *pair), axis, vector)
            if j in self._thread:
                # between tilted axes no angle is defined: the thread is ignored
                C[self._thread[j]], turning[self._thread[j]] = 0.0, np.zeros(3)
        for j in self._reversed(A, B) if len(self._whole) else ():
            vector = _turn(A[j], B[j])
            # y_B = y_A + t x y_A: x_A.y_B = -t.z_A
            for pair, axis in (((X, Z), A[j, :, Y]), ((Y, Z), -A[j, :, X]), ((X, Y), -A[j, :, Z])):
                self._turn_row(C, turning, (j, *pair), axis, vector)
        for r in self._twist:
            self._unfold(C, turning, r, A[self.rows.joint_of_row[r]], B[self.rows.joint_of_row[r]])
        return C, turning

    def _reversed(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Joints that hold the whole attitude, and whose frames are rotated by a large angle."""
        trace = np.einsum("jik,jik->j", A[self._whole], B[self._whole])
        return self._whole[trace < 1 + 2 * TILTED]

    def _unfold(self, C, turning, r, A, B):
        """The row of a constant-velocity joint holds as well for shafts folded onto each other, and
        for half a turn of one of them.
        """
        if A[:, Z] @ B[:, Z] < FOLDED:
            vector = _tilt(A, B)
            C[r], turning[r] = self.size * np.linalg.norm(vector), vector / np.linalg.norm(vector)
        elif np.cos(twist := hinge_angle(A, B)) < TILTED:
            C[r], turning[r] = self.size * twist, hinge_rate(A, B)

    def _turn_row(self, C, turning, key, axis, vector):
        r = self._row[key]
        C[r] = self.size * (axis @ vector)
        turning[r] = axis

    def jacobian(self, poses: np.ndarray, turning: dict[int, np.ndarray]):
        """J (rows, 6 n), dimensionless, a dense array or, for many bodies, a sparse matrix."""
        shape = len(self.loosened), 6 * self.rows.body_count
        if turning or shape[1] > DENSE or not self.rows.is_plain:
            return matrix_of(self._triplets(poses, turning), shape)
        at, J = self._placed(poses), np.zeros(shape)
        self.rows.add_slopes(at, self.measure.centres, self.measure.column_scale, J)
        if self._typed is not None:
            rows, columns, entries = self._typed.jacobian(poses, at.R, self.measure)
            J[rows + self.rows.row_count, columns] = entries
        return J * self.loosened[:, None]

    def _triplets(self, poses, turning):
        at = self._placed(poses)
        R, blocks = at.R, self.rows.blocks_of(at)
        if turning:
            for r, axis in turning.items():
                j = self.rows.joint_of_row[r]
                blocks[r] = 0.0
                blocks[r, 0, 3:] = -self.size * axis @ R[self.rows.body_a[j]]
                blocks[r, 1, 3:] = self.size * axis @ R[self.rows.body_b[j]]
        joints = self.rows.joint_of_row
        self.measure.about_centres(blocks, (self.rows.body_a[joints], self.rows.body_b[joints]), R)
        rows, columns, entries = self.rows.triplets_of(blocks, joints)
        entries = entries * self.measure.column_scale[columns]
        if self._typed is not None:
            more = self._typed.jacobian(poses, R, self.measure)
            rows, columns = (
                np.append(rows, more[0] + self.rows.row_count),
                np.append(columns, more[1]),
            )
            entries = np.append(entries, more[2])
        return rows, columns, entries * self.loosened[rows]

    def project(
        self, poses: np.ndarray, iterations: int = ITERATIONS
    ) -> tuple[np.ndarray, np.ndarray]:
        """Poses (n, 7) with the least residual that damped Newton steps find, and the errors of the
        joints (joints,) [m].
        """
        exact = EXACT * self.reach
        return self._search(poses, Closing(0.01 * exact, exact, LARGEST_STEP), iterations)

    def settle(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Poses (n, 7) of least residual of joints that cannot close, and the joints' errors
        [m].
        """
        return self._search(poses, Settling(self.size), SETTLING)

    def _search(
        self, poses: np.ndarray, rule: Damping, iterations: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Poses (n, 7) at the end of damped Newton steps, and the errors of the joints (joints,)
        [m].
        """
        C, turning = self.residuals(poses)
        C *= self.loosened
        rule.begin(C)
        for _ in range(iterations):
            if rule.is_over():
                break
            self._step()
            J = self.jacobian(poses, turning)
            step = -least_squares(J, rule.damping)(C)
            if rule.is_last(step):
                break
            twists = self.unscaled(step, poses)
            longest = max(
                np.abs(twists[:, :3]).max(initial=0.0) / self.size,
                np.abs(twists[:, 3:]).max(initial=0.0),
            )
            trial = displaced(poses, twists * min(1.0, rule.longest / max(longest, 1e-300)))
            C_trial, turning_trial = self.residuals(trial)
            C_trial *= self.loosened
            if rule.accepts(J, step, C, C_trial):
                poses, C, turning = trial, C_trial, turning_trial
        return poses, self.errors(poses)

    def tangent(self, poses: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Part of a target step (6 n,) [m] that moves no joint's rows: target - J^+ J target,
        improved once for the damping.
        """
        _, turning = self.residuals(poses)
        J = self.jacobian(poses, turning)
        solve = least_squares(J)
        for _ in range(2):
            target = target - solve(J @ target)
        return target

    def approach(
        self, target: np.ndarray, poses: np.ndarray, errors: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Closed poses moved along their free motions towards the drawn ones, as long as that
        reduces the distance.
        """
        way = self.measure.way(poses, target)
        for _ in range(APPROACHES):
            gain = self.tangent(poses, way)
            if np.linalg.norm(gain) < 1e-3 * np.linalg.norm(way):
                break
            closed, closed_errors = self.project(displaced(poses, self.unscaled(gain, poses)))
            left = self.measure.way(closed, target)
            if closed_errors.max() > CLOSED * self.reach or np.linalg.norm(left) >= np.linalg.norm(
                way
            ):
                break
            poses, errors, way = closed, closed_errors, left
        return poses, errors


def _tilt(A, B):
    """The turn vector t (3,) in W [rad] that carries z of A into z of B; about x of A where they
    are opposite.
    """
    axis = np.cross(A[:, Z], B[:, Z])
    sine, cosine = np.linalg.norm(axis), A[:, Z] @ B[:, Z]
    return np.pi * A[:, X] if sine < 1e-12 else axis * (np.arctan2(sine, cosine) / sine)


def _turn(A, B):
    """The turn vector (3,) in W [rad] that carries frame A into frame B."""
    R = A.T @ B
    axis = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    sine, cosine = np.linalg.norm(axis), 0.5 * (np.trace(R) - 1)
    if sine < 1e-6:
        # half a turn: R + 1 = 2 a a^T
        column = (R + np.eye(3))[:, int(np.argmax(R.diagonal()))]
        return np.pi * (A @ (column / np.linalg.norm(column)))
    return A @ axis * (np.arctan2(sine, cosine) / sine)
