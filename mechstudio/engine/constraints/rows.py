"""Constraint rows of all joints over absolute body poses (THEORY 3), vectorised over samples.

The one reader of the rows in absolute coordinates: assembly, mobility, constraint norms and checks
use it.  With
P_A, P_B the frames' origins in W, d = P_B - P_A, a, b the row's axes of the two frames in W, v the
velocity of P_B as B has it less that as A has it and w = w_B - w_A, a row and its rate F.v + M.w
are

    point      C = a.d                              F = a
    angle      C = size a.b                         M = size b x a
    distance   C = (d.d - L^2) / (2 L)              F = d / L
    twist      C = size (x_A.y_B - y_A.x_B)         M = size (y_A x x_B - x_A x y_B)
    thread     C = a.d - (pitch / 2 pi) angle - c
        F = a, M = -(pitch / 2 pi) d angle / dw, about z_A where the axes are parallel
    curve     C = n.(p - c(s))     F = n, and on the curve's two sides what turns its normals
    face     C = b.d - lift(angle)
        F = b, M = b x d - lift' d angle / dw, the angle that of b about z_A, from y_A on
    rim     C = a.d - radius sin,  sin = sqrt(1 - (a.b)^2)     F = a, M = radius (a.b) / sin (b x a)

all in m and m/s (Haug 1989, chapter 9; p is d in A's axes, s where the curve is nearest to it:
engine/constraints/curves.py).  Angle and twist rows carry the mechanism's size, so that norms and
ranks do not depend on the unit of length.

A thread's constant c is its value at the drawn poses, with or without typed values: a screw
continues from where it was drawn, as drives and couplings do; typed values choose the turn that is
shown.  Poses determine its angle but for whole turns: without `near` the turn is taken at which |C|
is least, so that a nut 1000 turns away has the right residual.

Rolling rows prevent velocities only, and have no C.  With u the way from the disc's centre to its
rim's lowest point,

    roll       F = a, M = radius u x a              edge       F = b
"""

import functools
from typing import NamedTuple

import numpy as np

from mechstudio.engine.constraints.attitude import cross, drawn_poses, matrices
from mechstudio.engine.constraints.curves import CurveTable
from mechstudio.engine.constraints.primitives import (
    PRIMITIVES,
    TURNING,
    PrimitiveData,
    axes,
    dot,
    hinge_angle,
    lowest,
)
from mechstudio.engine.constraints.tracks import track_table
from mechstudio.engine.kernels.rows.joint_rows import (
    PLAIN_ANGLE,
    PLAIN_DISTANCE,
    PLAIN_POINT,
    place_rows,
    row_slopes,
)
from mechstudio.model.joints.coordinate_readings import thread_constant
from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.types.joints import (
    ANGLE,
    DISTANCE,
    EDGE,
    JOINT_TYPES,
    POINT,
    THREAD,
    TWIST,
    Z,
)

_PLAIN = {POINT: PLAIN_POINT, ANGLE: PLAIN_ANGLE, DISTANCE: PLAIN_DISTANCE}


class PlacedRows(NamedTuple):
    """Rows at poses, the basis of all computations at these poses.

    origins, R: as `JointRows.bodies` gives them.  frames: of the joints, as `JointRows.frames`.
    C, force, moment: of the rows, as `JointRows.evaluate`.
    """

    origins: np.ndarray
    R: np.ndarray
    frames: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
    C: np.ndarray
    force: np.ndarray
    moment: np.ndarray


class JointRows:
    """The rows of every joint of a mechanism, joint by joint in file order, each in the order of
    its type.

    Poses are (..., n, 7): per moving body in file order the body-frame origin in W [m] and a
    quaternion.  Twists are (..., n, 6): velocity of that origin in W [m/s], angular velocity in
    body axes [rad/s].  Ground does not move.
    Every frame must lie on a body of the mechanism and every joint have its lengths and its curve:
    mobility.analyse reports others.
    `near` (..., joints) stands for the joints' first coordinates: the turn of a screw, counted from
    its drawn angle in (-180, 180] degrees whatever values were typed, and the part of a curve that
    is meant.

    joint_of_row (rows,): joint index of each row.  kind (rows,): its primitive.  body_a, body_b
    (joints,): 0 is ground, k + 1 the k-th moving body.  size [m]: the factor of the angle rows.
    length (rows,): rod length, pitch or radius [m]. rolling_joint (rolling rows,): joint index of
    each rolling row.  curves: by joint index.
    """

    def __init__(self, mechanism: Mechanism):
        index = {GROUND: 0} | {id: k + 1 for k, id in enumerate(mechanism.bodies)}
        joints = tuple(mechanism.joints.values())
        self.size = mechanism.size()
        self.joints = tuple(mechanism.joints)
        self.body_count = len(mechanism.bodies)
        self.body_a = np.array([index[j.frame_a.body] for j in joints], int)
        self.body_b = np.array([index[j.frame_b.body] for j in joints], int)
        self._frame_a, self._frame_b = (
            _frames(mechanism, [getattr(j, f) for j in joints]) for f in ("frame_a", "frame_b")
        )
        p, q = mechanism.ground.placement.pose
        self._ground = np.array((*p, *q), float)
        self.joint_length = np.array([joint_length(mechanism, j) for j in joints], float)
        self.curves: dict[int, CurveTable] = {
            k: table for k, j in enumerate(joints) if (table := track_table(j)) is not None
        }
        rows = [(k, *row) for k, j in enumerate(joints) for row in JOINT_TYPES[j.type].rows]
        self.joint_of_row, self.kind, self.axis_a, self.axis_b, self._of = _columns(rows)
        self.length = self.joint_length[self.joint_of_row]
        self._tilt = (self.kind == ANGLE) | (self.kind == TWIST)
        rolling = [(k, *row) for k, j in enumerate(joints) for row in JOINT_TYPES[j.type].rolling]
        (
            self.rolling_joint,
            self._rolling_kind,
            self._rolling_a,
            self._rolling_b,
            self._rolling_of,
        ) = _columns(rolling)
        self.thread_constant = np.zeros(len(rows))
        if THREAD in self._of:
            frames = self.frames(drawn_poses(mechanism))
            threads = self._of[THREAD]
            j = self.joint_of_row[threads]
            P_A, R_A, P_B, R_B = (f[j] for f in frames)
            slides, angles = dot(R_A[..., Z], P_B - P_A), hinge_angle(R_A, R_B)
            self.thread_constant[threads] = [
                thread_constant(joints[k], *pair) for k, *pair in zip(j, slides, angles)
            ]
        self._given = {
            kind: PrimitiveData(
                self.size,
                self.length[r],
                self.thread_constant[r],
                self.axis_a[r],
                self.axis_b[r],
                [self.curves.get(int(j)) for j in self.joint_of_row[r]],
            )
            for kind, r in self._of.items()
        }

    @property
    def row_count(self) -> int:
        """Number of rows."""
        return len(self.joint_of_row)

    @property
    def rolling_count(self) -> int:
        """Number of rolling rows."""
        return len(self.rolling_joint)

    def bodies(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Origins (..., 1 + n, 3) in W [m] and matrices (..., 1 + n, 3, 3) of ground and all
        bodies.
        """
        poses = np.asarray(poses, float)
        ground = np.broadcast_to(self._ground, (*poses.shape[:-2], 1, 7))
        poses = np.concatenate((ground, poses), axis=-2)
        return poses[..., :3], matrices(poses[..., 3:])

    def frames(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """P_A, R_A, P_B, R_B of every joint in W: (..., joints, 3) [m] and (..., joints, 3, 3)."""
        return self.frames_at(*self.bodies(poses))

    def frames_at(self, origins, R):
        """The same at given origins and matrices of the bodies."""
        out = []
        for body, (at, turn) in ((self.body_a, self._frame_a), (self.body_b, self._frame_b)):
            Rb = R[..., body, :, :]
            out += [origins[..., body, :] + (Rb @ at[..., None])[..., 0], Rb @ turn]
        return tuple(out)

    def placed(self, poses: np.ndarray, near: np.ndarray | None = None) -> PlacedRows:
        """The rows at poses (..., n, 7)."""
        origins, R = self.bodies(poses)
        frames = self.frames_at(origins, R)
        return PlacedRows(origins, R, frames, *self.evaluate(frames, near))

    @functools.cached_property
    def is_plain(self) -> bool:
        """True if all rows are of the primitives that a kernel knows."""
        return bool(self.row_count) and self._of.keys() <= _PLAIN.keys()

    @functools.cached_property
    def _for_kernel(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Bodies on the sides of the joints, their frames in these bodies, and the rows, as
        kernels/rows/joint_rows.py has them.
        """
        at, turn = (np.stack(part) for part in zip(self._frame_a, self._frame_b, strict=True))
        kinds = np.array([_PLAIN[kind] for kind in self.kind], int)
        rows = np.stack((self.joint_of_row, kinds, self.axis_a, self.axis_b), axis=1)
        sides = np.stack((self.body_a, self.body_b), axis=1)
        return np.ascontiguousarray(sides), at, turn, np.ascontiguousarray(rows)

    def placed_by_kernel(self, poses: np.ndarray) -> PlacedRows:
        """Plain rows at poses (n, 7), as `placed` to rounding: numpy's calls cost far more than the
        arithmetic of a few joints.
        """
        poses = np.ascontiguousarray(poses, float)
        sides, at, turn, rows = self._for_kernel
        bodies, joints = 1 + len(poses), len(sides)
        origins, R = np.empty((bodies, 3)), np.empty((bodies, 3, 3))
        P, axes = np.empty((2, joints, 3)), np.empty((2, joints, 3, 3))
        C, force, moment = (
            np.empty(len(rows)),
            np.empty((len(rows), 3)),
            np.empty((len(rows), 3)),
        )
        place_rows(
            poses,
            self._ground,
            sides,
            at,
            turn,
            rows,
            self.length,
            self.size,
            origins,
            R,
            P,
            axes,
            C,
            force,
            moment,
        )
        return PlacedRows(origins, R, (P[0], axes[0], P[1], axes[1]), C, force, moment)

    def add_slopes(
        self, at: PlacedRows, centres: np.ndarray, scale: np.ndarray, J: np.ndarray
    ) -> None:
        """Add the rates of plain rows at poses to the first rows of J (rows or more, 6 n), zeros.

        centres (1 + n, 3) [m]: points of ground and bodies, in body axes, whose motions the columns
        are.  scale (6 n,): factor of each column.
        """
        sides, _, _, rows = self._for_kernel
        row_slopes(
            at.origins, at.R, at.frames[2], at.force, at.moment, sides, rows, centres, scale, J
        )

    def evaluate(
        self, frames, near: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """C (..., rows) [m] and its rate per relative velocity at P_B: F (..., rows, 3) and M (...,
        rows, 3) [m], in W, at the joints' frames.
        """
        shape = (*frames[0].shape[:-2], self.row_count)
        C, force, moment = np.zeros(shape), np.zeros((*shape, 3)), np.zeros((*shape, 3))
        for kind, r in self._of.items():
            j = self.joint_of_row[r]
            meant = None if near is None else np.asarray(near, float)[..., j]
            # all of the matrices is more than most primitives look at
            R_A, R_B = (f[..., j, :, :] if kind in TURNING else None for f in frames[1::2])
            C[..., r], force[..., r, :], moment[..., r, :] = PRIMITIVES[kind](
                frames[2][..., j, :] - frames[0][..., j, :],
                R_A,
                R_B,
                axes(frames[1], j, self.axis_a[r]),
                axes(frames[3], j, self.axis_b[r]),
                self._given[kind],
                meant,
            )
        return C, force, moment

    def rolling_wrenches(self, frames) -> tuple[np.ndarray, np.ndarray]:
        """The same of the rolling rows, which have no C: F and M (..., rolling rows, 3)."""
        shape = (*frames[0].shape[:-2], self.rolling_count, 3)
        force, moment = np.zeros(shape), np.zeros(shape)
        for kind, r in self._rolling_of.items():
            j = self.rolling_joint[r]
            R_A = frames[1][..., j, :, :]
            a, b = axes(frames[1], j, self._rolling_a[r]), axes(frames[3], j, self._rolling_b[r])
            if kind == EDGE:
                force[..., r, :] = b
            else:
                force[..., r, :] = a
                moment[..., r, :] = self.joint_length[j][:, None] * cross(lowest(R_A[..., Z], b), a)
        return force, moment

    def residuals(self, poses: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """C (..., rows) [m] at poses (..., n, 7)."""
        return self.evaluate(self.frames(poses), near)[0]

    def blocks(self, poses: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """C_q (..., rows, 2, 6): the rates of each row per twist of the body of frame A and of the
        body of frame B.
        """
        return self.blocks_of(self.placed(poses, near))

    def blocks_of(self, at: PlacedRows) -> np.ndarray:
        """The same of rows at poses."""
        return self.per_body(at.origins, at.R, at.frames[2], self.joint_of_row, at.force, at.moment)

    def rolling_blocks(self, poses: np.ndarray) -> np.ndarray:
        """The same of the rolling rows (..., rolling rows, 2, 6) [m/s per m/s and rad/s]."""
        origins, R = self.bodies(poses)
        frames = self.frames_at(origins, R)
        return self.per_body(
            origins, R, frames[2], self.rolling_joint, *self.rolling_wrenches(frames)
        )

    def per_body(self, origins, R, P_B, j, force, moment) -> np.ndarray:
        """Blocks (..., rows, 2, 6) of rows of the joints j (rows,) from their rates F, M per
        relative velocity at P_B; origins and R as `bodies` gives them.
        """
        out = np.empty((*force.shape[:-1], 2, 6))
        for side, sign, body in ((0, -1.0, self.body_a[j]), (1, 1.0, self.body_b[j])):
            rotated = sign * (cross(P_B[..., j, :] - origins[..., body, :], force) + moment)
            out[..., side, :3] = sign * force
            out[..., side, 3:] = (rotated[..., None, :] @ R[..., body, :, :])[..., 0, :]
        return out

    def rates(self, poses: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """C' (..., rows) [m/s] at poses (..., n, 7) and twists (..., n, 6)."""
        return self.values_and_rates(*self.bodies(poses), velocities)[1]

    def values_and_rates(
        self, origins: np.ndarray, R: np.ndarray, velocities: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """C and C' (..., rows) at once: F.v + M.w from the joints' relative velocities, without the
        rates per body.  origins and R as `bodies` gives them.
        """
        frames = self.frames_at(origins, R)
        C, force, moment = self.evaluate(frames)
        velocities = np.asarray(velocities, float)
        still = np.zeros((*velocities.shape[:-2], 1, 3))
        v, w = (
            np.concatenate((still, velocities[..., :3]), axis=-2),
            np.concatenate(
                (still, (R[..., 1:, :, :] @ velocities[..., 3:, None])[..., 0]), axis=-2
            ),
        )
        (va, wa), (vb, wb) = (
            (
                v[..., body, :] + cross(w[..., body, :], frames[2] - origins[..., body, :]),
                w[..., body, :],
            )
            for body in (self.body_a, self.body_b)
        )
        j = self.joint_of_row
        return C, dot(force, (vb - va)[..., j, :]) + dot(moment, (wb - wa)[..., j, :])

    def rolling_rates(self, poses: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """Velocities (..., rolling rows) [m/s] that rolling prevents, at poses (..., n, 7) and
        twists (..., n, 6).
        """
        velocities, j = np.asarray(velocities, float), self.rolling_joint
        twists = np.concatenate((np.zeros((*velocities.shape[:-2], 1, 6)), velocities), axis=-2)
        pair = np.stack((twists[..., self.body_a[j], :], twists[..., self.body_b[j], :]), axis=-2)
        return np.sum(self.rolling_blocks(poses) * pair, axis=(-1, -2))

    def triplets(self, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row, column and value of the entries of C_q at poses (n, 7); those of ground are left
        out.
        """
        return self.triplets_of(self.blocks(poses), self.joint_of_row)

    def triplets_of(
        self, blocks: np.ndarray, joints: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same of given blocks (rows, 2, 6), each of the joint of that index."""
        rows, columns, moving = (
            self._places if joints is self.joint_of_row else self._places_of(joints)
        )
        return rows, columns, blocks[moving]

    @functools.cached_property
    def _places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._places_of(self.joint_of_row)

    def _places_of(self, joints: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row and column of the entries of blocks of rows of the joints, and which entries of the
        blocks (rows, 2, 6) they are.
        """
        body = np.stack((self.body_a[joints], self.body_b[joints]), axis=1)
        rows = np.broadcast_to(np.arange(len(joints))[:, None, None], (len(joints), 2, 6))
        columns = 6 * (body[:, :, None] - 1) + np.arange(6)
        moving = np.broadcast_to((body > 0)[:, :, None], columns.shape)
        return rows[moving], columns[moving], moving

    def jacobian(self, poses: np.ndarray, near: np.ndarray | None = None) -> np.ndarray:
        """C_q (rows, 6 n), dense, at poses (n, 7): columns per body as in a twist, rows in m per
        (m, rad).
        """
        return self.dense(self.blocks(poses, near), self.joint_of_row)

    def rolling_jacobian(self, poses: np.ndarray) -> np.ndarray:
        """The rolling rows (rolling rows, 6 n), dense, at poses (n, 7)."""
        return self.dense(self.rolling_blocks(poses), self.rolling_joint)

    def dense(self, blocks: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """Blocks (rows, 2, 6), each of the joint of that index, as a matrix (rows, 6 n)."""
        out = np.zeros((len(joints), 6 * self.body_count))
        rows, columns, entries = self.triplets_of(blocks, joints)
        np.add.at(out, (rows, columns), entries)
        return out

    def norms_of(self, C: np.ndarray) -> np.ndarray:
        """Euclidean norm of each joint's residuals (..., joints) [m], angle rows times size, from
        the residuals C.
        """
        return self._per_joint(C**2)

    def gaps(self, poses: np.ndarray) -> np.ndarray:
        """Distance (..., joints) [m] by which each joint's points are apart, in the directions that
        it prevents.
        """
        return self.gaps_of(self.residuals(poses))

    def gaps_of(self, C: np.ndarray) -> np.ndarray:
        """The same from the residuals (..., rows)."""
        return self._per_joint(np.where(self._tilt, 0.0, C) ** 2)

    def _per_joint(self, squares):
        out = np.zeros((*squares.shape[:-1], len(self.joints)))
        if self.row_count:
            # a joint's rows lie side by side
            joints, first = np.unique(self.joint_of_row, return_index=True)
            out[..., joints] = np.add.reduceat(squares, first, axis=-1)
        return np.sqrt(out)


def joint_length(mechanism: Mechanism, joint: Joint) -> float:
    """The length [m] that a joint's type needs: rod length, pitch or radius; 1 where it needs none.
    Raises KeyError where it is missing.
    """
    names = [p.name for p in JOINT_TYPES[joint.type].parameters]
    return (
        1.0
        if not names
        else rod_length(mechanism, joint)
        if names[0] == "length"
        else joint.parameters[names[0]].value
    )


def rod_length(mechanism: Mechanism, joint: Joint) -> float:
    """Length [m] that a distance joint holds: its parameter, or the distance as drawn where none
    was typed.
    """
    typed = joint.parameters.get("length")
    if typed is not None:
        return typed.value
    (ax, ay, az), (bx, by, bz) = (
        mechanism.frame_in_world(f)[0] for f in (joint.frame_a, joint.frame_b)
    )
    return float(np.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2))


def _columns(
    rows: list[tuple[int, str, int, int]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Joint, primitive, axis of A and of B of rows, and the rows of each primitive."""
    kind = np.array([r[1] for r in rows], object)
    joint, a, b = (np.array([r[c] for r in rows], int) for c in (0, 2, 3))
    return joint, kind, a, b, {k: np.flatnonzero(kind == k) for k in dict.fromkeys(kind)}


def _frames(mechanism, frames):
    """Origins (joints, 3) [m] and matrices (joints, 3, 3) of frames in the axes of their bodies."""
    poses = np.array(
        [(*p, *q) for p, q in (mechanism.frame_in_body(f) for f in frames)], float
    ).reshape(-1, 7)
    return poses[:, :3], matrices(poses[:, 3:])
