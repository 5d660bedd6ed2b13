"""Coordinates read from the attitude of a joint, at the ends of their ranges."""

import math

import pytest

from mechstudio.model.joints.coordinate_readings import readings
from mechstudio.model.mechanism import Frame, Joint


@pytest.mark.parametrize("a", [0.0, 1e-9, 0.7, -0.7, math.pi / 2, math.pi])
@pytest.mark.parametrize("b", [0.0, 0.4, -0.4, 1.5])
def test_a_constant_velocity_joint_reads_its_two_angles(a, b):
    """R = Rx(a / 2) Ry(b) Rx(a / 2), up to the half-turn, of both signs of the quaternion."""
    joint = Joint("j", "j", "constant_velocity", Frame("ground"), Frame("b"))
    half = (math.cos(a / 2) if a < math.pi else 0.0, math.sin(a / 2))
    q = (math.cos(b / 2) * half[0], math.cos(b / 2) * half[1], math.sin(b / 2), 0.0)
    assert readings(joint, (0.0, 0.0, 0.0), q) == pytest.approx((a, b), abs=1e-15)
    if a < math.pi:
        turned = tuple(-x for x in q)
        assert readings(joint, (0.0, 0.0, 0.0), turned) == pytest.approx((a, b), abs=1e-15)
