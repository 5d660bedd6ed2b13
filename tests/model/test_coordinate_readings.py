"""Coordinates read from the attitude of a joint, at the ends of their ranges."""

import math

import pytest

from mechstudio.model.joints.coordinate_readings import drawn_values, readings
from mechstudio.model.mechanism import Frame, Joint
from mechstudio.model.quantity import Quantity


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


@pytest.mark.parametrize(
    ("typed", "angle"), [((), math.pi), ((-0.5,), -math.pi), ((9.0,), 3 * math.pi)]
)
@pytest.mark.parametrize("bit", [1e-16, -1e-16])
def test_half_a_turn_is_read_alike_whatever_the_last_bit(typed, angle, bit):
    """As the simulator reads it: +180 degrees, or what is next to a typed angle."""
    values = tuple(map(Quantity, typed))
    joint = Joint("j", "j", "revolute", Frame("ground"), Frame("b"), values=values)
    assert drawn_values(joint, (0.0, 0.0, 0.0), (bit, 0.0, 0.0, 1.0)) == pytest.approx((angle,))
