"""Commands on pictures.  A part of Commands."""

from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.body import center_of_view
from mechstudio.application.studio import Studio
from mechstudio.application.tools.eye import on_plane
from mechstudio.model.geometry.rotation import Triple
from mechstudio.view.dialogs.picture import aspect_of, choose_picture
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.eye import CameraEye

SHARE = 0.5  # of the view's width that a new picture takes


class PictureCommands:
    """Inserting pictures to draw after, by menu and by drop."""

    _window: QtWidgets.QMainWindow
    _studio: Studio

    def picture(self) -> None:
        choose_picture(self._window, self._studio, lambda path: self.insert_picture(path, None))

    def insert_picture(self, path: Path, at: QtCore.QPointF | None) -> None:
        """Lay a picture on the work plane.  at: a pixel of the viewport; None for the middle of the
        view.
        """
        aspect = aspect_of(self._studio, path)
        if aspect is None:
            return
        view, studio = self._window.viewport, self._studio
        size = (max(1, view.width()), max(1, view.height()))
        center: Triple | None = (
            on_plane(CameraEye(view.camera, size), at.x(), at.y(), studio.bench.context.plane)
            if at is not None
            else None
        )
        width = 2 * lens.half_extent(view.camera, size)[0] * SHARE
        studio.insert_picture(
            path,
            aspect,
            center or center_of_view(studio),
            min(width, width * size[1] / size[0] / aspect),
        )
