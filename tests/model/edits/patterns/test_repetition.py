"""Rows and circles of copies with their joints, against the mobility and lengths of the whole."""

import math
from itertools import pairwise

import pytest

import mechstudio as ms
from mechstudio.files.project_file import decode, encode
from mechstudio.model.edits.elements import set_quantity
from mechstudio.model.edits.links import link_ends
from mechstudio.model.edits.patterns.neighbours import on_axis
from mechstudio.model.edits.patterns.repetition import circle, repeated, row
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.mechanism import GROUND
from mechstudio.model.quantity import Quantity

Z = (0.0, 0.0, 1.0)


def pairs(project):
    """Names of the bodies of each joint, sorted."""
    m = project.mechanism
    return sorted(
        tuple(sorted(m.body(f.body).name for f in (j.frame_a, j.frame_b)))
        for j in m.joints.values()
    )


def is_closed(project):
    """True if both frames of each joint stand at one place."""
    m = project.mechanism
    return all(
        math.dist(m.frame_in_world(j.frame_a)[0], m.frame_in_world(j.frame_b)[0]) < 1e-12
        for j in m.joints.values()
    )


def test_a_chain_goes_on_link_by_link():
    b = ms.Builder()
    first = b.link("link 1", (0, 0, 0), (0.1, 0, 0))
    second = b.link("link 2", (0.1, 0, 0), (0.2, 0, 0))
    b.pin("A", b.ground, first, at=(0, 0, 0))
    b.pin("B", first, second, at=(0.1, 0, 0))
    project = b.project()
    after, copies = repeated(project, [second.id], row(project, 5, (1.0, 0, 0), Quantity(0.1)))
    names = [f"link {k}" for k in range(1, 7)]
    assert pairs(after) == sorted([("ground", "link 1"), *pairwise(names)])
    assert len(copies) == 4 and is_closed(after)
    structure = ms.check(after).structure
    assert (structure.mobility, structure.hyperstaticity) == (6, 0)


def lift(stages, length=0.4, angle=math.radians(35)):
    """Scissor lift of which the first stage was drawn; its others are its copies."""
    c, s = length * math.cos(angle), length * math.sin(angle)
    b = ms.Builder()
    left = b.link("left", (0, 0, 0), (c, 0, s))
    right = b.link("right", (c, 0, 0), (0, 0, s))
    b.pin("M", left, right, at=(c / 2, 0, s / 2))
    b.pin("A", b.ground, left, at=(0, 0, 0))
    b.on_line("B", b.ground, right, at=(c, 0, 0), axis=(1, 0, 0))
    project = b.project()
    step = Quantity(s)
    return repeated(project, [left.id, right.id], row(project, stages, Z, step))[0]


@pytest.mark.parametrize("stages", [2, 3, 6])
def test_the_stages_of_a_scissor_lift_stand_on_each_other(stages):
    after = lift(stages)
    m = after.mechanism
    assert len(m.joints) == stages + 2 + 2 * (stages - 1), "its joints to the ground are not copied"
    assert sum(GROUND in pair for pair in pairs(after)) == 2 and is_closed(after)
    assert ms.check(after).structure.mobility == 1
    # at another angle of the first link each stage is as high as the first
    moved = ms.at(after, "A", "50 deg")
    top = max(p[2] for body in moved.mechanism.bodies.values() for p in link_ends(body))
    assert top == pytest.approx(stages * 0.4 * math.sin(math.radians(50)), rel=1e-9)


def test_legs_stand_in_a_circle_between_the_same_two_bodies():
    b = ms.Builder()
    top = b.body("platform", at=(0, 0, 0.4)).disc(0.2, 0.02)
    low = b.link("low", (0.3, 0, 0), (0.25, 0.05, 0.2))
    high = b.link("high", (0.25, 0.05, 0.2), (0.2, 0.1, 0.4))
    b.ball("A", b.ground, low, at=(0.3, 0, 0))
    b.slider("B", low, high, at=(0.25, 0.05, 0.2), axis=(-0.05, 0.05, 0.2))
    b.ball("C", high, top, at=(0.2, 0.1, 0.4))
    project = b.project()
    moves = circle(6, (0, 0, 0), Z, math.radians(60))
    after, copies = repeated(project, [low.id, high.id], moves)
    m = after.mechanism
    assert len(m.bodies) == 13 and len(m.joints) == 18 and is_closed(after)
    for k, new in enumerate(copies, 1):
        frame = next(
            f
            for f in (m.joints[new[j.id]].frame_a for j in project.mechanism.joints.values())
            if f.body == GROUND
        )
        x, y, z = m.frame_in_world(frame)[0]
        assert math.hypot(x, y) == pytest.approx(0.3) and z == pytest.approx(0.0)
        assert math.remainder(math.atan2(y, x) - k * math.pi / 3, 2 * math.pi) == pytest.approx(0.0)
    # six freedoms of the platform, and the spin of each leg
    assert ms.check(after).structure.mobility == 12


def test_planets_mesh_with_the_same_sun():
    b = ms.Builder(gravity=(0, 0, 0))
    sun = b.body("sun", at=(0, 0, 0)).disc(0.1, 0.02)
    planet = b.body("planet", at=(0.15, 0, 0)).disc(0.05, 0.02)
    carrier = b.link("carrier", (0, 0, 0), (0.15, 0, 0))
    turn_of_sun = b.pin("S", carrier, sun, at=(0, 0, 0), axis=Z)
    b.pin("C", b.ground, carrier, at=(0, 0, 0), axis=Z)
    turn_of_planet = b.pin("P", carrier, planet, at=(0.15, 0, 0), axis=Z)
    b.gear("mesh", turn_of_planet, turn_of_sun, ratio=-2)
    project = b.project()
    after, _ = repeated(project, [planet.id], circle(3, (0, 0, 0), Z, 2 * math.pi / 3))
    assert [p for p in pairs(after) if "planet" in p[1]] == [
        ("carrier", f"planet{number}") for number in ("", " 2", " 3")
    ]
    couplings = after.mechanism.couplings.values()
    assert len(couplings) == 3 and {c.ends[1].joint for c in couplings} == {turn_of_sun.id}
    assert len({c.ends[0].joint for c in couplings}) == 3
    assert ms.check(after).structure.mobility == ms.check(project).structure.mobility == 2
    assert is_closed(after)


def test_spokes_keep_their_common_hub():
    b = ms.Builder()
    hub = b.body("hub").disc(0.05, 0.02)
    spoke = b.link("spoke", (0, 0, 0), (0.2, 0, 0))
    b.pin("A", hub, spoke, at=(0, 0, 0))
    project = b.project()
    moves = circle(5, (0, 0, 0), (0.0, -1.0, 0.0), 2 * math.pi / 5)
    after, _ = repeated(project, [spoke.id], moves)
    assert all("hub" in pair for pair in pairs(after)) and len(pairs(after)) == 5


def test_a_ring_of_links_is_closed():
    n, r = 6, 0.2
    b = ms.Builder()
    side = b.link("side", (r, 0, 0), (r * math.cos(math.pi / 3), 0, r * math.sin(math.pi / 3)))
    project = b.project()
    moves = circle(n, (0, 0, 0), (0.0, -1.0, 0.0), math.pi / 3)
    after, _ = repeated(project, [side.id], moves)
    assert len(after.mechanism.joints) == n and is_closed(after)
    # three freedoms in the plane and n - 3 of a closed chain, but for those out of the plane
    structure = ms.check(after).structure
    assert structure.mobility == 6 + n - 3


def test_a_spacing_that_is_a_parameter_stays_one():
    b = ms.Builder()
    b.parameter("pitch", "80 mm")
    b.parameter("R", "50 mm")
    rod = b.link("rod", ("2*R", 0, 0), ("2*R", 0, "R"))
    b.pin("A", b.ground, rod, at=("2*R", 0, 0))
    project = b.project()
    moves = row(project, 3, (1.0, 0.0, 0.0), Quantity(0.08, "pitch"))
    after, copies = repeated(project, [rod.id], moves)
    wide = set_quantity(after, "pitch", ("value",), "100 mm")
    places = [wide.mechanism.bodies[c[rod.id]].placement.position[0].value for c in copies]
    assert places == pytest.approx([0.2, 0.3])
    assert is_closed(wide), "and the pins on the ground follow"
    assert decode(encode(wide)).project == wide, "to the last digit of each formula"


def test_a_turned_place_keeps_the_parameter_of_its_radius():
    b = ms.Builder()
    b.parameter("R", "100 mm")
    rod = b.link("rod", ("R", 0, 0), ("2*R", 0, 0))
    b.pin("A", b.ground, rod, at=("R", 0, 0), axis=Z)
    project = b.project()
    after, copies = repeated(project, [rod.id], circle(3, (0, 0, 0), Z, 2 * math.pi / 3))
    large = set_quantity(after, "R", ("value",), "200 mm")
    for k, new in enumerate(copies, 1):
        x, y, _ = (q.value for q in large.mechanism.bodies[new[rod.id]].placement.position)
        angle = k * 2 * math.pi / 3
        assert (x, y) == pytest.approx((0.2 * math.cos(angle), 0.2 * math.sin(angle)))
    assert is_closed(large) and decode(encode(large)).project == large


def test_invalid_patterns_give_the_reason():
    project = ms.Builder().project()
    with pytest.raises(ExpressionError, match="Select a body"):
        repeated(project, ["nothing"], row(project, 2, (1.0, 0.0, 0.0), Quantity(0.1)))
    for count, angle in ((3, 0.0), (2, 2 * math.pi), (7, math.pi / 3)):
        with pytest.raises(ExpressionError, match="lie on the part"):
            circle(count, (0, 0, 0), Z, angle)
    for count in (-3, 0, 1, 1000):
        with pytest.raises(ExpressionError, match="2 to 201"):
            row(project, count, (1.0, 0.0, 0.0), Quantity(0.1))


def test_a_neighbour_that_does_not_reach_a_copy_is_left_out():
    b = ms.Builder()
    arm = b.link("arm", (0.1, 0, 0), (0.2, 0, 0.05))
    rod = b.link("rod", (0.2, 0, 0.05), (0.1, 0, -0.2))
    b.pin("A", b.ground, arm, at=(0.1, 0, 0))
    b.pin("B", arm, rod, at=(0.2, 0, 0.05))
    project = b.project()
    after, _ = repeated(project, [arm.id], circle(3, (0, 0, 0), Z, 2 * math.pi / 3))
    assert pairs(after).count(("arm", "rod")) == 1
    assert len(pairs(after)) == 4, "the copies keep their pins on the ground alone"


@pytest.mark.parametrize("angle", [0.3, -2.0, math.pi])
def test_the_axis_of_a_turn_is_found_from_its_movement(angle):
    center, axis = (0.3, -0.2, 0.7), (0.6, 0.0, 0.8)
    (movement,) = circle(2, center, axis, angle)
    found = on_axis(movement, (1.0, 2.0, 3.0))
    away = [f - c for f, c in zip(found, center)]
    along = sum(a * n for a, n in zip(away, axis))
    assert away == pytest.approx([along * n for n in axis], abs=1e-14)
    assert sum((1.0, 2.0, 3.0)[k] * axis[k] for k in range(3)) == pytest.approx(
        sum(f * n for f, n in zip(found, axis))
    )
    assert on_axis(row(ms.Builder().project(), 2, axis, Quantity(0.1))[0], center) is None


def test_loads_and_velocities_turn_with_their_copies():
    b = ms.Builder()
    b.parameter("P", "5 N", dimension="force")
    rod = b.link("rod", (0.1, 0, 0), (0.2, 0, 0)).velocity(linear=(1, 0, 0))
    b.force("force", "load", body=rod, at=(0.2, 0, 0), vector=("2*P", 0, 3.0))
    project = b.project()
    after, (new,) = repeated(project, [rod.id], circle(2, (0, 0, 0), Z, math.pi / 2))
    load = next(f for f in after.mechanism.forces.values() if f.id in new.values())
    assert [load.parameters[k].value for k in "xyz"] == pytest.approx([0.0, 10.0, 3.0], abs=1e-12)
    start = after.mechanism.bodies[new[rod.id]].initial_velocity
    assert [q.value for q in start.linear] == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    more = set_quantity(after, "P", ("value",), "10 N")
    load = more.mechanism.forces[load.id]
    assert load.parameters["y"].value == pytest.approx(20.0)
    assert decode(encode(more)).project == more
