"""Pointer and keys of the viewport: orbit, pan, zoom, hover, click, view cube, and what goes on to
a drawing tool.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, QVariantAnimation, SignalInstance
from PySide6.QtGui import QEnterEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from mechstudio.application.free_body import Cut
from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.fields import CONTACTS
from mechstudio.model.free_bodies import Slot
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Camera, Project
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.eye import CameraEye, triple
from mechstudio.view.scene.overlays import view_cube
from mechstudio.view.scene.overlays.free_body_marks import FreeBodyMarks
from mechstudio.view.scene.picking import Hit

CLICK = 4.0  # pixels: a press that moves less is a click
TURN = 0.35  # degrees per pixel
NOTCH = 0.87  # change of distance per notch of the wheel
TOOL_KEYS = {
    Qt.Key.Key_Return: "enter",
    Qt.Key.Key_Enter: "enter",
    Qt.Key.Key_Escape: "escape",
    Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backtab: "backtab",
    Qt.Key.Key_Backspace: "backspace",
}
ORBIT, PAN, TOOL, CUBE, NOTHING = "orbit", "pan", "tool", "cube", ""


class Navigation(QWidget):
    """The part of the viewport that listens.

    Left drag on empty room, middle drag or right drag: orbit; with Shift: pan.  Wheel: zoom towards
    the pointer.  A tool gets the left button where it takes it.
    """

    tool: Any
    plane: WorkPlane
    text_scale: float
    _camera: Camera
    _wants_fit: bool
    _project: Project | None
    _turn: QVariantAnimation

    if TYPE_CHECKING:  # what Viewport brings
        hovered: SignalInstance
        clicked: SignalInstance
        double_clicked: SignalInstance
        menu_wanted: SignalInstance
        camera_changed: SignalInstance
        tool_used: SignalInstance
        action_hovered: SignalInstance
        free_body: FreeBodyMarks
        _cut: Cut | None
        camera: Camera

        def hit(self, x: float, y: float) -> Hit | None: ...
        def touch_at(self, x: float, y: float) -> str: ...
        def fit(self) -> None: ...
        def view_from(self, name: str) -> None: ...
        def toggle_perspective(self) -> None: ...
        def _go(self, camera: Camera, at_once: bool = False) -> None: ...
        def _place(self, camera: Camera) -> None: ...
        def _extent(self) -> tuple[float, float]: ...

    def _start_navigation(self) -> None:
        self._cursor = QPointF(-1, -1)
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._drag = NOTHING
        self._button = Qt.MouseButton.NoButton
        self._moved = False
        self._doubled = False  # the button went down for the second time
        self._under = ""
        self._dragged = False  # the tool has moved something since the button went down
        self._resting = True  # the button went down with the resting tool in hand: a click selects
        self._cube_zone: view_cube.Direction | None = None
        self._action_under: Slot | None = None

    # ---- pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._drag != NOTHING:  # a second button while one is held
            return
        p, button = event.position(), event.button()
        self._pressed, self._last, self._button, self._moved, self._cursor, self._dragged = (
            p,
            p,
            button,
            False,
            p,
            False,
        )
        self._doubled = False
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if button == Qt.MouseButton.LeftButton and self._zone(p) is not None:
            self._drag = CUBE
        elif button == Qt.MouseButton.LeftButton and self._tool_takes(p, event.modifiers()):
            self._drag, self._resting = TOOL, self.tool.name == "select"
            self.tool.press(self._pointer(p, event.modifiers()))
            self._tool_changed()
        else:
            self._drag = PAN if shift else ORBIT
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)
        self._doubled = True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        p = event.position()
        self._cursor = p
        if self._pressed is None:
            self._look_under(p)
        elif not self._moved and (p - self._pressed).manhattanLength() >= CLICK:
            self._moved = True
            if self._drag in (ORBIT, PAN):
                self._turn.stop()
                self._last = p
        if self._moved and self._drag == ORBIT:
            self._orbit(p - self._last)
        elif self._moved and self._drag == PAN:
            self._pan(p - self._last)
        self._last = p
        if self.tool is not None and self._drag in (TOOL, NOTHING):
            self.tool.move(self._pointer(p, event.modifiers()))
            self._tool_changed()
            if (
                self._drag == TOOL
                and self._moved
                and self.tool is not None
                and self.tool.name == "select"
                and not self._dragged
            ):
                self._drag = ORBIT  # what was grasped cannot be moved, so the view turns

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != self._button or self._pressed is None:
            return
        p, drag, moved = event.position(), self._drag, self._moved
        self._pressed, self._drag, self._button = None, NOTHING, Qt.MouseButton.NoButton
        if drag == CUBE:
            zone = self._zone(p)
            if zone is not None and not moved:
                self._go(view_cube.view_of(zone, self.camera))
        elif drag == TOOL and self.tool is not None:  # a run that began meanwhile has taken it away
            self.tool.release(self._pointer(p, event.modifiers()))
            self._tool_changed()
        selecting = drag in (ORBIT, PAN) or drag == TOOL and self._resting
        if (
            event.button() == Qt.MouseButton.LeftButton
            and not moved
            and selecting
            and not self._dragged
        ):
            slot = self._action_at(p)
            touch = self.touch_at(p.x(), p.y()) if slot is None else ""
            hit = self.hit(p.x(), p.y()) if slot is None and not touch else None
            self.clicked.emit(
                slot.id if slot is not None else touch or (hit.id if hit else ""), event.modifiers()
            )
            if self._doubled and hit is not None:
                self.double_clicked.emit(hit.id)
        elif (
            event.button() == Qt.MouseButton.RightButton
            and not moved
            and (self.tool is None or self.tool.name == "select")
        ):
            hit = self.hit(p.x(), p.y())
            self.menu_wanted.emit(event.globalPosition().toPoint(), hit.id if hit else "")
        elif moved and drag in (ORBIT, PAN):
            self.camera_changed.emit()
            self._look_under(p)

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / 120.0
        if not notches:
            return
        self._turn.stop()
        p = event.position()
        self._place(lens.zoomed(self._camera, self._depth_point(p), NOTCH**notches))
        self._wants_fit = False
        self.camera_changed.emit()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._cursor = QPointF(-1, -1)
        if self._action_under is not None:
            self._action_under = None
            self.action_hovered.emit(None)
        self._tell_hover("")
        if self._cube_zone is not None:
            self._cube_zone = None
            self.update()
        super().leaveEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._cursor = event.position()
        super().enterEvent(event)

    def _zone(self, p: QPointF) -> view_cube.Direction | None:
        return view_cube.zone_at(self._camera, self._extent(), p.x(), p.y(), self.text_scale)

    def _look_under(self, p: QPointF) -> None:
        """Hover: the cube first, then the scene."""
        zone = self._zone(p)
        if zone != self._cube_zone:
            self._cube_zone = zone
            self.update()
        slot = None if zone is not None else self._action_at(p)
        if slot != self._action_under:
            self._action_under = slot
            self.action_hovered.emit(slot)
        touch = (
            ""
            if zone is not None or slot is not None or not self._rests()
            else self.touch_at(p.x(), p.y())
        )
        hit = None if zone is not None or slot is not None or touch else self.hit(p.x(), p.y())
        self._tell_hover(slot.id if slot is not None else touch or (hit.id if hit else ""))

    def _rests(self) -> bool:
        """True if no drawing tool is active."""
        return self.tool is None or self.tool.name == "select"

    def _action_at(self, p: QPointF) -> Slot | None:
        """The arrow or symbol of a body that is cut free under a pixel."""
        mark = self.free_body.at(p.x(), p.y()) if self._cut is not None else None
        return None if mark is None else mark.slot

    def _tell_hover(self, id: str) -> None:
        if id != self._under:
            self._under = id
            self.hovered.emit(id)

    # ---- camera

    def _orbit(self, by: QPointF) -> None:
        c = self._camera
        self._place(
            lens.replaced(
                c, azimuth=c.azimuth - TURN * by.x(), elevation=c.elevation + TURN * by.y()
            )
        )

    def _pan(self, by: QPointF) -> None:
        c = self._camera
        pixel, R = lens.pixel(c, self._extent()), lens.axes(c)
        self._place(
            lens.replaced(
                c, target=np.array(c.target) - pixel * by.x() * R[0] + pixel * by.y() * R[1]
            )
        )

    def _depth_point(self, p: QPointF) -> np.ndarray:
        """The point of W under a pixel: on a surface, else in the plane through the camera's
        target.
        """
        hit = self.hit(p.x(), p.y())
        if hit is not None:
            return hit.point
        c = self._camera
        point = lens.on_plane(
            lens.ray(c, self._extent(), p.x(), p.y()), np.array(c.target), lens.axes(c)[2]
        )
        return np.array(c.target) if point is None else point

    # ---- tools and keys

    def _tool_takes(self, p: QPointF, modifiers: Qt.KeyboardModifier) -> bool:
        return self.tool is not None and self.tool.takes(self._pointer(p, modifiers))

    def _pointer(self, p: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer:
        """The pointer as tools want it: in their work plane."""
        eye = CameraEye(self._camera, self._extent())
        place = on_plane(eye, p.x(), p.y(), self.plane)
        hit = self.hit(p.x(), p.y()) if getattr(self.tool, "looks", True) else None
        if hit is not None and hit.id == CONTACTS:  # for a tool the floor is empty room
            hit = None
        project = self._project
        if getattr(self.tool, "tentative", None) is not None:
            # what would come by the next click is shown but not there yet: nothing is caught by it
            project = self.tool.context.document.project
            m = project.mechanism
            if (
                hit is not None
                and hit.id != GROUND
                and not any(
                    hit.id in section
                    for section in (m.bodies, m.joints, m.couplings, m.drives, m.forces)
                )
            ):
                hit = None
        id = hit.id if hit else ""
        mechanism = project.mechanism if project is not None else None
        body = id if id == GROUND or mechanism is not None and id in mechanism.bodies else ""
        keys = Qt.KeyboardModifier
        held = [
            bool(modifiers & m)
            for m in (keys.ShiftModifier, keys.ControlModifier, keys.AltModifier)
        ]
        pixel = eye.pixel_size(place or self._camera.target)
        surface, normal = (
            (triple(hit.point), triple(hit.normal))
            if hit is not None and hit.normal is not None
            else (None, None)
        )
        return Pointer(place, pixel, id, body, *held, p.x(), p.y(), eye, surface, normal)

    def pointer(self, p: QPointF) -> Pointer:
        """Pointer at a position of the widget, as tools see it."""
        return self._pointer(p, Qt.KeyboardModifier.NoModifier)

    def _tool_changed(self) -> None:
        self._dragged = (
            self._dragged
            or self._drag == TOOL
            and self.tool is not None
            and getattr(self.tool, "dragging", False)
        )
        self.update()
        self.tool_used.emit()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab belongs to a drawing tool in hand."""
        return (
            False
            if self.tool is not None and self.tool.name != "select"
            else super().focusNextPrevChild(next)
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.tool is not None:
            key = TOOL_KEYS.get(Qt.Key(event.key()), event.text())
            if key and self.tool.key(key):
                self._tool_changed()
                return
        act = {
            Qt.Key.Key_Period: self.fit,
            Qt.Key.Key_5: self.toggle_perspective,
            Qt.Key.Key_1: lambda: self.view_from("front"),
            Qt.Key.Key_3: lambda: self.view_from("right"),
            Qt.Key.Key_7: lambda: self.view_from("top"),
            Qt.Key.Key_0: lambda: self.view_from("corner"),
        }.get(Qt.Key(event.key()))
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if act is None or not plain:
            super().keyPressEvent(event)
        else:
            act()
