"""Joint coordinates read off body poses, vectorised over samples and continuous over them (THEORY 3).

Every type is read through its chain of motions: slides, then a rod if it has one, then one of three groups of turns.
"""

import numpy as np

from mechstudio.model.joint_types import BALL, JOINT_TYPES, ROD, SLIDE, TURN, JointType, Motion, X, Z
from mechstudio.model.mechanism import Mechanism

from .rows import JointRows

FULL_TURN = 2 * np.pi
GIMBAL = 1e-9           # cosine of theta below which psi and phi turn about the same axis


def joint_coordinates(mechanism: Mechanism, poses: np.ndarray, near: np.ndarray | None = None, rows: JointRows | None = None) -> np.ndarray:
    """Coordinates (s, f) of all joints, in the order and units of a sample [m or rad].

    poses: (s, n, 7), consecutive samples.   near: coordinates (f,) that the first sample follows on, such as the last row
    of the block before, or (s, f), one for each sample; angles take the turn next to them.  Without it the typed
    `values` of a joint choose the turn of the first sample, else it lies in (-180, 180] degrees.   rows: the mechanism's, if at hand.
    Between samples an angle must turn by less than half a turn, unless `near` has one row per sample.
    A ball's angles are psi, theta, phi of R_AB = Rz(psi) Ry(theta) Rx(phi), theta in [-90, 90] degrees; where theta is
    +-90 degrees phi stays as it was before.
    """
    poses = np.asarray(poses, float)
    rows = rows or JointRows(mechanism)
    P_A, R_A, P_B, R_B = rows.frames(poses)
    d = (R_A.swapaxes(-1, -2) @ (P_B - P_A)[..., None])[..., 0]
    R = R_A.swapaxes(-1, -2) @ R_B
    out = np.empty((len(poses), sum(JOINT_TYPES[j.type].dof for j in mechanism.joints.values())))
    start = 0
    for k, joint in enumerate(mechanism.joints.values()):
        kind = JOINT_TYPES[joint.type]
        stop = start + kind.dof
        before = _starting_values(joint, kind) if near is None else np.asarray(near, float)[..., start:stop]
        for c, column in enumerate(_read(kind.motions, d[:, k], R[:, k])):
            out[:, start + c] = column
        _make_continuous(out[:, start:stop], kind, before)
        start = stop
    return out


def coordinates_by_joint(mechanism: Mechanism, row: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """One sample's coordinates (f,), split by joint."""
    stops = np.cumsum([JOINT_TYPES[j.type].dof for j in mechanism.joints.values()], dtype=int)
    return tuple(tuple(float(c) for c in row[stop - JOINT_TYPES[j.type].dof:stop]) for j, stop in zip(mechanism.joints.values(), stops, strict=True))


def _starting_values(joint, kind):
    if len(joint.values) == kind.dof:
        return np.array([q.value for q in joint.values], float)
    # an angle drawn at 180 degrees is read as +180 whatever the last bit says
    return np.full(kind.dof, 1e-9)


def _read(motions: tuple[Motion, ...], d: np.ndarray, R: np.ndarray) -> list[np.ndarray]:
    """Principal values of the coordinates: d (s, 3) origin of B in A's axes [m], R (s, 3, 3) axes of B in A's."""
    out = []
    if (ROD, X) in motions:
        # the rod's direction Rz(azimuth) Ry(elevation) e_x = (cos az cos el, sin az cos el, -sin el)
        azimuth, elevation = np.arctan2(d[:, 1], d[:, 0]), np.arctan2(-d[:, 2], np.hypot(d[:, 0], d[:, 1]))
        out += [azimuth, elevation]
        R = (_about_z(azimuth) @ _about_y(elevation)).swapaxes(-1, -2) @ R
        motions = motions[motions.index((ROD, X)) + 1:]
    while motions and motions[0][0] == SLIDE:
        out.append(d[:, motions[0][1]])
        motions = motions[1:]
    return out + _TURNS[motions](R)


def _hinge(R):
    return [np.arctan2(R[:, 1, 0] - R[:, 0, 1], R[:, 0, 0] + R[:, 1, 1])]


def _cardan(R):
    # R = Rz(a) Rx(b): its first column is (cos a, sin a, 0), its last row (0, sin b, cos b)
    return [np.arctan2(R[:, 1, 0], R[:, 0, 0]), np.arctan2(R[:, 2, 1], R[:, 2, 2])]


def _zyx(R):
    cosine = np.hypot(R[:, 0, 0], R[:, 1, 0])
    theta = np.arctan2(-R[:, 2, 0], cosine)
    locked = cosine < GIMBAL
    psi = np.where(locked, np.arctan2(-R[:, 0, 1], R[:, 1, 1]), np.arctan2(R[:, 1, 0], R[:, 0, 0]))
    phi = np.where(locked, np.nan, np.arctan2(R[:, 2, 1], R[:, 2, 2]))
    return [psi, theta, phi]


_TURNS = {(): lambda R: [], ((TURN, Z),): _hinge, ((TURN, Z), (TURN, X)): _cardan, ((BALL, Z),): _zyx}


def _make_continuous(out: np.ndarray, kind: JointType, before: np.ndarray) -> None:
    """Take jumps of a full turn out of the angles among out (s, dof), in place; carry phi, nan in gimbal lock, on there."""
    if (BALL, Z) in kind.motions and np.isnan(out[:, -1]).any():
        _carry_through_lock(out, before)
    angles = [k for k, c in enumerate(kind.coordinates) if c.dimension == "angle"]
    if not angles or not len(out):
        return
    a = out[:, angles]
    if before.ndim == 2:
        out[:, angles] = a + FULL_TURN * np.round((before[:, angles] - a) / FULL_TURN)
        return
    first = a[0] + FULL_TURN * np.round((before[angles] - a[0]) / FULL_TURN)
    out[:, angles] = first + (np.unwrap(a, axis=0) - a[0])


def _carry_through_lock(out, before):
    """In gimbal lock (psi, phi) is only known as psi - phi at theta = 90 deg, psi + phi at -90 deg; phi is the sample's before."""
    for s in np.flatnonzero(np.isnan(out[:, -1])):
        phi = before[s, -1] if before.ndim == 2 else (out[s - 1, -1] if s else before[-1])
        out[s, -1] = phi
        out[s, -3] += np.sign(out[s, -2]) * phi


def _about_z(angle):
    c, s, o, i = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack((np.stack((c, -s, o), -1), np.stack((s, c, o), -1), np.stack((o, o, i), -1)), axis=-2)


def _about_y(angle):
    c, s, o, i = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack((np.stack((c, o, s), -1), np.stack((o, i, o), -1), np.stack((-s, o, c), -1)), axis=-2)
