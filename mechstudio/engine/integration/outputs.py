"""Samples (model/results/sample.py) from recorded states: bodies, joint coordinates, energies and
constraint norms.
"""

from collections.abc import Sequence

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.integration.sample_notes import SampleNotes
from mechstudio.engine.kernels import columns as k
from mechstudio.engine.kernels.columns import Tables
from mechstudio.engine.kernels.recording import record
from mechstudio.engine.system.system import System
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.results.constant_course import matrices
from mechstudio.model.results.sample import (
    BALANCE,
    GAP,
    KINETIC,
    POSITION_ERROR,
    POTENTIAL,
    REST,
    VELOCITY_ERROR,
    WORK,
)


class Recorder:
    """Turns blocks of states into blocks of samples, keeping what runs on from one block to the
    next.

    energy_error, kinetic, potential, gap: largest magnitude of the balance error [J], kinetic and
    potential energy [J] and joint error [m] so far.  motions (nq,): largest way of each coordinate
    from its start, in sizes or radians; 0 of those without a scale. speeds (nv,): largest rate of
    each velocity, in sizes or radians a second.
    """

    def __init__(self, system: System, tables: Tables, columns: Sequence[int] | None = None):
        """columns: those that are read; the parts of a sample in which none of them stands are left
        zero, which is quicker.  None: all.
        """
        requested = lambda part: (
            columns is None or any(part.start <= c < part.stop for c in columns)
        )
        layout = system.layout
        self._parts = {
            name
            for name in ("energy", "constraint", "momentum")
            if requested(getattr(layout, name))
        }
        self.system, self.tables = system, tables
        self.bodies = len(system.layout.bodies)
        self.last = np.tile([1.0, 0.0, 0.0, 0.0], (self.bodies, 1))
        self.scratch = np.zeros(9)
        properties = [mass_properties(body) for body in system.mechanism.bodies.values()]
        self.masses = np.array([m.mass for m in properties])
        self.centers = np.array([m.center for m in properties]).reshape(-1, 3)
        self.inertias = np.array([m.inertia for m in properties]).reshape(-1, 3, 3)
        self.first_energy: float | None = None
        self.energy_error = self.kinetic = self.potential = self.gap = 0.0
        self.motions, self.speeds = np.zeros(system.where.nq), np.zeros(system.where.nv)
        self._seen = SampleNotes(system) if columns is None else None
        self._weighed = np.flatnonzero(system.scale[: system.where.nq])

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on loads that have left their range in the samples so far."""
        return () if self._seen is None else self._seen.notes

    @property
    def moves(self) -> bool:
        """True if anything has moved. A kinetic energy below the rounding of the potential energy
        counts as none.
        """
        return self.kinetic > REST * self.potential

    @property
    def imbalance(self) -> float | None:
        """Largest error of the energy balance over the largest kinetic energy, or over the
        potential energy whose rounding hides the kinetic one.  None without energies.
        """
        largest = self.kinetic if self.moves else max(self.kinetic, self.potential)
        return self.energy_error / largest if largest > 0.0 else None

    def samples(self, times: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Samples (k, layout.width) at times (k,) [s] from states (k, n)."""
        layout, n, count = self.system.layout, self.bodies, len(times)
        rows = (np.empty if len(self._parts) == 3 else np.zeros)((count, layout.width))
        poses, velocities, energies = (
            np.empty((count, 7 * n)),
            np.empty((count, 6 * n)),
            np.empty((count, 2)),
        )
        record(
            np.ascontiguousarray(states),
            self.tables,
            self.last,
            self.scratch,
            poses,
            velocities,
            energies,
        )
        rows[:, 0] = times
        if len(self._parts) == 3 and len(self._weighed):
            ways = (
                np.abs(states[:, self._weighed] - self.system.start[self._weighed])
                / self.system.scale[self._weighed]
            )
            self.motions[self._weighed] = np.maximum(
                self.motions[self._weighed], ways.max(axis=0, initial=0.0)
            )
            rates = slice(self.system.where.nq, self.system.where.nq + self.system.where.nv)
            speeds = np.abs(states[:, rates]).max(axis=0, initial=0.0) / self.system.scale[rates]
            np.maximum(self.speeds, speeds, out=self.speeds)
        rows[:, layout.poses], rows[:, layout.velocities] = poses, velocities
        rows[:, layout.coordinates] = states[:, self.system.where.coordinates]
        # a run with contacts fills them in; elsewhere nothing is known of contacts
        rows[:, layout.contact] = 0.0
        # what flies off beyond all bounds is reported by the run's reason, not by arithmetic
        with np.errstate(over="ignore", invalid="ignore"):
            if "energy" in self._parts:
                self._energies(rows, energies, states[:, self.system.where.work])
            if self._parts & {"constraint", "momentum"}:
                twists = velocities.reshape(count, n, 6)
                origins, R = self.system.joint_rows.bodies(poses.reshape(count, n, 7))
                if "constraint" in self._parts:
                    self._constraints(rows, origins, R, twists)
                if "momentum" in self._parts:
                    self._momentum(rows, origins[:, 1:], R[:, 1:], twists)
        if self._seen is not None:
            self._seen.look(rows)
        return rows

    def _lying_energy(self, rows: np.ndarray) -> float:
        """Energy of the weight of bodies that are bolted to ground [J], which the kernels leave out
        since it never changes.  rows: samples with poses.
        """
        T = self.tables
        poses = rows[:, self.system.layout.poses].reshape(len(rows), self.bodies, 7)
        bolted = T.bodies[:, k.B_NODE] == len(T.nodes) - 1
        if not bolted.any() or not len(poses):
            return 0.0
        places, turns = poses[0, bolted, :3], matrices(poses[0, bolted, 3:])
        centers = places + (turns @ self.centers[bolted, :, None])[..., 0]
        return -float(self.masses[bolted] @ (centers @ T.settings[k.GX : k.GX + 3]))

    def _energies(self, rows: np.ndarray, energies: np.ndarray, work: np.ndarray) -> None:
        at = self.system.layout.energy.start
        total = energies.sum(axis=1)
        if self.first_energy is None and len(rows):
            self.first_energy = float(total[0] - work[0])
        rows[:, at + KINETIC], rows[:, at + POTENTIAL], rows[:, at + WORK] = (
            energies[:, 0],
            energies[:, 1] + self._lying_energy(rows[:1]),
            work,
        )
        rows[:, at + BALANCE] = total - work - (self.first_energy or 0.0)
        self.energy_error = max(
            self.energy_error, float(np.abs(rows[:, at + BALANCE]).max(initial=0.0))
        )
        self.kinetic = max(self.kinetic, float(energies[:, 0].max(initial=0.0)))
        self.potential = max(self.potential, float(np.abs(energies[:, 1]).max(initial=0.0)))

    def _constraints(self, rows, origins, R, velocities) -> None:
        at, joints = self.system.layout.constraint.start, self.system.joint_rows
        if joints.row_count == 0:
            rows[:, at : at + 3] = 0.0
            return
        C, rates = joints.values_and_rates(origins, R, velocities)
        rows[:, at + POSITION_ERROR] = np.linalg.norm(C, axis=1)
        rows[:, at + VELOCITY_ERROR] = np.linalg.norm(rates, axis=1)
        rows[:, at + GAP] = joints.gaps_of(C).max(axis=1)
        self.gap = max(self.gap, float(joints.norms_of(C).max(initial=0.0)))

    def _momentum(self, rows, origins, R, velocities) -> None:
        """p = sum m v_G and N = sum r_G x m v_G + R I w about W's origin, with v_G = v_O + R (w x
        c).
        """
        at = self.system.layout.momentum.start
        w = velocities[..., 3:]
        rotated = lambda u: (R @ u[..., None])[..., 0]
        p = self.masses[:, None] * (velocities[..., :3] + rotated(cross(w, self.centers)))
        spin = rotated((self.inertias @ w[..., None])[..., 0])
        rows[:, at : at + 3] = p.sum(axis=1)
        rows[:, at + 3 : at + 6] = (
            cross(origins + rotated(np.broadcast_to(self.centers, w.shape)), p) + spin
        ).sum(axis=1)
