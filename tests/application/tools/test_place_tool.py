"""The tool that asks for a place: a joint by its id, any other place by its numbers, at an instant
of a run what is under the pointer.
"""

import dataclasses

import pytest

from mechstudio.application.document import Document
from mechstudio.application.resources import sample_folder
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bench import ToolBench
from mechstudio.application.tools.place import PlaceTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.files.project_file import load
from tests.application.tools.bodies.test_solid_tool import FrontEye, seen


@pytest.fixture
def context():
    return ToolContext(
        Document(load(sample_folder() / "four_bar.mech").project), Selection(), grid=0.05
    )


@pytest.fixture
def reported(context):
    found = []
    context.place_chosen.connect(found.append)
    return found


def over(point, **more):
    return dataclasses.replace(seen(FrontEye(), point, **more), point=(point[0], 0.0, point[2]))


def test_a_joint_is_given_by_its_id(context, reported):
    tool = PlaceTool(context)
    tool.press(over((0.0, -0.01, 0.0), element="A"))
    assert reported == ["A"] and tool.finished and context.message == ""


def test_a_place_near_a_joint_is_that_joint(context, reported):
    mechanism = context.document.project.mechanism
    at = mechanism.frame_in_world(mechanism.joints["D"].frame_a)[0]
    tool = PlaceTool(context)
    tool.move(over((at[0] + 1e-4, at[1], at[2])))
    assert tool.preview.word == "joint D"
    tool.press(over((at[0] + 1e-4, at[1], at[2])))
    assert reported == ["D"]


def test_any_other_place_is_given_in_numbers(context, reported):
    tool = PlaceTool(context)
    tool.move(over((1.2, 0.0, 0.7)))
    assert "1200 mm" in tool.preview.label and tool.preview.shape == "cross"
    tool.press(over((1.2, 0.0, 0.7)))
    assert reported == [pytest.approx((1.2, 0.0, 0.7))]


def test_click_at_an_instant_of_a_run_takes_the_surface(context, reported):
    """There the drawing's marks stand elsewhere: a click on a body is a click where it is seen."""
    context.at_design = False
    tool = PlaceTool(context)
    tool.press(
        over(
            (0.0, 0.0, 0.0),
            body="crank",
            element="crank",
            surface=(0.01, -0.02, 0.03),
            normal=(0.0, -1.0, 0.0),
        )
    )
    assert reported == [(0.01, -0.02, 0.03)]


def test_empty_sky_is_refused_in_words_and_escape_gives_nothing(context, reported):
    tool = PlaceTool(context)
    tool.press(dataclasses.replace(over((0.0, 0.0, 0.0)), point=None, x=-1e6, y=-1e6))
    assert not reported and "work plane" in context.message and not tool.finished
    tool.key("escape")
    assert tool.finished and not reported


def test_a_joint_can_be_clicked_in_the_tree():
    document, selection = Document(load(sample_folder() / "four_bar.mech").project), Selection()
    bench, found = ToolBench(document, selection), []
    bench.context.place_chosen.connect(found.append)
    bench.take("place")
    selection.select("B")
    assert found == ["B"] and bench.tool.name == "select"
