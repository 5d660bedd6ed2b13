"""Steps of a lesson in a file: one line each, kept whole, and refused where their numbers mean
nothing.
"""

import json

import msgspec
import pytest

import mechstudio as ms
from mechstudio.builder.scripts.script import script
from mechstudio.files.project_file import decode, encode, load
from mechstudio.model.edits import elements
from mechstudio.model.project import Camera, Question, Step
from tests.files.format.test_damaged_files import assert_nothing_lost

replace = msgspec.structs.replace
STEP = Step(
    "s1",
    "Where is the dead point?",
    "The rocker stands at {joint/D/0}.",
    "Let them draw first.",
    Camera(distance=2.0),
    parameters={"L1": "130 mm"},
    begin=0.5,
    end=2.0,
    at=0.75,
    plays=True,
    sliders=("L1",),
    plots=("p1",),
    equation="rows",
    terms=("crank",),
    hidden=("rocker",),
    covered=True,
    questions=(
        Question("choose", "Which?", ("one", "two"), "2", because="Right.", hints=("Look.",)),
        Question("predict", "Draw it.", channel="joint/D/0", tolerance=0.1),
        Question("number", "How far?", answer="63 deg", dimension="angle"),
        Question("equation", "Which equation?", answer="x'' = 0"),
    ),
)


@pytest.fixture(scope="module")
def project():
    drawn = load("samples/four_bar.mech").project
    return replace(drawn, steps=(STEP, Step("s2")))


def test_a_step_is_a_line_and_comes_back_whole(project):
    data = encode(project)
    lines = [line for line in data.decode().splitlines() if '"Where is the dead point?"' in line]
    assert len(lines) == 1 and json.loads(lines[0].strip().rstrip(","))["id"] == "s1"
    assert decode(data).project.steps == project.steps and decode(data).findings == ()
    assert_nothing_lost(data)


@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ({"begin": 3.0, "end": 2.0}, "from a later instant to an earlier one"),
        ({"at": 1e300}, "out of all bounds"),
        ({"camera": {"distance": -1}}, "out of all bounds"),
        ({"questions": [{"type": "essay"}]}, "type"),
    ],
)
def test_a_step_that_means_nothing_is_kept_and_reported(project, changed, part):
    document = json.loads(encode(project))
    document["steps"][0] |= changed
    loaded = decode(json.dumps(document).encode())
    assert [s.id for s in loaded.project.steps] == ["s2"]
    assert any(part in f.message for f in loaded.findings), loaded.findings
    assert json.loads(encode(loaded.project))["steps"][0]["id"] == "s1"


def test_a_step_follows_the_name_of_a_parameter(project):
    renamed = elements.rename_parameter(project, "L1", "crank_length")
    assert renamed.steps[0].parameters == {"crank_length": "130 mm"}
    assert renamed.steps[0].sliders == ("crank_length",) and renamed.steps[1] is project.steps[1]


def test_a_script_builds_the_steps_again(project):
    names: dict = {"__name__": "script"}
    exec(script(project), names)
    assert names["project"].steps == project.steps
    assert ms.check(names["project"]).structure.mobility == 1


def test_a_builder_has_words_for_steps_and_questions():
    m = ms.Builder("Nothing")
    with pytest.raises(ValueError, match=r"call m\.step first"):
        m.ask("choose", "Which?")
    assert m.step("One", "Text", at=1, sliders=("L1",)) == "step1"
    m.ask("choose", "Which?", choices=("a", "b"), answer="2")
    assert m.step("Two") == "step2"
    with pytest.raises(ValueError, match="no question essay"):
        m.ask("essay", "Why?")
    one, two = m.project().steps
    assert one.at == 1.0 and one.questions[0].answer == "2" and two.questions == ()
