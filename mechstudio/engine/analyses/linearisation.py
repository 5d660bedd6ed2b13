"""Linearisation at a state: A and B in independent coordinates, natural modes, frequencies and
damping ratios (THEORY 5).
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.engine.analyses.rest.notes import momentary_motions, sticking_motions
from mechstudio.engine.analyses.rest.stops import resting_against
from mechstudio.engine.analyses.table import Table
from mechstudio.engine.constraints.joint_coordinates import coordinate_wrenches
from mechstudio.engine.dynamics.partition import Partition, coordinate_names
from mechstudio.engine.dynamics.spinning import (
    increments_beside,
    rotation_places,
    spin_matrix,
    turn_between,
)
from mechstudio.engine.kernels.right_hand_side import move, project, right_hand_side
from mechstudio.engine.system.stops import hard_stops, stop_name
from mechstudio.engine.system.system import System, compile_system
from mechstudio.model.mechanism import Force
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

CHECKED = (
    1e-4  # the same of the differences that check them, which leave an error of about CHECKED^2
)
NOTHING = 1e-3  # entries of A [1/s^2 or 1/s] below which all of it is none
NO_EFFECT = 1e-12  # entries of B [1/(kg m^2) or 1/kg m, natural] below which an input moves nothing
ROUNDING = 1e-12  # of an effort on an independent coordinate, over the largest it could have there
AT_REST = 1e-6  # radians or parts of the size per s^2 below which a state is an equilibrium
# radians or parts of the size, of differences; error of the extrapolated ones about STEP^4
STEP = 1e-4
SPINS = 1e-9  # rad/s from which a ball or a free body spins
AHEAD = 0.1  # radians that it turns until A is looked at again
STEADY = 1e-6  # change of A meanwhile, over its largest entry, that is none


class Mode(NamedTuple):
    """eigenvalue [1/s]; frequency [Hz], of oscillation, 0 for none; damping: ratio -Re / |s|, nan
    at rest; shape (nv,): velocities, largest 1.
    """

    eigenvalue: complex
    frequency: float
    damping: float
    shape: np.ndarray


class Linear(NamedTuple):
    """x' = A x + B u with x = (dq_i, dv_i) about a state; u: an effort [N or N m] along each input.

    names: of the independent coordinates.  inputs: (joint, coordinate).  accelerations (d,): of the
    state itself, 0 at an equilibrium; rest: the largest of them, in radians or parts of the size.
    turns (d,): which coordinates are angles.  residual: see `_checked`.  input_names: in words.
    spinning: names of balls and free bodies that spin.  axes_turn: True where their small rotations
    are about axes that turn with them and dv_i is of angular velocities about these; else dv_i is
    the rate of dq_i.  against: stops on which it rests, in words.  notes: sentences on the loads.
    """

    A: np.ndarray
    B: np.ndarray
    modes: tuple[Mode, ...]
    names: tuple[str, ...]
    inputs: tuple[tuple[str, int], ...]
    accelerations: np.ndarray
    rest: float
    turns: tuple[bool, ...]
    residual: float
    input_names: tuple[str, ...] = ()
    spinning: tuple[str, ...] = ()
    axes_turn: bool = False
    against: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def linearise(
    system: System,
    y: np.ndarray,
    independent: Sequence[str] = (),
    inputs: Sequence[tuple[str, int]] = (),
) -> Linear:
    """The motion about a closed state to first order.

    independent: names as coordinate_names gives them; () chooses.  Raises NoPartition for a bad
    choice.  Where a ball or a free body spins, its small rotations are about axes that do not turn
    with it, or, where A changes less as it turns, about axes that do.
    """
    names = [n.rstrip("'") for n in coordinate_names(system)]
    chosen = [names.index(n.rstrip("'")) for n in independent]
    partition = Partition(system, y, names, chosen)
    i = list(partition.independent)
    d = len(i)
    v0 = y[partition.nq : partition.nq + partition.nv][i]
    slopes = _slopes(y, partition)
    A, axes_turn = _in_axes(system, y, partition, slopes, False), False
    spinning = _spinning(system, y, partition)
    if spinning:
        A, axes_turn = _in_steadiest_axes(system, y, partition, slopes)
    B = _inputs(system, y, partition, inputs)
    there = partition.closed(y, np.zeros(d), v0)
    own = partition.accelerations(there)
    return Linear(
        A,
        B,
        _modes(A, partition.B(y), partition.natural),
        tuple(names[c] for c in i),
        tuple(inputs),
        own,
        float(np.abs(own / partition.natural[i]).max(initial=0.0)),
        tuple(bool(u == system.size) for u in system.units[i]),
        _checked(system, there, partition, inputs, A, B, axes_turn),
        tuple(_input_name(system, *pair) for pair in inputs),
        spinning,
        axes_turn,
        tuple(
            stop_name(system.mechanism, stop)
            for stop in resting_against(system, there, hard_stops(system))
        ),
        (
            *momentary_motions(system.mechanism, float(y[-1])),
            *sticking_motions(system.mechanism),
        )
        if d
        else (),
    )


def _slopes(y: np.ndarray, partition: Partition) -> np.ndarray:
    """Slopes (nv + d, 2 d) of all velocities and of the independent accelerations over the
    increments and the velocities of the independent coordinates.
    """
    i, nq, nv = list(partition.independent), partition.nq, partition.nv
    d, v0 = len(i), y[nq : nq + nv][i]

    def f(step: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        state = partition.closed(y, step, v0 + velocity)
        return np.concatenate((state[nq : nq + nv], partition.accelerations(state)))

    out = np.zeros((nv + d, 2 * d))
    for c in range(2 * d):
        h = STEP * partition.natural[i[c % d]]
        at = lambda s: f(*np.split(s * h * np.eye(2 * d)[c], 2))
        near, far = (at(1) - at(-1)) / (2 * h), (at(2) - at(-2)) / (4 * h)
        out[:, c] = (4 * near - far) / 3
    return out


def _in_axes(
    system: System, y: np.ndarray, partition: Partition, slopes: np.ndarray, axes_turn: bool
) -> np.ndarray:
    """A (2 d, 2 d) with small rotations about axes that turn with balls and free bodies, or about
    axes that do not.
    """
    i, nv = list(partition.independent), partition.nv
    d, spin = len(i), spin_matrix(system, y)
    A = np.concatenate((np.eye(2 * d)[d:], slopes[nv:]))
    if axes_turn:
        A[:d, :d] -= spin[i] @ partition.B(y)
    else:
        A[d:] += spin[i] @ slopes[:nv]
    return A


def _in_steadiest_axes(
    system: System, y: np.ndarray, partition: Partition, slopes: np.ndarray
) -> tuple[np.ndarray, bool]:
    """A in the axes in which it changes least as the bodies turn, and True if these turn with them.

    Eigenvalues say how motions grow only where A does not change: of a symmetric rotor in any
    surroundings in axes that do not turn, of any body in surroundings that look the same all round
    in its own.
    """
    i, nq, nv = list(partition.independent), partition.nq, partition.nv
    d, v = len(i), y[nq : nq + nv]
    h = AHEAD / max(np.linalg.norm(v[at : at + 3]) for _, _, at in rotation_places(system))
    z = partition.closed(y, h * v[i], v[i] + h * partition.accelerations(y))
    later, turn = _slopes(z, partition), turn_between(system, y, z)
    # of the later A in axes that do not turn: from components in those of its instant to ours
    P = turn[i] @ partition.B(z)
    change = np.block([[P, np.zeros((d, d))], [turn[i] @ later[:nv, :d], P]])
    natural = np.tile(partition.natural[i], 2)
    found = []
    for axes_turn in (False, True):
        A, B = (
            _in_axes(system, *at, axes_turn)
            for at in ((y, partition, slopes), (z, partition, later))
        )
        if not axes_turn:
            B = change @ B @ np.linalg.pinv(change)
        size = natural / natural[:, None]
        moved = float(np.abs((B - A) * size).max() / np.abs(A * size).max())
        found.append((moved, A, axes_turn))
    still, turning = found
    return (still if still[0] <= turning[0] + STEADY else turning)[1:]


def _spinning(system: System, y: np.ndarray, partition: Partition) -> tuple[str, ...]:
    """Names of the balls and free bodies that spin and that small motions turn."""
    m, w, B = system.mechanism, y[partition.nq :], partition.B(y)
    return tuple(
        m.joints[node.joint].name if node.joint else m.bodies[node.bodies[0]].name
        for node, v in ((system.tree.nodes[n], v) for n, _, v in rotation_places(system))
        if np.linalg.norm(w[v : v + 3]) > SPINS and np.abs(B[v : v + 3]).max(initial=0.0) > SPINS
    )


def _input_name(system: System, id: str, coordinate: int) -> str:
    joint = system.mechanism.joints[id]
    kind = JOINT_TYPES[joint.type]
    return f"{joint.name} {kind.coordinates[coordinate].name}" if kind.dof > 1 else joint.name


def _checked(
    system: System,
    y: np.ndarray,
    partition: Partition,
    inputs: Sequence[tuple[str, int]],
    A: np.ndarray,
    B: np.ndarray,
    axes_turn: bool,
) -> float:
    """Largest difference of A and B from another computation of the engine, over the largest entry
    of each, in natural units.

    A: the state is pushed along the tangent, its velocities too, and put back by the engine's own
    projection, where `linearise` holds the independent coordinates and solves for the others; what
    rotations do is read off the quaternions and their rates.  B: a motor of the effort is added to
    the drawing, which adds to the accelerations what the column says.
    """
    i, d = list(partition.independent), len(partition.independent)
    if not d:
        return 0.0
    nq, nv, T = partition.nq, partition.nv, partition.T
    natural = partition.natural[i]
    tangent = partition.B(y)

    own = np.zeros_like(y)
    right_hand_side(y.copy(), T, own, True)

    def state(c: int, s: float) -> tuple[np.ndarray, ...]:
        z, out = y.copy(), np.zeros_like(y)
        if c < d:
            move(z, T, s * tangent[:, c])
        else:
            z[nq : nq + nv] += s * tangent[:, c - d]
        # the factorisation of the pose, with which the engine projects
        right_hand_side(z, T, out, True)
        project(z, T, 0.0)
        right_hand_side(z, T, out, True)
        return tuple(part[i] for part in increments_beside(system, y, own, z, out, axes_turn))

    expected, found = np.zeros((2 * d, 2 * d)), np.zeros((2 * d, 2 * d))
    for c in range(2 * d):
        h = CHECKED * natural[c % d]
        up, down = state(c, h), state(c, -h)
        rates, seconds, changes = (p - m for p, m in zip(up, down))
        # projected in the mass metric, the independent velocities have moved too: what A says of
        # the states as they are
        shift = np.concatenate(([2 * h if c == j else 0.0 for j in range(d)], seconds))
        expected[:, c], found[:, c] = (
            A @ shift / (2 * h),
            np.concatenate((rates, changes)) / (2 * h),
        )
    both = np.concatenate((natural, natural))
    to_natural = both / both[:, None]
    worst = 0.0
    for rows in (slice(0, d), slice(d, 2 * d)):
        wrong, all_of = ((M * to_natural)[rows] for M in (expected - found, A))
        worst = max(worst, float(np.abs(wrong).max() / max(np.abs(all_of).max(), NOTHING)))
    for c, (joint, coordinate) in enumerate(inputs):
        column = B[d:, c] / natural
        largest = float(np.abs(column).max())
        effort = 1.0 / largest if largest > NO_EFFECT else 1.0
        without, more = np.zeros_like(y), np.zeros_like(y)
        right_hand_side(y.copy(), system.fresh_tables(), without, True)
        right_hand_side(
            y.copy(), _with_motor(system, joint, coordinate, effort).fresh_tables(), more, True
        )
        # the effort is such that the largest of them is 1
        worst = max(
            worst,
            float(np.abs((more - without)[nq : nq + nv][i] / natural - effort * column).max()),
        )
    return worst


def _with_motor(system: System, joint: str, coordinate: int, effort: float) -> System:
    """The drawing with one motor more, of a constant effort [N or N m]; its states are those of the
    system.
    """
    m = system.mechanism
    turns = JOINT_TYPES[m.joints[joint].type].coordinates[coordinate].dimension == "angle"
    motor = Force(
        tr("input of a check"),
        "input",
        "motor_torque" if turns else "motor_force",
        {"torque" if turns else "force": Quantity(effort)},
        joint=joint,
        coordinate=coordinate,
    )
    return compile_system(msgspec.structs.replace(m, forces={**m.forces, motor.id: motor}))


def _inputs(
    system: System, y: np.ndarray, partition: Partition, inputs: Sequence[tuple[str, int]]
) -> np.ndarray:
    """B (2 d, inputs): M_r^-1 B^T S with S the generalised effort of each input; M_r = B^T M B from
    kinetic energies.
    """
    from mechstudio.engine.system.initial_velocities import body_jacobians, mass_roots

    d = len(partition.independent)
    out = np.zeros((2 * d, len(inputs)))
    if not inputs:
        return out
    J = body_jacobians(y, system.tables)
    roots = mass_roots(system.mechanism, system.tables)
    every = partition.B(y)
    half = np.concatenate([r @ j @ every for r, j in zip(roots, J)])
    M = half.T @ half
    i, natural = list(partition.independent), partition.natural
    largest = float(np.abs(every * natural[i] / natural[:, None]).max(initial=0.0))
    for c, (joint, coordinate) in enumerate(inputs):
        effort = _generalised(system, y, J, joint, coordinate)
        along = every.T @ effort
        # a coordinate that does not move with the independent ones takes an effort without motion
        along[np.abs(along * natural[i]) <= ROUNDING * largest * np.abs(effort * natural).max()] = (
            0.0
        )
        out[d:, c] = np.linalg.solve(M, along)
    return out


def _generalised(
    system: System, y: np.ndarray, J: np.ndarray, joint: str, coordinate: int
) -> np.ndarray:
    """Rates (nv,) of a joint coordinate: the generalised effort of a unit one along it."""
    from mechstudio.engine.dynamics.instant import Instant

    now = Instant(system, y)
    k = list(system.mechanism.joints).index(joint)
    start = now.loads_of.first[joint]
    dof = JOINT_TYPES[system.mechanism.joints[joint].type].dof
    F, M = coordinate_wrenches(
        system.mechanism.joints[joint],
        k,
        now.rows,
        now.at.frames,
        now.motion.coordinates[start : start + dof],
    )
    out = np.zeros(J.shape[2])
    for body, sign in ((int(now.rows.body_a[k]), -1.0), (int(now.rows.body_b[k]), 1.0)):
        if body:
            arm = now.at.frames[2][k] - now.at.origins[body]
            out += sign * (
                F[coordinate] @ (J[body - 1, :3] + np.cross(J[body - 1, 3:].T, arm).T)
                + M[coordinate] @ J[body - 1, 3:]
            )
    return out


def _modes(A: np.ndarray, B: np.ndarray, natural: np.ndarray) -> tuple[Mode, ...]:
    d = len(A) // 2
    values, vectors = np.linalg.eig(A)
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    out = []
    # pairs such as ±s differ in their magnitudes by rounding alone
    order = lambda pair: (float(f"{abs(pair[0]):.6g}"), pair[0].imag, pair[0].real)
    for s, x in sorted(zip(values, vectors.T), key=order):
        if s.imag < -1e-9 * scale:
            continue  # of a pair the one that turns forwards
        shape = B @ x[:d]
        largest = (
            shape[np.argmax(np.abs(shape / natural))]
            if len(shape) and np.abs(shape).max() > 0
            else 1.0
        )
        size = abs(s)
        out.append(
            Mode(
                complex(s),
                abs(s.imag) / (2 * np.pi) if abs(s.imag) > 1e-9 * scale else 0.0,
                -s.real / size if size > 1e-9 * scale else float("nan"),
                shape / largest,
            )
        )
    return tuple(out)


def table(found: Linear) -> Table:
    """Modes as rows; A and B beside them."""
    more = {
        "states": [*found.names, *(f"{name}'" for name in found.names)],
        "inputs": list(found.input_names),
        "A": found.A.tolist(),
        "B": found.B.tolist(),
    }
    rows = [(m.eigenvalue.real, m.eigenvalue.imag, m.frequency, m.damping) for m in found.modes]
    return Table(
        "linearise",
        [
            ("Re s [1/s]", "number"),
            ("Im s [1/s]", "number"),
            ("frequency", "frequency"),
            ("damping ratio", "number"),
        ],
        np.array(rows).reshape(-1, 4),
        [f"mode {k}" for k in range(1, len(rows) + 1)],
        found.residual,
        (_rest_in_words(found), *_axes_in_words(found), *found.notes),
        more=more,
    )


def matrices(found: Linear) -> Table:
    """A and B: a row per state, the rate of which is its entries times the states and the efforts
    of the inputs.  States are coordinates q, then their rates q'.
    """
    states = [*found.names, *(f"{name}'" for name in found.names)]
    columns = [
        (name, "number") for name in (*states, *(f"effort on {name}" for name in found.input_names))
    ]
    return Table(
        "matrices",
        columns,
        np.concatenate((found.A, found.B), axis=1),
        [f"rate of {name}" for name in states],
        found.residual,
        (
            tr("Differences from the state, in m, rad and s; efforts in N and N·m."),
            _rest_in_words(found),
            *_axes_in_words(found),
            *found.notes,
        ),
    )


def _rest_in_words(found: Linear) -> str:
    """Sentence on how far the state is from an equilibrium."""
    if not found.names:
        return tr("Nothing can move by itself here.")
    if found.against:
        k = int(np.argmax(np.abs(found.accelerations)))
        return tr(
            "The state rests against {stops}, which small motions know nothing of: they are those "
            "of the mechanism without it, where {number} would accelerate by {acceleration:.3g} "
            "{word}.",
            stops=comma().join(found.against),
            number=found.names[k],
            acceleration=found.accelerations[k],
            word="rad/s²" if found.turns[k] else "m/s²",
        )
    if found.rest < AT_REST:
        return tr(
            "The state is an equilibrium: no coordinate accelerates by more than {rest:.1g} "
            "rad/s² or sizes of the mechanism per s².",
            rest=found.rest,
        )
    k = int(np.argmax(np.abs(found.accelerations)))
    return tr(
        "The state is no equilibrium: {number} accelerates by {acceleration:.3g} {word} by "
        "itself, and the modes tell only what happens near it at first.",
        number=found.names[k],
        acceleration=found.accelerations[k],
        word="rad/s²" if found.turns[k] else "m/s²",
    )


def _axes_in_words(found: Linear) -> tuple[str, ...]:
    """Sentence on the axes about which small rotations are, of a state in which something spins."""
    if not found.spinning:
        return ()
    names = comma().join(found.spinning)
    if found.axes_turn:
        return (
            tr(
                "A ball or a free body turns in this state ({names}): its small rotations are "
                "about axes that turn with it, beside angular velocities about the same axes, and "
                "frequencies are those seen from the body.",
                names=names,
            ),
        )
    return (
        tr(
            "A ball or a free body turns in this state ({names}): its small rotations are about "
            "axes that do not turn with it, and frequencies are those seen from outside the body.",
            names=names,
        ),
    )
