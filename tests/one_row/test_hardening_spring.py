"""A spring that grows stiffer: one row of FORCE_TYPES and one function are a force everywhere."""

import math

import pytest

import mechstudio as ms
from mechstudio.application.document import Document
from mechstudio.application.scene.scene import build_scene
from mechstudio.application.selection import Selection
from mechstudio.application.tools.connector import TwoPointTool
from mechstudio.application.tools.tool import ToolContext
from mechstudio.files.project_file import decode, encode
from mechstudio.model import fields
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirrored
from mechstudio.model.types.forces import FORCE_TYPES
from tests.application.tools.bodies.test_link_tool import click, draw
from tests.one_row.fresh import reported
from tests.one_row.rows import HARDENING_SPRING

# pulled out by 100 mm and released
OSCILLATOR = """
import mechstudio as ms
m = ms.Builder("Hardening")
b = m.body("mass", ("300 mm", 0, 0)).box("40 mm", "40 mm", "40 mm")
m.slider("S", m.ground, b, at=b.world(), axis=(1, 0, 0))
numbers = dict(stiffness="200 N/m", growth=10, free_length="200 mm")
m.force("hardening_spring", "H", a=m.ground, b=b, at=((0, 0, 0), b.world()), **numbers)
project = m.project()
"""


@pytest.fixture(autouse=True)
def row(monkeypatch):
    monkeypatch.setitem(FORCE_TYPES, "hardening_spring", HARDENING_SPRING)


def oscillator():
    known = {}
    exec(OSCILLATOR, known)
    return known["project"]


def test_hardening_spring_runs_conserves_energy_and_has_equations():
    r = reported(
        OSCILLATOR
        + """
import json
result = ms.simulate(project, duration=1)
x, v = float(result.joint_coordinates["S"][-1, 0]), float(result.velocities[-1, 0, 0])
derivation = ms.derive(project)
proof = ms.agreement(derivation)
print(json.dumps([x, v, project.mechanism.bodies["mass"].shapes[0].density.value,
                  result.statistics["energy_error"], proof.how, derivation.text()]))
"""
    )
    x, v, density, error, how, text = r
    mass = density * 0.04**3
    energy = lambda e: 200 * e**2 / 2 + 200 * 10**2 * e**4 / 4
    assert energy(0.1 + x) + mass * v**2 / 2 == pytest.approx(energy(0.1), rel=1e-6)
    assert error < 1e-6 and how == "by numbers"
    assert "growth of H" in text and "g = 10" in text


def test_hardening_spring_is_checked():
    project = oscillator()
    analysis = ms.check(project)
    assert analysis.structure.mobility == 1 and not analysis.findings
    with pytest.raises(ValueError, match="a hardening spring needs growth="):
        m = ms.Builder()
        b = m.body("mass", (1, 0, 0)).sphere("1 m")
        m.force("hardening_spring", "H", a=m.ground, b=b, at=((0, 0, 0), b.world()), stiffness=1)


def test_hardening_spring_survives_a_file_and_a_mirror():
    project = oscillator()
    assert decode(encode(project)).project == project
    mirror_plane = MirrorPlane((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    image = mirrored(project, [*project.mechanism.bodies, *project.mechanism.forces], mirror_plane)
    force = image.mechanism.forces["H"]
    assert force.parameters == project.mechanism.forces["H"].parameters
    assert image.mechanism.frame_in_world(force.frame_b)[0][0] == pytest.approx(-0.3)


def test_hardening_spring_is_drawn_with_suitable_numbers():
    context = ToolContext(Document(), Selection(), grid=0.05)
    draw(context, (0.0, 0.0), (0.2, 0.0), end="")
    tool = TwoPointTool(context, "hardening_spring")
    click(tool, 0.1, 0.3)
    assert [name for name, _ in tool.numbers.fields] == ["free length", "stiffness"]
    click(tool, 0.1, 0.0, body="link_1")
    (force,) = context.document.project.mechanism.forces.values()
    assert force.name == "hardening spring 1" and set(force.parameters) == {
        "stiffness",
        "growth",
        "free_length",
    }
    assert force.parameters["free_length"].value == pytest.approx(0.3)
    assert force.parameters["growth"].value == 5.0
    assert context.document.history[0][-1] == "Add hardening spring 1"


def test_hardening_spring_has_fields_and_a_picture():
    project = oscillator()
    force = project.mechanism.forces["H"]
    labels = [f.label for f in fields.fields(force, "H", project.mechanism)]
    assert labels[:3] == ["Stiffness", "Growth", "Free length"]
    bare = oscillator()
    m = bare.mechanism
    without = ms.Project(
        **{f: getattr(bare, f) for f in bare.__struct_fields__}
        | {"mechanism": type(m)(**{f: getattr(m, f) for f in m.__struct_fields__} | {"forces": {}})}
    )
    assert len(build_scene(project).solid.triangles) > len(build_scene(without).solid.triangles)
    assert math.isfinite(force.parameters["stiffness"].value)


def test_hardening_spring_has_a_menu_entry_and_a_tool():
    action = reported(
        "from mechstudio.application.actions.registry import by_id\n"
        "import json\n"
        "a = by_id('hardening_spring')\n"
        "print(json.dumps([a.text, a.menu, a.icon, a.words]))"
    )
    assert action == ["Hardening spring", "Insert", "tool_spring", "progressive duffing"]
