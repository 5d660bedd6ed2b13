"""A name typed in the middle of a drawing: said to be missing, offered with what the mouse shows, taken by Enter."""

from mechstudio.application.preferences import Preferences
from mechstudio.application.studio import Studio
from mechstudio.application.tools.base import Pointer
from mechstudio.model.parameter_edits import Wanted


def typed(text):
    studio = Studio(Preferences(kept=False))
    studio.bench.take("link")
    tool = studio.bench.tool
    tool.press(Pointer((0.0, 0.0, 0.0), 1e-3, ctrl=True))
    tool.move(Pointer((0.3, 0.0, 0.0), 1e-3, ctrl=True))
    for key in text:
        assert tool.wants(key) and tool.key(key)
    tool.key("enter")
    return studio


def test_an_unknown_name_is_offered_with_the_length_under_the_mouse():
    studio = typed("=L2")
    assert studio.bench.message == "L2 is not a parameter of this project." and studio.bench.wanted == Wanted("L2", "length", "300 mm")
    assert not studio.document.project.mechanism.bodies
    studio.create_wanted()
    project = studio.document.project
    body, = project.mechanism.bodies.values()
    assert project.parameters["L2"].value.text == "300 mm" and body.shapes[0].dimensions["length"].text == "L2"
    assert studio.bench.message == "" and studio.bench.wanted is None


def test_a_formula_makes_the_length_under_the_mouse():
    assert typed("2*L2").bench.wanted == Wanted("L2", "length", "150 mm")


def test_what_is_wrong_otherwise_is_not_offered():
    studio = typed("3 kg")
    assert studio.bench.message == "length expected, got mass" and studio.bench.wanted is None


def test_a_typed_product_is_kept_in_the_unit_it_was_meant_in():
    studio = typed("3*25")
    body, = studio.document.project.mechanism.bodies.values()
    q = body.shapes[0].dimensions["length"]
    assert q.text == "(3*25) mm" and abs(q.value - 0.075) < 1e-15
