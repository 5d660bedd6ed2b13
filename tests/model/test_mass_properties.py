"""Mass, centre and inertia: closed forms, and an independent numerical integral of whatever
outline.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechstudio.model.geometry.outline import convex_hull
from mechstudio.model.geometry.rotation import from_angles, matrix
from mechstudio.model.mass_properties import (
    from_shapes,
    impossible_inertia,
    mass_properties,
    principal_axes,
    rotated,
    shape_solid,
    steiner,
)
from mechstudio.model.mechanism import Body, Placement, Shape
from mechstudio.model.quantity import Quantity, vector

Q = Quantity
RHO = 2700.0
HERE = Placement()


def shape(type, outline=(), placement=HERE, density=RHO, **dimensions):
    return Shape(
        type,
        {k: Q(v) for k, v in dimensions.items()},
        tuple((Q(x), Q(z)) for x, z in outline),
        placement,
        Q(density),
    )


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


@pytest.mark.parametrize(("type", "height"), [("cylinder", "height"), ("disc", "thickness")])
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
    # a rectangle L x 2r and two half discs: centroid of a half disc at 4r/3pi from its diameter,
    # polar inertia about the diameter's middle m r^2 / 2, so about the link's middle  m_half [r^2/2
    # - d^2 + (L/2 + d)^2],  d = 4r/3pi
    L, r, t = 0.3, 0.02, 0.01
    p = properties(shape("link", length=L, width=2 * r, thickness=t))
    rectangle, half = RHO * t * L * 2 * r, RHO * t * math.pi * r**2 / 2
    d = 4 * r / (3 * math.pi)
    polar = rectangle * (L**2 + 4 * r**2) / 12 + 2 * half * (r**2 / 2 - d**2 + (L / 2 + d) ** 2)
    along = rectangle * 4 * r**2 / 12 + 2 * half * r**2 / 4  # about x, of the flat figure
    assert p.mass == pytest.approx(rectangle + 2 * half)
    assert p.center == pytest.approx((L / 2, 0, 0))
    flat = p.mass * t**2 / 12
    assert_inertia(p.inertia, np.diag([along + flat, polar, polar - along + flat]))


def test_triangle_with_sharp_corners():
    # right triangle a x b in xz: area ab/2, centroid (a/3, b/3), int x^2 about the centroid a^3 b /
    # 36, int xz = -a^2 b^2 / 72
    a, b, t = 0.3, 0.2, 0.01
    p = properties(shape("plate", [(0, 0), (a, 0), (0, b)], radius=0.0, thickness=t))
    assert p.mass == pytest.approx(RHO * t * a * b / 2)
    assert p.center == pytest.approx((a / 3, 0, b / 3))
    xx, zz, xz = RHO * t * a**3 * b / 36, RHO * t * a * b**3 / 36, -RHO * t * a**2 * b**2 / 72
    flat = p.mass * t**2 / 12
    assert_inertia(p.inertia, np.array([[zz + flat, 0, -xz], [0, xx + zz, 0], [-xz, 0, xx + flat]]))


@pytest.mark.parametrize(
    ("outline", "radius"),
    [
        ([(0.0, 0.0), (0.3, 0.05), (0.1, 0.25)], 0.03),
        ([(0.0, 0.0), (0.2, 0.0), (0.2, 0.1), (0.0, 0.1), (0.1, 0.05)], 0.02),
        ([(0.05, 0.02)], 0.04),
        ([(0.0, 0.0), (0.1, 0.2)], 0.03),
        ([(-0.1, 0.3), (0.2, -0.1), (0.25, 0.2), (-0.05, -0.05)], 0.0),
    ],
)
def test_plates_by_counting_points(outline, radius):
    """Independent of the closed form: distance of grid points to the polygon, never its hull or
    sectors.
    """
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
    xx, zz, xz = (
        cell * v[inside].sum() for v in ((x - cx) ** 2, (z - cz) ** 2, (x - cx) * (z - cz))
    )
    assert p.mass == pytest.approx(m, rel=2e-3)
    assert p.center == pytest.approx((cx, 0, cz), abs=2e-3 * np.ptp(corners, 0).max() + 1e-4)
    flat = m * t**2 / 12
    assert_inertia(
        p.inertia, np.array([[zz + flat, 0, -xz], [0, xx + zz, 0], [-xz, 0, xx + flat]]), rel=5e-3
    )


def _within(x, z, corners, radius):
    """Points within `radius` of the convex hull: between any two corners, or in any triangle of
    corners.
    """
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
    b = properties(
        shape(
            "plate",
            [corners[2], (0.1, 0.05), corners[0], corners[3], corners[1], corners[1]],
            radius=0.01,
            thickness=0.01,
        )
    )
    assert b.mass == pytest.approx(a.mass, rel=1e-14)
    assert_inertia(b.inertia, np.array(a.inertia))
    assert convex_hull([(0, 0), (1, 0), (0.5, 0.0), (1, 1)]) == [(0, 0), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    "outline", [[], [(0.1, 0.1)], [(0.0, 0.0), (0.1, 0.0)], [(0.0, 0.0), (0.1, 0.0), (0.2, 0.0)]]
)
def test_sharp_corners_on_a_line_have_no_mass(outline):
    assert properties(shape("plate", outline, radius=0.0, thickness=0.01)).mass == 0


def test_composite_bodies_add_with_steiner():
    # two boxes side by side are one box; turned by 90 deg about y the sides change places
    one = properties(shape("box", length=0.4, depth=0.1, height=0.2))
    half = {"length": 0.2, "depth": 0.1, "height": 0.2}
    two = properties(
        *(shape("box", placement=Placement(vector(x, 0, 0)), **half) for x in (-0.1, 0.1))
    )
    rotated = properties(
        *(
            shape(
                "box",
                placement=Placement(vector(x, 0, 0), vector(0, math.pi / 2, 0)),
                length=0.2,
                depth=0.1,
                height=0.2,
            )
            for x in (-0.1, 0.1)
        )
    )
    for p in (two, rotated):
        assert p.mass == pytest.approx(one.mass)
        assert_inertia(p.inertia, np.array(one.inertia))


def test_a_turned_and_moved_solid():
    """R I R^T about the moved centroid, for a skewed turn."""
    q = from_angles(0.3, -0.7, 1.1)
    p = properties(
        shape(
            "box",
            placement=Placement(vector(1, 2, 3), vector(0.3, -0.7, 1.1)),
            length=0.3,
            depth=0.2,
            height=0.1,
        )
    )
    _, _, own = shape_solid(shape("box", length=0.3, depth=0.2, height=0.1))
    R = np.array(matrix(q))
    assert p.center == pytest.approx((1, 2, 3))
    assert_inertia(p.inertia, RHO * R @ np.array(own) @ R.T)
    assert_inertia(rotated(own, q), R @ np.array(own) @ R.T)
    arm = np.array([0.1, -0.2, 0.3])
    assert_inertia(
        steiner(own, 2.0, tuple(arm)),
        np.array(own) + 2 * (arm @ arm * np.eye(3) - np.outer(arm, arm)),
    )


def test_typed_values_win():
    box = shape("box", length=0.3, depth=0.2, height=0.1)
    drawn = properties(box)
    scaled = mass_properties(Body("b", "b", (box,), mass=Q(2 * drawn.mass)))
    assert scaled.mass == 2 * drawn.mass
    assert_inertia(scaled.inertia, 2 * np.array(drawn.inertia))
    typed = mass_properties(
        Body(
            "b",
            "b",
            (box,),
            mass=Q(3.0),
            center_of_mass=vector(1, 2, 3),
            inertia=tuple(map(Q, (1.0, 2.0, 3.0, 0.1, 0.2, 0.3))),
        )
    )
    assert (typed.mass, typed.center) == (3.0, (1, 2, 3))
    assert typed.inertia == ((1, 0.1, 0.2), (0.1, 2, 0.3), (0.2, 0.3, 3))
    assert mass_properties(Body("b", "b", mass=Q(3.0))).inertia == ((0, 0, 0),) * 3
    assert properties(shape("box", density=0.0, length=1, depth=1, height=1)).mass == 0


def by_slices(radius, low, high, breaks=()):
    """Volume, centroid height and moments (across, axial) per density of a body of circular slices
    about z, by Gauss' rule between breaks.

    Independent of the closed forms, and exact to rounding where the square of the radius is a
    polynomial between them.
    """
    x, w = np.polynomial.legendre.leggauss(12)
    ends = [low, *breaks, high]
    z = np.concatenate([(a + b) / 2 + (b - a) / 2 * x for a, b in itertools.pairwise(ends)])
    dz = np.concatenate([(b - a) / 2 * w for a, b in itertools.pairwise(ends)])
    area = np.pi * radius(z) ** 2
    volume = (area * dz).sum()
    c = (area * z * dz).sum() / volume
    axial = (area * radius(z) ** 2 / 2 * dz).sum()
    return volume, c, (area * (z - c) ** 2 * dz).sum() + axial / 2, axial


def test_pointed_cone():
    # Meriam and Kraige, Dynamics, table D/4: centroid h / 4 above the base, 3 m r^2 / 10 about the
    # axis, 3 m (4 r^2 + h^2) / 80 across
    r, h = 0.1, 0.3
    p = properties(shape("cone", bottom_radius=r, top_radius=0.0, height=h))
    m = RHO * math.pi * r * r * h / 3
    assert p.mass == pytest.approx(m, rel=1e-14) and p.center == pytest.approx(
        (0, 0, -h / 4), abs=1e-15
    )
    assert_inertia(p.inertia, np.diag([3 * m * (4 * r * r + h * h) / 80] * 2 + [0.3 * m * r * r]))


@pytest.mark.parametrize(("b", "t", "h"), [(0.1, 0.04, 0.2), (0.03, 0.1, 0.05), (0.1, 0.1, 0.3)])
def test_frustum(b, t, h):
    p = properties(shape("cone", bottom_radius=b, top_radius=t, height=h))
    volume, c, across, axial = by_slices(lambda z: b + (t - b) * (z / h + 0.5), -h / 2, h / 2)
    assert p.mass == pytest.approx(RHO * volume, rel=1e-13) and p.center == pytest.approx(
        (0, 0, c), abs=1e-15
    )
    assert_inertia(p.inertia, RHO * np.diag([across, across, axial]))
    if b == t:
        assert_inertia(
            p.inertia, np.array(properties(shape("cylinder", radius=b, height=h)).inertia)
        )


@pytest.mark.parametrize(("r", "h"), [(0.05, 0.2), (0.1, 0.02), (0.1, 0.0)])
def test_capsule(r, h):
    """height is that of the straight part: the whole is h + 2 r long, and without it a sphere."""
    p = properties(shape("capsule", radius=r, height=h))
    cap = lambda z: np.sqrt(np.clip(r * r - np.clip(abs(z) - h / 2, 0, None) ** 2, 0, None))
    volume, c, across, axial = by_slices(cap, -h / 2 - r, h / 2 + r, (-h / 2, h / 2))
    assert (
        p.mass == pytest.approx(RHO * volume, rel=1e-13)
        and c == pytest.approx(0, abs=1e-15)
        and p.center == (0, 0, 0)
    )
    assert_inertia(p.inertia, RHO * np.diag([across, across, axial]))
    if h == 0:
        assert_inertia(p.inertia, np.array(properties(shape("sphere", radius=r)).inertia))


def test_ellipsoid():
    """Round about z it is a stack of discs; with three lengths, a ball stretched along each."""
    p = properties(shape("ellipsoid", length=0.2, depth=0.2, height=0.1))
    volume, _c, across, axial = by_slices(
        lambda z: 0.1 * np.sqrt(np.clip(1 - (z / 0.05) ** 2, 0, None)), -0.05, 0.05
    )
    assert p.mass == pytest.approx(RHO * volume, rel=1e-12) and p.center == (0, 0, 0)
    assert_inertia(p.inertia, RHO * np.diag([across, across, axial]))
    ball, p = (
        np.array(properties(shape("sphere", radius=1.0)).inertia),
        properties(shape("ellipsoid", length=0.2, depth=0.3, height=0.5)),
    )
    # int x^2 grows with the square of the stretch and the volume
    second = 0.5 * np.trace(ball) - np.diag(ball)
    x2, y2, z2 = second * 0.1 * 0.15 * 0.25 * np.array([0.1, 0.15, 0.25]) ** 2
    assert_inertia(p.inertia, np.diag([y2 + z2, x2 + z2, x2 + y2]))


# principal axes

ENTRIES = st.floats(-1e3, 1e3).filter(lambda c: c == 0 or abs(c) > 1e-9)


@given(st.tuples(*[ENTRIES] * 6))
def test_principal_axes_rebuild_the_inertia(entries):
    """R diag(A, B, C) R^T is the matrix, R is a rotation, and the moments are numpy's
    eigenvalues.
    """
    xx, yy, zz, xy, xz, yz = entries
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    p = principal_axes(tuple(map(tuple, inertia)))
    R, scale = np.array(p.axes).T, max(np.abs(inertia).max(), 1e-300)
    assert np.abs(R @ np.diag(p.moments) @ R.T - inertia).max() < 1e-13 * scale
    assert np.abs(R.T @ R - np.eye(3)).max() < 1e-14 and np.linalg.det(R) > 0
    assert np.abs(np.array(p.moments) - np.linalg.eigvalsh(inertia)).max() < 1e-13 * scale
    assert np.abs(np.array(matrix(from_angles(*p.angles))) - R).max() < 1e-12


@pytest.mark.parametrize(
    ("diagonal", "free"),
    [
        ((1, 2, 3), (False,) * 3),
        ((1, 1, 3), (True, True, False)),
        ((1, 3, 3), (False, True, True)),
        ((2, 2, 2), (True,) * 3),
        ((0, 0, 0), (True,) * 3),
    ],
)
def test_principal_axes_of_equal_moments_are_free(diagonal, free):
    q = from_angles(0.3, -0.7, 1.1)
    p = principal_axes(rotated(tuple(map(tuple, np.diag(np.array(diagonal, float)))), q))
    assert p.free == free and p.moments == pytest.approx(sorted(diagonal), abs=1e-12)
    for k, expected in enumerate(np.array(matrix(q)).T):
        if not free[k]:
            assert abs(np.dot(p.axes[k], expected)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-30, 1e-12, 1.0, 1e30])
def test_principal_axes_of_any_size(scale):
    p = principal_axes(
        tuple(
            tuple(scale * c for c in row)
            for row in ((2.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, 1.5))
        )
    )
    assert [m / scale for m in p.moments] == pytest.approx([1, 1.5, 3]) and p.axes[
        2
    ] == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0))


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        (
            np.diag([1, 1, 3]),
            [
                "largest principal moment, 3000000 kg·mm² about Z",
                "1000000 kg·mm² more than the sum",
                "1000000 kg·mm² and 1000000 kg·mm²",
            ],
        ),
        (np.diag([-1, 1, 1]), ["negative moment of inertia about X", "−1000000 kg·mm²"]),
        (
            [[1, 2, 0], [2, 1, 0], [0, 0, 3]],
            ["negative moment of inertia about the direction (0.707, −0.707, 0)"],
        ),
        (np.diag([0, 0, 1]), ["1000000 kg·mm² more"]),
    ],
)
def test_impossible_inertias_are_explained_with_the_amount(inertia, words):
    reason = impossible_inertia(tuple(map(tuple, np.array(inertia, float))))
    assert all(word in reason for word in words), reason


@pytest.mark.parametrize(
    "inertia",
    [np.zeros((3, 3)), np.diag([1, 1, 0]), np.diag([1, 1, 2]), np.diag([1, 1, 2.0000005])],
    ids=["point mass", "thin rod", "flat", "flat, rounded when typed"],
)
def test_limits_of_what_is_possible_pass(inertia):
    assert impossible_inertia(tuple(map(tuple, inertia.astype(float)))) == ""


@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3, st.floats(0.01, 10)), min_size=1, max_size=8))
def test_no_cloud_of_points_is_impossible(points):
    """Sum of m (r.r 1 - r r^T) over any points with masses: what the check refuses no matter can
    have.
    """
    p, m = np.array(points)[:, :3], np.array(points)[:, 3]
    inertia = sum(k * (r @ r * np.eye(3) - np.outer(r, r)) for k, r in zip(m, p))
    assert impossible_inertia(tuple(map(tuple, inertia))) == ""
