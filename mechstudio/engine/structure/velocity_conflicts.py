"""Initial velocities that contradict the joints, the drives or each other, found without running
anything (THEORY 2).

The velocities that joints, couplings and rolling allow are narrowed by one target after the other,
in the order in which a start obeys them: drives first, then typed joint rates, then typed
velocities of bodies.  What a target leaves unmet is said.
"""

import math

import numpy as np

from mechstudio.engine.constraints.attitude import cross
from mechstudio.engine.constraints.graph import graph
from mechstudio.engine.constraints.ranks import solvable
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.constraints.screws import LoopEquations, body_motions, null_space
from mechstudio.model.findings import Finding
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.joints.titles import titled
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import ACCELERATION, POSITION, Drive, Mechanism
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.units import format_value
from mechstudio.translation import tr

CONTRADICTION = 1e-6  # relative difference between typed and true velocity that is reported
_RATES = {"angle": "angular_velocity", "length": "velocity"}


class Targets:
    """Velocities v = start + free z that are still possible; each target narrows them."""

    def __init__(self, count: int):
        self.start, self.free = np.zeros(count), np.eye(count)

    def target(self, A: np.ndarray, b: np.ndarray, least: float = 0.0) -> None:
        """Least squares of A v = b among what is possible; then only what does not change A v stays
        free.  least: a singular value below is rounding.
        """
        if self.free.shape[1] == 0 or len(A) == 0:
            return
        N = A @ self.free
        # of U only the columns of singular values are needed, of V all
        U, s, Vt = np.linalg.svd(N, full_matrices=N.shape[0] < N.shape[1])
        rank = solvable(s, least)
        z = Vt[:rank].T @ ((U.T[:rank] @ (b - A @ self.start)) / s[:rank])
        self.start = self.start + self.free @ z
        self.free = self.free @ Vt[rank:].T


def velocity_findings(
    mechanism: Mechanism,
    rows: JointRows,
    poses: np.ndarray,
    equations: LoopEquations | None = None,
    motions: np.ndarray | None = None,
) -> list[Finding]:
    """A warning for each joint or body whose typed velocity cannot be met at closed poses (n, 7).

    equations, motions (n, d): those of the poses and their null space, if known.
    """
    joints = {id: j for id, j in mechanism.joints.items() if j.rates and JOINT_TYPES[j.type].dof}
    # what no joint holds moves as it was typed
    joined = {frame.body for j in mechanism.joints.values() for frame in (j.frame_a, j.frame_b)}
    bodies = {
        id: b
        for id, b in mechanism.bodies.items()
        if b.initial_velocity is not None and id in joined
    }
    if not joints and not bodies:
        return []
    if equations is None or motions is None:
        equations = LoopEquations(
            mechanism, rows, graph(1 + rows.body_count, rows.body_a, rows.body_b), poses
        )
        motions = null_space(equations.matrix)
    floating = 6 * (len(equations.graph.roots) - 1)
    allowed = Targets(motions.shape[1] + floating)
    index = {id: k for k, id in enumerate(mechanism.joints)}

    def rates(joint: str) -> np.ndarray:
        j = index[joint]
        return np.concatenate(
            (
                equations.rates.of(j) @ motions[equations.columns[j]],
                np.zeros((equations.dofs[j], floating)),
            ),
            axis=1,
        )

    drives = _prescribed(mechanism)
    if drives:
        allowed.target(
            np.array([rates(d.joint)[d.coordinate] for d, _ in drives]),
            np.array([speed for _, speed in drives]),
        )
    out = []
    if joints:
        A = np.concatenate([rates(id) for id in joints])
        b = np.array([q.value for joint in joints.values() for q in joint.rates])
        allowed.target(A, b)
        out += _of_joints(mechanism, joints, A @ allowed.start - b, b, drives)
    if bodies:
        out += _of_bodies(
            mechanism,
            rows,
            poses,
            bodies,
            allowed,
            _twists(equations, motions, poses, rows.size, floating),
        )
    return out


def _prescribed(mechanism: Mechanism) -> list[tuple[Drive, float]]:
    """The drives that prescribe a velocity at the start, with it [rad/s or m/s]."""
    out = []
    for drive in mechanism.drives.values():
        if not drive.enabled or drive.quantity == ACCELERATION:
            continue
        try:
            f, slope, _ = evaluation.jet(drive.law, mechanism.start.value)
        except ExpressionError:
            # a law that names what only a run knows; one that cannot be read is reported by the
            # checks
            continue
        speed = slope if drive.quantity == POSITION else f
        if math.isfinite(speed):
            out.append((drive, speed))
    return out


def _of_joints(
    mechanism, joints, misses: np.ndarray, requested: np.ndarray, drives
) -> list[Finding]:
    out, start, scale = [], 0, max(np.abs(requested).max(initial=0.0), 1e-300)
    for id, joint in joints.items():
        stop = start + JOINT_TYPES[joint.type].dof
        if np.abs(misses[start:stop]).max() > CONTRADICTION * scale:
            own = next(
                (
                    (d, speed)
                    for d, speed in drives
                    if d.joint == id and abs(misses[start + d.coordinate]) > CONTRADICTION * scale
                ),
                None,
            )
            if own is not None:
                drive, speed = own
                dimension = _RATES[JOINT_TYPES[joint.type].coordinates[drive.coordinate].dimension]
                shown = format_value(speed, dimension, digits=4)
                out.append(
                    Finding(
                        "warning",
                        id,
                        tr(
                            "The initial rate of {joint} contradicts {drive}, which starts it "
                            "with {shown}; the drive is followed.",
                            joint=titled(joint),
                            drive=drive.name,
                            shown=shown,
                        ),
                        tr("Clear the initial rate, or change what the drive prescribes."),
                        amounts=((float(speed), dimension, 4),),
                    )
                )
            else:
                out.append(
                    Finding(
                        "warning",
                        id,
                        tr(
                            "The initial rate of joint {joint} contradicts the other joints, the "
                            "drives or other initial rates; the motion starts with the nearest "
                            "rate that is possible.",
                            joint=joint.name,
                        ),
                        tr("Type the rate of fewer joints, one per freedom of the mechanism."),
                    )
                )
        start = stop
    return out


def _twists(
    equations: LoopEquations, motions: np.ndarray, poses: np.ndarray, size: float, floating: int
) -> np.ndarray:
    """Twists (n, 6, d + floating) of the bodies per free motion: velocity of the body's origin and
    angular velocity, in W.
    """
    origin = poses[:, :3].mean(axis=0)
    every = body_motions(equations, origin, size)[1:]
    twists = np.concatenate(
        (every[:, :, : equations.count] @ motions, every[:, :, equations.count :]), axis=2
    )
    w = twists[:, :3].swapaxes(1, 2)
    v = size * twists[:, 3:].swapaxes(1, 2) + cross(w, (poses[:, :3] - origin)[:, None, :])
    return np.concatenate((v, w), axis=2).swapaxes(1, 2)


def _of_bodies(
    mechanism, rows: JointRows, poses, bodies, allowed: Targets, twists: np.ndarray
) -> list[Finding]:
    index = {id: k for k, id in enumerate(mechanism.bodies)}
    _, R = rows.bodies(poses)
    metres = np.repeat((1.0, rows.size), 3)
    requested = {
        id: metres
        * np.array(
            [
                *values(b.initial_velocity.linear),
                *(R[index[id] + 1] @ np.array(values(b.initial_velocity.angular))),
            ]
        )
        for id, b in bodies.items()
    }
    A = {id: metres[:, None] * twists[index[id]] for id in bodies}
    allowed.target(np.concatenate(list(A.values())), np.concatenate(list(requested.values())))
    scale = max(float(np.abs(w).max()) for w in requested.values())
    return [
        Finding(
            "warning",
            id,
            tr(
                "The initial velocity of body {body} contradicts its joints, the drives or other "
                "initial velocities; the motion starts with the nearest velocity that is possible.",
                body=body.name,
            ),
            tr("Type a velocity that the joints allow, or the rate of one joint instead."),
        )
        for id, body in bodies.items()
        if np.abs(A[id] @ allowed.start - requested[id]).max() > CONTRADICTION * max(scale, 1e-300)
    ]
