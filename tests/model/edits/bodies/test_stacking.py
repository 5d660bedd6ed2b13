"""Links that run through each other, and links in layers; joints keep their places."""

import math
import random

import msgspec
import pytest

from mechstudio.model.edits.bodies.arms import add_arm
from mechstudio.model.edits.bodies.stacking import Clash, all_clashes, stacked, stacks
from mechstudio.model.edits.links import LAYER, add_joint, add_link, distance, link_ends
from mechstudio.model.geometry.rotation import multiply, rotate
from mechstudio.model.geometry.work_plane import FRONT, TOP, WorkPlane
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity

replace = msgspec.structs.replace


def at(project, link, layer):
    """With a link put into a layer by hand, as an edit of its shape does."""
    m = project.mechanism
    body = m.bodies[link]
    shape = body.shapes[0]
    x, _, z = shape.placement.position
    y = Quantity(LAYER * layer * shape.dimensions["thickness"].value)
    placed = replace(shape, placement=replace(shape.placement, position=(x, y, z)))
    bodies = {**m.bodies, link: replace(body, shapes=(placed,))}
    return replace(project, mechanism=replace(m, bodies=bodies))


def frames(m):
    return [m.frame_in_world(f)[0] for j in m.joints.values() for f in (j.frame_a, j.frame_b)]


def crossing(plane=FRONT):
    project, a = add_link(Project(), plane, plane.to_world(0.0, 0.0), plane.to_world(0.4, 0.0))
    project, b = add_link(project, plane, plane.to_world(0.2, -0.2), plane.to_world(0.2, 0.2))
    return project, a, b


@pytest.mark.parametrize("plane", [FRONT, TOP, WorkPlane("off", (1, 2, 3), FRONT.u, FRONT.v)])
def test_links_that_cross_in_one_layer_go_into_two(plane):
    project, a, b = crossing(plane)
    assert all_clashes(project.mechanism) == [Clash(a, b)]
    after = stacked(project).mechanism
    assert not all_clashes(after)
    (stack,) = stacks(after)
    thickness = stack.slats[a].thickness
    assert abs(stack.offsets[a] - stack.offsets[b]) == pytest.approx(LAYER * thickness)
    for id in (a, b):
        assert link_ends(after.bodies[id]) == link_ends(project.mechanism.bodies[id])


def test_links_beside_each_other_or_of_other_planes_do_not_clash():
    project, _, _ = crossing()
    apart, _ = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.4, 0.0, 0.0))
    width = apart.mechanism.bodies["link_1"].shapes[0].dimensions["width"].value
    apart, _ = add_link(apart, FRONT, (0.0, 0.0, width), (0.4, 0.0, width))
    assert not all_clashes(apart.mechanism), "they only touch"
    other, _ = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.4, 0.0, 0.0))
    other, _ = add_link(other, TOP, (0.2, -0.2, 0.0), (0.2, 0.2, 0.0))
    assert not all_clashes(other.mechanism)
    assert stacked(other) == other and all_clashes(project.mechanism)


def test_a_pin_does_not_run_through_a_third_link():
    """Two links pinned across a gap of a layer, in which a third one lies over the pin."""
    project, a = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.4, 0.0, 0.0))
    project, b = add_link(project, FRONT, (0.4, 0.0, 0.0), (0.8, 0.0, 0.2))
    project, c = add_link(project, FRONT, (0.4, 0.0, -0.3), (0.4, 0.0, 0.3))
    for layer, link in enumerate((a, c, b)):
        project = at(project, link, layer)
    project, joint = add_joint(project, FRONT, a, b, (0.4, 0.0, 0.0))
    assert all_clashes(project.mechanism) == [Clash(a, c, joint)]
    before, after = project.mechanism, stacked(project).mechanism
    assert not all_clashes(after)
    assert all(distance(p, q) < 1e-15 for p, q in zip(frames(before), frames(after)))


@pytest.mark.parametrize("seed", range(12))
def test_no_heap_of_links_is_left_worse_and_no_joint_moves(seed):
    rng = random.Random(seed)
    project, links = Project(), []
    for _ in range(14):
        ends = [FRONT.to_world(rng.uniform(0, 0.6), rng.uniform(0, 0.6)) for _ in range(2)]
        project, id = add_link(project, FRONT, *ends)
        links.append(id)
    for _ in range(8):
        a, b = rng.sample(links, 2)
        place = rng.choice(link_ends(project.mechanism.bodies[a]))
        project, _ = add_joint(project, FRONT, a, b, place)
    before = all_clashes(project.mechanism)
    made = stacked(project)
    left = all_clashes(made.mechanism)
    assert len(left) <= len(before) // 4
    moved = zip(frames(project.mechanism), frames(made.mechanism))
    assert all(distance(p, q) < 1e-15 for p, q in moved)
    assert all(math.isfinite(o) for stack in stacks(made.mechanism) for o in stack.offsets.values())


def test_an_arm_goes_over_a_link_that_it_covers():
    """A triangle whose sides the link does not touch: it lies inside."""
    corners = [(0.0, 0.0, 0.0), (0.6, 0.0, 0.0), (0.0, 0.0, 0.6)]
    project, arm = add_arm(Project(), FRONT, corners)
    project, link = add_link(project, FRONT, (0.1, 0.0, 0.1), (0.2, 0.0, 0.15))
    assert all_clashes(project.mechanism) == [Clash(arm, link)]
    assert not all_clashes(stacked(project).mechanism)
    # beside it, as near to the long side as both edges are wide, they only touch
    slats = stacks(project.mechanism)[0].slats
    apart = (slats[arm].radius + slats[link].radius) / math.sqrt(2)
    for share, clash in ((0.999, True), (1.001, False)):
        x = 0.3 + share * apart
        beside, _ = add_link(
            add_arm(Project(), FRONT, corners)[0], FRONT, (x, 0.0, x), (x + 0.1, 0.0, x - 0.02)
        )
        radius = stacks(beside.mechanism)[0].slats["link_1"].radius
        if radius == slats[link].radius:
            assert bool(all_clashes(beside.mechanism)) is clash


def test_links_that_meet_only_in_a_motion_are_stacked_with_it():
    """A crank of 0.2 about (0, 0) and a link fixed at x = 0.15: apart as drawn, they meet where the
    crank passes x.
    """
    project, crank = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (-0.2, 0.0, 0.0))
    project, post = add_link(project, FRONT, (0.15, 0.0, -0.1), (0.15, 0.0, 0.1))
    m = project.mechanism
    drawn = {id: body.placement.pose for id, body in m.bodies.items()}

    def turned(angle):
        p, q = drawn[crank]
        half = (math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
        return {**drawn, crank: (rotate(half, p), multiply(half, q))}

    half_turn = [turned(math.radians(a)) for a in range(0, 181, 10)]
    tilted = {**drawn, crank: (drawn[crank][0], multiply((0.8, 0.6, 0.0, 0.0), drawn[crank][1]))}
    assert not all_clashes(m)
    assert not all_clashes(m, half_turn[:6]) and not all_clashes(m, [tilted])
    assert all_clashes(m, half_turn) == [Clash(crank, post)]
    made = stacked(project, half_turn).mechanism
    assert not all_clashes(made, half_turn)
    assert stacked(project) == project
