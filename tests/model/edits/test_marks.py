"""Marks of the scene in the drawing and in its file: they go with what they stand on, come back by
the file, and nothing of an older or newer file is lost.
"""

import json

import pytest

from mechstudio.application.resources import sample_folder
from mechstudio.files.project_file import decode, encode, load
from mechstudio.model.edits import elements
from mechstudio.model.edits.bodies.points import add_point, remove_point, rename_point
from mechstudio.model.edits.marks import Place, found, of_type, toggled, with_attributes, with_marks


@pytest.fixture
def project():
    project, name = add_point(
        load(sample_folder() / "four_bar.mech").project, "coupler", (0.1, 0.0, 0.2), "E"
    )
    assert name == "E"
    return project


def test_a_mark_is_one_line_of_the_file_and_reads_back(project):
    marked = with_marks(project, "trail", [Place("coupler", "E"), Place(joint="B")])
    marked = with_attributes(marked, "m2", value=2.0, color="speed")
    text = encode(marked).decode()
    lines = [line for line in text.splitlines() if '"type": "trail"' in line]
    assert [json.loads(line.rstrip(",")) for line in lines] == [
        {"id": "m1", "type": "trail", "body": "coupler", "point": "E"},
        {"id": "m2", "type": "trail", "joint": "B", "value": 2.0, "color": "speed"},
    ]
    assert decode(text.encode()).project == marked and not decode(text.encode()).findings
    assert "marks" not in json.loads(encode(project))


def test_marks_go_with_what_they_stand_on_and_follow_its_name(project):
    marked = with_marks(
        project,
        "trail",
        [Place("coupler", "E"), Place("coupler"), Place(joint="B"), Place("crank")],
    )
    assert [m.body or m.joint for m in elements.remove(marked, "coupler").marks] == ["crank"]
    renamed = rename_point(marked, "coupler", "E", "F")
    assert found(renamed, "trail", Place("coupler", "F")) is not None
    assert found(remove_point(marked, "coupler", "E"), "trail", Place("coupler", "E")) is None
    assert len(remove_point(marked, "coupler", "E").marks) == 3


def test_toggling_completes_the_set_first_and_then_empties_it(project):
    places = [Place("coupler", "E"), Place(joint="B")]
    one = with_marks(project, "trail", places[:1])
    both = toggled(one, "trail", places)
    assert len(of_type(both, "trail")) == 2
    assert toggled(both, "trail", places).marks == ()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"type": "trail", "body": "nobody"}, "is not there"),
        ({"type": "trail", "body": "coupler", "point": "Z"}, "its point"),
        ({"type": "trail", "joint": "Z"}, "its joint"),
        ({"type": "trail"}, 'neither a "body" nor a "joint"'),
        ({"type": "trail", "body": "coupler", "value": -1}, "out of all bounds"),
        ({"type": "trail", "body": "coupler", "value": 1e300}, "out of all bounds"),
        ({"type": "glow", "body": "coupler"}, "type"),
    ],
)
def test_an_element_that_cannot_be_shown_is_reported_and_written_back(project, entry, said):
    document = json.loads(encode(project))
    document["marks"] = [{"id": "m1", **entry}]
    loaded = decode(json.dumps(document).encode())
    assert loaded.project.marks == () and said in " ".join(f.message for f in loaded.findings)
    assert json.loads(encode(loaded.project))["marks"] == [{"id": "m1", **entry}]
    # a new mark takes no id that stands in the file
    assert with_marks(loaded.project, "trail", [Place("coupler")]).marks[0].id == "m2"


def test_a_newer_colour_falls_back_and_is_kept(project):
    document = json.loads(encode(project))
    document["marks"] = [{"id": "m1", "type": "trail", "body": "coupler", "color": "heat"}]
    loaded = decode(json.dumps(document).encode())
    assert loaded.project.marks[0].color == "body" and loaded.findings
    assert json.loads(encode(loaded.project))["marks"][0]["color"] == "heat"
