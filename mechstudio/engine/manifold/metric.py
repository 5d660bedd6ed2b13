"""Metric of body motions: the norm in which assembling is least.

The way of a body is the motion of its joints and of the points of its shapes, p in body axes with
the mean c, times a mass that goes with its size:

    way^2 = w^2 (|t_c|^2 + r^2 |phi|^2),   w^2 = extent / mean extent,   r^2 = mean |p - c|^2

which for small rotations is the mean square of the motions of its points (about any axis the
largest there may be), whatever frame the body has.  With its origin moved by t and rotated by phi
in body axes, t_c = t + R (phi x c).
"""

from collections.abc import Collection

import msgspec
import numpy as np

from mechstudio.engine.constraints.attitude import cross, matrices, multiply
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.quantity import values

WEIGHTS = (0.3, 3.0)  # between which w stays
SLENDEREST = 0.05  # least r, in parts of the mechanism's size


class Measure(msgspec.Struct, frozen=True):
    """centre (n, 3): c in body axes [m].  column_scale (6 n,): 1 / w and 1 / (w r) [1 and 1/m] per
    body; 0 for bodies that stay.
    """

    centre: np.ndarray
    column_scale: np.ndarray

    @property
    def centres(self) -> np.ndarray:
        """c of ground, which is its origin, and of all bodies (1 + n, 3) [m]."""
        return np.concatenate((np.zeros((1, 3)), self.centre))

    def twists(self, step: np.ndarray, R: np.ndarray) -> np.ndarray:
        """A step (6 n,) in m of bodies with matrices R (n, 3, 3) as twists (n, 6) of the origins in
        m and rad.
        """
        out = (step * self.column_scale).reshape(-1, 6)
        out[:, :3] -= (R @ cross(out[:, 3:], self.centre)[..., None])[..., 0]
        return out

    def about_centres(
        self, blocks: np.ndarray, bodies: tuple[np.ndarray, np.ndarray], R: np.ndarray
    ) -> None:
        """Turn rows' rates per twist of the origins (rows, 2, 6) into those per twist of the
        centres, in place.

        bodies: of each row (rows,) on its two sides, 0 for ground.  R (1 + n, 3, 3): matrices of
        ground and all bodies.
        """
        if not self.centre.any():
            return
        c = self.centres
        for side, body in enumerate(bodies):
            # J_t . (R (c x phi)) = ((R^T J_t) x c) . phi
            local = (blocks[:, side, None, :3] @ R[body])[:, 0]
            blocks[:, side, 3:] += cross(local, c[body])

    def way(self, poses: np.ndarray, target: np.ndarray) -> np.ndarray:
        """The step (6 n,) in m that leads from poses to target (n, 7), for turns below half a turn;
        0 for bodies that stay.
        """
        shift = difference(poses, target, 1.0).reshape(-1, 6)
        c = self.centre[..., None]
        shift[:, :3] += ((matrices(target[:, 3:]) - matrices(poses[:, 3:])) @ c)[..., 0]
        moves = self.column_scale > 0
        return np.where(moves, shift.ravel() / np.where(moves, self.column_scale, 1.0), 0.0)


def uniform(rows: JointRows) -> Measure:
    """Translation of the origins and size times rotation alike, for every body."""
    return Measure(
        np.zeros((rows.body_count, 3)),
        np.tile(np.repeat((1.0, 1.0 / rows.size), 3), rows.body_count),
    )


def measured(mechanism: Mechanism, rows: JointRows, keep: Collection[str] = ()) -> Measure:
    """As the head of this file says.   keep: ids of bodies that stay."""
    points: dict[str, list] = {id: [] for id in mechanism.bodies}
    for joint in mechanism.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            if frame.body in points:
                points[frame.body].append(mechanism.frame_in_body(frame)[0])
    centres, extents, radii = [], [], []
    for id, body in mechanism.bodies.items():
        of_shapes = [
            p
            for shape in body.shapes
            for p in (values(shape.placement.position), *shape.points().values())
        ]
        at = np.array([*points[id], *of_shapes] or [(0.0, 0.0, 0.0)])
        centre = at.mean(axis=0)
        centres.append(centre)
        extents.append(float(np.linalg.norm(np.ptp(at, axis=0))))
        radii.append(float(np.sqrt(np.mean(np.sum((at - centre) ** 2, axis=1)))))
    mean = float(np.mean(extents)) if extents else 0.0
    w = np.clip(np.sqrt(np.array(extents) / mean), *WEIGHTS) if mean > 0 else np.ones(len(extents))
    r = np.maximum(radii, SLENDEREST * rows.size)
    scale = np.column_stack((1.0 / w, 1.0 / (w * r))).repeat(3, axis=1)
    scale[[id in keep for id in mechanism.bodies]] = 0.0
    return Measure(np.array(centres).reshape(-1, 3), scale.ravel())


def difference(poses: np.ndarray, target: np.ndarray, size: float) -> np.ndarray:
    """The step (6 n,) in m that leads from poses to target (n, 7), rotations times size, for turns
    below half a turn.
    """
    conjugate = poses[:, 3:] * (1.0, -1.0, -1.0, -1.0)
    q = multiply(conjugate, target[:, 3:])
    q = q * np.where(q[:, :1] < 0, -1.0, 1.0)
    s = np.linalg.norm(q[:, 1:], axis=1, keepdims=True)
    turn = q[:, 1:] * np.where(s > 1e-12, 2 * np.arctan2(s, q[:, :1]) / np.maximum(s, 1e-300), 2.0)
    return np.concatenate((target[:, :3] - poses[:, :3], size * turn), axis=1).ravel()
