"""Couplings, drives, laws, limits, curves and meshes in a file: read, settled, refused where they
hang in the air, kept in any case.
"""

import base64
import struct

import pytest

from mechstudio.files.format import reader, sections
from mechstudio.files.project_file import decode, encode
from mechstudio.model.mechanism import CoordinateOf, Drive, Law
from mechstudio.model.quantity import Quantity
from tests.files.format.test_damaged_files import assert_nothing_lost, mutated

VERTICES = base64.b64encode(struct.pack("<12d", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)).decode()
TRIANGLES = base64.b64encode(struct.pack("<12i", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)).decode()
FILE = b"""{"mechstudio": 1, "parameters": [
 {"name": "speed", "value": "30 rpm", "dimension": "angular_velocity"},
 {"name": "stroke", "value": "40 mm"}],
"bodies": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
"joints": [
 {"id": "A", "type": "revolute", "frame_a": {"body": "ground"}, "frame_b": {"body": "a"},
  "limits": [{"lower": "-90 deg", "upper": "90 deg", "restitution": 0.5}]},
 {"id": "B", "type": "prismatic", "frame_a": {"body": "ground"}, "frame_b": {"body": "b"}},
 {"id": "C", "type": "point_on_curve",
  "frame_a": {"body": "ground"},
  "frame_b": {"body": "c"}, "curve": {"points": [[0, 0, 0], ["stroke", 0, 0]]}}
],
"couplings": [
 {"id": "cam", "type": "cam",
  "ends": [{"joint": "A"},
  {"joint": "B"}], "law": {"type": "cam", "lift": "stroke", "rise": "90 deg"}},
 {"id": "rack", "type": "rack_and_pinion",
  "ends": [{"joint": "A"}, {"joint": "B"}], "radius": "stroke / 2"}
],
"drives": [
 {"id": "turn", "joint": "A", "law": {"type": "constant", "value": "speed"}},
 {"id": "push", "joint": "B", "quantity": "acceleration",
  "law": {"type": "table", "points": [["0 s", "1 m/s^2"], ["1 s", "2 m/s^2"]]}}
],
"forces": [
 {"id": "motor", "type": "motor_torque", "joint": "A", "torque": "2 N*m",
  "laws": {"torque": {"type": "sine", "amplitude": "3 N*m", "frequency": "2 Hz"}}},
 {"id": "mount", "type": "bushing", "frame_a": {"body": "a"}, "frame_b": {"body": "b"},
  "k_x_x": "5 N/mm"}
]}
"""


def with_change(old, new):
    assert old.encode() in FILE
    return FILE.replace(old.encode(), new.encode(), 1)


def test_every_number_is_settled_in_its_dimension():
    loaded = assert_nothing_lost(FILE)
    assert loaded.findings == ()
    m = loaded.project.mechanism
    assert m.joints["A"].limits[0].upper.value == pytest.approx(1.5707963267948966) and m.joints[
        "C"
    ].curve.points[1][0] == Quantity(0.04, "stroke")
    assert m.couplings["cam"].ends == (CoordinateOf("A"), CoordinateOf("B"))
    assert m.couplings["cam"].law.parameters["lift"] == Quantity(0.04, "stroke") and set(
        m.couplings["cam"].law.parameters
    ) == {"lift", "rise"}
    assert m.couplings["rack"].parameters["radius"].value == 0.02
    speed = m.drives["turn"].law.parameters["value"]
    assert speed.value == pytest.approx(3.141592653589793) and m.drives["turn"] == Drive(
        "turn", "turn", "A", law=Law("constant", {"value": Quantity(speed.value, "speed")})
    )
    assert m.drives["push"].law.points[1] == (Quantity(1.0, "1 s"), Quantity(2.0, "2 m/s^2"))
    assert (
        m.forces["motor"].parameters["torque"].value == 2.0
        and m.forces["motor"].laws["torque"].parameters["amplitude"].value == 3.0
    )
    assert m.forces["mount"].parameters == {"k_x_x": Quantity(5000.0, "5 N/mm")}


@pytest.mark.parametrize(
    ("old", "new", "unread", "part"),
    [
        (
            '{"id": "turn", "joint": "A"',
            '{"id": "turn", "joint": "Z"',
            "turn",
            "its joint Z is not there",
        ),
        (
            '{"id": "turn", "joint": "A"',
            '{"id": "turn", "joint": "A", "coordinate": 1',
            "turn",
            "has no angle or length number 1",
        ),
        (
            '{"id": "turn", "joint": "A"',
            '{"id": "turn", "joint": "A", "quantity": "jerk"',
            "turn",
            '"jerk" is not known to this version',
        ),
        (
            '"type": "constant"',
            '"type": "fractal"',
            "turn",
            '"fractal" is not known to this version',
        ),
        ('"value": "speed"', '"value": "30 mm"', "turn", "30 mm"),
        (
            '"ends": [{"joint": "A"}, {"joint": "B"}], "radius"',
            '"ends": [{"joint": "B"}, {"joint": "A"}], "radius"',
            "rack",
            "has no angle number 0",
        ),
        (
            '"ends": [{"joint": "A"}, {"joint": "B"}], "radius"',
            '"ends": [{"joint": "A"}], "radius"',
            "rack",
            '"ends" must be 2',
        ),
        (
            ', "law": {"type": "cam", "lift": "stroke", "rise": "90 deg"}',
            "",
            "cam",
            '"law" is missing',
        ),
        (
            '"upper": "90 deg", ',
            '"coordinate": 1, ',
            "A",
            "a coordinate 1 that a revolute joint does not have",
        ),
        ('"restitution": 0.5', '"restitution": 1.5', "A", "Restitution"),
        (', "curve": {"points": [[0, 0, 0], ["stroke", 0, 0]]}', "", "C", '"curve" is missing'),
        ('[[0, 0, 0], ["stroke", 0, 0]]', "[[0, 0, 0]]", "C", "fewer than two points"),
        ('"laws": {"torque"', '"laws": {"force"', "motor", 'rule "force"'),
        ('"torque": "2 N*m"', '"torque": "2 N"', "motor", "2 N"),
        (
            '{"id": "a"}',
            '{"id": "a", "shapes": [{"type": "sphere", "radius": 1, '
            f'"mesh": {{"vertices": "{VERTICES}", '
            f'"triangles": "{TRIANGLES}"}}}}]}}',
            "a",
            'a "mesh"',
        ),
    ],
)
def test_one_wrong_thing(old, new, unread, part):
    loaded = assert_nothing_lost(with_change(old, new))
    assert unread in {u.id for u in loaded.project.unread}
    assert [
        f
        for f in loaded.findings
        if part in f.message and f.element == unread and f.severity == "error"
    ], [f.message for f in loaded.findings]


def test_dependents_of_an_unread_joint_are_kept_unread():
    loaded = assert_nothing_lost(
        with_change('{"id": "A", "type": "revolute"', '{"id": "A", "type": "magnetic"')
    )
    assert [(u.section, u.id) for u in loaded.project.unread] == [
        ("joints", "A"),
        ("couplings", "cam"),
        ("couplings", "rack"),
        ("drives", "turn"),
        ("forces", "motor"),
    ]
    healed = encode(loaded.project).replace(b'"magnetic"', b'"revolute"')
    assert not decode(healed).project.unread and list(
        decode(healed).project.mechanism.couplings
    ) == ["cam", "rack"]


def test_entries_of_the_future_in_parts():
    data = with_change('"lift": "stroke"', '"lift": "stroke", "jerk": 3').replace(
        b'"restitution": 0.5', b'"restitution": 0.5, "noise": true', 1
    )
    loaded = assert_nothing_lost(data)
    assert (
        loaded.project.unread == ()
        and b'"jerk": 3' in encode(loaded.project)
        and b'"noise": true' in encode(loaded.project)
    )
    assert {f.element for f in loaded.findings} == {"cam", "A"}


def test_couplings_and_drives_are_lines_of_their_own():
    text = encode(decode(FILE).project).decode()
    assert '"couplings": [\n {"id": "cam", ' in text and '"drives": [\n {"id": "turn", ' in text


def test_a_program_without_these_sections_loses_nothing(monkeypatch):
    """An older program says what it does not use of a file of today, and keeps it: the format's
    number did not have to change.
    """
    whole = encode(decode(FILE).project)
    older = [k for k in sections.ORDER if k not in ("couplings", "drives")]
    monkeypatch.setattr(sections, "ORDER", tuple(older))
    monkeypatch.setattr(sections, "LISTS", {k: v for k, v in sections.LISTS.items() if k in older})
    monkeypatch.setattr(reader.Reader, "elements", _without(reader.Reader.elements))
    monkeypatch.setattr(
        sections, "MECHANISM", {k: v for k, v in sections.MECHANISM.items() if k in older}
    )
    loaded = decode(whole)
    assert any(
        "couplings, drives" in f.message and f.severity == "warning" for f in loaded.findings
    )
    saved = encode(loaded.project)
    monkeypatch.undo()
    assert decode(saved).project.mechanism == decode(whole).project.mechanism


def _without(elements):
    return lambda self, section, *rest: (
        {} if section in ("couplings", "drives") else elements(self, section, *rest)
    )


@pytest.mark.parametrize("seed", range(4))
def test_damage(seed):
    """As of the older samples: never an exception, never a loss."""
    import random

    from mechstudio.files.project_file import ProjectFileError

    rng, data, opened = random.Random(seed), encode(decode(FILE).project), 0
    for _ in range(200):
        damaged = mutated(data, rng)
        try:
            decode(damaged)
        except ProjectFileError:
            continue
        opened += 1
        assert_nothing_lost(damaged)
    assert opened > 20


def test_a_formula_that_cannot_be_read_leaves_its_element():
    """Typed text is kept as typed, and a sentence says what is wrong."""
    data = with_change(
        '"law": {"type": "constant", "value": "speed"}',
        '"law": {"type": "expression", "text": "speed * sin(2 rad/s * tt)"}',
    )
    loaded = assert_nothing_lost(data)
    assert (
        loaded.project.unread == ()
        and loaded.project.mechanism.drives["turn"].law.text == "speed * sin(2 rad/s * tt)"
    )
    assert [f.element for f in loaded.findings] == [
        "turn"
    ] and "tt is not known here" in loaded.findings[0].message
    good = decode(data.replace(b"tt)", b"t)"))
    assert good.findings == () and good.project.mechanism.drives["turn"].law.parameters == {
        "speed": Quantity(good.project.parameters["speed"].value.value)
    }
    assert b'"law": {"type": "expression", "text": "speed * sin(2 rad/s * t)"}' in encode(
        good.project
    )
