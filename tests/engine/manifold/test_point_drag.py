"""Pulling a point: nearest points by a scan of the crank, closed forms of arms, dead points, stops,
couplings, no jump to another branch, and its cost.
"""

import math
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from mechstudio.engine.constraints.attitude import drawn_poses
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.errors import EngineError
from mechstudio.engine.manifold.drag_freedom import within
from mechstudio.engine.manifold.point_drag import start
from mechstudio.files.project_file import load
from mechstudio.model.mechanism import CoordinateOf, Coupling, Limit
from mechstudio.model.quantity import Quantity
from tests import mechanisms

SAMPLES = Path(__file__).parents[3] / "samples"


def pulled(pull, target, view_direction=None, most=200):
    """Go on until it goes no further; every pose on the way is closed."""
    for _ in range(most):
        found = pull.go(target, view_direction, 0.0)
        assert np.abs(pull.rows.residuals(found.poses)).max(initial=0.0) <= 1e-11 * pull.reach
        assert np.allclose(np.linalg.norm(found.poses[:, 3:], axis=1), 1.0)
        if found.settled:
            return found
    raise AssertionError(f"still {np.linalg.norm(found.point - target)} m away after {most} steps")


def pins(angle, crank=0.2, coupler=0.632, rocker=0.5, base=0.6):
    B = (crank * math.cos(angle), crank * math.sin(angle))
    return B, mechanisms.circle_meeting(B, coupler, (base, 0.0), rocker)


def side(pull):
    """On which side of the coupler the rocker lies: it never changes while a crank-rocker stays on
    its branch.
    """
    _, R = pull.rows.bodies(pull.at.poses)
    (a, _, b), (c, _, d) = R[2, :, 0], R[3, :, 0]
    return math.copysign(1.0, a * d - b * c)


def test_a_coupler_point_goes_where_a_scan_of_the_crank_finds_it_nearest():
    """A hyperstatic loop: three rows too many in 3D."""
    angles = np.linspace(0.0, 2 * math.pi, 40001)
    curve = np.array([np.add(*pins(a)) / 2 for a in angles[:-1]])
    pull = start(mechanisms.four_bar(), "coupler", mechanisms.flat(np.add(*pins(1.0)) / 2))
    rng = np.random.default_rng(5)
    for _ in range(12):
        target = np.array([rng.uniform(-0.3, 0.8), 0.0, rng.uniform(-0.2, 0.6)])
        found = pulled(pull, target)
        away = np.hypot(curve[:, 0] - target[0], curve[:, 1] - target[2])
        nearest = away[(away <= np.roll(away, 1)) & (away <= np.roll(away, -1))]
        # one of the places from which both ways lead away, to the fineness of the scan
        assert np.abs(nearest - np.linalg.norm(found.point - target)).min() < 1e-7


def test_a_reachable_point_arrives_exactly():
    pull = start(mechanisms.four_bar(), "coupler", mechanisms.flat(np.add(*pins(1.0)) / 2))
    for angle in (1.3, 2.0, 1.0, 0.2):
        target = mechanisms.flat(np.add(*pins(angle)) / 2)
        found = pulled(pull, target)
        assert not found.word and np.allclose(found.point, target, atol=1e-9)
        assert np.allclose(found.poses[0, [0, 2]], np.array(pins(angle)[0]) / 2, atol=1e-8)


def test_a_two_link_arm_is_the_inverse_kinematics():
    """upper 0.3, lower 0.4: cos(elbow) = (r^2 - a^2 - b^2) / 2ab, and the arm stays folded to the
    side that it was drawn to.
    """
    pull = start(mechanisms.double_pendulum(), "lower", (0.3, 0.0, -0.4))
    for x, z in ((0.3, 0.2), (0.1, -0.35), (-0.2, -0.3), (0.45, -0.1)):
        found = pulled(pull, (x, 0.0, z))
        assert np.allclose(found.point, (x, 0.0, z), atol=1e-9) and not found.word
        upper, lower = (2 * math.atan2(-q[1], q[0]) for q in found.poses[:, [3, 5]])
        # both links are drawn along their own x
        elbow = (x * x + z * z - 0.25) / 0.24
        assert math.cos(lower - upper) == pytest.approx(elbow, abs=1e-8)
        assert math.sin(lower - upper) < 0
        assert (
            0.3 * math.cos(upper) + 0.4 * math.cos(lower),
            0.3 * math.sin(upper) + 0.4 * math.sin(lower),
        ) == pytest.approx((x, z), abs=1e-9)


@pytest.mark.parametrize("far", [(2.0, 1.0), (-3.0, 0.4), (0.1, -5.0)])
def test_an_arm_pulled_too_far_stretches_towards_the_target_and_comes_back(far):
    pull = start(mechanisms.double_pendulum(), "lower", (0.3, 0.0, -0.4))
    found = pulled(pull, (far[0], 0.0, far[1]))
    assert np.allclose(
        found.point, 0.7 * np.array([far[0], 0.0, far[1]]) / math.hypot(*far), atol=1e-7
    )
    assert found.word == "reaches no farther"
    found = pulled(pull, (0.2, 0.0, -0.3))
    assert np.allclose(found.point, (0.2, 0.0, -0.3), atol=1e-9) and not found.word


def test_an_arm_pulled_at_from_far_in_one_move_goes_there_in_short_steps():
    """However far the pointer jumps, no pose shown is far from the one before."""
    pull = start(mechanisms.four_bar(), "crank", mechanisms.flat(pins(1.0)[0]))
    before, ways = pull.at.poses, []
    for _ in range(60):
        found = pull.go((-0.2 * math.cos(1.0), 0.0, -0.15), seconds=0.0)
        ways.append(np.linalg.norm(found.poses[:, :3] - before[:, :3], axis=1).max())
        before = found.poses
        if found.settled:
            break
    assert found.settled and max(ways) < 0.2 < sum(ways)


def test_a_slider_stops_at_its_dead_points_and_goes_back_the_way_it_came():
    pull = start(mechanisms.slider_crank(), "slider", (0.4, 0.0, 0.0))
    ((_x, _, _z),) = drawn_poses(mechanisms.slider_crank())[2:3, :3]
    for target, reach, crank in ((9.0, 0.45, 0.075), (-9.0, 0.15, -0.075), (9.0, 0.45, 0.075)):
        found = pulled(pull, (target, 0.3, 0.1))
        assert found.poses[2, 0] == pytest.approx(reach, abs=1e-9), "crank and rod in line"
        assert (
            found.poses[0, 0] == pytest.approx(crank, abs=1e-7) and found.word == "dead point of D"
        )
    # half way back the crank is on the side on which it was drawn: it came back the same way
    found = pulled(pull, pull.point - (0.1, 0.0, 0.0))
    assert not found.word and found.poses[0, 2] > 0.01 and found.poses[2, 0] == pytest.approx(0.35)


def test_the_rocker_reports_its_dead_point_with_the_crank_in_line_with_the_coupler():
    pull = start(mechanisms.four_bar(), "rocker", mechanisms.flat(pins(1.0)[1]))
    found = pulled(pull, (1.5, 0.0, 0.3))
    assert found.word == "dead point of D"
    C = found.point[[0, 2]]
    assert np.linalg.norm(C) == pytest.approx(0.832, abs=1e-9), "stretched: 0.2 + 0.632"
    found = pulled(pull, (-0.5, 0.0, 0.3))
    assert found.word == "dead point of D" and np.linalg.norm(found.point[[0, 2]]) == pytest.approx(
        0.432, abs=1e-9
    )


def test_target_out_of_reach_gives_no_reason():
    pull = start(mechanisms.four_bar(), "crank", mechanisms.flat(pins(1.0)[0]))
    for target in ((-3.0, 0.0, 0.5), (0.4, 0.0, 7.0), (3.0, 2.0, -2.0)):
        found = pulled(pull, target)
        flat = np.array(target) * (1.0, 0.0, 1.0)
        assert (
            np.allclose(found.point, 0.2 * flat / np.linalg.norm(flat), atol=1e-7)
            and not found.word
        )


def test_seen_along_a_line_only_ways_across_it_count():
    """The pointer tells no depth: a crank that is seen aslant comes to lie under it, whatever the
    depth of the target.
    """
    view_direction = np.array([0.5, math.sqrt(0.5), -0.5])
    pull = start(mechanisms.four_bar(), "crank", mechanisms.flat(pins(1.0)[0]))
    requested = np.array(mechanisms.flat(pins(1.8)[0]))
    found = pulled(pull, requested - 0.2 * view_direction, view_direction)
    off = found.point - requested
    assert np.linalg.norm(off - (off @ view_direction) * view_direction) < 3e-4
    assert (
        np.linalg.norm(pulled(pull, requested - 0.2 * view_direction).point - requested) > 0.02
    ), "without it the depth counts"


@pytest.mark.parametrize("rocker", [0.5, 0.25, 0.2005, 0.20005])
@pytest.mark.thinned(2)
def test_random_pulls_never_come_to_the_other_branch(rocker):
    """The last two are nearly parallelograms: their branches pass each other at 3 and 1 degrees."""
    lengths = {"crank": 0.2, "coupler": 0.6, "rocker": rocker, "base": 0.6}
    B, C = pins(1.0, **lengths)
    rng = np.random.default_rng(3)
    for body, point in (("crank", B), ("rocker", C), ("coupler", C)):
        pull = start(mechanisms.four_bar(**lengths), body, mechanisms.flat(point))
        branch = side(pull)
        for _ in range(12):
            pulled(pull, (rng.uniform(-0.3, 0.9), 0.0, rng.uniform(-0.4, 0.5)))
            assert side(pull) == branch


def test_a_parallelogram_goes_through_its_flat_places_straight_on():
    pull = start(
        mechanisms.parallelogram_five_bars(),
        "crank0",
        mechanisms.flat((0.3 * math.cos(1.1), 0.3 * math.sin(1.1))),
    )
    for angle in np.linspace(1.1, 1.1 + 2 * math.pi, 25):
        found = pulled(pull, mechanisms.flat((0.5 * math.cos(angle), 0.5 * math.sin(angle))))
        cranks = found.poses[:3, :3] - [(0.4 * k, 0.0, 0.0) for k in range(3)]
        assert np.allclose(
            cranks, mechanisms.flat((0.15 * math.cos(angle), 0.15 * math.sin(angle))), atol=1e-8
        )


def test_a_mechanism_drawn_flat_can_be_pulled_out_of_it():
    pull = start(mechanisms.parallelogram_five_bars(angle=0.0), "crank0", (0.3, 0.0, 0.0))
    found = pulled(pull, (0.2, 0.0, 0.3))
    assert np.allclose(found.point, 0.3 * np.array([2.0, 0.0, 3.0]) / math.sqrt(13.0), atol=1e-7)


def test_a_stewart_platform_follows_with_its_six_legs():
    mechanism = mechanisms.stewart()
    pull = start(mechanism, "platform", (0.3, 0.0, 1.0))
    for target in ((0.35, 0.1, 1.1), (0.2, -0.1, 0.9), (0.3, 0.0, 1.0)):
        found = pulled(pull, target)
        assert np.allclose(found.point, target, atol=1e-9)
        # independent of the rows: every leg's two parts lie on the line from its foot to the
        # platform's corner
        pose = dict(zip(mechanism.bodies, found.poses))
        for k in range(6):
            at = {
                f.body: transformed(pose, mechanism, f)
                for j in (mechanism.joints[f"U{k}"], mechanism.joints[f"S{k}"])
                for f in (j.frame_a, j.frame_b)
            }
            along = at["platform"] - at["ground"]
            for part in (f"lower{k}", f"upper{k}"):
                assert np.linalg.norm(np.cross(pose[part][:3] - at["ground"], along)) < 1e-9


def transformed(pose, mechanism, frame):
    """A frame's origin in W."""
    from mechstudio.engine.constraints.attitude import matrices

    p = np.array(mechanism.frame_in_body(frame)[0])
    return (
        p if frame.body == "ground" else pose[frame.body][:3] + matrices(pose[frame.body][3:]) @ p
    )


def test_freedoms_outside_the_drag_stay():
    """A rod between two balls is not spun about itself, and a second arm that hangs elsewhere does
    not stir.
    """
    b = mechanisms.Builder()
    b.link("arm", (0, 0, 0), (0.3, 0, 0))
    b.link("other", (0, 0, 1), (0.3, 0, 1))
    b.joint("A", "ground", "arm", (0, 0, 0), type="spherical")
    b.joint("B", "ground", "other", (0, 0, 1), type="spherical")
    pull = start(b.mechanism, "arm", (0.3, 0.0, 0.0))
    found = pulled(pull, (0.0, 0.3, 0.0))
    assert np.allclose(found.point, (0.0, 0.3, 0.0), atol=1e-9)
    q = found.poses[0, 3:] * np.sign(found.poses[0, 3])
    start_q = drawn_poses(b.mechanism)[0, 3:]
    assert abs(2 * math.acos(min(1.0, abs(float(q @ start_q)))) - 0.5 * math.pi) < 1e-3, (
        "a quarter turn, and no more"
    )
    assert np.allclose(found.poses[1], drawn_poses(b.mechanism)[1], atol=1e-12)


def test_a_gear_pair_keeps_its_ratio():
    b = mechanisms.Builder()
    for k in range(2):
        b.link(f"wheel{k}", (k, 0, 0), (k + 0.3, 0, 0))
        b.joint(f"P{k}", "ground", f"wheel{k}", (k, 0, 0))
    gear = Coupling(
        "G", "G", "gear", (CoordinateOf("P0", 0), CoordinateOf("P1", 0)), {"ratio": Quantity(3.0)}
    )
    pull = start(
        msgspec.structs.replace(b.mechanism, couplings={"G": gear}), "wheel0", (0.3, 0.0, 0.0)
    )
    for angle in np.linspace(0.0, 5.0, 12):
        found = pulled(pull, (0.3 * math.cos(angle), 0.0, 0.3 * math.sin(angle)))
        first, second = (2 * math.atan2(-q[1], q[0]) for q in found.poses[:, [3, 5]])
        assert math.remainder(first - 3 * second, 2 * math.pi) == pytest.approx(0.0, abs=1e-8)
        assert math.remainder(first - angle, 2 * math.pi) == pytest.approx(0.0, abs=1e-8)
    assert pull.placed().values["P0"][0] == pytest.approx(5.0, abs=1e-8), "turns are counted"


def test_a_stop_is_kept_reported_and_left_again():
    limit = Limit(0, Quantity(-0.5), Quantity(0.4))
    pull = start(
        mechanisms.with_joint(mechanisms.four_bar(), "A", limits=(limit,)),
        "crank",
        mechanisms.flat(pins(1.0)[0]),
    )
    angle = lambda: math.atan2(*pull.at.poses[0, [2, 0]])
    found = pulled(pull, mechanisms.flat(pins(2.2)[0]))
    assert (
        angle() == pytest.approx(1.4, abs=1e-10)
        and found.word == "A is at its upper stop, 22.92 deg"
    )
    # it stays there while it is pressed, and is left without a jerk
    assert pulled(pull, mechanisms.flat(pins(1.9)[0])).word and angle() == pytest.approx(
        1.4, abs=1e-10
    )
    assert not pulled(pull, mechanisms.flat(pins(1.2)[0])).word and angle() == pytest.approx(
        1.2, abs=1e-8
    )
    assert "lower" in pulled(
        pull, mechanisms.flat(pins(-0.6)[0])
    ).word and angle() == pytest.approx(0.5, abs=1e-10)


def test_a_stop_of_another_joint_holds_the_pull_as_well():
    limit = Limit(0, None, Quantity(0.05))
    pull = start(
        mechanisms.with_joint(mechanisms.slider_crank(), "D", limits=(limit,)),
        "crank",
        mechanisms.flat((0.15 * math.cos(0.7), 0.15 * math.sin(0.7))),
    )
    before = pull.at.poses[2, 0]
    found = pulled(pull, (0.3, 0.0, -0.01))
    assert (
        found.word.startswith("D is at its upper stop")
        and abs(pull.at.poses[2, 0] - before) <= 0.05 + 1e-10
    )


def test_turns_are_counted_for_the_drawing():
    pull = start(mechanisms.four_bar(), "crank", mechanisms.flat(pins(1.0)[0]))
    for angle in np.linspace(1.0, 1.0 + 14.0, 29):
        pulled(pull, mechanisms.flat(pins(angle)[0]))
    placed = pull.placed()
    assert placed.values["A"][0] == pytest.approx(14.0, abs=1e-8) and set(placed.poses) == {
        "crank",
        "coupler",
        "rocker",
    }


def test_a_rolling_disc_rolls_as_it_is_pulled():
    """The way of its centre is its turn times its radius."""
    mechanism = load(SAMPLES / "rolling_disc.mech").project.mechanism
    (body,) = mechanism.bodies
    pull = start(mechanism, body, drawn_poses(mechanism)[0, :3])
    rows = pull.rows
    slipped, before = 0.0, pull.at.poses
    for k in range(10):
        pull.go(pull.point + np.array([0.02, 0.02, 0.0]), seconds=0.0)
        way = np.concatenate(
            (
                pull.at.poses[:, :3] - before[:, :3],
                2 * _vector(before[0, 3:], pull.at.poses[0, 3:])[None],
            ),
            axis=1,
        )
        middle = pull.at.poses if k % 2 else before
        slipped = max(slipped, float(np.abs(rows.rolling_rates(middle, way)).max()))
        before = pull.at.poses
    assert 0.0 < slipped < 4e-3


def _vector(p, q):
    """Vector part of the turn from p to q in body axes."""
    from mechstudio.engine.constraints.attitude import multiply

    d = multiply(p * (1.0, -1.0, -1.0, -1.0), q)
    return d[1:] * np.sign(d[0])


def test_drag_of_an_immobile_point_gives_the_reason():
    b = mechanisms.Builder()
    b.link("beam", (0, 0, 0), (1, 0, 0))
    b.joint("A", "ground", "beam", (0, 0, 0))
    b.joint("B", "ground", "beam", (1, 0, 0))
    found = pulled(start(b.mechanism, "beam", (0.5, 0.0, 0.0)), (0.5, 0.0, 0.3))
    assert found.word == "beam is held by its joints" and np.allclose(found.point, (0.5, 0.0, 0.0))
    found = pulled(start(mechanisms.four_bar(), "crank", (0.0, 0.0, 0.0)), (0.1, 0.0, 0.3))
    assert found.word == "this point stays where it is" and np.allclose(found.point, 0.0)


def test_a_drawing_that_cannot_close_and_a_body_that_there_is_not_are_refused():
    with pytest.raises(ValueError, match="does not move"):
        start(mechanisms.four_bar(), "ground", (0.0, 0.0, 0.0))
    apart = mechanisms.four_bar()
    b = mechanisms.Builder()
    b.link("beam", (0, 0, 0), (1, 0, 0))
    b.joint("A", "ground", "beam", (0, 0, 0))
    b.joint("B", "ground", "beam", (3, 0, 0), at_b=(1, 0, 0))
    with pytest.raises(EngineError):
        start(b.mechanism, "beam", (0.5, 0.0, 0.0))
    pull = start(apart, "crank", (0.1, 0.0, 0.1))
    with pytest.raises(ValueError, match="must be a place"):
        pull.go((math.nan, 0.0, 0.0))


def test_drag_starts_from_poses_of_a_run_and_scales_with_the_mechanism():
    for scale in (1e-3, 1e3):
        mechanism = mechanisms.four_bar(scale=scale)
        poses = drawn_poses(mechanism)
        pull = start(
            mechanism,
            "crank",
            np.multiply(mechanisms.flat(pins(1.0)[0]), scale),
            poses,
            np.array([7.0, 0.0, 0.0, 0.0]),
        )
        found = pulled(pull, np.multiply(mechanisms.flat(pins(1.5)[0]), scale))
        assert np.allclose(
            found.poses[0, [0, 2]], scale * np.array(pins(1.5)[0]) / 2, atol=1e-8 * scale
        )


@pytest.mark.parametrize("radius", [0.1, 1.0, 100.0])
def test_the_best_step_within_a_radius_is_better_than_any_other(radius):
    rng = np.random.default_rng(1)
    for k in (1, 2, 3, 5):
        g, B = rng.standard_normal(k), rng.standard_normal((k, k))
        B = B + B.T
        y = within(g, B, radius, np.ones(k))
        assert np.linalg.norm(y) <= radius * (1 + 1e-9)
        others = rng.standard_normal((4000, k))
        others *= (radius * rng.uniform(0, 1, 4000) ** (1 / k) / np.linalg.norm(others, axis=1))[
            :, None
        ]
        values = others @ g + 0.5 * np.einsum("si,ij,sj->s", others, B, others)
        assert g @ y + 0.5 * y @ B @ y <= values.min() + 1e-3 * abs(values.min())
    # on a ridge both ways are as good: the one requested is taken
    for side in (1.0, -1.0):
        assert within(np.zeros(1), np.array([[-2.0]]), 0.5, np.array([side])) == pytest.approx(
            [0.5 * side]
        )


def test_fifty_bodies_in_many_loops_cost_little():
    """51 bodies, 76 pins, 25 loops: meant are 10 ms of a quiet processor for one target, and a
    shared one takes up to four times as long.
    """
    mechanism = mechanisms.four_bars(25, angle=1.2)
    at = JointRows(mechanism).bodies(drawn_poses(mechanism))[0]
    body = "h12"
    point = at[1 + list(mechanism.bodies).index(body)]
    pull = start(mechanism, body, point)
    spent = []
    for x in np.linspace(0.0, 3.0, 40)[1:]:
        began = time.process_time()
        found = pull.go(point + 0.5 * np.array([math.sin(x), 0.0, math.cos(x) - 1.0]), seconds=0.0)
        spent.append(time.process_time() - began)
        assert np.abs(pull.rows.residuals(found.poses)).max() <= 1e-11 * pull.reach
    assert np.median(spent) < 0.04
