"""Shapes with hollows: tubes and half-pipes in closed form, moving meshes with all else."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from mechstudio.engine.contacts.geometry.shapes import (
    BOX,
    HULL,
    MESH,
    PLANE,
    SPHERE,
    TROUGH,
    TUBE,
    ContactShape,
    ContactShapeError,
    shape_table,
)
from mechstudio.model.geometry.forms import FACETS, OFF
from mechstudio.model.geometry.hollow import trough, tube
from tests.engine.contacts.geometry.test_manifolds import contacts, poses, rotated
from tests.engine.contacts.geometry.test_mesh import CUBE, CUBE_TRIANGLES

OUTER, INNER, HALF = 0.1, 0.08, 0.2
PIPE = ContactShape(TUBE, (OUTER, INNER, HALF), 0)
GUTTER = ContactShape(TROUGH, (OUTER, INNER, HALF), 0)
HERE = rotated(0, 0, 0, [0, 0, 1], 0)


def at(x, y=0.0, z=0.0):
    return rotated(x, y, z, [0, 0, 1], 0)


def angle_iron(scale=1.0, stretch=1.0):
    """Corners and triangles of an L, flat in xz, 1 m wide and high, its legs 0.3 m thick."""
    flat = [(0, 0), (1, 0), (1, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)]
    n = len(flat)
    points = np.array([(x, y, z) for y in (-0.2, 0.2) for x, z in flat])
    triangles = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    triangles += [(a + n, c + n, b + n) for a, b, c in triangles]
    for k in range(n):
        m = (k + 1) % n
        triangles += [(k, k + n, m + n), (k, m + n, m)]
    return points * (scale, scale * stretch, scale), np.array(triangles)


def iron(body, **sizes):
    points, triangles = angle_iron(**sizes)
    return ContactShape(MESH, (), body, points=points, triangles=triangles)


def on_surface(half_only, count=700):
    """Points all over a tube or half-pipe."""
    t = np.linspace(-np.pi / 2, np.pi / 2, count) if half_only else np.linspace(0, 2 * np.pi, count)
    u = np.linspace(INNER, OUTER, 31)
    z = np.linspace(-HALF, HALF, 401)
    parts = []
    for r in (INNER, OUTER):
        a, b = np.meshgrid(t, z)
        parts.append(np.stack([r * np.cos(a), r * np.sin(a), b], 2).reshape(-1, 3))
    for end in (-HALF, HALF):
        a, b = np.meshgrid(t, u)
        parts.append(np.stack([b * np.cos(a), b * np.sin(a), 0 * a + end], 2).reshape(-1, 3))
    if half_only:
        a, b = np.meshgrid(u, z)
        parts += [np.stack([0 * a, s * a, b], 2).reshape(-1, 3) for s in (-1, 1)]
    return np.concatenate(parts)


@pytest.mark.parametrize(
    "shape", [pytest.param(PIPE, marks=pytest.mark.slow), GUTTER], ids=["tube", "half-pipe"]
)
def test_the_gap_of_a_ball_is_its_distance(shape):
    rng = np.random.default_rng(3)
    surface, radius, seen = cKDTree(on_surface(shape is GUTTER)), 0.015, 0
    for _ in range(150):
        p = rng.uniform(-1, 1, 3) * (0.14, 0.14, 0.24)
        found, count = contacts(
            [shape, ContactShape(SPHERE, (radius,), 1)], poses(HERE, at(*p)), 0.05
        )
        distance = float(surface.query(p)[0])
        u = np.hypot(p[0], p[1])
        inside = INNER < u < OUTER and abs(p[2]) < HALF and (shape is PIPE or p[0] > 0)
        gap = (-distance if inside else distance) - radius
        if gap > 0.05:
            assert count == 0
            continue
        seen += 1
        # the sampled points stand 1 mm apart
        assert found.gap[:count].min() == pytest.approx(gap, abs=3e-7 / max(distance, 5e-4))
        # the place lies midway between both surfaces, and on the line from the ball's middle
        k = int(np.argmin(found.gap[:count]))
        across = p + (radius + 0.5 * found.gap[k]) * found.normal[k] * (
            1 if found.shape_a[k] == 1 else -1
        )
        assert found.point[k] == pytest.approx(across, abs=1e-12)
    assert seen > 50


def test_a_ball_in_a_bore_is_held_to_rounding():
    for angle in (0.0, 0.3, 2.0, -1.0):
        place = 0.0649 * np.array([np.cos(angle), np.sin(angle), 0.0])
        found, count = contacts(
            [PIPE, ContactShape(SPHERE, (0.015,), 1)], poses(HERE, at(*place)), 1e-3
        )
        assert count == 1 and found.gap[0] == pytest.approx(1e-4, abs=1e-15)
        assert found.normal[0] == pytest.approx(-place / 0.0649, abs=1e-12)


def test_a_ball_on_a_ring_rests_on_three_places():
    height = np.sqrt(0.1**2 - INNER**2)
    found, count = contacts(
        [PIPE, ContactShape(SPHERE, (0.1,), 1)], poses(HERE, at(0, 0, HALF + height)), 1e-3
    )
    assert count == 3 and found.gap[:3] == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(found.normal[:3].sum(0)[:2]) < 1e-12


def test_a_ball_between_the_lips_of_a_half_pipe_touches_both():
    found, count = contacts(
        [GUTTER, ContactShape(SPHERE, (0.09,), 1)], poses(HERE, at(-0.04)), 0.02
    )
    gap = np.hypot(0.04, INNER) - 0.09
    assert count == 2 and found.gap[:2] == pytest.approx(gap, abs=1e-12)


@pytest.mark.parametrize(("make", "share"), [(tube, 1.0), (trough, 0.5)])
def test_facets_enclose_the_volume(make, share):
    points, triangles = map(np.array, make((1 + OFF) * OUTER, (1 + OFF) * INNER, HALF, FACETS))
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", np.cross(a, b), c) / 6
    exact = share * np.pi * (OUTER**2 - INNER**2) * 2 * HALF
    # chords lie as far inside as the corners outside: the area is off by a third of that
    assert volume == pytest.approx(exact, rel=3e-4)
    radii = np.hypot(*points[:, :2].T)
    assert np.abs(radii[: len(radii) // 2] - OUTER).max() < 3e-4 * OUTER


def test_a_box_in_a_tube_touches_facets_near_the_bore():
    found, count = contacts(
        [PIPE, ContactShape(BOX, (0.02, 0.02, 0.02), 1)], poses(HERE, at(0.057)), 5e-3
    )
    gap = INNER - np.hypot(0.077, 0.02)
    assert count >= 4 and found.gap[:count].min() == pytest.approx(gap, abs=3e-4 * INNER)


def test_a_tube_needs_a_wall():
    with pytest.raises(ContactShapeError, match="no wall"):
        shape_table([ContactShape(TUBE, (0.1, 0.1, 0.2), 0)])


def test_moving_meshes_are_hulls_only_where_they_are_convex():
    cube = ContactShape(MESH, (), 0, points=CUBE, triangles=CUBE_TRIANGLES)
    assert shape_table([cube]).kind[0] == HULL
    assert shape_table([iron(0)]).kind[0] == MESH
    # without an inside nothing is known of its hollows
    points, triangles = angle_iron()
    open_ = ContactShape(MESH, (), 0, points=points, triangles=triangles[1:])
    assert shape_table([open_]).kind[0] == HULL


def test_a_ball_lies_in_the_hollow_of_a_moving_mesh():
    pose = rotated(0.4, -0.2, 0.7, [1, 2, 3], 0.8)
    turn = rotated(0, 0, 0, [1, 2, 3], 0.8)
    found, count = contacts([iron(0), ContactShape(SPHERE, (0.1,), 1)], poses(pose, pose), 0.01)
    assert count == 0 or found.gap[:count].min() < 0
    from mechstudio.model.geometry.rotation import rotate

    place = np.array(rotate(turn[3:], (0.401, 0.0, 0.402))) + pose[:3]
    found, count = contacts(
        [iron(0), ContactShape(SPHERE, (0.1,), 1)], poses(pose, (*place, 1, 0, 0, 0)), 0.01
    )
    assert sorted(found.gap[:count]) == pytest.approx([1e-3, 2e-3], abs=1e-9)
    ways = {0.001: (1, 0, 0), 0.002: (0, 0, 1)}
    for k in range(count):
        way = rotate(turn[3:], ways[round(float(found.gap[k]), 3)])
        assert found.normal[k] == pytest.approx(way, abs=1e-9)


@pytest.mark.parametrize(
    "thing",
    [
        ContactShape(SPHERE, (0.05,), 1),
        ContactShape(BOX, (0.05, 0.04, 0.03), 1),
        iron(1, scale=0.1),
    ],
    ids=["ball", "box", "mesh"],
)
def test_deep_penetration_gets_the_normal_of_the_shortest_way_out(thing):
    found, count = contacts([iron(0), thing], poses(HERE, at(0.5, 0.0, 0.07)), 0.01)
    assert count >= 1 and (found.gap[:count] < -0.05).any()
    # downwards is the shortest way out: against the normal from the L to the thing
    k = int(np.argmin(found.gap[:count]))
    assert found.normal[k] == pytest.approx((0, 0, -1), abs=1e-9)


def test_a_moving_mesh_stands_on_a_plane_by_the_corners_of_its_hull():
    found, count = contacts([iron(0), ContactShape(PLANE)], poses(at(0, 0, 1e-3)), 0.01)
    assert count == 4 and found.gap[:4] == pytest.approx(1e-3, abs=1e-12)


def test_a_mesh_in_the_hollow_of_another_touches_both_faces():
    found, count = contacts([iron(0), iron(1)], poses(HERE, at(0.301, 0.05, 0.3012)), 0.01)
    normals, gaps = found.normal[:count], found.gap[:count]
    wall, floor = normals[:, 0] > 0.99, normals[:, 2] > 0.99
    assert (wall | floor).all() and wall.sum() == floor.sum() == 4
    assert gaps[wall] == pytest.approx(1e-3, abs=1e-12)
    assert gaps[floor] == pytest.approx(1.2e-3, abs=1e-12)
    assert len(set(found.key[:count])) == count


def legs(body):
    """The same L as two boxes."""
    sides = ((1.0, 0.4, 0.3), (0.3, 0.4, 0.7))
    places = ((0.5, 0, 0.15), (0.15, 0, 0.65))
    return [ContactShape(HULL, (), body, points=CUBE * s + p) for s, p in zip(sides, places)]


def test_the_least_gap_of_two_meshes_is_that_of_their_parts():
    """Brought to 1 mm of each other along the normal of their boxes, at random attitudes."""
    rng = np.random.default_rng(5)
    seen = 0
    for _ in range(60):
        pose = np.array(rotated(*rng.uniform(-1.4, 1.4, 3), rng.normal(size=3), rng.uniform(0, 3)))
        parts, count = contacts([*legs(0), *legs(1)], poses(HERE, pose), 2.0)
        k = int(np.argmin(parts.gap[:count]))
        if parts.gap[k] <= 1e-3:
            continue
        pose[:3] -= (parts.gap[k] - 1e-3) * parts.normal[k]
        parts, count = contacts([*legs(0), *legs(1)], poses(HERE, pose), 0.1)
        least = parts.gap[:count].min()
        found, count = contacts([iron(0), iron(1)], poses(HERE, pose), 0.1)
        seen += 1
        assert found.gap[:count].min() == pytest.approx(least, abs=1e-6)
    assert seen > 20
