"""Edits of a drawing by calls: copies, mirror images, patterns, groups, stops."""

import math

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.files.project_file import decode, encode

TURN = pytest.approx(math.pi / 2)


@pytest.fixture
def drawn():
    m = ms.Builder("Rod")
    rod = m.link("rod", (0.1, 0, 0), length="200 mm", angle=0)
    pin = m.pin("A", m.ground, rod, at=rod.start)
    return m, rod, pin


def places(m):
    return {b.body.name: tuple(round(c, 12) for c in b.world()) for b in m.bodies.values()}


def test_a_row_keeps_its_formula_and_its_joints(drawn):
    m, rod, pin = drawn
    m.parameter("s", "300 mm")
    copies = m.edit.row(rod, pin, count=3, step="s")
    assert [set(new) for new in copies] == [{rod.id, pin.id}] * 2
    assert places(m) == {"rod": (0.1, 0, 0), "rod 2": (0.4, 0, 0), "rod 3": (0.7, 0, 0)}
    m.set("s", "value", "1 m")
    assert places(m)["rod 3"] == (2.1, 0, 0)
    assert ms.check(m.project()).structure.mobility == 3
    assert decode(encode(m.project())).project == m.project()


def test_a_circle_is_filled_about_its_centre(drawn):
    m, rod, _ = drawn
    m.edit.circle(rod, count=4)
    assert sorted(places(m).values()) == sorted(
        [(0.1, 0, 0), (0, 0, 0.1), (-0.1, 0, 0), (0, 0, -0.1)]
    )


def test_a_mirror_image_stands_across_and_in_place_nothing_is_copied(drawn):
    m, rod, pin = drawn
    new = m.edit.mirror(rod, pin, normal=(2, 0, 0))
    image = m.bodies[new[rod.id]]
    assert image.end == pytest.approx((-0.3, 0, 0)) and len(m.joints) == 2
    assert m.edit.mirror(rod, copy=False) == {} and len(m.bodies) == 2
    assert rod.end == pytest.approx((-0.3, 0, 0))


def test_a_turn_and_a_shift_move_bodies_and_their_joints(drawn):
    m, rod, _ = drawn
    m.edit.move(rod, about=(0.1, 0, 0), angle="90 deg", shift=(0, 0, 1))
    assert rod.world() == pytest.approx((0.1, 0, 1)) and rod.end == pytest.approx((0.1, 0, 1.2))


def test_copied_part_can_be_pasted_into_another_drawing(drawn):
    m, _, pin = drawn
    part = m.edit.copied(pin)
    other = ms.Builder("Other")
    other.link("rod", (0, 0, 0), length=1, angle=0)
    new = other.edit.paste(part, shift=(0, 0, 0.5))
    assert places(other)["rod 2"] == (0.1, 0, 0.5) and new["rod"] in other.bodies
    assert ms.check(other.project()).structure.mobility == 7


SHIFT = (0.1, -0.2, 0.4)
LINE = ((0.05, 0.3, -0.1), (1.0, 2.0, -2.0))  # a point and a direction of length 3


def turned(point, angle, shift=(0.0, 0.0, 0.0)):
    """A point turned about LINE, then shifted."""
    center, way = np.array(LINE[0]), np.array(LINE[1]) / 3.0
    r = np.array(point) - center
    about = (
        np.cos(angle) * r + np.sin(angle) * np.cross(way, r) + (1 - np.cos(angle)) * way * (way @ r)
    )
    return center + about + shift


EDITS = {
    "duplicate": (
        lambda m: [m.edit.duplicate("rod", shift=SHIFT)],
        [lambda p: np.add(p, SHIFT)],
    ),
    "paste": (
        lambda m: [m.edit.paste(m.edit.copied("rod"), shift=SHIFT)],
        [lambda p: np.add(p, SHIFT)],
    ),
    "row": (
        lambda m: m.edit.row("rod", count=3, step=0.6, way=LINE[1]),
        [lambda p: np.add(p, (0.2, 0.4, -0.4)), lambda p: np.add(p, (0.4, 0.8, -0.8))],
    ),
    "circle": (
        lambda m: m.edit.circle("rod", count=3, center=LINE[0], axis=LINE[1]),
        [lambda p: turned(p, 2 * math.pi / 3), lambda p: turned(p, 4 * math.pi / 3)],
    ),
    "circle by an angle": (
        lambda m: m.edit.circle("rod", count=3, center=LINE[0], axis=LINE[1], angle="-20 deg"),
        [lambda p: turned(p, -math.pi / 9), lambda p: turned(p, -2 * math.pi / 9)],
    ),
    "mirror": (
        lambda m: [m.edit.mirror("rod", through=LINE[0], normal=LINE[1])],
        [lambda p: p - 2 * (np.subtract(p, LINE[0]) @ LINE[1]) / 9 * np.array(LINE[1])],
    ),
    "move": (
        lambda m: m.edit.move("rod", shift=SHIFT, about=LINE[0], axis=LINE[1], angle=0.7),
        [lambda p: turned(p, 0.7, SHIFT)],
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_in_space_puts_all_points_where_they_belong(name):
    do, expected = EDITS[name]
    m = ms.Builder("Space")
    rod = m.link("rod", (0.1, -0.05, 0.2), (0.25, -0.05, 0.3))
    # of a mirror image the axes are others
    beside = (0.0, 0.0, 0.0) if name == "mirror" else (0.05, 0.01, 0.02)
    points = lambda handle: np.array([handle.start, handle.end, handle.world(beside)])
    before = points(rod)
    made = do(m)
    handles = [rod] if made is None else [m.bodies[new["rod"]] for new in made]
    for handle, where in zip(handles, expected, strict=True):
        assert points(handle) == pytest.approx(np.array([where(p) for p in before]), abs=1e-12)
    if made is not None:
        assert points(rod) == pytest.approx(before)


def test_groups_hiding_stops_types_and_axes(drawn):
    m, rod, pin = drawn
    other = m.link("other", rod.end, length=0.1, angle=0)
    id = m.edit.group(rod, other, name="arm")
    assert m.project().groups[id].members == (rod.id, other.id)
    m.edit.ungroup(rod)
    assert m.project().groups == {}
    m.edit.isolate(rod)
    assert not other.body.visible and rod.body.visible
    m.edit.show()
    assert other.body.visible
    m.edit.stops(pin)
    assert pin.joint.limits[0].upper.value == pytest.approx(math.pi / 3)
    axis = lambda: m.mechanism.frame_in_world(pin.joint.frame_a)[1]
    before = axis()
    m.edit.flip(pin)
    assert abs(sum(p * q for p, q in zip(before, axis()))) < 1e-12  # half a turn
    m.edit.joint_type("prismatic", pin)
    assert pin.joint.type == "prismatic"


def test_links_that_run_through_each_other_are_stacked():
    m = ms.Builder("Cross")
    a = m.link("a", (-0.1, 0, 0), (0.1, 0, 0))
    b = m.link("b", (0, 0, -0.1), (0, 0, 0.1))
    m.pin("A", m.ground, a, at=(0, 0, 0))
    m.pin("B", a, b, at=(0, 0, 0))
    m.edit.stack()
    levels = [h.body.shapes[0].placement.position[1].value for h in (a, b)]
    assert abs(levels[0] - levels[1]) >= 0.04 * 0.2 - 1e-9


def test_a_cure_takes_the_redundancy_away():
    project = ms.load("samples/door_two_hinges.mech")
    found = ms.check(project).redundancies[0]
    m = ms.Builder.of(project)
    m.edit.cure(found.cures[0])
    assert ms.check(m.project()).structure.hyperstaticity == found.cures[0].after


def test_a_gauge_drives_a_length_and_becomes_a_parameter(drawn):
    m, rod, pin = drawn
    tip = m.link("tip", rod.end, length="100 mm", angle="90 deg")
    b = m.pin("B", rod, tip, at=rod.end)
    m.gauge("L", pin, b)
    m.edit.gauge_value("L", "250 mm")
    assert rod.end[0] == pytest.approx(0.35)
    project = ms.gauge_parameter(m.project(), "L")
    assert project.parameters["L"].value.text == "250 mm"
    with pytest.raises(ValueError, match="no gauge M; there are L"):
        m.edit.gauge_value("M", 1)


def test_an_arm_goes_through_its_points(drawn):
    m, *_ = drawn
    arm = m.arm("arm", (0, 0, 0), (0.3, 0, 0), (0, 0, 0.4))
    corners = [arm.world(f"corner {k}") for k in (1, 2, 3)]
    assert math.dist(corners[1], corners[2]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (lambda m: m.edit.row("rod", count=1, step=0.1), "2 to 201 parts"),
        (lambda m: m.edit.duplicate(), "at least one"),
        (lambda m: m.edit.mirror("nothing"), "nothing with the id nothing"),
        (lambda m: m.edit.circle("rod", count=3, axis=(0, 0, 0)), "points nowhere"),
        (lambda m: m.edit.move("rod", angle="3 m"), "angle"),
        (lambda m: m.edit.stops("rod"), "no joint with the id rod"),
        (lambda m: m.edit.joint_type("glue", "A"), "no joint of type glue"),
        (lambda m: m.change("A", type="glue"), "no joint of type glue"),
        (lambda m: m.edit.group("rod"), "two bodies or more"),
        (lambda m: m.arm("arm", (0, 0, 0), (1, 0, 0)), "three points"),
        (lambda m: m.arm("rod", (0, 0, 0), (1, 0, 0), (0, 0, 1)), "given twice"),
        (lambda m: m.edit.stops("A") or m.edit.stops("A"), "has stops already"),
    ],
)
def test_an_impossible_edit_is_reported_and_leaves_the_drawing(drawn, do, words):
    m, *_ = drawn
    with pytest.raises(ValueError, match=words):
        do(m)
    assert [b.body.name for b in m.bodies.values()] == ["rod"]


def test_a_run_goes_on_from_an_instant_and_its_path_is_a_circle(tmp_path):
    project = ms.load("samples/double_pendulum.mech")
    result = ms.simulate(project, duration=0.4, sample_step=0.01, tolerance=1e-11)
    rest = ms.simulate(result.drawing_at(0.2), duration=0.2, sample_step=0.01, tolerance=1e-11)
    assert rest.time[0] == pytest.approx(0.2)
    assert rest.poses[-1] == pytest.approx(result.poses[-1], abs=1e-8)
    with pytest.raises(ValueError, match="no instant 2 s"):
        result.drawing_at(2)
    upper = next(iter(project.mechanism.bodies.values()))
    joint = list(project.mechanism.joints.values())[1]
    path = result.trail(joint.name, out=tmp_path / "trail.csv")
    pivot = project.mechanism.frame_in_world(next(iter(project.mechanism.joints.values())).frame_a)
    radii = [math.dist(p, pivot[0]) for p in path.points]
    assert max(radii) - min(radii) < 1e-9, upper.name
    assert (tmp_path / "trail.csv").read_text("utf-8").count("\n") > 40
    assert len(result.instants(5)) == 5


def test_the_length_of_a_trail_does_not_depend_on_the_samples():
    """6 m of a circle of 0.1 m at 60 rad/s, a radian from one sample to the next."""
    m = ms.Builder("crank")
    crank = m.link("crank", (0, 0, 0), length=0.1, angle=0)
    m.drive("drive", m.pin("A", m.ground, crank, at=crank.start), speed="60 rad/s")
    tip = m.body("tip", crank.end, mass=1, inertia=(1, 1, 1))
    m.pin("B", crank, tip, at=crank.end)
    for sample_step, within in ((1 / 60, 5e-4), (1 / 240, 3e-6)):
        result = ms.simulate(m.project(), duration=1, sample_step=sample_step)
        assert result.trail("B").arc[-1] == pytest.approx(6.0, rel=within)


def test_the_curve_of_a_whole_turn_is_the_cranks_circle(tmp_path):
    curve, *_ = ms.whole_turn(ms.load("samples/four_bar.mech"), "B", out=tmp_path / "turn.dxf")
    assert curve.closed and curve.arc[-1] == pytest.approx(2 * math.pi * 0.13, rel=1e-3)
    assert (tmp_path / "turn.dxf").stat().st_size > 1000
    with pytest.raises(ValueError):
        ms.whole_turn(ms.load("samples/double_pendulum.mech"), "A")


def test_a_kept_version_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    from mechstudio.files import versions

    project, path = ms.load("samples/four_bar.mech"), tmp_path / "a.mech"
    ms.save(project, path)
    versions.keep(path)
    m = ms.Builder.of(project)
    m.change("crank", name="first")
    ms.save(m.project(), path)
    assert len(ms.versions(path)) == 1
    assert ms.load(path, version=1) == project != ms.load(path)
    with pytest.raises(ms.ProjectFileError, match="no version 2; there are 1"):
        ms.load(path, version=2)


def test_the_solvers_own_steps_end_on_the_run():
    project = ms.load("samples/double_pendulum.mech")
    steps = ms.solver_steps(project, 0.2, 0.4)
    assert steps.time[0] <= 0.2 and steps.time[-1] >= 0.4 and len(steps) > 3
    assert abs(steps.energy_balance).max() < 1e-6


def test_a_report_has_the_requested_or_kept_chapters(tmp_path):
    from mechstudio.model.project import ReportChoice

    project = ms.load("samples/four_bar.mech")
    run = ms.simulate(project, duration=1)
    page, kept = tmp_path / "a.html", tmp_path / "b.html"
    chapters = ("mobility", "plots", "peaks", "runs")
    ms.report(project, page, chapters=chapters, runs={"free": run}, plots=["D angle"])
    text = page.read_text("utf-8")
    assert "D angle" in text and "greatest" in text and "what was changed" in text
    m = ms.Builder.of(project)
    m.add(ReportChoice(("mobility", "drawing"), ("drawing",)))
    ms.report(m.project(), kept)
    assert "<canvas" not in kept.read_text("utf-8")
    for bad in ({"chapters": ["poem"]}, {"paper": "a9"}, {"plots": ["D angle"]}):
        with pytest.raises(ValueError):
            ms.report(project, page, **bad)
    with pytest.raises(ValueError, match="written as"):
        ms.report(project, tmp_path / "a.doc")


def test_a_surface_is_written(tmp_path):
    ms.surface(ms.load("samples/four_bar.mech"), "crank", tmp_path / "crank.stl")
    from mechstudio.files.parts import load_part

    assert load_part(str(tmp_path / "crank.stl"))
