"""Axes read off surfaces of round forms, wherever they stand and whatever lies about one line."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mechstudio.files.exchange.surfaces import surface
from mechstudio.files.round_axes import round_axes
from mechstudio.model.geometry.forms import Block, Cylinder, Frustum, Tube

PLACES = [
    (np.zeros(3), Rotation.identity()),
    (np.array([1.0, -2.0, 3.0]), Rotation.from_euler("xyz", [0.4, 0.3, -0.2])),
    (np.array([5.0, 0.1, -0.2]), Rotation.from_euler("x", np.pi)),
]


def placed(form, along, place):
    """Surface of a form moved along its axis, then to a place."""
    (shift, turn), (points, triangles) = place, surface(form)
    return turn.apply(points + np.array((0.0, 0.0, along))) + shift, triangles


def joined(*surfaces):
    counts = np.cumsum([0, *(len(points) for points, _ in surfaces)])
    triangles = [t + count for (_, t), count in zip(surfaces, counts)]
    return np.concatenate([points for points, _ in surfaces]), np.concatenate(triangles)


@pytest.mark.parametrize("place", PLACES, ids=("upright", "turned", "upside down"))
def test_axes_of_round_forms_are_where_they_stand(place):
    shift, turn = place
    direction = turn.apply((0.0, 0.0, 1.0))
    direction *= np.sign(direction[np.argmax(np.abs(direction))])
    cases = (
        # rows: middle along the axis, radius, half the length, hole
        ([(Cylinder(0.5, 0.8), 0.2)], [(0.2, 0.5, 0.4, False)]),
        ([(Tube(0.5, 0.3, 0.8), 0.2)], [(0.2, 0.5, 0.4, False), (0.2, 0.3, 0.4, True)]),
        ([(Frustum(0.5, 0.2, 0.6), -0.1)], [(-0.1, 0.2, 0.3, False)]),
        # a shaft of two parts is one axis as thin as its thinnest part
        ([(Cylinder(0.5, 0.2), 0.0), (Cylinder(0.2, 0.4), 2.0)], [(1.05, 0.2, 1.15, False)]),
        # rings that differ alone in what is a hole
        (
            [(Tube(0.9, 0.6, 0.2), 0.0), (Cylinder(0.3, 1.0), 0.0)],
            [(0.0, 0.6, 0.1, True), (0.0, 0.3, 0.5, False)],
        ),
        ([(Block(1.0, 1.0, 1.0), 0.0)], []),
    )
    for forms, rows in cases:
        found = round_axes(*joined(*(placed(form, along, place) for form, along in forms)))
        assert len(found) == len(rows)
        for axis, (along, radius, half, hole) in zip(found, rows):
            assert axis.hole == hole
            assert (axis.radius, axis.half) == pytest.approx((radius, half))
            assert axis.direction == pytest.approx(direction)
            assert axis.center == pytest.approx(turn.apply((0, 0, along)) + shift)


def test_circles_beside_each_other_are_axes_of_their_own():
    one = placed(Cylinder(0.2, 0.4), 0.0, PLACES[0])
    other = placed(Cylinder(0.1, 0.4), 0.0, (np.array([1.0, 0.0, 0.0]), Rotation.identity()))
    first, second = round_axes(*joined(other, one))
    assert (first.radius, second.radius) == pytest.approx((0.2, 0.1)), "the largest first"
    assert first.center == pytest.approx((0, 0, 0)) and second.center == pytest.approx((1, 0, 0))
