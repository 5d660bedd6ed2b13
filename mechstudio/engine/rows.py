"""Constraint rows of all joints over absolute body poses (THEORY 3), vectorised over samples.

The one reader of the rows in absolute coordinates: assembly, mobility, constraint norms and checks use it.  With
P_A, P_B the frames' origins in W, d = P_B - P_A, and a, b axes of the two frames in W, a row and its rate are

    point      C = a.d                    C' = a.(P_B' - P_A') + w_A.(a x d)
    angle      C = size a.b               C' = size (w_A.(a x b) + w_B.(b x a))
    distance   C = (d.d - L^2) / (2 L)    C' = (d / L).(P_B' - P_A')

all in m and m/s (Haug 1989, chapter 9).  Angle rows carry the mechanism's size, so that norms and ranks do not depend on
the unit of length.
"""

import numpy as np

from mechstudio.model.joint_types import ANGLE, DISTANCE, JOINT_TYPES, POINT
from mechstudio.model.mechanism import GROUND, Joint, Mechanism

from .attitude import cross, matrices


class JointRows:
    """The rows of every joint of a mechanism, joint by joint in file order, each in the order of its type.

    Poses are (..., n, 7): per moving body in file order the body-frame origin in W [m] and a quaternion.  Twists are
    (..., n, 6): velocity of that origin in W [m/s], angular velocity in body axes [rad/s].  Ground does not move.
    Every frame must lie on a body of the mechanism and every rod must have a positive length: mobility.analyse reports others.

    joint_of_row (rows,): joint index of each row.   kind (rows,): its primitive.   body_a, body_b (joints,): 0 is ground,
    k + 1 the k-th moving body.   size [m]: the factor of the angle rows.
    """

    def __init__(self, mechanism: Mechanism):
        index = {GROUND: 0} | {id: k + 1 for k, id in enumerate(mechanism.bodies)}
        joints = tuple(mechanism.joints.values())
        self.size = mechanism.size()
        self.joints = tuple(mechanism.joints)
        self.body_count = len(mechanism.bodies)
        self.body_a = np.array([index[j.frame_a.body] for j in joints], int)
        self.body_b = np.array([index[j.frame_b.body] for j in joints], int)
        self._frame_a, self._frame_b = (_frames(mechanism, [getattr(j, f) for j in joints]) for f in ("frame_a", "frame_b"))
        p, q = mechanism.ground.placement.pose
        self._ground = np.array((*p, *q), float)
        rows = [(k, *row) for k, j in enumerate(joints) for row in JOINT_TYPES[j.type].rows]
        self.joint_of_row = np.array([r[0] for r in rows], int)
        self.kind = np.array([r[1] for r in rows], object)
        self.axis_a, self.axis_b = (np.array([r[c] for r in rows], int) for c in (2, 3))
        lengths = np.array([rod_length(mechanism, j) if JOINT_TYPES[j.type].parameters else 1.0 for j in joints], float)
        self.length = lengths[self.joint_of_row]
        self._point, self._angle, self._distance = ((self.kind == k) for k in (POINT, ANGLE, DISTANCE))

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return len(self.joint_of_row)

    def bodies(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Origins (..., 1 + n, 3) in W [m] and matrices (..., 1 + n, 3, 3) of ground and all bodies."""
        poses = np.asarray(poses, float)
        ground = np.broadcast_to(self._ground, (*poses.shape[:-2], 1, 7))
        poses = np.concatenate((ground, poses), axis=-2)
        return poses[..., :3], matrices(poses[..., 3:])

    def frames(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """P_A, R_A, P_B, R_B of every joint in W: (..., joints, 3) [m] and (..., joints, 3, 3)."""
        return self._frames_at(*self.bodies(poses))

    def _frames_at(self, origins, R):
        out = []
        for body, (at, turn) in ((self.body_a, self._frame_a), (self.body_b, self._frame_b)):
            Rb = R[..., body, :, :]
            out += [origins[..., body, :] + (Rb @ at[..., None])[..., 0], Rb @ turn]
        return tuple(out)

    def vectors(self, frames):
        """Per row: d [m], a, b in W, each (..., rows, 3)."""
        P_A, R_A, P_B, R_B = frames
        j = self.joint_of_row
        # columns of the frames' matrices are their axes
        return (P_B - P_A)[..., j, :], R_A.swapaxes(-1, -2)[..., j, self.axis_a, :], R_B.swapaxes(-1, -2)[..., j, self.axis_b, :]

    def residuals(self, poses: np.ndarray) -> np.ndarray:
        """C (..., rows) [m] at poses (..., n, 7)."""
        d, a, b = self.vectors(self.frames(poses))
        distance = (_dot(d, d) - self.length ** 2) / (2 * self.length)
        return np.where(self._point, _dot(a, d), np.where(self._angle, self.size * _dot(a, b), distance))

    def blocks(self, poses: np.ndarray) -> np.ndarray:
        """C_q (..., rows, 2, 6): the rates of each row per twist of the body of frame A and of the body of frame B."""
        origins, R = self.bodies(poses)
        frames = self._frames_at(origins, R)
        d, a, b = self.vectors(frames)
        j = self.joint_of_row
        angle, point = self._angle[:, None], self._point[:, None]
        force = np.where(point, a, np.where(angle, 0.0, d / self.length[:, None]))
        arm_a, arm_b = ((frames[k] - origins[..., body, :])[..., j, :] for k, body in ((0, self.body_a), (2, self.body_b)))
        turned = self.size * cross(a, b)
        moment_a = -cross(arm_a, force) + np.where(point, cross(a, d), np.where(angle, turned, 0.0))
        moment_b = cross(arm_b, force) - np.where(angle, turned, 0.0)
        out = np.empty((*d.shape[:-1], 2, 6))
        for side, sign, moment, body in ((0, -1.0, moment_a, self.body_a), (1, 1.0, moment_b, self.body_b)):
            out[..., side, :3] = sign * force
            out[..., side, 3:] = (moment[..., None, :] @ R[..., body[j], :, :])[..., 0, :]
        return out

    def rates(self, poses: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """C' (..., rows) [m/s] at poses (..., n, 7) and twists (..., n, 6)."""
        velocities = np.asarray(velocities, float)
        twists = np.concatenate((np.zeros((*velocities.shape[:-2], 1, 6)), velocities), axis=-2)
        pair = np.stack((twists[..., self.body_a[self.joint_of_row], :], twists[..., self.body_b[self.joint_of_row], :]), axis=-2)
        return np.sum(self.blocks(poses) * pair, axis=(-1, -2))

    def triplets(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, column and value of the entries of C_q at poses (n, 7); those of ground are left out."""
        return self.triplets_of(self.blocks(poses))

    def triplets_of(self, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of given blocks (rows, 2, 6)."""
        j = self.joint_of_row
        body = np.stack((self.body_a[j], self.body_b[j]), axis=1)
        rows = np.broadcast_to(np.arange(self.row_count)[:, None, None], (self.row_count, 2, 6))
        columns = 6 * (body[:, :, None] - 1) + np.arange(6)
        moving = np.broadcast_to((body > 0)[:, :, None], columns.shape)
        return rows[moving], columns[moving], blocks[moving]

    def jacobian(self, poses: np.ndarray) -> np.ndarray:
        """C_q (rows, 6 n), dense, at poses (n, 7): columns per body as in a twist, rows in m per (m, rad)."""
        out = np.zeros((self.row_count, 6 * self.body_count))
        rows, columns, entries = self.triplets(poses)
        np.add.at(out, (rows, columns), entries)
        return out

    def norms(self, poses: np.ndarray) -> np.ndarray:
        """Euclidean norm of each joint's residuals (..., joints) [m], angle rows times size."""
        return self._per_joint(self.residuals(poses) ** 2)

    def gaps(self, poses: np.ndarray) -> np.ndarray:
        """Distance (..., joints) [m] by which each joint's points are apart, in the directions that it prevents."""
        return self._per_joint(np.where(self._angle, 0.0, self.residuals(poses)) ** 2)

    def _per_joint(self, squares):
        out = np.zeros((*squares.shape[:-1], len(self.joints)))
        np.add.at(out.swapaxes(0, -1), self.joint_of_row, squares.swapaxes(0, -1))
        return np.sqrt(out)


def rod_length(mechanism: Mechanism, joint: Joint) -> float:
    """Length [m] that a distance joint holds: its parameter, or the distance as drawn where none was typed."""
    typed = joint.parameters.get("length")
    if typed is not None:
        return typed.value
    (ax, ay, az), (bx, by, bz) = (mechanism.frame_in_world(f)[0] for f in (joint.frame_a, joint.frame_b))
    return float(np.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2))


def _frames(mechanism, frames):
    """Origins (joints, 3) [m] and matrices (joints, 3, 3) of frames in the axes of their bodies."""
    poses = np.array([(*p, *q) for p, q in (mechanism.frame_in_body(f) for f in frames)], float).reshape(-1, 7)
    return poses[:, :3], matrices(poses[:, 3:])


def _dot(u, v):
    return np.sum(u * v, axis=-1)
