"""Hostile and damaged files of other programs are refused in a sentence, or read without harm."""

import math
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechstudio.files.exchange.formats import format_of, read
from mechstudio.files.exchange.xml_text import DEEPEST, ExchangeError, written
from mechstudio.model.project import Project
from tests.files.exchange.test_mjcf_reading import MANY, gymnasium_files
from tests.files.exchange.test_urdf import ROBOT

LAUGHS = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))


def mjcf(world="", rest="", compiler=""):
    return f"<mujoco>{compiler}<worldbody>{world}</worldbody>{rest}</mujoco>"


def body(inside):
    return mjcf(f'<body name="b">{inside}</body>')


def geom(attributes):
    return body(f"<freejoint/><geom {attributes}/>")


def urdf(inside, joints=""):
    return f'<robot name="r"><link name="a">{inside}</link><link name="b"/>{joints}</robot>'


def joint(attributes='type="revolute"', inside="", parent="a", child="b"):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="j" {attributes}>{ends}{inside}</joint>'


def shape(inside):
    return urdf(f"<visual><geometry>{inside}</geometry></visual>")


BALL = '<geom size="1"/>'
HOSTILE = {
    # XML itself
    "billion laughs.xml": f'<!DOCTYPE m [<!ENTITY l0 "lol">{LAUGHS}]><mujoco>&l9;</mujoco>',
    "external entity.xml": '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><m>&x;</m>',
    "external dtd.urdf": '<!DOCTYPE robot SYSTEM "http://example.org/a.dtd"><robot name="r"/>',
    "parameter entity.urdf": '<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///dev/zero"> %p;]><robot/>',
    "plain doctype.xml": "<!DOCTYPE mujoco><mujoco/>",
    "unknown entity.xml": '<mujoco model="&nothing;"/>',
    "a million deep.xml": "<mujoco>" + "<body>" * 1_000_000,
    "deep frames.xml": mjcf("<frame>" * (DEEPEST + 1) + "</frame>" * (DEEPEST + 1)),
    "a million elements.urdf": "<robot>" + "<link/>" * 1_000_000 + "</robot>",
    "empty.xml": "",
    "spaces.urdf": "  \n ",
    "cut off.xml": '<mujoco><worldbody><body name="b">',
    "no xml.xml": "this is no XML",
    "binary.urdf": bytes(range(256)) * 40,
    "nul.xml": b"<mujoco model='\0'/>",
    "two roots.xml": "<mujoco/><mujoco/>",
    "twice the same attribute.xml": '<mujoco model="a" model="b"/>',
    "wrong encoding.xml": '<?xml version="1.0" encoding="utf-8"?><mujoco model="Kurbel ä"/>'.encode(
        "latin-1"
    ),
    "no such encoding.xml": b'<?xml version="1.0" encoding="klingon"?><mujoco/>',
    "utf-7.xml": b'<?xml version="1.0" encoding="utf-7"?><mujoco/>',
    "another root.xml": "<html/>",
    "another root.urdf": "<sdf/>",
    "unknown ending.sdf": "<sdf/>",
    # numbers
    "infinite position.xml": body('<freejoint/><geom size="1" pos="inf 0 0"/>'),
    "huge position.xml": mjcf(f'<body name="b" pos="1e308 0 0">{BALL}</body>'),
    "huge exponent.xml": mjcf(f'<body name="b" pos="1e999 0 0">{BALL}</body>'),
    "nan size.xml": geom('size="nan"'),
    "nan quaternion.xml": mjcf(f'<body name="b" quat="nan 0 0 0">{BALL}</body>'),
    "zero quaternion.xml": mjcf(f'<body name="b" quat="0 0 0 0">{BALL}</body>'),
    "words for numbers.xml": geom('size="large"'),
    "two numbers for three.xml": mjcf(f'<body name="b" pos="1 2">{BALL}</body>'),
    "a million numbers.xml": mjcf(f'<body name="b" pos="{"1 " * 1_000_000}">{BALL}</body>'),
    "long number.xml": geom(f'size="{"9" * 100_000}"'),
    "negative mass.xml": body('<freejoint/><inertial mass="-1" pos="0 0 0" diaginertia="1 1 1"/>'),
    "negative inertia.xml": body(
        '<freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 -1 1"/>'
    ),
    "negative geom mass.xml": geom('size="1" mass="-2"'),
    "negative density.xml": geom('size="1" density="-2"'),
    "negative size.xml": geom('size="-1"'),
    "zero size.xml": geom('type="box" size="1 0 1"'),
    "no size.xml": geom('type="capsule"'),
    "capsule of no length.xml": geom('type="capsule" fromto="1 1 1 1 1 1" size="0.1"'),
    "sphere from to.xml": geom('type="sphere" fromto="0 0 0 1 1 1" size="0.1"'),
    "negative friction.xml": geom('size="1" friction="-1 0 0"'),
    "axis without length.xml": body(f'<joint axis="0 0 0"/>{BALL}'),
    "negative damping.xml": body(f'<joint name="j" damping="-3"/>{BALL}'),
    "range backwards.xml": body(f'<joint limited="true" range="2 1"/>{BALL}'),
    "mass nan.urdf": urdf('<inertial><mass value="nan"/></inertial>'),
    "mass 1e308.urdf": urdf('<inertial><mass value="1e308"/></inertial>'),
    "mass negative.urdf": urdf('<inertial><mass value="-5"/></inertial>'),
    "inertia negative.urdf": urdf('<inertial><mass value="1"/><inertia ixx="-1"/></inertial>'),
    "box negative.urdf": shape('<box size="1 -1 1"/>'),
    "box of two.urdf": shape('<box size="1 1"/>'),
    "cylinder without length.urdf": shape('<cylinder radius="1"/>'),
    "no geometry.urdf": urdf("<visual/>"),
    "axis zero.urdf": urdf("", joint(inside='<axis xyz="0 0 0"/>')),
    "damping negative.urdf": urdf("", joint(inside='<dynamics damping="-1"/>')),
    # names and the tree
    "unknown joint type.xml": body(f'<joint type="screw"/>{BALL}'),
    "two bodies of a name.xml": mjcf(f'<body name="b">{BALL}</body><body name="b">{BALL}</body>'),
    "two joints of a name.xml": body(f'<joint name="j"/><joint name="j"/>{BALL}'),
    "free inside.xml": body(f'{BALL}<body name="c"><freejoint/>{BALL}</body>'),
    "free with hinge.xml": body(f"<freejoint/><joint/>{BALL}"),
    "unknown class.xml": geom('class="nowhere" size="1"'),
    "class without name.xml": mjcf(rest="<default><default/></default>"),
    "euler of nothing.xml": mjcf(
        f'<body name="b" euler="1 2 3">{BALL}</body>', compiler='<compiler eulerseq="abc"/>'
    ),
    "global coordinates.xml": mjcf(compiler='<compiler coordinate="global"/>'),
    "unknown mesh.xml": geom('type="mesh" mesh="nothing"'),
    "mesh of wrong faces.xml": mjcf(
        '<body name="b"><geom type="mesh" mesh="m"/></body>',
        '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 99"/></asset>',
    ),
    "mesh of broken rows.xml": mjcf(
        '<body name="b"><geom type="mesh" mesh="m"/></body>',
        '<asset><mesh name="m" vertex="0 0 0 1"/></asset>',
    ),
    "mesh of no scale.xml": mjcf(
        '<body name="b"><geom type="mesh" mesh="m"/></body>',
        '<asset><mesh name="m" vertex="0 0 0 1 1 1" scale="0 1 1"/></asset>',
    ),
    "connect to nothing.xml": mjcf(
        rest='<equality><connect body1="nothing" anchor="0 0 0"/></equality>'
    ),
    "site of nothing.xml": mjcf(rest='<equality><weld site1="a" site2="b"/></equality>'),
    "tendon of nothing.xml": mjcf(
        rest='<tendon><spatial stiffness="1"><site site="a"/><site site="b"/></spatial></tendon>'
    ),
    "actuator of nothing.xml": mjcf(rest='<actuator><motor tendon="nothing"/></actuator>'),
    "no links.urdf": '<robot name="r"/>',
    "link without name.urdf": "<robot><link/></robot>",
    "two links of a name.urdf": '<robot><link name="a"/><link name="a"/></robot>',
    "two joints of a name.urdf": urdf("", joint() + '<link name="c"/>' + joint(child="c")),
    "two parents.urdf": urdf("", joint() + joint().replace('"j"', '"k"')),
    "own parent.urdf": urdf("", joint(child="a")),
    "circle.urdf": urdf("", joint() + joint(parent="b", child="a").replace('"j"', '"k"')),
    "unknown link.urdf": urdf("", joint(child="nobody")),
    "no parent.urdf": urdf("", '<joint name="j" type="fixed"><child link="b"/></joint>'),
    "joint of no type.urdf": urdf("", joint('type="elastic"')),
    # files that it names
    "include itself.xml": '<mujoco><include file="include itself.xml"/></mujoco>',
    "include above.xml": '<mujoco><include file="../secret.xml"/></mujoco>',
    "include absolute.xml": '<mujoco><include file="/etc/passwd"/></mujoco>',
    "include of another disk.xml": '<mujoco><include file="C:/secret.xml"/></mujoco>',
    "include backwards.xml": '<mujoco><include file="..\\secret.xml"/></mujoco>',
    "include missing.xml": '<mujoco><include file="gone.xml"/></mujoco>',
    "include nothing.xml": "<mujoco><include/></mujoco>",
    "include of a link.xml": '<mujoco><include file="link.xml"/></mujoco>',
    "mesh above.xml": mjcf(
        '<body name="b"><geom type="mesh" mesh="m"/></body>',
        '<asset><mesh name="m" file="../../x.stl"/></asset>',
    ),
    "meshdir above.xml": mjcf(
        '<body name="b"><geom type="mesh" mesh="m"/></body>',
        '<asset><mesh name="m" file="x.stl"/></asset>',
        '<compiler meshdir="../.."/>',
    ),
    "mesh above.urdf": shape('<mesh filename="../../../../../../etc/x.stl"/>'),
    "mesh absolute.urdf": shape('<mesh filename="/etc/passwd"/>'),
    "mesh by file.urdf": shape('<mesh filename="file:///etc/passwd"/>'),
    "limits of nan.urdf": urdf("", joint(inside='<limit lower="nan" upper="1"/>')),
    "package of nothing.urdf": shape('<mesh filename="package://"/>'),
    "package above.urdf": shape('<mesh filename="package://p/../../../etc/x.stl"/>'),
    "mesh without name.urdf": shape("<mesh/>"),
    "mesh of no scale.urdf": shape('<mesh filename="x.stl" scale="0 0 0"/>'),
}


def put(folder, name, content):
    path = Path(folder) / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_hostile_files_number_at_least_sixty():
    assert len(HOSTILE) >= 60


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_a_sentence(name, tmp_path):
    (tmp_path.parent / "secret.xml").write_text("<mujoco/>")
    inner = tmp_path / "folder"
    inner.mkdir()
    if sys.platform != "win32":
        (inner / "link.xml").symlink_to(tmp_path.parent / "secret.xml")
    path = put(inner, name, HOSTILE[name])
    begun = time.process_time()
    with pytest.raises(ExchangeError) as refused:
        read(path)
    said = str(refused.value)
    assert time.process_time() - begun < 5.0
    assert said.endswith((".", ".)")) and 20 < len(said) < 400 and "\n" not in said
    assert "passwd" not in said or "passwd" in str(HOSTILE[name])


HARMLESS = {
    "sphere of nothing.urdf": shape('<sphere radius="0"/>'),
    "mimic of nothing.urdf": urdf("", joint(inside='<mimic joint="nobody"/>')),
    "limits of 1e16.urdf": urdf("", joint(inside='<limit lower="-1e16" upper="1e16"/>')),
    "mesh missing of three slashes.urdf": shape('<mesh filename="package:///p/gone.stl"/>'),
    "utf-16 without mark.xml": "<mujoco/>".encode("utf-16-le"),
    "missing mesh.urdf": shape('<mesh filename="gone.stl"/>'),
    "mesh that is none.urdf": shape('<mesh filename="mesh that is none.urdf"/>'),
    "mesh missing in a package.urdf": shape('<mesh filename="package://p/gone.dae"/>'),
    "unknown elements.xml": "<mujoco><nonsense/><worldbody><nonsense/></worldbody></mujoco>",
    "keyframe too long.xml": mjcf(
        f'<body name="b"><joint name="j"/>{BALL}</body>',
        '<keyframe><key qpos="1 2 3 4 5"/></keyframe>',
    ),
    "names without end.urdf": f'<robot name="{"x" * 5000}"><link name="{"y" * 5000}"/></robot>',
    "names that cannot be seen.xml": mjcf(f'<body name="&#x202e;&#x200b;a">{BALL}</body>'),
    "script in a name.xml": mjcf(f'<body name="&lt;script&gt;">{BALL}</body>'),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_odd_files_are_read_with_what_is_missing_in_words(name, tmp_path):
    project, notes = read(put(tmp_path, name, HARMLESS[name]))
    assert isinstance(project, Project)
    assert all(len(note) < 600 for note in notes)
    if any(word in name for word in ("missing", "none", "nothing")):
        assert notes


# mutations of real files: every outcome is a project or a sentence

REAL = [MANY, ROBOT, *(p.read_text() for p in gymnasium_files()[:4])]
ODD = ["nan", "inf", "-1", "1e308", "0", "", "-0 -0 -0", "../..", "\ufffd", "true", "1 2 3 4 5 6 7"]


@settings(max_examples=60)
@given(st.sampled_from(REAL), st.data())
def test_mutated_files_are_read_or_refused(text, data):
    import tempfile

    for _ in range(data.draw(st.integers(1, 3))):
        kind = data.draw(st.sampled_from(["cut", "drop", "twice", "value", "letter"]))
        at = data.draw(st.integers(0, len(text) - 1))
        if kind == "cut":
            text = text[: at + 1]
        elif kind == "drop":
            text = text[:at] + text[at + data.draw(st.integers(1, 40)) :]
        elif kind == "twice":
            part = text[at : at + data.draw(st.integers(1, 200))]
            text = text[:at] + part + text[at:]
        elif kind == "value":
            begin = text.find('"', at)
            end = text.find('"', begin + 1)
            if 0 <= begin < end:
                text = text[: begin + 1] + data.draw(st.sampled_from(ODD)) + text[end:]
        else:
            text = text[:at] + data.draw(st.characters(codec="utf-8")) + text[at + 1 :]
        text = text or " "
    suffix = ".urdf" if "<robot" in text[:200] else ".xml"
    with tempfile.TemporaryDirectory() as folder:
        try:
            project, notes = read(put(folder, f"m{suffix}", text))
        except ExchangeError as error:
            assert len(str(error)) < 500
            return
    for mass in project.mechanism.bodies.values():
        assert all(math.isfinite(x) for x in mass.placement.pose[0])
    assert all(isinstance(note, str) for note in notes)


def test_only_known_endings_are_read():
    for name in ("a.mech", "a.xml", "a.URDF"):
        assert format_of(name).reads is not None
    with pytest.raises(ExchangeError, match=r"\.urdf"):
        format_of("a.docx")


@pytest.mark.parametrize("line", ["a -- b", "a---b", "-----", "ends so --", "a-b\x00"])
def test_any_line_before_an_element_makes_a_file_that_can_be_read(line):
    """XML 1.0, section 2.5: no two hyphens in a row in a comment."""
    data = written(ElementTree.Element("robot"), [line])
    assert ElementTree.fromstring(data).tag == "robot"
    assert b"--" not in data.split(b"<!--")[1].split(b"-->")[0]
