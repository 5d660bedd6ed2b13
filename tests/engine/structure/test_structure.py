"""Structure with couplings, rolling and drives; freedoms by name; redundancies whose cures are
applied (THEORY 4).
"""

import math

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mechstudio.application.resources import sample_folder
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.structure.mobility import analyse
from mechstudio.files.project_file import load
from mechstudio.model.edits.elements import apply_cure
from mechstudio.model.geometry.rotation import about, multiply
from mechstudio.model.mechanism import GROUND, CoordinateOf, Coupling, Drive, Law, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from tests import mechanisms
from tests.engine.structure.test_mobility import KNOWN, TYPES, closed_ends, random_mechanism

replace = msgspec.structs.replace


def analysed(mechanism):
    analysis = analyse(Project(mechanism))
    assert analysis.structure is not None, analysis.findings
    return analysis


def structure(mechanism):
    return analysed(mechanism).structure


def on_the_floor(type, lean=math.pi / 2, scale=1.0):
    """One body on the plane z = 0 by a rolling joint or a blade."""
    b = mechanisms.Builder(scale)
    q = about((1, 0, 0), lean)
    wheel = type != "knife_edge"
    b.body(
        "body",
        (0.0, 0.0, 0.3 * math.sin(lean) if wheel else 0.0),
        q if wheel else (1.0, 0.0, 0.0, 0.0),
    )
    up = 0.3 * math.sin(lean)
    more = (
        {"at_b": (0.0, 0.0, up), "quaternion_b": q, "parameters": {"radius": Quantity(0.3 * scale)}}
        if wheel
        else {}
    )
    b.joint(
        "contact",
        GROUND,
        "body",
        (0.0, 0.0, 0.0),
        type=type,
        quaternion_a=(1.0, 0.0, 0.0, 0.0),
        **more,
    )
    return b.mechanism


@pytest.mark.parametrize("scale", [1.0, 1000.0])
@pytest.mark.parametrize(
    ("type", "lean", "configuration", "mobility"),
    [("rolling_disc", 1.1, 5, 3), ("rolling_wheel", math.pi / 2, 4, 2), ("knife_edge", 0.0, 3, 2)],
)
def test_rolling_takes_freedoms_of_velocity_only(type, lean, configuration, mobility, scale):
    # THEORY 3: leaning disc 5/3, upright wheel 4/2, sleigh 3/2
    s = structure(on_the_floor(type, lean, scale))
    assert (s.configuration_freedom, s.mobility, s.hyperstaticity) == (
        configuration,
        mobility,
        0,
    ) and s.rolls
    assert (
        s.rolling_rows == configuration - mobility == s.closure_equations
        and s.counted == s.count == mobility
    )


def geared(ratio=-2.0, teeth=1):
    """Two wheels on ground and a gear pair between them, `teeth` times."""
    b = mechanisms.Builder()
    for k in range(2):
        b.body(f"wheel{k}", (0.3 * k, 0.0, 0.0))
        b.joint(f"A{k}", GROUND, f"wheel{k}", (0.3 * k, 0.0, 0.0))
    ends = (CoordinateOf("A0"), CoordinateOf("A1"))
    return replace(
        b.mechanism,
        couplings={
            f"gear{k}": Coupling(f"gear{k}", f"gear {k}", "gear", ends, {"ratio": Quantity(ratio)})
            for k in range(teeth)
        },
    )


def test_a_gear_pair_takes_one_freedom():
    # two pins are 2 freedoms, one row between their angles leaves 1; p = 2, N_s = 5 + 5 + 1
    a = analysed(geared())
    s = a.structure
    assert (
        s.mobility,
        s.hyperstaticity,
        s.coupling_rows,
        s.closure_equations,
        s.reaction_unknowns,
    ) == (1, 0, 1, 1, 11)
    assert s.count == s.counted == 1 and s.hyperstaticity == s.static_hyperstaticity
    (freedom,) = a.freedoms
    rates = {joint: rate for joint, _, rate in freedom.rates}
    # turns of the first per turn of the second
    assert (
        rates["A0"] == pytest.approx(-2.0 * rates["A1"])
        and freedom.name == "wheel0 turns, wheel1 follows"
    )


def test_a_second_gear_pair_between_the_same_wheels_is_redundant_and_its_cure_works():
    a = analysed(geared(teeth=2))
    assert (a.structure.mobility, a.structure.hyperstaticity) == (1, 1)
    (r,) = a.redundancies
    assert r.element == "gear1" and r.cures[0].after == 0 and "gear 1" in r.cures[0].words.lower()
    cured = apply_cure(Project(geared(teeth=2)), r.cures[0])
    assert (
        "gear1" not in cured.mechanism.couplings and structure(cured.mechanism).hyperstaticity == 0
    )


def rack(scale=1.0):
    b = mechanisms.Builder(scale)
    b.body("pinion", (0.0, 0.0, 0.0))
    b.body("rack", (0.0, 0.0, -0.05))
    b.joint("A", GROUND, "pinion", (0.0, 0.0, 0.0))
    b.joint("R", GROUND, "rack", (0.0, 0.0, -0.05), (1.0, 0.0, 0.0), "prismatic")
    coupling = Coupling(
        "mesh",
        "mesh",
        "rack_and_pinion",
        (CoordinateOf("A"), CoordinateOf("R")),
        {"radius": Quantity(0.05 * scale)},
    )
    return replace(b.mechanism, couplings={"mesh": coupling})


@pytest.mark.parametrize("scale", [1.0, 1000.0, 1e-3])
def test_rack_and_pinion_in_every_unit(scale):
    a = analysed(rack(scale))
    rates = {joint: rate for joint, _, rate in a.freedoms[0].rates}
    assert a.structure.mobility == 1 and rates["R"] == pytest.approx(0.05 * scale * rates["A"])


def differential():
    b = mechanisms.Builder()
    for k, id in enumerate(("carrier", "left", "right")):
        b.body(id, (0.0, 0.1 * k, 0.0))
        b.joint(f"A_{id}", GROUND, id, (0.0, 0.1 * k, 0.0))
    ends = tuple(CoordinateOf(f"A_{id}") for id in ("carrier", "left", "right"))
    return replace(
        b.mechanism, couplings={"D": Coupling("D", "differential", "differential", ends)}
    )


def test_a_differential_leaves_two_freedoms():
    # carrier = (left + right) / 2: three turns, one row
    a = analysed(differential())
    assert (a.structure.mobility, a.structure.hyperstaticity) == (2, 0) and len(a.freedoms) == 2
    for f in a.freedoms:
        rates = {joint: rate for joint, _, rate in f.rates}
        assert 2 * rates.get("A_carrier", 0.0) == pytest.approx(
            rates.get("A_left", 0.0) + rates.get("A_right", 0.0), abs=1e-12
        )


def test_a_cam_follower_moves_with_the_slope_of_its_law():
    b = mechanisms.Builder()
    b.body("cam", (0.0, 0.0, 0.0))
    b.body("follower", (0.0, 0.0, 0.2))
    b.joint(
        "A",
        GROUND,
        "cam",
        (0.0, 0.0, 0.0),
        values=(Quantity(0.4),),
        quaternion_b=multiply(mechanisms.frame_on_axis(mechanisms.PIN), about((0, 0, 1), 0.4)),
    )
    b.joint("S", GROUND, "follower", (0.0, 0.0, 0.2), (0.0, 0.0, 1.0), "prismatic")
    law = Law(
        "cam",
        {
            "lift": Quantity(0.02),
            "begin": Quantity(0.0),
            "rise": Quantity(math.pi / 2),
            "dwell": Quantity(math.pi / 4),
            "fall": Quantity(math.pi / 2),
        },
    )
    m = replace(
        b.mechanism,
        couplings={
            "C": Coupling("C", "cam", "cam", (CoordinateOf("A"), CoordinateOf("S")), law=law)
        },
    )
    a = analysed(m)
    rates = {joint: rate for joint, _, rate in a.freedoms[0].rates}
    # 3-4-5 polynomial: f' = lift / rise (30 u^2 - 60 u^3 + 30 u^4), u = 0.4 / rise
    u = 0.4 / (math.pi / 2)
    assert a.structure.mobility == 1 and rates["S"] / rates["A"] == pytest.approx(
        0.02 / (math.pi / 2) * 30 * u**2 * (1 - u) ** 2
    )


def test_gears_between_the_cranks_of_a_parallelogram_are_redundant_at_every_pose():
    # both cranks turn alike in a parallelogram: a pair of ratio +1 says nothing new, one of ratio
    # -1 stops it
    m = mechanisms.parallelogram_five_bars()
    ends = (CoordinateOf("A0"), CoordinateOf("A2"))
    same = replace(
        m, couplings={"G": Coupling("G", "gear", "gear", ends, {"ratio": Quantity(1.0)})}
    )
    other = replace(
        m, couplings={"G": Coupling("G", "gear", "gear", ends, {"ratio": Quantity(-1.0)})}
    )
    s, t = structure(same), structure(other)
    assert (s.mobility, s.hyperstaticity, t.mobility, t.hyperstaticity) == (1, 8, 0, 7)


def geared_five_bar(ratio):
    """Ground 0.4, cranks of 0.2 and links of 0.35, drawn symmetric, the cranks geared."""
    b = mechanisms.Builder()
    A, E = (0.0, 0.0), (0.4, 0.0)
    B, D = (
        (0.2 * math.cos(2.0), 0.2 * math.sin(2.0)),
        (0.4 - 0.2 * math.cos(2.0), 0.2 * math.sin(2.0)),
    )
    C = mechanisms.circle_meeting(B, 0.35, D, 0.35)
    flat = mechanisms.flat
    for id, p, q in (("left", A, B), ("long", B, C), ("back", C, D), ("right", D, E)):
        b.link(id, flat(p), flat(q))
    for id, p, q, at in (
        ("A", GROUND, "left", A),
        ("B", "left", "long", B),
        ("C", "long", "back", C),
        ("D", "back", "right", D),
        ("E", GROUND, "right", E),
    ):
        b.joint(id, p, q, flat(at))
    gear = Coupling(
        "G", "gear", "gear", (CoordinateOf("A"), CoordinateOf("E")), {"ratio": Quantity(ratio)}
    )
    return replace(b.mechanism, couplings={"G": gear})


def test_a_geared_five_bar_is_followed_to_its_generic_pose():
    # five pins in the plane leave 2 freedoms, the gears 1; hyperstatic 3 as every planar loop
    for ratio in (-1.0, 2.0):
        s = structure(geared_five_bar(ratio))
        assert (s.mobility, s.mobility_drawn, s.hyperstaticity) == (1, 1, 3)


def driven(mechanism, *drives):
    made = {
        f"d{k}": Drive(
            f"d{k}",
            f"drive {k}",
            joint,
            coordinate,
            law=Law("constant", {"value": Quantity(1.0)}),
            enabled=on,
        )
        for k, (joint, coordinate, on) in enumerate(drives)
    }
    return replace(mechanism, drives=made)


def test_drives_are_released_and_counted_apart():
    s = structure(driven(mechanisms.four_bar(), ("A", 0, True)))
    assert (s.mobility, s.drives, s.driven) == (1, 1, 1)
    s = structure(driven(mechanisms.four_bar(), ("A", 0, False)))
    assert (s.mobility, s.drives, s.driven) == (1, 0, 0)


def test_too_many_drives_are_warned_of():
    a = analysed(driven(mechanisms.four_bar(), ("A", 0, True), ("D", 0, True)))
    assert (a.structure.mobility, a.structure.drives, a.structure.driven) == (1, 2, 1)
    (warning,) = (f for f in a.findings if f.severity == "warning")
    assert (
        warning.element == "d1"
        and "drive 0 already prescribes" in warning.message
        and "one freedom" in warning.message
        and warning.cure
    )


def test_a_drive_of_what_cannot_move_is_warned_of():
    b = mechanisms.Builder()
    ends = ((0, 0, 0), (1, 0, 0), (0.5, 0, 0.8))
    for k in range(2):
        b.link(f"b{k}", ends[k], ends[2])
    b.joint("A", GROUND, "b0", ends[0])
    b.joint("B", GROUND, "b1", ends[1])
    b.joint("C", "b0", "b1", ends[2])
    warning = next(
        f for f in analysed(driven(b.mechanism, ("A", 0, True))).findings if f.severity == "warning"
    )
    assert "do not let move" in warning.message


# spatial loops of one freedom against all counting


def sarrus():
    """Two pairs of plates on three parallel hinges each, the pairs at right angles: the top moves
    straight up (Sarrus 1853).
    """
    b = mechanisms.Builder()
    b.body("top", (0.0, 0.0, 0.8))
    for k, (out, axis) in enumerate((((1, 0, 0), (0, 1, 0)), ((0, 1, 0), (1, 0, 0)))):
        out = np.array(out, float)
        low, knee, high = 0.3 * out, 0.6 * out + (0, 0, 0.4), 0.3 * out + (0, 0, 0.8)
        b.link(f"lower{k}", tuple(low), tuple(knee))
        b.link(f"upper{k}", tuple(knee), tuple(high))
        b.joint(f"A{k}", GROUND, f"lower{k}", tuple(low), axis)
        b.joint(f"B{k}", f"lower{k}", f"upper{k}", tuple(knee), axis)
        b.joint(f"C{k}", f"upper{k}", "top", tuple(high), axis)
    return b.mechanism


def bricard():
    """Six hinges of a ring that three vertical planes mirror, each plane holding two opposite
    hinges (plane-symmetric Bricard 1927, threefold).

    Any such ring moves: with symmetry kept it has five numbers (two radii, one height between, two
    tilts), and a link that holds two lines by points fixes four (distance, angle, and where along
    each the points lie).
    """
    b = mechanisms.Builder()
    hinges = []
    for k in range(6):
        a = math.radians(60.0 * k)
        radius, height, tilt = (1.0, 0.3, 0.7) if k % 2 == 0 else (1.2, -0.25, -0.5)
        radial = np.array([math.cos(a), math.sin(a), 0.0])
        hinges.append(
            (
                radius * radial + (0, 0, height),
                math.cos(tilt) * radial + math.sin(tilt) * np.array([0.0, 0.0, 1.0]),
            )
        )
    names = [b.link(f"link{k}", tuple(hinges[k][0]), tuple(hinges[k + 1][0])) for k in range(5)] + [
        GROUND
    ]
    for k in range(6):
        b.joint(f"H{k}", names[k - 1], names[k], tuple(hinges[k][0]), tuple(hinges[k][1]))
    return b.mechanism


def test_sarrus_moves_straight():
    # six hinges in one loop: the count says 0, the two orthogonal planes of motion leave the lift
    a = analysed(sarrus())
    s = a.structure
    assert (s.mobility, s.mobility_drawn, s.hyperstaticity, s.loops, s.count) == (1, 1, 1, 1, 0)
    (freedom,) = a.freedoms
    top = np.array(freedom.twists[0])
    assert (
        np.allclose(top[:3], 0, atol=1e-9)
        and np.allclose(top[3:5], 0, atol=1e-9)
        and abs(top[5]) > 0.1
    )


def test_a_symmetric_bricard_ring_moves():
    # six hinges in a spatial loop: count 0, one freedom by symmetry (plane-symmetric Bricard ring)
    s = structure(bricard())
    assert (s.mobility, s.hyperstaticity, s.loops, s.count) == (1, 1, 1, 0)


def test_four_bars_in_a_row_have_one_freedom_and_three_redundancies_each():
    for count in (1, 4, 12):
        s = structure(mechanisms.four_bars(count))
        assert (s.mobility, s.hyperstaticity, s.loops) == (1, 3 * count, count)


# freedoms


@pytest.mark.parametrize("name", KNOWN)
def test_freedoms_are_motions_that_the_rows_allow(name):
    """As many as the mobility says, independent, each with vanishing rates of all absolute rows;
    bodies that do not move are not named.
    """
    mechanism = KNOWN[name][0]()
    check_freedoms(mechanism)


@pytest.mark.parametrize("seed", range(25))
def test_freedoms_of_random_mechanisms(seed):
    check_freedoms(random_mechanism(np.random.default_rng(1000 + seed)))


def check_freedoms(mechanism):
    a = analysed(mechanism)
    rows, poses = JointRows(mechanism), np.array(a.poses)
    moving = [f for f in a.freedoms if f.kind != "floating"]
    assert len(moving) + 6 * (len(a.freedoms) - len(moving)) == a.structure.mobility_drawn
    _, R = rows.bodies(poses)
    flat = []
    for f in moving:
        twists = np.array(f.twists)
        body_axes = np.concatenate(
            (twists[:, 3:], np.einsum("bij,bi->bj", R[1:], twists[:, :3])), axis=1
        )
        rates = np.concatenate((rows.rates(poses, body_axes), rows.rolling_rates(poses, body_axes)))
        assert np.abs(rates).max(initial=0.0) < 1e-6 * rows.size
        speed = np.abs(twists / np.repeat((1.0, rows.size), 3)).max(axis=1)
        assert 0.4 < speed.max() <= 1 + 1e-12
        assert {b for b, v in zip(mechanism.bodies, speed, strict=True) if v > 1e-6} == set(
            f.bodies
        )
        assert any(
            joint == f.joint and coordinate == f.coordinate and rate != 0
            for joint, coordinate, rate in f.rates
        ) or f.joint not in {r[0] for r in f.rates}
        flat.append((twists / np.repeat((1.0, rows.size), 3)).ravel())
    if flat:
        assert np.linalg.matrix_rank(np.array(flat), tol=1e-6) == len(flat)


def test_rates_of_freedoms_are_those_of_the_coordinates():
    """Moving the bodies a little along a freedom changes the joint coordinates by its rates: an
    open chain of all joints in turn.
    """
    from mechstudio.application.free_motion import displaced
    from mechstudio.engine.constraints.joint_coordinates import joint_coordinates

    for type in (
        "revolute",
        "prismatic",
        "cylindrical",
        "universal",
        "spherical",
        "planar",
        "screw",
        "constant_velocity",
        "point_on_curve",
    ):
        b = mechanisms.Builder()
        b.body("a", (0.3, 0.1, 0.2))
        q = about((1, 2, 3), 0.7)
        b.joint(
            "J",
            GROUND,
            "a",
            (0.1, 0.2, 0.3),
            type=type,
            quaternion_a=q,
            **closed_ends(type, q, np.array((0.1, 0.2, 0.3)), np.random.default_rng(1)),
        )
        m = b.mechanism
        a = analysed(m)
        start = joint_coordinates(m, np.array(a.poses)[None])
        for f in a.freedoms:
            after = joint_coordinates(
                m, displaced(np.array(a.poses), np.array(f.twists), 1e-5)[None], near=start[0]
            )
            requested = np.zeros(start.shape[1])
            for _, coordinate, rate in f.rates:
                requested[coordinate] = rate
            assert np.allclose((after - start)[0] / 1e-5, requested, atol=1e-4), type


def test_freedoms_of_a_ball_in_gimbal_lock():
    b = mechanisms.Builder()
    b.body("top", (0, 0, -1))
    b.joint(
        "ball",
        GROUND,
        "top",
        (0, 0, 0),
        type="spherical",
        quaternion_a=(1, 0, 0, 0),
        quaternion_b=about((0, 1, 0), math.pi / 2),
    )
    a = analysed(b.mechanism)
    assert [f.name for f in a.freedoms] == [
        "top swings at ball about X",
        "top swings at ball about Y",
        "top spins about its own axis",
    ]
    assert all(f.rates == () for f in a.freedoms)
    assert np.linalg.matrix_rank(np.array([f.twists[0][:3] for f in a.freedoms])) == 3


def rod_between_balls():
    """Crank and rocker on skew axes, a rod on two ball joints between them: RSSR, two freedoms, one
    of them the rod's spin.
    """
    b = mechanisms.Builder()
    b.link("crank", (0, 0, 0), (0.2, 0, 0.1))
    b.link("rocker", (0.8, 0.3, 0), (0.8, 0.3, 0.5))
    b.link("rod", (0.2, 0, 0.1), (0.8, 0.3, 0.5))
    b.joint("A", GROUND, "crank", (0, 0, 0), (0, 1, 0))
    b.joint("B", "crank", "rod", (0.2, 0, 0.1), type="spherical")
    b.joint("C", "rod", "rocker", (0.8, 0.3, 0.5), type="spherical")
    b.joint("D", GROUND, "rocker", (0.8, 0.3, 0), (1, 0.2, 0))
    return b.mechanism


def test_the_spin_of_a_rod_between_two_balls_is_idle():
    a = analysed(rod_between_balls())
    assert (a.structure.mobility, a.structure.hyperstaticity) == (2, 0)
    whole, idle = a.freedoms
    assert (whole.kind, whole.name) == ("input", "crank turns, all follow")
    assert (idle.kind, idle.name, idle.bodies) == (
        "idle",
        "rod spins about its own axis: idle",
        ("rod",),
    )


def test_names_of_open_chains_and_floating_parts():
    assert [f.name for f in analysed(mechanisms.double_pendulum()).freedoms] == [
        "upper turns, lower follows",
        "lower turns against upper",
    ]
    assert [f.name for f in analysed(mechanisms.cart_pole()).freedoms] == [
        "cart slides, pole follows",
        "pole turns against cart",
    ]
    b = mechanisms.Builder()
    b.body("block", (0, 0, 1))
    (f,) = analysed(b.mechanism).freedoms
    assert (f.kind, f.name, f.bodies) == (
        "floating",
        "block moves freely in 6 directions",
        ("block",),
    )


def test_a_pendulum_on_a_ball_swings_two_ways_and_spins():
    # THEORY 4: the spin about the rod is a freedom
    a = analysed(mechanisms.ball_pendulum())
    assert [f.kind for f in a.freedoms] == ["part"] * 3 and a.freedoms[
        2
    ].name == "top spins about its own axis"
    body = next(iter(mechanisms.ball_pendulum().bodies.values()))
    along = np.array(body.placement.pose[0])
    spin = np.array(a.freedoms[2].twists[0])
    assert np.allclose(np.cross(spin[:3], along), 0, atol=1e-9) and np.allclose(
        spin[3:], 0, atol=1e-9
    )


SAMPLES = sorted(sample_folder().glob("*.mech"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(4)
def test_freedoms_and_cures_of_every_sample(path):
    mechanism = load(path).project.mechanism
    check_freedoms(mechanism)
    cured_as_stated(mechanism)


def test_a_driven_joint_stands_for_the_motion():
    (f,) = analysed(driven(mechanisms.four_bar(), ("D", 0, True))).freedoms
    assert f.joint == "D" and f.name == "rocker turns, all follow"


# cures


def cured_as_stated(mechanism):
    """Every cure of an analysis applied; returns how many there were."""
    project = Project(mechanism)
    before = analysed(mechanism)
    assert sum(r.count for r in before.redundancies) == before.structure.hyperstaticity
    count = 0
    for r in before.redundancies:
        for cure in r.cures:
            after = structure(apply_cure(project, cure).mechanism)
            assert (cure.before, cure.after) == (
                before.structure.hyperstaticity,
                after.hyperstaticity,
            ), cure.words
            assert after.mobility == before.structure.mobility, cure.words
            count += 1
    return count


@pytest.mark.parametrize("name", [n for n in KNOWN if KNOWN[n][2]])
@pytest.mark.thinned(3)
def test_each_proposed_cure_takes_away_what_it_says(name):
    assert cured_as_stated(KNOWN[name][0]()) > 0


def test_redundancy_without_a_nested_joint_type_has_no_cure_and_a_sentence():
    # the lift needs all six hinges: giving one of them a second axis would need other frames
    assert cured_as_stated(sarrus()) == 0
    finding = next(f for f in analysed(sarrus()).findings if f.redundancy >= 0)
    assert "rotation about Z" in finding.message and "No other type" in finding.cure


@pytest.mark.parametrize("make", [bricard, lambda: geared_five_bar(2.0), lambda: geared(teeth=3)])
def test_cures_of_spatial_loops_and_couplings(make):
    assert cured_as_stated(make()) > 0


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 2**32 - 1),
    st.lists(
        st.sampled_from(("revolute", "cylindrical", "prismatic", "planar", "fixed", "screw")),
        min_size=2,
        max_size=3,
    ),
)
@pytest.mark.slow
def test_cures_of_random_mechanisms(seed, extra):
    """Parallel joints on one of some random bodies, beside random joints, so that there is
    something to cure.
    """
    mechanism = random_mechanism(
        np.random.default_rng(seed),
        [t for t in TYPES if t not in ("free", "rolling_disc", "rolling_wheel", "knife_edge")],
    )
    b = mechanisms.Builder()
    b.bodies, b.joints = dict(mechanism.bodies), dict(mechanism.joints)
    for k, type in enumerate(extra):
        more = {"parameters": {"pitch": Quantity(0.4)}} if type == "screw" else {}
        b.joint(
            f"extra{k}",
            GROUND,
            next(iter(b.bodies)),
            (0.1, 0.2, 0.3 + 0.5 * k),
            (0.0, 0.0, 1.0),
            type,
            **more,
        )
    if assemble(b.mechanism).converged:
        cured_as_stated(b.mechanism)


def test_a_joint_whose_coordinate_is_used_keeps_its_type():
    a = analysed(driven(mechanisms.four_bar(), ("D", 0, True), ("A", 0, False)))
    assert {c.element for r in a.redundancies for c in r.cures} <= {"B", "C"}
    assert {joint for r in a.redundancies for c in r.cures for joint, _ in c.also} <= {"B", "C"}


# drawings with faults


def with_coupling(**changes):
    m = geared()
    return replace(m, couplings={"gear0": replace(m.couplings["gear0"], **changes)})


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (with_coupling(type="chain"), "unknown type chain"),
        (with_coupling(ends=(CoordinateOf("A0"),)), "relates 1 coordinates"),
        (
            with_coupling(ends=(CoordinateOf("A0"), CoordinateOf("gone"))),
            "joint gone, which does not exist",
        ),
        (with_coupling(ends=(CoordinateOf("A0"), CoordinateOf("A0"))), "to itself"),
        (with_coupling(ends=(CoordinateOf("A0"), CoordinateOf("A1", 3))), "coordinate 4 of A1"),
        (
            with_coupling(type="rack_and_pinion", parameters={"radius": Quantity(1.0)}),
            "needs a coordinate that slides",
        ),
        (with_coupling(parameters={}), "is missing or not a possible number"),
        (with_coupling(type="cam", parameters={}), "has no law"),
        (driven(geared(), ("gone", 0, True)), "joint gone, which does not exist"),
        (
            replace(geared(), drives={"d": Drive("d", "motor", "A0", quantity="jerk")}),
            "prescribes something unknown",
        ),
        (
            replace(geared(), drives={"d": Drive("d", "motor", "A0", law=Law("wave"))}),
            "no law of type wave",
        ),
        (
            replace(geared(), drives={"d": Drive("d", "motor", "A0", law=Law("table"))}),
            "table has no points",
        ),
        (
            replace(
                geared(), drives={"d": Drive("d", "motor", "A0", law=Law("expression", text="2 *"))}
            ),
            "cannot be used",
        ),
    ],
)
def test_broken_couplings_and_drives_are_named(mechanism, words):
    a = analyse(Project(mechanism))
    assert a.structure is None and words in a.findings[0].message and a.findings[0].cure, a.findings


def test_empty_mechanisms_have_no_freedoms():
    a = analyse(Project(Mechanism()))
    assert a.freedoms == () and a.redundancies == () and a.structure.counted == 0
