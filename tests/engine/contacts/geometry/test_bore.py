"""Solids of revolution in bores and half-pipes: gaps against points all around, names that stay."""

import numpy as np
import pytest

from mechstudio.engine.contacts.geometry.search import contacts_of
from mechstudio.engine.contacts.geometry.shapes import (
    CAPSULE,
    CONE,
    CYLINDER,
    DISC,
    TROUGH,
    TUBE,
    ContactShape,
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points
from mechstudio.model.geometry.rotation import rotate
from tests.engine.contacts.geometry.test_manifolds import contacts, poses, rotated

OUTER, BORE, HALF = 0.1, 0.08, 0.2
HERE = rotated(0, 0, 0, [0, 0, 1], 0)
PIPE = ContactShape(TUBE, (OUTER, BORE, HALF), 0)
GUTTER = ContactShape(TROUGH, (OUTER, BORE, HALF), 0)
# radii of both ends and half the height as the search knows them, and the shape
SOLIDS = {
    "cylinder": (0.05, 0.05, 0.1, ContactShape(CYLINDER, (0.05, 0.1), 1)),
    "long cylinder": (0.05, 0.05, 0.3, ContactShape(CYLINDER, (0.05, 0.3), 1)),
    "disc": (0.06, 0.06, 0.0, ContactShape(DISC, (0.06, 0.0), 1)),
    "frustum": (0.06, 0.04, 0.1, ContactShape(CONE, (0.06, 0.04, 0.1), 1)),
    "long cone": (0.07, 0.0, 0.3, ContactShape(CONE, (0.07, 0.0, 0.3), 1)),
    "tube": (0.05, 0.05, 0.1, ContactShape(TUBE, (0.05, 0.04, 0.1), 1)),
}


def farthest(first, last, half, pose, middle=0.0, width=np.pi):
    """(distance from the axis of the bore, x) of the farthest place on a solid's side, an end of a
    line on it that the rims cut off: of 2000 around, then of as many near the farthest one.
    """
    t = np.linspace(middle - width, middle + width, 2000)
    circle = np.column_stack([np.cos(t), np.sin(t), 0 * t])
    turn = np.array([rotate(tuple(pose[3:]), tuple(axis)) for axis in np.eye(3)])
    low, high = (
        (circle * (r, r, 0) + (0, 0, z)) @ turn + pose[:3]
        for r, z in ((first, -half), (last, half))
    )
    rise = high[:, 2] - low[:, 2]
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = [np.where(rise == 0, s, (z - low[:, 2]) / rise) for s, z in ((0, -HALF), (1, HALF))]
    places = low + np.clip(ends, 0, 1)[:, :, None] * (high - low)
    far = np.where(np.abs(places[..., 2]) <= HALF + 1e-9, np.hypot(*places.T[:2]).T, 0)
    end, k = np.unravel_index(far.argmax(), far.shape)
    if width < 1:
        return far[end, k], places[end, k, 0]
    return farthest(first, last, half, pose, t[k], 0.01)


@pytest.mark.parametrize("hollow", [PIPE, GUTTER], ids=["tube", "half-pipe"])
@pytest.mark.parametrize("name", SOLIDS)
def test_the_gap_in_a_bore_is_that_of_all_points_of_the_solid(name, hollow):
    first, last, half, shape = SOLIDS[name]
    rng, seen, table = np.random.default_rng(7), 0, shape_table([hollow, shape])
    for n in range(80):
        tilt = (0.0, 1e-9, 1e-4, 0.05, 0.25)[n % 5]
        way = rng.uniform(-1.2, 1.2)
        x = 0.015 * np.array([np.cos(way), np.sin(way)])
        axis = [*rng.normal(size=2), 0.0]
        pose = np.array(rotated(*x, rng.uniform(-0.2, 0.2), axis, tilt))
        pose[:2] *= 1 + (BORE - farthest(first, last, half, pose)[0] - 1e-4) / 0.015
        far, side = farthest(first, last, half, pose)
        gap = BORE - far
        if abs(gap) > 2e-3 or (hollow is GUTTER and side < 0):
            continue
        found = contacts_of(table, poses(HERE, pose), None, 5e-3, contact_points())[1]
        count = int(found.count[0])
        seen += 1
        normal = found.normal[:count]
        radial = found.gap[:count] / np.hypot(*normal[:, :2].T)
        assert radial.min() == pytest.approx(gap, abs=3e-7)
        k = int(np.argmin(radial))
        place = found.point[k] - 0.5 * found.gap[k] * normal[k]
        assert np.hypot(*place[:2]) == pytest.approx(BORE, abs=1e-12)
        assert len(set(found.key[:count])) == count <= 6
    assert seen > 30


def test_a_capsule_touches_a_bore_by_its_balls_and_the_rim_by_what_passes_it():
    rod = ContactShape(CAPSULE, (0.05, 0.1), 1)
    least = lambda pose: contacts([PIPE, rod], poses(HERE, pose), 5e-3)
    level = lambda z: rotated(0.0299, 0, z, [1, 0, 0], 0)
    for z, places in ((0.0, (-0.1, 0.1)), (0.2, (0.1, 0.2)), (-0.25, (-0.2, -0.15))):
        found, count = least(level(z))
        assert count == 2 and found.gap[:2] == pytest.approx(1e-4, abs=1e-15)
        assert sorted(found.point[:2, 2]) == pytest.approx(places, abs=1e-12)
    # tilted: the ball farther from the axis, at sin a half the length of the axis
    found, count = least(rotated(0.015, 0, 0.0, [0, 1, 0], 0.14))
    assert count == 1 and found.gap[0] == pytest.approx(
        BORE - 0.015 - 0.1 * np.sin(0.14) - 0.05, abs=1e-15
    )


def test_a_disc_wider_than_the_bore_lies_on_the_end():
    lid = ContactShape(CYLINDER, (0.081, 0.01), 1)
    for down in (1e-9, 1e-5):
        found, count = contacts([PIPE, lid], poses(HERE, (0, 0, HALF + 0.01 - down)), 1e-3)
        assert count >= 3 and found.gap[:count] == pytest.approx(-down, abs=1e-12)
        assert np.abs(found.normal[:count, 2]) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("turn", [0.0, 1e-12, 1e-9])
def test_a_plug_as_long_as_the_bore_is_held_at_both_ends(turn):
    plug = ContactShape(CYLINDER, (0.0799, HALF), 1)
    found, count = contacts([PIPE, plug], poses(HERE, rotated(1e-4, 0, 0, [3, 1, 0], turn)), 1e-5)
    assert count == 2 and found.gap[:2] == pytest.approx(0.0, abs=1e-9)
    assert sorted(found.point[:2, 2]) == pytest.approx([-HALF, HALF], abs=1e-9)
