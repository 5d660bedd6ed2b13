"""A drawing written as Python is that drawing again, to the last bit."""

import re

import msgspec
import pytest
from hypothesis import given, settings

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.builder.scripts.source import LONGEST_TEXT, Bracket, text
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.model.mechanism import Joint
from tests.approved.test_damages import rich
from tests.strategies import projects

SAMPLES = sorted(path.stem for path in sample_folder().glob("*.mech"))


def made(text):
    """The project that a script makes."""
    space = {"__name__": "script"}
    exec(compile(text, "script.py", "exec"), space)
    return space["project"]


def whole(project):
    return msgspec.json.encode(project)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_comes_back_in_the_builders_words(name):
    project = load(sample_folder() / f"{name}.mech").project
    text = ms.script(project)
    assert whole(made(text)) == whole(project)
    assert not re.search(r"^m\.add\(", text, re.MULTILINE), "words are missing"
    assert max(map(len, text.splitlines())) <= 100


@settings(max_examples=15)
@given(projects())
def test_any_project_comes_back(project):
    # what a newer program wrote cannot be said by this one
    known = msgspec.structs.replace(project, unread=(), extra={})
    text = ms.script(project)
    assert whole(made(text)) == whole(known)
    left = "are left out" in text
    assert left == bool(project.unread or project.extra)


def hinge(**given):
    m = ms.Builder("Hinge")
    door = m.link("door", (0, 0, 0), length="300 mm", angle="20 deg", **given)
    m.pin("A", m.ground, door, at=(0, 0, 0))
    return m


def test_a_script_runs_as_the_project_does(tmp_path, monkeypatch):
    project = hinge().project()
    again = made(ms.script(project))
    assert ms.simulate(again, duration=0.2).digest == ms.simulate(project, duration=0.2).digest


def test_names_that_python_takes_are_no_variables():
    m = ms.Builder('Names """ of \\ all kinds')
    for name in ("class", "m", "ms", "float", "Joint", "2 of it", "é", "match", "project"):
        m.body(name, mass=1, inertia=(1, 1, 1), center_of_mass=(0, 0, 0))
    m.body("quote\"'", note='"""\n\\', mass=1, inertia=(1, 1, 1), center_of_mass=(0, 0, 0))
    assert whole(made(ms.script(m.project()))) == whole(m.project())


def test_text_in_a_drawing_is_never_code():
    m = hinge()
    m.note("door", '"); import os; os.abort(); ("')
    m.plot("'''); raise SystemExit #", "energy/total")
    assert whole(made(ms.script(m.project()))) == whole(m.project())


def test_an_element_that_the_builder_refuses_stands_as_it_is():
    project = hinge().project()
    renamed = elements.set_attribute(project, "door", name="Tür")
    text = ms.script(renamed)
    assert 'id="door"' in text and whole(made(text)) == whole(renamed)
    kept = msgspec.structs.replace(project.mechanism.joints["A"], kept="as it was built")
    m = ms.Builder.of(project)
    m.add(kept)
    text = ms.script(m.project())
    assert "m.add(" in text and "as it was built" in text
    assert whole(made(text)) == whole(m.project())


def test_a_builder_goes_on_from_a_project():
    m = ms.Builder.of(hinge().project())
    wing = m.link("wing", m.bodies["door"].end, length="100 mm", angle="90 deg")
    m.pin("B", m.bodies["door"], wing, at=wing.start)
    assert ms.check(m.project()).structure.mobility == 2
    m.remove(wing)
    assert ms.check(m.project()).structure.mobility == 1 and set(m.joints) == {"A"}
    with pytest.raises(ValueError, match="nothing with the id wing"):
        m.remove(wing)
    with pytest.raises(ValueError, match="A str is no part of a project"):
        m.add("wing")


def test_frames_are_exact_and_take_no_point():
    m = ms.Builder()
    arm = m.link("arm", (0, 0, 0), length="2 m", angle=0)
    hand = m.link("hand", (2, 0, 0), length="1 m", angle=0)
    a = arm.frame("end", angles=(0, 0, "90 deg"))
    joint = m.joint("revolute", "A", a, hand.frame(angles=(0, 0, "90 deg"))).joint
    assert isinstance(joint, Joint) and joint.frame_a.point == "end"
    assert joint.frame_a.placement.orientation[2].text == "90 deg"
    with pytest.raises(ValueError, match="takes no at, axis or x"):
        m.joint("revolute", "B", a, hand.frame(), at=(0, 0, 0))
    with pytest.raises(ValueError, match="or between two frames"):
        m.joint("revolute", "B", a, hand, at=(0, 0, 0))
    with pytest.raises(ValueError, match="arm has no point tip"):
        arm.frame("tip")
    spring = m.force("spring", "S", a=arm.frame(), b=hand.frame(), stiffness=10, free_length=1)
    assert m.mechanism.forces[spring].frame_b.body == "hand"
    with pytest.raises(ValueError, match="takes no at="):
        m.force("force", "F", body=arm.frame(), at=(0, 0, 0), vector=(0, 0, 1))


def test_gravity_start_and_duration_may_follow_from_parameters():
    m = hinge()
    m.parameter("g", "1.62 m/s^2", "acceleration")
    m.parameter("T", "2 s", "time")
    m.run(start="T", duration="3*T")
    m.set("gravity", "2", "-g")
    text = ms.script(m.project())
    assert whole(made(text)) == whole(m.project())
    assert 'm.run(duration="3*T")' in text and '"-g"' in text


def test_only_texts_above_the_greatest_length_are_in_pieces():
    longest = "x " * (LONGEST_TEXT // 2)
    assert text(longest) == f'"{longest}"'
    longer = text(longest + "yz")
    assert isinstance(longer, Bracket) and longer.parts == (f'"{longest}"', '"yz"')


def test_a_project_with_all_that_it_may_have_comes_back(approved):
    project = rich()
    text = ms.script(project)
    assert whole(made(text)) == whole(project)
    approved.holds("script_of_all.py.txt", text)
