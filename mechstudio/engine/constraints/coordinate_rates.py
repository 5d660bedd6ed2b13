"""Rates of a joint's coordinates in terms of its twist, and coupling terms in the coordinates, at
one pose (THEORY 3).

A twist is (w; v / extent) of B against A in W with v at P_B, so that rows and rates do not depend
on the unit of length.
"""

from typing import Any

import msgspec
import numpy as np

from mechstudio.engine.constraints.attitude import displaced
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.laws import evaluation
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling, Mechanism
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import HELIX, JOINT_TYPES, SLIDE, TURN, Z

# radians or parts of extent of the differences that coordinates are differentiated by: error STEP^4
# / 30
STEP = 2e-3
ON_ONE_AXIS = {TURN, SLIDE, HELIX}


class CoordinateRates:
    """The rates of the joints' coordinates per free twist, found when first requested.

    equations: gives frames, motions, extent and dofs (screws.LoopEquations).
    """

    def __init__(self, mechanism: Mechanism, rows: JointRows, poses: np.ndarray, equations: Any):
        self._mechanism, self._rows, self._poses, self._equations = (
            mechanism,
            rows,
            poses,
            equations,
        )
        self._ids = list(mechanism.joints)
        self._known: dict[int, np.ndarray] = {}
        self._values: np.ndarray | None = None

    @property
    def values(self) -> np.ndarray:
        """Coordinates (f,) of all joints at the pose [m or rad]."""
        values = self._values
        if values is None:
            values = joint_coordinates(self._mechanism, self._poses[None], rows=self._rows)[0]
            self._values = values
        return values

    def of(self, j: int) -> np.ndarray:
        """(dof, dof): rates of joint j's coordinates [m or rad] per unit of each of its free
        twists.
        """
        if j not in self._known:
            self._known[j] = self._found(j)
        return self._known[j]

    def _found(self, j):
        e = self._equations
        kind = JOINT_TYPES[self._mechanism.joints[self._ids[j]].type]
        free = e.motions[j][:, : e.dofs[j]]
        if all(motion in ON_ONE_AXIS and axis == Z for motion, axis in kind.motions):
            z = e.frames[1][j][:, Z]
            return np.array(
                [
                    z @ free[:3] if c.dimension == "angle" else e.extent[j] * z @ free[3:]
                    for c in kind.coordinates
                ]
            ).reshape(e.dofs[j], e.dofs[j])
        return self._differences(j, free)

    def _differences(self, j, free):
        """Central differences of the coordinates, improved once (Richardson), on a drawing of this
        joint alone.
        """
        e, joint = self._equations, self._mechanism.joints[self._ids[j]]
        side = joint.frame_b.body
        ids = [id for id in dict.fromkeys((joint.frame_a.body, side)) if id != GROUND]
        alone = msgspec.structs.replace(
            self._mechanism,
            bodies={id: self._mechanism.bodies[id] for id in ids},
            joints={joint.id: joint},
            couplings={},
            drives={},
            forces={},
        )
        index = list(self._mechanism.bodies)
        poses = self._poses[[index.index(id) for id in ids]]
        # where B is ground, A moves the other way
        sign, body = (1.0, side) if side != GROUND else (-1.0, joint.frame_a.body)
        k = ids.index(body)
        rows = JointRows(alone)
        _, R = rows.bodies(poses)
        steps = np.array([1.0, -1.0, 2.0, -2.0]) * STEP
        samples = np.repeat(poses[None], 4 * free.shape[1], axis=0)
        for c in range(free.shape[1]):
            w, v = sign * free[:3, c], sign * free[3:, c] * e.extent[j]
            for i, h in enumerate(steps):
                samples[4 * c + i] = _carried(poses, k, h * w, h * v, e.points[j], R[k + 1])
        first = joint_coordinates(alone, poses[None], rows=rows)
        read = joint_coordinates(
            alone, samples, near=np.repeat(first, len(samples), axis=0), rows=rows
        ).reshape(-1, 4, free.shape[1])
        near, far = (read[:, 0] - read[:, 1]) / (2 * STEP), (read[:, 2] - read[:, 3]) / (4 * STEP)
        return ((4 * near - far) / 3).T


def _carried(poses, k, turn, shift, point, R):
    """Poses with body k turned by a rotation vector in W about a point and shifted, both finite."""
    out = poses.copy()
    angle = float(np.linalg.norm(turn))
    out[k : k + 1] = displaced(poses[k : k + 1], np.concatenate((np.zeros(3), R.T @ turn))[None])
    arm = poses[k, :3] - point
    if angle > 0:
        axis = turn / angle
        arm = (
            np.cos(angle) * arm
            + np.sin(angle) * np.cross(axis, arm)
            + (1 - np.cos(angle)) * (axis @ arm) * axis
        )
    out[k, :3] = point + arm + shift
    return out


def coupling_terms(
    mechanism: Mechanism, coupling: Coupling, rates: CoordinateRates
) -> tuple[tuple[CoordinateOf, ...], tuple[float, ...]]:
    """Ends of a coupling and the factors of its row at the pose: a_k, for a cam's angle minus the
    slope of its law there.
    """
    kind = COUPLING_TYPES[coupling.type]
    factors = kind.factors({name: q.value for name, q in coupling.parameters.items()})
    if kind.law and coupling.law is not None:
        slope = evaluation.jet(
            coupling.law, float(rates.values[coordinate_index(mechanism, coupling.ends[0])])
        )[1]
        factors = (-slope, *factors[1:])
    return coupling.ends, factors


def coordinate_index(mechanism: Mechanism, end: CoordinateOf) -> int:
    """The place of a coordinate among those of all joints."""
    start = 0
    for joint in mechanism.joints.values():
        if joint.id == end.joint:
            return start + end.coordinate
        start += JOINT_TYPES[joint.type].dof
    raise KeyError(end.joint)
