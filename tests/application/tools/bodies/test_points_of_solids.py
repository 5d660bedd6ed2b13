"""Corners, ends and middles of solids catch the pointer, and joints that are drawn there go with
them.
"""

import pytest

from mechstudio.application.document import Document
from mechstudio.application.selection import Selection
from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.snapping.snap import snap
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits import elements
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import FRONT
from mechstudio.model.project import Project
from tests.application.tools.bodies.test_link_tool import at, click


@pytest.fixture
def context():
    """A box of 200 x 100 x 100 mm about (0.3, 0, 0.1) in an empty drawing."""
    project, _ = add_body(Project(), FRONT, (0.3, 0.0, 0.1), new_shape("box", 0.2))
    document = Document()
    document.commit("box", project)
    return ToolContext(document, Selection(), grid=0.05)


@pytest.mark.parametrize(
    ("point", "word"),
    [
        ((0.4, 0.1), "right of box 1"),
        ((0.3, 0.15), "top of box 1"),
        ((0.2, 0.05), "left back bottom of box 1"),
        ((0.3, 0.1), "origin of box 1"),
    ],
)
def test_points_of_a_box_catch_the_pointer(context, point, word):
    pointer = at(point[0] + 0.002, point[1] - 0.003)
    found = snap(context.document.project, FRONT, 0.037, pointer)
    assert (found.point[0], found.point[2]) == pytest.approx(point) and found.body == "box_1"
    assert found.word == word or {found.word, word} == {
        "left back bottom of box 1",
        "left front bottom of box 1",
    }


def test_a_joint_drawn_at_a_side_of_a_box_goes_with_it(context):
    tool = JointTool(context)
    click(tool, 0.4, 0.1, body="box_1", element="box_1")
    joint = next(iter(context.document.project.mechanism.joints.values()))
    assert joint.frame_b.point == "right"
    longer = elements.set_quantity(
        context.document.project, "box_1", ("shapes", 0, "dimensions", "length"), "300 mm"
    ).mechanism
    assert longer.frame_in_world(longer.joints[joint.id].frame_b)[0] == pytest.approx(
        (0.45, 0.0, 0.1)
    )
