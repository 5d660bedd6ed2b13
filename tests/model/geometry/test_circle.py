"""Circle through three points against its definition."""

import numpy as np
import pytest

from mechstudio.model.geometry.circle import circle_through


def test_a_half_of_the_unit_circle():
    found = circle_through(((1, 0, 0), (0, 1, 0), (-1, 0, 0)))
    assert found is not None
    assert np.array(found) == pytest.approx(np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)]))


@pytest.mark.parametrize("seed", range(5))
def test_points_lie_on_it_and_the_second_comes_before_the_third(seed):
    points = np.random.default_rng(seed).normal(size=(3, 3))
    found = circle_through([tuple(p) for p in points])
    assert found is not None
    centre, first, second = map(np.array, found)
    radius = np.linalg.norm(first)
    assert np.linalg.norm(points - centre, axis=1) == pytest.approx([radius] * 3)
    assert first == pytest.approx(points[0] - centre)
    assert np.linalg.norm(second) == pytest.approx(radius) and first @ second == pytest.approx(0)
    arms = (points - centre) / radius**2
    _, b, c = np.arctan2(arms @ second, arms @ first) % (2 * np.pi)
    assert b < c


@pytest.mark.parametrize("third", [(2, 2, 2), (0.5, 0.5, 0.5), (1, 1, 1)])
def test_no_circle_through_points_of_a_line(third):
    assert circle_through(((0, 0, 0), (1, 1, 1), third)) is None
