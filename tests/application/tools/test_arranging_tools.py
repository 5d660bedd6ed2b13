"""The box and the mirror as state machines."""

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.copies.mirror import MirrorTool
from mechstudio.application.tools.copies.pattern import PatternTool
from mechstudio.application.tools.handles.marquee import BoxGrip
from mechstudio.application.tools.snapping.silhouette import inside, silhouettes, touches
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.elements import remove
from mechstudio.model.edits.links import link_ends
from mechstudio.model.quantity import values
from tests.application.tools.bodies.test_link_tool import at, draw


class Flat:
    """A camera straight before the front plane: a pixel is a millimetre, y goes down."""

    right, up, back = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)

    def ray(self, x, y):
        return (x / 1000, -10.0, -y / 1000), (0.0, 1.0, 0.0)

    def pixel_of(self, point):
        return (1000 * point[0], -1000 * point[2]) if point[1] < 5 else None

    def pixel_size(self, point):
        return 0.001


@pytest.fixture
def context():
    context = ToolContext(Document(), Selection(), grid=0.05)
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    return context


def pixel(x, z, **keys):
    return Pointer(
        (x, 0.0, z), 0.001, x=1000 * x, y=-1000 * z, eye=Flat(), **{"ctrl": True, **keys}
    )


def box(context, start, end, **keys):
    grip = BoxGrip(context)
    assert grip.takes(pixel(*start, **keys))
    grip.press(pixel(*start, **keys))
    assert not grip.dragging
    grip.move(pixel(*end, **keys))
    assert grip.dragging
    grip.release(pixel(*end, **keys))
    assert not grip.dragging and grip.preview.box is None
    return [
        context.document.project.mechanism.bodies[id].name
        for id in context.selection.selected
        if id in context.document.project.mechanism.bodies
    ]


def test_right_takes_what_is_inside_and_left_what_is_touched(context):
    low, high = (-0.06, -0.06), (0.12, 0.22)
    assert box(context, low, high) == ["link 1"]
    assert box(context, high, low) == ["link 1", "link 2"]
    assert box(context, (0.2, 0.12), (0.19, 0.18)) == [], "between the links there is nothing"
    assert box(context, (0.2, 0.12), (0.19, 0.22)) == ["link 2"], (
        "a bar is touched where it is, not in the box around it"
    )
    joints = context.document.project.mechanism.joints
    box(context, (-0.05, -0.05), (0.06, 0.05))
    assert [joints[id].name for id in context.selection.selected] == ["A"]


def test_only_ctrl_on_empty_room_draws_a_box(context):
    grip = BoxGrip(context)
    assert (
        not grip.takes(pixel(0, 0, ctrl=False))
        and not grip.takes(pixel(0, 0, element="link_1"))
        and grip.takes(pixel(0, 0, shift=True))
    )


def test_bodies_behind_the_camera_have_no_silhouette(context):
    eye = Flat()
    assert silhouettes(context.document.project.mechanism, eye)
    eye.pixel_of = lambda p: None
    assert silhouettes(context.document.project.mechanism, eye) == {}


@pytest.mark.parametrize(
    ("polygon", "hit"),
    [
        ([(5.0, 5.0)], True),
        ([(20.0, 5.0)], False),
        ([(-5.0, 5.0), (20.0, 5.0)], True),
        ([(-1.0, 12.0), (12.0, -1.0)], True),
        ([(-1.0, 21.5), (21.5, -1.0)], False),
        ([(-9.0, -9.0), (30.0, -9.0), (30.0, 30.0)], True),
    ],
)
def test_a_convex_outline_touches_a_rectangle(polygon, hit):
    assert touches(polygon, (0.0, 0.0), (10.0, 10.0)) == hit
    assert not inside([(-1.0, 5.0), (5.0, 5.0)], (0.0, 0.0), (10.0, 10.0))


def test_a_click_mirrors_what_is_selected(context):
    context.selection.select("link_1")
    tool = MirrorTool(context)
    tool.move(at(-0.1, 0.05))
    assert (
        len(tool.tentative.mechanism.bodies) == 4
        and "left to right" in tool.preview.label
        and tool.preview.rubber
    )
    before = context.document.project
    tool.press(at(-0.1, 0.05))
    m = context.document.project.mechanism
    assert tool.finished and context.document.undo_label == "Mirror link 1 left to right"
    (new,) = context.selection.selected
    assert link_ends(m.bodies[new])[0] == pytest.approx((-0.2, 0.0, 0.0)) and link_ends(
        m.bodies[new]
    )[1] == pytest.approx((-0.25, 0.0, 0.15))
    assert len(m.joints) == 5, "with its pin on the ground; the coupler does not reach the image"
    context.document.undo()
    assert context.document.project is before


def test_a_mirror_image_without_joints_to_neighbours(context):
    context.selection.select("link_1")
    tool = MirrorTool(context)
    assert tool.wants("j") and tool.key("j") and "J makes joints" in tool.hint
    tool.press(at(0.06, 0.05))
    assert len(context.document.project.mechanism.joints) == 5
    context.document.undo()
    context.selection.select("link_1")
    MirrorTool(context).press(at(0.06, 0.05))
    assert len(context.document.project.mechanism.joints) == 6, "the coupler reaches the image"


def test_tab_turns_the_mirror_typing_places_it_and_alt_makes_no_copy(context):
    context.selection.select("link_1", "link_2", "link_3")
    tool = MirrorTool(context)
    tool.move(at(0.0, 0.0))
    assert tool.key("tab") and "top to bottom" in tool.hint
    for key in "-100":
        assert tool.wants(key) and tool.key(key)
    assert "-100" in tool.preview.label
    tool.move(at(0.3, 0.3, alt=True))
    tool.key("enter")
    m = context.document.project.mechanism
    assert (
        len(m.bodies) == 3
        and context.document.undo_label == "Mirror link 1, link 2, link 3 top to bottom in place"
    )
    assert link_ends(m.bodies["link_1"])[1] == pytest.approx((0.05, 0.0, -0.35))
    for joint in m.joints.values():
        assert m.frame_in_world(joint.frame_a)[0] == pytest.approx(
            m.frame_in_world(joint.frame_b)[0], abs=1e-12
        )


def test_enter_mirrors_through_the_middle_and_escape_leaves(context):
    context.selection.select("link_1")
    tool = MirrorTool(context)
    tool.move(at(0.5, 0.0, alt=True))
    tool.key("enter")
    ends = link_ends(context.document.project.mechanism.bodies["link_1"])
    assert sorted(round(e[0], 9) for e in ends) == [0.0, 0.05], (
        "it stands where it stood, the other way round"
    )
    before = context.document.project
    tool = MirrorTool(context)
    tool.move(at(0.5, 0.0))
    tool.key("escape")
    assert tool.finished and tool.tentative is None and context.document.project is before
    assert values(before.mechanism.bodies["link_1"].placement.position)


@pytest.mark.parametrize("make", [MirrorTool, PatternTool])
@pytest.mark.parametrize("left", [("link_2",), ()])
def test_arranging_tools_copy_no_removed_body(context, make, left):
    whole = context.document.project
    context.selection.select("link_1", *left)
    tool = make(context)
    tool.move(at(-0.1, 0.05))
    context.document.commit("gone", remove(whole, "link_1"))
    tool.move(at(-0.1, 0.05))
    tool.press(at(-0.1, 0.05))
    tool.press(at(-0.3, 0.05))
    if not tool.finished:
        tool.key("enter")
    assert tool.finished
    bodies = context.document.project.mechanism.bodies
    # two others were there; of the second there are copies
    assert len(bodies) == 2 if not left else len(bodies) > 2


def test_box_selects_the_poses_shown_at_an_instant_of_a_run(context):
    """And not what was drawn there."""
    low, high = (-0.05, -0.05), (0.35, 0.35)
    drawn = box(context, low, high)
    assert drawn
    context.at_design, context.shown = (
        False,
        lambda: {
            id: ((5.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
            for id in context.document.project.mechanism.bodies
        },
    )
    assert not set(box(context, low, high)) & {
        b.name for b in context.document.project.mechanism.bodies.values()
    } and drawn != box(context, low, high)
    context.shown = dict
    assert box(context, low, high) == drawn
