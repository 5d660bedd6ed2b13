"""Files that are dropped on the window: drawings open, meshes become bodies or parts of one,
pictures lie in the work plane.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6 import QtCore, QtGui

from mechstudio.application.actions.edits.body import is_mesh_file
from mechstudio.application.actions.edits.pictures import is_picture_file
from mechstudio.application.files.exchange import PACK, is_foreign
from mechstudio.application.tools.tool import Pointer
from mechstudio.view.actions import file
from mechstudio.view.actions.insert import ask_mesh, insert_picture

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


def _paths(event: QtGui.QDropEvent) -> Iterator[str]:
    """Files of this machine that are carried."""
    return (url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile())


def _is_taken(path: str) -> bool:
    """True for a file that the window can do something with."""
    return (
        path.endswith((file.SUFFIX, PACK))
        or is_foreign(path)
        or is_mesh_file(path)
        or is_picture_file(path)
    )


class FileDrop:
    """Target of files dragged over the window and dropped there; the window forwards its events."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def enter(self, event: QtGui.QDragEnterEvent) -> None:
        """Accept what holds a file that can be opened or inserted."""
        if any(map(_is_taken, _paths(event))):
            event.acceptProposedAction()

    def move(self, event: QtGui.QDragMoveEvent) -> None:
        """Show the body that a mesh would become part of."""
        mesh = any(map(is_mesh_file, _paths(event)))
        body = self._pointer(event.position()).body if mesh else ""
        self._window.studio.selection.hover(body)
        event.acceptProposedAction()

    def leave(self) -> None:
        """Nothing is carried over the window any more."""
        self._window.studio.selection.hover("")

    def drop(self, event: QtGui.QDropEvent) -> None:
        """Open or insert the first file."""
        window = self._window
        self.leave()
        path = Path(next(_paths(event)))
        if is_picture_file(path):
            insert_picture(window, path, window.viewport.mapFrom(window, event.position()))
        elif is_mesh_file(path):
            ask_mesh(window, path, self._pointer(event.position()))
        else:
            file.open_path(window, path)

    def _pointer(self, place: QtCore.QPointF) -> Pointer:
        """Pointer at a drop position in the view, or at the middle of the view for a position
        beside it.
        """
        view = self._window.viewport
        at = view.mapFrom(self._window, place)
        inside = view.rect().contains(at.toPoint())
        return view.navigator.pointer(at if inside else QtCore.QPointF(view.rect().center()))
