"""Two projects compared in sentences."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.files.comparison import ADDED, CHANGED, REMOVED, differences
from mechstudio.files.project_file import load
from mechstudio.model import fields
from mechstudio.model.edits import elements, links
from mechstudio.model.project import Mark, Project
from mechstudio.model.quantity import Quantity
from tests.strategies import projects

_replace = msgspec.structs.replace


@pytest.fixture(scope="module")
def four_bar():
    return load("samples/four_bar.mech").project


def sentences(before, after):
    return [d.sentence for d in differences(before, after)]


def test_each_change_has_its_sentence_in_the_order_of_the_drawing(four_bar):
    after = elements.set_quantity(four_bar, "L4", ("value",), "350 mm")
    after = elements.set_quantity(after, "crank", ("mass",), "2 kg")
    after = elements.set_attribute(after, "coupler", name="rod", color=5)
    after = elements.set_attribute(after, "A", type="cylindrical")
    after = elements.set_quantity(after, "settings", ("duration",), "8 s")
    after, _ = links.add_link(after, links.FRONT, (0.0, 0.0, 0.0), (0.1, 0.0, 0.0))
    after = _replace(after, marks=(Mark("t1", "trail", body="coupler", point="P"),))
    assert sentences(four_bar, after) == [
        "Parameter L4: Value 340 mm → 350 mm.",
        "Body crank: Mass – → 2 kg.",
        "Body coupler: Name coupler → rod, changed color.",
        "Body link 1 is new.",
        "Joint A: Type Revolute → Cylindrical, Initial angle rate omega → –.",
        "Mark t1 is new.",
        "Settings: Duration 6 s → 8 s.",
    ]
    back = differences(after, four_bar)
    assert {d.kind for d in back} == {CHANGED, REMOVED}
    assert "Body link 1 is gone." in [d.sentence for d in back]
    assert [d.id for d in differences(Project(), four_bar) if d.kind == ADDED][-7:] == [
        *("plot_1", "plot_2", "plot_3"),
        *("step1", "step2", "step3", "step4"),
    ]


def test_drawn_numbers_are_listed_in_units(four_bar):
    after = elements.put_element(
        four_bar,
        "coupler",
        fields.write(
            four_bar.mechanism.bodies["coupler"],
            ("placement", "position", 0),
            Quantity(-0.0651234),
        ),
    )
    assert sentences(four_bar, after) == ["Body coupler: Position X −65 mm → −65.1234 mm."]


def test_a_value_that_its_text_does_not_give_is_reported(four_bar):
    parameter = _replace(four_bar.parameters["L1"], value=Quantity(0.131, "130 mm"))
    after = _replace(four_bar, parameters={**four_bar.parameters, "L1": parameter})
    assert sentences(four_bar, after) == ["Values differ whose texts are the same."]


@pytest.mark.slow
@settings(max_examples=15)
@given(projects(), st.randoms(use_true_random=False))
def test_every_difference_is_listed(project, random):
    assert differences(project, project) == []
    owner = random.choice((project, project.mechanism))
    names = [f.name for f in msgspec.structs.fields(owner) if f.name != "mechanism"]
    name = random.choice(names)
    usual = getattr(type(owner)(), name)
    changed = _replace(owner, **{name: usual})
    other = changed if owner is project else _replace(project, mechanism=changed)
    found = differences(project, other)
    assert bool(found) == (project != other)
    assert all(d.sentence.endswith(".") and "None" not in d.sentence for d in found)


@pytest.mark.slow
@settings(max_examples=6)
@given(projects(), projects())
def test_any_two_projects_can_be_compared(one, other):
    assert bool(differences(one, other)) == (one != other)
