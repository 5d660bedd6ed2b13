"""The viewport: a widget that shows a scene, turns with the pointer and says what is under it."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QEnterEvent, QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from mechstudio.application.contact_display import Touch
from mechstudio.application.free_body import Cut
from mechstudio.application.scene import Scene, SceneSteps, drawn_poses, only_placed, row_poses
from mechstudio.application.scene.pictures import crossed, picture_planes
from mechstudio.application.scene.principal_axes import PrincipalCross, principal_crosses
from mechstudio.application.scene.sizes import view_size
from mechstudio.model.edits.links import FRONT, WorkPlane
from mechstudio.model.fields import CONTACTS
from mechstudio.model.free_bodies import Slot
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.project import Project
from mechstudio.model.units import unit
from mechstudio.view.idle_tasks import turns
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.backdrop import grid_cell
from mechstudio.view.scene.framing import Framing
from mechstudio.view.scene.navigation import Navigation
from mechstudio.view.scene.overlays.contact_marks import touch_at
from mechstudio.view.scene.painting import REST_MS, Painting
from mechstudio.view.scene.picking import Hit, Picker
from mechstudio.view.widgets.image_files import PictureFiles

STEP = 0.03  # s of computing, for which a scene is built in one turn
CROSSES = 12  # selected elements up to which principal axes are shown
STANDS = (
    1e-6  # parts of size, or of a quaternion, by which a body must be elsewhere to have a ghost
)
FLOOR_REACH = 1.0  # how far the floor can be pointed at, in distances of the camera


class Viewport(Painting, Framing, Navigation, QWidget):
    """Shows a project.  Its signals tell what the user points at; it changes nothing but its
    camera.

    hovered(id): another element is under the pointer, "" for none.  clicked(id, modifiers).
    double_clicked(id), after clicked. menu_wanted(place on the screen, id).  camera_changed(): by
    the user.  camera_moved(): by whatever, in every picture of a movement.
    action_hovered(slot): another arrow of a body that is cut free is under the pointer, None for
    none.  first_frame(): the first picture was painted.  tool_used(): the tool was given an event;
    its preview and hint may be new.
    """

    hovered = Signal(str)
    clicked = Signal(str, object)
    double_clicked = Signal(str)
    menu_wanted = Signal(object, str)
    camera_changed = Signal()
    action_hovered = Signal(object)
    camera_moved = Signal()
    first_frame = Signal()
    tool_used = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.units, self.text_scale, self.reduced_motion = "mm-N-deg", 1.0, False
        self.plane: WorkPlane = FRONT
        self.tool: Any = None
        self.message = ""  # why nothing can be drawn
        self._theme, self._labels, self._glyphs, self._axes = "light", True, True, False
        self._crosses: dict[str, PrincipalCross] | None = (
            None  # of selected bodies; None until they are needed
        )
        self._project: Project | None = None
        self._built: Scene | None = None  # of the project; None until it is needed
        self._steps = SceneSteps(Project())
        self._made_of: Mechanism | None = None  # with whose places of bodies the scene was made
        self._wanted: np.ndarray | None = None  # poses of bodies, None as drawn
        self._placed: np.ndarray | None = None  # poses of rows; None until they are needed
        self._picker: Picker | None = None
        self._ghost: tuple[np.ndarray, frozenset[str] | None] | None = None
        self._selected: frozenset[str] = frozenset()
        self._hovered_id = ""
        self._lit: frozenset[str] = frozenset()
        self._struck: frozenset[str] = frozenset()
        self._touching: Touch | None = None
        self._files = PictureFiles(self)
        self._files.arrived.connect(lambda: self._touch("pictures"))
        self._start_framing()
        self._start_painting()
        self._start_navigation()
        app = QGuiApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self._release)

    def sizeHint(self) -> QSize:
        return QSize(900, 700)

    # ---- what is shown

    def set_project(self, project: Project, standing: Project | None = None) -> None:
        """Show a project as drawn.  The camera stays, unless it was never set and there is now
        something to see.

        standing: the same with bodies where they will be shown, from which glyphs between bodies
        are made.
        """
        standing = standing or project
        # wheels and belts are made for where their axes stand, all else goes along with the bodies
        moved = standing.mechanism.couplings and standing.mechanism is not self._made_of
        if self._project is not None and project.mechanism is self._project.mechanism and not moved:
            other, self._project = project.pictures is not self._project.pictures, project
            if other:
                self._scene = replace(self._scene, pictures=picture_planes(project))
                self._touch("pictures")
            return
        self._project = project
        # made in the next turns, or when it is asked for: an edit has enough to do in one
        self._built, self._steps, self._made_of = None, SceneSteps(standing), standing.mechanism
        if self._seen and self.isVisible():
            self.setUpdatesEnabled(False)
            turns().soon(self, self._build)
        self._picker, self._ghost = None, None
        self._wanted = self._placed = self._crosses = None
        self._touch("scene")

    def _build(self, step: float = STEP) -> None:
        """Make some of the scene, for so many seconds; the turn after the last of it has it
        painted, which takes its time too.
        """
        turns().drop(self)
        if self._built is None:
            end = time.thread_time() + step
            self._steps.go_on(lambda: time.thread_time() > end)
            self._built = self._steps.scene
            if self._built is not None and self.isVisible():
                # what is pointed at before the picture is there is where it will be seen
                self._fit_now()
            if step < math.inf:
                turns().soon(self, self._build)
                return
        self.setUpdatesEnabled(True)

    def set_poses(self, poses: np.ndarray | None) -> None:
        """poses: (bodies, 7) place [m] and quaternion w x y z of every body in file order without
        ground; None: as drawn.
        """
        count = 0 if self._project is None else len(self._project.mechanism.bodies)
        if poses is not None and np.shape(poses) != (count, 7):
            raise ValueError(
                f"The scene has {count} bodies and was given poses of shape {np.shape(poses)}."
            )
        self._wanted, self._placed = None if poses is None else np.array(poses, float), None
        self._touch("poses")

    @property
    def _scene(self) -> Scene:
        """The scene of the project."""
        if self._built is None:
            self._built = self._steps.finish()
        return self._built

    @_scene.setter
    def _scene(self, scene: Scene) -> None:
        self._built = scene

    @property
    def _poses(self) -> np.ndarray:
        """Poses of all rows (r, 8) as they are shown."""
        if self._placed is None:
            drawn = (
                drawn_poses(self._project or Project()) if self._wanted is None else self._wanted
            )
            self._placed = row_poses(self._scene.rows, drawn)
        return self._placed

    def set_placed(self, project: Project) -> None:
        """Show a project that is being dragged: by moving what is there where only places of bodies
        differ, which costs little, else anew.
        """
        if self._project is not None and only_placed(self._project, project):
            self.set_poses(drawn_poses(project))
        else:
            self.set_project(project)
            self.set_poses(None)

    def set_ghost(self, poses: np.ndarray | None, bodies: frozenset[str] | None = None) -> None:
        """Draw bodies once more, translucent, at other poses (bodies, 7) as of set_poses, until
        None or another project is set.

        bodies: ids; None for those that stand elsewhere than where they are shown.
        """
        if poses is not None and np.shape(poses) != self._scene.drawn.shape:
            raise ValueError(
                f"The scene has {len(self._scene.drawn)} bodies and was given a ghost of "
                f"shape {np.shape(poses)}."
            )
        if poses is None and self._ghost is None:
            return
        self._ghost = None if poses is None else (row_poses(self._scene.rows, poses), bodies)
        self._touch("ghost")

    def _ghost_rows(self) -> tuple[np.ndarray | None, tuple[int, ...]]:
        """Poses of all rows and the rows of the bodies that are drawn as ghosts."""
        if self._ghost is None:
            return None, ()
        rows, bodies = self._ghost
        if bodies is not None:
            return rows, tuple(k for k, id in enumerate(self._scene.bodies) if k and id in bodies)
        apart = np.abs(rows - self._poses)[: len(self._scene.bodies)] > STANDS * np.repeat(
            (1.0, self._scene.size), 4
        )
        return rows, tuple(np.flatnonzero(apart.any(axis=1)).tolist())

    def set_selection(self, selected: tuple[str, ...], hovered: str = "", *lit: str) -> None:
        """Mark what is selected, what is under the pointer, here or in another panel, and what
        glows with that.
        """
        chosen, glowing = frozenset(selected), frozenset((hovered, *lit)) - {""}
        if chosen != self._selected or hovered != self._hovered_id or glowing != self._lit:
            if chosen != self._selected and self._project is not None:
                self._crosses = None
            self._selected, self._hovered_id, self._lit = chosen, hovered, glowing
            self._touch("style")

    def _crosses_now(self) -> dict[str, PrincipalCross]:
        """Principal axes of what is selected; of many bodies they would only be a thicket."""
        if self._crosses is None:
            shown = self._project is not None and len(self._selected) <= CROSSES
            self._crosses = (
                principal_crosses(self._project.mechanism, self._selected, self._scene.glyph)
                if shown
                else {}
            )  # type: ignore[union-attr]
        return self._crosses

    def set_theme(self, name: str) -> None:
        """ "light" or "dark"."""
        if name != self._theme:
            self._theme = name
            self._touch("style")

    def set_units(self, units: str) -> None:
        """Show numbers in a unit system."""
        if units != self.units:
            self.units = units
            self._touch("picture")

    def set_text_scale(self, scale: float) -> None:
        """Show words and strokes so many times as large as normal."""
        if scale != self.text_scale:
            self.text_scale = scale
            self._touch("style")

    def set_labels(self, shown: bool) -> None:
        """Show names of joints."""
        self._labels = shown
        self.update()

    def set_glyphs(self, shown: bool) -> None:
        """Show marks of joints, forces and ground."""
        if shown != self._glyphs:
            self._glyphs = shown
            self._touch("picture")

    def set_axes(self, shown: bool) -> None:
        """Show the principal axes of selected bodies."""
        self._axes = shown
        self.update()

    def set_tool(self, tool: Any, plane: WorkPlane | None = None) -> None:
        """Give pointer and keys to a drawing tool (application/tools); None takes them back.
        plane: what is drawn in, with a clear grid.
        """
        self.tool, self.drawing_plane = tool, plane
        self.plane = plane or self.plane
        self.setCursor(
            Qt.CursorShape.CrossCursor if plane is not None else Qt.CursorShape.ArrowCursor
        )
        self._touch("picture")

    def set_plane(self, plane: WorkPlane) -> None:
        """The work plane, whose faint grid is always seen."""
        if plane != self.plane:
            self.plane = plane
            self._touch("picture")

    drawing_plane: WorkPlane | None = None  # the plane that is being drawn in; its grid is clear

    @property
    def grid(self) -> float:
        """Side of a cell of the grid [m]."""
        # the size is known before the scene is made
        size = (
            view_size((self._project or Project()).mechanism)
            if self._built is None
            else self._built.size
        )
        return grid_cell(size, unit("length", self.units).factor)

    # ---- what is under a pixel

    def _extent(self) -> tuple[float, float]:
        return (max(1, self.width()), max(1, self.height()))

    def hit(self, x: float, y: float) -> Hit | None:
        """The element under a pixel of the widget."""
        found = self._picker_now().pick(
            self._poses, self._camera, self._extent(), x, y, self._glyphs
        ) or self._floor_hit(x, y)
        if not self._scene.pictures or found is not None and found.on_mark:
            return found
        ray = lens.ray(self._camera, self._extent(), x, y)
        picture = crossed(self._scene.pictures, ray.origin, ray.direction)
        before = picture is not None and (
            found is None or (picture[1] - found.point) @ ray.direction < 0
        )
        return (
            Hit(picture[0], picture[1], False, picture[2])
            if picture is not None and before
            else found
        )

    def touch_at(self, x: float, y: float) -> str:
        """The name of the contact under a pixel (model.results.touch_names); "" for none."""
        return (
            ""
            if self._touching is None or self._focus is not None
            else touch_at(self._touching, self._camera, self._extent(), x, y, self.text_scale)
        )

    def _floor_hit(self, x: float, y: float) -> Hit | None:
        """The floor on which bodies stand, where it is seen: from above, and not beyond where it
        has faded.
        """
        if not self._scene.solid_floor:
            return None
        sight, up = lens.ray(self._camera, self._extent(), x, y), np.array([0.0, 0.0, 1.0])
        point = lens.on_plane(sight, np.array([0.0, 0.0, self._scene.floor]), up)
        if (
            point is None
            or sight.direction[2] >= 0
            or np.linalg.norm(point - self._camera.target)
            > FLOOR_REACH * max(self._camera.distance, self._scene.size)
        ):
            return None
        return Hit(CONTACTS, point, False, up)

    def _picker_now(self) -> Picker:
        if self._picker is None:
            self._picker = Picker(self._scene)
        return self._picker

    def world_to_pixel(self, points: np.ndarray) -> np.ndarray:
        """Pixels (k, 2) of points of W (k, 3)."""
        return lens.project(self._camera, self._extent(), points)[:, :2]

    # ---- what stands out

    def set_focus(self, ids: frozenset[str] | None) -> None:
        """Fade everything but these elements; None: nothing."""
        if ids != self._focus:
            self._focus = ids
            self._touch("style")

    def set_cut(
        self,
        cut: Cut | None,
        arrow_scale: float = 1.0,
        lit: Callable[[Slot], bool] = lambda slot: False,
    ) -> None:
        """Show what acts on a body that is cut free.  arrow_scale: against the automatic one.
        lit(slot): whether it is pointed at or selected.
        """
        if cut is None and self._cut is None:
            return
        self._cut, self._arrow_scale, self._is_lit = cut, arrow_scale, lit
        self.update()

    def set_covered(self, rooms: list[QRectF]) -> None:
        """Set the rectangles where symbols would lie below something that floats over the scene."""
        self._covered = rooms
        if self._cut is not None:
            self.update()

    def set_struck(self, joints: frozenset[str]) -> None:
        """Joints at whose stops something happens now: their marks flash."""
        if joints != self._struck:
            self._struck = joints
            self.update()

    def set_contacts(self, touch: Touch | None) -> None:
        """Show contacts, those of the poses that are shown; None for none."""
        if touch is not self._touching:
            self._touching = touch
            self.update()

    @property
    def floor(self) -> float:
        """Height at which the floor is seen [m]."""
        return self._scene.floor

    # ---- its life

    def _release(self) -> None:
        """Give the graphics device back; a later picture makes a new one."""
        self._files.close()
        self._rest.stop()
        turns().drop(self._rest)
        self._turn.stop()
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        if any(self._files.fault(p.path) for p in self._scene.pictures):
            self._touch("pictures")  # its file may have been put back meanwhile

    def hideEvent(self, event: QHideEvent) -> None:
        self._rest.stop()
        self._turn.stop()
        super().hideEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        self._rest.start(REST_MS)
        super().showEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._release()
        super().closeEvent(event)
