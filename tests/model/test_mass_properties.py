"""Mass, centre and inertia: closed forms, and an independent numerical integral of whatever outline."""

import math

import numpy as np
import pytest

from mechstudio.model.mass_properties import convex_hull, from_shapes, mass_properties, rotated, shape_solid, steiner
from mechstudio.model.mechanism import Body, Placement, Shape
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.rotation import from_angles, matrix

Q = Quantity
RHO = 2700.0
HERE = Placement()


def shape(type, outline=(), placement=HERE, density=RHO, **dimensions):
    return Shape(type, {k: Q(v) for k, v in dimensions.items()}, tuple((Q(x), Q(z)) for x, z in outline), placement, Q(density))


def properties(*shapes):
    return from_shapes(Body("b", "b", shapes))


def assert_inertia(computed, expected, rel=1e-12):
    scale = np.abs(expected).max()
    np.testing.assert_allclose(np.array(computed), expected, rtol=0, atol=rel * scale)


def test_box():
    # m (b^2 + c^2) / 12
    p = properties(shape("box", length=0.3, depth=0.2, height=0.1))
    m = RHO * 0.3 * 0.2 * 0.1
    assert p.mass == pytest.approx(m) and p.center == (0, 0, 0)
    assert_inertia(p.inertia, m / 12 * np.diag([0.2**2 + 0.1**2, 0.3**2 + 0.1**2, 0.3**2 + 0.2**2]))


@pytest.mark.parametrize("type, height", [("cylinder", "height"), ("disc", "thickness")])
def test_cylinder_and_disc(type, height):
    # m (3 r^2 + h^2) / 12 about a diameter, m r^2 / 2 about the axis z
    p = properties(shape(type, radius=0.1, **{height: 0.4}))
    m = RHO * math.pi * 0.1**2 * 0.4
    across = m * (3 * 0.1**2 + 0.4**2) / 12
    assert p.mass == pytest.approx(m)
    assert_inertia(p.inertia, np.diag([across, across, m * 0.1**2 / 2]))


def test_sphere():
    p = properties(shape("sphere", radius=0.1))
    m = RHO * 4 / 3 * math.pi * 0.1**3
    assert p.mass == pytest.approx(m)
    assert_inertia(p.inertia, 0.4 * m * 0.1**2 * np.eye(3))


def test_thin_rod():
    # m L^2 / 12 across, nothing along, as the width vanishes
    p = properties(shape("link", length=2.0, width=1e-5, thickness=1e-5))
    assert p.center == pytest.approx((1.0, 0, 0))
    assert_inertia(p.inertia, p.mass * 2.0**2 / 12 * np.diag([0, 1, 1]), rel=1e-4)


def test_stadium():
    # a rectangle L x 2r and two half discs: centroid of a half disc at 4r/3pi from its diameter, polar inertia about the
    # diameter's middle m r^2 / 2, so about the link's middle  m_half [r^2/2 - d^2 + (L/2 + d)^2],  d = 4r/3pi
    L, r, t = 0.3, 0.02, 0.01
    p = properties(shape("link", length=L, width=2 * r, thickness=t))
    rectangle, half = RHO * t * L * 2 * r, RHO * t * math.pi * r**2 / 2
    d = 4 * r / (3 * math.pi)
    polar = rectangle * (L**2 + 4 * r**2) / 12 + 2 * half * (r**2 / 2 - d**2 + (L / 2 + d) ** 2)
    along = rectangle * 4 * r**2 / 12 + 2 * half * r**2 / 4           # about x, of the flat figure
    assert p.mass == pytest.approx(rectangle + 2 * half)
    assert p.center == pytest.approx((L / 2, 0, 0))
    flat = p.mass * t**2 / 12
    assert_inertia(p.inertia, np.diag([along + flat, polar, polar - along + flat]))


def test_triangle_with_sharp_corners():
    # right triangle a x b in xz: area ab/2, centroid (a/3, b/3), int x^2 about the centroid a^3 b / 36, int xz = -a^2 b^2 / 72
    a, b, t = 0.3, 0.2, 0.01
    p = properties(shape("plate", [(0, 0), (a, 0), (0, b)], radius=0.0, thickness=t))
    assert p.mass == pytest.approx(RHO * t * a * b / 2)
    assert p.center == pytest.approx((a / 3, 0, b / 3))
    xx, zz, xz = RHO * t * a**3 * b / 36, RHO * t * a * b**3 / 36, -RHO * t * a**2 * b**2 / 72
    flat = p.mass * t**2 / 12
    assert_inertia(p.inertia, np.array([[zz + flat, 0, -xz], [0, xx + zz, 0], [-xz, 0, xx + flat]]))


@pytest.mark.parametrize("outline, radius", [([(0.0, 0.0), (0.3, 0.05), (0.1, 0.25)], 0.03), ([(0.0, 0.0), (0.2, 0.0), (0.2, 0.1), (0.0, 0.1), (0.1, 0.05)], 0.02),
                                             ([(0.05, 0.02)], 0.04), ([(0.0, 0.0), (0.1, 0.2)], 0.03), ([(-0.1, 0.3), (0.2, -0.1), (0.25, 0.2), (-0.05, -0.05)], 0.0)])
def test_plates_by_counting_points(outline, radius):
    """Independent of the closed form: distance of grid points to the polygon, never its hull or sectors."""
    t = 0.012
    p = properties(shape("plate", outline, radius=radius, thickness=t))
    corners = np.array(outline)
    low, high = corners.min(0) - radius, corners.max(0) + radius
    n = 700
    steps = (high - low) / n
    x, z = np.meshgrid(*(low[k] + (np.arange(n) + 0.5) * steps[k] for k in range(2)), indexing="ij")
    inside = _within(x, z, corners, radius)
    cell = RHO * t * steps.prod()
    m = cell * inside.sum()
    cx, cz = (cell * v[inside].sum() / m for v in (x, z))
    xx, zz, xz = (cell * v[inside].sum() for v in ((x - cx) ** 2, (z - cz) ** 2, (x - cx) * (z - cz)))
    assert p.mass == pytest.approx(m, rel=2e-3)
    assert p.center == pytest.approx((cx, 0, cz), abs=2e-3 * np.ptp(corners, 0).max() + 1e-4)
    flat = m * t**2 / 12
    assert_inertia(p.inertia, np.array([[zz + flat, 0, -xz], [0, xx + zz, 0], [-xz, 0, xx + flat]]), rel=5e-3)


def _within(x, z, corners, radius):
    """Points within `radius` of the convex hull: between any two corners, or in any triangle of corners."""
    near = np.zeros(x.shape, bool)
    count = len(corners)
    for i in range(count):
        near |= np.hypot(x - corners[i, 0], z - corners[i, 1]) <= radius
        for j in range(i):
            a, d = corners[i], corners[j] - corners[i]
            s = np.clip(((x - a[0]) * d[0] + (z - a[1]) * d[1]) / (d @ d), 0, 1)
            near |= np.hypot(x - a[0] - s * d[0], z - a[1] - s * d[1]) <= radius
            for k in range(j):
                sides = []
                for p, q in ((i, j), (j, k), (k, i)):
                    e = corners[q] - corners[p]
                    sides.append(e[0] * (z - corners[p, 1]) - e[1] * (x - corners[p, 0]) >= 0)
                near |= (sides[0] & sides[1] & sides[2]) | ~(sides[0] | sides[1] | sides[2])
    return near


def test_order_and_inner_corners_do_not_matter():
    corners = [(0.0, 0.0), (0.2, 0.0), (0.2, 0.1), (0.0, 0.1)]
    a = properties(shape("plate", corners, radius=0.01, thickness=0.01))
    b = properties(shape("plate", [corners[2], (0.1, 0.05), corners[0], corners[3], corners[1], corners[1]], radius=0.01, thickness=0.01))
    assert b.mass == pytest.approx(a.mass, rel=1e-14)
    assert_inertia(b.inertia, np.array(a.inertia))
    assert convex_hull([(0, 0), (1, 0), (0.5, 0.0), (1, 1)]) == [(0, 0), (1, 0), (1, 1)]


@pytest.mark.parametrize("outline", [[], [(0.1, 0.1)], [(0.0, 0.0), (0.1, 0.0)], [(0.0, 0.0), (0.1, 0.0), (0.2, 0.0)]])
def test_sharp_corners_on_a_line_have_no_mass(outline):
    assert properties(shape("plate", outline, radius=0.0, thickness=0.01)).mass == 0


def test_composite_bodies_add_with_steiner():
    # two boxes side by side are one box; turned by 90 deg about y the sides change places
    one = properties(shape("box", length=0.4, depth=0.1, height=0.2))
    half = {"length": 0.2, "depth": 0.1, "height": 0.2}
    two = properties(*(shape("box", placement=Placement(vector(x, 0, 0)), **half) for x in (-0.1, 0.1)))
    turned = properties(*(shape("box", placement=Placement(vector(x, 0, 0), vector(0, math.pi / 2, 0)), length=0.2, depth=0.1, height=0.2) for x in (-0.1, 0.1)))
    for p in (two, turned):
        assert p.mass == pytest.approx(one.mass)
        assert_inertia(p.inertia, np.array(one.inertia))


def test_a_turned_and_moved_solid():
    """R I R^T about the moved centroid, for a skewed turn."""
    q = from_angles(0.3, -0.7, 1.1)
    p = properties(shape("box", placement=Placement(vector(1, 2, 3), vector(0.3, -0.7, 1.1)), length=0.3, depth=0.2, height=0.1))
    _, _, own = shape_solid(shape("box", length=0.3, depth=0.2, height=0.1))
    R = np.array(matrix(q))
    assert p.center == pytest.approx((1, 2, 3))
    assert_inertia(p.inertia, RHO * R @ np.array(own) @ R.T)
    assert_inertia(rotated(own, q), R @ np.array(own) @ R.T)
    arm = np.array([0.1, -0.2, 0.3])
    assert_inertia(steiner(own, 2.0, tuple(arm)), np.array(own) + 2 * (arm @ arm * np.eye(3) - np.outer(arm, arm)))


def test_typed_values_win():
    box = shape("box", length=0.3, depth=0.2, height=0.1)
    drawn = properties(box)
    scaled = mass_properties(Body("b", "b", (box,), mass=Q(2 * drawn.mass)))
    assert scaled.mass == 2 * drawn.mass
    assert_inertia(scaled.inertia, 2 * np.array(drawn.inertia))
    typed = mass_properties(Body("b", "b", (box,), mass=Q(3.0), center_of_mass=vector(1, 2, 3), inertia=tuple(map(Q, (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)))))
    assert (typed.mass, typed.center) == (3.0, (1, 2, 3))
    assert typed.inertia == ((1, 0.1, 0.2), (0.1, 2, 0.3), (0.2, 0.3, 3))
    assert mass_properties(Body("b", "b", mass=Q(3.0))).inertia == ((0, 0, 0),) * 3
    assert properties(shape("box", density=0.0, length=1, depth=1, height=1)).mass == 0
