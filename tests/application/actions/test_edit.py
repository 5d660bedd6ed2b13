"""Arranging without a window: random sequences on every sample undo to the byte-identical file;
names, groups and pasting as the user meets them.
"""

import random

import pytest

from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.studio import Studio
from mechstudio.files.project_file import decode, encode
from mechstudio.model import fields
from mechstudio.model.edits.clipboard import SECTIONS
from mechstudio.model.laws import evaluation

SAMPLES = sorted(sample_folder().glob("*.mech"))


@pytest.fixture
def studio():
    studio = Studio(Preferences(kept=False))
    yield studio
    studio.close()


def opened(studio, name):
    assert studio.open(sample_folder() / f"{name}.mech", as_copy=True)
    return studio


def everything(studio):
    return [id for s in SECTIONS for id in getattr(studio.document.project.mechanism, s)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_any_sequence_undoes_to_the_byte_identical_file(studio, path):
    assert studio.open(path, as_copy=True)
    dice, start = random.Random(path.stem), encode(studio.document.project)
    clipboard = ""

    def copy():
        nonlocal clipboard
        clipboard = studio.copied_text() if studio.can_copy else clipboard

    acts = (
        studio.duplicate,
        studio.group,
        studio.ungroup,
        copy,
        lambda: studio.paste(clipboard),
        lambda: studio.flip("across"),
        lambda: studio.flip("along"),
        studio.isolate,
        studio.show_all,
        lambda: studio.delete("Cut"),
        lambda: studio.chosen and studio.show_or_hide(*studio.chosen),
        lambda: (
            studio.selection.current
            and studio.rename(studio.selection.current, f"name {dice.randint(0, 5)}")
        ),
        studio.select_connected,
        studio.select_inverse,
        studio.select_alike,
        lambda: studio.set_note(studio.selection.current, "n") if studio.chosen else None,
    )
    for _ in range(25):
        known = everything(studio)
        if known and dice.random() < 0.8:
            studio.selection.select(*dice.sample(known, min(len(known), dice.randint(1, 3))))
        if len(known) < 60:
            dice.choice(acts)()
        project = studio.document.project
        assert all(
            set(g.members) <= project.mechanism.bodies.keys() and g.members
            for g in project.groups.values()
        )
        assert {id for id in studio.selection.selected} <= studio.known()
    end = encode(studio.document.project)
    assert decode(end).project == studio.document.project and not [
        f for f in decode(end).findings if f.severity == "error"
    ]
    while studio.document.undo_label:
        studio.undo()
    assert encode(studio.document.project) == start
    while studio.document.redo_label:
        studio.redo()
    assert encode(studio.document.project) == end


def test_a_joint_called_otherwise_is_called_so_in_laws(studio):
    opened(studio, "door_two_hinges")
    force = studio.document.project.mechanism.forces["closer"]
    name, joint = next(
        (n, v.joint)
        for n, v in evaluation.coordinate_variables(studio.document.project.mechanism).items()
        if v.joint == force.joint
    )
    studio.follow("closer", "stiffness")
    assert (
        studio.set_law_text("closer", ("laws", "stiffness"), f"20 N*m/rad*(2 + cos({name}))") == ""
    )
    assert studio.rename(joint, "Ω") == ""
    text = " ".join(
        law.text for law in studio.document.project.mechanism.forces[force.id].laws.values()
    )
    assert "Ω" in text and name not in evaluation.names(text)
    other = next(j for j in studio.document.project.mechanism.joints if j != joint)
    assert studio.rename(other, "Ω") == "There is a joint Ω already: call this one otherwise."


@pytest.mark.parametrize(
    "id, name, word",
    [
        ("crank", "rocker", "There is a body rocker already"),
        ("crank", "ground", "what the fixed body is called"),
        ("L1", "L2", "already the name of something else"),
        ("L1", "2 x", "cannot be a parameter's name"),
        ("A", "B", "There is a joint B already"),
    ],
)
def test_taken_and_impossible_names_are_refused_in_a_sentence(studio, id, name, word):
    opened(studio, "four_bar")
    before = studio.document.project
    assert word in studio.rename(id, name) and studio.document.project is before


def test_a_parameter_keeps_selected_under_its_new_name(studio):
    opened(studio, "four_bar")
    studio.selection.select("L1")
    assert studio.rename("L1", "a1") == "" and studio.selection.selected == ("a1",)
    assert any(
        q is not None and q.text == "a1"
        for e_id, e in fields.elements(studio.document.project)
        for f in fields.fields(e, e_id, studio.document.project.mechanism)
        if (q := fields.read(e, f.path))
    )


def test_groups_need_two_bodies_and_are_taken_out_of_others(studio):
    opened(studio, "four_bar")
    studio.selection.select("crank", "A")
    assert not studio.can_group
    studio.group()
    assert studio.messages[-1].text.startswith("A group is made of two bodies or more")
    studio.selection.select("crank", "coupler")
    studio.group()
    studio.selection.select("coupler", "rocker")
    studio.group()
    assert [(g.name, g.members) for g in studio.document.project.groups.values()] == [
        ("group 1", ("crank",)),
        ("group 2", ("coupler", "rocker")),
    ]
    assert not studio.can_group and studio.chosen_group.name == "group 2"


def test_pasting_beside_itself_and_with_other_parameters(studio):
    opened(studio, "four_bar")
    studio.selection.select("crank")
    text = studio.copied_text()
    studio.set_parameter("L1", "150 mm", "L1")
    assert studio.paste(text)
    project = studio.document.project
    copy = project.mechanism.bodies[studio.selection.current]
    assert project.parameters["L1_2"].value.text == "130 mm"
    assert (
        copy.shapes[0].dimensions["length"].text == "L1_2"
        and project.mechanism.bodies["crank"].shapes[0].dimensions["length"].text == "L1"
    )
    assert studio.messages[-1].text.startswith("L1 is called L1_2 here")
    assert copy.placement.pose[0] != project.mechanism.bodies["crank"].placement.pose[0], (
        "not upon the original"
    )
    assert studio.paste(text) and "L1_3" not in studio.document.project.parameters, (
        "what came along once is shared the second time"
    )
