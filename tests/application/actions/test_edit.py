"""Arranging without a window: random sequences on every sample undo to the byte-identical file;
names, groups and pasting as the user meets them.
"""

import random
from functools import partial

import pytest

from mechstudio.application.actions import choice, edit, select
from mechstudio.application.actions.conditions import needs_copyable, needs_new_group
from mechstudio.application.actions.edits import clipboard as clipboard_actions
from mechstudio.application.actions.edits import laws, naming, parameters
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
    assert studio.files.open(sample_folder() / f"{name}.mech", as_copy=True)
    return studio


def everything(studio):
    return [id for s in SECTIONS for id in getattr(studio.document.project.mechanism, s)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.thinned(3)
def test_any_sequence_undoes_to_the_byte_identical_file(studio, path):
    assert studio.files.open(path, as_copy=True)
    dice, start = random.Random(path.stem), encode(studio.document.project)
    clipboard = ""

    def copy():
        nonlocal clipboard
        clipboard = (
            clipboard_actions.copied_text(studio) if not needs_copyable(studio) else clipboard
        )

    acts = (
        partial(edit.duplicate, studio),
        partial(edit.group, studio),
        partial(edit.ungroup, studio),
        copy,
        lambda: clipboard_actions.paste(studio, clipboard),
        lambda: edit.flip_across(studio),
        lambda: edit.flip_along(studio),
        partial(edit.isolate, studio),
        partial(edit.show_all, studio),
        lambda: edit.remove(studio, "Cut"),
        lambda: choice.elements(studio) and edit.show_or_hide(studio, *choice.elements(studio)),
        lambda: (
            studio.selection.current
            and naming.rename(studio, studio.selection.current, f"name {dice.randint(0, 5)}")
        ),
        partial(select.select_connected, studio),
        partial(select.select_inverse, studio),
        partial(select.select_alike, studio),
        lambda: (
            naming.set_note(studio, studio.selection.current, "n")
            if choice.elements(studio)
            else None
        ),
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
        assert {id for id in studio.selection.selected} <= studio.document.known()
    end = encode(studio.document.project)
    assert decode(end).project == studio.document.project and not [
        f for f in decode(end).findings if f.severity == "error"
    ]
    while studio.document.undo_label:
        edit.undo(studio)
    assert encode(studio.document.project) == start
    while studio.document.redo_label:
        edit.redo(studio)
    assert encode(studio.document.project) == end


def test_a_joint_called_otherwise_is_called_so_in_laws(studio):
    opened(studio, "door_two_hinges")
    force = studio.document.project.mechanism.forces["closer"]
    name, joint = next(
        (n, v.joint)
        for n, v in evaluation.coordinate_variables(studio.document.project.mechanism).items()
        if v.joint == force.joint
    )
    laws.follow(studio, "closer", "stiffness")
    assert (
        laws.set_law_text(studio, "closer", ("laws", "stiffness"), f"20 N*m/rad*(2 + cos({name}))")
        == ""
    )
    assert naming.rename(studio, joint, "Ω") == ""
    text = " ".join(
        law.text for law in studio.document.project.mechanism.forces[force.id].laws.values()
    )
    assert "Ω" in text and name not in evaluation.names(text)
    other = next(j for j in studio.document.project.mechanism.joints if j != joint)
    assert (
        naming.rename(studio, other, "Ω") == "There is a joint Ω already: call this one otherwise."
    )


@pytest.mark.parametrize(
    ("id", "name", "word"),
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
    assert word in naming.rename(studio, id, name) and studio.document.project is before


def test_a_parameter_keeps_selected_under_its_new_name(studio):
    opened(studio, "four_bar")
    studio.selection.select("L1")
    assert naming.rename(studio, "L1", "a1") == "" and studio.selection.selected == ("a1",)
    assert any(
        q is not None and q.text == "a1"
        for e_id, e in fields.elements(studio.document.project)
        for f in fields.fields(e, e_id, studio.document.project.mechanism)
        if (q := fields.read(e, f.path))
    )


def test_groups_need_two_bodies_and_are_taken_out_of_others(studio):
    opened(studio, "four_bar")
    studio.selection.select("crank", "A")
    assert needs_new_group(studio)
    edit.group(studio)
    assert studio.notifications.messages[-1].text.startswith(
        "A group is made of two bodies or more"
    )
    studio.selection.select("crank", "coupler")
    edit.group(studio)
    studio.selection.select("coupler", "rocker")
    edit.group(studio)
    assert [(g.name, g.members) for g in studio.document.project.groups.values()] == [
        ("group 1", ("crank",)),
        ("group 2", ("coupler", "rocker")),
    ]
    assert needs_new_group(studio) and choice.group(studio).name == "group 2"


def test_pasting_beside_itself_and_with_other_parameters(studio):
    opened(studio, "four_bar")
    studio.selection.select("crank")
    text = clipboard_actions.copied_text(studio)
    parameters.set_parameter(studio, "L1", "150 mm", "L1")
    assert clipboard_actions.paste(studio, text)
    project = studio.document.project
    copy = project.mechanism.bodies[studio.selection.current]
    assert project.parameters["L1_2"].value.text == "130 mm"
    assert (
        copy.shapes[0].dimensions["length"].text == "L1_2"
        and project.mechanism.bodies["crank"].shapes[0].dimensions["length"].text == "L1"
    )
    assert studio.notifications.messages[-1].text.startswith("L1 is called L1_2 here")
    assert copy.placement.pose[0] != project.mechanism.bodies["crank"].placement.pose[0], (
        "not upon the original"
    )
    assert (
        clipboard_actions.paste(studio, text) and "L1_3" not in studio.document.project.parameters
    ), "what came along once is shared the second time"
