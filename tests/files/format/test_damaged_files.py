"""Truncated, garbled, hostile and newer files: a project with findings, or one sentence, and
nothing else ever.
"""

import random
import re
from pathlib import Path

import pytest

from mechstudio.files import project_file
from mechstudio.files.format.migrations import FORMAT
from mechstudio.files.project_file import ProjectFileError, decode, encode, load, save
from mechstudio.model.project import Project

# kept for ever, so that the damage done to them is the same on every day
SAMPLES = {
    p.stem[2:]: p for p in sorted((Path(__file__).parents[1] / "versions").glob(f"{FORMAT}_*.mech"))
}
FOUR_BAR = SAMPLES["four_bar"].read_bytes()


def changed(old, new, data=FOUR_BAR, count=1):
    assert old.encode() in data
    return data.replace(old.encode(), new.encode(), count)


def assert_sentence(error):
    text = str(error.value)
    assert (
        text[0].isupper()
        and text.endswith(".")
        and "\n" not in text
        and len(text) < 300
        and "Error" not in text
        and "Traceback" not in text
    )
    return text


def assert_nothing_lost(data):
    """Check that an opened project is saved and opened again as the same one, with the same parts
    not understood.
    """
    loaded = decode(data)
    again = decode(encode(loaded.project, loaded.camera))
    assert again.project == loaded.project
    assert len(again.project.unread) == len(loaded.project.unread)
    for finding in loaded.findings:
        assert (
            finding.message.endswith(".")
            and finding.cure.endswith(".")
            and len(finding.message) < 400
        )
    return loaded


VALUE = re.compile(rb'(?<=[:\[,] |.[\[{])(-?[0-9][0-9.e-]*|"[^"\n]*"(?!:)|true|false)(?=[,\]}])')
TOKENS = [
    b"NaN",
    b"Infinity",
    b"1e999",
    b"-1e400",
    b"9" * 400,
    b"[" * 500,
    b'{"a":' * 500,
    b"null",
    b'""',
    b'"\\ud800"',
    b"\x00",
    b"\xff\xfe",
    b"true",
    b'"../../etc/passwd"',
    b"\"__import__('os')\"",
    b"-0",
    b"1e-400",
    b"[]",
    b"{}",
    b",",
    b'"ground"',
    b'"crank"',
    b'["1 mm", 3]',
    b"1e15",
    b"-1",
    b'"9^9^9^9"',
    b"\n",
    b"<<<<<<< HEAD\n",
]


def mutated(data, rng):
    if rng.random() < 0.4:
        for _ in range(rng.randint(1, 3)):
            data = _value_replaced(data, rng)
        return data
    b = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        p = rng.randrange(len(b) + 1)
        q = min(len(b), p + rng.randint(1, 300))
        match rng.randrange(6):
            case 0 if b:
                b[rng.randrange(len(b))] = rng.randrange(256)
            case 1:
                b = b[:p]
            case 2:
                b[p:p] = rng.choice(TOKENS)
            case 3:
                del b[p:q]
            case 4:
                b[p:p] = b[p:q]
            case _:
                b[p : min(len(b), p + rng.randint(1, 12))] = rng.choice(TOKENS)
    return bytes(b)


def _value_replaced(data, rng):
    """Well-formed damage: one value of the text replaced by another, so that the file mostly is
    JSON still.
    """
    values = list(VALUE.finditer(data))
    m = rng.choice(values)
    return data[: m.start()] + rng.choice([*TOKENS, rng.choice(values).group()]) + data[m.end() :]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.thinned(3)
def test_mutations(seed):
    rng = random.Random(seed)
    samples = [p.read_bytes() for p in SAMPLES.values()]
    opened = 0
    for _ in range(250):
        data = mutated(rng.choice(samples), rng)
        try:
            decode(data)
        except ProjectFileError as error:
            assert str(error).endswith(".") and "\n" not in str(error) and len(str(error)) < 300
        else:
            opened += 1
            assert_nothing_lost(data)
    assert 40 < opened < 240  # both ways are tried


@pytest.mark.parametrize(
    "value",
    [
        b"null",
        b"5",
        b'"x"',
        b"[]",
        b"{}",
        b"true",
        b"NaN",
        b"1e999",
        b"-7",
        b"[[]]",
        b'["a", "b"]',
        b'["1 mm", null]',
        b'"\\u0000"',
        b'"\\ud800"',
        b"9" * 400,
        b"1e300",
        b'{"a": 1, "a": 2}',
        b'"' + b"x" * 3000 + b'"',
    ],
    ids=lambda v: v[:20].decode(),
)
@pytest.mark.thinned(9)
def test_every_value_of_a_sample_replaced(value):
    """Values in turn, by each kind of nonsense: never an exception, never a loss."""
    data = SAMPLES["cart_pole"].read_bytes()
    places = list(VALUE.finditer(data))
    for m in places[len(value) % 7 :: 7]:
        damaged = data[: m.start()] + value + data[m.end() :]
        try:
            decode(damaged)
        except ProjectFileError:
            assert m.start() < 40, damaged[
                m.start() - 40 : m.start() + 40
            ]  # only the header may be refused
        else:
            assert_nothing_lost(damaged)


@pytest.mark.parametrize("cut", range(1, 40))
def test_truncated(cut):
    data = FOUR_BAR[: len(FOUR_BAR) * cut // 40]
    with pytest.raises(ProjectFileError) as error:
        decode(data)
    line = data.rstrip(b"\n").count(b"\n") + 1
    assert f"it breaks off in line {line}." in assert_sentence(error)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "not a mechstudio project"),
        (b"   ", "not a mechstudio project"),
        (b"\x89PNG\r\n\x1a\n" * 100, "not a mechstudio project"),
        (b"[1]", "not a mechstudio project"),
        (b'{"bodies": []}', "not a mechstudio project"),
        (b"5", "not a mechstudio project"),
        (b'{"mechstudio": "1"}', "format number"),
        (b'{"mechstudio": true}', "format number"),
        (b'{"mechstudio": 0}', "format number"),
        (b'{"mechstudio": -3}', "format number"),
        (b'{"mechstudio": 1.5}', "format number"),
        (b'{"mechstudio": ' + b"9" * 999 + b"}", "format number"),
        (b'{"mechstudio": 1, "a": ' + b"[" * 10**6, "nested too deeply"),
        (b'{"mechstudio": 1, "a": ' + b"[" * 200 + b"]" * 200 + b"}", "nested too deeply"),
        ('{"mechstudio": 1, "note": "é"}'.encode("latin-1"), "line 1 is not text in UTF-8"),
        ('{"mechstudio": 1}'.encode("utf-16"), "UTF-16"),
        (
            b'{"mechstudio": 1,\n<<<<<<< HEAD\n"note": "a"}',
            "line 2 is a mark of an unfinished merge",
        ),
        (b'{"mechstudio": 1, "note" "a"}\n', "line 1 is damaged at character 26"),
        (b'{"mechstudio": 1, "note": "a", "note": "b"}', '"note" stands twice'),
        (b'{"mechstudio": 1, "note": "\x01"}', "line 1 is damaged"),
    ],
)
def test_unreadable_files_are_refused_with_the_reason(data, part):
    with pytest.raises(ProjectFileError) as error:
        decode(data)
    assert part in assert_sentence(error)


def finding(loaded, part):
    found = [f for f in loaded.findings if part in f.message]
    assert len(found) == 1, [f.message for f in loaded.findings]
    return found[0]


def test_a_type_of_the_future():
    data = changed('"type": "revolute"', '"type": "magnetic", "pitch": ["2 mm", 0.002]', count=1)
    loaded = assert_nothing_lost(data)
    f = finding(loaded, 'its type "magnetic" is not known to this version')
    assert f.severity == "error" and f.element and "newer mechstudio" in f.cure
    assert encode(loaded.project, loaded.camera) == data


def test_forces_of_an_unread_joint_are_kept_unread():
    data = SAMPLES["cart_pole"].read_bytes().replace(b'"type": "revolute"', b'"type": "magnetic"')
    loaded = assert_nothing_lost(data)
    assert {u.section for u in loaded.project.unread} == {"joints", "forces"}
    assert encode(loaded.project, loaded.camera) == data


def test_entries_of_the_future_are_kept_everywhere():
    data = FOUR_BAR
    for old, new in (
        ('"type": "link"', '"type": "link", "fillet": [1, {"r": 2}]'),
        ('"slider": true', '"slider": true, "step": 5'),
        ('"duration"', '"stop_when": null, "duration"'),
        ('"frame_a": {', '"frame_a": {"grip": true, '),
        ('"title": "Four-bar"', '"title": "Four-bar", "stars": 2'),
        ('"view": {', '"view": {"roll": 3, '),
    ):
        data = changed(old, new, data)
    data = data.replace(b'"bodies": [', b'"membranes": [\n {"a": "crank"}\n],\n"bodies": [')
    loaded = assert_nothing_lost(data)
    assert loaded.project.unread == ()
    text = encode(loaded.project, loaded.camera).decode()
    for kept in (
        '"fillet": [1, {"r": 2}]',
        '"step": 5',
        '"stop_when": null',
        '"grip": true',
        '"stars": 2',
        '"roll": 3',
        '"membranes": [\n {"a": "crank"}\n]',
    ):
        assert text.count(kept) == 1, kept
    for name in ("fillet", "step", "stop_when", "grip", "stars", "membranes"):
        assert any(name in f.message and f.severity == "warning" for f in loaded.findings)


def test_choices_of_the_future_fall_back_and_are_kept():
    data = changed('"duration"', '"integrator": "of_the_future", "duration"').replace(
        b'"type": "link"', b'"type": "link", "material": "wood"', 1
    )
    loaded = assert_nothing_lost(data)
    assert loaded.project.settings.integrator == "dop853" and loaded.project.unread == ()
    assert b'"of_the_future"' in encode(loaded.project) and b'"material": "wood"' in encode(
        loaded.project
    )


def test_a_newer_format():
    data = changed(
        '"mechstudio": 2, "written_by": "0.1.0"', '"mechstudio": 7, "written_by": "2.3.4"'
    )
    loaded = assert_nothing_lost(data)
    f = finding(loaded, "newer version")
    assert f.severity == "warning" and "2.3.4" in f.message and "7" in f.message
    assert encode(loaded.project).startswith(b'{"mechstudio": 7, ')
    assert len(loaded.project.mechanism.bodies) == 3


def test_typed_text_wins():
    loaded = decode(changed('["130 mm", 0.13]', '["140 mm", 0.13]'))
    assert loaded.project.parameters["L1"].value.value == 0.14
    lengths = [
        q.value
        for b in loaded.project.mechanism.bodies.values()
        for s in b.shapes
        for q in s.dimensions.values()
        if q.text == "L1"
    ]
    assert lengths and set(lengths) == {0.14}
    assert (
        len(loaded.findings) == 1
        and finding(loaded, "140 mm").element == "L1"
        and "130 mm" in loaded.findings[0].message
    )


def test_texts_need_no_number_beside_them():
    loaded = decode(
        b'{"mechstudio": 1, "parameters": [{"name": "b", "value": "2*a"}, {"name": "a", "value": '
        b'"30 mm"}], '
        b'"bodies": [{"id": "rod", "shapes": [{"type": "link", "length": "b", "width": "1 cm", '
        b'"thickness": 0.002}], "mass": "250 g"}]}'
    )
    body = loaded.project.mechanism.bodies["rod"]
    assert loaded.findings == () and body.name == "rod"
    assert body.shapes[0].dimensions["length"].value == 0.06 and body.mass.value == 0.25


@pytest.mark.parametrize(
    ("old", "new", "element", "part"),
    [
        ('"name": "L1"', '"name": "L2"', "L2", "its name is already taken"),
        ('"name": "L1"', '"name": "sin"', "sin", "already has a meaning"),
        ('["130 mm", 0.13]', '["2*L9", 0.13]', "L1", "L9 is not a parameter"),
        ('["130 mm", 0.13]', '"2*L9"', "L1", "L9 is not a parameter"),
        ('["130 mm", 0.13]', '["L2", 0.13]', None, ""),
        ('["130 mm", 0.13]', '["L1", 0.13]', "L1", "L1 is defined by itself"),
        ('["130 mm", 0.13]', '["-130 mm", -0.13]', "crank", "must be larger than zero"),
        ('["130 mm", 0.13]', "1e300", "L1", "too large"),
        ('"body": "coupler"', '"body": "nobody"', None, "its body nobody is not there"),
        ('"point": "end"', '"point": "tip"', None, "has no point named tip"),
        ('"id": "crank"', '"id": "ground"', "ground", "its id is already taken"),
        ('"id": "crank"', '"id": ""', "", 'its "id" is empty'),
        ('"id": "crank"', '"id": "a\\u0000"', "", 'its "id" is not printable'),
    ],
)
def test_one_wrong_thing(old, new, element, part):
    data = changed(old, new)
    loaded = assert_nothing_lost(data)
    if part:
        found = [f for f in loaded.findings if part in f.message]
        assert found and (element is None or found[0].element == element), loaded.findings


def test_cycles_in_a_file_are_named():
    data = changed('["130 mm", 0.13]', '["L2", 0.13]').replace(
        b'["330 mm", 0.33]', b'["2*L1", 0.33]', 1
    )
    loaded = assert_nothing_lost(data)
    assert [f.element for f in loaded.findings] == ["L1", "L2"]
    assert all("L1 and L2 are defined by each other" in f.message for f in loaded.findings)
    assert loaded.project.parameters["L1"].value.value == 0.13


def test_duplicated_sections_of_a_careless_merge():
    loaded = decode(
        b'{"mechstudio": 1, "bodies": [{"id": "a"}], "note": "x", "bodies": [{"id": "b"}], "note": '
        b'"x"}'
    )
    assert list(loaded.project.mechanism.bodies) == ["a", "b"] and loaded.project.note == "x"


def test_edits_around_what_is_not_understood():
    """A part that was not understood keeps its place as well as it can when others come and go."""
    data = (
        b'{"mechstudio": 1, "bodies": [{"id": "a"}, 5, {"id": "b"}, {"id": "c", "mass": '
        b'"heavy"}], "gravity": "down"}'
    )
    project = decode(data).project
    assert [(u.section, u.index, u.id) for u in project.unread] == [
        ("bodies", 1, ""),
        ("bodies", 3, "c"),
        ("gravity", 0, ""),
    ]
    from mechstudio.model.edits.elements import remove

    text = encode(remove(project, "a")).decode()
    assert text.index('{"id": "b"}') < text.index(" 5") < text.index('"heavy"')
    assert '"gravity": "down"' in text


def test_values_that_no_file_can_hold_are_refused():
    from mechstudio.model.mechanism import Body, Mechanism
    from mechstudio.model.quantity import Quantity

    for body in (
        Body("a", "a", mass=Quantity(float("nan"))),
        Body("a", "a", mass=Quantity(float("inf"))),
        Body("a", "a", extra={"x": object()}),
    ):
        with pytest.raises(ProjectFileError) as error:
            encode(Project(Mechanism({"a": body})))
        assert_sentence(error)


def test_files_on_disk(tmp_path, monkeypatch):
    good = tmp_path / "four.mech"
    good.write_bytes(FOUR_BAR)
    assert load(good).project == decode(FOUR_BAR).project
    (tmp_path / "cut.mech").write_bytes(FOUR_BAR[:700])
    (tmp_path / "cut.mech~").write_bytes(FOUR_BAR)
    (tmp_path / "empty.mech").write_bytes(b"")
    monkeypatch.setattr(project_file, "LARGEST", 5000)
    (tmp_path / "huge.mech").write_bytes(b" " * 5001)
    for name, part in (
        (
            "cut.mech",
            (
                "cut.mech: cannot be read: it breaks off in line 3; the version before the last "
                "save is cut.mech~ beside it."
            ),
        ),
        ("empty.mech", "empty.mech is empty."),
        ("huge.mech", "at most"),
        ("none.mech", "There is no file"),
        (".", "is a folder"),
        ("a\0b", "cannot be opened"),
    ):
        with pytest.raises(ProjectFileError) as error:
            load(tmp_path / name)
        assert (
            part in str(error.value)
            and "\n" not in str(error.value)
            and str(error.value).endswith(".")
        )


def test_a_pipe_is_not_waited_for(tmp_path):
    import os

    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes here")
    os.mkfifo(tmp_path / "pipe.mech")
    with pytest.raises(ProjectFileError, match="is a device"):
        load(tmp_path / "pipe.mech")


def test_opening_and_saving_never_touches_a_damaged_file(tmp_path):
    path = tmp_path / "a.mech"
    save(path, Project(note="one"))
    save(path, Project(note="two"))
    path.write_bytes(path.read_bytes()[:-10])
    damaged = path.read_bytes()
    with pytest.raises(ProjectFileError):
        load(path)
    assert path.read_bytes() == damaged
    save(path, Project(note="three"))
    # the good backup is worth more than the damaged file
    assert load(str(path) + "~").project.note == "one" and load(path).project.note == "three"
