"""Independent coordinates: which velocities of the spanning tree the others follow, and the motion
in terms of them (THEORY 5, embedded form).

q = (q_i, q_d): with the rows' Jacobian J = (J_i, J_d), v = B v_i + beta, B = [1; -J_d^+ J_i].
Which are independent is chosen by pivoting, or by the user; near a pose at which J_d loses rank
they have to be chosen again.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.linalg

from mechstudio.engine.constraints.ranks import ZERO, solvable
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.right_hand_side import (
    jacobian,
    move,
    right_hand_side,
    settle_readings,
)
from mechstudio.engine.system.system import System
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

# least singular value of the dependent part, over that of the best choice, from which a choice is
# refused
POOR = 1e-4
CLOSED = 1e-14  # residual over size at which closing stops
ITERATIONS = 30


class NoPartition(ValueError):
    """The chosen coordinates cannot be independent; the text says why and names a choice that
    can.
    """


class Partition:
    """Independent and dependent velocities at a closed state.  independent, dependent: indices of
    velocities; names in the order of the tree.  natural (nv,): a radian or the size [m], per
    velocity.
    """

    def __init__(
        self,
        system: System,
        y: np.ndarray,
        names: Sequence[str],
        chosen: Sequence[int] = (),
        tables: Tables | None = None,
    ) -> None:
        self.system, self.T = system, system.tables if tables is None else tables
        self.nq, self.nv = system.where.nq, system.where.nv
        J = self.jacobian(y)
        scaled = J * self.T.row_const[:, k.RMETRES, None] / system.units
        # a radian, or the mechanism's size [m]
        self.natural = system.size / system.units
        rank = solvable(np.linalg.svd(scaled, compute_uv=False)) if J.size else 0
        best = self._best(scaled, rank)
        if chosen:
            chosen = tuple(dict.fromkeys(chosen))
            if len(chosen) != self.nv - rank:
                raise NoPartition(
                    tr(
                        "{nv} of the coordinates are independent and {count} were chosen; "
                        "possible: {c}.",
                        nv=self.nv - rank,
                        count=len(chosen),
                        c=comma().join(names[c] for c in best),
                    )
                )
            if self._quality(scaled, chosen, rank) < POOR * self._quality(scaled, best, rank):
                raise NoPartition(
                    tr(
                        "{c} cannot be independent at this pose: the others do not follow from "
                        "them. Possible: {name}.",
                        c=comma().join(names[c] for c in chosen),
                        name=comma().join(names[c] for c in best),
                    )
                )
        self.independent = tuple(chosen or best)
        self.dependent = tuple(c for c in range(self.nv) if c not in self.independent)

    @staticmethod
    def _best(scaled: np.ndarray, rank: int) -> tuple[int, ...]:
        if not rank:
            return tuple(range(scaled.shape[1]))
        # in the stubs of scipy the number of results does not depend on `pivoting`
        pivoted: Any = scipy.linalg.qr(scaled, mode="r", pivoting=True)
        order = pivoted[1]
        return tuple(sorted(order[rank:].tolist()))

    @staticmethod
    def _quality(scaled: np.ndarray, chosen: Sequence[int], rank: int) -> float:
        rest = [c for c in range(scaled.shape[1]) if c not in chosen]
        return float(np.linalg.svd(scaled[:, rest], compute_uv=False)[rank - 1]) if rank else 1.0

    def goodness(self, y: np.ndarray) -> float:
        """Least singular value of the scaled matrix of the dependent velocities; 0 where they do
        not follow any more.
        """
        if not self.dependent:
            return 1.0
        scaled = self.jacobian(y) * self.T.row_const[:, k.RMETRES, None] / self.system.units
        return float(np.linalg.svd(scaled[:, list(self.dependent)], compute_uv=False)[-1])

    def jacobian(self, y: np.ndarray) -> np.ndarray:
        """J (rows, nv) of all rows at a state; T.row then holds C and C_t."""
        J = np.zeros((len(self.T.rows), self.nv))
        if len(J):
            jacobian(y.copy(), self.T, J)
            # a prescribed acceleration holds no position; a velocity row holds none either, and its
            # columns still count
            J[self.T.rows[:, k.LEVEL] == k.OF_ACCELERATION] = 0.0
        return J

    def closed(self, y: np.ndarray, step: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """The state at which the independent coordinates have moved by a step (d,) from y and have
        velocities (d,), all rows held by the dependent ones.
        """
        y = y.copy()
        i, d = list(self.independent), list(self.dependent)
        increments = np.zeros(self.nv)
        increments[i] = step
        if (self.T.rows[:, k.LEVEL] == k.OF_VELOCITY).any():
            # what a row holds in its velocity alone no position row below puts back
            increments = self.B(y) @ step
        y[self.nq : self.nq + self.nv] = 0.0
        move(y, self.T, increments)
        for _ in range(ITERATIONS if d else 0):
            J = self.jacobian(y)
            position = self.T.rows[:, k.LEVEL] == k.OF_POSITION
            C = np.where(position, self.T.row[:, k.C], 0.0)
            if (
                np.abs(C * self.T.row_const[:, k.RMETRES]).max(initial=0.0)
                <= CLOSED * self.T.settings[k.LENGTH]
            ):
                break
            increments[:] = 0.0
            increments[d] = -np.linalg.lstsq(J[position][:, d], C[position], rcond=ZERO)[0]
            move(y, self.T, increments)
        J = self.jacobian(y)
        v = np.zeros(self.nv)
        v[i] = velocities
        if d and len(J):
            v[d] = -np.linalg.lstsq(
                J[:, d],
                J[:, i] @ np.asarray(velocities)
                + np.where(np.any(J, axis=1), self.T.row[:, k.CD], 0.0),
                rcond=ZERO,
            )[0]
        y[self.nq : self.nq + self.nv] = v
        # angles of balls and of joints that close loops, which springs and laws may read
        settle_readings(y, self.T)
        return y

    def B(self, y: np.ndarray) -> np.ndarray:
        """B (nv, d): all velocities per independent velocity."""
        J = self.jacobian(y)
        out = np.zeros((self.nv, len(self.independent)))
        out[list(self.independent)] = np.eye(len(self.independent))
        if self.dependent and len(J):
            out[list(self.dependent)] = -np.linalg.lstsq(
                J[:, list(self.dependent)], J[:, list(self.independent)], rcond=ZERO
            )[0]
        return out

    def accelerations(self, y: np.ndarray) -> np.ndarray:
        """Accelerations (d,) of the independent coordinates at a closed state, by the engine."""
        out = np.zeros_like(y)
        right_hand_side(y.copy(), self.T, out, True)
        return out[self.nq : self.nq + self.nv][list(self.independent)]


def coordinate_names(system) -> list[str]:
    """A word for every velocity of the spanning tree."""
    m, out = system.mechanism, []
    for node in system.tree.nodes:
        of = m.joints[node.joint].name if node.joint else m.bodies[node.bodies[0]].name
        if node.joint and node.dof == 1:
            kind = JOINT_TYPES[m.joints[node.joint].type]
            out.append(
                f"{of}'" if kind.dof == 1 else f"{of} {kind.coordinates[node.coordinate].name}'"
            )
        elif node.dof == 3:
            out += [f"{of} ω{a}" for a in "xyz"]
        else:
            out += [f"{of} {p}{a}" for p in "vω" for a in "xyz"]
    return out
