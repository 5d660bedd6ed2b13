"""Camera of the viewport: standard views, movements, and what is brought into the picture."""

import numpy as np
from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal
from PySide6.QtWidgets import QWidget

from mechstudio.model.geometry.rotation import IDENTITY, Triple
from mechstudio.model.geometry.work_plane import facing
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.look import Look
from mechstudio.view.scene.shown_scene import ShownScene

TURN_MS = 240
TURN = 0.35  # degrees per pixel
BESIDE = 56.0  # px between a body and the widget that it is moved away from
FRAMED = 0.5  # share of the picture that a framed element fills: its surroundings stay in sight


class Framing(QObject):
    """Camera of a widget that shows a scene.

    wants_fit: everything is to be shown as soon as scene and size are known.
    changed(): by the user.  moved(): by whatever, in every picture of a movement.
    """

    changed = Signal()
    moved = Signal()

    def __init__(self, widget: QWidget, shown: ShownScene, look: Look) -> None:
        super().__init__(widget)
        self._widget, self._shown, self._look = widget, shown, look
        self.wants_fit = True
        self._held = self._last = (
            Camera()
        )  # in the axes of the body that it follows; in W, as seen last
        self._turn = QVariantAnimation(
            self,
            startValue=0.0,
            endValue=1.0,
            duration=TURN_MS,
            easingCurve=QEasingCurve(QEasingCurve.Type.InOutCubic),
        )
        self._turn.valueChanged.connect(self._rotated)
        self._path: tuple[Camera, Camera] = (self._held, self._held)

    @property
    def current(self) -> Camera:
        """Camera of the current picture, within a transition too."""
        self._last = self._carried(self._held)
        return self._last

    @current.setter
    def current(self, camera: Camera) -> None:
        self._held = self._kept(camera)

    def _carried(self, held: Camera) -> Camera:
        """The camera in W; the last one where its body is gone."""
        if not held.body:
            return held
        pose = self._shown.pose_of(held.body)
        still = {"body": "", "turns": False}
        return lens.replaced(self._last, **still) if pose is None else lens.carried(held, pose)

    def _kept(self, camera: Camera) -> Camera:
        """The camera in the axes of the body that it follows."""
        pose = self._shown.pose_of(camera.body)
        return camera if pose is None else lens.held(camera, pose)

    @property
    def along(self) -> tuple[str, bool]:
        """The body that the camera follows, "" for none, and whether it turns with it; a
        picture is not needed for that.
        """
        turns = self._turn.state() == QVariantAnimation.State.Running
        held = self._path[1] if turns else self._held
        there = self._shown.pose_of(held.body) is not None
        return (held.body, held.turns) if there else ("", False)

    @property
    def kept(self) -> Camera:
        """The camera as it is kept in a file; during a transition, the one at its end."""
        return self._kept(self.camera)

    @kept.setter
    def kept(self, camera: Camera) -> None:
        self._turn.stop()
        self.wants_fit, self._held = False, camera
        self.moved.emit()

    def go_kept(self, camera: Camera) -> None:
        """Travel to a stored camera, on whatever body it follows."""
        pose = self._shown.pose_of(camera.body)
        self.go(camera if pose is None else lens.carried(camera, pose))

    def go_along(self, body: str, turns: bool) -> None:
        """Go along with a body from now on, and turn with it where that is requested."""
        camera = self.camera
        upright = camera.frame if turns and camera.turns else IDENTITY
        self.go(lens.replaced(camera, body=body, turns=turns, frame=upright))

    def stand_still(self) -> None:
        """Go along with nothing, and stand upright."""
        self.go(lens.replaced(self.camera, body="", turns=False, frame=IDENTITY))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture [px], at least one."""
        return (max(1, self._widget.width()), max(1, self._widget.height()))

    @property
    def pixel(self) -> float:
        """Size of a pixel in W at the camera's target [m]."""
        return lens.pixel(self.current, self.size)

    def world_to_pixel(self, points: np.ndarray) -> np.ndarray:
        """Pixels (k, 2) of points of W (k, 3)."""
        return lens.project(self.current, self.size, points)[:, :2]

    def bodies(self) -> list[np.ndarray]:
        """Places in the picture of each body that is shown, with its glyphs: (k, 2) [px]."""
        shown = self._shown
        if shown.project is None or not shown.is_built:
            return []
        ids = (body.id for body in shown.project.mechanism.bodies.values() if body.visible)
        points = [shown.scene.points_of((id,), shown.poses) for id in ids]
        return [self.world_to_pixel(each) for each in points if len(each)]

    @property
    def camera(self) -> Camera:
        """Camera of the scene in W; during the transition to a view, the camera at its end."""
        if self.wants_fit and self._widget.isVisible():
            self.fit_now()
        turns = self._turn.state() == QVariantAnimation.State.Running
        return self._carried(self._path[1]) if turns else self.current

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self._turn.stop()
        self.wants_fit = False
        self._place(camera)

    def fit(self) -> None:
        """Show everything, from where the camera looks now."""
        # before, its size or the scene's is not yet known
        if self._widget.isVisible() and self._shown.is_built:
            self.go(self._fitted(self.camera))
        else:
            self.wants_fit = True
            self._widget.update()

    def fit_now(self) -> None:
        """Show everything at once, where that is still to come."""
        if self.wants_fit:
            self.wants_fit = False
            self.current = self._fitted(self.current)

    def frame(self, ids: tuple[str, ...]) -> None:
        """Show some elements, from where the camera looks now; nothing happens where they have no
        place.
        """
        points = self._shown.scene.points_of(ids, self._shown.poses)
        if len(points):
            self.go(lens.fitted(self.camera, self.size, points, FRAMED))

    def clear_of(self, ids: tuple[str, ...], left: float) -> None:
        """Move the camera sideways by as much as it takes for elements to stand right of a place
        [px], if there is room.
        """
        points = self._shown.scene.points_of(ids, self._shown.poses)
        if not len(points):
            return
        camera, size = self.camera, self.size
        flat = lens.project(camera, size, points)[:, 0]
        if not np.isfinite(flat).all() or flat.min() >= left + BESIDE:
            return
        by = min(
            left + BESIDE - float(flat.min()),
            max(0.0, size[0] - BESIDE - float(flat.max()))
            if flat.max() - flat.min() < size[0] - left
            else left,
        )
        if by > 1.0:
            self.go(
                lens.replaced(
                    camera,
                    target=np.array(camera.target)
                    - by * lens.pixel(camera, size) * lens.axes(camera)[0],
                )
            )

    def view_from(self, name: str) -> None:
        """Take a standard view: a key of camera.VIEWS."""
        azimuth, elevation = lens.VIEWS[name]
        rotated = lens.replaced(self.camera, azimuth=azimuth, elevation=elevation)
        self.go(self._fitted(rotated))

    def toggle_perspective(self) -> None:
        """Perspective or parallel projection."""
        self.go(lens.replaced(self.camera, perspective=not self.camera.perspective), at_once=True)

    def fitted_to(self, size: tuple[int, int]) -> Camera:
        """The kept point of view, as near as a picture of a size [px] holds everything; one that
        follows a body stays as it is.
        """
        kept, scene = self.kept, self._shown.scene
        if kept.body or scene is None or not scene:
            return kept
        return lens.fitted(kept, size, scene.points(self._shown.poses))

    def _fitted(self, camera: Camera) -> Camera:
        scene = self._shown.scene
        if not scene:
            target = (0.0, 0.0, 0.2 * scene.size)
            return lens.replaced(camera, target=target, distance=2.4 * scene.size)
        return lens.fitted(camera, self.size, scene.points(self._shown.poses))

    def go(self, camera: Camera, at_once: bool = False) -> None:
        """Travel to a camera in a short time."""
        self.wants_fit = False
        if at_once or self._look.reduced_motion or not self._widget.isVisible():
            self._turn.stop()
            self._place(camera)
        else:
            now = lens.replaced(self.current, body=camera.body, turns=camera.turns)
            self._path = (self._kept(now), self._kept(camera))
            self._turn.stop()
            self._turn.start()
        self.changed.emit()

    def _rotated(self, share: float) -> None:
        self._held = self._path[1] if share >= 1.0 else lens.between(*self._path, share)
        self.moved.emit()

    def _place(self, camera: Camera) -> None:
        self.current = camera
        self.moved.emit()

    def stop(self) -> None:
        """End a transition where it is."""
        self._turn.stop()

    def orbit(self, across: float, down: float) -> None:
        """Turn about the target, by a movement of the pointer [px]."""
        c = self.current
        azimuth, elevation = c.azimuth - TURN * across, c.elevation + TURN * down
        self._place(lens.replaced(c, azimuth=azimuth, elevation=elevation))

    def pan(self, across: float, down: float) -> None:
        """Move sideways, by a movement of the pointer [px]."""
        c, R = self.current, lens.axes(self.current)
        pixel = lens.pixel(c, self.size)
        target = np.array(c.target) - pixel * across * R[0] + pixel * down * R[1]
        self._place(lens.replaced(c, target=target))

    def zoom(self, point: np.ndarray, factor: float) -> None:
        """Change the distance by a factor; a point of W keeps its pixel."""
        self._turn.stop()
        self._place(lens.zoomed(self.current, point, factor))
        self.wants_fit = False
        self.changed.emit()

    def look_along(self, normal: Triple) -> None:
        """See what lies across a normal from straight before it, from the side of the camera."""
        camera = self.camera
        side = 1.0 if lens.axes(camera)[2] @ np.array(normal) >= 0.0 else -1.0
        n = (side * normal[0], side * normal[1], side * normal[2])
        plane = facing("", camera.target, n, self._look.plane)
        self.go(lens.facing(camera, plane))

    def face_plane(self, below: float = 0.9999) -> None:
        """See the work plane from straight before it, from as far as now, unless it is seen well.

        below: cosine between the line of sight and its normal from which on it is.
        """
        camera = self.camera
        if lens.axes(camera)[2] @ np.array(self._look.plane.normal) < below:
            self.go(lens.facing(camera, self._look.plane))

    def look_at_plane(self) -> None:
        """See the work plane from straight before it, with room to draw about what is drawn."""
        camera = self._fitted(lens.facing(self.camera, self._look.plane))
        self.go(
            lens.replaced(camera, distance=max(camera.distance, self.camera.distance))
            if self._shown.scene
            else camera
        )
