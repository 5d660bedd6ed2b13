"""The motion in independent coordinates: B^T M B v_i' = B^T (Q - M c), v' = B v_i' + c (THEORY 5,
embedded form).

Everything but the kinematics is its own computation, in numpy: mass matrix from Jacobians, loads
from engine/dynamics/load_wrenches.py, the rows eliminated by the partition.  So it is the check of
the kernels' elimination as well as a formulation to compare with.
"""

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.ranks import ZERO
from mechstudio.engine.dynamics.body_motion import poses_and_twists
from mechstudio.engine.dynamics.load_wrenches import Loads, Motion, places_of
from mechstudio.engine.dynamics.partition import Partition, coordinate_names
from mechstudio.engine.integration.steppers import Attempt, Stepper, hermite
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import jacobian, right_hand_side
from mechstudio.engine.system.initial_velocities import body_jacobians
from mechstudio.engine.system.system import System
from mechstudio.model.mass_properties import mass_properties

WORSE = (
    0.05  # of the quality that the partition had when it was chosen, below which it is chosen again
)


class Embedded:
    """Accelerations of a system by way of its independent velocities."""

    def __init__(self, system: System, tables: Tables) -> None:
        self.system, self.T = system, tables
        self.loads = Loads(system.mechanism, system.joint_rows)
        self.names = coordinate_names(system)
        self.masses = self.loads.masses
        self.inertias = [
            np.array(mass_properties(b).inertia) for b in system.mechanism.bodies.values()
        ]
        self.partition: Partition | None = None
        self.quality = 0.0

    def accelerations(self, y: np.ndarray, rates: np.ndarray | None = None) -> np.ndarray:
        """v' (nv,) at a closed state.  rates (f,): of all joint coordinates, where they are at
        hand.
        """
        system, T = self.system, self.T
        nv, kept = system.where.nv, int(T.size[k.KEPT])
        rows = np.zeros((len(T.rows), nv))
        if len(rows):
            jacobian(y.copy(), T, rows)
        J = rows[:kept]
        bodies = body_jacobians(y, T)
        right_hand_side(y.copy(), T, np.zeros_like(y), False)
        gamma = T.row[:kept, k.GAM].copy()
        poses, twists, bias = poses_and_twists(system, T)
        motion = Motion(poses, twists, y[system.where.coordinates], float(y[-1]))
        at = places_of(system.joint_rows, motion)
        wrenches = np.zeros((len(self.masses), 6))
        for action in self.loads.at(motion, at, rates):
            for body, w in action.wrenches.items():
                if body:
                    wrenches[body - 1] += w
        M, Q = np.zeros((nv, nv)), np.zeros(nv)
        for b, m in enumerate(self.masses):
            R, w = at.R[b + 1], at.twists[b + 1, 3:]
            r = R @ self.loads.centers[b]
            theta = R @ self.inertias[b] @ R.T
            Jv = bodies[b, :3] + np.cross(bodies[b, 3:].T, r).T
            Jw = bodies[b, 3:]
            a = bias[b, :3] + cross(bias[b, 3:], r) + cross(w, cross(w, r))
            spin = theta @ bias[b, 3:] + cross(w, theta @ w)
            F, N = wrenches[b, :3], wrenches[b, 3:] - cross(r, wrenches[b, :3])
            M += m * Jv.T @ Jv + Jw.T @ theta @ Jw
            Q += Jv.T @ (F - m * a) + Jw.T @ (N - spin)
        p = self._partition(y)
        i, d = list(p.independent), list(p.dependent)
        B, c = np.zeros((nv, len(i))), np.zeros(nv)
        B[i] = np.eye(len(i))
        if d:
            B[d] = -np.linalg.lstsq(J[:, d], J[:, i], rcond=ZERO)[0]
            c[d] = np.linalg.lstsq(J[:, d], gamma, rcond=ZERO)[0]
        return B @ np.linalg.solve(B.T @ M @ B, B.T @ (Q - M @ c)) + c

    def _partition(self, y: np.ndarray) -> Partition:
        """The partition, chosen again where it has become poor."""
        if self.partition is None or self.partition.goodness(y) < WORSE * self.quality:
            self.partition = Partition(self.system, y, self.names, tables=self.T)
            self.quality = self.partition.goodness(y)
        return self.partition


class EmbeddedStepper(Stepper):
    """An explicit Runge-Kutta method (kernels/stepping.py's coefficients) in which every stage is
    closed by the dependent coordinates.
    """

    lands = True

    def __init__(
        self,
        system: System,
        tables: Tables,
        scale: np.ndarray,
        cap: np.ndarray,
        tolerance: float,
        method,
        adaptive: bool,
        order: int,
    ) -> None:
        self.system, self.method, self.adaptive, self.exponent = (
            system,
            method,
            adaptive,
            1.0 / order,
        )
        super().__init__(tables, scale, cap, tolerance)
        self.embedded = Embedded(system, tables)

    def take(self, tables: Tables) -> None:
        super().take(tables)
        self.embedded = Embedded(self.system, tables)

    def slope(self, y: np.ndarray) -> np.ndarray:
        """dy/dt with the accelerations of the independent coordinates."""
        out = super().slope(y)
        out[self.nq : self.nq + self.nv] = self.embedded.accelerations(
            y, out[self.system.where.coordinates]
        )
        return out

    def attempt(self, y: np.ndarray, f: np.ndarray, h: float) -> Attempt:
        A, S = self.method.A, int(self.method.dense[0])
        f = f.copy()
        f[self.nq : self.nq + self.nv] = self.embedded.accelerations(
            y, f[self.system.where.coordinates]
        )
        K = [f]
        for s in range(1, S):
            K.append(
                self.slope(self._held(y + h * sum(A[s, j] * K[j] for j in range(s) if A[s, j])))
            )
        w = self._held(y + h * sum(self.method.B[j] * K[j] for j in range(S) if self.method.B[j]))
        if not np.isfinite(w).all():
            return Attempt(y.copy(), float("nan"), np.zeros((3, len(y))))
        error = 0.0
        if self.adaptive:
            weight = self.weights(y, w)
            used = np.isfinite(weight)
            e3, e5 = (
                sum(E[j] * K[j] for j in range(S) if E[j]) if E[:S].any() else np.zeros_like(y)
                for E in (self.method.E3, self.method.E5)
            )
            n3, n5 = (float(np.sum((e / weight)[used] ** 2)) for e in (e3, e5))
            error = 0.0 if n5 == 0.0 else h * n5 / np.sqrt((n5 + 0.01 * n3) * used.sum())
        return Attempt(w, error, hermite(y, f, w, self.slope(w), h))

    def _held(self, y: np.ndarray) -> np.ndarray:
        """The state closed by its dependent coordinates, positions first, then velocities."""
        p = self.embedded._partition(y)
        return p.closed(
            y, np.zeros(len(p.independent)), y[self.nq : self.nq + self.nv][list(p.independent)]
        )
