"""The tool that lays gauges: the kind of measure that two features mean, and its keys."""

import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.gauges import gauge_tool
from mechstudio.application.tools.gauges.features import Found
from mechstudio.application.tools.gauges.gauge_tool import GaugeTool
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits.links import frame_at
from mechstudio.model.geometry.rotation import frame_on_axis
from mechstudio.model.mechanism import GROUND, Frame
from mechstudio.model.project import Feature, Project
from tests.application.tools.bodies.test_link_tool import draw

UP, RIGHT = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)


def found(kind, at=(0.0, 0.0, 0.0), z=UP, words="a thing", body=GROUND):
    frame = frame_at(Project().mechanism, GROUND, at, frame_on_axis(z), 1e-9)
    return Found(Feature(kind, frame if body == GROUND else Frame(body)), words, at)


@pytest.fixture
def context():
    return ToolContext(Document(), Selection(), grid=0.05)


@pytest.fixture
def tool(context, monkeypatch):
    """A gauge tool; `tool.over` is what lies under the pointer."""
    tool = GaugeTool(context)
    tool.over = []
    monkeypatch.setattr(gauge_tool, "features_at", lambda context, pointer: list(tool.over))
    return tool


def click(tool, *things):
    tool.over = list(things)
    tool.press(Pointer((0.0, 0.0, 0.0), 1e-3))


def gauges(tool):
    return list(tool.context.document.project.gauges.values())


@pytest.mark.parametrize(
    ("first", "second", "tilt", "type"),
    [
        ("axis", "axis", 0.0, "distance"),
        ("axis", "axis", 1e-7, "distance"),
        ("axis", "axis", 1e-5, "angle"),
        ("axis", "axis", math.pi / 2, "angle"),
        ("axis", "axis", math.pi - 1e-5, "angle"),
        ("axis", "axis", math.pi - 1e-7, "distance"),
        ("axis", "plane", 0.5, "angle"),
        ("point", "axis", 0.5, "distance"),
        ("point", "point", 0.5, "distance"),
    ],
)
def test_two_directions_are_measured_by_their_angle_unless_they_are_parallel(
    tool, first, second, tilt, type
):
    click(tool, found(first))
    click(tool, found(second, (0.1, 0.0, 0.0), (math.sin(tilt), 0.0, math.cos(tilt))))
    (gauge,) = gauges(tool)
    assert gauge.type == type and [end.kind for end in gauge.ends] == [first, second]
    assert tool.context.selection.current == gauge.id and not tool.context.message


def test_a_letter_takes_another_kind_and_gives_it_back(tool):
    letters = {kind.letter: type for type, kind in gauge_tool.GAUGE_TYPES.items()}
    letter = next(k for k, type in letters.items() if type == "distance")
    for presses, type in ((1, "distance"), (2, "angle")):
        for _ in range(presses):
            assert tool.wants(letter.upper()) and tool.key(letter.upper())
        click(tool, found("axis"))
        click(tool, found("axis", (0.1, 0.0, 0.0), RIGHT))
        assert gauges(tool)[-1].type == type
        if presses == 1:
            tool.key(letter)
    assert not tool.wants("q") and not tool.key("q")


def test_tab_goes_round_what_lies_under_the_pointer(tool):
    things = [found("point", words=word) for word in ("one", "two", "three")]
    assert not tool.key("tab")
    tool.over = things
    tool.move(Pointer((0.0, 0.0, 0.0), 1e-3))
    for key, word in (("tab", "two"), ("tab", "three"), ("tab", "one"), ("backtab", "three")):
        assert tool.key(key) and tool.preview.word == word
    assert tool.preview.choices == ("one", "two", "three") and tool.preview.chosen == 2
    tool.over = things[1:]  # what was chosen stays so where it still lies under the pointer
    tool.move(Pointer((0.0, 0.0, 0.0), 1e-3))
    assert tool.preview.word == "three"
    tool.over = things[:1]
    tool.move(Pointer((0.0, 0.0, 0.0), 1e-3))
    assert tool.preview.word == "one" and tool.preview.choices == ()


def test_the_second_thing_is_another_one_that_fits(tool):
    click(tool)
    assert "Neither" in tool.context.message
    first = found("point", words="corner")
    click(tool, first)
    assert not tool.context.message and "corner" in tool.hint
    click(tool, first)
    assert "Nothing here goes with corner" in tool.context.message and not gauges(tool)
    click(tool, found("body"))
    assert not gauges(tool), "a point and a body have no measure"
    tool.over = [found("point", (0.3, 0.0, 0.4))]
    tool.move(Pointer((0.0, 0.0, 0.0), 1e-3))
    assert tool.preview.label == "Distance  500 mm"
    assert tool.preview.rubber == [((0.0, 0.0, 0.0), (0.3, 0.0, 0.4))]
    tool.key("escape")
    assert not tool.finished and tool.preview.rubber == []
    tool.key("escape")
    assert tool.finished


def test_enter_measures_a_link_alone_and_says_what_cannot_be(tool):
    draw(tool.context, (0.0, 0.0), (0.3, 0.0))
    (id,) = tool.context.document.project.mechanism.bodies
    click(tool, found("point", words="a place"))
    tool.key("enter")
    assert "a place alone has no length and no radius" in tool.context.message
    tool.key("escape")
    click(tool, found("body", body=id))
    assert tool.key("enter")
    (gauge,) = gauges(tool)
    ends = [tool.context.document.project.mechanism.frame_in_world(e.frame)[0] for e in gauge.ends]
    assert gauge.type == "distance" and math.dist(*ends) == pytest.approx(0.3)
    assert not tool.key("enter"), "there is nothing to measure"
