"""Flat-faced followers: lifts against closed forms and against the farthest point of a curve, the
force and the moment of the contact, and curves that no flat face can follow.
"""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.engine.constraints.lifts import face_problem, lift_table
from mechstudio.model.mechanism import Curve
from mechstudio.model.quantity import Quantity, vector
from tests.engine.joints.test_joint_battery import simulate

replace = msgspec.structs.replace
ANGLES = np.linspace(-7.0, 7.0, 1401)


def curve(points, form="spline", **more):
    return Curve(tuple(vector(*p, 0.0) for p in points), form, closed=True, **more)


def oval(size=1.0, count=24, clockwise=False, a=0.3, b=0.2, x=0.0, y=0.0):
    turns = np.arange(count) * 2.0 * math.pi / count * (-1.0 if clockwise else 1.0)
    return curve([(size * (x + a * math.cos(t)), size * (y + b * math.sin(t))) for t in turns])


def circle(radius=0.3, x=0.1, y=-0.05):
    return curve([(x + radius, y), (x, y + radius), (x - radius, y)], "circle")


def points_of(drawn):
    return [tuple(q.value for q in p) for p in drawn.points]


def farthest(table, angles):
    """Farthest that a curve reaches along normals (-sin, cos) of angles, by searching."""
    points = table.at(np.linspace(0.0, table.length, 40001))[0][:, :2]
    out = []
    for angle in angles:
        normal = np.array((-math.sin(angle), math.cos(angle)))
        s = table.length * np.argmax(points @ normal) / 40000
        for _ in range(3):
            _, d, dd = (x[:2] for x in table.at(s))
            s -= (d @ normal) / (dd @ normal)
        out.append(table.at(s)[0][:2] @ normal)
    return np.array(out)


def test_the_lift_of_a_circle_is_its_radius_and_a_sine():
    lift, slope, bend = (x[:, 1] for x in lift_table(circle()).at(ANGLES))
    away = -0.1 * np.sin(ANGLES) - 0.05 * np.cos(ANGLES)
    assert lift == pytest.approx(0.3 + away, abs=1e-15)
    assert slope == pytest.approx(-0.1 * np.cos(ANGLES) + 0.05 * np.sin(ANGLES), abs=1e-15)
    assert bend == pytest.approx(-away, abs=1e-15)


@pytest.mark.thinned(4)
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("x", [0.0, 0.25, 5.0])
def test_the_lift_is_the_farthest_point_of_the_curve(size, clockwise, x):
    drawn = oval(size, clockwise=clockwise, x=x, y=0.3)
    lift, slope, bend = (v[:, 1] for v in lift_table(drawn).at(ANGLES[::20]))
    assert lift == pytest.approx(farthest(curve_table(drawn), ANGLES[::20]), abs=2e-12 * size)
    h = 1e-4
    (before, *_), (after, *_) = (lift_table(drawn).at(ANGLES[::20] + s) for s in (-h, h))
    assert slope == pytest.approx((after - before)[:, 1] / (2 * h), abs=1e-7 * size)
    # lift + lift'' is a radius of curvature
    assert (lift + bend).min() > 0.1 * size


def test_the_lift_of_a_fine_oval_is_that_of_an_ellipse():
    """sqrt(a^2 sin^2 + b^2 cos^2) of the angle of the normal from y, up to the spline's error."""
    lift = lift_table(oval(count=200)).at(ANGLES)[0][:, 1]
    exact = np.hypot(0.3 * np.sin(ANGLES), 0.2 * np.cos(ANGLES))
    assert lift == pytest.approx(exact, abs=1e-8)


def cam(drawn, speed=3.0, mass=2.0):
    """A driven cam and a follower without gravity, its face drawn on the cam."""
    m = ms.Builder(gravity=(0, 0, 0))
    high = float(lift_table(drawn).at(0.0)[0][1])
    inertia = (0.1, 0.1, 0.1)
    wheel = m.body("cam", (0, 0, 0), mass=1.0, inertia=inertia)
    rod = m.body("follower", (0, 0, high), mass=mass, inertia=inertia)
    shaft = m.pin("shaft", m.ground, wheel, at=(0, 0, 0))
    m.slider("guide", m.ground, rod, at=(0, 0, high), axis=(0, 0, 1))
    m.flat_follower(
        "face",
        wheel,
        rod,
        points_of(drawn),
        center=(0, 0, 0),
        at=(0.05, 0, high),
        normal=(0, 0, 1),
        form=drawn.form,
    )
    if speed:
        m.drive("motor", shaft, speed=speed)
    return m


def test_the_follower_rises_by_the_lift_and_presses_with_its_inertia():
    drawn = oval(x=0.04, y=0.02)
    result = ms.simulate(cam(drawn).project(), duration=2.0, sample_step=0.05, tolerance=1e-11)
    lift, slope, bend = (x[:, 1] for x in lift_table(drawn).at(-3.0 * result.time))
    assert result.joint_coordinates["guide"][:, 0] == pytest.approx(lift - lift[0], abs=1e-10)
    table = ms.analyse(
        cam(drawn).project(), "reactions", axes="world", duration=2.0, sample_step=0.05
    )
    rows = dict(zip(table.columns, np.array(table.rows, float).T, strict=True))
    assert rows["face Fz"] == pytest.approx(2.0 * 9.0 * bend, abs=1e-6)
    assert rows["shaft Fz"] == pytest.approx(2.0 * 9.0 * bend, abs=1e-6)
    # the motor pays for what the follower has
    kinetic = 0.5 * 2.0 * (3.0 * slope) ** 2
    assert result.work - result.work[0] == pytest.approx(kinetic - kinetic[0], abs=1e-7)


DOUBLE = [
    ((1 + 0.3 * math.cos(t)) * math.cos(2 * t), (1 + 0.3 * math.cos(t)) * math.sin(2 * t))
    for t in np.arange(24) * math.pi / 12
]
REFUSED = {
    "straight": curve([(0, 0), (1, 0), (1, 1), (0, 1)], "polyline", radius=Quantity(0.2)),
    "hollow": curve([(1, 0), (0.2, 0.2), (0, 1), (-1, 0), (0, -1)]),
    "roller radius": replace(circle(), offset=Quantity(0.1)),
    "is open": Curve((vector(0, 0, 0), vector(1, 0, 0), vector(2, 1, 0))),
    "square to z": Curve(
        tuple(vector(*p) for p in ((1, 0, 0), (0, 1, 0.2), (-1, 0, 0), (0, -1, 0.2))), closed=True
    ),
    "more than once": curve(DOUBLE),
}


@pytest.mark.parametrize("words", REFUSED)
def test_curves_that_no_flat_face_follows_are_refused_in_words(words):
    assert words in face_problem(REFUSED[words])
    good = cam(circle()).project()
    joint = replace(good.mechanism.joints["face"], curve=REFUSED[words])
    joints = good.mechanism.joints | {"face": joint}
    wrong = replace(good, mechanism=replace(good.mechanism, joints=joints))
    assert any(words in f.message for f in ms.check(wrong).findings)
    with pytest.raises(ValueError, match=words):
        ms.simulate(wrong, duration=0.1)
    with pytest.raises(ValueError, match=words):
        ms.derive(wrong)


@pytest.mark.parametrize("coordinates", ["joint", "link"])
def test_equations_and_simulator_agree(coordinates):
    """In angles of links too, where the angle of the face stays that against the cam."""
    derived = ms.derive(cam(oval(x=0.04), speed=0.0).project(), coordinates=coordinates)
    assert [p for p in derived.proofs if not p.holds] == []
    verdict = ms.agreement(derived)
    assert verdict.holds, verdict.detail
    assert [f.names[0].name for f in derived.equations.functions] == ["h"]


@pytest.mark.parametrize("on_ground", [False, True])
@pytest.mark.parametrize("effort", ["spring", "drive"])
def test_efforts_along_a_face_act_alike_in_all_methods(effort, on_ground):
    """An effort on x is along the turned x and does no work at the angle."""
    m = ms.Builder(gravity=(0, 0, -9.81))
    wheel = m.body("cam", (0, 0, 0), mass=1.0, inertia=(0.01, 0.02, 0.015))
    rod = m.body("follower", (0, 0, 0.2), mass=2.0, inertia=(0.01, 0.02, 0.015))
    if not on_ground:
        m.pin("shaft", m.ground, wheel, at=(0, 0, 0))
    face = m.flat_follower(
        "face",
        wheel,
        m.ground if on_ground else rod,
        points_of(oval()),
        center=(0, 0, 0),
        at=(0, 0, 0.2),
        normal=(0, 0, 1),
    )
    if effort == "drive":
        m.drive("motor", face["x"], speed=0.7)
    else:
        m.force("slide_spring", "spring", joint=face["x"], stiffness=3.0, free_length=0.4)
    if on_ground:
        m.remove(rod)
    derived = ms.derive(m.project())
    assert [p.key for p in derived.proofs if not p.holds] == []
    assert ms.agreement(derived).holds


def test_a_follower_on_the_ground_carries_its_cam():
    """Walked backwards: the cam hangs on a face of the ground alone, and does what the rows of the
    joint allow.
    """
    m = ms.Builder(gravity=(0, 0, -9.81))
    wheel = m.body("cam", (0, 0, 0), mass=1.0, inertia=(0.01, 0.02, 0.015))
    m.flat_follower(
        "face",
        wheel,
        m.ground,
        points_of(oval()),
        center=(0, 0, 0),
        at=(0.02, 0, -0.2),
        normal=(0, 0, -1),
        along=(-1, 0, 0),
        rate=(2.0, 0.1, 0.2, 0.3),
    )
    system, in_tree = simulate(m.project().mechanism)
    assert ("face", 0) in system.tree.screws and not system.rows
    _, free = simulate(m.project().mechanism, coordinates="absolute")
    place = system.layout.pose("cam")
    assert in_tree[:, place] == pytest.approx(free[:, place], abs=1e-7)
    assert np.ptp(in_tree[:, place], axis=0).max() > 0.05


def test_script_and_file_keep_a_flat_follower(tmp_path):
    project = cam(oval()).project()
    namespace: dict = {}
    exec(ms.script(project), namespace)
    again = next(v for v in namespace.values() if isinstance(v, ms.Builder)).project()
    assert again.mechanism.joints["face"].curve == project.mechanism.joints["face"].curve
    ms.save(project, tmp_path / "cam.mech")
    assert ms.load(tmp_path / "cam.mech").mechanism.joints == project.mechanism.joints


def test_a_face_is_driven_where_its_curve_stands_still():
    """The face touches at the frame's origin, about which the lift turns it without moving it."""
    m = ms.Builder(gravity=(0, 0, 0))
    inertia, high = (0.1, 0.1, 0.1), 0.3
    wheel = m.body("cam", (0, 0, 0), mass=1.0, inertia=inertia)
    rod = m.body("follower", (0, 0, high), mass=1.0, inertia=inertia)
    m.pin("shaft", m.ground, wheel, at=(0, 0, 0))
    m.slider("guide", m.ground, rod, at=(0, 0, high), axis=(0, 0, 1))
    rim = ((0, 0, 0), (0.3, -0.3, 0), (0, -0.6, 0))
    place = (0.1, 0, high)
    face = m.flat_follower(
        "face", wheel, rod, rim, center=place, at=place, normal=(0, 0, 1), form="circle"
    )
    m.drive("motor", face, speed=-2.0)
    result = ms.simulate(m.project(), duration=2.0)
    rise = 0.1 * np.sin(2.0 * result.time)
    assert result.joint_coordinates["guide"][:, 0] == pytest.approx(rise, abs=1e-9)
