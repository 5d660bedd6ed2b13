"""Joint coordinates: what the motions put in is read out again, continuously and on the typed
turn.
"""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.engine.constraints.attitude import drawn_poses, matrices
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.engine.constraints.joint_coordinates import coordinates_by_joint, joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import Curve
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.joints import JOINT_TYPES
from tests import mechanisms
from tests.engine.constraints.test_rows import CURVE, TYPES, poses_at, skewed

PI = np.pi


def read(mechanism, near=None):
    return joint_coordinates(mechanism, drawn_poses(mechanism)[None], near)[0]


@pytest.mark.parametrize("type", TYPES)
def test_coordinates_are_those_of_the_motions(type):
    requested = 0.3 + 0.17 * np.arange(JOINT_TYPES[type].dof)
    assert np.allclose(read(skewed(type, requested)), requested, atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(type=st.sampled_from(TYPES), data=st.data())
def test_coordinates_are_read_everywhere(type, data):
    requested = []
    for c in JOINT_TYPES[type].coordinates:
        limit = 1.5 if c.name in ("theta", "elevation") else 3.1
        # a disc leans between 0 and 180 degrees, where it lies
        requested.append(
            data.draw(st.floats(0.1, 3.0) if c.name == "lean" else st.floats(-limit, limit))
        )
    assert np.allclose(read(skewed(type, requested)), requested, atol=1e-9)


@pytest.mark.parametrize("type", TYPES)
def test_typed_values_choose_the_turn(type):
    kind = JOINT_TYPES[type]
    requested = 0.3 + 0.17 * np.arange(kind.dof)
    rotated = np.array(
        [
            w
            + 4
            * PI
            * (
                c.dimension == "angle"
                and c.name not in ("theta", "elevation", "lean", "tilt about x", "tilt about y")
            )
            for w, c in zip(requested, kind.coordinates)
        ]
    )
    mechanism = mechanisms.with_joint(
        skewed(type, requested), "joint", values=tuple(Quantity(t + 0.5) for t in rotated)
    )
    assert np.allclose(read(mechanism), rotated)


def spinning(count, per_sample):
    """A bar turning on a pin, (count, 1, 7) poses."""
    mechanism = mechanisms.chain(1)
    axis = np.array([0.0, 1.0, 1.0]) / np.sqrt(2)
    angle = per_sample * np.arange(count)
    q = np.concatenate((np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis), axis=1)
    at = matrices(q) @ np.array([0.1, 0.0, 0.0])
    return mechanism, np.concatenate((at, q), axis=1)[:, None], angle


def test_angles_go_on_counting_over_samples_and_blocks():
    mechanism, poses, angle = spinning(40, 0.9)
    assert np.allclose(joint_coordinates(mechanism, poses)[:, 0], angle)
    first = joint_coordinates(mechanism, poses[:17])
    assert np.allclose(joint_coordinates(mechanism, poses[17:], first[-1])[:, 0], angle[17:])


def test_a_row_per_sample_allows_any_speed():
    mechanism, poses, angle = spinning(20, 4.0)
    near = (angle + 0.5)[:, None]
    assert np.allclose(joint_coordinates(mechanism, poses, near)[:, 0], angle)


def test_half_a_turn_is_read_as_plus_180_degrees():
    mechanism, poses, _ = spinning(2, PI)
    for wobble in (1e-15, -1e-15):
        rotated = poses[1:].copy()
        rotated[..., 3] += wobble
        assert abs(joint_coordinates(mechanism, rotated)[0, 0] - PI) < 1e-12


@pytest.mark.parametrize("theta", [PI / 2, -PI / 2])
def test_gimbal_lock_keeps_phi_and_the_attitude(theta):
    # psi - phi (theta = 90 deg) or psi + phi (-90 deg) is all that the attitude tells
    mechanism = skewed("spherical", (0.4, theta, 0.3))
    psi, read_theta, phi = read(mechanism, near=np.array([0.0, 0.0, 0.7]))
    assert abs(read_theta - theta) < 1e-7 and phi == 0.7
    s = np.sign(theta)
    assert abs((psi - s * phi) - (0.4 - s * 0.3)) < 1e-7


def test_coordinates_are_split_by_joint():
    mechanism = mechanisms.stewart()
    split = coordinates_by_joint(mechanism, read(mechanism))
    assert [len(c) for c in split] == [2, 1, 3] * 6
    assert abs(split[1][0]) < 1e-12


def curve_joint(way, closed, **more):
    kind_values = (way, 0.2, 0.1, -0.3)
    return skewed(
        "point_on_curve", kind_values, msgspec.structs.replace(CURVE, closed=closed), **more
    )


def test_the_way_along_a_closed_curve_counts_its_rounds():
    length = curve_table(msgspec.structs.replace(CURVE, closed=True)).length
    ways = np.linspace(0.1, 2.7 * length, 60)
    mechanism = curve_joint(0.1, True)
    rows = JointRows(mechanism)
    poses = np.array([poses_at(mechanism, (w, 0.2, 0.1, -0.3)) for w in ways])
    assert np.allclose(joint_coordinates(mechanism, poses, rows=rows)[:, 0], ways, atol=1e-9)
    assert np.allclose(
        joint_coordinates(
            mechanism,
            poses[30:],
            near=joint_coordinates(mechanism, poses[:30], rows=rows)[-1],
            rows=rows,
        )[:, 0],
        ways[30:],
        atol=1e-9,
    )
    typed = curve_joint(0.1, True, values=tuple(Quantity(v) for v in (2 * length, 0.0, 0.0, 0.0)))
    assert abs(read(typed)[0] - 0.1 - 2 * length) < 1e-9
    # without anything typed a way lies in [0, length), not half behind its beginning
    assert abs(read(curve_joint(0.9 * length, True))[0] - 0.9 * length) < 1e-9


def test_a_point_beyond_the_end_of_a_curve_is_on_its_straight_continuation():
    for way in (-0.4, curve_table(CURVE).length + 0.3):
        assert abs(read(curve_joint(way, False))[0] - way) < 1e-9


def test_a_crossing_is_passed_on_the_branch_that_was_come_along():
    # a figure of eight through its own middle: at the crossing both ways are equally near
    eight = Curve(
        tuple(
            vector(np.sin(t), np.sin(2 * t), 0.0)
            for t in np.linspace(0, 2 * PI, 24, endpoint=False)
        ),
        closed=True,
    )
    table = curve_table(eight)
    middle = 0.5 * table.length
    for way in (0.0, 1e-9, middle, middle + 1e-9):
        near = np.array([way - 1e-3, 0.0, 0.0, 0.0])
        mechanism = skewed("point_on_curve", (way, 0.0, 0.0, 0.0), eight)
        assert abs(read(mechanism, near)[0] - way) < 1e-7


def test_a_thread_counts_a_thousand_turns():
    mechanism = skewed("screw", (0.3,))
    rows = JointRows(mechanism)
    for turns in (1, -1, 1000):
        angle = 0.3 + 2 * PI * turns + 0.7
        poses = poses_at(mechanism, (angle,))
        assert (
            abs(
                joint_coordinates(mechanism, poses[None], np.array([angle - 1.0]), rows)[0, 0]
                - angle
            )
            < 1e-9
        )
        # the residual knows the turn from the slide, and from the coordinate where it is given
        assert (
            np.abs(rows.residuals(poses)).max() < 1e-11
            and np.abs(rows.residuals(poses, np.array([angle - 1.0]))).max() < 1e-11
        )
        # a turn more is a pitch more
        assert abs(np.abs(rows.residuals(poses, np.array([angle + 2 * PI]))).max() - 0.4) < 1e-11


def test_a_thread_goes_on_from_where_it_was_drawn():
    # the frames half a pitch apart at the drawn angle: the drawing is closed all the same
    one = skewed("screw", (0.3,))
    _at, q = one.frame_in_world(one.joints["joint"].frame_b)
    axis = np.array(rotate(q, (0.0, 0.0, 1.0)))
    body = msgspec.structs.replace(
        one.bodies["two"],
        placement=msgspec.structs.replace(
            one.bodies["two"].placement,
            position=vector(
                *(np.array([p.value for p in one.bodies["two"].placement.position]) + 0.2 * axis)
            ),
        ),
    )
    moved_away = msgspec.structs.replace(one, bodies={**one.bodies, "two": body})
    assert np.abs(JointRows(moved_away).residuals(drawn_poses(moved_away))).max() < 1e-14
    assert abs(JointRows(moved_away).thread_constant.max() - 0.2) < 1e-12
