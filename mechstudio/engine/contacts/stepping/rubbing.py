"""Dry friction of joints in runs with contacts: an effort within its level that brings the
coordinate to rest within the step, solved with the joints' rows.

The effect of contacts in a step is assumed equal to that in the step before, so that a body at rest
under a lasting load rests to rounding.
"""

from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.integration.events.frictions import Rubbing, rubbing, slide
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import right_hand_side

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

ROUNDS = 50  # rounds over the efforts of several joints
ENOUGH = 1e-14  # change of an effort, as a share of its level, that ends them


class Rubs:
    """The joint frictions of one run with contacts.  efforts (n,): along each coordinate in the
    last step [N or N m].
    """

    def __init__(self, system: "System", T: Tables, step: float) -> None:
        self.all: tuple[Rubbing, ...] = rubbing(system)
        self.nq, self.T, self.step = system.where.nq, T, step
        self.efforts = np.zeros(len(self.all))
        self.touched = np.zeros(len(self.all))  # effect of contacts on the rates in the last step
        self.expected: np.ndarray | None = None  # rates at its end without contacts
        slide(self.all, T)

    def __len__(self) -> int:
        return len(self.all)

    def _slopes(self, y: np.ndarray, efforts: np.ndarray) -> np.ndarray:
        """dy/dt with these efforts."""
        for rub, effort in zip(self.all, efforts):
            levels = np.abs(self.T.force_const[list(rub.forces), k.FPAR])
            whole = float(levels.sum())
            self.T.force_const[list(rub.forces), k.FPAR + 1] = (
                -effort / whole if whole > 0.0 else 0.0
            )
        out = np.zeros_like(y)
        right_hand_side(y.copy(), self.T, out, True)
        return out

    def _rates(self, slope: np.ndarray) -> np.ndarray:
        return np.array([slope[rub.at] for rub in self.all])

    def _accelerations(self, y: np.ndarray, slope: np.ndarray, efforts: np.ndarray) -> np.ndarray:
        """Accelerations of the coordinates; of a reading by the difference of rates along the
        motion.
        """
        out = np.array([slope[self.nq + rub.dof] if rub.dof >= 0 else 0.0 for rub in self.all])
        if any(rub.dof < 0 for rub in self.all):
            later = self._slopes(y + 1e-3 * self.step * slope, efforts)
            for i, rub in enumerate(self.all):
                if rub.dof < 0:
                    out[i] = (later[rub.at] - slope[rub.at]) / (1e-3 * self.step)
        return out

    def before(self, y: np.ndarray, step: float) -> None:
        """Choose the efforts of a step [s] that begins at y."""
        self.step = step
        n, h, none = len(self.all), self.step, np.zeros(len(self.all))
        slope = self._slopes(y, none)
        rates = self._rates(slope)
        if self.expected is not None:
            self.touched = rates - self.expected
        levels = np.array(
            [np.abs(self.T.force_const[list(rub.forces), k.FPAR]).sum() for rub in self.all]
        )
        free = self._accelerations(y, slope, none)
        W = np.zeros((n, n))
        for j in range(n):
            unit = none.copy()
            unit[j] = max(levels[j], 1e-12)
            W[:, j] = (self._accelerations(y, self._slopes(y, unit), unit) - free) / unit[j]
        goal = rates + h * free + self.touched
        e = np.clip(self.efforts, -levels, levels)
        for _ in range(ROUNDS):
            before = e.copy()
            for i in range(n):
                if W[i, i] > 0.0:
                    e[i] = np.clip(
                        e[i] - (goal[i] + h * W[i] @ e) / (h * W[i, i]), -levels[i], levels[i]
                    )
            if (np.abs(e - before) <= ENOUGH * levels).all():
                break
        self.efforts, self.expected = e, rates + h * (free + W @ e)
        self._slopes(y, e)
