"""Parts as text: written, read back, and whatever a clipboard may hold instead."""

import json
import random
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mechstudio.files import fragment
from mechstudio.files.fragment import FragmentError
from mechstudio.files.project_file import encode, load
from mechstudio.model.edits.clipboard import SECTIONS, needed, part_of, put_in
from mechstudio.model.edits.groups import with_group
from mechstudio.model.edits.links import FRONT
from mechstudio.model.edits.pictures import add_picture
from mechstudio.model.project import Project
from tests.strategies import projects

SAMPLES = sorted((Path(__file__).parents[2] / "samples").glob("*.mech"))
FOUR_BAR = load(next(p for p in SAMPLES if p.stem == "four_bar")).project
TEXT = fragment.write(FOUR_BAR, list(FOUR_BAR.mechanism.bodies)[:2])


def ids(project):
    return [id for s in SECTIONS for id in getattr(project.mechanism, s)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_copied_fragment_reads_back_unchanged(path):
    project, dice = load(path).project, random.Random(path.stem)
    for _ in range(3):
        chosen = dice.sample(ids(project), dice.randint(1, min(4, len(ids(project)))))
        found = fragment.read(fragment.write(project, chosen))
        assert not found.findings and not found.whole
        assert found.project == part_of(project, needed(project.mechanism, chosen))
        assert set(chosen) <= set(ids(found.project))


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects(), st.randoms(use_true_random=False))
def test_any_project(project, dice):
    """Whatever a project holds, its parts go through a text and into another project without a
    finding.
    """
    known = ids(project)
    if not known:
        return
    chosen = dice.sample(known, dice.randint(1, len(known)))
    found = fragment.read(fragment.write(project, chosen)).project
    assert found == part_of(project, needed(project.mechanism, chosen))
    after, new = put_in(Project(), found)
    assert len(new) == len(ids(found)) + len(found.groups)
    assert ids(after) == [new[id] for id in ids(found)]


def test_a_group_goes_with_its_bodies():
    project, id = with_group(FOUR_BAR, list(FOUR_BAR.mechanism.bodies)[:2])
    assert (
        fragment.read(fragment.write(project, list(FOUR_BAR.mechanism.bodies)[:2])).project.groups
        == project.groups
    )
    assert id in project.groups


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "  \n{}\n\n",
        '"{}"',
        "“{}”",
        "```json\n{}\n```",
        "Here it is:\n\n{}\n\nHave fun, J.",
        "It is {}.",
        "\ufeff{}",
    ],
)
def test_fragment_is_read_from_surrounding_text(around):
    assert fragment.read(around.replace("{}", TEXT)).project == fragment.read(TEXT).project
    # nor need anything stand between the text and what is around it
    close = around.replace("{}", TEXT.strip())
    assert fragment.read(close).project == fragment.read(TEXT).project


def test_quoted_lines_and_curly_quotes_are_read():
    assert (
        fragment.read("\n".join("> " + line for line in TEXT.split("\n"))).project
        == fragment.read(TEXT).project
    )
    curly = "".join(
        ("“" if k % 2 else "”") + piece if k else piece for k, piece in enumerate(TEXT.split('"'))
    )
    assert fragment.read(curly).project == fragment.read(TEXT).project
    assert fragment.read(TEXT.replace(" ", "\u00a0")).project == fragment.read(TEXT).project


def test_a_whole_file_is_distinguished():
    found = fragment.read(encode(FOUR_BAR).decode())
    assert found.whole and found.project == FOUR_BAR


def test_a_part_is_a_file(tmp_path):
    (tmp_path / "part.mech").write_text(TEXT, "utf-8")
    assert ids(load(tmp_path / "part.mech").project) == ids(fragment.read(TEXT).project)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("hello", "holds no part of a mechanism"),
        ("https://example.org/mechstudio", "holds no part of a mechanism"),
        ('{"a": 1}', "holds no part of a mechanism"),
        ("[1, 2, 3]", "holds no part of a mechanism"),
        ('{"mechstudio": 1}', "holds no body, joint or force"),
        ('{"mechstudio": "x", "bodies": []}', "damaged"),
        (TEXT[: len(TEXT) // 2], "damaged"),
        (TEXT.replace('"id"', '"id', 1), "damaged"),
        ("x" * (fragment.LONGEST + 1), "too much for a paste"),
    ],
)
def test_damaged_and_foreign_texts_give_one_sentence(text, word):
    with pytest.raises(FragmentError, match=word) as caught:
        fragment.read(text)
    said = str(caught.value)
    assert (
        said[0].isupper()
        and said.endswith((".", "first."))
        and "\n" not in said
        and len(said) < 300
    )


def test_unusable_elements_of_a_fragment_are_named_and_the_rest_is_read():
    document = json.loads(TEXT)
    document["bodies"].append({"id": "odd", "shapes": [{"type": "of the future"}]})
    found = fragment.read(json.dumps(document))
    assert ids(found.project) == ids(fragment.read(TEXT).project)
    assert any("odd" in f.message for f in found.findings)


def test_a_parameter_that_did_not_come_along_leaves_its_number():
    document = json.loads(encode(FOUR_BAR))
    lost = document.pop("parameters")
    found = fragment.read(json.dumps(document))
    crank = found.project.mechanism.bodies["crank"].shapes[0].dimensions["length"]
    assert (
        crank.text == ""
        and crank.value == FOUR_BAR.mechanism.bodies["crank"].shapes[0].dimensions["length"].value
    )
    assert lost and any("has no value here" in f.message for f in found.findings)
    put_in(FOUR_BAR, msgspec.structs.replace(found.project))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_attacked_texts_never_raise_anything_else(data):
    """Cut, doubled, exchanged and strewn with odd characters: a part, or a sentence."""
    text = TEXT
    for _ in range(data.draw(st.integers(1, 4))):
        a = data.draw(st.integers(0, len(text)))
        b = min(len(text), a + data.draw(st.integers(0, 40)))
        way = data.draw(st.sampled_from(("cut", "double", "put", "swap")))
        piece = data.draw(
            st.text(max_size=5)
            | st.sampled_from(('"', "{", "}", "null", "NaN", "1e999", "[", "ground", "-1", "L1"))
        )
        text = {
            "cut": text[:a] + text[b:],
            "double": text[:b] + text[a:b] + text[b:],
            "put": text[:a] + piece + text[a:],
            "swap": text[:a] + piece + text[b:],
        }[way]
    try:
        found = fragment.read(text).project
    except FragmentError as error:
        assert "\n" not in str(error)
        return
    part = part_of(found, [*ids(found), *found.parameters])
    put_in(FOUR_BAR, part)


def test_a_whole_file_is_pasted_without_the_pictures_that_lie_beside_it():
    far, _ = add_picture(
        FOUR_BAR, str(Path("far.png").absolute()), "far", FRONT, (0.0, 0.0, 0.0), 1.0, 1.0
    )
    both, id = add_picture(far, "sketch.png", "sketch", FRONT, (0.0, 0.0, 0.0), 1.0, 1.0)
    found = fragment.read(encode(both).decode("utf-8"))
    assert found.whole and found.project.pictures == far.pictures
    assert [f.element for f in found.findings] == [id] and "sketch was left out" in found.findings[
        0
    ].message
