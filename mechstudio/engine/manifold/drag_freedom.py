"""Freedoms of a mechanism that a force on a dragged point drives, and the best step among them.

With p the point, T the target, M a metric that counts the depth of the view little and f = (p -
T).M (p - T) / 2:

    V = N P^T
        motions (6 n, 3) that a force on the point drives; N the projection onto the freedoms, P the
        rates of p
    g = Z^T P^T M (p - T)           Z an orthonormal basis of V
    B = Z^T P^T M P Z + (p - T).M p'' - multipliers.C''
        second derivative along the joints (Nocedal, Wright 2006, section 12.5)
    y = argmin g.y + y.B y / 2  in  |y| <= radius     (section 4.3; exact, since Z has few columns)
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import carried, cross
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.least_squares import LeastSquares, least_squares, matrix_of
from mechstudio.engine.manifold.manifold import HeldManifold, Prescribed, Seen, Stop
from mechstudio.model.mechanism import Mechanism

LOST = 1e-13  # gain of a direction, squared, below which the point cannot move in it: rounding
LEAST_GAIN = 1e-3  # squared, that the largest one is taken to be at least
STIFF = 1e-6  # the same below which a freedom of the point counts as lost at this pose
DIFFERENCE = 1e-3  # radians or parts of size, of second differences
# curvature, of the way left over size, from which on a place where f is stationary is no valley
HILL = 1e-5
FLAT = 1e-9  # of the largest curvature: what a direction is taken to be pulled along at least
RANDOM = 4  # arbitrary motions among which the way down from such a place is looked for


class Step(NamedTuple):
    """A foreseen step (6 n,) [m] and by how much it shall decrease f [m^2]."""

    step: np.ndarray
    decrease: float


class Freedom(NamedTuple):
    """Free motions at a place.  Z (6 n, k): orthonormal motions.  g (k,), B (k, k): first and
    second derivative of f along them.
    """

    J: Any
    solve: LeastSquares
    Z: np.ndarray
    g: np.ndarray
    B: np.ndarray
    multipliers: np.ndarray


class DraggedPoint(HeldManifold):
    """A body held at a point, and what can move there.

    poses (n, 7): closed ones.  body: id.  point (3,): of it, in W [m].  near (f,): coordinates of
    all joints whose turns those of the poses follow on.  A stop that is passed already must not be
    passed farther.
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
        super().__init__(mechanism, rows, np.asarray(poses, float), near=near)
        self._body = list(mechanism.bodies).index(body)
        self._seen = self.see(self.at.poses, self.at.values)
        self._point = self._seen.R[1 + self._body].T @ (
            np.asarray(point, float) - self._seen.origins[1 + self._body]
        )
        self.stops = [
            s._replace(
                bound=s.bound
                + s.side * max(0.0, self.excess(s, self.at)) * self.unit(s.joint, s.coordinate)
            )
            for s in self.stops
        ]
        self._active: list[Stop] = []
        self._target, self._metric = self.point, np.eye(3)
        self._memory = np.zeros(6 * rows.body_count)  # of the way come so far
        self._gain, self._freedoms = (
            LEAST_GAIN,
            0,
        )  # of the point: largest so far, and how many it had
        self._linear: tuple = (
            None,
            [],
            None,
            None,
        )  # J and its least squares, and their poses
        # numbers without any pattern, the same on every machine and in every unit
        self._directions = np.random.default_rng(20261121).standard_normal(
            (6 * rows.body_count, RANDOM)
        )

    @property
    def point(self) -> np.ndarray:
        """Position of the dragged point (3,) [m, W]."""
        return self._seen.origins[1 + self._body] + self._seen.R[1 + self._body] @ self._point

    def _rates(self) -> np.ndarray:
        """P^T (6 n, 3): rates of the point per step."""
        out = np.zeros((6 * self.rows.body_count, 3))
        R, s = self._seen.R[1 + self._body], self._point
        k = 6 * self._body
        out[k : k + 3] = np.eye(3)
        # p' = R (w x s), step = size w
        out[k + 3 : k + 6] = cross(np.eye(3), np.broadcast_to(s, (3, 3))) @ R.T / self.size
        return out

    def _linearised(self, seen: Seen | None = None) -> tuple:
        """J and its least squares at a place, rolling among the rows: it prevents rates, but has
        nothing to be corrected.
        """
        seen = seen or self._seen
        if self._linear[0] is seen and self._linear[1] == self._active:
            return self._linear[2:]
        prescribed = self._pressed()
        count = self.rows.row_count + len(self._held) + len(prescribed)
        r, c, entries = self.triplets(seen, prescribed)
        if self.rows.rolling_count:
            blocks = self.rows.per_body(
                seen.origins,
                seen.R,
                seen.frames[2],
                self.rows.rolling_joint,
                *self.rows.rolling_wrenches(seen.frames),
            )
            more = self.rows.triplets_of(blocks, self.rows.rolling_joint)
            r, c, entries = (
                np.concatenate((r, count + more[0])),
                np.concatenate((c, more[1])),
                np.concatenate((entries, more[2] * self._column_scale[more[1]])),
            )
        J = matrix_of((r, c, entries), (count + self.rows.rolling_count, 6 * self.rows.body_count))
        self._linear = (seen, list(self._active), J, least_squares(J))
        return self._linear[2:]

    def _pressed(self) -> list[Prescribed]:
        return [Prescribed(s.joint, s.coordinate, s.bound) for s in self._active]

    def _freedom(self) -> Freedom:
        """Free motions that the drag drives here. Stops that it leaves are released."""
        while True:
            J, solve = self._linearised()
            rates = self._rates()
            V = projected(J, solve, rates)
            pull = self._metric @ (self.point - self._target)
            held = (rates - V) @ pull
            multipliers = J @ solve.inverse(held)
            if not self._release(multipliers):
                break
        A = rates.T @ V
        gains, U = np.linalg.eigh(0.5 * (A + A.T))
        self._gain = max(self._gain, float(gains[-1]))
        kept = gains > LOST
        self._freedoms = max(self._freedoms, int(np.sum(gains > STIFF * self._gain)))
        Z = V @ (U[:, kept] / np.sqrt(gains[kept]))
        return self._along(J, solve, Z, rates, pull, multipliers)

    def _release(self, multipliers: np.ndarray) -> bool:
        """Take the stop that the pull leaves most out of the rows; whether there was one."""
        if not self._active:
            return False
        first = self.rows.row_count + len(self._held)
        leaving = [s.side * multipliers[first + k] for k, s in enumerate(self._active)]
        worst = int(np.argmax(leaving))
        if leaving[worst] <= 1e-9 * np.abs(multipliers).max(initial=0.0):
            return False
        del self._active[worst]
        return True

    def _along(
        self, J, solve, Z: np.ndarray, rates: np.ndarray, pull: np.ndarray, multipliers: np.ndarray
    ) -> Freedom:
        """First and second derivatives along orthonormal motions."""
        PZ = rates.T @ Z
        B = PZ.T @ self._metric @ PZ + self._curvature(Z, pull, multipliers)
        return Freedom(J, solve, Z, PZ.T @ pull, B, multipliers)

    def _curvature(self, Z: np.ndarray, pull: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
        """(p - T).M p'' - multipliers.C'' for all pairs of motions (k, k), by second
        differences.
        """
        k = Z.shape[1]
        if not k:
            return np.zeros((0, 0))
        i, j = np.triu_indices(k)
        ways = np.where(i == j, Z[:, i], Z[:, i] + Z[:, j]).T
        h = DIFFERENCE * self.size / np.abs(ways).max(axis=1)
        n = self.rows.body_count
        steps = np.concatenate((h[:, None] * ways, -h[:, None] * ways))
        twists = (steps * self._column_scale).reshape(-1, 6)
        poses = carried(np.tile(self.at.poses, (len(steps), 1)), twists).reshape(len(steps), n, 7)
        prescribed = self._pressed()
        C = self.residuals(poses, self.at.values, prescribed)
        here = self.residual(self._seen, prescribed)
        origins, R = self.rows.bodies(poses[:, self._body : self._body + 1])
        p = origins[:, 1] + R[:, 1] @ self._point
        phi = (p - self.point) @ pull - (C - here) @ multipliers[: C.shape[1]]
        second = (phi[: len(h)] + phi[len(h) :]) / h**2
        if self.rows.rolling_count:
            # what rolling prevents has no C, but rates that differ along the way: each body goes on
            # by its twist
            twists = np.tile((ways * self._column_scale).reshape(len(h), n, 6), (2, 1, 1))
            rotated = self.rows.bodies(poses)[1][:, 1:] @ self._seen.R[1:].swapaxes(-1, -2)
            velocities = np.concatenate(
                ((rotated @ twists[..., :3, None])[..., 0], twists[..., 3:]), axis=-1
            )
            rates = self.rows.rolling_rates(poses, velocities) @ multipliers[C.shape[1] :]
            second = second - (rates[: len(h)] - rates[len(h) :]) / (2 * h)
        out = np.zeros((k, k))
        out[i, j] = second
        diagonal = out.diagonal().copy()
        both = 0.5 * (out - diagonal[:, None] - diagonal[None, :])
        both = np.triu(both, 1)
        return both + both.T + np.diag(diagonal)

    def _foreseen(self, here: Freedom, radius: float) -> Step:
        """The best step within a radius [radians or parts of size]."""
        if not here.Z.shape[1]:
            return Step(np.zeros(len(here.Z)), 0.0)
        towards = here.Z.T @ -self._memory
        spread = np.linalg.norm(here.Z, axis=0) / np.abs(here.Z).max(axis=0)
        y = within(here.g, here.B, radius * self.size * float(spread.max()), towards)
        step = here.Z @ y
        if (largest := self.largest(step)) > radius:
            y, step = y * (radius / largest), step * (radius / largest)
        return Step(step, -float(here.g @ y + 0.5 * y @ here.B @ y))

    def _with_other_motions(self, here: Freedom) -> Freedom | None:
        """Freedom where f is stationary: the motion so far and arbitrary motions among the
        freedoms, if one of them leads downhill, None if none does.
        """
        rates = self._rates()
        other = np.column_stack((self._memory, self._directions))
        other = projected(here.J, here.solve, other)
        Z = here.Z
        for column in other.T:
            length = np.linalg.norm(column)
            for _ in range(2):
                column = column - Z @ (Z.T @ column)
            if np.linalg.norm(column) > 1e-6 * length > 0.0:
                Z = np.column_stack((Z, column / np.linalg.norm(column)))
        if Z.shape[1] == here.Z.shape[1]:
            return None
        pull = self._metric @ (self.point - self._target)
        more = self._along(here.J, here.solve, Z, rates, pull, here.multipliers)
        floor = HILL * np.linalg.norm(pull) / self.size / len(self.at.poses)
        return more if np.linalg.eigvalsh(more.B)[0] < -floor else None

    def _for_correction(self, here: Freedom):
        """Corrections from this place on; rolling takes no part in them but for what it
        prevents.
        """
        if not self.rows.rolling_count:
            return here.solve
        nothing = np.zeros(self.rows.rolling_count)
        return lambda C: here.solve(np.concatenate((C, nothing)))


def projected(J, solve: LeastSquares, V: np.ndarray) -> np.ndarray:
    """The part of motions (6 n, ...) that moves no row, improved once for the damping."""
    if not J.shape[0]:
        return V
    for _ in range(2):
        V = V - solve(J @ V)
    return V


def within(g: np.ndarray, B: np.ndarray, radius: float, towards: np.ndarray) -> np.ndarray:
    """The y (k,) that makes g.y + y.B y / 2 least within |y| <= radius.

    Where both ways along a direction are as good, the one towards `towards` (k,) is taken.
    Nocedal, Wright 2006, section 4.3.
    """
    values, Q = np.linalg.eigh(B)
    c = Q.T @ g
    if values[0] > 0.0 and np.linalg.norm(y := -c / values) <= radius:
        return Q @ y
    least = max(0.0, -values[0])
    scale = max(float(np.abs(values).max()), float(np.linalg.norm(g)) / radius, 1e-300)
    y = -c / (values + least + FLAT * scale)
    if np.linalg.norm(y) < radius:
        # nothing to speak of pulls along the lowest direction: either way is down
        if values[0] < 0.0:
            more = np.sqrt(max(radius**2 - float(y[1:] @ y[1:]), 0.0))
            y[0] = more if Q[:, 0] @ towards >= 0.0 else -more
        return Q @ y
    low, high = FLAT * scale, 2 * scale
    while high > 1.0001 * low:
        shift = np.sqrt(low * high)
        if np.linalg.norm(c / (values + least + shift)) > radius:
            low = shift
        else:
            high = shift
    return Q @ (-c / (values + least + high))
