"""Profiles of cams against the ones that are known, and against what a profile is for: the follower
on it stands where the law says.
"""

import math
import struct

import pytest

from mechstudio.model.geometry import mesh
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.laws import evaluation
from mechstudio.model.laws.cam_profile import extruded, flat_profile, roller_profile
from mechstudio.model.mechanism import Law
from mechstudio.model.quantity import Quantity

RISE = Law(
    "cam",
    {
        "lift": Quantity(0.02),
        "begin": Quantity(0.3),
        "rise": Quantity(1.6),
        "dwell": Quantity(0.7),
        "fall": Quantity(1.8),
    },
)
STEEP = Law(
    "cam",
    {"lift": Quantity(0.02), "rise": Quantity(0.6), "dwell": Quantity(0.0), "fall": Quantity(0.6)},
)


def eccentric(e):
    """s = e (1 - cos a)."""
    return Law("expression", {"e": Quantity(e)}, (), "e*(1 - cos(a))")


def test_a_flat_face_on_an_eccentric_disc():
    """s = e (1 - cos a) under a flat face is a disc of radius r + e about a point e below the
    centre (Norton, section 8.3).
    """
    profile = flat_profile(eccentric(0.01), 0.03)
    assert profile.least_radius == pytest.approx(0.04)
    for x, y in profile.profile:
        assert math.hypot(x, y + 0.01) == pytest.approx(0.04, rel=1e-12)


def test_no_lift_is_a_circle():
    profile = roller_profile(Law("constant", {"value": Quantity(0.0)}), 0.03, 0.008, offset=0.01)
    assert profile.least_radius == pytest.approx(0.03)
    # tan phi = offset / sqrt(base^2 - offset^2)
    assert profile.pressure_angle == pytest.approx(math.asin(1 / 3))
    for (x, y), (u, v) in zip(profile.pitch, profile.profile):
        assert math.hypot(x, y) == pytest.approx(0.03) and math.hypot(u, v) == pytest.approx(0.022)


@pytest.mark.parametrize("offset", [0.0, 0.012, -0.007])
def test_the_roller_touches_the_edge_where_the_law_puts_it(offset):
    """Turned by a, the roller's centre stands at (offset, sqrt(base^2 - offset^2) + s(a)); no point
    of the edge is nearer than its radius, and one is that near.
    """
    profile = roller_profile(RISE, 0.045, 0.01, offset, 1440)
    for a in (0.0, 0.7, 1.1, 1.9, 2.4, 3.3, 4.0, 5.5):
        c, s = math.cos(a), math.sin(a)
        x, y = offset, math.sqrt(0.045**2 - offset**2) + evaluation.jet(RISE, a)[0]
        # the cam turns counter-clockwise by a
        nearest = min(math.hypot(c * u - s * v - x, s * u + c * v - y) for u, v in profile.profile)
        assert nearest == pytest.approx(0.01, abs=2e-6)


def test_the_flat_face_touches_the_edge_where_the_law_puts_it():
    profile = flat_profile(RISE, 0.05, 1440)
    for a in (0.0, 0.9, 1.4, 2.2, 3.0, 3.9, 5.0):
        highest = max(math.sin(a) * u + math.cos(a) * v for u, v in profile.profile)
        assert highest == pytest.approx(0.05 + evaluation.jet(RISE, a)[0], abs=1e-6)


def test_the_radius_of_curvature_is_that_of_three_points():
    """Circle through three neighbouring points of the pitch curve, where it is convex."""
    profile = roller_profile(RISE, 0.045, 0.005, 0.01, 3600)
    smallest = math.inf
    p = profile.pitch
    for k in range(len(p)):
        (ax, ay), (bx, by), (cx, cy) = p[k - 2], p[k - 1], p[k]
        area = 0.5 * ((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))
        if area < -1e-15:  # the curve runs clockwise
            sides = (
                math.dist(p[k - 2], p[k - 1])
                * math.dist(p[k - 1], p[k])
                * math.dist(p[k - 2], p[k])
            )
            smallest = min(smallest, sides / (4 * -area))
    assert profile.least_radius == pytest.approx(smallest, rel=0.01)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: roller_profile(STEEP, 0.025, 0.02), "undercut"),
        (lambda: roller_profile(RISE, 0.02, 0.03), "base circle must be larger"),
        (lambda: roller_profile(RISE, 0.02, 0.005, 0.02), "base circle must be larger"),
        (lambda: flat_profile(RISE, 0.005), "cusp"),
    ],
)
def test_cams_that_cannot_be_cut(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_plate_of_a_profile_is_a_closed_surface():
    """Its volume is the area between edge and bore times the thickness; the bore is as
    many-cornered as the edge.
    """
    n, r, bore, thickness = 720, 0.05, 0.01, 0.012
    edge = tuple(
        (r * math.sin(2 * math.pi * k / n), r * math.cos(2 * math.pi * k / n)) for k in range(n)
    )
    vertices, triangles = extruded(edge, bore, thickness)
    surface = Mesh(
        struct.pack(f"<{3 * len(vertices)}d", *(c for v in vertices for c in v)),
        struct.pack(f"<{3 * len(triangles)}i", *(i for t in triangles for i in t)),
    )
    assert mesh.check(surface) == ""
    assert mesh.solid(surface).volume == pytest.approx(
        0.5 * n * math.sin(2 * math.pi / n) * (r * r - bore * bore) * thickness, rel=1e-9
    )
