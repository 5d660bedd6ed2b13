"""Radau IIA of order 5, for what is stiff: its coefficients, Newton iterations and error
estimate.
"""

import math

import numpy as np
import scipy.linalg

from mechstudio.engine.integration.steppers import JACOBIAN_STEP, NEWTON, Attempt, Stepper
from mechstudio.engine.kernels.columns import Tables

# nodes and coefficients (Hairer & Wanner 1996, IV.5)
_R6 = math.sqrt(6.0)
NODES = np.array([(4.0 - _R6) / 10.0, (4.0 + _R6) / 10.0, 1.0])
COEFFICIENTS = np.array(
    [
        [(88 - 7 * _R6) / 360, (296 - 169 * _R6) / 1800, (-2 + 3 * _R6) / 225],
        [(296 + 169 * _R6) / 1800, (88 + 7 * _R6) / 360, (-2 - 3 * _R6) / 225],
        [(16 - _R6) / 36, (16 + _R6) / 36, 1.0 / 9.0],
    ]
)
ESTIMATE = (
    np.array([-13 - 7 * _R6, -13 + 7 * _R6, -1.0]) / 3.0
)  # of Z_i, of the embedded formula of order 3 (ibid., IV.8)
CONTRACTION = 0.5  # of fixed matrices, above which the next step has new ones


class Radau(Stepper):
    """Radau IIA of order 5, L-stable, with simplified Newton iterations and Hairer's error estimate
    (Hairer & Wanner 1996, IV.8).
    """

    adaptive = True
    exponent = 0.25

    def __init__(
        self, tables: Tables, scale: np.ndarray, cap: np.ndarray, tolerance: float
    ) -> None:
        super().__init__(tables, scale, cap, tolerance)
        values, vectors = np.linalg.eig(np.linalg.inv(COEFFICIENTS))
        order = np.argsort(np.abs(np.imag(values)))
        # the real one, and one of the pair: the other is its conjugate
        self.values = (float(np.real(values[order[0]])), complex(values[order[1]]))
        self.V = np.column_stack(
            (vectors[:, order[0]], vectors[:, order[1]], vectors[:, order[1]].conj())
        )
        self.W = np.linalg.inv(self.V)
        self.fresh()

    def fresh(self) -> None:
        self.J: np.ndarray | None = None
        self.factored_for = 0.0
        self.lu: tuple = ()
        self.last: tuple[np.ndarray, float] | None = None
        self.contraction = 0.0

    def jacobian(self, y: np.ndarray, f: np.ndarray) -> np.ndarray:
        """df/dy by forward differences; nothing depends on the work."""
        n = len(y)
        J = np.zeros((n, n))
        for j in range(n):
            if j == self.nq + self.nv:
                continue
            h = JACOBIAN_STEP * max(
                self.scale[j],
                abs(y[j]) if self.scale[j] == 0.0 else 0.0,
                1e-3 if self.scale[j] == 0.0 else 0.0,
            )
            z = y.copy()
            z[j] += h
            J[:, j] = (self.slope(z) - f) / h
        return J

    def _factor(self, h: float) -> None:
        assert self.J is not None, "it was set before"
        I = np.eye(len(self.J))
        self.lu = tuple(
            scipy.linalg.lu_factor(value / h * I - self.J, check_finite=False)
            for value in self.values
        )
        self.factored_for = h

    def attempt(self, y: np.ndarray, f: np.ndarray, h: float) -> Attempt:
        fresh = self.J is None
        if fresh:
            self.J = self.jacobian(y, f)
        if fresh or self.factored_for != h:
            self._factor(h)
        out = self._newton(y, f, h)
        if out is None and not fresh:
            self.J = self.jacobian(y, f)
            self._factor(h)
            out = self._newton(y, f, h)
        nothing = np.zeros((3, len(y)))
        if out is None:
            return Attempt(y.copy(), math.nan, nothing)
        Z = out
        error = self._error(y, f, Z, h)
        poly = self._dense(Z)
        self._trial = (poly, h)
        return Attempt(y + Z[2], error, poly)

    def _newton(self, y: np.ndarray, f: np.ndarray, h: float) -> np.ndarray | None:
        Z = self._guess(h, len(y))
        weight = self.weights(y, y)
        W = self.W @ Z
        before, limit = math.nan, max(1e-12, min(0.03, math.sqrt(self.tolerance)))
        for turn in range(NEWTON):
            F = np.array([self.slope(y + z) for z in Z])
            if not np.isfinite(F).all():
                return None
            R = self.W @ F
            real = scipy.linalg.lu_solve(
                self.lu[0], (R[0] - self.values[0] / h * W[0]).real, check_finite=False
            )
            pair = scipy.linalg.lu_solve(
                self.lu[1], R[1] - self.values[1] / h * W[1], check_finite=False
            )
            step = np.array([real, pair, pair.conj()])
            W = W + step
            Z = np.real(self.V @ W)
            size = (
                float(
                    np.sqrt(np.mean((np.real(self.V @ step) / weight)[:, np.isfinite(weight)] ** 2))
                )
                if np.isfinite(weight).any()
                else 0.0
            )
            if not math.isfinite(size):
                return None
            rate = size / before if turn and before > 0.0 else 0.0
            if turn and (
                rate >= 1.0
                or (rate ** (NEWTON - turn) / (1.0 - rate) * size > limit * 10.0 and turn > 2)
            ):
                return None
            if (
                size == 0.0
                or (turn and rate / (1.0 - rate) * size < limit)
                or (turn == 0 and size < 1e-3 * limit)
            ):
                self.contraction = rate
                return Z
            before = size
        return None

    def _guess(self, h: float, n: int) -> np.ndarray:
        """The last step's polynomial carried on."""
        if self.last is None:
            return np.zeros((3, n))
        P, old = self.last
        x = 1.0 + NODES * h / old
        at = x[:, None] * (P[0] + (1 - x)[:, None] * (P[1] + x[:, None] * P[2]))
        return at - P[0]

    def _error(self, y: np.ndarray, f: np.ndarray, Z: np.ndarray, h: float) -> float:
        spread = ESTIMATE @ Z / h
        weight = self.weights(y, y + Z[2])
        norm = lambda e: (
            float(np.sqrt(np.mean((e / weight)[np.isfinite(weight)] ** 2)))
            if np.isfinite(weight).any()
            else 0.0
        )
        solve = lambda b: scipy.linalg.lu_solve(self.lu[0], b, check_finite=False)
        e = solve(f + spread)
        out = norm(e)
        if out >= 1.0:
            out = norm(solve(self.slope(y + e) + spread))
        return out

    @staticmethod
    def _dense(Z: np.ndarray) -> np.ndarray:
        """The collocation polynomial of degree 3 in the form y + x (P0 + (1 - x) (P1 + x P2))."""
        c1, c2, _ = NODES
        change = Z[2]
        a, b = ((Z[i] / c - change) / (1.0 - c) for i, c in ((0, c1), (1, c2)))
        slope = (b - a) / (c2 - c1)
        return np.array([change, a - c1 * slope, slope])

    def accepted(self) -> None:
        self.last = self._trial
        if self.contraction > CONTRACTION * 0.02:
            # the matrix of a moving mechanism is out of date after a step; it is kept while Newton
            # converges at once
            self.J = None
