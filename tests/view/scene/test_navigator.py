"""Pointer and keys of a view on their own: the effect of each drag, click, notch and key, by each
preset of the mouse, with a scene that is known pixel by pixel.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from mechstudio.application.mouse import BOX, MOUSE_PRESETS, ORBIT, PAN, ZOOM
from mechstudio.application.signal import Signal
from mechstudio.application.tools.tool import Tool
from mechstudio.model.fields import CONTACTS
from mechstudio.model.geometry.work_plane import FRONT
from mechstudio.model.project import Camera, Project
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene import navigator as module
from mechstudio.view.scene.navigator import Navigator
from mechstudio.view.scene.overlays import view_cube

BUTTONS = {
    "left": Qt.MouseButton.LeftButton,
    "middle": Qt.MouseButton.MiddleButton,
    "right": Qt.MouseButton.RightButton,
}
KEYS = {
    "shift": Qt.KeyboardModifier.ShiftModifier,
    "ctrl": Qt.KeyboardModifier.ControlModifier,
    "alt": Qt.KeyboardModifier.AltModifier,
}
NONE, WIDE, HIGH = Qt.KeyboardModifier.NoModifier, 800.0, 600.0
CAMERA = Camera((0.0, 0.0, 0.0), -90.0, 0.0, 2.0)
CUBE = QPointF(*view_cube.center((WIDE, HIGH)))
ROD, FLOOR = QRectF(100, 50, 60, 50), QRectF(400, 450, 50, 50)


class Framing:
    """A camera that records its calls."""

    def __init__(self):
        self.current = self.camera = CAMERA
        self.size, self.calls, self.changed = (WIDE, HIGH), [], Signal()
        self.changed.connect(lambda: self.calls.append(("changed",)))

    def __getattr__(self, name):
        return lambda *given: self.calls.append((name, *given))

    def zoom(self, point, factor):
        self.calls.append(("zoom", tuple(np.round(point, 6).tolist()), round(factor, 9)))


class Scene:
    """A rod and a floor, each below a square of pixels; requested: arguments of its calls."""

    project = Project()

    def __init__(self):
        self.requested = []

    def hit(self, camera, size, x, y, glyphs, section):
        self.requested.append((camera, size, glyphs, section))
        for id, room in (("rod", ROD), (CONTACTS, FLOOR)):
            if room.contains(x, y):
                normal = np.array([0.0, 0.0, 1.0]) if id == "rod" else None
                return SimpleNamespace(id=id, point=np.array([0.1, 0.2, 0.3]), normal=normal)
        return None


@pytest.fixture
def view(qapp, qtbot, monkeypatch):
    """A navigator with its reports, in `reported`."""
    widget = QWidget()
    widget.resize(int(WIDE), int(HIGH))
    qtbot.addWidget(widget)
    look = SimpleNamespace(
        plane=FRONT,
        section=False,
        glyphs=True,
        contacts=None,
        focus=None,
        text_scale=1.0,
        gauge_rooms={},
        cut=None,
        planes=[],
    )
    look.set_drawing_plane = look.planes.append
    free_body = SimpleNamespace(at=lambda x, y: None)
    made = Navigator(widget, Scene(), look, Framing(), free_body)
    made.reported = []
    for name in (
        "hovered",
        "clicked",
        "double_clicked",
        "menu_requested",
        "cube_menu_requested",
        "action_hovered",
        "gauge_chosen",
        "dragged",
        "corner_chosen",
    ):
        getattr(made, name).connect(lambda *given, name=name: made.reported.append((name, *given)))
    made.host = widget
    return made


def mouse(kind, at, button=Qt.MouseButton.LeftButton, keys=NONE):
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
    return QMouseEvent(kind, at, at, button, held, keys)


def press(view, at, button="left", keys=NONE, twice=False):
    event = mouse(QEvent.Type.MouseButtonPress, QPointF(*at), BUTTONS[button], keys)
    (view.double_press if twice else view.press)(event)


def move(view, at, keys=NONE):
    view.move(mouse(QEvent.Type.MouseMove, QPointF(*at), Qt.MouseButton.NoButton, keys))


def release(view, at, button="left", keys=NONE):
    view.release(mouse(QEvent.Type.MouseButtonRelease, QPointF(*at), BUTTONS[button], keys))


def click(view, at, button="left", keys=NONE, twice=False):
    press(view, at, button, keys, twice)
    release(view, at, button, keys)


@pytest.mark.parametrize("name", MOUSE_PRESETS)
def test_drags_do_what_the_preset_says(view, name):
    """Each button, alone and with each key held: nothing below four pixels, then what it moves."""
    preset = view.mouse = MOUSE_PRESETS[name]
    framing, empty = view._framing, (600.0, 300.0)
    depth = view.depth_point(*empty)
    for button in BUTTONS:
        for key in ("", *KEYS):
            keys = KEYS[key] if key else NONE
            act = preset.drag(button, frozenset({key} - {""}))
            framing.calls.clear()
            view.reported.clear()
            press(view, empty, button, keys)
            move(view, (603.0, 300.0), keys)
            assert framing.calls == []
            move(view, (602.0, 302.0), keys)
            moved = framing.calls == [("stop",)] + framing.calls[1:] and bool(framing.calls)
            assert moved == bool(act), (button, key)
            framing.calls.clear()
            move(view, (612.0, 297.0), keys)
            expected = {
                ORBIT: [("orbit", 10.0, -5.0)],
                BOX: [("orbit", 10.0, -5.0)],  # without a tool there is nothing to select
                PAN: [("pan", 10.0, -5.0)],
                ZOOM: [("zoom", tuple(np.round(depth, 6).tolist()), round(math.exp(-0.03), 9))],
                "": [],
            }[act]
            assert framing.calls == expected, (button, key)
            framing.calls.clear()
            release(view, (612.0, 297.0), button, keys)
            assert framing.calls == ([("changed",)] if act else [])
            gone = [("dragged", button)] if act and button != "left" else []
            assert [t for t in view.reported if t[0] == "dragged"] == gone
            assert not any(t[0] in ("clicked", "menu_requested") for t in view.reported)
            assert view._drag == "" and view._pressed is None


@pytest.mark.parametrize("name", MOUSE_PRESETS)
def test_the_wheel_does_what_the_preset_says(view, name):
    preset = view.mouse = MOUSE_PRESETS[name]
    framing = view._framing
    for key in ("", *KEYS):
        act = preset.wheel_use(frozenset({key} - {""}))
        for away in (1, -1):
            view.away = away
            for across, up in ((0, 240), (120, -120), (0, 0)):
                framing.calls.clear()
                event = QWheelEvent(
                    QPointF(120, 70),
                    QPointF(120, 70),
                    QPoint(),
                    QPoint(across, up),
                    Qt.MouseButton.NoButton,
                    KEYS[key] if key else NONE,
                    Qt.ScrollPhase.NoScrollPhase,
                    False,
                )
                event.ignore()
                view.wheel(event)
                if act == ZOOM:
                    # towards the rod below the pointer
                    factor = round(0.87 ** (away * up / 120), 9)
                    expected = [("zoom", (0.1, 0.2, 0.3), factor)] if up else []
                elif across or up:
                    by = away * 32.0
                    go = (act, by * across / 120, by * up / 120)
                    expected = [("stop",), go, ("changed",)]
                else:
                    expected = []
                assert framing.calls == expected, (key, away, across, up)
                assert event.isAccepted() == bool(expected)


def test_clicks_tell_what_is_below(view):
    """Once, twice, in a corner, on the cube; by the right button for its menu."""
    rod, empty, corner = (120.0, 70.0), (600.0, 300.0), (20.0, 580.0)
    names = lambda: [(t[0], t[1] if len(t) > 1 else None) for t in view.reported]
    for at, twice, expected in (
        (rod, False, [("clicked", "rod")]),
        (rod, True, [("clicked", "rod"), ("double_clicked", "rod")]),
        (empty, False, [("clicked", "")]),
        (empty, True, [("clicked", "")]),
        (corner, False, [("clicked", "")]),
        (corner, True, [("clicked", ""), ("corner_chosen", None)]),
        # a fifth of both sides is a corner
        ((160.0, 480.0), True, [("clicked", ""), ("corner_chosen", None)]),
        ((161.0, 480.0), True, [("clicked", "")]),
        ((160.0, 479.0), True, [("clicked", "")]),
        ((640.0, 480.0), True, [("clicked", ""), ("corner_chosen", None)]),
        ((639.0, 480.0), True, [("clicked", "")]),
    ):
        view.reported.clear()
        click(view, at, twice=twice)
        assert names() == expected, (at, twice)
    view.reported.clear()
    click(view, rod, keys=KEYS["ctrl"])
    assert view.reported == [("clicked", "rod", KEYS["ctrl"])]
    view.reported.clear()
    click(view, rod, "right")
    click(view, empty, "right")
    assert [(t[0], t[2]) for t in view.reported] == [
        ("menu_requested", "rod"),
        ("menu_requested", ""),
    ]
    view.reported.clear()
    click(view, rod, "middle")
    assert view.reported == []
    # a second button while one is held is none
    press(view, rod)
    press(view, rod, "right")
    release(view, rod, "right")
    assert view.reported == [] and view._button == BUTTONS["left"]
    release(view, rod)
    assert names() == [("clicked", "rod")]
    release(view, rod)
    assert len(view.reported) == 1, "nothing was pressed"


def test_the_cube_turns_the_view(view):
    at = CUBE.toTuple()
    zone = view_cube.zone_at(CAMERA, (WIDE, HIGH), *at, 1.0)
    assert zone is not None
    click(view, at)
    assert view._framing.calls == [("go", view_cube.view_of(zone, CAMERA))] and view.reported == []
    click(view, at, "right")
    assert [t[0] for t in view.reported] == ["cube_menu_requested"]
    view._framing.calls.clear()
    press(view, at)
    move(view, (at[0] + 10, at[1]))
    release(view, (at[0] + 10, at[1]))
    assert not any(call[0] == "go" for call in view._framing.calls), "a drag is no click"
    move(view, at)
    assert view.cube_zone == zone
    view.leave()
    assert view.cube_zone is None and view.cursor == QPointF(-1, -1)


def test_hovering_tells_each_change_once(view):
    for at in ((120, 70), (121, 71), (600, 300), (410, 460), (120, 70), CUBE.toTuple()):
        move(view, at)
    assert view.reported == [("hovered", id) for id in ("rod", "", CONTACTS, "rod", "")]
    move(view, (120, 70))
    view.leave()
    assert view.reported[-1] == ("hovered", "")
    view.enter(QEnterEvent(QPointF(5, 6), QPointF(5, 6), QPointF(5, 6)))
    assert view.cursor == QPointF(5, 6)
    # over the rod lies the number of a gauge, the newest one first
    room = QRectF(110, 60, 20, 20)
    view._look.gauge_rooms = {"g1": room, "g2": room}
    assert view.gauge_at(115, 79) == "g2" and view.gauge_at(129, 90) == ""
    move(view, (120, 70))
    assert view.reported[-1] == ("hovered", "g2")
    view.reported.clear()
    click(view, (120, 70), twice=True)
    click(view, (120, 70), "right")
    assert [t[:2] for t in view.reported[:2]] == [("clicked", "g2"), ("gauge_chosen", "g2")]
    assert view.reported[2][0] == "menu_requested" and view.reported[2][2] == "g2"
    # an arrow of a body that is cut free comes before all else
    slot = SimpleNamespace(id="weight")
    view._free_body.at = lambda x, y: SimpleNamespace(slot=slot) if x < 200 else None
    view._look.gauge_rooms, view._look.cut = {}, object()
    view.reported.clear()
    move(view, (120, 70))
    assert ("action_hovered", slot) in view.reported and ("hovered", "weight") in view.reported
    click(view, (120, 70), twice=True)
    assert view.reported[-1][:2] == ("clicked", "weight"), "which is no element to open"
    view.leave()
    assert ("action_hovered", None) in view.reported


def test_contacts_are_found_unless_one_is_looked_at(view, monkeypatch):
    requested = []
    found = lambda *given: requested.append(given) or ("c1" if given[3] == 120 else "")
    monkeypatch.setattr(module, "contact_mark_at", found)
    assert view.contact_at(120, 70) == "" and requested == []
    view._look.contacts = object()
    assert view.contact_at(120, 71) == "c1"
    assert requested == [(view._look.contacts, CAMERA, (WIDE, HIGH), 120, 71, 1.0)]
    move(view, (120, 60))
    click(view, (120, 60))
    assert view.reported[0] == ("hovered", "c1") and view.reported[-1][:2] == ("clicked", "c1")
    view._look.focus = object()
    assert view.contact_at(120, 70) == ""


def test_depth_is_that_of_the_surface_or_of_the_target(view):
    assert view.depth_point(120, 70).tolist() == [0.1, 0.2, 0.3]
    # in the middle the target itself, elsewhere in the plane through it
    assert view.depth_point(WIDE / 2, HIGH / 2) == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    point = view.depth_point(600, 300)
    back = lens.project(CAMERA, (WIDE, HIGH), point[None])[0]
    assert point[1] == pytest.approx(0.0, abs=1e-9) and back[:2] == pytest.approx((600, 300))
    look = view._look
    look.section, look.glyphs = True, False
    view.hit(1, 2)
    other = lens.replaced(CAMERA, azimuth=0.0)
    view.hit(1, 2, other)
    assert view._shown.requested[-2:] == [
        (CAMERA, (WIDE, HIGH), False, look.plane),
        (other, (WIDE, HIGH), False, look.plane),
    ]
    view._widget.underMouse = lambda: True
    view.cursor = QPointF(120, 70)
    assert view.normal_under == (0.0, 0.0, 1.0)
    view.cursor = QPointF(410, 460)
    assert view.normal_under is None, "a floor without one"
    for cursor in (QPointF(600, 300), QPointF(-1, 70)):
        view.cursor = cursor
        assert view.normal_under is None


class Pen(Tool):
    """A tool that takes what is below 500 px from the left, and can drag the rod."""

    def __init__(self, name):
        project = SimpleNamespace(mechanism=Project().mechanism)
        document = SimpleNamespace(project=project)
        super().__init__(SimpleNamespace(playing=False, no_place="", message="", document=document))
        self.name, self.calls, self.holds = name, [], False

    @property
    def dragging(self):
        return self.holds

    def takes(self, pointer):
        return pointer.x < 500

    def move(self, pointer):
        self.calls.append(("move", pointer.x, pointer.ctrl))

    def press(self, pointer):
        self.calls.append(("press", pointer.element, pointer.body))

    def release(self, pointer):
        self.calls.append(("release", pointer.x))

    def key(self, key):
        self.calls.append(("key", key))
        return key in ("escape", "7")


def test_a_tool_has_the_left_button_where_it_takes_it(view):
    pen, used = Pen("link"), []
    plane = FRONT
    view.set_tool(pen, plane)
    assert view._widget.cursor().shape() == Qt.CursorShape.CrossCursor
    assert view._look.planes == [plane] and view.keeps_tab
    view.tool_used.connect(lambda: used.append(1))
    press(view, (120, 70))
    release(view, (120, 70))
    assert pen.calls == [("press", "rod", ""), ("release", 120.0)] and len(used) == 2
    assert view.reported == [], "a click is not a choice"
    pen.calls.clear()
    click(view, (120, 70), "middle")
    assert pen.calls == [] and view.reported == []
    press(view, (600, 300))
    move(view, (605, 300))
    move(view, (620, 300))
    assert view._framing.calls[-1] == ("orbit", 15.0, 0.0), "which it does not take"
    release(view, (620, 300))
    pen.calls.clear()
    move(view, (200, 200))
    assert pen.calls == [("move", 200.0, False)] and view.reported[-1:] != [("hovered", "rod")]
    # the resting tool is a click's, unless it has moved something
    rest = Pen("select")
    view.set_tool(rest)
    assert view._widget.cursor().shape() == Qt.CursorShape.ArrowCursor and not view.keeps_tab
    view.reported.clear()
    click(view, (120, 70))
    assert [t[:2] for t in view.reported] == [("clicked", "rod")]
    view.reported.clear()
    press(view, (120, 70))
    rest.holds = True
    move(view, (150, 70))
    release(view, (150, 70))
    assert rest.calls[-2:] == [("move", 150.0, False), ("release", 150.0)] and view.reported == []
    # what was grasped and cannot be moved turns the view
    rest.holds = False
    view._framing.calls.clear()
    press(view, (120, 70))
    move(view, (150, 70))
    move(view, (160, 70))
    assert view._framing.calls[-1] == ("orbit", 10.0, 0.0)
    release(view, (160, 70))
    # selecting in a box, by the presets that do so: as if Ctrl were held
    view.mouse = MOUSE_PRESETS["blender"]
    rest.takes = lambda pointer: pointer.ctrl
    for playing, ctrl in ((False, True), (True, None)):
        rest.context.playing = playing
        rest.calls.clear()
        press(view, (600, 300))
        move(view, (640, 300))
        moves = [call[2] for call in rest.calls if call[0] == "move"]
        assert moves == ([ctrl] if ctrl else []), playing
        release(view, (640, 300))


def test_pointers_tell_tools_what_is_below(view):
    pen = Pen("link")
    view.set_tool(pen)
    p = view.pointer(QPointF(120, 70), KEYS["shift"] | KEYS["alt"])
    assert (p.element, p.body, p.shift, p.ctrl, p.alt, p.x, p.y) == (
        "rod",
        "",
        True,
        False,
        True,
        120,
        70,
    )
    assert p.surface == (0.1, 0.2, 0.3) and p.normal == (0.0, 0.0, 1.0)
    # for a tool the floor is empty room, in its plane
    p = view.pointer(QPointF(410, 460))
    assert p.element == "" and p.surface is None and p.point is not None
    assert view.pointer(QPointF(WIDE / 2, HIGH / 2)).point == pytest.approx((0, 0, 0), abs=1e-9)
    # nothing is caught by what the next click would bring
    pen.tentative = Project()
    assert view.pointer(QPointF(120, 70)).element == ""
    pen.tentative = None
    # while the view turns it is drawn as it will be seen
    view._framing.camera = lens.replaced(CAMERA, elevation=90.0)
    view.pointer(QPointF(120, 70))
    assert view._shown.requested[-1][0].elevation == 90.0
    pen.name = "select"
    view.pointer(QPointF(120, 70))
    assert view._shown.requested[-1][0].elevation == 0.0


def test_keys_of_the_view(view):
    keys = Qt.Key
    key = lambda code, mod=NONE, text="": view.key(QKeyEvent(QEvent.Type.KeyPress, code, mod, text))
    for code, call in (
        (keys.Key_1, ("view_from", "front")),
        (keys.Key_3, ("view_from", "right")),
        (keys.Key_7, ("view_from", "top")),
        (keys.Key_0, ("view_from", "corner")),
        (keys.Key_Period, ("fit",)),
        (keys.Key_5, ("toggle_perspective",)),
    ):
        for held in (NONE, Qt.KeyboardModifier.KeypadModifier):
            assert key(code, held) and view._framing.calls.pop() == call
        assert not key(code, KEYS["shift"])
    assert not key(keys.Key_2) and view._framing.calls == []
    # a tool has them first, by their names
    pen = Pen("link")
    view.set_tool(pen)
    assert key(keys.Key_7, NONE, "7") and view._framing.calls == []
    assert key(keys.Key_1, NONE, "1") and view._framing.calls.pop() == ("view_from", "front")
    names = ("return", "enter", "escape", "tab", "backtab", "backspace")
    for name in names:
        key(getattr(keys, f"Key_{name.capitalize()}"))
    reported = [call[1] for call in pen.calls]
    assert reported == ["7", "1", "enter", "enter", "escape", "tab", "backtab", "backspace"]
