"""Structure and mobility against THEORY's known values, in words, in any unit, and for drawings
with faults.
"""

import math
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.engine.constraints.ranks import rank
from mechstudio.engine.constraints.rows import JointRows
from mechstudio.engine.manifold.assembly import assemble
from mechstudio.engine.structure.mobility import analyse
from mechstudio.model.contact import ContactPair, Contacts, Floor
from mechstudio.model.edits import elements
from mechstudio.model.findings import listed
from mechstudio.model.geometry.rotation import about, multiply, rotate, to_angles
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Curve,
    Force,
    Frame,
    Joint,
    Mechanism,
    Placement,
    Shape,
)
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity, vector
from mechstudio.model.tree import equation_tree
from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from tests import mechanisms

replace = msgspec.structs.replace

SIX_FEET = ((0.4, 0.4), (0.4, -0.4), (-0.4, 0.4), (-0.4, -0.4), (0.0, 0.4), (0.0, -0.4))
BETA = math.asin(1.5 * math.sin(0.5))

# name: (maker, d, h, L, structure)
KNOWN = {
    "four_bar": (mechanisms.four_bar, 1, 3, 1, "closed"),
    "slider_crank": (mechanisms.slider_crank, 1, 3, 1, "closed"),
    "door_two_hinges": (mechanisms.door, 1, 5, 1, "closed"),
    "parallelogram_five_bars": (mechanisms.parallelogram_five_bars, 1, 7, 2, "closed"),
    "andrews": (mechanisms.andrews, 1, 9, 3, "closed"),
    "four_bars_1": (lambda scale=1.0: mechanisms.four_bars(1, scale=scale), 1, 3, 1, "closed"),
    "four_bars_2": (lambda scale=1.0: mechanisms.four_bars(2, scale=scale), 1, 6, 2, "closed"),
    "four_bars_6": (lambda scale=1.0: mechanisms.four_bars(6, scale=scale), 1, 18, 6, "closed"),
    "stewart": (mechanisms.stewart, 6, 0, 5, "closed"),
    "double_pendulum": (mechanisms.double_pendulum, 2, 0, 0, "open"),
    "cart_pole": (mechanisms.cart_pole, 2, 0, 0, "open"),
    "heavy_top": (mechanisms.ball_pendulum, 3, 0, 0, "open"),
    "chain_7": (lambda scale=1.0: mechanisms.chain(7, scale), 7, 0, 0, "open"),
}


def structure(mechanism):
    analysis = analyse(Project(mechanism))
    assert analysis.structure is not None, analysis.findings
    return analysis.structure


def messages(mechanism, severity=None):
    return [
        f.message for f in analyse(Project(mechanism)).findings if severity in (None, f.severity)
    ]


@pytest.mark.parametrize("scale", [1.0, 1000.0, 1e-3])
@pytest.mark.parametrize("name", KNOWN)
def test_known_values_in_every_unit(name, scale):
    make, d, h, loops, kind = KNOWN[name]
    s = structure(make(scale=scale))
    assert (s.mobility, s.hyperstaticity, s.loops, s.structure) == (d, h, loops, kind)
    assert s.mobility_drawn == d and s.configuration_freedom == d
    # d - h = 6 p - sum (6 - f), h = N_s - 6 p + d, L = joints - bodies, n = sum f, n_s = 6 L, d = n
    # - q
    mechanism = make()
    freedoms = [JOINT_TYPES[j.type].dof for j in mechanism.joints.values()]
    assert s.count == d - h == 6 * s.bodies - sum(6 - f for f in freedoms)
    assert s.reaction_unknowns == sum(6 - f for f in freedoms) == h + 6 * s.bodies - d
    assert loops == len(freedoms) - s.bodies and s.coordinates == sum(freedoms)
    assert s.closure_equations == 6 * loops and s.closure_rank == s.coordinates - d == 6 * loops - h
    assert len(s.closing_joints) == loops


@pytest.mark.parametrize("name", KNOWN)
def test_the_absolute_rows_agree(name):
    # d = 6 p - rank, h = rows - rank of the constraint Jacobian over absolute poses, which shares
    # no code with the loops
    make, d, h, _, _ = KNOWN[name]
    mechanism = make()
    rows = JointRows(mechanism)
    J = rows.jacobian(assemble(mechanism).poses) / np.tile(
        np.repeat((1.0, rows.size), 3), rows.body_count
    )
    assert 6 * rows.body_count - rank(J) == d and rows.row_count - rank(J) == h


TYPES = sorted(JOINT_TYPES)


def random_mechanism(rng, types=TYPES):
    """Bodies and joints anywhere, closed as drawn because both frames of every joint coincide
    (those of rods and wheels lie apart).
    """
    b = mechanisms.Builder()
    names = [GROUND]
    for k in range(rng.integers(2, 6)):
        q = rng.standard_normal(4)
        names.append(b.body(f"b{k}", tuple(rng.standard_normal(3)), tuple(q / np.linalg.norm(q))))
    for k in range(rng.integers(len(names) - 1, 2 * len(names))):
        one, two = rng.choice(len(names), 2, replace=False)
        q = rng.standard_normal(4)
        q = tuple(q / np.linalg.norm(q))
        type, at = types[rng.integers(len(types))], rng.standard_normal(3)
        b.joint(
            f"j{k}",
            names[one],
            names[two],
            tuple(at),
            type=type,
            quaternion_a=q,
            **closed_ends(type, q, at, rng),
        )
    return b.mechanism


def closed_ends(type, q, at, rng):
    """Parts of a joint of a type, beside frame A, that close it: a rod's other end, a disc on its
    floor, a curve through the point.
    """
    if type == "distance":
        return {"at_b": tuple(at + rng.standard_normal(3))}
    if type in ("rolling_disc", "rolling_wheel"):
        lean, radius = (1.1 if type == "rolling_disc" else math.pi / 2), 0.3
        up = np.array(rotate(q, (0.0, 0.0, 1.0)))
        return {
            "at_b": tuple(at + radius * math.sin(lean) * up),
            "quaternion_b": multiply(q, about((1, 0, 0), lean)),
            "parameters": {"radius": Quantity(radius)},
        }
    if type == "screw":
        return {"parameters": {"pitch": Quantity(0.4)}}
    if type == "point_on_ellipse":
        place = np.array(rotate(q, (0.4 * math.cos(0.7), 0.3 * math.sin(0.7), 0.0)))
        return {
            "at_b": tuple(at + place),
            "parameters": {"semi_a": Quantity(0.4), "semi_b": Quantity(0.3)},
        }
    if type == "flat_follower":
        # the circle of radius 0.3 about the origin of A, touched at 0.4 rad
        turned = multiply(q, about((0.0, 0.0, 1.0), 0.4))
        circle = (vector(0.3, 0, 0), vector(0, 0.3, 0), vector(-0.3, 0, 0))
        return {
            "at_b": tuple(at + np.array(rotate(turned, (0.1, 0.3, -0.2)))),
            "quaternion_b": multiply(turned, about((0.0, 1.0, 0.0), 0.3)),
            "curve": Curve(circle, "circle", closed=True),
        }
    if type == "point_on_curve":
        return {"curve": Curve((vector(-0.5, 0.1, 0), vector(0, 0, 0), vector(0.4, 0.3, 0.1)))}
    return {}


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.thinned(3)
def test_loops_and_absolute_rows_agree_on_random_mechanisms(seed):
    mechanism = random_mechanism(np.random.default_rng(seed))
    rows = JointRows(mechanism)
    s = structure(mechanism)
    poses = assemble(mechanism).poses
    J = np.concatenate((rows.jacobian(poses), rows.rolling_jacobian(poses))) / np.tile(
        np.repeat((1.0, rows.size), 3), rows.body_count
    )
    assert s.mobility_drawn == 6 * rows.body_count - rank(J)
    assert s.count == 6 * rows.body_count - rows.row_count - rows.rolling_count == s.counted
    assert s.mobility <= s.mobility_drawn and s.hyperstaticity == s.static_hyperstaticity


def ring(count, axes, lengths, angles):
    """A closed ring of `count` links on pins: link k runs `lengths[k]` along its x, then its next
    pin's axis is turned about x.

    The last link is ground; the pins' angles are only a first guess.   axes: twists [rad].
    """
    b = mechanisms.Builder()
    at, q = np.zeros(3), (1.0, 0.0, 0.0, 0.0)
    places = []
    for k in range(count):
        q = multiply(q, about((0, 0, 1), angles[k]))
        places.append((at.copy(), q))
        at = at + lengths[k] * np.array(rotate(q, (1, 0, 0)))
        q = multiply(q, about((1, 0, 0), axes[k]))
    names = [b.body(f"link{k}", tuple(p), r) for k, (p, r) in enumerate(places[:-1])] + [GROUND]
    for k, name in enumerate(names):
        end = Frame(
            names[k - 1], "", Placement(vector(lengths[k - 1], 0, 0), vector(0, 0, axes[k - 1]))
        )
        start = Frame(name)
        if k == 0:
            # the pin before the first link is ground's end
            end = Frame(GROUND, "", Placement(vector(0, 0, 0), vector(0, 0, 0)))
        if name == GROUND:
            # ground ends with a pin at the world origin along z: its start lies one twist and one
            # length before
            start = Frame(GROUND, "", inverse_of_link(lengths[k], axes[k]))
        b.joints[f"R{k}"] = Joint(f"R{k}", f"R{k}", "revolute", end, start)
    return b.mechanism


def inverse_of_link(length, twist):
    back = about((1, 0, 0), -twist)
    return Placement(vector(*rotate(back, (-length, 0, 0))), vector(*to_angles(back)))


def test_bennetts_linkage_moves_though_the_count_says_it_cannot():
    # a / sin alpha = b / sin beta: four skew pins, count 6 3 - 5 4 = -2, mobility 1, hyperstatic 3
    a, alpha, b, beta = 1.0, 0.5, 1.5, math.asin(1.5 * math.sin(0.5))
    mechanism = ring(4, (alpha, beta, alpha, beta), (a, b, a, b), (1.2, 2.4, 1.2, 2.4))
    s = structure(mechanism)
    assert (s.mobility, s.hyperstaticity, s.count, s.mobility_drawn) == (1, 3, -2, 1)


def test_six_and_seven_skew_pins():
    # generic rings: 6 (k - 1) - 5 k = k - 6
    rng = np.random.default_rng(0)
    for count, mobility in ((6, 0), (7, 1), (9, 3)):
        twists, lengths = rng.uniform(0.5, 1.5, count), rng.uniform(0.5, 1.5, count)
        angles = np.full(count, 2 * math.pi / count) + 0.2 * rng.standard_normal(count)
        s = structure(ring(count, twists, lengths, angles))
        assert (s.mobility, s.hyperstaticity) == (mobility, 0)


@pytest.mark.parametrize("count", [20, 80])
def test_long_planar_rings(count):
    # k pins in a plane: k - 3 freedoms, hyperstatic 3
    angles = np.full(count, 2 * math.pi / count)
    s = structure(ring(count, np.zeros(count), np.full(count, 0.3), angles))
    assert (s.mobility, s.hyperstaticity) == (count - 3, 3)


def test_four_bar_has_theorys_numbers():
    s = structure(mechanisms.four_bar())
    assert (s.coordinates, s.closure_equations, s.closure_rank, s.reaction_unknowns) == (
        4,
        6,
        3,
        20,
    )
    assert s.closing_joints == ("C",) == equation_tree(mechanisms.four_bar()).closing


@pytest.mark.parametrize("path", sorted(Path("samples").glob("*.mech")), ids=lambda path: path.stem)
def test_structure_and_equations_close_loops_by_the_same_joints(path):
    mechanism = ms.load(path).mechanism
    tree = set(equation_tree(mechanism).closing)
    found = structure(mechanism)
    # a joint that carries nothing and closes no loop, such as a rod to a free body, stands in the
    # tree's list alone
    assert set(found.closing_joints) <= tree and len(found.closing_joints) == found.loops
    assert all(
        loop[0] in tree and not set(loop[1:]) & set(found.closing_joints[k:])
        for k, loop in enumerate(found.loop_joints)
    )


def test_a_removed_row_is_caught():
    # planted fault: without its last row the four-bar's Jacobian has another hyperstaticity
    mechanism = mechanisms.four_bar()
    rows = JointRows(mechanism)
    J = rows.jacobian(assemble(mechanism).poses)
    assert len(J[:-1]) - rank(J[:-1]) != 3


def test_structures():
    b = mechanisms.Builder()
    b.bodies, b.joints = dict(mechanisms.four_bar().bodies), dict(mechanisms.four_bar().joints)
    b.body("tail", (0.0, 0.0, 1.0))
    b.joint("T", "coupler", "tail", (0.0, 0.0, 0.9))
    s = structure(b.mechanism)
    assert s.structure == "complex" and s.mobility == 2 and s.loops == 1


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_singular_drawn_pose_is_distinguished(count):
    # all links on one line: every loop may turn either way, one more motion for each
    flat = mechanisms.four_bars(count, angle=0.0)
    s = structure(flat)
    assert (s.mobility, s.mobility_drawn, s.hyperstaticity) == (1, 1 + count, 3 * count)
    assert any("singular" in m for m in messages(flat, "info"))
    assert not any("singular" in m for m in messages(mechanisms.four_bars(count)))


def three_links_in_line():
    b = mechanisms.Builder()
    b.link("one", (0, 0, 0), (0.4, 0, 0))
    b.link("two", (0.4, 0, 0), (1, 0, 0))
    b.joint("P", GROUND, "one", (0, 0, 0))
    b.joint("Q", "one", "two", (0.4, 0, 0))
    b.joint("R", GROUND, "two", (1, 0, 0))
    return b.mechanism


def test_a_flat_triangle_can_only_shake():
    s = structure(three_links_in_line())
    assert s.mobility == 1 and s.configuration_freedom == 0
    assert any("only shake" in m for m in messages(three_links_in_line()))


# motions by rates, freedoms of position: a hub on rods turns freely and shakes across them.   A
# plate on rods of one length moves on circles and cannot turn about Z where its rods' feet lie on
# no circle: each top would sink by (r angle)^2 / 2 L, which no tilt follows
@pytest.mark.parametrize(
    ("mechanism", "by_rates", "freedoms", "shaking"),
    [
        (mechanisms.hub_on_rods([(-1, 0, 0), (1, 0, 0)]), 5, 3, 2),
        (mechanisms.plate_on_rods(SIX_FEET), 3, 2, 1),
        (
            mechanisms.hub_on_rods(
                [(math.cos(a), math.sin(a), 0.0) for a in (0.0, 2 * math.pi / 3, 4 * math.pi / 3)]
            ),
            4,
            3,
            1,
        ),
        (mechanisms.hub_on_rods([(1, 0, 0), (0, 1, 0), (0, 0, 1)]), 3, 3, 0),
        (mechanisms.plate_on_rods(SIX_FEET[:3]), 3, 3, 0),
        (mechanisms.three_cranks(), 1, 1, 0),
        (mechanisms.three_cranks(0.99), 1, 0, 1),
        (mechanisms.links_in_line(), 1, 0, 1),
    ],
)
@pytest.mark.thinned(3)
def test_motions_that_lead_nowhere_are_counted(mechanism, by_rates, freedoms, shaking):
    s, said = (
        structure(mechanism),
        [m for m in messages(mechanism, "warning") if "can only shake" in m],
    )
    assert (s.mobility, s.mobility_drawn, s.configuration_freedom) == (by_rates, by_rates, freedoms)
    assert not any("singular" in m for m in messages(mechanism))
    if shaking == 0:
        assert not said
    elif shaking == by_rates:
        assert "none leads away" in said[0]
    else:
        assert (
            f"Of the {by_rates} motions by rates" in said[0]
            and f"can only shake along {shaking}:" in said[0]
        )


@pytest.mark.parametrize(
    "make",
    [
        lambda: ring(4, (0.5, BETA, 0.5, BETA), (1.0, 1.5, 1.0, 1.5), (1.2, 2.4, 1.2, 2.4)),
        mechanisms.parallelogram_five_bars,
        mechanisms.andrews,
        mechanisms.door,
        lambda: mechanisms.four_bars(3, angle=0.0),
        lambda: mechanisms.four_bars(3),
    ],
)
def test_redundant_mechanisms_that_move_are_not_reported_as_shaky(make):
    assert not any("shake" in m for m in messages(make()))


def test_a_door_whose_points_all_lie_on_its_axis_does_not_only_shake():
    b = mechanisms.Builder()
    b.body("door", (0.0, 0.0, 0.0))
    b.joint("lower", GROUND, "door", (0.0, 0.0, 0.3), (0, 0, 1))
    b.joint("upper", GROUND, "door", (0.0, 0.0, 1.7), (0, 0, 1))
    assert structure(b.mechanism).configuration_freedom == 1
    assert not any("shake" in m for m in messages(b.mechanism))


def test_a_triangle_is_rigid_and_says_why():
    b = mechanisms.Builder()
    b.link("one", (0, 0, 0), (0.3, 0, 0.8))
    b.link("two", (1, 0, 0), (0.3, 0, 0.8))
    for name, p, q, at in (
        ("P", GROUND, "one", (0, 0, 0)),
        ("Q", GROUND, "two", (1, 0, 0)),
        ("R", "one", "two", (0.3, 0, 0.8)),
    ):
        b.joint(name, p, q, at)
    assert structure(b.mechanism).mobility == 0
    assert "Nothing can move: a loop of three is rigid (P, Q and R)." in messages(
        b.mechanism, "info"
    )


def test_redundancy_names_joint_directions_loop_and_cure():
    analysis = analyse(Project(mechanisms.four_bar()))
    (finding,) = analysis.findings
    assert finding.severity == "info" and finding.element == "C"
    assert finding.message == (
        "Pin C also prevents rotation about X and Z and sliding along Y, already prevented "
        "by A, B and D "
        "(3 constraints too many)."
    )
    assert finding.cure == (
        "Make C spherical and B cylindrical: hyperstatic 3 to 0, or make C point on "
        "line: hyperstatic 3 to 0."
    )


@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_the_textbooks_cure_of_a_planar_loop_comes_first(name):
    """h = 3 of a planar loop of one loop: a ball takes two of it away, a cylindrical joint one; d
    stays 1 (any textbook of mechanism theory).
    """
    mechanism = KNOWN[name][0]()
    (redundancy,) = analyse(Project(mechanism)).redundancies
    first = redundancy.cures[0]
    assert {first.type, *(type for _, type in first.also)} == {"spherical", "cylindrical"} and (
        first.before,
        first.after,
    ) == (3, 0)
    s = structure(elements.apply_cure(Project(mechanism), first).mechanism)
    assert (s.hyperstaticity, s.mobility) == (0, 1)


@pytest.mark.parametrize(
    ("name", "joint"),
    [
        ("four_bar", "C"),
        ("slider_crank", "C"),
        ("door_two_hinges", "upper"),
        ("parallelogram_five_bars", "B2"),
        ("andrews", "J8"),
    ],
)
def test_promised_cures_are_true(name, joint):
    mechanism = KNOWN[name][0]()
    finding = next(f for f in analyse(Project(mechanism)).findings if f.element == joint)
    labels = {k.label.lower(): t for t, k in JOINT_TYPES.items()}
    promises = finding.cure.rstrip(".").split(", or ")
    assert len(promises) >= 2
    for promise in promises:
        action, numbers = promise.split(": hyperstatic ")
        before, after = map(int, numbers.split(" to "))
        if action.startswith("leave "):
            changed = replace(
                mechanism,
                joints={k: j for k, j in mechanism.joints.items() if f"leave {k} out" != action},
            )
        else:
            changed = mechanism
            for part in action.split(" ", 1)[1].split(" and "):
                changed_joint, label = part.split(" ", 1)
                changed = mechanisms.with_joint(changed, changed_joint, type=labels[label])
        s = structure(changed)
        assert before == KNOWN[name][2] and s.hyperstaticity == after and s.mobility == 1


def test_redundancy_across_loops_is_found_along_the_crank():
    # the third crank of the parallelogram holds the coupler along the cranks' own direction, at 1.1
    # rad: (cos, 0, sin)
    finding = next(
        f
        for f in analyse(Project(mechanisms.parallelogram_five_bars())).findings
        if f.element == "B2"
    )
    assert (
        f"sliding along the direction ({np.cos(1.1):.2f}, 0.00, {np.sin(1.1):.2f})"
        in finding.message
    )


def test_skewed_redundancy_is_named_in_the_joints_own_axes():
    b = mechanisms.Builder()
    b.body("door", (0.4, 0.0, 1.0))
    axis = (1.0, 2.0, 3.0)
    b.joint("lower hinge", GROUND, "door", (0, 0, 0), axis)
    b.joint("upper hinge", GROUND, "door", axis, axis, "cylindrical")
    assert messages(b.mechanism)[0].startswith(
        "Upper hinge also prevents rotation about its own X and Y and sliding along its own "
        "X and Y, "
        "already prevented by lower hinge"
    )


def test_long_lists_are_cut():
    assert (
        listed(list("AB")) == "A and B" and listed(list("ABCDEFGH")) == "A, B, C, D, E and 3 more"
    )


def test_poses_coordinates_and_gap_of_an_open_drawing():
    mechanism = mechanisms.four_bar()
    analysis = analyse(Project(mechanism))
    assert np.allclose(
        analysis.poses,
        [[*b.placement.pose[0], *b.placement.pose[1]] for b in mechanism.bodies.values()],
    )
    assert [len(c) for c in analysis.coordinates] == [1, 1, 1, 1] and analysis.moved == 0.0
    crank = mechanism.bodies["crank"]
    shifted = replace(
        crank,
        placement=replace(
            crank.placement, position=vector(*(c + 0.01 for c in crank.placement.pose[0]))
        ),
    )
    analysis = analyse(Project(replace(mechanism, bodies={**mechanism.bodies, "crank": shifted})))
    assert (
        analysis.structure.mobility == 1
        and 0.01 < analysis.gap < 0.02
        and 0.001 < analysis.moved < 0.05
    )


def test_a_drawing_that_cannot_close_is_an_error_with_two_joints_and_the_distance():
    mechanism = mechanisms.four_bar()
    frame = mechanism.joints["D"].frame_a
    far = replace(frame, placement=replace(frame.placement, position=vector(5.0, 0.0, 0.0)))
    analysis = analyse(Project(mechanisms.with_joint(mechanism, "D", frame_a=far)))
    assert analysis.structure is None and analysis.poses == ()
    finding = next(f for f in analysis.findings if f.severity == "error")
    assert (
        finding.message.startswith("The drawing cannot be closed: the pins of ")
        and finding.message.count(" mm apart") == 2
        and finding.cure
    )


def test_hinges_out_of_line_are_reported_with_their_angle():
    b = mechanisms.Builder()
    b.body("door", (0.4, 0.0, 1.0))
    b.joint("lower", GROUND, "door", (0, 0, 0), (0, 0, 1))
    b.joint(
        "upper",
        GROUND,
        "door",
        (0, 0, 1.7),
        quaternion_a=mechanisms.frame_on_axis((0, 0, 1)),
        quaternion_b=mechanisms.frame_on_axis((0.3, 0, 1)),
    )
    (message,) = messages(b.mechanism, "error")
    assert "(upper) are 16.7 deg out of line at best" in message


def test_empty_projects_and_lone_bodies():
    (finding,) = analyse(Project()).findings
    assert (
        finding.severity == "info"
        and finding.message == "Nothing is drawn yet."
        and analyse(Project()).structure.mobility == 0
    )
    b = mechanisms.Builder()
    b.body("stone", (0, 0, 1))
    analysis = analyse(Project(b.mechanism))
    assert (
        analysis.structure.mobility == 6
        and analysis.structure.count == 6
        and analysis.structure.structure == "open"
    )
    assert (
        analysis.findings[0].severity == "warning"
        and analysis.findings[0].message == "stone is connected to nothing and falls freely."
    )
    assert (
        analyse(Project(replace(b.mechanism, gravity=vector(0, 0, 0)))).findings[0].severity
        == "info"
    )


@pytest.mark.parametrize("catcher", ["none", "floor", "ground", "fixed", "weightless"])
def test_a_body_in_contact_needs_something_to_fall_on(catcher):
    shape = Shape("box", {n: Quantity(0.1) for n in ("length", "depth", "height")})
    stone, wall = Body("stone", "stone", (shape,)), Body("wall", "wall", (shape,))
    weld = Joint("w", "w", "fixed", Frame("ground"), Frame("wall"))
    floor = Floor() if catcher == "floor" else None
    m = Mechanism({"stone": stone}, contacts=Contacts(True, floor))
    if catcher == "ground":
        m = replace(m, ground=replace(m.ground, shapes=(shape,)))
    if catcher == "fixed":
        m = replace(m, bodies=m.bodies | {"wall": wall}, joints={"w": weld})
    if catcher == "weightless":
        m = replace(m, gravity=vector(0, 0, 0))
    reported = [(f.message, f.cure) for f in analyse(Project(m)).findings if f.element == "stone"]
    assert reported == (
        [
            (
                "stone is connected to nothing and falls freely.",
                "Lay a floor under it, or connect it with a joint.",
            )
        ]
        if catcher == "none"
        else []
    )


OFF = "It passes through everything: contacts are off."
PASSES = "stone passes through everything: its contacts are off."


@pytest.mark.parametrize(
    ("on", "stone", "ground", "weight", "said"),
    [
        (False, True, True, True, OFF),
        (False, False, True, True, OFF),
        (True, False, True, True, PASSES),
        (False, True, True, False, OFF),
        # nothing is there that it could touch
        (False, True, False, True, ""),
        (True, False, False, True, ""),
        (False, True, False, False, ""),
    ],
)
def test_contacts_that_are_off_are_offered_where_they_would_hold(on, stone, ground, weight, said):
    shape = Shape("box", {n: Quantity(0.1) for n in ("length", "depth", "height")})
    m = Mechanism({"stone": Body("stone", "stone", (shape,), touches=stone)}, contacts=Contacts(on))
    m = replace(m, ground=replace(m.ground, shapes=(shape,), touches=ground))
    if not weight:
        m = replace(m, gravity=vector(0, 0, 0))
    (finding,) = (f for f in analyse(Project(m)).findings if f.element == "stone")
    flies = "falls" if weight else "floats"
    assert finding.message == f"stone is connected to nothing and {flies} freely. {said}".strip()
    assert finding.action == ("let_touch" if said else "")
    assert ("Let bodies touch" in finding.cure) == bool(said)


def test_contacts_are_offered_for_the_body_with_a_shape_and_for_no_pair_kept_apart():
    shape = Shape("box", {n: Quantity(0.1) for n in ("length", "depth", "height")})
    point = Body("a", "a", mass=Quantity(1.0), inertia=inertia(1.0, 1.0, 1.0))
    m = Mechanism(
        {"a": point, "b": Body("b", "b", (shape,))},
        {"j": Joint("j", "j", "fixed", Frame("a"), Frame("b"))},
    )
    m = replace(m, ground=replace(m.ground, shapes=(shape,)))
    reported = lambda m: next(
        f for f in analyse(Project(m)).findings if "hang together" in f.message
    )
    assert (reported(m).element, reported(m).action) == ("b", "let_touch")
    pair = (ContactPair("b", "ground"),)
    apart = reported(replace(m, contacts=Contacts(pairs=pair)))
    assert (apart.element, apart.action) == ("a", "")
    # one that touches, but not the ground, and one that would
    bodies = {**m.bodies, "a": Body("a", "a", (shape,), touches=False)}
    group = reported(replace(m, bodies=bodies, contacts=Contacts(True, pairs=pair)))
    assert (group.element, group.action) == ("a", "let_touch")


def test_a_floating_group():
    mechanism = mechanisms.double_pendulum()
    free = replace(mechanism, joints={"B": mechanism.joints["B"]})
    s = structure(free)
    assert (s.mobility, s.hyperstaticity, s.loops, s.coordinates) == (7, 0, 0, 7)
    assert "upper and lower hang together" in messages(free, "warning")[0]


def spoiled(changes, make=mechanisms.four_bar, body="crank"):
    mechanism = make()
    return replace(
        mechanism, bodies={**mechanism.bodies, body: replace(mechanism.bodies[body], **changes)}
    )


def inertia(*moments):
    return tuple(Quantity(float(m)) for m in (*moments, 0, 0, 0))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mass": Quantity(0.0), "inertia": None}, "can move freely but has no mass"),
        ({"mass": Quantity(-1.0)}, "negative mass"),
        ({"mass": Quantity(0.0)}, "inertia but no mass"),
        ({"inertia": inertia(1, 1, 5)}, "largest principal moment"),
        ({"inertia": inertia(-1, 1, 1)}, "negative moment of inertia"),
        ({"mass": Quantity(float("nan"))}, "not a possible number"),
    ],
)
def test_impossible_masses_are_errors(changes, words):
    mechanism = spoiled(changes, mechanisms.ball_pendulum, "top")
    findings = [f for f in analyse(Project(mechanism)).findings if f.severity == "error"]
    assert (
        len(findings) == 1
        and findings[0].element == "top"
        and words in findings[0].message
        and findings[0].cure
    )


def test_point_masses_and_massless_links_are_legal_where_something_resists():
    # a point mass on a pin swings; a massless crank is moved by the masses of coupler and rocker
    point = {"inertia": inertia(0, 0, 0)}
    assert messages(spoiled(point), "error") == []
    assert messages(spoiled({"mass": Quantity(0.0), "inertia": None}), "error") == []
    # on a ball joint a point mass swings, but nothing resists its spin about the rod
    spinning = spoiled(point, mechanisms.ball_pendulum, "top")
    assert "can spin freely about an axis" in messages(spinning, "error")[0]


def test_a_body_that_cannot_move_may_have_any_mass():
    b = mechanisms.Builder()
    b.body("plate", (0, 0, 0), mass=0.0, inertia=(0,) * 6)
    b.joint("weld", GROUND, "plate", (0, 0, 0), type="fixed")
    assert messages(b.mechanism, "error") == []


def bad_frame(joint, **changes):
    mechanism = mechanisms.four_bar()
    frame = replace(mechanism.joints[joint].frame_b, **changes)
    return mechanisms.with_joint(mechanism, joint, frame_b=frame)


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (bad_frame("A", body="gone"), "stands on body gone, which does not exist"),
        (bad_frame("A", point="tip"), "stands at point tip of crank, which does not exist"),
        (bad_frame("B", body="crank"), "joins crank to itself"),
        (bad_frame("B", placement=Placement(vector(float("inf"), 0, 0))), "not a possible number"),
        (
            mechanisms.with_joint(mechanisms.four_bar(), "A", type="hyperbolic"),
            "unknown type hyperbolic",
        ),
        (
            mechanisms.with_joint(mechanisms.four_bar(), "A", values=(Quantity(1.0),) * 3),
            "3 typed values, but 1 coordinates",
        ),
        (
            mechanisms.with_joint(
                mechanisms.four_bar(), "D", type="distance", parameters={"length": Quantity(-1.0)}
            ),
            "no positive length",
        ),
        (mechanisms.with_joint(mechanisms.four_bar(), "D", type="distance"), "no positive length"),
    ],
)
def test_broken_joints_are_errors_and_never_exceptions(mechanism, words):
    analysis = analyse(Project(mechanism))
    assert analysis.structure is None
    finding = analysis.findings[0]
    assert (
        finding.severity == "error"
        and words in finding.message
        and finding.cure
        and finding.element in mechanism.joints
    )


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Shape("blob", {}), "unknown type blob"),
        (Shape("link", {"length": Quantity(1.0)}), "width and thickness is missing"),
        (Shape("sphere", {"radius": Quantity(-1.0)}), "radius is not a possible length"),
        (Shape("plate", {"radius": Quantity(0.1), "thickness": Quantity(0.1)}), "has no corners"),
        (
            Shape(
                "sphere", {"radius": Quantity(1.0)}, placement=Placement(vector(float("nan"), 0, 0))
            ),
            "not a number",
        ),
    ],
)
def test_broken_shapes_are_errors(shape, words):
    analysis = analyse(Project(spoiled({"shapes": (shape,)})))
    assert analysis.findings[0].severity == "error" and words in analysis.findings[0].message


def with_force(type, **more):
    mechanism = mechanisms.cart_pole()
    parameters = (
        {p.name: Quantity(1.0) for p in FORCE_TYPES[type].parameters} if type in FORCE_TYPES else {}
    )
    return replace(
        mechanism, forces={"F": Force("F", "pull", type, **{"parameters": parameters, **more})}
    )


CART, POLE = Frame("cart"), Frame("pole")


@pytest.mark.parametrize(
    ("mechanism", "words", "severity"),
    [
        (with_force("magnet"), "unknown type magnet", "error"),
        (with_force("motor_torque", joint="gone"), "joint gone, which does not exist", "error"),
        (
            with_force("motor_torque", joint="rail"),
            "needs a coordinate that turns, but slide of rail slides",
            "error",
        ),
        (
            with_force("motor_force", joint="pin"),
            "needs a coordinate that slides, but angle of pin turns",
            "error",
        ),
        (
            with_force("motor_force", joint="rail", coordinate=2),
            "acts on coordinate 3 of rail, which has 1",
            "error",
        ),
        (with_force("spring", frame_a=CART), "has no place to act at", "error"),
        (with_force("spring", frame_a=CART, frame_b=Frame("gone")), "stands on body gone", "error"),
        (
            with_force(
                "spring", frame_a=CART, frame_b=Frame("cart", placement=Placement(vector(1, 0, 0)))
            ),
            "acts on cart only",
            "warning",
        ),
        (
            with_force("spring", frame_a=CART, frame_b=Frame(GROUND)),
            "ends of Pull coincide",
            "warning",
        ),
        (with_force("force", frame_b=Frame(GROUND)), "acts on ground only", "warning"),
        (with_force("force", frame_b=POLE, axes="moon"), "unknown axes, moon", "error"),
        (
            with_force("spring", frame_a=CART, frame_b=POLE, parameters={}),
            "has no stiffness and free length",
            "error",
        ),
        (
            with_force("motor_force", joint="rail", parameters={"force": Quantity(float("nan"))}),
            "is not a possible number",
            "error",
        ),
    ],
)
def test_broken_forces_are_named_and_the_structure_stands(mechanism, words, severity):
    analysis = analyse(Project(mechanism))
    assert analysis.structure.mobility == 2 and analysis.poses
    finding = analysis.findings[0]
    assert (
        finding.severity == severity
        and finding.element == "F"
        and words in finding.message
        and finding.cure
    )


def test_a_drawing_beyond_all_measure_is_refused():
    assert "beyond what can be computed" in messages(mechanisms.four_bar(scale=1e-16), "error")[0]
    far = mechanisms.Builder()
    far.body("far", (1e300, 0, 0))
    assert messages(far.mechanism, "error")
    # numbers whose squares overflow are named where they stand
    far = mechanisms.with_joint(mechanisms.cart_pole(), "pin", rates=(Quantity(1e300),))
    assert messages(far, "error") == [
        "Among the typed initial rates of Pin one is not a possible number."
    ]
    assert messages(replace(mechanisms.cart_pole(), gravity=vector(0, 0, 1e300)), "error") == [
        "Gravity is not a possible number."
    ]


def test_forces_without_bodies_and_joints_without_bodies():
    lonely = Mechanism(joints={"A": Joint("A", "A", "revolute", Frame(GROUND), Frame(GROUND))})
    assert "joins ground to itself" in messages(lonely, "error")[0]
    force = with_force("force", frame_b=Frame("gone")).forces
    assert "stands on body gone" in messages(Mechanism(forces=force), "error")[0]
    assert messages(Mechanism(bodies={GROUND: Body(GROUND, "ground")}), "error")


@pytest.mark.slow
def test_hostile_drawings_never_raise():
    """Random values anywhere in a drawing: findings, not exceptions."""
    rng = np.random.default_rng(7)
    nasty = (float("nan"), float("inf"), -1.0, 0.0, 1e308, 1e-308, 3.0)
    for _ in range(150):
        mechanism = (mechanisms.four_bar, mechanisms.stewart, mechanisms.cart_pole)[
            rng.integers(3)
        ]()
        bodies, joints = dict(mechanism.bodies), dict(mechanism.joints)
        for _ in range(rng.integers(1, 4)):
            body = bodies[list(bodies)[rng.integers(len(bodies))]]
            joint = joints[list(joints)[rng.integers(len(joints))]]
            numbers = [Quantity(nasty[rng.integers(len(nasty))]) for _ in range(6)]
            place = Placement(tuple(numbers[:3]), vector(*rng.standard_normal(3)))
            match rng.integers(7):
                case 0:
                    bodies[body.id] = replace(body, placement=place)
                case 1:
                    bodies[body.id] = replace(body, mass=numbers[0], inertia=tuple(numbers))
                case 2:
                    bodies.pop(body.id)
                    if not bodies:
                        bodies[body.id] = body
                case 3:
                    joints[joint.id] = replace(
                        joint, frame_a=replace(joint.frame_a, placement=place)
                    )
                case 4:
                    joints[joint.id] = replace(
                        joint, type=sorted(JOINT_TYPES)[rng.integers(len(JOINT_TYPES))]
                    )
                case 5:
                    joints[joint.id] = replace(
                        joint,
                        frame_b=replace(
                            joint.frame_b, body=list(bodies)[rng.integers(len(bodies))]
                        ),
                    )
                case 6:
                    shape = Shape(
                        "link", {k: q for k, q in zip(("length", "width", "thickness"), numbers)}
                    )
                    bodies[body.id] = replace(body, shapes=(shape,), mass=None, inertia=None)
        analysis = analyse(Project(replace(mechanism, bodies=bodies, joints=joints)))
        assert all(f.message and f.message[-1] == "." for f in analysis.findings)
        assert analysis.structure is not None or any(
            f.severity == "error" for f in analysis.findings
        )


@pytest.mark.slow
def test_time_of_an_analysis(capsys):
    timings = {}
    for name, mechanism in (
        ("51 bodies, 25 loops", mechanisms.four_bars(25)),
        ("50 bodies, chain", mechanisms.chain(50)),
        ("39 bodies, 13 four-bars", mechanisms.separate_four_bars(13)),
        ("161 bodies, 80 loops", mechanisms.four_bars(80)),
    ):
        analyse(Project(mechanism))
        start = time.process_time()
        s = analyse(Project(mechanism)).structure
        timings[name] = 1e3 * (time.process_time() - start)
        assert s.mobility >= 1
    with capsys.disabled():
        print("\nanalyse:", ", ".join(f"{name} {t:.0f} ms" for name, t in timings.items()))
    # a shared machine: ten times the target of 100 ms
    assert timings["51 bodies, 25 loops"] < 1000


def test_a_typed_speed_at_a_singular_pose_is_warned_of():
    """A parallelogram drawn in line: with a speed typed on one pin it is not determined which way
    it goes on.
    """
    from mechstudio.builder import Builder
    from mechstudio.model.project import Project

    def flat(**speed) -> Project:
        m = Builder("flat")
        crank = m.link("crank", (0, 0, 0), length=0.2, angle=0)
        coupler = m.link("coupler", crank.end, length=0.4, angle=0)
        rocker = m.link("rocker", (0.4, 0, 0), length=0.2, angle=0)
        m.pin("A", m.ground, crank, at=crank.start, **speed)
        m.pin("B", crank, coupler, at=crank.end)
        m.pin("C", coupler, rocker, at=(coupler.end, rocker.end))
        m.pin("D", m.ground, rocker, at=rocker.start)
        return m.project()

    def severity(project):
        return next(
            f.severity for f in analyse(project).findings if "drawn pose is singular" in f.message
        )

    assert severity(flat()) == "info"
    assert severity(flat(rate=10)) == "warning"
    assert analyse(flat()).structure.mobility_drawn == 2


@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -1), (0, 1, 0), (1, 2, 3), (0.001, 0, 1)])
def test_upright_rods_whose_azimuth_is_locked_have_motions_with_names(axis):
    # three rods fix the height and both tilts, three more are too many: the plate slides along X
    # and Y and turns about Z
    mechanism = mechanisms.plate_on_rods(SIX_FEET, axis=axis)
    found = analyse(Project(mechanism))
    assert (found.structure.mobility_drawn, found.structure.hyperstaticity) == (3, 3)
    assert sum(r.count for r in found.redundancies) == 3
    twists = np.array([np.array(f.twists[0]) for f in found.freedoms])
    assert (
        len({f.name for f in found.freedoms}) == 3 and np.linalg.matrix_rank(twists, tol=1e-6) == 3
    )
    assert np.abs(twists[:, [0, 1, 5]]).max() < 1e-9


def test_motions_of_a_joint_in_gimbal_lock_are_named_by_axes():
    found = analyse(Project(mechanisms.plate_on_rods(SIX_FEET)))
    assert {f.name for f in found.freedoms} == {
        "plate turns at rod 1 about Z",
        "plate slides at rod 1 along X",
        "plate slides at rod 1 along Y",
    }
