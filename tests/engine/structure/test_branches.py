"""Range, dead points and assembly branches of one-freedom mechanisms against closed forms."""

import itertools
import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.structure.branches import branches, passed_stops, search
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling, Drive, Limit, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from tests import mechanisms
from tests.engine.structure.test_structure import geared_five_bar, rack, sarrus

replace = msgspec.structs.replace


def reported(mechanism, joint="", coordinate=0):
    found = branches(Project(mechanism), joint, coordinate)
    assert not found.problem, found.problem
    return found


def joint_points(mechanism, poses):
    """World points of all joints' frames A by joint id."""
    rows = JointRows(mechanism)
    return dict(zip(rows.joints, rows.frames(np.array(poses))[0], strict=True))


def test_a_four_bar_has_the_two_branches_of_two_circles():
    # B and D are given by the crank; C lies on both circles about them (radius coupler and rocker):
    # two points
    m = mechanisms.four_bar()
    found = reported(m, "A")
    assert found.closed and found.turns == 1 and found.dead_points == () and found.least is None
    B, D = (0.2 * math.cos(1.0), 0.2 * math.sin(1.0)), (0.6, 0.0)
    requested = [mechanisms.circle_meeting(B, 0.632, D, 0.5, side) for side in (1.0, -1.0)]
    points = [joint_points(m, b.poses)["C"] for b in found.branches]
    assert len(points) == 2
    assert np.allclose([(p[0], p[2]) for p in points], requested, atol=1e-9) and np.allclose(
        [p[1] for p in points], 0, atol=1e-9
    )
    # a crank-rocker has two circuits: the other branch needs the joints apart
    assert [(b.drawn, b.same_circuit) for b in found.branches] == [(True, True), (False, False)]
    # of both signs of a quaternion the one nearer to the drawn attitude, which rounding never turns
    drawn, other = (np.array(b.poses)[:, 3:] for b in found.branches)
    assert (drawn[:, 0] > 0.0).all() and (np.sum(drawn * other, axis=1) > 0.0).all()


@pytest.mark.slow
def test_dead_points_of_a_rocker_are_where_crank_and_coupler_are_in_line():
    # from the rocker's side the four-bar stops where the diagonal A C is coupler + crank or coupler
    # - crank (law of cosines)
    m = mechanisms.four_bar()
    found = reported(m, "D")
    assert found.closed and found.turns == 0 and len(found.dead_points) == 2
    drawn = joint_points(m, found.branches[0].poses)
    now = math.atan2(drawn["C"][2] - drawn["D"][2], drawn["C"][0] - drawn["D"][0])
    for point in found.dead_points:
        at = joint_points(m, point.poses)
        assert np.linalg.norm(np.cross(at["B"] - at["A"], at["C"] - at["B"])) < 1e-6
        diagonal = 0.632 + (0.2 if np.dot(at["B"] - at["A"], at["C"] - at["B"]) > 0 else -0.2)
        # angle at D of the triangle A D C, from the direction of A
        inner = math.acos((0.6**2 + 0.5**2 - diagonal**2) / (2 * 0.6 * 0.5))
        start = found.branches[0].coordinates[3][0]
        assert point.input - start == pytest.approx(-(inner - (math.pi - now)), abs=1e-7)
    assert (found.least, found.greatest) == (
        min(p.input for p in found.dead_points),
        max(p.input for p in found.dead_points),
    )
    assert sorted(p.greatest for p in found.dead_points) == [False, True]
    # both ways of holding the crank for one rocker angle lie on the one circuit
    assert len(found.branches) == 2 and all(b.same_circuit for b in found.branches)


def test_a_slider_crank_has_two_branches_and_its_slider_stops_at_both_ends():
    # x = r cos a +- sqrt(l^2 - r^2 sin^2 a); the slider's ends are l + r and l - r
    m = mechanisms.slider_crank()
    found = reported(m, "A")
    at = [joint_points(m, b.poses)["C"][0] for b in found.branches]
    root = math.sqrt(0.3**2 - (0.15 * math.sin(0.7)) ** 2)
    assert np.allclose(at, [0.15 * math.cos(0.7) + root, 0.15 * math.cos(0.7) - root], atol=1e-9)
    slider = reported(m, "D")
    ends = sorted(joint_points(m, p.poses)["C"][0] for p in slider.dead_points)
    assert np.allclose(
        ends, [0.15, 0.45], atol=1e-9
    ) and slider.greatest - slider.least == pytest.approx(0.3, abs=1e-9)


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ((0.2, 0.632, 0.5, 0.6), "crank-rocker"),
        ((0.5, 0.632, 0.2, 0.6), "rocker-crank"),
        ((0.5, 0.2, 0.45, 0.6), "double rocker"),
        ((0.5, 0.45, 0.55, 0.2), "double crank"),
        ((0.5, 0.4, 0.45, 0.7), "triple rocker"),
        ((0.3, 0.5, 0.3, 0.5), "change-point"),
    ],
)
@pytest.mark.thinned(3)
def test_grashof_class(lengths, words):
    crank, coupler, rocker, base = lengths
    bar = reported(mechanisms.four_bar(crank, coupler, rocker, base, 1.0), "A").four_bar
    assert bar.kind.startswith(words)
    assert (bar.input, bar.coupler, bar.output, bar.base) == pytest.approx(lengths)
    order = sorted(lengths)
    assert bar.margin == pytest.approx(order[1] + order[2] - order[0] - order[3], abs=1e-12)


def test_the_transmission_angle_is_the_one_of_the_traced_motion():
    m = mechanisms.four_bar()
    found = reported(m, "A")
    # cos mu at the base's and crank's sum and difference
    requested = sorted(
        math.acos((0.632**2 + 0.5**2 - e**2) / (2 * 0.632 * 0.5)) for e in (0.4, 0.8)
    )
    assert (
        found.four_bar.least_transmission,
        found.four_bar.greatest_transmission,
    ) == pytest.approx(requested)
    # the angle between coupler and rocker along the curve is what pin C reads, but for a constant:
    # its range is the same
    c = np.array(found.curve)[:, 3]
    assert c.max() - c.min() == pytest.approx(requested[1] - requested[0], rel=2e-3)


def test_a_linkage_that_cannot_turn_all_the_way_swings_between_its_dead_points():
    # triple rocker: the input stops where coupler and output are stretched: diagonal B D = coupler
    # + output
    m = mechanisms.four_bar(0.5, 0.4, 0.45, 0.7, 1.0)
    found = reported(m, "A")
    limit = math.acos((0.5**2 + 0.7**2 - 0.85**2) / (2 * 0.5 * 0.7))
    # drawn at 1 rad from the base
    assert (found.least, found.greatest) == pytest.approx(
        (-limit - 1.0, limit - 1.0), abs=1e-7
    ) and len(found.branches) == 2
    assert all(b.same_circuit for b in found.branches)


@pytest.mark.slow
def test_the_input_is_the_driven_joint_or_the_one_that_stands_for_the_motion():
    m = mechanisms.four_bar()
    assert branches(Project(m)).joint == "A"
    assert branches(Project(replace(m, drives={"d": Drive("d", "motor", "D")}))).joint == "D"


def test_gears_turn_until_both_wheels_are_back():
    # two wheels, 3 : 2: the first has turned three times when the second has twice... and both
    # stand as drawn
    b = mechanisms.Builder()
    for k in range(2):
        b.body(f"wheel{k}", (0.3 * k, 0.0, 0.0))
        b.joint(f"A{k}", GROUND, f"wheel{k}", (0.3 * k, 0.0, 0.0))
    gear = Coupling(
        "G", "gear", "gear", (CoordinateOf("A0"), CoordinateOf("A1")), {"ratio": Quantity(-1.5)}
    )
    found = reported(replace(b.mechanism, couplings={"G": gear}), "A0")
    assert found.closed and found.turns == 3 and found.dead_points == ()


@pytest.mark.slow
def test_a_geared_five_bar_has_two_branches_too():
    # both cranks are given by the gears; the two long links meet at either of two points
    m = geared_five_bar(-1.0)
    found = reported(m, "A")
    points = [joint_points(m, b.poses)["C"] for b in found.branches]
    at = joint_points(m, found.branches[0].poses)
    requested = [
        mechanisms.circle_meeting(at["B"][::2], 0.35, at["D"][::2], 0.35, side)
        for side in (1.0, -1.0)
    ]
    assert (
        np.allclose(sorted(p[2] for p in points), sorted(w[1] for w in requested), atol=1e-8)
        and len(points) == 2
    )


def test_poses_that_the_input_does_not_hold_are_reported_once():
    # Sarrus' top lowered onto the ground: the second pair of plates then swings about one line, any
    # angle will do
    found = reported(sarrus(), "A0")
    assert sum(b.loose for b in found.branches) == 1 and 2 <= len(found.branches) <= 4


def test_a_rack_has_no_end():
    found = reported(rack(), "A")
    assert not found.closed and found.least is None and found.dead_points == ()


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (mechanisms.double_pendulum(), "has 2 freedoms"),
        (mechanisms.stewart(), "has 6 freedoms"),
        (Mechanism(), "no moving body"),
    ],
)
def test_other_mechanisms_are_refused_in_words(mechanism, words):
    found = branches(Project(mechanism))
    assert words in found.problem and found.cure and found.branches == ()


def test_an_unknown_joint_is_refused():
    assert "no coordinate 1 of joint Z" in branches(Project(mechanisms.four_bar()), "Z").problem
    assert "no coordinate 3" in branches(Project(mechanisms.four_bar()), "A", 2).problem


def test_progress_ascends_and_ends_with_the_result():
    shares = list(search(Project(mechanisms.door()), "lower"))
    assert all(a[0] <= b[0] for a, b in itertools.pairwise(shares)) and shares[-1][0] == 1.0
    assert [r for _, r in shares[:-1] if r is not None] == [] and shares[-1][1].turns == 1


@pytest.mark.slow
def test_the_same_in_millimetres():
    a, b = reported(mechanisms.four_bar(), "D"), reported(mechanisms.four_bar(scale=1000.0), "D")
    assert (a.least, a.greatest) == pytest.approx((b.least, b.greatest), abs=1e-8) and len(
        a.branches
    ) == len(b.branches)


@pytest.mark.parametrize(("lengths", "meets"), [((4, 2, 4, 2), True), ((4, 2, 4, 2.001), False)])
def test_ways_of_a_change_point_linkage_meet_in_line(lengths, meets):
    # a parallelogram becomes its crossed form where all four lie in line; a thousandth longer, the
    # linkage is Grashof's with a crank, and the crossed form needs its joints apart
    base, crank, coupler, rocker = (0.1 * x for x in lengths)
    found = reported(mechanisms.four_bar(crank, coupler, rocker, base), "A")
    assert [b.same_circuit for b in found.branches] == [True, meets]


def test_stops_that_a_motion_goes_beyond_are_spoken_of():
    m = mechanisms.four_bar()
    stop = lambda at, **parts: msgspec.structs.replace(
        m, joints=m.joints | {at: msgspec.structs.replace(m.joints[at], limits=(Limit(**parts),))}
    )
    quarter = Quantity(math.pi / 2)
    found = reported(stop("A", upper=quarter), "A")
    assert "Stops are not counted" in found.notes[0] and "the stops of A," in found.notes[0]
    # a stop that the rocker never reaches, one that gives way, and none
    for free in (
        stop("D", lower=Quantity(-9.0), upper=Quantity(9.0)),
        stop("A", upper=quarter, stiffness=Quantity(10.0)),
        m,
    ):
        assert passed_stops(free, [np.array(row[1:]) for row in found.curve]) == ()
    turn = ms.whole_turn(Project(stop("A", upper=quarter)), "B", joint="A")
    assert turn[0].notes == found.notes
