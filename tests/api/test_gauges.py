"""Gauges of a moving mechanism against closed forms."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.cli.main import main
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.edits.elements import remove
from mechstudio.model.edits.gauges.driving import driver, reason, with_value
from mechstudio.model.edits.gauges.gauges import with_parameter
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.quantity import Quantity

CRANK, COUPLER, ROCKER, BASE = 0.13, 0.33, 0.26, 0.34


def four_bar():
    """A driven four-bar with gauges between its pins and links."""
    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length=CRANK, angle="60 deg")
    coupler = m.link("coupler", crank.end, length=COUPLER, angle="20 deg")
    rocker = m.link("rocker", (BASE, 0, 0), length=ROCKER, angle="80 deg")
    a = m.pin("A", m.ground, crank, at=crank.start)
    b = m.pin("B", crank, coupler, at=crank.end)
    m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
    d = m.pin("D", m.ground, rocker, at=rocker.start)
    m.drive("turns", a, speed=2.0)
    m.gauge("diagonal", b, d)
    m.gauge("B over D", d, b, type="along_z")
    m.gauge("height", ms.plane_on(m.ground, (0, 0, 0.5), (0, 0, 1)), b)
    m.gauge("from base", ms.axis_on(m.ground, (0, 0, 0), (1, 0, 0)), b)
    m.gauge("same axes", a, d, type="angle")
    along = ms.axis_on(crank, crank.start, np.subtract(crank.end, crank.start).tolist())
    m.gauge("lean", ms.axis_on(m.ground, (0, 0, 0), (1, 0, 0)), along, type="angle")
    return m.project()


@pytest.fixture(scope="module")
def project():
    return four_bar()


def test_gauges_along_a_motion_follow_the_law_of_cosines(project):
    run = ms.simulate(project, duration=4.0, sample_step=0.02)
    names = ("diagonal", "B over D", "height", "from base", "same axes", "lean", "A angle")
    diagonal, over, height, base, axes, lean, angle = (c.values for c in run.courses(*names))
    c, s = np.cos(angle), np.sin(angle)
    cosines = np.sqrt(CRANK**2 + BASE**2 - 2 * CRANK * BASE * c)
    assert np.ptp(angle) > 2 * math.pi
    # a drive from a typed angle: what the gauge reads is the crank's place and no integral
    assert np.abs(diagonal - cosines).max() < 1e-9
    assert np.abs(over - CRANK * s).max() < 1e-9
    assert np.abs(height - (CRANK * s - 0.5)).max() < 1e-9
    assert np.abs(base - np.abs(CRANK * s)).max() < 1e-9
    assert np.abs(axes).max() < 1e-9
    assert np.abs(lean - np.arccos(np.clip(c, -1, 1))).max() < 1e-7


def test_gauges_stay_in_the_file_and_go_with_what_they_are_laid_on(project):
    again = decode(encode(project))
    assert not again.findings
    assert again.project.gauges == project.gauges
    left = remove(project, "D")
    assert {g.name for g in left.gauges.values()} == {"height", "from base", "lean"}
    renamed = decode(
        encode(project).replace(b'"kind": "axis", "joint": "D"', b'"kind": "axis", "joint": "E"')
    )
    assert "same axes" in renamed.findings[0].message
    assert encode(renamed.project) != encode(project)
    assert len(renamed.project.unread) == 1


def test_gauges_refuse_what_they_cannot_measure():
    m = ms.Builder()
    bar = m.link("bar", (0, 0, 0), length=1, angle=0)
    with pytest.raises(ValueError, match="cannot be laid on"):
        m.gauge("g", bar, ms.point_on(m.ground, (0, 0, 0)))
    with pytest.raises(ValueError, match="no length"):
        m.gauge("g", ms.axis_on(bar, (0, 0, 0), (0, 0, 0)), bar)
    m.gauge("a b", bar, m.ground)
    assert m.gauge("a_b", bar, m.ground) != "a_b"
    with pytest.raises(ValueError, match="given twice"):
        m.gauge("a b", bar, m.ground)


def pinned():
    """The four-bar with driving gauges, and a wheel."""
    m = ms.Builder()
    crank = m.link("crank", (0, 0, 0), length="130 mm", angle="60 deg")
    rocker = m.link("rocker", (BASE, 0, 0), length=ROCKER, angle="80 deg")
    a = m.pin("A", m.ground, crank, at=crank.start)
    b = m.pin("B", crank, rocker, at=(crank.end, rocker.end))
    d = m.pin("D", m.ground, rocker, at=rocker.start)
    wheel = m.body("wheel")
    wheel.cylinder("40 mm", "10 mm")
    m.gauge("L1", a, b)
    m.gauge("base", a, d)
    m.gauge("size", wheel, type="diameter")
    m.gauge("tilt", a, b, type="angle")
    m.gauge("across", ms.point_on(crank, crank.start), ms.point_on(rocker, rocker.end))
    return m.project()


def gauge_of(project, name):
    return next(g for g in project.gauges.values() if g.name == name)


def test_driving_gauges_change_the_number_that_they_show():
    project = pinned()
    typed = {"L1": "150", "base": "400", "size": "100"}
    for name, text in typed.items():
        project = with_value(project, gauge_of(project, name).id, text, "mm")
    m = project.mechanism
    assert m.bodies["crank"].shapes[0].dimensions["length"] == Quantity(0.15, "150 mm")
    assert m.bodies["wheel"].shapes[0].dimensions["radius"].value == pytest.approx(0.05)
    assert m.joints["D"].frame_a.placement.position[0].value == pytest.approx(0.4)
    # closed again, every gauge reads what was typed for it
    run = ms.simulate(project, duration=0.02)
    for name, text in typed.items():
        assert run.courses(name)[0].values[0] == pytest.approx(float(text) / 1e3, abs=1e-9)
    tilt = gauge_of(project, "tilt")
    assert "follows from the pose" in reason(project, tilt)
    assert driver(project, gauge_of(project, "across")) is None, "from one link to another"
    with pytest.raises(ExpressionError, match="follows from the pose"):
        with_value(project, tilt.id, "3 deg")
    for bad in ("0", "-3", "oranges", "3 deg"):
        for name in typed:
            with pytest.raises(ExpressionError):
                with_value(project, gauge_of(project, name).id, bad, "mm")


def test_a_parameter_called_as_a_gauge_drives_or_keeps_its_number():
    project = pinned()
    project = with_parameter(project, gauge_of(project, "L1").id, CRANK)
    project = with_parameter(project, gauge_of(project, "size").id, 0.08)
    project = with_parameter(project, gauge_of(project, "tilt").id, 0.5)
    shapes = [project.mechanism.bodies[id].shapes[0].dimensions for id in ("crank", "wheel")]
    assert shapes[0]["length"].text == "L1" and project.parameters["L1"].value.text == "130 mm"
    assert shapes[1]["radius"].text == "size/2" and shapes[1]["radius"].value == 0.04
    assert project.parameters["tilt"].value == Quantity(0.5)
    with pytest.raises(ExpressionError, match="already the name"):
        with_parameter(project, gauge_of(project, "L1").id, CRANK)


def test_the_least_distance_of_two_bodies_over_a_run_is_that_of_two_rods():
    # a ball on a crank passes a fixed one: the law of cosines less both radii
    m = ms.Builder()
    crank = m.link("crank", (0, 0, 0), length=0.2, angle=0)
    ball = m.body("ball", (0.2, 0, 0))
    ball.sphere(0.02)
    wall = m.body("wall", (0.3, 0, 0))
    wall.sphere(0.03)
    a = m.pin("A", m.ground, crank, at=(0, 0, 0))
    m.fix("held", crank, ball, at=(0.2, 0, 0))
    m.fix("stands", m.ground, wall, at=(0.3, 0, 0))
    m.drive("turns", a, speed=3.0)
    m.gauge("gap", ball, wall)
    project = m.project()
    run = ms.simulate(project, duration=2.0, sample_step=0.05)
    gap, angle = (c.values for c in run.courses("gap", "A angle"))
    said = np.sqrt(0.2**2 + 0.3**2 - 2 * 0.2 * 0.3 * np.cos(angle)) - 0.05
    assert np.abs(gap - said).max() < 1e-9
    table = ms.analyse(project, "clearance", bodies=("ball", "wall"), duration=0.1)
    assert table.rows[0, 1] == pytest.approx(0.05, abs=1e-9) and table.residual < 1e-9
    with pytest.raises(ValueError, match="choose two"):
        ms.analyse(project, "clearance", bodies=("ball",), duration=0.1)


def test_a_gauge_to_a_slider_on_the_ground_follows_and_takes_no_number():
    """Its bodies do not share the joint's place: no number of the drawing is the gauge's."""
    m = ms.Builder()
    crank = m.link("crank", (0, 0, 0), length="200 mm", angle="90 deg")
    pin = m.pin("A", m.ground, crank, at=crank.start)
    block = m.body("block", (0.5, 0, 0)).box("50 mm", "50 mm", "50 mm")
    slide = m.slider("S", m.ground, block, at=((0.3, 0, 0), (0.5, 0, 0)), axis=(1, 0, 0))
    m.gauge("far", pin, slide)
    project = m.project()
    (gauge,) = project.gauges.values()
    assert driver(project, gauge) is None
    with pytest.raises(ExpressionError):
        with_value(project, gauge.id, "600 mm")


def test_the_distance_of_two_pins_takes_numbers_and_no_formulas():
    m = ms.Builder()
    m.parameter("L", "300 mm")
    pins = []
    for name, x in (("A", 0.0), ("B", 0.4)):
        rod = m.link(f"rod {name}", (x, 0, 0), length="200 mm", angle="90 deg")
        pins.append(m.pin(name, m.ground, rod, at=rod.start))
    m.gauge("base", *pins)
    project = m.project()
    (gauge,) = project.gauges.values()
    after = with_value(project, gauge.id, "450 mm").mechanism
    places = [after.frame_in_world(j.frame_a)[0] for j in after.joints.values()]
    assert math.dist(*places) == pytest.approx(0.45, abs=1e-12)
    with pytest.raises(ExpressionError, match="keeps no formula"):
        with_value(project, gauge.id, "L")


def test_a_drawing_is_the_same_from_a_script_and_the_terminal(tmp_path):
    project = four_bar()
    ms.save(project, tmp_path / "four_bar.mech")
    out = tmp_path / "four_bar.svg"
    sheet = ms.drawing(project, out, scale="1:5")
    assert sheet.scale == 0.2 and sheet.left_out
    terminal = str(tmp_path / "terminal.svg")
    file = str(tmp_path / "four_bar.mech")
    assert main(["drawing", file, "--scale", "1:5", "--out", terminal]) == 0
    assert (tmp_path / "terminal.svg").read_bytes() == out.read_bytes()
    result = ms.simulate(project, duration=0.2, sample_step=0.2)
    later = ms.drawing(project, poses=result.poses[-1])
    assert later.content(".pdf").startswith(b"%PDF") and later.svg != sheet.svg
    for wrong in ({"out": "front.dxf"}, {"sheet": "A9"}, {"scale": "5"}, {"poses": [[0.0] * 7]}):
        with pytest.raises(ValueError, match=r"drawing|sheet|scale"):
            ms.drawing(project, **wrong)
