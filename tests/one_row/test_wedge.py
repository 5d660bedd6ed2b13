"""A wedge: one row of SHAPE_TYPES and one function are a solid everywhere."""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.document import Document
from mechstudio.application.scene.instances import row_poses
from mechstudio.application.scene.scene import build_scene
from mechstudio.application.scene.solids.shapes import FINE, shape_part
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bodies.solid import SolidTool
from mechstudio.application.tools.snapping.candidates import Candidates
from mechstudio.application.tools.tool import ToolContext
from mechstudio.files.project_file import decode, encode
from mechstudio.model.edits.bodies.shapes import new_shape
from mechstudio.model.edits.bodies.sizes import resize
from mechstudio.model.edits.patterns.mirror import MirrorPlane, mirrored
from mechstudio.model.element_fields.bodies import body_fields
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.symbolic.exports.pages.mechanism_drawing import faces
from tests.application.tools.bodies.test_link_tool import click
from tests.one_row.fresh import reported
from tests.one_row.rows import WEDGE

SIZES = {"length": "300 mm", "depth": "200 mm", "height": "120 mm"}


@pytest.fixture(autouse=True)
def row(monkeypatch):
    monkeypatch.setitem(SHAPE_TYPES, "wedge", WEDGE)


def wedge(at=(0, 0, 0), angles=(0, 0, 0), contacts=False):
    """A wedge in the air, above a floor where there are contacts."""
    m = ms.Builder("Wedge")
    m.body("W", at, angles).add("wedge", SIZES, density=1000)
    if contacts:
        m.floor(-0.1)
    return m.project()


def body(project):
    return project.mechanism.bodies["W"]


def test_wedge_has_mass():
    x, y, z = 0.3, 0.2, 0.12
    known = mass_properties(body(wedge()))
    mass = 1000 * x * y * z / 2
    assert known.mass == pytest.approx(mass, rel=1e-12)
    assert known.center == pytest.approx((-x / 6, 0, -z / 6), abs=1e-15)
    moments = (y * y / 12 + z * z / 18, x * x / 18 + z * z / 18, y * y / 12 + x * x / 18)
    inertia = np.array(known.inertia)
    assert np.diag(inertia) == pytest.approx(mass * np.array(moments), rel=1e-12)
    assert inertia[0, 2] == pytest.approx(-mass * -x * z / 36, rel=1e-12)


def test_wedge_is_checked_and_simulated():
    project = wedge()
    analysis = ms.check(project)
    assert analysis.structure.mobility == 6
    assert [f.message for f in analysis.findings] == ["W is connected to nothing and falls freely."]
    result = ms.simulate(project, duration=0.4)
    drop = result.poses[-1, 0, 2] - result.poses[0, 0, 2]
    assert drop == pytest.approx(-9.81 * 0.4**2 / 2, rel=1e-6)


def test_a_run_says_that_nothing_touches_it():
    words = "Contacts know no wedge: that of W passes through everything."
    assert words in [f.message for f in ms.check(wedge(contacts=True)).findings]
    result = ms.simulate(wedge(contacts=True), duration=0.3)
    assert result.poses[-1, 0, 2] == pytest.approx(-9.81 * 0.3**2 / 2, rel=2e-2)
    assert any(words in note for note in result.statistics["notes"])


def test_wedge_has_contacts_if_its_row_enables_them(monkeypatch):
    import msgspec

    monkeypatch.setitem(SHAPE_TYPES, "wedge", msgspec.structs.replace(WEDGE, contacts=True))
    project = wedge(contacts=True)
    assert not [f for f in ms.check(project).findings if "Contacts" in f.message]
    result = ms.simulate(project, duration=0.3)
    assert result.poses[-1, 0, 2] == pytest.approx(-0.1 + 0.06, abs=1e-4)


def test_wedge_is_kept_in_a_file():
    project = wedge((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    assert decode(encode(project)).project == project
    with pytest.raises(ValueError, match="a wedge takes length, depth, height, not length"):
        ms.Builder().body("W").add("wedge", {"length": 1})


@pytest.mark.parametrize("normal", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, 0.0, 0.8)])
def test_its_mirror_image_is_a_wedge(normal):
    project = wedge((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    plane = MirrorPlane((0.0, 0.0, 0.0), normal)
    image = mirrored(project, ["W"], plane)
    (shape,) = body(image).shapes
    assert shape.type == "wedge" and shape.dimensions == body(project).shapes[0].dimensions

    def vertices(project):
        from mechstudio.model.geometry.mesh import arrays
        from mechstudio.model.geometry.rotation import compose, transform

        owner = body(project)
        (own,) = owner.shapes
        pose = compose(owner.placement.pose, own.placement.pose)
        return [transform(pose, tuple(p)) for p in arrays(own.form.mesh)[0]]

    requested = sorted(tuple(np.round(plane.place(p), 9)) for p in vertices(project))
    assert np.array(sorted(tuple(np.round(p, 9)) for p in vertices(image))) == pytest.approx(
        np.array(requested), abs=1e-8
    )


def test_wedge_has_fields_handles_and_points():
    project = wedge()
    names = [f.label for f in body_fields(body(project))]
    assert names[:3] == ["Length", "Depth", "Height"]
    wider = resize(project, "W", 0, WEDGE.sizes[0], Quantity(0.3))
    assert mass_properties(body(wider)).mass == pytest.approx(1000 * 0.3 * 0.3 * 0.12 / 2)
    assert {"centre", "top", "left"} <= body(project).named_points().keys()
    assert any(s.word == "top of W" for s in Candidates(project.mechanism).snaps)


def test_wedge_has_a_picture_and_a_drawing():
    project = wedge()
    (shape,) = body(project).shapes
    part = shape_part(shape, FINE)
    assert part is not None and len(faces(shape.form)) == 8
    a, b, c = (part.skin.points[part.skin.triangles[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    assert volume == pytest.approx(0.3 * 0.2 * 0.12 / 2, rel=1e-6)
    drawn = build_scene(project)
    points = drawn.points_of(("W",), row_poses(drawn.rows, drawn.drawn))
    room = np.ptp(points, axis=0) - (0.3, 0.2, 0.12)
    assert room == pytest.approx(room[0], abs=1e-6) and 0 <= room[0] < 0.03


def test_wedge_is_drawn_as_a_box_is():
    context = ToolContext(Document(), Selection(), grid=0.05)
    tool = SolidTool(context, "wedge")
    click(tool, 0.0, 0.0)
    click(tool, 0.4, 0.2)
    tool.key("enter")
    (made,) = context.document.project.mechanism.bodies.values()
    (shape,) = made.shapes
    assert shape.type == "wedge" and made.name == "wedge 1"
    assert shape.dimensions["length"].value == pytest.approx(0.4)
    assert new_shape("wedge", 0.2).dimensions["depth"].value == pytest.approx(0.1)


def test_wedge_has_a_menu_entry_and_a_letter():
    found = reported(
        "from mechstudio.application.actions.registry import by_id\n"
        "from mechstudio.application.tools.bodies.solid_stages import LETTERS\n"
        "import json\n"
        "a = by_id('body_wedge')\n"
        "print(json.dumps([a.text, a.menu, a.words, LETTERS['w']]))"
    )
    assert found == ["Wedge", "Insert/Body", "body solid add ramp prism", "wedge"]
