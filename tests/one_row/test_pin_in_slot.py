"""A pin in a slot: one row of JOINT_TYPES is a joint everywhere."""

import math

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.document import Document
from mechstudio.application.scene.joints.joint_glyphs import glyph
from mechstudio.application.scene.joints.joint_icons import icon_text
from mechstudio.application.scene.scene import build_scene
from mechstudio.application.selection import Selection
from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.engine.structure.conservation import conserved
from mechstudio.files.project_file import decode, encode
from mechstudio.model.edits.links import set_joint_type
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirrored
from mechstudio.model.element_fields.joints import joint_fields
from mechstudio.model.quantity import vector
from mechstudio.model.types.joints import JOINT_TYPES, icon_of
from tests.application.tools.bodies.test_link_tool import click, draw
from tests.one_row.fresh import reported
from tests.one_row.rows import PIN_IN_SLOT


@pytest.fixture(autouse=True)
def row(monkeypatch):
    monkeypatch.setitem(JOINT_TYPES, "pin_in_slot", PIN_IN_SLOT)


def scotch_yoke():
    """A crank of 100 mm at 6 rad/s whose end slides up and down in a yoke, which slides along X."""
    m = ms.Builder("Scotch yoke")
    crank = m.link("crank", (0, 0, 0), length="100 mm", angle="50 deg")
    yoke = m.body("yoke", ("300 mm", 0, 0)).box("400 mm", "20 mm", "20 mm")
    hinge = m.pin("A", m.ground, crank, at=crank.start)
    m.slider("S", m.ground, yoke, at=yoke.world(), axis=(1, 0, 0))
    m.joint("pin_in_slot", "P", yoke, crank, at=crank.end, axis=(0, -1, 0), x=(0, 0, 1))
    m.drive("motor", hinge, speed="6 rad/s")
    return m.project()


def test_pin_in_slot_is_built_simulated_and_reported():
    project = scotch_yoke()
    analysis = ms.check(project)
    assert analysis.structure.mobility == 1 and analysis.structure.hyperstaticity == 3
    (finding,) = [f for f in analysis.findings if f.element == "P"]
    assert finding.message.startswith("Pin in a slot P also prevents ")
    result = ms.simulate(project, duration=0.5)
    angle = math.radians(50) + 6 * result.time
    x = 0.1 * (np.cos(angle) - math.cos(math.radians(50)))
    assert result.joint_coordinates["S"][:, 0] == pytest.approx(x, abs=1e-6)
    z = 0.1 * (np.sin(angle) - math.sin(math.radians(50)))
    assert result.joint_coordinates["P"][:, 0] == pytest.approx(z, abs=1e-6)


def test_its_equations_agree_with_the_engine():
    project = scotch_yoke()
    proof = ms.agreement(ms.derive(project))
    assert proof.how == "by numbers", proof.detail


def test_pin_in_slot_is_posed_and_assembled():
    project = ms.at(scotch_yoke(), "P", "20 mm")
    (p, _), (r, _) = (
        project.mechanism.frame_in_world(f)
        for f in (project.mechanism.joints["P"].frame_a, project.mechanism.joints["P"].frame_b)
    )
    assert math.dist(p, r) == pytest.approx(0.02, abs=1e-9)
    assert ms.branches(scotch_yoke()).problem == ""


def test_pin_in_slot_is_kept_in_a_file():
    project = scotch_yoke()
    assert decode(encode(project)).project == project


def test_its_mirror_image_moves_alike():
    project = scotch_yoke()
    m = project.mechanism
    after = mirrored(project, [*m.bodies, *m.joints], MirrorPlane((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    one, other = (ms.simulate(p, duration=0.3) for p in (project, after))
    for joint in "ASP":
        a, b = (r.joint_coordinates[joint] for r in (one, other))
        assert a * JOINT_TYPES[m.joints[joint].type].signs == pytest.approx(b, abs=1e-6)


def test_conserved_quantities_of_a_new_joint_follow_from_its_motions():
    # without weight a body in a slot of the ground keeps its momentum along the slot, and turns on
    m = ms.Builder("Sled", gravity=(0, 0, 0))
    sled = m.body("sled", (0, 0, 0)).box("400 mm", "20 mm", "20 mm")
    m.joint("pin_in_slot", "P", m.ground, sled, at=(0, 0, 0), axis=(0, -1, 0), x=(1, 0, 0))
    kept = [c.words for c in conserved(m.project().mechanism)]
    assert kept == ["momentum along X", "angular momentum of sled about its own axis y"]
    # under weight across the slot only the momentum along it is left
    heavy = msgspec.structs.replace(m.mechanism, gravity=vector(0.0, 0.0, -9.81))
    assert "momentum along X" in [c.words for c in conserved(heavy)]


def test_pin_in_slot_is_drawn_by_its_letter():
    context = ToolContext(Document(), Selection(), grid=0.05)
    draw(context, (0.0, 0.0), (0.2, 0.0), end="escape")
    tool = JointTool(context)
    assert tool.wants("i") and tool.key("i") and tool.title == "pin in slot joint"
    assert any(k.shown == "I" and k.words == "Pin in slot" for k in tool.keys())
    click(tool, 0.1, 0.0, body="link_1")
    (joint,) = context.document.project.mechanism.joints.values()
    assert joint.type == "pin_in_slot"
    assert context.document.history[0][-1] == "Add pin in slot joint A"
    pin = set_joint_type(context.document.project, joint.id, "revolute")
    again = set_joint_type(pin, joint.id, "pin_in_slot")
    assert again.mechanism.joints[joint.id].type == "pin_in_slot"


def test_pin_in_slot_has_a_picture():
    plain = build_scene(scotch_yoke())
    assert glyph("pin_in_slot", 12).lines and len(plain.marks)
    text = icon_text(icon_of("pin_in_slot"))
    assert text.startswith("<svg") and text.count("M") > 5


def test_pin_in_slot_has_fields():
    joint = scotch_yoke().mechanism.joints["P"]
    names = [f.label for f in joint_fields(joint)]
    assert "Initial slide rate" in names and "Typed angle" in names


def test_pin_in_slot_has_a_menu_entry():
    action = reported(
        "from mechstudio.application.actions.registry import by_id\n"
        "import json\n"
        "a = by_id('place_pin_in_slot')\n"
        "print(json.dumps([a.text, a.menu, a.icon, a.words]))"
    )
    assert action == ["Pin in slot", "Insert/Joint", "joint_pin_in_slot", "joint place yoke groove"]
