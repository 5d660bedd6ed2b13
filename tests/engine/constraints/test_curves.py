"""Curves over their arc length: exact at their points, |c'| = 1, differentiable twice, nearest
points found, impossible ones refused.
"""

import math

import numpy as np
import pytest

from mechstudio.engine.constraints.curves import ROUNDED, curve_problem, curve_table
from mechstudio.engine.structure.mobility import analyse
from mechstudio.model.mechanism import Curve
from mechstudio.model.quantity import Quantity, vector
from tests import mechanisms
from tests.engine.constraints.test_rows import skewed


def curve(points, form="spline", closed=False, radius=None):
    fillets = None if radius is None else Quantity(radius)
    return Curve(tuple(vector(*map(float, p)) for p in points), form, closed, fillets)


CIRCLE = [
    (0.3 * math.cos(t), 0.3 * math.sin(t), 0.1)
    for t in np.linspace(0, 2 * math.pi, 24, endpoint=False)
]
SPACE = [(0.0, 0.0, 0.0), (0.4, 0.1, 0.2), (0.5, 0.6, 0.1), (0.1, 0.8, 0.5), (-0.3, 0.6, 0.3)]
STEPS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.5, 0.0), (2.0, 0.5, 0.2)]
ALL = {
    "exact": curve(np.array(SPACE[:3]), "circle", True),
    "circle": curve(CIRCLE, closed=True),
    "space": curve(SPACE),
    "space_closed": curve(SPACE, closed=True),
    "steps": curve(STEPS, "polyline"),
    "triangle": curve(STEPS[:3], "polyline", True),
    "line": curve(STEPS[:2]),
    "straight": curve(STEPS[:2], "polyline"),
    "spline_of_steps": curve(STEPS),
}
# of curvatures that jump
JUMPING = {
    "fillets": curve(STEPS, "polyline", radius=0.2),
    "fillets_back": curve(STEPS[::-1], "polyline", radius=0.2),
    "fillets_closed": curve(STEPS[:3], "polyline", True, 0.1),
    "fillets_fit": curve([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], "polyline", True, 0.5),
    "arc": curve(SPACE[:3], "arc"),
    "long_arc": curve([(0, 0, 0), (1, 1, 0), (0.1, 0, 0)], "arc"),
}


def ways(table, count=1501):
    return (
        np.linspace(0.0, table.length, count)
        if table.closed
        else np.linspace(-0.2, table.length + 0.2, count)
    )


@pytest.mark.parametrize("name", [*ALL, *JUMPING])
def test_the_way_is_the_arc_length(name):
    table = curve_table({**ALL, **JUMPING}[name])
    c, along, _ = table.at(ways(table))
    assert np.allclose(np.linalg.norm(along, axis=1), 1.0, atol=1e-7)
    # the sum of fine chords falls short by (curvature step)^2 / 24
    step = np.diff(ways(table))
    bend = np.abs(table.at(ways(table))[2]).max()
    assert abs(np.sum(np.linalg.norm(np.diff(c, axis=0), axis=1)) - np.sum(step)) < np.sum(step) * (
        (bend * step.max()) ** 2 / 12 + 1e-9
    )


@pytest.mark.parametrize("name", ALL)
def test_derivatives_are_those_of_the_curve_and_do_not_jump(name):
    table = curve_table(ALL[name])
    s = np.concatenate((ways(table), table.knots))
    h = 1e-6
    (before, d0, dd0), (after, d1, dd1) = table.at(s - h), table.at(s + h)
    _, along, bend = table.at(s)
    strength = max(np.abs(bend).max(), 1.0)
    assert np.allclose((after - before) / (2 * h), along, rtol=0, atol=1e-8 * strength)
    # c'' is continuous: over 2 h it changes by its slope only
    assert np.abs(dd1 - dd0).max() < 5e-4 * strength**3
    assert np.abs(d1 - d0).max() < 3 * h * strength


@pytest.mark.parametrize(
    "name", ["exact", "circle", "space", "space_closed", "line", "spline_of_steps"]
)
def test_a_smooth_curve_passes_through_its_points(name):
    table = curve_table(ALL[name])
    for point in ALL[name].points:
        p = np.array([q.value for q in point])
        assert np.linalg.norm(table.at(table.nearest(p))[0] - p) < 1e-12


def test_a_circle_is_one_to_the_spline():
    # a periodic cubic spline through 24 points is off by about (2 pi / 24)^4 / 384 of the radius
    table = curve_table(ALL["circle"])
    c, _, bend = table.at(ways(table))
    assert np.abs(np.hypot(c[:, 0], c[:, 1]) / 0.3 - 1).max() < 1.3e-5
    assert abs(table.length / (2 * math.pi * 0.3) - 1) < 1e-5
    assert np.allclose(np.linalg.norm(bend, axis=1) * 0.3, 1.0, atol=0.01)
    assert np.allclose(np.abs(table.side), (0, 0, 1))


@pytest.mark.parametrize("radius", [1e-4, 0.24, 3e5])
def test_the_circle_through_three_points_is_exact(radius):
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    on = lambda a: radius * (np.cos(a)[..., None] * turn[0] + np.sin(a)[..., None] * turn[1])
    middle = radius * np.array([0.7, -0.2, 0.4])
    table = curve_table(curve(middle + on(np.array([0.3, 1.7, 4.0])), "circle", True))
    s = np.linspace(-2.3, 5.1, 400) * table.length
    c, along, bend = table.at(s)
    assert abs(table.length / (2 * math.pi * radius) - 1) < 1e-14
    assert np.abs(np.linalg.norm(bend, axis=1) * radius - 1).max() < 1e-14
    assert np.abs(np.linalg.norm(along, axis=1) - 1).max() < 1e-14
    assert np.abs(c - middle - on(0.3 + s / radius)).max() < 2e-14 * radius
    # from any distance, and from the round that is requested
    for reach in (1e-6, 0.5, 1.0, 40.0):
        p = middle + reach * (c - middle)
        assert np.abs(table.nearest(p, s + 0.4 * table.length) - s).max() < 1e-9 * table.length


def test_corners_are_rounded_next_to_them_only():
    table = curve_table(ALL["steps"])
    for x in (0.0, 0.5, 0.974):
        assert np.allclose(
            table.at(table.nearest(np.array([x, 0.0, 0.0])))[0], (x, 0.0, 0.0), atol=1e-12
        )
    # the second side is half as long: the corner reaches ROUNDED of it to each side, and never past
    # the corner
    c, _, bend = table.at(ways(table))
    corner = np.linalg.norm(c - (1.0, 0.0, 0.0), axis=1)
    assert corner.min() < 0.5 * ROUNDED * 0.5
    bent = np.linalg.norm(bend, axis=1) > 1e-9
    near = np.minimum(corner, np.linalg.norm(c - (1.0, 0.5, 0.0), axis=1))
    assert (near[bent] < ROUNDED * 0.5 + 1e-9).all()


def test_collinear_points_of_straight_pieces_are_no_corner():
    table = curve_table(curve([(0, 0, 0), (1, 0, 0), (3, 0, 0)], "polyline"))
    assert abs(table.length - 3.0) < 1e-12 and len(table.pieces) == 2


@pytest.mark.parametrize("name", JUMPING)
def test_exact_pieces_join_smoothly_and_their_curvature_jumps_at_the_joints_alone(name):
    table = curve_table(JUMPING[name])
    h = 1e-9
    for knot in table.knots:
        (c0, d0, k0), (c1, d1, k1) = table.at(knot - h), table.at(knot + h)
        assert np.abs(c1 - c0 - 2 * h * d0).max() < 1e-14 and np.abs(d1 - d0).max() < 2e-8
        reported = any(
            abs(knot - j) < 1e-12 for j in (*table.jumps, *[table.length] * table.closed)
        )
        assert reported or np.linalg.norm(k1 - k0) < 1e-6
    s = np.linspace(0, table.length, 1000)[1:-1]
    _, d, bend = table.at(s)
    assert np.abs(np.linalg.norm(d, axis=1) - 1).max() < 1e-14
    known = np.unique(np.round(np.linalg.norm(bend, axis=1), 12))
    assert len(known) <= 2, "straight, or of the one curvature"
    assert not any(curve_table(c).jumps for c in ALL.values())


@pytest.mark.parametrize("name", [*ALL, *JUMPING])
def test_points_beside_the_curve_find_their_way(name):
    table = curve_table({**ALL, **JUMPING}[name])
    s = np.linspace(0.03, 0.97, 40) * table.length
    c, _, bend = table.at(s)
    t, n1, n2 = table.normals(s)
    assert (
        np.allclose(np.sum(t * n1, axis=1), 0)
        and np.allclose(np.sum(t * n2, axis=1), 0)
        and np.allclose(np.sum(n1 * n2, axis=1), 0)
    )
    # nearer than the centre of curvature
    off = np.minimum(0.02, 0.2 / np.maximum(np.linalg.norm(bend, axis=1), 1e-9))[:, None]
    p = c + off * (0.8 * n1 - 0.6 * n2)
    assert np.allclose(table.nearest(p), s, atol=1e-9)
    assert np.allclose(table.nearest(p, s + 0.01), s, atol=1e-9)
    if table.closed:
        # near tells the round
        assert np.allclose(table.nearest(p, s + 3 * table.length), s + 3 * table.length, atol=1e-9)


def test_an_open_curve_goes_on_straight():
    table = curve_table(ALL["space"])
    for s, end in ((-0.3, 0.0), (table.length + 0.4, table.length)):
        c, along, bend = table.at(np.array(s))
        at, direction, _ = table.at(np.array(end))
        assert (
            np.allclose(c, at + (s - end) * direction)
            and np.allclose(along, direction)
            and not bend.any()
        )
        assert abs(table.nearest(c) - s) < 1e-12
    # its curvature is zero at the ends, so that it does not jump there
    assert np.abs(table.at(np.array([0.0, table.length]))[2]).max() < 1e-9


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (curve([(0, 0, 0)]), "at least 2 points"),
        (curve([(0, 0, 0), (1, 0, 0)], closed=True), "at least 3 points"),
        (curve([(0, 0, 0), (0, 0, 0), (1, 0, 0)]), "points 1 and 2 at the same place"),
        (curve([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 0)], closed=True), "points 4 and 1"),
        (curve([(0, 0, 0), (1, 0, 0), (0, 0, 0)]), "cusp"),
        (curve([(0, 0, 0), (1, 0, 0), (0.5, 0, 0)], "polyline"), "straight back at point 2"),
        (curve([(0, 0, 0), (math.nan, 0, 0)]), "not a number"),
        (curve([(0, 0, 0), (1, 0, 0), (0, 1, 0)], "circle"), "not closed"),
        (curve([*STEPS], "circle", True), "three points determine"),
        (curve(STEPS[:3], "arc", True), "closed arc"),
        (curve([(0, 0, 0), (1, 0, 0), (3, 0, 0)], "arc"), "straight line"),
        (curve(STEPS, "polyline", radius=0.0), "fillets without a radius"),
        (curve(STEPS, "polyline", radius=-0.1), "fillets without a radius"),
        (curve(STEPS, "polyline", radius=math.nan), "fillets without a radius"),
        (curve(STEPS, "polyline", radius=0.26), "from point 2 to point 3: a radius of up to 25"),
        (curve([(0, 0, 0), (1, 0, 0), (0.5, 0, 0)], "polyline", radius=0.1), "straight back"),
        (curve([(0, 0, 0), (1, 1, 0), (3, 3, 1e-10)], "circle", True), "straight line"),
        (curve([(0, 0, 0), (1, 0, 0), (0, 0, 0)], "circle", True), "same place"),
    ],
)
def test_impossible_curves_are_reported(drawn, words):
    assert words in curve_problem(drawn)
    with pytest.raises(ValueError, match=words):
        curve_table(drawn)


def test_possible_curves_are_not():
    assert not any(curve_problem(c) for c in (*ALL.values(), *JUMPING.values()))


def test_the_largest_fillet_reported_fits_and_is_the_largest():
    drawn = lambda radius: curve(STEPS, "polyline", radius=radius)
    reported = float(curve_problem(drawn(10.0)).split("up to ")[1].split(" mm")[0]) / 1000
    assert not curve_problem(drawn(reported)) and curve_problem(drawn(reported * 1.001))


def test_a_curve_does_not_depend_on_the_unit():
    metres, millimetres = (
        curve_table(ALL["space"]),
        curve_table(curve([tuple(1000 * x for x in p) for p in SPACE])),
    )
    assert abs(millimetres.length - 1000 * metres.length) < 1e-8
    assert np.allclose(millimetres.at(400.0)[0], 1000 * metres.at(0.4)[0], atol=1e-8)


def test_the_analysis_names_an_impossible_curve():
    mechanism = skewed("point_on_curve")
    bent = curve([(0, 0, 0), (1, 0, 0), (0.5, 0, 0)], "polyline")
    finding = analyse(
        mechanisms.project(mechanisms.with_joint(mechanism, "joint", curve=bent))
    ).findings[0]
    assert (
        finding.severity == "error"
        and finding.element == "joint"
        and "turns straight back at point 2" in finding.message
    )
