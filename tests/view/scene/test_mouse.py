"""The mouse moves the view as each preset says, by real events."""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.mouse import BOX, MOUSE_PRESETS, ORBIT, PAN, ZOOM
from mechstudio.view.actions.edit import show_preferences
from tests.view.hands import press

Qt = QtCore.Qt
BUTTON = {
    "left": Qt.MouseButton.LeftButton,
    "middle": Qt.MouseButton.MiddleButton,
    "right": Qt.MouseButton.RightButton,
}
KEY = {
    "shift": Qt.KeyboardModifier.ShiftModifier,
    "ctrl": Qt.KeyboardModifier.ControlModifier,
}
EMPTY = QtCore.QPoint(160, 420)


@pytest.fixture
def window(make_window, four_bar):
    window = make_window(four_bar, (1500, 950))
    window.viewport.look.reduced_motion = True
    return window


def send(view, kind, place, button, held, keys):
    at = QtCore.QPointF(place)
    event = QtGui.QMouseEvent(kind, at, view.mapToGlobal(at), button, held, keys)
    QtWidgets.QApplication.sendEvent(view, event)


def drag(view, button, keys, way=(60, 25), start=EMPTY):
    kinds, none = QtCore.QEvent.Type, Qt.MouseButton.NoButton
    send(view, kinds.MouseButtonPress, start, button, button, keys)
    for share in (0.2, 0.6, 1.0):
        place = start + QtCore.QPoint(round(share * way[0]), round(share * way[1]))
        send(view, kinds.MouseMove, place, none, button, keys)
    send(view, kinds.MouseButtonRelease, place, button, none, keys)


def wheel(view, notches, keys=Qt.KeyboardModifier.NoModifier, place=EMPTY):
    at = QtCore.QPointF(place)
    event = QtGui.QWheelEvent(
        at,
        view.mapToGlobal(at),
        QtCore.QPoint(),
        QtCore.QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QtWidgets.QApplication.sendEvent(view, event)


def act_between(before, after):
    """Act that took one camera to the other."""
    if after.distance != before.distance:
        return ZOOM
    if after.azimuth != before.azimuth or after.elevation != before.elevation:
        return ORBIT if after.target == before.target else "both"
    return PAN if after.target != before.target else ""


def keys_of(names):
    keys = Qt.KeyboardModifier.NoModifier
    for name in names:
        keys |= KEY[name]
    return keys


@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", MOUSE_PRESETS)
@pytest.mark.thinned(3)
def test_every_drag_and_the_wheel_do_what_the_preset_says(window, name):
    view, preset = window.viewport, MOUSE_PRESETS[name]
    sheet = show_preferences(window)
    sheet.mouse.choose(name)
    sheet.close_sheet()
    assert (window.studio.preferences.stored.mouse or "mechstudio") == name
    for key, act in preset.drags.items():
        *held, button = key.split("+")
        before = view.framing.camera
        window.studio.selection.select()
        drag(view, BUTTON[button], keys_of(held))
        if act == BOX:
            assert act_between(before, view.framing.camera) == ""
        else:
            assert act_between(before, view.framing.camera) == act, key
    for held in ("", *(key for key in preset.scroll if key)):
        before = view.framing.camera
        keys = keys_of([held] if held else [])
        wheel(view, 1, keys)
        act = preset.wheel_use(frozenset([held] if held else []))
        assert act_between(before, view.framing.camera) == act
        if act == ZOOM:
            assert (view.framing.camera.distance < before.distance) == (preset.away > 0)
            # what is under the pointer stays there
            window.studio.preferences.set(wheel="reversed")
            point = view.navigator.depth_point(EMPTY.x(), EMPTY.y())
            now = view.framing.camera
            wheel(view, 1, keys)
            assert (view.framing.camera.distance < now.distance) == (preset.away < 0)
            pixel = view.framing.world_to_pixel(np.array([point]))[0]
            assert np.allclose(pixel, (EMPTY.x(), EMPTY.y()), atol=1e-6)
            window.studio.preferences.set(wheel="preset")


def test_a_box_is_drawn_on_empty_room_where_the_preset_says_so(window):
    window.studio.preferences.set(mouse="solidworks")
    view = window.viewport
    size = QtCore.QPoint(view.width() - 200, view.height() - 120)
    drag(
        view,
        BUTTON["left"],
        Qt.KeyboardModifier.NoModifier,
        (size.x(), size.y()),
        QtCore.QPoint(70, 60),
    )
    assert {"crank", "coupler", "rocker"} <= set(window.studio.selection.selected)


@pytest.mark.slow
def test_the_first_drag_says_once_that_there_are_presets(window):
    studio, view = window.studio, window.viewport
    none = Qt.KeyboardModifier.NoModifier
    assert studio.preferences.stored.mouse == ""
    drag(view, BUTTON["left"], none)
    assert not [m for m in studio.notifications.messages if m.key == "mouse"]
    drag(view, BUTTON["middle"], none)
    (message,) = [m for m in studio.notifications.messages if m.key == "mouse"]
    assert "SolidWorks" in message.text
    message.buttons[0][1]()
    assert window.sheet.mouse.isVisible()
    window.sheet.close_sheet()
    drag(view, BUTTON["middle"], none)
    assert not [m for m in studio.notifications.messages if m.key == "mouse"]


@pytest.mark.slow
def test_look_at_faces_what_is_under_the_pointer(window, qtbot):
    view = window.viewport
    seen = [
        (x, y)
        for x in range(70, view.width() - 60, 15)
        for y in range(60, view.height() - 60, 15)
        if (hit := view.navigator.hit(x, y)) is not None
        and hit.id == "crank"
        and hit.normal is not None
        and abs(hit.normal[1]) > 0.999
    ]
    x, y = seen[len(seen) // 2]
    QTest.mouseMove(view, QtCore.QPoint(x, y))
    qtbot.waitUntil(view.underMouse)
    send(
        view,
        QtCore.QEvent.Type.MouseMove,
        QtCore.QPoint(x, y),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    view.setFocus()
    press(window, Qt.Key.Key_N)
    camera = view.framing.camera
    assert camera.azimuth == pytest.approx(-90) and camera.elevation == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_the_menu_of_the_room_opens_again_and_again_with_its_submenus(window, qtbot):
    view, none = window.viewport, Qt.KeyboardModifier.NoModifier
    for _ in range(3):
        QTest.mouseClick(view, BUTTON["right"], none, EMPTY)
        qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is window.menu)
        inner = {a.text(): a.menu() for a in window.menu.actions() if a.menu() is not None}
        assert len(inner["Standard view"].actions()) > 3
        QTest.keyClick(window.menu, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)
        QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)


@pytest.mark.slow
def test_menus_hold_what_one_wants_there(window, qtbot):
    studio, view = window.studio, window.viewport
    none = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(view, BUTTON["right"], none, EMPTY)
    qtbot.waitUntil(lambda: window.menu.isVisible())
    names = {a.objectName() for a in window.menu.actions()}
    assert {"fit", "look_at", "perspective", "section", "show_all"} <= names
    titles = {a.text() for a in window.menu.actions() if a.menu() is not None}
    assert titles == {"Standard view", "Camera"}
    QTest.keyClick(window.menu, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)
    studio.selection.select("A")
    window._show_menu(view.mapToGlobal(EMPTY))
    qtbot.waitUntil(lambda: window.menu.isVisible())
    names = {a.objectName() for a in window.menu.actions()}
    requested = {
        "drive_joint",
        "add_stops",
        "flip_joint",
        "plot_selected",
        "trail",
        "isolate",
        "look_at",
    }
    assert requested <= names
    assert any(a.menu() is not None and a.text() == "Joint type" for a in window.menu.actions())
    QTest.keyClick(window.menu, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: QtWidgets.QApplication.activePopupWidget() is None)
    window.actions_.trigger("add_stops")
    assert studio.document.project.mechanism.joints["A"].limits
    window.actions_.trigger("make_cylindrical")
    assert studio.document.project.mechanism.joints["A"].type == "cylindrical"


@pytest.mark.slow
def test_isolated_things_are_joined_by_all_others_again(window):
    studio = window.studio
    studio.selection.select("crank")
    window.actions_.trigger("isolate")
    bodies = lambda: studio.document.project.mechanism.bodies.values()
    assert [b.id for b in bodies() if b.visible] == ["crank"]
    window.actions_.trigger("isolate")
    assert all(b.visible for b in bodies())


def test_a_pinch_zooms_at_the_pointer_whatever_the_preset(window):
    """A gesture of the system, as a touchpad sends it: fingers apart come nearer, by that share,
    and what is under the pointer stays there.
    """
    for preset in ("mechstudio", "trackpad", "blender"):
        window.studio.preferences.set(mouse=preset)
        for value in (0.25, -0.2):
            pinch(window, value)


def pinch(window, value):
    view = window.viewport
    place = QtCore.QPointF(view.width() / 2 + 130, view.height() / 2 - 40)
    before = view.framing.camera
    under = view.navigator.depth_point(place.x(), place.y())
    event = QtGui.QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QtGui.QPointingDevice.primaryPointingDevice(),
        2,
        place,
        place,
        QtCore.QPointF(view.mapToGlobal(place)),
        value,
        QtCore.QPointF(),
    )
    QtWidgets.QApplication.sendEvent(view, event)
    after = view.framing.camera
    assert after.distance == pytest.approx(before.distance / (1 + value), rel=1e-9)
    there = view.framing.world_to_pixel(np.array([under]))[0]
    assert there == pytest.approx((place.x(), place.y()), abs=0.5)
    assert (after.azimuth, after.elevation) == (before.azimuth, before.elevation)
