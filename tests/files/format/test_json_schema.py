"""The JSON Schema of project files: every file that is written keeps it, and slips of a hand do
not.
"""

import copy
import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings

from mechstudio.files.format.codec import decode, encode
from mechstudio.files.format.json_schema import json_schema
from tests.strategies import cameras, projects

ROOT = Path(__file__).parents[3]
SAMPLES = sorted((ROOT / "samples").glob("*.mech"))
VALIDATOR = jsonschema.Draft202012Validator(json_schema())


def faults(document):
    return [error.message for error in VALIDATOR.iter_errors(document)]


def test_the_schema_is_one_and_the_shipped_one_is_that_of_the_sources():
    jsonschema.Draft202012Validator.check_schema(json_schema())
    shipped = (ROOT / "resources" / "schema" / "mech.schema.json").read_text("utf-8")
    assert json.loads(shipped) == json_schema(), "run packaging/make_schema.py"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_keeps_it(path):
    assert faults(json.loads(path.read_text("utf-8"))) == []


def known(value):
    """A value without what a newer program wrote."""
    if isinstance(value, msgspec.Struct):
        held = {f.name: known(getattr(value, f.name)) for f in msgspec.structs.fields(value)}
        return type(value)(**(held | {name: {} for name in held if name == "extra"}))
    if isinstance(value, dict):
        return {key: known(each) for key, each in value.items()}
    return tuple(map(known, value)) if type(value) is tuple else value


@settings(max_examples=20)
@given(projects(), cameras)
def test_every_file_that_is_written_keeps_it(project, camera):
    plain = msgspec.structs.replace(known(project), unread=())
    assert faults(json.loads(encode(plain, camera))) == []


def four_bar():
    return json.loads((ROOT / "samples" / "four_bar.mech").read_text("utf-8"))


def edited(*path, value=None, drop=False):
    document = copy.deepcopy(four_bar())
    part = document
    for key in path[:-1]:
        part = part[key]
    if drop:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return document


@pytest.mark.parametrize(
    "document",
    [
        edited("mechstudio", value="1"),
        edited("mechstudio", drop=True),
        edited("boddies", value=[]),
        edited("bodies", 0, "mas", value=1),
        edited("bodies", 0, "mass", value=["2 kg"]),
        edited("bodies", 0, "mass", value=["2 kg", "2"]),
        edited("bodies", 0, "color", value=1.5),
        edited("bodies", 0, "id", drop=True),
        edited("bodies", 0, "shapes", 0, "length", drop=True),
        edited("bodies", 0, "shapes", 0, "type", value="linc"),
        edited("bodies", 0, "position", value=[0, 0]),
        edited("joints", 0, "type", value="hinge"),
        edited("joints", 0, "frame_b", drop=True),
        edited("joints", 0, "limits", value=[{"coordinate": 6}]),
        edited("parameters", 0, "slider", value="yes"),
        edited("settings", "integrator", value="euler2"),
        edited("gravity", value="down"),
        edited("plots", 0, "channels", value="joint/A/0"),
    ],
)
def test_slips_of_a_hand_are_found(document):
    assert faults(document)


def test_a_text_alone_is_a_number_too():
    document = edited("bodies", 0, "mass", value="2 kg")
    assert faults(document) == []
    assert decode(json.dumps(document).encode()).project.mechanism.bodies["crank"].mass.value == 2.0
