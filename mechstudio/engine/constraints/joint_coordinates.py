"""Joint coordinates read off body poses, vectorised over samples and continuous over them (THEORY
3).

With p the origin and R the axes of frame B in A's, a joint is read backwards through its chain of
motions, principal values first:

    slides                 p_x, p_y, p_z of the slide's own axis
    rod
        azimuth = atan2(p_y, p_x), elevation = atan2(-p_z, hypot(p_x, p_y)); no azimuth where the
        rod stands along z_A
    pin, screw             atan2(R_10 - R_01, R_00 + R_11); none where z_B is opposite to z_A
    universal     R = Rz(a) Rx(b): a = atan2(R_10, R_00), b = atan2(R_21, R_22); nowhere singular
    ball
        R = Rz(psi) Ry(theta) Rx(phi), theta in [-90, 90] degrees; at theta = +-90 degrees phi stays
        as it was before
    constant velocity
        R = Rx(a/2) Ry(b) Rx(a/2): a = atan2(R_21 - R_12, R_11 + R_22), b = atan2(R_02 cos(a/2) +
        R_01 sin(a/2), R_00);
                           no a where b = 180 degrees, the shafts folded onto each other
    curve
        the way at which it is nearest to p (engine/constraints/curves.py), counted on from round to
        round of a closed one
    flat face
        R = Rz(angle) Ry(turn): angle = atan2(-R_01, R_11); x and z along the axes that the angle
        has turned
    rolling disc
        R = Rz(heading) Rx(lean) Rz(spin): heading = atan2(R_02, -R_12), lean = atan2(hypot(R_02,
        R_12), R_22) in (0, 180)
                           degrees, 90 upright, spin = atan2(R_20, R_21); x, y of the point of
                               contact; no heading where the disc lies flat
"""

import numpy as np

from mechstudio.engine.constraints.attitude import cross, matrices, turns
from mechstudio.engine.constraints.curves import CurveTable
from mechstudio.engine.constraints.ranks import ZERO
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.types.joints import (
    BALL,
    HALF,
    HELIX,
    JOINT_TYPES,
    LIFT,
    QUARTER,
    ROD,
    SLIDE,
    TRACK,
    TURN,
    JointType,
    X,
    Y,
    Z,
)

FULL_TURN = 2 * np.pi
GIMBAL = 1e-9  # cosine of theta below which psi and phi turn about the same axis


def joint_coordinates(
    mechanism: Mechanism,
    poses: np.ndarray,
    near: np.ndarray | None = None,
    rows: JointRows | None = None,
) -> np.ndarray:
    """Coordinates (s, f) of all joints, in the order and units of a sample [m or rad].

    poses: (s, n, 7), consecutive samples.  near: coordinates (f,) that the first sample follows on,
    such as the last row of the block before, or (s, f), one for each sample; angles take the turn
    next to them.  Without it the typed
    `values` of a joint choose the turn of the first sample, else it lies in (-180, 180] degrees.
    rows: the mechanism's, if they exist already.
    Between samples an angle must turn by less than half a turn, unless `near` has one row per
    sample.  Formulas: see the module.
    """
    poses = np.asarray(poses, float)
    rows = rows or JointRows(mechanism)
    frames = rows.frames(poses)
    out = np.empty((len(poses), sum(JOINT_TYPES[j.type].dof for j in mechanism.joints.values())))
    start = 0
    alike: dict[str, list[tuple[int, int, np.ndarray]]] = {}
    for k, joint in enumerate(mechanism.joints.values()):
        kind = JOINT_TYPES[joint.type]
        stop = start + kind.dof
        before = (
            _starting_values(joint, kind, rows.curves.get(k))
            if near is None
            else np.asarray(near, float)[..., start:stop]
        )
        if len(poses) == 1 and not kind.has_track:
            alike.setdefault(joint.type, []).append((k, start, before.ravel()))
        else:
            out[:, start:stop] = coordinates_of(joint, k, rows, frames, before)
        start = stop
    for type, group in alike.items():
        # of one sample all joints of a type are read at once, as if they were samples
        k, places = [g[0] for g in group], np.array([g[1] for g in group])
        kind = JOINT_TYPES[type]
        out[0, places[:, None] + np.arange(kind.dof)] = _coordinates(
            kind,
            None,
            rows.joint_length[k],
            [f[0, k] for f in frames],
            np.array([g[2] for g in group]),
        )
    return out


def coordinates_of(joint: Joint, k: int, rows: JointRows, frames, near: np.ndarray) -> np.ndarray:
    """The coordinates (s, dof) of the k-th joint alone, frames (s, joints, ...) as JointRows.frames
    gives them.  near: (dof,) or (s, dof).
    """
    return _coordinates(
        JOINT_TYPES[joint.type],
        rows.curves.get(k),
        rows.joint_length[k],
        [f[:, k] for f in frames],
        near,
    )


def _coordinates(
    kind: JointType, curve: CurveTable | None, length, frames, near: np.ndarray
) -> np.ndarray:
    """The coordinates (s, dof) at frames (s, ...) of a joint, or of joints of one type.  length:
    one, or (s,).
    """
    P_A, R_A, P_B, R_B = frames
    to_A = R_A.swapaxes(-1, -2)
    out = np.empty((len(P_A), kind.dof))
    for c, column in enumerate(
        _read(kind, (to_A @ (P_B - P_A)[..., None])[..., 0], to_A @ R_B, length, curve, near)
    ):
        out[:, c] = column
    _make_continuous(out, _periods(kind, curve), near)
    return out


def coordinate_wrenches(
    joint: Joint, k: int, rows: JointRows, frames, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Rates of the k-th joint's coordinates per relative velocity at P_B: F (dof, 3) and M (dof,
    3), x' = F.v + M.w, in W.

    frames: of one sample (joints, ...).  values (dof,): the coordinates there.  The pseudo-inverse
    of the joint's motions: exact for velocities that the joint allows; in gimbal lock, where two
    angles turn about the same axis, they share its rate evenly.
    """
    motions = motion_columns(
        JOINT_TYPES[joint.type], values, rows.joint_length[k], rows.curves.get(k)
    )
    R_A = frames[1][k]
    # angular velocity times size, so that turns and slides are weighed alike
    inverse = np.linalg.pinv(np.concatenate((motions[:3] * rows.size, motions[3:])), rcond=ZERO)
    return inverse[:, 3:] @ R_A.T, rows.size * inverse[:, :3] @ R_A.T


def motion_columns(
    kind: JointType, values: np.ndarray, length: float, curve: CurveTable | None
) -> np.ndarray:
    """Twists (6, dof), (w; v of P_B) in A's axes, per rate of each coordinate of a joint: S of
    THEORY 3, from the chain of its motions.
    """
    R, at, half = np.eye(3), np.zeros(3), -1
    w, v, points = np.zeros((kind.dof, 3)), np.zeros((kind.dof, 3)), np.zeros((kind.dof, 3))
    c = 0
    for motion, axis in kind.motions:
        e = R[:, axis].copy()
        if motion == ROD:
            at = at + length * e
        elif motion == QUARTER:
            R = R @ _about(axis, 0.5 * np.pi)
        elif motion == HALF and half >= 0:
            w[half] += 0.5 * e
            R = R @ _about(axis, 0.5 * values[half])
        elif motion == BALL:
            for about in (Z, Y, X):
                w[c], points[c] = R[:, about], at
                R = R @ _about(about, values[c])
                c += 1
        else:
            x = values[c]
            points[c] = at
            if motion == SLIDE:
                v[c], at = e, at + x * e
            elif motion == TRACK:
                assert curve is not None, "a point on a curve has one"
                place, along, _ = curve.at(x)
                v[c], at = along, at + place
            elif motion == LIFT:
                assert curve is not None, "a flat follower has a curve"
                w[c], R = e, R @ _about(axis, x)
                place, along, _ = curve.at(x)
                v[c], at = R @ along, at + R @ place
            elif motion == HALF:
                half, w[c], R = c, 0.5 * e, R @ _about(axis, 0.5 * x)
            else:
                w[c], R = e, R @ _about(axis, x)
                if motion == HELIX:
                    v[c], at = length / FULL_TURN * e, at + length / FULL_TURN * x * e
            c += 1
    return np.concatenate((w, v + cross(w, at - points)), axis=1).T


def _about(axis: int, angle: float) -> np.ndarray:
    turn = np.zeros(3)
    turn[axis] = angle
    return matrices(turns(turn))


def coordinates_by_joint(mechanism: Mechanism, row: np.ndarray) -> tuple[tuple[float, ...], ...]:
    """One sample's coordinates (f,), split by joint."""
    stops = np.cumsum([JOINT_TYPES[j.type].dof for j in mechanism.joints.values()], dtype=int)
    return tuple(
        tuple(float(c) for c in row[stop - JOINT_TYPES[j.type].dof : stop])
        for j, stop in zip(mechanism.joints.values(), stops, strict=True)
    )


def _starting_values(joint, kind, curve):
    if len(joint.values) == kind.dof:
        return np.array([q.value for q in joint.values], float)
    # an angle drawn at 180 degrees is read as +180 whatever the last bit says
    out = np.full(kind.dof, 1e-9)
    if curve is not None and curve.closed and kind.coordinates[0].dimension == "length":
        out[0] = 0.5 * curve.length
    return out


def _read(
    kind: JointType,
    d: np.ndarray,
    R: np.ndarray,
    length: float | np.ndarray,
    curve: CurveTable | None,
    before: np.ndarray,
) -> list[np.ndarray]:
    """Principal values of the coordinates: d (s, 3) origin of B in A's axes [m], R (s, 3, 3) axes
    of B in A's.

    length: rod length, pitch or radius [m].  before: as in _make_continuous; the way along a curve
    is looked for from there.
    """
    motions = kind.motions
    if motions in _WHOLE:
        return _WHOLE[motions](d, R, length)
    out = []
    if (ROD, X) in motions:
        # the rod's direction Rz(azimuth) Ry(elevation) e_x = (cos az cos el, sin az cos el, -sin
        # el)
        azimuth, elevation = (
            np.arctan2(d[:, 1], d[:, 0]),
            np.arctan2(-d[:, 2], np.hypot(d[:, 0], d[:, 1])),
        )
        out += [azimuth, elevation]
        R = (_about_z(azimuth) @ _about_y(elevation)).swapaxes(-1, -2) @ R
        motions = motions[motions.index((ROD, X)) + 1 :]
    while motions and motions[0][0] in (SLIDE, TRACK):
        motion, axis = motions[0]
        if motion == SLIDE:
            out.append(d[:, axis])
        else:
            assert curve is not None, "a track has a curve"
            out.append(_ways(curve, d, before))
        motions = motions[1:]
    return out + _TURNS[motions](R)


def _ways(curve: CurveTable, d: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Arc lengths of points (s, 3) along a curve [m], in [0, length) on a closed curve. On a curve
    that crosses itself, they follow the branch that the motion continues on.
    """
    if before.ndim == 2:
        return curve.nearest(d, before[:, 0])
    s = curve.nearest(d)
    if not len(s):
        return s
    # the sample's own place beside the one before it: at a crossing the nearest point of all may be
    # on the other branch
    first = curve.nearest(d[:1], before[:1])
    near_enough = (
        np.linalg.norm(curve.at(first)[0] - d[:1])
        <= np.linalg.norm(curve.at(s[:1])[0] - d[:1]) + 1e-9 * curve.length
    )
    return np.concatenate((first if near_enough else s[:1], s[1:]))


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


def _halves(d, R, length):
    # R = Rx(a / 2) Ry(b) Rx(a / 2): R21 - R12 and R11 + R22 are (1 + cos b) times sin a and cos a;
    # the first row is (cos b, sin b sin(a / 2), sin b cos(a / 2)).  Folded back altogether, b = 180
    # degrees, a has no meaning
    a = np.arctan2(R[:, 2, 1] - R[:, 1, 2], R[:, 1, 1] + R[:, 2, 2])
    return [a, np.arctan2(R[:, 0, 2] * np.cos(0.5 * a) + R[:, 0, 1] * np.sin(0.5 * a), R[:, 0, 0])]


def _rolling(d, R, length):
    # the centre is at (x, y, 0) + Rz(heading) Rx(lean) radius e_y, the axis z_B = (sin heading sin
    # lean, -cos heading sin lean, cos lean), the last row of R (sin lean sin spin, sin lean cos
    # spin, cos lean).  A disc that lies, lean = 0 or 180 degrees, has no heading
    heading = np.arctan2(R[:, 0, 2], -R[:, 1, 2])
    lean = np.arctan2(np.hypot(R[:, 0, 2], R[:, 1, 2]), R[:, 2, 2])
    reach = length * np.cos(lean)
    return [
        d[:, 0] + reach * np.sin(heading),
        d[:, 1] - reach * np.cos(heading),
        heading,
        lean,
        np.arctan2(R[:, 2, 0], R[:, 2, 1]),
    ]


def _wheel(d, R, length):
    x, y, heading, _, spin = _rolling(d, R, 0.0)
    return [x, y, heading, spin]


def _flat_face(d, R, length):
    # R = Rz(angle) Ry(turn): its second column is (-sin angle, cos angle, 0)
    angle = np.arctan2(-R[:, 0, 1], R[:, 1, 1])
    cosine, sine = np.cos(angle), np.sin(angle)
    x_turned = [cosine * R[:, 0, k] + sine * R[:, 1, k] for k in (X, Z)]
    return [
        angle,
        cosine * d[:, 0] + sine * d[:, 1],
        d[:, 2],
        np.arctan2(x_turned[1], x_turned[0]),
    ]


_ON_FLOOR = ((SLIDE, X), (SLIDE, Y), (TURN, Z))
_WHOLE = {
    ((HALF, X), (TURN, Y), (HALF, X)): _halves,
    (*_ON_FLOOR, (TURN, X), (ROD, Y), (TURN, Z)): _rolling,
    (*_ON_FLOOR, (QUARTER, X), (ROD, Y), (TURN, Z)): _wheel,
    ((LIFT, Z), (SLIDE, X), (SLIDE, Z), (TURN, Y)): _flat_face,
}
_TURNS = {
    (): lambda R: [],
    ((TURN, Z),): _hinge,
    ((HELIX, Z),): _hinge,
    ((TURN, Z), (TURN, X)): _cardan,
    ((BALL, Z),): _zyx,
}


def _periods(kind: JointType, curve: CurveTable | None) -> np.ndarray:
    """Ambiguity of each coordinate: a full turn of an angle, the length of a closed curve; 0 for
    what is known altogether.
    """
    # a constant-velocity joint's tilts end where it is folded: a whole turn of one of them would be
    # another pose
    out = np.array(
        [
            FULL_TURN * (c.dimension == "angle" and (HALF, X) not in kind.motions)
            for c in kind.coordinates
        ]
    )
    if curve is not None and curve.closed:
        out[0] = curve.length
    return out


def _make_continuous(out: np.ndarray, periods: np.ndarray, before: np.ndarray) -> None:
    """Take jumps of a full period out of coordinates out (s, dof), in place; carry phi, nan in
    gimbal lock, on there.
    """
    if out.shape[1] >= 3 and np.isnan(out[:, -1]).any():
        _carry_through_lock(out, before)
    around = np.flatnonzero(periods)
    if not len(around) or not len(out):
        return
    a, period = out[:, around], periods[around]
    if before.ndim == 2:
        out[:, around] = a + period * np.round((before[:, around] - a) / period)
        return
    first = a[0] + period * np.round((before[around] - a[0]) / period)
    if len(out) == 1:
        out[0, around] = first
        return
    # in periods, so that angles and ways round a curve are treated alike
    out[:, around] = first + (np.unwrap(a / period, axis=0, period=1.0) - a[0] / period) * period


def _carry_through_lock(out, before):
    """In gimbal lock (psi, phi) is only known as psi - phi at theta = 90 deg, psi + phi at -90 deg;
    phi is the sample's before.
    """
    for s in np.flatnonzero(np.isnan(out[:, -1])):
        phi = before[s, -1] if before.ndim == 2 else (out[s - 1, -1] if s else before[-1])
        out[s, -1] = phi
        out[s, -3] += np.sign(out[s, -2]) * phi


def _about_z(angle):
    c, s, o, i = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack(
        (np.stack((c, -s, o), -1), np.stack((s, c, o), -1), np.stack((o, o, i), -1)), axis=-2
    )


def _about_y(angle):
    c, s, o, i = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack(
        (np.stack((c, o, s), -1), np.stack((o, i, o), -1), np.stack((-s, o, c), -1)), axis=-2
    )
