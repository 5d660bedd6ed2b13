"""Gauges read what geometry says, at any pose."""

import math

import numpy as np
import pytest

from mechstudio.curves.gauges.reading import drawn_poses, reading
from mechstudio.model.mechanism import GROUND, Body, Frame, Mechanism, Placement, Shape
from mechstudio.model.project import Feature, Gauge
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.types.gauges import AXIS, BODY, PLANE, POINT, fitting


def feature(kind: str, at: tuple = (0, 0, 0), z: tuple = (0, 0, 1)) -> Feature:
    """A feature of the ground at a place, its z along a direction."""
    x, y, up = (c / math.hypot(*z) for c in z)
    theta, psi = math.acos(max(-1.0, min(1.0, up))), math.atan2(y, x)
    return Feature(kind, Frame(GROUND, "", Placement(vector(*at), vector(psi, theta, 0.0))))


def read(type: str, *ends: Feature, m: Mechanism = Mechanism()) -> float:
    found = reading(m, Gauge("g", "g", type, ends), drawn_poses(m))
    assert found is not None
    return float(found.values[0])


CASES = [
    ("distance", (feature(POINT), feature(POINT, (3, 4, 12))), 13.0),
    ("along_z", (feature(POINT, (0, 0, 2)), feature(POINT, (9, 9, -1))), -3.0),
    ("distance", (feature(AXIS), feature(POINT, (3, 4, 12))), 5.0),
    ("distance", (feature(POINT, (3, 4, 12)), feature(PLANE, (0, 0, 10))), 2.0),
    ("distance", (feature(PLANE, (0, 0, 10), (0, 0, -1)), feature(POINT, (3, 4, 12))), -2.0),
    # skew axes: their common normal
    ("distance", (feature(AXIS), feature(AXIS, (7, 0, 5), (0, 1, 0))), 7.0),
    # axes that meet, that are parallel, opposite, and the same
    ("distance", (feature(AXIS), feature(AXIS, (7, 0, 5), (1, 0, 0))), 0.0),
    ("distance", (feature(AXIS), feature(AXIS, (3, 4, 99))), 5.0),
    ("distance", (feature(AXIS), feature(AXIS, (3, 4, 99), (0, 0, -1))), 5.0),
    ("distance", (feature(AXIS), feature(AXIS, (0, 0, 99))), 0.0),
    ("distance", (feature(POINT), feature(POINT)), 0.0),
    # far away: no square overflows
    ("distance", (feature(POINT, (-1e200, 0, 0)), feature(POINT, (1e200, 0, 0))), 2e200),
    ("angle", (feature(AXIS), feature(AXIS, z=(0, 1, 1))), math.pi / 4),
    ("angle", (feature(AXIS), feature(AXIS)), 0.0),
    ("angle", (feature(AXIS), feature(AXIS, z=(0, 0, -1))), math.pi),
    ("angle", (feature(AXIS, z=(0, 1, 1)), feature(PLANE)), math.pi / 4),
    ("angle", (feature(PLANE), feature(AXIS, z=(1, 0, 0))), 0.0),
]


@pytest.mark.parametrize(("type", "ends", "said"), CASES)
def test_a_gauge_reads_what_geometry_says(type, ends, said):
    assert read(type, *ends) == pytest.approx(said, rel=1e-12, abs=1e-12)


def test_a_small_angle_is_read_to_rounding():
    # the arc cosine would read zero
    tilt = 1e-9
    assert read("angle", feature(AXIS), feature(AXIS, z=(tilt, 0, 1))) == pytest.approx(
        0.0, abs=2e-8
    )
    turned = Feature(AXIS, Frame(GROUND, "", Placement(orientation=vector(0.0, tilt, 0.0))))
    assert read("angle", feature(AXIS), turned) == pytest.approx(tilt, rel=1e-6)


def test_nearly_parallel_axes_keep_their_distance():
    # a millionth of a radian: the nearest points are far away, the common normal is not
    other = Feature(AXIS, Frame(GROUND, "", Placement(vector(0, 0.25, 0), vector(0, 1e-6, 0))))
    assert read("distance", feature(AXIS), other) == pytest.approx(0.25, rel=1e-9)


def test_radius_and_diameter_are_those_of_the_largest_disc():
    sizes = {"radius": Quantity(0.04), "height": Quantity(0.01)}
    body = Body("disc", "disc", (Shape("cylinder", sizes),))
    m = Mechanism({"disc": body})
    on = Feature(BODY, Frame("disc"))
    assert read("radius", on, m=m) == 0.04
    assert read("diameter", on, m=m) == 0.08
    bare = Mechanism({"disc": Body("disc", "disc")})
    assert reading(bare, Gauge("g", "g", "radius", (on,)), drawn_poses(bare)) is None


def test_only_directions_have_an_angle_and_only_bodies_a_radius():
    assert fitting((POINT, POINT)) == ("distance", "along_x", "along_y", "along_z")
    assert "angle" in fitting((AXIS, PLANE)) and "angle" not in fitting((AXIS, POINT))
    assert fitting((BODY,)) == ("radius", "diameter")
    assert fitting((BODY, BODY)) == ("distance",)
    assert np.all([not fitting((BODY, kind)) for kind in (POINT, AXIS, PLANE)])
