"""Pointer and keys of the viewport: orbit, pan, zoom, hover, click, view cube, and what goes on to
a drawing tool.
"""

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from mechstudio.application.mouse import BOX, NOTHING, ORBIT, PAN, ZOOM, preset
from mechstudio.application.tools.eye import on_plane, unreachable
from mechstudio.application.tools.tool import Pointer, Tool
from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.fields import CONTACTS
from mechstudio.model.free_bodies import Slot
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.eye import CameraEye, triple
from mechstudio.view.scene.framing import Framing
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.overlays import view_cube
from mechstudio.view.scene.overlays.contact_marks import contact_mark_at
from mechstudio.view.scene.overlays.free_body_marks import FreeBodyMarks
from mechstudio.view.scene.picking import Hit
from mechstudio.view.scene.shown_scene import ShownScene

CLICK = 4.0  # pixels: a press that moves less is a click
NOTCH = 0.87  # change of distance per notch of the wheel
TOOL_KEYS = {
    Qt.Key.Key_Return: "enter",
    Qt.Key.Key_Enter: "enter",
    Qt.Key.Key_Escape: "escape",
    Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backtab: "backtab",
    Qt.Key.Key_Backspace: "backspace",
}
VIEW_KEYS = {
    Qt.Key.Key_1: "front",
    Qt.Key.Key_3: "right",
    Qt.Key.Key_7: "top",
    Qt.Key.Key_0: "corner",
}
TOOL, CUBE, GAUGE = "tool", "cube", "gauge"  # beside what a preset of the mouse knows
PULL = 0.006  # share of the distance by which a drag zooms, per pixel
SCROLL = 32.0  # px that a notch of a wheel moves or turns the view, where it does not zoom
BUTTONS = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
}
HELD = {
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.AltModifier: "alt",
}
NOWHERE = QPointF(-1, -1)

CORNER = 0.2  # of the view's width and height that a corner takes


class Navigator(QObject):
    """Listener to the events of a widget that shows a scene.

    What a drag and the wheel do is set by `mouse`, a preset (application/mouse.py), and
    `away`, 1 or -1: whether the wheel turned away from the user comes closer.  The wheel zooms
    towards the pointer.  A tool gets the left button where it takes it.

    tool: the active one, None for none.  cursor: place of the pointer.  cube_zone: what of the view
    cube is under it.
    hovered(id): another element is under the pointer, "" for none.  clicked(id, modifiers).
    double_clicked(id), after clicked.  menu_requested(place on the screen, id);
    cube_menu_requested(place on the screen) on the view cube.
    action_hovered(slot): another arrow of a body that is cut free is under the pointer, None for
    none.  tool_used(): the tool was given an event; its preview and hint may be new.
    gauge_chosen(id): the number of a gauge was clicked twice.  dragged(button): the view was moved
    by a drag with the "middle" or "right" button.  corner_chosen(): a corner of the view where
    nothing is was clicked twice.
    """

    hovered = Signal(str)
    clicked = Signal(str, object)
    double_clicked = Signal(str)
    menu_requested = Signal(object, str)
    cube_menu_requested = Signal(object)
    action_hovered = Signal(object)
    tool_used = Signal()
    gauge_chosen = Signal(str)
    dragged = Signal(str)
    corner_chosen = Signal()

    def __init__(
        self,
        widget: QWidget,
        shown: ShownScene,
        look: Look,
        framing: Framing,
        free_body: FreeBodyMarks,
    ) -> None:
        super().__init__(widget)
        self._widget, self._shown, self._look = widget, shown, look
        self._framing, self._free_body = framing, free_body
        self.mouse = preset("")
        self.away = 1
        self.tool: Tool | None = None
        self.cursor = NOWHERE
        self.cube_zone: view_cube.Direction | None = None
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._drag = NOTHING
        self._boxes = False  # the tool selects in a box, as if Ctrl were held
        self._grasped = np.zeros(3)  # the point of W that a zooming drag began on
        self._button = Qt.MouseButton.NoButton
        self._moved = False
        self._doubled = False  # the button went down for the second time
        self._under = ""
        self._dragged = False  # the tool has moved something since the button went down
        self._resting = True  # the button went down with the resting active tool: a click selects
        self._action_under: Slot | None = None

    def set_tool(self, tool: Tool | None, plane: WorkPlane | None = None) -> None:
        """Give pointer and keys to a drawing tool (application/tools); None takes them back.
        plane: what is drawn in, with a clear grid.
        """
        self.tool = tool
        shape = Qt.CursorShape.ArrowCursor if plane is None else Qt.CursorShape.CrossCursor
        self._widget.setCursor(shape)
        self._look.set_drawing_plane(plane)

    # ---- what is under a pixel

    def hit(self, x: float, y: float, camera: Camera | None = None) -> Hit | None:
        """The element under a pixel of the widget; camera: another one than that of the picture."""
        framing = self._framing
        camera = camera or framing.current
        look = self._look
        section = look.plane if look.section else None
        return self._shown.hit(camera, framing.size, x, y, look.glyphs, section)

    def contact_at(self, x: float, y: float) -> str:
        """The name of the contact under a pixel (model.results.contact_names); "" for none."""
        contacts, framing = self._look.contacts, self._framing
        if contacts is None or self._look.focus is not None:
            return ""
        return contact_mark_at(contacts, framing.current, framing.size, x, y, self._look.text_scale)

    def gauge_at(self, x: float, y: float) -> str:
        """Id of the gauge whose number is under a pixel; "" for none."""
        rooms = self._look.gauge_rooms
        return next((id for id, room in reversed(rooms.items()) if room.contains(x, y)), "")

    @property
    def normal_under(self) -> Triple | None:
        """Unit normal in W of the face under the pointer; None where it is over none."""
        p = self.cursor
        hit = self.hit(p.x(), p.y()) if self._widget.underMouse() and p.x() >= 0 else None
        return None if hit is None or hit.normal is None else triple(hit.normal)

    def depth_point(self, x: float, y: float) -> np.ndarray:
        """The point of W under a pixel: on a surface, else in the plane through the camera's
        target.
        """
        hit = self.hit(x, y)
        if hit is not None:
            return hit.point
        c = self._framing.current
        target = np.array(c.target)
        point = lens.on_plane(lens.ray(c, self._framing.size, x, y), target, lens.axes(c)[2])
        return target if point is None else point

    # ---- pointer

    def press(self, event: QMouseEvent) -> None:
        """A button went down."""
        if self._drag != NOTHING:  # a second button while one is held
            return
        p, self._button = event.position(), event.button()
        self._pressed = self._last = self.cursor = p
        self._moved = self._dragged = self._doubled = False
        left = self._button == Qt.MouseButton.LeftButton
        cube = left and self._zone(p) is not None
        tool = self.tool if left and not cube else None
        pointer = self.pointer(p, event.modifiers()) if tool is not None else None
        act = self.mouse.drag(BUTTONS.get(self._button, ""), _keys(event.modifiers()))
        self._boxes = False
        boxes = act == BOX and tool is not None and not tool.context.playing
        if boxes and tool is not None and pointer is not None and not tool.takes(pointer):
            self._boxes = self._rests()
            pointer = self._boxed(pointer)
        if cube:
            self._drag = CUBE
        elif left and self._rests() and self.gauge_at(p.x(), p.y()):
            self._drag = GAUGE
        elif tool is not None and pointer is not None and tool.takes(pointer):
            self._drag, self._resting = TOOL, self._rests()
            tool.press(pointer)
            if tool.in_plane and tool.context.no_place and not tool.context.message:
                tool.context.message = tool.context.no_place
            self._tool_changed()
        else:
            self._drag = ORBIT if act == BOX else act or NOTHING
            self._grasped = self.depth_point(p.x(), p.y()) if act == ZOOM else self._grasped
        event.accept()

    def _boxed(self, pointer: Pointer) -> Pointer:
        """The pointer as the tool has it while it selects in a box."""
        return replace(pointer, ctrl=True) if self._boxes else pointer

    def double_press(self, event: QMouseEvent) -> None:
        """A button went down for the second time."""
        self.press(event)
        self._doubled = True

    def move(self, event: QMouseEvent) -> None:
        """The pointer moved."""
        p = event.position()
        self.cursor = p
        if self._pressed is None:
            self._look_under(p)
        elif not self._moved and (p - self._pressed).manhattanLength() >= CLICK:
            self._moved = True
            if self._drag in (ORBIT, PAN, ZOOM):
                self._framing.stop()
                self._last = p
        by, self._last = p - self._last, p
        if self._moved and self._drag == ORBIT:
            self._framing.orbit(by.x(), by.y())
        elif self._moved and self._drag == PAN:
            self._framing.pan(by.x(), by.y())
        elif self._moved and self._drag == ZOOM:
            self._framing.zoom(self._grasped, math.exp(PULL * by.y()))
        if self.tool is not None and self._drag in (TOOL, NOTHING):
            self.tool.move(self._boxed(self.pointer(p, event.modifiers())))
            self._tool_changed()
            select = self.tool is not None and self._rests()
            if self._drag == TOOL and self._moved and select and not self._dragged:
                self._drag = ORBIT  # what was grasped cannot be moved, so the view turns

    def release(self, event: QMouseEvent) -> None:
        """A button went up."""
        if event.button() != self._button or self._pressed is None:
            return
        p, drag, moved = event.position(), self._drag, self._moved
        self._pressed, self._drag, self._button = None, NOTHING, Qt.MouseButton.NoButton
        if drag == CUBE:
            zone = self._zone(p)
            if zone is not None and not moved:
                self._framing.go(view_cube.view_of(zone, self._framing.camera))
        elif drag == TOOL and self.tool is not None:  # a run that began meanwhile has taken it away
            self.tool.release(self._boxed(self.pointer(p, event.modifiers())))
            self._tool_changed()
        left = event.button() == Qt.MouseButton.LeftButton
        right = event.button() == Qt.MouseButton.RightButton
        selecting = drag in (NOTHING, ORBIT, PAN, ZOOM, GAUGE) or (drag == TOOL and self._resting)
        if left and not moved and selecting and not self._dragged:
            self._click(p, event.modifiers())
        elif right and not moved and self._zone(p) is not None:
            self.cube_menu_requested.emit(event.globalPosition().toPoint())
        elif right and not moved and self._rests():
            hit = self.hit(p.x(), p.y())
            id = self.gauge_at(p.x(), p.y()) or (hit.id if hit else "")
            self.menu_requested.emit(event.globalPosition().toPoint(), id)
        elif moved and drag in (ORBIT, PAN, ZOOM):
            self._framing.changed.emit()
            self._look_under(p)
            if not left:
                self.dragged.emit(BUTTONS.get(event.button(), ""))

    def _click(self, p: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        gauge = self.gauge_at(p.x(), p.y()) if self._rests() else ""
        if gauge:
            self.clicked.emit(gauge, modifiers)
            if self._doubled:
                self.gauge_chosen.emit(gauge)
            return
        slot = self._action_at(p)
        contact = self.contact_at(p.x(), p.y()) if slot is None else ""
        hit = self.hit(p.x(), p.y()) if slot is None and not contact else None
        name = slot.id if slot is not None else contact or (hit.id if hit else "")
        self.clicked.emit(name, modifiers)
        if self._doubled and hit is not None:
            self.double_clicked.emit(hit.id)
        elif self._doubled and not name and self._is_corner(p):
            self.corner_chosen.emit()

    def _is_corner(self, p: QPointF) -> bool:
        """True for a place in one of the corners of the view."""
        wide, high = self._framing.size
        return not (
            CORNER * wide < p.x() < (1 - CORNER) * wide
            or CORNER * high < p.y() < (1 - CORNER) * high
        )

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel was turned."""
        across, notches = event.angleDelta().x() / 120.0, event.angleDelta().y() / 120.0
        p, act = event.position(), self.mouse.wheel_use(_keys(event.modifiers()))
        if act == ZOOM and notches:
            self.zoom_at(p, NOTCH ** (self.away * notches))
        elif act in (ORBIT, PAN) and (notches or across):
            self._framing.stop()
            go = self._framing.orbit if act == ORBIT else self._framing.pan
            go(self.away * SCROLL * across, self.away * SCROLL * notches)
            self._framing.changed.emit()
        else:
            return
        event.accept()

    def zoom_at(self, p: QPointF, factor: float) -> None:
        """Change the distance by a factor; what is under a pixel stays there."""
        self._framing.zoom(self.depth_point(p.x(), p.y()), factor)

    def leave(self) -> None:
        """The pointer left the widget."""
        self.cursor = NOWHERE
        if self._action_under is not None:
            self._action_under = None
            self.action_hovered.emit(None)
        self._report_hover("")
        if self.cube_zone is not None:
            self.cube_zone = None
            self._widget.update()

    def enter(self, event: QEnterEvent) -> None:
        """The pointer came over the widget."""
        self.cursor = event.position()

    def _zone(self, p: QPointF) -> view_cube.Direction | None:
        camera, size = self._framing.current, self._framing.size
        return view_cube.zone_at(camera, size, p.x(), p.y(), self._look.text_scale)

    def _look_under(self, p: QPointF) -> None:
        """Hover: the cube first, then the scene."""
        zone = self._zone(p)
        if zone != self.cube_zone:
            self.cube_zone = zone
            self._widget.update()
        slot = None if zone is not None else self._action_at(p)
        if slot != self._action_under:
            self._action_under = slot
            self.action_hovered.emit(slot)
        gauge = self.gauge_at(p.x(), p.y()) if zone is None and self._rests() else ""
        if gauge:
            self._report_hover(gauge)
            return
        scene = zone is None and slot is None
        contact = self.contact_at(p.x(), p.y()) if scene and self._rests() else ""
        hit = self.hit(p.x(), p.y()) if scene and not contact else None
        self._report_hover(slot.id if slot is not None else contact or (hit.id if hit else ""))

    def _rests(self) -> bool:
        """True if no drawing tool is active."""
        return self.tool is None or self.tool.name == "select"

    def _action_at(self, p: QPointF) -> Slot | None:
        """The arrow or symbol of a body that is cut free under a pixel."""
        mark = self._free_body.at(p.x(), p.y()) if self._look.cut is not None else None
        return None if mark is None else mark.slot

    def _report_hover(self, id: str) -> None:
        if id != self._under:
            self._under = id
            self.hovered.emit(id)

    # ---- tools and keys

    def pointer(
        self, p: QPointF, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> Pointer:
        """Pointer at a position of the widget as tools see it: in their work plane.

        While the view turns, what is drawn stands under the pointer when it has arrived.
        """
        camera = self._framing.current if self._rests() else self._framing.camera
        eye = CameraEye(camera, self._framing.size)
        place = on_plane(eye, p.x(), p.y(), self._look.plane)
        tool, project = self.tool, self._shown.project
        reason = unreachable(eye, p.x(), p.y(), self._look.plane)
        if reason and tool is not None and not self._rests():
            place = None
        hit = self.hit(p.x(), p.y(), camera) if tool is None or tool.looks else None
        if hit is not None and hit.id == CONTACTS:  # for a tool the floor is empty room
            hit = None
        if tool is not None and tool.tentative is not None:
            # what would come by the next click is shown but not there yet: nothing is caught by it
            project = tool.context.document.project
            m = project.mechanism
            there = (m.bodies, m.joints, m.couplings, m.drives, m.forces)
            if hit is not None and hit.id != GROUND and not any(hit.id in each for each in there):
                hit = None
        if tool is not None:
            tool.context.no_place = "" if hit is not None else reason
        id = hit.id if hit else ""
        bodies = project.mechanism.bodies if project is not None else {}
        body = id if id == GROUND or id in bodies else ""
        keys = Qt.KeyboardModifier
        shift, control, alt = (
            bool(modifiers & key)
            for key in (keys.ShiftModifier, keys.ControlModifier, keys.AltModifier)
        )
        pixel = eye.pixel_size(place or camera.target)
        surface, normal = (
            (triple(hit.point), triple(hit.normal))
            if hit is not None and hit.normal is not None
            else (None, None)
        )
        x, y = p.x(), p.y()
        return Pointer(place, pixel, id, body, shift, control, alt, x, y, eye, surface, normal)

    def _tool_changed(self) -> None:
        if self._drag == TOOL and self.tool is not None and self.tool.dragging:
            self._dragged = True
        self._widget.update()
        self.tool_used.emit()

    @property
    def keeps_tab(self) -> bool:
        """True if Tab belongs to a drawing active tool."""
        return not self._rests()

    def key(self, event: QKeyEvent) -> bool:
        """A key was pressed; returns whether it was used."""
        if self.tool is not None:
            key = TOOL_KEYS.get(Qt.Key(event.key()), event.text())
            if key and self.tool.key(key):
                self._tool_changed()
                return True
        none, keypad = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        if event.modifiers() not in (none, keypad):
            return False
        key = Qt.Key(event.key())
        if key in VIEW_KEYS:
            self._framing.view_from(VIEW_KEYS[key])
        elif key == Qt.Key.Key_Period:
            self._framing.fit()
        elif key == Qt.Key.Key_5:
            self._framing.toggle_perspective()
        else:
            return False
        return True


def _keys(modifiers: Qt.KeyboardModifier) -> frozenset[str]:
    """Names of the keys that are held."""
    return frozenset(name for key, name in HELD.items() if modifiers & key)
