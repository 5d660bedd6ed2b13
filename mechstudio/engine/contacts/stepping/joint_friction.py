"""Dry friction of joints in runs with contacts: an effort within its level that brings the
coordinate to rest within the step, solved with the joints' rows.  Friction that is smoothed over a
speed, and stiff for the step, acts by its law at the rate with which the step ends, which is stable
however stiff it is.

The effect of contacts in a step is assumed equal to that in the step before, so that a body at rest
under a lasting load rests to rounding.  Where it turns out to be another and the efforts would be
others, the step is made again, until both agree.

The work of an effort, which is constant in a step, is accounted at its end: that of other loads is
corrected by their power in the next step (energy_account.py), in which efforts are others.
"""

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.contacts import workspace as s
from mechstudio.engine.integration.events.frictions import Rubbing, rubbing, slide
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.right_hand_side import right_hand_side
from mechstudio.engine.system.force_tables import parameter_values
from mechstudio.model.types.forces import sticks

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
NEWTON = 60  # most iterations for the rate that a smoothed friction leaves


class JointFriction:
    """The joint frictions of one run with contacts: those that stick, and those smoothed ones whose
    ids are given.  efforts (n,): along each coordinate in the last step [N or N m].  unsettled:
    steps in which they and the contacts did not agree.
    """

    def __init__(self, system: "System", world: "World", smoothed: Collection[str] = ()) -> None:
        self.all: tuple[Rubbing, ...] = rubbing(system, smoothed)
        forces = list(system.mechanism.forces.values())
        # rates over which the frictions of each coordinate are smoothed
        self._speeds = [
            np.array(
                [0.0 if sticks(forces[f]) else parameter_values(forces[f])[1] for f in rub.forces]
            )
            for rub in self.all
        ]
        self.nq, self.world, self.T = system.where.nq, world, world.T
        self._work = system.where.work
        n = len(self.all)
        self.efforts = np.zeros(n)
        self.touched = np.zeros(n)  # effect of contacts on the rates in the last step
        self.unsettled = 0
        # speeds that count as none, as for contacts
        self._least = world.options.tolerance * np.array([rub.unit for rub in self.all])
        self._least /= system.size
        # power of the efforts in S.tally [W]; None after a step in parts, whose power it is not
        self._power: float | None = None
        self._accounted: float | None = None  # the same after the step that is being made
        self.step = 0.0
        self._before = self._levels = self._free = np.zeros(n)  # see _begin
        self._parts: list[np.ndarray] = []  # levels of the frictions along each coordinate
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
        self._parts = [np.abs(self.T.force_const[list(rub.forces), k.FPAR]) for rub in self.all]
        self._levels = np.array([levels.sum() for levels in self._parts])
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
        contacts change the rates by `touched`; smoothed ones as their law has it at its end.
        """
        h, W, levels = self.step, self._gain, self._levels
        goal = self._before + h * self._free + touched
        led = h * np.diag(W) * levels <= LED * np.abs(self._before)
        slides = np.array(
            [
                -float(levels @ smoothed_sign(rate, speeds))
                for rate, levels, speeds in zip(self._before, self._parts, self._speeds)
            ]
        )
        e = np.where(led, slides, np.clip(self.efforts, -levels, levels))
        for _ in range(ROUNDS):
            before = e.copy()
            for i in range(len(e)):
                if W[i, i] > 0.0 and not led[i]:
                    held = e[i] - (goal[i] + h * W[i] @ e) / (h * W[i, i])
                    e[i] = effort_of(held, h * W[i, i], self._parts[i], self._speeds[i])
            if (np.abs(e - before) <= ENOUGH * levels).all():
                break
        return e

    @property
    def ways(self) -> tuple[tuple[str, int, float], ...]:
        """Ways of the frictions in the last step, as ContactSample.frictions has them: of those
        that stick.
        """
        return tuple(
            (rub.joint, rub.coordinate, 0.0 if abs(effort) < level else -float(np.sign(effort)))
            for rub, effort, level, speeds in zip(
                self.all, self.efforts, self._levels, self._speeds
            )
            if not speeds.all()
        )

    def _advance(self, h: float) -> np.ndarray:
        """Rates after one step [s] with the present efforts, whose work is accounted."""
        world, tally = self.world, self.world.S.tally
        power = float(self.efforts @ self._before)
        if self._power is not None:
            tally[s.POWER] += power - self._power
        world.advance()
        after = self._rates(self._slopes(world.y, self.efforts))
        self._accounted = None
        if world.S.settings[s.TAKEN] == h:
            work = 0.5 * h * (float(self.efforts @ after) - power)
            world.S.tally[s.LOAD_WORK] += work
            world.y[self._work] += work
            self._accounted = power
        return after

    def advance(self, step: float) -> None:
        """Make one step [s] of the world.  Raises RunStopped if it fails."""
        self._settle(step)
        self._power = self._accounted

    def _settle(self, step: float) -> None:
        """Make a step [s] until contacts and efforts agree."""
        world, h = self.world, step
        self._begin(world.y, h)
        saved = world.saved()
        touched = self.touched
        inputs: list[np.ndarray] = []
        errors: list[np.ndarray] = []
        for turn in range(TURNS):
            self.efforts = self._efforts(touched)
            self._slopes(world.y, self.efforts)
            after = self._advance(h)
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


def smoothed_sign(rate: float, speeds: np.ndarray) -> np.ndarray:
    """v / sqrt(v^2 + speed^2) of a rate v for each speed, its sign for a speed of 0."""
    return np.where(speeds > 0.0, rate / np.maximum(np.hypot(rate, speeds), 1e-300), np.sign(rate))


def effort_of(held: float, mobility: float, levels: np.ndarray, speeds: np.ndarray) -> float:
    """Effort of the frictions along a coordinate in a step: that which holds it at rest, if those
    that stick can bear it; else that of their laws at the rate v > 0 which is left at the end,

        v / mobility + sum of levels v / sqrt(v^2 + speed^2) = |held|.

    held: effort that would bring it to rest.  mobility: rate gained by an effort of 1.
    """
    sharp = float(levels[speeds == 0.0].sum())
    needed = abs(held)
    if needed <= sharp:
        return held
    # the left side is concave in v: Newton's method rises to v from below
    rate = max(0.0, mobility * (needed - float(levels.sum())))
    soft, over = levels[speeds > 0.0], speeds[speeds > 0.0]
    for _ in range(NEWTON if len(soft) else 0):
        root = np.hypot(rate, over)
        left = needed - sharp - rate / mobility - float(soft @ (rate / root))
        if left <= ENOUGH * needed:
            break
        rate += left / (1.0 / mobility + float(soft @ (over**2 / root**3)))
    return math.copysign(sharp + float(soft @ (rate / np.hypot(rate, over))), held)


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
