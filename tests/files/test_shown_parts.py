"""Marks, diagrams and styles of a file in hostile and newer forms."""

import json
from pathlib import Path

import pytest

from mechstudio.files.project_file import decode, encode
from mechstudio.model.types.marks import BODY, JOINT, MARK_TYPES, PAIR, POINT, SCENE

FOUR_BAR = json.loads((Path(__file__).parent / "versions" / "1_four_bar.mech").read_text())
CURVE = f"joint/{FOUR_BAR['joints'][0]['id']}/0"
PLACES = {
    BODY: {"body": FOUR_BAR["bodies"][0]["id"]},
    JOINT: {"joint": FOUR_BAR["joints"][0]["id"]},
    SCENE: {},
}


def loaded(**sections):
    """File that is read, after a check that nothing is lost by saving it."""
    found = decode(json.dumps(FOUR_BAR | sections).encode())
    written = json.loads(encode(found.project, found.camera))
    assert {key: written[key] for key in sections} == sections
    return found


@pytest.mark.parametrize("type", MARK_TYPES)
@pytest.mark.parametrize("place", PLACES)
def test_a_mark_stands_only_on_what_can_have_it(type, place):
    found = loaded(marks=[{"id": "m", "type": type, **PLACES[place]}])
    fits = {POINT, BODY, PAIR} if place == BODY else {place}
    if fits.isdisjoint(MARK_TYPES[type].on):
        assert found.project.marks == ()
        assert found.findings[0].message.startswith("Mark m cannot be used: ")
    else:
        assert [m.type for m in found.project.marks] == [type]


@pytest.mark.parametrize("width", [-5.0, 1e300])
def test_a_line_has_a_width_that_can_be_drawn(width):
    plot = {"id": "p", "title": "P", "channels": [CURVE], "styles": {CURVE: {"width": width}}}
    found = loaded(plots=[plot])
    assert found.project.plots == ()
    assert "from 0 to 100" in found.findings[0].message


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"diagram": {"kind": "phase", "newer": 1}}, "newer"),
        ({"diagram": {"kind": "spectrum", "window": "kaiser"}}, "kaiser"),
        ({"styles": {CURVE: {"color": 2, "glow": 1}}}, "glow"),
    ],
)
def test_entries_of_a_newer_plot_are_kept_and_reported(part, sentence):
    found = loaded(plots=[{"id": "p", "title": "P", "channels": [CURVE], **part}])
    assert len(found.project.plots) == 1
    assert sentence in found.findings[0].message
