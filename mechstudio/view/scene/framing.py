"""Viewpoint of the viewport: its camera, standard views, and what is brought into the picture."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEasingCurve, QVariantAnimation, SignalInstance
from PySide6.QtWidgets import QWidget

from mechstudio.application.scene import Scene
from mechstudio.model.edits.links import WorkPlane
from mechstudio.model.project import Camera
from mechstudio.view.scene import camera as lens

TURN_MS = 240
BESIDE = 56.0  # px between a body and what it is moved away from
FRAMED = 0.5  # share of the picture that a framed element fills: what it belongs to stays in sight


class Framing(QWidget):
    """The part of the viewport that has the camera.  _wants_fit: everything is to be shown as soon
    as scene and size are known.
    """

    plane: WorkPlane
    reduced_motion: bool

    if TYPE_CHECKING:  # what Viewport brings
        camera_changed: SignalInstance
        camera_moved: SignalInstance
        _built: Scene | None
        _scene: Scene
        _poses: np.ndarray

        def _touch(self, what: str) -> None: ...
        def _extent(self) -> tuple[float, float]: ...

    def _start_framing(self) -> None:
        self._camera, self._wants_fit = Camera(), True
        self._turn = QVariantAnimation(
            self,
            startValue=0.0,
            endValue=1.0,
            duration=TURN_MS,
            easingCurve=QEasingCurve(QEasingCurve.Type.InOutCubic),
        )
        self._turn.valueChanged.connect(self._turned)
        self._path: tuple[Camera, Camera] = (self._camera, self._camera)

    @property
    def camera(self) -> Camera:
        """Camera of the scene; during the transition to a view, the camera at its end."""
        if self._wants_fit and self.isVisible():
            self._fit_now()
        return (
            self._path[1] if self._turn.state() == QVariantAnimation.State.Running else self._camera
        )

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self._turn.stop()
        self._wants_fit = False
        self._place(camera)

    def fit(self) -> None:
        """Show everything, from where the camera looks now."""
        if (
            not self.isVisible() or self._built is None
        ):  # its size, or the scene's, is not yet known
            self._wants_fit = True
            self._touch("picture")
            return
        self._go(self._fitted(self.camera))

    def _fit_now(self) -> None:
        if self._wants_fit:
            self._wants_fit = False
            self._camera = self._fitted(self._camera)

    def frame(self, ids: tuple[str, ...]) -> None:
        """Show some elements, from where the camera looks now; nothing happens where they have no
        place.
        """
        points = self._scene.points_of(ids, self._poses)
        if len(points):
            self._go(lens.fitted(self.camera, self._extent(), points, FRAMED))

    def clear_of(self, ids: tuple[str, ...], left: float) -> None:
        """Move the camera sideways by as much as it takes for elements to stand right of a place
        [px], if there is room.
        """
        points = self._scene.points_of(ids, self._poses)
        if not len(points):
            return
        camera, size = self.camera, self._extent()
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
            self._go(
                lens.replaced(
                    camera,
                    target=np.array(camera.target)
                    - by * lens.pixel(camera, size) * lens.axes(camera)[0],
                )
            )

    def view_from(self, name: str) -> None:
        """Take a standard view: a key of camera.VIEWS."""
        azimuth, elevation = lens.VIEWS[name]
        turned = lens.replaced(self.camera, azimuth=azimuth, elevation=elevation)
        self._go(self._fitted(turned))

    def toggle_perspective(self) -> None:
        """Perspective or parallel projection."""
        self._go(lens.replaced(self.camera, perspective=not self.camera.perspective), at_once=True)

    def _fitted(self, camera: Camera) -> Camera:
        if not self._scene:
            return lens.replaced(
                camera, target=(0.0, 0.0, 0.2 * self._scene.size), distance=2.4 * self._scene.size
            )
        return lens.fitted(camera, self._extent(), self._scene.points(self._poses))

    def _go(self, camera: Camera, at_once: bool = False) -> None:
        """Travel to a camera in a short time."""
        self._wants_fit = False
        if at_once or self.reduced_motion or not self.isVisible():
            self._turn.stop()
            self._place(camera)
        else:
            self._path = (self._camera, camera)
            self._turn.stop()
            self._turn.start()
        self.camera_changed.emit()

    def _turned(self, share: float) -> None:
        self._place(self._path[1] if share >= 1.0 else lens.between(*self._path, share))

    @property
    def camera_now(self) -> Camera:
        """Camera of the current picture, within a transition too."""
        return self._camera

    def _place(self, camera: Camera) -> None:
        self._camera = camera
        self._touch("picture")
        self.camera_moved.emit()

    def look_at_plane(self) -> None:
        """See the work plane from straight before it, with room to draw about what is drawn."""
        camera = self._fitted(lens.facing(self.camera, self.plane))
        self._go(
            lens.replaced(camera, distance=max(camera.distance, self.camera.distance))
            if self._scene
            else camera
        )
