"""Meshes: their volumes against closed forms, convergence to round bodies, and every reason why a
surface encloses nothing.
"""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.model.geometry import mesh as meshes
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.mass_properties import from_shapes, mass_properties
from mechstudio.model.mechanism import Body, Placement, Shape
from mechstudio.model.quantity import Quantity, values, vector
from tests import scenes

TETRAHEDRON = (
    np.array([(0.0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]),
    np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
)
ANGLES = st.tuples(*[st.floats(-3, 3)] * 3)


def made(points, triangles, source="part.stl"):
    return Mesh(*meshes.packed(points, triangles), source)


def inertia(solid):
    return np.array(solid.inertia)


def test_a_tetrahedron():
    # int dV = 1/6, int x = 1/24, int x^2 = 1/60, int x y = 1/120 over x, y, z >= 0, x + y + z <= 1
    # (Dirichlet's integrals)
    s = meshes.solid(made(*TETRAHEDRON))
    assert s.volume == pytest.approx(1 / 6, rel=1e-15) and s.center == pytest.approx(
        (0.25,) * 3, rel=1e-15
    )
    second = np.full((3, 3), 1 / 120) + np.eye(3) / 120 - np.full((3, 3), 1 / 16) / 6
    np.testing.assert_allclose(inertia(s), np.trace(second) * np.eye(3) - second, atol=1e-16)
    assert (s.low, s.high) == ((0, 0, 0), (1, 1, 1))


@pytest.mark.parametrize("away", [0.0, 1.0, 1e4])
def test_a_box_mesh_is_a_box(away):
    """Also ten kilometres from its file's origin."""
    points, triangles = scenes.box_mesh(0.3, 0.1, 0.2)
    mesh = from_shapes(Body("b", "b", (scenes.mesh_shape(points + away, triangles),)))
    box = from_shapes(Body("b", "b", (scenes.shape("box", length=0.3, depth=0.1, height=0.2),)))
    digits = 1e-14 + 1e-15 * away / 0.1
    assert mesh.mass == pytest.approx(box.mass, rel=digits) and mesh.center == pytest.approx(
        (away,) * 3, rel=1e-14, abs=1e-16
    )
    np.testing.assert_allclose(
        mesh.inertia, box.inertia, atol=20 * digits * np.abs(box.inertia).max()
    )


def test_a_body_that_is_not_convex():
    """An L of three cubes: two boxes by Steiner."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    points = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in outline])
    sides = [
        t
        for k in range(6)
        for t in ((k, (k + 1) % 6, (k + 1) % 6 + 6), (k, (k + 1) % 6 + 6, k + 6))
    ]
    l_shape = made(
        points,
        np.array([f[::-1] for f in faces] + [tuple(i + 6 for i in f) for f in faces] + sides),
    )
    assert meshes.check(l_shape) == ""
    boxes = (
        scenes.shape("box", at=(1, 0.5, 0.5), length=2, depth=1, height=1),
        scenes.shape("box", at=(0.5, 1.5, 0.5), length=1, depth=1, height=1),
    )
    expected = from_shapes(
        Body("b", "b", tuple(msgspec.structs.replace(b, density=Quantity(1.0)) for b in boxes))
    )
    s = meshes.solid(l_shape)
    assert s.volume == pytest.approx(3, rel=1e-15) and s.center == pytest.approx(
        expected.center, rel=1e-14
    )
    np.testing.assert_allclose(inertia(s), expected.inertia, atol=1e-14)


def test_a_hollow_is_subtracted():
    (outer, t), (inner, _) = scenes.box_mesh(2, 2, 2), scenes.box_mesh(1, 1, 1)
    s = meshes.solid(
        made(np.concatenate([outer, inner + (0.1, 0, 0)]), np.concatenate([t, t[:, ::-1] + 8]))
    )
    assert s.volume == pytest.approx(7) and s.center == pytest.approx((-0.1 / 7, 0, 0))


@pytest.mark.parametrize("kind", ["ball", "cylinder"])
def test_meshes_of_round_bodies_converge_with_the_square_of_their_segments(kind):
    """Chords miss the arc by the square of their length: halving them leaves a quarter of the error
    in volume and moments (order 2).
    """
    r, h = 0.1, 0.3
    if kind == "ball":
        exact = 4 / 3 * math.pi * r**3, 8 / 15 * math.pi * r**5
        surface = lambda n: scenes.ball_mesh(n, r)
    else:
        exact = math.pi * r * r * h, math.pi * r**4 * h / 2
        surface = lambda n: scenes.grid_mesh([(0, -h / 2), (r, -h / 2), (r, h / 2), (0, h / 2)], n)
    errors = []
    for n in (16, 32, 64, 128):
        s = meshes.solid(made(*surface(n)))
        errors.append([exact[0] - s.volume, exact[1] - s.inertia[2][2]])
    order = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert (np.array(errors) > 0).all() and np.abs(order - 2).max() < 0.05


@settings(max_examples=40)
@given(ANGLES, st.tuples(*[st.floats(-2, 2)] * 3))
def test_turning_and_moving_the_vertices_turns_and_moves_the_solid(angles, shift):
    """I -> R I R^T about the centroid, which goes along; and the placement of a shape does the same
    as its vertices.
    """
    points, triangles = scenes.grid_mesh([(0, -0.1), (0.2, -0.1), (0.05, 0.1), (0, 0.1)], 7)
    points = points * (1, 1.5, 1) + (0.1, 0, 0)
    R, t = np.array(matrix(from_angles(*angles))), np.array(shift)
    one, two = (
        meshes.solid(made(points, triangles)),
        meshes.solid(made(points @ R.T + t, triangles)),
    )
    assert two.volume == pytest.approx(one.volume, rel=1e-12)
    np.testing.assert_allclose(two.center, R @ one.center + t, atol=1e-14)
    np.testing.assert_allclose(
        inertia(two), R @ inertia(one) @ R.T, atol=1e-12 * inertia(one).max()
    )
    placed = from_shapes(
        Body(
            "b",
            "b",
            (
                Shape(
                    "mesh",
                    {},
                    placement=Placement(vector(*shift), vector(*angles)),
                    density=Quantity(1.0),
                    mesh=made(points, triangles),
                ),
            ),
        )
    )
    np.testing.assert_allclose(placed.center, two.center, atol=1e-12)
    np.testing.assert_allclose(placed.inertia, two.inertia, atol=1e-12 * inertia(one).max())


def test_a_compound_of_meshes_is_the_whole_by_steiner():
    points, triangles = scenes.box_mesh(0.2, 0.1, 0.2)
    two = from_shapes(
        Body("b", "b", tuple(scenes.mesh_shape(points + (x, 0, 0), triangles) for x in (-0.1, 0.1)))
    )
    one = from_shapes(Body("b", "b", (scenes.shape("box", length=0.4, depth=0.1, height=0.2),)))
    assert two.mass == pytest.approx(one.mass)
    np.testing.assert_allclose(two.inertia, one.inertia, atol=1e-13 * np.abs(one.inertia).max())


def test_points_of_a_mesh():
    points, triangles = scenes.box_mesh(0.3, 0.1, 0.2)
    shape = msgspec.structs.replace(
        scenes.mesh_shape(points + (0.15, 0, 0), triangles), placement=Placement(vector(1, 0, 0))
    )
    known = Body("b", "b", (shape,)).named_points()
    assert (
        known["centre"] == pytest.approx((1.15, 0, 0))
        and known["left"] == pytest.approx((1, 0, 0))
        and known["top"] == pytest.approx((1.15, 0, 0.1))
    )
    assert known["front"] == pytest.approx((1.15, -0.05, 0))


# what encloses nothing

BOX = scenes.box_mesh(0.3, 0.1, 0.2)


def without(*which):
    return made(BOX[0], np.delete(BOX[1], which, axis=0))


def rotated(*which):
    t = BOX[1].copy()
    t[list(which)] = t[list(which)][:, ::-1]
    return made(BOX[0], t)


def wedge():
    """Two tetrahedra with one edge in common, from (0, 0, 0) to (0, 0, 1)."""
    points = np.array([(0.0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)])
    return made(
        points,
        np.array(
            [(0, 3, 2), (0, 2, 1), (0, 1, 3), (2, 3, 1), (0, 5, 4), (0, 4, 1), (0, 1, 5), (4, 5, 1)]
        ),
    )


@pytest.mark.parametrize(
    ("mesh", "words"),
    [
        (Mesh(b"", b""), "no triangles"),
        (Mesh(made(*BOX).vertices[:-5], made(*BOX).triangles), "cut off"),
        (Mesh(made(*BOX).vertices, made(*BOX).triangles[:-5]), "cut off"),
        (Mesh(made(*BOX).vertices[:-24], made(*BOX).triangles), "names a vertex that is not there"),
        (made(BOX[0], BOX[1] - 1), "names a vertex that is not there"),
        (made(BOX[0] * np.nan, BOX[1]), "not a number"),
        (
            made(BOX[0], np.concatenate([BOX[1], [(1, 1, 2)]])),
            "triangle 13 of it has two corners in one",
        ),
        (
            without(0),
            "the surface has a hole near (−150, −16.67, 33.33) mm: 3 open edges",
        ),  # the middle of the rim of triangle 0, 1, 3
        (without(0, 1), "the surface has a hole near (−150, 0, 0) mm: 4 open edges"),
        (without(0, 1, 2, 3), "4 open edges, and 1 more hole"),
        (without(0, 2, 4), "3 open edges, and 2 more holes"),
        (wedge(), "4 triangles meet at the edge near (0, 0, 500) mm, where two should"),
        (rotated(5), "do not face the same way"),
        (rotated(*range(12)), "inside out"),
        (made(BOX[0] * (1, 1, 0), BOX[1]), "encloses no volume"),
        (made(BOX[0] * 1e-6, BOX[1]), "smaller than 0.001 mm"),
        (made(BOX[0] * 1e9, BOX[1]), "larger or farther"),
        (made(BOX[0] + 1e7, BOX[1]), "farther from its origin"),
    ],
)
def test_reasons(mesh, words):
    assert words in meshes.check(mesh)
    assert (
        mass_properties(Body("b", "b", (Shape("mesh", {}, mesh=mesh),))).mass >= 0
    )  # and callers without a request do not fail


def test_a_whole_mesh_has_no_fault():
    for surface in (BOX, TETRAHEDRON, scenes.ball_mesh(9, 0.1)):
        assert meshes.check(made(*surface)) == ""


@given(st.lists(st.integers(0, 219), min_size=1, max_size=6, unique=True))
def test_any_missing_triangle_is_found_and_the_place_lies_on_the_hole(missing):
    points, triangles = scenes.ball_mesh(8, 0.1)
    reason = meshes.check(
        made(points, np.delete(triangles, [k % len(triangles) for k in missing], axis=0))
    )
    assert (
        reason.startswith("the surface has a hole near (")
        and reason.partition(" mm: ")[2].split()[0].isdigit()
    )
    place = [
        float(c.replace("−", "-")) for c in reason.partition("(")[2].partition(")")[0].split(",")
    ]
    middles = points[triangles[[k % len(triangles) for k in missing]]].mean(axis=1) * 1e3
    assert np.linalg.norm(middles - place, axis=1).min() < 45


@given(st.binary(max_size=400), st.binary(max_size=400))
def test_bytes_of_any_kind(vertices, triangles):
    """A reason or none, never an exception; what passes encloses a volume."""
    mesh = Mesh(vertices, triangles)
    if not meshes.check(mesh):
        assert meshes.solid(mesh).volume > 0
    assert meshes.solid(mesh).volume == meshes.solid(mesh).volume


def test_two_hundred_thousand_triangles_do_not_block():
    """Measured in processor time, so that a busy machine does not matter; well above what it takes,
    far below what plain Python would.
    """
    import time

    mesh = made(*scenes.ball_mesh(224, 0.1))
    assert len(mesh.triangles) // 12 > 199_000
    start = time.process_time()
    meshes.solid(mesh)
    first = time.process_time() - start
    start = time.process_time()
    for _ in range(100):
        meshes.solid(mesh)
    assert first < 0.3 and time.process_time() - start < 0.02
    assert values(vector(*meshes.solid(mesh).center)) == pytest.approx((0, 0, 0), abs=1e-12)
