"""Arms through three points or more, with the joint that fits where a point lies on a body."""

import math

import pytest

import mechstudio as ms
from mechstudio.application.tools.bodies.arm import ArmTool
from mechstudio.application.tools.bodies.arm_mounts import with_arm
from mechstudio.application.tools.bodies.link import LinkTool
from mechstudio.application.tools.bodies.link_joints import Corner, link_letters
from mechstudio.application.tools.snapping.candidates import Snap
from mechstudio.application.tools.tool import Pointer
from mechstudio.files.project_file import decode, encode
from mechstudio.model.geometry.rotation import rotate, transform
from mechstudio.model.geometry.work_plane import FRONT, TOP, WorkPlane, parallel
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from tests.application.tools.bodies.test_link_tool import at, click, context, draw

__all__ = ["context"]


def arm(context, *points, end="enter"):
    tool = ArmTool(context)
    for p in points:
        if isinstance(p, str):
            assert tool.wants(p) and tool.key(p)
        else:
            click(tool, *p)
    if end:
        tool.key(end)
    return tool


def axis_of(m, joint):
    return rotate(m.frame_in_world(joint.frame_a)[1], (0.0, 0.0, 1.0))


def test_two_points_on_the_ground_are_a_hinge_about_their_line(context):
    tool = arm(context, "g", (0.0, 0.0), (0.2, 0.0), "g", (0.1, 0.3))
    m = context.document.project.mechanism
    (body,), (joint,) = m.bodies.values(), m.joints.values()
    assert tool.finished and body.name == "arm 1" and context.document.undo_label == "Draw arm 1"
    assert {joint.frame_a.body, joint.frame_b.body} == {GROUND, body.id}
    assert joint.type == "revolute" and parallel(axis_of(m, joint), (1.0, 0.0, 0.0))
    structure = ms.check(context.document.project).structure
    assert (structure.mobility, structure.hyperstaticity) == (1, 0)
    # the rounded triangle: its area by Steiner's formula, area + perimeter r + pi r^2
    r = body.shapes[0].dimensions["radius"].value
    t = body.shapes[0].dimensions["thickness"].value
    side = math.hypot(0.1, 0.3)
    area = 0.03 + (0.2 + 2 * side) * r + math.pi * r * r
    assert mass_properties(body).mass == pytest.approx(7850 * area * t, rel=1e-12)
    context.document.undo()
    assert not context.document.project.mechanism.bodies


def test_a_ternary_link_gets_pins_in_its_plane(context):
    draw(context, (0, 0), (0.0, 0.2), end="escape")
    draw(context, (0.3, 0), (0.3, 0.2), end="escape")
    draw(context, (0.15, 0.6), (0.15, 0.4), end="escape")
    arm(context, (0.0, 0.2), (0.3, 0.2), (0.15, 0.4))
    m = context.document.project.mechanism
    assert [j.type for j in m.joints.values()] == ["revolute"] * 3
    for joint in m.joints.values():
        assert parallel(axis_of(m, joint), FRONT.normal)
        assert any("corner" in f.point for f in (joint.frame_a, joint.frame_b))
    assert m.bodies["arm_1"].shapes[0].placement.position[1].value != 0.0, "in a layer of its own"
    # four free bodies with three pins: 24 - 15
    assert ms.check(context.document.project).structure.mobility == 9


def test_a_link_drawn_from_a_corner_is_pinned_there(context):
    arm(context, (0.0, 0.0), (0.3, 0.0), (0.15, 0.2))
    draw(context, (0.15, 0.2), (0.15, 0.5), end="escape")
    m = context.document.project.mechanism
    (joint,) = m.joints.values()
    assert joint.type == "revolute" and joint.frame_a.point == "corner 3"


def wishbones(context):
    """Two arms in level planes and an upright between their tips, drawn by tools."""
    for height, half in ((0.0, 0.15), (0.2, 0.1)):
        context.plane = level(height)
        tool = ArmTool(context)
        for key, u, v in (("g", 0.0, -half), ("", 0.0, half), ("g", 0.35, 0.0)):
            if key:
                tool.key(key)
            point = context.plane.to_world(u, v)
            pointer = Pointer(point, 0.001)
            tool.move(pointer)
            tool.press(pointer)
        tool.key("enter")


def level(height):
    return WorkPlane("level", (0.0, 0.0, height), TOP.u, TOP.v)


def test_an_upright_between_two_wishbones_stands_on_balls(context):
    wishbones(context)
    project = context.document.project
    m = project.mechanism
    lower = Snap((0.35, 0.0, 0.0), "corner 3", "arm_1")
    upper = Snap((0.35, 0.0, 0.2), "corner 3", "arm_2")
    steer = Snap((0.35, 0.12, 0.05))
    assert all(parallel(axis_of(m, j), (0.0, 1.0, 0.0)) for j in m.joints.values())
    after, upright = with_arm(project, FRONT, [Corner(lower), Corner(upper), Corner(steer)])
    types = sorted(j.type for j in after.mechanism.joints.values())
    assert types == ["revolute", "revolute", "spherical", "spherical"]
    # two arms and an upright: the four-bar's motion, and steering about the line of the balls
    assert ms.check(after).structure.mobility == 2
    assert decode(encode(after)).project == after and upright == "arm_3"


def test_points_in_no_plane_make_a_ring_of_bars():
    points = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.3, 0.2, 0.0), (0.1, 0.1, 0.2))
    corners = [Corner(Snap(p)) for p in points]
    project, id = with_arm(Project(), FRONT, corners)
    body = project.mechanism.bodies[id]
    assert [s.type for s in body.shapes] == ["link"] * 4 and not project.mechanism.joints
    for k, corner in enumerate(corners, 1):
        local = body.point(f"corner {k}")
        p, q = body.placement.pose
        assert [a + b for a, b in zip(p, rotate(q, local))] == pytest.approx(corner.place.point)
    known = body.named_points()
    assert known["end"] == pytest.approx(known["start 2"])
    assert known["end 4"] == pytest.approx(known["start"], abs=1e-15)
    assert decode(encode(project)).project == project


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (((0.0, 0.0), (0.2, 0.0)), "three points"),
        (((0.0, 0.0), (0.1, 0.0), (0.2, 0.0)), "in line"),
    ],
)
def test_points_that_make_no_arm_say_why(context, points, message):
    tool = arm(context, *points)
    assert not tool.finished and message in context.message
    assert not context.document.project.mechanism.bodies


def test_typed_places_and_steps_back(context):
    tool = ArmTool(context)
    tool.move(at(0.0, 0.0))
    for text in ("0,0", "200,0", "100,150"):
        for key in text:
            assert tool.wants(key) and tool.key(key)
        tool.key("enter")
    tool.key("escape")
    assert "third" in tool.hint
    for key in "50,150,-20":
        tool.key(key)
    tool.key("enter")
    tool.key("enter")
    (body,) = context.document.project.mechanism.bodies.values()
    third = transform(body.placement.pose, body.point("corner 3"))
    assert third == pytest.approx((0.05, 0.02, 0.15)), "20 mm behind the front plane"


def test_the_preview_follows_typed_numbers(context):
    """Typed ones count, the pointer gives the others; what is no number yet changes nothing."""
    tool = arm(context, (0.0, 0.0), end="")
    tool.move(at(0.1, 0.05))
    for typed, end in (
        ("4", (0.004, 0.0, 0.05)),
        ("0", (0.04, 0.0, 0.05)),
        ("(", (0.1, 0.0, 0.05)),
    ):
        tool.key(typed)
        assert tool.preview.rubber[0][1] == pytest.approx(end, abs=1e-12), typed
    tool.key("backspace")
    for key in ("tab", "7", "0", "tab", "3", "0"):
        tool.key(key)
    (line,) = tool.preview.rubber
    tool.key("enter")
    assert line[1] == tool._corners[1].place.point == pytest.approx((0.04, -0.03, 0.07))


def test_a_rod_between_two_arms_has_balls(context):
    wishbones(context)
    context.plane = FRONT
    draw_tool = LinkTool(context)
    click(draw_tool, 0.35, 0.0)
    click(draw_tool, 0.35, 0.2)
    types = [j.type for j in context.document.project.mechanism.joints.values()]
    assert types[2:] == ["spherical", "spherical"], "the arms' pins stand along the rod"


def test_keys_of_an_arm_take_places_and_types_and_give_them_back(context, monkeypatch):
    tool, steps = ArmTool(context), []
    monkeypatch.setattr(tool._aim, "next", steps.append)
    assert tool.key("tab") and tool.key("backtab") and steps == [1, -1]
    for key in ("g", "g"):
        before = tool._grounded
        assert tool.key(key) and tool._grounded is not before
    letter, type = next(iter(link_letters().items()))
    for expected in (type, ""):
        assert tool.key(letter) and tool._type == expected
    assert not tool.key("@") and not tool.wants("@")
    assert all(tool.wants(k) for k in ("escape", "enter", "tab", "backtab", "g", letter, "5"))
    # while a number is typed letters are those of its formula
    click(tool, 0.0, 0.0)
    tool.move(at(0.1, 0.0))
    assert tool.key("5") and tool.key("g") and tool.key("tab") and steps == [1, -1]
    tool.key("escape")
    assert not tool.numbers.typed and len(tool._corners) == 1
    tool.key("escape")
    assert not tool._corners and not tool.finished


def test_an_arm_loses_corners_of_bodies_that_are_gone(context):
    draw(context, (0.0, 0.0), (0.2, 0.0), end="escape")
    tool = arm(context, (0.2, 0.0), (0.4, 0.1), end="")
    body = tool._corners[0].place.body
    assert body and len(tool._corners) == 2
    assert tool.lose(frozenset({"other"})) and len(tool._corners) == 2
    assert tool.lose(frozenset({body})) and len(tool._corners) == 1
