"""Constraint rows against finite differences, against the joints' motions, and against planted
faults.
"""

import numpy as np
import pytest

from mechstudio.engine.constraints.attitude import displaced, drawn_poses, matrices, multiply, turns
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.engine.constraints.lifts import lift_table
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.metric import Measure
from mechstudio.files.project_file import load
from mechstudio.folders import sample_folder
from mechstudio.model.geometry.rotation import about, frame_on_axis, rotate
from mechstudio.model.geometry.rotation import multiply as compose_turns
from mechstudio.model.mechanism import GROUND, Curve
from mechstudio.model.quantity import vector
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
)
from tests import mechanisms

AXIS = (1.0, 2.0, 3.0)
STEP = 1e-6
TYPES = sorted(JOINT_TYPES)
LENGTHS = {"length": 0.7, "pitch": 0.4, "radius": 0.6, "semi_a": 0.5, "semi_b": 0.4}
# a curve in space that bends and twists
CURVE = Curve(
    tuple(
        vector(*p)
        for p in (
            (0.0, 0.0, 0.0),
            (0.4, 0.1, 0.2),
            (0.5, 0.6, 0.1),
            (0.1, 0.8, 0.5),
            (-0.3, 0.6, 0.3),
        )
    )
)
# a cam that a flat face can follow
CAM = Curve(
    tuple(
        vector(*p, 0.0) for p in ((0.5, 0.1), (0.1, 0.4), (-0.3, 0.2), (-0.2, -0.3), (0.3, -0.3))
    ),
    closed=True,
)


def chain_pose(kind: JointType, coordinates, curve=None):
    """Pose (origin, quaternion) of B in A after the joint's motions: what the coordinates mean."""
    values = iter(coordinates)
    at, q, half = np.zeros(3), (1.0, 0.0, 0.0, 0.0), None
    for motion, axis in kind.motions:
        unit = tuple(np.eye(3)[axis])
        if motion == SLIDE:
            at = at + next(values) * np.array(rotate(q, unit))
        elif motion == ROD:
            at = at + LENGTHS[kind.parameters[0].name] * np.array(rotate(q, unit))
        elif motion == TURN:
            q = compose_turns(q, about(unit, next(values)))
        elif motion == HELIX:
            angle = next(values)
            at = at + LENGTHS["pitch"] * angle / (2 * np.pi) * np.array(rotate(q, unit))
            q = compose_turns(q, about(unit, angle))
        elif motion == TRACK:
            x = next(values)
            if kind.track:
                at = at + (LENGTHS["semi_a"] * np.cos(x), LENGTHS["semi_b"] * np.sin(x), 0.0)
            else:
                at = at + curve_table(curve or CURVE).at(x)[0]
        elif motion == LIFT:
            x = next(values)
            q = compose_turns(q, about(unit, x))
            at = at + np.array(rotate(q, (0.0, lift_table(curve or CAM).at(x)[0][1], 0.0)))
        elif motion == HALF:
            half = next(values) if half is None else half
            q = compose_turns(q, about(unit, 0.5 * half))
        elif motion == QUARTER:
            q = compose_turns(q, about(unit, 0.5 * np.pi))
        elif motion == BALL:
            for k in (2, 1, 0):
                q = compose_turns(q, about(tuple(np.eye(3)[k]), next(values)))
    return at, q


def skewed(type, coordinates=None, curve=None, **more):
    """Two free bodies and a joint of skewed frames, its coordinates generic, so that its rows
    hold.
    """
    kind = JOINT_TYPES[type]
    coordinates = coordinates if coordinates is not None else 0.3 + 0.17 * np.arange(kind.dof)
    qa = compose_turns(frame_on_axis(AXIS), about((0.0, 0.0, 1.0), 0.4))
    at, q = chain_pose(kind, coordinates, curve)
    origin = (0.3, -0.2, 0.5)
    at_b = tuple(np.add(origin, rotate(qa, tuple(at))))
    if kind.parameters:
        more["parameters"] = {p.name: mechanisms.Quantity(LENGTHS[p.name]) for p in kind.parameters}
    if kind.curve:
        more["curve"] = curve or (CAM if kind.has_face else CURVE)
    return mechanisms.single_joint(
        type, quaternion_a=qa, quaternion_b=compose_turns(qa, q), at=origin, at_b=at_b, **more
    )


def poses_at(reference, coordinates):
    """Poses (2, 7) of a `skewed` mechanism's bodies with the joint at other coordinates: body one
    stands, two keeps its place in frame B.
    """
    joint = reference.joints["joint"]
    there = skewed(joint.type, coordinates, joint.curve)
    world_at, world_q = there.frame_in_world(there.joints["joint"].frame_b)
    ref_at, ref_q = reference.frame_in_body(joint.frame_b)
    body_q = compose_turns(world_q, (ref_q[0], *(-x for x in ref_q[1:])))
    poses = drawn_poses(reference)
    poses[1] = (*np.subtract(world_at, rotate(body_q, ref_at)), *body_q)
    return poses


def motion_columns(type):
    """Twists (6, dof) of body two, in the layout of JointRows, when one coordinate changes: derived
    from the motions alone.
    """
    kind = JOINT_TYPES[type]
    base = 0.3 + 0.17 * np.arange(kind.dof)
    columns = []
    for k in range(kind.dof):
        step = STEP * np.eye(kind.dof)[k]
        (p1, q1), (p0, q0) = (
            (pose[:3], tuple(pose[3:]))
            for pose in (poses_at(skewed(type), base + s * step)[1] for s in (1, -1))
        )
        relative = compose_turns((q0[0], *(-x for x in q0[1:])), q1)
        relative = np.array(relative) * np.sign(relative[0])
        columns.append(np.concatenate(((p1 - p0) / (2 * STEP), 2 * relative[1:] / (2 * STEP))))
    return np.array(columns).reshape(-1, 6).T


def disturbed(mechanism, seed=3):
    """Poses a little off the drawn ones, so that no residual or cosine happens to vanish."""
    rng = np.random.default_rng(seed)
    poses = drawn_poses(mechanism)
    return displaced(poses, 0.2 * rng.standard_normal((len(poses), 6)))


def difference_jacobian(rows, poses):
    """Central differences of the residuals along every twist coordinate."""
    out = np.empty((rows.row_count, 6 * len(poses)))
    for c in range(6 * len(poses)):
        step = np.zeros((len(poses), 6))
        step.flat[c] = STEP
        out[:, c] = (
            rows.residuals(displaced(poses, step)) - rows.residuals(displaced(poses, -step))
        ) / (2 * STEP)
    return out


@pytest.mark.parametrize("type", TYPES)
def test_jacobian_is_the_derivative_of_the_residuals(type):
    mechanism = skewed(type)
    rows, poses = JointRows(mechanism), disturbed(mechanism)
    # central differences: error about STEP^2 + 1e-16 / STEP
    assert np.allclose(rows.jacobian(poses), difference_jacobian(rows, poses), rtol=0.0, atol=5e-9)


@pytest.mark.parametrize("type", TYPES)
def test_rows_hold_at_the_pose_that_the_motions_give(type):
    mechanism = skewed(type)
    assert np.abs(JointRows(mechanism).residuals(drawn_poses(mechanism))).max(initial=0.0) < 1e-14


@pytest.mark.parametrize("type", TYPES)
def test_rank_of_the_rows_is_six_less_the_freedoms(type):
    mechanism = skewed(type)
    J = JointRows(mechanism).jacobian(drawn_poses(mechanism))
    assert np.linalg.matrix_rank(J, tol=1e-9) == 6 - JOINT_TYPES[type].dof == len(J)


@pytest.mark.parametrize("type", TYPES)
def test_motions_span_the_null_space_of_the_rows(type):
    mechanism = skewed(type)
    J = JointRows(mechanism).jacobian(drawn_poses(mechanism))[:, 6:]
    S = motion_columns(type)
    assert S.shape == (6, JOINT_TYPES[type].dof)
    assert np.abs(J @ S).max(initial=0.0) < 1e-8
    assert np.linalg.matrix_rank(S, tol=1e-6) == JOINT_TYPES[type].dof


def test_the_battery_catches_a_removed_row_and_a_flipped_sign():
    mechanism = skewed("revolute")
    rows, poses = JointRows(mechanism), disturbed(mechanism)
    J = rows.jacobian(poses)
    assert np.linalg.matrix_rank(J[1:], tol=1e-9) != 5
    J[4, 9] *= -1
    assert not np.allclose(J, difference_jacobian(rows, poses), rtol=0.0, atol=5e-9)
    # a slide along the wrong axis does not lie in the null space
    wrong = JointRows(skewed("prismatic")).jacobian(drawn_poses(skewed("prismatic")))[:, 6:]
    assert np.abs(wrong @ motion_columns("cylindrical")).max() > 0.1


@pytest.mark.parametrize("type", TYPES)
def test_rates_are_jacobian_times_twist(type):
    mechanism = skewed(type)
    rows, poses = JointRows(mechanism), disturbed(mechanism)
    twists = np.random.default_rng(1).standard_normal((2, 6))
    assert np.allclose(rows.rates(poses, twists), rows.jacobian(poses) @ twists.ravel())


def test_samples_are_read_one_by_one():
    mechanism = mechanisms.slider_crank()
    rows = JointRows(mechanism)
    poses = np.array([disturbed(mechanism, s) for s in range(4)])
    twists = np.random.default_rng(2).standard_normal((4, 3, 6))
    for name, args in (
        ("residuals", (poses,)),
        ("gaps", (poses,)),
        ("rates", (poses, twists)),
        ("blocks", (poses,)),
    ):
        whole = getattr(rows, name)(*args)
        assert np.array_equal(
            whole, np.array([getattr(rows, name)(*(a[s] for a in args)) for s in range(4)])
        ), name


def test_ground_has_no_columns_and_four_bar_is_closed_as_drawn():
    mechanism = mechanisms.four_bar()
    rows, poses = JointRows(mechanism), drawn_poses(mechanism)
    assert rows.row_count == 20 and rows.jacobian(poses).shape == (20, 18)
    assert np.abs(rows.residuals(poses)).max() < 1e-14
    assert np.count_nonzero(rows.jacobian(poses)[:5, 6:]) == 0


def test_gap_is_the_distance_of_the_joint_points():
    mechanism = mechanisms.door()
    rows = JointRows(mechanism)
    poses = drawn_poses(mechanism) + np.array([0.003, 0.004, 0.0, 0, 0, 0, 0])
    assert np.allclose(rows.gaps(poses), 0.005)
    tilted = displaced(drawn_poses(mechanism), np.array([[0, 0, 0, 0.1, 0, 0]]))
    assert np.allclose(
        rows.norms_of(rows.residuals(tilted)) ** 2 - rows.gaps(tilted) ** 2,
        (rows.size * np.sin(0.1)) ** 2,
    )


def test_residuals_scale_with_the_unit_of_length():
    metres, millimetres = mechanisms.four_bar(), mechanisms.four_bar(scale=1000.0)
    step = 0.01 * np.random.default_rng(0).standard_normal((3, 6))
    a = JointRows(metres).residuals(displaced(drawn_poses(metres), step))
    b = JointRows(millimetres).residuals(
        displaced(drawn_poses(millimetres), step * [1000, 1000, 1000, 1, 1, 1])
    )
    assert np.allclose(1000 * a, b)


def test_rod_without_a_typed_length_keeps_the_drawn_one():
    mechanism = mechanisms.single_joint("distance", at=(0.0, 0.0, 0.0), at_b=(0.3, 0.0, 0.4))
    assert abs(JointRows(mechanism).length[0] - 0.5) < 1e-15


def test_quaternions_and_rotation_vectors_agree():
    v = np.random.default_rng(5).standard_normal((6, 3))
    R = matrices(turns(v))
    assert np.allclose(R @ v[:, :, None], v[:, :, None])
    assert np.allclose(R @ R.swapaxes(1, 2), np.eye(3)) and np.allclose(np.linalg.det(R), 1)
    assert np.allclose(matrices(multiply(turns(v), turns(v[::-1]))), R @ R[::-1])
    assert np.allclose(turns(np.zeros(3)), [1, 0, 0, 0])


def test_mechanism_without_joints_has_no_rows():
    b = mechanisms.Builder()
    b.body("one", (0, 0, 0))
    rows = JointRows(b.mechanism)
    assert rows.residuals(drawn_poses(b.mechanism)).shape == (0,) and rows.jacobian(
        drawn_poses(b.mechanism)
    ).shape == (0, 6)
    assert rows.gaps(drawn_poses(b.mechanism)).shape == (0,) and GROUND not in b.mechanism.bodies


PLAIN = [
    f.stem
    for f in sorted(sample_folder().glob("*.mech"))
    if f.stem in ("four_bar", "bennett_linkage", "delta_robot", "gimbal_lock", "slider_crank",
                  "scotch_yoke", "double_wishbone", "jansen_leg")
]  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_the_kernel_of_plain_rows_is_the_reader_of_all_rows(name):
    """Poses far from closed; slopes about other points and in other units than the twists'."""
    mechanism = load(sample_folder() / f"{name}.mech").project.mechanism
    rows, rng = JointRows(mechanism), np.random.default_rng(4)
    assert rows.is_plain
    n = len(mechanism.bodies)
    poses = displaced(drawn_poses(mechanism), 0.4 * rng.standard_normal((n, 6)))
    own, other = rows.placed_by_kernel(poses), rows.placed(poses)
    for a, b in zip((own.origins, own.R, *own.frames, own.C, own.force, own.moment),
                    (other.origins, other.R, *other.frames, other.C, other.force, other.moment),
                    strict=True):  # fmt: skip
        assert a.shape == b.shape and np.allclose(a, b, rtol=0, atol=1e-14)
    measure = Measure(rng.standard_normal((n, 3)), rng.uniform(0.5, 2.0, 6 * n))
    J = np.zeros((rows.row_count + 2, 6 * n))
    rows.add_slopes(own, measure.centres, measure.column_scale, J)
    blocks, joints = rows.blocks(poses), rows.joint_of_row
    measure.about_centres(blocks, (rows.body_a[joints], rows.body_b[joints]), other.R)
    assert np.allclose(J[:-2], rows.dense(blocks, joints) * measure.column_scale, atol=1e-13)
    assert not J[-2:].any()


def test_a_mechanism_with_other_rows_is_left_to_numpy():
    """Threads, curves and twists are not of the primitives that the kernel knows."""
    with_thread = load(sample_folder() / "screw_jack.mech").project.mechanism
    assert not JointRows(with_thread).is_plain
