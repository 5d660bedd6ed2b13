"""The link tool as a state machine: four clicks and Enter make a four-bar; typed lengths are exact;
Esc leaves cleanly.
"""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bench import ToolBench
from mechstudio.application.tools.bodies.link import LinkTool
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.geometry.rotation import rotate
from mechstudio.model.mechanism import GROUND

PIXEL = 0.001


@pytest.fixture
def context():
    return ToolContext(Document(), Selection(), grid=0.05)


def at(x, z, **keys):
    return Pointer((x, 0.0, z), PIXEL, **keys)


def click(tool, x, z, **keys):
    tool.move(at(x, z, **keys))
    tool.press(at(x, z, **keys))
    tool.release(at(x, z, **keys))


def draw(context, *points, end="enter"):
    tool = LinkTool(context)
    for p in points:
        click(tool, *p)
    if end:
        tool.key(end)
    return tool


def test_four_clicks_and_enter_make_a_four_bar(context):
    tool = draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    m = context.document.project.mechanism
    assert tool.finished
    assert len(m.bodies) == 3 and len(m.joints) == 4
    pairs = [{j.frame_a.body, j.frame_b.body} for j in m.joints.values()]
    assert sum(GROUND in p for p in pairs) == 2
    for joint in m.joints.values():
        a, b = m.frame_in_world(joint.frame_a), m.frame_in_world(joint.frame_b)
        assert distance(a[0], b[0]) < 1e-15
        assert abs(a[0][1]) < 1e-15  # all pins lie in the work plane
    along = sorted(m.joints.values(), key=lambda j: m.frame_in_world(j.frame_a)[0][0])
    assert "".join(j.name for j in along) == "ABCD"


def test_links_lie_in_layers_beside_their_neighbours(context):
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25), (0.4, 0.0))
    layers = [
        b.shapes[0].placement.position[1].value
        for b in context.document.project.mechanism.bodies.values()
    ]
    assert layers[0] != layers[1] != layers[2]


def test_escape_keeps_the_links_but_pins_nothing(context):
    tool = draw(context, (0, 0), (0.1, 0.1), end="escape")
    m = context.document.project.mechanism
    assert tool.finished and len(m.bodies) == 1 and not m.joints
    assert tool.preview.segments == []


@pytest.mark.parametrize(("away", "links"), [(0.005, 1), (0.007, 2)])
def test_a_click_beside_the_last_end_places_no_link(context, away, links):
    """Up to six pixels away it is a click on that end."""
    context.grid = 1e-3
    tool = draw(context, (0, 0), (0.1, 0.1), (0.1 + away, 0.1), end="")
    assert len(context.document.project.mechanism.bodies) == links
    if links == 1:
        assert not tool.preview.segments
        tool.key("3")
        tool.key("enter")
        assert len(context.document.project.mechanism.bodies) == 2, "a typed one may be shorter"


def test_alt_leaves_an_end_free(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    click(tool, 0.2, 0.1, alt=True)
    assert "ground pin on Enter" in [t for _, t in tool.preview.marks]
    tool.key("enter")
    assert len(context.document.project.mechanism.joints) == 1


def test_a_click_on_an_end_makes_a_pin_there(context):
    draw(context, (0, 0), (0.2, 0.1), end="escape")
    tool = LinkTool(context)
    tool.move(at(0.203, 0.102))
    assert tool.preview.word == "end of link 1"
    click(tool, 0.203, 0.102)
    click(tool, 0.4, 0.0)
    m = context.document.project.mechanism
    assert [{j.frame_a.body, j.frame_b.body} for j in m.joints.values()] == [{"link_1", "link_2"}]
    assert distance(link_ends(m.bodies["link_2"])[0], (0.2, 0.0, 0.1)) < 1e-12


def test_a_typed_length_is_exact_and_kept_as_typed(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.17, 0.003))
    for key in "120":
        assert tool.key(key)
    tool.key("enter")
    shape = context.document.project.mechanism.bodies["link_1"].shapes[0]
    assert shape.dimensions["length"].value == 0.12 and shape.dimensions["length"].text == "120 mm"


def test_typed_length_is_shown_from_its_first_digit(context):
    """0 m is at the start itself, and 0.0004 m not a pixel away: still the text is there."""
    context.units = "m-N-rad"
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.17, 0.003))
    for k, key in enumerate("0.0004", 1):
        tool.key(key)
        assert tool.preview.label.startswith("0.0004"[:k]) and not tool.preview.word
    tool.key("escape")
    assert "m" in tool.preview.label and tool.preview.segments, "the pointer decides again"


def test_a_typed_nonsense_is_refused_in_words(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.17, 0.003))
    for key in "12 deg":
        tool.key(key)
    tool.key("enter")
    assert "length expected" in context.message and not context.document.project.mechanism.bodies
    tool.key("escape")
    assert not tool.finished, "the first Esc takes the typed text back"


def test_each_link_is_one_undo_step(context):
    draw(context, (0, 0), (0.05, 0.15), (0.35, 0.25))
    labels, at_ = context.document.history
    assert (
        labels
        == [
            "Open",
            "Draw link 1 158.1 mm",
            "Draw link 2 316.2 mm",
            "Pin link 1 and link 2 to ground",
        ]
        and at_ == 3
    )
    for _ in range(3):
        context.document.undo()
    assert not context.document.project.mechanism.bodies


def test_shift_holds_directions_and_ctrl_suspends_snapping(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.2, 0.19, shift=True))
    x, _, z = tool.preview.marker
    assert math.isclose(x, z) and tool.preview.word == "45 deg"
    tool.move(at(0.2004, 0.1004, ctrl=True))
    assert tool.preview.marker == (0.2004, 0.0, 0.1004) and tool.preview.word == ""
    tool.move(at(0.2004, 0.1004))
    assert tool.preview.word == "grid" and tool.preview.marker == pytest.approx((0.2, 0.0, 0.1))


def test_undo_in_mid_chain_goes_on_from_the_end_before(context):
    bench = ToolBench(context.document, context.selection)
    bench.take("link")
    for p in ((0, 0), (0.05, 0.15), (0.35, 0.25)):
        click(bench.tool, *p)
    context.document.undo()
    bench.tool.move(at(0.3, 0.1))  # what the undo took away is not requested
    assert bench.tool.preview.segments[0][0] == pytest.approx((0.05, 0.0, 0.15))
    click(bench.tool, 0.35, 0.2)
    click(bench.tool, 0.4, 0.0)
    bench.tool.key("enter")
    m = context.document.project.mechanism
    assert len(m.bodies) == 3 and len(m.joints) == 4


def test_undo_of_a_whole_chain_keeps_its_first_point(context):
    bench = ToolBench(context.document, context.selection)
    bench.take("link")
    click(bench.tool, 0, 0)
    click(bench.tool, 0.05, 0.15)
    context.document.undo()
    click(bench.tool, 0.1, 0.1)
    assert [
        b.shapes[0].dimensions["length"].value
        for b in context.document.project.mechanism.bodies.values()
    ] == pytest.approx([math.hypot(0.1, 0.1)])


def test_a_tool_whose_first_body_is_undone_begins_again(context):
    bench = ToolBench(context.document, context.selection)
    draw(context, (0, 0), (0.1, 0.0), end="escape")
    bench.take("two_points", type="damper")
    click(bench.tool, 0.1, 0.0)
    context.document.undo()
    assert bench.tool.type == "damper"
    click(bench.tool, 0.3, 0.0)
    assert not context.document.project.mechanism.forces  # that was the first point again


def test_the_end_just_clicked_keeps_its_word(context):
    tool = LinkTool(context)
    click(tool, 0, 0)
    click(tool, 0.05, 0.15)
    tool.move(at(0.35, 0.25))
    tool.key("p")
    click(tool, 0.35, 0.25)
    assert "ground slider on Enter" in [word for _, word in tool.preview.marks]


def test_w_is_the_work_plane_in_mid_chain_and_over_bodies_too(context):
    """A screw is placed by J; the letters of the other joints are the tool's."""
    tool = LinkTool(context)
    click(tool, 0.0, 0.0)
    tool.move(at(0.3, 0.1))
    assert not tool.wants("w") and not tool.key("w") and "w" not in [k.key for k in tool.keys()]
    assert tool.wants("p") and "W: plane" in tool.hint


def test_redo_in_mid_chain_goes_on_from_the_end_that_is_there_again(context):
    bench = ToolBench(context.document, context.selection)
    bench.take("link")
    for x, z in ((0, 0), (0.05, 0.15), (0.3, 0.2), (0.4, 0.0)):
        click(bench.tool, x, z)
    document = context.document
    document.undo()
    document.undo()
    document.redo()
    click(bench.tool, 0.35, 0.05)  # from (0.3, 0.2) on, and what was undone is forgotten
    assert not document.redo_label
    document.go_to(0)
    document.go_to(3)
    bench.tool.key("enter")
    m = document.project.mechanism
    pairs = [(j.frame_a.body, j.frame_b.body) for j in m.joints.values()]
    assert list(m.bodies) == ["link_1", "link_2", "link_3"] and pairs == [
        ("ground", "link_1"),
        ("link_1", "link_2"),
        ("link_2", "link_3"),
        ("ground", "link_3"),
    ]


def test_two_links_whose_end_slides_are_a_slider_crank(context):
    """A slide that takes the turn too would make them rigid."""
    tool = draw(context, (0, 0), (0.05, 0.15), end="")
    tool.key("p")
    click(tool, 0.4, 0.0)
    assert "in line with the first pin" in tool.hint
    tool.key("enter")
    m = context.document.project.mechanism
    assert [j.type for j in m.joints.values()] == ["revolute", "revolute", "point_on_line"] and len(
        {j.name for j in m.joints.values()}
    ) == 3
    slide = next(j for j in m.joints.values() if j.type == "point_on_line")
    assert (
        m.joints[slide.id] is slide
        and slide.frame_a.body == GROUND
        and m.frame_in_world(slide.frame_b)[0] == pytest.approx((0.4, 0.0, 0.0))
    )
    assert rotate(m.frame_in_world(slide.frame_a)[1], (0.0, 0.0, 1.0)) == pytest.approx(
        (1.0, 0.0, 0.0)
    )


@pytest.mark.parametrize(
    ("length", "words"),
    [
        ("1e-8 m", ""),
        ("1e-9 m", ""),
        ("5e-10 m", None),
        ("1e10 m", "Length is too large: at most 1e+09 m is possible."),
    ],
)
def test_a_link_that_is_drawn_is_one_that_a_file_holds(context, length, words):
    """None is drawn that would be lost on opening."""
    tool = LinkTool(context)
    click(tool, 0, 0)
    tool.move(at(0.1, 0.0))
    for c in length:
        tool.key(c)
    tool.key("enter")
    project = context.document.project
    if words == "":
        assert len(project.mechanism.bodies) == 1
        loaded = decode(encode(project))
        assert not loaded.findings and loaded.project == project
    else:
        assert not project.mechanism.bodies and (words is None or context.message == words)
