"""Kinematic diagrams: joints where they are, each type with its symbol, every sample drawn."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.curves.drawings import diagram as diagrams
from mechstudio.curves.drawings import symbols
from mechstudio.curves.drawings.diagram import ENDINGS, Look, content, diagram, view_of
from mechstudio.curves.drawings.symbols import SYMBOLS, Pen
from mechstudio.curves.gauges.reading import drawn_poses
from mechstudio.model.geometry.rotation import matrix
from mechstudio.model.mechanism import Force, Frame
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))
SVG = "{http://www.w3.org/2000/svg}"


def four_bar():
    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), (0, 0, "100 mm"))
    coupler = m.link("coupler", (0, 0, "100 mm"), ("300 mm", 0, "250 mm"))
    rocker = m.link("rocker", ("300 mm", 0, "250 mm"), ("300 mm", 0, 0))
    m.pin("A", m.ground, crank, at=crank.start)
    m.pin("B", crank, coupler, at=coupler.start)
    m.pin("C", coupler, rocker, at=rocker.start)
    m.pin("D", rocker, m.ground, at=rocker.end)
    return m.project()


def marks(text: str, kind: str):
    return ElementTree.fromstring(text).findall(f"{SVG}{kind}")


def test_pins_stand_where_they_are_to_one_scale():
    text = diagram(four_bar().mechanism)
    centres = np.array([(float(c.get("cx")), float(c.get("cy"))) for c in marks(text, "circle")])
    assert len(centres) == 4
    # x to the right, z up, one scale for both
    requested = np.array([(0, 0), (0, 100), (300, 250), (300, 0)], float)
    scale = (centres[3, 0] - centres[0, 0]) / 300
    assert np.allclose(
        centres - centres[0], scale * (requested - requested[0]) * (1, -1), atol=0.02
    )
    assert scale > 1
    # both pivots on the ground are hatched, the others are not
    names = [t.text for t in marks(text, "text")]
    assert names == ["A", "B", "C", "D"]


def test_the_same_poses_from_behind_are_mirrored():
    front, back = (
        np.array(
            [float(c.get("cx")) for c in marks(diagram(four_bar().mechanism, view=view), "circle")]
        )
        for view in (view_of("front"), view_of("back"))
    )
    assert np.allclose(front + back, 960, atol=0.02)


def test_every_type_of_joint_has_a_symbol_and_rods_are_links():
    assert {key for key, kind in JOINT_TYPES.items() if not kind.holds_distance} == set(SYMBOLS)
    drawn = {}
    for key, symbol in SYMBOLS.items():
        for axis in (np.zeros(2), np.array([0.8, 0.6])):
            pen = Pen(2.0, 6.0, "#000000", "#FFFFFF")
            symbol(pen, np.array([50.0, 50.0]), axis)
            drawn[key, tuple(axis)] = "".join(pen.marks)
    lower = ("revolute", "prismatic", "cylindrical", "screw", "spherical", "universal", "planar")
    for axis in ((0.0, 0.0), (0.8, 0.6)):
        assert len({drawn[key, axis] for key in lower}) == len(lower)


def test_gears_touch_at_their_pitch_circles():
    m = ms.load(SAMPLES[[p.stem for p in SAMPLES].index("gear_train")]).mechanism
    text = diagram(m)
    circles = [
        (float(c.get("cx")), float(c.get("cy")), float(c.get("r")))
        for c in marks(text, "circle")
        if c.get("stroke-dasharray")
    ]
    width, height = Look().size
    for x, y, r in circles:
        assert x - r >= 0 and x + r <= width and y - r >= 0 and y + r <= height
    for (x, y, r), (u, v, s) in zip(circles[::2], circles[1::2]):
        assert np.hypot(u - x, v - y) == pytest.approx(r + s, abs=0.1)


def polygons(text: str) -> list[np.ndarray]:
    return [
        np.array([p.split(",") for p in mark.get("points").split()], float)
        for mark in marks(text, "polygon")
    ]


def sample(name: str):
    return ms.load(SAMPLES[[p.stem for p in SAMPLES].index(name)]).mechanism


def test_a_disc_that_rolls_is_a_disc_on_its_floor_and_no_box():
    m = sample("rolling_disc")
    (rim,) = polygons(diagram(m))
    (dot,) = marks(diagram(m), "circle")
    centre = np.array([float(dot.get("cx")), float(dot.get("cy"))])
    wide, tall = np.ptp(rim, axis=0)
    # it leans away from the viewer by the angle that the sample starts with
    (joint,) = m.joints.values()
    axis = np.array(matrix(m.bodies[joint.frame_b.body].placement.pose[1]))[:, 2]
    assert tall / wide == pytest.approx(
        np.sqrt(1 - axis[2] ** 2) / np.sqrt(1 - axis[0] ** 2), rel=2e-3
    )
    assert np.allclose(rim.mean(axis=0), centre, atol=0.02)
    floor = next(line.get("points").split() for line in marks(diagram(m), "polyline"))
    ends = np.array([p.split(",") for p in floor], float)
    assert ends[0, 1] == pytest.approx(ends[1, 1]) == pytest.approx(rim[:, 1].max(), abs=0.02)


def test_free_bodies_are_drawn_to_scale():
    m = sample("bouncing_ball")
    balls = polygons(diagram(m))
    assert len(balls) == 3
    for ball in balls:
        radii = np.hypot(*(ball - ball.mean(axis=0)).T)
        assert np.ptp(radii) < 0.05
    apart = np.hypot(*(balls[1].mean(axis=0) - balls[0].mean(axis=0)))
    assert apart / radii.mean() == pytest.approx(0.3 / 0.05, rel=1e-3)


def test_wheels_of_gears_and_beads_are_no_boxes_and_beads_stand_on_no_support():
    text = diagram(sample("gear_train"))
    assert all(len(p) == 3 for p in polygons(text)), "stands of pins and heads of arrows alone"
    text = diagram(sample("bead_on_circle"))
    assert not polygons(text) and len(marks(text, "circle")) == 1


def test_names_of_forces_stay_inside():
    (name,) = [t for t in marks(diagram(sample("shoe_brake")), "text") if t.text == "hand"]
    assert name.get("anchor") is None and name.get("text-anchor") == "end"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_every_sample_is_drawn_inside_its_picture(path):
    m = ms.load(path).mechanism
    for view in ("front", "top", "corner"):
        try:
            text = diagram(m, view=view_of(view), look=Look(size=(400.0, 300.0), bodies=True))
        except ValueError as reason:
            assert "nothing visible" in str(reason)
            continue
        assert "nan" not in text and "inf" not in text
        centres = re.findall(r'cx="([-\d.]+)" cy="([-\d.]+)"', text)
        assert all(-1 <= float(x) <= 401 and -1 <= float(y) <= 301 for x, y in centres)


def test_files_of_each_ending():
    text = diagram(four_bar().mechanism)
    heads = {".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG"}
    assert set(heads) == set(ENDINGS)
    for ending, head in heads.items():
        assert content(text, ending).startswith(head)
    with pytest.raises(ValueError, match=r"not as \.dxf"):
        content(text, ".dxf")


@pytest.mark.parametrize("text", ["sideways", "1", "0,91", "nan,0", "1,2,3"])
def test_views_that_are_none_are_refused(text):
    with pytest.raises(ValueError, match="There is no view"):
        view_of(text)


def test_an_empty_drawing_is_refused():
    with pytest.raises(ValueError, match="nothing visible"):
        diagram(ms.Builder("Empty").project().mechanism)


def test_python_and_the_terminal_write_the_same(tmp_path):
    from mechstudio.cli.main import main

    project = four_bar()
    ms.save(project, tmp_path / "a.mech")
    text = ms.diagram(project, tmp_path / "a.svg", view="corner", colours=True)
    command = ["diagram", str(tmp_path / "a.mech"), "--out", str(tmp_path / "b.svg")]
    assert main([*command, "--view", "corner", "--colours"]) == 0
    assert (tmp_path / "b.svg").read_text() == (tmp_path / "a.svg").read_text() == text
    assert main([*command, "--view", "under"]) == 2
    assert main([*command[:-1], str(tmp_path / "c.dxf")]) == 2


def loaded(monkeypatch, **load):
    """Names of the symbols of loads that are drawn for a sleeve with one load, and where arrows
    point.
    """
    m = ms.Builder("Sleeve")
    sleeve = m.link("sleeve", (0, 0, 0), ("300 mm", 0, 0))
    joint = m.cylindrical("A", m.ground, sleeve, at=sleeve.start, axis=(1, 0, 0))
    if "drive" in load:
        m.drive("drive", joint[load["drive"]], speed=1.0)
    elif "bushing" in load:
        ends = ((0, 0, "200 mm"), ("300 mm", 0, 0))
        m.force("bushing", "b", a=m.ground, b=sleeve, at=ends, k_x_x=20)
    project = m.project()
    mechanism = project.mechanism
    if "force" in load:
        force = load["force"]
        mechanism = replace(mechanism, forces={force.id: force})
    seen = []
    for name in ("arrow", "turning_arrow", "spring", "spiral"):
        drawn = lambda pen, *at, name=name, **_: seen.append((name, at))
        monkeypatch.setattr(symbols, name, drawn)
        if name == "spring":
            monkeypatch.setitem(diagrams._CONNECTORS, "bushing", drawn)
    diagram(mechanism)
    return seen


def test_drives_of_a_sleeve_are_distinguished(monkeypatch):
    types = JOINT_TYPES["cylindrical"].coordinates
    for k, coordinate in enumerate(types):
        ((name, _),) = loaded(monkeypatch, drive=k)
        assert name == ("arrow" if coordinate.dimension == "length" else "turning_arrow")


def test_springs_of_slides_are_no_spirals(monkeypatch):
    p = {"stiffness": Quantity(10.0)}
    for k, coordinate in enumerate(JOINT_TYPES["cylindrical"].coordinates):
        slides = coordinate.dimension == "length"
        type = "slide_spring" if slides else "torsion_spring"
        ((name, _),) = loaded(monkeypatch, force=Force("s", "s", type, p, joint="A", coordinate=k))
        assert name == ("spring" if slides else "spiral")


def test_a_bushing_is_a_spring_and_no_force(monkeypatch):
    assert [name for name, _ in loaded(monkeypatch, bushing=True)] == ["spring"]


def test_a_force_points_along_its_own_axes(monkeypatch):
    # z alone, as a file may have it
    force = Force("f", "f", "force", {"z": Quantity(5.0)}, frame_b=Frame("sleeve"))
    ((name, (foot, end, *_)),) = loaded(monkeypatch, force=force)
    assert name == "arrow" and np.allclose((end - foot)[0], 0.0) and (end - foot)[1] < -10


@pytest.mark.parametrize("at", [0, "400 mm"])
def test_drive_and_spring_of_a_slide_at_the_edge_stay_inside_the_diagram(at, monkeypatch):
    m = ms.Builder("Slide")
    m.link("bar", (0, 0, 0), ("400 mm", 0, 0))
    block = m.body("block", (at, 0, 0), mass=1, inertia=(1, 1, 1))
    slide = m.slider("A", m.ground, block, at=(at, 0, 0), axis=(1, 0, 0))
    m.force("slide_spring", "s", joint=slide, stiffness=10, free_length=0)
    m.drive("drive", slide, speed=1.0)
    seen = {}
    for name in ("arrow", "spring"):
        drawn = lambda pen, *at, name=name, **_: seen.update({name: at[:2]})
        monkeypatch.setattr(symbols, name, drawn)
    diagram(m.project().mechanism)
    assert all(0.0 <= p[0] <= 960.0 for ends in seen.values() for p in ends) and len(seen) == 2
    assert seen["arrow"][1][0] > seen["arrow"][0][0]


def words_of(text: str) -> list[str]:
    return [t.text for t in marks(text, "text")]


def test_dimensions_are_the_lengths_of_links_and_the_angle_of_the_crank():
    m = ms.Builder("Four-bar")
    crank = m.link("crank", (0, 0, 0), length="100 mm", angle="30 deg")
    plate = m.body("plate", crank.end, mass=1, inertia=(1, 1, 1))
    tip = tuple(np.add(crank.end, (0.03, 0.0, 0.04)))
    pin = m.pin("A", m.ground, crank, at=crank.start)
    m.pin("B", crank, plate, at=crank.end)
    m.pin("C", plate, m.ground, at=tip)
    m.drive("drive 1", pin, speed=1)
    project = m.project()
    look = Look(names=False, dimensions=True)
    words = words_of(diagram(project.mechanism, look=look, project=project))
    # the crank, the plate between its pins, both pins of the ground, the crank's angle
    assert {"100", "50", "30°"} <= set(words)
    across, up = 1e3 * tip[0], 1e3 * tip[2]
    assert {f"{across:.2f}".rstrip("0").rstrip("."), f"{up:.2f}".rstrip("0").rstrip(".")} <= set(
        words
    )
    assert words_of(diagram(project.mechanism, look=Look(names=False))) == []
    # turned by another 45 degrees
    moved = drawn_poses(project.mechanism)
    rows = {id: moved(id).copy() for id in ("ground", *project.mechanism.bodies)}
    half = np.radians(45 + 30) / 2
    rows["crank"][0, 3:] = np.cos(half), 0.0, -np.sin(half), 0.0
    found = diagram(project.mechanism, lambda id: rows[id], look=look, project=project)
    assert "75°" in words_of(found)
    with pytest.raises(ValueError, match="front view"):
        diagram(project.mechanism, view=view_of("top"), look=look)


def test_dimensions_stay_inside_the_picture_with_many_rows():
    m = ms.Builder("Row")
    for k in range(9):
        rod = m.link(f"rod {k}", (0.3 * k, 0, 0.07 * k), length="80 mm", angle="90 deg")
        m.pin(f"P{k}", m.ground, rod, at=rod.start)
    text = diagram(m.project().mechanism, look=Look(names=False, dimensions=True))
    for t in marks(text, "text"):
        assert 0 < float(t.get("x")) < 960 and 0 < float(t.get("y")) < 640


def test_a_guide_curve_and_a_cams_profile_are_drawn_as_they_are():
    for name in ("bead_on_circle", "cam_profile"):
        project = ms.load(SAMPLES[0].parent / f"{name}.mech")
        m = project.mechanism
        lines = [
            np.array([[float(x) for x in p.split(",")] for p in c.get("points").split()])
            for kind in ("polyline", "polygon")
            for c in marks(diagram(m), kind)
        ]
        longest = max(lines, key=len)
        assert len(longest) > 30
        if name == "bead_on_circle":
            # a circle, to what its spline through few points is one
            middle = (longest.max(axis=0) + longest.min(axis=0)) / 2
            radii = np.hypot(*(longest - middle).T)
            assert np.ptp(radii) < 0.01 * radii.mean()


def coaxial(type: str, *numbers):
    m = ms.Builder("Coaxial")
    joints = []
    for name in ("one", "two", "three"):
        body = m.body(name, (0, 0, 0), mass=1, inertia=(1, 1, 1))
        joints.append(m.pin(name, m.ground, body, at=(0, 0, 0)))
    getattr(m, type)("coupling", *joints, *numbers)
    return m.project().mechanism


def test_a_planetary_gear_is_sun_ring_and_planets_that_touch():
    ratio = 2.5
    text = diagram(coaxial("planetary", ratio), look=Look(names=False))
    dashed = [c for c in marks(text, "circle") if c.get("stroke-dasharray")]
    radii = sorted(float(c.get("r")) for c in dashed)
    planet, sun, ring = radii[0], sorted(set(radii))[-2], radii[-1]
    assert len(radii) == 5 and ring == pytest.approx(ratio * sun, rel=1e-3)
    assert sun + 2 * planet == pytest.approx(ring, abs=0.02)
    # from the side there are lines alone
    aside = diagram(coaxial("planetary", ratio), view=view_of("right"), look=Look(names=False))
    assert not [c for c in marks(aside, "circle") if c.get("stroke-dasharray")]


@pytest.mark.parametrize("view", ["front", "right"])
def test_a_differential_has_a_symbol_from_both_sides(view):
    with_one = diagram(coaxial("differential"), view=view_of(view))
    m = coaxial("differential")
    bare = replace(m, couplings={})
    assert len(with_one) > len(diagram(bare, view=view_of(view))) + 200


def test_dampers_and_friction_of_joints_are_drawn(monkeypatch):
    drawn = []
    for name in ("turning_damper", "brake", "damper"):
        monkeypatch.setattr(symbols, name, lambda *a, name=name, **k: drawn.append(name))
    m = ms.Builder("Rubbing")
    rod = m.link("rod", (0, 0, 0), length="200 mm", angle="0 deg")
    pin = m.pin("A", m.ground, rod, at=rod.start)
    block = m.body("block", (0.5, 0, 0), mass=1, inertia=(1, 1, 1))
    slide = m.slider("B", m.ground, block, at=(0.5, 0, 0), axis=(1, 0, 0))
    m.force("torsion_damper", "d", joint=pin, damping=1)
    m.force("friction_torque", "f", joint=pin, torque=1)
    m.force("slide_damper", "e", joint=slide, damping=1)
    diagram(m.project().mechanism)
    assert sorted(drawn) == ["brake", "damper", "turning_damper"]


def test_the_angle_of_a_crank_is_read_from_its_pin_outwards():
    """Whichever end of the link was drawn first."""
    for first, second in (((0, 0, 0), (0.2, 0, 0.1)), ((0.2, 0, 0.1), (0, 0, 0))):
        m = ms.Builder("Crank")
        crank = m.link("crank", first, second)
        m.drive("motor", m.pin("A", m.ground, crank, at=(0, 0, 0)), speed=1.0)
        words = [t.text for t in marks(ms.diagram(m.project(), dimensions=True), "text")]
        assert "26.57°" in words


def test_joints_whose_marks_the_scene_leaves_out_are_drawn(monkeypatch):
    """The hexapod's cardan feet and ball heads are pairs, though the scene hides their marks."""
    drawn = counted(monkeypatch, "universal", "spherical", "prismatic")
    project = ms.load("samples/stewart_platform.mech")
    ms.diagram(project)
    assert {name: len(places) for name, places in drawn.items()} == {
        "universal": 6,
        "spherical": 6,
        "prismatic": 6,
    }
    # a slider stands on its rod, not on the ball at the rod's end
    for slider in drawn["prismatic"]:
        assert min(np.hypot(*(slider - ball)) for ball in drawn["spherical"]) > 50
    m = ms.Builder.of(project)
    m.hide("platform")
    drawn.clear()
    ms.diagram(m.project())
    assert len(drawn["universal"]) == 6 and "spherical" not in drawn


def counted(monkeypatch, *types):
    """Places of the symbols of some types as they are drawn."""
    drawn: dict[str, list[np.ndarray]] = {}
    for name in types:

        def draw(pen, at, axis, name=name, own=SYMBOLS[name]):
            drawn.setdefault(name, []).append(at)
            own(pen, at, axis)

        monkeypatch.setitem(SYMBOLS, name, draw)
    return drawn


def test_diagram_scale_does_not_depend_on_the_distance_travelled():
    """A wheel leaves the frame of the floor behind, which is no part of the picture."""
    project = ms.load("samples/robot_vacuum.mech")
    poses = np.array(ms.check(project).poses)
    far = poses.copy()
    far[:, 0] += 100.0
    size = lambda text: np.ptp([float(x) for x in re.findall(r'<circle cx="([\d.]+)"', text)])
    here, there = (ms.diagram(project, poses=p, view="top") for p in (poses, far))
    assert size(there) == pytest.approx(size(here), rel=1e-6) and size(here) > 90
