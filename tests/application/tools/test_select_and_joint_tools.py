"""Dragging ends, joints and bodies; placing joints; grounding."""

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.joints.ground import is_grounded, toggle_ground
from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.mechanism import GROUND
from tests.application.tools.bodies.test_link_tool import at, click, draw
from tests.application.tools.eyes import Seen


@pytest.fixture
def context():
    return ToolContext(Document(), Selection(), grid=0.05)


def drag(context, start, end, select=(), element="", keys=(), release=True):
    """Select, then drag from one point of the front view to another; the element lies under the
    press.
    """
    context.selection.select(*select)
    tool, seen = SelectTool(context), Seen()
    tool.move(seen.at(*start, element=element))
    assert tool.takes(seen.at(*start, element=element))
    tool.press(seen.at(*start, element=element))
    for share in (0.1, 1.0):
        tool.move(seen.at(*(a + share * (b - a) for a, b in zip(start, end))))
    for key in keys:
        tool.key(key)
    if release:
        tool.release(seen.at(*end))
    return tool


def closed(mechanism):
    return max(
        distance(mechanism.frame_in_world(j.frame_a)[0], mechanism.frame_in_world(j.frame_b)[0])
        for j in mechanism.joints.values()
    )


def test_dragging_the_end_of_a_selected_link_takes_its_neighbour_along(context):
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    drag(context, (0.05, 0.15), (0.1, 0.2), ["link_1"])
    m = context.document.project.mechanism
    assert distance(link_ends(m.bodies["link_1"])[1], (0.1, 0.0, 0.2)) < 1e-12
    assert distance(link_ends(m.bodies["link_2"])[0], (0.1, 0.0, 0.2)) < 1e-12
    assert closed(m) < 1e-12
    assert context.document.history[0][-1] == "Move end of link 1 70.71 mm", (
        "one drag is one undo step"
    )


def test_a_joint_of_bodies_that_are_not_selected_is_left_to_pulling(context):
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    tool = SelectTool(context)
    from mechstudio.application.tools.handles.link_ends import EndGrip

    assert not [
        grip
        for grip in tool.grips
        if isinstance(grip, EndGrip) and grip.takes(Seen().at(0.05, 0.15, element="link_1"))
    ]


def test_dragging_the_end_at_a_ground_pin_moves_the_pin(context):
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    drag(context, (0.4, 0.0), (0.45, 0.05), ["link_3"])
    m = context.document.project.mechanism
    assert closed(m) < 1e-12
    pin = next(
        j for j in m.joints.values() if j.frame_b.body == "link_3" and j.frame_a.body == GROUND
    )
    assert distance(m.frame_in_world(pin.frame_a)[0], (0.45, 0.0, 0.05)) < 1e-12


def test_dragging_a_loose_link_moves_both_ends(context):
    draw(context, (0, 0), (0.2, 0.1), end="escape")
    drag(context, (0.12, 0.06), (0.15, 0.09), element="link_1")
    a, b = link_ends(context.document.project.mechanism.bodies["link_1"])
    assert distance(a, (0.03, 0.0, 0.03)) < 1e-12 and distance(b, (0.23, 0.0, 0.13)) < 1e-12
    assert context.document.history[0][-1] == "Move link 1 42.43 mm"


def test_a_number_typed_while_dragging_sets_the_length_exactly(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    drag(context, (0.2, 0.0), (0.25, 0.0), ["link_1"], keys=("1", "7", "5", "enter"), release=False)
    length = context.document.project.mechanism.bodies["link_1"].shapes[0].dimensions["length"]
    assert (length.value, length.text) == (0.175, "175 mm")
    assert context.document.history[0][-1] == "Length of link 1 175 mm"


def test_a_length_of_nothing_is_refused_in_words(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    before = context.document.project
    drag(context, (0.2, 0.0), (0.25, 0.0), ["link_1"], keys=("0", "enter"), release=False)
    assert context.document.project is before and "above zero" in context.message


def test_escape_takes_a_drag_back(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    before = context.document.project
    tool = drag(context, (0.2, 0.0), (0.25, 0.1), ["link_1"], keys=("escape",), release=False)
    assert context.document.project is before and tool.tentative is None and tool.dragging, (
        "the view does not turn until the button is up"
    )
    tool.release(Seen().at(0.25, 0.1))
    assert context.document.project is before and not tool.dragging


def test_the_joint_tool_joins_the_two_bodies_that_meet(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    draw(context, (0.2, 0.1), (0.4, 0.0), end="escape")
    drag(context, (0.2, 0.1), (0.202, 0.003), element="link_2")
    assert link_ends(context.document.project.mechanism.bodies["link_2"])[0] == (0.2, 0.0, 0.0), (
        "the end that was taken catches the other link's"
    )
    tool = JointTool(context)
    tool.move(at(0.2, 0.0, body="link_1"))
    assert "link 1 – link 2" in tool.preview.word
    tool.key("s")
    click(tool, 0.2, 0.0, body="link_1")
    (joint,) = context.document.project.mechanism.joints.values()
    assert (
        joint.type == "spherical"
        and {joint.frame_a.body, joint.frame_b.body} == {"link_1", "link_2"}
        and tool.finished
    )


def test_the_joint_tool_says_when_nothing_is_there(context):
    tool = JointTool(context)
    click(tool, 0.2, 0.0)
    assert "no body here" in context.message and not tool.finished


def test_ground_on_and_off(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    project, label = toggle_ground(context.document.project, "link_1")
    assert is_grounded(project, "link_1") and label == "Ground link 1"
    project, label = toggle_ground(project, "link_1")
    assert not project.mechanism.joints and label == "Free link 1 from the ground"


def test_a_slider_begins_along_its_link_and_in_the_plane(context):
    draw(context, (0, 0), (0.2, 0.0), end="escape")
    tool = JointTool(context, "prismatic")
    tool.move(at(0.1, 0.0, body="link_1"))
    assert "Slider along link 1" in tool.preview.word and len(tool.preview.rubber) == 3
    tool.key("tab")  # along X is along the link, and offered but once
    assert "along Z" in tool.preview.word
    click(tool, 0.1, 0.0, body="link_1")
    m = context.document.project.mechanism
    (joint,) = m.joints.values()
    from mechstudio.model.geometry.rotation import rotate

    for frame in (joint.frame_a, joint.frame_b):
        assert rotate(m.frame_in_world(frame)[1], (0, 0, 1)) == pytest.approx((0, 0, 1))
