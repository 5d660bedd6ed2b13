"""Dry friction of joints in runs with contacts: an effort within its level that brings the
coordinate to rest within the step, solved with the joints' rows.

The effect of contacts in a step is assumed equal to that in the step before, so that a body at rest
under a lasting load rests to rounding.  Where it turns out to be another and the efforts would be
others, the step is made again, until both agree.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.integration.events.frictions import Rubbing, rubbing, slide
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import right_hand_side

if TYPE_CHECKING:
    from mechstudio.engine.contacts.world import World
    from mechstudio.engine.system.system import System

ROUNDS = 50  # rounds over the efforts of several joints
ENOUGH = 1e-14  # change of an effort, as a share of its level, that ends them
TURNS = 40  # times that a step is made until contacts and frictions agree
ROUNDING = 1e-11  # share of what an effort adds to a rate that its solve may leave
# share of a rate below which the whole friction changes it: of a coordinate that a drive leads
LED = 1e-9
DEPTH = 5  # turns from which the next one is extrapolated


class Rubs:
    """The joint frictions of one run with contacts.  efforts (n,): along each coordinate in the
    last step [N or N m].  unsettled: steps in which they and the contacts did not agree.
    """

    def __init__(self, system: "System", world: "World") -> None:
        self.all: tuple[Rubbing, ...] = rubbing(system)
        self.nq, self.world, self.T = system.where.nq, world, world.T
        n = len(self.all)
        self.efforts = np.zeros(n)
        self.touched = np.zeros(n)  # effect of contacts on the rates in the last step
        self.unsettled = 0
        # speeds that count as none, as for contacts
        self._least = world.options.tolerance * np.array([rub.unit for rub in self.all])
        self._least /= system.size
        self.step = 0.0
        self._before = self._levels = self._free = np.zeros(n)  # see _begin
        self._gain = np.zeros((n, n))
        slide(self.all, self.T)

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

    def _begin(self, y: np.ndarray, step: float) -> None:
        """Read the state at the beginning of a step [s]: what the coordinates do without friction,
        and what efforts add.
        """
        self.step = step
        n, none = len(self.all), np.zeros(len(self.all))
        slope = self._slopes(y, none)
        self._before = self._rates(slope)
        self._levels = np.array(
            [np.abs(self.T.force_const[list(rub.forces), k.FPAR]).sum() for rub in self.all]
        )
        self._free = self._accelerations(y, slope, none)
        self._gain = np.zeros((n, n))
        for j in range(n):
            unit = none.copy()
            unit[j] = max(self._levels[j], 1e-12)
            self._gain[:, j] = (
                self._accelerations(y, self._slopes(y, unit), unit) - self._free
            ) / unit[j]

    def _efforts(self, touched: np.ndarray) -> np.ndarray:
        """Efforts that bring the coordinates to rest within the step, as far as they can, where
        contacts change the rates by `touched`.
        """
        h, W, levels = self.step, self._gain, self._levels
        goal = self._before + h * self._free + touched
        led = h * np.diag(W) * levels <= LED * np.abs(self._before)
        slides = -levels * np.sign(self._before)
        e = np.where(led, slides, np.clip(self.efforts, -levels, levels))
        for _ in range(ROUNDS):
            before = e.copy()
            for i in range(len(e)):
                if W[i, i] > 0.0 and not led[i]:
                    e[i] = np.clip(
                        e[i] - (goal[i] + h * W[i] @ e) / (h * W[i, i]), -levels[i], levels[i]
                    )
            if (np.abs(e - before) <= ENOUGH * levels).all():
                break
        return e

    @property
    def ways(self) -> tuple[tuple[str, int, float], ...]:
        """Ways of the frictions in the last step, as ContactSample.frictions has them."""
        return tuple(
            (rub.joint, rub.coordinate, 0.0 if abs(effort) < level else -float(np.sign(effort)))
            for rub, effort, level in zip(self.all, self.efforts, self._levels)
        )

    def advance(self, step: float) -> None:
        """Make one step [s] of the world.  Raises RunStopped if it fails."""
        world, h = self.world, step
        self._begin(world.y, h)
        saved = world.saved()
        touched = self.touched
        inputs: list[np.ndarray] = []
        errors: list[np.ndarray] = []
        for turn in range(TURNS):
            self.efforts = self._efforts(touched)
            self._slopes(world.y, self.efforts)
            world.advance()
            after = self._rates(self._slopes(world.y, self.efforts))
            self.touched = after - self._before - h * (self._free + self._gain @ self.efforts)
            wrong = h * self._gain @ (self._efforts(self.touched) - self.efforts)
            rounding = ROUNDING * h * np.abs(self._gain) @ np.abs(self.efforts)
            if (np.abs(wrong) <= self._least + rounding).all():
                return
            if turn < TURNS - 1:
                world.restore(saved)
                inputs = [*inputs, touched][-DEPTH:]
                errors = [*errors, self.touched - touched][-DEPTH:]
                touched = extrapolated(inputs, errors)
        self.unsettled += 1


def extrapolated(inputs: Sequence[np.ndarray], errors: Sequence[np.ndarray]) -> np.ndarray:
    """The fixed point of a map, extrapolated from inputs and what it added to them, in order
    (Anderson 1965).
    """
    x, f = inputs[-1], errors[-1]
    if len(inputs) < 2:
        return x + f
    dx = np.array([x - before for before in inputs[:-1]]).T
    df = np.array([f - before for before in errors[:-1]]).T
    return x + f - (dx + df) @ np.linalg.lstsq(df, f, rcond=1e-10)[0]
