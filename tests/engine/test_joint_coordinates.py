"""Joint coordinates: what the motions put in is read out again, continuously and on the typed turn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.engine.attitude import drawn_poses, matrices
from mechstudio.engine.joint_coordinates import coordinates_by_joint, joint_coordinates
from mechstudio.model.joint_types import JOINT_TYPES
from mechstudio.model.quantity import Quantity
from tests import mechanisms
from tests.engine.test_rows import TYPES, skewed

PI = np.pi


def read(mechanism, near=None):
    return joint_coordinates(mechanism, drawn_poses(mechanism)[None], near)[0]


@pytest.mark.parametrize("type", TYPES)
def test_coordinates_are_those_of_the_motions(type):
    wanted = 0.3 + 0.17 * np.arange(JOINT_TYPES[type].dof)
    assert np.allclose(read(skewed(type, wanted)), wanted, atol=1e-13)


@settings(max_examples=30, deadline=None)
@given(type=st.sampled_from(TYPES), data=st.data())
def test_coordinates_are_read_everywhere(type, data):
    wanted = []
    for c in JOINT_TYPES[type].coordinates:
        limit = 1.5 if c.name in ("theta", "elevation") else 3.1
        wanted.append(data.draw(st.floats(-limit, limit)))
    assert np.allclose(read(skewed(type, wanted)), wanted, atol=1e-9)


@pytest.mark.parametrize("type", TYPES)
def test_typed_values_choose_the_turn(type):
    kind = JOINT_TYPES[type]
    wanted = 0.3 + 0.17 * np.arange(kind.dof)
    turned = np.array([w + 4 * PI * (c.dimension == "angle" and c.name not in ("theta", "elevation")) for w, c in zip(wanted, kind.coordinates)])
    mechanism = mechanisms.with_joint(skewed(type, wanted), "joint", values=tuple(Quantity(t + 0.5) for t in turned))
    assert np.allclose(read(mechanism), turned)


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
        turned = poses[1:].copy()
        turned[..., 3] += wobble
        assert abs(joint_coordinates(mechanism, turned)[0, 0] - PI) < 1e-12


@pytest.mark.parametrize("theta", (PI / 2, -PI / 2))
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
