"""Contact points that a pair of shapes reports: as many as hold it, with names that stay."""

import numpy as np
import pytest

from mechstudio.engine.contacts.geometry.search import contacts_of
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    DISC,
    PLANE,
    SPHERE,
    ContactShape,
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points


def poses(*rows):
    return np.array([[*r, 1.0, 0.0, 0.0, 0.0][:7] if len(r) == 3 else r for r in rows], float)


def rotated(x, y, z, axis, angle):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    return [x, y, z, np.cos(angle / 2), *(np.sin(angle / 2) * axis)]


def contacts(shapes, where, margin=1e-3, **more):
    points = contacts_of(shape_table(shapes, **more), where, None, margin, contact_points())[1]
    return points, int(points.count[0])


def test_box_on_plane_stands_on_four_corners():
    points, count = contacts(
        [ContactShape(PLANE), ContactShape(BOX, (0.1, 0.1, 0.05), 0)],
        poses([0.3, -0.2, 0.05 - 1e-4]),
    )
    assert count == 4 and points.gap[:4] == pytest.approx(-1e-4, abs=1e-15)
    assert points.normal[:4] == pytest.approx(np.tile([0.0, 0.0, 1.0], (4, 1)), abs=1e-15)
    assert sorted(map(tuple, np.round(points.point[:4, :2] - [0.3, -0.2], 12))) == [
        (-0.1, -0.1),
        (-0.1, 0.1),
        (0.1, -0.1),
        (0.1, 0.1),
    ]
    assert (
        len(set(points.key[:4])) == 4
        and set(points.body_a[:4]) == {-1}
        and set(points.body_b[:4]) == {0}
    )


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, np.pi / 4])
def test_box_on_box_touches_by_the_corners_of_the_common_area(angle):
    shapes = [ContactShape(BOX, (0.1, 0.1, 0.05), 0), ContactShape(BOX, (0.1, 0.1, 0.05), 1)]
    points, count = contacts(
        shapes, poses([0, 0, 0], rotated(0.0, 0.0, 0.1 + 1e-4, [0, 0, 1], angle))
    )
    assert count == (4 if angle < 1e-6 else 8)
    assert points.gap[:count] == pytest.approx(1e-4, abs=1e-13) and points.normal[
        :count, 2
    ] == pytest.approx(1.0, abs=1e-13)
    assert points.point[:count, 2] == pytest.approx(0.05 + 0.5e-4, abs=1e-13)
    # the area whose corners they are
    x, y = points.point[:count, :2].T
    order = np.argsort(np.arctan2(y, x))
    area = 0.5 * abs(
        np.dot(x[order], np.roll(y[order], 1)) - np.dot(y[order], np.roll(x[order], 1))
    )
    # an octagon of two equal squares: in-radius 0.1, each side 0.2 tan(a/2) or 0.2 tan(45 deg -
    # a/2) long, so area = sum of 0.1 side / 2
    expected = 4 * 0.1 * 0.1 * (np.tan(angle / 2) + np.tan(np.pi / 4 - angle / 2))
    assert area == pytest.approx(expected, rel=1e-5)
    assert len(set(points.key[:count])) == count


def test_keys_stay_while_the_boxes_move_a_little():
    shapes = [ContactShape(BOX, (0.1, 0.1, 0.05), 0), ContactShape(BOX, (0.08, 0.06, 0.05), 1)]
    seen = set()
    rng = np.random.default_rng(3)
    for _ in range(50):
        shift, tilt = 1e-7 * rng.normal(size=3), rng.normal(size=3)
        points, count = contacts(
            shapes,
            poses([0, 0, 0], rotated(0.03 + shift[0], 0.05 + shift[1], 0.1 + shift[2], tilt, 1e-7)),
        )
        assert count == 4
        seen.add(tuple(sorted(points.key[:count])))
    assert len(seen) == 1


def test_crossing_edges_have_the_common_perpendicular():
    # two beams, each standing on an edge, crossing at a right angle
    shapes = [ContactShape(BOX, (0.5, 0.02, 0.02), 0), ContactShape(BOX, (0.02, 0.5, 0.02), 1)]
    high = 0.02 * np.sqrt(2)
    for depth in (1e-4, -1e-4):
        points, count = contacts(
            shapes,
            poses(
                rotated(0, 0, 0, [1, 0, 0], np.pi / 4),
                rotated(0.01, 0.03, 2 * high - depth, [0, 1, 0], np.pi / 4),
            ),
            1e-3,
        )
        least = np.argmin(points.gap[:count])
        assert points.gap[least] == pytest.approx(-depth, abs=1e-14)
        assert points.normal[least] == pytest.approx([0, 0, 1], abs=1e-14)
        assert points.point[least] == pytest.approx([0.01, 0.0, high - depth / 2], abs=1e-14)


def test_coincident_shapes_have_numbers():
    for a in (ContactShape(SPHERE, (0.1,), 0), ContactShape(BOX, (0.1, 0.2, 0.3), 0)):
        for b in (ContactShape(SPHERE, (0.1,), 1), ContactShape(BOX, (0.1, 0.2, 0.3), 1)):
            points, count = contacts([a, b], poses([0, 0, 0], [0, 0, 0]))
            assert (
                count >= 1
                and np.all(np.isfinite(points.gap[:count]))
                and np.all(np.isfinite(points.point[:count]))
            )
            assert (
                np.linalg.norm(points.normal[:count], axis=1) == pytest.approx(1.0, abs=1e-12)
                and points.gap[:count].min() < 0.0
            )


LYING = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)  # axis z of the shape along x


@pytest.mark.parametrize(
    "ground",
    [ContactShape(PLANE), ContactShape(BOX, (1.0, 1.0, 0.1), place=(0.0, 0.0, -0.1))],
    ids=["plane", "box"],
)
@pytest.mark.parametrize(
    "roller",
    [
        ContactShape(CYLINDER, (0.1, 0.15), 0, turn=LYING),
        ContactShape(CAPSULE, (0.1, 0.15), 0, turn=LYING),
    ],
    ids=["cylinder", "capsule"],
)
def test_a_roller_keeps_both_ends_of_its_line(ground, roller):
    seen = set()
    for angle in np.linspace(0.0, 2.0, 25):
        # rolled along y by r times the angle
        points, count = contacts(
            [ground, roller], poses(rotated(0.2, -0.1 * angle, 0.1 - 1e-5, [1, 0, 0], angle))
        )
        assert count == 2 and points.gap[:2] == pytest.approx(-1e-5, abs=1e-10)
        assert points.normal[:2] == pytest.approx(np.tile([0.0, 0.0, 1.0], (2, 1)), abs=1e-7)
        assert sorted(points.point[:2, 0]) == pytest.approx(
            [0.05, 0.35], abs=1e-7
        ) and points.point[:2, 1] == pytest.approx(-0.1 * angle, abs=1e-7)
        seen.add(tuple(sorted(points.key[:2])))
    assert len(seen) == 1


@pytest.mark.parametrize(
    "ground",
    [ContactShape(PLANE), ContactShape(BOX, (1.0, 1.0, 0.1), place=(0.0, 0.0, -0.1))],
    ids=["plane", "box"],
)
def test_a_disc_lies_on_its_rim_and_rolls_on_one_point_of_it(ground):
    disc = ContactShape(DISC, (0.1, 0.01), 0)
    seen = set()
    for noise in (0.0, 1e-12, -1e-12, 3e-11):
        points, count = contacts([ground, disc], poses(rotated(0.3, 0.1, 0.01, [1, 2, 0], noise)))
        assert count in (4, 8) and points.gap[:count] == pytest.approx(0.0, abs=1e-10)
        assert np.linalg.norm(points.point[:count, :2] - [0.3, 0.1], axis=1) == pytest.approx(
            0.1, abs=1e-8
        )
        seen.add(tuple(sorted(points.key[:count])))
    assert len(seen) == 1
    for tilt in (0.02, 0.5, 1.2):
        high = 0.1 * np.sin(tilt) + 0.01 * np.cos(tilt)
        points, count = contacts(
            [ground, disc], poses(rotated(0.3, 0.1, high - 1e-6, [1, 0.3, 0], tilt)), 1e-4
        )
        least = int(np.argmin(points.gap[:count]))
        assert points.gap[least] == pytest.approx(-1e-6, abs=1e-9) and points.normal[
            least
        ] == pytest.approx([0, 0, 1], abs=1e-6)
        # on the rim below the centre, across the axis of the tilt
        across = np.array([-0.3, 1.0]) / np.hypot(1.0, 0.3)
        way = (points.point[least, :2] - [0.3, 0.1]) @ across
        assert abs(way) == pytest.approx(abs(0.1 * np.cos(tilt) - 0.01 * np.sin(tilt)), abs=1e-6)


def test_a_sphere_between_two_planes_touches_both():
    s = np.sin(np.pi / 8), np.cos(np.pi / 8)
    groove = [
        ContactShape(PLANE, turn=(s[1], s[0], 0, 0)),
        ContactShape(PLANE, turn=(s[1], -s[0], 0, 0)),
    ]
    points, count = contacts(
        [*groove, ContactShape(SPHERE, (0.1,), 0)], poses([0.3, 0.0, 0.1 * np.sqrt(2)])
    )
    h = np.sqrt(0.5)
    assert (
        count == 2
        and points.gap[:2] == pytest.approx(0.0, abs=1e-15)
        and sorted(points.normal[:2, 1]) == pytest.approx([-h, h], abs=1e-15)
    )


def test_parallel_capsules_share_a_line_and_crossed_ones_a_point():
    rod = lambda body: ContactShape(CAPSULE, (0.05, 0.3), body, turn=LYING)
    points, count = contacts([rod(0), rod(1)], poses([0, 0, 0], [0.2, 0.0, 0.1]))
    assert (
        count == 2
        and sorted(points.point[:2, 0]) == pytest.approx([-0.1, 0.3], abs=1e-12)
        and points.gap[:2] == pytest.approx(0.0, abs=1e-15)
    )
    points, count = contacts(
        [rod(0), rod(1)], poses([0, 0, 0], rotated(0.2, 0.0, 0.1, [0, 0, 1], 1.0))
    )
    assert count == 1 and points.point[0] == pytest.approx([0.2, 0.0, 0.05], abs=1e-12)
