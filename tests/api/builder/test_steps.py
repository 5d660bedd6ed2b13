"""Steps copied as Python do again what was done, to the last bit."""

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import mechstudio as ms
from mechstudio.application.resources import sample_folder
from mechstudio.builder.scripts.steps import steps
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements, links
from mechstudio.model.project import Group, Mark, Project
from tests.api.builder.test_script import SAMPLES, whole
from tests.strategies import projects


def done(text, before, monkeypatch):
    """The project that the steps of a script lead to."""
    monkeypatch.setattr(ms, "load", lambda path: before)
    space = {"__name__": "script"}
    exec(compile(text, "steps.py", "exec"), space)
    return space["project"]


def known(project):
    return msgspec.structs.replace(project, unread=())


def four_bar():
    return load(sample_folder() / "four_bar.mech").project


def test_a_drawing_from_nothing_is_its_steps(monkeypatch):
    first, _ = links.add_link(Project(), links.FRONT, (0.0, 0.0, 0.0), (0.3, 0.0, 0.0))
    second, _ = links.add_link(first, links.FRONT, (0.3, 0.0, 0.0), (0.3, 0.0, 0.2))
    typed = elements.set_quantity(
        second, next(iter(second.mechanism.bodies)), ("shapes", 0, "dimensions", "length"), "320 mm"
    )
    text = steps(Project(), [("Draw a link", first), ("Draw a link", second), ("Length", typed)])
    assert "m = ms.Builder()" in text and text.count("# Draw a link") == 2
    assert '"shapes.0.dimensions.length", "320 mm"' in text
    assert whole(done(text, Project(), monkeypatch)) == whole(typed)


def test_a_parameter_is_one_line_whatever_follows_from_it(monkeypatch):
    before = four_bar()
    after = elements.set_quantity(before, "L4", ("value",), "350 mm")
    text = steps(before, [("L4 = 350 mm", after)], "four bar.mech")
    assert text.splitlines()[2:6] == [
        'm = ms.Builder.of(ms.load("four bar.mech"))',
        "",
        "# L4 = 350 mm",
        'm.set("L4", "value", "350 mm")',
    ]
    assert whole(done(text, before, monkeypatch)) == whole(after)


def test_steps_of_removal_and_renaming_reproduce_the_project(monkeypatch):
    before = four_bar()
    gone = elements.remove(before, "rocker")
    named = elements.set_attribute(gone, "crank", name="the crank\n# 2", color=5)
    marked = msgspec.structs.replace(named, marks=(Mark("t", "trail", body="coupler"),))
    bare = msgspec.structs.replace(marked, marks=(), plots=())
    labelled = [("Delete rocker", gone), ("Name", named), ("Trail", marked), ("Less", bare)]
    text = steps(before, labelled)
    assert 'm.remove("rocker"' in text and "marks=()" in text
    assert whole(done(text, before, monkeypatch)) == whole(bare)


@pytest.mark.parametrize("name", SAMPLES[::6])
def test_steps_empty_a_sample_and_build_another(name, monkeypatch):
    one, other = load(sample_folder() / f"{name}.mech").project, four_bar()
    text = steps(one, [("Empty", Project()), ("Another", other)])
    assert whole(done(text, one, monkeypatch)) == whole(other)


def test_a_group_that_is_changed(monkeypatch):
    before = msgspec.structs.replace(four_bar(), groups={"g": Group("g", "moving", ("crank",))})
    after = msgspec.structs.replace(
        before, groups={"g": Group("g", "all that moves", ("crank", "coupler"))}
    )
    text = steps(before, [("Group", after)], "four_bar.mech")
    assert whole(done(text, before, monkeypatch)) == whole(after)


@settings(max_examples=5, phases=(Phase.explicit, Phase.generate))
@given(st.lists(projects(), min_size=2, max_size=3))
def test_steps_lead_from_any_project_to_any_other(states):
    before, *after = map(known, states)
    with pytest.MonkeyPatch.context() as patch:
        text = steps(before, [("A step", project) for project in after])
        assert whole(done(text, before, patch)) == whole(after[-1])


def test_numbers_and_words_that_cannot_be_are_refused_in_a_sentence():
    m = ms.Builder.of(four_bar())
    with pytest.raises(ValueError, match="crank has no number masse; it has"):
        m.set("crank", "masse", 1)
    with pytest.raises(ValueError, match="crank, mass:"):
        m.set("crank", "mass", "2 m")
    with pytest.raises(ValueError, match="nothing with the id wheel"):
        m.change("wheel", name="x")
    with pytest.raises(ValueError, match="crank has no weight"):
        m.change("crank", weight=3)
    for words in ({"id": "x"}, {"name": 3}, {"visible": "no"}, {"mass": "heavy"}, {"shapes": 5}):
        with pytest.raises(ValueError, match="cannot be"):
            m.change("crank", **words)
    with pytest.raises(ValueError, match="of ground cannot be changed"):
        m.change("ground", placement=m.mechanism.bodies["crank"].placement)
    with pytest.raises(ValueError, match="Ground cannot be removed"):
        m.remove("ground")
    m.set("crank", "mass", 2)
    assert m.mechanism.bodies["crank"].mass == ms.Builder().body("x", mass=2).body.mass
    m.set("crank", "mass", None)
    assert m.mechanism.bodies["crank"].mass is None
