"""Bodies of every shape by menu and palette, meshes from files, and what the inspector says of
them.
"""

import math

import ezdxf
import msgspec
import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest, QtWidgets

from mechstudio import translation
from mechstudio.application.actions import edit
from mechstudio.application.scene import build_scene, row_poses
from mechstudio.application.tools.joints.joint import JointTool
from mechstudio.application.tools.tool import Pointer
from mechstudio.files.project_file import load
from mechstudio.model.edits import elements
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Body, Mechanism
from mechstudio.model.project import Camera, Project
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.model.units import format_value
from mechstudio.view.actions.insert import ask_mesh
from mechstudio.view.dialogs.mesh_import import MeshSheet
from mechstudio.view.inspector.body import BodyPart
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.picking import Picker
from mechstudio.view.widgets.form import Text
from mechstudio.view.widgets.widgets import IconButton
from tests import scenes
from tests.meshes import binary_stl

Qt = QtCore.Qt


@pytest.fixture
def box_file(tmp_path):
    """A box of 300 x 100 x 200 with its corner at the origin, in a file without a unit."""
    points, triangles = scenes.box_mesh(300, 100, 200)
    path = tmp_path / "bracket.stl"
    path.write_bytes(binary_stl(points + np.array((150, 50, 100)), triangles))
    return path


@pytest.mark.parametrize("type", SHAPE_TYPES)
@pytest.mark.thinned(3)
def test_every_shape_has_an_action(window, type):
    assert f"body_{type}" in window.actions_.by_id


@pytest.mark.parametrize("type", [t for t in SHAPE_TYPES if t != "mesh"])
@pytest.mark.thinned(2)
def test_a_body_is_inserted_where_the_view_looks_and_can_be_typed(window, qtbot, type):
    studio, before = window.studio, window.studio.document.project
    window.actions_.trigger(f"body_{type}")
    assert studio.tools.tool.name == "solid" and studio.document.project is before
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_Return)
    project = studio.document.project
    (id,) = set(project.mechanism.bodies) - set(before.mechanism.bodies)
    body = project.mechanism.bodies[id]
    assert studio.selection.current == id and body.name == f"{SHAPE_TYPES[type].label.lower()} 1"
    assert mass_properties(body).mass > 0 and len(build_scene(project).solid.triangles) > len(
        build_scene(before).solid.triangles
    )
    # in the middle of the view, to the grid
    at = np.array(window.viewport.framing.world_to_pixel(np.array([body.placement.pose[0]])))[0]
    if type not in ("link", "plate"):
        assert (
            np.hypot(at[0] - window.viewport.width() / 2, at[1] - window.viewport.height() / 2)
            < 120
        )
    first = SHAPE_TYPES[type].dimensions[0]
    number = window.docks.inspector.number(("shapes", 0, "dimensions", first.name))
    number.edit.setFocus()
    number.edit.selectAll()
    QtTest.QTest.keyClicks(number.edit, "77 mm")
    QtTest.QTest.keyClick(number.edit, Qt.Key.Key_Return)
    assert studio.document.project.mechanism.bodies[id].shapes[0].dimensions[
        first.name
    ].value == pytest.approx(0.077)
    edit.undo(studio)
    edit.undo(studio)
    assert studio.document.project.mechanism == before.mechanism


def test_a_number_has_a_comma_in_french_and_is_kept_with_a_point(window, monkeypatch):
    monkeypatch.setattr(translation, "_language", "fr")
    project = window.studio.document.project
    id = next(iter(project.mechanism.bodies))
    window.studio.selection.select(id)
    number = window.docks.inspector.number(("mass",))
    number.edit.setFocus()
    number.edit.selectAll()
    QtTest.QTest.keyClicks(number.edit, "1,25 kg")
    assert number.edit.text() == "1,25 kg" and not number.reason
    QtTest.QTest.keyClick(number.edit, Qt.Key.Key_Up)
    assert number.edit.text() == "1,35 kg"
    QtTest.QTest.keyClick(number.edit, Qt.Key.Key_Return)
    mass = window.studio.document.project.mechanism.bodies[id].mass
    assert mass.value == 1.35 and mass.text == "1.35 kg"


def test_b_draws_a_box(window, qtbot):
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_B)
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_Return)
    assert [b.shapes[0].type for b in window.studio.document.project.mechanism.bodies.values()][
        -1
    ] == "box"


def dropped(window, path):
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    event = QtGui.QDragEnterEvent(
        QtCore.QPoint(400, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dragEnterEvent(event)
    assert event.isAccepted()
    window.dropEvent(
        QtGui.QDropEvent(
            QtCore.QPointF(400, 300),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    return window.sheet


def test_a_dropped_mesh_becomes_a_body_and_is_saved(window, qtbot, box_file, tmp_path):
    sheet = dropped(window, box_file)
    qtbot.waitUntil(lambda: sheet.file is not None)
    assert "12 triangles, 300 × 100 × 200 mm" in sheet.words.text()
    sheet.unit.button("cm").click()
    assert "3000 × 1000 × 2000 mm" in sheet.words.text()
    sheet.unit.button("mm").click()
    sheet.button.click()
    body = list(window.studio.document.project.mechanism.bodies.values())[-1]
    assert body.name == "bracket 1" and window.studio.selection.current == body.id
    p = mass_properties(body)
    assert p.mass == pytest.approx(7850 * 0.006, rel=1e-12)
    path = tmp_path / "with_mesh.mech"
    assert window.studio.files.save(path)
    assert load(path).project.mechanism == window.studio.document.project.mechanism


def test_a_mesh_with_a_hole_is_refused_with_its_place(window, qtbot, tmp_path):
    points, triangles = scenes.box_mesh(300, 100, 200)
    path = tmp_path / "open.stl"
    path.write_bytes(binary_stl(points, triangles[1:]))
    sheet = dropped(window, path)
    qtbot.waitUntil(lambda: "hole" in sheet.words.text())
    assert (
        "(−150, −16.67, 33.33) mm: 3 open edges" in sheet.words.text()
        and not sheet.button.isEnabled()
    )
    before = window.studio.document.project
    sheet.close_sheet()
    assert window.studio.document.project is before


def open_part(window, id):
    """The inspector's part of a body, its folds open."""
    window.studio.selection.select(id)
    part = window.docks.inspector.parts(BodyPart)[0]
    part.shapes.set_open(True)
    part.principal.set_open(True)
    return part


@pytest.mark.parametrize("type", ["box", "disc", "plate"])
@pytest.mark.thinned(3)
def test_shapes_are_added_and_taken_in_the_inspector(window, type):
    studio = window.studio
    before = studio.document.project
    part = open_part(window, "crank")
    action = next(a for a in part.add.menu().actions() if a.objectName() == type)
    action.trigger()
    QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_Return)
    crank = studio.document.project.mechanism.bodies["crank"]
    assert [s.type for s in crank.shapes] == ["link", type]
    assert mass_properties(crank).mass > mass_properties(before.mechanism.bodies["crank"]).mass
    part = open_part(window, "crank")
    buttons = part.shapes.body.findChildren(IconButton)
    assert len(buttons) == 2
    buttons[1].click()
    assert studio.document.project.mechanism == before.mechanism


def test_a_mesh_is_added_in_the_inspector(window, qtbot, box_file):
    part = open_part(window, "crank")
    next(a for a in part.add.menu().actions() if a.objectName() == "mesh").trigger()
    dialog = window.findChild(QtWidgets.QFileDialog)
    dialog.fileSelected.emit(str(box_file))
    dialog.close()
    sheet = window.findChild(MeshSheet)
    qtbot.waitUntil(lambda: sheet.file is not None)
    sheet.button.click()
    shapes = window.studio.document.project.mechanism.bodies["crank"].shapes
    assert [s.type for s in shapes] == ["link", "mesh"] and shapes[1].mesh.source == "bracket.stl"


def test_a_mesh_comes_in_by_the_dialog_of_the_system(window, qtbot, box_file):
    before = set(window.studio.document.project.mechanism.bodies)
    window.viewport.setFocus()
    window.actions_.by_id["body_mesh"].trigger()
    dialog = window.findChild(QtWidgets.QFileDialog)
    qtbot.waitUntil(dialog.isVisible)
    dialog.selectFile(str(box_file))
    # the name field has the keys, as when a name is typed
    name = dialog.findChild(QtWidgets.QLineEdit, "fileNameEdit")
    dialog.activateWindow()
    name.setFocus()
    qtbot.waitUntil(lambda: QtWidgets.QApplication.focusWidget() is name)
    QtTest.QTest.keyClick(name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(MeshSheet) is not None, timeout=10_000)
    sheet = window.findChild(MeshSheet)
    qtbot.waitUntil(lambda: sheet.file is not None)
    # the dialog is gone by now, and the field with it that had the keys
    qtbot.waitUntil(lambda: window.findChild(QtWidgets.QFileDialog) is None)
    QtTest.QTest.mouseClick(sheet.button, Qt.MouseButton.LeftButton)
    made = set(window.studio.document.project.mechanism.bodies) - before
    assert len(made) == 1 and window.findChild(MeshSheet) is None
    (shape,) = window.studio.document.project.mechanism.bodies[made.pop()].shapes
    assert shape.type == "mesh" and shape.mesh.source == "bracket.stl"


def test_a_profile_becomes_a_plate_whose_hole_takes_a_pin(window, qtbot, tmp_path):
    document = ezdxf.new(units=4)
    space = document.modelspace()
    space.add_lwpolyline([(0, 0), (80, 0), (80, 40), (0, 40)], close=True)
    space.add_circle((20, 20), 8)
    document.saveas(path := tmp_path / "lever.dxf")
    before = set(window.studio.document.project.mechanism.bodies)
    ask_mesh(window, path, Pointer((1.5, 0.0, 1.5), 0.001))
    sheet = window.findChild(MeshSheet)
    qtbot.waitUntil(lambda: sheet.file is not None)
    assert sheet.thick.isVisible() and "1 hole" in sheet.notes.text()
    sheet.thickness.setText("")
    QtTest.QTest.keyClicks(sheet.thickness, "0")
    assert sheet.file is None and "above zero" in sheet.words.text()
    sheet.thickness.clear()
    QtTest.QTest.keyClicks(sheet.thickness, "10 mm")
    QtTest.QTest.mouseClick(sheet.button, Qt.MouseButton.LeftButton)
    project = window.studio.document.project
    (id,) = set(project.mechanism.bodies) - before
    body = project.mechanism.bodies[id]
    area = 80 * 40 - math.pi * 64
    assert mass_properties(body).mass == pytest.approx(7850 * area * 1e-6 * 0.01, rel=2e-4)
    hole = project.mechanism.body(id).named_points()["hole 1"]
    at = transform(body.placement.pose, hole)
    tool = JointTool(window.studio.tools.context)
    near = (at[0] + 5e-4, at[1], at[2])
    tool.move(Pointer(near, 1e-4))
    tool.press(Pointer(near, 1e-4))
    tool.release(Pointer(near, 1e-4))
    joint = list(window.studio.document.project.mechanism.joints.values())[-1]
    assert {(f.body, f.point) for f in (joint.frame_a, joint.frame_b)} >= {(id, "hole 1")}


def test_the_material_of_a_shape(window):
    part = open_part(window, "crank")
    next(
        b
        for b in part.shapes.body.findChildren(QtWidgets.QPushButton)
        if b.accessibleName() == "Material"
    ).menu().actions()[1].trigger()
    assert window.studio.document.project.mechanism.bodies["crank"].shapes[0].material == "steel"
    assert "steel" in window.studio.document.undo_label


def texts(part):
    return {key: reading.text() for key, reading in part._readings.items()}


def test_principal_axes_are_read_in_the_inspector(window):
    """A box of 300 x 100 x 200 mm of steel: m = 47.1 kg, m (b^2 + c^2) / 12 and so on, the smallest
    about its longest side.
    """
    studio = window.studio
    body = Body("part", "part", (scenes.shape("box", length=0.3, depth=0.1, height=0.2),))
    studio.document.commit(
        "part",
        msgspec.structs.replace(studio.document.project, mechanism=Mechanism({"part": body})),
    )
    shown = texts(open_part(window, "part"))
    m = 7850 * 0.006
    assert shown["mass"] == "47.1 kg" and shown["center"] == "0, 0, 0 mm"
    for key, value in (
        ("moment I₁", m * (0.1**2 + 0.2**2) / 12),
        ("moment I₂", m * (0.3**2 + 0.1**2) / 12),
        ("moment I₃", m * (0.3**2 + 0.2**2) / 12),
    ):
        assert shown[key] == format_value(value, "inertia", digits=4)
    # the second is the vertical axis: x, z, and -y to be right-handed
    assert (shown["axis I₁"], shown["axis I₂"], shown["axis I₃"]) == (
        "1, 0, 0",
        "0, 0, −1",
        "0, 1, 0",
    ) and shown["angles"] == "0, 0, −90 deg"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"mass": Quantity(0.0)}, {"mass": "–", "moment I₁": "–", "axis I₁": "–", "angles": "–"}),
        (
            {"mass": Quantity(2.0), "inertia": (Quantity(0.0),) * 6},
            {"mass": "2 kg", "moment I₃": "0 kg·mm²", "axis I₁": "any", "angles": "–"},
        ),
        (
            {
                "mass": Quantity(2.0),
                "inertia": tuple(map(Quantity, (1.0, 1.0, 0.0, 0.0, 0.0, 0.0))),
            },
            {"moment I₁": "0 kg·mm²", "axis I₁": "0, 0, 1", "axis I₂": "any across I₁"},
        ),
    ],
    ids=["no mass", "point mass", "thin rod"],
)
@pytest.mark.thinned(2)
def test_unknown_and_free_axes(window, changes, expected):
    studio = window.studio
    body = Body("part", "part", **changes)
    studio.document.commit(
        "part",
        msgspec.structs.replace(studio.document.project, mechanism=Mechanism({"part": body})),
    )
    part = open_part(window, "part")
    assert expected.items() <= texts(part).items() and part.reason.isHidden()


def test_an_impossible_inertia_is_explained_where_it_is_typed(window):
    open_part(window, "crank")
    studio = window.studio
    crank = studio.document.project.mechanism.bodies["crank"]
    wrong = msgspec.structs.replace(
        crank, inertia=tuple(map(Quantity, (1.0, 1.0, 3.0, 0.0, 0.0, 0.0)))
    )
    studio.document.commit("wrong", elements.put_element(studio.document.project, "crank", wrong))
    part = window.docks.inspector.parts(BodyPart)[0]
    assert (
        "is by 1000000 kg·mm² more than the sum of the other two" in part.reason.text()
        and not part.reason.isHidden()
    )
    edit.undo(studio)
    assert window.docks.inspector.parts(BodyPart)[0].reason.isHidden()


def test_an_undo_takes_a_body_away_under_the_cursor(window, qtbot):
    """The field that has the focus goes with its body."""
    for field in ("name", "number"):
        window.actions_.trigger("body_box")
        QtTest.QTest.keyClick(window.viewport, Qt.Key.Key_Return)
        inspector = window.docks.inspector
        (
            inspector.parts(Text)[0].edit if field == "name" else inspector.number(("mass",)).edit
        ).setFocus()
        edit.undo(window.studio)
        qtbot.wait(20)
        assert window.studio.selection.current != "box_1"


def test_principal_axes_of_the_selected_body_are_drawn(window, qtbot):
    """Lines through the centre of mass, only while it is selected and they are requested."""
    studio, view = window.studio, window.viewport
    body = Body("part", "part", (scenes.shape("box", length=0.3, depth=0.1, height=0.2),))
    studio.document.commit(
        "part",
        msgspec.structs.replace(studio.document.project, mechanism=Mechanism({"part": body})),
    )
    view.framing.fit()
    studio.selection.select()
    view.navigator.set_tool(None)  # the handles of the selection lie over its axes
    seen = []
    for ids, requested in (((), True), ((), False), (("part",), True), (("part",), False)):
        studio.selection.select(*ids)
        studio.preferences.set(axes=requested)
        window.actions_.refresh()
        assert window.actions_.by_id["axes"].isChecked() == requested and set(
            view.shown.crosses(view.look.selected)
        ) == set(ids)
        image = view.grab().toImage().convertToFormat(QtGui.QImage.Format.Format_RGB32)
        seen.append(
            np.frombuffer(image.constBits(), np.uint8)
            .reshape(image.height(), image.width(), 4)[..., :3]
            .astype(int)
        )
    changed = [int((np.abs(a - b).max(axis=2) > 60).sum()) for a, b in (seen[:2], seen[2:])]
    assert changed[0] == 0 and changed[1] > 100
    studio.preferences.set(axes=False)
    view.navigator.set_tool(studio.tools.tool)


def test_a_mesh_is_picked_where_it_is_and_a_spring_where_it_was_stretched_to():
    """Surfaces are kept between picks: those of rigid rows stay right when the body moves, a
    spring's are made again.
    """
    camera = Camera((0.0, 0.0, 0.0), -90.0, 0.0, 5.0, False)
    scene = build_scene(
        Project(Mechanism({"a": Body("a", "a", (scenes.mesh_shape(*scenes.ball_mesh(24, 0.1)),))}))
    )
    picker = Picker(scene)
    for x in (0.0, 0.7):
        poses = scene.drawn.copy()
        poses[0, 0] = x
        rows = row_poses(scene.rows, poses)
        ray = lens.ray(
            camera, (800, 600), *lens.project(camera, (800, 600), np.array([[x, 0, 0]]))[0, :2]
        )
        hit = picker.surface(rows, ray)
        # the facets lie inside the ball by the height of their chords
        assert hit.id == "a" and hit.point == pytest.approx((x, -0.1, 0), abs=1e-3)
    assert picker.surface(row_poses(scene.rows, scene.drawn), ray) is None
    scene = build_scene(scenes.spring_pendulum())
    picker, k = Picker(scene), scene.rows.owners.index("spring")
    for lift in (0.0, -0.6):
        poses = scene.drawn.copy()
        poses[0, 2] += lift
        rows = row_poses(scene.rows, poses)
        middles = rows[k, 4:7] + np.outer(np.linspace(0.1, 0.9, 40) * rows[k, 7], (0, 0, -1.0))
        hits = [
            picker.surface(
                rows,
                lens.ray(camera, (800, 600), *lens.project(camera, (800, 600), p[None])[0, :2]),
            )
            for p in middles
        ]
        low = min(h.point[2] for h in hits if h is not None and h.id == "spring")
        assert low == pytest.approx(middles[-1][2], abs=0.1 * rows[k, 7]), lift
