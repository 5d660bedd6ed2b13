"""Every row of JOINT_TYPES against its formula written again in SymPy, from THEORY 3 and Haug 1989
(chapter 9), at random poses.

The rows' residuals are evaluated there with 30 digits from the quaternions' own matrices (THEORY
1), so that the two share neither code nor arithmetic.  Rolling rows are held against the velocity
of the rim's lowest point, found by looking for it.
"""

import math

import msgspec
import numpy as np
import pytest
import sympy as sp

from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.engine.constraints.lifts import lift_table
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import (
    ANGLE,
    CURVE,
    DISTANCE,
    EDGE,
    FACE,
    JOINT_TYPES,
    POINT,
    RIM,
    ROLL,
    THREAD,
    TWIST,
)
from tests.engine.constraints import test_rows
from tests.engine.constraints.test_rows import LENGTHS, disturbed, skewed

DIGITS = 30
HELD = {kind for joint in JOINT_TYPES.values() for kind, _, _ in joint.rows}


def exact(numbers):
    return [sp.Float(float(x), DIGITS) for x in numbers]


def rotation(quaternion):
    """THEORY 1: R(e) of a quaternion, which need not be of length 1."""
    e = sp.Matrix(exact(quaternion))
    e0, e1, e2, e3 = e / sp.sqrt(e.dot(e))
    return sp.Matrix(
        [
            [1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)],
        ]
    )


def frame(mechanism, poses, frame):
    """Origin and matrix in W of a joint's frame, exactly."""
    at, q = mechanism.frame_in_body(frame)
    pose = poses[list(mechanism.bodies).index(frame.body)]
    R = rotation(pose[3:])
    return sp.Matrix(exact(pose[:3])) + R * sp.Matrix(exact(at)), R * rotation(q)


def rotated(A, B):
    """Angle about z that is left of the turn from A to B when the shortest turn of z_A onto z_B is
    taken out: 2 atan2(e3, e0).
    """
    R = A.T * B
    e0 = sp.sqrt(1 + R.trace()) / 2
    e3 = (R[1, 0] - R[0, 1]) / (4 * e0)
    return 2 * sp.atan2(e3, e0)


def residual(row, mechanism, size, poses):
    """C of one row [m]."""
    kind, i, k = row
    joint = mechanism.joints["joint"]
    (p, A), (q, B) = frame(mechanism, poses, joint.frame_a), frame(mechanism, poses, joint.frame_b)
    d, a, b = q - p, A[:, i], B[:, k]
    size = sp.Float(size, DIGITS)
    length = {name: sp.Float(v, DIGITS) for name, v in LENGTHS.items()}
    if kind == POINT:
        return a.dot(d)
    if kind == ANGLE:
        return size * a.dot(b)
    if kind == DISTANCE:
        return (d.dot(d) - length["length"] ** 2) / (2 * length["length"])
    if kind == TWIST:
        return size * (A[:, 0].dot(B[:, 1]) - A[:, 1].dot(B[:, 0]))
    if kind == RIM:
        # the disc's lowest point is r sin(angle between axis and normal) below its centre
        return a.dot(d) - length["radius"] * a.cross(b).norm()
    if kind == FACE:
        angle = math.atan2(-float(b.dot(A[:, 0])), float(b.dot(A[:, 1])))
        return b.dot(d) - sp.Float(float(lift_table(joint.curve).at(angle)[0][1]), DIGITS)
    if kind == THREAD:
        drawn = drawn_poses(mechanism)
        (p0, A0), (q0, B0) = (
            frame(mechanism, drawn, joint.frame_a),
            frame(mechanism, drawn, joint.frame_b),
        )
        pitch = length["pitch"]
        C = (
            a.dot(d)
            - A0[:, i].dot(q0 - p0)
            - pitch / (2 * sp.pi) * (rotated(A, B) - rotated(A0, B0))
        )
        return C - pitch * round(float((C / pitch).evalf()))
    raise AssertionError(f"{kind} has no formula here")


@pytest.mark.parametrize("type", sorted(JOINT_TYPES))
@pytest.mark.parametrize("seed", range(2))
def test_rows_are_their_formulas(type, seed):
    mechanism = skewed(type)
    rows, poses = JointRows(mechanism), disturbed(mechanism, seed)
    numbers = rows.residuals(poses)
    for row, C in zip(JOINT_TYPES[type].rows, numbers, strict=True):
        if row[0] != CURVE:
            assert abs(float(residual(row, mechanism, rows.size, poses).evalf(DIGITS)) - C) < 1e-14


def test_every_primitive_has_a_formula():
    assert {POINT, ANGLE, DISTANCE, TWIST, THREAD, RIM, CURVE, FACE} == HELD


def test_a_wrong_formula_would_be_noticed():
    mechanism = skewed("revolute")
    rows, poses = JointRows(mechanism), disturbed(mechanism)
    C = rows.residuals(poses)
    assert abs(float(residual((ANGLE, 1, 0), mechanism, rows.size, poses).evalf()) - C[3]) > 1e-3
    assert (
        abs(float(residual((POINT, 0, 0), mechanism, rows.size, poses[::-1]).evalf()) - C[0]) > 1e-3
    )


@pytest.mark.parametrize("seed", range(3))
def test_curve_rows_are_the_distance_from_the_spline(seed):
    # the spline's own cubic pieces; the nearest point of each by its stationarity, in SymPy
    from scipy.interpolate import CubicSpline

    mechanism = skewed("point_on_curve")
    joint = mechanism.joints["joint"]
    rows, poses = JointRows(mechanism), disturbed(mechanism, seed)
    (p, A), (q, _) = frame(mechanism, poses, joint.frame_a), frame(mechanism, poses, joint.frame_b)
    point = A.T * (q - p)
    knots = np.array([values(v) for v in joint.curve.points])
    chords = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(knots, axis=0), axis=1))))
    spline = CubicSpline(chords, knots, bc_type="natural")
    found = []
    t = sp.Symbol("t")
    for k in range(len(chords) - 1):
        c = sp.Matrix(
            [
                sum(sp.Float(spline.c[m, k, x], DIGITS) * t ** (3 - m) for m in range(4))
                for x in range(3)
            ]
        )
        way = c - point
        for root in sp.Poly(sp.expand(way.dot(c.diff(t))), t).nroots(n=20):
            if abs(sp.im(root)) < 1e-12 and -1e-9 < sp.re(root) < chords[k + 1] - chords[k] + 1e-9:
                found.append(float(way.subs(t, sp.re(root)).norm()))
    beyond = rows.curves[0].nearest(np.array(point, float).ravel())
    assert 0 < beyond < rows.curves[0].length, "the test means points beside the curve"
    assert abs(np.linalg.norm(rows.residuals(poses)) - min(found)) < 1e-8


def relative_velocity(rows, poses, twists, at):
    """Velocity in W of the material point of body two at a place, over that of body one (THEORY 1:
    v_P = v_S + w x r).
    """
    v = []
    for k in range(2):
        R = np.array(rotation(poses[k, 3:]), float)
        v.append(twists[k, :3] + np.cross(R @ twists[k, 3:], at - poses[k, :3]))
    return v[1] - v[0]


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.rolling])
def test_rolling_rows_are_the_velocity_of_the_point_that_touches(type):
    kind = JOINT_TYPES[type]
    mechanism = skewed(type)
    rows, poses = JointRows(mechanism), disturbed(mechanism)
    twists = np.random.default_rng(4).standard_normal((2, 6))
    P_A, R_A, P_B, R_B = (f[0] for f in rows.frames(poses))
    numbers = rows.rolling_rates(poses, twists)
    assert np.allclose(numbers, rows.rolling_jacobian(poses) @ twists.ravel())
    for row, number in zip(kind.rolling, numbers, strict=True):
        if row[0] == EDGE:
            v, direction = relative_velocity(rows, poses, twists, P_B), R_B[:, row[2]]
        else:
            assert row[0] == ROLL
            angle = np.linspace(0, 2 * np.pi, 200001)
            rim = P_B + LENGTHS["radius"] * (
                np.outer(np.cos(angle), R_B[:, 0]) + np.outer(np.sin(angle), R_B[:, 1])
            )
            lowest = rim[np.argmin((rim - P_A) @ R_A[:, 2])]
            v, direction = relative_velocity(rows, poses, twists, lowest), R_A[:, row[1]]
        # the rim was sampled every 3e-5 rad
        assert abs(v @ direction - number) < 1e-4


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.rolling])
def test_rolling_leaves_the_freedoms_that_are_known(type):
    # THEORY 3: freedom of positions and of velocities: leaning disc 5/3, upright disc 4/2, sleigh
    # 3/2
    mechanism = skewed(type)
    rows, poses = JointRows(mechanism), drawn_poses(mechanism)
    J = np.concatenate((rows.jacobian(poses), rows.rolling_jacobian(poses)))[:, 6:]
    known = {"rolling_disc": (5, 3), "rolling_wheel": (4, 2), "knife_edge": (3, 2)}
    assert (
        6 - np.linalg.matrix_rank(J[: rows.row_count], tol=1e-9),
        6 - np.linalg.matrix_rank(J, tol=1e-9),
    ) == known[type]


def test_a_disc_rolls_by_its_radius():
    # upright on the floor, its heading along x of A: as far as it turns times its radius, against
    # the sense of its spin about z_B
    mechanism = skewed("rolling_wheel", (0.0, 0.0, 0.0, 0.0))
    rows, poses = JointRows(mechanism), drawn_poses(mechanism)
    _, R_A, _, R_B = (f[0] for f in rows.frames(poses))
    R = np.array(rotation(poses[1, 3:]), float)
    at = np.array(mechanism.frame_in_world(mechanism.joints["joint"].frame_b)[0])
    w = 2.0 * R_B[:, 2]
    for speed, slips in ((-LENGTHS["radius"] * 2.0, False), (LENGTHS["radius"] * 2.0, True)):
        # of the centre; the body's own origin is elsewhere
        v = speed * R_A[:, 0] + np.cross(w, poses[1, :3] - at)
        numbers = rows.rolling_rates(poses, np.array([[0.0] * 6, [*v, *(R.T @ w)]]))
        assert (np.abs(numbers).max() > 1e-9) == slips


def test_a_planted_fault_in_a_row_is_seen(monkeypatch):
    from mechstudio.engine.constraints import rows as module

    right = dict(module.PRIMITIVES)
    for kind, type in (
        (POINT, "spherical"),
        (TWIST, "constant_velocity"),
        (THREAD, "screw"),
        (RIM, "rolling_disc"),
        (DISTANCE, "distance"),
    ):

        def wrong(*given, kind=kind):
            C, force, moment = right[kind](*given)
            return C * (1 + 1e-6), force, moment

        monkeypatch.setitem(module.PRIMITIVES, kind, wrong)
        with pytest.raises(AssertionError):
            test_rows_are_their_formulas(type, 0)
        monkeypatch.setitem(module.PRIMITIVES, kind, right[kind])
    # and one in the derivatives, by the differences
    for kind, type in (
        (CURVE, "point_on_curve"),
        (FACE, "flat_follower"),
        (RIM, "rolling_disc"),
        (THREAD, "screw"),
        (TWIST, "constant_velocity"),
    ):

        def bent(*given, kind=kind):
            C, force, moment = right[kind](*given)
            return C, force * (1 + 1e-5), moment * (1 + 1e-5)

        monkeypatch.setitem(module.PRIMITIVES, kind, bent)
        with pytest.raises(AssertionError):
            test_rows.test_jacobian_is_the_derivative_of_the_residuals(type)
        monkeypatch.setitem(module.PRIMITIVES, kind, right[kind])


def test_a_left_hand_thread_goes_the_other_way():
    right, left = skewed("screw"), skewed("screw")
    joint = left.joints["joint"]
    left = msgspec.structs.replace(
        left,
        joints={
            "joint": msgspec.structs.replace(
                joint,
                parameters={
                    "pitch": msgspec.structs.replace(joint.parameters["pitch"], value=-0.4)
                },
            )
        },
    )
    J, L = (JointRows(m).jacobian(drawn_poses(m))[-1] for m in (right, left))
    a = JointRows(right).frames(drawn_poses(right))[1][0][:, 2]
    body = np.array(rotation(drawn_poses(right)[1, 3:]), float)
    # per turn about z a pitch forth or back: the moments differ in sign where the arms are taken
    # out
    assert np.allclose(J[6:9], L[6:9]) and np.allclose(
        body @ (L[9:] - J[9:]), 2 * 0.4 / (2 * np.pi) * a
    )
