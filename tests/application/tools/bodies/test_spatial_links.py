"""Links in space: other planes, points off the plane, balls where a link leaves a pin's plane,
types by letters, typed angles.
"""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bodies.link import LinkTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import add_joint, add_link, distance, link_ends
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.geometry.work_plane import FRONT, RIGHT, TOP, facing
from mechstudio.model.mechanism import GROUND
from tests.application.tools.bodies.test_link_tool import at, click, draw
from tests.application.tools.space import Hand


@pytest.fixture
def context():
    return ToolContext(Document(), Selection(), grid=0.05)


@pytest.fixture
def hand(context):
    return Hand(context)


def mechanism(context):
    return context.document.project.mechanism


def closed(m):
    return max(
        distance(m.frame_in_world(j.frame_a)[0], m.frame_in_world(j.frame_b)[0])
        for j in m.joints.values()
    )


@pytest.mark.parametrize(
    "plane",
    [RIGHT, TOP, facing("tilted", (0.1, 0.05, 0.0), (0.4, -0.6, 0.7))],
    ids=["right", "top", "tilted"],
)
def test_a_four_bar_on_any_plane(context, hand, plane):
    context.plane = plane
    tool = LinkTool(context)
    for p in ((0.0, 0.0), (0.05, 0.15), (0.3, 0.25), (0.35, 0.0)):
        hand.click(tool, plane.to_world(*p), ctrl=True)
    tool.key("enter")
    m = mechanism(context)
    # with snapping suspended nothing is pinned to what it touches, but the chain holds together
    assert len(m.bodies) == 3 and [j.type for j in m.joints.values()] == ["revolute"] * 4
    for joint in m.joints.values():
        place, attitude = m.frame_in_world(joint.frame_a)
        assert abs(plane.height(place)) < 1e-12
        assert rotate(attitude, (0, 0, 1)) == pytest.approx(plane.normal)
    assert closed(m) < 1e-12


@pytest.fixture
def cranks(context):
    """Two grounded cranks, one in the front plane, one in a plane beside it across x."""
    project, a = add_link(context.document.project, FRONT, (0, 0, 0), (0.05, 0, 0.1))
    project, _ = add_joint(project, FRONT, GROUND, a, (0, 0, 0))
    side = facing("side", (0.4, 0.2, 0.0), RIGHT.normal)
    project, b = add_link(project, side, (0.4, 0.2, 0.0), (0.4, 0.25, 0.2))
    project, _ = add_joint(project, side, GROUND, b, (0.4, 0.2, 0.0))
    context.document.commit("cranks", project)
    return a, b


def test_a_rod_between_two_planes_gets_balls(context, hand, cranks):
    tool = LinkTool(context)
    tool.move(hand.at((0.05, 0, 0.1), 3, -2))
    assert tool.preview.word == "end of link 1"
    hand.click(tool, (0.05, 0, 0.1), 3, -2)
    tool.move(hand.at((0.4, 0.25, 0.2), -2, 3))
    assert (
        tool.preview.word == "ball on end of link 2, off the plane"
        and tool.preview.marker == pytest.approx((0.4, 0.25, 0.2), abs=1e-12)
    )
    assert "ball on link 1" in [word for _, word in tool.preview.marks], (
        "the first joint is named before the click too"
    )
    hand.click(tool, (0.4, 0.25, 0.2), -2, 3)
    m = mechanism(context)
    rod = list(m.bodies.values())[-1]
    balls = [j for j in m.joints.values() if rod.id in (j.frame_a.body, j.frame_b.body)]
    assert [j.type for j in balls] == ["spherical", "spherical"] and closed(m) < 1e-12
    assert {f.point for j in balls for f in (j.frame_a, j.frame_b)} == {"start", "end"}, (
        "the balls stand at the ends, by name"
    )
    assert [
        distance(p, q) for p, q in zip(link_ends(rod), ((0.05, 0, 0.1), (0.4, 0.25, 0.2)))
    ] == pytest.approx([0, 0], abs=1e-12)
    assert rod.shapes[0].placement.position[1].value == 0.0, (
        "a rod between balls lies on the line between them"
    )


def test_a_rod_has_two_balls_even_where_it_lies_in_a_cranks_plane(context, hand):
    project, _a = add_link(context.document.project, FRONT, (0, 0, 0), (0.05, 0, 0.1))
    side = facing("side", (0.4, 0.0, 0.0), RIGHT.normal)
    project, _b = add_link(project, side, (0.4, 0.2, 0.0), (0.4, 0.0, 0.2))
    context.document.commit("cranks", project)
    tool = LinkTool(context)
    hand.click(tool, (0.05, 0, 0.1))
    hand.click(tool, (0.4, 0.0, 0.2))
    assert [j.type for j in mechanism(context).joints.values()] == ["spherical", "spherical"]


def test_letters_choose_the_joint_of_the_next_click(context, hand, cranks):
    tool = LinkTool(context)
    assert not tool.wants("s"), "over empty room a letter is the window's shortcut"
    tool.move(hand.at((0.05, 0, 0.1)))
    assert tool.wants("u") and tool.key("u") and tool.preview.word == "universal on end of link 1"
    hand.click(tool, (0.05, 0, 0.1))
    tool.move(hand.at((0.4, 0.25, 0.2)))
    assert "ball on end of link 2" in tool.preview.word
    hand.click(tool, (0.4, 0.25, 0.2))
    m = mechanism(context)
    universal, ball = list(m.joints.values())[-2:]
    assert (universal.type, ball.type) == ("universal", "spherical")
    # both axes of the universal joint stand across the rod, so that it cannot spin
    start, end = link_ends(list(m.bodies.values())[-1])
    way = tuple((b - a) / distance(start, end) for a, b in zip(start, end))
    q = m.frame_in_world(universal.frame_a)[1]
    for axis in ((0, 0, 1), (1, 0, 0)):
        assert abs(sum(a * b for a, b in zip(rotate(q, axis), way))) < 1e-12


def test_a_letter_twice_is_back_to_what_is_usual(context, hand, cranks):
    tool = LinkTool(context)
    tool.move(hand.at((0.05, 0, 0.1)))
    tool.key("s")
    tool.key("s")
    assert tool.preview.word == "end of link 1"
    tool.key("s")
    assert tool.key("escape") and not tool.finished, "the first Esc takes the letter back"


def test_a_ground_joint_of_another_type(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.key("p")
    click(tool, 0.2, 0.1)
    tool.key("enter")
    pin, slider = mechanism(context).joints.values()
    assert (pin.type, slider.type) == ("revolute", "prismatic")


def test_typed_length_and_angle(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.05, -0.1))
    for key in "120, 3":
        assert tool.wants(key) and tool.key(key)
    # what is typed is drawn while it is typed
    assert tool.preview.segments[0][1] == pytest.approx(
        (0.12 * math.cos(math.radians(3)), 0, 0.12 * math.sin(math.radians(3)))
    )
    assert tool.preview.label == "120, 3▏"
    tool.key("0")
    tool.key("enter")
    body = mechanism(context).bodies["link_1"]
    assert link_ends(body)[1] == pytest.approx((0.12 * math.cos(math.pi / 6), 0, 0.06))
    assert body.shapes[0].dimensions["length"].text == "120 mm"


def test_a_typed_end_that_meets_a_pin_is_joined(context):
    draw(context, (0.2, 0), (0.2, 0.2), end="escape")
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.1, 0.03))
    for key in ("2", "0", "0", "tab", "0", "enter"):
        tool.key(key)
    (joint,) = mechanism(context).joints.values()
    assert {joint.frame_a.body, joint.frame_b.body} == {"link_1", "link_2"}


def test_a_loop_of_three_is_called_rigid_before_the_click(context):
    draw(context, (0, 0), (0.2, 0.2))
    tool = LinkTool(context)
    _project, _pin = add_joint(context.document.project, FRONT, GROUND, "link_1", (0, 0, 0))
    click(tool, 0.2, 0.2)
    tool.move(at(0.4, 0.0))
    assert "rigid" not in tool.preview.word
    draw(context, (0.2, 0.2), (0.4, 0.0), end="escape")
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.4, 0.0))
    assert tool.preview.word.endswith("a loop of three is rigid")


def test_a_link_on_the_face_of_a_box_moves_the_plane_there(context, hand):
    project, box = add_body(context.document.project, FRONT, (0.2, 0.3, 0.1), new_shape("box", 0.2))
    context.document.commit("box", project)
    tool = LinkTool(context)
    top = (0.22, 0.31, 0.15)
    hand.on_face(tool, top, (0, 0, 1), box)
    assert tool.preview.word == "on face of box 1" and tool.preview.areas and context.plane is FRONT
    hand.on_face(tool, top, (0, 0, 1), box, click=True)
    assert context.plane.name == "Face of box 1" and context.plane.normal == (0, 0, 1)
    hand.click(tool, (0.3, 0.5, 0.15))
    start, end = link_ends(mechanism(context).bodies["link_1"])
    assert start[2] == end[2] == pytest.approx(0.15)
    (pin,) = mechanism(context).joints.values()
    assert pin.type == "revolute" and pin.frame_a.body == box


def test_a_locked_plane_stays(context, hand):
    project, box = add_body(context.document.project, FRONT, (0.2, 0.3, 0.1), new_shape("box", 0.2))
    context.document.commit("box", project)
    context.locked = True
    tool = LinkTool(context)
    hand.on_face(tool, (0.22, 0.31, 0.15), (0, 0, 1), box, click=True)
    assert context.plane is FRONT


def test_a_planar_drawing_stays_planar(context):
    """A link drawn on the front of a slider's block, seen from the front, lies in the work plane
    that goes through the block.
    """
    project, box = add_body(context.document.project, FRONT, (0.2, 0.0, 0.1), new_shape("box", 0.1))
    context.document.commit("box", project)
    from mechstudio.model.project import Camera

    hand = Hand(context, Camera((0.2, 0.0, 0.1), -90.0, 0.0, 1.5))
    tool = LinkTool(context)
    hand.on_face(tool, (0.21, -0.025, 0.11), (0, -1, 0), box, click=True)
    hand.click(tool, (0.4, 0.0, 0.2))
    assert context.plane is FRONT
    assert all(abs(p[1]) < 1e-12 for p in link_ends(mechanism(context).bodies["link_1"]))
    assert [j.type for j in mechanism(context).joints.values()] == ["revolute"]


def test_a_chain_that_begins_at_a_pin_of_another_plane_lies_in_its_plane(context, hand, cranks):
    """Unlocked, the plane goes across the pin; locked, it stays, and the link leaves the pin's
    plane with a ball.
    """
    pin = (0.4, 0.2, 0.0)
    tool = LinkTool(context)
    tool.move(hand.at(pin))
    assert tool.preview.word == "joint B · across joint B"
    hand.click(tool, pin)
    assert context.plane.name == "YZ through joint B" and context.plane.height(
        pin
    ) == pytest.approx(0)
    hand.click(tool, (0.4, 0.4, 0.3), ctrl=True)
    assert mechanism(context).joints["joint_3"].type == "revolute"
    assert abs(
        rotate(
            mechanism(context).frame_in_world(mechanism(context).joints["joint_3"].frame_a)[1],
            (0, 0, 1),
        )[0]
    ) == pytest.approx(1)


def test_a_chain_from_a_pin_off_a_locked_plane_gets_a_ball(context, hand, cranks):
    context.locked = True
    tool = LinkTool(context)
    hand.click(tool, (0.4, 0.2, 0.0))
    assert context.plane is FRONT
    hand.click(tool, (0.6, 0.0, 0.3), ctrl=True)
    assert mechanism(context).joints["joint_3"].type == "spherical"


def test_a_pin_on_the_face_of_a_link_of_another_plane_lies_between_its_faces(context, hand, cranks):
    """Clicked on the side of the second crank, away from its ends: the new link goes on in the
    crank's plane, not in its face.
    """
    thick = mechanism(context).bodies["link_2"].shapes[0].dimensions["thickness"].value
    face = (0.4 + thick / 2, 0.2 + 0.05 * 0.27, 0.2 * 0.27)
    tool = LinkTool(context)
    hand.on_face(tool, face, (1.0, 0.0, 0.0), "link_2", click=True)
    assert tool.preview.marker[0] == pytest.approx(0.4) and context.plane.height(
        (0.4, 0.0, 0.0)
    ) == pytest.approx(0)
    hand.click(tool, (0.4, 0.5, 0.3), ctrl=True)
    pin = list(mechanism(context).joints.values())[-1]
    assert pin.type == "revolute" and pin.frame_a.body == "link_2"


def test_a_typed_length_from_beside_the_plane_is_the_links_length(context):
    """The circle of a length in the plane is smaller by what the start stands off it."""
    side = facing("", (0.1, 0.06, 0.1), (0, -1, 0))
    project, _ = add_link(context.document.project, side, (0.0, 0.06, 0.1), (0.1, 0.06, 0.1))
    context.document.commit("a link behind the plane", project)
    hand, tool = Hand(context), LinkTool(context)
    context.plane, context.locked = FRONT, True
    hand.click(tool, (0.1, 0.06, 0.1))
    tool.move(hand.at((0.3, 0, 0.2)))
    for key in ("2", "5", "0", "tab", "tab", "2", "0", "0", "enter"):
        tool.key(key)
    link = list(context.document.project.mechanism.bodies.values())[-1]
    length = link.shapes[0].dimensions["length"]
    assert length.value == pytest.approx(0.25, rel=1e-12) and length.text == "250 mm"
    a, b = link_ends(link)
    assert math.dist(a, b) == pytest.approx(0.25, rel=1e-12)
    tool = LinkTool(context)
    hand.click(tool, (0.1, 0.06, 0.1))
    tool.move(hand.at((0.3, 0.0, 0.4)))
    for key in ("5", "0", "tab", "tab", "2", "0", "0", "enter"):
        tool.key(key)
    assert "60 mm from where the length begins" in context.message


@pytest.mark.parametrize(
    ("keys", "length"),
    [
        ([*"150", "tab", *"z 0"], 0.15),
        ([*"150z0"], 0.15),
        ([*"150 mm z 0"], 0.15),
        (["z", "0", "tab", *"x120"], 0.12),
    ],
)
def test_a_letter_behind_a_number_begins_a_coordinate(context, keys, length):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.1, 0.03))
    for key in (*keys, "enter"):
        assert tool.key(key)
    assert not context.message and context.missing is None
    (link,) = mechanism(context).bodies.values()
    assert link_ends(link)[1] == pytest.approx((length, 0.0, 0.0), abs=1e-12)


def test_letters_of_names_and_units_stay_in_their_number(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.1, 0.03))
    for key in (*"150, 3 deg", "tab", "x", *"d1"):
        tool.key(key)
    assert tool.numbers.texts == ["150", "3 deg", "d1", "", ""]
    tool.key("escape")
    for key in "(2 x":
        tool.key(key)
    assert tool.numbers.texts[0] == "(2 x", "its bracket is open still"


def test_a_refusal_goes_with_the_text_that_it_was_about(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.1, 0.03))
    for key in ("1", "5", "q", "enter"):
        tool.key(key)
    assert "q is not a known unit" in context.message
    tool.key("backspace")
    assert not context.message


def test_a_letter_of_no_axis_of_the_plane_says_so(context, hand):
    context.plane = facing("tilted", (0.1, 0.05, 0.0), (0.4, -0.6, 0.7))
    tool = LinkTool(context)
    hand.click(tool, context.plane.to_world(0.0, 0.0))
    tool.move(hand.at(context.plane.to_world(0.1, 0.03)))
    assert "· D: other numbers ·" in tool.hint, "no letter of an axis does anything"
    assert tool.key("x")
    assert context.message.startswith("The work plane has no X axis") and not tool.end.typing


def test_typed_coordinates_of_a_plane_through_a_pin_are_those_of_space(context):
    side = facing("", (0.1, 0.06, 0.1), (0, -1, 0))
    project, first = add_link(context.document.project, side, (0.0, 0.06, 0.1), (0.1, 0.06, 0.1))
    context.document.commit("a link behind the plane", project)
    hand, tool = Hand(context), LinkTool(context)
    hand.click(tool, (0.1, 0.06, 0.1))
    assert context.plane.origin == pytest.approx((0.0, 0.06, 0.0)), "drawing went to its plane"
    tool.move(hand.at((0.3, 0.06, 0.2)))
    for key in ("x", "3", "0", "0", "enter"):
        tool.key(key)
    link = list(context.document.project.mechanism.bodies.values())[-1]
    assert link.id != first and link_ends(link)[1][0] == pytest.approx(0.3, abs=1e-12)
