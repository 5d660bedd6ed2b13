"""Bodies of every shape by menu and palette, meshes from files, and what the inspector says of them."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.application.scene import build_scene
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.shape_types import SHAPE_TYPES
from mechstudio.project.file import load
from tests import scenes
from tests.meshes import binary_stl

Qt = QtCore.Qt


@pytest.fixture
def box_file(tmp_path):
    """A box of 300 x 100 x 200 with its corner at the origin, in a file without a unit."""
    points, triangles = scenes.box_mesh(300, 100, 200)
    path = tmp_path / "bracket.stl"
    path.write_bytes(binary_stl(points + (150, 50, 100), triangles))
    return path


@pytest.mark.parametrize("type", SHAPE_TYPES)
def test_every_shape_has_an_action(window, type):
    assert f"body_{type}" in window.actions_.by_id and callable(getattr(window.commands, f"body_{type}"))


@pytest.mark.parametrize("type", [t for t in SHAPE_TYPES if t != "mesh"])
def test_a_body_is_inserted_where_the_view_looks_and_can_be_typed(window, qtbot, type):
    studio, before = window.studio, window.studio.document.project
    window.actions_.trigger(f"body_{type}")
    project = studio.document.project
    (id,) = set(project.mechanism.bodies) - set(before.mechanism.bodies)
    body = project.mechanism.bodies[id]
    assert studio.selection.current == id and body.name == f"{SHAPE_TYPES[type].label.lower()} 1"
    assert mass_properties(body).mass > 0 and len(build_scene(project).solid.triangles) > len(build_scene(before).solid.triangles)
    # in the middle of the view, to the grid
    at = np.array(window.viewport.world_to_pixel(np.array([body.placement.pose[0]])))[0]
    if type not in ("link", "plate"):
        assert np.hypot(at[0] - window.viewport.width() / 2, at[1] - window.viewport.height() / 2) < 120
    first = SHAPE_TYPES[type].dimensions[0]
    number = window.docks.inspector.number(("shapes", 0, "dimensions", first.name))
    number.edit.setFocus()
    number.edit.selectAll()
    QtTest.QTest.keyClicks(number.edit, "77 mm")
    QtTest.QTest.keyClick(number.edit, Qt.Key.Key_Return)
    assert studio.document.project.mechanism.bodies[id].shapes[0].dimensions[first.name].value == pytest.approx(0.077)
    studio.undo()
    studio.undo()
    assert studio.document.project.mechanism == before.mechanism


def test_b_draws_a_box(window, qtbot):
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_B)
    assert [b.shapes[0].type for b in window.studio.document.project.mechanism.bodies.values()][-1] == "box"


def dropped(window, path):
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    event = QtGui.QDragEnterEvent(QtCore.QPoint(400, 300), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    window.dragEnterEvent(event)
    assert event.isAccepted()
    window.dropEvent(QtGui.QDropEvent(QtCore.QPointF(400, 300), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))
    return window.commands.sheet


def test_a_dropped_mesh_becomes_a_body_and_is_saved(window, qtbot, box_file, tmp_path):
    sheet = dropped(window, box_file)
    qtbot.waitUntil(lambda: sheet.file is not None)
    assert "12 triangles, 300 × 100 × 200 mm" in sheet.size.text()
    sheet.unit.button("cm").click()
    assert "3000 × 1000 × 2000 mm" in sheet.size.text()
    sheet.unit.button("mm").click()
    sheet.button.click()
    body = list(window.studio.document.project.mechanism.bodies.values())[-1]
    assert body.name == "bracket 1" and window.studio.selection.current == body.id
    p = mass_properties(body)
    assert p.mass == pytest.approx(7850 * 0.006, rel=1e-12)
    path = tmp_path / "with_mesh.mech"
    assert window.studio.save(path)
    assert load(path).project.mechanism == window.studio.document.project.mechanism


def test_a_mesh_with_a_hole_is_refused_with_its_place(window, qtbot, tmp_path):
    points, triangles = scenes.box_mesh(300, 100, 200)
    path = tmp_path / "open.stl"
    path.write_bytes(binary_stl(points, triangles[1:]))
    sheet = dropped(window, path)
    qtbot.waitUntil(lambda: "hole" in sheet.size.text())
    assert "(−150, −16.67, 33.33) mm: 3 open edges" in sheet.size.text() and not sheet.button.isEnabled()
    before = window.studio.document.project
    sheet.close_sheet()
    assert window.studio.document.project is before
