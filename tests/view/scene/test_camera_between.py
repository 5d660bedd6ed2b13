"""Cameras on the way from one to another."""

import math

import pytest

from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens

A = Camera(target=(0.0, 1.0, 2.0), azimuth=170.0, elevation=10.0, distance=1.0)
B = Camera(target=(4.0, 1.0, -2.0), azimuth=-170.0, elevation=30.0, distance=9.0)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_a_camera_goes_in_proportion_and_the_short_way_round(share):
    found = lens.between(A, B, share)
    assert found.target == pytest.approx((4.0 * share, 1.0, 2.0 - 4.0 * share))
    assert found.elevation == pytest.approx(10.0 + 20.0 * share)
    # by way of 180 deg, not of 0
    assert found.azimuth % 360.0 == pytest.approx(170.0 + 20.0 * share)
    # nearer by the same factor in each step
    assert found.distance == pytest.approx(9.0**share)


def test_a_frame_turns_the_short_way_round():
    """The negative of a quaternion is the same turn."""
    half = math.sqrt(0.5)
    there = lens.replaced(B, frame=(-half, 0.0, 0.0, -half))
    w, x, y, z = lens.between(A, there, 0.5).frame
    assert (x, y) == (0.0, 0.0)
    assert 2.0 * math.degrees(math.atan2(z, w)) % 360.0 == pytest.approx(45.0)
