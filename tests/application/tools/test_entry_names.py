"""A name typed in the middle of a drawing: said to be missing, offered with what the mouse shows,
taken by Enter.
"""

import pytest

from mechstudio.application.actions.edits import parameters
from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.edits.bodies.shapes import add_body, new_shape
from mechstudio.model.edits.links import FRONT
from mechstudio.model.edits.parameters import Requested
from tests.application.tools.handles.test_gizmo import AXES, position, start, towards


def typed(text):
    studio = Studio(Preferences(kept=False))
    studio.tools.take("link")
    tool = studio.tools.tool
    tool.press(Pointer((0.0, 0.0, 0.0), 1e-3, ctrl=True))
    tool.move(Pointer((0.3, 0.0, 0.0), 1e-3, ctrl=True))
    for key in text:
        assert tool.wants(key) and tool.key(key)
    tool.key("enter")
    return studio


def test_an_unknown_name_is_offered_with_the_length_under_the_mouse():
    studio = typed("=L2")
    assert (
        studio.tools.message == "L2 is not a parameter of this project."
        and studio.tools.requested == Requested("L2", "length", "300 mm")
    )
    assert not studio.document.project.mechanism.bodies
    parameters.create_requested(studio)
    project = studio.document.project
    (body,) = project.mechanism.bodies.values()
    assert (
        project.parameters["L2"].value.text == "300 mm"
        and body.shapes[0].dimensions["length"].text == "L2"
    )
    assert studio.tools.message == "" and studio.tools.requested is None


def test_a_formula_makes_the_length_under_the_mouse():
    assert typed("2*L2").tools.requested == Requested("L2", "length", "150 mm")


def test_value_of_another_dimension_offers_no_parameter():
    studio = typed("3 kg")
    assert studio.tools.message == "length expected, got mass" and studio.tools.requested is None


def test_a_typed_product_is_kept_in_the_unit_it_was_meant_in():
    studio = typed("3*25")
    (body,) = studio.document.project.mechanism.bodies.values()
    q = body.shapes[0].dimensions["length"]
    assert q.text == "(3*25) mm" and abs(q.value - 0.075) < 1e-15


def test_new_parameter_in_a_drag_gets_the_displacement_so_far():
    studio = Studio(Preferences(kept=False))
    project, _ = add_body(studio.document.project, FRONT, (0.1, 0.0, 0.2), new_shape("box", 0.04))
    studio.document.commit("Box", project)
    context = studio.tools.context
    tool, eye, x, y = start(context, "move along X")
    studio.tools.tool = tool
    before = position(context)[0]
    dx, dy = towards(eye, AXES["X"], 0.12)
    tool.move(eye.pointer(x + dx, y + dy))
    for key in "=gap":
        assert tool.key(key)
    tool.key("enter")
    assert studio.tools.requested == Requested("gap", "length", "120 mm") and tool.dragging
    parameters.create_requested(studio)
    assert (
        position(context)[0] - before == pytest.approx(0.12)
        and "gap" in studio.document.project.parameters
    )
    assert studio.document.history[0][-2] == "Create gap = 120 mm"
