"""Figures fixed to bodies have the numbers of the bodies: ellipsoids of known solids, axes of known
joints.
"""

import numpy as np
import pytest

from mechstudio.application.marks.figures import bodies
from mechstudio.application.marks.figures.figure import Line, Symbol
from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.mass_properties import MassProperties, mass_properties
from mechstudio.model.project import Mark


def solid(mass, *moments):
    return MassProperties(mass, (0.1, 0.2, 0.3), tuple(map(tuple, np.diag(moments).tolist())))


@pytest.fixture(scope="module")
def mechanism():
    return load(sample_folder() / "four_bar.mech").project.mechanism


def test_the_ellipsoid_of_a_sphere_is_the_sphere():
    lengths, _ = bodies.semi_axes(solid(3.0, *[0.4 * 3.0 * 0.25**2] * 3))
    assert lengths == pytest.approx([0.25] * 3)


def test_the_ellipsoid_of_a_box_has_sides_times_the_root_of_five_twelfths():
    a, b, c, m = 0.4, 0.3, 0.1, 2.0
    inertia = [m / 12 * s for s in (b * b + c * c, a * a + c * c, a * a + b * b)]
    lengths, axes = bodies.semi_axes(solid(m, *inertia))
    along = np.abs(axes).argmax(axis=1)
    assert lengths == pytest.approx(np.sqrt(5 / 12) * np.array([a, b, c])[along])
    # and it has the box's moments again: m (b² + c²) / 5
    again = m / 5 * ((lengths**2).sum() - lengths**2)
    assert again == pytest.approx(np.array(inertia)[along])


def test_rods_points_and_impossible_inertias():
    lengths, _ = bodies.semi_axes(solid(1.0, 0.0, 1.0, 1.0))
    assert sorted(lengths) == pytest.approx([0.0, 0.0, np.sqrt(5.0)], abs=1e-8)
    assert bodies.semi_axes(solid(1.0, 0.0, 0.0, 0.0)) is None
    assert bodies.semi_axes(solid(1.0, 1.0, 1.0, 3.0)) is None  # against the triangle
    assert bodies.semi_axes(solid(0.0, 1.0, 1.0, 1.0)) is None
    assert bodies.semi_axes(solid(1.0, np.nan, 1.0, 1.0)) is None


def test_the_sections_of_a_drawn_body_lie_on_its_ellipsoid(mechanism):
    known = mass_properties(mechanism.bodies["coupler"])
    lengths, axes = bodies.semi_axes(known)
    parts = list(bodies.ellipsoid(mechanism, Mark("m", "ellipsoid", body="coupler"), 0.03))
    assert len(parts) == 3 and all(part.body == "coupler" for part in parts)
    for part in parts:
        within = (part.points - np.array(known.center)) @ axes.T / lengths
        assert np.abs((within**2).sum(axis=1) - 1.0).max() < 1e-9


def test_frames_centres_and_joint_axes_stand_where_the_drawing_says(mechanism):
    frame = list(bodies.frame(mechanism, Mark("m", "frame", body="crank"), 0.03))
    arms = [part.points for part in frame if isinstance(part, Line)]
    assert [(a[1] / np.linalg.norm(a[1])).tolist() for a in arms] == np.eye(3).tolist()
    assert [part.words for part in frame if isinstance(part, Symbol)] == ["x", "y", "z"]
    (centre,) = bodies.centre(mechanism, Mark("m", "centre", body="crank"), 0.03)
    assert centre.point == pytest.approx(mass_properties(mechanism.bodies["crank"]).center)
    lines = list(bodies.joint_axes(mechanism, Mark("m", "joint_axis", joint="B"), 0.03))
    point, _ = mechanism.frame_in_body(mechanism.joints["B"].frame_a)
    along = np.concatenate([line.points for line in lines]) - np.array(point)
    # pins of the planar mechanism turn about y
    assert np.abs(np.cross(along, [0.0, 1.0, 0.0])).max() < 1e-9 and np.ptp(along[:, 1]) > 0.1


def test_a_cardan_joint_has_two_axes_that_cross():
    m = load(sample_folder() / "universal_joint_pair.mech").project.mechanism
    id = next(k for k, joint in m.joints.items() if joint.type == "universal")
    lines = list(bodies.joint_axes(m, Mark("m", "joint_axis", joint=id), 0.03))
    assert {line.body for line in lines} == {m.joints[id].frame_a.body, m.joints[id].frame_b.body}
