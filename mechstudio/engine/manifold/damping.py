"""Damping of Newton steps towards a manifold: its course from step to step, and the end of a
search.
"""

from typing import Any, Protocol

import numpy as np

from mechstudio.engine.manifold.least_squares import DAMPING

STALLED = 5  # steps that gain next to nothing, after which a search for closed joints ends
MOST = 1e4  # damping at which no step gains any more
SETTLED = 1e-7  # parts of size that the last step towards the least residual moves


class Damping(Protocol):
    """Rule of one search.  damping: of the next step, in parts of the largest entry of J^T J.
    longest: radians, or parts of size, that one body may move in a step.
    """

    damping: float
    longest: float

    def begin(self, C: np.ndarray) -> None:
        """Begin at residuals (rows,) [m]."""

    def is_over(self) -> bool:
        """True if the search ends before the next step."""
        ...

    def is_last(self, step: np.ndarray) -> bool:
        """True if a step (6 n,) [m] is too short to be made."""
        ...

    def accepts(self, J: Any, step: np.ndarray, C: np.ndarray, trial: np.ndarray) -> bool:
        """True if a step is taken.  J, C: where it begins.  trial: residuals (rows,) [m] at its
        end.
        """
        ...


class Closing:
    """Towards joints that can close: damping falls by a hundred with every step that gains.

    goal: norm of the residuals [m] that ends the search.  exact: norm [m] below which a step
    without gain ends it.
    """

    def __init__(self, goal: float, exact: float, longest: float) -> None:
        self.damping, self.longest = DAMPING, longest
        self._goal, self._exact = goal, exact
        self._stalled, self._over, self._norm = 0, False, np.inf

    def begin(self, C: np.ndarray) -> None:
        self._norm = float(np.linalg.norm(C))

    def is_over(self) -> bool:
        return self._over or self._norm <= self._goal or self._stalled >= STALLED

    def is_last(self, step: np.ndarray) -> bool:
        return False

    def accepts(self, J: Any, step: np.ndarray, C: np.ndarray, trial: np.ndarray) -> bool:
        norm = float(np.linalg.norm(trial))
        if norm < self._norm:
            # creeping ends the search: near the floor of rounding, and where the drawing cannot
            # close
            self._stalled = self._stalled + 1 if norm > 0.9999 * self._norm else 0
            self._norm, self.damping = norm, max(0.01 * self.damping, DAMPING)
            return True
        self.damping *= 100.0
        self._over = self._norm <= self._exact or self.damping > MOST
        return False


class Settling:
    """Towards the least residual of joints that cannot close: damping follows the gain of the last
    step over the gain that it promised (Nielsen 1999).

    It creeps less at a limit than Closing, and takes more steps where joints close.  size: of the
    mechanism [m].
    """

    def __init__(self, size: float) -> None:
        self.damping, self.longest = 1e-3, np.inf
        self._shortest, self._growth = SETTLED * size, 2.0

    def begin(self, C: np.ndarray) -> None:
        pass

    def is_over(self) -> bool:
        return False

    def is_last(self, step: np.ndarray) -> bool:
        return bool(np.abs(step).max(initial=0.0) < self._shortest)

    def accepts(self, J: Any, step: np.ndarray, C: np.ndarray, trial: np.ndarray) -> bool:
        squares = J * J if isinstance(J, np.ndarray) else J.multiply(J)
        largest = float(squares.sum(axis=0).max())
        foreseen = step @ (self.damping * largest * step - J.T @ C)
        gain = (C @ C - trial @ trial) / max(foreseen, 1e-300)
        if gain > 0:
            self.damping *= float(max(1 / 3, 1 - (2 * gain - 1) ** 3))
            self._growth = 2.0
            return True
        self.damping, self._growth = self.damping * self._growth, 2 * self._growth
        return False
