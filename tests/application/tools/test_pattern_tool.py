"""Rows and circles by clicks and typed numbers."""

import pytest

from mechstudio.application.tools.copies.pattern import PatternTool
from mechstudio.model.edits.links import link_ends
from mechstudio.model.geometry.work_plane import dot
from tests.application.tools.bodies.test_link_tool import at, click, context, draw

__all__ = ["context"]


def typed(tool, text):
    for key in text:
        assert tool.wants(key) and tool.key(key)


def starts(m, prefix="link"):
    return [link_ends(b)[0] for id, b in m.bodies.items() if id.startswith(prefix)]


def test_two_clicks_repeat_a_link_and_its_joint(context):
    draw(context, (0, 0), (0.1, 0.0), (0.2, 0.0))
    context.document.undo()  # without the pins on the ground
    context.selection.select("link_2")
    tool = PatternTool(context)
    tool.move(at(0.1, 0.0))
    assert tool.tentative is None and "point of the part" in tool.hint
    click(tool, 0.1, 0.0)
    tool.move(at(0.2, 0.0))
    assert len(tool.tentative.mechanism.bodies) == 4 and tool.preview.label.startswith("parts 3")
    before = context.document.project
    click(tool, 0.2, 0.0)
    m = context.document.project.mechanism
    assert tool.finished and len(m.bodies) == 4 and len(m.joints) == 3
    assert context.document.undo_label == "Repeat link 2 in a row, 3 in all"
    assert [p[0] for p in starts(m)] == pytest.approx([0.0, 0.1, 0.2, 0.3])
    assert set(context.selection.selected) == m.bodies.keys() - {"link_1"}
    context.document.undo()
    assert context.document.project is before


def test_typed_numbers_need_no_click(context):
    draw(context, (0, 0), (0.1, 0.0), end="")
    context.selection.select("link_1")
    tool = PatternTool(context)
    typed(tool, "4,50,90")
    tool.key("enter")
    assert [p[2] for p in starts(context.document.project.mechanism)] == pytest.approx(
        [0.0, 0.05, 0.1, 0.15]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [("2.5,50", "whole number"), ("1,50", "2 to 201"), ("3,0", "lie on the part"), ("3,a*", "")],
)
def test_numbers_that_mean_no_pattern_are_refused(context, text, message):
    draw(context, (0, 0), (0.1, 0.0), end="")
    context.selection.select("link_1")
    before, tool = context.document.project, PatternTool(context)
    typed(tool, text)
    tool.key("enter")
    assert not tool.finished and context.document.project is before
    assert context.message and message in context.message
    tool.key("escape")
    assert not tool.finished and not context.message, "the message goes with what was typed"


def test_a_name_in_place_of_a_spacing_is_offered_as_a_parameter(context):
    draw(context, (0, 0), (0.1, 0.0), end="")
    context.selection.select("link_1")
    tool = PatternTool(context)
    typed(tool, "3,pitch")
    tool.key("enter")
    assert context.missing is not None and context.missing[:2] == ("pitch", "length")


def test_a_circle_takes_its_centre_and_turns_with_the_plane(context):
    draw(context, (0.1, 0.0), (0.2, 0.0), end="")
    context.selection.select("link_1")
    tool = PatternTool(context, "circle")
    tool.move(at(0.0, 0.0))
    assert len(tool.tentative.mechanism.bodies) == 6 and "60" in tool.preview.label
    typed(tool, "4")
    click(tool, 0.0, 0.0)
    m = context.document.project.mechanism
    second = link_ends(m.bodies["link_2"])
    # counterclockwise as seen against the normal
    assert second[0] == pytest.approx((0.0, 0.0, 0.1), abs=1e-15)
    assert dot(context.plane.normal, (0.0, -1.0, 0.0)) == 1.0
    assert len(m.bodies) == 4 and len(m.joints) == 0, "ends that do not meet are not pinned"


def test_many_copies_are_shown_by_their_middles(context):
    draw(context, (0, 0), (0.1, 0.0), end="")
    context.selection.select("link_1")
    tool = PatternTool(context)
    typed(tool, "100,20")
    assert tool.tentative is None and len(tool.preview.marks) == 99
    tool.key("enter")
    assert len(context.document.project.mechanism.bodies) == 100
