"""Solids, points, springs and forces drawn by real mouse and keys in the window, with typed
numbers; meshes dropped on it.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest

from mechstudio.application.actions import edit as edit_actions
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import GROUND
from mechstudio.view.widgets.form import Reading, Text
from tests import scenes
from tests.meshes import binary_stl
from tests.view.files import kept

Qt = QtCore.Qt
KEYS = {"⏎": Qt.Key.Key_Return, "⎋": Qt.Key.Key_Escape, "⇥": Qt.Key.Key_Tab}


def pixel(window, point):
    x, y = window.viewport.framing.world_to_pixel(np.array([point], float))[0]
    return QtCore.QPoint(round(x), round(y))


def move(window, point):
    at = point if isinstance(point, QtCore.QPoint) else pixel(window, point)
    QtTest.QTest.mouseMove(window.viewport, at)
    event = QtGui.QMouseEvent(
        QtCore.QEvent.Type.MouseMove,
        QtCore.QPointF(at),
        QtCore.QPointF(window.viewport.mapToGlobal(at)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QtCore.QCoreApplication.sendEvent(window.viewport, event)
    return at


def click(window, *points, modifiers=Qt.KeyboardModifier.NoModifier):
    for point in points:
        QtTest.QTest.mouseClick(
            window.viewport, Qt.MouseButton.LeftButton, modifiers, move(window, point)
        )


def keys(window, text):
    """Keys as typed, to the focused widget."""
    for c in text:
        if c in KEYS:
            QtTest.QTest.keyClick(window.viewport, KEYS[c])
        else:
            QtTest.QTest.keyClicks(window.viewport, c)


def bodies(window):
    return list(window.studio.document.project.mechanism.bodies.values())


def sizes(window, shape=-1):
    return {
        name: round(q.value, 9) for name, q in bodies(window)[-1].shapes[shape].dimensions.items()
    }


# letter, clicks, what is typed, sizes
DRAWN = (
    ("", [(0, 0, 0)], "120, 80⏎40⏎", {"length": 0.12, "height": 0.08, "depth": 0.04}),
    ("d", [(0, 0, 0)], "60⏎15⏎", {"radius": 0.06, "thickness": 0.015}),
    ("s", [(0, 0, 0)], "45⏎", {"radius": 0.045}),
    ("y", [(0, 0, 0)], "300,90⏎20⏎", {"radius": 0.02, "height": 0.3}),
    ("k", [(0, 0, 0), (0, 0, 0.2)], "3 cm⏎", {"radius": 0.03, "height": 0.2}),
    (
        "n",
        [(0, 0, 0), (0.2, 0, 0)],
        "50⏎",
        {"bottom_radius": 0.05, "top_radius": 0.0, "height": 0.2},
    ),
    ("l", [(0, 0, 0)], "250,0⏎30⏎6⏎", {"length": 0.25, "width": 0.03, "thickness": 0.006}),
)


def test_each_shape_is_drawn_by_mouse_with_a_typed_number(empty):
    studio = empty.studio
    for letter, points, typed, expected in DRAWN:
        keys(empty, "b" + letter)
        click(empty, *points)
        move(empty, (0.15, 0, 0.1))
        keys(empty, typed)
        assert (
            sizes(empty) == expected
            and studio.selection.current == bodies(empty)[0].id
            and studio.tools.tool.name == "solid"
        )
        keys(empty, "⎋")
        assert not studio.tools.is_drawing
        edit_actions.undo(studio)
        assert not bodies(empty) and not studio.document.undo_label


def test_a_box_by_three_clicks_is_shown_while_it_is_drawn(empty):
    keys(empty, "b")
    click(empty, (0, 0, 0))
    move(empty, (0.2, 0, 0.1))
    assert "box_1" in empty.viewport.shown.project.mechanism.bodies and not bodies(empty)
    click(empty, (0.2, 0, 0.1))
    click(empty, pixel(empty, (0.2, 0, 0.1)))
    assert sizes(empty)["length"] == 0.2 and mass_properties(bodies(empty)[0]).mass > 0


def test_escape_leaves_no_trace(empty):
    before = empty.studio.document.project
    keys(empty, "b")
    click(empty, (0, 0, 0), (0.2, 0, 0.1))
    keys(empty, "33⎋⎋⎋⎋")
    assert (
        empty.studio.document.project is before
        and not empty.studio.tools.is_drawing
        and empty.viewport.shown.project is before
    )


def test_a_plate_polygon(empty):
    keys(empty, "bp")
    click(
        empty,
        (0, 0, 0),
        (0.3, 0, 0),
        (0.3, 0, 0.1),
        (0.1, 0, 0.1),
        (0.1, 0, 0.3),
        (0, 0, 0.3),
        (0, 0, 0),
    )
    keys(empty, "10⏎")
    assert mass_properties(bodies(empty)[0]).mass == pytest.approx(7850 * 0.05 * 0.01)


def test_a_wheel_with_a_weight_off_its_centre(empty):
    keys(empty, "bd")
    click(empty, (0, 0, 0))
    keys(empty, "200⏎20⏎⎋")
    move(empty, (0.1, 0, 0))
    QtTest.QTest.keyClick(empty.viewport, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
    keys(empty, "d")
    at = move(empty, (0.1, -0.01, 0))
    assert "part of disc 1" in empty.studio.tools.tool.preview.word
    click(empty, at)
    keys(empty, "40⏎30⏎")
    (wheel,) = bodies(empty)
    assert (
        len(wheel.shapes) == 2
        and 0.001 < mass_properties(wheel).center[0] < 0.1
        and empty.studio.document.undo_label == "Add wheel to disc 1"
    )
    assert wheel.shapes[1].placement.position[1].value == pytest.approx(-0.025), (
        "it stands on the face"
    )


def test_alt_at_the_first_click_makes_a_part_of_the_body_there(empty):
    keys(empty, "b")
    click(empty, (0, 0, 0))
    keys(empty, "300,200⏎40⏎bs")
    click(empty, (0.2, -0.02, 0.1), modifiers=Qt.KeyboardModifier.AltModifier)
    keys(empty, "50⏎")
    (box,) = bodies(empty)
    assert [s.type for s in box.shapes] == [
        "box",
        "sphere",
    ] and empty.studio.document.undo_label == "Add sphere to box 1"


def two_boxes(window):
    """Two boxes side by side, each off the plane, seen from a corner."""
    keys(window, "b")
    click(window, (0, 0, 0))
    keys(window, "100,100⏎60⏎")
    click(window, (0.3, 0, 0.1))
    keys(window, "100,100⏎60⏎⎋")
    window.viewport.framing.view_from("corner")


def test_points_are_clicked_named_and_listed(empty):
    two_boxes(empty)
    keys(empty, "p")
    click(empty, (0.05, -0.03, 0.06))
    keys(empty, "hook⏎⎋")
    box = bodies(empty)[0]
    assert [p.name for p in box.points] == [
        "hook"
    ] and empty.studio.document.undo_label == "Add point hook to box 1"
    assert transform(box.placement.pose, box.point("hook")) == pytest.approx(
        (0.05, -0.03, 0.06), abs=3e-3
    )
    field = empty.docks.inspector.number(("points", 0, "position", 0))
    field.edit.setFocus()
    field.edit.selectAll()
    QtTest.QTest.keyClicks(field.edit, "20 mm")
    QtTest.QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert bodies(empty)[0].point("hook")[0] == pytest.approx(0.02)


def test_a_spring_between_two_solids_with_a_typed_free_length(empty):
    two_boxes(empty)
    keys(empty, "s")
    # corners of both that this view shows
    click(empty, (0.1, -0.03, 0.1))
    move(empty, (0.3, -0.03, 0.2))
    keys(empty, "150⏎")
    (spring,) = empty.studio.document.project.mechanism.forces.values()
    m = empty.studio.document.project.mechanism
    assert [m.frame_in_world(f)[0] for f in (spring.frame_a, spring.frame_b)] == [
        pytest.approx((0.1, -0.03, 0.1)),
        pytest.approx((0.3, -0.03, 0.2)),
    ]
    assert (
        spring.parameters["free_length"].value == pytest.approx(0.15)
        and spring.frame_a.point == "right front top"
    )


@pytest.mark.slow
def test_a_force_is_dragged_from_a_solid(empty):
    two_boxes(empty)
    keys(empty, "f")
    start, end = (
        move(empty, (0.05, -0.03, 0.1)),
        pixel(empty, (0.05, -0.03, 0.1)) - QtCore.QPoint(0, 60),
    )
    QtTest.QTest.mousePress(
        empty.viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start
    )
    move(empty, end)
    QtTest.QTest.mouseRelease(
        empty.viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end
    )
    (force,) = empty.studio.document.project.mechanism.forces.values()
    assert force.parameters["z"].value > 1.0 and force.frame_b.body == "box_1"


def test_m_a_click_and_a_typed_speed_drive_a_joint(empty):
    keys(empty, "l")
    click(empty, (0, 0, 0), (0.2, 0, 0.1))
    keys(empty, "⎋j")
    click(empty, (0, 0, 0))
    (joint,) = empty.studio.document.project.mechanism.joints
    keys(empty, "⎋m")
    edit = empty.docks.inspector.numbers[0].edit
    assert edit.hasFocus() and edit.selectedText() == edit.text()
    typed = edit.text()
    QtTest.QTest.keyClick(edit, Qt.Key.Key_Space)
    assert edit.text() == typed and empty.studio.runs.recording is not None, "Space plays"
    QtTest.QTest.keyClicks(edit, "30 rpm")
    QtTest.QTest.keyClick(edit, Qt.Key.Key_Return)
    assert empty.viewport.hasFocus(), "the keys are the view's again: Space plays"
    (drive,) = empty.studio.document.project.mechanism.drives.values()
    assert (
        drive.joint == joint
        and drive.law.parameters["value"].text == "30 rpm"
        and GROUND
        in (
            empty.studio.document.project.mechanism.joints[joint].frame_a.body,
            empty.studio.document.project.mechanism.joints[joint].frame_b.body,
        )
    )


@pytest.fixture
def bracket(tmp_path):
    """A box of 60 x 20 x 200 with its corner at the origin, in a file without a unit."""
    points, triangles = scenes.box_mesh(60, 20, 200)
    path = tmp_path / "bracket.stl"
    path.write_bytes(binary_stl(points + np.array((30, 10, 100)), triangles))
    return path


def drop(window, path, point):
    """A file dragged from outside and dropped over a point of W."""
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(str(path))])
    at = window.viewport.mapTo(window, pixel(window, point))
    how = (data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    window.dragEnterEvent(QtGui.QDragEnterEvent(at, Qt.DropAction.CopyAction, *how))
    window.dragMoveEvent(QtGui.QDragMoveEvent(at, Qt.DropAction.CopyAction, *how))
    hovered = window.studio.selection.hovered
    window.dropEvent(QtGui.QDropEvent(QtCore.QPointF(at), Qt.DropAction.CopyAction, *how))
    return window.sheet, hovered


def test_a_pendulum_with_the_skin_of_a_mesh(empty, qtbot, bracket):
    """Dropped where it shall hang, pinned to the ground at the middle of its top."""
    sheet, hovered = drop(empty, bracket, (0.1, 0, 0.2))
    qtbot.waitUntil(lambda sheet=sheet: sheet.file is not None)
    assert not hovered and sheet.choice.isHidden() and "1.884 kg of steel" in sheet.words.text()
    sheet.button.click()
    (body,) = bodies(empty)
    assert transform(body.placement.pose, mass_properties(body).center) == pytest.approx(
        (0.1, 0, 0.2), abs=1e-9
    )
    empty.viewport.setFocus()
    keys(empty, "j")
    click(empty, (0.1, 0, 0.3))
    m = empty.studio.document.project.mechanism
    (joint,) = m.joints.values()
    assert (joint.frame_a.body, joint.frame_b.body, joint.frame_b.point) == (GROUND, body.id, "top")
    assert m.frame_in_world(joint.frame_b)[0] == pytest.approx((0.1, 0, 0.3))


@pytest.mark.slow
def test_the_pendulum_of_a_mesh_swings_and_is_kept(solved, qtbot, bracket, tmp_path):
    """Dropped beside its pin: theta'' = -m g d sin(theta) / I with I, d of the solid box
    (reference: scipy, tolerance 1e-11).
    """
    from scipy.integrate import solve_ivp

    window = solved
    sheet, _ = drop(window, bracket, (0.1, 0, 0.2))
    qtbot.waitUntil(lambda sheet=sheet: sheet.file is not None)
    sheet.button.click()
    window.viewport.setFocus()
    # the middle of its right side: it hangs aslant and begins to swing
    keys(window, "j")
    click(window, (0.13, 0, 0.2))
    studio = window.studio
    (body,) = studio.document.project.mechanism.bodies.values()
    keys(window, " ")
    qtbot.waitUntil(
        lambda: studio.runs.recording is not None and studio.runs.recording.finished, timeout=60_000
    )
    layout, rows = studio.runs.recording.layout, studio.runs.recording.rows
    mass, width, height, d = mass_properties(body).mass, 0.06, 0.2, 0.03
    inertia = mass * ((width**2 + height**2) / 12 + d**2)
    (joint,) = studio.document.project.mechanism.joints.values()
    # the angle of the centre from straight down, counter-clockwise: it starts to the left of the
    # pin, at -90 degrees
    exact = solve_ivp(
        lambda t, y: (y[1], -mass * 9.81 * d * np.sin(y[0]) / inertia),
        (0, rows[-1, 0]),
        (-np.pi / 2, 0.0),
        "DOP853",
        rows[:, 0],
        rtol=1e-11,
        atol=1e-12,
    ).y[0]
    rotated = rows[:, layout.joint(joint.id)][:, 0]
    assert rotated - rotated[0] == pytest.approx(exact - exact[0], abs=1e-6) and np.ptp(exact) > 1.0
    keys(window, " ")
    kept(window, qtbot, tmp_path / "bracket.mech")


def test_a_mesh_dropped_on_a_body_becomes_its_skin(empty, qtbot, bracket):
    keys(empty, "bd")
    click(empty, (0, 0, 0))
    keys(empty, "200⏎20⏎")
    (disc,) = bodies(empty)
    for choice in ("skin", "body"):
        sheet, hovered = drop(empty, bracket, (0.05, 0, 0.05))
        qtbot.waitUntil(lambda sheet=sheet: sheet.file is not None)
        assert (
            hovered == disc.id
            and not sheet.choice.isHidden()
            and sheet.goes.button("skin").text() == "Skin of disc 1"
        )
        sheet.goes.button(choice).click()
        sheet.button.click()
        if choice == "skin":
            (changed,) = bodies(empty)
            assert [s.type for s in changed.shapes] == [
                "disc",
                "mesh",
            ] and empty.studio.selection.current == disc.id
            assert mass_properties(changed).mass == pytest.approx(
                mass_properties(disc).mass + 7850 * 0.06 * 0.02 * 0.2
            )
    assert len(bodies(empty)) == 2


def test_length_and_preload_of_a_spring_in_the_inspector(empty):
    two_boxes(empty)
    keys(empty, "s")
    click(empty, (0.1, -0.03, 0.1), (0.3, -0.03, 0.2))
    inspector = empty.docks.inspector
    lengths = [r.text() for r in inspector.parts(Reading)]
    assert "223.61 mm" in lengths
    field = next(f for f in inspector.parts(Text) if f.edit.accessibleName() == "Preload")
    field.edit.setFocus()
    field.edit.selectAll()
    QtTest.QTest.keyClicks(field.edit, "10")
    QtTest.QTest.keyClick(field.edit, Qt.Key.Key_Return)
    (spring,) = empty.studio.document.project.mechanism.forces.values()
    assert (
        spring.parameters["free_length"].value
        == pytest.approx(0.05**0.5 - 10 / spring.parameters["stiffness"].value)
        and empty.studio.document.undo_label == "Preload of spring 1 10"
    )
