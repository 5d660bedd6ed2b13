"""Actions of the Insert menu that ask for a file: meshes and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore

from mechstudio.application.actions import insert
from mechstudio.application.actions.edits import body, pictures
from mechstudio.application.tools.eye import on_plane
from mechstudio.application.tools.tool import Pointer
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.mechanism import GROUND
from mechstudio.view.actions.window_action import window_action
from mechstudio.view.dialogs.mesh_import import MeshSheet, choose_mesh
from mechstudio.view.dialogs.picture import aspect_of, choose_picture
from mechstudio.view.scene import camera as lens
from mechstudio.view.scene.eye import CameraEye

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow

SHARE = 0.5  # of the view's width that a new picture takes


@window_action(
    "Part from a file…",
    "Insert/Body",
    words="body solid add import mesh stl obj dxf svg profile outline plate surface cad",
    before=insert.add_shape,
)
def body_mesh(window: MainWindow) -> None:
    """Ask for the file of a mesh or a profile and insert it as a body."""
    choose_mesh(
        window.theme,
        window,
        window.studio,
        lambda file: body.insert_mesh(window.studio, file),
    )


def ask_mesh(window: MainWindow, path: Path, pointer: Pointer) -> None:
    """Show what a mesh file holds and ask for its unit; it becomes the skin of the body at the
    pointer, or a body there.
    """
    studio, at = window.studio, pointer.point
    m = studio.document.project.mechanism

    def insert(file: body.MeshFile, onto: str) -> None:
        if onto and (onto in studio.document.project.mechanism.bodies or onto == GROUND):
            body.join_mesh(studio, onto, file)
            studio.selection.select(onto)
        else:
            body.insert_mesh(studio, file, at)

    name = m.body(pointer.body).name if pointer.body else ""
    window.sheet = sheet = MeshSheet(
        window.theme,
        window,
        path,
        studio.preferences.units,
        insert,
        (pointer.body, name) if pointer.body else None,
    )
    sheet.open()


@window_action(
    "Picture…",
    "Insert",
    icon="picture",
    words="image photo sketch underlay scan png jpg svg trace background import",
)
def picture(window: MainWindow) -> None:
    """Ask for a picture and lay it under the drawing."""
    choose_picture(window, window.studio, lambda path: insert_picture(window, path, None))


def insert_picture(window: MainWindow, path: Path, at: QtCore.QPointF | None) -> None:
    """Lay a picture on the work plane.  at: a pixel of the viewport; None for the middle of the
    view.
    """
    view, studio = window.viewport, window.studio
    aspect = aspect_of(studio, path)
    if aspect is None:
        return
    size = (max(1, view.width()), max(1, view.height()))
    center: Triple | None = (
        on_plane(CameraEye(view.framing.camera, size), at.x(), at.y(), studio.tools.context.plane)
        if at is not None
        else None
    )
    width = 2 * lens.half_extent(view.framing.camera, size)[0] * SHARE
    pictures.insert_picture(
        studio,
        path,
        aspect,
        center or body.center_of_view(studio),
        min(width, width * size[1] / size[0] / aspect),
    )
