"""Linearisation at a state: A and B in independent coordinates, natural modes, frequencies and damping ratios (THEORY 5)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mechstudio.model.joint_types import JOINT_TYPES

from ..joint_coordinates import coordinate_wrenches
from ..system import System
from .over_time import coordinate_names
from .partition import Partition
from .table import Table

STEP = 1e-4             # radians or parts of the size, of differences; error of the extrapolated ones about STEP^4


class Mode(NamedTuple):
    """eigenvalue [1/s]; frequency [Hz], of oscillation, 0 for none; damping: ratio -Re / |s|, nan at rest; shape (nv,): velocities, largest 1."""

    eigenvalue: complex
    frequency: float
    damping: float
    shape: np.ndarray


class Linear(NamedTuple):
    """x' = A x + B u with x = (dq_i, dv_i) about a state; u: an effort [N or N m] along each input.

    names: of the independent coordinates.   inputs: (joint, coordinate).   rest: largest acceleration of the state itself, 0 at an equilibrium.
    """

    A: np.ndarray
    B: np.ndarray
    modes: tuple[Mode, ...]
    names: tuple[str, ...]
    inputs: tuple[tuple[str, int], ...]
    rest: float


def linearise(system: System, y: np.ndarray, independent: Sequence[str] = (), inputs: Sequence[tuple[str, int]] = ()) -> Linear:
    """The motion about a closed state to first order.

    independent: names as coordinate_names gives them; () chooses.   Raises NoPartition for a bad choice.   At a state that moves, coordinates of balls and
    free bodies are turned with the body: A is then that of body-fixed increments.
    """
    names = [n.rstrip("'") for n in coordinate_names(system)]
    chosen = [names.index(n.rstrip("'")) for n in independent]
    partition = Partition(system, y, names, chosen)
    i = list(partition.independent)
    d, natural = len(i), partition.natural[i]
    v0 = y[partition.nq:partition.nq + partition.nv][i]

    def f(step: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        state = partition.closed(y, step, v0 + velocity)
        return np.concatenate((velocity + v0, partition.accelerations(state)))

    A = np.zeros((2 * d, 2 * d))
    for c in range(2 * d):
        h = STEP * natural[c % d]
        at = lambda s: f(*np.split(s * h * np.eye(2 * d)[c], 2))
        near, far = (at(1) - at(-1)) / (2 * h), (at(2) - at(-2)) / (4 * h)
        A[:, c] = (4 * near - far) / 3
    A[:d] = np.concatenate((np.zeros((d, d)), np.eye(d)), axis=1)
    return Linear(A, _inputs(system, y, partition, inputs), _modes(A, partition.B(y), partition.natural), tuple(names[c] for c in i), tuple(inputs),
                  float(np.abs(partition.accelerations(partition.closed(y, np.zeros(d), v0)) / natural).max(initial=0.0)))


def _inputs(system: System, y: np.ndarray, partition: Partition, inputs: Sequence[tuple[str, int]]) -> np.ndarray:
    """B (2 d, inputs): M_r^-1 B^T S with S the generalised effort of each input; M_r = B^T M B from kinetic energies."""
    from ..initial import body_jacobians, mass_roots
    d = len(partition.independent)
    out = np.zeros((2 * d, len(inputs)))
    if not inputs:
        return out
    J = body_jacobians(y, system.tables)
    roots = mass_roots(system.mechanism, system.tables)
    every = partition.B(y)
    half = np.concatenate([r @ j @ every for r, j in zip(roots, J)])
    M = half.T @ half
    for c, (joint, coordinate) in enumerate(inputs):
        out[d:, c] = np.linalg.solve(M, every.T @ _generalised(system, y, J, joint, coordinate))
    return out


def _generalised(system: System, y: np.ndarray, J: np.ndarray, joint: str, coordinate: int) -> np.ndarray:
    """Rates (nv,) of a joint coordinate: the generalised effort of a unit one along it."""
    from ..instant import Instant
    now = Instant(system, y)
    k = list(system.mechanism.joints).index(joint)
    start = now.loads_of.first[joint]
    dof = JOINT_TYPES[system.mechanism.joints[joint].type].dof
    F, M = coordinate_wrenches(system.mechanism.joints[joint], k, now.rows, now.at.frames, now.motion.coordinates[start:start + dof])
    out = np.zeros(J.shape[2])
    for body, sign in ((int(now.rows.body_a[k]), -1.0), (int(now.rows.body_b[k]), 1.0)):
        if body:
            arm = now.at.frames[2][k] - now.at.origins[body]
            out += sign * (F[coordinate] @ (J[body - 1, :3] + np.cross(J[body - 1, 3:].T, arm).T) + M[coordinate] @ J[body - 1, 3:])
    return out


def _modes(A: np.ndarray, B: np.ndarray, natural: np.ndarray) -> tuple[Mode, ...]:
    d = len(A) // 2
    values, vectors = np.linalg.eig(A)
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    out = []
    for s, x in sorted(zip(values, vectors.T), key=lambda p: (abs(p[0]), p[0].imag)):
        if s.imag < -1e-9 * scale:
            continue                                       # of a pair the one that turns forwards
        shape = B @ x[:d]
        largest = shape[np.argmax(np.abs(shape / natural))] if len(shape) and np.abs(shape).max() > 0 else 1.0
        size = abs(s)
        out.append(Mode(complex(s), abs(s.imag) / (2 * np.pi) if abs(s.imag) > 1e-9 * scale else 0.0, -s.real / size if size > 1e-9 * scale else float("nan"),
                        shape / largest))
    return tuple(out)


def table(found: Linear) -> Table:
    """Modes as rows."""
    rows = [(m.eigenvalue.real, m.eigenvalue.imag, m.frequency, m.damping) for m in found.modes]
    notes = () if found.rest < 1e-6 else ("The state is no equilibrium: it accelerates by itself, and the modes tell only what happens near it at first.",)
    return Table("linearise", [("Re s [1/s]", "number"), ("Im s [1/s]", "number"), ("frequency", "frequency"), ("damping ratio", "number")], np.array(rows).reshape(-1, 4),
                 [f"mode {k}" for k in range(1, len(rows) + 1)], found.rest, notes)
