"""Link from the active tool to the viewport, and from its display requests to the studio."""

import math
from collections.abc import Mapping

import numpy as np
from PySide6 import QtCore, QtGui

from mechstudio.application.actions.edits import parameters
from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.select import SelectTool
from mechstudio.model.geometry.rotation import Pose, Triple
from mechstudio.model.project import Project
from mechstudio.translation import tr
from mechstudio.view.scene.eye import CameraEye
from mechstudio.view.scene.viewport import Viewport

Qt = QtCore.Qt
_NAMED = {
    Qt.Key.Key_Return: "enter",
    Qt.Key.Key_Enter: "enter",
    Qt.Key.Key_Escape: "escape",
    Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backtab: "backtab",
    Qt.Key.Key_Backspace: "backspace",
}
EDGE_ON = 0.2  # cosine of the line of sight with a plane's normal below which it is turned to
SMALL = 0.02  # of the picture: a first body smaller than this was typed in another size
# events after which a pointer that does not move asks for no list: a click has chosen already
ENDS_REST = (QtCore.QEvent.Type.Leave, QtCore.QEvent.Type.Hide, QtCore.QEvent.Type.MouseButtonPress)
LINGER_MS = 500  # the pointer has stood still so long: what else it could catch is listed


_CURSORS = {
    "": Qt.CursorShape.ArrowCursor,
    "open_hand": Qt.CursorShape.OpenHandCursor,
    "closed_hand": Qt.CursorShape.ClosedHandCursor,
}


class ToolView(QtCore.QObject):
    """Between the tool bench and the viewport; keys that the tool wants come before the window's
    shortcuts.
    """

    def __init__(self, studio: Studio, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._studio, self._view, self._bench = studio, viewport, studio.tools
        self._bench.changed.connect(self._take)
        self._bench.answered.connect(viewport.setFocus)
        self._bench.plane_changed.connect(self._follow_plane)
        self._bench.plane_chosen.connect(viewport.framing.face_plane)
        self._still = QtCore.QTimer(self, singleShot=True, interval=LINGER_MS)
        self._still.timeout.connect(self._linger)
        studio.runs.playback.changed.connect(self._follow_time)
        studio.preferences.changed.connect(self._follow_preferences)
        self._bench.context.shown = self._shown_poses
        self._bench.context.pointed = self._pointed
        self._follow_preferences()
        viewport.navigator.tool_used.connect(self._used)
        self._bench.used.connect(viewport.update)
        studio.questions.drag.changed.connect(self._refresh)
        studio.free_body.changed.connect(self._follow_time)
        viewport.installEventFilter(self)
        self._shows_tentative = False
        self._ghost: Mapping[str, Pose] = {}
        self._take()
        studio.document.changed.connect(self._fit_first)

    def _fit_first(self, old: Project, new: Project) -> None:
        """Bring the first body into the picture, where its size is another than that of the room
        that it was drawn in.
        """
        tool = self._bench.is_drawing and not old.mechanism.bodies and new.mechanism.bodies
        if not tool:
            return
        QtCore.QTimer.singleShot(0, self, self._fit_if_other)

    def _fit_if_other(self) -> None:
        view = self._view
        view.shown.build(math.inf)
        points = view.framing.world_to_pixel(view.shown.scene.points(view.shown.poses))
        if not len(points):
            return
        low, high = points.min(axis=0), points.max(axis=0)
        size = np.array(view.framing.size)
        outside = not np.isfinite(points).all() or (low < 0).any() or (high > size).any()
        if outside or ((high - low) / size).max() < SMALL:
            view.framing.fit()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        if event.type() in ENDS_REST:
            self._still.stop()
        elif event.type() == QtCore.QEvent.Type.MouseMove and self._bench.is_drawing:
            self._still.start()
        if (
            event.type() == QtCore.QEvent.Type.KeyPress
            and isinstance(event, QtGui.QKeyEvent)
            and self._view.navigator.tool is not None
        ):
            if (
                event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
                and self._bench.requested is not None
            ):
                parameters.create_requested(self._studio)
                return True
            self._bench.context.missing = None
        if (
            event.type() == QtCore.QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and self._view.navigator.tool is not None
        ):
            key = _NAMED.get(Qt.Key(event.key()), event.text())
            if key and self._bench.tool.wants(key):
                event.accept()
                return True
        return False

    def _take(self) -> None:
        """Another tool is active."""
        bench = self._bench
        if bench.is_drawing:
            self._studio.runs.playback.pause()
            self._studio.runs.playback.to_design()
            self._view.setFocus()
            # a picture to draw after is something to look at too, from where the user put the
            # camera
            if not self._studio.document.has_bodies and not self._studio.document.project.pictures:
                self._view.framing.look_at_plane()
        bench.context.grid, bench.context.target = self._view.grid, self._view.framing.camera.target
        self._follow_time()

    def _shown_poses(self) -> dict[str, Pose]:
        """Poses of bodies as they are shown now."""
        bodies, poses = self._studio.document.project.mechanism.bodies, self._studio.display.poses
        rows = poses.tolist() if poses is not None and len(poses) == len(bodies) else []
        return {id: (tuple(row[:3]), tuple(row[3:])) for id, row in zip(bodies, rows)}

    def _pointed(self) -> Triple | None:
        """Place of the pointer in the work plane [m, W]; None beside the view."""
        at, framing = self._view.navigator.cursor, self._view.framing
        if not self._view.rect().contains(at.toPoint()):
            return None
        eye = CameraEye(framing.current, framing.size)
        return on_plane(eye, at.x(), at.y(), self._bench.context.plane)

    def _linger(self) -> None:
        """The pointer stands still over the drawing."""
        if self._bench.is_drawing and self._view.navigator.tool is self._bench.tool:
            self._bench.tool.linger()
            self._bench.used.emit()

    def _follow_plane(self) -> None:
        self._view.look.set_plane(self._bench.context.plane)
        if self._bench.is_drawing:
            # who draws on sees the plane, which went along with what was clicked
            self._view.framing.face_plane(EDGE_ON)
        self._follow_time()

    def _follow_preferences(self) -> None:
        context, stored = self._bench.context, self._studio.preferences.stored
        context.units, context.grid = self._studio.preferences.units, self._view.grid
        context.scale, context.axes, context.pivot = (
            stored.text_size / 100,
            stored.gizmo_axes,
            stored.gizmo_pivot,
        )
        self._view.update()

    def _follow_time(self) -> None:
        """The resting tool drags what stands still; while a recorded pose is shown it can only pull
        the mechanism on from there, and while a run is played pull it with a spring.
        """
        bench, playback = self._bench, self._studio.runs.playback
        if playback.playing and bench.is_drawing:
            # what is drawn stands as drawn: a run takes the tool out of the hand
            bench.rest()
        bench.context.at_design = playback.at_design
        # handles would stand among the arrows of a body that is cut free
        resting = not self._studio.free_body.is_open
        tool = bench.tool if bench.is_drawing or resting else None
        turned = bench.context.playing is not playback.playing
        if (turned or tool is None) and isinstance(bench.tool, SelectTool):
            bench.tool.drop()
        bench.context.playing = playback.playing
        if playback.playing and tool is not None and tool.dragging:
            tool.refresh()
        plane = bench.context.plane if bench.is_drawing else None
        if self._view.navigator.tool is not tool or self._view.look.drawing_plane is not plane:
            self._view.navigator.set_tool(tool, plane)
        if not bench.is_drawing:
            self._still.stop()

    def _refresh(self) -> None:
        """The solver has reported how far a drag has come."""
        self._bench.tool.refresh()
        self._show_cursor()
        self._view.update()

    def _show_cursor(self) -> None:
        if self._view.look.drawing_plane is None:
            self._view.setCursor(
                _CURSORS[self._bench.tool.cursor if self._view.navigator.tool is not None else ""]
            )

    def _used(self) -> None:
        """The tool was given an event."""
        self._show_cursor()
        bench, studio = self._bench, self._studio
        bench.context.grid, bench.context.target = self._view.grid, self._view.framing.camera.target
        bench.after_event()
        if bench.message and (requested := bench.requested) is not None:
            studio.notifications.say(
                Message(
                    "warning",
                    tr(
                        "{message} Enter again creates {name}.",
                        message=bench.message,
                        name=requested.words,
                    ),
                    "tool",
                    (
                        (
                            tr("Create {name}", name=requested.words),
                            lambda: parameters.create_requested(studio),
                        ),
                    ),
                )
            )
        elif bench.message:
            studio.notifications.say(Message("warning", bench.message, "tool"))
        else:
            studio.notifications.withdraw("tool")
        tentative = bench.tentative
        if tentative is not None:
            self._view.shown.set_placed(tentative)
        elif self._shows_tentative:
            self._view.shown.set_project(studio.document.project, studio.display.project)
            self._view.shown.set_poses(studio.display.poses)
        self._shows_tentative = tentative is not None
        self._show_ghost()

    def _show_ghost(self) -> None:
        """Bodies where the active tool would move them."""
        ghost = self._bench.tool.ghost
        if ghost is self._ghost:
            return
        self._ghost = ghost
        bodies = self._studio.display.project.mechanism.bodies
        poses = [
            (*at, *q)
            for at, q in (ghost.get(id, body.placement.pose) for id, body in bodies.items())
        ]
        self._view.shown.set_ghost(np.array(poses) if ghost and poses else None, frozenset(ghost))
