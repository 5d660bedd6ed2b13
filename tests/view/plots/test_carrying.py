"""Elements are dragged to panes from the head of the inspector and from the palette by real mouse
moves; what the pointer then carries is dropped by a real drop event.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtTest, QtWidgets

from mechstudio.model.edits.bodies.points import add_point
from mechstudio.model.edits.insertion import add_point_force
from mechstudio.model.geometry.rotation import transform
from mechstudio.model.mechanism import GROUND
from mechstudio.view.actions.help import palette
from mechstudio.view.idle_tasks import turns
from mechstudio.view.panels import model_tree
from mechstudio.view.plots.drop_places import Drop
from mechstudio.view.scene import camera as lens
from mechstudio.view.widgets import channel_drag
from mechstudio.view.widgets.widgets import Picture
from tests.view.plots.test_columns_to_plots import drop
from tests.view.plots.test_measuring import panel, settle  # noqa: F401

Qt = QtCore.Qt
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def carried(monkeypatch):
    """Quantities and words that the pointer carries."""
    found = []
    monkeypatch.setattr(
        channel_drag, "drag", lambda source, keys, words: found.append((list(keys), words))
    )
    return found


def pull(widget, start):
    """Press, move and release."""
    QtTest.QTest.mousePress(widget, LEFT, pos=start)
    for k in (3, 12, 30):
        QtTest.QTest.mouseMove(widget, start + QtCore.QPoint(k, 1))
    QtTest.QTest.mouseRelease(widget, LEFT, pos=start + QtCore.QPoint(30, 1))


@pytest.mark.slow
def test_the_name_in_the_inspector_is_dragged_to_an_edge(window, panel, carried):
    window.studio.selection.select("D")
    turns().finish()
    title = window.docks.by_key["inspector"].title
    pull(title, title.rect().center())
    ((keys, words),) = carried
    assert (keys, words) == (["joint/D/0"], "D")
    before = set(panel.panes)
    pane = panel.panes["plot_1"]
    panel.take(keys, Drop(pane.pane.id, "right"))
    turns().finish()
    (new,) = set(panel.panes) - before
    assert [c.key for c in panel.panes[new].pane.curves] == ["joint/D/0"]
    window.studio.selection.select()


@pytest.mark.slow
def test_a_result_of_the_palette_is_dragged_into_a_pane(window, panel, carried):
    window.actions_.trigger(palette)
    finder = window.finder
    QtTest.QTest.keyClicks(finder.edit, "coupler")
    row = next(k for k, e in enumerate(finder.found) if e.key == "coupler")
    rect = finder.list.visualItemRect(finder.list.item(row))
    pull(finder.list.viewport(), rect.center())
    ((keys, _),) = carried
    assert keys == ["resultant/body/coupler/v"] and window.finder is None
    drop(window, 1, keys)
    turns().finish()
    assert keys[0] in [c.key for p in panel.panes.values() for c in p.pane.curves]
    # what has no quantity is not carried: it is chosen
    window.actions_.trigger(palette)
    QtTest.QTest.keyClicks(window.finder.edit, "text size")
    pull(window.finder.list.viewport(), QtCore.QPoint(40, 10))
    assert len(carried) == 1
    assert window.finder is None
    window.sheet.close_sheet()


@pytest.mark.slow
def test_an_element_of_the_scene_is_dragged_with_ctrl(window, panel, carried, qtbot):
    view, studio = window.viewport, window.studio
    window.viewport.framing.fit()
    qtbot.wait(700)  # the camera comes to rest
    navigator = view.navigator
    spots = (
        QtCore.QPoint(x, y)
        for y in range(20, view.height() - 20, 12)
        for x in range(150, view.width() - 150, 12)
    )
    hit = lambda at: navigator.hit(at.x(), at.y())
    start = next(at for at in spots if (found := hit(at)) is not None and found.id == "coupler")
    before, camera = studio.document.project, view.framing.camera
    ctrl = Qt.KeyboardModifier.ControlModifier
    QtTest.QTest.mousePress(view, LEFT, ctrl, start)
    for k in (4, 10, 20):
        place = QtCore.QPointF(start + QtCore.QPoint(k, 0))
        move = QtGui.QMouseEvent(
            QtCore.QEvent.Type.MouseMove, place, place, Qt.MouseButton.NoButton, LEFT, ctrl
        )
        QtWidgets.QApplication.sendEvent(view, move)
    qtbot.waitUntil(lambda: bool(carried))
    assert carried == [(["resultant/body/coupler/v"], "coupler")]
    assert studio.document.project is before and view.framing.camera == camera
    # the button is free again, which a real drag tells the system too: a click selects as ever
    assert navigator._pressed is None
    QtTest.QTest.mouseRelease(view, LEFT, pos=start)
    qtbot.wait(QtWidgets.QApplication.doubleClickInterval() + 50)
    QtTest.QTest.mouseClick(view, LEFT, pos=start)
    assert studio.selection.selected == ("coupler",)
    studio.selection.select()


@pytest.fixture
def spring_and_point(window, panel, monkeypatch, carried):
    """Id of a spring between the ground and the coupler, and the name of a point of the coupler."""
    document = window.studio.document
    project, spring = add_point_force(
        document.project, "spring", (GROUND, (0.0, 0.0, 0.4)), ("coupler", (0.1, 0.0, 0.2))
    )
    project, point = add_point(project, "coupler", (-0.3, 0.0, 0.4))
    document.commit("Spring and point", project)
    turns().finish()
    monkeypatch.setattr(model_tree, "drag", channel_drag.drag)
    yield spring, point
    window.studio.selection.select()


def pull_found(window, query, key):
    """Drag what the palette finds out of it."""
    window.actions_.trigger(palette)
    finder = window.finder
    QtTest.QTest.keyClicks(finder.edit, query)
    row = next(k for k, e in enumerate(finder.found) if e.key == key)
    pull(finder.list.viewport(), finder.list.visualItemRect(finder.list.item(row)).center())


def test_a_spring_is_dragged_from_tree_inspector_and_palette(window, carried, spring_and_point):
    spring, _ = spring_and_point
    name = window.studio.document.name(spring)
    window.studio.selection.select(spring)
    turns().finish()
    window.docks.tree.startDrag(Qt.DropAction.CopyAction)
    title = window.docks.by_key["inspector"].title
    pull(title, title.rect().center())
    pull_found(window, name, spring)
    assert carried == [([f"two_points/{spring}/force"], name)] * 3
    drop(window, 1, carried[0][0])
    turns().finish()
    curves = [c for p in window.docks.plots_panel.panes.values() for c in p.pane.curves]
    assert any(c.key == carried[0][0][0] for c in curves)


@pytest.mark.slow
def test_a_point_is_dragged_from_inspector_palette_and_scene(
    window, carried, spring_and_point, qtbot
):
    _, point = spring_and_point
    keys = [f"resultant/point/coupler/{point}/v"]
    window.studio.selection.select("coupler")
    turns().finish()
    inspector, view = window.docks.inspector, window.viewport
    sign = next(
        w for w in inspector.findChildren(Picture) if w.toolTip().endswith(f"speed of {point}")
    )
    pull(sign, sign.rect().center())
    assert carried == [(keys, f"coupler.{point}")]
    pull_found(window, point, f"point coupler {point}")
    assert carried[1:] == [(keys, point)]
    # in the drawing the ring is a handle that moves the point; in a run it is carried
    studio = window.studio
    studio.runs.simulate()
    qtbot.waitUntil(lambda: studio.runs.recording.complete)
    studio.runs.playback.pause()
    studio.runs.playback.seek(0.2)
    turns().finish()
    view.framing.fit()
    qtbot.wait(700)  # the camera comes to rest
    context = window.studio.tools.context
    m = context.document.project.mechanism
    pose = context.shown().get("coupler", m.bodies["coupler"].placement.pose)
    at = transform(pose, m.bodies["coupler"].point(point))
    x, y, _ = lens.project(view.framing.camera, view.framing.size, np.array([at]))[0]
    start, ctrl = QtCore.QPoint(round(x), round(y)), Qt.KeyboardModifier.ControlModifier
    QtTest.QTest.mousePress(view, LEFT, ctrl, start)
    for k in (4, 10, 20):
        place = QtCore.QPointF(start + QtCore.QPoint(k, 0))
        move = QtGui.QMouseEvent(
            QtCore.QEvent.Type.MouseMove, place, place, Qt.MouseButton.NoButton, LEFT, ctrl
        )
        QtWidgets.QApplication.sendEvent(view, move)
    qtbot.waitUntil(lambda: len(carried) == 3)
    assert carried[2] == (keys, f"coupler.{point}")
