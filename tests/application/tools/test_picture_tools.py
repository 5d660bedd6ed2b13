"""Scaling a picture by two points, and moving one that is not locked."""

import math
from types import SimpleNamespace

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.picture import PictureGrip, ScalePictureTool
from mechstudio.application.tools.select import SelectTool
from mechstudio.application.tools.tool import Pointer, ToolContext
from mechstudio.model.edits import elements
from mechstudio.model.edits.links import FRONT, WorkPlane
from mechstudio.model.edits.pictures import add_picture, plane_of
from mechstudio.model.project import Project
from mechstudio.model.quantity import values

SIDE = WorkPlane("side", (0.3, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@pytest.fixture
def context():
    project, _ = add_picture(Project(), "/a/sketch.png", "sketch", FRONT, (0.0, 0.0, 0.0), 0.8, 0.5)
    return ToolContext(Document(project), Selection())


def at(u, v, plane=FRONT, **more):
    return Pointer(plane.to_world(u, v), 0.001, x=1000 * u, y=-1000 * v, **more)


def type_(tool, text):
    for c in text:
        assert tool.key(c)


def picture(context):
    return context.document.project.pictures["picture_1"]


def test_two_clicks_and_a_distance(context):
    tool = ScalePictureTool(context, "picture_1")
    assert "Click a point on sketch" in tool.hint
    tool.move(at(-0.2, 0.0))
    assert tool.preview.word == "first point"
    tool.press(at(-0.2, 0.0))
    tool.move(at(0.1, 0.0))
    assert tool.preview.rubber and "now 300 mm" in tool.preview.label
    tool.press(at(0.1, 0.0))
    type_(tool, "0.6 m")
    assert tool.preview.label.startswith("0.6 m") and tool.wants("enter") and tool.wants(" ")
    assert tool.key("enter") and tool.finished
    assert picture(context).width.value == pytest.approx(1.6) and values(
        picture(context).placement.position
    ) == pytest.approx((0.2, 0.0, 0.0))
    assert context.document.history == (["Open", "Scale sketch to 0.6 m"], 1)
    assert context.selection.current == "picture_1"


def test_the_distance_may_be_typed_before_the_second_click_and_is_of_the_unit_shown(context):
    tool = ScalePictureTool(context, "picture_1")
    tool.press(at(-0.2, 0.0))
    tool.move(at(0.2, 0.0))
    type_(tool, "100")
    tool.key("enter")
    assert (
        picture(context).width.value == pytest.approx(0.2)
        and context.document.undo_label == "Scale sketch to 100 mm"
    )


def test_shift_turns_the_line_level(context):
    tool = ScalePictureTool(context, "picture_1")
    tool.press(at(-0.2, 0.0))
    tool.move(at(0.1, 0.1, shift=True))
    assert "turned by" in tool.preview.label
    tool.press(at(0.1, 0.1, shift=True))
    tool.move(at(0.3, 0.0))
    type_(tool, "1 m")
    tool.key("enter")
    assert picture(context).turn.value == pytest.approx(-math.atan2(0.1, 0.3))


def test_invalid_picture_scale_gives_the_reason(context):
    tool = ScalePictureTool(context, "picture_1")
    tool.press(at(0.5, 0.0))
    assert "beside sketch" in context.message and not tool.preview.marks
    tool.press(at(0.1, 0.0))
    tool.press(at(0.101, 0.0))
    assert "Both points are the same" in context.message
    tool.key("enter")
    assert "Type the true distance" in context.message
    tool.press(at(0.3, 0.0))
    for typed, said in (("12 deg", "length expected"), ("0 mm", "larger than zero"), ("2*L", "L")):
        type_(tool, typed)
        tool.key("enter")
        assert said in context.message and not tool.finished
        assert tool.key("escape") and not tool.finished, "the first Esc takes what was typed"
    tool.key("backspace")
    assert len(tool.preview.marks) == 1
    assert tool.key("escape") and tool.finished
    assert context.document.history == (["Open"], 0) and tool.preview.label == ""


def test_the_picture_vanishes_under_the_tool(context):
    tool = ScalePictureTool(context, "picture_1")
    tool.press(at(0.1, 0.0))
    context.document.commit("Delete sketch", elements.remove(context.document.project, "picture_1"))
    tool.move(at(0.2, 0.0))
    assert tool.finished


def test_the_line_of_sight_counts_and_not_the_work_plane():
    project, id = add_picture(Project(), "/a/sketch.png", "sketch", SIDE, (0.3, 0.1, 0.2), 0.8, 0.5)
    context = ToolContext(Document(project), Selection())
    # a camera far on x that looks along -x: the pixel (x, y) is the point (y, z) of W in mm
    eye = SimpleNamespace(ray=lambda x, y: ((9.0, x / 1000, -y / 1000), (-1.0, 0.0, 0.0)))
    tool = ScalePictureTool(context, id)
    for u in (0.0, 0.2):
        tool.press(Pointer(None, 0.001, x=1000 * u, y=-200.0, eye=eye))
    type_(tool, "100 mm")
    tool.key("enter")
    assert context.document.project.pictures[id].width.value == pytest.approx(0.4)


def unlock(context):
    context.document.commit(
        "unlock", elements.set_attribute(context.document.project, "picture_1", locked=False)
    )


def drag(tool, start, end, **more):
    tool.move(at(*start, element="picture_1"))
    tool.press(at(*start, element="picture_1"))
    tool.move(at(start[0] + 0.01, start[1], element="picture_1"))
    tool.move(at(*end, element="picture_1", **more))


def test_an_unlocked_picture_is_dragged_in_its_plane(context):
    assert not PictureGrip(context).takes(at(0.1, 0.0, element="picture_1")), "a locked one stays"
    unlock(context)
    tool = SelectTool(context)
    drag(tool, (0.1, 0.0), (0.3, 0.1))
    assert values(tool.tentative.pictures["picture_1"].placement.position) == pytest.approx(
        (0.2, 0.0, 0.1)
    )
    tool.release(at(0.3, 0.1, element="picture_1"))
    assert (
        values(picture(context).placement.position) == pytest.approx((0.2, 0.0, 0.1))
        and context.document.undo_label == "Move sketch"
    )
    assert plane_of(picture(context)).normal == pytest.approx(FRONT.normal)


def test_shift_keeps_to_one_direction_and_esc_takes_it_back(context):
    unlock(context)
    tool = SelectTool(context)
    drag(tool, (0.1, 0.0), (0.3, 0.1), shift=True)
    assert values(tool.tentative.pictures["picture_1"].placement.position) == pytest.approx(
        (0.2, 0.0, 0.0)
    )
    assert tool.key("escape") and tool.tentative is None
    tool.release(at(0.3, 0.1, element="picture_1"))
    assert context.document.undo_label == "unlock"
