"""Rollers on curves: the path of their centres against closed forms, cams with roller followers,
and curves that have no room for a roller.
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.curves.drawings.joint_curves import curve_points, roller_points
from mechstudio.engine.constraints.curves import curve_problem, curve_table
from mechstudio.folders import sample_folder
from mechstudio.model.mechanism import Curve
from mechstudio.model.quantity import Quantity, vector

SQUARE = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]
EGG = [(0.3, 0, 0), (0.25, 0.18, 0), (0, 0.24, 0), (-0.22, 0.16, 0), (-0.3, 0, 0), (0, -0.25, 0)]
FAR = 0.5  # where the follower is drawn [m]
ROUND = [(0.3, 0, 0), (0, 0.3, 0), (-0.3, 0, 0)]


def curve(points, form="spline", closed=False, roller=None, fillet=None):
    radius, offset = (None if x is None else Quantity(x) for x in (fillet, roller))
    return Curve(tuple(vector(*map(float, p)) for p in points), form, closed, radius, offset)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("roller", [0.2, 1e-6, 50.0, -0.05])
def test_a_roller_around_a_plate_goes_a_whole_turn_further(roller, reverse):
    """Steiner: the length of a closed convex curve grows by 2 pi r, whichever way it goes round."""
    points = SQUARE[::-1] if reverse else SQUARE
    base = curve_table(curve(points, "polyline", True, fillet=0.1))
    table = curve_table(curve(points, "polyline", True, roller, 0.1))
    assert table.length == pytest.approx(base.length + 2 * math.pi * roller, rel=1e-14)
    s = np.linspace(0, table.length, 500)
    c, d, _ = table.at(s)
    foot = base.at(base.nearest(c))[0]
    assert np.linalg.norm(c - foot, axis=1) == pytest.approx(abs(roller), rel=1e-9)
    assert np.linalg.norm(d, axis=1) == pytest.approx(1.0, abs=1e-13)
    further = np.linalg.norm(c - (1, 0.5, 0), axis=1) > np.linalg.norm(foot - (1, 0.5, 0), axis=1)
    assert (further == (roller > 0)).all()


@pytest.mark.parametrize("roller", [0.05, 0.09, -0.05, -0.09])
def test_a_roller_goes_round_corners_that_are_hollow_and_those_that_are_not(roller):
    """An angle of five corners out and one in: the turns of its fillets add up to one."""
    angle = [(0, 0, 0), (1, 0, 0), (1, 0.5, 0), (0.5, 0.5, 0), (0.5, 1, 0), (0, 1, 0)]
    base, table = (curve_table(curve(angle, "polyline", True, r, 0.1)) for r in (None, roller))
    c = table.at(np.linspace(0, table.length, 700))[0]
    foot = base.at(base.nearest(c))[0]
    assert np.linalg.norm(c - foot, axis=1) == pytest.approx(abs(roller), rel=1e-9)
    assert table.length == pytest.approx(base.length + 2 * math.pi * roller, rel=1e-14)
    assert set(np.round(1 / table.curvature[table.curvature > 0], 9)) == {
        round(0.1 + roller, 9),
        round(0.1 - roller, 9),
    }


@pytest.mark.parametrize("roller", [0.08, -0.08, 1e-9, 30.0])
def test_a_roller_on_a_spline_has_the_curvature_of_its_offset(roller):
    """k / (1 + r k) over its own arc length, at the distance r."""
    base, table = (curve_table(curve(EGG, closed=True, roller=r)) for r in (None, roller))
    s = np.linspace(0, table.length, 1000, endpoint=False)
    c, d, dd = table.at(s)
    foot = base.nearest(c)
    p, _, bend = base.at(foot)
    # pieces of fifth degree are as straight as 1e-9 of their size
    assert np.linalg.norm(c - p, axis=1) == pytest.approx(abs(roller), rel=1e-8, abs=1e-10)
    assert np.linalg.norm(d, axis=1) == pytest.approx(1.0, abs=1e-7)
    k = np.linalg.norm(bend, axis=1)
    assert np.linalg.norm(dd, axis=1) == pytest.approx(k / (1 + roller * k), rel=2e-3, abs=1e-4)


def test_the_curvature_of_an_offset_is_exact_where_splines_are_joined():
    base, table = (curve_table(curve(EGG, closed=True, roller=r)) for r in (None, 0.08))
    at = base.nearest(np.array(EGG, float))
    k = np.linalg.norm(base.at(at)[2], axis=1)
    c = np.array(EGG) + 0.08 * np.cross(base.at(at)[1], (0, 0, 1))
    found = np.linalg.norm(table.at(table.nearest(c))[2], axis=1)
    assert found == pytest.approx(k / (1 + 0.08 * k), rel=1e-6)


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (curve([(0, 0, 0), (1, 0, 0), (2, 0, 0)], roller=0.1), "no outside"),
        (curve([(0, 0, 0), (1, 1, 0), (2, 0, 0), (3, 0, 1)], roller=0.1), "in one plane"),
        (curve(ROUND, "circle", True, roller=-0.3), "a radius of 300 mm, too narrow"),
        (curve(ROUND, "circle", True, roller=-0.5), "too narrow for a roller of 500 mm"),
        (curve(ROUND, "arc", roller=-0.31), "too narrow"),
        (curve(SQUARE, "polyline", True, 0.1), "corners without fillets"),
        (curve(SQUARE, "polyline", True, -0.1, 0.1), "too narrow"),
        (curve(EGG, closed=True, roller=-0.2), "too narrow for a roller"),
        (curve(EGG, closed=True, roller=math.nan), "not a number"),
    ],
)
def test_curves_without_room_for_a_roller_are_reported(drawn, words):
    assert words in curve_problem(drawn)
    with pytest.raises(ValueError, match=words):
        curve_table(drawn)


def test_parts_of_a_curve_that_a_roller_cannot_pass_between_are_reported():
    """A bottle that is wide enough for the roller in its bends, and not in its neck."""
    half = [(0.1, 2, 0), (0.1, 1, 0), (1, 0.5, 0), (1, -0.5, 0)]
    bottle = [(-x, y, z) for x, y, z in half] + half[::-1]
    assert curve_problem(curve(bottle, "polyline", False, -0.09, 0.25)) == ""
    for roller in (-0.11, -0.2, -0.24):
        drawn = curve(bottle, "polyline", False, roller, 0.25)
        assert "parts too near to each other" in curve_problem(drawn)
    assert "radius of 250 mm, too narrow" in curve_problem(
        curve(bottle, "polyline", False, -0.26, 0.25)
    )


def test_a_short_sharp_bend_of_a_long_curve_is_seen():
    """A notch of 10 mm in 100 m, bent to a radius of 3.33 mm."""
    notched = [(0, 0, 0), (50, 0, 0), (50.01, 0.01, 0), (50.02, 0, 0), (100, 0, 0), (100, 50, 0)]
    assert "radius of 3.33" in curve_problem(curve(notched, roller=0.005))
    assert curve_problem(curve(notched, roller=0.003)) == ""


def test_a_roller_smaller_than_rounding_has_room():
    for roller in (1e-12, -1e-14, 1e-20):
        assert curve_problem(curve(EGG, closed=True, roller=roller)) == ""


@pytest.mark.parametrize("roller", [1e-6, 1e-4, 0.05, -0.05])
@pytest.mark.parametrize("form", [{}, {"form": "polyline", "fillet": 0.1}])
def test_no_roller_passes_where_a_curve_crosses_itself(roller, form):
    bow = [(0, 0, 0), (3, 2, 0), (3, 0, 0), (0, 1, 0)]
    assert curve_problem(curve(bow, closed=True, **form)) == ""
    drawn = curve(bow, closed=True, roller=roller, **form)
    assert "crosses itself" in curve_problem(drawn)


def cam(points, roller, **form):
    """A cam that turns by 2 rad/s on ground and a roller follower that slides along y."""
    m = ms.Builder("cam", gravity=(0, 0, 0))
    wheel = m.body("cam", mass=2, inertia=(0.1, 0.1, 0.1), center_of_mass=(0, 0, 0))
    rod = m.body("rod", (0, FAR, 0), mass=1, inertia=(0.01, 0.01, 0.01), center_of_mass=(0, 0, 0))
    pin = m.pin("pin", m.ground, wheel, at=(0, 0, 0), axis=(0, 0, 1))
    m.slider("guide", m.ground, rod, at=(0, FAR, 0), axis=(0, 1, 0))
    m.on_curve("track", wheel, rod, points, at=(0, FAR, 0), roller=roller, **form)
    m.drive("motor", pin, speed=2.0)
    m.run(duration=math.pi, sample_step=math.pi / 200, tolerance=1e-11)
    return m.project()


def turned(result):
    """Angle of the cam from its drawn attitude [rad]: closing the drawing turns it too."""
    q = result.poses[:, result.body_index("cam"), 3:]
    return np.unwrap(2.0 * np.arctan2(q[:, 3], q[:, 0]))


@pytest.mark.parametrize("roller", [0.1, 0.37])
def test_the_follower_of_an_eccentric_disc_is_in_closed_form(roller):
    """A disc of radius 0.3 with its centre 0.1 off the axis: the roller's centre is on a circle of
    radius 0.3 + r around it, y = e sin a + sqrt((R + r)^2 - e^2 cos^2 a).
    """
    disc = [(x + 0.1, y, z) for x, y, z in ROUND]
    project = cam(disc, roller, form="circle")
    result = ms.simulate(project)
    a = turned(result)
    known = lambda a: 0.1 * np.sin(a) + np.sqrt((0.3 + roller) ** 2 - 0.01 * np.cos(a) ** 2)
    found = result.poses[:, result.body_index("rod"), 1]
    assert found == pytest.approx(known(a), abs=1e-9)
    h = 1e-4
    slope = (known(a + h) - known(a - h)) / (2 * h) * 2.0
    assert result.velocities[:, result.body_index("rod"), 1] == pytest.approx(slope, abs=1e-7)


def test_the_roller_follower_of_a_spline_cam_stays_at_its_distance():
    result = ms.simulate(cam(EGG, 0.05, closed=True))
    base, drawn = curve_table(curve(EGG, closed=True)), result.poses[:, result.body_index("rod"), 1]
    a = turned(result)
    # the roller's centre in the axes of the cam
    centre = np.stack((drawn * np.sin(a), drawn * np.cos(a), 0 * a), axis=1)
    away = np.linalg.norm(centre - base.at(base.nearest(centre))[0], axis=1)
    assert away == pytest.approx(0.05, abs=1e-8)
    assert np.ptp(drawn) > 0.05


def test_a_bead_beside_a_circle_runs_as_on_the_larger_one():
    """Time of a pendulum: that of the radius R + r."""

    def swing(points, **given):
        m = ms.Builder("bead")
        b = m.body("bead", (0.5, 0, 0), mass=1, inertia=(1, 1, 1), center_of_mass=(0, 0, 0))
        m.on_curve("wire", m.ground, b, points, at=(0.5, 0, 0), form="circle", **given)
        m.run(duration=1.0, sample_step=0.05, tolerance=1e-12)
        return ms.simulate(m.project()).poses[:, 0, :3]

    upright = [(x, 0, y) for x, y, _ in ROUND]
    large = [tuple(5 / 3 * x for x in p) for p in upright]
    assert swing(upright, roller=0.2) == pytest.approx(swing(large), abs=1e-10)


def test_the_profile_and_the_roller_are_drawn():
    drawn = curve(EGG, closed=True, roller=0.05)
    base = curve_table(curve(EGG, closed=True))
    path = curve_points(drawn)
    assert np.linalg.norm(path - base.at(base.nearest(path))[0], axis=1) == pytest.approx(
        0.05, abs=2e-4
    )
    rim = roller_points(drawn)
    assert np.linalg.norm(rim, axis=1) == pytest.approx(0.05) and rim[:, 2] == pytest.approx(0.0)
    assert len(roller_points(curve(EGG, closed=True))) == 0


def test_a_fillet_of_a_form_without_one_is_refused():
    m = ms.Builder("bead")
    b = m.body("bead", mass=1)
    with pytest.raises(ValueError, match="has no fillets; polylines have"):
        m.on_curve("wire", m.ground, b, ROUND, at=ROUND[0], form="circle", fillet=0.1)


@pytest.mark.parametrize("formulation", ["joint", "absolute"])
def test_a_cam_that_runs_freely_keeps_its_energy_over_its_edges(formulation):
    """Accelerations jump 18 times a turn; both followers' energies come from the cam's."""
    project = ms.load(sample_folder() / "roller_and_knife_edge.mech")
    m = ms.Builder.of(project)
    m.remove("motor")
    project = m.project()
    shaft = msgspec.structs.replace(project.mechanism.joints["shaft"], rates=(Quantity(15.0),))
    joints = {**project.mechanism.joints, "shaft": shaft}
    project = msgspec.structs.replace(
        project, mechanism=msgspec.structs.replace(project.mechanism, joints=joints)
    )
    settings = msgspec.structs.replace(project.settings, formulation=formulation)
    result = ms.simulate(msgspec.structs.replace(project, settings=settings), duration=2.0)
    energy = result.kinetic_energy + result.potential_energy
    assert energy == pytest.approx(energy[0], abs=1e-8)
    assert np.ptp(result.joint_coordinates["shaft"]) > 4 * math.pi


@pytest.mark.parametrize(
    ("points", "given", "words"),
    [
        ([(0, 0, 0), (1, 0, 0), (0, 0, 0)], {}, "cusp near point 1"),
        (ROUND, {"form": "circle", "roller": -0.5}, "too narrow for a roller"),
        (EGG, {"closed": True, "roller": -0.2}, "too narrow for a roller"),
    ],
)
def test_curves_too_sharp_for_their_roller_have_no_equations(points, given, words):
    m = ms.Builder("bead")
    b = m.body("bead", points[0], mass=1, inertia=(1, 1, 1), center_of_mass=(0, 0, 0))
    m.on_curve("wire", m.ground, b, points, at=points[0], **given)
    with pytest.raises(ms.DerivationError, match=words):
        ms.derive(m.project())


def test_a_script_and_a_file_keep_the_roller(tmp_path):
    project = cam(EGG, 0.05, closed=True)
    names = {}
    exec(ms.script(project), names)
    again = names["m"].project()
    ms.save(again, tmp_path / "cam.mech")
    for found in (again, ms.load(tmp_path / "cam.mech")):
        assert found.mechanism.joints["track"].curve == project.mechanism.joints["track"].curve
