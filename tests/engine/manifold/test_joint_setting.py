"""Setting a joint coordinate: closed forms of loops, dead points, stops, couplings, and no jump to
another branch.
"""

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

from mechstudio.engine.constraints.attitude import drawn_poses, turn_angle
from mechstudio.engine.constraints.curves import curve_table
from mechstudio.engine.constraints.joint_coordinates import joint_coordinates
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold import joint_setting
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.manifold.joint_setting import pose_at
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling, Law, Limit
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.joints import JOINT_TYPES
from tests import mechanisms
from tests.engine.constraints.test_rows import CURVE, skewed

SAMPLES = Path(__file__).parents[3] / "samples"


def posed(mechanism, joint, coordinate, value):
    rows = JointRows(mechanism)
    result = pose_at(mechanism, drawn_poses(mechanism), joint, coordinate, value, rows)
    # wherever it ended, it is closed
    assert np.abs(rows.residuals(result.poses)).max(initial=0.0) < 1e-10 * rows.size
    return result


def with_couplings(mechanism, *couplings):
    return msgspec.structs.replace(mechanism, couplings={c.id: c for c in couplings})


def crank_angle(result):
    """Direction of the four-bar's crank in the drawing plane, from its pose."""
    x, _, z = result.poses[0, :3]
    return math.atan2(z, x)


@pytest.mark.parametrize("value", [0.5, 2.5, -1.0, 2 * math.pi + 0.3, -20.0])
@pytest.mark.thinned(3)
def test_a_four_bar_follows_its_crank(value):
    # drawn with the crank at 1 rad; the joint's own angle is zero there and counts on
    mechanism = mechanisms.four_bar()
    result = posed(mechanism, "A", 0, value)
    assert not result.reason and result.value == value
    angle = 1.0 + value
    B = (0.2 * math.cos(angle), 0.2 * math.sin(angle))
    C = mechanisms.circle_meeting(B, 0.632, (0.6, 0.0), 0.5)
    assert np.allclose(
        result.poses[:, [0, 2]],
        [(B[0] / 2, B[1] / 2), np.add(B, C) / 2, np.add(C, (0.6, 0.0)) / 2],
        atol=1e-10,
    )
    assert abs(result.coordinates[0] - value) < 1e-10


def test_no_place_on_the_way_is_open():
    mechanism = mechanisms.four_bar()
    rows = JointRows(mechanism)
    way = joint_setting._CoordinatePath(mechanism, rows, drawn_poses(mechanism), 0, 0)
    way.follow(7.0)
    assert len(way.passed) > 10
    assert max(np.abs(rows.residuals(at.poses)).max() for at in way.passed) < 1e-10 * rows.size


@pytest.mark.parametrize(("value", "reach"), [(-3.0, 0.2 + 0.632), (3.0, 0.632 - 0.2)])
def test_a_rocker_stops_at_its_dead_points(value, reach):
    # crank and coupler in line, stretched or folded: the angle at D by the law of cosines in the
    # triangle 0.6, 0.5, reach
    mechanism = mechanisms.four_bar()
    result = posed(mechanism, "D", 0, value)
    B = (0.2 * math.cos(1.0), 0.2 * math.sin(1.0))
    C = mechanisms.circle_meeting(B, 0.632, (0.6, 0.0), 0.5)
    drawn = math.atan2(C[1], C[0] - 0.6)
    dead = math.pi - math.acos((0.6**2 + 0.5**2 - reach**2) / (2 * 0.6 * 0.5))
    # counter-clockwise seen from the front
    assert abs(result.value - (dead - drawn)) < 1e-7
    assert result.reason.startswith("Pin D cannot turn further: dead point at")


@pytest.mark.parametrize(("value", "dead"), [(1.0, 0.45), (-1.0, 0.15)])
def test_a_slider_stops_at_its_dead_points(value, dead):
    # crank 0.15 and rod 0.3: the slider runs from 0.15 to 0.45
    mechanism = mechanisms.slider_crank()
    result = posed(mechanism, "D", 0, value)
    assert abs(result.poses[2, 0] - dead) < 1e-8
    assert "Slider D cannot slide further: dead point at" in result.reason


def test_a_dead_point_is_left_backwards():
    mechanism = mechanisms.slider_crank(angle=0.0)
    back = posed(mechanism, "D", 0, -0.1)
    assert not back.reason and abs(back.poses[2, 0] - 0.35) < 1e-10
    further = posed(mechanism, "D", 0, 0.1)
    assert "dead point at 0 mm" in further.reason and further.value == 0.0
    # the crank passes it
    assert not posed(mechanism, "A", 0, 1.0).reason


def test_rigid_triangle_is_reported_as_held_by_its_joints():
    b = mechanisms.Builder()
    points = {"P": (0, 0, 0), "Q": (1, 0, 0), "R": (0.3, 0, 0.8)}
    b.link("one", points["P"], points["R"])
    b.link("two", points["Q"], points["R"])
    b.joint("P", GROUND, "one", points["P"])
    b.joint("Q", GROUND, "two", points["Q"])
    b.joint("R", "one", "two", points["R"])
    result = posed(b.mechanism, "P", 0, 0.5)
    assert (
        result.reason == "Pin P cannot turn: the other joints hold it."
        and abs(result.value) < 1e-15
    )


@pytest.mark.parametrize("count", [1, 3, 10, 20])
def test_four_bars_pass_the_horizontal_on_their_branch(count):
    # cranks of 1 m on a base of 1 m each: flat at 0 and 180 degrees, where every one could go over
    # to its crossed form
    mechanism = mechanisms.four_bars(count)
    result = posed(mechanism, "O0", 0, math.radians(230))
    assert not result.reason
    assert np.allclose(result.coordinates[: count + 1], math.radians(230), atol=1e-9)


@pytest.mark.parametrize("longer", [1e-2, 1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.thinned(3)
def test_a_branch_that_comes_near_another_is_not_left(longer, way):
    # a rocker a little longer than a parallelogram's: at 0 and 180 degrees the crossed form is only
    # so far away, and never the right one
    crank, coupler, base = 0.3, 0.6, 0.6
    rocker = crank + longer
    mechanism = mechanisms.four_bar(crank, coupler, rocker, base, angle=1.0)
    for degrees in (100, 125, 300, 305, 420):
        result = posed(mechanism, "A", 0, way * math.radians(degrees))
        angle = 1.0 + way * math.radians(degrees)
        B = (crank * math.cos(angle), crank * math.sin(angle))
        C = mechanisms.circle_meeting(B, coupler, (base, 0.0), rocker)
        assert not result.reason and np.allclose(
            result.poses[2, [0, 2]], np.add(C, (base, 0.0)) / 2, atol=1e-8
        )


@pytest.mark.parametrize("type", [t for t, kind in JOINT_TYPES.items() if kind.dof])
def test_every_coordinate_of_every_type_is_set(type):
    kind = JOINT_TYPES[type]
    mechanism = skewed(type)
    before = joint_coordinates(mechanism, drawn_poses(mechanism)[None])[0]
    for c in range(kind.dof):
        for change in (0.5, -0.4):
            result = posed(mechanism, "joint", c, before[c] + change)
            assert not result.reason, (c, result.reason)
            assert (
                abs(result.value - before[c] - change) < 1e-12
                and abs(result.coordinates[c] - before[c] - change) < 1e-9
            )


def test_a_long_way_counts_its_turns():
    mechanism = skewed("screw")
    result = posed(mechanism, "joint", 0, 0.3 + 40 * math.pi)
    assert abs(result.coordinates[0] - 0.3 - 40 * math.pi) < 1e-9
    rows = JointRows(mechanism)
    P_A, R_A, P_B, _ = rows.frames(result.poses)
    # 20 turns of pitch 0.4
    assert abs(R_A[0, :, 2] @ (P_B[0] - P_A[0]) - (0.4 * 20 + 0.4 * 0.3 / (2 * math.pi))) < 1e-9


def test_the_other_freedoms_move_least():
    # two bodies alone in space, equal and placed alike: each takes half of the turn between them
    b = mechanisms.Builder()
    b.body("one", (0.0, 0.0, 0.0))
    b.body("two", (0.0, 0.0, 0.0))
    b.joint("pin", "one", "two", (0.0, 0.0, 0.0))
    result = posed(b.mechanism, "pin", 0, 1.0)
    assert np.allclose(
        turn_angle(drawn_poses(b.mechanism)[:, 3:], result.poses[:, 3:]), 0.5, atol=1e-9
    )
    # and what hangs on ground apart from them stays
    b.link("aside", (1, 0, 0), (2, 0, 0))
    b.joint("B", GROUND, "aside", (1, 0, 0))
    assert np.allclose(posed(b.mechanism, "pin", 0, 1.0).poses[2], drawn_poses(b.mechanism)[2])


def test_values_that_make_no_sense_are_refused():
    mechanism = mechanisms.four_bar()
    for joint, coordinate, value in (("A", 1, 0.0), ("nobody", 0, 0.0), ("A", 0, math.nan)):
        with pytest.raises(ValueError, match=r"There is no coordinate|cannot be reached"):
            pose_at(mechanism, drawn_poses(mechanism), joint, coordinate, value)
    assert "100 turns" in posed(mechanism, "A", 0, 1e4).reason


# stops


def limited(mechanism, joint, **bounds):
    limit = Limit(0, *(Quantity(bounds[k]) if k in bounds else None for k in ("lower", "upper")))
    return mechanisms.with_joint(mechanism, joint, limits=(limit,))


def test_the_own_stop_is_kept():
    mechanism = limited(mechanisms.four_bar(), "A", upper=0.7, lower=-0.2)
    for value, stop, word in ((2.0, 0.7, "upper"), (-2.0, -0.2, "lower")):
        result = posed(mechanism, "A", 0, value)
        assert result.value == stop and f"Pin A stops at its {word} stop" in result.reason
    assert not posed(mechanism, "A", 0, 0.7).reason


def test_the_stop_of_another_joint_is_kept():
    mechanism = limited(mechanisms.slider_crank(), "D", lower=-0.1, upper=0.02)
    for value in (3.0, -3.0):
        result = posed(mechanism, "A", 0, value)
        at = result.coordinates[3]
        assert abs(at - (-0.1 if value > 0 else 0.02)) < 1e-10
        assert "Slider D has come to its" in result.reason and result.reason.startswith(
            "Pin A stops"
        )
        # the closed form: crank and slider in the triangle 0.15, 0.3, x
        x = 0.15 * math.cos(0.7) + math.sqrt(0.09 - (0.15 * math.sin(0.7)) ** 2) + at
        assert abs(math.cos(0.7 + result.value) - (0.15**2 + x**2 - 0.3**2) / (2 * 0.15 * x)) < 1e-9


def test_a_stop_that_is_passed_already_is_not_passed_farther():
    mechanism = limited(mechanisms.four_bar(), "A", upper=-0.5)
    assert abs(posed(mechanism, "A", 0, 0.3).value) < 1e-15
    assert posed(mechanism, "A", 0, -0.2).value == -0.2
    assert posed(mechanism, "A", 0, -0.8).value == -0.8


# couplings


def wheels(*places):
    b = mechanisms.Builder()
    for id, x in places:
        b.body(id, (x, 0.0, 0.0))
        b.joint(f"pin {id}", GROUND, id, (x, 0.0, 0.0))
    return b


def coupling(type, *joints, law=None, **parameters):
    return Coupling(
        "c",
        "c",
        type,
        tuple(CoordinateOf(j) for j in joints),
        {k: Quantity(v) for k, v in parameters.items()},
        law,
    )


def test_gears_turn_by_their_ratio_for_many_turns():
    mechanism = with_couplings(
        wheels(("a", 0.0), ("b", 0.3)).mechanism, coupling("gear", "pin a", "pin b", ratio=-2.5)
    )
    result = posed(mechanism, "pin b", 0, 30.0)
    assert np.allclose(result.coordinates, (-75.0, 30.0), atol=1e-9)


def test_a_rack_follows_its_pinion_from_the_drawn_pose_on():
    b = wheels(("a", 0.0))
    b.body("rack", (0.1, 0.0, 0.05))
    b.joint(
        "slide",
        GROUND,
        "rack",
        (0.0, 0.0, 0.05),
        (1.0, 0.0, 0.0),
        "prismatic",
        at_b=(0.1, 0.0, 0.05),
    )
    mechanism = with_couplings(
        b.mechanism, coupling("rack_and_pinion", "pin a", "slide", radius=0.05)
    )
    result = posed(mechanism, "slide", 0, 0.35)
    assert np.allclose(result.coordinates, (5.0, 0.35), atol=1e-9)


@pytest.mark.parametrize("type", ["belt", "crossed_belt"])
def test_belts_follow_their_radii(type):
    mechanism = with_couplings(
        wheels(("a", 0.0), ("b", 0.5)).mechanism,
        coupling(type, "pin a", "pin b", radius_1=0.06, radius_2=0.02),
    )
    result = posed(mechanism, "pin a", 0, 2.0)
    assert np.allclose(result.coordinates, (2.0, 6.0 if type == "belt" else -6.0), atol=1e-9)


def test_a_differential_shares_its_carrier():
    mechanism = with_couplings(
        wheels(("carrier", 0.0), ("left", 0.0), ("right", 0.0)).mechanism,
        coupling("differential", "pin carrier", "pin left", "pin right"),
    )
    result = posed(mechanism, "pin carrier", 0, 1.0)
    # equal wheels share alike, because that moves least
    assert np.allclose(result.coordinates, (1.0, 1.0, 1.0), atol=1e-9)
    result = posed(mechanism, "pin left", 0, 1.0)
    assert abs(-2 * result.coordinates[0] + result.coordinates[1] + result.coordinates[2]) < 1e-9
    # least squares of (c, 1, r) with 2 c = 1 + r
    assert np.allclose(result.coordinates, (0.4, 1.0, -0.2), atol=1e-6)


def test_a_planetary_gear_follows_willis():
    mechanism = with_couplings(
        wheels(("carrier", 0.0), ("sun", 0.0), ("ring", 0.0)).mechanism,
        coupling("planetary", "pin carrier", "pin sun", "pin ring", ratio=3.0),
    )
    c, s, r = posed(mechanism, "pin sun", 0, 4.0).coordinates
    assert abs((s - c) + 3.0 * (r - c)) < 1e-9 and abs(s - 4.0) < 1e-12


def test_a_cam_lifts_its_follower_and_cannot_be_driven_through_its_dwell():
    law = Law(
        "cam",
        {
            "lift": Quantity(0.02),
            "begin": Quantity(0.5),
            "rise": Quantity(1.5),
            "dwell": Quantity(0.6),
            "fall": Quantity(1.0),
        },
    )
    b = wheels(("cam", 0.0))
    b.body("follower", (0.0, 0.0, 0.2))
    b.joint("guide", GROUND, "follower", (0.0, 0.0, 0.2), (0.0, 0.0, 1.0), "prismatic")
    mechanism = with_couplings(b.mechanism, coupling("cam", "pin cam", "guide", law=law))
    # half way up after half of the rise; on top; down again after a turn
    for angle, lift in ((1.25, 0.01), (2.3, 0.02), (2 * math.pi, 0.0), (2 * math.pi + 1.25, 0.01)):
        result = posed(mechanism, "pin cam", 0, angle)
        assert not result.reason and np.allclose(result.coordinates, (angle, lift), atol=1e-9)
    # at rest on the base circle the follower does not turn the cam
    assert "cannot slide" in posed(mechanism, "guide", 0, 0.01).reason


def test_coupling_keeps_its_offset_from_the_start():
    mechanism = with_couplings(
        wheels(("a", 0.0), ("b", 0.3)).mechanism, coupling("gear", "pin a", "pin b", ratio=-1.0)
    )
    there = posed(mechanism, "pin a", 0, 1.0)
    again = pose_at(mechanism, there.poses, "pin b", 0, -3.0)
    assert np.allclose(again.coordinates, (3.0, -3.0), atol=1e-9)


# curves


@pytest.mark.slow
def test_a_bead_goes_round_a_closed_curve():
    closed = msgspec.structs.replace(CURVE, closed=True)
    length = curve_table(closed).length
    mechanism = skewed("point_on_curve", (0.1, 0.2, 0.1, -0.3), closed)
    result = posed(mechanism, "joint", 0, 0.1 + 1.5 * length)
    assert not result.reason and abs(result.coordinates[0] - 0.1 - 1.5 * length) < 1e-9


def test_a_rough_drawing_with_a_screw_keeps_its_nut():
    # the nut is drawn a third of a pitch off where angle times pitch would have it: nothing is
    # moved
    b = mechanisms.Builder()
    b.body("nut", (0.0, 0.0, 0.013))
    b.joint(
        "screw",
        GROUND,
        "nut",
        (0.0, 0.0, 0.0),
        (0.0, 0.0, 1.0),
        "screw",
        at_b=(0.0, 0.0, 0.013),
        parameters={"pitch": Quantity(0.006)},
    )
    assert assemble(b.mechanism).moved == 0.0
    result = posed(b.mechanism, "screw", 0, 2 * math.pi)
    assert np.allclose(result.poses[0, :3], (0.0, 0.0, 0.019), atol=1e-12)


def test_an_angle_beyond_a_dead_point_is_taken_the_short_way_round():
    """The crank-rocker's rocker has a dead point at -2.4 deg: 359 deg is 1 deg before the pose that
    it was drawn in.
    """
    mechanism, degree = mechanisms.four_bar(), math.radians(1.0)
    beside = posed(mechanism, "D", 0, -degree)
    result = posed(mechanism, "D", 0, 359 * degree)
    assert not result.reason and abs(result.value + degree) < 1e-12
    assert np.allclose(result.poses, beside.poses, atol=1e-9)
    # a place that neither way leads to stays a dead point
    assert "dead point" in posed(mechanism, "D", 0, 190 * degree).reason


def test_a_screw_is_set_on_from_any_turn():
    # typed on its second turn, and from a pose some turns away from the drawing, of which one
    # reading cannot tell the turn
    mechanism = mechanisms.with_joint(
        skewed("screw"), "joint", values=(Quantity(0.3 + 4 * math.pi),)
    )
    there = posed(mechanism, "joint", 0, 0.3 + 10 * math.pi)
    assert not there.reason and abs(there.coordinates[0] - 0.3 - 10 * math.pi) < 1e-9
    rows = JointRows(mechanism)
    slide = lambda poses: (lambda P_A, R_A, P_B, _: R_A[0, :, 2] @ (P_B[0] - P_A[0]))(
        *rows.frames(poses)
    )
    # three turns farther than it was drawn
    assert abs(slide(there.poses) - slide(drawn_poses(mechanism)) - 3 * 0.4) < 1e-9
    further = pose_at(mechanism, there.poses, "joint", 0, 0.3 + 5 * math.pi)
    assert not further.reason and abs(slide(further.poses) - slide(there.poses) - 0.5 * 0.4) < 1e-9


@pytest.mark.parametrize("sample", sorted(p.name for p in SAMPLES.glob("*.mech")))
@pytest.mark.thinned(6)
def test_every_joint_of_every_sample_can_be_set_and_set_back(sample):
    mechanism = load(SAMPLES / sample).project.mechanism
    rows = JointRows(mechanism)
    start = assemble(mechanism, rows).poses
    for id, joint in mechanism.joints.items():
        there = (
            pose_at(mechanism, start, id, 0, _beside(mechanism, rows, start, id), rows)
            if JOINT_TYPES[joint.type].dof
            else None
        )
        if there is None:
            continue
        assert np.abs(rows.residuals(there.poses)).max(initial=0.0) < 1e-10 * max(rows.size, 1.0)
        assert not there.reason or any(
            word in there.reason for word in ("dead point", "hold it", "stop")
        )
        if not there.reason:
            first = _beside(mechanism, rows, start, id, 0.0)
            back = pose_at(mechanism, there.poses, id, 0, first, rows)
            assert not back.reason, back.reason


def _beside(mechanism, rows, poses, id, way=0.2):
    at = joint_coordinates(mechanism, poses[None], rows=rows)[0]
    first = sum(
        JOINT_TYPES[j.type].dof
        for k, j in mechanism.joints.items()
        if list(mechanism.joints).index(k) < list(mechanism.joints).index(id)
    )
    unit = (
        1.0
        if JOINT_TYPES[mechanism.joints[id].type].coordinates[0].dimension == "angle"
        else 0.3 * rows.size
    )
    return float(at[first] + way * unit)
