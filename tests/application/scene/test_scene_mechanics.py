"""Couplings, drives, curves and stops as they are drawn: sizes against their closed forms."""

import math

import numpy as np
import pytest

from mechstudio.application.scene import build_scene, drawn_poses, row_poses
from mechstudio.application.scene.couplings import belt_path, dash_dotted, toothed
from mechstudio.application.scene.instances import multiply as rotated_by
from mechstudio.application.scene.instances import rotate
from mechstudio.application.scene.joints.stops import limit_marks
from mechstudio.application.scene.scene import build
from mechstudio.curves.drawings.joint_curves import curve_points
from mechstudio.model.edits import insertion
from mechstudio.model.edits.links import FRONT, add_joint, add_link
from mechstudio.model.geometry.rotation import about, multiply
from mechstudio.model.joints.defaults import circle, line
from mechstudio.model.mechanism import GROUND, Limit
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from tests.model.edits.test_insertion import discs

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def length(points):
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


@pytest.mark.parametrize("crossed", [False, True])
def test_a_belt_is_as_long_as_the_formula_says(crossed):
    """Open: 2 sqrt(a² - (r1 - r2)²) + 2 r1 (pi - f) + 2 r2 f, f = acos((r1 - r2) / a); crossed: 2
    sqrt(a² - (r1 + r2)²) + 2 (r1 + r2) (pi - f), f = acos((r1 + r2) / a) (Shigley, section 17-2).
    """
    r1, r2, first, second = 0.05, 0.12, np.array([0.1, -0.2]), np.array([0.5, 0.1])
    a = float(np.linalg.norm(second - first))
    path = belt_path(first, second, r1, r2, crossed, 400)
    if crossed:
        f = math.acos((r1 + r2) / a)
        expected = 2 * math.sqrt(a * a - (r1 + r2) ** 2) + 2 * (r1 + r2) * (math.pi - f)
    else:
        f = math.acos((r1 - r2) / a)
        expected = 2 * math.sqrt(a * a - (r1 - r2) ** 2) + 2 * r1 * (math.pi - f) + 2 * r2 * f
    assert length(path) == pytest.approx(expected, rel=1e-5)
    # it goes inside neither wheel
    for center, r in ((first, r1), (second, r2)):
        assert np.linalg.norm(path - center, axis=1).min() > r - 1e-9


def test_a_belt_about_wheels_that_meet_is_not_drawn():
    assert belt_path(np.zeros(2), np.array([0.1, 0.0]), 0.3, 0.1, False, 10) is None
    assert belt_path(np.zeros(2), np.array([0.1, 0.0]), 0.06, 0.06, True, 10) is None


def test_pitch_circles_of_a_gear_pair_touch():
    project, joints = discs((0, 0, 0.05), (0.15, 0, 0.1))
    project, gear = insertion.add_coupling(project, "gear", joints)
    builder, scene = build(project.mechanism), build_scene(project)
    poses = row_poses(scene.rows, scene.drawn)
    places = [
        poses[s.row][4:7] + rotate(poses[s.row][None, :4], np.asarray(s.points, float))
        for s in builder.marks
        if builder.rows[s.row].owner == gear
    ]
    flat = np.concatenate(places)[:, [0, 2]]
    reach = [np.linalg.norm(flat - c, axis=1) for c in ((0.0, 0.0), (0.15, 0.0))]
    # chords of a polygon lie a little inside its circle
    on = (np.abs(reach[0] - 0.05) < 2e-4) | (np.abs(reach[1] - 0.1) < 2e-4)
    assert on.mean() > 0.95, (
        "all but the inner ends of the marks lie on circles of 50 and 100 mm, which touch"
    )
    assert any(label.owner == gear and label.text == "2 to 1" for label in scene.labels)


def test_the_ratio_of_a_gear_pair_stays_where_the_wheels_meet():
    """Wheels of 50 and 100 mm whose centres are 150 mm apart meet 50 mm from the first, however far
    they have turned.
    """
    project, joints = discs((0, 0, 0.05), (0.15, 0, 0.1))
    project, gear = insertion.add_coupling(project, "gear", joints)
    scene = build_scene(project)
    rotated = scene.drawn.copy()
    rotated[:, 3:] = [multiply(about((0.0, -1.0, 0.0), 1.0), tuple(q)) for q in rotated[:, 3:]]
    label = next(label for label in scene.labels if label.owner == gear)
    for poses in (scene.drawn, rotated):
        at = row_poses(scene.rows, poses)[label.row]
        assert (at[4:7] + rotate(at[:4], np.array(label.point)))[[0, 2]] == pytest.approx(
            (0.05, 0.0), abs=1e-12
        )


def test_dashes_cover_what_they_should():
    straight = np.array([(0.0, 0, 0), (1.0, 0, 0)])
    assert sum(length(p) for p in dash_dotted(straight, 5)) == pytest.approx(0.56 + 0.12)


def test_a_curve_through_points_of_a_circle_is_nearly_the_circle():
    points = curve_points(circle(0.1))
    assert np.abs(np.linalg.norm(points - (0, 0.1, 0), axis=1) - 0.1).max() < 4e-4
    assert points[0] == pytest.approx(points[-1]) and points[0] == pytest.approx(
        (0, 0, 0), abs=1e-12
    )


def test_an_open_curve_through_points_of_a_line_is_the_line():
    points = curve_points(line(0.2))
    assert (
        np.abs(points[:, 1:]).max() < 1e-12
        and points[0, 0] == -0.2
        and points[-1, 0] == 0.2
        and np.all(np.diff(points[:, 0]) > 0)
    )


def limited(type, axis=None):
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    project, id = add_joint(project, FRONT, GROUND, link, (0.0, 0.0, 0.0), type, axis)
    return insertion.add_limit(project, id, 0), id


def marks_of(project, id):
    m = project.mechanism
    pose = lambda body: (
        np.array(m.body(body).placement.pose[1]),
        np.array(m.body(body).placement.pose[0]),
    )
    return limit_marks(m, m.joints[id], 0.02, pose)


def test_stops_of_a_turn_are_a_sector_from_stop_to_stop():
    project, id = limited("revolute")
    (mark,) = marks_of(project, id)
    angles = np.degrees(np.arctan2(mark.area[1:, 2], mark.area[1:, 0]))
    assert (angles[0], angles[-1]) == pytest.approx((-60, 60)) and np.all(np.diff(angles) > 0)
    assert len(mark.stops) == 2 and not mark.soft
    assert mark.needle[1] == pytest.approx((np.linalg.norm(mark.needle[1]), 0, 0), abs=1e-12), (
        "the needle stands at the drawn angle 0"
    )


def test_stops_of_a_slide_are_a_slot_from_stop_to_stop():
    project, id = limited("prismatic", (1.0, 0.0, 0.0))
    (mark,) = marks_of(project, id)
    (limit,) = project.mechanism.joints[id].limits
    assert (mark.area[:, 0].min(), mark.area[:, 0].max()) == pytest.approx(
        (limit.lower.value, limit.upper.value)
    )


def test_one_soft_stop_is_drawn_and_none_is_not():
    from mechstudio.model.edits.elements import put_element, replace

    project, id = limited("revolute")
    joint = project.mechanism.joints[id]
    one = put_element(
        project,
        id,
        replace(joint, limits=(Limit(0, None, Quantity(0.5), stiffness=Quantity(10.0)),)),
    )
    (mark,) = marks_of(one, id)
    assert len(mark.stops) == 1 and mark.soft
    assert marks_of(put_element(project, id, replace(joint, limits=(Limit(0),))), id) == []


def test_a_drive_is_drawn_at_its_joint_and_turns_with_the_sign():
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    project, joint = add_joint(project, FRONT, GROUND, link, (0.0, 0.0, 0.0))
    project, drive = insertion.add_drive(project, joint)
    builder = build(project.mechanism)
    mine = [s for s in builder.marks if builder.rows[s.row].owner == drive]
    assert len(mine) == 5, "two arcs, a head, and an M in a circle"
    arc = next(
        s.points
        for s in mine
        if len(s.points) > 10 and np.linalg.norm(s.points[0] - s.points[-1]) > 1e-9
    )
    assert np.cross(arc[0], arc[1])[2] > 0, "a positive speed turns about +z"


def carried_train(type):
    """An arm on the ground, a wheel on it, and another link at the wheel's far side on the arm:
    coupled joints on a moving body.
    """
    project, arm = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    project, first = add_link(project, FRONT, (0.0, 0.0, 0.0), (0.0, 0.0, 0.1))
    project, second = add_link(project, FRONT, (0.2, 0.0, 0.0), (0.2, 0.0, 0.1))
    ids = []
    for a, b, at in (
        (GROUND, arm, (0.0, 0.0, 0.0)),
        (arm, first, (0.0, 0.0, 0.0)),
        (arm, second, (0.2, 0.0, 0.0)),
    ):
        project, id = add_joint(project, FRONT, a, b, at)
        ids.append(id)
    return insertion.add_coupling(project, type, ids), (arm, first, second)


def world_of(project, coupling, poses):
    """All points of a coupling's marks in W at body poses."""
    scene = build_scene(project)
    at = row_poses(scene.rows, poses)
    mine = np.array([scene.rows.owners[int(r)] == coupling for r in scene.marks.row])
    rows = scene.marks.row[mine].astype(int)
    points = scene.marks.points[mine].astype(float)
    points[:, 2] += scene.marks.along[mine] * at[rows, 7]
    return at[rows, 4:7] + rotate(at[rows, :4], points)


def test_a_chain_follows_the_bodies_that_carry_its_joints():
    (project, coupling), (_arm, _first, _second) = carried_train("differential")
    bodies = list(project.mechanism.bodies)
    drawn = drawn_poses(project)
    before = world_of(project, coupling, drawn)
    assert before[:, 0].max() == pytest.approx(0.2, abs=0.01), "it reaches to the wheel's joint"
    rotated = drawn.copy()
    c, s = np.cos(0.6), np.sin(0.6)
    R = np.array([(c, 0, s), (0, 1, 0), (-s, 0, c)])  # about y, the arm and all on it
    half = np.array([np.cos(0.3), 0.0, np.sin(0.3), 0.0])
    rotated[:, :3] = drawn[:, :3] @ R.T
    rotated[:, 3:] = rotated_by(np.broadcast_to(half, (len(bodies), 4)), drawn[:, 3:])
    far = lambda points: np.sort(np.linalg.norm(points, axis=1))
    after = world_of(project, coupling, rotated)
    assert np.abs(after - before @ R.T).max() < 0.02 and far(after) == pytest.approx(
        far(before), abs=1e-5
    )


def test_a_chain_stretches_between_joints_that_part():
    (project, coupling), (arm, _first, _second) = carried_train("differential")
    drawn = drawn_poses(project)
    # the body that carries the far joint is the arm: slide it out
    transformed = drawn.copy()
    transformed[list(project.mechanism.bodies).index(arm), 0] += 0.3
    points = world_of(project, coupling, transformed)
    assert points[:, 0].max() > 0.45 and points[:, 0].min() < 0.02


def test_coupled_at_one_place_each_ring_turns_with_its_own_body():
    project, arm = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.0))
    project, other = add_link(project, FRONT, (0.0, 0.0, 0.0), (0.0, 0.0, 0.1))
    ids = []
    for body in (arm, other):
        project, id = add_joint(project, FRONT, GROUND, body, (0.0, 0.0, 0.0))
        ids.append(id)
    project, coupling = insertion.add_coupling(project, "gear", ids)
    scene = build_scene(project)
    rows = {int(r) for r in scene.marks.row if scene.rows.owners[int(r)] == coupling}
    assert {int(scene.rows.turn_body[r]) for r in rows} == {1, 2}


def test_a_planetary_gear_has_teeth_that_fit_on_the_bodies_they_turn_with():
    project, joints = Project(), []
    for k in range(3):
        project, link = add_link(project, FRONT, (0.0, 0.0, 0.0), (0.2, 0.0, 0.1 * k))
        project, id = add_joint(project, FRONT, GROUND, link, (0.0, 0.0, 0.0), "revolute")
        joints.append(id)
    project, id = insertion.add_coupling(project, "planetary", joints)
    scene = build_scene(project)
    mine = [int(r) for r in np.unique(scene.marks.row) if scene.rows.owners[int(r)] == id]
    assert len(mine) == 3, "carrier, sun and ring"
    wheel = toothed(0.03, 12, 0.006)
    reach = np.hypot(wheel[:, 0], wheel[:, 1])
    assert (
        len(wheel) == 49
        and (reach.min(), reach.max()) == pytest.approx((0.027, 0.033))
        and np.allclose(wheel[0], wheel[-1])
    )
