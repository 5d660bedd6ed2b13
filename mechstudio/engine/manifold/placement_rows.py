"""Typed numbers of the bodies' placements, as rows that assembling holds where the joints allow it.

A number or formula that somebody typed is meant exactly, one that was drawn is not: a crank that is
typed to stand at 30 degrees stands there, and what was drawn beside it gives way.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from mechstudio.engine.manifold.metric import Measure
from mechstudio.model.geometry.rotation import Triple, angles_near
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values

LOOSE = 1e-2  # weight of numbers while those that contradict the joints are met as far as can be
MET = 1e-4  # parts of size within which one of them then counts as met
LOCKED = 0.02  # cosine of the middle angle below which the outer two cannot be distinguished


class _Number(NamedTuple):
    """One typed number.

    body: number among the moving ones.  component: of position (0 to 2) or of the angles psi,
    theta, phi (3 to 5).   drawn: all three angles [rad].
    """

    body: int
    component: int
    drawn: Triple


class TypedNumbers:
    """Rows of all typed numbers.  goal (k,): their values [m, or rad]; a number that cannot be met
    gets another goal.
    """

    def __init__(self, mechanism: Mechanism, size: float) -> None:
        self.size = size
        self.numbers: list[_Number] = []
        goal = []
        for k, body in enumerate(mechanism.bodies.values()):
            place = (*body.placement.position, *body.placement.orientation)
            angles: Triple = values(body.placement.orientation)  # type: ignore[assignment]
            for component, q in enumerate(place):
                if q.text:
                    self.numbers.append(_Number(k, component, angles))
                    goal.append(q.value)
        self.goal = np.array(goal)
        self._bodies = np.array([n.body for n in self.numbers], int)
        components = np.array([n.component for n in self.numbers], int)
        # numbers of positions are read all at once
        self._places = np.flatnonzero(components < 3)
        self._at = self._bodies[self._places], components[self._places]
        self._turns = [(i, n) for i, n in enumerate(self.numbers) if n.component >= 3]
        self._straight = np.zeros((len(self.numbers), 2, 6))
        self._straight[self._places, 0, self._at[1]] = 1.0
        rows = np.arange(len(self.numbers)).repeat(6)
        self._entries = rows, (6 * self._bodies[:, None] + np.arange(6)).ravel()
        self._sides = self._bodies + 1, np.zeros_like(self._bodies)
        # residuals and their rates are requested at the same poses, one after the other
        self._last: tuple[bytes, list[Triple]] = (b"", [])

    def __len__(self) -> int:
        return len(self.numbers)

    def read(self, poses: np.ndarray) -> np.ndarray:
        """The numbers (k,) at poses (n, 7) [m, or rad]."""
        return np.array([self._number(n, poses[n.body]) for n in self.numbers])

    def _number(self, n: _Number, pose: np.ndarray) -> float:
        return float(pose[n.component]) if n.component < 3 else _angles(pose, n)[n.component - 3]

    def residuals(self, poses: np.ndarray) -> np.ndarray:
        """Numbers less their goals (k,) [m], angles times the size."""
        out = np.zeros(len(self.numbers))
        out[self._places] = poses[self._at] - self.goal[self._places]
        for (i, n), angles in zip(self._turns, self._angles(poses), strict=True):
            if not _is_locked(angles, n.component - 3):
                off = angles[n.component - 3] - float(self.goal[i])
                out[i] = self.size * math.remainder(off, 2 * math.pi)
        return out

    def _angles(self, poses: np.ndarray) -> list[Triple]:
        """The three angles [rad] beside each of the numbers that are angles."""
        key = poses.tobytes()
        if self._last[0] != key:
            self._last = key, [_angles(poses[n.body], n) for _, n in self._turns]
        return self._last[1]

    def jacobian(
        self, poses: np.ndarray, R: np.ndarray, measure: Measure
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns and values of their rates per unit of a measure's step, six entries a
        row.  R (1 + n, 3, 3): matrices of ground and all bodies.
        """
        blocks = self._straight.copy()
        for (i, n), angles in zip(self._turns, self._angles(poses), strict=True):
            blocks[i, 0, 3:] = self.size * _rate(angles, n.component - 3)
        measure.about_centres(blocks, self._sides, R)
        rows, columns = self._entries
        return rows, columns, blocks[:, 0].ravel() * measure.column_scale[columns]


def _angles(pose: np.ndarray, number: _Number) -> Triple:
    return angles_near(tuple(map(float, pose[3:])), number.drawn)  # type: ignore[arg-type]


def _is_locked(angles: Triple, component: int) -> bool:
    """True of an outer angle that cannot be distinguished from the other."""
    return component != 1 and abs(math.cos(angles[1])) < LOCKED


def _rate(angles: Triple, component: int) -> np.ndarray:
    """Rate of one angle per turn in body axes (3,); zero where it has no meaning.

    R = Rz(psi) Ry(theta) Rx(phi):  psi' cos(theta) = w_y sin(phi) + w_z cos(phi),  theta' = w_y
    cos(phi) - w_z sin(phi), phi' = w_x + psi' sin(theta).
    """
    _, theta, phi = angles
    if component == 1:
        return np.array((0.0, math.cos(phi), -math.sin(phi)))
    if _is_locked(angles, component):
        return np.zeros(3)
    psi_rate = np.array((0.0, math.sin(phi), math.cos(phi))) / math.cos(theta)
    return psi_rate if component == 0 else np.array((1.0, 0.0, 0.0)) + math.sin(theta) * psi_rate


def closed_as_typed(
    joints: Any, mechanism: Mechanism, poses: np.ndarray, goal: float
) -> tuple[np.ndarray, np.ndarray]:
    """Closed poses (n, 7) near the drawn ones, with typed numbers met as far as the joints allow
    and then held beside the joints.

    Errors (joints,) [m] above the goal where nothing was typed, or no such poses are found.
    """
    typed = TypedNumbers(mechanism, joints.size)
    if not len(typed):
        return poses, joints.errors(poses)
    joints.hold(typed)
    closed, errors = joints.project(poses)
    if np.linalg.norm(joints.residuals(closed)[0]) > goal:
        joints.hold(typed, LOOSE)
        closed, _ = joints.settle(poses)
        joints.hold(None)
        closed, errors = joints.project(closed)
        if errors.max() <= goal:
            closed, errors = _held_where_met(joints, typed, closed, errors, goal)
    return closed, errors


def _held_where_met(joints, typed, closed, errors, goal):
    """Closed poses at which the typed numbers that can be met are met exactly, the others held
    where they have come to.
    """
    met = np.abs(typed.residuals(closed)) <= MET * joints.size
    typed.goal = np.where(met, typed.goal, typed.read(closed))
    joints.hold(typed)
    exact, exact_errors = joints.project(closed)
    if np.linalg.norm(joints.residuals(exact)[0]) <= goal:
        return exact, exact_errors
    typed.goal = typed.read(closed)
    return closed, errors
