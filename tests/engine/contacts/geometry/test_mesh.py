"""Meshes that do not move: exact on faces and ridges, deaf on inner edges."""

import numpy as np
import pytest

from mechstudio.engine.contacts.geometry.search import contacts_of
from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    CAPSULE,
    CYLINDER,
    ELLIPSOID,
    HULL,
    MESH,
    PLANE,
    SPHERE,
    ContactShape,
    shape_table,
)
from mechstudio.engine.contacts.geometry.work import contact_points
from tests.engine.contacts.geometry.test_manifolds import contacts, poses, rotated


def floor(cells=8, size=0.1, seed=0):
    """A flat square of unequal triangles at z = 0 about the origin."""
    rng = np.random.default_rng(seed)
    n = cells + 1
    x, y = np.meshgrid(np.arange(n) - cells / 2, np.arange(n) - cells / 2, indexing="ij")
    points = np.stack([x, y, 0 * x], 2).reshape(-1, 3) * size
    inner = (np.abs(points[:, :2]) < size * (cells / 2 - 0.5)).all(1)
    points[inner, :2] += rng.uniform(-0.2, 0.2, (inner.sum(), 2)) * size
    triangles = []
    for i in range(cells):
        for j in range(cells):
            a, b, c, d = i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return points, np.array(triangles)


CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
CUBE_TRIANGLES = np.array(
    [
        (0, 1, 3),
        (0, 3, 2),
        (4, 6, 7),
        (4, 7, 5),
        (0, 4, 5),
        (0, 5, 1),
        (2, 3, 7),
        (2, 7, 6),
        (0, 2, 6),
        (0, 6, 4),
        (1, 5, 7),
        (1, 7, 3),
    ]
)
THINGS = [
    ContactShape(SPHERE, (0.05,), 0),
    ContactShape(BOX, (0.08, 0.06, 0.05), 0),
    ContactShape(CAPSULE, (0.05, 0.07), 0, turn=(np.sqrt(0.5), np.sqrt(0.5), 0, 0)),
    ContactShape(CYLINDER, (0.06, 0.05), 0),
    ContactShape(CYLINDER, (0.05, 0.08), 0, turn=(np.sqrt(0.5), 0, np.sqrt(0.5), 0)),
]


@pytest.mark.parametrize(
    "thing",
    [THINGS[0], pytest.param(THINGS[1], marks=pytest.mark.slow), *THINGS[2:]],
    ids=["sphere", "box", "capsule", "cylinder standing", "cylinder lying"],
)
@pytest.mark.thinned(2)
def test_nothing_catches_on_a_flat_mesh(thing):
    points, triangles = floor()
    ground = ContactShape(MESH, points=points, triangles=triangles)
    table = [ground, thing]
    rng = np.random.default_rng(1)
    for _ in range(40):
        depth = rng.choice([1e-4, -1e-4, 1e-6, -2e-3])
        found, count = contacts(
            table,
            poses(rotated(*rng.uniform(-0.2, 0.2, 2), 0.05 - depth, [0, 0, 1], rng.uniform(0, 6))),
            5e-3,
        )
        assert count >= 1
        assert found.normal[:count] == pytest.approx(np.tile([0.0, 0.0, 1.0], (count, 1)), abs=1e-9)
        assert found.gap[:count].min() == pytest.approx(-depth, abs=1e-9)
        if thing.kind == BOX:
            assert count == 4
    # tilted, but on the same plane: still along its normal
    for _ in range(40):
        angle = rng.uniform(-0.3, 0.3)
        found, count = contacts(
            table,
            poses(rotated(*rng.uniform(-0.2, 0.2, 2), 0.055, rng.normal(size=3), angle)),
            5e-3,
        )
        if count:
            assert found.normal[:count, 2] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("thing", [THINGS[2], THINGS[4]], ids=["capsule", "cylinder lying"])
@pytest.mark.thinned(3)
def test_a_tilted_line_has_its_own_gap_over_every_triangle(thing):
    """A line of a body that leans over a flat mesh of small triangles is as high over each of them
    as it is there: no point is reported as touching because the low end does.
    """
    points, triangles = floor(40, 0.02)
    rng = np.random.default_rng(4)
    for _ in range(30):
        lean, turn = rng.uniform(0.005, 0.08), rng.uniform(0, 6)
        where = poses(
            rotated(*rng.uniform(-0.1, 0.1, 2), 0.054, [-np.sin(turn), np.cos(turn), 0.0], lean)
        )
        flat, n = contacts([ContactShape(PLANE), thing], where, 0.02)
        found, count = contacts(
            [ContactShape(MESH, points=points, triangles=triangles), thing], where, 0.02
        )
        assert count >= 1 and found.normal[:count] == pytest.approx(
            np.tile([0.0, 0.0, 1.0], (count, 1)), abs=1e-9
        )
        assert found.gap[:count].min() == pytest.approx(flat.gap[:n].min(), abs=1e-9)
        # midway between the line and the plane z = 0
        assert found.gap[:count] == pytest.approx(2.0 * found.point[:count, 2], abs=1e-9)


def test_a_ball_right_over_an_edge_between_flat_neighbours_touches():
    """A cube's side is two triangles; the middle of the ball stands over their common edge."""
    mesh = ContactShape(MESH, points=CUBE, triangles=CUBE_TRIANGLES)
    for x in np.linspace(-0.4, 0.4, 9):
        for depth in (1e-3, -1e-9, -1e-3, -0.05):
            for y in (x, -x):
                where = poses([x, y, 0.6 + depth])
                found, count = contacts([mesh, ContactShape(SPHERE, (0.1,), 0)], where, 2e-3)
                assert count == 1
                assert found.gap[0] == pytest.approx(depth, abs=1e-12)
                assert found.normal[0] == pytest.approx((0, 0, 1), abs=1e-9)


def test_sphere_around_a_cube_as_from_a_box():
    mesh, box = (
        ContactShape(MESH, points=CUBE, triangles=CUBE_TRIANGLES),
        ContactShape(BOX, (0.5, 0.5, 0.5)),
    )
    rng = np.random.default_rng(2)
    for _ in range(200):
        direction = rng.normal(size=3)
        centre = direction / np.abs(direction).max() * 0.5 + 0.09 * rng.normal(size=3)
        if np.abs(centre).max() < 0.5:
            continue
        where = poses(centre)
        expected, n = contacts([box, ContactShape(SPHERE, (0.1,), 0)], where, 0.02)
        found, count = contacts([mesh, ContactShape(SPHERE, (0.1,), 0)], where, 0.02)
        assert count == n
        if n:
            assert found.gap[0] == pytest.approx(expected.gap[0], abs=1e-12) and found.normal[
                0
            ] == pytest.approx(expected.normal[0], abs=1e-9)
            assert found.point[0] == pytest.approx(expected.point[0], abs=1e-9)


# a flat floor at z = 0 between two slopes, of triangles that reach far across it
BASIN_OUTLINE = (
    (-1, -0.1),
    (0, -0.1),
    (1, -0.1),
    (1, 0.2),
    (0.95, 0),
    (0, 0),
    (-0.95, 0),
    (-1, 0.2),
)
BASIN = np.array([(x, y, z) for y in (-0.5, 0.5) for x, z in BASIN_OUTLINE])
_FRONT = [(2, 3, 4), (1, 2, 4), (0, 1, 4), (0, 4, 5), (0, 5, 6), (0, 6, 7)]
_SIDES = [(k, (k + 1) % 8, k + 8) for k in range(8)] + [
    ((k + 1) % 8, (k + 1) % 8 + 8, k + 8) for k in range(8)
]
BASIN_TRIANGLES = np.array(
    _FRONT + [(a + 8, c + 8, b + 8) for a, b, c in _FRONT] + [(a, c, b) for a, b, c in _SIDES]
)


@pytest.mark.parametrize(
    "thing",
    [
        ContactShape(ELLIPSOID, (0.05, 0.05, 0.05), 0),
        ContactShape(CYLINDER, (0.05, 0.1), 0, turn=(np.sqrt(0.5), np.sqrt(0.5), 0, 0)),
    ],
    ids=["ellipsoid", "cylinder"],
)
def test_a_round_body_is_touched_at_its_lowest_place(thing):
    """Among far triangles at the same height, where distances are of flat simplices."""
    mesh = ContactShape(MESH, points=BASIN + (0, 0, 0.3), triangles=BASIN_TRIANGLES)
    rng, points, seen = np.random.default_rng(11), contact_points(), 0
    table = shape_table([mesh, thing])
    for _ in range(1500):
        height = 0.35 - 10.0 ** rng.uniform(-9, -5)
        pose = rotated(*rng.uniform(-0.3, 0.3, 2), height, [0, 1, 0], rng.uniform(-3, 3))
        table, found = contacts_of(table, poses(pose), None, 1e-3, points)
        count = int(found.count[0])
        seen += count > 0
        assert np.abs(found.point[:count, 0] - pose[0]).max() < 0.02
        assert found.gap[:count].min() == pytest.approx(height - 0.35, abs=1e-7)
    assert seen == 1500


def test_box_on_the_ridge_of_a_roof():
    roof = np.array(
        [[-1, -1, -1], [1, -1, -1], [-1, 0, 0], [1, 0, 0], [-1, 1, -1], [1, 1, -1]], float
    )
    mesh = ContactShape(
        MESH, points=roof, triangles=np.array([(0, 1, 3), (0, 3, 2), (2, 3, 5), (2, 5, 4)])
    )
    found, count = contacts(
        [mesh, ContactShape(BOX, (0.1, 0.1, 0.05), 0)], poses([0.13, 0.02, 0.05 - 1e-4])
    )
    assert found.normal[:count] == pytest.approx(np.tile([0.0, 0.0, 1.0], (count, 1)), abs=1e-9)
    assert found.gap[:count] == pytest.approx(-1e-4, abs=1e-9)
    # both ends of the ridge under the box
    assert sorted({tuple(p) for p in np.round(found.point[:count, :2], 6)}) == [
        (0.03, 0.0),
        (0.23, 0.0),
    ]
    # beside the ridge the box lies on one slope
    s = np.sqrt(0.5)
    found, count = contacts(
        [mesh, ContactShape(BOX, (0.1, 0.1, 0.05), 0)],
        poses(rotated(0.0, 0.5 + 0.05 * s, -0.5 + 0.05 * s, [1, 0, 0], -np.pi / 4)),
    )
    assert count == 4 and found.normal[:count] == pytest.approx(
        np.tile([0.0, s, s], (4, 1)), abs=1e-9
    )


def test_sphere_in_a_groove_has_two_contacts():
    s = np.sqrt(0.5)
    groove = np.array(
        [[-1, -1, 1], [1, -1, 1], [-1, 0, 0], [1, 0, 0], [-1, 1, 1], [1, 1, 1]], float
    )
    mesh = ContactShape(
        MESH, points=groove, triangles=np.array([(0, 1, 3), (0, 3, 2), (2, 3, 5), (2, 5, 4)])
    )
    found, count = contacts(
        [mesh, ContactShape(SPHERE, (0.1,), 0)], poses([0.1, 0.0, 0.1 * np.sqrt(2) - 1e-5])
    )
    assert count == 2 and sorted(map(tuple, np.round(found.normal[:2], 9))) == [
        (0, round(-s, 9), round(s, 9)),
        (0, round(s, 9), round(s, 9)),
    ]
    assert found.gap[:2] == pytest.approx(-1e-5 * s, abs=1e-12)


def test_a_mesh_is_open_from_behind():
    points, triangles = floor()
    for thing in THINGS:
        assert (
            contacts(
                [ContactShape(MESH, points=points, triangles=triangles), thing],
                poses([0.01, 0.02, -0.06]),
            )[1]
            == 0
        )


def test_a_mesh_that_moves_is_its_hull():
    assert (
        shape_table([ContactShape(MESH, body=0, points=CUBE, triangles=CUBE_TRIANGLES)]).kind[0]
        == HULL
    )
