"""Measuring in the window by real mouse and key events."""

import math

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

import mechstudio as ms
from mechstudio.application.actions.gauges import value_shown
from mechstudio.files.format.codec import decode, encode
from mechstudio.model.geometry.rotation import rotate, transform
from mechstudio.view.idle_tasks import turns
from tests.scenes import box_mesh, mesh_shape
from tests.view.hands import press

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(make_window, four_bar):
    window = make_window(four_bar, (1600, 1000))
    window.viewport.look.reduced_motion = True
    window.grab_picture()
    return window


def pixel_of(view, point):
    x, y = view.framing.world_to_pixel(np.array([point]))[0, :2]
    return QtCore.QPoint(round(x), round(y))


def pin(window, joint):
    """The pixel of a joint."""
    m = window.studio.display.project.mechanism
    return pixel_of(window.viewport, m.frame_in_world(m.joints[joint].frame_b)[0])


def along(window, first, second, share=0.35):
    """A pixel of the link between two pins, off its middle, which catches the pointer."""
    a, b = pin(window, first), pin(window, second)
    return a + (b - a) * share


def move(view, place):
    QTest.mouseMove(view, place)
    at = QtCore.QPointF(place)
    kind, none = QtCore.QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    event = QtGui.QMouseEvent(
        kind, at, view.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier
    )
    QtWidgets.QApplication.sendEvent(view, event)


def click(view, place):
    move(view, place)
    QTest.mouseClick(view, LEFT, Qt.KeyboardModifier.NoModifier, place)


def double_click(view, place):
    click(view, place)
    QTest.mouseDClick(view, LEFT, Qt.KeyboardModifier.NoModifier, place)
    QTest.mouseRelease(view, LEFT, Qt.KeyboardModifier.NoModifier, place)


def measured(window):
    """The gauge that was made last."""
    return list(window.studio.document.project.gauges.values())[-1]


def test_two_clicks_measure_and_a_double_click_types_the_number(window, qtbot):
    studio, view = window.studio, window.viewport
    view.setFocus()
    press(window, Qt.Key.Key_R)
    assert studio.tools.tool.name == "measure"
    for joint in ("A", "D"):
        click(view, pin(window, joint))
    gauge = measured(window)
    assert gauge.type == "distance" and [end.joint for end in gauge.ends] == ["A", "D"]
    assert studio.selection.current == gauge.id
    assert value_shown(studio, gauge.id) == pytest.approx(0.34, abs=1e-9)
    press(window, Qt.Key.Key_Escape)
    assert studio.tools.tool.name == "select"
    # its number is in the view, and typed there
    window.grab_picture()
    place = view.look.gauge_rooms[gauge.id].center().toPoint()
    double_click(view, place)
    field = window.gauges.field
    assert field is not None and field.edit.hasFocus()
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "nonsense")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert window.gauges.field is field and field.reason
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "360")
    QTest.keyClick(field.edit, Qt.Key.Key_Return)
    assert window.gauges.field is None
    d = studio.document.project.mechanism.joints["D"].frame_a.placement.position[0]
    assert d.value == pytest.approx(0.36)
    studio.document.undo()
    assert studio.document.project.mechanism.joints["D"].frame_a.placement.position[
        0
    ].value == pytest.approx(0.34)
    again = decode(encode(studio.document.project))
    assert again.project.gauges == studio.document.project.gauges and not again.findings


@pytest.mark.slow
def test_links_have_a_length_alone_and_an_angle_together(window):
    studio, view = window.studio, window.viewport
    crank, rocker = along(window, "A", "B"), along(window, "D", "C")
    view.setFocus()
    press(window, Qt.Key.Key_R)
    move(view, crank)
    assert "line of crank" in studio.tools.tool.preview.word
    press(window, Qt.Key.Key_Return)
    length = measured(window)
    assert value_shown(studio, length.id) == pytest.approx(0.13, abs=1e-9)
    for place in (crank, rocker):
        click(view, place)
    angle = measured(window)
    assert angle.type == "angle"
    m = studio.display.project.mechanism
    (crank_x, rocker_x) = (m.bodies[id].placement.quaternion for id in ("crank", "rocker"))
    u, v = (rotate(q, (1.0, 0.0, 0.0)) for q in (crank_x, rocker_x))
    said = math.acos(sum(a * b for a, b in zip(u, v)))
    assert value_shown(studio, angle.id) == pytest.approx(said, abs=1e-9)
    # it only follows: a double click says so and offers no field
    press(window, Qt.Key.Key_Escape)
    window.grab_picture()
    place = view.look.gauge_rooms[angle.id].center().toPoint()
    double_click(view, place)
    assert window.gauges.field is None
    assert any("follows from the pose" in m.text for m in studio.notifications.messages)


def test_a_gauge_is_named_in_the_tree_becomes_a_parameter_and_goes(window):
    studio, view = window.studio, window.viewport
    crank = along(window, "A", "B")
    view.setFocus()
    press(window, Qt.Key.Key_R)
    move(view, crank)
    press(window, Qt.Key.Key_Return)
    press(window, Qt.Key.Key_Escape)
    id = measured(window).id
    window.actions_.trigger("gauge_parameter")
    name = measured(window).name
    project = studio.document.project
    assert project.parameters[name].value.value == pytest.approx(0.13)
    assert project.mechanism.bodies["crank"].shapes[0].dimensions["length"].text == name
    studio.selection.select(id)
    press(window, Qt.Key.Key_Delete)
    assert not studio.document.project.gauges


@pytest.mark.slow
def test_the_front_view_is_exported_with_its_dimensions(window, qtbot, tmp_path):
    studio, view = window.studio, window.viewport
    view.setFocus()
    press(window, Qt.Key.Key_R)
    for joint in ("A", "D"):
        click(view, pin(window, joint))
    window.actions_.trigger("export_drawing")
    dialog = window.drawing.dialog
    assert dialog.isVisible()
    path = tmp_path / "four_bar.svg"
    with qtbot.waitSignal(window.drawing.finished, timeout=20_000):
        window.drawing.save(path, "four_bar.mech")
    dialog.close()
    text = path.read_text("utf-8")
    assert ">340</text>" in text and "four_bar.mech" in text and "scale 1:5" in text
    window.drawing.save(tmp_path / "wrong.dxf", "x")
    assert any("There is no format .dxf" in m.text for m in studio.notifications.messages)


def test_a_gauge_follows_the_run_and_is_plotted(solved_four_bar, qtbot):
    window = solved_four_bar
    studio, view = window.studio, window.viewport
    view.look.reduced_motion = True
    window.grab_picture()
    window.actions_.trigger("measure")
    for joint in ("B", "D"):
        click(view, pin(window, joint))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    gauge = measured(window)
    window.actions_.trigger("plot_selected")
    assert any(f"gauge/{gauge.id}" in p.channels for p in studio.document.project.plots)
    qtbot.waitUntil(lambda: studio.runs.recording is not None and studio.runs.recording.count > 20)
    studio.runs.playback.pause()
    said = set()
    for share in (0.2, 0.5):
        studio.runs.playback.seek(share * studio.runs.playback.end)
        mark = next(m for m in view.look.gauges if m.id == gauge.id)
        said.add(mark.words)
        poses = studio.display.poses
        m = studio.document.project.mechanism
        apart = []
        for joint in ("B", "D"):
            frame = m.joints[joint].frame_b
            pose = poses[list(m.bodies).index(frame.body)]
            at = transform((tuple(pose[:3]), tuple(pose[3:])), m.frame_in_body(frame)[0])
            apart.append(np.array(at))
        assert np.linalg.norm(mark.b - mark.a) == pytest.approx(
            np.linalg.norm(apart[1] - apart[0]), abs=1e-9
        )
    assert len(said) == 2


def test_a_number_that_is_only_a_lower_bound_says_so_and_why(make_window, tmp_path, qtbot):
    # a ball 30 mm beside a cube that is a mesh
    m = ms.Builder("Mesh")
    cube, ball = m.body("cube", (0, 0, 0)), m.body("ball", (0.18, 0, 0))
    cube.mesh(mesh_shape(*box_mesh(0.2, 0.2, 0.2)).mesh)
    ball.sphere(0.05)
    post = m.body("post", (0.4, 0, 0))
    post.box(0.1, 0.1, 0.1)
    bound, exact = m.gauge("gap", cube, ball), m.gauge("free", ball, post)
    ms.save(m.project(), tmp_path / "mesh.mech")
    window = make_window(tmp_path / "mesh.mech", (1600, 1000))
    view = window.viewport
    view.look.reduced_motion = True
    window.grab_picture()
    words = {mark.id: mark.words for mark in view.look.gauges}
    assert words == {bound: "gap ≥ 30 mm", exact: "free = 120 mm"}
    for id, sentence in ((bound, "convex hulls"), (exact, "")):
        QtWidgets.QToolTip.hideText()
        qtbot.waitUntil(lambda: not QtWidgets.QToolTip.isVisible())
        at = view.look.gauge_rooms[id].center().toPoint()
        tip = QtGui.QHelpEvent(QtCore.QEvent.Type.ToolTip, at, view.mapToGlobal(at))
        QtWidgets.QApplication.sendEvent(view, tip)
        said = QtWidgets.QToolTip.text() if QtWidgets.QToolTip.isVisible() else ""
        assert sentence in said and bool(said) == bool(sentence)
    window.studio.selection.select(bound)
    turns().finish()
    lines = window.docks.inspector.findChildren(QtWidgets.QLabel)
    assert any(line.text().startswith("≥ 30") for line in lines)
