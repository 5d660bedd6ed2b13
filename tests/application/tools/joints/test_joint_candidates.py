"""Joints on solids of any shape: where they are pointed at, about what is there, between bodies
that meet or do not.
"""

import math

import numpy as np
import pytest

from mechstudio.application.document import Document
from mechstudio.application.scene.joints.joint_glyphs import glyph
from mechstudio.application.selection import Selection
from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.joints.joint_candidates import STEPS, axis_arrow, glyph_lines
from mechstudio.application.tools.snapping.candidates import candidates_of
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import add_joint, add_link, distance
from mechstudio.model.geometry.rotation import frame_on_axis, rotate
from mechstudio.model.geometry.work_plane import FRONT, RIGHT
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Camera, Project
from tests.application.tools.bodies.test_link_tool import at, draw
from tests.application.tools.space import Hand

TOP = (0.22, 0.01, 0.15)  # on the top face of the box, off all its named points


@pytest.fixture
def context():
    """A box about (0.2, 0, 0.1), a cylinder standing behind it about (0.2, 0.4, 0.1), a link in the
    plane x = 0.5.
    """
    project, _ = add_body(Project(), FRONT, (0.2, 0.0, 0.1), new_shape("box", 0.2))
    project, _ = add_body(project, FRONT, (0.2, 0.4, 0.1), new_shape("cylinder", 0.2))
    side = RIGHT.__class__("side", (0.5, 0.0, 0.0), RIGHT.u, RIGHT.v)
    project, _ = add_link(project, side, (0.5, 0.0, 0.0), (0.5, 0.2, 0.1))
    document = Document()
    document.commit("bodies", project)
    return ToolContext(document, Selection(), grid=0.05)


@pytest.fixture
def hand(context):
    return Hand(context)


def mechanism(context):
    return context.document.project.mechanism


def frames(context, k=-1):
    m = mechanism(context)
    joint = list(m.joints.values())[k]
    return joint, m.frame_in_world(joint.frame_a), m.frame_in_world(joint.frame_b)


def press(tool, pointer):
    tool.press(pointer)
    tool.release(pointer)


def test_a_joint_on_a_face_lands_where_it_is_pointed_at_across_the_face(context, hand):
    tool = JointTool(context)
    pointer = hand.on_face(tool, TOP, (0, 0, 1), "box_1")
    assert (
        tool.preview.word == "Revolute across the face of box 1: ground – box 1"
        and tool.preview.marker == pytest.approx(TOP)
    )
    assert tool.preview.lines, "the glyph that it will wear is shown"
    press(tool, pointer)
    joint, a, b = frames(context)
    assert (joint.frame_a.body, joint.frame_b.body) == (GROUND, "box_1") and tool.finished
    for place, q in (a, b):
        assert place == pytest.approx(TOP) and rotate(q, (0, 0, 1)) == pytest.approx((0, 0, 1))


def test_tab_offers_every_axis_but_once_and_a_choice_stays_while_the_pointer_moves(context, hand):
    tool = JointTool(context)
    hand.on_face(tool, TOP, (0, 0, 1), "box_1")
    seen = []
    for _ in range(8):
        seen.append(tool.preview.word.split(":")[0].removeprefix("Revolute "))
        tool.key("tab")
        assert tool.preview.choices[tool.preview.chosen] in tool.preview.word
    assert seen[:4] == [
        "across the face of box 1",
        "across the plane",
        "along X",
        "across the face of box 1",
    ]
    hand.on_face(tool, (0.23, 0.0, 0.15), (0, 0, 1), "box_1")
    assert tool.preview.word.startswith("Revolute along X")


def test_shift_x_flips_what_tab_chose(context, hand):
    tool = JointTool(context)
    pointer = hand.on_face(tool, TOP, (0, 0, 1), "box_1")
    tool.key("X")
    press(tool, pointer)
    assert rotate(frames(context)[1][1], (0, 0, 1)) == pytest.approx((0, 0, -1))


def test_the_axis_of_a_cylinder_catches_the_pointer_and_the_joint_lies_on_it(context, hand):
    tool = JointTool(context)
    # a pointer over the cylinder's side, some pixels off its axis, where no point of it has a name
    at = (0.2, 0.4, 0.13)
    pointer = hand.at(
        at,
        4,
        0,
        element="cylinder_1",
        body="cylinder_1",
        surface=(0.2, 0.36, 0.13),
        normal=(0, -1, 0),
    )
    tool.move(pointer)
    assert (
        tool.preview.word.startswith("Revolute axis of cylinder 1") and tool.preview.shape == "axis"
    )
    press(tool, pointer)
    _, (place, q), _ = frames(context)
    assert place[:2] == pytest.approx((0.2, 0.4), abs=1e-12) and rotate(
        q, (0, 0, 1)
    ) == pytest.approx((0, 0, 1))


def test_a_link_off_the_plane_is_pinned_across_its_own_plane(context, hand):
    tool = JointTool(context)
    end = (0.5, 0.2, 0.1)
    tool.move(hand.at(end, element="link_1", body="link_1", surface=end, normal=(1, 0, 0)))
    assert "across link 1" in tool.preview.word
    pointer = hand.at(end, element="link_1", body="link_1", surface=end, normal=(1, 0, 0))
    press(tool, pointer)
    joint, (place, q), _ = frames(context)
    assert (
        place == pytest.approx(end)
        and abs(rotate(q, (0, 0, 1))[0]) == pytest.approx(1)
        and joint.frame_b.point == "end"
    )


def pick_two(tool, hand, drags):
    a = hand.at(TOP, element="box_1", body="box_1", surface=TOP, normal=(0, 0, 1), shift=not drags)
    side = (0.16, 0.38, 0.2)
    b = hand.at(side, element="cylinder_1", body="cylinder_1", surface=side, normal=(0, 0, 1))
    tool.move(a)
    tool.press(a)
    if not drags:
        tool.release(a)
    tool.move(b)
    if not drags:
        tool.press(b)
    tool.release(b)
    return side


def test_a_click_joins_bodies_that_do_not_meet_as_they_are(context, hand):
    before = mechanism(context)
    tool = JointTool(context)
    pick_two(tool, hand, True)
    press(tool, hand.at((0, 0, 0)))
    joint, (a, _), (b, _) = frames(context)
    assert (joint.frame_a.body, joint.frame_b.body) == ("box_1", "cylinder_1")
    assert a == pytest.approx(TOP) and distance(a, b) < 1e-12
    assert mechanism(context).bodies == before.bodies and not tool.note, "nothing moves"


def test_the_second_body_may_be_chosen_in_the_tree(context, hand):
    before = mechanism(context)
    tool = JointTool(context)
    tool.take("cylinder_1")
    assert mechanism(context) is before, "without a first place nothing is joined"
    pointer = hand.on_face(tool, TOP, (0, 0, 1), "box_1", shift=True)
    press(tool, pointer)
    tool.take("box_1")
    assert mechanism(context) is before, "a body is not joined with itself"
    tool.take("cylinder_1")
    joint, (a, _), (b, _) = frames(context)
    assert (joint.frame_a.body, joint.frame_b.body) == ("box_1", "cylinder_1")
    assert a == pytest.approx(TOP) and distance(a, b) < 1e-12
    assert mechanism(context).bodies == before.bodies


def test_links_that_cross_are_pinned_where_they_cross(context):
    """Not where the pointer is: on both centre lines, across the work plane."""
    project, a = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.1))
    project, b = add_link(project, FRONT, (0.1, 0.0, 0.2), (0.2, 0.0, -0.2))
    context.document.commit("cross", project)
    hand = Hand(context, Camera((0.1, 0.0, 0.0), -90.0, 0.0, 1.0))
    tool, crossing = JointTool(context), (39 / 260, 0.0, 13 / 260)
    tool.move(hand.at((0.02, 0.0, 0.02 / 3), body=a))
    assert tool.preview.word.endswith("ground – link 1"), "away from the crossing there is one"
    pointer = hand.at(crossing, 3.0, -2.0, body=b)
    tool.move(pointer)
    assert tool.preview.word.endswith("across the plane: link 1 – link 2")
    press(tool, pointer)
    joint, (p, q), (r, _) = frames(context)
    assert {joint.frame_a.body, joint.frame_b.body} == {a, b}
    assert p == pytest.approx(crossing) and r == pytest.approx(crossing)
    assert rotate(q, (0, 0, 1)) == pytest.approx(FRONT.normal)
    assert mechanism(context).bodies == project.mechanism.bodies


def test_stacked_plates_are_joined_through_both(context):
    """Two boxes on each other, and a third a gap below: the first two are the pair."""
    project = Project()
    for z in (0.0, -0.1, -0.4):
        project, id = add_body(project, FRONT, (0.0, 0.0, z), new_shape("box", 0.2))
        height = project.mechanism.bodies[id].shapes[0].dimensions["height"].value
        assert height == pytest.approx(0.1)
    context.document.commit("stack", project)
    hand, tool = Hand(context), JointTool(context)
    pointer = hand.on_face(tool, (0.03, 0.02, 0.05), (0, 0, 1), "box_1")
    assert tool.preview.word.endswith("box 1 – box 2")
    press(tool, pointer)
    joint, (p, _), _ = frames(context)
    assert (joint.frame_a.body, joint.frame_b.body) == ("box_1", "box_2")
    assert p == pytest.approx((0.03, 0.02, 0.05))


@pytest.mark.parametrize("drags", [True, False], ids=["drag", "two clicks"])
def test_bodies_that_do_not_meet_keep_their_places(context, hand, drags):
    before = mechanism(context)
    tool = JointTool(context)
    side = pick_two(tool, hand, drags)
    assert (
        not tool.finished
        and mechanism(context) is before
        and "Enter moves cylinder 1" in tool.preview.label
    )
    ((at, _),) = tool.ghost.values()
    assert [
        p - q for p, q in zip(at, before.bodies["cylinder_1"].placement.pose[0])
    ] == pytest.approx([p - q for p, q in zip(TOP, side)]), "where it would go"
    tool.key("a")
    joint, (a, p), (b, q) = frames(context)
    assert (joint.frame_a.body, joint.frame_b.body) == ("box_1", "cylinder_1")
    assert a == pytest.approx(TOP) and b == pytest.approx(side)
    assert rotate(p, (0, 0, 1)) == pytest.approx(rotate(q, (0, 0, 1)))
    assert mechanism(context).bodies == before.bodies, "nothing jumps"
    assert "mm apart" in tool.note and "Assemble" in tool.note


def test_enter_moves_the_second_body_and_nothing_else(context, hand):
    before = mechanism(context)
    tool = JointTool(context)
    side = pick_two(tool, hand, True)
    assert tool.wants("enter") and tool.key("enter")
    _, (a, _), (b, _) = frames(context)
    assert a == pytest.approx(TOP) and distance(a, b) < 1e-12
    after = mechanism(context)
    assert (
        after.bodies["box_1"] == before.bodies["box_1"]
        and after.bodies["link_1"] == before.bodies["link_1"]
    )
    moved = [
        q - p
        for p, q in zip(
            before.bodies["cylinder_1"].placement.pose[0],
            after.bodies["cylinder_1"].placement.pose[0],
        )
    ]
    assert moved == pytest.approx([p - q for p, q in zip(TOP, side)])
    assert context.document.undo_label == "Add revolute joint A and move cylinder 1 to it"


def test_escape_takes_the_two_places_back_first(context, hand):
    before = mechanism(context)
    tool = JointTool(context)
    pick_two(tool, hand, True)
    tool.key("escape")
    assert (
        not tool.finished
        and tool.preview.label == ""
        and not tool.ghost
        and mechanism(context) is before
    )
    tool.key("escape")
    assert tool.finished


def test_shift_tab_chooses_two_of_three_bodies_that_meet(context, hand):
    project = context.document.project
    for end in ((0.6, 0.0, 0.4), (0.7, 0.0, 0.2), (0.6, 0.0, 0.1)):
        project, _ = add_link(project, FRONT, (0.4, 0.0, 0.3), end)
    context.document.commit("three", project)
    tool = JointTool(context)
    pointer = hand.at((0.4, 0.0, 0.3))
    tool.move(pointer)
    pairs = []
    for _ in range(6):
        pairs.append(tool.preview.word.split(": ")[1])
        tool.key("backtab")
    assert pairs == [
        "link 2 – link 3",
        "link 2 – link 4",
        "link 3 – link 4",
        "ground – link 2",
        "ground – link 3",
        "ground – link 4",
    ]
    assert tool.preview.word.endswith("link 4 – cylinder 1"), "it stands behind them"
    for _ in range(3):
        tool.key("backtab")
    press(tool, pointer)
    joint = frames(context)[0]
    assert (joint.frame_a.body, joint.frame_b.body) == ("link_3", "link_4")


def test_the_axis_of_a_neighbouring_joint_is_offered(context, hand):
    project, _ = add_joint(
        context.document.project,
        FRONT,
        GROUND,
        "box_1",
        (0.2, 0.0, 0.1),
        "revolute",
        (0.6, 0.0, 0.8),
    )
    context.document.commit("tilted pin", project)
    tool = JointTool(context)
    hand.on_face(tool, TOP, (0, 0, 1), "box_1")
    words = []
    for _ in range(5):
        words.append(tool.preview.word)
        tool.key("tab")
    assert any("as joint A" in word for word in words)


def test_a_link_end_in_a_block_joins_both(context, hand):
    """A slider's block and the rod that ends in it, drawn in the plane."""
    project, _rod = add_link(context.document.project, FRONT, (0.2, 0.0, 0.1), (0.0, 0.0, 0.3))
    context.document.commit("rod", project)
    tool = JointTool(context)
    tool.move(hand.at((0.2, 0.0, 0.1)))
    assert tool.preview.word == "Revolute across the plane: box 1 – link 2"


def test_slot_belongs_to_the_body_it_lies_along(context):
    """A slot along the lever is the lever's, whichever link was drawn first."""
    for crank_first in (True, False):
        context.document.commit("begin", Project())
        crank, lever = ((0.0, 0.1), (0.1, 0.1)), ((0.0, 0.0), (0.2, 0.2))
        for points in (crank, lever) if crank_first else (lever, crank):
            draw(context, *points, end="escape")
        tool = JointTool(context, "point_on_line")
        tool.move(at(0.1, 0.1))
        m = context.document.project.mechanism
        slot = "link 2" if crank_first else "link 1"
        while f"along {slot}" not in tool.preview.word:
            tool.key("tab")
        tool.press(at(0.1, 0.1))
        tool.release(at(0.1, 0.1))
        joint = list(context.document.project.mechanism.joints.values())[-1]
        assert joint.type == "point_on_line" and m.body(joint.frame_a.body).name == slot


def test_the_rim_of_a_pin_hole_catches_its_centre(context):
    """From near by the hole is larger than the reach of a point; beside it there is the link."""
    project, link = add_link(Project(), FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    context.document.commit("link", project)
    hand = Hand(context, Camera((0.0, 0.0, 0.0), -90.0, 0.0, 0.15))
    hole = 0.41 * project.mechanism.bodies[link].shapes[0].form.radius
    tool = JointTool(context)
    rim = (0.0, 0.0, 0.97 * hole)
    _, y = hand.eye.pixel_of((0.0, 0.0, 0.0))
    assert abs(hand.eye.pixel_of(rim)[1] - y) > 15, "beyond the reach of a point"
    pointer = hand.at(rim, body=link)
    tool.move(pointer)
    press(tool, pointer)
    assert frames(context)[1][0] == pytest.approx((0.0, 0.0, 0.0), abs=1e-15)
    tool = JointTool(context)
    beside = (0.0, 0.0, 1.6 * hole)
    tool.move(hand.at(beside, body=link))
    assert distance(tool.preview.marker, (0.0, 0.0, 0.0)) > hole


@pytest.mark.parametrize("quarters", range(5))
def test_a_glyph_is_shown_as_it_will_be_turned(context, quarters):
    """Quarters of a turn about the axis, in the axes that the joint will have."""
    m, axis = mechanism(context), (0.36, 0.48, 0.8)
    x, y = (np.array(rotate(frame_on_axis(axis), e)) for e in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    turn = quarters * math.pi / 2
    c, s = math.cos(turn), math.sin(turn)
    own = np.array([c * x + s * y, c * y - s * x, axis])
    expected = [
        np.array((1.0, 2.0, 3.0)) + candidates_of(m).glyph * line.points @ own
        for line in glyph("prismatic", STEPS).lines
    ]
    found = glyph_lines(m, "prismatic", (1.0, 2.0, 3.0), axis, quarters)
    assert len(found) == len(expected) > 0
    assert all(np.array(a) == pytest.approx(b) for a, b in zip(found, expected))


def test_an_axis_is_an_arrow_with_its_head_at_the_positive_end():
    line, *head = axis_arrow(FRONT, (1.0, 0.0, 2.0), (0.0, 0.0, 1.0), 0.5)
    assert line == (pytest.approx((1.0, 0.0, 1.5)), pytest.approx((1.0, 0.0, 2.5)))
    assert [a for a, _ in head] == [pytest.approx((1.0, 0.0, 2.5))] * 2
    ends = sorted(b for _, b in head)
    assert ends == [pytest.approx((x, 0.0, 2.39)) for x in (0.94, 1.06)]
    # an axis along the normal of the plane has its head along the plane's first direction
    line, *head = axis_arrow(FRONT, (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 1.0)
    assert sorted(b for _, b in head) == [pytest.approx((x, 0.78, 0.0)) for x in (-0.12, 0.12)]
