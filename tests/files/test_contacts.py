"""Contacts in a file and by script: surfaces of pairs and bodies that touch nothing come back as
they were; a file without them is as before.
"""

import json as jsonlib

import msgspec
import pytest

from mechstudio.builder import Builder
from mechstudio.builder.scripts.script import script
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.contact import Surface
from mechstudio.model.edits import contacts
from mechstudio.model.mechanism import GROUND


def built():
    b = Builder("pair")
    a, c = b.body("a"), b.body("c")
    for body in (a, c):
        body.box(0.1, 0.1, 0.1)
    b.floor()
    b.pair(a, c, True, "ice", restitution=0.5)
    b.untouchable(c)
    return b


def test_pairs_and_untouchable_bodies_stand_in_the_file():
    project = built().project()
    (pair,) = project.mechanism.contacts.pairs
    assert (
        pair.touch
        and pair.surface == Surface("ice", restitution=pair.surface.restitution)
        and pair.surface.number("restitution") == 0.5
    )
    data = encode(project)
    loaded = decode(data if isinstance(data, bytes) else data.encode())
    assert loaded.findings == () and loaded.project == project
    assert [b.touches for b in loaded.project.mechanism.bodies.values()] == [True, False]


def test_the_adhesion_of_a_pair_and_of_a_floor_stand_in_the_file_and_the_script():
    b = built()
    a, c = b.bodies["a"], b.bodies["c"]
    b.pair(a, c, True, adhesion="3 N")
    b.floor(adhesion="0.2 kN")
    project = b.project()
    assert project.mechanism.contacts.pairs[0].surface.number("adhesion") == 3.0
    assert project.mechanism.contacts.floor.surface.number("adhesion") == 200.0
    data = encode(project)
    assert decode(data if isinstance(data, bytes) else data.encode()).project == project
    text = script(project)
    assert 'adhesion="3 N"' in text and 'adhesion="0.2 kN"' in text


@pytest.mark.parametrize("pull", ["-1 N", -1e-12, float("inf"), "1e10 N", "2 kg"])
def test_a_pull_that_is_none_is_refused_in_words(pull):
    b = built()
    with pytest.raises(ValueError, match=r"(?i)adhesion"):
        b.surface(b.bodies["a"], adhesion=pull)


def test_a_pull_below_zero_in_a_file_is_reported():
    b = built()
    b.floor(adhesion="3 N")
    text = jsonlib.dumps(jsonlib.loads(encode(b.project()))).replace('"3 N"', '"-3 N"')
    findings = decode(text.encode()).findings
    assert any("Adhesion" in f.message for f in findings), findings


def test_a_pair_of_which_nothing_is_left_to_say_goes():
    """Edits of a pair keep its place, its surface and its switch apart, and write nothing that is
    so without a word.
    """
    project = built().project()
    a, c = project.mechanism.bodies
    said = contacts.set_pair(project, a, c, False)
    assert contacts.pair_surface(said.mechanism, a, c).type == "ice" and not contacts.touches(
        said.mechanism, a, c
    )
    plain = contacts.set_pair_surface(contacts.set_pair(said, a, c, True), a, c, "")
    assert plain.mechanism.contacts.pairs == ()
    other = contacts.set_pair_surface(plain, a, GROUND, "rubber")
    assert contacts.pair_surface(other.mechanism, GROUND, a).type == "rubber" and contacts.touches(
        other.mechanism, a, GROUND
    )
    assert msgspec.structs.replace(other.mechanism.contacts, pairs=()) == plain.mechanism.contacts


def changed(edit):
    """Findings of loading a file that was edited by hand: the findings as one text, and the
    project.
    """
    json = jsonlib.loads(encode(built().project()))
    edit(json)
    loaded = decode(jsonlib.dumps(json).encode())
    return " ".join(f.message for f in loaded.findings), loaded.project


def test_misspelt_entries_of_surfaces_floor_and_settings_are_reported():
    """Else the preset's number would count without a word."""
    said, project = changed(
        lambda j: j["bodies"][0].update(surface={"type": "jelly", "fricton": 0.2})
    )
    assert (
        'type "jelly"' in said
        and "fricton" in said
        and project.mechanism.bodies["a"].surface.type == "plain"
    )
    assert b"jelly" in encode(project) and b"fricton" in encode(project)
    assert "hight" in changed(lambda j: j["contacts"]["floor"].update(hight=1))[0]
    assert "fricton" in changed(lambda j: j["contacts"]["pairs"][0]["surface"].update(fricton=1))[0]
    assert (
        'method "magic"'
        in changed(lambda j: j.setdefault("settings", {}).update(contacts={"method": "magic"}))[0]
    )


def test_invalid_pairs_are_reported_and_left_out():
    pair = {"body_a": "a", "body_b": "c", "touch": False}
    said, project = changed(
        lambda j: j["contacts"].update(
            pairs=[
                {"body_a": "nobody", "body_b": "a"},
                {"body_a": "a", "body_b": "a"},
                {**pair, "touch": True},
                {**pair, "body_a": "c", "body_b": "a"},
            ]
        )
    )
    assert (
        "nobody and a, but not both are there" in said
        and "which are one body" in said
        and "the last counts" in said
    )
    (kept,) = project.mechanism.contacts.pairs
    assert not kept.touch and contacts.touches(project.mechanism, "a", "c") is False
    # what was said of a body that cannot be used stays in the file, with the body
    said, project = changed(lambda j: j["bodies"][0].update(surface={"friction": -1}))
    assert (
        "Friction must not be negative" in said
        and len(project.mechanism.contacts.pairs) == 1
        and b'"ice"' in encode(project)
    )


def test_last_call_on_a_pair_counts_and_one_body_is_no_pair():
    b = Builder("words")
    a, c = b.body("a"), b.body("c")
    b.pair(a, c, True, "ice")
    b.pair(c, a, False)
    (pair,) = b.project().mechanism.contacts.pairs
    assert not pair.touch and pair.surface is None
    with pytest.raises(ValueError, match="no pair with itself"):
        b.pair(a, a, True)
