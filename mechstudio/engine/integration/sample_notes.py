"""Sentences for a run's statistics on what its samples show of loads that have left their range:
friction below zero, bushings beyond half a turn.
"""

from typing import TYPE_CHECKING

import numpy as np

from mechstudio.engine.dynamics.load_wrenches import Loads, Motion
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mechanism import GROUND, Force
from mechstudio.model.results.constant_course import matrices
from mechstudio.model.types.force_laws import friction
from mechstudio.model.types.forces import FORCE_TYPES, FRAMES
from mechstudio.model.units import DEFAULT_SYSTEM, format_value
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.engine.system.system import System

LOOKS = 256  # samples of a block at which a law is read


class SampleNotes:
    """Notes of one run, from its samples as they come."""

    def __init__(self, system: "System") -> None:
        m = system.mechanism
        self.layout, self.mechanism = system.layout, m
        self._rubbing = [
            f
            for f in m.forces.values()
            if FORCE_TYPES[f.type].law is friction
            and FORCE_TYPES[f.type].parameters[0].name in f.laws
        ]
        self._bushings = [f for f in m.forces.values() if FORCE_TYPES[f.type].attachment == FRAMES]
        self._loads = Loads(m, system.joint_rows) if self._rubbing else None
        self._last: np.ndarray | None = None
        # the first time at which each was seen to leave its range [s]
        self._found: dict[str, float] = {}

    def look(self, rows: np.ndarray) -> None:
        """Go over the next samples (s, width)."""
        if not (self._rubbing or self._bushings) or not len(rows):
            return
        for force in self._rubbing:
            if force.id not in self._found:
                self._look_at_friction(force, rows)
        both = rows if self._last is None else np.vstack((self._last, rows))
        for force in self._bushings:
            if force.id not in self._found:
                self._look_at_bushing(force, both)
        self._last = rows[-1:].copy()

    def _look_at_friction(self, force: Force, rows: np.ndarray) -> None:
        assert self._loads is not None
        for row in rows[:: 1 + len(rows) // LOOKS]:
            motion = Motion(
                row[self.layout.poses].reshape(-1, 7),
                row[self.layout.velocities].reshape(-1, 6),
                row[self.layout.coordinates],
                float(row[0]),
            )
            if self._loads.first_number(force, motion) < 0.0:
                self._found[force.id] = float(row[0])
                return

    def _look_at_bushing(self, force: Force, rows: np.ndarray) -> None:
        assert force.frame_a is not None
        (A, v), (B, w) = (self._frame(f, rows) for f in (force.frame_a, force.frame_b))
        R = np.swapaxes(A, 1, 2) @ B
        # rotation vectors, which jump from one side to the other at half a turn
        axial = np.stack(
            (R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]), axis=1
        )
        turn = np.arccos(np.clip(0.5 * (np.trace(R, axis1=1, axis2=2) - 1.0), -1.0, 1.0))
        rate = np.einsum("sji,sj->si", A, w - v)
        grows = (axial * rate).sum(axis=1) > 0.0
        jumps = (
            grows[:-1]
            & ((axial[1:] * axial[:-1]).sum(axis=1) < 0.0)
            & (turn[1:] + turn[:-1] > np.pi)
        )
        if jumps.any():
            self._found[force.id] = float(rows[np.argmax(jumps) + 1, 0])

    def _frame(self, frame, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Axes (s, 3, 3) and angular velocity in W (s, 3) of a frame at samples."""
        own = np.array(matrix(self.mechanism.frame_in_body(frame)[1]))
        if frame.body == GROUND:
            return np.broadcast_to(own, (len(rows), 3, 3)), np.zeros((len(rows), 3))
        k = list(self.mechanism.bodies).index(frame.body)
        R = matrices(rows[:, self.layout.poses].reshape(len(rows), -1, 7)[:, k, 3:])
        w = rows[:, self.layout.velocities].reshape(len(rows), -1, 6)[:, k, 3:]
        return R @ own, np.einsum("sij,sj->si", R, w)

    @property
    def notes(self) -> tuple[str, ...]:
        """One sentence for each load that has left its range."""
        out = []
        for id, time in self._found.items():
            force = self.mechanism.forces[id]
            at = format_value(time, "time", DEFAULT_SYSTEM, 4)
            if force in self._bushings:
                out.append(
                    tr(
                        "{bushing} turns beyond half a turn at {time}: from there its turn counts "
                        "the short way round, from the other side. For a spring that winds up, "
                        "put a torsion spring on a joint.",
                        bushing=force.name,
                        time=at,
                    )
                )
            else:
                out.append(
                    tr(
                        "The law of {friction} is below zero at {time}: there it drives the joint "
                        "instead of braking it. Write abs(…) or max(0, …) around it.",
                        friction=force.name,
                        time=at,
                    )
                )
        return tuple(out)
