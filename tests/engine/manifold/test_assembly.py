"""Assembly: closed drawings stay, open ones close with little movement, flipped pins turn round,
impossible ones say so.
"""

import math

import numpy as np
import pytest

from mechstudio.engine.constraints.attitude import (
    displaced,
    drawn_poses,
    multiply,
    turn_angle,
    turns,
)
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import CLOSED, assemble, generic_pose
from mechstudio.model.geometry.rotation import about, conjugate, rotate
from mechstudio.model.geometry.rotation import multiply as compose_turns
from mechstudio.model.quantity import values
from mechstudio.model.types.joints import ANGLE, JOINT_TYPES
from tests import mechanisms
from tests.engine.constraints.test_rows import skewed

CLOSED_ONES = {
    "four_bar": mechanisms.four_bar,
    "slider_crank": mechanisms.slider_crank,
    "door": mechanisms.door,
    "parallelogram": mechanisms.parallelogram_five_bars,
    "andrews": mechanisms.andrews,
    "four_bars": lambda: mechanisms.four_bars(5),
    "stewart": mechanisms.stewart,
    "chain": lambda: mechanisms.chain(8),
    "ball": mechanisms.ball_pendulum,
}


def error(mechanism, poses):
    rows = JointRows(mechanism)
    return np.abs(rows.residuals(poses)).max(initial=0.0) / rows.size


@pytest.mark.parametrize("name", CLOSED_ONES)
def test_closed_drawings_come_back_bit_by_bit(name):
    mechanism = CLOSED_ONES[name]()
    result = assemble(mechanism)
    assert np.array_equal(result.poses, drawn_poses(mechanism))
    assert result.converged and result.moved == 0.0 and result.gap_after == result.gap_before


@pytest.mark.parametrize("name", CLOSED_ONES)
@pytest.mark.parametrize("seed", range(3))
def test_disturbed_drawings_close_again(name, seed):
    mechanism = CLOSED_ONES[name]()
    rows = JointRows(mechanism)
    rng = np.random.default_rng(seed)
    start = displaced(
        drawn_poses(mechanism),
        0.05 * rng.standard_normal((rows.body_count, 6)) * np.repeat((rows.size, 1.0), 3),
    )
    result = assemble(mechanism, start=start)
    assert result.converged and error(mechanism, result.poses) < 1e-12
    assert result.gap_before > 0.01 * rows.size and result.gap_after < CLOSED * rows.size
    assert result.moved < 0.6 * rows.size


def test_a_pin_drawn_apart_is_closed_by_the_least_movement():
    # a free body with its centre on the joint: half the gap stays with neither, ground does not
    # move, the body comes all the way
    b = mechanisms.Builder()
    b.body("disc", (0.0, 0.0, 0.0))
    b.joint("pin", "ground", "disc", (0.0, 0.0, 0.0), type="spherical", at_b=(0.03, 0.0, 0.04))
    result = assemble(b.mechanism)
    # translation t and turn phi with |t|^2 + size^2 phi^2 least: here nearly the straight way of
    # 0.05 m
    assert abs(result.gap_before - 0.05) < 1e-12 and result.converged
    assert result.moved <= 0.05 + 1e-9


def points_of(mechanism):
    """Joint points and shape points of every body, in its axes."""
    out = {
        id: [p for s in body.shapes for p in (values(s.placement.position), *s.points().values())]
        for id, body in mechanism.bodies.items()
    }
    for joint in mechanism.joints.values():
        for frame in (joint.frame_a, joint.frame_b):
            if frame.body in out:
                out[frame.body].append(mechanism.frame_in_body(frame)[0])
    return [np.array(p) for p in out.values()]


def way(mechanism, before, after):
    """The square that assembling makes least, from the points themselves: planar motion turns about
    the axis of the largest spread or near it.
    """
    points = points_of(mechanism)
    extents = [np.linalg.norm(np.ptp(p, axis=0)) for p in points]
    at = lambda pose, p: pose[:3] + np.array([rotate(tuple(pose[3:]), tuple(x)) for x in p])
    return sum(
        e / np.mean(extents) * np.mean(np.sum((at(b, p) - at(a, p)) ** 2, axis=1))
        for e, p, a, b in zip(extents, points, before, after, strict=True)
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_rough_four_bar_is_closed_by_the_least_way_of_its_points(seed):
    # disturbed in its plane; its one freedom is then the only other way to close it nearby
    mechanism = mechanisms.four_bar()
    rng = np.random.default_rng(seed)
    start = displaced(
        drawn_poses(mechanism), 0.03 * rng.standard_normal((3, 6)) * (1, 0, 1, 0, 1, 0)
    )
    rows = JointRows(mechanism)
    result = assemble(mechanism, rows, start)
    assert result.converged
    least = way(mechanism, start, result.poses)
    null = np.linalg.svd(rows.jacobian(result.poses))[2][-1].reshape(3, 6)
    for step in (-0.02, -0.004, 0.004, 0.02):
        other = assemble(mechanism, rows, displaced(result.poses, step * null))
        assert other.converged and way(mechanism, start, other.poses) > least


def test_assembly_does_not_depend_on_the_origin_of_a_body():
    def drawn(origin):
        b = mechanisms.Builder()
        b.body("rod", (origin, 0.0, 0.1))
        b.joint("left", "ground", "rod", (0.0, 0.0, 0.0), type="spherical", at_b=(0.0, 0.0, 0.08))
        b.joint(
            "right", "ground", "rod", (1.0, 0.0, 0.0), type="point_on_plane", at_b=(1.0, 0.0, 0.1)
        )
        return b.mechanism

    ends = []
    for origin in (0.0, 0.5, 3.0):
        mechanism = drawn(origin)
        result = assemble(mechanism)
        assert result.converged
        ends.append(JointRows(mechanism).frames(result.poses)[2])
    # the way has a flat bottom: a thousandth of the step ends the search
    assert np.allclose(ends[0], ends[1], atol=2e-5) and np.allclose(ends[0], ends[2], atol=2e-5)


def test_kept_body_does_not_move_by_a_bit_in_assembly():
    mechanism = mechanisms.four_bar()
    start = displaced(
        drawn_poses(mechanism),
        0.02 * np.random.default_rng(3).standard_normal((3, 6)) * (1, 0, 1, 0, 1, 0),
    )
    start[0] = drawn_poses(mechanism)[0]
    crank = next(iter(mechanism.bodies))
    result = assemble(mechanism, start=start, keep={crank})
    assert result.converged and np.array_equal(result.poses[0], start[0])
    free = assemble(mechanism, start=start)
    assert np.abs(free.poses[0] - start[0]).max() > 1e-4


PARALLEL = ("revolute", "cylindrical", "prismatic", "fixed", "planar", "screw", "knife_edge")
SAME_ATTITUDE = ("prismatic", "fixed")


@pytest.mark.parametrize("tilt", [0.3, 1.5, math.radians(170), math.pi - 1e-9, math.pi])
@pytest.mark.parametrize("type", PARALLEL)
@pytest.mark.thinned(3)
def test_flipped_joints_turn_round_to_the_right_side(type, tilt):
    mechanism = skewed(type)
    start = drawn_poses(mechanism)
    for axis in ((1.0, 2.0, 3.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.3)):
        rotated = displaced(
            start, np.array([[0.0] * 6, [0, 0, 0, *(tilt * np.array(axis) / np.linalg.norm(axis))]])
        )
        result = assemble(mechanism, start=rotated)
        assert result.converged
        _, A, _, B = JointRows(mechanism).frames(result.poses)
        assert A[0, :, 2] @ B[0, :, 2] > 1 - 1e-9
        if type in SAME_ATTITUDE:
            assert np.trace(A[0].T @ B[0]) > 3 - 1e-9


def test_every_joint_with_parallel_axes_is_among_them():
    rows = {(ANGLE, 0, 2), (ANGLE, 1, 2)}
    assert set(PARALLEL) == {t for t, kind in JOINT_TYPES.items() if rows <= set(kind.rows)}


@pytest.mark.parametrize("type", [t for t in JOINT_TYPES if t not in PARALLEL])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.thinned(3)
def test_every_other_joint_closes_from_170_degrees(type, seed):
    mechanism = skewed(type)
    axis = np.random.default_rng(seed).standard_normal(3)
    rotated = displaced(
        drawn_poses(mechanism),
        np.array(
            [[0.0] * 6, [0.1, -0.05, 0.1, *(math.radians(170) * axis / np.linalg.norm(axis))]]
        ),
    )
    result = assemble(mechanism, start=rotated)
    assert result.converged and error(mechanism, result.poses) < 1e-12


@pytest.mark.parametrize(
    "start",
    [
        ((math.radians(170), 0.0, 0.0), 0.0),
        ((0.0, math.radians(175), 0.0), 0.0),
        ((math.pi, 0.0, 0.0), 0.0),
        ((0.0, 0.0, 0.0), math.radians(170)),
        ((0.0, 0.0, 0.0), math.pi),
        ((1.2, 0.5, 0.0), math.radians(170)),
    ],
)
def test_a_constant_velocity_joint_is_neither_folded_back_nor_turned_half_round(start):
    # its rows hold as well with the shafts folded onto each other, and with one of them turned half
    # round about itself
    vector, spin = start
    mechanism = skewed("constant_velocity", (0.0, 0.0))
    joint = mechanism.joints["joint"]
    q = compose_turns(about_vector(vector), about((0.0, 0.0, 1.0), spin))
    poses = drawn_poses(mechanism)
    ref_at, ref_q = mechanism.frame_in_body(joint.frame_b)
    at, qa = mechanism.frame_in_world(joint.frame_a)
    body_q = compose_turns(compose_turns(qa, q), conjugate(ref_q))
    poses[1] = (*np.subtract(at, rotate(body_q, ref_at)), *body_q)
    result = assemble(mechanism, start=poses)
    assert result.gap_before > 0.1 and result.converged
    _, A, _, B = JointRows(mechanism).frames(result.poses)
    R = A[0].T @ B[0]
    assert R[2, 2] > -0.9 and abs(math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])) < 1e-9


def about_vector(vector):
    angle = float(np.linalg.norm(vector))
    return about(tuple(np.array(vector) / angle), angle) if angle else (1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("half_turn", [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
def test_a_slider_drawn_half_a_turn_round_is_not_accepted(half_turn):
    # all rows of a prismatic joint vanish after half a turn about any axis of its frame
    mechanism = mechanisms.single_joint("prismatic", at=(0.0, 0.0, 0.0))
    frame = mechanism.joints["joint"].frame_b.placement.quaternion
    about = turns(np.pi * np.asarray(half_turn, float))
    conjugate = np.array(frame) * (1, -1, -1, -1)
    poses = drawn_poses(mechanism)
    poses[1, 3:] = multiply(poses[1, 3:], multiply(multiply(np.array(frame), about), conjugate))
    result = assemble(mechanism, start=poses)
    assert result.gap_before > 1.0 and result.converged
    _, A, _, B = JointRows(mechanism).frames(result.poses)
    assert np.trace(A[0].T @ B[0]) > 3 - 1e-9


def test_a_four_bar_whose_pin_is_drawn_upside_down_closes_on_the_right_side():
    mechanism = mechanisms.four_bar()
    start = drawn_poses(mechanism)
    # the coupler rolled by 170 degrees about its own length
    start = displaced(start, np.array([[0.0] * 6, [0, 0, 0, math.radians(170), 0, 0], [0.0] * 6]))
    result = assemble(mechanism, start=start)
    assert result.converged
    _, A, _, B = JointRows(mechanism).frames(result.poses)
    assert (np.sum(A[:, :, 2] * B[:, :, 2], axis=1) > 0.999).all()


def test_a_drawing_that_cannot_close_reports_what_is_left():
    # crank 0.2 and coupler 0.1 cannot reach a rocker of 0.1 at 0.6: 0.2 m are missing on the
    # straight line
    b = mechanisms.Builder()
    for id, p, q in (
        ("crank", (0, 0, 0), (0.2, 0, 0.02)),
        ("coupler", (0.2, 0, 0.02), (0.3, 0, 0.02)),
        ("rocker", (0.6, 0, 0), (0.5, 0, 0.02)),
    ):
        d = np.subtract(q, p)
        b.link(
            id,
            p,
            tuple(
                np.add(p, d / np.linalg.norm(d) * {"crank": 0.2, "coupler": 0.1, "rocker": 0.1}[id])
            ),
        )
    b.joint("A", "ground", "crank", (0, 0, 0))
    b.joint("D", "ground", "rocker", (0.6, 0, 0))
    b.joint("B", "crank", "coupler", b_end(b, "crank", 0.1), at_b=b_end(b, "coupler", -0.05))
    b.joint("C", "coupler", "rocker", b_end(b, "coupler", 0.05), at_b=b_end(b, "rocker", 0.05))
    result = assemble(b.mechanism)
    assert not result.converged
    # least squares spreads 0.2 m evenly over four joints
    assert abs(result.gap_after - 0.05) < 1e-4 and abs(result.errors.sum() - 0.2) < 1e-4


def b_end(builder, body, x):
    """A point on a link's axis in W, x from its middle."""
    from mechstudio.model.geometry.rotation import transform

    return transform(builder.bodies[body].placement.pose, (x, 0.0, 0.0))


@pytest.mark.parametrize(
    "name",
    [
        "four_bar",
        "slider_crank",
        "andrews",
        "four_bars",
        "stewart",
        "chain",
        "ball",
        "parallelogram",
        "door",
    ],
)
def test_generic_pose_is_closed_and_elsewhere_and_always_the_same(name):
    mechanism = CLOSED_ONES[name]()
    poses = drawn_poses(mechanism)
    generic = generic_pose(mechanism, poses)
    assert error(mechanism, generic) < 1e-12
    assert turn_angle(poses[:, 3:], generic[:, 3:]).max() > 0.1
    assert np.array_equal(generic, generic_pose(mechanism, poses))


def test_generic_pose_does_not_depend_on_the_unit():
    metres, millimetres = mechanisms.four_bar(), mechanisms.four_bar(scale=1000.0)
    a, b = (generic_pose(m, drawn_poses(m)) for m in (metres, millimetres))
    assert np.allclose(a[:, :3] * 1000, b[:, :3], atol=1e-7) and np.allclose(
        a[:, 3:], b[:, 3:], atol=1e-9
    )


def test_a_rigid_triangle_has_no_other_pose():
    b = mechanisms.Builder()
    points = {"P": (0, 0, 0), "Q": (1, 0, 0), "R": (0.3, 0, 0.8)}
    b.link("one", points["P"], points["R"])
    b.link("two", points["Q"], points["R"])
    b.joint("P", "ground", "one", points["P"])
    b.joint("Q", "ground", "two", points["Q"])
    b.joint("R", "one", "two", points["R"])
    poses = drawn_poses(b.mechanism)
    assert np.allclose(generic_pose(b.mechanism, poses), poses, atol=1e-6)
