"""The point tool: places on bodies and ground, names typed at once, frames, places in space from
any side.
"""

import dataclasses
import math

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.point import PointTool
from mechstudio.application.tools.snapping.places import place
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.links import FRONT
from mechstudio.model.geometry.rotation import rotate, transform
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity as Q
from mechstudio.model.quantity import values
from tests.application.tools.bodies.test_solid_tool import PIXEL, FrontEye, pressed, seen, typed


@pytest.fixture
def context():
    """A box of 200 x 100 x 100 mm about (0.3, 0, 0.1)."""
    project, _ = solids.as_body(
        Project(), solids.box(FRONT, (0.3, 0.0, 0.1), Q(0.2), Q(0.1), Q(0.1))
    )
    document = Document()
    document.commit("box", project)
    return ToolContext(document, Selection(), grid=0.05)


def box(context):
    return context.document.project.mechanism.bodies["box_1"]


def on_front(point, eye, **keys):
    found = seen(
        eye,
        point,
        body="box_1",
        element="box_1",
        surface=(point[0], -0.05, point[2]),
        normal=(0.0, -1.0, 0.0),
        **keys,
    )
    return dataclasses.replace(found, point=(point[0], 0.0, point[2]))


def test_a_point_is_clicked_and_named_in_one_step(context):
    tool, eye = PointTool(context), FrontEye()
    tool.move(on_front((0.34, -0.05, 0.12), eye))
    assert "point P1 · on box 1" in tool.preview.word
    tool.press(on_front((0.34, -0.05, 0.12), eye))
    typed(tool, "hook")
    assert "hook" in tool.preview.label
    typed(tool, "⏎")
    assert [p.name for p in box(context).points] == [
        "hook"
    ] and context.document.undo_label == "Add point hook to box 1"
    # seen along its normal the drawing stays in its plane
    assert transform(box(context).placement.pose, box(context).point("hook")) == pytest.approx(
        (0.34, 0, 0.12), abs=1e-3
    )
    assert len(context.document.history[0]) == 3 and context.selection.current == "box_1"
    pressed(tool, on_front((0.28, -0.05, 0.08), eye))
    tool.key("escape")
    assert tool.finished and [p.name for p in box(context).points] == ["hook", "P1"]
    context.document.undo()
    context.document.undo()
    assert not box(context).points


def test_a_name_that_is_taken_is_refused_and_can_be_mended(context):
    tool, eye = PointTool(context), FrontEye()
    pressed(tool, on_front((0.34, -0.05, 0.12), eye))
    typed(tool, "left⏎")
    assert "already" in context.message and box(context).points[0].name == "P1"
    typed(tool, "2⏎")
    assert box(context).points[0].name == "left2" and context.message == ""


def test_seen_at_an_angle_a_point_lies_on_the_surface(context):
    tool, eye = PointTool(context), FrontEye(rotated=True)
    pressed(tool, on_front((0.34, -0.05, 0.12), eye))
    assert transform(box(context).placement.pose, box(context).point("P1")) == pytest.approx(
        (0.34, -0.05, 0.12)
    )


@pytest.mark.parametrize(
    ("rotated", "near", "word"),
    [
        (False, (0.4, 0.0, 0.1), "right"),
        (True, (0.4, -0.05, 0.15), "right front top"),
        (True, (0.3, -0.05, 0.1), "front"),
    ],
)
def test_points_of_solids_catch_the_pointer_in_space(context, rotated, near, word):
    eye = FrontEye(rotated)
    x, y = eye.pixel_of(near)
    pointer = seen(eye, near, body="box_1")
    found = place(context, type(pointer)(near, pointer.pixel, x=x + 3, y=y - 2, eye=eye))
    assert found.word == f"{word} of box 1" and found.point == pytest.approx(near)


def test_a_point_of_the_ground(context):
    tool = PointTool(context)
    pressed(tool, seen(FrontEye(), (-0.1, 0, 0.2)))
    assert values(context.document.project.mechanism.ground.points[0].position) == pytest.approx(
        (-0.1, 0, 0.2)
    )
    assert context.selection.current == GROUND


def test_tab_makes_frames_along_the_face(context):
    tool, eye = PointTool(context), FrontEye(rotated=True)
    tool.key("tab")
    side = seen(
        eye, (0.4, 0.01, 0.12), body="box_1", surface=(0.4, 0.01, 0.12), normal=(1.0, 0.0, 0.0)
    )
    pressed(tool, side)
    point = box(context).points[0]
    from mechstudio.model.geometry.rotation import from_angles

    assert rotate(from_angles(*values(point.orientation)), (0, 0, 1)) == pytest.approx(
        (1, 0, 0), abs=1e-9
    )
    assert "Add frame P1" in context.document.undo_label and math.isclose(
        values(point.position)[0], 0.1
    )


def test_axes_of_a_frame_are_of_one_length_on_the_screen(context):
    tool, eye = PointTool(context), FrontEye()
    tool.key("tab")
    tool.move(on_front((0.34, -0.05, 0.12), eye))
    axes = [[b - a for a, b in zip(*line)] for line in tool.preview.rubber]
    assert [line[0] for line in tool.preview.rubber] == [tool.preview.marker] * 3
    gram = [[sum(a * b for a, b in zip(p, q)) / (44 * PIXEL) ** 2 for q in axes] for p in axes]
    assert gram == [pytest.approx([float(i == j) for j in range(3)]) for i in range(3)]
